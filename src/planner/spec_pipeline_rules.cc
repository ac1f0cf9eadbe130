#include "planner/spec_pipeline_rules.h"

#include <algorithm>

#include "base/check.h"
#include "base/strings.h"
#include "planner/row_fit.h"

namespace reprise {
namespace {

std::array<bool, 5> made_by(const SpecPipelineClaims& claims) {
  return {claims.has_requirements, claims.has_complexity, claims.has_research, claims.has_spec,
          claims.has_critique};
}

SpecSize size_of(const SpecPipelineClaims& claims) {
  if (claims.complexity.empty()) return SpecSize::Unsaid;
  return to_upper(claims.complexity) == "SIMPLE" ? SpecSize::Simple : SpecSize::Larger;
}

// A person who accepted a blocking critique has the spec revised.
SpecVerdict verdict_of(const OrchestratorSnapshot& snapshot) {
  const bool overruled =
      snapshot.spec.verdict == SpecVerdict::Blocked && snapshot.accepted.contains("critique_blocked");
  return overruled ? SpecVerdict::NeedsRevision : snapshot.spec.verdict;
}

SpecSituation situation_of(const OrchestratorSnapshot& snapshot, std::size_t phase) {
  const SpecPipelineClaims& claims = snapshot.spec;
  const std::array<bool, 5> made = made_by(claims);
  SpecSituation situation{.phase = static_cast<SpecPhase>(phase), .made = made[phase]};
  situation.later_made =
      std::find(made.begin() + static_cast<std::ptrdiff_t>(phase) + 1, made.end(), true) != made.end();
  situation.size = size_of(claims);
  situation.verdict = claims.has_critique ? verdict_of(snapshot) : SpecVerdict::None;
  situation.skips =
      situation.size == SpecSize::Unsaid && claims.has_spec && !claims.has_complexity && !claims.has_research;
  return situation;
}

void add_spec_evidence(CourseStep& step, const OrchestratorSnapshot& snapshot, std::size_t phase) {
  const SpecPipelineClaims& claims = snapshot.spec;
  add_evidence(step, "file", printable_line(snapshot.state_file, kShownTextMax),
               "the artifact of " + step.decision.stage + (made_by(claims)[phase] ? " is there" : " is missing"));
  if (step.decision.stage == "assess" && !claims.complexity.empty()) {
    add_evidence(step, "claim", "complexity", printable_line(claims.complexity, 40));
  }
  if (step.decision.stage == "critique" && claims.has_critique) {
    add_evidence(step, "claim", "verdict",
                 claims.verdict_word.empty() ? "none" : printable_line(claims.verdict_word, 40));
  }
}

// The step that comes after `phase`, without those that are left out.
auto step_after(std::size_t phase, WorkflowCourse& course) {
  auto next = course.steps.begin() + static_cast<std::ptrdiff_t>(phase) + 1;
  const auto is_left_out = [](const CourseStep& step) {
    return step.decision.rule.ends_with("skipped") || step.decision.rule.ends_with("passed over");
  };
  while (next != course.steps.end() && is_left_out(*next)) ++next;
  return next;
}

// Evidence before pointer: the state's word is only compared.
void compare_pointer(const OrchestratorSnapshot& snapshot, WorkflowCourse& course) {
  const std::string& word = snapshot.spec.state_word;
  if (word.empty()) return;
  const auto named = std::ranges::find(kSpecPhases, word, &SpecPhaseRow::state_word);
  const auto open = std::ranges::find_if(
      course.steps, [](const CourseStep& step) { return step.decision.decision != Decision::Keep; });
  std::string seen = open == course.steps.end() ? "all of it is done" : "it goes on at " + open->decision.stage;
  std::string message = "the state says " + quoted_line(word) + ", but by its artifacts " + seen;
  if (named == kSpecPhases.end()) {
    message = "the state's word " + quoted_line(word) + " is not known; its artifacts decide";
  } else if (step_after(static_cast<std::size_t>(named - kSpecPhases.begin()), course) == open ||
             (named->name == "critique" && snapshot.spec.has_critique)) {
    return;
  }
  course.findings.push_back(make_finding("ALL-03", "pointer_disagrees", Severity::Info, std::move(message)));
  course.findings.back().claimed = printable_line(word, kShownTextMax);
  course.findings.back().seen = std::move(seen);
}

void set_course(const OrchestratorSnapshot& snapshot, WorkflowCourse& course) {
  const std::array<bool, 5> made = made_by(snapshot.spec);
  if (std::ranges::find(made, true) == made.end() && snapshot.spec.state_word.empty()) {
    course.course = Course::Fresh;
    course.rule = kSpecNothingLabel;
    course.reason = "nothing of it is there yet";
    return;
  }
  const bool open = std::ranges::any_of(
      course.steps, [](const CourseStep& step) { return step.decision.decision != Decision::Keep; });
  if (!open) {
    course.course = Course::Done;
    course.rule = kSpecDoneLabel;
    course.reason = "the spec is approved";
  }
}

}  // namespace

const SpecRow& decide(const SpecSituation& s) {
  for (const SpecRow& row : kSpecRows) {
    if (fits(row.phase, s.phase) && fits(row.made, s.made) && fits(row.later_made, s.later_made) &&
        fits(row.size, s.size) && fits(row.verdict, s.verdict) && fits(row.skips, s.skips)) {
      return row;
    }
  }
  check_failed("every situation of a spec pipeline's phase has a row");
}

WorkflowCourse course_of_spec_pipeline(const OrchestratorSnapshot& snapshot) {
  WorkflowCourse course;
  for (std::size_t i = 0; i < kSpecPhases.size(); ++i) {
    const SpecRow& row = decide(situation_of(snapshot, i));
    course.steps.push_back(
        make_step(std::string(kSpecPhases[i].name), static_cast<int>(i), row.decision, row.label, row.reason));
    course.steps.back().agent = kSpecPhases[i].agent;
    add_spec_evidence(course.steps.back(), snapshot, i);
    if (row.decision != Decision::Refuse) continue;
    course.findings.push_back(
        make_finding(row.label, "critique_blocked", Severity::Blocking,
                     "the critique blocks the spec; accepting that has the spec revised and criticised again"));
    course.findings.back().claimed = printable_line(snapshot.spec.verdict_word, kShownTextMax);
  }
  set_course(snapshot, course);
  if (course.course == Course::GoOn) compare_pointer(snapshot, course);
  for (const Oddity& artifact : snapshot.spec.damaged) {
    course.findings.push_back(make_finding(
        "OR-02", "artifact_damaged", Severity::Warning,
        printable_line(artifact.text, 80) + " line " + std::to_string(artifact.line) + " cannot be read (" +
            printable_line(artifact.why, kShownTextMax) + "); it does not count, and its phase is done again"));
  }
  list_oddities(snapshot.spec.oddities, course.findings);
  return course;
}

}  // namespace reprise
