//===- signal_writers.h - what else may change signal words -----*- C++ -*-===//
//
// Private to the check room. Of one launch: which objects of signal words may be changed by anybody
// but the blocks of this launch on their own rank. It is asked of all the code that the entry may
// reach, whether or not it is known to run.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_CHECK_SIGNAL_WRITERS_H
#define PTO_CHECK_SIGNAL_WRITERS_H

#include "program/program.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace pto::check_detail {

class SignalWriters {
public:
  /// `isAlone`: there is one rank only.
  SignalWriters(const program::Program &program, const program::Function &entry,
                const program::Stmt &launch, bool isAlone);

  [[nodiscard]] bool mayWrite(int32_t object) const {
    return writesAny_ || written_.contains(object);
  }
  /// The least and the greatest number that a word of the object may hold before all notifies: its
  /// initial value, or what a host fills in.
  [[nodiscard]] std::pair<int64_t, int64_t> start(int32_t object) const;

private:
  void function(const program::Function &function);
  void statements(llvm::ArrayRef<program::Stmt *> body);
  void fill(const program::Stmt &stmt);
  void expression(const program::Expr *expr);
  void write(int32_t object);

  const program::Program &program_;
  const program::Stmt &launch_;
  bool isOwnKernel_ = false; ///< Of the launched kernel only what it does to other ranks counts.
  bool writesAny_ = false;
  llvm::DenseSet<int32_t> written_;                             ///< Asked, never walked.
  llvm::DenseSet<const program::Function *> seen_;              ///< The same.
  llvm::DenseMap<int32_t, std::pair<int64_t, int64_t>> starts_; ///< The same.
};

} // namespace pto::check_detail

#endif
