// What the world does to a run besides killing it: workers that misbehave, a store that cannot be written or
// is of a newer version, a disk that is really full, two runners at once. On the real binary: a clear message,
// the contract's exit code, nothing lost, no process left.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include "base/check.h"
#include "harness.h"
#include "sweep.h"

namespace reprise {
namespace {

using std::chrono::seconds;

constexpr int kFailed = 1;
constexpr int kWaiting = 3;
constexpr int kHeld = 5;
constexpr int kWorkFailed = 1;
constexpr int kStoreFailed = 6;
constexpr const char* kSkip = "skip";
constexpr unsigned kNobody = 65'534;

const std::vector<std::string> kRun = {"run", "crash.yaml", "--run-id", "r"};

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_stage(const Sandbox& sandbox, const std::string& keys) {
  write_workflow(sandbox, 0);
  sandbox.write("project/crash.yaml", "name: crash\nstages:\n  one:\n" + keys);
}

std::string said(const Sandbox& sandbox) {
  std::string text;
  for (const std::string& line : sandbox.lines("acks")) text += "    | " + line + "\n";
  return text;
}

// Runs a workflow of one stage; `more` finds what else is wrong in what is left.
std::string run_stage(const std::string& keys, int expected,
                      const std::function<std::string(const Sandbox&)>& more = nullptr) {
  const std::vector<std::string> results = run_jobs(1, [&](int) {
    Sandbox sandbox(the_product());
    write_stage(sandbox, keys);
    std::filesystem::create_directory(sandbox.project() / ".reprise");
    sandbox.write("project/.reprise/config.yaml", "limits: {output_mb: 1}\n");
    const int code = sandbox.run(kRun);
    std::string faults = code == expected ? "" : "exit " + std::to_string(code) + "\n";
    if (!wait_for_all(seconds(10))) faults += "P20 a process is left\n";
    if (more) faults += more(sandbox);
    return faults.empty() ? faults : faults + said(sandbox);
  });
  return results[0];
}

// The kept output: all of it within the cap, its beginning and end, and the marker between.
std::string check_kept(const Sandbox& sandbox) {
  std::filesystem::path run;
  for (const auto& entry : std::filesystem::directory_iterator(sandbox.store() / "attempts" / "crash"))
    run = entry.path();
  const std::string kept = content(run / "one/1/stdout");
  std::string faults;
  if (kept.size() > (1u << 20)) faults += "P22 " + std::to_string(kept.size()) + " bytes are kept\n";
  if (!kept.starts_with("first") || !kept.ends_with("last\n")) faults += "P22 head or tail is not kept\n";
  if (kept.find("bytes left out") == std::string::npos) faults += "P22 there is no marker\n";
  return faults;
}

TEST(Hostile, P22_a_worker_that_prints_64_MiB_is_drained_and_kept_within_the_cap) {
  EXPECT_EQ(run_stage("    run: echo first; yes | head -c 67108864; echo last\n", 0, check_kept), "");
}

TEST(Hostile, P22_one_line_of_64_MiB_is_drained_and_kept_within_the_cap) {
  EXPECT_EQ(
      run_stage("    run: printf first; head -c 67108864 /dev/zero | tr '\\0' x; echo last\n", 0, check_kept), "");
}

TEST(Hostile, P22_a_worker_that_closes_its_pipes_is_waited_for) {
  EXPECT_EQ(run_stage("    run: exec >&- 2>&-; ../effect; exit 7\n", kFailed), "");
}

TEST(Hostile, P20_what_a_worker_forked_away_does_not_outlive_it) {
  EXPECT_EQ(run_stage("    run: setsid sleep 1000 & ../effect\n", 0), "");
}

TEST(Hostile, P23_a_worker_that_ignores_TERM_is_killed_with_its_tree_after_its_timeout) {
  const auto is_recorded = [](const Sandbox& sandbox) {
    return sandbox.has_ack("timed_out") || sandbox.has_ack("timed out") ? "" : "P23 it is not recorded\n";
  };
  EXPECT_EQ(run_stage("    run: trap '' TERM; sleep 1000 & sleep 1000; sleep 1000\n    timeout: 100ms\n", kFailed,
                      is_recorded),
            "");
}

TEST(Hostile, P15_a_second_runner_for_a_run_is_turned_away) {
  const std::vector<std::string> results = run_jobs(1, [](int) {
    Sandbox sandbox(the_product());
    write_stage(sandbox, "    run: ../effect; echo up > ../up; read word < ../go\n");
    for (const char* name : {"up", "go"}) check(mkfifo((sandbox.folder() / name).c_str(), 0600) == 0);
    const int first = sandbox.start(kRun, Sandbox::Faults::Off);
    check(content(sandbox.folder() / "up") == "up\n");
    std::string faults;
    if (const int code = sandbox.run(kRun); code != kHeld) faults += "run: exit " + std::to_string(code) + "\n";
    if (const int code = sandbox.run({"resume", kRunName}); code != kHeld)
      faults += "resume: exit " + std::to_string(code) + "\n";
    if (const int code = sandbox.run({"run", "crash.yaml", "--run-id", "r", "--resume"}); code != kHeld) {
      faults += "run --resume: exit " + std::to_string(code) + "\n";
    }
    sandbox.write("go", "go\n");
    if (wait_for(first) != 0) faults += "the owner fails\n";
    if (sandbox.lines("effects").size() != 1) faults += "P15 it was executed twice\n";
    return faults.empty() ? faults : faults + said(sandbox);
  });
  EXPECT_EQ(results[0], "");
}

// Root may write everywhere, so the job becomes somebody else.
TEST(Hostile, P13_a_store_that_cannot_be_written_is_exit_6_and_stays_as_it_is) {
  const std::vector<std::string> results = run_jobs(1, [](int) {
    Sandbox sandbox(the_product());
    write_workflow(sandbox, 0);
    check(sandbox.run(kRun) == kWaiting && wait_for_all(seconds(10)));
    const std::string before = content(sandbox.store() / "journal.db");
    namespace fs = std::filesystem;
    fs::permissions(sandbox.folder(), fs::perms(0755));
    for (const char* name : {"acks", "effects"}) fs::permissions(sandbox.folder() / name, fs::perms(0666));
    for (const auto& entry : fs::recursive_directory_iterator(sandbox.project())) {
      fs::permissions(entry.path(), entry.is_directory() ? fs::perms(0555) : fs::perms(0444));
    }
    fs::permissions(sandbox.project(), fs::perms(0555));
    const bool was_root = geteuid() == 0;
    if (was_root) check(seteuid(kNobody) == 0 && setreuid(kNobody, kNobody) == 0);
    std::string faults;
    if (access(REPRISE_PROGRAM, X_OK) != 0) return std::string(kSkip);
    const int code = sandbox.run({"resume", kRunName});
    if (code != kStoreFailed) faults += "resume: exit " + std::to_string(code) + "\n";
    if (content(sandbox.store() / "journal.db") != before) faults += "P13 the journal was changed\n";
    return faults.empty() ? faults : faults + said(sandbox);
  });
  if (results[0] == kSkip) GTEST_SKIP() << "the binary cannot be started by another user here";
  EXPECT_EQ(results[0], "");
}

TEST(Hostile, P31_a_journal_of_a_newer_version_is_refused_and_stays_as_it_is) {
  const std::vector<std::string> results = run_jobs(1, [](int) {
    Sandbox sandbox(the_product());
    write_workflow(sandbox, 0);
    check(sandbox.run(kRun) == kWaiting && wait_for_all(seconds(10)));
    const std::filesystem::path file = sandbox.store() / "journal.db";
    {
      std::fstream journal(file, std::ios::in | std::ios::out | std::ios::binary);
      journal.seekp(62);  // the last two bytes of the version in SQLite's header
      journal.write("\x03\xe7", 2);
    }
    const std::string before = content(file);
    std::string faults;
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"resume", kRunName}, {"approve", kRunName}, {"status"}, {"verify"}, kRun}) {
      const int code = sandbox.run(command);
      if (code != kStoreFailed) faults += command[0] + ": exit " + std::to_string(code) + "\n";
    }
    if (content(file) != before) faults += "P31 the journal was changed\n";
    return faults.empty() ? faults : faults + said(sandbox);
  });
  EXPECT_EQ(results[0], "");
}

