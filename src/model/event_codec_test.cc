#include "model/event_codec.h"

#include <gtest/gtest.h>

#include <set>

namespace reprise {
namespace {

// One event of every kind with every field set to something that is not its default.
std::vector<Event> every_kind() {
  const std::vector<SeenFile> files = {{"a \"b\".txt", "sha256:12", "s1"}, {"gone", "", ""}};
  return {
      RunCreated{"flow",
                 "subject",
                 "d",
                 "w.yaml",
                 "sd",
                 Mode::Autopilot,
                 3,
                 {{"k", "v\n"}},
                 files,
                 "demo/x",
                 "specs/x/.pipeline-state.md",
                 true},
      PlanAccepted{"d", "sd", "ready", "host:1", "ana", Mode::Preflight, true, 7, "stage"},
      LeaseTakenOver{"old", "new"},
      FindingOverruled{"code", "seen", "ana", "because"},
      AttemptStarted{{"a/1"}, {4}, {"work"}, files, files},
      AttemptFinished{{"a/1"},
                      {4},
                      AttemptOutcome::Later,
                      75,
                      9,
                      "reason",
                      Duration(1'234),
                      files,
                      "good",
                      "sum",
                      "print",
                      1.25,
                      99,
                      Timestamp{1'763'200'800'123},
                      {"line 1", "line\t2"}},
      StepVerified{{"a"}, "how", {"work"}, files, files},
      StepSkipped{{"a"}, "ana", "because"},
      StepReset{{"a"}, "retry", "ana", "because"},
      GateOpened{{"g"}, "go?", files},
      GateDecided{{"g"}, true, "ana", "because", files},
      QuestionAsked{"q1", {"a"}, "which?", {"one", "two"}, {"gap"}},
      QuestionAnswered{"q1", "one", "ana"},
      NoteAdded{"note", "ana"},
      RunFinished{RunStatus::Failed, "reason", "ana"},
      RunReopened{"ana", "because"},
      RunArchived{"ana"},
      ClaimImported{{"a"}, true, "f.md line 3", "PB-10", "gaps", {"work"}, files},
      AnswersApplied{{"q1", "q2"}},
      GapChanged{"G-001", GapPriority::Critical, GapStatus::Resolved, "text", "resolution"},
      StateFileWritten{"f.md", "sha256:1", "sha256:2"},
      StateFileEdited{"f.md", "sha256:1", "sha256:2", {"line 3: no"}, ".git/reprise/edits/a"},
      LaneCreated{StepPath{"l/api"}, "api", ".worktrees/l/api", "lane/l/api", "main", "c0ffee", StepPath{"l/web"}},
      CheckpointReached{StepPath{"l/api"}, "retry_attempt", "retrying", "c1", "refs/reprise/s", "n", 2, 3, {"x"}},
      LaneRolledBack{StepPath{"l/api"}, "before_lane_start", "c0", "c1", "refs/reprise/rescue/1", true, "ana",
                     "why"},
      LaneClosed{StepPath{"l/api"}, "removed", "refs/reprise/rescue/2", true},
      TaskChanged{"7", "s", "d", "me", "failed", "P6", {"3"}, {{"files", "[\"a\"]"}}, true, "ana"},
  };
}

TEST(EventCodec, EveryKindReadsBackAsItWasWritten) {
  const std::vector<Event> events = every_kind();
  ASSERT_EQ(events.size(), std::variant_size_v<AnyEvent>);
  std::set<std::string_view> kinds;
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(events[i].index(), i);
    kinds.insert(kind_of(events[i]));
    const Result<Event> back = decode(kind_of(events[i]), kEventVersion, encode(events[i]));
    ASSERT_TRUE(back) << kind_of(events[i]) << ": " << back.error().message;
    EXPECT_TRUE(*back == events[i]) << kind_of(events[i]) << " " << encode(events[i]);
  }
  EXPECT_EQ(kinds.size(), events.size()) << "each kind has a token of its own";
}

TEST(EventCodec, EveryOutcomeAndStatusSurvives) {
  for (const auto& [outcome, token] : kAttemptOutcomeTokens) {
    const Event event = AttemptFinished{.step = {"a"}, .attempt = {1}, .outcome = outcome};
    EXPECT_TRUE(decode(kind_of(event), kEventVersion, encode(event)).value() == event) << token;
  }
  for (const RunStatus status : {RunStatus::Done, RunStatus::Failed, RunStatus::Stopped}) {
    const Event event = RunFinished{status, "", ""};
    EXPECT_TRUE(decode(kind_of(event), kEventVersion, encode(event)).value() == event);
  }
}

TEST(EventCodec, DefaultsAreLeftOutAndUnknownFieldsIgnored) {
  EXPECT_EQ(encode(NoteAdded{}), "{}");
  const Result<Event> newer = decode("note_added", kEventVersion, R"({"text":"x","colour":"red"})");
  ASSERT_TRUE(newer);
  EXPECT_EQ(std::get<NoteAdded>(*newer).text, "x");
}

TEST(EventCodec, WhatIsNotKnownOrDoesNotFitIsCorrupt) {
  const auto kind_of_error = [](std::string_view kind, int version, std::string_view json) {
    const Result<Event> event = decode(kind, version, json);
    return event ? std::string("no error") : std::string(to_token(event.error().kind));
  };
  const std::string corrupt(to_token(ErrorKind::Corrupt));
  EXPECT_EQ(kind_of_error("time_travelled", kEventVersion, "{}"), corrupt);
  EXPECT_EQ(kind_of_error("note_added", kEventVersion + 1, "{}"), corrupt);
  EXPECT_EQ(kind_of_error("note_added", kEventVersion, "not json"), corrupt);
  EXPECT_EQ(kind_of_error("note_added", kEventVersion, "[]"), corrupt);
  EXPECT_EQ(kind_of_error("note_added", kEventVersion, R"({"text":5})"), corrupt);
  EXPECT_EQ(kind_of_error("attempt_finished", kEventVersion, R"({"outcome":"perhaps"})"), corrupt);
}

}  // namespace
}  // namespace reprise
