// Bringing a worktree back to a snapshot or a commit, after setting aside everything that is in it.
//
// In two steps, so that what was set aside can be written down before anything changes: prepare_restore() takes
// the rescue snapshot, finish_restore() does the rest.
//
// What always holds:
//   B1  Nothing is overwritten or removed that is not in the rescue snapshot. Ignored files that stand in the way
//   of
//       the target are taken into it; a repository that stands in the way is a Conflict, before anything changed.
//   B2  A snapshot comes back with every byte: files, links and executable bits, empty folders, the index with its
//       conflicts and flags, the merge or rebase that was going on, branch and HEAD. A commit comes back as git
//       checks it out, with an index to match.
//   B3  Files that git did not track and that are not in the target stay where they are (R7), unless `exact` is
//       asked for. Nested repositories are never touched.
//   B4  If the worktree is not any more what was set aside, finish_restore() changes nothing: Conflict (R11).
//   B5  Killed anywhere, finish_restore() made again with the same plan ends where the first was going. What was
//       changed in between is set aside too, under a further reference. Made again after it ended, which its
//       caller may not have lived to write down, it changes nothing: what is there by then is later work.
//   B6  Only this worktree, its index, its HEAD and its one branch change (P25). A worktree that has become a
//   link,
//       or whose folder now belongs to another worktree, is a Conflict.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "git/git.h"
#include "lanes/snapshot.h"

namespace reprise {

/// What is wanted.
struct RestoreRequest {
  std::string to;                         // a snapshot, or any commit
  std::string rescue_ref;                 // where what is there now is set aside; must be new
  std::string reason;                     // for whoever reads the list of what was set aside
  Timestamp time;                         // now
  std::vector<std::string> ignored = {};  // ignored files and folders to set aside as well
};

/// What finish_restore() needs, in a form that can be written down.
struct RestorePlan {
  std::string to;      // the target's commit, in full: no name, which could mean another one later
  std::string rescue;  // the rescue snapshot's reference
  bool exact = false;  // what is in the worktree but not in the target goes, tracked or not
  bool operator==(const RestorePlan&) const = default;
};

/// What prepare_restore() decided and set aside.
struct PreparedRestore {
  RestorePlan plan;
  Snapshot rescue;
};

/// What was done.
struct Restored {
  std::size_t written = 0;
  std::size_t removed = 0;
  std::vector<std::string> kept;            // files that are not in the target and were left in place
  std::vector<std::string> nested;          // repositories inside that are not at the commit the target names
  std::vector<std::string> further_rescue;  // the reference of what was changed while it was cut off; or none
};

/// Sets aside what is in the worktree. Nothing of the user's is changed. NotFound if there is no such target,
/// Conflict if it cannot be reached: its branch is checked out elsewhere, or a repository stands in the way.
Result<PreparedRestore> prepare_restore(const Git& git, const RestoreRequest& request, bool exact = false);

/// Brings the worktree to `plan.to`. Made again after it ended, it changes nothing unless somebody else did.
Result<Restored> finish_restore(const Git& git, const RestorePlan& plan);

/// Both in one, for whoever has nothing to write down in between. One that was cut off is carried on.
Result<Restored> restore_snapshot(const Git& git, const RestoreRequest& request, bool exact = false);

/// Whether `git` is still the worktree that it was opened as: its folder is where it was, is no link, and belongs
/// to the same worktree of the same repository. Conflict if not.
Result<void> check_place(const Git& git);

}  // namespace reprise
