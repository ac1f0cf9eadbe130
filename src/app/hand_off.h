// The hand-off: what the next worker of a run would be told, without starting it.

#pragma once

#include <string>
#include <vector>

#include "app/app.h"
#include "app/systems.h"
#include "model/plan.h"

namespace reprise {

struct HandOff {
  std::string brief;              // Markdown; "" if the plan has nothing to do
  StepPath step;                  // whose brief it is
  std::vector<StepPath> besides;  // steps that could start at the same time
  std::vector<Waiting> before;    // what a person has to decide first
  Plan plan;
};

/// Returns the brief of the first step that a resume would start, a run's or that of work that was found. Writes
/// and records nothing. `journal` may be null.
Result<HandOff> hand_off(App& app, Journal* journal, const Meant& meant, const std::string& from);

}  // namespace reprise
