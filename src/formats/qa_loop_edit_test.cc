// Changing the status of a QA loop: in its dialect's keys and words, and no other line.

#include "formats/qa_loop_edit.h"

#include "formats/orchestrator_test_files.h"
#include "formats/qa_loop.h"

namespace reprise {
namespace {

std::string changed(const std::string& bytes, const QaLoopChange& what) {
  const Result<std::string> after = change_qa_loop(bytes, what);
  EXPECT_TRUE(after.has_value()) << (after ? "" : after.error().message);
  if (!after) return "";
  EXPECT_EQ(change_qa_loop(*after, what).value(), *after) << "the same twice is once";
  return *after;
}

std::string change_loop(const std::string& bytes, const QaLoopChange& what) {
  return changed_lines(bytes, changed(bytes, what));
}

TEST(QaLoopEdit, F2_EachChangeTouchesItsOwnLine) {
  EXPECT_EQ(change_loop(kReferenceLoop, {.status = QaLoopStatus::Stopped}),
            "-  \"status\": \"in_progress\",\n+  \"status\": \"stopped\",\n");
  EXPECT_EQ(change_loop(kReferenceLoop, {.iteration = 3, .updated_at = at("2026-03-01T10:00:00Z")}),
            "-  \"currentIteration\": 2,\n+  \"currentIteration\": 3,\n"
            "-  \"updatedAt\": \"2026-03-01T09:00:00.000Z\",\n+  \"updatedAt\": \"2026-03-01T10:00:00Z\",\n");
  EXPECT_EQ(change_loop(kReferenceLoop,
                        {.reviews = {{.iteration = 2, .verdict = QaVerdict::Approve, .issues_found = 0}}}),
            "-      \"verdict\": null\n+      \"verdict\": \"APPROVE\",\n+      \"issuesFound\": 0\n");
  EXPECT_EQ(change_loop(kReferenceLoop, {.status = QaLoopStatus::Escalated,
                                         .escalation = "verdict_blocked",
                                         .escalated_at = at("2026-03-01T10:00:00Z")}),
            "-  \"status\": \"in_progress\",\n+  \"status\": \"escalated\",\n"
            "-  ]\n+  ],\n+  \"escalationReason\": \"verdict_blocked\",\n"
            "+  \"escalatedAt\": \"2026-03-01T10:00:00Z\"\n");
}

TEST(QaLoopEdit, OR06_AReviewThatIsRepeatedAfterACrashIsNotCountedTwice) {
  const QaLoopChange start{
      .iteration = 2,
      .reviews = {{.iteration = 2, .verdict = QaVerdict::None, .reviewed_at = at("2026-03-01T11:00:00Z")}}};
  const std::string again = changed(kReferenceLoop, start);
  const QaLoopClaims claims = read_qa_loop(again, "").value();
  EXPECT_EQ(claims.history.size(), 2u);
  EXPECT_EQ(claims.iteration, 2);
  const QaLoopChange next{.iteration = 3, .reviews = {{.iteration = 3, .verdict = QaVerdict::None}}};
  EXPECT_EQ(change_loop(kReferenceLoop, next),
            "-  \"currentIteration\": 2,\n+  \"currentIteration\": 3,\n"
            "+      \"verdict\": null\n+    },\n+    {\n+      \"iteration\": 3,\n");
}

TEST(QaLoopEdit, EachDialectHasItsKeysAndWords) {
  const QaLoopChange done{.status = QaLoopStatus::Completed,
                          .iteration = 2,
                          .updated_at = at("2026-03-01T10:00:00Z"),
                          .last_verdict = QaVerdict::Approve,
                          .reviews = {{.iteration = 2, .verdict = QaVerdict::Approve}}};
  EXPECT_EQ(
      changed(kCompactLoop, done),
      "{\r\n\t\"storyId\": \"QUAY-3\",\r\n\t\"iteration\": 2,\r\n\t\"maxIterations\": 5,\r\n\t\"status\": "
      "\"complete\",\r\n\t\"lastVerdict\": \"APPROVE\",\r\n\t\"history\": [\r\n\t\t{\r\n\t\t\t\"iteration\": "
      "2,\r\n\t\t\t\"verdict\": \"APPROVE\"\r\n\t\t}\r\n\t]\r\n}");
  EXPECT_EQ(
      changed(kForkLoop, done),
      R"({"story_id": "QUAY-3", "iteration": 2, "status": "completed", "issues_open": 1, "issues_resolved": 4})");
  EXPECT_EQ(change_loop(kCompactLoop, {.status = QaLoopStatus::InProgress}), "") << "running says it";
  EXPECT_EQ(change_loop(kForkLoop, {.status = QaLoopStatus::InProgress}), "") << "in_review says it";
}

TEST(QaLoopEdit, ANewFileIsInTheReferenceDialect) {
  const std::string bytes = new_qa_loop({.story = "2.10", .started_at = at("2026-03-01T08:00:00Z")});
  EXPECT_EQ(bytes, R"({
  "storyId": "2.10",
  "currentIteration": 0,
  "maxIterations": 5,
  "status": "pending",
  "startedAt": "2026-03-01T08:00:00Z",
  "updatedAt": "2026-03-01T08:00:00Z",
  "history": []
}
)");
  const QaLoopClaims claims = read_qa_loop(bytes, "").value();
  EXPECT_EQ(claims.dialect, "reference");
  EXPECT_EQ(claims.story, "2.10");
  const QaLoopClaims later =
      read_qa_loop(changed(bytes, {.iteration = 1, .reviews = {{.iteration = 1, .verdict = QaVerdict::Reject}}}),
                   "")
          .value();
  EXPECT_EQ(later.last_verdict, QaVerdict::Reject);
}

const auto kReadLoop = [](const std::string& bytes) { return read_qa_loop(bytes, "l.json"); };
const auto kChangeLoop = [](const std::string& bytes) {
  return change_qa_loop(bytes, {.status = QaLoopStatus::Stopped,
                                .iteration = 3,
                                .updated_at = at("2026-03-02T00:00:00Z"),
                                .last_verdict = QaVerdict::Blocked,
                                .escalation = "a \"b\"\n",
                                .reviews = {{.iteration = 3, .verdict = QaVerdict::Blocked, .issues_found = 2}}});
};

TEST(QaLoopEdit, F1_AFileCutAtEveryByteIsWholeOrRefused) {
  int rounds = 0, changes = 0;
  for (const std::string& file : {kReferenceLoop, kCompactLoop, kForkLoop}) {
    const Survival count = survive_cuts(file, kReadLoop, kChangeLoop);
    rounds += count.rounds;
    changes += count.changed;
  }
  EXPECT_EQ(rounds, static_cast<int>(kReferenceLoop.size() + kCompactLoop.size() + kForkLoop.size()) + 3);
  EXPECT_EQ(changes, 4) << "each whole file, and one that lacks its last line end";
}

TEST(QaLoopEdit, F2_TenThousandMutationsAreReadOrRefused) {
  const Survival count =
      survive_mutations({kReferenceLoop, kCompactLoop, kForkLoop}, 10'000, kReadLoop, kChangeLoop);
  EXPECT_EQ(count.rounds, 10'000);
  EXPECT_EQ(count.read + count.refused, 10'000);
  EXPECT_GT(count.changed, 300);
}

}  // namespace
}  // namespace reprise
