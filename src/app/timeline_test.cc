#include "app/timeline.h"

#include <gtest/gtest.h>

#include <set>

#include "app/history_test_events.h"
#include "model/event_codec.h"

namespace reprise {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

std::vector<std::string> lines(const std::vector<TimelineEntry>& entries) {
  std::vector<std::string> made;
  for (const TimelineEntry& entry : entries) made.push_back(std::string(entry.kind) + " | " + entry.text);
  return made;
}

using Lines = std::vector<std::string>;

// As `status` does it: the events that do not show are dropped, the last session's end comes from elsewhere.
std::vector<TimelineEntry> timeline_of_story(const Story& story, SessionEnding last = SessionEnding::Open) {
  std::vector<RecordedEvent> events = story.events();
  std::vector<SessionSpan> sessions = sessions_of(events);
  if (!sessions.empty() && sessions.back().ending == SessionEnding::Open) sessions.back().ending = last;
  std::erase_if(events, [](const RecordedEvent& event) { return !is_on_timeline(event.event); });
  return timeline_of(events, std::move(sessions));
}

TEST(Timeline, OverAnInterruptionItTellsWhoHowLongAndWhatWasKept) {
  Story story;
  story.created().session("dove:1").did("a", seconds(90)).start("b");
  story.later(hours(8)).taken("dove:1", "dove:2");
  story.end("b", {.outcome = AttemptOutcome::Interrupted, .reason = "nothing recorded how it ended"});
  story.together().session("dove:2", true).start("b", 2).end("b", {.attempt = {2}, .exit_code = 0});
  story.asks("ok").later(hours(3)).approved("ok").session("dove:3", true).did("c").finished(RunStatus::Done);
  EXPECT_EQ(lines(timeline_of_story(story)),
            (Lines{"started | started: workflow w, x", "session | session 1: process 1 on dove, ana",
                   "ended | session 1 vanished at b without a word",
                   "taken | process 1 on dove was found dead; taken over",
                   "cut-off | b attempt 1 was cut off: nothing recorded how it ended",
                   "session | session 2: process 2 on dove, ana",
                   "resumed | resumed after 8h 0m: kept 1 step(s) of 1m 30s, again: b", "gate | ok asks: Go?",
                   "ended | session 2 waits for gate ok, gave the run back",
                   "decided | ok approved by bo@dove after 3h 0m", "session | session 3: process 3 on dove, ana",
                   "resumed | resumed after 3h 0m: kept 2 step(s) of 1m 30s", "finished | run done"}));
}

TEST(Timeline, RetriesTellTheirCauseAndWhenTheNextOneIs) {
  Story story;
  story.created().session("dove:1").start("t");
  story.end("t", {.outcome = AttemptOutcome::Failed,
                  .exit_code = 3,
                  .reason = "exit 3",
                  .retry_at = story.now() + seconds(61)});
  story.start("t", 2).end("t", {.attempt = {2}, .outcome = AttemptOutcome::TimedOut, .reason = "20m"});
  story.start("t", 3).end("t", {.attempt = {3}, .outcome = AttemptOutcome::Later, .retry_at = story.now()});
  story.start("t", 4).end("t", {.attempt = {4}, .outcome = AttemptOutcome::NeedsHuman, .reason = "which?"});
  story.start("t", 5).end("t", {.attempt = {5}, .outcome = AttemptOutcome::Stopped});
  const std::vector<TimelineEntry> entries = timeline_of_story(story);
  ASSERT_EQ(entries.size(), 7u);
  EXPECT_EQ(lines(entries)[2], "retry | t attempt 1 failed: exit 3; again in 1m 0s");
  EXPECT_EQ(lines(entries)[3], "failed | t attempt 2 ran out of time: 20m");
  EXPECT_EQ(entries[4].kind, "retry");
  EXPECT_EQ(lines(entries)[5], "asks | t attempt 4 wants a person: which?");
  EXPECT_EQ(lines(entries)[6], "stopped | t attempt 5 was stopped");
  EXPECT_EQ(entries[6].subject, "t");
}

TEST(Timeline, QuestionsEditsRollbacksAndNotesAreToldOnce) {
  Story story;
  story.created().add(QuestionAsked{.id = "q", .text = "Which?"});
  story.later(seconds(90)).add(QuestionAnswered{.id = "q", .text = "this", .by = "bo"});
  story.add(StateFileEdited{.file = "s.md", .refused = {"a tick", "a word"}});
  story.add(LaneRolledBack{.lane = {"l"}, .to = "pre_pr", .by = "bo"});
  story.add(LaneRolledBack{.lane = {"l"}, .to = "pre_pr", .done = true, .by = "bo", .because = "broken"});
  story.add(LaneRolledBack{.lane = {"m"}, .to = "pre_pr"});
  story.add(NoteAdded{"exported to r.reprise", "bo"});
  EXPECT_EQ(lines(timeline_of_story(story)),
            (Lines{"started | started: workflow w, x", "question | q: Which?",
                   "answered | q answered by bo after 1m 30s: this",
                   "edited | s.md was edited by hand; not taken over: a tick and 1 more",
                   "rollback | l rolled back to pre_pr by bo: broken",
                   "rollback | m began to go back to pre_pr; a resume finishes it",
                   "note | note: exported to r.reprise (bo)"}));
}

TEST(Timeline, HowTheLastSessionEndedMayComeFromTheLease) {
  Story story;
  story.created().session("dove:1").start("b");
  EXPECT_EQ(timeline_of_story(story).size(), 2u) << "it may be at work";
  EXPECT_EQ(timeline_of_story(story, SessionEnding::Vanished).back().text,
            "session 1 vanished at b without a word");
  EXPECT_EQ(timeline_of_story(story, SessionEnding::GivenBack).back().text,
            "session 1 was told to stop at b, gave the run back");
  story.end("b", {.exit_code = 0}).finished(RunStatus::Done);
  EXPECT_EQ(timeline_of_story(story, SessionEnding::Vanished).back().kind, "finished");
}

TEST(Timeline, EntriesAreInTheOrderOfEventsWhateverTheClocksSaid) {
  Story story;
  story.created().session("dove:1").start("b").later(hours(-9)).taken("dove:1", "dove:2").session("dove:2", true);
  const std::vector<TimelineEntry> entries = timeline_of_story(story);
  ASSERT_EQ(entries.size(), 6u);
  for (std::size_t i = 1; i < entries.size(); ++i) EXPECT_LE(entries[i - 1].event, entries[i].event);
}

// Each alone, after the run was created: an event says something or it does not, and never makes the function
// fail.
TEST(Timeline, EveryKindOfEventIsToldOrLeftOutOnPurpose) {
  const std::vector<Event> kinds = {RunCreated{},       PlanAccepted{},    LeaseTakenOver{}, FindingOverruled{},
                                    AttemptStarted{},   AttemptFinished{}, StepVerified{},   StepSkipped{},
                                    StepReset{},        GateOpened{},      GateDecided{},    QuestionAsked{},
                                    QuestionAnswered{}, NoteAdded{},       RunFinished{},    RunReopened{},
                                    RunArchived{},      ClaimImported{},   AnswersApplied{}, GapChanged{},
                                    StateFileWritten{}, StateFileEdited{}, LaneCreated{},    CheckpointReached{},
                                    LaneRolledBack{},   LaneClosed{},      TaskChanged{}};
  ASSERT_EQ(kinds.size(), std::variant_size_v<AnyEvent>);
  const std::set<std::string_view> silent = {
      "attempt_started", "attempt_finished",   "step_verified", "claim_imported",     "answers_applied",
      "gap_changed",     "state_file_written", "lane_created",  "checkpoint_reached", "task_changed"};
  std::set<std::string_view> met;
  for (const Event& event : kinds) {
    const std::size_t told = timeline_of_story(Story().add(event)).size();
    EXPECT_EQ(told, silent.contains(kind_of(event)) ? 0u : 1u) << kind_of(event);
    if (silent.contains(kind_of(event))) met.insert(kind_of(event));
  }
  EXPECT_EQ(met, silent);
}

}  // namespace
}  // namespace reprise
