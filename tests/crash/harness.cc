#include "harness.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "base/check.h"

namespace reprise {
namespace {

using std::chrono::steady_clock;

constexpr int kParallelJobs = 2;

constexpr std::array<std::string_view, FAULT_CALLS> kCallNames = {
    "open",   "write",  "pwrite", "writev", "ftruncate", "fsync", "fdatasync",
    "rename", "unlink", "mkdir",  "link",   "bind",      "spawn", "ack"};

std::vector<int> children_of(int pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/task/" + std::to_string(pid) + "/children");
  std::vector<int> children;
  for (int child = 0; in >> child;) children.push_back(child);
  return children;
}

// From the top down, so that nothing is left to start anything; the caller's own children are reaped by it.
void kill_descendants(int pid) {
  for (const int child : children_of(pid)) {
    kill(child, SIGSTOP);
    kill_descendants(child);
    kill(child, SIGKILL);
  }
}

void write_result(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(fd, text.data(), text.size());
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

struct Job {
  int number = 0;
  int pid = 0;
  std::string text;
  steady_clock::time_point deadline;
};

// A process of its own: a subreaper, so that whoever outlives its parent ends up here and can be waited for.
void run_job(int number, int result_fd, const std::function<std::string(int)>& job) {
  check(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0);
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, nullptr);
  write_result(result_fd, job(number));
  kill_descendants(getpid());
  while (::waitpid(-1, nullptr, 0) > 0) {
  }
  _exit(0);
}

void start_job(int number, const std::function<std::string(int)>& job, std::chrono::seconds limit,
               std::map<int, Job>& running) {
  std::array<int, 2> ends{};
  check(pipe2(ends.data(), O_CLOEXEC) == 0);
  const int pid = fork();
  check(pid >= 0);
  if (pid == 0) {
    close(ends[0]);
    run_job(number, ends[1], job);
  }
  close(ends[1]);
  running[ends[0]] = Job{.number = number, .pid = pid, .text = {}, .deadline = steady_clock::now() + limit};
}

void finish_job(int fd, Job& job, std::vector<std::string>& results) {
  close(fd);
  ::waitpid(job.pid, nullptr, 0);
  results[static_cast<std::size_t>(job.number)] = std::move(job.text);
}

void wait_for_jobs(std::map<int, Job>& running, std::vector<std::string>& results) {
  std::vector<pollfd> fds;
  for (const auto& [fd, job] : running) fds.push_back({fd, POLLIN, 0});
  poll(fds.data(), fds.size(), 500);
  for (const pollfd& ready : fds) {
    Job& job = running.at(ready.fd);
    std::array<char, 4096> buffer{};
    const ssize_t count = ready.revents == 0 ? -1 : ::read(ready.fd, buffer.data(), buffer.size());
    if (count > 0) job.text.append(buffer.data(), static_cast<std::size_t>(count));
    const bool is_late = count < 0 && steady_clock::now() > job.deadline;
    if (is_late) {
      kill_descendants(job.pid);
      kill(job.pid, SIGKILL);
      job.text += "it did not come to an end in time\n";
    }
    if (count == 0 || is_late) {
      finish_job(ready.fd, job, results);
      running.erase(ready.fd);
    }
  }
}

std::vector<std::string> environment_for(const Sandbox& sandbox, const Subject& subject, bool faults, bool trace) {
  std::vector<std::string> environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + sandbox.folder().string(),
                                          "USER=ana"};
  if (!subject.known_bad.empty()) environment.push_back("REPRISE_KNOWN_BAD=" + subject.known_bad);
  if (!faults) return environment;
  environment.push_back("LD_PRELOAD=" REPRISE_FAULTLIB);
  environment.push_back("ASAN_OPTIONS=verify_asan_link_order=0");  // for a sanitized build: we come first
  environment.push_back("REPRISE_FAULT_MAP=" + (sandbox.folder() / "map").string());
  environment.push_back("REPRISE_FAULT_ROOT=" + sandbox.project().string());
  if (!subject.only.empty()) environment.push_back("REPRISE_FAULT_ONLY=" + subject.only);
  if (trace) environment.push_back("REPRISE_FAULT_TRACE=" + sandbox.trace().string());
  return environment;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

constexpr std::string_view kWorkflow = R"yaml(name: crash
limits: {parallel: 2}
stages:
  prepare:
    run: ../effect; echo prepared
  build:
    needs: [prepare]
    run: ../effect; echo built > build.txt
    produces: [build.txt]
  flaky:
    needs: [build]
    run: ../effect; test "$(grep -c '^flaky#' ../effects)" -gt 1
    retries: 4
    delay: 0
  ship:
    needs: [flaky]
    gate: {ask: Ship it?, shows: [build.txt]}
  fan:
    needs: [ship]
    each: {in: [a, b], as: part, parallel: 2}
    stages:
      change:
        run: ../effect; test "$part" = a || ../await 'done    fan/a/change'
      check:
        needs: [change]
        run: |
          ../effect
          if test "$part" = a; then ../await 'start   fan/b/check'; else ../await 'done    fan/a/check'; fi
  polish:
    needs: [fan]
    repeat: {until: {verdict: pass}, max: 3}
    stages:
      judge:
        run: |
          ../effect
          case $REPRISE_STEP in polish/1/*) verdict=fail ;; *) verdict=pass ;; esac
          echo "{\"status\": \"done\", \"verdict\": \"$verdict\"}" > "$REPRISE_RESULT"
      fix:
        needs: [judge]
        run: ../effect
  finish:
    needs: [polish]
    run: ../effect
)yaml";

constexpr std::string_view kEffect = "#!/bin/sh\necho \"$REPRISE_STEP#$REPRISE_ATTEMPT\" >> ../effects\n";

// A runner that was killed before it said so never will: then the order no longer matters.
constexpr std::string_view kAwait = R"sh(#!/bin/sh
tries=0
until grep -q "^$1" ../acks; do
  tries=$((tries + 1))
  test $tries -lt 100 || exit 0
  sleep 0.002
done
)sh";

}  // namespace

std::string_view call_name(int call) { return kCallNames[static_cast<std::size_t>(call)]; }
std::string_view role_name(int role) { return role == FAULT_GUARD ? "guard" : "runner"; }

Subject the_product() { return {REPRISE_PROGRAM, ""}; }
Subject known_bad_with(const std::string& mistake) { return {REPRISE_KNOWN_BAD_PROGRAM, mistake}; }

Sandbox::Sandbox(const Subject& subject) : subject_(subject) {
  std::string name = (access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : "/tmp/") + std::string("reprise-crash-XXXXXX");
  check(mkdtemp(name.data()) != nullptr);
  folder_ = name;
  std::filesystem::create_directory(project());
  write("map", "");
  write("trace", "");
  write("effects", "");
  write("acks", "");
  const int fd = ::open((folder_ / "map").c_str(), O_RDWR | O_CLOEXEC);
  check(fd >= 0 && ftruncate(fd, sizeof(FaultMap)) == 0);
  void* memory = mmap(nullptr, sizeof(FaultMap), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  check(memory != MAP_FAILED);
  close(fd);
  map_ = static_cast<FaultMap*>(memory);
}

Sandbox::~Sandbox() {
  munmap(map_, sizeof(FaultMap));
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void Sandbox::write(const std::filesystem::path& relative, std::string_view text) const {
  std::ofstream out(folder_ / relative, std::ios::binary | std::ios::trunc);
  out << text;
  check(out.good());
  if (text.starts_with("#!")) {
    out.close();
    std::filesystem::permissions(folder_ / relative, std::filesystem::perms::owner_all);
  }
}

std::vector<std::string> Sandbox::lines(const std::string& name) const {
  std::ifstream in(folder_ / name, std::ios::binary);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool Sandbox::has_ack(std::string_view start_of_line) const {
  for (const std::string& line : lines("acks")) {
    if (line.starts_with(start_of_line)) return true;
  }
  return false;
}

int Sandbox::start(const std::vector<std::string>& arguments, Faults faults) const {
  std::vector<std::string> argv = {subject_.program.string(), "-C", project().string()};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  std::vector<std::string> environment = environment_for(*this, subject_, faults == Faults::On, with_trace_);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, acks().c_str(), O_WRONLY | O_APPEND, 0);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t pid = 0;
  const int error = posix_spawn(&pid, argv[0].c_str(), &actions, &attributes, pointers_to(argv).data(),
                                pointers_to(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  check(error == 0);
  return pid;
}

int Sandbox::run(const std::vector<std::string>& arguments, Faults faults) const {
  return wait_for(start(arguments, faults));
}

int wait_for(int pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

bool wait_for_all(std::chrono::milliseconds limit) {
  const steady_clock::time_point deadline = steady_clock::now() + limit;
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  for (;;) {
    int pid = 0;
    while ((pid = ::waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (pid < 0) return true;
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(deadline - steady_clock::now()).count();
    if (left <= 0) return false;
    const timespec wait{left / 1'000'000'000, left % 1'000'000'000};
    sigtimedwait(&child, nullptr, &wait);
  }
}

void kill_everything() {
  kill_descendants(getpid());
  while (::waitpid(-1, nullptr, 0) > 0) {
  }
}

std::vector<std::string> run_jobs(int count, const std::function<std::string(int)>& job,
                                  std::chrono::seconds limit) {
  std::vector<std::string> results(static_cast<std::size_t>(count));
  std::map<int, Job> running;
  for (int next = 0; next < count || !running.empty();) {
    while (next < count && running.size() < kParallelJobs) start_job(next++, job, limit, running);
    wait_for_jobs(running, results);
  }
  return results;
}

void write_workflow(const Sandbox& sandbox, int more) {
  std::string text(kWorkflow);
  std::string before = "finish";
  for (int i = 1; i <= more; ++i) {
    const std::string name = "more" + std::to_string(i);
    text.append("  ").append(name).append(":\n    needs: [").append(before).append("]\n    run: ../effect\n");
    before = name;
  }
  sandbox.write("project/crash.yaml", text);
  sandbox.write("effect", kEffect);
  sandbox.write("await", kAwait);
}

void make_pipe_file(const Sandbox& sandbox, const char* name) {
  check(mkfifo((sandbox.folder() / name).c_str(), 0600) == 0);
}

void write_pipe(const Sandbox& sandbox, const char* name) {
  const int fd = ::open((sandbox.folder() / name).c_str(), O_WRONLY | O_CLOEXEC);
  check(fd >= 0 && ::write(fd, "go\n", 3) == 3);
  close(fd);
}

void read_pipe(const Sandbox& sandbox, const char* name) {
  const int fd = ::open((sandbox.folder() / name).c_str(), O_RDONLY | O_CLOEXEC);
  char byte = 0;
  check(fd >= 0 && ::read(fd, &byte, 1) == 1);
  close(fd);
}

int count_lines(const Sandbox& sandbox, const std::string& name, std::string_view part) {
  int count = 0;
  for (const std::string& line : sandbox.lines(name)) count += line.find(part) != std::string::npos ? 1 : 0;
  return count;
}

}  // namespace reprise
