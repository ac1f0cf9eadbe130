#include "planner/qa_loop_rules.h"

#include <algorithm>

#include "base/check.h"
#include "base/strings.h"
#include "model/limits.h"
#include "planner/row_fit.h"

namespace reprise {
namespace {

// The last entry of an iteration counts: a file may hold one that was cut off and its repetition.
const ClaimedReview* find_review(const QaLoopClaims& claims, int iteration) {
  const auto found = std::find_if(claims.history.rbegin(), claims.history.rend(),
                                  [&](const ClaimedReview& review) { return review.iteration == iteration; });
  return found == claims.history.rend() ? nullptr : &*found;
}

ReviewSeen seen_of(QaVerdict verdict, bool fixed) {
  switch (verdict) {
    case QaVerdict::None: return ReviewSeen::Open;
    case QaVerdict::Approve: return ReviewSeen::Approve;
    case QaVerdict::Reject: return fixed ? ReviewSeen::RejectFixed : ReviewSeen::Reject;
    case QaVerdict::Blocked: return ReviewSeen::Blocked;
    case QaVerdict::Unknown: return ReviewSeen::Unknown;
  }
  return ReviewSeen::Unknown;
}

// Files without a history have only the last verdict; it is that of the current iteration.
ReviewSeen review_seen(const QaLoopClaims& claims, int iteration) {
  if (const ClaimedReview* review = find_review(claims, iteration)) {
    return seen_of(review->verdict, review->fixed_at.has_value());
  }
  if (claims.history.empty() && claims.last_verdict != QaVerdict::None) return seen_of(claims.last_verdict, false);
  return ReviewSeen::None;
}

class QaLoopCourse {
 public:
  explicit QaLoopCourse(const OrchestratorSnapshot& snapshot)
      : seen_(snapshot), claims_(snapshot.qa_loop), row_(decide(qa_situation_of(snapshot))) {}

  WorkflowCourse make() {
    out_ = {.course = row_.course, .rule = row_.label, .reason = row_.reason};
    const std::optional<int> iteration = current_iteration(claims_);
    if (iteration) {
      make_steps(*iteration);
    } else {
      out_.course = Course::Blocked;
      out_.rule = kLoopIterationLabel;
      out_.reason = "the number of its iteration makes no sense";
      add("loop/1/review", Decision::Refuse, out_.rule, out_.reason);
    }
    if (out_.course == Course::GoOn || out_.course == Course::Wait) find_differences(*iteration);
    list_oddities(claims_.oddities, out_.findings);
    return std::move(out_);
  }

 private:
  void make_steps(int iteration) {
    for (int i = 1; i < iteration; ++i) {
      add(path(i, "review"), Decision::Keep, kPassedLabel, kPassedReason);
      add(path(i, "fix"), Decision::Keep, kPassedLabel, kPassedReason);
    }
    const bool at_fix = row_.step == LoopStep::Fix;
    const bool at_next = row_.step == LoopStep::NextReview;
    if (at_fix || at_next) {
      add(path(iteration, "review"), Decision::Keep, kPassedLabel, kPassedReason);
    } else {
      add(path(iteration, "review"), row_.decision, row_.label, row_.reason);
    }
    if (at_next) {
      add(path(iteration, "fix"), Decision::Keep, kPassedLabel, kPassedReason);
      add(path(iteration + 1, "review"), row_.decision, row_.label, row_.reason);
    } else if (at_fix) {
      add(path(iteration, "fix"), row_.decision, row_.label, row_.reason);
      add(path(iteration + 1, "review"), Decision::Run, kAheadLabel, kAheadReason);
    } else if (out_.course == Course::GoOn || out_.course == Course::Wait) {
      add(path(iteration, "fix"), Decision::Run, kAheadLabel, "it is done if the review before it rejects");
    }
    out_.iteration = at_next ? iteration + 1 : iteration;
    if (out_.course == Course::Wait) ask(iteration);
  }

  static std::string path(int iteration, const char* what) {
    return "loop/" + std::to_string(iteration) + "/" + what;
  }

  void add(std::string path, Decision decision, std::string_view rule, std::string_view reason) {
    const int level = static_cast<int>(out_.steps.size());
    CourseStep step = make_step(std::move(path), level, decision, rule, reason);
    const StorySeen* story = find_story(seen_, claims_.story);
    const bool is_review = step.decision.stage == "review";
    step.agent = is_review ? "qa" : "dev";
    if (story != nullptr && is_review && !story->claims.quality_gate.empty())
      step.agent = story->claims.quality_gate;
    if (story != nullptr && !is_review && !story->claims.executor.empty()) step.agent = story->claims.executor;
    step.story = claims_.story;
    if (story != nullptr && story->exists) step.inputs.push_back(story->path);
    if (!is_review) step.inputs.push_back(seen_.state_file);
    step.outputs.push_back(seen_.state_file);
    add_evidence(step, "claim", seen_.state_file, "status " + status_words());
    const ClaimedReview* review = find_review(claims_, level / 2 + 1);
    add_evidence(step, "claim", seen_.state_file + line_of(review), words_for(review));
    out_.steps.push_back(std::move(step));
  }

