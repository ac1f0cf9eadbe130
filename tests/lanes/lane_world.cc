#include "lane_world.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

#include "base/check.h"
#include "base/strings.h"
#include "git/ensure_worktree.h"
#include "git/git_output.h"
#include "os/file_system.h"
#include "os/process.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, std::string_view text) {
  fs::create_directories(file.parent_path());
  check(PosixFileSystem().write_scratch(file, text).has_value());
}

std::string read(const fs::path& file) { return PosixFileSystem().read(file, 64u << 20).value_or("(none)"); }

Captured call(const fs::path& folder, std::vector<std::string> arguments) {
  std::vector<std::string> argv = {"git", "-c", "user.name=Ana", "-c", "user.email=ana@example.org"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  Result<Captured> captured = run_captured({.argv = argv, .directory = folder.string()});
  check(captured.has_value());
  return std::move(*captured);
}

std::string git(const fs::path& folder, std::vector<std::string> arguments) {
  const Captured captured = call(folder, std::move(arguments));
  check(captured.exit_code == 0);
  return std::string(trim(captured.output));
}

void commit(const fs::path& folder, const std::string& message) {
  git(folder, {"add", "--all"});
  git(folder, {"commit", "-q", "-m", message});
}

void make_lane(const fs::path& folder, const std::string& name) {
  const Git repository = Git::open(folder).value();
  check(
      ensure_worktree(repository, {.path = ".worktrees/P1/" + name, .branch = "lane/P1/" + name, .start = "base"})
          .has_value());
}

// Objects go into 256 folders by their name, which depends on the time: with all of them there, every run makes
// the same calls.
void make_object_folders(const fs::path& folder) {
  for (int i = 0; i < 256; ++i) {
    std::array<char, 3> name{};
    std::snprintf(name.data(), name.size(), "%02x", static_cast<unsigned>(i));
    fs::create_directories(folder / ".git/objects" / name.data());
  }
}

const std::vector<std::string> kLanes = {"SL-1", "SL-3", "SL-4"};

void add_files(const fs::path& base, const fs::path& folder, std::map<std::string, std::string>& found) {
  for (auto it = fs::recursive_directory_iterator(folder); it != fs::recursive_directory_iterator(); ++it) {
    const std::string name = it->path().filename().string();
    if (name == ".git" || name == ".worktrees") it.disable_recursion_pending();
    if (it->is_symlink()) {
      found[it->path().lexically_relative(base).string()] = fs::read_symlink(it->path()).string();
    } else if (it->is_regular_file()) {
      found[it->path().lexically_relative(base).string()] = read(it->path());
    }
  }
}

std::string leftovers(const fs::path& folder) {
  std::string text;
  for (const auto& entry : fs::recursive_directory_iterator(folder / ".git")) {
    const std::string path = entry.path().lexically_relative(folder).string();
    const bool is_ours = path == ".git/reprise/git.lock" || !entry.is_regular_file();
    const bool is_left = path.ends_with(".lock") || path.ends_with("/locked") || path.ends_with(".tmp") ||
                         path.ends_with("reprise-move") || path.find("reprise-index") != std::string::npos ||
                         path.find("reprise/git-calls/") != std::string::npos ||
                         path.find("reprise/removing/") != std::string::npos;
    if (is_left && !is_ours) text += "left behind: " + path + "\n";
  }
  return text;
}

}  // namespace

