//===- transfers.cpp - the rules of moving data ----------------------------------===//
//
// A transfer is whatever has `dst` and `src`; a queue's is asynchronous, one with `sig` notifies. A
// post with `src` alone is a prefetch.
// Each rule is decided, or planted for the run, or does not apply.
//
//===----------------------------------------------------------------------===//

#include "check/body.h"
#include "check/tensors.h"

#include "target/types.h"

#include "llvm/ADT/StringExtras.h"

namespace pto::check_detail {

/// Checks one transfer; a friend of Body, since it speaks of the same expression.
class Transfers {
public:
  Transfers(Body &body, Expr *call)
      : body_(body), sink_(body.sink_), call_(call), row_(info(call->intrinsic)),
        dst_(row_.param("dst")), src_(row_.param("src")), sig_(row_.param("sig")),
        session_(row_.param("s")) {}

  void check() {
    if (isPost() && dst_ < 0 && src_ >= 0)
      return checkPrefetch();
    if (dst_ < 0 || src_ < 0)
      return checkTileMove();
    checkTypes();
    checkSize();
    checkStaging();
    if (isPost()) {
      checkFlat(src_);
      checkFlat(dst_);
      checkEmpty();
      checkTooLarge();
      checkSymmetric();
    }
    if (isPost() && sig_ >= 0)
      checkNotify();
    call_->plants = body_.program_.copy(llvm::ArrayRef<Plant>(plants_));
  }

  /// Its source goes no further than L2.
  void checkPrefetch() {
    checkFlat(src_);
    checkEmpty();
    call_->plants = body_.program_.copy(llvm::ArrayRef<Plant>(plants_));
  }

private:
  /// Whether a queue moves the data.
  [[nodiscard]] bool isPost() const {
    return row_.pipe == PipeUse::Engine || row_.pipe == PipeUse::Queue;
  }
  Expr *op(int param) const { return param < 0 ? nullptr : call_->ops[size_t(param)]; }
  llvm::StringRef role(int param) const { return row_.params[size_t(param)].name; }
  std::string shown(const Expr *expr) const { return text(expr->type, expr->facts); }

  void plant(PlantKind kind, int first, int second, llvm::StringRef what) {
    plants_.push_back({kind, int8_t(first), int8_t(second)});
    Place at = sink_.place(call_->range);
    body_.program_.unknowns.push_back((what + " of `" + row_.name + "` at " +
                                       llvm::StringRef(at.file) + ":" + llvm::Twine(at.line) + ":" +
                                       llvm::Twine(at.column))
                                          .str());
  }

  /// tload and tstore: a tile and a view of one element type.
  void checkTileMove() {
    int tile = row_.param("t"), view = row_.param("x");
    if (tile < 0 || view < 0)
      return;
    if (op(tile)->type.scalar != op(view)->type.scalar) {
      bool loads = tile < view;
      sink_.report<Rule::DtypeMismatch>(call_->range, row_.name, shown(op(loads ? view : tile)),
                                        shown(op(loads ? tile : view)));
    }
  }

  void checkTypes() {
    if (op(dst_)->type.scalar == op(src_)->type.scalar)
      return;
    Finding &finding = sink_.report<Rule::DtypeMismatch>(call_->range, row_.name, shown(op(src_)),
                                                         shown(op(dst_)));
    for (int side : {src_, dst_})
      if (int32_t object = op(side)->facts->object; object != ViewFacts::kNoObject)
        sink_.note(finding, body_.program_.objects[size_t(object)].range,
                   (role(side) + " lies in this").str());
  }

  static std::optional<int64_t> elementsOf(const Expr *view) {
    std::optional<Affine> elements = view->facts->elements();
    return elements ? elements->constant() : std::nullopt;
  }

  void checkSize() {
    std::optional<Affine> wanted = op(src_)->facts->elements(), room = op(dst_)->facts->elements();
    std::optional<Affine> rest = wanted && room ? room->minus(*wanted) : std::nullopt;
    std::optional<int64_t> known = rest ? rest->constant() : std::nullopt;
    if (!known) {
      if (isPost())
        plant(PlantKind::Fits, dst_, src_, "size of dst");
      return;
    }
    if (*known < 0)
      sink_.report<Rule::DstTooSmall>(op(dst_)->range, row_.name,
                                      countText(*wanted, -*known) + " elements",
                                      "a destination of " + countText(*room, 0));
  }

