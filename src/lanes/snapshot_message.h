// What a snapshot's commit message says: a line for people, and behind it everything that trees cannot hold.
//
// The last block of the message, from "Reprise-Snapshot: 1" on, is ours. Paths in it are written so that a line is
// a line whatever bytes a name has, and no message of the caller's can be taken for it: the last such block
// counts.

#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "lanes/snapshot.h"

namespace reprise {

/// Returns the message for `snapshot`, whose commit does not exist yet.
std::string write_snapshot_message(const Snapshot& snapshot);
/// Fills in what `message` says. Invalid if it is not the message of a snapshot.
Result<void> read_snapshot_message(std::string_view message, Snapshot& snapshot);

/// Returns `path` with every byte that is not plain ASCII as %XX, and back.
std::string encode_path(std::string_view path);
std::string decode_path(std::string_view text);

}  // namespace reprise
