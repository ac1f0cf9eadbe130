// FolderTree, and the calls of PosixFileSystem that go through folders.

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/strings.h"
#include "os/folder_tree.h"
#include "os/known_bad.h"

namespace reprise {
namespace {

using std::filesystem::path;

constexpr mode_t kOwnFolder = 0700;
constexpr int kTreeDepthMax = 512;  // one descriptor is held per level

Error tree_error(const path& place, std::string_view operation) {
  Error error = error_from_errno(errno, place.string() + ": " + std::string(operation));
  error.file = place.string();
  return error;
}

Error a_link(const path& place) {
  return {.kind = ErrorKind::Denied,
          .message = place.string() + " is a link; what lies behind it is not touched",
          .file = place.string()};
}

FileType file_type(mode_t mode) {
  if (S_ISREG(mode)) return FileType::Regular;
  if (S_ISDIR(mode)) return FileType::Directory;
  if (S_ISLNK(mode)) return FileType::Symlink;
  return FileType::Other;
}

// Fails with Denied if another file system or folder is mounted at the open folder `fd`.
Result<void> check_not_mounted(int parent, int fd, const path& place) {
  struct statx info{};
  if (::statx(fd, "", AT_EMPTY_PATH | AT_NO_AUTOMOUNT, STATX_BASIC_STATS, &info) != 0)
    return fail(tree_error(place, "cannot be looked at"));
  bool is_mounted = (info.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
  if ((info.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) == 0 && parent != AT_FDCWD) {  // before Linux 5.8
    struct stat here{};
    struct stat above{};
    if (::fstat(fd, &here) != 0 || ::fstat(parent, &above) != 0)
      return fail(tree_error(place, "cannot be looked at"));
    is_mounted = here.st_dev != above.st_dev;
  }
  if (!is_mounted) return {};
  return fail(Error{.kind = ErrorKind::Denied,
                    .message = place.string() + " is a mount point; what is mounted there is not removed",
                    .file = place.string()}
                  .hint("umount " + shell_quote(place.string())));
}

Result<void> remove_entries(int folder, const path& place, int depth);

Error not_removable(const path& place, const std::string& why) {
  return {
      .kind = ErrorKind::Denied, .message = place.string() + " cannot be removed: " + why, .file = place.string()};
}

// Fails with Denied if the flags of a file keep everybody from removing it.
Result<void> check_not_protected(int folder, const char* name, const path& place) {
  struct statx info{};
  if (::statx(folder, name, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, STATX_BASIC_STATS, &info) != 0) {
    if (errno == ENOENT) return {};
    return fail(tree_error(place, "cannot be looked at"));
  }
  if ((info.stx_attributes & (STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND)) == 0) return {};
  return fail(
      not_removable(place, "it is protected from changes").hint("chattr -ia " + shell_quote(place.string())));
}

Result<void> remove_folder_at(int parent, const char* name, const path& place, int depth) {
  if (depth > kTreeDepthMax) return fail(ErrorKind::Invalid, place.string() + ": is nested too deeply to remove");
  int fd = ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0 && errno == EACCES && ::fchmodat(parent, name, kOwnFolder, 0) == 0) {
    fd = ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  }
  if (fd < 0 && errno == ENOENT) return {};
  if (fd < 0) return fail(tree_error(place, "cannot be opened for removal"));
  const Fd owned(fd);
  TRY_VOID(check_not_mounted(parent, fd, place));
  TRY_VOID(remove_entries(fd, place, depth));
  if (::unlinkat(parent, name, AT_REMOVEDIR) != 0 && errno != ENOENT) {
    return fail(tree_error(place, "cannot be removed"));
  }
  return {};
}

Result<std::vector<std::string>> names_in(int folder, const path& place) {
  const int copy = ::fcntl(folder, F_DUPFD_CLOEXEC, 0);  // closedir() closes what it was given
  DIR* stream = copy < 0 ? nullptr : ::fdopendir(copy);
  if (stream == nullptr) {
    Error error = tree_error(place, "cannot be listed");
    if (copy >= 0) ::close(copy);
    return fail(std::move(error));
  }
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(stream)) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
    errno = 0;
  }
  const int error_number = errno;
  ::closedir(stream);
  errno = error_number;
  if (error_number != 0) return fail(tree_error(place, "cannot be listed"));
  return names;
}

