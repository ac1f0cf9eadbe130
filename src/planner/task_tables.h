// The task pipeline's rules as tables: what becomes of a task by what is claimed and seen of it, where a phase
// stands, where a trivial pipeline goes on, and what follows from branch, resume count and a user's own choice.
//
// Of each table the first row that fits decides, and every situation meets one. Labels begin with the requirement;
// docs/rules.md has a paragraph for each. Where claims contradict each other the more conservative one wins
// (TP-17): nothing is kept unseen behind something that runs again, and no failed phase is jumped over. Pure.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "model/plan.h"
#include "model/task_phases.h"

namespace reprise {

/// How a work task stands by the most conservative reading.
enum class TaskWork : std::uint8_t { Unreadable, Unknown, Pending, InProgress, Failed, Completed };
/// Why all tasks of a phase restart, if they do.
enum class PhaseRestart : std::uint8_t { No, Tier, Evidence };

/// One situation of one work task.
struct TaskSituation {
  TaskWork work = TaskWork::Pending;
  PhaseRestart restart = PhaseRestart::No;  // of its phase
  bool in_cycle = false;                    // it waits for itself
  bool repeats = false;                     // the user asked to go on from its phase, which is done
  bool lacks_commit = false;                // a commit that it, or its phase, is to have made is gone
  bool lacks_output = false;                // a result that it says it left is gone
  bool is_suspect = false;                  // a blocker of it failed
  bool is_stale = false;                    // a file of it was changed since
  bool phase_is_doubted = false;  // the permanent task says that its phase failed, or commits of it are gone
  bool is_unproven = false;       // resumed before, and no file shows that it was done
  bool upstream_moving = false;   // something before it is not done, runs again or is verified
  bool has_partial = false;       // a result that it says it left is there
};

/// A row fits if everything it names is so.
struct TaskRow {
  std::string_view label;
  TaskWork work;
  std::optional<PhaseRestart> restart = {};
  bool TaskSituation::* fact = nullptr;  // has to be true
  Decision decision = Decision::Run;
  std::string_view reason = {};
};

inline constexpr std::string_view kUnprovenRule = "TP-14 unproven";
inline constexpr std::string_view kStaleRule = "TP-19 stale";

// clang-format off
inline constexpr std::array kTaskRows = {
    TaskRow{.label = "TP-17 unreadable", .work = TaskWork::Unreadable, .decision = Decision::Refuse,
            .reason = "its file cannot be read, so nobody can be told what it is about"},
    TaskRow{.label = "TP-17 cycle", .work = TaskWork::Unknown, .fact = &TaskSituation::in_cycle, .decision = Decision::Refuse,
            .reason = "it waits for itself through its blockers"},
    TaskRow{.label = "TP-17 cycle", .work = TaskWork::Pending, .fact = &TaskSituation::in_cycle, .decision = Decision::Refuse,
            .reason = "it waits for itself through its blockers"},
    TaskRow{.label = "TP-17 cycle", .work = TaskWork::InProgress, .fact = &TaskSituation::in_cycle, .decision = Decision::Refuse,
            .reason = "it waits for itself through its blockers"},
    TaskRow{.label = "TP-17 cycle", .work = TaskWork::Failed, .fact = &TaskSituation::in_cycle, .decision = Decision::Refuse,
            .reason = "it waits for itself through its blockers"},
    TaskRow{.label = "TP-12 from", .work = TaskWork::Completed, .fact = &TaskSituation::repeats, .decision = Decision::Rerun,
            .reason = "it is completed, but the user asked to go on from its phase"},
    TaskRow{.label = "TP-13 commit", .work = TaskWork::Completed, .fact = &TaskSituation::lacks_commit, .decision = Decision::Rerun,
            .reason = "it is completed, but a commit of it is gone"},
    TaskRow{.label = "TP-14 output", .work = TaskWork::Completed, .fact = &TaskSituation::lacks_output, .decision = Decision::Rerun,
            .reason = "it is completed, but a result that it left is gone"},
    TaskRow{.label = "TP-06 mixed", .work = TaskWork::Completed, .restart = PhaseRestart::Tier, .decision = Decision::Rerun,
            .reason = "it is completed, but its phase is not, and in this tier a phase restarts as a whole"},
    TaskRow{.label = "TP-11 no evidence", .work = TaskWork::Completed, .restart = PhaseRestart::Evidence, .decision = Decision::Rerun,
            .reason = "its phase is not completed, and not all of its completed tasks left something to show for it"},
    TaskRow{.label = "TP-07 suspect", .work = TaskWork::Completed, .fact = &TaskSituation::is_suspect, .decision = Decision::Verify,
            .reason = "it is completed, but something that blocks it failed"},
    TaskRow{.label = kStaleRule, .work = TaskWork::Completed, .fact = &TaskSituation::is_stale, .decision = Decision::Verify,
            .reason = "it is completed, but a file of it was changed since"},
    TaskRow{.label = "TP-17 doubted", .work = TaskWork::Completed, .fact = &TaskSituation::phase_is_doubted, .decision = Decision::Verify,
            .reason = "it is completed, but its phase is said to have failed, or lost a commit"},
    TaskRow{.label = kUnprovenRule, .work = TaskWork::Completed, .fact = &TaskSituation::is_unproven, .decision = Decision::Verify,
            .reason = "it is completed, but the pipeline was resumed before, and no file or commit shows it"},
    TaskRow{.label = "TP-07 upstream", .work = TaskWork::Completed, .fact = &TaskSituation::upstream_moving, .decision = Decision::Verify,
            .reason = "it is completed, but something before it is not done, runs again or is verified"},
    TaskRow{.label = "TP-03 completed", .work = TaskWork::Completed, .decision = Decision::Keep,
            .reason = "it is completed"},
    TaskRow{.label = "TP-06 restart", .work = TaskWork::InProgress, .restart = PhaseRestart::Tier, .decision = Decision::Rerun,
            .reason = "it was cut off, and in this tier a phase restarts as a whole"},
    TaskRow{.label = "TP-11 restart", .work = TaskWork::InProgress, .restart = PhaseRestart::Evidence, .decision = Decision::Rerun,
            .reason = "it was cut off, and its phase restarts as a whole for want of evidence"},
    TaskRow{.label = "TP-08 upstream", .work = TaskWork::InProgress, .fact = &TaskSituation::upstream_moving, .decision = Decision::Rerun,
            .reason = "it was cut off, and something before it is not done, runs again or is verified"},
    TaskRow{.label = "TP-08 partial", .work = TaskWork::InProgress, .fact = &TaskSituation::has_partial, .decision = Decision::Continue,
            .reason = "it was cut off, and is handed what it left"},
    TaskRow{.label = "TP-08 restart", .work = TaskWork::InProgress, .decision = Decision::Rerun,
            .reason = "it was cut off and left nothing to go on with"},
    TaskRow{.label = "TP-03 failed", .work = TaskWork::Failed, .decision = Decision::Rerun,
            .reason = "it failed"},
    TaskRow{.label = "TP-17 unknown", .work = TaskWork::Unknown, .decision = Decision::Rerun,
            .reason = "its status is not one that is known, so it is not taken as done"},
    TaskRow{.label = "TP-03 pending", .work = TaskWork::Pending, .decision = Decision::Run,
            .reason = "it was not started"},
};
// clang-format on
const TaskRow& decide(const TaskSituation& situation);

/// The tasks of a phase taken together. Mixed: some stand, some do not; Unverified: all completed, some in doubt.
enum class PhaseWork : std::uint8_t { None, Completed, Unverified, Mixed, Unfinished };
enum class PhaseStanding : std::uint8_t { Completed, Passed, Unverified, Incomplete, NotStarted };
inline constexpr TokenTable<PhaseStanding, 5> kPhaseStandingTokens = {
    {{PhaseStanding::Completed, "completed"},
     {PhaseStanding::Passed, "passed"},
     {PhaseStanding::Unverified, "unverified"},
     {PhaseStanding::Incomplete, "incomplete"},
     {PhaseStanding::NotStarted, "not started"}}};
constexpr std::string_view to_token(PhaseStanding standing) { return token_in(kPhaseStandingTokens, standing); }

/// One situation of one phase.
struct PhaseSituation {
  PhaseWork work = PhaseWork::None;
  bool is_delivered = false;     // and nothing speaks against it
  bool repeats = false;          // the user asked to go on from it
  bool upstream_moving = false;  // a phase before it is incomplete
  bool signal_is_bad = false;    // the permanent task says that it failed, or is partly done
  bool begun_later = false;      // work of a later phase was started
  bool claimed_past =
      false;  // the permanent task is further, and tasks of a later phase, or all of execution, agree
  bool awaits_delivery = false;  // it is the last, everything before it is done, and nothing was delivered
};
struct PhaseRow {
  std::string_view label;
  PhaseWork work;
  bool PhaseSituation::* fact = nullptr;  // has to be true
  PhaseStanding standing;
  std::string_view reason;
};

inline constexpr std::string_view kSignalRule = "TP-17 signal";
inline constexpr std::string_view kLaterRule = "TP-03 later";
inline constexpr std::string_view kFromRule = "TP-12 from phase";

// clang-format off
inline constexpr std::array kPhaseRows = {
    PhaseRow{kFromRule,            PhaseWork::None,       &PhaseSituation::repeats,         PhaseStanding::NotStarted, "the user asked to go on from it"},
    PhaseRow{"TP-18 undelivered",  PhaseWork::Completed,  &PhaseSituation::awaits_delivery, PhaseStanding::Incomplete, "all tasks are completed, but the pipeline is not delivered"},
    PhaseRow{"TP-03 complete",     PhaseWork::Completed,  nullptr,                          PhaseStanding::Completed,  "all of its tasks are completed"},
    PhaseRow{"TP-19 unverified",   PhaseWork::Unverified, nullptr,                          PhaseStanding::Unverified, "all of its tasks are completed, but not all may be kept unseen"},
    PhaseRow{"TP-06 incomplete",   PhaseWork::Mixed,      nullptr,                          PhaseStanding::Incomplete, "its tasks differ in status"},
    PhaseRow{"TP-03 unfinished",   PhaseWork::Unfinished, nullptr,                          PhaseStanding::Incomplete, "none of its tasks is done"},
    PhaseRow{"TP-18 delivered",    PhaseWork::None,       &PhaseSituation::is_delivered,    PhaseStanding::Passed,     "it has no tasks, and the pipeline is delivered"},
    PhaseRow{kLaterRule,           PhaseWork::None,       &PhaseSituation::upstream_moving, PhaseStanding::NotStarted, "it comes after a phase that is not done"},
    PhaseRow{kSignalRule,          PhaseWork::None,       &PhaseSituation::signal_is_bad,   PhaseStanding::NotStarted, "it has no tasks, and the permanent task does not say that it passed"},
    PhaseRow{"TP-03 passed",       PhaseWork::None,       &PhaseSituation::begun_later,     PhaseStanding::Passed,     "it has no tasks, and work of a later phase was begun"},
    PhaseRow{"TP-18 deliver",      PhaseWork::None,       &PhaseSituation::awaits_delivery, PhaseStanding::NotStarted, "everything before it is done, and the pipeline is not delivered"},
    PhaseRow{"TP-18 passed",       PhaseWork::None,       &PhaseSituation::claimed_past,    PhaseStanding::Passed,     "it has no tasks, and the permanent task is past it, as the tasks that there are bear out"},
    PhaseRow{"TP-03 not started",  PhaseWork::None,       nullptr,                          PhaseStanding::NotStarted, "it has no tasks, and nothing shows that it was done"},
};
// clang-format on
const PhaseRow& decide(const PhaseSituation& situation);

/// Work of a trivial pipeline: what prepares it (P0), and the work itself, by its worst task.
enum class Preparation : std::uint8_t { None, Done, Unfinished };
enum class TrivialWork : std::uint8_t { None, Done, Pending, InProgress, Failed };
struct TrivialRow {
  std::string_view label;
  std::optional<Preparation> preparation;
  std::optional<TrivialWork> work;
  TaskPhase phase;  // where it goes on
};

// clang-format off
inline constexpr std::array kTrivialRows = {
    TrivialRow{"TP-05 unprepared",  Preparation::Unfinished, std::nullopt,            TaskPhase::P0},
    TrivialRow{"TP-05 done",        std::nullopt,            TrivialWork::Done,       TaskPhase::P8},
    TrivialRow{"TP-05 failed",      std::nullopt,            TrivialWork::Failed,     TaskPhase::P6},
    TrivialRow{"TP-05 in progress", std::nullopt,            TrivialWork::InProgress, TaskPhase::P6},
    TrivialRow{"TP-05 pending",     std::nullopt,            TrivialWork::Pending,    TaskPhase::P6},
    TrivialRow{"TP-05 prepared",    Preparation::Done,       TrivialWork::None,       TaskPhase::P6},
    TrivialRow{"TP-05 no work",     Preparation::None,       TrivialWork::None,       TaskPhase::P0},
};
// clang-format on
const TrivialRow& decide(Preparation preparation, TrivialWork work);

}  // namespace reprise
