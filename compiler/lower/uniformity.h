//===- uniformity.h - where the hosts of a test stay together ---*- C++ -*-===//
//
// Private to the lower room. The statements of a test step together on all ranks, also inside an
// `if` or a loop whose condition is the same on every rank. A value differs between ranks if it
// comes from `rank`, from memory, or from a variable that was written where ranks differ.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_LOWER_UNIFORMITY_H
#define PTO_LOWER_UNIFORMITY_H

#include "program/program.h"

#include "llvm/ADT/DenseSet.h"

namespace pto::lower_detail {

class Uniformity {
public:
  explicit Uniformity(const program::Function &function);
  [[nodiscard]] bool isUniform(const program::Expr *expr) const;
  /// Whether all ranks take the same way through an `if` or loop.
  [[nodiscard]] bool isUniform(const program::Stmt &stmt) const;

private:
  void visit(llvm::ArrayRef<program::Stmt *> body, bool together);
  void mark(const program::Variable *variable);

  llvm::DenseSet<const program::Variable *> differing_;
  bool changed_ = false;
};

} // namespace pto::lower_detail

#endif
