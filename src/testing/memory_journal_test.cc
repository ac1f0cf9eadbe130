// The journal in memory keeps the promises of journal.h that simulations lean on.

#include "testing/memory_journal.h"

#include <gtest/gtest.h>

#include "testing/fixed_clock.h"
#include "testing/memory_file_system.h"

namespace reprise {
namespace {

class MemoryJournalTest : public testing::Test {
 protected:
  Lease create(MemoryJournal& journal) {
    const Event created = RunCreated{.workflow = "demo"};
    return journal.create(run_, {&created, 1}, {}).value();
  }
  static Event note() { return NoteAdded{"n", "ana"}; }

  MemoryJournalStore store_;
  FixedClock clock_;
  RunId run_{"demo/x"};
};

TEST_F(MemoryJournalTest, J1_J3_EventsAreNumberedAndTheStateIsTheirFold) {
  MemoryJournal journal(store_, clock_);
  const Lease lease = create(journal);
  const std::vector<Event> two = {note(), AttemptStarted{.step = {"a"}, .attempt = {1}}};
  const std::vector<RecordedEvent> recorded = journal.append(lease, {1}, two).value();
  EXPECT_EQ(recorded.at(1).number.value, 3);
  EXPECT_EQ(journal.state(run_)->last.value, 3);
  ASSERT_TRUE(journal.put_copy(lease, *journal.state(run_)));
  EXPECT_EQ(journal.state(run_)->find_step({"a"})->record, StepState::Record::Open);
  EXPECT_EQ(journal.append(lease, {1}, two).error().kind, ErrorKind::Conflict) << "there are later events";
}

TEST_F(MemoryJournalTest, J4_OneHolderAtATimeAndNoWordFromAnOldOne) {
  auto first = std::make_unique<MemoryJournal>(store_, clock_);
  const Lease old = create(*first);
  MemoryJournal second(store_, clock_);
  EXPECT_EQ(second.acquire(run_).error().kind, ErrorKind::Conflict);
  first.reset();  // dies without giving it back
  EXPECT_FALSE(second.owner(run_)->value().alive);
  const Lease lease = second.acquire(run_).value();
  EXPECT_GT(lease.token, old.token);
  EXPECT_EQ(second.events(run_, {1}, 10)->size(), 1u) << "the takeover is recorded";
  const Event event = note();
  EXPECT_EQ(second.append(old, {2}, {&event, 1}).error().kind, ErrorKind::Conflict);
  second.release(lease);
  EXPECT_FALSE(second.owner(run_)->has_value());
}

TEST_F(MemoryJournalTest, J5_AKillBeforeAnAppendLeavesNothingAndOneAfterItLeavesAll) {
  KillSwitch kill;
  MemoryJournal journal(store_, clock_, &kill);
  const Lease lease = create(journal);
  const std::vector<Event> two = {note(), note()};
  kill.arm(1, KillSwitch::Moment::BeforeEffect);
  EXPECT_FALSE(journal.append(lease, {1}, two));
  EXPECT_FALSE(journal.append(lease, {1}, two)) << "dead is dead";
  MemoryJournal other(store_, clock_);
  EXPECT_EQ(other.events(run_, {0}, 10)->size(), 1u);
  kill.revive();
  kill.arm(1, KillSwitch::Moment::AfterEffect);
  EXPECT_FALSE(journal.append(lease, {1}, two));
  EXPECT_EQ(other.events(run_, {0}, 10)->size(), 3u);
}

TEST_F(MemoryJournalTest, RequestsWaitForTheirAnswer) {
  MemoryJournal journal(store_, clock_);
  const Lease lease = create(journal);
  const std::int64_t number = journal.ask(run_, "approve", "{}", "ana").value();
  EXPECT_EQ(journal.requests(run_)->size(), 1u);
  EXPECT_EQ(journal.outcome_of(number)->what, RequestOutcome::What::Open);
  const RequestAnswer no{number, "no"};
  ASSERT_TRUE(journal.append(lease, {1}, {}, std::nullopt, {&no, 1}));
  EXPECT_EQ(journal.outcome_of(number)->refusal, "no");
  EXPECT_TRUE(journal.requests(run_)->empty());
}

TEST(MemoryFileSystem, APowerCutTakesWhatWasNotMadeDurable) {
  MemoryFileSystem files;
  ASSERT_TRUE(files.make_directories("/s"));
  ASSERT_TRUE(files.replace("/s/kept", "1"));
  ASSERT_TRUE(files.write_scratch("/s/kept", "2"));
  ASSERT_TRUE(files.write_scratch("/s/lost", "x"));
  EXPECT_EQ(files.list("/s").value(), (std::vector<std::string>{"kept", "lost"}));
  const std::string before = files.stat("/s/kept")->value().signature;
  files.cut_power();
  EXPECT_EQ(files.read("/s/kept", 10).value(), "1");
  EXPECT_NE(files.stat("/s/kept")->value().signature, before);
  EXPECT_FALSE(files.stat("/s/lost")->has_value());
  EXPECT_FALSE(files.replace("/nowhere/x", "1")) << "its folder is not there";
}

}  // namespace
}  // namespace reprise
