// What git prints for programs, as values. The parsers take any bytes and never fail: what they do not know they
// leave out, because git adds to these formats.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "git/git.h"

namespace reprise {

/// One worktree, as `git worktree list` knows it.
struct WorktreeEntry {
  std::filesystem::path path;
  std::string head;                   // "" if it has none that can be read
  std::optional<std::string> branch;  // without refs/heads/; nothing: detached
  bool is_bare = false;
  bool is_locked = false;
};
/// Reads `git worktree list --porcelain -z`. The first one is the main worktree.
std::vector<WorktreeEntry> parse_worktree_list(std::string_view output);

/// What is not as it was committed.
struct StatusEntry {
  std::string code;  // two letters, as in `git status --short`, with "." for unchanged
  std::string path;
};
struct TreeStatus {
  std::vector<StatusEntry> changed;     // tracked: staged or modified or deleted
  std::vector<std::string> conflicted;  // unmerged
  std::vector<std::string> untracked;
  std::vector<std::string> ignored;
  /// Whether everything that is tracked is as committed.
  bool is_clean() const { return changed.empty() && conflicted.empty(); }
};
/// Reads `git status --porcelain=v2 -z`.
TreeStatus parse_status(std::string_view output);

/// A file that two sides changed differently; "" for a side that has no such file.
struct MergeConflict {
  std::string path;
  std::string ours;    // blob
  std::string theirs;  // blob
  bool operator==(const MergeConflict&) const = default;
};
struct MergeTree {
  std::string tree;
  std::vector<MergeConflict> conflicts;
};
/// Reads `git merge-tree --write-tree -z`.
MergeTree parse_merge_tree(std::string_view output);

/// Returns all worktrees of the repository.
Result<std::vector<WorktreeEntry>> list_worktrees(const Git& git);

/// What a worktree has checked out.
struct HeadState {
  std::string commit;                 // "" if there is none yet
  std::optional<std::string> branch;  // without refs/heads/; nothing: detached
};
Result<HeadState> head_of(const Git& git);

enum class Ignored { Skip, List };
/// Returns what is not as committed in this worktree, every untracked file by itself. Takes no lock.
Result<TreeStatus> status_of(const Git& git, Ignored ignored = Ignored::Skip, GitAccess access = GitAccess::Read);

/// Whether every commit of `ancestor` is in `descendant`.
Result<bool> is_ancestor(const Git& git, const std::string& ancestor, const std::string& descendant);

/// Returns what kind of trouble with a remote `said` is about: Unavailable (it cannot be reached; later may do),
/// Denied (it does not let us), Conflict (it holds what we do not), Io (anything else).
ErrorKind remote_trouble(std::string_view said);

/// Returns the NUL-separated names that a call printed.
std::vector<std::string> split_names(std::string_view output);

/// Returns "a.txt, b.txt and 3 more": names from outside, made safe to show.
std::string names_for_people(const std::vector<std::string>& names);

}  // namespace reprise
