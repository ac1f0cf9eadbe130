// One attempt: what a worker is given, and what its end means.

#include "executor/attempt.h"

#include <gtest/gtest.h>

#include "testing/builders.h"
#include "testing/memory_file_system.h"

namespace reprise {
namespace {

class AttemptTest : public testing::Test {
 protected:
  /// An attempt of the only step, started.
  void given(Stage stage) {
    workflow_ = workflow({std::move(stage)});
    history_.emplace("demo/x", std::map<std::string, std::string>{{"target", "t1"}});
    prepare();
    history_->add(prepared_.event);
  }
  void prepare() {
    graph_.emplace(workflow_, history_->state());
    const Result<PreparedAttempt> prepared = attempts_.prepare(*graph_, leaf(), history_->state());
    ASSERT_TRUE(prepared) << prepared.error().message;
    prepared_ = *prepared;
  }
  int leaf() const { return graph_->leaves().front(); }
  std::string path() const { return graph_->node(leaf()).path.text; }
  void result(std::string bytes) {
    files_.put("/store/attempts/demo/x/" + path() + "/1/result.json", std::move(bytes));
  }
  AttemptFinished end(ExitRecord record) {
    const Result<ConcludedAttempt> concluded = attempts_.conclude(*graph_, leaf(), history_->state(), record);
    EXPECT_TRUE(concluded) << concluded.error().message;
    more_ = concluded->more;
    return concluded->event;
  }
  static ExitRecord exit(int code) { return {.attempt = "a#1", .exit_code = code, .ended_at = {}}; }
  std::string variable(const std::string& name) const {
    for (const std::string& entry : prepared_.spec.environment) {
      if (entry.starts_with(name + "=")) return entry.substr(name.size() + 1);
    }
    return "(not set)";
  }

