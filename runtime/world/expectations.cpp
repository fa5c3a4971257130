#include "world/expectations.h"

#include "base/check.h"
#include "diag/sink.h"
#include "hixl/answer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <tuple>

namespace pto {

/// -1, 0, 1, or absent if one of them is no number.
static std::optional<int> order(ScalarType type, ScalarBits a, ScalarBits b) {
  if (info(type).isFloat()) {
    double x = toDouble(type, a), y = toDouble(type, b);
    if (std::isnan(x) || std::isnan(y))
      return std::nullopt;
    return x < y ? -1 : x > y;
  }
  if (info(type).kind == ScalarKind::Signed)
    return int64_t(a) < int64_t(b) ? -1 : int64_t(a) > int64_t(b);
  return a < b ? -1 : a > b;
}

bool expectationHolds(ExpectOp op, ScalarType type, ScalarBits got, ScalarBits wanted,
                      double tolerance) {
  std::optional<int> sign = order(type, got, wanted);
  if (!sign)
    return op == ExpectOp::NotEqual;
  switch (op) {
  case ExpectOp::Equal:
    return *sign == 0;
  case ExpectOp::NotEqual:
    return *sign != 0;
  case ExpectOp::Nearly:
    return *sign == 0 || std::fabs(toDouble(type, got) - toDouble(type, wanted)) <= tolerance;
  case ExpectOp::Less:
    return *sign < 0;
  case ExpectOp::LessEqual:
    return *sign <= 0;
  case ExpectOp::Greater:
    return *sign > 0;
  case ExpectOp::GreaterEqual:
    return *sign >= 0;
  }
  PTO_UNREACHABLE("expectation operator");
}

/// A value as a table shows it.
static std::string shown(uint64_t answers, ScalarType type, ScalarBits bits) {
  if (answers != 0 && answers <= kHixlEnumCount) {
    auto values = names(HixlEnum(answers - 1));
    if (bits < values.size())
      return values[size_t(bits)].str();
  }
  return formatScalar(type, bits);
}

void Expectations::begin(int32_t rank, const CodePlace &place, llvm::StringRef text,
                         uint64_t answers) {
  HostState &host = hosts_[rank];
  host.answers = answers;
  uint64_t position = uint64_t(place.line) << 32 | place.column;
  uint32_t time = std::min(host.times[{place.file, position}]++, kMaxTimes);
  auto [entry, isNew] = byPlace_.try_emplace({place.file, position, time}, statements_.size());
  if (isNew)
    statements_.push_back({place, text.str(), 0, 0, {}});
  host.open = entry->second;
  host.missed = 0;
}

/// "3", or "[3, 4]" of several dimensions.
static std::string indexText(const Request &request) {
  llvm::SmallVector<std::string, 5> parts;
  for (unsigned i = 4; i < request.valueCount; ++i)
    if (request.has(i))
      parts.push_back(std::to_string(int64_t(request.values[i])));
  return parts.size() <= 1 ? llvm::join(parts, "") : "[" + llvm::join(parts, ", ") + "]";
}

void Expectations::judge(int32_t rank, const Request &request) {
  HostState &host = hosts_[rank];
  if (host.open >= statements_.size())
    return;
  Statement &statement = statements_[host.open];
  ++statement.compared;
  double tolerance = request.has(3) ? toDouble(ScalarType::F32, request.values[3]) : 0;
  if (expectationHolds(ExpectOp(request.values[2]), request.type, request.values[0],
                       request.values[1], tolerance))
    return;
  ++statement.missed;
  ++host.missed;
  std::vector<Miss> &misses = statement.misses[rank];
  if (misses.size() >= kMaxMisses)
    return;
  // Equality goes without saying; any other comparison is part of what was wanted.
  std::string wanted = shown(host.answers, request.type, request.values[1]);
  if (ExpectOp(request.values[2]) != ExpectOp::Equal)
    wanted = (kExpectOpNames[request.values[2]] + " " + wanted).str();
  misses.push_back(
      {rank, indexText(request), shown(host.answers, request.type, request.values[0]), wanted});
}

uint64_t Expectations::end(int32_t rank) {
  HostState &host = hosts_[rank];
  host.open = ~size_t(0);
  return host.missed;
}

std::string ranksText(llvm::ArrayRef<int32_t> ranks) {
  constexpr size_t kMost = 8;
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (size_t i = 0; i != std::min(ranks.size(), kMost); ++i)
    text += (i ? ", " : "") + std::to_string(ranks[i]);
  return ranks.size() > kMost ? text + " and " + std::to_string(ranks.size() - kMost) + " more"
                              : text;
}

std::vector<std::string> alignTable(const std::vector<std::vector<std::string>> &rows) {
  std::vector<size_t> widths(rows.front().size());
  for (const auto &row : rows)
    for (size_t c = 0; c != row.size(); ++c)
      widths[c] = std::max(widths[c], row[c].size());
  std::vector<std::string> lines;
  for (const auto &row : rows) {
    std::string line;
    for (size_t c = 0; c != row.size(); ++c)
      line += (c ? "  " : "") + std::string(widths[c] - row[c].size(), ' ') + row[c];
    lines.push_back(line);
  }
  return lines;
}

Finding Expectations::findingOf(const Statement &statement,
                                const std::vector<std::string> &files) const {
  std::vector<int32_t> ranks;
  std::vector<Miss> first;
  for (const auto &[rank, misses] : statement.misses) {
    ranks.push_back(rank);
    for (const Miss &miss : misses)
      if (first.size() < kMaxMisses)
        first.push_back(miss);
  }
  bool hasIndex = llvm::any_of(first, [](const Miss &miss) { return !miss.index.empty(); });
  std::vector<std::vector<std::string>> rows = {{"rank", "index", "got", "wanted"}};
  for (const Miss &miss : first)
    rows.push_back({std::to_string(miss.rank), miss.index, miss.got, miss.wanted});
  if (!hasIndex)
    for (auto &row : rows)
      row.erase(row.begin() + 1);
  std::string message = "`" + statement.text + "` failed: ";
  if (hasIndex)
    message += std::to_string(statement.missed) + " of " + std::to_string(statement.compared) +
               " elements ";
  message += "on " + ranksText(ranks);
  Finding finding{
      Rule::ExpectationFailed, info(Rule::ExpectationFailed).severity, message, "", {}, {}, {}};
  finding.mend = fillSlots(info(Rule::ExpectationFailed).mend, {message});
  const CodePlace &at = statement.place;
  Place place{at.file < files.size() ? files[at.file] : "", at.line, at.column, at.length};
  finding.sites.push_back({place, "", first.front().rank, -1, -1});
  finding.details = alignTable(rows);
  if (statement.missed > first.size())
    finding.details.push_back("… and " + std::to_string(statement.missed - first.size()) + " more");
  return finding;
}

void Expectations::report(const std::vector<std::string> &files,
                          std::vector<Finding> &findings) const {
  for (const Statement &statement : statements_)
    if (statement.missed != 0)
      findings.push_back(findingOf(statement, files));
}

} // namespace pto
