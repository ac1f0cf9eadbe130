// The database file and its versions: migration (P31), refusal of what is not ours, replaced files (R42),
// network file systems (R43), readers beside a writer (P19).

#include "journal/store.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "journal/faulty_vfs.h"
#include "journal/journal_test_world.h"

namespace reprise {
namespace {

// What a later version might look like.
const std::array kTwoVersions = {
    journal_migrations().front(),
    Migration{.version = 2,
              .sql = "ALTER TABLE runs ADD COLUMN label TEXT; CREATE TABLE extra (n INTEGER) STRICT;"}};
const std::array kThreeVersions = {
    kTwoVersions[0], kTwoVersions[1],
    Migration{.version = 3, .sql = "UPDATE runs SET label = 'was ' || id; DROP TABLE extra;"}};
const std::array kBrokenMigration = {
    kTwoVersions[0],
    Migration{.version = 2, .sql = "CREATE TABLE extra (n INTEGER) STRICT; INSERT INTO nothing VALUES (1);"}};

StoreOptions with(std::span<const Migration> migrations) {
  StoreOptions options;
  options.migrations = migrations;
  return options;
}

void make_stored_run(World& world) {
  const std::unique_ptr<Journal> journal = world.open();
  const Lease lease = a_run(*journal);
  check(append_note(*journal, lease, 1, "before").has_value());
  journal->release(lease);
}

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

TEST(Store, P1_AJournalWhoseCreationLostPowerIsMadeAnew) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{512}, std::size_t{4096}, std::size_t{65536}}) {
    World world;
    std::filesystem::create_directories(world.directory());
    std::ofstream(world.file(), std::ios::binary) << std::string(size, '\0');
    const Result<std::unique_ptr<Journal>> reader = world.try_open(OpenMode::ReadOnly);
    ASSERT_FALSE(reader);
    EXPECT_EQ(reader.error().kind, ErrorKind::NotFound);
    EXPECT_EQ(std::filesystem::file_size(world.file()), size) << "a reader changes nothing";
    const Result<std::unique_ptr<Journal>> writer = world.try_open(OpenMode::ReadWrite);
    ASSERT_TRUE(writer) << writer.error().message;
    EXPECT_TRUE((*writer)->runs()->empty());
  }
  World other;
  std::filesystem::create_directories(other.directory());
  std::ofstream(other.file(), std::ios::binary) << std::string(4095, '\0') + "x";
  EXPECT_FALSE(other.try_open(OpenMode::ReadWrite)) << "somebody's bytes are not thrown away";
}

TEST(Store, P31_AnOlderJournalIsMigratedAfterABackup) {
  World world;
  make_stored_run(world);
  {
    const Result<std::unique_ptr<Journal>> journal = world.try_open(OpenMode::ReadWrite, with(kThreeVersions));
    ASSERT_TRUE(journal) << journal.error().message;
    EXPECT_EQ((*journal)->state(kRun)->notes, std::vector<std::string>{"before"});
    EXPECT_TRUE((*journal)->verify()->empty());
  }
  Tamperer migrated(world.file());
  EXPECT_EQ(migrated.value("PRAGMA user_version"), "3");
  EXPECT_EQ(migrated.value("SELECT value FROM meta WHERE key = 'format'"), "3");
  EXPECT_EQ(migrated.value("SELECT label FROM runs"), "was demo");
  Tamperer backup(world.directory() / "journal.db.backup-v1");
  EXPECT_EQ(backup.value("PRAGMA user_version"), "1");
  EXPECT_EQ(backup.value("PRAGMA integrity_check"), "ok");
  EXPECT_EQ(backup.value("SELECT count(*) FROM events"), "2");
}

TEST(Store, P31_ABackupCanBePutInPlaceOfTheJournal) {
  World world;
  make_stored_run(world);
  ASSERT_TRUE(world.try_open(OpenMode::ReadWrite, with(kTwoVersions)));
  const std::string backup = content_of(world.directory() / "journal.db.backup-v1");
  for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(world.file().string() + suffix);
  put_content(world.file(), backup);
  EXPECT_EQ(world.open()->state(kRun)->notes, std::vector<std::string>{"before"});
}

