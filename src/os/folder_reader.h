// Reads many small files below one folder, with the fewest calls that still never leave it.
//
// The kernel itself is asked to stay below the folder while it follows the path. What it will not answer so (an
// absolute link, a file without permission, a pipe, an old kernel) is Unclear and nothing is decided: the caller
// looks at it the long way. Nothing is ever read that lies outside.

#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "base/time.h"
#include "os/file_system.h"

namespace reprise {

class FolderReader {
 public:
  /// A file's content, and when it was last changed: asked before it is read, so that a file that is replaced
  /// meanwhile looks older than it is, never newer.
  struct File {
    std::string bytes;
    Timestamp modified;
  };
  enum class Answer { Read, Missing, Unclear };

  /// A folder that cannot be opened makes every answer Unclear.
  explicit FolderReader(const std::filesystem::path& folder);

  /// Reads the file at `path`, which is relative to the folder, into `file`. Missing: nothing has that name. A
  /// link that leads to nothing is Unclear, and so is a file that is longer than `bytes_max`, or changes while it
  /// is read.
  Answer read(const std::string& path, std::size_t bytes_max, File& file) const;

 private:
  Fd folder_;
};

}  // namespace reprise
