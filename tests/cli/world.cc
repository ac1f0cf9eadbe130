#include "world.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <sstream>

namespace reprise::cli_test {
namespace {

using Steady = std::chrono::steady_clock;

[[noreturn]] void become(const std::vector<std::string>& argv, const std::vector<std::string>& environment,
                         const fs::path& directory) {
  if (chdir(directory.c_str()) != 0) _exit(126);
  // A test runner may ignore signals that the program must see.
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT}) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execve(argv[0].c_str(), pointers(argv).data(), pointers(environment).data());
  _exit(127);
}

int exit_code(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

int wait_for(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return exit_code(status);
}

}  // namespace

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (const std::string& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

fs::path binary() {
  const char* given = getenv("REPRISE_BINARY");
  return given != nullptr ? fs::path(given) : fs::path(REPRISE_BINARY_PATH);
}

fs::path sources() { return fs::path(REPRISE_SOURCE_PATH); }

std::string slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// ---- Terminal

Terminal::~Terminal() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    wait_for(pid_);
  }
  if (fd_ >= 0) close(fd_);
}

bool Terminal::read_more(int timeout_ms) {
  pollfd waiting{fd_, POLLIN, 0};
  if (poll(&waiting, 1, timeout_ms) <= 0) return true;
  char buffer[4096];
  const ssize_t count = ::read(fd_, buffer, sizeof buffer);
  if (count <= 0) return false;
  screen_.append(buffer, static_cast<std::size_t>(count));
  return true;
}

bool Terminal::shows(const std::string& text) {
  const Steady::time_point start = Steady::now();
  for (;;) {
    const std::size_t found = screen_.find(text, seen_);
    if (found != std::string::npos) {
      seen_ = found + text.size();
      return true;
    }
    if (Steady::now() - start > kPatience || !read_more(100))
      return screen_.find(text, seen_) != std::string::npos;
  }
}

void Terminal::type(const std::string& keys) {
  [[maybe_unused]] const ssize_t written = ::write(fd_, keys.data(), keys.size());
}

int Terminal::end() {
  const Steady::time_point start = Steady::now();
  while (Steady::now() - start < kPatience && read_more(100)) {
  }
  if (Steady::now() - start >= kPatience) kill(pid_, SIGKILL);
  const int code = wait_for(pid_);
  pid_ = -1;
  return code;
}

int Terminal::hang_up() {
  close(fd_);
  fd_ = -1;
  int status = 0;
  if (!World::wait_until([&] { return waitpid(pid_, &status, WNOHANG) == pid_; })) return -1;
  pid_ = -1;
  return exit_code(status);
}

// ---- Background

Background::~Background() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    wait_for(pid_);
  }
}

void Background::signal(int number) const { kill(pid_, number); }

int Background::end() {
  int status = 0;
  const bool ended = World::wait_until([&] { return waitpid(pid_, &status, WNOHANG) == pid_; });
  if (!ended) return -1;
  pid_ = -1;
  return exit_code(status);
}

// ---- World

World::World(const std::string& project) {
  std::string name = (fs::temp_directory_path() / "reprise-cli.XXXXXX").string();
  const fs::path base = mkdtemp(name.data());
  root_ = base / project;
  home_ = base / "home";
  fs::create_directories(root_);
  fs::create_directories(home_ / "bin");
  fs::create_symlink(binary(), home_ / "bin" / "reprise");
  const char* path = getenv("PATH");
  environment_ = {{"PATH", (home_ / "bin").string() + ":" + (path == nullptr ? "/usr/bin:/bin" : path)},
                  {"HOME", home_.string()},
                  {"USER", "tester"},
                  {"TERM", "xterm"},
                  {"LC_ALL", "C.UTF-8"},
                  {"GIT_CONFIG_NOSYSTEM", "1"}};
  shell("git init -q .");
}

// A worker that a failed test left behind ends when its folder is gone from under its guard's socket; the tests'
// own workers end by themselves in any case.
World::~World() {
  std::error_code ignored;
  fs::remove_all(root_.parent_path(), ignored);
}

