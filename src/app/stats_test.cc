#include "app/stats.h"

#include <gtest/gtest.h>

#include "app/history_test_events.h"
#include "journal/sqlite.h"
#include "testing/fixed_clock.h"
#include "testing/seeded_entropy.h"
#include "testing/temporary_folder.h"

namespace reprise {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using Where = std::pair<std::string, std::string>;

Stats stats_of(const Story& story, std::optional<Owner> owner = std::nullopt) {
  Stats stats;
  count_run(stats, {.id = {"w/x"}, .owner = owner, .events = story.events()}, story.now() + hours(1));
  return stats;
}

TEST(Stats, StopsAreCountedByCauseAndStage) {
  Story story;
  story.created().session("dove:1").start("part/1/b");
  story.taken("dove:1", "dove:2").end("part/1/b", {.outcome = AttemptOutcome::Interrupted});
  story.together().session("dove:2", true).asks("ok").approved("ok").session("dove:3", true).start("c");
  story.end("c", {.outcome = AttemptOutcome::Failed, .exit_code = 1}).finished(RunStatus::Failed);
  story.later(hours(1)).add(RunReopened{}).together().session("dove:4", true);
  story.later(hours(1)).session("dove:5", true).finished(RunStatus::Done);
  const Stats stats = stats_of(story);
  EXPECT_EQ(stats.stops,
            (std::map<Where, int>{
                {{"killed", "b"}, 1}, {{"waiting", "ok"}, 1}, {{"failed", "c"}, 1}, {{"signal", ""}, 1}}));
  EXPECT_EQ(stats.sessions, 5);
  EXPECT_EQ(stats.resumes, 4);
  EXPECT_EQ(stats.done, 1);
}

TEST(Stats, TheLastSessionCountsByWhatTheLeaseSays) {
  Story story;
  story.created().session("dove:1").start("b");
  EXPECT_TRUE(stats_of(story, Owner{.alive = true}).stops.empty()) << "it works";
  EXPECT_EQ(stats_of(story, Owner{.alive = false}).stops, (std::map<Where, int>{{{"killed", "b"}, 1}}));
  EXPECT_EQ(stats_of(story).stops, (std::map<Where, int>{{{"signal", "b"}, 1}}));
  EXPECT_EQ(stats_of(story).unfinished, 1);
}

TEST(Stats, ARunThatAPersonStoppedDidNotDie) {
  const Stats stats = stats_of(Story().created().session("dove:1").finished(RunStatus::Stopped));
  EXPECT_TRUE(stats.stops.empty());
  EXPECT_EQ(stats.stopped, 1);
}

TEST(Stats, SavedIsTheSumOverAllResumes) {
  Story story;
  story.created().session("dove:1").did("a", minutes(10), 1.5).did("b", minutes(20));
  story.taken("dove:1", "dove:2").session("dove:2", true).did("c", minutes(40));
  story.taken("dove:2", "dove:3").session("dove:3", true).did("a", minutes(11), 0, 2);
  const Stats stats = stats_of(story);
  EXPECT_EQ(stats.saved.steps, 2 + 2) << "a and b; then b and c, for a was done again";
  EXPECT_EQ(stats.saved.time, minutes(10 + 20 + 20 + 40));
  EXPECT_DOUBLE_EQ(stats.saved.cost_usd, 1.5);
  EXPECT_EQ(stats.worked.steps, 4);
  EXPECT_EQ(stats.worked.time, minutes(10 + 20 + 40 + 11));
}

TEST(Stats, RetriesAreCountedByHowTheAttemptBeforeEnded) {
  Story story;
  story.created().session("dove:1");
  const std::vector<AttemptFinished> ends = {
      {.outcome = AttemptOutcome::Failed, .exit_code = 2},
      {.outcome = AttemptOutcome::Failed, .exit_code = 2},
      {.outcome = AttemptOutcome::Failed, .signal = 9},
      {.outcome = AttemptOutcome::Failed, .exit_code = 0, .reason = "app is missing"},
      {.outcome = AttemptOutcome::TimedOut},
      {.outcome = AttemptOutcome::Later, .exit_code = 75},
      {.outcome = AttemptOutcome::NeedsHuman},
      {.outcome = AttemptOutcome::Stopped},
      {.outcome = AttemptOutcome::Interrupted},
      {.outcome = AttemptOutcome::Done, .exit_code = 0}};
  for (std::size_t i = 0; i < ends.size(); ++i) {
    AttemptFinished how = ends[i];
    how.attempt.value = static_cast<std::int64_t>(i) + 1;
    story.start("t", how.attempt.value).end("t", how);
  }
  story.start("t", 11).end("t", {.attempt = {11},
                                 .outcome = AttemptOutcome::Failed,
                                 .exit_code = 1,
                                 .reason = "exit 1; the same error 3 times in a row"});
  const Stats stats = stats_of(story);
  EXPECT_EQ(stats.retries, (std::map<std::string, int>{{"exit 2", 2},
                                                       {"signal 9", 1},
                                                       {"ended well, but was not done", 1},
                                                       {"timeout", 1},
                                                       {"later (rate limit, exit 75)", 1},
                                                       {"a person was asked", 1},
                                                       {"stopped", 1},
                                                       {"cut off", 1},
                                                       {"outdated", 1}}));
  EXPECT_EQ(stats.same_error, 1);
}

TEST(Stats, TimeSpentWaitingCountsEachMomentOncePerRun) {
  Story story;
  story.created().session("dove:1").asks("one").later(hours(1)).asks("two");
  story.later(hours(1)).approved("one").later(hours(1)).approved("two");
  EXPECT_EQ(stats_of(story).waited, hours(3));
  EXPECT_EQ(stats_of(story).asked, 2);
  story.asks("three");
  EXPECT_EQ(stats_of(story).waited, hours(4)) << "an hour up to now";
  story.later(minutes(30)).finished(RunStatus::Stopped);
  EXPECT_EQ(stats_of(story).waited, hours(3) + minutes(30)) << "nobody waits for a run that has ended";
}

TEST(Stats, TheLongestStepsAreNamedAndNoMore) {
  Story story;
  story.created().session("dove:1");
  for (int i = 1; i <= 8; ++i) story.did("s" + std::to_string(i), seconds(i));
  const Stats stats = stats_of(story);
  ASSERT_EQ(stats.longest.size(), kLongestNamed);
  EXPECT_EQ(stats.longest.front().step.text, "s8");
  EXPECT_EQ(stats.longest.back().step.text, "s4");
}

TEST(Stats, ArchivedRunsCount) {
  Stats stats;
  const Story story = Story().created().session("dove:1").did("a").finished(RunStatus::Done).add(RunArchived{});
  count_run(stats, {.id = {"w/x"}, .archived = true, .events = story.events()}, story.now());
  EXPECT_EQ(stats.runs, 1);
  EXPECT_EQ(stats.archived, 1);
  EXPECT_EQ(stats.done, 1);
  EXPECT_EQ(stats.worked.steps, 1);
}

// Over a real store, in which somebody changed an event.
TEST(Stats, ARunThatCannotBeReadIsNamedAndTheOthersCount) {
  const TemporaryFolder folder;
  FixedClock clock;
  SeededEntropy entropy(1);
  {
    const auto journal = open_sqlite_journal(folder.path(), OpenMode::ReadWrite, clock, entropy);
    ASSERT_TRUE(journal) << journal.error().message;
    for (const char* id : {"w/a", "w/b", "w/c"}) {
      const std::vector<Event> events = {RunCreated{.workflow = "w"}, RunFinished{.status = RunStatus::Done}};
      ASSERT_TRUE((*journal)->create({id}, events, {}));
    }
  }
  {
    auto db = Connection::open(folder.path() / "journal.db", Connection::Access::ReadWrite);
    ASSERT_TRUE(db);
    ASSERT_TRUE(db->run("UPDATE events SET payload = 'x' WHERE run = 2 AND number = 2"));
  }
  const auto journal = open_sqlite_journal(folder.path(), OpenMode::ReadOnly, clock, entropy);
  ASSERT_TRUE(journal) << journal.error().message;
  const Result<Stats> stats = count_runs(**journal, clock.now());
  ASSERT_TRUE(stats) << stats.error().message;
  EXPECT_EQ(stats->done, 2);
  ASSERT_EQ(stats->uncounted.size(), 1u);
  EXPECT_EQ(stats->uncounted[0].id.text, "w/b");
  EXPECT_FALSE(stats->uncounted[0].why.empty());
}

TEST(Stats, NothingIsADocumentToo) {
  EXPECT_EQ(stats_document({}),
            R"({"runs":{"total":0,"done":0,"failed":0,"stopped":0,"unfinished":0,"archived":0},)"
            R"("sessions":0,"resumes":0,"worked":{"steps":0,"seconds":0,"usd":0.0000},)"
            R"("saved":{"steps":0,"seconds":0,"usd":0.0000},"stops":[],"retries":[],)"
            R"("given_up_on_same_error":0,"waiting":{"seconds":0,"asked":0},"longest":[],"uncounted":[]})");
}

}  // namespace
}  // namespace reprise
