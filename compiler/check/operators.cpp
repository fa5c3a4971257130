//===- operators.cpp - arithmetic, literals that take a type, folding -------===//

#include "check/body.h"

#include "check/fold.h"

#include "base/check.h"
#include "diag/fix.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

namespace pto::check_detail {

/// Whether an integer literal fits a type exactly.
static bool fits(const Expr &literal, ScalarType type) {
  if (info(type).isFloat())
    return true;
  if (info(literal.type.scalar).isFloat())
    return false;
  // A literal is at most 2^64-1, and only a folded one is negative.
  bool isNegative =
      info(literal.type.scalar).kind == ScalarKind::Signed && int64_t(literal.bits) < 0;
  ScalarBits wrapped = normalise(type, literal.bits);
  bool readsNegative = info(type).kind == ScalarKind::Signed && int64_t(wrapped) < 0;
  return wrapped == literal.bits && isNegative == readsNegative;
}

/// An element of memory stands where a value is wanted.
void Body::adviseLoad(Finding &finding, const Expr &element, const Type &want) const {
  finding.details.push_back("an element of memory is read with `load(...)`");
  bool mayLoad = element.type.locality != Locality::Remote && function_ && want.isScalar() &&
                 want.scalar == element.type.scalar;
  if (mayLoad)
    fixWrap(checker_.sources, finding, element.range, "load(", ")");
}

/// The value of a literal; that of a float is told from an integer.
static std::string literalText(const Expr &literal) {
  std::string text = formatScalar(literal.type.scalar, literal.bits);
  bool looksWhole = llvm::StringRef(text).find_first_not_of("-0123456789") == llvm::StringRef::npos;
  return info(literal.type.scalar).isFloat() && looksWhole ? text + ".0" : text;
}

/// Whether a type holds every value of another.
static bool holds(ScalarType type, ScalarType other) {
  const ScalarInfo &to = info(type), &from = info(other);
  if (to.isFloat() || from.isFloat())
    return to.isFloat() && from.isFloat() && from.bits < to.bits;
  bool grows = to.kind == ScalarKind::Signed && from.kind == ScalarKind::Unsigned;
  return (to.kind == from.kind || grows) && from.bits < to.bits;
}

/// Offers to convert a number, unless that would drop bits of an integer.
void Body::adviseConversion(Finding &finding, const Expr &expr, ScalarType want) const {
  if (bindings_ && !bindings_->types.empty())
    return; // What is right for this instance may be wrong for the next one.
  if (!expr.type.isScalar() || expr.type.isScalar(ScalarType::Bool) || want == ScalarType::Bool)
    return;
  llvm::StringRef written = checker_.sources.text(expr.range);
  // An element that is named in `expect` is read there by itself.
  if (expr.kind == ExprKind::Intrinsic && expr.intrinsic == Intrinsic::Load &&
      !written.starts_with("load"))
    return;
  ScalarType from = expr.type.scalar;
  bool dropsBits = info(want).isInteger() && info(from).isInteger() && !holds(want, from);
  bool isKnown = expr.kind == ExprKind::Constant;
  bool keeps = isKnown && convert(from, want, convert(want, from, expr.bits)) == expr.bits;
  if (isKnown ? !keeps && !info(want).isFloat() : dropsBits)
    return;
  double value = 0;
  std::string digits = llvm::join(llvm::split(written, '_'), "");
  if (expr.isLiteral && info(want).isInteger() && !llvm::StringRef(digits).getAsDouble(value))
    fixReplace(checker_.sources, finding, expr.range,
               formatScalar(want, convert(want, from, expr.bits)));
  else
    fixWrap(checker_.sources, finding, expr.range, (info(want).name + "(").str(), ")");
}

Expr *Body::coerce(Expr *expr, const Type &want, bool isSure) {
  bool isLiteral = expr->isLiteral && expr->type.isScalar() && want.isScalar() &&
                   expr->kind == ExprKind::Constant;
  if (isLiteral && want.scalar != ScalarType::Bool && expr->type.scalar != ScalarType::Bool) {
    if (!fits(*expr, want.scalar)) {
      Finding &finding = sink_.report<Rule::TypeMismatch>(
          expr->range, text(want), "the literal " + literalText(*expr) + ", which it cannot hold");
      if (isSure)
        adviseConversion(finding, *expr, want.scalar);
      return error(expr->range);
    }
    expr->bits = convert(want.scalar, expr->type.scalar, expr->bits);
    expr->type = want;
    expr->value = want.isInteger() ? Affine(int64_t(expr->bits)) : Affine();
    expr->isLiteral = false;
    return expr;
  }
  if (agrees(want, expr->type))
    return expr;
  Finding &finding =
      sink_.report<Rule::TypeMismatch>(expr->range, text(want), text(expr->type, expr->facts));
  if (want.isScalar() && expr->type.isView() && expr->facts->shape.empty())
    adviseLoad(finding, *expr, want);
  else if (want.isScalar() && isSure)
    adviseConversion(finding, *expr, want.scalar);
  return error(expr->range);
}

Expr *Body::checkAs(const ast::Expr *written, const Type &want) {
  return coerce(check(written), want);
}

Affine Body::product(const Affine &left, const Affine &right) {
  return valueOf(BinaryOp::Multiply, left, right);
}

Affine Body::valueOf(BinaryOp op, const Affine &left, const Affine &right) {
  std::optional<Affine> sum;
  if (op == BinaryOp::Add)
    sum = left.plus(right);
  else if (op == BinaryOp::Subtract)
    sum = left.minus(right);
  else if (op == BinaryOp::Multiply && right.constant())
    sum = left.times(*right.constant());
  else if (op == BinaryOp::Multiply && left.constant())
    sum = right.times(*left.constant());
  if (sum)
    return *sum;
  // One symbol for one expression, so that `(rank + 1) % ranks` equals itself.
  return Affine::symbol(symbols.get((left.key() + " " + spelling(op) + " " + right.key()).str()));
}

Expr *Body::checkUnary(const ast::UnaryExpr &unary) {
  Expr *operand = check(unary.operand);
  if (operand->type.isError())
    return error(unary.range);
  bool isBool = operand->type.isScalar(ScalarType::Bool);
  bool isFine = unary.op == UnaryOp::LogicalNot ? isBool
                : unary.op == UnaryOp::BitNot   ? operand->type.isInteger()
                                                : operand->type.isScalar() && !isBool;
  if (!isFine) {
    sink_.report<Rule::OperatorTypes>(unary.range, spelling(unary.op),
                                      text(operand->type, operand->facts));
    return error(unary.range);
  }
  ScalarType type = operand->type.scalar;
  if (operand->kind == ExprKind::Constant) {
    ScalarBits bits = unary.op == UnaryOp::LogicalNot ? ScalarBits(!operand->bits)
                      : unary.op == UnaryOp::BitNot   ? ~operand->bits
                      : info(type).isFloat() ? fromDouble(type, -toDouble(type, operand->bits))
                                             : 0 - operand->bits;
    // `-2147483648`: the literal alone is an i64, negated it is an i32.
    if (operand->isLiteral && type == ScalarType::I64 && int64_t(bits) >= INT32_MIN)
      type = ScalarType::I32;
    Expr *folded = constant(type, bits, unary.range);
    folded->isLiteral = operand->isLiteral;
    return folded;
  }
  Expr *expr = make(ExprKind::Unary, operand->type, unary.range);
  expr->number = unsigned(unary.op);
  expr->ops = list({operand});
  if (unary.op == UnaryOp::Negate && type != ScalarType::Bool && operand->type.isInteger())
    if (std::optional<Affine> negative = operand->value.times(-1))
      expr->value = *negative;
  return expr;
}

/// Whether the operator works on values of a type.
static bool takes(BinaryOp op, ScalarType type) {
  const ScalarInfo &row = info(type);
  bool isBool = row.kind == ScalarKind::Bool;
  switch (info(op).takes) {
  case Takes::None:
    return false;
  case Takes::Bools:
    return isBool;
  case Takes::Integers:
    return row.isInteger();
  case Takes::Numbers:
    return !isBool;
  case Takes::Bits:
    return !row.isFloat();
  case Takes::All:
    return true;
  }
  PTO_UNREACHABLE("what an operator takes");
}

Expr *Body::checkBinary(const ast::BinaryExpr &binary) {
  if (binary.op == BinaryOp::Nearly) {
    sink_.report<Rule::OperatorTypes>(binary.range,
                                      "~=", "anything here: it stands only in `expect`");
    return error(binary.range);
  }
  if (Expr *known = compareEnumerators(binary))
    return known;
  auto [left, right] = checkSides(binary.left, binary.right);
  return makeBinary(binary.op, left, right, binary.range);
}

/// `op == AtomicAdd` where op is a parameter that an enumerator was given for; null for all else.
Expr *Body::compareEnumerators(const ast::BinaryExpr &binary) {
  const auto *param = llvm::dyn_cast_or_null<ast::NameExpr>(binary.left);
  auto given = param ? enumerators.find(param->name) : enumerators.end();
  bool compares = binary.op == BinaryOp::Equal || binary.op == BinaryOp::NotEqual;
  if (given == enumerators.end() || !compares)
    return nullptr;
  Expr *other = checkEnumerator(given->second.first, binary.right);
  if (other->type.isError())
    return other;
  bool isEqual = other->bits == given->second.second;
  return constant(ScalarType::Bool, isEqual == (binary.op == BinaryOp::Equal), binary.range);
}

bool Body::isChosenByEnumerator(const ast::Expr *condition) const {
  const auto *binary = llvm::dyn_cast_or_null<ast::BinaryExpr>(condition);
  const auto *param = binary ? llvm::dyn_cast_or_null<ast::NameExpr>(binary->left) : nullptr;
  return param && enumerators.contains(param->name);
}

bool Body::unify(BinaryOp op, Expr *left, Expr *right, SourceRange range) {
  if (left->type.isHixl() && agrees(left->type, right->type))
    return true;
  bool bothScalar = left->type.isScalar() && right->type.isScalar();
  if (bothScalar && left->isLiteral && right->isLiteral &&
      left->type.scalar != right->type.scalar) {
    // Two literals meet in the wider of their types; a float wins.
    ScalarType wider = std::max(left->type.scalar, right->type.scalar);
    for (Expr *side : {left, right})
      if (side->type.scalar != wider && info(wider).kind != ScalarKind::Bool &&
          side->type.scalar != ScalarType::Bool) {
        side->bits = convert(wider, side->type.scalar, side->bits);
        side->type = Type::of(wider);
      }
  } else if (bothScalar && left->isLiteral && !right->isLiteral) {
    return !coerce(left, right->type, false)->type.isError();
  } else if (bothScalar && right->isLiteral && !left->isLiteral) {
    return !coerce(right, left->type, false)->type.isError();
  }
  if (bothScalar && left->type.scalar == right->type.scalar)
    return true;
  std::string types = text(left->type, left->facts) + " and " + text(right->type, right->facts);
  Finding &finding = sink_.report<Rule::OperatorTypes>(range, spelling(op), types);
  for (Expr *side : {left, right})
    if (side->type.isView() && side->facts->shape.empty())
      adviseLoad(finding, *side, side == left ? right->type : left->type);
  if (!bothScalar)
    return false;
  // The side that the other one's type has room for; an integer next to a float becomes one.
  for (auto [side, other] : {std::pair{left, right}, std::pair{right, left}}) {
    ScalarType from = side->type.scalar, to = other->type.scalar;
    if (holds(to, from) || (info(to).isFloat() && info(from).isInteger()))
      adviseConversion(finding, *side, to);
  }
  return false;
}

/// Literals have no type yet, so they are computed in 64 bits: `1 << 40` is 2^40.
static void widen(Expr *literal) {
  if (literal->type.isInteger() && literal->type.scalar != ScalarType::U64)
    literal->type = Type::of(ScalarType::I64);
}

/// The type that a literal of this value has.
static void narrow(Expr *literal) {
  auto value = int64_t(literal->bits);
  if (literal->type.isScalar(ScalarType::I64) && value >= INT32_MIN && value <= INT32_MAX)
    literal->type = Type::of(ScalarType::I32);
}

Expr *Body::makeBinary(BinaryOp op, Expr *left, Expr *right, SourceRange range) {
  if (left->type.isError() || right->type.isError())
    return error(range);
  bool isLiteral = left->isLiteral && right->isLiteral;
  if (isLiteral) {
    widen(left);
    widen(right);
  }
  if (!unify(op, left, right, range))
    return error(range);
  ScalarType type = left->type.scalar;
  bool compares = op == BinaryOp::Equal || op == BinaryOp::NotEqual;
  if (!takes(op, type) || (left->type.isHixl() && !compares)) {
    sink_.report<Rule::OperatorTypes>(range, spelling(op), text(left->type));
    return error(range);
  }
  bool givesBool = info(op).gives == Gives::Truth;
  Expr *expr = make(ExprKind::Binary, givesBool ? Type::of(ScalarType::Bool) : left->type, range);
  expr->number = unsigned(op);
  expr->ops = list({left, right});
  if (expr->type.isInteger())
    expr->value = valueOf(op, left->value, right->value);
  if (left->kind == ExprKind::Constant && right->kind == ExprKind::Constant) {
    expr = fold(expr);
    expr->isLiteral = isLiteral && !givesBool;
    if (expr->isLiteral)
      narrow(expr);
  }
  return expr;
}

/// Whether signed arithmetic on constants leaves the type.
static bool wraps(BinaryOp op, ScalarType type, ScalarBits a, ScalarBits b) {
  if (info(type).kind != ScalarKind::Signed)
    return false;
  const auto left = __int128(int64_t(a)), right = __int128(int64_t(b));
  __int128 exact = 0;
  switch (op) {
  case BinaryOp::Add:
    exact = left + right;
    break;
  case BinaryOp::Subtract:
    exact = left - right;
    break;
  case BinaryOp::Multiply:
    exact = left * right;
    break;
  default: // Shifts and the rest are of bits.
    return false;
  }
  return exact != __int128(int64_t(normalise(type, ScalarBits(exact))));
}

Expr *Body::fold(Expr *binary) {
  auto op = BinaryOp(binary->number);
  const Expr *left = binary->ops[0], *right = binary->ops[1];
  ScalarType type = left->type.scalar;
  bool divides = op == BinaryOp::Divide || op == BinaryOp::Remainder;
  if (divides && !info(type).isFloat() && right->bits == 0) {
    sink_.report<Rule::ConstantFault>(binary->range, "division by zero in a constant");
    return error(binary->range);
  }
  Expr *folded =
      constant(binary->type.scalar, foldBinary(op, type, left->bits, right->bits), binary->range);
  if (wraps(op, type, left->bits, right->bits))
    sink_.report<Rule::ConstantWrap>(binary->range, checker_.sources.text(binary->range),
                                     formatScalar(type, folded->bits));
  return folded;
}

} // namespace pto::check_detail
