// Everything a plan for a playbook is made from: what its state file claims, and what was seen of the
// files that it names. The planner gets this and nothing else.

#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/time.h"
#include "model/playbook.h"

namespace reprise {

/// How the spec compares with the recorded hash.
enum class SpecSeen {
  Same,        // one of the two ways to hash it gives the recorded digest
  Changed,     // neither does
  NotPinned,   // no hash is recorded: nothing can be told
  Unreadable,  // what is recorded is no digest (too short, a word): it equals nothing
  Missing,     // there is no spec
};

/// How a file that a stage names looks now.
struct ArtifactSeen {
  bool exists = false;
  bool complete = false;  // it passes the check that is declared for it
  std::string fault;      // what the check found, "" if nothing
  std::string digest;     // "sha256:…", "" if it is not there
};

struct PlaybookSnapshot {
  std::string subject;     // the feature's folder
  std::string state_file;  // relative to the project
  PlaybookClaims claims;
  int cut_off_line = 0;  // the file's last line, where it is a row of a table that does not end; 0: it is not
  Timestamp now;
  Timestamp file_time;  // of the state file, where it gives no time of its own

  SpecSeen spec = SpecSeen::NotPinned;
  std::string spec_file;    // relative to the project
  std::string spec_digest;  // as it is now; of the content where that matched
  std::string spec_method;  // which way of hashing matched: "raw" or "content"
  int open_markers = 0;     // [NEEDS CLARIFICATION] in it
  bool constitution_completed = false;
  std::string constitution_fault;                  // why not
  std::map<std::string, ArtifactSeen> artifacts;   // by path as the file names it
  std::map<std::string, ArtifactSeen> of_current;  // the same for what a stage makes by default, by stage
  std::set<std::string> made_for_other_spec;       // stages done before a person accepted another spec
  std::vector<std::string> other_state_files;      // of the same feature
};

}  // namespace reprise
