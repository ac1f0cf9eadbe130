// The projector keeps the state file of a run in step with the journal.
//
//   F3  The file is written after the events that it shows are durable; what is about to be written is among them.
//   F4  A content that is neither what was last written nor what that replaced was written by somebody else. It is
//       kept, read as an edit, and built upon; it is never overwritten unread.
//   F5  Killed at any point, the next session finds which of the contents is there, writes what was announced, and
//       reads an edit that was displaced at the last moment.

#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "base/result.h"
#include "executor/state_file.h"
#include "journal/journal.h"

namespace reprise {

class FileSystem;

class Projector : public StateFile {
 public:
  using Edit = StateFileEdit;

  /// All must outlive it. The run's state says which file it is.
  Projector(const NativeState& native, Journal& journal, FileSystem& files, std::filesystem::path project,
            std::filesystem::path store)
      : native_(native),
        journal_(journal),
        files_(files),
        project_(std::move(project)),
        store_(std::move(store)) {}

  /// Looks at the file, and at what was displaced, and finds an edit; each is given once. Nothing if there is none
  /// (more), or if the file is being written at this moment.
  Result<std::optional<Edit>> find_edit(const RunState& state) override;
  Result<void> take(const Edit& edit, bool is_readable) override;
  Result<std::string> keep(const Edit& edit, const RunState& state) override;
  Result<std::string> shown(const RunState& state) const override { return native_.show(base_, state); }

  /// Returns the event that announces the next write; nothing if the file shows `state` already.
  Result<std::optional<StateFileWritten>> prepare(const RunState& state);
  /// Writes what was announced, if anything was. Everything that was taken and prepared is durable by now.
  Result<void> write();

 private:
  Result<void> know_all_on_record(const RunState& state);
  Result<bool> look(const RunState& state);
  Result<std::optional<Edit>> find_displaced(const RunState& state);
  Result<void> drop_displaced(const std::filesystem::path& file);
  Result<std::optional<Edit>> edit_from(const std::string& base_digest, std::string now);
  std::filesystem::path place(const RunState& state) const { return project_ / state.state_file.path; }
  bool is_known(const std::string& digest) const { return known_.contains(digest) || taken_.contains(digest); }

  const NativeState& native_;
  Journal& journal_;
  FileSystem& files_;
  std::filesystem::path project_;
  std::filesystem::path store_;
  std::string base_;                   // what the next content is built upon
  std::string on_disk_;                // digest of what is in the file, "" if there is none
  std::string in_file_;                // the same of the last content there that is ours, or was read as an edit
  std::string signature_;              // of the file when it was last read
  std::optional<std::string> unread_;  // somebody's content of the file that was not given yet
  bool has_begun_ = false;
  bool has_looked_ = false;
  bool has_displaced_ = true;    // something may lie beside the file
  std::set<std::string> known_;  // digests of contents that are ours, or are on record as edits
  std::set<std::string> taken_;  // the same of edits that will be with the next write()
  std::optional<std::string> planned_;
  std::string planned_file_;  // relative to the project
};

/// Writes what was announced last, if the session that announced it ended before it could. What somebody else
/// wrote meanwhile stays.
Result<void> write_announced(Journal& journal, const std::filesystem::path& project, const RunState& state);

}  // namespace reprise