void make_lane_world(const fs::path& folder) {
  fs::create_directories(folder);
  git(folder, {"init", "-q", "--initial-branch=main"});
  for (const std::string name : {"README", "src/a.c", "src/b.c", "src/deep/c.c", "docs/d"}) {
    write(folder / name, name + " as it was at first\n");
  }
  fs::create_symlink("README", folder / "link");
  commit(folder, "base");
  git(folder, {"branch", "base"});
  git(folder, {"branch", "unused"});
  for (const std::string& name : kLanes) make_lane(folder, name);
  write(folder / "src/a.c", "main went on\n");
  commit(folder, "main goes on");
  const fs::path lanes = folder / ".worktrees/P1";
  write(lanes / "SL-1/src/a.c", "changed and not committed\n");
  write(lanes / "SL-1/new/file", "new\n");
  fs::remove(lanes / "SL-1/docs/d");
  write(lanes / "SL-3/src/a.c", "the bystander's own\n");
  write(lanes / "SL-3/staged", "staged\n");
  git(lanes / "SL-3", {"add", "staged"});
  write(lanes / "SL-3/untracked", "untracked\n");
  write(lanes / "SL-4/src/b.c", "finished in the lane, and rather longer than it was before\n");
  write(lanes / "SL-4/src/new.c", "made in the lane\n");
  fs::remove(lanes / "SL-4/src/deep/c.c");
  commit(lanes / "SL-4", "finished");
  git(lanes / "SL-4", {"tag", "SL-4-head"});
  // A lane that only adds a file: no tracked file shows that it was on its way into a checkout.
  git(folder, {"worktree", "add", "-q", "--detach", ".worktrees/adds", "main"});
  write(folder / ".worktrees/adds/added/x.txt", "added in the lane\n");
  commit(folder / ".worktrees/adds", "adds");
  git(folder / ".worktrees/adds", {"tag", "adds-head"});
  git(folder, {"worktree", "remove", ".worktrees/adds"});
  write(folder / "untracked", "of the person\n");
  make_object_folders(folder);
}

void copy_lane_world(const fs::path& from, const fs::path& to) {
  fs::copy(from, to,
           fs::copy_options::recursive | fs::copy_options::copy_symlinks | fs::copy_options::overwrite_existing);
  for (const std::string& name : kLanes) {
    const fs::path place = to / ".worktrees/P1" / name;
    write(place / ".git", "gitdir: " + (to / ".git/worktrees" / name).string() + "\n");
    write(to / ".git/worktrees" / name / "gitdir", (place / ".git").string() + "\n");
  }
}

std::map<std::string, std::string> bystanders(const fs::path& folder, bool with_main) {
  std::map<std::string, std::string> found;
  add_files(folder, folder / ".worktrees/P1/SL-3", found);
  for (const char* name : {"HEAD", "index"}) found[name] = read(folder / ".git/worktrees/SL-3" / name);
  if (!with_main) return found;
  add_files(folder, folder, found);
  for (const char* name : {"HEAD", "index"}) found[std::string("main ") + name] = read(folder / ".git" / name);
  return found;
}

std::string appearance(const fs::path& folder) {
  const Git repository = Git::open(folder).value();
  std::string text = git(folder, {"for-each-ref", "--format=%(refname) %(tree)"}) + "\n";
  text += "commits " + git(folder, {"rev-list", "--count", "--all"}) + "\n";
  const Result<std::vector<WorktreeEntry>> entries = list_worktrees(repository);
  std::vector<std::string> lines;
  for (const WorktreeEntry& entry : entries.value()) {
    std::string line = entry.path.lexically_relative(folder).string() + " " + entry.branch.value_or("(detached)");
    const Captured status = call(entry.path, {"--no-optional-locks", "status", "--porcelain"});
    lines.push_back(line + "\n" + status.output + (status.exit_code == 0 ? "" : status.errors));
  }
  std::ranges::sort(lines);
  for (const std::string& line : lines) text += line;
  std::vector<std::string> ids;
  for (const auto& entry : fs::directory_iterator(folder / ".git/worktrees"))
    ids.push_back(entry.path().filename());
  text += std::to_string(ids.size()) + " in .git/worktrees\n";
  return text + leftovers(folder);
}

std::string fsck(const fs::path& folder) {
  const Captured captured = call(folder, {"fsck", "--no-dangling", "--no-progress"});
  return captured.exit_code == 0 ? std::string() : "fsck: " + captured.output + captured.errors;
}

}  // namespace reprise
