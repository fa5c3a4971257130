//===- affine.h - integers as sums of symbols -------------------*- C++ -*-===//
//
// The normal form in which the checker compares sizes, offsets and ranks: constant + sum of
// coefficient * symbol. A symbol is a value that does not change while it is compared: `ranks`, a
// `let`, a loop index, or a pure expression that is no sum, such as `(rank + 1) % ranks`, which
// gets one symbol wherever it is written in a function.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_PROGRAM_AFFINE_H
#define PTO_PROGRAM_AFFINE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <cstdint>
#include <optional>
#include <string>

namespace pto::program {

using SymbolId = uint32_t;

/// Makes symbols; equal keys give equal symbols, fresh() always a new one.
class Symbols {
public:
  SymbolId get(llvm::StringRef key) {
    return ids_.try_emplace(key, ids_.size() + fresh_).first->second;
  }
  SymbolId fresh() { return SymbolId(ids_.size() + fresh_++); }

private:
  llvm::StringMap<SymbolId> ids_;
  uint32_t fresh_ = 0;
};

class Affine {
public:
  Affine() = default;
  Affine(int64_t constant) : constant_(constant) {}
  static Affine symbol(SymbolId id) {
    Affine sum;
    sum.terms_.push_back({id, 1});
    return sum;
  }

  [[nodiscard]] std::optional<int64_t> constant() const {
    return terms_.empty() ? std::optional(constant_) : std::nullopt;
  }
  [[nodiscard]] bool is(int64_t value) const { return terms_.empty() && constant_ == value; }
  /// The constant part and the factor of a symbol, if no other symbol occurs.
  [[nodiscard]] std::optional<std::pair<int64_t, int64_t>> linearIn(SymbolId id) const;

  /// Empty where a coefficient would overflow.
  [[nodiscard]] std::optional<Affine> plus(const Affine &other) const;
  [[nodiscard]] std::optional<Affine> times(int64_t factor) const;
  [[nodiscard]] std::optional<Affine> minus(const Affine &other) const;

  bool operator==(const Affine &) const = default;
  /// A text that is equal exactly for equal sums; used in keys of symbols and instances.
  [[nodiscard]] std::string key() const;

private:
  int64_t constant_ = 0;
  llvm::SmallVector<std::pair<SymbolId, int64_t>, 2> terms_; ///< Sorted by symbol, factors not 0.
};

} // namespace pto::program

#endif
