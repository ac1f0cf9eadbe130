// What `fresh` sets aside: state files and folders of a subject, moved into the store's archive, from where `undo`
// brings them back. Nothing is ever deleted by a fresh start.
//
// An archive is a folder `archive/<n>-<subject>/` with `manifest.json` (which work, when, by whom, what lay where)
// and the files below `files/`. The manifest is written first and says what is going to be moved; a move that was
// cut off is completed or taken back by whoever looks next, since every path is in exactly one of the two places.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/app.h"
#include "base/result.h"

namespace reprise {

struct ArchiveEntry {
  int number = 0;
  std::string id;                  // of the work: "playbook/001-login"
  std::vector<std::string> paths;  // relative to the project: files and folders
  Timestamp at;
  std::string by;
  bool restored = false;  // undo has brought it back
};

/// Moves `paths` of the project into a new archive for `id`. Paths that are not there are left out.
Result<ArchiveEntry> archive_paths(App& app, const std::string& id, const std::vector<std::string>& paths);

/// Returns all archives, oldest first.
Result<std::vector<ArchiveEntry>> archives(App& app);

/// Returns the content of an archived file.
Result<std::string> read_archived(App& app, const ArchiveEntry& entry, const std::string& path);

/// Brings back what `entry` holds. Conflict, and nothing is moved, if something else is in its place now.
Result<void> restore(App& app, const ArchiveEntry& entry);

}  // namespace reprise
