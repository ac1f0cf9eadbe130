#include "base/secret_forms.h"

namespace reprise {
namespace {

// How a program spells a value inside a JSON string. Encoders differ in what they escape beyond the necessary.
struct Spelling {
  enum class Ascii {
    Needed,
    Html,
    Strict
  } ascii;  // Html: & < >, as Go does; Strict: quotes, + and ` too, as .NET does
  bool is_slash_escaped;
  bool is_non_ascii_escaped;
  bool is_hex_upper;
};

char hex_digit(unsigned value, bool is_upper) {
  return (is_upper ? "0123456789ABCDEF" : "0123456789abcdef")[value & 15];
}

void append_unit(unsigned unit, bool is_upper, std::string& out) {
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += hex_digit(unit >> shift, is_upper);
}

// Appends a code point as \uXXXX, in the two halves of UTF-16 where it needs them.
void append_units(char32_t point, bool is_upper, std::string& out) {
  if (point < 0x10000) return append_unit(static_cast<unsigned>(point), is_upper, out);
  append_unit(0xd800u + static_cast<unsigned>((point - 0x10000) >> 10), is_upper, out);
  append_unit(0xdc00u + static_cast<unsigned>((point - 0x10000) & 0x3ff), is_upper, out);
}

// Decodes the UTF-8 sequence at the start of `text`; the length is 1 if it is none.
std::pair<char32_t, std::size_t> code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : byte(0) >= 0xc0 ? 2 : 1;
  if (length == 1 || length > text.size()) return {byte(0), 1};
  char32_t point = byte(0) & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) point = point << 6 | (byte(i) & 0x3fu);
  return {point, length};
}

bool is_escaped_by_number(char32_t point, const Spelling& spelling) {
  if (point < 0x20) return true;
  if (point > 0x7e) return spelling.is_non_ascii_escaped;
  const std::string_view ascii = spelling.ascii == Spelling::Ascii::Strict ? "&<>\"'+`"
                                 : spelling.ascii == Spelling::Ascii::Html ? "&<>"
                                                                           : "";
  return ascii.find(static_cast<char>(point)) != std::string_view::npos;
}

std::string json_spelling(std::string_view value, const Spelling& spelling) {
  static constexpr std::string_view kPlain = "\"\\\b\f\n\r\t";
  static constexpr std::string_view kLetters = "\"\\bfnrt";
  std::string out;
  for (std::size_t i = 0; i < value.size();) {
    const char c = value[i];
    const auto [point, length] = code_point(value.substr(i));
    const std::size_t letter = kPlain.find(c);
    const bool is_strict_quote = c == '"' && spelling.ascii == Spelling::Ascii::Strict;
    if (letter != std::string_view::npos && !is_strict_quote) {
      out += {'\\', kLetters[letter]};
    } else if (c == '/' && spelling.is_slash_escaped) {
      out += "\\/";
    } else if (is_escaped_by_number(point, spelling)) {
      append_units(point, spelling.is_hex_upper, out);
    } else {
      out += value.substr(i, length);
    }
    i += length;
  }
  return out;
}

// How a value looks in a URL. Encoders differ in what they leave as it is beyond letters, digits and "-._".
struct UrlDialect {
  std::string_view kept;
  bool is_space_plus = false;
};
constexpr UrlDialect kUrlDialects[] = {
    {"~"},                  // RFC 3986
    {"~/"},                 // Python's quote
    {"~!'()*"},             // JavaScript's encodeURIComponent
    {"~!'()*;/?:@&=+$,#"},  // JavaScript's encodeURI
    {"*", true},            // forms of HTML
    {"~", true},            // Python's quote_plus, Go's QueryEscape
    {"", true},             // PHP's urlencode
};

std::string percent_encoded(std::string_view value, const UrlDialect& dialect, bool is_hex_upper) {
  std::string out;
  for (const char c : value) {
    const bool is_alnum = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (is_alnum || c == '-' || c == '.' || c == '_' || dialect.kept.contains(c)) {
      out += c;
    } else if (c == ' ' && dialect.is_space_plus) {
      out += '+';
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += {'%', hex_digit(byte >> 4u, is_hex_upper), hex_digit(byte, is_hex_upper)};
    }
  }
  return out;
}

}  // namespace

std::vector<std::string> forms_of(std::string_view value) {
  std::vector<std::string> forms = {std::string(value)};
  for (const bool is_upper : {false, true}) {
    for (const UrlDialect& dialect : kUrlDialects) forms.push_back(percent_encoded(value, dialect, is_upper));
    for (const Spelling::Ascii ascii : {Spelling::Ascii::Needed, Spelling::Ascii::Html, Spelling::Ascii::Strict}) {
      for (const bool is_slash : {false, true}) {
        for (const bool is_non_ascii : {false, true}) {
          forms.push_back(json_spelling(value, {ascii, is_slash, is_non_ascii, is_upper}));
        }
      }
    }
  }
  return forms;
}

}  // namespace reprise
