//===- statements.cpp - statements of kernels, functions and hosts ----------------===//

#include "check/body.h"

#include "base/check.h"
#include "target/platform.h"

namespace pto::check_detail {

Stmt *Body::make(StmtKind kind, SourceRange range) {
  Stmt *stmt = program_.make<Stmt>();
  stmt->kind = kind;
  stmt->range = calledAt.value_or(range);
  return stmt;
}

void Body::checkFunction(const ast::Stmt *body) {
  function_->body = checkBlock(body);
  reportUnevenChunks();
  SourceRange last = body ? body->range : SourceRange{};
  last.begin = last.end - (last.end > 0);
  function_->end = calledAt.value_or(last);
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
  Stmt *made = nullptr;
  switch (stmt.kind) {
  case ast::NodeKind::Block:
    made = make(StmtKind::Block, stmt.range);
    made->body = checkBlock(&stmt);
    break;
  case ast::NodeKind::LetStmt:
    return checkLet(*llvm::cast<ast::LetStmt>(&stmt), out);
  case ast::NodeKind::TileStmt:
    return checkTile(*llvm::cast<ast::TileStmt>(&stmt), out);
  case ast::NodeKind::AssignStmt:
    return checkAssign(*llvm::cast<ast::AssignStmt>(&stmt), out);
  case ast::NodeKind::ExprStmt:
    return checkExprStmt(*llvm::cast<ast::ExprStmt>(&stmt), out);
  case ast::NodeKind::ReturnStmt:
    checkAfter(llvm::cast<ast::ReturnStmt>(&stmt)->after, out);
    made = checkReturn(*llvm::cast<ast::ReturnStmt>(&stmt));
    break;
  default:
    made = checkControl(stmt);
    break;
  }
  if (made)
    out.push_back(made);
}

Stmt *Body::checkControl(const ast::Stmt &stmt) {
  switch (stmt.kind) {
  case ast::NodeKind::IfStmt:
    return checkIf(*llvm::cast<ast::IfStmt>(&stmt));
  case ast::NodeKind::ForStmt:
    return checkFor(*llvm::cast<ast::ForStmt>(&stmt));
  case ast::NodeKind::WhileStmt:
    return checkLoop(llvm::cast<ast::WhileStmt>(&stmt)->condition,
                     llvm::cast<ast::WhileStmt>(&stmt)->body, stmt.range);
  case ast::NodeKind::LoopStmt:
    return checkLoop(nullptr, llvm::cast<ast::LoopStmt>(&stmt)->body, stmt.range);
  case ast::NodeKind::BreakStmt:
    return checkJump(StmtKind::Break, stmt.range);
  case ast::NodeKind::ContinueStmt:
    return checkJump(StmtKind::Continue, stmt.range);
  default:
    return checkHostStatement(stmt);
  }
}

Stmt *Body::checkHostStatement(const ast::Stmt &stmt) {
  switch (stmt.kind) {
  case ast::NodeKind::FillStmt:
    return checkFill(*llvm::cast<ast::FillStmt>(&stmt));
  case ast::NodeKind::SaveStmt:
    return checkSave(*llvm::cast<ast::SaveStmt>(&stmt));
  case ast::NodeKind::LaunchStmt:
    return checkLaunch(*llvm::cast<ast::LaunchStmt>(&stmt));
  case ast::NodeKind::SyncStmt:
    requireHost("sync", stmt.range);
    return make(StmtKind::Sync, stmt.range);
  case ast::NodeKind::YieldStmt:
    requireHost("yield", stmt.range);
    return make(StmtKind::Yield, stmt.range);
  case ast::NodeKind::ExpectStmt:
    return checkExpect(*llvm::cast<ast::ExpectStmt>(&stmt));
  case ast::NodeKind::ExpectViolationStmt:
    addExpectedViolation(*llvm::cast<ast::ExpectViolationStmt>(&stmt));
    return nullptr;
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
    sink_.report<Rule::WrongArguments>(
        from->range, "`from` says whose update a `twait` awaits; nothing else takes it");
    return;
  }
  llvm::SmallVector<Expr *, 4> ops(operation->ops);
  ops.push_back(rank);
  operation->ops = program_.copy(llvm::ArrayRef<Expr *>(ops));
}

/// The block that handles a session which cannot be built; it must not fall through.
void Body::checkElse(const ast::LetStmt &let, const Expr &value, Stmt *stmt) {
  if (!value.type.isError() && value.kind != ExprKind::Session)
    sink_.report<Rule::WrongArguments>(
        let.otherwise->range,
        "`else` handles a session that cannot be built; nothing else takes it");
  stmt->otherwise = checkBlock(let.otherwise);
  if (!leaves(stmt->otherwise))
    sink_.report<Rule::MissingReturn>(let.otherwise->range, "else",
                                      "or leaving the loop, so the session would be used unbuilt");
}

/// What is known of the value is known of a `let`; of a `var` only what every later value shares.
void Body::takeFacts(Variable *variable, const Expr &value) {
  if (value.type.isInteger() && !variable->isMutable)
    variable->value = value.value;
  if (value.facts)
    variable->facts = *value.facts;
  if (variable->isMutable && value.facts) {
    for (Affine &size : variable->facts.shape)
      size = opaque();
    for (Affine &stride : variable->facts.stride)
      stride = opaque();
    variable->facts.object = ViewFacts::kNoObject;
    variable->facts.offset = opaque();
    if (variable->facts.peer)
      variable->facts.peer = opaque();
  }
  if (value.kind != ExprKind::Session)
    return;
  auto number = [&](unsigned param, int64_t other) {
    return value.ops[param] ? value.ops[param]->value.constant().value_or(-1) : other;
  };
  variable->blockBytes = number(2, limit(Limit::SdmaBlockBytes));
  variable->queues = number(4, 1);
  variable->sessionOffset = number(3, 0);
}

void Body::checkLet(const ast::LetStmt &let, llvm::SmallVectorImpl<Stmt *> &out) {
  checkAfter(let.after, out);
  Expr *value = let.type ? checkAs(let.value, resolve(let.type).type) : check(let.value);
  checkFrom(let.from, value);
  value->isLiteral = false;
  Stmt *stmt = make(StmtKind::Define, let.range);
  if (let.otherwise)
    checkElse(let, *value, stmt);
  SourceRange nameRange = rangeOf(let.name, let.range);
  if (value->type.kind == TypeKind::Void)
    sink_.report<Rule::TypeMismatch>(let.value->range, "a value", text(value->type));
  if (value->type.kind == TypeKind::Session && let.isVar)
    sink_.report<Rule::NotAssignable>(nameRange, "a session");
  if (value->type.kind == TypeKind::Group && let.isVar)
    sink_.report<Rule::NotAssignable>(nameRange, "a group");
  stmt->variable = define(let.name, value->type, let.isVar, nameRange);
  takeFacts(stmt->variable, *value);
  stmt->value = value;
  out.push_back(stmt);
}

/// `T[rows, cols]` or `T[cols]` of constants.
bool Body::checkTileSize(const ast::TileStmt &tile, const TypeAndFacts &written, Stmt *stmt) {
  bool isElement = written.type.kind == TypeKind::View || written.type.kind == TypeKind::Scalar;
  std::optional<int64_t> rows = 1, cols;
  llvm::ArrayRef<Affine> shape = written.facts.shape;
  if (isElement && (shape.size() == 1 || shape.size() == 2)) {
    cols = shape.back().constant();
    if (shape.size() == 2)
      rows = shape.front().constant();
  }
  bool isSized = rows && cols && *rows > 0 && *cols > 0 && *rows < 65536 && *cols < 1 << 20;
  if (!written.type.isError() && !isSized)
    sink_.report<Rule::BadShape>(
        tile.range, "a tile is `T[rows, cols]` or `T[cols]`, with positive sizes known "
                    "before running");
  stmt->rows = isSized ? *rows : 1;
  stmt->cols = isSized ? *cols : 1;
  return isSized && !written.type.isError();
}

/// `at offset` and `valid [rows, cols]`.
void Body::checkTilePlace(const ast::TileStmt &tile, Stmt *stmt) {
  if (tile.at) {
    std::optional<int64_t> offset = checkConstantInteger(tile.at, "the UB offset of a tile");
    int64_t align = limit(Limit::UbAlignBytes);
    if (offset && (*offset < 0 || *offset % align != 0)) {
      Finding &finding = sink_.report<Rule::TileMisaligned>(tile.at->range, *offset);
      addFix(finding, checker_.sources, tile.at->range,
             std::to_string(std::max<int64_t>(*offset, 0) / align * align),
             "place it at the multiple of 32 before");
    }
    // Beyond any UB the exact number no longer matters, and the bytecode has 32 bits for it.
    offset = std::clamp<int64_t>(offset.value_or(0), 0, 1 << 30);
    stmt->value = constant(ScalarType::I64, ScalarBits(*offset), tile.at->range);
  }
  llvm::SmallVector<Expr *, 2> valid;
  for (const ast::Expr *part : tile.valid)
    if (Expr *size = check(part); requireInteger(size))
      valid.push_back(size);
  if (valid.size() == 2) {
    stmt->ops = program_.copy(llvm::ArrayRef<Expr *>(valid));
    checkValid(valid, stmt->rows, stmt->cols, valid.front()->range.to(valid.back()->range));
  } else if (!tile.valid.empty() && valid.size() == tile.valid.size())
    sink_.report<Rule::BadShape>(tile.range, "a valid region is `[rows, cols]`");
}

/// What is known of a valid region lies inside of its tile; the run asks of the rest.
void Body::checkValid(llvm::ArrayRef<Expr *> sizes, int64_t rows, int64_t cols, SourceRange at) {
  std::optional<int64_t> validRows = sizes[0]->value.constant(),
                         validCols = sizes[1]->value.constant();
  bool isOutside = (validRows && (*validRows < 1 || *validRows > rows)) ||
                   (validCols && (*validCols < 1 || *validCols > cols));
  if (isOutside)
    sink_.report<Rule::ValidOutOfRange>(at, text(sizes[0]->value), text(sizes[1]->value), rows,
                                        cols);
}

void Body::checkTile(const ast::TileStmt &tile, llvm::SmallVectorImpl<Stmt *> &out) {
  if (side_ == Side::Host)
    sink_.report<Rule::WrongSide>(tile.range, "tile", name(Side::Device), name(Side::Host));
  TypeAndFacts written = resolve(tile.type);
  Stmt *stmt = make(StmtKind::Tile, tile.range);
  bool isFine = checkTileSize(tile, written, stmt);
  checkTilePlace(tile, stmt);
  Type type = isFine ? Type{TypeKind::Tile, written.type.scalar} : Type::error();
  stmt->variable = define(tile.name, type, false, rangeOf(tile.name, tile.range));
  stmt->variable->hasValid = !stmt->ops.empty();
  tiles_[stmt->variable] = &tile;
  stmt->variable->facts.shape = {Affine(stmt->rows), Affine(stmt->cols)};
  stmt->variable->facts.stride = {Affine(stmt->cols), Affine(1)};
  stmt->variable->facts.isDynamic = !tile.valid.empty();
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
    if (variable)
      adviseVar(finding, *variable);
    return;
  }
  Stmt *stmt = make(StmtKind::Assign, assign.range);
  stmt->variable = variable;
  if (assign.isCompound)
    stmt->value = makeBinary(assign.op, read(variable, assign.target->range), check(assign.value),
                             assign.range);
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
    sink_.report<Rule::WrongArguments>(
        stmt.range, "this value is computed and dropped; a statement does something");
    return;
  }
  Stmt *made = make(StmtKind::Evaluate, stmt.range);
  made->value = value;
  out.push_back(made);
}

} // namespace pto::check_detail
