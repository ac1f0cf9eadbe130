// A plan without a session: what a resume would decide, from looking alone.
//
// Changes nothing, starts nothing, ends nothing. It makes the plan with prepare(), as a session does, on a state
// in memory: that of a recorded run, or the one that external work would have once it is adopted.

#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/app.h"
#include "app/definitions.h"
#include "app/systems.h"
#include "executor/run_records.h"
#include "model/plan.h"
#include "model/run_state.h"
#include "planner/graph.h"

namespace reprise {

/// The plan and what it was made from; the graph points into the other two.
struct Preview {
  RunState state;
  Definition definition;
  std::unique_ptr<Graph> graph;  // null: the state is too damaged to become a run, and the plan has findings only
  std::optional<StepPath> ask_first;
  Plan plan;
};

/// Changes the state that a plan is made from, in memory: for hypothetical plans.
using StateChange = std::function<Result<void>(Preview&)>;

/// Returns the plan for `run` as it is, or as it would be after `change`. `from` is a person's own resume point,
/// "" for where the rules find it.
Result<std::unique_ptr<Preview>> preview(App& app, Journal& journal, const RunId& run, const std::string& from,
                                         const StateChange& change = nullptr);

/// Returns the plan that a decision about `run` is checked against: a failed run is not reopened for it.
Result<std::unique_ptr<Preview>> preview_for_decision(App& app, Journal& journal, const RunId& run);

/// The same for external work.
Result<std::unique_ptr<Preview>> preview(App& app, const Candidate& candidate, const std::string& from);

/// The same for whichever of the two an id means. `journal` may be null if nothing has run here.
Result<std::unique_ptr<Preview>> preview(App& app, Journal* journal, const Meant& meant, const std::string& from);

/// The same with external work adopted in memory, and planned as the run that it would be.
Result<std::unique_ptr<Preview>> preview_adopted(App& app, const Candidate& candidate, const std::string& from,
                                                 const StateChange& change = nullptr);
Result<std::unique_ptr<Preview>> preview_adopted(App& app, Journal* journal, const Meant& meant,
                                                 const std::string& from, const StateChange& change = nullptr);

/// Returns what keeps the files beside the journal that show a run's tasks or stories; null if there are none.
std::unique_ptr<RunRecords> records_of(App& app, const RunState& state);

}  // namespace reprise
