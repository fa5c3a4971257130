// Which function carries out which request.

#include "world/parts.h"

#include "base/check.h"
#include "bytecode/operand.h"

#include "llvm/ADT/STLExtras.h"

namespace pto {

namespace {
using Handler = Completion (*)(World &, Agent &, const Request &, int64_t);
struct HandlerRow {
  Opcode opcode;
  Handler handler;
};

constexpr HandlerRow kHandlers[] = {
    {Opcode::Load, loadScalarAt},
    {Opcode::Store, storeScalarAt},
    {Opcode::Dcci, flushCache},
    {Opcode::Dsb, orderMemory},
    {Opcode::Tnotify, notify},
    {Opcode::SignalStore, storeSignal},
    {Opcode::Twait, waitForSignal},
    {Opcode::Ttest, testSignal},
    {Opcode::Syncall, syncBlocks},
    {Opcode::RankBarrier, syncRanks},
    {Opcode::AmoFetch, fetchAtomically},
    {Opcode::HostLoad, hostLoad},
    {Opcode::HostStore, hostStore},
    {Opcode::Launch, launchKernel},
    {Opcode::Sync, syncLaunches},
    {Opcode::HostBarrier, hostBarrier},
    {Opcode::Step, hostStep},
    {Opcode::Yield, yieldHost},
    {Opcode::FileFill, fileFill},
    {Opcode::FileSave, fileSave},
    {Opcode::ExpectBegin, beginExpectation},
    {Opcode::ExpectElement, judgeElement},
    {Opcode::ExpectEnd, endExpectation},
    {Opcode::Print, printText},
    {Opcode::Sleep, sleepHost},
    {Opcode::Time, tellTime},
    {Opcode::TimeNs, tellTime},
    {Opcode::HixlText, stageText},
    {Opcode::HixlPair, stagePair},
    {Opcode::HixlCall, callHixl},
};

/// By opcode; the classes Async and Pipe belong to the engines.
struct HandlerTable {
  Handler of[kOpcodeCount] = {};
  bool isServed[kOpcodeCount] = {}; // Sanitizers keep functions from being compared when compiling.
  constexpr HandlerTable() {
    constexpr OpcodeClass kClasses[] = {
#define PTO_OPCODE(Enum, Mnemonic, Class, Typed, Operands, Meaning) OpcodeClass::Class,
#include "bytecode/opcode.def"
    };
    for (unsigned i = 0; i != kOpcodeCount; ++i)
      if (kClasses[i] == OpcodeClass::Async || kClasses[i] == OpcodeClass::Pipe)
        of[i] = engineRequest;
    for (const HandlerRow &row : kHandlers) {
      of[unsigned(row.opcode)] = row.handler;
      isServed[unsigned(row.opcode)] = true;
    }
  }
  /// A row that becomes a request and has no handler must not compile.
  [[nodiscard]] constexpr bool isComplete() const {
    constexpr OpcodeClass kClasses[] = {
#define PTO_OPCODE(Enum, Mnemonic, Class, Typed, Operands, Meaning) OpcodeClass::Class,
#include "bytecode/opcode.def"
    };
    using enum OpcodeClass;
    for (unsigned i = 0; i != kOpcodeCount; ++i)
      if ((kClasses[i] == Memory || kClasses[i] == Signal || kClasses[i] == Host) && !isServed[i])
        return false;
    return true;
  }
};
constexpr HandlerTable kTable;
static_assert(kTable.isComplete(), "an instruction has no handler");
} // namespace

Completion engineRequest(World &world, Agent &agent, const Request &request, int64_t atPs) {
  if (agent.isHost)
    return Completion::trapped(makeTrap<Rule::OutOfWindow>("a host has no engines"));
  Completion completion = world.engines.execute(agent.id, request, atPs);
  followRequest(world, agent, request, completion);
  if (updatesSignal(request.opcode) && completion.progress == Progress::Done)
    countWrite(agent, request, request.views[request.viewCount - 1], int32_t(request.values[0]));
  return completion;
}

/// Whether a view leaves its object or the core's UB.
static std::optional<Trap> checkView(const World &world, const View &view) {
  if (view.space == Space::None)
    return std::nullopt;
  if (view.space == Space::Ub) {
    ByteRange range = byteRange(view);
    if (range.begin >= 0 && range.end <= world.machine.platform.ubBytes)
      return std::nullopt;
    return makeTrap<Rule::OutOfWindow>("the view leaves the UB");
  }
  Fault fault = world.gm.check(view, world.layout, world.module.objects[view.object].name);
  if (!fault)
    return std::nullopt;
  return makeTrap<Rule::OutOfWindow>(*fault);
}

Completion carryOut(World &world, Agent &agent, int64_t atPs) {
  const Request &request = agent.core.request;
  for (unsigned i = 0; i != request.viewCount; ++i)
    if (auto trap = checkView(world, request.views[i]))
      return Completion::trapped(std::move(*trap));
  if (world.audit)
    world.audit->setTime(atPs);
  if (world.options.keepsReached && !llvm::is_contained(world.reached, request.place))
    world.reached.push_back(request.place);
  Handler handler = kTable.of[unsigned(request.opcode)];
  PTO_CHECK(handler, "a request without a handler");
  return handler(world, agent, request, atPs);
}

bool isPrivate(const World &world, const Agent &agent) {
  const Request &request = agent.core.request;
  if (!agent.isHost)
    return request.opcode == Opcode::Load && agent.cache.holds(request.views[0]);
  // While no kernel runs hosts touch only their own rank's memory.
  bool isQuiet = world.runningKernels == 0;
  return request.opcode == Opcode::ExpectElement || request.opcode == Opcode::HixlText ||
         request.opcode == Opcode::HixlPair ||
         (isQuiet && (request.opcode == Opcode::HostStore || request.opcode == Opcode::HostLoad));
}

} // namespace pto
