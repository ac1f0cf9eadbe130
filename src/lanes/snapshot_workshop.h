// The workshop: a folder of our own below a worktree's git directory where snapshots are made and unpacked.
//
// It holds indexes that are not the user's, and a git directory that shares the repository's objects but has
// attributes of its own, which say "no conversion" for every file. Git run with it takes and gives bytes as they
// are on disk: that is how a snapshot gets around filters, line endings and keywords without reading a file
// itself.
//
// One process at a time, by a kernel lock that the git calls hold too. So a lock file found here belongs to
// nobody.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "git/git.h"
#include "os/file_system.h"

namespace reprise {

inline constexpr std::size_t kIndexBytesMax = 1u << 30;

/// One entry of an index, as `git ls-files -v -s` tells it; or, with stage -1, a path that is in none.
struct IndexEntry {
  char tag = 'H';  // H: as usual; S: not checked out; h, s: assumed unchanged; M: unmerged
  std::string mode;
  std::string object;
  int stage = 0;
  std::string path;
  bool is_other() const { return stage < 0; }
  bool is_nested() const { return mode == "160000"; }
};

/// Reads the output of `git ls-files -v -s -z`, also with others in it.
Result<std::vector<IndexEntry>> parse_entries(std::string_view output);
/// Returns the line that `git update-index -z --index-info` reads for an entry.
std::string index_info_line(std::string_view mode, std::string_view object, int stage, std::string_view path);
/// Returns the parts of a text that is separated (or ended) by NUL bytes, without empty ones.
std::vector<std::string> split_nul(std::string_view text);
/// Returns `items`, each followed by a NUL byte.
std::string join_nul(const std::vector<std::string>& items);

class Workshop {
 public:
  /// Whether git sees the user's repository, or only bytes.
  enum class Side { Repository, Raw };

  /// Opens the workshop of `git`'s worktree, waiting for whoever is in it. Invalid if there is no worktree.
  static Result<Workshop> open(const Git& git);

  const Git& git() const { return git_; }
  /// Returns the path of a file of ours.
  std::filesystem::path file(std::string_view name) const { return folder_ / name; }

  /// Runs git with our index `index`; "": the user's own.
  Result<GitAnswer> run(Side side, const std::string& index, std::vector<std::string> arguments,
                        std::string input = {}) const;
  /// The same, for calls that must succeed. Returns all that was printed, byte by byte.
  Result<std::string> ask(Side side, const std::string& index, const std::vector<std::string>& arguments,
                          std::string input = {}) const;
  /// The same for calls that print one line: returns it.
  Result<std::string> ask_line(Side side, const std::string& index, const std::vector<std::string>& arguments,
                               std::string input = {}) const;

  /// Makes our index `index` a copy of the user's, with its time, by which git knows what it has to look at again.
  Result<void> copy_index_to(const std::string& index) const;
  /// Makes our index `index` an empty one.
  Result<void> clear_index(const std::string& index) const;
  /// Makes a commit of ours, which anybody would make the same way: fixed author, time as given in milliseconds.
  Result<std::string> make_commit(const std::string& tree, const std::vector<std::string>& parents,
                                  const std::string& message, Timestamp time) const;

 private:
  Workshop(Git git, std::filesystem::path folder, FileLock lock)
      : git_(std::move(git)), folder_(std::move(folder)), lock_(std::move(lock)) {}
  Result<void> furnish() const;
  Result<void> remove_locks() const;

  Git git_;
  std::filesystem::path folder_;
  FileLock lock_;
};

}  // namespace reprise
