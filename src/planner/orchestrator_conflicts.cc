#include "planner/orchestrator_conflicts.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/strings.h"
#include "planner/epic_rules.h"
#include "planner/orchestrator_tables.h"

namespace reprise {
namespace {

constexpr std::array<std::string_view, 10> kAcceptable = {
    "place_unreadable",   "done_outside",    "story_reset",      "review_done_outside", "other_workflow",
    "acceptance_changed", "dependency_open", "critique_blocked", "escalated",           "iteration_over"};

constexpr Duration kSavedTogether = std::chrono::seconds(1);  // a copy and its file, saved in one go

using StepIndex = std::map<std::string_view, CourseStep*>;

StepIndex index_of(std::vector<CourseStep>& steps) {
  StepIndex index;
  for (CourseStep& step : steps) index.emplace(step.decision.step.text, &step);
  return index;
}

// Whether the state itself lists every wave that it counts.
bool lists_all_waves(const EpicClaims& claims) {
  if (claims.waves.empty()) return false;
  return !claims.total_waves || *claims.total_waves <= static_cast<long long>(claims.waves.size());
}

// Whether a step counts as done, so that what it made should be there.
bool can_have_lost(const CourseStep& step) {
  return is_kept(step) || step.decision.rule == kRemakeLabel || step.decision.decision == Decision::Verify;
}

void remake(CourseStep& step, const ReferencedFile& file) {
  decide_anew(step, Decision::Rerun, kRemakeLabel, "something that it made is gone");
  step.decision.detail = " (" + printable_line(file.path, 120) + ")";
  add_evidence(step, "file", printable_line(file.path, kShownTextMax), "missing");
}

Finding missing_finding(const ReferencedFile& file, const MissingFileRow& row) {
  std::string message = printable_line(file.path, kShownTextMax) + " is gone";
  if (!file.phase.empty()) message += ", which " + printable_line(file.phase, 80) + " needs";
  message += ": " + std::string(row.reason);
  const std::string_view code = file.role == FileRole::Story      ? "story_missing"
                                : file.role != FileRole::Artifact ? "file_missing"
                                : file.made_by.empty()            ? "input_missing"
                                                                  : "artifact_missing";
  Finding finding = make_finding(row.label, code, row.severity, std::move(message));
  finding.claimed = printable_line(file.phase, 80);
  finding.seen = "missing";
  return finding;
}

// An execution plan that is there and cannot be read whole. What it tells is used; where the state does not list
// all waves itself, nobody knows what is missing.
Finding plan_finding(const OrchestratorSnapshot& snapshot) {
  const auto file = std::ranges::find(snapshot.files, FileRole::ExecutionPlan, &ReferencedFile::role);
  const std::vector<Oddity>& odd = snapshot.execution_plan->oddities;
  std::string place =
      file == snapshot.files.end() ? "the execution plan" : printable_line(file->path, kShownTextMax);
  if (!odd.empty()) place += ":" + std::to_string(odd.front().line);
  const bool is_needed = !lists_all_waves(snapshot.epic);
  Finding finding = make_finding(
      "OR-02", "plan_damaged", is_needed ? Severity::Blocking : Severity::Warning,
      place + " cannot be read" + (odd.empty() ? "" : " (" + printable_line(odd.front().why, 200) + ")") +
          (is_needed ? "; what the epic consists of is not known" : "; the state lists the waves itself"));
  if (file != snapshot.files.end()) finding.remedy = "${EDITOR:-vi} " + shell_quote(file->path);
  return finding;
}

// A story that a step is about and that has no file.
void find_missing_stories(const OrchestratorSnapshot& snapshot, const WorkflowCourse& course,
                          std::vector<Finding>& findings) {
  std::map<std::string_view, bool> ahead;  // by story: whether a step about it is not kept
  for (const CourseStep& step : course.steps) {
    if (!step.story.empty()) ahead[step.story] = ahead[step.story] || !is_kept(step);
  }
  for (const auto& [id, is_ahead] : ahead) {
    const StorySeen* story = find_story(snapshot, std::string(id));
    if (story != nullptr && story->exists) continue;
    const MissingFileRow& row = decide(MissingFile{.role = FileRole::Story, .ahead = is_ahead});
    const std::string where =
        story == nullptr || story->path.empty() ? "" : " (" + printable_line(story->path, 120) + ")";
    findings.push_back(
        make_finding(row.label, "story_missing", row.severity,
                     story_words(std::string(id)) + where + " has no file any more: " + std::string(row.reason)));
    findings.back().seen = "missing";
  }
}

Finding status_finding(const OrchestratorSnapshot& snapshot, const std::string& id, EpicStoryStatus claimed,
                       const StorySeen& story) {
  static constexpr std::array<std::string_view, 9> kWords = {"no status",   "an unknown status", "pending",
                                                             "in_progress", "in_review",         "completed",
                                                             "failed",      "blocked",           "skipped"};
  const StatusRow& row = decide(claimed, story.claims.status);
  const std::string_view state = kWords[static_cast<std::size_t>(claimed)];
  const std::string says = story.claims.status_word.empty() ? "no status" : quoted_line(story.claims.status_word);
  Finding finding = make_finding(
      row.label, row.code, row.severity.value_or(Severity::Info),
      story_words(id) +
          (snapshot.kind == OrchestratorKind::Flow ? ": the steps of the state mean " : ": the state says ") +
          std::string(state) + ", " + printable_line(story.path, 120) + " says " + says + ": " +
          std::string(row.reason));
  finding.claimed = snapshot.state_file + ": " + std::string(state);
  finding.seen = "line " + std::to_string(story.claims.status_line) + ": " + says;
  return finding;
}

}  // namespace

bool is_acceptable(std::string_view code) { return std::ranges::find(kAcceptable, code) != kAcceptable.end(); }

std::vector<Finding> check_state_files(const OrchestratorSnapshot& snapshot) {
  std::vector<Finding> findings;
  const auto says = [](const std::string& status, Timestamp at) {
    return (status.empty() ? "says no status" : "says " + quoted_line(status)) + ", of " + to_text(at);
  };
  for (const OtherStateFile& other : snapshot.other_state_files) {
    const std::string path = printable_line(other.path, kShownTextMax);
    const std::string used = printable_line(snapshot.state_file, kShownTextMax);
    if (!other.is_copy) {
      findings.push_back(make_finding("OR-01", "two_state_files", Severity::Warning,
                                      used + " is used, the newest; " + path + " is about the same work and " +
                                          says(other.status, other.updated_at)));
    } else if (other.updated_at > snapshot.file_time + kSavedTogether) {
      findings.push_back(make_finding("OR-01", "unfinished_save", Severity::Warning,
                                      path + " is newer than " + used +
                                          ", which is used: a program was stopped while it saved; it " +
                                          says(other.status, other.updated_at)));
    } else {
      continue;
    }
    findings.back().claimed = path;
  }
  return findings;
}

std::vector<Finding> check_files(const OrchestratorSnapshot& snapshot, WorkflowCourse& course) {
  std::vector<Finding> findings;
  if (snapshot.execution_plan && snapshot.execution_plan->damaged) findings.push_back(plan_finding(snapshot));
  const StepIndex steps = index_of(course.steps);
  std::vector<const ReferencedFile*> missing;
  for (const ReferencedFile& file : snapshot.files) {
    if (file.exists || (file.role == FileRole::Story && !file.story.empty())) continue;
    const auto makes = steps.find(file.made_by);
    // What a step is going to make anyway is not missing yet.
    if (makes != steps.end() && !can_have_lost(*makes->second)) continue;
    if (makes != steps.end()) remake(*makes->second, file);
    missing.push_back(&file);
  }
  verify_above_moving(course.steps);
  for (const ReferencedFile* file : missing) {
    const auto needs = steps.find(file->phase);
    MissingFile seen{.role = file->role, .ahead = needs != steps.end() && !is_kept(*needs->second)};
    seen.can_make =
        file->role == FileRole::ExecutionPlan ? lists_all_waves(snapshot.epic) : steps.contains(file->made_by);
    findings.push_back(missing_finding(*file, decide(seen)));
  }
  find_missing_stories(snapshot, course, findings);
  return findings;
}

namespace {

// A step that a name tells: its place among the steps, and whether it is completed or under way.
const ClaimedFlowStep* find_step_named(const FlowClaims& flow, std::initializer_list<std::string_view> words) {
  const auto is_it = [&](const ClaimedFlowStep& step) {
    const std::string name = to_lower(step.name);
    return std::ranges::any_of(words, [&](std::string_view word) { return name.find(word) != std::string::npos; });
  };
  const auto found = std::ranges::find_if(flow.steps, is_it);
  return found == flow.steps.end() ? nullptr : &*found;
}

// What a workflow says of its story by the steps that it has behind it: until it is implemented a story is what it
// was before, and a review that is over may have ended it. Steps with other names say no more than that it was
// begun.
std::optional<EpicStoryStatus> status_by_steps(const FlowClaims& flow, StoryStatus story) {
  const bool begun = std::ranges::any_of(flow.steps, &ClaimedFlowStep::completed);
  const ClaimedFlowStep* implement = find_step_named(flow, {"implement", "develop"});
  if (flow.dialect == "checkpoint" || (implement == nullptr && !begun)) return EpicStoryStatus::Pending;
  if (implement == nullptr) {
    if (story == StoryStatus::Draft) return std::nullopt;
    return story == StoryStatus::InReview ? EpicStoryStatus::InReview : EpicStoryStatus::InProgress;
  }
  if (!implement->completed) {
    const auto open =
        std::ranges::find_if(flow.steps, [](const ClaimedFlowStep& step) { return !step.completed; });
    const bool is_next = &*open == implement;
    const bool is_begun = !implement->status_word.empty() || story == StoryStatus::InProgress;
    return is_next && is_begun ? EpicStoryStatus::InProgress : EpicStoryStatus::Pending;
  }
  const ClaimedFlowStep* review = find_step_named(flow, {"qa", "review", "quality"});
  if (story == StoryStatus::Done && review != nullptr && review->completed) return EpicStoryStatus::Completed;
  return story == StoryStatus::InProgress ? EpicStoryStatus::InProgress : EpicStoryStatus::InReview;
}

}  // namespace

std::optional<EpicStoryStatus> claimed_status(const OrchestratorSnapshot& snapshot, const std::string& story) {
  const StorySeen* seen = find_story(snapshot, story);
  const StoryStatus status = seen == nullptr ? StoryStatus::Missing : seen->claims.status;
  if (snapshot.kind == OrchestratorKind::QaLoop && story == snapshot.qa_loop.story) {
    // Reviewing and fixing alternate, so both of these go with a loop.
    return status == StoryStatus::InProgress ? EpicStoryStatus::InProgress : EpicStoryStatus::InReview;
  }
  if (snapshot.kind != OrchestratorKind::Flow || story != snapshot.flow.story) return std::nullopt;
  return status_by_steps(snapshot.flow, status);
}

std::vector<Finding> check_statuses(const OrchestratorSnapshot& snapshot, const WorkflowCourse& course) {
  std::vector<Finding> findings;
  const auto compare = [&](const std::string& id, EpicStoryStatus claimed) {
    const StorySeen* story = find_story(snapshot, id);
    if (story == nullptr || !story->exists || !story->unreadable.empty()) return;
    if (decide(claimed, story->claims.status).severity) {
      findings.push_back(status_finding(snapshot, id, claimed, *story));
    }
  };
  if (snapshot.kind == OrchestratorKind::Epic) {
    for (const EpicWave& wave : waves_of(snapshot)) {
      for (const WaveStory& story : wave.stories) {
        compare(story.id, story.claim == nullptr ? EpicStoryStatus::Pending : story.claim->status);
      }
    }
  } else if (!course.steps.empty()) {
    const std::string& id = course.steps.front().story;
    if (const auto claimed = claimed_status(snapshot, id)) compare(id, *claimed);
  }
  for (const auto& [id, story] : snapshot.stories) {
    if (story.others.empty()) continue;
    findings.push_back(make_finding("OR-03", "two_story_files", Severity::Warning,
                                    story_words(id) + " has several files; " + printable_line(story.path, 120) +
                                        " is used, not " + printable_line(story.others.front(), 120)));
  }
  return findings;
}

std::vector<Finding> check_workers(const OrchestratorSnapshot& snapshot, const WorkflowCourse& course,
                                   std::optional<std::size_t> point) {
  std::vector<Finding> findings;
  std::set<std::string_view> named;
  const auto report = [&](const CourseStep& step, Severity severity) {
    if (!snapshot.roles_without_worker.contains(step.agent) || !named.insert(step.agent).second) return;
    findings.push_back(make_finding(kWorkerLabel, "worker_missing", severity,
                                    "no worker is configured for " + printable_line(step.agent, 60) + ", which " +
                                        step.decision.step.text + " needs"));
    findings.back().remedy = "add to .reprise/config.yaml: workers: {default: {run: [./scripts/agent.sh]}}";
  };
  if (point) report(course.steps[*point], Severity::Blocking);
  for (const CourseStep& step : course.steps) {
    const bool needs = !is_kept(step) && step.decision.decision != Decision::Wait;
    if (needs) report(step, Severity::Warning);
  }
  return findings;
}

}  // namespace reprise
