//===- hixl.cpp - calls of HIXL: handles, names, pairs of ranges --------------------===//

#include "check/body.h"

#include "base/near.h"
#include "diag/fix.h"
#include "hixl/facts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace pto::check_detail {

static constexpr llvm::StringLiteral kModule = "hixl";
static constexpr llvm::StringLiteral kNull = "null";

/// `hixl.engine("…")`, and `e.connect("…")`, whose first operand is what stands before the dot.
Expr *Body::callHixl(const ast::CallExpr &call, bool &isHixl) {
  const auto *member = llvm::dyn_cast_or_null<ast::MemberExpr>(call.callee);
  std::optional<Intrinsic> row =
      member ? intrinsicByName((kModule + "." + member->name).str()) : std::nullopt;
  isHixl = row.has_value();
  if (!row)
    return nullptr;
  const auto *base = llvm::dyn_cast_or_null<ast::NameExpr>(member->base);
  bool isVariable = base && findVariable(base->name);
  GlobalSymbol *symbol = base && !isVariable ? checker_.find(unit_, base->name) : nullptr;
  if (symbol && symbol->kind == GlobalSymbol::Kind::Module) {
    isHixl = base->name == kModule;
    return isHixl ? checkIntrinsic(*row, call) : nullptr;
  }
  ast::Argument receiver;
  receiver.range = member->base ? member->base->range : call.range;
  receiver.value = member->base;
  llvm::SmallVector<ast::Part *, 8> arguments = {&receiver};
  llvm::append_range(arguments, call.arguments);
  ast::CallExpr whole;
  whole.range = call.range;
  whole.callee = call.callee;
  whole.arguments = arguments;
  return checkIntrinsic(*row, whole);
}

Expr *Body::hixlConstant(const Type &type, ScalarBits bits, SourceRange range) {
  Expr *expr = make(ExprKind::Constant, type, range);
  expr->bits = bits;
  return expr;
}

/// A name that nothing in scope has.
bool Body::isBareName(const ast::Expr *written) const {
  const auto *name = llvm::dyn_cast_or_null<ast::NameExpr>(written);
  return name && isFreeName(name);
}

Expr *Body::hixlValue(const Type &type, const ast::NameExpr &name) {
  auto values = names(type.hixlEnum);
  auto found = llvm::find(values, name.name);
  if (found != values.end())
    return hixlConstant(type, ScalarBits(found - values.begin()), name.range);
  NearestName nearest(name.name);
  for (llvm::StringRef value : values)
    nearest.consider(value);
  Finding &finding = sink_.report<Rule::TypeMismatch>(
      name.range, "one of " + llvm::join(values, ", ") + " (" + text(type) + ")",
      "`" + name.name.str() + "`");
  if (!nearest.best().empty())
    fixReplace(checker_.sources, finding, name.range, nearest.best());
  return error(name.range);
}

Expr *Body::checkBeside(const ast::Expr *written, const Expr &other) {
  const auto *name = isBareName(written) ? llvm::cast<ast::NameExpr>(written) : nullptr;
  if (name && other.type.isError())
    return error(written->range); // What it would have been is not known.
  if (!name || !other.type.isHixl())
    return check(written);
  if (other.type.kind == TypeKind::HixlValue)
    return hixlValue(other.type, *name);
  return name->name == kNull ? hixlConstant(other.type, 0, name->range) : check(written);
}

std::pair<Expr *, Expr *> Body::checkSides(const ast::Expr *left, const ast::Expr *right) {
  if (isBareName(left) && !isBareName(right)) {
    Expr *second = check(right);
    return {checkBeside(left, *second), second};
  }
  Expr *first = check(left);
  return {first, checkBeside(right, *first)};
}

/// A name of hixl.def as an argument, carried as the number of its row.
Expr *Body::checkHixlName(const ParamInfo &param, const ast::Expr *written) {
  llvm::SmallVector<llvm::StringRef, 4> names;
  if (param.kind == ParamKind::HixlMemType)
    for (const HixlMemTypeInfo &row : hixlMemTypes())
      names.push_back(row.name.drop_front(llvm::StringRef("MEM_").size())); // DEVICE, HOST
  else
    for (const HixlValueInfo &row : param.kind == ParamKind::HixlOp ? hixlOps() : hixlFeatures())
      names.push_back(row.name);
  const auto *name = llvm::dyn_cast_or_null<ast::NameExpr>(written);
  auto found = name ? llvm::find(names, name->name) : names.end();
  if (found != names.end()) {
    size_t row = size_t(found - names.begin());
    bool isFeature = param.kind == ParamKind::HixlFeature;
    int64_t number = isFeature ? hixlFeatures()[row].number : int64_t(row);
    return constant(ScalarType::I32, ScalarBits(number), name->range);
  }
  if (param.kind == ParamKind::HixlFeature && !isBareName(written))
    return checkAs(written, Type::of(ScalarType::I32));
  sink_.report<Rule::TypeMismatch>(written->range, "one of " + llvm::join(names, ", "),
                                   "`" + checker_.sources.text(written->range).str() + "`");
  return error(written->range);
}