  MemoryFileSystem files_;
  RunSetup setup_{
      .project = "/project", .store = "/store", .config = {}, .environment = {}, .actor = "ana", .owner = "h:1"};
  Workflow workflow_;
  Attempts attempts_{setup_, workflow_, files_};
  std::optional<History> history_;
  std::optional<Graph> graph_;
  PreparedAttempt prepared_;
  std::vector<Event> more_;
};

// ---- before

TEST_F(AttemptTest, AWorkerIsToldWhoItIs) {
  given(step("a").each({"x"}).makes("out-{item}"));
  EXPECT_EQ(prepared_.spec.attempt, "a/x#1");
  EXPECT_EQ(prepared_.spec.directory, "/project");
  EXPECT_EQ(variable("REPRISE_RUN"), "demo/x");
  EXPECT_EQ(variable("REPRISE_STAGE"), "a");
  EXPECT_EQ(variable("REPRISE_STEP"), "a/x");
  EXPECT_EQ(variable("REPRISE_ATTEMPT"), "1");
  EXPECT_EQ(variable("REPRISE_LANE"), "-");
  EXPECT_EQ(variable("REPRISE_KEY"), "demo/x:a/x") << "the same for every attempt";
  EXPECT_EQ(variable("item"), "x");
  EXPECT_TRUE(files_.content(variable("REPRISE_BRIEF")));
  EXPECT_TRUE(files_.content(variable("REPRISE_CONTEXT")));
  EXPECT_FALSE(files_.content(variable("REPRISE_RESULT")));
}

TEST_F(AttemptTest, ACommandThatCanReadNothingGetsNoFiles) {
  given(step("a").runs({"true"}));
  EXPECT_EQ(variable("REPRISE_BRIEF"), "(not set)");
  EXPECT_TRUE(files_.list("/store").value().empty());
}

TEST_F(AttemptTest, ValuesEnterAnArgvWithinTheirElementAndAShellLineNever) {
  given(step("a").runs({"make", "--for={target} x"}));
  EXPECT_EQ(prepared_.spec.argv, (std::vector<std::string>{"make", "--for=t1 x"}));
  StageBuilder line = step("a");
  line.stage().command = {.line = "echo {target} \"$target\"", .argv = {}};
  given(line);
  EXPECT_EQ(prepared_.spec.argv, (std::vector<std::string>{"/bin/sh", "-c", "echo {target} \"$target\""}));
  EXPECT_EQ(variable("target"), "t1");
}

TEST_F(AttemptTest, P37_AValueCannotMakeAProgramLoadCode) {
  workflow_ = workflow({step("a").makes("out")});
  history_.emplace("demo/x", std::map<std::string, std::string>{{"LD_PRELOAD", "/tmp/evil.so"}, {"ok", "1"}});
  prepare();
  EXPECT_EQ(variable("LD_PRELOAD"), "(not set)");
  EXPECT_EQ(variable("ok"), "1");
}

TEST_F(AttemptTest, ItIsRecordedWithItsInputsAndWhatWasThereBefore) {
  files_.put("/project/in", "1");
  files_.put("/project/checked", "old");
  given(step("a").reads("in").reads("nowhere").makes("checked", must_match("END")).makes("plain"));
  ASSERT_EQ(prepared_.event.inputs.size(), 2u);
  EXPECT_EQ(prepared_.event.inputs[0].digest, to_text(digest_of("1")));
  EXPECT_EQ(prepared_.event.inputs[1].digest, "");
  ASSERT_EQ(prepared_.event.before.size(), 1u) << "only what has a declared check";
  EXPECT_EQ(prepared_.event.before[0].digest, to_text(digest_of("old")));
}

TEST_F(AttemptTest, TheWorkerOfARoleComesFromTheConfiguration) {
  Worker worker;
  worker.command.argv = {"agent"};
  worker.timeout = Duration(9'000);
  worker.retries = 4;
  worker.env = {"API_KEY"};
  setup_.config.roles["review"] = worker;
  setup_.environment = {{"API_KEY", "sk-123456789"}, {"OTHER_KEY", "zz-123456789"}};
  StageBuilder builder("a");
  builder.stage().role = "review";
  given(builder);
  EXPECT_EQ(prepared_.spec.argv, (std::vector<std::string>{"agent"}));
  EXPECT_EQ(prepared_.spec.timeout_ms, 9'000);
  EXPECT_EQ(attempts_.retries_of(workflow_.stages[0]), 4);
  EXPECT_EQ(variable("API_KEY"), "sk-123456789");
  EXPECT_EQ(variable("OTHER_KEY"), "(not set)");
  EXPECT_EQ(prepared_.spec.secrets, (std::vector<std::string>{"sk-123456789", "zz-123456789"}));
}

// ---- after

TEST_F(AttemptTest, WithoutAResultTheExitCodeSpeaks) {
  given(step("a"));
  EXPECT_EQ(end(exit(0)).outcome, AttemptOutcome::Done);
  EXPECT_EQ(end(exit(75)).outcome, AttemptOutcome::Later);
  EXPECT_EQ(end(exit(1)).outcome, AttemptOutcome::Failed);
  EXPECT_EQ(end(exit(1)).reason, "exit 1");
  EXPECT_EQ(end({.attempt = "a#1", .signal = 9, .ended_at = {}}).reason, "ended by signal 9");
  EXPECT_EQ(end({.attempt = "a#1", .signal = 15, .timed_out = true, .ended_at = {}}).outcome,
            AttemptOutcome::TimedOut);
  EXPECT_EQ(end({.attempt = "a#1", .signal = 15, .stopped = true, .ended_at = {}}).outcome,
            AttemptOutcome::Stopped);
  EXPECT_EQ(end({.attempt = "a#1", .start_error = "no such file", .ended_at = {}}).reason, "no such file");
}

TEST_F(AttemptTest, WhatWasSeenOutranksWhatWasSaid) {
  given(step("a").makes("out"));
  result(R"({"status":"done"})");
  EXPECT_EQ(end(exit(1)).outcome, AttemptOutcome::Failed);
  EXPECT_EQ(end(exit(0)).outcome, AttemptOutcome::Failed) << "its product is not there";
  EXPECT_EQ(end(exit(0)).reason, "it ended well, but out is not there");
  files_.put("/project/out", "");
  EXPECT_EQ(end(exit(0)).reason, "it ended well, but out is empty");
  files_.put("/project/out", "1");
  const AttemptFinished done = end(exit(0));
  EXPECT_EQ(done.outcome, AttemptOutcome::Done);
  ASSERT_EQ(done.artifacts.size(), 1u);
  EXPECT_EQ(done.artifacts[0].digest, to_text(digest_of("1")));
}

TEST_F(AttemptTest, AProductMustPassItsDeclaredCheck) {
  given(step("a").makes("out", must_match("END")));
  files_.put("/project/out", "half");
  EXPECT_EQ(end(exit(0)).outcome, AttemptOutcome::Failed);
  files_.put("/project/out", "whole END");
  EXPECT_EQ(end(exit(0)).outcome, AttemptOutcome::Done);
}

TEST_F(AttemptTest, AResultSaysMoreThanAnExitCode) {
  given(step("a"));
  result(R"({"status":"failed","summary":"no luck"})");
  EXPECT_EQ(end(exit(0)).reason, "no luck");
  result(R"({"retry_at":"2030-01-01T00:00:00Z"})");
  EXPECT_EQ(end(exit(0)).outcome, AttemptOutcome::Later);
  EXPECT_EQ(end(exit(0)).retry_at, parse_timestamp("2030-01-01T00:00:00Z"));
  result(R"({"status":"done","verdict":"good","summary":"fine","cost":{"usd":0.5,"tokens":9},
             "gaps":[{"id":"g1","priority":"Critical"}]})");
  const AttemptFinished done = end(exit(0));
  EXPECT_EQ(done.outcome, AttemptOutcome::Done);
  EXPECT_EQ(done.verdict, "good");
  EXPECT_EQ(done.tokens, 9);
  EXPECT_EQ(done.result, "g1 Critical\n");
}

TEST_F(AttemptTest, AResultThatDoesNotParseIsAFailure) {
  given(step("a"));
  result("{ not json");
  EXPECT_EQ(end(exit(0)).outcome, AttemptOutcome::Failed);
  EXPECT_NE(end(exit(0)).reason.find("result.json"), std::string::npos);
  result(std::string(5u << 20, ' '));
  EXPECT_EQ(end(exit(0)).outcome, AttemptOutcome::Failed) << "too long to be read";
}

TEST_F(AttemptTest, AskingAPersonOpensAGateOrQuestions) {
  given(step("a"));
  result(R"({"status":"needs_human","summary":"may I?"})");
  EXPECT_EQ(end(exit(0)).outcome, AttemptOutcome::NeedsHuman);
  ASSERT_EQ(more_.size(), 1u);
  EXPECT_EQ(std::get<GateOpened>(more_[0]).ask, "may I?");
  result(
      R"({"status":"needs_human","questions":[{"id":"q1","text":"x?","options":["y","n"]},{"id":"q2","text":"z?"}]})");
  end(exit(0));
  ASSERT_EQ(more_.size(), 2u);
  EXPECT_EQ(std::get<QuestionAsked>(more_[0]).options.size(), 2u);
}

TEST_F(AttemptTest, ArtifactsOutsideTheProjectAreNotTaken) {
  given(step("a"));
  files_.put("/project/mine", "1");
  files_.put("/etc/passwd", "x");
  result(R"({"artifacts":["mine","/etc/passwd","../etc/passwd","a/../../etc/passwd","nowhere"]})");
  const AttemptFinished done = end(exit(0));
  ASSERT_EQ(done.artifacts.size(), 1u);
  EXPECT_EQ(done.artifacts[0].path, "mine");
}

TEST_F(AttemptTest, P37_SecretsAreMaskedInWhatIsRecorded) {
  setup_.environment = {{"MY_TOKEN", "very-secret-value"}};
  given(step("a"));
  files_.put("/store/attempts/demo/x/a/1/stderr", "first\nthe token is very-secret-value\n");
  ExitRecord record = exit(1);
  record.stderr_bytes = 40;
  const AttemptFinished failed = end(record);
  ASSERT_EQ(failed.last_lines.size(), 2u);
  EXPECT_EQ(failed.last_lines[1], "the token is ***");
  EXPECT_EQ(failed.reason, "exit 1: the token is ***");
}

TEST_F(AttemptTest, P38_TheLastLinesAreShownWithoutControlSequences) {
  given(step("a"));
  files_.put("/store/attempts/demo/x/a/1/stdout", "1\n2\n3\n4\n\n5\n6 \x1b[31mred\x1b[0m\n");
  ExitRecord record = exit(2);
  record.stdout_bytes = 30;
  const AttemptFinished failed = end(record);
  EXPECT_EQ(failed.last_lines, (std::vector<std::string>{"2", "3", "4", "5", "6 red"}));
}

// ---- cut off

TEST_F(AttemptTest, ALL05_OnlyDeclaredChecksOnNewContentProveACutOffAttempt) {
  const auto seen_of = [&](Stage stage, const std::string& before, const std::string& now) {
    files_.erase("/project/out");
    if (!before.empty()) files_.put("/project/out", before);
    given(std::move(stage));
    files_.put("/project/out", now);
    return attempts_.products_of_cut_off(*graph_, leaf(), *history_->state().find_step({"a"})).value();
  };
  const Stage declared = step("a").makes("out", must_match("END"));
  EXPECT_TRUE(seen_of(declared, "", "x END").complete);
  EXPECT_TRUE(seen_of(declared, "old", "x END").complete);
  EXPECT_FALSE(seen_of(declared, "x END", "x END").complete) << "it was there before";
  EXPECT_FALSE(seen_of(declared, "", "half").complete);
  EXPECT_FALSE(seen_of(step("a").makes("out"), "", "x END").declared);
  EXPECT_FALSE(seen_of(step("a").makes("out", must_match("END")).makes("other"), "", "x END").declared)
      << "every product needs a check";
  CompleteCheck runs;
  runs.run = {"true"};
  EXPECT_FALSE(seen_of(step("a").makes("out", runs), "", "x END").declared) << "nothing is executed to find out";
  EXPECT_FALSE(seen_of(step("a"), "", "x").declared);
}

}  // namespace
}  // namespace reprise
