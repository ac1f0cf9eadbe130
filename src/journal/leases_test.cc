// Leases: exactly one owner, dead owners replaced at once, old tokens refused (J4, P15, P16).

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <functional>

#include "journal/journal_test_world.h"
#include "os/machine.h"

namespace reprise {
namespace {

char receive(int fd) {
  char byte = 0;
  check(read(fd, &byte, 1) == 1);
  return byte;
}

void send(int fd, char byte) { check(write(fd, &byte, 1) == 1); }

/// A process of its own with a byte pipe each way. Forked without any journal open.
class Child {
 public:
  /// `body` is called with the descriptors to read orders from and to answer to.
  explicit Child(const std::function<void(int, int)>& body) {
    std::array<int, 2> orders = {};
    std::array<int, 2> answers = {};
    check(pipe2(orders.data(), O_CLOEXEC) == 0 && pipe2(answers.data(), O_CLOEXEC) == 0);
    pid_ = fork();
    check(pid_ >= 0);
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      body(orders[0], answers[1]);
      _exit(0);
    }
    ::close(orders[0]);
    ::close(answers[1]);
    orders_.reset(orders[1]);
    answers_.reset(answers[0]);
  }
  ~Child() {
    kill(pid_, SIGKILL);
    reap();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void order(char byte) { send(orders_.get(), byte); }
  char answer() { return receive(answers_.get()); }
  void stop() {
    kill(pid_, SIGSTOP);
    int status = 0;
    check(waitpid(pid_, &status, WUNTRACED) == pid_ && WIFSTOPPED(status));
  }
  void go_on() { kill(pid_, SIGCONT); }
  void end() {
    kill(pid_, SIGKILL);
    reap();
  }
  int pid() const { return pid_; }

 private:
  void reap() {
    if (!is_reaped_) waitpid(pid_, nullptr, 0);
    is_reaped_ = true;
  }
  pid_t pid_ = 0;
  bool is_reaped_ = false;
  Fd orders_;
  Fd answers_;
};

/// Acquires kRun on 'a' and answers 'w'on or 'l'ost; gives it back on 'r'; appends a note on 'n' and
/// answers 'y'es, 'c'onflict or 'f'ailure.
void contend(World& world, int orders, int answers) {
  const std::unique_ptr<Journal> journal = world.open();
  Result<Lease> lease = fail(ErrorKind::NotFound, "none yet");
  for (;;) {
    const char order = receive(orders);
    if (order == 'a') {
      lease = journal->acquire(kRun);
      send(answers, lease ? 'w' : lease.error().kind == ErrorKind::Conflict ? 'l' : 'f');
    } else if (order == 'r') {
      if (lease) journal->release(*lease);
      lease = fail(ErrorKind::NotFound, "given back");
      send(answers, 'r');
    } else {
      const EventNumber last = journal->runs()->front().last;
      const Result<std::vector<RecordedEvent>> appended = append_note(*journal, *lease, last.value);
      send(answers, appended ? 'y' : appended.error().kind == ErrorKind::Conflict ? 'c' : 'f');
    }
  }
}

void make_run(World& world) {
  const std::unique_ptr<Journal> journal = world.open();
  journal->release(a_run(*journal));
}

TEST(Leases, P15_OfFourContendersExactlyOneWins) {
  World world;
  make_run(world);
  std::vector<std::unique_ptr<Child>> contenders;
  for (int i = 0; i < 4; ++i) {
    contenders.push_back(
        std::make_unique<Child>([&](int orders, int answers) { contend(world, orders, answers); }));
  }
  int rounds = 0;
  for (; rounds < 200; ++rounds) {
    for (const std::unique_ptr<Child>& contender : contenders) contender->order('a');
    std::string outcomes;
    for (const std::unique_ptr<Child>& contender : contenders) outcomes += contender->answer();
    ASSERT_EQ(std::ranges::count(outcomes, 'w'), 1) << outcomes;
    ASSERT_EQ(std::ranges::count(outcomes, 'l'), 3) << outcomes;
    for (const std::unique_ptr<Child>& contender : contenders) contender->order('r');
    for (const std::unique_ptr<Child>& contender : contenders) ASSERT_EQ(contender->answer(), 'r');
  }
  EXPECT_EQ(rounds, 200);
  // Every winner got a larger token, and nobody was taken over.
  EXPECT_EQ(Tamperer(world.file()).value("SELECT token FROM runs"), "201");
  EXPECT_EQ(Tamperer(world.file()).value("SELECT count(*) FROM events"), "1");
}

TEST(Leases, P15_TheLoserIsToldWhoOwnsTheRun) {
  World world;
  make_run(world);
  Child owner([&](int orders, int answers) { contend(world, orders, answers); });
  owner.order('a');
  ASSERT_EQ(owner.answer(), 'w');
  const std::unique_ptr<Journal> journal = world.open();
  const Result<Lease> refused = journal->acquire(kRun);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::Conflict);
  const std::string holder = "held by process " + std::to_string(owner.pid()) + " on " + host_name() + " since " +
                             to_text(world.clock.now());
  EXPECT_NE(refused.error().message.find(holder), std::string::npos) << refused.error().message;
  EXPECT_EQ(refused.error().hints, (std::vector<std::string>{"reprise status demo", "reprise attach demo"}));
}

TEST(Leases, P16_AStoppedOwnerKeepsItsLeaseUntilItIsDead) {
  World world;
  make_run(world);
  Child owner([&](int orders, int answers) { contend(world, orders, answers); });
  owner.order('a');
  ASSERT_EQ(owner.answer(), 'w');
  owner.stop();
  const std::unique_ptr<Journal> journal = world.open();
  EXPECT_EQ(journal->acquire(kRun).error().kind, ErrorKind::Conflict);
  EXPECT_EQ(journal->break_lease(kRun).error().kind, ErrorKind::Conflict);
  EXPECT_TRUE((*journal->owner(kRun))->alive);
  owner.go_on();
  owner.order('n');
  EXPECT_EQ(owner.answer(), 'y');
  owner.end();
  EXPECT_FALSE((*journal->owner(kRun))->alive);
  const Result<Lease> lease = journal->acquire(kRun);
  ASSERT_TRUE(lease) << lease.error().message;
  EXPECT_EQ(lease->token.value, 3);
}

// The lock file is removed while its owner is stopped, so that the kernel no longer keeps the two apart:
// the token alone has to.
TEST(Leases, P16_AnOwnerThatWasTakenOverCannotRecord) {
  World world;
  make_run(world);
  int rounds = 0;
  for (; rounds < 50; ++rounds) {
    Child owner([&](int orders, int answers) { contend(world, orders, answers); });
    owner.order('a');
    ASSERT_EQ(owner.answer(), 'w');
    owner.stop();
    std::filesystem::remove(world.directory() / "leases.lock");
    {
      const std::unique_ptr<Journal> journal = world.open();
      if (rounds % 2 == 0) {
        ASSERT_TRUE(journal->acquire(kRun));
      } else {
        ASSERT_TRUE(journal->break_lease(kRun));
      }
    }
    owner.go_on();
    owner.order('n');
    ASSERT_EQ(owner.answer(), 'c');
  }
  EXPECT_EQ(rounds, 50);
  EXPECT_TRUE(world.open()->verify()->empty());
}

TEST(Leases, J4_OldTokenIsRefusedByEveryCallThatWrites) {
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const Lease old = a_run(*journal);
  const RunState state = *journal->state(kRun);
  const std::int64_t request = *journal->ask(kRun, "k", "{}", "ana");
  journal->release(old);
  const Lease current = *journal->acquire(kRun);
  EXPECT_GT(current.token, old.token);
  EXPECT_EQ(append_note(*journal, old, 1).error().kind, ErrorKind::Conflict);
  EXPECT_EQ(journal->put_copy(old, state).error().kind, ErrorKind::Conflict);
  const RequestAnswer granted{request, ""};
  EXPECT_EQ(journal->append(old, {1}, {}, std::nullopt, {&granted, 1}).error().kind, ErrorKind::Conflict);
  journal->release(old);  // harmless
  EXPECT_TRUE(append_note(*journal, current, 1));
}

TEST(Leases, J4_ALeaseThatWasGivenBackIsRefused) {
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  const Lease lease = a_run(*journal);
  journal->release(lease);
  EXPECT_EQ(append_note(*journal, lease, 1).error().kind, ErrorKind::Conflict);
}

TEST(Leases, AnOwnerThatWentWithoutGivingBackIsTakenOverVisibly) {
  World world;
  a_run(*world.open());
  const std::unique_ptr<Journal> journal = world.open();
  const Result<Lease> lease = journal->acquire(kRun);
  ASSERT_TRUE(lease);
  EXPECT_EQ(lease->token.value, 2);
  const Result<std::vector<RecordedEvent>> events = journal->events(kRun, {1}, 10);
  ASSERT_EQ(events->size(), 1u);
  const LeaseTakenOver* takeover = std::get_if<LeaseTakenOver>(&events->front().event);
  ASSERT_NE(takeover, nullptr);
  EXPECT_EQ(takeover->from, host_name() + ":" + std::to_string(getpid()));
  EXPECT_TRUE(append_note(*journal, *lease, 2));
  EXPECT_TRUE(journal->verify()->empty());
}

TEST(Leases, AReleasedRunIsAcquiredWithoutAnEvent) {
  World world;
  make_run(world);
  const std::unique_ptr<Journal> journal = world.open();
  EXPECT_FALSE(*journal->owner(kRun));
  ASSERT_TRUE(journal->acquire(kRun));
  EXPECT_EQ(journal->runs()->front().last.value, 1);
}

TEST(Leases, AProcessSeesItsOwnLeaseAsHeld) {
  World world;
  const std::unique_ptr<Journal> journal = world.open();
  a_run(*journal);
  const Result<std::optional<Owner>> owner = journal->owner(kRun);
  ASSERT_TRUE(owner && *owner);
  EXPECT_TRUE((*owner)->alive);
  EXPECT_EQ((*owner)->pid, getpid());
  EXPECT_FALSE((*owner)->start.empty());
  EXPECT_FALSE((*owner)->boot.empty());
  EXPECT_EQ(journal->acquire(kRun).error().kind, ErrorKind::Conflict);
  EXPECT_EQ(world.open()->acquire(kRun).error().kind, ErrorKind::Conflict);
  EXPECT_TRUE((*world.open(OpenMode::ReadOnly)->owner(kRun))->alive);
}

TEST(Leases, LeasesOfDifferentRunsDoNotMeet) {
  World world;
  const std::unique_ptr<Journal> one = world.open();
  const std::unique_ptr<Journal> other = world.open();
  const Lease first = a_run(*one, RunId{"a"});
  const Lease second = a_run(*other, RunId{"b"});
  EXPECT_TRUE(append_note(*one, first, 1));
  EXPECT_TRUE(append_note(*other, second, 1));
}

TEST(Leases, BreakingTheLeaseOfADeadOwnerRaisesTheToken) {
  World world;
  a_run(*world.open());
  const std::unique_ptr<Journal> journal = world.open();
  ASSERT_TRUE(journal->break_lease(kRun));
  EXPECT_FALSE(*journal->owner(kRun));
  EXPECT_EQ(journal->acquire(kRun)->token.value, 3);
}

}  // namespace
}  // namespace reprise
