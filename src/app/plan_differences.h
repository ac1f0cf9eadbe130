// What two plans for the same work decide differently.
//
// Decisions are compared by step, findings by code and message, what waits for a person by kind and name. Reasons,
// ages and what follows from an age alone are not compared: the same world a day later is the same world.

#pragma once

#include <string>
#include <vector>

#include "base/json_writer.h"
#include "model/plan.h"

namespace reprise {

/// One thing that differs. `was` and `is` are decisions or severities; "" if there was nothing, or is nothing now.
struct PlanDifference {
  std::string kind;  // decision, finding, gate or question
  std::string name;  // the step, the finding's code, the gate, the question
  std::string was;
  std::string is;
  std::string reason;  // of the decision or finding that is there now, else of the one that was
};

/// Returns how `after` differs from `before`, decisions first, each in the order of its plan. Pure.
std::vector<PlanDifference> differences(const Plan& before, const Plan& after);

/// Writes them as a JSON array.
void write_differences(JsonWriter& json, const std::vector<PlanDifference>& differences);

}  // namespace reprise
