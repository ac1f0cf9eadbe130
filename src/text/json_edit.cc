#include "text/json_edit.h"

#include <algorithm>

#include "base/check.h"
#include "base/json_writer.h"

namespace reprise {
namespace {

// Elements and members alike: the children of a container.
std::size_t child_count(const JsonNode& node) {
  return node.kind == JsonKind::Object ? node.members.size() : node.elements.size();
}
std::size_t child_begin(const JsonNode& node, std::size_t index) {
  return node.kind == JsonKind::Object ? node.members[index].key_span.begin : node.elements[index].span.begin;
}
const JsonNode& child(const JsonNode& node, std::size_t index) {
  return node.kind == JsonKind::Object ? node.members[index].value : node.elements[index];
}

// How a container lays out its children.
struct Layout {
  bool in_lines = true;
  std::string between = ", ";  // on one line: what separates children
  std::string colon = ": ";
};

Layout layout_of(std::string_view bytes, const JsonNode& node, const Layout& otherwise) {
  Layout layout = otherwise;
  const std::size_t count = child_count(node);
  if (count == 0) return layout;
  const std::string_view spaces = spaces_before(bytes, child_begin(node, count - 1));
  layout.in_lines = has_line_end(spaces);
  if (count > 1 && !layout.in_lines) layout.between = "," + std::string(spaces);
  if (node.kind == JsonKind::Object) {
    const JsonMember& last = node.members.back();
    const TextSpan colon{last.key_span.end, last.value.span.begin};
    if (!has_line_end(text_of(bytes, colon))) layout.colon = text_of(bytes, colon);
    if (count == 1) layout.between = layout.colon.ends_with(' ') ? ", " : ",";
  }
  return layout;
}

// Writes a value in a layout.
struct LayoutWriter {
  std::string_view newline;
  std::string_view unit;
  const Layout& layout;
  std::string_view source;  // what the node's spans refer to

  void write(std::string& out, const JsonNode& node, const std::string& indent) const {
    const std::size_t count = child_count(node);
    if (count == 0) {
      out += node.kind == JsonKind::Object  ? "{}"
             : node.kind == JsonKind::Array ? "[]"
                                            : text_of(source, node.span);
      return;
    }
    const std::string inner = indent + std::string(unit);
    out += node.kind == JsonKind::Object ? '{' : '[';
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) out += layout.in_lines ? "," : layout.between;
      if (layout.in_lines) out.append(newline).append(inner);
      if (node.kind == JsonKind::Object)
        out.append(text_of(source, node.members[i].key_span)).append(layout.colon);
      write(out, child(node, i), inner);
    }
    if (layout.in_lines) out.append(newline).append(indent);
    out += node.kind == JsonKind::Object ? '}' : ']';
  }
};

JsonNode parsed(std::string_view json) {
  Result<JsonNode> node = read_json_value(json, 0, {});
  check(node.has_value());
  return std::move(*node);
}

std::string laid_out(const JsonDocument& document, std::string_view json, const Layout& layout,
                     std::string_view indent) {
  std::string out;
  LayoutWriter{document.newline(), document.indent_unit(), layout, json}.write(out, parsed(json),
                                                                               std::string(indent));
  return out;
}

// Puts children, each a key with its colon and a value, or a value, behind the last one of a container.
TextEdit add_children(const JsonDocument& document, const JsonNode& node, const std::vector<std::string>& children,
                      const Layout& layout) {
  const std::string_view bytes = document.bytes();
  const std::size_t count = child_count(node);
  const std::string outer(count == 0 ? indent_of_line(bytes, node.span.begin) : "");
  std::string gap = layout.in_lines ? std::string(document.newline()) + outer + document.indent_unit() : "";
  if (count > 0 && layout.in_lines) gap = spaces_before(bytes, child_begin(node, count - 1));
  std::string out;
  for (const std::string& each : children) {
    if (count > 0 || !out.empty()) out += layout.in_lines ? "," : layout.between;
    out += gap + each;
  }
  if (count > 0) return {{child(node, count - 1).span.end, child(node, count - 1).span.end}, out};
  if (layout.in_lines) out += std::string(document.newline()) + outer;
  return {{node.span.begin + 1, node.span.end - 1}, out};
}

