// Where tables and their cells are, compared with what GitHub's own parser (cmark-gfm) says: on cases
// written by hand and on random documents made of pipes, dashes and words.

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <random>

#include "base/strings.h"
#include "text/markdown.h"
#include "text/markdown_row.h"

namespace reprise {
namespace {

struct Row {
  int line = 0;
  std::vector<std::string> cells;
  bool operator==(const Row&) const = default;
};
using Table = std::vector<Row>;

std::ostream& operator<<(std::ostream& out, const Row& row) {
  out << row.line << ":";
  for (const std::string& cell : row.cells) out << " [" << cell << "]";
  return out;
}

// Marks of code and escapes are not compared: the other parser has taken them away.
std::string plain(std::string_view text) {
  std::string out(text);
  std::erase(out, '`');
  std::erase(out, '\\');
  std::erase(out, ' ');
  return out;
}

std::string text_below(cmark_node* node) {
  std::string out;
  for (cmark_node* child = cmark_node_first_child(node); child != nullptr; child = cmark_node_next(child)) {
    if (const char* literal = cmark_node_get_literal(child)) out += literal;
    out += text_below(child);
  }
  return out;
}

// The other parser gives a header that ends a paragraph the line where the paragraph starts.
int header_line(const std::string& text, int start, std::size_t columns) {
  const std::vector<TextLine> lines = lines_of(text);
  for (auto at = static_cast<std::size_t>(start); at < lines.size(); ++at) {
    const MarkdownRow header = split_row(text, lines[at - 1].text, 0);
    const MarkdownRow below = split_row(text, lines[at].text, 0);
    if (!is_delimiter_row(text_of(text, lines[at].text))) continue;
    if (header.cells.size() == columns && below.cells.size() == columns) return static_cast<int>(at);
  }
  return 0;
}

Table oracle_table(const std::string& text, cmark_node* node) {
  Table table;
  for (cmark_node* row = cmark_node_first_child(node); row != nullptr; row = cmark_node_next(row)) {
    Row& made = table.emplace_back(Row{.line = cmark_node_get_start_line(row)});
    for (cmark_node* cell = cmark_node_first_child(row); cell != nullptr; cell = cmark_node_next(cell)) {
      made.cells.push_back(plain(text_below(cell)));
    }
  }
  table[0].line = header_line(text, table[0].line, table[0].cells.size());
  return table;
}

// The top-level tables as the other parser sees them.
std::vector<Table> oracle_tables(const std::string& text) {
  cmark_gfm_core_extensions_ensure_registered();
  const std::unique_ptr<cmark_parser, void (*)(cmark_parser*)> parser(cmark_parser_new(CMARK_OPT_DEFAULT),
                                                                      cmark_parser_free);
  cmark_parser_attach_syntax_extension(parser.get(), cmark_find_syntax_extension("table"));
  cmark_parser_feed(parser.get(), text.data(), text.size());
  const std::unique_ptr<cmark_node, void (*)(cmark_node*)> root(cmark_parser_finish(parser.get()),
                                                                cmark_node_free);
  std::vector<Table> tables;
  for (cmark_node* node = cmark_node_first_child(root.get()); node != nullptr; node = cmark_node_next(node)) {
    if (std::string_view(cmark_node_get_type_string(node)) == "table") tables.push_back(oracle_table(text, node));
  }
  return tables;
}

std::vector<Table> our_tables(const std::string& text) {
  std::vector<Table> tables;
  for (const MarkdownBlock& block : scan_markdown(text)) {
    if (block.kind != MarkdownKind::Table) continue;
    Table& table = tables.emplace_back();
    std::vector<MarkdownRow> rows = block.rows;
    rows.insert(rows.begin(), block.header);
    for (const MarkdownRow& row : rows) {
      Row& made = table.emplace_back(Row{.line = row.line});
      for (const std::string& cell : row.cells) made.cells.push_back(plain(cell));
      // The other parser fills up and cuts off.
      made.cells.resize(block.header.cells.size());
    }
  }
  return tables;
}

// Our exception: a line without a pipe ends the table. What follows it in the other parser's table is not
// compared, and neither is a table that we find there.
struct Compared {
  std::vector<Table> ours;
  std::vector<Table> oracle;
};

Compared compare(const std::string& text) {
  Compared result{our_tables(text), oracle_tables(text)};
  const std::vector<TextLine> lines = lines_of(text);
  for (Table& table : result.oracle) {
    const auto stop = std::ranges::find_if(table, [&](const Row& row) {
      return text_of(text, lines[static_cast<std::size_t>(row.line - 1)].text).find('|') == std::string_view::npos;
    });
    if (stop == table.end()) continue;
    const int first = stop->line;
    const int last = table.back().line;
    table.erase(stop, table.end());
    std::erase_if(result.ours, [&](const Table& t) { return t[0].line >= first && t[0].line <= last; });
  }
  std::erase_if(result.oracle, [](const Table& table) { return table.empty(); });
  return result;
}

TEST(MarkdownOracle, TablesWrittenByHandAreWhereGitHubFindsThem) {
  const std::vector<std::string> documents = {
      "| a | b |\n|---|---|\n| 1 | 2 |\n",
      "a | b\n---|---\n1 | 2\n",
      "a | b |\n---|---|\n| 1 | 2\n",
      "| a |\n|---|\n| 1 |\n|2|\n",
      "| a |\n| :-: |\n| 1 |\n",
      "text\n| a | b |\n|---|---|\n| 1 | 2 |\ntext after\n",
      "| a | b |\n|---|\n| 1 | 2 |\n",
      "| a | b |\n| - | :- |\n| x \\| y | `p|q` |\n| `p\\|q` | z |\n",
      "| a | b |\n|---|---|\n| 1 |\n| 1 | 2 | 3 |\n||\n|\n| 9 | 9 |\n",
      "| a | b |\n|---|---|\n| \\\\| x | y |\n| \\ | y |\n",
      "| a | b |\n|---|---|\n> | 1 | 2 |\n",
      "| a | b |\n|---|---|\n- x | 2\n",
      "| a | b |\n|---|---|\n# x | 2\n",
      "| a | b |\n|---|---|\n```\n| 1 | 2 |\n```\n",
      "```\n| a | b |\n|---|---|\n```\n",
      "a | b\n- | -\n1 | 2\n",
      "a | b\n-|-\n1 | 2\n",
      "| a |\n---\n| 1 |\n",
      "# a | b\n|---|---|\n| 1 | 2 |\n",
      "- a | b\n|---|---|\n| 1 | 2 |\n",
      "   | a | b |\n  |---|---|\n | 1 | 2 |\n",
      "| a | b |\r\n|---|---|\r\n| 1 | 2 |\r\n",
      "| a | b |\r|---|---|\r| 1 | 2 |\r",
      "| a | b |\n|---|---|",
      "| a | b |\n|---|---|\n| 1 | 2 |",
      "| a | b |\n|:-:-|---|\n",
      "| a | b |\n|::-|---|\n",
      "| a | b |\n| --- | --- |   \n|  1\t|\t2  |  \n",
      "|| b |\n|---|---|\n|  | 2 |\n",
      "| a | b |\n|---|---|\n\n| 1 | 2 |\n",
      "| a | b |\n|---|---|\n| 1 | 2 |\n---\n",
      "| a | b |\n|---|---|\n| 1 | 2 |\n***\n",
      "a\n:-:\n1\n",
      "a\n|-|\n1|\n",
      "| | |\n|--|--|\n| | |\n",
  };
  std::size_t found = 0;
  for (const std::string& text : documents) {
    const Compared both = compare(text);
    EXPECT_EQ(both.ours, both.oracle) << text;
    found += both.oracle.size();
  }
  EXPECT_GE(found, 20u);
}

// Lines that are, or nearly are, parts of a table.
std::string random_line(std::mt19937& random) {
  static const std::vector<std::string> pieces = {"|",  "|",  "|",   "|",   " ",  " ",  "a",  "b1", "-",
                                                  "--", ":",  "---", "\\|", "\\", "`",  "| ", " |", "|---",
                                                  "é",  "||", ":-:", "x y", "|-", "-|", "\t", "|a"};
  static const std::vector<std::string> whole = {
      "",          "",          "| a | b |", "|---|---|", "| 1 | 2 |", "|-|",       "a | b",  "--- | ---", "| x |",
      "|:--|--:|", "# a | b",   "```",       "- a | b",   "> a | b",   "text",      "---",    "***",       "| a |",
      "|--|",      "| a|b|c |", "|-|-|-|",   "| `|` |",   "1. a | b",  "| \\| | |", " | a |", "  |---|",   "|"};
  if (random() % 3 != 0) return whole[random() % whole.size()];
  std::string line;
  for (std::size_t count = random() % 8; count > 0; --count) line += pieces[random() % pieces.size()];
  return line;
}

// Left out is what is not about tables: deep indentation (code for the other parser, maybe a nested table for
// us), and lines that go on with the list item or quotation above them.
bool is_comparable(const std::string& text) {
  if (text.starts_with("---\n")) return false;  // maybe front matter, which the other parser does not know
  bool in_list = false;
  bool may_continue = false;
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::string_view rest = line.substr(indent);
    const bool is_item = rest.starts_with("- ") || rest.starts_with("1. ");
    if (indent > 3 || rest.starts_with('\t') || rest.starts_with("-\t") || rest == "-") return false;
    if (in_list && indent > 0 && !trim(line).empty()) return false;
    if (may_continue && !is_item && !rest.empty() &&
        std::string_view("#>").find(rest[0]) == std::string_view::npos) {
      return false;
    }
    in_list = in_list || is_item;
    may_continue = is_item || rest.starts_with('>');
  }
  return true;
}

TEST(MarkdownOracle, RandomPipesAreTheTablesThatGitHubFinds) {
  std::mt19937 random(20261116);
  std::size_t compared = 0;
  std::size_t tables = 0;
  std::size_t rows = 0;
  for (int round = 0; round < 30'000; ++round) {
    std::string text;
    for (std::size_t lines = 1 + random() % 9; lines > 0; --lines) text += random_line(random) + "\n";
    if (!is_comparable(text)) continue;
    const Compared both = compare(text);
    ASSERT_EQ(both.ours, both.oracle) << "round " << round << "\n" << text;
    ++compared;
    tables += both.oracle.size();
    for (const Table& table : both.oracle) rows += table.size();
  }
  std::printf("%zu documents with %zu tables and %zu rows compared\n", compared, tables, rows);
  EXPECT_GT(compared, 15'000u);
  EXPECT_GT(tables, 2'500u);
  EXPECT_GT(rows, 5'000u);
}

}  // namespace
}  // namespace reprise