TEST(Store, P31_AMigrationThatFailsChangesNothing) {
  World world;
  make_stored_run(world);
  const Result<std::unique_ptr<Journal>> failed = world.try_open(OpenMode::ReadWrite, with(kBrokenMigration));
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().message.find("from format version 1 to 2"), std::string::npos)
      << failed.error().message;
  EXPECT_TRUE(world.open()->verify()->empty());
  EXPECT_EQ(Tamperer(world.file()).value("SELECT count(*) FROM sqlite_schema WHERE name = 'extra'"), "0");
}

// Fails each call of a migration in turn; afterwards one of the two versions opens, with all that was in it.
int sweep_migration(FaultyVfs::Fault fault) {
  FaultyVfs vfs;
  for (int n = 1;; ++n) {
    World world;
    make_stored_run(world);
    vfs.fail_call(n, fault);
    const bool is_migrated = world.try_open(OpenMode::ReadWrite, with(kTwoVersions)).has_value();
    const bool has_fired = vfs.has_fired();
    vfs.heal();
    const std::string version = Tamperer(world.file()).value("PRAGMA user_version");
    EXPECT_TRUE(!is_migrated || version == "2") << "at call " << n;
    const Result<std::unique_ptr<Journal>> journal =
        version == "1" ? world.try_open() : world.try_open(OpenMode::ReadWrite, with(kTwoVersions));
    EXPECT_TRUE(journal) << "at call " << n;
    if (!journal) return n;
    EXPECT_TRUE((*journal)->verify()->empty()) << "at call " << n;
    EXPECT_EQ((*journal)->state(kRun)->notes.size(), 1u) << "at call " << n;
    EXPECT_TRUE(world.try_open(OpenMode::ReadWrite, with(kTwoVersions))) << "at call " << n;
    if (!has_fired) return n - 1;
  }
}

TEST(Store, P31_AFailureAnywhereInAMigrationLeavesOneOfTheTwoVersions) {
  int rounds = 0;
  for (const FaultyVfs::Repeat repeat : {FaultyVfs::Repeat::Once, FaultyVfs::Repeat::Sticky}) {
    rounds += sweep_migration({.call = FaultyVfs::Call::Write, .code = SQLITE_IOERR_WRITE, .repeat = repeat});
    rounds += sweep_migration({.call = FaultyVfs::Call::Write, .code = SQLITE_FULL, .repeat = repeat});
    rounds += sweep_migration({.call = FaultyVfs::Call::Sync, .code = SQLITE_IOERR_FSYNC, .repeat = repeat});
    rounds +=
        sweep_migration({.call = FaultyVfs::Call::Truncate, .code = SQLITE_IOERR_TRUNCATE, .repeat = repeat});
  }
  EXPECT_GE(rounds, 100);
}

TEST(Store, P31_ANewerJournalIsRefusedUntouched) {
  World world;
  make_stored_run(world);
  ASSERT_TRUE(world.try_open(OpenMode::ReadWrite, with(kTwoVersions)));
  const std::string before = content_of(world.file());
  const std::string log_before = content_of(world.file().string() + "-wal");
  for (const OpenMode mode : {OpenMode::ReadWrite, OpenMode::ReadOnly}) {
    const Result<std::unique_ptr<Journal>> refused = world.try_open(mode);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::Corrupt);
    EXPECT_NE(refused.error().message.find("format version 2, this program knows up to 1; nothing was changed"),
              std::string::npos)
        << refused.error().message;
    EXPECT_EQ(content_of(world.file()), before);
    EXPECT_EQ(content_of(world.file().string() + "-wal"), log_before);
  }
}

// The newer program died before its first checkpoint: only its log tells the version.
TEST(Store, P31_ANewerVersionThatIsOnlyInTheLogIsRefusedUntouched) {
  World world;
  make_stored_run(world);
  Tamperer(world.file()).change("PRAGMA user_version = 2");
  const std::string before = content_of(world.file());
  const std::string log_before = content_of(world.file().string() + "-wal");
  ASSERT_FALSE(log_before.empty());
  for (const OpenMode mode : {OpenMode::ReadWrite, OpenMode::ReadOnly}) {
    const Result<std::unique_ptr<Journal>> refused = world.try_open(mode);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::Corrupt);
    EXPECT_EQ(content_of(world.file()), before);
    EXPECT_EQ(content_of(world.file().string() + "-wal"), log_before);
  }
}

