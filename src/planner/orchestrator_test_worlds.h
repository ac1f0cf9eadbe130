// Snapshots for tests of the orchestrator's rules: a clean one of each kind, to be spoilt by the test.

#pragma once

#include <string>
#include <string_view>

#include "planner/orchestrator_rules.h"

namespace reprise {

inline constexpr Timestamp kWorldNow{1'800'000'000'000};

inline ClaimedTime ago(Duration age) { return {.time = kWorldNow - age, .whole_day = false}; }

inline StorySeen a_story(const std::string& id, StoryStatus status) {
  StorySeen story{.path = "docs/stories/" + id + ".story.md", .others = {}, .exists = true};
  story.claims.id = id;
  story.claims.status = status;
  story.claims.status_word = to_token(status);
  story.claims.status_line = 3;
  story.claims.sections = {
      {"acceptance_criteria", "a1"}, {"scope", "s1"}, {"dev_notes", "n1"}, {"change_log", "c1"}};
  story.sections_then = story.claims.sections;
  return story;
}

inline OrchestratorSnapshot a_snapshot(OrchestratorKind kind, std::string subject, std::string state_file) {
  OrchestratorSnapshot seen;
  seen.kind = kind;
  seen.subject = std::move(subject);
  seen.state_file = std::move(state_file);
  seen.now = kWorldNow;
  seen.file_time = kWorldNow - std::chrono::minutes(45);
  return seen;
}

inline OrchestratorSnapshot a_cycle(StoryStatus status) {
  OrchestratorSnapshot seen = a_snapshot(OrchestratorKind::StoryCycle, "4.2", "docs/stories/4.2.story.md");
  seen.stories["4.2"] = a_story("4.2", status);
  return seen;
}

inline void add_to_wave(OrchestratorSnapshot& seen, std::size_t wave, const std::string& id,
                        EpicStoryStatus claimed, StoryStatus status) {
  ClaimedStory story;
  story.id = id;
  story.status = claimed;
  story.status_word = "as the test says";
  story.line = 20;
  seen.epic.waves[wave].stories.push_back(story);
  seen.stories[id] = a_story(id, status);
}

// Two waves: 3.1 and 3.2 are done, 3.3 is in progress and 3.4 waits for its turn.
inline OrchestratorSnapshot an_epic() {
  OrchestratorSnapshot seen = a_snapshot(OrchestratorKind::Epic, "3", ".aiox/epic-3-state.yaml");
  seen.epic.id = "3";
  seen.epic.status = EpicStatus::Active;
  seen.epic.updated_at = ago(std::chrono::minutes(45));
  seen.epic.current_wave = "2";
  for (const char* number : {"1", "2"}) {
    ClaimedWave wave;
    wave.number = number;
    seen.epic.waves.push_back(wave);
  }
  seen.epic.waves[0].status = WaveStatus::Completed;
  seen.epic.waves[1].status = WaveStatus::InProgress;
  add_to_wave(seen, 0, "3.1", EpicStoryStatus::Completed, StoryStatus::Done);
  add_to_wave(seen, 0, "3.2", EpicStoryStatus::Completed, StoryStatus::Done);
  add_to_wave(seen, 1, "3.3", EpicStoryStatus::InProgress, StoryStatus::InProgress);
  add_to_wave(seen, 1, "3.4", EpicStoryStatus::Pending, StoryStatus::Draft);
  seen.epic.verdicts.push_back({.gate = "1", .verdict = "approved", .agent = "architect", .at = {}, .line = 40});
  return seen;
}

inline ClaimedReview a_review(long long iteration, QaVerdict verdict, bool fixed = false) {
  ClaimedReview review;
  review.iteration = iteration;
  review.verdict = verdict;
  review.verdict_word = verdict == QaVerdict::None ? "" : "AS THE TEST SAYS";
  if (fixed) review.fixed_at = ago(std::chrono::hours(3));
  return review;
}

// A loop in its third iteration, whose review was cut off two hours ago.
inline OrchestratorSnapshot a_loop() {
  OrchestratorSnapshot seen = a_snapshot(OrchestratorKind::QaLoop, "2.1", "qa/loop-status.json");
  seen.qa_loop.dialect = "reference";
  seen.qa_loop.story = "2.1";
  seen.qa_loop.status = QaLoopStatus::InProgress;
  seen.qa_loop.status_word = "in_progress";
  seen.qa_loop.iteration = 3;
  seen.qa_loop.iterations_max = 5;
  seen.qa_loop.updated_at = ago(std::chrono::hours(2));
  seen.qa_loop.history = {a_review(1, QaVerdict::Reject, true), a_review(2, QaVerdict::Reject, true),
                          a_review(3, QaVerdict::None)};
  seen.stories["2.1"] = a_story("2.1", StoryStatus::InReview);
  return seen;
}

inline ClaimedFlowStep a_step(const std::string& name, const std::string& word) {
  ClaimedFlowStep step;
  step.name = name;
  step.status_word = word;
  step.completed = word == "completed";
  step.agent = "dev";
  step.line = 9;
  return step;
}

inline OrchestratorSnapshot a_flow() {
  OrchestratorSnapshot seen = a_snapshot(OrchestratorKind::Flow, "greenfield-1", ".aiox/greenfield-1-state.yaml");
  seen.flow.dialect = "instance";
  seen.flow.status = FlowStatus::Active;
  seen.flow.status_word = "active";
  seen.flow.updated_at = ago(std::chrono::minutes(45));
  seen.flow.steps = {a_step("plan", "completed"), a_step("implement", "in_progress"), a_step("review", "pending")};
  return seen;
}

inline OrchestratorSnapshot a_spec() {
  OrchestratorSnapshot seen = a_snapshot(OrchestratorKind::SpecPipeline, "login", "docs/stories/login/spec");
  seen.spec.name = "login";
  seen.spec.has_requirements = seen.spec.has_complexity = seen.spec.has_research = true;
  seen.spec.complexity = "STANDARD";
  seen.spec.updated_at = ago(std::chrono::minutes(45));
  return seen;
}

inline const StepDecision* find_step(const Plan& plan, std::string_view step) {
  for (const StepDecision& decision : plan.decisions) {
    if (decision.step.text == step) return &decision;
  }
  return nullptr;
}
inline const Finding* find_code(const Plan& plan, std::string_view code) {
  for (const Finding& finding : plan.findings) {
    if (finding.code == code) return &finding;
  }
  return nullptr;
}
inline std::string point_of(const Plan& plan) {
  return plan.resume_point ? plan.decisions[*plan.resume_point].step.text : "none";
}
inline std::string decision_of(const Plan& plan, std::string_view step) {
  const StepDecision* found = find_step(plan, step);
  return found == nullptr ? "there is no such step" : std::string(to_token(found->decision));
}
inline std::string severity_of(const Plan& plan, std::string_view code) {
  const Finding* found = find_code(plan, code);
  return found == nullptr ? "not found" : std::string(to_token(found->severity));
}
inline std::string command_of(const Plan& plan, std::string_view action) {
  for (const PlanOption& option : plan.options) {
    if (option.action == action) return option.command;
  }
  return "not offered";
}

}  // namespace reprise
