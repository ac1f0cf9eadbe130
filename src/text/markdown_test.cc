// Blocks of Markdown, and that their spans together are the document.

#include "text/markdown.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

std::vector<MarkdownBlock> of_kind(std::string_view text, MarkdownKind kind) {
  std::vector<MarkdownBlock> blocks = scan_markdown(text);
  std::erase_if(blocks, [&](const MarkdownBlock& block) { return block.kind != kind; });
  return blocks;
}

TEST(Markdown, FindsHeadingsOfBothForms) {
  const std::vector<MarkdownBlock> found =
      of_kind("# One\n\n## Two ##\n#no\nThree\n===\n\nFour\n---\n    # code\n#\n", MarkdownKind::Heading);
  ASSERT_EQ(found.size(), 5u);
  EXPECT_EQ(found[0].text, "One");
  EXPECT_EQ(found[1].text, "Two");
  EXPECT_EQ(found[1].level, 2);
  EXPECT_EQ(found[2].text, "Three");
  EXPECT_EQ(found[2].level, 1);
  EXPECT_EQ(found[3].text, "Four");
  EXPECT_EQ(found[3].line, 8);
  EXPECT_EQ(found[4].text, "");
}

TEST(Markdown, TablesHaveRowsAndCells) {
  const std::vector<MarkdownBlock> found =
      of_kind("| a | b |\n|---|:-:|\n| 1 | x \\| y |\n| `p\\|q` |  |\nno table\n", MarkdownKind::Table);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].header.cells, (std::vector<std::string>{"a", "b"}));
  ASSERT_EQ(found[0].rows.size(), 2u);
  EXPECT_EQ(found[0].rows[0].cells, (std::vector<std::string>{"1", "x | y"}));
  EXPECT_EQ(found[0].rows[1].cells, (std::vector<std::string>{"`p|q`", ""}));
  EXPECT_EQ(found[0].rows[1].line, 4);
  EXPECT_TRUE(of_kind("a | b\nno delimiter\n", MarkdownKind::Table).empty());
  EXPECT_TRUE(of_kind("| a | b |\n|---|\n", MarkdownKind::Table).empty());
}

TEST(Markdown, CheckboxesAreListItems) {
  const std::vector<MarkdownBlock> found =
      of_kind("- [ ] open\n  * [x] done\n1. [X] also\n- plain\n- [y] other\n-not\n", MarkdownKind::ListItem);
  ASSERT_EQ(found.size(), 5u);
  EXPECT_EQ(found[0].checked, false);
  EXPECT_EQ(found[0].text, "open");
  EXPECT_EQ(found[1].checked, true);
  EXPECT_EQ(found[2].checked, true);
  EXPECT_FALSE(found[3].checked.has_value());
  EXPECT_FALSE(found[4].checked.has_value());
}

TEST(Markdown, NothingIsFoundInFencedCode) {
  const std::string text = "```md\n# no\n- [ ] no\n~~~\n```\n# yes\n~~~~\n```\n# no\n~~~\n~~~~\n";
  ASSERT_EQ(of_kind(text, MarkdownKind::Heading).size(), 1u);
  EXPECT_EQ(of_kind(text, MarkdownKind::Code).size(), 2u);
  EXPECT_TRUE(of_kind("```\n# unclosed\n", MarkdownKind::Heading).empty());
  EXPECT_TRUE(of_kind("```inline``` text\n", MarkdownKind::Code).empty());
}

TEST(Markdown, CommentsWithoutAnEndAreText) {
  EXPECT_EQ(of_kind("<!-- a\nb -->\ntext\n", MarkdownKind::Comment).size(), 1u);
  EXPECT_TRUE(of_kind("<!-- a\nb\n", MarkdownKind::Comment).empty());
  EXPECT_EQ(of_kind("<!-- a\n# heading\n", MarkdownKind::Heading).size(), 1u);
}

TEST(Markdown, SpansTogetherAreTheDocumentWhereverItIsCut) {
  const std::string whole =
      "# A\r\n\r\ntext\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```x\ncode\n```\nTitle\n---\n<!-- c\n-->\n- [ ] "
      "item\nend";
  std::size_t rounds = 0;
  for (std::size_t length = 0; length <= whole.size(); ++length, ++rounds) {
    const std::string text = whole.substr(0, length);
    std::string together;
    for (const MarkdownBlock& block : scan_markdown(text)) {
      EXPECT_EQ(block.begin, together.size());
      together += text.substr(block.begin, block.end - block.begin);
    }
    EXPECT_EQ(together, text);
  }
  EXPECT_EQ(rounds, whole.size() + 1);
}

TEST(Markdown, P13_ManyUnclosedCommentsAreLinear) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "<!--\n";
  EXPECT_EQ(scan_markdown(text).size(), 200'000u);
}

TEST(Markdown, FrontMatterIsABlockOnlyAtTheTopAndOnlyWithAnEnd) {
  const std::vector<MarkdownBlock> found =
      of_kind("\xEF\xBB\xBF---\na: 1\n# no\n---\n# yes\n", MarkdownKind::FrontMatter);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].begin, 0u);
  EXPECT_EQ(found[0].end, 21u);
  EXPECT_TRUE(of_kind("---\na: 1\n", MarkdownKind::FrontMatter).empty());
  EXPECT_TRUE(of_kind("\n---\na: 1\n---\n", MarkdownKind::FrontMatter).empty());
  EXPECT_EQ(of_kind("---\na: 1\n...\n", MarkdownKind::FrontMatter).size(), 1u);
}

TEST(Markdown, WhatIsInFencedCodeCanBeScannedWithItsPositions) {
  const std::string text = "# A\r\n```\r\n| a |\r\n|---|\r\n| b |\r\n```\r\n";
  const std::vector<MarkdownBlock> inside = scan_inside(text, of_kind(text, MarkdownKind::Code).at(0));
  ASSERT_EQ(inside.size(), 1u);
  EXPECT_EQ(inside[0].rows.at(0).line, 5);
  EXPECT_EQ(text_of(text, inside[0].rows[0].places.at(0)), "b");
  EXPECT_EQ(text_of(text, inside[0].delimiter), "|---|");
}

TEST(Markdown, CellsHavePlaces) {
  const std::string text = "| a | b | c |\n|---|---|---|\n|  x \\| y |   ||\n";
  const MarkdownRow row = of_kind(text, MarkdownKind::Table).at(0).rows.at(0);
  ASSERT_EQ(row.places.size(), 3u);
  EXPECT_EQ(text_of(text, row.places[0]), "x \\| y");
  EXPECT_TRUE(row.places[1].empty());
  EXPECT_EQ(text.substr(row.places[1].begin, 4), "  ||");
  EXPECT_EQ(text.substr(row.places[2].begin), "|\n");
}

TEST(Markdown, HeadingsAreComparedWithoutMarks) {
  EXPECT_EQ(normal_heading("**Constitution**  Check ##"), "constitution check");
  EXPECT_EQ(normal_heading("C#"), "c#");
}

}  // namespace
}  // namespace reprise
