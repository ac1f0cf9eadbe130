#include "text/json_document.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/chars.h"

namespace reprise {
namespace {

void append_utf8(std::string& out, unsigned code) {
  const auto put = [&](unsigned byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

constexpr unsigned kReplacementCharacter = 0xFFFD;

// Reads one value. After a failure `failure_` says what was wrong at `at_`.
class Parser {
 public:
  Parser(std::string_view bytes, std::size_t begin, const JsonRules& rules)
      : bytes_(bytes), at_(begin), line_start_(begin), rules_(rules) {}

  bool read(JsonNode& node) {
    skip_spaces();
    return read_value(node, 0);
  }
  // Whether nothing but spaces follows.
  bool read_end() {
    skip_spaces();
    return at_ == bytes_.size() || refuse("something stands behind the value");
  }
  Error error() const {
    return {.kind = ErrorKind::Corrupt,
            .message = std::string(failure_),
            .line = line_,
            .column = static_cast<int>(at_ - line_start_) + 1};
  }

 private:
  bool refuse(std::string_view why) {
    failure_ =
        at_ >= bytes_.size() ? "it ends in the middle of a value; it was probably not written to its end" : why;
    return false;
  }
  bool is_at(char c) const { return at_ < bytes_.size() && bytes_[at_] == c; }
  bool take(char c) {
    if (!is_at(c)) return false;
    ++at_;
    return true;
  }

  void skip_spaces() {
    for (; at_ < bytes_.size() && is_space(bytes_[at_]); ++at_) {
      const bool is_crlf = bytes_[at_] == '\r' && at_ + 1 < bytes_.size() && bytes_[at_ + 1] == '\n';
      if ((bytes_[at_] != '\n' && bytes_[at_] != '\r') || is_crlf) continue;
      ++line_;
      line_start_ = at_ + 1;
    }
  }

  bool read_value(JsonNode& node, int depth) {
    if (++nodes_ > rules_.nodes_max) return refuse("it holds too many values");
    if (at_ >= bytes_.size()) return refuse("");
    node.span.begin = at_;
    node.line = line_;
    const bool ok = read_kind(node, depth);
    node.span.end = at_;
    return ok;
  }

  bool read_kind(JsonNode& node, int depth) {
    const char c = bytes_[at_];
    if (c == '{' || c == '[') {
      if (depth >= rules_.depth_max) return refuse("it is nested too deeply");
      return c == '{' ? read_object(node, depth) : read_array(node, depth);
    }
    if (c == '"') {
      node.kind = JsonKind::String;
      return read_string(node.text);
    }
    return c == '-' || is_digit(c) ? read_number(node) : read_word(node);
  }

  bool read_object(JsonNode& node, int depth) {
    node.kind = JsonKind::Object;
    ++at_;
    skip_spaces();
    if (take('}')) return true;
    do {
      skip_spaces();
      JsonMember& member = node.members.emplace_back();
      member.key_span.begin = at_;
      if (!is_at('"')) return refuse("a key in quotes was expected");
      if (!read_string(member.key)) return false;
      member.key_span.end = at_;
      skip_spaces();
      if (!take(':')) return refuse("a colon was expected");
      skip_spaces();
      if (!read_value(member.value, depth + 1)) return false;
      skip_spaces();
    } while (take(','));
    return take('}') || refuse("a comma or the object's end was expected");
  }

  bool read_array(JsonNode& node, int depth) {
    node.kind = JsonKind::Array;
    ++at_;
    skip_spaces();
    if (take(']')) return true;
    do {
      skip_spaces();
      if (!read_value(node.elements.emplace_back(), depth + 1)) return false;
      skip_spaces();
    } while (take(','));
    return take(']') || refuse("a comma or the list's end was expected");
  }

  bool read_word(JsonNode& node) {
    static constexpr std::array<std::pair<std::string_view, JsonKind>, 3> kWords = {
        {{"true", JsonKind::Boolean}, {"false", JsonKind::Boolean}, {"null", JsonKind::Null}}};
    for (const auto& [word, kind] : kWords) {
      const std::string_view rest = bytes_.substr(at_);
      if (rest.size() < word.size() && word.starts_with(rest)) {  // cut off in the middle of the word
        at_ = bytes_.size();
        return refuse("");
      }
      if (!rest.starts_with(word)) continue;
      node.kind = kind;
      node.text = word;
      at_ += word.size();
      return true;
    }
    return refuse("a value was expected");
  }

  bool read_digits() {
    const std::size_t begin = at_;
    while (at_ < bytes_.size() && is_digit(bytes_[at_])) ++at_;
    return at_ > begin || refuse("a digit was expected");
  }
  bool read_number(JsonNode& node) {
    node.kind = JsonKind::Number;
    const std::size_t begin = at_;
    take('-');
    if (!take('0') && !read_digits()) return false;
    if (take('.') && !read_digits()) return false;
    if (is_at('e') || is_at('E')) {
      ++at_;
      if (!take('+')) take('-');
      if (!read_digits()) return false;
    }
    node.text = bytes_.substr(begin, at_ - begin);
    return true;
  }

  bool read_string(std::string& text) {
    for (++at_; at_ < bytes_.size();) {
      const char c = bytes_[at_];
      if (c == '"') {
        ++at_;
        return true;
      }
      if (c == '\\') {
        if (!read_escape(text)) return false;
        continue;
      }
      const bool ends_line = c == '\n' || c == '\r';
      if (static_cast<unsigned char>(c) < 0x20 && (ends_line || !rules_.control_in_strings)) {
        return refuse(ends_line ? "the line ends within a string" : "a control character stands in a string");
      }
      text += c;
      ++at_;
    }
    return refuse("");
  }

  bool read_escape(std::string& text) {
    static constexpr std::string_view kNames = "\"\\/bfnrt";
    static constexpr std::string_view kValues = "\"\\/\b\f\n\r\t";
    ++at_;
    if (is_at('u')) {
      ++at_;
      return read_code(text);
    }
    const std::size_t found = at_ < bytes_.size() ? kNames.find(bytes_[at_]) : std::string_view::npos;
    if (found == std::string_view::npos) return refuse("an unknown escape in a string");
    text += kValues[found];
    ++at_;
    return true;
  }

  // Half a surrogate pair is no character.
  bool read_code(std::string& text) {
    unsigned code = 0;
    if (!read_hex(code)) return false;
    if (code >= 0xD800 && code < 0xDC00 && bytes_.substr(at_, 2) == "\\u") {
      const std::size_t before = at_;
      unsigned low = 0;
      at_ += 2;
      if (!read_hex(low)) return false;
      if (low >= 0xDC00 && low < 0xE000) {
        append_utf8(text, 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00));
        return true;
      }
      at_ = before;
    }
    append_utf8(text, code >= 0xD800 && code < 0xE000 ? kReplacementCharacter : code);
    return true;
  }
  bool read_hex(unsigned& code) {
    for (int i = 0; i < 4; ++i, ++at_) {
      static constexpr std::string_view kDigits = "0123456789abcdef0123456789ABCDEF";
      const std::size_t digit = at_ < bytes_.size() ? kDigits.find(bytes_[at_]) : std::string_view::npos;
      if (digit == std::string_view::npos) return refuse("four hexadecimal digits were expected");
      code = code << 4 | static_cast<unsigned>(digit % 16);
    }
    return true;
  }

  std::string_view bytes_;
  std::size_t at_;
  std::size_t line_start_;
  const JsonRules& rules_;
  int line_ = 1;
  std::size_t nodes_ = 0;
  std::string_view failure_;
};

void find_repeated(const JsonNode& node, std::vector<JsonRepeatedKey>& repeated) {
  std::set<std::string_view> keys;
  for (const JsonMember& member : node.members) {
    if (!keys.insert(member.key).second) repeated.push_back({member.key, member.value.line});
    find_repeated(member.value, repeated);
  }
  for (const JsonNode& element : node.elements) find_repeated(element, repeated);
}

// Returns by how much more than `outer` the line of `at` is indented, if `at` begins a line.
std::string_view indent_below(std::string_view bytes, std::size_t outer, std::size_t at) {
  if (!has_line_end(spaces_before(bytes, at))) return "";
  const std::string_view inner = indent_of_line(bytes, at);
  const std::string_view around = indent_of_line(bytes, outer);
  return inner.size() > around.size() ? inner.substr(around.size()) : "";
}

// Returns what the first container that is laid out in lines indents its children by.
std::string_view find_unit(std::string_view bytes, const JsonNode& node) {
  std::string_view unit;
  if (!node.elements.empty()) unit = indent_below(bytes, node.span.begin, node.elements[0].span.begin);
  if (!node.members.empty()) unit = indent_below(bytes, node.span.begin, node.members[0].key_span.begin);
  for (std::size_t i = 0; i < node.elements.size() && unit.empty(); ++i) unit = find_unit(bytes, node.elements[i]);
  for (std::size_t i = 0; i < node.members.size() && unit.empty(); ++i) {
    unit = find_unit(bytes, node.members[i].value);
  }
  return unit;
}

}  // namespace

std::string_view spaces_before(std::string_view bytes, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && is_space(bytes[begin - 1])) --begin;
  return bytes.substr(begin, at - begin);
}

bool has_line_end(std::string_view text) { return text.find_first_of("\r\n") != std::string_view::npos; }

std::string_view indent_of_line(std::string_view bytes, std::size_t at) {
  const std::size_t end = at == 0 ? std::string_view::npos : bytes.find_last_of("\r\n", at - 1);
  const std::size_t begin = end == std::string_view::npos ? text_start(bytes) : end + 1;
  std::size_t behind = begin;
  while (behind < bytes.size() && (bytes[behind] == ' ' || bytes[behind] == '\t')) ++behind;
  return bytes.substr(begin, behind - begin);
}

const JsonMember* JsonNode::find(std::string_view key) const {
  const auto found =
      std::find_if(members.rbegin(), members.rend(), [&](const JsonMember& m) { return m.key == key; });
  return found == members.rend() ? nullptr : &*found;
}

Result<JsonNode> read_json_value(std::string_view bytes, std::size_t begin, const JsonRules& rules) {
  Parser parser(bytes, begin, rules);
  JsonNode node;
  if (!parser.read(node)) return fail(parser.error());
  return node;
}

Result<JsonDocument> JsonDocument::parse(std::string bytes, const JsonRules& rules) {
  JsonDocument document;
  document.bytes_ = std::move(bytes);
  Parser parser(document.bytes_, text_start(document.bytes_), rules);
  if (!parser.read(document.root_) || !parser.read_end()) return fail(parser.error());
  find_repeated(document.root_, document.repeated_);
  document.newline_ = to_bytes(usual_ending(lines_of(document.bytes_)));
  const std::string_view unit = find_unit(document.bytes_, document.root_);
  if (!unit.empty()) document.unit_ = unit;
  return document;
}

bool same_value(const JsonNode& a, const JsonNode& b) {
  if (a.kind != b.kind || a.text != b.text) return false;
  return std::ranges::equal(a.elements, b.elements, same_value) &&
         std::ranges::equal(a.members, b.members, [](const JsonMember& x, const JsonMember& y) {
           return x.key == y.key && same_value(x.value, y.value);
         });
}

}  // namespace reprise
