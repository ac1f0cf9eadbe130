// What git's own files say, read without starting git: every session, every plan and every scan asks.
//
// Known are references that are kept as files, loose or packed. A repository that keeps them otherwise (reftable)
// has no branches as far as this can tell.

#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "os/file_system.h"

namespace reprise {

/// Returns the folder that `dot_git` stands for: itself, or where the file of a linked worktree points to. Fails
/// with Corrupt if that file is not a pointer.
Result<std::filesystem::path> read_git_directory(FileReader& files, const std::filesystem::path& dot_git);

/// Returns the branch that the file HEAD in `git_directory` names, without refs/heads/, whether or not it has a
/// commit yet; "" if HEAD is detached or cannot be read.
std::string read_head_branch(FileReader& files, const std::filesystem::path& git_directory);

/// Whether the repository with this common directory has a branch `name`, with at least one commit.
bool has_branch(FileReader& files, const std::filesystem::path& common_directory, const std::string& name);

}  // namespace reprise
