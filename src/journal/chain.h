// The digests that chain the events of a run (J2), and the one that ties a stored copy to its event (J3).

#pragma once

#include <cstdint>
#include <string_view>

#include "base/digest.h"
#include "base/time.h"
#include "model/ids.h"

namespace reprise {

/// An event as it is stored.
struct StoredEvent {
  EventNumber number;
  Timestamp at;
  std::string_view kind;
  std::int64_t version = 0;
  std::string_view payload;
};

/// Returns the digest of an event of `run` that follows the one with digest `previous` (all zeros for the
/// first). Every field is framed by its length, so that no byte can move from one field to the next.
Digest chain_digest(const Digest& previous, const RunId& run, const StoredEvent& event);

/// Returns the digest of a stored copy whose last event has the digest `last`.
Digest copy_digest(const Digest& last, std::string_view body);

}  // namespace reprise
