// Lines with spans, and that edits leave everything else alone.

#include "text/document.h"

#include <gtest/gtest.h>

#include <random>

namespace reprise {
namespace {

std::string together(std::string_view bytes) {
  std::string out(has_byte_order_mark(bytes) ? bytes.substr(0, 3) : "");
  for (const TextLine& line : lines_of(bytes)) {
    out += text_of(bytes, line.text);
    out += to_bytes(line.ending);
  }
  return out;
}

TEST(Document, KnowsEachLineAndHowItEnds) {
  const std::string text = "\xEF\xBB\xBFone\r\n\ntwo\rthree";
  const std::vector<TextLine> lines = lines_of(text);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(text_of(text, lines[0].text), "one");
  EXPECT_EQ(lines[0].ending, LineEnding::CrLf);
  EXPECT_EQ(lines[1].ending, LineEnding::Lf);
  EXPECT_EQ(lines[2].ending, LineEnding::Cr);
  EXPECT_EQ(text_of(text, lines[3].text), "three");
  EXPECT_EQ(lines[3].ending, LineEnding::None);
  EXPECT_TRUE(has_byte_order_mark(text));
  EXPECT_TRUE(lines_of("").empty());
  EXPECT_EQ(lines_of("a\n").size(), 1u);
}

TEST(Document, TheUsualEndingIsTheMostFrequentOne) {
  EXPECT_EQ(usual_ending(lines_of("")), LineEnding::Lf);
  EXPECT_EQ(usual_ending(lines_of("a")), LineEnding::Lf);
  EXPECT_EQ(usual_ending(lines_of("a\r\nb\r\nc\n")), LineEnding::CrLf);
  EXPECT_EQ(usual_ending(lines_of("a\rb\n")), LineEnding::Cr);
}

TEST(Document, F1_LinesPutTogetherAreTheFile) {
  std::mt19937 random(1);
  const std::vector<std::string> pieces = {"a", "\n", "\r", "\r\n",           "\xEF\xBB\xBF",
                                           "ü", "\t", " ",  std::string(1, 0)};
  std::size_t rounds = 0;
  for (; rounds < 5'000; ++rounds) {
    std::string text;
    for (std::size_t i = random() % 12; i > 0; --i) text += pieces[random() % pieces.size()];
    ASSERT_EQ(together(text), text);
    ASSERT_EQ(apply_edits(text, {}), text);
  }
  EXPECT_EQ(rounds, 5'000u);
}

TEST(Document, F2_EditsChangeTheirSpansAndNoOtherByte) {
  EXPECT_EQ(apply_edits("0123456789", {{{7, 9}, "x"}, {{0, 1}, ""}, {{3, 3}, "--"}}), "12--3456x9");
  EXPECT_EQ(apply_edits("ab", {{{1, 1}, "1"}, {{1, 2}, "B"}, {{1, 1}, "2"}, {{2, 2}, "end"}}), "a12Bend");
  EXPECT_EQ(apply_edits("", {{{0, 0}, "x"}}), "x");
}

TEST(DocumentDeathTest, OverlappingEditsAreOurMistake) {
  EXPECT_DEATH(apply_edits("0123", {{{0, 2}, ""}, {{1, 3}, ""}}), "document.cc");
  EXPECT_DEATH(apply_edits("0123", {{{2, 5}, ""}}), "document.cc");
}

}  // namespace
}  // namespace reprise
