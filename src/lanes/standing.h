// What stands at a path, without following a link.

#pragma once

#include <filesystem>

namespace reprise {

/// Returns what is there; file_type::not_found or ::none where nothing is, or nothing may be seen.
inline std::filesystem::file_status standing_at(const std::filesystem::path& path) {
  std::error_code code;
  return std::filesystem::symlink_status(path, code);
}

/// Whether a folder is a repository or a worktree of its own.
inline bool is_repository(const std::filesystem::path& folder) {
  return std::filesystem::exists(standing_at(folder / ".git"));
}

}  // namespace reprise
