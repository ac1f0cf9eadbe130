// Taking a snapshot in a workshop that the caller is already in.

#pragma once

#include <optional>
#include <string>

#include "lanes/snapshot.h"
#include "lanes/snapshot_workshop.h"

namespace reprise {

/// As take_snapshot(), for whoever already holds the workshop.
Result<Snapshot> take_snapshot_in(const Workshop& workshop, const SnapshotRequest& request);

/// A commit, read with one call.
struct CommitText {
  std::string commit;
  std::string tree;
  std::vector<std::string> parents;
  std::string message;
};
/// Reads the commit that `name` stands for; nothing if there is none.
Result<std::optional<CommitText>> read_commit(const Git& git, const std::string& name);

/// Returns the snapshot that `text` is. Invalid if it is another commit.
Result<Snapshot> snapshot_from(const CommitText& text);

}  // namespace reprise
