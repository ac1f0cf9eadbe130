#include "evidence/artifact_checks.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/strings.h"
#include "model/limits.h"
#include "text/markdown.h"
#include "text/pattern.h"

namespace reprise {
namespace {

// What is wrong, nothing if all is well.
using Objection = std::optional<std::string>;

std::string at_line(int line, std::string_view what) {
  return "line " + std::to_string(line) + ": " + std::string(what);
}
std::string in_quotes(std::string_view text) { return '"' + printable_line(text, 60) + '"'; }

bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool has_word(std::string_view line, std::string_view word) {
  for (std::size_t at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word_byte(line[at - 1])) && (end == line.size() || !is_word_byte(line[end]))) return true;
  }
  return false;
}

bool has_braces(std::string_view line) {
  const std::size_t open = line.find("{{");
  return open != std::string_view::npos && line.find("}}", open + 2) != std::string_view::npos;
}

// Elements that stand on a line of their own in Markdown; anything else in angle brackets is a gap to
// be filled in.
constexpr std::array<std::string_view, 37> kElements = {
    "a",   "b",     "blockquote", "br",      "center", "code",   "dd",   "details", "div", "dl",
    "dt",  "em",    "hr",         "h1",      "h2",     "h3",     "h4",   "i",       "img", "kbd",
    "li",  "ol",    "p",          "picture", "pre",    "source", "span", "strong",  "sub", "summary",
    "sup", "table", "td",         "th",      "tr",     "u",      "ul"};

bool is_angle_line(std::string_view line) {
  const std::string_view text = trim(line);
  if (text.size() < 3 || text.front() != '<' || text.back() != '>') return false;
  const std::string_view inner = text.substr(1, text.size() - 2);
  if (inner.find_first_of("<>") != std::string_view::npos) return false;
  if (inner[0] == '/' || inner[0] == '!' || inner[0] == '?') return false;
  const bool has_space = inner.find_first_of(" \t") != std::string_view::npos;
  if (!has_space && (inner.find("://") != std::string_view::npos || inner.find('@') != std::string_view::npos)) {
    return false;
  }
  const std::string name = to_lower(inner.substr(0, inner.find_first_of(" \t/")));
  return std::ranges::find(kElements, name) == kElements.end();
}

// Words in code spans are spoken of; braces in code spans are a template's own way of marking a gap.
Objection placeholder_in(std::string_view line, int number) {
  const std::string spoken = without_code_spans(line);
  for (const std::string_view word : {"TODO", "TBD"}) {
    if (has_word(spoken, word)) return at_line(number, "placeholder " + std::string(word));
  }
  if (has_braces(line)) return at_line(number, "placeholder " + in_quotes(line.substr(line.find("{{"))));
  if (spoken.find("[NEEDS CLARIFICATION") != std::string::npos) {
    return at_line(number, "placeholder [NEEDS CLARIFICATION]");
  }
  if (is_angle_line(line)) return at_line(number, "placeholder " + in_quotes(trim(line)));
  return std::nullopt;
}

Objection check_placeholders(std::string_view content, const std::vector<MarkdownBlock>& blocks) {
  for (const MarkdownBlock& block : blocks) {
    if (block.kind == MarkdownKind::Code || block.kind == MarkdownKind::Comment) continue;
    int number = block.line;
    for (const std::string_view line : split(content.substr(block.begin, block.end - block.begin), '\n')) {
      if (Objection found = placeholder_in(line, number++)) return found;
    }
  }
  return std::nullopt;
}

std::vector<MarkdownBlock>::const_iterator find_heading(const std::vector<MarkdownBlock>& blocks,
                                                        std::string_view text) {
  return std::ranges::find_if(blocks, [wanted = normal_heading(text)](const MarkdownBlock& block) {
    return block.kind == MarkdownKind::Heading && normal_heading(block.text) == wanted;
  });
}

// Words that templates offer for choice.
constexpr std::array<std::string_view, 34> kChoices = {
    "pass",    "fail", "passed",   "failed",    "yes",     "no",       "n/a",     "na",  "true",
    "false",   "ok",   "done",     "open",      "closed",  "met",      "unmet",   "low", "medium",
    "high",    "none", "complies", "exception", "✅",      "❌",       "⚠️",       "✓",   "✗",
    "partial", "warn", "warning",  "skip",      "skipped", "approved", "rejected"};

bool is_choice(std::string_view part) {
  return std::ranges::find(kChoices, to_lower(trim(part))) != kChoices.end();
}

bool is_capital_word(std::string_view part) {
  const std::string_view word = trim(part);
  return !word.empty() && word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_-/ ") == std::string_view::npos;
}

