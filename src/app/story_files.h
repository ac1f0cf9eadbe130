// The story files of a project: all Markdown files below docs/stories that are stories, and which of them is the
// one of an id.
//
// An id is text: 2.10 is not 2.1; "story-1.1" and "1.1" are the same. Folders that are links are not entered, and
// there is a limit to depth and number; what is left out because of it is told. Every file is read once.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/app.h"
#include "app/scan.h"
#include "base/error.h"
#include "model/story.h"

namespace reprise {

inline constexpr std::string_view kStoriesFolder = "docs/stories";
inline constexpr int kStoryFolderDepthMax = 8;
inline constexpr std::size_t kStoryFilesMax = 20'000;

/// A story's file, read.
struct FoundStory {
  std::string id;    // as the file's name gives it, else its title
  std::string path;  // relative to the project
  Timestamp modified;
  StoryClaims claims;
  std::optional<Error> damage = {};  // why it could not be read; the claims are empty then
};

/// What there is below docs/stories.
struct StoryTree {
  std::vector<FoundStory> stories;        // by path
  std::vector<std::string> spec_folders;  // folders named "spec", which hold no stories; by path
};

/// Reads all stories. Files that are named as stories and are none, and what could not be read, go to `ignored`.
StoryTree read_story_tree(App& app, std::vector<IgnoredFile>& ignored);
/// The stories alone.
std::vector<FoundStory> list_stories(App& app);

/// Stories by id. Of several files of one id, one that can be read counts, then one whose name ends in
/// ".story.md", then the one in the fewest folders, then the first by path.
class StoryShelf {
 public:
  explicit StoryShelf(std::vector<FoundStory> stories);
  /// Returns the file that counts; null if there is none. States write paths instead of ids now and then.
  const FoundStory* find(std::string_view id) const;
  /// Returns the paths of the other files with this id.
  std::vector<std::string> others_of(std::string_view id) const;
  const std::vector<FoundStory>& all() const { return stories_; }

 private:
  std::vector<FoundStory> stories_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_id_;  // the one that counts first
};

/// Returns an id, or the path of a story's file, in the form in which ids are compared.
std::string story_key(std::string_view id);

/// Returns where the file of a story is; "" if there is none.
std::string find_story_file(App& app, const std::string& id);
/// Returns where the file of a new story goes.
std::string new_story_file(const std::string& id);

}  // namespace reprise
