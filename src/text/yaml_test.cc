// What the YAML reader takes, what it refuses, and that every refusal has a position.

#include "text/yaml.h"

#include <gtest/gtest.h>

#include "text/utf8.h"

namespace reprise {
namespace {

constexpr YamlLimits kYamlLimits{.bytes = 8u << 20, .nodes = 400'000, .string_bytes = 1u << 20, .depth = 64};

Result<YamlDocument> parse_yaml(std::string_view bytes) {
  return YamlDocument::parse(bytes, "f.yaml", kYamlLimits);
}

TEST(Yaml, KeepsKindsTextQuotesAndOrder) {
  const Result<YamlDocument> document = parse_yaml("b: 1\na: [x, \"2\"]\nc:\nd: {}\n");
  ASSERT_TRUE(document.has_value());
  const std::vector<YamlNode::Entry> entries = document->root().entries();
  ASSERT_EQ(entries.size(), 4u);
  EXPECT_EQ(entries[0].key.text(), "b");
  EXPECT_EQ(entries[0].value.text(), "1");
  EXPECT_FALSE(entries[0].value.is_quoted());
  const std::vector<YamlNode> list = entries[1].value.elements();
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[1].text(), "2");
  EXPECT_TRUE(list[1].is_quoted());
  EXPECT_TRUE(entries[2].value.is_null());
  EXPECT_TRUE(entries[3].value.is_map());
  EXPECT_TRUE(entries[3].value.entries().empty());
}

TEST(Yaml, KnowsLineAndColumnOfEachNode) {
  const Result<YamlDocument> document = parse_yaml("a: 1\nlist:\n  - x\n  - {k: v}\n");
  ASSERT_TRUE(document.has_value());
  const std::vector<YamlNode::Entry> entries = document->root().entries();
  const std::vector<YamlNode> list = entries[1].value.elements();
  EXPECT_EQ(entries[1].key.line(), 2);
  EXPECT_EQ(entries[1].key.column(), 1);
  EXPECT_EQ(list[0].line(), 3);
  EXPECT_EQ(list[0].column(), 5);
  EXPECT_EQ(list[1].entries()[0].value.line(), 4);
  EXPECT_EQ(list[1].entries()[0].value.column(), 9);
}

TEST(Yaml, BlockScalarsAreTakenWhole) {
  const Result<YamlDocument> document = parse_yaml("a: |\n  one\n  two\nb: >\n  three\n  four\n");
  ASSERT_TRUE(document.has_value());
  EXPECT_EQ(document->root().entries()[0].value.text(), "one\ntwo\n");
  EXPECT_EQ(document->root().entries()[1].value.text(), "three four\n");
}

TEST(Yaml, QuestionMarksAreText) {
  const Result<YamlDocument> document = parse_yaml("{ask: Ship it?, b: [a?b, ?x, 'q?', \"r?\"], c?: really? yes}");
  ASSERT_TRUE(document.has_value()) << document.error().message;
  const std::vector<YamlNode::Entry> entries = document->root().entries();
  EXPECT_EQ(entries[0].value.text(), "Ship it?");
  std::string together;
  for (const YamlNode& node : entries[1].value.elements()) together += std::string(node.text()) + "|";
  EXPECT_EQ(together, "a?b|?x|q?|r?|");
  EXPECT_EQ(entries[2].key.text(), "c?");
  EXPECT_EQ(entries[2].value.text(), "really? yes");
}

TEST(Yaml, AnEmptyDocumentIsNull) {
  for (const std::string_view bytes : {"", "\n\n", "# only a comment\n", "---\n", "\xEF\xBB\xBF"}) {
    const Result<YamlDocument> document = parse_yaml(bytes);
    ASSERT_TRUE(document.has_value()) << bytes;
    EXPECT_TRUE(document->root().is_null()) << bytes;
  }
}

struct Refusal {
  std::string bytes;
  std::string_view message;
  int line;
  int column;
};

TEST(Yaml, P13_RefusesWithPositionWhatIsNotPlainYaml) {
  const std::vector<Refusal> refusals = {
      {"a: 1\nb: &x 2\n", "anchor", 2, 4},
      {"a: &x [1]\nb: *x\n", "anchor", 1, 4},
      {"b: *x\n", "not YAML", 1, 4},
      {"a: !!str 5\n", "tags", 1, 4},
      {"a: !secret x\n", "tags", 1, 4},
      {"a: 1\nb: 2\na: 3\n", "comes twice", 3, 1},
      {"x: {a: 1, \"a\": 2}\n", "comes twice", 1, 11},
      {"a: 1\n---\nb: 2\n", "second document", 2, 1},
      {"? [a]\n: b\n", "key must be a word", 1, 3},
      {"~: b\n", "key must be a word", 1, 1},
      {"a: \"open\n", "quote is not closed", 1, 4},
      {"a: 'it''s\n", "quote is not closed", 1, 4},
      {"\xEF\xBB\xBF"
       "a: \"x\\\"\n",
       "quote is not closed", 1, 4},
      {"a: ! b\n", "tags", 1, 4},
      {"a: [1, 2\n", "not YAML", 2, 1},
      {"a:\n\t- b\n", "tab", 2, 2},
      {"a: b\n c: d\n", "not YAML", 2, 3},
      {std::string("a: x\0y\n", 7), "control character", 1, 5},
      {"a: 1\nb: \x04\nc: 3\n", "control character", 2, 4},
      {"a: \xC3\x28\n", "not UTF-8", 1, 4},
      {"\xFF\xFE"
       "a",
       "not UTF-8", 1, 1},
  };
  int rounds = 0;
  for (const Refusal& refusal : refusals) {
    const Result<YamlDocument> document = parse_yaml(refusal.bytes);
    ASSERT_FALSE(document.has_value()) << refusal.bytes;
    EXPECT_EQ(document.error().kind, ErrorKind::Invalid);
    EXPECT_EQ(document.error().file, "f.yaml");
    EXPECT_NE(document.error().message.find(refusal.message), std::string::npos)
        << refusal.bytes << " -> " << document.error().message;
    EXPECT_EQ(document.error().line, refusal.line) << refusal.bytes << " -> " << document.error().message;
    EXPECT_EQ(document.error().column, refusal.column) << refusal.bytes << " -> " << document.error().message;
    ++rounds;
  }
  EXPECT_EQ(rounds, 21);
}

TEST(Yaml, P13_LimitsHold) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += '[';
  EXPECT_FALSE(parse_yaml(deep).has_value());
  const std::string at_limit = std::string(64, '[') + std::string(64, ']');
  EXPECT_TRUE(parse_yaml(at_limit).has_value());
  const Result<YamlDocument> beyond = parse_yaml("[" + at_limit + "]");
  ASSERT_FALSE(beyond.has_value());
  EXPECT_NE(beyond.error().message.find("deeper than 64"), std::string::npos);

