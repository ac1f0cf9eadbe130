// Everything a recovery of a task pipeline is decided from: what the task list claims, and what was seen of git
// and of the files that its tasks name. The planner gets this and nothing else; what is not in here was not looked
// at, and nothing is taken from anybody's memory (TP-24).

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/time.h"
#include "model/task.h"

namespace reprise {

/// How a file that a task names looks now.
struct TaskFileSeen {
  bool exists = false;
  std::string digest;  // "sha256:…"; "" if it is not there or was not read
  Timestamp modified;
};

/// How the repository looks now.
struct TaskGitSeen {
  bool has_repository = false;
  std::string branch;  // that is checked out; "" if none is
  bool is_detached = false;
  std::string default_branch;                 // what commits are counted against; "" if not known
  std::vector<std::string> dirty;             // paths with uncommitted changes, relative to the project
  std::set<std::string> untracked;            // those of them that git does not know; a folder ends with "/"
  std::map<std::string, bool> commits;        // by id as claimed: whether HEAD has it; absent if not looked up
  std::optional<std::int64_t> ahead_of_base;  // commits of HEAD that the default branch lacks, where known
};

struct TaskSnapshot {
  std::string state_file;  // where the list is kept: a folder, a file, or "" for one in the journal
  TaskListClaims claims;
  TaskGitSeen git;
  std::map<std::string, TaskFileSeen> files;    // by path as the tasks name it; absent if not looked at
  std::map<std::string, std::string> verified;  // digests ("" for a file that is gone) at which files passed
  std::set<std::string> accepted;               // codes of findings that a person overruled as they are now
  std::string from;                      // the phase that the user wants to go on from; "" if none was given
  std::optional<Timestamp> last_resume;  // when the pipeline was resumed last, where that is on record
  Timestamp now;
};

}  // namespace reprise
