// Adoption: the first events of a run whose work began elsewhere, as its state files tell it.
//
// Reading an adoption writes nothing. A plan of external work is made from these events in memory, and adopt()
// records the very same ones, so that a run begins with the state that its plan was shown for.

#pragma once

#include <string>
#include <vector>

#include "app/app.h"
#include "app/definitions.h"
#include "app/scan.h"

namespace reprise {

struct Adoption {
  Definition definition;
  std::vector<Event> events;       // RunCreated is the first
  std::vector<std::string> texts;  // to be stored: the events name them by digest
};

/// Reads the adoption of what scan_found() found. Fails if the state is too damaged to become a run.
Result<Adoption> read_adoption(App& app, const Candidate& candidate);

/// Records an adoption as a new run. Starts nothing and changes no file of the project.
Result<RunId> record_adoption(Journal& journal, const Candidate& candidate, const Adoption& adoption);

/// Reads and records the adoption of `candidate`.
Result<RunId> adopt(App& app, Journal& journal, const Candidate& candidate);

/// Returns the RunCreated of an adoption by `definition`, with the values that its inputs have by default.
RunCreated created_by_adoption(const Definition& definition, const Candidate& candidate);

/// Adds the state file at `path` (relative to the project, or absolute outside of it) with its content. Fails with
/// Unavailable while it is being written.
Result<void> add_state_file(App& app, const std::string& path, Adoption& adoption);

}  // namespace reprise
