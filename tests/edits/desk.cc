#include "desk.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <map>

#include "app/app.h"
#include "app/definitions.h"
#include "app/systems.h"
#include "base/check.h"
#include "base/strings.h"
#include "executor/executor.h"
#include "guard/workers.h"

namespace reprise {
namespace {

constexpr int kDone = 0;
constexpr int kBroken = 1;
constexpr int kWaits = 3;
constexpr int kKilled = 9;

std::function<void(Moment)>* moment_hook = nullptr;

void reach(Moment moment) {
  if (moment_hook != nullptr) (*moment_hook)(moment);
}

constexpr std::string_view kValidated =
    R"({"gaps":[{"id":"G-001","priority":"Critical","text":"Session timeout?"},)"
    R"({"id":"G-002","priority":"Important","text":"How many tries?"}]})";

// Does a stage at once. What ended is kept in a file, as a guard would.
class InstantWorkers : public Workers {
 public:
  explicit InstantWorkers(const Desk& desk) : desk_(desk) {}

  Result<void> start(const std::vector<WorkerSpec>& specs) override {
    for (const WorkerSpec& spec : specs) {
      work(spec);
      std::ofstream(desk_.folder() / "exits", std::ios::app) << spec.attempt << "\n";
      ended_.push_back(ExitRecord{.attempt = spec.attempt, .exit_code = 0, .ended_at = {}});
    }
    return {};
  }
  Result<WorkerNews> wait(std::optional<Duration>) override {
    reach(Moment::Wait);
    WorkerNews news;
    news.ended = std::exchange(ended_, {});
    news.poked = true;
    return news;
  }
  Result<void> stop(const std::string&) override { return {}; }
  Result<AttemptSighting> look_up(const std::string& attempt) override {
    AttemptSighting sighting;
    std::ifstream in(desk_.folder() / "exits");
    for (std::string line; std::getline(in, line);) {
      if (line != attempt) continue;
      sighting.what = AttemptSighting::What::Ended;
      sighting.record = ExitRecord{.attempt = attempt, .exit_code = 0, .ended_at = {}};
    }
    return sighting;
  }

 private:
  void work(const WorkerSpec& spec) {
    const std::string step = spec.attempt.substr(0, spec.attempt.find('#'));
    if (desk_.is_playbook()) return work_on_playbook(step);
    if (step.ends_with("validate")) {
      for (const std::string& entry : spec.environment) {
        if (!entry.starts_with("REPRISE_RESULT=")) continue;
        std::ofstream(entry.substr(15)) << (step == "validate" ? kValidated : R"({"gaps":[]})");
      }
    } else {
      put("spec.md", "# Login, by " + step + "\n");
    }
  }
  void work_on_playbook(const std::string& step) {
    if (step == "spec" || step == "clarify") put("feature.spec.md", "# Login\n");
    if (step == "tasks") put("tasks.md", "- [ ] the form\n");
    if (step == "tdd") put("test-certification.md", "certified\n");
    if (step == "testrunner") put("test-report.md", "all passed\n");
    if (step == "code-review") put("code-review.md", "fine\n");
    if (step == "security") put("security-review.md", "safe\n");
    if (step == "refactor") put("refactor-notes.md", "tidied\n");
    if (step != "architect") return;
    std::string rows;
    for (const char* article : {"I", "II", "III", "IV", "V", "VI", "VII", "VIII"})
      rows += "| Article " + std::string(article) + " | COMPLIES |\n";
    put("adr.md", "# Decision\n\n## Constitution Check\n\n| Article | Status |\n|---|---|\n" + rows);
  }
  void put(const std::string& name, const std::string& text) {
    const std::filesystem::path folder =
        desk_.project() / "specs" / (desk_.is_playbook() ? "001-login" : "005-auth");
    std::filesystem::create_directories(folder);
    std::ofstream(folder / name) << text;
  }

