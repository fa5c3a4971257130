// What the settings of a host or test make of its kernels: numbers that depend on rank and block,
// and kernels that run side by side. Entries that expect a violation are left to the run.

#include "check/kernels.h"
#include "check/waves.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <bitset>
#include <map>

namespace pto::check_detail {

using namespace program;

namespace {
constexpr int32_t kMostRanks = 16;        ///< Of more, only the first ones and the last.
constexpr int32_t kMostBlocks = 64;       ///< The same.
constexpr uint64_t kBudgetOfHost = 20000; ///< Expressions that one trial looks at.
constexpr uint64_t kBudgetOfBlock = 2000;
constexpr unsigned kMostTrials = 1024; ///< Of a compilation.

/// A launch that nothing is known to have waited for.
struct RunningLaunch {
  const Stmt *stmt;
  int64_t stream;
  std::bitset<64> channels;
};

/// The numbers 0 to count - 1, or the first ones and the last.
llvm::SmallVector<int32_t, 0> sample(int32_t count, int32_t most) {
  llvm::SmallVector<int32_t, 0> numbers;
  for (int32_t i = 0; i < std::min(count, most); ++i)
    numbers.push_back(i);
  if (count > most)
    numbers.push_back(count - 1);
  return numbers;
}

std::optional<int64_t> wide(std::optional<int32_t> number) {
  return number ? std::optional<int64_t>(*number) : std::nullopt;
}

/// Looks at what one block of a launch does.
class BlockCheck : public TrialObserver {
public:
  BlockCheck(const Stmt &launch, int32_t cores, llvm::StringRef coresOf, const Sources &sources,
             llvm::DenseSet<const void *> &told, Sink &sink)
      : launch(launch), cores_(cores), coresOf_(coresOf), sources_(sources), told_(told),
        sink_(sink) {}

  void operation(const Expr &expr, Trial &trial) override;
  void statement(const Stmt &stmt, Trial &trial) override;
  void passedOver() override {
    if (wave)
      wave->passedOver();
  }
  WaveBlock *wave = nullptr; ///< Takes the steps of the block, where the launch has waves.
  std::bitset<64> channels;  ///< Of SDMA, by sessions that surely are built.
  const Expr *session = nullptr;
  const Stmt &launch;
  llvm::SmallVector<Known, 4> args;
  llvm::SmallVector<TrialView, 4> views;

private:
  template <Rule R, typename... Args>
  Finding *say(const Trial &trial, SourceRange at, Args &&...args);
  void checkPeer(const Expr &expr, Trial &trial);
  void checkSession(const Expr &expr, Trial &trial);
  void checkGroup(const Expr &expr, Trial &trial);
  void checkIntrinsic(const Expr &expr, Trial &trial);
  void checkOwnPeer(const Expr &expr, Trial &trial);
  void checkValid(llvm::ArrayRef<Expr *> sizes, int64_t rows, int64_t cols, SourceRange at,
                  Trial &trial);

  int32_t cores_;
  llvm::StringRef coresOf_;
  const Sources &sources_;
  llvm::DenseSet<const void *> &told_; ///< Places of which something was said.
  Sink &sink_;
};

/// Follows a host, and each block of what it launches.
class HostCheck : public TrialObserver {
public:
  HostCheck(const Program &program, const CheckOptions &options, const Sources &sources, Sink &sink)
      : program_(program), options_(options), sources_(sources), sink_(sink) {}
  void check(const Entry &entry);

  void operation(const Expr &expr, Trial &trial) override;
  void statement(const Stmt &stmt, Trial &trial) override;
  void passedOver() override {
    running_.clear();
    hasPassedOver_ = true;
  }

private:
  void launch(const Stmt &stmt, Trial &trial);
  std::optional<WaveBlock> follow(const TrialAgent &agent, BlockCheck &check);
  void checkWaves(TrialAgent agent, BlockCheck &check, std::vector<WaveBlock> known);
  void compareStreams(const Stmt &stmt, Trial &trial, const BlockCheck &blocks);

