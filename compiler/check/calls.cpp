//===- calls.cpp - calls of functions, conversions and built-in forms --------===//

#include "check/body.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::check_detail {

bool Body::bindArguments(llvm::ArrayRef<ast::Part *> arguments,
                         llvm::ArrayRef<llvm::StringRef> names, llvm::StringRef callee,
                         SourceRange at, llvm::SmallVectorImpl<const ast::Expr *> &bound) {
  bound.assign(names.size(), nullptr);
  size_t position = 0;
  for (const ast::Part *part : arguments) {
    const auto *argument = llvm::dyn_cast_or_null<ast::Argument>(part);
    if (!argument || !argument->value)
      return false; // A syntax error was reported there.
    size_t index = position++;
    if (!argument->name.empty()) {
      index = size_t(llvm::find(names, argument->name) - names.begin());
      if (index == names.size()) {
        sink_.report<Rule::WrongArguments>(argument->range, "`" + callee.str() +
                                                                "` has no parameter `" +
                                                                argument->name.str() + "`");
        return false;
      }
    }
    if (index >= names.size()) {
      sink_.report<Rule::WrongArguments>(argument->range, "`" + callee.str() + "` takes at most " +
                                                              std::to_string(names.size()) +
                                                              " arguments");
      return false;
    }
    if (bound[index]) {
      sink_.report<Rule::WrongArguments>(argument->range, "`" + names[index].str() + "` of `" +
                                                              callee.str() + "` is given twice");
      return false;
    }
    bound[index] = argument->value;
  }
  return true;
}

GlobalSymbol *Body::calleeSymbol(const ast::Expr *callee) {
  if (const auto *name = llvm::dyn_cast_or_null<ast::NameExpr>(callee))
    return checker_.find(unit_, name->name);
  const auto *member = llvm::dyn_cast_or_null<ast::MemberExpr>(callee);
  const auto *base = member ? llvm::dyn_cast_or_null<ast::NameExpr>(member->base) : nullptr;
  GlobalSymbol *module = base ? checker_.find(unit_, base->name) : nullptr;
  if (!module || module->kind != GlobalSymbol::Kind::Module)
    return nullptr;
  return checker_.find(module->module, member->name);
}

/// `shmem.set_atomic_none()`
std::optional<Intrinsic> Body::offeredIntrinsic(const ast::Expr *callee) {
  const auto *member = llvm::dyn_cast_or_null<ast::MemberExpr>(callee);
  const auto *base = member ? llvm::dyn_cast_or_null<ast::NameExpr>(member->base) : nullptr;
  GlobalSymbol *module = base ? checker_.find(unit_, base->name) : nullptr;
  return module && module->kind == GlobalSymbol::Kind::Module
             ? intrinsicOfModule(base->name, member->name)
             : std::nullopt;
}

Expr *Body::checkCall(const ast::CallExpr &call) {
  if (GlobalSymbol *symbol = calleeSymbol(call.callee))
    return callFunction(*symbol, call);
  if (std::optional<Intrinsic> offered = offeredIntrinsic(call.callee))
    return checkIntrinsic(*offered, call);
  bool isHixl = false;
  if (Expr *made = callHixl(call, isHixl); isHixl)
    return made;
  const auto *name = llvm::dyn_cast_or_null<ast::NameExpr>(call.callee);
  if (!name) {
    Expr *callee = check(call.callee);
    if (!callee->type.isError())
      sink_.report<Rule::TypeMismatch>(call.range, "a function", text(callee->type, callee->facts));
    return error(call.range);
  }
  if (Variable *variable = findVariable(name->name)) {
    sink_.report<Rule::TypeMismatch>(name->range, "a function",
                                     text(variable->type, &variable->facts));
    return error(call.range);
  }
  if (std::optional<Intrinsic> intrinsic = intrinsicByName(name->name))
    return checkIntrinsic(*intrinsic, call);
  if (std::optional<ScalarType> type = scalarTypeByName(name->name))
    return checkConversion(*type, call);
  if (bindings_)
    if (auto found = bindings_->types.find(name->name); found != bindings_->types.end())
      return checkConversion(found->second, call);
  if (name->name == "view")
    return checkViewCall(call);
  if (name->name == "hash")
    return checkHash(call);
  if (name->name == "group")
    return checkGroup(call);
  if (name->name == "print" || name->name == "assert")
    sink_.report<Rule::TypeMismatch>(call.range, "a value",
                                     "`" + name->name.str() + "(...)`, which is a statement");
  else
    reportUnknown(name->name, name->range);
  return error(call.range);
}

Expr *Body::checkConversion(ScalarType type, const ast::CallExpr &call) {
  llvm::SmallVector<const ast::Expr *, 4> bound;
  if (!bindArguments(call.arguments, {"x"}, info(type).name, call.range, bound))
    return error(call.range);
  if (!bound[0]) {
    sink_.report<Rule::WrongArguments>(call.range,
                                       "`" + info(type).name.str() + "(x)` converts one value");
    return error(call.range);
  }
  Expr *from = check(bound[0]);
  if (from->type.isError())
    return error(call.range);
  if (!from->type.isScalar()) {
    sink_.report<Rule::TypeMismatch>(from->range, "a scalar to convert",
                                     text(from->type, from->facts));
    return error(call.range);
  }
  if (from->kind == ExprKind::Constant)
    return constant(type, convert(type, from->type.scalar, from->bits), call.range);
  Expr *expr = make(ExprKind::Convert, Type::of(type), call.range);
  expr->ops = list({from});
  // A widening conversion keeps the value; a narrowing one may not.
  if (from->type.isInteger() && info(type).isInteger() &&
      info(type).bits >= info(from->type.scalar).bits &&
      info(type).kind == info(from->type.scalar).kind)
    expr->value = from->value;
  return expr;
}

