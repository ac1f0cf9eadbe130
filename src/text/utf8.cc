#include "text/utf8.h"

#include <algorithm>

namespace reprise {
namespace {

unsigned char byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

bool is_control(unsigned char byte) {
  return (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F;
}

// Returns the length of the character at `at`, 0 if the bytes there are not one.
std::size_t character_length(std::string_view text, std::size_t at) {
  const unsigned char first = byte_at(text, at);
  if (first < 0x80) return 1;
  std::size_t length = 0;
  if (first >= 0xC2 && first < 0xE0) length = 2;
  if (first >= 0xE0 && first < 0xF0) length = 3;
  if (first >= 0xF0 && first < 0xF5) length = 4;
  if (length == 0 || text.size() - at < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, at + i) & 0xC0) != 0x80) return 0;
  }
  const unsigned char second = byte_at(text, at + 1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool surrogate = first == 0xED && second > 0x9F;
  const bool past_the_last = first == 0xF4 && second > 0x8F;
  return overlong || surrogate || past_the_last ? 0 : length;
}

BadByte bad_byte_at(std::string_view text, std::size_t offset, bool control) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t newline = before.rfind('\n');
  const std::size_t line_start = newline == std::string_view::npos ? 0 : newline + 1;
  return {.offset = offset,
          .line = 1 + static_cast<int>(std::ranges::count(before, '\n')),
          .column = 1 + static_cast<int>(offset - line_start),
          .is_control = control};
}

std::optional<BadByte> find_byte(std::string_view text, bool (*is_refused)(unsigned char)) {
  for (std::size_t at = 0; at < text.size();) {
    if (is_refused(byte_at(text, at))) return bad_byte_at(text, at, true);
    const std::size_t length = character_length(text, at);
    if (length == 0) return bad_byte_at(text, at, false);
    at += length;
  }
  return std::nullopt;
}

}  // namespace

std::optional<BadByte> find_bad_byte(std::string_view text) { return find_byte(text, is_control); }

std::optional<BadByte> find_damaged_byte(std::string_view text) {
  return find_byte(text, [](unsigned char byte) { return byte == 0; });
}

}  // namespace reprise
