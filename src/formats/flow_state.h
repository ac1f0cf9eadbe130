// The state of a workflow other than an epic or a QA loop, in YAML or JSON, as claims, in its five dialects.
//
//   record      execution_id, workflow, current_phase, phases_completed
//   checkpoint  the same at rest: paused_at or aborted_at, epic_progress
//   instance    workflow_id with instance_id or steps, each with a status
//   cycle       workflowId, currentPhase, phaseResults by phase
//   master      storyId, currentEpic, epics by number
//
// What each dialect calls a step becomes one, in order.

#pragma once

#include <string_view>

#include "base/result.h"
#include "formats/state_tree.h"
#include "model/orchestrator.h"

namespace reprise {

/// Reads the file. Where its YAML is broken, what its lines give, with `damaged` set. Invalid: it is sound and
/// something else ("is not a workflow's state"). Corrupt, with the place: torn JSON, empty, not text, or broken
/// and not recognized. `file` is for messages only.
Result<FlowClaims> read_flow_state(std::string_view bytes, std::string_view file);

/// Returns the map that holds the state, below a root of its own or not.
const StateValue& flow_root(const StateValue& root);
/// Returns the dialect of such a map; "" if it is none.
std::string_view flow_dialect(const StateValue& root);

}  // namespace reprise
