// What hosts ask: waiting for launches and for each other, files, expectations, texts.

#include "world/parts.h"

#include "memory/npy.h"

#include "llvm/Support/Path.h"

namespace pto {

/// Parks a host until its launches are done; true if it has to wait.
static bool waitsForLaunches(World &world, Agent &host) {
  if (host.isHost && world.ranks[size_t(host.core.rank)].unfinished == 0) {
    world.ranks[size_t(host.core.rank)].sinceSync.clear();
    if (world.audit)
      world.audit->hostSyncs(host.core.rank);
    return false;
  }
  host.park = Park::Launches;
  return true;
}

Completion syncLaunches(World &world, Agent &host, const Request &, int64_t atPs) {
  return waitsForLaunches(world, host) ? Completion::blocked() : Completion::done(atPs);
}

/// Lets the hosts at a meeting go on.
static void meet(World &world, Park where, llvm::StringRef what) {
  if (world.trace.isOn())
    world.trace.add({.kind = EventKind::Barrier,
                     .lane = Lane::Host,
                     .timePs = world.nowPs,
                     .text = what.str()});
  if (world.audit)
    world.audit->hostsMeet();
  for (int32_t rank = 0; rank != world.options.ranks; ++rank) {
    Agent &host = *world.agents[size_t(rank)];
    if (host.park != where)
      continue;
    host.park = Park::None;
    host.hasRequest = false;
    host.waitBeginPs = -1;
    complete(host.core, world.nowPs + 1 + host.jitter.below(cost(Cost::HostStep)), 0);
    world.agenda.add(host.core.timePs, ActionKind::Resume, host.id);
  }
}

void releaseHosts(World &world) {
  if (world.atStep != 0 && world.atStep + world.finishedHosts == world.options.ranks) {
    world.atStep = 0;
    meet(world, Park::Step, "the end of a statement");
  }
  if (world.atBarrier == world.options.ranks) {
    world.atBarrier = 0;
    meet(world, Park::Barrier, "barrier of all hosts");
  }
  bool isMissed = world.atBarrier != 0 && world.finishedHosts != 0 &&
                  world.atBarrier + world.finishedHosts == world.options.ranks;
  if (isMissed && reportHostMismatch(world))
    world.stopped = true;
}

Completion hostBarrier(World &world, Agent &host, const Request &, int64_t) {
  if (waitsForLaunches(world, host))
    return Completion::blocked();
  host.park = Park::Barrier;
  ++world.atBarrier;
  releaseHosts(world);
  return Completion::blocked();
}

Completion hostStep(World &world, Agent &host, const Request &, int64_t) {
  host.park = Park::Step;
  ++world.atStep;
  releaseHosts(world);
  return Completion::blocked();
}

void finishHost(World &world, Agent &host) {
  if (waitsForLaunches(world, host))
    return;
  host.park = Park::Finished;
  ++world.finishedHosts;
  releaseHosts(world);
}

/// Who polls HIXL yields to it for as long as one of its own polls takes.
Completion yieldHost(World &world, Agent &host, const Request &, int64_t atPs) {
  constexpr int64_t kHixlPollPs = 10'000'000;
  int64_t step = world.hixl ? kHixlPollPs : cost(Cost::HostStep);
  return Completion::done(atPs + (world.hixl ? step : host.jitter.spread(step)));
}

static constexpr int64_t kPsPerMs = 1'000'000'000;

Completion sleepHost(World &, Agent &, const Request &request, int64_t atPs) {
  int64_t ms = std::clamp<int64_t>(int32_t(request.values[0]), 0, 86'400'000);
  return Completion::done(atPs + ms * kPsPerMs);
}

Completion tellTime(World &, Agent &, const Request &request, int64_t atPs) {
  constexpr int64_t kPsPerNs = 1000;
  return Completion::done(
      atPs, ScalarBits(atPs / (request.opcode == Opcode::TimeNs ? kPsPerNs : kPsPerMs)));
}

/// The path of a .npy file for a rank.
static std::string pathFor(const World &world, llvm::StringRef name, int32_t rank) {
  constexpr llvm::StringLiteral kSlot = "{rank}";
  std::string file = name.str();
  for (size_t at = file.find(kSlot); at != std::string::npos; at = file.find(kSlot, at))
    file.replace(at, kSlot.size(), std::to_string(rank));
  if (llvm::sys::path::is_absolute(file) || world.options.directory.empty())
    return file;
  llvm::SmallString<128> path(world.options.directory);
  llvm::sys::path::append(path, file);
  return path.str().str();
}

static llvm::MutableArrayRef<uint8_t> bytesOf(const World &world, uint32_t object, int32_t rank) {
  const ObjectLayout &placed = world.layout.objects[object];
  return {world.gm.of(rank) + placed.view.offset, size_t(placed.bytes)};
}

static llvm::Error fill(World &world, uint32_t object, llvm::StringRef file, int32_t rank) {
  const View &view = world.layout.objects[object].view;
  if (world.audit)
    world.audit->fileFills(rank, object);
  world.engines.wrote(rank, byteRange(view), Writer(), world.nowPs);
  return readNpy(pathFor(world, file, rank), view.type, view.sizes(), bytesOf(world, object, rank));
}

static llvm::Error save(World &world, uint32_t object, llvm::StringRef file, int32_t rank) {
  const View &view = world.layout.objects[object].view;
  return writeNpy(pathFor(world, file, rank), view.type, view.sizes(),
                  bytesOf(world, object, rank));
}

/// A program is hostile input too: the files that it names lie in its own folder or below. Whoever
/// runs it may name any file, by --in and --out.
static llvm::Error checkStaysInside(llvm::StringRef file) {
  bool leaves = llvm::sys::path::is_absolute(file);
  for (llvm::StringRef part :
       llvm::make_range(llvm::sys::path::begin(file), llvm::sys::path::end(file)))
    leaves |= part == "..";
  if (!leaves)
    return llvm::Error::success();
  return llvm::createStringError(
      std::make_error_code(std::errc::permission_denied),
      "'" + file + "' lies outside the program's folder; give such a file by --in or --out");
}

/// A file that cannot be used ends the run as a failure of the environment.
static Completion settle(World &world, llvm::Error result, int64_t atPs) {
  if (result) {
    world.failure = llvm::joinErrors(std::move(world.failure), std::move(result));
    world.stopped = true;
  }
  return Completion::done(atPs);
}

Completion fileFill(World &world, Agent &host, const Request &request, int64_t atPs) {
  uint32_t object = uint32_t(request.values[0]);
  llvm::StringRef file = world.module.strings[request.values[1]];
  llvm::Error refused = checkStaysInside(file);
  return settle(world, refused ? std::move(refused) : fill(world, object, file, host.core.rank),
                atPs);
}

Completion fileSave(World &world, Agent &host, const Request &request, int64_t atPs) {
  if (waitsForLaunches(world, host))
    return Completion::blocked();
  uint32_t object = uint32_t(request.values[0]);
  llvm::StringRef file = world.module.strings[request.values[1]];
  llvm::Error refused = checkStaysInside(file);
  return settle(world, refused ? std::move(refused) : save(world, object, file, host.core.rank),
                atPs);
}

using FileAction = llvm::Error (*)(World &, uint32_t, llvm::StringRef, int32_t);

static llvm::Error bind(World &world, const std::vector<FileBinding> &bindings, FileAction action) {
  for (const FileBinding &binding : bindings) {
    uint32_t object = 0;
    while (object != world.module.objects.size() &&
           world.module.objects[object].name != binding.object)
      ++object;
    if (object == world.module.objects.size())
      return llvm::createStringError(std::make_error_code(std::errc::invalid_argument),
                                     "no window or local is called `" + binding.object + "`");
    for (int32_t rank = 0; rank != world.options.ranks; ++rank)
      if (llvm::Error failed = action(world, object, binding.file, rank))
        return failed;
  }
  return llvm::Error::success();
}

llvm::Error applyInputs(World &world) { return bind(world, world.options.inputs, fill); }
llvm::Error writeOutputs(World &world) { return bind(world, world.options.outputs, save); }

Completion beginExpectation(World &world, Agent &host, const Request &request, int64_t atPs) {
  if (waitsForLaunches(world, host))
    return Completion::blocked();
  world.expectations.begin(host.core.rank, request.place, world.module.strings[request.values[0]],
                           request.values[1]);
  return Completion::done(atPs);
}

Completion judgeElement(World &world, Agent &host, const Request &request, int64_t atPs) {
  world.expectations.judge(host.core.rank, request);
  return Completion::done(atPs);
}

Completion endExpectation(World &world, Agent &host, const Request &request, int64_t atPs) {
  uint64_t missed = world.expectations.end(host.core.rank);
  if (world.trace.isOn())
    world.trace.add({.kind = EventKind::Expect,
                     .lane = Lane::Host,
                     .opcode = request.opcode,
                     .rank = host.core.rank,
                     .timePs = atPs,
                     .value = int32_t(std::min<uint64_t>(missed, INT32_MAX)),
                     .text = "expectation",
                     .place = request.place});
  return Completion::done(atPs);
}

Completion printText(World &world, Agent &agent, const Request &request, int64_t atPs) {
  world.out << "[rank " << agent.core.rank;
  if (!agent.isHost)
    world.out << " block " << agent.core.block;
  world.out << "] " << request.text << '\n';
  if (world.trace.isOn())
    world.trace.add({.kind = EventKind::Print,
                     .lane = agent.isHost ? Lane::Host : Lane::Scalar,
                     .opcode = request.opcode,
                     .rank = agent.core.rank,
                     .index = agent.core.block,
                     .timePs = atPs,
                     .text = request.text,
                     .place = request.place});
  return Completion::done(atPs + agent.jitter.spread(cost(Cost::HostStep)));
}

} // namespace pto
