// Changing a spec loop's index file: what is meant changes, in whatever form the file has, and nothing else.

#include "formats/spec_loop_edit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "formats/oddities_for_tests.h"
#include "formats/spec_loop_test_files.h"
#include "text/diff.h"
#include "text/document.h"

namespace reprise {
namespace {

const Timestamp kLoopNow = parse_timestamp("2026-06-01T12:00:00Z").value();

SpecLoopClaims read_edited(const std::string& text) { return read_spec_loop(text, "").value(); }

// The claims that are there only after, and only before a change.
struct LoopChanged {
  Strings gone;
  Strings come;
};

LoopChanged compare_loops(const std::string& before, const std::string& after) {
  Strings old_lines = claim_lines(read_edited(before));
  Strings new_lines = claim_lines(read_edited(after));
  std::ranges::sort(old_lines);
  std::ranges::sort(new_lines);
  LoopChanged changed;
  std::ranges::set_difference(old_lines, new_lines, std::back_inserter(changed.gone));
  std::ranges::set_difference(new_lines, old_lines, std::back_inserter(changed.come));
  return changed;
}

// The lines that a change takes away and adds.
std::string loop_diff(const std::string& before, const std::string& after) {
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

struct NamedLoopChange {
  std::string name;
  std::function<Result<std::string>(const std::string&)> make;
  bool repeats = true;  // the same again changes nothing more
};

const std::vector<NamedLoopChange> kLoopChanges = {
    {"status", [](const std::string& b) { return set_loop_field(b, {"loop_status", "validating"}); }},
    {"iteration", [](const std::string& b) { return set_loop_field(b, {"current_iteration", "6 / 10"}); }},
    {"reason", [](const std::string& b) { return set_loop_field(b, {"termination_reason", "max_iterations"}); }},
    {"activity", [](const std::string& b) { return set_last_activity(b, kLoopNow); }},
    {"question",
     [](const std::string& b) {
       return set_question(
           b, {.id = "C6.1", .question = "Which | one?", .gaps = {"G-101", "G-102"}, .options = "a, b"});
     }},
    {"gap", [](const std::string& b) { return add_gap(b, {.id = "G-101", .text = "Rust"}); }, false},
    {"history",
     [](const std::string& b) {
       return append_history(
           b,
           {.gap = "G-100", .iteration = 5, .action = "resolved", .details = "Answer: \"oak\"", .at = kLoopNow});
     },
     false},
    {"document",
     [](const std::string& b) {
       return set_document(
           b, {.document = "spec.md", .status = "incomplete", .path = "specs/x/spec.md", .at = kLoopNow});
     }},
};

TEST(SpecLoopEdit, F2_EachChangeTouchesItsOwnLineOfTheDocumentedForm) {
  const std::string text = spec_loop_fixture("documented_form.md");
  const Strings expected = {
      "-| **Loop Status** | clarifying |\n+| **Loop Status** | validating |\n",
      "-| **Current Iteration** | 2 / 10 |\n+| **Current Iteration** | 6 / 10 |\n",
      "+| **Termination Reason** | max_iterations |\n",
      "-| **Last Updated** | 2026-02-01T10:30:00Z |\n+| **Last Updated** | 2026-06-01T12:00:00Z |\n"
      "-| **Last Activity** | 2026-02-01T10:30:00Z |\n+| **Last Activity** | 2026-06-01T12:00:00Z |\n",
      "+| C6.1 | Which \\| one? | G-101, G-102 | awaiting_answer |\n",
      "+| Important | G-101 | pending |  |\n",
      "+| G-100 | 5 | resolved | Answer: \"oak\" |\n",
      "-| spec.md | present | `specs/005-harbour-login/spec.md` | 2026-02-01T09:10:00Z |\n"
      "+| spec.md | incomplete | `specs/005-harbour-login/spec.md` | 2026-06-01T12:00:00Z |\n",
  };
  ASSERT_EQ(expected.size(), kLoopChanges.size());
  for (std::size_t i = 0; i < kLoopChanges.size(); ++i)
    EXPECT_EQ(loop_diff(text, kLoopChanges[i].make(text).value()), expected[i]) << kLoopChanges[i].name;
}

TEST(SpecLoopEdit, F2_EachChangeKeepsTheFormOfTheOtherShapes) {
  const std::string wide = spec_loop_fixture("wide_template_with_legends.md");
  EXPECT_EQ(loop_diff(wide, set_loop_field(wide, {"current_iteration", "2 / 10"}).value()),
            "-| Current Iteration | 1/10 |\n+| Current Iteration | 2 / 10 |\n");
  EXPECT_EQ(loop_diff(wide, set_loop_field(wide, {"termination_reason", "success"}).value()),
            "+| Termination Reason | success |\n");
  EXPECT_EQ(loop_diff(wide, add_gap(wide, {.id = "G-3", .priority = GapPriority::Minor, .text = "Rust"}).value()),
            "+| G-3 |  |  | Rust | Minor |  |  | pending |\n");
  EXPECT_EQ(loop_diff(wide, set_gap(wide, {.id = "G-001", .status = GapStatus::KnownGap}).value()),
            "-| G-001 | CHK003 | FR-004 | Loudness is open | **Critical** | 0 | C1.1 | clarifying |\n"
            "+| G-001 | CHK003 | FR-004 | Loudness is open | **Critical** | 0 | C1.1 | known_gap |\n");
  EXPECT_EQ(
      loop_diff(wide,
                append_history(
                    wide, {.gap = "G-001", .iteration = 1, .details = "80 dB", .question = "C1.1", .at = kLoopNow})
                    .value()),
      "+| G-001 |  |  |  | 80 dB | C1.1 | 1 | 2026-06-01T12:00:00Z |\n");
  const std::string bullets = spec_loop_fixture("answer_received_not_applied.md");
  EXPECT_EQ(loop_diff(bullets, set_loop_field(bullets, {"loop_status", "validating"}).value()),
            "-- **Loop Status**: clarifying\n+- **Loop Status**: validating\n");
  EXPECT_EQ(loop_diff(bullets, set_loop_field(bullets, {"deferred_minor_gaps", "2"}).value()),
            "+- **Deferred Minor Gaps**: 2\n");
  const std::string headless = spec_loop_fixture("headless_tables_and_numbered_headings.md");
  EXPECT_EQ(loop_diff(headless, set_loop_field(headless, {"loop_status", "validating"}).value()),
            "-| **Loop Status** | spec-writing (second try) |\n+| **Loop Status** | validating |\n");
}

TEST(SpecLoopEdit, SL03_AnAnswerIsKeptInItsRowAndInASectionOfOurOwn) {
  const std::string text = spec_loop_fixture("documented_form.md");
  const std::string after = put_answer(text, {"C2.1", "15 minutes | not more", kLoopNow}).value();
  EXPECT_EQ(loop_diff(text, after),
            "-| C2.1 | How long may a badge be idle? | G-004, G-005 | awaiting_answer |\n"
            "+| C2.1 | How long may a badge be idle? | G-004, G-005 | answered — 15 minutes \\| not more |\n"
            "+\n+## Received Answers\n+\n+| Question | Answer | Received At | Applied |\n"
            "+|----------|--------|-------------|---------|\n"
            "+| C2.1 | 15 minutes \\| not more | 2026-06-01T12:00:00Z | no |\n");
  const SpecLoopClaims claims = read_edited(after);
  EXPECT_TRUE(claims.questions[0].has_unapplied_answer());
  EXPECT_EQ(claims.questions[0].answer, "15 minutes | not more");
  EXPECT_EQ(claims.answers.at(0).answer, "15 minutes | not more");
  EXPECT_EQ(claims.answers.at(0).at->time, kLoopNow);
  EXPECT_TRUE(claims.faults.empty());
  EXPECT_TRUE(claims.oddities.empty());
}

TEST(SpecLoopEdit, SL03_AnAppliedAnswerClosesItsQuestion) {
  const std::string text = spec_loop_fixture("answer_received_not_applied.md");
  const std::string after = mark_applied(text, "C3.1").value();
  EXPECT_EQ(loop_diff(text, after),
            "-| C3.1 | How many buoys? | G-008, G-009 | 10, 100 | answered | 100, and more later |\n"
            "+| C3.1 | How many buoys? | G-008, G-009 | 10, 100 | applied | 100, and more later |\n"
            "-| C3.1 | 100, and more later | 2026-04-01T12:00:00Z | no |\n"
            "+| C3.1 | 100, and more later | 2026-04-01T12:00:00Z | yes |\n");
  EXPECT_FALSE(read_edited(after).questions[1].is_open());
  const std::string documented = spec_loop_fixture("documented_form.md");
  const std::string answered = put_answer(documented, {"C2.1", "15 minutes", kLoopNow}).value();
  const std::string applied = mark_applied(answered, "C2.1").value();
  EXPECT_NE(applied.find("| applied — 15 minutes |"), std::string::npos);
  EXPECT_EQ(read_edited(applied).questions[0].answer, "15 minutes");
  EXPECT_FALSE(read_edited(applied).questions[0].is_open());
}

TEST(SpecLoopEdit, SL03_ANewAnswerReplacesTheOneThatWasNotApplied) {
  const std::string text = spec_loop_fixture("answer_received_not_applied.md");
  const std::string after = put_answer(text, {"C3.1", "200\nor 300", kLoopNow}).value();
  const SpecLoopClaims claims = read_edited(after);
  EXPECT_EQ(claims.answers.size(), 2u);
  EXPECT_EQ(claims.answers[1].answer, "200\nor 300");
  EXPECT_EQ(claims.questions[1].answer, "200\nor 300");
}

TEST(SpecLoopEdit, SL04_WhatWasWrittenIsReadBackAndTheRestIsAsBefore) {
  int rounds = 0;
  for (const TestFile& file : own_spec_loop_fixtures()) {
    for (const NamedLoopChange& change : kLoopChanges) {
      const std::string after = change.make(file.bytes).value();
      const LoopChanged changed = compare_loops(file.bytes, after);
      // A field stands in the list and in what is made of it; faults and oddities about an old value go with it,
      // and a new question may be about gaps that are not listed.
      EXPECT_LE(changed.come.size(), 5u) << file.name << " " << change.name;
      EXPECT_LE(changed.gone.size(), 7u) << file.name << " " << change.name;
      EXPECT_FALSE(changed.come.empty()) << file.name << " " << change.name;
      ++rounds;
    }
  }
  EXPECT_EQ(rounds, 18 * 8);
}

TEST(SpecLoopEdit, TheSameChangeTwiceChangesNothingMore) {
  int rounds = 0;
  for (const TestFile& file : own_spec_loop_fixtures()) {
    for (const NamedLoopChange& change : kLoopChanges) {
      if (!change.repeats) continue;
      const std::string once = change.make(file.bytes).value();
      EXPECT_EQ(change.make(once).value(), once) << file.name << " " << change.name;
      ++rounds;
    }
  }
  EXPECT_EQ(rounds, 18 * 6);
}

TEST(SpecLoopEdit, LineEndsStayAsTheyAre) {
  const std::string text = spec_loop_fixture("crlf_bom_no_final_newline.md");
  std::vector<NamedLoopChange> changes = kLoopChanges;
  changes.push_back({"answer", [](const std::string& b) { return put_answer(b, {"C2.1", "x\ny", kLoopNow}); }});
  for (const NamedLoopChange& change : changes) {
    const std::string after = change.make(text).value();
    EXPECT_TRUE(has_byte_order_mark(after));
    const std::vector<TextLine> lines = lines_of(after);
    const auto other = std::ranges::count_if(lines, [](const TextLine& line) {
      return line.ending != LineEnding::CrLf && line.ending != LineEnding::None;
    });
    EXPECT_EQ(other, 0) << change.name;
  }
}

TEST(SpecLoopEdit, MissingSectionsAreAdded) {
  std::string text = "# Feature Index: x\n## Priority Loop State\n";
  for (const NamedLoopChange& change : kLoopChanges) text = change.make(text).value();
  text = put_answer(text, {"C6.1", "this", kLoopNow}).value();
  const SpecLoopClaims claims = read_edited(text);
  EXPECT_EQ(claims.status, LoopStatus::Validating);
  EXPECT_EQ(claims.iteration.number, 6);
  EXPECT_EQ(claims.termination_reason, "max_iterations");
  EXPECT_EQ(claims.last_activity->time, kLoopNow);
  EXPECT_EQ(claims.questions.at(0).gaps, (Strings{"G-101", "G-102"}));
  EXPECT_EQ(claims.questions.at(0).answer, "this");
  EXPECT_EQ(claims.gaps.at(0).text, "Rust");
  EXPECT_EQ(claims.history.at(0).iteration, 5);
  EXPECT_EQ(claims.documents.at(0).path, "specs/x/spec.md");
  EXPECT_TRUE(claims.oddities.empty());
}

TEST(SpecLoopEdit, WhatIsNotThereOrNotOursIsRefused) {
  const std::string text = spec_loop_fixture("documented_form.md");
  EXPECT_EQ(set_gap(text, {.id = "G-999"}).error().kind, ErrorKind::NotFound);
  EXPECT_EQ(put_answer(text, {"C9.9", "x", kLoopNow}).error().kind, ErrorKind::NotFound);
  EXPECT_EQ(mark_applied(text, "C9.9").error().kind, ErrorKind::NotFound);
  for (const NamedLoopChange& change : kLoopChanges) {
    EXPECT_EQ(change.make(spec_loop_fixture("foreign_no_loop.md")).error().kind, ErrorKind::Invalid);
    EXPECT_EQ(change.make(text + '\0').error().kind, ErrorKind::Corrupt);
  }
}

TEST(SpecLoopEdit, SL04_AFreshFileSaysWhatItWasToldAndNothingOdd) {
  NewSpecLoop loop{.feature = "061-buoy-map",
                   .branch = "061-buoy-map",
                   .description = "Show | all buoys",
                   .spec_path = "specs/061-buoy-map/spec.md",
                   .now = kLoopNow};
  const std::string text = new_spec_loop_file(loop);
  const SpecLoopClaims claims = read_edited(text);
  EXPECT_EQ(claims.feature, "061-buoy-map");
  EXPECT_EQ(claims.find_field("original_description")->value, "Show | all buoys");
  EXPECT_EQ(claims.status, LoopStatus::Scaffolding);
  EXPECT_EQ(claims.iteration.number, 1);
  EXPECT_EQ(claims.last_activity->time, kLoopNow);
  EXPECT_EQ(claims.documents.at(0).status, "absent");
  EXPECT_TRUE(claims.faults.empty());
  EXPECT_TRUE(claims.oddities.empty());
  for (const NamedLoopChange& change : kLoopChanges)
    EXPECT_TRUE(read_edited(change.make(text).value()).oddities.empty()) << change.name;
  loop.status = LoopStatus::NotStarted;
  EXPECT_EQ(read_edited(new_spec_loop_file(loop)).iteration.number, 0);
  EXPECT_TRUE(read_edited(new_spec_loop_file(loop)).faults.empty());
}

TEST(SpecLoopEdit, SL11_AWholeIterationCanBeWritten) {
  std::string text = new_spec_loop_file({.feature = "f", .status = LoopStatus::SpecWriting, .now = kLoopNow});
  text = add_gap(text, {.id = "G-001", .priority = GapPriority::Critical, .text = "Who?"}).value();
  text = set_question(text, {.id = "C1.1", .question = "Who?", .gaps = {"G-001"}}).value();
  text = set_gap(text, {.id = "G-001", .status = GapStatus::Clarifying, .resolution = "Pending C1.1"}).value();
  text = set_loop_field(text, {"loop_status", "clarifying"}).value();
  EXPECT_TRUE(read_edited(text).faults.empty());
  text = put_answer(text, {"C1.1", "the pilot", kLoopNow}).value();
  EXPECT_TRUE(read_edited(text).faults.empty());
  EXPECT_TRUE(read_edited(text).questions[0].has_unapplied_answer());
  text = mark_applied(text, "C1.1").value();
  text = set_gap(text, {.id = "G-001", .status = GapStatus::Resolved, .resolution = "the pilot"}).value();
  text =
      append_history(text, {.gap = "G-001", .action = "resolved", .details = "the pilot", .at = kLoopNow}).value();
  text = set_loop_field(text, {"loop_status", "validating"}).value();
  const SpecLoopClaims claims = read_edited(text);
  EXPECT_TRUE(claims.faults.empty());
  EXPECT_TRUE(claims.oddities.empty());
  EXPECT_FALSE(claims.questions[0].is_open());
  EXPECT_EQ(claims.gaps[0].status, GapStatus::Resolved);
}

TEST(SpecLoopEdit, MutatedFilesCanBeChangedToo) {
  const std::vector<TestFile> files = own_spec_loop_fixtures();
  std::mt19937 random(8);
  int rounds = 0;
  for (int round = 0; round < 4'000; ++round) {
    std::string bytes = files[random() % files.size()].bytes;
    bytes.erase(random() % bytes.size(), random() % 60);
    if (!is_spec_loop(bytes)) continue;
    const NamedLoopChange& change = kLoopChanges[random() % kLoopChanges.size()];
    const Result<std::string> after = change.make(bytes);
    ASSERT_TRUE(after.has_value()) << change.name << "\n" << bytes;
    ASSERT_TRUE(is_spec_loop(*after)) << change.name << "\n" << bytes << "\n---\n" << *after;
    ++rounds;
  }
  EXPECT_GT(rounds, 3'000);
}

}  // namespace
}  // namespace reprise
