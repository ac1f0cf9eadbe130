// What changed since a workflow of the orchestrator was interrupted: stories, files, dependencies, other
// workflows.

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/strings.h"
#include "planner/orchestrator_conflicts.h"
#include "planner/orchestrator_tables.h"

namespace reprise {
namespace {

// Sections that workers write into as they go on.
constexpr std::array<std::string_view, 5> kRecordSections = {"change_log", "qa_results", "dev_agent_record",
                                                             "file_list", "tasks"};

class ConflictFinder {
 public:
  ConflictFinder(const OrchestratorSnapshot& snapshot, const WorkflowCourse& course, Timestamp last)
      : seen_(snapshot), course_(course), last_(last) {
    for (const ClaimedWave& wave : seen_.epic.waves) {
      for (const ClaimedStory& story : wave.stories) {
        const bool past = story.status == EpicStoryStatus::InReview || story.status == EpicStoryStatus::Completed;
        if (past) developed_.insert(story.id);
      }
    }
  }

  std::vector<Finding> make() {
    for (const LockSeen& lock : seen_.locks) compare_lock(lock);
    for (const OtherWorkflow& other : seen_.others) compare_other(other);
    std::set<std::string_view> stories;
    for (const CourseStep& step : course_.steps) {
      if (!step.story.empty() && stories.insert(step.story).second) compare_story(step.story);
    }
    for (const ChangedFile& file : seen_.changed) compare_file(file);
    for (const NewDependency& dependency : seen_.new_dependencies) compare_dependency(dependency);
    for (const NewStory& story : seen_.new_stories) {
      add({.conflict = Conflict::NewStory}, story_words(story.id) + " (" + printable_line(story.path, 120) + ")",
          "", "");
    }
    return std::move(out_);
  }

 private:
  void add(const ConflictSeen& conflict, const std::string& what, std::string claimed, std::string seen) {
    const ConflictRow& row = decide(conflict);
    out_.push_back(make_finding(row.label, row.code, row.severity, std::string(row.reason) + ": " + what));
    out_.back().claimed = std::move(claimed);
    out_.back().seen = std::move(seen);
  }

