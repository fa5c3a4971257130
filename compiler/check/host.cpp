//===- host.cpp - fill, save, launch and expect ------------------------------------===//

#include "check/body.h"

#include "diag/fix.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::check_detail {

/// What a name means that may be one of an imported file: `w`, `ring.w`.
GlobalSymbol *Body::findQualified(llvm::StringRef name) {
  auto [moduleName, member] = name.split('.');
  if (member.empty())
    return checker_.find(unit_, name);
  GlobalSymbol *module = checker_.find(unit_, moduleName);
  return module && module->kind == GlobalSymbol::Kind::Module
             ? checker_.find(module->module, member)
             : nullptr;
}

GlobalSymbol *Body::objectByName(llvm::StringRef name, SourceRange range) {
  GlobalSymbol *symbol = findQualified(name);
  if (symbol && symbol->kind == GlobalSymbol::Kind::Object)
    return symbol;
  if (symbol)
    sink_.report<Rule::TypeMismatch>(range, "a window or local", "`" + name.str() + "`");
  else if (!name.empty())
    reportUnknown(name, range);
  return nullptr;
}

/// A name that means nothing yet, and so is an index of a fill or an expectation.
bool Body::isFreeName(const ast::Expr *expr) const {
  const auto *name = llvm::dyn_cast_or_null<ast::NameExpr>(expr);
  return name && !findVariable(name->name) && !checker_.find(unit_, name->name) &&
         !worldValue(name->name);
}

/// Defines the index names of a subscript: a free name runs over its dimension.
void Body::bindIndices(const ast::Expr *expr, Indices &indices) {
  if (!expr)
    return;
  if (const auto *binary = llvm::dyn_cast<ast::BinaryExpr>(expr)) {
    bindIndices(binary->left, indices);
    bindIndices(binary->right, indices);
  } else if (const auto *unary = llvm::dyn_cast<ast::UnaryExpr>(expr)) {
    bindIndices(unary->operand, indices);
  } else if (const auto *call = llvm::dyn_cast<ast::CallExpr>(expr)) {
    for (const ast::Part *part : call->arguments)
      if (const auto *argument = llvm::dyn_cast_or_null<ast::Argument>(part))
        bindIndices(argument->value, indices);
  } else if (const auto *at = llvm::dyn_cast<ast::AtExpr>(expr)) {
    bindIndices(at->base, indices); // No value of an expectation; the message should be about that.
  }
  const auto *subscript = llvm::dyn_cast<ast::SubscriptExpr>(expr);
  if (!subscript)
    return;
  Expr *view = nullptr;
  for (size_t dimension = 0; dimension != subscript->subscripts.size(); ++dimension) {
    const auto *index = llvm::dyn_cast_or_null<ast::Index>(subscript->subscripts[dimension]);
    if (!index || !isFreeName(index->index))
      continue;
    view = view ? view : check(subscript->base);
    if (!view->type.isView() || view->facts->shape.size() != subscript->subscripts.size())
      return; // The subscript itself will be reported.
    const auto *name = llvm::cast<ast::NameExpr>(index->index);
    indices.variables.push_back(define(name->name, Type::of(ScalarType::I32), false, name->range));
    indices.extents.push_back(sizeOrExtent(view, unsigned(dimension), name->range));
  }
}

void Body::setIndices(Stmt *stmt, const Indices &indices) {
  stmt->indices = program_.copy(llvm::ArrayRef<Variable *>(indices.variables));
  stmt->indexExtents = program_.copy(llvm::ArrayRef<Expr *>(indices.extents));
}

/// The element of a view that hidden indices run over: `fill w = 5;` speaks of every element of w.
Expr *Body::everyElement(Expr *view, Indices &indices) {
  while (view->type.isView() && !view->facts->shape.empty()) {
    std::string name = "#" + std::to_string(indices.variables.size());
    Variable *hidden = define(name, Type::of(ScalarType::I32), false, view->range);
    indices.variables.push_back(hidden);
    indices.extents.push_back(sizeOrExtent(view, 0, view->range));
    view = indexDimension(view, 0, read(hidden, view->range));
  }
  return view;
}

