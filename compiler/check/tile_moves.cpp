//===- tile_moves.cpp - the rules of what the pipes move through tiles --------------===//
//
// tload, tstore, tput, tget and the collectives, told apart by the parameters that they have. Each
// rule is decided where sizes are known, and else left to the run, whose pipes ask all of them.
//
//===----------------------------------------------------------------------===//

#include "check/body.h"
#include "check/tensors.h"

namespace pto::check_detail {

/// Checks one instruction of a pipe; a friend of Body, since it speaks of the same expression.
class TileMoves {
public:
  TileMoves(Body &body, Expr *call)
      : body_(body), sink_(body.sink_), call_(call), row_(info(call->intrinsic)) {}

  void check() {
    if (row_.pipe != PipeUse::Load && row_.pipe != PipeUse::Store && row_.pipe != PipeUse::Staged &&
        row_.pipe != PipeUse::Reduce)
      return;
    bool hasTile = row_.param("t") >= 0 || row_.param("staging") >= 0 || row_.param("acc") >= 0;
    if (!hasTile)
      return; // A scalar atomic: its word of UB is no tile of the program.
    for (size_t i = 0; i != call_->ops.size(); ++i)
      if (Expr *operand = call_->ops[i];
          operand && (operand->type.isView() || operand->type.kind == TypeKind::Group))
        checkTensor(*operand, row_.params[i].name);
    if (row_.param("t") >= 0)
      return checkTileMove();
    checkSides();
    checkWindow(op("acc") ? op("acc") : op("staging"));
    checkPair("staging", "pong");
    checkPair("acc", "recv");
    checkPair("recv", "pong");
    checkPair("acc", "pong");
  }

private:
  Expr *op(llvm::StringRef param) const {
    int index = row_.param(param);
    return index < 0 ? nullptr : call_->ops[size_t(index)];
  }

  /// The tensor whose shape the instruction walks.
  Expr *walked() const {
    return call_->intrinsic != Intrinsic::Tbroadcast && op("g") ? op("g") : op("src");
  }

  void leaveToRun(llvm::StringRef what) {
    Place at = sink_.place(call_->range);
    body_.program_.unknowns.push_back((what + " of `" + row_.name + "` at " +
                                       llvm::StringRef(at.file) + ":" + llvm::Twine(at.line) + ":" +
                                       llvm::Twine(at.column))
                                          .str());
  }

  void noteObject(Finding &finding, const Expr &view) {
    if (int32_t object = view.facts->object; object != ViewFacts::kNoObject)
      sink_.note(finding, body_.program_.objects[size_t(object)].range, "it lies in this");
  }

  //===--- One side ---===//

  /// What a row of a load or store may look like.
  void checkTensor(const Expr &view, llvm::StringRef role) {
    TensorFacts tensor(*view.facts);
    if (tensor.isEmpty() == Answer::Yes)
      return;
    std::string named = "`" + role.str() + "`";
    for (unsigned d = 0; d != kTensorDims; ++d) {
      std::optional<int64_t> size = tensor.shape[d].constant(),
                             stride = tensor.stride[d].constant();
      if ((size && *size > INT32_MAX) || (stride && std::abs(*stride) > INT32_MAX)) {
        sink_.report<Rule::ShapeNotInt32>(view.range, named, row_.name,
                                          "shape " + text(view.facts->shape) + ", strides " +
                                              text(view.facts->stride));
        return;
      }
    }
    std::optional<int64_t> last = tensor.stride[kColDim].constant(), cols = tensor.cols();
    if (last && *last != 1 && cols && *cols > 1) {
      Finding &finding = sink_.report<Rule::LastStrideNotOne>(view.range, named, row_.name, *last);
      noteObject(finding, view);
    } else if ((!last && !(cols && *cols <= 1)) || (last && *last != 1 && !cols)) {
      leaveToRun(("last stride of " + role).str());
    }
    checkPitch(view, tensor, role);
  }

  /// Rows follow each other: a row does not begin inside of the one before.
  void checkPitch(const Expr &view, const TensorFacts &tensor, llvm::StringRef role) {
    if (std::optional<int64_t> rows = tensor.rows(); rows && *rows <= 1)
      return;
    std::optional<Affine> rest = tensor.stride[kRowDim].minus(tensor.shape[kColDim]);
    std::optional<int64_t> gap = rest ? rest->constant() : std::nullopt;
    if (!gap || !tensor.rows())
      return leaveToRun(("row pitch of " + role).str());
    int64_t bytes = info(view.type.scalar).bytes();
    if (*gap >= 0 && *gap <= int64_t(UINT32_MAX) / bytes)
      return;
    Finding &finding =
        sink_.report<Rule::RowPitch>(view.range, "`" + role.str() + "`", row_.name,
                                     text(tensor.stride[kRowDim]), text(tensor.shape[kColDim]));
    noteObject(finding, view);
  }

  //===--- Both sides ---===//

  /// dst holds src in every dimension; the sizes alone are checked with all transfers.
  void checkSides() {
    Expr *dst = op("dst"), *src = op("src");
    if (!dst || !src)
      return;
    TensorFacts to(*dst->facts), from(*src->facts);
    if (from.isEmpty() == Answer::Yes) {
      sink_.report<Rule::NothingMoved>(src->range, row_.name, text(src->facts->shape));
      return;
    }
    bool isKnown = true;
    for (unsigned d = 0; d != kTensorDims; ++d) {
      std::optional<Affine> rest = to.shape[d].minus(from.shape[d]);
      std::optional<int64_t> room = rest ? rest->constant() : std::nullopt;
      isKnown &= room.has_value();
      if (!room || *room >= 0)
        continue;
      if (!isTooSmallInAll(*dst, *src))
        sink_.report<Rule::DstTooSmall>(dst->range, row_.name,
                                        "a shape of " + text(src->facts->shape),
                                        "a destination of " + text(dst->facts->shape));
      return;
    }
    if (!isKnown)
      leaveToRun("size of dst");
  }

