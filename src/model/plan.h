// A plan: what a resume would do with each step and why, what does not fit, and where it would go on.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/rare.h"
#include "base/time.h"
#include "model/ids.h"
#include "model/status.h"

namespace reprise {

enum class Decision { Keep, Run, Rerun, Continue, Verify, Wait, Refuse };
enum class Severity { Blocking, Warning, Info };
enum class Readiness { Ready, Confirm, Wait, Blocked, Fresh, Done };

inline constexpr TokenTable<Decision, 7> kDecisionTokens = {{{Decision::Keep, "keep"},
                                                             {Decision::Run, "run"},
                                                             {Decision::Rerun, "rerun"},
                                                             {Decision::Continue, "continue"},
                                                             {Decision::Verify, "verify"},
                                                             {Decision::Wait, "wait"},
                                                             {Decision::Refuse, "refuse"}}};
inline constexpr TokenTable<Severity, 3> kSeverityTokens = {
    {{Severity::Blocking, "blocking"}, {Severity::Warning, "warning"}, {Severity::Info, "info"}}};
inline constexpr TokenTable<Readiness, 6> kReadinessTokens = {{{Readiness::Ready, "ready"},
                                                               {Readiness::Confirm, "confirm"},
                                                               {Readiness::Wait, "wait"},
                                                               {Readiness::Blocked, "blocked"},
                                                               {Readiness::Fresh, "fresh"},
                                                               {Readiness::Done, "done"}}};

constexpr std::string_view to_token(Decision decision) { return token_in(kDecisionTokens, decision); }
constexpr std::string_view to_token(Severity severity) { return token_in(kSeverityTokens, severity); }
constexpr std::string_view to_token(Readiness readiness) { return token_in(kReadinessTokens, readiness); }

/// Something that was looked at: `kind` is file, exit, event, gate, process or definition.
struct Evidence {
  std::string kind;
  std::string subject;
  std::string seen;
};

/// What the journal says of a step, in few bytes: nearly every decision of a large run stands on this alone.
struct RecordSeen {
  enum class What : std::uint8_t {
    Nothing,
    Untried,
    Succeeded,
    Running,
    Ended,
    CutOff,
    Stopped,
    Skipped,
    DidNotSucceed
  };
  What what = What::Nothing;  // not evidence of this decision
  std::int32_t attempts = 0;
  std::optional<std::int32_t> exit_code = {};
  std::int32_t signal = 0;
};

struct StepDecision {
  std::string stage;  // the stage's own name
  StepPath step;
  Decision decision = Decision::Run;
  std::int32_t leaf = -1;         // its node in the graph that the plan was made with; -1: none
  std::string_view rule = {};     // label of the rule, a constant of the rule table
  std::string_view ground = {};   // the rule's own words, a constant as well
  Rare<std::string> detail = {};  // what they say of this step: which file, which error
  RecordSeen record = {};
  Rare<std::vector<Evidence>> seen = {};  // besides the record
  Rare<std::string> lane = {};            // name of the lane that it works in; "": the project's own tree

  /// Returns why, as one sentence.
  std::string reason() const { return std::string(ground) + detail.get(); }
  /// Returns everything the decision stands on.
  std::vector<Evidence> evidence() const;
};

struct Finding {
  std::string rule;
  std::string code;
  Severity severity = Severity::Info;
  std::string message;
  std::string claimed;
  std::string seen;
  std::string remedy;
};

/// Something that only a person can give.
struct Waiting {
  std::string kind;  // gate or question
  std::string name;
  std::string ask;
};

struct PlanOption {
  std::string action;
  std::string command;  // a shell command that works when pasted
};

struct Plan {
  RunId id;
  Readiness readiness = Readiness::Ready;
  std::vector<StepDecision> decisions;      // in the order of the definition
  std::optional<std::size_t> resume_point;  // index into decisions
  std::optional<int> iteration;             // of the resume point, where it is in a loop
  std::vector<Finding> findings;
  std::vector<Waiting> waiting_for;
  std::vector<PlanOption> options;
  std::string source_file;  // the definition
  Duration age{0};          // since the run's last event
  int saved_steps = 0;      // kept, and what the last attempt of each took and cost
  Duration saved_time{0};
  double saved_usd = 0;
  int again_steps = 0;  // begun before and done from their start again, and what the last attempt of each took
  Duration again_time{0};
  double again_usd = 0;
};

enum class AgeClass { Fresh, Recent, Moderate, Stale };
inline constexpr TokenTable<AgeClass, 4> kAgeClassTokens = {{{AgeClass::Fresh, "fresh"},
                                                             {AgeClass::Recent, "recent"},
                                                             {AgeClass::Moderate, "moderate"},
                                                             {AgeClass::Stale, "stale"}}};
constexpr std::string_view to_token(AgeClass age) { return token_in(kAgeClassTokens, age); }
/// fresh < 1 h, recent < 24 h, moderate < 7 days, stale beyond (OR-05).
constexpr AgeClass age_class(Duration age) {
  if (age < std::chrono::hours(1)) return AgeClass::Fresh;
  if (age < std::chrono::hours(24)) return AgeClass::Recent;
  if (age < std::chrono::hours(24 * 7)) return AgeClass::Moderate;
  return AgeClass::Stale;
}

/// Returns what people are told of an edit of the state file that was not taken over.
std::string words_for_refused_edit(const std::string& file, const std::string& refused, const std::string& kept);

}  // namespace reprise
