// Git's lock files, and how we know whose they are.
//
// Git makes `<file>.lock` while it changes a file, and stops at one that is there. A git that was killed leaves
// its locks behind, and nothing in them says whose they were. So every call of ours that changes something is
// recorded before it starts, in <common>/reprise/git-calls, and git itself and its children hold a lock of the
// kernel as long as any of them lives. A record whose kernel lock is free is a call that died, for certain.
//
//   K1  A lock file is removed only if it is ours by user, was born after a call of ours began that is now dead,
//   in a
//       place where that call makes locks, is not held by any living process that could be git, and is the same
//       file when looked at twice (P26, R46).
//   K2  Every other lock file is left alone, whoever asks (R47). The error names the file, its age, what was
//   looked
//       at, and the way out.
//   K3  On a network or FUSE file system nothing is removed: processes of other machines are not visible.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "git/git.h"

namespace reprise {

/// The right to change what all worktrees of a repository share: made worktrees, moved branches, merges. One
/// process at a time, as long as it or any git that it started lives.
class RepositoryLock {
 public:
  /// Waits until it can be had, then clears what dead calls left.
  static Result<RepositoryLock> take(const Git& git);
  int fd() const { return lock_.fd(); }

 private:
  explicit RepositoryLock(FileLock lock) : lock_(std::move(lock)) {}
  FileLock lock_;
};

/// Runs a call of git that changes something, recorded. Under `lock`, git and its children hold that; otherwise
/// the record's own. A lock of a dead call is cleared and the call repeated; another's lock is waited for briefly.
/// Then Conflict.
Result<GitAnswer> run_recorded(const Git& git, const std::vector<std::string>& arguments, GitOptions options = {},
                               const RepositoryLock* lock = nullptr);

/// The same for calls that must succeed: returns what git printed, without the trailing newline.
Result<std::string> ask_recorded(const Git& git, const std::vector<std::string>& arguments,
                                 GitOptions options = {}, const RepositoryLock* lock = nullptr);

/// A lock file that was not removed.
struct LockLeft {
  std::filesystem::path file;
  std::string why;
  bool may_go_later = false;  // somebody who lives could own it now
};

struct LockReport {
  std::vector<std::filesystem::path> removed;
  std::vector<LockLeft> left;
};

/// Removes the lock files that recorded calls of ours left when they died (K1), in every worktree.
Result<LockReport> clear_dead_locks(const Git& git, const RepositoryLock* lock = nullptr);

/// Removes the lock files that a worker's own git left in its worktree: `git`'s HEAD, index, and its branch. The
/// caller has proof that the worker and all it started are dead; `since` is when it was started. K1 holds for the
/// rest.
Result<LockReport> clear_worker_locks(const Git& git, Timestamp since);

}  // namespace reprise
