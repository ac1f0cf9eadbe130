// Reads the JSON that FieldWriter writes straight into structs, without a tree in between.
//
// A definition of ten thousand stages is read at every start; as a tree it takes several times its own
// size and most of the time. This reader knows only what our own writer makes of plain ASCII: fields in
// their order, no spaces, the writer's few escapes. At anything else it gives up, and the caller reads
// again with FieldReader, which accepts everything that may be accepted and says what may not. What this
// one accepts, FieldReader reads the same (plain_json_test.cc).

#pragma once

#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/rare.h"
#include "base/time.h"
#include "model/ids.h"
#include "model/json_fields.h"
#include "model/limits.h"

namespace reprise {

class PlainReader {
 public:
  /// Reads `json` into `value`, which is as it was made. False: read it with FieldReader into a new one.
  template <typename T>
  static bool object(std::string_view json, T& value) {
    PlainReader reader(json);
    reader.read(value);
    return reader.ok_ && reader.rest_.empty();
  }

  template <typename T>
  void operator()(std::string_view name, T& value) {
    std::string_view at = rest_;
    if (!is_first_ && !take(at, ',')) return;
    if (!take(at, '"') || !at.starts_with(name)) return;
    at.remove_prefix(name.size());
    if (!at.starts_with("\":")) return;
    rest_ = at.substr(2);
    is_first_ = false;
    read(value);
  }
  void refuse() { ok_ = false; }

 private:
  explicit PlainReader(std::string_view json) : rest_(json) {}

  static bool take(std::string_view& at, char c) {
    if (at.empty() || at.front() != c) return false;
    at.remove_prefix(1);
    return true;
  }
  void expect(char c) { ok_ = ok_ && take(rest_, c); }

  template <typename T>
    requires requires(T t, PlainReader& f) { fields(f, t); }
  void read(T& value) {
    ok_ = ok_ && ++depth_ <= kDocumentDepthMax;
    expect('{');
    if (!ok_) return;
    is_first_ = true;
    fields(*this, value);
    expect('}');  // else: a field that is unknown or out of order
    is_first_ = false;
    --depth_;
  }

  void read(std::string& value) {
    expect('"');
    const std::size_t plain = plain_length();
    value.assign(rest_.substr(0, plain));
    rest_.remove_prefix(plain);
    while (ok_ && !take(rest_, '"')) read_escape_and_rest(value);
  }
  // One of the writer's escapes, then what is plain behind it.
  void read_escape_and_rest(std::string& value) {
    expect('\\');
    if (!ok_ || rest_.empty()) {
      ok_ = false;
      return;
    }
    const char c = rest_.front();
    rest_.remove_prefix(1);
    if (c == '"' || c == '\\') {
      value += c;
    } else if (c == 'n') {
      value += '\n';
    } else {
      ok_ = false;
      return;
    }
    const std::size_t plain = plain_length();
    value += rest_.substr(0, plain);
    rest_.remove_prefix(plain);
  }
  std::size_t plain_length() const {
    std::size_t length = 0;
    while (length < rest_.size() && rest_[length] >= ' ' && rest_[length] < 0x7F && rest_[length] != '"' &&
           rest_[length] != '\\') {
      ++length;
    }
    return length;
  }

  void read(bool& value) {
    value = rest_.starts_with("true");
    if (!value && !rest_.starts_with("false")) {
      ok_ = false;
      return;
    }
    rest_.remove_prefix(value ? 4 : 5);
  }
  template <typename T>
    requires(std::is_integral_v<T>)
  void read(T& value) {
    const std::from_chars_result result = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    const auto length = static_cast<std::size_t>(result.ptr - rest_.data());
    const std::string_view digits = rest_.substr(rest_.starts_with('-') ? 1 : 0);
    const bool is_odd = digits.starts_with('0') && (length > 1);  // "007", "-0"
    ok_ = ok_ && result.ec == std::errc() && !is_odd;
    if (ok_) rest_.remove_prefix(length);
    // A fraction or an exponent is not a whole number.
    ok_ = ok_ && !rest_.starts_with('.') && !rest_.starts_with('e') && !rest_.starts_with('E');
  }
  // Exactly: what was written is read back as it was, which the library does not promise. Odd forms are left to
  // it.
  void read(double& value) {
    const std::from_chars_result result = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    const auto length = static_cast<std::size_t>(result.ptr - rest_.data());
    const std::string_view text = rest_.substr(0, length);
    const bool is_odd = text.empty() || text.find_first_not_of("0123456789.eE+-") != std::string_view::npos ||
                        text.front() == '0' || text.front() == '.' || text.back() == '.' ||
                        text.starts_with("-0") || text.starts_with("-.");
    ok_ = ok_ && result.ec == std::errc() && !is_odd;
    if (ok_) rest_.remove_prefix(length);
  }
  void read(Timestamp& value) { read(value.ms); }
  void read(Duration& value) {
    std::int64_t ms = 0;
    read(ms);
    value = Duration(ms);
  }
  template <typename Tag>
  void read(Name<Tag>& value) {
    read(value.text);
  }
  template <typename Tag>
  void read(Count<Tag>& value) {
    read(value.value);
  }
  void read(ShortDigest& value) {
    std::string text;
    read(text);
    const std::optional<ShortDigest> digest = parse_short_digest(text);
    digest ? static_cast<void>(value = *digest) : static_cast<void>(ok_ = false);
  }
  void read(RunStatus& value) { read_token(kRunStatusTokens, value); }
  void read(Mode& value) { read_token(kModeTokens, value); }
  void read(AttemptOutcome& value) { read_token(kAttemptOutcomeTokens, value); }
  void read(GapPriority& value) { read_token(kGapPriorityTokens, value); }
  void read(GapStatus& value) { read_token(kGapStatusTokens, value); }
  template <typename T>
  void read(std::optional<T>& value) {
    read(value.emplace());
  }
  template <typename T>
  void read(RareOptional<T>& value) {
    read(value.emplace());
  }
  template <typename T>
  void read(Rare<T>& value) {
    read(value.edit());
  }
  template <typename T>
  void read(std::vector<T>& values) {
    expect('[');
    if (!ok_ || take(rest_, ']')) return;
    do {
      read(values.emplace_back());
    } while (ok_ && take(rest_, ','));
    expect(']');
  }
  template <typename T>
  void read(std::map<std::string, T>& values) {
    expect('{');
    if (!ok_ || take(rest_, '}')) return;
    do {
      std::string key;
      read(key);
      expect(':');
      if (ok_) read(values[std::move(key)]);
    } while (ok_ && take(rest_, ','));
    expect('}');
  }
  template <typename Enum, std::size_t N>
  void read_token(const TokenTable<Enum, N>& table, Enum& value) {
    std::string token;
    read(token);
    const std::optional<Enum> found = value_in(table, token);
    found ? static_cast<void>(value = *found) : static_cast<void>(ok_ = false);
  }

  std::string_view rest_;
  int depth_ = 0;
  bool is_first_ = true;
  bool ok_ = true;
};

}  // namespace reprise
