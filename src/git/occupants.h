// Who works in a folder: processes whose current folder or open files lie below it.
//
// /proc shows this for our own processes; of others' only the name can be seen. "Nobody is there" therefore means:
// nobody of ours, which is what matters for trees and locks that belong to us.

#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace reprise {

/// One process at work.
struct Occupant {
  int pid = 0;
  std::string program;  // its short name
  std::string place;    // the folder or file through which it was found; "" if it could not be read
};

/// Returns the processes whose current folder or open files are `folder` or lie below it. `folder` is absolute and
/// free of links.
std::vector<Occupant> occupants_of(const std::filesystem::path& folder);

/// Where the owner of a lock would be found.
struct LockScope {
  std::vector<std::filesystem::path> folders = {};  // a git that works below one of these …
  std::vector<std::filesystem::path> besides = {};  // … but not below one of these, which are other worktrees
};

/// Returns the living processes of this user that could hold a lock of git at `lock`: every one that has it open,
/// and every one called git… that works in `scope` or does not let itself be looked at. Git's own background
/// services, which hold no locks, do not count.
std::vector<Occupant> possible_owners(const std::filesystem::path& lock, const LockScope& scope);

/// Returns "git (4711), vim (4712)", at most a few of them.
std::string to_text(std::span<const Occupant> occupants);

/// Whether `path` is `folder` or lies below it; both absolute and normal.
bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace reprise
