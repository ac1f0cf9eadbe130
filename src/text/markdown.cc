#include "text/markdown.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "text/markdown_row.h"

namespace reprise {
namespace {

// What is made room for beforehand; more than that grows as it comes.
constexpr std::size_t kBlocksReserved = 64;
constexpr std::size_t kRowsReserved = 64;

std::size_t run_length(std::string_view text, char c) {
  const std::size_t end = text.find_first_not_of(c);
  return end == std::string_view::npos ? text.size() : end;
}

struct Fence {
  char mark = 0;
  std::size_t length = 0;
};

std::optional<Fence> opening_fence(std::string_view line) {
  const std::string_view text = trim(line);
  if (text.empty() || (text[0] != '`' && text[0] != '~')) return std::nullopt;
  const Fence fence{text[0], run_length(text, text[0])};
  if (fence.length < 3) return std::nullopt;
  // "```code```" on one line is a code span.
  if (fence.mark == '`' && text.find('`', fence.length) != std::string_view::npos) return std::nullopt;
  return fence;
}

bool closes(std::string_view line, Fence fence) {
  const std::string_view text = trim(line);
  return run_length(text, fence.mark) == text.size() && text.size() >= fence.length;
}

std::string_view without_closing_marks(std::string_view text) {
  const std::size_t last = text.find_last_not_of('#');
  if (last == std::string_view::npos) return {};
  if (last + 1 == text.size() || (text[last] != ' ' && text[last] != '\t')) return text;
  return trim(text.substr(0, last));
}

// The place of `part`, which is a view into `text`.
TextSpan place_in(std::string_view text, std::string_view part) {
  const auto begin = static_cast<std::size_t>(part.data() - text.data());
  return {begin, begin + part.size()};
}

bool take_heading(std::string_view text, std::string_view line, MarkdownBlock& block) {
  const std::size_t indent = run_length(line, ' ');
  if (indent > 3) return false;
  const std::string_view marked = line.substr(indent);
  const std::size_t level = run_length(marked, '#');
  const bool has_gap = level == marked.size() || marked[level] == ' ' || marked[level] == '\t';
  if (level < 1 || level > 6 || !has_gap) return false;
  const std::string_view title = without_closing_marks(trim(marked.substr(level)));
  block.kind = MarkdownKind::Heading;
  block.level = static_cast<int>(level);
  block.text = title;
  block.place = title.empty() ? place_in(text, line.substr(line.size())) : place_in(text, title);
  return true;
}

// Returns 1 or 2 if `line` underlines a heading, 0 if it does not.
int underline_level(std::string_view line) {
  const std::string_view text = trim(line);
  if (text.empty() || (text[0] != '=' && text[0] != '-')) return 0;
  if (run_length(text, text[0]) != text.size()) return 0;
  return text[0] == '=' ? 1 : 2;
}

// Returns the length of the marker "-", "*", "+", "1." or "1)" in front of `text`, 0 if there is none.
std::size_t list_marker(std::string_view text) {
  std::size_t marker = 0;
  if (!text.empty() && (text[0] == '-' || text[0] == '*' || text[0] == '+')) {
    marker = 1;
  } else {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits == 0 || digits > 9 || digits >= text.size()) return 0;
    if (text[digits] != '.' && text[digits] != ')') return 0;
    marker = digits + 1;
  }
  return marker == text.size() || text[marker] == ' ' || text[marker] == '\t' ? marker : 0;
}

// What stands in the box that an item begins with; "" if it begins with none. People tick with more than an x.
std::string_view mark_in_box(std::string_view item) {
  const std::size_t close = item.starts_with('[') ? item.substr(0, 6).find(']') : std::string_view::npos;
  if (close == std::string_view::npos) return "";
  if (item.size() > close + 1 && item[close + 1] != ' ' && item[close + 1] != '\t') return "";
  for (const std::string_view mark : {" ", "x", "X", "✓", "✔", "✅", "☑"}) {
    if (item.substr(1, close - 1) == mark) return item.substr(1, close - 1);
  }
  return "";
}

// A line of three or more "*", "-" or "_", and nothing else but spaces.
bool is_rule(std::string_view line) {
  const std::string_view marks = trim(line);
  if (marks.empty() || std::string_view("*-_").find(marks[0]) == std::string_view::npos) return false;
  if (std::ranges::count(marks, marks[0]) < 3) return false;
  return std::ranges::all_of(marks, [&](char c) { return c == marks[0] || c == ' ' || c == '\t'; });
}

bool take_list_item(std::string_view text, std::string_view line, MarkdownBlock& block) {
  const std::string_view marked = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
  const std::size_t marker = list_marker(marked);
  if (marker == 0 || is_rule(line)) return false;
  std::string_view item = trim(marked.substr(marker));
  block.kind = MarkdownKind::ListItem;
  if (const std::string_view mark = mark_in_box(item); !mark.empty()) {
    block.checked = mark != " ";
    block.box = place_in(text, mark);
    item = trim(item.substr(mark.size() + 2));
  }
  block.text = item;
  block.place = item.empty() ? place_in(text, line.substr(line.size())) : place_in(text, item);
  return true;
}

// Whether a line in a table is the start of something else, which ends the table.
bool starts_another_block(std::string_view line) {
  const std::string_view text = trim(line);
  if (text.starts_with('|')) return false;  // nothing else begins so, and most rows do
  MarkdownBlock ignored;
  return opening_fence(line) || text.starts_with('>') || text.starts_with("<!--") || is_rule(line) ||
         take_heading(line, line, ignored) || take_list_item(line, line, ignored);
}

// Goes through the lines; each take_ function says how many lines its block has.
class Scanner {
 public:
  Scanner(std::string_view text, const std::vector<TextLine>& lines) : text_(text), lines_(lines) {}

