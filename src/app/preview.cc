#include "app/preview.h"

#include <algorithm>

#include "app/plan_costs.h"
#include "app/story_records.h"
#include "app/systems.h"
#include "app/task_folder_records.h"
#include "executor/look.h"
#include "executor/projector.h"
#include "executor/run_setup.h"
#include "guard/guard.h"
#include "planner/planner.h"

namespace reprise {
namespace {

Plan merged(Plan own, const std::optional<Plan>& system) {
  return system ? merge_plans(std::move(own), *system) : own;
}

// What a session would refuse of what somebody made of the state file.
Result<void> note_refused_edits(Journal& journal, const NativeState& native, const std::string& found,
                                RunState& state) {
  StateFileState& file = state.state_file;
  if (file.digest.empty() || to_text(digest_of(found)) == file.digest) return {};
  const Result<HandEdits> edits = native.edits(TRY(journal.text(file.digest)), found, state);
  if (!edits) {
    file.refused = {"it cannot be read any more; a resume writes it anew: " + edits.error().message};
    return {};
  }
  if (!edits->refused.empty()) file.refused = edits->refused;
  // A box that was ticked while the run waits is an approval, as a session would take it.
  const bool is_at_work = std::ranges::any_of(
      state.steps, [](const auto& step) { return step.second.record == StepState::Record::Open; });
  for (const HandEdits::Approval& approval : edits->approvals) {
    const auto gate = state.gates.find(approval.gate);
    if (is_at_work || gate == state.gates.end() || gate->second.record != GateState::Record::Open) continue;
    const GateDecided decided{approval.gate, true, file.path, "", gate->second.shows};
    TRY_VOID(apply(state, {{state.last.value + 1}, state.updated_at, decided}));
  }
  return {};
}

// The same for a system whose state is in the journal alone.
Result<std::optional<Plan>> judge_without_file(App& app, NativeState& native, Preview& preview) {
  const Judgement judgement = TRY(native.judge("", preview.state, *preview.graph));
  if (judgement.events.empty()) return judgement.plan;
  for (const Event& event : judgement.events)
    TRY_VOID(apply(preview.state, {{preview.state.last.value + 1}, app.clock.now(), event}));
  preview.graph->take_in_tasks();
  return TRY(native.judge("", preview.state, *preview.graph)).plan;
}

// What the system behind the run makes of it, where there is one; what a session would record of that is made part
// of the state.
Result<std::optional<Plan>> judge_as_system(App& app, Journal& journal, Preview& preview,
                                            const std::string& from) {
  const RunState& state = preview.state;
  const std::unique_ptr<NativeState> native = system_behind(app, state);
  if (native == nullptr) return std::nullopt;
  native->resume_from(from);
  if (state.state_file.path.empty()) return judge_without_file(app, *native, preview);
  const std::string base = TRY(content_to_build_on(journal, app.project, state));
  TRY_VOID(note_refused_edits(journal, *native, base, preview.state));
  Result<std::string> shown = native->show(base, state);
  const bool is_readable = shown.has_value();
  if (!is_readable) shown = native->show(TRY(journal.text(state.state_file.digest)), state);
  const Judgement judgement = TRY(native->judge(TRY(std::move(shown)), state, *preview.graph));
  if (judgement.events.empty()) return judgement.plan;
  for (const Event& event : judgement.events)
    TRY_VOID(apply(preview.state, {{state.last.value + 1}, app.clock.now(), event}));
  preview.graph->take_in_tasks();
  const std::string& again = is_readable ? base : TRY(journal.text(state.state_file.digest));
  Plan plan = TRY(native->judge(TRY(native->show(again, state)), state, *preview.graph)).plan;
  // What has to be asked before anything starts is the judgement on what was found.
  if (judgement.ask_first) plan.readiness = judgement.plan.readiness;
  return plan;
}

}  // namespace

std::unique_ptr<RunRecords> records_of(App& app, const RunState& state) {
  std::unique_ptr<RunRecords> records = task_records(app, state);
  return records != nullptr ? std::move(records) : story_records(app, state);
}

Result<std::unique_ptr<Preview>> preview(App& app, Journal& journal, const RunId& run, const std::string& from,
                                         const StateChange& change) {
  auto result = std::make_unique<Preview>();
  result->state = TRY(journal.state(run));
  result->definition = TRY(definition_for(app, journal, result->state));
  result->graph = std::make_unique<Graph>(result->definition.workflow, result->state);
  RunSetup setup{.project = app.project, .store = app.store};
  Attempts attempts(setup, result->definition.workflow, app.files);
  Collector collector(app.files, app.project);
  const std::filesystem::path guard = guard_directory(app.store, result->state.key);
  const auto sight = [&](const StepPath& step, std::int64_t attempt) -> Result<Sight> {
    switch (TRY(sight_attempt(guard, attempt_name(step, attempt))).what) {
      case AttemptSighting::What::Ended: return Sight::Ended;
      case AttemptSighting::What::Running: return Sight::Running;
      case AttemptSighting::What::Gone: return Sight::Gone;
    }
    return Sight::Gone;
  };
  if (const std::unique_ptr<RunRecords> records = records_of(app, result->state)) {
    for (const Event& event : TRY(records->news(result->state)))
      TRY_VOID(apply(result->state, {{result->state.last.value + 1}, app.clock.now(), event}));
    result->graph->take_in_tasks();
  }
  std::optional<Plan> system = TRY(judge_as_system(app, journal, *result, from));
  if (change) {
    TRY_VOID(change(*result));
    result->graph->take_in_tasks();
    system = TRY(judge_as_system(app, journal, *result, from));
  }
  const auto plan_now = [&]() -> Result<void> {
    const RunSnapshot snapshot =
        TRY(take_run_snapshot(result->state, result->definition.workflow, result->definition.digest,
                              *result->graph, attempts, collector, sight, app.clock.now()));
    result->plan = merged(make_plan(snapshot, *result->graph), system);
    return {};
  };
  TRY_VOID(plan_now());
  if (!from.empty()) {
    for (const StepPath& path : TRY(steps_repeated_from(from, result->plan, *result->graph))) {
      const auto step = result->state.steps.find(path);
      if (step != result->state.steps.end() && step->second.record != StepState::Record::Open) {
        step->second.record = StepState::Record::Reset;
        step->second.reason = "resumed from " + from;
      }
      result->state.gates.erase(path);
    }
    TRY_VOID(plan_now());
    warn_of_repeated_work(result->plan, from);
    keep_from_in_options(result->plan, from);
  }
  TRY_VOID(add_costs(journal, result->state, result->plan));
  return result;
}

}  // namespace reprise
