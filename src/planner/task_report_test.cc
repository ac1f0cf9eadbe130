#include "planner/task_report.h"

#include <gtest/gtest.h>

#include "planner/task_test_world.h"

namespace reprise {
namespace {

using enum TaskPhase;

// P0 to P3 done, P6 with one failed, one cut off and one to come.
TaskWorld at_work() {
  TaskWorld world(TaskTier::Standard, P6);
  for (const TaskPhase phase : {P0, P1, P2, P3}) world.add_done(phase);
  world.add(P6, TaskStatus::Failed).error = "tests fail";
  world.add(P6, TaskStatus::InProgress);
  world.add(P6, TaskStatus::Pending);
  return world;
}

std::string l2(const TaskWorld& world, const TaskReportState& state = {}) {
  return task_report_l2(world.seen, world.recover(), state);
}
bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(TaskReport, TP22_L1HasTheSeedsShape) {
  EXPECT_EQ(task_report_l1(at_work().recover()),
            "domain: cross-cutting\n"
            "skill: pipeline-resume\n"
            "last_completed_phase: \"P3\"\n"
            "resume_phase: \"P6\"\n"
            "total_tasks: 7\n"
            "completed_tasks: 4\n"
            "in_progress_tasks: 1\n"
            "pending_tasks: 1\n"
            "failed_tasks: 1\n"
            "contradictions: []\n");
}

TEST(TaskReport, TP15_L1SaysThatThereIsNoPermanentTask) {
  TaskWorld world(TaskTier::Complex);
  world.seen.claims.permanent.reset();
  EXPECT_EQ(task_report_l1(world.recover()),
            "domain: cross-cutting\n"
            "skill: pipeline-resume\n"
            "status: no_pt_found\n"
            "last_completed_phase: \"\"\n"
            "resume_phase: \"\"\n"
            "total_tasks: 0\n"
            "completed_tasks: 0\n"
            "in_progress_tasks: 0\n"
            "pending_tasks: 0\n"
            "failed_tasks: 0\n"
            "contradictions: []\n");
  EXPECT_EQ(task_report_signal(world.recover(), "r.md"), "FAIL|reason:no_pt_found|tasks:0/0|ref:r.md");
}

TEST(TaskReport, TP22_L1ListsContradictionsAndForeignTextCannotBreakIt) {
  TaskWorld world = at_work();
  world.add(P6, TaskStatus::Unknown).status_word = "do\"ne\n- x: \\ \x1b[31m";
  const std::string text = task_report_l1(world.recover());
  EXPECT_TRUE(text.ends_with(
      "contradictions:\n"
      "  - \"status_unknown: task 9 has a status that is not known: \\\"do\\\"ne - x: \\\\ \\\"\"\n"))
      << text;
}

TEST(TaskReport, TP22_OneLineSaysWhereItGoesOn) {
  TaskWorld world = at_work();
  EXPECT_EQ(task_report_signal(world.recover(), "/tmp/r.md"), "PASS|resume:P6|tasks:4/7|ref:/tmp/r.md");
  world.seen.git.branch = "main";
  EXPECT_EQ(task_report_signal(world.recover(), "/tmp/r.md"),
            "FAIL|reason:branch_mismatch|tasks:4/7|ref:/tmp/r.md");
  TaskWorld done(TaskTier::Trivial, P8);
  done.add_done(P6);
  done.permanent().is_delivered = true;
  EXPECT_EQ(task_report_signal(done.recover(), "r"), "PASS|resume:none|tasks:1/1|ref:r");
}

TEST(TaskReport, TP22_L2HasTheMatrixTheRationaleAndTheGate) {
  const std::string text = l2(at_work());
  EXPECT_TRUE(contains(text, "| Phase | Tasks | Completed | Failed | Pending |")) << text;
  EXPECT_TRUE(contains(text, "| P3 | 1 | 1 | 0 | 0 | 0 | 0 | 0 | completed |")) << text;
  EXPECT_TRUE(contains(text, "| P6 | 3 | 0 | 1 | 1 | 1 | 0 | 0 | incomplete |")) << text;
  EXPECT_FALSE(contains(text, "| P4 |")) << "not a phase of this tier";
  EXPECT_TRUE(contains(text, "Resume at P6"));
  EXPECT_TRUE(contains(text, "Granularity: phase-level"));
  EXPECT_TRUE(contains(text, "P6/6: rerun, it failed: tests fail (TP-03 failed)")) << text;
  EXPECT_TRUE(contains(text, "## Contradictions\n\nNone.\n"));
  EXPECT_TRUE(contains(text, "Expected branch: feature/login"));
}

TEST(TaskReport, TP22_ContradictionsAreToldWithTheReadingThatWon) {
  TaskWorld world = at_work();
  world.permanent().current_phase = P7;
  EXPECT_TRUE(contains(l2(world),
                       "permanent_ahead: the permanent task is at P7, but by its tasks it is at P6. "
                       "Resolved: the tasks count; current_phase is reset.\n"))
      << l2(world);
}

TEST(TaskReport, TP22_TheGateHasSevenItemsEachPassedOrNot) {
  const TaskWorld world = at_work();
  const auto gate = task_quality_gate(world.seen, world.recover(), {});
  ASSERT_EQ(gate.size(), 7u);
  for (std::size_t i = 0; i < 6; ++i) {
    const bool is_done_later = gate[i].text.starts_with("Agents re-spawned");  // a report starts nothing
    EXPECT_EQ(gate[i].is_passed, !is_done_later) << gate[i].text;
  }
  EXPECT_FALSE(gate[6].is_passed);
  EXPECT_TRUE(task_quality_gate(world.seen, world.recover(), {.ref = "", .is_presented = true})[6].is_passed);
  TaskWorld other = at_work();
  other.seen.git.branch = "main";
  EXPECT_FALSE(task_quality_gate(other.seen, other.recover(), {})[3].is_passed);
  EXPECT_FALSE(task_quality_gate(other.seen, other.recover(), {})[4].is_passed);
}

TEST(TaskReport, TP21_TheChecklistRunsInTheSeedsOrderWithOutcomes) {
  const TaskWorld world = at_work();
  const TaskReportState resumed{.ref = "", .is_presented = true, .is_updated = true};
  const auto items = task_checklist(world.seen, world.recover(), resumed);
  const std::vector<std::string_view> expected = {"TaskList",
                                                  "Find [PERMANENT]",
                                                  "TaskGet PT",
                                                  "Categorize",
                                                  "Check git branch",
                                                  "Check git status",
                                                  "Detect compaction",
                                                  "Identify resume point",
                                                  "Check for task status contradictions",
                                                  "Build resume context",
                                                  "Present reconstructed state",
                                                  "Update PT"};
  ASSERT_EQ(items.size(), expected.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    EXPECT_TRUE(items[i].text.starts_with(expected[i]));
    EXPECT_TRUE(items[i].is_passed && items[i].route.empty() && !items[i].outcome.empty()) << items[i].text;
  }
  EXPECT_EQ(items[11].outcome, "written: resume_count 1, current_phase P6");
  EXPECT_TRUE(
      contains(l2(world), "[ ] Update PT metadata: resume_count++, current_phase = resume point: to be written"));
  EXPECT_TRUE(contains(l2(world, resumed), "[x] Update PT metadata"));
}

TEST(TaskReport, TP21_AnItemThatFailsNamesItsRoute) {
  TaskWorld world = at_work();
  world.seen.claims.permanent.reset();
  const auto items = task_checklist(world.seen, world.recover(), {});
  for (const std::size_t item : {1u, 2u, 7u, 9u}) {
    EXPECT_FALSE(items[item].is_passed);
    EXPECT_FALSE(items[item].route.empty()) << items[item].text;
  }
  EXPECT_EQ(items[1].route, "No PERMANENT Task Found: reprise repair task-pipeline/demo");
  EXPECT_TRUE(items[3].is_passed);
}

TEST(TaskReport, TP24_NothingIsTakenFromMemory) {
  const TaskWorld world = at_work();
  EXPECT_TRUE(
      contains(task_checklist(world.seen, world.recover(), {})[6].outcome, "nothing is taken from memory"));
}

TEST(TaskReport, TP09_EveryTaskThatRunsIsCountedWithItsContext) {
  TaskWorld world = at_work();
  TaskClaim& part = world.add(P6, TaskStatus::InProgress);
  part.outputs = {"out/part.md"};
  world.seen.files["out/part.md"] = {.exists = true, .digest = "", .modified = {}};
  EXPECT_EQ(task_checklist(world.seen, world.recover(), {})[9].outcome,
            "4 tasks with permanent task and description, 1 of them with partial output");
}

}  // namespace
}  // namespace reprise
