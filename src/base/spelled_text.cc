// Each level decodes what the one below it returns.

#include "base/spelled_text.h"

namespace reprise {
namespace {

int hex_value(int digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  const int letter = digit | 0x20;
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

// Appends a code point as UTF-8; returns the bytes.
std::size_t write_utf8(std::uint32_t point, std::array<char, 4>& out) {
  const auto put = [&](std::size_t i, std::uint32_t value) { out[i] = static_cast<char>(value); };
  if (point < 0x80) return put(0, point), 1;
  const std::size_t size = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  for (std::size_t i = size - 1; i > 0; --i, point >>= 6) put(i, 0x80 | (point & 0x3f));
  put(0, (size == 2 ? 0xc0u : size == 3 ? 0xe0u : 0xf0u) | point);
  return size;
}

}  // namespace

int SpelledText::next(int level) {
  if (level == 0) {
    if (at_ >= bytes_max_) return kNotSpelled;
    return at_ < text_.size() ? static_cast<unsigned char>(text_[at_++]) : kEnd;
  }
  Rest& rest = rests_[static_cast<std::size_t>(level - 1)];
  if (rest.at < rest.size) return static_cast<unsigned char>(rest.bytes[rest.at++]);
  const int byte = next(level - 1);
  return byte == '\\' ? escaped(level) : byte;
}

int SpelledText::escaped(int level) {
  static constexpr std::string_view kLetters = "\"\\/'bfnrt";
  static constexpr std::string_view kMeant = "\"\\/'\b\f\n\r\t";
  const int letter = next(level - 1);
  if (letter < 0) return letter;
  const std::size_t known = kLetters.find(static_cast<char>(letter));
  if (known != std::string_view::npos) return static_cast<unsigned char>(kMeant[known]);
  if (letter != 'u') return kNotSpelled;
  const int first = unit(level);
  if (first < 0) return first;
  auto point = static_cast<std::uint32_t>(first);
  if (point >= 0xd800 && point < 0xe000) {  // the first half of a pair
    for (const int wanted : {int{'\\'}, int{'u'}}) {
      const int byte = next(level - 1);
      if (byte != wanted) return byte == kEnd ? kEnd : kNotSpelled;
    }
    const int second = unit(level);
    if (second < 0) return second;
    if (point >= 0xdc00 || second < 0xdc00 || second >= 0xe000) return kNotSpelled;
    point = 0x10000 + ((point - 0xd800) << 10) + (static_cast<std::uint32_t>(second) - 0xdc00);
  }
  Rest& rest = rests_[static_cast<std::size_t>(level - 1)];
  rest.size = static_cast<std::uint8_t>(write_utf8(point, rest.bytes));
  rest.at = 1;
  return static_cast<unsigned char>(rest.bytes[0]);
}

// The four digits behind "\u".
int SpelledText::unit(int level) {
  int value = 0;
  for (int i = 0; i < 4; ++i) {
    const int digit = next(level - 1);
    if (digit < 0) return digit;
    const int part = hex_value(digit);
    if (part < 0) return kNotSpelled;
    value = value * 16 + part;
  }
  return value;
}

}  // namespace reprise
