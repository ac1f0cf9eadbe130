// What stands against going on, found by looking: missing files (OR-02), stories that stand elsewhere than the
// state says (OR-03), changes since the interruption (OR-04), locks (OR-15), and what the next step lacks (OR-07).
//
// Each finding has the severity of its table row, says what is claimed and what was seen, and where a person may
// overrule it, the command that does so. Nothing is looked at here that the snapshot does not hold. Pure.

#pragma once

#include <string_view>
#include <vector>

#include "planner/orchestrator_course.h"

namespace reprise {

/// Further state files of the same work: one that disagrees, or one that was being saved (OR-01).
std::vector<Finding> check_state_files(const OrchestratorSnapshot& snapshot);

/// Makes the steps run again whose artifacts are gone, and has what comes after them verified (OR-07). Returns the
/// findings for missing files (OR-02).
std::vector<Finding> check_files(const OrchestratorSnapshot& snapshot, WorkflowCourse& course);

/// Returns where stories stand elsewhere than the state says (OR-03), and ids with several files.
std::vector<Finding> check_statuses(const OrchestratorSnapshot& snapshot, const WorkflowCourse& course);

/// Returns what changed since the interruption (OR-04), and the locks (OR-15).
std::vector<Finding> check_conflicts(const OrchestratorSnapshot& snapshot, const WorkflowCourse& course,
                                     Timestamp last_activity);

/// Returns dependencies of the stories that are still open, missing or circular.
std::vector<Finding> check_dependencies(const OrchestratorSnapshot& snapshot, const WorkflowCourse& course);

/// Returns which workers are missing: blocking at `point`, a warning behind it (OR-07).
std::vector<Finding> check_workers(const OrchestratorSnapshot& snapshot, const WorkflowCourse& course,
                                   std::optional<std::size_t> point);

/// Whether a person may overrule a finding with this code.
bool is_acceptable(std::string_view code);

/// Returns what the state says of a story that it refers to, in the words of an epic's state; nothing if it says
/// nothing of it that could be compared.
std::optional<EpicStoryStatus> claimed_status(const OrchestratorSnapshot& snapshot, const std::string& story);

inline constexpr std::string_view kRemakeLabel = "OR-07 remake";
inline constexpr std::string_view kWorkerLabel = "OR-07 worker";
inline constexpr std::string_view kDependencyLabel = "OR-11 dependencies";

}  // namespace reprise
