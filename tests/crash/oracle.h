// The oracle: compares a run that was struck and resumed with one that was not.
//
// It reads what the harness owns or what is on record: acknowledged lines, the effects of the steps, the
// journal. Each violation is a line that names the promise (reliability: P1 nothing acknowledged is lost,
// P2 nothing completed is done again, P4 the same end is reached, P5 the chain is intact).

#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness.h"

namespace reprise {

struct Scene;

/// What is on record at the end of a run, and what its steps did.
struct Ending {
  std::map<std::string, std::string> steps;  // status of each step and gate
  std::map<std::string, int> executions;     // of each step, over all attempts
  std::map<std::string, std::string> facts;  // what else the scene looks at: its state file, what people did
  std::string status;
  std::vector<std::string> faults;  // what does not fit together within this run already
};

/// Reads the end of the run of `scene` in `sandbox`.
Ending read_ending(const Sandbox& sandbox, const Scene& scene);

/// How many steps may have been executed again: those in flight when the guard died; none if it lived.
struct Allowance {
  int repeated = 0;
};

/// Returns the violations of `ending` against the undisturbed `golden`, a line each.
std::vector<std::string> compare(const Ending& golden, const Ending& ending, Allowance allowed);

}  // namespace reprise
