#include "text/markdown_edit.h"

#include <algorithm>

#include "base/chars.h"
#include "base/strings.h"
#include "text/markdown_row.h"

namespace reprise {
namespace {

// How a table's rows are written.
struct RowStyle {
  std::string indent;
  bool leading_pipe = true;
  bool trailing_pipe = true;
  bool padded = true;
};

bool ends_with_pipe(std::string_view line) { return line.ends_with('|') && !line.ends_with("\\|"); }

RowStyle style_of(std::string_view bytes, const MarkdownRow& row) {
  const std::string_view line = text_of(bytes, row.span);
  const std::string_view text = trim(line);
  const auto touches_pipe = [&](TextSpan place) {
    return place.begin > row.span.begin && bytes[place.begin - 1] == '|';
  };
  return {.indent = std::string(line.substr(0, static_cast<std::size_t>(text.data() - line.data()))),
          .leading_pipe = text.starts_with('|'),
          .trailing_pipe = ends_with_pipe(text),
          .padded = !std::ranges::all_of(row.places, touches_pipe)};
}

// A backslash at the end of a cell would escape the pipe.
std::string cell_text(std::string_view value, bool padded) {
  std::string text = escape_cell(value);
  if (padded) return ' ' + text + ' ';
  return text.ends_with('\\') ? text + ' ' : text;
}

std::string write_row(RowStyle style, const std::vector<std::string>& cells) {
  // Without the pipe in front, a row could be read as a heading, a list item or a shorter row.
  const std::string first = escape_cell(cells.front());
  if (first.empty() || !is_letter(first[0]) || cells.size() == 1) style.leading_pipe = true;
  if (escape_cell(cells.back()).empty()) style.trailing_pipe = true;
  std::string row = style.indent;
  if (style.leading_pipe) row += '|';
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::string text = cell_text(cells[i], style.padded);
    if (i == 0 && !style.leading_pipe) text = text.substr(style.padded ? 1 : 0);
    row += i == 0 ? text : '|' + text;
  }
  if (style.trailing_pipe) return row + '|';
  while (is_blank(row.back())) row.pop_back();
  return row;
}

// Puts `line` below the line that ends at `end`, without its ending.
TextEdit insert_line_below(const MarkdownDocument& document, std::size_t end, const std::string& line) {
  const std::string_view ending = to_bytes(ending_at(document.bytes(), end));
  const std::size_t at = end + ending.size();
  if (ending.empty()) return {{at, at}, std::string(document.newline()) + line};
  return {{at, at}, line + std::string(ending)};
}

TextEdit append_row_below(const MarkdownDocument& document, const MarkdownRow& last, RowStyle style,
                          std::vector<std::string> cells, std::size_t columns) {
  cells.resize(std::max<std::size_t>(columns, 1));
  return insert_line_below(document, last.span.end, write_row(std::move(style), cells));
}

// Writes the cells that a row lacks, up to the last of `values`.
TextEdit fill_row(const MarkdownDocument& document, const MarkdownRow& row,
                  const std::map<std::size_t, std::string>& values) {
  const std::string_view line = text_of(document.bytes(), row.span);
  const std::size_t end = row.span.begin + std::min(line.find_last_not_of(" \t") + 1, line.size());
  const RowStyle style = style_of(document.bytes(), row);
  std::string more = !style.trailing_pipe && style.padded ? " " : "";
  if (line.ends_with('\\')) more = " ";
  for (std::size_t i = row.cells.size(); i <= values.rbegin()->first; ++i) {
    const auto value = values.find(i);
    const std::string text = cell_text(value == values.end() ? "" : value->second, style.padded);
    more += style.trailing_pipe ? text + '|' : '|' + text;
  }
  // An empty last cell shows only by the pipe behind it.
  if (!style.trailing_pipe) more += '|';
  return {{end, end}, more};
}

std::string with_newlines(std::string_view text, std::string_view newline) {
  std::string out;
  for (const TextLine& line : lines_of(text)) {
    if (!out.empty()) out += newline;
    out += text_of(text, line.text);
  }
  return out;
}

// What has to stand before new text at the end of `last` so that it is text of its own.
std::string gap_after(const MarkdownDocument& document, const MarkdownBlock& last, bool tight) {
  const std::string_view bytes = document.bytes();
  const std::string newline(document.newline());
  std::string gap;
  if (!bytes.substr(0, last.end).ends_with('\n') && !bytes.substr(0, last.end).ends_with('\r')) gap += newline;
  if (last.kind == MarkdownKind::Code && !last.closed) {
    const std::string_view fence = trim(text_of(bytes, {std::max(last.begin, text_start(bytes)), last.end}));
    gap += fence.substr(0, std::min(fence.find_first_not_of(fence[0]), fence.size()));
    gap += newline;
  }
  return tight ? gap : gap + newline;
}

bool is_list_item(std::string_view text) {
  const std::vector<MarkdownBlock> blocks = scan_markdown(text);
  return !blocks.empty() && blocks.front().kind == MarkdownKind::ListItem;
}

}  // namespace