  const Program &program_;
  const CheckOptions &options_;
  const Sources &sources_;
  Sink &sink_;
  const Function *entry_ = nullptr;
  llvm::DenseSet<const void *> told_;
  unsigned trials_ = 0;
  std::vector<RunningLaunch> running_;
  llvm::DenseSet<const Stmt *> launched_;         ///< By this rank so far.
  bool hasPassedOver_ = false;                    ///< This rank may have launched more.
  std::map<const Stmt *, SignalWriters> writers_; ///< Of the entry's launches; looked up.
  int32_t cores_ = 0;
  std::string coresOf_;
};
} // namespace

template <Rule R, typename... Args>
Finding *BlockCheck::say(const Trial &trial, SourceRange at, Args &&...args) {
  Finding &finding = sink_.report<R>(at, std::forward<Args>(args)...);
  std::string who = trial.agent.rank ? "on rank " + std::to_string(*trial.agent.rank) + ", " : "";
  sink_.note(finding, launch.range,
             who + "block " + std::to_string(trial.agent.block.value_or(0)) + " of this launch");
  return &finding;
}

void BlockCheck::operation(const Expr &expr, Trial &trial) {
  if (wave)
    wave->operation(expr, trial);
  if (told_.contains(&expr))
    return;
  if (expr.kind == ExprKind::Peer)
    checkPeer(expr, trial);
  else if (expr.kind == ExprKind::Session)
    checkSession(expr, trial);
  else
    checkIntrinsic(expr, trial);
}

void BlockCheck::statement(const Stmt &stmt, Trial &trial) {
  if (stmt.kind == StmtKind::Tile && stmt.ops.size() == 2 && !told_.contains(&stmt))
    checkValid(stmt.ops, stmt.rows, stmt.cols, stmt.ops[0]->range.to(stmt.ops[1]->range), trial);
}

void BlockCheck::checkPeer(const Expr &expr, Trial &trial) {
  std::optional<int64_t> peer = trial.number(expr.ops[1]);
  if (!peer || !trial.agent.ranks || (*peer >= 0 && *peer < *trial.agent.ranks))
    return;
  told_.insert(&expr);
  say<Rule::IndexOutOfRange>(trial, expr.ops[1]->range,
                             "`" + sources_.text(expr.ops[1]->range).str() + "` is rank " +
                                 std::to_string(*peer) + ", and there are 0 to " +
                                 std::to_string(*trial.agent.ranks - 1));
}

void BlockCheck::checkSession(const Expr &expr, Trial &trial) {
  std::optional<int64_t> id = trial.number(expr.ops[1]);
  if (int64_t ids = limit(Limit::EventIds); id && (*id < 0 || *id >= ids)) {
    told_.insert(&expr);
    Finding *finding = say<Rule::SyncIdOutOfRange>(trial, expr.ops[1]->range, *id, ids - 1);
    if (expr.ops[1]->kind == ExprKind::World || expr.ops[1]->kind == ExprKind::Variable)
      addFix(*finding, sources_,
             {expr.ops[1]->range.file, expr.ops[1]->range.end, expr.ops[1]->range.end},
             " % " + std::to_string(ids), "take it modulo the number of ids");
  }
  if (expr.type.engine == DmaEngine::SDMA)
    checkGroup(expr, trial);
}

void BlockCheck::checkGroup(const Expr &expr, Trial &trial) {
  std::optional<int64_t> queues = expr.ops[4] ? trial.number(expr.ops[4]) : 1;
  std::optional<int64_t> group = expr.ops[5] ? trial.number(expr.ops[5]) : wide(trial.agent.block);
  int64_t limitOf = limit(Limit::SdmaChannels);
  if (!queues || !group || *queues < 1 || *queues > limitOf)
    return;
  int64_t groups = limitOf / *queues;
  if (*group >= 0 && *group < groups) {
    session = session ? session : &expr;
    for (int64_t i = 0; i != *queues; ++i)
      channels.set(size_t(*group * *queues + i));
    return;
  }
  if (!told_.insert(&expr).second)
    return;
  SourceRange at = expr.ops[5] ? expr.ops[5]->range : expr.range;
  (void)say<Rule::ChannelGroupOutOfRange>(
      trial, at, *group, *queues, groups - 1,
      expr.ops[5] ? "" : "; without `channel_group` it is the block's index");
}

void BlockCheck::checkOwnPeer(const Expr &expr, Trial &trial) {
  const IntrinsicInfo &row = info(expr.intrinsic);
  int dst = row.param("dst"), src = row.param("src"), s = row.param("s");
  if (dst < 0 || src < 0 || s < 0)
    return;
  DmaEngine engine = expr.ops[size_t(s)]->type.engine;
  const Expr *remote = expr.ops[size_t(dst)];
  if (remote->type.locality != Locality::Remote)
    remote = expr.ops[size_t(src)];
  std::optional<int64_t> peer = trial.rankOf(remote);
  bool isOwn = engine != DmaEngine::SDMA && peer && trial.agent.rank && *peer == *trial.agent.rank;
  if (isOwn && told_.insert(&expr).second)
    (void)say<Rule::PeerIsSelf>(trial, remote->range, name(engine), *peer);
}

void BlockCheck::checkIntrinsic(const Expr &expr, Trial &trial) {
  checkOwnPeer(expr, trial);
  const IntrinsicInfo &row = info(expr.intrinsic);
  int64_t ids = limit(Limit::EventIds);
  for (size_t i = 0; i != row.params.size(); ++i) {
    std::optional<int64_t> id = row.params[i].kind == ParamKind::EventId && expr.ops[i]
                                    ? trial.number(expr.ops[i])
                                    : std::nullopt;
    if (id && (*id < 0 || *id >= ids) && told_.insert(&expr).second)
      (void)say<Rule::EventIdOutOfRange>(trial, expr.ops[i]->range, row.name, *id, ids - 1);
  }
  if (expr.intrinsic == Intrinsic::SetValid) {
    const Variable *tile = expr.ops[0]->variable;
    checkValid(expr.ops.drop_front(), tile->facts.shape[0].constant().value_or(0),
               tile->facts.shape[1].constant().value_or(0), expr.range, trial);
  }
  const int32_t blocks = trial.agent.blocks.value_or(0);
  if (expr.intrinsic == Intrinsic::Syncall && blocks > cores_ && told_.insert(&expr).second)
    (void)say<Rule::MoreBlocksThanCores>(trial, expr.range,
                                         "`syncall` among " + std::to_string(blocks) + " blocks",
                                         coresOf_, cores_);
}

void BlockCheck::checkValid(llvm::ArrayRef<Expr *> sizes, int64_t rows, int64_t cols,
                            SourceRange at, Trial &trial) {
  std::optional<int64_t> validRows = trial.number(sizes[0]), validCols = trial.number(sizes[1]);
  bool isOutside = (validRows && (*validRows < 1 || *validRows > rows)) ||
                   (validCols && (*validCols < 1 || *validCols > cols));
  auto shown = [](std::optional<int64_t> size) { return size ? std::to_string(*size) : "?"; };
  if (isOutside && told_.insert(sizes[0]).second)
    (void)say<Rule::ValidOutOfRange>(trial, at, shown(validRows), shown(validCols), rows, cols);
}

void HostCheck::operation(const Expr &expr, Trial &) {
  // A host that looks at memory or meets the others may know that a kernel has ended.
  if (expr.kind == ExprKind::Intrinsic)
    running_.clear();
}

void HostCheck::statement(const Stmt &stmt, Trial &trial) {
  if (stmt.kind == StmtKind::Launch && stmt.function)
    launch(stmt, trial);
  else if (stmt.kind != StmtKind::Fill && stmt.kind != StmtKind::FillFile)
    running_.clear();
}

/// What a block of a launch does; nothing if there have been too many trials.
std::optional<WaveBlock> HostCheck::follow(const TrialAgent &agent, BlockCheck &check) {
  if (++trials_ > kMostTrials)
    return std::nullopt;
  WaveBlock steps{*agent.block};
  check.wave = agent.blocks.value_or(0) > cores_ ? &steps : nullptr;
  Trial block(program_, agent, check, kBudgetOfBlock);
  block.run(*check.launch.function, check.args, check.views);
  if (block.isLost())
    steps.passedOver();
  check.wave = nullptr;
  return steps;
}

void HostCheck::launch(const Stmt &stmt, Trial &trial) {
  bool isFirst = launched_.insert(&stmt).second && !hasPassedOver_;
  std::optional<int64_t> blocks =
      stmt.blocks ? trial.number(stmt.blocks) : wide(trial.agent.blocks);
  if (blocks && (*blocks < 1 || *blocks > 1 << 20))
    return;
  BlockCheck check(stmt, cores_, coresOf_, sources_, told_, sink_);
  for (const Expr *arg : stmt.ops) {
    check.args.push_back(trial.peek(arg));
    check.views.push_back(arg->type.isSignal ? trial.view(arg) : TrialView());
  }
  std::vector<WaveBlock> known;
  TrialAgent agent{trial.agent.rank, trial.agent.ranks, std::nullopt, std::nullopt};
  if (blocks)
    agent.blocks = int32_t(*blocks);
  for (int32_t block : sample(int32_t(blocks.value_or(1)), kMostBlocks)) {
    agent.block = block;
    std::optional<WaveBlock> steps = follow(agent, check);
    if (!steps)
      return;
    if (block == int32_t(known.size()))
      known.push_back(std::move(*steps));
  }
  compareStreams(stmt, trial, check);
  if (isFirst && agent.blocks.value_or(0) > cores_)
    checkWaves(agent, check, std::move(known));
}

/// Only of a launch before which the words are as they were, and after which no other of the same
/// kernel may run beside it.
void HostCheck::checkWaves(TrialAgent agent, BlockCheck &check, std::vector<WaveBlock> known) {
  const Stmt &stmt = check.launch;
  bool isAlone = !stmt.stream || stmt.stream->kind == ExprKind::Constant;
  if (!isAlone || known.size() < size_t(cores_))
    return;
  auto [writers, isNew] = writers_.try_emplace(&stmt, program_, *entry_, stmt, agent.ranks == 1);
  std::optional<StalledWave> wave =
      findStalledWave(std::move(known), *agent.blocks, cores_, writers->second, [&](int32_t block) {
        agent.block = block;
        return follow(agent, check);
      });
  if (wave && told_.insert(wave->wait.expr).second)
    reportStalledWave(*wave, {program_, stmt, agent, coresOf_}, sink_);
}

/// Kernels of two streams run side by side, so their sessions need channels of their own.
void HostCheck::compareStreams(const Stmt &stmt, Trial &trial, const BlockCheck &blocks) {
  std::optional<int64_t> stream = stmt.stream ? trial.number(stmt.stream) : 0;
  if (!stream) {
    running_.clear();
    return;
  }
  for (const RunningLaunch &other : running_) {
    std::bitset<64> shared = other.channels & blocks.channels;
    if (other.stream == *stream || shared.none() || !trial.agent.rank ||
        !told_.insert(&stmt).second)
      continue;
    size_t channel = 0;
    while (!shared.test(channel))
      ++channel;
    Finding &finding = sink_.report<Rule::ChannelGroupShared>(
        stmt.range, channel, *trial.agent.rank,
        "`" + other.stmt->function->name + "` on stream " + std::to_string(other.stream) +
            ", which may still run");
    sink_.note(finding, other.stmt->range, "it is launched here");
    sink_.note(finding, blocks.session->range, "this launch builds its session here");
    finding.details.push_back("without `channel_group` a session takes the group of its block's "
                              "index, so kernels on two streams choose the same");
  }
  running_.push_back({&stmt, *stream, blocks.channels});
}

void HostCheck::check(const Entry &entry) {
  std::optional<Target> target = options_.target;
  if (!entry.target.empty()) {
    llvm::Expected<Target> parsed = parseTarget(entry.target);
    if (!parsed) {
      llvm::consumeError(parsed.takeError());
      return;
    }
    target = *parsed;
  }
  const PlatformInfo *platform = target ? &info(target->platform) : &platforms().front();
  for (const PlatformInfo &each : platforms())
    if (!target && each.cores > platform->cores)
      platform = &each;
  cores_ = platform->cores;
  coresOf_ = target ? platform->name.str() : ("the largest target, " + platform->name + ",").str();
  auto choose = [](std::optional<int32_t> given, int32_t stated) -> std::optional<int32_t> {
    return given ? given : stated > 0 ? std::optional(stated) : std::nullopt;
  };
  entry_ = entry.function;
  writers_.clear();
  TrialAgent host;
  host.ranks = choose(options_.worldRanks, entry.ranks);
  host.block = 0;
  host.blocks = choose(options_.worldBlocks, entry.blocks);
  for (int32_t rank : sample(host.ranks.value_or(1), kMostRanks)) {
    TrialAgent agent = host;
    if (host.ranks)
      agent.rank = rank;
    running_.clear();
    launched_.clear();
    hasPassedOver_ = false;
    Trial(program_, agent, *this, kBudgetOfHost).run(*entry.function, {}, {});
  }
}

void checkLaunches(const Program &program, const CheckOptions &options, const Sources &sources,
                   Sink &sink) {
  HostCheck check(program, options, sources, sink);
  for (const Entry &entry : program.entries)
    if (entry.expectedViolations.empty())
      check.check(entry);
}

} // namespace pto::check_detail
