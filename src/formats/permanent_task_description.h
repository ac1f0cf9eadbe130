// A permanent task's description: Markdown, in which real lists keep what has no place in the metadata.

#pragma once

#include <string>
#include <vector>

#include "model/task.h"

namespace reprise {

/// What a description says, where it says it in a form that can be told from prose.
struct PermanentDescription {
  std::vector<ClaimedPhase> phases;  // of a table with the columns Phase and Status, or of bullets; in order
  std::string tier;                  // fields "Tier", "Branch", "Repository", "Status" as written
  std::string branch;
  std::string repository;
  std::string status;
  std::vector<std::string> decisions;   // rows or items of a section about decisions
  bool names_older_phase = false;       // a phase beyond P8
  std::vector<TaskPhase> contradicted;  // phases that stand there twice, differently; the less finished counts
};
PermanentDescription read_permanent_description(const std::string& text);

}  // namespace reprise
