// A text file as its bytes: lines with spans, and edits that leave every other byte alone.
//
// What always holds, for any bytes:
//
//   F1  The lines, each with its line ending, put together are the file; no edit gives the same bytes.
//   F2  An edit changes the bytes of its span and no others.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

/// A range of bytes, `end` not included. An empty one is a place to insert at.
struct TextSpan {
  std::size_t begin = 0;
  std::size_t end = 0;

  std::size_t size() const { return end - begin; }
  bool empty() const { return begin == end; }
  bool operator==(const TextSpan&) const = default;
};

/// Returns the bytes of `span`.
inline std::string_view text_of(std::string_view bytes, TextSpan span) {
  return bytes.substr(span.begin, span.size());
}

enum class LineEnding { None, Lf, CrLf, Cr };

/// Returns how the line that ends at `at` is ended: `at` is where its ending begins, or the end of the text.
LineEnding ending_at(std::string_view bytes, std::size_t at);
/// Returns the bytes of a line ending, "" for None.
std::string_view to_bytes(LineEnding ending);

/// One line: its text, and behind that its line ending.
struct TextLine {
  TextSpan text;  // without the ending, and without a byte order mark
  LineEnding ending = LineEnding::None;

  /// The first byte behind the line and its ending.
  std::size_t next() const { return text.end + to_bytes(ending).size(); }
};

/// Whether the file starts with a UTF-8 byte order mark.
bool has_byte_order_mark(std::string_view bytes);
/// The first byte behind a byte order mark; 0 if there is none.
std::size_t text_start(std::string_view bytes);

/// Returns the lines. "\n", "\r\n" and a lone "\r" end one; only the last may have no ending, and a file
/// that ends with one has no empty line behind it. A byte order mark belongs to no line.
std::vector<TextLine> lines_of(std::string_view bytes);

/// Returns the ending that most lines have, the earlier one where two are equal; Lf if no line has one.
LineEnding usual_ending(const std::vector<TextLine>& lines);

/// Bytes to be put in place of a span.
struct TextEdit {
  TextSpan span;
  std::string replacement;
  bool operator==(const TextEdit&) const = default;
};

/// Returns `bytes` with all `edits` made. Spans refer to `bytes` as it is, in any order; they must lie in it
/// and not overlap. Insertions at the same place are made in the order given, and before what follows there.
std::string apply_edits(std::string_view bytes, const std::vector<TextEdit>& edits);

}  // namespace reprise
