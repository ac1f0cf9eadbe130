// The epic's resume point: the unfinished stories of the first wave that is not over, its gate, the next wave, the
// final gate (OR-06).
//
// A wave is what its stories are: where its status or the pointer says something else, the stories decide and the
// difference is reported. Waves come one after the other, stories of one wave do not depend on one another. A
// blocked story waits for a person while the others of its wave go on; nothing goes past it. The story file
// outranks the epic's state, and where the two contradict each other badly a person decides first (OR-03).

#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "planner/orchestrator_course.h"

namespace reprise {

/// What the epic's own status means.
struct EpicStatusRow {
  std::string_view label;
  EpicStatus status;
  Course course;
  std::string_view reason;
};
inline constexpr std::array kEpicStatusRows = {
    EpicStatusRow{"OR-06 epic active", EpicStatus::Active, Course::GoOn, "the epic was active"},
    EpicStatusRow{"OR-06 epic interrupted", EpicStatus::Interrupted, Course::GoOn, "the epic was interrupted"},
    EpicStatusRow{"OR-06 epic aborted", EpicStatus::Aborted, Course::GoOn, "the epic was aborted"},
    EpicStatusRow{"OR-06 epic completed", EpicStatus::Completed, Course::Done, "the epic is completed"},
    EpicStatusRow{"OR-06 epic no status", EpicStatus::Missing, Course::GoOn,
                  "the state gives no status; its stories say how far it is"},
    EpicStatusRow{"OR-06 epic unknown status", EpicStatus::Unknown, Course::Blocked,
                  "the state's status is not one that is known"},
};
const EpicStatusRow& decide(EpicStatus status);

/// One story: what the state claims and what its file says; no file: nothing.
struct EpicStorySituation {
  EpicStoryStatus claimed = EpicStoryStatus::Missing;
  std::optional<StoryStatus> story = {};
  bool accepted = false;  // a person accepted the contradiction between the two
};
enum class StoryFile { Gone, Done, Review, Progress, Ahead, Unclear };
StoryFile file_of(const std::optional<StoryStatus>& story);

/// A row fits if everything it names is so; the first row that fits decides.
struct EpicStoryRow {
  std::string_view label;
  std::optional<EpicStoryStatus> claimed = {};
  std::optional<StoryFile> file = {};
  std::optional<bool> accepted = {};
  Decision decision = Decision::Run;
  std::string_view reason = {};
};

// clang-format off
inline constexpr std::array kEpicStoryRows = {
    EpicStoryRow{"OR-06 epic skipped", EpicStoryStatus::Skipped, {}, {}, Decision::Keep, "it was left out"},
    EpicStoryRow{"OR-02 epic file gone", EpicStoryStatus::Completed, StoryFile::Gone, {}, Decision::Keep, "it is recorded as completed, and its file is gone"},
    EpicStoryRow{"OR-02 epic file needed", {}, StoryFile::Gone, {}, Decision::Refuse, "its file is gone, and it is not completed"},
    EpicStoryRow{"OR-06 epic done", EpicStoryStatus::Completed, StoryFile::Done, {}, Decision::Keep, "state and story say that it is done"},
    EpicStoryRow{"OR-06 epic done unclear", EpicStoryStatus::Completed, StoryFile::Unclear, {}, Decision::Keep, "it is recorded as completed, and its file gives no clear status"},
    EpicStoryRow{"OR-03 epic reopened review", EpicStoryStatus::Completed, StoryFile::Review, {}, Decision::Verify, "it is recorded as completed, but the story is in review"},
    EpicStoryRow{"OR-03 epic reopened", EpicStoryStatus::Completed, StoryFile::Progress, {}, Decision::Continue, "it is recorded as completed, but the story is in progress"},
    EpicStoryRow{"OR-03 epic set back", EpicStoryStatus::Completed, StoryFile::Ahead, {}, Decision::Rerun, "it is recorded as completed, but the story is not begun"},
    EpicStoryRow{"OR-03 epic done outside", EpicStoryStatus::InProgress, StoryFile::Done, false, Decision::Refuse, "the story was completed outside this workflow"},
    EpicStoryRow{"OR-03 epic taken as done", EpicStoryStatus::InProgress, StoryFile::Done, true, Decision::Keep, "the story was completed outside, and a person accepted that"},
    EpicStoryRow{"OR-03 epic review outside", EpicStoryStatus::InReview, StoryFile::Done, false, Decision::Refuse, "its review was completed outside this workflow"},
    EpicStoryRow{"OR-03 epic taken as reviewed", EpicStoryStatus::InReview, StoryFile::Done, true, Decision::Keep, "its review was completed outside, and a person accepted that"},
    EpicStoryRow{"OR-03 epic done anyway", {}, StoryFile::Done, {}, Decision::Verify, "the story says Done, which the state does not know of"},
    EpicStoryRow{"OR-06 epic blocked", EpicStoryStatus::Blocked, {}, {}, Decision::Wait, "it is blocked; the others go on"},
    EpicStoryRow{"OR-06 epic failed", EpicStoryStatus::Failed, {}, {}, Decision::Rerun, "it failed, and is tried once more"},
    EpicStoryRow{"OR-03 epic reset", EpicStoryStatus::InProgress, StoryFile::Ahead, {}, Decision::Rerun, "it was in progress, but the story is not begun"},
    EpicStoryRow{"OR-03 epic review reset", EpicStoryStatus::InReview, StoryFile::Ahead, {}, Decision::Rerun, "it was in review, but the story is not begun"},
    EpicStoryRow{"OR-06 epic in progress", EpicStoryStatus::InProgress, {}, {}, Decision::Continue, "it was in progress"},
    EpicStoryRow{"OR-06 epic in review", EpicStoryStatus::InReview, {}, {}, Decision::Continue, "it was in review"},
    EpicStoryRow{"OR-06 epic begun outside", {}, StoryFile::Progress, {}, Decision::Continue, "the story is in progress, which the state does not know of"},
    EpicStoryRow{"OR-06 epic review begun", {}, StoryFile::Review, {}, Decision::Continue, "the story is in review, which the state does not know of"},
    EpicStoryRow{"OR-06 epic pending", EpicStoryStatus::Pending, {}, {}, Decision::Run, "it has not begun"},
    EpicStoryRow{"OR-06 epic not begun", {}, StoryFile::Ahead, {}, Decision::Run, "the story is not begun"},
    EpicStoryRow{"OR-06 epic nothing known", {}, StoryFile::Unclear, {}, Decision::Refuse, "neither the state nor the story says how it stands"},
};
// clang-format on
const EpicStoryRow& decide(const EpicStorySituation& situation);

enum class GateVerdict { None, Approved, Rejected };
/// A wave's gate, or the final one, which counts as a wave that is in progress or completed with its epic.
struct WaveGateSituation {
  WaveStatus wave = WaveStatus::Missing;
  GateVerdict verdict = GateVerdict::None;
  bool open = false;  // something before it is not kept
};
struct WaveGateRow {
  std::string_view label;
  std::optional<WaveStatus> wave = {};
  std::optional<GateVerdict> verdict = {};
  std::optional<bool> open = {};
  Decision decision = Decision::Run;
  std::string_view reason = {};
};

// clang-format off
inline constexpr std::array kWaveGateRows = {
    WaveGateRow{"OR-06 gate moved", {}, GateVerdict::Approved, true, Decision::Verify, "it was approved, but something before it is not done"},
    WaveGateRow{"OR-06 gate ahead", {}, {}, true, Decision::Run, "something before it is not done"},
    WaveGateRow{"OR-06 gate rejected", {}, GateVerdict::Rejected, {}, Decision::Rerun, "it was rejected"},
    WaveGateRow{"OR-06 gate failed wave", WaveStatus::Failed, {}, {}, Decision::Rerun, "the wave failed"},
    WaveGateRow{"OR-06 gate approved in review", WaveStatus::GateReview, GateVerdict::Approved, {}, Decision::Verify, "it is approved, but its wave was not moved on"},
    WaveGateRow{"OR-06 gate review", WaveStatus::GateReview, {}, {}, Decision::Rerun, "its review was cut off"},
    WaveGateRow{"OR-06 gate approved", {}, GateVerdict::Approved, {}, Decision::Keep, "it is approved"},
    WaveGateRow{"OR-06 gate completed", WaveStatus::Completed, {}, {}, Decision::Keep, "its wave is recorded as completed"},
    WaveGateRow{"OR-06 gate next", {}, {}, {}, Decision::Run, "everything before it is done"},
};
// clang-format on
inline constexpr std::string_view kWaveStoryLabel = "OR-04 planned story";
inline constexpr std::string_view kEpicNoWavesLabel = "OR-06 epic no waves";
const WaveGateRow& decide(const WaveGateSituation& situation);

/// Returns where the epic of a snapshot stands.
WorkflowCourse course_of_epic(const OrchestratorSnapshot& snapshot);

/// Returns a wave's number: "1", "wave-1" and "Wave 1" are all "1".
std::string number_of_wave(std::string_view written);

/// A story of a wave, by state and execution plan.
struct WaveStory {
  std::string id;
  const ClaimedStory* claim = nullptr;    // null: the state does not list it
  const PlannedStory* planned = nullptr;  // null: the plan does not
};
struct EpicWave {
  std::string number;
  const ClaimedWave* claim = nullptr;
  const PlannedWave* planned = nullptr;
  std::vector<WaveStory> stories;
};
/// Returns the epic's waves in order: those of the state, then those that only the execution plan has. A story
/// that the state lists anywhere is not listed again.
std::vector<EpicWave> waves_of(const OrchestratorSnapshot& snapshot);

}  // namespace reprise
