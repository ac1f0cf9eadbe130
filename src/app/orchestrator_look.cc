#include "app/orchestrator_look.h"

#include <algorithm>

#include "app/orchestrator_files.h"
#include "app/orchestrator_history.h"
#include "app/orchestrator_locks.h"
#include "app/orchestrator_states.h"
#include "base/strings.h"
#include "formats/story.h"
#include "planner/orchestrator_rules.h"

namespace reprise {
namespace {

constexpr std::size_t kComparedMax = 300;  // stories, and files

// All times that say when the workflow was active.
std::vector<std::optional<ClaimedTime>> times_of(const OrchestratorSnapshot& seen) {
  std::vector<std::optional<ClaimedTime>> times = {seen.epic.updated_at, seen.qa_loop.updated_at,
                                                   seen.flow.updated_at, seen.spec.updated_at};
  for (const ClaimedWave& wave : seen.epic.waves) {
    for (const ClaimedStory& story : wave.stories) {
      times.push_back(story.started_at);
      times.push_back(story.completed_at);
    }
  }
  for (const ClaimedVerdict& verdict : seen.epic.verdicts) times.push_back(verdict.at);
  for (const ClaimedReview& review : seen.qa_loop.history) {
    times.push_back(review.reviewed_at);
    times.push_back(review.fixed_at);
  }
  return times;
}

// The point in time that files are compared with.
Timestamp compared_at(const OrchestratorSnapshot& seen) {
  const Timestamp last = last_activity(seen);
  const bool is_day = std::ranges::any_of(times_of(seen), [&](const std::optional<ClaimedTime>& time) {
    return time && time->whole_day && time->time == last;
  });
  return is_day ? std::min(seen.now, last + std::chrono::hours(24)) : last;
}

// Whether a story says by its id or its epic that it belongs to this one.
bool is_of_epic(const FoundStory& story, std::string_view epic) {
  std::string id = to_lower(epic);
  if (id.starts_with("epic-")) id.erase(0, 5);
  if (id.empty()) return false;
  const std::string key = story_key(story.id);
  const bool has_letters = std::ranges::any_of(id, [](char c) { return c >= 'a' && c <= 'z'; });
  if (key.starts_with(id + ".") || (has_letters && key.starts_with(id + "-"))) return true;
  std::string_view field = story.claims.epic;
  const std::string lower = to_lower(field);
  if (lower.starts_with("epic")) field.remove_prefix(4);
  field.remove_prefix(std::min(field.find_first_not_of(" -_:#"), field.size()));
  return to_lower(field).starts_with(id) && mentions(field.substr(0, id.size() + 2), id);
}

bool is_begun(EpicStoryStatus status) {
  return status != EpicStoryStatus::Missing && status != EpicStoryStatus::Pending &&
         status != EpicStoryStatus::Skipped;
}

// Whether a state of its own is over, so that it stands in nobody's way.
bool is_over(const OrchestratorSnapshot& seen) {
  return seen.epic.status == EpicStatus::Completed || seen.flow.status == FlowStatus::Completed ||
         seen.qa_loop.status == QaLoopStatus::Completed || seen.qa_loop.status == QaLoopStatus::Idle;
}
bool is_given_up(const OrchestratorSnapshot& seen) {
  return seen.epic.status == EpicStatus::Aborted || seen.flow.status == FlowStatus::Aborted ||
         seen.qa_loop.status == QaLoopStatus::Stopped;
}

class OrchestratorLook {
 public:
  explicit OrchestratorLook(App& app)
      : app_(app),
        files_(app, ignored_),
        tree_(read_story_tree(app, ignored_)),
        shelf_(std::move(tree_.stories)) {}
  OrchestratorLook(const OrchestratorLook&) = delete;
  OrchestratorLook& operator=(const OrchestratorLook&) = delete;

