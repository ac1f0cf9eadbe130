// The definition of a run that is made from what the orchestrator's own files list, instead of being read from
// YAML: the waves and stories of an epic, the steps of a general workflow state.

#pragma once

#include <map>
#include <string>

#include "app/app.h"
#include "app/definitions.h"
#include "model/orchestrator_snapshot.h"

namespace reprise {

/// Returns the definition for `snapshot`, an epic or a general state: stories of a wave side by side, a gate after
/// them, waves one after the other; the steps of a general state in order. Invalid if nothing lists any.
Result<Definition> course_definition(const OrchestratorSnapshot& snapshot);

/// Returns the values of a run of it: where the execution plan is, and which stories the waves have.
std::map<std::string, std::string> course_values(const OrchestratorSnapshot& snapshot);

}  // namespace reprise
