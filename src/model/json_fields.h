// Structs to and from JSON by one list of their fields, so that writer and reader cannot disagree.
//
// A struct takes part by a function  template <class F> void fields(F& f, T& value)  that names each
// field once. Fields at their default are not written; a field that is not there keeps its default.

#pragma once

#include <boost/json.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "base/digest.h"
#include "base/json_writer.h"
#include "base/rare.h"
#include "base/time.h"
#include "model/event.h"
#include "model/ids.h"
#include "model/status.h"

namespace reprise {

template <typename F>
void fields(F& f, SeenFile& file) {
  f("path", file.path);
  f("digest", file.digest);
  f("sig", file.signature);
}

/// An enum written as its number, where compactness matters more than being readable for ever.
struct SmallEnum {
  std::int32_t number = 0;
  std::int32_t count = 0;                                    // numbers from here on are refused
  bool operator==(const SmallEnum&) const { return false; }  // always written
};

/// Writes fields as one JSON object.
class FieldWriter {
 public:
  template <typename T>
  void operator()(std::string_view name, T& value) {
    if (is_default(value)) return;
    if (out_.back() != '{') out_ += ',';
    append_json_string(out_, name);
    out_ += ':';
    write(value);
  }

  template <typename T>
  static std::string object(const T& value) {
    FieldWriter writer;
    writer.write_object(const_cast<T&>(value));  // fields() is shared with the reader and takes no const
    return std::move(writer.out_);
  }

 private:
  template <typename T>
  static bool is_default(const T& value) {
    if constexpr (requires { value.empty(); }) {
      return value.empty();
    } else if constexpr (std::is_enum_v<T>) {
      return false;  // a struct's default need not be the first value
    } else {
      return value == T{};
    }
  }

  template <typename T>
  void write_object(T& value) {
    out_ += '{';
    fields(*this, value);
    out_ += '}';
  }

  void write(const std::string& value) { append_json_string(out_, value); }
  void write(bool value) { out_ += value ? "true" : "false"; }
  void write(std::int32_t value) { out_ += std::to_string(value); }
  void write(std::int64_t value) { out_ += std::to_string(value); }
  void write(double value) { out_ += boost::json::serialize(boost::json::value(value)); }
  void write(Timestamp value) { write(value.ms); }
  void write(Duration value) { write(static_cast<std::int64_t>(value.count())); }
  template <typename Tag>
  void write(const Name<Tag>& value) {
    write(value.text);
  }
  template <typename Tag>
  void write(const Count<Tag>& value) {
    write(value.value);
  }
  template <typename T>
    requires requires(T t) { to_token(t); }
  void write(T value) {
    append_json_string(out_, to_token(value));
  }
  template <typename T>
    requires requires(T t, FieldWriter& f) { fields(f, t); }
  void write(T& value) {
    write_object(value);
  }
  template <typename T>
  void write(std::optional<T>& value) {
    write(*value);
  }
  template <typename T>
  void write(RareOptional<T>& value) {
    write(*value);
  }
  template <typename T>
  void write(Rare<T>& value) {
    write(value.edit());
  }
  void write(const ShortDigest& value) { append_json_string(out_, to_hex(value)); }
  template <typename T>
  void write(std::vector<T>& values) {
    out_ += '[';
    for (T& value : values) {
      if (out_.back() != '[') out_ += ',';
      write(value);
    }
    out_ += ']';
  }
  void write(SmallEnum value) { out_ += std::to_string(value.number); }
  template <typename Key, typename T, typename... Rest>
  void write(std::map<Key, T, Rest...>& values) {
    write_entries(values);
  }
  template <typename Key, typename T, typename... Rest>
  void write(std::unordered_map<Key, T, Rest...>& values) {
    write_entries(values);
  }
  template <typename Entries>
  void write_entries(Entries& values) {
    out_ += '{';
    for (auto& [key, value] : values) {
      if (out_.back() != '{') out_ += ',';
      append_json_string(out_, key_text(key));
      out_ += ':';
      write(value);
    }
    out_ += '}';
  }
  static std::string_view key_text(const std::string& key) { return key; }
  template <typename Tag>
  static std::string_view key_text(const Name<Tag>& key) {
    return key.text;
  }

  std::string out_;
};

/// Reads fields from one JSON object. Check ok() afterwards: a field of the wrong type clears it.
class FieldReader {
 public:
  template <typename T>
  void operator()(std::string_view name, T& value) {
    if (by_name_) {
      const boost::json::value* found = object_->if_contains(name);
      if (found != nullptr) read(*found, value);
    } else if (next_ < object_->size() && object_->begin()[next_].key() == name) {
      read(object_->begin()[next_++].value(), value);
    }
  }

  /// A field's value means nothing to us: what is read is not what was meant.
  void refuse() { ok_ = false; }

  template <typename T>
  static bool object(const boost::json::value& json, T& value) {
    FieldReader reader;
    reader.read(json, value);
    return reader.ok_;
  }

