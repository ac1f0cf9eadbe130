// Whether an approval still counts: for the question that a person was asked and the files that they saw when they
// approved a gate, and for what the steps behind the gate were recorded to have made of these files since. The
// planner asks when it makes a plan, the executor before it starts a step behind the gate. Pure.

#pragma once

#include <functional>
#include <string>

#include "model/run_state.h"
#include "planner/graph.h"

namespace reprise {

/// How a file looks now; null if it was not looked at.
using FileLookup = std::function<const SeenFile*(const std::string& path)>;

/// Returns the first file which the approved gate `leaf` shows that is neither as it was approved nor as a
/// finished step or an approved gate behind it has recorded it since; "" if there is none.
std::string file_changed_since_approval(const Graph& graph, int leaf, const RunState& state,
                                        const FileLookup& now);

/// Returns what the definition has made of the approved gate `leaf` since: "its question", or the first path that
/// only one of both lists of shown files has; "" if nothing has changed.
std::string redefined_since_approval(const Graph& graph, int leaf, const RunState& state);

}  // namespace reprise
