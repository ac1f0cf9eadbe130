// Seed 003, the recovery contract of lanes: its example, its table of stages and its failure scenarios, against
// the real program.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "world.h"

namespace reprise::cli_test {
namespace {

constexpr const char* kRecords = ".claude/ai-dev-kit/run-logs/checkpoints.json";
constexpr const char* kRetryId = "lanes/P1-SL-AUTH-20251227/P1/SL-AUTH";

// The seed's retry example, as it stands there.
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

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// A plan of phase P1 with one lane: tasks T1 and T2, whose tests `sh check.sh` decides.
std::string plan_of(const std::string& lane, const std::string& retries) {
  return "# P1: Auth\n\n## Lane Index & Dependencies\n\n- " + lane + " -- Auth\n  - Depends on: (none)\n" +
         (retries.empty() ? "" : "  - Retries: " + retries + "\n") + "\n## D. Swim Lanes\n\n### " + lane +
         " -- Auth\n\n| Task ID | Task Type | Depends On | Files in Scope | Tests Owned Files | Test Command(s) | "
         "Acceptance Criteria |\n|---|---|---|---|---|---|---|\n"
         "| T1 | impl | - | auth.txt | - | `sh check.sh` | works |\n";
}

// A project with such a plan. Its agent writes down what it was told, and changes a file; `agent` in the project's
// folder may add to that.
class Lanes : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string top = world_.root().string();
    world_.write("plans/P1.md", plan_of("SL-AUTH", ""));
    world_.write(".gitignore", ".claude/\n.worktrees/\n/ran\n/told-*\n/agent*\n/checks\n");
    world_.write("check.sh", "test ! -e " + top + "/checks || sh " + top + "/checks\n");
    world_.write("agent.sh", "echo $REPRISE_STEP >>" + top + "/ran\ncp \"$REPRISE_CONTEXT\" " + top +
                                 "/told-$(wc -l <" + top + "/ran)\necho more >>auth.txt\ntest ! -e " + top +
                                 "/agent-more || . " + top + "/agent-more\n");
    world_.write(".reprise/config.yaml", "workers: {default: {run: [sh, " + top + "/agent.sh]}}\n");
    shell(
        "git config user.name Ana; git config user.email ana@example.org; git checkout -q -b main; git add -A; "
        "git commit -qm begin");
  }

  std::string shell(const std::string& line) const {
    const Ended ended = world_.shell(line);
    EXPECT_EQ(ended.exit, 0) << line << "\n" << ended.err;
    return ended.out;
  }
  int tasks_started() const {
    const std::string ran = world_.has("ran") ? world_.read("ran") : "";
    return static_cast<int>(std::ranges::count(ran, '\n'));
  }
  std::string records() const { return world_.read(kRecords); }

  // A record of lane SL-AUTH in run "night" as another program writes it; `more` begins with a comma.
  static std::string record(const std::string& stage, const std::string& status, const std::string& hour,
                            const std::string& more = "") {
    return R"({"run_id": "night", "phase": "P1", "lane": "SL-AUTH", "stage": ")" + stage + R"(", "status": ")" +
           status + R"(", "timestamp": "2026-01-02T)" + hour + R"(:00:00Z", "base_branch": "main")" + more + "}";
  }
  // Leaves the lane with a worktree at `place` and one commit, and these records.
  void leave_lane(const std::string& records, const std::string& place = ".worktrees/P1/SL-AUTH") const {
    shell("git worktree add -q --no-track -b lane/P1/SL-AUTH " + place + " && cd " + place +
          " && echo theirs >auth.txt && git add -A && git commit -qm theirs");
    world_.write(kRecords, "[\n" + records + "\n]\n");
  }
  std::string place_field(const std::string& place = ".worktrees/P1/SL-AUTH") const {
    return R"(, "worktree_path": ")" + (world_.root() / place).lexically_normal().string() + "\"";
  }
  // What git has in the last record of this stage.
  std::string record_of(const std::string& stage) const {
    const std::string all = records();
    const std::size_t at = all.find("\"stage\": \"" + stage + "\"");
    EXPECT_NE(at, std::string::npos) << stage << " in\n" << all;
    return at == std::string::npos ? "" : all.substr(all.rfind('{', at), all.find('}', at) - all.rfind('{', at));
  }

  void expect_person_first(const std::string& record) const {
    world_.write(kRecords, record);
    const Ended plan = world_.reprise({"plan", kRetryId, "--json"});
    EXPECT_TRUE(contains(plan.out, R"("readiness":"wait")")) << plan.out;
    const Ended ended = world_.reprise({"resume", kRetryId, "--mode", "autopilot"});
    EXPECT_EQ(ended.exit, 3) << ended.err;
    EXPECT_FALSE(contains(ended.err, "was interrupted; retry it")) << ended.err;
    EXPECT_EQ(tasks_started(), 0);
  }

  World world_;
};