  const Desk& desk_;
  std::vector<ExitRecord> ended_;
};

// The system of the run, with its moments.
class WatchedSystem : public NativeState {
 public:
  explicit WatchedSystem(std::unique_ptr<NativeState> system) : system_(std::move(system)) {}
  Result<std::string> show(std::string_view bytes, const RunState& state) const override {
    reach(Moment::Show);
    return system_->show(bytes, state);
  }
  Result<HandEdits> edits(std::string_view before, std::string_view now, const RunState& state) const override {
    reach(Moment::Edits);
    return system_->edits(before, now, state);
  }
  Result<Judgement> judge(std::string_view bytes, const RunState& state, const Graph& graph) override {
    return system_->judge(bytes, state, graph);
  }
  std::string resume_note(std::string_view before, Timestamp now) const override {
    return system_->resume_note(before, now);
  }

 private:
  std::unique_ptr<NativeState> system_;
};

// The journal, with its moments.
class WatchedJournal : public Journal {
 public:
  explicit WatchedJournal(std::unique_ptr<Journal> journal) : journal_(std::move(journal)) {}
  std::string name() const override { return journal_->name(); }
  Result<Lease> create(const RunId& run, std::span<const Event> events, std::span<const std::string> texts,
                       Origin origin) override {
    return journal_->create(run, events, texts, origin);
  }
  using Journal::acquire;
  Result<Lease> acquire(const RunId& run, LeaseToken newest) override { return journal_->acquire(run, newest); }
  void release(const Lease& lease) override { journal_->release(lease); }
  Result<std::vector<RecordedEvent>> append(const Lease& lease, EventNumber expected,
                                            std::span<const Event> events, std::optional<Timestamp> at,
                                            std::span<const RequestAnswer> answers) override {
    reach(Moment::BeforeAppend);
    Result<std::vector<RecordedEvent>> appended = journal_->append(lease, expected, events, at, answers);
    reach(Moment::AfterAppend);
    return appended;
  }
  Result<std::string> put_text(std::string_view text) override { return journal_->put_text(text); }
  Result<std::string> text(const std::string& digest) override { return journal_->text(digest); }
  Result<void> put_masked_text(const std::string& digest, std::string_view masked) override {
    return journal_->put_masked_text(digest, masked);
  }
  Result<std::string> shown_text(const std::string& digest) override { return journal_->shown_text(digest); }
  Result<RunState> state(const RunId& run) override { return journal_->state(run); }
  Result<void> put_copy(const Lease& lease, const RunState& state) override {
    return journal_->put_copy(lease, state);
  }
  Result<std::vector<RecordedEvent>> events(const RunId& run, EventNumber after, int limit) override {
    return journal_->events(run, after, limit);
  }
  Result<std::vector<RunEntry>> runs() override { return journal_->runs(); }
  Result<std::optional<Owner>> owner(const RunId& run) override { return journal_->owner(run); }
  Result<void> break_lease(const RunId& run) override { return journal_->break_lease(run); }
  Result<std::int64_t> ask(const RunId& run, std::string kind, std::string body, std::string by) override {
    return journal_->ask(run, std::move(kind), std::move(body), std::move(by));
  }
  Result<std::vector<Request>> requests(const RunId& run) override { return journal_->requests(run); }
  Result<std::vector<Request>> claim_requests(const RunId& run) override { return journal_->claim_requests(run); }
  Result<RequestOutcome> withdraw(std::int64_t request) override { return journal_->withdraw(request); }
  Result<RequestOutcome> outcome_of(std::int64_t request) override { return journal_->outcome_of(request); }
  Result<std::vector<ChainFault>> verify() override { return journal_->verify(); }
  Result<void> rebuild_indexes() override { return journal_->rebuild_indexes(); }
  Result<std::string> key(const RunId& run) override { return journal_->key(run); }
  Result<std::int64_t> largest_number(const std::string& subject) override {
    return journal_->largest_number(subject);
  }
  Result<std::vector<RunId>> removable(Timestamp before) override { return journal_->removable(before); }
  Result<bool> remove(const RunId& run, Timestamp before, const std::function<Result<bool>()>& clear) override {
    return journal_->remove(run, before, clear);
  }
  Result<void> begin_removal(const RunId& run) override { return journal_->begin_removal(run); }
  Result<void> alone(const std::function<Result<void>()>& work) override { return journal_->alone(work); }
  Result<std::vector<std::pair<std::string, std::string>>> facts() override { return journal_->facts(); }

