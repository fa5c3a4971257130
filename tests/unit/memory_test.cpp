// Views, layout, caches, files: pure data and its bounds.

#include "memory/cache.h"
#include "memory/npy.h"
#include "memory/walk.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

namespace pto {
namespace {

View gmView(std::initializer_list<int64_t> shape, ScalarType type = ScalarType::I32) {
  View view;
  view.space = Space::Gm;
  view.type = type;
  for (int64_t size : shape)
    view.shape[view.dims++] = size;
  int64_t stride = 1;
  for (unsigned d = view.dims; d-- != 0; stride *= view.shape[d])
    view.stride[d] = stride;
  return view;
}

TEST(View, FlatIsOneRowWithoutGaps) {
  EXPECT_TRUE(isFlat1d(gmView({8})));
  EXPECT_TRUE(isFlat1d(gmView({1, 1, 8})));
  EXPECT_TRUE(isFlat1d(gmView({})));
  EXPECT_FALSE(isFlat1d(gmView({2, 4})));
  EXPECT_TRUE(isContiguous(gmView({2, 4})));
  View strided = gmView({8});
  ASSERT_FALSE(slice(strided, 0, 0, 8, 2, "x"));
  EXPECT_FALSE(isFlat1d(strided));
  EXPECT_EQ(elements(strided), 4);
  EXPECT_EQ(byteRange(strided).end, 28);
}

TEST(View, IndexAndSliceKeepInsideTheirDimension) {
  View view = gmView({4, 8});
  ASSERT_FALSE(index(view, 0, 3, "x"));
  EXPECT_EQ(view.offset, 96);
  EXPECT_EQ(index(view, 0, 8, "x"), "index 8 is outside dimension 0 of `x`, which has size 8");
  EXPECT_EQ(index(view, 1, 0, "x"), "`x` has no dimension 1");
  EXPECT_EQ(slice(view, 0, 3, 9, 1, "x"),
            "slice 3..9 is outside dimension 0 of `x`, which has size 8");
  EXPECT_TRUE(slice(view, 0, 5, 4, 1, "x"));
  EXPECT_TRUE(slice(view, 0, 0, 4, 0, "x"));
  ASSERT_FALSE(slice(view, 0, 8, 8, 1, "x"));
  EXPECT_EQ(elements(view), 0);
  View none;
  EXPECT_TRUE(index(none, 0, 0, "x"));
}

TEST(View, PeersExist) {
  View view = gmView({4});
  EXPECT_EQ(toPeer(view, 4, 4), "there is no rank 4: the ranks are 0 to 3");
  EXPECT_TRUE(toPeer(view, -1, 4));
  EXPECT_FALSE(toPeer(view, 3, 4));
}

TEST(View, ReshapeKeepsElements) {
  View view = gmView({4, 8});
  EXPECT_FALSE(reshape(view, {2, 16}, "x"));
  EXPECT_TRUE(reshape(view, {33}, "x"));
  EXPECT_TRUE(reshape(view, {int64_t(1) << 62, int64_t(1) << 62}, "x"));
  ASSERT_FALSE(slice(view, 1, 0, 8, 1, "x"));
  EXPECT_EQ(reshape(view, {16}, "x"), "`x` is not contiguous here, so it has no other shape");
}

TEST(View, StridedViewsStayInTheirParent) {
  View parent = gmView({16}), view = parent;
  ASSERT_FALSE(beginStrided(view, 2, 2, "x"));
  ASSERT_FALSE(setStridedDim(view, 0, 3, 5, "x"));
  ASSERT_FALSE(setStridedDim(view, 1, 2, 1, "x"));
  EXPECT_FALSE(endStrided(view, parent, "x"));
  ASSERT_FALSE(setStridedDim(view, 0, 4, 5, "x"));
  EXPECT_EQ(endStrided(view, parent, "x"),
            "the view reaches elements 2 to 18 of `x`, which has 16");
  ASSERT_FALSE(setStridedDim(view, 0, kMaxReach, kMaxReach, "x"));
  EXPECT_TRUE(endStrided(view, parent, "x"));
  EXPECT_TRUE(setStridedDim(view, 0, -1, 1, "x"));
  EXPECT_TRUE(beginStrided(view, INT64_MAX, 1, "x"));
}

TEST(View, TilesPadTheirRows) {
  View tile = makeTile(ScalarType::F16, 4, 5, 64);
  EXPECT_EQ(tile.stride[0], 16);
  EXPECT_EQ(tileBytes(tile), 128);
  EXPECT_FALSE(setValid(tile, 2, 5));
  EXPECT_EQ(elements(validPart(tile)), 10);
  EXPECT_TRUE(setValid(tile, 5, 5));
}

TEST(Walk, CopiesCornersRowsAndSums) {
  std::vector<int32_t> from(12), to(24);
  for (int i = 0; i != 12; ++i)
    from[size_t(i)] = i;
  View small = gmView({3, 4}), big = gmView({4, 6});
  View corner = big;
  corner.shape[0] = 3;
  corner.shape[1] = 4;
  ElementCopy copy{corner, small, 0, 0, 12, false};
  copyElements(copy, reinterpret_cast<uint8_t *>(to.data()),
               reinterpret_cast<uint8_t *>(from.data()));
  EXPECT_EQ(to[6], 4);
  EXPECT_EQ(to[4], 0);
  copy.adds = true;
  copyElements(copy, reinterpret_cast<uint8_t *>(to.data()),
               reinterpret_cast<uint8_t *>(from.data()));
  EXPECT_EQ(to[15], 22);
}

Module moduleOf(std::vector<Object> objects) {
  Module module;
  module.objects = std::move(objects);
  return module;
}

Object objectOf(const char *name, Extent size, bool isLocal = false) {
  Object object;
  object.name = name;
  object.isLocal = isLocal;
  object.shape = {size};
  return object;
}

const PlatformInfo &a3() { return info(Platform::A3); }

TEST(Layout, WindowsBeforeLocalsAfterTheHead) {
  Module module =
      moduleOf({objectOf("a", {1, 1}), objectOf("l", {0, 4}, true), objectOf("b", {0, 4})});
  Layout layout = llvm::cantFail(layOut(module, 4, a3(), 1 << 20));
  EXPECT_EQ(layout.objects[0].view.offset, 256);
  EXPECT_EQ(layout.objects[0].bytes, 20);
  EXPECT_EQ(layout.objects[2].view.offset, 288);
  EXPECT_EQ(layout.objects[1].view.offset, 320);
  EXPECT_EQ(layout.bytesPerRank, 384);
  EXPECT_EQ(elementName(module, layout, 260), "a[1]");
}

TEST(Layout, ImpossibleSizesAreRefused) {
  for (Extent size : {Extent{INT64_MAX, 0}, Extent{0, -1}, Extent{INT64_MAX / 4, INT64_MAX},
                      Extent{0, int64_t(1) << 39}}) {
    llvm::Expected<Layout> layout =
        layOut(moduleOf({objectOf("a", size)}), 16384, a3(), UINT64_MAX);
    ASSERT_FALSE(layout);
    llvm::consumeError(layout.takeError());
  }
}

struct CacheTest : ::testing::Test {
  Module module = moduleOf({objectOf("x", {0, 64})});
  Layout layout = llvm::cantFail(layOut(module, 1, a3(), 1 << 20));
  Gm gm = llvm::cantFail(Gm::map(layout, 1));
  View element(int64_t at) {
    View view = layout.objects[0].view;
    EXPECT_FALSE(index(view, 0, at, "x"));
    return view;
  }
  int32_t &inGm(int64_t at) { return *reinterpret_cast<int32_t *>(gm.of(0) + element(at).offset); }
  llvm::SmallVector<Cache::Line, 4> written;
};

TEST_F(CacheTest, LoadsAreStaleUntilTheLineIsDropped) {
  Cache cache;
  EXPECT_EQ(cache.load(gm, element(0)), 0u);
  inGm(0) = 5;
  EXPECT_EQ(cache.load(gm, element(0)), 0u);
  cache.flush(gm, element(3), written); // The same line.
  EXPECT_EQ(cache.load(gm, element(0)), 5u);
  EXPECT_TRUE(written.empty());
}

TEST_F(CacheTest, AFlushWritesTheWholeLine) {
  Cache cache;
  cache.store(gm, element(1), 7, {});
  inGm(2) = 9; // Another writer in the line.
  EXPECT_EQ(inGm(1), 0);
  ASSERT_EQ(cache.dirtyLines().size(), 1u);
  EXPECT_EQ(elementName(module, layout, cache.dirtyLines()[0].firstStored), "x[1]");
  cache.flushAll(gm, written);
  EXPECT_EQ(inGm(1), 7);
  EXPECT_EQ(inGm(2), 0); // Its update is lost.
  EXPECT_EQ(written.size(), 1u);
  EXPECT_TRUE(cache.dirtyLines().empty());
}

struct NpyTest : ::testing::Test {
  NpyTest() { EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("pto", "npy", path)); }
  ~NpyTest() override { llvm::sys::fs::remove(path); }
  std::string read(ScalarType type, llvm::ArrayRef<int64_t> shape, std::vector<uint8_t> &into) {
    return llvm::toString(readNpy(path.str().str(), type, shape, into));
  }
  void put(llvm::StringRef text) {
    std::error_code failed;
    llvm::raw_fd_ostream(path, failed) << text;
  }
  llvm::SmallString<64> path;
};

TEST_F(NpyTest, EveryTypeComesBack) {
  for (unsigned type = 0; type != kScalarTypeCount; ++type) {
    std::vector<uint8_t> data(6u * info(ScalarType(type)).bytes()), back(data.size());
    for (size_t i = 0; i != data.size(); ++i)
      data[i] = uint8_t(i % 2);
    ASSERT_FALSE(writeNpy(path.str().str(), ScalarType(type), {2, 3}, data));
    EXPECT_EQ(read(ScalarType(type), {2, 3}, back), "");
    EXPECT_EQ(data, back);
    EXPECT_NE(
        read(ScalarType(type), {6}, back).find("its shape is (2, 3), and the object's is (6,)"),
        std::string::npos);
  }
  std::vector<uint8_t> into(24);
  EXPECT_NE(read(ScalarType::I32, {2, 3}, into).find("it holds <f4, and the object is <i4 (i32)"),
            std::string::npos);
}

TEST_F(NpyTest, DamagedFilesAreRefused) {
  std::vector<uint8_t> into(24);
  ASSERT_FALSE(writeNpy(path.str().str(), ScalarType::I32, {6}, into));
  std::string good = (*llvm::MemoryBuffer::getFile(path))->getBuffer().str();
  for (size_t length = 0; length < good.size(); ++length) {
    put(llvm::StringRef(good).take_front(length));
    EXPECT_NE(read(ScalarType::I32, {6}, into), "") << length;
  }
  for (const char *header :
       {"{'descr': '<i4', 'fortran_order': True, 'shape': (6,)}", "{'shape': (6,)}",
        "{'descr': '<i4'", "{'descr': '<i4', 'fortran_order': False, 'shape': (-6,)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (99999999999999999999,)}", ")",
        "{'shape': )("}) {
    std::string text = good.substr(0, 8) + char(std::strlen(header)) + '\0' + header;
    put(text);
    EXPECT_NE(read(ScalarType::I32, {6}, into), "") << header;
  }
}

} // namespace
} // namespace pto
