// Which branch a run works on, read from git's files: at the start of a session, after every step, for every plan.

#pragma once

#include <filesystem>
#include <string>

#include "executor/run_setup.h"
#include "git/git_files.h"
#include "os/file_system.h"

namespace reprise {

class CheckoutReader {
 public:
  /// `files` must outlive the reader.
  CheckoutReader(FileReader& files, const RunSetup& setup);

  /// Returns the branch that is checked out in the project; "" if HEAD is detached, if the branch has no commits,
  /// or without git. `known` is a branch that is taken to have commits, which saves looking for it.
  std::string branch(const std::string& known) const;
  /// Whether the repository has this branch.
  bool has_branch(const std::string& name) const;

 private:
  FileReader& files_;
  std::filesystem::path git_directory_;  // of the project; "" if it is not the root of a worktree
  std::filesystem::path common_directory_;
};

}  // namespace reprise