std::vector<std::string_view> split_at(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + separator.size());
  }
}

// "PASS / FAIL", "A | B | C", "yes/no": the choice has not been made. "src/base" and "CI/CD" are values.
bool lists_alternatives(std::string_view cell) {
  const auto all = [](const std::vector<std::string_view>& parts, auto& test) {
    return parts.size() > 1 && std::ranges::all_of(parts, test);
  };
  const auto is_either = [](std::string_view part) { return is_choice(part) || is_capital_word(part); };
  const auto is_known = [](std::string_view part) { return is_choice(part); };
  return all(split_at(cell, " / "), is_either) || all(split_at(cell, "|"), is_either) ||
         all(split_at(cell, "/"), is_known);
}

std::string_view without_wrapping(std::string_view cell) {
  const std::size_t first = cell.find_first_not_of("*_`[]() ");
  if (first == std::string_view::npos) return {};
  return cell.substr(first, cell.find_last_not_of("*_`[]() ") - first + 1);
}

Objection check_cell(std::string_view cell, int line) {
  if (trim(cell).empty() || cell == "..." || cell == "…") return at_line(line, "an empty table cell");
  if (Objection found = placeholder_in(cell, line)) return found;
  const std::string_view value = without_wrapping(cell);
  // "N/A" itself has a slash.
  if (!is_choice(value) && lists_alternatives(value)) {
    return at_line(line, "the table cell still lists alternatives: " + in_quotes(cell));
  }
  return std::nullopt;
}

Objection check_rows(const MarkdownBlock& table) {
  if (table.rows.empty()) return at_line(table.line, "the table has no rows");
  for (const MarkdownRow& row : table.rows) {
    if (row.cells.size() < table.header.cells.size()) return at_line(row.line, "a table cell is missing");
    // Such cells are not shown; mostly they are alternatives that a template separates by pipes.
    if (row.cells.size() > table.header.cells.size())
      return at_line(row.line, "more cells than the table has columns");
    for (const std::string& cell : row.cells) {
      if (Objection found = check_cell(cell, row.line)) return found;
    }
  }
  return std::nullopt;
}

// The first table below the heading and before the next one of the same or a higher level.
Objection check_table(const std::vector<MarkdownBlock>& blocks, std::string_view heading) {
  const auto start = find_heading(blocks, heading);
  if (start == blocks.end()) return "no heading " + in_quotes(heading);
  for (auto block = start + 1; block != blocks.end(); ++block) {
    if (block->kind == MarkdownKind::Heading && block->level <= start->level) break;
    if (block->kind == MarkdownKind::Table) return check_rows(*block);
  }
  return "no table below the heading " + in_quotes(heading);
}

Objection check_checkboxes(const std::vector<MarkdownBlock>& blocks, int wanted) {
  const std::ptrdiff_t count =
      std::ranges::count_if(blocks, [](const MarkdownBlock& block) { return block.checked.has_value(); });
  if (count >= wanted) return std::nullopt;
  return "it has " + std::to_string(count) + " checkbox items, " + std::to_string(wanted) + " are required";
}

Objection check_matches(std::string_view content, const std::string& expression) {
  const Result<Pattern> pattern = Pattern::compile(expression);
  if (!pattern) return pattern.error().message;
  if (pattern->is_found_in(content)) return std::nullopt;
  return "nothing matches " + in_quotes(expression);
}

Objection find_objection(const CompleteCheck& check, std::string_view content) {
  if (trim(content).empty()) return "it is empty";
  if (!check.is_declared()) return std::nullopt;
  if (content.size() > kDocumentBytesMax) {
    return "it is larger than " + std::to_string(kDocumentBytesMax) + " bytes and cannot be checked";
  }
  const std::vector<MarkdownBlock> blocks = scan_markdown(content);
  if (!check.heading.empty() && find_heading(blocks, check.heading) == blocks.end()) {
    return "no heading " + in_quotes(check.heading);
  }
  Objection found;
  if (!check.table.empty()) found = check_table(blocks, check.table);
  if (!found && check.checkboxes) found = check_checkboxes(blocks, *check.checkboxes);
  if (!found && check.no_placeholders) found = check_placeholders(content, blocks);
  if (!found && !check.matches.empty()) found = check_matches(content, check.matches);
  return found;
}

}  // namespace

CheckAnswer check_complete(const CompleteCheck& check, std::string_view content) {
  if (const Objection objection = find_objection(check, content)) return {.passed = false, .why = *objection};
  return {};
}

}  // namespace reprise
