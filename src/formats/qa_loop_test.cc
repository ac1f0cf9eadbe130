// The status of a QA loop in its dialects: what is claimed and what is refused.

#include "formats/qa_loop.h"

#include "formats/orchestrator_test_files.h"

namespace reprise {
namespace {

QaLoopClaims read_loop(const std::string& bytes) {
  Result<QaLoopClaims> found = read_qa_loop(bytes, "loop-status.json");
  EXPECT_TRUE(found.has_value()) << bytes << (found ? "" : found.error().message);
  return found ? std::move(*found) : QaLoopClaims{};
}

TEST(QaLoop, OR06_IterationVerdictAndHistoryAreClaimed) {
  const QaLoopClaims loop = read_loop(kReferenceLoop);
  EXPECT_EQ(loop.dialect, "reference");
  EXPECT_EQ(loop.story, "2.10");
  EXPECT_EQ(loop.status, QaLoopStatus::InProgress);
  EXPECT_EQ(loop.iteration, 2);
  EXPECT_EQ(loop.iterations_max, 5);
  EXPECT_EQ(loop.updated_at->time, at("2026-03-01T09:00:00Z"));
  ASSERT_EQ(loop.history.size(), 2u);
  EXPECT_EQ(loop.history[0].iteration, 1);
  EXPECT_EQ(loop.history[0].verdict, QaVerdict::Reject);
  EXPECT_EQ(loop.history[0].issues_found, 3);
  EXPECT_EQ(loop.history[0].fixed_at->time, at("2026-03-01T08:50:00Z"));
  EXPECT_EQ(loop.history[1].verdict, QaVerdict::None) << "a review that did not end";
  EXPECT_FALSE(loop.history[1].interrupted);
  EXPECT_EQ(loop.last_verdict, QaVerdict::None);
  EXPECT_TRUE(loop.oddities.empty());
}

TEST(QaLoop, TheOtherDialectsSayTheSameInTheirWords) {
  const QaLoopClaims compact = read_loop(kCompactLoop);
  EXPECT_EQ(compact.dialect, "compact");
  EXPECT_EQ(compact.status, QaLoopStatus::InProgress);
  EXPECT_EQ(compact.iteration, 1);
  EXPECT_EQ(compact.last_verdict, QaVerdict::None);
  const QaLoopClaims fork = read_loop(kForkLoop);
  EXPECT_EQ(fork.dialect, "fork");
  EXPECT_EQ(fork.story, "QUAY-3");
  EXPECT_EQ(fork.status, QaLoopStatus::InProgress);
  EXPECT_EQ(fork.status_word, "in_review");
  EXPECT_EQ(fork.iteration, 2);
}

TEST(QaLoop, EveryWordOfAStatusIsOne) {
  const std::vector<std::pair<std::string, QaLoopStatus>> words = {{"idle", QaLoopStatus::Idle},
                                                                   {"pending", QaLoopStatus::Pending},
                                                                   {"in_progress", QaLoopStatus::InProgress},
                                                                   {"Running", QaLoopStatus::InProgress},
                                                                   {"in_review", QaLoopStatus::InProgress},
                                                                   {"completed", QaLoopStatus::Completed},
                                                                   {"complete", QaLoopStatus::Completed},
                                                                   {"stopped", QaLoopStatus::Stopped},
                                                                   {"paused", QaLoopStatus::Stopped},
                                                                   {"ESCALATED", QaLoopStatus::Escalated},
                                                                   {"adrift", QaLoopStatus::Unknown},
                                                                   {"", QaLoopStatus::Missing},
                                                                   {"running | paused", QaLoopStatus::Missing}};
  for (const auto& [word, status] : words) {
    EXPECT_EQ(read_loop("{\"storyId\": \"a\", \"iteration\": 0, \"status\": \"" + word + "\"}").status, status)
        << word;
  }
  EXPECT_EQ(words.size(), 13u);
}

TEST(QaLoop, WhatIsNotUnderstoodIsListedWithItsLine) {
  const QaLoopClaims loop = read_loop(
      "{\n\"storyId\": \"STORY-{id}\",\n\"currentIteration\": \"two\",\n\"status\": \"stopped\",\n\"status\": "
      "\"escalated\",\n\"escalationReason\": \"max_iterations_reached\",\n\"history\": [7, {\"verdict\": "
      "\"PASS\", "
      "\"issues\": [1, 2], \"interruptedAt\": \"2026-03-01T00:00:00Z\"}]}");
  EXPECT_EQ(loop.status, QaLoopStatus::Escalated) << "the last one counts";
  EXPECT_EQ(loop.escalation, "max_iterations_reached");
  ASSERT_EQ(loop.history.size(), 1u);
  EXPECT_EQ(loop.history[0].issues_found, 2);
  EXPECT_TRUE(loop.history[0].interrupted);
  EXPECT_EQ(loop.history[0].verdict, QaVerdict::Unknown) << "a gate's word is not one of a review";
  EXPECT_EQ(reasons(loop.oddities),
            (Strings{"2 STORY-{id}: a template that was not filled in", "3 two: not a number",
                     "5 status: this key stands there twice; the last one counts",
                     "7 7: not an entry of the history", "7 PASS: an unknown word; it is kept as it is"}));
}

TEST(QaLoop, OR14_ATornFileIsCorruptWithItsPlaceAtEveryByte) {
  std::size_t torn = 0;
  for (const std::string& file : {kReferenceLoop, kCompactLoop, kForkLoop}) {
    const std::size_t whole = file.find_last_of('}') + 1;
    for (std::size_t size = 0; size < whole; ++size) {
      const Result<QaLoopClaims> found = read_qa_loop(file.substr(0, size), "loop-status.json");
      ASSERT_FALSE(found.has_value()) << size;
      EXPECT_EQ(found.error().kind, ErrorKind::Corrupt) << size;
      EXPECT_EQ(found.error().line > 0, size > 0) << size;
      ++torn;
    }
  }
  EXPECT_EQ(torn, kReferenceLoop.size() + kCompactLoop.size() + kForkLoop.size() - 1);
}

TEST(QaLoop, ForeignFilesAreInvalid) {
  int files = 0;
  for (const std::string bytes :
       {"{}", "[]", "{\"status\": \"ok\"}", "{\"iteration\": 1}", "{\"loops\": []}", "7"}) {
    const Result<QaLoopClaims> found = read_qa_loop(bytes, "x.json");
    ASSERT_FALSE(found.has_value()) << bytes;
    EXPECT_EQ(found.error().kind, ErrorKind::Invalid) << bytes;
    EXPECT_EQ(found.error().message, "is not a QA loop's status");
    ++files;
  }
  EXPECT_EQ(files, 6);
}

TEST(QaLoop, RealFilesAreAnIdleLoopAndATemplate) {
  const std::vector<TestFile> files = orchestrator_corpus("qa-loop-status");
  if (files.size() != 2) GTEST_SKIP() << "there are no real files beside the sources";
  EXPECT_EQ(read_loop(files[0].bytes).status, QaLoopStatus::Idle);
  EXPECT_TRUE(read_loop(files[0].bytes).oddities.empty());
  EXPECT_EQ(read_loop(files[1].bytes).status, QaLoopStatus::Missing);
  EXPECT_EQ(read_loop(files[1].bytes).last_verdict, QaVerdict::None);
  EXPECT_EQ(read_loop(files[1].bytes).oddities.size(), 3u);
}

}  // namespace
}  // namespace reprise