// ---- retries

TEST_F(Lanes, S15_TheRetryExampleReachesTheWorker) {
  world_.write(kRecords, kRetryExample);
  world_.reprise({"run", "lanes", "plans/P1.md", "--input", "lane=SL-AUTH", "--run-id", "P1-SL-AUTH-20251227",
                  "--resume", "--quiet"});
  ASSERT_EQ(tasks_started(), 1);
  EXPECT_TRUE(contains(world_.read("told-1"),
                       R"("failure_context":["Attempt 1: TypeError: undefined is not a function",)"
                       R"("Test failed: AuthService.register"])"))
      << world_.read("told-1");
}

TEST_F(Lanes, A19_AFoundRetryInAListReachesTheWorkerByResume) {
  world_.write(kRecords, "[" + std::string(kRetryExample) + "]");
  EXPECT_EQ(world_.reprise({"resume", kRetryId, "--yes", "--quiet"}).exit, 0);
  EXPECT_TRUE(contains(world_.read("told-1"), "Test failed: AuthService.register"));
}

TEST_F(Lanes, S16_AttemptsOfTheRecordCountAndGoOn) {
  world_.write(kRecords, kRetryExample);
  world_.write("checks", "echo still broken; exit 1\n");
  EXPECT_EQ(world_.reprise({"resume", kRetryId, "--yes", "--quiet"}).exit, 1);
  EXPECT_EQ(tasks_started(), 2) << "attempts 2 and 3 of 3";
  const std::string record = record_of("retry_attempt");
  EXPECT_TRUE(contains(record, R"("status": "failed")")) << record;
  EXPECT_TRUE(contains(record, R"("retry_attempt": 3)")) << record;
  for (const char* line : {"Attempt 1: TypeError", "Test failed: AuthService", "Attempt 2: ", "Attempt 3: "})
    EXPECT_TRUE(contains(record, line)) << line << " in\n" << record;
  EXPECT_FALSE(contains(record, "Attempt 4")) << record;
}

TEST_F(Lanes, S16_ThePlansRetriesDoNotBeginAgain) {
  world_.write("plans/P1.md", plan_of("SL-AUTH", "3"));
  world_.write(kRecords, kRetryExample);
  world_.write("checks", "exit 1\n");
  EXPECT_EQ(world_.reprise({"resume", kRetryId, "--yes", "--quiet"}).exit, 1);
  EXPECT_EQ(tasks_started(), 2);
}

TEST_F(Lanes, S16_AttemptsThatFailedForGoodWaitForAPersonInAutopilot) {
  expect_person_first(replaced(replaced(kRetryExample, "\"retrying\"", "\"failed\""), "\"retry_attempt\": 2",
                               "\"retry_attempt\": 3"));
}

TEST_F(Lanes, S16_AnAttemptBeyondTheLastWaitsForAPersonInAutopilot) {
  expect_person_first(replaced(kRetryExample, "\"retry_attempt\": 2", "\"retry_attempt\": 4"));
}

TEST_F(Lanes, S16_APersonMayTryOnceMore) {
  world_.write(kRecords, replaced(kRetryExample, "\"retry_attempt\": 2", "\"retry_attempt\": 4"));
  world_.write("checks", "exit 1\n");
  EXPECT_EQ(world_.reprise({"approve", kRetryId}).exit, 0);
  EXPECT_EQ(world_.reprise({"resume", kRetryId, "--quiet"}).exit, 1);
  EXPECT_EQ(tasks_started(), 1);
  EXPECT_TRUE(contains(record_of("retry_attempt"), R"("status": "failed")"));
}

