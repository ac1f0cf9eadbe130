// Story files (`docs/stories/**`): recognised, and read as claims, whatever shape their status has.
//
// What always holds:
//
//   Reading never fails on text: what is not understood becomes an oddity with its line. It fails, with a
//   position, on bytes that are not text, on files that are too large, and on an empty one. The status is one of
//   the five only if the file says so in a place that is about the story as a whole. Where two such places differ,
//   the one that comes earlier in a story's life counts, and the difference is an oddity. A word that is none of
//   the five is Unknown and kept as written; a template that was not filled in is Unknown. A digest of a section
//   does not change when boxes are ticked, spaces at line ends or line endings change.
//
// docs/formats/story.md lists the shapes; the words are in story_words.h.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/story.h"

namespace reprise {

/// Whether a file is a story, and why not.
struct StoryLook {
  bool is_story = false;
  std::string why;  // "" for a story
};

/// Tells a story from the indexes, epics, plans and reports that stand in the same folders, by its name (folders
/// in front are ignored) and by what is in it.
StoryLook looks_like_story(std::string_view file, std::string_view bytes);

/// Returns what the file claims, also where it does not look like a story. Corrupt: not text (position given), too
/// large, or empty. `file` gives the id, and is for messages.
Result<StoryClaims> read_story(std::string_view bytes, std::string_view file);

/// Returns the keys of the sections that are not the same in both, in order: changed, added or removed.
std::vector<std::string> compare_sections(const StoryClaims& before, const StoryClaims& now);

}  // namespace reprise
