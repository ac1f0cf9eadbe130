#include "model/lane_state.h"

#include <algorithm>

namespace reprise {
namespace {

Result<LaneState*> find_lane(LaneStates& lanes, const StepPath& path) {
  const auto found = lanes.find(path);
  if (found == lanes.end()) return fail(ErrorKind::Corrupt, "lane " + path.text + " was never created");
  return &found->second;
}

// Whether an event says only how the lane stands at a checkpoint that it has reached already.
bool is_standing(const CheckpointReached& event) {
  if (event.name == kRetryAttempt) return event.status == "complete";
  const bool is_kept = event.name == kBeforeLaneStart || event.name == kAfterLaneStart || event.name == kPrePr;
  return is_kept && event.commit.empty();
}

CheckpointState state_of(const CheckpointReached& event, EventNumber number, Timestamp at) {
  return {.name = event.name,
          .status = event.status,
          .commit = event.commit,
          .snapshot = event.snapshot,
          .notes = event.notes,
          .retry_attempt = event.retry_attempt,
          .max_retries = event.max_retries,
          .failure_context = event.failure_context,
          .event = number,
          .at = at};
}

}  // namespace

bool is_standard_checkpoint(std::string_view name) {
  return name == kBeforeLaneStart || name == kAfterLaneStart || name == kAfterLaneTests || name == kPrePr ||
         name == kRetryAttempt;
}

const CheckpointState* LaneState::latest_checkpoint() const {
  static constexpr std::string_view kOrder[] = {kBeforeLaneStart, kAfterLaneStart, kAfterLaneTests, kRetryAttempt,
                                                kPrePr};
  const CheckpointState* latest = nullptr;
  for (const std::string_view each : kOrder) {  // of two of one time the later stage counts
    const CheckpointState* checkpoint = find_checkpoint(each);
    if (checkpoint != nullptr && (latest == nullptr || latest->at <= checkpoint->at)) latest = checkpoint;
  }
  return latest;
}

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
  const auto old = std::ranges::find(lane->checkpoints, event.name, &CheckpointState::name);
  if (old != lane->checkpoints.end() && is_standing(event)) {
    old->status = event.status;
    if (event.name == kRetryAttempt) return {};  // how it ended is told by what came after it
    old->notes = event.notes;
    old->at = at;
    old->imported = false;
  } else {
    if (old != lane->checkpoints.end()) lane->checkpoints.erase(old);
    lane->checkpoints.push_back(state_of(event, number, at));
  }
  if (event.name == kAdopted) {
    for (CheckpointState& checkpoint : lane->checkpoints) checkpoint.imported = true;
    if (lane->failure_context.empty()) lane->failure_context = event.failure_context;
  }
  if (!event.commit.empty()) lane->head = event.commit;
  if (event.name == kAfterLaneStart) lane->made = true;
  if (event.name == kPrePr && event.status == "complete") lane->published = event.notes;
  if (event.name == kRetryAttempt) {
    lane->retries = event.retry_attempt;
    lane->failure_context = event.failure_context;
  }
  return {};
}

Result<void> apply_to_lanes(LaneStates& lanes, const LaneRolledBack& event, Timestamp at) {
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
  lane->checkpoints.back().at = at;
  lane->checkpoints.back().imported = false;
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
