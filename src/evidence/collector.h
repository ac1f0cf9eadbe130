// Looks at the world for what a plan depends on: files, their digests, the declared checks.
//
// Reads only (X1): it is given a FileReader. A file whose signature (device, inode, size, times) is the
// recorded one is not read again; otherwise its content is hashed. A folder's digest covers the names
// and contents below it; a folder that links lead to again is covered once. Paths are relative to one root.

#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/event.h"
#include "model/run_snapshot.h"
#include "model/workflow.h"

namespace reprise {

class FileReader;

class Collector {
 public:
  Collector(FileReader& files, std::filesystem::path root) : files_(files), root_(std::move(root)) {}

  /// Returns how `path` looks now; an empty digest if it is not there. `known` (may be null) is an
  /// earlier look whose digest is taken over when the signature is the same. What cannot be read has the digest
  /// "unreadable": it differs from what was recorded when it could be. Fails only if the disk does.
  Result<SeenFile> look(const std::string& path, const SeenFile* known);

  /// The same, but says why `path` cannot be read.
  Result<SeenFile> read(const std::string& path, const SeenFile* known);

  /// Whether the product at `path` exists and passes its check, except for a `run:` check, which
  /// executes something and is the executor's part. The text says what is wrong; empty: nothing.
  Result<std::string> product_fault(const std::string& path, const CompleteCheck& complete);

 private:
  struct Visit {
    std::set<std::string>& folders;                   // the signatures of those that are covered
    std::vector<std::filesystem::path>& executables;  // those that were found
    int depth = 0;
  };
  Result<Digest> digest_of_tree(const std::filesystem::path& path, Visit visit);
  Result<std::string> find_fault(const std::string& path, const CompleteCheck& complete);

  FileReader& files_;
  std::filesystem::path root_;
};

}  // namespace reprise