  std::vector<MarkdownBlock> scan() {
    std::vector<MarkdownBlock> blocks;
    blocks.reserve(std::min(lines_.size(), kBlocksReserved));
    std::size_t begin = 0;
    for (std::size_t at = 0; at < lines_.size();) {
      MarkdownBlock& block = blocks.emplace_back();
      const std::size_t count = take_block(at, block);
      block.begin = std::exchange(begin, lines_[at + count - 1].next());
      block.end = begin;
      block.line = number_of(at);
      at += count;
    }
    // Nothing but a byte order mark.
    if (begin < text_.size()) blocks.push_back({.begin = begin, .end = text_.size(), .line = 1});
    return blocks;
  }

 private:
  std::string_view line(std::size_t at) const { return text_of(text_, lines_[at].text); }
  static int number_of(std::size_t at) { return static_cast<int>(at) + 1; }

  // What a block is, is told by the first byte of its line for most lines.
  std::size_t take_block(std::size_t at, MarkdownBlock& block) {
    const std::string_view text = trim(line(at));
    if (text.empty()) return 1;
    if (const std::size_t count = at == 0 ? take_front_matter(block) : 0) return count;
    if (text[0] == '`' || text[0] == '~') {
      if (const std::optional<Fence> fence = opening_fence(text)) return take_code(at, *fence, block);
    }
    if (text.starts_with("<!--")) return take_comment(at, block);
    if (text[0] == '#' && take_heading(text_, line(at), block)) return 1;
    if (text[0] != '|' && take_list_item(text_, line(at), block)) return 1;
    if (const std::size_t count = take_table(at, block)) return count;
    if (const std::size_t count = take_underlined(at, block)) return count;
    block.kind = MarkdownKind::Paragraph;
    return 1;
  }

  std::size_t take_front_matter(MarkdownBlock& block) const {
    const auto is_end = [&](std::size_t at) { return line(at) == "---" || line(at) == "..."; };
    if (line(0) != "---") return 0;
    std::size_t end = 1;
    while (end < lines_.size() && !is_end(end)) ++end;
    if (end == lines_.size()) return 0;
    block.kind = MarkdownKind::FrontMatter;
    return end + 1;
  }

  std::size_t take_code(std::size_t at, Fence fence, MarkdownBlock& block) const {
    block.kind = MarkdownKind::Code;
    std::size_t end = at + 1;
    while (end < lines_.size() && !closes(line(end), fence)) ++end;
    block.closed = end < lines_.size();
    block.inside = {lines_[at].next(), block.closed ? lines_[end].text.begin : text_.size()};
    return std::min(end + 1, lines_.size()) - at;
  }

  std::size_t take_comment(std::size_t at, MarkdownBlock& block) {
    block.kind = MarkdownKind::Comment;
    const std::size_t end = comment_end(at);
    const bool has_end = end < lines_.size();
    const bool has_more = has_end && !trim(line(end)).ends_with("-->");
    // Text after the comment, or a comment without an end, is text that must be looked at.
    if (!has_end || has_more) {
      block.kind = MarkdownKind::Paragraph;
      return 1;
    }
    return end + 1 - at;
  }

