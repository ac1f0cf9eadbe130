// What `fresh` and `repair` set aside: state files and folders of a subject, kept in the store's archive, from
// where `undo` brings them back; and what undo took away again is kept in the same place. Nothing is ever deleted.
//
// An archive is a folder `archive/<n>-<subject>/` with `manifest.json` (which work, when, by whom, what lay where)
// and the files below `files/`; what was put in their place and taken away by undo lies below `replaced/`. The
// manifest is written first and says what is going to be moved; a move that was cut off is completed by whoever
// does it again, since every file is in exactly one place.

#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/app.h"
#include "base/result.h"

namespace reprise {

struct ArchiveEntry {
  int number = 0;
  std::string id;                  // of the work: "playbook/001-login"
  std::vector<std::string> paths;  // files and folders, relative to the project; a task list's is absolute
  std::vector<std::string> lanes;  // names, of run `id`, that were rolled back or removed; then there are no paths
  bool removed = false;            // they were removed
  bool is_run = false;             // the run `id` itself was put away, with these lanes
  bool created = false;            // nothing lay at `paths` before: undo takes them away
  std::map<std::string, std::string> replacements;  // digest of what was put in place of a path, by path
  Timestamp at;
  std::string by;
  bool restored = false;  // undo has brought it back
  Timestamp changed_at;   // when it was last set aside or brought back
};

/// Moves `paths` of the project into a new archive for `id`. Paths that are not there are left out.
Result<ArchiveEntry> archive_paths(App& app, const std::string& id, const std::vector<std::string>& paths);

/// Makes `bytes` the content of the file `path`, and keeps what it held in a new archive for `id`. At no moment
/// is there no file.
Result<ArchiveEntry> archive_and_replace(App& app, const std::string& id, const std::string& path,
                                         const std::string& bytes);

/// The same for several files in one archive; those whose new content is "" are taken away.
Result<ArchiveEntry> archive_and_change(App& app, const std::string& id,
                                        const std::map<std::string, std::string>& contents);

/// Notes that the file `path` was made where there was none, for `undo`.
Result<void> note_created(App& app, const std::string& id, const std::string& path);

/// Notes that lanes of run `id` were rolled back or removed: what was there is kept by git, this is for `undo`.
Result<ArchiveEntry> note_lanes(App& app, const std::string& id, const std::vector<std::string>& lanes,
                                bool removed);
/// Removes a note of lanes, for what was not done after all.
Result<void> forget_note(App& app, const ArchiveEntry& entry);

/// Notes that run `id` is put away with its worktrees, those of `lanes`, for `undo`.
Result<void> note_run(App& app, const std::string& id, const std::vector<std::string>& lanes);

/// Returns all archives, oldest first.
Result<std::vector<ArchiveEntry>> archives(App& app);

/// Returns where an archived file lies.
std::filesystem::path archived_place(const App& app, const ArchiveEntry& entry, const std::string& path);
/// Returns the content of an archived file.
Result<std::string> read_archived(App& app, const ArchiveEntry& entry, const std::string& path);

/// Brings back what `entry` holds. Conflict, and nothing is moved, if something else is in its place now.
Result<void> restore(App& app, const ArchiveEntry& entry);
/// Takes restore() back: what was brought back is set aside again, and what it had replaced is there again.
Result<void> set_aside_again(App& app, const ArchiveEntry& entry);
/// Notes which of the two was done last.
Result<void> mark_restored(App& app, ArchiveEntry entry, bool restored);

}  // namespace reprise
