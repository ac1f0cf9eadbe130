// Takes the snapshot that a plan is made from: looks at every file that the record mentions, at open
// attempts, at the products of steps that were cut off. Changes nothing.

#pragma once

#include <functional>

#include "base/result.h"
#include "executor/attempt.h"
#include "model/run_snapshot.h"
#include "planner/graph.h"

namespace reprise {

/// Says what is seen of an open attempt.
using SightOf = std::function<Result<Sight>(const StepPath& step, std::int64_t attempt)>;

/// `definition` is the digest of `workflow` as stored; `state`, `workflow` and `graph` must belong together
/// and outlive the snapshot.
Result<RunSnapshot> take_run_snapshot(const RunState& state, const Workflow& workflow,
                                      const std::string& definition, const Graph& graph, Attempts& attempts,
                                      Collector& collector, const SightOf& sight, Timestamp now);

}  // namespace reprise
