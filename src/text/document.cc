#include "text/document.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "base/check.h"

namespace reprise {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kLineBytesUsual = 24;  // shorter ones make the list of lines grow, no more

}  // namespace

LineEnding ending_at(std::string_view bytes, std::size_t at) {
  if (at == bytes.size()) return LineEnding::None;
  if (bytes[at] == '\n') return LineEnding::Lf;
  return at + 1 < bytes.size() && bytes[at + 1] == '\n' ? LineEnding::CrLf : LineEnding::Cr;
}

std::string_view to_bytes(LineEnding ending) {
  switch (ending) {
    case LineEnding::None: return "";
    case LineEnding::Lf: return "\n";
    case LineEnding::CrLf: return "\r\n";
    case LineEnding::Cr: return "\r";
  }
  return "";
}

bool has_byte_order_mark(std::string_view bytes) { return bytes.starts_with(kByteOrderMark); }

std::size_t text_start(std::string_view bytes) { return has_byte_order_mark(bytes) ? kByteOrderMark.size() : 0; }

std::vector<TextLine> lines_of(std::string_view bytes) {
  std::vector<TextLine> lines;
  lines.reserve(bytes.size() / kLineBytesUsual + 1);
  // Each kind of end is searched for again only once it is passed: a file with one kind is gone through once.
  std::size_t lf = 0, cr = 0;
  bool has_lf = true, has_cr = true;
  for (std::size_t begin = text_start(bytes); begin < bytes.size();) {
    if (has_lf && lf <= begin) has_lf = (lf = std::min(bytes.find('\n', begin), bytes.size())) < bytes.size();
    if (has_cr && cr <= begin) has_cr = (cr = std::min(bytes.find('\r', begin), bytes.size())) < bytes.size();
    const std::size_t end = std::min(lf, cr);
    lines.push_back({{begin, end}, ending_at(bytes, end)});
    begin = lines.back().next();
  }
  return lines;
}

LineEnding usual_ending(const std::vector<TextLine>& lines) {
  std::array<std::size_t, 4> counts = {};
  for (const TextLine& line : lines) ++counts[static_cast<std::size_t>(line.ending)];
  counts[static_cast<std::size_t>(LineEnding::None)] = 0;
  const std::size_t most = *std::ranges::max_element(counts);
  if (most == 0) return LineEnding::Lf;
  const auto first = std::ranges::find_if(
      lines, [&](const TextLine& line) { return counts[static_cast<std::size_t>(line.ending)] == most; });
  return first->ending;
}

std::string apply_edits(std::string_view bytes, const std::vector<TextEdit>& edits) {
  std::vector<const TextEdit*> order;
  for (const TextEdit& edit : edits) order.push_back(&edit);
  // An insertion goes before the replacement that starts at the same place; the rest stays as given.
  std::ranges::sort(order, [](const TextEdit* a, const TextEdit* b) {
    return std::tuple(a->span.begin, !a->span.empty(), a) < std::tuple(b->span.begin, !b->span.empty(), b);
  });
  std::string out;
  std::size_t at = 0;
  for (const TextEdit* edit : order) {
    check(edit->span.begin >= at && edit->span.begin <= edit->span.end && edit->span.end <= bytes.size());
    out += bytes.substr(at, edit->span.begin - at);
    out += edit->replacement;
    at = edit->span.end;
  }
  out += bytes.substr(at);
  return out;
}

}  // namespace reprise