  /// A count for a message: its value, or by how much it is more than one that is not known.
  static std::string countText(const Affine &count, int64_t more) {
    if (count.constant())
      return text(count);
    return more > 0 ? "n + " + std::to_string(more) : "n";
  }

  void checkStaging() {
    for (llvm::StringRef tile : {"staging", "pong", "scratch"}) {
      Expr *staging = op(row_.param(tile));
      if (staging && staging->type.scalar != op(src_)->type.scalar)
        sink_.report<Rule::DtypeMismatch>(staging->range, row_.name, shown(op(src_)),
                                          shown(staging));
    }
    Expr *atomic = op(row_.param("atomic"));
    if (!atomic || AtomicType(atomic->bits) != AtomicType::AtomicAdd)
      return;
    ScalarType type = op(src_)->type.scalar;
    for (size_t i = 0; i != platforms().size(); ++i)
      if (typesFor(Platform(i), TypeUse::AtomicStore).contains(type))
        return; // The target is asked for where it is known.
    sink_.report<Rule::AtomicAddDtype>(atomic->range, text(Type::of(type)));
  }

  /// The rule of the asynchronous engines: one dimension, stride 1.
  static Answer isFlat(const ViewFacts &facts) {
    size_t dimensions = facts.shape.size();
    if (dimensions == 0)
      return Answer::Yes;
    Answer answer = Answer::Yes;
    for (size_t i = 0; i + 1 < dimensions; ++i) {
      std::optional<int64_t> size = facts.shape[i].constant();
      if (size && *size != 1)
        return Answer::No;
      if (!size)
        answer = Answer::Unknown;
    }
    std::optional<int64_t> size = facts.shape.back().constant(),
                           stride = facts.stride.back().constant();
    if (stride && *stride == 1)
      return answer;
    if (size && *size <= 1)
      return answer;
    return stride && size ? Answer::No : Answer::Unknown;
  }

  void checkFlat(int side) {
    const ViewFacts &facts = *op(side)->facts;
    Answer answer = isFlat(facts);
    if (answer == Answer::Unknown)
      return plant(PlantKind::Flat, side, -1, ("flatness of " + role(side)).str());
    if (answer == Answer::Yes)
      return;
    Finding &finding = sink_.report<Rule::AsyncNot1d>(
        op(side)->range, "`" + role(side).str() + "`", row_.name,
        "shape " + text(facts.shape) + ", strides " + text(facts.stride));
    if (int32_t object = facts.object; object != ViewFacts::kNoObject)
      sink_.note(finding, body_.program_.objects[size_t(object)].range, "it lies in this");
  }

  void checkEmpty() {
    std::optional<int64_t> elements = elementsOf(op(src_));
    if (!elements)
      plant(PlantKind::NotEmpty, src_, -1, "payload");
    else if (*elements == 0)
      sink_.report<Rule::EmptyPayload>(op(src_)->range, row_.name);
  }

  void checkTooLarge() {
    std::optional<int64_t> elements = elementsOf(op(src_));
    const Expr *session = op(session_);
    if (!elements)
      return;
    if (!session)
      return checkRequest(*elements * info(op(src_)->type.scalar).bytes());
    int64_t bytes = *elements * info(op(src_)->type.scalar).bytes();
    // The library counts the elements in 32 bits.
    int64_t most = limit(Limit::MaxElements) * info(op(src_)->type.scalar).bytes();
    if (session->type.engine == DmaEngine::RDMA)
      most = limit(Limit::RdmaMaxBytes);
    const Variable *variable = session->variable;
    if (session->type.engine == DmaEngine::SDMA && variable && variable->blockBytes > 0 &&
        variable->queues > 0)
      most = std::min(most, variable->blockBytes * (limit(Limit::SdmaQueueDepth) - 1) *
                                (sig_ >= 0 ? 1 : variable->queues)); // A notify uses queue 0 alone.
    if (bytes > most)
      sink_.report<Rule::TransferTooLarge>(op(src_)->range, row_.name, bytes,
                                           name(session->type.engine), most);
  }

