// Markdown as blocks of lines, each with its span: headings, tables, list items, fenced code, text.
//
// A scanner of lines, not a renderer: the blocks follow one another without a gap, so that the bytes of
// the spans put together are the document. Where a pipe table is and where its cells are is what GitHub's
// own parser says, with two exceptions that are meant: a line without a pipe ends a table (text below a
// table is not a row of it), and a table may be indented by more than three spaces (below a list item).

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/document.h"

namespace reprise {

enum class MarkdownKind {
  Blank,
  FrontMatter,  // "---" on the first line, up to the next "---" or "..." on a line of its own, both included
  Heading,      // "## Text", or text underlined with === or ---
  Table,        // pipe table, header and delimiter row included
  ListItem,     // the line with the marker
  Code,         // fenced, fences included
  Comment,      // "<!-- … -->" on lines of its own
  Paragraph,    // anything else
};

struct MarkdownRow {
  int line = 0;                    // 1-based
  TextSpan span;                   // the whole line, without its ending
  std::vector<std::string> cells;  // trimmed, "\|" unescaped
  std::vector<TextSpan> places;    // of each cell, trimmed; of an empty one, where its text would go
};

struct MarkdownBlock {
  MarkdownKind kind = MarkdownKind::Blank;
  std::size_t begin = 0;  // the block's bytes, its last newline included
  std::size_t end = 0;
  int line = 0;                   // of its first line, 1-based
  int level = 0;                  // of a heading, 1 to 6
  std::string text;               // of a heading or list item, without markers
  TextSpan place;                 // of `text`
  std::optional<bool> checked;    // of a list item that begins with "[ ]", "[x]" or "[✓]"
  TextSpan box;                   // what stands between the brackets of such an item
  MarkdownRow header;             // of a table
  TextSpan delimiter;             // of a table: the row below the header
  std::vector<MarkdownRow> rows;  // of a table, below the delimiter row
  TextSpan inside;                // of fenced code: its lines without the fences
  bool closed = true;             // of fenced code: whether it has an end
};

/// Returns the blocks of `text` in order, without a gap between their spans. A byte order mark is part of
/// the first block.
std::vector<MarkdownBlock> scan_markdown(std::string_view text);
/// The same where the lines of `text` are at hand.
std::vector<MarkdownBlock> scan_markdown(std::string_view text, const std::vector<TextLine>& lines);

/// Returns what is in a fenced block of `text`, scanned as a document of its own; positions and lines are
/// those in `text`.
std::vector<MarkdownBlock> scan_inside(std::string_view text, const MarkdownBlock& code);

/// Returns `line` with code spans (`…`) blanked out, so that what is quoted is not taken for text.
std::string without_code_spans(std::string_view line);

/// Returns a heading's text as it is compared: marks of emphasis and closing "#" removed, spaces joined,
/// lower case.
std::string normal_heading(std::string_view text);

}  // namespace reprise
