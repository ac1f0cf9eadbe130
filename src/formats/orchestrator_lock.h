// The orchestrator's locks (`.aiox/locks/<name>.lock`): who says to be working on something, until when.

#pragma once

#include <string_view>

#include "base/result.h"
#include "model/orchestrator.h"

namespace reprise {

/// Without another word, a lock holds for this long.
inline constexpr long long kLockSecondsDefault = 300;

/// Reads a lock in JSON or YAML, or a bare process number. An empty one is held by nobody who says so: pid 0.
/// Invalid: it is sound and no lock. Corrupt, with the place: torn or not text. `name` is the file's without
/// ".lock".
Result<OrchestratorLock> read_orchestrator_lock(std::string_view bytes, std::string_view name);

/// Whether the lock's time has passed at `now`. One that does not say since when has not.
bool is_expired(const OrchestratorLock& lock, Timestamp now);

}  // namespace reprise
