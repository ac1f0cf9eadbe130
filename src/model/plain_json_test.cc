#include "model/plain_json.h"

#include <gtest/gtest.h>

#include <random>

#include "model/event_codec.h"
#include "model/workflow.h"

namespace reprise {
namespace {

struct Inner {
  std::string text;
  std::vector<int> numbers;
  bool operator==(const Inner&) const = default;
};
template <typename F>
void fields(F& f, Inner& inner) {
  f("text", inner.text);
  f("numbers", inner.numbers);
}

struct Outer {
  std::string name;
  std::int64_t large = 0;
  bool yes = false;
  std::optional<int> maybe;
  Rare<std::string> rare;
  std::map<std::string, std::string> values;
  std::vector<Inner> inner;
  bool operator==(const Outer&) const = default;
};
template <typename F>
void fields(F& f, Outer& outer) {
  f("name", outer.name);
  f("large", outer.large);
  f("yes", outer.yes);
  f("maybe", outer.maybe);
  f("rare", outer.rare);
  f("values", outer.values);
  f("inner", outer.inner);
}

std::optional<Outer> by_library(std::string_view json) {
  boost::json::monotonic_resource memory;
  const std::optional<boost::json::value> parsed = parse_stored(json, &memory);
  Outer outer;
  if (!parsed || !FieldReader::object(*parsed, outer)) return std::nullopt;
  return outer;
}

Outer full() {
  return {.name = "a \"quoted\" \\ name\nin two lines",
          .large = -1'234'567'890'123,
          .yes = true,
          .maybe = 0,
          .rare = "x",
          .values = {{"k", "v"}, {"l", ""}},
          .inner = {{.text = "", .numbers = {1, -2, 0}}, {.text = "t"}}};
}

TEST(PlainJson, ReadsWhatTheWriterWrites) {
  Outer back;
  ASSERT_TRUE(PlainReader::object(FieldWriter::object(full()), back));
  EXPECT_EQ(back, full());
}

TEST(PlainJson, GivesUpWhereTheLibraryIsNeeded) {
  for (const std::string_view json :
       {R"({"name":"a","newer":1})", R"({"large":1,"name":"a"})", R"({ "name":"a"})", R"({"name":"ä"})",
        R"({"name":"\t"})", R"({"large":1.0})", R"({"large":007})", R"({"large":-0})", R"({"name":"a"}})",
        R"({"name":"a")", R"({"yes":1})", R"({"inner":[{}},]})", ""}) {
    Outer outer;
    EXPECT_FALSE(PlainReader::object(json, outer)) << json;
  }
}

TEST(PlainJson, WhatItAcceptsTheLibraryReadsTheSame) {
  const std::string seed = FieldWriter::object(full());
  std::mt19937 random(7);
  int accepted = 0;
  for (int round = 0; round < 50'000; ++round) {
    std::string json = seed;
    for (int changes = 1 + static_cast<int>(random() % 3); changes > 0; --changes) {
      static constexpr std::string_view kBytes = "{}[]\",:\\ntrue0123-.eE \n";
      const std::size_t at = random() % json.size();
      if (random() % 3 == 0) {
        json.erase(at, 1 + random() % 4);
      } else {
        json[at] = kBytes[random() % kBytes.size()];
      }
      if (json.empty()) break;
    }
    Outer plain;
    if (!PlainReader::object(json, plain)) continue;
    ++accepted;
    const std::optional<Outer> other = by_library(json);
    ASSERT_TRUE(other) << json;
    EXPECT_EQ(plain, *other) << json;
  }
  EXPECT_GT(accepted, 1'000);
}

}  // namespace
}  // namespace reprise
