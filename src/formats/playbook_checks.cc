#include "formats/playbook_checks.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/strings.h"
#include "formats/state_words.h"
#include "text/markdown_document.h"

namespace reprise {
namespace {

constexpr std::string_view kSpaces = " \t\v\f\x1c\x1d\x1e\x1f";

std::string_view right_trimmed(std::string_view line) {
  return line.substr(0, line.find_last_not_of(kSpaces) + 1);
}

bool is_table_line(std::string_view line) { return trim(line).starts_with('|'); }

// Returns the lines without the heading "## Header Metadata", its table and one blank line behind that.
std::vector<std::string_view> without_header_metadata(std::vector<std::string_view> lines) {
  const auto heading = std::ranges::find_if(lines, [](auto line) { return line == "## Header Metadata"; });
  if (heading == lines.end()) return lines;
  auto end = heading + 1;
  while (end != lines.end() && end->empty()) ++end;
  if (end == lines.end() || !is_table_line(*end)) return lines;
  while (end != lines.end() && is_table_line(*end)) ++end;
  if (end != lines.end() && end->empty()) ++end;
  lines.erase(heading, end);
  return lines;
}

std::string spec_content(std::string_view spec) {
  std::vector<std::string_view> lines;
  for (std::size_t begin = 0; begin < spec.size();) {
    const std::size_t end = std::min(spec.find_first_of("\r\n", begin), spec.size());
    lines.push_back(right_trimmed(spec.substr(begin, end - begin)));
    begin = end + (spec.substr(end).starts_with("\r\n") ? 2 : 1);
  }
  lines = without_header_metadata(std::move(lines));
  const auto is_text = [](std::string_view line) { return !line.empty(); };
  const auto first = std::ranges::find_if(lines, is_text);
  const auto last = std::find_if(lines.rbegin(), lines.rend(), is_text).base();
  std::string out;
  for (auto line = first; line < last; ++line) {
    if (line != first) out += '\n';
    out += *line;
  }
  // Spaces before the first word go as well: the whole text is stripped.
  const std::size_t begin = std::min(out.find_first_not_of(kSpaces), out.size());
  return out.substr(begin) + '\n';
}

constexpr std::array<std::string_view, 8> kArticles = {"I", "II", "III", "IV", "V", "VI", "VII", "VIII"};

std::optional<std::size_t> numeral(std::string_view word) {
  const auto found = std::ranges::find(kArticles, word);
  if (found != kArticles.end()) return static_cast<std::size_t>(found - kArticles.begin());
  if (word.size() == 1 && word[0] >= '1' && word[0] <= '8') return static_cast<std::size_t>(word[0] - '1');
  return std::nullopt;
}

// Returns the article that a cell is about: "Article IV — Tests", "IV", "Art. 4: Tests".
std::optional<std::size_t> article_in(std::string_view cell) {
  std::string text = plain_value(cell);
  for (char& c : text) {
    const bool is_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!is_word) c = ' ';
  }
  std::vector<std::string_view> words = split(text, ' ');
  std::erase_if(words, [](std::string_view word) { return word.empty(); });
  if (words.empty()) return std::nullopt;
  const std::string first = to_lower(words[0]);
  const bool is_named = first == "article" || first == "art";
  if (is_named && words.size() < 2) return std::nullopt;
  return numeral(words[is_named ? 1 : 0]);
}

std::string article_name(std::size_t article) { return "Article " + std::string(kArticles[article]); }

// The tables below a heading that contains `words`, up to the next heading of its level; not those in code.
std::vector<MarkdownTable> tables_below(const MarkdownDocument& document, std::string_view words) {
  std::vector<MarkdownTable> tables;
  std::size_t end = 0;
  for (const MarkdownSection& section : document.sections()) {
    const bool is_wanted = normal_heading(section.heading).find(words) != std::string::npos;
    if (is_wanted) end = std::max(end, section.end);
    if (!is_wanted && section.first > end) continue;
    for (MarkdownTable& table : document.tables(section)) {
      if (!table.fenced) tables.push_back(std::move(table));
    }
  }
  return tables;
}

// What a cell says of a principle. The documented words come first; the others are what people write.
enum class Verdict { Kept, Exception, NotApplicable, Broken, Unknown };
Verdict verdict_in(std::string_view cell) {
  static constexpr std::array<std::string_view, 14> kKept = {
      "complies", "compliant", "pass",      "passes",   "passed", "yes",       "y",
      "ok",       "met",       "satisfied", "conforms", "true",   "fulfilled", "x"};
  static constexpr std::array<std::string_view, 10> kBroken = {
      "fail", "fails", "failed", "no", "n", "violation", "violates", "non_compliant", "not_met", "false"};
  const std::string_view text = trim(cell);
  for (const std::string_view mark : {"✅", "✓", "✔", "☑", "[x]", "[X]"}) {
    if (text.starts_with(mark)) return Verdict::Kept;
  }
  if (text.starts_with("❌") || text.starts_with("✗") || text.starts_with("[ ]")) return Verdict::Broken;
  const std::string token = leading_token(text);
  if (token == "exception") return Verdict::Exception;
  if (token == "n_a" || token == "na" || token == "not_applicable") return Verdict::NotApplicable;
  if (is_one_of(token, kKept)) return Verdict::Kept;
  return is_one_of(token, kBroken) ? Verdict::Broken : Verdict::Unknown;
}

struct ArticleStatus {
  Verdict verdict = Verdict::Unknown;
  int line = 0;
};

using Articles = std::map<std::size_t, ArticleStatus>;

ConstitutionVerdict objection(int line, std::string reason) { return {false, std::move(reason), line}; }

std::string cell_of(const MarkdownRow& row, std::size_t column) {
  return column < row.cells.size() ? row.cells[column] : "";
}

// Objects to a status that is not given, not known, or says that the principle is broken; completed if it is none.
ConstitutionVerdict judge_status(const std::string& name, const std::string& status, int line) {
  // "N/A" has a slash, which a template's list of alternatives has too.
  const Verdict verdict = verdict_in(status);
  if (is_unfilled(status) && verdict != Verdict::NotApplicable)
    return objection(line, name + ": the status is left as the template has it");
  if (verdict == Verdict::Unknown || verdict == Verdict::Broken) {
    return objection(line, name + ": the status is " +
                               (status.empty() ? "empty" : '"' + printable_line(status, 60) + '"') +
                               ", not COMPLIES, EXCEPTION or N/A");
  }
  return {.completed = true};
}

// Returns the column that says which article a row is about; nothing if the principles have names of their own.
std::optional<std::size_t> article_column(const MarkdownTable& table) {
  for (std::size_t column = 0; column < table.header.cells.size(); ++column) {
    for (const MarkdownRow& row : table.rows) {
      const std::string heading = normal_heading(table.header.cells[column]);
      const bool is_number = heading.empty() || heading == "#" || heading == "no" || heading == "no.";
      if (!is_number && article_in(cell_of(row, column))) return column;
    }
  }
  return std::nullopt;
}

// Returns the column with the verdicts: the one that is called so, else one in which every row has a verdict.
std::optional<std::size_t> verdict_column(const MarkdownTable& table) {
  static constexpr std::array<std::string_view, 12> kNames = {
      "status", "compliant", "compliant?", "complies", "complies?", "compliance",
      "result", "verdict",   "check",      "pass?",    "pass/fail", "assessment"};
  for (const std::string_view name : kNames) {
    if (const std::optional<std::size_t> column = table.find_column(name)) return column;
  }
  for (std::size_t column = 1; column < table.header.cells.size(); ++column) {
    const bool all = !table.rows.empty() && std::ranges::all_of(table.rows, [&](const MarkdownRow& row) {
      return verdict_in(cell_of(row, column)) != Verdict::Unknown;
    });
    if (all) return column;
  }
  return std::nullopt;
}

// Reads the articles' statuses; the verdict is completed unless a row is wrong.
ConstitutionVerdict read_articles(const MarkdownTable& table, std::size_t name_column, std::size_t status_column,
                                  Articles& articles) {
  for (const MarkdownRow& row : table.rows) {
    const std::optional<std::size_t> article = article_in(cell_of(row, name_column));
    if (!article) continue;
    const std::string status = cell_of(row, status_column);
    const std::string name = article_name(*article);
    if (ConstitutionVerdict verdict = judge_status(name, status, row.line); !verdict.completed) return verdict;
    const auto [place, is_new] = articles.try_emplace(*article, ArticleStatus{verdict_in(status), row.line});
    if (!is_new && place->second.verdict != verdict_in(status))
      return objection(row.line, name + " has two statuses");
  }
  return {.completed = true};
}

bool is_justified(const std::vector<MarkdownTable>& tables, std::size_t article) {
  const auto is_about = [&](const std::string& cell) { return article_in(cell) == article; };
  const auto says_something = [](const std::string& cell) { return !is_nothing(cell) && !is_unfilled(cell); };
  return std::ranges::any_of(tables, [&](const MarkdownTable& table) {
    return std::ranges::any_of(table.rows, [&](const MarkdownRow& row) {
      return row.cells.size() > 1 && is_about(row.cells[0]) &&
             std::any_of(row.cells.begin() + 1, row.cells.end(), says_something);
    });
  });
}

// The eight articles: each has a row, and an exception is justified.
ConstitutionVerdict check_articles(const MarkdownTable& table, std::size_t names, std::size_t status,
                                   const std::vector<MarkdownTable>& justifications) {
  Articles articles;
  if (ConstitutionVerdict verdict = read_articles(table, names, status, articles); !verdict.completed)
    return verdict;
  for (std::size_t article = 0; article < kArticles.size(); ++article) {
    const auto found = articles.find(article);
    if (found == articles.end()) return objection(table.header.line, article_name(article) + " has no row");
    if (found->second.verdict == Verdict::Exception && !is_justified(justifications, article)) {
      return objection(
          found->second.line,
          article_name(article) + " is an exception without a row in the table \"Complexity Justification\"");
    }
  }
  return {.completed = true};
}

// Principles with names of their own: how many there are is told by nothing but the table.
ConstitutionVerdict check_principles(const MarkdownTable& table, std::size_t status,
                                     const std::vector<MarkdownTable>& justifications) {
  if (table.rows.empty()) return objection(table.header.line, "the table of the Constitution Check has no rows");
  for (const MarkdownRow& row : table.rows) {
    const std::string name = printable_line(plain_value(cell_of(row, status == 0 ? 1 : 0)), 60);
    if (is_unfilled(name)) return objection(row.line, "a row is left as the template has it");
    if (ConstitutionVerdict verdict = judge_status(name, cell_of(row, status), row.line); !verdict.completed)
      return verdict;
    if (verdict_in(cell_of(row, status)) != Verdict::Exception) continue;
    const bool has_row = std::ranges::any_of(justifications, [&](const MarkdownTable& each) {
      return std::ranges::any_of(each.rows, [&](const MarkdownRow& reason) {
        return to_lower(plain_value(cell_of(reason, 0))) ==
                   to_lower(plain_value(cell_of(row, status == 0 ? 1 : 0))) &&
               reason.cells.size() > 1 && !is_nothing(reason.cells[1]) && !is_unfilled(reason.cells[1]);
      });
    });
    if (!has_row)
      return objection(row.line,
                       name + " is an exception without a row in the table \"Complexity Justification\"");
  }
  return {.completed = true};
}

}  // namespace

SpecHashes spec_hashes(std::string_view spec) {
  return {.raw = digest_of(spec), .content = digest_of(spec_content(spec))};
}

SpecHashMatch match_spec_hash(const SpecHashes& hashes, const ClaimedDigest& claim) {
  const std::optional<Digest> digest = claim.digest();
  if (digest && *digest == hashes.raw) return SpecHashMatch::Raw;
  if (digest && *digest == hashes.content) return SpecHashMatch::Content;
  return SpecHashMatch::None;
}

ConstitutionVerdict constitution_check(std::string_view adr) {
  const MarkdownDocument document{std::string(adr)};
  const std::vector<MarkdownTable> tables = tables_below(document, "constitution check");
  const auto table =
      std::ranges::find_if(tables, [](const MarkdownTable& each) { return verdict_column(each).has_value(); });
  if (table == tables.end())
    return objection(0, "there is no heading \"Constitution Check\" with a table that has a column \"Status\"");
  const std::size_t status = *verdict_column(*table);
  const std::vector<MarkdownTable> justifications = tables_below(document, "complexity justification");
  const std::optional<std::size_t> names = article_column(*table);
  return names ? check_articles(*table, *names, status, justifications)
               : check_principles(*table, status, justifications);
}

}  // namespace reprise
