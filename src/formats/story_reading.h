// The parts of a story file that are lists: each function reads one of them from a scanned file.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "formats/story_document.h"
#include "model/story.h"

namespace reprise {

/// Returns the digest of each section by its key. Sections with the same key have one digest.
std::map<std::string, std::string> digest_story_sections(const StoryDocument& story);

/// Returns the ids of the stories that this one waits for; not those that wait for it.
std::vector<std::string> read_story_dependencies(const StoryDocument& story);

/// Returns the files of the File List in order, each once.
std::vector<std::string> read_story_files(const StoryDocument& story);

/// Returns the last verdict under QA Results, "" if there is none.
std::string read_story_gate(const StoryDocument& story);

/// Returns the boxes under Tasks that are not in a comment.
std::vector<MarkdownBlock> find_story_boxes(const StoryDocument& story);

/// What the columns of a change log are for, as numbers of columns.
struct ChangeColumns {
  std::optional<std::size_t> date;
  std::optional<std::size_t> author;
  std::optional<std::size_t> text;
  bool is_change_log() const { return date && text; }
};
ChangeColumns find_change_columns(const MarkdownRow& header);

/// Returns the rows and bullets of the change log in order.
std::vector<StoryChange> read_story_changes(const StoryDocument& story);

}  // namespace reprise
