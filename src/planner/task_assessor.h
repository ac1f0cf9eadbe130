// Decides about every task and every phase of a pipeline, by the tables, and finds where it goes on.
//
// What moves (is not done, or has to be done again) is settled task by task and phase by phase first; what waits
// for it is found from there in one walk. So no decision depends on the order in which tasks are listed.

#pragma once

#include <optional>

#include "planner/task_facts.h"
#include "planner/task_rules.h"

namespace reprise {

/// Fills in phases, decisions, last completed and resume phase and the granularity of `recovery`. `repeats` is a
/// phase that the user wants done again although it is done.
void assess(const TaskSnapshot& snapshot, const TaskFacts& facts, std::optional<TaskPhase> repeats,
            TaskRecovery& recovery);

}  // namespace reprise
