// Git as typed calls, always through the git program.
//
// Our calls are not the user's: no hooks, no pager, no editor, no prompts, no signing, no file-system monitor, no
// maintenance in the background; messages in English; GIT_* variables of the surroundings do not reach them. What
// a call writes is on the disk when it returns (P27): git's own default leaves loose objects and references to
// the page cache, and a journal that says "committed as X" over that would lie after a power cut.
//
// A call reads unless it says otherwise, and reading starts no program that the repository configures (P39); see
// GitAccess.
//
// Git is not made to be repeated after a kill: it stops at locks and half-made branches that its own earlier self
// left behind. Everything that changes a repository therefore goes through the ensure-operations of ensure.h,
// never through run() directly.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "os/file_system.h"

namespace reprise {

/// How one call of git ended.
struct GitAnswer {
  int exit_code = 0;
  std::string output;
  std::string errors;     // what it said on standard error, without the trailing newline
  std::string full = {};  // the folder whose file system has no space left, if that made git fail
  bool ok() const { return exit_code == 0; }
};

/// What a call may do.
enum class GitAccess {
  /// Looks at a repository that nobody vouches for. Starts no filter, text conversion, external diff, signature
  /// check or merge of a submodule's settings, fetches nothing, takes no lock. A file that has a filter is
  /// compared
  /// as it lies on the disk, so that it counts as changed if its time or size is not the one in the index.
  Read,
  /// Changes nothing, but compares files through their filters and fetches missing objects: for commands that the
  /// user lets work in the repository.
  Inspect,
  /// Changes the repository.
  Change,
};

/// What a call needs besides its arguments.
struct GitOptions {
  std::string input = {};                     // given on standard input
  std::vector<std::string> environment = {};  // added: "GIT_INDEX_FILE=…"
  GitAccess access = GitAccess::Read;
  int held_fd = -1;                      // a lock that the call and its children keep as long as they live
  std::optional<Duration> timeout = {};  // nothing: ten minutes to read, else as long as it takes
};

/// One worktree of one repository.
class Git {
 public:
  /// Finds the repository that `folder` lies in. NotFound if it lies in none, Unavailable if there is no git.
  static Result<Git> open(const std::filesystem::path& folder);

  /// The worktree's root; empty for a bare repository.
  const std::filesystem::path& top() const { return top_; }
  /// What belongs to this worktree alone: its HEAD, its index.
  const std::filesystem::path& git_dir() const { return git_dir_; }
  /// What all worktrees share: objects, references, configuration.
  const std::filesystem::path& common_dir() const { return common_dir_; }
  bool is_bare() const { return top_.empty(); }

  /// Runs git in this worktree. An error only if git could not be run, was killed or timed out.
  Result<GitAnswer> run(std::vector<std::string> arguments, const GitOptions& options = {}) const;
  /// The same, for calls that must succeed: returns what it printed, without the trailing newline. The error holds
  /// git's own words.
  Result<std::string> ask(std::vector<std::string> arguments, const GitOptions& options = {}) const;

  /// Returns the commit that `name` stands for, 40 or 64 digits; nothing if there is none. Io if git says that
  /// there is one and does not name it, as when its output is lost.
  Result<std::optional<std::string>> commit_of(std::string_view name) const;
  /// Returns the branch that is checked out, without refs/heads/; nothing if HEAD is detached.
  Result<std::optional<std::string>> branch() const;
  /// Returns the value of a configuration variable; nothing if it is not set.
  Result<std::optional<std::string>> config(const std::string& name) const;

 private:
  Git(std::filesystem::path top, std::filesystem::path git_dir, std::filesystem::path common_dir)
      : top_(std::move(top)), git_dir_(std::move(git_dir)), common_dir_(std::move(common_dir)) {}

  std::filesystem::path top_;
  std::filesystem::path git_dir_;
  std::filesystem::path common_dir_;
};

/// Whether what git `said` is about the disk: full, over quota, or failing.
bool is_storage_trouble(std::string_view said);

/// Returns the error for a call that git refused: its first word, and what git said.
Error git_refusal(const std::vector<std::string>& arguments, const GitAnswer& answer);

/// Whether `text` is the name of an object in full: 40 or 64 hexadecimal digits.
bool is_object_id(std::string_view text);

/// Returns the error for a call that succeeded by its exit code and whose `output` cannot be its answer. Output is
/// lost when git cannot write to its pipe; an empty answer is no answer.
Error unusable_answer(std::string_view command, std::string_view output);

/// Whether `name` is a branch name that Reprise makes or takes: parts of [A-Za-z0-9._-] separated by "/", none
/// beginning with "-" or ".", none ending in "." or ".lock", no "..", not "HEAD", at most 200 bytes. Stricter than
/// git, so that a name is never an option, a path out of its folder, or a revision expression.
bool is_branch_name(std::string_view name);

}  // namespace reprise