 private:
  template <typename T>
    requires requires(T t, FieldReader& f) { fields(f, t); }
  void read(const boost::json::value& json, T& value) {
    const boost::json::object* inner = json.if_object();
    if (inner == nullptr) {
      ok_ = false;
      return;
    }
    const boost::json::object* outer = std::exchange(object_, inner);
    const std::size_t outer_next = std::exchange(next_, 0);
    const bool outer_by_name = std::exchange(by_name_, false);
    fields(*this, value);
    if (next_ < inner->size()) {  // another order, or fields that we do not know
      by_name_ = true;
      value = T{};
      fields(*this, value);
    }
    object_ = outer;
    next_ = outer_next;
    by_name_ = outer_by_name;
  }

  void read(const boost::json::value& json, std::string& value) {
    if (const boost::json::string* text = json.if_string()) {
      value.assign(text->data(), text->size());
    } else {
      ok_ = false;
    }
  }
  void read(const boost::json::value& json, bool& value) {
    json.is_bool() ? static_cast<void>(value = json.get_bool()) : static_cast<void>(ok_ = false);
  }
  void read(const boost::json::value& json, std::int64_t& value) {
    json.is_int64() ? static_cast<void>(value = json.get_int64()) : static_cast<void>(ok_ = false);
  }
  void read(const boost::json::value& json, std::int32_t& value) {
    std::int64_t wide = 0;
    read(json, wide);
    value = static_cast<std::int32_t>(wide);
    ok_ = ok_ && value == wide;
  }
  void read(const boost::json::value& json, double& value) {
    boost::system::error_code error;
    value = json.to_number<double>(error);
    ok_ = ok_ && !error;
  }
  void read(const boost::json::value& json, Timestamp& value) { read(json, value.ms); }
  void read(const boost::json::value& json, Duration& value) {
    std::int64_t ms = 0;
    read(json, ms);
    value = Duration(ms);
  }
  template <typename Tag>
  void read(const boost::json::value& json, Name<Tag>& value) {
    read(json, value.text);
  }
  template <typename Tag>
  void read(const boost::json::value& json, Count<Tag>& value) {
    read(json, value.value);
  }
  void read(const boost::json::value& json, RunStatus& value) { read_token(json, kRunStatusTokens, value); }
  void read(const boost::json::value& json, Mode& value) { read_token(json, kModeTokens, value); }
  void read(const boost::json::value& json, AttemptOutcome& value) {
    read_token(json, kAttemptOutcomeTokens, value);
  }
  void read(const boost::json::value& json, GapPriority& value) { read_token(json, kGapPriorityTokens, value); }
  void read(const boost::json::value& json, GapStatus& value) { read_token(json, kGapStatusTokens, value); }
  void read(const boost::json::value& json, SmallEnum& value) {
    read(json, value.number);
    ok_ = ok_ && value.number >= 0 && value.number < value.count;
  }
  template <typename T>
  void read(const boost::json::value& json, std::optional<T>& value) {
    read(json, value.emplace());
  }
  template <typename T>
  void read(const boost::json::value& json, RareOptional<T>& value) {
    read(json, value.emplace());
  }
  template <typename T>
  void read(const boost::json::value& json, Rare<T>& value) {
    read(json, value.edit());
  }
  void read(const boost::json::value& json, ShortDigest& value) {
    std::string text;
    read(json, text);
    const std::optional<ShortDigest> digest = parse_short_digest(text);
    digest ? static_cast<void>(value = *digest) : static_cast<void>(ok_ = false);
  }
  template <typename T>
  void read(const boost::json::value& json, std::vector<T>& values) {
    const boost::json::array* array = json.if_array();
    if (array == nullptr) {
      ok_ = false;
      return;
    }
    values.reserve(array->size());
    for (const boost::json::value& element : *array) read(element, values.emplace_back());
  }
  template <typename Key, typename T, typename... Rest>
  void read(const boost::json::value& json, std::map<Key, T, Rest...>& values) {
    read_entries(json, values);
  }
  template <typename Key, typename T, typename... Rest>
  void read(const boost::json::value& json, std::unordered_map<Key, T, Rest...>& values) {
    if (json.is_object()) values.reserve(json.get_object().size());
    read_entries(json, values);
  }
  template <typename Entries>
  void read_entries(const boost::json::value& json, Entries& values) {
    const boost::json::object* entries = json.if_object();
    if (entries == nullptr) {
      ok_ = false;
      return;
    }
    for (const auto& [key, value] : *entries) {
      typename Entries::key_type name{std::string(key)};
      read(value, values[std::move(name)]);
    }
  }
  template <typename Enum, std::size_t N>
  void read_token(const boost::json::value& json, const TokenTable<Enum, N>& table, Enum& value) {
    std::string token;
    read(json, token);
    const std::optional<Enum> found = value_in(table, token);
    found ? static_cast<void>(value = *found) : static_cast<void>(ok_ = false);
  }

  const boost::json::object* object_ = nullptr;
  std::size_t next_ = 0;  // what FieldWriter wrote comes in the order of the fields
  bool by_name_ = false;
  bool ok_ = true;
};

/// Parses `text` with the depth and duplicate-key rules of stored data; an object is required.
std::optional<boost::json::value> parse_stored(std::string_view text, boost::json::storage_ptr memory);

}  // namespace reprise
