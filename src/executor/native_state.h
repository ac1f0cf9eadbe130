// The system whose state file shows a run, and whose rules the run keeps.
//
// A run of the user's own workflows has none. For the others the journal stays the record; the file is written
// from it, and whatever somebody else writes into the file comes back as edits. What the system's own rules make
// of the run is a judgement: it is turned into events before the engine plans, so that both decide from the same
// record.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/event.h"
#include "model/plan.h"
#include "model/run_state.h"
#include "planner/graph.h"

namespace reprise {

/// What somebody's edit of the state file means. Lines are those of the file as it was found.
struct HandEdits {
  struct Approval {
    StepPath gate;
    int line = 0;
  };
  struct Answer {
    std::string question;
    std::string text;
    int line = 0;
  };
  struct Completed {
    StepPath step;
    std::vector<std::string> artifacts;
    int line = 0;
  };
  std::vector<Approval> approvals;
  std::vector<Answer> answers;
  std::vector<Completed> completed;  // claimed, to be compared with what is there
  std::vector<std::string> notes;
  bool cancel = false;
  std::vector<std::string> refused;  // what is not taken over: line and reason
};

/// What the system's rules make of a run.
struct Judgement {
  Plan plan;
  std::vector<Event> events;          // to be recorded before the engine plans
  std::optional<StepPath> ask_first;  // a gate that has to be decided before anything starts
};

class NativeState {
 public:
  virtual ~NativeState() = default;

  /// Returns `bytes` (empty: there is no file yet) with what they have to say of `state`, and every other byte as
  /// it was. The same state gives the same bytes, and showing twice changes nothing more. Pure.
  virtual Result<std::string> show(std::string_view bytes, const RunState& state) const = 0;

  /// Returns what was changed between two contents of the file. Corrupt or Invalid if `now` is no such file. Pure.
  virtual Result<HandEdits> edits(std::string_view before, std::string_view now, const RunState& state) const = 0;

  /// Says from where a person wants to go on, before judge() is asked; "" for where the rules find it.
  void resume_from(std::string from) { from_ = std::move(from); }
  /// Looks at the files that `bytes` name, and judges. Changes nothing.
  virtual Result<Judgement> judge(std::string_view bytes, const RunState& state, const Graph& graph) = 0;
  /// Returns what the file is to note when the run goes on, from what it said before; "" if nothing. Pure.
  virtual std::string resume_note(std::string_view /*before*/, Timestamp /*now*/) const { return ""; }

 protected:
  std::string from_;
};

/// Whether the run was found in its state file and nothing of it is on record yet: then the file is shown, and
/// judged, as it was found.
inline bool is_untouched(const RunState& state) {
  return state.adopted && state.steps.size() == 0 && state.gates.empty() && state.gaps.empty();
}

/// Returns a system's plan for a run that the journal knows better: of its findings those that `still_counts`, and
/// no decisions. What was done is on record; what others did meanwhile is still told.
template <typename StillCounts>
Plan only_findings(Plan plan, StillCounts still_counts) {
  Plan out{.id = plan.id, .source_file = plan.source_file, .age = plan.age};
  for (Finding& finding : plan.findings) {
    if (!still_counts(finding)) continue;
    if (finding.severity == Severity::Blocking) out.readiness = Readiness::Blocked;
    if (finding.severity == Severity::Warning && out.readiness == Readiness::Ready)
      out.readiness = Readiness::Confirm;
    out.findings.push_back(std::move(finding));
  }
  return out;
}

/// Returns the engine's plan in the words of the system: its rules and evidence where both decide the same, its
/// findings, and the stricter readiness.
Plan merge_plans(Plan own, const Plan& system);

}  // namespace reprise
