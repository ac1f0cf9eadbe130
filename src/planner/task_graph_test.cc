#include "planner/task_graph.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "planner/task_test_world.h"

namespace reprise {
namespace {

constexpr TaskPhase kPhase = TaskPhase::P6;

// Tasks 2, 3, … of a list; edges are named by their ids.
TaskWorld world_of(int tasks) {
  TaskWorld world(TaskTier::Complex, kPhase);
  for (int i = 0; i < tasks; ++i) world.add(kPhase, TaskStatus::Pending);
  return world;
}

std::string chain(const TaskGraph& graph, const std::vector<int>& nodes) {
  std::string text;
  for (const int node : nodes) text += graph.task(node).id + " ";
  return text;
}

TEST(TaskGraph, CountsAnEdgeOnceAndNamesWhatOnlyOneEndTells) {
  TaskWorld world = world_of(3);
  world.block("2", "3");
  world.block("2", "3");
  world.task("3").blocks.push_back("4");
  world.task("4").blocked_by.push_back("2");
  const TaskGraph graph(world.seen.claims);
  ASSERT_EQ(graph.size(), 3);
  EXPECT_EQ(graph.blockers(1).size(), 1u);
  EXPECT_EQ(graph.dependents(0).size(), 2u);
  ASSERT_EQ(graph.one_sided().size(), 2u);
  EXPECT_FALSE(graph.one_sided()[0].told_by_blocker);
  EXPECT_TRUE(graph.one_sided()[1].told_by_blocker);
}

TEST(TaskGraph, ABlockerThatIsGoneWasFinished) {
  TaskWorld world = world_of(1);
  world.task("2").blocked_by = {"77", "1"};  // 1 is the permanent task, which blocks nothing
  const TaskGraph graph(world.seen.claims);
  EXPECT_TRUE(graph.blockers(0).empty());
  ASSERT_EQ(graph.removed().size(), 1u);
  EXPECT_EQ(graph.removed()[0].id, "77");
}

TEST(TaskGraph, NamesEveryCycleAsAChain) {
  TaskWorld world = world_of(7);
  world.block("3", "2");
  world.block("4", "3");
  world.block("2", "4");
  world.block("5", "5");
  world.block("2", "6");
  world.block("7", "6");
  const TaskGraph graph(world.seen.claims);
  ASSERT_EQ(graph.cycles().size(), 2u);
  EXPECT_EQ(chain(graph, graph.cycles()[0]), "2 3 4 ");
  EXPECT_EQ(chain(graph, graph.cycles()[1]), "5 ");
  EXPECT_TRUE(graph.is_in_cycle(0) && graph.is_in_cycle(3));
  EXPECT_FALSE(graph.is_in_cycle(4));
}

TEST(TaskGraph, ATaskThatBlocksItselfWithinACycleIsNamedBesideIt) {
  TaskWorld world = world_of(2);
  world.block("2", "2");
  world.block("2", "3");
  world.block("3", "2");
  const TaskGraph graph(world.seen.claims);
  ASSERT_EQ(graph.cycles().size(), 2u);
  EXPECT_EQ(chain(graph, graph.cycles()[0]), "2 ");
  EXPECT_EQ(chain(graph, graph.cycles()[1]), "2 3 ");
}

TEST(TaskGraph, OfTwoTasksWithOneIdTheLessAdvancedCounts) {
  TaskWorld world = world_of(1);
  world.task("2").status = TaskStatus::Completed;
  TaskClaim other = world.task("2");
  other.status = TaskStatus::Failed;
  world.seen.claims.tasks.push_back(other);
  const TaskGraph graph(world.seen.claims);
  ASSERT_EQ(graph.size(), 1);
  EXPECT_EQ(graph.task(0).status, TaskStatus::Failed);
  EXPECT_EQ(graph.repeated_ids().size(), 1u);
}

TEST(TaskGraph, ALongChainNeedsNoStack) {
  TaskWorld world = world_of(20'000);
  for (std::size_t i = 1; i + 1 < world.seen.claims.tasks.size(); ++i) {
    world.seen.claims.tasks[i].blocks = {world.seen.claims.tasks[i + 1].id};
  }
  const TaskGraph graph(world.seen.claims);
  EXPECT_TRUE(graph.cycles().empty());
  std::vector<bool> first(20'000, false);
  first[0] = true;
  const std::vector<bool> reached = graph.downstream_of(first);
  EXPECT_EQ(std::ranges::count(reached, true), 19'999);
}

}  // namespace
}  // namespace reprise