Expr *Body::checkHash(const ast::CallExpr &call) {
  llvm::SmallVector<Expr *, 4> ops;
  for (const ast::Part *part : call.arguments) {
    const auto *argument = llvm::dyn_cast_or_null<ast::Argument>(part);
    Expr *value = argument ? check(argument->value) : error(call.range);
    if (value->type.isError())
      return error(call.range);
    if (!value->type.isScalar()) {
      sink_.report<Rule::TypeMismatch>(value->range, "a scalar to hash",
                                       text(value->type, value->facts));
      return error(call.range);
    }
    value->isLiteral = false;
    ops.push_back(value);
  }
  if (ops.empty()) {
    sink_.report<Rule::WrongArguments>(call.range, "`hash(a, b, ...)` takes at least one value");
    return error(call.range);
  }
  Expr *expr = make(ExprKind::Hash, Type::of(ScalarType::U32), call.range);
  expr->ops = program_.copy(llvm::ArrayRef<Expr *>(ops));
  return expr;
}

std::optional<std::vector<const ast::Expr *>>
Body::completeArguments(llvm::ArrayRef<ast::Part *> params, llvm::ArrayRef<ast::Part *> arguments,
                        llvm::StringRef callee, SourceRange declared, SourceRange at) {
  llvm::SmallVector<llvm::StringRef, 8> names;
  for (const ast::Part *part : params)
    names.push_back(llvm::cast<ast::Param>(part)->name);
  llvm::SmallVector<const ast::Expr *, 8> bound;
  if (!bindArguments(arguments, names, callee, at, bound))
    return std::nullopt;
  for (size_t i = 0; i != names.size(); ++i) {
    if (!bound[i])
      bound[i] = llvm::cast<ast::Param>(params[i])->value;
    if (bound[i])
      continue;
    Finding &finding = sink_.report<Rule::WrongArguments>(
        at, "`" + callee.str() + "` needs an argument for `" + names[i].str() + "`");
    sink_.note(finding, declared, "declared here");
    return std::nullopt;
  }
  return std::vector<const ast::Expr *>(bound.begin(), bound.end());
}

/// Why a name that was called is no function, if it is none.
static std::optional<std::string> whyNoFunction(const GlobalSymbol &symbol, llvm::StringRef shown) {
  if (symbol.kind == GlobalSymbol::Kind::Fn)
    return std::nullopt;
  if (symbol.kind == GlobalSymbol::Kind::Kernel)
    return "`" + shown.str() + "` is a kernel: a host starts it with `launch`, nothing calls it";
  return "`" + shown.str() + "` is no function";
}

/// A default value means what it means where the function is declared.
Expr *Body::checkDefault(const GlobalSymbol &symbol, const ast::Expr *value) {
  Body there(checker_, symbol.unit, function_, side_);
  std::swap(there.symbols, symbols); // What is computed from `rank` here stays comparable.
  there.calledAt = calledAt;
  Expr *made = there.check(value);
  std::swap(there.symbols, symbols);
  return made;
}

Expr *Body::checkArgument(const GlobalSymbol &symbol, const ast::Param &param,
                          const ast::Expr *written) {
  if (std::optional<IsaEnum> which = enumOf(param.type))
    return checkEnumerator(*which, written);
  return written == param.value ? checkDefault(symbol, written) : check(written);
}

Expr *Body::callFunction(GlobalSymbol &symbol, const ast::CallExpr &call) {
  llvm::StringRef shown = checker_.sources.text(call.callee->range);
  if (std::optional<std::string> why = whyNoFunction(symbol, shown)) {
    sink_.report<Rule::WrongArguments>(call.range, *why);
    return error(call.range);
  }
  if (!function_) {
    sink_.report<Rule::NotConstant>(call.range, "a call of a function");
    return error(call.range);
  }
  const auto &item = *llvm::cast<ast::FnItem>(symbol.item);
  auto written = completeArguments(item.params, call.arguments, shown, item.nameRange, call.range);
  if (!written)
    return error(call.range);
  std::vector<Expr *> args;
  for (size_t i = 0; i != written->size(); ++i) {
    args.push_back(checkArgument(symbol, *llvm::cast<ast::Param>(item.params[i]), (*written)[i]));
    if (args.back()->type.isError())
      return error(call.range);
  }
  Function *callee = checker_.instance(symbol, args, side_, calledAt.value_or(call.range));
  if (!callee)
    return error(call.range);
  llvm::erase_if(args, [](const Expr *arg) { return arg->kind == ExprKind::EnumValue; });
  for (size_t i = 0; i != args.size() && i != callee->params.size(); ++i) {
    args[i] = coerce(args[i], callee->params[i]->type);
    if (args[i]->type.isError())
      return error(call.range);
  }
  Expr *expr = make(ExprKind::Call, callee->result, call.range);
  expr->function = callee;
  expr->ops = program_.copy(llvm::ArrayRef<Expr *>(args));
  if (expr->type.isView())
    expr->facts = newFacts(callee->resultFacts);
  return expr;
}

} // namespace pto::check_detail