// What the children of a container are indented by.
std::string child_indent(const JsonDocument& document, const JsonNode& node) {
  const std::size_t count = child_count(node);
  if (count > 0) return std::string(indent_of_line(document.bytes(), child_begin(node, count - 1)));
  return std::string(indent_of_line(document.bytes(), node.span.begin)) + document.indent_unit();
}

// The layout of an empty container: as the file is laid out. A file that holds nothing yet is laid out in lines.
Layout usual_layout(const JsonDocument& document) {
  const JsonNode& root = document.root();
  if (child_count(root) == 0) return {};
  return layout_of(document.bytes(), root, {});
}

// Takes children out. Those in front of one that stays go with the spaces behind them, those at the end with what
// stands before them, so that the bracket keeps its place.
std::vector<TextEdit> remove_children(const JsonNode& node, const std::vector<bool>& goes) {
  std::vector<TextEdit> edits;
  const std::size_t count = child_count(node);
  if (std::ranges::find(goes, true) == goes.end()) return edits;
  if (std::ranges::find(goes, false) == goes.end()) return {{{node.span.begin + 1, node.span.end - 1}, ""}};
  for (std::size_t first = 0; first < count; ++first) {
    if (!goes[first]) continue;
    std::size_t behind = first + 1;
    while (behind < count && goes[behind]) ++behind;
    const bool at_end = behind == count;
    edits.push_back({{at_end ? child(node, first - 1).span.end : child_begin(node, first),
                      at_end ? child(node, count - 1).span.end : child_begin(node, behind)},
                     ""});
    first = behind;
  }
  return edits;
}

}  // namespace

std::vector<TextEdit> set_members(const JsonDocument& document, const JsonNode& object,
                                  const std::vector<JsonSetting>& settings) {
  check(object.kind == JsonKind::Object);
  const Layout layout = layout_of(document.bytes(), object, usual_layout(document));
  // Looked for only where lines are written: in a file of one line each look would go through all of it.
  const auto indent_for = [&](const Layout& each) { return each.in_lines ? child_indent(document, object) : ""; };
  std::vector<TextEdit> edits;
  std::vector<std::string> added;
  for (const JsonSetting& setting : settings) {
    const JsonMember* member = object.find(setting.key);
    if (member == nullptr) {
      std::string text;
      append_json_string(text, setting.key);
      added.push_back(text + layout.colon + laid_out(document, setting.json, layout, indent_for(layout)));
    } else if (!same_value(member->value, parsed(setting.json))) {
      const Layout own = layout_of(document.bytes(), member->value, layout);
      edits.push_back({member->value.span, laid_out(document, setting.json, own, indent_for(own))});
    }
  }
  if (!added.empty()) edits.push_back(add_children(document, object, added, layout));
  return edits;
}

TextEdit append_element(const JsonDocument& document, const JsonNode& array, std::string_view json) {
  check(array.kind == JsonKind::Array);
  const Layout layout = layout_of(document.bytes(), array, usual_layout(document));
  const Layout inner =
      array.elements.empty() ? layout : layout_of(document.bytes(), array.elements.back(), layout);
  return add_children(document, array, {laid_out(document, json, inner, child_indent(document, array))}, layout);
}

std::vector<TextEdit> remove_members(const JsonNode& object, const std::vector<std::string>& keys) {
  check(object.kind == JsonKind::Object);
  std::vector<bool> goes;
  for (const JsonMember& member : object.members)
    goes.push_back(std::ranges::find(keys, member.key) != keys.end());
  return remove_children(object, goes);
}

std::vector<TextEdit> remove_elements(const JsonNode& array, const std::vector<std::string>& texts) {
  check(array.kind == JsonKind::Array);
  std::vector<bool> goes;
  for (const JsonNode& element : array.elements) {
    const bool is_text = element.kind == JsonKind::String || element.kind == JsonKind::Number;
    goes.push_back(is_text && std::ranges::find(texts, element.text) != texts.end());
  }
  return remove_children(array, goes);
}

}  // namespace reprise
