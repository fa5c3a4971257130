// The posts of a core: numbers that stay, and what of them is kept.

#include "engine/queue.h"

#include <gtest/gtest.h>

namespace pto {
namespace {

Post postOf(uint32_t domain, int64_t bytes) {
  Post post;
  post.domain = domain;
  post.bytes = bytes;
  return post;
}

TEST(EnginePosts, KeepTheirNumbersWhenEarlierOnesAreLetGo) {
  Posts posts;
  for (int64_t i = 0; i != 5; ++i)
    posts.add(postOf(0, i));
  posts.dropFirst();
  posts.dropFirst();
  EXPECT_EQ(posts.size(), 5u);
  EXPECT_EQ(posts.dropped(), 2u);
  EXPECT_EQ(posts[2].bytes, 2);
  EXPECT_EQ(posts[4].bytes, 4);
  EXPECT_EQ(std::distance(posts.kept().begin(), posts.kept().end()), 3);
}

TEST(EnginePosts, AnEventIsNumberAndDomain) {
  Posts posts;
  posts.add(postOf(0, 0));
  EXPECT_EQ(posts.lastEvent(), 1u) << "never 0, which is no event";
  posts.add(postOf(7, 0));
  ScalarBits event = posts.lastEvent();
  EXPECT_EQ(Posts::countOf(event), 2u);
  EXPECT_EQ(Posts::domainOf(event), 7u);
  EXPECT_FALSE(posts.isDropped(event));
  posts.dropFirst();
  EXPECT_FALSE(posts.isDropped(event));
  posts.dropFirst();
  EXPECT_TRUE(posts.isDropped(event));
  EXPECT_FALSE(posts.isDropped(0));
}

} // namespace
} // namespace pto
