#include "app/preview.h"

#include <algorithm>

#include "app/adoption.h"
#include "app/plan_costs.h"
#include "app/story_records.h"
#include "app/task_folder_records.h"
#include "app/unplannable.h"
#include "base/digest.h"
#include "executor/prepare.h"
#include "executor/run_setup.h"
#include "executor/steering.h"
#include "guard/guard.h"

namespace reprise {
namespace {

Result<Sight> sight_of(const std::filesystem::path& guard, const StepPath& step, std::int64_t attempt) {
  switch (TRY(sight_attempt(guard, attempt_name(step, attempt))).what) {
    case AttemptSighting::What::Ended: return Sight::Ended;
    case AttemptSighting::What::Running: return Sight::Running;
    case AttemptSighting::What::Gone: return Sight::Gone;
  }
  return Sight::Gone;
}

// prepare() on a state in memory.
class PreviewMaker {
 public:
  PreviewMaker(App& app, Preview& preview, StoredText text, bool is_for_decision = false)
      : app_(app),
        preview_(preview),
        setup_{.project = app.project, .store = app.store},
        attempts_(setup_, preview.definition.workflow, app.files),
        native_(system_behind(app, preview.state)),
        records_(records_of(app, preview.state)),
        at_(app.clock.now()),
        is_for_decision_(is_for_decision) {
    setup_.actor = app.actor;
    if (native_ != nullptr && !preview.state.state_file.path.empty())
      file_.emplace(*native_, std::move(text), app.project);
  }

  Result<void> make(const std::string& from) {
    const std::filesystem::path guard = guard_directory(app_.store, preview_.state.key);
    Prepared prepared = TRY(prepare(
        {.state = preview_.state,
         .graph = *preview_.graph,
         .workflow = preview_.definition.workflow,
         .definition = preview_.definition.digest,
         .attempts = attempts_,
         .clock = app_.clock,
         .state_file = file_ ? &*file_ : nullptr,
         .native = native_.get(),
         .records = records_.get(),
         .sight = [guard](const StepPath& step, std::int64_t attempt) { return sight_of(guard, step, attempt); },
         .record = [this](Event event) { return record(std::move(event)); },
         .settle = {},
         .import_edits = [this] { return peek_edits(); },
         .actor = app_.actor,
         .is_final_when_failed = is_final_when_failed(preview_.state),
         .is_for_decision = is_for_decision_},
        from));
    preview_.plan = std::move(prepared.plan);
    preview_.ask_first = std::move(prepared.ask_first);
    return {};
  }

 private:
  Result<void> record(Event event) {
    return apply(preview_.state, {{preview_.state.last.value + 1}, at_, std::move(event)});
  }

  Result<void> peek_edits() {
    if (!file_) return {};
    const RunState& state = preview_.state;
    const bool is_at_work = std::ranges::any_of(
        state.steps, [](const auto& step) { return step.second.record == StepState::Record::Open; });
    TRY(import_edits({.state = state,
                      .graph = *preview_.graph,
                      .attempts = attempts_,
                      .native = *native_,
                      .file = *file_,
                      .may_be_from_worker = is_at_work,
                      .record = [this](Event event) { return record(std::move(event)); },
                      .decide = [this](const Steer& steer) { return decide(steer); }}));
    return {};
  }

  Result<void> decide(const Steer& steer) {
    std::vector<SeenFile> shown;
    if (steer.kind == "approve") {
      const std::optional<int> leaf = preview_.graph->find(TRY(gate_meant(steer.target, preview_.state)));
      if (leaf && preview_.graph->node(*leaf).kind == Graph::Kind::Gate)
        shown = TRY(attempts_.look_at_shown(*preview_.graph, *leaf));
    }
    for (Event& event : TRY(events_for(steer, preview_.state, *preview_.graph, shown)))
      TRY_VOID(record(std::move(event)));
    return {};
  }

