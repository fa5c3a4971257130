//===- host.cpp - fill, save, launch and expect ------------------------------------===//

#include "check/body.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::check_detail {

GlobalSymbol *Body::objectByName(llvm::StringRef name, SourceRange range) {
  GlobalSymbol *symbol = checker_.find(unit_, name);
  if (symbol && symbol->kind == GlobalSymbol::Kind::Object)
    return symbol;
  if (symbol)
    sink_.report<Rule::TypeMismatch>(range, "a window or local", "`" + name.str() + "`");
  else if (!name.empty())
    reportUnknown(name, range);
  return nullptr;
}

/// Defines the index names of a subscript: a name that means nothing else runs over its dimension.
void Body::bindIndices(const ast::Expr *expr, Stmt *stmt, llvm::SmallVectorImpl<Variable *> &indices,
                       llvm::SmallVectorImpl<Expr *> &extents) {
  if (!expr)
    return;
  if (const auto *binary = llvm::dyn_cast<ast::BinaryExpr>(expr)) {
    bindIndices(binary->left, stmt, indices, extents);
    bindIndices(binary->right, stmt, indices, extents);
  } else if (const auto *unary = llvm::dyn_cast<ast::UnaryExpr>(expr)) {
    bindIndices(unary->operand, stmt, indices, extents);
  } else if (const auto *call = llvm::dyn_cast<ast::CallExpr>(expr)) {
    for (const ast::Part *part : call->arguments)
      if (const auto *argument = llvm::dyn_cast_or_null<ast::Argument>(part))
        bindIndices(argument->value, stmt, indices, extents);
  }
  const auto *subscript = llvm::dyn_cast<ast::SubscriptExpr>(expr);
  if (!subscript)
    return;
  Expr *view = nullptr;
  for (size_t dimension = 0; dimension != subscript->subscripts.size(); ++dimension) {
    const auto *index = llvm::dyn_cast_or_null<ast::Index>(subscript->subscripts[dimension]);
    const auto *name = index ? llvm::dyn_cast_or_null<ast::NameExpr>(index->index) : nullptr;
    if (!name || findVariable(name->name) || checker_.find(unit_, name->name) || worldValue(name->name))
      continue;
    view = view ? view : check(subscript->base);
    if (!view->type.isView() || view->facts->shape.size() != subscript->subscripts.size())
      return; // The subscript itself will be reported.
    indices.push_back(define(name->name, Type::of(ScalarType::I32), false, name->range));
    extents.push_back(sizeOrExtent(view, unsigned(dimension), name->range));
  }
}

Stmt *Body::checkFill(const ast::FillStmt &fill) {
  requireHost("fill", fill.range);
  GlobalSymbol *symbol = objectByName(fill.name, fill.range);
  if (!symbol)
    return nullptr;
  if (!fill.file.empty()) {
    Stmt *stmt = make(StmtKind::FillFile, fill.range);
    stmt->number = symbol->object;
    stmt->text = fill.file;
    return stmt;
  }
  Stmt *stmt = make(StmtKind::Fill, fill.range);
  llvm::SmallVector<Variable *, 4> indices;
  llvm::SmallVector<Expr *, 4> extents;
  Expr *view = globalValue(*symbol, fill.range);
  size_t dimensions = view->facts->shape.size();
  if (!fill.indices.empty() && fill.indices.size() != dimensions) {
    sink_.report<Rule::BadShape>(fill.range, "`" + fill.name.str() + "` has " + std::to_string(dimensions) +
                                                 " dimensions, and " + std::to_string(fill.indices.size()) +
                                                 " index names are given");
    return nullptr;
  }
  scopes_.emplace_back();
  Expr *element = view;
  for (size_t i = 0; i != dimensions; ++i) {
    const ast::Expr *written = fill.indices.empty() ? nullptr : fill.indices[i];
    const auto *name = llvm::dyn_cast_or_null<ast::NameExpr>(written);
    bool binds = !written || (name && !findVariable(name->name) && !checker_.find(unit_, name->name) &&
                              !worldValue(name->name));
    Expr *index = nullptr;
    if (binds) {
      std::string hidden = "#" + std::to_string(i);
      Variable *variable = define(name ? name->name : llvm::StringRef(hidden), Type::of(ScalarType::I32), false,
                                  name ? name->range : fill.range);
      indices.push_back(variable);
      extents.push_back(sizeOrExtent(view, unsigned(i), fill.range));
      index = read(variable, variable->range);
    } else {
      index = check(written);
    }
    element = indexDimension(element, 0, index);
    if (element->type.isError()) {
      scopes_.pop_back();
      return nullptr;
    }
  }
  Expr *value = checkAs(fill.value, Type::of(view->type.scalar));
  stmt->value = element;
  stmt->ops = list({value});
  if (fill.where)
    stmt->where = checkAs(fill.where, Type::of(ScalarType::Bool));
  scopes_.pop_back();
  stmt->indices = program_.copy(llvm::ArrayRef<Variable *>(indices));
  stmt->indexExtents = program_.copy(llvm::ArrayRef<Expr *>(extents));
  return stmt;
}

Stmt *Body::checkSave(const ast::SaveStmt &save) {
  requireHost("save", save.range);
  GlobalSymbol *symbol = objectByName(save.name, save.range);
  if (!symbol)
    return nullptr;
  Stmt *stmt = make(StmtKind::Save, save.range);
  stmt->number = symbol->object;
  stmt->text = save.file;
  return stmt;
}

