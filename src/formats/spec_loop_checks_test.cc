// The integrity of an index file (SL-09), and what a repair may and may not do (SL-10).

#include "formats/spec_loop_checks.h"

#include <gtest/gtest.h>

#include <random>

#include "formats/oddities_for_tests.h"
#include "formats/spec_loop_test_files.h"
#include "text/diff.h"

namespace reprise {
namespace {

// A file with this loop state, one question about some gaps, and one gap.
struct Loop {
  std::string status = "clarifying";
  std::string iteration = "2 / 10";
  std::string stale = "0 / 3";
  std::string question = "awaiting_answer";
  std::string gaps = "G-1";
  std::string gap = "clarifying";

  std::string text() const {
    return "# Feature Index: x\n## Priority Loop State\n| Field | Value |\n|---|---|\n| **Loop Status** | " +
           status + " |\n| **Current Iteration** | " + iteration + " |\n| **Stale Count** | " + stale +
           " |\n## Pending Questions\n| ID | Gaps | Status |\n|---|---|---|\n| C2.1 | " + gaps + " | " + question +
           " |\n## Gap Priority Queue\n| Priority | Gap ID | Status |\n|---|---|---|\n| Critical | G-1 | " + gap +
           " |\n";
  }
};

Strings faults_in(const std::string& text) {
  Strings out;
  const SpecLoopClaims claims = read_spec_loop(text, "").value();
  for (const LoopFault& each : claims.faults)
    out.push_back(std::to_string(each.line) + " " + each.text + ": " + each.wrong + " [" + each.allowed + "]");
  return out;
}
Strings faults_in(const Loop& loop) { return faults_in(loop.text()); }

TEST(SpecLoopChecks, SL09_ASoundStateHasNoFaults) {
  EXPECT_EQ(faults_in(Loop{}), Strings{});
  EXPECT_EQ(
      faults_in(Loop{.status = "not_started", .iteration = "0 / 10", .question = "deferred", .gap = "pending"}),
      Strings{});
  EXPECT_EQ(
      faults_in(Loop{.status = "not_started", .iteration = "null", .question = "deferred", .gap = "pending"}),
      Strings{});
  for (const char* name :
       {"documented_form.md", "wide_template_with_legends.md", "template_columns_without_links.md",
        "answer_received_not_applied.md", "recheck_still_in_iteration_one.md",
        "headless_tables_and_numbered_headings.md", "terminated_by_hand.md"})
    EXPECT_EQ(faults_in(spec_loop_fixture(name)), Strings{}) << name;
}

TEST(SpecLoopChecks, SL09_TheStatusIsOneOfTheSeven) {
  const Strings unknown = faults_in(Loop{.status = "paused"});
  ASSERT_EQ(unknown.size(), 1u);
  EXPECT_EQ(
      unknown[0],
      "5 paused: the loop status is not one that is known [not_started, scaffolding, spec_writing, validating, "
      "clarifying, completed or terminated]");
}

TEST(SpecLoopChecks, SL09_TheIterationIsFromOneToTen) {
  for (const char* good : {"1 / 10", "10 / 10", "2/10", "3", "4 of 10"})
    EXPECT_EQ(faults_in(Loop{.iteration = good}), Strings{}) << good;
  for (const char* bad : {"0 / 10", "11 / 10", "two", "-1 / 10", "null", ""})
    EXPECT_EQ(faults_in(Loop{.iteration = bad}).size(), 1u) << bad;
  EXPECT_EQ(faults_in(Loop{.iteration = "11 / 10"})[0],
            "6 11 / 10: the current iteration is out of range [1 to 10 (0 while not started)]");
}

TEST(SpecLoopChecks, SL09_TheStaleCountIsFromNoneToThree) {
  for (const char* good : {"0 / 3", "3 / 3", "2"}) EXPECT_EQ(faults_in(Loop{.stale = good}), Strings{}) << good;
  for (const char* bad : {"4 / 3", "many"}) EXPECT_EQ(faults_in(Loop{.stale = bad}).size(), 1u) << bad;
}

TEST(SpecLoopChecks, SL09_QuestionsAndGapsNameEachOther) {
  EXPECT_EQ(faults_in(Loop{.gap = "pending"}), Strings{"15 pending: gap G-1 is asked about in C2.1 [clarifying]"});
  EXPECT_EQ(faults_in(Loop{.gap = "resolved"}),
            Strings{"15 resolved: gap G-1 is asked about in C2.1 [clarifying]"});
  EXPECT_EQ(
      faults_in(Loop{.gaps = "-"}),
      Strings{"15 clarifying: no open question is about gap G-1 [pending, resolved, deferred or known_gap]"});
  EXPECT_EQ(faults_in(Loop{.question = "deferred"}).size(), 1u);
  EXPECT_EQ(faults_in(Loop{.gaps = "G-1, G-2"}),
            Strings{"11 G-2: question C2.1 is about a gap that is not in the queue [gaps of the queue]"});
  // Answered, but not applied: it is still open, and its gap still clarifying.
  EXPECT_EQ(faults_in(Loop{.question = "answered"}), Strings{});
  EXPECT_EQ(faults_in(Loop{.question = "answered", .gap = "resolved"}), Strings{});
  EXPECT_EQ(faults_in(Loop{.question = "answered", .gap = "pending"}).size(), 1u);
}

TEST(SpecLoopChecks, SL09_OneQuestionMayCoverSeveralGaps) {
  const SpecLoopClaims claims = read_spec_loop(spec_loop_fixture("documented_form.md"), "").value();
  const auto clarifying = std::ranges::count(claims.gaps, GapStatus::Clarifying, &ClaimedGap::status);
  EXPECT_EQ(clarifying, 3);
  EXPECT_EQ(claims.questions.size(), 2u);
  EXPECT_TRUE(claims.faults.empty());
}

TEST(SpecLoopChecks, SL09_AResolutionMayNameTheQuestion) {
  const auto faults = [](const std::string& first, const std::string& second) {
    return faults_in(
        "# Feature Index: x\n## Priority Loop State\n- Loop Status: clarifying\n- Current Iteration: 1\n"
        "## Pending Questions\n| ID | Status |\n|---|---|\n| C1.1 | pending |\n"
        "## Gap Priority Queue\n| Gap ID | Status | Resolution |\n|---|---|---|\n| G-1 | clarifying | " +
        first + " |\n| G-2 | clarifying | " + second + " |\n");
  };
  EXPECT_EQ(faults("Pending C1.1", "see C1.1."), Strings{});
  EXPECT_EQ(faults("Pending C1.1", "Pending C1.10").size(), 1u);
  EXPECT_EQ(faults("Pending C1.1", "").size(), 1u);
  // Where no row names a question, an open one is enough.
  EXPECT_EQ(faults("", ""), Strings{});
}

std::string repair_diff(const std::string& before, const std::string& after) {
  std::string out;
  std::string line;
  for (const char c : unified_diff(before, after, {"a", "b"})) {
    line += c;
    if (c != '\n') continue;
    const bool is_change = line[0] == '-' || line[0] == '+';
    if (is_change && !line.starts_with("---") && !line.starts_with("+++")) out += line;
    line.clear();
  }
  return out;
}

Strings words(const LoopRepair& repair) {
  Strings out;
  for (const LoopRepairChange& change : repair.changes)
    out.push_back(std::to_string(change.line) + " " + change.words);
  return out;
}

TEST(SpecLoopChecks, SL10_ARepairSaysEachChangeAndMakesNoOther) {
  const std::string text = spec_loop_fixture("numbers_in_words.md");
  EXPECT_EQ(faults_in(text).size(), 5u);
  const LoopRepair repair = repair_spec_loop(text, "index.md").value();
  EXPECT_EQ(words(repair),
            (Strings{"8 the current iteration becomes 2, as history and questions show",
                     "10 the stale count becomes 3", "22 gap G-001 becomes clarifying: question C2.1 is open",
                     "23 gap G-002 becomes clarifying: question C2.1 is open",
                     "24 gap G-003 becomes pending: no open question is about it"}));
  EXPECT_EQ(repair_diff(text, repair.bytes),
            "-| **Current Iteration** | two |\n+| **Current Iteration** | 2 / 10 |\n"
            "-| **Stale Count** | 7 / 3 |\n+| **Stale Count** | 3 / 3 |\n"
            "-| Critical | G-001 | pending | |\n-| Urgent | G-002 | asked | |\n-| Minor | G-003 | clarifying | |\n"
            "+| Critical | G-001 | clarifying | |\n+| Urgent | G-002 | clarifying | |\n"
            "+| Minor | G-003 | pending | |\n");
  EXPECT_EQ(faults_in(repair.bytes), Strings{});
}

TEST(SpecLoopChecks, SL10_AStatusThatIsMissingIsRestoredOnlyFromOpenQuestions) {
  const std::string text = spec_loop_fixture("no_loop_status.md");
  const LoopRepair repair = repair_spec_loop(text, "index.md").value();
  EXPECT_EQ(repair_diff(text, repair.bytes), "+| **Loop Status** | clarifying |\n+| **Stale Count** | 0 / 3 |\n");
  EXPECT_EQ(read_spec_loop(repair.bytes, "").value().status, LoopStatus::Clarifying);
  const std::string without = "# Feature Index: x\n## Priority Loop State\n";
  EXPECT_EQ(repair_spec_loop(without, "index.md").error().kind, ErrorKind::Corrupt);
}

TEST(SpecLoopChecks, SL10_ARepairRefusesWhatItCannotDerive) {
  for (const Loop& loop : {Loop{.status = "paused"}, Loop{.status = "{{x}}"}, Loop{.gaps = "G-1, G-9"}}) {
    const Result<LoopRepair> repair = repair_spec_loop(loop.text(), "index.md");
    ASSERT_FALSE(repair.has_value()) << loop.text();
    EXPECT_EQ(repair.error().kind, ErrorKind::Corrupt);
    EXPECT_GT(repair.error().line, 0);
    EXPECT_EQ(repair.error().file, "index.md");
  }
  for (const char* name : {"contradicting_statuses.md", "template_not_filled.md"})
    EXPECT_FALSE(repair_spec_loop(spec_loop_fixture(name), "index.md").has_value()) << name;
  EXPECT_EQ(repair_spec_loop("# X\n", "index.md").error().kind, ErrorKind::Invalid);
}

TEST(SpecLoopChecks, SL10_TheIterationIsWhatTheFileShows) {
  const auto repaired = [](const std::string& iteration, const std::string& gaps) {
    const LoopRepair repair = repair_spec_loop(Loop{.iteration = iteration, .gaps = gaps}.text(), "").value();
    return read_spec_loop(repair.bytes, "").value().iteration.number;
  };
  EXPECT_EQ(repaired("12 / 10", "G-1"), 2);  // question C2.1
  EXPECT_EQ(repaired("0 / 10", "G-1"), 2);
  EXPECT_EQ(repaired("5 / 10", "G-1"), 5);  // nothing wrong with it
  const std::string bare = "# Feature Index: x\n## Priority Loop State\n- Loop Status: validating\n";
  const LoopRepair high = repair_spec_loop(bare + "- Current Iteration: 99\n", "").value();
  EXPECT_EQ(read_spec_loop(high.bytes, "").value().iteration.number, 10);
  const LoopRepair none = repair_spec_loop(bare, "").value();
  EXPECT_EQ(none.bytes, bare + "- Current Iteration: 1 / 10\n- Stale Count: 0 / 3\n");
}

TEST(SpecLoopChecks, SL10_WhatIsSoundIsLeftAlone) {
  for (const char* name :
       {"documented_form.md", "wide_template_with_legends.md", "answer_received_not_applied.md"}) {
    const LoopRepair repair = repair_spec_loop(spec_loop_fixture(name), "").value();
    EXPECT_TRUE(repair.changes.empty()) << name;
    EXPECT_EQ(repair.bytes, spec_loop_fixture(name));
  }
}

TEST(SpecLoopChecks, SL10_WhateverIsDamagedARepairIsSoundOrRefused) {
  const std::vector<TestFile> files = own_spec_loop_fixtures();
  std::mt19937 random(12);
  int repaired = 0;
  int refused = 0;
  for (int round = 0; round < 2'000; ++round) {
    std::string bytes = files[random() % files.size()].bytes;
    bytes.erase(random() % bytes.size(), random() % 60);
    const Result<LoopRepair> repair = repair_spec_loop(bytes, "f.md");
    if (!repair) {
      ++refused;
      continue;
    }
    ASSERT_TRUE(read_spec_loop(repair->bytes, "").value().faults.empty()) << repair->bytes;
    ASSERT_EQ(repair->changes.empty(), repair->bytes == bytes) << bytes;
    ASSERT_EQ(repair_spec_loop(repair->bytes, "").value().bytes, repair->bytes);
    ++repaired;
  }
  EXPECT_EQ(repaired + refused, 2'000);
  EXPECT_GT(repaired, 700);
  EXPECT_GT(refused, 150);
}

}  // namespace
}  // namespace reprise
