// Changing a playbook's state file: what is meant changes, in whatever form the file has, and nothing else.

#include "formats/playbook_edit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "formats/oddities_for_tests.h"
#include "formats/playbook_test_files.h"
#include "text/diff.h"
#include "text/document.h"

namespace reprise {
namespace {

const Timestamp kNow = parse_timestamp("2026-06-01T12:00:00Z").value();

// The claims that are there only after, and only before a change.
struct Changed {
  Strings gone;
  Strings come;
};

Changed compare(const std::string& before, const std::string& after) {
  Strings old_lines = claim_lines(read_playbook(before, "").value());
  Strings new_lines = claim_lines(read_playbook(after, "").value());
  std::ranges::sort(old_lines);
  std::ranges::sort(new_lines);
  Changed changed;
  std::ranges::set_difference(old_lines, new_lines, std::back_inserter(changed.gone));
  std::ranges::set_difference(new_lines, old_lines, std::back_inserter(changed.come));
  return changed;
}

// The lines that a change takes away and adds.
std::string diff(const std::string& before, const std::string& after) {
  std::string out;
  const std::string text = unified_diff(before, after, {"a", "b"});
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    const bool is_change =
        (line.starts_with('-') || line.starts_with('+')) && !line.starts_with("---") && !line.starts_with("+++");
    if (is_change) out += line + '\n';
    at = end + 1;
  }
  return out;
}

// One change, applied to a file.
using Change = std::function<Result<std::string>(const std::string&)>;

struct NamedChange {
  std::string name;
  Change make;
};

const std::vector<NamedChange> kChanges = {
    {"status", [](const std::string& b) { return set_header_field(b, {"status", "WAITING_FOR_HUMAN"}); }},
    {"current_stage", [](const std::string& b) { return set_header_field(b, {"current_stage", "testrunner"}); }},
    {"last_updated_at",
     [](const std::string& b) { return set_header_field(b, {"last_updated_at", "2026-06-01T12:00:00Z"}); }},
    {"detail", [](const std::string& b) { return set_detail_field(b, {"job_status", "DONE"}); }},
    {"stage",
     [](const std::string& b) {
       return append_completed_stage(b, {.stage = "programmer",
                                         .completed_at = kNow,
                                         .artifacts = {"src/a|b.py", "c.md"},
                                         .hash = "sha256:ab…"});
     }},
    {"iterations",
     [](const std::string& b) {
       return set_iteration_count(b, {.stage = "programmer", .cycles = 3, .budget = 5, .status = "WITHIN_BUDGET"});
     }},
    {"checkpoint", [](const std::string& b) { return tick_checkpoint(b, "Security sign-off"); }},
    {"note", [](const std::string& b) { return append_note(b, "Resumed at noon."); }},
};

std::vector<TestFile> own_files() {
  std::vector<TestFile> files = playbook_fixtures();
  std::erase_if(files, [](const TestFile& file) { return file.name.starts_with("foreign_"); });
  return files;
}

TEST(PlaybookEdit, F2_EachChangeTouchesItsOwnLineOfTheDocumentedForm) {
  const std::string text = playbook_fixture("documented_form.md");
  const Strings expected = {
      "-- status: IN_PROGRESS\n+- status: WAITING_FOR_HUMAN\n",
      "-- current_stage: programmer\n+- current_stage: testrunner\n",
      "-- last_updated_at: 2026-03-01T11:20:00Z\n+- last_updated_at: 2026-06-01T12:00:00Z\n",
      "-- job_status: RETRYING\n+- job_status: DONE\n",
      "+| programmer | 2026-06-01T12:00:00Z | src/a\\|b.py, c.md | sha256:ab… |\n",
      "-| programmer | 2 | 5 | WITHIN_BUDGET |\n+| programmer | 3 | 5 | WITHIN_BUDGET |\n",
      "-- [ ] Security sign-off\n+- [x] Security sign-off\n",
      "+\n+Resumed at noon.\n",
  };
  for (std::size_t i = 0; i < kChanges.size(); ++i) {
    EXPECT_EQ(diff(text, kChanges[i].make(text).value()), expected[i]) << kChanges[i].name;
  }
}

TEST(PlaybookEdit, F2_EachChangeKeepsTheFormOfAnUnusualFile) {
  const std::string ledger = playbook_fixture("header_as_table_with_ledger.md");
  EXPECT_EQ(diff(ledger, set_header_field(ledger, {"last_updated_at", "now"}).value()),
            "-| Updated At | 2026-04-02 (this session) |\n+| Updated At | now |\n");
  EXPECT_EQ(diff(ledger, set_header_field(ledger, {"status", "IN_PROGRESS"}).value()),
            "+| status | IN_PROGRESS |\n");
  EXPECT_EQ(diff(ledger, append_completed_stage(ledger, {.stage = "architect", .completed_at = kNow}).value()),
            "+| COMPLETE | architect | 2026-06-01T12:00:00Z |  |\n");
  const std::string prose = playbook_fixture("metadata_section_with_prose.md");
  EXPECT_EQ(diff(prose, set_header_field(prose, {"status", "IN_PROGRESS"}).value()),
            "-* **Status:** WAITING_FOR_HUMAN (spec approval, asked twice)\n+* **Status:** IN_PROGRESS\n");
  EXPECT_EQ(diff(prose, set_header_field(prose, {"debug_mode", "on"}).value()), "+* **debug_mode:** on\n");
  const std::string fenced = playbook_fixture("unusual_marks_and_words.md");
  EXPECT_EQ(diff(fenced, set_iteration_count(fenced, {.stage = "code-review", .cycles = 1, .budget = 1}).value()),
            "-| code-review |\n+| code-review | 1 | 1 |\n");
  EXPECT_EQ(diff(fenced, append_completed_stage(fenced, {.stage = "tdd", .completed_at = kNow}).value()),
            "+| tdd | 2026-06-01T12:00:00Z | N/A | N/A |\n");
}

TEST(PlaybookEdit, PB11_ACheckpointAmongTheStagesIsApprovedThere) {
  const std::string text =
      "# Pipeline State\n- current_stage: spec\n## Stage Ledger\n| Stage | Status |\n|---|---|\n| Human Spec "
      "Checkpoint | PENDING |\n";
  const std::string after = tick_checkpoint(text, "Human Spec Checkpoint").value();
  EXPECT_EQ(diff(text, after), "-| Human Spec Checkpoint | PENDING |\n+| Human Spec Checkpoint | APPROVED |\n");
  EXPECT_TRUE(read_playbook(after, "").value().checkpoints.at(0).ticked);
}

TEST(PlaybookEdit, WhatWasWrittenIsReadBackAndTheRestIsAsBefore) {
  int rounds = 0;
  for (const TestFile& file : own_files()) {
    for (const NamedChange& change : kChanges) {
      const std::string after = change.make(file.bytes).value();
      const Changed changed = compare(file.bytes, after);
      // A field stands in the header and in what is made of it; oddities about an old value go with it.
      EXPECT_LE(changed.come.size(), 3u) << file.name << " " << change.name;
      EXPECT_LE(changed.gone.size(), 6u) << file.name << " " << change.name;
      EXPECT_FALSE(changed.come.empty()) << file.name << " " << change.name;
      ++rounds;
    }
  }
  EXPECT_EQ(rounds, 12 * 8);
}

TEST(PlaybookEdit, TheSameChangeTwiceChangesNothingMore) {
  for (const TestFile& file : own_files()) {
    for (const NamedChange& change : kChanges) {
      if (change.name == "stage" || change.name == "note") continue;
      const std::string once = change.make(file.bytes).value();
      EXPECT_EQ(change.make(once).value(), once) << file.name << " " << change.name;
    }
  }
}

TEST(PlaybookEdit, LineEndsStayAsTheyAre) {
  const std::string text = playbook_fixture("crlf_bom_no_final_newline.md");
  for (const NamedChange& change : kChanges) {
    const std::string after = change.make(text).value();
    EXPECT_TRUE(has_byte_order_mark(after));
    const std::vector<TextLine> lines = lines_of(after);
    const auto other = std::ranges::count_if(lines, [](const TextLine& line) {
      return line.ending != LineEnding::CrLf && line.ending != LineEnding::None;
    });
    EXPECT_EQ(other, 0) << change.name;
  }
}

TEST(PlaybookEdit, MissingSectionsAreAdded) {
  std::string text = "# Pipeline State\n- current_stage: tdd\n";
  for (const NamedChange& change : kChanges) text = change.make(text).value();
  const PlaybookClaims claims = read_playbook(text, "").value();
  EXPECT_EQ(claims.status, PlaybookStatus::WaitingForHuman);
  EXPECT_EQ(claims.current_stage, "testrunner");
  EXPECT_EQ(claims.detail.job_status, "done");
  EXPECT_EQ(claims.completed.at(0).artifacts, (Strings{"src/a|b.py", "c.md"}));
  EXPECT_EQ(claims.iterations.at(0).cycles, 3);
  EXPECT_TRUE(claims.checkpoints.at(0).ticked);
  EXPECT_EQ(claims.notes, "Resumed at noon.");
  EXPECT_TRUE(claims.oddities.empty());
}

TEST(PlaybookEdit, PB09_TheResumeNoteIsAParagraphOfItsOwn) {
  const std::string text = playbook_fixture("documented_form.md");
  const std::string note =
      "Resumed from checkpoint at 2026-06-01T12:00:00Z. Prior session ended at stage: programmer.";
  const PlaybookClaims claims = read_playbook(append_note(text, note).value(), "").value();
  EXPECT_TRUE(claims.notes.ends_with("Rounding is decided in the spec.\n\n" + note));
}

TEST(PlaybookEdit, ForeignFilesAreRefused) {
  for (const NamedChange& change : kChanges) {
    EXPECT_EQ(change.make(playbook_fixture("foreign_bold_keys.md")).error().kind, ErrorKind::Invalid);
    EXPECT_EQ(change.make(std::string("# Pipeline State\n- spec_hash: \0", 31)).error().kind, ErrorKind::Corrupt);
  }
}

TEST(PlaybookEdit, AFreshFileSaysWhatItWasToldAndNothingOdd) {
  const NewPlaybook run{.run_id = "r-1",
                        .feature = "061-buoy-map",
                        .spec_version = "0.1.0",
                        .started_at = kNow,
                        .checkpoints = {"Spec approval", "Security sign-off"}};
  const std::string text = new_playbook_file(run);
  const PlaybookClaims claims = read_playbook(text, "").value();
  EXPECT_EQ(claims.status, PlaybookStatus::InProgress);
  EXPECT_EQ(claims.current_stage, "spec");
  EXPECT_EQ(claims.find_field("feature")->value, "061-buoy-map");
  EXPECT_EQ(claims.spec_hash.form, ClaimedHash::None);
  EXPECT_EQ(claims.started_at->time, kNow);
  EXPECT_TRUE(claims.completed.empty());
  EXPECT_EQ(claims.checkpoints.size(), 2u);
  EXPECT_EQ(claims.detail.retry_count, 0);
  EXPECT_TRUE(claims.oddities.empty());
  EXPECT_TRUE(claims.unfilled.empty());
  for (const NamedChange& change : kChanges)
    EXPECT_TRUE(read_playbook(change.make(text).value(), "").value().oddities.empty()) << change.name;
}

TEST(PlaybookEdit, MutatedFilesCanBeChangedToo) {
  const std::vector<TestFile> files = own_files();
  std::mt19937 random(8);
  int rounds = 0;
  for (int round = 0; round < 4'000; ++round) {
    std::string bytes = files[random() % files.size()].bytes;
    bytes.erase(random() % bytes.size(), random() % 60);
    if (!is_playbook(bytes)) continue;
    const NamedChange& change = kChanges[random() % kChanges.size()];
    const Result<std::string> after = change.make(bytes);
    ASSERT_TRUE(after.has_value()) << change.name << "\n" << bytes;
    ASSERT_TRUE(is_playbook(*after)) << change.name << "\n" << bytes << "\n---\n" << *after;
    ++rounds;
  }
  EXPECT_GT(rounds, 3'000);
}

TEST(PlaybookEdit, F2_RealFilesKeepEveryByteThatIsNotTheChange) {
  const std::vector<TestFile> files = playbook_corpus();
  if (files.empty()) GTEST_SKIP() << "there are no real files beside the sources";
  int rounds = 0;
  for (const TestFile& file : files) {
    if (!is_playbook(file.bytes)) continue;
    for (const NamedChange& change : kChanges) {
      const Changed changed = compare(file.bytes, change.make(file.bytes).value());
      EXPECT_LE(changed.gone.size(), 5u) << file.name << " " << change.name;
      EXPECT_LE(std::ranges::count(diff(file.bytes, change.make(file.bytes).value()), '\n'), 6)
          << file.name << " " << change.name;
      ++rounds;
    }
  }
  EXPECT_GE(rounds, 24);
}

}  // namespace
}  // namespace reprise
