// A whole folder as a value: what a program that only looks must leave as it was.

#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "world.h"

namespace reprise::cli_test {

/// Each path below the folder with its kind, permissions and content.
using Tree = std::map<std::string, std::string>;

inline Tree tree_of(const fs::path& root) {
  Tree tree;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    const fs::file_status status = entry.symlink_status();
    std::string& seen = tree[entry.path().lexically_relative(root).string()];
    seen = std::to_string(static_cast<int>(status.type())) + " " +
           std::to_string(static_cast<unsigned>(status.permissions())) + "\n";
    if (fs::is_symlink(status)) seen += fs::read_symlink(entry.path()).string();
    if (fs::is_regular_file(status)) seen += slurp(entry.path());
  }
  return tree;
}

/// Fails for each path that is gone, was made or was changed.
inline void expect_same_tree(const Tree& before, const Tree& after) {
  for (const auto& [path, seen] : before) {
    const auto found = after.find(path);
    if (found == after.end()) {
      ADD_FAILURE() << path << " is gone";
    } else {
      EXPECT_EQ(found->second, seen) << path << " was changed";
    }
  }
  for (const auto& [path, seen] : after) EXPECT_TRUE(before.contains(path)) << path << " was made";
}

}  // namespace reprise::cli_test
