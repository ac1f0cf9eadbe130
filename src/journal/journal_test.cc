// The journal's promises, one test each: J1 to J5, and what the header says of each call.

#include "journal/journal.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "journal/faulty_vfs.h"
#include "journal/journal_test_world.h"

namespace reprise {
namespace {

TEST(Journal, J1_EventsAreNumberedWithoutAHole) {
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const Lease lease = a_run(*journal);
  const std::vector<Event> two = {a_note("a"), a_note("b")};
  ASSERT_TRUE(journal->append(lease, {1}, two));
  const Result<std::vector<RecordedEvent>> last = append_note(*journal, lease, 3, "c");
  ASSERT_TRUE(last);
  EXPECT_EQ(last->back().number.value, 4);
  const Result<std::vector<RecordedEvent>> all = journal->events(kRun, {0}, 100);
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 4u);
  for (std::size_t i = 0; i < all->size(); ++i) {
    EXPECT_EQ((*all)[i].number.value, static_cast<std::int64_t>(i) + 1);
  }
  EXPECT_EQ(std::get<NoteAdded>((*all)[3].event).text, "c");
}

TEST(Journal, J1_AppendAfterAnotherEventIsAConflict) {
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const Lease lease = a_run(*journal);
  for (const std::int64_t wrong : {0, 2, 7}) {
    const Result<std::vector<RecordedEvent>> refused = append_note(*journal, lease, wrong);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::Conflict);
  }
  EXPECT_TRUE(append_note(*journal, lease, 1));
}

TEST(Journal, J2_AChangedEventIsNotFoldedSilently) {
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const Lease lease = a_run(*journal);
  ASSERT_TRUE(append_note(*journal, lease, 1, "the truth"));
  Tamperer(world.file()).change("UPDATE events SET payload = replace(payload, 'truth', 'other') WHERE number = 2");
  const Result<RunState> state = journal->state(kRun);
  ASSERT_FALSE(state);
  EXPECT_EQ(state.error().kind, ErrorKind::Corrupt);
}

TEST(Journal, J2_AMissingTailIsNoticed) {
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const Lease lease = a_run(*journal);
  ASSERT_TRUE(append_note(*journal, lease, 1));
  Tamperer(world.file()).change("DELETE FROM events WHERE number = 2");
  const Result<RunState> state = journal->state(kRun);
  ASSERT_FALSE(state);
  EXPECT_EQ(state.error().kind, ErrorKind::Corrupt);
}

