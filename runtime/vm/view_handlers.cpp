// Views: the instruction's operands handed to the operations of memory/view.h.

#include "vm/handlers.h"

#include "base/check.h"

namespace pto {

llvm::StringRef objectName(const View &view, const Machine &machine) {
  if (view.space == Space::Gm && view.object < machine.module.objects.size())
    return machine.module.objects[view.object].name;
  return view.space == Space::Ub ? "tile" : "view";
}

static MaybeTrap outOfWindow(Fault fault) {
  if (!fault)
    return std::nullopt;
  return makeTrap<Rule::OutOfWindow>(*fault);
}

/// A scalar operand as a signed number. An unsigned one beyond 63 bits turns negative, which every
/// range check refuses.
static int64_t number(const Registers &regs, uint32_t operand) {
  return int64_t(regs.scalars[operand]);
}

MaybeTrap makePeer(Core &core, const Machine &machine, const Instruction &instruction) {
  Registers regs = registersOf(core);
  const uint32_t *ops = instruction.operands;
  View view = regs.views[ops[1]];
  if (view.space == Space::Gm && machine.module.objects[view.object].isLocal)
    return makeTrap<Rule::OutOfWindow>(
        ("`" + objectName(view, machine) + "` is local: no other rank can address it").str());
  Fault fault = toPeer(view, number(regs, ops[2]), machine.ranks);
  regs.views[ops[0]] = view;
  return outOfWindow(std::move(fault));
}

MaybeTrap makeIndex(Core &core, const Machine &machine, const Instruction &instruction) {
  Registers regs = registersOf(core);
  const uint32_t *ops = instruction.operands;
  View view = regs.views[ops[1]];
  Fault fault = index(view, ops[2], number(regs, ops[3]), objectName(view, machine));
  regs.views[ops[0]] = view;
  return outOfWindow(std::move(fault));
}

MaybeTrap makeSlice(Core &core, const Machine &machine, const Instruction &instruction) {
  Registers regs = registersOf(core);
  const uint32_t *ops = instruction.operands;
  View view = regs.views[ops[1]];
  int64_t step = ops[5] == kNoOperand ? 1 : number(regs, ops[5]);
  Fault fault = slice(view, ops[2], number(regs, ops[3]), number(regs, ops[4]), step,
                      objectName(view, machine));
  regs.views[ops[0]] = view;
  return outOfWindow(std::move(fault));
}

MaybeTrap makeReshape(Core &core, const Machine &machine, const Instruction &instruction) {
  Registers regs = registersOf(core);
  const uint32_t *ops = instruction.operands;
  View view = regs.views[ops[1]];
  llvm::SmallVector<int64_t, kMaxDims> sizes;
  for (uint32_t d = 0; d < ops[2] && d < kMaxDims; ++d)
    sizes.push_back(ops[3 + d] == kNoOperand ? 1 : number(regs, ops[3 + d]));
  Fault fault = reshape(view, sizes, objectName(view, machine));
  regs.views[ops[0]] = view;
  if (fault)
    return makeTrap<Rule::LayoutMismatch>(*fault);
  return std::nullopt;
}

MaybeTrap makeStrided(Core &core, const Machine &machine, const Instruction &instruction) {
  Registers regs = registersOf(core);
  const uint32_t *ops = instruction.operands;
  View view = regs.views[ops[1]];
  Fault fault = beginStrided(view, number(regs, ops[2]), ops[3], objectName(view, machine));
  regs.views[ops[0]] = view;
  return outOfWindow(std::move(fault));
}

MaybeTrap makeStridedDim(Core &core, const Machine &machine, const Instruction &instruction) {
  Registers regs = registersOf(core);
  const uint32_t *ops = instruction.operands;
  View &view = regs.views[ops[0]];
  return outOfWindow(setStridedDim(view, ops[1], number(regs, ops[2]), number(regs, ops[3]),
                                   objectName(view, machine)));
}

MaybeTrap checkStrided(Core &core, const Machine &machine, const Instruction &instruction) {
  Registers regs = registersOf(core);
  const View &view = regs.views[instruction.operands[0]];
  return outOfWindow(
      endStrided(view, regs.views[instruction.operands[1]], objectName(view, machine)));
}

MaybeTrap takeExtent(Core &core, const Instruction &instruction) {
  Registers regs = registersOf(core);
  const View &view = regs.views[instruction.operands[1]];
  if (instruction.operands[2] >= view.dims)
    return makeTrap<Rule::OutOfWindow>(
        ("the view has no dimension " + llvm::Twine(instruction.operands[2])).str());
  regs.scalars[instruction.operands[0]] = ScalarBits(view.shape[instruction.operands[2]]);
  return std::nullopt;
}

MaybeTrap makeTileView(Core &core, const Machine &machine, const Instruction &instruction) {
  const Frame &frame = core.frames.back();
  const uint32_t *ops = instruction.operands;
  int64_t base = ops[4] ? 0 : frame.ubBase;
  View tile = makeTile(instruction.type, ops[1], ops[2], base + ops[3]);
  tile.rank = core.rank;
  int64_t end = 0;
  bool fits = !__builtin_add_overflow(tile.offset, tileBytes(tile), &end) &&
              end <= machine.platform.ubBytes;
  if (!fits || tile.offset % limit(Limit::UbAlignBytes) != 0)
    return makeTrap<Rule::UbOverflow>(machine.module.functions[frame.function].name, end,
                                      machine.platform.name, machine.platform.ubBytes);
  registersOf(core).views[ops[0]] = tile;
  return std::nullopt;
}

MaybeTrap narrowTile(Core &core, const Instruction &instruction) {
  Registers regs = registersOf(core);
  const uint32_t *ops = instruction.operands;
  View &tile = regs.views[ops[0]];
  int64_t rows = number(regs, ops[1]), cols = number(regs, ops[2]);
  Fault fault = setValid(tile, rows, cols);
  if (fault && (tile.space != Space::Ub || tile.dims != 2))
    return makeTrap<Rule::LayoutMismatch>(*fault);
  if (fault || rows == 0 || cols == 0)
    return makeTrap<Rule::ValidOutOfRange>(rows, cols, tile.shape[0], tile.shape[1]);
  return std::nullopt;
}

} // namespace pto
