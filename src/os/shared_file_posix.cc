// Shared files with leases and renameat2. Raw system calls: the fault tests see them one by one.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>

#include "base/strings.h"
#include "os/file_system.h"
#include "os/io.h"
#include "os/shared_file.h"

namespace reprise {
namespace {

using std::filesystem::path;

constexpr mode_t kFileForPeople = 0644;
constexpr int kDisplacedMax = 32;  // beside one file; somebody keeps all of them open

Error shared_error(const path& place, const std::string& operation) {
  Error error = error_from_errno(errno, place.string() + ": " + operation);
  error.file = place.string();
  return error;
}

// Holds a read lease: whoever wants to write waits until it is gone, which is a moment later.
class ReadLease {
 public:
  explicit ReadLease(int fd) : fd_(fd) {
    // The kernel tells the holder that somebody waits; unlike the usual signal this one is ignored by default.
    if (::fcntl(fd, F_SETSIG, SIGURG) != 0) return;
    is_held_ = ::fcntl(fd, F_SETLEASE, F_RDLCK) == 0;
    somebody_writes_ = !is_held_ && errno == EAGAIN;
  }
  ~ReadLease() {
    if (is_held_) ::fcntl(fd_, F_SETLEASE, F_UNLCK);
  }
  ReadLease(const ReadLease&) = delete;
  ReadLease& operator=(const ReadLease&) = delete;

  bool is_held() const { return is_held_; }
  bool somebody_writes() const { return somebody_writes_; }

 private:
  int fd_;
  bool is_held_ = false;
  bool somebody_writes_ = false;
};

Result<std::string> read_whole(int fd, const path& place, std::size_t bytes_max) {
  std::string bytes;
  char piece[16 << 10];
  for (;;) {
    const ssize_t count = ::pread(fd, piece, sizeof piece, static_cast<off_t>(bytes.size()));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(shared_error(place, "cannot be read"));
    if (count == 0) return bytes;
    bytes.append(piece, static_cast<std::size_t>(count));
    if (bytes.size() > bytes_max) {
      return fail(Error{.kind = ErrorKind::Invalid,
                        .message = place.string() + ": is longer than " + std::to_string(bytes_max) + " bytes",
                        .file = place.string()});
    }
  }
}

Result<void> sync_folder_of(const path& place) {
  const int fd = ::open(place.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return fail(shared_error(place.parent_path(), "cannot be opened"));
  const Fd owned(fd);
  while (::fsync(fd) != 0) {
    if (errno != EINTR) return fail(shared_error(place.parent_path(), "cannot be synced to disk"));
  }
  return {};
}

// The new file takes the place of the old one; where there is an old one, the two change places.
Result<void> put_in_place(const path& made, const path& place) {
  for (int round = 0; round < 8; ++round) {
    if (::renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, place.c_str(), RENAME_EXCHANGE) == 0) return {};
    if (errno == ENOENT) {
      if (::renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, place.c_str(), RENAME_NOREPLACE) == 0) return {};
      if (errno == EEXIST) continue;  // somebody made it at this moment
    }
    if (errno != EINVAL && errno != ENOSYS) break;
    if (::rename(made.c_str(), place.c_str()) == 0) return {};
    break;
  }
  return fail(shared_error(place, "cannot be replaced"));
}

path numbered(const path& place, int number) {
  const path first = displaced_name(place);
  return number == 0 ? first : path(first.string() + "-" + std::to_string(number));
}

path unfinished_name(const path& place) {
  return place.parent_path() / ("." + place.filename().string() + ".reprise-new");
}

Result<void> fill(const path& made, const path& place, std::string_view bytes) {
  const int fd = ::open(made.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, kFileForPeople);
  if (fd < 0) return fail(shared_error(place, "cannot be replaced"));
  const Fd owned(fd);
  TRY_VOID(write_all(fd, bytes, made.string()));
  struct stat old{};
  const bool exists = ::lstat(place.c_str(), &old) == 0 && S_ISREG(old.st_mode);
  if (::fchmod(fd, exists ? old.st_mode & 07777 : kFileForPeople) != 0)
    return fail(shared_error(place, "cannot be replaced: its mode cannot be kept"));
  while (::fsync(fd) != 0) {
    if (errno != EINTR) return fail(shared_error(place, "cannot be synced to disk"));
  }
  return {};
}

// Gives the finished file the name under which it will leave what it displaces.
Result<path> name_finished(const path& made, const path& place) {
  for (int number = 0; number < kDisplacedMax; ++number) {
    const path name = numbered(place, number);
    if (::access(name.c_str(), F_OK) == 0) continue;
    if (::rename(made.c_str(), name.c_str()) == 0) return name;
    return fail(shared_error(place, "cannot be replaced"));
  }
  errno = EBUSY;
  return fail(shared_error(place, "cannot be replaced"));
}

// The refusal to write through a link. Only a link can have a target; `..` has none.
Error leads_out(const path& below, const path& way, const path& target) {
  Error error{.kind = ErrorKind::Refused,
              .message = "cannot write " + below.string() + ": " + way.string() +
                         (target.empty() ? " leads out of the project"
                                         : " is a symbolic link to " + target.string() +
                                               ", which is not a folder for files of the project"),
              .file = way.string()};
  return std::move(error).hint("ls -ld " + shell_quote(way.string()));
}

}  // namespace

