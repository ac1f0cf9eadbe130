#include "planner/orchestrator_rules.h"

#include <algorithm>
#include <set>

#include "base/strings.h"
#include "model/clocks.h"
#include "planner/epic_rules.h"
#include "planner/flow_rules.h"
#include "planner/orchestrator_conflicts.h"
#include "planner/orchestrator_tables.h"
#include "planner/qa_loop_rules.h"
#include "planner/spec_pipeline_rules.h"
#include "planner/story_cycle_rules.h"

namespace reprise {
namespace {

WorkflowCourse course_of(const OrchestratorSnapshot& snapshot) {
  switch (snapshot.kind) {
    case OrchestratorKind::Epic: return course_of_epic(snapshot);
    case OrchestratorKind::QaLoop: return course_of_qa_loop(snapshot);
    case OrchestratorKind::StoryCycle: return course_of_story_cycle(snapshot);
    case OrchestratorKind::SpecPipeline: return course_of_spec_pipeline(snapshot);
    case OrchestratorKind::Flow: return course_of_flow(snapshot);
  }
  return {};
}

class OrchestratorPlanner {
 public:
  explicit OrchestratorPlanner(const OrchestratorSnapshot& snapshot)
      : seen_(snapshot), course_(course_of(snapshot)), last_(last_activity(snapshot)) {}

  OrchestratorPlan make() {
    plan_.id = {std::string(to_token(seen_.kind)) + "/" + seen_.subject};
    id_ = shell_quote(plan_.id.shown());
    plan_.source_file = seen_.state_file;
    plan_.age = std::max(Duration(0), seen_.now - last_);
    validate();
    if (!seen_.from.empty()) go_from();
    find_point();
    if (is_open()) add(check_workers(seen_, course_, point_));
    overrule();
    conclude();
    ResumeSummary summary = summarize();
    for (CourseStep& step : course_.steps) plan_.decisions.push_back(std::move(step.decision));
    return {std::move(plan_), std::move(summary)};
  }

 private:
  bool is_open() const { return course_.course == Course::GoOn || course_.course == Course::Wait; }

  void add(std::vector<Finding> findings) {
    for (Finding& finding : findings) plan_.findings.push_back(std::move(finding));
  }

  // Everything that could stand against going on. A workflow that is over, or was never begun, is not judged.
  void validate() {
    find_damage();
    verify_above_moving(course_.steps);
    add(std::move(course_.findings));
    if (course_.course == Course::Blocked) {
      plan_.findings.push_back(
          make_finding(course_.rule, "status_unknown", Severity::Blocking, std::string(course_.reason)));
      plan_.findings.back().remedy = "set the status in " + shell_quote(seen_.state_file);
    }
    if (course_.course == Course::Done || course_.course == Course::Fresh) return;
    add(check_state_files(seen_));
    add(check_files(seen_, course_));
    add(check_statuses(seen_, course_));
    find_closed_stories();
    add(check_conflicts(seen_, course_, last_));
    add(check_dependencies(seen_, course_));
    if (last_ > seen_.now + kClockSlack) {
      plan_.findings.push_back(make_finding("OR-05", "time_in_future", Severity::Info,
                                            "its last activity is still to come: " + to_text(last_)));
    }
    const AgeRow& row = decide(age_class(plan_.age));
    if (!row.severity) return;
    plan_.findings.push_back(
        make_finding(row.label, "old_state", *row.severity,
                     "the last activity was " + to_text(plan_.age) + " ago; " + std::string(row.advice)));
    plan_.findings.back().seen = to_text(last_);
  }

  // A story that cannot be opened says nothing, which is not the same as having no status.
  void find_closed_stories() {
    for (const CourseStep& step : course_.steps) {
      const StorySeen* story = step.story.empty() || is_kept(step) ? nullptr : find_story(seen_, step.story);
      if (story == nullptr || story->unreadable.empty()) continue;
      const std::string path = printable_line(story->path, kShownTextMax);
      const auto is_known = [&](const Finding& finding) { return finding.claimed == path; };
      if (std::ranges::any_of(plan_.findings, is_known)) continue;
      plan_.findings.push_back(
          make_finding(kClosedLabel, "story_unreadable", Severity::Blocking,
                       path + " cannot be read: " + printable_line(story->unreadable, kShownTextMax)));
      plan_.findings.back().claimed = path;
      plan_.findings.back().remedy = "ls -l " + shell_quote(story->path);
    }
  }

