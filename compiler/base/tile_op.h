//===- tile_op.h - arithmetic on tiles, derived from tile_op.def -*- C++ -*-===//
#ifndef PTO_BASE_TILE_OP_H
#define PTO_BASE_TILE_OP_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace pto {

enum class TileOp : uint8_t {
#define PTO_TILE_OP(Enum, Name, Form, Fn, Use, Meaning, Source) Enum,
#include "base/tile_op.def"
};
inline constexpr unsigned kTileOpCount = 0
#define PTO_TILE_OP(Enum, Name, Form, Fn, Use, Meaning, Source) +1
#include "base/tile_op.def"
    ;

/// What is done with the elements.
enum class TileFn : uint8_t {
#define PTO_TILE_FN(Enum, Meaning) Enum,
#include "base/tile_op.def"
};

/// What the operands are; the legend is in tile_op.def.
enum class TileForm : uint8_t {
  Binary,
  Scalar,
  Axpy,
  Fill,
  Unary,
  Convert,
  RowReduce,
  ColReduce,
  RowExpand,
  ColExpand
};

struct TileOpInfo {
  llvm::StringLiteral name;
  TileForm form;
  TileFn fn;
};
[[nodiscard]] const TileOpInfo &info(TileOp op);
[[nodiscard]] std::optional<TileOp> tileOpByName(llvm::StringRef name);

/// Rows and columns of a valid region; -1 where they are not known yet.
struct TileShape {
  int64_t rows = -1;
  int64_t cols = -1;
};
/// What is wrong with the valid regions of a destination and a source, as far as both are known:
/// "its source has the valid region [8, 64], so its destination must have [8, 1] and has [8, 8]".
[[nodiscard]] std::optional<std::string> shapeFault(TileForm form, TileShape dst, TileShape src);

} // namespace pto

#endif
