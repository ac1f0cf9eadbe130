#include "desk_pty.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <regex>
#include <utility>

#include "base/digest.h"

namespace reprise::cli_test {
namespace {

using Steady = std::chrono::steady_clock;

winsize size_of(DeskTerminalSize size) {
  winsize window{};
  window.ws_col = static_cast<unsigned short>(size.columns);
  window.ws_row = static_cast<unsigned short>(size.rows);
  return window;
}

}  // namespace

// ---- ScreenText

void ScreenText::put(std::string_view glyph) {
  std::vector<std::string>& line = lines_[row_];
  if (line.size() <= column_) line.resize(column_ + 1, " ");
  line[column_++] = colours_ + std::string(glyph);
  colours_.clear();
}

void ScreenText::take_sequence(std::string_view sequence) {
  const char last = sequence.back();
  const std::string numbers(sequence.substr(2, sequence.size() - 3));
  if (last == 'm') {
    colours_ += sequence;
  } else if (last == 'A') {
    row_ -= std::min(row_, static_cast<std::size_t>(std::atoi(numbers.c_str())));
  } else if (last == 'J' && numbers.empty()) {
    lines_.resize(row_ + 1);
    lines_[row_].resize(std::min(lines_[row_].size(), column_));
    colours_.clear();
  } else if (last == 'K' && numbers == "2") {
    lines_[row_].clear();
    colours_.clear();
  } else if (last == 'J' && numbers == "2") {
    lines_.assign(row_ + 1, {});
  } else if (last == 'H' && numbers.empty()) {
    row_ = lines_.size() > height_ ? lines_.size() - height_ : 0;
    column_ = 0;
  } else {
    is_confused_ = true;
  }
}

void ScreenText::write(std::string_view bytes) {
  held_ += bytes;
  while (!held_.empty()) {
    const auto lead = static_cast<unsigned char>(held_[0]);
    if (lead == 0x1b) {
      std::size_t end = 2;
      while (end < held_.size() && !(held_[end] >= '@' && held_[end] <= '~')) ++end;
      if (end >= held_.size()) return;
      take_sequence(held_.substr(0, end + 1));
      held_.erase(0, end + 1);
      continue;
    }
    const std::size_t size = lead < 0x80 ? 1u : lead < 0xe0 ? 2u : lead < 0xf0 ? 3u : 4u;
    if (held_.size() < size) return;
    if (lead == '\r') {
      column_ = 0;
    } else if (lead == '\n') {
      if (!colours_.empty() && !lines_[row_].empty()) lines_[row_].back() += std::exchange(colours_, "");
      if (++row_ >= lines_.size()) lines_.emplace_back();
    } else {
      put(held_.substr(0, size));
    }
    held_.erase(0, size);
  }
}

std::string ScreenText::text() const {
  std::string out;
  for (std::size_t i = lines_.size() > height_ ? lines_.size() - height_ : 0; i < lines_.size(); ++i) {
    std::string line;
    for (const std::string& glyph : lines_[i]) line += glyph;
    if (i == row_) line += colours_;
    while (line.ends_with(' ')) line.pop_back();
    out += line + "\n";
  }
  return out;
}

// ---- DeskPty

DeskPty::DeskPty(const World& world, DeskTerminalSize size, const std::vector<std::string>& variables,
                 const std::vector<std::string>& words)
    : screen_(static_cast<std::size_t>(size.rows)) {
  const winsize window = size_of(size);
  if (openpty(&master_, &slave_, nullptr, nullptr, &window) != 0) return;
  fcntl(master_, F_SETFD, FD_CLOEXEC);
  fcntl(slave_, F_SETFD, FD_CLOEXEC);
  tcgetattr(slave_, &before_);
  const fs::path home = world.root().parent_path() / "home";
  std::vector<std::string> argv = {(home / "bin/reprise").string()};
  argv.insert(argv.end(), words.begin(), words.end());
  std::vector<std::string> environment = {"PATH=" + (home / "bin").string() + ":" + getenv("PATH"),
                                          "HOME=" + home.string(),
                                          "USER=tester",
                                          "TERM=xterm",
                                          "LC_ALL=C.UTF-8",
                                          "GIT_CONFIG_NOSYSTEM=1"};
  for (const std::string& variable : variables) {
    const std::string name = variable.substr(0, variable.find('=') + 1);
    std::erase_if(environment, [&](const std::string& entry) { return entry.starts_with(name); });
    environment.push_back(variable);
  }
  pid_ = fork();
  if (pid_ != 0) return;
  setsid();
  ioctl(slave_, TIOCSCTTY, 0);
  for (const int fd : {0, 1, 2}) dup2(slave_, fd);
  if (chdir(world.root().c_str()) != 0) _exit(126);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT}) ::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execve(argv[0].c_str(), pointers(argv).data(), pointers(environment).data());
  _exit(127);
}

