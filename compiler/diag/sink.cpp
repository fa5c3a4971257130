#include "diag/sink.h"

#include "base/check.h"
#include "diag/fix.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace pto {

std::string fillSlots(llvm::StringRef text, llvm::ArrayRef<std::string> args) {
  std::string out;
  out.reserve(text.size() + 32);
  for (size_t i = 0; i != text.size(); ++i) {
    bool isSlot =
        text[i] == '{' && i + 2 < text.size() && llvm::isDigit(text[i + 1]) && text[i + 2] == '}';
    if (!isSlot) {
      out += text[i];
      continue;
    }
    size_t slot = size_t(text[i + 1] - '0');
    PTO_CHECK(slot < args.size(), "a message has more slots than arguments");
    out += args[slot];
    i += 2;
  }
  return out;
}

Place Sink::place(SourceRange range) const {
  if (!range.valid())
    return {};
  LineColumn at = sources_.lineColumn(range.file, range.begin);
  size_t rest = sources_.lineText(range.file, at.line).size() + 1;
  size_t room = rest > at.column ? rest - at.column : 1;
  uint32_t length = range.end > range.begin ? range.end - range.begin : 1;
  return {sources_.name(range.file).str(), at.line, at.column,
          uint32_t(std::min<size_t>(length, room))};
}

void Sink::note(Finding &finding, SourceRange at, llvm::StringRef role) const {
  finding.sites.push_back({place(at), role.str()});
}

void Sink::lower(Finding &finding, Severity severity) {
  if (&finding == &dropped_ || finding.severity == severity)
    return;
  errors_ -= finding.severity == Severity::Error;
  finding.severity = severity;
}

bool Sink::isOn(Rule rule) const {
  if (!only_.empty() && !llvm::is_contained(only_, rule))
    return false;
  Verdict verdict = verdicts_[size_t(rule)];
  bool isAdvice = info(rule).severity == Severity::Advice;
  return verdict == Verdict::Default ? takesAdvice_ || !isAdvice : verdict != Verdict::Allow;
}

void Sink::allow(Rule rule, SourceRange range, SourceRange attribute) {
  allows_.push_back({rule, range, attribute});
}

bool Sink::isAllowed(Rule rule, SourceRange at) {
  for (AllowEntry &entry : allows_) {
    if (entry.rule != rule || !entry.range.contains(at))
      continue;
    entry.used = true;
    return true;
  }
  return false;
}

void Sink::finishAllows() {
  // Copied, since reporting may ask isAllowed() of the same list.
  std::vector<AllowEntry> unused;
  for (const AllowEntry &entry : allows_)
    if (!entry.used && info(entry.rule).phase != RulePhase::Run && isOn(entry.rule))
      unused.push_back(entry);
  for (const AllowEntry &entry : unused)
    fixRemove(sources_, report<Rule::UnusedAllow>(entry.attribute, info(entry.rule).slug),
              entry.attribute);
}

bool Sink::isOfLibrary(SourceRange range) const {
  return range.valid() && sources_.name(range.file).starts_with("<");
}

Finding &Sink::report(Rule rule, Severity severity, SourceRange at, std::vector<std::string> args) {
  if (at.valid() && isAllowed(rule, at)) {
    dropped_ = {};
    return dropped_;
  }
  // What goes wrong in the library is said of the call that had it do so.
  auto caller = contexts_.rbegin();
  if (isOfLibrary(at))
    while (caller != contexts_.rend() && isOfLibrary(caller->first))
      ++caller;
  bool isCalled = isOfLibrary(at) && caller != contexts_.rend();
  Finding &finding = add(rule, severity, place(isCalled ? caller->first : at), std::move(args));
  if (isCalled)
    note(finding, at, "in the library");
  else if (!contexts_.empty() && contexts_.back().first != at)
    note(finding, contexts_.back().first, contexts_.back().second);
  return finding;
}

Finding &Sink::add(Rule rule, Severity severity, Place place, std::vector<std::string> args) {
  Finding finding;
  finding.rule = rule;
  finding.severity = severity;
  finding.message = fillSlots(info(rule).message, args);
  finding.mend = fillSlots(info(rule).mend, args);
  finding.sites.push_back({std::move(place), ""});
  return take(std::move(finding));
}

Finding &Sink::take(Finding finding) {
  Verdict verdict = verdicts_[size_t(finding.rule)];
  if (verdict == Verdict::Warn)
    finding.severity = Severity::Warning;
  else if (verdict == Verdict::Deny)
    finding.severity = Severity::Error;
  const Place &place = finding.sites.front().place;
  uint64_t key = llvm::hash_combine(unsigned(finding.rule), place.file, place.line, place.column,
                                    finding.message);
  bool isWanted = isOn(finding.rule);
  bool keep = isWanted && findings_.size() < kMaxFindings &&
              seen_.insert(key >> 2).second; // DenseSet reserves the two highest keys.
  if (!keep) {
    // An error beyond the limit still makes the program wrong.
    errors_ += isWanted && findings_.size() >= kMaxFindings && finding.severity == Severity::Error;
    dropped_ = std::move(finding);
    return dropped_;
  }
  errors_ += finding.severity == Severity::Error;
  findings_.push_back(std::move(finding));
  return findings_.back();
}

std::vector<Finding> Sink::takeOut(llvm::function_ref<bool(const Finding &finding)> isWanted) {
  std::vector<Finding> taken, left;
  for (Finding &finding : findings_)
    (isWanted(finding) ? taken : left).push_back(std::move(finding));
  errors_ -= unsigned(llvm::count_if(
      taken, [](const Finding &finding) { return finding.severity == Severity::Error; }));
  findings_ = std::move(left);
  return taken;
}

void Sink::sort() {
  llvm::stable_sort(findings_, [](const Finding &a, const Finding &b) {
    const Place &l = a.sites.front().place, &r = b.sites.front().place;
    return std::tie(l.file, l.line, l.column) < std::tie(r.file, r.line, r.column);
  });
}

} // namespace pto
