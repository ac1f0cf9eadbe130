// Removing and writing files of a worktree.

#include "lanes/restore_files.h"

#include <algorithm>
#include <system_error>

#include "base/strings.h"
#include "lanes/snapshot_listing.h"
#include "lanes/standing.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;
using Side = Workshop::Side;

Error conflict(const std::string& path, const std::string& why) {
  return Error{ErrorKind::Conflict, printable_line(path, 300) + ": " + why};
}

Result<void> remove_one(const fs::path& path) {
  std::error_code code;
  fs::remove(path, code);
  if (code) return fail(ErrorKind::Io, path.string() + ": cannot be removed: " + code.message());
  return {};
}

// The first part of `path` that is there and is no folder; "" if all are folders, or are not there.
std::string file_on_the_way(const fs::path& top, std::string_view path) {
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1)) {
    const std::string folder(path.substr(0, slash));
    const fs::file_status status = standing_at(top / folder);
    if (!fs::exists(status)) return "";
    if (!fs::is_directory(status)) return folder;
  }
  return "";
}

// Folders that held `path`, as far as they are empty now.
void remove_empty_parents(const fs::path& top, std::string_view path) {
  for (std::size_t slash = path.rfind('/'); slash != std::string_view::npos && slash > 0;
       slash = path.rfind('/', slash - 1)) {
    const fs::path folder = top / path.substr(0, slash);
    std::error_code code;
    if (!fs::is_directory(standing_at(folder)) || !fs::is_empty(folder, code) || code) return;
    fs::remove(folder, code);
    if (code) return;
  }
}

Result<void> empty_folder(const fs::path& top, const std::string& folder,
                          const std::vector<std::string>& rescued) {
  if (is_repository(top / folder)) return fail(conflict(folder, "a repository stands in the way"));
  std::error_code code;
  std::vector<std::string> names;
  for (fs::directory_iterator it(top / folder, code), end; !code && it != end; it.increment(code)) {
    names.push_back(folder + "/" + it->path().filename().string());
  }
  if (code) return fail(ErrorKind::Io, (top / folder).string() + ": " + code.message());
  for (const std::string& name : names) {
    if (fs::is_directory(standing_at(top / name))) {
      TRY_VOID(empty_folder(top, name, rescued));
    } else if (std::ranges::binary_search(rescued, name)) {
      TRY_VOID(remove_one(top / name));
    } else {
      return fail(conflict(name, "stands in the way and was not set aside"));
    }
  }
  return remove_one(top / folder);
}

}  // namespace

std::vector<std::string> find_obstacles(const Git& git, const std::vector<TreeChange>& changes) {
  std::vector<std::string> obstacles;
  for (const TreeChange& change : changes) {
    if (change.kind == 'D' || change.nested) continue;
    const std::string on_the_way = file_on_the_way(git.top(), change.path);
    const std::string& found = on_the_way.empty() ? change.path : on_the_way;
    const bool is_new = change.kind == 'A' || !on_the_way.empty();
    if (is_new && fs::exists(standing_at(git.top() / found))) obstacles.push_back(found);
  }
  std::ranges::sort(obstacles);
  const auto [first, last] = std::ranges::unique(obstacles);
  obstacles.erase(first, last);
  return obstacles;
}

Result<void> check_set_aside(const Git& git, const std::vector<std::string>& obstacles,
                             const std::vector<std::string>& rescued) {
  const auto check_one = [&](const std::string& path) -> Result<void> {
    const bool is_folder = fs::is_directory(standing_at(git.top() / path));
    if (is_folder || std::ranges::binary_search(rescued, path)) return {};
    return fail(conflict(path, "stands in the way and cannot be set aside"));
  };
  for (const std::string& obstacle : obstacles) {
    TRY_VOID(check_one(obstacle));
    std::error_code code;
    if (!fs::is_directory(standing_at(git.top() / obstacle))) continue;
    for (fs::recursive_directory_iterator it(git.top() / obstacle, code), end; !code && it != end;
         it.increment(code)) {
      TRY_VOID(check_one(it->path().lexically_relative(git.top()).string()));
    }
  }
  return {};
}

