// The change log of a story: a table in any order of columns, or bullets; declared in story_reading.h.

#include <algorithm>
#include <array>
#include <span>

#include "base/strings.h"
#include "formats/state_words.h"
#include "formats/story_reading.h"

namespace reprise {
namespace {

constexpr std::array<std::string_view, 5> kDateColumns = {"date", "at", "when", "data", "time"};
constexpr std::array<std::string_view, 6> kAuthorColumns = {"author", "agent", "by", "who", "autor", "agente"};
constexpr std::array<std::string_view, 8> kTextColumns = {"change", "changes",   "description", "what",
                                                          "notes",  "descrição", "mudança",     "alteração"};

std::optional<std::size_t> find_column(const MarkdownRow& header, std::span<const std::string_view> names) {
  for (std::size_t i = 0; i < header.cells.size(); ++i) {
    if (std::ranges::find(names, normal_key(plain_value(header.cells[i]))) != names.end()) return i;
  }
  return std::nullopt;
}

std::string_view cell(const MarkdownRow& row, std::optional<std::size_t> column) {
  return column && *column < row.cells.size() ? std::string_view(row.cells[*column]) : std::string_view();
}

std::optional<ClaimedTime> time_of(std::string_view text) {
  const std::optional<ReadTime> time = read_time(text);
  return time ? std::optional(ClaimedTime{.time = time->time, .whole_day = time->whole_day}) : std::nullopt;
}

// "2026-11-15: text", "**2026-11-15** (@dev) — text": the date in front, an empty one if there is none.
std::string_view date_in_front(std::string_view item) {
  const std::size_t begin = std::min(item.find_first_not_of(" *`[(_"), item.size());
  const std::size_t end = std::min(item.find_first_not_of("0123456789-:TZ.+", begin), item.size());
  std::string_view date = item.substr(begin, end - begin);
  while (date.ends_with(':') || date.ends_with('.') || date.ends_with('-')) date.remove_suffix(1);
  return date;
}

// What stands behind `date`, which is a view into `item`.
std::string_view behind_date(std::string_view item, std::string_view date) {
  std::string_view rest = item.substr(static_cast<std::size_t>(date.data() - item.data()) + date.size());
  for (bool again = true; again;) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" *`:-|])_"), rest.size()));
    again = rest.starts_with("—") || rest.starts_with("–");
    if (again) rest.remove_prefix(std::string_view("—").size());
  }
  return trim(rest);
}

// The first "@name" of a text, without the "@".
std::string agent_in(std::string_view text) {
  const std::size_t at = text.find('@');
  if (at == std::string_view::npos) return "";
  constexpr std::string_view kNameBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  const std::string_view rest = text.substr(at + 1);
  return std::string(rest.substr(0, std::min(rest.find_first_not_of(kNameBytes), rest.size())));
}

void add_rows(std::vector<StoryChange>& changes, const MarkdownBlock& table) {
  const ChangeColumns columns = find_change_columns(table.header);
  if (!columns.is_change_log()) return;
  for (const MarkdownRow& row : table.rows) {
    StoryChange change{.at = time_of(cell(row, columns.date)), .line = row.line};
    const std::string_view author = cell(row, columns.author);
    const std::string agent = agent_in(author);
    change.by = agent.empty() ? plain_value(author) : agent;
    change.text = cell(row, columns.text);
    change.to = find_transition(change.text);
    if (change.at || !change.text.empty()) changes.push_back(std::move(change));
  }
}

void add_bullet(std::vector<StoryChange>& changes, const MarkdownBlock& item) {
  const std::string_view date = date_in_front(item.text);
  StoryChange change{.at = time_of(date), .line = item.line};
  change.text = change.at ? behind_date(item.text, date) : std::string_view(item.text);
  change.by = agent_in(change.text);
  change.to = find_transition(change.text);
  if (change.at || !change.text.empty()) changes.push_back(std::move(change));
}

}  // namespace

ChangeColumns find_change_columns(const MarkdownRow& header) {
  return {.date = find_column(header, kDateColumns),
          .author = find_column(header, kAuthorColumns),
          .text = find_column(header, kTextColumns)};
}

std::vector<StoryChange> read_story_changes(const StoryDocument& story) {
  std::vector<StoryChange> changes;
  std::size_t done = 0;
  for (const StoryPart& part : story.parts()) {
    if (part.key != "change_log") continue;
    for (std::size_t i = std::max(part.section.first, done); i < part.section.end; ++i) {
      const MarkdownBlock& block = story.text().blocks()[i];
      if (story.is_commented(block.begin)) continue;
      if (block.kind == MarkdownKind::Table) add_rows(changes, block);
      if (block.kind == MarkdownKind::ListItem) add_bullet(changes, block);
    }
    done = std::max(done, part.section.end);
  }
  return changes;
}

}  // namespace reprise
