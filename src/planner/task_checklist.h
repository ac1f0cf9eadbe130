// The reconstruction checklist and the quality gate of a recovery, item by item in the seed's order, each with
// what came of it (TP-21, TP-22). An item that did not pass names the way it goes on from there. Pure.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/task_snapshot.h"
#include "planner/task_rules.h"

namespace reprise {

/// How far a resume got that the report is about.
struct TaskReportState {
  std::string ref;            // where the report is kept
  bool is_presented = false;  // a person was shown what will be done
  bool is_updated = false;    // the permanent task was written
};

struct ChecklistItem {
  std::string_view text;
  bool is_passed = false;
  std::string outcome = {};
  std::string route = {};  // of one that did not pass: where that leads; "" if it is only still to be done
};

/// Returns the twelve items of the checklist.
std::vector<ChecklistItem> task_checklist(const TaskSnapshot& snapshot, const TaskRecovery& recovery,
                                          const TaskReportState& state);
/// Returns the seven items of the quality gate.
std::vector<ChecklistItem> task_quality_gate(const TaskSnapshot& snapshot, const TaskRecovery& recovery,
                                             const TaskReportState& state);

}  // namespace reprise
