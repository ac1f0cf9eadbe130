// Waiting: nothing waits longer than planned, without saying so, or without an end.

#include <gtest/gtest.h>
#include <signal.h>

#include "world.h"

namespace reprise::cli_test {
namespace {

bool has_text(const std::string& text, const std::string& wanted) {
  return text.find(wanted) != std::string::npos;
}

// The clock is three hours ahead when the retry is planned, and right when the run is resumed.
TEST(Waiting, E14_ResumeWaitsNoLongerThanPlanned) {
  World world;
  world.workflow("slow", "stages:\n  a: {run: 'test -e fixed', retries: 1, delay: 1500ms}\n");
  world.set("LD_PRELOAD", REPRISE_CLOCK_SHIFT_PATH);
  world.set("ASAN_OPTIONS", "verify_asan_link_order=0");
  world.set("CLOCK_SHIFT_SECONDS", "10800");
  const auto runner = world.start({"run", "slow", "x"}, "first.txt");
  ASSERT_TRUE(World::wait_until([&] { return has_text(world.read("first.txt"), "retry "); }));
  runner->signal(SIGTERM);
  ASSERT_EQ(runner->end(), 143);
  world.write("fixed", "");
  world.set("CLOCK_SHIFT_SECONDS", "0");
  const auto resumed = world.start({"resume", "slow/x", "--yes"}, "second.txt");
  EXPECT_EQ(resumed->end(), 0) << world.read("second.txt");
  const std::string said = world.read("second.txt");
  EXPECT_TRUE(has_text(said, "retry   a in ")) << said;
  EXPECT_TRUE(has_text(said, ", at 20")) << said;
}

TEST(Waiting, E16_LookaheadIsRefusedWithFileLineAndRemedy) {
  const World world;
  world.workflow("look",
                 "stages:\n  a:\n    run: 'echo'\n    produces:\n      - path: out\n        complete:\n"
                 "          matches: '(?=(a+)+b)c'\n");
  const Ended ended = world.reprise({"run", "look", "x"});
  EXPECT_EQ(ended.exit, 2);
  EXPECT_NE(ended.err.find("look.yaml:8:20: lookaheads are not supported"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("without (?= and (?!"), std::string::npos) << ended.err;
  EXPECT_EQ(world.reprise({"workflow", "check"}).exit, 2);
}

}  // namespace
}  // namespace reprise::cli_test
