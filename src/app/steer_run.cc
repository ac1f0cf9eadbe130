#include "app/steer_run.h"

#include <algorithm>
#include <set>

#include "app/definitions.h"
#include "app/logs.h"
#include "app/session.h"
#include "app/systems.h"
#include "base/strings.h"
#include "executor/run_setup.h"
#include "guard/guard.h"
#include "guard/result_file.h"
#include "os/machine.h"
#include "os/signals.h"
#include "planner/planner.h"

namespace reprise {
namespace {

constexpr Duration kAnswerPollFirst{2};
constexpr Duration kAnswerPollMax{200};
constexpr Duration kAnswerPatience{60'000};
constexpr Duration kClaimedPatience{2'000};
constexpr Duration kStopPoll{200};

std::string name_of(const Owner& owner) { return "process " + std::to_string(owner.pid) + " on " + owner.host; }

// Takes the request back, so that it is not done long after its command has ended. What the owner is already doing
// is waited for a moment longer. Open: it may still be done.
Result<RequestOutcome> withdraw(App& app, Journal& journal, std::int64_t request) {
  const Duration start = app.clock.monotonic();
  RequestOutcome outcome = TRY(journal.withdraw(request));
  while (outcome.what == RequestOutcome::What::Open && app.clock.monotonic() - start < kClaimedPatience) {
    pause_for(kAnswerPollMax);
    outcome = TRY(journal.outcome_of(request));
  }
  return outcome;
}

// Why a command that asked `owner` for something ends without an answer.
Error without_answer(const RequestOutcome& outcome, const RunId& run, const Owner& owner, ErrorKind kind) {
  const bool is_withdrawn = outcome.what == RequestOutcome::What::Withdrawn;
  std::string message = kind == ErrorKind::Interrupted
                            ? "interrupted while waiting for " + name_of(owner)
                            : name_of(owner) + " owns " + run.shown() + " and has not answered for a minute";
  message += is_withdrawn ? "; the request was withdrawn, and nothing was recorded"
                          : "; the request stays, and may still be done";
  return Error{.kind = kind, .message = std::move(message)}.hint("reprise status " + shell_quote(run.shown()));
}

// Waits for the owner's answer. Open: the owner died, and nobody has taken the run since. A command that ends
// without an answer takes its request back; only a cancel is left to an owner that is slow.
Result<RequestOutcome> wait_for_outcome(App& app, Journal& journal, const RunId& run, const Steer& steer,
                                        std::int64_t request) {
  const Duration start = app.clock.monotonic();
  Duration pause = kAnswerPollFirst;
  for (;;) {
    RequestOutcome outcome = TRY(journal.outcome_of(request));
    if (outcome.what != RequestOutcome::What::Open) return outcome;
    const std::optional<Owner> owner = TRY(journal.owner(run));
    if (!owner || !owner->alive) return journal.outcome_of(request);
    const bool is_interrupted = pending_end_signal() != 0;
    if (is_interrupted || app.clock.monotonic() - start > kAnswerPatience) {
      if (is_interrupted || steer.kind != "cancel") outcome = TRY(withdraw(app, journal, request));
      if (outcome.what == RequestOutcome::What::Granted || outcome.what == RequestOutcome::What::Refused)
        return outcome;
      return fail(without_answer(outcome, run, *owner, is_interrupted ? ErrorKind::Interrupted : ErrorKind::Busy));
    }
    pause_for(pause);
    pause = std::min(pause * 2, kAnswerPollMax);
  }
}

// Ends workers that survived their runner: in a run that is over nobody would take their outcome.
Result<void> stop_survivors(App& app, const RunState& state, const Lease& lease) {
  std::vector<std::string> open;
  for (const auto& [path, step] : state.steps) {
    if (step.record == StepState::Record::Open) open.push_back(attempt_name(path, step.attempts));
  }
  if (open.empty()) return {};
  const GuardOptions options{.run_directory = guard_directory(app.store, state.key),
                             .program = app.program,
                             .tag = guard_tag(app.store, state.key),
                             .token = lease.token.value};
  const std::unique_ptr<Workers> workers = TRY(connect_guard(options, app.clock, -1));
  // Where the guard is gone too, the one that is started now ends what it left before it answers.
  for (const std::string& name : open) {
    if (TRY(workers->look_up(name)).what == AttemptSighting::What::Running) TRY_VOID(workers->stop(name));
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

// Decides as a session would: what the state file says, where there is one, is taken in before it and shown after.
Result<void> decide_in_run(App& app, Journal& journal, const Lease& lease, const Preview& seen,
                           const Steer& steer) {
  NoWorkers workers;
  Observer silent;
  RunSetup setup{.project = app.project, .store = app.store};
  setup.environment = app.environment;
  setup.actor = app.actor;
  setup.config = TRY(read_config(app));
  const std::unique_ptr<NativeState> native = system_behind(app, seen.state);
  Executor executor({journal, workers, app.files, app.clock, silent, nullptr, native.get()}, setup,
                    seen.definition.workflow, seen.definition.digest, seen.definition.source_digest, lease,
                    TRY(journal.state(lease.run)));
  return executor.decide(steer);
}

// Does it ourselves, under a lease of our own. Taking it withdraws what was asked of the owner before.
Result<void> steer_unowned(App& app, Journal& journal, const RunId& run, const Steer& steer) {
  const Lease lease = TRY(acquire_run(app, journal, run));
  const auto done = [&]() -> Result<void> {
    const std::unique_ptr<Preview> seen = TRY(preview_for_decision(app, journal, run));
    const std::vector<Event> events =
        seen->state.is_ended() ? TRY(events_for(steer, seen->state, *seen->graph, {})) : std::vector<Event>();
    if (steer.kind == "cancel") TRY_VOID(stop_survivors(app, seen->state, lease));
    if (!seen->state.is_ended()) return decide_in_run(app, journal, lease, *seen, steer);
    TRY(journal.append(lease, seen->state.last, events));
    return {};
  }();
  journal.release(lease);
  return done;
}

// What is decided about is fixed before anybody is asked: the owner, or whoever decides in its place, refuses if
// it has become another thing by then.
Result<Steer> bind_to_record(App& app, Journal& journal, const RunId& run, Steer steer) {
  const std::unique_ptr<Preview> seen = TRY(preview_for_decision(app, journal, run));
  if (steer.kind == "accept") {
    const auto finding = std::ranges::find(seen->plan.findings, steer.target, &Finding::code);
    if (finding == seen->plan.findings.end()) {
      return fail(ErrorKind::NotFound, "the plan has no finding \"" + printable_line(steer.target, 60) + "\"");
    }
    steer.seen = finding->seen == "missing" ? "" : finding->seen;
  }
  Result<Steer> bound = bind_steer(steer, seen->state, *seen->graph);
  if (bound || (steer.kind != "approve" && steer.kind != "reject")) return bound;
  // What the preview takes for a decision in the state file may be refused when it is imported: as a worker's.
  Result<Steer> on_record = bind_steer(std::move(steer), TRY(journal.state(run)), *seen->graph);
  return on_record ? on_record : bound;
}

// What is asked is stored before its owner sees it, and this process may know secrets that the owner does not.
Result<void> take_secrets_out(App& app, Journal& journal, const RunId& run, Steer& steer) {
  if (steer.text.empty()) return {};
  const Masker masker = masker_of_run(app, journal, TRY(journal.state(run)));
  steer.text = steer.kind == "task" ? mask_json(steer.text, masker) : masker.mask(steer.text);
  return {};
}

}  // namespace

Result<std::vector<std::string>> living_attempts(App& app, const RunState& state) {
  const std::filesystem::path guard = guard_directory(app.store, state.key);
  std::vector<std::string> alive;
  for (const auto& [path, step] : state.steps) {
    if (step.record != StepState::Record::Open) continue;
    const std::string name = attempt_name(path, step.attempts);
    if (TRY(sight_attempt(guard, name)).what == AttemptSighting::What::Running) alive.push_back(name);
  }
  return alive;
}

Result<std::string> steer_run(App& app, const RunId& run, Steer steer) {
  if (app.is_worker() && steer.kind != "task") {
    return fail(ErrorKind::Denied,
                "a worker cannot decide for a person: " + steer.kind + " is refused inside a run");
  }
  steer.by = app.actor;
  const std::unique_ptr<Journal> journal = TRY(open_journal(app, OpenMode::ReadWrite));
  TRY_VOID(take_secrets_out(app, *journal, run, steer));
  if (steer.kind != "task" && steer.kind != "cancel") steer = TRY(bind_to_record(app, *journal, run, steer));
  for (int round = 0; round < 3; ++round) {
    const std::optional<Owner> owner = TRY(journal->owner(run));
    if (!owner || !owner->alive) {
      Result<void> done = steer_unowned(app, *journal, run, steer);
      if (done) return steer.target;
      if (done.error().kind != ErrorKind::Conflict || !TRY(journal->owner(run))) return fail(done.error());
      continue;  // somebody took it at this moment: ask them
    }
    const SignalWatch signals = TRY(SignalWatch::start());  // from here on the request must not be left behind
    const Result<std::int64_t> request = journal->ask(run, steer.kind, encode_steer(steer), steer.by);
    if (!request && request.error().kind == ErrorKind::Conflict) continue;  // it ended at this moment
    if (!request) return fail(request.error());
    poke_guard(guard_directory(app.store, TRY(journal->key(run))));
    const RequestOutcome outcome = TRY(wait_for_outcome(app, *journal, run, steer, *request));
    if (outcome.what == RequestOutcome::What::Granted) return steer.target;
    if (outcome.what == RequestOutcome::What::Refused) return fail(ErrorKind::Invalid, outcome.refusal);
  }
  return fail(ErrorKind::Conflict, "the owner of " + run.shown() + " keeps changing; try again");
}

Result<RunId> fork_run(App& app, const RunId& run, const std::string& from) {
  if (app.is_worker()) return fail(ErrorKind::Invalid, "a worker cannot fork a run");
  const std::unique_ptr<Journal> journal = TRY(open_journal(app, OpenMode::ReadWrite));
  const std::unique_ptr<Preview> seen = TRY(preview_for_decision(app, *journal, run));
  const std::vector<StepPath> repeated = TRY(steps_repeated_from(from, seen->plan, *seen->graph));
  const RunId fork = TRY(runs_of_subject(*journal, without_number(run.text))).next;
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
  // The other run did what the fork keeps, so it is recorded as imported from there: no attempt of the fork did
  // it. A step comes after its dependencies, whatever the order in which the other run did them.
  std::set<StepPath> kept;
  for (const StepDecision& decision : seen->plan.decisions) {
    if (decision.decision == Decision::Keep) kept.insert(decision.step);
  }
  for (const StepPath& path : repeated) kept.erase(path);
  seen->graph->survey([&](int leaf, bool) {
    const StepPath& path = seen->graph->node(leaf).path;
    const StepState* step = state.find_step(path);
    if (!kept.contains(path) || step == nullptr || step->record != StepState::Record::Done) return true;
    events.push_back(ClaimImported{.step = path,
                                   .done = true,
                                   .source = run.text,
                                   .rule = "forked",
                                   .verdict = step->verdict,
                                   .work = step->work,
                                   .artifacts = step->artifacts,
                                   .inputs = step->inputs,
                                   .summary = step->summary,
                                   .result = step->result,
                                   .took = step->took});
    return false;
  });
  for (const auto& [path, gate] : state.gates) {
    if (gate.record != GateState::Record::Approved || std::ranges::find(repeated, path) != repeated.end())
      continue;
    const std::string where = "decided in " + run.text;
    events.push_back(GateDecided{path, true, gate.by,
                                 gate.because.empty() ? where : gate.because + " (" + where + ")", gate.shows});
  }
  const Lease lease = TRY(journal->create(fork, events, {&seen->definition.text, 1}));
  journal->release(lease);
  return fork;
}

}  // namespace reprise
