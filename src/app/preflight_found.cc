// The pre-flight report on work of the five systems that was found: what each of their states refers to.

#include <algorithm>
#include <set>

#include "app/lane_definition.h"
#include "app/lane_look.h"
#include "app/orchestrator_system.h"
#include "app/playbook_look.h"
#include "app/preflight_files.h"
#include "app/spec_loop_look.h"
#include "app/task_pipeline_find.h"
#include "app/task_pipeline_system.h"
#include "model/limits.h"
#include "planner/orchestrator_conflicts.h"
#include "planner/orchestrator_rules.h"

namespace reprise {
namespace {

using Kind = FileStanding;

std::string_view word_for(EpicStoryStatus status) {
  switch (status) {
    case EpicStoryStatus::Pending: return "pending";
    case EpicStoryStatus::InProgress: return "in_progress";
    case EpicStoryStatus::InReview: return "in_review";
    case EpicStoryStatus::Completed: return "completed";
    case EpicStoryStatus::Failed: return "failed";
    case EpicStoryStatus::Blocked: return "blocked";
    case EpicStoryStatus::Skipped: return "skipped";
    default: return "";
  }
}

// The seed's table of what state and story may say together.
bool do_agree(EpicStoryStatus state, StoryStatus story) {
  switch (state) {
    case EpicStoryStatus::Pending: return story == StoryStatus::Draft || story == StoryStatus::Ready;
    case EpicStoryStatus::InProgress: return story == StoryStatus::InProgress;
    case EpicStoryStatus::InReview: return story == StoryStatus::InReview;
    case EpicStoryStatus::Completed: return story == StoryStatus::Done;
    default: return story != StoryStatus::Missing && story != StoryStatus::Unknown;
  }
}

std::string_view word_for(FileRole role) {
  switch (role) {
    case FileRole::Story: return "story";
    case FileRole::Artifact: return "artifact";
    case FileRole::Template: return "template";
    case FileRole::Config: return "configuration";
    case FileRole::ExecutionPlan: return "execution plan";
  }
  return "artifact";
}

std::string_view word_for(KnownBy by) {
  switch (by) {
    case KnownBy::Stored: return "by a recorded digest";
    case KnownBy::Git: return "by git's version of that time";
    case KnownBy::Time: return "by its time alone";
  }
  return "";
}

// What the state says of a story; an epic's says it of each of its stories.
std::optional<EpicStoryStatus> status_in_state(const OrchestratorSnapshot& seen, const std::string& story) {
  if (seen.kind != OrchestratorKind::Epic) return claimed_status(seen, story);
  for (const ClaimedWave& wave : seen.epic.waves) {
    for (const ClaimedStory& each : wave.stories) {
      if (bare_story_id(each.id) == bare_story_id(story)) return each.status;
    }
  }
  return std::nullopt;
}

void add_story(const OrchestratorSnapshot& seen, const std::string& id, const StorySeen& story,
               PreflightReport& report, PreflightFiles& files) {
  const std::optional<EpicStoryStatus> claimed = status_in_state(seen, id);
  report.statuses.push_back({.subject = "story " + id,
                             .file = story.path,
                             .claimed = claimed ? std::string(word_for(*claimed)) : "",
                             .seen = story.exists ? story.claims.status_word : "no file",
                             .agrees = story.exists && (!claimed || do_agree(*claimed, story.claims.status))});
  if (story.path.empty()) return;
  PreflightFile file = files.seen_now(story.path, "story", "story " + id);
  const bool changed = story.sections_then && *story.sections_then != story.claims.sections;
  file.standing = !story.exists ? Kind::Missing : changed ? Kind::Changed : Kind::Same;
  file.critical = !story.exists && claimed != EpicStoryStatus::Completed;
  if (changed) file.note = "changed since the last activity, " + std::string(word_for(story.sections_by));
  files.put(std::move(file));
}

Result<void> add_orchestrator(App& app, const Candidate& candidate, PreflightReport& report,
                              PreflightFiles& files) {
  const OrchestratorSnapshot seen = TRY(look_at_found_orchestrator(app, candidate));
  for (const ReferencedFile& each : seen.files) {
    PreflightFile file = files.seen_now(each.path, std::string(word_for(each.role)), each.phase);
    const bool is_due = each.made_by.empty() || files.is_kept(each.made_by);
    file.standing = each.exists ? Kind::Same : is_due ? Kind::Missing : Kind::Later;
    file.critical = file.standing == Kind::Missing && !files.is_kept(each.phase);
    files.put(std::move(file));
  }
  for (const auto& [id, story] : seen.stories) add_story(seen, id, story, report, files);
  for (const ChangedFile& changed : seen.changed) {
    PreflightFile file = files.seen_now(changed.path, "artifact", "");
    file.standing = file.modified_at ? Kind::Changed : Kind::Missing;
    file.note = "changed since the last activity, " + std::string(word_for(changed.by)) +
                (changed.who.empty() ? "" : ": " + changed.who);
    files.put(std::move(file));
  }
  NeedsByName needs;
  for (const auto& [id, story] : seen.stories) {
    if (!story.claims.dependencies.empty()) needs[id] = story.claims.dependencies;
  }
  add_dependencies(
      needs, "story ",
      [&](const std::string& id) -> std::optional<bool> {
        const StorySeen* story = find_story(seen, id);
        if (story == nullptr || !story->exists) return std::nullopt;
        return story->claims.status == StoryStatus::Done;
      },
      report);
  return {};
}

Result<void> add_playbook(App& app, const Candidate& candidate, PreflightReport& report, PreflightFiles& files) {
  const std::string bytes = TRY(app.files.read(app.project / candidate.state_file, kDocumentBytesMax));
  const PlaybookSnapshot seen = TRY(look_at_playbook(app, candidate.subject, candidate.state_file, bytes));
  if (!seen.spec_file.empty()) {
    PreflightFile file = files.seen_now(seen.spec_file, "spec", "spec");
    file.recorded = seen.claims.spec_hash.digits.empty() ? "" : "sha256:" + seen.claims.spec_hash.digits;
    file.critical = true;
    file.standing = seen.spec == SpecSeen::Same        ? Kind::Same
                    : seen.spec == SpecSeen::Missing   ? Kind::Missing
                    : seen.spec == SpecSeen::NotPinned ? Kind::New
                                                       : Kind::Changed;
    if (seen.spec_method == "content") file.note = "its content is as recorded; its bytes are not";
    files.put(std::move(file));
  }
  for (const ClaimedStage& stage : seen.claims.completed) {
    for (const std::string& path : stage.artifacts) {
      const auto found = seen.artifacts.find(path);
      if (found == seen.artifacts.end() || path == seen.spec_file) continue;
      const bool is_below = !files.seen_now(path, "", "").modified_at;
      const std::string place = is_below ? "specs/" + candidate.subject + "/" + path : path;
      if (place == seen.spec_file) continue;
      PreflightFile file = files.seen_now(place, "artifact", stage.stage);
      file.recorded = stage.hash.digits.empty() ? "" : "sha256:" + stage.hash.digits;
      if (stage.completed_at) file.recorded_at = stage.completed_at->time;
      const bool differs = !file.recorded.empty() && file.recorded != found->second.digest;
      file.standing = !found->second.exists ? Kind::Missing : differs ? Kind::Changed : Kind::Same;
      file.critical = file.standing == Kind::Missing;
      file.note = found->second.fault;
      files.put(std::move(file));
    }
  }
  for (const ClaimedCheckpoint& box : seen.claims.checkpoints)
    report.statuses.push_back({"checkpoint " + box.name, candidate.state_file, box.ticked ? "approved" : "open",
                               box.ticked ? "approved" : "open", true});
  return {};
}

Result<void> add_spec_loop(App& app, const Candidate& candidate, PreflightReport& report, PreflightFiles& files) {
  const std::string bytes = TRY(app.files.read(app.project / candidate.state_file, kDocumentBytesMax));
  const SpecLoopSnapshot seen = TRY(look_at_spec_loop(app, candidate.subject, candidate.state_file, bytes));
  PreflightFile spec = files.seen_now(seen.spec_file, "spec", "");
  spec.standing = seen.spec_exists ? Kind::New : Kind::Later;
  spec.note = seen.spec_exists && !seen.spec_is_filled ? "it is no more than its template" : "";
  if (!seen.spec_file.empty()) files.put(std::move(spec));
  if (!seen.claims.branch.empty()) {
    report.statuses.push_back(
        {"branch " + seen.claims.branch, "", "there", seen.branch_exists ? "there" : "gone", seen.branch_exists});
  }
  for (const ClaimedDocument& document : seen.claims.documents) {
    if (document.path.empty()) continue;
    const std::string path = "specs/" + candidate.subject + "/" + document.path;
    const bool exists = files.seen_now(path, "", "").modified_at.has_value();
    const bool claims_it = document.status == "present" || document.status == "complete";
    report.statuses.push_back(
        {document.document, path, document.status, exists ? "there" : "not there", exists || !claims_it});
  }
  return {};
}

void add_task(const TaskClaim& task, const Plan& plan, const TaskSnapshot& seen, PreflightReport& report,
              PreflightFiles& files) {
  const auto decision = std::ranges::find_if(plan.decisions, [&](const StepDecision& each) {
    return each.stage == task.id || each.step.text.ends_with("/" + task.id);
  });
  const bool is_done = task.status == TaskStatus::Completed;
  const std::string seen_word = decision == plan.decisions.end()
                                    ? "not in the plan"
                                    : std::string(to_token(decision->decision)) + ": " + decision->reason();
  const bool stays = decision == plan.decisions.end() || decision->decision == Decision::Keep;
  report.statuses.push_back({"task " + task.id, task.file, task.status_word, seen_word, !is_done || stays});
  std::vector<std::string> paths = task.files;
  paths.insert(paths.end(), task.outputs.begin(), task.outputs.end());
  for (const std::string& path : paths) {
    const auto now = seen.files.find(path);
    if (now == seen.files.end()) continue;
    PreflightFile file = files.seen_now(path, "work", "task " + task.id);
    const auto hash = task.hashes.find(path);
    file.recorded = hash == task.hashes.end() ? "" : hash->second;
    if (task.completed_at) file.recorded_at = task.completed_at;
    const bool differs = !file.recorded.empty() && file.recorded != now->second.digest;
    file.standing = !now->second.exists     ? (is_done ? Kind::Missing : Kind::Later)
                    : differs               ? Kind::Changed
                    : file.recorded.empty() ? Kind::New
                                            : Kind::Same;
    file.critical = file.standing == Kind::Missing;
    files.put(std::move(file));
  }
}

Result<void> add_tasks(App& app, const Candidate& candidate, const Plan& plan, PreflightReport& report,
                       PreflightFiles& files) {
  const TaskSnapshot seen = TRY(look_at_found_list(app, candidate));
  NeedsByName needs;
  std::map<std::string, bool> done;
  for (const TaskClaim& task : seen.claims.tasks) {
    done[task.id] = task.status == TaskStatus::Completed;
    if (task.is_internal) continue;
    if (!task.blocked_by.empty()) needs[task.id] = task.blocked_by;
    if (!task.is_permanent) add_task(task, plan, seen, report, files);
  }
  add_dependencies(
      needs, "task ",
      [&](const std::string& id) {
        const auto found = done.find(id);
        return found == done.end() ? std::nullopt : std::optional(found->second);
      },
      report);
  return {};
}

Result<void> add_lane(App& app, const Candidate& candidate, PreflightReport& report, PreflightFiles& files) {
  const LaneFound seen = TRY(look_at_found_lane(app, candidate));
  if (!seen.plan_file.empty()) files.add_named(seen.plan_file, "phase plan", "", false);
  for (const LaneCheckpoint& record : seen.records) {
    const bool is_latest = record.key() == seen.latest.key();
    report.statuses.push_back(
        {"checkpoint " + std::string(record.stage_word()), candidate.state_file, std::string(record.status_word()),
         is_latest && !seen.worktree_is_there ? "its worktree is gone" : std::string(record.status_word()),
         !is_latest || seen.worktree_is_there});
  }
  return {};
}

Result<void> add_of_system(App& app, const Candidate& candidate, const Proposal& proposal, PreflightReport& report,
                           PreflightFiles& files) {
  if (candidate.system == kOrchestrator) return add_orchestrator(app, candidate, report, files);
  if (candidate.system == kTaskPipeline) return add_tasks(app, candidate, proposal.plan, report, files);
  if (candidate.damaged) return {};  // there is nothing in it to compare with
  if (candidate.system == "playbook") return add_playbook(app, candidate, report, files);
  if (candidate.system == "spec-loop") return add_spec_loop(app, candidate, report, files);
  if (candidate.system == kLanesWorkflow) return add_lane(app, candidate, report, files);
  return {};
}

}  // namespace

Result<PreflightReport> preflight_found(App& app, const Candidate& candidate, const Proposal& proposal) {
  PreflightReport report;
  PreflightFiles files(app, proposal.plan);
  PreflightFile state = files.seen_now(candidate.state_file, "state", "");
  state.standing = state.modified_at ? Kind::Same : Kind::Missing;  // it is the record itself
  if (!candidate.state_file.empty()) files.put(std::move(state));
  add_phases(proposal, report, files);
  TRY_VOID(add_of_system(app, candidate, proposal, report, files));
  report.files = files.take();
  return report;
}

}  // namespace reprise
