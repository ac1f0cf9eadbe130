// Rolling a lane of a run back to a checkpoint, and taking that back (LN-06, LN-07).
//
// What is in the lane is set aside under a rescue reference, and that is on record, before anything changes. A
// rollback that was cut off is finished by whoever comes next. Only the lane changes; the steps that worked in it
// since the checkpoint no longer count, and run again when the run goes on.

#pragma once

#include <string>
#include <vector>

#include "app/app.h"
#include "git/git.h"
#include "model/run_state.h"

namespace reprise {

/// What a rollback would do.
struct LaneRollback {
  RunId run;
  StepPath lane;
  std::string name;                      // of the lane
  std::string folder;                    // relative to the project
  std::string from;                      // the commit that it is at, on record
  CheckpointState to;                    // where it goes
  std::vector<StepPath> repeated;        // steps that no longer count
  std::vector<std::string> checkpoints;  // all that it could go to
};

/// Finds the run and the lane that `id` means: `lanes/R/P1/SL-1`, or a run and the name of a lane.
struct LaneMeant {
  RunId run;
  StepPath lane;
};
Result<LaneMeant> find_lane(Journal& journal, const std::string& id, const std::string& lane);

/// Returns what a rollback to checkpoint `to` ("": the safest earlier one) would do. Conflict if somebody works on
/// the run; Invalid, with those there are, if there is no such checkpoint.
Result<LaneRollback> plan_rollback(App& app, Journal& journal, const LaneMeant& meant, const std::string& to);

/// Does it. Returns the reference under which everything that was there is kept.
Result<std::string> roll_back_lane(App& app, Journal& journal, const LaneRollback& rollback);

/// Whether a rollback of a lane of the run was cut off.
bool has_unfinished_rollback(const RunState& state);
/// Finishes rollbacks of a run that were cut off. Nothing to finish is fine.
Result<void> finish_rollbacks(App& app, Journal& journal, const RunId& run);

/// Returns what a person is told of the lanes when a run goes on: where each is, where that is written down, what
/// comes next, and how to go back to a lane's start (LN-07). Nothing if there are none.
std::vector<std::string> where_lanes_stand(const RunState& state);

/// Takes the last rollback of a lane back: what was there is there again, and what it replaced is set aside.
/// Returns the reference of that.
Result<std::string> undo_lane_rollback(App& app, Journal& journal, const LaneMeant& meant);

}  // namespace reprise
