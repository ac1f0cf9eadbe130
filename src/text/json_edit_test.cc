// JSON files: what is read from them and what is refused, and edits that change their own few bytes.

#include "text/json_edit.h"

#include <gtest/gtest.h>

#include <random>

#include "base/json_writer.h"
#include "testing/mutations.h"

namespace reprise {
namespace {

JsonDocument parse(const std::string& bytes) {
  Result<JsonDocument> document = JsonDocument::parse(bytes, {});
  EXPECT_TRUE(document.has_value()) << bytes << ": " << (document ? "" : document.error().message);
  return document ? std::move(*document) : JsonDocument::parse("null", {}).value();
}

Error refused(const std::string& bytes) {
  const Result<JsonDocument> document = JsonDocument::parse(bytes, {});
  EXPECT_FALSE(document.has_value()) << bytes;
  return document ? Error{} : document.error();
}

std::string with(const std::string& bytes, const std::vector<JsonSetting>& settings) {
  const JsonDocument document = parse(bytes);
  return apply_edits(bytes, set_members(document, document.root(), settings));
}

std::string appended(const std::string& bytes, std::string_view json) {
  const JsonDocument document = parse(bytes);
  return apply_edits(bytes, {append_element(document, document.root(), json)});
}

std::string without(const std::string& bytes, const std::vector<std::string>& keys) {
  const JsonDocument document = parse(bytes);
  const JsonNode& root = document.root();
  return apply_edits(bytes,
                     root.kind == JsonKind::Object ? remove_members(root, keys) : remove_elements(root, keys));
}

TEST(JsonDocument, ReadsValuesWithTheirPlaces) {
  const std::string bytes = "\xEF\xBB\xBF{\r\n  \"a\": [1, -2.5e+3],\r\n  \"b\": {\"c\": \"x\"}, \"d\": null\r\n}";
  const JsonDocument document = parse(bytes);
  const JsonNode& root = document.root();
  EXPECT_EQ(root.kind, JsonKind::Object);
  EXPECT_EQ(root.span, (TextSpan{3, bytes.size()}));
  ASSERT_EQ(root.members.size(), 3u);
  EXPECT_EQ(root.find("a")->value.elements[1].text, "-2.5e+3");
  EXPECT_EQ(root.find("a")->value.line, 2);
  EXPECT_EQ(text_of(bytes, root.find("b")->value.span), "{\"c\": \"x\"}");
  EXPECT_EQ(root.find("b")->value.line, 3);
  EXPECT_EQ(root.find("d")->value.kind, JsonKind::Null);
  EXPECT_EQ(root.find("e"), nullptr);
  EXPECT_EQ(document.newline(), "\r\n");
}

TEST(JsonDocument, AFileMayHoldASingleValueOfAnyKind) {
  EXPECT_EQ(parse("null").root().kind, JsonKind::Null);
  EXPECT_EQ(parse("true").root().text, "true");
  EXPECT_EQ(parse(" false\n").root().text, "false");
  EXPECT_EQ(parse("-0").root().text, "-0");
  EXPECT_EQ(parse("\"\"").root().kind, JsonKind::String);
}

TEST(JsonDocument, DecodesStringsAndHalvesOfPairsAreNoCharacters) {
  const JsonDocument document =
      parse(R"(["\"\\\/\b\f\n\r\t", "\u0041\u00e9\u20AC", "\ud83d\ude00", "\ud83d", "\ude00\ud83d\u0041"])");
  const std::vector<JsonNode>& elements = document.root().elements;
  EXPECT_EQ(elements[0].text, "\"\\/\b\f\n\r\t");
  EXPECT_EQ(elements[1].text, "Aé€");
  EXPECT_EQ(elements[2].text, "😀");
  EXPECT_EQ(elements[3].text, "\xEF\xBF\xBD");
  EXPECT_EQ(elements[4].text,
            "\xEF\xBF\xBD\xEF\xBF\xBD"
            "A");
}

TEST(JsonDocument, TheLastOfARepeatedKeyCountsAndIsReported) {
  const JsonDocument document = parse("{\"a\": 1,\n\"b\": {\"c\": 1, \"c\": 2},\n\"a\": 3}");
  EXPECT_EQ(document.root().find("a")->value.text, "3");
  ASSERT_EQ(document.repeated_keys().size(), 2u);
  EXPECT_EQ(document.repeated_keys()[0].key, "c");
  EXPECT_EQ(document.repeated_keys()[0].line, 2);
  EXPECT_EQ(document.repeated_keys()[1].line, 3);
}

TEST(JsonDocument, WhatIsNotOneWholeValueIsRefusedWithItsPlace) {
  struct Case {
    std::string bytes;
    int line;
    int column;
  };
  const std::vector<Case> cases = {
      {"", 1, 1},          {" \n ", 2, 2},          {"[1,\n 2", 2, 3}, {"{\"a\" 1}", 1, 6},   {"[1 2]", 1, 4},
      {"[1,]", 1, 4},      {"{\"a\":1,}", 1, 8},    {"[01]", 1, 3},    {"[+1]", 1, 2},        {"[1.]", 1, 4},
      {"[1e]", 1, 4},      {"[tru]", 1, 2},         {"['a']", 1, 2},   {"[\"a\nb\"]", 1, 4},  {"[\"\t\"]", 1, 3},
      {"[\"\\x\"]", 1, 4}, {"[\"\\u12g4\"]", 1, 7}, {"[] []", 1, 4},   {"[1]\r\n// x", 2, 1}, {"[NaN]", 1, 2}};
  for (const Case& each : cases) {
    const Error error = refused(each.bytes);
    EXPECT_EQ(error.kind, ErrorKind::Corrupt);
    EXPECT_EQ(std::pair(error.line, error.column), std::pair(each.line, each.column)) << each.bytes;
    EXPECT_FALSE(error.message.empty());
  }
}

TEST(JsonDocument, CutAtAnyByteItIsNotTakenForWhole) {
  const std::string bytes = R"({"a": [true, false, null, -1.5e3, "x\u0041\n"], "b": {"c": []}})";
  int cuts = 0;
  for (std::size_t length = 0; length < bytes.size(); ++length, ++cuts) {
    EXPECT_TRUE(refused(bytes.substr(0, length)).message.starts_with("it ends in the middle")) << length;
  }
  EXPECT_EQ(cuts, static_cast<int>(bytes.size()));
}

TEST(JsonDocument, P13_DepthAndNumberOfValuesAreLimited) {
  EXPECT_TRUE(JsonDocument::parse(std::string(64, '[') + std::string(64, ']'), {}).has_value());
  EXPECT_EQ(refused(std::string(65, '[') + std::string(65, ']')).column, 65);
  EXPECT_EQ(refused(std::string(8u << 20, '[')).message, "it is nested too deeply");
  const JsonRules few{.nodes_max = 3};
  EXPECT_TRUE(JsonDocument::parse("[1,2]", few).has_value());
  EXPECT_FALSE(JsonDocument::parse("[1,2,3]", few).has_value());
}

TEST(JsonDocument, ControlCharactersInStringsOnlyWhereTheyAreAccepted) {
  const std::string bytes = "{\"a\": \"\x1B[31m\t\"} rest";
  EXPECT_FALSE(read_json_value(bytes, 0, {}).has_value());
  const JsonNode node = read_json_value(bytes, 0, {.control_in_strings = true}).value();
  EXPECT_EQ(node.find("a")->value.text, "\x1B[31m\t");
  EXPECT_EQ(text_of(bytes, {node.span.end, bytes.size()}), " rest");
  EXPECT_FALSE(read_json_value("\"a\nb\"", 0, {.control_in_strings = true}).has_value());
}

TEST(JsonEdit, AValueIsReplacedInItsPlace) {
  EXPECT_EQ(with("{ \"a\" :1 , \"b\":\t\"x\"}\n\n", {{"a", "2"}}), "{ \"a\" :2 , \"b\":\t\"x\"}\n\n");
  EXPECT_EQ(with("{\"a\": 1, \"a\": 2}", {{"a", "3"}}), "{\"a\": 1, \"a\": 3}");
  EXPECT_EQ(with("{\n    \"a\": []\n}", {{"a", "[1,2]"}}), "{\n    \"a\": [\n        1,\n        2\n    ]\n}");
  EXPECT_EQ(with("{\n  \"a\": [1]\n}", {{"a", "[1, {\"b\": 2}]"}}), "{\n  \"a\": [1, {\"b\": 2}]\n}");
}

TEST(JsonEdit, AValueThatSaysTheSameIsLeftAsItIsSpelled) {
  const std::string bytes = "{\"a\":\"\\u0041\", \"b\" : [ 1,2 ]}";
  EXPECT_EQ(with(bytes, {{"a", "\"A\""}, {"b", "[1, 2]"}}), bytes);
  EXPECT_NE(with(bytes, {{"b", "[2, 1]"}}), bytes);
}

TEST(JsonEdit, MembersAreAddedInTheLayoutOfTheObject) {
  EXPECT_EQ(with("{\"a\":1,\"b\":2}", {{"c", "[1, 2]"}}), "{\"a\":1,\"b\":2,\"c\":[1,2]}");
  EXPECT_EQ(with("{\"a\": 1}", {{"c", "3"}, {"d", "4"}}), "{\"a\": 1, \"c\": 3, \"d\": 4}");
  EXPECT_EQ(with("{\r\n\t\"a\": 1\r\n}", {{"c", "{\"d\":1}"}}),
            "{\r\n\t\"a\": 1,\r\n\t\"c\": {\r\n\t\t\"d\": 1\r\n\t}\r\n}");
  EXPECT_EQ(with("{}", {{"a", "1"}, {"b", "2"}}), "{\n  \"a\": 1,\n  \"b\": 2\n}");
  EXPECT_EQ(with("{\"a\":1}", {{"q\"\n", "1"}}), "{\"a\":1,\"q\\\"\\n\":1}");
}

TEST(JsonEdit, ElementsAreAddedInTheLayoutOfTheirNeighbours) {
  EXPECT_EQ(appended("[]", "{\"a\": 1}"), "[\n  {\n    \"a\": 1\n  }\n]");
  EXPECT_EQ(appended("[\n]\n", "1"), "[\n  1\n]\n");
  EXPECT_EQ(appended("\xEF\xBB\xBF[]\r\n", "1"), "\xEF\xBB\xBF[\r\n  1\r\n]\r\n");
  EXPECT_EQ(appended("[{\"a\":1},{\"a\":2}]", "{\"a\": 3, \"b\": []}"),
            "[{\"a\":1},{\"a\":2},{\"a\":3,\"b\":[]}]");
  EXPECT_EQ(appended("[\n {\"a\": 1}\n]", "{\"a\": 3, \"b\": 2}"), "[\n {\"a\": 1},\n {\"a\": 3, \"b\": 2}\n]");
  EXPECT_EQ(
      appended("[\n    {\n        \"a\": 1\n    }\n]", "{\"a\": {\"b\": 2}}"),
      "[\n    {\n        \"a\": 1\n    },\n    {\n        \"a\": {\n            \"b\": 2\n        }\n    }\n]");
  EXPECT_EQ(appended("[\n{\n\"a\": 1\n}\n]", "2"), "[\n{\n\"a\": 1\n},\n2\n]");
}

TEST(JsonEdit, MembersAreRemovedWithOneCommaEach) {
  const std::string bytes = "{\n  \"a\": 1,\n  \"b\": [2],\n  \"c\": {\"b\": 3}\n}\n";
  EXPECT_EQ(without(bytes, {"a"}), "{\n  \"b\": [2],\n  \"c\": {\"b\": 3}\n}\n");
  EXPECT_EQ(without(bytes, {"b"}), "{\n  \"a\": 1,\n  \"c\": {\"b\": 3}\n}\n");
  EXPECT_EQ(without(bytes, {"c"}), "{\n  \"a\": 1,\n  \"b\": [2]\n}\n");
  EXPECT_EQ(without(bytes, {"c", "a"}), "{\n  \"b\": [2]\n}\n");
  EXPECT_EQ(without(bytes, {"b", "c"}), "{\n  \"a\": 1\n}\n");
  EXPECT_EQ(without(bytes, {"a", "b", "c"}), "{}\n");
  EXPECT_EQ(without(bytes, {"d"}), bytes);
  EXPECT_EQ(without("{}", {"d"}), "{}");
  EXPECT_EQ(without("{\"a\":1 , \"b\":2, \"a\":3}", {"a"}), "{\"b\":2}");
}

TEST(JsonEdit, ElementsAreRemovedWhetherTheyAreWrittenAsTextOrAsNumbers) {
  EXPECT_EQ(without("[\n  \"1\",\n  2,\n  \"3\"\n]", {"2"}), "[\n  \"1\",\n  \"3\"\n]");
  EXPECT_EQ(without("[\"1\", \"2\", \"1\"]", {"1"}), "[\"2\"]");
  EXPECT_EQ(without("[ \"1\", 1 ]", {"1"}), "[]");
  EXPECT_EQ(without("[[\"1\"], {\"1\": 1}, null]", {"1", "null"}), "[[\"1\"], {\"1\": 1}, null]");
}

TEST(JsonEdit, AnEmptyObjectInAFileOnOneLineStaysOnIt) {
  const std::string bytes = "{\"a\":{},\"b\":[]}";
  const JsonDocument document = parse(bytes);
  EXPECT_EQ(apply_edits(bytes, set_members(document, document.root().find("a")->value, {{"c", "1"}})),
            "{\"a\":{\"c\":1},\"b\":[]}");
  EXPECT_EQ(apply_edits(bytes, {append_element(document, document.root().find("b")->value, "1")}),
            "{\"a\":{},\"b\":[1]}");
}

// Sets and adds in every object and array, and looks for it again; what was there before is still there.
int expect_edits_hold(const std::string& bytes, const JsonNode& node, const JsonDocument& document) {
  int count = 0;
  for (const JsonMember& member : node.members) count += expect_edits_hold(bytes, member.value, document);
  for (const JsonNode& element : node.elements) count += expect_edits_hold(bytes, element, document);
  if (node.kind == JsonKind::Object) {
    const std::string once = apply_edits(bytes, set_members(document, node, {{"status", "[\"x\"]"}}));
    const Result<JsonDocument> again = JsonDocument::parse(once, {});
    EXPECT_TRUE(again.has_value()) << bytes << "\n" << once;
    if (!again) return count;
    const Result<JsonNode> changed = read_json_value(once, node.span.begin, {});
    EXPECT_EQ(changed->find("status")->value.elements.at(0).text, "x") << once;
    EXPECT_TRUE(set_members(*again, *changed, {{"status", "[\"x\"]"}}).empty());
    const std::string removed = apply_edits(once, remove_members(*changed, {"status"}));
    EXPECT_TRUE(JsonDocument::parse(removed, {}).has_value()) << removed;
    EXPECT_EQ(read_json_value(removed, node.span.begin, {})->find("status"), nullptr) << removed;
    ++count;
  }
  if (node.kind == JsonKind::Array) {
    const std::string once = apply_edits(bytes, {append_element(document, node, "{\"n\": 1}")});
    EXPECT_TRUE(JsonDocument::parse(once, {}).has_value()) << bytes << "\n" << once;
    const Result<JsonNode> changed = read_json_value(once, node.span.begin, {});
    EXPECT_EQ(changed->elements.size(), node.elements.size() + 1);
    EXPECT_EQ(changed->elements.back().find("n")->value.text, "1");
    ++count;
  }
  return count;
}

TEST(JsonEdit, MutatedAtRandomItIsRefusedOrCanBeChanged) {
  const std::vector<std::string> files = {
      "[\n  {\n    \"a\": \"x\",\n    \"b\": [1, 2],\n    \"c\": {}\n  },\n  {\"d\": null}\n]\n",
      "{\"a\":[{\"b\":{\"c\":[[],[1]]}}],\"status\":true}",
      "\xEF\xBB\xBF[\r\n\t{\r\n\t\t\"a\": -1.5e3\r\n\t}\r\n]"};
  const std::vector<std::string> pieces = {"{",
                                           "}",
                                           "[",
                                           "]",
                                           ",",
                                           ":",
                                           "\"",
                                           "\n",
                                           "\r\n",
                                           "1",
                                           "\"k\": 1",
                                           "{}",
                                           "[]",
                                           " ",
                                           "\\",
                                           "\xFF",
                                           std::string(1, '\0'),
                                           "{\"status\": 1}",
                                           ",\n"};
  std::mt19937 random(11);
  int rounds = 0;
  int read_well = 0;
  int edits = 0;
  for (; rounds < 10'000; ++rounds) {
    const std::string bytes = mutated(files[random() % files.size()], pieces, random);
    const Result<JsonDocument> document = JsonDocument::parse(bytes, {});
    if (!document) {
      EXPECT_FALSE(document.error().message.empty());
      EXPECT_GE(document.error().line, 1);
      continue;
    }
    ++read_well;
    EXPECT_EQ(apply_edits(document->bytes(), {}), bytes);
    edits += expect_edits_hold(bytes, document->root(), *document);
  }
  EXPECT_EQ(rounds, 10'000);
  EXPECT_GT(read_well, 300);
  EXPECT_GT(edits, 1'500);
}

}  // namespace
}  // namespace reprise
