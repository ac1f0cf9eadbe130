#include "model/lane_state.h"

#include <algorithm>

namespace reprise {
namespace {

Result<LaneState*> find_lane(LaneStates& lanes, const StepPath& path) {
  const auto found = lanes.find(path);
  if (found == lanes.end()) return fail(ErrorKind::Corrupt, "lane " + path.text + " was never created");
  return &found->second;
}

}  // namespace

const CheckpointState* LaneState::find_checkpoint(std::string_view checkpoint) const {
  const auto found = std::ranges::find(checkpoints, checkpoint, &CheckpointState::name);
  return found == checkpoints.end() ? nullptr : &*found;
}

Result<void> apply_to_lanes(LaneStates& lanes, const LaneCreated& event) {
  LaneState& lane = lanes[event.lane];
  lane = LaneState{};
  lane.name = event.name;
  lane.folder = event.folder;
  lane.branch = event.branch;
  lane.base = event.base;
  lane.base_commit = event.base_commit;
  lane.head = event.base_commit;
  lane.taken_from = event.taken_from;
  return {};
}

Result<void> apply_to_lanes(LaneStates& lanes, const CheckpointReached& event, EventNumber number, Timestamp at) {
  LaneState* lane = TRY(find_lane(lanes, event.lane));
  std::erase_if(lane->checkpoints, [&](const CheckpointState& old) { return old.name == event.name; });
  lane->checkpoints.push_back({.name = event.name,
                               .status = event.status,
                               .commit = event.commit,
                               .snapshot = event.snapshot,
                               .notes = event.notes,
                               .retry_attempt = event.retry_attempt,
                               .max_retries = event.max_retries,
                               .failure_context = event.failure_context,
                               .event = number,
                               .at = at});
  if (!event.commit.empty()) lane->head = event.commit;
  if (event.name == kAfterLaneStart) lane->made = true;
  if (event.name == kPrePr && event.status == "complete") lane->published = event.notes;
  if (event.name == kRetryAttempt) {
    lane->retries = event.retry_attempt;
    lane->failure_context = event.failure_context;
  }
  return {};
}

Result<void> apply_to_lanes(LaneStates& lanes, const LaneRolledBack& event) {
  LaneState* lane = TRY(find_lane(lanes, event.lane));
  lane->rescue = event.rescue;
  lane->target = event.target;
  lane->rolling_back = event.done ? "" : event.to;
  if (!event.done) return {};
  lane->head = event.commit;
  lane->retries = 0;
  lane->failure_context.clear();
  // What came after it was never reached any more.
  const auto target = std::ranges::find(lane->checkpoints, event.to, &CheckpointState::name);
  if (target == lane->checkpoints.end()) return {};
  lane->checkpoints.erase(target + 1, lane->checkpoints.end());
  lane->checkpoints.back().status = "rolled_back";
  return {};
}

Result<void> apply_to_lanes(LaneStates& lanes, const LaneClosed& event) {
  LaneState* lane = TRY(find_lane(lanes, event.lane));
  lane->closing = event.began;
  if (!event.began) lane->closed = !event.again;
  if (!event.again) lane->rescue = event.rescue;
  return {};
}

const CheckpointState* safest_checkpoint(const LaneState& lane) {
  bool is_earlier = false;
  for (std::size_t i = lane.checkpoints.size(); i > 0; --i) {
    const CheckpointState& checkpoint = lane.checkpoints[i - 1];
    const bool counts = checkpoint.name == kBeforeLaneStart || checkpoint.name == kAfterLaneStart ||
                        checkpoint.name == kAfterLaneTests || checkpoint.name == kPrePr;
    if (!counts) continue;
    const bool is_clean = !checkpoint.commit.empty() && checkpoint.status != "failed";
    if (is_earlier && is_clean) return &checkpoint;
    is_earlier = true;
  }
  return lane.find_checkpoint(kBeforeLaneStart);
}

}  // namespace reprise
