//===- gm.h - the global memory of all ranks --------------------*- C++ -*-===//
//
// One arena for a run, mapped without reserving pages: a rank costs what it touches.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_MEMORY_GM_H
#define PTO_MEMORY_GM_H

#include "memory/layout.h"

namespace pto {

class Gm {
public:
  [[nodiscard]] static llvm::Expected<Gm> map(const Layout &layout, int32_t ranks);
  Gm(Gm &&other) noexcept;
  Gm(const Gm &) = delete;
  Gm &operator=(const Gm &) = delete;
  ~Gm();

  /// The first byte of a rank's GM.
  [[nodiscard]] uint8_t *of(int32_t rank) const { return base_ + int64_t(rank) * bytesPerRank_; }
  [[nodiscard]] int64_t bytesPerRank() const { return bytesPerRank_; }

  /// Whether all of a view lies inside its object: what every access asks first.
  [[nodiscard]] Fault check(const View &view, const Layout &layout, llvm::StringRef name) const;
  /// Writes the declared initial values of all ranks.
  void initialise(const Module &module, const Layout &layout, int32_t ranks);

private:
  Gm(uint8_t *base, int64_t bytesPerRank, int64_t size)
      : base_(base), bytesPerRank_(bytesPerRank), size_(size) {}

  uint8_t *base_;
  int64_t bytesPerRank_;
  int64_t size_;
};

} // namespace pto

#endif
