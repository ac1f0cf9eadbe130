// Starting, identifying and finding processes.

#include "os/process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/io.h"
#include "os/process_table.h"

namespace reprise {
namespace {

Captured run_shell(const std::string& script, std::optional<Duration> timeout = std::nullopt) {
  Result<Captured> captured = run_captured({.argv = {"sh", "-c", script}, .timeout = timeout});
  EXPECT_TRUE(captured) << captured.error().message;
  return captured ? *captured : Captured{};
}

int start_sleeper(const std::vector<std::string>& environment = {}) {
  const std::vector<std::string> argv = {"/bin/sleep", "1000"};
  const Result<int> pid = spawn({.argv = argv, .environment = environment});
  EXPECT_TRUE(pid);
  return *pid;
}

void end(int pid) {
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
}

TEST(Process, CaptureReturnsStreamsAndStatus) {
  const Captured captured = run_shell("echo out; echo error >&2; exit 3");
  EXPECT_EQ(captured.exit_code, 3);
  EXPECT_EQ(captured.output, "out\n");
  EXPECT_EQ(captured.errors, "error\n");
  EXPECT_EQ(run_shell("kill -USR1 $$").signal, SIGUSR1);
}

TEST(Process, CaptureGivesInputOfAnySize) {
  const std::string input(3 << 20, 'x');
  const Result<Captured> captured = run_captured({.argv = {"cat"}, .input = input});
  ASSERT_TRUE(captured);
  EXPECT_EQ(captured->output, input);
}

TEST(Process, InputThatNobodyReadsIsHarmless) {
  const Result<Captured> captured = run_captured({.argv = {"true"}, .input = std::string(3 << 20, 'x')});
  ASSERT_TRUE(captured);
  EXPECT_EQ(captured->exit_code, 0);
}

TEST(Process, CaptureIsCapped) {
  const Result<Captured> captured =
      run_captured({.argv = {"sh", "-c", "yes | head -c 1000000"}, .output_bytes_max = 1'000});
  ASSERT_TRUE(captured);
  EXPECT_EQ(captured->output.size(), 1'000u);
  EXPECT_TRUE(captured->is_cut);
}

TEST(Process, AProgramThatTakesTooLongIsKilled) {
  const Captured captured = run_shell("sleep 1000; sleep 1000", Duration(50));
  EXPECT_TRUE(captured.timed_out);
  EXPECT_EQ(captured.signal, SIGKILL);
}

TEST(Process, AGrandchildThatKeepsThePipeOpenDoesNotHoldTheCapture) {
  const Captured captured = run_shell("sleep 5 & echo $!");
  EXPECT_EQ(captured.exit_code, 0);
  ::kill(std::stoi(captured.output), SIGKILL);
}

TEST(Process, WhatCannotBeStartedIsAnErrorThatNamesTheCause) {
  EXPECT_EQ(run_captured({.argv = {"no-such-program"}}).error().kind, ErrorKind::NotFound);
  const Result<Captured> folder = run_captured({.argv = {"true"}, .directory = "/no/such/folder"});
  ASSERT_FALSE(folder);
  EXPECT_NE(folder.error().message.find("/no/such/folder"), std::string::npos);
}

TEST(Process, TheWorkingFolderIsTheOneAskedFor) {
  EXPECT_EQ(run_captured({.argv = {"pwd"}, .directory = "/usr"})->output, "/usr\n");
}

TEST(Process, StatIsReadWhateverTheProgramIsCalled) {
  const std::optional<ProcessEntry> entry = parse_process_stat(
      "42 (a) b (c) ) S 7 41 40 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 98765 1000 2 18446744073709551615\n");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->pid, 42);
  EXPECT_EQ(entry->state, 'S');
  EXPECT_EQ(entry->parent, 7);
  EXPECT_EQ(entry->group, 41);
  EXPECT_EQ(entry->start, 98'765u);
  EXPECT_FALSE(parse_process_stat(""));
  EXPECT_FALSE(parse_process_stat("42 (a) S 7"));
}

TEST(Process, P21_ARecycledNumberIsNotTheSameProcess) {
  const int pid = start_sleeper();
  const ProcessId id = *identify(pid);
  EXPECT_TRUE(*is_alive(id));
  ProcessId later = id;
  later.start += "1";  // the number belongs to one that was started later
  EXPECT_FALSE(*is_alive(later));
  ProcessId earlier_boot = id;
  earlier_boot.boot = "00000000-0000-0000-0000-000000000000";
  EXPECT_FALSE(*is_alive(earlier_boot));
  end(pid);
  EXPECT_FALSE(*is_alive(id));
}

TEST(Process, P21_TheNumbersOfInitAndOfOurselvesInAStaleNoteMeanNobody) {
  for (const int pid : {1, ::getpid()}) {
    ProcessId stale = *identify_self();
    stale.pid = pid;
    stale.start = "1";
    EXPECT_FALSE(*is_alive(stale));
  }
  EXPECT_TRUE(*is_alive(*identify_self()));
}

TEST(Process, P21_ASignalMeantForAnEarlierOwnerOfANumberReachesNobody) {
  const int pid = start_sleeper();
  ProcessEntry entry = *find_process(pid);
  entry.start -= 1;
  EXPECT_FALSE(signal_process(entry, SIGKILL));
  EXPECT_TRUE(*is_alive(*identify(pid)));
  entry.start += 1;
  EXPECT_TRUE(signal_process(entry, SIGKILL));
  ::waitpid(pid, nullptr, 0);
  EXPECT_FALSE(find_process(pid));
}

TEST(Process, AnEndedProcessThatWasNotWaitedForIsNotAlive) {
  const int pid = start_sleeper();
  const ProcessId id = *identify(pid);
  ::kill(pid, SIGKILL);
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT), 0);
  EXPECT_FALSE(*is_alive(id));
  ::waitpid(pid, nullptr, 0);
}

TEST(Process, DescendantsAreFoundAtAnyDepth) {
  const std::vector<ProcessEntry> all = {{.pid = 2, .parent = 1}, {.pid = 3, .parent = 2},
                                         {.pid = 4, .parent = 3}, {.pid = 5, .parent = 1},
                                         {.pid = 6, .parent = 7}, {.pid = 7, .parent = 6}};
  EXPECT_EQ(descendants_of(2, all).size(), 2u);
  EXPECT_EQ(descendants_of(1, all).size(), 4u);
  EXPECT_EQ(descendants_of(6, all).size(), 1u);
  const int pid = start_sleeper();
  EXPECT_EQ(own_children(), std::vector<int>{pid});
  end(pid);
}

TEST(Process, EnvironmentOfProcessThatIsJustStartingIsWaitedFor) {
  constexpr int kRounds = 500;
  int read = 0;
  for (int round = 0; round < kRounds; ++round) {
    const int pid = start_sleeper({"REPRISE_TEST_MARK=here"});
    read += environment_value(pid, "REPRISE_TEST_MARK") == "here" ? 1 : 0;
    end(pid);
  }
  EXPECT_EQ(read, kRounds);
  const int bare = start_sleeper();
  EXPECT_EQ(environment_value(bare, "REPRISE_TEST_MARK"), std::nullopt);
  end(bare);
}

TEST(Process, KillingByEnvironmentTakesExactlyTheMarked) {
  const std::string mark = "mark-" + std::to_string(::getpid());
  const int marked = start_sleeper({"REPRISE_TEST_MARK=" + mark});
  const int other = start_sleeper({"REPRISE_TEST_MARK=" + mark + "x", "NOT_REPRISE_TEST_MARK=" + mark});
  EXPECT_EQ(environment_value(marked, "REPRISE_TEST_MARK"), mark);
  std::string wanted = mark;
  const auto find_marked = [&] {
    std::vector<ProcessEntry> found = list_processes();
    std::erase_if(found, [&](const ProcessEntry& entry) {
      return entry.has_ended() || environment_value(entry.pid, "REPRISE_TEST_MARK") != wanted;
    });
    return found;
  };
  ASSERT_TRUE(kill_until_none(find_marked, Duration(5'000)));
  int status = 0;
  EXPECT_EQ(::waitpid(marked, &status, WNOHANG), marked);
  EXPECT_EQ(::waitpid(other, &status, WNOHANG), 0);
  end(other);
}

}  // namespace
}  // namespace reprise
