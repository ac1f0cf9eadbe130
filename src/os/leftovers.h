// Temporary files of FileSystem::replace() whose writer was killed.
//
// A writer holds a kernel lock on its temporary file from its creation until it has its final name. The lock ends
// with the process, however that ends, so a temporary file without one belongs to a dead writer.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "os/file_system.h"

namespace reprise {

struct TemporaryFile {
  std::filesystem::path path;
  Fd fd;  // open for writing; holds the lock
};

/// Creates a temporary file in `folder`, empty and with mode 0600, and locks it. Where the file system has no
/// locks it is not locked, and no remove_leftovers() removes it there.
Result<TemporaryFile> create_temporary(const std::filesystem::path& folder);

/// Returns the temporary files of dead writers in `folder`, not in the folders below it; none if it cannot be
/// read.
std::vector<std::filesystem::path> find_leftovers(const std::filesystem::path& folder);

/// Removes the temporary files of dead writers in `folder` and returns those that it removed. One that cannot be
/// removed stays: it is in no one's way.
std::vector<std::filesystem::path> remove_leftovers(const std::filesystem::path& folder);

}  // namespace reprise
