// The orchestrator's workflows as systems behind runs: epic, QA loop, story cycle, spec pipeline, and whatever a
// general workflow state lists (OR-01 … OR-17).

#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/adoption.h"
#include "app/app.h"
#include "app/definitions.h"
#include "app/scan.h"
#include "executor/native_state.h"
#include "model/orchestrator_snapshot.h"

namespace reprise {

inline constexpr std::string_view kOrchestrator = "orchestrator";

/// Returns which of the orchestrator's workflows this is; nothing if it is none.
std::optional<OrchestratorKind> orchestrator_kind(std::string_view workflow);

/// Returns the system behind a run of `workflow`; null if it is not one of these.
std::unique_ptr<NativeState> orchestrator_system(App& app, const std::string& workflow,
                                                 const std::string& subject);

/// Returns where a new run keeps its state; "" if it is not one of these.
std::string orchestrator_state_file(App& app, const std::string& workflow, const std::string& subject);

/// Returns what a plan for something that was found is made from.
Result<OrchestratorSnapshot> look_at_found_orchestrator(App& app, const Candidate& candidate);

/// Reads the adoption of an epic, a loop, a story, a spec or a general workflow.
Result<Adoption> read_orchestrator_adoption(App& app, const Candidate& candidate);

/// Returns the definition that such a run has.
Result<Definition> orchestrator_definition(App& app, const Candidate& candidate);

/// Returns the mode that the work was started with by its own state: it is the run's (OR-17).
Mode recorded_mode(const OrchestratorSnapshot& seen);

/// Returns the definition of a new run of an epic.
Result<Definition> load_epic(App& app, const std::string& subject);

/// Returns the values that a run needs besides those that a person gives: where its story or its folder is, which
/// waves there are.
std::map<std::string, std::string> orchestrator_values(App& app, const std::string& workflow,
                                                       const std::string& subject);

}  // namespace reprise
