// What is staged, as a commit and back again: entries, all stages of conflicts, flags, and the operation going on.
//
// The tree of the commit is what `git commit` would have committed, without the paths in conflict. Where there is
// a conflict, a merge or a rebase, it has one parent, whose tree holds the stages in the folders 1, 2 and 3 and
// git's own notes of the operation (MERGE_HEAD and the like) in the folder "operation"; commits that only those
// notes mention are that one's parents. So everything stays reachable, and the same state gives the same commit.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "lanes/snapshot_workshop.h"

namespace reprise {

/// A note of git's about an operation that was not finished.
struct OperationNote {
  std::string name;  // relative to the worktree's git directory
  std::string bytes;
};

/// What is staged in a worktree.
struct StagedState {
  std::vector<IndexEntry> entries;  // all stages, no others
  std::vector<OperationNote> operation;
  /// The same for the same state.
  std::string key() const;
};

/// What it is recorded as.
struct StagedCommit {
  std::string commit;
  std::string tree;
};

/// Reads git's notes of an unfinished merge, rebase, cherry-pick or revert in `git`'s worktree.
Result<std::vector<OperationNote>> read_operation(const Git& git);

/// Records `state`, whose entries were read from our index `index`.
Result<StagedCommit> record_staged(const Workshop& workshop, const std::string& index, const StagedState& state);

/// Makes the user's index, and git's notes, what `commit` recorded. The index is replaced in one step.
Result<void> install_staged(const Workshop& workshop, const std::string& commit);

/// Makes our index `index` that of `tree`, keeping what the user's index knows about files that stay the same.
Result<void> prepare_index(const Workshop& workshop, const std::string& index, const std::string& tree);
/// Puts our index `index` in the place of the user's, in one step and durably.
Result<void> install_index(const Workshop& workshop, const std::string& index);
/// Removes git's notes of an unfinished operation, except those that are among `keep`.
Result<void> clear_operation(const Git& git, const std::vector<OperationNote>& keep);

}  // namespace reprise
