#include "app/task_pipeline_system.h"

#include <algorithm>
#include <boost/json.hpp>
#include <set>

#include "app/definitions.h"
#include "app/task_pipeline_find.h"
#include "app/task_pipeline_look.h"
#include "base/digest.h"
#include "base/strings.h"
#include "evidence/collector.h"
#include "executor/run_setup.h"
#include "executor/tasks.h"
#include "formats/task_file.h"
#include "formats/task_file_edit.h"
#include "git/git.h"
#include "guard/guard.h"
#include "model/limits.h"
#include "os/shared_file.h"
#include "planner/task_rules.h"

namespace reprise {
namespace {

constexpr std::string_view kResumesBefore =
    "resumes_before";  // of a found list: those it had when it was taken up

// The step that a decision of the rules is about: a task's, or its phase's lead.
StepPath step_for(const StepDecision& decision) {
  const std::size_t slash = decision.step.text.find('/');
  if (slash == std::string::npos) return {decision.stage + "/lead"};
  return step_of_task(decision.stage, decision.step.text.substr(slash + 1));
}

// What can come up in a run of ours although all that its tasks did is on record. A file of the list that cannot
// be read is not among it: what was in it is on record too.
bool is_of_the_world(const std::string& code) {
  constexpr std::string_view kCodes[] = {"branch_mismatch", "commits_missing", "uncommitted_changes",
                                         "stale_task",      "blocker_cycle",   "repeated_resumes",
                                         "self_block"};
  return std::ranges::find(kCodes, code) != std::end(kCodes);
}

// The last sign of life of an attempt that is open: its output. Nothing while it is running.
std::optional<Timestamp> last_sign_of(App& app, const RunState& state, const StepPath& step,
                                      std::int64_t attempt) {
  const Result<AttemptSighting> sighting =
      sight_attempt(guard_directory(app.store, state.key), attempt_name(step, attempt));
  if (!sighting || sighting->what == AttemptSighting::What::Running) return std::nullopt;
  Timestamp last = state.updated_at;
  for (const char* name : {"stdout", "stderr", "result.json"}) {
    const Result<std::optional<FileInfo>> info =
        app.files.stat(attempt_directory(app.store, state, step, attempt) / name);
    if (info && *info) last = std::max(last, (*info)->modified);
  }
  return last;
}

// What the run itself left uncommitted is expected; what changed after its last event, while nothing of it ran, is
// not. A new file may be what an attempt made that was cut off.
void forget_what_is_ours(App& app, TaskSnapshot& seen, const RunState& state) {
  std::optional<Timestamp> last = state.updated_at;
  bool is_open = false;
  for (const auto& [path, step] : state.steps) {
    if (step.record != StepState::Record::Open) continue;
    is_open = true;
    const std::optional<Timestamp> sign = last_sign_of(app, state, path, step.attempts);
    last = last && sign ? std::max(last, sign) : std::nullopt;
  }
  std::erase_if(seen.git.dirty, [&](const std::string& path) {
    if (!last || (is_open && seen.git.untracked.contains(path))) return true;
    const Result<std::optional<FileInfo>> info = app.files.stat(app.project / path);
    return !info || !*info || (*info)->modified <= *last;
  });
}

// Commits that were made while steps of the run worked, and that this branch lost since: by step. git's own record
// of HEAD tells them; one that an amended or moved commit replaced is not lost.
Result<std::map<StepPath, std::string>> lost_commits(App& app, const RunState& state) {
  std::map<StepPath, std::string> lost;
  const Result<Git> git = Git::open(app.project);
  if (!git || git->is_bare()) return lost;
  const GitAnswer log =
      TRY(git->run({"reflog", "show", "HEAD", "--format=%H%x09%ct%x09%at %s%x09%gs", "--max-count=500"}));
  if (!log.ok() || trim(log.output).empty()) return lost;
  std::map<std::string, std::int64_t> made;  // commits that the run may have made: when, also if amended since
  std::map<std::string, std::string> names;  // of those: author's time and subject
  const std::int64_t begin = state.started_at.ms / 1'000;
  bool is_amended = false;  // the entry before this one, which came after it
  for (const std::string_view line : split(log.output, '\n')) {
    const std::vector<std::string_view> fields = split(line, '\t');
    const bool was_amended =
        std::exchange(is_amended, fields.size() == 4 && fields[3].starts_with("commit (amend)"));
    if (was_amended || fields.size() != 4 || !fields[3].starts_with("commit")) continue;
    const std::optional<long long> at = parse_number(fields[2].substr(0, fields[2].find(' ')), 100'000'000'000);
    if (!at || *at < begin) continue;
    made[std::string(fields[0])] = *at;
    names[std::string(fields[0])] = std::string(fields[2]);
  }
  if (made.empty()) return lost;
  std::set<std::string> there;
  std::set<std::string> known;
  const GitAnswer now = TRY(git->run(
      {"log", "--format=%H%x09%at %s", "--since=" + std::to_string(begin - 1), "--max-count=5000", "HEAD"}));
  for (const std::string_view line : split(now.output, '\n')) {
    const std::size_t tab = line.find('\t');
    if (tab == line.npos) continue;
    there.emplace(line.substr(0, tab));
    known.emplace(line.substr(tab + 1));
  }
  for (const auto& [commit, at] : made) {
    if (there.contains(commit) || known.contains(names[commit])) continue;
    for (const auto& [path, step] : state.steps) {
      if (step.record != StepState::Record::Done || step.attempts == 0) continue;
      if (at >= step.started_at.ms / 1'000 && at <= step.finished_at.ms / 1'000) lost.emplace(path, commit);
    }
  }
  return lost;
}

class Judge {
 public:
  Judge(App& app, const RunState& state, const Graph& graph, const TaskSnapshot& seen)
      : app_(app), state_(state), graph_(graph), seen_(seen), collector_(app.files, app.project) {}

  Result<Judgement> judge() {
    const TaskRecovery recovery = recover(seen_);
    Judgement out;
    out.plan = plan_task_pipeline(seen_, recovery);
    const bool goes_on = recovery.readiness == Readiness::Ready || recovery.readiness == Readiness::Confirm ||
                         recovery.readiness == Readiness::Wait || recovery.readiness == Readiness::Blocked;
    if (goes_on && state_.adopted && !state_.was_worked_on() && state_.steps.size() == 0)
      TRY_VOID(import_list(recovery, out));
    for (StepDecision& decision : out.plan.decisions) {
      decision.step = step_for(decision);
      // The engine gives the task to a worker once more, for the reason that the rules found.
      if (decision.decision == Decision::Verify || decision.decision == Decision::Continue)
        decision.decision = Decision::Rerun;
    }
    if (state_.was_worked_on()) {
      TRY_VOID(undo_lost(out));
      reopen_doubted(recovery, out);
      Plan findings =
          only_findings(out.plan, [](const Finding& finding) { return is_of_the_world(finding.code); });
      findings.decisions = std::move(out.plan.decisions);
      out.plan = std::move(findings);
    }
    return out;
  }

 private:
  // What a step committed is gone, so it is not done any more, whatever its record says (TP-13).
  Result<void> undo_lost(Judgement& out) {
    for (const auto& [step, commit] : TRY(lost_commits(app_, state_))) {
      out.events.emplace_back(
          StepReset{step, "commit", "", "commit " + commit.substr(0, 12) + ", which it made, is gone"});
      Finding& found = out.plan.findings.emplace_back();
      found.rule = "TP-13";
      found.code = "commits_missing";
      found.severity = Severity::Warning;
      found.message = "commit " + commit.substr(0, 12) + " of " + step.text + " is gone, so it is done again";
    }
    return {};
  }

  // A completed task of a list that was changed since is verified, as when the list was taken over (TP-19).
  void reopen_doubted(const TaskRecovery& recovery, Judgement& out) {
    for (const TaskDecision& decision : recovery.decisions) {
      if (decision.task.empty() || decision.decision != Decision::Verify || decision.rule != kStaleRule) continue;
      if (seen_.accepted.contains("stale_task")) continue;
      const StepPath step = step_of_task(std::string(to_token(decision.phase)), decision.task);
      const StepState* record = state_.find_step(step);
      if (record == nullptr || record->record != StepState::Record::Done) continue;
      out.events.emplace_back(ClaimImported{.step = step,
                                            .done = false,
                                            .source = "task " + decision.task + std::string(kVerifyFirst) + ": " +
                                                      std::string(decision.reason) + decision.detail.get(),
                                            .rule = "TP-19",
                                            .verdict = "",
                                            .work = record->work});
    }
  }

  // The list becomes the record: its tasks, which of them are done, and which phases are behind it.
  Result<void> import_list(const TaskRecovery& recovery, Judgement& out) {
    std::map<std::string, std::string> phases;  // of a task, as the recovery counts it
    for (const TaskDecision& decision : recovery.decisions) {
      if (!decision.task.empty()) phases[decision.task] = std::string(to_token(decision.phase));
    }
    for (const TaskClaim& task : seen_.claims.tasks) {
      if (task.is_damaged || task.is_internal) continue;
      const auto phase = phases.find(task.id);
      out.events.emplace_back(change_from(task, phase == phases.end() ? "" : phase->second));
    }
    for (const TaskPhase phase : phases_of(recovery.tier)) TRY_VOID(import_lead(recovery, phase, out));
    for (const TaskDecision& decision : recovery.decisions) {
      if (!decision.task.empty()) TRY_VOID(import_task(decision, out));
    }
    return {};
  }

  // Whoever leads a phase has done so if its tasks are there, or if the pipeline is past it.
  Result<void> import_lead(const TaskRecovery& recovery, TaskPhase phase, Judgement& out) {
    const bool has_tasks = std::ranges::any_of(
        recovery.phases, [&](const PhaseCounts& counts) { return counts.phase == phase && counts.tasks > 0; });
    const bool is_behind = recovery.resume_phase && phase < *recovery.resume_phase;
    // All tasks of the last phase may be completed, and nothing delivered (TP-18).
    const bool is_to_run = std::ranges::any_of(recovery.decisions, [&](const TaskDecision& decision) {
      return decision.phase == phase && decision.task.empty() && decision.decision != Decision::Keep;
    });
    if (is_to_run || (!has_tasks && !is_behind)) return {};
    return import({std::string(to_token(phase)) + "/lead"}, "TP-03", true, {}, out);
  }

  Result<void> import_task(const TaskDecision& decision, Judgement& out) {
    const StepPath step = step_of_task(std::string(to_token(decision.phase)), decision.task);
    const auto task = std::ranges::find(seen_.claims.tasks, decision.task, &TaskClaim::id);
    switch (decision.decision) {
      case Decision::Keep:
        TRY_VOID(import(step, decision.rule, true, files_of(*task), out));
        std::get<ClaimImported>(out.events.back()).source = source_of(*task);
        return {};
      // Looked at again before anything stands on it: what it was made from counts as changed.
      case Decision::Verify:
      case Decision::Continue:
      case Decision::Rerun: {
        TRY_VOID(import(step, decision.rule, false, {}, out));
        ClaimImported& event = std::get<ClaimImported>(out.events.back());
        if (decision.decision == Decision::Continue)
          event.rule = std::string(decision.rule);  // what it left is handed on
        event.source = source_of(*task);
        if (decision.decision == Decision::Verify) event.source += kVerifyFirst;
        event.source += ": " + std::string(decision.reason) + decision.detail.get();
        return {};
      }
      default: return {};
    }
  }

  // The folder's path says nothing that a worker could use, and may be one of its own secrets.
  static std::string source_of(const TaskClaim& task) {
    return task.file.empty() ? "task " + task.id : task.file + " of the list";
  }

  std::vector<std::string> files_of(const TaskClaim& task) const {
    std::vector<std::string> files = task.outputs;
    for (const auto& [path, digest] : task.hashes) files.push_back(path);
    std::erase_if(files, [&](const std::string& path) {
      const auto seen = seen_.files.find(path);
      return seen == seen_.files.end() || !seen->second.exists;
    });
    return files;
  }

  Result<void> import(const StepPath& step, std::string_view rule, bool done,
                      const std::vector<std::string>& files, Judgement& out) {
    ClaimImported event{.step = step,
                        .done = done,
                        .source = seen_.state_file,
                        .rule = std::string(rule.substr(0, rule.find(' '))),
                        .verdict = ""};
    const std::string stage = step.text.find("/tasks/") == std::string::npos ? "lead" : "tasks";
    const std::optional<int> leaf = graph_.find({step.text.substr(0, step.text.find('/')) + "/lead"});
    if (leaf && stage == "lead") event.work = work_digest(*graph_.node(*leaf).stage);
    if (leaf && stage == "tasks") event.work = work_of_tasks(*leaf);
    for (const std::string& path : files) event.artifacts.push_back(TRY(collector_.look(path, nullptr)));
    out.events.emplace_back(std::move(event));
    return {};
  }

  // The tasks of a phase are not in the graph before they are on record; their stage is.
  ShortDigest work_of_tasks(int lead) const {
    for (const Stage& sibling : graph_.node(graph_.node(lead).parent).stage->stages) {
      if (sibling.each) return work_digest(sibling);
    }
    return {};
  }

  App& app_;
  const RunState& state_;
  const Graph& graph_;
  const TaskSnapshot& seen_;
  Collector collector_;
};

class TaskPipelineSystem : public NativeState {
 public:
  explicit TaskPipelineSystem(App& app) : app_(app) {}

  // The permanent task says where the pipeline is; the other tasks have files of their own.
  Result<std::string> show(std::string_view bytes, const RunState& state) const override {
    if (bytes.empty() || (state.adopted && !state.was_worked_on())) return std::string(bytes);
    TaskChange change;
    const std::int64_t resumes = resumes_of(state);
    change.metadata = {{"current_phase", "\"" + std::string(to_token(current_phase_of(state))) + "\""},
                       {"resume_count", std::to_string(resumes)}};
    change.metadata.push_back({"phase_signals", signals_of(bytes, state)});
    if (const auto branch = state.overruled.find("branch_mismatch");
        branch != state.overruled.end() && is_branch_name(branch->second.seen))
      change.metadata.push_back({"branch", as_json_value(branch->second.seen)});
    if (state.status == RunStatus::Done) {
      change.status = TaskStatus::Completed;
      // Whether P8 made a commit is its worker's to say: that all phases are done is what we know.
      change.metadata.push_back({"pt_status", "\"delivered\""});
    }
    return edit_task_file(bytes, change, state.state_file.path);
  }

  // Agents keep decisions and references in it; none of that is the run's to refuse.
  Result<HandEdits> edits(std::string_view, std::string_view now, const RunState& state) const override {
    TRY(read_task_file(now, state.state_file.path));
    return HandEdits{};
  }

  Result<Judgement> judge(std::string_view, const RunState& state, const Graph& graph) override {
    if (state.state_file.path.empty() && permanent_task(state) == nullptr) {
      Judgement begun;
      begun.events.emplace_back(first_task(state));
      return begun;
    }
    TaskSnapshot seen = TRY(look_at_run(app_, state));
    if (!state.was_worked_on()) seen.from = from_;
    return Judge(app_, state, graph, seen).judge();
  }

 private:
  static std::int64_t resumes_of(const RunState& state) {
    const auto before = state.values.find(std::string(kResumesBefore));
    const long long had = before == state.values.end() ? 0 : parse_number(before->second, 1'000'000).value_or(0);
    return had + state.resume_count + (state.adopted ? 1 : 0);
  }

  // The phases that are finished, beside what was there of the others.
  static std::string signals_of(std::string_view bytes, const RunState& state) {
    boost::json::object signals;
    const Result<ReadTask> read = read_task_file(bytes, state.state_file.path);
    if (read && read->task.metadata.contains("phase_signals")) {
      boost::system::error_code error;
      const boost::json::value before = boost::json::parse(read->task.metadata.at("phase_signals"), error);
      if (!error && before.is_object()) signals = before.get_object();
    }
    for (const ClaimedPhase& phase : finished_phases(state)) signals[to_lower(to_token(phase.phase))] = phase.text;
    return boost::json::serialize(signals);
  }

  // A list of our own begins with the task that says what it is about.
  TaskChanged first_task(const RunState& state) const {
    TaskChanged task{.id = next_task_id(state),
                     .subject = std::string(kPermanentPrefix) + " " + state.subject,
                     .status = "pending",
                     .by = app_.actor};
    if (const auto text = state.values.find("description"); text != state.values.end())
      task.description = text->second;
    task.metadata = {{"type", "\"permanent\""}, {"tier", "\"" + std::string(to_token(tier_of(state))) + "\""}};
    const Result<Git> git = Git::open(app_.project);
    const Result<std::optional<std::string>> branch =
        git ? git->branch() : Result<std::optional<std::string>>(std::nullopt);
    if (branch && *branch) task.metadata["branch"] = as_json_value(**branch);
    return task;
  }

  App& app_;
};

}  // namespace

std::unique_ptr<NativeState> task_pipeline_system(App& app) { return std::make_unique<TaskPipelineSystem>(app); }

Result<TaskSnapshot> look_at_found_list(App& app, const Candidate& candidate) {
  const std::optional<TaskListPlace> place = task_list_of(app, candidate.subject);
  if (!place) return fail(ErrorKind::NotFound, candidate.state_file + " is no longer there");
  return look_at_task_list(app, TRY(read_task_list(app, *place)), candidate.state_file);
}

Result<TaskSnapshot> look_at_run(App& app, const RunState& state) {
  const std::optional<TaskListPlace> place =
      state.state_file.path.empty() ? std::nullopt : task_list_of(app, state.subject);
  TaskListClaims claims = place ? TRY(read_task_list(app, *place)) : claims_of_run(state, app.clock.now());
  TaskSnapshot seen = TRY(look_at_task_list(app, std::move(claims), state.state_file.path));
  for (const auto& [code, overruled] : state.overruled) {
    // Another branch than the one that was confirmed is to be confirmed again.
    if (code == "branch_mismatch" && overruled.seen != seen.git.branch) continue;
    seen.accepted.insert(code);
  }
  if (state.was_worked_on()) forget_what_is_ours(app, seen, state);
  return seen;
}

Result<Adoption> read_task_list_adoption(App& app, const Candidate& candidate) {
  const TaskSnapshot seen = TRY(look_at_found_list(app, candidate));
  if (!seen.claims.permanent) {
    return fail(Error{.kind = ErrorKind::NotFound,
                      .message = candidate.id.text + " has no permanent task",
                      .file = candidate.state_file}
                    .hint("reprise repair " + shell_quote(candidate.id.shown())));
  }
  const PermanentTask& permanent = *seen.claims.permanent;
  const auto task = std::ranges::find(seen.claims.tasks, permanent.id, &TaskClaim::id);
  const std::filesystem::path file = std::filesystem::path(candidate.state_file) / task->file;
  Adoption adoption{.definition = TRY(load_definition(app, std::string(kTaskPipeline)))};
  RunCreated created = created_by_adoption(adoption.definition, candidate);
  created.native_file = file.string();
  created.values["description"] = permanent.feature;
  if (permanent.tier) created.values["variant"] = std::string(to_token(*permanent.tier));
  created.values[std::string(kResumesBefore)] = std::to_string(permanent.resume_count);
  created.values["CLAUDE_CODE_TASK_LIST_ID"] = candidate.subject;
  adoption.events.emplace_back(std::move(created));
  TRY_VOID(add_state_file(app, file.string(), adoption));
  return adoption;
}

}  // namespace reprise
