#include "model/ids.h"

#include <algorithm>

#include "model/limits.h"

namespace reprise {
namespace {

bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
         c == '-';
}

}  // namespace

bool is_run_name(std::string_view text) {
  return !text.empty() && text.size() <= kRunIdBytesMax && text != "." && text != ".." && text[0] != '-' &&
         std::ranges::all_of(text, is_name_byte);
}

std::string path_component(std::string_view text) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  const bool dots = text == "." || text == "..";
  for (const char c : text) {
    if (is_name_byte(c) && !dots) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += '%';
      out += kDigits[byte >> 4];
      out += kDigits[byte & 15];
    }
  }
  return out;
}

}  // namespace reprise
