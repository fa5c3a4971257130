#include "hixl/incident.h"

#include "llvm/ADT/SmallVector.h"

namespace pto {

static constexpr llvm::StringLiteral kWords[] = {"link", "host", "transfer", "stall"};

/// "3ms", "10us": at most a day.
static std::optional<int64_t> timeOf(llvm::StringRef text) {
  int64_t unit = text.consume_back("ms") ? 1'000'000'000 : text.consume_back("us") ? 1'000'000 : 0;
  uint64_t number = 0;
  constexpr uint64_t kMost = uint64_t(86'400'000);
  if (unit == 0 || text.getAsInteger(10, number) || number > kMost)
    return std::nullopt;
  return int64_t(number) * unit;
}

static bool readPlace(llvm::StringRef text, HixlIncident &incident) {
  auto [from, to] = text.split("->");
  bool isLink = incident.kind == HixlIncidentKind::Link;
  if (isLink == to.empty() || from.getAsInteger(10, incident.from) || incident.from < 0)
    return false;
  return !isLink || (!to.getAsInteger(10, incident.to) && incident.to >= 0);
}

static std::optional<HixlIncident> read(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 6> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  HixlIncident incident;
  size_t kind = 0;
  while (kind != std::size(kWords) && (words.empty() || kWords[kind] != words[0]))
    ++kind;
  if (kind == std::size(kWords) || (words.size() != 4 && words.size() != 6))
    return std::nullopt;
  incident.kind = HixlIncidentKind(kind);
  std::optional<int64_t> at = timeOf(words[3]);
  if (!readPlace(words[1], incident) || words[2] != "at" || !at)
    return std::nullopt;
  incident.atPs = *at;
  if (words.size() == 4)
    return incident;
  std::optional<int64_t> until = timeOf(words[5]);
  bool isFine = incident.kind == HixlIncidentKind::Link && words[4] == "until" && until;
  if (!isFine || *until <= *at)
    return std::nullopt;
  incident.untilPs = *until;
  return incident;
}

ParsedIncident parseHixlIncident(llvm::StringRef text) {
  std::optional<HixlIncident> incident = read(text);
  if (incident)
    return {incident, ""};
  return {std::nullopt,
          "a fault is `link 1->0 at 3ms`, with `until 5ms` if it heals, `host 2 at 7ms`, "
          "`transfer 0 at 0ms` or `stall 0 at 0ms`, not \"" +
              text.str() + "\""};
}

} // namespace pto
