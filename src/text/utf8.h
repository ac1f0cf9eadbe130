// What text may not contain before any parser sees it: bytes that are not UTF-8, and control characters.

#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace reprise {

/// A byte that has no place in a text file.
struct BadByte {
  std::size_t offset = 0;
  int line = 1;
  int column = 1;
  bool is_control = false;  // a control character; else not UTF-8
};

/// Returns the first byte of `text` that is not UTF-8 or is a control character other than tab, newline
/// and carriage return; nothing if there is none.
std::optional<BadByte> find_bad_byte(std::string_view text);

/// Returns the first byte of `text` that is not UTF-8 or is NUL: what a torn or misplaced write leaves. Other
/// control characters are let through; files that programs log into have them.
std::optional<BadByte> find_damaged_byte(std::string_view text);

}  // namespace reprise