// A disk of its own with `left` bytes of room; "skip" where mounting is not allowed.
std::string fill_once(std::size_t left) {
  Sandbox sandbox(the_product());
  const std::string project = sandbox.project().string();
  if (unshare(CLONE_NEWNS) != 0 || mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      mount("tmpfs", project.c_str(), "tmpfs", 0, "size=4m") != 0) {
    return kSkip;
  }
  write_workflow(sandbox, 0);
  sandbox.write("project/filler", std::string((3u << 20) - (64u << 10), 'x'));
  std::string size = "size=" + std::to_string((3u << 20) + left);
  check(mount("tmpfs", project.c_str(), "tmpfs", MS_REMOUNT, size.c_str()) == 0);
  const int code = sandbox.run(kRun);
  std::vector<std::string> violations;
  // A worker may be the one that meets the full disk: then its step fails, and the resume repeats it.
  const bool is_workers_failure = code == kWorkFailed && said(sandbox).find("failed: step ") != std::string::npos;
  if (code != kStoreFailed && code != kWaiting && !is_workers_failure)
    violations.push_back("P7 exit " + std::to_string(code));
  check(mount("tmpfs", project.c_str(), "tmpfs", MS_REMOUNT, "size=8m") == 0);
  resume_to_the_end(sandbox, engine_scene(0), violations);
  if (!wait_for_all(seconds(15))) violations.emplace_back("P20 a process is left");
  for (const std::string& fault : read_ending(sandbox, engine_scene(0)).faults) violations.push_back(fault);
  std::string text = code == kStoreFailed ? "full\n" : "enough\n";
  for (const std::string& line : violations) text += line + "\n";
  if (!violations.empty()) text += said(sandbox);
  umount2(project.c_str(), MNT_DETACH);
  return text;
}

TEST(Hostile, P7_a_disk_that_is_really_full_costs_nothing_once_there_is_room_again) {
  constexpr int kFills = 20;
  constexpr std::size_t kStep = 12u << 10;
  const std::vector<std::string> results =
      run_jobs(kFills, [](int number) { return fill_once(static_cast<std::size_t>(number) * kStep); });
  if (results[0] == kSkip) GTEST_SKIP() << "mounting a small disk is not permitted here";
  int full = 0;
  int violations = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    full += results[i].starts_with("full\n") ? 1 : 0;
    const bool is_clean = results[i] == "full\n" || results[i] == "enough\n";
    violations += is_clean ? 0 : 1;
    EXPECT_TRUE(is_clean) << i * kStep << " bytes left: " << results[i];
  }
  std::printf("full disks: points counted %d / hit %d / recovered %d / violations %d\n", kFills, full,
              kFills - violations, violations);
  EXPECT_GT(full, 0);
}

}  // namespace
}  // namespace reprise
