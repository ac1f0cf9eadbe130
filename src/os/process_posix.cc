// Starting and waiting, with posix_spawn: it shares our memory until the program is loaded, so its cost
// does not grow with ours.

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/check.h"
#include "base/strings.h"
#include "os/process.h"

extern char** environ;

namespace reprise {
namespace {

std::vector<char*> pointers_to(std::span<const std::string> words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// Where execvp() would find the program, but by the child's PATH, and from the child's folder.
std::string find_program(const SpawnRequest& request) {
  const std::string& name = request.argv.front();
  if (name.find('/') != std::string::npos) return name;
  std::string_view path = "/usr/local/bin:/usr/bin:/bin";
  for (const std::string& variable : request.environment) {
    if (variable.starts_with("PATH=")) path = std::string_view(variable).substr(5);
  }
  for (const std::string_view entry : split(path, ':')) {
    std::string folder(entry.empty() ? "." : entry);
    if (folder.front() != '/' && !request.directory.empty()) folder = request.directory + "/" + folder;
    const std::string candidate = folder + "/" + name;
    struct stat info{};
    if (::access(candidate.c_str(), X_OK) == 0 && ::stat(candidate.c_str(), &info) == 0 && S_ISREG(info.st_mode)) {
      return candidate;
    }
  }
  return "";
}

// posix_spawn gives one number for whatever went wrong in the child; say which thing it was.
Error why_not_started(const SpawnRequest& request, int error_number) {
  const std::string program = printable_line(request.argv.front(), 200);
  struct stat info{};
  if (!request.directory.empty() && ::stat(request.directory.c_str(), &info) != 0) {
    return error_from_errno(errno, "cannot start " + program + ": its folder " + request.directory);
  }
  if (!request.directory.empty() && (!S_ISDIR(info.st_mode) || ::access(request.directory.c_str(), X_OK) != 0)) {
    return error_from_errno(S_ISDIR(info.st_mode) ? EACCES : ENOTDIR,
                            "cannot start " + program + ": its folder " + request.directory);
  }
  Error error = error_from_errno(error_number, "cannot start " + program);
  if (is_shortage(error_number)) error.kind = ErrorKind::Unavailable;
  if (error_number == E2BIG) error.kind = ErrorKind::Invalid;
  if (error_number == ENOEXEC) error.message += " (a script needs a first line such as \"#!/bin/sh\")";
  return error;
}

// Owns the two spawn structures, which must be destroyed on every way out.
class SpawnPlan {
 public:
  SpawnPlan() {
    check(posix_spawn_file_actions_init(&actions_) == 0);
    check(posix_spawnattr_init(&attributes_) == 0);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  void prepare(const SpawnRequest& request) {
    connect(0, request.stdin_fd, O_RDONLY);
    connect(1, request.stdout_fd, O_WRONLY);
    connect(2, request.stderr_fd, O_WRONLY);
    if (request.extra_fd >= 0) posix_spawn_file_actions_adddup2(&actions_, request.extra_fd, 3);
    posix_spawn_file_actions_addclosefrom_np(&actions_, request.extra_fd >= 0 ? 4 : 3);
    if (!request.directory.empty()) {
      posix_spawn_file_actions_addchdir_np(&actions_, request.directory.c_str());
    }
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    // All of them: for a signal not named here the C library asks first, with one more system call.
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    posix_spawnattr_setpgroup(&attributes_, 0);
    const int group = request.own_session ? POSIX_SPAWN_SETSID : POSIX_SPAWN_SETPGROUP;
    posix_spawnattr_setflags(&attributes_,
                             static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group));
  }
  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  void connect(int target, int fd, int flags) {
    if (fd >= 0) {
      posix_spawn_file_actions_adddup2(&actions_, fd, target);
    } else {
      posix_spawn_file_actions_addopen(&actions_, target, "/dev/null", flags, 0);
    }
  }

  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

ChildExit exit_of(int pid, int status) {
  if (WIFSIGNALED(status)) return {.pid = pid, .exit_code = std::nullopt, .signal = WTERMSIG(status)};
  return {.pid = pid, .exit_code = WEXITSTATUS(status), .signal = 0};
}

}  // namespace

Result<int> spawn(const SpawnRequest& request) {
  if (request.argv.empty()) return fail(ErrorKind::Invalid, "cannot start a program without a name");
  const std::string program = find_program(request);
  if (program.empty()) {
    return fail(ErrorKind::NotFound, "cannot start " + printable_line(request.argv.front(), 200) +
                                         ": there is no such program in PATH");
  }
  SpawnPlan plan;
  plan.prepare(request);
  const std::vector<char*> argv = pointers_to(request.argv);
  const std::vector<char*> environment = pointers_to(request.environment);
  pid_t pid = 0;
  const int result =
      posix_spawn(&pid, program.c_str(), plan.actions(), plan.attributes(), argv.data(), environment.data());
  if (result != 0) return fail(why_not_started(request, result));
  return pid;
}

bool is_shortage(int error_number) {
  return error_number == EMFILE || error_number == ENFILE || error_number == EAGAIN || error_number == ENOMEM;
}

Result<int> spawn_detached(std::span<const std::string> argv, int extra_fd) {
  static std::vector<int> started;
  std::erase_if(started, [](int pid) { return ::waitpid(pid, nullptr, WNOHANG) != 0; });
  const std::vector<std::string> environment = current_environment();
  const int pid = TRY(spawn(
      {.argv = argv, .environment = environment, .directory = "/", .extra_fd = extra_fd, .own_session = true}));
  started.push_back(pid);
  return pid;
}

std::vector<std::string> current_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    variables.emplace_back(*variable);
  }
  return variables;
}

void mark_as_command(std::vector<std::string>& environment) {
  const std::string name = std::string(kTagVariable) + "=";
  const bool is_marked =
      std::ranges::any_of(environment, [&](const auto& each) { return each.starts_with(name); });
  if (!is_marked) environment.push_back(name + std::string(kCommandTag));
}

std::optional<ChildExit> reap_any() {
  int status = 0;
  const pid_t pid = ::waitpid(-1, &status, WNOHANG);
  if (pid <= 0) return std::nullopt;
  return exit_of(pid, status);
}

void reap_child(int pid) {
  check(pid > 1);
  static_cast<void>(::waitpid(pid, nullptr, WNOHANG));
}

bool has_children() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

void signal_group(int group, int signal) {
  check(group > 1);  // 0, 1 and -1 would reach ourselves or everybody
  ::kill(-group, signal);
}

void kill_child(int pid) {
  check(pid > 1);
  ::kill(pid, SIGKILL);
}

Result<void> become_subreaper() {
  if (::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0) {
    return fail(error_from_errno(errno, "cannot take charge of orphaned processes"));
  }
  return {};
}

void allow_descriptors(int count) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlim_t wanted = std::min(static_cast<rlim_t>(count), limit.rlim_max);
  if (limit.rlim_cur >= wanted) return;
  limit.rlim_cur = wanted;
  static_cast<void>(::setrlimit(RLIMIT_NOFILE, &limit));
}

Result<Fd> take_signals(std::span<const int> taken, std::span<const int> ignored) {
  for (const int signal : ignored) ::signal(signal, SIG_IGN);
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : taken) sigaddset(&signals, signal);
  if (::sigprocmask(SIG_BLOCK, &signals, nullptr) != 0)
    return fail(error_from_errno(errno, "cannot block signals"));
  const int fd = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  if (fd < 0) return fail(error_from_errno(errno, "cannot wait for signals"));
  return Fd(fd);
}

std::vector<int> read_signals(int fd) {
  std::vector<int> signals;
  signalfd_siginfo arrived[8];
  for (;;) {
    const ssize_t count = ::read(fd, arrived, sizeof arrived);
    if (count <= 0) return signals;
    const std::size_t number = static_cast<std::size_t>(count) / sizeof arrived[0];
    for (std::size_t i = 0; i < number; ++i) signals.push_back(static_cast<int>(arrived[i].ssi_signo));
    if (number < std::size(arrived)) return signals;
  }
}

}  // namespace reprise