  bool is_damaged() const {
    const bool damaged = (seen_.kind == OrchestratorKind::Epic && seen_.epic.damaged) ||
                         (seen_.kind == OrchestratorKind::Flow && seen_.flow.damaged);
    return damaged || !seen_.unreadable.empty();
  }

  void find_damage() {
    for (const std::string& place : seen_.closed_places) {
      plan_.findings.push_back(
          make_finding(kClosedLabel, "place_unreadable", Severity::Blocking,
                       printable_line(place, kShownTextMax) + "; whether other work goes on there is not known"));
    }
    if (seen_.is_closed) {
      plan_.findings.push_back(make_finding(kClosedLabel, "state_unreadable", Severity::Blocking,
                                            printable_line(seen_.unreadable, kShownTextMax)));
      plan_.findings.back().remedy = "ls -l " + shell_quote(seen_.state_file);
      return;
    }
    if (!is_damaged()) return;
    std::string message = printable_line(seen_.state_file, kShownTextMax) + " is damaged";
    if (!seen_.unreadable.empty()) message += ": " + printable_line(seen_.unreadable, kShownTextMax);
    plan_.findings.push_back(
        make_finding(kDamagedLabel, "state_damaged", Severity::Blocking,
                     message + "; it can be made anew from stories, artifacts and change logs"));
    plan_.findings.back().remedy = "reprise repair " + id_;
  }

  // A person named the step where it goes on (OR-13). That settles what they could have accepted, and nothing
  // else.
  void go_from() {
    const auto at = std::ranges::find_if(
        course_.steps, [&](const CourseStep& step) { return step.decision.step.text == seen_.from; });
    if (at == course_.steps.end()) {
      plan_.findings.push_back(make_finding(kFromLabel, "from_unknown", Severity::Blocking,
                                            "there is no step " + quoted_line(seen_.from)));
      return;
    }
    for (const CourseStep& step : course_.steps) {
      if (step.level >= at->level || is_kept(step)) continue;
      plan_.findings.push_back(make_finding(kFromLabel, "from_jumps", Severity::Blocking,
                                            "going on from " + at->decision.step.text + " would jump over " +
                                                step.decision.step.text + ", which is not done"));
      return;
    }
    const auto repeated = std::ranges::count_if(
        course_.steps, [&](const CourseStep& step) { return step.level >= at->level && is_kept(step); });
    if (repeated > 0) {
      plan_.findings.push_back(make_finding(kFromLabel, "from_repeats", Severity::Warning,
                                            "going on from " + at->decision.step.text + " repeats or re-checks " +
                                                count_of(static_cast<std::size_t>(repeated), "step") +
                                                " that counted as done"));
    }
    decide_anew(*at, Decision::Rerun, kFromLabel, "a person wants to go on from here");
    for (CourseStep& step : course_.steps) {
      if (step.decision.decision == Decision::Refuse) {
        decide_anew(step, Decision::Verify, kFromLabel, "a person goes on in spite of what stands against it");
      }
    }
    verify_above_moving(course_.steps);
    settle(at->decision.step.text);
  }

  void settle(const std::string& step) {
    for (Finding& finding : plan_.findings) {
      const bool settles = finding.severity == Severity::Blocking && is_acceptable(finding.code);
      if (settles) finding.severity = Severity::Warning;
    }
    std::erase_if(course_.waiting_for, [&](const Waiting& waiting) {
      return waiting.name == step || seen_.kind == OrchestratorKind::QaLoop;
    });
    if (course_.course != Course::Blocked) course_.course = Course::GoOn;
  }

  void overrule() {
    for (Finding& finding : plan_.findings) {
      if (!is_acceptable(finding.code)) continue;
      if (seen_.accepted.contains(finding.code)) {
        finding.severity = Severity::Info;
        finding.message += " (accepted by a person)";
      } else if (finding.severity == Severity::Blocking || finding.code == "escalated" ||
                 finding.code == "iteration_over") {
        finding.remedy = accept_command(finding.code);
      }
    }
  }

