#include "formats/state_file.h"

#include <algorithm>
#include <string>

#include "model/limits.h"
#include "text/utf8.h"

namespace reprise {
namespace {

Error too_large(std::string_view file, std::size_t max, std::string_view unit) {
  return {.kind = ErrorKind::Corrupt,
          .message = "is larger than " + std::to_string(max) + ' ' + std::string(unit),
          .file = std::string(file)};
}

}  // namespace

std::optional<Error> find_damage(std::string_view bytes, std::string_view file) {
  if (bytes.size() > kDocumentBytesMax) return too_large(file, kDocumentBytesMax, "bytes");
  const auto line_ends = std::ranges::count_if(bytes, [](char c) { return c == '\n' || c == '\r'; });
  if (static_cast<std::size_t>(line_ends) > kStateFileLinesMax)
    return too_large(file, kStateFileLinesMax, "lines");
  const std::optional<BadByte> bad = find_damaged_byte(bytes);
  if (!bad) return std::nullopt;
  return Error{.kind = ErrorKind::Corrupt,
               .message = bad->is_control ? "a NUL byte; the file was probably not written to its end"
                                          : "a byte that is not UTF-8 text",
               .file = std::string(file),
               .line = bad->line,
               .column = bad->column};
}

}  // namespace reprise