// Of a folder of our own the mode does not matter: remove_folder_at() changes it.
Result<void> check_writable(int fd, const path& place) {
  if (::faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) == 0) return {};
  const int error_number = errno;
  struct stat info{};
  if (error_number == EACCES && ::fstat(fd, &info) == 0 && info.st_uid == ::geteuid()) return {};
  errno = error_number;
  Error error = tree_error(place, "its files cannot be removed");
  error.kind = ErrorKind::Denied;
  return fail(std::move(error));
}

Result<void> check_folder_removable(int parent, const char* name, const path& place, int depth) {
  if (depth > kTreeDepthMax) return fail(not_removable(place, "it is nested too deeply"));
  const Fd fd(::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd.is_open()) {
    const int error_number = errno;
    struct stat info{};
    const bool is_ours = ::fstatat(parent, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && info.st_uid == ::geteuid();
    if (error_number == ENOENT || (error_number == EACCES && is_ours)) return {};
    errno = error_number;
    Error error = tree_error(place, "cannot be opened for removal");
    if (error_number == EACCES) error.kind = ErrorKind::Denied;
    return fail(std::move(error));
  }
  TRY_VOID(check_not_mounted(parent, fd.get(), place));
  const std::vector<std::string> names = TRY(names_in(fd.get(), place));
  if (!names.empty()) TRY_VOID(check_writable(fd.get(), place));
  for (const std::string& each : names) {
    TRY_VOID(check_not_protected(fd.get(), each.c_str(), place / each));
    struct stat info{};
    const bool is_folder =
        ::fstatat(fd.get(), each.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(info.st_mode);
    if (is_folder) TRY_VOID(check_folder_removable(fd.get(), each.c_str(), place / each, depth + 1));
  }
  return {};
}

Result<void> remove_entries(int folder, const path& place, int depth) {
  for (const std::string& name : TRY(names_in(folder, place))) {
    int result = ::unlinkat(folder, name.c_str(), 0);
    if (const int first = errno; result != 0 && first == EACCES) {
      const bool is_opened = ::fchmod(folder, kOwnFolder) == 0;
      errno = first;
      if (is_opened) result = ::unlinkat(folder, name.c_str(), 0);
    }
    if (result == 0 || errno == ENOENT) continue;
    // unlink() of a folder fails with EISDIR on Linux and EPERM in POSIX; EPERM also means an immutable file.
    const int error_number = errno;
    struct stat info{};
    const bool is_folder =
        ::fstatat(folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(info.st_mode);
    errno = error_number;
    if (!is_folder) return fail(tree_error(place / name, "cannot be removed"));
    TRY_VOID(remove_folder_at(folder, name.c_str(), place / name, depth + 1));
  }
  return {};
}

}  // namespace

Result<FolderTree> FolderTree::open(const path& root) {
  const int fd = ::open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return fail(tree_error(root, "cannot be opened"));
  return FolderTree(root, Fd(fd));
}

// Opens the folder that `below` lies in, one name after the other.
Result<FolderTree::Place> FolderTree::place_of(const path& below) const {
  Place place{.folder = Fd(::fcntl(fd_.get(), F_DUPFD_CLOEXEC, 0)), .name = below.filename().string()};
  if (!place.folder.is_open()) return fail(tree_error(root_, "cannot be opened"));
  const int links = known_bad(KnownBad::GcFollowsLinks) ? 0 : O_NOFOLLOW;
  path walked = root_;
  for (const path& name : below.parent_path()) {
    walked /= name;
    if (name.empty() || name == "." || name == "..")
      return fail(ErrorKind::Invalid, walked.string() + ": is not a place below " + root_.string());
    const int fd = ::openat(place.folder.get(), name.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC | links);
    if (fd < 0 && errno == ENOTDIR) {
      struct stat info{};
      const bool is_link =
          ::fstatat(place.folder.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(info.st_mode);
      if (is_link) return fail(a_link(walked));
      errno = ENOENT;
    }
    if (fd < 0) return fail(tree_error(walked, "cannot be opened"));
    place.folder.reset(fd);
  }
  if (place.name.empty() || place.name == "." || place.name == "..")
    return fail(ErrorKind::Invalid, below.string() + ": is not a place below " + root_.string());
  return place;
}

Result<std::optional<FileType>> FolderTree::type_of(const path& below) const {
  const Result<Place> place = place_of(below);
  if (!place && place.error().kind == ErrorKind::NotFound) return std::nullopt;
  if (!place) return fail(place.error());
  struct stat info{};
  if (::fstatat(place->folder.get(), place->name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0)
    return file_type(info.st_mode);
  if (errno == ENOENT) return std::nullopt;
  return fail(tree_error(root_ / below, "cannot be looked at"));
}

Result<std::vector<FolderTree::Entry>> FolderTree::list(const path& below) const {
  const std::optional<FileType> type = TRY(type_of(below));
  if (!type) return std::vector<Entry>();
  const bool follows = known_bad(KnownBad::GcFollowsLinks);
  if (*type == FileType::Symlink && !follows) return fail(a_link(root_ / below));
  const Place place = TRY(place_of(below));
  const Fd fd(::openat(place.folder.get(), place.name.c_str(),
                       O_RDONLY | O_DIRECTORY | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW)));
  if (!fd.is_open() && (errno == ENOENT || errno == ENOTDIR)) return std::vector<Entry>();
  if (!fd.is_open()) return fail(tree_error(root_ / below, "cannot be opened"));
  std::vector<Entry> entries;
  for (std::string& name : TRY(names_in(fd.get(), root_ / below))) {
    struct stat info{};
    if (::fstatat(fd.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) continue;  // it has just gone
    entries.push_back({std::move(name), file_type(info.st_mode)});
  }
  std::ranges::sort(entries, {}, &Entry::name);
  return entries;
}

Result<bool> FolderTree::is_locked(const path& below) const {
  if (TRY(type_of(below)) != FileType::Regular) return false;
  const Place place = TRY(place_of(below));
  const Fd fd(::openat(place.folder.get(), place.name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!fd.is_open() && errno == ENOENT) return false;
  struct flock range{};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  if (!fd.is_open() || ::fcntl(fd.get(), F_OFD_GETLK, &range) != 0)
    return fail(tree_error(root_ / below, "its lock cannot be looked at"));
  return range.l_type != F_UNLCK;
}

Result<void> FolderTree::remove(const path& below) const {
  const std::optional<FileType> type = TRY(type_of(below));
  if (!type) return {};
  const Place place = TRY(place_of(below));
  if (*type == FileType::Directory)
    return remove_folder_at(place.folder.get(), place.name.c_str(), root_ / below, 0);
  if (::unlinkat(place.folder.get(), place.name.c_str(), 0) == 0 || errno == ENOENT) return {};
  return fail(tree_error(root_ / below, "cannot be removed"));
}

Result<void> FolderTree::check_removable(const path& below) const {
  const std::optional<FileType> type = TRY(type_of(below));
  if (!type) return {};
  const Place place = TRY(place_of(below));
  TRY_VOID(check_not_protected(place.folder.get(), place.name.c_str(), root_ / below));
  if (*type != FileType::Directory) return {};
  return check_folder_removable(place.folder.get(), place.name.c_str(), root_ / below, 0);
}

Result<void> FolderTree::move(const path& below, const path& target) const {
  const Place from = TRY(place_of(below));
  const Place to = TRY(place_of(target));
  if (::renameat(from.folder.get(), from.name.c_str(), to.folder.get(), to.name.c_str()) == 0) return {};
  return fail(tree_error(root_ / below, "cannot be moved"));
}

Result<std::vector<std::string>> PosixFileSystem::list(const path& place) {
  const int fd = ::open(place.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::vector<std::string>();
    return fail(tree_error(place, "cannot be listed"));
  }
  const Fd owned(fd);
  std::vector<std::string> names = TRY(names_in(fd, place));
  std::ranges::sort(names);
  return names;
}

Result<void> PosixFileSystem::remove_tree(const path& place) {
  struct stat info{};
  if (::lstat(place.c_str(), &info) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return {};
    return fail(tree_error(place, "cannot be looked at"));
  }
  if (!S_ISDIR(info.st_mode)) return remove(place);
  return remove_folder_at(AT_FDCWD, place.c_str(), place, 0);
}

Result<void> PosixFileSystem::remove_below(const path& root, const path& below) {
  const Result<FolderTree> tree = FolderTree::open(root);
  if (!tree && tree.error().kind == ErrorKind::NotFound) return {};
  if (!tree) return fail(tree.error());
  return tree->remove(below);
}

}  // namespace reprise
