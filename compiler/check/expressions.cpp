//===- expressions.cpp - literals, names, and who checks the rest -----------===//

#include "check/body.h"

#include "base/check.h"
#include "base/near.h"
#include "diag/fix.h"

#include "llvm/ADT/StringExtras.h"

namespace pto::check_detail {

Body::Body(Checker &checker, size_t unit, Function *function, Side side, const Bindings *bindings)
    : checker_(checker), program_(*checker.program), sink_(checker.sink), unit_(unit),
      function_(function), side_(side), bindings_(bindings) {
  if (function)
    function->side = side;
  ranksSymbol = symbols.get("world ranks");
  scopes_.emplace_back();
}

Expr *Body::make(ExprKind kind, const Type &type, SourceRange range) {
  Expr *expr = program_.make<Expr>();
  expr->kind = kind;
  expr->type = type;
  expr->range = calledAt.value_or(range);
  if (type.isInteger())
    expr->value = opaque();
  return expr;
}

Expr *Body::constant(ScalarType type, ScalarBits bits, SourceRange range) {
  Expr *expr = make(ExprKind::Constant, Type::of(type), range);
  expr->bits = normalise(type, bits);
  if (info(type).isInteger())
    expr->value = Affine(int64_t(expr->bits));
  return expr;
}

llvm::ArrayRef<Expr *> Body::list(std::initializer_list<Expr *> exprs) {
  return program_.copy(llvm::ArrayRef<Expr *>(exprs.begin(), exprs.size()));
}

SourceRange Body::rangeOf(llvm::StringRef name, SourceRange around) const {
  if (!around.valid())
    return around;
  llvm::StringRef source = checker_.sources.text(around.file);
  bool isInside = name.begin() >= source.begin() && name.end() <= source.end();
  if (!isInside)
    return around;
  auto begin = uint32_t(name.begin() - source.begin());
  return {around.file, begin, begin + uint32_t(name.size())};
}

Variable *Body::define(llvm::StringRef name, const Type &type, bool isMutable, SourceRange range) {
  if (auto found = scopes_.back().find(name); found != scopes_.back().end()) {
    Finding &finding = sink_.report<Rule::DuplicateName>(range, name);
    sink_.note(finding, found->second->range, "the first one");
  } else if (intrinsicByName(name) || scalarTypeByName(name) || worldValue(name)) {
    sink_.report<Rule::ShadowedInstruction>(range, name);
  }
  Variable *variable = program_.make<Variable>();
  variable->name = program_.copy(name);
  variable->type = type;
  variable->isMutable = isMutable;
  variable->range = calledAt.value_or(range);
  if (type.isInteger() && !isMutable)
    variable->value = opaque();
  scopes_.back()[name] = variable;
  if (function_)
    function_->variables.push_back(variable);
  return variable;
}

Variable *Body::addParam(llvm::StringRef name, const TypeAndFacts &type, SourceRange range) {
  Variable *param = define(name, type.type, false, range);
  param->isParam = true;
  param->facts = type.facts;
  function_->params.push_back(param);
  return param;
}

/// A form that is no value by itself.
static llvm::StringRef formText(ast::NodeKind kind) {
  switch (kind) {
  case ast::NodeKind::StringLiteral:
    return "a text";
  case ast::NodeKind::ListExpr:
  case ast::NodeKind::ListOverExpr:
    return "a list";
  case ast::NodeKind::TupleExpr:
    return "a tuple";
  default:
    return "a map";
  }
}

Expr *Body::check(const ast::Expr *expr) {
  if (!expr)
    return error({});
  switch (expr->kind) {
  case ast::NodeKind::IntegerLiteral:
    return checkInteger(*llvm::cast<ast::IntegerLiteral>(expr));
  case ast::NodeKind::FloatLiteral:
    return checkFloat(*llvm::cast<ast::FloatLiteral>(expr));
  case ast::NodeKind::BoolLiteral:
    return constant(ScalarType::Bool, llvm::cast<ast::BoolLiteral>(expr)->value, expr->range);
  case ast::NodeKind::NameExpr:
    return checkName(*llvm::cast<ast::NameExpr>(expr));
  case ast::NodeKind::MemberExpr:
    return checkMember(*llvm::cast<ast::MemberExpr>(expr));
  case ast::NodeKind::UnaryExpr:
    return checkUnary(*llvm::cast<ast::UnaryExpr>(expr));
  case ast::NodeKind::BinaryExpr:
    return checkBinary(*llvm::cast<ast::BinaryExpr>(expr));
  case ast::NodeKind::CallExpr:
    return checkCall(*llvm::cast<ast::CallExpr>(expr));
  case ast::NodeKind::SessionExpr:
    return checkSession(*llvm::cast<ast::SessionExpr>(expr));
  case ast::NodeKind::SubscriptExpr:
    return checkSubscript(*llvm::cast<ast::SubscriptExpr>(expr));
  case ast::NodeKind::AtExpr:
    return checkAt(*llvm::cast<ast::AtExpr>(expr));
  default:
    // Strings, lists, tuples and maps have a meaning only as arguments of calls that name them.
    sink_.report<Rule::TypeMismatch>(expr->range, "a value", formText(expr->kind));
    return error(expr->range);
  }
}

Expr *Body::checkInteger(const ast::IntegerLiteral &literal) {
  std::string digits;
  for (char c : literal.text)
    if (c != '_')
      digits += c;
  uint64_t value = 0;
  if (llvm::StringRef(digits).getAsInteger(0, value)) {
    // The parse room refused what does not fit; a leading 0 is decimal here, not octal.
    if (llvm::StringRef(digits).getAsInteger(10, value))
      return error(literal.range);
  } else if (digits.size() > 1 && digits[0] == '0' && llvm::isDigit(digits[1])) {
    (void)llvm::StringRef(digits).getAsInteger(10, value);
  }
  ScalarType type = value <= INT32_MAX   ? ScalarType::I32
                    : value <= INT64_MAX ? ScalarType::I64
                                         : ScalarType::U64;
  Expr *expr = constant(type, value, literal.range);
  expr->isLiteral = true;
  return expr;
}

Expr *Body::checkFloat(const ast::FloatLiteral &literal) {
  std::string digits;
  for (char c : literal.text)
    if (c != '_')
      digits += c;
  double value = 0;
  if (llvm::StringRef(digits).getAsDouble(value))
    return error(literal.range);
  Expr *expr = constant(ScalarType::F32, fromDouble(ScalarType::F32, value), literal.range);
  expr->isLiteral = true;
  return expr;
}

std::optional<WorldValue> Body::worldValue(llvm::StringRef wanted) const {
  for (WorldValue value :
       {WorldValue::Rank, WorldValue::Ranks, WorldValue::Block, WorldValue::Blocks})
    if (program::name(value) == wanted)
      return value;
  return std::nullopt;
}

Variable *Body::findVariable(llvm::StringRef name) const {
  for (const auto &scope : llvm::reverse(scopes_))
    if (auto found = scope.find(name); found != scope.end())
      return found->second;
  return nullptr;
}

Expr *Body::read(Variable *variable, SourceRange range) {
  Expr *expr = make(ExprKind::Variable, variable->type, range);
  expr->variable = variable;
  if (variable->type.isInteger() && !variable->isMutable)
    expr->value = variable->value;
  if (variable->type.isView() || variable->type.kind == TypeKind::Tile ||
      variable->type.kind == TypeKind::Group)
    expr->facts = &variable->facts;
  return expr;
}

Expr *Body::checkName(const ast::NameExpr &name) {
  if (Variable *variable = findVariable(name.name))
    return read(variable, name.range);
  if (bindings_)
    if (auto found = bindings_->constants.find(name.name); found != bindings_->constants.end())
      return constant(found->second->type.scalar, found->second->bits, name.range);
  if (GlobalSymbol *symbol = checker_.find(unit_, name.name))
    return globalValue(*symbol, name.range);
  if (std::optional<WorldValue> value = worldValue(name.name)) {
    if (*value == WorldValue::Ranks && checker_.options.ranks)
      return constant(ScalarType::I32, ScalarBits(*checker_.options.ranks), name.range);
    Expr *expr = make(ExprKind::World, Type::of(ScalarType::I32), name.range);
    expr->number = unsigned(*value);
    expr->value = Affine::symbol(symbols.get("world " + name.name.str()));
    return expr;
  }
  reportUnknown(name.name, name.range);
  return error(name.range);
}

Expr *Body::globalValue(GlobalSymbol &symbol, SourceRange range) {
  switch (symbol.kind) {
  case GlobalSymbol::Kind::Const: {
    Expr *value = checker_.constant(symbol);
    return value->kind == ExprKind::Constant ? constant(value->type.scalar, value->bits, range)
                                             : error(range);
  }
  case GlobalSymbol::Kind::Object: {
    const Object &object = program_.objects[symbol.object];
    if (object.isHost && side_ == Side::Device)
      sink_.report<Rule::HostMemory>(range, object.name);
    Expr *expr = make(ExprKind::Object, object.type, range);
    expr->number = symbol.object;
    ViewFacts *facts = newFacts(object.facts);
    // The object's sizes speak of `ranks` by the symbol of its own body; this body has another.
    facts->shape.clear();
    for (const ObjectExtent &extent : object.shape) {
      std::optional<Affine> scaled = Affine::symbol(ranksSymbol).times(extent.perRank);
      std::optional<Affine> size = scaled ? scaled->plus(Affine(extent.fixed)) : std::nullopt;
      facts->shape.push_back(size ? *size : opaque());
    }
    setContiguous(*facts);
    expr->facts = facts;
    return expr;
  }
  default:
    sink_.report<Rule::TypeMismatch>(range, "a value", "the name of a function, kernel or module");
    return error(range);
  }
}

Expr *Body::checkMember(const ast::MemberExpr &member) {
  if (const auto *base = llvm::dyn_cast_or_null<ast::NameExpr>(member.base)) {
    GlobalSymbol *module = findVariable(base->name) ? nullptr : checker_.find(unit_, base->name);
    if (module && module->kind == GlobalSymbol::Kind::Module) {
      if (GlobalSymbol *symbol = checker_.find(module->module, member.name))
        return globalValue(*symbol, member.range);
      reportUnknown(member.name, member.range);
      return error(member.range);
    }
  }
  Expr *base = check(member.base);
  if (!base->type.isError())
    sink_.report<Rule::TypeMismatch>(member.range, "a module, or `.reshape[...]` of a view",
                                     text(base->type, base->facts));
  return error(member.range);
}

void Body::reportUnknown(llvm::StringRef name, SourceRange range) {
  Finding &finding = sink_.report<Rule::UnknownName>(range, name);
  if (intrinsicByName(name)) { // It was looked for in a module.
    finding.details.push_back("`" + name.str() + "` is an instruction: it has no module before it");
    return;
  }
  // The nearest name that exists, if one is near enough to be meant.
  NearestName nearest(name);
  for (const auto &scope : scopes_)
    for (const auto &entry : scope)
      nearest.consider(entry.first());
  for (const auto &entry : checker_.scopes[unit_])
    nearest.consider(entry.first());
  for (const IntrinsicInfo &row : intrinsics())
    nearest.consider(row.name);
  if (nearest.best().empty())
    return;
  finding.details.push_back("did you mean `" + nearest.best() + "`?");
  SourceRange written = rangeOf(name, range);
  if (written.valid() && checker_.sources.text(written) == name)
    fixReplace(checker_.sources, finding, written, nearest.best());
}

std::optional<int64_t> Body::checkConstantInteger(const ast::Expr *written, llvm::StringRef what) {
  Expr *expr = check(written);
  if (expr->type.isError())
    return std::nullopt;
  if (expr->kind == ExprKind::Constant && expr->type.isInteger())
    return int64_t(expr->bits);
  sink_.report<Rule::NotConstant>(expr->range, what);
  return std::nullopt;
}

/// A `let` that is assigned to was meant to be a `var`.
void Body::adviseVar(Finding &finding, const Variable &variable) const {
  SourceRange name = variable.range;
  llvm::StringRef before = checker_.sources.text(name.file).take_front(name.begin).rtrim();
  bool isLet = before.consume_back("let") && (before.empty() || !llvm::isAlnum(before.back()));
  if (!isLet || variable.type.kind == TypeKind::Session || variable.type.kind == TypeKind::Group)
    return;
  auto begin = uint32_t(before.size());
  fixReplace(checker_.sources, finding, {name.file, begin, begin + 3}, "var");
}

bool Body::requireInteger(Expr *expr) {
  expr->isLiteral = false;
  if (expr->type.isInteger())
    return true;
  if (!expr->type.isError())
    sink_.report<Rule::TypeMismatch>(expr->range, "an integer", text(expr->type, expr->facts));
  return false;
}

} // namespace pto::check_detail
