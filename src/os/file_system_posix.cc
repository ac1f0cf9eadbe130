// PosixFileSystem. Raw system calls only: what is durable must be seen by the fault tests, call by call.

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include "os/file_system.h"
#include "os/io.h"
#include "os/known_bad.h"
#include "os/leftovers.h"
#include "os/mounts.h"

namespace reprise {
namespace {

using std::filesystem::path;

constexpr mode_t kPrivateFile = 0600;
constexpr mode_t kPrivateFolder = 0700;
constexpr std::size_t kReadPiece = 64u << 10;

Error error_at(const path& place, std::string_view operation) {
  Error error = error_from_errno(errno, place.string() + ": " + std::string(operation));
  error.file = place.string();
  return error;
}

// Does not block on a pipe that somebody put where a file belongs.
Result<Fd> open_to_read(const path& place) {
  int fd = -1;
  do {
    fd = ::open(place.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) return fail(error_at(place, "cannot be opened"));
  Fd owned(fd);
  struct stat info{};
  if (::fstat(fd, &info) != 0) return fail(error_at(place, "cannot be looked at"));
  if (!S_ISREG(info.st_mode)) {
    return fail(
        Error{.kind = ErrorKind::Invalid, .message = place.string() + ": is not a file", .file = place.string()});
  }
  return owned;
}

FileType type_of(mode_t mode) {
  if (S_ISREG(mode)) return FileType::Regular;
  if (S_ISDIR(mode)) return FileType::Directory;
  if (S_ISLNK(mode)) return FileType::Symlink;
  return FileType::Other;
}

std::int64_t nanoseconds(const timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

std::string signature_of(const struct stat& info) {
  return std::to_string(info.st_dev) + ":" + std::to_string(info.st_ino) + ":" + std::to_string(info.st_size) +
         ":" + std::to_string(nanoseconds(info.st_mtim)) + ":" + std::to_string(nanoseconds(info.st_ctim)) +
         ((info.st_mode & S_IXUSR) != 0 ? ":x" : ":-");
}

Result<void> sync(int fd, const path& place) {
  while (::fsync(fd) != 0) {
    if (errno != EINTR) return fail(error_at(place, "cannot be synced to disk"));
  }
  return {};
}

path folder_of(const path& place) { return place.parent_path().empty() ? path(".") : place.parent_path(); }

Result<void> sync_folder(const path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return fail(error_at(folder, "cannot be opened"));
  const Fd owned(fd);
  return sync(fd, folder);
}

// Writes the temporary file that replace() renames. The old file's mode is kept: the file may be the user's.
Result<void> fill_temporary(int fd, const path& target, std::string_view bytes) {
  struct stat old{};
  if (::lstat(target.c_str(), &old) == 0 && S_ISREG(old.st_mode) && ::fchmod(fd, old.st_mode & 07777) != 0) {
    return fail(error_at(target, "cannot be replaced: its mode cannot be kept"));
  }
  TRY_VOID(write_all(fd, bytes, target.string()));
  if (known_bad(KnownBad::RenameWithoutFsync)) return {};
  return sync(fd, target);
}

// All FUSE file systems have one magic number; only the mount table says which one it is.
Result<bool> is_local_fuse(const path& place) {
  constexpr std::size_t kMountBytesMax = 16u << 20;
  struct stat info{};
  if (::stat(place.c_str(), &info) != 0) return fail(error_at(place, "its file system cannot be told"));
  const std::string mounts = TRY(PosixFileSystem().read("/proc/self/mountinfo", kMountBytesMax));
  const std::optional<std::string> type = find_mount_type(mounts, major(info.st_dev), minor(info.st_dev));
  return type && is_local_fuse_type(*type);
}

}  // namespace

void Fd::reset(int fd) {
  if (fd_ >= 0) ::close(fd_);
  fd_ = fd;
}

Result<std::string> PosixFileSystem::read(const path& place, std::size_t bytes_max) {
  const Fd fd = TRY(open_to_read(place));
  std::string bytes;
  struct stat info{};
  if (::fstat(fd.get(), &info) != 0) return fail(error_at(place, "cannot be looked at"));
  std::size_t wanted = std::min(static_cast<std::size_t>(info.st_size), bytes_max) + 1;
  std::size_t filled = 0;
  for (;;) {
    bytes.resize(filled + wanted);
    const ssize_t count = ::read(fd.get(), bytes.data() + filled, wanted);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(error_at(place, "cannot be read"));
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
    if (filled > bytes_max) {
      return fail(Error{.kind = ErrorKind::Invalid,
                        .message = place.string() + ": is longer than " + std::to_string(bytes_max) + " bytes",
                        .file = place.string()});
    }
    wanted = kReadPiece;
  }
  bytes.resize(filled);
  return bytes;
}

Result<std::string> PosixFileSystem::read_part(const path& place, std::int64_t offset, std::size_t bytes_max) {
  const Fd fd = TRY(open_to_read(place));
  const std::int64_t size = TRY(size_of(fd.get(), place.string()));
  if (offset >= size) return std::string();
  return read_at(fd.get(), offset, std::min(bytes_max, static_cast<std::size_t>(size - offset)), place.string());
}

Result<std::optional<FileInfo>> PosixFileSystem::stat(const path& place) {
  struct stat info{};
  if (::stat(place.c_str(), &info) != 0) {
    if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP) return std::nullopt;
    return fail(error_at(place, "cannot be looked at"));
  }
  return FileInfo{.type = type_of(info.st_mode),
                  .size = info.st_size,
                  .modified = {nanoseconds(info.st_mtim) / 1'000'000},
                  .signature = signature_of(info)};
}

Result<void> PosixFileSystem::replace(const path& place, std::string_view bytes) {
  const path folder = folder_of(place);
  static_cast<void>(remove_leftovers(folder));
  Result<TemporaryFile> temporary = create_temporary(folder);
  if (!temporary) {
    temporary.error().file = place.string();
    return fail(std::move(temporary.error()).within(place.string() + ": cannot be replaced"));
  }
  Result<void> written = fill_temporary(temporary->fd.get(), place, bytes);
  if (written && ::rename(temporary->path.c_str(), place.c_str()) != 0) {
    written = fail(error_at(place, "cannot be replaced"));
  }
  if (!written) {
    ::unlink(temporary->path.c_str());
    return written;
  }
  temporary->fd.reset();  // it has its final name, and readers may lease it
  if (known_bad(KnownBad::RenameWithoutFsync)) return {};
  return sync_folder(folder);
}

Result<void> PosixFileSystem::write_scratch(const path& place, std::string_view bytes) {
  const int fd =
      ::open(place.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, kPrivateFile);
  if (fd < 0) return fail(error_at(place, "cannot be written"));
  const Fd owned(fd);
  return write_all(fd, bytes, place.string());
}

Result<void> PosixFileSystem::make_directories(const path& place) {
  if (::mkdir(place.c_str(), kPrivateFolder) == 0) return {};
  if (errno == ENOENT && place.has_parent_path() && place.parent_path() != place) {
    TRY_VOID(make_directories(place.parent_path()));
    if (::mkdir(place.c_str(), kPrivateFolder) == 0) return {};
  }
  if (errno != EEXIST) return fail(error_at(place, "cannot be created"));
  struct stat info{};
  if (::stat(place.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) return {};
  errno = ENOTDIR;
  return fail(error_at(place, "cannot be created"));
}

Result<void> PosixFileSystem::remove(const path& place) {
  if (::unlink(place.c_str()) == 0 || errno == ENOENT || errno == ENOTDIR) return {};
  return fail(error_at(place, "cannot be removed"));
}

bool is_file_system_full(const path& place) {
  constexpr std::uint64_t kTooLittle = 64u << 10;  // a file that failed may have given some of it back
  struct statfs info{};
  if (::statfs(place.c_str(), &info) != 0) return false;
  const bool has_no_names = info.f_files > 0 && info.f_ffree == 0;
  return has_no_names ||
         static_cast<std::uint64_t>(info.f_bavail) * static_cast<std::uint64_t>(info.f_bsize) < kTooLittle;
}

Result<bool> is_network_file_system(const path& place) {
  // Not in the kernel's header for user programs.
  static constexpr long kCifs = 0xFF534D42, kSmb2 = 0xFE534D42, kLustre = 0x0BD00BD0;
  static const std::set<long> kRemote = {NFS_SUPER_MAGIC, SMB_SUPER_MAGIC,  kCifs,      kSmb2,   AFS_SUPER_MAGIC,
                                         AFS_FS_MAGIC,    CODA_SUPER_MAGIC, V9FS_MAGIC, kLustre, CEPH_SUPER_MAGIC};
  struct statfs info{};
  while (::statfs(place.c_str(), &info) != 0) {
    if (errno != EINTR) return fail(error_at(place, "its file system cannot be told"));
  }
  // Where f_type is narrower than the constants, it is sign-extended.
  const long type = static_cast<long>(info.f_type) & 0xFFFFFFFFL;
  if (type == FUSE_SUPER_MAGIC) return !TRY(is_local_fuse(place));
  return kRemote.contains(type);
}

}  // namespace reprise
