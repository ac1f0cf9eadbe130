// Masking: what is found, what is not, and that it does not matter where a stream is cut.

#include "base/mask.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

const std::vector<std::string> kSecrets = {"hunter2-very-secret", "hunter2", "short", "line one\nline two"};

std::string in_pieces(const Masker& original, std::string_view text, std::size_t piece) {
  Masker masker = original;
  std::string out;
  for (std::size_t i = 0; i < text.size(); i += piece) masker.feed(text.substr(i, piece), out);
  masker.finish(out);
  return out;
}

std::string digits(std::size_t count) { return std::string(count, '7'); }

const std::string kSample =
    "login with hunter2 and hunter2-very-secret, hunter2-very-secre, hunterhunter2\n"
    "key sk-ant-api03-" +
    digits(20) +
    "_x end, sk-short, task-management-for-everybody-here\n"
    "ghp_" +
    digits(36) + " gho_" + digits(36) + " github_pat_" + digits(22) + "_" + digits(30) +
    ".\n"
    "xoxb-123456789012-abcdef AKIA" +
    digits(16) + " AIza" + digits(35) + " glpat-" + digits(20) +
    "\n"
    "npm_" +
    digits(36) +
    " npm_config_registry=https://example.org\n"
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-_def eyJustAWord. eyJ\n"
    "Authorization: Bearer abc123def456 and the bearer of bad news, bearer understandingly\n"
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEow-IBAAKC\n----\n-----END RSA PRIVATE KEY-----\n"
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\nline one\nline two\n------ end -----";

const std::string kMasked =
    "login with *** and ***, ***-very-secre, hunter***\n"
    "key *** end, sk-short, task-management-for-everybody-here\n"
    "*** *** ***.\n"
    "*** *** *** ***\n"
    "*** npm_config_registry=https://example.org\n"
    "*** eyJustAWord. eyJ\n"
    "Authorization: Bearer *** and the bearer of bad news, bearer understandingly\n"
    "***\n"
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n***\n------ end -----";

TEST(Mask, KnownValuesAndTokenShapesBecomeStars) { EXPECT_EQ(Masker(kSecrets).mask(kSample), kMasked); }

TEST(Mask, WhereTheStreamIsCutDoesNotMatter) {
  const Masker masker(kSecrets);
  std::size_t rounds = 0;
  for (std::size_t piece = 1; piece <= kSample.size(); ++piece, ++rounds) {
    ASSERT_EQ(in_pieces(masker, kSample, piece), kMasked) << "pieces of " << piece;
  }
  EXPECT_EQ(rounds, kSample.size());
}

TEST(Mask, EveryTwoPartCutGivesTheSame) {
  std::size_t rounds = 0;
  for (std::size_t cut = 0; cut <= kSample.size(); ++cut, ++rounds) {
    Masker masker(kSecrets);
    std::string out;
    masker.feed(std::string_view(kSample).substr(0, cut), out);
    masker.feed(std::string_view(kSample).substr(cut), out);
    masker.finish(out);
    ASSERT_EQ(out, kMasked) << "cut at " << cut;
  }
  EXPECT_EQ(rounds, kSample.size() + 1);
}

// What a token's shape swallows may hold the beginning of a known value, and one known value may begin in another.
TEST(Mask, P37_AKnownValueIsMaskedToItsEndInsideOfAnotherMatch) {
  const Masker masker(std::vector<std::string>{"123456789:AAF-tail_of_it", "first-half/second", "second;third"});
  const std::string sample =
      "Authorization: Bearer 123456789:AAF-tail_of_it, first-half/second;third, sk-" + digits(16) +
      "first-half/second -----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----123456789:AAF-tail_of_it end, "
      "Bearer 123456789:AAF-tail";
  const std::string masked = "Authorization: Bearer ***, ***, *** ****** end, Bearer ***:AAF-tail";
  EXPECT_EQ(masker.mask(sample), masked);
  for (std::size_t piece = 1; piece <= sample.size(); ++piece) {
    ASSERT_EQ(in_pieces(masker, sample, piece), masked) << "pieces of " << piece;
  }
}

