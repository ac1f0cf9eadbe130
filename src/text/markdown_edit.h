// Byte-exact changes of a Markdown document: look something up, get the edit that changes it.
//
//   const MarkdownDocument document(bytes);
//   const MarkdownSection* notes = document.find_section("Notes");
//   bytes = apply_edits(bytes, {append_to_section(document, *notes, "Resumed.")});
//
// Every function returns an edit of its own few bytes (F2) in the style that the document has there: column
// order, pipes, indentation, bullet, bold keys, line endings. Edits of different places of one document
// may be applied together. Values are escaped: a cell stays a cell, a field stays on its line.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "text/markdown_document.h"

namespace reprise {

/// Sets one cell. A row that is too short is filled up to the column.
TextEdit set_cell(const MarkdownDocument& document, const MarkdownRow& row, std::size_t column,
                  std::string_view value);
/// Sets several cells of a row at once.
std::vector<TextEdit> set_cells(const MarkdownDocument& document, const MarkdownRow& row,
                                const std::map<std::size_t, std::string>& values);
/// Adds a row below the last one, with `cells` in the table's order of columns; missing ones are empty.
TextEdit append_row(const MarkdownDocument& document, const MarkdownTable& table,
                    const std::vector<std::string>& cells);
/// Sets a field's value; what it was wrapped over becomes one line, nested items stay.
TextEdit set_field(const MarkdownDocument& document, const MarkdownField& field, std::string_view value);
/// Adds a field below `last`, in the same form.
TextEdit add_field(const MarkdownDocument& document, const MarkdownField& last, std::string_view key,
                   std::string_view value);
/// Ticks or clears a box.
TextEdit set_checked(const MarkdownBlock& item, bool checked);
/// Adds `text` as a paragraph below the text of a section, before its subsections. A list item is put
/// directly below a list.
TextEdit append_to_section(const MarkdownDocument& document, const MarkdownSection& section,
                           std::string_view text);
/// Adds a section at the end of the document, with `body` (maybe "") below its heading.
TextEdit append_section(const MarkdownDocument& document, int level, std::string_view heading,
                        std::string_view body);

}  // namespace reprise