TEST(Journal, J3_StateIsTheFoldFromTheCopyOn) {
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const Lease lease = a_run(*journal);
  ASSERT_TRUE(append_note(*journal, lease, 1, "a"));
  ASSERT_TRUE(journal->put_copy(lease, *journal->state(kRun)));
  ASSERT_TRUE(append_note(*journal, lease, 2, "b"));
  const Result<RunState> state = journal->state(kRun);
  ASSERT_TRUE(state) << state.error().message;
  EXPECT_EQ(state->last.value, 3);
  EXPECT_EQ(state->notes, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(journal->verify()->empty());
}

TEST(Journal, J3_AMatchingCopyIsUsed) {
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const Lease lease = a_run(*journal);
  RunState copy = *journal->state(kRun);
  copy.subject = "only in the copy";  // our own mistake, to see where the state comes from
  ASSERT_TRUE(journal->put_copy(lease, copy));
  EXPECT_EQ(journal->state(kRun)->subject, "only in the copy");
  EXPECT_EQ(journal->verify()->size(), 1u);  // and verify() notices it
}

TEST(Journal, J3_ACopyThatDoesNotMatchIsRebuilt) {
  const std::vector<std::string> changes = {
      "UPDATE copies SET body = CAST(substr(body, 1, 30) || 'X' || substr(body, 32) AS BLOB)",
      "UPDATE copies SET body = CAST(substr(body, 1, length(body) - 3) || 'abc' AS BLOB)",
      "UPDATE copies SET digest = randomblob(32)",
      "UPDATE copies SET number = 1",
      "UPDATE copies SET number = 9",
      "UPDATE copies SET body = x'00'",
      "UPDATE copies SET body = x''",
  };
  for (const std::string& change : changes) {
    World world;
    const std::unique_ptr<Journal> journal = world.open();
    const Lease lease = a_run(*journal);
    ASSERT_TRUE(append_note(*journal, lease, 1, "a"));
    ASSERT_TRUE(journal->put_copy(lease, *journal->state(kRun)));
    ASSERT_EQ(Tamperer(world.file()).change(change), 1) << change;
    const Result<RunState> state = journal->state(kRun);
    ASSERT_TRUE(state) << change;
    EXPECT_EQ(state->subject, "thing") << change;
    EXPECT_EQ(state->notes.size(), 1u) << change;
    EXPECT_FALSE(journal->verify()->empty()) << change;
  }
}

TEST(Journal, J5_EveryAppendEndsWithASyncOfTheLog) {
  FaultyVfs vfs;
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const Lease lease = a_run(*journal);
  for (std::int64_t number = 1; number <= 20; ++number) {
    vfs.take_notes();
    ASSERT_TRUE(append_note(*journal, lease, number));
    const std::vector<FaultyVfs::Note> notes = vfs.take_notes();
    ASSERT_GE(notes.size(), 2u);
    EXPECT_EQ(notes.back().call, FaultyVfs::Call::Sync);
    EXPECT_EQ(notes.back().file, "journal.db-wal");
    EXPECT_TRUE(std::ranges::any_of(notes, [](const FaultyVfs::Note& note) {
      return note.call == FaultyVfs::Call::Write && note.file == "journal.db-wal";
    }));
  }
}

TEST(Journal, J5_CreateAcquireAskAndAnswerAreDurableToo) {
  FaultyVfs vfs;
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const auto expect_synced = [&vfs](const char* what) {
    const std::vector<FaultyVfs::Note> notes = vfs.take_notes();
    ASSERT_FALSE(notes.empty()) << what;
    EXPECT_EQ(notes.back().call, FaultyVfs::Call::Sync) << what;
  };
  Lease lease = a_run(*journal);
  expect_synced("create");
  journal->release(lease);
  vfs.take_notes();
  lease = *journal->acquire(kRun);
  expect_synced("acquire");
  const std::int64_t request = *journal->ask(kRun, "cancel", "{}", "ana");
  expect_synced("ask");
  const RequestAnswer granted{request, ""};
  ASSERT_TRUE(journal->append(lease, {1}, {}, std::nullopt, {&granted, 1}));
  expect_synced("answer");
  ASSERT_TRUE(journal->put_text("text"));
  expect_synced("put_text");
}

TEST(Journal, EventsAppendedTogetherAreOneCommit) {
  FaultyVfs vfs;
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const Lease lease = a_run(*journal);
  vfs.take_notes();
  const std::vector<Event> many(10, a_note("x"));
  ASSERT_TRUE(journal->append(lease, {1}, many));
  const std::vector<FaultyVfs::Note> notes = vfs.take_notes();
  EXPECT_EQ(std::ranges::count(notes, FaultyVfs::Call::Sync, &FaultyVfs::Note::call), 1);
}

TEST(Journal, EventsGetTheTimeTheCallerAppliedThemWith) {
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const Lease lease = a_run(*journal);
  const Timestamp earlier = world.clock.now() - Duration(5'000);
  const std::vector<Event> two = {a_note("a"), a_note("b")};
  const Result<std::vector<RecordedEvent>> recorded = journal->append(lease, {1}, two, earlier);
  ASSERT_TRUE(recorded);
  EXPECT_EQ(recorded->back().at, earlier);
  EXPECT_EQ(append_note(*journal, lease, 3)->back().at, world.clock.now());
  const Result<std::vector<RecordedEvent>> stored = journal->events(kRun, {1}, 10);
  EXPECT_EQ((*stored)[1].at, earlier);
  EXPECT_EQ((*stored)[2].at, world.clock.now());
}

TEST(Journal, CreatingTwiceIsAConflict) {
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  a_run(*journal);
  const Event created = a_creation();
  const Result<Lease> again = journal->create(kRun, {&created, 1}, {});
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().kind, ErrorKind::Conflict);
  EXPECT_EQ(journal->runs()->size(), 1u);
}

TEST(Journal, CreateKeepsItsTexts) {
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const Event created = a_creation();
  const std::vector<std::string> texts = {"definition", std::string("with\0zero", 9)};
  ASSERT_TRUE(journal->create(kRun, {&created, 1}, texts));
  for (const std::string& text : texts) EXPECT_EQ(*journal->text(to_text(digest_of(text))), text);
}

TEST(Journal, TextsAreKeptOnceUnderTheirDigest) {
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const Result<std::string> digest = journal->put_text("hello");
  ASSERT_TRUE(digest);
  EXPECT_EQ(*journal->put_text("hello"), *digest);
  EXPECT_EQ(*journal->text(*digest), "hello");
  EXPECT_EQ(Tamperer(world.file()).value("SELECT count(*) FROM texts"), "1");
  EXPECT_EQ(journal->text(to_text(digest_of("other"))).error().kind, ErrorKind::NotFound);
  Tamperer(world.file()).change("UPDATE texts SET body = 'hellO'");
  EXPECT_EQ(journal->text(*digest).error().kind, ErrorKind::Corrupt);
}

TEST(Journal, AnUnknownRunIsNotFound) {
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const RunId unknown{"nobody"};
  EXPECT_EQ(journal->state(unknown).error().kind, ErrorKind::NotFound);
  EXPECT_EQ(journal->events(unknown, {0}, 1).error().kind, ErrorKind::NotFound);
  EXPECT_EQ(journal->acquire(unknown).error().kind, ErrorKind::NotFound);
  EXPECT_EQ(journal->owner(unknown).error().kind, ErrorKind::NotFound);
  EXPECT_EQ(journal->ask(unknown, "k", "{}", "ana").error().kind, ErrorKind::NotFound);
  EXPECT_EQ(journal->break_lease(unknown).error().kind, ErrorKind::NotFound);
}

TEST(Journal, EventsAreReadInPieces) {
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const Lease lease = a_run(*journal);
  const std::vector<Event> many(9, a_note("x"));
  ASSERT_TRUE(journal->append(lease, {1}, many));
  const Result<std::vector<RecordedEvent>> piece = journal->events(kRun, {3}, 4);
  ASSERT_TRUE(piece);
  ASSERT_EQ(piece->size(), 4u);
  EXPECT_EQ(piece->front().number.value, 4);
  EXPECT_EQ(piece->back().number.value, 7);
}

TEST(Journal, RunsAreListedOldestFirstWithTheirLastEvent) {
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const Lease second = a_run(*journal, RunId{"zebra"});
  a_run(*journal, RunId{"ant"});
  ASSERT_TRUE(append_note(*journal, second, 1));
  journal->release(second);
  const Result<std::vector<RunEntry>> runs = journal->runs();
  ASSERT_TRUE(runs);
  ASSERT_EQ(runs->size(), 2u);
  EXPECT_EQ((*runs)[0].id.text, "zebra");
  EXPECT_EQ((*runs)[0].last.value, 2);
  EXPECT_FALSE((*runs)[0].owner);
  EXPECT_EQ((*runs)[1].id.text, "ant");
  ASSERT_TRUE((*runs)[1].owner);
  EXPECT_TRUE((*runs)[1].owner->alive);
  EXPECT_EQ((*runs)[1].created_at, world.clock.now());
}

TEST(Journal, RequestsAreAnsweredOnce) {
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const Lease lease = a_run(*journal);
  const std::int64_t first = *journal->ask(kRun, "approve", R"({"gate":"g"})", "ana");
  const std::int64_t second = *journal->ask(kRun, "cancel", "{}", "ben");
  EXPECT_LT(first, second);
  const Result<std::vector<Request>> open = journal->requests(kRun);
  ASSERT_TRUE(open);
  ASSERT_EQ(open->size(), 2u);
  EXPECT_EQ((*open)[0].kind, "approve");
  EXPECT_EQ((*open)[0].body, R"({"gate":"g"})");
  EXPECT_EQ((*open)[1].by, "ben");
  EXPECT_EQ(journal->outcome_of(first)->what, RequestOutcome::What::Open);
  const std::vector<RequestAnswer> answers = {{first, ""}, {second, "too late"}};
  ASSERT_TRUE(journal->append(lease, {1}, {}, std::nullopt, answers));
  EXPECT_EQ(journal->outcome_of(first)->what, RequestOutcome::What::Granted);
  EXPECT_EQ(journal->outcome_of(second)->what, RequestOutcome::What::Refused);
  EXPECT_EQ(journal->outcome_of(second)->refusal, "too late");
  EXPECT_TRUE(journal->requests(kRun)->empty());
}

TEST(Journal, E13_NothingOfAnAnsweredRequestStaysInTheFile) {
  World world;
  std::unique_ptr<Journal> journal = world.open();
  const Lease lease = a_run(*journal);
  for (const std::string& body : {std::string("hunter2-0123456789"), std::string(9'000, 'x') + "hunter2-tail"}) {
    const RequestAnswer granted{*journal->ask(kRun, "answer", body, "ana"), ""};
    EXPECT_EQ(journal->requests(kRun)->front().body, body);
    ASSERT_TRUE(journal->append(lease, {1}, {}, std::nullopt, {&granted, 1}));
  }
  journal->release(lease);
  journal.reset();
  EXPECT_EQ(Tamperer(world.file()).value("SELECT count(*) FROM requests WHERE body <> ''"), "0");
  for (const auto& entry : std::filesystem::directory_iterator(world.directory())) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(bytes.find("hunter2"), std::string::npos) << entry.path();
  }
}

TEST(Journal, J10_ARequestIsWithdrawnUntilItsOwnerClaimsIt) {
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const Lease lease = a_run(*journal);
  const std::int64_t first = *journal->ask(kRun, "approve", "{}", "ana");
  EXPECT_EQ(journal->requests(kRun)->size(), 1u) << "to look at it is not to claim it";
  EXPECT_EQ(world.open()->withdraw(first)->what, RequestOutcome::What::Withdrawn);
  EXPECT_TRUE(journal->claim_requests(kRun)->empty());
  const std::int64_t second = *journal->ask(kRun, "approve", "{}", "ana");
  EXPECT_EQ(journal->claim_requests(kRun)->size(), 1u);
  EXPECT_EQ(journal->claim_requests(kRun)->size(), 1u) << "it is open until it is answered";
  EXPECT_EQ(world.open()->withdraw(second)->what, RequestOutcome::What::Open);
  const std::int64_t third = *journal->ask(kRun, "approve", "{}", "ana");
  EXPECT_EQ(world.open()->withdraw(third)->what, RequestOutcome::What::Withdrawn);
  const RequestAnswer granted{second, ""};
  ASSERT_TRUE(journal->append(lease, {1}, {}, std::nullopt, {&granted, 1}));
  EXPECT_EQ(world.open()->withdraw(second)->what, RequestOutcome::What::Granted);
}

TEST(Journal, J10_AnAnswerAndItsEventsAreOneUnit) {
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const Lease lease = a_run(*journal);
  const RequestAnswer granted{*journal->ask(kRun, "approve", "{}", "ana"), ""};
  const Event note = NoteAdded{"approved", "ana"};
  EXPECT_EQ(journal->append(lease, {7}, {&note, 1}, std::nullopt, {&granted, 1}).error().kind,
            ErrorKind::Conflict);
  EXPECT_EQ(journal->outcome_of(granted.request)->what, RequestOutcome::What::Open) << "no events, no answer";
  ASSERT_TRUE(journal->append(lease, {1}, {&note, 1}, std::nullopt, {&granted, 1}));
  EXPECT_EQ(journal->append(lease, {2}, {&note, 1}, std::nullopt, {&granted, 1}).error().kind,
            ErrorKind::NotFound);
  EXPECT_EQ(journal->events(kRun, {0}, 10)->size(), 2u) << "no answer, no events";
}

TEST(Journal, J10_ARequestEndsWithTheLeaseItWasAskedOf) {
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  Lease lease = a_run(*journal);
  const std::int64_t answered = *journal->ask(kRun, "retry", "{}", "ana");
  const std::int64_t left = *journal->ask(kRun, "retry", "{}", "ana");
  const RequestAnswer granted{answered, ""};
  ASSERT_TRUE(journal->append(lease, {1}, {}, std::nullopt, {&granted, 1}));
  journal->release(lease);
  EXPECT_EQ(journal->ask(kRun, "retry", "{}", "ana").error().kind, ErrorKind::Conflict) << "nobody is there";
  lease = *journal->acquire(kRun);
  EXPECT_EQ(journal->outcome_of(answered)->what, RequestOutcome::What::Granted);
  EXPECT_EQ(journal->outcome_of(left)->what, RequestOutcome::What::Withdrawn);
  EXPECT_TRUE(journal->requests(kRun)->empty());
  const RequestAnswer late{left, ""};
  EXPECT_EQ(journal->append(lease, {1}, {}, std::nullopt, {&late, 1}).error().kind, ErrorKind::NotFound);
}

TEST(Journal, E06_ARunWhoseRemovalHasBegunIsOnlyRemoved) {
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const Lease lease = a_run(*journal);
  const Event archived = RunArchived{.by = "ana"};
  ASSERT_TRUE(journal->append(lease, {1}, {&archived, 1}));
  journal->release(lease);
  world.clock.advance(Duration(10'000));
  const Timestamp now = world.clock.now();
  const auto stop = [&]() -> Result<bool> {
    EXPECT_TRUE(journal->begin_removal(kRun));
    return false;
  };
  EXPECT_EQ(*journal->remove(kRun, now, stop), false);
  EXPECT_TRUE(journal->runs()->front().is_being_removed);
  EXPECT_EQ(world.open()->acquire(kRun).error().kind, ErrorKind::Invalid);
  EXPECT_EQ(journal->removable(Timestamp{})->size(), 1u) << "however young it is";
  EXPECT_EQ(*journal->remove(kRun, Timestamp{}, [] { return Result<bool>(true); }), true);
  EXPECT_TRUE(journal->runs()->empty());
  a_run(*journal);
  EXPECT_FALSE(journal->runs()->front().is_being_removed);
}

TEST(Journal, OnlyOldArchivedRunsAreRemovedAndWhole) {
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const std::vector<std::string> names = {"kept", "old", "recent", "held"};
  std::vector<Lease> leases;
  for (const std::string& name : names) leases.push_back(a_run(*journal, RunId{name}));
  const Event archived = RunArchived{.by = "ana"};
  ASSERT_TRUE(journal->append(leases[1], {1}, {&archived, 1}));
  ASSERT_TRUE(journal->append(leases[3], {1}, {&archived, 1}));
  ASSERT_TRUE(journal->ask(RunId{"old"}, "k", "{}", "ana"));
  ASSERT_TRUE(journal->put_copy(leases[1], *journal->state(RunId{"old"})));
  journal->release(leases[1]);
  world.clock.advance(Duration(10'000));
  const Timestamp before = world.clock.now();
  ASSERT_TRUE(journal->append(leases[2], {1}, {&archived, 1}));
  journal->release(leases[2]);

  const std::vector<RunId> expected = {RunId{"old"}};
  EXPECT_EQ(*journal->removable(before), expected);
  EXPECT_EQ(journal->runs()->size(), 4u);
  int cleared = 0;
  const auto clear = [&]() -> Result<bool> {
    ++cleared;
    EXPECT_EQ(world.open()->acquire(RunId{"old"}).error().kind, ErrorKind::Conflict) << "nobody gets it meanwhile";
    return true;
  };
  for (const std::string& name : names) {
    EXPECT_EQ(*journal->remove(RunId{name}, before, [] { return Result<bool>(false); }), false);
    EXPECT_EQ(*journal->remove(RunId{name}, before, clear), name == "old") << name;
  }
  EXPECT_EQ(cleared, 1);
  EXPECT_EQ(journal->runs()->size(), 3u);
  EXPECT_EQ(*journal->largest_number("old"), 1) << "a number that was used is not given out again";
  EXPECT_EQ(journal->state(RunId{"old"}).error().kind, ErrorKind::NotFound);
  EXPECT_TRUE(journal->verify()->empty());
  EXPECT_EQ(Tamperer(world.file()).value("SELECT count(*) FROM requests"), "0");
}

TEST(Journal, FolderAndFilesArePrivate) {
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  a_run(*journal);
  struct stat info = {};
  ASSERT_EQ(stat(world.directory().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
  int files = 0;
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(world.directory())) {
    ASSERT_EQ(stat(entry.path().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600u) << entry.path();
    ++files;
  }
  EXPECT_EQ(files, 5);  // journal.db, its -wal and -shm, journal.lock, leases.lock
}

TEST(Journal, FactsNameLibraryModeAndIdentity) {
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const Result<std::vector<std::pair<std::string, std::string>>> facts = journal->facts();
  ASSERT_TRUE(facts);
  std::map<std::string, std::string> found(facts->begin(), facts->end());
  EXPECT_EQ(found["journal mode"], "wal");
  EXPECT_EQ(found["journal id"].size(), 32u);
  EXPECT_EQ(found["sqlite"], sqlite3_libversion());
  EXPECT_EQ(found["format version"], "1");
  EXPECT_FALSE(found["sqlite WAL-reset bug"].empty());
}

TEST(Journal, AStateOfManyStepsComesFromItsCopy) {
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const Lease lease = a_run(*journal);
  std::vector<Event> events;
  constexpr int kSteps = 10'000;
  for (int i = 0; i < kSteps; ++i) {
    const StepPath step{"lanes/" + std::to_string(i) + "/build"};
    events.push_back(AttemptStarted{.step = step, .attempt = {1}, .work = shortened(digest_of("sha256:0"))});
    events.push_back(AttemptFinished{.step = step, .attempt = {1}, .exit_code = 0, .summary = "built"});
  }
  ASSERT_TRUE(journal->append(lease, {1}, events));
  ASSERT_TRUE(journal->put_copy(lease, *journal->state(kRun)));
  ASSERT_TRUE(append_note(*journal, lease, 1 + 2 * kSteps));
  const Result<RunState> state = journal->state(kRun);
  ASSERT_TRUE(state);
  EXPECT_EQ(state->steps.size(), static_cast<std::size_t>(kSteps));
  EXPECT_EQ(state->notes.size(), 1u);
  EXPECT_TRUE(journal->verify()->empty());
}

TEST(Journal, TheLogIsCutBackWhileWritingAndAtTheEnd) {
  World world;
  const std::filesystem::path log = world.file().string() + "-wal";
  {
    const std::unique_ptr<Journal> journal = world.open();
    const Lease lease = a_run(*journal);
    const std::string large(100'000, 'x');
    for (std::int64_t number = 1; number <= 150; ++number) {
      ASSERT_TRUE(append_note(*journal, lease, number, large));
    }
    // 150 appends of about 25 pages are some 3,800 frames; the log starts over after about a thousand.
    EXPECT_LT(std::filesystem::file_size(log), 2'000u * 4'200u);
    EXPECT_GT(std::filesystem::file_size(world.file()), 5'000'000u);
  }
  EXPECT_EQ(std::filesystem::file_size(log), 0u);
  EXPECT_EQ(world.open()->state(kRun)->notes.size(), 150u);
}

}  // namespace
}  // namespace reprise
