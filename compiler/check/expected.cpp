#include "check/expected.h"

#include "program/walk.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

namespace pto {

using namespace program;

namespace {
using Functions = llvm::SmallSetVector<const Function *, 4>;

/// Which function stands where, and which functions it calls or launches.
class Holders {
public:
  Holders(const Program &program, const Sources &sources) : program_(program), sources_(sources) {
    for (const auto &function : program.functions)
      gather(*function);
  }

  /// The functions in whose text a finding lies: all instances of it.
  [[nodiscard]] Functions of(const Finding &finding) const {
    Functions holders;
    for (const auto &function : program_.functions)
      if (contains(*function, finding.sites.front().place))
        holders.insert(function.get());
    return holders;
  }

  /// Whether a run that begins with `from` may come to one of the functions.
  [[nodiscard]] bool reaches(const Function *from, const Functions &wanted) const {
    Functions reached;
    reached.insert(from);
    for (size_t i = 0; i != reached.size(); ++i) {
      if (wanted.contains(reached[i]))
        return true;
      const Functions &next = callees_.find(reached[i])->second;
      reached.insert(next.begin(), next.end());
    }
    return false;
  }

  /// Functions with something that has no type, so that there is no bytecode for it.
  [[nodiscard]] const Functions &broken() const { return broken_; }

private:
  void gather(const Function &function) {
    Functions &callees = callees_[&function];
    walk(
        function,
        [&](const Expr &expr) {
          if (expr.kind == ExprKind::Call)
            callees.insert(expr.function);
          if (expr.kind == ExprKind::Error || expr.type.isError())
            broken_.insert(&function);
        },
        [&](const Stmt &stmt) {
          if (stmt.kind == StmtKind::Launch && stmt.function)
            callees.insert(stmt.function);
        });
  }

  [[nodiscard]] bool contains(const Function &function, const Place &place) const {
    if (!function.range.valid() || !function.end.valid() ||
        place.file != sources_.name(function.range.file))
      return false;
    LineColumn begin = sources_.lineColumn(function.range.file, function.range.begin),
               end = sources_.lineColumn(function.range.file, function.end.end);
    std::pair at{place.line, place.column};
    return std::pair{begin.line, begin.column} <= at && at < std::pair{end.line, end.column};
  }

  const Program &program_;
  const Sources &sources_;
  llvm::DenseMap<const Function *, Functions> callees_; ///< Looked up, never walked.
  Functions broken_;
};
} // namespace

static bool expects(const Entry &entry, const Finding &finding) {
  return llvm::is_contained(entry.expectedViolations, uint16_t(finding.rule));
}

/// Whether somebody reaches the finding, and all who do expect it.
static bool isExpected(const Program &program, const Holders &holders, const Finding &finding) {
  Functions wanted = holders.of(finding);
  bool isReached = false;
  for (const Entry &entry : program.entries) {
    if (finding.severity != Severity::Error || !holders.reaches(entry.function, wanted))
      continue;
    if (!expects(entry, finding))
      return false;
    isReached = true;
  }
  return isReached;
}

/// Takes out the entries that come to an error, each with the errors that it comes to.
static void takeEntries(Program &program, const Holders &holders, llvm::ArrayRef<Finding> findings,
                        std::vector<Refusal> &refusals) {
  std::vector<Entry> kept;
  for (Entry &entry : program.entries) {
    Refusal refusal;
    for (const Finding &finding : findings)
      if (holders.reaches(entry.function, holders.of(finding)))
        refusal.findings.push_back(finding);
    if (refusal.findings.empty()) {
      kept.push_back(std::move(entry));
      continue;
    }
    refusal.entry = std::move(entry);
    refusal.entry.function = nullptr;
    refusals.push_back(std::move(refusal));
  }
  program.entries = std::move(kept);
}

void refuseExpected(Program &program, const Sources &sources, Sink &sink,
                    std::vector<Refusal> &refusals) {
  if (!sink.hasErrors() || llvm::all_of(program.entries, [](const Entry &entry) {
        return entry.expectedViolations.empty();
      }))
    return;
  Holders holders(program, sources);
  Functions wrong;
  unsigned expected = 0;
  for (const Finding &finding : sink.findings())
    if (isExpected(program, holders, finding)) {
      Functions here = holders.of(finding);
      wrong.insert(here.begin(), here.end());
      ++expected;
    }
  bool areAllExpected = sink.errorCount() == expected;
  // What a wrong function made of its caller is wrong there too, though nothing was said of it.
  Functions broken = holders.broken();
  bool isWhole = llvm::all_of(program.entries, [&](const Entry &entry) {
    return holders.reaches(entry.function, wrong) || !holders.reaches(entry.function, broken);
  });
  if (areAllExpected && !isWhole)
    return;
  std::vector<Finding> findings =
      sink.takeOut([&](const Finding &finding) { return isExpected(program, holders, finding); });
  if (!areAllExpected)
    return; // Nothing runs, and what is left says why.
  takeEntries(program, holders, findings, refusals);
  wrong.insert(broken.begin(), broken.end());
  llvm::erase_if(program.functions,
                 [&](const auto &function) { return holders.reaches(function.get(), wrong); });
}

} // namespace pto
