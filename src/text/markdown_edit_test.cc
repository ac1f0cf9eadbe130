// Looking things up in Markdown and changing them: only the bytes that are meant change (F2), and what was
// written is read back.

#include "text/markdown_edit.h"

#include <gtest/gtest.h>

#include <random>

#include "base/strings.h"
#include "text/markdown_row.h"

namespace reprise {
namespace {

const std::string kState =
    "# State\n\n- run: 7\n- **Stage:** build (again)\n- `note`:\n\n## Done ##\n\n"
    "| Stage | At | What |\n|:--|:-:|---|\n| spec | today | a \\| b |\n|plan||\n\n"
    "## Boxes\n\n- [ ] Look\n- [x] Sign\n\n## Notes\n\nFirst.\n\n## Last\n\n```\nx | y\n--|--\n1 | 2\n```\n";

std::string changed(const std::string& text, const TextEdit& edit) { return apply_edits(text, {edit}); }

TEST(MarkdownDocument, SectionsEndAtTheNextHeadingOfTheirLevel) {
  const MarkdownDocument document("intro\n# A\na\n## B\nb\n### C\n## D\n# E\n");
  ASSERT_EQ(document.sections().size(), 6u);
  const auto text = [&](const MarkdownSection& section) {
    return std::string(text_of(document.bytes(), document.body(section)));
  };
  EXPECT_EQ(text(document.sections()[0]), "intro\n");
  EXPECT_EQ(text(*document.find_section("a")), "a\n");
  EXPECT_EQ(document.find_section("A")->end, document.find_section("E")->first - 1);
  EXPECT_EQ(document.find_section("**b**")->end, document.find_section("D")->first - 1);
  EXPECT_EQ(document.find_section("C")->line, 6);
  EXPECT_EQ(document.find_section("F"), nullptr);
}

TEST(MarkdownDocument, FieldsOfAllFormsAreFound) {
  const MarkdownDocument document(
      "- key: value\n* **Bold Key:** v\n- **Other**: w\n+ `code`: x\n- empty:\n- url http://x\n- status:DONE\n"
      "- [ ] box: no\n- **all: bold**\n- 10:30 late\n\n"
      "**Line:** here\nPlain Key: there\nA long sentence of prose: no\n\n"
      "| Field | Value |\n|---|---|\n| **k** | a \\| b |\n| short |\n");
  const std::vector<MarkdownField> fields = document.fields(document.sections()[0]);
  std::vector<std::string> seen;
  for (const MarkdownField& field : fields) seen.push_back(field.key + "=" + field.value);
  EXPECT_EQ(seen,
            (std::vector<std::string>{"key=value", "Bold Key=v", "Other=w", "code=x", "empty=", "status=DONE",
                                      "all=bold", "Line=here", "Plain Key=there", "k=a | b", "short="}));
}

TEST(MarkdownDocument, AValueMayBeWrappedOrAList) {
  const MarkdownDocument document("- a: one\n  two\nthree\n- b:\n  - x\n  - y\n    z\n- c:\n  late\n- d: 1\n");
  const std::vector<MarkdownField> fields = document.fields(document.sections()[0]);
  ASSERT_EQ(fields.size(), 4u);
  EXPECT_EQ(fields[0].value, "one two three");
  EXPECT_EQ(fields[1].nested, (std::vector<std::string>{"x", "y z"}));
  EXPECT_EQ(fields[2].value, "late");
  EXPECT_EQ(changed(document.bytes(), set_field(document, fields[0], "4")),
            "- a: 4\n- b:\n  - x\n  - y\n    z\n- c:\n  late\n- d: 1\n");
  EXPECT_EQ(changed(document.bytes(), set_field(document, fields[2], "- soon")),
            "- a: one\n  two\nthree\n- b:\n  - x\n  - y\n    z\n- c: - soon\n- d: 1\n");
}

TEST(MarkdownEdit, SetsOneFieldInEachForm) {
  const MarkdownDocument document(kState);
  const std::vector<MarkdownField> fields = document.fields(document.sections()[1]);
  ASSERT_EQ(fields.size(), 3u);
  const auto set = [&](std::size_t at, std::string_view value) {
    return changed(kState, set_field(document, fields[at], value)).substr(0, 60);
  };
  EXPECT_TRUE(set(0, "8\n9").starts_with("# State\n\n- run: 8 9\n- **Stage:** build (again)\n"));
  EXPECT_TRUE(set(1, "test").starts_with("# State\n\n- run: 7\n- **Stage:** test\n- `note`:\n"));
  EXPECT_TRUE(set(2, "x").starts_with("# State\n\n- run: 7\n- **Stage:** build (again)\n- `note`: x\n\n##"));
}

TEST(MarkdownEdit, AddsAFieldInTheFormOfTheLastOne) {
  const auto added = [](const std::string& text) {
    const MarkdownDocument document(text);
    const std::vector<MarkdownField> fields = document.fields(document.sections()[0]);
    return changed(text, add_field(document, fields.back(), "key", "v | w"));
  };
  EXPECT_EQ(added("- a: 1\n\nend\n"), "- a: 1\n- key: v | w\n\nend\n");
  EXPECT_EQ(added("  * **A:** 1"), "  * **A:** 1\n  * **key:** v | w");
  EXPECT_EQ(added("\xEF\xBB\xBF- `a`:\r\n"), "\xEF\xBB\xBF- `a`:\r\n- `key`: v | w\r\n");
  EXPECT_EQ(added("- a: 1\n  more\n  - nested\n- [ ] x\n"), "- a: 1\n  more\n  - nested\n- key: v | w\n- [ ] x\n");
  EXPECT_EQ(added("|Field|Value|\n|-|-|\n|a|1|\n"), "|Field|Value|\n|-|-|\n|a|1|\n|key|v \\| w|\n");
}

TEST(MarkdownEdit, SetsOneCellAndLeavesTheRest) {
  const MarkdownDocument document(kState);
  const std::vector<MarkdownTable> tables = document.tables(*document.find_section("Done"));
  ASSERT_EQ(tables.size(), 1u);
  const auto row_after = [&](std::size_t row, std::string_view column, std::string_view value) {
    const std::string text =
        changed(kState, set_cell(document, tables[0].rows[row], *tables[0].find_column(column), value));
    const std::size_t begin = tables[0].rows[row].span.begin;
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  EXPECT_EQ(row_after(0, "stage", "x|y"), "| x\\|y | today | a \\| b |");
  EXPECT_EQ(row_after(0, "WHAT", "one\ntwo"), "| spec | today | one<br>two |");
  EXPECT_EQ(row_after(0, "at", ""), "| spec |  | a \\| b |");
  EXPECT_EQ(row_after(1, "at", "now"), "|plan| now |");
  EXPECT_EQ(row_after(1, "what", "w"), "|plan||w|");
  EXPECT_EQ(row_after(1, "stage", "a\\"), "|a\\ ||");
  EXPECT_FALSE(tables[0].find_column("who").has_value());
  const std::string text =
      apply_edits(kState, set_cells(document, tables[0].rows[1], {{0, "p"}, {2, "q"}, {3, "r"}}));
  EXPECT_NE(text.find("\n|p||q|r|\n"), std::string::npos);
}

TEST(MarkdownEdit, AppendsARowInTheStyleOfTheTable) {
  const auto appended = [](const std::string& text, std::vector<std::string> cells) {
    const MarkdownDocument document(text);
    return changed(text, append_row(document, document.tables(document.sections()[0]).at(0), cells));
  };
  EXPECT_EQ(appended("| a | b |\n|---|---|\n", {"1", "2"}), "| a | b |\n|---|---|\n| 1 | 2 |\n");
  EXPECT_EQ(appended("|a|b|\r\n|-|-|\r\n|1|2|\r\ntext", {"3"}), "|a|b|\r\n|-|-|\r\n|1|2|\r\n|3||\r\ntext");
  EXPECT_EQ(appended("a | b\n--|--\nx | y", {"p", "q"}), "a | b\n--|--\nx | y\np | q");
  EXPECT_EQ(appended("a | b\n--|--\nx | y\n", {"- p", ""}), "a | b\n--|--\nx | y\n| - p |  |\n");
  EXPECT_EQ(appended("  ```\n  | a |\n  |---|\n  ```\n", {"1"}), "  ```\n  | a |\n  |---|\n  | 1 |\n  ```\n");
  EXPECT_EQ(appended("|a|\n|-|\n|b|\n", {"c\\"}), "|a|\n|-|\n|b|\n|c\\ |\n");
}

TEST(MarkdownEdit, TicksAndClearsOneBox) {
  const MarkdownDocument document(kState);
  const std::vector<MarkdownBlock> boxes = document.boxes(*document.find_section("boxes"));
  ASSERT_EQ(boxes.size(), 2u);
  EXPECT_NE(changed(kState, set_checked(boxes[0], true)).find("- [x] Look\n- [x] Sign\n"), std::string::npos);
  EXPECT_NE(changed(kState, set_checked(boxes[1], false)).find("- [ ] Look\n- [ ] Sign\n"), std::string::npos);
}

TEST(MarkdownEdit, AppendsTextToASection) {
  const auto appended = [](const std::string& text, std::string_view line) {
    const MarkdownDocument document(text);
    return changed(text, append_to_section(document, *document.find_section("Notes"), line));
  };
  EXPECT_EQ(appended("## Notes\n\nFirst.\n\n## Last\n", "Then."), "## Notes\n\nFirst.\n\nThen.\n\n## Last\n");
  EXPECT_EQ(appended("## Notes\n## Last\n", "Then."), "## Notes\n\nThen.\n\n## Last\n");
  EXPECT_EQ(appended("## Notes", "Then."), "## Notes\n\nThen.\n");
  EXPECT_EQ(appended("## Notes\r\n\r\n- a\r\n", "- b\n- c\n"), "## Notes\r\n\r\n- a\r\n- b\r\n- c\r\n");
  EXPECT_EQ(appended("## Notes\n- a\n### Old\nx\n", "Then."), "## Notes\n- a\n\nThen.\n\n### Old\nx\n");
  EXPECT_EQ(appended("## Notes\n```\nopen", "Then."), "## Notes\n```\nopen\n```\n\nThen.\n");
}

TEST(MarkdownEdit, AppendsASection) {
  const auto appended = [](const std::string& text, std::string_view body) {
    return changed(text, append_section(MarkdownDocument(text), 2, "New", body));
  };
  EXPECT_EQ(appended("", "x"), "## New\n\nx\n");
  EXPECT_EQ(appended("a", ""), "a\n\n## New\n");
  EXPECT_EQ(appended("a\r\n\r\n", "x\ny"), "a\r\n\r\n## New\r\n\r\nx\r\ny\r\n");
  EXPECT_EQ(appended("~~~~\nopen\n", "x"), "~~~~\nopen\n~~~~\n\n## New\n\nx\n");
}

std::string random_document(std::mt19937& random) {
  static const std::vector<std::string> lines = {"# A",
                                                 "## Notes",
                                                 "",
                                                 "",
                                                 "text",
                                                 "- key: value",
                                                 "- **Key:** v",
                                                 "* `k`:",
                                                 "  more",
                                                 "  - sub",
                                                 "- [ ] box",
                                                 "* [x] b",
                                                 "| a | b |",
                                                 "|---|---|",
                                                 "| 1 | 2 |",
                                                 "|1|",
                                                 "1 | 2",
                                                 "a | b",
                                                 "--|--",
                                                 "| Field | Value |",
                                                 "| k | v |",
                                                 "```",
                                                 "~~~",
                                                 "<!-- c",
                                                 "-->",
                                                 "---",
                                                 "===",
                                                 "> q",
                                                 "|a\\|b|c|d|",
                                                 "**L:** x",
                                                 "Plain: y",
                                                 "| x |",
                                                 "|---|",
                                                 "\\ | \\",
                                                 "|",
                                                 "||",
                                                 "|20  ",
                                                 "|--",
                                                 "   | a |",
                                                 "x: ",
                                                 "- a:b:c",
                                                 "- **k: v**",
                                                 "\xEF\xBB\xBF"};
  static const std::vector<std::string> endings = {"\n", "\n", "\n", "\r\n", "\r"};
  const std::string& usual = endings[random() % endings.size()];
  std::string text = random() % 10 == 0 ? "\xEF\xBB\xBF" : "";
  for (std::size_t count = random() % 14; count > 0; --count) {
    text += lines[random() % lines.size()];
    text += random() % 12 == 0 ? endings[random() % endings.size()] : usual;
  }
  if (random() % 3 == 0 && !text.empty()) text.pop_back();
  return text;
}

// Text that is awkward in a cell or a field, but is one line and trimmed.
std::string random_value(std::mt19937& random) {
  static const std::vector<std::string> values = {"x",      "",       "a | b", "\\",     "\\|",   "a\\",
                                                  "- item", "# head", "é — ü", "1. x",   "`p|q`", "```",
                                                  "--- |",  "a: b:c", "|",     "<!-- z", "[x] y", "| a |"};
  return values[random() % values.size()];
}

// All tables of a document, in order.
std::vector<MarkdownTable> all_tables(const MarkdownDocument& document) {
  std::vector<MarkdownTable> tables;
  for (const MarkdownSection& section : document.sections()) {
    for (MarkdownTable& table : document.tables(section)) tables.push_back(std::move(table));
  }
  return tables;
}

std::vector<MarkdownField> all_fields(const MarkdownDocument& document) {
  std::vector<MarkdownField> fields;
  for (const MarkdownSection& section : document.sections()) {
    for (MarkdownField& field : document.fields(section)) fields.push_back(std::move(field));
  }
  return fields;
}

std::string cell_of(const MarkdownRow& row, std::size_t column) {
  return column < row.cells.size() ? row.cells[column] : "";
}

TEST(MarkdownEdit, F2_WhatWasWrittenIsReadBackFromRandomTables) {
  std::mt19937 random(2);
  std::size_t cells = 0;
  std::size_t rows = 0;
  for (int round = 0; round < 60'000; ++round) {
    const MarkdownDocument before(random_document(random));
    const std::vector<MarkdownTable> tables = all_tables(before);
    for (std::size_t t = 0; t < tables.size(); ++t) {
      const std::string value = random_value(random);
      std::vector<std::string> wanted(tables[t].header.cells.size());
      for (std::string& cell : wanted) cell = random_value(random);
      const std::string text = changed(before.bytes(), append_row(before, tables[t], wanted));
      const std::vector<MarkdownTable> after = all_tables(MarkdownDocument(text));
      ASSERT_EQ(after.size(), tables.size()) << before.bytes() << "\n---\n" << text;
      ASSERT_EQ(after[t].rows.size(), tables[t].rows.size() + 1) << before.bytes() << "\n---\n" << text;
      ASSERT_EQ(after[t].rows.back().cells, wanted) << before.bytes() << "\n---\n" << text;
      ++rows;
      if (tables[t].rows.empty()) continue;
      const std::size_t row = random() % tables[t].rows.size();
      const std::size_t column = random() % wanted.size();
      const std::string set = changed(before.bytes(), set_cell(before, tables[t].rows[row], column, value));
      const std::vector<MarkdownTable> now = all_tables(MarkdownDocument(set));
      ASSERT_EQ(now.size(), tables.size()) << before.bytes() << "\n---\n" << set;
      ASSERT_EQ(cell_of(now[t].rows.at(row), column), value) << before.bytes() << "\n---\n" << set;
      for (std::size_t c = 0; c < wanted.size(); ++c) {
        if (c == column) continue;
        ASSERT_EQ(cell_of(now[t].rows[row], c), cell_of(tables[t].rows[row], c)) << set;
      }
      ++cells;
    }
  }
  EXPECT_GT(rows, 3'000u);
  EXPECT_GT(cells, 1'000u);
}

TEST(MarkdownEdit, F2_WhatWasWrittenIsReadBackFromRandomFields) {
  std::mt19937 random(3);
  std::size_t set = 0;
  for (int round = 0; round < 20'000; ++round) {
    const MarkdownDocument before(random_document(random));
    const std::vector<MarkdownField> fields = all_fields(before);
    for (std::size_t f = 0; f < fields.size(); ++f) {
      std::string value = random_value(random);
      // A line of text with a pipe may be the header of a table.
      if (fields[f].form == FieldForm::Line) std::erase(value, '|');
      value = trim(value);
      const std::string text = changed(before.bytes(), set_field(before, fields[f], value));
      const std::vector<MarkdownField> after = all_fields(MarkdownDocument(text));
      ASSERT_EQ(after.size(), fields.size()) << before.bytes() << "\n---\n" << text;
      ASSERT_EQ(after[f].value, value) << before.bytes() << "\n---\n" << text;
      ++set;
    }
    if (fields.empty()) continue;
    const std::string text = changed(before.bytes(), add_field(before, fields.back(), "new_key", "new value"));
    const std::vector<MarkdownField> after = all_fields(MarkdownDocument(text));
    ASSERT_EQ(after.size(), fields.size() + 1) << before.bytes() << "\n---\n" << text;
    ASSERT_EQ(after.back().key, "new_key") << before.bytes() << "\n---\n" << text;
    ASSERT_EQ(after.back().value, "new value");
  }
  EXPECT_GT(set, 10'000u);
}

TEST(MarkdownEdit, F2_SectionsAndTextAreAddedToRandomDocuments) {
  std::mt19937 random(4);
  std::size_t notes = 0;
  int rounds = 0;
  for (; rounds < 20'000; ++rounds) {
    const MarkdownDocument before(random_document(random));
    const MarkdownDocument with_section(changed(before.bytes(), append_section(before, 2, "Ours", "own text")));
    const MarkdownSection* ours = with_section.find_section("ours");
    ASSERT_NE(ours, nullptr) << before.bytes() << "\n---\n" << with_section.bytes();
    ASSERT_EQ(trim(text_of(with_section.bytes(), with_section.body(*ours))), "own text") << with_section.bytes();
    const MarkdownSection* section = before.find_section("notes");
    if (section == nullptr) continue;
    const MarkdownDocument after(changed(before.bytes(), append_to_section(before, *section, "A new line.")));
    const MarkdownSection* grown = after.find_section("notes");
    ASSERT_NE(grown, nullptr) << after.bytes();
    ASSERT_TRUE(trim(text_of(after.bytes(), after.body(*grown))).ends_with("A new line.")) << after.bytes();
    ASSERT_EQ(after.sections().size(), before.sections().size()) << before.bytes() << "\n---\n" << after.bytes();
    ++notes;
  }
  EXPECT_EQ(rounds, 20'000);
  EXPECT_GT(notes, 2'000u);
}

TEST(MarkdownRow, ACellSaysWhatItWasGiven) {
  EXPECT_EQ(escape_cell(" a|b\r\nc\x1b "), "a\\|b<br>c");
  EXPECT_EQ(on_one_line(" a\r\n\tb "), "a b");
}

}  // namespace
}  // namespace reprise
