// Locks of the orchestrator (.aiox/locks, .aios/locks): which workflows they are about, and whether whoever took
// them is still there (OR-15).
//
// To miss a lock would let work be done twice, so a lock that names nothing in particular is about everything, and
// one that names no process counts as held until its time is over.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/found_files.h"
#include "model/orchestrator_snapshot.h"

namespace reprise {

/// Returns all locks. One that cannot be read is one that names no process; its time begins with its file's.
std::vector<LockSeen> read_orchestrator_locks(FoundFiles& files, Timestamp now);

/// Whether a lock is about this workflow or one of its stories, by its name and its resource.
bool is_lock_on(const LockSeen& lock, const OrchestratorSnapshot& workflow);

/// Whether it keeps others away at `now`: somebody is there, and its time is not over.
bool is_held(const LockSeen& lock, Timestamp now);

/// Whether `text` names `id`: as a whole, so that "story-2.10" does not name 2.1.
bool mentions(std::string_view text, std::string_view id);

}  // namespace reprise
