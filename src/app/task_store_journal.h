// Task lists that are kept in the journal: those of runs whose list has no folder of its own (TP-01).
//
// Changes go to the process that owns the run, where one is alive, and are recorded there in the order in which
// they come; an id is given once.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/app.h"
#include "app/task_lists.h"

namespace reprise {

/// Returns the run whose list `name` means: `task-pipeline/NAME`, or a run by its id. With an empty name the run
/// that this process works for. Nothing if there is no such run, it does no tasks, or its list has a folder.
Result<std::optional<RunId>> run_with_list(App& app, const std::string& name);

/// Returns the runs that have tasks in the journal alone, oldest first.
Result<std::vector<RunId>> runs_with_lists(App& app);

std::unique_ptr<TaskStore> open_task_journal(App& app, RunId run);

}  // namespace reprise
