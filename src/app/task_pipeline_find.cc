#include "app/task_pipeline_find.h"

#include <algorithm>

#include "formats/task_file.h"
#include "planner/task_rules.h"

namespace reprise {
namespace {

RunStatus status_of(const TaskRecovery& recovery) {
  switch (recovery.readiness) {
    case Readiness::Done: return RunStatus::Done;
    case Readiness::Blocked: return RunStatus::Unknown;
    case Readiness::Wait: return RunStatus::Waiting;
    default: return recovery.counts.failed > 0 ? RunStatus::Failed : RunStatus::Interrupted;
  }
}

std::string words_for(const TaskRecovery& recovery) {
  if (recovery.readiness == Readiness::Done) return "it was delivered";
  if (!recovery.has_permanent) return "it has no permanent task, so nothing says what it is about";
  const std::string tasks = std::to_string(recovery.counts.completed) + " of " +
                            std::to_string(recovery.counts.total) + " tasks are completed";
  for (const Finding& finding : recovery.findings) {
    if (finding.severity == Severity::Blocking) return tasks + "; " + finding.message;
  }
  return tasks;
}

// The first phase with a task that is not completed: what a look at the files would add is not looked at here.
std::string phase_of(const TaskRecovery& recovery) {
  for (const PhaseCounts& counts : recovery.phases) {
    if (counts.in_progress + counts.pending + counts.failed > 0) return std::string(to_token(counts.phase));
  }
  return recovery.resume_phase ? std::string(to_token(*recovery.resume_phase)) : "";
}

// By the list alone: what git and the files show is the plan's to say.
void describe(Candidate& candidate, const TaskListClaims& claims, Timestamp now) {
  const TaskRecovery recovery = recover({.state_file = candidate.state_file, .claims = claims, .now = now});
  candidate.status = status_of(recovery);
  candidate.native_status = recovery.has_permanent ? "" : "no_pt_found";
  if (claims.permanent) {
    candidate.native_status =
        claims.permanent->current_phase ? std::string(to_token(*claims.permanent->current_phase)) : "";
    candidate.about = claims.permanent->feature + " " + claims.permanent->description;
  }
  if (claims.permanent && claims.permanent->tier)
    candidate.variant = std::string(to_token(*claims.permanent->tier));
  candidate.stage = phase_of(recovery);
  candidate.resumable = recovery.readiness != Readiness::Done && recovery.readiness != Readiness::Fresh;
  candidate.why = words_for(recovery);
}

}  // namespace

std::vector<Candidate> find_task_pipelines(App& app, bool all) {
  std::vector<Candidate> candidates;
  const Result<std::vector<TaskListPlace>> places = find_task_lists(app);
  if (!places) return candidates;
  const Timestamp now = app.clock.now();
  for (const TaskListPlace& place : *places) {
    if (!place.belongs && !all) continue;
    Candidate candidate{.id = RunId{std::string(kTaskPipeline) + "/" + place.id}};
    candidate.system = candidate.workflow = std::string(kTaskPipeline);
    candidate.subject = place.id;
    candidate.state_file = place.folder.string();
    const Result<TaskListClaims> claims = read_task_list(app, place);
    if (!claims && claims.error().kind == ErrorKind::NotFound) continue;
    if (claims) {
      if (claims->tasks.empty()) continue;  // nothing was ever put on it, or all of it is gone
      candidate.updated_at = claims->updated_at;
      describe(candidate, *claims, now);
    } else {
      candidate.damaged = candidate.resumable = true;
      candidate.why = claims.error().message;
    }
    if (!place.belongs) candidate.why += " (" + place.why + ")";
    candidate.age = std::max(Duration(0), now - candidate.updated_at);
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

std::optional<TaskListPlace> task_list_of(App& app, const std::string& subject) {
  const std::filesystem::path root = task_lists_folder(app);
  if (root.empty() || subject.empty()) return std::nullopt;
  TaskListPlace place{
      .id = task_list_folder(subject), .folder = root / task_list_folder(subject), .belongs = true, .why = ""};
  const Result<std::optional<FileInfo>> info = app.files.stat(place.folder);
  if (!info || !*info) return std::nullopt;
  return place;
}

}  // namespace reprise