  Result<OrchestratorSnapshot> look(OrchestratorSnapshot begun, std::string_view bytes) {
    seen_ = std::move(begun);
    seen_.now = app_.clock.now();
    seen_.file_time = files_.time_of(seen_.state_file).value_or(seen_.now);
    TRY_VOID(read_state(bytes));
    if (seen_.kind == OrchestratorKind::Epic) look_at_epic();
    add_stories(seen_, shelf_);
    place_planned_stories();
    since_ = compared_at(seen_);
    const WorkflowCourse course = course_of(seen_);
    seen_.files = referenced_files(app_, seen_, course);
    look_at_changes();
    look_at_others();
    for (LockSeen& lock : read_orchestrator_locks(files_, seen_.now)) {
      if (is_lock_on(lock, seen_)) seen_.locks.push_back(std::move(lock));
    }
    for (const IgnoredFile& file : ignored_) {
      const bool is_known = std::ranges::find(seen_.closed_places, file.why) != seen_.closed_places.end();
      if (file.is_closed && !is_known) seen_.closed_places.push_back(file.why);
    }
    TRY_VOID(look_at_workers(course));
    return std::move(seen_);
  }

 private:
  Result<void> read_state(std::string_view bytes) {
    if (seen_.kind == OrchestratorKind::SpecPipeline) {
      const std::string folder = seen_.state_file.substr(0, seen_.state_file.rfind('/'));
      seen_.file_time = {};
      if (read_spec_folder(files_, folder, seen_).empty()) seen_.file_time = seen_.now;
      return {};
    }
    std::string own;
    if (bytes.empty() && !seen_.state_file.empty()) {
      Result<FolderReader::File> file = files_.read(seen_.state_file);
      if (!file && file.error().kind == ErrorKind::NotFound) return {};
      if (!file) {
        seen_.unreadable = files_.sentence(seen_.state_file, file.error());
        seen_.is_closed = true;
        return {};
      }
      bytes = own = std::move(file->bytes);
    } else if (bytes.empty()) {
      return {};
    }
    if (seen_.kind == OrchestratorKind::StoryCycle) return read_own_story(bytes);
    return read_claims(app_, seen_, bytes);
  }

  // The story is the state, so what was handed in counts and not what is on the disk by now.
  Result<void> read_own_story(std::string_view bytes) {
    StorySeen& story = seen_.stories[seen_.subject];
    story.path = seen_.state_file;
    story.modified_at = seen_.file_time;
    Result<StoryClaims> claims = read_story(bytes, seen_.state_file);
    if (!claims) {
      seen_.unreadable = files_.sentence(seen_.state_file, claims.error());
      return {};
    }
    story.exists = true;
    story.claims = std::move(*claims);
    if (const FoundStory* counts = shelf_.find(seen_.subject)) story.others = shelf_.others_of(counts->id);
    std::erase(story.others, seen_.state_file);
    return {};
  }

  // Stories that the state does not list are new; if it lists none at all, they are what the epic consists of.
  void look_at_epic() {
    find_execution_plan(app_, files_, seen_);
    std::set<std::string> listed;
    for (const std::string& id : stories_of(seen_)) listed.insert(story_key(id));
    for (const FoundStory& story : shelf_.all()) {
      const bool is_its = is_of_epic(story, seen_.subject) || is_of_epic(story, seen_.epic.id);
      if (!is_its || listed.contains(story_key(story.id)) || shelf_.find(story.id) != &story) continue;
      if (listed.empty() || !seen_.unreadable.empty()) {
        seen_.stories[story.id] = to_seen(story, shelf_);
      } else {
        seen_.new_stories.push_back({story.id, story.path});
      }
    }
  }

  // The plan may say where a story is, or would be; its word counts before the search by id.
  void place_planned_stories() {
    if (seen_.kind != OrchestratorKind::Epic) return;
    for (const std::string& id : stories_of(seen_)) {
      const std::string path = planned_story_file(app_, seen_, id);
      StorySeen& story = seen_.stories[id];
      if (path.empty() || path == story.path) continue;
      const auto file = std::ranges::find(shelf_.all(), path, &FoundStory::path);
      if (file != shelf_.all().end()) {
        story = to_seen(*file, shelf_);
      } else if (story.path.empty()) {
        read_planned_story(path, story);
      }
    }
  }

