//===- functions.cpp - kernels, and instances of functions ---------------------------===//

#include "check/body.h"

#include "check/events.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::check_detail {

void Checker::declareKernels() {
  for (GlobalSymbol *symbol : inOrder_) {
    if (symbol->kind != GlobalSymbol::Kind::Kernel)
      continue;
    const auto &item = *llvm::cast<ast::KernelItem>(symbol->item);
    program->functions.push_back(std::make_unique<Function>());
    Function *kernel = symbol->kernel = program->functions.back().get();
    kernel->name = item.name.str();
    kernel->kind = program::FunctionKind::Kernel;
    kernel->range = item.nameRange;
    kernel->isSyncAuto = item.syncAuto;
  }
}

void Checker::checkKernels() {
  for (GlobalSymbol *symbol : inOrder_) {
    if (symbol->kind != GlobalSymbol::Kind::Kernel)
      continue;
    const auto &item = *llvm::cast<ast::KernelItem>(symbol->item);
    Body body(*this, symbol->unit, symbol->kernel, Side::Device);
    for (const ast::Part *part : item.params) {
      const auto &param = *llvm::cast<ast::Param>(part);
      TypeAndFacts type = body.resolve(param.type);
      bool isPassable =
          type.type.isScalar() || (type.type.isView() && type.type.locality == Locality::Gm);
      if (!isPassable && !type.type.isError())
        sink.report<Rule::TypeMismatch>(param.range,
                                        "a scalar, `gm` or `window`, which a host can pass",
                                        text(type.type, &type.facts));
      body.addParam(param.name, type, param.range);
    }
    body.checkFunction(item.body);
    checkEvents(*symbol->kernel, *program, sources, sink);
  }
}

/// The value of a `const` parameter.
Expr *Checker::bindSize(int64_t size) {
  Expr *value = program->make<Expr>();
  value->kind = ExprKind::Constant;
  value->type = Type::of(ScalarType::I32);
  value->bits = ScalarBits(size);
  value->value = Affine(size);
  return value;
}

/// Binds what one argument says of one generic parameter.
void Checker::bindGeneric(const ast::Generic &generic, const ast::TypeName &type, const Expr &arg,
                          Bindings &bindings) {
  if (!generic.type) {
    bool hasElement = arg.type.isScalar() || arg.facts;
    if (generic.name == type.name && hasElement)
      bindings.types.try_emplace(generic.name, arg.type.scalar);
    if (generic.name == type.argument && arg.type.kind == TypeKind::Session)
      bindings.engines.try_emplace(generic.name, arg.type.engine);
    return;
  }
  for (size_t d = 0; arg.facts && d != type.dims.size() && d < arg.facts->shape.size(); ++d) {
    const auto *name = llvm::dyn_cast_or_null<ast::NameExpr>(type.dims[d]);
    std::optional<int64_t> size = arg.facts->shape[d].constant();
    if (!name || name->name != generic.name || !size || bindings.constants.contains(generic.name))
      continue;
    bindings.constants[generic.name] = bindSize(*size);
  }
}

bool Checker::bindGenerics(const ast::FnItem &item, llvm::ArrayRef<Expr *> args, Bindings &bindings,
                           SourceRange at) {
  for (const ast::Part *part : item.generics) {
    const auto &generic = *llvm::cast<ast::Generic>(part);
    for (size_t i = 0; i != args.size(); ++i)
      if (const auto *type =
              llvm::dyn_cast_or_null<ast::TypeName>(llvm::cast<ast::Param>(item.params[i])->type))
        bindGeneric(generic, *type, *args[i], bindings);
    bool isBound = generic.type ? bindings.constants.contains(generic.name)
                                : bindings.types.contains(generic.name) ||
                                      bindings.engines.contains(generic.name);
    if (isBound)
      continue;
    Finding &finding = sink.report<Rule::NotInferred>(at, generic.name, item.name);
    sink.note(finding, generic.range, "declared here");
    return false;
  }
  return true;
}

namespace {
/// Renames the sums of a caller so that equal sums stay equal and nothing else is known of them.
class Renamer {
public:
  explicit Renamer(Symbols &symbols) : symbols_(symbols) {}
  Affine operator()(const Affine &sum) {
    if (sum.constant())
      return sum;
    auto [entry, isNew] = names_.try_emplace(sum.key(), names_.size());
    return Affine::symbol(symbols_.get("argument " + std::to_string(entry->second)));
  }
  ViewFacts operator()(const ViewFacts &from) {
    ViewFacts to;
    to.object = from.object;
    to.isDynamic = from.isDynamic;
    if (from.members)
      to.members = (*this)(*from.members);
    for (const Affine &size : from.shape)
      to.shape.push_back((*this)(size));
    for (const Affine &stride : from.stride)
      to.stride.push_back((*this)(stride));
    to.offset = (*this)(from.offset);
    if (from.peer)
      to.peer = (*this)(*from.peer);
    return to;
  }

private:
  Symbols &symbols_;
  llvm::StringMap<size_t> names_;
};
} // namespace

