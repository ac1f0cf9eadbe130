// Which calls of git are under way, and which died: the records that locks.h judges by.
//
// A record is a file in <common>/reprise/git-calls with a lock of the kernel on it. It is made before the call and
// removed when the call has come back. Making one and looking through them exclude each other, so that nobody ever
// sees one between its making and its locking.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "git/git.h"
#include "os/file_system.h"

namespace reprise {

/// What a record says of a call.
struct CallRecord {
  std::filesystem::path file;
  std::int64_t began_ns = 0;      // when the file was born
  bool under_repository = false;  // its git holds the repository's lock, not the record's own
  std::filesystem::path
      git_dir;          // the worktree it works in; empty if the record was cut off before a call was made
  std::string command;  // its first two words
};

/// A call of ours that is under way.
class RecordedCall {
 public:
  /// Records a call with these `arguments` in `git`.
  static Result<RecordedCall> begin(const Git& git, const std::vector<std::string>& arguments,
                                    bool under_repository);
  /// The descriptor by which git holds the record's lock.
  int fd() const { return lock_.fd(); }
  /// Takes the record back: the call has come back, whatever it answered.
  Result<void> end();

 private:
  RecordedCall(FileLock lock, std::filesystem::path file) : lock_(std::move(lock)), file_(std::move(file)) {}
  FileLock lock_;
  std::filesystem::path file_;
};

/// Records of calls that died, held so that nobody else judges by them at the same time.
class DeadCalls {
 public:
  /// Returns those of `git`'s repository. `has_repository`: the caller holds the repository's lock; otherwise it
  /// is tried.
  static Result<DeadCalls> find(const Git& git, bool has_repository);
  const std::vector<CallRecord>& records() const { return records_; }
  /// Removes a record that has been dealt with.
  Result<void> forget(const CallRecord& record);

 private:
  std::vector<CallRecord> records_;
  std::vector<FileLock> locks_;
};

/// Returns the folder of ours in the repository, <common>/reprise; made if it is missing.
Result<std::filesystem::path> own_folder(const Git& git);

/// The bytes of <common>/reprise/git.lock and what they are for.
inline constexpr std::int64_t kRepositoryByte = 0;
inline constexpr std::int64_t kRecordsByte = 1;

}  // namespace reprise
