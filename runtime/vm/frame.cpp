// Frames: entering the outermost function, calls and returns.
//
// A callee gets fresh registers above the caller's; parameters are copied in and the result is
// copied back, so a callee can never disturb what its caller keeps.

#include "vm/handlers.h"
#include "vm/vm.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace pto {

/// Makes room for a function's registers, all zero.
static void openFrame(Core &core, const Function &function, Frame frame) {
  core.scalars.resize(frame.scalarBase);
  core.views.resize(frame.viewBase);
  core.scalars.resize(frame.scalarBase + function.registers.size());
  core.views.resize(frame.viewBase + function.viewCount);
  core.frames.push_back(frame);
}

void enter(Core &core, const Machine &machine, uint32_t index, llvm::ArrayRef<ScalarBits> args,
           llvm::ArrayRef<View> viewArgs) {
  const Function &function = machine.module.functions[index];
  Frame frame;
  frame.function = index;
  openFrame(core, function, frame);
  size_t firstScalar = function.hasResult && !function.resultIsView;
  size_t firstView = function.hasResult && function.resultIsView;
  std::copy(args.begin(), args.end(), core.scalars.begin() + firstScalar);
  std::copy(viewArgs.begin(), viewArgs.end(), core.views.begin() + firstView);
}

MaybeTrap callFunction(Core &core, const Machine &machine, const Instruction &instruction) {
  if (core.frames.size() == kMaxCallDepth)
    return makeTrap<Rule::CallDepth>(kMaxCallDepth);
  const Function &callee = machine.module.functions[instruction.operands[0]];
  const Frame caller = core.frames.back();
  const Function &function = machine.module.functions[caller.function];
  Frame frame;
  frame.function = instruction.operands[0];
  frame.scalarBase = caller.scalarBase + uint32_t(function.registers.size());
  frame.viewBase = caller.viewBase + function.viewCount;
  frame.result = callee.resultIsView ? instruction.operands[2] : instruction.operands[1];
  frame.ubBase = caller.ubBase +
                 int64_t(llvm::alignTo(function.ubBytes, uint64_t(limit(Limit::UbAlignBytes))));
  openFrame(core, callee, frame);
  uint32_t scalars = callee.scalarParams + (callee.hasResult && !callee.resultIsView);
  uint32_t views = callee.viewParams + (callee.hasResult && callee.resultIsView);
  std::copy_n(core.scalars.begin() + caller.scalarBase + instruction.operands[1], scalars,
              core.scalars.begin() + frame.scalarBase);
  std::copy_n(core.views.begin() + caller.viewBase + instruction.operands[2], views,
              core.views.begin() + frame.viewBase);
  return std::nullopt;
}

void returnFromFunction(Core &core, const Machine &machine) {
  const Frame callee = core.frames.back();
  const Function &function = machine.module.functions[callee.function];
  core.frames.pop_back();
  if (core.frames.empty() || !function.hasResult)
    return;
  const Frame &caller = core.frames.back();
  if (function.resultIsView)
    core.views[caller.viewBase + callee.result] = core.views[callee.viewBase];
  else
    core.scalars[caller.scalarBase + callee.result] = core.scalars[callee.scalarBase];
}

static CodePlace placeOf(const Frame &frame, const Module &module) {
  const Function &function = module.functions[frame.function];
  return frame.pc < function.places.size() ? function.places[frame.pc] : function.place;
}

CodePlace currentPlace(const Core &core, const Module &module) {
  return core.frames.empty() ? CodePlace() : placeOf(core.frames.back(), module);
}

CodePlace callPlace(const Core &core, const Module &module) {
  if (core.frames.size() < 2)
    return {};
  // What the library does has the place of its call already.
  CodePlace call = placeOf(core.frames.front(), module), here = currentPlace(core, module);
  return call == here ? CodePlace() : call;
}

} // namespace pto
