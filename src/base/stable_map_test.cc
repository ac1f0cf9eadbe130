#include "base/stable_map.h"

#include <gtest/gtest.h>

#include <string>
#include <unordered_map>

namespace reprise {
namespace {

TEST(StableMap, FindsWhatWasPutInAndNothingElse) {
  StableMap<std::string, int> map;
  std::unordered_map<std::string, int> expected;
  for (int i = 0; i < 5'000; ++i) {
    const std::string key = "step/" + std::to_string(i * 7919 % 3'001);
    map[key] = i;
    expected[key] = i;
  }
  ASSERT_EQ(map.size(), expected.size());
  for (const auto& [key, value] : expected) {
    ASSERT_TRUE(map.contains(key));
    EXPECT_EQ(map.find(key)->second, value);
  }
  EXPECT_EQ(map.find("step/none"), map.end());
  EXPECT_EQ((StableMap<std::string, int>().find("x")), (StableMap<std::string, int>().end()));
}

TEST(StableMap, KeepsTheOrderAndTheAddresses) {
  StableMap<std::string, std::string> map;
  std::vector<const std::string*> places;
  for (int i = 0; i < 1'000; ++i) places.push_back(&(map[std::to_string(i)] = std::to_string(-i)));
  int next = 0;
  for (const auto& [key, value] : map) {
    EXPECT_EQ(key, std::to_string(next));
    EXPECT_EQ(&value, places[static_cast<std::size_t>(next)]);
    ++next;
  }
  EXPECT_EQ(next, 1'000);
}

TEST(StableMap, ACopyIsOnItsOwnAndAMoveTakesAlong) {
  StableMap<std::string, std::string> map;
  map["a"] = "1";
  map["b"] = "2";
  StableMap<std::string, std::string> copy = map;
  copy["a"] = "changed";
  EXPECT_EQ(map.find("a")->second, "1");
  const std::string* place = &map.find("b")->second;
  const StableMap<std::string, std::string> moved = std::move(map);
  EXPECT_EQ(&moved.find("b")->second, place);
  copy = moved;
  EXPECT_EQ(copy.find("a")->second, "1");
  EXPECT_EQ(copy.size(), 2u);
}

}  // namespace
}  // namespace reprise
