// `gc` and names that are used again: what is removed, and that nothing old reaches a new run.

#include <gtest/gtest.h>

#include "world.h"

namespace reprise::cli_test {
namespace {

constexpr const char* kHello = "stages:\n  a: {run: 'echo hello >out.txt', produces: [out.txt]}\n";

TEST(Gc, E01_FinishedRunKeepsItsFolders) {
  const World world;
  world.workflow("hello", kHello);
  ASSERT_EQ(world.reprise({"run", "hello", "x"}).exit, 0);
  EXPECT_EQ(world.reprise({"gc"}).exit, 0);
  EXPECT_EQ(world.reprise({"log", "hello/x"}).exit, 0);
}

}  // namespace
}  // namespace reprise::cli_test
