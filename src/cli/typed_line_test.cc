#include "cli/typed_line.h"

#include <gtest/gtest.h>

#include <vector>

namespace reprise {
namespace {

// Types `keys` byte by byte; returns the complete lines.
std::vector<std::string> lines_of(TypedLine& line, std::string_view keys) {
  std::vector<std::string> lines;
  for (const char key : keys) {
    line.add({&key, 1});
    bool ended = false;
    while (const std::optional<std::string> complete = line.next(ended)) lines.push_back(*complete);
    if (ended) lines.emplace_back("END");
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(TypedLine, EnterEndsALineAndTheNextOneStartsEmpty) {
  TypedLine line;
  EXPECT_EQ(lines_of(line, " yes \nno"), Lines{"yes"});
  EXPECT_EQ(line.text(), "no");
  EXPECT_EQ(lines_of(line, "\r\n"), (Lines{"no", ""}));
}

TEST(TypedLine, BackspaceRemovesOneCharacterHoweverManyBytesItHas) {
  TypedLine line;
  EXPECT_EQ(lines_of(line, "h\xc3\xbct\x7f\x7f\x7f\x7f\x7fok\n"), Lines{"ok"});
  EXPECT_EQ(lines_of(line, "gr\xc3\xbcn\b\n"), Lines{"gr\xc3\xbc"});
}

TEST(TypedLine, CtrlURemovesTheLineAndCtrlWAWord) {
  TypedLine line;
  EXPECT_EQ(lines_of(line, "wrong\x15right\n"), Lines{"right"});
  EXPECT_EQ(lines_of(line,
                     "use the red \x17"
                     "blue one\n"),
            Lines{"use the blue one"});
}

TEST(TypedLine, CtrlDEndsTheInputOnlyOnAnEmptyLine) {
  TypedLine line;
  EXPECT_EQ(lines_of(line, "a\x04\n"), Lines{"a"});
  EXPECT_EQ(lines_of(line, "\x04"), Lines{"END"});
}

TEST(TypedLine, ArrowsAndControlCharactersAddNothing) {
  TypedLine line;
  EXPECT_EQ(lines_of(line, "y\x1b[A\x1b[5~\x01\tes\n"), Lines{"yes"});
}

TEST(TypedLine, LinesTypedInOnePieceAreTakenOneByOne) {
  TypedLine line;
  line.add("no\ntoo early\n");
  bool ended = false;
  EXPECT_EQ(line.next(ended), "no");
  EXPECT_EQ(line.next(ended), "too early");
  EXPECT_EQ(line.next(ended), std::nullopt);
}

}  // namespace
}  // namespace reprise
