// Taking a snapshot in a workshop that the caller is already in.

#pragma once

#include "lanes/snapshot.h"
#include "lanes/snapshot_workshop.h"

namespace reprise {

/// As take_snapshot(), for whoever already holds the workshop.
Result<Snapshot> take_snapshot_in(const Workshop& workshop, const SnapshotRequest& request);

}  // namespace reprise
