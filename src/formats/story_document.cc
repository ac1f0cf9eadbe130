#include "formats/story_document.h"

#include <algorithm>
#include <utility>

#include "base/chars.h"
#include "base/strings.h"
#include "formats/state_words.h"

namespace reprise {
namespace {

constexpr std::size_t kNestedMax = 1'000;
constexpr std::size_t kFieldLineBytesMax = 4'000;  // a longer line is prose

TextSpan trimmed(std::string_view bytes, TextSpan span) {
  while (!span.empty() && is_blank(bytes[span.end - 1])) --span.end;
  while (!span.empty() && is_blank(bytes[span.begin])) ++span.begin;
  return span;
}

// "**File List:**" and nothing else; returns what is in it, "" if it is no label.
std::string_view label_of(std::string_view line) {
  const bool is_bold = line.size() > 5 && line.starts_with("**") && line.find("**", 2) != std::string_view::npos;
  if (!is_bold) return {};
  std::string_view inner = line.substr(2, line.find("**", 2) - 2);
  const std::string_view behind = line.substr(inner.size() + 4);
  const bool has_colon = inner.ends_with(':') != (behind == ":");
  if (!has_colon || (!behind.empty() && behind != ":")) return {};
  if (inner.ends_with(':')) inner.remove_suffix(1);
  return inner;
}

// A remark behind a value that is no part of it: a comment, a hard line break.
TextSpan without_tail(std::string_view bytes, TextSpan place) {
  const std::size_t comment = text_of(bytes, place).find("<!--");
  if (comment != std::string_view::npos) place.end = place.begin + comment;
  place = trimmed(bytes, place);
  if (!place.empty() && bytes[place.end - 1] == '\\') --place.end;
  return trimmed(bytes, place);
}

// Where the next field on the same line begins: "… | **Epic:** 3", "… · **Epic:** 3".
std::size_t next_field(std::string_view line, std::size_t from) {
  std::size_t next = std::string_view::npos;
  for (const std::string_view mark : {"| **", "· **", "• **", "; **", ", **", "  **"}) {
    next = std::min(next, line.find(mark, from));
  }
  return next;
}

// A key in plain text is one or a few words; anything may stand before a colon in prose.
bool is_plain_name(std::string_view key) {
  const auto is_name_byte = [](char c) { return is_letter(c) || c == ' ' || c == '_' || c == '-' || c == '/'; };
  return !key.empty() && is_letter(key[0]) && std::ranges::all_of(key, is_name_byte) &&
         std::ranges::count(key, ' ') <= 2;
}

// The value behind a key of front matter, without quotes and a remark behind "#".
TextSpan yaml_value(std::string_view bytes, TextSpan rest) {
  const TextSpan place = trimmed(bytes, rest);
  const std::string_view value = text_of(bytes, place);
  const char quote = value.empty() ? ' ' : value[0];
  const std::size_t close = quote == '"' || quote == '\'' ? value.find(quote, 1) : std::string_view::npos;
  if (close != std::string_view::npos) return {place.begin + 1, place.begin + close};
  const std::size_t remark = value.find(" #");
  return remark == std::string_view::npos ? place : trimmed(bytes, {place.begin, place.begin + remark});
}

// Whether a field's key is the bold text in front of `piece`, or a plain name: "**Done** (part 2: all)" is no
// field.
bool is_field_of(std::string_view piece, const MarkdownField& field) {
  if (!field.bold) return is_plain_name(plain_value(field.key));
  const std::string_view text = trim(piece);
  const std::size_t close = text.find(text.substr(0, 2), 2);
  return close == std::string_view::npos || text.find(':') <= close + 2;
}

}  // namespace

std::vector<StoryField> fields_on_line(std::string_view bytes, TextSpan line) {
  std::vector<StoryField> fields;
  if (line.size() > kFieldLineBytesMax) return fields;
  while (!line.empty()) {
    const std::size_t next = std::min(next_field(text_of(bytes, line), 1), line.size());
    const TextSpan piece{line.begin, line.begin + next};
    const std::optional<MarkdownField> field = read_field(bytes, piece);
    const bool is_field = field && is_field_of(text_of(bytes, piece), *field);
    if (!is_field && fields.empty() && next == line.size()) return fields;
    if (is_field) {
      const TextSpan place = without_tail(bytes, field->place);
      fields.push_back({.key = normal_key(plain_value(field->key)),
                        .value = std::string(text_of(bytes, place)),
                        .place = place});
    }
    line.begin += next;
    const std::size_t bold = text_of(bytes, line).find("**");
    line.begin = bold == std::string_view::npos ? line.end : line.begin + bold;
  }
  return fields;
}

StoryDocument::StoryDocument(std::string bytes) : text_(std::move(bytes)) {
  find_comments();
  find_title();
  find_parts();
  read_header();
  find_statuses();
}

const StoryField* StoryDocument::find_field(std::initializer_list<std::string_view> keys) const {
  const auto found = std::ranges::find_if(fields_, [&](const StoryField& field) {
    const bool has_value = !field.value.empty() || !field.nested.empty();
    return has_value && std::ranges::find(keys, std::string_view(field.key)) != keys.end();
  });
  return found == fields_.end() ? nullptr : &*found;
}

const StoryPart* StoryDocument::find_part(std::string_view key) const {
  const auto found = std::ranges::find(parts_, key, &StoryPart::key);
  return found == parts_.end() ? nullptr : &*found;
}

bool StoryDocument::is_commented(std::size_t at) const {
  const auto next = std::ranges::upper_bound(comments_, at, {}, &TextSpan::begin);
  return next != comments_.begin() && at < std::prev(next)->end;
}

TextSpan StoryDocument::line_of(const MarkdownBlock& block) const {
  if (block.kind == MarkdownKind::ListItem || block.kind == MarkdownKind::Heading) return block.place;
  const std::string_view bytes = text_.bytes();
  TextSpan line{std::max(block.begin, text_start(bytes)), block.end};
  const std::size_t end = text_of(bytes, line).find_first_of("\r\n");
  if (end != std::string_view::npos) line.end = line.begin + end;
  line = trimmed(bytes, line);
  while (!line.empty() && bytes[line.begin] == '>') line = trimmed(bytes, {line.begin + 1, line.end});
  // A list in a quotation.
  if (text_of(bytes, line).starts_with("- ")) line = trimmed(bytes, {line.begin + 2, line.end});
  return line;
}

void StoryDocument::find_comments() {
  const std::string_view bytes = text_.bytes();
  std::size_t from = 0;
  for (const MarkdownBlock& block : text_.blocks()) {
    if (block.kind == MarkdownKind::Code || block.kind == MarkdownKind::FrontMatter) continue;
    if (block.end <= from) continue;
    const std::size_t begin = std::max(block.begin, from);
    const std::string_view raw = text_of(bytes, {begin, block.end});
    if (raw.find("<!--") == std::string_view::npos) continue;
    const std::string text = without_code_spans(raw);
    for (std::size_t open = text.find("<!--"); open != std::string::npos;) {
      const std::size_t close = bytes.find("-->", begin + open + 4);
      from = close == std::string_view::npos ? bytes.size() : close + 3;
      comments_.push_back({begin + open, from});
      open = from < block.end ? text.find("<!--", from - begin) : std::string::npos;
    }
  }
}

void StoryDocument::find_title() {
  const std::vector<MarkdownSection>& sections = text_.sections();
  const auto first = std::ranges::find(sections, 1, &MarkdownSection::level);
  if (first != sections.end()) {
    title_ = &*first;
  } else if (sections.size() > 1) {
    const std::string key = story_section_key(sections[1].heading);
    if (!is_known_story_section(key) && !is_story_header_section(key)) title_ = &sections[1];
  }
  int least = 7;
  for (const MarkdownSection& section : sections) {
    if (section.level > 0 && &section != title_) least = std::min(least, section.level);
  }
  main_level_ = std::max(2, least == 7 ? 2 : least);
}

void StoryDocument::find_parts() {
  const std::vector<MarkdownSection>& sections = text_.sections();
  std::size_t next_main = text_.blocks().size();
  std::vector<StoryPart> parts;
  for (auto section = sections.rbegin(); section != sections.rend(); ++section) {
    if (section->level == 0 || &*section == title_) continue;
    StoryPart part{.key = story_section_key(section->heading), .section = *section};
    part.is_main = section->level <= main_level_;
    if (part.is_main) part.section.end = std::exchange(next_main, section->first - 1);
    parts.push_back(std::move(part));
  }
  std::ranges::reverse(parts);
  add_labels(sections[0]);
  if (title_ != nullptr) add_labels(*title_);
  std::string main;
  for (StoryPart& part : parts) {
    if (part.is_main) main = part.key;
    // What a review or a record says about criteria and scope is not what the story asks for.
    const bool is_record = main == "qa_results" || main == "dev_agent_record";
    const bool is_kept = !is_record || part.key == "file_list" || part.key == "change_log";
    const bool is_known = is_known_story_section(part.key) && is_kept;
    const MarkdownSection section = part.section;
    if (part.is_main || is_known) parts_.push_back(std::move(part));
    add_labels(section);
  }
}

void StoryDocument::add_labels(const MarkdownSection& section) {
  StoryPart* open = nullptr;
  for (std::size_t i = section.first; i < section.own_end; ++i) {
    const MarkdownBlock& block = text_.blocks()[i];
    if (block.kind != MarkdownKind::Paragraph) continue;
    const std::string_view label = label_of(text_of(text_.bytes(), line_of(block)));
    if (label.empty()) continue;
    if (open != nullptr) open->section.own_end = open->section.end = i;
    open = nullptr;
    const std::string key = story_section_key(label);
    if (key != "file_list" && key != "change_log" && key != "acceptance_criteria" && key != "tasks") continue;
    if (!parts_.empty() && parts_.back().key == key && !parts_.back().is_label) continue;
    StoryPart part{.key = key, .section = section, .is_label = true};
    part.section.heading = label;
    part.section.line = block.line;
    part.section.first = i + 1;
    part.section.end = section.own_end;
    parts_.push_back(std::move(part));
    open = &parts_.back();
  }
}

void StoryDocument::read_header() {
  const std::vector<MarkdownBlock>& blocks = text_.blocks();
  if (!blocks.empty() && blocks[0].kind == MarkdownKind::FrontMatter) read_front_matter(blocks[0]);
  bool is_in_header = true;
  for (const MarkdownSection& section : text_.sections()) {
    if (section.level == 0 || &section == title_) {
      read_fields(section, false);
      continue;
    }
    // A line of fields above a rule without a blank line between them is a heading to Markdown.
    const MarkdownBlock& heading = blocks[section.first - 1];
    const bool is_field_line = is_in_header && heading.text.starts_with("**");
    const std::string key = story_section_key(section.heading);
    const bool is_header = section.level <= main_level_ && is_story_header_section(key);
    is_in_header = is_in_header && (is_header || is_field_line);
    if (!is_header && !is_field_line) continue;
    for (StoryField& field : fields_on_line(text_.bytes(), heading.place)) {
      field.line = heading.line;
      if (!field.value.empty() && !is_commented(field.place.begin)) fields_.push_back(std::move(field));
    }
    read_fields(section, key == "status");
  }
}

void StoryDocument::read_fields(const MarkdownSection& section, bool in_status_section) {
  for (std::size_t i = section.first; i < section.own_end; ++i) {
    const MarkdownBlock& block = text_.blocks()[i];
    if (block.kind == MarkdownKind::Table) add_rows(block, in_status_section);
    const bool is_line =
        block.kind == MarkdownKind::Paragraph || (block.kind == MarkdownKind::ListItem && !block.checked);
    if (!is_line) continue;
    for (StoryField& field : fields_on_line(text_.bytes(), line_of(block))) {
      field.line = block.line;
      field.in_status_section = in_status_section;
      if (!is_commented(block.begin) && !is_commented(field.place.begin)) fields_.push_back(std::move(field));
    }
  }
}

void StoryDocument::add_rows(const MarkdownBlock& table, bool in_status_section) {
  if (table.header.cells.size() < 2 || is_commented(table.begin)) return;
  const std::string second = normal_heading(table.header.cells[1]);
  const bool has_fields = table.header.cells.size() == 2 || second == "value" || second == "valor";
  const auto add = [&](const MarkdownRow& row) {
    if (row.cells.size() < 2) return;
    fields_.push_back({.form = StoryField::Form::Row,
                       .key = normal_key(plain_value(row.cells[0])),
                       .value = row.cells[1],
                       .place = row.places[1],
                       .line = row.line,
                       .in_status_section = in_status_section});
  };
  if (!has_fields) return;
  // A table without a header has its first field there; "Status | Count" is the header of some other table.
  const StoryStatus first = read_story_status(table.header.cells[1]).status;
  const bool is_status = is_story_status_key(normal_key(plain_value(table.header.cells[0])));
  if (!is_status || (first != StoryStatus::Unknown && first != StoryStatus::Missing)) add(table.header);
  if (is_status && first == StoryStatus::Unknown) return;
  for (const MarkdownRow& row : table.rows) add(row);
}

void StoryDocument::read_front_matter(const MarkdownBlock& block) {
  const std::string_view bytes = text_.bytes();
  int number = block.line;
  const std::size_t start = text_start(bytes);
  for (const TextLine& each : lines_of(text_of(bytes, {start, block.end}))) {
    const int line_number = number++;
    const TextSpan line{start + each.text.begin, start + each.text.end};
    const std::string_view text = text_of(bytes, line);
    const std::string_view item = trim(text);
    if (item.starts_with("- ") && !fields_.empty() && fields_.back().nested.size() < kNestedMax) {
      fields_.back().nested.push_back(plain_value(item.substr(2)));
      continue;
    }
    const std::size_t colon = text.find(':');
    const bool is_key = colon != std::string_view::npos && !text.empty() && is_letter(text[0]) &&
                        (colon + 1 == text.size() || is_blank(text[colon + 1]));
    if (!is_key) continue;
    const TextSpan place = yaml_value(bytes, {line.begin + colon + 1, line.end});
    fields_.push_back({.form = StoryField::Form::FrontMatter,
                       .key = normal_key(text.substr(0, colon)),
                       .value = std::string(text_of(bytes, place)),
                       .place = place,
                       .line = line_number});
  }
}

}  // namespace reprise
