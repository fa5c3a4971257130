#include "program/affine.h"

#include "llvm/Support/MathExtras.h"

namespace pto::program {

std::optional<std::pair<int64_t, int64_t>> Affine::linearIn(SymbolId id) const {
  if (terms_.empty())
    return std::pair(constant_, int64_t(0));
  if (terms_.size() == 1 && terms_.front().first == id)
    return std::pair(constant_, terms_.front().second);
  return std::nullopt;
}

std::optional<Affine> Affine::plus(const Affine &other) const {
  Affine sum;
  if (llvm::AddOverflow(constant_, other.constant_, sum.constant_))
    return std::nullopt;
  const auto *left = terms_.begin(), *right = other.terms_.begin();
  while (left != terms_.end() || right != other.terms_.end()) {
    if (right == other.terms_.end() || (left != terms_.end() && left->first < right->first)) {
      sum.terms_.push_back(*left++);
      continue;
    }
    if (left == terms_.end() || right->first < left->first) {
      sum.terms_.push_back(*right++);
      continue;
    }
    int64_t factor;
    if (llvm::AddOverflow(left->second, right->second, factor))
      return std::nullopt;
    if (factor != 0)
      sum.terms_.push_back({left->first, factor});
    ++left, ++right;
  }
  return sum;
}

std::optional<Affine> Affine::times(int64_t factor) const {
  Affine product;
  if (factor == 0)
    return product;
  if (llvm::MulOverflow(constant_, factor, product.constant_))
    return std::nullopt;
  for (auto [symbol, coefficient] : terms_) {
    int64_t scaled;
    if (llvm::MulOverflow(coefficient, factor, scaled))
      return std::nullopt;
    product.terms_.push_back({symbol, scaled});
  }
  return product;
}

std::optional<Affine> Affine::minus(const Affine &other) const {
  std::optional<Affine> negative = other.times(-1);
  return negative ? plus(*negative) : std::nullopt;
}

std::string Affine::key() const {
  std::string text = std::to_string(constant_);
  for (auto [symbol, factor] : terms_)
    text += "+" + std::to_string(factor) + "*s" + std::to_string(symbol);
  return text;
}

} // namespace pto::program
