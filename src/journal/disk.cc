// Locks here belong to the open file description, not to the process: closing another descriptor of the
// same file does not drop them, and two journals of one process keep each other out.

#include "journal/disk.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>

#include "os/lock_wait.h"

namespace reprise {

namespace {

constexpr std::int64_t kToTheEnd = 0;

struct flock lock_range(short type, std::int64_t offset, std::int64_t length) {
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = offset;
  lock.l_len = length;
  return lock;
}

// Sets or clears the lock without waiting for it.
bool control_lock(int fd, short type) {
  struct flock lock = lock_range(type, 0, 1);
  int result = 0;
  do {
    result = fcntl(fd, F_OFD_SETLK, &lock);
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

Result<bool> is_range_locked(const std::filesystem::path& path, std::int64_t offset, std::int64_t length) {
  // A pipe that somebody put there is not waited for.
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!fd.is_open() && errno == ENOENT) return false;
  if (!fd.is_open()) return fail(error_from_errno(errno, "opening " + path.string()));
  // A description of its own, so that a lock of this very process is seen too.
  struct flock lock = lock_range(F_WRLCK, offset, length);
  if (fcntl(fd.get(), F_OFD_GETLK, &lock) != 0) {
    return fail(error_from_errno(errno, "looking at the lock on " + path.string()));
  }
  return lock.l_type != F_UNLCK;
}

}  // namespace

Result<WriteLock> WriteLock::open(const std::filesystem::path& path) {
  WriteLock lock;
  lock.fd_.reset(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock.fd_.is_open()) return fail(error_from_errno(errno, "opening " + path.string()));
  lock.path_ = path;
  return lock;
}

Result<void> WriteLock::lock() {
  std::optional<LockWait> wait;
  while (!try_lock()) {
    if (errno != EAGAIN && errno != EACCES) return fail(error_from_errno(errno, "locking " + path_.string()));
    if (!wait) wait.emplace(LockSubject{.files = {path_}, .byte = 0});
    TRY_VOID(wait->pause());
  }
  return {};
}

bool WriteLock::try_lock() {
  held_ = control_lock(fd_.get(), F_WRLCK);
  return held_;
}

void WriteLock::unlock() {
  if (held_) control_lock(fd_.get(), F_UNLCK);
  held_ = false;
}

void WriteLock::mark_failure() {
  // The page cache is all that is needed: after a power cut it is gone, and with it what it was lying about.
  [[maybe_unused]] const ssize_t written = ::pwrite(fd_.get(), "!", 1, 0);
}

bool WriteLock::has_failure_mark() const {
  struct stat info{};
  return ::fstat(fd_.get(), &info) != 0 || info.st_size > 0;
}

void WriteLock::clear_failure_mark() { [[maybe_unused]] const int cleared = ::ftruncate(fd_.get(), 0); }

Result<bool> is_locked(const std::filesystem::path& path, std::int64_t offset) {
  return is_range_locked(path, offset, 1);
}

Result<bool> is_anything_locked(const std::filesystem::path& path) { return is_range_locked(path, 0, kToTheEnd); }

Result<std::filesystem::path> absolute_path(const std::filesystem::path& path) {
  if (path.is_absolute()) return path;
  std::array<char, PATH_MAX> here = {};
  if (getcwd(here.data(), here.size()) == nullptr) return fail(error_from_errno(errno, "the working directory"));
  return std::filesystem::path(here.data()) / path;
}

std::optional<FileIdentity> identity_of(const std::filesystem::path& path) {
  // Asks for the inode number alone. Where stat() has been told a file's times, the kernel gives the next
  // write a time of its own, and syncing that with the log costs an append half as much again.
  struct statx info = {};
  if (::statx(AT_FDCWD, path.c_str(), AT_STATX_DONT_SYNC, STATX_INO, &info) != 0) return std::nullopt;
  return FileIdentity{.device = std::uint64_t{info.stx_dev_major} << 32 | info.stx_dev_minor,
                      .inode = info.stx_ino};
}

Result<bool> is_there(const std::filesystem::path& path) {
  struct statx info = {};
  if (::statx(AT_FDCWD, path.c_str(), AT_STATX_DONT_SYNC, STATX_INO, &info) == 0) return true;
  if (errno == ENOENT || errno == ENOTDIR) return false;
  Error error = error_from_errno(errno, path.string() + ": cannot be looked at");
  error.file = path.string();
  return fail(std::move(error));
}

Result<void> create_private_file(const std::filesystem::path& path) {
  const Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!fd.is_open() && errno != EEXIST) return fail(error_from_errno(errno, "creating " + path.string()));
  return {};
}

Result<void> sync_folder(const std::filesystem::path& path) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.is_open() || fsync(fd.get()) != 0) return fail(error_from_errno(errno, "syncing " + path.string()));
  return {};
}

}  // namespace reprise
