#include "executor/checkout.h"

namespace reprise {

CheckoutReader::CheckoutReader(FileReader& files, const RunSetup& setup)
    : files_(files), common_directory_(setup.store.parent_path()) {
  if (const Result<std::filesystem::path> found = read_git_directory(files, setup.project / ".git"))
    git_directory_ = *found;
}

std::string CheckoutReader::branch(const std::string& known) const {
  if (git_directory_.empty()) return "";
  std::string name = read_head_branch(files_, git_directory_);
  return name == known || has_branch(name) ? name : "";
}

bool CheckoutReader::has_branch(const std::string& name) const {
  return reprise::has_branch(files_, common_directory_, name);
}

}  // namespace reprise
