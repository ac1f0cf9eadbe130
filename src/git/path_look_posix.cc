// Looking at paths with statx(), which knows when a file was born.

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "git/path_look.h"

namespace reprise {
namespace {

FileType type_of(unsigned mode) {
  if (S_ISREG(mode)) return FileType::Regular;
  if (S_ISDIR(mode)) return FileType::Directory;
  if (S_ISLNK(mode)) return FileType::Symlink;
  return FileType::Other;
}

std::int64_t nanoseconds(const statx_timestamp& time) { return time.tv_sec * 1'000'000'000 + time.tv_nsec; }

}  // namespace

Result<std::optional<PathLook>> look_at(const std::filesystem::path& path) {
  struct statx info{};
  while (::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS | STATX_BTIME, &info) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    if (errno != EINTR) return fail(error_from_errno(errno, path.string() + ": cannot be looked at"));
  }
  PathLook look{.type = type_of(info.stx_mode),
                .device = (static_cast<std::uint64_t>(info.stx_dev_major) << 32) | info.stx_dev_minor,
                .inode = info.stx_ino,
                .owner = static_cast<int>(info.stx_uid),
                .modified_ns = nanoseconds(info.stx_mtime)};
  if ((info.stx_mask & STATX_BTIME) != 0) look.born_ns = nanoseconds(info.stx_btime);
  return look;
}

Result<bool> is_on_volatile_file_system(const std::filesystem::path& path) {
  struct statfs info{};
  std::filesystem::path place = path;
  while (::statfs(place.c_str(), &info) != 0) {
    if (errno == EINTR) continue;
    const bool is_missing = errno == ENOENT || errno == ENOTDIR;
    if (!is_missing || !place.has_relative_path()) {
      return fail(error_from_errno(errno, place.string() + ": its file system cannot be told"));
    }
    place = place.parent_path();
  }
  const long type = static_cast<long>(info.f_type) & 0xFFFFFFFFL;
  return type == TMPFS_MAGIC || type == RAMFS_MAGIC;
}

std::optional<int> user_of_process(int pid) {
  struct stat info{};
  if (::stat(("/proc/" + std::to_string(pid)).c_str(), &info) != 0) return std::nullopt;
  return static_cast<int>(info.st_uid);
}

Result<void> sync_what_git_wrote(const std::filesystem::path& file) {
  const Fd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!fd.is_open() || ::fsync(fd.get()) != 0)
    return fail(error_from_errno(errno, file.string() + ": cannot be synced"));
  return {};
}

}  // namespace reprise
