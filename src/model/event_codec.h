// Events to and from the JSON in which they are stored: the only place where names on disk are made.
//
// Fields at their default are left out, unknown fields of a newer version are ignored. A kind that is
// not known is Corrupt: folding a history without one of its events would be a guess.

#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/event.h"

namespace reprise {

/// The version that encode() writes.
inline constexpr int kEventVersion = 1;

/// Returns the token of the event's kind: "attempt_started".
std::string_view kind_of(const Event& event);

/// Returns the event's fields as one JSON object.
std::string encode(const Event& event);

/// Reads what encode() wrote. Corrupt if `kind` or `version` is not known or `json` does not fit.
Result<Event> decode(std::string_view kind, int version, std::string_view json);
/// The same into `event`, which is not moved: a history of 20,000 events is read at every `status`.
Result<void> decode_into(std::string_view kind, int version, std::string_view json, Event& event);

}  // namespace reprise