Expr *Body::checkHixlHandle(Intrinsic intrinsic, const ParamInfo &param, const ast::Expr *written) {
  TypeKind kind = param.kind == ParamKind::HixlEngine ? TypeKind::HixlEngine
                  : param.kind == ParamKind::HixlMem  ? TypeKind::HixlMem
                                                      : TypeKind::HixlRequest;
  Type want = Type::handle(kind);
  const auto *name = isBareName(written) ? llvm::cast<ast::NameExpr>(written) : nullptr;
  if (name && name->name == kNull && kind != TypeKind::HixlEngine)
    return hixlConstant(want, 0, name->range);
  Expr *operand = check(written);
  if (agrees(want, operand->type))
    return operand;
  sink_.report<Rule::TypeMismatch>(operand->range,
                                   text(want) + " for `" + info(intrinsic).name.str() + "`",
                                   text(operand->type, operand->facts));
  return error(operand->range);
}

Expr *Body::checkHixlOperand(Intrinsic intrinsic, const ParamInfo &param,
                             const ast::Expr *written) {
  switch (param.kind) {
  case ParamKind::HixlEngine:
  case ParamKind::HixlMem:
  case ParamKind::HixlRequest:
    return checkHixlHandle(intrinsic, param, written);
  case ParamKind::HixlMemType:
  case ParamKind::HixlOp:
  case ParamKind::HixlFeature:
    return checkHixlName(param, written);
  case ParamKind::Text:
    return checkText(written, true);
  case ParamKind::TextMap:
    return checkTextMap(written);
  case ParamKind::RangePairs:
    return checkPairs(written);
  default:
    return nullptr;
  }
}

/// Whether a pair has one length; the run asks where it is not known.
bool Body::sameBytes(const Expr &local, const Expr &remote, SourceRange range) {
  int64_t sizes[2];
  for (size_t i = 0; i != 2; ++i) {
    const Expr &side = i == 0 ? local : remote;
    std::optional<Affine> elements = side.facts->elements();
    if (!elements || !elements->constant())
      return true;
    sizes[i] = *elements->constant() * info(side.type.scalar).bytes();
  }
  if (sizes[0] == sizes[1])
    return true;
  sink_.report<Rule::HixlRange>(range, "this pair has " + std::to_string(sizes[0]) +
                                           " bytes here and " + std::to_string(sizes[1]) +
                                           " at the remote");
  return false;
}

/// `(local, remote)`
bool Body::checkPair(const ast::Expr *written, llvm::SmallVectorImpl<Expr *> &ops) {
  const auto *pair = llvm::dyn_cast_or_null<ast::TupleExpr>(written);
  if (!pair || pair->elements.size() != 2) {
    SourceRange at = written ? written->range : SourceRange{};
    sink_.report<Rule::TypeMismatch>(at, "a pair `(local, remote)` of ranges",
                                     "`" + checker_.sources.text(at).str() + "`");
    return false;
  }
  static constexpr ParamInfo kSides[] = {
      {llvm::StringLiteral("local"), ParamKind::GmView, Access::Both, false},
      {llvm::StringLiteral("remote"), ParamKind::RemoteView, Access::Both, false}};
  bool isFine = true;
  for (size_t i = 0; i != 2; ++i) {
    Expr *side = check(pair->elements[i]);
    if (!side->type.isError())
      side = checkViewOperand(Intrinsic::HixlTransferSync, kSides[i], side);
    isFine &= !side->type.isError();
    ops.push_back(side);
  }
  return isFine && sameBytes(*ops[ops.size() - 2], *ops.back(), pair->range);
}

/// `[(x[i..i + 1], y@p[i..i + 1]) for i in 0..n]`
Expr *Body::checkPairsOver(const ast::ListOverExpr &list) {
  Type number = Type::of(ScalarType::I32);
  Expr *low = checkAs(list.low, number), *high = checkAs(list.high, number);
  scopes_.emplace_back();
  Variable *variable = define(list.name, number, false, rangeOf(list.name, list.range));
  llvm::SmallVector<Expr *, 4> ops = {low, high};
  bool isFine = checkPair(list.element, ops) && !low->type.isError() && !high->type.isError();
  scopes_.pop_back();
  if (!isFine)
    return error(list.range);
  Expr *expr = make(ExprKind::PairsOver, Type::none(), list.range);
  expr->variable = variable;
  expr->ops = program_.copy(llvm::ArrayRef<Expr *>(ops));
  return expr;
}

Expr *Body::checkPairs(const ast::Expr *written) {
  if (const auto *over = llvm::dyn_cast<ast::ListOverExpr>(written))
    return checkPairsOver(*over);
  const auto *list = llvm::dyn_cast<ast::ListExpr>(written);
  if (!list) {
    sink_.report<Rule::TypeMismatch>(written->range, "a list `[(local, remote), …]` of ranges",
                                     "`" + checker_.sources.text(written->range).str() + "`");
    return error(written->range);
  }
  llvm::SmallVector<Expr *, 8> ops;
  bool isFine = true;
  for (const ast::Expr *element : list->elements)
    isFine &= checkPair(element, ops);
  if (!isFine)
    return error(written->range);
  Expr *expr = make(ExprKind::Pairs, Type::none(), written->range);
  expr->ops = program_.copy(llvm::ArrayRef<Expr *>(ops));
  return expr;
}

} // namespace pto::check_detail
