#include "formats/worker_result.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

TEST(WorkerResult, EveryFieldOfTheContractIsRead) {
  const Result<WorkerResult> result = parse_worker_result(
      R"({"status":"needs_human","summary":"s","artifacts":["a","b"],"verdict":"good",
          "gaps":[{"id":"g1","priority":"Critical","text":"t"}],
          "questions":[{"id":"q1","text":"x?","gaps":["g1"],"options":["y","n"]}],
          "tasks":[],"retry_at":"2026-11-15T10:00:00Z","cost":{"usd":1.5,"tokens":12},"unknown":{"x":1}})");
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->status, WorkerResult::Status::NeedsHuman);
  EXPECT_EQ(result->artifacts.size(), 2u);
  EXPECT_EQ(result->gaps.at(0).priority, "Critical");
  EXPECT_EQ(result->questions.at(0).options.size(), 2u);
  EXPECT_TRUE(result->retry_at);
  EXPECT_DOUBLE_EQ(result->cost_usd, 1.5);
  EXPECT_EQ(result->tokens, 12);
}

TEST(WorkerResult, NothingIsNeededAndNullMeansNothing) {
  ASSERT_TRUE(parse_worker_result("{}"));
  EXPECT_EQ(parse_worker_result("{}")->status, WorkerResult::Status::Unsaid);
  EXPECT_TRUE(parse_worker_result(R"({"status":null,"artifacts":null,"cost":null,"retry_at":null})"));
}

TEST(WorkerResult, HalfAResultIsNotAResult) {
  for (const char* bad : {"",
                          "null",
                          "[]",
                          "3",
                          "{",
                          R"({"status":"perhaps"})",
                          R"({"status":5})",
                          R"({"artifacts":"a"})",
                          R"({"artifacts":[1]})",
                          R"({"gaps":[{"priority":"Huge"}]})",
                          R"({"questions":[{"text":"no id"}]})",
                          R"({"questions":[{"id":"\u001b]52;c;x\u0007"}]})",
                          R"({"questions":[{"id":"-x"}]})",
                          R"({"questions":[{"id":"a b"}]})",
                          R"({"questions":["q"]})",
                          R"({"retry_at":"soon"})",
                          R"({"cost":5})",
                          R"({"cost":{"usd":-1}})",
                          R"({"cost":{"usd":"1"}})",
                          R"({"a":1} {"b":2})"}) {
    const Result<WorkerResult> result = parse_worker_result(bad);
    ASSERT_FALSE(result) << bad;
    EXPECT_EQ(result.error().kind, ErrorKind::Invalid);
  }
  EXPECT_FALSE(parse_worker_result(std::string(200, '[')));
}

}  // namespace
}  // namespace reprise
