#include "text/markdown_row.h"

#include <algorithm>

#include "base/strings.h"

namespace reprise {
namespace {

constexpr std::size_t kCellsUsual = 4;

bool is_row_space(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
bool is_control_byte(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

TextSpan trimmed_cell(std::string_view text, TextSpan span) {
  while (!span.empty() && is_row_space(text[span.end - 1])) --span.end;
  while (!span.empty() && is_row_space(text[span.begin])) ++span.begin;
  return span;
}

// An empty cell's place is behind its first space, so that what is put there does not touch the pipe.
TextSpan place_of(std::string_view text, TextSpan span) {
  const TextSpan inner = trimmed_cell(text, span);
  if (!inner.empty() || span.empty()) return inner;
  return {span.begin + 1, span.begin + 1};
}

std::string unescaped(std::string_view cell) {
  if (cell.find('\\') == std::string_view::npos) return std::string(cell);
  std::string out;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    if (cell[i] == '\\' && i + 1 < cell.size() && cell[i + 1] == '|') ++i;
    out += cell[i];
  }
  return out;
}

// Returns the next pipe from `at` on that is not escaped, `end` if there is none.
std::size_t next_pipe(std::string_view text, std::size_t at, std::size_t end) {
  text = text.substr(0, end);
  for (at = text.find('|', at); at < end; at = text.find('|', at + 1)) {
    if (at == 0 || text[at - 1] != '\\') return at;
  }
  return end;
}

// Calls `visit` with the place of each cell, from the line's first pipe on.
template <typename Visit>
void for_each_cell(std::string_view text, TextSpan span, Visit visit) {
  TextSpan rest = trimmed_cell(text, span);
  if (!rest.empty() && text[rest.begin] == '|') ++rest.begin;
  while (!rest.empty()) {
    const std::size_t pipe = next_pipe(text, rest.begin, rest.end);
    visit(place_of(text, {rest.begin, pipe}));
    rest.begin = std::min(pipe + 1, rest.end);
  }
}

bool is_delimiter_cell(std::string_view cell) {
  if (cell.starts_with(':')) cell.remove_prefix(1);
  if (cell.ends_with(':')) cell.remove_suffix(1);
  return !cell.empty() && cell.find_first_not_of('-') == std::string_view::npos;
}

}  // namespace

MarkdownRow split_row(std::string_view text, TextSpan span, int line) {
  MarkdownRow row{.line = line, .span = span};
  row.cells.reserve(kCellsUsual);
  row.places.reserve(kCellsUsual);
  for_each_cell(text, span, [&](TextSpan place) {
    row.cells.push_back(unescaped(text_of(text, place)));
    row.places.push_back(place);
  });
  return row;
}

std::size_t delimiter_cells(std::string_view line) {
  static constexpr auto is_delimiter_byte = [](char c) {
    return c == '|' || c == '-' || c == ':' || is_row_space(c);
  };
  if (!std::ranges::all_of(line, is_delimiter_byte)) return 0;
  // "- | -" is a list item.
  const std::size_t first = line.find('-');
  if (first == std::string_view::npos) return 0;
  const bool starts_line = line.find_first_not_of(" \t") == first;
  if (starts_line && (first + 1 == line.size() || is_row_space(line[first + 1]))) return 0;
  std::size_t cells = 0;
  bool is_row = true;
  for_each_cell(line, {0, line.size()}, [&](TextSpan place) {
    is_row = is_row && is_delimiter_cell(text_of(line, place));
    ++cells;
  });
  return is_row ? cells : 0;
}

bool is_delimiter_row(std::string_view line) { return delimiter_cells(line) > 0; }

std::string on_one_line(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (!is_control_byte(c)) out += c;
    if (is_control_byte(c) && !out.ends_with(' ')) out += ' ';
  }
  return std::string(trim(out));
}

std::string escape_cell(std::string_view value) {
  std::string out;
  value = trim(value);
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '\r' && i + 1 < value.size() && value[i + 1] == '\n') continue;
    if (value[i] == '\n' || value[i] == '\r') {
      out += "<br>";
    } else if (value[i] == '|') {
      out += "\\|";
    } else {
      out += is_control_byte(value[i]) ? ' ' : value[i];
    }
  }
  return std::string(trim(out));
}

}  // namespace reprise