  std::string accept_command(const std::string& code) const {
    return "reprise accept " + id_ + " " + code + " --because TEXT";
  }

  // The first step that is not kept. One that waits for a person is passed over for those beside it, never for
  // those that come after it.
  void find_point() {
    const auto first = std::ranges::find_if(course_.steps, [](const CourseStep& step) { return !is_kept(step); });
    if (first == course_.steps.end()) return;
    auto at = std::find_if(first, course_.steps.end(), [&](const CourseStep& step) {
      return step.level == first->level && !is_kept(step) && step.decision.decision != Decision::Wait;
    });
    if (at == course_.steps.end()) at = first;
    point_ = static_cast<std::size_t>(at - course_.steps.begin());
  }

  bool has(Severity severity) const {
    return std::ranges::find(plan_.findings, severity, &Finding::severity) != plan_.findings.end();
  }

  Readiness readiness() const {
    if (has(Severity::Blocking)) return Readiness::Blocked;
    if (course_.course == Course::Fresh) return Readiness::Fresh;
    if (course_.course == Course::Done || !point_) return Readiness::Done;
    if (course_.steps[*point_].decision.decision == Decision::Wait) return Readiness::Wait;
    return has(Severity::Warning) || decide(age_class(plan_.age)).asks ? Readiness::Confirm : Readiness::Ready;
  }

  void conclude() {
    plan_.readiness = readiness();
    const bool goes_on = plan_.readiness == Readiness::Ready || plan_.readiness == Readiness::Confirm;
    if (goes_on || plan_.readiness == Readiness::Wait) {
      plan_.resume_point = point_;
      plan_.iteration = course_.iteration;
      plan_.waiting_for = std::move(course_.waiting_for);
    }
    plan_.saved_steps = static_cast<int>(std::ranges::count_if(course_.steps, is_kept));
    if (goes_on) {
      offer("resume", "reprise resume " + id_ + (seen_.from.empty() ? "" : " --from " + shell_quote(seen_.from)));
    }
    add_options();
  }

  void offer(std::string action, std::string command) {
    plan_.options.push_back({std::move(action), std::move(command)});
  }

  void add_options() {
    if (plan_.readiness == Readiness::Done) return;
    if (plan_.readiness == Readiness::Fresh) {
      return offer("fresh", "reprise run " + std::string(to_token(seen_.kind)) + " " + shell_quote(seen_.subject));
    }
    std::set<std::string> offered;
    for (const Finding& finding : plan_.findings) {
      if (finding.remedy.starts_with("reprise accept") && offered.insert(finding.code).second)
        offer("accept", finding.remedy);
    }
    if (is_damaged() && !seen_.is_closed) offer("repair", "reprise repair " + id_);
    // While somebody else is at it, nothing that would take it away is offered.
    const bool held = std::ranges::find(plan_.findings, "held_by_another", &Finding::code) != plan_.findings.end();
    if (held) return offer("manual", "reprise plan " + id_);
    if (is_worker_missing())
      offer("configure", seen_.has_config ? "${EDITOR:-vi} .reprise/config.yaml" : "reprise init");
    if (can_go_from()) offer("from", "reprise resume " + id_ + " --from " + shell_quote(name_of_point()));
    if (plan_.readiness == Readiness::Blocked) offer("manual", "${EDITOR:-vi} " + shell_quote(seen_.state_file));
    offer("restart", restart_command());
    offer("fresh", "reprise fresh " + id_);
    const bool is_bad = plan_.readiness == Readiness::Blocked || age_class(plan_.age) == AgeClass::Stale;
    if (is_bad) offer("cleanup", "reprise cleanup " + id_);
  }

  // Nothing but its state says what a general workflow is, so it starts over from its first step.
  std::string restart_command() const {
    const bool is_flow = seen_.kind == OrchestratorKind::Flow && !course_.steps.empty();
    return is_flow ? "reprise resume " + id_ + " --from " + shell_quote(course_.steps.front().decision.step.text)
                   : "reprise fresh " + id_ + " --run";
  }

  bool is_worker_missing() const {
    return std::ranges::find(plan_.findings, "worker_missing", &Finding::code) != plan_.findings.end();
  }

  std::string name_of_point() const { return course_.steps[*point_].decision.step.text; }

