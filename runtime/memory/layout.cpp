#include "memory/layout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace pto {

static llvm::Error refuse(const llvm::Twine &why) {
  return llvm::createStringError(std::make_error_code(std::errc::not_enough_memory), why);
}

/// A size for this number of ranks; absent if it is negative or too large to compute with.
static std::optional<int64_t> sizeAt(const Extent &extent, int32_t ranks) {
  int64_t size = 0;
  if (__builtin_mul_overflow(extent.perRank, int64_t(ranks), &size) ||
      __builtin_add_overflow(size, extent.fixed, &size))
    return std::nullopt;
  return size >= 0 && size <= kMaxReach ? std::optional(size) : std::nullopt;
}

static llvm::Expected<View> shapeOf(const Object &object, int32_t ranks) {
  View view;
  view.space = Space::Gm;
  view.type = object.type;
  view.isSignal = object.isSignal;
  if (object.shape.size() > kMaxDims)
    return refuse("`" + object.name + "` has more than 5 dimensions");
  for (const Extent &extent : object.shape) {
    std::optional<int64_t> size = sizeAt(extent, ranks);
    if (!size)
      return refuse("`" + object.name + "` has an impossible size with " + llvm::Twine(ranks) +
                    " ranks");
    view.shape[view.dims++] = *size;
  }
  int64_t stride = 1;
  for (unsigned d = view.dims; d-- != 0;) {
    view.stride[d] = stride;
    if (__builtin_mul_overflow(stride, std::max<int64_t>(view.shape[d], 1), &stride) ||
        stride > kMaxReach)
      return refuse("`" + object.name + "` is too large with " + llvm::Twine(ranks) + " ranks");
  }
  return view;
}

/// Places one object at the first aligned byte from `end` on.
static llvm::Expected<ObjectLayout> place(const Object &object, uint32_t index, int64_t &end,
                                          int32_t ranks, const PlatformInfo &platform) {
  llvm::Expected<View> view = shapeOf(object, ranks);
  if (!view)
    return view.takeError();
  view->object = index;
  uint64_t align = std::clamp<uint64_t>(object.align, view->elementBytes(), 1u << 30);
  view->offset = int64_t(llvm::alignTo(uint64_t(end), align));
  ObjectLayout placed{*view, pto::bytes(*view)};
  if (placed.bytes > platform.gmBytes || view->offset > platform.gmBytes - placed.bytes)
    return refuse("`" + object.name + "` needs " + llvm::Twine(placed.bytes) + " bytes at offset " +
                  llvm::Twine(view->offset) + " of each of " + llvm::Twine(ranks) + " ranks; " +
                  platform.name + " has " + llvm::Twine(platform.gmBytes) + " bytes of GM");
  end = view->offset + placed.bytes;
  return placed;
}

static llvm::Error checkTotal(const Module &module, const Layout &layout, int32_t ranks,
                              uint64_t maxGmBytes) {
  uint64_t total = 0;
  if (!__builtin_mul_overflow(uint64_t(layout.bytesPerRank), uint64_t(ranks), &total) &&
      total <= maxGmBytes)
    return llvm::Error::success();
  size_t largest = 0;
  for (size_t i = 0; i != layout.objects.size(); ++i)
    if (layout.objects[i].bytes > layout.objects[largest].bytes)
      largest = i;
  std::string object = layout.objects.empty()
                           ? "the window head"
                           : "`" + module.objects[largest].name + "`, the largest object, has " +
                                 std::to_string(layout.objects[largest].bytes);
  return refuse("the windows need " + llvm::Twine(layout.bytesPerRank) + " bytes on each of " +
                llvm::Twine(ranks) + " ranks; the limit for all ranks together is " +
                llvm::Twine(maxGmBytes) + " bytes (" + object + ")");
}

llvm::Expected<Layout> layOut(const Module &module, int32_t ranks, const PlatformInfo &platform,
                              uint64_t maxGmBytes) {
  Layout layout;
  layout.objects.resize(module.objects.size());
  int64_t end = platform.windowHeadBytes;
  for (bool locals : {false, true})
    for (size_t i = 0; i != module.objects.size(); ++i) {
      if (module.objects[i].isLocal != locals)
        continue;
      llvm::Expected<ObjectLayout> placed =
          place(module.objects[i], uint32_t(i), end, ranks, platform);
      if (!placed)
        return placed.takeError();
      layout.objects[i] = *placed;
    }
  layout.bytesPerRank =
      int64_t(llvm::alignTo(uint64_t(end), uint64_t(limit(Limit::CacheLineBytes))));
  if (llvm::Error tooMuch = checkTotal(module, layout, ranks, maxGmBytes))
    return tooMuch;
  return layout;
}

const ObjectLayout *Layout::objectAt(int64_t offset) const {
  for (const ObjectLayout &object : objects)
    if (offset >= object.view.offset && offset < object.view.offset + object.bytes)
      return &object;
  return nullptr;
}

std::string elementName(const Module &module, const Layout &layout, int64_t offset) {
  const ObjectLayout *object = layout.objectAt(offset);
  if (!object)
    return "GM+" + std::to_string(offset);
  const View &view = object->view;
  std::string text = module.objects[view.object].name;
  int64_t element = (offset - view.offset) / view.elementBytes();
  for (unsigned d = 0; d != view.dims; ++d) {
    text += (d ? ", " : "[") + std::to_string(element / view.stride[d]);
    element %= view.stride[d];
  }
  return view.dims ? text + "]" : text;
}

} // namespace pto
