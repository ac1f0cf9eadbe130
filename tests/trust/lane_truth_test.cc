// Never record what did not happen, for lanes: those that Reprise runs, and those that another program left. What
// that program recorded stays as it wrote it.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "world.h"

namespace reprise::cli_test {
namespace {

constexpr const char* kRecords = ".claude/ai-dev-kit/run-logs/checkpoints.json";

// The example of a retry in the recovery protocol that other programs follow, as it stands there.
constexpr const char* kRetryExample = R"json({
  "run_id": "P1-SL-AUTH-20251227",
  "phase": "P1",
  "lane": "SL-AUTH",
  "stage": "retry_attempt",
  "status": "retrying",
  "retry_attempt": 2,
  "max_retries": 3,
  "failure_context": [
    "Attempt 1: TypeError: undefined is not a function",
    "Test failed: AuthService.register"
  ],
  "timestamp": "2025-12-27T10:30:00Z"
}
)json";

constexpr const char* kLanePlan =
    "# P1: Docs\n\n## Lane Index & Dependencies\n\n- SL-DOC -- The docs\n  - Depends on: none\n\n## D. Swim "
    "Lanes\n\n### SL-DOC -- The docs\n\n| Task ID | Task Type | Depends On | Files in Scope | Tests Owned Files | "
    "Test Command(s) | Acceptance Criteria |\n|---|---|---|---|---|---|---|\n"
    "| D1 | impl | - | doc.txt | - | `test -s doc.txt` | docs |\n"
    "| D2 | impl | D1 | more.txt | - | `test -s more.txt` | more docs |\n";

// How often `part` occurs in `text`.
int occurrences(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// A project with a plan of one lane and two tasks. The agent writes down that it was started, and does D1 only.
class LaneTruth : public ::testing::Test {
 protected:
  void SetUp() override {
    world_.write("plans/P1.md", kLanePlan);
    world_.write(".gitignore", ".claude/\n.worktrees/\n/ran\n/agent.sh\n");
    world_.write("agent.sh", "echo $REPRISE_STEP >>" + (world_.root() / "ran").string() +
                                 "\n[ $REPRISE_STAGE = D2 ] || echo doc >>doc.txt\n");
    world_.write(".reprise/config.yaml",
                 "workers: {default: {run: [sh, " + (world_.root() / "agent.sh").string() + "]}}\n");
    ASSERT_EQ(shell("git config user.name Ana; git config user.email ana@example.org; git checkout -q -b main; "
                    "git add -A; git commit -qm begin"),
              "");
  }

  std::string shell(const std::string& line) const {
    const Ended ended = world_.shell(line);
    EXPECT_EQ(ended.exit, 0) << line << "\n" << ended.err;
    return ended.out;
  }
  std::string events(const std::string& run) const { return world_.reprise({"events", run, "--json"}).out; }
  int agents_started() const {
    const std::string ran = world_.has("ran") ? world_.read("ran") : "";
    return static_cast<int>(std::ranges::count(ran, '\n'));
  }

  // Checks `run` against what happened: agents that were started, and one attempt at the tests.
  void expect_true(const std::string& run, int test_attempts) const {
    const std::string all = events(run);
    EXPECT_EQ(occurrences(all, "attempt_started"), agents_started() + test_attempts) << all;
    for (const char* decision : {"gate_decided", "step_skipped", "question_answered", "finding_overruled"})
      EXPECT_EQ(occurrences(all, decision), 0) << all;
    expect_commits_exist(all + world_.read(kRecords));
    std::string said;
    for (const std::string command : {"plan", "status", "events"}) said += world_.reprise({command, run}).out;
    EXPECT_FALSE(contains(said, "a person decided")) << said;
    EXPECT_EQ(events(run), all) << "looking is no event";
  }

  // Every commit that is named is one, and it is in a branch.
  void expect_commits_exist(const std::string& text) const {
    std::set<std::string> named;
    for (const std::string before : {"\"commit\":\"", "commit "}) {
      for (std::size_t at = text.find(before); at != std::string::npos; at = text.find(before, at + 1)) {
        const std::string id = text.substr(at + before.size(), 40);
        if (id.find_first_not_of("0123456789abcdef") == std::string::npos) named.insert(id);
      }
    }
    EXPECT_FALSE(named.empty()) << text;
    for (const std::string& id : named) EXPECT_NE(shell("git branch --all --contains " + id), "") << id;
  }

  // Leaves a lane as another program would: a worktree with one commit, and these records.
  void leave_lane(const std::string& stage, const std::string& status) const {
    shell(
        "git worktree add -q --no-track -b lane/P1/SL-DOC .worktrees/P1/SL-DOC; cd .worktrees/P1/SL-DOC; "
        "echo doc >doc.txt; git add -A; git commit -qm theirs");
    world_.write(kRecords, "[\n" + record("before_lane_start", "ready", "10") + ",\n" +
                               record(stage, status, "11") + "\n]\n");
  }
  std::string record(const std::string& stage, const std::string& status, const std::string& hour) const {
    return R"(  {"run_id": "night", "phase": "P1", "lane": "SL-DOC", "stage": ")" + stage + R"(", "status": ")" +
           status + R"(", "timestamp": "2026-01-02T)" + hour + R"(:00:00Z", "base_branch": "main", )" +
           R"("worktree_path": ")" + (world_.root() / ".worktrees/P1/SL-DOC").string() +
           R"(", "notes": "theirs", )" +
           R"("resume_hint": "execute-lane plans/P1.md SL-DOC --resume --run-id night"})";
  }

  World world_;
};

