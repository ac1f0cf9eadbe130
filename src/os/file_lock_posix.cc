// FileLock with open-file-description locks: they belong to the descriptor, not to the process, so
// that closing some other descriptor of the same file does not drop them.

#include <fcntl.h>

#include <cerrno>

#include "os/file_system.h"

namespace reprise {
namespace {

Result<Fd> open_lock_file(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return fail(error_from_errno(errno, path.string() + ": cannot be opened"));
  return Fd(fd);
}

struct flock one_byte(std::int64_t offset) {
  struct flock range{};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  range.l_start = offset;
  range.l_len = 1;
  return range;
}

}  // namespace

Result<std::optional<FileLock>> FileLock::try_lock(const std::filesystem::path& path, std::int64_t offset) {
  Fd fd = TRY(open_lock_file(path));
  struct flock range = one_byte(offset);
  while (::fcntl(fd.get(), F_OFD_SETLK, &range) != 0) {
    if (errno == EAGAIN || errno == EACCES) return std::nullopt;
    if (errno != EINTR) return fail(error_from_errno(errno, path.string() + ": cannot be locked"));
  }
  return FileLock(std::move(fd));
}

Result<FileLock> FileLock::lock(const std::filesystem::path& path, std::int64_t offset) {
  Fd fd = TRY(open_lock_file(path));
  struct flock range = one_byte(offset);
  while (::fcntl(fd.get(), F_OFD_SETLKW, &range) != 0) {
    if (errno != EINTR) return fail(error_from_errno(errno, path.string() + ": cannot be locked"));
  }
  return FileLock(std::move(fd));
}

}  // namespace reprise