  /// Whether the numbers of elements already say it, which is reported elsewhere.
  static bool isTooSmallInAll(const Expr &dst, const Expr &src) {
    std::optional<Affine> wanted = src.facts->elements(), room = dst.facts->elements();
    std::optional<Affine> rest = wanted && room ? room->minus(*wanted) : std::nullopt;
    return rest && rest->constant() && *rest->constant() < 0;
  }

  //===--- Tiles ---===//

  /// tload and tstore move the valid region, all of it and nothing else.
  void checkTileMove() {
    const Expr *tile = op("t"), *view = op("x");
    TensorFacts tensor(*view->facts);
    if (tensor.isEmpty() == Answer::Yes) {
      sink_.report<Rule::NothingMoved>(view->range, row_.name, text(view->facts->shape));
      return;
    }
    std::optional<StaticTile> size = staticTile(*tile->facts);
    std::optional<int64_t> rows = tensor.allRows(), cols = tensor.cols();
    if (!size || !rows || !cols)
      leaveToRun("shape of the tile");
    if (!size ||
        (rows.value_or(size->rows) == size->rows && cols.value_or(size->cols) == size->cols))
      return;
    if (cols && *cols < size->cols && rows.value_or(size->rows) == size->rows)
      return reportWider(*tile, *size, *cols);
    sink_.report<Rule::LayoutMismatch>(
        call_->range, "`" + row_.name.str() + "` moves " + (rows ? std::to_string(*rows) : "?") +
                          " rows of " + (cols ? std::to_string(*cols) : "?") +
                          ", and the valid region of its tile is [" + std::to_string(size->rows) +
                          ", " + std::to_string(size->cols) + "]");
  }

  void reportWider(const Expr &tile, const StaticTile &size, int64_t cols) {
    Finding &finding =
        sink_.report<Rule::TileWiderThanTensor>(tile.range, row_.name, size.cols, cols);
    noteTile(finding, tile);
  }

  /// The walked tensor against the tile that takes it: at once, or in chunks.
  void checkWindow(const Expr *tile) {
    const Expr *view = walked();
    TensorFacts tensor(*view->facts);
    std::optional<StaticTile> size = staticTile(*tile->facts);
    if (tensor.isEmpty() == Answer::Yes) {
      if (op("g"))
        sink_.report<Rule::NothingMoved>(view->range, row_.name, text(view->facts->shape));
      return;
    }
    if (!size)
      return leaveToRun("valid region of the tile");
    std::optional<int64_t> rows = tensor.rows(), cols = tensor.cols();
    Answer atOnce = fits(tensor, *size);
    // A tile that is wider is wrong both ways; only an empty tensor would not mind.
    if (cols && *cols < size->cols && atOnce != Answer::No)
      return reportWider(*tile, *size, *cols);
    if (atOnce == Answer::Yes)
      return;
    if (atOnce == Answer::No && rows && *rows % size->rows != 0)
      return keepChunks(*tile, *size, tensor, "rows", *rows);
    if (atOnce == Answer::No && cols && *cols % size->cols != 0)
      return keepChunks(*tile, *size, tensor, "columns", *cols);
    if (!rows || !cols || atOnce == Answer::Unknown)
      leaveToRun("chunks");
  }

  /// Said at the end of the body: see chunks.cpp.
  void keepChunks(const Expr &tile, const StaticTile &size, const TensorFacts &tensor,
                  llvm::StringRef what, int64_t count) {
    std::string sizes = "[" + std::to_string(size.rows) + ", " + std::to_string(size.cols) + "]";
    bool isTail = tensor.rows().value_or(size.rows) >= size.rows &&
                  tensor.cols().value_or(size.cols) >= size.cols;
    body_.unevenChunks_.push_back({call_, &tile, std::move(sizes), what, count, isTail});
  }

  void noteTile(Finding &finding, const Expr &tile) {
    if (tile.kind == ExprKind::Variable)
      sink_.note(finding, tile.variable->range, "the tile is declared here");
  }

  /// Two tiles that take turns are of one kind, and are two.
  void checkPair(llvm::StringRef first, llvm::StringRef second) {
    const Expr *one = op(first), *other = op(second);
    if (!one || !other)
      return;
    std::optional<StaticTile> a = staticTile(*one->facts), b = staticTile(*other->facts);
    bool areKnown = one->facts->isDynamic && other->facts->isDynamic;
    bool differ = areKnown && *one->facts->isDynamic != *other->facts->isDynamic;
    differ |= a && b && (a->rows != b->rows || a->cols != b->cols);
    if (differ)
      sink_.report<Rule::PongDiffers>(other->range, row_.name, tileText(*one), tileText(*other));
    else if (!a || !b)
      leaveToRun("likeness of the tiles");
  }

  std::string tileText(const Expr &tile) const {
    bool isDynamic = tile.facts->isDynamic.value_or(false);
    return text(tile.type, tile.facts) + (isDynamic ? " valid [...]" : "");
  }

  Body &body_;
  Sink &sink_;
  Expr *call_;
  const IntrinsicInfo &row_;
};

void Body::checkTileMoves(Expr *call) { TileMoves(*this, call).check(); }

} // namespace pto::check_detail
