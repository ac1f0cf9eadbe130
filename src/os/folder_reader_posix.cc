#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "os/folder_reader.h"

namespace reprise {
namespace {

// Does not block on a pipe, and follows links only as long as they stay below `folder`. The C library has no
// function for this call.
int open_below(int folder, const std::string& path) {
  open_how how{};
  how.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  long fd = -1;
  do {
    fd = ::syscall(SYS_openat2, folder, path.c_str(), &how, sizeof how);
  } while (fd < 0 && errno == EINTR);
  return static_cast<int>(fd);
}

// One byte more is asked for than there should be, so that one call also shows the end.
bool read_whole(int fd, std::size_t size, std::string& bytes) {
  bytes.resize(size + 1);
  ssize_t count = -1;
  do {
    count = ::read(fd, bytes.data(), bytes.size());
  } while (count < 0 && errno == EINTR);
  if (count < 0 || static_cast<std::size_t>(count) != size) return false;
  bytes.resize(size);
  return true;
}

}  // namespace

FolderReader::FolderReader(const std::filesystem::path& folder)
    : folder_(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {}

FolderReader::Answer FolderReader::read(const std::string& path, std::size_t bytes_max, File& file) const {
  if (!folder_.is_open() || path.find('\0') != std::string::npos) return Answer::Unclear;
  struct stat info{};
  // Most of what is asked for is not there, and asking costs half of what opening does.
  if (::fstatat(folder_.get(), path.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0)
    return errno == ENOENT || errno == ENOTDIR ? Answer::Missing : Answer::Unclear;
  const Fd fd(open_below(folder_.get(), path));
  if (!fd.is_open()) return Answer::Unclear;
  if (S_ISLNK(info.st_mode) && ::fstat(fd.get(), &info) != 0) return Answer::Unclear;
  const auto size = static_cast<std::size_t>(info.st_size);
  if (!S_ISREG(info.st_mode) || size > bytes_max) return Answer::Unclear;
  if (!read_whole(fd.get(), size, file.bytes)) return Answer::Unclear;
  file.modified = {static_cast<std::int64_t>(info.st_mtim.tv_sec) * 1'000 + info.st_mtim.tv_nsec / 1'000'000};
  return Answer::Read;
}

}  // namespace reprise
