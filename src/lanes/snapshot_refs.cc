// Changing references.

#include "lanes/snapshot_refs.h"

namespace reprise {

Result<GitAnswer> change_refs(const Git& git, const std::vector<std::string>& arguments) {
  return git.run(arguments);
}

}  // namespace reprise
