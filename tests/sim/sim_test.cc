// Thousands of crashes in seconds. REPRISE_SEED=n repeats one run and prints its story; `./dev check`
// asks for four times as many, `./dev soak` for twenty times.

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <map>

#include "simulation.h"
#include "testing/strength.h"

namespace reprise {
namespace {

constexpr std::uint64_t kFirstSeed = 20'261'115;

TEST(Simulation, X2_WhateverIsKilledTheRunGetsDoneAndNothingIsLostOrRepeated) {
  if (const char* seed = std::getenv("REPRISE_SEED")) {
    Simulation simulation(std::strtoull(seed, nullptr, 10));
    const SimReport report = simulation.run();
    std::printf("%s", simulation.story().c_str());
    for (const std::string& violation : report.violations) ADD_FAILURE() << violation;
    return;
  }
  const int wanted = by_strength(5'000, 20'000, 100'000);
  SimReport total;
  std::map<RunStatus, int> ends;
  int runs = 0;
  int violated = 0;
  for (std::uint64_t seed = kFirstSeed; total.kills < wanted && violated < 10; ++seed, ++runs) {
    const SimReport report = Simulation(seed).run();
    total.sessions += report.sessions;
    total.kills += report.kills;
    total.lost_guards += report.lost_guards;
    total.edits += report.edits;
    total.decisions += report.decisions;
    total.attempts += report.attempts;
    ++ends[report.end];
    if (!report.violations.empty()) {
      ++violated;
      ADD_FAILURE() << "REPRISE_SEED=" << seed << ": " << report.violations.front();
    }
    ASSERT_LT(runs, wanted) << "the kills hit too little";
  }
  std::printf(
      "runs %d from seed %llu: sessions %d, kills %d, guards lost %d, hand edits %d, decisions of people %d, "
      "attempts %d; ended done %d, stopped %d; violations %d\n",
      runs, static_cast<unsigned long long>(kFirstSeed), total.sessions, total.kills, total.lost_guards,
      total.edits, total.decisions, total.attempts, ends[RunStatus::Done], ends[RunStatus::Stopped], violated);
  EXPECT_GT(total.lost_guards, 0);
  EXPECT_GT(total.edits, 0);
  EXPECT_GT(total.decisions, 0);
  EXPECT_GT(ends[RunStatus::Done], 0);
}

}  // namespace
}  // namespace reprise
