#include "app/orchestrator_find.h"

#include <algorithm>

#include "app/orchestrator_files.h"
#include "app/orchestrator_locks.h"
#include "app/orchestrator_states.h"
#include "base/strings.h"
#include "planner/orchestrator_rules.h"
#include "planner/qa_loop_rules.h"

namespace reprise {
namespace {

int priority_of(const OrchestratorSnapshot& seen, StoryStatus story) {
  switch (seen.kind) {
    case OrchestratorKind::Epic: return 1;
    case OrchestratorKind::QaLoop: return 2;
    case OrchestratorKind::Flow: return 3;
    case OrchestratorKind::StoryCycle: return story == StoryStatus::InReview ? 5 : 4;
    case OrchestratorKind::SpecPipeline: return 6;
  }
  return 6;
}

RunStatus standing_of(Course course) {
  switch (course) {
    case Course::GoOn: return RunStatus::Interrupted;
    case Course::Wait: return RunStatus::Waiting;
    case Course::Done: return RunStatus::Done;
    case Course::Fresh: return RunStatus::Stopped;
    case Course::Blocked: return RunStatus::Unknown;
  }
  return RunStatus::Unknown;
}

// The first step that is not kept; null if there is none.
const CourseStep* first_open(const WorkflowCourse& course) {
  const auto open = std::ranges::find_if(
      course.steps, [](const CourseStep& step) { return step.decision.decision != Decision::Keep; });
  return open == course.steps.end() ? nullptr : &*open;
}

// An epic is told by its wave. Where only the execution plan knows the next one, the state's pointer is all there
// is.
std::string stage_of(const OrchestratorSnapshot& seen, const CourseStep& step) {
  if (seen.kind != OrchestratorKind::Epic) return step.decision.stage;
  const std::string& path = step.decision.step.text;
  const std::string wave = path.substr(0, path.find('/'));
  const auto known = static_cast<long long>(seen.epic.waves.size());
  const bool has_more = seen.epic.total_waves.value_or(0) > known;
  return wave == "final-gate" && has_more ? "wave-" + std::to_string(known + 1) : wave;
}

std::string why_of(const OrchestratorSnapshot& seen, const WorkflowCourse& course, const CourseStep* open) {
  std::string why(course.reason);
  if (open == nullptr || course.course != Course::GoOn) return why;
  const std::string step = printable_line(open->decision.step.text, 100) + ": " + open->decision.reason();
  if (seen.kind == OrchestratorKind::SpecPipeline) return step;
  const bool has_steps = seen.kind == OrchestratorKind::Epic || seen.kind == OrchestratorKind::Flow;
  return has_steps && open->decision.reason() != why ? why + "; " + step : why;
}

std::string about_of(const OrchestratorSnapshot& seen) {
  std::string about;
  for (const ClaimedWave& wave : seen.epic.waves) about += wave.name + " ";
  for (const std::string& id : stories_of(seen)) {
    const auto story = seen.stories.find(id);
    if (story != seen.stories.end()) about += story->second.claims.title + " ";
  }
  return about + seen.flow.workflow;
}

class OrchestratorFinder {
 public:
  OrchestratorFinder(App& app, std::vector<IgnoredFile>& ignored)
      : app_(app),
        files_(app, ignored),
        now_(app.clock.now()),
        tree_(read_story_tree(app, ignored)),
        states_(read_orchestrator_states(app, files_, tree_.spec_folders)),
        shelf_(std::move(tree_.stories)) {}

  std::vector<Candidate> find() {
    if (states_.empty() && shelf_.all().empty()) return {};
    locks_ = read_orchestrator_locks(files_, now_);
    for (OrchestratorState& state : states_) add_state(state);
    for (const FoundStory& story : shelf_.all()) add_story(story);
    return std::move(out_);
  }

 private:
  void add_state(OrchestratorState& state) {
    OrchestratorSnapshot& seen = state.seen;
    const bool is_open = seen.kind == OrchestratorKind::Epic && seen.epic.status != EpicStatus::Completed;
    if (is_open) find_execution_plan(app_, files_, seen);
    add_stories(seen, shelf_);
    Candidate candidate = describe(seen);
    candidate.other_files = state.others;
    if (is_damaged(seen)) {
      candidate.damaged = candidate.resumable = true;
      candidate.status = RunStatus::Unknown;
      candidate.why = !seen.unreadable.empty()
                          ? seen.unreadable
                          : seen.state_file + ": its syntax is broken; only single lines of it can be read";
    }
    if (!state.remark.empty()) candidate.why += "; " + state.remark;
    if (is_live(candidate)) live_.push_back(&seen);
    out_.push_back(std::move(candidate));
  }

