// Phase plans: every form that is in use is read as the same definition, and what is not sound is refused by
// line.

#include "formats/lane_plan.h"

#include <gtest/gtest.h>

#include <random>

#include "base/strings.h"
#include "formats/lane_plan_test_files.h"
#include "formats/lane_plan_words.h"
#include "formats/oddities_for_tests.h"
#include "model/limits.h"
#include "testing/mutations.h"

namespace reprise {
namespace {

PhasePlan read_lanes(const std::string& bytes) {
  std::expected<PhasePlan, std::vector<Problem>> plan = read_phase_plan(bytes, "P2.md");
  if (plan) return std::move(*plan);
  for (const Problem& problem : plan.error()) ADD_FAILURE() << to_text(problem);
  return {};
}

std::string plan_problems(const std::string& bytes) {
  const std::expected<PhasePlan, std::vector<Problem>> plan = read_phase_plan(bytes, "p.md");
  std::string out;
  if (plan) return "none";
  for (const Problem& problem : plan.error()) out += to_text(problem) + "\n";
  return out;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// A plan with this index; each lane that it lists has one task.
std::string plan_with(const std::string& index) {
  std::string text = "# P1: X\n## Lane Index\n" + index + "\n## D\n";
  for (const std::string_view line : split(index, '\n')) {
    if (!line.starts_with("- ")) continue;
    const std::string id = split_title(line.substr(2)).id;
    text += "### " + id + "\n| Task ID | Task Type | Test Command(s) |\n|---|---|---|\n| T-" + id +
            " | impl | make |\n";
  }
  return text;
}

TEST(LanePlan, ReadsTheDocumentedForm) {
  const PhasePlan plan = read_lanes(documented_plan());
  EXPECT_EQ(plan.phase, "P2");
  EXPECT_EQ(plan.name, "Harbour");
  ASSERT_EQ(plan.gates.size(), 4u);
  EXPECT_EQ(plan.gates[1], (PhaseGate{"IF-0-P1-TIDE", "from the phase before", true, 12}));
  EXPECT_EQ(plan.gates[3].id, "IF-XP-LAMP");
  ASSERT_EQ(plan.lanes.size(), 3u);
  const PlanLane& quay = plan.lanes[0];
  EXPECT_EQ(quay.id, "SL-QUAY");
  EXPECT_EQ(quay.name, "Quay and moorings");
  EXPECT_EQ(quay.line, 19);
  EXPECT_EQ(quay.blocks, Strings{"SL-LIGHT"});
  EXPECT_EQ(quay.parallel_safe, ParallelSafe::Yes);
  EXPECT_EQ(quay.retries, 0);
  EXPECT_EQ(quay.needs, Strings{});
  ASSERT_EQ(quay.tasks.size(), 4u);
  EXPECT_EQ(quay.tasks[1].files_in_scope, (Strings{"quay.py", "bollard.py"}));
  EXPECT_EQ(quay.tasks[0].tests_owned, Strings{"tests/quay.py"});
  EXPECT_EQ(quay.tasks[0].test_commands, Strings{"pytest tests/quay.py"});
  EXPECT_EQ(quay.tasks[0].type, "test");
  EXPECT_EQ(quay.tasks[2].acceptance, "Ropes hold | always");
  EXPECT_EQ(quay.tasks[2].test_commands, Strings{});
  EXPECT_EQ(quay.tasks[3].test_commands, Strings{"make lint && make all"});
}

TEST(LanePlan, AnotherOrderOfColumnsAndOtherMarksAreTheSame) {
  const PlanLane chart = read_lanes(documented_plan()).lanes.at(1);
  EXPECT_EQ(chart.retries, 2);
  EXPECT_EQ(chart.parallel_safe, ParallelSafe::Mixed);
  ASSERT_EQ(chart.tasks.size(), 2u);
  EXPECT_EQ(chart.tasks[0].id, "C-1");
  EXPECT_EQ(chart.tasks[0].type, "test");
  EXPECT_EQ(chart.tasks[0].acceptance, "Charts are drawn");
  EXPECT_EQ(chart.tasks[0].test_commands, Strings{"pytest charts"});
  EXPECT_EQ(chart.tasks[1].test_commands, (Strings{"a", "b c"}));
}

TEST(LanePlan, ATaskWithoutDependenciesComesAfterTheOneBeforeIt) {
  const PlanLane quay = read_lanes(documented_plan()).lanes.at(0);
  EXPECT_EQ(quay.tasks[0].needs, Strings{});
  EXPECT_EQ(quay.tasks[2].needs, Strings{"P2-SL-QUAY-02"});
  EXPECT_EQ(quay.tasks[3].needs, (Strings{"P2-SL-QUAY-02", "P2-SL-QUAY-03"}));
  // Unless that would be a circle.
  const std::string forward = replaced(documented_plan(), "| impl | P2-SL-QUAY-01 |", "| impl | P2-SL-QUAY-03 |");
  const PlanLane lane = read_lanes(forward).lanes.at(0);
  EXPECT_EQ(lane.tasks[1].needs, Strings{"P2-SL-QUAY-03"});
  EXPECT_EQ(lane.tasks[2].needs, Strings{});
}

TEST(LanePlan, AGateIsWaitedForThroughTheLaneThatProvidesIt) {
  const PhasePlan plan = read_lanes(documented_plan());
  EXPECT_EQ(plan.lanes[1].gates, (Strings{"IF-1-P2-QUAY", "IF-0-P1-TIDE"}));
  EXPECT_EQ(plan.lanes[1].needs, Strings{"SL-QUAY"});  // by the gate's name; the other one is ticked
  EXPECT_EQ(plan.lanes[1].provides, Strings{"IF-0-P2-CHART"});
  EXPECT_EQ(plan.lanes[2].depends_on, Strings{"SL-CHART"});
  EXPECT_EQ(plan.lanes[2].gates, Strings{"IF-0-P2-CHART"});
  EXPECT_EQ(plan.lanes[2].needs, (Strings{"SL-QUAY", "SL-CHART"}));  // SL-QUAY says that it blocks this one
  for (const PlanLane& lane : plan.lanes) EXPECT_EQ(lane.open_gates, Strings{}) << lane.id;
}

TEST(LanePlan, ALaneThatBlocksAGateProvidesIt) {
  const PhasePlan plan = read_lanes(
      plan_with("- SL-A -- A\n  - Blocks: IF-9-P1-FROST, Phase 2\n- SL-B -- B\n  - Depends on: IF-9-P1-FROST\n"));
  EXPECT_EQ(plan.lanes[1].needs, Strings{"SL-A"});
  EXPECT_EQ(plan.lanes[1].open_gates, Strings{});
}

TEST(LanePlan, AGateThatNobodyProvidesIsOpenUntilItIsTicked) {
  const std::string index = "- SL-A -- A\n  - Depends on: IF-0-P0-A, IF-XR-OTHER, IF-XP-A\n";
  EXPECT_EQ(read_lanes(plan_with(index)).lanes[0].open_gates, (Strings{"IF-0-P0-A", "IF-XR-OTHER", "IF-XP-A"}));
  const std::string ticked =
      "## Interface Freeze Gates\n- [x] `IF-0-P0-A` — frozen\n- [x] IF-XR-OTHER: y\n- [ ] IF-XR-OTHER: z\n"
      "- [X] **IF-XP-A**\n- [x] all of IF-XP-B\n";
  EXPECT_EQ(read_lanes(plan_with(index) + ticked).lanes[0].open_gates, Strings{"IF-XR-OTHER"});
}

TEST(LanePlan, ATaskThatWaitsForAnotherLaneMakesItsLaneWait) {
  const PhasePlan plan =
      read_lanes(replaced(documented_plan(), "- Depends on: SL-CHART,\n    IF-0-P2-CHART", "- Depends on: -"));
  EXPECT_EQ(plan.lanes[2].depends_on, Strings{});
  EXPECT_EQ(plan.lanes[2].needs, (Strings{"SL-QUAY", "SL-CHART"}));
  EXPECT_EQ(plan.lanes[2].tasks[0].needs, Strings{});
}

TEST(LanePlan, TheIndexIsReadInEveryFormThatIsInUse) {
  const PhasePlan plain = read_lanes(plan_with("- SL-A -- One\n- SL-B -- Two\n  - Depends on: SL-A\n"));
  int forms = 0;
  for (const std::string index : {"- **SL-A** — One\n- **SL-B** — Two\n    - **Depends on:** `SL-A` (merged)\n",
                                  "- SL-A: One\n\n- SL-B - Two\n\n  * depends_on: SL-A complete\n",
                                  "- SL-A – One\n- SL-B–Two\n\t- Depends On: SL-A and none\n",
                                  "- `SL-A` -- One\n- SL-B -- Two\n  - Depends on: SL-A (the first one, of two)\n "
                                  " - Blocks: None (Phase 3 starts later)\n"}) {
    for (const std::string fence : {"", "```", "~~~text"}) {
      const std::string close = fence.substr(0, 3);
      const std::string bytes = replaced(plan_with(index), index, fence + "\n" + index + close + "\n");
      const PhasePlan plan = read_lanes(bytes);
      ASSERT_EQ(plan.lanes.size(), 2u) << bytes;
      EXPECT_EQ(plan.lanes[0].name, "One") << bytes;
      EXPECT_EQ(plan.lanes[1].name, "Two") << bytes;
      EXPECT_EQ(plan.lanes[1].needs, plain.lanes[1].needs) << bytes;
      ++forms;
    }
  }
  EXPECT_EQ(forms, 12);
  for (const std::string nothing :
       {"", "-", "—", "none", "None", "N/A", "(none - foundation lane)", "(none)", "none (first)"}) {
    EXPECT_EQ(read_lanes(plan_with("- SL-A -- A\n- SL-B -- B\n  - Depends on: " + nothing + "\n")).lanes[1].needs,
              Strings{})
        << nothing;
  }
}

TEST(LanePlan, LineEndsAndByteOrderMarkMakeNoDifference) {
  std::string bytes = "\xEF\xBB\xBF";
  for (const char c : documented_plan()) bytes += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(read_lanes(bytes), read_lanes(documented_plan()));
}

TEST(LanePlan, RetriesAreANumberUpToAHundred) {
  const auto retries = [](const std::string& value) {
    return plan_with("- SL-A -- A\n  - Retries: " + value + "\n");
  };
  EXPECT_EQ(read_lanes(retries("3 (flaky)")).lanes[0].retries, 3);
  EXPECT_EQ(read_lanes(retries("100")).lanes[0].retries, 100);
  EXPECT_EQ(read_lanes(retries("none")).lanes[0].retries, 0);
  for (const std::string value : {"101", "-1", "some", "2.5", "99999999999999999999"}) {
    EXPECT_EQ(plan_problems(retries(value)), "p.md:4:1: not a number of retries: \"" + value + "\"; 0 to 100\n")
        << value;
  }
}

TEST(LanePlan, NamesThatNoBranchOrFolderCanHaveAreRefused) {
  for (const char* name : {"SL-1", "a", "0", "SL_1.2-x", "A.lock.b"}) EXPECT_TRUE(is_lane_name(name)) << name;
  EXPECT_TRUE(is_lane_name(std::string(64, 'x')));
  int refused = 0;
  for (const std::string name :
       {"", "-a", ".a", "_a", "a/b", "a b", "a..b", "a.", "a.lock", "a~1", "a:b", "é", "a\nb", "a*"}) {
    EXPECT_FALSE(is_lane_name(name)) << name;
    ++refused;
  }
  EXPECT_EQ(refused, 14);
  EXPECT_FALSE(is_lane_name(std::string(65, 'x')));
  EXPECT_NE(plan_problems(plan_with("- ../../etc -- A\n")).find("p.md:3:1: not a name for a lane: \"../../etc\""),
            std::string::npos);
  EXPECT_NE(plan_problems(replaced(plan_with("- SL-A\n"), "# P1", "# Phase 1"))
                .find("p.md:1:1: not a name for a phase: \"Phase 1\""),
            std::string::npos);
  EXPECT_NE(plan_problems(replaced(plan_with("- SL-A\n"), "T-SL-A", "T/1")).find("not a name for a task: \"T/1\""),
            std::string::npos);
}

TEST(LanePlan, WhatIsNotSoundIsRefusedByItsLine) {
  EXPECT_EQ(plan_problems(plan_with("- SL-A -- A\n- SL-a -- A\n")).substr(0, 72),
            "p.md:4:1: the lane \"SL-a\" is listed twice, as \"SL-A\" in line 3\np.md:4:1:");
  EXPECT_EQ(plan_problems(plan_with("- SL-A -- A\n  - Depends on: SL-NONE, someone\n")),
            "p.md:4:1: depends on \"SL-NONE\", which is no lane or gate of this plan\n"
            "p.md:4:1: depends on \"someone\", which is no lane or gate of this plan\n");
  EXPECT_EQ(plan_problems(plan_with(
                "- SL-A\n  - Depends on: SL-C\n- SL-B\n  - Depends on: SL-A\n- SL-C\n  - Depends on: SL-B\n")),
            "p.md:3:1: lanes that wait for one another: SL-A -> SL-C -> SL-B -> SL-A\n");
  EXPECT_EQ(plan_problems(plan_with("- SL-A\n  - Depends on: SL-A\n")),
            "p.md:3:1: lanes that wait for one another: SL-A -> SL-A\n");
  EXPECT_EQ(plan_problems(plan_with("- SL-A\n  - Blocks: SL-B\n- SL-B\n  - Blocks: SL-A\n")),
            "p.md:3:1: lanes that wait for one another: SL-A -> SL-B -> SL-A\n");
  EXPECT_EQ(plan_problems(plan_with("- IF-A -- A\n")),
            "p.md:3:1: a lane cannot be called \"IF-A\", which is a gate's name\n");
  EXPECT_EQ(plan_problems("# P1: X\n## Lane Index\n- SL-A -- A\n"), "p.md:3:1: the lane \"SL-A\" has no tasks\n");
  EXPECT_EQ(plan_problems("# P1: X\n## Lane Index\n"), "p.md:2:1: the lane index lists no lane\n");
  EXPECT_EQ(plan_problems(plan_with("- SL-A\n") + "### SL-Z\n| Task ID |\n|---|\n| x |\n"),
            "p.md:11:1: tasks of \"SL-Z\", which the lane index does not list\n");
  EXPECT_EQ(plan_problems(replaced(plan_with("- SL-A\n"), "# P1: X\n", "")),
            "p.md:1:1: there is no title such as \"# P1: Foundation\"\n");
}

TEST(LanePlan, TasksThatAreNotSoundAreRefusedByTheirLine) {
  const auto tasks = [](const std::string& rows) {
    return plan_problems(
        "# P1: X\n## Lane Index\n- SL-A\n### SL-A\n| Task ID | Task Type | Depends On | Test Command(s) "
        "|\n|---|---|---|---|\n" +
        rows);
  };
  EXPECT_EQ(tasks("| t | impl | - | make |\n"), "none");
  EXPECT_EQ(tasks("| t | - | - | make |\n"), "p.md:7:1: the task \"t\" has no type\n");
  EXPECT_EQ(tasks("| t | test \\| impl | - | make |\n"),
            "p.md:7:1: the task \"t\" has no usable type: \"test | impl\"\n");
  EXPECT_EQ(tasks("| t | impl | - | make |\n| u | impl | - | |\n"),
            "p.md:8:1: the task \"u\" has no test command, and no \"-\" for none\n");
  EXPECT_EQ(tasks("| t | impl | - | - |\n"), "p.md:3:1: the lane \"SL-A\" has no test command\n");
  EXPECT_EQ(tasks("| t | impl | - | make |\n| t | impl | - | make |\n"),
            "p.md:8:1: the task \"t\" is listed twice, first in line 7\n");
  EXPECT_EQ(tasks("| t | impl | u | make |\n"),
            "p.md:7:1: depends on \"u\", which is no lane, task or gate of this plan\n");
  EXPECT_EQ(tasks("| t | impl | u | make |\n| u | impl | t | make |\n"),
            "p.md:7:1: tasks that wait for one another: t -> u -> t\n");
  EXPECT_EQ(tasks("| t | impl | t | make |\n"), "p.md:7:1: tasks that wait for one another: t -> t\n");
}

TEST(LanePlan, OtherMarkdownIsNoPhasePlan) {
  for (const std::string bytes :
       {"", "# P1: X\n", "# Readme\n\nLane index\n", "# P1\n```\n## Lane Index\n```\n"}) {
    EXPECT_FALSE(is_phase_plan(bytes)) << bytes;
    EXPECT_EQ(plan_problems(bytes), "p.md: not a phase plan: it has no section \"Lane Index\"\n");
  }
  EXPECT_TRUE(is_phase_plan(documented_plan()));
  EXPECT_FALSE(is_phase_plan(documented_plan() + "\xFF"));
  EXPECT_EQ(plan_problems("# P1\n\xFF"), "p.md:2:1: a byte that is not UTF-8 text\n");
}

TEST(LanePlan, P13_ManyLanesTasksAndDependenciesAreLinear) {
  std::string lanes;
  for (int i = 0; i < 100'000; ++i) lanes += "- SL-" + std::to_string(i) + "\n";
  EXPECT_NE(plan_problems("# P1: X\n## Lane Index\n" + lanes).find("there are more than 1000 lanes"),
            std::string::npos);
  std::string needs = "- SL-A\n  - Depends on: SL-A";
  for (int i = 0; i < 100'000; ++i) needs += ", IF-" + std::to_string(i);
  EXPECT_NE(plan_problems(plan_with(needs + "\n")).find("more than 1000 dependencies"), std::string::npos);
  std::string tasks = plan_with("- SL-A\n");
  for (int i = 0; i < 20'000; ++i) tasks += "| t" + std::to_string(i) + " | impl | make |\n";
  EXPECT_EQ(read_lanes(tasks).lanes[0].tasks.size(), 20'001u);
  for (int i = 20'000; i < 60'000; ++i) tasks += "| t" + std::to_string(i) + " | impl | make |\n";
  EXPECT_NE(plan_problems(tasks).find("there are too many tasks"), std::string::npos);
}

// Whatever the bytes, there is a sound plan or a list of problems.
bool expect_an_answer(const std::string& bytes) {
  const std::expected<PhasePlan, std::vector<Problem>> plan = read_phase_plan(bytes, "f.md");
  if (!plan) {
    EXPECT_FALSE(plan.error().empty());
    return false;
  }
  EXPECT_FALSE(plan->lanes.empty());
  for (const PlanLane& lane : plan->lanes) {
    EXPECT_TRUE(is_lane_name(lane.id));
    EXPECT_FALSE(lane.tasks.empty());
    for (const std::string& need : lane.needs) EXPECT_NE(plan->find_lane(need), nullptr);
  }
  return true;
}

TEST(LanePlan, CutAtEveryByteItGivesAPlanOrProblems) {
  std::size_t rounds = 0;
  for (std::size_t length = 0; length <= documented_plan().size(); ++length, ++rounds) {
    expect_an_answer(documented_plan().substr(0, length));
  }
  EXPECT_EQ(rounds, documented_plan().size() + 1);
}

TEST(LanePlan, MutatedAtRandomItGivesAPlanOrProblems) {
  std::mt19937 random(3);
  int rounds = 0;
  int sound = 0;
  for (; rounds < 10'000; ++rounds)
    sound += expect_an_answer(mutated(documented_plan(), plan_pieces(), random)) ? 1 : 0;
  EXPECT_EQ(rounds, 10'000);
  EXPECT_GT(sound, 1'000);
}

TEST(LanePlan, RealPlansAreRead) {
  const std::vector<TestFile> files = test_files_in(source_folder() / "../shared/corpus/lane-plan");
  if (files.empty()) GTEST_SKIP() << "there are no real files beside the sources";
  for (const TestFile& file : files) {
    const PhasePlan plan = read_lanes(file.bytes);
    ASSERT_EQ(plan.lanes.size(), 2u) << file.name;
    EXPECT_EQ(plan.phase, "P1");
    EXPECT_EQ(plan.gates.size(), 5u);
    EXPECT_EQ(plan.lanes[0].tasks.size(), 9u);
    EXPECT_EQ(plan.lanes[1].tasks.size(), 10u);
    EXPECT_EQ(plan.lanes[1].needs, Strings{"SL-SETUP"});
    EXPECT_EQ(plan.lanes[1].open_gates, Strings{});
  }
}

}  // namespace
}  // namespace reprise