 private:
  std::unique_ptr<Journal> journal_;
};

Result<Lease> lease_on(Journal& journal, const Desk& desk, const Definition& definition) {
  if (journal.state(desk.run())) return journal.acquire(desk.run());
  const std::string subject = desk.is_playbook() ? "001-login" : "005-auth";
  const Event created =
      RunCreated{.workflow = definition.workflow.name,
                 .subject = subject,
                 .definition = definition.digest,
                 .source = definition.workflow.source,
                 .source_digest = definition.source_digest,
                 .values = {{"subject", subject}, {"description", "login"}, {"coordinator_mode", "pipeline"}},
                 .native_file = desk.file().lexically_relative(desk.project()).string()};
  return journal.create(desk.run(), {&created, 1}, {&definition.text, 1});
}

// What is asked of a person, and the command that grants it.
std::optional<Steer> next_decision(const RunState& state) {
  for (const auto& [gate, asked] : state.gates) {
    if (asked.record == GateState::Record::Open) return Steer{"approve", gate.text, "", "", "ana"};
  }
  for (const auto& [id, question] : state.questions) {
    if (!question.answer) return Steer{"answer", id, "said by command", "", "ana"};
  }
  return std::nullopt;
}

Result<int> work(Executor& executor, bool grants) {
  TRY(executor.begin("", Mode::Interactive));
  for (;;) {
    const SessionEnd end = TRY(executor.run());
    if (end.status == RunStatus::Done) return kDone;
    if (end.status != RunStatus::Waiting)
      return fail(ErrorKind::Conflict, std::string(to_token(end.status)) + ": " + end.reason);
    bool goes_on = false;
    for (int i = 0; i < 3 && !goes_on; ++i) {
      reach(Moment::Wait);
      goes_on = TRY(executor.serve_while_waiting());
    }
    const std::optional<Steer> decision = next_decision(executor.state());
    if (!goes_on && (!grants || !decision)) return kWaits;
    if (!goes_on) TRY_VOID(executor.steer(*decision));
  }
}

// The same for all sessions: read once, before there is one.
const Definition& definition_of(App& app, const std::string& workflow) {
  static std::map<std::string, Definition> all;
  auto found = all.find(workflow);
  if (found == all.end()) {
    Result<Definition> loaded = load_definition(app, workflow);
    check(loaded.has_value());
    found = all.emplace(workflow, std::move(*loaded)).first;
  }
  return found->second;
}

Result<int> make_session(const Desk& desk, Desk::Kind kind) {
  App app;
  app.project = desk.project();
  app.store = desk.store();
  app.actor = "ana@host";
  WatchedJournal journal(TRY(open_sqlite_journal(app.store, OpenMode::ReadWrite, app.clock, app.entropy)));
  const std::string workflow = desk.is_playbook() ? "playbook" : "spec-loop";
  const Definition& definition = definition_of(app, workflow);
  const Lease lease = TRY(lease_on(journal, desk, definition));
  RunState state = TRY(journal.state(desk.run()));
  if (state.is_ended()) {  // nobody looks at it again
    journal.release(lease);
    return kind == Desk::Kind::Decide ? kWaits : kDone;
  }
  WatchedSystem system(system_for(app, workflow, state.subject));
  RunSetup setup{.project = app.project, .store = app.store};
  setup.config = TRY(read_config(app));
  setup.actor = app.actor;
  setup.owner = "host:1";
  InstantWorkers workers(desk);
  Observer observer;
  const std::optional<Steer> decision = next_decision(state);
  Executor executor({journal, workers, app.files, app.clock, observer, nullptr, &system}, setup,
                    definition.workflow, definition.digest, definition.source_digest, lease, std::move(state));
  int code = kDone;
  if (kind != Desk::Kind::Decide) {
    code = TRY(work(executor, kind == Desk::Kind::Grant));
  } else if (decision) {
    // The file may have said it first: then there is nothing left to decide.
    const Result<void> decided = executor.decide(*decision);
    if (!decided && decided.error().kind == ErrorKind::Io) return fail(decided.error());
  }
  journal.release(lease);
  return code;
}

struct Line {
  int to_session[2];
  int from_session[2];
};

[[noreturn]] void be_session(const Desk& desk, Desk::Kind kind, const Line& line) {
  std::function<void(Moment)> hook = [&](Moment moment) {
    const char said = static_cast<char>(moment);
    char reply = 0;
    if (::write(line.from_session[1], &said, 1) != 1 || ::read(line.to_session[0], &reply, 1) != 1) _exit(kBroken);
    if (reply == 'k') _exit(kKilled);
  };
  moment_hook = &hook;
  const Result<int> code = make_session(desk, kind);
  if (!code) std::ofstream(desk.folder() / "error") << code.error().message;
  _exit(code ? *code : kBroken);
}

}  // namespace

std::string_view name_of(Moment moment) {
  constexpr std::array<std::string_view, kMoments> kNames = {"before a look",  "edit read",     "being shown",
                                                             "before append",  "after append",  "before exchange",
                                                             "after exchange", "before removal"};
  return kNames[static_cast<std::size_t>(moment)];
}

Desk::Desk(std::filesystem::path folder, bool is_playbook)
    : folder_(std::move(folder)), is_playbook_(is_playbook) {
  std::filesystem::create_directories(project() / ".reprise");
  std::filesystem::create_directories(store());
  std::ofstream(project() / ".reprise" / "config.yaml") << "workers:\n  default: {run: [/bin/true]}\n";
  run_ = RunId{is_playbook_ ? "playbook/001-login" : "spec-loop/005-auth"};
  App app;
  definition_of(app, is_playbook_ ? "playbook" : "spec-loop");
  file_ = is_playbook_ ? state_file_of(app, "playbook", "001-login") : state_file_of(app, "spec-loop", "005-auth");
}

SessionResult Desk::session(Kind kind, const std::function<bool(Moment)>& at,
                            const std::function<void()>& in_session) {
  Line line{};
  check(::pipe2(line.to_session, O_CLOEXEC) == 0 && ::pipe2(line.from_session, O_CLOEXEC) == 0);
  const pid_t pid = ::fork();
  check(pid >= 0);
  if (pid == 0) {
    ::close(line.to_session[1]);
    ::close(line.from_session[0]);
    in_session();
    be_session(*this, kind, line);
  }
  ::close(line.to_session[0]);
  ::close(line.from_session[1]);
  for (char said = 0; ::read(line.from_session[0], &said, 1) == 1;) {
    const char reply = at(static_cast<Moment>(said)) ? 'g' : 'k';
    check(::write(line.to_session[1], &reply, 1) == 1);
  }
  ::close(line.to_session[1]);
  ::close(line.from_session[0]);
  int status = 0;
  check(::waitpid(pid, &status, 0) == pid);
  SessionResult result{.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), .error = ""};
  if (result.code != kBroken) return result;
  std::ifstream in(folder_ / "error");
  std::getline(in, result.error);
  return result;
}

}  // namespace reprise

// What the projector calls, with a moment before and after. The same effect as the real ones.
extern "C" {

int renameat2(int from, const char* path, int to, const char* second, unsigned flags) noexcept {
  const bool is_exchange = flags == RENAME_EXCHANGE;
  if (is_exchange) reprise::reach(reprise::Moment::BeforeExchange);
  const long result = ::syscall(SYS_renameat2, from, path, to, second, flags);
  const int error = errno;
  if (is_exchange && result == 0) reprise::reach(reprise::Moment::AfterExchange);
  errno = error;
  return static_cast<int>(result);
}

int unlink(const char* path) noexcept {
  if (std::string_view(path).find(".reprise-tmp") != std::string_view::npos)
    reprise::reach(reprise::Moment::BeforeRemove);
  return static_cast<int>(::syscall(SYS_unlinkat, AT_FDCWD, path, 0));
}
}
