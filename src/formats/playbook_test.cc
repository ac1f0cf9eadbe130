// Reading a playbook's state file: what is documented, what is found in the wild, and what is damaged.

#include "formats/playbook.h"

#include <gtest/gtest.h>

#include <random>

#include "formats/oddities_for_tests.h"
#include "formats/playbook_test_files.h"
#include "formats/playbook_words.h"
#include "formats/state_file.h"
#include "model/limits.h"
#include "testing/mutations.h"

namespace reprise {
namespace {

PlaybookClaims book_claims(std::string_view name) {
  Result<PlaybookClaims> claims = read_playbook(playbook_fixture(name), name);
  EXPECT_TRUE(claims.has_value()) << name;
  return claims ? std::move(*claims) : PlaybookClaims{};
}

PlaybookClaims read_book(const std::string& text) {
  Result<PlaybookClaims> claims = read_playbook(text, "f.md");
  EXPECT_TRUE(claims.has_value()) << text;
  return claims ? std::move(*claims) : PlaybookClaims{};
}

Strings stages(const std::vector<ClaimedStage>& rows) {
  Strings names;
  for (const ClaimedStage& row : rows) names.push_back(row.stage);
  return names;
}

void expect_documented_claims(const PlaybookClaims& claims) {
  EXPECT_EQ(claims.header.size(), 10u);
  EXPECT_EQ(claims.find_field("feature")->value, "012-tide-tables");
  EXPECT_EQ(claims.find_field("feature")->line, 4);
  EXPECT_EQ(claims.status, PlaybookStatus::InProgress);
  EXPECT_EQ(claims.current_stage, "programmer");
  EXPECT_EQ(claims.spec_hash.form, ClaimedHash::Complete);
  EXPECT_EQ(claims.started_at->time, parse_timestamp("2026-03-01T08:00:00Z"));
  EXPECT_EQ(stages(claims.completed), (Strings{"spec", "architect", "tdd"}));
  EXPECT_EQ(claims.completed[1].hash.form, ClaimedHash::Abbreviated);
  EXPECT_EQ(claims.completed[1].line, 19);
  EXPECT_EQ(claims.completed[2].artifacts,
            (Strings{"specs/012-tide-tables/test-certification.md", "tests/tides_test.py"}));
  EXPECT_EQ(claims.detail.stage, "programmer");
  EXPECT_EQ(claims.detail.job_status, "retrying");
  EXPECT_EQ(claims.detail.retry_count, 2);
  ASSERT_EQ(claims.iterations.size(), 2u);
  EXPECT_EQ(claims.iterations[1].budget, 5);
  ASSERT_EQ(claims.clusters.size(), 1u);
  EXPECT_EQ(claims.clusters[0].notes, "off by one at | midnight");
  ASSERT_EQ(claims.checkpoints.size(), 4u);
  EXPECT_EQ(claims.checkpoints[1].name, "Architecture sign-off");
  EXPECT_TRUE(claims.checkpoints[1].ticked);
  EXPECT_FALSE(claims.checkpoints[3].ticked);
  EXPECT_TRUE(claims.notes.ends_with("Rounding is decided in the spec."));
  EXPECT_EQ(reasons(claims.oddities), Strings{});
  EXPECT_EQ(reasons(claims.unfilled), Strings{});
}

TEST(Playbook, ReadsTheDocumentedForm) { expect_documented_claims(book_claims("documented_form.md")); }

TEST(Playbook, LineEndsAndByteOrderMarkMakeNoDifference) {
  expect_documented_claims(book_claims("crlf_bom_no_final_newline.md"));
  expect_documented_claims(book_claims("lone_cr_line_ends.md"));
}

TEST(Playbook, TheHeaderMayBeATableAndTheStagesALedger) {
  const PlaybookClaims claims = book_claims("header_as_table_with_ledger.md");
  EXPECT_EQ(claims.find_field("feature")->value, "FEAT-031");
  EXPECT_TRUE(claims.last_updated_at->whole_day);
  EXPECT_EQ(claims.status, PlaybookStatus::Missing);
  EXPECT_EQ(claims.current_stage, "");
  EXPECT_EQ(stages(claims.completed), (Strings{"spec", "red-team", "spec-revision-r2"}));
  EXPECT_EQ(stages(claims.not_completed), (Strings{"architect", "docs"}));
  ASSERT_EQ(claims.checkpoints.size(), 1u);
  EXPECT_TRUE(claims.checkpoints[0].ticked);
  EXPECT_EQ(reasons(claims.oddities),
            (Strings{"17 spec-revision R2: an unknown stage", "19 half way: not a word for the status of a stage",
                     "21 Lamp Oil: an unknown section; it is kept as it is"}));
}

TEST(Playbook, ProseBehindValuesIsKeptApart) {
  const PlaybookClaims claims = book_claims("metadata_section_with_prose.md");
  EXPECT_EQ(claims.status, PlaybookStatus::WaitingForHuman);
  EXPECT_EQ(claims.status_remark, "(spec approval, asked twice)");
  EXPECT_EQ(claims.current_stage, "spec");
  EXPECT_EQ(claims.find_field("current_stage")->value, "spec — a person has to read it first");
  EXPECT_EQ(claims.find_field("owners_watchers")->value, "the harbour master, the night watch");
  EXPECT_EQ(claims.find_field("summary")->value,
            "colours follow the almanac of the northern coast, which changes in autumn");
  EXPECT_EQ(claims.spec_hash.form, ClaimedHash::None);
  EXPECT_EQ(claims.started_at->time, parse_timestamp("2026-05-05T07:00:00Z"));
  EXPECT_FALSE(claims.last_updated_at.has_value());
  EXPECT_EQ(claims.completed[0].artifacts, (Strings{"specs/044/feature.spec.md", "specs/044/api.spec.md"}));
  EXPECT_EQ(reasons(claims.oddities),
            (Strings{"3 Written by the coordinator after every stage.: was not understood; it is kept as it is",
                     "13 yesterday evening: not a point in time", "15 Owners / watchers: an unknown field",
                     "18 Summary: an unknown field", "27 see the notes: names no file"}));
}

TEST(Playbook, MarksFencesAndStrayTextAreNoHindrance) {
  const PlaybookClaims claims = book_claims("unusual_marks_and_words.md");
  EXPECT_EQ(claims.status, PlaybookStatus::InProgress);
  EXPECT_EQ(claims.status_remark, "— third day");
  EXPECT_EQ(claims.current_stage, "code-review");
  EXPECT_EQ(claims.spec_hash.form, ClaimedHash::Complete);
  EXPECT_EQ(stages(claims.completed), (Strings{"spec"}));
  EXPECT_EQ(claims.iterations[0].cycles, 2);
  EXPECT_NE(claims.notes.find("Second notes."), std::string::npos);
  EXPECT_EQ(claims.oddities.size(), 6u);
}

TEST(Playbook, PB02_AHashOfTheWrongLengthIsSaidToBeOne) {
  const PlaybookClaims claims = book_claims("hash_with_63_digits.md");
  EXPECT_EQ(claims.spec_hash.form, ClaimedHash::WrongLength);
  EXPECT_FALSE(claims.spec_hash.digest().has_value());
  ASSERT_EQ(claims.oddities.size(), 1u);
  EXPECT_EQ(claims.oddities[0].why, "has 63 hexadecimal digits, a SHA-256 digest has 64");
}

TEST(Playbook, PB01_OnlyTheSixStatusWordsAreOne) {
  const auto status = [](const std::string& value) {
    return read_book("# Pipeline State\n- current_stage: tdd\n- status: " + value + "\n").status;
  };
  EXPECT_EQ(status("IN_PROGRESS"), PlaybookStatus::InProgress);
  EXPECT_EQ(status("waiting for human"), PlaybookStatus::WaitingForHuman);
  EXPECT_EQ(status("**COMPLETE** (all)"), PlaybookStatus::Complete);
  EXPECT_EQ(status("FAILED — budget"), PlaybookStatus::Failed);
  EXPECT_EQ(status("CANCELLED"), PlaybookStatus::Cancelled);
  EXPECT_EQ(status("ABORTED"), PlaybookStatus::Aborted);
  for (const char* word :
       {"PAUSED", "EXPLORATORY_SPIKE (x)", "", "N/A", "COMPLETE | FAILED", "done", "IN", "<status>"}) {
    EXPECT_EQ(status(word), PlaybookStatus::Unknown) << word;
  }
}

TEST(Playbook, PB01_AMissingOrContradictoryStatusIsNeverAFreshStart) {
  EXPECT_EQ(book_claims("no_status.md").status, PlaybookStatus::Missing);
  EXPECT_EQ(book_claims("only_a_stage_status.md").status, PlaybookStatus::Unknown);
  EXPECT_EQ(book_claims("contradicting_statuses.md").status, PlaybookStatus::Unknown);
  const auto by_stage_status = [](const std::string& value) {
    return read_book("# Pipeline State\n- stage: tdd\n- stage_status: " + value + "\n").status;
  };
  EXPECT_EQ(by_stage_status("IN_PROGRESS"), PlaybookStatus::InProgress);
  EXPECT_EQ(by_stage_status("FAILED"), PlaybookStatus::Unknown);
}

TEST(Playbook, ATemplateClaimsNothing) {
  const PlaybookClaims claims = book_claims("template_not_filled.md");
  EXPECT_EQ(claims.status, PlaybookStatus::Unknown);
  EXPECT_EQ(claims.current_stage, "");
  EXPECT_TRUE(claims.completed.empty());
  EXPECT_EQ(claims.spec_hash.form, ClaimedHash::None);
  EXPECT_EQ(claims.unfilled.size(), 7u);
  EXPECT_EQ(reasons(claims.oddities), Strings{});
}

TEST(Playbook, FilesOfOtherSystemsAreForeign) {
  int foreign = 0;
  for (const TestFile& file : playbook_fixtures()) {
    const bool is_foreign = file.name.starts_with("foreign_");
    EXPECT_EQ(is_playbook(file.bytes), !is_foreign) << file.name;
    if (!is_foreign) continue;
    ++foreign;
    EXPECT_EQ(read_playbook(file.bytes, file.name).error().kind, ErrorKind::Invalid);
  }
  EXPECT_EQ(foreign, 2);
  EXPECT_FALSE(is_playbook(""));
}

TEST(Playbook, WhatIsNotTextIsRefusedWithItsPosition) {
  const std::string text = "# Pipeline State\n- status: X\n- spec_hash: ";
  const Result<PlaybookClaims> nul = read_playbook(text + std::string(3, '\0'), "a.md");
  ASSERT_FALSE(nul.has_value());
  EXPECT_EQ(nul.error().kind, ErrorKind::Corrupt);
  EXPECT_EQ(nul.error().file, "a.md");
  EXPECT_EQ(nul.error().line, 3);
  EXPECT_EQ(nul.error().column, 14);
  EXPECT_EQ(read_playbook(text + "\xC3", "a.md").error().line, 3);
  EXPECT_TRUE(read_playbook(text + "\x1B[0m", "a.md").has_value());
}

TEST(Playbook, P13_AFileThatIsTooLargeIsRefused) {
  const std::string text = "# Pipeline State\n- current_stage: tdd\n";
  std::string bytes = text;
  bytes.resize(kDocumentBytesMax + 1, 'x');
  EXPECT_EQ(read_playbook(bytes, "a.md").error().kind, ErrorKind::Corrupt);
  bytes.pop_back();
  EXPECT_TRUE(read_playbook(bytes, "a.md").has_value());
  const std::string lines = text + std::string(kStateFileLinesMax - 2, '\n');
  EXPECT_TRUE(read_playbook(lines, "a.md").has_value());
  EXPECT_EQ(read_playbook(lines + "\n", "a.md").error().kind, ErrorKind::Corrupt);
}

TEST(Playbook, P13_ManyFieldsRowsAndSectionsAreLinear) {
  for (const std::string piece :
       {"- k: v\n", "## Notes\n", "## X\n", "- [ ] x\n", "x\n", "```\n", "| a |\n", "**k:** v\n"}) {
    std::string text = "# Pipeline State\n- current_stage: tdd\n";
    for (int i = 0; i < 150'000; ++i) text += piece;
    const PlaybookClaims claims = read_book(text + "## Completed Stages\n| Stage |\n|---|\n");
    EXPECT_LE(claims.oddities.size(), 500u);
  }
  std::string rows =
      "# Pipeline State\n- current_stage: tdd\n## Completed Stages\n| Stage | Status |\n|---|---|\n";
  for (int i = 0; i < 65'000; ++i) rows += "| spec | DONE |\n";
  EXPECT_EQ(read_book(rows).completed.size(), 65'000u);
}

// Whatever the bytes, there are claims or one error.
void expect_book_answer(const std::string& bytes) {
  const Result<PlaybookClaims> claims = read_playbook(bytes, "f.md");
  if (!claims) {
    EXPECT_FALSE(claims.error().message.empty());
    return;
  }
  for (const Oddity& oddity : claims->oddities) EXPECT_GE(oddity.line, 1);
  for (const ClaimedField& field : claims->header) EXPECT_GE(field.line, 1);
}

TEST(Playbook, CutAtEveryByteItGivesClaimsOrOneError) {
  std::size_t rounds = 0;
  std::size_t wanted = 0;
  for (const TestFile& file : playbook_fixtures()) {
    wanted += file.bytes.size() + 1;
    for (std::size_t length = 0; length <= file.bytes.size(); ++length, ++rounds) {
      expect_book_answer(file.bytes.substr(0, length));
    }
  }
  EXPECT_EQ(rounds, wanted);
  EXPECT_GT(rounds, 8'000u);
}

TEST(Playbook, MutatedAtRandomItGivesClaimsOrOneError) {
  const std::vector<TestFile> files = playbook_fixtures();
  ASSERT_EQ(files.size(), 14u);
  std::mt19937 random(7);
  int rounds = 0;
  int read_well = 0;
  for (; rounds < 10'000; ++rounds) {
    const std::string bytes = mutated(files[random() % files.size()].bytes, playbook_pieces(), random);
    expect_book_answer(bytes);
    read_well += is_playbook(bytes) ? 1 : 0;
  }
  EXPECT_EQ(rounds, 10'000);
  EXPECT_GT(read_well, 5'000);
}

TEST(Playbook, RealFilesAreReadOrForeign) {
  const std::vector<TestFile> files = playbook_corpus();
  if (files.empty()) GTEST_SKIP() << "there are no real files beside the sources";
  int read_well = 0;
  for (const TestFile& file : files) {
    const Result<PlaybookClaims> claims = read_playbook(file.bytes, file.name);
    if (!claims) continue;
    ++read_well;
    EXPECT_FALSE(claims->header.empty()) << file.name;
    EXPECT_FALSE(claims->completed.empty()) << file.name;
    EXPECT_LE(claims->oddities.size(), 5u) << file.name;
  }
  EXPECT_EQ(read_well, static_cast<int>(files.size()) - 1);
}

}  // namespace
}  // namespace reprise
