// Real repositories with dirty worktrees in them, made from a number, and everything that can be seen of a
// worktree.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "testing/strength.h"

namespace reprise {

/// A folder for one test, in memory where the system offers that; gone when the test is.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Runs git as a person would, with an identity and no configuration but the repository's. Returns what it
/// printed, without the last newline; a call that fails ends the test program, unless `may_fail`.
std::string git_in(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
                   bool may_fail = false);

void write_file(const std::filesystem::path& path, std::string_view bytes);
std::string read_bytes(const std::filesystem::path& path);

/// A repository with three commits and `lanes` lanes: `<folder>/main` and `<folder>/lane-<n>` on branch lane/<n>.
struct Repository {
  std::filesystem::path main;
  std::vector<std::filesystem::path> lanes;
  std::string base;  // the commit that the lanes begin at
};
Repository make_repository(const std::filesystem::path& folder, int lanes);

/// What can be done to a worktree.
enum class Dirt {
  Staged,
  Unstaged,
  Untracked,
  IgnoredListed,
  Deleted,
  Conflict,
  Detached,
  LaterCommit,
  Submodule,
  NestedRepository,
  Stash,
  ExecutableBits,
  Links,
  OddNames,
  LineEndings,
  Filter,
  Keyword,
  EmptyFolders,
  TypeChanges,
  Announced,
  Flags,
  PrivateModes,
  ForeignInTheWay,
  kCount,
};
std::string_view name_of(Dirt dirt);

/// The ignored paths that `Dirt::IgnoredListed` makes.
std::vector<std::string> listed_paths();

/// Makes a worktree dirty in one way.
void make_dirty(const std::filesystem::path& worktree, Dirt dirt, std::mt19937& random);
/// Chooses some ways from the number, and makes the worktree dirty in all of them. Returns their names.
std::string make_dirty(const std::filesystem::path& worktree, std::uint32_t seed);

/// Everything that can be seen of a worktree: bytes, modes, links, index, HEAD, branch, stash, notes of a merge,
/// and the references that are not ours. The key says what it is.
using Sight = std::map<std::string, std::string>;
enum class Look { Everything, FilesOnly };
Sight look_at_worktree(const std::filesystem::path& worktree, Look look = Look::Everything);
/// Says where two sights differ; "" if nowhere.
std::string difference(const Sight& before, const Sight& after);

}  // namespace reprise
