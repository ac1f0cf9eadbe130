// The repository that the git sweep strikes: a main checkout, lanes at work beside it, and a way to compare all of
// it.

#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace reprise {

/// Makes the repository in `folder`: `main` ahead of `base`; lane SL-1 with work not committed; SL-3 a bystander,
/// dirty in every way; SL-4 finished and clean, its head tagged SL-4-head.
void make_lane_world(const std::filesystem::path& folder);

/// Copies such a repository to another place, where it works as it did.
void copy_lane_world(const std::filesystem::path& from, const std::filesystem::path& to);

/// Returns what must not change when another lane is worked on: every file of main checkout and bystander, their
/// HEAD and index. `with_main` false: of the bystander only.
std::map<std::string, std::string> bystanders(const std::filesystem::path& folder, bool with_main);

/// Returns all that can be seen of the repository through git, without names that differ from run to run:
/// references with their trees, worktrees with branch and status, number of commits, lock files, records of calls,
/// notes.
std::string appearance(const std::filesystem::path& folder);

/// Returns what `git fsck` complains about; "" if nothing.
std::string fsck(const std::filesystem::path& folder);

}  // namespace reprise
