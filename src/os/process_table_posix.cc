// The process table as /proc shows it, and signals through process descriptors.

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <map>
#include <set>

#include "base/strings.h"
#include "os/clock.h"
#include "os/io.h"
#include "os/machine.h"
#include "os/process.h"
#include "os/process_table.h"

namespace reprise {
namespace {

constexpr std::size_t kPieceBytes = 16u << 10;
constexpr int kStartingTries = 1'000;  // a millisecond each; usually the first finds it

std::optional<std::string> read_whole(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  const Fd owned(fd);
  std::string text;
  for (;;) {
    const std::size_t size = text.size();
    text.resize(size + kPieceBytes);
    const Received got = read_available(fd, std::span(text).subspan(size));
    text.resize(size + got.bytes);
    if (got.bytes == 0) return text;
  }
}

template <typename Number>
std::optional<Number> number_in(std::string_view text) {
  Number value{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<int> all_pids() {
  std::vector<int> pids;
  DIR* folder = ::opendir("/proc");
  if (folder == nullptr) return pids;
  while (const dirent* entry = ::readdir(folder)) {
    if (const std::optional<int> pid = number_in<int>(entry->d_name)) pids.push_back(*pid);
  }
  ::closedir(folder);
  return pids;
}

// The descriptor names this process for as long as it is open, whatever becomes of the number.
Fd open_process(int pid) { return Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))); }

// Whether `entry` is still the process that it was read from, and has not ended.
bool is_same_and_alive(const ProcessEntry& entry) {
  const std::optional<ProcessEntry> now = find_process(entry.pid);
  return now && now->start == entry.start && !now->has_ended();
}

// Waits until the process has ended; false if it has not by `deadline`.
bool wait_gone(const ProcessEntry& entry, Duration deadline) {
  SystemClock clock;
  const Fd process = open_process(entry.pid);
  while (is_same_and_alive(entry)) {
    const Duration left = deadline - clock.monotonic();
    if (left <= Duration(0)) return false;
    pollfd watched{.fd = process.get(), .events = POLLIN, .revents = 0};
    // Without a descriptor the end is not announced, and has to be looked for.
    const std::int64_t turn = process.is_open() ? left.count() : std::min<std::int64_t>(left.count(), 5);
    static_cast<void>(::poll(&watched, 1, static_cast<int>(turn)));
  }
  return true;
}

// A process that is just being given its program has memory but no environment yet: the kernel lets
// its parent go on before it lays the environment out. A kernel thread has neither, a program that was
// started without variables still has a place for them.
bool is_being_started(int pid) {
  const std::optional<std::string> line = read_whole("/proc/" + std::to_string(pid) + "/stat");
  if (!line || line->rfind(") ") == std::string::npos) return false;
  const std::vector<std::string_view> fields =
      split(trim(std::string_view(*line).substr(line->rfind(") ") + 2)), ' ');
  constexpr std::size_t kState = 0, kMemory = 20, kEnvironmentEnd = 48;  // stat fields 3, 23, 51
  if (fields.size() <= kEnvironmentEnd) return false;
  const bool has_ended = fields[kState] == "Z" || fields[kState] == "X";
  return !has_ended && fields[kMemory] != "0" && fields[kEnvironmentEnd] == "0";
}

// The environment that `pid` was started with. One that is being started is waited for, so that a
// worker whose parent died in that moment is not overlooked; nothing if it may not be read.
std::optional<std::string> environment_block(int pid) {
  const std::string path = "/proc/" + std::to_string(pid) + "/environ";
  std::optional<std::string> block = read_whole(path);
  for (int left = kStartingTries; left > 0 && block && block->empty(); --left) {
    const bool was_starting = is_being_started(pid);  // asked first: then what is read after it is final
    block = read_whole(path);
    if (!was_starting) break;
    if (block && block->empty()) pause_for(Duration(1));
  }
  return block;
}

std::string boot_id() { return std::string(trim(read_whole("/proc/sys/kernel/random/boot_id").value_or(""))); }

}  // namespace

std::optional<ProcessEntry> parse_process_stat(std::string_view line) {
  // "12 (name) S 1 12 …": the name may contain spaces and parentheses, nothing after it does.
  const std::size_t open = line.find(" (");
  const std::size_t close = line.rfind(") ");
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
  const std::vector<std::string_view> fields = split(trim(line.substr(close + 2)), ' ');
  constexpr std::size_t kState = 0, kParent = 1, kGroup = 2, kSession = 3, kStart = 19;  // stat fields 3 to 6, 22
  if (fields.size() <= kStart || fields[kState].size() != 1) return std::nullopt;
  const std::optional<int> pid = number_in<int>(line.substr(0, open));
  const std::optional<int> parent = number_in<int>(fields[kParent]);
  const std::optional<int> group = number_in<int>(fields[kGroup]);
  const std::optional<int> session = number_in<int>(fields[kSession]);
  const std::optional<std::uint64_t> start = number_in<std::uint64_t>(fields[kStart]);
  if (!pid || !parent || !group || !session || !start) return std::nullopt;
  return ProcessEntry{.pid = *pid,
                      .parent = *parent,
                      .group = *group,
                      .session = *session,
                      .state = fields[kState][0],
                      .start = *start};
}

std::optional<ProcessEntry> find_process(int pid) {
  const std::optional<std::string> line = read_whole("/proc/" + std::to_string(pid) + "/stat");
  return line ? parse_process_stat(*line) : std::nullopt;
}