DeskPty::~DeskPty() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  if (master_ >= 0) close(master_);
  if (slave_ >= 0) close(slave_);
}

bool DeskPty::read_more(int timeout_ms) {
  if (master_ < 0) return false;
  pollfd waiting{master_, POLLIN, 0};
  if (poll(&waiting, 1, timeout_ms) <= 0) return true;
  char buffer[4096];
  const ssize_t count = ::read(master_, buffer, sizeof buffer);
  if (count <= 0) return false;
  written_.append(buffer, static_cast<std::size_t>(count));
  screen_.write({buffer, static_cast<std::size_t>(count)});
  return true;
}

template <typename Condition>
bool DeskPty::wait_for(Condition&& is_so) {
  const Steady::time_point start = Steady::now();
  while (!is_so()) {
    siginfo_t ended{};
    waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT);
    const bool is_over = ended.si_pid == pid_ || Steady::now() - start > kPatience;
    if (!read_more(50)) return is_so();
    if (is_over && !is_so()) {
      read_more(50);
      return is_so();
    }
  }
  return true;
}

bool DeskPty::shows(const std::string& text) {
  return wait_for([&] {
    const std::size_t found = written_.find(text, seen_);
    if (found == std::string::npos) return false;
    seen_ = found + text.size();
    return true;
  });
}

bool DeskPty::has_on_screen(const std::string& text) {
  return wait_for([&] { return screen_.text().find(text) != std::string::npos; });
}

bool DeskPty::is_settled() {
  return wait_for([&] {
    const std::string text = screen_.text();
    static const std::regex kUnseen("\\d[smhd] +(\x1b\\[\\d+m)?…");
    return text.find("q quit") != std::string::npos && !std::regex_search(text, kUnseen);
  });
}

void DeskPty::type(const std::string& keys) {
  [[maybe_unused]] const ssize_t written = ::write(master_, keys.data(), keys.size());
}

void DeskPty::resize(DeskTerminalSize size) {
  const winsize window = size_of(size);
  screen_ = ScreenText(static_cast<std::size_t>(size.rows));
  ioctl(master_, TIOCSWINSZ, &window);
}

void DeskPty::close_window() {
  close(master_);
  master_ = -1;
}

void DeskPty::signal(int number) const { kill(pid_, number); }

int DeskPty::end() {
  int status = 0;
  const Steady::time_point start = Steady::now();
  while (waitpid(pid_, &status, WNOHANG) != pid_) {
    if (Steady::now() - start > kPatience) kill(pid_, SIGKILL);
    if (master_ < 0) {
      usleep(5'000);
    } else {
      read_more(20);
    }
  }
  pid_ = -1;
  for (int rounds = 0; master_ >= 0 && rounds < 3; ++rounds) read_more(10);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool DeskPty::has_modes_as_before() const {
  termios now{};
  if (tcgetattr(slave_, &now) != 0) return false;
  return now.c_iflag == before_.c_iflag && now.c_oflag == before_.c_oflag && now.c_cflag == before_.c_cflag &&
         now.c_lflag == before_.c_lflag && std::memcmp(now.c_cc, before_.c_cc, sizeof now.c_cc) == 0;
}

std::string digest_of_tree(const fs::path& root) {
  std::vector<std::string> entries;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    std::string line = entry.path().string();
    if (entry.is_symlink()) {
      line += " -> " + fs::read_symlink(entry.path()).string();
    } else if (entry.is_regular_file() && entry.path().extension() != ".db-shm") {
      line += " " + slurp(entry.path());
    }
    entries.push_back(std::move(line));
  }
  std::sort(entries.begin(), entries.end());
  std::string all;
  for (const std::string& entry : entries) all += entry + "\n";
  return to_text(digest_of(all));
}

}  // namespace reprise::cli_test
