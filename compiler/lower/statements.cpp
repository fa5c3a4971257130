//===- statements.cpp - control flow, definitions, tiles ----------------------------===//

#include "lower/function_builder.h"

#include "base/check.h"

#include "llvm/Support/MathExtras.h"

namespace pto::lower_detail {

using namespace program;

void FunctionBuilder::block(llvm::ArrayRef<Stmt *> body) {
  for (const Stmt *stmt : body)
    statement(*stmt);
}

/// Lowers one statement; its temporaries are free again afterwards.
void FunctionBuilder::statement(const Stmt &stmt) {
  auto used = used_;
  size_t viewsUsed = viewsUsed_;
  switch (stmt.kind) {
  case StmtKind::Block:
    block(stmt.body);
    break;
  case StmtKind::Define:
    define(stmt);
    break;
  case StmtKind::Assign:
    into(registerOf(*stmt.variable), *stmt.value);
    break;
  case StmtKind::Tile:
    tile(stmt);
    break;
  case StmtKind::If:
    branch(stmt);
    break;
  case StmtKind::While:
    whileLoop(stmt);
    break;
  case StmtKind::For:
    forLoop(stmt);
    break;
  case StmtKind::Break:
  case StmtKind::Continue:
    emit(Opcode::Jump, stmt.range,
         {stmt.kind == StmtKind::Break ? loops_.back().second : loops_.back().first});
    break;
  case StmtKind::Return:
    returnValue(stmt);
    break;
  default:
    action(stmt);
    break;
  }
  used_ = used;
  viewsUsed_ = viewsUsed;
}

/// A statement that does something and goes on. In a test it is one step of all ranks.
void FunctionBuilder::action(const Stmt &stmt) {
  switch (stmt.kind) {
  case StmtKind::Evaluate:
    evaluate(*stmt.value);
    break;
  case StmtKind::Print:
  case StmtKind::Assert:
    return formatted(stmt);
  case StmtKind::After:
    for (const Expr *token : stmt.ops)
      emit(Opcode::WaitToken, stmt.range, {scalar(*token)});
    return;
  case StmtKind::Fill:
    fill(stmt);
    break;
  case StmtKind::FillFile:
    emit(Opcode::FileFill, stmt.range, {stmt.number, module_.string(stmt.text)});
    break;
  case StmtKind::Save:
    synchronise(stmt);
    emit(Opcode::FileSave, stmt.range, {stmt.number, module_.string(stmt.text)});
    break;
  case StmtKind::Launch:
    launch(stmt);
    break;
  case StmtKind::Sync:
    return synchronise(stmt);
  case StmtKind::Yield:
    emit(Opcode::Yield, stmt.range, {});
    return;
  case StmtKind::Expect:
    synchronise(stmt);
    expect(stmt);
    break;
  default:
    PTO_UNREACHABLE("no statement of this kind acts");
  }
  step(stmt.range);
}

void FunctionBuilder::define(const Stmt &stmt) {
  uint32_t target = registerOf(*stmt.variable);
  if (stmt.value->kind != ExprKind::Session || stmt.otherwise.empty())
    return into(target, *stmt.value);
  move(target, session(*stmt.value), stmt.value->type, stmt.range);
  uint32_t built = temporary(RegisterType::Bool);
  emit(Opcode::SessionOk, stmt.range, {built, target});
  Label ok = newLabel();
  emit(Opcode::JumpIf, stmt.range, {built, ok});
  block(stmt.otherwise);
  bind(ok);
}

void FunctionBuilder::evaluate(const Expr &expr) {
  if (expr.kind == ExprKind::Call)
    return call(expr);
  uint32_t result = intrinsic(expr);
  if (expr.intrinsic != Intrinsic::Wait)
    return;
  // `wait(e);` as a statement must succeed. The event is the one that was waited for: lowering the
  // operand again would post `wait(tput_async(...))` twice.
  uint32_t event = out_.code.back().operands[1];
  emit(Opcode::WaitRequire, expr.range, {result, event});
}

void FunctionBuilder::tile(const Stmt &stmt) {
  uint32_t target = registerOf(*stmt.variable);
  ScalarType type = stmt.variable->type.scalar;
  uint64_t row = llvm::alignTo(uint64_t(stmt.cols) * info(type).bytes(), 32);
  bool isFixed = stmt.value != nullptr;
  uint32_t offset = isFixed ? uint32_t(stmt.value->bits) : out_.ubBytes;
  if (!isFixed) {
    // Beyond any UB the exact number no longer matters, but it must not wrap.
    uint64_t end = uint64_t(out_.ubBytes) + row * uint64_t(stmt.rows);
    out_.ubBytes = uint32_t(std::min<uint64_t>(end, 1u << 30));
  }
  emit(Opcode::Tile, stmt.range,
       {target, uint32_t(stmt.rows), uint32_t(stmt.cols), offset, isFixed}, type);
  if (stmt.ops.empty())
    return;
  uint32_t rows = scalar(*stmt.ops[0]), cols = scalar(*stmt.ops[1]);
  emit(Opcode::TileValid, stmt.range, {target, rows, cols});
}

void FunctionBuilder::branch(const Stmt &stmt) {
  bool together = steps_;
  steps_ = together && uniformity_.isUniform(stmt);
  uint32_t condition = scalar(*stmt.value);
  Label otherwise = newLabel(), end = newLabel();
  emit(Opcode::JumpUnless, stmt.value->range, {condition, otherwise});
  block(stmt.body);
  if (!stmt.otherwise.empty())
    emit(Opcode::Jump, stmt.range, {end});
  bind(otherwise);
  block(stmt.otherwise);
  bind(end);
  steps_ = together;
  if (!uniformity_.isUniform(stmt))
    step(stmt.range);
}

/// The body of a loop, with the labels that `continue` and `break` in it go to.
void FunctionBuilder::loopBody(const Stmt &stmt, Label again, Label end) {
  bool together = steps_;
  steps_ = together && uniformity_.isUniform(stmt);
  loops_.push_back({again, end});
  block(stmt.body);
  loops_.pop_back();
  steps_ = together;
}

void FunctionBuilder::whileLoop(const Stmt &stmt) {
  Label head = newLabel(), end = newLabel();
  bind(head);
  if (stmt.value) {
    uint32_t condition = scalar(*stmt.value);
    emit(Opcode::JumpUnless, stmt.value->range, {condition, end});
  }
  loopBody(stmt, head, end);
  emit(Opcode::Jump, stmt.range, {head});
  bind(end);
  if (!uniformity_.isUniform(stmt))
    step(stmt.range);
}

void FunctionBuilder::forLoop(const Stmt &stmt) {
  ScalarType type = stmt.variable->type.scalar;
  uint32_t index = registerOf(*stmt.variable);
  into(index, *stmt.ops[0]);
  // The bound and the step are read once, so they are kept apart from variables that change.
  uint32_t high = temporary(registerType(type)), by = temporary(registerType(type));
  into(high, *stmt.ops[1]);
  if (stmt.ops[2])
    into(by, *stmt.ops[2]);
  else
    emit(Opcode::Const, stmt.range, {by, module_.constant(type, 1)}, type);
  uint32_t inside = temporary(RegisterType::Bool);
  Label head = newLabel(), again = newLabel(), end = newLabel();
  bind(head);
  emit(Opcode::Less, stmt.range, {inside, index, high}, type);
  emit(Opcode::JumpUnless, stmt.range, {inside, end});
  loopBody(stmt, again, end);
  bind(again);
  emit(Opcode::Add, stmt.range, {index, index, by}, type);
  emit(Opcode::Jump, stmt.range, {head});
  bind(end);
  if (!uniformity_.isUniform(stmt))
    step(stmt.range);
}

void FunctionBuilder::returnValue(const Stmt &stmt) {
  if (stmt.value)
    into(0, *stmt.value); // r0 or v0 is the result.
  emit(Opcode::Return, stmt.range, {});
}

void FunctionBuilder::formatted(const Stmt &stmt) {
  Label end = newLabel();
  if (stmt.kind == StmtKind::Assert) {
    uint32_t condition = scalar(*stmt.value);
    emit(Opcode::JumpIf, stmt.range, {condition, end});
  }
  llvm::SmallVector<std::pair<uint32_t, ScalarType>, 4> values;
  for (const Expr *op : stmt.ops)
    values.push_back({scalar(*op), op->type.scalar});
  for (auto [value, type] : values)
    emit(Opcode::FormatArg, stmt.range, {value}, type);
  Opcode opcode = stmt.kind == StmtKind::Assert ? Opcode::AssertFail : Opcode::Print;
  emit(opcode, stmt.range, {module_.string(stmt.text)});
  bind(end);
}

} // namespace pto::lower_detail
