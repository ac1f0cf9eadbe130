#include "text/yaml_spans.h"

#include <algorithm>
#include <array>

#include "base/chars.h"

namespace reprise {
namespace {

constexpr auto kNone = std::string_view::npos;

std::size_t behind_blanks(std::string_view bytes, std::size_t at) {
  while (at < bytes.size() && is_blank(bytes[at])) ++at;
  return at;
}

// The length of a word for nothing at `at`; 0 if there is none.
std::size_t null_word_length(std::string_view bytes, std::size_t at) {
  static constexpr std::array<std::string_view, 4> kWords = {"null", "Null", "NULL", "~"};
  for (const std::string_view word : kWords) {
    if (!bytes.substr(at).starts_with(word)) continue;
    const std::size_t end = at + word.size();
    if (end == bytes.size() || is_space(bytes[end]) || std::string_view(",]}").find(bytes[end]) != kNone) {
      return word.size();
    }
  }
  return 0;
}

}  // namespace

YamlSpans::YamlSpans(std::string_view bytes) : bytes_(bytes), line_begins_{text_start(bytes)} {
  for (std::size_t at = bytes.find('\n'); at != kNone; at = bytes.find('\n', at + 1))
    line_begins_.push_back(at + 1);
}

std::optional<std::size_t> YamlSpans::begin_of(const YamlNode& node) const {
  const auto line = static_cast<std::size_t>(node.line()) - 1;
  if (line >= line_begins_.size()) return std::nullopt;
  const std::size_t at = line_begins_[line] + static_cast<std::size_t>(node.column()) - 1;
  return at < bytes_.size() ? std::optional(at) : std::nullopt;
}

char YamlSpans::quote_of(const YamlNode& node) const {
  const std::optional<std::size_t> begin = begin_of(node);
  if (!begin || !node.is_scalar() || !node.is_quoted()) return 0;
  return bytes_[*begin] == '"' || bytes_[*begin] == '\'' ? bytes_[*begin] : '\0';
}

bool YamlSpans::is_flow(const YamlNode& node) const {
  const std::optional<std::size_t> begin = begin_of(node);
  return begin && (bytes_[*begin] == '{' || bytes_[*begin] == '[');
}

std::size_t YamlSpans::line_end(std::size_t at) const {
  return std::min(bytes_.find_first_of("\r\n", at), bytes_.size());
}

std::size_t YamlSpans::quoted_end(std::size_t begin) const {
  const char quote = bytes_[begin];
  for (std::size_t at = begin + 1; at < bytes_.size(); ++at) {
    if (quote == '"' && bytes_[at] == '\\') {
      ++at;
    } else if (bytes_[at] == quote) {
      const bool is_doubled = quote == '\'' && at + 1 < bytes_.size() && bytes_[at + 1] == quote;
      if (!is_doubled) return at + 1;
      ++at;
    }
  }
  return bytes_.size();
}

// The end of the last line that is indented by more than `indent` or blank and followed by such a line.
std::size_t YamlSpans::block_scalar_end(std::size_t begin, std::size_t indent) const {
  std::size_t end = line_end(begin);
  for (std::size_t line = bytes_.find('\n', begin); line != kNone; line = bytes_.find('\n', line + 1)) {
    const std::size_t text = behind_blanks(bytes_, line + 1);
    if (text == bytes_.size()) break;
    if (is_space(bytes_[text])) continue;  // a blank line
    if (text - line - 1 <= indent) break;
    end = line_end(text);
  }
  return end;
}

std::optional<TextSpan> YamlSpans::scalar_span(const YamlNode& scalar, std::size_t indent) const {
  const std::optional<std::size_t> begin = begin_of(scalar);
  if (!begin) return std::nullopt;
  if (scalar.is_quoted()) {
    const bool is_block = bytes_[*begin] == '|' || bytes_[*begin] == '>';
    if (!is_block && quote_of(scalar) == 0) return std::nullopt;
    return TextSpan{*begin, is_block ? block_scalar_end(*begin, indent) : quoted_end(*begin)};
  }
  // Plain text on one line is what it is read as.
  if (!bytes_.substr(*begin).starts_with(scalar.text())) return std::nullopt;
  return TextSpan{*begin, *begin + scalar.text().size()};
}

// Quotes begin a text only where a value may begin; elsewhere they are part of plain text.
std::optional<std::size_t> YamlSpans::flow_end(std::size_t begin) const {
  std::size_t depth = 0;
  char before = ',';  // the last character that is no space
  for (std::size_t at = begin; at < bytes_.size(); ++at) {
    const char c = bytes_[at];
    if (is_space(c)) continue;
    const bool begins_value = std::string_view(",:[{").find(before) != kNone;
    if ((c == '"' || c == '\'') && begins_value) {
      at = quoted_end(at) - 1;
    } else if (c == '#' && is_space(bytes_[at - 1])) {
      at = line_end(at);
      continue;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return at + 1;
    }
    before = c;
  }
  return std::nullopt;
}

std::optional<std::size_t> YamlSpans::behind_colon(const YamlNode& key) const {
  const std::optional<TextSpan> span = scalar_span(key, 0);
  if (!span) return std::nullopt;
  const std::size_t colon = behind_blanks(bytes_, span->end);
  if (colon >= bytes_.size() || bytes_[colon] != ':') return std::nullopt;
  return colon + 1;
}

std::optional<TextSpan> YamlSpans::null_span(const YamlNode& key) const {
  const std::optional<std::size_t> colon = behind_colon(key);
  if (!colon) return std::nullopt;
  const std::size_t word = behind_blanks(bytes_, *colon);
  const std::size_t length = null_word_length(bytes_, word);
  return length == 0 ? TextSpan{*colon, *colon} : TextSpan{word, word + length};
}

std::optional<std::size_t> YamlSpans::end_of(const YamlNode::Entry& entry) const {
  if (!entry.value.is_null()) return end_of(entry.value, static_cast<std::size_t>(entry.key.column()) - 1);
  const std::optional<TextSpan> span = null_span(entry.key);
  return span ? std::optional(span->end) : std::nullopt;
}

std::optional<std::size_t> YamlSpans::end_of(const YamlNode& element, std::size_t indent) const {
  if (element.is_scalar()) {
    const std::optional<TextSpan> span = scalar_span(element, indent);
    return span ? std::optional(span->end) : std::nullopt;
  }
  const std::optional<std::size_t> begin = begin_of(element);
  if (!begin) return std::nullopt;
  if (element.is_null()) return *begin + null_word_length(bytes_, *begin);
  if (is_flow(element)) return flow_end(*begin);
  if (element.is_map()) return end_of(element.entries().back());
  return end_of(element.elements().back(), static_cast<std::size_t>(element.column()) - 1);
}

}  // namespace reprise
