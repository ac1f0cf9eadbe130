#include "app/task_pipeline_look.h"

#include <algorithm>

#include "app/project_files.h"
#include "base/digest.h"
#include "base/strings.h"
#include "executor/tasks.h"
#include "formats/task_file.h"
#include "formats/task_file_edit.h"
#include "git/git.h"
#include "model/limits.h"

namespace reprise {
namespace {

constexpr std::size_t kCommitsLookedUpMax = 200;

std::set<std::string> commits_named(const TaskListClaims& claims) {
  std::set<std::string> commits;
  for (const TaskClaim& task : claims.tasks) commits.insert(task.commits.begin(), task.commits.end());
  if (claims.permanent) commits.insert(claims.permanent->commits.begin(), claims.permanent->commits.end());
  return commits;
}

bool looks_like_commit(const std::string& text) {
  return text.size() >= 7 && text.size() <= 64 &&
         text.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
}

// "origin/main" as the seed counts, else what the clone calls its default, else a local main or master.
Result<std::string> default_branch(const Git& git) {
  const GitAnswer head = TRY(git.run({"symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"}));
  if (head.ok()) return std::string(trim(head.output));
  for (const std::string name : {"origin/main", "origin/master", "main", "master"}) {
    if (TRY(git.commit_of(name))) return name;
  }
  return std::string();
}

Result<void> look_at_git(App& app, TaskSnapshot& seen) {
  const Result<Git> git = Git::open(app.project);
  if (!git || git->is_bare()) return {};
  seen.git.has_repository = true;
  const std::optional<std::string> branch = TRY(git->branch());
  seen.git.branch = branch.value_or("");
  seen.git.is_detached = !branch;
  const std::string status = TRY(git->ask({"status", "--porcelain=v1", "-z", "--no-renames"}));
  for (const std::string_view entry : split(status, '\0')) {
    if (entry.size() <= 3 || entry.substr(3).starts_with(".reprise/")) continue;  // our own configuration
    seen.git.dirty.emplace_back(entry.substr(3));
    if (entry.starts_with("??")) seen.git.untracked.insert(seen.git.dirty.back());
  }
  std::size_t looked_up = 0;
  for (const std::string& commit : commits_named(seen.claims)) {
    if (!looks_like_commit(commit) || ++looked_up > kCommitsLookedUpMax) continue;
    const GitAnswer answer = TRY(git->run({"merge-base", "--is-ancestor", commit, "HEAD"}));
    seen.git.commits[commit] = answer.ok();
  }
  seen.git.default_branch = TRY(default_branch(*git));
  if (seen.git.default_branch.empty()) return {};
  const GitAnswer ahead = TRY(git->run({"rev-list", "--count", seen.git.default_branch + "..HEAD", "--"}));
  if (const std::optional<long long> count = parse_number(trim(ahead.output), 1'000'000'000))
    seen.git.ahead_of_base = *count;
  return {};
}

// A result in words may be a file's name after all ("Makefile").
constexpr std::size_t kNameBytesMax = 255;
bool may_be_name(const std::string& text) {
  return text.size() <= kNameBytesMax && text.find_first_of("\n{}|") == std::string::npos;
}

// The same file has one name, whether a task gives its path from the root, from the project or from home.
void name_files_alike(const App& app, std::vector<TaskClaim>& tasks) {
  for (TaskClaim& task : tasks) {
    for (std::string& path : task.files) path = to_project_path(app, path);
    for (std::string& path : task.outputs) path = to_project_path(app, path);
    for (std::string& result : task.results) {
      if (result.starts_with('/') && may_be_name(result)) result = to_project_path(app, result);
    }
    std::map<std::string, std::string> hashes;
    for (const auto& [path, digest] : task.hashes) hashes[to_project_path(app, path)] = digest;
    task.hashes = std::move(hashes);
  }
}

// A file elsewhere (/tmp/pipeline/plan.md) is looked at too, if it is a regular one or a folder.
TaskFileSeen look_at_file(App& app, const std::string& path, bool matters) {
  TaskFileSeen file;
  const bool is_elsewhere = path.starts_with('/');
  if (!is_elsewhere && !is_inside(app, path)) return file;
  const Result<std::optional<FileInfo>> info = app.files.stat(app.project / path);
  if (!info || !*info) return file;
  const bool is_regular = (*info)->type == FileType::Regular;
  file.exists = is_regular || (*info)->type == FileType::Directory;
  file.modified = (*info)->modified;
  if (!matters || !is_regular) return file;
  const Result<std::string> bytes = app.files.read(app.project / path, kDocumentBytesMax);
  if (bytes) file.digest = to_text(digest_of(*bytes));
  return file;
}

// Only what is compared with a digest is read; of the others it is enough to know that they are there, and since
// when.
void look_at_files(App& app, TaskSnapshot& seen) {
  std::map<std::string, bool> paths;  // whether the content matters
  std::set<std::string> names;        // that may be files
  for (const TaskClaim& task : seen.claims.tasks) {
    for (const std::string& path : task.files) paths[path] |= task.hashes.contains(path);
    for (const std::string& path : task.outputs) paths[path] |= task.hashes.contains(path);
    for (const auto& [path, digest] : task.hashes) paths[path] = true;
    for (const std::string& result : task.results) {
      if (may_be_name(result)) names.insert(result);
    }
  }
  for (const auto& [path, matters] : paths) seen.files[path] = look_at_file(app, path, matters);
  for (const std::string& name : names) {
    if (seen.files.contains(name)) continue;
    if (TaskFileSeen file = look_at_file(app, name, false); file.exists) seen.files[name] = std::move(file);
  }
}

bool is_settled(const StepState* step) {
  return step != nullptr &&
         (step->record == StepState::Record::Done || step->record == StepState::Record::Skipped);
}

bool is_finished(const RunState& state, TaskPhase phase) {
  const std::string name(to_token(phase));
  if (!is_settled(state.find_step(StepPath{name + "/lead"}))) return false;
  return std::ranges::all_of(state.tasks, [&](const auto& task) {
    return task.second.phase != name || is_settled(state.find_step(step_of_task(name, task.first)));
  });
}

}  // namespace

Result<TaskSnapshot> look_at_task_list(App& app, TaskListClaims claims, const std::string& state_file) {
  TaskSnapshot seen{.state_file = state_file, .claims = std::move(claims), .now = app.clock.now()};
  name_files_alike(app, seen.claims.tasks);
  TRY_VOID(look_at_git(app, seen));
  look_at_files(app, seen);
  return seen;
}

TaskChanged change_from(const TaskClaim& claim, const std::string& phase) {
  TaskChanged change{.id = claim.id,
                     .subject = claim.subject,
                     .description = claim.description,
                     .owner = claim.owner,
                     .status = std::string(to_token(claim.status)),
                     .phase = phase,
                     .blocked_by = claim.blocked_by,
                     .by = claim.file};
  for (const auto& [key, value] : claim.metadata) change.metadata[key] = as_json_value(value);
  return change;
}

StepPath step_of_task(const std::string& phase, const std::string& id) {
  return {phase + "/tasks/" + path_component(id)};
}

TaskStatus standing_of(const RunState& state, const std::string& id, const TaskState& task) {
  const StepState* step = state.find_step(step_of_task(task.phase, id));
  if (step != nullptr) {
    switch (step->record) {
      case StepState::Record::Done:
      case StepState::Record::Skipped: return TaskStatus::Completed;
      case StepState::Record::Open: return TaskStatus::InProgress;
      case StepState::Record::Failed:
        return step->outcome == AttemptOutcome::Interrupted ? TaskStatus::InProgress : TaskStatus::Failed;
      case StepState::Record::Reset: return TaskStatus::Pending;
    }
  }
  for (const auto& [status, token] : kTaskStatusTokens) {
    if (token == task.status) return status;
  }
  return TaskStatus::Pending;
}

// What the permanent task of a run says of it, as that of a list in a folder does.
void add_progress(const RunState& state, std::map<std::string, std::string>& metadata) {
  metadata["current_phase"] = '"' + std::string(to_token(current_phase_of(state))) + '"';
  metadata["resume_count"] = std::to_string(state.resume_count);
  const auto branch = state.overruled.find("branch_mismatch");
  if (branch != state.overruled.end() && is_branch_name(branch->second.seen))
    metadata["branch"] = as_json_value(branch->second.seen);
}

std::string task_json(const RunState& state, const std::string& id) {
  const TaskState& task = state.tasks.at(id);
  NewTask file{.subject = task.subject, .description = task.description, .owner = task.owner};
  file.status = standing_of(state, id, task);
  if (task.subject.starts_with(kPermanentPrefix) && state.status == RunStatus::Done)
    file.status = TaskStatus::Completed;
  file.blocked_by = task.blocked_by;
  for (const auto& [other, blocked] : state.tasks) {
    if (std::ranges::find(blocked.blocked_by, id) != blocked.blocked_by.end()) file.blocks.push_back(other);
  }
  std::map<std::string, std::string> metadata = task.metadata;
  if (task.subject.starts_with(kPermanentPrefix)) add_progress(state, metadata);
  for (const auto& [key, value] : metadata) file.metadata.push_back({key, value});
  if (!task.phase.empty()) file.metadata.push_back({"phase", "\"" + task.phase + "\""});
  const StepState* step = state.find_step(step_of_task(task.phase, id));
  if (file.status == TaskStatus::Failed && step != nullptr)
    file.metadata.push_back({"error", as_json_value(step->reason->empty() ? "failed" : *step->reason)});
  return new_task_file(id, file);
}

TaskListClaims claims_of_run(const RunState& state, Timestamp now) {
  std::vector<ReadTask> tasks;
  for (const auto& [id, task] : state.tasks) {
    const std::string file = id + ".json";
    Result<ReadTask> read = read_task_file(task_json(state, id), file);
    ReadTask claim = read ? std::move(*read) : damaged_task(file, read.error());
    const StepState* step = state.find_step(step_of_task(task.phase, id));
    claim.task.file_time = step == nullptr ? task.since : step->finished_at;
    if (step != nullptr && step->record == StepState::Record::Done) {
      claim.task.completed_at = step->finished_at;
      for (const SeenFile& artifact : step->artifacts) claim.task.hashes[artifact.path] = artifact.digest;
    }
    tasks.push_back(std::move(claim));
  }
  TaskListClaims claims = assemble_task_list(state.subject, std::move(tasks), 0);
  claims.updated_at = std::min(state.updated_at, now);
  if (!claims.permanent) return claims;
  claims.permanent->tier = tier_of(state);
  claims.permanent->current_phase = current_phase_of(state);
  claims.permanent->source = PhaseSource::Metadata;
  claims.permanent->phases = finished_phases(state);
  claims.permanent->resume_count = state.resume_count;
  claims.permanent->is_delivered = state.status == RunStatus::Done;
  return claims;
}

TaskTier tier_of(const RunState& state) {
  const auto variant = state.values.find("variant");
  for (const auto& [tier, token] : kTaskTierTokens) {
    if (variant != state.values.end() && token == variant->second) return tier;
  }
  return TaskTier::Complex;
}

std::vector<ClaimedPhase> finished_phases(const RunState& state) {
  std::vector<ClaimedPhase> finished;
  for (const TaskPhase phase : phases_of(tier_of(state))) {
    if (!is_finished(state, phase)) continue;
    const auto is_its = [&](const auto& task) { return task.second.phase == to_token(phase); };
    const auto count = std::ranges::count_if(state.tasks, is_its);
    const StepState* lead = state.find_step(StepPath{std::string(to_token(phase)) + "/lead"});
    if (count == 0 && (lead == nullptr || lead->attempts == 0)) continue;  // passed over: nobody did it
    finished.push_back({phase, PhaseSignal::Passed, "PASS|tasks:" + std::to_string(count)});
  }
  return finished;
}

TaskPhase current_phase_of(const RunState& state) {
  for (const TaskPhase phase : phases_of(tier_of(state))) {
    if (!is_finished(state, phase)) return phase;
  }
  return TaskPhase::P8;
}

}  // namespace reprise
