// Changes to a playbook's state file, and a fresh one: bytes in, bytes out.
//
// Each function changes what it is named after and leaves every other byte alone (F2), in whatever form the
// file has: bullets or tables, any order of columns, the usual heading or a synonym. A section that is missing
// is added at the end. Invalid: the bytes are not a playbook's state file; nothing else can fail.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace reprise {

struct FieldChange {
  std::string_view key;  // as documented: "current_stage"
  std::string_view value;
};

/// Sets a header field, under whatever synonym it stands; adds it below the last one if there is none.
Result<std::string> set_header_field(std::string_view bytes, FieldChange change);
/// Sets a field of the Current Stage Detail.
Result<std::string> set_detail_field(std::string_view bytes, FieldChange change);

struct CompletedStage {
  std::string stage;
  Timestamp completed_at;
  std::vector<std::string> artifacts;
  std::string hash;  // "sha256:…", "" if there is none
};
/// Adds a row to the completed stages. Rows that are there are never changed.
Result<std::string> append_completed_stage(std::string_view bytes, const CompletedStage& stage);

struct IterationCount {
  std::string stage;
  int cycles = 0;
  int budget = 0;
  std::string status;
};
/// Sets the row of a stage in the iteration counts, or adds it.
Result<std::string> set_iteration_count(std::string_view bytes, const IterationCount& count);

/// Ticks the box of a checkpoint, named without its remark, or approves its row among the stages; adds a ticked
/// box if there is neither.
Result<std::string> tick_checkpoint(std::string_view bytes, std::string_view name);
/// Unticks the boxes of checkpoint `name`, which nobody has approved.
Result<std::string> untick_checkpoint(std::string_view bytes, std::string_view name);

/// Adds a paragraph to the notes.
Result<std::string> append_note(std::string_view bytes, std::string_view note);

struct NewPlaybook {
  std::string run_id;
  std::string feature;
  std::string coordinator_mode = "pipeline";
  std::string spec_version;
  std::string spec_hash;  // "" if the spec is not approved yet
  Timestamp started_at;
  std::string current_stage = "spec";
  std::vector<std::string> checkpoints;  // their boxes, not ticked
};
/// Returns the file of a run that begins now.
std::string new_playbook_file(const NewPlaybook& run);

}  // namespace reprise
