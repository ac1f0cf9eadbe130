// What a resume decides without a person, or shows a person to decide: which of several pieces of work is meant,
// why that one, what autopilot makes of a plan, and whether what was shown is still so. Pure: values in, values
// out.
//
// What always holds (resume_choice_test.cc):
//   - Of several the one that was active last is taken; of equals the one that stands first in the list. One that
//     wider work covers is taken only if there is no other. The others are named, each with the reason why not.
//   - Every sentence that autopilot decides by says which run, what and why; a warning is never left out of them.
//   - A difference between two plans is found by what they decide and find, never by how old they are.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/scan.h"
#include "model/plan.h"

namespace reprise {

/// Returns what of `found` can be resumed now: what is resumable and nobody works on, in the same order.
std::vector<Candidate> open_work(const std::vector<Candidate>& found);

/// Work that was not taken, and why not.
struct PassedOver {
  RunId id;
  std::string why;
};

struct ResumeChoice {
  std::size_t index = 0;  // into the list that was chosen from
  std::string why;
  std::vector<PassedOver> passed_over;  // in the order of the list
};

/// Returns the one that autopilot resumes (OR-09); nothing if there is none.
std::optional<ResumeChoice> choose_latest(std::span<const Candidate> open);

/// Returns what `choice` decides as one sentence per line, for people and for the run's log.
std::vector<std::string> words_for(const ResumeChoice& choice, std::span<const Candidate> open);

/// What autopilot does with a plan (OR-09).
enum class AutopilotCourse {
  AtOnce,        // clean, and younger than a day
  WithWarnings,  // resumed; what is not as it should be is logged
  Halt,          // a conflict: only a person goes on
};
struct AutopilotDecision {
  AutopilotCourse course = AutopilotCourse::AtOnce;
  std::vector<std::string> words;  // what was decided and why, then one line per warning or conflict
};
AutopilotDecision decide_as_autopilot(const Plan& plan);

/// Returns what the checks gave, in the seed's words: "clean", "2 warnings", "1 conflict, 2 warnings".
std::string validation_of(const Plan& plan);

/// Returns what may go wrong when this plan is carried out, one sentence each: findings, steps that go on with
/// what a cut-off attempt left, finished steps that are done again, people who have to be waited for.
std::vector<std::string> risks_of(const Plan& plan);

/// Whether a step was done once and has to be done or looked at again, because what it stands on is gone or
/// changed.
bool is_invalidated(const StepDecision& decision);
/// Whether some phases stay valid and others do not: the seed's partial resume.
bool is_partial(const Plan& plan);

/// Returns what is different now about work that was shown in a list, one sentence each; empty if nothing is.
std::vector<std::string> changes_of(const Candidate& shown, const Candidate& now);
/// Returns what `now` decides or finds otherwise than `shown`, one sentence each; empty if nothing.
std::vector<std::string> changes_of(const Plan& shown, const Plan& now);

}  // namespace reprise
