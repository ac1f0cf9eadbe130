#include "app/rebuild.h"

#include <algorithm>

#include "app/archive.h"
#include "app/orchestrator_system.h"
#include "app/project_files.h"
#include "app/task_lists.h"
#include "app/task_pipeline_find.h"
#include "app/task_pipeline_system.h"
#include "base/json_writer.h"
#include "base/strings.h"
#include "executor/tasks.h"
#include "formats/epic_state_edit.h"
#include "formats/flow_state_edit.h"
#include "formats/qa_loop_edit.h"
#include "formats/task_file.h"
#include "git/git.h"
#include "model/limits.h"
#include "planner/orchestrator_rebuild.h"
#include "planner/orchestrator_rules.h"
#include "planner/task_facts.h"
#include "planner/task_rules.h"
#include "text/diff.h"

namespace reprise {
namespace {

constexpr int kCommitsTold = 10;

Timestamp time_or(const std::optional<ClaimedTime>& claimed, Timestamp otherwise) {
  return claimed ? claimed->time : otherwise;
}

Result<std::string> bytes_of(const EpicClaims& epic, const std::string& subject, Timestamp now) {
  const std::string base = new_epic_state({.id = subject,
                                           .execution_plan = epic.execution_plan,
                                           .mode = epic.mode.empty() ? "interactive" : epic.mode,
                                           .started_at = time_or(epic.started_at, now),
                                           .current_wave = epic.current_wave.empty() ? "1" : epic.current_wave,
                                           .waves = epic.waves});
  EpicChange change{.status = epic.status, .updated_at = now};
  for (const ClaimedVerdict& verdict : epic.verdicts)
    change.verdicts.push_back({.gate = verdict.gate, .verdict = verdict.verdict, .agent = verdict.agent});
  return change_epic_state(base, change);
}

Result<std::string> bytes_of(const QaLoopClaims& loop, const std::string& subject, Timestamp now) {
  const std::string base = new_qa_loop({.story = subject,
                                        .iterations_max = loop.iterations_max.value_or(5),
                                        .started_at = time_or(loop.started_at, now)});
  QaLoopChange change{.status = loop.status, .iteration = loop.iteration, .updated_at = now};
  for (const ClaimedReview& review : loop.history) {
    if (!review.iteration) continue;
    ReviewChange& kept = change.reviews.emplace_back();
    kept.iteration = *review.iteration;
    kept.verdict = review.verdict;
    kept.issues_found = review.issues_found;
    if (review.reviewed_at) kept.reviewed_at = review.reviewed_at->time;
    if (review.fixed_at) kept.fixed_at = review.fixed_at->time;
  }
  return change_qa_loop(base, change);
}

Result<std::string> bytes_of(const FlowClaims& flow, const std::string& subject, Timestamp now) {
  const std::string base = new_flow_state({.execution_id = flow.id.empty() ? subject : flow.id,
                                           .workflow = flow.workflow,
                                           .story = flow.story,
                                           .epic = flow.epic,
                                           .current_phase = flow.current_phase,
                                           .current_agent = flow.current_agent,
                                           .started_at = time_or(flow.started_at, now)});
  FlowChange change{.status = flow.status, .updated_at = now};
  for (const ClaimedFlowStep& step : flow.steps)
    change.steps.push_back({.name = step.name, .status = step.completed ? "completed" : "pending"});
  return change_flow_state(base, change);
}

std::string words_for(const RebuiltFact& fact) {
  std::string text = fact.what + ": " + fact.value + " (" + std::string(to_token(fact.source));
  if (!fact.file.empty()) text += ", " + fact.file;
  if (fact.line > 0) text += " line " + std::to_string(fact.line);
  return text + ")";
}

// What git knows of the work, in words for the permanent task.
std::string told_by_git(App& app, std::string& branch) {
  const Result<Git> git = Git::open(app.project);
  if (!git || git->is_bare()) return "";
  branch = git->branch().value_or(std::nullopt).value_or("");
  std::string text;
  const Result<GitAnswer> log = git->run({"log", "--max-count=" + std::to_string(kCommitsTold), "--format=%h %s"});
  if (log && log->ok() && !log->output.empty()) text += "\n\nLatest commits:\n" + std::string(trim(log->output));
  const Result<GitAnswer> status = git->run({"status", "--porcelain"});
  if (status && status->ok() && !trim(status->output).empty())
    text += "\n\nUncommitted:\n" + std::string(trim(status->output));
  return text;
}

NewTask permanent_task_for(App& app, const Candidate& candidate, const TaskListClaims& claims) {
  std::string branch;
  std::string description =
      "Made anew from git, the working tree and the tasks of list " + candidate.subject + ".";
  description += told_by_git(app, branch);
  for (const TaskClaim& task : claims.tasks) {
    if (!task.is_internal && !task.is_damaged)
      description += "\n- task " + task.id + ": " + printable_line(task.subject, 200);
  }
  const TaskRecovery recovery = recover({.claims = claims, .now = app.clock.now()});
  NewTask task{.subject = std::string(kPermanentPrefix) + " " + candidate.subject, .description = description};
  task.metadata = {{"type", "\"permanent\""}, {"tier", "\"COMPLEX\""}};
  const std::optional<TaskPhase> phase = recovery.resume_phase ? recovery.resume_phase : recovery.found_phase;
  task.metadata.push_back({"current_phase", "\"" + std::string(to_token(phase.value_or(TaskPhase::P0))) + "\""});
  if (!branch.empty()) task.metadata.push_back({"branch", as_json_value(branch)});
  task.metadata.push_back({"repository", as_json_value(app.project.string())});
  return task;
}

// The file that a signal refers to: "PASS|tasks:3|ref:/tmp/pipeline/plan.md".
std::string file_of_signal(std::string_view signal) {
  for (const std::string_view part : split(signal, '|')) {
    if (trim(part).starts_with("ref:")) return std::string(trim(trim(part).substr(4)));
  }
  return "";
}

struct ShownPhase {
  std::optional<TaskPhase> last;  // that something shows as done
  std::string by;                 // what shows it
};

// What there still is of phases whose tasks are gone: commits in the branch, and files that signals refer to.
ShownPhase phase_shown(App& app, const TaskSnapshot& seen) {
  const PermanentTask& permanent = *seen.claims.permanent;
  ShownPhase shown{.last = phase_shown_by_commits(seen), .by = ""};
  if (shown.last) {
    for (const std::string& commit : permanent.commits) {
      const auto found = seen.git.commits.find(commit);
      if (found == seen.git.commits.end() || !found->second) continue;
      shown.by += (shown.by.empty() ? "commit " : ", ") + printable_line(commit, 60);
    }
    shown.by += " in this branch";
  }
  for (const ClaimedPhase& phase : permanent.phases) {
    const std::string file = file_of_signal(phase.text);
    if (phase.signal != PhaseSignal::Passed || file.empty() || (shown.last && phase.phase <= *shown.last))
      continue;
    const Result<std::optional<FileInfo>> info = app.files.stat(app.project / to_project_path(app, file));
    if (!info || !*info) continue;
    shown = {phase.phase, "file " + printable_line(file, 200)};
  }
  return shown;
}

// The first phase of the way that is not shown as done, but none that was not claimed.
TaskPhase phase_to_set(const TaskSnapshot& seen, const ShownPhase& shown) {
  const PermanentTask& permanent = *seen.claims.permanent;
  const TaskPhase claimed = permanent.current_phase.value_or(TaskPhase::P0);
  if (!shown.last) return TaskPhase::P0;
  for (const TaskPhase phase : phases_of(permanent.tier.value_or(TaskTier::Complex))) {
    if (phase > *shown.last || phase >= claimed) return phase;
  }
  return claimed;
}

// Signals of phases before `phase`; null if none is left.
std::string signals_before(const PermanentTask& permanent, TaskPhase phase) {
  JsonWriter signals;
  signals.begin_object();
  bool has_any = false;
  for (const ClaimedPhase& each : permanent.phases) {
    if (each.phase >= phase) continue;
    signals.field(to_lower(to_token(each.phase)), each.text);
    has_any = true;
  }
  return has_any ? signals.end_object().take() : "null";
}

// A permanent task whose tasks are gone is set to what git and the files show. A task that cannot be read is for a
// person to repair: what was in it is nowhere else.
Result<StateRepair> plan_phase_reset(App& app, const Candidate& candidate, const TaskSnapshot& seen) {
  StateRepair repair{.id = candidate.id, .file = candidate.state_file};
  const TaskRecovery recovery = recover(seen);
  for (const TaskClaim& task : seen.claims.tasks) {
    if (!task.is_damaged) continue;
    const std::string file = (std::filesystem::path(candidate.state_file) / task.file).string();
    return fail(
        Error{.kind = ErrorKind::Unavailable,
              .message = file + " cannot be read, and what was in it is nowhere else; mend it, or set it aside",
              .file = file}
            .hint("mv " + shell_quote(file) + " " + shell_quote(file + ".broken")));
  }
  const auto is_corrupted = [](const Finding& finding) { return finding.code == "permanent_corrupted"; };
  if (std::ranges::none_of(recovery.findings, is_corrupted)) return repair;
  const auto task = std::ranges::find(seen.claims.tasks, seen.claims.permanent->id, &TaskClaim::id);
  repair.file = (std::filesystem::path(candidate.state_file) / task->file).string();
  repair.before = TRY(app.files.read(repair.file, kDocumentBytesMax));
  const ShownPhase shown = phase_shown(app, seen);
  const std::string phase(to_token(phase_to_set(seen, shown)));
  TaskChange change;
  change.metadata = {{"current_phase", '"' + phase + '"'},
                     {"phase_signals", signals_before(*seen.claims.permanent, phase_to_set(seen, shown))}};
  if (shown.last) change.metadata.push_back({"rebuilt_from", as_json_value(shown.by)});
  repair.after = TRY(edit_task_file(repair.before, change, repair.file));
  repair.changes = {shown.last
                        ? "phase " + std::string(to_token(*shown.last)) + " is shown as done by " + shown.by +
                              "; current_phase becomes " + phase
                        : "no task, no file and no commit shows any phase as done; current_phase goes back to P0"};
  repair.diff = unified_diff(repair.before, repair.after, {"a/" + task->file, "b/" + task->file});
  return repair;
}

}  // namespace

Result<StateRepair> plan_rebuild(App& app, const Candidate& candidate) {
  const OrchestratorSnapshot seen = TRY(look_at_found_orchestrator(app, candidate));
  StateRepair repair{.id = candidate.id, .file = candidate.state_file};
  const bool is_damaged = !seen.unreadable.empty() || candidate.damaged || seen.epic.damaged || seen.flow.damaged;
  if (!is_damaged) return repair;
  const RebuiltState rebuilt = rebuild_state(seen);
  if (!rebuilt.possible) {
    return fail(ErrorKind::Unavailable, "the state of " + candidate.id.shown() + " is what is in " +
                                            candidate.state_file +
                                            "; there is nothing else that it could be made from");
  }
  repair.before = read_inside(app, candidate.state_file).value_or("");
  if (seen.is_closed) {
    return fail(
        Error{.kind = ErrorKind::Unavailable, .message = seen.unreadable, .file = candidate.state_file}.hint(
            "ls -l " + shell_quote(candidate.state_file)));
  }
  // What is rebuilt is as old as what was lost: nobody has worked since.
  const Timestamp then = last_activity(seen);
  switch (rebuilt.kind) {
    case OrchestratorKind::Epic: repair.after = TRY(bytes_of(rebuilt.epic, candidate.subject, then)); break;
    case OrchestratorKind::QaLoop: repair.after = TRY(bytes_of(rebuilt.qa_loop, candidate.subject, then)); break;
    default: repair.after = TRY(bytes_of(rebuilt.flow, candidate.subject, then)); break;
  }
  for (const RebuiltFact& fact : rebuilt.facts) repair.changes.push_back(words_for(fact));
  for (const std::string& unknown : rebuilt.unknown) repair.changes.push_back("nothing tells " + unknown);
  repair.diff = unified_diff(repair.before, repair.after, {"a/" + repair.file, "b/" + repair.file});
  return repair;
}

Result<StateRepair> plan_permanent_task(App& app, const Candidate& candidate) {
  const TaskSnapshot seen = TRY(look_at_found_list(app, candidate));
  StateRepair repair{.id = candidate.id, .file = candidate.state_file};
  if (seen.claims.permanent) return plan_phase_reset(app, candidate, seen);
  repair.task = permanent_task_for(app, candidate, seen.claims);
  repair.after = new_task_file("new", *repair.task);
  repair.changes = {"the list has no permanent task; this one says what git, the working tree and the tasks tell"};
  repair.diff = unified_diff("", repair.after, {"/dev/null", "b/" + candidate.subject + "/(new).json"});
  return repair;
}

Result<std::string> create_permanent_task(App& app, const StateRepair& repair) {
  const std::optional<TaskListPlace> place =
      task_list_of(app, repair.id.text.substr(repair.id.text.find('/') + 1));
  if (!place) return fail(ErrorKind::NotFound, repair.file + " is no longer there");
  const std::unique_ptr<TaskStore> store = open_task_folder(app, *place);
  if (TRY(store->list()).permanent)
    return fail(ErrorKind::Conflict, "the list has a permanent task by now; nothing was changed");
  const std::string file = (place->folder / (TRY(store->create(*repair.task)) + ".json")).string();
  TRY_VOID(note_created(app, repair.id.text, file));
  return file;
}

}  // namespace reprise
