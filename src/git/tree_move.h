// A worktree on its way from one commit to another, remembered where it cannot be missed.
//
// Git checks files out one by one and writes its index at the end; cut off in between, it leaves a tree that looks
// as if somebody had changed half of it. The note in the worktree's git folder says that it was us, and from where
// to where.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "git/ensure.h"

namespace reprise {

/// Reads the note of a move that was not finished; nothing if there is none.
Result<std::optional<TreeMove>> read_tree_move(const Git& git);
/// Writes it, durably.
Result<void> write_tree_move(const Git& git, const TreeMove& move);
Result<void> remove_tree_move(const Git& git);

/// Returns the files that git alone cannot have left on the way from commit `from` to commit `to`: neither as they
/// are in one of the two, nor missing, nor the beginning of the new content. `from` "": from an empty folder, in
/// which nothing else may be either.
Result<std::vector<std::string>> changed_by_others(const Git& git, const std::string& from, const std::string& to,
                                                   const RepositoryLock* lock);

}  // namespace reprise
