// What is read of many files to list them is what the whole reading gives: for every fixture, for each of them cut
// at every byte, and for damaged ones.

#include <gtest/gtest.h>

#include "formats/playbook.h"
#include "formats/playbook_test_files.h"
#include "formats/spec_loop.h"
#include "formats/spec_loop_test_files.h"
#include "testing/mutations.h"

namespace reprise {
namespace {

constexpr int kMutations = 2'000;

// What read_playbook_standing() leaves out, taken out of the whole.
PlaybookClaims only_standing(PlaybookClaims claims) {
  std::erase_if(claims.header, [](const ClaimedField& field) {
    return field.key != "status" && field.key != "stage_status" && field.key != "current_stage" &&
           field.key != "last_updated_at";
  });
  PlaybookClaims kept{.header = std::move(claims.header),
                      .status = claims.status,
                      .status_remark = claims.status_remark,
                      .current_stage = claims.current_stage,
                      .last_updated_at = claims.last_updated_at};
  if (claims.status != PlaybookStatus::WaitingForHuman) return kept;
  kept.completed = std::move(claims.completed);
  kept.not_completed = std::move(claims.not_completed);
  kept.checkpoints = std::move(claims.checkpoints);
  return kept;
}

SpecLoopClaims only_standing(SpecLoopClaims claims) {
  claims.documents.clear();
  claims.workflows.clear();
  claims.oddities.clear();
  claims.unfilled.clear();
  for (ClaimedGap& gap : claims.gaps) gap.text.clear();
  for (ClaimedQuestion& question : claims.questions) {
    question.question.clear();
    question.options.clear();
  }
  return claims;
}

std::optional<ClaimedTime> last_time(const PlaybookClaims& claims) { return claims.last_updated_at; }
std::optional<ClaimedTime> last_time(const SpecLoopClaims& claims) { return claims.last_activity; }
int lines_given(const PlaybookClaims& claims) {
  int sum = 0;
  for (const ClaimedField& field : claims.header) sum += field.line;
  for (const ClaimedCheckpoint& box : claims.checkpoints) sum += box.line;
  return sum;
}
int lines_given(const SpecLoopClaims& claims) {
  int sum = claims.status_line;
  for (const LoopFault& fault : claims.faults) sum += fault.line;
  return sum;
}

template <typename Claims>
void expect_same(const Result<Claims>& standing, Result<Claims> whole, const std::string& what) {
  ASSERT_EQ(standing.has_value(), whole.has_value()) << what;
  if (!whole) {
    EXPECT_EQ(standing.error().kind, whole.error().kind) << what;
    EXPECT_EQ(standing.error().message, whole.error().message) << what;
    EXPECT_EQ(standing.error().line, whole.error().line) << what;
    return;
  }
  const Claims wanted = only_standing(std::move(*whole));
  EXPECT_EQ(claim_lines(*standing), claim_lines(wanted)) << what;
  EXPECT_EQ(lines_given(*standing), lines_given(wanted)) << what;
  ASSERT_EQ(last_time(*standing).has_value(), last_time(wanted).has_value()) << what;
  if (!last_time(wanted)) return;
  EXPECT_EQ(last_time(*standing)->time, last_time(wanted)->time) << what;
}

template <typename Check>
void for_each_damage(const std::vector<TestFile>& files, const std::vector<std::string>& pieces, Check check) {
  std::mt19937 random(4711);
  int cuts = 0;
  for (const TestFile& file : files) {
    for (std::size_t end = 0; end <= file.bytes.size(); ++end, ++cuts) {
      check(file.bytes.substr(0, end), file.name + " cut at " + std::to_string(end));
    }
  }
  EXPECT_GT(cuts, 8'000);
  for (int i = 0; i < kMutations; ++i) {
    const TestFile& file = files[static_cast<std::size_t>(i) % files.size()];
    std::string bytes = mutated(file.bytes, pieces, random);
    if (!bytes.empty() && i % 2 == 0) bytes = damaged(bytes, kDamages[random() % kDamages.size()], random);
    check(bytes, file.name + " mutated, " + std::to_string(i));
  }
}

TEST(Standing, OfAPlaybookIsWhatTheWholeReadingGives) {
  for_each_damage(playbook_fixtures(), playbook_pieces(), [](const std::string& bytes, const std::string& what) {
    expect_same(read_playbook_standing(bytes, "f"), read_playbook(bytes, "f"), what);
    std::string waiting = bytes;
    if (const std::size_t at = waiting.find("IN_PROGRESS"); at != std::string::npos) {
      waiting.replace(at, 11, "WAITING_FOR_HUMAN");
      expect_same(read_playbook_standing(waiting, "f"), read_playbook(waiting, "f"), what + ", waiting");
    }
  });
}

TEST(Standing, OfASpecLoopIsWhatTheWholeReadingGives) {
  for_each_damage(spec_loop_fixtures(), spec_loop_pieces(), [](const std::string& bytes, const std::string& what) {
    expect_same(read_spec_loop_standing(bytes, "f"), read_spec_loop(bytes, "f"), what);
  });
}

TEST(Standing, PB01_AFileThatEndsInItsTitleIsCutOffAndNotForeign) {
  for (const char* bytes : {"", " \n\n", "#", "# Pipe", "# Pipeline State", "# Pipeline State\n\n",
                            "\xEF\xBB\xBF# Pi", "# Pipeline State: 001-berths"}) {
    EXPECT_EQ(read_playbook(bytes, "f").error().kind, ErrorKind::Corrupt) << bytes;
    EXPECT_FALSE(is_playbook(bytes)) << bytes;
  }
  for (const char* bytes : {"# Notes", "Pipeline", "## Pipeline State", "# Pipeline State\n\nSome prose.\n",
                            "# Pipe\nx", "# Feature Index"}) {
    EXPECT_EQ(read_playbook(bytes, "f").error().kind, ErrorKind::Invalid) << bytes;
  }
}

TEST(Standing, SL01_AnIndexThatEndsInItsTitleIsCutOffAndNotForeign) {
  for (const char* bytes : {"", "\r\n", "# Feature I", "# Feature Index", "# Feature Index: 005-tide-al",
                            "# Feature Index: 005-tide-alarm\n"}) {
    EXPECT_EQ(read_spec_loop(bytes, "f").error().kind, ErrorKind::Corrupt) << bytes;
    EXPECT_FALSE(is_spec_loop(bytes)) << bytes;
  }
  for (const char* bytes : {"# Features", "# Feature Index: x\n\nprose\n", "# Pipeline State", "x"}) {
    EXPECT_EQ(read_spec_loop(bytes, "f").error().kind, ErrorKind::Invalid) << bytes;
  }
}

}  // namespace
}  // namespace reprise
