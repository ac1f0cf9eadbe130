// What is recorded of a lane: a worktree and branch of its own, in which the steps of a stage work.
//
// The record says where the lane is and what one can go back to; whether the worktree still looks so is for
// whoever looks at it (lanes/lane.h). Part of the fold of a run (run_state.h), pure like it.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "model/event.h"
#include "model/ids.h"

namespace reprise {

/// The names of the checkpoints that every lane passes.
inline constexpr std::string_view kBeforeLaneStart = "before_lane_start";
inline constexpr std::string_view kAfterLaneStart = "after_lane_start";
inline constexpr std::string_view kAfterLaneTests = "after_lane_tests";
inline constexpr std::string_view kPrePr = "pre_pr";
inline constexpr std::string_view kRetryAttempt = "retry_attempt";
/// The checkpoint that ends what is imported from another program's record of a lane. It holds that program's
/// max_retries and failure_context, which outlive the checkpoints of our own retries.
inline constexpr std::string_view kAdopted = "adopted";

/// What a publication says that met a conflict: with it the run log tells that from other failures.
inline constexpr std::string_view kNothingMerged = "; nothing was merged, the lane is kept. ";

/// Whether a lane of every program has a checkpoint of this name.
bool is_standard_checkpoint(std::string_view name);

/// A point in a lane that one can go back to.
struct CheckpointState {
  std::string name;
  std::string status;
  std::string commit;
  std::string snapshot;
  std::string notes;
  std::int32_t retry_attempt = 0;
  std::int32_t max_retries = 0;
  std::vector<std::string> failure_context;
  EventNumber event;  // that the lane's steps since then are later than
  Timestamp at;
  bool imported = false;  // another program recorded it, at a time of its own
};

struct LaneState {
  std::string name;
  std::string folder;  // relative to the project
  std::string branch;
  std::string base;
  std::string base_commit;
  std::string head;          // the last commit of it that is on record
  StepPath taken_from;       // the lane whose worktree it was given
  std::string published;     // what became of it: a commit or an address; "" if it was not published
  bool made = false;         // its worktree was there
  bool closed = false;       // its worktree is no longer the run's
  bool closing = false;      // its removal began, and nobody recorded how it ended
  std::int32_t retries = 0;  // further attempts that its steps were given since it last began
  std::vector<std::string> failure_context;  // of those
  std::string rolling_back;                  // the checkpoint that it is on the way back to; "" if it is not
  std::string target;                        // what its worktree is brought to then
  std::string rescue;                        // what was there before it last went back
  std::vector<CheckpointState> checkpoints;  // the newest of each name, in the order they were reached

  /// Returns the checkpoint of that name; null if it was not reached.
  const CheckpointState* find_checkpoint(std::string_view checkpoint) const;
  /// Returns the newest of the standard checkpoints, where the lane is; null if there is none.
  const CheckpointState* latest_checkpoint() const;
};

using LaneStates = std::map<StepPath, LaneState>;

/// The fold, one function per kind of event. Corrupt if the lane was never created. A checkpoint without a commit
/// says how the lane stands there (before_lane_start, after_lane_start, pre_pr); what one goes back to stays.
Result<void> apply_to_lanes(LaneStates& lanes, const LaneCreated& event);
Result<void> apply_to_lanes(LaneStates& lanes, const CheckpointReached& event, EventNumber number, Timestamp at);
Result<void> apply_to_lanes(LaneStates& lanes, const LaneRolledBack& event, Timestamp at);
Result<void> apply_to_lanes(LaneStates& lanes, const LaneClosed& event);

/// Returns the checkpoint that a rollback goes to if nobody names one: of those that every lane passes, the latest
/// before the one it is at that did not fail, else before_lane_start. Null if the lane has none.
const CheckpointState* safest_checkpoint(const LaneState& lane);

}  // namespace reprise