TEST_F(Lanes, A20_FailureContextHoldsBothOutputs) {
  world_.write("plans/P1.md", plan_of("SL-AUTH", "1"));
  world_.write("checks", "echo 'FAILED test_register'; echo 'warning: deprecated' >&2; exit 1\n");
  EXPECT_EQ(world_.reprise({"run", "lanes", "plans/P1.md", "--run-id", "own", "--quiet"}).exit, 1);
  const std::string told = world_.read("told-2");
  EXPECT_TRUE(contains(told, "FAILED test_register")) << told;
  EXPECT_TRUE(contains(told, "warning: deprecated")) << told;
}

TEST_F(Lanes, A31_RetryThatSucceededIsComplete) {
  world_.write("plans/P1.md", plan_of("SL-AUTH", "2"));
  world_.write("checks", "test $(wc -l <" + (world_.root() / "ran").string() + ") -gt 1\n");
  EXPECT_EQ(world_.reprise({"run", "lanes", "plans/P1.md", "--run-id", "own", "--quiet"}).exit, 0);
  EXPECT_TRUE(contains(record_of("retry_attempt"), R"("status": "complete")")) << records();
}

// ---- failures

TEST_F(Lanes, A21_AFailedTaskLeavesAFailedCheckpoint) {
  world_.write("agent-more", "echo 'no such thing' >&2; exit 4\n");
  EXPECT_EQ(world_.reprise({"run", "lanes", "plans/P1.md", "--run-id", "own", "--quiet"}).exit, 1);
  const std::string record = record_of("after_lane_start");
  EXPECT_TRUE(contains(record, R"("status": "failed")")) << record;
  EXPECT_TRUE(contains(record, "no such thing")) << record;
  EXPECT_TRUE(contains(record, "last command: sh ")) << record;
  world_.write("agent-more", "true\n");
  EXPECT_EQ(world_.reprise({"resume", "lanes/own", "--quiet"}).exit, 0);
  EXPECT_TRUE(contains(record_of("after_lane_start"), R"("status": "complete")")) << records();
}

TEST_F(Lanes, A21_ATaskWithoutNetworkLeavesAFailedCheckpoint) {
  world_.write("agent-more", "exit 75\n");
  const std::unique_ptr<Background> run = world_.start({"run", "lanes", "plans/P1.md", "--run-id", "own"});
  EXPECT_TRUE(
      World::wait_until([&] { return world_.has(kRecords) && contains(records(), R"("status": "failed")"); }));
  EXPECT_TRUE(contains(record_of("after_lane_start"), "exit 75")) << records();
  run->signal(15);
  run->end();
  EXPECT_TRUE(contains(world_.read("background.txt"), "reprise rollback lanes/own"))
      << world_.read("background.txt");
}

TEST_F(Lanes, A21_AFailedCheckpointKeepsTheWayBack) {
  world_.write("agent-more", "git add -A; git commit -qm half; exit 4\n");
  EXPECT_EQ(world_.reprise({"run", "lanes", "plans/P1.md", "--run-id", "own", "--quiet"}).exit, 1);
  const std::string back = "reprise rollback lanes/own --lane SL-AUTH --to after_lane_start --yes";
  EXPECT_EQ(world_.shell(back).exit, 0);
  EXPECT_EQ(shell("git -C .worktrees/P1/SL-AUTH log -1 --format=%s"), "begin\n");
}

// ---- rollback

TEST_F(Lanes, A22_AfterARollbackTheLatestCheckpointIsRolledBack) {
  world_.write("checks", "exit 1\n");
  EXPECT_EQ(world_.reprise({"run", "lanes", "plans/P1.md", "--run-id", "own", "--quiet"}).exit, 1);
  const std::string before = record_of("before_lane_start");
  EXPECT_EQ(world_.reprise({"rollback", "lanes/own", "--to", "before_lane_start", "--yes"}).exit, 0);
  const std::string after = record_of("before_lane_start");
  EXPECT_TRUE(contains(after, R"("status": "rolled_back")")) << after;
  const auto time_in = [](const std::string& text) { return text.substr(text.find("\"timestamp\""), 45); };
  EXPECT_GT(time_in(after), time_in(before)) << "the latest is what it went back to";
  for (const char* later : {"after_lane_start", "after_lane_tests"}) {
    EXPECT_TRUE(contains(record_of(later), R"("status": "rolled_back")")) << record_of(later);
    EXPECT_LT(time_in(record_of(later)), time_in(after));
  }
}

