// What io.h promises, with POSIX calls.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "os/entropy.h"
#include "os/io.h"
#include "os/process.h"

namespace reprise {
namespace {

constexpr mode_t kPrivate = 0600;

Result<Fd> open_or_fail(const std::filesystem::path& path, int flags) {
  int fd = -1;
  do {
    // A pipe that somebody put there is not waited for.
    fd = ::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, kPrivate);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) return fail(error_from_errno(errno, path.string() + ": cannot be opened"));
  return Fd(fd);
}

}  // namespace

Result<Pipe> make_pipe() {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    Error error = error_from_errno(errno, "cannot make a pipe");
    if (is_shortage(errno)) error.kind = ErrorKind::Unavailable;
    return fail(std::move(error));
  }
  Pipe pipe{.read_end = Fd(ends[0]), .write_end = Fd(ends[1])};
  // Only our end: a worker that inherits a non-blocking stdout would lose what it prints too fast.
  if (::fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) return fail(error_from_errno(errno, "cannot set up a pipe"));
  return pipe;
}

void widen_pipe(int fd, int bytes) { static_cast<void>(::fcntl(fd, F_SETPIPE_SZ, bytes)); }

Received read_available(int fd, std::span<char> buffer) {
  for (;;) {
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count > 0) return {.bytes = static_cast<std::size_t>(count)};
    if (count == 0) return {.ended = true};
    if (errno == EINTR) continue;
    return {.ended = errno != EAGAIN && errno != EWOULDBLOCK};
  }
}

Result<void> write_all(int fd, std::string_view bytes, std::string_view what) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(error_from_errno(errno, std::string(what) + ": cannot be written"));
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

Result<void> write_at(int fd, std::int64_t offset, std::string_view bytes, std::string_view what) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(fd, bytes.data(), bytes.size(), offset);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(error_from_errno(errno, std::string(what) + ": cannot be written"));
    bytes.remove_prefix(static_cast<std::size_t>(count));
    offset += count;
  }
  return {};
}

Result<std::string> read_at(int fd, std::int64_t offset, std::size_t bytes_max, std::string_view what) {
  std::string bytes(bytes_max, '\0');
  std::size_t filled = 0;
  while (filled < bytes_max) {
    const ssize_t count =
        ::pread(fd, bytes.data() + filled, bytes_max - filled, offset + static_cast<std::int64_t>(filled));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(error_from_errno(errno, std::string(what) + ": cannot be read"));
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  bytes.resize(filled);
  return bytes;
}

Result<std::int64_t> size_of(int fd, std::string_view what) {
  struct stat info{};
  if (::fstat(fd, &info) != 0) return fail(error_from_errno(errno, std::string(what) + ": cannot be looked at"));
  return static_cast<std::int64_t>(info.st_size);
}

Result<void> move_file(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (::rename(from.c_str(), to.c_str()) == 0 || errno == ENOENT) return {};
  return fail(error_from_errno(errno, from.string() + ": cannot be moved"));
}

Result<void> cut_to(int fd, std::int64_t size, std::string_view what) {
  if (::ftruncate(fd, size) != 0) return fail(error_from_errno(errno, std::string(what) + ": cannot be cut"));
  return {};
}

Result<Fd> open_for_append(const std::filesystem::path& path) {
  return open_or_fail(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW);
}

Result<Fd> open_for_reading(const std::filesystem::path& path) {
  Fd fd = TRY(open_or_fail(path, O_RDONLY));
  struct stat info{};
  if (::fstat(fd.get(), &info) != 0) return fail(error_from_errno(errno, path.string() + ": cannot be looked at"));
  if (!S_ISREG(info.st_mode)) return fail(ErrorKind::Invalid, path.string() + ": is not a file");
  return fd;
}

Result<Fd> create_empty(const std::filesystem::path& path) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW;
  Result<Fd> fd = open_or_fail(path, kFlags);
  if (fd || fd.error().kind != ErrorKind::NotFound) return fd;
  TRY_VOID(PosixFileSystem().make_directories(path.parent_path()));
  return open_or_fail(path, kFlags);
}

Result<Fd> create_nameless(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.parent_path().empty() ? "." : path.parent_path();
  Result<Fd> nameless = open_or_fail(folder, O_RDWR | O_TMPFILE);
  if (nameless) return nameless;
  // Not every file system knows files without a name: make one and take its name away at once.
  const std::filesystem::path named = folder / (".reprise-" + SystemEntropy().hex(16) + ".tmp");
  Fd fd = TRY(open_or_fail(named, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW));
  ::unlink(named.c_str());
  return fd;
}

bool is_socket(int fd) {
  struct stat info{};
  return ::fstat(fd, &info) == 0 && S_ISSOCK(info.st_mode);
}

void keep_from_children(int fd) { static_cast<void>(::fcntl(fd, F_SETFD, FD_CLOEXEC)); }

}  // namespace reprise
