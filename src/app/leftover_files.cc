#include "app/leftover_files.h"

#include <set>

#include "app/project_files.h"
#include "app/scan.h"
#include "app/story_files.h"
#include "os/folder_tree.h"
#include "os/leftovers.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

constexpr int kDepthMax = 6;
// Attempts are as many as steps, and their files go with their run.
const std::set<std::string> kNotSearched = {"attempts", "guards"};

// Adds `below` and the folders in it. No link is followed.
void add_tree(const FolderTree& tree, const fs::path& root, const fs::path& below, int depth,
              std::set<fs::path>& folders) {
  const Result<std::vector<FolderTree::Entry>> entries = tree.list(below);
  if (!entries || depth > kDepthMax) return;
  folders.insert(root / below);
  for (const FolderTree::Entry& entry : *entries) {
    if (entry.type == FileType::Directory && !kNotSearched.contains(entry.name))
      add_tree(tree, root, below / entry.name, depth + 1, folders);
  }
}

void add_tree(const fs::path& folder, std::set<fs::path>& folders) {
  const fs::path root = folder.parent_path();
  if (const Result<FolderTree> tree = FolderTree::open(root)) add_tree(*tree, root, folder.filename(), 0, folders);
}

// The folders in which Reprise replaces files.
std::set<fs::path> folders_of(App& app) {
  std::set<fs::path> folders;
  const fs::path above = app.store.parent_path();  // git's folder, or .reprise
  folders.insert(above);
  const Result<FolderTree> git = FolderTree::open(above);
  if (git && git->type_of("info").value_or(std::nullopt) == FileType::Directory) folders.insert(above / "info");
  add_tree(app.store, folders);
  add_tree(above / "worktrees", folders);
  if (is_folder_inside(app, std::string(kStoriesFolder))) add_tree(app.project / kStoriesFolder, folders);
  const Result<ScanResult> found = scan_found(app, true);
  if (!found) return folders;
  for (const Candidate& candidate : found->candidates) {
    folders.insert(app.project / candidate.state_file);  // a task list is a folder
    folders.insert((app.project / candidate.state_file).parent_path());
    for (const std::string& file : candidate.other_files) folders.insert((app.project / file).parent_path());
  }
  return folders;
}

template <typename Visit>
std::vector<std::string> in_folders(App& app, Visit visit) {
  std::vector<std::string> files;
  for (const fs::path& folder : folders_of(app)) {
    for (const fs::path& file : visit(folder)) {
      const std::string relative = file.lexically_relative(app.project).string();
      files.push_back(relative.starts_with("..") ? file.string() : relative);
    }
  }
  return files;
}

}  // namespace

std::vector<std::string> find_leftover_files(App& app) {
  return in_folders(app, [](const fs::path& folder) { return find_leftovers(folder); });
}

std::vector<std::string> remove_leftover_files(App& app) {
  return in_folders(app, [](const fs::path& folder) { return remove_leftovers(folder); });
}

}  // namespace reprise
