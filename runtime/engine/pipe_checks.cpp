// What must hold of the tiles of a pipe's operation, and how long its moves take.

#include "engine/pipe_ops.h"

#include "port/checks.h"

namespace pto {

std::optional<Trap> checkTile(const View &tile, const View &data, llvm::StringRef instruction) {
  if (tile.space != Space::Ub)
    return makeTrap<Rule::LayoutMismatch>("`" + instruction.str() +
                                          "` needs a tile, and this is GM");
  if (auto trap = checkSameType(tile, data, instruction))
    return trap;
  if (elements(validPart(tile)) == 0 && elements(data) != 0)
    return makeTrap<Rule::LayoutMismatch>("the tile of `" + instruction.str() +
                                          "` has no valid elements");
  return std::nullopt;
}

std::optional<Trap> narrowTo(View &into, const View &from, llvm::StringRef instruction) {
  std::optional<View> part = conform(into, from);
  if (!part)
    return makeTrap<Rule::LayoutMismatch>("`" + instruction.str() + "` moves a shape of " +
                                          shapeText(from) + " into " + shapeText(into));
  into = *part;
  return std::nullopt;
}

int64_t movePs(int32_t rank, const View &far, int64_t bytes) {
  int64_t rate = cost(far.rank == rank ? Cost::PipeBytesPerUs : Cost::LinkBytesPerUs);
  return cost(Cost::PipeStart) + transferPs(bytes, rate);
}

} // namespace pto
