// Where a story's status stands, in all the shapes that are in use; declared in story_document.h.

#include <algorithm>

#include "base/strings.h"
#include "formats/state_words.h"
#include "formats/story_document.h"

namespace reprise {
namespace {

bool is_rule(std::string_view line) { return line.find_first_not_of("-*_ \t") == std::string_view::npos; }

// Of boxes that are ticked one after the other from the first on, the last counts; of others, the earliest status.
const MarkdownBlock* current_box(const std::vector<MarkdownBlock>& boxes) {
  const auto is_ticked = [](const MarkdownBlock& box) { return *box.checked; };
  const auto first_open = std::ranges::find_if_not(boxes, is_ticked);
  const bool in_order = std::none_of(first_open, boxes.end(), is_ticked);
  if (in_order) return first_open == boxes.begin() ? nullptr : &*std::prev(first_open);
  const MarkdownBlock* least = nullptr;
  for (const MarkdownBlock& box : boxes) {
    if (!*box.checked) continue;
    const StoryStatus status = read_story_status(box.text).status;
    if (least == nullptr || status < read_story_status(least->text).status) least = &box;
  }
  return least;
}

}  // namespace

void StoryDocument::add_sighting(const StoryField& field, bool is_aside) {
  if (field.value.empty()) return;
  statuses_.push_back({.word = field.value,
                       .value = read_story_status(field.value),
                       .line = field.line,
                       .place = field.place,
                       .is_aside = is_aside});
}

void StoryDocument::find_statuses() {
  for (const StoryField& field : fields_) {
    const bool is_current = field.in_status_section && field.key == "current";
    if (is_current || is_story_status_key(field.key)) add_sighting(field, false);
  }
  for (const StoryPart& part : parts_) {
    if (part.key == "status" && part.is_main) find_section_status(part);
  }
  if (statuses_.empty()) find_aside();
  std::ranges::sort(statuses_, {}, [](const StatusSighting& status) { return status.place.begin; });
}

// The first line below a heading "Status" that says one; a heading or field that has said it already counts.
void StoryDocument::find_section_status(const StoryPart& part) {
  const std::size_t heading = text_.blocks()[part.section.first - 1].begin;
  const std::size_t end = part.section.own_end == 0 ? heading : text_.blocks()[part.section.own_end - 1].end;
  const auto is_here = [&](const StatusSighting& status) {
    return status.place.begin >= heading && status.place.begin < end;
  };
  const bool is_told = std::ranges::any_of(statuses_, is_here);
  std::vector<MarkdownBlock> boxes;
  for (const MarkdownBlock& box : text_.boxes(part.section)) {
    if (!is_commented(box.begin) && !box.text.empty()) boxes.push_back(box);
  }
  if (const MarkdownBlock* box = current_box(boxes)) {
    statuses_.push_back({.word = box->text,
                         .value = read_story_status(box->text),
                         .line = box->line,
                         .place = box->place,
                         .boxes = boxes});
    return;
  }
  if (is_told || !boxes.empty()) return;
  for (std::size_t i = part.section.first; i < part.section.own_end; ++i) {
    const MarkdownBlock& block = text_.blocks()[i];
    const bool is_line = block.kind == MarkdownKind::Paragraph || block.kind == MarkdownKind::ListItem;
    if (!is_line || is_commented(block.begin)) continue;
    const TextSpan line = line_of(block);
    const std::string_view value = text_of(text_.bytes(), line);
    if (is_rule(value) || !fields_on_line(text_.bytes(), line).empty()) continue;
    statuses_.push_back(
        {.word = std::string(value), .value = read_story_status(value), .line = block.line, .place = line});
    return;
  }
}

// Where nothing else says it: a bold field in a section that is not known to be about something else.
void StoryDocument::find_aside() {
  for (const StoryPart& part : parts_) {
    if (!part.is_main || is_known_story_section(part.key) || is_story_header_section(part.key)) continue;
    for (std::size_t i = part.section.first; i < part.section.own_end; ++i) {
      const MarkdownBlock& block = text_.blocks()[i];
      if (block.kind != MarkdownKind::Paragraph || is_commented(block.begin)) continue;
      if (!text_of(text_.bytes(), line_of(block)).starts_with("**")) continue;
      for (StoryField& field : fields_on_line(text_.bytes(), line_of(block))) {
        field.line = block.line;
        if (is_story_status_key(field.key)) add_sighting(field, true);
      }
    }
  }
  if (statuses_.size() > 1) statuses_.clear();
}

}  // namespace reprise
