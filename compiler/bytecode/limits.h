//===- limits.h - how large a module may be ---------------------*- C++ -*-===//
//
// With those of verify.h, the bounds that verify() holds every module to. They are far above what a
// program needs; they exist so that sums and products of verified numbers cannot overflow.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_BYTECODE_LIMITS_H
#define PTO_BYTECODE_LIMITS_H

#include <cstdint>

namespace pto {

inline constexpr uint32_t kMaxTableRows = 1u << 20; ///< Files, strings, constants, entries.
inline constexpr uint32_t kMaxFunctions = 1u << 16;
/// Scalar and view registers of all functions on one path of calls.
inline constexpr uint32_t kMaxStackRegisters = 1u << 18;
inline constexpr uint32_t kMaxParameters = 1u << 10; ///< Scalars and views together.
inline constexpr uint32_t kMaxDimensions = 5;
/// Of both parts of an Extent; times MaxRanks of platform.def it still fits 63 bits.
inline constexpr int64_t kMaxExtent = int64_t(1) << 46;
inline constexpr int32_t kMaxBlocks = 1 << 16;
inline constexpr uint32_t kMaxAlign = 1u << 20; ///< Bytes.
/// UB of one function, and of all functions on one path of calls. No chip has that much.
inline constexpr uint32_t kMaxUbBytes = 1u << 20;
inline constexpr uint32_t kTileRowAlign = 32; ///< Rows of a tile are padded to that many bytes.

} // namespace pto

#endif