TEST(Mask, L13_KnownValuesAreMaskedHoweverJsonAndUrlsSpellThem) {
  const Masker masker(std::vector<std::string>{"p\xc3\xa4&\"ss/w<o>rd+99"});
  for (const std::string spelling : {
           "p\xc3\xa4&\\\"ss/w<o>rd+99",                            // the least that JSON asks for
           "p\xc3\xa4\\u0026\\\"ss/w\\u003co\\u003erd+99",          // Go
           "p\\u00e4&\\\"ss\\/w<o>rd+99",                           // PHP
           "p\\u00E4\\u0026\\u0022ss/w\\u003Co\\u003Erd\\u002B99",  // .NET
           "p%C3%A4%26%22ss%2Fw%3Co%3Erd%2B99",                     // a URL
           "p%c3%a4%26%22ss%2fw%3co%3erd%2b99",
       }) {
    EXPECT_EQ(masker.mask("a " + spelling + " b"), "a *** b") << spelling;
  }
}

TEST(Mask, L13_AnyCharacterOfAKnownValueMayBeEscapedInJson) {
  const Masker masker(std::vector<std::string>{"aZ='b' \"c\"\\d\n\xc3\xa9\xf0\x9f\x94\x91=="});
  const std::vector<std::string> spellings = {
      "aZ='b' \"c\"\\d\n\xc3\xa9\xf0\x9f\x94\x91==",                                       // as it is
      "aZ\\u003d\\u0027b\\u0027 \\\"c\\\"\\\\d\\n\xc3\xa9\xf0\x9f\x94\x91\\u003d\\u003d",  // Gson
      "aZ=\\u0027b\\u0027 \\\"c\\\"\\\\d\\n\\u00e9\\ud83d\\udd11==",                       // PHP, JSON_HEX_APOS
      "aZ='b' \\u0022c\\u0022\\\\d\\n\\u00e9\\ud83d\\udd11==",                             // PHP, JSON_HEX_QUOT
      "\\u0061\\u005A=\\'b' \\\"c\\\"\\u005cd\\u000a\\u00E9\xf0\x9f\x94\x91=\\u003D",      // anything
      "aZ='b' \\\\\\\"c\\\\\\\"\\\\\\\\d\\\\n\xc3\xa9\xf0\x9f\x94\x91==",                  // JSON in JSON
      "aZ\\\\u003d'b' \\\\\\\"c\\\\\\\"\\\\\\\\d\\\\n\\\\u00e9\\\\ud83d\\\\udd11==",
  };
  for (const std::string& spelling : spellings) {
    const std::string text = "x \\ \\u00 " + spelling + " \\\" end";
    EXPECT_EQ(masker.mask(text), "x \\ \\u00 *** \\\" end") << spelling;
    for (std::size_t piece = 1; piece < 40; ++piece)
      ASSERT_EQ(in_pieces(masker, text, piece), "x \\ \\u00 *** \\\" end")
          << spelling << " in pieces of " << piece;
  }
  EXPECT_EQ(spellings.size(), 7u);
}

// A terminal, and whatever shows text without its control sequences, would put the value together.
TEST(Mask, L13_KnownValuesAreFoundThroughWhatNoTerminalShows) {
  const Masker masker(kSecrets);
  for (const std::string hidden :
       {"\x1b[01;31m\x1b[K", "\x1b]0;title\x07", "\x07", "\r", "\xe2\x80\x8b", "\xe2\x80\xae"}) {
    for (std::size_t at = 1; at < 7; ++at) {
      const std::string text = "a hunter2 b " + std::string("hunter2").insert(at, hidden) + " c" + hidden;
      for (std::size_t piece = 1; piece < 30; ++piece)
        ASSERT_EQ(in_pieces(masker, text, piece), "a *** b *** c" + hidden) << at << " in pieces of " << piece;
    }
  }
  EXPECT_EQ(masker.mask("hunt\n\ter2, hunt er2, hunt\xc3\xa4"
                        "er2"),
            "hunt\n\ter2, hunt er2, hunt\xc3\xa4"
            "er2");
  const std::string token = "ghp_0123\x1b[1m" + digits(20);
  EXPECT_EQ(masker.mask_shown("a " + token), "a ***");
  EXPECT_EQ(masker.mask_shown("a \x1b[1mb"), "a \x1b[1mb");
}

