#include "lower/function_builder.h"

#include "base/check.h"

namespace pto::lower_detail {

using namespace program;

RegisterType registerTypeOf(const Type &type) {
  switch (type.kind) {
  case TypeKind::Scalar:
    return registerType(type.scalar);
  case TypeKind::Event:
    return RegisterType::Event;
  case TypeKind::Session:
    return RegisterType::Session;
  case TypeKind::Token:
    return RegisterType::Token;
  case TypeKind::Group:
    return RegisterType::Group;
  case TypeKind::HixlEngine:
  case TypeKind::HixlMem:
  case TypeKind::HixlRequest:
  case TypeKind::HixlValue:
    return RegisterType::I32;
  default:
    PTO_UNREACHABLE("no scalar register holds this type");
  }
}

pto::Function lowerFunction(ModuleBuilder &module, const program::Function &function) {
  return FunctionBuilder(module, function).run();
}

FunctionBuilder::FunctionBuilder(ModuleBuilder &module, const program::Function &function)
    : module_(module), source_(function), uniformity_(function), steps_(function.isTest) {}

uint32_t FunctionBuilder::newRegister(RegisterType type) {
  out_.registers.push_back(type);
  return uint32_t(out_.registers.size() - 1);
}

uint32_t FunctionBuilder::newView() { return out_.viewCount++; }

uint32_t FunctionBuilder::temporary(RegisterType type) {
  std::vector<uint32_t> &pool = pool_[size_t(type)];
  size_t &used = used_[size_t(type)];
  if (used == pool.size())
    pool.push_back(newRegister(type));
  return pool[used++];
}

uint32_t FunctionBuilder::temporaryView() {
  if (viewsUsed_ == viewPool_.size())
    viewPool_.push_back(newView());
  return viewPool_[viewsUsed_++];
}

uint32_t FunctionBuilder::registerOf(const Variable &variable) {
  auto [entry, isNew] = variables_.try_emplace(&variable, 0);
  if (isNew) {
    uint32_t made =
        isViewType(variable.type) ? newView() : newRegister(registerTypeOf(variable.type));
    variables_[&variable] = made;
    return made;
  }
  return entry->second;
}

Instruction &FunctionBuilder::emit(Opcode opcode, SourceRange at,
                                   std::initializer_list<uint32_t> operands, ScalarType type) {
  PTO_CHECK(operands.size() == info(opcode).operandCount,
            "an instruction was emitted with a wrong operand count");
  Instruction instruction{opcode, type};
  std::copy(operands.begin(), operands.end(), instruction.operands);
  out_.code.push_back(instruction);
  out_.places.push_back(module_.place(at));
  return out_.code.back();
}

FunctionBuilder::Label FunctionBuilder::newLabel() {
  labels_.push_back(kNoOperand);
  return Label(labels_.size() - 1);
}

void FunctionBuilder::bind(Label label) { labels_[label] = uint32_t(out_.code.size()); }

/// Jumps were emitted with label numbers; now that all are bound they become instruction indices.
void FunctionBuilder::resolveLabels() {
  for (Instruction &instruction : out_.code) {
    const OpcodeInfo &row = info(instruction.opcode);
    for (unsigned i = 0; i != row.operandCount; ++i)
      if (row.operands[i] == OperandKind::label)
        instruction.operands[i] = labels_[instruction.operands[i]];
  }
}

void FunctionBuilder::addParams() {
  bool hasResult = source_.result.kind != TypeKind::Void && !source_.result.isError();
  out_.hasResult = hasResult;
  out_.resultIsView = hasResult && isViewType(source_.result);
  if (hasResult)
    (void)(out_.resultIsView ? newView() : newRegister(registerTypeOf(source_.result)));
  for (const Variable *param : source_.params) {
    (void)registerOf(*param);
    ++(isViewType(param->type) ? out_.viewParams : out_.scalarParams);
  }
}

pto::Function FunctionBuilder::run() {
  static constexpr pto::FunctionKind kKinds[] = {
      pto::FunctionKind::Function, pto::FunctionKind::Kernel, pto::FunctionKind::Host};
  out_.name = source_.name;
  out_.kind = kKinds[size_t(source_.kind)];
  out_.place = module_.place(source_.range);
  addParams();
  block(source_.body);
  emit(Opcode::Return, source_.end, {});
  resolveLabels();
  return std::move(out_);
}

} // namespace pto::lower_detail
