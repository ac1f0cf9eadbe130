// The epic's execution plan (`EPIC-<ID>-EXECUTION.yaml`): stories, waves, gates and the order of merges, as
// claims.
//
// Read in all forms that are found: any root, waves as a list or a map, `wave` or `number`, dependencies `wave-1`
// or `1`, a gate's agent inside it or beside it, merges by story or by branch. A plan without waves is one wave
// whose stories come one after another; a plan whose stories say their wave is grouped by it. Never written by us.

#pragma once

#include <string_view>

#include "base/result.h"
#include "model/orchestrator.h"

namespace reprise {

/// Reads the file. Where its YAML is broken, what its lines give, with `damaged` set. Invalid: it is sound and
/// something else ("is not an execution plan"). Corrupt: empty, not text, or broken and not recognized. `file` is
/// for messages only.
Result<ExecutionPlanClaims> read_execution_plan(std::string_view bytes, std::string_view file);

}  // namespace reprise