  void read_planned_story(const std::string& path, StorySeen& story) {
    story.path = path;
    const Result<FolderReader::File> file = files_.read(path);
    if (!file && file.error().kind == ErrorKind::NotFound) return;
    Result<StoryClaims> claims = file ? read_story(file->bytes, path) : fail(file.error());
    story.exists = true;
    if (file) story.modified_at = file->modified;
    if (claims) {
      story.claims = std::move(*claims);
    } else {
      story.unreadable = claims.error().message;
    }
  }

  // Times of files and of states are not written at the same instant.
  bool is_newer(const std::optional<Timestamp>& time) const {
    return time && *time >= since_ + std::chrono::seconds(1);
  }

  void look_at_changes() {
    history_ = OrchestratorHistory::open(app_);
    std::vector<std::string> newer;
    const std::vector<std::string> ids = stories_of(seen_);
    for (const std::string& id : ids) {
      StorySeen& story = seen_.stories[id];
      if (!story.exists) continue;
      if (!is_newer(story.modified_at)) {
        story.sections_then = story.claims.sections;
        story.sections_by = KnownBy::Time;
      } else if (newer.size() < kComparedMax) {
        newer.push_back(story.path);
      }
    }
    const std::map<std::string, std::string> versions =
        history_ && !newer.empty() ? history_->versions_at(since_, newer) : std::map<std::string, std::string>();
    for (const std::string& id : ids) {
      const auto version = versions.find(seen_.stories[id].path);
      if (version != versions.end()) compare_story(id, version->second);
    }
    look_at_changed_files();
    drop_removed_files();
  }

  void compare_story(const std::string& id, std::string_view version) {
    StorySeen& story = seen_.stories[id];
    Result<StoryClaims> then = read_story(version, story.path);
    if (!then) return;
    for (const std::string& on : story.claims.dependencies) {
      const auto same = [&](const std::string& each) { return story_key(each) == story_key(on); };
      if (std::ranges::none_of(then->dependencies, same)) seen_.new_dependencies.push_back({id, on});
    }
    story.sections_then = std::move(then->sections);
    story.sections_by = KnownBy::Git;
  }

  // The files that the workflow has worked on so far.
  std::vector<std::string> worked_on() const {
    std::set<std::string> paths;
    for (const ReferencedFile& file : seen_.files) {
      if (file.role == FileRole::Artifact) paths.insert(file.path);
    }
    const auto add = [&](const std::vector<std::string>& written) {
      for (const std::string& each : written) paths.insert(path_in_project(app_, each));
    };
    for (const ClaimedWave& wave : seen_.epic.waves) {
      for (const ClaimedStory& story : wave.stories) {
        if (is_begun(story.status)) add(files_of(story.id));
      }
    }
    if (seen_.kind == OrchestratorKind::QaLoop) add(files_of(seen_.qa_loop.story));
    if (seen_.kind == OrchestratorKind::Flow) add(files_of(seen_.flow.story));
    paths.erase("");
    std::vector<std::string> out(paths.begin(), paths.end());
    if (out.size() > kComparedMax) out.resize(kComparedMax);
    return out;
  }

  std::vector<std::string> files_of(const std::string& id) const {
    std::vector<std::string> files;
    if (const StorySeen* story = find_story(seen_, id)) files = story->claims.files;
    if (!seen_.execution_plan) return files;
    for (const PlannedStory& story : seen_.execution_plan->stories) {
      if (story_key(story.id) == story_key(id))
        files.insert(files.end(), story.key_files.begin(), story.key_files.end());
    }
    return files;
  }

  // A file that is not newer is as it was, whatever was committed since. A newer one that is neither committed
  // since nor the same as committed is known by its time alone.
  void look_at_changed_files() {
    std::vector<std::string> paths = worked_on();
    std::erase_if(paths, [&](const std::string& path) {
      const std::optional<Timestamp> time = files_.time_of(path);
      return time && !is_newer(time);
    });
    std::map<std::string, FileCommit> commits;
    std::set<std::string> committed;
    if (history_) commits = history_->changed_since(since_, paths, seen_.state_file);
    if (history_) committed = history_->committed(paths);
    for (const std::string& path : paths) {
      if (const auto commit = commits.find(path); commit != commits.end()) {
        seen_.changed.push_back({path, KnownBy::Git, commit->second.commit + " " + commit->second.author});
      } else if (files_.time_of(path) && !committed.contains(path)) {
        seen_.changed.push_back({path, KnownBy::Time, ""});
      }
    }
  }

