// Regular expressions on foreign text: what is found, and that length cannot hurt.

#include "text/pattern.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

bool is_found(std::string_view expression, std::string_view text) {
  const Result<Pattern> pattern = Pattern::compile(expression);
  EXPECT_TRUE(pattern.has_value()) << expression;
  return pattern.has_value() && pattern->is_found_in(text);
}

TEST(Pattern, FindsAnywhereAndKnowsLines) {
  EXPECT_TRUE(is_found("[0-9]{3}", "ab 123 c"));
  EXPECT_FALSE(is_found("[0-9]{3}", "ab 12 c"));
  EXPECT_TRUE(is_found("^Verdict: (PASS|FAIL)$", "# Report\nVerdict: PASS\nend\n"));
  EXPECT_FALSE(is_found("^Verdict: PASS$", "x Verdict: PASS\n"));
  EXPECT_TRUE(is_found("one\\s+two", "one\n\ntwo"));
  EXPECT_TRUE(is_found("a|b", "xxb"));
}

TEST(Pattern, RefusesWhatIsNotAnExpression) {
  EXPECT_FALSE(Pattern::compile("(").has_value());
  EXPECT_FALSE(Pattern::compile("a)(b").has_value());
  EXPECT_FALSE(Pattern::compile("[z-a]").has_value());
  EXPECT_FALSE(Pattern::compile("(a)\\1").has_value());
  EXPECT_FALSE(Pattern::compile("((a{90}){90}){90}").has_value());
  EXPECT_FALSE(Pattern::compile(std::string(1'001, '(')).has_value());
}

TEST(Pattern, E16_LookaheadsAreRefused) {
  EXPECT_FALSE(Pattern::compile("(?=(a+)+b)c").has_value());
  EXPECT_FALSE(Pattern::compile("a(?!b)").has_value());
  EXPECT_FALSE(Pattern::compile("[(]((?=a)b)").has_value());
  EXPECT_TRUE(is_found("\\(\\?=x", "f(?=x"));
  EXPECT_TRUE(is_found("[(?=]{3}x", "(?=x"));
  EXPECT_TRUE(is_found("(?:a)b", "ab"));
}

// A backtracking search would need more stack than there is for these, or more time than anyone has.
TEST(Pattern, P13_LongLinesAndNestedRepeatsEnd) {
  const std::string line(200'000, 'a');
  EXPECT_FALSE(is_found("(a|b)*c", line));
  EXPECT_FALSE(is_found("(a+)+$", line + "!"));
  EXPECT_FALSE(is_found("a.*b", line));
  EXPECT_TRUE(is_found("a.*b", line + "b"));
}

}  // namespace
}  // namespace reprise
