#include "planner/flow_rules.h"

#include <algorithm>

#include "base/check.h"
#include "base/strings.h"

namespace reprise {
namespace {

FlowSteps steps_of(const FlowClaims& claims) {
  if (claims.steps.empty()) return claims.current_phase.empty() ? FlowSteps::None : FlowSteps::Open;
  const bool open = std::ranges::any_of(
      claims.steps, [](const ClaimedFlowStep& step) { return decide(seen_of(step)).decision != Decision::Keep; });
  return open ? FlowSteps::Open : FlowSteps::AllDone;
}

class FlowCourse {
 public:
  explicit FlowCourse(const OrchestratorSnapshot& snapshot) : seen_(snapshot), claims_(snapshot.flow) {}

  WorkflowCourse make() {
    const FlowRow& row = decide(claims_.status, steps_of(claims_));
    out_ = {.course = row.course, .rule = row.label, .reason = row.reason};
    for (const ClaimedFlowStep& step : claims_.steps) add(step);
    if (claims_.steps.empty()) add_current_phase(row);
    if (claims_.rest_unknown && out_.course == Course::GoOn) add_rest();
    if (!row.warns.empty()) {
      out_.findings.push_back(make_finding(row.label, row.warns, Severity::Warning, std::string(row.reason)));
      out_.findings.back().claimed = printable_line(claims_.status_word, kShownTextMax);
    }
    if (row.course == Course::GoOn) find_differences();
    list_oddities(claims_.oddities, out_.findings);
    return std::move(out_);
  }

 private:
  void add(const ClaimedFlowStep& claim) {
    const FlowStepRow& row = decide(seen_of(claim));
    const int level = static_cast<int>(out_.steps.size());
    CourseStep step = make_step(names_.path_for(claim.name), level, row.decision, row.label, row.reason);
    step.agent = claim.agent;
    // A checkpoint's steps are stories.
    step.story = claims_.dialect == "checkpoint" ? claim.name : claims_.story;
    if (!claim.output.empty()) step.outputs.push_back(claim.output);
    add_inputs(step);
    add_evidence(step, "claim",
                 seen_.state_file + (claim.line > 0 ? " line " + std::to_string(claim.line) : std::string()),
                 claim.inferred              ? "not listed"
                 : claim.status_word.empty() ? "no status"
                                             : quoted_line(claim.status_word));
    out_.steps.push_back(std::move(step));
  }

  // What the state keeps for whoever goes on, and what was made so far.
  void add_inputs(CourseStep& step) const {
    const auto add = [&](const std::string& path) {
      if (!path.empty() && std::ranges::find(step.inputs, path) == step.inputs.end()) step.inputs.push_back(path);
    };
    add(seen_.state_file);
    if (const StorySeen* story = find_story(seen_, step.story); story != nullptr && story->exists)
      add(story->path);
    for (const CourseStep& before : out_.steps) {
      for (const std::string& output : before.outputs) add(output);
    }
    for (const ReferencedFile& file : seen_.files) {
      if (file.exists && file.role != FileRole::Story) add(file.path);
    }
  }

  // What comes after the steps that are known is asked of a person, and never taken for nothing.
  void add_rest() {
    const std::string last = out_.steps.empty() ? "it" : out_.steps.back().decision.step.text;
    const std::string what = claims_.remaining > 0 ? "the state counts " + std::to_string(claims_.remaining) +
                                                         " more, which it does not name"
                                                   : "the state does not say what comes after " + last;
    const int level = static_cast<int>(out_.steps.size());
    CourseStep step = make_step(names_.path_for(kFlowRestStep), level, Decision::Run, kFlowRestLabel,
                                "you are asked whether the workflow is finished");
    step.is_gate = true;
    add_evidence(step, "claim", seen_.state_file, what);
    out_.steps.push_back(std::move(step));
    out_.findings.push_back(make_finding(kFlowRestLabel, "rest_unknown", Severity::Info,
                                         what + "; you are asked before the workflow counts as completed"));
  }

  // A record that gives a phase and no steps: that phase is all there is to go on with.
  void add_current_phase(const FlowRow& row) {
    const bool goes_on = row.course == Course::GoOn && !claims_.current_phase.empty();
    const std::string name = claims_.current_phase.empty() ? "workflow" : claims_.current_phase;
    const Decision decision = goes_on                      ? Decision::Continue
                              : row.course == Course::Done ? Decision::Keep
                                                           : Decision::Refuse;
    CourseStep step = make_step(names_.path_for(name), 0, decision, row.label, row.reason);
    step.agent = claims_.current_agent;
    step.story = claims_.story;
    add_inputs(step);
    add_evidence(step, "claim", seen_.state_file,
                 claims_.current_phase.empty() ? "no phase" : "current phase " + quoted_line(name));
    out_.steps.push_back(std::move(step));
    if (row.course != Course::GoOn || goes_on) return;
    out_.course = Course::Blocked;
    out_.rule = kFlowNoStepsLabel;
    out_.reason = "the state says neither which steps there are nor which one is current";
  }

  void find_differences() {
    const auto open = std::ranges::find_if(
        out_.steps, [](const CourseStep& step) { return step.decision.decision != Decision::Keep; });
    const std::string& pointer = claims_.current_step.empty() ? claims_.current_phase : claims_.current_step;
    const bool differs = open != out_.steps.end() && !claims_.steps.empty() && !pointer.empty() &&
                         claims_.dialect != "checkpoint" && open->decision.stage != path_component(pointer);
    const bool is_number = parse_number(pointer, 1'000'000).has_value();
    if (differs && !is_number) {
      out_.findings.push_back(make_finding("ALL-03", "pointer_disagrees", Severity::Info,
                                           "the current phase is said to be " +
                                               quoted_line(claims_.current_phase) +
                                               ", by its steps it goes on at " + open->decision.stage));
    }
    const Timestamp last = claims_.updated_at ? claims_.updated_at->time : seen_.file_time;
    if (claims_.dialect == "master" && seen_.now - last >= kMasterRefusesAfter) {
      out_.findings.push_back(make_finding(kFlowMasterLabel, "master_would_refuse", Severity::Warning,
                                           "the master orchestrator refuses states older than 24 hours"));
    }
  }

  const OrchestratorSnapshot& seen_;
  const FlowClaims& claims_;
  PathNames names_;
  WorkflowCourse out_;
};

}  // namespace

const FlowRow& decide(FlowStatus status, FlowSteps steps) {
  for (const FlowRow& row : kFlowRows) {
    if ((!row.status || *row.status == status) && (!row.steps || *row.steps == steps)) return row;
  }
  check_failed("every situation of a workflow state has a row");
}

const FlowStepRow& decide(FlowStepSeen seen) {
  for (const FlowStepRow& row : kFlowStepRows) {
    if (row.seen == seen) return row;
  }
  check_failed("every step of a workflow state has a row");
}

FlowStepSeen seen_of(const ClaimedFlowStep& step) {
  if (step.completed) return step.inferred ? FlowStepSeen::Passed : FlowStepSeen::Completed;
  const std::string word = to_lower(step.status_word);
  if (word == "skipped") return FlowStepSeen::Skipped;
  if (word == "in_progress" || word == "active" || word == "running" || word == "started")
    return FlowStepSeen::Started;
  return word == "failed" || word == "error" ? FlowStepSeen::Failed : FlowStepSeen::Untouched;
}

WorkflowCourse course_of_flow(const OrchestratorSnapshot& snapshot) { return FlowCourse(snapshot).make(); }

}  // namespace reprise
