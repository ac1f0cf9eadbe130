// Finds interrupted work: the runs of this project's journal, and what the state files of other systems
// tell. One list, whatever wrote it (ALL-01).
//
// Scanning reads the state files and nothing else: no artifact is looked at, nothing is executed, nothing
// is written. What a candidate is worth is the plan's to say.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/app.h"
#include "base/result.h"
#include "model/plan.h"
#include "model/status.h"

namespace reprise {

/// One piece of work that was found.
struct Candidate {
  RunId id;
  std::string system;  // playbook, spec-loop … or own
  std::string workflow;
  std::string subject;
  std::string state_file;     // relative to the project; the definition of an own run
  std::string native_status;  // as the file words it
  RunStatus status = RunStatus::Unknown;
  std::string stage;  // "" if it does not say
  std::optional<int> iteration;
  std::optional<int> iteration_max;
  Timestamp updated_at;
  Duration age{0};
  int priority = 3;
  bool resumable = false;
  std::string why;
  bool damaged = false;
  std::vector<std::string> other_files;  // further state files of the same subject, older ones
  std::string about;                     // what its description says, for matching
  std::string variant;                   // its tier, where it has one
  std::string covered_by;                // the id of wider work that goes on with this too; "" if none does
  std::string plan_file;                 // of a lane: the phase plan that a person names; "" for the records' own
  std::string publish;                   // of a lane: how a person wants it published; "" for the records' own
};

/// A file that looked like a state file and is none.
struct IgnoredFile {
  std::string path;
  std::string why;
  bool is_at_state_place = true;  // where only a state is expected, so that a plain list names it
  bool is_closed = false;         // it could not be opened: what is in it is not known
};

struct ScanResult {
  std::vector<Candidate> candidates;  // by priority, then newest first
  std::vector<IgnoredFile> ignored;
};

struct ScanRequest {
  std::string system;  // "": all
  std::string about;   // only what this describes; "": all
  bool all = false;    // finished work too
};

/// Returns what was found. Only a project that cannot be read is an error: a file that cannot be is a
/// damaged candidate.
Result<ScanResult> scan(App& app, const ScanRequest& request);

/// Returns the work of other systems alone, finished work included; `all` adds task lists of other projects.
Result<ScanResult> scan_found(App& app, bool all = false);

/// Whether `text`, a description in a person's words, speaks of the work that is named and described so.
bool is_about(std::string_view text, std::string_view subject, std::string_view description);

}  // namespace reprise