Stmt *Body::checkFillFile(const ast::FillStmt &fill, const GlobalSymbol &symbol) {
  Stmt *stmt = make(StmtKind::FillFile, fill.range);
  stmt->number = symbol.object;
  stmt->text = checker_.unescape(fill.file);
  return stmt;
}

/// The element that `fill w[i, 3] = …` writes; free names become indices.
Expr *Body::fillElement(const ast::FillStmt &fill, Expr *view, Indices &indices) {
  size_t dimensions = view->facts->shape.size();
  if (fill.indices.size() != dimensions) {
    sink_.report<Rule::BadShape>(fill.range, "`" + fill.name.str() + "` has " +
                                                 std::to_string(dimensions) + " dimensions, and " +
                                                 std::to_string(fill.indices.size()) +
                                                 " index names are given");
    return error(fill.range);
  }
  Expr *element = view;
  for (size_t i = 0; i != dimensions && !element->type.isError(); ++i) {
    const ast::Expr *written = fill.indices[i];
    if (!isFreeName(written)) {
      element = indexDimension(element, 0, check(written));
      continue;
    }
    const auto *name = llvm::cast<ast::NameExpr>(written);
    Variable *variable = define(name->name, Type::of(ScalarType::I32), false, name->range);
    indices.variables.push_back(variable);
    indices.extents.push_back(sizeOrExtent(view, unsigned(i), fill.range));
    element = indexDimension(element, 0, read(variable, name->range));
  }
  return element;
}

Stmt *Body::checkFill(const ast::FillStmt &fill) {
  requireHost("fill", fill.range);
  GlobalSymbol *symbol = objectByName(fill.name, fill.range);
  if (!symbol)
    return nullptr;
  if (!fill.file.empty())
    return checkFillFile(fill, *symbol);
  Stmt *stmt = make(StmtKind::Fill, fill.range);
  Indices indices;
  Expr *view = globalValue(*symbol, fill.range);
  scopes_.emplace_back();
  Expr *element =
      fill.indices.empty() ? everyElement(view, indices) : fillElement(fill, view, indices);
  stmt->value = element;
  stmt->ops = list({checkAs(fill.value, Type::of(view->type.scalar))});
  if (fill.where)
    stmt->where = checkAs(fill.where, Type::of(ScalarType::Bool));
  scopes_.pop_back();
  setIndices(stmt, indices);
  return element->type.isError() ? nullptr : stmt;
}

Stmt *Body::checkSave(const ast::SaveStmt &save) {
  requireHost("save", save.range);
  GlobalSymbol *symbol = objectByName(save.name, save.range);
  if (!symbol)
    return nullptr;
  Stmt *stmt = make(StmtKind::Save, save.range);
  stmt->number = symbol->object;
  stmt->text = checker_.unescape(save.file);
  return stmt;
}

/// What a kernel is given lies where it can reach it.
void Body::requireDevice(const Expr &view) {
  int32_t object = view.facts ? view.facts->object : ViewFacts::kNoObject;
  if (object != ViewFacts::kNoObject && program_.objects[size_t(object)].isHost)
    sink_.report<Rule::HostMemory>(view.range, program_.objects[size_t(object)].name);
}

