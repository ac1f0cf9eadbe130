// The events of a run as text that travels, and what follows from them: the chain, the state, the texts they name.

#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/result.h"
#include "journal/journal.h"
#include "model/event.h"
#include "model/run_state.h"

namespace reprise {

/// Returns all events of a run.
Result<std::vector<RecordedEvent>> whole_history(Journal& journal, const RunId& run);

/// Returns events as lines of JSON, each with number, time in milliseconds, kind, version and the event as the
/// journal encodes it.
std::string to_lines(std::span<const RecordedEvent> events);

/// Reads them back. Invalid at the first line that is none.
Result<std::vector<RecordedEvent>> parse_lines(std::string_view lines);

/// Returns the digest that the journal gives each of `events` as events of `run` (J2). Two histories are the same
/// up to an event if they have the same digest there.
std::vector<Digest> chain_of(const RunId& run, std::span<const RecordedEvent> events);

/// Returns what the events add up to. Invalid if they cannot follow one another.
Result<RunState> fold(const RunId& run, std::span<const RecordedEvent> events);

/// Returns every digest that an event mentions; some of them are those of texts that the journal keeps.
std::set<std::string> digests_named(std::span<const RecordedEvent> events);

/// Checks what later work uses as a path or a reference without another look: that no state file, step, lane or
/// snapshot of the history lies outside of its folder or its references. Fails with Invalid, with the first that
/// does.
Result<void> check_places(std::span<const RecordedEvent> events);

}  // namespace reprise
