// Named pipes where git reads: it would wait in them for ever.

#pragma once

#include <filesystem>
#include <optional>

namespace reprise {

/// Returns a named pipe that git may be waiting in when it reads the repository around `folder`: one among the
/// files of the repository itself, or one that is named like a file of settings in the worktree.
std::optional<std::filesystem::path> find_pipe_of_git(const std::filesystem::path& folder);

}  // namespace reprise
