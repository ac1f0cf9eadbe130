#include "app/task_store_journal.h"

#include <algorithm>

#include "app/definitions.h"
#include "app/steer_run.h"
#include "app/task_pipeline_find.h"
#include "app/task_pipeline_look.h"
#include "base/strings.h"
#include "executor/tasks.h"
#include "model/event_codec.h"

namespace reprise {
namespace {

constexpr int kIdTakenMax = 100;  // how often somebody else may be faster

class JournalTaskStore : public TaskStore {
 public:
  JournalTaskStore(App& app, RunId run) : app_(app), run_(std::move(run)) {}

  Result<TaskListClaims> list() override { return claims_of_run(TRY(state()), app_.clock.now()); }

  Result<std::string> get(const std::string& id) override {
    const RunState now = TRY(state());
    if (!now.tasks.contains(id)) return fail(no_task(id));
    return task_json(now, id);
  }

  Result<std::string> create(const NewTask& task) override {
    for (int round = 0; round < kIdTakenMax; ++round) {
      const RunState now = TRY(state());
      TaskChanged change{.id = next_task_id(now),
                         .subject = task.subject,
                         .description = task.description,
                         .owner = task.owner,
                         .status = std::string(to_token(task.status)),
                         .blocked_by = task.blocked_by,
                         .by = app_.actor};
      set_metadata(change, task.metadata);
      if (change.phase.empty()) change.phase = current_phase(now);
      if (const std::optional<std::string> same = task.once ? find_same(now, change) : std::nullopt) {
        for (const std::string& blocked : task.blocks) TRY_VOID(update(blocked, {.add_blocked_by = {*same}}));
        return *same;
      }
      TRY_VOID(check_links(now, change.id, task.blocked_by, task.blocks));
      const Result<void> made = steer(change, "new", "");
      if (!made && TRY(state()).tasks.contains(change.id)) continue;  // somebody was faster
      if (!made) return fail(made.error());
      for (const std::string& blocked : task.blocks) TRY_VOID(update(blocked, {.add_blocked_by = {change.id}}));
      return change.id;
    }
    return fail(ErrorKind::Conflict, "others put tasks on the list all the time; try again");
  }

  Result<void> update(const std::string& id, const TaskChange& change) override {
    for (int round = 0;; ++round) {
      const RunState now = TRY(state());
      if (!now.tasks.contains(id)) return fail(no_task(id));
      TRY_VOID(check_links(now, id, change.add_blocked_by, change.add_blocks));
      const Result<void> done = update_once(now, id, change);
      if (done) break;
      // Whoever changed the task in between keeps that change: this one is made of what is there now.
      const RunState after = TRY(state());
      const bool has_moved =
          after.tasks.contains(id) && seen_of(id, after.tasks.at(id)) != seen_of(id, now.tasks.at(id));
      if (!has_moved || round >= kIdTakenMax) return done;
    }
    for (const std::string& blocked : change.add_blocks) TRY_VOID(update(blocked, {.add_blocked_by = {id}}));
    for (const std::string& blocked : change.remove_blocks) TRY_VOID(update(blocked, {.remove_blocked_by = {id}}));
    return {};
  }

  Result<void> remove(const std::string& id) override {
    const RunState now = TRY(state());
    const auto found = now.tasks.find(id);
    if (found == now.tasks.end()) return fail(no_task(id));
    if (found->second.subject.starts_with(kPermanentPrefix))
      return fail(ErrorKind::Invalid, "task " + id + " is the permanent one and stays");
    TaskChanged change = change_of(id, found->second);
    change.removed = true;
    change.by = app_.actor;
    return steer(change, id, seen_of(id, found->second));
  }

 private:
  Result<RunState> state() { return TRY(open_journal(app_, OpenMode::ReadOnly))->state(run_); }

  Result<void> update_once(const RunState& now, const std::string& id, const TaskChange& change) {
    const TaskState& before = now.tasks.at(id);
    TaskChanged changed = change_of(id, before);
    changed.by = app_.actor;
    if (change.subject) changed.subject = *change.subject;
    if (change.description) changed.description = *change.description;
    if (change.owner) changed.owner = *change.owner;
    if (change.status) changed.status = std::string(to_token(*change.status));
    set_metadata(changed, change.metadata);
    for (const std::string& blocker : change.add_blocked_by) {
      if (std::ranges::find(changed.blocked_by, blocker) == changed.blocked_by.end())
        changed.blocked_by.push_back(blocker);
    }
    std::erase_if(changed.blocked_by, [&](const std::string& blocker) {
      return std::ranges::find(change.remove_blocked_by, blocker) != change.remove_blocked_by.end();
    });
    if (changed == change_of(id, before)) return {};
    return steer(changed, id, seen_of(id, before));
  }