  /// The route of a post to a queue of the core's own, if it is one way alone.
  [[nodiscard]] bool goesBy(Route route) const {
    const Expr *given = op(row_.param("route"));
    return given && Route(given->bits) == route;
  }

  /// A request to UDMA is not cut into smaller ones, as PTO's URMA does.
  void checkRequest(int64_t bytes) {
    if (goesBy(Route::ByUDMA) && bytes > limit(Limit::UrmaMaxWqeBytes))
      sink_.report<Rule::TransferTooLarge>(op(src_)->range, row_.name, bytes, "UDMA",
                                           limit(Limit::UrmaMaxWqeBytes));
  }

  /// What a network card moves lies in registered memory on both sides.
  void checkSymmetric() {
    for (int side : {dst_, src_}) {
      int32_t object = op(side)->facts->object;
      if (!goesBy(Route::ByROCE) || object == ViewFacts::kNoObject ||
          !body_.program_.objects[size_t(object)].isLocal)
        continue;
      const Object &local = body_.program_.objects[size_t(object)];
      Finding &finding = sink_.report<Rule::OperandNotSymmetric>(
          op(side)->range, "`" + role(side).str() + "`", local.name);
      sink_.note(finding, local.range, "declared here");
    }
  }

  void checkNotify() {
    Expr *operation = op(row_.param("op"));
    if (op(session_) && op(session_)->type.engine == DmaEngine::RDMA && operation &&
        NotifyOp(operation->bits) == NotifyOp::AtomicAdd)
      sink_.report<Rule::RdmaNoAtomicAdd>(operation->range);
    const ViewFacts &payload = *op(dst_)->facts, &signal = *op(sig_)->facts;
    std::optional<Affine> apart =
        payload.peer && signal.peer ? signal.peer->minus(*payload.peer) : std::nullopt;
    std::optional<int64_t> known = apart ? apart->constant() : std::nullopt;
    if (!known)
      plant(PlantKind::SamePeer, dst_, sig_, "peer of sig");
    else if (*known != 0) {
      Finding &finding = sink_.report<Rule::SignalWrongPeer>(op(sig_)->range, peerText(op(dst_)),
                                                             peerText(op(sig_)));
      sink_.note(finding, op(dst_)->range, "the payload goes here");
    }
    if (!known || *known == 0)
      checkApart(payload, signal);
  }

  /// The rank of a remote view as the program writes it.
  std::string peerText(const Expr *view) const {
    if (std::optional<int64_t> rank = view->facts->peer->constant())
      return std::to_string(*rank);
    for (const Expr *at = view; at && !at->ops.empty(); at = at->ops[0])
      if (at->kind == ExprKind::Peer)
        return "`" + body_.checker_.sources.text(at->ops[1]->range).str() + "`";
    return "another";
  }

  void checkApart(const ViewFacts &payload, const ViewFacts &signal) {
    bool knowBoth = payload.object != ViewFacts::kNoObject && signal.object != ViewFacts::kNoObject;
    if (knowBoth && payload.object != signal.object)
      return;
    std::optional<Affine> distance = knowBoth ? signal.offset.minus(payload.offset) : std::nullopt;
    std::optional<int64_t> offset = distance ? distance->constant() : std::nullopt;
    std::optional<int64_t> elements = elementsOf(op(src_));
    if (!offset || !elements)
      return plant(PlantKind::Apart, dst_, sig_, "separation of payload and sig");
    if (*offset < 0 || *offset >= *elements)
      return;
    Finding &finding = sink_.report<Rule::PayloadOverlapsSignal>(
        op(sig_)->range, row_.name,
        "it is element " + std::to_string(*offset) + " of the " + std::to_string(*elements) +
            " that arrive");
    sink_.note(finding, op(dst_)->range, "the payload arrives here");
  }

  Body &body_;
  Sink &sink_;
  Expr *call_;
  const IntrinsicInfo &row_;
  int dst_, src_, sig_, session_;
  llvm::SmallVector<Plant, 4> plants_;
};

void Body::checkTransfer(Expr *call) { Transfers(*this, call).check(); }

} // namespace pto::check_detail
