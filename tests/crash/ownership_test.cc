// Who owns a run, on the real binary: an owner that was killed is known to be dead at the first look; a number
// that another process has by now, or that is from before a reboot, makes nobody alive; and a living owner, at
// work or stopped, is never taken over, however many try.
//
// race_test.cc proves that of several resumers one wins, leases_test.cc the same of the journal alone. Here the
// owner is the whole program at work. `./dev check` and `./dev soak` make more rounds and tries.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <map>

#include "base/check.h"
#include "harness.h"
#include "journal/journal.h"
#include "journal/sqlite.h"
#include "os/clock.h"
#include "os/entropy.h"
#include "os/machine.h"
#include "os/process.h"

namespace reprise {
namespace {

using std::chrono::seconds;

constexpr int kHeld = 5;
constexpr int kKilled = 128 + SIGKILL;
constexpr int kContenders = 4;

// A step that says that it works, and works until a pipe is written to.
constexpr std::string_view kHolding = R"yaml(name: crash
stages:
  hold:
    run: ../effect; echo up > ../up; read word < ../go
  after:
    needs: [hold]
    run: ../effect
)yaml";

// Starts a run and returns its owner once its worker is at work.
int start_owner(Sandbox& sandbox) {
  write_workflow(sandbox, 0);
  sandbox.write("project/crash.yaml", kHolding);
  make_pipe_file(sandbox, "go");
  make_pipe_file(sandbox, "up");
  const int owner = sandbox.start({"run", "crash.yaml", "--run-id", "r"}, Sandbox::Faults::Off);
  read_pipe(sandbox, "up");
  return owner;
}

// The journal of a sandbox, with what it needs.
struct Store {
  explicit Store(const Sandbox& sandbox)
      : journal(std::move(*open_sqlite_journal(sandbox.store(), OpenMode::ReadWrite, clock, entropy))) {}
  SystemClock clock;
  SystemEntropy entropy;
  std::unique_ptr<Journal> journal;
};

int count_takeovers(Journal& journal) {
  int count = 0;
  const Result<std::vector<RecordedEvent>> events = journal.events({kRunName}, {0}, 1'000);
  check(events.has_value());
  for (const RecordedEvent& event : *events) count += std::holds_alternative<LeaseTakenOver>(event.event) ? 1 : 0;
  return count;
}

std::string with_acks(const Sandbox& sandbox, std::string faults) {
  if (faults.empty()) return faults;
  for (const std::string& line : sandbox.lines("acks")) faults += "    | " + line + "\n";
  return faults;
}

// Lets the worker go; the run has to come to its end with each step done once.
std::string bring_to_end(const Sandbox& sandbox) {
  std::string faults;
  const int resumer = sandbox.start({"resume", kRunName}, Sandbox::Faults::Off);
  write_pipe(sandbox, "go");
  if (const int code = wait_for(resumer); code != 0) faults += "resume: exit " + std::to_string(code) + "\n";
  if (count_lines(sandbox, "effects", "hold#1") != 1 || sandbox.lines("effects").size() != 2)
    faults += "a step did not run once\n";
  if (!wait_for_all(seconds(20))) faults += "a process is left\n";
  return faults;
}

// No looking twice, no waiting: the first command after the kill has to know.
std::string kill_once(bool breaks_lock) {
  Sandbox sandbox(the_product());
  const int owner = start_owner(sandbox);
  kill(owner, SIGKILL);
  std::string faults;
  if (wait_for(owner) != kKilled) faults += "the owner was not killed\n";
  if (sandbox.run({"lock", "list"}) != 0) faults += "lock list fails\n";
  if (count_lines(sandbox, "acks", "dead  process " + std::to_string(owner) + " on ") != 1)
    faults += "the owner is not shown as dead\n";
  if (breaks_lock) {
    if (sandbox.run({"lock", "break", kRunName}) != 0) faults += "lock break refuses a dead owner\n";
    if (count_takeovers(*Store(sandbox).journal) != 1) faults += "lock break is not on record\n";
    if (*Store(sandbox).journal->owner({kRunName})) faults += "somebody still owns it\n";
  }
  faults += bring_to_end(sandbox);
  if (count_takeovers(*Store(sandbox).journal) != 1) faults += "not taken over once\n";
  return with_acks(sandbox, std::move(faults));
}

// Makes the lease of a killed owner name somebody else.
struct Named {
  const char* what;
  std::int64_t pid;
  std::string start;
  std::string boot;
};
std::string name_and_take(const Named& named) {
  Sandbox sandbox(the_product());
  const int owner = start_owner(sandbox);
  kill(owner, SIGKILL);
  std::string faults;
  if (wait_for(owner) != kKilled) faults += "the owner was not killed\n";
  {
    Result<Connection> db = Connection::open(sandbox.store() / "journal.db", Connection::Access::ReadWrite);
    check(db.has_value());
    check(db->run("UPDATE runs SET owner_pid = ?, owner_start = ?, owner_boot = ?", named.pid, named.start,
                  named.boot)
              .has_value());
  }
  const Result<std::optional<Owner>> seen = Store(sandbox).journal->owner({kRunName});
  if (!seen || !*seen || (*seen)->pid != named.pid) faults += "the lease was not rewritten\n";
  if (seen && *seen && (*seen)->alive) faults += "it is taken for alive\n";
  if (sandbox.run({"lock", "list"}) != 0 || count_lines(sandbox, "acks", "dead  process ") != 1)
    faults += "lock list does not call it dead\n";
  faults += bring_to_end(sandbox);
  return faults.empty() ? "" : with_acks(sandbox, std::string(named.what) + ": " + faults);
}

// What contenders do. The last is not a process: the journal itself is asked.
const std::vector<std::vector<std::string>> kTries = {
    {"resume", kRunName}, {"lock", "break", kRunName}, {"resume", kRunName, "--mode", "autopilot", "--yes"}, {}};

struct Refusals {
  int tries = 0;
  int refused = 0;
  std::string faults;
};

// `count` tries while the owner is as it is now, several at a time.
void try_to_take(const Sandbox& sandbox, Store& store, int count, Refusals& refusals) {
  std::map<int, std::size_t> running;
  for (int started = 0; started < count || !running.empty();) {
    while (started < count && running.size() < kContenders) {
      const std::size_t which = static_cast<std::size_t>(refusals.tries) % kTries.size();
      ++started;
      ++refusals.tries;
      if (!kTries[which].empty()) {
        running[sandbox.start(kTries[which], Sandbox::Faults::Off)] = which;
        continue;
      }
      const Result<Lease> lease = store.journal->acquire({kRunName});
      const bool broken = store.journal->break_lease({kRunName}).has_value();
      if (!lease && !broken && lease.error().kind == ErrorKind::Conflict) {
        ++refusals.refused;
      } else {
        refusals.faults += "the journal gave a living owner's lease away\n";
      }
    }
    if (running.empty()) continue;
    int status = 0;
    const int pid = ::waitpid(-1, &status, 0);
    if (running.erase(pid) == 0) continue;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (code == kHeld) {
      ++refusals.refused;
    } else {
      refusals.faults += "a contender ends with exit " + std::to_string(code) + "\n";
    }
  }
}

// Half of the tries while the owner works, half while it is stopped; then it goes on as if nothing had been.
std::string never_taken(int tries) {
  Sandbox sandbox(the_product());
  const int owner = start_owner(sandbox);
  Refusals refusals;
  {
    Store store(sandbox);
    try_to_take(sandbox, store, tries / 2, refusals);
    kill(owner, SIGSTOP);
    int status = 0;
    check(::waitpid(owner, &status, WUNTRACED) == owner && WIFSTOPPED(status));
    try_to_take(sandbox, store, tries - tries / 2, refusals);
    kill(owner, SIGCONT);
  }
  std::string faults = refusals.faults;
  const std::string named = "held by process " + std::to_string(owner) + " on " + host_name() + " since ";
  const int expected = tries - tries / static_cast<int>(kTries.size());
  if (count_lines(sandbox, "acks", named) != expected) faults += "not every refusal names host, number and time\n";
  if (count_lines(sandbox, "acks", " attach crash/r") < expected) faults += "not all say how to watch it\n";
  if (refusals.tries != tries || refusals.refused != tries) {
    faults += std::to_string(refusals.tries) + " tries, " + std::to_string(refusals.refused) + " refused\n";
  }
  write_pipe(sandbox, "go");
  if (const int code = wait_for(owner); code != 0)
    faults += "the owner ends with exit " + std::to_string(code) + "\n";
  if (sandbox.lines("effects").size() != 2) faults += "a step did not run once\n";
  Store store(sandbox);
  if (count_takeovers(*store.journal) != 0) faults += "a takeover is on record\n";
  if (store.journal->acquire({kRunName})->token.value != 2) faults += "the lease changed hands\n";
  std::printf("a living owner: tries %d / refused %d\n", refusals.tries, refusals.refused);
  std::fflush(stdout);
  return faults.empty() ? "" : faults + (sandbox.lines("acks").empty() ? "" : sandbox.lines("acks").back()) + "\n";
}

void expect_all_clean(const char* title, int rounds, const std::vector<std::string>& results) {
  int violations = 0;
  for (const std::string& result : results) {
    if (!result.empty() && ++violations <= 5) ADD_FAILURE() << result;
  }
  std::printf("%s: rounds counted %d / hit %zu / violations %d\n", title, rounds, results.size(), violations);
  EXPECT_EQ(results.size(), static_cast<std::size_t>(rounds));
  EXPECT_EQ(violations, 0);
}

TEST(Ownership, AKilledOwnerIsDeadAtTheFirstLookAndItsRunGoesOn) {
  const int rounds = by_strength(20, 60, 200);
  expect_all_clean("owner killed", rounds, run_jobs(rounds, [](int round) { return kill_once(round % 2 == 0); }));
}

TEST(Ownership, AReusedNumberOrAnotherBootMakesNobodyAlive) {
  const Result<ProcessId> self = identify_self();
  ASSERT_TRUE(self);
  const std::vector<Named> cases = {
      {"the number is ours now, we started later", self->pid, "1", self->boot},
      {"the number is the first process's", 1, "12345", self->boot},
      {"the same number and start, before a reboot", self->pid, self->start,
       "00000000-0000-0000-0000-000000000000"},
      {"exactly a living process that does not hold the lock", self->pid, self->start, self->boot},
      {"a number that nobody has", 4'194'303, self->start, self->boot},
      {"nothing is known of it", 0, "", ""}};
  const int rounds = static_cast<int>(cases.size());
  expect_all_clean("lease that names somebody else", rounds, run_jobs(rounds, [&](int round) {
                     return name_and_take(cases[static_cast<std::size_t>(round)]);
                   }));
  EXPECT_EQ(rounds, 6);
}

TEST(Ownership, ALivingOwnerIsNeverTakenOverAtWorkOrStopped) {
  const int tries = by_strength(1'000, 2'000, 5'000);
  const std::vector<std::string> results =
      run_jobs(1, [tries](int) { return never_taken(tries); }, seconds(by_strength(120, 300, 900)));
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0], "");
}

}  // namespace
}  // namespace reprise
