#include "formats/state_words.h"

#include <algorithm>
#include <array>

#include "base/chars.h"
#include "base/strings.h"

namespace reprise {
namespace {

// What a byte is in a key.
enum class KeyByte : unsigned char { Other, Lower, Upper, Separator, Mark };
constexpr std::array<KeyByte, 256> kKeyBytes = [] {
  std::array<KeyByte, 256> kinds = {};
  for (unsigned char c = 'a'; c <= 'z'; ++c) kinds[c] = KeyByte::Lower;
  for (unsigned char c = 'A'; c <= 'Z'; ++c) kinds[c] = KeyByte::Upper;
  for (const char c : {' ', '\t', '-', '_', '/'}) kinds[static_cast<unsigned char>(c)] = KeyByte::Separator;
  for (const char c : {'*', '`', '"'}) kinds[static_cast<unsigned char>(c)] = KeyByte::Mark;
  return kinds;
}();

bool is_symbol(std::uint32_t c) {
  return (c >= 0x2190 && c <= 0x2BFF) || c == 0xFE0F || c == 0x200D || c == 0x20E3 ||
         (c >= 0x1F000 && c <= 0x1FAFF);
}

// Returns the length of the symbol (arrow, check mark, emoji) in front of `text`, 0 if it is something else.
std::size_t symbol_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (text.size() >= 3 && byte(0) >> 4 == 0xE) {
    return is_symbol((byte(0) & 0x0Fu) << 12 | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu)) ? 3 : 0;
  }
  if (text.size() >= 4 && byte(0) >> 3 == 0x1E) {
    return is_symbol((byte(0) & 7u) << 18 | (byte(1) & 0x3Fu) << 12 | (byte(2) & 0x3Fu) << 6 | (byte(3) & 0x3Fu))
               ? 4
               : 0;
  }
  return 0;
}

bool is_mark(char c) { return c == '*' || c == '`' || c == '"'; }

