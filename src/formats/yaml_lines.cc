#include "formats/yaml_lines.h"

#include <algorithm>
#include <optional>

#include "base/strings.h"
#include "formats/state_file.h"
#include "model/limits.h"
#include "text/document.h"

namespace reprise {
namespace {

constexpr auto kNone = std::string_view::npos;

bool is_quote(char c) { return c == '"' || c == '\''; }

// Behind the quoted text that `text` begins with; nothing if it is not closed.
std::optional<std::size_t> quoted_end(std::string_view text) {
  const std::size_t end = text.find(text[0], 1);
  return end == kNone ? std::nullopt : std::optional(end + 1);
}

struct KeyAndRest {
  std::string_view key;
  std::string_view rest;
};

// "key: rest"; nothing if the text does not begin with a key.
std::optional<KeyAndRest> split_key(std::string_view text) {
  if (text.empty() || text[0] == '{' || text[0] == '[') return std::nullopt;
  std::size_t from = 0;
  if (is_quote(text[0])) {
    const std::optional<std::size_t> end = quoted_end(text);
    if (!end) return std::nullopt;
    from = *end;
  }
  std::size_t colon = text.find(':', from);
  while (colon != kNone && colon + 1 < text.size() && text[colon + 1] != ' ' && text[colon + 1] != '\t') {
    colon = text.find(':', colon + 1);
  }
  if (colon == kNone || trim(text.substr(0, colon)).empty()) return std::nullopt;
  std::string_view key = trim(text.substr(0, colon));
  if (from != 0) {
    if (key.size() != from) return std::nullopt;
    key = key.substr(1, key.size() - 2);
  }
  return KeyAndRest{key, trim(text.substr(colon + 1))};
}

std::string_view without_comment(std::string_view text) {
  if (text.starts_with('#')) return {};
  if (!text.empty() && is_quote(text[0])) return text;
  return trim(text.substr(0, std::min(text.find(" #"), text.find("\t#"))));
}

StateValue text_value(std::string_view text, int line) {
  StateValue value;
  value.line = line;
  value.kind = text.empty() ? StateValue::Kind::Nothing : StateValue::Kind::Text;
  value.text = text;
  return value;
}

void set_line(StateValue& value, int line) {
  value.line = line;
  for (StateValue& element : value.elements) set_line(element, line);
  for (StateEntry& entry : value.entries) {
    entry.line = line;
    set_line(entry.value, line);
  }
}

// What stands behind a colon or a dash. Only what is in quotes, braces or brackets needs a reader.
StateValue inline_value(std::string_view text, int line) {
  const bool is_plain = text.empty() || std::string_view("\"'{[").find(text[0]) == kNone;
  if (is_plain) return text_value(without_comment(text), line);
  const Result<YamlDocument> alone = YamlDocument::parse(text, "", state_yaml_limits());
  if (!alone) return text_value(without_comment(text), line);
  StateValue value = state_value_of(alone->root());
  set_line(value, line);
  return value;
}

bool begins_block_scalar(std::string_view rest) {
  const std::string_view text = without_comment(rest);
  return (text.starts_with('|') || text.starts_with('>')) && text.size() <= 3;
}

// Puts lines together by their indentation.
class LineReader {
 public:
  explicit LineReader(std::vector<Oddity>& oddities) : oddities_(oddities) {
    root_.kind = StateValue::Kind::Map;
    root_.line = 1;
  }

  void take(std::string_view text, int line) {
    const std::size_t indent = std::min(text.find_first_not_of(" \t"), text.size());
    const std::string_view content = trim(text);
    if (content.empty()) return;
    if (scalar_indent_ && indent > *scalar_indent_) return;  // part of a text over several lines
    scalar_indent_.reset();
    if (content.starts_with('#') || content == "---" || content == "...") return;
    take_content(content, indent, line);
  }

  StateValue finish() {
    close(0);
    return std::move(root_);
  }

 private:
  // A key or a dash that is still open, with what stands below it so far.
  struct Open {
    std::size_t indent = 0;
    bool is_element = false;
    std::string key;
    StateValue value;
  };

  void take_content(std::string_view content, std::size_t indent, int line) {
    const bool is_element = content == "-" || content.starts_with("- ");
    if (is_element) {
      close(indent, true);
      open_.push_back({indent, true, "", {}});
      open_.back().value.line = line;
      const std::string_view rest = trim(content.substr(1));
      const std::size_t inner = indent + static_cast<std::size_t>(rest.data() - content.data());
      if (rest.empty()) return;
      if (split_key(rest)) return take_entry(rest, inner, line);
      open_.back().value = inline_value(rest, line);
      return;
    }
    if (!split_key(content)) return odd(content, line);
    close(indent);
    take_entry(content, indent, line);
  }

  void take_entry(std::string_view content, std::size_t indent, int line) {
    const KeyAndRest found = split_key(content).value();
    if (open_.size() >= static_cast<std::size_t>(kDocumentDepthMax)) return odd(content, line);
    open_.push_back({indent, false, std::string(found.key), {}});
    if (begins_block_scalar(found.rest)) {
      scalar_indent_ = indent;
      open_.back().value = text_value("", line);
    } else {
      open_.back().value = inline_value(found.rest, line);
    }
    open_.back().value.line = line;
  }

  void odd(std::string_view content, int line) {
    add_oddity(oddities_, line, printable_line(content, 100), "this line gives nothing by itself");
  }

  // Closes everything that a line at `indent` does not stand below. A dash may stand as far to the left as the key
  // that its list belongs to.
  void close(std::size_t indent, bool at_dash = false) {
    while (!open_.empty()) {
      const Open& last = open_.back();
      const bool is_below = last.indent < indent || (last.indent == indent && at_dash && !last.is_element);
      if (is_below) return;
      Open closed = std::move(open_.back());
      open_.pop_back();
      put(open_.empty() ? root_ : open_.back().value, std::move(closed));
    }
  }

  // What was a text becomes the list or map that the lines below it give.
  static void put(StateValue& parent, Open closed) {
    const StateValue::Kind kind = closed.is_element ? StateValue::Kind::List : StateValue::Kind::Map;
    const bool is_other = parent.kind == StateValue::Kind::Map || parent.kind == StateValue::Kind::List;
    if (!is_other) {
      parent.kind = kind;
      parent.text.clear();
    }
    if (closed.is_element) {
      parent.elements.push_back(std::move(closed.value));
    } else {
      parent.entries.push_back({std::move(closed.key), closed.value.line, std::move(closed.value)});
    }
  }

  std::vector<Oddity>& oddities_;
  StateValue root_;
  std::vector<Open> open_;
  std::optional<std::size_t> scalar_indent_;  // of the key whose text runs over several lines
};

}  // namespace

StateValue read_yaml_lines(std::string_view bytes, std::vector<Oddity>& oddities) {
  LineReader reader(oddities);
  int number = 0;
  for (const TextLine& line : lines_of(bytes)) reader.take(text_of(bytes, line.text), ++number);
  return reader.finish();
}

}  // namespace reprise