/// A key that is equal exactly for arguments of which the same is known.
static std::string keyOf(const Type &type, const ViewFacts &facts) {
  std::string key = text(type) + "@" + std::to_string(facts.object);
  for (const Affine &size : facts.shape)
    key += "," + size.key();
  key += ";";
  for (const Affine &stride : facts.stride)
    key += "," + stride.key();
  key += ";" + facts.offset.key();
  if (facts.isDynamic)
    key += *facts.isDynamic ? ";valid" : ";whole";
  if (facts.members)
    key += ";" + facts.members->key();
  return facts.peer ? key + ";" + facts.peer->key() : key;
}

/// `a -> b -> a`, for the finding about recursion.
static std::string cycleText(llvm::ArrayRef<const ast::FnItem *> stack, const ast::FnItem *again) {
  std::string text;
  for (const ast::FnItem *item :
       stack.drop_front(size_t(llvm::find(stack, again) - stack.begin())).drop_front())
    text += (text.empty() ? " through `" : "` and `") + item->name.str();
  return text.empty() ? text : text + "`";
}

/// Declares the parameters of an instance with what is known of its arguments; gives the key under
/// which instances that know the same are one.
std::string Checker::addParams(Body &body, const ast::FnItem &item, llvm::ArrayRef<Expr *> args) {
  Renamer rename(body.symbols);
  std::string key;
  for (size_t i = 0; i != item.params.size(); ++i) {
    const auto &param = *llvm::cast<ast::Param>(item.params[i]);
    if (std::optional<IsaEnum> which = enumOf(param.type)) {
      // Without a call any enumerator does, to check the rest of the body.
      uint8_t number = i < args.size() ? uint8_t(args[i]->bits) : info(*which).values[0].number;
      body.enumerators[param.name] = {*which, number};
      key += "|" + info(*which).name.str() + std::to_string(number);
      continue;
    }
    TypeAndFacts type = body.resolve(param.type);
    if (i < args.size() && args[i]->facts && agrees(type.type, args[i]->type)) {
      checkShapes(param, type.facts, args[i]);
      type.facts = rename(*args[i]->facts);
    }
    key += "|" + keyOf(type.type, type.facts);
    body.addParam(param.name, type, param.range);
  }
  return key;
}

void Checker::takeResult(Body &body, const ast::FnItem &item, Function &function) {
  TypeAndFacts result = body.resolve(item.result);
  if (result.type.kind == TypeKind::Group) {
    sink.report<Rule::TypeMismatch>(item.nameRange, "a result that outlives the call",
                                    text(result.type, &result.facts));
    result.type = Type::error();
  }
  function.result = result.type;
  function.resultFacts = result.facts;
}

static std::unique_ptr<Function> named(const ast::FnItem &item) {
  auto function = std::make_unique<Function>();
  function->name = item.name.str();
  function->range = item.nameRange;
  return function;
}

Function *Checker::instance(GlobalSymbol &symbol, llvm::ArrayRef<Expr *> args, Side side,
                            SourceRange at) {
  const auto &item = *llvm::cast<ast::FnItem>(symbol.item);
  symbol.state = GlobalSymbol::State::Done;
  if (llvm::is_contained(instancesInProgress_, &item)) {
    sink.report<Rule::Recursion>(at, item.name, cycleText(instancesInProgress_, &item));
    return nullptr;
  }
  Bindings bindings;
  if (!bindGenerics(item, args, bindings, at))
    return nullptr;
  std::unique_ptr<Function> owned = named(item);
  Function *function = owned.get();
  Body body(*this, symbol.unit, function, side, &bindings);
  bool isCall = at != item.nameRange; // Else nothing calls it, and it is checked for itself.
  std::string key =
      std::to_string(symbol.unit) + "." + function->name + ":" + std::to_string(int(side));
  if (isCall && sources.name(item.nameRange.file).starts_with("<")) {
    body.calledAt = at; // Of the library each call has an instance of its own.
    key += "@" + std::to_string(int(at.file)) + ":" + std::to_string(at.begin);
  }
  key += addParams(body, item, args);
  if (auto found = instances_.find(key); found != instances_.end())
    return found->second;
  if (item.result)
    takeResult(body, item, *function);
  instancesInProgress_.push_back(&item);
  if (isCall)
    sink.enterContext(at, "in this call");
  body.checkFunction(item.body);
  instancesInProgress_.pop_back();
  if (function->result.kind != TypeKind::Void && !alwaysReturns(function->body))
    sink.report<Rule::MissingReturn>(item.nameRange, item.name, text(function->result));
  checkEvents(*function, *program, sources, sink);
  if (isCall)
    sink.leaveContext();
  program->functions.push_back(std::move(owned));
  return instances_[key] = function;
}

