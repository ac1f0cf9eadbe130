#include "app/story_files.h"

#include <algorithm>
#include <tuple>

#include "app/found_files.h"
#include "app/project_files.h"
#include "base/strings.h"
#include "formats/story.h"
#include "formats/story_ids.h"
#include "os/machine.h"
#include "os/parallel.h"

namespace reprise {
namespace {

constexpr std::size_t kFilesPerPart = 50;  // fewer are read sooner than a thread is started

bool is_markdown(std::string_view name) {
  const std::string lower = to_lower(name);
  return lower.ends_with(".md") || lower.ends_with(".markdown");
}

// Finds the Markdown files and the folders of spec pipelines, by names alone.
class TreeWalk {
 public:
  TreeWalk(App& app, std::vector<IgnoredFile>& ignored) : app_(app), files_(app, ignored) {}

  void walk(const std::string& folder, int depth) {
    for (const std::string& name : files_.list(folder)) {
      const std::string path = folder + "/" + name;
      if (is_markdown(name)) {
        add(path);
      } else if (name.front() != '.' && is_own_folder(path)) {
        enter(path, name, depth);
      }
    }
  }

  std::vector<std::string> paths;
  std::vector<std::string> spec_folders;

 private:
  void add(const std::string& path) {
    if (paths.size() < kStoryFilesMax) return paths.push_back(path);
    if (!is_full_)
      files_.pass_over(path, "there are more story files than are read; this one and later ones are not");
    is_full_ = true;
  }

  void enter(const std::string& path, const std::string& name, int depth) {
    if (name == "spec") return spec_folders.push_back(path);
    if (depth < kStoryFolderDepthMax) return walk(path, depth + 1);
    files_.pass_over(path, "it lies too deep below " + std::string(kStoriesFolder));
  }

  // Links would lead to the same stories twice, or in a circle.
  bool is_own_folder(const std::string& path) {
    if (!is_folder_inside(app_, path)) return false;
    const std::filesystem::path place(path);
    const Result<std::filesystem::path> real = canonical_path(app_.project / place);
    const Result<std::filesystem::path> parent = canonical_path(app_.project / place.parent_path());
    if (real && parent && *real == *parent / place.filename()) return true;
    files_.pass_over(path, "it is a link to a folder, and such links are not followed");
    return false;
  }

  App& app_;
  FoundFiles files_;
  bool is_full_ = false;
};

// Reads some of the files. Each has its own list of what is ignored, so that several can work at once.
class StoryReading {
 public:
  explicit StoryReading(App& app) : files_(app, ignored) {}
  StoryReading(const StoryReading&) = delete;
  StoryReading& operator=(const StoryReading&) = delete;

  void read(const std::string& path) {
    Result<FolderReader::File> file = files_.read(path);
    if (!file) {
      if (file.error().kind != ErrorKind::NotFound) add_damaged(path, files_.time_of(path), file.error());
      return;
    }
    const StoryLook look = looks_like_story(path, file->bytes);
    if (!look.is_story) {
      if (is_named_story(path)) files_.pass_over(path, "it is not a story: " + look.why);
      return;
    }
    Result<StoryClaims> claims = read_story(file->bytes, path);
    if (!claims) return add_damaged(path, file->modified, claims.error());
    if (claims->id.empty()) return files_.pass_over(path, "it looks like a story, but nothing gives its id");
    std::string id = claims->id;
    stories.push_back({std::move(id), path, file->modified, std::move(*claims)});
  }

  std::vector<FoundStory> stories;
  std::vector<IgnoredFile> ignored;

 private:
  void add_damaged(const std::string& path, std::optional<Timestamp> modified, const Error& error) {
    const std::string id = story_id_of_file(path);
    if (id.empty()) return files_.ignore(path, files_.sentence(path, error));
    stories.push_back({id, path, modified.value_or(Timestamp()), {}, error});
  }

  FoundFiles files_;
};

auto rank_of(const FoundStory& file) {
  return std::tuple(file.damage.has_value(), !to_lower(file.path).ends_with(".story.md"),
                    std::ranges::count(file.path, '/'), std::string_view(file.path));
}

}  // namespace

StoryTree read_story_tree(App& app, std::vector<IgnoredFile>& ignored) {
  TreeWalk walk(app, ignored);
  walk.walk(std::string(kStoriesFolder), 1);
  const std::size_t count = walk.paths.size();
  const std::size_t parts = std::max<std::size_t>(count / kFilesPerPart, 1);
  std::vector<std::unique_ptr<StoryReading>> readings;
  for (std::size_t part = 0; part < parts; ++part) readings.push_back(std::make_unique<StoryReading>(app));
  for_each_part(parts, [&](std::size_t part) {
    for (std::size_t i = count * part / parts; i < count * (part + 1) / parts; ++i) {
      readings[part]->read(walk.paths[i]);
    }
  });
  StoryTree tree;
  tree.spec_folders = std::move(walk.spec_folders);
  for (const std::unique_ptr<StoryReading>& reading : readings) {
    std::ranges::move(reading->stories, std::back_inserter(tree.stories));
    std::ranges::move(reading->ignored, std::back_inserter(ignored));
  }
  return tree;
}

std::vector<FoundStory> list_stories(App& app) {
  std::vector<IgnoredFile> ignored;
  return read_story_tree(app, ignored).stories;
}

StoryShelf::StoryShelf(std::vector<FoundStory> stories) : stories_(std::move(stories)) {
  for (std::size_t i = 0; i < stories_.size(); ++i) by_id_[story_key(stories_[i].id)].push_back(i);
  for (auto& [id, files] : by_id_) {
    std::ranges::sort(files, {}, [&](std::size_t i) { return rank_of(stories_[i]); });
  }
}

const FoundStory* StoryShelf::find(std::string_view id) const {
  const auto found = by_id_.find(story_key(id));
  if (found != by_id_.end()) return &stories_[found->second.front()];
  if (!is_markdown(id)) return nullptr;
  const std::string name = "/" + std::string(file_name(id));
  const auto named =
      std::ranges::find_if(stories_, [&](const FoundStory& story) { return story.path.ends_with(name); });
  return named == stories_.end() ? nullptr : &*named;
}

std::vector<std::string> StoryShelf::others_of(std::string_view id) const {
  std::vector<std::string> paths;
  const auto found = by_id_.find(story_key(id));
  if (found == by_id_.end()) return paths;
  for (std::size_t i = 1; i < found->second.size(); ++i) paths.push_back(stories_[found->second[i]].path);
  return paths;
}

std::string story_key(std::string_view id) {
  const std::string of_file = is_markdown(id) ? story_id_of_file(id) : "";
  std::string key = to_lower(trim(of_file.empty() ? id : of_file));
  const bool has_word =
      key.size() > 6 && key.starts_with("story") && std::string_view(" -_").find(key[5]) != std::string_view::npos;
  return has_word ? key.substr(6) : key;
}

std::string find_story_file(App& app, const std::string& id) {
  std::string usual = new_story_file(id);
  const bool is_plain = !id.empty() && id.find('/') == std::string::npos;
  if (is_plain && read_inside(app, usual)) return usual;
  const StoryShelf shelf(list_stories(app));
  const FoundStory* file = shelf.find(id);
  return file == nullptr ? "" : file->path;
}

std::string new_story_file(const std::string& id) { return std::string(kStoriesFolder) + "/" + id + ".story.md"; }

}  // namespace reprise
