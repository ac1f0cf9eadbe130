// What git knows of files of the project at and since a point in time: older versions, who changed what, what is
// not committed. Asks only; every call takes no lock and writes nothing.
//
// Where there is no repository, no such version or no answer in time, nothing is returned: not known. Paths are
// taken literally, whatever is in them, and are relative to the project.

#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/app.h"
#include "git/git.h"

namespace reprise {

/// A commit that changed a file.
struct FileCommit {
  std::string commit;  // abbreviated
  std::string author;
};

class OrchestratorHistory {
 public:
  /// Nothing if the project is in no repository, or git cannot be asked.
  static std::optional<OrchestratorHistory> open(App& app);

  /// Returns the content of each of `paths` in its last commit until `time`. A path without one is left out.
  std::map<std::string, std::string> versions_at(Timestamp time, const std::vector<std::string>& paths) const;

  /// Returns for each of `paths` that was committed after `time` its newest commit. Commits that hold `own` as
  /// well, the state of the workflow that is asked about, are its own way of saving and do not count.
  std::map<std::string, FileCommit> changed_since(Timestamp time, const std::vector<std::string>& paths,
                                                  const std::string& own) const;

  /// Returns those of `paths` that a commit until `time` removed.
  std::set<std::string> removed_until(Timestamp time, const std::vector<std::string>& paths) const;

  /// Returns those of `paths` that are committed just as they are now.
  std::set<std::string> committed(const std::vector<std::string>& paths) const;

 private:
  OrchestratorHistory(Git git, std::string prefix) : git_(std::move(git)), prefix_(std::move(prefix)) {}
  std::optional<std::string> ask(std::vector<std::string> arguments, const std::vector<std::string>& paths,
                                 const std::string& input = "") const;
  std::string in_repository(const std::string& path) const { return prefix_ + path; }
  std::string in_project(const std::string& path) const;

  Git git_;
  std::string prefix_;  // of the project in the repository: "" or "sub/"
};

}  // namespace reprise