TEST_F(Lanes, S20_AFoundLaneIsRolledBack) {
  leave_lane(record("before_lane_start", "ready", "10", place_field()) + ",\n" +
             record("after_lane_start", "complete", "11", place_field()));
  const std::string before = records();
  EXPECT_EQ(world_.reprise({"rollback", "lanes/night/P1/SL-AUTH"}).exit, 3);
  EXPECT_EQ(records(), before) << "asking changes nothing";
  const Ended ended = world_.reprise({"rollback", "lanes/night/P1/SL-AUTH", "--yes"});
  EXPECT_EQ(ended.exit, 0) << ended.err;
  EXPECT_EQ(shell("git -C .worktrees/P1/SL-AUTH log -1 --format=%s"), "begin\n");
  EXPECT_TRUE(contains(record_of("before_lane_start"), R"("status": "rolled_back")")) << records();
  for (const char* part : {"lane SL-AUTH is at ", kRecords, "reprise resume ", "reprise undo"})
    EXPECT_TRUE(contains(ended.err, part)) << part << " in\n" << ended.err;
}

// ---- plans, prompts and records

TEST_F(Lanes, S21_ThePlanThatNobodyNamesIsFound) {
  world_.write(kRecords, kRetryExample);
  const std::string plan = world_.reprise({"plan", kRetryId}).out;
  EXPECT_FALSE(contains(plan, "blocked")) << plan;
  EXPECT_TRUE(contains(plan, "plans/P1.md")) << plan;
}

TEST_F(Lanes, S21_OfSeveralPlansACommandNamesOne) {
  world_.write("plans/P1b.md", plan_of("SL-AUTH", ""));
  world_.write(kRecords, kRetryExample);
  const std::string plan = world_.reprise({"plan", kRetryId}).out;
  EXPECT_FALSE(contains(plan, "PLAN")) << plan;
  const std::size_t at = plan.find("reprise run lanes plans/P1.md");
  ASSERT_NE(at, std::string::npos) << plan;
  EXPECT_EQ(world_.shell(plan.substr(at, plan.find('\n', at) - at)).exit, 0);
  EXPECT_EQ(tasks_started(), 1);
}

TEST_F(Lanes, S22_TheResumePromptHasTheFourItems) {
  leave_lane(record("before_lane_start", "ready", "10", place_field()) + ",\n" +
             record("after_lane_start", "in_progress", "11", place_field()));
  const Ended ended = world_.reprise({"resume", "lanes/night", "--yes"});
  for (const char* part : {"lane SL-AUTH is at after_lane_start (in_progress)", kRecords,
                           "reprise resume lanes/night/P1/SL-AUTH", "--lane SL-AUTH --to before_lane_start"})
    EXPECT_TRUE(contains(ended.err, part)) << part << " in\n" << ended.err;
  EXPECT_FALSE(contains(ended.err, "adopted (")) << ended.err;
}

TEST_F(Lanes, A23_TheWayBackNamesTheLaneThatFailed) {
  world_.write("plans/P1.md",
               replaced(plan_of("SL-AUTH", ""), "## D.", "- SL-DOC -- Docs\n\n## D.") +
                   "\n### SL-DOC -- Docs\n\n| Task ID | Task Type | Test Command(s) |\n|---|---|---|\n"
                   "| D1 | docs | `true` |\n");
  world_.write("checks", "exit 1\n");
  EXPECT_EQ(world_.reprise({"run", "lanes", "plans/P1.md", "--run-id", "own", "--quiet"}).exit, 1);
  const std::string said = world_.reprise({"resume", "lanes/own"}).err;
  EXPECT_TRUE(contains(said, "--lane SL-AUTH --to before_lane_start")) << said;
  EXPECT_FALSE(contains(said, "--lane SL-DOC --to before_lane_start")) << said;
}

