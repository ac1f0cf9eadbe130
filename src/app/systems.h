// The systems whose state Reprise reads and continues: which one a run belongs to, and how work that was found in
// a state file becomes a run of its own.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/app.h"
#include "app/definitions.h"
#include "app/scan.h"
#include "executor/native_state.h"
#include "model/run_state.h"

namespace reprise {

/// Returns the system behind a run of `workflow`; null if it is one of the user's own.
std::unique_ptr<NativeState> system_for(App& app, const std::string& workflow, const std::string& subject);

/// Returns the system that judges a run, and that its state file belongs to; null if there is none.
std::unique_ptr<NativeState> system_behind(App& app, const RunState& state);

/// Returns where a new run of a built-in workflow keeps its state file; "" for the user's own, and for those whose
/// state is in the journal alone.
std::string state_file_of(App& app, const std::string& workflow, const std::string& subject);

/// Returns every path at which a state file of such a run is looked for, that of a new run among them.
std::vector<std::string> state_file_places(App& app, const std::string& workflow, const std::string& subject);

/// Whether runs of a workflow may have a state file.
bool may_have_state_file(std::string_view workflow);

/// Whether a run that failed cannot go on by its system's rules (PB-12).
bool is_final_when_failed(const RunState& state);

/// Returns the definition that the run of something found would have.
Result<Definition> definition_for_found(App& app, const Candidate& candidate);

/// What an id that a person gives means.
struct Meant {
  std::optional<RunId> run;            // a run of the journal
  std::optional<Candidate> candidate;  // or work that was found and is no run yet
};
/// Finds it among runs and found work together; the better match wins. Of the two for one subject it is the run,
/// unless the run is over and its state file has changed since; an id with a number means that run in any case.
/// Fails with NotFound, or with Invalid and the candidates if several fit. `journal` may be null: nothing has run
/// here.
Result<Meant> find_work(App& app, Journal* journal, const std::string& text);

}  // namespace reprise
