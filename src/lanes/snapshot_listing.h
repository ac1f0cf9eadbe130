// Which paths of a worktree belong into its snapshot, and what has to be said about those that do not.
//
// Git decides what is tracked, untracked and ignored, by the user's own rules. What it does not tell is looked at
// here: folders with nothing in them, repositories inside, permissions of files that git does not keep.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "lanes/snapshot.h"
#include "lanes/snapshot_workshop.h"

namespace reprise {

/// A repository inside the worktree, tracked as a submodule or not.
struct NestedRepository {
  std::string path;
  std::string commit;
};

/// What belongs into a snapshot. Paths are relative to the worktree's root.
struct WorktreeListing {
  std::vector<std::string> files;  // sorted, each once; tracked ones may be gone from the disk
  std::vector<NestedRepository> nested;
  std::vector<std::string> folders;  // with nothing in them
  std::vector<FileMode> modes;
  std::vector<LeftOut> left_out;
  /// The same for the same files and nested repositories.
  std::string key() const;
};

/// Reads our copy `index` of the user's index, and what else is in the worktree.
Result<std::vector<IndexEntry>> list_entries(const Workshop& workshop, const std::string& index);

/// Makes the listing from `entries`, with what of `ignored` is there.
Result<WorktreeListing> list_worktree(const Workshop& workshop, const std::string& index,
                                      const std::vector<IndexEntry>& entries,
                                      const std::vector<std::string>& ignored);

/// Remembers which folders of a worktree are reached without following a link.
class FolderChecks {
 public:
  explicit FolderChecks(std::filesystem::path top) : top_(std::move(top)) {}
  /// Whether every folder on the way to `path` is a folder, and no link.
  bool is_reached_directly(std::string_view path);

 private:
  bool is_folder(std::string_view folder);
  std::filesystem::path top_;
  std::vector<std::pair<std::string, bool>> known_;  // the folders on the way to the last path
};

}  // namespace reprise
