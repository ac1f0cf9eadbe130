// Reading a spec loop's index file: what is documented, in all its shapes, and what is damaged.

#include "formats/spec_loop.h"

#include <gtest/gtest.h>

#include <random>

#include "formats/oddities_for_tests.h"
#include "formats/spec_loop_test_files.h"
#include "formats/state_file.h"
#include "model/limits.h"
#include "testing/mutations.h"

namespace reprise {
namespace {

SpecLoopClaims read_index(const std::string& text) {
  Result<SpecLoopClaims> claims = read_spec_loop(text, "index.md");
  EXPECT_TRUE(claims.has_value()) << text;
  return claims ? std::move(*claims) : SpecLoopClaims{};
}

SpecLoopClaims index_claims(std::string_view name) { return read_index(spec_loop_fixture(name)); }

void expect_documented_claims(const SpecLoopClaims& claims) {
  EXPECT_EQ(claims.feature, "005-harbour-login");
  EXPECT_EQ(claims.find_field("branch")->value, "005-harbour-login");
  EXPECT_EQ(claims.find_field("original_description")->value, "Pilots sign in | with a badge");
  EXPECT_EQ(claims.find_field("original_description")->line, 11);
  EXPECT_EQ(claims.status, LoopStatus::Clarifying);
  EXPECT_EQ(claims.status_line, 32);
  EXPECT_EQ(claims.iteration.number, 2);
  EXPECT_EQ(claims.iteration.out_of, 10);
  EXPECT_EQ(claims.stale.number, 0);
  EXPECT_EQ(claims.last_activity->time, parse_timestamp("2026-02-01T10:30:00Z"));
  ASSERT_EQ(claims.questions.size(), 2u);
  EXPECT_EQ(claims.questions[0].gaps, (Strings{"G-004", "G-005"}));
  EXPECT_EQ(claims.questions[0].status, QuestionStatus::Open);
  EXPECT_EQ(claims.questions[0].line, 42);
  ASSERT_EQ(claims.gaps.size(), 5u);
  EXPECT_EQ(claims.gaps[0].priority, GapPriority::Critical);
  EXPECT_EQ(claims.gaps[0].status, GapStatus::Resolved);
  EXPECT_EQ(claims.gaps[4].status, GapStatus::Deferred);
  ASSERT_EQ(claims.history.size(), 1u);
  EXPECT_EQ(claims.history[0].iteration, 1);
  ASSERT_EQ(claims.documents.size(), 2u);
  EXPECT_EQ(claims.documents[0].path, "specs/005-harbour-login/spec.md");
  EXPECT_EQ(claims.documents[1].status, "absent");
  EXPECT_EQ(claims.workflows.at(0).status, "clarifying");
  EXPECT_EQ(reasons(claims.oddities), Strings{});
  EXPECT_EQ(reasons(claims.unfilled), Strings{});
  EXPECT_TRUE(claims.faults.empty());
}

TEST(SpecLoop, SL04_TheDocumentedSectionsAreRead) { expect_documented_claims(index_claims("documented_form.md")); }

TEST(SpecLoop, LineEndsAndByteOrderMarkMakeNoDifference) {
  expect_documented_claims(index_claims("crlf_bom_no_final_newline.md"));
  expect_documented_claims(index_claims("lone_cr_line_ends.md"));
}

TEST(SpecLoop, PlainRowsLegendsAndOtherPhasesAreNoHindrance) {
  const SpecLoopClaims claims = index_claims("wide_template_with_legends.md");
  EXPECT_EQ(claims.status, LoopStatus::Clarifying);
  EXPECT_EQ(claims.iteration.number, 1);  // not the 7 of another phase
  EXPECT_EQ(claims.stale.number, 0);
  ASSERT_EQ(claims.questions.size(), 2u);
  EXPECT_EQ(claims.questions[0].status, QuestionStatus::Deferred);
  EXPECT_EQ(claims.questions[1].options, "60 dB, 80 dB");
  EXPECT_EQ(claims.questions[1].gaps, Strings{"G-001"});  // named by the gap's row
  EXPECT_EQ(claims.gaps[0].priority, GapPriority::Critical);
  EXPECT_EQ(claims.gaps[0].text, "Loudness is open");
  ASSERT_EQ(claims.workflows.size(), 2u);
  EXPECT_EQ(claims.workflows[0].workflow, "specify");
  EXPECT_EQ(claims.find_loop_field("pending_clarifications")->value, "1 (C1.1)");
  EXPECT_EQ(reasons(claims.oddities), Strings{});
  EXPECT_TRUE(claims.faults.empty());
}

TEST(SpecLoop, BulletsAndTablesWithoutHeadAreFieldsToo) {
  const SpecLoopClaims bullets = index_claims("answer_received_not_applied.md");
  EXPECT_EQ(bullets.feature, "021-buoy-map");
  EXPECT_EQ(bullets.iteration.number, 3);
  EXPECT_EQ(bullets.stale.number, 1);
  const SpecLoopClaims headless = index_claims("headless_tables_and_numbered_headings.md");
  EXPECT_EQ(headless.feature, "044-lantern");
  EXPECT_EQ(headless.status, LoopStatus::SpecWriting);
  EXPECT_EQ(headless.iteration.number, 1);
  EXPECT_EQ(reasons(headless.oddities),
            (Strings{"16 Weather: an unknown field", "18 3. Lamp Oil: an unknown section; it is kept as it is"}));
}

TEST(SpecLoop, SL03_OnlyTheSevenStatusWordsAreOne) {
  const auto status = [](const std::string& value) {
    return read_index(
               "# Feature Index: x\n## Priority Loop State\n| Field | Value |\n|---|---|\n| **Loop Status** | " +
               value + " |\n")
        .status;
  };
  EXPECT_EQ(status("not_started"), LoopStatus::NotStarted);
  EXPECT_EQ(status("`scaffolding`"), LoopStatus::Scaffolding);
  EXPECT_EQ(status("Spec Writing — again"), LoopStatus::SpecWriting);
  EXPECT_EQ(status("**validating** (2nd)"), LoopStatus::Validating);
  EXPECT_EQ(status("Clarifying"), LoopStatus::Clarifying);
  EXPECT_EQ(status("✅ completed"), LoopStatus::Completed);
  EXPECT_EQ(status("terminated"), LoopStatus::Terminated);
  for (const char* word : {"paused", "complete", "missing", "unknown", "clarifying \\| completed", "{{s}}", "<s>"})
    EXPECT_EQ(status(word), LoopStatus::Unknown) << word;
  for (const char* word : {"", "null", "-", "N/A"}) EXPECT_EQ(status(word), LoopStatus::Missing) << word;
}

TEST(SpecLoop, SL09_AContradictoryOrMissingStatusIsBelievedByNobody) {
  const SpecLoopClaims two = index_claims("contradicting_statuses.md");
  EXPECT_EQ(two.status, LoopStatus::Unknown);
  EXPECT_EQ(two.faults.size(), 1u);
  const SpecLoopClaims none = index_claims("no_loop_status.md");
  EXPECT_EQ(none.status, LoopStatus::Missing);
  ASSERT_EQ(none.faults.size(), 1u);
  EXPECT_EQ(none.faults[0].line, 3);
}

TEST(SpecLoop, WhatExplainsOrShowsAnExampleIsNoClaim) {
  const std::string state = "# Feature Index: x\n## Priority Loop State\n| Field | Value |\n|---|---|\n";
  const std::string row = "| **Loop Status** | clarifying |\n";
  EXPECT_EQ(read_index(state + row + "\n**Status**: `clarifying` | `completed`\n").status, LoopStatus::Clarifying);
  EXPECT_EQ(
      read_index(state + row + "\n```\n| Field | Value |\n|---|---|\n| Loop Status | completed |\n```\n").status,
      LoopStatus::Clarifying);
}

TEST(SpecLoop, ATemplateClaimsNothing) {
  const SpecLoopClaims claims = index_claims("template_not_filled.md");
  EXPECT_EQ(claims.feature, "");
  EXPECT_EQ(claims.status, LoopStatus::Unknown);
  EXPECT_FALSE(claims.iteration.number.has_value());
  EXPECT_TRUE(claims.questions.empty());
  EXPECT_EQ(claims.unfilled.size(), 6u);
  EXPECT_EQ(reasons(claims.oddities), Strings{});
}

TEST(SpecLoop, WhatIsNotANumberAStatusOrATimeIsSaidToBeNone) {
  const SpecLoopClaims claims = index_claims("numbers_in_words.md");
  EXPECT_EQ(reasons(claims.oddities),
            (Strings{"8 two: not a number", "9 yesterday: not a point in time",
                     "23 Urgent: not a priority: Critical, Important or Minor",
                     "23 asked: not a gap's status: pending, clarifying, resolved, deferred or known_gap"}));
}

TEST(SpecLoop, SL03_AnAnswerIsUnappliedUntilTheFileShowsThatItWasApplied) {
  const SpecLoopClaims claims = index_claims("answer_received_not_applied.md");
  EXPECT_TRUE(claims.questions[0].applied);
  EXPECT_FALSE(claims.questions[0].is_open());
  EXPECT_TRUE(claims.questions[1].has_unapplied_answer());
  EXPECT_EQ(claims.questions[1].answer, "100, and more later");
  EXPECT_TRUE(claims.questions[2].is_open());
  EXPECT_FALSE(claims.questions[2].has_unapplied_answer());
  EXPECT_TRUE(claims.faults.empty());
  EXPECT_TRUE(index_claims("recheck_still_in_iteration_one.md").questions[0].applied);
}

// One question in a loop that clarifies in iteration 1, and what else the file says.
bool is_applied(const std::string& status, const std::string& gap_status, const std::string& more = "",
                const std::string& iteration = "1", const std::string& loop = "clarifying") {
  return read_index("# Feature Index: x\n## Priority Loop State\n- Loop Status: " + loop +
                    "\n- Current Iteration: " + iteration +
                    "\n## Pending Questions\n| ID | Gaps | Status |\n|---|---|---|\n| C1.1 | G-1 | " + status +
                    " |\n## Gap Priority Queue\n| Gap ID | Status |\n|---|---|\n| G-1 | " + gap_status + " |\n" +
                    more)
      .questions.at(0)
      .applied;
}

TEST(SpecLoop, SL03_WhatShowsThatAnAnswerWasApplied) {
  const std::string history = "## Gap Resolution History\n| Gap ID | Details |\n|---|---|\n| G-1 | by C1.1. |\n";
  const std::string own = "## Received Answers\n| Question | Answer | Applied |\n|---|---|---|\n| C1.1 | a | ";
  EXPECT_FALSE(is_applied("answered", "clarifying"));
  EXPECT_TRUE(is_applied("applied", "clarifying"));
  EXPECT_TRUE(is_applied("answered", "resolved"));
  EXPECT_TRUE(is_applied("answered", "clarifying", history));
  EXPECT_TRUE(is_applied("answered", "clarifying", "", "2"));
  EXPECT_TRUE(is_applied("answered", "clarifying", "", "1", "validating"));
  EXPECT_TRUE(is_applied("answered", "clarifying", own + "yes |\n"));
  // A question without an answer is open, whatever else is said; our own record outweighs the rest.
  EXPECT_FALSE(is_applied("awaiting_answer", "resolved", history, "2"));
  EXPECT_FALSE(is_applied("answered", "resolved", own + "no |\n" + history, "2", "validating"));
  EXPECT_FALSE(is_applied("applied", "clarifying", own + "perhaps |\n"));
}

TEST(SpecLoop, S02_DocumentedSampleNeedsNoTitle) {
  const SpecLoopClaims claims = index_claims("seed_sample.md");
  EXPECT_EQ(claims.status, LoopStatus::Clarifying);
  EXPECT_EQ(claims.status_line, 5);
  EXPECT_EQ(claims.iteration.number, 2);
  EXPECT_EQ(claims.stale.number, 0);
  ASSERT_EQ(claims.questions.size(), 1u);
  EXPECT_EQ(claims.questions[0].gaps, Strings{"G-004"});
  EXPECT_TRUE(claims.questions[0].is_open());
  EXPECT_EQ(claims.gaps.size(), 2u);
  EXPECT_EQ(claims.history.size(), 1u);
  EXPECT_EQ(reasons(claims.oddities), Strings{});
  EXPECT_TRUE(claims.faults.empty());
}

TEST(SpecLoop, S02_FieldsMayStandInFrontMatterOrAboveAllHeadings) {
  const SpecLoopClaims front = index_claims("front_matter.md");
  EXPECT_EQ(front.feature, "012-fog-horn");
  EXPECT_EQ(front.status, LoopStatus::SpecWriting);
  EXPECT_EQ(front.status_line, 3);
  EXPECT_EQ(front.last_activity->time, parse_timestamp("2026-02-01T10:30:00Z"));
  EXPECT_TRUE(front.faults.empty());
  const SpecLoopClaims plain = index_claims("user_answers_list.md");
  EXPECT_EQ(plain.status, LoopStatus::Clarifying);
  EXPECT_EQ(plain.iteration.number, 2);
}

TEST(SpecLoop, S14_UserAnswersAreReceivedAndNotApplied) {
  const SpecLoopClaims table = index_claims("user_answers_table.md");
  ASSERT_EQ(table.questions.size(), 1u);
  EXPECT_EQ(table.questions[0].answer, "30 minutes");  // the question is named by its words
  EXPECT_TRUE(table.questions[0].has_unapplied_answer());
  EXPECT_TRUE(table.faults.empty());
  const SpecLoopClaims list = index_claims("user_answers_list.md");
  ASSERT_EQ(list.questions.size(), 1u);
  EXPECT_EQ(list.questions[0].answer, "30 minutes");
  EXPECT_TRUE(list.questions[0].has_unapplied_answer());
}

TEST(SpecLoop, FilesOfOtherSystemsAreForeign) {
  int foreign = 0;
  for (const TestFile& file : spec_loop_fixtures()) {
    const bool is_foreign = file.name.starts_with("foreign_");
    EXPECT_EQ(is_spec_loop(file.bytes), !is_foreign) << file.name;
    if (!is_foreign) continue;
    ++foreign;
    EXPECT_EQ(read_spec_loop(file.bytes, file.name).error().kind, ErrorKind::Invalid);
  }
  EXPECT_EQ(foreign, 1);
  EXPECT_FALSE(is_spec_loop(""));
  EXPECT_TRUE(is_spec_loop("# Feature Index\nLoop Status: clarifying\n"));
  EXPECT_FALSE(is_spec_loop("# Notes\n\nStatus: clarifying\n"));
  EXPECT_FALSE(is_spec_loop("# Notes\n\n## Open Questions\n\n- Which one?\n"));
  EXPECT_FALSE(is_spec_loop("# Notes\n\n## Plan Phase State\n\n### Priority Loop State\n"));
  EXPECT_FALSE(is_spec_loop("```\n# Feature Index\n## Priority Loop State\n```\n"));
}

TEST(SpecLoop, WhatIsNotTextIsRefusedWithItsPosition) {
  const std::string text = "# Feature Index: x\n## Priority Loop State\n- Loop Status: ";
  const Result<SpecLoopClaims> nul = read_spec_loop(text + std::string(3, '\0'), "a.md");
  ASSERT_FALSE(nul.has_value());
  EXPECT_EQ(nul.error().kind, ErrorKind::Corrupt);
  EXPECT_EQ(nul.error().file, "a.md");
  EXPECT_EQ(nul.error().line, 3);
  EXPECT_EQ(nul.error().column, 16);
  EXPECT_EQ(read_spec_loop(text + "\xC3", "a.md").error().line, 3);
}

TEST(SpecLoop, P13_AFileThatIsTooLargeIsRefused) {
  const std::string text = "# Feature Index: x\n## Priority Loop State\n";
  std::string bytes = text;
  bytes.resize(kDocumentBytesMax + 1, 'x');
  EXPECT_EQ(read_spec_loop(bytes, "a.md").error().kind, ErrorKind::Corrupt);
  bytes.pop_back();
  EXPECT_TRUE(read_spec_loop(bytes, "a.md").has_value());
  const std::string lines = text + std::string(kStateFileLinesMax - 2, '\n');
  EXPECT_TRUE(read_spec_loop(lines, "a.md").has_value());
  EXPECT_EQ(read_spec_loop(lines + "\n", "a.md").error().kind, ErrorKind::Corrupt);
}

// What grows with the square would not end in the time that tests have.
TEST(SpecLoop, P13_ManyRowsAndIdsTakeTimeAndRoomInProportion) {
  const std::string head = "# Feature Index: x\n## Priority Loop State\n- Loop Status: clarifying\n";
  const std::string questions = "## Pending Questions\n| ID | Gaps | Status |\n|---|---|---|\n";
  const std::string gaps = "## Gap Priority Queue\n| Gap ID | Clarification | Status |\n|---|---|---|\n";
  std::string one_question = head + questions + "| C1.1 | | pending |\n" + gaps;
  for (int i = 0; i < 60'000; ++i) one_question += "| G" + std::to_string(i) + " | C1.1 | clarifying |\n";
  EXPECT_EQ(read_index(one_question).questions.at(0).gaps.size(), 60'000u);
  std::string ranges = head + questions;
  for (int i = 0; i < 60'000; ++i) ranges += "| C1.1 | G1-G1000, H1-H1000 | pending |\n";
  EXPECT_LE(read_index(ranges).oddities.size(), 500u);
  std::string fields = head;
  for (int i = 0; i < 150'000; ++i) fields += "- Loop Status: clarifying\n";
  EXPECT_EQ(read_index(fields).status, LoopStatus::Clarifying);
}

// Whatever the bytes, there are claims or one error.
void expect_index_answer(const std::string& bytes) {
  const Result<SpecLoopClaims> claims = read_spec_loop(bytes, "f.md");
  if (!claims) {
    EXPECT_FALSE(claims.error().message.empty());
    return;
  }
  for (const Oddity& oddity : claims->oddities) EXPECT_GE(oddity.line, 1);
  for (const LoopFault& fault : claims->faults) EXPECT_GE(fault.line, 1);
  const bool is_known = claims->status != LoopStatus::Missing && claims->status != LoopStatus::Unknown;
  EXPECT_TRUE(is_known || !claims->faults.empty());
}

TEST(SpecLoop, CutAtEveryByteItGivesClaimsOrOneError) {
  std::size_t rounds = 0;
  std::size_t wanted = 0;
  for (const TestFile& file : spec_loop_fixtures()) {
    wanted += file.bytes.size() + 1;
    for (std::size_t length = 0; length <= file.bytes.size(); ++length, ++rounds) {
      expect_index_answer(file.bytes.substr(0, length));
    }
  }
  EXPECT_EQ(rounds, wanted);
  EXPECT_GT(rounds, 10'000u);
}

TEST(SpecLoop, MutatedAtRandomItGivesClaimsOrOneError) {
  const std::vector<TestFile> files = spec_loop_fixtures();
  ASSERT_EQ(files.size(), 19u);
  std::mt19937 random(11);
  int rounds = 0;
  int read_well = 0;
  for (; rounds < 10'000; ++rounds) {
    const std::string bytes = mutated(files[random() % files.size()].bytes, spec_loop_pieces(), random);
    expect_index_answer(bytes);
    read_well += is_spec_loop(bytes) ? 1 : 0;
  }
  EXPECT_EQ(rounds, 10'000);
  EXPECT_GT(read_well, 5'000);
}

}  // namespace
}  // namespace reprise