TextEdit set_cell(const MarkdownDocument& document, const MarkdownRow& row, std::size_t column,
                  std::string_view value) {
  if (column >= row.places.size()) return fill_row(document, row, {{column, std::string(value)}});
  const std::string_view bytes = document.bytes();
  const TextSpan place = row.places[column];
  std::string text = escape_cell(value);
  if (text.empty() && place.empty()) return {place, ""};
  // A row of one cell has to have a pipe, and may not be nothing but that.
  const bool needs_pipe = row.places.size() == 1 && !style_of(bytes, row).trailing_pipe;
  if (text.empty() && needs_pipe) text = "|";
  const bool has_pipe_before = place.begin > row.span.begin && bytes[place.begin - 1] == '|';
  const bool has_pipe_behind = place.end < row.span.end && bytes[place.end] == '|';
  const bool is_first = trim(bytes.substr(row.span.begin, place.begin - row.span.begin)).empty();
  if (is_first && (needs_pipe || text.empty() || !is_letter(text[0]))) text = "| " + text;
  if (place.empty() && has_pipe_before) text = ' ' + text;
  if (has_pipe_behind && (place.empty() || text.ends_with('\\'))) text += ' ';
  return {place, text};
}

std::vector<TextEdit> set_cells(const MarkdownDocument& document, const MarkdownRow& row,
                                const std::map<std::size_t, std::string>& values) {
  std::vector<TextEdit> edits;
  for (const auto& [column, value] : values) {
    if (column < row.places.size()) edits.push_back(set_cell(document, row, column, value));
  }
  if (!values.empty() && values.rbegin()->first >= row.places.size())
    edits.push_back(fill_row(document, row, values));
  return edits;
}

TextEdit append_row(const MarkdownDocument& document, const MarkdownTable& table,
                    const std::vector<std::string>& cells) {
  const MarkdownRow& model = table.rows.empty() ? table.header : table.rows.back();
  const MarkdownRow above = table.rows.empty() ? MarkdownRow{.span = table.delimiter} : table.rows.back();
  return append_row_below(document, above, style_of(document.bytes(), model), cells, table.header.cells.size());
}

TextEdit set_field(const MarkdownDocument& document, const MarkdownField& field, std::string_view value) {
  if (field.form == FieldForm::Row) return set_cell(document, *field.row, 1, value);
  std::string text = on_one_line(value);
  if (field.place.begin == 0 || !is_blank(document.bytes()[field.place.begin - 1])) text = ' ' + text;
  return {field.place, text};
}

TextEdit add_field(const MarkdownDocument& document, const MarkdownField& last, std::string_view key,
                   std::string_view value) {
  const std::string_view bytes = document.bytes();
  if (last.form == FieldForm::Row) {
    return append_row_below(document, *last.row, style_of(bytes, *last.row),
                            {std::string(key), std::string(value)},
                            std::max<std::size_t>(last.row->cells.size(), 2));
  }
  // The new one has what stands around the old key: indentation, bullet, marks, colon.
  const std::string_view prefix = text_of(bytes, last.prefix);
  const std::size_t at = prefix.find(last.key);
  std::string line = "- " + on_one_line(key) + ": ";
  if (at != std::string_view::npos) {
    line = std::string(prefix.substr(0, at)) + on_one_line(key) + std::string(prefix.substr(at + last.key.size()));
  }
  line = line.substr(0, line.find_first_of("\r\n"));
  if (!is_blank(line.back())) line += ' ';
  line += on_one_line(value);
  std::size_t end = last.end;
  while (end > last.prefix.begin && (bytes[end - 1] == '\n' || bytes[end - 1] == '\r')) --end;
  return insert_line_below(document, end, line);
}

TextEdit set_checked(const MarkdownBlock& item, bool checked) { return {item.box, checked ? "x" : " "}; }

TextEdit append_to_section(const MarkdownDocument& document, const MarkdownSection& section,
                           std::string_view text) {
  const std::string newline(document.newline());
  const std::string lines = with_newlines(trim(text), newline);
  std::size_t end = section.own_end;
  while (end > section.first && document.blocks()[end - 1].kind == MarkdownKind::Blank) --end;
  if (end == 0) {
    const std::size_t at = text_start(document.bytes());
    return {{at, at}, lines + newline + (document.blocks().size() > section.own_end ? newline : "")};
  }
  const MarkdownBlock& last = document.blocks()[end - 1];
  const bool tight = last.kind == MarkdownKind::ListItem && is_list_item(lines);
  const bool heading_follows = end == section.own_end && end < document.blocks().size();
  return {{last.end, last.end},
          gap_after(document, last, tight) + lines + newline + (heading_follows ? newline : "")};
}

TextEdit append_section(const MarkdownDocument& document, int level, std::string_view heading,
                        std::string_view body) {
  const std::string newline(document.newline());
  const std::size_t at = document.bytes().size();
  std::string text;
  if (!document.blocks().empty()) {
    const MarkdownBlock& last = document.blocks().back();
    text = gap_after(document, last, last.kind == MarkdownKind::Blank);
  }
  text += std::string(static_cast<std::size_t>(level), '#') + ' ' + on_one_line(heading) + newline;
  if (!trim(body).empty()) text += newline + with_newlines(trim(body), newline) + newline;
  return {{at, at}, text};
}

}  // namespace reprise
