// The permanent task of a list: what the pipeline is about, and how far it says it is.
//
// What always holds:
//
//   There is at most one. Of several the one counts that is not marked as a duplicate, not completed, says most,
//   and was changed last; the others are named.
//   The current phase comes from the first source that gives one: the metadata, its phase signals, a table or list
//   in the description, the work tasks. Of a source that disagrees with itself the less finished reading counts.
//   A word that is none of ours is listed and the next source is asked; a phase beyond P8 is listed and left out.

#pragma once

#include <optional>
#include <vector>

#include "model/task.h"

namespace reprise {

/// Returns the permanent task of `tasks`, which are a whole list; nothing if there is none. What was not
/// understood is added to `oddities`; text is the task's file.
std::optional<PermanentTask> find_permanent_task(const std::vector<TaskClaim>& tasks,
                                                 std::vector<Oddity>& oddities);

/// Returns how far these phases say it is on the tier's path: the first that has not passed, else the one behind
/// the last that has. Nothing if none of them says anything.
std::optional<TaskPhase> phase_reached(const std::vector<ClaimedPhase>& phases, TaskTier tier);

/// Returns what the work tasks say of each phase: passed if all of its tasks are completed.
std::vector<ClaimedPhase> phases_of_work(const std::vector<TaskClaim>& tasks);

}  // namespace reprise
