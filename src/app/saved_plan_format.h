// The file of a saved plan: JSON, the plan's own document beside what it stands on.

#pragma once

#include <string>
#include <string_view>

#include "app/saved_plan.h"
#include "base/time.h"

namespace reprise {

/// Returns the file's content: `saved` gives all but the plan.
std::string saved_plan_text(const SavedPlan& saved, const Plan& plan, Timestamp at, const std::string& by);

/// Returns a plan as it comes back from such a file, so that it can be compared with one that did.
Plan as_read_back(const Plan& plan);

/// Reads it back. Invalid with what is wrong, in a phrase. Pure.
Result<SavedPlan> parse_saved_plan(std::string_view bytes);

}  // namespace reprise