Stmt *Body::checkLaunch(const ast::LaunchStmt &launch) {
  requireHost("launch", launch.range);
  GlobalSymbol *symbol = findQualified(launch.name);
  if (!symbol || symbol->kind != GlobalSymbol::Kind::Kernel) {
    if (symbol)
      sink_.report<Rule::TypeMismatch>(launch.range, "a kernel", "`" + launch.name.str() + "`");
    else if (!launch.name.empty())
      reportUnknown(launch.name, launch.range);
    return nullptr;
  }
  Stmt *stmt = make(StmtKind::Launch, launch.range);
  stmt->function = symbol->kernel;
  const auto &item = *llvm::cast<ast::KernelItem>(symbol->item);
  std::vector<Expr *> args;
  if (auto written = completeArguments(item.params, launch.arguments, launch.name, item.nameRange,
                                       launch.range))
    for (size_t i = 0; i != written->size() && i != symbol->kernel->params.size(); ++i) {
      const Variable &param = *symbol->kernel->params[i];
      args.push_back(checkAs((*written)[i], param.type));
      if (args.back()->facts && param.type.isView())
        checker_.checkShapes(*llvm::cast<ast::Param>(item.params[i]), param.facts, args.back());
      requireDevice(*args.back());
    }
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

/// `~=` needs to know how near, and nothing else does.
static void checkNearness(Checker &checker, const ast::ExpectStmt &expect, ExpectOp op,
                          const Expr *within) {
  if (!within && op == ExpectOp::Nearly)
    fixInsertText(checker.sources,
                  checker.sink.report<Rule::WrongArguments>(
                      expect.range, "`~=` needs to know how near: `within 1e-3`"),
                  {expect.range.file, expect.condition->range.end, expect.condition->range.end},
                  " within 1e-3");
  if (within && op != ExpectOp::Nearly)
    checker.sink.report<Rule::WrongArguments>(within->range, "`within` goes with `~=`");
}

Stmt *Body::checkExpect(const ast::ExpectStmt &expect) {
  requireHost("expect", expect.range);
  Stmt *stmt = make(StmtKind::Expect, expect.range);
  Indices indices;
  scopes_.emplace_back();
  bindIndices(expect.condition, indices);
  const auto *binary = llvm::dyn_cast_or_null<ast::BinaryExpr>(expect.condition);
  std::optional<ExpectOp> found = binary ? expectOp(binary->op) : std::nullopt;
  const bool compares = found.has_value();
  const ExpectOp op = found.value_or(ExpectOp::Equal); // A bare condition is compared with true.
  auto [left, right] = compares ? checkSides(binary->left, binary->right)
                                : std::pair(check(expect.condition), nullptr);
  Expr *got = loadElement(everyElement(left, indices));
  Expr *wanted = compares ? loadElement(right) : constant(ScalarType::Bool, 1, expect.range);
  if (!got->type.isError() && !wanted->type.isError())
    unify(BinaryOp::Equal, got, wanted, expect.range);
  if (got->type.isHixl() && op != ExpectOp::Equal && op != ExpectOp::NotEqual)
    sink_.report<Rule::OperatorTypes>(expect.range, spelling(binary->op), text(got->type));
  got->isLiteral = wanted->isLiteral = false;
  Expr *within = expect.within ? checkAs(expect.within, Type::of(ScalarType::F32)) : nullptr;
  checkNearness(checker_, expect, op, within);
  if (expect.where)
    stmt->where = checkAs(expect.where, Type::of(ScalarType::Bool));
  scopes_.pop_back();
  if (indices.variables.size() > 5) {
    sink_.report<Rule::BadShape>(expect.range, "an expectation runs over at most five indices");
    return nullptr;
  }
  stmt->number = unsigned(op);
  stmt->value = got;
  stmt->ops = list({wanted, within});
  setIndices(stmt, indices);
  if (expect.condition)
    stmt->text = checker_.sources.text(expect.condition->range);
  return stmt;
}

Expr *Body::loadElement(Expr *view) {
  if (!view->type.isView() || !view->facts->shape.empty())
    return view;
  if (view->type.locality == Locality::Remote) {
    sink_.report<Rule::OperandNotLocal>(view->range, "the value", "expect",
                                        text(view->type, view->facts));
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
    reportUnknownRule(checker_.sources, sink_, stmt.range, stmt.slug);
}

} // namespace pto::check_detail
