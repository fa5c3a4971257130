#include "driver/compile.h"

#include "base/check.h"
#include "bytecode/verify.h"
#include "driver/imports.h"
#include "flow/flow.h"
#include "lower/lower.h"
#include "sync/sync.h"

namespace pto {

static HostOptions hostOptions(const CheckOptions &check) {
  HostOptions options;
  if (check.target)
    options.platform = check.target->platform;
  options.ranks = check.worldRanks ? check.worldRanks : check.ranks;
  return options;
}

Compilation compile(Sources &sources, FileId main, const CompileOptions &options, Sink &sink) {
  Compilation result;
  Imports imports(sources, options, sink);
  (void)imports.load(main);
  result.files = std::move(imports.files);
  // A broken file lacks what could not be read, so checking it would report names that are there.
  if (sink.hasErrors()) {
    sink.sort();
    return result;
  }
  result.program = check(imports.units, options.check, sources, sink);
  auto refuse = [&] {
    if (options.refusesExpected)
      refuseExpected(*result.program, sources, sink, result.refusals);
  };
  refuse();
  bool isWhole = !sink.hasErrors() && result.refusals.empty();
  // What is not even well typed has no order to follow.
  if (!sink.hasErrors()) {
    insertSync(*result.program);
    followKernels(*result.program, sources, sink);
    followHosts(*result.program, hostOptions(options.check), sources, sink);
    refuse();
  }
  // Of the order inside kernels too, so not before that has been looked at in all of them.
  if (isWhole)
    sink.finishAllows();
  if (!sink.hasErrors() && options.mutant)
    mutate(*result.program, *options.mutant);
  if (!sink.hasErrors())
    result.module = lower(*result.program, sources, sink);
  result.isRunnable = !sink.hasErrors();
  // What we made ourselves is held to the same rules as what comes from outside.
  if (result.isRunnable)
    if (llvm::Error broken = verify(result.module))
      PTO_UNREACHABLE(llvm::toString(std::move(broken)).c_str());
  sink.sort();
  return result;
}

} // namespace pto
