// What lies at a path, seen without following it: for questions where a link, an owner or a birth decides.

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/result.h"
#include "os/file_system.h"

namespace reprise {

/// One name and the thing behind it. The same thing has the same device and inode.
struct PathLook {
  FileType type = FileType::Regular;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  int owner = -1;                            // user number
  std::int64_t modified_ns = 0;              // since 1970
  std::optional<std::int64_t> born_ns = {};  // since 1970; nothing where the file system does not keep it
  bool is_same_as(const PathLook& other) const { return device == other.device && inode == other.inode; }
};

/// Returns what is at `path`, the link itself if it is one; nothing if there is nothing.
Result<std::optional<PathLook>> look_at(const std::filesystem::path& path);

/// Whether what is written at `path` is gone when the machine is: a file system in memory. `path` or the nearest
/// folder above it that exists.
Result<bool> is_on_volatile_file_system(const std::filesystem::path& path);

/// Returns the user that process `pid` runs as; nothing if there is no such process.
std::optional<int> user_of_process(int pid);

/// Syncs a file. git syncs objects, branches and the index, and not HEAD and what
/// it writes about a worktree: after a power cut they may be empty, and then no command of git works (P27).
Result<void> sync_what_git_wrote(const std::filesystem::path& file);

}  // namespace reprise