TEST(Mask, L13_HeldBackTextIsBoundedBehindTheBeginningOfAKnownValue) {
  Masker masker(kSecrets);
  std::string out;
  masker.feed("hunter\x1b]", out);
  masker.feed(std::string(1 << 16, 'a'), out);
  masker.feed("hunter" + std::string(1 << 16, '\\'), out);
  masker.feed("hunter" + std::string(1 << 16, '\r'), out);
  EXPECT_GE(out.size(), (3u << 16) - kMaskHoldMax);
}

TEST(Mask, L13_TokensAreFoundBehindEscapesAndInOtherSpellings) {
  const Masker masker;
  const std::string token = "ghp_" + digits(36);
  for (const std::string before :
       {"\x1b[32m", "\x1b[1;38;5;120m", "\x1b[K", "\\n", "\\u000a", "\\x0a", "token%3D", "token%3d"}) {
    EXPECT_EQ(masker.mask(before + token), before + "***");
    for (std::size_t piece = 1; piece < 12; ++piece)
      EXPECT_EQ(in_pieces(masker, "text " + before + token + " end", piece), "text " + before + "*** end")
          << piece;
  }
  EXPECT_EQ(masker.mask("Bearer  abc123def456"), "Bearer  ***");
  EXPECT_EQ(masker.mask("-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQOY\n-----END PGP PRIVATE KEY BLOCK-----\n"),
            "***\n");
  for (const std::string word :
       {"task-management-for-everybody-here", "[ask-management-for-everybody-here]", "Bearer    "})
    EXPECT_EQ(masker.mask(word), word);
}

TEST(Mask, L13_KnownValuesAreMaskedInEveryDialectOfUrls) {
  const Masker masker(std::vector<std::string>{"p(w)/it's *&~ 9876!"});
  for (const std::string form :
       {"p%28w%29%2Fit%27s%20%2A%26~%209876%21", "p%28w%29/it%27s%20%2A%26~%209876%21",
        "p(w)%2Fit's%20*%26~%209876!", "p(w)/it's%20*&~%209876!", "p%28w%29%2Fit%27s+*%26%7E+9876%21",
        "p%28w%29%2fit%27s+%2a%26~+9876%21", "p%28w%29%2Fit%27s+%2A%26%7E+9876%21"})
    EXPECT_EQ(masker.mask("x=" + form + ";"), "x=***;");
}

TEST(Mask, ShortValuesAreLeftAlone) { EXPECT_EQ(Masker(kSecrets).mask("a short text"), "a short text"); }

TEST(Mask, ASecretCutOffByTheEndIsShownBecauseItIsNotTheSecret) {
  EXPECT_EQ(Masker(kSecrets).mask("hunter"), "hunter");
}

TEST(Mask, AnOrdinaryEndOfALineIsNotHeldBack) {
  Masker masker(kSecrets);
  std::string out;
  masker.feed("hello\n", out);
  EXPECT_EQ(out, "hello\n");
}

TEST(Mask, HeldBackTextIsBounded) {
  Masker masker;
  std::string out;
  const std::string endless(1 << 20, 'a');
  masker.feed("eyJ", out);
  masker.feed(endless, out);
  EXPECT_GE(out.size(), endless.size() - kMaskHoldMax);
}

TEST(Mask, AKeyBlockWithoutEndDoesNotHideTheRest) {
  std::string text = "-----BEGIN PRIVATE KEY-----\n";
  for (int i = 0; i < 2000; ++i) text += "an ordinary line of the log\n";
  const std::string out = Masker().mask(text + "the last line");
  EXPECT_TRUE(out.starts_with("***"));
  EXPECT_TRUE(out.ends_with("the last line"));
}

TEST(Mask, TextWithoutSecretsIsUnchangedByteForByte) {
  std::string text;
  for (int i = 0; i < 70'000; ++i) text += static_cast<char>(i * 7 + i / 251);
  EXPECT_EQ(Masker(kSecrets).mask(text), text);
}

}  // namespace
}  // namespace reprise
