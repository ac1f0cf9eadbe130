// The files that a workflow of the orchestrator refers to: where they are, which step needs them and which makes
// them (OR-02, OR-07).
//
// Paths in state files may come from another machine: one that is not there is looked for by its tail. Nothing
// outside of the project is ever looked at.

#pragma once

#include <string>
#include <vector>

#include "app/found_files.h"
#include "model/orchestrator_snapshot.h"
#include "planner/orchestrator_course.h"

namespace reprise {

/// Returns the path in the project that is meant by a path as it is written: relative to the project, or with the
/// longest tail that is there. One that is nowhere comes back tidied up; "" if it cannot be a path in here.
std::string path_in_project(App& app, std::string_view written);

/// Finds and reads the execution plan of an epic: the one that its state names, else EPIC-<ID>-EXECUTION.yaml in
/// the usual folders. One that cannot be read is listed among the state's oddities.
void find_execution_plan(App& app, FoundFiles& files, OrchestratorSnapshot& seen);

/// Returns where a story of the epic's execution plan is said to be; "" if the plan does not say.
std::string planned_story_file(App& app, const OrchestratorSnapshot& seen, std::string_view id);

/// Returns the files that the workflow refers to, each once. `course` is where it stands.
std::vector<ReferencedFile> referenced_files(App& app, const OrchestratorSnapshot& seen,
                                             const WorkflowCourse& course);

/// Returns a file as it is now.
ReferencedFile look_at_file(App& app, std::string path, FileRole role);

}  // namespace reprise
