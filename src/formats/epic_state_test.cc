// The epic's state file: what is claimed, in every form that is found, and what is refused.

#include "formats/epic_state.h"

#include "formats/orchestrator_test_files.h"

namespace reprise {
namespace {

EpicClaims read_epic(const std::string& bytes) {
  Result<EpicClaims> found = read_epic_state(bytes, "epic.yaml");
  EXPECT_TRUE(found.has_value()) << bytes << (found ? "" : found.error().message);
  return found ? std::move(*found) : EpicClaims{};
}

std::string refusal(const std::string& bytes) {
  const Result<EpicClaims> found = read_epic_state(bytes, "epic.yaml");
  EXPECT_FALSE(found.has_value()) << bytes;
  return found ? "" : std::string(to_token(found.error().kind)) + ": " + found.error().message;
}

TEST(EpicState, OR06_WavesStoriesAndGatesAreClaimed) {
  const EpicClaims claims = read_epic(kEpicFile);
  EXPECT_EQ(claims.id, "EPIC-QUAY");
  EXPECT_EQ(claims.status, EpicStatus::Active);
  EXPECT_EQ(claims.execution_plan, "docs/epics/EPIC-QUAY-EXECUTION.yaml");
  EXPECT_EQ(claims.mode, "interactive");
  EXPECT_EQ(claims.updated_at->time, at("2026-03-01T09:30:00Z"));
  EXPECT_EQ(claims.current_wave, "1");
  EXPECT_EQ(claims.total_waves, 2);
  ASSERT_EQ(claims.waves.size(), 2u);
  EXPECT_EQ(claims.waves[0].name, "Piles & planks");
  EXPECT_EQ(claims.waves[0].status, WaveStatus::Completed);
  EXPECT_EQ(claims.waves[0].tag, "wave-1-complete");
  EXPECT_EQ(claims.waves[0].line, 14);
  ASSERT_EQ(claims.waves[0].stories.size(), 2u);
  const ClaimedStory& first = claims.waves[0].stories[0];
  EXPECT_EQ(first.id, "QUAY-1");
  EXPECT_EQ(first.status, EpicStoryStatus::Completed);
  EXPECT_EQ(first.branch, "feat/quay-1-piles");
  EXPECT_EQ(first.executor, "dev");
  EXPECT_EQ(first.quality_gate, "architect");
  EXPECT_EQ(first.completed_at->time, at("2026-03-01T08:40:00Z"));
  EXPECT_EQ(first.line, 19);
  EXPECT_EQ(claims.waves[0].stories[1].commit, "1d7f8c0");
  EXPECT_EQ(claims.waves[1].stories[0].id, "story-2.2");
  EXPECT_FALSE(claims.waves[1].stories[0].completed_at.has_value());
  ASSERT_EQ(claims.verdicts.size(), 1u);
  EXPECT_EQ(claims.verdicts[0].gate, "1");
  EXPECT_EQ(claims.verdicts[0].verdict, "approved");
  EXPECT_EQ(claims.verdicts[0].agent, "architect");
  EXPECT_FALSE(claims.damaged);
  EXPECT_TRUE(claims.oddities.empty()) << testing::PrintToString(reasons(claims.oddities));
}

TEST(EpicState, IdsAreText_TwoPointTenIsNotTwoPointOne) {
  const EpicClaims claims = read_epic(
      "epic_state:\n  epicId: 2\n  waves:\n    10: {stories: {2.1: done, 2.10: pending, \"2.1 \": x}}\n    2: "
      "{stories: [2.10, "
      "'2.1']}\n");
  ASSERT_EQ(claims.waves.size(), 2u);
  EXPECT_EQ(claims.waves[0].number, "2") << "by number, not by letters";
  EXPECT_EQ(claims.waves[0].stories[0].id, "2.10");
  EXPECT_EQ(claims.waves[0].stories[1].id, "2.1");
  EXPECT_EQ(claims.waves[1].stories[0].id, "2.1");
  EXPECT_EQ(claims.waves[1].stories[0].status, EpicStoryStatus::Completed);
  EXPECT_EQ(claims.waves[1].stories[1].id, "2.10");
  EXPECT_EQ(claims.waves[1].stories[1].status, EpicStoryStatus::Pending);
}

TEST(EpicState, OtherFormsAreReadTheSame) {
  const EpicClaims claims = read_epic(
      "epicId: E\nstatus: DONE\nupdatedAt: 2026-03-01\ncurrentWave: wave-2\nwaves:\n  - wave: 1\n    status: "
      "Completed ✅\n"
      "    gateVerdict: APPROVED\n    stories:\n      - id: \"1.1\"\n        status: In Review\n      - \"1.2\"\n "
      " - number: 2\n"
      "gate_verdicts:\n  final: {status: approved, verdict: APPROVED, agent: po}\n  wave-1: {verdict: Approve, "
      "agent: '@qa'}\n");
  EXPECT_EQ(claims.status, EpicStatus::Completed);
  EXPECT_TRUE(claims.updated_at->whole_day);
  EXPECT_EQ(claims.current_wave, "2");
  ASSERT_EQ(claims.waves.size(), 2u);
  EXPECT_EQ(claims.waves[0].status, WaveStatus::Completed);
  EXPECT_EQ(claims.waves[0].stories[0].status, EpicStoryStatus::InReview);
  EXPECT_EQ(claims.waves[0].stories[1].status, EpicStoryStatus::Missing);
  EXPECT_EQ(claims.waves[1].status, WaveStatus::Missing);
  ASSERT_EQ(claims.verdicts.size(), 2u);
  EXPECT_EQ(claims.verdicts[0].gate, "1");
  EXPECT_EQ(claims.verdicts[0].agent, "qa") << "the second time it is said adds to the first";
  EXPECT_EQ(claims.verdicts[1].gate, "final");
  EXPECT_TRUE(claims.oddities.empty()) << testing::PrintToString(reasons(claims.oddities));
}

TEST(EpicState, WhatIsNotUnderstoodIsListedWithItsLine) {
  const EpicClaims claims = read_epic(
      "epic_state:\n  epicId: \"{{epic}}\"\n  status: active | completed | aborted\n  updated_at: soon\n  "
      "total_waves: few\n"
      "  waves:\n    1:\n      status: drifting\n      stories:\n        A-1: {status: sunk, started_at: TBD}\n"
      "  gate_verdicts:\n    1: {status: approved, verdict: rejected}\n    2: {status: perhaps}\n");
  EXPECT_EQ(claims.id, "");
  EXPECT_EQ(claims.status, EpicStatus::Missing);
  EXPECT_EQ(claims.waves[0].status, WaveStatus::Unknown);
  EXPECT_EQ(claims.waves[0].status_word, "drifting");
  EXPECT_EQ(claims.waves[0].stories[0].status, EpicStoryStatus::Unknown);
  EXPECT_EQ(claims.verdicts[0].verdict, "rejected") << "of two verdicts the worse one counts";
  EXPECT_EQ(
      reasons(claims.oddities),
      (Strings{"2 {{epic}}: a template that was not filled in",
               "3 active | completed | aborted: a template that was not filled in", "4 soon: not a point in time",
               "5 few: not a number", "8 drifting: an unknown word; it is kept as it is",
               "10 sunk: an unknown word; it is kept as it is",
               "12 rejected: status and verdict of this gate differ", "13 perhaps: an unknown verdict"}));
}

TEST(EpicState, OR14_BrokenYamlIsReadLineByLineAndSaysSo) {
  std::string broken = kEpicFile;
  broken.replace(broken.find("\"Cranes\""), 8, "Cranes: big: ones");
  const EpicClaims claims = read_epic(broken);
  EXPECT_TRUE(claims.damaged);
  EXPECT_EQ(claims.status, EpicStatus::Active);
  EXPECT_EQ(claims.current_wave, "1");
  ASSERT_EQ(claims.waves.size(), 2u);
  EXPECT_EQ(claims.waves[0].status, WaveStatus::Completed);
  EXPECT_EQ(claims.waves[0].stories[1].id, "2.1");
  EXPECT_EQ(claims.waves[0].stories[1].commit, "1d7f8c0") << "what stands in braces on one line is read";
  EXPECT_EQ(claims.waves[1].stories[1].id, "2.10");
  EXPECT_EQ(claims.waves[1].stories[1].status, EpicStoryStatus::Pending);
  EXPECT_EQ(claims.verdicts.size(), 1u);
  ASSERT_EQ(claims.oddities.size(), 1u);
  EXPECT_EQ(claims.oddities[0].line, 29);
  EXPECT_EQ(claims.oddities[0].text, "name: Cranes: big: ones");
  EXPECT_TRUE(claims.oddities[0].why.starts_with("the syntax is broken here"));
}

TEST(EpicState, AKeyThatComesTwiceIsDamage) {
  std::string doubled = kEpicFile;
  doubled.insert(doubled.find("  total_waves"), "  current_wave: 2\n");
  const EpicClaims claims = read_epic(doubled);
  EXPECT_TRUE(claims.damaged);
  EXPECT_EQ(claims.waves.size(), 2u);
}

TEST(EpicState, ForeignFilesAreInvalidAndTornOnesCorrupt) {
  EXPECT_EQ(refusal("status:\n  branch: main\nttl: 60\n"), "invalid: is not an epic state");
  EXPECT_EQ(refusal(kPlanFile), "invalid: is not an epic state");
  EXPECT_EQ(refusal(kRecordFlow), "invalid: is not an epic state");
  EXPECT_EQ(refusal("just text\n"), "invalid: is not an epic state");
  EXPECT_EQ(refusal("a: [1\n"), "corrupt: is not an epic state, and its syntax is broken");
  EXPECT_EQ(refusal(" \n"), "corrupt: it is empty; it was probably not written to its end");
  EXPECT_TRUE(refusal("epic_state:\n").starts_with("corrupt: is not an epic state beyond its first key"));
  EXPECT_TRUE(refusal("epic_state: \xFF\n").starts_with("corrupt: a byte that is not UTF-8"));
  EXPECT_TRUE(refusal("{\"epic_state\": {\"status\": ").starts_with("corrupt: "));
}

TEST(EpicState, LineEndsAndAByteOrderMarkDoNotMatter) {
  std::string crlf = "\xEF\xBB\xBF";
  for (const char c : kEpicFile) crlf += c == '\n' ? "\r\n" : std::string(1, c);
  const EpicClaims claims = read_epic(crlf);
  EXPECT_EQ(claims.waves[1].stories[1].id, "2.10");
  EXPECT_EQ(claims.waves[1].stories[1].line, 38);
  EXPECT_TRUE(claims.oddities.empty());
}

TEST(EpicState, TenThousandStoriesAreReadInOneGo) {
  std::string bytes = "epic_state:\n  epicId: E\n  waves:\n    1:\n      stories:\n";
  for (int i = 0; i < 10'000; ++i) bytes += "        \"1." + std::to_string(i) + "\": {status: pending}\n";
  EXPECT_EQ(read_epic(bytes).waves[0].stories.size(), 10'000u);
}

TEST(EpicState, RealFilesAreReadWithoutAnythingLeftOver) {
  const std::vector<TestFile> files = orchestrator_corpus("epic-state");
  if (files.empty()) GTEST_SKIP() << "there are no real files beside the sources";
  std::size_t stories = 0;
  for (const TestFile& file : files) {
    const EpicClaims claims = read_epic(file.bytes);
    EXPECT_EQ(claims.status, EpicStatus::Active) << file.name;
    EXPECT_TRUE(claims.oddities.empty()) << file.name << testing::PrintToString(reasons(claims.oddities));
    for (const ClaimedWave& wave : claims.waves) stories += wave.stories.size();
  }
  EXPECT_EQ(files.size(), 3u);
  EXPECT_EQ(stories, 17u);
}

}  // namespace
}  // namespace reprise
