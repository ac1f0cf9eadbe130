#include "cli/layout.h"

#include <algorithm>
#include <vector>

#include "base/strings.h"

namespace reprise {
namespace {

constexpr int kUsableWidthMin = 20;

// Ranges of characters that take two columns, or none. Coarse on purpose: what is shown here is names and
// sentences.
struct Range {
  char32_t first;
  char32_t last;
};
constexpr Range kWide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xac00, 0xd7a3},
                           {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},
                           {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
constexpr Range kNone[] = {
    {0x0300, 0x036f}, {0x1ab0, 0x1aff}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};

template <std::size_t N>
bool is_in(const Range (&ranges)[N], char32_t c) {
  return std::ranges::any_of(ranges, [c](const Range& range) { return c >= range.first && c <= range.last; });
}

// The first character of `text`: its bytes, and the columns it takes. A colour code counts as one character.
struct Glyph {
  std::size_t bytes = 1;
  int columns = 1;
};
Glyph first_glyph(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead == 0x1b) {
    const std::size_t end = text.find('m');
    return {end == std::string_view::npos ? text.size() : end + 1, 0};
  }
  const std::size_t bytes = lead < 0x80 ? 1u : lead < 0xe0 ? 2u : lead < 0xf0 ? 3u : 4u;
  if (bytes == 1 || bytes > text.size()) return {};
  char32_t c = lead & (0xffu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) c = (c << 6) | (static_cast<unsigned char>(text[i]) & 0x3fu);
  return {bytes, is_in(kNone, c) ? 0 : is_in(kWide, c) ? 2 : 1};
}

// One line of `text` broken; `out` ends with what its last line has.
void wrap_line(std::string_view text, int width, int indent, std::string& out) {
  const std::size_t margin = std::min(text.find_first_not_of(' '), text.size());
  int used = static_cast<int>(margin);
  out.append(margin, ' ');
  bool is_first = true;
  for (const std::string_view word : split(text.substr(margin), ' ')) {
    const int takes = columns_of(word);
    if (!is_first && used + 1 + takes > width) {
      out += "\n" + std::string(static_cast<std::size_t>(indent), ' ');
      used = indent;
    } else if (!is_first) {
      out += ' ';
      ++used;
    }
    out += word;
    used += takes;
    is_first = false;
  }
}

}  // namespace

int columns_of(std::string_view text) {
  const auto is_plain = [](char c) { return static_cast<unsigned char>(c) < 0x80 && c != '\x1b'; };
  if (std::ranges::all_of(text, is_plain)) return static_cast<int>(text.size());
  int columns = 0;
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    columns += glyph.columns;
    text.remove_prefix(glyph.bytes);
  }
  return columns;
}

std::string padded(std::string_view text, int width) {
  return std::string(text) + std::string(static_cast<std::size_t>(std::max(0, width - columns_of(text))), ' ');
}

std::string shortened(std::string_view text, int width) {
  if (columns_of(text) <= width) return std::string(text);
  std::string out;
  bool is_coloured = false;
  for (int used = 0; !text.empty();) {
    const Glyph glyph = first_glyph(text);
    if (used + glyph.columns > width - 1) break;
    is_coloured = is_coloured || text[0] == '\x1b';
    out += text.substr(0, glyph.bytes);
    used += glyph.columns;
    text.remove_prefix(glyph.bytes);
  }
  return out + "…" + (is_coloured ? "\x1b[0m" : "");
}

std::string wrapped(std::string_view text, int width, int indent) {
  const int usable = std::max(width, kUsableWidthMin);
  // No character takes more columns than bytes: what has few bytes fits as it is.
  if (text.size() <= static_cast<std::size_t>(usable) && !text.contains('\n')) return std::string(text);
  const int margin = std::min(indent, usable / 2);
  std::string out;
  const std::vector<std::string_view> lines = split(text, '\n');
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) out += '\n';
    wrap_line(lines[i], usable, margin, out);
  }
  return out;
}

std::string without_colour(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t code = std::min(text.find('\x1b'), text.size());
    out += text.substr(0, code);
    text.remove_prefix(code);
    if (!text.empty()) text.remove_prefix(first_glyph(text).bytes);
  }
  return out;
}

}  // namespace reprise
