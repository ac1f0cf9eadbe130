// Rolling a lane back: to the commit or snapshot of a checkpoint, and only that lane.
//
// What always holds, besides what restore.h promises:
//   L1  The rescue snapshot is on the disk, and known to the caller, before anything changes: prepare_rollback()
//       returns it, the caller writes it down, finish_rollback() does the rest. Commits that leave the branch are
//       its first parent and what that follows (R8).
//   L2  Only a lane is rolled back, never the main checkout: the folder must be a worktree of its own, reached
//       without a link, that git's own books place there. One that vanished, became a link, or is now part of
//       another checkout is a Conflict (P25).
//   L3  While a process works in the lane it is refused, unless the caller knows that the process is stopped.
//   L4  An undo is the restore of the rescue snapshot, and sets aside what it replaces in turn.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "git/git.h"
#include "lanes/restore.h"

namespace reprise {

/// What is wanted.
struct RollbackRequest {
  std::string to;                         // commit or snapshot
  std::string of;                         // the lane, as it is named in rescue references
  std::string reason;                     // for the list of what was set aside
  Timestamp time;                         // now
  std::vector<std::string> ignored = {};  // ignored files and folders to set aside as well
  bool is_stopped = false;                // nobody works in the lane, the caller has seen to it
};

/// Opens the lane at `folder`, a worktree of `repository`. Conflict if what is there is not that (L2).
Result<Git> open_lane_folder(const std::filesystem::path& folder, const Git& repository);

/// Sets aside what is in the lane. Nothing of it is changed. The plan is to be written down, then finished.
Result<PreparedRestore> prepare_rollback(const Git& lane, const RollbackRequest& request);

/// Brings the lane to where the plan goes. Can be repeated.
Result<Restored> finish_rollback(const Git& lane, const RestorePlan& plan, bool is_stopped = false);

/// What was set aside, and what was done then.
struct RolledBack {
  Snapshot rescue;
  Restored restored;
};
/// Both in one, for whoever has nothing to write down in between.
Result<RolledBack> roll_back(const Git& lane, const RollbackRequest& request);

/// Takes a rollback back, by the reference of its rescue snapshot.
Result<Restored> undo_rollback(const Git& lane, const std::string& rescue, Timestamp time,
                               bool is_stopped = false);

}  // namespace reprise
