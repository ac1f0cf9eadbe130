// Races on the real binary: several resumers for one run, and runners that are killed while a worker works.
// `./dev check` and `./dev soak` make more rounds.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <set>

#include "base/check.h"
#include "harness.h"

namespace reprise {
namespace {

using std::chrono::seconds;

constexpr int kContenders = 4;
constexpr int kHeld = 5;
constexpr int kWaiting = 3;
constexpr int kKilled = 128 + SIGKILL;

// A gate, so that the run can be left waiting, and a step that holds the run until a pipe is written to.
constexpr std::string_view kGated = R"yaml(name: crash
stages:
  ship: {gate: Ship it?}
  hold:
    needs: [ship]
    run: ../effect; test ! -p ../up || echo up > ../up; read word < ../go
)yaml";

constexpr std::string_view kHolding = R"yaml(name: crash
stages:
  hold:
    run: ../effect; echo up > ../up; read word < ../go; echo "$word"
  after:
    needs: [hold]
    run: ../effect
)yaml";

Sandbox& prepare(Sandbox& sandbox, std::string_view workflow) {
  write_workflow(sandbox, 0);
  sandbox.write("project/crash.yaml", workflow);
  make_pipe_file(sandbox, "go");
  return sandbox;
}

// Leaves a run whose owner was killed at work: its name is still on record, its worker waits.
void die_as_owner(const Sandbox& sandbox) {
  make_pipe_file(sandbox, "up");
  const int owner = sandbox.start({"resume", kRunName}, Sandbox::Faults::Off);
  read_pipe(sandbox, "up");
  kill(owner, SIGKILL);
  check(wait_for(owner) == kKilled);
}

// The losers end by themselves; the winner cannot before it is let go, so it is the one that is left.
std::string race_once(bool after_death) {
  Sandbox sandbox(the_product());
  prepare(sandbox, kGated);
  std::string faults;
  if (sandbox.run({"run", "crash.yaml", "--run-id", "r"}) != kWaiting) faults += "run does not wait\n";
  if (sandbox.run({"approve", kRunName}) != 0) faults += "approve fails\n";
  if (after_death) die_as_owner(sandbox);
  std::set<int> contenders;
  for (int i = 0; i < kContenders; ++i)
    contenders.insert(sandbox.start({"resume", kRunName}, Sandbox::Faults::Off));
  while (contenders.size() > 1) {
    int status = 0;
    const int pid = ::waitpid(-1, &status, 0);
    if (contenders.erase(pid) == 0) continue;  // a guard that was not needed
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (code != kHeld) faults += "P15 a loser ends with exit " + std::to_string(code) + "\n";
  }
  const int winner = *contenders.begin();
  const std::string named = "held by process " + std::to_string(winner) + " ";
  if (count_lines(sandbox, "acks", named) != kContenders - 1) faults += "P15 the owner is not named\n";
  write_pipe(sandbox, "go");
  if (const int code = wait_for(winner); code != 0)
    faults += "P15 the owner ends with exit " + std::to_string(code) + "\n";
  if (sandbox.lines("effects").size() != 1) faults += "P15 the step was not executed once\n";
  if (!wait_for_all(seconds(10))) faults += "P20 a process is left\n";
  for (const std::string& line : sandbox.lines("acks")) faults += faults.empty() ? "" : "    | " + line + "\n";
  return faults;
}

// Kills the runner while its worker works; `later` lets the worker end before anybody looks again.
std::string take_over_once(bool later) {
  Sandbox sandbox(the_product());
  prepare(sandbox, kHolding);
  make_pipe_file(sandbox, "up");
  std::string faults;
  const int runner = sandbox.start({"run", "crash.yaml", "--run-id", "r"}, Sandbox::Faults::Off);
  read_pipe(sandbox, "up");
  kill(runner, SIGKILL);
  if (wait_for(runner) != kKilled) faults += "the runner was not killed\n";
  int code = 0;
  if (later) {
    write_pipe(sandbox, "go");
    if (!wait_for_all(seconds(10))) faults += "P20 the guard stays although its worker has ended\n";
    code = sandbox.run({"resume", kRunName});
  } else {
    const int resumer = sandbox.start({"resume", kRunName}, Sandbox::Faults::Off);
    write_pipe(sandbox, "go");
    code = wait_for(resumer);
  }
  if (code != 0) faults += "P20 resume: exit " + std::to_string(code) + "\n";
  if (count_lines(sandbox, "effects", "hold#1") != 1 || sandbox.lines("effects").size() != 2) {
    faults += "P2 the worker did not run once\n";
  }
  if (count_lines(sandbox, "acks", "done    hold") != 1) faults += "P20 its outcome was not taken over\n";
  if (!wait_for_all(seconds(10))) faults += "P20 a process is left\n";
  for (const std::string& line : sandbox.lines("acks")) faults += faults.empty() ? "" : "    | " + line + "\n";
  return faults;
}

void expect_all_clean(const char* title, int rounds, const std::vector<std::string>& results) {
  int violations = 0;
  for (const std::string& result : results) {
    if (!result.empty() && ++violations <= 5) ADD_FAILURE() << result;
  }
  std::printf("%s: rounds counted %d / hit %zu / recovered %d / violations %d\n", title, rounds, results.size(),
              rounds - violations, violations);
  EXPECT_EQ(violations, 0);
}

TEST(Race, P15_of_four_resumers_one_owns_the_run_and_the_others_name_it) {
  const int rounds = by_strength(200, 400, 1'000);
  expect_all_clean("races of four resumers", rounds,
                   run_jobs(rounds, [](int round) { return race_once(round % 2 == 0); }));
}

TEST(Race, P20_a_worker_whose_runner_was_killed_runs_once_and_its_outcome_is_taken_over) {
  const int rounds = 200;
  expect_all_clean("runner killed at work", rounds,
                   run_jobs(rounds, [](int round) { return take_over_once(round % 2 == 0); }));
}

// Two projects on one machine may have runs of the same name: clearing up after one must not touch the other.
TEST(Race, P21_clearing_up_after_a_killed_guard_does_not_touch_a_run_of_that_name_elsewhere) {
  const std::vector<std::string> results = run_jobs(1, [](int) {
    Sandbox other(the_product());
    prepare(other, kHolding);
    make_pipe_file(other, "up");
    const int theirs = other.start({"run", "crash.yaml", "--run-id", "r"}, Sandbox::Faults::Off);
    read_pipe(other, "up");
    Sandbox ours(the_product());
    write_workflow(ours, 0);
    ours.map().role = FAULT_GUARD;
    ours.map().at = 8;
    ours.map().mode = FAULT_KILL_BEFORE;
    std::string faults;
    if (ours.run({"run", "crash.yaml", "--run-id", "r"}, Sandbox::Faults::On) != kWaiting) faults += "our run\n";
    if (!ours.has_ack("the guard of this run died")) faults += "no guard was killed\n";
    write_pipe(other, "go");
    if (wait_for(theirs) != 0 || other.lines("effects").size() != 2) faults += "P21 the other run was hit\n";
    return faults;
  });
  EXPECT_EQ(results[0], "");
}

}  // namespace
}  // namespace reprise