// trim() of base/strings.h, for the innermost of all loops.
std::string_view without_spaces(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view without_symbols(std::string_view text) {
  for (;;) {
    text = without_spaces(text);
    if (const std::size_t length = symbol_length(text)) {
      text.remove_prefix(length);
    } else if (text.size() >= 3 && symbol_length(text.substr(text.size() - 3)) == 3) {
      text.remove_suffix(3);
    } else if (text.size() >= 4 && symbol_length(text.substr(text.size() - 4)) == 4) {
      text.remove_suffix(4);
    } else {
      return text;
    }
  }
}

constexpr int kWrappingsMax = 8;  // nobody nests more; a line of stars must not take long
constexpr std::array<std::string_view, 5> kMarks = {"**", "__", "`", "*", "\""};

bool has_marks_at_ends(std::string_view text) {
  const auto is_wrapping = [](char c) { return is_mark(c) || c == '_'; };
  return !text.empty() && (is_wrapping(text.front()) || is_wrapping(text.back()));
}

// Removes one pair of marks at the start or at the end; false if there is none.
bool unwrap_once(std::string& text) {
  for (const std::string_view marks : kMarks) {
    const std::size_t size = marks.size();
    if (text.size() <= size) continue;
    const std::size_t close = text.starts_with(marks) ? text.find(marks, size) : std::string::npos;
    if (close != std::string::npos) {
      text = text.substr(size, close - size) + text.substr(close + size);
      return true;
    }
    const std::size_t last = text.size() - size;
    const std::size_t open = text.ends_with(marks) ? text.find(marks) : last;
    if (open < last && (open == 0 || text[open - 1] == ' ')) {
      text = text.substr(0, open) + text.substr(open + size, last - open - size);
      return true;
    }
  }
  return false;
}

// What may end the words at the front of a value. The dash without spaces around it is a hyphen.
constexpr std::array<std::string_view, 14> kEnds = {"—", " – ", " - ", " -- ", "(",  "|",  ",",
                                                    ";", ". ",  ": ",  " · ",  "\n", "\r", "<br>"};

// The first bytes of kEnds.
constexpr std::array<bool, 256> kEndBytes = [] {
  std::array<bool, 256> found = {};
  for (const std::string_view mark : kEnds) found[static_cast<unsigned char>(mark[0])] = true;
  return found;
}();

std::string_view before_remark(std::string_view text) {
  for (std::size_t end = 0; end < text.size(); ++end) {
    if (!kEndBytes[static_cast<unsigned char>(text[end])]) continue;
    const std::string_view rest = text.substr(end);
    if (std::ranges::any_of(kEnds, [&](std::string_view mark) { return rest.starts_with(mark); }))
      return text.substr(0, end);
  }
  return text;
}

// Returns the leading words as a view of `value`, or of `buffer` where marks stand between them.
std::string_view find_leading_words(std::string_view value, std::string& buffer) {
  std::string_view words = before_remark(without_symbols(value));
  if (std::ranges::any_of(words, is_mark)) {
    buffer = words;
    std::erase_if(buffer, is_mark);
    words = buffer;
  }
  words = without_symbols(words);
  while (words.ends_with('.') || words.ends_with(':') || words.ends_with('!')) words.remove_suffix(1);
  return without_spaces(words);
}

constexpr std::array<std::string_view, 8> kNothing = {"n_a", "na",  "none",           "null",
                                                      "nil", "tbd", "not_applicable", "n.a"};
constexpr std::array<std::string_view, 7> kNotYet = {"pending", "not_computed", "not_started", "not_run",
                                                     "not_yet", "awaiting",     "unknown"};

// The last one, which every text starts with, says that there is none.
constexpr std::array<std::string_view, 6> kDashes = {"—", "–", "-", "…", ".", ""};

bool is_only_dashes(std::string_view text) {
  if (text.empty()) return false;
  while (!text.empty()) {
    const std::string_view dash =
        *std::ranges::find_if(kDashes, [&](auto each) { return text.starts_with(each); });
    if (dash.empty()) return false;
    text.remove_prefix(dash.size());
  }
  return true;
}

// "(none)", "— (later)".
std::string_view without_parenthesis(std::string_view text) {
  text = trim(text);
  if (text.starts_with('(')) return text.substr(1, text.find(')') - 1);
  const std::size_t open = text.find('(');
  if (open != std::string_view::npos && is_only_dashes(trim(text.substr(0, open))))
    return trim(text.substr(0, open));
  return text;
}

// Whether a value begins with a digit, or with a letter other than `initials`: then its first word does too, and
// none that begins with one of them needs to be looked for.
bool begins_otherwise(std::string_view value, std::string_view initials) {
  if (value.empty() || !is_alphanumeric(value[0])) return false;
  const char first = is_upper(value[0]) ? static_cast<char>(value[0] - 'A' + 'a') : value[0];
  return initials.find(first) == std::string_view::npos;
}

std::vector<std::string_view> split_at(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(trim(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + separator.size());
  }
}

// One or a few words, as a choice in a template is.
bool is_choice(std::string_view part) {
  const auto is_choice_byte = [](char c) {
    return is_alphanumeric(c) || c == '_' || c == '-' || c == ' ' || c == '/' || c == '.' || c == '`' || c == '*';
  };
  const bool has_letter = std::ranges::any_of(part, [](char c) { return is_lower(c) || is_upper(c); });
  return has_letter && std::ranges::all_of(part, is_choice_byte) && std::ranges::count(part, ' ') < 3;
}

bool lists_alternatives(std::string_view value) {
  const auto all_choices = [](const std::vector<std::string_view>& parts, std::size_t least) {
    return parts.size() >= least && std::ranges::all_of(parts, is_choice);
  };
  const std::vector<std::string_view> slashed = split_at(value, " / ");
  const bool capitals = std::ranges::none_of(value, is_lower);
  return all_choices(split_at(value, "|"), 2) || all_choices(slashed, capitals ? 2 : 3);
}

constexpr std::size_t kGapBytesMax = 100;

// "<name>" somewhere; an address, an element such as <br> and "a < b" are something else.
bool has_angle_gap(std::string_view value) {
  static constexpr std::array<std::string_view, 8> kElements = {"br", "br/",  "br /",    "b",
                                                                "i",  "code", "details", "summary"};
  for (std::size_t open = value.find('<'); open != std::string_view::npos; open = value.find('<', open + 1)) {
    const std::string_view rest = value.substr(open + 1, kGapBytesMax);
    const std::string_view name = rest.substr(0, std::min(rest.find('>'), rest.size()));
    if (name.size() == rest.size()) continue;
    const bool is_name =
        !name.empty() && is_alphanumeric(name[0]) && name.find_first_of("<@=:") == std::string_view::npos;
    if (is_name && !is_one_of(to_lower(name), kElements)) return true;
  }
  return false;
}

}  // namespace

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

