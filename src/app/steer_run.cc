#include "app/steer_run.h"

#include <algorithm>
#include <set>

#include "app/definitions.h"
#include "app/session.h"
#include "app/systems.h"
#include "base/strings.h"
#include "executor/run_setup.h"
#include "guard/guard.h"
#include "os/machine.h"
#include "planner/planner.h"

namespace reprise {
namespace {

constexpr Duration kAnswerPollFirst{2};
constexpr Duration kAnswerPollMax{200};
constexpr Duration kAnswerPatience{60'000};
constexpr Duration kStopPoll{200};

// Waits for the owner's answer; nothing if it died before it gave one.
Result<std::optional<std::string>> wait_for_answer(App& app, Journal& journal, const RunId& run,
                                                   std::int64_t request) {
  const Duration start = app.clock.monotonic();
  Duration pause = kAnswerPollFirst;
  for (;;) {
    if (std::optional<std::string> answer = TRY(journal.answer_to(request))) return answer;
    const std::optional<Owner> owner = TRY(journal.owner(run));
    if (!owner || !owner->alive) return journal.answer_to(request);
    if (app.clock.monotonic() - start > kAnswerPatience) {
      return fail(ErrorKind::Unavailable,
                  "the process that owns " + run.text + " has not answered; the request stays with it");
    }
    pause_for(pause);
    pause = std::min(pause * 2, kAnswerPollMax);
  }
}

// Ends workers that survived their runner: in a run that is over nobody would take their outcome.
Result<void> stop_survivors(App& app, const RunState& state, const Lease& lease) {
  const std::vector<std::string> alive = TRY(living_attempts(app, state));
  if (alive.empty()) return {};
  const GuardOptions options{.run_directory = guard_directory(app.store, state.id),
                             .program = app.program,
                             .tag = state.id.text,
                             .token = lease.token.value};
  const std::unique_ptr<Workers> workers = TRY(connect_guard(options, app.clock, -1));
  for (const std::string& name : alive) TRY_VOID(workers->stop(name));
  for (const std::string& name : alive) {
    while (TRY(workers->look_up(name)).what == AttemptSighting::What::Running) TRY(workers->wait(kStopPoll));
  }
  return {};
}

// For a decision outside of a session: nothing is started, and what runs is left alone.
class NoWorkers : public Workers {
 public:
  Result<void> start(const std::vector<WorkerSpec>&) override {
    return fail(ErrorKind::Unavailable, "no workers");
  }
  Result<WorkerNews> wait(std::optional<Duration>) override { return WorkerNews{}; }
  Result<void> stop(const std::string&) override { return {}; }
  Result<AttemptSighting> look_up(const std::string&) override { return AttemptSighting{}; }
};

// A run with a state file: what the file says is taken in before the decision, and shown after it.
Result<void> steer_shown(App& app, Journal& journal, const Lease& lease, const Preview& seen, const Steer& steer,
                         NativeState& native) {
  NoWorkers workers;
  Observer silent;
  RunSetup setup{.project = app.project, .store = app.store};
  setup.actor = app.actor;
  setup.config = TRY(read_config(app));
  if (steer.kind == "cancel") TRY_VOID(stop_survivors(app, seen.state, lease));
  Executor executor({journal, workers, app.files, app.clock, silent, nullptr, &native}, setup,
                    seen.definition.workflow, seen.definition.digest, seen.definition.source_digest, lease,
                    TRY(journal.state(lease.run)));
  return executor.decide(steer);
}

// Does it ourselves, under a lease of our own.
Result<void> steer_unowned(App& app, Journal& journal, const RunId& run, const Steer& steer) {
  const Lease lease = TRY(journal.acquire(run));
  const auto done = [&]() -> Result<void> {
    const std::unique_ptr<Preview> seen = TRY(preview(app, journal, run, ""));
    Steer complete = steer;
    std::vector<SeenFile> shown;
    if ((steer.kind == "approve" || steer.kind == "reject") && seen->state.state_file.path.empty()) {
      const StepPath gate = TRY(gate_meant(steer.target, seen->state));
      const std::optional<int> leaf = seen->graph->find(gate);
      if (leaf && seen->graph->node(*leaf).kind == Graph::Kind::Gate) {
        Collector collector(app.files, app.project);
        for (const std::string& path : seen->graph->node(*leaf).stage->gate->shows) {
          shown.push_back(TRY(collector.look(seen->graph->resolve_path(*leaf, path), nullptr)));
        }
      }
    }
    if (steer.kind == "accept") {
      const auto finding = std::ranges::find(seen->plan.findings, steer.target, &Finding::code);
      if (finding == seen->plan.findings.end()) {
        return fail(ErrorKind::NotFound, "the plan has no finding \"" + printable_line(steer.target, 60) + "\"");
      }
      complete.seen = finding->seen == "missing" ? "" : finding->seen;
    }
    const std::unique_ptr<NativeState> native = system_behind(app, seen->state);
    if (native != nullptr && !seen->state.is_ended())
      return steer_shown(app, journal, lease, *seen, complete, *native);
    const std::vector<Event> events = TRY(events_for(complete, seen->state, *seen->graph, shown));
    if (steer.kind == "cancel") TRY_VOID(stop_survivors(app, seen->state, lease));
    TRY(journal.append(lease, seen->state.last, events));
    return {};
  }();
  journal.release(lease);
  return done;
}

}  // namespace

Result<std::vector<std::string>> living_attempts(App& app, const RunState& state) {
  const std::filesystem::path guard = guard_directory(app.store, state.id);
  std::vector<std::string> alive;
  for (const auto& [path, step] : state.steps) {
    if (step.record != StepState::Record::Open) continue;
    const std::string name = attempt_name(path, step.attempts);
    if (TRY(sight_attempt(guard, name)).what == AttemptSighting::What::Running) alive.push_back(name);
  }
  return alive;
}

Result<void> steer_run(App& app, const RunId& run, Steer steer) {
  if (app.is_worker() && steer.kind != "task") {
    return fail(ErrorKind::Denied,
                "a worker cannot decide for a person: " + steer.kind + " is refused inside a run");
  }
  steer.by = app.actor;
  const std::unique_ptr<Journal> journal = TRY(open_journal(app, OpenMode::ReadWrite));
  for (int round = 0; round < 3; ++round) {
    const std::optional<Owner> owner = TRY(journal->owner(run));
    if (!owner || !owner->alive) {
      Result<void> done = steer_unowned(app, *journal, run, steer);
      if (done || done.error().kind != ErrorKind::Conflict || !TRY(journal->owner(run))) return done;
      continue;  // somebody took it at this moment: ask them
    }
    const std::int64_t request = TRY(journal->ask(run, steer.kind, encode_steer(steer), steer.by));
    poke_guard(guard_directory(app.store, run));
    const std::optional<std::string> answer = TRY(wait_for_answer(app, *journal, run, request));
    if (answer) return answer->empty() ? Result<void>() : Result<void>(fail(ErrorKind::Invalid, *answer));
  }
  return fail(ErrorKind::Conflict, "the owner of " + run.text + " keeps changing; try again");
}

Result<RunId> fork_run(App& app, const RunId& run, const std::string& from) {
  if (app.is_worker()) return fail(ErrorKind::Invalid, "a worker cannot fork a run");
  const std::unique_ptr<Journal> journal = TRY(open_journal(app, OpenMode::ReadWrite));
  const std::unique_ptr<Preview> seen = TRY(preview(app, *journal, run, ""));
  const std::vector<StepPath> repeated = TRY(steps_repeated_from(from, seen->plan, *seen->graph));
  const RunId fork = TRY(runs_of_subject(*journal, run.text.substr(0, run.text.rfind('@')))).next;
  const RunState& state = seen->state;
  std::vector<Event> events = {RunCreated{.workflow = state.workflow,
                                          .subject = state.subject,
                                          .definition = seen->definition.digest,
                                          .source = state.source,
                                          .source_digest = seen->definition.source_digest,
                                          .mode = state.mode,
                                          .parallel = state.parallel,
                                          .values = state.values,
                                          .baseline = state.baseline,
                                          .forked_from = run.text}};
  // What the fork keeps is recorded as done: it was, by the run it came from. What a step needs comes before
  // it, whatever the order in which the other run did them.
  std::set<StepPath> kept;
  for (const StepDecision& decision : seen->plan.decisions) {
    if (decision.decision == Decision::Keep) kept.insert(decision.step);
  }
  for (const StepPath& path : repeated) kept.erase(path);
  seen->graph->survey([&](int leaf, bool) {
    const StepPath& path = seen->graph->node(leaf).path;
    const StepState* step = state.find_step(path);
    if (!kept.contains(path) || step == nullptr || step->record != StepState::Record::Done) return true;
    events.push_back(AttemptStarted{.step = path, .attempt = {1}, .work = step->work, .inputs = step->inputs});
    events.push_back(AttemptFinished{.step = path,
                                     .attempt = {1},
                                     .exit_code = step->exit_code,
                                     .reason = "taken over from " + run.text,
                                     .took = step->took,
                                     .artifacts = step->artifacts,
                                     .verdict = step->verdict,
                                     .summary = step->summary,
                                     .result = step->result});
    return false;
  });
  for (const auto& [path, gate] : state.gates) {
    if (gate.record != GateState::Record::Approved || std::ranges::find(repeated, path) != repeated.end())
      continue;
    events.push_back(GateDecided{path, true, gate.by, gate.because, gate.shows});
  }
  const Lease lease = TRY(journal->create(fork, events, {&seen->definition.text, 1}));
  journal->release(lease);
  return fork;
}

}  // namespace reprise
