#include "text/markdown_document.h"

#include <algorithm>
#include <array>

#include "base/chars.h"
#include "base/strings.h"

namespace reprise {
namespace {

constexpr std::size_t kKeyBytesMax = 80;

bool is_word_byte(char c) { return is_alphanumeric(c) || c == '_' || c == '-'; }

TextSpan trimmed(std::string_view text, TextSpan span) {
  while (!span.empty() && is_blank(text[span.end - 1])) --span.end;
  while (!span.empty() && is_blank(text[span.begin])) ++span.begin;
  return span;
}

// Returns the marks "**", "__", "*" or "`" in front of `text`.
std::string_view opening_marks(std::string_view text) {
  for (const std::string_view marks : {"**", "__", "*", "`"}) {
    if (text.starts_with(marks)) return text.substr(0, marks.size());
  }
  return {};
}

// "status:DONE" is a field too, but "http://…", "10:30" and "std::string" are not.
bool is_tight_key(std::string_view key, std::string_view behind) {
  return key.size() >= 3 && std::ranges::all_of(key, is_word_byte) && is_letter(behind[0]);
}

// Returns the colon behind the key, npos if there is none.
std::size_t find_key_end(std::string_view text) {
  for (std::size_t colon = text.find(':'); colon <= kKeyBytesMax; colon = text.find(':', colon + 1)) {
    const std::string_view behind = text.substr(colon + 1);
    if (behind.empty() || is_blank(behind[0]) || behind[0] == '*' || behind[0] == '`') return colon;
    if (behind.starts_with("__") || is_tight_key(text.substr(0, colon), behind)) return colon;
  }
  return std::string_view::npos;
}

std::string without_marks(std::string_view key) {
  std::string out(trim(key));
  std::erase_if(out, [](char c) { return c == '*' || c == '`'; });
  if (out.starts_with("__") && out.size() > 4 && out.ends_with("__")) out = out.substr(2, out.size() - 4);
  if (out.starts_with("__")) out = out.substr(2);
  return std::string(trim(out));
}

// A plain line is a field only if its key is a short name; anything may stand before a colon in prose.
bool is_name(std::string_view key) {
  const auto is_name_byte = [](char c) { return is_word_byte(c) || c == ' ' || c == '/'; };
  return is_letter(key[0]) && std::ranges::all_of(key, is_name_byte) && std::ranges::count(key, ' ') <= 2;
}

MarkdownTable table_of(const MarkdownBlock& block, bool fenced) {
  return {.header = block.header, .delimiter = block.delimiter, .rows = block.rows, .fenced = fenced};
}

bool is_field_table(const MarkdownBlock& block) {
  if (block.kind != MarkdownKind::Table || block.header.cells.size() < 2) return false;
  const std::string key = normal_heading(block.header.cells[0]);
  const std::string value = normal_heading(block.header.cells[1]);
  return value == "value" || key == "field" || key == "key" || key == "property";
}

std::size_t indent_of(std::string_view bytes, const MarkdownBlock& block) {
  const std::string_view line = text_of(bytes, {block.begin, block.end});
  return std::min(line.find_first_not_of(" \t"), line.size());
}

// Collects the fields of a range of blocks.
class FieldReader {
 public:
  FieldReader(const MarkdownDocument& document, const MarkdownSection& section)
      : bytes_(document.bytes()), blocks_(document.blocks()), at_(section.first), end_(section.own_end) {}

  std::vector<MarkdownField> read(bool with_rows) {
    while (at_ < end_) {
      const MarkdownBlock& block = blocks_[at_++];
      if (block.kind == MarkdownKind::ListItem && !block.checked) take_bullet(block);
      if (block.kind == MarkdownKind::Paragraph) take_line(block);
      if (with_rows && is_field_table(block)) take_rows(block);
    }
    return std::move(fields_);
  }

 private:
  void take_bullet(const MarkdownBlock& block) {
    std::optional<MarkdownField> field = read_field(bytes_, block.place);
    if (!field) return;
    field->form = FieldForm::Bullet;
    field->line = block.line;
    field->prefix.begin = start_of(block);
    field->end = block.end;
    take_wrapped(*field);
    take_nested(*field, indent_of(bytes_, block));
    fields_.push_back(std::move(*field));
  }

  bool is_bold_field(const MarkdownBlock& block) const {
    const std::optional<MarkdownField> field = read_field(bytes_, line_of(block));
    return field && field->bold;
  }