  // Returns the first line from `at` on with "-->". Remembered: a thousand comments without an end must
  // not search the rest of the document a thousand times.
  std::size_t comment_end(std::size_t at) {
    comment_end_ = std::max(comment_end_, at);
    while (comment_end_ < lines_.size() && line(comment_end_).find("-->") == std::string_view::npos) {
      ++comment_end_;
    }
    return comment_end_;
  }

  MarkdownRow row(std::size_t at) const { return split_row(text_, lines_[at].text, number_of(at)); }

  std::size_t take_table(std::size_t at, MarkdownBlock& block) const {
    if (at + 1 == lines_.size() || line(at).find('|') == std::string_view::npos) return 0;
    const std::size_t cells = delimiter_cells(line(at + 1));
    if (cells == 0 || starts_another_block(line(at))) return 0;
    if (line(at + 1).find_first_of("|:") == std::string_view::npos) return 0;  // it underlines a heading
    MarkdownRow header = row(at);
    if (header.cells.size() != cells) return 0;
    block.kind = MarkdownKind::Table;
    block.header = std::move(header);
    block.delimiter = lines_[at + 1].text;
    std::size_t end = at + 2;
    block.rows.reserve(rows_from(end));
    for (; end < lines_.size(); ++end) {
      if (line(end).find('|') == std::string_view::npos || starts_another_block(line(end))) break;
      MarkdownRow next = row(end);
      if (next.cells.empty()) break;
      block.rows.push_back(std::move(next));
    }
    return end - at;
  }

  // About how many rows a table has whose first is line `at`.
  std::size_t rows_from(std::size_t at) const {
    std::size_t end = at;
    while (end < lines_.size() && end - at < kRowsReserved && !lines_[end].text.empty()) ++end;
    return end - at;
  }

  std::size_t take_underlined(std::size_t at, MarkdownBlock& block) const {
    const int level = at + 1 < lines_.size() ? underline_level(line(at + 1)) : 0;
    if (level == 0 || is_rule(line(at))) return 0;
    block.kind = MarkdownKind::Heading;
    block.level = level;
    block.text = trim(line(at));
    block.place = place_in(text_, trim(line(at)));
    return 2;
  }

  std::string_view text_;
  const std::vector<TextLine>& lines_;
  std::size_t comment_end_ = 0;
};

void shift(TextSpan& span, std::size_t by) {
  span.begin += by;
  span.end += by;
}

void shift(MarkdownRow& row, std::size_t by, int lines) {
  row.line += lines;
  shift(row.span, by);
  for (TextSpan& place : row.places) shift(place, by);
}

void shift(MarkdownBlock& block, std::size_t by, int lines) {
  block.begin += by;
  block.end += by;
  block.line += lines;
  for (TextSpan* span : {&block.place, &block.box, &block.delimiter, &block.inside}) shift(*span, by);
  shift(block.header, by, lines);
  for (MarkdownRow& row : block.rows) shift(row, by, lines);
}

}  // namespace

std::vector<MarkdownBlock> scan_markdown(std::string_view text) { return scan_markdown(text, lines_of(text)); }

std::vector<MarkdownBlock> scan_markdown(std::string_view text, const std::vector<TextLine>& lines) {
  return Scanner(text, lines).scan();
}

std::vector<MarkdownBlock> scan_inside(std::string_view text, const MarkdownBlock& code) {
  std::vector<MarkdownBlock> blocks = scan_markdown(text_of(text, code.inside));
  for (MarkdownBlock& block : blocks) shift(block, code.inside.begin, code.line);
  return blocks;
}

std::string without_code_spans(std::string_view line) {
  std::string out(line);
  for (std::size_t open = out.find('`'); open != std::string::npos;) {
    const std::size_t length = run_length(std::string_view(out).substr(open), '`');
    const std::size_t close = out.find(std::string(length, '`'), open + length);
    if (close == std::string::npos) break;
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(open),
              out.begin() + static_cast<std::ptrdiff_t>(close + length), ' ');
    open = out.find('`', close + length);
  }
  return out;
}

std::string normal_heading(std::string_view text) {
  std::string out;
  bool space = false;
  for (const char c : without_closing_marks(trim(text))) {
    if (c == '*' || c == '`') continue;
    space = c == ' ' || c == '\t';
    if (space && (out.empty() || out.back() == ' ')) continue;
    out += space ? ' ' : c;
  }
  return to_lower(trim(out));
}

}  // namespace reprise
