// How the words of state files are read: one table of cases per function.

#include "formats/state_words.h"

#include <gtest/gtest.h>

#include <random>

#include "formats/oddities_for_tests.h"

namespace reprise {
namespace {

struct TextCase {
  std::string_view text;
  std::string_view expected;
};

TEST(StateWords, KeysAreComparedWithoutTheirSpelling) {
  for (const auto& [text, expected] : std::vector<TextCase>{{"spec_hash", "spec_hash"},
                                                            {"Spec Hash", "spec_hash"},
                                                            {"specHash", "spec_hash"},
                                                            {"**Spec-Hash:**", "spec_hash"},
                                                            {"`SPEC_HASH`", "spec_hash"},
                                                            {"SpecHash:", "spec_hash"},
                                                            {"feat id / name", "feat_id_name"},
                                                            {"  Last  Updated ", "last_updated"},
                                                            {"段階", "段階"},
                                                            {"--", ""},
                                                            {"", ""}}) {
    EXPECT_EQ(normal_key(text), expected) << text;
  }
}

TEST(StateWords, ValuesLoseMarksAndSymbolsAtTheirEnds) {
  for (const auto& [text, expected] : std::vector<TextCase>{{"✅ **Done**", "Done"},
                                                            {"**Done** ✅", "Done"},
                                                            {"`a/**/b.md`", "a/**/b.md"},
                                                            {"**all** of it", "all of it"},
                                                            {"⚠️ look", "look"},
                                                            {"🚧 Work", "Work"},
                                                            {"plain", "plain"},
                                                            {"\"quoted\"", "quoted"},
                                                            {"✅", ""},
                                                            {"— x", "— x"},
                                                            {"*", "*"}}) {
    EXPECT_EQ(plain_value(text), expected) << text;
  }
}

TEST(StateWords, AStatusIsTheWordsBeforeTheRemark) {
  for (const auto& [text, expected] : std::vector<TextCase>{{"IN_PROGRESS", "in_progress"},
                                                            {"In Progress", "in_progress"},
                                                            {"InProgress", "in_progress"},
                                                            {"in-progress — since Monday", "in_progress"},
                                                            {"**WAITING_FOR_HUMAN** (spec)", "waiting_for_human"},
                                                            {"✅ Done, all of it", "done"},
                                                            {"`COMPLETE` - checked", "complete"},
                                                            {"spec — waiting for a person", "spec"},
                                                            {"BLOCKED: by the other team", "blocked"},
                                                            {"Done.", "done"},
                                                            {"PASS (0 blocking · 2 more)", "pass"},
                                                            {"Draft → Ready", "draft_→_ready"},
                                                            {"code-review", "code_review"},
                                                            {"(nothing)", ""},
                                                            {"", ""}}) {
    EXPECT_EQ(leading_token(text), expected) << text;
  }
  EXPECT_EQ(leading_words("Ready for Review (2)"), "Ready for Review");
}

TEST(StateWords, SomeWordsStandForNothing) {
  for (const std::string_view text :
       {"", "  ", "N/A", "n/a (later)", "none", "None.", "null", "-", "—", "–", "--", "...", "TBD", "(none)",
        "(none - first lane)", "`N/A`", "**none**", "— (not needed)"}) {
    EXPECT_TRUE(is_nothing(text)) << text;
  }
  for (const std::string_view text :
       {"pending", "0", "no", "✅", "- x", "nonexistent", "narrow", "(see notes)", "nothing else", "none yet"}) {
    EXPECT_FALSE(is_nothing(text)) << text;
  }
}

TEST(StateWords, ADateOrDigestMayBeStillToCome) {
  for (const std::string_view text :
       {"pending", "PENDING (review)", "NOT STARTED", "not computed — too early", "sha256:PENDING",
        "sha256:", "N/A", "", "not yet known", "awaiting approval"}) {
    EXPECT_TRUE(is_nothing_yet(text)) << text;
  }
  for (const std::string_view text : {"2026-01-01", "sha256:abc", "noted", "pendingly"}) {
    EXPECT_FALSE(is_nothing_yet(text)) << text;
  }
}

TEST(StateWords, ATemplateThatWasNotFilledInIsNoValue) {
  for (const std::string_view text :
       {"IN_PROGRESS | WAITING_FOR_HUMAN | COMPLETE", "on|off", "{{feature}}", "x {{y}} z", "<NNN>-<name>",
        "sha256:<hash>", "<ISO-8601>", "COMPLIES / EXCEPTION / N/A", "PASS / FAIL", "`A | B`",
        "review | pipeline | direct"}) {
    EXPECT_TRUE(is_unfilled(text)) << text;
  }
  for (const std::string_view text :
       {"DONE", "a < b and c > d", "one<br>two", "<https://example.org>", "src/base / src/os", "N/A", "3 | 5",
        "{single}", "1 / 3", "me <me@example.org>", "", "|"}) {
    EXPECT_FALSE(is_unfilled(text)) << text;
  }
}

TEST(StateWords, NumbersMayBeOutOfOthers) {
  using F = std::optional<Fraction>;
  EXPECT_EQ(read_fraction("3"), (F{{3, std::nullopt}}));
  EXPECT_EQ(read_fraction("3/10"), (F{{3, 10}}));
  EXPECT_EQ(read_fraction(" **3 / 10** (last)"), (F{{3, 10}}));
  EXPECT_EQ(read_fraction("2 of 5"), (F{{2, 5}}));
  EXPECT_EQ(read_fraction("2 (C1.1, C1.2)"), (F{{2, std::nullopt}}));
  EXPECT_EQ(read_fraction("2 — one left"), (F{{2, std::nullopt}}));
  for (const std::string_view text :
       {"", "n / 10", "3/", "1.5", "2026-01-01", "3x", "-1", "two", "99999999999", "3/x", "3-4"}) {
    EXPECT_FALSE(read_fraction(text).has_value()) << text;
  }
}

TEST(StateWords, IdsMayBeListedAndInRanges) {
  EXPECT_EQ(read_ids("P4-P6, P9"), (Strings{"P4", "P5", "P6", "P9"}));
  EXPECT_EQ(read_ids("P4–6"), (Strings{"P4", "P5", "P6"}));
  EXPECT_EQ(read_ids("001-003"), (Strings{"001", "002", "003"}));
  EXPECT_EQ(read_ids("SL-1-SL-3 and SL-9"), (Strings{"SL-1", "SL-2", "SL-3", "SL-9"}));
  EXPECT_EQ(read_ids("1.1-1.3"), (Strings{"1.1", "1.2", "1.3"}));
  EXPECT_EQ(read_ids("[`G-001`, G-002] (both)"), (Strings{"G-001", "G-002"}));
  EXPECT_EQ(read_ids("SL-1-3"), (Strings{"SL-1-3"}));
  EXPECT_EQ(read_ids("P9-P4"), (Strings{"P9-P4"}));
  EXPECT_EQ(read_ids("P1-P999999"), (Strings{"P1-P999999"}));
  EXPECT_EQ(read_ids("none"), Strings{});
  EXPECT_EQ(read_ids("(none - first)"), Strings{});
  EXPECT_EQ(read_ids(""), Strings{});
}

TEST(StateWords, ListsAreSplitAtCommasOutsideOfBrackets) {
  EXPECT_EQ(read_list("a.md, `b,c.md`, d (e, f)"), (Strings{"a.md", "b,c.md", "d (e, f)"}));
  EXPECT_EQ(read_list("[one, two]"), (Strings{"one", "two"}));
  EXPECT_EQ(read_list("N/A"), Strings{});
  EXPECT_EQ(read_list("a,,b"), (Strings{"a", "b"}));
}

TEST(StateWords, PathsAreFoundAmongMarksAndRemarks) {
  EXPECT_EQ(read_paths("specs/1/a.md"), (Strings{"specs/1/a.md"}));
  EXPECT_EQ(read_paths("`a.md` (+ b.md)"), (Strings{"a.md", "b.md"}));
  EXPECT_EQ(read_paths("a.md + `b/c`<br>d.md"), (Strings{"a.md", "b/c", "d.md"}));
  EXPECT_EQ(read_paths("[the spec](specs/a.md)"), (Strings{"specs/a.md"}));
  EXPECT_EQ(read_paths("a.md (rev 3, checked), b.md — new"), (Strings{"a.md", "b.md"}));
  EXPECT_EQ(read_paths("see the notes"), Strings{});
  EXPECT_EQ(read_paths("N/A"), Strings{});
  EXPECT_EQ(read_paths("—"), Strings{});
}

TEST(StateWords, TimesMayHaveZonesRemarksOrNoTimeOfDay) {
  const auto at = [](std::string_view text) { return parse_timestamp(text).value(); };
  using T = std::optional<ReadTime>;
  EXPECT_EQ(read_time("2026-07-02T21:05:00Z"), (T{{at("2026-07-02T21:05:00Z"), false}}));
  EXPECT_EQ(read_time("2026-07-02T21:05:00.250-05:00"), (T{{at("2026-07-03T02:05:00.250Z"), false}}));
  EXPECT_EQ(read_time("`2026-07-02T21:05Z` (about)"), (T{{at("2026-07-02T21:05:00Z"), false}}));
  EXPECT_EQ(read_time("2026-07-02 21:05 UTC"), (T{{at("2026-07-02T21:05:00Z"), false}}));
  EXPECT_EQ(read_time("2026-07-02 21:05:09 +02:00, late"), (T{{at("2026-07-02T19:05:09Z"), false}}));
  EXPECT_EQ(read_time("2026-07-02"), (T{{at("2026-07-02"), true}}));
  EXPECT_EQ(read_time("2026-07-02 (this session)"), (T{{at("2026-07-02"), true}}));
  EXPECT_EQ(read_time("2026-07-02 — later"), (T{{at("2026-07-02"), true}}));
  for (const std::string_view text : {"", "today", "2026-13-01", "2026-07", "N/A", "21:05"}) {
    EXPECT_FALSE(read_time(text).has_value()) << text;
  }
}

TEST(StateWords, ADigestOfTheWrongLengthIsSaidToBeOne) {
  const std::string digits(63, 'a');
  using D = std::optional<ReadDigest>;
  EXPECT_EQ(read_digest("sha256:" + digits + "F"), (D{{DigestForm::Complete, digits + "f"}}));
  EXPECT_EQ(read_digest('`' + digits + "b` (content)"), (D{{DigestForm::Complete, digits + "b"}}));
  EXPECT_EQ(read_digest("sha256:" + digits), (D{{DigestForm::WrongLength, digits}}));
  EXPECT_EQ(read_digest("SHA256: `a3f8...`"), (D{{DigestForm::Abbreviated, "a3f8"}}));
  EXPECT_EQ(read_digest("sha256:a3f8… (short)"), (D{{DigestForm::Abbreviated, "a3f8"}}));
  EXPECT_EQ(read_digest("sha256:PENDING"), D{});
  EXPECT_EQ(read_digest("face"), D{});
  EXPECT_EQ(read_digest("N/A"), D{});
}

TEST(StateWords, AnyTextGivesAnAnswer) {
  std::mt19937 random(6);
  const std::vector<std::string> pieces = {"*",     "`",          "(",    ")",  "|",  "—",       "- ",
                                           "/",     "<",          ">",    "{{", "}}", "sha256:", "a1",
                                           "Z",     "✅",         "1",    ",",  " ",  "\xE2",    "\xF0\x9F",
                                           "P4-P9", "2026-07-02", "none", "\"", "…"};
  int rounds = 0;
  for (; rounds < 20'000; ++rounds) {
    std::string text;
    for (std::size_t i = random() % 10; i > 0; --i) text += pieces[random() % pieces.size()];
    (void)normal_key(text);
    (void)is_nothing_yet(text);
    (void)is_unfilled(text);
    (void)read_fraction(text);
    (void)read_time(text);
    (void)read_digest(text);
    ASSERT_LE(read_ids(text).size(), 10u * kIdRangeMax);
    ASSERT_LE(leading_words(text).size(), text.size());
    ASSERT_LE(read_list(text).size(), text.size());
    ASSERT_EQ(normal_key(normal_key(text)), normal_key(text));
  }
  EXPECT_EQ(rounds, 20'000);
}

TEST(StateWords, P13_LongValuesTakeNoLongerThanTheyAre) {
  for (const std::string piece :
       {"*", "`", "-", "—", "<", "(", " and ", "P1-", "| ", "✅", "\"", ",", "1", ". "}) {
    std::string text;
    while (text.size() < 1u << 20) text += piece;
    (void)is_nothing_yet(text);
    (void)is_unfilled(text);
    (void)read_ids(text);
    (void)read_list(text);
    (void)read_paths(text);
    (void)read_time(text);
    (void)read_digest(text);
    EXPECT_LE(leading_token(text).size(), text.size());
  }
}

}  // namespace
}  // namespace reprise
