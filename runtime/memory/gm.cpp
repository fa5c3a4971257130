#include "memory/gm.h"

#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <sys/mman.h>
#include <utility>

namespace pto {

llvm::Expected<Gm> Gm::map(const Layout &layout, int32_t ranks) {
  int64_t size = std::max<int64_t>(layout.bytesPerRank * ranks, 1);
  void *base = mmap(nullptr, size_t(size), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED)
    return llvm::createStringError(std::make_error_code(std::errc::not_enough_memory),
                                   "cannot map " + llvm::Twine(size) + " bytes of GM for " +
                                       llvm::Twine(ranks) + " ranks");
  return Gm(static_cast<uint8_t *>(base), layout.bytesPerRank, size);
}

Gm::Gm(Gm &&other) noexcept
    : base_(std::exchange(other.base_, nullptr)), bytesPerRank_(other.bytesPerRank_),
      size_(other.size_) {}

Gm::~Gm() {
  if (base_)
    munmap(base_, size_t(size_));
}

Fault Gm::check(const View &view, const Layout &layout, llvm::StringRef name) const {
  if (view.space != Space::Gm || view.object >= layout.objects.size())
    return "this operand must be GM";
  if (elements(view) == 0)
    return std::nullopt;
  const ObjectLayout &object = layout.objects[view.object];
  ByteRange range = byteRange(view);
  constexpr int64_t kMostElements = int64_t(1) << 30; // Strides of 0 could name any number.
  bool inside = range.begin >= object.view.offset && range.end <= object.view.offset + object.bytes;
  if (inside && elements(view) <= kMostElements)
    return std::nullopt;
  return ("bytes " + llvm::Twine(range.begin - object.view.offset) + " to " +
          llvm::Twine(range.end - object.view.offset - 1) + " of `" + name + "`, which has " +
          llvm::Twine(object.bytes) + " bytes")
      .str();
}

void Gm::initialise(const Module &module, const Layout &layout, int32_t ranks) {
  for (size_t i = 0; i != layout.objects.size(); ++i) {
    const Object &object = module.objects[i];
    if (!object.hasInit || object.init == 0) // Pages come zeroed.
      continue;
    const View &view = layout.objects[i].view;
    for (int32_t rank = 0; rank != ranks; ++rank)
      for (int64_t at = 0; at != layout.objects[i].bytes; at += view.elementBytes())
        storeScalar(object.type, of(rank) + view.offset + at, object.init);
  }
}

} // namespace pto
