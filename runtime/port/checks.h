//===- checks.h - what must hold of an instruction's views ------*- C++ -*-===//
//
// The checker decides these before running where it can, and plants them where it cannot; the
// engines ask them again, since bytecode may have been written by hand. Absent: it holds.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_PORT_CHECKS_H
#define PTO_PORT_CHECKS_H

#include "memory/view.h"
#include "port/trap.h"

namespace pto {

[[nodiscard]] std::optional<Trap> checkFlat(const View &view, llvm::StringRef role,
                                            llvm::StringRef instruction);
[[nodiscard]] std::optional<Trap> checkFits(const View &dst, const View &src,
                                            llvm::StringRef instruction);
[[nodiscard]] std::optional<Trap> checkNotEmpty(const View &payload, llvm::StringRef instruction);
[[nodiscard]] std::optional<Trap> checkSamePeer(const View &payload, const View &signal);
[[nodiscard]] std::optional<Trap> checkApart(const View &payload, const View &signal,
                                             llvm::StringRef instruction);
[[nodiscard]] std::optional<Trap> checkSameType(const View &dst, const View &src,
                                                llvm::StringRef instruction);
/// An int32 word at a multiple of four bytes.
[[nodiscard]] std::optional<Trap> checkSignal(const View &signal, llvm::StringRef role,
                                              llvm::StringRef instruction);

} // namespace pto

#endif
