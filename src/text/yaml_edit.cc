#include "text/yaml_edit.h"

#include <algorithm>
#include <span>

#include "text/document.h"
#include "text/yaml_spans.h"

namespace reprise {
namespace {

using Steps = std::span<const YamlStep>;

std::unexpected<Error> unavailable(const YamlNode& at, std::string message) {
  return fail(Error{
      .kind = ErrorKind::Unavailable, .message = std::move(message), .line = at.line(), .column = at.column()});
}
std::unexpected<Error> invalid(const YamlNode& at, std::string message) {
  return fail(
      Error{.kind = ErrorKind::Invalid, .message = std::move(message), .line = at.line(), .column = at.column()});
}

bool is_empty(const YamlNode& node) {
  return node.is_null() || (node.is_map() && node.entries().empty()) ||
         (node.is_sequence() && node.elements().empty());
}

// A node, the key that it stands behind, and whether it stands within braces or brackets.
struct Place {
  YamlNode node;
  std::optional<YamlNode> key;
  bool in_flow = false;
  std::size_t steps = 0;  // how much of the path leads here
};

std::optional<YamlNode::Entry> find_entry(const YamlNode& map, std::string_view key) {
  for (const YamlNode::Entry& entry : map.entries()) {
    if (entry.key.text() == key) return entry;
  }
  return std::nullopt;
}

// Whether a scalar of the document says what `value` says.
bool says(const YamlNode& node, const YamlValue& value) {
  if (value.is_null()) return node.is_null();
  return node.is_scalar() && node.text() == value.text;
}

bool equals(const YamlNode& node, const YamlValue& value) {
  if (value.is_scalar()) return says(node, value);
  if (value.kind == YamlValue::Kind::Map) {
    const std::vector<YamlNode::Entry> entries = node.entries();
    return node.is_map() && std::ranges::equal(entries, value.entries, [](const auto& entry, const auto& field) {
             return entry.key.text() == field.key && equals(entry.value, field.value);
           });
  }
  const std::vector<YamlNode> elements = node.elements();
  return node.is_sequence() && std::ranges::equal(elements, value.elements, equals);
}

bool same(const YamlNode& a, const YamlNode& b) {
  if (a.kind() != b.kind() || a.text() != b.text()) return false;
  const std::vector<YamlNode::Entry> ours = a.entries(), theirs = b.entries();
  const auto same_entry = [](const YamlNode::Entry& x, const YamlNode::Entry& y) {
    return x.key.text() == y.key.text() && same(x.value, y.value);
  };
  if (!std::ranges::equal(ours, theirs, same_entry)) return false;
  const std::vector<YamlNode> elements = a.elements(), others = b.elements();
  return std::ranges::equal(elements, others, same);
}

// What a change is to do: where, what, and whether it is one more element there.
struct YamlChange {
  const YamlPath& path;
  const YamlValue& value;
  bool appends = false;
};

YamlValue wrapped(Steps steps, const YamlValue& value, bool appends) {
  YamlValue inner = appends ? yaml_list({value}) : value;
  for (std::size_t i = steps.size(); i > 0; --i) inner = yaml_map({{steps[i - 1].key, std::move(inner)}});
  return inner;
}

bool holds_change(const YamlNode& before, const YamlNode& after, Steps steps, const YamlChange& change);

bool holds_appended(const YamlNode& before, const YamlNode& after, const YamlValue& element) {
  const std::vector<YamlNode> old = before.elements(), now = after.elements();
  return now.size() == old.size() + 1 && std::equal(old.begin(), old.end(), now.begin(), same) &&
         equals(now.back(), element);
}

bool holds_in_list(const YamlNode& before, const YamlNode& after, Steps steps, const YamlChange& change) {
  const std::vector<YamlNode> old = before.elements(), now = after.elements();
  if (old.size() != now.size()) return false;
  for (std::size_t i = 0; i < old.size(); ++i) {
    const bool is_it = i == *steps[0].element;
    if (!(is_it ? holds_change(old[i], now[i], steps.subspan(1), change) : same(old[i], now[i]))) return false;
  }
  return true;
}

// Whether `after` is `before` with the change made and everything else as it was.
bool holds_change(const YamlNode& before, const YamlNode& after, Steps steps, const YamlChange& change) {
  if (steps.empty()) {
    return change.appends ? holds_appended(before, after, change.value) : equals(after, change.value);
  }
  if (steps[0].element) return holds_in_list(before, after, steps, change);
  const std::vector<YamlNode::Entry> old = before.entries(), now = after.entries();
  bool found = false;
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (i >= now.size() || old[i].key.text() != now[i].key.text()) return false;
    const bool is_it = old[i].key.text() == steps[0].key;
    found = found || is_it;
    const bool fits = is_it ? holds_change(old[i].value, now[i].value, steps.subspan(1), change)
                            : same(old[i].value, now[i].value);
    if (!fits) return false;
  }
  if (found) return now.size() == old.size();
  return now.size() == old.size() + 1 && now.back().key.text() == steps[0].key &&
         equals(now.back().value, wrapped(steps.subspan(1), change.value, change.appends));
}

// Makes the edits of one change.
class Editor {
 public:
  Editor(std::string_view bytes, const YamlDocument& document)
      : bytes_(bytes), document_(document), spans_(bytes), newline_(to_bytes(usual_ending(lines_of(bytes)))) {
    const YamlNode root = document.root();
    is_json_ = root.is_map() && spans_.is_flow(root) && !root.entries().empty() &&
               spans_.quote_of(root.entries()[0].key) == '"';
  }

