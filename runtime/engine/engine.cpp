// The entry of the room: which function serves a request or an action, and the life of a core.

#include "engine/parts.h"
#include "engine/prefetch.h"

#include "base/check.h"

namespace pto {

namespace {
using Handler = Completion (*)(EngineState &, uint32_t, const Request &, int64_t);
struct HandlerRow {
  Opcode opcode;
  Handler handler;
};
} // namespace

static constexpr HandlerRow kHandlers[] = {
    {Opcode::Session, buildSession},
    {Opcode::SessionOk, testSession},
    {Opcode::SessionRequire, requireSession},
    {Opcode::TputAsync, postTransfer},
    {Opcode::TgetAsync, postTransfer},
    {Opcode::TputAsyncNotify, postTransfer},
    {Opcode::GoesBy, goesBy},
    {Opcode::EnginePut, postTransfer},
    {Opcode::EngineGet, postTransfer},
    {Opcode::EnginePutNotify, postTransfer},
    {Opcode::EngineNotify, postUpdate},
    {Opcode::EngineAmo, postUpdate},
    {Opcode::EnginePrefetch, postPrefetch},
    {Opcode::EngineQuiet, quietQueues},
    {Opcode::Wait, waitEvent},
    {Opcode::Test, testEvent},
    {Opcode::WaitRequire, requireEvent},
    {Opcode::Tput, queuePipeOp},
    {Opcode::Tget, queuePipeOp},
    {Opcode::MtePut, queuePipeOp},
    {Opcode::MteGet, queuePipeOp},
    {Opcode::Tload, queuePipeOp},
    {Opcode::Tstore, queuePipeOp},
    {Opcode::Group, beginGroup},
    {Opcode::GroupAdd, addMember},
    {Opcode::GroupRoot, setRoot},
    {Opcode::Tgather, queuePipeOp},
    {Opcode::Tscatter, queuePipeOp},
    {Opcode::Tbroadcast, queuePipeOp},
    {Opcode::Treduce, queuePipeOp},
    {Opcode::PipeBarrier, pipeBarrier},
    {Opcode::SetFlag, setFlag},
    {Opcode::WaitFlag, waitFlag},
    {Opcode::WaitToken, waitToken},
    {Opcode::Tsync, waitToken},
    {Opcode::SetAtomic, setAtomic},
    {Opcode::Amo, queuePipeOp},
#define PTO_TILE_OP(Enum, Name, Form, Fn, Use, Meaning, Source) {Opcode::Enum, queuePipeOp},
#include "base/tile_op.def"
};

/// A row of the classes Async and Pipe without a handler must not compile.
static consteval unsigned engineOpcodes() {
  unsigned count = 0;
  using enum OpcodeClass;
  constexpr OpcodeClass kClasses[] = {
#define PTO_OPCODE(Enum, Mnemonic, Class, Typed, Operands, Meaning) Class,
#include "bytecode/opcode.def"
  };
  for (OpcodeClass each : kClasses)
    count += each == Async || each == Pipe;
  return count;
}
static_assert(std::size(kHandlers) == engineOpcodes(), "an engine instruction has no handler");

Engines::Engines(const EngineContext &context) : state_(std::make_unique<EngineState>(context)) {}
Engines::~Engines() = default;

void Engines::coreBegins(uint32_t core, int32_t rank, int32_t block) {
  if (state_->cores.size() <= core)
    state_->cores.resize(core + 1u);
  auto begun = std::make_unique<CoreState>();
  begun->rank = rank;
  begun->block = block;
  begun->jitter = Jitter(state_->context.seed, uint64_t(core) << 2 | 1u);
  state_->cores[core] = std::move(begun);
}

Completion Engines::execute(uint32_t core, const Request &request, int64_t nowPs) {
  for (const HandlerRow &row : kHandlers)
    if (row.opcode == request.opcode)
      return row.handler(*state_, core, request, nowPs);
  PTO_UNREACHABLE("a request that is no engine's");
}

Effect Engines::perform(const Action &action) {
  switch (action.kind) {
  case ActionKind::EndHold:
    return endHold(*state_, action);
  case ActionKind::EndPipeHold:
    return endPipeHold(*state_, action);
  case ActionKind::MoveBytes:
    return moveFragment(*state_, action);
  case ActionKind::RaiseSignal:
    return raiseSignal(*state_, action);
  case ActionKind::CompletePost:
    return completePost(*state_, action);
  case ActionKind::StepPipe:
    return stepPipe(*state_, action);
  case ActionKind::Resume:
  case ActionKind::Notify:
  case ActionKind::StartLaunch:
  case ActionKind::Hixl:
    break;
  }
  PTO_UNREACHABLE("an action that is no engine's");
}

bool Engines::isVain(const Action &action) const {
  return (action.kind == ActionKind::EndHold && !isPostHeld(*state_, action)) ||
         (action.kind == ActionKind::EndPipeHold && !isPipeHeld(*state_, action));
}

bool Engines::drain(uint32_t core, int64_t nowPs) {
  if (pipesAreIdle(*state_->cores[core]))
    return true;
  awaitPipes(*state_, core, nowPs);
  return false;
}

void Engines::wrote(int32_t rank, ByteRange range, const Writer &writer, int64_t nowPs) {
  dropFromL2(*state_, rank, range, writer, nowPs);
}

uint64_t Engines::nextOperation() { return ++state_->operations; }

/// What a finding calls a domain's posts that were left.
static std::string leakText(const CoreState &core, const Post &first, uint64_t more) {
  std::string text =
      ("the `" + info(first.opcode).mnemonic + "` of " + llvm::Twine(first.bytes) + " bytes " +
       (isGet(first.opcode) ? "from" : "to") + " rank " + llvm::Twine(first.peer) + " (" +
       name(core.sessions[first.session].engine) + ")")
          .str();
  return more == 0 ? text
                   : text + " with " + std::to_string(more) + " later one" + (more == 1 ? "" : "s");
}

std::vector<Leak> Engines::coreEnds(uint32_t id) {
  CoreState &core = *state_->cores[id];
  std::map<uint32_t, std::pair<const Post *, uint64_t>> left; // By domain: the oldest, how many.
  for (const Post &post : core.posts.kept())
    if (post.state != PostState::Failed && !post.isSync && post.opcode != Opcode::EnginePrefetch &&
        post.sequence > core.domains[post.domain].covered) {
      auto &entry = left[post.domain];
      if (!entry.first)
        entry.first = &post;
      ++entry.second;
    }
  std::vector<Leak> leaks;
  for (const auto &[domain, entry] : left)
    leaks.push_back({entry.first->place, leakText(core, *entry.first, entry.second - 1)});
  for (const Session &session : core.sessions)
    for (int32_t q = 0; session.engine == DmaEngine::SDMA && q != session.queues; ++q) {
      auto owner = state_->channelOwners.find(uint64_t(core.rank) * 64u +
                                              uint64_t(session.group * session.queues + q));
      if (owner != state_->channelOwners.end() && owner->second.core == id)
        state_->channelOwners.erase(owner);
    }
  core.ended = true;
  state_->dropCoreIfIdle(id);
  return leaks;
}

void EngineState::dropCoreIfIdle(uint32_t core) {
  if (cores[core]->ended && cores[core]->inFlight == 0)
    cores[core].reset();
}

uint32_t EngineState::addTransfer() {
  if (freeTransfers.empty()) {
    transfers.emplace_back();
    return uint32_t(transfers.size() - 1);
  }
  uint32_t index = freeTransfers.back();
  freeTransfers.pop_back();
  transfers[index] = Transfer();
  return index;
}

uint32_t EngineState::peerQueue(DmaEngine engine, int32_t rank, int32_t peer) {
  uint64_t key = uint64_t(engine) << 60 | uint64_t(uint32_t(rank)) << 30 | uint32_t(peer);
  auto [entry, isNew] = queueOf.try_emplace(key, uint32_t(queues.size()));
  if (isNew)
    queues.emplace_back();
  return entry->second;
}

} // namespace pto
