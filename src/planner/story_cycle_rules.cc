#include "planner/story_cycle_rules.h"

#include <algorithm>

#include "base/check.h"
#include "base/strings.h"
#include "planner/row_fit.h"

namespace reprise {
namespace {

// Whether `word` occurs in `text`, in capitals and not as a part of another word.
bool has_word(std::string_view text, std::string_view word) {
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end]))) return true;
  }
  return false;
}

// A later move to Ready is a GO, whatever was said before.
Validation validation_in(const StoryClaims& story) {
  Validation last = Validation::None;
  for (const StoryChange& change : story.changes) {
    if (has_word(change.text, "NO-GO") || has_word(change.text, "NO GO") || has_word(change.text, "NOGO")) {
      last = Validation::NoGo;
    } else if (has_word(change.text, "GO") || change.to == StoryStatus::Ready) {
      last = Validation::Go;
    }
  }
  return last;
}

StoryGate gate_in(const StoryClaims& story) {
  const std::string gate = to_upper(story.gate);
  if (gate == "FAIL") return StoryGate::Failed;
  return gate == "PASS" || gate == "CONCERNS" || gate == "WAIVED" ? StoryGate::Passed : StoryGate::None;
}

std::string agent_for(const StoryPhase& phase, const StoryClaims& story) {
  if (phase.name == "implement" && !story.executor.empty()) return story.executor;
  if (phase.name == "review" && !story.quality_gate.empty()) return story.quality_gate;
  return std::string(phase.agent);
}

std::string status_words(const StoryClaims& story) {
  if (story.status == StoryStatus::Missing) return "no status";
  const std::string word =
      story.status == StoryStatus::Unknown ? quoted_line(story.status_word) : std::string(to_token(story.status));
  return "line " + std::to_string(story.status_line) + ": status " + word;
}

void add_story_evidence(CourseStep& step, const StorySeen& story) {
  add_evidence(step, "file", story.path, status_words(story.claims));
  if (step.decision.stage == "implement" && story.claims.boxes > 0) {
    add_evidence(
        step, "file", story.path,
        std::to_string(story.claims.ticked) + " of " + std::to_string(story.claims.boxes) + " tasks are ticked");
  }
  if (step.decision.stage == "review") {
    add_evidence(step, "file", story.path,
                 story.claims.gate.empty() ? "no verdict under QA Results"
                                           : "verdict " + printable_line(story.claims.gate, 40));
  }
  if (step.decision.stage == "validate" && !story.claims.changes.empty()) {
    const StoryChange& last = story.claims.changes.back();
    add_evidence(step, "file", story.path,
                 "line " + std::to_string(last.line) + " of the change log: " + quoted_line(last.text));
  }
}

// There is no story yet: everything is still to come.
WorkflowCourse course_without_story(const OrchestratorSnapshot& snapshot) {
  WorkflowCourse course{.course = Course::Fresh, .rule = kNoStoryLabel, .reason = "there is no such story yet"};
  int level = 0;
  for (const StoryPhase& phase : kStoryPhases) {
    course.steps.push_back(make_step(std::string(phase.name), level++, Decision::Run, course.rule, course.reason));
    course.steps.back().agent = phase.agent;
    add_evidence(course.steps.back(), "file", "story " + printable_line(snapshot.subject, 80), "missing");
  }
  return course;
}

}  // namespace

const StoryCycleRow& decide(const StoryCycleSituation& s) {
  for (const StoryCycleRow& row : kStoryCycleRows) {
    if (fits(row.status, s.status) && fits(row.validation, s.validation) && fits(row.gate, s.gate)) return row;
  }
  check_failed("every situation of a story has a row");
}

StoryCycleSituation situation_of(const StoryClaims& story) {
  return {.status = story.status, .validation = validation_in(story), .gate = gate_in(story)};
}

WorkflowCourse course_of_story_cycle(const OrchestratorSnapshot& snapshot) {
  const StorySeen* story = find_story(snapshot, snapshot.subject);
  if (story == nullptr || !story->exists) return course_without_story(snapshot);
  const StoryCycleRow& row = decide(situation_of(story->claims));
  WorkflowCourse course{.course = row.course, .rule = row.label, .reason = row.reason};
  const auto here = std::ranges::find(kStoryPhases, row.phase, &StoryPhase::name);
  for (auto phase = kStoryPhases.begin(); phase != kStoryPhases.end(); ++phase) {
    const int level = static_cast<int>(phase - kStoryPhases.begin());
    const std::string name(phase->name);
    if (row.phase.empty() || phase == here) {
      course.steps.push_back(make_step(name, level, row.decision, row.label, row.reason));
    } else if (phase < here) {
      course.steps.push_back(make_step(name, level, Decision::Keep, kPassedLabel, kPassedReason));
    } else {
      course.steps.push_back(make_step(name, level, Decision::Run, kAheadLabel, kAheadReason));
    }
    CourseStep& step = course.steps.back();
    step.agent = agent_for(*phase, story->claims);
    step.story = snapshot.subject;
    if (phase != kStoryPhases.begin()) step.inputs = {story->path};
    step.outputs = phase->name == "implement" ? story->claims.files : std::vector<std::string>{story->path};
    add_story_evidence(step, *story);
  }
  list_oddities(story->claims.oddities, course.findings);
  return course;
}

}  // namespace reprise
