#include "flow/hixl_values.h"

#include "base/operator.h"

#include "llvm/Support/MathExtras.h"

namespace pto::flow_detail {

using program::ExprKind;
using program::WorldValue;

/// Only the possibilities of a handle that make it null, and those that do not.
static std::optional<bool> isNull(Value value, const HostState &state) {
  Bits is = 0, refused = 0;
  if (value.kind == Value::Kind::Request) {
    auto found = state.requests.find(ThingId(value.number));
    is = found == state.requests.end() ? Quest::Any : found->second.is;
    refused = Quest::Refused;
  } else if (value.kind == Value::Kind::Mem) {
    is = Hold::Any;
    for (const auto &[id, engine] : state.engines)
      if (auto found = engine.regions.find(ThingId(value.number)); found != engine.regions.end())
        is = found->second.is;
    refused = Hold::Refused;
  }
  if (is == refused && is != 0)
    return true;
  return is & refused ? std::nullopt : std::optional(false);
}

std::optional<bool> areEqual(Value a, Value b, const HostState &state) {
  using Kind = Value::Kind;
  if (a.kind == Kind::Is && b.kind == Kind::Is)
    return a.number == b.number;
  if (a.kind != Kind::Is)
    std::swap(a, b);
  if (a.kind == Kind::Is && b.kind == Kind::IsNot && a.number == b.number)
    return false;
  bool isHandle = b.kind == Kind::Mem || b.kind == Kind::Request;
  if (a.kind == Kind::Is && a.number == 0 && isHandle)
    return isNull(b, state);
  return std::nullopt;
}

static Value truth(std::optional<bool> known) { return known ? Value::of(*known) : Value(); }

static Value computed(BinaryOp op, int64_t a, int64_t b) {
  int64_t result = 0;
  switch (op) {
  case BinaryOp::Less:
    return Value::of(a < b);
  case BinaryOp::LessEqual:
    return Value::of(a <= b);
  case BinaryOp::Greater:
    return Value::of(a > b);
  case BinaryOp::GreaterEqual:
    return Value::of(a >= b);
  case BinaryOp::LogicalAnd:
    return Value::of(a && b);
  case BinaryOp::LogicalOr:
    return Value::of(a || b);
  case BinaryOp::Add:
    return llvm::AddOverflow(a, b, result) ? Value() : Value::of(result);
  case BinaryOp::Subtract:
    return llvm::SubOverflow(a, b, result) ? Value() : Value::of(result);
  case BinaryOp::Multiply:
    return llvm::MulOverflow(a, b, result) ? Value() : Value::of(result);
  case BinaryOp::Divide:
    return b == 0 || b == -1 ? Value() : Value::of(a / b);
  case BinaryOp::Remainder:
    return b == 0 || b == -1 ? Value() : Value::of(a % b);
  default:
    return {}; // Bits and shifts depend on the type.
  }
}

/// Whether a number fits, so that nothing has wrapped around.
static Value fitting(const program::Type &type, Value value) {
  if (!value.isNumber() || !type.isScalar())
    return value;
  return ScalarBits(value.number) == normalise(type.scalar, ScalarBits(value.number)) ? value
                                                                                      : Value();
}

Value HostValues::combine(BinaryOp op, const program::Type &type, Value a, Value b,
                          const HostState &state) {
  if (type.isScalar() && info(type.scalar).isFloat())
    return {};
  if (op == BinaryOp::Equal || op == BinaryOp::NotEqual) {
    std::optional<bool> equal = areEqual(a, b, state);
    return truth(equal ? std::optional(*equal == (op == BinaryOp::Equal)) : std::nullopt);
  }
  if (!a.isNumber() || !b.isNumber())
    return {};
  return computed(op, a.number, b.number);
}

Value HostValues::combine(UnaryOp op, Value a) {
  if (!a.isNumber())
    return {};
  if (op == UnaryOp::LogicalNot)
    return Value::of(!a.number);
  return op == UnaryOp::Negate && a.number != INT64_MIN ? Value::of(-a.number) : Value();
}

Value HostValues::valueOf(const Expr &expr, const HostState &state) const {
  auto op = [&](size_t i) { return valueOf(*expr.ops[i], state); };
  auto of = [](std::optional<int32_t> known) { return known ? Value::of(*known) : Value(); };
  switch (expr.kind) {
  case ExprKind::Constant:
  case ExprKind::EnumValue:
    return Value::of(int64_t(expr.bits));
  case ExprKind::Variable: {
    auto found = state.values.find(expr.variable);
    return found == state.values.end() ? Value() : found->second;
  }
  case ExprKind::World:
    return WorldValue(expr.number) == WorldValue::Rank    ? of(rank_)
           : WorldValue(expr.number) == WorldValue::Ranks ? of(ranks_)
                                                          : Value();
  case ExprKind::Unary:
    return fitting(expr.type, combine(UnaryOp(expr.number), op(0)));
  case ExprKind::Binary:
    return fitting(expr.type,
                   combine(BinaryOp(expr.number), expr.ops[0]->type, op(0), op(1), state));
  case ExprKind::Convert:
    return expr.type.isInteger() && expr.ops[0]->type.isInteger() ? fitting(expr.type, op(0))
                                                                  : Value();
  case ExprKind::Extent:
    return expr.value.constant() ? Value::of(*expr.value.constant()) : Value();
  default:
    return {};
  }
}

std::optional<std::string> HostValues::textOf(const Expr *text, const HostState &state) const {
  if (!text || text->kind != ExprKind::String)
    return std::nullopt;
  std::string out;
  llvm::StringRef rest = text->text;
  for (const Expr *hole : text->ops) {
    Value value = valueOf(*hole, state);
    size_t at = rest.find("{}");
    if (!value.isNumber() || at == llvm::StringRef::npos)
      return std::nullopt;
    out += rest.take_front(at).str() + std::to_string(value.number);
    rest = rest.drop_front(at + 2);
  }
  return out + rest.str();
}

ByteRange HostValues::rangeOf(const Expr &view) const {
  ByteRange range;
  if (!view.facts)
    return range;
  const Expr *base = view.kind == ExprKind::Peer ? view.ops[0] : &view;
  range.isWhole = base->kind == ExprKind::Object;
  range.object = view.facts->object;
  range.isHost = range.object >= 0 && program_.objects[size_t(range.object)].isHost;
  if (view.facts->peer) {
    range.peer = view.facts->peer->constant();
    range.isPeerKnown = range.peer.has_value();
  }
  std::optional<int64_t> offset = view.facts->offset.constant();
  std::optional<program::Affine> elements = view.facts->elements();
  std::optional<int64_t> count = elements ? elements->constant() : std::nullopt;
  int64_t size = info(view.type.scalar).bytes();
  if (offset && count && *offset >= 0 && *count >= 0 && *offset < INT64_MAX / 16 &&
      *count < INT64_MAX / 16) {
    range.begin = *offset * size;
    range.end = (*offset + *count) * size;
  }
  return range;
}

//===--- Conditions ------------------------------------------------------------------===//

/// Null, or not null, is a possibility of the handle.
static bool assumeHandle(Value handle, bool isNull, HostState &state) {
  auto keep = [&](Bits &is, Bits refused) {
    is &= isNull ? refused : Bits(~refused);
    return is != 0;
  };
  if (handle.kind == Value::Kind::Request)
    if (auto found = state.requests.find(ThingId(handle.number)); found != state.requests.end())
      return keep(found->second.is, Quest::Refused);
  if (handle.kind == Value::Kind::Mem)
    for (auto &[id, engine] : state.engines)
      if (auto found = engine.regions.find(ThingId(handle.number)); found != engine.regions.end())
        return keep(found->second.is, Hold::Refused);
  return true;
}

/// The status of the last call, which may have submitted a request.
static bool assumeLast(EngineState &engine, Value is, HostState &state) {
  engine.last = is;
  auto request = state.requests.find(engine.lastRequest);
  bool isSuccess = is.number == int64_t(HixlStatus::Success);
  bool isIs = is.kind == Value::Kind::Is;
  if (request == state.requests.end() || (!isIs && !isSuccess))
    return true;
  Bits &bits = request->second.is;
  bits &= isIs && isSuccess ? Bits(~Quest::Refused) : Quest::Refused;
  return bits != 0;
}

bool assume(const Expr &expr, Value is, HostState &state) {
  if (expr.kind == ExprKind::Variable) {
    Value &value = state.values[expr.variable];
    if (value.kind == Value::Kind::Mem || value.kind == Value::Kind::Request)
      return is.number != 0 || assumeHandle(value, is.kind == Value::Kind::Is, state);
    if (value.kind == Value::Kind::Unknown || is.kind == Value::Kind::Is)
      value = is;
    return true;
  }
  bool asksStatus = expr.kind == ExprKind::Intrinsic &&
                    expr.intrinsic == Intrinsic::HixlAskStatus && !expr.ops.empty() && expr.ops[0];
  if (!asksStatus || expr.ops[0]->kind != ExprKind::Variable)
    return true;
  auto value = state.values.find(expr.ops[0]->variable);
  if (value == state.values.end() || value->second.kind != Value::Kind::Engine)
    return true;
  auto engine = state.engines.find(ThingId(value->second.number));
  return engine == state.engines.end() || assumeLast(engine->second, is, state);
}

} // namespace pto::flow_detail
