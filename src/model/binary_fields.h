// Structs to and from compact bytes by the same list of fields that json_fields.h uses.
//
// For the stored copy of a run's state, which is read at every start and rebuilt from the events by
// whoever cannot read it: no names, no versions, only a fingerprint of the field lists in front, so that
// bytes written by a program with other fields are refused instead of misread.

#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/digest.h"
#include "base/rare.h"
#include "base/stable_map.h"
#include "base/time.h"
#include "model/ids.h"
#include "model/json_fields.h"

namespace reprise {

class BinaryWriter {
 public:
  template <typename T>
  void operator()(std::string_view, T& value) {
    put(value);
  }

  template <typename T>
    requires requires(T t, BinaryWriter& f) { fields(f, t); }
  void put(T& value) {
    fields(*this, value);
  }

  void put(std::string_view text) {
    put_number(text.size());
    out_ += text;
  }
  void put(const std::string& text) { put(std::string_view(text)); }
  template <typename T>
    requires(std::is_integral_v<T> || std::is_enum_v<T>)
  void put(T value) {
    const auto wide = static_cast<std::int64_t>(value);
    put_number(static_cast<std::uint64_t>(wide) << 1 ^ static_cast<std::uint64_t>(wide >> 63));
  }
  void put(double value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    out_.append(bytes, sizeof value);
  }
  void put(Timestamp value) { put(value.ms); }
  void put(Duration value) { put(static_cast<std::int64_t>(value.count())); }
  void put(SmallEnum value) { put(value.number); }
  template <typename Tag>
  void put(const Name<Tag>& value) {
    put(value.text);
  }
  template <typename Tag>
  void put(const Count<Tag>& value) {
    put(value.value);
  }
  template <typename T>
  void put(std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <typename T>
  void put(std::vector<T>& values) {
    put_number(values.size());
    for (T& value : values) put(value);
  }
  template <typename Key, typename T, typename... Rest>
  void put(std::map<Key, T, Rest...>& values) {
    put_number(values.size());
    for (auto& [key, value] : values) {
      put(key);
      put(value);
    }
  }
  template <typename Key, typename T>
  void put(StableMap<Key, T>& values) {
    put_number(values.size());
    for (auto& [key, value] : values) {
      put(key);
      put(value);
    }
  }
  template <typename T>
  void put(Rare<T>& value) {
    value.empty() ? put_number(0) : put(value.edit());
  }
  void put(const ShortDigest& value) {
    out_.append(reinterpret_cast<const char*>(value.bytes.data()), value.bytes.size());
  }

  std::string take() { return std::move(out_); }

 private:
  void put_number(std::uint64_t number) {
    for (; number >= 0x80; number >>= 7) out_ += static_cast<char>(number | 0x80);
    out_ += static_cast<char>(number);
  }

  std::string out_;
};

/// Reads what BinaryWriter wrote. Check ok() afterwards: anything out of place clears it.
class BinaryReader {
 public:
  explicit BinaryReader(std::string_view bytes) : rest_(bytes) {}

  template <typename T>
  void operator()(std::string_view, T& value) {
    get(value);
  }
  bool ok() const { return ok_; }
  bool is_at_end() const { return rest_.empty(); }

  template <typename T>
    requires requires(T t, BinaryReader& f) { fields(f, t); }
  void get(T& value) {
    fields(*this, value);
  }

  void get(std::string& text) {
    const std::uint64_t size = count();
    text.assign(rest_.substr(0, size));
    rest_.remove_prefix(size);
  }
  template <typename T>
    requires(std::is_integral_v<T> || std::is_enum_v<T>)
  void get(T& value) {
    const std::uint64_t coded = number();
    const auto wide = static_cast<std::int64_t>(coded >> 1 ^ (~(coded & 1) + 1));
    if constexpr (std::is_enum_v<T>) {
      ok_ = ok_ && wide >= 0 && wide < 64 && to_token(static_cast<T>(wide)) != "unknown";
    } else {
      ok_ = ok_ && static_cast<std::int64_t>(static_cast<T>(wide)) == wide;
    }
    value = static_cast<T>(wide);
  }
  void get(double& value) {
    if (rest_.size() < sizeof value) {
      ok_ = false;
      return;
    }
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
  }
  void get(Timestamp& value) { get(value.ms); }
  void get(Duration& value) {
    std::int64_t ms = 0;
    get(ms);
    value = Duration(ms);
  }
  void get(SmallEnum& value) {
    get(value.number);
    ok_ = ok_ && value.number >= 0 && value.number < value.count;
  }
  template <typename Tag>
  void get(Name<Tag>& value) {
    get(value.text);
  }
  template <typename Tag>
  void get(Count<Tag>& value) {
    get(value.value);
  }
  template <typename T>
  void get(std::optional<T>& value) {
    bool there = false;
    get(there);
    if (there) get(value.emplace());
  }
  template <typename T>
  void get(std::vector<T>& values) {
    const std::uint64_t size = count();
    values.reserve(std::min<std::uint64_t>(size, 64));
    for (std::uint64_t i = 0; i < size && ok_; ++i) get(values.emplace_back());
  }
  template <typename Key, typename T, typename... Rest>
  void get(std::map<Key, T, Rest...>& values) {
    get_entries(values);
  }
  template <typename Key, typename T>
  void get(StableMap<Key, T>& values) {
    get_entries(values);
  }
  template <typename T>
  void get(Rare<T>& value) {
    if (!rest_.empty() && rest_.front() == 0) {  // the count of nothing
      rest_.remove_prefix(1);
    } else {
      get(value.edit());
    }
  }
  void get(ShortDigest& value) {
    if (rest_.size() < value.bytes.size()) {
      ok_ = false;
      return;
    }
    std::memcpy(value.bytes.data(), rest_.data(), value.bytes.size());
    rest_.remove_prefix(value.bytes.size());
  }

 private:
  template <typename Entries>
  void get_entries(Entries& values) {
    const std::uint64_t size = count();
    if constexpr (requires { values.reserve(size); }) values.reserve(size);
    for (std::uint64_t i = 0; i < size && ok_; ++i) {
      typename Entries::key_type key;
      get(key);
      get(values[std::move(key)]);
    }
  }

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    ok_ = false;
    return 0;
  }

  // A number of things that follow: each takes at least one byte, so there cannot be more than are left.
  std::uint64_t count() {
    const std::uint64_t value = number();
    if (value > rest_.size()) ok_ = false;
    return ok_ ? value : 0;
  }

  std::string_view rest_;
  bool ok_ = true;
};

/// Collects the names of a struct's fields: what makes bytes of one program unreadable for another.
class FieldNames {
 public:
  template <typename T>
  void operator()(std::string_view name, T&) {
    names_ += name;
    names_ += ' ';
  }
  template <typename... T>
  static std::string of() {
    FieldNames collector;
    (collector.add<T>(), ...);
    return collector.names_;
  }

 private:
  template <typename T>
  void add() {
    T value;
    fields(*this, value);
    names_ += '\n';
  }

  std::string names_;
};

}  // namespace reprise
