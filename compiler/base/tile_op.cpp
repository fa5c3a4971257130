#include "base/tile_op.h"

#include "base/check.h"

namespace pto {

static constexpr TileOpInfo kTileOps[] = {
#define PTO_TILE_OP(Enum, Name, Form, Fn, Use, Meaning, Source)                                    \
  {llvm::StringLiteral(Name), TileForm::Form, TileFn::Fn},
#include "base/tile_op.def"
};

const TileOpInfo &info(TileOp op) {
  PTO_CHECK(size_t(op) < kTileOpCount, "tile operation out of its table");
  return kTileOps[size_t(op)];
}

std::optional<TileOp> tileOpByName(llvm::StringRef name) {
  for (unsigned i = 0; i != kTileOpCount; ++i)
    if (kTileOps[i].name == name)
      return TileOp(i);
  return std::nullopt;
}

/// The valid region that the destination must have beside a source; -1: any.
static TileShape wantedOf(TileForm form, TileShape src) {
  switch (form) {
  case TileForm::RowReduce:
    return {src.rows, 1};
  case TileForm::ColReduce:
    return {1, src.cols};
  case TileForm::RowExpand:
    return {src.rows, -1};
  case TileForm::ColExpand:
    return {-1, src.cols};
  default:
    return src;
  }
}

static std::string text(TileShape shape) {
  auto size = [](int64_t n) { return n < 0 ? std::string("?") : std::to_string(n); };
  return "[" + size(shape.rows) + ", " + size(shape.cols) + "]";
}

std::optional<std::string> shapeFault(TileForm form, TileShape dst, TileShape src) {
  auto differs = [](int64_t has, int64_t wanted) {
    return has >= 0 && wanted >= 0 && has != wanted;
  };
  TileShape wanted = wantedOf(form, src);
  bool isEmpty = (form == TileForm::RowExpand && src.cols == 0 && dst.cols > 0) ||
                 (form == TileForm::ColExpand && src.rows == 0 && dst.rows > 0);
  if (isEmpty)
    return "its source has the valid region " + text(src) + ", so there is nothing to expand";
  if (!differs(dst.rows, wanted.rows) && !differs(dst.cols, wanted.cols))
    return std::nullopt;
  return "its source has the valid region " + text(src) + ", so its destination must have " +
         text(wanted) + " and has " + text(dst);
}

} // namespace pto
