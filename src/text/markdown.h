// Markdown as blocks of lines, each with its span: headings, tables, list items, fenced code, text.
//
// A scanner of lines, not a renderer: the blocks follow one another without a gap, so that the bytes of
// the spans put together are the document.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

enum class MarkdownKind {
  Blank,
  Heading,    // "## Text", or text underlined with === or ---
  Table,      // pipe table, header and delimiter row included
  ListItem,   // the line with the marker
  Code,       // fenced, fences included
  Comment,    // "<!-- … -->" on lines of its own
  Paragraph,  // anything else
};

struct MarkdownRow {
  int line = 0;                    // 1-based
  std::vector<std::string> cells;  // trimmed, "\|" unescaped
};

struct MarkdownBlock {
  MarkdownKind kind = MarkdownKind::Blank;
  std::size_t begin = 0;  // the block's bytes, its last newline included
  std::size_t end = 0;
  int line = 0;                   // of its first line, 1-based
  int level = 0;                  // of a heading, 1 to 6
  std::string text;               // of a heading or list item, without markers
  std::optional<bool> checked;    // of a list item that begins with "[ ]" or "[x]"
  MarkdownRow header;             // of a table
  std::vector<MarkdownRow> rows;  // of a table, below the delimiter row
};

/// Returns the blocks of `text` in order, without a gap between their spans.
std::vector<MarkdownBlock> scan_markdown(std::string_view text);

/// Returns `line` with code spans (`…`) blanked out, so that what is quoted is not taken for text.
std::string without_code_spans(std::string_view line);

/// Returns a heading's text as it is compared: marks of emphasis and closing "#" removed, spaces joined,
/// lower case.
std::string normal_heading(std::string_view text);

}  // namespace reprise