  Result<Place> find(Steps steps) const;
  Result<std::vector<TextEdit>> set_scalar(const Place& place, const YamlValue& value) const;
  Result<std::vector<TextEdit>> add_key(const Place& map, std::string_view key, const YamlValue& value) const;
  Result<std::vector<TextEdit>> append(const Place& list, const YamlValue& element) const;

 private:
  Result<std::vector<TextEdit>> add_to_flow(const YamlNode& map, std::string_view key,
                                            const YamlValue& value) const;
  Result<std::vector<TextEdit>> add_to_block(const YamlNode& map, std::string_view key,
                                             const YamlValue& value) const;
  Result<std::vector<TextEdit>> add_to_nothing(const Place& place, std::string_view key,
                                               const YamlValue& value) const;
  Result<std::vector<TextEdit>> append_to_flow(const YamlNode& list, const YamlValue& element) const;
  // The bytes of a null or of an empty list or map.
  std::optional<TextSpan> empty_span(const Place& place) const;
  YamlLayout layout(std::size_t indent) const { return {indent, unit(), newline_}; }
  std::size_t unit() const;

  std::string_view bytes_;
  const YamlDocument& document_;
  YamlSpans spans_;
  std::string_view newline_;
  bool is_json_ = false;
};

// Follows the path as far as it leads.
Result<Place> Editor::find(Steps steps) const {
  Place place{document_.root(), std::nullopt, false, 0};
  for (const YamlStep& step : steps) {
    const bool in_flow = place.in_flow || (!place.node.is_null() && spans_.is_flow(place.node));
    if (step.element) {
      const std::vector<YamlNode> elements = place.node.elements();
      if (*step.element >= elements.size()) return invalid(place.node, "there is no such element in this list");
      place = {elements[*step.element], std::nullopt, in_flow, place.steps + 1};
      continue;
    }
    if (!place.node.is_map() && !is_empty(place.node)) {
      return invalid(place.node, "\"" + step.key + "\" is looked for in something that is no map");
    }
    const std::optional<YamlNode::Entry> entry = find_entry(place.node, step.key);
    if (!entry) return place;
    place = {entry->value, entry->key, in_flow, place.steps + 1};
  }
  return place;
}

// What one level is indented by: as the first map within the document's map is.
std::size_t Editor::unit() const {
  for (const YamlNode::Entry& entry : document_.root().entries()) {
    if (!entry.value.is_map() || spans_.is_flow(entry.value) || entry.value.entries().empty()) continue;
    const int step = entry.value.entries()[0].key.column() - entry.key.column();
    if (step > 0) return static_cast<std::size_t>(step);
  }
  return 2;
}

std::optional<TextSpan> Editor::empty_span(const Place& place) const {
  if (place.node.is_null()) return place.key ? spans_.null_span(*place.key) : std::nullopt;
  const std::optional<std::size_t> begin = spans_.begin_of(place.node);
  const std::optional<std::size_t> end = begin ? spans_.end_of(place.node, 0) : std::nullopt;
  return end ? std::optional(TextSpan{*begin, *end}) : std::nullopt;
}

Result<std::vector<TextEdit>> Editor::set_scalar(const Place& place, const YamlValue& value) const {
  if (says(place.node, value)) return std::vector<TextEdit>{};
  YamlSpelling spelling{.quote = spans_.quote_of(place.node), .is_new = false, .in_flow = place.in_flow};
  spelling.is_json = is_json_;
  spelling.is_new = place.node.is_null();
  if (is_empty(place.node)) {
    const std::optional<TextSpan> span = empty_span(place);
    if (!span) return unavailable(place.node, "the place of this value cannot be told");
    return std::vector<TextEdit>{{*span, (span->empty() ? " " : "") + spelled(value, spelling)}};
  }
  if (!place.node.is_scalar()) return invalid(place.node, "a list or map stands where one value is to be");
  const std::size_t indent = place.key ? static_cast<std::size_t>(place.key->column()) - 1 : 0;
  const std::optional<TextSpan> span = spans_.scalar_span(place.node, indent);
  if (!span) return unavailable(place.node, "a value over several lines is not changed in place");
  return std::vector<TextEdit>{{*span, spelled(value, spelling)}};
}

Result<std::vector<TextEdit>> Editor::add_key(const Place& map, std::string_view key,
                                              const YamlValue& value) const {
  if (is_empty(map.node)) return add_to_nothing(map, key, value);
  if (map.in_flow || spans_.is_flow(map.node)) return add_to_flow(map.node, key, value);
  return add_to_block(map.node, key, value);
}

Result<std::vector<TextEdit>> Editor::add_to_flow(const YamlNode& map, std::string_view key,
                                                  const YamlValue& value) const {
  const YamlNode::Entry last = map.entries().back();
  const std::optional<std::size_t> key_begin = spans_.begin_of(last.key);
  const std::optional<std::size_t> end = spans_.end_of(last);
  const std::optional<std::size_t> open = spans_.begin_of(map);
  if (!key_begin || !end || !open) return unavailable(map, "the end of this map cannot be told");
  // In lines, the new one is indented as the last one is; on one line a space separates.
  std::size_t gap = *key_begin;
  while (gap > *open + 1 && std::string_view(" \t\r\n").find(bytes_[gap - 1]) != std::string_view::npos) --gap;
  const std::string_view spaces = bytes_.substr(gap, *key_begin - gap);
  const bool in_lines = spaces.find_first_of("\r\n") != std::string_view::npos;
  YamlSpelling spelling{.quote = spans_.quote_of(last.key), .in_flow = true, .is_json = is_json_};
  const std::string entry =
      spelled_key(key, spelling) + ": " + flow_text(value, spelling, bytes_.substr(*open).starts_with("{ "));
  return std::vector<TextEdit>{{{*end, *end}, "," + (in_lines ? std::string(spaces) : " ") + entry}};
}

Result<std::vector<TextEdit>> Editor::add_to_block(const YamlNode& map, std::string_view key,
                                                   const YamlValue& value) const {
  const YamlNode::Entry last = map.entries().back();
  const std::optional<std::size_t> end = spans_.end_of(last);
  if (!end) return unavailable(map, "the end of this map cannot be told");
  const auto indent = static_cast<std::size_t>(map.entries()[0].key.column()) - 1;
  const std::string name = spelled_key(key, {.quote = spans_.quote_of(last.key)});
  std::string text = std::string(newline_) + std::string(indent, ' ') + name + ":";
  const bool like_last = last.value.is_map() && !is_empty(last.value) && spans_.is_flow(last.value);
  if (like_last && !value.is_scalar()) {
    const bool padded = bytes_.substr(spans_.begin_of(last.value).value_or(0)).starts_with("{ ");
    text += " " + flow_text(value, {}, padded);
  } else {
    text += block_text(value, layout(indent));
  }
  const std::size_t at = spans_.line_end(*end);
  return std::vector<TextEdit>{{{at, at}, text}};
}

Result<std::vector<TextEdit>> Editor::add_to_nothing(const Place& place, std::string_view key,
                                                     const YamlValue& value) const {
  const YamlValue map = yaml_map({{std::string(key), value}});
  const bool is_root = place.steps == 0;
  if (is_root && place.node.is_null()) return unavailable(place.node, "the file holds nothing");
  const std::optional<TextSpan> span = empty_span(place);
  if (!span) return unavailable(place.node, "the place of this value cannot be told");
  if (place.in_flow || is_root) {
    const YamlSpelling spelling{.in_flow = true, .is_json = is_json_};
    return std::vector<TextEdit>{{*span, (span->empty() ? " " : "") + flow_text(map, spelling, !is_json_)}};
  }
  if (!place.key) return unavailable(place.node, "an element that holds nothing is not changed in place");
  const std::optional<std::size_t> colon = spans_.behind_colon(*place.key);
  if (!colon) return unavailable(*place.key, "the place of this value cannot be told");
  const std::size_t at = spans_.line_end(span->end);
  const auto indent = static_cast<std::size_t>(place.key->column()) - 1;
  std::vector<TextEdit> edits = {{{at, at}, block_text(map, layout(indent))}};
  if (!span->empty()) edits.push_back({{*colon, span->end}, ""});
  return edits;
}

Result<std::vector<TextEdit>> Editor::append_to_flow(const YamlNode& list, const YamlValue& element) const {
  const YamlNode last = list.elements().back();
  const std::optional<std::size_t> end = spans_.end_of(last, 0);
  if (!end) return unavailable(list, "the end of this list cannot be told");
  YamlSpelling spelling{.quote = spans_.quote_of(last), .in_flow = true, .is_json = is_json_};
  const std::string text = element.is_scalar() ? spelled(element, spelling) : flow_text(element, spelling, true);
  return std::vector<TextEdit>{{{*end, *end}, ", " + text}};
}

Result<std::vector<TextEdit>> Editor::append(const Place& list, const YamlValue& element) const {
  const YamlSpelling spelling{.in_flow = true, .is_json = is_json_};
  if (is_empty(list.node)) {
    const std::optional<TextSpan> span = empty_span(list);
    if (!span) return unavailable(list.node, "the place of this list cannot be told");
    const std::string text = flow_text(yaml_list({element}), spelling, true);
    return std::vector<TextEdit>{{*span, (span->empty() ? " " : "") + text}};
  }
  if (!list.node.is_sequence()) return invalid(list.node, "what is to get one more element is no list");
  if (list.in_flow || spans_.is_flow(list.node)) return append_to_flow(list.node, element);
  const YamlNode last = list.node.elements().back();
  const auto indent = static_cast<std::size_t>(list.node.column()) - 1;
  const std::optional<std::size_t> end = spans_.end_of(last, indent);
  if (!end) return unavailable(list.node, "the end of this list cannot be told");
  const std::string text = element.is_scalar()
                               ? spelled(element, {.quote = spans_.quote_of(last), .is_new = false})
                               : flow_text(element, {}, true);
  const std::size_t at = spans_.line_end(*end);
  return std::vector<TextEdit>{{{at, at}, std::string(newline_) + std::string(indent, ' ') + "- " + text}};
}

Result<std::string> made(std::string_view bytes, const YamlDocument& before, const YamlChange& change,
                         const YamlLimits& limits) {
  const Editor editor(bytes, before);
  const Steps steps(change.path);
  const Place place = TRY(editor.find(steps));
  std::vector<TextEdit> edits;
  if (place.steps < steps.size()) {
    const Steps rest = steps.subspan(place.steps);
    const bool leads_on =
        std::ranges::none_of(rest, [](const YamlStep& step) { return step.element.has_value(); });
    if (!leads_on) return invalid(place.node, "there is no such list");
    edits = TRY(editor.add_key(place, rest[0].key, wrapped(rest.subspan(1), change.value, change.appends)));
  } else if (change.appends) {
    edits = TRY(editor.append(place, change.value));
  } else {
    edits = TRY(editor.set_scalar(place, change.value));
  }
  if (edits.empty()) return std::string(bytes);
  std::string after = apply_edits(bytes, edits);
  const Result<YamlDocument> read = YamlDocument::parse(after, "", limits);
  if (!read || !holds_change(before.root(), read->root(), steps, change)) {
    return unavailable(place.node, "a value in this form is not changed in place");
  }
  return after;
}

}  // namespace

Result<std::string> set_yaml(std::string_view bytes, const YamlPath& path, const YamlValue& value,
                             const YamlLimits& limits) {
  const YamlDocument document = TRY(YamlDocument::parse(bytes, "", limits));
  const Place place = TRY(Editor(bytes, document).find(path));
  const bool is_there = place.steps == path.size() && !is_empty(place.node);
  if (value.is_scalar() || !is_there) return made(bytes, document, {path, value}, limits);
  if (equals(place.node, value)) return std::string(bytes);
  if (value.kind == YamlValue::Kind::List) return invalid(place.node, "a list is not replaced as a whole");
  std::string out(bytes);
  for (const YamlField& field : value.entries) {
    YamlPath inner = path;
    inner.emplace_back(field.key);
    out = TRY(set_yaml(out, inner, field.value, limits));
  }
  return out;
}

Result<std::string> append_yaml(std::string_view bytes, const YamlPath& path, const YamlValue& element,
                                const YamlLimits& limits) {
  const YamlDocument document = TRY(YamlDocument::parse(bytes, "", limits));
  return made(bytes, document, {path, element, true}, limits);
}

}  // namespace reprise
