// Spec digests by both rules, and when a Constitution Check counts as completed.

#include "formats/playbook_checks.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

TEST(PlaybookChecks, PB02_ContentIsWhatIsLeftWithoutHeaderMetadataAndLooseSpaces) {
  const auto content = [](std::string_view spec) { return spec_hashes(spec).content; };
  const Digest plain = digest_of("# Spec\n\nText\n");
  EXPECT_EQ(content("# Spec\n\nText\n"), plain);
  EXPECT_EQ(content("\n\n# Spec  \r\n\r\nText\t\r\n\r\n"), plain);
  EXPECT_EQ(content("# Spec\r\rText"), plain);
  EXPECT_EQ(content("# Spec\n\n## Header Metadata\n\n| Field | Value |\n|---|---|\n| hash | x |\n\nText\n"),
            plain);
  EXPECT_EQ(content("## Header Metadata\n| a |\n|---|\n# Spec\n\nText\n"), plain);
  EXPECT_NE(content("# Spec\n\n## Header Metadata\n\nno table\n\nText\n"), plain);
  EXPECT_NE(content("# Spec\n\n### Header Metadata\n\n| a |\n\nText\n"), plain);
  EXPECT_EQ(content(""), digest_of("\n"));
}

TEST(PlaybookChecks, PB02_SaysWhichOfTheTwoDigestsWasRecorded) {
  const std::string spec = "# Spec \r\n";
  const SpecHashes hashes = spec_hashes(spec);
  const auto claim = [](const Digest& digest) { return ClaimedDigest{ClaimedHash::Complete, to_hex(digest)}; };
  EXPECT_EQ(match_spec_hash(hashes, claim(digest_of(spec))), SpecHashMatch::Raw);
  EXPECT_EQ(match_spec_hash(hashes, claim(digest_of("# Spec\n"))), SpecHashMatch::Content);
  EXPECT_EQ(match_spec_hash(hashes, claim(digest_of("other"))), SpecHashMatch::None);
  EXPECT_EQ(match_spec_hash(hashes, {}), SpecHashMatch::None);
  EXPECT_EQ(match_spec_hash(hashes, {ClaimedHash::Abbreviated, to_hex(hashes.raw).substr(0, 8)}),
            SpecHashMatch::None);
}

constexpr std::string_view kArticles =
    "| Article I — Small parts | COMPLIES | |\n| Article II | ✅ COMPLIES | |\n| **III** | N/A (no database) | |\n"
    "| Art. IV: Tests | complies | |\n| 5 | EXCEPTION — see below | |\n| VI | N/A | |\n| VII | COMPLIES | |\n";
constexpr std::string_view kEighth = "| Article VIII | COMPLIES | |\n";
constexpr std::string_view kHead =
    "# ADR\n\n## Constitution Check\n\n| Article | Status | Notes |\n|---|---|---|\n";
constexpr std::string_view kReasons =
    "\n## Complexity Justification\n\n| Article | Why |\n|---|---|\n| Article V | the old tide gauge needs it |\n";

std::string adr(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

TEST(PlaybookChecks, PB05_AllEightArticlesWithAStatusAreACompletedCheck) {
  const ConstitutionVerdict verdict = constitution_check(adr({kHead, kArticles, kEighth, kReasons}));
  EXPECT_TRUE(verdict.completed) << verdict.reason;
  EXPECT_EQ(verdict.reason, "");
  EXPECT_TRUE(constitution_check(adr({"# ADR\n\n## 4. Constitution Check (required)\n\n### Table\n\n",
                                      kHead.substr(30), kArticles, kEighth, kReasons}))
                  .completed);
}

TEST(PlaybookChecks, PB05_AnythingLessIsNotAndTheReasonIsGiven) {
  const auto reason = [](const std::string& text) {
    const ConstitutionVerdict verdict = constitution_check(text);
    EXPECT_FALSE(verdict.completed);
    return std::to_string(verdict.line) + ": " + verdict.reason;
  };
  const std::string missing =
      "0: there is no heading \"Constitution Check\" with a table that has a column \"Status\"";
  EXPECT_EQ(reason(""), missing);
  EXPECT_EQ(reason("# Constitution Check\n\nAll is well.\n"), missing);
  EXPECT_EQ(reason(adr({"```\n", kHead, kArticles, kEighth, "```\n", kReasons})), missing);
  EXPECT_EQ(reason(adr({kHead, kArticles, kReasons})), "5: Article VIII has no row");
  EXPECT_EQ(reason(adr({kHead, kArticles, "| Article VIII | COMPLIES / EXCEPTION / N/A | |\n", kReasons})),
            "14: Article VIII: the status is left as the template has it");
  EXPECT_EQ(reason(adr({kHead, kArticles, "| Article VIII | | |\n", kReasons})),
            "14: Article VIII: the status is empty, not COMPLIES, EXCEPTION or N/A");
  EXPECT_EQ(reason(adr({kHead, kArticles, "| Article VIII | maybe | |\n", kReasons})),
            "14: Article VIII: the status is \"maybe\", not COMPLIES, EXCEPTION or N/A");
  EXPECT_EQ(reason(adr({kHead, kArticles, kEighth, "| I | EXCEPTION | |\n", kReasons})),
            "15: Article I has two statuses");
  EXPECT_EQ(reason(adr({kHead, kArticles, kEighth})),
            "11: Article V is an exception without a row in the table \"Complexity Justification\"");
  EXPECT_EQ(reason(adr(
                {kHead, kArticles, kEighth,
                 "\n## Complexity Justification\n\n| Article | Why |\n|---|---|\n| V | {{why}} |\n| IV | x |\n"})),
            "11: Article V is an exception without a row in the table \"Complexity Justification\"");
}

TEST(PlaybookChecks, PB05_CutAnywhereItIsNotCompletedBeforeItsLastRow) {
  const std::string whole = adr({kHead, kArticles, kEighth, kReasons});
  const std::size_t needed = whole.find("the old tide gauge");
  std::size_t rounds = 0;
  for (std::size_t length = 0; length < whole.size(); ++length, ++rounds) {
    const ConstitutionVerdict verdict = constitution_check(whole.substr(0, length));
    EXPECT_EQ(verdict.completed, verdict.reason.empty());
    if (length < needed) {
      EXPECT_FALSE(verdict.completed) << length;
    }
  }
  EXPECT_EQ(rounds, whole.size());
}

}  // namespace
}  // namespace reprise
