//===- sink.h - where stages put findings -----------------------*- C++ -*-===//
//
// A stage reports and goes on. The sink applies severities and `#[allow]`, drops exact repetitions,
// and stops taking findings after a limit, so that one broken file cannot flood a terminal.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_DIAG_SINK_H
#define PTO_DIAG_SINK_H

#include "base/source.h"
#include "diag/finding.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace pto {

/// What the command line says of a rule: `-W slug=allow|warn|deny`.
enum class Verdict : uint8_t { Default, Allow, Warn, Deny };

class Sink {
public:
  explicit Sink(const Sources &sources) : sources_(sources), verdicts_(rules().size()) {}

  /// Reports a finding; the number of arguments is checked against the row when compiling.
  /// The reference is valid until the next report, to add notes, details and fixes to.
  template <Rule R, typename... Args> Finding &report(SourceRange at, Args &&...args) {
    static_assert(sizeof...(Args) == slotCount(R), "arguments do not match the message's slots");
    return add(R, at, {llvm::formatv("{0}", std::forward<Args>(args)).str()...});
  }
  /// The same for a place without loaded text (bytecode, run time).
  template <Rule R, typename... Args> Finding &reportAt(Place place, Args &&...args) {
    static_assert(sizeof...(Args) == slotCount(R), "arguments do not match the message's slots");
    return add(R, std::move(place), {llvm::formatv("{0}", std::forward<Args>(args)).str()...});
  }
  /// The same for a rule that a table names, as bad as the table says.
  Finding &report(Rule rule, Severity severity, SourceRange at, std::vector<std::string> args);
  /// Takes a finding that was made elsewhere (a trap of a run).
  Finding &take(Finding finding);

  /// Lowers the finding that was just reported; a note does not make the program wrong.
  void lower(Finding &finding, Severity severity);
  /// Adds a labelled place to a finding.
  void note(Finding &finding, SourceRange at, llvm::StringRef role) const;
  [[nodiscard]] Place place(SourceRange range) const;
  /// Whether the text is a file of the built-in library.
  [[nodiscard]] bool isOfLibrary(SourceRange range) const;

  /// From now on takes advice too, as `pto lint` does.
  void takeAdvice() { takesAdvice_ = true; }
  /// Whether findings of the rule are taken: a check that costs time may be left out otherwise.
  [[nodiscard]] bool isOn(Rule rule) const;
  void setVerdict(Rule rule, Verdict verdict) { verdicts_[size_t(rule)] = verdict; }
  /// Until it is left, every finding about a text also names this place: the call that a generic
  /// body is checked for.
  void enterContext(SourceRange at, llvm::StringRef role) { contexts_.push_back({at, role.str()}); }
  void leaveContext() { contexts_.pop_back(); }
  /// From now on takes only findings of these rules; empty: of all.
  void restrictTo(llvm::ArrayRef<Rule> rules) { only_.assign(rules.begin(), rules.end()); }
  /// `#[allow(rule)]` written at `attribute` for everything inside `range`.
  void allow(Rule rule, SourceRange range, SourceRange attribute);
  /// Reports the allows that silenced nothing, of rules that are on.
  void finishAllows();

  [[nodiscard]] llvm::ArrayRef<Finding> findings() const { return findings_; }
  [[nodiscard]] std::vector<Finding> takeFindings() { return std::move(findings_); }
  /// Removes findings, as if they had not been said; they are not reported again.
  std::vector<Finding> takeOut(llvm::function_ref<bool(const Finding &finding)> isWanted);
  [[nodiscard]] bool hasErrors() const { return errors_ != 0; }
  [[nodiscard]] unsigned errorCount() const { return errors_; }
  /// Sorts by file and line, keeping the order of findings at one place.
  void sort();

  static constexpr unsigned kMaxFindings = 200;

private:
  struct AllowEntry {
    Rule rule;
    SourceRange range;
    SourceRange attribute;
    bool used = false;
  };
  Finding &add(Rule rule, SourceRange at, std::vector<std::string> args) {
    return report(rule, info(rule).severity, at, std::move(args));
  }
  Finding &add(Rule rule, Place place, std::vector<std::string> args) {
    return add(rule, info(rule).severity, std::move(place), std::move(args));
  }
  Finding &add(Rule rule, Severity severity, Place place, std::vector<std::string> args);
  [[nodiscard]] bool isAllowed(Rule rule, SourceRange at);

  const Sources &sources_;
  std::vector<Verdict> verdicts_;
  std::vector<AllowEntry> allows_;
  std::vector<std::pair<SourceRange, std::string>> contexts_;
  bool takesAdvice_ = false;
  std::vector<Rule> only_; ///< See restrictTo().
  std::vector<Finding> findings_;
  llvm::DenseSet<uint64_t> seen_; ///< Hashes of (rule, place, message).
  unsigned errors_ = 0;
  Finding dropped_; ///< What report() returns for a finding that is not kept.
};

/// Fills the slots {0}, {1}, … of a row's text.
[[nodiscard]] std::string fillSlots(llvm::StringRef text, llvm::ArrayRef<std::string> args);

} // namespace pto

#endif