Result<void> check_no_repository_in_the_way(const Git& git, const std::vector<TreeChange>& changes) {
  for (const TreeChange& change : changes) {
    if (change.kind == 'D' || change.nested) continue;
    if (!fs::is_directory(standing_at(git.top() / change.path))) continue;
    if (is_repository(git.top() / change.path)) {
      return fail(conflict(change.path, "a repository stands in the way"));
    }
    std::error_code code;
    for (fs::recursive_directory_iterator it(git.top() / change.path, code), end; !code && it != end;
         it.increment(code)) {
      if (it->path().filename() == ".git") {
        return fail(conflict(change.path, "a repository in it stands in the way"));
      }
    }
  }
  return {};
}

Result<std::size_t> remove_files(const Git& git, const std::vector<std::string>& paths) {
  FolderChecks folders(git.top());
  std::size_t removed = 0;
  for (const std::string& path : paths) {
    if (!folders.is_reached_directly(path)) continue;
    const fs::file_status status = standing_at(git.top() / path);
    if (!fs::exists(status) || fs::is_directory(status)) continue;
    TRY_VOID(remove_one(git.top() / path));
    ++removed;
  }
  for (const std::string& path : paths) {
    if (file_on_the_way(git.top(), path).empty()) remove_empty_parents(git.top(), path);
  }
  return removed;
}

Result<void> make_room(const Git& git, const std::string& path, const std::vector<std::string>& rescued) {
  if (const std::string file = file_on_the_way(git.top(), path); !file.empty()) {
    if (!std::ranges::binary_search(rescued, file)) {
      return fail(conflict(file, "stands in the way and was not set aside"));
    }
    TRY_VOID(remove_one(git.top() / file));
  }
  const fs::file_status status = standing_at(git.top() / path);
  if (!fs::exists(status)) return {};
  if (fs::is_directory(status)) return empty_folder(git.top(), path, rescued);
  if (!std::ranges::binary_search(rescued, path)) {
    return fail(conflict(path, "stands in the way and was not set aside"));
  }
  return {};
}

Result<void> write_raw(const Workshop& workshop, const std::string& tree, const std::vector<std::string>& paths) {
  if (paths.empty()) return {};
  TRY_VOID(workshop.clear_index("out"));
  TRY_VOID(workshop.ask(Side::Raw, "out", {"read-tree", tree}));
  TRY_VOID(workshop.ask(Side::Raw, "out", {"checkout-index", "-f", "-z", "--stdin"}, join_nul(paths)));
  return {};
}

Result<void> install_details(const Git& git, const Snapshot& target, const std::vector<FileMode>& modes) {
  std::error_code code;
  const auto set_mode = [&](const std::string& path, unsigned mode) {
    if (!fs::is_regular_file(standing_at(git.top() / path))) return;
    fs::permissions(git.top() / path, static_cast<fs::perms>(mode), fs::perm_options::nofollow, code);
    if (code) fs::permissions(git.top() / path, static_cast<fs::perms>(mode), code);
  };
  for (const FileMode& file : modes) {
    const auto is_it = [&](const FileMode& other) { return other.path == file.path; };
    const unsigned usual = (file.mode & 0100u) != 0 ? 0755u : 0644u;
    if (std::ranges::none_of(target.modes, is_it)) set_mode(file.path, usual);
  }
  for (const FileMode& file : target.modes) set_mode(file.path, file.mode);
  if (code) return fail(ErrorKind::Io, "permissions cannot be set: " + code.message());
  for (const std::string& folder : target.folders) {
    if (!file_on_the_way(git.top(), folder + "/").empty()) continue;
    fs::create_directories(git.top() / folder, code);
    if (code) return fail(ErrorKind::Io, (git.top() / folder).string() + ": " + code.message());
  }
  return {};
}

}  // namespace reprise
