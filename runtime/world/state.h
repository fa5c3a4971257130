//===- state.h - everything a run consists of -------------------*- C++ -*-===//
#ifndef PTO_WORLD_STATE_H
#define PTO_WORLD_STATE_H

#include "audit/audit.h"
#include "world/agent.h"
#include "world/expectations.h"
#include "world/hixl.h"
#include "world/world.h"

namespace pto {

struct World {
  World(const Module &module, const Entry &entry, const RunOptions &options, Layout layout, Gm gm,
        llvm::raw_ostream &out, const AuditLimits *limits);

  const Module &module;
  const Entry &entry;
  const RunOptions &options;
  Layout layout;
  Gm gm;
  llvm::raw_ostream &out;
  Machine machine;
  Agenda agenda;
  Trace trace;
  DeedLog deeds;
  Engines engines;
  Signals signals;
  Expectations expectations;
  std::unique_ptr<HixlHosts> hixl; ///< Null: the module makes no call of it.
  std::vector<CodePlace> reached;  ///< If options.keepsReached.
  std::unique_ptr<Audit> audit;    ///< Null: the run is not judged.
  std::vector<std::unique_ptr<Agent>>
      agents; ///< The hosts, by rank; then cores, null when they ended.
  std::vector<RankState> ranks;
  std::vector<Launch> launches;
  /// Of each team that some wait for: the launch of a rank that does.
  std::map<Team, std::map<int32_t, uint32_t>> meetings;
  std::vector<SignalUpdate> notifies; ///< On their way; taken by Action::subject.
  std::vector<uint32_t> freeNotifies;
  std::vector<Finding> findings;
  llvm::Error failure = llvm::Error::success(); ///< Of the environment.
  bool stopped = false;
  uint64_t steps = 0;
  uint64_t epoch = 0; ///< Counts everything that an agent could see.
  int64_t nowPs = 0;
  int32_t atBarrier = 0, atStep = 0, finishedHosts = 0;
  uint32_t runningKernels = 0; ///< Unfinished launches of all ranks.
};

} // namespace pto

#endif