  static bool is_live(const Candidate& candidate) {
    return candidate.resumable && candidate.workflow != to_token(OrchestratorKind::SpecPipeline);
  }

  Candidate describe(const OrchestratorSnapshot& seen) const {
    const std::string workflow(to_token(seen.kind));
    Candidate candidate{.id = {workflow + "/" + seen.subject}, .system = "orchestrator", .workflow = workflow};
    const WorkflowCourse course = course_of(seen);
    const CourseStep* open = first_open(course);
    candidate.subject = seen.subject;
    candidate.state_file = seen.state_file;
    candidate.native_status = status_word_of(seen);
    candidate.status = standing_of(course.course);
    candidate.resumable = course.course != Course::Done && course.course != Course::Fresh;
    if (open != nullptr && candidate.resumable) candidate.stage = stage_of(seen, *open);
    candidate.iteration = course.iteration;
    if (seen.kind == OrchestratorKind::QaLoop) candidate.iteration_max = iterations_max(seen.qa_loop);
    candidate.updated_at = last_activity(seen);
    candidate.age = std::max(Duration(0), now_ - candidate.updated_at);
    candidate.priority = priority_of(seen, StoryStatus::InProgress);
    candidate.why = why_of(seen, course, open);
    candidate.about = about_of(seen);
    if (candidate.resumable) find_holder(seen, candidate);
    return candidate;
  }

  static std::optional<int> iterations_max(const QaLoopClaims& claims) {
    return static_cast<int>(std::clamp(claims.iterations_max.value_or(kLoopIterationsUsual), -1LL, 1'000'000LL));
  }

  // Somebody else may be at it right now (OR-15).
  void find_holder(const OrchestratorSnapshot& seen, Candidate& candidate) const {
    for (const LockSeen& lock : locks_) {
      if (!is_held(lock, now_) || !is_lock_on(lock, seen)) continue;
      candidate.status = RunStatus::Running;
      candidate.why = "it is being worked on: " + lock.path + " is held";
      if (lock.lock.pid > 0) candidate.why += " by process " + std::to_string(lock.lock.pid);
      return;
    }
  }

  // A story that is in progress or in review implies a story cycle, whatever else is at work on it.
  void add_story(const FoundStory& story) {
    const StoryStatus status = story.claims.status;
    const bool is_open = status == StoryStatus::InProgress || status == StoryStatus::InReview;
    if ((!is_open && !story.damage) || shelf_.find(story.id) != &story) return;
    OrchestratorSnapshot seen{.kind = OrchestratorKind::StoryCycle, .subject = story.id, .state_file = story.path};
    seen.now = now_;
    seen.file_time = story.modified;
    add_stories(seen, shelf_);
    Candidate candidate = describe(seen);
    candidate.priority = priority_of(seen, status);
    candidate.other_files = shelf_.others_of(story.id);
    if (story.damage) {
      candidate.damaged = candidate.resumable = true;
      candidate.status = RunStatus::Unknown;
      candidate.why = files_.sentence(story.path, *story.damage);
    }
    const std::string key = story_key(story.id);
    const auto cover = std::ranges::find_if(live_, [&](const auto* state) { return covers(*state, key); });
    if (cover != live_.end()) {
      candidate.covered_by = std::string(to_token((*cover)->kind)) + "/" + (*cover)->subject;
      candidate.why += "; " + candidate.covered_by + " covers this story";
    }
    out_.push_back(std::move(candidate));
  }

  App& app_;
  FoundFiles files_;
  Timestamp now_;
  StoryTree tree_;
  std::vector<OrchestratorState> states_;
  StoryShelf shelf_;
  std::vector<LockSeen> locks_;
  std::vector<const OrchestratorSnapshot*> live_;  // states that are neither over nor idle
  std::vector<Candidate> out_;
};

}  // namespace

std::vector<Candidate> find_orchestrator(App& app, std::vector<IgnoredFile>& ignored) {
  std::vector<Candidate> found = OrchestratorFinder(app, ignored).find();
  std::ranges::stable_sort(found, [](const Candidate& a, const Candidate& b) {
    return a.priority != b.priority ? a.priority < b.priority : a.updated_at > b.updated_at;
  });
  return found;
}

}  // namespace reprise
