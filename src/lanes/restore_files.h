// The files of a restore: what goes, what stands in the way, what is written.
//
// Everything that is removed here is in the rescue snapshot; the caller has seen to it. Nothing is reached through
// a link, no folder is removed that has anything left in it.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "lanes/restore_target.h"
#include "lanes/snapshot_workshop.h"

namespace reprise {

/// Returns what stands on the disk where `changes` want a file, and is not in the snapshot that they start from.
std::vector<std::string> find_obstacles(const Git& git, const std::vector<TreeChange>& changes);

/// Conflict if anything of `obstacles` is not among `rescued`, sorted: it could not be set aside.
Result<void> check_set_aside(const Git& git, const std::vector<std::string>& obstacles,
                             const std::vector<std::string>& rescued);

/// Conflict if a nested repository stands where `changes` want a file.
Result<void> check_no_repository_in_the_way(const Git& git, const std::vector<TreeChange>& changes);

/// Removes files, and the folders that become empty by it. Ones that are gone already are fine. Returns how many
/// there were.
Result<std::size_t> remove_files(const Git& git, const std::vector<std::string>& paths);

/// Makes room for `path`: removes a file or link that stands where a folder is needed, and a folder with all that
/// is in it, file by file, if each of these is in `rescued`, sorted. Conflict otherwise.
Result<void> make_room(const Git& git, const std::string& path, const std::vector<std::string>& rescued);

/// Writes `paths` from `tree`, bytes as they are.
Result<void> write_raw(const Workshop& workshop, const std::string& tree, const std::vector<std::string>& paths);

/// Makes permissions and empty folders what the target says. `modes` are the unusual ones that files of the target
/// have now.
Result<void> install_details(const Git& git, const Snapshot& target, const std::vector<FileMode>& modes);

}  // namespace reprise
