// A JSON file as its bytes: values with their places and lines. json_edit.h changes what was found.
//
// Reading is strict, so that what is torn is never taken for whole. The one exception is a control character
// in a string, which careless loggers write; it is accepted where JsonRules says so.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "text/document.h"

namespace reprise {

enum class JsonKind { Null, Boolean, Number, String, Array, Object };

struct JsonMember;

/// A value and where it stands.
struct JsonNode {
  JsonKind kind = JsonKind::Null;
  TextSpan span;
  int line = 0;                     // where it begins, 1-based
  std::string text;                 // of a string, decoded; of a number, true, false and null, as written
  std::vector<JsonNode> elements;   // of an array
  std::vector<JsonMember> members;  // of an object, in the file's order; a key may occur more than once

  /// Returns the member that counts for `key`, the last one; null if there is none.
  const JsonMember* find(std::string_view key) const;
};

struct JsonMember {
  std::string key;  // decoded
  TextSpan key_span;
  JsonNode value;
};

/// A key that an object has twice. The last one counts.
struct JsonRepeatedKey {
  std::string key;
  int line = 0;  // of the later one
};

struct JsonRules {
  int depth_max = 64;
  std::size_t nodes_max = 400'000;
  bool control_in_strings = false;  // accept control characters other than line ends in strings
};

/// Returns the value that begins at `begin`, behind spaces; what follows it is not looked at. Corrupt, with line
/// and column, if there is no whole value.
Result<JsonNode> read_json_value(std::string_view bytes, std::size_t begin, const JsonRules& rules);

/// A file that holds one JSON value.
class JsonDocument {
 public:
  /// Corrupt, with line and column: not one whole value, nested too deeply, too many values, or something behind
  /// it.
  static Result<JsonDocument> parse(std::string bytes, const JsonRules& rules);

  const std::string& bytes() const { return bytes_; }
  const JsonNode& root() const { return root_; }
  /// Every key that occurs more than once in its object, in the file's order.
  const std::vector<JsonRepeatedKey>& repeated_keys() const { return repeated_; }
  /// The line ending that most lines have, and what one level is indented by.
  std::string_view newline() const { return newline_; }
  const std::string& indent_unit() const { return unit_; }

 private:
  std::string bytes_;
  JsonNode root_;
  std::vector<JsonRepeatedKey> repeated_;
  std::string_view newline_ = "\n";
  std::string unit_ = "  ";
};

/// Whether two values say the same: keys of objects in the same order, strings decoded, numbers as written.
bool same_value(const JsonNode& a, const JsonNode& b);

/// Returns what the line of `at` is indented by.
std::string_view indent_of_line(std::string_view bytes, std::size_t at);
/// Returns the spaces and line ends directly before `at`.
std::string_view spaces_before(std::string_view bytes, std::size_t at);
/// Whether `text` holds a line end.
bool has_line_end(std::string_view text);

}  // namespace reprise
