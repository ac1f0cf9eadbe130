#include "git/git_files.h"

#include <algorithm>

#include "base/strings.h"

namespace reprise {
namespace {

constexpr std::size_t kPointerBytesMax = 1 << 16;
constexpr std::size_t kPackedBytesMax = 16 << 20;

}  // namespace

Result<std::filesystem::path> read_git_directory(FileReader& files, const std::filesystem::path& dot_git) {
  const std::optional<FileInfo> info = TRY(files.stat(dot_git));
  if (!info || info->type != FileType::Regular) return dot_git;
  const std::string text = TRY(files.read(dot_git, kPointerBytesMax));
  const std::string_view line = trim(text);
  if (!line.starts_with("gitdir:")) return fail(ErrorKind::Corrupt, dot_git.string() + " is not a git pointer");
  return (dot_git.parent_path() / trim(line.substr(7))).lexically_normal();
}

std::string read_head_branch(FileReader& files, const std::filesystem::path& git_directory) {
  constexpr std::string_view kBranch = "ref: refs/heads/";
  const Result<std::string> head = files.read(git_directory / "HEAD", kPointerBytesMax);
  const std::string_view line = head ? trim(*head) : "";
  return line.starts_with(kBranch) ? std::string(line.substr(kBranch.size())) : "";
}

bool has_branch(FileReader& files, const std::filesystem::path& common_directory, const std::string& name) {
  if (name.empty() || name.front() == '/' || name.find("..") != std::string::npos) return false;
  const Result<std::optional<FileInfo>> loose = files.stat(common_directory / "refs/heads" / name);
  if (loose && *loose && (*loose)->type == FileType::Regular) return true;
  const Result<std::string> packed = files.read(common_directory / "packed-refs", kPackedBytesMax);
  const std::string wanted = " refs/heads/" + name;
  return packed &&
         std::ranges::any_of(split(*packed, '\n'), [&](std::string_view line) { return line.ends_with(wanted); });
}

}  // namespace reprise
