// The forge port: where a finished lane goes. A merge into its base, or a pull request.
//
// open() can be repeated: it asks first whether the thing is there. Whoever calls it records the intent before and
// the outcome after; killed in between, the repeat finds what the first one made, and makes no second (P8).

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "git/ensure.h"
#include "git/git.h"

namespace reprise {

/// What is published, and where to.
struct PublishRequest {
  std::string branch;  // the lane's
  std::string head;    // its commit
  std::string base;    // the branch that it goes to
  std::string title;
  std::string body = {};
  std::string remote = "origin";
};

/// What became of it.
struct Published {
  std::string place;                          // the commit in the base, or the address of the pull request
  bool was_there = false;                     // found, not made
  std::vector<MergeConflict> conflicts = {};  // then nothing was published
};

class Forge {
 public:
  virtual ~Forge() = default;
  /// Publishes. Unavailable: the other side cannot be reached, later may do. Denied: it refuses. Conflict:
  /// somebody moved what we stand on. The error says which command was tried last.
  virtual Result<Published> open(const PublishRequest& request) = 0;
};

/// Merges into the base, here: serialised, by fast-forward where possible, conflicts as a value.
class LocalForge : public Forge {
 public:
  explicit LocalForge(const Git& git) : git_(git) {}
  Result<Published> open(const PublishRequest& request) override;

 private:
  const Git& git_;
};

/// Opens a pull request with the program of the forge, `gh`.
class GhForge : public Forge {
 public:
  explicit GhForge(const Git& git, std::string program = "gh") : git_(git), program_(std::move(program)) {}
  Result<Published> open(const PublishRequest& request) override;

 private:
  Result<std::string> call(std::vector<std::string> arguments, const std::string& input) const;
  Result<std::string> find(const PublishRequest& request) const;

  const Git& git_;
  std::string program_;
};

/// Returns the address of the first pull request in what `gh pr list --json url,number` printed; "" if there is
/// none. Invalid if it is not such a list.
Result<std::string> first_address(const std::string& output);

}  // namespace reprise
