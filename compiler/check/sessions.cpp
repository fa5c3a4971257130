//===- sessions.cpp - building a session ---------------------------------------===//

#include "check/body.h"

#include "target/platform.h"

namespace pto::check_detail {

/// Parameters of `session<E>(...)` in the order of the opcode.
static constexpr llvm::StringLiteral kParams[] = {"scratch", "sync_id", "block_bytes",
                                                  "offset",  "queues",  "channel_group"};

/// How many of the parameters an engine takes: URMA polls through hardware and needs none.
static unsigned paramCount(DmaEngine engine) {
  return engine == DmaEngine::SDMA ? 6 : engine == DmaEngine::RDMA ? 2 : 0;
}

bool Body::checkSessionOperands(DmaEngine engine, const ast::SessionExpr &session,
                                llvm::SmallVectorImpl<Expr *> &ops) {
  unsigned count = paramCount(engine);
  std::string shown = "session<" + session.engine.str() + ">";
  llvm::SmallVector<llvm::StringRef, 6> names(kParams, kParams + count);
  llvm::SmallVector<const ast::Expr *, 6> bound;
  if (!bindArguments(session.arguments, names, shown, session.range, bound))
    return false;
  bound.resize(std::size(kParams), nullptr);
  if (count > 0 && !bound[0]) {
    sink_.report<Rule::WrongArguments>(
        session.range, "`" + shown + "` needs a scratch tile for its control words");
    return false;
  }
  for (const ast::Expr *written : bound) {
    Expr *op = written ? check(written) : nullptr;
    bool isScratch = ops.empty(), isSyncId = ops.size() == 1;
    ops.push_back(op);
    if (!op)
      continue;
    if (isScratch && !op->type.isError() && op->type.kind != TypeKind::Tile)
      sink_.report<Rule::TypeMismatch>(op->range, "a tile", text(op->type, op->facts));
    if (isScratch  ? op->type.kind != TypeKind::Tile
        : isSyncId ? coerce(op, Type::of(ScalarType::I32))->type.isError()
                   : !requireInteger(op))
      return false;
  }
  return true;
}

Expr *Body::checkSession(const ast::SessionExpr &session) {
  std::optional<uint8_t> number = info(IsaEnum::DmaEngine).number(session.engine);
  if (!number) {
    if (!session.engine.empty())
      sink_.report<Rule::TypeMismatch>(session.range, "an engine: SDMA, URMA or RDMA",
                                       "`" + session.engine.str() + "`");
    return error(session.range);
  }
  if (side_ == Side::Host || !function_) {
    sink_.report<Rule::WrongSide>(session.range, "session", name(Side::Device), name(Side::Host));
    return error(session.range);
  }
  auto engine = DmaEngine(*number);
  llvm::SmallVector<Expr *, 6> ops;
  if (!checkSessionOperands(engine, session, ops))
    return error(session.range);
  if (ops[0])
    checkScratch(engine, ops[0]);
  checkSessionNumbers(ops);
  Type type{TypeKind::Session};
  type.engine = engine;
  Expr *expr = make(ExprKind::Session, type, session.range);
  expr->ops = program_.copy(llvm::ArrayRef<Expr *>(ops));
  return expr;
}

void Body::checkScratch(DmaEngine engine, const Expr *scratch) {
  std::optional<Affine> elements = scratch->facts->elements();
  std::optional<int64_t> count = elements ? elements->constant() : std::nullopt;
  if (!count)
    return; // A tile's size is always a constant; a parameter's may be known at the call only.
  int64_t bytes = *count * info(scratch->type.scalar).bytes();
  int64_t least =
      limit(engine == DmaEngine::SDMA ? Limit::SdmaScratchBytes : Limit::RdmaScratchBytes);
  if (bytes < least)
    sink_.report<Rule::SessionScratchTooSmall>(scratch->range, name(engine), bytes, least);
}

void Body::checkSessionNumbers(llvm::ArrayRef<Expr *> ops) {
  auto known = [&](unsigned param) {
    return ops[param] ? ops[param]->value.constant() : std::nullopt;
  };
  if (std::optional<int64_t> id = known(1); id && (*id < 0 || *id >= limit(Limit::EventIds)))
    sink_.report<Rule::SyncIdOutOfRange>(ops[1]->range, *id, limit(Limit::EventIds) - 1);
  if (std::optional<int64_t> bytes = known(2);
      bytes && (*bytes < 1 || *bytes > limit(Limit::SdmaMaxBlockBytes)))
    sink_.report<Rule::BlockBytesOutOfRange>(ops[2]->range, *bytes,
                                             limit(Limit::SdmaMaxBlockBytes));
  if (std::optional<int64_t> offset = known(3); offset && *offset < 0)
    sink_.report<Rule::SessionOffsetOutOfRange>(ops[3]->range,
                                                "the offset is " + std::to_string(*offset) +
                                                    "; it moves both sides forward only");
  int64_t channels = limit(Limit::SdmaChannels);
  std::optional<int64_t> queues = known(4);
  if (queues && (*queues < 1 || *queues > channels)) {
    sink_.report<Rule::QueuesOutOfRange>(ops[4]->range, "queues is " + std::to_string(*queues) +
                                                            "; an SDMA session has 1 to " +
                                                            std::to_string(channels));
    return;
  }
  int64_t groups = ops[4] ? (queues ? channels / *queues : 0) : channels;
  if (std::optional<int64_t> group = known(5);
      group && groups > 0 && (*group < 0 || *group >= groups))
    sink_.report<Rule::ChannelGroupOutOfRange>(ops[5]->range, *group, queues.value_or(1),
                                               groups - 1, "");
}

} // namespace pto::check_detail
