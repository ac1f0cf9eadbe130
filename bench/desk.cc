// Measures how long it takes from typing `reprise` to the first screen of the desk, on a terminal, in a repository
// with 1,000 features, 10,000 tasks and 200 past runs, against reading all those files once, in turns.
//   bench_desk REPRISE FLOOR SCRATCH_FOLDER

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "formats/task_file.h"
#include "formats/task_file_edit.h"
#include "report.h"

extern char** environ;

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using reprise_bench::ms;

constexpr int kRounds = 15;
constexpr int kFeatures = 1'000;
constexpr int kTasks = 10'000;
constexpr int kRuns = 200;
constexpr double kBar = 5.0;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

fs::path put(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
  return file;
}

// A playbook's feature that stopped at its tasks, or a spec loop's that waits for an answer.
fs::path put_feature(const fs::path& folder, const std::string& name, bool is_loop) {
  if (is_loop) {
    return put(
        folder / ".workflow/index.md",
        "# Feature Index: " + name +
            "\n\n## Priority Loop State\n\n| Field | Value |\n|---|---|\n| **Loop Status** | clarifying |\n"
            "| **Current Iteration** | 2 / 10 |\n| **Last Activity** | 2026-03-01T10:30:00Z |\n"
            "| **Stale Count** | 0 / 3 |\n\n## Pending Questions\n\n| ID | Question Summary | Gaps | Status |\n"
            "|---|---|---|---|\n| C2.1 | How wide? | G-002 | awaiting_answer |\n\n## Gap Priority Queue\n\n"
            "| Priority | Gap ID | Status | Resolution |\n|---|---|---|---|\n"
            "| Important | G-002 | clarifying | Pending C2.1 |\n");
  }
  return put(folder / ".pipeline-state.md",
             "# Pipeline State\n\n- run_id: " + name + "\n- feature: " + name +
                 "\n- coordinator_mode: pipeline\n- spec_version: 1.0.0\n- spec_hash: N/A\n"
                 "- started_at: 2026-03-01T08:00:00Z\n- last_updated_at: 2026-03-01T11:20:00Z\n"
                 "- current_stage: tasks\n- status: IN_PROGRESS\n\n## Completed Stages\n\n"
                 "| Stage | Completed At | Output Artifact | Output Hash |\n|---|---|---|---|\n"
                 "| spec | 2026-03-01T08:30:00Z | feature.spec.md | N/A |\n\n## Human Checkpoints Cleared\n\n"
                 "- [x] Spec approval\n- [ ] Architecture sign-off\n\n## Notes\n\nNone.\n");
}

void put_tasks(const fs::path& folder, std::ofstream& list) {
  const reprise::NewTask permanent{.subject = "[PERMANENT] bench",
                                   .metadata = {{"tier", "\"COMPLEX\""}, {"current_phase", "\"P4\""}}};
  list << put(folder / "1.json", reprise::new_task_file("1", permanent)).string() << "\n";
  for (int i = 2; i <= kTasks; ++i) {
    reprise::NewTask task{.subject = "task " + std::to_string(i), .description = std::string(200, 'x')};
    task.status = i <= kTasks / 2 ? reprise::TaskStatus::Completed : reprise::TaskStatus::Pending;
    for (const int back : {1, 7, 31}) {
      if (i - back > 1) task.blocked_by.push_back(std::to_string(i - back));
    }
    task.metadata = {{"phase", "\"P" + std::to_string((i - 1) * 9 / kTasks) + "\""}};
    const std::string id = std::to_string(i);
    list << put(folder / (id + ".json"), reprise::new_task_file(id, task)).string() << "\n";
  }
}

// Runs a program to its end; its output is dropped.
double run(const std::vector<std::string>& words, const fs::path& directory) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  for (const int fd : {0, 1, 2}) posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
  const Clock::time_point begin = Clock::now();
  pid_t pid = 0;
  if (posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ) != 0) std::exit(2);
  int status = 0;
  waitpid(pid, &status, 0);
  posix_spawn_file_actions_destroy(&actions);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    std::fprintf(stderr, "%s failed with %d\n", words[0].c_str(), status);
    std::exit(2);
  }
  return seconds_since(begin);
}

// Starts the desk on a terminal; returns the seconds until its footer, the last line of a screen, is there.
double first_paint(const std::string& program, const fs::path& directory) {
  winsize size{.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
  int fd = -1;
  const Clock::time_point begin = Clock::now();
  const pid_t pid = forkpty(&fd, nullptr, nullptr, &size);
  if (pid == 0) {
    if (chdir(directory.c_str()) != 0) _exit(126);
    execl(program.c_str(), program.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  std::string screen;
  char buffer[4096];
  while (screen.find("q quit") == std::string::npos) {
    const ssize_t count = read(fd, buffer, sizeof buffer);
    if (count <= 0) {
      std::fprintf(stderr, "no desk:\n%s\n", screen.c_str());
      std::exit(2);
    }
    screen.append(buffer, static_cast<std::size_t>(count));
  }
  const double seconds = seconds_since(begin);
  kill(pid, SIGKILL);
  close(fd);
  int status = 0;
  waitpid(pid, &status, 0);
  return seconds;
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) return 2;
  const std::string program = words[1];
  const fs::path scratch = fs::path(words[3]) / "desk";
  const fs::path project = scratch / "project";
  const fs::path list = scratch / "files";
  fs::create_directories(project / ".git/objects");
  fs::create_directories(project / ".git/refs");
  put(project / ".git/HEAD", "ref: refs/heads/main\n");
  put(project / ".reprise/workflows/w.yaml",
      "name: w\nstages:\n  a: {run: [/bin/true]}\n  b: {needs: [a], run: [/bin/true]}\n"
      "  c: {needs: [b], run: [/bin/true]}\n");
  setenv("CLAUDE_CONFIG_DIR", (scratch / "home").c_str(), 1);
  setenv("CLAUDE_CODE_TASK_LIST_ID", "bench", 1);
  setenv("TERM", "xterm", 1);
  {
    std::ofstream files(list);
    for (int i = 0; i < kFeatures; ++i) {
      const std::string name = std::to_string(1'000 + i) + "-feature";
      files << put_feature(project / "specs" / name, name, i % 2 == 1).string() << "\n";
    }
    put_tasks(scratch / "home/tasks/bench", files);
    for (int i = 0; i < kRuns; ++i) run({program, "--quiet", "run", "w", "r" + std::to_string(i)}, project);
    for (const fs::directory_entry& file : fs::directory_iterator(project / ".git/reprise")) {
      if (file.is_regular_file()) files << file.path().string() << "\n";
    }
  }
  std::vector<double> ours, theirs;
  for (int round = 0; round < kRounds; ++round) {
    ours.push_back(first_paint(program, project));
    theirs.push_back(run({words[2], "read", list.string()}, project));
  }
  const double ratio = median(ours) / median(theirs);
  reprise_bench::Report report;
  report.row("`reprise`: 1,000 features, 10,000 tasks, 200 runs", ratio, kBar, "x reading",
             ms("first paint", median(ours)) + ms("reading", median(theirs)));
  return report.exit_code();
}
