//===- collectives.cpp - the rules of tgather, tscatter, tbroadcast, treduce ---------===//
//
// What the root's own side and the parts of the members must have in common. The rules of the tiles
// are those of all moves, in tile_moves.cpp.
//
//===----------------------------------------------------------------------===//

#include "check/body.h"
#include "check/tensors.h"

namespace pto::check_detail {

/// Checks one collective; a friend of Body, since it speaks of the same expression.
class Collectives {
public:
  Collectives(Body &body, Expr *call)
      : sink_(body.sink_), row_(info(call->intrinsic)), call_(call) {
    for (llvm::StringRef param : {"dst", "src"})
      if (row_.param(param) >= 0)
        local_ = call->ops[size_t(row_.param(param))];
    if (row_.param("g") >= 0)
      group_ = call->ops[size_t(row_.param("g"))];
  }

  void check() {
    if (!group_ || !local_ || !checkTypes())
      return;
    Intrinsic which = call_->intrinsic;
    if (which == Intrinsic::Tgather || which == Intrinsic::Tscatter)
      checkRows();
    else
      checkHolds(which == Intrinsic::Tbroadcast ? *group_ : *local_,
                 which == Intrinsic::Tbroadcast ? *local_ : *group_);
    if (which == Intrinsic::Tbroadcast)
      checkAlone();
    if (which == Intrinsic::Treduce)
      checkOverlap();
  }

private:
  bool checkTypes() {
    bool isFine = true;
    for (Expr *operand : call_->ops) {
      bool hasElements =
          operand && (operand->type.isView() || operand->type.kind == TypeKind::Tile);
      if (!hasElements || operand->type.scalar == group_->type.scalar)
        continue;
      sink_.report<Rule::DtypeMismatch>(operand->range, row_.name,
                                        text(group_->type, group_->facts),
                                        text(operand->type, operand->facts));
      isFine = false;
    }
    return isFine;
  }

  bool isVector() const {
    return local_->facts->shape.size() <= 1 && group_->facts->shape.size() <= 1;
  }

  /// tgather and tscatter: member r has rows [r * H, (r + 1) * H) of the root's side; of vectors,
  /// elements [r * n, (r + 1) * n).
  void checkRows() {
    TensorFacts local(*local_->facts), member(*group_->facts);
    if (member.isEmpty() == Answer::Yes)
      return;
    for (unsigned d : {0u, 1u, 2u, kColDim})
      if (!isVector() && differ(local.shape[d], member.shape[d])) {
        sink_.report<Rule::GroupShapeMismatch>(local_->range, row_.name, text(local_->facts->shape),
                                               text(group_->facts->shape));
        return;
      }
    unsigned dim = isVector() ? kColDim : kRowDim;
    std::optional<Affine> wanted = product(*group_->facts->members, member.shape[dim]);
    std::optional<Affine> rest = wanted ? local.shape[dim].minus(*wanted) : std::nullopt;
    std::optional<int64_t> room = rest ? rest->constant() : std::nullopt;
    if (room && *room < 0)
      sink_.report<Rule::GroupBufferTooSmall>(
          local_->range, row_.name, sizeText(local.shape[dim], *room),
          sizeText(*wanted, 0) + (isVector() ? " elements" : " rows"));
  }

  /// A count for a message: its value, or by how much it is less than one that is not known.
  static std::string sizeText(const Affine &size, int64_t less) {
    if (size.constant())
      return text(size);
    return less < 0 ? "n - " + std::to_string(-less) : "n";
  }

  static std::optional<Affine> product(const Affine &a, const Affine &b) {
    if (std::optional<int64_t> known = b.constant())
      return a.times(*known);
    std::optional<int64_t> known = a.constant();
    return known ? b.times(*known) : std::nullopt;
  }

  static bool differ(const Affine &a, const Affine &b) {
    std::optional<Affine> rest = a.minus(b);
    return rest && rest->constant() && *rest->constant() != 0;
  }

  /// `to` is at least as large as `from` in every dimension.
  void checkHolds(const Expr &to, const Expr &from) {
    TensorFacts room(*to.facts), wanted(*from.facts);
    if (wanted.isEmpty() == Answer::Yes)
      return;
    for (unsigned d = 0; d != kTensorDims; ++d) {
      std::optional<Affine> rest = room.shape[d].minus(wanted.shape[d]);
      if (!rest || !rest->constant() || *rest->constant() >= 0)
        continue;
      sink_.report<Rule::DstTooSmall>(to.range, row_.name, "a shape of " + text(from.facts->shape),
                                      "a destination of " + text(to.facts->shape));
      return;
    }
  }

  /// A broadcast to one member moves everything at once, whatever the tile holds.
  void checkAlone() {
    const Expr *tile = call_->ops[size_t(row_.param("staging"))];
    TensorFacts tensor(*local_->facts);
    std::optional<StaticTile> size = staticTile(*tile->facts);
    if (group_->facts->members->is(1) && size && tensor.isEmpty() == Answer::No &&
        fits(tensor, *size) == Answer::No)
      sink_.report<Rule::BroadcastOneTooLarge>(local_->range, text(local_->facts->shape),
                                               text(tile->facts->shape));
  }

  /// treduce: the result may replace the root's part, all of it or nothing.
  void checkOverlap() {
    const ViewFacts &dst = *local_->facts, &own = *group_->facts;
    std::optional<Affine> apart = dst.offset.minus(own.offset);
    std::optional<int64_t> distance = apart ? apart->constant() : std::nullopt;
    std::optional<Affine> count = own.elements();
    bool isKnown = dst.object != ViewFacts::kNoObject && dst.object == own.object && distance &&
                   count && count->constant();
    if (!isKnown || *distance == 0 || !isFlat(dst) || !isFlat(own))
      return;
    if (std::abs(*distance) < *count->constant())
      sink_.report<Rule::ReduceOverlapsSource>(local_->range, "dst");
  }

  static bool isFlat(const ViewFacts &facts) {
    return facts.shape.size() == 1 && facts.stride[0].is(1);
  }

  Sink &sink_;
  const IntrinsicInfo &row_;
  Expr *call_;
  Expr *group_ = nullptr;
  Expr *local_ = nullptr; ///< The root's own side.
};

void Body::checkCollective(Expr *call) { Collectives(*this, call).check(); }

} // namespace pto::check_detail