TEST(Store, P31_NothingIsMigratedWhileARunIsBeingWorkedOn) {
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const Lease lease = a_run(*journal);
  EXPECT_EQ(world.try_open(OpenMode::ReadWrite, with(kTwoVersions)).error().kind, ErrorKind::Unavailable);
  EXPECT_TRUE(append_note(*journal, lease, 1));
  journal->release(lease);
  EXPECT_TRUE(world.try_open(OpenMode::ReadWrite, with(kTwoVersions)));
}

TEST(Store, P31_AReaderDoesNotMigrate) {
  World world;
  make_stored_run(world);
  const std::string before = content_of(world.file());
  EXPECT_EQ(world.try_open(OpenMode::ReadOnly, with(kTwoVersions)).error().kind, ErrorKind::Unavailable);
  EXPECT_EQ(content_of(world.file()), before);
}

TEST(Store, WhatIsNotAJournalIsRefusedUntouched) {
  World world;
  std::filesystem::create_directories(world.directory());
  Tamperer(world.directory() / "foreign.db").change("CREATE TABLE theirs (n); PRAGMA application_id = 77");
  Tamperer(world.directory() / "nameless.db").change("CREATE TABLE theirs (n)");
  const std::vector<std::string> contents = {"hello", std::string(5'000, 'x'), "SQLite format 3",
                                             content_of(world.directory() / "foreign.db"),
                                             content_of(world.directory() / "nameless.db")};
  for (const std::string& content : contents) {
    put_content(world.file(), content);
    for (const OpenMode mode : {OpenMode::ReadWrite, OpenMode::ReadOnly}) {
      const Result<std::unique_ptr<Journal>> refused = world.try_open(mode);
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().kind, ErrorKind::Corrupt) << refused.error().message;
      EXPECT_EQ(content_of(world.file()), content);
      EXPECT_FALSE(std::filesystem::exists(world.file().string() + "-wal"));
    }
  }
}

TEST(Store, AReaderCreatesNothing) {
  World world;
  EXPECT_EQ(world.try_open(OpenMode::ReadOnly).error().kind, ErrorKind::NotFound);
  EXPECT_FALSE(std::filesystem::exists(world.directory()));
  std::filesystem::create_directories(world.directory());
  put_content(world.file(), "");  // what a creation that was killed at once leaves
  EXPECT_EQ(world.try_open(OpenMode::ReadOnly).error().kind, ErrorKind::NotFound);
  EXPECT_EQ(content_of(world.file()), "");
  EXPECT_TRUE(world.open()->runs()->empty());
}

TEST(Store, AReaderCannotWrite) {
  World world;
  make_stored_run(world);
  const std::unique_ptr<Journal> reader = world.open(OpenMode::ReadOnly);
  EXPECT_EQ(reader->acquire(kRun).error().kind, ErrorKind::Denied);
  EXPECT_EQ(reader->ask(kRun, "k", "{}", "ana").error().kind, ErrorKind::Denied);
  EXPECT_EQ(reader->put_text("x").error().kind, ErrorKind::Denied);
  EXPECT_TRUE(reader->state(kRun));
}

TEST(Store, AReaderReadsALogThatNoWriterIsLeftFor) {
  World world;
  {
    FaultyVfs vfs;
    const std::unique_ptr<Journal> journal = world.open();
    const Lease lease = a_run(*journal);
    ASSERT_TRUE(append_note(*journal, lease, 1));
    vfs.fail_call(1, {.call = FaultyVfs::Call::Sync, .code = SQLITE_IOERR, .repeat = FaultyVfs::Repeat::Sticky});
    ASSERT_FALSE(append_note(*journal, lease, 2));  // and so nothing is checkpointed at the end
  }
  ASSERT_GT(std::filesystem::file_size(world.file().string() + "-wal"), 0u);
  std::filesystem::remove(world.file().string() + "-shm");
  EXPECT_GE(world.open(OpenMode::ReadOnly)->state(kRun)->last.value, 2);
}

