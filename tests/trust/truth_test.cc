// Never record what did not happen: over the systems with a state of their own, each start that is on record was
// one, nobody is said to have decided who did not, and reading leaves no trace.

#include <gtest/gtest.h>

#include <algorithm>

#include "world.h"

namespace reprise::cli_test {
namespace {

struct System {
  const char* name;
  const char* run;
  std::vector<std::string> start;
  const char* prepare;  // a line of shell
};

std::ptrdiff_t count(const std::string& text, const std::string& part) {
  std::ptrdiff_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

constexpr const char* kEpicPlan =
    "mkdir -p docs/stories; printf 'execution:\\n  epicId: 7\\n  storyBasePath: docs/stories\\n  stories:\\n"
    "    \"7.1\": {file: 7.1.story.md, title: one, executor: \"@dev\", quality_gate: \"@architect\"}\\n  waves:\\n"
    "    - {wave: 1, parallel: true, stories: [\"7.1\"], gate: {agent: \"@architect\"}}\\n"
    "  final_gate: {agent: \"@po\"}\\n' >docs/stories/EPIC-7-EXECUTION.yaml; printf '# Story 7.1: a part\\n\\n"
    "**Status:** Ready\\n\\n## Acceptance Criteria\\n\\n1. It works.\\n' >docs/stories/7.1.story.md";

const System kSystems[] = {
    {"playbook", "playbook/001-login", {"run", "playbook", "001-login", "--input", "description=x"}, "true"},
    {"spec_loop", "spec-loop/005-auth", {"run", "spec-loop", "005-auth", "--input", "description=x"}, "true"},
    {"orchestrator", "epic/7", {"run", "epic", "7"}, kEpicPlan},
    {"task_pipeline", "task-pipeline/big", {"run", "task-pipeline", "big", "--input", "description=x"}, "true"},
};

class Truth : public testing::TestWithParam<System> {};

TEST_P(Truth, S4_NothingIsRecordedThatDidNotHappen) {
  const World world;
  const System& system = GetParam();
  world.write(".reprise/config.yaml",
              "workers: {default: {run: [sh, " + (world.root() / "agent.sh").string() + "]}}\n");
  world.write("agent.sh", "echo $REPRISE_STEP >>" + (world.root() / "ran").string() + "\n");
  ASSERT_EQ(world.shell(system.prepare).exit, 0);
  world.reprise(system.start);
  const std::string ran = world.has("ran") ? world.read("ran") : "";
  ASSERT_GT(std::ranges::count(ran, '\n'), 0) << "no agent was started: " << world.reprise(system.start).err;
  const std::string id =
      world.shell("reprise status --json | grep -o '\"id\":\"[^\"]*\"' | head -1 | cut -d'\"' -f4").out;
  const std::string run = id.substr(0, id.find('\n'));
  const std::string before = world.reprise({"events", run, "--json"}).out;
  EXPECT_EQ(count(before, "attempt_started"), std::ranges::count(ran, '\n')) << before;
  EXPECT_EQ(count(before, "gate_decided"), 0) << "nobody decided";
  EXPECT_EQ(count(before, "step_skipped"), 0) << "nobody skipped anything";
  std::string said;
  for (const std::string command : {"plan", "status", "events"}) said += world.reprise({command, run}).out;
  said += world.reprise({"plan", run, "--report", "full"}).out;
  for (const char* lie : {"a person decided", "[x] Agents re-spawned", "commit_status"})
    EXPECT_EQ(count(said, lie), 0) << lie << "\n" << said;
  EXPECT_EQ(world.reprise({"events", run, "--json"}).out, before) << "looking is no event";
}

INSTANTIATE_TEST_SUITE_P(All, Truth, testing::ValuesIn(kSystems),
                         [](const testing::TestParamInfo<System>& each) { return each.param.name; });

TEST(Fork, S4_ForkRecordsNoAttemptAndNoDecisionAsItsOwn) {
  const World world;
  world.write(".reprise/workflows/f.yaml",
              "name: f\nstages:\n  a: {run: 'cat in.txt', inputs: [in.txt]}\n  ok: {needs: a, gate: Fine?}\n"
              "  b: {needs: ok, run: 'test -e ready'}\n");
  world.write("in.txt", "one\n");
  world.reprise({"run", "f", "x"});
  ASSERT_EQ(world.reprise({"approve", "f/x"}).exit, 0);
  world.reprise({"resume", "f/x"});
  ASSERT_EQ(world.reprise({"fork", "f/x", "--from", "b"}).exit, 0);
  const std::string events = world.reprise({"events", "f/x@2", "--json"}).out;
  EXPECT_EQ(count(events, "attempt_started"), 0) << events;
  EXPECT_EQ(count(events, "attempt_finished"), 0) << events;
  EXPECT_EQ(count(events, "claim_imported"), 1) << events;
  EXPECT_EQ(count(events, "decided in f/x"), 1) << events;
  world.write("in.txt", "two\n");
  EXPECT_EQ(count(world.reprise({"plan", "f/x@2"}).out, "rerun    a"), 1)
      << "a fork knows the inputs of what it keeps";
}

TEST(Report, DW27_AReportTicksNothingThatWasNotDone) {
  const World world;
  world.write(".reprise/config.yaml", "workers: {default: {run: 'true'}}\n");
  const std::string list =
      "mkdir -p ~/.claude/tasks/l && cd ~/.claude/tasks/l && printf '{\"id\":\"1\",\"subject\":\"[PERMANENT] "
      "X\",\"description\":"
      "\"\",\"status\":\"pending\",\"blocks\":[],\"blockedBy\":[],\"metadata\":{\"tier\":\"STANDARD\",\"current_"
      "phase\":\"P7\","
      "\"commit_status\":\"pending\",\"repository\":\"" +
      world.root().string() +
      "\"}}' >1.json && printf '{\"id\":\"2\",\"subject\":"
      "\"Of "
      "P7\",\"description\":\"\",\"status\":\"completed\",\"blocks\":[],\"blockedBy\":[],\"metadata\":{\"phase\":"
      "\"P7\"}}' >2.json";
  ASSERT_EQ(world.shell(list).exit, 0);
  const std::string report = world.reprise({"plan", "task-pipeline/l", "--report", "full"}).out;
  EXPECT_EQ(count(report, "[x] Agents re-spawned"), 0) << report;
  EXPECT_EQ(count(report, "[ ] Agents re-spawned"), 1) << report;
  world.reprise({"resume", "task-pipeline/l", "--yes"});
  const std::string task = world.shell("cat ~/.claude/tasks/l/1.json").out;
  EXPECT_EQ(count(task, "committed"), 0) << task;
}

}  // namespace
}  // namespace reprise::cli_test
