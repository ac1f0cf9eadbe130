// A bench for the executor: one run over ports in memory, driven session by session.
//
//   Bench bench(workflow({step("a")}));
//   bench.script("a", {failing(1), succeeding()});
//   EXPECT_EQ(bench.session().status, RunStatus::Done);

#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "executor/executor.h"
#include "testing/builders.h"
#include "testing/memory_journal.h"
#include "testing/scripted_workers.h"

namespace reprise {

inline Script succeeding(std::map<std::string, std::string> writes = {}) {
  Script script;
  for (auto& [path, bytes] : writes) script.writes["/project/" + path] = bytes;
  return script;
}
inline Script failing(int exit_code) {
  Script script;
  script.end.exit_code = exit_code;
  return script;
}
/// Ends with exit 0 and this result file.
inline Script reporting(std::string result) {
  Script script;
  script.writes["result"] = std::move(result);  // the bench puts in the attempt's own path
  return script;
}

class Bench {
 public:
  explicit Bench(Workflow workflow) : definition_(std::move(workflow)) {
    setup_.project = "/project";
    setup_.store = "/store";
    setup_.actor = "ana@host";
    setup_.owner = "host:1";
    guard_.direct([this](const WorkerSpec& spec) { return next_script(spec); });
    store_.on_append([this](const RunId&, const RecordedEvent& event) { events_.push_back(event); });
    MemoryJournal journal(store_, clock_);
    const Event created =
        RunCreated{.workflow = "demo", .subject = "x", .definition = digest(), .values = values_};
    const Result<Lease> lease = journal.create(id_, {&created, 1}, {});
    EXPECT_TRUE(lease);
    journal.release(*lease);
  }

  /// What the attempts of a step do, one after the other; the last one goes on for ever.
  void script(const std::string& step, std::vector<Script> scripts) {
    scripts_[step] = {scripts.begin(), scripts.end()};
  }
  void put(const std::string& path, std::string bytes) { files_.put("/project/" + path, std::move(bytes)); }
  void erase(const std::string& path) { files_.erase("/project/" + path); }
  void redefine(Workflow workflow) { definition_ = std::move(workflow); }
  /// Is called once, the n-th time (from 1) that somebody waits.
  void at_wait(int n, std::function<void()> what) {
    guard_.on_wait([this, n, what = std::move(what)] {
      if (++waits_ == n) what();
    });
  }
  /// Leaves a request, as another process would.
  std::int64_t ask(Steer steer) {
    MemoryJournal journal(store_, clock_);
    const std::int64_t number = journal.ask(id_, steer.kind, encode_steer(steer), "ana").value();
    guard_.poke();
    return number;
  }
  std::optional<std::string> answer_to(std::int64_t request) {
    MemoryJournal journal(store_, clock_);
    const RequestOutcome outcome = journal.outcome_of(request).value();
    return outcome.what == RequestOutcome::What::Open ? std::nullopt : std::optional(outcome.refusal);
  }

  /// One session, from taking the lease to giving it back. `steer` is done before it works.
  Result<SessionEnd> try_session(std::vector<Steer> steers = {}, const std::string& from = "") {
    kill_.revive();
    if (kill_at_ > 0) kill_.arm(std::exchange(kill_at_, 0), moment_);
    MemoryJournal journal(store_, clock_, &kill_);
    const Lease lease = TRY(journal.acquire(id_));
    ScriptedWorkers workers(guard_, &kill_);
    Observer observer;
    Executor executor({journal, workers, files_, clock_, observer}, setup_, definition_, digest(), "", lease,
                      TRY(journal.state(id_)));
    plan_ = TRY(executor.begin(from, Mode::Interactive));
    for (const Steer& steer : steers) TRY_VOID(executor.steer(steer));
    Result<SessionEnd> end = executor.run();
    if (end) journal.release(lease);
    return end;
  }
  SessionEnd session(std::vector<Steer> steers = {}, const std::string& from = "") {
    const Result<SessionEnd> end = try_session(std::move(steers), from);
    EXPECT_TRUE(end) << end.error().message;
    return end.value_or(SessionEnd{});
  }
  /// The runner of the next session dies at its n-th call of a port.
  void kill_next_at(int call, KillSwitch::Moment moment = KillSwitch::Moment::BeforeEffect) {
    kill_at_ = call;
    moment_ = moment;
  }

  RunState state() {
    MemoryJournal journal(store_, clock_);
    return journal.state(id_).value();
  }
  StepState step_state(const std::string& path) {
    const RunState now = state();
    const StepState* found = now.find_step({path});
    return found == nullptr ? StepState{} : *found;
  }
  std::vector<std::string> started() const {
    std::vector<std::string> names;
    for (const WorkerSpec& spec : guard_.started()) names.push_back(spec.attempt);
    return names;
  }
  template <typename Kind>
  std::vector<Kind> events() const {
    std::vector<Kind> found;
    for (const RecordedEvent& event : events_) {
      if (const Kind* kind = std::get_if<Kind>(&event.event)) found.push_back(*kind);
    }
    return found;
  }
  std::string rule_of(const std::string& step) const {
    for (const StepDecision& decision : plan_.decisions) {
      if (decision.step.text == step) return std::string(decision.rule);
    }
    return "";
  }
  const std::vector<RecordedEvent>& all_events() const { return events_; }
  const Plan& plan() const { return plan_; }
  ScriptedGuard& guard() { return guard_; }
  MemoryFileSystem& files() { return files_; }
  FixedClock& clock() { return clock_; }
  KillSwitch& kill() { return kill_; }
  RunSetup& setup() { return setup_; }

 private:
  std::string digest() const { return to_text(digest_of(to_json(definition_))); }
  Script next_script(const WorkerSpec& spec) {
    std::deque<Script>& scripts = scripts_[spec.attempt.substr(0, spec.attempt.rfind('#'))];
    Script script = scripts.empty() ? Script{} : scripts.front();
    if (scripts.size() > 1) scripts.pop_front();
    if (const auto result = script.writes.extract("result"); !result.empty()) {
      for (const std::string& entry : spec.environment) {
        if (entry.starts_with("REPRISE_RESULT=")) script.writes[entry.substr(15)] = result.mapped();
      }
    }
    return script;
  }

  FixedClock clock_;
  KillSwitch kill_;
  MemoryFileSystem files_{&kill_};
  ScriptedGuard guard_{clock_, files_};
  MemoryJournalStore store_;
  RunSetup setup_;
  Workflow definition_;
  std::map<std::string, std::string> values_;
  std::map<std::string, std::deque<Script>> scripts_;
  std::vector<RecordedEvent> events_;
  RunId id_{"demo/x"};
  Plan plan_;
  int waits_ = 0;
  int kill_at_ = 0;
  KillSwitch::Moment moment_ = KillSwitch::Moment::BeforeEffect;
};

}  // namespace reprise
