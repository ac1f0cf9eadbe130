// What a spec pipeline leaves in its folder, and its state file; locks of the orchestrator.

#include "formats/spec_pipeline.h"

#include "formats/orchestrator_lock.h"
#include "formats/orchestrator_test_files.h"

namespace reprise {
namespace {

using Files = std::map<std::string, std::string>;

TEST(SpecPipeline, OR06_EachArtifactThatIsThereCounts) {
  const SpecPipelineClaims claims = read_spec_pipeline(
      "QUAY-3",
      {{"requirements.json", "{\"functional\": []}"},
       {"complexity.yml", "result: standard\ntotal: 12\n"},
       {"research.json", "{\"findings\": [1]}"},
       {"spec.md", "# Spec\n"},
       {"critique.json", "{\"verdict\": \"NEEDS_REVISION\"}"},
       {"notes.txt", "x"},
       {".pipeline-state.json", "{\"status\": \"critique_complete\", \"updatedAt\": \"2026-03-01T08:00:00Z\"}"}});
  EXPECT_EQ(claims.name, "QUAY-3");
  EXPECT_TRUE(claims.has_requirements && claims.has_complexity && claims.has_research && claims.has_spec &&
              claims.has_critique);
  EXPECT_EQ(claims.complexity, "STANDARD");
  EXPECT_EQ(claims.verdict, SpecVerdict::NeedsRevision);
  EXPECT_EQ(claims.state_word, "critique_complete");
  EXPECT_EQ(claims.updated_at->time, at("2026-03-01T08:00:00Z"));
  EXPECT_TRUE(claims.oddities.empty()) << testing::PrintToString(reasons(claims.oddities));
  const SpecPipelineClaims nothing = read_spec_pipeline("x", {});
  EXPECT_FALSE(nothing.has_requirements || nothing.has_spec || nothing.has_critique);
}

TEST(SpecPipeline, AScoreGivesTheComplexityWhereNoWordDoes) {
  const std::vector<std::pair<int, std::string>> rows = {{0, "SIMPLE"},    {8, "SIMPLE"},   {9, "STANDARD"},
                                                         {15, "STANDARD"}, {16, "COMPLEX"}, {25, "COMPLEX"}};
  for (const auto& [score, word] : rows) {
    const std::string bytes = "{\"assessment\": {\"total\": " + std::to_string(score) + "}}";
    EXPECT_EQ(read_spec_pipeline("x", {{"complexity.json", bytes}}).complexity, word) << score;
  }
  EXPECT_EQ(rows.size(), 6u);
}

TEST(SpecPipeline, AnArtifactThatIsTornOrEmptyIsNotThereAndIsListed) {
  const SpecPipelineClaims claims = read_spec_pipeline("x", {{"requirements.json", "{\"functional\": ["},
                                                             {"complexity.json", "{}"},
                                                             {"spec.md", " \n"},
                                                             {"critique.yml", "verdict: maybe\n"},
                                                             {".pipeline-state.json", "{\"status\": \"spec_wr"}});
  EXPECT_FALSE(claims.has_requirements || claims.has_complexity || claims.has_spec);
  EXPECT_TRUE(claims.has_critique);
  EXPECT_EQ(claims.verdict, SpecVerdict::Unknown);
  EXPECT_EQ(claims.state_word, "");
  EXPECT_EQ(claims.damaged.size(), 3u) << testing::PrintToString(reasons(claims.damaged));
  EXPECT_EQ(claims.oddities.size(), 2u) << testing::PrintToString(reasons(claims.oddities));
}

TEST(SpecPipeline, F2_TheStateFileIsMadeAndChangedInPlace) {
  const std::string bytes = new_spec_pipeline("QUAY-3", "requirements_gathered", at("2026-03-01T08:00:00Z"));
  EXPECT_EQ(read_spec_pipeline("x", {{".pipeline-state.json", bytes}}).state_word, "requirements_gathered");
  const SpecPipelineChange change{
      .state = "complexity_assessed", .complexity = "SIMPLE", .updated_at = at("2026-03-01T09:00:00Z")};
  const std::string after = change_spec_pipeline(bytes, change).value();
  EXPECT_EQ(changed_lines(bytes, after),
            "-  \"status\": \"requirements_gathered\",\n+  \"status\": \"complexity_assessed\",\n"
            "-  \"updatedAt\": \"2026-03-01T08:00:00Z\"\n+  \"updatedAt\": \"2026-03-01T09:00:00Z\",\n"
            "+  \"complexity\": \"SIMPLE\"\n");
  EXPECT_EQ(change_spec_pipeline(after, change).value(), after);
  EXPECT_EQ(change_spec_pipeline("{\"a\": 1}", change).error().kind, ErrorKind::Invalid);
  EXPECT_EQ(change_spec_pipeline("{\"status\": ", change).error().kind, ErrorKind::Corrupt);
}

TEST(SpecPipeline, TenThousandMutationsAndEveryCutNeverFail) {
  const std::string file = new_spec_pipeline("QUAY-3", "spec_written", at("2026-03-01T08:00:00Z"));
  const std::string critique = "verdict: APPROVED\nscores:\n  clarity: 4\n";
  std::mt19937 random(4);
  int rounds = 0;
  for (; rounds < 10'000; ++rounds) {
    const std::string state = mutated(file, orchestrator_pieces(), random);
    const SpecPipelineClaims claims = read_spec_pipeline(
        "x",
        {{".pipeline-state.json", state}, {"critique.yml", mutated(critique, orchestrator_pieces(), random)}});
    const Result<std::string> after = change_spec_pipeline(state, {.state = "spec_written"});
    if (after) {
      EXPECT_EQ(change_spec_pipeline(*after, {.state = "spec_written"}).value(), *after);
    }
  }
  EXPECT_EQ(rounds, 10'000);
  for (std::size_t size = 0; size + 2 < file.size(); ++size) {
    EXPECT_EQ(read_spec_pipeline("x", {{".pipeline-state.json", file.substr(0, size)}}).oddities.size(), 1u)
        << size;
  }
}

TEST(OrchestratorLock, OR15_ALockSaysWhoHoldsItAndUntilWhen) {
  const OrchestratorLock lock =
      read_orchestrator_lock(
          "{\"pid\": 4711, \"owner\": \"@dev\", \"created_at\": \"2026-03-01T08:00:00Z\", "
          "\"ttl_seconds\": 60, \"resource\": \"2.10\"}",
          "story-2.10")
          .value();
  EXPECT_EQ(lock.name, "story-2.10");
  EXPECT_EQ(lock.pid, 4711);
  EXPECT_EQ(lock.owner, "@dev");
  EXPECT_EQ(lock.resource, "2.10");
  EXPECT_EQ(lock.ttl_seconds, 60);
  EXPECT_FALSE(is_expired(lock, at("2026-03-01T08:01:00Z")));
  EXPECT_TRUE(is_expired(lock, at("2026-03-01T08:01:01Z")));
  const OrchestratorLock yaml = read_orchestrator_lock("pid: 7\ncreated_at: 2026-03-01T08:00:00Z\n", "x").value();
  EXPECT_EQ(yaml.pid, 7);
  EXPECT_EQ(yaml.ttl_seconds, kLockSecondsDefault);
  const OrchestratorLock numbers =
      read_orchestrator_lock("{\"pid\":15740,\"timestamp\":1781785902904}", "x").value();
  EXPECT_EQ(numbers.created_at->ms, 1781785902904);
}

TEST(OrchestratorLock, EmptyOnesAndBareNumbersAreLocksOthersAreNot) {
  EXPECT_EQ(read_orchestrator_lock("", "x").value().pid, 0);
  EXPECT_FALSE(is_expired(read_orchestrator_lock("", "x").value(), at("2030-01-01T00:00:00Z")));
  EXPECT_EQ(read_orchestrator_lock("4711\n", "x").value().pid, 4711);
  EXPECT_EQ(read_orchestrator_lock("{\"pid\": 47", "x").error().kind, ErrorKind::Corrupt);
  EXPECT_EQ(read_orchestrator_lock("{\"a\": 1}", "x").error().kind, ErrorKind::Invalid);
  EXPECT_EQ(read_orchestrator_lock("hello\n", "x").error().kind, ErrorKind::Invalid);
  EXPECT_EQ(read_orchestrator_lock("pid: -1\n", "x").error().kind, ErrorKind::Invalid);
}

}  // namespace
}  // namespace reprise