TEST_F(Lanes, S27_ARecordThatNamesNoWorktreeHasNoneThatIsMissing) {
  world_.write(kRecords, kRetryExample);
  const std::string plan = world_.reprise({"plan", kRetryId}).out;
  EXPECT_FALSE(contains(plan, "worktree is missing")) << plan;
  EXPECT_FALSE(contains(plan, "worktree_gone")) << plan;
}

TEST_F(Lanes, A25_RecordsThatCannotBeUsedAreListedWithTheirLine) {
  world_.write(kRecords, "[\n  " + record("after_lane_start", "complete", "10") +
                             ",\n  {\"run_id\": \"r\", \"lane\": \"SL-2\", \"stage\": \"pre_pr\"},\n  7\n]\n");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"scan"}, {"checkpoint", "list"}}) {
    const Ended ended = world_.reprise(words);
    const std::string said = ended.out + ended.err;
    EXPECT_TRUE(
        contains(said, std::string(kRecords) + " line 3: not a checkpoint: it has no phase, status, timestamp"))
        << said;
    EXPECT_TRUE(contains(said, std::string(kRecords) + " line 4: not a checkpoint")) << said;
  }
}

TEST_F(Lanes, A31_RecordsInAnObjectAreThatObjectsList) {
  world_.write(kRecords,
               "{\"version\": 1, \"checkpoints\": [\n  " + record("pre_pr", "complete", "10") + "\n]}\n");
  EXPECT_TRUE(contains(world_.reprise({"checkpoint", "list"}).out, "night  P1  SL-AUTH  pre_pr  complete"));
  EXPECT_EQ(world_
                .reprise({"checkpoint", "put", "--run-id", "r", "--phase", "P1", "--lane", "SL-AUTH", "--stage",
                          "pre_pr", "--status", "ready"})
                .exit,
            0);
  EXPECT_TRUE(records().starts_with("{\"version\": 1, \"checkpoints\": [")) << records();
  EXPECT_FALSE(contains(records().substr(1), "\"checkpoints\": [{\"checkpoints\"")) << records();
  EXPECT_TRUE(contains(world_.reprise({"checkpoint", "list"}).out, "r  P1  SL-AUTH  pre_pr  ready"));
}

TEST_F(Lanes, A24_PutKeepsWhatItIsNotTold) {
  const std::vector<std::string> put = {"checkpoint", "put",     "--run-id", "r",      "--phase",  "P1",
                                        "--lane",     "SL-AUTH", "--stage",  "pre_pr", "--status", "ready"};
  std::vector<std::string> first = put;
  first.insert(first.end(), {"--base", "main", "--worktree", "/w/SL-AUTH"});
  EXPECT_EQ(world_.reprise(first).exit, 0);
  EXPECT_EQ(world_.reprise(put).exit, 0);
  EXPECT_TRUE(contains(records(), R"("base_branch": "main")")) << records();
  EXPECT_TRUE(contains(records(), R"("worktree_path": "/w/SL-AUTH")")) << records();
}

TEST_F(Lanes, A24_HintsOfAPutWithoutAPlanWork) {
  leave_lane(record("before_lane_start", "ready", "10", place_field()));
  EXPECT_EQ(world_
                .reprise({"checkpoint", "put", "--run-id", "night", "--phase", "P1", "--lane", "SL-AUTH",
                          "--stage", "after_lane_start", "--status", "complete"})
                .exit,
            0);
  const std::string record = record_of("after_lane_start");
  EXPECT_FALSE(contains(record, "PLAN")) << record;
  const std::size_t at = record.find("reprise run lanes");
  EXPECT_EQ(world_.shell(record.substr(at, record.find('"', at) - at)).exit, 0) << record;
  EXPECT_EQ(tasks_started(), 1);
}

// ---- where lanes are, and publishing

