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

TEST_F(LaneTruth, DW33_ALaneWithoutABranchSaysThatItsBranchIsNotKnown) {
  for (const std::string& text : {std::string(kRetryExample), "[\n" + std::string(kRetryExample) + "]\n"}) {
    world_.write(kRecords, text);
    const std::string shown = world_.reprise({"plan", "lanes/P1-SL-AUTH-20251227"}).out;
    EXPECT_TRUE(contains(shown, "its worktree is missing; its branch is not known [worktree_gone]")) << shown;
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
