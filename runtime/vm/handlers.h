//===- handlers.h - what dispatch.cpp calls for each instruction -*- C++ -*-===//
//
// A handler gives the trap of its instruction, or nothing.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_VM_HANDLERS_H
#define PTO_VM_HANDLERS_H

#include "vm/core.h"

namespace pto {

using MaybeTrap = std::optional<Trap>;

/// The registers that the running function sees.
struct Registers {
  ScalarBits *scalars;
  View *views;
};
[[nodiscard]] inline Registers registersOf(Core &core) {
  const Frame &frame = core.frames.back();
  return {core.scalars.data() + frame.scalarBase, core.views.data() + frame.viewBase};
}

/// What messages call the object of a view.
[[nodiscard]] llvm::StringRef objectName(const View &view, const Machine &machine);

// Calls (frame.cpp).
[[nodiscard]] MaybeTrap callFunction(Core &core, const Machine &machine,
                                     const Instruction &instruction);
void returnFromFunction(Core &core, const Machine &machine);

// Text (text.cpp).
void queueFormatArg(Core &core, ScalarType type, ScalarBits bits);
[[nodiscard]] std::string takeFormatted(Core &core, llvm::StringRef form);

// Views (view_handlers.cpp). `index` is the number of a scalar register or kNoOperand.
[[nodiscard]] MaybeTrap makePeer(Core &core, const Machine &machine,
                                 const Instruction &instruction);
[[nodiscard]] MaybeTrap makeIndex(Core &core, const Machine &machine,
                                  const Instruction &instruction);
[[nodiscard]] MaybeTrap makeSlice(Core &core, const Machine &machine,
                                  const Instruction &instruction);
[[nodiscard]] MaybeTrap makeReshape(Core &core, const Machine &machine,
                                    const Instruction &instruction);
[[nodiscard]] MaybeTrap makeStrided(Core &core, const Machine &machine,
                                    const Instruction &instruction);
[[nodiscard]] MaybeTrap makeStridedDim(Core &core, const Machine &machine,
                                       const Instruction &instruction);
[[nodiscard]] MaybeTrap checkStrided(Core &core, const Machine &machine,
                                     const Instruction &instruction);
[[nodiscard]] MaybeTrap takeExtent(Core &core, const Instruction &instruction);
[[nodiscard]] MaybeTrap makeTileView(Core &core, const Machine &machine,
                                     const Instruction &instruction);
[[nodiscard]] MaybeTrap narrowTile(Core &core, const Instruction &instruction);

// Requests (pack.cpp): fills core.request from the operands that the row lists.
[[nodiscard]] MaybeTrap packRequest(Core &core, const Machine &machine,
                                    const Instruction &instruction);

} // namespace pto

#endif
