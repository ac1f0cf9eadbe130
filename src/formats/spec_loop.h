// The spec loop's index file (`specs/<feature>/.workflow/index.md`): recognised, and read as claims.
//
// What always holds:
//
//   A file is recognised by its place and its key fields, whatever its title is: a section "Priority Loop State",
//   a field "Loop Status", or both gaps and questions. Other files of that name are foreign and left alone.
//   Reading a recognised file never fails on text: damage becomes oddities with their lines. It fails, with
//   a position, on bytes that are not text and on files that are too large. An empty file, and one that ends in
//   its title, are such files cut off, not foreign ones.
//   A status that is missing, unknown or contradictory is never read as one that allows a fresh start.
//   What the integrity rules (SL-09) object to is part of what was read; nobody can forget to ask.
//
// docs: the sections and fields are those of the seed; synonyms and tables in use are in spec_loop_words.h.

#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/spec_loop.h"

namespace reprise {

/// Whether these bytes are the index file of a spec loop.
bool is_spec_loop(std::string_view bytes);

/// Returns what the file claims. Corrupt: not text (position given), too large, or not written beyond its title.
/// Invalid: not an index file. `file` is for messages only.
Result<SpecLoopClaims> read_spec_loop(std::string_view bytes, std::string_view file);

/// Returns of that only what tells where the loop stands, for looking through many files: its loop fields, the
/// description, questions and gaps without their texts, history, answers, and the faults. What is given is what
/// read_spec_loop() gives; what was not understood is not listed. The errors are the same.
Result<SpecLoopClaims> read_spec_loop_standing(std::string_view bytes, std::string_view file);

}  // namespace reprise
