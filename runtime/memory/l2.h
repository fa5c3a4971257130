//===- l2.h - what prefetches have brought nearer ---------------*- C++ -*-===//
//
// The L2 of one device, as far as a program can measure it: granules that a prefetch has brought in
// are loaded faster, until newer ones push them out or somebody else writes them. It holds no
// bytes. What was never prefetched is not here, whatever a chip keeps of it: its loads take the
// usual time.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_MEMORY_L2_H
#define PTO_MEMORY_L2_H

#include "memory/view.h"

#include "llvm/ADT/DenseMap.h"

#include <list>
#include <vector>

namespace pto {

class L2 {
public:
  /// A granule is here or not; the ends of a range fetch and drop theirs whole.
  static constexpr int64_t kGranuleBytes = 4096;

  explicit L2(int64_t bytes) : most_(size_t(bytes / kGranuleBytes)) {}

  /// Granules of the range arrive one after the other, the last one at `endPs`.
  void fetch(ByteRange range, int64_t startPs, int64_t endPs);
  /// How many bytes of the range are here at that time; they are the last ones used.
  [[nodiscard]] int64_t use(ByteRange range, int64_t nowPs);
  /// What is here of the range is not any more. What is still on its way comes with the new bytes.
  void drop(ByteRange range, int64_t nowPs);

private:
  /// The next granule of a fetch.
  struct Arrival {
    int64_t ps;
    uint64_t fetch; ///< The number of its fetch: who arrives first of those that arrive together.
    int64_t startPs, endPs;
    int64_t index, count; ///< Among the granules of the fetch.
    int64_t first;        ///< Granule.

    [[nodiscard]] static bool isLater(const Arrival &one, const Arrival &other);
    void setTime();
  };

  void advance(int64_t nowPs);
  void add(int64_t granule);

  size_t most_;
  uint64_t fetches_ = 0;
  std::vector<Arrival> arrivals_; ///< A heap, the next one in front.
  std::list<int64_t> used_;       ///< Granules, the last used one in front.
  llvm::DenseMap<int64_t, std::list<int64_t>::iterator> placeOf_;
};

} // namespace pto

#endif