void Checker::checkShapes(const ast::Param &param, const ViewFacts &declared, const Expr *arg) {
  // `tile T[n]` is a tile of one row.
  if (arg->type.kind == TypeKind::Tile && declared.shape.size() == 1) {
    ViewFacts row = declared;
    row.shape.insert(row.shape.begin(), Affine(1));
    return checkShapes(param, row, arg);
  }
  if (declared.shape.size() != arg->facts->shape.size()) {
    Finding &finding = sink.report<Rule::BadShape>(
        arg->range, "`" + param.name.str() + "` has " + std::to_string(declared.shape.size()) +
                        " dimensions, and this view has " +
                        std::to_string(arg->facts->shape.size()));
    sink.note(finding, param.range, "declared here");
    return;
  }
  for (size_t d = 0; d != declared.shape.size(); ++d) {
    std::optional<int64_t> wanted = declared.shape[d].constant(),
                           given = arg->facts->shape[d].constant();
    if (!wanted || !given || *wanted == *given)
      continue;
    Finding &finding = sink.report<Rule::BadShape>(
        arg->range, "`" + param.name.str() + "` is " + text(declared.shape) +
                        ", and this view is " + text(arg->facts->shape));
    sink.note(finding, param.range, "declared here");
    return;
  }
}

/// Whether a `break` in the statements leaves the loop around them.
static bool breaks(llvm::ArrayRef<Stmt *> body) {
  return llvm::any_of(body, [](const Stmt *stmt) {
    bool isLoop = stmt->kind == StmtKind::While || stmt->kind == StmtKind::For;
    return stmt->kind == StmtKind::Break ||
           (!isLoop && (breaks(stmt->body) || breaks(stmt->otherwise)));
  });
}

bool Checker::alwaysReturns(llvm::ArrayRef<Stmt *> body) {
  if (body.empty())
    return false;
  const Stmt *last = body.back();
  switch (last->kind) {
  case StmtKind::Return:
    return true;
  case StmtKind::Block:
    return alwaysReturns(last->body);
  case StmtKind::If:
    return alwaysReturns(last->body) && alwaysReturns(last->otherwise);
  case StmtKind::While:
    return !last->value && !breaks(last->body); // `loop` without an end
  default:
    return false;
  }
}

/// A generic function that nothing calls: its names and calls are checked with stand-ins for its
/// parameters. What depends on their sizes is not, since no size is the right one.
void Checker::checkUncalledGeneric(GlobalSymbol &symbol) {
  static constexpr Rule kIndependent[] = {
      Rule::UnknownName, Rule::DuplicateName, Rule::WrongArguments, Rule::NotAssignable,
      Rule::Recursion,   Rule::MissingReturn, Rule::AfterNeedsToken};
  const auto &item = *llvm::cast<ast::FnItem>(symbol.item);
  Bindings bindings;
  for (const ast::Part *part : item.generics) {
    const auto &generic = *llvm::cast<ast::Generic>(part);
    if (generic.type) {
      bindings.constants[generic.name] = bindSize(1);
      continue;
    }
    bindings.types[generic.name] = ScalarType::F32;
    bindings.engines[generic.name] = DmaEngine::SDMA;
  }
  sink.restrictTo(kIndependent);
  size_t unknowns = program->unknowns.size(); // Of a function that nothing calls, nothing is open.
  Function scratch;
  Body body(*this, symbol.unit, &scratch, Side::Both, &bindings);
  (void)addParams(body, item, {});
  if (item.result)
    scratch.result = body.resolve(item.result).type;
  instancesInProgress_.push_back(&item);
  body.checkFunction(item.body);
  instancesInProgress_.pop_back();
  program->unknowns.resize(unknowns);
  sink.restrictTo({});
}

void Checker::checkUncalledFunctions() {
  // Generic ones last: what they call is then checked in its own right, with every rule.
  for (bool isGeneric : {false, true})
    for (GlobalSymbol *symbol : inOrder_) {
      if (symbol->kind != GlobalSymbol::Kind::Fn || symbol->state == GlobalSymbol::State::Done)
        continue;
      const auto &item = *llvm::cast<ast::FnItem>(symbol->item);
      // Of the library only what is called is part of the program, and held to its target.
      bool isOfLibrary = sources.name(item.nameRange.file).starts_with("<");
      if (item.generics.empty() == isGeneric || isOfLibrary)
        continue;
      if (isGeneric)
        checkUncalledGeneric(*symbol);
      else
        (void)instance(*symbol, {}, Side::Both, item.nameRange);
    }
}

} // namespace pto::check_detail
