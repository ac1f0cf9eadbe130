// FileLock with open-file-description locks: they belong to the descriptor, not to the process, so
// that closing some other descriptor of the same file does not drop them.

#include <fcntl.h>

#include <cerrno>

#include "os/file_system.h"
#include "os/lock_wait.h"

namespace reprise {
namespace {

Result<Fd> open_lock_file(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return fail(error_from_errno(errno, path.string() + ": cannot be opened"));
  return Fd(fd);
}

// Locks one byte without waiting; false if another process has it.
Result<bool> set_lock(const Fd& fd, const std::filesystem::path& path, std::int64_t offset) {
  struct flock range{};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  range.l_start = offset;
  range.l_len = 1;
  while (::fcntl(fd.get(), F_OFD_SETLK, &range) != 0) {
    if (errno == EAGAIN || errno == EACCES) return false;
    if (errno != EINTR) return fail(error_from_errno(errno, path.string() + ": cannot be locked"));
  }
  return true;
}

}  // namespace

Result<std::optional<FileLock>> FileLock::try_lock(const std::filesystem::path& path, std::int64_t offset) {
  Fd fd = TRY(open_lock_file(path));
  if (!TRY(set_lock(fd, path, offset))) return std::nullopt;
  return FileLock(std::move(fd));
}

Result<FileLock> FileLock::lock(const std::filesystem::path& path, std::int64_t offset) {
  Fd fd = TRY(open_lock_file(path));
  std::optional<LockWait> wait;
  while (!TRY(set_lock(fd, path, offset))) {
    if (!wait) wait.emplace(LockSubject{.files = {path}, .byte = offset, .is_brief = false});
    TRY_VOID(wait->pause());
  }
  return FileLock(std::move(fd));
}

}  // namespace reprise