  // A list of files also names those that the work removed; they are not missing.
  void drop_removed_files() {
    std::vector<std::string> missing;
    for (const ReferencedFile& file : seen_.files) {
      if (!file.exists && file.role == FileRole::Artifact) missing.push_back(file.path);
    }
    if (missing.empty() || !history_) return;
    const std::set<std::string> removed = history_->removed_until(since_, missing);
    std::erase_if(seen_.files, [&](const ReferencedFile& file) {
      return !file.exists && file.role == FileRole::Artifact && removed.contains(file.path);
    });
  }

  void look_at_others() {
    const std::vector<std::string> ids = stories_of(seen_);
    for (const OrchestratorState& other : read_orchestrator_states(app_, files_, {})) {
      const bool is_this = other.seen.kind == seen_.kind && other.seen.subject == seen_.subject;
      if (is_this && other.seen.state_file == seen_.state_file) look_at_further_files(other.others);
      const bool is_file = other.seen.state_file == seen_.state_file || is_among(other.others, seen_.state_file);
      if (is_this || is_file || is_over(other.seen)) continue;
      const auto id = std::ranges::find_if(ids, [&](const std::string& each) { return covers(other.seen, each); });
      if (id == ids.end()) continue;
      seen_.others.push_back({.id = std::string(to_token(other.seen.kind)) + "/" + other.seen.subject,
                              .story = *id,
                              .status = status_word_of(other.seen),
                              .active = !is_given_up(other.seen) && !is_damaged(other.seen),
                              .updated_at = last_activity(other.seen)});
    }
  }

  // What the further state files of the same work say.
  void look_at_further_files(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
      const Result<FolderReader::File> file = files_.read(path);
      if (!file) continue;
      OrchestratorSnapshot other{.kind = seen_.kind,
                                 .subject = seen_.subject,
                                 .state_file = path,
                                 .now = seen_.now,
                                 .file_time = file->modified};
      const bool is_read = read_claims(app_, other, file->bytes).has_value();
      const bool is_copy = is_copy_of_state(path);
      seen_.other_state_files.push_back({.path = path,
                                         .is_copy = is_copy,
                                         .updated_at = is_copy || !is_read ? file->modified : last_activity(other),
                                         .status = is_read ? status_word_of(other) : ""});
    }
  }

  static bool is_among(const std::vector<std::string>& paths, const std::string& path) {
    return std::ranges::find(paths, path) != paths.end();
  }

  Result<void> look_at_workers(const WorkflowCourse& course) {
    const Config config = TRY(read_config(app_));
    seen_.has_config = TRY(app_.files.stat(app_.project / ".reprise/config.yaml")).has_value();
    for (const CourseStep& step : course.steps) {
      if (!step.agent.empty() && config.worker_for(step.agent) == nullptr)
        seen_.roles_without_worker.insert(step.agent);
    }
    return {};
  }

  App& app_;
  std::vector<IgnoredFile> ignored_;  // told when it is found, not when it is planned
  FoundFiles files_;
  StoryTree tree_;
  StoryShelf shelf_;
  std::optional<OrchestratorHistory> history_;
  OrchestratorSnapshot seen_;
  Timestamp since_;
};

}  // namespace

Result<OrchestratorSnapshot> look_at_orchestrator(App& app, OrchestratorKind kind, const std::string& subject,
                                                  const std::string& state_file, std::string_view bytes) {
  OrchestratorSnapshot seen;
  seen.kind = kind;
  seen.subject = subject;
  seen.state_file = state_file;
  return OrchestratorLook(app).look(std::move(seen), bytes);
}

}  // namespace reprise
