//===- tiles.cpp - the rules of arithmetic on tiles ------------------------------===//
//
// Element types are always known before running, valid regions where the tile has no `valid` and
// comes from no parameter. The pipe asks again for what is open here.
//
//===----------------------------------------------------------------------===//

#include "check/body.h"

#include "base/tile_op.h"

namespace pto::check_detail {

/// The valid region as far as the declaration decides it.
static TileShape validOf(const Expr *tile) {
  bool isKnown = tile->variable && !tile->variable->isParam && !tile->variable->hasValid;
  if (!isKnown || tile->facts->shape.size() != 2)
    return {};
  return {tile->facts->shape[0].constant().value_or(-1),
          tile->facts->shape[1].constant().value_or(-1)};
}

void Body::checkTileOp(Expr *call) {
  const IntrinsicInfo &row = info(call->intrinsic);
  std::optional<TileOp> op = tileOpByName(row.name);
  if (!op)
    return;
  const Expr *dst = call->ops[0];
  TileForm form = info(*op).form;
  for (const Expr *source : call->ops.drop_front()) {
    if (!source || source->type.kind != TypeKind::Tile)
      continue;
    if (form != TileForm::Convert && source->type.scalar != dst->type.scalar) {
      sink_.report<Rule::DtypeMismatch>(source->range, row.name, text(source->type, source->facts),
                                        text(dst->type, dst->facts));
      return;
    }
    if (auto fault = shapeFault(form, validOf(dst), validOf(source))) {
      Finding &finding = sink_.report<Rule::TileShapeMismatch>(source->range, row.name, *fault);
      if (dst->variable)
        sink_.note(finding, dst->variable->range, "the destination");
      return;
    }
  }
}

} // namespace pto::check_detail