  void take_wrapped(MarkdownField& field) {
    for (; at_ < end_; ++at_) {
      const MarkdownBlock& block = blocks_[at_];
      if (block.kind != MarkdownKind::Paragraph || is_bold_field(block)) return;
      const TextSpan more = line_of(block);
      if (!field.value.empty()) field.value += ' ';
      field.value += text_of(bytes_, more);
      field.place.end = more.end;
      field.end = block.end;
    }
  }

  void take_nested(MarkdownField& field, std::size_t indent) {
    for (; at_ < end_; ++at_) {
      const MarkdownBlock& block = blocks_[at_];
      const bool is_item = block.kind == MarkdownKind::ListItem && indent_of(bytes_, block) >= indent + 2;
      const bool is_more = block.kind == MarkdownKind::Paragraph && !field.nested.empty();
      if (!is_item && !is_more) return;
      if (is_item) field.nested.push_back(block.text);
      if (is_more) field.nested.back() += ' ' + std::string(text_of(bytes_, line_of(block)));
      field.end = block.end;
    }
  }

  void take_line(const MarkdownBlock& block) {
    std::optional<MarkdownField> field = read_field(bytes_, line_of(block));
    if (!field || (!field->bold && !is_name(field->key))) return;
    field->form = FieldForm::Line;
    field->line = block.line;
    field->prefix.begin = start_of(block);
    field->end = block.end;
    fields_.push_back(std::move(*field));
  }

  void take_rows(const MarkdownBlock& block) {
    for (const MarkdownRow& row : block.rows) {
      MarkdownField field{
          .form = FieldForm::Row, .line = row.line, .key = without_marks(row.cells[0]), .row = &row};
      if (row.cells.size() > 1) field.value = row.cells[1];
      if (row.cells.size() > 1) field.place = row.places[1];
      field.end = row.span.end;
      fields_.push_back(std::move(field));
    }
  }

  // A byte order mark belongs to the first block, but to no line.
  std::size_t start_of(const MarkdownBlock& block) const { return std::max(block.begin, text_start(bytes_)); }

  // The text of a block that is one line.
  TextSpan line_of(const MarkdownBlock& block) const {
    const std::string_view line = trim(text_of(bytes_, {start_of(block), block.end}));
    const auto begin = static_cast<std::size_t>(line.data() - bytes_.data());
    return {begin, begin + line.size()};
  }

  std::string_view bytes_;
  const std::vector<MarkdownBlock>& blocks_;
  std::size_t at_;
  std::size_t end_;
  std::vector<MarkdownField> fields_;
};

}  // namespace

std::optional<std::size_t> MarkdownTable::find_column(std::string_view name) const {
  const std::string wanted = normal_heading(name);
  for (std::size_t i = 0; i < header.cells.size(); ++i) {
    if (normal_heading(header.cells[i]) == wanted) return i;
  }
  return std::nullopt;
}

std::optional<MarkdownField> read_field(std::string_view text, TextSpan span) {
  span = trimmed(text, span);
  const std::string_view line = text_of(text, span);
  const std::size_t colon = find_key_end(line);
  if (colon == std::string_view::npos) return std::nullopt;
  MarkdownField field{.key = without_marks(line.substr(0, colon))};
  if (field.key.empty()) return std::nullopt;
  const std::string_view marks = opening_marks(line);
  field.bold = marks.size() == 2;
  TextSpan value{span.begin + colon + 1, span.end};
  // The marks are closed before the colon, right behind it, or at the end of the value.
  const bool closed =
      marks.empty() || line.substr(marks.size(), colon - marks.size()).find(marks) != std::string_view::npos;
  if (!closed && text_of(text, value).starts_with(marks)) {
    value.begin += marks.size();
  } else if (!closed && text_of(text, value).ends_with(marks)) {
    value.end -= marks.size();
  }
  field.place = trimmed(text, value);
  if (field.place.empty()) field.place = {value.begin, value.begin};
  field.value = text_of(text, field.place);
  field.prefix = {span.begin, field.place.begin};
  return field;
}

MarkdownDocument::MarkdownDocument(std::string bytes) : bytes_(std::move(bytes)) {
  const std::vector<TextLine> lines = lines_of(bytes_);
  blocks_ = scan_markdown(bytes_, lines);
  newline_ = to_bytes(usual_ending(lines));
  const auto is_heading = [](const MarkdownBlock& block) { return block.kind == MarkdownKind::Heading; };
  sections_.reserve(1 + static_cast<std::size_t>(std::ranges::count_if(blocks_, is_heading)));
  sections_.push_back({});
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const MarkdownBlock& block = blocks_[i];
    if (block.kind != MarkdownKind::Heading) continue;
    sections_.back().own_end = i;
    sections_.push_back({.heading = block.text, .level = block.level, .line = block.line, .first = i + 1});
  }
  sections_.back().own_end = blocks_.size();
  // From the end: a section ends where the next one of its level or a higher one has its heading.
  std::array<std::size_t, 7> next;
  next.fill(blocks_.size());
  for (auto section = sections_.rbegin(); section != sections_.rend(); ++section) {
    const auto level = static_cast<std::size_t>(section->level);
    section->end =
        level == 0 ? section->own_end : *std::min_element(next.begin() + 1, next.begin() + section->level + 1);
    if (level > 0) next[level] = section->first - 1;
  }
}

