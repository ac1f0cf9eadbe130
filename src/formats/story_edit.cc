#include "formats/story_edit.h"

#include <algorithm>
#include <vector>

#include "base/check.h"
#include "base/strings.h"
#include "formats/problem.h"
#include "formats/state_words.h"
#include "formats/story.h"
#include "formats/story_document.h"
#include "formats/story_reading.h"
#include "text/markdown_edit.h"
#include "text/markdown_row.h"

namespace reprise {
namespace {

constexpr std::string_view kTable = "| Date | Agent | Change |\n|------|-------|--------|\n";

std::string status_word(StoryStatus status) { return std::string(to_token(status)); }

Error refused(std::string message) { return {.kind = ErrorKind::Invalid, .message = std::move(message)}; }

// Ticks the box of the status. Where boxes are ticked one after the other, those before it too; where one is
// ticked that is not the first, the tick moves.
std::vector<TextEdit> tick_status(const std::vector<MarkdownBlock>& boxes, StoryStatus status) {
  const auto has_status = [&](const MarkdownBlock& box) { return read_story_status(box.text).status == status; };
  const auto target = std::ranges::find_if(boxes, has_status);
  if (target == boxes.end()) return {};
  const auto is_ticked = [](const MarkdownBlock& box) { return *box.checked; };
  const bool moves = std::ranges::count_if(boxes, is_ticked) == 1 && !*boxes.front().checked;
  std::vector<TextEdit> edits;
  for (auto box = boxes.begin(); box != boxes.end(); ++box) {
    const bool wanted = moves ? box == target : box <= target;
    if (*box->checked != wanted) edits.push_back(set_checked(*box, wanted));
  }
  return edits;
}

enum class Extent { Word, Value };

std::vector<TextEdit> set_statuses(const StoryDocument& story, StoryStatus status, Extent extent) {
  const std::string_view bytes = story.text().bytes();
  std::vector<TextEdit> edits;
  for (const StatusSighting& sighting : story.statuses()) {
    if (sighting.value.status == status && sighting.value.trouble == StatusTrouble::None) continue;
    if (!sighting.boxes.empty()) {
      for (TextEdit& edit : tick_status(sighting.boxes, status)) edits.push_back(std::move(edit));
      continue;
    }
    // A cell with an escaped pipe is longer in the file than as a value.
    const bool is_same = text_of(bytes, sighting.place) == sighting.word;
    const bool is_word = sighting.value.trouble == StatusTrouble::None;
    TextSpan span = sighting.place;
    if (extent == Extent::Word && is_same && is_word)
      span = {span.begin + sighting.value.word.begin, span.begin + sighting.value.word.end};
    edits.push_back({span, status_word(status)});
  }
  return edits;
}

// Puts a line below the block that ends at `end`, set off from what follows.
TextEdit insert_below(const StoryDocument& story, std::size_t end, std::string line) {
  const std::string_view bytes = story.text().bytes();
  const std::string newline(story.text().newline());
  const std::string_view before = bytes.substr(0, end);
  const bool is_open = end > text_start(bytes) && !before.ends_with('\n') && !before.ends_with('\r');
  const std::string_view behind = bytes.substr(end);
  const bool has_gap = behind.empty() || behind[0] == '\n' || behind[0] == '\r';
  std::string text = (is_open ? newline : "") + (end > text_start(bytes) ? newline : "");
  text += line + newline + (has_gap ? "" : newline);
  return {{end, end}, text};
}

std::vector<TextEdit> add_status(const StoryDocument& story, StoryStatus status) {
  const std::vector<MarkdownBlock>& blocks = story.text().blocks();
  const StoryPart* section = story.find_part("status");
  if (section != nullptr && section->is_main) {
    const std::vector<MarkdownBlock> boxes = story.text().boxes(section->section);
    if (!boxes.empty()) return tick_status(boxes, status);
    return {insert_below(story, blocks[section->section.first - 1].end, status_word(status))};
  }
  const std::string line = "**Status:** " + status_word(status);
  if (story.title() != nullptr) return {insert_below(story, blocks[story.title()->first - 1].end, line)};
  const bool has_front = !blocks.empty() && blocks[0].kind == MarkdownKind::FrontMatter;
  return {insert_below(story, has_front ? blocks[0].end : text_start(story.text().bytes()), line)};
}

bool has_status(std::string_view bytes, StoryStatus status) {
  const StoryDocument story{std::string(bytes)};
  const auto is_wanted = [&](const StatusSighting& each) {
    return each.value.status == status && each.value.trouble == StatusTrouble::None;
  };
  return !story.statuses().empty() && std::ranges::all_of(story.statuses(), is_wanted);
}

std::string day_or_time(const std::vector<StoryChange>& changes, Timestamp at) {
  const bool gives_time =
      std::ranges::any_of(changes, [](const StoryChange& change) { return change.at && !change.at->whole_day; });
  const std::string text = to_text(at);
  return gives_time ? text : text.substr(0, text.find('T'));
}

// The table of the change log, null if there is none that can be added to.
const MarkdownBlock* find_change_table(const StoryDocument& story) {
  for (const StoryPart& part : story.parts()) {
    if (part.key != "change_log") continue;
    for (std::size_t i = part.section.first; i < part.section.end; ++i) {
      const MarkdownBlock& block = story.text().blocks()[i];
      const bool is_table = block.kind == MarkdownKind::Table && !story.is_commented(block.begin);
      if (is_table && find_change_columns(block.header).is_change_log()) return &block;
    }
  }
  return nullptr;
}

TextEdit add_change_row(const StoryDocument& story, const MarkdownBlock& block, const std::string& date,
                        const NewStoryChange& change) {
  const MarkdownTable table{.header = block.header, .delimiter = block.delimiter, .rows = block.rows};
  const ChangeColumns columns = find_change_columns(block.header);
  std::vector<std::string> cells(block.header.cells.size());
  cells[*columns.date] = date;
  if (columns.author) cells[*columns.author] = on_one_line(change.by);
  cells[*columns.text] = on_one_line(change.text);
  return append_row(story.text(), table, cells);
}

TextEdit add_change(const StoryDocument& story, const std::string& date, const NewStoryChange& change) {
  if (const MarkdownBlock* table = find_change_table(story)) return add_change_row(story, *table, date, change);
  const std::string row = std::string(kTable) + "| " + date + " | " + escape_cell(on_one_line(change.by)) + " | " +
                          escape_cell(on_one_line(change.text)) + " |";
  const StoryPart* part = story.find_part("change_log");
  if (part == nullptr) return append_section(story.text(), story.main_level(), "Change Log", row);
  const std::vector<MarkdownBlock>& blocks = story.text().blocks();
  const bool has_bullets =
      std::any_of(blocks.begin() + static_cast<std::ptrdiff_t>(part->section.first),
                  blocks.begin() + static_cast<std::ptrdiff_t>(part->section.own_end),
                  [](const MarkdownBlock& block) { return block.kind == MarkdownKind::ListItem; });
  const std::string by = change.by.empty() ? "" : " (" + on_one_line(change.by) + ")";
  const std::string bullet = "- " + date + ": " + on_one_line(change.text) + by;
  return append_to_section(story.text(), part->section, has_bullets ? bullet : row);
}

}  // namespace

Result<std::string> set_story_status(std::string_view bytes, StoryStatus status) {
  check(status >= StoryStatus::Draft);
  TRY_VOID(read_story(bytes, ""));
  const StoryDocument story{std::string(bytes)};
  if (story.statuses().empty()) {
    std::string added = apply_edits(bytes, add_status(story, status));
    if (has_status(added, status)) return added;
    return fail(refused("has no status, and there is no place where one could be added"));
  }
  for (const Extent extent : {Extent::Word, Extent::Value}) {
    std::string after = apply_edits(bytes, set_statuses(story, status, extent));
    if (has_status(after, status)) return after;
  }
  return fail(refused("the status " + quoted(story.statuses().front().word) + " cannot be changed to " +
                      status_word(status) + " where it stands"));
}

Result<std::string> append_story_change(std::string_view bytes, const NewStoryChange& change) {
  TRY_VOID(read_story(bytes, ""));
  const StoryDocument story{std::string(bytes)};
  const std::vector<StoryChange> before = read_story_changes(story);
  std::string after = apply_edits(bytes, {add_change(story, day_or_time(before, change.at), change)});
  const std::vector<StoryChange> now = read_story_changes(StoryDocument(after));
  if (now.size() == before.size() + 1) return after;
  return fail(refused("there is no place where a row of the change log could be added"));
}

Result<std::string> tick_story_box(std::string_view bytes, std::string_view text) {
  TRY_VOID(read_story(bytes, ""));
  const StoryDocument story{std::string(bytes)};
  bool is_there = false;
  for (const MarkdownBlock& box : find_story_boxes(story)) {
    if (plain_value(box.text) != plain_value(text)) continue;
    if (!*box.checked) return apply_edits(bytes, {set_checked(box, true)});
    is_there = true;
  }
  if (is_there) return std::string(bytes);
  return fail(ErrorKind::NotFound, "there is no box " + quoted(text) + " under Tasks");
}

}  // namespace reprise
