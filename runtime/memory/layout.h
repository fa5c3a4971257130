//===- layout.h - where objects lie in GM -----------------------*- C++ -*-===//
//
// Windows in order of declaration after the platform's head, at the same offset on every rank; what
// is local to a rank follows them.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_MEMORY_LAYOUT_H
#define PTO_MEMORY_LAYOUT_H

#include "bytecode/module.h"
#include "memory/view.h"
#include "target/platform.h"

#include "llvm/Support/Error.h"

namespace pto {

struct ObjectLayout {
  View view; ///< The whole object on rank 0.
  int64_t bytes = 0;
};

struct Layout {
  std::vector<ObjectLayout> objects; ///< As Module::objects.
  int64_t bytesPerRank = 0;

  /// The object that owns a byte of a rank's GM, or null between objects.
  [[nodiscard]] const ObjectLayout *objectAt(int64_t offset) const;
};

/// The error names the object, its bytes, the limit and the number of ranks.
[[nodiscard]] llvm::Expected<Layout> layOut(const Module &module, int32_t ranks,
                                            const PlatformInfo &platform, uint64_t maxGmBytes);

/// `flags[2, 5]`: the element of the object at a byte of a rank's GM; "GM+0x40" outside objects.
[[nodiscard]] std::string elementName(const Module &module, const Layout &layout, int64_t offset);

} // namespace pto

#endif
