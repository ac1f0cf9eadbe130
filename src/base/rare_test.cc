#include "base/rare.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace reprise {
namespace {

TEST(Rare, TakesTheRoomOfAPointerAndReadsLikeItsValue) {
  static_assert(sizeof(Rare<std::string>) == sizeof(void*));
  static_assert(sizeof(RareOptional<std::string>) == sizeof(void*));
  Rare<std::string> text;
  EXPECT_TRUE(text.empty());
  EXPECT_EQ(text, "");
  text = "some";
  const std::string& seen = text;
  EXPECT_EQ(seen, "some");
  text.edit() += " more";
  EXPECT_EQ(text, "some more");
}

TEST(Rare, CopiesAreOnTheirOwn) {
  Rare<std::vector<int>> numbers = {1, 2};
  Rare<std::vector<int>> copy = numbers;
  copy.edit().push_back(3);
  EXPECT_EQ(numbers.size(), 2u);
  EXPECT_EQ(copy.size(), 3u);
  copy = numbers;
  EXPECT_EQ(copy, numbers);
  copy = std::vector<int>();
  EXPECT_EQ(copy, Rare<std::vector<int>>());
}

TEST(Rare, OptionalTellsAnEmptyValueFromNone) {
  RareOptional<std::string> none;
  RareOptional<std::string> empty = std::string();
  EXPECT_FALSE(none);
  EXPECT_TRUE(empty);
  EXPECT_FALSE(none == empty);
  none.emplace();
  EXPECT_TRUE(none == empty);
  RareOptional<std::string> copy = none;
  *copy = "x";
  EXPECT_EQ(*none, "");
}

}  // namespace
}  // namespace reprise
