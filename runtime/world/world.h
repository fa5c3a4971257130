//===- world.h - run one entry of a module ----------------------*- C++ -*-===//
//
// The entry of the runtime. The world owns ranks, cores, pipes, engines and the clock, and decides
// who moves; ranks only ask.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_WORLD_WORLD_H
#define PTO_WORLD_WORLD_H

#include "audit/audit.h"
#include "bytecode/module.h"
#include "diag/finding.h"
#include "target/topology.h"
#include "trace/trace.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace pto {

/// An object and the .npy file (one per rank: `{rank}` in the name is replaced) that fills or takes
/// it.
struct FileBinding {
  std::string object;
  std::string file;
};

struct RunOptions {
  int32_t ranks = 2;
  int32_t blocks = 1;
  Target target;
  Topology topology;
  uint64_t seed = 0;
  int32_t lateRank = -1; ///< Its blocks start a millisecond after their launch; -1: nobody's.
  uint64_t maxSteps = 2'000'000'000;       ///< Instructions of the whole run.
  uint64_t maxGmBytes = uint64_t(8) << 30; ///< GM of all ranks together.
  std::vector<FileBinding> inputs;         ///< Applied before the entry starts.
  std::vector<FileBinding> outputs;        ///< Written after it ended.
  std::string directory;                   ///< Relative .npy names are relative to it.
  bool keepTrace = false;
  bool keepsReached = false;
  bool audits = true; ///< Whether order, signals and memory are judged while it runs.
};

struct RunResult {
  std::vector<Finding> findings; ///< Empty: clean. What the test expected is already removed.
  Trace trace;
  int64_t timePs = 0;             ///< Virtual time at the end.
  std::vector<CodePlace> reached; ///< Where requests were made, in order of first use, if kept.
  bool isAudited = false;
  Proof proof; ///< Of an audited run without findings.
  /// The kinds of HIXL's engines that the program initialised, by name.
  std::vector<llvm::StringRef> hixlEngines;
};

/// Runs one entry in sim mode. What the program prints goes to `out` in virtual-time order. An
/// error means that the environment failed (a file, memory); what the program does wrong is a
/// finding.
[[nodiscard]] llvm::Expected<RunResult> run(const Module &module, const Entry &entry,
                                            const RunOptions &options, llvm::raw_ostream &out);

} // namespace pto

#endif
