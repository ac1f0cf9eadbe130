// Finds pipelines that are told by task lists: those of coding agents that belong to this project, and with --all
// the others (TP-01, TP-02). Reads the lists and nothing else.

#pragma once

#include <string>
#include <vector>

#include "app/scan.h"
#include "app/task_lists.h"

namespace reprise {

inline constexpr std::string_view kTaskPipeline = "task-pipeline";

/// Returns the pipelines of task lists; `all` adds lists of other projects. A list that cannot be read is a
/// damaged candidate.
std::vector<Candidate> find_task_pipelines(App& app, bool all);

/// Returns the list that a candidate or a run of this subject is about; nothing if there is no such folder.
std::optional<TaskListPlace> task_list_of(App& app, const std::string& subject);

}  // namespace reprise