std::vector<ProcessEntry> list_processes() {
  std::vector<ProcessEntry> entries;
  for (const int pid : all_pids()) {
    if (const std::optional<ProcessEntry> entry = find_process(pid)) entries.push_back(*entry);
  }
  return entries;
}

std::vector<ProcessEntry> descendants_of(int root, const std::vector<ProcessEntry>& all) {
  std::multimap<int, const ProcessEntry*> children;
  for (const ProcessEntry& entry : all) children.emplace(entry.parent, &entry);
  std::vector<ProcessEntry> found;
  std::set<int> seen = {root};  // the table is not read at one instant, so it might show a circle
  std::vector<int> open = {root};
  while (!open.empty()) {
    const int pid = open.back();
    open.pop_back();
    const auto [first, last] = children.equal_range(pid);
    for (auto child = first; child != last; ++child) {
      if (!seen.insert(child->second->pid).second) continue;
      found.push_back(*child->second);
      open.push_back(child->second->pid);
    }
  }
  return found;
}

std::vector<int> own_children() {
  std::vector<int> pids;
  if (const std::optional<std::string> text = read_whole("/proc/thread-self/children")) {
    for (const std::string_view word : split(trim(*text), ' ')) {
      if (const std::optional<int> pid = number_in<int>(word)) pids.push_back(*pid);
    }
    return pids;
  }
  for (const ProcessEntry& entry : list_processes()) {
    if (entry.parent == ::getpid()) pids.push_back(entry.pid);
  }
  return pids;
}

std::vector<std::string> arguments_of(int pid) {
  const std::string line = read_whole("/proc/" + std::to_string(pid) + "/cmdline").value_or("");
  std::vector<std::string> words;
  for (const std::string_view word : split(line, '\0')) words.emplace_back(word);
  return words;
}

std::string describe_process(const ProcessEntry& entry) {
  SystemClock clock;
  const std::int64_t age =
      clock.monotonic().count() -
      static_cast<std::int64_t>(entry.start * 1000 / static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK)));
  const std::optional<std::string> name = read_whole("/proc/" + std::to_string(entry.pid) + "/comm");
  return "process " + std::to_string(entry.pid) + " (" + printable_line(trim(name.value_or("?")), 32) +
         ", started " + to_text(clock.now() - Duration(age)) + ")";
}

std::optional<std::string> environment_value(int pid, std::string_view name) {
  const std::optional<std::string> block = environment_block(pid);
  if (!block) return std::nullopt;
  for (const std::string_view variable : split(*block, '\0')) {
    if (variable.size() > name.size() && variable.starts_with(name) && variable[name.size()] == '=') {
      return std::string(variable.substr(name.size() + 1));
    }
  }
  return std::nullopt;
}

bool signal_process(const ProcessEntry& entry, int signal) {
  const Fd process = open_process(entry.pid);
  // Between reading the table and opening the descriptor the number may have passed to another.
  if (!is_same_and_alive(entry)) return false;
  if (process.is_open()) {
    if (::syscall(SYS_pidfd_send_signal, process.get(), signal, nullptr, 0) == 0) return true;
    if (errno == ESRCH) return false;
  }
  return ::kill(entry.pid, signal) == 0;
}

Result<void> kill_until_none(const std::function<std::vector<ProcessEntry>()>& find, Duration patience) {
  SystemClock clock;
  const Duration deadline = clock.monotonic() + patience;
  for (;;) {
    const std::vector<ProcessEntry> found = find();
    if (found.empty()) return {};
    // All of them first: a parent that lives a moment longer could replace a child.
    for (const ProcessEntry& entry : found) signal_process(entry, SIGKILL);
    for (const ProcessEntry& entry : found) {
      if (!wait_gone(entry, deadline))
        return fail(ErrorKind::Unavailable,
                    "process " + std::to_string(entry.pid) + " was killed but does not end");
    }
    if (clock.monotonic() >= deadline)
      return fail(ErrorKind::Unavailable, "processes of an earlier attempt start faster than they can be killed");
  }
}

std::vector<std::string> missing_process_facilities() {
  std::vector<std::string> missing;
  const Fd self = open_process(::getpid());
  if (!self.is_open()) missing.emplace_back("pidfd_open");
  const bool can_send = ::syscall(SYS_pidfd_send_signal, self.get(), 0, nullptr, 0) == 0 || errno != ENOSYS;
  if (!can_send) missing.emplace_back("pidfd_send_signal");
  return missing;
}

Result<ProcessId> identify(int pid) {
  const std::optional<ProcessEntry> entry = find_process(pid);
  if (!entry) return fail(ErrorKind::NotFound, "there is no process " + std::to_string(pid));
  std::string boot = boot_id();
  if (boot.empty()) return fail(ErrorKind::Io, "/proc/sys/kernel/random/boot_id: cannot be read");
  return ProcessId{.pid = pid, .start = std::to_string(entry->start), .boot = std::move(boot)};
}

Result<ProcessId> identify_self() { return identify(::getpid()); }

Result<bool> is_alive(const ProcessId& id) {
  const std::string boot = boot_id();
  if (boot.empty()) return fail(ErrorKind::Io, "/proc/sys/kernel/random/boot_id: cannot be read");
  if (boot != id.boot) return false;
  const std::optional<ProcessEntry> entry = find_process(id.pid);
  return entry && !entry->has_ended() && std::to_string(entry->start) == id.start;
}

}  // namespace reprise