TEST(Store, AFolderThatCannotBeWrittenIsExplainedToReaders) {
  World world;
  make_stored_run(world);
  for (const char* suffix : {"-wal", "-shm"}) std::filesystem::remove(world.file().string() + suffix);
  const pid_t child = fork();
  if (child == 0) {
    // Permissions do not hold root back, so the child becomes somebody else where it can.
    std::filesystem::permissions(world.file(), std::filesystem::perms(0444));
    std::filesystem::permissions(world.directory(), std::filesystem::perms(0555));
    std::filesystem::permissions(world.folder.path(), std::filesystem::perms(0755));
    if (getuid() == 0 && setuid(65'534) != 0) _exit(2);
    const Result<std::unique_ptr<Journal>> journal = world.try_open(OpenMode::ReadOnly);
    if (journal) _exit(3);
    // The kind stays that of the disk: for whoever called the command this is a failed store (exit 6).
    const ErrorKind kind = journal.error().kind;
    const bool is_explained = (kind == ErrorKind::Denied || kind == ErrorKind::Io) &&
                              journal.error().message.find("needs write access to") != std::string::npos;
    _exit(is_explained ? 0 : 4);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  std::filesystem::permissions(world.directory(), std::filesystem::perms(0755));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

enum class Swap { ReplaceDatabase, RemoveDatabase, ReplaceLog, RemoveLog };

TEST(Store, R42_AReplacedFileHaltsTheProcessThatHasItOpen) {
  int cases = 0;
  for (const Swap swap : {Swap::ReplaceDatabase, Swap::RemoveDatabase, Swap::ReplaceLog, Swap::RemoveLog}) {
    World world;
    const std::unique_ptr<Journal> journal = world.open();
    const Lease lease = a_run(*journal);
    ASSERT_TRUE(append_note(*journal, lease, 1));
    const bool is_log = swap == Swap::ReplaceLog || swap == Swap::RemoveLog;
    const std::filesystem::path victim = world.file().string() + (is_log ? "-wal" : "");
    const std::filesystem::path aside = victim.string() + ".aside";
    std::filesystem::rename(victim, aside);
    if (swap == Swap::ReplaceDatabase || swap == Swap::ReplaceLog) std::filesystem::copy_file(aside, victim);
    for (int i = 0; i < 2; ++i) {
      const Result<std::vector<RecordedEvent>> refused = append_note(*journal, lease, 2);
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().kind, ErrorKind::Corrupt);
      EXPECT_NE(refused.error().message.find("journal replaced under a running process"), std::string::npos);
      EXPECT_FALSE(journal->state(kRun));
      // Putting it back does not help: what happened in between is not known.
      std::filesystem::rename(aside, victim);
      std::filesystem::rename(victim, aside);
      std::filesystem::copy_file(aside, victim);
    }
    ++cases;
  }
  EXPECT_EQ(cases, 4);
}

TEST(Store, R43_ANetworkFileSystemIsRefusedAndNothingIsCreated) {
  World world;
  StoreOptions options;
  options.is_network = [](const std::filesystem::path&) -> Result<bool> { return true; };
  for (const OpenMode mode : {OpenMode::ReadWrite, OpenMode::ReadOnly}) {
    const Result<std::unique_ptr<Journal>> refused = world.try_open(mode, options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::Unavailable);
  }
  EXPECT_TRUE(names_in(world.folder.path()).empty());
}

TEST(Store, SecondJournalOfAProcessLeavesTheLocksOfTheFirst) {
  World world;
  std::array<int, 2> orders = {};
  ASSERT_EQ(pipe(orders.data()), 0);
  // Forked before there is a journal: SQLite in the child must know nothing of ours.
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    char order = 0;
    check(read(orders[0], &order, 1) == 1);
    // If the first one's shared lock has been dropped, another process can end the write-ahead log under it.
    Tamperer tamperer(world.file());
    tamperer.change("PRAGMA busy_timeout = 0");
    _exit(tamperer.value("PRAGMA journal_mode = DELETE") == "delete" ? 1 : 0);
  }
  const std::unique_ptr<Journal> journal = world.open();
  a_run(*journal);
  {
    const std::unique_ptr<Journal> other = world.open();
  }
  {
    const std::unique_ptr<Journal> reader = world.open(OpenMode::ReadOnly);
  }
  ASSERT_EQ(write(orders[1], "x", 1), 1);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Store, TwoWritersInTwoProcessesLoseNothing) {
  World world;
  const std::unique_ptr<Journal> owner = world.open();
  const Lease lease = a_run(*owner);
  constexpr int kAsks = 100;
  std::vector<pid_t> children;
  for (int i = 0; i < 3; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      const std::unique_ptr<Journal> journal = world.open();
      int asked = 0;
      for (int n = 0; n < kAsks; ++n) asked += journal->ask(kRun, "k", "{}", "ana") ? 1 : 0;
      _exit(asked == kAsks ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
  const std::unique_ptr<Journal> journal = world.open();
  EXPECT_EQ(journal->requests(kRun)->size(), 3u * kAsks);
  EXPECT_TRUE(journal->verify()->empty());
}

// What keeps the WAL-reset bug of older SQLite versions away: two never write or checkpoint at once.
TEST(Store, P19_EveryWriteAndEveryCheckpointIsUnderTheWriteLock) {
  FaultyVfs vfs;
  World world;
  int calls = 0;
  int to_database = 0;
  int outside = 0;
  vfs.observe([&](const FaultyVfs::Note& note) {
    ++calls;
    to_database += note.file == "journal.db" ? 1 : 0;
    outside += *is_locked(world.directory() / "journal.lock", 0) ? 0 : 1;
  });
  {
    const std::unique_ptr<Journal> journal = world.open();
    const Lease lease = a_run(*journal);
    for (std::int64_t number = 1; number <= 60; ++number) {
      ASSERT_TRUE(append_note(*journal, lease, number, std::string(100'000, 'x')));
    }
    ASSERT_TRUE(journal->put_copy(lease, *journal->state(kRun)));
    ASSERT_TRUE(journal->ask(kRun, "k", "{}", "ana"));
  }
  EXPECT_TRUE(world.open()->acquire(kRun));  // a takeover, which checkpoints first
  EXPECT_GT(calls, 1'500);
  EXPECT_GT(to_database, 1'000);
  EXPECT_EQ(outside, 0);
}

TEST(Store, ClosingDoesNotWaitForAnotherWriterNorForReaders) {
  World world;
  std::unique_ptr<Journal> journal = world.open();
  a_run(*journal);
  WriteLock other = *WriteLock::open(world.directory() / "journal.lock");
  ASSERT_TRUE(other.lock());
  journal.reset();
  EXPECT_GT(std::filesystem::file_size(world.file().string() + "-wal"), 0u);
  other.unlock();
  EXPECT_TRUE(world.open()->verify()->empty());
}

// Reads until it is told to stop; answers how often that went well, or nothing if ever it did not.
int read_until_told(World& world, int orders) {
  const std::unique_ptr<Journal> reader = world.open(OpenMode::ReadOnly);
  std::int64_t last = 0;
  int reads = 0;
  for (;;) {
    const Result<RunState> state = reader->state(kRun);
    const bool is_good = state && state->last.value >= last && reader->events(kRun, {0}, 10) && reader->runs();
    if (!is_good) return 0;
    last = state->last.value;
    ++reads;
    char order = 0;
    if (read(orders, &order, 1) == 1 || errno != EAGAIN) return reads;
  }
}

TEST(Store, P19_ReadersNeverDisturbTheWriterNorFail) {
  World world;
  make_stored_run(world);
  constexpr int kReaders = 3;
  constexpr int kAppends = 500;
  std::array<int, 2> orders = {};
  std::array<int, 2> answers = {};
  ASSERT_EQ(pipe2(orders.data(), O_NONBLOCK), 0);
  ASSERT_EQ(pipe(answers.data()), 0);
  for (int i = 0; i < kReaders; ++i) {
    if (fork() == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      const int reads = read_until_told(world, orders[0]);
      check(write(answers[1], &reads, sizeof reads) == sizeof reads);
      _exit(0);
    }
  }
  {
    const std::unique_ptr<Journal> journal = world.open();
    const Lease lease = *journal->acquire(kRun);
    // Large enough for several checkpoints while there are readers.
    for (std::int64_t number = 2; number < 2 + kAppends; ++number) {
      ASSERT_TRUE(append_note(*journal, lease, number, std::string(20'000, 'x')));
    }
  }
  ASSERT_EQ(write(orders[1], "xxx", kReaders), kReaders);
  for (int i = 0; i < kReaders; ++i) {
    int reads = 0;
    ASSERT_EQ(read(answers[0], &reads, sizeof reads), static_cast<ssize_t>(sizeof reads));
    EXPECT_GT(reads, 0);
    wait(nullptr);
  }
  EXPECT_TRUE(world.open()->verify()->empty());
}

}  // namespace
}  // namespace reprise
