// The file-system port, in two halves: FileReader looks, FileSystem also changes.
//
// Scanning and evidence are given a FileReader, which has no way to write (X1). Everything durable
// goes through replace(): a reader, or a crash, sees the whole old or the whole new content.

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace reprise {

enum class FileType { Regular, Directory, Symlink, Other };

struct FileInfo {
  FileType type = FileType::Regular;
  std::int64_t size = 0;
  Timestamp modified;
  /// Changes whenever the content may have: device, inode, size, modification and change time. Ends with the mode:
  /// model/seen_mode.h.
  std::string signature;
};

class FileReader {
 public:
  virtual ~FileReader() = default;
  /// Returns the content of `path`. Invalid if it is longer than `bytes_max`; NotFound, Denied, Io.
  virtual Result<std::string> read(const std::filesystem::path& path, std::size_t bytes_max) = 0;
  /// Returns up to `bytes_max` bytes of `path` from `offset` on; fewer at its end.
  virtual Result<std::string> read_part(const std::filesystem::path& path, std::int64_t offset,
                                        std::size_t bytes_max) = 0;
  /// Returns what `path` is, following links; nothing if it is not there, or a link that leads back to itself.
  virtual Result<std::optional<FileInfo>> stat(const std::filesystem::path& path) = 0;
  /// Returns the names in the folder `path`, sorted; none if there is no such folder.
  virtual Result<std::vector<std::string>> list(const std::filesystem::path& path) = 0;
};

class FileSystem : public FileReader {
 public:
  /// Makes `bytes` the content of `path`: temporary file, fsync, rename, fsync of the folder. The
  /// folder must exist. Mode 0600 for a new file; an existing one keeps its mode.
  virtual Result<void> replace(const std::filesystem::path& path, std::string_view bytes) = 0;
  /// Writes a file that only has to survive the death of a process, not of the machine: no fsync.
  virtual Result<void> write_scratch(const std::filesystem::path& path, std::string_view bytes) = 0;
  /// Creates `path` and its parents, each with mode 0700 if it is new.
  virtual Result<void> make_directories(const std::filesystem::path& path) = 0;
  /// Removes a file; not there is fine.
  virtual Result<void> remove(const std::filesystem::path& path) = 0;
  /// Removes a folder of our own with all in it, without following links; not there is fine.
  virtual Result<void> remove_tree(const std::filesystem::path& path) = 0;
  /// Removes the file or folder `below`, which is relative to `root`, with all in it. Denied if one of the folders
  /// between is a link: what lies behind it is not ours.
  virtual Result<void> remove_below(const std::filesystem::path& root, const std::filesystem::path& below) = 0;
};

/// The real one.
class PosixFileSystem : public FileSystem {
 public:
  Result<std::string> read(const std::filesystem::path& path, std::size_t bytes_max) override;
  Result<std::string> read_part(const std::filesystem::path& path, std::int64_t offset,
                                std::size_t bytes_max) override;
  Result<std::optional<FileInfo>> stat(const std::filesystem::path& path) override;
  Result<std::vector<std::string>> list(const std::filesystem::path& path) override;
  Result<void> replace(const std::filesystem::path& path, std::string_view bytes) override;
  Result<void> write_scratch(const std::filesystem::path& path, std::string_view bytes) override;
  Result<void> make_directories(const std::filesystem::path& path) override;
  Result<void> remove(const std::filesystem::path& path) override;
  Result<void> remove_tree(const std::filesystem::path& path) override;
  Result<void> remove_below(const std::filesystem::path& root, const std::filesystem::path& below) override;
};

/// A file descriptor that is closed when it goes.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  ~Fd() { reset(); }
  Fd(Fd&& other) noexcept : fd_(other.release()) {}
  Fd& operator=(Fd&& other) noexcept {
    if (this != &other) reset(other.release());
    return *this;
  }
  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  int release() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }
  void reset(int fd = -1);

 private:
  int fd_ = -1;
};

/// An exclusive lock held by the kernel for this process: it is gone when the process is, however it
/// ends. The lock is on one byte of a file, so that one file can serve many runs. Children do not inherit it.
class FileLock {
 public:
  /// Takes byte `offset` of `path`, creating the file; nothing if another process has it.
  static Result<std::optional<FileLock>> try_lock(const std::filesystem::path& path, std::int64_t offset);
  /// The same, but waits as os/lock_wait.h says: without a limit as long as the holder runs.
  static Result<FileLock> lock(const std::filesystem::path& path, std::int64_t offset);

  /// The descriptor that holds it. A child that is given it holds the lock too, until it ends.
  int fd() const { return fd_.get(); }

 private:
  explicit FileLock(Fd fd) : fd_(std::move(fd)) {}
  Fd fd_;
};

/// Whether the file system of `path` has no space left for this user.
bool is_file_system_full(const std::filesystem::path& path);

/// Whether `path` is on a file system whose locks and shared memory do not reach every process that can open its
/// files: one of another machine, or a FUSE file system that is not known to be local (os/mounts.h).
Result<bool> is_network_file_system(const std::filesystem::path& path);

}  // namespace reprise
