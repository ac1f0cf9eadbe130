// Changing the epic's state file: what is meant changes, in the file's own form, and no other line.

#include "formats/epic_state_edit.h"

#include "formats/epic_state.h"
#include "formats/orchestrator_test_files.h"

namespace reprise {
namespace {

std::string change_epic(const std::string& bytes, const EpicChange& what) {
  const Result<std::string> after = change_epic_state(bytes, what);
  EXPECT_TRUE(after.has_value()) << (after ? "" : after.error().message);
  if (!after) return "";
  EXPECT_EQ(change_epic_state(*after, what).value(), *after) << "the same twice is once";
  return changed_lines(bytes, *after);
}

EpicClaims read_changed(const std::string& bytes) { return read_epic_state(bytes, "").value(); }

EpicChange a_whole_change() {
  EpicChange all;
  all.status = EpicStatus::Completed;
  all.updated_at = at("2026-03-02T00:00:00Z");
  all.current_wave = "2";
  all.waves = {{.number = "2", .status = WaveStatus::GateReview}, {.number = "3", .name = "Paint: \"grey\""}};
  all.stories = {{.wave = "2", .id = "2.10", .status = EpicStoryStatus::InProgress, .executor = "dev"},
                 {.wave = "3", .id = "3.10", .branch = "feat/3.10"}};
  all.verdicts = {{.gate = "2", .verdict = "rejected", .agent = "qa", .at = at("2026-03-02T00:00:00Z")},
                  {.gate = "final", .verdict = "approved", .agent = "po"}};
  return all;
}

TEST(EpicStateEdit, OR12_F2_EachChangeTouchesItsOwnLine) {
  EXPECT_EQ(change_epic(kEpicFile, {.status = EpicStatus::Aborted}),
            "-  status: active   # until the tide turns\n+  status: aborted   # until the tide turns\n");
  EXPECT_EQ(change_epic(kEpicFile, {.updated_at = at("2026-03-01T10:00:00.250Z")}),
            "-  updated_at: \"2026-03-01T09:30:00Z\"\n+  updated_at: \"2026-03-01T10:00:00.250Z\"\n");
  EXPECT_EQ(change_epic(kEpicFile, {.current_wave = "2"}), "-  current_wave: 1\n+  current_wave: 2\n");
  EXPECT_EQ(change_epic(kEpicFile, {.waves = {{.number = "2", .status = WaveStatus::GateReview}}}),
            "-      status: in_progress\n+      status: gate_review\n");
  EXPECT_EQ(change_epic(kEpicFile, {.stories = {{.id = "2.2",
                                                 .status = EpicStoryStatus::Completed,
                                                 .completed_at = at("2026-03-01T10:00:00Z"),
                                                 .executor = "dev"}}}),
            "-          status: in_progress\n+          status: completed\n"
            "-          completed_at: null\n-          executor: \"@ux\"\n"
            "+          completed_at: \"2026-03-01T10:00:00Z\"\n+          executor: \"@dev\"\n");
  EXPECT_EQ(
      change_epic(kEpicFile, {.stories = {{.id = "2.1", .status = EpicStoryStatus::Failed, .branch = "fix/a"}}}),
      "-        \"2.1\": { status: completed, executor: \"@dev\", commit: \"1d7f8c0\" }\n"
      "+        \"2.1\": { status: failed, executor: \"@dev\", commit: \"1d7f8c0\", branch: fix/a }\n");
  EXPECT_EQ(change_epic(kEpicFile, {.stories = {{.id = "QUAY-1", .clear_completed_at = true}}}),
            "-          completed_at: \"2026-03-01T08:40:00Z\"\n+          completed_at: null\n");
  EXPECT_EQ(change_epic(kEpicFile, {.stories = {{.id = "2.10", .status = EpicStoryStatus::Blocked}}}),
            "-          status: pending\n+          status: blocked\n");
}

TEST(EpicStateEdit, F2_WhatIsMissingIsAddedAsItsNeighboursStand) {
  EXPECT_EQ(
      change_epic(kEpicFile, {.stories = {{.wave = "2", .id = "2.11", .branch = "feat/2.11", .executor = "dev"}}}),
      "+        \"2.11\":\n+          status: pending\n+          branch: feat/2.11\n"
      "+          started_at: null\n+          completed_at: null\n+          executor: \"@dev\"\n");
  EXPECT_EQ(
      change_epic(kEpicFile, {.waves = {{.number = "3", .name = "Paint", .tag = "wave-3-complete"}},
                              .stories = {{.wave = "3", .id = "QUAY-9"}}}),
      "+    3:\n+      name: \"Paint\"\n+      status: pending\n+      tag: wave-3-complete\n+      stories:\n"
      "+        QUAY-9:\n+          status: pending\n+          started_at: null\n+          completed_at: "
      "null\n");
  EXPECT_EQ(change_epic(kEpicFile, {.verdicts = {{.gate = "2",
                                                  .verdict = "rejected",
                                                  .agent = "qa",
                                                  .at = at("2026-03-01T11:00:00Z"),
                                                  .notes = "one, two"}}}),
            "+    2: { status: rejected, agent: \"@qa\", at: \"2026-03-01T11:00:00Z\", notes: \"one, two\" }\n");
  EXPECT_EQ(change_epic("epic_state:\n  epicId: E\n  gate_verdicts: {}\n",
                        {.verdicts = {{.gate = "final", .verdict = "approved"}}}),
            "-  gate_verdicts: {}\n+  gate_verdicts:\n+    final:\n+      status: approved\n");
}

TEST(EpicStateEdit, AWordThatMeansTheSameStays) {
  EXPECT_EQ(change_epic("epic_state:\n  status: Done ✅\n  updated_at: 2026-03-01T10:00:00+02:00\n  waves:\n    "
                        "wave-1: {status: complete}\n",
                        {.status = EpicStatus::Completed,
                         .updated_at = at("2026-03-01T08:00:00Z"),
                         .waves = {{.number = "1", .status = WaveStatus::Completed}}}),
            "");
  EXPECT_EQ(change_epic(kEpicFile, {.verdicts = {{.gate = "1", .verdict = "approved", .agent = "@architect"}}}),
            "");
}

TEST(EpicStateEdit, AllTogetherIsReadBack) {
  const EpicClaims claims = read_changed(change_epic_state(kEpicFile, a_whole_change()).value());
  EXPECT_EQ(claims.status, EpicStatus::Completed);
  ASSERT_EQ(claims.waves.size(), 3u);
  EXPECT_EQ(claims.waves[1].status, WaveStatus::GateReview);
  EXPECT_EQ(claims.waves[2].name, "Paint: \"grey\"");
  EXPECT_EQ(claims.waves[1].stories[1].executor, "dev");
  EXPECT_EQ(claims.waves[2].stories[0].id, "3.10");
  ASSERT_EQ(claims.verdicts.size(), 3u);
  EXPECT_EQ(claims.verdicts[2].gate, "final");
  EXPECT_TRUE(claims.oddities.empty());
}

TEST(EpicStateEdit, DamagedFilesAndStoriesOfNoWaveAreRefused) {
  const auto refusal = [](const std::string& bytes, const EpicChange& what) {
    const Result<std::string> after = change_epic_state(bytes, what);
    return after ? "changed" : std::string(to_token(after.error().kind)) + ": " + after.error().message;
  };
  std::string broken = kEpicFile;
  broken.replace(broken.find("\"Cranes\""), 8, "Cranes: big");
  EXPECT_EQ(refusal(broken, {.current_wave = "2"}), "corrupt: its syntax is broken; it is not changed");
  EXPECT_EQ(refusal("a: 1\n", {.current_wave = "2"}), "invalid: is not an epic state");
  EXPECT_EQ(refusal(kEpicFile, {.stories = {{.id = "9.9"}}}), "invalid: story \"9.9\" is in no wave");
}

TEST(EpicStateEdit, ANewFileHoldsWhatItIsMadeOf) {
  NewEpicState epic{.id = "EPIC-7", .execution_plan = "docs/EPIC-7-EXECUTION.yaml"};
  epic.started_at = at("2026-03-01T08:00:00Z");
  ClaimedWave wave;
  wave.number = "1";
  wave.name = "First";
  ClaimedStory story;
  story.id = "7.10";
  story.branch = "feat/7.10";
  story.executor = "dev";
  story.quality_gate = "qa";
  wave.stories = {story};
  epic.waves = {wave};
  const std::string bytes = new_epic_state(epic);
  EXPECT_EQ(bytes, R"(epic_state:
  epicId: "EPIC-7"
  execution_plan: docs/EPIC-7-EXECUTION.yaml
  mode: interactive
  started_at: "2026-03-01T08:00:00Z"
  updated_at: "2026-03-01T08:00:00Z"
  status: active
  current_wave: 1
  total_waves: 1
  waves:
    1:
      name: "First"
      status: pending
      stories:
        "7.10":
          status: pending
          branch: feat/7.10
          started_at: null
          completed_at: null
          executor: "@dev"
          quality_gate: "@qa"
  gate_verdicts: {}
  bug_verification: {}
)");
  const EpicClaims claims = read_changed(change_epic_state(bytes, a_whole_change()).value());
  EXPECT_EQ(claims.waves.size(), 3u);
  EXPECT_TRUE(claims.oddities.empty());
}

const auto kReadEpic = [](const std::string& bytes) { return read_epic_state(bytes, "e.yaml"); };
// A value, a field, an entry with a map: one of each kind of change.
const auto kChangeEpic = [](const std::string& bytes) {
  return change_epic_state(bytes, {.current_wave = "4",
                                   .stories = {{.wave = "2", .id = "2.10", .commit = "a\"b"}},
                                   .verdicts = {{.gate = "2", .verdict = "rejected"}}});
};

TEST(EpicStateEdit, F1_AFileCutAtEveryByteIsClaimsOrOneError) {
  const Survival count = survive_cuts(kEpicFile, kReadEpic, kChangeEpic);
  EXPECT_EQ(count.rounds, static_cast<int>(kEpicFile.size()) + 1);
  EXPECT_GT(count.read, 1'000);
  EXPECT_GT(count.changed, 500);
}

TEST(EpicStateEdit, F2_TenThousandMutationsAreReadOrRefused) {
  const Survival count = survive_mutations({kEpicFile}, 10'000, kReadEpic, kChangeEpic);
  EXPECT_EQ(count.rounds, 10'000);
  EXPECT_EQ(count.read + count.refused, 10'000);
  EXPECT_GT(count.read, 5'000);
  EXPECT_GT(count.changed, 1'000);
}

TEST(EpicStateEdit, F2_RealFilesAreChangedWithoutAnotherLine) {
  const std::vector<TestFile> files = orchestrator_corpus("epic-state");
  if (files.empty()) GTEST_SKIP() << "there are no real files beside the sources";
  int changed = 0;
  for (const TestFile& file : files) {
    const std::string lines =
        change_epic(file.bytes, {.status = EpicStatus::Aborted, .updated_at = at("2026-07-01T00:00:00Z")});
    EXPECT_EQ(std::ranges::count(lines, '\n'), 4) << file.name << lines;
    const Result<std::string> all = change_epic_state(file.bytes, a_whole_change());
    ASSERT_TRUE(all.has_value()) << file.name << all.error().message;
    EXPECT_EQ(change_epic_state(*all, a_whole_change()).value(), *all);
    ++changed;
  }
  EXPECT_EQ(changed, 3);
}

}  // namespace
}  // namespace reprise
