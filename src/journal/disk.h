// What the journal needs of the disk beyond the file-system port: a lock that is taken and given back for
// each transaction, a look at a lock without taking it, the identity of files.

#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/result.h"
#include "os/file_system.h"

namespace reprise {

/// An exclusive lock on the first byte of a file that is kept open: one system call to take it, one to
/// give it back. Held by the kernel, so it is gone when the process is.
class WriteLock {
 public:
  WriteLock() = default;
  /// Opens `path`, creating it with mode 0600; takes nothing yet.
  static Result<WriteLock> open(const std::filesystem::path& path);

  /// Takes the lock, waiting for it as os/lock_wait.h says.
  Result<void> lock();
  /// Takes the lock if that is possible without waiting.
  bool try_lock();
  void unlock();
  bool is_held() const { return held_; }

  /// A mark in the lock file that outlives the process, though not the machine: a write to the store failed,
  /// so what the page cache shows of it may not be on the disk.
  void mark_failure();
  bool has_failure_mark() const;
  void clear_failure_mark();

 private:
  Fd fd_;
  std::filesystem::path path_;
  bool held_ = false;
};

/// Whether anybody, this process included, holds the lock on byte `offset` of `path` now.
Result<bool> is_locked(const std::filesystem::path& path, std::int64_t offset);
/// Whether anybody holds a lock on any byte of `path` now.
Result<bool> is_anything_locked(const std::filesystem::path& path);

/// Returns `path` so that it leads to the same file after a change of the working directory.
Result<std::filesystem::path> absolute_path(const std::filesystem::path& path);

/// Which file a name leads to, whatever is in it.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  auto operator<=>(const FileIdentity&) const = default;
};

/// Returns the identity of `path` without opening it; nothing if it is not there.
std::optional<FileIdentity> identity_of(const std::filesystem::path& path);

/// Whether there is something at `path`. What cannot be told is an error, not "no".
Result<bool> is_there(const std::filesystem::path& path);

/// Creates `path` empty with mode 0600 if it is not there.
Result<void> create_private_file(const std::filesystem::path& path);

/// Makes the names in the folder `path` survive a power cut.
Result<void> sync_folder(const std::filesystem::path& path);

}  // namespace reprise