Stmt *Body::checkLaunch(const ast::LaunchStmt &launch) {
  requireHost("launch", launch.range);
  GlobalSymbol *symbol = checker_.find(unit_, launch.name);
  auto [moduleName, member] = launch.name.split('.');
  if (GlobalSymbol *module = member.empty() ? nullptr : checker_.find(unit_, moduleName))
    symbol = module->kind == GlobalSymbol::Kind::Module ? checker_.find(module->module, member) : nullptr;
  if (!symbol || symbol->kind != GlobalSymbol::Kind::Kernel) {
    if (symbol)
      sink_.report<Rule::TypeMismatch>(launch.range, "a kernel", "`" + launch.name.str() + "`");
    else if (!launch.name.empty())
      reportUnknown(launch.name, launch.range);
    return nullptr;
  }
  Stmt *stmt = make(StmtKind::Launch, launch.range);
  stmt->function = symbol->kernel;
  std::vector<Expr *> args =
      checkLaunchArguments(*symbol->kernel, *llvm::cast<ast::KernelItem>(symbol->item), launch);
  stmt->ops = program_.copy(llvm::ArrayRef<Expr *>(args));
  if (launch.blocks) {
    stmt->blocks = checkAs(launch.blocks, Type::of(ScalarType::I32));
    if (std::optional<int64_t> blocks = stmt->blocks->value.constant(); blocks && *blocks < 1)
      sink_.report<Rule::BadSetting>(launch.blocks->range, "a launch has at least one block");
  }
  if (launch.stream)
    stmt->stream = checkAs(launch.stream, Type::of(ScalarType::I32));
  return stmt;
}

/// How an expectation compares, for an operator; nothing for one that does not compare.
static std::optional<ExpectOp> expectOp(BinaryOp op) {
  switch (op) {
  case BinaryOp::Equal:
    return ExpectOp::Equal;
  case BinaryOp::NotEqual:
    return ExpectOp::NotEqual;
  case BinaryOp::Nearly:
    return ExpectOp::Nearly;
  case BinaryOp::Less:
    return ExpectOp::Less;
  case BinaryOp::LessEqual:
    return ExpectOp::LessEqual;
  case BinaryOp::Greater:
    return ExpectOp::Greater;
  case BinaryOp::GreaterEqual:
    return ExpectOp::GreaterEqual;
  default:
    return std::nullopt;
  }
}

Stmt *Body::checkExpect(const ast::ExpectStmt &expect) {
  requireHost("expect", expect.range);
  Stmt *stmt = make(StmtKind::Expect, expect.range);
  llvm::SmallVector<Variable *, 4> indices;
  llvm::SmallVector<Expr *, 4> extents;
  scopes_.emplace_back();
  bindIndices(expect.condition, stmt, indices, extents);
  const auto *binary = llvm::dyn_cast_or_null<ast::BinaryExpr>(expect.condition);
  std::optional<ExpectOp> found = binary ? expectOp(binary->op) : std::nullopt;
  const bool compares = found.has_value();
  const ExpectOp op = found.value_or(ExpectOp::Equal); // A bare condition is compared with true.
  Expr *got = check(compares ? binary->left : expect.condition);
  // `expect w == 5` speaks of every element of w.
  if (got->type.isView())
    for (unsigned i = 0; !got->facts->shape.empty(); ++i) {
      Variable *hidden = define("#" + std::to_string(i), Type::of(ScalarType::I32), false, expect.range);
      indices.push_back(hidden);
      extents.push_back(sizeOrExtent(got, 0, expect.range));
      got = indexDimension(got, 0, read(hidden, expect.range));
    }
  got = loadElement(got);
  Expr *wanted = compares ? loadElement(check(binary->right)) : constant(ScalarType::Bool, 1, expect.range);
  if (!got->type.isError() && !wanted->type.isError())
    unify(BinaryOp::Equal, got, wanted, expect.range);
  got->isLiteral = wanted->isLiteral = false;
  Expr *within = expect.within ? checkAs(expect.within, Type::of(ScalarType::F32)) : nullptr;
  if (within && op != ExpectOp::Nearly)
    sink_.report<Rule::WrongArguments>(within->range, "`within` goes with `~=`");
  if (expect.where)
    stmt->where = checkAs(expect.where, Type::of(ScalarType::Bool));
  scopes_.pop_back();
  if (indices.size() > 5) {
    sink_.report<Rule::BadShape>(expect.range, "an expectation runs over at most five indices");
    return nullptr;
  }
  stmt->number = unsigned(op);
  stmt->value = got;
  stmt->ops = list({wanted, within});
  stmt->indices = program_.copy(llvm::ArrayRef<Variable *>(indices));
  stmt->indexExtents = program_.copy(llvm::ArrayRef<Expr *>(extents));
  if (expect.condition)
    stmt->text = checker_.sources.text(expect.condition->range);
  return stmt;
}

Expr *Body::loadElement(Expr *view) {
  if (!view->type.isView() || !view->facts->shape.empty())
    return view;
  if (view->type.locality == Locality::Remote) {
    sink_.report<Rule::OperandNotLocal>(view->range, "the value", "expect", text(view->type, view->facts));
    return error(view->range);
  }
  Expr *load = make(ExprKind::Intrinsic, Type::of(view->type.scalar), view->range);
  load->intrinsic = Intrinsic::Load;
  load->ops = list({view});
  return load;
}

void Body::addExpectedViolation(const ast::ExpectViolationStmt &stmt) {
  requireHost("expect", stmt.range);
  if (std::optional<Rule> rule = ruleBySlug(stmt.slug))
    expectedViolations.push_back(uint16_t(*rule));
  else
    sink_.report<Rule::UnknownRule>(stmt.range, stmt.slug);
}

} // namespace pto::check_detail
