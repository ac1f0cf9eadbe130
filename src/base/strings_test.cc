#include "base/strings.h"

#include <gtest/gtest.h>

#include <array>

namespace reprise {
namespace {

TEST(Strings, SplittingKeepsEmptyPartsAndJoiningPutsThemBack) {
  EXPECT_EQ(split(std::string_view("a,,b"), ',').size(), 3u);
  EXPECT_EQ(split(std::string_view(""), ',').size(), 1u);
  const std::vector<std::string> parts = {"a", "", "b"};
  EXPECT_EQ(join(parts, ","), "a,,b");
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(to_lower("AbC-É"), "abc-É");
}

TEST(Strings, ANumberIsDigitsAndNothingElse) {
  EXPECT_EQ(parse_number("0", 10), 0);
  EXPECT_EQ(parse_number("10", 10), 10);
  for (const char* bad : {"", "-1", "+1", "11", "1 ", " 1", "1x", "0x1", "99999999999999999999"}) {
    EXPECT_FALSE(parse_number(bad, 10)) << bad;
  }
}

TEST(Strings, AQuotedWordIsOneWordForAShell) {
  EXPECT_EQ(shell_quote("\x1b[31m"), "$'\\x1b[31m'");
  EXPECT_EQ(shell_quote("\x1b"
                        "c'\\\n"),
            "$'\\x1b'$'c\\'\\\\\\n'");
  EXPECT_EQ(shell_quote("\u202e\u00e9"), "$'\\xe2\\x80\\xae\u00e9'");
  EXPECT_EQ(shell_quote("plain-1.2/x_y"), "plain-1.2/x_y");
  EXPECT_EQ(shell_quote(""), "''");
  EXPECT_EQ(shell_quote("a b"), "'a b'");
  EXPECT_EQ(shell_quote("it's"), "'it'\\''s'");
  EXPECT_NE(shell_quote("$(x)"), "$(x)");
  EXPECT_NE(shell_quote("~"), "~");
}

TEST(Strings, ForeignTextIsShownWithoutWhatCouldActOrMislead) {
  EXPECT_EQ(printable("plain\ttext\n"), "plain\ttext\n");
  EXPECT_EQ(printable("\x1b[31mred\x1b[0m"), "red");
  EXPECT_EQ(printable("\x1b]0;title\x07"
                      "after"),
            "after");
  EXPECT_EQ(printable("a\x08"
                      "b\x7f"),
            "ab");
  EXPECT_EQ(printable("a\xe2\x80\xae"
                      "b"),
            "ab")
      << "a right-to-left override";
  EXPECT_EQ(printable("a\xe2\x80\x8b"
                      "b"),
            "ab")
      << "a zero-width space";
  EXPECT_EQ(printable("\xff"), "\\xff") << printable("\xff");
  EXPECT_EQ(printable("grün"), "grün");
}

TEST(Strings, OneLineIsOneLineOfBoundedLength) {
  EXPECT_EQ(printable_line("a\nb\tc", 100), "a b c");
  EXPECT_LE(printable_line(std::string(1'000, 'x'), 10).size(), 16u);
  EXPECT_EQ(printable_line("kurz", 10), "kurz");
}

TEST(Strings, P38_AFilteredStreamIsTheSameHoweverItIsCut) {
  const std::string text = "a\x1b[1;31mb\x1b]8;;http://x\x1b\\c\xc3\xbc\x1bPq\x1b\\d\r\n\x1b(Be";
  TerminalFilter whole;
  std::string expected = whole.feed(text);
  expected += whole.finish();
  EXPECT_EQ(expected.find('\x1b'), std::string::npos);
  int cuts = 0;
  for (std::size_t cut = 0; cut <= text.size(); ++cut, ++cuts) {
    TerminalFilter filter;
    std::string parts = filter.feed(text.substr(0, cut));
    parts += filter.feed(text.substr(cut));
    parts += filter.finish();
    EXPECT_EQ(parts, expected) << "cut at " << cut;
  }
  EXPECT_GT(cuts, 30);
}

TEST(Strings, ANearMissIsRecognisedAndNonsenseIsNot) {
  constexpr std::array<std::string_view, 3> kKnown = {"produces", "retries", "resume"};
  EXPECT_EQ(did_you_mean("produce", kKnown), "produces");
  EXPECT_EQ(did_you_mean("retires", kKnown), "retries");
  EXPECT_EQ(did_you_mean("retry", kKnown), "retries");
  EXPECT_FALSE(did_you_mean("zzzzzz", kKnown));
}

TEST(Strings, NamesInBracesAreReplacedOnceAndUnknownOnesStay) {
  const auto value = [](std::string_view name) -> std::optional<std::string> {
    return name == "a"   ? std::optional<std::string>("{b}")
           : name == "b" ? std::optional<std::string>("B")
                         : std::nullopt;
  };
  EXPECT_EQ(interpolate("x{a}y{b}", value), "x{b}yB") << "a value is text, not another template";
  EXPECT_EQ(interpolate("{nope} {", value), "{nope} {");
  EXPECT_EQ(interpolate("{{a}}", value), "{{b}}");
  EXPECT_EQ(interpolate("", value), "");
}

TEST(Strings, E12_VisibleShowsWhatWouldActOnATerminal) {
  EXPECT_EQ(visible("a\x1b]52;c;x\a\x7f", false), "a\\x1b]52;c;x\\x07\\x7f");
  EXPECT_EQ(visible("\x1b[1mbold\x1b[0m\x1b[2J", true), "\x1b[1mbold\x1b[0m\\x1b[2J");
  EXPECT_EQ(visible("\x1b[1mbold", false), "\\x1b[1mbold");
  EXPECT_EQ(visible("\u009b\u202e\u00e9\xff\n\t", false), "\\u009b\\u202e\u00e9\\xff\n\t");
}

TEST(Strings, L12_JsonKeepsItsMeaningWithoutHiddenCharacters) {
  EXPECT_EQ(visible_json("{\"a\":\"\u009b\x7f\u202e\u00e9\U000e0001\"}\n"),
            "{\"a\":\"\\u009b\\u007f\\u202e\u00e9\\udb40\\udc01\"}\n");
}

}  // namespace
}  // namespace reprise
