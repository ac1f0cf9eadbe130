// Tables that list stories with their status: a backlog's index, an epic's table.
//
// What they say is worth less than what the story's own file says, which is why every row keeps its line: where
// the two differ, a person is shown both. A table counts if it has a column for the status and its rows name
// stories; tables of tasks, criteria and files do not. Tables in code fences and comments are not read.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/story.h"

namespace reprise {

/// A row that gives a story's status.
struct StoryIndexRow {
  std::string id;  // as text
  std::string title;
  StoryStatus status = StoryStatus::Unknown;
  std::string status_word;  // as written
  int line = 0;
};

/// Returns the rows in order; none where the file has no such table. Corrupt if it is not text.
Result<std::vector<StoryIndexRow>> read_story_index(std::string_view bytes, std::string_view file);

}  // namespace reprise