  Result<void> steer(const TaskChanged& change, const std::string& target, const std::string& seen) {
    const Steer steer{
        .kind = "task", .target = target, .text = encode(Event(change)), .seen = seen, .by = app_.actor};
    TRY(steer_run(app_, run_, steer));
    return {};
  }

  static std::optional<std::string> find_same(const RunState& now, const TaskChanged& wanted) {
    for (const auto& [id, task] : now.tasks) {
      if (task.phase == wanted.phase && trim(task.subject) == trim(wanted.subject)) return id;
    }
    return std::nullopt;
  }

  // The phase has a place of its own in the record.
  static void set_metadata(TaskChanged& change, const std::vector<JsonSetting>& settings) {
    for (const JsonSetting& setting : settings) {
      if (setting.key == "phase") {
        change.phase = std::string(trim(setting.json));
        std::erase(change.phase, '"');
      } else if (setting.json == "null") {
        change.metadata.erase(setting.key);
      } else {
        change.metadata[setting.key] = setting.json;
      }
    }
  }

  // A worker's task belongs to the phase that it works in.
  std::string current_phase(const RunState& now) const {
    const auto step = app_.environment.find("REPRISE_STEP");
    if (app_.is_worker() && step != app_.environment.end()) return step->second.substr(0, step->second.find('/'));
    return now.workflow == kTaskPipeline ? std::string(to_token(current_phase_of(now))) : "";
  }

  Result<void> check_links(const RunState& now, const std::string& id, const std::vector<std::string>& blockers,
                           const std::vector<std::string>& blocked) const {
    std::vector<TaskLink> links;
    for (const std::string& blocker : blockers) links.push_back({blocker, id});
    for (const std::string& other : blocked) links.push_back({id, other});
    for (const TaskLink& link : links) {
      const std::string& other = link.blocker == id ? link.blocked : link.blocker;
      if (other != id && !now.tasks.contains(other)) return fail(no_task(other));
    }
    const std::vector<std::string> chain = find_closed_chain(claims_of_run(now, app_.clock.now()).tasks, links);
    if (chain.empty()) return {};
    return fail(ErrorKind::Invalid, "these tasks would wait for one another: " + join(chain, " -> "));
  }

  Error no_task(const std::string& id) const {
    return {.kind = ErrorKind::NotFound,
            .message = "the list of " + run_.shown() + " has no task \"" + printable_line(id, 60) + "\""};
  }

  App& app_;
  RunId run_;
};

bool has_list(const RunState& state) {
  const bool is_kept_here = state.workflow == kTaskPipeline || !state.tasks.empty();
  return is_kept_here && state.state_file.path.empty();
}

bool does_tasks(const std::vector<Stage>& stages) {
  return std::ranges::any_of(stages, [](const Stage& stage) {
    return (stage.each && !stage.each->tasks.empty()) || does_tasks(stage.stages);
  });
}

// A run that does tasks has a list before the first of them is on it.
bool may_have_list(App& app, Journal& journal, const RunState& state) {
  if (has_list(state)) return true;
  if (!state.state_file.path.empty()) return false;
  const Result<Definition> definition = definition_for(app, journal, state);
  return definition && does_tasks(definition->workflow.stages);
}

}  // namespace

Result<std::optional<RunId>> run_with_list(App& app, const std::string& name) {
  std::string id = name;
  if (name.empty()) {
    const auto run = app.environment.find("REPRISE_RUN");
    if (run == app.environment.end()) return std::nullopt;
    id = run->second;
  }
  const Result<std::unique_ptr<Journal>> journal = open_journal(app, OpenMode::ReadOnly);
  if (!journal) return std::nullopt;
  for (const std::string& tried : {std::string(kTaskPipeline) + "/" + id, id}) {
    // A worker means its own run, and a number means that run; a name alone means the newest.
    const bool is_exact = name.empty() || without_number(tried) != tried;
    const std::optional<RunId> run = is_exact ? RunId{tried} : TRY(runs_of_subject(**journal, tried)).newest;
    const Result<RunState> state = run ? (*journal)->state(*run) : fail(ErrorKind::NotFound, "");
    if (!state && state.error().kind != ErrorKind::NotFound) return fail(state.error());
    if (state && may_have_list(app, **journal, *state)) return run;
  }
  return std::nullopt;
}

Result<std::vector<RunId>> runs_with_lists(App& app) {
  std::vector<RunId> runs;
  const Result<std::unique_ptr<Journal>> journal = open_journal(app, OpenMode::ReadOnly);
  if (!journal) return runs;
  for (const RunEntry& entry : TRY((*journal)->runs())) {
    if (!entry.archived && has_list(TRY((*journal)->state(entry.id)))) runs.push_back(entry.id);
  }
  return runs;
}

std::unique_ptr<TaskStore> open_task_journal(App& app, RunId run) {
  return std::make_unique<JournalTaskStore>(app, std::move(run));
}

}  // namespace reprise
