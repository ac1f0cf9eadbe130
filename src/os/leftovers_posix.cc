#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "os/entropy.h"
#include "os/leftovers.h"

namespace reprise {
namespace {

using std::filesystem::path;

constexpr std::string_view kBegin = ".reprise-";
constexpr std::string_view kEnd = ".tmp";
constexpr std::size_t kRandomBytes = 16;
constexpr int kNamesMax = 8;

bool is_temporary_name(std::string_view name) {
  if (!name.starts_with(kBegin) || !name.ends_with(kEnd) || name.size() <= kBegin.size() + kEnd.size())
    return false;
  const std::string_view random = name.substr(kBegin.size(), name.size() - kBegin.size() - kEnd.size());
  return random.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

enum class Lock { Taken, Held, Unsupported };

Lock try_lock(int fd) {
  struct flock range{};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  while (::fcntl(fd, F_OFD_SETLK, &range) != 0) {
    if (errno == EINTR) continue;
    return errno == EAGAIN || errno == EACCES ? Lock::Held : Lock::Unsupported;
  }
  return Lock::Taken;
}

bool has_name(int fd) {
  struct stat info{};
  return ::fstat(fd, &info) == 0 && info.st_nlink > 0;
}

// Returns the file, locked, if its writer is dead.
Fd open_leftover(const path& file) {
  Fd fd(::open(file.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat info{};
  if (!fd.is_open() || ::fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode)) return Fd();
  // A writer that finished meanwhile gave the file its final name before it dropped the lock.
  if (try_lock(fd.get()) != Lock::Taken || ::access(file.c_str(), F_OK) != 0) return Fd();
  return fd;
}

template <typename Visit>
void each_leftover(const path& folder, Visit visit) {
  PosixFileSystem files;
  const Result<std::vector<std::string>> names = files.list(folder);
  if (!names) return;
  for (const std::string& name : *names) {
    if (!is_temporary_name(name)) continue;
    const path file = folder / name;
    if (const Fd held = open_leftover(file); held.is_open()) visit(file);
  }
}

}  // namespace

Result<TemporaryFile> create_temporary(const path& folder) {
  for (int round = 0; round < kNamesMax; ++round) {
    TemporaryFile made{
        .path = folder / (std::string(kBegin) + SystemEntropy().hex(kRandomBytes) + std::string(kEnd)),
        .fd = Fd()};
    made.fd.reset(::open(made.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!made.fd.is_open()) return fail(error_from_errno(errno, made.path.string() + ": cannot be created"));
    // Between the two calls another process may have taken it for a leftover; then it is removed, and a new one
    // made.
    if (try_lock(made.fd.get()) != Lock::Held && has_name(made.fd.get())) return made;
  }
  return fail(ErrorKind::Io, folder.string() + ": temporary files are removed by another process");
}

std::vector<path> find_leftovers(const path& folder) {
  std::vector<path> found;
  each_leftover(folder, [&](const path& file) { found.push_back(file); });
  return found;
}

std::vector<path> remove_leftovers(const path& folder) {
  std::vector<path> removed;
  each_leftover(folder, [&](const path& file) {
    if (::unlink(file.c_str()) == 0) removed.push_back(file);
  });
  return removed;
}

}  // namespace reprise