TEST_F(LaneTruth, S4_AnOwnLaneRecordsOnlyWhatHappened) {
  EXPECT_EQ(world_.reprise({"run", "lanes", "plans/P1.md", "--run-id", "own", "--quiet"}).exit, 1);
  EXPECT_EQ(agents_started(), 2);
  expect_true("lanes/own", 1);
  EXPECT_EQ(shell("git rev-list --count main..lane/P1/SL-DOC"), "1\n") << "D2 changed nothing to commit";
  const std::string records = world_.read(kRecords);
  EXPECT_TRUE(contains(records, "exit_code: 1")) << records;
  EXPECT_FALSE(contains(records, "pre_pr")) << "its tests did not pass:\n" << records;
  EXPECT_EQ(occurrences(records, "\"complete\""), 1) << "only the worktree was created:\n" << records;
  const std::string log = world_.read(".claude/run-logs/own.jsonl");
  EXPECT_EQ(occurrences(log, "\"task_start\""), 2) << log;
  EXPECT_EQ(occurrences(log, "phase_done"), 0) << log;
  EXPECT_EQ(occurrences(log, "merge_"), 0) << log;
}

TEST_F(LaneTruth, S4_LookingAtAFoundLaneRecordsNothing) {
  leave_lane("after_lane_tests", "complete");
  const std::string before = world_.read(kRecords);
  std::string said;
  for (const std::string command : {"plan", "why"}) said += world_.reprise({command, "lanes/night"}).out;
  said += world_.reprise({"scan"}).out + world_.reprise({"status"}).out;
  EXPECT_FALSE(contains(said, "a person decided")) << said;
  EXPECT_EQ(world_.read(kRecords), before);
  EXPECT_FALSE(world_.has(".claude/run-logs"));
  EXPECT_EQ(agents_started(), 0);
  EXPECT_NE(world_.reprise({"events", "lanes/night"}).exit, 0) << "there is no run";
}

TEST_F(LaneTruth, S4_AnAdoptedLaneRecordsOnlyWhatHappened) {
  leave_lane("after_lane_start", "complete");
  const std::string before = record("before_lane_start", "ready", "10");
  EXPECT_EQ(world_.reprise({"resume", "lanes/night", "--yes", "--quiet"}).exit, 1);
  EXPECT_EQ(agents_started(), 2);
  expect_true("lanes/night/P1/SL-DOC", 1);
  const std::string records = world_.read(kRecords);
  EXPECT_TRUE(contains(records, before)) << "its time and notes are the other program's:\n" << records;
  const std::string log = world_.read(".claude/run-logs/night.jsonl");
  EXPECT_FALSE(contains(log, "before_lane_start")) << "Reprise did not reach it:\n" << log;
  EXPECT_FALSE(contains(log, "\"lane_start\"")) << "Reprise did not start the lane:\n" << log;
  EXPECT_EQ(occurrences(log, "\"task_start\""), 2) << log;
  world_.reprise({"resume", "lanes/night", "--yes", "--quiet"});
  const std::string again = world_.read(".claude/run-logs/night.jsonl");
  EXPECT_FALSE(contains(again, "before_lane_start")) << "nor did the next session:\n" << again;
  EXPECT_TRUE(contains(world_.read(kRecords), before));
}

TEST_F(LaneTruth, S4_TasksThatAnotherProgramDidAreImportedNotAttempted) {
  leave_lane("after_lane_tests", "complete");
  EXPECT_EQ(world_.reprise({"resume", "lanes/night", "--yes", "--quiet"}).exit, 0);
  EXPECT_EQ(agents_started(), 0);
  expect_true("lanes/night/P1/SL-DOC", 0);
  EXPECT_EQ(occurrences(events("lanes/night/P1/SL-DOC"), "claim_imported"), 3);
  EXPECT_TRUE(contains(world_.read(kRecords), record("after_lane_tests", "complete", "11")))
      << world_.read(kRecords);
}

TEST_F(LaneTruth, DW33_ALaneThatNamesNoWorktreeMissesNone) {
  for (const std::string& text : {std::string(kRetryExample), "[\n" + std::string(kRetryExample) + "]\n"}) {
    world_.write(kRecords, text);
    const std::string shown = world_.reprise({"plan", "lanes/P1-SL-AUTH-20251227"}).out;
    EXPECT_FALSE(contains(shown, "worktree_gone")) << shown;
    EXPECT_FALSE(contains(shown, ": \n")) << shown;
    EXPECT_FALSE(contains(shown, ":  [")) << shown;
    EXPECT_EQ(world_.read(kRecords), text);
  }
}

TEST_F(LaneTruth, DW33_ALaneThatIsCreatedAgainNamesItsBranch) {
  leave_lane("after_lane_start", "complete");
  shell("git worktree remove --force .worktrees/P1/SL-DOC");
  const std::string shown = world_.reprise({"plan", "lanes/night"}).out;
  EXPECT_TRUE(contains(shown, "is missing; it is created again from branch lane/P1/SL-DOC [worktree_gone]"))
      << shown;
}

}  // namespace
}  // namespace reprise::cli_test
