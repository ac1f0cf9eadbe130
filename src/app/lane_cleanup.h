// Removing the worktrees of a run that is over, and bringing one back. Branches and commits stay.
//
// What is not committed is set aside first and on record. Removal is git's own: it refuses while somebody works in
// the lane, and while it holds anything that would be lost. A lane with files that cannot be deleted is removed
// all the same: these leftovers are moved out of its place, named to the user, and deleted by a later cleanup.

#pragma once

#include <string>
#include <vector>

#include "app/rollback.h"
#include "git/ensure_worktree.h"

namespace reprise {

/// What is to be removed.
struct LaneCleanup {
  RunId run;
  std::vector<StepPath> lanes = {};
  std::vector<std::string> folders = {};      // of these, relative to the project
  std::vector<StepPath> with_leftovers = {};  // lanes that left files behind in an earlier removal
  std::vector<std::string> leftovers = {};    // the folders of these files
  bool with_ignored = false;                  // files that git ignores go with it, and are not set aside
  bool is_undo = false;                       // then it is not noted for undo once more
};

/// Returns what a cleanup of the run would remove. Conflict if the run is not over, with the way out.
Result<LaneCleanup> plan_cleanup(App& app, Journal& journal, const RunId& run);

/// Does it, lane by lane; stops at the first that refuses, with the reason. Returns what cannot be deleted.
Result<std::vector<Leftover>> close_lanes(App& app, Journal& journal, const LaneCleanup& cleanup);

/// Makes room for a new run of the same lanes: removes the worktrees of a run that is over, and gives their
/// branches other names. Returns what cannot be deleted.
Result<std::vector<Leftover>> set_lanes_aside(App& app, Journal& journal, const RunId& run);

/// Conflict if a branch that take_lanes_back() would give back has another owner now.
Result<void> check_lanes_are_free(App& app, Journal& journal, const RunId& run);

/// Takes set_lanes_aside() back, with the worktrees of the lanes that are named. Conflict if a branch of that name
/// is there again.
Result<void> take_lanes_back(App& app, Journal& journal, const RunId& run, const std::vector<std::string>& names);

/// Makes a lane that was removed again, with everything that was set aside.
Result<void> bring_lane_back(App& app, Journal& journal, const LaneMeant& meant);

}  // namespace reprise
