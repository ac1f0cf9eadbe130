// Ids of stories, as file names, titles and lists of dependencies give them: "4.2", "124.1", "ACT-1", "S-8.3".
//
// An id is text: 2.10 is not 2.1. What could as well be a date, a version or a plain number is no id, unless the
// word "Story" stands before it.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

/// Returns the id that a story file's name gives: "4.2.story.md", "story-4.2-title.md", "4.2-title.md",
/// "STORY-124.1-title.md", "ACT-1-title.md". "" if it gives none. Folders in front are ignored.
std::string story_id_of_file(std::string_view file);
/// Whether the name says that the file is a story: it begins with "story", or ends with ".story.md".
bool is_named_story(std::string_view file);

/// An id, and how many bytes of the text it takes up with all that stands before it.
struct LeadingStoryId {
  std::string id;
  std::size_t end = 0;
};
/// Reads the id that a text begins with: "4.2 Title", "Story 4.2: Title", "[4.2](a.md)", "**ACT-1:** Title".
std::optional<LeadingStoryId> read_leading_story_id(std::string_view text);

/// Returns the ids that a text lists, in order, each once: "Story 1.1, 1.2 (first) and WIS-3", "124.3-124.5".
std::vector<std::string> read_story_ids(std::string_view text);

}  // namespace reprise
