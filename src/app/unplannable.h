// External work whose state is too damaged to become a run: its plan has findings, and no steps.

#pragma once

#include <optional>

#include "app/app.h"
#include "app/scan.h"
#include "model/plan.h"

namespace reprise {

/// Returns the plan of `candidate` if it cannot be adopted; nothing if it can.
Result<std::optional<Plan>> plan_of_unplannable(App& app, const Candidate& candidate);

/// Returns the plan of a system whose external work is not planned by adopting it in memory yet; nothing for the
/// others. A system leaves this list when its judgement says of adopted work all that its plan says.
Result<std::optional<Plan>> plan_by_rules_alone(App& app, const Candidate& candidate, const std::string& from);

}  // namespace reprise
