// What a recovery says to others, in the seed's shapes: L1 in YAML, L2 in Markdown, and one line (TP-22).
//
// Pure, and the same recovery gives the same bytes. Counts are of work tasks; the permanent one is not among them.
// Foreign text is shown on one line and without anything that could act on a terminal or break the shape.

#pragma once

#include <string>
#include <string_view>

#include "model/task_snapshot.h"
#include "planner/task_checklist.h"
#include "planner/task_rules.h"

namespace reprise {

/// Returns the L1 document: the seed's keys in the seed's order, then failed_tasks, stale_tasks and suspect_tasks
/// where there are any, and contradictions. Without a permanent task a line `status: no_pt_found` follows the
/// skill.
std::string task_report_l1(const TaskRecovery& recovery);

/// Returns the L2 report.
std::string task_report_l2(const TaskSnapshot& snapshot, const TaskRecovery& recovery,
                           const TaskReportState& state);

/// Returns "PASS|resume:P6|tasks:7/12|ref:PATH" without a line end; `resume:none` if everything is delivered, and
/// "FAIL|reason:CODE|tasks:7/12|ref:PATH" if it cannot resume.
std::string task_report_signal(const TaskRecovery& recovery, std::string_view ref);

}  // namespace reprise
