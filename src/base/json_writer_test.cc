#include "base/json_writer.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

TEST(JsonWriter, ObjectsAndArraysAreSeparatedByCommas) {
  JsonWriter json;
  json.begin_object()
      .field("a", 1)
      .field("b", "x")
      .key("c")
      .begin_array()
      .value(true)
      .null()
      .begin_object()
      .end_object();
  json.end_array()
      .field("d", std::optional<int>())
      .field("e", std::optional<int>(5))
      .key("f")
      .begin_array()
      .end_array();
  json.end_object();
  EXPECT_EQ(json.take(), R"({"a":1,"b":"x","c":[true,null,{}],"d":null,"e":5,"f":[]})");
}

TEST(JsonWriter, TextEndingInABracketDoesNotEatTheComma) {
  JsonWriter json;
  json.begin_array().value("{").value("[").value("x").end_array();
  EXPECT_EQ(json.take(), R"(["{","[","x"])");
}

TEST(JsonWriter, StringsAreEscapedAndAlwaysUtf8) {
  const auto written = [](std::string_view text) {
    std::string out;
    append_json_string(out, text);
    return out;
  };
  EXPECT_EQ(written("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(written("\n\t"), R"("\n\u0009")");
  EXPECT_EQ(written(std::string_view("\0\x01\x1f", 3)), R"("\u0000\u0001\u001f")");
  EXPECT_EQ(written("grün"), "\"grün\"");
  EXPECT_EQ(written("a\xff"
                    "b"),
            "\"a\xef\xbf\xbd"
            "b\"");
  EXPECT_EQ(written("\xed\xa0\x80").find('\xed'), std::string::npos) << "half a surrogate pair is not UTF-8";
  EXPECT_EQ(written("\xc3"), "\"\xef\xbf\xbd\"");
}

}  // namespace
}  // namespace reprise
