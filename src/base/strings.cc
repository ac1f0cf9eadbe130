#include "base/strings.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace reprise {
namespace {

// Returns the length of the UTF-8 character that starts with `byte`, 0 if none does.
std::size_t utf8_length(unsigned char byte) {
  if (byte < 0x80) return 1;
  if (byte >= 0xC2 && byte < 0xE0) return 2;
  if (byte >= 0xE0 && byte < 0xF0) return 3;
  if (byte >= 0xF0 && byte < 0xF5) return 4;
  return 0;
}

std::uint32_t utf8_decode(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 2) return (byte(0) & 0x1Fu) << 6 | (byte(1) & 0x3Fu);
  if (character.size() == 3) return (byte(0) & 0x0Fu) << 12 | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu);
  return (byte(0) & 0x07u) << 18 | (byte(1) & 0x3Fu) << 12 | (byte(2) & 0x3Fu) << 6 | (byte(3) & 0x3Fu);
}

// Overlong forms, surrogates and values past the last character are not UTF-8.
bool is_valid_character(std::uint32_t value, std::size_t length) {
  if (length == 2) return value >= 0x80;
  if (length == 3) return value >= 0x800 && (value < 0xD800 || value > 0xDFFF);
  return value >= 0x10000 && value <= 0x10FFFF;
}

// C1 controls, bidirectional controls, zero-width and line-separator characters, byte order mark.
bool is_hidden(std::uint32_t value) {
  return (value >= 0x80 && value < 0xA0) || (value >= 0x200B && value <= 0x200F) ||
         (value >= 0x2028 && value <= 0x202E) || (value >= 0x2060 && value <= 0x206F) || value == 0x061C ||
         value == 0xFEFF || (value >= 0xFFF9 && value <= 0xFFFB) || (value >= 0xE0000 && value <= 0xE0FFF);
}

void append_escaped(std::string& out, std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += "\\x";
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
}

// The first character of `text`. Bytes that are not UTF-8 count one by one, as not valid.
struct Character {
  std::uint32_t value = 0;
  std::size_t bytes = 1;
  bool is_valid = false;

  // Whether it neither acts on a terminal nor misleads a reader. A newline and a tab act.
  bool is_visible() const { return is_valid && value >= 0x20 && value != 0x7F && !is_hidden(value); }
};
Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {.value = lead, .bytes = 1, .is_valid = true};
  const std::size_t length = utf8_length(lead);
  if (length == 0 || length > text.size()) return {};
  const auto is_inner = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  if (!std::ranges::all_of(text.substr(1, length - 1), is_inner)) return {};
  const std::uint32_t value = utf8_decode(text.substr(0, length));
  if (!is_valid_character(value, length)) return {};
  return {.value = value, .bytes = length, .is_valid = true};
}

void append_hex(std::string& out, std::uint32_t value, int digits) {
  static constexpr char kDigits[] = "0123456789abcdef";
  for (int i = digits - 1; i >= 0; --i) out += kDigits[value >> (4 * i) & 15];
}

bool is_plain_text(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\t'; });
}

// The length of a colour code at the front of `text`, 0 if there is none: ESC [ digits m, nothing else.
std::size_t colour_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  std::size_t end = 2;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  return end > 2 && end < 5 && end < text.size() && text[end] == 'm' ? end + 1 : 0;
}

// $'...' quoting, which bash, zsh, ksh and POSIX.1-2024 understand.
std::string quoted_with_escapes(std::string_view word) {
  std::string out = "$'";
  while (!word.empty()) {
    const Character character = first_character(word);
    const std::string_view bytes = word.substr(0, character.bytes);
    word.remove_prefix(character.bytes);
    if (bytes == "\n" || bytes == "\t") {
      out += bytes == "\n" ? "\\n" : "\\t";
    } else if (character.is_visible()) {
      if (bytes == "'" || bytes == "\\") out += '\\';
      out += bytes;
    } else {
      append_escaped(out, bytes);
      // Some shells would read a further hex digit as a part of the escape.
      if (!word.empty() && std::string_view("0123456789abcdefABCDEF").find(word[0]) != std::string_view::npos)
        out += "'$'";
    }
  }
  return out + "'";
}

// Insertions, deletions, replacements and swaps of neighbours, each counted as one.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::move(last);
    last = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

// "retries" and "retry" are one word to whoever types them.
std::string singular_of(const std::string& word) {
  if (word.size() > 4 && word.ends_with("ies")) return word.substr(0, word.size() - 3) + "y";
  return word.size() > 2 && word.ends_with('s') ? word.substr(0, word.size() - 1) : word;
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string out;
  for (const std::string& part : parts) {
    if (&part != parts.data()) out += separator;
    out += part;
  }
  return out;
}

