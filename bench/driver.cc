// Measures Reprise side by side with the floor and with ninja, in one run, and prints ratios.
//   driver REPRISE FLOOR STAMP SCRATCH_FOLDER [BENCH]
// Each figure is the median of several rounds in which the programs take turns, so that a busy machine is
// busy for all of them.

#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "report.h"

extern char** environ;

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

using reprise_bench::ms;

reprise_bench::Report report;
std::string product, floor_program, stamp;
fs::path scratch;

double now() { return std::chrono::duration<double>(Clock::now().time_since_epoch()).count(); }

pid_t start(const std::vector<std::string>& words, const fs::path& directory) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  for (int fd : {0, 1, 2}) posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    std::fprintf(stderr, "cannot start %s\n", argv[0]);
    std::exit(2);
  }
  return pid;
}

// The most memory that a process ever had, from its own address space. The guard's resource usage would not
// do: a process that is spawned by vfork inherits the peak of the one that spawned it.
long peak_of(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/status");
  std::string line;
  while (std::getline(in, line)) {
    if (line.starts_with("VmHWM:")) return std::strtol(line.c_str() + 6, nullptr, 10);
  }
  return 0;
}

// Runs a program and watches the memory of it and of its child, the guard, until it ends.
long watched_peak(const std::vector<std::string>& words, const fs::path& directory) {
  const pid_t pid = start(words, directory);
  const std::string task = std::to_string(pid);
  long own = 0, guards = 0;
  int status = 0;
  while (waitpid(pid, &status, WNOHANG) == 0) {
    own = std::max(own, peak_of(pid));
    std::ifstream children("/proc/" + task + "/task/" + task + "/children");
    pid_t child = 0;
    while (children >> child) guards = std::max(guards, peak_of(child));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  while (waitpid(-1, &status, 0) > 0) {
  }
  return own + guards;
}

// Waits for the program and for the guard that is left to us when it ends.
double run(const std::vector<std::string>& words, const fs::path& directory) {
  const double begin = now();
  const pid_t pid = start(words, directory);
  int status = 0;
  if (waitpid(pid, &status, 0) < 0) std::exit(2);
  const double seconds = now() - begin;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    std::fprintf(stderr, "%s failed with %d\n", words[0].c_str(), status);
    std::exit(2);
  }
  while (waitpid(-1, &status, 0) > 0) {
  }
  return seconds;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

fs::path fresh(const std::string& name) {
  const fs::path folder = scratch / name;
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

// A project with one workflow of `steps` stages, in a chain or side by side.
fs::path reprise_project(const std::string& name, int steps, bool chain, const std::string& command) {
  const fs::path folder = fresh(name);
  fs::create_directories(folder / ".reprise/workflows");
  std::ofstream out(folder / ".reprise/workflows/w.yaml");
  out << "name: w\nstages:\n";
  for (int i = 0; i < steps; ++i) {
    out << "  s" << i << ":\n    run: " << command << "\n";
    if (chain && i > 0) out << "    needs: [s" << i - 1 << "]\n";
  }
  return folder;
}

fs::path ninja_project(const std::string& name, int steps, bool chain) {
  const fs::path folder = fresh(name);
  std::ofstream out(folder / "build.ninja");
  out << "rule r\n  command = " << stamp << " log $out\n";
  for (int i = 0; i < steps; ++i)
    out << "build o" << i << ": r" << (chain && i > 0 ? " o" + std::to_string(i - 1) : "") << "\n";
  return folder;
}

std::vector<std::string> floor_words(const fs::path& folder, int steps, int parallel, const std::string& program,
                                     const std::string& argument = "") {
  std::vector<std::string> words = {
      floor_program, "run", (folder / "floor.db").string(), std::to_string(steps), std::to_string(parallel),
      program};
  if (!argument.empty()) words.push_back(argument);
  return words;
}

long lines_of(const fs::path& log) {
  std::ifstream in(log);
  long count = 0;
  std::string line;
  while (std::getline(in, line)) ++count;
  return count;
}

double last_stamp(const fs::path& log, long index) {
  std::ifstream in(log);
  std::string line;
  for (long i = 0; i <= index; ++i) std::getline(in, line);
  return std::strtod(line.c_str(), nullptr) / 1e9;
}

// Starts `words`, kills it and all it started after `steps` stamps, starts `again` and returns the seconds
// until the first new stamp.
double restart(const std::vector<std::string>& words, const std::vector<std::string>& again,
               const fs::path& folder, const fs::path& log, long steps) {
  const pid_t pid = start(words, folder);
  struct stat info{};
  const long wanted = steps * 8;  // a stamp is longer than this; then count exactly
  while (stat(log.c_str(), &info) != 0 || info.st_size < wanted || lines_of(log) < steps)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  kill(pid, SIGKILL);
  int status = 0;
  waitpid(pid, &status, 0);
  while (waitpid(-1, &status, 0) > 0) {
  }
  const long before = lines_of(log);
  const double begin = now();
  const pid_t second = start(again, folder);
  while (lines_of(log) <= before) std::this_thread::sleep_for(std::chrono::microseconds(500));
  const double first = last_stamp(log, before);
  kill(second, SIGKILL);
  while (waitpid(-1, &status, 0) > 0) {
  }
  return first - begin;
}

struct Pair {
  double ours = 0;
  double theirs = 0;
};

Pair compare(int rounds, const std::function<double(int)>& ours, const std::function<double(int)>& theirs) {
  std::vector<double> a, b;
  for (int round = 0; round < rounds; ++round) {
    a.push_back(ours(round));
    b.push_back(theirs(round));
  }
  return {median(a), median(b)};
}

void bench_throughput(const char* what, int steps, bool chain, int parallel, int rounds) {
  const Pair pair = compare(
      rounds,
      [&](int) {
        return run({product, "--quiet", "run", "w", "r", "--parallel", std::to_string(parallel)},
                   reprise_project("a", steps, chain, "[/bin/true]"));
      },
      [&](int) { return run(floor_words(fresh("b"), steps, parallel, "/bin/true"), scratch); });
  report.row(what, pair.ours / pair.theirs, 1.5, "x floor", ms("reprise", pair.ours) + ms("floor", pair.theirs));
}

void bench_restart(const char* what, int steps, int kill_at, double bar, int rounds) {
  const fs::path log_a = scratch / "log-a", log_n = scratch / "n/log", log_f = scratch / "b/log";
  const Pair pair = compare(
      rounds,
      [&](int) {
        const fs::path folder = reprise_project("a", steps, true, "[" + stamp + ", " + log_a.string() + "]");
        fs::remove(log_a);
        return restart({product, "--quiet", "run", "w", "r"}, {product, "--quiet", "resume", "w/r"}, folder, log_a,
                       kill_at);
      },
      [&](int) {
        return restart({"ninja", "-j1"}, {"ninja", "-j1"}, ninja_project("n", steps, true), log_n, kill_at);
      });
  const double floor_time =
      restart(floor_words(fresh("b"), steps, 1, stamp, log_f), floor_words(scratch / "b", steps, 1, stamp, log_f),
              scratch / "b", log_f, kill_at);
  report.row(what, pair.ours / pair.theirs, bar, "x ninja",
             ms("reprise", pair.ours) + ms("ninja", pair.theirs) + ms("floor", floor_time));
}

void bench_finished_run() {
  const fs::path folder = reprise_project("a", 10'000, true, "[/bin/true]");
  const double whole = run({product, "--quiet", "run", "w", "r"}, folder);
  const fs::path ninja = ninja_project("n", 10'000, true);
  run({"ninja", "-j1"}, ninja);
  for (const char* command : {"status", "plan"}) {
    const Pair pair = compare(
        9, [&](int) { return run({product, command, "w/r"}, folder); },
        [&](int) { return run({"ninja", "-j1"}, ninja); });
    report.row(std::string("`") + command + "` of a finished run with 10,000 steps", pair.ours / pair.theirs, 1.0,
               "x ninja", ms("reprise", pair.ours) + ms("ninja", pair.theirs));
  }
  const long peak =
      watched_peak({product, "--quiet", "run", "w", "r"}, reprise_project("m", 10'000, true, "[/bin/true]"));
  report.row("peak memory for 10,000 steps, runner and guard", static_cast<double>(peak) / 1024, 32, "MiB", "");
  const double small =
      run({product, "--quiet", "run", "w", "r"}, reprise_project("c", 1'000, true, "[/bin/true]"));
  const double per_large = whole / 10'000, per_small = small / 1'000;
  report.row("cost per step at 10,000 against 1,000 steps", per_large / per_small, 1.2, "x",
             ms("each", per_large) + ms("each", per_small));
  std::uintmax_t bytes = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder / ".reprise/state")) {
    struct stat info{};
    if (lstat(entry.path().c_str(), &info) == 0) bytes += static_cast<std::uintmax_t>(info.st_blocks) * 512;
  }
  report.row("store growth per silent step", static_cast<double>(bytes) / 10'000, 2048, "bytes", "");
}

void bench_cold_start() {
  const fs::path log_a = scratch / "log-a", log_f = scratch / "b/log";
  const Pair pair = compare(
      15,
      [&](int) {
        const fs::path folder = reprise_project("a", 1, true, "[" + stamp + ", " + log_a.string() + "]");
        fs::remove(log_a);
        const double begin = now();
        run({product, "--quiet", "run", "w", "r"}, folder);
        return last_stamp(log_a, 0) - begin;
      },
      [&](int) {
        const fs::path folder = fresh("b");
        const double begin = now();
        run(floor_words(folder, 1, 1, stamp, log_f), folder);
        return last_stamp(log_f, 0) - begin;
      });
  report.row("cold start until the first step", pair.ours / pair.theirs, 3, "x floor",
             ms("reprise", pair.ours) + ms("floor", pair.theirs));
}

void put(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

// A playbook's feature that stopped after its architecture. Returns its state file.
fs::path put_playbook(const fs::path& folder, const std::string& name) {
  const std::string rows[] = {"spec | 2026-03-01T08:30:00Z | feature.spec.md",
                              "clarify | 2026-03-01T08:40:00Z | N/A", "architect | 2026-03-01T09:10:00Z | adr.md"};
  std::string text = "# Pipeline State\n\n- run_id: " + name + "\n- feature: " + name +
                     "\n- coordinator_mode: pipeline\n- spec_version: 1.0.0\n- spec_hash: N/A\n"
                     "- started_at: 2026-03-01T08:00:00Z\n- last_updated_at: 2026-03-01T11:20:00Z\n"
                     "- current_stage: tasks\n- status: IN_PROGRESS\n\n## Completed Stages\n\n"
                     "| Stage | Completed At | Output Artifact | Output Hash |\n|---|---|---|---|\n";
  for (const std::string& row : rows) text += "| " + row + " | N/A |\n";
  text +=
      "\n## Human Checkpoints Cleared\n\n- [x] Spec approval\n- [x] Architecture sign-off\n\n## Notes\n\nNone.\n";
  for (const char* artifact : {"feature.spec.md", "research.md", "adr.md"}) put(folder / artifact, "# A page\n");
  put(folder / ".pipeline-state.md", text);
  return folder / ".pipeline-state.md";
}

// A spec loop's feature that waits for two answers. Returns its index.
fs::path put_spec_loop(const fs::path& folder, const std::string& name) {
  const std::string text =
      "# Feature Index: " + name + "\n\n## Feature Metadata\n\n| Field | Value |\n|---|---|\n| **ID** | " + name +
      " |\n| **Original Description** | A page about " + name +
      " |\n\n## Priority Loop State\n\n| Field | Value |\n|---|---|\n| **Loop Status** | clarifying |\n"
      "| **Current Iteration** | 2 / 10 |\n| **Last Activity** | 2026-03-01T10:30:00Z |\n"
      "| **Stale Count** | 0 / 3 |\n\n## Pending Questions\n\n| ID | Question Summary | Gaps | Status |\n"
      "|---|---|---|---|\n| C2.1 | How wide? | G-002 | awaiting_answer |\n| C2.2 | How long? | G-003 | "
      "awaiting_answer |\n\n## Gap Priority Queue\n\n| Priority | Gap ID | Status | Resolution "
      "|\n|---|---|---|---|\n"
      "| Critical | G-001 | resolved | In iteration 1 |\n| Important | G-002 | clarifying | Pending C2.1 |\n"
      "| Minor | G-003 | clarifying | Pending C2.2 |\n\n## Gap Resolution History\n\n"
      "| Gap ID | Iteration | Action | Details |\n|---|---|---|---|\n| G-001 | 1 | resolved | Answer: \"yes\" |\n";
  for (const char* artifact : {"spec.md", "checklists/requirements.md"}) put(folder / artifact, "# A page\n");
  put(folder / ".workflow/index.md", text);
  return folder / ".workflow/index.md";
}

void bench_scan() {
  constexpr int kFeatures = 1'000;
  const fs::path project = fresh("s");
  const fs::path list = scratch / "state-files";
  {
    std::ofstream paths(list);
    for (int i = 0; i < kFeatures; ++i) {
      const std::string name = std::to_string(1'000 + i) + "-feature";
      const fs::path folder = project / "specs" / name;
      paths << (i % 2 == 0 ? put_playbook(folder, name) : put_spec_loop(folder, name)).string() << "\n";
    }
  }
  const Pair pair = compare(
      15, [&](int) { return run({product, "scan"}, project); },
      [&](int) { return run({floor_program, "read", list.string()}, project); });
  report.row("`scan` over 1,000 features", pair.ours / pair.theirs, 3, "x floor",
             ms("reprise", pair.ours) + ms("floor", pair.theirs));
}

// What can be asked for by name.
struct Bench {
  std::string_view name;
  void (*run)();
};
constexpr Bench kBenches[] = {
    {"start", bench_cold_start},
    {"steps",
     [] {
       bench_throughput("1,000 sequential true steps", 1'000, true, 1, 5);
       bench_throughput("1,000 independent true steps, 16 at a time", 1'000, false, 16, 5);
     }},
    {"restart",
     [] {
       bench_restart("kill -9 at 500 of 1,000, until the first new step", 1'000, 500, 2.0, 3);
       bench_restart("kill -9 at 10,000 of 10,100, until the first new step", 10'100, 10'000, 1.0, 3);
     }},
    {"finished", bench_finished_run},
    {"scan", bench_scan},
};

}  // namespace

int main(int count, char** words) {
  if (count != 5 && count != 6) return 2;
  product = words[1];
  floor_program = words[2];
  stamp = words[3];
  scratch = words[4];
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // the guard becomes ours when the runner ends, and is measured too
  for (const Bench& bench : kBenches) {
    if (count == 6 && bench.name != words[5]) continue;
    bench.run();
  }
  return report.exit_code();
}
