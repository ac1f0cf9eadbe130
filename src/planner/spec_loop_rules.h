// The spec loop's rules: from the index's status, and what is seen beside it, to the phase where the loop goes on.
//
// The seed's table stays a table, with the corrections that its companions force (docs/rules.md has a paragraph
// per label): an index that says `not_started`, or is not there yet, never leads to a second feature; whether a
// validation is the first one is told by traces of the loop, not by the iteration alone; answers that were
// received are applied before anything else; a status that is missing or unknown is never a fresh start. The rows
// exclude one another, and the test walks every situation there is: each meets exactly one row, each row is met.
//
// Pure: no clock, no disk.

#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "model/plan.h"
#include "model/spec_loop.h"

namespace reprise {

/// One phase of the loop: in the order in which they come. B1 to B5 are gone through once per iteration.
struct LoopPhase {
  std::string_view name;
  std::string_view does;
};
inline constexpr std::array kLoopPhases = {
    LoopPhase{"A1", "scaffold the feature"},
    LoopPhase{"A2", "write the spec"},
    LoopPhase{"A3", "validate it"},
    LoopPhase{"A4", "make the checklist"},
    LoopPhase{"A5", "classify the gaps"},
    LoopPhase{"B1", "ask the questions"},
    LoopPhase{"B2", "apply the answers"},
    LoopPhase{"B3", "validate again"},
    LoopPhase{"B4", "look whether it is done"},
    LoopPhase{"B5", "save the iteration"},
    LoopPhase{"C1", "complete"},
};

enum class LoopIndex { Absent, Present };
/// Whether anything of the feature is there already: its directory or its branch.
enum class LoopPlace { New, Existing };
enum class LoopSpec { Missing, Exists };
/// Whether a question waits for a person.
enum class LoopQuestions { None, Open };
/// Whether there is an answer that was not applied.
enum class LoopAnswers { None, Received };
/// Whether the loop left a trace: a later iteration, a resolved gap, an answered question, history.
enum class LoopTrace { None, Seen };

struct LoopSituation {
  LoopIndex index = LoopIndex::Present;
  LoopPlace place = LoopPlace::Existing;
  LoopStatus status = LoopStatus::Missing;
  LoopSpec spec = LoopSpec::Missing;
  LoopQuestions questions = LoopQuestions::None;
  LoopAnswers answers = LoopAnswers::None;
  LoopTrace trace = LoopTrace::None;
};

/// A row: a fact that is not given fits everything.
struct LoopRow {
  std::string_view label;
  LoopIndex index = LoopIndex::Present;
  std::optional<LoopPlace> place = {};
  std::optional<LoopStatus> status = {};
  std::optional<LoopSpec> spec = {};
  std::optional<LoopQuestions> questions = {};
  std::optional<LoopAnswers> answers = {};
  std::optional<LoopTrace> trace = {};
  std::string_view phase = {};  // "": there is nothing to go on with
  Decision decision = Decision::Refuse;
  Readiness readiness = Readiness::Ready;  // where no finding stands against it
  std::string_view reason = {};
};

// clang-format off
inline constexpr std::array kSpecLoopRows = {
    LoopRow{.label = "SL-03 new", .index = LoopIndex::Absent, .place = LoopPlace::New, .phase = "A1",
            .decision = Decision::Run, .readiness = Readiness::Fresh,
            .reason = "nothing of the feature is there yet"},
    LoopRow{.label = "SL-03 scaffold cut", .index = LoopIndex::Absent, .place = LoopPlace::Existing,
            .phase = "A1", .decision = Decision::Continue,
            .reason = "scaffolding was cut off before its index was there; it goes on in what is there"},
    LoopRow{.label = "SL-03 no status", .status = LoopStatus::Missing, .readiness = Readiness::Blocked,
            .reason = "the index gives no loop status, so nothing says that it may go on"},
    LoopRow{.label = "SL-03 unknown status", .status = LoopStatus::Unknown, .readiness = Readiness::Blocked,
            .reason = "the index's loop status is not one that is known"},
    LoopRow{.label = "SL-03 not started", .status = LoopStatus::NotStarted, .phase = "A1",
            .decision = Decision::Continue,
            .reason = "the loop has not started; it begins in the feature that is there, no second one is made"},
    LoopRow{.label = "SL-03 scaffolding", .status = LoopStatus::Scaffolding, .spec = LoopSpec::Missing,
            .phase = "A1", .decision = Decision::Rerun,
            .reason = "scaffolding was cut off before the spec file was there"},
    LoopRow{.label = "SL-03 scaffolded", .status = LoopStatus::Scaffolding, .spec = LoopSpec::Exists,
            .phase = "A2", .decision = Decision::Run,
            .reason = "scaffolding got as far as the spec file, so the spec is written next"},
    LoopRow{.label = "SL-03 spec writing", .status = LoopStatus::SpecWriting, .phase = "A2",
            .decision = Decision::Rerun, .reason = "writing the spec was cut off; doing it again is harmless"},
    LoopRow{.label = "SL-03 validating unapplied", .status = LoopStatus::Validating,
            .questions = LoopQuestions::None, .answers = LoopAnswers::Received, .phase = "B2",
            .decision = Decision::Continue,
            .reason = "an answer is recorded as not applied, so it is applied before anything is validated"},
    LoopRow{.label = "SL-03 validating partly answered", .status = LoopStatus::Validating,
            .questions = LoopQuestions::Open, .answers = LoopAnswers::Received, .phase = "B2",
            .decision = Decision::Continue, .readiness = Readiness::Wait,
            .reason = "answers were received; they are applied when the other questions have theirs"},
    LoopRow{.label = "SL-03 validating", .status = LoopStatus::Validating, .answers = LoopAnswers::None,
            .trace = LoopTrace::None, .phase = "A3", .decision = Decision::Rerun,
            .reason = "the first validation was cut off"},
    LoopRow{.label = "SL-03 validating again", .status = LoopStatus::Validating, .answers = LoopAnswers::None,
            .trace = LoopTrace::Seen, .phase = "B3", .decision = Decision::Rerun,
            .reason = "a validation after answers was cut off"},
    LoopRow{.label = "SL-03 answered", .status = LoopStatus::Clarifying, .questions = LoopQuestions::None,
            .answers = LoopAnswers::Received, .phase = "B2", .decision = Decision::Continue,
            .reason = "answers were received and not applied"},
    LoopRow{.label = "SL-03 partly answered", .status = LoopStatus::Clarifying, .questions = LoopQuestions::Open,
            .answers = LoopAnswers::Received, .phase = "B2", .decision = Decision::Continue,
            .readiness = Readiness::Wait,
            .reason = "answers were received; they are applied when the other questions have theirs"},
    LoopRow{.label = "SL-03 clarifying", .status = LoopStatus::Clarifying, .questions = LoopQuestions::Open,
            .answers = LoopAnswers::None, .phase = "B1", .decision = Decision::Wait,
            .readiness = Readiness::Wait, .reason = "its questions wait for a person"},
    LoopRow{.label = "SL-03 nothing to ask", .status = LoopStatus::Clarifying, .questions = LoopQuestions::None,
            .answers = LoopAnswers::None, .phase = "B3", .decision = Decision::Rerun,
            .reason = "no question is open, so validation shows what is left"},
    LoopRow{.label = "SL-03 completed", .status = LoopStatus::Completed, .decision = Decision::Keep,
            .readiness = Readiness::Done, .reason = "the loop is completed"},
    LoopRow{.label = "SL-03 terminated", .status = LoopStatus::Terminated, .readiness = Readiness::Fresh,
            .reason = "the loop was ended before it was completed"},
};
// clang-format on

/// Labels of the phases around the one that a row decides.
inline constexpr std::string_view kLoopPassedLabel = "SL-03 passed";
inline constexpr std::string_view kLoopAheadLabel = "SL-03 ahead";

/// Whether a row fits a situation.
bool fits(const LoopRow& row, const LoopSituation& situation);
/// Returns the row that decides `situation`.
const LoopRow& decide(const LoopSituation& situation);

/// Returns the situation that a snapshot shows.
LoopSituation situation_of(const SpecLoopSnapshot& snapshot);

/// Returns the plan for a spec loop: a decision per phase, what does not fit, what a person owes, and the ways on.
Plan plan_spec_loop(const SpecLoopSnapshot& snapshot);

}  // namespace reprise
