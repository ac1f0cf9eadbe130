// Waiting for locks, and their holders as /proc/PID/fdinfo shows them.

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <thread>

#include "base/strings.h"
#include "os/clock.h"
#include "os/lock_wait.h"
#include "os/machine.h"
#include "os/signals.h"

namespace reprise {
namespace {

constexpr std::int64_t kFirstPauseUs = 50;
constexpr std::int64_t kLongestPauseUs = 5'000;
constexpr Duration kCheckEvery{100};  // signals and the limit; trying is cheaper
constexpr std::size_t kFdinfoBytesMax = 64u << 10;
constexpr std::size_t kHoldersNamedMax = 3;

LockWaitListener::Say& listener() {
  static LockWaitListener::Say say;
  return say;
}

std::atomic<int>& patient_waits() {
  static std::atomic<int> count = 0;
  return count;
}

bool is_main_thread() { return ::gettid() == ::getpid(); }

// "lock:\t1: OFDLCK  ADVISORY  WRITE -1 08:01:1234 0 EOF"
bool is_write_lock(std::string_view line, std::optional<std::int64_t> byte) {
  if (!line.starts_with("lock:")) return false;
  std::vector<std::string_view> words;
  for (const std::string_view word : split(line, ' ')) {
    if (!word.empty()) words.push_back(word);
  }
  constexpr std::size_t kFromTheEnd = 5;  // type, pid, file, first byte, last byte
  if (words.size() < kFromTheEnd || words[words.size() - kFromTheEnd] != "WRITE") return false;
  if (!byte) return true;
  const std::optional<std::int64_t> first = parse_number(words[words.size() - 2], INT64_MAX);
  const std::optional<std::int64_t> last = parse_number(words.back(), INT64_MAX);
  return first && *first <= *byte && (words.back() == "EOF" || (last && *byte <= *last));
}

bool holds_lock(const std::string& process, const std::string& fd, std::optional<std::int64_t> byte) {
  const Result<std::string> text = PosixFileSystem().read(process + "/fdinfo/" + fd, kFdinfoBytesMax);
  if (!text) return false;
  return std::ranges::any_of(split(*text, '\n'), [&](std::string_view line) { return is_write_lock(line, byte); });
}

struct LockedFile {
  std::string name;  // without its folder
  struct stat info = {};
};

// Compares names first: looking at a file of a network that is gone could hang.
bool is_open_as(const std::string& link, const LockedFile& file) {
  std::array<char, PATH_MAX> target = {};
  const ssize_t size = ::readlink(link.c_str(), target.data(), target.size());
  if (size <= 0 || !std::string_view(target.data(), static_cast<std::size_t>(size)).ends_with("/" + file.name)) {
    return false;
  }
  struct stat info = {};
  return ::stat(link.c_str(), &info) == 0 && info.st_dev == file.info.st_dev && info.st_ino == file.info.st_ino;
}

bool holds_any(int pid, const std::vector<LockedFile>& files, std::optional<std::int64_t> byte) {
  const std::string process = "/proc/" + std::to_string(pid);
  DIR* folder = ::opendir((process + "/fd").c_str());
  if (folder == nullptr) return false;
  bool found = false;
  while (const dirent* entry = found ? nullptr : ::readdir(folder)) {
    const std::string fd = entry->d_name;
    const bool is_open = std::ranges::any_of(
        files, [&](const LockedFile& file) { return is_open_as(process + "/fd/" + fd, file); });
    found = is_open && holds_lock(process, fd, byte);
  }
  ::closedir(folder);
  return found;
}

std::vector<int> stopped_pids(const std::vector<ProcessEntry>& holders) {
  std::vector<int> pids;
  for (const ProcessEntry& entry : holders) {
    if (entry.is_stopped()) pids.push_back(entry.pid);
  }
  return pids;
}

std::string describe_holders(const std::vector<ProcessEntry>& holders) {
  if (holders.empty()) return "a process that this user cannot see holds it";
  std::string text;
  for (std::size_t i = 0; i < std::min(holders.size(), kHoldersNamedMax); ++i) {
    text += (i > 0 ? ", " : "") + describe_process(holders[i]);
  }
  const bool is_one = holders.size() == 1;
  text += is_one ? " holds it" : " hold it";
  if (!stopped_pids(holders).empty()) text += is_one ? " and is stopped" : " and are stopped";
  return text;
}

std::vector<std::string> hints_for(const LockSubject& subject, const std::vector<ProcessEntry>& holders) {
  std::string pids;
  for (const int pid : stopped_pids(holders)) pids += " " + std::to_string(pid);
  if (!pids.empty()) return {"kill -CONT" + pids};
  if (holders.empty()) return {"fuser -v " + shell_quote(subject.files.front().string())};
  return {"ps -fp " + std::to_string(holders.front().pid)};
}

}  // namespace

std::vector<ProcessEntry> find_lock_holders(const LockSubject& subject) {
  std::vector<LockedFile> files;
  for (const std::filesystem::path& path : subject.files) {
    LockedFile file{.name = path.filename().string()};
    if (::stat(path.c_str(), &file.info) == 0) files.push_back(std::move(file));
  }
  std::vector<ProcessEntry> holders;
  for (const ProcessEntry& entry : list_processes()) {
    if (entry.pid != ::getpid() && holds_any(entry.pid, files, subject.byte)) holders.push_back(entry);
  }
  // A stopped process matters most: it is the reason why the others do not release the lock either.
  std::ranges::stable_partition(holders, [](const ProcessEntry& entry) { return entry.is_stopped(); });
  return holders;
}

Error lock_is_held(const LockSubject& subject) {
  const std::vector<ProcessEntry> holders = find_lock_holders(subject);
  const std::string file = subject.files.front().string();
  return {.kind = ErrorKind::Busy,
          .message = file + " is locked: " + describe_holders(holders),
          .file = file,
          .hints = hints_for(subject, holders)};
}

LockWait::LockWait(LockSubject subject)
    : subject_(std::move(subject)),
      since_(SystemClock().monotonic()),
      next_check_(kLockNoticeAfter),
      pause_us_(kFirstPauseUs) {}

Result<void> LockWait::pause() {
  const Duration waited = SystemClock().monotonic() - since_;
  if (waited >= next_check_) TRY_VOID(check_patience(waited));
  std::this_thread::sleep_for(std::chrono::microseconds(pause_us_));
  pause_us_ = std::min(pause_us_ * 2, kLongestPauseUs);
  return {};
}

// Signals count only from the first notice on: a runner that is told to stop while others write still records
// what it has to.
Result<void> LockWait::check_patience(Duration waited) {
  const std::string file = subject_.files.front().string();
  if (next_check_ == kLockNoticeAfter && is_main_thread() && listener()) {
    const std::vector<ProcessEntry> holders = find_lock_holders(subject_);
    listener()("waiting for the lock on " + file + ": " + describe_holders(holders),
               stopped_pids(holders).empty() ? std::vector<std::string>() : hints_for(subject_, holders));
  }
  next_check_ = waited + kCheckEvery;
  if (pending_end_signal() != 0) {
    return fail(Error{.kind = ErrorKind::Interrupted,
                      .message = "interrupted while waiting for the lock on " + file,
                      .file = file});
  }
  if (waited < kLockPatience || patient_waits() > 0) return {};
  if (!subject_.is_brief && stopped_pids(find_lock_holders(subject_)).empty()) {
    next_check_ = waited + kLockNoticeAfter;  // looking for the holder is not cheap
    return {};
  }
  Error error = lock_is_held(subject_);
  error.message = "gave up after " + to_text(waited) + ": " + error.message;
  return fail(std::move(error));
}

LockWaitListener::LockWaitListener(Say say) : previous_(std::exchange(listener(), std::move(say))) {}
LockWaitListener::~LockWaitListener() { listener() = std::move(previous_); }

PatientLockWaits::PatientLockWaits() { ++patient_waits(); }
PatientLockWaits::~PatientLockWaits() { --patient_waits(); }

}  // namespace reprise
