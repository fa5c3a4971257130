// The loop: takes the next action, has it done, until nobody is left or nobody can move.

#include "world/parts.h"

namespace pto {

/// A vector clock has an entry for every pipe of every rank, so their cost grows with the square.
static constexpr int32_t kMostAuditedRanks = 2048;

World::World(const Module &module, const Entry &entry, const RunOptions &options, Layout placed,
             Gm mapped, llvm::raw_ostream &out, const AuditLimits *limits)
    : module(module), entry(entry), options(options), layout(std::move(placed)),
      gm(std::move(mapped)), out(out),
      machine{module, layout, info(options.target.platform), options.ranks}, agenda(options.seed),
      engines({module, layout, options.target, options.topology, gm, agenda, trace, deeds,
               options.seed, options.ranks}),
      signals(module, layout) {
  if (options.keepTrace)
    trace.turnOn(module);
  if (options.audits && options.ranks <= kMostAuditedRanks) {
    audit = std::make_unique<Audit>(AuditContext{module, layout, gm, options.ranks, limits});
    deeds.turnOn();
  }
  ranks.resize(size_t(options.ranks));
  for (RankState &rank : ranks)
    rank.freeCores = machine.platform.cores;
}

static void startHosts(World &world) {
  for (int32_t rank = 0; rank != world.options.ranks; ++rank) {
    auto host = std::make_unique<Agent>();
    host->id = uint32_t(rank);
    host->isHost = true;
    host->core.rank = rank;
    host->core.blocks = world.options.blocks;
    host->jitter = Jitter(world.options.seed, uint64_t(rank) << 2);
    host->core.timePs = host->jitter.below(cost(Cost::HostStep));
    enter(host->core, world.machine, world.entry.function, {}, {});
    world.agenda.add(host->core.timePs, ActionKind::Resume, host->id);
    world.agents.push_back(std::move(host));
  }
}

static void perform(World &world, const Action &action) {
  if (world.engines.isVain(action))
    return;
  world.nowPs = action.timePs;
  if (world.audit)
    world.audit->setTime(world.nowPs);
  switch (action.kind) {
  case ActionKind::Resume:
    return resume(world, action.subject);
  case ActionKind::Notify:
    return landNotify(world, action);
  case ActionKind::StartLaunch:
    return startLaunch(world, action.subject);
  case ActionKind::Hixl:
    return advanceHixl(world);
  case ActionKind::EndHold:
  case ActionKind::EndPipeHold:
  case ActionKind::MoveBytes:
  case ActionKind::RaiseSignal:
  case ActionKind::CompletePost:
  case ActionKind::StepPipe: {
    Effect effect = world.engines.perform(action);
    followEngines(world);
    return applyEffect(world, effect);
  }
  }
}

static llvm::Error refuse(const llvm::Twine &why) {
  return llvm::createStringError(std::make_error_code(std::errc::invalid_argument), why);
}

static llvm::Error checkOptions(const Module &module, const Entry &entry,
                                const RunOptions &options) {
  if (options.ranks < 1 || options.ranks > limit(Limit::MaxRanks))
    return refuse("cannot run with " + llvm::Twine(options.ranks) + " ranks; 1 to " +
                  llvm::Twine(limit(Limit::MaxRanks)) + " are simulated");
  if (options.lateRank >= options.ranks)
    return refuse("rank " + llvm::Twine(options.lateRank) + " cannot be late: the ranks are 0 to " +
                  llvm::Twine(options.ranks - 1));
  if (options.blocks < 1)
    return refuse("cannot run with " + llvm::Twine(options.blocks) + " blocks");
  if (entry.function >= module.functions.size() ||
      module.functions[entry.function].kind != FunctionKind::Host)
    return refuse("`" + entry.name + "` is no entry of the module");
  return llvm::Error::success();
}

static void runToEnd(World &world) {
  startHosts(world);
  while (!world.stopped && !world.agenda.empty())
    perform(world, world.agenda.takeNext());
  if (!world.stopped && world.finishedHosts != world.options.ranks)
    reportStall(world);
  finishHixl(world);
  reportAudit(world);
  world.expectations.report(world.module.files, world.findings);
  settleExpectedViolations(world);
}

/// One pass over the run. What it prints and writes is the same in each.
static llvm::Expected<std::unique_ptr<World>> runOnce(const Module &module, const Entry &entry,
                                                      const RunOptions &options,
                                                      llvm::raw_ostream &out,
                                                      const AuditLimits *limits) {
  llvm::Expected<Layout> layout =
      layOut(module, options.ranks, info(options.target.platform), options.maxGmBytes);
  if (!layout)
    return layout.takeError();
  llvm::Expected<Gm> gm = Gm::map(*layout, options.ranks);
  if (!gm)
    return gm.takeError();
  auto world = std::make_unique<World>(module, entry, options, std::move(*layout), std::move(*gm),
                                       out, limits);
  world->gm.initialise(module, world->layout, options.ranks);
  if (llvm::Error failed = applyInputs(*world))
    return failed;
  if (llvm::Error failed = startHixl(*world))
    return failed;
  runToEnd(*world);
  if (world->failure)
    return std::move(world->failure);
  return world;
}

llvm::Expected<RunResult> run(const Module &module, const Entry &entry, const RunOptions &options,
                              llvm::raw_ostream &out) {
  if (llvm::Error wrong = checkOptions(module, entry, options))
    return wrong;
  llvm::Expected<std::unique_ptr<World>> world = runOnce(module, entry, options, out, nullptr);
  // Where a wait could have acquired less in another schedule, the same run is judged again with
  // that much only: if it is clean still, that schedule is too.
  constexpr unsigned kMostPasses = 4;
  for (unsigned pass = 1; world && pass != kMostPasses && (*world)->audit; ++pass) {
    auto limits = (*world)->findings.empty() ? (*world)->audit->limits() : nullptr;
    if (!limits)
      break;
    world->reset();
    world = runOnce(module, entry, options, llvm::nulls(), limits.get());
  }
  if (!world)
    return world.takeError();
  if (llvm::Error failed = writeOutputs(**world))
    return failed;
  RunResult result;
  result.findings = std::move((*world)->findings);
  result.trace = std::move((*world)->trace);
  result.timePs = (*world)->nowPs;
  result.reached = std::move((*world)->reached);
  if ((*world)->hixl)
    result.hixlEngines = hixlEnginesOf(*(*world)->hixl);
  // What HIXL does is not followed by the audit, so it cannot speak for other schedules.
  if ((*world)->audit && !(*world)->hixl) {
    result.isAudited = true;
    result.proof = (*world)->audit->proof();
  }
  return result;
}

} // namespace pto
