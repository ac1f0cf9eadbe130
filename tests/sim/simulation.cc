#include "simulation.h"

#include <algorithm>

#include "model/event_codec.h"
#include "planner/planner.h"

namespace reprise {
namespace {

constexpr int kWildSessions = 25;  // after these nothing fails, dies or is edited any more
constexpr int kSessionsMax = 70;

std::string variable(const WorkerSpec& spec, const std::string& name) {
  for (const std::string& entry : spec.environment) {
    if (entry.starts_with(name + "=")) return entry.substr(name.size() + 1);
  }
  return "";
}

}  // namespace

Simulation::Simulation(std::uint64_t seed)
    : rng_(seed),
      seed_(seed),
      setup_{.project = "/project",
             .store = "/store",
             .config = {},
             .environment = {},
             .actor = "ana@host",
             .owner = "host:1"},
      auditor_(guard_, files_, kill_, setup_) {}

bool Simulation::is_calm() const { return report_.sessions > kWildSessions; }

void Simulation::create() {
  workflow_ = random_workflow(rng_);
  definition_ = to_text(digest_of(to_json(workflow_)));
  auditor_.set_definition(&workflow_, definition_);
  for (int i = 1; i <= kInputFiles; ++i) files_.put(setup_.project / input_file(i), "input");
  store_.on_append([this](const RunId& run, const RecordedEvent& event) {
    story_ += std::to_string(event.number.value) + " " + std::string(kind_of(event.event)) + " " +
              encode(event.event) + "\n";
    auditor_.appended(run, event);
  });
  guard_.on_start([this](const WorkerSpec& spec) {
    story_ += "    start " + spec.attempt + "\n";
    auditor_.starting(spec);
  });
  guard_.direct([this](const WorkerSpec& spec) { return script_for(spec); });
  guard_.on_wait([this] { while_waiting(); });
  MemoryJournal journal(store_, clock_);
  const Event created = RunCreated{.workflow = "demo",
                                   .subject = "x",
                                   .definition = definition_,
                                   .values = {{"mode", chance(rng_, 50) ? "fast" : "slow"}}};
  const Result<Lease> lease = journal.create(id_, {&created, 1}, {});
  if (!lease) auditor_.violated(lease.error().message);
  if (chance(rng_, 50)) journal.release(*lease);
}

SimReport Simulation::run() {
  create();
  while (!is_over_ && auditor_.violations().empty()) {
    if (++report_.sessions > kSessionsMax) {
      auditor_.violated("the run does not end");
      break;
    }
    session();
    if (is_waiting_ && !is_over_) person_acts();
    if (!is_calm() && !is_over_) {
      if (chance(rng_, 10)) edit_by_hand();
      if (chance(rng_, 4)) change_definition();
      clock_.advance(Duration(between(rng_, 0, 100'000)));
    }
  }
  report_.attempts = auditor_.attempts();
  report_.violations = auditor_.violations();
  return report_;
}

// ---- a session

void Simulation::session() {
  story_ += "--- session " + std::to_string(report_.sessions) + (is_calm() ? " (calm)\n" : "\n");
  kill_.revive();
  is_waiting_ = false;
  MemoryJournal journal(store_, clock_, &kill_);
  const Result<Lease> lease = journal.acquire(id_);
  if (!lease) {
    auditor_.violated("a run that nobody owns cannot be had: " + lease.error().message);
    return;
  }
  check_leases(journal, *lease);
  work(journal, *lease);
  if (kill_.is_dead()) {
    stale_ = *lease;
    if (chance(rng_, 15)) {  // the whole machine, with everything on it
      guard_.lose(chance(rng_, 50));
      auditor_.lost_guard();
      files_.cut_power();
    }
    return;
  }
  journal.release(*lease);
}

// J4: one owner, and no word from an old one.
void Simulation::check_leases(MemoryJournal& journal, const Lease& lease) {
  MemoryJournal rival(store_, clock_);
  if (rival.acquire(id_)) auditor_.violated("J4: two owners at a time");
  if (!stale_) return;
  const Event event = NoteAdded{"from the past", "nobody"};
  const Result<std::vector<RecordedEvent>> appended = rival.append(*stale_, auditor_.state().last, {&event, 1});
  if (appended || appended.error().kind != ErrorKind::Conflict) auditor_.violated("J4: an old token appends");
  const Result<RunState> state = journal.state(lease.run);
  if (state) auditor_.compare(*state, "the journal's state");
}

void Simulation::work(MemoryJournal& journal, const Lease& lease) {
  const Result<RunState> state = journal.state(id_);
  if (!state) {
    auditor_.violated("the state cannot be read: " + state.error().message);
    return;
  }
  auditor_.compare(*state, "the journal's state");
  static_cast<void>(auditor_.check_plan());
  if (state->status == RunStatus::Done || state->status == RunStatus::Stopped) {
    is_over_ = true;  // the last session died after it had recorded the end
    report_.end = state->status;
    return;
  }
  if (!is_calm() && chance(rng_, 80)) {
    kill_.arm(between(rng_, 1, chance(rng_, 50) ? 15 : 120),
              chance(rng_, 50) ? KillSwitch::Moment::BeforeEffect : KillSwitch::Moment::AfterEffect);
  }
  ScriptedWorkers workers(guard_, &kill_);
  Observer observer;
  Executor executor({journal, workers, files_, clock_, observer}, setup_, workflow_, definition_, "", lease,
                    *state);
  const std::string from = !is_calm() && chance(rng_, 4) ? random_step() : "";
  const Result<Plan> plan = executor.begin(from, Mode::Interactive);
  if (!plan) {
    if (kill_.is_dead()) ++report_.kills;
    const bool refused = !from.empty() && plan.error().kind == ErrorKind::Invalid;
    if (!kill_.is_dead() && !refused) auditor_.violated("a session cannot begin: " + plan.error().message);
    return;
  }
  take_end(executor.run(), executor.state());
}

void Simulation::take_end(const Result<SessionEnd>& end, const RunState& state) {
  if (!end) {
    story_ += "    error " + end.error().message + "\n";
    const bool guard = end.error().kind == ErrorKind::Unavailable && !is_calm();
    if (kill_.is_dead()) {
      ++report_.kills;
    } else if (!guard) {
      auditor_.violated("a session breaks off: " + end.error().message);
    }
    return;
  }
  story_ += "    end " + std::string(to_token(end->status)) + " " + end->reason + "\n";
  auditor_.compare(state, "the executor's state");
  report_.end = end->status;
  is_waiting_ = end->status == RunStatus::Waiting;
  is_over_ = end->status == RunStatus::Done || end->status == RunStatus::Stopped;
  if (end->status == RunStatus::Done) auditor_.check_done();
}

// ---- people

std::string Simulation::random_step() {
  const Graph graph(workflow_, auditor_.state());
  const std::vector<int> leaves = graph.leaves();
  return leaves.empty() ? "" : graph.node(leaves[rng_() % leaves.size()]).path.text;
}

// What a person could do next about what the run waits for.
Steer Simulation::next_steer() {
  const RunState& state = auditor_.state();
  const int rejections = is_calm() ? 0 : 15;
  for (const auto& [path, gate] : state.gates) {
    if (gate.record != GateState::Record::Open) continue;
    return {chance(rng_, rejections) ? "reject" : "approve", path.text, "because", "", "ana"};
  }
  for (const auto& [id, question] : state.questions) {
    if (!question.answer) return {"answer", id, "yes", "", "ana"};
  }
  for (const StepDecision& decision : auditor_.check_plan().decisions) {
    if (decision.rule == "WF-07 report") {
      return {chance(rng_, rejections) ? "skip" : "retry", decision.step.text, "because", "", "ana"};
    }
  }
  return {};
}

bool Simulation::decide(const Steer& steer) {
  const KillSwitch::Bystander other_process(kill_);
  MemoryJournal journal(store_, clock_);
  const Result<Lease> lease = journal.acquire(id_);
  if (!lease) return false;
  const Result<RunState> state = journal.state(id_);
  const Graph graph(workflow_, *state);
  std::vector<SeenFile> shown;
  Attempts attempts(setup_, workflow_, files_);
  const std::optional<int> leaf = graph.find(StepPath{steer.target});
  if (leaf && graph.node(*leaf).kind == Graph::Kind::Gate) shown = attempts.look_at_shown(graph, *leaf).value();
  const Result<std::vector<Event>> events = events_for(steer, *state, graph, shown);
  const bool done = events && journal.append(*lease, state->last, *events);
  journal.release(*lease);
  if (done) ++report_.decisions;
  return done;
}

void Simulation::person_acts() {
  if (!is_calm() && chance(rng_, 20)) return;  // not now
  bool acted = false;
  for (int i = 0; i < 20; ++i) {
    const Steer steer = next_steer();
    if (steer.kind.empty() || !decide(steer)) break;
    acted = true;
  }
  if (acted) return;
  // What it waited for may have been settled by a hand's edit: then it is enough to resume.
  const Readiness readiness = auditor_.check_plan().readiness;
  if (readiness != Readiness::Ready && readiness != Readiness::Confirm) {
    auditor_.violated("the run waits, and there is nothing that a person could do");
  }
}

// What happens elsewhere while the runner waits for its workers.
void Simulation::while_waiting() {
  if (kill_.is_dead() || is_calm()) return;
  const KillSwitch::Bystander others(kill_);
  if (chance(rng_, 2)) {
    story_ += "    the guard dies\n";
    ++report_.lost_guards;
    guard_.lose(chance(rng_, 50));
    auditor_.lost_guard();
  }
  if (chance(rng_, 3)) edit_by_hand();
  if (!chance(rng_, 8)) return;
  Steer steer = next_steer();
  if (steer.kind.empty()) {
    static constexpr const char* kKinds[] = {"skip", "retry", "approve", "answer"};
    steer = {kKinds[rng_() % 4], random_step(), "because", "", "ana"};
    if (chance(rng_, 2)) steer = {"cancel", "", "", "", "ana"};
  }
  story_ += "    request " + steer.kind + " " + steer.target + "\n";
  MemoryJournal journal(store_, clock_);
  static_cast<void>(journal.ask(id_, steer.kind, encode_steer(steer), "ana"));
  if (chance(rng_, 70)) guard_.poke();
}

void Simulation::edit_by_hand() {
  ++report_.edits;
  std::vector<std::string> paths;
  for (int i = 1; i <= kInputFiles; ++i) paths.push_back(input_file(i));
  for (const auto& [step, state] : auditor_.state().steps) {
    for (const SeenFile& file : state.artifacts) paths.push_back(file.path);
  }
  std::ranges::sort(paths);
  const std::string path = paths[rng_() % paths.size()];
  story_ += "    edit " + path + "\n";
  auditor_.edited_by_hand(path);
  if (chance(rng_, 40)) {
    files_.erase(setup_.project / path);
  } else {
    files_.put(setup_.project / path, "by hand " + std::to_string(rng_() % 3) + (chance(rng_, 50) ? " END" : ""));
  }
}

void Simulation::change_definition() {
  ++report_.edits;
  edit_definition(rng_, workflow_);
  definition_ = to_text(digest_of(to_json(workflow_)));
  auditor_.set_definition(&workflow_, definition_);
  story_ += "    the definition is edited\n";
}

// ---- workers

void Simulation::write_result(const std::string& path, Script& script, Rng& rng, bool calm) {
  std::string fields = calm || chance(rng, 30) ? R"("verdict":"good")" : R"("verdict":"bad")";
  if (!calm && chance(rng, 30)) fields += R"(,"cost":{"usd":0.6,"tokens":5})";
  if (!calm && chance(rng, 4)) {
    fields += R"(,"status":"needs_human")";
    if (chance(rng, 60))
      fields += R"(,"questions":[{"id":"q)" + std::to_string(rng() % 1'000) + R"(","text":"which?"}])";
  } else if (!calm && chance(rng, 3)) {
    fields += R"(,"status":"failed","summary":"no")";
  }
  script.writes[path] = !calm && chance(rng, 2) ? "{ not json" : "{" + fields + "}";
}

Script Simulation::script_for(const WorkerSpec& spec) {
  const bool calm = is_calm();
  Rng rng(seed_ ^ std::hash<std::string>()(spec.attempt));
  Script script;
  script.takes = Duration(between(rng, 1, 20'000));
  const int fate = calm ? 99 : between(rng, 0, 99);
  if (fate < 12) {
    script.end.exit_code = between(rng, 1, 2);
  } else if (fate < 16) {
    script.end.exit_code = 75;
  } else if (fate < 19) {
    script.takes = Duration(200'000);
  } else if (fate < 21) {
    script.end.start_error = "no such program";
  } else if (fate < 23) {
    script.end.exit_code.reset();
    script.end.signal = 9;
  }
  const KillSwitch::Bystander looking(kill_);
  const Graph graph(workflow_, auditor_.state());
  const std::optional<int> leaf = graph.find(StepPath{variable(spec, "REPRISE_STEP")});
  if (!leaf) return script;
  if (fate >= 25) {
    for (const Product& product : graph.node(*leaf).stage->produces) {
      const std::string path = graph.resolve(*leaf, product.path);
      const bool same = chance(rng, 60);
      const std::string content = "made " + path + (same ? "" : " by " + spec.attempt);
      if (chance(rng, 20)) script.begins[setup_.project / path] = content + (chance(rng, 50) ? " END" : "");
      script.writes[setup_.project / path] = content + " END";
    }
  }
  const std::string result = variable(spec, "REPRISE_RESULT");
  if (!result.empty() && (calm || chance(rng, 80))) write_result(result, script, rng, calm);
  return script;
}

}  // namespace reprise
