// The playbook's state file (`pipeline-state.md`): recognised, and read as claims.
//
// What always holds:
//
//   A file is recognised by its title "Pipeline State" and a field `spec_hash` or `current_stage`; other files
//   of that name are foreign and left alone.
//   Reading a recognised file never fails on text: damage becomes oddities with their lines. It fails, with
//   a position, on bytes that are not text and on files that are too large.
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

/// Returns what the file claims. Corrupt: not text (position given), or too large. Invalid: not a playbook's
/// state file. `file` is for messages only.
Result<PlaybookClaims> read_playbook(std::string_view bytes, std::string_view file);

}  // namespace reprise
