// The resume point of a general workflow state: the first step that is not completed (OR-06).
//
// Dialects differ in whether they give a status; one that lists steps and no status is judged by its steps. A
// state that says completed while steps are open, and one that was aborted, go on only after a person agreed. The
// master orchestrator's own states are refused by it after 24 hours, so an older one is a warning.

#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "planner/orchestrator_course.h"

namespace reprise {

inline constexpr Duration kMasterRefusesAfter = std::chrono::hours(24);

/// Which steps a state lists.
enum class FlowSteps { None, Open, AllDone };

struct FlowRow {
  std::string_view label;
  std::optional<FlowStatus> status = {};
  std::optional<FlowSteps> steps = {};
  Course course = Course::GoOn;
  std::string_view warns = {};  // code of a warning; "" if it goes on without one
  std::string_view reason = {};
};

// clang-format off
inline constexpr std::array kFlowRows = {
    FlowRow{"OR-06 flow unknown status", FlowStatus::Unknown, {}, Course::Blocked, "", "the state's status is not one that is known"},
    FlowRow{"OR-06 flow completed", FlowStatus::Completed, FlowSteps::AllDone, Course::Done, "", "the workflow is completed"},
    FlowRow{"OR-06 flow completed bare", FlowStatus::Completed, FlowSteps::None, Course::Done, "", "the workflow is completed"},
    FlowRow{"OR-06 flow completed too early", FlowStatus::Completed, FlowSteps::Open, Course::GoOn, "completed_with_open_steps", "the state says completed, but not all of its steps are"},
    FlowRow{"OR-06 flow no status", FlowStatus::Missing, FlowSteps::None, Course::Blocked, "", "the state gives neither a status nor steps"},
    FlowRow{"OR-06 flow all done", {}, FlowSteps::AllDone, Course::Done, "", "all of its steps are completed"},
    FlowRow{"OR-06 flow by steps", FlowStatus::Missing, FlowSteps::Open, Course::GoOn, "", "the state gives no status; its steps say where it stands"},
    FlowRow{"OR-06 flow aborted", FlowStatus::Aborted, {}, Course::GoOn, "aborted", "the workflow was aborted"},
    FlowRow{"OR-06 flow active", FlowStatus::Active, {}, Course::GoOn, "", "the workflow was active"},
    FlowRow{"OR-06 flow interrupted", FlowStatus::Interrupted, {}, Course::GoOn, "", "the workflow was interrupted"},
    FlowRow{"OR-06 flow paused", FlowStatus::Paused, {}, Course::GoOn, "", "the workflow was paused"},
};
// clang-format on
inline constexpr std::string_view kFlowNoStepsLabel = "OR-06 flow no steps";
inline constexpr std::string_view kFlowRestLabel = "OR-06 flow rest";
inline constexpr std::string_view kFlowRestStep = "finished";  // a gate, not work
inline constexpr std::string_view kFlowMasterLabel = "OR-06 flow master age";
const FlowRow& decide(FlowStatus status, FlowSteps steps);

/// What a state says of one of its steps.
enum class FlowStepSeen { Completed, Passed, Skipped, Started, Failed, Untouched };
struct FlowStepRow {
  std::string_view label;
  FlowStepSeen seen;
  Decision decision;
  std::string_view reason;
};
inline constexpr std::array kFlowStepRows = {
    FlowStepRow{"OR-06 flow step done", FlowStepSeen::Completed, Decision::Keep, "the state says completed"},
    FlowStepRow{"OR-06 flow step passed", FlowStepSeen::Passed, Decision::Keep, "the state has gone past it"},
    FlowStepRow{"OR-06 flow step skipped", FlowStepSeen::Skipped, Decision::Keep, "it was left out"},
    FlowStepRow{"OR-06 flow step started", FlowStepSeen::Started, Decision::Continue, "it was cut off"},
    FlowStepRow{"OR-06 flow step failed", FlowStepSeen::Failed, Decision::Rerun, "it failed"},
    FlowStepRow{"OR-06 flow step next", FlowStepSeen::Untouched, Decision::Run, "it is not completed"},
};
const FlowStepRow& decide(FlowStepSeen seen);

/// Returns how a step stands by its status word.
FlowStepSeen seen_of(const ClaimedFlowStep& step);
/// Returns where the general workflow of a snapshot stands.
WorkflowCourse course_of_flow(const OrchestratorSnapshot& snapshot);

}  // namespace reprise