  std::string status_words() const {
    return claims_.status == QaLoopStatus::Missing ? "missing" : quoted_line(claims_.status_word);
  }
  static std::string line_of(const ClaimedReview* review) {
    return review == nullptr ? "" : " line " + std::to_string(review->line);
  }
  static std::string words_for(const ClaimedReview* review) {
    if (review == nullptr) return "no entry for this iteration";
    std::string words =
        review->verdict == QaVerdict::None ? "no verdict" : "verdict " + quoted_line(review->verdict_word);
    if (review->fixed_at) words += ", fixed at " + to_text(review->fixed_at->time);
    return words;
  }

  void ask(int iteration) {
    std::string ask =
        "QA of story " + printable_line(claims_.story, 80) + ", iteration " + std::to_string(iteration) + " of " +
        std::to_string(claims_.iterations_max.value_or(kLoopIterationsUsual)) + ": " + std::string(row_.reason);
    if (!claims_.escalation.empty()) ask += " (" + printable_line(claims_.escalation, kShownTextMax) + ")";
    out_.waiting_for.push_back({"question", "escalated", ask + ". Go on?"});
    const bool is_over = row_.over.value_or(false);
    out_.findings.push_back(
        make_finding(row_.label, is_over ? "iteration_over" : "escalated", Severity::Warning, std::move(ask)));
  }

  void find_differences(int iteration) {
    if (claims_.iteration && *claims_.iteration != iteration) {
      out_.findings.push_back(make_finding("ALL-03", "pointer_disagrees", Severity::Info,
                                           "the file counts iteration " + std::to_string(*claims_.iteration) +
                                               ", its history has got to " + std::to_string(iteration)));
    }
    if (claims_.status != QaLoopStatus::InProgress || is_abandoned()) return;
    out_.findings.push_back(
        make_finding(kLoopMaybeRunningLabel, "maybe_running", Severity::Warning,
                     "the loop says that it is in progress and was active less than an hour ago; if another "
                     "program is still at it, let that finish"));
  }

  // A dead lock proves it at once, otherwise an hour of silence does.
  bool is_abandoned() const {
    const bool dead = std::ranges::any_of(seen_.locks, [](const LockSeen& lock) { return !lock.alive; });
    const Timestamp last = claims_.updated_at ? claims_.updated_at->time : seen_.file_time;
    return dead || seen_.now - last >= kLoopAbandonedAfter;
  }

  const OrchestratorSnapshot& seen_;
  const QaLoopClaims& claims_;
  const QaLoopRow& row_;
  WorkflowCourse out_;
};

}  // namespace

const QaLoopRow& decide(const QaLoopSituation& s) {
  for (const QaLoopRow& row : kQaLoopRows) {
    if (fits(row.status, s.status) && fits(row.names_story, s.names_story) && fits(row.review, s.review) &&
        fits(row.exhausted, s.exhausted) && fits(row.over, s.over) && fits(row.accepted, s.accepted)) {
      return row;
    }
  }
  check_failed("every situation of a QA loop has a row");
}

std::optional<int> current_iteration(const QaLoopClaims& claims) {
  long long current = claims.iteration.value_or(0);
  if (current < 0) return std::nullopt;
  for (const ClaimedReview& review : claims.history) current = std::max(current, review.iteration.value_or(0));
  if (current > kIterationsMax) return std::nullopt;
  return static_cast<int>(std::max(current, 1LL));
}

QaLoopSituation qa_situation_of(const OrchestratorSnapshot& snapshot) {
  const QaLoopClaims& claims = snapshot.qa_loop;
  const int iteration = current_iteration(claims).value_or(1);
  const long long most = claims.iterations_max.value_or(kLoopIterationsUsual);
  return {.status = claims.status,
          .names_story = !claims.story.empty(),
          .review = review_seen(claims, iteration),
          .exhausted = iteration >= most,
          .over = iteration > most,
          .accepted = snapshot.accepted.contains("escalated") || snapshot.accepted.contains("iteration_over")};
}

WorkflowCourse course_of_qa_loop(const OrchestratorSnapshot& snapshot) { return QaLoopCourse(snapshot).make(); }

}  // namespace reprise
