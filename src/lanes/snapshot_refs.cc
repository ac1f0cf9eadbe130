// Changing references.

#include "lanes/snapshot_refs.h"

#include "git/locks.h"

namespace reprise {

Result<GitAnswer> change_refs(const Git& git, const std::vector<std::string>& arguments) {
  return run_recorded(git, arguments);
}

}  // namespace reprise
