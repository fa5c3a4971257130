#include "hixl_model/span.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace pto::hixl {

std::string shown(const HixlPlace &place, int64_t bytes) {
  return llvm::formatv("{0} bytes [{1}, {2}) of rank {3}", info(place.space).placement,
                       place.offset, uint64_t(place.offset) + uint64_t(bytes), place.host)
      .str();
}

bool sharesBytes(const HixlPlace &one, int64_t bytes, const HixlPlace &other, int64_t otherBytes) {
  return one.host == other.host && one.space == other.space &&
         one.offset < other.offset + otherBytes && other.offset < one.offset + bytes;
}

Boxes touchesOf(llvm::ArrayRef<HixlOpDesc> ops, HixlOp op) {
  Boxes touches;
  for (const HixlOpDesc &each : ops) {
    touches.push_back({each.local, each.bytes, op == HixlOp::Read});
    touches.push_back({each.remote, each.bytes, op == HixlOp::Write});
  }
  return touches;
}

Boxes boxesOf(llvm::ArrayRef<HixlOpDesc> ops, HixlOp op) {
  Boxes boxes;
  for (const Box &touch : touchesOf(ops, op)) {
    auto found = llvm::find_if(boxes, [&](const Box &box) {
      return box.at.host == touch.at.host && box.at.space == touch.at.space &&
             box.writes == touch.writes;
    });
    if (found == boxes.end()) {
      boxes.push_back(touch);
      continue;
    }
    int64_t end = std::max(found->at.offset + found->bytes, touch.at.offset + touch.bytes);
    found->at.offset = std::min(found->at.offset, touch.at.offset);
    found->bytes = end - found->at.offset;
  }
  return boxes;
}

const Box *conflictOf(const Boxes &own, const Boxes &others) {
  for (const Box &box : own)
    for (const Box &other : others)
      if ((box.writes || other.writes) && sharesBytes(box.at, box.bytes, other.at, other.bytes))
        return &box;
  return nullptr;
}

/// The end of what is registered from an offset on without a hole; the offset itself: nothing is.
static int64_t reachOf(const Regions &regions, const HixlPlace &place) {
  std::vector<std::pair<int64_t, int64_t>> spans;
  for (const Region &region : regions)
    if (region.isLive && region.at.host == place.host && region.at.space == place.space)
      spans.push_back({region.at.offset, region.at.offset + region.bytes});
  llvm::sort(spans);
  int64_t reach = place.offset;
  for (const auto &[begin, end] : spans)
    if (begin <= reach)
      reach = std::max(reach, end);
  return reach;
}

static const Region *holderOf(const Regions &regions, HixlPlace place, int64_t offset) {
  place.offset = offset;
  for (const Region &region : regions)
    if (region.isLive && sharesBytes(region.at, region.bytes, place, 1))
      return &region;
  return nullptr;
}

Covered coverOf(const Regions &snapshot, const Regions &live, const HixlPlace &place,
                int64_t bytes) {
  int64_t end = place.offset + bytes;
  int64_t reach = reachOf(snapshot, place);
  if (reach >= end)
    return {};
  const Region *late = holderOf(live, place, reach);
  if (late && reachOf(live, place) >= end)
    return {Cover::Late, late->site};
  if (reach > place.offset && bytes > 0)
    if (const Region *last = holderOf(snapshot, place, end - 1))
      return {Cover::Hole, last->site};
  return {Cover::Outside, 0};
}

} // namespace pto::hixl
