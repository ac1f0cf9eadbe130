#include "formats/story_index.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "base/strings.h"
#include "formats/state_file.h"
#include "formats/state_words.h"
#include "formats/story_document.h"
#include "formats/story_ids.h"

namespace reprise {
namespace {

constexpr std::array<std::string_view, 8> kStoryColumns = {"story", "story_id",    "id",   "stories",
                                                           "title", "story_title", "name", "#"};
constexpr std::array<std::string_view, 4> kFileColumns = {"file", "link", "path", "arquivo"};

std::string column_name(const std::string& cell) { return normal_key(plain_value(cell)); }

// What the columns of one table are for.
struct IndexColumns {
  std::optional<std::size_t> status;
  std::vector<std::size_t> stories;
  std::vector<std::size_t> files;
};

IndexColumns find_columns(const MarkdownRow& header) {
  IndexColumns columns;
  for (std::size_t i = 0; i < header.cells.size(); ++i) {
    const std::string name = column_name(header.cells[i]);
    if (is_story_status_key(name) && !columns.status) columns.status = i;
    if (is_one_of(name, kStoryColumns)) columns.stories.push_back(i);
    if (is_one_of(name, kFileColumns)) columns.files.push_back(i);
  }
  return columns;
}

// What stands behind the id in a cell: "1.1 Setup" has the title "Setup".
std::string title_of(std::string_view cell, std::size_t end) {
  std::string_view rest = cell.substr(end);
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t*`:-|.])"), rest.size()));
  if (rest.starts_with("—") || rest.starts_with("–")) rest = trim(rest.substr(3));
  return rest.starts_with('(') ? "" : plain_value(rest);
}

// The id that a link's target gives.
std::string id_in_link(std::string_view cell) {
  const std::size_t open = cell.find("](");
  const std::string_view target = open == std::string_view::npos ? cell : cell.substr(open + 2);
  return story_id_of_file(target.substr(0, std::min(target.find_first_of(") #"), target.size())));
}

bool take_story(const IndexColumns& columns, const MarkdownRow& row, StoryIndexRow& found) {
  for (const std::size_t column : columns.stories) {
    if (column >= row.cells.size()) continue;
    const std::string& cell = row.cells[column];
    const std::optional<LeadingStoryId> id = read_leading_story_id(cell);
    if (id && found.id.empty()) found.id = id->id;
    const std::string title = id ? title_of(cell, id->end) : plain_value(cell);
    if (found.title.empty()) found.title = title;
  }
  for (const std::size_t column : columns.files) {
    if (found.id.empty() && column < row.cells.size()) found.id = id_in_link(row.cells[column]);
  }
  return !found.id.empty();
}

void add_rows(std::vector<StoryIndexRow>& rows, const MarkdownBlock& table) {
  const IndexColumns columns = find_columns(table.header);
  if (!columns.status || columns.stories.empty()) return;
  for (const MarkdownRow& row : table.rows) {
    if (*columns.status >= row.cells.size()) continue;
    StoryIndexRow found{.line = row.line};
    if (!take_story(columns, row, found)) continue;
    found.status_word = row.cells[*columns.status];
    found.status = read_story_status(found.status_word).status;
    rows.push_back(std::move(found));
  }
}

}  // namespace

Result<std::vector<StoryIndexRow>> read_story_index(std::string_view bytes, std::string_view file) {
  if (std::optional<Error> damage = find_damage(bytes, file)) return fail(std::move(*damage));
  const StoryDocument document{std::string(bytes)};
  std::vector<StoryIndexRow> rows;
  for (const MarkdownBlock& block : document.text().blocks()) {
    if (block.kind == MarkdownKind::Table && !document.is_commented(block.begin)) add_rows(rows, block);
  }
  return rows;
}

}  // namespace reprise