  // Going on from a named step is worth offering where something is kept, and works where a person may decide.
  bool can_go_from() const {
    const bool partial = std::ranges::any_of(course_.steps, is_kept) && point_.has_value();
    const bool asks = plan_.readiness == Readiness::Blocked || plan_.readiness == Readiness::Wait ||
                      (point_ && course_.steps[*point_].decision.decision == Decision::Rerun);
    return partial && asks && std::ranges::all_of(plan_.findings, [](const Finding& finding) {
             return finding.severity != Severity::Blocking || is_acceptable(finding.code);
           });
  }

  PhaseSummary phase(const CourseStep& step) const {
    return {step.decision.step.text, step.agent, step.inputs, step.outputs};
  }

  ResumeSummary summarize() const {
    ResumeSummary summary{.kind = seen_.kind, .state_file = seen_.state_file, .age = age_class(plan_.age)};
    summary.advice = decide(summary.age).advice;
    const auto end = course_.steps.begin() + static_cast<std::ptrdiff_t>(point_.value_or(course_.steps.size()));
    for (auto step = course_.steps.begin(); step != end; ++step) {
      if (is_kept(*step)) summary.last = phase(*step);
    }
    if (plan_.resume_point) summary.next = phase(course_.steps[*plan_.resume_point]);
    for (const CourseStep& step : course_.steps) {
      if (!is_kept(step)) summary.remaining.push_back(step.decision.step.text);
    }
    summary.validation = validation();
    return summary;
  }

  std::string validation() const {
    const auto conflicts = std::ranges::count(plan_.findings, Severity::Blocking, &Finding::severity);
    const auto warnings = std::ranges::count(plan_.findings, Severity::Warning, &Finding::severity);
    std::string words;
    if (conflicts > 0) words = std::to_string(conflicts) + (conflicts == 1 ? " conflict" : " conflicts");
    if (warnings > 0) {
      words += (words.empty() ? "" : ", ") + std::to_string(warnings) + (warnings == 1 ? " warning" : " warnings");
    }
    return words.empty() ? "clean" : words;
  }

  const OrchestratorSnapshot& seen_;
  WorkflowCourse course_;
  Timestamp last_;
  std::string id_;  // as a word of a shell
  std::optional<std::size_t> point_;
  Plan plan_;
};

// The newest of the times that count; a state may leave its own behind those of its stories.
class NewestTime {
 public:
  explicit NewestTime(Timestamp now) : now_(now) {}
  void add(const std::optional<ClaimedTime>& time) {
    if (time && time->time <= now_ && (!newest_ || *newest_ < time->time)) newest_ = time->time;
  }
  Timestamp get(Timestamp otherwise) const { return newest_.value_or(std::min(otherwise, now_)); }

 private:
  Timestamp now_;
  std::optional<Timestamp> newest_;
};

}  // namespace

Timestamp last_activity(const OrchestratorSnapshot& snapshot) {
  NewestTime newest(snapshot.now);
  switch (snapshot.kind) {
    case OrchestratorKind::Epic:
      newest.add(snapshot.epic.updated_at);
      for (const ClaimedWave& wave : snapshot.epic.waves) {
        for (const ClaimedStory& story : wave.stories) {
          newest.add(story.started_at);
          newest.add(story.completed_at);
        }
      }
      for (const ClaimedVerdict& verdict : snapshot.epic.verdicts) newest.add(verdict.at);
      break;
    case OrchestratorKind::QaLoop:
      newest.add(snapshot.qa_loop.updated_at);
      for (const ClaimedReview& review : snapshot.qa_loop.history) {
        newest.add(review.reviewed_at);
        newest.add(review.fixed_at);
      }
      break;
    case OrchestratorKind::StoryCycle: break;  // the story is its own state: its file's time is the truth
    case OrchestratorKind::SpecPipeline: newest.add(snapshot.spec.updated_at); break;
    case OrchestratorKind::Flow: newest.add(snapshot.flow.updated_at); break;
  }
  return newest.get(snapshot.file_time);
}

OrchestratorPlan plan_orchestrator(const OrchestratorSnapshot& snapshot) {
  return OrchestratorPlanner(snapshot).make();
}

}  // namespace reprise