TEST_F(Lanes, A26_ALaneBesideTheRepositoryKeepsItsPath) {
  const std::string beside = "../" + world_.root().filename().string() + "-auth";
  leave_lane(record("after_lane_start", "complete", "11", place_field(beside)), beside);
  const std::string before = records();
  const Ended ended = world_.reprise({"resume", "lanes/night", "--yes"});
  EXPECT_EQ(ended.exit, 4) << ended.err;
  EXPECT_EQ(records(), before);
  const std::size_t at = ended.err.find("mkdir -p ");
  ASSERT_NE(at, std::string::npos) << ended.err;
  shell(ended.err.substr(at, ended.err.find('\n', at) - at));
  EXPECT_EQ(world_.reprise({"resume", "lanes/night", "--yes", "--quiet"}).exit, 0);
  EXPECT_EQ(shell("cat .worktrees/P1/SL-AUTH/auth.txt"), "theirs\nmore\n");
}

TEST_F(Lanes, A17_ALaneAtPrePrIsNotCalledDoneUnpublished) {
  for (const char* status : {"failed", "ready"}) {
    if (!world_.has(".worktrees/P1/SL-AUTH")) {
      leave_lane(record("pre_pr", status, "11", place_field()));
    } else {
      world_.write(kRecords, "[" + record("pre_pr", status, "11", place_field()) + "]");
    }
    const Ended ended = world_.reprise({"resume", "lanes/night", "--yes"});
    EXPECT_EQ(ended.exit, 4) << ended.err;
    EXPECT_TRUE(contains(ended.err, "--input publish=merge --run-id night --resume")) << ended.err;
  }
  EXPECT_EQ(world_
                .shell("reprise run lanes plans/P1.md --input lane=SL-AUTH --input publish=merge --run-id night "
                       "--resume --quiet")
                .exit,
            0);
  EXPECT_EQ(tasks_started(), 0);
  EXPECT_EQ(shell("git log -1 --format=%s main"), "theirs\n");
  EXPECT_TRUE(contains(record_of("pre_pr"), R"("status": "complete")")) << records();
}

TEST_F(Lanes, A17_InputsBesideResumeAreNotIgnored) {
  leave_lane(record("after_lane_tests", "complete", "11", place_field()));
  const std::string resume = "reprise run lanes plans/P1.md --input lane=SL-AUTH --run-id night --resume";
  EXPECT_EQ(world_.shell(resume).exit, 0);
  const Ended ended = world_.shell(resume + " --input publish=merge");
  EXPECT_EQ(ended.exit, 2) << ended.err;
  EXPECT_TRUE(contains(ended.err, "publish")) << ended.err;
}

TEST_F(Lanes, A18_TasksBeforeFailedTestsAreKept) {
  leave_lane(record("after_lane_start", "complete", "10", place_field()) + ",\n" +
             record("after_lane_tests", "failed", "11",
                    place_field() + R"(, "notes": "test_cmd: sh check.sh; exit_code: 1")"));
  EXPECT_EQ(world_.reprise({"resume", "lanes/night", "--yes", "--quiet"}).exit, 0);
  EXPECT_EQ(tasks_started(), 0);
  EXPECT_TRUE(contains(record_of("after_lane_tests"), R"("status": "complete")")) << records();
}

TEST_F(Lanes, A31_ADirtyBaseIsFoundBeforeAnyLaneWorks) {
  world_.write("check.sh", "true\n");
  const Ended ended =
      world_.reprise({"run", "lanes", "plans/P1.md", "--run-id", "own", "--input", "publish=merge"});
  EXPECT_EQ(ended.exit, 2) << ended.err;
  EXPECT_TRUE(contains(ended.err, "check.sh")) << ended.err;
  EXPECT_EQ(tasks_started(), 0);
  shell("git commit -qam checked");
  EXPECT_EQ(
      world_.reprise({"run", "lanes", "plans/P1.md", "--run-id", "own", "--input", "publish=merge", "--quiet"})
          .exit,
      0);
}

TEST_F(Lanes, A31_TheLogTellsAConflictFromARefusal) {
  EXPECT_EQ(world_.shell("reprise run lanes plans/P1.md --run-id own --input publish=pr --quiet").exit, 1);
  const std::string log = world_.read(".claude/run-logs/own.jsonl");
  EXPECT_FALSE(contains(log, "merge_conflict")) << log;
  EXPECT_TRUE(contains(log, R"("event":"lane_blocked")")) << log;
}

}  // namespace
}  // namespace reprise::cli_test
