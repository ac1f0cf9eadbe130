// Foreign text for a terminal: no control byte comes through, in one piece or in many. The first byte
// of the input says how long the pieces are.

#include <algorithm>

#include "base/strings.h"
#include "fuzz.h"

using namespace reprise;

namespace {

void check_safe(std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    check((byte >= 0x20 && byte != 0x7F) || c == '\n' || c == '\t');
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t piece = 1 + data[0] % 16;
  const std::string_view text = as_text(data + 1, size - 1);
  check_safe(printable(text));
  check_safe(printable_line(text, 20));
  TerminalFilter whole;
  std::string at_once = whole.feed(text);
  at_once += whole.finish();
  TerminalFilter filter;
  std::string in_pieces;
  for (std::size_t at = 0; at < text.size(); at += piece) in_pieces += filter.feed(text.substr(at, piece));
  in_pieces += filter.finish();
  check_safe(in_pieces);
  check(at_once == in_pieces);
  return 0;
}
