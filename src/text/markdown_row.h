// A row of a pipe table: where its cells are, and a cell's text as it is written.

#pragma once

#include <string>
#include <string_view>

#include "text/markdown.h"

namespace reprise {

/// Splits the line `span` of `text` at its pipes; "\|" is a pipe in a cell, in code spans too. A line that is
/// nothing but a pipe has no cells.
MarkdownRow split_row(std::string_view text, TextSpan span, int line);

/// Whether the line is a delimiter row: cells of hyphens, each with or without a colon at its ends.
bool is_delimiter_row(std::string_view line);
/// Returns the number of cells of a delimiter row, 0 if the line is none.
std::size_t delimiter_cells(std::string_view line);

/// Returns `value` as it stands in a cell: trimmed, "|" as "\|", line ends as "<br>", no control characters.
/// What is read from the cell is `value`, if it was trimmed and on one line.
std::string escape_cell(std::string_view value);

/// Returns `value` on one line: line ends and control characters become single spaces, the ends are trimmed.
std::string on_one_line(std::string_view value);

}  // namespace reprise
