// Locks: a process that does not release one is named, the wait has an end, and a signal ends it.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "world.h"

namespace reprise::cli_test {
namespace {

constexpr const char* kGate = "stages:\n  a: {gate: Is it good?}\n";

// A process that holds the lock on one byte of a file and is stopped, as by Ctrl-Z, until it is told to continue.
class StoppedHolder {
 public:
  StoppedHolder(const fs::path& file, off_t byte) : pid_(::fork()) {
    if (pid_ == 0) hold(file, byte);
    int status = 0;
    is_stopped_ = ::waitpid(pid_, &status, WUNTRACED) == pid_ && WIFSTOPPED(status);
  }
  ~StoppedHolder() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  StoppedHolder(const StoppedHolder&) = delete;
  StoppedHolder& operator=(const StoppedHolder&) = delete;

  bool is_stopped() const { return is_stopped_; }
  void continue_and_end() const { ::kill(pid_, SIGCONT); }
  std::string pid() const { return std::to_string(pid_); }

 private:
  [[noreturn]] static void hold(const fs::path& file, off_t byte) {
    const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    struct flock lock = {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = byte;
    lock.l_len = 1;
    if (::fcntl(fd, F_OFD_SETLK, &lock) != 0) ::_exit(1);
    ::raise(SIGSTOP);
    ::_exit(0);
  }

  pid_t pid_;
  bool is_stopped_ = false;
};

TEST(Locks, E15_CommandNamesTheStoppedHolderOfTheJournalAndGivesUp) {
  const World world;
  world.workflow("w", kGate);
  ASSERT_EQ(world.reprise({"run", "w", "x"}).exit, 3);
  {
    const StoppedHolder holder(world.root() / ".git/reprise/journal.lock", 0);
    ASSERT_TRUE(holder.is_stopped());
    const Ended ended = world.reprise({"approve", "w/x"});
    EXPECT_EQ(ended.exit, 5) << ended.err;
    EXPECT_TRUE(contains(ended.err, "waiting for the lock on ")) << ended.err;
    EXPECT_TRUE(contains(ended.err, "journal.lock is locked: process " + holder.pid() + " (")) << ended.err;
    EXPECT_TRUE(contains(ended.err, "holds it and is stopped\n  try: kill -CONT " + holder.pid())) << ended.err;
  }
  EXPECT_EQ(world.reprise({"approve", "w/x"}).exit, 0);
}

TEST(Locks, E15_SignalEndsTheWaitForTheJournal) {
  const World world;
  world.workflow("w", "stages:\n  a: {run: 'true'}\n");
  ASSERT_EQ(world.reprise({"run", "w", "first"}).exit, 0);
  const StoppedHolder holder(world.root() / ".git/reprise/journal.lock", 0);
  ASSERT_TRUE(holder.is_stopped());
  for (const int signal : {SIGTERM, SIGINT}) {
    const std::string said = "said" + std::to_string(signal) + ".txt";
    const auto runner = world.start({"run", "w", "x"}, said);
    ASSERT_TRUE(World::wait_until([&] { return contains(world.read(said), "kill -CONT " + holder.pid()); }));
    runner->signal(signal);
    EXPECT_EQ(runner->end(), 128 + signal) << world.read(said);
  }
}

// A run that is being worked on waits for as long as it takes, and finishes.
TEST(Locks, E15_RunContinuesWhenTheHolderReleasesTheJournal) {
  const World world;
  world.workflow("w", "stages:\n  a: {run: 'touch started; while ! test -e go; do sleep 0.05; done'}\n");
  const auto runner = world.start({"run", "w", "x"}, "said.txt");
  ASSERT_TRUE(world.wait_for_file("started"));
  const StoppedHolder holder(world.root() / ".git/reprise/journal.lock", 0);
  ASSERT_TRUE(holder.is_stopped());
  world.write("go", "");
  ASSERT_TRUE(World::wait_until([&] { return contains(world.read("said.txt"), "kill -CONT " + holder.pid()); }));
  holder.continue_and_end();
  EXPECT_EQ(runner->end(), 0) << world.read("said.txt");
}

// The lock that keeps two processes from changing the repository's lanes together.
TEST(Locks, E15_SignalEndsTheWaitForTheRepositoryAndFailsNoStep) {
  const World world;
  world.workflow("w",
                 "stages:\n  work:\n    lane: {base: main}\n    publish: merge\n    stages:\n"
                 "      write: {run: 'echo x >text'}\n");
  ASSERT_EQ(
      world.shell("git add -A && git -c user.name=a -c user.email=a@b commit -qm start && git branch -M main")
          .exit,
      0);
  ASSERT_EQ(world.reprise({"run", "w", "first"}).exit, 0);
  {
    const StoppedHolder holder(world.root() / ".git/reprise/git.lock", 0);
    ASSERT_TRUE(holder.is_stopped());
    const auto runner = world.start({"run", "w", "x"}, "../said.txt");
    ASSERT_TRUE(
        World::wait_until([&] { return contains(world.read("../said.txt"), "kill -CONT " + holder.pid()); }));
    EXPECT_TRUE(contains(world.read("../said.txt"), "git.lock: process " + holder.pid()))
        << world.read("../said.txt");
    runner->signal(SIGTERM);
    EXPECT_EQ(runner->end(), 143) << world.read("../said.txt");
  }
  const Ended resumed = world.reprise({"resume", "w/x", "--yes"});
  EXPECT_EQ(resumed.exit, 0) << resumed.err;
}

// A database browser with an open transaction.
TEST(Locks, E15_DatabaseLockedByAnotherProgramIsHeldNotWrongUsage) {
  const World world;
  world.workflow("w", kGate);
  ASSERT_EQ(world.reprise({"run", "w", "x"}).exit, 3);
  std::array<int, 2> ready = {};
  ASSERT_EQ(::pipe(ready.data()), 0);
  const pid_t browser = ::fork();
  if (browser == 0) {
    sqlite3* db = nullptr;
    const std::string file = (world.root() / ".git/reprise/journal.db").string();
    const bool is_locked = sqlite3_open(file.c_str(), &db) == SQLITE_OK &&
                           sqlite3_exec(db, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr) == SQLITE_OK;
    if (::write(ready[1], is_locked ? "y" : "n", 1) == 1) ::pause();
    ::_exit(0);
  }
  char answer = 'n';
  EXPECT_EQ(::read(ready[0], &answer, 1), 1);
  EXPECT_EQ(answer, 'y');
  const Ended ended = world.reprise({"approve", "w/x"});
  ::kill(browser, SIGKILL);
  ::waitpid(browser, nullptr, 0);
  EXPECT_EQ(ended.exit, 5) << ended.err;
  const std::string pid = std::to_string(browser);
  EXPECT_TRUE(contains(ended.err, "journal.db is locked: process " + pid + " (")) << ended.err;
  EXPECT_TRUE(contains(ended.err, "  try: ps -fp " + pid)) << ended.err;
  EXPECT_EQ(world.reprise({"approve", "w/x"}).exit, 0);
}

}  // namespace
}  // namespace reprise::cli_test