const MarkdownSection* MarkdownDocument::find_section(std::string_view heading) const {
  const auto found = std::ranges::find_if(sections_, [wanted = normal_heading(heading)](const MarkdownSection& s) {
    return s.level > 0 && normal_heading(s.heading) == wanted;
  });
  return found == sections_.end() ? nullptr : &*found;
}

std::vector<MarkdownTable> MarkdownDocument::tables(const MarkdownSection& section) const {
  std::vector<MarkdownTable> tables;
  for (std::size_t i = section.first; i < section.own_end; ++i) {
    if (blocks_[i].kind == MarkdownKind::Table) tables.push_back(table_of(blocks_[i], false));
    if (blocks_[i].kind != MarkdownKind::Code) continue;
    for (const MarkdownBlock& inner : scan_inside(bytes_, blocks_[i])) {
      if (inner.kind == MarkdownKind::Table) tables.push_back(table_of(inner, true));
    }
  }
  return tables;
}

std::vector<MarkdownField> MarkdownDocument::fields(const MarkdownSection& section) const {
  return FieldReader(*this, section).read(true);
}

std::vector<MarkdownField> MarkdownDocument::fields_outside_tables(const MarkdownSection& section) const {
  return FieldReader(*this, section).read(false);
}

std::vector<MarkdownField> MarkdownDocument::front_matter_fields(const MarkdownSection& section) const {
  if (section.level != 0 || blocks_.empty() || blocks_[0].kind != MarkdownKind::FrontMatter) return {};
  const std::size_t start = text_start(bytes_);
  std::vector<MarkdownField> fields;
  int number = 0;
  for (const TextLine& each : lines_of(text_of(bytes_, {start, blocks_[0].end}))) {
    ++number;
    const TextSpan line{start + each.text.begin, start + each.text.end};
    if (line.empty() || !is_letter(bytes_[line.begin])) continue;
    std::optional<MarkdownField> field = read_field(bytes_, line);
    if (!field) continue;
    field->form = FieldForm::Line;
    field->line = number;
    field->end = start + each.next();
    for (const char quote : {'"', '\''}) {
      const std::string& value = field->value;
      if (value.size() < 2 || value.front() != quote || value.back() != quote) continue;
      field->place = {field->place.begin + 1, field->place.end - 1};
      field->value = std::string(text_of(bytes_, field->place));
      break;
    }
    fields.push_back(std::move(*field));
  }
  return fields;
}

std::vector<MarkdownBlock> MarkdownDocument::boxes(const MarkdownSection& section) const {
  std::vector<MarkdownBlock> found;
  for (std::size_t i = section.first; i < section.own_end; ++i) {
    if (blocks_[i].checked) found.push_back(blocks_[i]);
  }
  return found;
}

TextSpan MarkdownDocument::body(const MarkdownSection& section) const {
  std::size_t first = section.first;
  std::size_t end = section.own_end;
  while (first < end && blocks_[first].kind == MarkdownKind::Blank) ++first;
  while (first < end && blocks_[end - 1].kind == MarkdownKind::Blank) --end;
  if (first < end) return {blocks_[first].begin, blocks_[end - 1].end};
  const std::size_t at = section.first == 0 ? 0 : blocks_[section.first - 1].end;
  return {at, at};
}

}  // namespace reprise