std::string_view trim(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string to_lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string to_upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

std::string_view file_name(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string count_of(std::size_t number, std::string_view noun) {
  return std::to_string(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

std::optional<long long> parse_number(std::string_view text, long long max) {
  long long value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size() || value < 0 || value > max) return std::nullopt;
  return value;
}

std::string single_quoted(std::string_view word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string_view("'\\''") : std::string_view(&c, 1);
  return out + "'";
}

std::string shell_quote(std::string_view word) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./=:@%+,").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return std::string(word);
  for (std::string_view rest = word; !rest.empty();) {
    const Character character = first_character(rest);
    if (!character.is_visible()) return quoted_with_escapes(word);
    rest.remove_prefix(character.bytes);
  }
  return single_quoted(word);
}

std::string shell_command(std::span<const std::string> argv) {
  std::string out;
  for (const std::string& word : argv) {
    if (!out.empty()) out += ' ';
    out += shell_quote(word);
  }
  return out;
}

void TerminalFilter::flush_sequence(std::string& out) {
  append_escaped(out, pending_);
  pending_.clear();
}

void TerminalFilter::take(unsigned char byte, std::string& out) {
  const char c = static_cast<char>(byte);
  switch (state_) {
    case State::Escape:
      if (byte == '[') {
        state_ = State::Csi;
      } else if (byte == ']' || byte == 'P' || byte == 'X' || byte == '^' || byte == '_') {
        state_ = State::String;
      } else if (byte >= 0x20 && byte < 0x30) {
        state_ = State::Intermediate;
      } else {
        state_ = byte == 0x1B ? State::Escape : State::Text;
      }
      return;
    case State::Intermediate:
      if (byte < 0x20 || byte >= 0x30) state_ = byte == 0x1B ? State::Escape : State::Text;
      return;
    case State::Csi:
      if (byte == 0x1B) {
        state_ = State::Escape;
      } else if (byte < 0x20 || byte >= 0x40) {
        state_ = State::Text;
        if (c == '\n') out += c;
      }
      return;
    case State::String:  // ended by BEL, by ESC \, or given up at a newline
      if (byte == 0x1B) {
        state_ = State::StringEscape;
      } else if (byte == 0x07 || c == '\n') {
        state_ = State::Text;
        if (c == '\n') out += c;
      }
      return;
    case State::StringEscape:
      state_ = State::Text;
      if (byte != '\\') {
        state_ = State::Escape;
        take(byte, out);
      }
      return;
    case State::Text: break;
  }
  if (!pending_.empty()) {
    if ((byte & 0xC0) != 0x80) {
      flush_sequence(out);
    } else {
      pending_ += c;
      if (pending_.size() < wanted_) return;
      const std::uint32_t value = utf8_decode(pending_);
      if (!is_valid_character(value, wanted_)) {
        flush_sequence(out);
      } else {
        if (!is_hidden(value)) out += pending_;
        pending_.clear();
      }
      return;
    }
  }
  if (byte == 0x1B) {
    state_ = State::Escape;
  } else if (byte < 0x20 || byte == 0x7F) {
    if (c == '\n' || c == '\t') out += c;
  } else if (byte < 0x80) {
    out += c;
  } else if (const std::size_t length = utf8_length(byte); length != 0) {
    wanted_ = length;
    pending_ = c;
  } else {
    append_escaped(out, std::string_view(&c, 1));
  }
}

std::string TerminalFilter::feed(std::string_view chunk) {
  std::string out;
  out.reserve(chunk.size());
  for (const char c : chunk) take(static_cast<unsigned char>(c), out);
  return out;
}

std::string TerminalFilter::finish() {
  std::string out;
  flush_sequence(out);
  state_ = State::Text;
  return out;
}

std::string printable(std::string_view text) {
  // Nearly everything is plain, and then there is nothing to filter.
  if (is_plain_text(text)) return std::string(text);
  TerminalFilter filter;
  std::string out = filter.feed(text);
  return out + filter.finish();
}

std::string printable_line(std::string_view text, std::size_t max) {
  std::string out = printable(text);
  std::ranges::replace(out, '\n', ' ');
  std::ranges::replace(out, '\t', ' ');
  if (out.size() <= max) return out;
  std::size_t characters = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if ((static_cast<unsigned char>(out[i]) & 0xC0) == 0x80) continue;
    if (characters++ == max) return out.substr(0, i) + "…";
  }
  return out;
}

std::string visible(std::string_view text, bool has_colour) {
  if (is_plain_text(text)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    std::size_t taken = character.bytes;
    if (character.is_visible() || text[0] == '\n' || text[0] == '\t') {
      out += text.substr(0, taken);
    } else if (const std::size_t colour = has_colour ? colour_length(text) : 0; colour != 0) {
      out += text.substr(0, colour);
      taken = colour;
    } else if (!character.is_valid || character.value < 0x80) {
      append_escaped(out, text.substr(0, taken));
    } else {
      out += character.value > 0xFFFF ? "\\U" : "\\u";
      append_hex(out, character.value, character.value > 0xFFFF ? 8 : 4);
    }
    text.remove_prefix(taken);
  }
  return out;
}

std::string visible_json(std::string_view document) {
  if (is_plain_text(document)) return std::string(document);
  std::string out;
  out.reserve(document.size());
  while (!document.empty()) {
    const Character character = first_character(document);
    if (character.is_visible() || character.value < 0x20) {
      out += document.substr(0, character.bytes);
    } else if (character.value > 0xFFFF) {  // as a pair of surrogates
      out += "\\u";
      append_hex(out, 0xD800 + ((character.value - 0x10000) >> 10), 4);
      out += "\\u";
      append_hex(out, 0xDC00 + ((character.value - 0x10000) & 0x3FF), 4);
    } else {
      out += "\\u";
      append_hex(out, character.value, 4);
    }
    document.remove_prefix(character.bytes);
  }
  return out;
}

std::optional<std::string> did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string_view candidate : known) {
    const std::string typed = to_lower(word);
    const std::string other = to_lower(candidate);
    const bool is_other_number = singular_of(typed) == singular_of(other);
    const std::size_t distance = is_other_number ? 0 : edit_distance(typed, other);
    if (distance < best_distance) {
      best_distance = distance;
      best = std::string(candidate);
    }
  }
  return best;
}

}  // namespace reprise
