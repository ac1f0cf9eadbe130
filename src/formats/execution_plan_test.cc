// Execution plans: every form that is found, broken YAML, and what is refused.

#include "formats/execution_plan.h"

#include "formats/orchestrator_test_files.h"

namespace reprise {
namespace {

ExecutionPlanClaims read_plan(const std::string& bytes) {
  Result<ExecutionPlanClaims> found = read_execution_plan(bytes, "plan.yaml");
  EXPECT_TRUE(found.has_value()) << bytes << (found ? "" : found.error().message);
  return found ? std::move(*found) : ExecutionPlanClaims{};
}

TEST(ExecutionPlan, OR06_StoriesWavesGatesAndMergesAreClaimed) {
  const ExecutionPlanClaims plan = read_plan(kPlanFile);
  EXPECT_EQ(plan.epic, "EPIC-QUAY");
  EXPECT_EQ(plan.story_folder, "docs/stories/quay");
  ASSERT_EQ(plan.stories.size(), 2u);
  EXPECT_EQ(plan.stories[0].id, "2.1");
  EXPECT_EQ(plan.stories[0].file, "2.1-piles.md");
  EXPECT_EQ(plan.stories[0].title, "Drive the piles");
  EXPECT_EQ(plan.stories[0].executor, "dev");
  EXPECT_EQ(plan.stories[0].quality_gate, "architect");
  EXPECT_EQ(plan.stories[0].branch, "feat/2.1");
  EXPECT_EQ(plan.stories[0].key_files, (Strings{"src/piles.c", "src/planks.c"}));
  EXPECT_EQ(plan.stories[1].id, "2.10") << "2.10 is not 2.1";
  EXPECT_EQ(plan.stories[1].executor, "ux");
  ASSERT_EQ(plan.waves.size(), 2u);
  EXPECT_EQ(plan.waves[0].number, "1");
  EXPECT_FALSE(plan.waves[0].parallel);
  EXPECT_EQ(plan.waves[0].stories, Strings{"2.1"});
  EXPECT_EQ(plan.waves[0].gate_agent, "architect");
  EXPECT_EQ(plan.waves[0].gate_focus, "does it hold");
  EXPECT_EQ(plan.waves[0].merge_order, Strings{"2.1"});
  EXPECT_EQ(plan.waves[0].tag, "wave-1-complete");
  EXPECT_EQ(plan.waves[1].number, "2");
  EXPECT_TRUE(plan.waves[1].parallel);
  EXPECT_EQ(plan.waves[1].stories, Strings{"2.10"});
  EXPECT_EQ(plan.waves[1].dependencies, Strings{"1"});
  EXPECT_EQ(plan.waves[1].gate_agent, "qa");
  EXPECT_EQ(plan.waves[1].gate_focus, "reach; weight");
  EXPECT_EQ(plan.waves[1].merge_order, Strings{"feat/2.10"});
  EXPECT_EQ(plan.final_gate_agent, "po");
  EXPECT_TRUE(plan.oddities.empty()) << testing::PrintToString(reasons(plan.oddities));
}

TEST(ExecutionPlan, OtherRootsAndShapesAreReadTheSame) {
  const ExecutionPlanClaims plan = read_plan(
      "quay_plan:\n  epic: E\n  waves:\n    wave-1:\n      stories:\n        - id: \"1.1\"\n          file: a.md\n"
      "      depends_on: none\n    wave-2:\n      stories: [\"1.2\"]\n      dependencies: [1]\n      gate: "
      "\"@qa\"\n"
      "      merge_order: [\"1.2\"]\n");
  ASSERT_EQ(plan.waves.size(), 2u);
  EXPECT_EQ(plan.waves[0].number, "1");
  EXPECT_EQ(plan.stories[0].file, "a.md");
  EXPECT_TRUE(plan.waves[0].dependencies.empty());
  EXPECT_EQ(plan.waves[1].dependencies, Strings{"1"});
  EXPECT_EQ(plan.waves[1].gate_agent, "qa");
  EXPECT_EQ(plan.waves[1].merge_order, Strings{"1.2"});
}

TEST(ExecutionPlan, APlanWithoutWavesIsMadeOfWhatItsStoriesSay) {
  const ExecutionPlanClaims one = read_plan("plan:\n  stories:\n    - id: A-1\n      file: a.md\n    - id: A-2\n");
  ASSERT_EQ(one.waves.size(), 1u);
  EXPECT_EQ(one.waves[0].stories, (Strings{"A-1", "A-2"}));
  EXPECT_FALSE(one.waves[0].parallel) << "one after another";
  EXPECT_EQ(reasons(one.oddities), Strings{"2 : a plan without waves: they are made of what its stories say"});
  const ExecutionPlanClaims two = read_plan("stories:\n  A-1: {wave: 1}\n  A-2: {wave: 2}\n  A-3: {wave: 1}\n");
  ASSERT_EQ(two.waves.size(), 2u);
  EXPECT_EQ(two.waves[0].stories, (Strings{"A-1", "A-3"}));
  EXPECT_TRUE(two.waves[0].parallel);
}

TEST(ExecutionPlan, AStoryThatNobodyDescribesIsListed) {
  const ExecutionPlanClaims plan =
      read_plan("execution:\n  stories: {A-1: a.md}\n  waves:\n    - {wave: 1, stories: [A-1, A-9]}\n");
  EXPECT_EQ(plan.stories[0].file, "a.md");
  EXPECT_EQ(reasons(plan.oddities), Strings{"4 A-9: wave 1 has a story that the plan does not describe"});
}

TEST(ExecutionPlan, OR14_BrokenYamlGivesTheSameClaimsWhereItsLinesAreSound) {
  const ExecutionPlanClaims whole = read_plan(kPlanFile);
  int forms = 0;
  for (const std::string_view title : {"Raise: the crane", "\"Raise\" the crane", "[Raise", "@crane", "%crane"}) {
    std::string broken = kPlanFile;
    broken.replace(broken.find("Raise the crane"), 15, title);
    const ExecutionPlanClaims plan = read_plan(broken);
    EXPECT_TRUE(plan.damaged) << title;
    EXPECT_EQ(plan.stories.size(), whole.stories.size());
    EXPECT_EQ(plan.stories[1].title, title);
    ASSERT_EQ(plan.waves.size(), 2u) << title;
    EXPECT_EQ(plan.waves[0].gate_agent, "architect") << title;
    EXPECT_EQ(plan.waves[1].stories, Strings{"2.10"}) << title;
    EXPECT_EQ(plan.waves[1].dependencies, Strings{"1"}) << title;
    EXPECT_EQ(plan.waves[1].gate_focus, "reach; weight") << title;
    EXPECT_EQ(plan.final_gate_agent, "po") << title;
    ASSERT_FALSE(plan.oddities.empty());
    EXPECT_TRUE(plan.oddities[0].why.starts_with("the syntax is broken here")) << title;
    ++forms;
  }
  EXPECT_EQ(forms, 5);
}

TEST(ExecutionPlan, ForeignFilesAreInvalidAndTornOnesCorrupt) {
  const auto refusal = [](const std::string& bytes) {
    const Result<ExecutionPlanClaims> found = read_execution_plan(bytes, "p.yaml");
    return found ? "read" : std::string(to_token(found.error().kind)) + ": " + found.error().message;
  };
  EXPECT_EQ(refusal(kEpicFile), "invalid: is not an execution plan");
  EXPECT_EQ(refusal(kCycleFlow), "invalid: is not an execution plan");
  EXPECT_EQ(refusal("execution:\n"), "invalid: is not an execution plan");
  EXPECT_EQ(refusal("a: [b\n"), "corrupt: is not an execution plan, and its syntax is broken");
  EXPECT_EQ(refusal(""), "corrupt: it is empty; it was probably not written to its end");
}

const auto kReadPlan = [](const std::string& bytes) { return read_execution_plan(bytes, "p.yaml"); };
const auto kNoChange = [](const std::string&) -> Result<std::string> {
  return fail(ErrorKind::Unavailable, "plans are not written");
};

TEST(ExecutionPlan, F1_AFileCutAtEveryByteIsClaimsOrOneError) {
  const Survival count = survive_cuts(kPlanFile, kReadPlan, kNoChange);
  EXPECT_EQ(count.rounds, static_cast<int>(kPlanFile.size()) + 1);
  EXPECT_GT(count.read, 500);
  EXPECT_GT(count.refused, 20);
}

TEST(ExecutionPlan, TenThousandMutationsAreReadOrRefused) {
  const Survival count = survive_mutations({kPlanFile}, 10'000, kReadPlan, kNoChange);
  EXPECT_EQ(count.rounds, 10'000);
  EXPECT_EQ(count.read + count.refused, 10'000);
  EXPECT_GT(count.read, 5'000);
}

TEST(ExecutionPlan, RealPlansAreReadAlsoWhereTheirYamlIsBroken) {
  const std::vector<TestFile> files = orchestrator_corpus("execution-plan");
  if (files.empty()) GTEST_SKIP() << "there are no real files beside the sources";
  std::size_t stories = 0, waves = 0, damaged_files = 0;
  for (const TestFile& file : files) {
    const ExecutionPlanClaims plan = read_plan(file.bytes);
    stories += plan.stories.size();
    waves += plan.waves.size();
    damaged_files += plan.damaged ? 1 : 0;
    EXPECT_EQ(plan.oddities.size(), plan.damaged ? 1u : 0u) << file.name;
    EXPECT_EQ(plan.final_gate_agent, "architect");
  }
  EXPECT_EQ(stories, 12u);
  EXPECT_EQ(waves, 10u);
  EXPECT_EQ(damaged_files, 1u);
}

}  // namespace
}  // namespace reprise
