// Where worktrees are, on the disk and in git's own folder. Shared by making and removing them.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "git/git.h"
#include "git/git_output.h"
#include "git/locks.h"

namespace reprise {

/// Returns the entry of the worktree at `place`; nothing if git knows none there.
Result<std::optional<WorktreeEntry>> find_worktree(const Git& git, const std::filesystem::path& place);

/// Returns the folder in git's own that the `.git` file of `place` names; nothing if it is missing, cut off, or
/// names something that is not a worktree of this repository.
std::optional<std::filesystem::path> admin_folder_of(const Git& git, const std::filesystem::path& place);

/// Makes git ignore `root` in the repository, once, by .git/info/exclude. Nothing to do for a root outside.
Result<void> exclude_root(const Git& git, const std::filesystem::path& root);

/// Takes back a registration at `place` that git began and never finished, file by file. Conflict if a git that
/// lives may still be at it, or if anything is found that git does not put there.
Result<void> take_back_unfinished(const Git& git, const std::filesystem::path& place);

/// A removal that has begun: it was proven that nothing would be lost.
struct RemovalNote {
  std::filesystem::path path;
  std::string id;  // of the worktree's folder in git's own
};
/// Returns the removals of `place` that were not finished.
Result<std::vector<RemovalNote>> read_removals(const Git& git, const std::filesystem::path& place);
Result<void> write_removal(const Git& git, const RemovalNote& note);
Result<void> forget_removal(const Git& git, const RemovalNote& note);

/// Puts back what a removal that was cut off had already deleted, and forgets the removal.
Result<void> undo_removal(const Git& git, const std::filesystem::path& place, const RepositoryLock& lock);

}  // namespace reprise
