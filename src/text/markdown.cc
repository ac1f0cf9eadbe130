#include "text/markdown.h"

#include <algorithm>

#include "base/strings.h"

namespace reprise {
namespace {

struct Line {
  std::size_t begin = 0;
  std::size_t end = 0;    // newline included
  std::string_view text;  // without the line end
};

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t newline = text.find('\n', begin);
    const std::size_t end = newline == std::string_view::npos ? text.size() : newline + 1;
    std::string_view line = text.substr(begin, end - begin);
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
    lines.push_back({begin, end, line});
    begin = end;
  }
  return lines;
}

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

bool take_heading(std::string_view line, MarkdownBlock& block) {
  const std::size_t indent = run_length(line, ' ');
  if (indent > 3) return false;
  const std::string_view text = line.substr(indent);
  const std::size_t level = run_length(text, '#');
  if (level < 1 || level > 6 || (level < text.size() && text[level] != ' ' && text[level] != '\t')) return false;
  block.kind = MarkdownKind::Heading;
  block.level = static_cast<int>(level);
  block.text = without_closing_marks(trim(text.substr(level)));
  return true;
}

// Returns 1 or 2 if `line` underlines a heading, 0 if it does not.
int underline_level(std::string_view line) {
  const std::string_view text = trim(line);
  if (text.empty() || (text[0] != '=' && text[0] != '-')) return 0;
  if (run_length(text, text[0]) != text.size()) return 0;
  return text[0] == '=' ? 1 : 2;
}

bool take_list_item(std::string_view line, MarkdownBlock& block) {
  std::string_view text = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
  std::size_t marker = 0;
  if (!text.empty() && (text[0] == '-' || text[0] == '*' || text[0] == '+')) {
    marker = 1;
  } else {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits == 0 || digits > 9 || digits >= text.size() || (text[digits] != '.' && text[digits] != ')')) {
      return false;
    }
    marker = digits + 1;
  }
  if (marker < text.size() && text[marker] != ' ' && text[marker] != '\t') return false;
  text = trim(text.substr(marker));
  block.kind = MarkdownKind::ListItem;
  const bool has_box = text.size() >= 3 && text[0] == '[' && text[2] == ']' &&
                       (text.size() == 3 || text[3] == ' ' || text[3] == '\t');
  if (has_box && (text[1] == ' ' || text[1] == 'x' || text[1] == 'X')) {
    block.checked = text[1] != ' ';
    text = trim(text.substr(3));
  }
  block.text = text;
  return true;
}

// Splits a table row at its pipes; "\|" belongs to a cell, and so does a pipe in a code span that ends
// in the same row.
std::vector<std::string> cells_of(std::string_view line) {
  std::string_view text = trim(line);
  if (text.starts_with('|')) text.remove_prefix(1);
  std::vector<std::string> cells(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '|') {
      cells.back() += '|';
      ++i;
    } else if (text[i] == '`') {
      const std::string_view ticks = text.substr(i, run_length(text.substr(i), '`'));
      const std::size_t close = text.find(ticks, i + ticks.size());
      const std::size_t end = close == std::string_view::npos ? i + ticks.size() : close + ticks.size();
      cells.back() += text.substr(i, end - i);
      i = end - 1;
    } else if (text[i] == '|') {
      cells.emplace_back();
    } else {
      cells.back() += text[i];
    }
  }
  if (cells.size() > 1 && trim(cells.back()).empty() && text.ends_with('|')) cells.pop_back();
  for (std::string& cell : cells) cell = trim(cell);
  return cells;
}

bool is_delimiter_row(std::string_view line) {
  if (line.find('-') == std::string_view::npos || line.find('|') == std::string_view::npos) return false;
  if (line.find_first_not_of("|-: \t") != std::string_view::npos) return false;
  return std::ranges::all_of(cells_of(line), [](const std::string& cell) {
    return cell.find('-') != std::string::npos && cell.find_first_of(" \t") == std::string::npos;
  });
}

// Goes through the lines; each take_ function says how many lines its block has.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : lines_(lines_of(text)) {}

  std::vector<MarkdownBlock> scan() {
    std::vector<MarkdownBlock> blocks;
    for (std::size_t at = 0; at < lines_.size();) {
      MarkdownBlock block;
      const std::size_t count = take_block(at, block);
      block.begin = lines_[at].begin;
      block.end = lines_[at + count - 1].end;
      block.line = static_cast<int>(at) + 1;
      blocks.push_back(std::move(block));
      at += count;
    }
    return blocks;
  }

 private:
  std::size_t take_block(std::size_t at, MarkdownBlock& block) {
    const std::string_view line = lines_[at].text;
    if (trim(line).empty()) return 1;
    if (const std::optional<Fence> fence = opening_fence(line)) return take_code(at, *fence, block);
    if (trim(line).starts_with("<!--")) return take_comment(at, block);
    if (take_heading(line, block)) return 1;
    if (at + 1 < lines_.size()) {
      if (const std::size_t count = take_table(at, block)) return count;
      const int level = underline_level(lines_[at + 1].text);
      if (level != 0 && !take_list_item(line, block)) {
        block.kind = MarkdownKind::Heading;
        block.level = level;
        block.text = trim(line);
        return 2;
      }
    }
    if (take_list_item(line, block)) return 1;
    block.kind = MarkdownKind::Paragraph;
    return 1;
  }

  std::size_t take_code(std::size_t at, Fence fence, MarkdownBlock& block) const {
    block.kind = MarkdownKind::Code;
    std::size_t end = at + 1;
    while (end < lines_.size() && !closes(lines_[end].text, fence)) ++end;
    return std::min(end + 1, lines_.size()) - at;
  }

  std::size_t take_comment(std::size_t at, MarkdownBlock& block) {
    block.kind = MarkdownKind::Comment;
    const std::size_t end = comment_end(at);
    const bool has_end = end < lines_.size();
    const bool has_more = has_end && !trim(lines_[end].text).ends_with("-->");
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
    while (comment_end_ < lines_.size() && lines_[comment_end_].text.find("-->") == std::string_view::npos) {
      ++comment_end_;
    }
    return comment_end_;
  }

  std::size_t take_table(std::size_t at, MarkdownBlock& block) const {
    const std::string_view line = lines_[at].text;
    if (line.find('|') == std::string_view::npos || !is_delimiter_row(lines_[at + 1].text)) return 0;
    block.header = {static_cast<int>(at) + 1, cells_of(line)};
    if (block.header.cells.size() != cells_of(lines_[at + 1].text).size()) return 0;
    block.kind = MarkdownKind::Table;
    std::size_t end = at + 2;
    for (; end < lines_.size() && lines_[end].text.find('|') != std::string_view::npos; ++end) {
      block.rows.push_back({static_cast<int>(end) + 1, cells_of(lines_[end].text)});
    }
    return end - at;
  }

  std::vector<Line> lines_;
  std::size_t comment_end_ = 0;
};

}  // namespace

std::vector<MarkdownBlock> scan_markdown(std::string_view text) { return Scanner(text).scan(); }

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
