// How the cost of a command grows with the number of steps, counted in instructions; and how much memory a long
// list of items takes. Neither depends on how busy the machine is.

#include <gtest/gtest.h>

#include <cstdlib>

#include "world.h"

namespace reprise::cli_test {
namespace {

// A chain of stages of which the first fails: nothing is run, but every stage is planned.
std::string chain_of(int stages) {
  std::string text = "stages:\n  s0: {run: [/bin/false]}\n";
  for (int i = 1; i < stages; ++i)
    text += "  s" + std::to_string(i) + ": {run: [/bin/true], needs: s" + std::to_string(i - 1) + "}\n";
  return text;
}

// Stages that all ask for the same verdict.
std::string branches_of(int stages) {
  std::string text = "stages:\n  s0: {run: [/bin/false]}\n";
  for (int i = 1; i < stages; ++i)
    text += "  s" + std::to_string(i) + ": {run: [/bin/true], needs: s0, when: {s0: {not: bad}}}\n";
  return text;
}

// Instructions that `reprise WORDS` takes; nothing if they cannot be counted here.
std::optional<double> instructions(const World& world, const std::string& words) {
  world.shell("valgrind --tool=callgrind --callgrind-out-file=/dev/null reprise " + words +
              " >out.txt 2>count.txt");
  const std::string text = world.read("count.txt");
  const std::size_t at = text.find("Collected : ");
  if (at == std::string::npos) return std::nullopt;
  return std::strtod(text.c_str() + at + 12, nullptr);
}

// What twice as many stages cost more, from 1,000 to 2,000 to 4,000: 2 if linear, 4 if quadratic.
void expect_linear(std::string (*definition)(int), const std::string& words) {
  double cost[3] = {};
  for (int i = 0; i < 3; ++i) {
    const World world;
    world.workflow("w", definition(1'000 << i));
    ASSERT_EQ(world.reprise({"--quiet", "run", "w", "r"}).exit, 1);
    const std::optional<double> count = instructions(world, words);
    if (!count) GTEST_SKIP() << "valgrind cannot count here: " << world.read("count.txt");
    cost[i] = *count;
  }
  ASSERT_GT(cost[1], cost[0]);
  EXPECT_LT((cost[2] - cost[1]) / (cost[1] - cost[0]), 2.5)
      << words << ": " << cost[0] << ", " << cost[1] << ", " << cost[2];
}

TEST(Speed, E30_ResumeGrowsLinearlyWithTheSteps) { expect_linear(chain_of, "--quiet resume w/r"); }
TEST(Speed, E30_ConditionsGrowLinearlyWithTheSteps) { expect_linear(branches_of, "plan w/r"); }

TEST(Speed, E23_ItemsOfAnInputShareTheValuesOfTheRun) {
  const World world;
  world.workflow("w",
                 "inputs: {items: }\nstages:\n  e:\n    each: {in: '{items}', as: item}\n    run: [/bin/false]\n");
  std::string items;
  for (int i = 0; i < 6'000; ++i) items += "item-number-" + std::to_string(i) + " ";
  world.write("items.txt", items);
  // Copies of the list for each item would take 600 MB.
  const auto limited = [&](const std::string& words) {
    return world.shell("ulimit -v 400000; exec reprise " + words);
  };
  EXPECT_EQ(limited("--quiet run w r --input items=\"$(cat items.txt)\"").exit, 1);
  const Ended plan = limited("plan w/r");
  EXPECT_EQ(plan.exit, 0) << plan.err;
  EXPECT_NE(plan.out.find("e/item-number-5999"), std::string::npos);
  EXPECT_EQ(limited("status w/r").exit, 0);
  EXPECT_EQ(limited("scan").exit, 0);
}

}  // namespace
}  // namespace reprise::cli_test
