#include "git/git_pipes.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <system_error>

#include "base/strings.h"
#include "os/file_system.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

constexpr int kEntriesMax = 500'000;
constexpr std::size_t kFolderNameMax = 8192;
constexpr std::array<std::string_view, 3> kSettingsFiles = {".gitignore", ".gitattributes", ".gitmodules"};

bool is_pipe(const fs::path& path) {
  std::error_code error;
  return fs::is_fifo(fs::status(path, error));
}

bool is_settings_file(const fs::path& path) {
  return std::ranges::find(kSettingsFiles, path.filename().string()) != kSettingsFiles.end();
}

// Returns the first pipe below `folder` that `is_wanted`.
template <typename Wanted>
std::optional<fs::path> find_pipe_below(const fs::path& folder, Wanted&& is_wanted) {
  std::error_code error;
  int entries = 0;
  for (fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error), end;
       !error && it != end && entries < kEntriesMax; it.increment(error), ++entries) {
    if (it->path().filename() == ".git" && it.depth() == 0) it.disable_recursion_pending();
    if (is_wanted(it->path()) && is_pipe(it->path())) return it->path();
  }
  return std::nullopt;
}

// The folder that a worktree's file `.git`, or a file `commondir`, names.
std::optional<fs::path> folder_in(const fs::path& file, std::string_view mark) {
  const Result<std::string> text = PosixFileSystem().read(file, kFolderNameMax);
  if (!text || !text->starts_with(mark)) return std::nullopt;
  return file.parent_path() / trim(std::string_view(*text).substr(mark.size()));
}

}  // namespace

std::optional<fs::path> find_pipe_of_git(const fs::path& folder) {
  const auto is_any = [](const fs::path&) { return true; };
  std::error_code error;
  for (fs::path top = folder; !top.empty(); top = top.parent_path()) {
    const fs::path git = top / ".git";
    if (is_pipe(git)) return git;
    if (fs::exists(git, error)) {
      const fs::path own = folder_in(git, "gitdir: ").value_or(git);
      const fs::path common = folder_in(own / "commondir", "").value_or(own);
      for (const fs::path& each : {own, common}) {
        if (std::optional<fs::path> pipe = find_pipe_below(each, is_any)) return pipe->lexically_normal();
      }
      return find_pipe_below(top, is_settings_file);
    }
    if (top == top.parent_path()) break;
  }
  return std::nullopt;
}

}  // namespace reprise
