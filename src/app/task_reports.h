// The recovery report of a task pipeline in the seed's three shapes, and where a resume leaves it (TP-21, TP-22).

#pragma once

#include <string>

#include "app/app.h"
#include "app/systems.h"
#include "base/result.h"

namespace reprise {

/// Returns the report on what is meant: "l1", "l2", "signal", or "full", which is all three. Changes nothing.
/// Invalid if it is no task pipeline. `from` is the phase that a person wants to go on from, "" for the one that
/// is found.
Result<std::string> task_pipeline_report(App& app, Journal* journal, const Meant& meant, const std::string& form,
                                         const std::string& from);

/// Returns where a resume of `run` leaves its report, relative to the store. It is written, never read.
std::string task_report_place(const RunId& run);

/// Returns the report that a resume of this run leaves, before it changes anything; "" for other runs. `from` as
/// above.
Result<std::string> report_before_resume(App& app, const RunState& state, const std::string& from);
/// Leaves it in the folder of the run.
Result<void> leave_task_report(App& app, const RunId& run, const std::string& report);

}  // namespace reprise
