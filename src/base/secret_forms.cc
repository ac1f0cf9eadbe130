#include "base/secret_forms.h"

#include <algorithm>

#include "base/spelled_text.h"
#include "base/strings.h"

namespace reprise {
namespace {

char hex_digit(unsigned value, bool is_upper) {
  return (is_upper ? "0123456789ABCDEF" : "0123456789abcdef")[value & 15];
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

// Of one character of a value a text may have this many bytes, escaped as it may be, and this many that no
// terminal shows in all.
constexpr std::size_t kEscapedBytesMax = 16;
constexpr std::size_t kHiddenBytesMax = 512;

bool is_shown_ascii(int byte) { return byte == '\n' || byte == '\t' || (byte >= 0x20 && byte < 0x7f); }

// Reads from `byte` on to the next character that a terminal shows. What it returns is empty where the text ends
// or is no such string; `byte` says which.
std::string next_shown(SpelledText& text, int& byte) {
  TerminalFilter filter;
  std::string shown;
  for (; byte >= 0; byte = text.next()) {
    const char c = static_cast<char>(byte);
    shown = filter.feed(std::string_view(&c, 1));
    if (!shown.empty()) break;
  }
  return shown;
}

struct Comparison {
  KnownSecrets::Match match;
  bool has_escape = false;  // another level may read something else
};

Comparison compare(std::string_view rest, std::string_view form, int level, bool is_end) {
  using What = KnownSecrets::Match::What;
  SpelledText text(rest, level, form.size() * kEscapedBytesMax + kHiddenBytesMax);
  Comparison result;
  for (std::size_t at = 0; at < form.size();) {
    int byte = text.next();
    result.has_escape = result.has_escape || byte == '\\';
    if (byte == static_cast<unsigned char>(form[at])) {
      ++at;
      continue;
    }
    if (at == 0 || is_shown_ascii(byte)) return result;
    const std::string shown = next_shown(text, byte);
    result.has_escape = result.has_escape || shown == "\\";
    if (byte == SpelledText::kEnd && !is_end) result.match.what = What::Open;
    if (byte < 0 || !form.substr(at).starts_with(shown)) return result;
    at += shown.size();
  }
  result.match = {.what = What::Yes, .length = text.consumed()};
  return result;
}

}  // namespace

KnownSecrets::KnownSecrets(std::span<const std::string> values, std::size_t bytes_min) {
  for (const std::string& each : values) {
    const std::string_view value = trim(each);
    if (value.size() < bytes_min) continue;
    forms_.emplace_back(value);
    for (const bool is_upper : {false, true}) {
      for (const UrlDialect& dialect : kUrlDialects) forms_.push_back(percent_encoded(value, dialect, is_upper));
    }
  }
  std::ranges::sort(forms_, [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  });
  forms_.erase(std::ranges::unique(forms_).begin(), forms_.end());
  for (const std::string& form : forms_) first_bytes_[static_cast<unsigned char>(form.front())] = true;
}

KnownSecrets::Match KnownSecrets::match(std::string_view rest, bool is_end) const {
  if (forms_.empty()) return {};
  std::array<int, kSpelledLevelMax + 1> firsts = {};
  bool may_match = false;
  for (int level = 0; level <= kSpelledLevelMax; ++level) {
    const int first = SpelledText(rest, level, rest.size() + 1).next();
    firsts[static_cast<std::size_t>(level)] = first;
    if (first == SpelledText::kEnd && !is_end) return {.what = Match::What::Open};
    may_match = may_match || (first >= 0 && first_bytes_[static_cast<std::size_t>(first)]);
  }
  if (!may_match) return {};
  for (const std::string& form : forms_) {
    for (int level = 0; level <= kSpelledLevelMax; ++level) {
      const int first = firsts[static_cast<std::size_t>(level)];
      if (first != static_cast<unsigned char>(form.front())) {
        if (first != '\\') break;
        continue;
      }
      const Comparison compared = compare(rest, form, level, is_end);
      if (compared.match.what != Match::What::No) return compared.match;
      if (!compared.has_escape) break;
    }
  }
  return {};
}

// Where an escape stands for a byte, or something hidden stands between two, the next bytes may be any.
void KnownSecrets::add_beginnings(BytePairs& first, BytePairs& second) const {
  static constexpr std::string_view kEscaped = "\"/'\b\f\n\r\t";
  static constexpr std::string_view kLetters = "\"/'bfnrt";
  if (forms_.empty()) return;
  std::string letters = "u\\";  // behind the backslash of an escape that a value begins with
  for (std::size_t i = 0; i < kEscaped.size(); ++i) {
    if (first_bytes_[static_cast<unsigned char>(kEscaped[i])]) letters += kLetters[i];
  }
  for (const char letter : letters) first.add('\\', letter);
  for (int byte = 0; byte < 256; ++byte) {
    const char any = static_cast<char>(byte);
    second.add('\\', any);
    for (const char letter : letters) second.add(letter, any);
    if (is_shown_ascii(byte)) continue;
    for (const std::string& form : forms_) {
      first.add(form[0], any);
      second.add(form[1], any);
    }
    for (int after = 0; after < 256; ++after) second.add(any, static_cast<char>(after));
  }
  for (const std::string& form : forms_) {
    first.add(form[0], form[1]);
    second.add(form[1], form[2]);
    first.add(form[0], '\\');
    second.add(form[1], '\\');
  }
}

}  // namespace reprise
