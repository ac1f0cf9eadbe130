// The rules for the user's own workflows: one table for steps, one for gates.
//
// A step's situation is a handful of small facts; the first row that fits decides. docs/rules.md has a
// paragraph per label. The test walks every situation there is: each meets a row, each row is met.

#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "model/plan.h"
#include "model/workflow.h"

namespace reprise {

/// What is recorded of the step.
enum class Record {
  None,     // nothing ever happened
  Reset,    // what was recorded no longer counts
  Skipped,  // it is not to be done; the record says who decided that
  Watched,  // an attempt is open, and its worker is alive under the guard
  Ended,    // an attempt is open, and its exit record is there
  Cut,      // an attempt was cut off: gone without an exit record, or stopped
  Asked,    // the worker asked a person
  Later,    // the worker said: try again later
  Failed,
  Done,
};
/// Its recorded artifacts, as they are now. Unlike: changed, but the declared check still passes.
enum class Artifacts { Same, Unlike, Missing };
/// Whether a cut-off attempt left products that pass the check the author declared for them.
enum class Products { Unproven, Proven };
enum class Inputs { Same, Changed };
enum class Work { Same, Changed };
/// Whether everything the step needs is kept, or something runs (again) before it, or ran since it was done.
enum class Upstream { Kept, Moving };
enum class Verifier { None, Declared };
/// Whether the person it asked has answered, and how.
enum class Answer { Open, Given, Refused };

struct StepSituation {
  Record record = Record::None;
  Artifacts artifacts = Artifacts::Same;
  Products products = Products::Unproven;
  Inputs inputs = Inputs::Same;
  Work work = Work::Same;
  Upstream upstream = Upstream::Kept;
  Verifier verifier = Verifier::None;
  Answer answer = Answer::Open;
  ResumeRule resume = ResumeRule::Restart;
};

/// A row: a fact that is not given fits everything.
struct StepRow {
  std::string_view label;
  Record record;
  std::optional<Artifacts> artifacts = {};
  std::optional<Products> products = {};
  std::optional<Inputs> inputs = {};
  std::optional<Work> work = {};
  std::optional<Upstream> upstream = {};
  std::optional<Verifier> verifier = {};
  std::optional<Answer> answer = {};
  std::optional<ResumeRule> resume = {};
  Decision decision;
  std::string_view reason;
};

// clang-format off
inline constexpr std::array kStepRows = {
    StepRow{.label = "WF-01 new", .record = Record::None, .decision = Decision::Run, .reason = "it never started"},
    StepRow{.label = "WF-02 reset", .record = Record::Reset, .decision = Decision::Rerun,
            .reason = "its earlier result no longer counts"},
    StepRow{.label = "WF-03 skipped", .record = Record::Skipped, .decision = Decision::Keep,
            .reason = "it was skipped"},
    StepRow{.label = "WF-04 watched", .record = Record::Watched, .decision = Decision::Continue,
            .reason = "its worker is still running under the guard and will be adopted"},
    StepRow{.label = "WF-05 ended", .record = Record::Ended, .decision = Decision::Verify,
            .reason = "its worker ended while nobody watched; the exit record will be taken over"},
    StepRow{.label = "WF-06 proven", .record = Record::Cut, .products = Products::Proven, .work = Work::Same,
            .upstream = Upstream::Kept, .decision = Decision::Keep,
            .reason = "it was cut off, but what it left passes the check that its definition declares"},
    StepRow{.label = "WF-07 report", .record = Record::Cut, .resume = ResumeRule::Report, .decision = Decision::Wait,
            .reason = "it was cut off, and its definition says that a person decides then (resume: report)"},
    StepRow{.label = "WF-08 continue", .record = Record::Cut, .resume = ResumeRule::Continue,
            .decision = Decision::Continue, .reason = "it was cut off and goes on with what it left (resume: continue)"},
    StepRow{.label = "WF-09 restart", .record = Record::Cut, .resume = ResumeRule::Restart,
            .decision = Decision::Rerun, .reason = "it was cut off: started, with no recorded end"},
    StepRow{.label = "WF-10 asked", .record = Record::Asked, .answer = Answer::Open, .decision = Decision::Wait,
            .reason = "a person was asked and has not answered"},
    StepRow{.label = "WF-11 answered", .record = Record::Asked, .answer = Answer::Given,
            .decision = Decision::Continue, .reason = "the person it asked has answered"},
    StepRow{.label = "WF-11 refused", .record = Record::Asked, .answer = Answer::Refused,
            .decision = Decision::Refuse, .reason = "the person it asked said no"},
    StepRow{.label = "WF-12 later", .record = Record::Later, .decision = Decision::Rerun,
            .reason = "its worker said: try again later"},
    StepRow{.label = "WF-13 failed", .record = Record::Failed, .decision = Decision::Rerun,
            .reason = "its last attempt failed"},
    StepRow{.label = "WF-14 missing", .record = Record::Done, .artifacts = Artifacts::Missing,
            .decision = Decision::Rerun, .reason = "it was done, but what it produced is gone or no longer complete"},
    StepRow{.label = "WF-15 redefined", .record = Record::Done, .work = Work::Changed, .decision = Decision::Rerun,
            .reason = "it was done, but its definition has changed since"},
    StepRow{.label = "WF-16 inputs verify", .record = Record::Done, .inputs = Inputs::Changed,
            .verifier = Verifier::Declared, .decision = Decision::Verify,
            .reason = "it was done, but an input has changed since; its verify command decides"},
    StepRow{.label = "WF-17 inputs", .record = Record::Done, .inputs = Inputs::Changed, .decision = Decision::Rerun,
            .reason = "it was done, but an input has changed since"},
    StepRow{.label = "WF-18 upstream", .record = Record::Done, .upstream = Upstream::Moving,
            .decision = Decision::Verify,
            .reason = "it was done, but something it needs runs again or did so since; kept if that gives the same artifacts"},
    StepRow{.label = "WF-19 artifact verify", .record = Record::Done, .artifacts = Artifacts::Unlike,
            .verifier = Verifier::Declared, .decision = Decision::Verify,
            .reason = "it was done, but what it produced was changed since; its verify command decides"},
    StepRow{.label = "WF-20 artifact", .record = Record::Done, .artifacts = Artifacts::Unlike,
            .decision = Decision::Keep, .reason = "it is done; what it produced was changed since and is still complete"},
    StepRow{.label = "WF-21 done", .record = Record::Done, .decision = Decision::Keep,
            .reason = "its success is recorded"},
};
// clang-format on

/// Returns the row that decides `situation`.
const StepRow& decide(const StepSituation& situation);

enum class GateRecord { None, Open, Approved, Rejected };
/// What the gate asks and shows, against what the person who decided saw. Redefined: another question, or other
/// files.
enum class Shown { Same, Changed, Redefined };

struct GateSituation {
  GateRecord record = GateRecord::None;
  Shown shown = Shown::Same;
  Upstream upstream = Upstream::Kept;
};

struct GateRow {
  std::string_view label;
  GateRecord record;
  std::optional<Shown> shown = {};
  std::optional<Upstream> upstream = {};
  Decision decision;
  std::string_view reason;
};

// clang-format off
inline constexpr std::array kGateRows = {
    GateRow{.label = "WF-30 rejected", .record = GateRecord::Rejected, .decision = Decision::Refuse,
            .reason = "a person rejected it"},
    GateRow{.label = "WF-31 not reached", .record = GateRecord::None, .upstream = Upstream::Moving,
            .decision = Decision::Run, .reason = "it has not been reached yet"},
    GateRow{.label = "WF-32 ask", .record = GateRecord::None, .decision = Decision::Wait,
            .reason = "a person has to decide"},
    GateRow{.label = "WF-33 open", .record = GateRecord::Open, .decision = Decision::Wait,
            .reason = "a person has been asked and has not decided"},
    GateRow{.label = "WF-35 approval redefined", .record = GateRecord::Approved, .shown = Shown::Redefined,
            .decision = Decision::Wait,
            .reason = "it was approved, but the definition now asks or shows something else"},
    GateRow{.label = "WF-34 approval moving", .record = GateRecord::Approved, .upstream = Upstream::Moving,
            .decision = Decision::Verify,
            .reason = "it was approved; the approval holds if what it shows stays the same"},
    GateRow{.label = "WF-35 approval outdated", .record = GateRecord::Approved, .shown = Shown::Changed,
            .decision = Decision::Wait, .reason = "it was approved, but what it shows has changed since"},
    GateRow{.label = "WF-36 approved", .record = GateRecord::Approved, .decision = Decision::Keep,
            .reason = "it was approved, and what it shows has not changed"},
};
// clang-format on

const GateRow& decide(const GateSituation& situation);

}  // namespace reprise
