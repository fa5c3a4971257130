//===- host.cpp - fill and expect as loops, and the steps of a test -------------------===//

#include "lower/function_builder.h"

namespace pto::lower_detail {

using namespace program;

/// The end of a statement on all ranks, where the hosts of a test are together.
void FunctionBuilder::step(SourceRange at) {
  if (steps_)
    emit(Opcode::Step, at, {});
}

/// Waits for the launches of this rank; in a test, then for those of all ranks, so that whoever
/// still writes into this rank's memory is done too.
void FunctionBuilder::synchronise(const Stmt &stmt) {
  emit(Opcode::Sync, stmt.range, {});
  step(stmt.range);
}

template <typename Innermost>
void FunctionBuilder::overIndices(const Stmt &stmt, size_t index, Innermost innermost) {
  if (index == stmt.indices.size()) {
    Label skip = newLabel();
    if (stmt.where) {
      uint32_t condition = scalar(*stmt.where);
      emit(Opcode::JumpUnless, stmt.where->range, {condition, skip});
    }
    innermost();
    bind(skip);
    return;
  }
  SourceRange at = stmt.range;
  uint32_t counter = registerOf(*stmt.indices[index]);
  uint32_t size = scalar(*stmt.indexExtents[index]), bound = temporary(RegisterType::I32);
  emit(Opcode::Convert, at, {bound, uint32_t(ScalarType::I64), size}, ScalarType::I32);
  uint32_t one = constant(ScalarType::I32, 1, at), inside = temporary(RegisterType::Bool);
  emit(Opcode::Const, at, {counter, module_.constant(ScalarType::I32, 0)}, ScalarType::I32);
  Label head = newLabel(), end = newLabel();
  bind(head);
  emit(Opcode::Less, at, {inside, counter, bound}, ScalarType::I32);
  emit(Opcode::JumpUnless, at, {inside, end});
  overIndices(stmt, index + 1, innermost);
  emit(Opcode::Add, at, {counter, counter, one}, ScalarType::I32);
  emit(Opcode::Jump, at, {head});
  bind(end);
}

void FunctionBuilder::fill(const Stmt &stmt) {
  overIndices(stmt, 0, [&] {
    uint32_t element = view(*stmt.value), value = scalar(*stmt.ops[0]);
    emit(Opcode::HostStore, stmt.range, {element, value}, stmt.value->type.scalar);
  });
}

void FunctionBuilder::expect(const Stmt &stmt) {
  const Type &type = stmt.value->type;
  uint32_t answers = type.kind == TypeKind::HixlValue ? 1 + uint32_t(type.hixlEnum) : 0;
  emit(Opcode::ExpectBegin, stmt.range, {module_.string(stmt.text), answers});
  overIndices(stmt, 0, [&] {
    uint32_t got = scalar(*stmt.value), wanted = scalar(*stmt.ops[0]),
             within = optional(stmt.ops[1]);
    uint32_t indices[5] = {kNoOperand, kNoOperand, kNoOperand, kNoOperand, kNoOperand};
    for (size_t i = 0; i != stmt.indices.size(); ++i)
      indices[i] = registerOf(*stmt.indices[i]);
    emit(Opcode::ExpectElement, stmt.range,
         {got, wanted, stmt.number, within, indices[0], indices[1], indices[2], indices[3],
          indices[4]},
         stmt.value->type.scalar);
  });
  emit(Opcode::ExpectEnd, stmt.range, {});
}

} // namespace pto::lower_detail
