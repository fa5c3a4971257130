//===- module_builder.h - bytecode written in C++, for tests ----*- C++ -*-===//
//
// Functions are built one after the other; every instruction stands on a line of its own of the
// file "test.pto", numbered through the module from 1.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_TESTS_UNIT_MODULE_BUILDER_H
#define PTO_TESTS_UNIT_MODULE_BUILDER_H

#include "bytecode/module.h"

#include <initializer_list>

namespace pto::testing {

using enum ScalarType;

class Builder;

/// The function that is being written.
class Code {
public:
  Code(Builder &builder, uint32_t index) : builder_(builder), index_(index) {}

  [[nodiscard]] uint32_t index() const { return index_; }
  [[nodiscard]] Function &function();
  uint32_t reg(RegisterType type) {
    function().registers.push_back(type);
    return uint32_t(function().registers.size() - 1);
  }
  uint32_t reg(ScalarType type) { return reg(registerType(type)); }
  uint32_t view() { return function().viewCount++; }
  /// The next instruction's index, for labels.
  [[nodiscard]] uint32_t here() { return uint32_t(function().code.size()); }
  /// Appends an instruction; gives its index, so that a label can be patched.
  uint32_t op(Opcode opcode, std::initializer_list<uint32_t> operands = {}, ScalarType type = I32);
  void patch(uint32_t instruction, unsigned operand, uint32_t label) {
    function().code[instruction].operands[operand] = label;
  }

  // What nearly every test needs.
  uint32_t number(double value, ScalarType type = I32);
  uint32_t rank() { return into(I32, Opcode::Rank); }
  uint32_t binary(Opcode opcode, uint32_t a, uint32_t b, ScalarType type = I32);
  /// (rank + by) % ranks
  uint32_t neighbour(int by = 1);
  uint32_t object(uint32_t object);
  uint32_t peer(uint32_t of, uint32_t rank);
  uint32_t element(uint32_t of, uint32_t at);
  uint32_t tile(ScalarType type, uint32_t rows, uint32_t cols, uint32_t offset = 0);
  uint32_t session(DmaEngine engine, uint32_t blockBytes = kNoOperand, uint32_t queues = kNoOperand,
                   uint32_t group = kNoOperand);
  uint32_t put(uint32_t dst, uint32_t src, uint32_t session) {
    return posted(Opcode::TputAsync, {dst, src, session});
  }
  uint32_t putNotify(uint32_t dst, uint32_t src, uint32_t sig, int value, NotifyOp how,
                     uint32_t session);
  uint32_t wait(uint32_t event);
  void notify(uint32_t sig, int value, NotifyOp how);
  void twait(uint32_t sig, int value, WaitCmp cmp, uint32_t from = kNoOperand);
  uint32_t load(uint32_t element, ScalarType type = I32);
  /// Prints "text value".
  void print(const std::string &text, uint32_t value, ScalarType type = I32);
  void launch(const Code &kernel, uint32_t blocks = kNoOperand, uint32_t stream = kNoOperand) {
    op(Opcode::Launch, {kernel.index(), 0, 0, blocks, stream});
  }
  void ret() { op(Opcode::Return); }
  /// for i in 0..count: body(i)
  template <typename Body> void loop(uint32_t count, Body body) {
    uint32_t i = reg(I32);
    op(Opcode::Move, {i, number(0)});
    uint32_t top = here();
    uint32_t exit = op(Opcode::JumpUnless, {binaryCompare(i, count), 0});
    body(i);
    op(Opcode::Add, {i, i, number(1)});
    op(Opcode::Jump, {top});
    patch(exit, 1, here());
  }

private:
  uint32_t into(ScalarType type, Opcode opcode);
  uint32_t binaryCompare(uint32_t a, uint32_t b);
  uint32_t posted(Opcode opcode, std::vector<uint32_t> rest);

  Builder &builder_;
  uint32_t index_;
};

class Builder {
public:
  Builder() { module.files = {"test.pto"}; }

  uint32_t window(const std::string &name, ScalarType type, llvm::SmallVector<Extent, 2> shape,
                  bool isSignal = false);
  uint32_t signal(const std::string &name, llvm::SmallVector<Extent, 2> shape = {}) {
    return window(name, I32, std::move(shape), true);
  }
  Code function(const std::string &name, FunctionKind kind);
  Code kernel(const std::string &name) { return function(name, FunctionKind::Kernel); }
  Code host();
  uint32_t text(const std::string &text);

  Module module;
  uint32_t line = 0;
};

} // namespace pto::testing

#endif
