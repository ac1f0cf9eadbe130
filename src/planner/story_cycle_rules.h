// The story cycle's resume point: create, validate, implement or review, from the story's status, its change log
// and the last verdict of its review (OR-06).
//
// InReview has two meanings in use, "QA is reviewing" and "the gate failed"; the recorded verdict tells which. A
// verdict that the status was not moved on for is looked at again, since nothing says which of the two is older.
// The story file is the state here: it is never taken as a fresh start because it gives no status.

#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "planner/orchestrator_course.h"

namespace reprise {

struct StoryPhase {
  std::string_view name;
  std::string_view agent;
};
inline constexpr std::array kStoryPhases = {StoryPhase{"create", "sm"}, StoryPhase{"validate", "po"},
                                            StoryPhase{"implement", "dev"}, StoryPhase{"review", "qa"}};

/// The last word of validation in the change log.
enum class Validation { None, Go, NoGo };
/// The last verdict under QA Results; CONCERNS and WAIVED pass.
enum class StoryGate { None, Passed, Failed };

struct StoryCycleSituation {
  StoryStatus status = StoryStatus::Missing;
  Validation validation = Validation::None;
  StoryGate gate = StoryGate::None;
};

/// A row fits if everything it names is so; the first row that fits decides.
struct StoryCycleRow {
  std::string_view label;
  std::optional<StoryStatus> status = {};
  std::optional<Validation> validation = {};
  std::optional<StoryGate> gate = {};
  std::string_view phase = {};  // "": there is nothing to go on with
  Decision decision = Decision::Refuse;
  Course course = Course::GoOn;
  std::string_view reason = {};
};

// clang-format off
inline constexpr std::array kStoryCycleRows = {
    StoryCycleRow{.label = "OR-06 story no status", .status = StoryStatus::Missing, .course = Course::Blocked,
                  .reason = "the story gives no status, so nothing says where it stands"},
    StoryCycleRow{.label = "OR-06 story unknown", .status = StoryStatus::Unknown, .course = Course::Blocked,
                  .reason = "the story's status is not one that is known"},
    StoryCycleRow{.label = "OR-06 no-go", .status = StoryStatus::Draft, .validation = Validation::NoGo,
                  .phase = "create", .decision = Decision::Rerun, .reason = "validation said NO-GO, which sends it back"},
    StoryCycleRow{.label = "OR-06 draft with go", .status = StoryStatus::Draft, .validation = Validation::Go,
                  .phase = "validate", .decision = Decision::Verify, .reason = "the change log says GO, but the story is still a draft"},
    StoryCycleRow{.label = "OR-06 draft", .status = StoryStatus::Draft, .phase = "validate", .decision = Decision::Run,
                  .reason = "the story is created and not validated"},
    StoryCycleRow{.label = "OR-06 ready with no-go", .status = StoryStatus::Ready, .validation = Validation::NoGo,
                  .phase = "validate", .decision = Decision::Rerun, .reason = "the story is ready, but the last word of its validation is NO-GO"},
    StoryCycleRow{.label = "OR-06 ready", .status = StoryStatus::Ready, .phase = "implement", .decision = Decision::Run,
                  .reason = "the story is validated and not implemented"},
    StoryCycleRow{.label = "OR-06 gate failed", .status = StoryStatus::InProgress, .gate = StoryGate::Failed,
                  .phase = "implement", .decision = Decision::Continue, .reason = "its review failed, which sends it back"},
    StoryCycleRow{.label = "OR-06 passed in progress", .status = StoryStatus::InProgress, .gate = StoryGate::Passed,
                  .phase = "review", .decision = Decision::Verify, .reason = "a review passed it, but the story is not marked as done"},
    StoryCycleRow{.label = "OR-06 in progress", .status = StoryStatus::InProgress, .phase = "implement",
                  .decision = Decision::Continue, .reason = "its implementation was in progress"},
    StoryCycleRow{.label = "OR-06 review failed", .status = StoryStatus::InReview, .gate = StoryGate::Failed,
                  .phase = "implement", .decision = Decision::Continue, .reason = "it is in review, and the recorded verdict sent it back"},
    StoryCycleRow{.label = "OR-06 passed in review", .status = StoryStatus::InReview, .gate = StoryGate::Passed,
                  .phase = "review", .decision = Decision::Verify, .reason = "a review passed it, but the story is not marked as done"},
    StoryCycleRow{.label = "OR-06 in review", .status = StoryStatus::InReview, .phase = "review",
                  .decision = Decision::Rerun, .reason = "its review has no verdict yet"},
    StoryCycleRow{.label = "OR-06 done but failed", .status = StoryStatus::Done, .gate = StoryGate::Failed,
                  .phase = "review", .decision = Decision::Verify, .reason = "the story says Done, but its last review failed"},
    StoryCycleRow{.label = "OR-06 story done", .status = StoryStatus::Done, .decision = Decision::Keep,
                  .course = Course::Done, .reason = "the story is done"},
};
// clang-format on
inline constexpr std::string_view kNoStoryLabel = "OR-06 no story";

const StoryCycleRow& decide(const StoryCycleSituation& situation);

/// Returns the situation of a story that is there.
StoryCycleSituation situation_of(const StoryClaims& story);

/// Returns where the story cycle of a snapshot's subject stands.
WorkflowCourse course_of_story_cycle(const OrchestratorSnapshot& snapshot);

}  // namespace reprise
