// The declared "looks complete" checks, on content.

#include "evidence/artifact_checks.h"

#include <gtest/gtest.h>

#include "model/limits.h"

namespace reprise {
namespace {

std::string why_not(const CompleteCheck& check, std::string_view content) {
  const CheckAnswer answer = check_complete(check, content);
  EXPECT_EQ(answer.passed, answer.why.empty());
  return answer.why;
}

CompleteCheck no_placeholders() { return {.no_placeholders = true}; }
CompleteCheck table(std::string heading) { return {.table = std::move(heading)}; }

TEST(ArtifactChecks, NotEmptyIsAlwaysRequired) {
  EXPECT_EQ(why_not({}, ""), "it is empty");
  EXPECT_EQ(why_not({}, " \n\t\r\n"), "it is empty");
  EXPECT_EQ(why_not({}, "x"), "");
  EXPECT_EQ(why_not({}, std::string(20u << 20, 'x')), "");
}

TEST(ArtifactChecks, HeadingMustBeThereOutsideCode) {
  const CompleteCheck check{.heading = "Findings"};
  EXPECT_EQ(why_not(check, "## Findings\n"), "");
  EXPECT_EQ(why_not(check, "Findings\n========\n"), "");
  EXPECT_EQ(why_not(check, "## **findings** ##\n"), "");
  EXPECT_EQ(why_not(check, "Findings\n"), "no heading \"Findings\"");
  EXPECT_EQ(why_not(check, "```\n# Findings\n```\n"), "no heading \"Findings\"");
  EXPECT_EQ(why_not(check, "# Findings of others\n"), "no heading \"Findings\"");
}

TEST(ArtifactChecks, PlaceholdersAreNamedWithTheirLine) {
  EXPECT_EQ(why_not(no_placeholders(), "ok\n\nTODO: write\n"), "line 3: placeholder TODO");
  EXPECT_EQ(why_not(no_placeholders(), "| a |\n|---|\n| TBD |\n"), "line 3: placeholder TBD");
  EXPECT_EQ(why_not(no_placeholders(), "by {{author}}\n"), "line 1: placeholder \"{{author}}\"");
  EXPECT_EQ(why_not(no_placeholders(), "by `{{author}}`\n"), "line 1: placeholder \"{{author}}`\"");
  EXPECT_EQ(why_not(no_placeholders(), "a\n  <describe the change>\n"),
            "line 2: placeholder \"<describe the change>\"");
  EXPECT_EQ(why_not(no_placeholders(), "x [NEEDS CLARIFICATION: who?]\n"),
            "line 1: placeholder [NEEDS CLARIFICATION]");
}

TEST(ArtifactChecks, WhatOnlyLooksLikeAPlaceholderPasses) {
  for (const std::string_view content :
       {"TODOS and TBDs\n", "the word `TODO`\n", "```\nTODO\n{{x}}\n<gap>\n```\n", "a <b> c\n",
        "<details>\n</details>\n", "<br/>\n", "<https://example.org/x>\n", "<me@example.org>\n",
        "<!-- TODO in a comment -->\n", "mastodon\n", "{single}\n", "no `[NEEDS CLARIFICATION]` left\n"}) {
    EXPECT_EQ(why_not(no_placeholders(), content), "") << content;
  }
}

TEST(ArtifactChecks, TableBelowTheHeadingMustBeFilled) {
  const std::string head = "# Doc\n## Check\ntext\n### Part\n| Article | Status |\n|---|---|\n";
  EXPECT_EQ(why_not(table("Check"), head + "| I | COMPLIES |\n| II | N/A |\n"), "");
  EXPECT_EQ(why_not(table("Check"), head + "| I |  |\n"), "line 7: an empty table cell");
  EXPECT_EQ(why_not(table("Check"), head + "| I |\n"), "line 7: a table cell is missing");
  EXPECT_EQ(why_not(table("Check"), head + "| I | YES | NO |\n"), "line 7: more cells than the table has columns");
  EXPECT_EQ(why_not(table("Check"), head + "| I | TBD |\n"), "line 7: placeholder TBD");
  EXPECT_EQ(why_not(table("Check"), head), "line 5: the table has no rows");
  EXPECT_EQ(why_not(table("Check"), "## Check\n## Next\n| a |\n|---|\n| 1 |\n"),
            "no table below the heading \"Check\"");
  EXPECT_EQ(why_not(table("Other"), head), "no heading \"Other\"");
}

TEST(ArtifactChecks, TemplateAlternativesAreNotAnAnswer) {
  const std::string head = "## T\n| q | a |\n|---|---|\n";
  for (const std::string_view cell : {"PASS / FAIL", "COMPLIES / EXCEPTION / N/A", "yes\\|no", "Yes/No",
                                      "[PASS \\| FAIL]", "**pass/fail**", "`low / medium / high`", "✅ / ❌"}) {
    EXPECT_NE(why_not(table("T"), head + "| x | " + std::string(cell) + " |\n").find("alternatives"),
              std::string::npos)
        << cell;
  }
  for (const std::string_view cell :
       {"PASS", "N/A", "src/base", "CI/CD", "a / b", "3/4", "pass, see report/x", "—"}) {
    EXPECT_EQ(why_not(table("T"), head + "| x | " + std::string(cell) + " |\n"), "") << cell;
  }
}

TEST(ArtifactChecks, CheckboxesAreCounted) {
  const CompleteCheck check{.checkboxes = 2};
  EXPECT_EQ(why_not(check, "- [ ] a\n- [x] b\n"), "");
  EXPECT_EQ(why_not(check, "- [ ] a\n- b\n```\n- [ ] c\n```\n"), "it has 1 checkbox items, 2 are required");
}

TEST(ArtifactChecks, MatchesIsSearchedLineWise) {
  const CompleteCheck check{.matches = "^Verdict: (PASS|FAIL)$"};
  EXPECT_EQ(why_not(check, "x\nVerdict: PASS\n"), "");
  EXPECT_EQ(why_not(check, "x\nVerdict: maybe\n"), "nothing matches \"^Verdict: (PASS|FAIL)$\"");
  EXPECT_NE(why_not({.matches = "("}, "x").find("not a regular expression"), std::string::npos);
}

TEST(ArtifactChecks, P13_TooLargeContentFailsADeclaredCheck) {
  EXPECT_NE(why_not(no_placeholders(), std::string(kDocumentBytesMax + 1, 'x')).find("larger than"),
            std::string::npos);
}

}  // namespace
}  // namespace reprise
