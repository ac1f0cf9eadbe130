// The state of a workflow in its five dialects: read, changed, made anew.

#include "formats/flow_state.h"

#include "formats/flow_state_edit.h"
#include "formats/orchestrator_test_files.h"

namespace reprise {
namespace {

FlowClaims read_flow(const std::string& bytes) {
  Result<FlowClaims> found = read_flow_state(bytes, "state.yaml");
  EXPECT_TRUE(found.has_value()) << bytes << (found ? "" : found.error().message);
  return found ? std::move(*found) : FlowClaims{};
}

// The steps as text, those that are completed with a plus sign.
Strings steps_of(const FlowClaims& claims) {
  Strings out;
  for (const ClaimedFlowStep& step : claims.steps) {
    out.push_back((step.completed ? "+" : "") + step.name + " " + step.status_word);
  }
  return out;
}

std::string change_flow(const std::string& bytes, const FlowChange& what) {
  const Result<std::string> after = change_flow_state(bytes, what);
  EXPECT_TRUE(after.has_value()) << (after ? "" : after.error().message);
  if (!after) return "";
  EXPECT_EQ(change_flow_state(*after, what).value(), *after) << "the same twice is once";
  return changed_lines(bytes, *after);
}

TEST(FlowState, OR06_ARecordSaysWhichPhasesAreDone) {
  const FlowClaims flow = read_flow(kRecordFlow);
  EXPECT_EQ(flow.dialect, "record");
  EXPECT_EQ(flow.id, "sdc-2026-03-01-001");
  EXPECT_EQ(flow.workflow, "sdc");
  EXPECT_EQ(flow.story, "2.10");
  EXPECT_EQ(flow.status, FlowStatus::Active);
  EXPECT_EQ(flow.current_phase, "3");
  EXPECT_EQ(flow.current_agent, "dev");
  EXPECT_EQ(flow.started_at->time, at("2026-03-01T08:00:00Z"));
  EXPECT_FALSE(flow.updated_at.has_value());
  EXPECT_EQ(steps_of(flow), (Strings{"+create completed", "+validate completed", "implement in_progress", "qa "}));
  EXPECT_TRUE(flow.oddities.empty());
}

TEST(FlowState, ACheckpointIsPausedSinceItSaysWhen) {
  const FlowClaims flow = read_flow(kCheckpointFlow);
  EXPECT_EQ(flow.dialect, "checkpoint");
  EXPECT_EQ(flow.status, FlowStatus::Paused);
  EXPECT_EQ(flow.status_word, "");
  EXPECT_EQ(flow.updated_at->time, at("2026-03-01T10:00:00Z"));
  EXPECT_EQ(flow.epic, "EPIC-QUAY");
  EXPECT_EQ(steps_of(flow), (Strings{"+2.1 completed", "+2.2 completed", "2.10 "}));
}

TEST(FlowState, AnInstanceHasStepsAndArtifacts) {
  const FlowClaims flow = read_flow(kInstanceFlow);
  EXPECT_EQ(flow.dialect, "instance");
  EXPECT_EQ(flow.id, "brownfield-7");
  EXPECT_EQ(flow.workflow, "brownfield");
  EXPECT_EQ(flow.status, FlowStatus::Paused);
  EXPECT_EQ(flow.current_phase, "1");
  EXPECT_EQ(steps_of(flow), (Strings{"+survey completed", "draft in_progress"}));
  EXPECT_EQ(flow.steps[0].agent, "analyst");
  EXPECT_EQ(flow.steps[0].output, "docs/survey.md");
  EXPECT_EQ(flow.steps[1].line, 10);
  EXPECT_EQ(flow.artifacts, (Strings{"docs/survey.md", "docs/draft.md"}));
  EXPECT_TRUE(flow.oddities.empty()) << testing::PrintToString(reasons(flow.oddities));
}

TEST(FlowState, ACycleHasResultsByPhase) {
  const FlowClaims flow = read_flow(kCycleFlow);
  EXPECT_EQ(flow.dialect, "cycle");
  EXPECT_EQ(flow.status, FlowStatus::Missing);
  EXPECT_EQ(flow.current_phase, "2_development");
  EXPECT_EQ(flow.current_agent, "dev");
  EXPECT_EQ(flow.updated_at->time, at("2026-03-01T09:00:00Z"));
  EXPECT_EQ(steps_of(flow), (Strings{"+1_validation completed", "2_development in_progress", "3_self_healing ",
                                     "4_quality_gate ", "5_push ", "6_checkpoint "}));
  EXPECT_EQ(flow.steps[1].output, "/tmp/one");
}

TEST(FlowState, AMasterHasEpicsByNumber) {
  const FlowClaims flow = read_flow(kMasterFlow);
  EXPECT_EQ(flow.dialect, "master");
  EXPECT_EQ(flow.story, "QUAY-3");
  EXPECT_EQ(flow.status, FlowStatus::Active);
  EXPECT_EQ(flow.current_phase, "4");
  EXPECT_EQ(steps_of(flow), (Strings{"+3 completed", "4 in_progress"}));
}

TEST(FlowState, OR14_BrokenYamlIsReadLineByLineAndTornJsonIsCorrupt) {
  const FlowClaims flow = read_flow(kRecordFlow + "note: a: b: c\n");
  EXPECT_TRUE(flow.damaged);
  EXPECT_EQ(flow.current_phase, "3");
  EXPECT_EQ(steps_of(flow), (Strings{"+create completed", "+validate completed", "implement in_progress", "qa "}));
  EXPECT_EQ(flow.oddities[0].line, 11);
  std::size_t torn = 0;
  for (std::size_t size = 0; size + 2 < kMasterFlow.size(); ++size) {
    const Result<FlowClaims> found = read_flow_state(kMasterFlow.substr(0, size), "m.json");
    ASSERT_FALSE(found.has_value()) << size;
    EXPECT_EQ(found.error().kind, ErrorKind::Corrupt) << size;
    ++torn;
  }
  EXPECT_EQ(torn, kMasterFlow.size() - 2);
}

TEST(FlowState, ForeignFilesAreInvalid) {
  int files = 0;
  for (const std::string& bytes :
       {std::string("status:\n  branch: main\n  currentStory: null\ntimestamp: 1781745208001\nttl: 60\n"),
        std::string("{}"), std::string("name: x\n"), kEpicFile, kPlanFile, kReferenceLoop}) {
    const Result<FlowClaims> found = read_flow_state(bytes, "x.yaml");
    ASSERT_FALSE(found.has_value()) << bytes;
    EXPECT_EQ(found.error().kind, ErrorKind::Invalid) << bytes;
    EXPECT_EQ(found.error().message, "is not a workflow's state");
    ++files;
  }
  EXPECT_EQ(files, 6);
}

TEST(FlowStateEdit, OR12_F2_EachChangeTouchesItsOwnLineInEachDialect) {
  EXPECT_EQ(change_flow(kRecordFlow, {.status = FlowStatus::Interrupted}),
            "-status: active\n+status: interrupted\n");
  EXPECT_EQ(change_flow(kRecordFlow, {.current_phase = "4", .current_agent = "@qa"}),
            "-current_phase: 3\n-current_agent: dev\n+current_phase: 4\n+current_agent: qa\n");
  EXPECT_EQ(change_flow(kRecordFlow, {.steps = {{"3", "completed"}, {"2", "completed"}, {"4", "in_progress"}}}),
            "-phases_completed: [1, 2]\n+phases_completed: [1, 2, 3]\n");
  EXPECT_EQ(change_flow(kRecordFlow, {.updated_at = at("2026-03-01T10:00:00Z")}),
            "+updated_at: \"2026-03-01T10:00:00Z\"\n");
  EXPECT_EQ(change_flow(kCheckpointFlow, {.status = FlowStatus::Active, .current_phase = "2"}),
            "-current_phase: checkpoint\n+current_phase: 2\n+status: active\n");
  EXPECT_EQ(change_flow(kInstanceFlow,
                        {.status = FlowStatus::Active, .steps = {{"draft", "completed", "docs/draft.md"}}}),
            "-status: paused\n+status: active\n-    status: in_progress\n+    status: completed\n"
            "+    output: \"docs/draft.md\"\n");
  EXPECT_EQ(change_flow(kInstanceFlow, {.current_phase = "2", .steps = {{"print", "pending"}}}),
            "-current_step_index: 1\n+current_step_index: 2\n+  - { name: print, status: pending }\n");
  EXPECT_EQ(
      change_flow(kCycleFlow, {.status = FlowStatus::Active,
                               .current_phase = "3_self_healing",
                               .current_agent = "qa",
                               .updated_at = at("2026-03-01T10:00:00Z"),
                               .steps = {{"2_development", "completed"}, {"3_self_healing", "in_progress"}}}),
      "-currentPhase: 2_development\n+currentPhase: 3_self_healing\n-executor: '@dev'\n+executor: '@qa'\n"
      "-lastUpdated: 2026-03-01T09:00:00.000Z\n+lastUpdated: 2026-03-01T10:00:00Z\n"
      "-    status: in_progress\n+    status: completed\n+  3_self_healing:\n+    status: in_progress\n");
  EXPECT_EQ(change_flow(kMasterFlow, {.status = FlowStatus::Completed,
                                      .current_phase = "6",
                                      .steps = {{"4", "completed"}, {"6", "in_progress"}}}),
            "-  \"currentEpic\": 4,\n-  \"status\": \"in_progress\",\n+  \"currentEpic\": 6,\n+  \"status\": "
            "\"completed\",\n"
            "-    \"4\": {\"name\": \"Execution\", \"status\": \"in_progress\"}\n"
            "+    \"4\": {\"name\": \"Execution\", \"status\": \"completed\"},\n"
            "+    \"6\": {\n+      \"status\": \"in_progress\"\n+    }\n");
}

TEST(FlowStateEdit, AStateBelowARootOfItsOwnIsChangedThere) {
  EXPECT_EQ(change_flow("workflow_state:\n  workflow: sdc\n  current_phase: 1\n  status: active\n",
                        {.current_phase = "2"}),
            "-  current_phase: 1\n+  current_phase: 2\n");
}

TEST(FlowStateEdit, ANewFileIsARecord) {
  const std::string bytes = new_flow_state({.execution_id = "sdc-2026-03-01-001",
                                            .workflow = "sdc",
                                            .story = "2.10",
                                            .current_phase = "1",
                                            .started_at = at("2026-03-01T08:00:00Z")});
  EXPECT_EQ(bytes, R"(execution_id: sdc-2026-03-01-001
workflow: sdc
current_story: "2.10"
status: active
started_at: "2026-03-01T08:00:00Z"
updated_at: "2026-03-01T08:00:00Z"
current_phase: 1
current_agent: null
phases_completed: []
context: {}
)");
  EXPECT_EQ(read_flow(bytes).dialect, "record");
  EXPECT_EQ(change_flow(bytes, {.current_agent = "po", .steps = {{"1", "completed"}, {"2", "completed"}}}),
            "-current_agent: null\n-phases_completed: []\n+current_agent: po\n+phases_completed: [1, 2]\n");
}

const auto kReadFlow = [](const std::string& bytes) { return read_flow_state(bytes, "f.yaml"); };
const auto kChangeFlow = [](const std::string& bytes) {
  return change_flow_state(bytes, {.status = FlowStatus::Aborted,
                                   .current_phase = "9",
                                   .updated_at = at("2026-03-02T00:00:00Z"),
                                   .steps = {{"draft: \"x\"", "completed", "a, b"}}});
};

TEST(FlowStateEdit, F1_EveryDialectCutAtEveryByteIsClaimsOrOneError) {
  int rounds = 0;
  std::size_t bytes = 0;
  for (const std::string& file : kFlowFiles) {
    const Survival count = survive_cuts(file, kReadFlow, kChangeFlow);
    rounds += count.rounds;
    bytes += file.size() + 1;
    EXPECT_GT(count.changed, 0) << file;
  }
  EXPECT_EQ(rounds, static_cast<int>(bytes));
}

TEST(FlowStateEdit, F2_TenThousandMutationsAreReadOrRefused) {
  const Survival count = survive_mutations(kFlowFiles, 10'000, kReadFlow, kChangeFlow);
  EXPECT_EQ(count.rounds, 10'000);
  EXPECT_EQ(count.read + count.refused, 10'000);
  EXPECT_GT(count.read, 3'000);
  EXPECT_GT(count.changed, 1'000);
}

TEST(FlowState, RealFilesAreACycleAndForeignOnes) {
  const std::vector<TestFile> files = orchestrator_corpus("workflow-state");
  if (files.empty()) GTEST_SKIP() << "there are no real files beside the sources";
  int cycles = 0, foreign = 0;
  for (const TestFile& file : files) {
    const Result<FlowClaims> found = read_flow_state(file.bytes, file.name);
    if (!found) {
      EXPECT_EQ(found.error().kind, ErrorKind::Invalid) << file.name;
      ++foreign;
      continue;
    }
    EXPECT_EQ(found->dialect, "cycle");
    EXPECT_EQ(found->steps.size(), 6u);
    EXPECT_TRUE(found->oddities.empty());
    EXPECT_EQ(change_flow(file.bytes, {.current_phase = "6_checkpoint"}),
              "-currentPhase: 3_self_healing\n+currentPhase: 6_checkpoint\n");
    ++cycles;
  }
  EXPECT_EQ(cycles, 1);
  EXPECT_EQ(foreign, 3);
}

}  // namespace
}  // namespace reprise
