#include "formats/state_file.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "base/strings.h"
#include "model/limits.h"
#include "text/document.h"
#include "text/utf8.h"

namespace reprise {
namespace {

Error too_large(std::string_view file, std::size_t max, std::string_view unit) {
  return {.kind = ErrorKind::Corrupt,
          .message = "is larger than " + std::to_string(max) + ' ' + std::string(unit),
          .file = std::string(file)};
}

bool has_too_many_lines(std::string_view bytes) {
  if (bytes.size() <= kStateFileLinesMax) return false;
  const auto line_ends = std::ranges::count_if(bytes, [](char c) { return c == '\n' || c == '\r'; });
  return static_cast<std::size_t>(line_ends) > kStateFileLinesMax;
}

// Whether all bytes are ASCII and none is NUL, eight at a time: nearly every file is, and nothing is wrong with
// it.
bool is_plain_text(std::string_view bytes) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHighBits = 0x8080808080808080;
  std::uint64_t found = 0;
  while (bytes.size() >= sizeof found) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    found |= (word | ((word - kOnes) & ~word)) & kHighBits;
    bytes.remove_prefix(sizeof word);
  }
  return found == 0 && std::ranges::all_of(bytes, [](char c) { return c > 0; });
}

}  // namespace

std::optional<Error> find_damage(std::string_view bytes, std::string_view file) {
  if (bytes.size() > kDocumentBytesMax) return too_large(file, kDocumentBytesMax, "bytes");
  if (has_too_many_lines(bytes)) return too_large(file, kStateFileLinesMax, "lines");
  if (is_plain_text(bytes)) return std::nullopt;
  const std::optional<BadByte> bad = find_damaged_byte(bytes);
  if (!bad) return std::nullopt;
  return Error{.kind = ErrorKind::Corrupt,
               .message = bad->is_control ? "a NUL byte; the file was probably not written to its end"
                                          : "a byte that is not UTF-8 text",
               .file = std::string(file),
               .line = bad->line,
               .column = bad->column};
}

std::optional<Error> find_cut_in_title(std::string_view bytes, std::string_view title,
                                       bool (*is_title)(std::string_view), std::string_view file) {
  const std::string_view text = trim(bytes.substr(text_start(bytes)));
  const bool is_whole =
      text.starts_with("# ") && text.find_first_of("\r\n") == text.npos && is_title(text.substr(2));
  if (!title.starts_with(text) && !is_whole) return std::nullopt;
  return Error{.kind = ErrorKind::Corrupt,
               .message = text.empty() ? "it is empty; it was probably not written to its end"
                                       : "it ends with its title; it was probably not written to its end",
               .file = std::string(file)};
}

void add_oddity(std::vector<Oddity>& oddities, int line, std::string_view text, std::string why) {
  if (oddities.size() >= kOdditiesMax) return;
  oddities.insert(std::ranges::upper_bound(oddities, line, {}, &Oddity::line),
                  {line, std::string(text), std::move(why)});
}

Result<JsonDocument> parse_state_json(std::string_view bytes, std::string_view file) {
  if (std::optional<Error> damage = find_damage(bytes, file)) return fail(std::move(*damage));
  Result<JsonDocument> document =
      JsonDocument::parse(std::string(bytes), {.depth_max = kDocumentDepthMax, .nodes_max = kDocumentNodesMax});
  if (document) return document;
  Error error = std::move(document).error();
  error.file = file;
  return fail(std::move(error));
}

}  // namespace reprise
