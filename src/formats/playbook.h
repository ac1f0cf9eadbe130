// The playbook's state file (`pipeline-state.md`): recognised, and read as claims.
//
// What always holds:
//
//   A file is recognised by its title "Pipeline State" and a field `spec_hash` or `current_stage`, or without the
//   title by two of `status`, `current_stage` and `spec_hash`; other files of that name are foreign and left
//   alone. Reading a recognised file never fails on text: damage becomes oddities with their lines. It fails, with
//   a position, on bytes that are not text and on files that are too large. An empty file, and one that ends in
//   its title, are such files cut off, not foreign ones.
//   A status that is missing, unknown or contradictory is never read as one that allows a fresh start.
//
// docs: the sections and fields are those of the seed; synonyms and tables in use are in playbook_words.h.

#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/playbook.h"

namespace reprise {

/// Whether these bytes are a playbook's state file.
bool is_playbook(std::string_view bytes);

/// Whether a file that is not recognised begins as a state file, with nothing but its header, and ends in the
/// middle of a line: the rest of it is lost.
bool is_cut_off_early(std::string_view bytes);

/// Returns the number of the last line if it is a row of a table that does not end: the file was cut off there.
/// Else 0.
int cut_off_line(std::string_view bytes);

/// Returns what the file claims. Corrupt: not text (position given), too large, or not written beyond its title.
/// Invalid: not a playbook's state file. `file` is for messages only.
Result<PlaybookClaims> read_playbook(std::string_view bytes, std::string_view file);

/// Returns of that only what tells where the run stands, for looking through many files: status, current stage and
/// last update with their header fields and, where a person is waited for, the stages and the checkpoints. What
/// is given is what read_playbook() gives; what was not understood is not listed. The errors are the same.
Result<PlaybookClaims> read_playbook_standing(std::string_view bytes, std::string_view file);

}  // namespace reprise