void World::write(const std::string& path, const std::string& text) const {
  fs::create_directories((root_ / path).parent_path());
  std::ofstream(root_ / path, std::ios::binary) << text;
  if (text.starts_with("#!")) fs::permissions(root_ / path, fs::perms::owner_all);
}

std::string World::read(const std::string& path) const { return slurp(root_ / path); }

void World::workflow(const std::string& name, const std::string& body) const {
  write(".reprise/workflows/" + name + ".yaml", "name: " + name + "\n" + body);
}

std::vector<std::string> World::environment() const {
  std::vector<std::string> out;
  for (const auto& [name, value] : environment_) out.push_back(name + "=" + value);
  return out;
}

Ended World::run(const std::vector<std::string>& argv) const {
  int out[2];
  int err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) return {};
  const std::vector<std::string> variables = environment();
  const pid_t pid = fork();
  if (pid == 0) {
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, 0);
    dup2(out[1], 1);
    dup2(err[1], 2);
    become(argv, variables, root_);
  }
  close(out[1]);
  close(err[1]);
  Ended ended;
  pollfd fds[2] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
  std::string* texts[2] = {&ended.out, &ended.err};
  while (fds[0].fd >= 0 || fds[1].fd >= 0) {
    if (poll(fds, 2, -1) < 0) continue;
    for (int i = 0; i < 2; ++i) {
      if (fds[i].fd < 0 || fds[i].revents == 0) continue;
      char buffer[65536];
      const ssize_t count = ::read(fds[i].fd, buffer, sizeof buffer);
      if (count > 0) {
        texts[i]->append(buffer, static_cast<std::size_t>(count));
      } else {
        close(fds[i].fd);
        fds[i].fd = -1;
      }
    }
  }
  ended.exit = wait_for(pid);
  return ended;
}

Ended World::reprise(const std::vector<std::string>& words) const {
  std::vector<std::string> argv = {(home_ / "bin" / "reprise").string()};
  argv.insert(argv.end(), words.begin(), words.end());
  return run(argv);
}

Ended World::shell(const std::string& line) const { return run({"/bin/bash", "-c", line}); }

std::unique_ptr<Background> World::start(const std::vector<std::string>& words, const std::string& output) const {
  std::vector<std::string> argv = {(home_ / "bin" / "reprise").string()};
  argv.insert(argv.end(), words.begin(), words.end());
  const std::vector<std::string> variables = environment();
  const fs::path path = root_ / output;
  const pid_t pid = fork();
  if (pid == 0) {
    setpgid(0, 0);
    const int nothing = open("/dev/null", O_RDONLY);
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(nothing, 0);
    dup2(file, 1);
    dup2(file, 2);
    become(argv, variables, root_);
  }
  return std::make_unique<Background>(pid);
}

pid_t World::start_shell(int input, int answer) const {
  const std::vector<std::string> variables = environment();
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(input, 0);
    dup2(answer, 9);
    become({"/bin/bash", "-s"}, variables, root_);
  }
  return pid;
}

std::unique_ptr<Terminal> World::terminal(const std::vector<std::string>& words, int columns) const {
  std::vector<std::string> argv = {(home_ / "bin" / "reprise").string()};
  argv.insert(argv.end(), words.begin(), words.end());
  const std::vector<std::string> variables = environment();
  winsize size{};
  size.ws_col = static_cast<unsigned short>(columns);
  size.ws_row = 24;
  int fd = -1;
  const pid_t pid = forkpty(&fd, nullptr, nullptr, &size);
  if (pid == 0) become(argv, variables, root_);
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  return std::make_unique<Terminal>(pid, fd);
}

bool World::wait_until(const std::function<bool()>& is_so) {
  const Steady::time_point start = Steady::now();
  while (!is_so()) {
    if (Steady::now() - start > kPatience) return false;
    usleep(10'000);
  }
  return true;
}

bool World::wait_for_file(const std::string& path) const {
  return wait_until([&] { return has(path); });
}

}  // namespace reprise::cli_test
