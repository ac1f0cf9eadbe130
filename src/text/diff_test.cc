// Unified diffs: readable for people, and applied they give the new text.

#include "text/diff.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>
#include <vector>

#include "testing/mutations.h"

namespace reprise {
namespace {

const DiffNames kNames{"old", "new"};

// Applies a diff by its own words, as patch(1) would: lines to keep and to remove must be there.
std::string patched(const std::string& before, const std::string& diff) {
  const std::vector<std::string> old_lines = lines_with_ends(before);
  std::vector<std::string> out;
  std::size_t at = 0;
  std::istringstream in(diff);
  std::string line;
  std::getline(in, line);
  std::getline(in, line);
  while (std::getline(in, line)) {
    if (line[0] == '@') {
      const std::size_t comma = line.find(',');
      std::size_t begin = std::stoul(line.substr(4, comma - 4));
      if (line[comma + 1] != '0') --begin;
      for (; at < begin; ++at) out.push_back(old_lines.at(at));
    } else if (line[0] == '\\') {
      out.back().pop_back();
    } else if (line[0] == '+') {
      out.push_back(line.substr(1) + '\n');
    } else {
      EXPECT_EQ(old_lines.at(at).substr(0, line.size() - 1), line.substr(1));
      if (line[0] == ' ') out.push_back(line.substr(1) + '\n');
      // "No newline" below a removed line is about the old text.
      if (line[0] == '-' && in.peek() == '\\') std::getline(in, line);
      ++at;
    }
  }
  for (; at < old_lines.size(); ++at) out.push_back(old_lines[at]);
  std::string text;
  for (const std::string& part : out) text += part;
  return text;
}

TEST(Diff, EqualTextsHaveNone) { EXPECT_EQ(unified_diff("a\nb", "a\nb", kNames), ""); }

TEST(Diff, ShowsAChangeWithThreeLinesAround) {
  EXPECT_EQ(unified_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n", kNames),
            "--- old\n+++ new\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST(Diff, ChangesFarApartAreHunksOfTheirOwn) {
  EXPECT_EQ(unified_diff("a\n1\n2\n3\n4\n5\n6\n7\nb\n", "1\n2\n3\n4\n5\n6\n7\nb\nc\n", kNames),
            "--- old\n+++ new\n@@ -1,4 +1,3 @@\n-a\n 1\n 2\n 3\n@@ -7,3 +6,4 @@\n 6\n 7\n b\n+c\n");
}

TEST(Diff, SaysWhereALastNewlineIsMissing) {
  EXPECT_EQ(unified_diff("a", "a\n", kNames),
            "--- old\n+++ new\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n");
  EXPECT_EQ(unified_diff("", "a\n", kNames), "--- old\n+++ new\n@@ -0,0 +1,1 @@\n+a\n");
  EXPECT_EQ(unified_diff("a\n", "", kNames), "--- old\n+++ new\n@@ -1,1 +0,0 @@\n-a\n");
}

TEST(Diff, AppliedItGivesTheNewText) {
  std::mt19937 random(5);
  std::size_t rounds = 0;
  for (; rounds < 5'000; ++rounds) {
    std::string before;
    std::string after;
    for (std::size_t i = random() % 30; i > 0; --i) {
      const std::string line(1, static_cast<char>('a' + random() % 4));
      if (random() % 5 != 0) before += line + '\n';
      if (random() % 5 != 0) after += line + '\n';
    }
    if (random() % 4 == 0) before += "x";
    if (random() % 4 == 0) after += random() % 2 == 0 ? "x" : "y";
    ASSERT_EQ(patched(before, unified_diff(before, after, kNames)), after) << before << "->\n" << after;
  }
  EXPECT_EQ(rounds, 5'000u);
}

TEST(Diff, TheFewestLinesAreShownAsChanged) {
  const std::string diff = unified_diff("a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n", kNames);
  const auto count = [&](std::string_view mark) {
    std::size_t found = 0;
    for (std::size_t at = diff.find(mark); at != std::string::npos; at = diff.find(mark, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("\n-") + count("\n+"), 1u + 5u);  // "+++" is one of them
}

TEST(Diff, P13_TextsWithNothingInCommonAreOneReplacement) {
  std::string before = "same\n";
  std::string after = "same\n";
  for (int i = 0; i < 50'000; ++i) {
    before += "old " + std::to_string(i) + '\n';
    after += "new " + std::to_string(i) + '\n';
  }
  const std::string diff = unified_diff(before + "end\n", after + "end\n", kNames);
  EXPECT_TRUE(diff.starts_with("--- old\n+++ new\n@@ -1,50002 +1,50002 @@\n same\n-old 0\n"));
  EXPECT_EQ(patched(before + "end\n", diff), after + "end\n");
}

}  // namespace
}  // namespace reprise
