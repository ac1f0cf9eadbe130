// A disk that fails: the n-th write, sync or truncate goes wrong, once or from then on, for every n until
// a pass goes through. Nothing acknowledged is lost, nothing is acknowledged after a failure (P1, P6, P7).

#include <functional>

#include "journal/faulty_vfs.h"
#include "journal/journal_test_world.h"

namespace reprise {
namespace {

constexpr int kNotes = 6;

struct Outcome {
  std::int64_t acknowledged = 0;  // the last event that was
  bool has_write_failed = false;  // an append, copy or other write returned an error
  int acknowledged_after = 0;     // writes that succeeded after that
  std::string message;            // of the first failure
};

void take(Outcome& outcome, const Result<void>& result, bool is_event) {
  if (!result) {
    if (!outcome.has_write_failed) outcome.message = result.error().message;
    outcome.has_write_failed = true;
    return;
  }
  if (outcome.has_write_failed) ++outcome.acknowledged_after;
  if (is_event) ++outcome.acknowledged;
}

template <typename T>
Result<void> only_error(const Result<T>& result) {
  if (!result) return fail(result.error());
  return {};
}

// A short life: a new journal, a run, some notes, a copy, a text, and a proper end.
Outcome live(World& world) {
  Outcome outcome;
  const Result<std::unique_ptr<Journal>> opened = world.try_open();
  take(outcome, only_error(opened), false);
  if (!opened) return outcome;
  Journal& journal = **opened;
  const Event created = a_creation();
  const Result<Lease> lease = journal.create(kRun, {&created, 1}, {});
  take(outcome, only_error(lease), true);
  if (!lease) return outcome;
  for (std::int64_t number = 1; number <= kNotes; ++number) {
    take(outcome, only_error(append_note(journal, *lease, number)), true);
    if (number == 3) {
      const Result<RunState> state = journal.state(kRun);
      if (state && state->last.value == 4) take(outcome, journal.put_copy(*lease, *state), false);
      take(outcome, only_error(journal.put_text("a text")), false);
    }
  }
  journal.release(*lease);
  return outcome;
}

// What must hold after any failure, once the disk is well again.
void check_recovery(World& world, const Outcome& outcome) {
  const Result<std::unique_ptr<Journal>> opened = world.try_open();
  ASSERT_TRUE(opened) << opened.error().message;
  Journal& journal = **opened;
  const Result<std::vector<ChainFault>> faults = journal.verify();
  ASSERT_TRUE(faults && faults->empty()) << (faults ? faults->front().message : faults.error().message);
  const Result<RunState> state = journal.state(kRun);
  if (outcome.acknowledged > 0) {
    ASSERT_TRUE(state) << state.error().message;
    ASSERT_GE(state->last.value, outcome.acknowledged);
    ASSERT_LE(state->last.value, outcome.acknowledged + 1);  // one may have been made and not acknowledged
  }
  if (state) {
    const Result<Lease> lease = journal.acquire(kRun);
    ASSERT_TRUE(lease) << lease.error().message;
    ASSERT_TRUE(append_note(journal, *lease, journal.state(kRun)->last.value, "resumed"));
  } else {
    a_run(journal);
  }
  ASSERT_TRUE(journal.verify()->empty());
}

// Returns how many rounds there were before the fault was no longer reached.
int sweep(const FaultyVfs::Fault& fault, const std::function<void(const Outcome&)>& check_outcome) {
  FaultyVfs vfs;
  for (int n = 1;; ++n) {
    World world;
    vfs.fail_call(n, fault);
    const Outcome outcome = live(world);
    const bool has_fired = vfs.has_fired();
    vfs.heal();
    if (outcome.has_write_failed) check_outcome(outcome);
    check_recovery(world, outcome);
    if (testing::Test::HasFatalFailure()) {
      ADD_FAILURE() << "at call " << n;
      return n;
    }
    if (!has_fired) {
      EXPECT_EQ(outcome.acknowledged, 1 + kNotes);
      EXPECT_FALSE(outcome.has_write_failed) << outcome.message;
      return n - 1;
    }
  }
}

using Repeat = FaultyVfs::Repeat;
using Call = FaultyVfs::Call;

TEST(Faults, P6_AfterAFailedSyncNothingIsAcknowledged) {
  for (const Repeat repeat : {Repeat::Once, Repeat::Sticky}) {
    const int rounds = sweep({.call = Call::Sync, .code = SQLITE_IOERR_FSYNC, .repeat = repeat},
                             [](const Outcome& outcome) { EXPECT_EQ(outcome.acknowledged_after, 0); });
    EXPECT_GE(rounds, 2 + kNotes);
  }
}

TEST(Faults, P6_AfterAFailedWriteNothingIsAcknowledged) {
  for (const Repeat repeat : {Repeat::Once, Repeat::Sticky}) {
    const int rounds = sweep({.call = Call::Write, .code = SQLITE_IOERR_WRITE, .repeat = repeat},
                             [](const Outcome& outcome) { EXPECT_EQ(outcome.acknowledged_after, 0); });
    EXPECT_GE(rounds, 2 * (2 + kNotes));  // a frame is a header and a page
  }
}

TEST(Faults, P7_AFullDiskCostsNoRecordedWorkAndIsNamed) {
  for (const Repeat repeat : {Repeat::Once, Repeat::Sticky}) {
    const auto check_outcome = [](const Outcome& outcome) {
      EXPECT_EQ(outcome.acknowledged_after, 0);
      EXPECT_NE(outcome.message.find("/reprise is full; free space there"), std::string::npos) << outcome.message;
    };
    const int rounds = sweep({.call = Call::Write, .code = SQLITE_FULL, .repeat = repeat}, check_outcome);
    EXPECT_GE(rounds, 2 * (2 + kNotes));
  }
}

TEST(Faults, P1_AFailedTruncateLosesNothing) {
  for (const Repeat repeat : {Repeat::Once, Repeat::Sticky}) {
    const int rounds =
        sweep({.call = Call::Truncate, .code = SQLITE_IOERR_TRUNCATE, .repeat = repeat}, [](const Outcome&) {});
    EXPECT_GE(rounds, 1);  // the log is cut at the end
  }
}

TEST(Faults, P6_TheRefusalNamesTheCauseAndTheWayOut) {
  FaultyVfs vfs;
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const Lease lease = a_run(*journal);
  vfs.fail_call(1, {.call = Call::Sync, .code = SQLITE_IOERR_FSYNC, .repeat = Repeat::Once});
  const Result<std::vector<RecordedEvent>> failed = append_note(*journal, lease, 1);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, ErrorKind::Io);
  vfs.heal();
  const Result<std::vector<RecordedEvent>> refused = append_note(*journal, lease, 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::Io);
  EXPECT_NE(refused.error().message.find(world.file().string()), std::string::npos) << refused.error().message;
  EXPECT_EQ(refused.error().hints, std::vector<std::string>{"reprise resume"});
  EXPECT_TRUE(journal->state(kRun));  // what is recorded stays readable
}

// Each append is some 250 pages, so that one in four checkpoints.
const std::string kLarge(1'000'000, 'x');
constexpr int kAppendsToCheckpoint = 5;

TEST(Faults, P6_AFailedCheckpointKeepsTheAppendButStopsWriting) {
  FaultyVfs vfs;
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const Lease lease = a_run(*journal);
  vfs.fail_call(1, {.call = Call::Sync, .code = SQLITE_IOERR_FSYNC, .repeat = Repeat::Once, .file = "journal.db"});
  std::int64_t number = 1;
  while (number <= kAppendsToCheckpoint && !vfs.has_fired()) {
    ASSERT_TRUE(append_note(*journal, lease, number++, kLarge));
  }
  ASSERT_TRUE(vfs.has_fired());
  EXPECT_EQ(append_note(*journal, lease, number).error().kind, ErrorKind::Io);
  EXPECT_EQ(world.open(OpenMode::ReadOnly)->state(kRun)->last.value, number);
}

TEST(Faults, P7_AFullDiskDuringACheckpointDoesNotStopTheRun) {
  FaultyVfs vfs;
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const Lease lease = a_run(*journal);
  vfs.fail_call(1, {.call = Call::Write, .code = SQLITE_FULL, .repeat = Repeat::Sticky, .file = "journal.db"});
  std::int64_t number = 1;
  for (; number <= 3 * kAppendsToCheckpoint; ++number) ASSERT_TRUE(append_note(*journal, lease, number, kLarge));
  ASSERT_TRUE(vfs.has_fired());
  vfs.heal();
  EXPECT_EQ(journal->state(kRun)->last.value, number);
  EXPECT_TRUE(journal->verify()->empty());
}

}  // namespace
}  // namespace reprise
