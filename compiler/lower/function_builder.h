//===- function_builder.h - lowers one function -----------------*- C++ -*-===//
//
// Private to the lower room. Variables keep their registers; temporaries are handed back when the
// statement that needed them ends, and used again by type.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_LOWER_FUNCTION_BUILDER_H
#define PTO_LOWER_FUNCTION_BUILDER_H

#include "lower/module_builder.h"
#include "lower/uniformity.h"

#include <array>

namespace pto::lower_detail {

using program::Expr;
using program::Stmt;

[[nodiscard]] Function lowerFunction(ModuleBuilder &module, const program::Function &function);

class FunctionBuilder {
public:
  FunctionBuilder(ModuleBuilder &module, const program::Function &function);
  Function run();

private:
  using Label = uint32_t; ///< Index into labels_; resolved when the function is complete.

  //===--- Registers and code (function_builder.cpp) ---===//
  uint32_t newRegister(RegisterType type);
  uint32_t newView();
  uint32_t temporary(RegisterType type);
  uint32_t temporaryView();
  uint32_t registerOf(const program::Variable &variable);
  Instruction &emit(Opcode opcode, SourceRange at, std::initializer_list<uint32_t> operands,
                    ScalarType type = ScalarType::I32);
  Label newLabel();
  void bind(Label label);
  void resolveLabels();
  void addParams();

  //===--- Expressions (expressions.cpp) ---===//
  /// The scalar or handle register that holds the value.
  uint32_t scalar(const Expr &expr);
  /// The same where the operand may be left out.
  uint32_t optional(const Expr *expr) { return expr ? scalar(*expr) : kNoOperand; }
  uint32_t view(const Expr &expr);
  void partOf(uint32_t target, uint32_t base, const Expr &expr);
  void reshape(uint32_t target, uint32_t base, const Expr &expr);
  void strided(uint32_t target, uint32_t base, const Expr &expr);
  uint32_t optionalView(const Expr *expr) { return expr ? view(*expr) : kNoOperand; }
  void into(uint32_t target, const Expr &expr);
  uint32_t constant(ScalarType type, ScalarBits bits, SourceRange at);
  uint32_t binary(const Expr &expr);
  uint32_t logical(const Expr &expr);
  uint32_t unary(const Expr &expr);
  uint32_t conversion(const Expr &expr);
  uint32_t callResult(const Expr &expr);
  uint32_t world(const Expr &expr);
  uint32_t hash(const Expr &expr);
  void move(uint32_t target, uint32_t from, const program::Type &type, SourceRange at);

  //===--- Calls and instructions (instructions.cpp) ---===//
  /// Where consecutive registers of a callee begin in this frame.
  struct CallFrame {
    uint32_t scalars;
    uint32_t views;
  };
  CallFrame frameFor(const program::Function &callee);
  CallFrame passArguments(const program::Function &callee, llvm::ArrayRef<Expr *> args);
  void call(const Expr &expr);
  uint32_t session(const Expr &expr);
  uint32_t group(const Expr &expr);
  uint32_t intrinsic(const Expr &expr);
  void plants(const Expr &expr, llvm::ArrayRef<uint32_t> registers);
  void plantApart(const Expr &expr, llvm::ArrayRef<uint32_t> registers, uint32_t payload,
                  uint32_t signal, SourceRange at);

  //===--- Calls of HIXL (hixl.cpp) ---===//
  uint32_t hixlCall(const Expr &expr);
  uint32_t hixlNumber(const Expr *op);
  void stage(const Expr &op);
  void stageText(const Expr &text);
  void stagePairsOver(const Expr &pairs);

  //===--- Statements (statements.cpp, host.cpp) ---===//
  void block(llvm::ArrayRef<Stmt *> body);
  void statement(const Stmt &stmt);
  void action(const Stmt &stmt);
  void define(const Stmt &stmt);
  void evaluate(const Expr &expr);
  void tile(const Stmt &stmt);
  void branch(const Stmt &stmt);
  void whileLoop(const Stmt &stmt);
  void forLoop(const Stmt &stmt);
  void loopBody(const Stmt &stmt, Label again, Label end);
  void returnValue(const Stmt &stmt);
  void formatted(const Stmt &stmt);
  void launch(const Stmt &stmt);
  void fill(const Stmt &stmt);
  void expect(const Stmt &stmt);
  /// Runs `innermost` for every combination of the statement's indices that its `where` takes.
  template <typename Innermost>
  void overIndices(const Stmt &stmt, size_t index, Innermost innermost);
  void synchronise(const Stmt &stmt);
  void step(SourceRange at);

  ModuleBuilder &module_;
  const program::Function &source_;
  Function out_;
  Uniformity uniformity_;
  bool steps_; ///< Whether the hosts of a test stay together at this point.

  llvm::DenseMap<const program::Variable *, uint32_t> variables_;
  std::array<std::vector<uint32_t>, kRegisterTypeCount> pool_; ///< Temporaries by type.
  std::array<size_t, kRegisterTypeCount> used_ = {};
  std::vector<uint32_t> viewPool_;
  size_t viewsUsed_ = 0;
  llvm::DenseMap<const program::Function *, CallFrame> frames_;

  std::vector<uint32_t> labels_;
  std::vector<std::pair<Label, Label>> loops_; ///< Continue and break targets.
};

/// The register type of a value that is no view.
[[nodiscard]] RegisterType registerTypeOf(const program::Type &type);
[[nodiscard]] inline bool isViewType(const program::Type &type) {
  return type.isView() || type.kind == program::TypeKind::Tile;
}

} // namespace pto::lower_detail

#endif
