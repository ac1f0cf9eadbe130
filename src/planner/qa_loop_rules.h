// The QA loop's resume point: which iteration, and its review or its fix (OR-06).
//
// An iteration is counted before its review, so one that has no verdict was cut off: its review is done again and
// not counted twice. A rejection leads to the fix of the same iteration, a fix to the next review. After the last
// iteration, after a blocked verdict and after an escalation the loop waits for a person, who lets it go on by
// accepting `escalated`. A loop that says in_progress is taken up when its lock is dead or its last activity is an
// hour ago; before that it may still be at work, which is a warning.

#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "planner/orchestrator_course.h"

namespace reprise {

inline constexpr long long kLoopIterationsUsual = 5;
inline constexpr Duration kLoopAbandonedAfter = std::chrono::hours(1);

/// What is recorded of the current iteration's review.
enum class ReviewSeen { None, Open, Approve, Reject, RejectFixed, Blocked, Unknown };

struct QaLoopSituation {
  QaLoopStatus status = QaLoopStatus::Missing;
  bool names_story = true;
  ReviewSeen review = ReviewSeen::None;
  bool exhausted = false;  // the current iteration is the last one allowed
  bool over = false;       // the current iteration comes after the last that there may be
  bool accepted = false;   // a person accepted that it goes on after an escalation
};

/// Where in the loop a row goes on.
enum class LoopStep { Nowhere, Review, Fix, NextReview };

/// A row fits if everything it names is so; the first row that fits decides.
struct QaLoopRow {
  std::string_view label;
  std::optional<QaLoopStatus> status = {};
  std::optional<bool> names_story = {};
  std::optional<ReviewSeen> review = {};
  std::optional<bool> exhausted = {};
  std::optional<bool> over;  // it has gone past the last
  std::optional<bool> accepted = {};
  LoopStep step = LoopStep::Nowhere;
  Decision decision = Decision::Refuse;
  Course course = Course::GoOn;
  std::string_view reason = {};
};

// clang-format off
inline constexpr std::array kQaLoopRows = {
    QaLoopRow{.label = "OR-06 loop idle", .status = QaLoopStatus::Idle, .course = Course::Fresh,
              .reason = "the loop is idle, there is nothing to resume"},
    QaLoopRow{.label = "OR-06 loop without story", .names_story = false, .course = Course::Fresh,
              .reason = "the loop names no story, there is nothing to resume"},
    QaLoopRow{.label = "OR-06 loop approved", .review = ReviewSeen::Approve, .decision = Decision::Keep, .course = Course::Done,
              .reason = "the last review approved"},
    QaLoopRow{.label = "OR-06 loop unknown status", .status = QaLoopStatus::Unknown, .course = Course::Blocked,
              .reason = "the file's status is not one that is known"},
    QaLoopRow{.label = "OR-06 loop completed", .status = QaLoopStatus::Completed, .review = ReviewSeen::None,
              .decision = Decision::Keep, .course = Course::Done, .reason = "the loop is completed"},
    QaLoopRow{.label = "OR-06 loop completed unproven", .status = QaLoopStatus::Completed, .step = LoopStep::Review,
              .decision = Decision::Verify, .reason = "the loop says completed, but its last review did not approve"},
    QaLoopRow{.label = "OR-06 loop escalated", .status = QaLoopStatus::Escalated, .accepted = false, .step = LoopStep::Review,
              .decision = Decision::Wait, .course = Course::Wait, .reason = "the loop was escalated to a person"},
    QaLoopRow{.label = "OR-06 loop verdict blocked", .review = ReviewSeen::Blocked, .accepted = false, .step = LoopStep::Review,
              .decision = Decision::Wait, .course = Course::Wait, .reason = "the review says that it is blocked"},
    QaLoopRow{.label = "OR-06 loop exhausted", .review = ReviewSeen::Reject, .exhausted = true, .accepted = false, .step = LoopStep::Fix,
              .decision = Decision::Wait, .course = Course::Wait, .reason = "the last iteration was rejected"},
    QaLoopRow{.label = "OR-06 loop exhausted fixed", .review = ReviewSeen::RejectFixed, .exhausted = true, .accepted = false, .step = LoopStep::Fix,
              .decision = Decision::Wait, .course = Course::Wait, .reason = "the last iteration was rejected and fixed, and another review would be one too many"},
    QaLoopRow{.label = "OR-06 loop over", .over = true, .accepted = false, .step = LoopStep::Review,
              .decision = Decision::Wait, .course = Course::Wait, .reason = "it has gone past its last iteration, and nothing is recorded of this one"},
    QaLoopRow{.label = "OR-06 loop not begun", .status = QaLoopStatus::Pending, .review = ReviewSeen::None, .step = LoopStep::Review,
              .decision = Decision::Run, .reason = "the loop has not begun"},
    QaLoopRow{.label = "OR-06 loop review cut off", .review = ReviewSeen::Open, .step = LoopStep::Review, .decision = Decision::Rerun,
              .reason = "the iteration was counted, but has no verdict; it is done again and not counted twice"},
    QaLoopRow{.label = "OR-06 loop no record", .review = ReviewSeen::None, .step = LoopStep::Review, .decision = Decision::Rerun,
              .reason = "nothing is recorded of the current iteration; it is done again and not counted twice"},
    QaLoopRow{.label = "OR-06 loop verdict unknown", .review = ReviewSeen::Unknown, .step = LoopStep::Review, .decision = Decision::Rerun,
              .reason = "the verdict is not one that is known, so the review is done again"},
    QaLoopRow{.label = "OR-06 loop unblocked", .review = ReviewSeen::Blocked, .step = LoopStep::Review, .decision = Decision::Rerun,
              .reason = "the review was blocked, and a person lets it go on"},
    QaLoopRow{.label = "OR-06 loop rejected", .review = ReviewSeen::Reject, .step = LoopStep::Fix, .decision = Decision::Continue,
              .reason = "the review rejected, and what it found is not recorded as fixed"},
    QaLoopRow{.label = "OR-06 loop fixed", .review = ReviewSeen::RejectFixed, .step = LoopStep::NextReview, .decision = Decision::Run,
              .reason = "what the last review found is fixed, so it is reviewed again"},
};
// clang-format on
inline constexpr std::string_view kLoopIterationLabel = "OR-06 loop iteration";
inline constexpr std::string_view kLoopMaybeRunningLabel = "OR-06 loop maybe running";

const QaLoopRow& decide(const QaLoopSituation& situation);

/// Returns the iteration that is current by history and counter; nothing if that is no sensible number.
std::optional<int> current_iteration(const QaLoopClaims& claims);
/// Returns the situation that a snapshot shows.
QaLoopSituation qa_situation_of(const OrchestratorSnapshot& snapshot);
/// Returns where the QA loop of a snapshot stands.
WorkflowCourse course_of_qa_loop(const OrchestratorSnapshot& snapshot);

}  // namespace reprise
