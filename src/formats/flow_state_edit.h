// Changes of a workflow's state in any of its dialects (flow_state.h), in YAML or JSON, and a new one. What a
// dialect has no place for is left out.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/orchestrator.h"

namespace reprise {

/// What a step is to say. In a record and a checkpoint, which list only what is done, a step that is not completed
/// has no place.
struct FlowStepChange {
  std::string name;
  std::string status;  // pending, in_progress, completed, skipped
  std::string output = {};
};

struct FlowChange {
  std::optional<FlowStatus> status = {};
  std::optional<std::string> current_phase = {};
  std::optional<std::string> current_agent = {};
  std::optional<Timestamp> updated_at = {};
  std::vector<FlowStepChange> steps = {};
};

/// Returns the file with the change made; steps that are missing are added. The same twice is once. Invalid: not a
/// workflow's state. Corrupt: damaged. Unavailable: a place that is not changed in place.
Result<std::string> change_flow_state(std::string_view bytes, const FlowChange& change);

/// What a new file begins with.
struct NewFlowState {
  std::string execution_id;
  std::string workflow;
  std::string story = {};
  std::string epic = {};
  std::string current_phase = {};
  std::string current_agent = {};
  Timestamp started_at = {};
};

/// Returns a new file, a record in YAML: active, no phase completed.
std::string new_flow_state(const NewFlowState& flow);

}  // namespace reprise