std::string normal_key(std::string_view key) {
  key = without_spaces(key);
  std::array<char, 128> room;
  std::string more(2 * key.size() > room.size() ? 2 * key.size() : 0, ' ');  // a capital may become two bytes
  char* const out = more.empty() ? room.data() : more.data();
  char* end = out;
  KeyByte before = KeyByte::Other;
  for (const char c : key) {
    const KeyByte kind = kKeyBytes[static_cast<unsigned char>(c)];
    if (kind == KeyByte::Mark) continue;
    const bool parts = kind == KeyByte::Separator || (kind == KeyByte::Upper && before == KeyByte::Lower);
    if (parts && end != out && end[-1] != '_') *end++ = '_';
    if (kind != KeyByte::Separator) *end++ = kind == KeyByte::Upper ? static_cast<char>(c - 'A' + 'a') : c;
    before = kind;
  }
  while (end != out && (end[-1] == '_' || end[-1] == ':')) --end;
  return std::string(out, end);
}

std::string plain_value(std::string_view value) {
  std::string text(without_symbols(value));
  for (int i = 0; i < kWrappingsMax && has_marks_at_ends(text) && unwrap_once(text); ++i) {
    text = without_symbols(text);
  }
  return text;
}

std::string leading_words(std::string_view value) {
  std::string buffer;
  return std::string(find_leading_words(value, buffer));
}

std::string leading_token(std::string_view value) {
  const auto is_word_byte = [](char c) { return is_alphanumeric(c) || c == '_' || c == ' '; };
  if (std::ranges::all_of(value, is_word_byte)) return normal_key(value);  // nothing that ends or decorates words
  std::string buffer;
  return normal_key(find_leading_words(value, buffer));
}

bool is_nothing(std::string_view value) {
  if (begins_otherwise(value, "nt")) return false;
  const std::string text = plain_value(value);
  if (trim(value).empty() || is_only_dashes(text)) return true;
  const std::string_view inner = without_parenthesis(text);
  return is_only_dashes(inner) || is_one_of(leading_token(inner), kNothing);
}

bool is_nothing_yet(std::string_view value) {
  if (begins_otherwise(value, "ntpaus")) return false;
  std::string text = plain_value(value);
  if (to_lower(text).starts_with("sha256:")) text = text.substr(7);
  if (is_nothing(text)) return true;
  const std::string token = leading_token(without_parenthesis(text));
  return std::ranges::any_of(
      kNotYet, [&](std::string_view word) { return token == word || token.starts_with(std::string(word) + '_'); });
}

bool is_unfilled(std::string_view value) {
  const auto is_of_template = [](char c) { return c == '{' || c == '|' || c == '/' || c == '<'; };
  if (std::ranges::none_of(value, is_of_template)) return false;
  const std::size_t open = value.find("{{");
  if (open != std::string_view::npos && value.find("}}", open + 2) != std::string_view::npos) return true;
  const std::string text = plain_value(value);
  return lists_alternatives(text) || has_angle_gap(text);
}

}  // namespace reprise
