// Changing a YAML file: what is meant changes, laid out as what stands beside it, and no other byte does.

#include "text/yaml_edit.h"

#include <gtest/gtest.h>

#include <random>

#include "testing/mutations.h"
#include "text/document.h"

namespace reprise {
namespace {

constexpr YamlLimits kLimits{.bytes = 1u << 20, .nodes = 10'000, .string_bytes = 1u << 16, .depth = 32};

std::string set(const std::string& bytes, const YamlPath& path, const YamlValue& value) {
  const Result<std::string> after = set_yaml(bytes, path, value, kLimits);
  if (!after) return std::string(to_token(after.error().kind)) + ": " + after.error().message;
  EXPECT_EQ(set_yaml(*after, path, value, kLimits).value(), *after) << "the same twice is once";
  return *after;
}

std::string append(const std::string& bytes, const YamlPath& path, const YamlValue& value) {
  const Result<std::string> after = append_yaml(bytes, path, value, kLimits);
  return after ? *after : std::string(to_token(after.error().kind)) + ": " + after.error().message;
}

struct SetRow {
  const char* before;
  YamlPath path;
  YamlValue value;
  const char* after;
};

TEST(YamlEdit, F2_AScalarIsReplacedInItsOwnQuotesAndItsCommentStays) {
  const std::vector<SetRow> rows = {
      {"a: x\nb: y\n", {"a"}, yaml_word("z"), "a: z\nb: y\n"},
      {"a: \"x\"  # why\n", {"a"}, yaml_word("z"), "a: \"z\"  # why\n"},
      {"a: 'x'\n", {"a"}, yaml_text("it's"), "a: 'it''s'\n"},
      {"a: x", {"a"}, yaml_word("z"), "a: z"},
      {"a: 1\n", {"a"}, yaml_word("2"), "a: 2\n"},
      {"a: \"1\"\n", {"a"}, yaml_word("2"), "a: \"2\"\n"},
      {"a: null # later\n", {"a"}, yaml_text("2026-01-01T00:00:00Z"), "a: \"2026-01-01T00:00:00Z\" # later\n"},
      {"a: ~\n", {"a"}, yaml_word("x"), "a: x\n"},
      {"a:\nb: 1\n", {"a"}, yaml_word("x"), "a: x\nb: 1\n"},
      {"a:   # soon\nb: 1\n", {"a"}, yaml_word("x"), "a: x   # soon\nb: 1\n"},
      {"a: 2026-01-01T00:00:00Z\n", {"a"}, yaml_text("2026-01-02T00:00:00Z"), "a: 2026-01-02T00:00:00Z\n"},
      {"a: \"x\"\n", {"a"}, yaml_word("null"), "a: null\n"},
      {"a:\r\n  b: x\r\n", {"a", "b"}, yaml_word("y"), "a:\r\n  b: y\r\n"},
      {"\xEF\xBB\xBF"
       "a: x\n",
       {"a"},
       yaml_word("y"),
       "\xEF\xBB\xBF"
       "a: y\n"},
      {"a: é\nb: { c: d, e: f }\n", {"b", "c"}, yaml_word("g"), "a: é\nb: { c: g, e: f }\n"},
      {"a: x\n", {"a"}, yaml_word("b: c"), "a: \"b: c\"\n"},
      {"a: x\n", {"a"}, yaml_word("@dev"), "a: \"@dev\"\n"},
      {"{\"a\": \"x\", \"b\": 1}\n", {"a"}, yaml_word("y"), "{\"a\": \"y\", \"b\": 1}\n"},
      {"a: |-\n  one\n  two\nb: 1\n", {"a"}, yaml_word("y"), "a: y\nb: 1\n"},
      {"l:\n  - n: 1\n    s: x\n  - n: 2\n    s: x\n",
       {"l", YamlStep::at(1), "s"},
       yaml_word("y"),
       "l:\n  - n: 1\n    s: x\n  - n: 2\n    s: y\n"},
  };
  for (const SetRow& row : rows) EXPECT_EQ(set(row.before, row.path, row.value), row.after) << row.before;
  EXPECT_EQ(rows.size(), 20u);
}

TEST(YamlEdit, F2_AKeyIsAddedBehindTheLastOneAsItsNeighboursStand) {
  const YamlValue verdict = yaml_map({{"status", yaml_word("approved")}, {"agent", yaml_text("@qa")}});
  const std::vector<SetRow> rows = {
      {"a: 1\n", {"b"}, yaml_word("2"), "a: 1\nb: 2\n"},
      {"a: 1", {"b"}, yaml_word("2"), "a: 1\nb: 2"},
      {"m:\r\n    a: 1 # one\r\nz: 1\r\n",
       {"m", "b"},
       yaml_word("2"),
       "m:\r\n    a: 1 # one\r\n    b: 2\r\nz: 1\r\n"},
      {"m:\n  a:\n    x: 1\n\n# end\nz: 1\n",
       {"m", "b"},
       yaml_word("2"),
       "m:\n  a:\n    x: 1\n  b: 2\n\n# end\nz: 1\n"},
      {"m: { a: 1 }\n", {"m", "b"}, yaml_word("2"), "m: { a: 1, b: 2 }\n"},
      {"m: {a: 1, }\n", {"m", "b"}, yaml_word("2"), "m: {a: 1, b: 2, }\n"},
      {"m: {\n  a: 1,\n  c: 2\n}\n", {"m", "b"}, yaml_word("3"), "m: {\n  a: 1,\n  c: 2,\n  b: 3\n}\n"},
      {"{\"a\": 1}", {"b"}, yaml_word("done"), "{\"a\": 1, \"b\": \"done\"}"},
      {"g:\n  1: { status: x }\n",
       {"g", "2"},
       verdict,
       "g:\n  1: { status: x }\n  2: { status: approved, agent: \"@qa\" }\n"},
      {"g: {}\nh: 1\n", {"g", "1"}, verdict, "g:\n  1:\n    status: approved\n    agent: \"@qa\"\nh: 1\n"},
      {"g: {}  # none\nh:\n    i: 1\n", {"g", "1"}, yaml_word("x"), "g:  # none\n    1: x\nh:\n    i: 1\n"},
      {"g: null\n", {"g", "1"}, yaml_word("x"), "g:\n  1: x\n"},
      {"g:\nh: 1\n", {"g", "1"}, yaml_word("x"), "g:\n  1: x\nh: 1\n"},
      {"e:\n  a: 1\n", {"e", "g", "1", "s"}, yaml_word("x"), "e:\n  a: 1\n  g:\n    1:\n      s: x\n"},
      {"s:\n  \"1.1\": x\n", {"s", "1.10"}, yaml_word("y"), "s:\n  \"1.1\": x\n  \"1.10\": y\n"},
      {"s:\n  1.1: x\n", {"s", "1.10"}, yaml_word("y"), "s:\n  1.1: x\n  \"1.10\": y\n"},
      {"s:\n  t: |\n    one\n\n    two\n\nz: 1\n",
       {"s", "u"},
       yaml_word("y"),
       "s:\n  t: |\n    one\n\n    two\n  u: y\n\nz: 1\n"},
      {"s:\n  t:\n    - a\n    - b: 1\n      c: 2\nz: 1\n",
       {"s", "u"},
       yaml_word("y"),
       "s:\n  t:\n    - a\n    - b: 1\n      c: 2\n  u: y\nz: 1\n"},
      {"s:\n  t:\n  - a\nz: 1\n", {"s", "u"}, yaml_word("y"), "s:\n  t:\n  - a\n  u: y\nz: 1\n"},
  };
  for (const SetRow& row : rows) EXPECT_EQ(set(row.before, row.path, row.value), row.after) << row.before;
  EXPECT_EQ(rows.size(), 19u);
}

TEST(YamlEdit, F2_AMapIsSetFieldByFieldAndKeepsItsOthers) {
  const YamlValue value = yaml_map({{"status", yaml_word("done")}, {"by", yaml_word("dev")}});
  EXPECT_EQ(set("m:\n  note: x\n  status: open # now\n", {"m"}, value),
            "m:\n  note: x\n  status: done # now\n  by: dev\n");
}

TEST(YamlEdit, F2_AListGetsOneMoreElementInItsOwnForm) {
  EXPECT_EQ(append("a: []\n", {"a"}, yaml_word("1")), "a: [1]\n");
  EXPECT_EQ(append("a: [1, 2] # c\n", {"a"}, yaml_word("3")), "a: [1, 2, 3] # c\n");
  EXPECT_EQ(append("a:\n  - x\n  - y # c\nb: 1\n", {"a"}, yaml_word("z")), "a:\n  - x\n  - y # c\n  - z\nb: 1\n");
  EXPECT_EQ(append("a:\n- \"x\"\nb: 1\n", {"a"}, yaml_word("z")), "a:\n- \"x\"\n- \"z\"\nb: 1\n");
  EXPECT_EQ(append("a:\nb: 1\n", {"a"}, yaml_word("z")), "a: [z]\nb: 1\n");
  EXPECT_EQ(append("b: 1\n", {"a"}, yaml_word("z")), "b: 1\na: [z]\n");
  EXPECT_EQ(append("a:\n  - k: 1\n", {"a"}, yaml_map({{"k", yaml_word("2")}})), "a:\n  - k: 1\n  - { k: 2 }\n");
  EXPECT_EQ(append("{\"a\": []}", {"a"}, yaml_text("z")), "{\"a\": [\"z\"]}");
}

TEST(YamlEdit, WhatCannotBeChangedInPlaceIsRefusedAndNotHalfDone) {
  EXPECT_EQ(set("a: one\n  two\n", {"a"}, yaml_word("x")),
            "unavailable: a value over several lines is not changed in place");
  EXPECT_EQ(set("a:\n  b: 1\n", {"a"}, yaml_word("x")), "invalid: a list or map stands where one value is to be");
  EXPECT_EQ(set("a: 1\n", {"a", "b"}, yaml_word("x")), "invalid: \"b\" is looked for in something that is no map");
  EXPECT_EQ(set("", {"a"}, yaml_word("x")), "unavailable: the file holds nothing");
  EXPECT_EQ(set("a:\n  null\n", {"a"}, yaml_word("x")),
            "unavailable: a value in this form is not changed in place")
      << "what was read back was not what was meant";
  EXPECT_EQ(append("a: {b: 1}\n", {"a"}, yaml_word("x")), "invalid: what is to get one more element is no list");
  EXPECT_EQ(append("a: []\n", {"a", YamlStep::at(3)}, yaml_word("x")),
            "invalid: there is no such element in this list");
  EXPECT_TRUE(set("a: [1\n", {"a"}, yaml_word("x")).starts_with("invalid: not YAML"));
}

TEST(YamlEdit, F2_AFileChangedAtRandomIsChangedInOnePlaceOrRefused) {
  const std::string file =
      "# state\nroot:\n  id: \"E-1\"\n  waves:\n    1:\n      status: open # c\n      stories:\n        \"1.1\": "
      "{ status: x }\n"
      "  list: [a, 'b']\n  notes: |\n    text: here\n\n  none:\n";
  const std::vector<std::string> pieces = {"\n", "\r\n", "\"",  "'",  "{", "}", "[", "]",  ": ",   "- ",
                                           "#",  " # x", "|\n", "\t", "~", "?", ",", "&a", "null", "  "};
  std::mt19937 random(7);
  int rounds = 0, changed = 0, refused = 0;
  for (; rounds < 10'000; ++rounds) {
    const std::string bytes = mutated(file, pieces, random);
    const YamlPath path = rounds % 2 == 0 ? YamlPath{"root", "waves", "1", "status"} : YamlPath{"root", "new"};
    const Result<std::string> after = set_yaml(bytes, path, yaml_text("a \"b\": c"), kLimits);
    if (!after) {
      ++refused;
      EXPECT_FALSE(after.error().message.empty());
      continue;
    }
    ++changed;
    EXPECT_EQ(set_yaml(*after, path, yaml_text("a \"b\": c"), kLimits).value(), *after) << bytes;
  }
  EXPECT_EQ(changed + refused, 10'000);
  EXPECT_GT(changed, 1'000);
}

}  // namespace
}  // namespace reprise
