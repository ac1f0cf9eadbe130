// Many lanes at once, each by a process of its own. `./dev soak` makes 25 rounds.

#include <gtest/gtest.h>

#include <cstdio>

#include "harness.h"
#include "lane_world.h"

namespace reprise {
namespace {

constexpr int kLanes = 8;

int rounds() { return by_strength(3, 8, 25); }

// Starts one process per lane, all at once; returns how many ended well.
int do_at_once(const Sandbox& sandbox, const std::string& what, int round) {
  std::vector<int> pids;
  for (int i = 0; i < kLanes; ++i) {
    const std::string name = "round" + std::to_string(round) + "-" + std::to_string(i);
    pids.push_back(sandbox.start({what + ":" + name}, Sandbox::Faults::Off));
  }
  int good = 0;
  for (const int pid : pids) good += wait_for(pid) == 0 ? 1 : 0;
  return good;
}

TEST(ParallelLanes, R45_R4_EightLanesMadeAndRemovedAtOnceAllSucceedAndNothingElseChanges) {
  const Sandbox sandbox(the_product());
  make_lane_world(sandbox.project());
  const std::map<std::string, std::string> before = bystanders(sandbox.project(), true);
  int made = 0, removed = 0;
  for (int round = 0; round < rounds(); ++round) {
    made += do_at_once(sandbox, "make", round);
    removed += do_at_once(sandbox, "unmake", round);
  }
  std::printf("%d of %d lanes made, %d removed, eight at a time\n", made, kLanes * rounds(), removed);
  for (const std::string& line : sandbox.lines("acks")) ADD_FAILURE() << line;
  EXPECT_EQ(made, kLanes * rounds());
  EXPECT_EQ(removed, kLanes * rounds());
  EXPECT_EQ(bystanders(sandbox.project(), true), before);
  EXPECT_EQ(fsck(sandbox.project()), "");
}

}  // namespace
}  // namespace reprise
