// A plan without a session: what a resume of a run would decide, from looking alone.
//
// Changes nothing, starts nothing, kills nothing. What a session would record before it plans (what the system
// behind the run reads from its state file, what became of tasks) is made part of a state in memory.

#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/app.h"
#include "app/definitions.h"
#include "executor/run_records.h"
#include "model/plan.h"
#include "model/run_state.h"
#include "planner/graph.h"

namespace reprise {

/// The plan and what it was made from; the graph points into the other two.
struct Preview {
  RunState state;
  Definition definition;
  std::unique_ptr<Graph> graph;
  Plan plan;
};

/// Changes the state that a plan is made from, in memory: for plans of what might be.
using StateChange = std::function<Result<void>(Preview&)>;

/// Returns the plan for `run` as it is, or as it would be after `change`. `from` is a person's own resume point,
/// "" for where the rules find it.
Result<std::unique_ptr<Preview>> preview(App& app, Journal& journal, const RunId& run, const std::string& from,
                                         const StateChange& change = nullptr);

/// Returns what keeps the files beside the journal that show a run's tasks or stories; null if there are none.
std::unique_ptr<RunRecords> records_of(App& app, const RunState& state);

}  // namespace reprise