  void compare_lock(const LockSeen& seen) {
    const OrchestratorLock& lock = seen.lock;
    const Duration ttl = std::chrono::seconds(std::clamp(lock.ttl_seconds, 0LL, 1'000'000'000LL));
    const bool expired = lock.ttl_seconds > 0 && lock.created_at && *lock.created_at + ttl < seen_.now;
    std::string what = printable_line(seen.path, kShownTextMax) + ", process " + std::to_string(lock.pid);
    if (!lock.owner.empty()) what += " of " + printable_line(lock.owner, 60);
    if (lock.created_at) what += " since " + to_text(*lock.created_at);
    add({.conflict = expired ? Conflict::OldLock : Conflict::Lock, .grave = seen.alive}, what, "",
        seen.alive ? "the process is there" : "the process is gone");
  }

  void compare_other(const OtherWorkflow& other) {
    const bool fresh = age_class(std::max(Duration(0), seen_.now - other.updated_at)) == AgeClass::Fresh;
    add({.conflict = Conflict::OtherWorkflow, .grave = other.active && fresh},
        printable_line(other.id, 80) + " on " + story_words(other.story) + " is " + quoted_line(other.status) +
            ", last active " + to_text(other.updated_at),
        "", printable_line(other.status, 80));
  }

  // Implemented and not yet done: what it asks for is what its review is going to judge.
  bool is_implemented(const std::string& id) const {
    const StorySeen* story = find_story(seen_, id);
    if (story != nullptr && story->claims.status == StoryStatus::Done) return false;
    switch (seen_.kind) {
      case OrchestratorKind::QaLoop: return true;
      case OrchestratorKind::SpecPipeline: return false;
      case OrchestratorKind::StoryCycle:
        return std::ranges::any_of(course_.steps, [](const CourseStep& step) {
          return step.decision.stage == "implement" && is_kept(step);
        });
      case OrchestratorKind::Epic: return developed_.contains(id);
      case OrchestratorKind::Flow:
        return std::ranges::any_of(course_.steps, [](const CourseStep& step) {
          const std::string name = to_lower(step.decision.stage);
          return is_kept(step) &&
                 (name.find("implement") != std::string::npos || name.find("develop") != std::string::npos);
        });
    }
    return false;
  }

  void compare_story(const std::string& id) {
    const StorySeen* story = find_story(seen_, id);
    if (story == nullptr || !story->exists) return;
    if (!story->sections_then) {
      const bool newer = story->modified_at && *story->modified_at > last_;
      const bool is_state = seen_.kind == OrchestratorKind::StoryCycle;
      if (newer && !is_state) {
        add({.conflict = Conflict::Section, .by_time = true}, story_words(id), "", to_text(*story->modified_at));
      }
      return;
    }
    const bool by_time = story->sections_by == KnownBy::Time;
    for (const std::string& key : changed_sections(*story)) {
      const bool asks = key == "acceptance_criteria" || key == "scope";
      const bool record = std::ranges::find(kRecordSections, key) != kRecordSections.end();
      const Conflict conflict = asks ? Conflict::Acceptance : record ? Conflict::Record : Conflict::Section;
      add({.conflict = conflict, .grave = asks && is_implemented(id), .by_time = by_time},
          "section " + quoted_line(key) + " of " + story_words(id), digest_of(*story->sections_then, key),
          digest_of(story->claims.sections, key));
    }
  }

  static std::string digest_of(const std::map<std::string, std::string>& sections, const std::string& key) {
    const auto found = sections.find(key);
    return found == sections.end() ? "missing" : found->second;
  }

  static std::set<std::string> changed_sections(const StorySeen& story) {
    std::set<std::string> changed;
    for (const auto& [key, digest] : story.claims.sections) {
      if (digest_of(*story.sections_then, key) != digest) changed.insert(key);
    }
    for (const auto& [key, digest] : *story.sections_then) {
      if (!story.claims.sections.contains(key)) changed.insert(key);
    }
    return changed;
  }

  void compare_file(const ChangedFile& file) {
    std::string what = printable_line(file.path, kShownTextMax);
    if (!file.who.empty()) what += " by " + printable_line(file.who, 100);
    add({.conflict = Conflict::FileChanged, .by_time = file.by == KnownBy::Time}, what, "", "");
  }

  void compare_dependency(const NewDependency& dependency) {
    const StorySeen* on = find_story(seen_, dependency.on);
    const bool done = on != nullptr && on->exists && on->claims.status == StoryStatus::Done;
    add({.conflict = Conflict::NewDependency, .grave = !done},
        story_words(dependency.story) + " needs " + story_words(dependency.on), "", done ? "Done" : "not done");
  }

  const OrchestratorSnapshot& seen_;
  const WorkflowCourse& course_;
  Timestamp last_;
  std::set<std::string> developed_;  // stories of an epic that are past their implementation
  std::vector<Finding> out_;
};

// The dependency chain of the stories that are left (OR-11): what they need is done, or comes before them.
class DependencyChecker {
 public:
  DependencyChecker(const OrchestratorSnapshot& snapshot, const WorkflowCourse& course) : seen_(snapshot) {
    for (const CourseStep& step : course.steps) {
      if (step.story.empty()) continue;
      level_.emplace(bare_story_id(step.story), step.level);
      if (!is_kept(step)) open_.insert(step.story);
    }
    for (const NewDependency& each : snapshot.new_dependencies)
      reported_.insert({bare_story_id(each.story), bare_story_id(each.on)});
  }

  std::vector<Finding> make() {
    for (const std::string& id : open_) {
      const StorySeen* story = find_story(seen_, id);
      if (story == nullptr || !story->exists) continue;
      for (const std::string& on : story->claims.dependencies) compare(id, on);
    }
    return std::move(out_);
  }

 private:
  void compare(const std::string& id, const std::string& on) {
    const std::string bare = bare_story_id(id);
    const std::string bare_on = bare_story_id(on);
    if (reported_.contains({bare, bare_on})) return;
    if (bare_on == bare) return add("dependency_itself", id, on, "needs itself");
    const StorySeen* story = find_story(seen_, on);
    if (story == nullptr || !story->exists)
      return add("dependency_missing", id, on, "needs a story that has no file");
    if (story->claims.status == StoryStatus::Done) return;
    const auto mine = level_.find(bare);
    const auto other = level_.find(bare_on);
    if (mine != level_.end() && other != level_.end() && other->second < mine->second) return;
    const bool back = std::ranges::any_of(
        story->claims.dependencies, [&](const std::string& other_id) { return bare_story_id(other_id) == bare; });
    add(back ? "dependency_circular" : "dependency_unmet", id, on,
        back ? "needs a story that needs it in turn"
             : "needs a story that is not done and does not come before it");
  }

  void add(std::string_view code, const std::string& id, const std::string& on, std::string_view why) {
    out_.push_back(make_finding(kDependencyLabel, code, Severity::Warning,
                                story_words(id) + " " + std::string(why) + ": " + story_words(on)));
  }

  const OrchestratorSnapshot& seen_;
  std::map<std::string, int> level_;
  std::set<std::string> open_;
  std::set<std::pair<std::string, std::string>> reported_;
  std::vector<Finding> out_;
};

}  // namespace

std::vector<Finding> check_conflicts(const OrchestratorSnapshot& snapshot, const WorkflowCourse& course,
                                     Timestamp last_activity) {
  return ConflictFinder(snapshot, course, last_activity).make();
}

std::vector<Finding> check_dependencies(const OrchestratorSnapshot& snapshot, const WorkflowCourse& course) {
  return DependencyChecker(snapshot, course).make();
}

}  // namespace reprise