  std::string wide = "[";
  for (int i = 0; i < 400'001; ++i) wide += "1,";
  const Result<YamlDocument> many = parse_yaml(wide + "]");
  ASSERT_FALSE(many.has_value());
  EXPECT_NE(many.error().message.find("more than 400000"), std::string::npos);

  const Result<YamlDocument> large = parse_yaml(std::string(9u << 20, ' '));
  ASSERT_FALSE(large.has_value());
  EXPECT_NE(large.error().message.find("larger than"), std::string::npos);

  const Result<YamlDocument> long_value = parse_yaml("a: " + std::string((1u << 20) + 1, 'x'));
  ASSERT_FALSE(long_value.has_value());
  EXPECT_NE(long_value.error().message.find("longer than"), std::string::npos);
}

TEST(Yaml, R60_AliasBombIsRefusedAtItsFirstAnchor) {
  std::string bomb = "a0: &a0 [x, x]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before + ", " + before + "]\n";
  }
  const Result<YamlDocument> document = parse_yaml(bomb);
  ASSERT_FALSE(document.has_value());
  EXPECT_EQ(document.error().line, 1);
}

TEST(Yaml, DoubleKeysAreFoundInLargeMapsToo) {
  std::string bytes;
  for (int i = 0; i < 1'000; ++i) bytes += "k" + std::to_string(i) + ": 1\n";
  EXPECT_TRUE(parse_yaml(bytes).has_value());
  const Result<YamlDocument> document = parse_yaml(bytes + "k500: 2\n");
  ASSERT_FALSE(document.has_value());
  EXPECT_EQ(document.error().line, 1'001);
}

TEST(Yaml, P13_ADocumentCutAnywhereGivesAnAnswerWithAPosition) {
  const std::string whole =
      "name: x\nstages:\n  a: {run: [a, \"b\\n\", 'c''d']}\n  b:\n    needs: [a]\n    run: |\n      one\n# end\n";
  std::size_t rounds = 0;
  for (std::size_t length = 0; length <= whole.size(); ++length, ++rounds) {
    const Result<YamlDocument> document = parse_yaml(whole.substr(0, length));
    if (!document.has_value()) {
      EXPECT_GE(document.error().line, 1);
      EXPECT_GE(document.error().column, 1);
    }
  }
  EXPECT_EQ(rounds, whole.size() + 1);
  EXPECT_TRUE(parse_yaml(whole).has_value());
}

TEST(Utf8, FindsTheFirstBadByte) {
  EXPECT_FALSE(find_bad_byte("plain\ttext\r\n äöü 漢字 🙂").has_value());
  EXPECT_EQ(find_bad_byte("ab\n\x1B[0m")->line, 2);
  EXPECT_TRUE(find_bad_byte("\x7F")->is_control);
  for (const std::string_view bad : {"\x80", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                                     "\xE2\x82", "\xF8\x88\x80\x80\x80"}) {
    ASSERT_TRUE(find_bad_byte(bad).has_value());
    EXPECT_FALSE(find_bad_byte(bad)->is_control);
  }
}

TEST(Utf8, DamageIsNulOrNotUtf8AndNothingElse) {
  EXPECT_FALSE(find_damaged_byte("ab\n\x1B[0m\x7F").has_value());
  EXPECT_EQ(find_damaged_byte(std::string_view("ab\nc\0", 5))->column, 2);
  EXPECT_FALSE(find_damaged_byte("a\xFF")->is_control);
}

}  // namespace
}  // namespace reprise