  App& app_;
  Preview& preview_;
  RunSetup setup_;
  Attempts attempts_;
  std::unique_ptr<NativeState> native_;
  std::unique_ptr<RunRecords> records_;
  std::optional<PeekedStateFile> file_;
  Timestamp at_;
  bool is_for_decision_;
};

Result<Preview> recorded(App& app, Journal& journal, const RunId& run) {
  Preview preview{.state = TRY(journal.state(run)), .definition = {}, .graph = {}, .ask_first = {}, .plan = {}};
  preview.definition = TRY(definition_for(app, journal, preview.state));
  return preview;
}

Result<std::unique_ptr<Preview>> make_preview(App& app, Preview recorded, const StoredText& text,
                                              const std::string& from, const StateChange& change) {
  auto result = std::make_unique<Preview>(std::move(recorded));
  result->graph = std::make_unique<Graph>(result->definition.workflow, result->state);
  PreviewMaker maker(app, *result, text);
  if (change) {
    TRY_VOID(maker.make(""));  // what is changed is the state that a session would find
    TRY_VOID(change(*result));
    result->graph->take_in_tasks();
  }
  TRY_VOID(maker.make(from));
  return result;
}

}  // namespace

std::unique_ptr<RunRecords> records_of(App& app, const RunState& state) {
  std::unique_ptr<RunRecords> records = task_records(app, state);
  return records != nullptr ? std::move(records) : story_records(app, state);
}

Result<std::unique_ptr<Preview>> preview(App& app, Journal& journal, const RunId& run, const std::string& from,
                                         const StateChange& change) {
  const StoredText text = [&journal](std::string_view digest) { return journal.text(std::string(digest)); };
  std::unique_ptr<Preview> result = TRY(make_preview(app, TRY(recorded(app, journal, run)), text, from, change));
  TRY_VOID(add_costs(journal, result->state, result->plan));
  return result;
}

Result<std::unique_ptr<Preview>> preview_for_decision(App& app, Journal& journal, const RunId& run) {
  auto result = std::make_unique<Preview>(TRY(recorded(app, journal, run)));
  result->graph = std::make_unique<Graph>(result->definition.workflow, result->state);
  const StoredText text = [&journal](std::string_view digest) { return journal.text(std::string(digest)); };
  TRY_VOID(PreviewMaker(app, *result, text, true).make(""));
  return result;
}

Result<std::unique_ptr<Preview>> preview(App& app, const Candidate& candidate, const std::string& from) {
  if (std::optional<Plan> plan = TRY(plan_by_rules_alone(app, candidate, from))) {
    auto result = std::make_unique<Preview>();
    result->plan = std::move(*plan);
    return result;
  }
  return preview_adopted(app, candidate, from);
}

Result<std::unique_ptr<Preview>> preview_adopted(App& app, const Candidate& candidate, const std::string& from,
                                                 const StateChange& change) {
  if (std::optional<Plan> plan = TRY(plan_of_unplannable(app, candidate))) {
    auto result = std::make_unique<Preview>();
    result->plan = std::move(*plan);
    return result;
  }
  Adoption adoption = TRY(read_adoption(app, candidate));
  Preview adopted;
  adopted.state.id = candidate.id;
  for (Event& event : adoption.events) {
    const EventNumber number{adopted.state.last.value + 1};
    TRY_VOID(apply(adopted.state, {number, app.clock.now(), std::move(event)}));
  }
  adopted.definition = std::move(adoption.definition);
  const StoredText text = [&adoption](std::string_view digest) -> Result<std::string> {
    for (const std::string& stored : adoption.texts) {
      if (to_text(digest_of(stored)) == digest) return stored;
    }
    return fail(ErrorKind::NotFound, "no text is stored under " + std::string(digest));
  };
  return make_preview(app, std::move(adopted), text, from, change);
}

Result<std::unique_ptr<Preview>> preview(App& app, Journal* journal, const Meant& meant, const std::string& from) {
  if (meant.run) return preview(app, *journal, *meant.run, from);
  return preview(app, *meant.candidate, from);
}

Result<std::unique_ptr<Preview>> preview_adopted(App& app, Journal* journal, const Meant& meant,
                                                 const std::string& from, const StateChange& change) {
  if (meant.run) return preview(app, *journal, *meant.run, from, change);
  return preview_adopted(app, *meant.candidate, from, change);
}

}  // namespace reprise
