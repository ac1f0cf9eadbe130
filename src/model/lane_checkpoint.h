// A checkpoint of a lane, as `checkpoints.json` holds it: how far a lane of a phase came in a run.
//
// One record per run, phase, lane and stage; a later one with the same key replaces it. What a record says is a
// claim, as in every state file. Words that are not known are kept as text.

#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "model/status.h"

namespace reprise {

/// The moments at which a checkpoint is written, in the order in which a lane passes them. Unknown: another
/// program's own.
enum class LaneStage { BeforeLaneStart, AfterLaneStart, Unknown, AfterLaneTests, RetryAttempt, PrePr };

enum class LaneStatus { Ready, InProgress, Failed, Blocked, Complete, RolledBack, Retrying, Unknown };

inline constexpr TokenTable<LaneStage, 5> kLaneStageTokens = {{{LaneStage::BeforeLaneStart, "before_lane_start"},
                                                               {LaneStage::AfterLaneStart, "after_lane_start"},
                                                               {LaneStage::AfterLaneTests, "after_lane_tests"},
                                                               {LaneStage::RetryAttempt, "retry_attempt"},
                                                               {LaneStage::PrePr, "pre_pr"}}};

inline constexpr TokenTable<LaneStatus, 7> kLaneStatusTokens = {{{LaneStatus::Ready, "ready"},
                                                                 {LaneStatus::InProgress, "in_progress"},
                                                                 {LaneStatus::Failed, "failed"},
                                                                 {LaneStatus::Blocked, "blocked"},
                                                                 {LaneStatus::Complete, "complete"},
                                                                 {LaneStatus::RolledBack, "rolled_back"},
                                                                 {LaneStatus::Retrying, "retrying"}}};

/// What a checkpoint is about. Phases as a whole have the lane "-".
struct LaneCheckpointKey {
  std::string run_id;
  std::string phase;
  std::string lane;
  std::string stage;  // the word
  auto operator<=>(const LaneCheckpointKey&) const = default;
};

/// A field that is not one of ours, with its value as it stands in the file.
struct LaneExtraField {
  std::string key;
  std::string json;
  bool operator==(const LaneExtraField&) const = default;
};

struct LaneCheckpoint {
  std::string run_id;
  std::string phase;
  std::string lane;
  LaneStage stage = LaneStage::BeforeLaneStart;
  std::string stage_text;  // of an unknown stage, as written
  LaneStatus status = LaneStatus::Ready;
  std::string status_text;  // of an unknown status, as written
  std::string base_branch;
  std::string worktree_path;
  std::string log_path;
  Timestamp timestamp;
  std::string notes;
  std::string resume_hint;
  std::string rollback_hint;
  std::optional<long long> retry_attempt;  // 1-based
  std::optional<long long> max_retries;
  std::vector<std::string> failure_context;
  std::vector<LaneExtraField> extra;  // read only: a write leaves them where they are
  int line = 0;                       // of the record in the file; 0: not read from one

  /// The words for stage and status, known or not.
  std::string_view stage_word() const {
    return stage == LaneStage::Unknown ? std::string_view(stage_text) : token_in(kLaneStageTokens, stage);
  }
  std::string_view status_word() const {
    return status == LaneStatus::Unknown ? std::string_view(status_text) : token_in(kLaneStatusTokens, status);
  }
  LaneCheckpointKey key() const { return {run_id, phase, lane, std::string(stage_word())}; }
  bool operator==(const LaneCheckpoint&) const = default;
};

}  // namespace reprise
