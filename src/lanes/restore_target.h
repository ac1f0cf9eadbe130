// Where a restore goes: the target, what separates a worktree from it, and HEAD.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lanes/snapshot.h"
#include "lanes/snapshot_workshop.h"

namespace reprise {

/// A snapshot or a commit to go to.
struct RestoreTarget {
  std::string commit;
  std::string tree;
  std::string head;                  // what is checked out then; "": nothing yet
  std::string branch;                // and as which branch; "": detached
  std::optional<Snapshot> snapshot;  // nothing: a commit, which is checked out as git does it
};
/// Finds the target that `to` names. A commit is checked out as the branch that `now` is on.
Result<RestoreTarget> find_target(const Git& git, const std::string& to, const Snapshot& now);

/// How one path differs between two trees.
struct TreeChange {
  char kind = 'M';      // A: only in the second; D: only in the first; M, T: in both
  bool nested = false;  // in the second (in the first, if only there) a repository
  std::string path;
};
Result<std::vector<TreeChange>> compare_trees(const Workshop& workshop, const std::string& from,
                                              const std::string& to);

/// Returns the paths that git tracked in `snapshot`: in its HEAD, or in its index at any stage.
Result<std::vector<std::string>> tracked_paths(const Workshop& workshop, const Snapshot& snapshot);

/// Conflict if `branch` is checked out in another worktree.
Result<void> check_branch_is_free(const Git& git, const std::string& branch);

/// Makes HEAD, and the branch it is on, what the target says.
Result<void> install_head(const Git& git, const RestoreTarget& target);

}  // namespace reprise