Result<SharedContent> read_shared(const path& place, std::size_t bytes_max) {
  const int fd = ::open(place.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0 && errno == ENOENT) return SharedContent{};
  if (fd < 0) return fail(shared_error(place, "cannot be opened"));
  const Fd owned(fd);
  SharedContent content{.exists = true};
  const ReadLease lease(fd);
  if (lease.somebody_writes()) {
    content.settled = false;
    return content;
  }
  PosixFileSystem files;
  const std::optional<FileInfo> before = TRY(files.stat(place));
  content.bytes = TRY(read_whole(fd, place, bytes_max));
  const std::optional<FileInfo> after = TRY(files.stat(place));
  // Renamed away while it was read, or, without a lease, written.
  content.settled = before && after && before->signature == after->signature;
  if (after) content.signature = after->signature;
  return content;
}

Result<void> make_folder_for(const path& place) {
  const path folder = place.parent_path();
  if (folder.empty() || ::access(folder.c_str(), F_OK) == 0) return {};
  TRY_VOID(make_folder_for(folder));
  if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) return fail(shared_error(folder, "cannot be made"));
  return sync_folder_of(folder);
}

Result<void> check_place_in(const path& root, const path& below) {
  if (below.is_absolute()) return {};
  const path folder = below.lexically_normal().parent_path();
  path way;
  for (const path& name : folder) {
    way /= name;
    if (name == "..") return fail(leads_out(below, way, ""));
    std::error_code error;
    const std::filesystem::file_type type = std::filesystem::symlink_status(root / way, error).type();
    if (type == std::filesystem::file_type::not_found) return {};  // it will be created, and all below it
    if (type != std::filesystem::file_type::symlink) continue;
    const path real = std::filesystem::canonical(root / way, error);
    if (error) return fail(leads_out(below, way, std::filesystem::read_symlink(root / way, error)));
    const path first = *real.lexically_relative(std::filesystem::canonical(root, error)).begin();
    if (first == ".." || first == ".git" || first == ".reprise") return fail(leads_out(below, way, real));
  }
  return {};
}

Result<path> make_place_in(const path& root, const path& below) {
  TRY_VOID(check_place_in(root, below));
  TRY_VOID(make_folder_for(root / below));
  return root / below;
}

Result<void> move_path(const path& from, const path& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) != 0) {
    const bool is_taken = errno == EEXIST;
    Error error = shared_error(from, "cannot be moved to " + to.string());
    if (is_taken) error.kind = ErrorKind::Conflict;
    return fail(std::move(error));
  }
  TRY_VOID(sync_folder_of(to));
  return sync_folder_of(from);
}

path displaced_name(const path& place) {
  return place.parent_path() / ("." + place.filename().string() + ".reprise-tmp");
}

std::vector<path> displaced_files(const path& place) {
  std::vector<path> found;
  for (int number = 0; number < kDisplacedMax; ++number) {
    path name = numbered(place, number);
    if (::access(name.c_str(), F_OK) == 0) found.push_back(std::move(name));
  }
  return found;
}

Result<void> replace_shared(const path& place, std::string_view bytes) {
  const path made = unfinished_name(place);
  TRY_VOID(fill(made, place, bytes));
  TRY_VOID(put_in_place(TRY(name_finished(made, place)), place));
  return sync_folder_of(place);
}

Result<void> discard_unfinished(const path& place) {
  if (::unlink(unfinished_name(place).c_str()) != 0 && errno != ENOENT && errno != ENOTDIR)
    return fail(shared_error(place, "what was half made for it cannot be removed"));
  return {};
}

}  // namespace reprise
