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

struct ArticleStatus {
  std::string status;
  int line = 0;
};

using Articles = std::map<std::size_t, ArticleStatus>;

ConstitutionVerdict objection(int line, std::string reason) { return {false, std::move(reason), line}; }

// Reads the articles' statuses; the verdict is completed unless a row is wrong.
ConstitutionVerdict read_articles(const MarkdownTable& table, std::size_t status_column, Articles& articles) {
  for (const MarkdownRow& row : table.rows) {
    const std::optional<std::size_t> article = article_in(row.cells[0]);
    if (!article) continue;
    const std::string status = status_column < row.cells.size() ? row.cells[status_column] : "";
    const std::string token = leading_token(status);
    const std::string name = article_name(*article);
    if (is_unfilled(status)) return objection(row.line, name + ": the status is left as the template has it");
    // "N/A" has a slash, which a template's list of alternatives has too.
    if (token != "complies" && token != "exception" && token != "n_a") {
      return objection(row.line, name + ": the status is " +
                                     (status.empty() ? "empty" : '"' + printable_line(status, 60) + '"') +
                                     ", not COMPLIES, EXCEPTION or N/A");
    }
    const auto [place, is_new] = articles.try_emplace(*article, ArticleStatus{token, row.line});
    if (!is_new && place->second.status != token) return objection(row.line, name + " has two statuses");
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
  const auto table = std::ranges::find_if(
      tables, [](const MarkdownTable& each) { return each.find_column("status").has_value(); });
  if (table == tables.end())
    return objection(0, "there is no heading \"Constitution Check\" with a table that has a column \"Status\"");
  Articles articles;
  if (ConstitutionVerdict verdict = read_articles(*table, *table->find_column("status"), articles);
      !verdict.completed)
    return verdict;
  const std::vector<MarkdownTable> justifications = tables_below(document, "complexity justification");
  for (std::size_t article = 0; article < kArticles.size(); ++article) {
    const auto found = articles.find(article);
    if (found == articles.end()) return objection(table->header.line, article_name(article) + " has no row");
    if (found->second.status == "exception" && !is_justified(justifications, article)) {
      return objection(
          found->second.line,
          article_name(article) + " is an exception without a row in the table \"Complexity Justification\"");
    }
  }
  return {.completed = true};
}

}  // namespace reprise
