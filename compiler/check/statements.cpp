//===- statements.cpp - statements of kernels, functions and hosts ----------------===//

#include "check/body.h"

#include "base/check.h"
#include "target/platform.h"

namespace pto::check_detail {

Stmt *Body::make(StmtKind kind, SourceRange range) {
  Stmt *stmt = program_.make<Stmt>();
  stmt->kind = kind;
  stmt->range = range;
  return stmt;
}

void Body::checkFunction(const ast::Stmt *body) {
  function_->body = checkBlock(body);
  if (body)
    function_->end = {body->range.file, body->range.end > 0 ? body->range.end - 1 : 0, body->range.end};
}

llvm::ArrayRef<Stmt *> Body::checkBlock(const ast::Stmt *block) {
  llvm::SmallVector<Stmt *, 8> out;
  scopes_.emplace_back();
  if (const auto *list = llvm::dyn_cast_or_null<ast::Block>(block)) {
    for (const ast::Stmt *stmt : list->statements)
      if (stmt)
        checkStatement(*stmt, out);
  } else if (block) {
    checkStatement(*block, out);
  }
  scopes_.pop_back();
  return program_.copy(llvm::ArrayRef<Stmt *>(out));
}

void Body::checkStatement(const ast::Stmt &stmt, llvm::SmallVectorImpl<Stmt *> &out) {
  auto push = [&](Stmt *made) {
    if (made)
      out.push_back(made);
  };
  switch (stmt.kind) {
  case ast::NodeKind::Block: {
    Stmt *block = make(StmtKind::Block, stmt.range);
    block->body = checkBlock(&stmt);
    return push(block);
  }
  case ast::NodeKind::LetStmt:
    return checkLet(*llvm::cast<ast::LetStmt>(&stmt), out);
  case ast::NodeKind::TileStmt:
    return checkTile(*llvm::cast<ast::TileStmt>(&stmt), out);
  case ast::NodeKind::AssignStmt:
    return checkAssign(*llvm::cast<ast::AssignStmt>(&stmt), out);
  case ast::NodeKind::ExprStmt:
    return checkExprStmt(*llvm::cast<ast::ExprStmt>(&stmt), out);
  case ast::NodeKind::IfStmt:
    return push(checkIf(*llvm::cast<ast::IfStmt>(&stmt)));
  case ast::NodeKind::ForStmt:
    return push(checkFor(*llvm::cast<ast::ForStmt>(&stmt)));
  case ast::NodeKind::WhileStmt: {
    const auto &loop = *llvm::cast<ast::WhileStmt>(&stmt);
    return push(checkLoop(loop.condition, loop.body, stmt.range));
  }
  case ast::NodeKind::LoopStmt:
    return push(checkLoop(nullptr, llvm::cast<ast::LoopStmt>(&stmt)->body, stmt.range));
  case ast::NodeKind::BreakStmt:
    return push(checkJump(StmtKind::Break, stmt.range));
  case ast::NodeKind::ContinueStmt:
    return push(checkJump(StmtKind::Continue, stmt.range));
  case ast::NodeKind::ReturnStmt:
    return push(checkReturn(*llvm::cast<ast::ReturnStmt>(&stmt)));
  case ast::NodeKind::FillStmt:
    return push(checkFill(*llvm::cast<ast::FillStmt>(&stmt)));
  case ast::NodeKind::SaveStmt:
    return push(checkSave(*llvm::cast<ast::SaveStmt>(&stmt)));
  case ast::NodeKind::LaunchStmt:
    return push(checkLaunch(*llvm::cast<ast::LaunchStmt>(&stmt)));
  case ast::NodeKind::SyncStmt:
    requireHost("sync", stmt.range);
    return push(make(StmtKind::Sync, stmt.range));
  case ast::NodeKind::YieldStmt:
    requireHost("yield", stmt.range);
    return push(make(StmtKind::Yield, stmt.range));
  case ast::NodeKind::ExpectStmt:
    return push(checkExpect(*llvm::cast<ast::ExpectStmt>(&stmt)));
  case ast::NodeKind::ExpectViolationStmt:
    return addExpectedViolation(*llvm::cast<ast::ExpectViolationStmt>(&stmt));
  default:
    PTO_UNREACHABLE("no statement");
  }
}

/// Whether control never comes out at the end of the statements.
static bool leaves(llvm::ArrayRef<Stmt *> body) {
  if (body.empty())
    return false;
  const Stmt *last = body.back();
  switch (last->kind) {
  case StmtKind::Return:
  case StmtKind::Break:
  case StmtKind::Continue:
    return true;
  case StmtKind::Block:
    return leaves(last->body);
  case StmtKind::If:
    return leaves(last->body) && leaves(last->otherwise);
  default:
    return false;
  }
}

void Body::checkAfter(llvm::ArrayRef<ast::Expr *> after, llvm::SmallVectorImpl<Stmt *> &out) {
  llvm::SmallVector<Expr *, 2> tokens;
  for (const ast::Expr *written : after) {
    Expr *token = check(written);
    if (token->type.isError())
      continue;
    if (token->type.kind == TypeKind::Token)
      tokens.push_back(token);
    else
      sink_.report<Rule::AfterNeedsToken>(token->range, text(token->type, token->facts));
  }
  if (tokens.empty())
    return;
  Stmt *stmt = make(StmtKind::After, tokens.front()->range);
  stmt->ops = program_.copy(llvm::ArrayRef<Expr *>(tokens));
  out.push_back(stmt);
}

void Body::checkFrom(const ast::Expr *from, Expr *operation) {
  if (!from)
    return;
  Expr *rank = checkAs(from, Type::of(ScalarType::I32));
  if (rank->type.isError() || operation->type.isError())
    return;
  bool isWait = operation->kind == ExprKind::Intrinsic && operation->intrinsic == Intrinsic::Twait;
  if (!isWait) {
    sink_.report<Rule::WrongArguments>(from->range, "`from` says whose update a `twait` awaits; nothing else takes it");
    return;
  }
  llvm::SmallVector<Expr *, 4> ops(operation->ops);
  ops.push_back(rank);
  operation->ops = program_.copy(llvm::ArrayRef<Expr *>(ops));
}

void Body::checkLet(const ast::LetStmt &let, llvm::SmallVectorImpl<Stmt *> &out) {
  checkAfter(let.after, out);
  Expr *value = let.type ? nullptr : check(let.value);
  TypeAndFacts written = let.type ? resolve(let.type) : TypeAndFacts{};
  if (let.type)
    value = checkAs(let.value, written.type);
  checkFrom(let.from, value);
  value->isLiteral = false;
  Stmt *stmt = make(StmtKind::Define, let.range);
  if (let.otherwise) {
    if (!value->type.isError() && value->kind != ExprKind::Session)
      sink_.report<Rule::WrongArguments>(let.otherwise->range,
                                         "`else` handles a session that cannot be built; nothing else takes it");
    stmt->otherwise = checkBlock(let.otherwise);
    if (!leaves(stmt->otherwise))
      sink_.report<Rule::MissingReturn>(let.otherwise->range, "else",
                                        "or leaving the loop, so the session would be used unbuilt");
  }
  if (value->type.kind == TypeKind::Void)
    sink_.report<Rule::TypeMismatch>(let.range, "a value", text(value->type));
  if (value->type.kind == TypeKind::Session && let.isVar)
    sink_.report<Rule::NotAssignable>(let.range, "a session");
  Variable *variable = define(let.name, value->type, let.isVar, {let.range.file, let.range.begin, let.range.end});
  if (value->type.isInteger() && !let.isVar)
    variable->value = value->value;
  if (value->facts)
    variable->facts = *value->facts;
  if (let.isVar && value->facts) {
    // What is assigned later may lie anywhere; only the number of dimensions stays.
    for (Affine &size : variable->facts.shape)
      size = opaque();
    for (Affine &stride : variable->facts.stride)
      stride = opaque();
    variable->facts.object = ViewFacts::kNoObject;
    variable->facts.offset = opaque();
    if (variable->facts.peer)
      variable->facts.peer = opaque();
  }
  if (value->kind == ExprKind::Session) {
    auto number = [&](unsigned param, int64_t other) {
      return value->ops[param] ? value->ops[param]->value.constant().value_or(-1) : other;
    };
    variable->blockBytes = number(2, limit(Limit::SdmaBlockBytes));
    variable->queues = number(4, 1);
  }
  stmt->variable = variable;
  stmt->value = value;
  out.push_back(stmt);
}

void Body::checkTile(const ast::TileStmt &tile, llvm::SmallVectorImpl<Stmt *> &out) {
  if (side_ == Side::Host)
    sink_.report<Rule::WrongSide>(tile.range, "tile", name(Side::Device), name(Side::Host));
  TypeAndFacts written = resolve(tile.type);
  Stmt *stmt = make(StmtKind::Tile, tile.range);
  bool isElement = written.type.kind == TypeKind::View || written.type.kind == TypeKind::Scalar;
  std::optional<int64_t> sizes[2] = {1, std::nullopt};
  llvm::ArrayRef<Affine> shape = written.facts.shape;
  if (isElement && (shape.size() == 1 || shape.size() == 2)) {
    sizes[1] = shape.back().constant();
    if (shape.size() == 2)
      sizes[0] = shape.front().constant();
  }
  bool isSized = sizes[0] && sizes[1] && *sizes[0] > 0 && *sizes[1] > 0 && *sizes[0] < 65536 && *sizes[1] < 1 << 20;
  if (!written.type.isError() && !isSized)
    sink_.report<Rule::BadShape>(tile.range, "a tile is `T[rows, cols]` or `T[cols]`, with positive sizes known "
                                             "before running");
  stmt->rows = isSized ? *sizes[0] : 1;
  stmt->cols = isSized ? *sizes[1] : 1;
  if (tile.at) {
    std::optional<int64_t> offset = checkConstantInteger(tile.at, "the UB offset of a tile");
    if (offset && (*offset < 0 || *offset % limit(Limit::UbAlignBytes) != 0))
      sink_.report<Rule::BadShape>(tile.at->range, "a tile's UB offset is a multiple of 32, not " +
                                                       std::to_string(*offset));
    stmt->value = constant(ScalarType::I64, ScalarBits(offset.value_or(0)), tile.at->range);
  }
  llvm::SmallVector<Expr *, 2> valid;
  for (const ast::Expr *part : tile.valid) {
    Expr *size = check(part);
    if (size->type.isInteger())
      valid.push_back(size);
    else if (!size->type.isError())
      sink_.report<Rule::TypeMismatch>(size->range, "an integer", text(size->type, size->facts));
  }
  if (valid.size() == 2)
    stmt->ops = program_.copy(llvm::ArrayRef<Expr *>(valid));
  else if (!tile.valid.empty() && valid.size() == tile.valid.size())
    sink_.report<Rule::BadShape>(tile.range, "a valid region is `[rows, cols]`");
  Type type = isSized ? Type{TypeKind::Tile, written.type.scalar} : Type::error();
  stmt->variable = define(tile.name, type, false, tile.range);
  stmt->variable->facts.shape = {Affine(stmt->rows), Affine(stmt->cols)};
  stmt->variable->facts.stride = {Affine(stmt->cols), Affine(1)};
  out.push_back(stmt);
}

void Body::checkAssign(const ast::AssignStmt &assign, llvm::SmallVectorImpl<Stmt *> &out) {
  checkAfter(assign.after, out);
  const auto *name = llvm::dyn_cast_or_null<ast::NameExpr>(assign.target);
  Variable *variable = name ? findVariable(name->name) : nullptr;
  if (!variable || !variable->isMutable) {
    Expr *value = check(assign.value);
    if (name && !variable && !checker_.find(unit_, name->name) && !worldValue(name->name)) {
      reportUnknown(name->name, name->range);
      return;
    }
    if (!assign.target || value->type.isError())
      return;
    Finding &finding = sink_.report<Rule::NotAssignable>(
        assign.target->range, "`" + checker_.sources.text(assign.target->range).str() + "`");
    if (variable)
      sink_.note(finding, variable->range, "declared here");
    return;
  }
  Stmt *stmt = make(StmtKind::Assign, assign.range);
  stmt->variable = variable;
  if (assign.isCompound)
    stmt->value = makeBinary(assign.op, read(variable, assign.target->range), check(assign.value), assign.range);
  else
    stmt->value = checkAs(assign.value, variable->type);
  out.push_back(stmt);
}

void Body::checkExprStmt(const ast::ExprStmt &stmt, llvm::SmallVectorImpl<Stmt *> &out) {
  checkAfter(stmt.after, out);
  if (const auto *call = llvm::dyn_cast_or_null<ast::CallExpr>(stmt.value))
    if (const auto *name = llvm::dyn_cast_or_null<ast::NameExpr>(call->callee))
      if ((name->name == "print" || name->name == "assert") && !checker_.find(unit_, name->name)) {
        if (Stmt *formatted = checkFormatted(*call, name->name == "assert"))
          out.push_back(formatted);
        return;
      }
  Expr *value = check(stmt.value);
  checkFrom(stmt.from, value);
  if (value->type.isError())
    return;
  bool acts = value->kind == ExprKind::Intrinsic || value->kind == ExprKind::Call;
  if (!acts && value->type.kind != TypeKind::Void) {
    sink_.report<Rule::WrongArguments>(stmt.range, "this value is computed and dropped; a statement does something");
    return;
  }
  Stmt *made = make(StmtKind::Evaluate, stmt.range);
  made->value = value;
  out.push_back(made);
}

Stmt *Body::checkFormatted(const ast::CallExpr &call, bool isAssert) {
  Stmt *stmt = make(isAssert ? StmtKind::Assert : StmtKind::Print, call.range);
  llvm::SmallVector<Expr *, 4> ops;
  bool hasText = false;
  for (const ast::Part *part : call.arguments) {
    const auto *argument = llvm::dyn_cast_or_null<ast::Argument>(part);
    if (!argument || !argument->value)
      return nullptr;
    if (isAssert && !stmt->value) {
      stmt->value = checkAs(argument->value, Type::of(ScalarType::Bool));
      continue;
    }
    if (const auto *string = llvm::dyn_cast<ast::StringLiteral>(argument->value); string && !hasText) {
      stmt->text = checker_.stringValue(*string);
      hasText = true;
      continue;
    }
    Expr *value = check(argument->value);
    if (value->type.isError())
      return nullptr;
    if (!hasText || !value->type.isScalar()) {
      sink_.report<Rule::TypeMismatch>(value->range, hasText ? "a scalar" : "a text in quotes",
                                       text(value->type, value->facts));
      return nullptr;
    }
    value->isLiteral = false;
    ops.push_back(value);
  }
  size_t slots = stmt->text.count("{}");
  if ((isAssert && !stmt->value) || (!isAssert && !hasText) || slots != ops.size()) {
    sink_.report<Rule::WrongArguments>(call.range, isAssert ? "`assert(condition, \"text {}\", x)` takes a condition, "
                                                              "and a value for each {} of its text"
                                                            : "`print(\"text {}\", x)` takes a text, and a value for "
                                                              "each {} in it");
    return nullptr;
  }
  if (isAssert && !hasText && stmt->value->range.valid())
    stmt->text = checker_.sources.text(stmt->value->range);
  stmt->ops = program_.copy(llvm::ArrayRef<Expr *>(ops));
  return stmt;
}

Stmt *Body::checkIf(const ast::IfStmt &stmt) {
  Stmt *made = make(StmtKind::If, stmt.range);
  made->value = checkAs(stmt.condition, Type::of(ScalarType::Bool));
  made->body = checkBlock(stmt.then);
  if (stmt.otherwise)
    made->otherwise = checkBlock(stmt.otherwise);
  return made;
}

Stmt *Body::checkFor(const ast::ForStmt &stmt) {
  Expr *low = check(stmt.low);
  Expr *high = check(stmt.high);
  if (!low->type.isError() && !high->type.isError())
    unify(BinaryOp::Less, low, high, stmt.low->range.to(stmt.high->range));
  Type type = low->type.isInteger() ? low->type : high->type.isInteger() ? high->type : Type::of(ScalarType::I32);
  low->isLiteral = high->isLiteral = false;
  for (Expr *bound : {low, high})
    if (!bound->type.isError() && !bound->type.isInteger())
      sink_.report<Rule::TypeMismatch>(bound->range, "an integer", text(bound->type, bound->facts));
  Expr *step = stmt.step ? checkAs(stmt.step, type) : nullptr;
  if (step && step->value.constant() && *step->value.constant() < 1 && !step->type.isError())
    sink_.report<Rule::BadShape>(step->range, "a step is at least 1");
  Stmt *made = make(StmtKind::For, stmt.range);
  made->ops = list({low, high, step});
  scopes_.emplace_back();
  ++loops_;
  made->variable = define(stmt.name, type, false, stmt.low ? stmt.low->range : stmt.range);
  made->body = checkBlock(stmt.body);
  --loops_;
  scopes_.pop_back();
  return made;
}

Stmt *Body::checkLoop(const ast::Expr *condition, const ast::Stmt *body, SourceRange range) {
  Stmt *made = make(StmtKind::While, range);
  if (condition)
    made->value = checkAs(condition, Type::of(ScalarType::Bool));
  ++loops_;
  made->body = checkBlock(body);
  --loops_;
  return made;
}

Stmt *Body::checkJump(StmtKind kind, SourceRange range) {
  if (loops_ == 0) {
    sink_.report<Rule::BadForm>(range, kind == StmtKind::Break ? "`break` stands outside every loop"
                                                               : "`continue` stands outside every loop");
    return nullptr;
  }
  return make(kind, range);
}

Stmt *Body::checkReturn(const ast::ReturnStmt &stmt) {
  Stmt *made = make(StmtKind::Return, stmt.range);
  bool wantsValue = function_->result.kind != TypeKind::Void;
  if (stmt.value && !wantsValue)
    sink_.report<Rule::TypeMismatch>(stmt.value->range, "no value, since none is declared", "one");
  else if (!stmt.value && wantsValue)
    sink_.report<Rule::TypeMismatch>(stmt.range, text(function_->result), "no value");
  if (stmt.value && wantsValue)
    made->value = checkAs(stmt.value, function_->result);
  return made;
}

} // namespace pto::check_detail
