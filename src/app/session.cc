#include "app/session.h"

#include <algorithm>
#include <set>

#include "app/beginning.h"
#include "app/lane_definition.h"
#include "app/orchestrator_system.h"
#include "app/plan_costs.h"
#include "app/rollback.h"
#include "app/systems.h"
#include "app/task_pipeline_system.h"
#include "app/task_reports.h"
#include "base/check.h"
#include "base/mask.h"
#include "base/strings.h"
#include "executor/environment.h"
#include "guard/guard.h"
#include "journal/disk.h"
#include "model/limits.h"
#include "os/lock_wait.h"
#include "os/process.h"
#include "os/signals.h"

namespace reprise {
namespace {

constexpr Duration kNotifyTimeout{10'000};

// The values of a run: what was given, then the defaults.
Result<std::map<std::string, std::string>> values_for(const Workflow& workflow, const StartRequest& request) {
  std::map<std::string, std::string> values;
  std::vector<std::string_view> known;
  for (const InputDef& input : workflow.inputs) known.push_back(input.name);
  for (const auto& [name, value] : request.inputs) {
    if (std::ranges::find(known, name) == known.end()) {
      const std::optional<std::string> meant = did_you_mean(name, known);
      return fail(ErrorKind::Invalid, "workflow " + workflow.name + " has no input \"" + printable_line(name, 60) +
                                          "\"" + (meant ? "; did you mean \"" + *meant + "\"?" : ""));
    }
    if (value.find('\0') != std::string::npos)
      return fail(ErrorKind::Invalid, "input " + name + " holds a NUL byte");
    values[name] = value;
  }
  for (const InputDef& input : workflow.inputs) {
    if (values.contains(input.name)) continue;
    if (!input.fallback) {
      return fail(Error{.kind = ErrorKind::Invalid, .message = "input \"" + input.name + "\" is needed"}.hint(
          "reprise run " + shell_quote(request.workflow) + " --input " + input.name + "=VALUE"));
    }
    values[input.name] = *input.fallback;
  }
  return values;
}

// A value is stored, and becomes part of what workers and commands are given. Masked, it would be another value.
Result<void> check_no_secret(const App& app, const Workflow& workflow, const Config& config,
                             const StartRequest& request) {
  const Masker masker(secret_values(app.environment, named_variables(config, workflow.stages)));
  for (const auto& [name, value] : request.inputs) {
    if (masker.mask_shown(value) == value) continue;
    return fail(ErrorKind::Invalid,
                "input \"" + name +
                    "\" holds a secret and would be stored; let the stage read it from a variable "
                    "that its env names, or from a file");
  }
  return {};
}

// The built-in workflows that come in variants know theirs.
Result<void> check_variant(const std::string& workflow, const std::map<std::string, std::string>& values) {
  const auto variant = values.find("variant");
  const bool has_tiers = workflow == "task-pipeline";
  if (variant == values.end() || (!has_tiers && workflow != "spec-pipeline")) return {};
  const std::string smallest = has_tiers ? "TRIVIAL" : "SIMPLE";
  for (const std::string& known : {smallest, std::string("STANDARD"), std::string("COMPLEX")}) {
    if (variant->second == known) return {};
  }
  return fail(ErrorKind::Invalid, "\"" + printable_line(variant->second, 40) + "\" is no variant of " + workflow +
                                      "; there are: " + smallest + ", STANDARD, COMPLEX");
}

void collect_baselines(const std::vector<Stage>& stages, std::set<std::string>& paths) {
  for (const Stage& stage : stages) {
    paths.insert(stage.baseline.begin(), stage.baseline.end());
    collect_baselines(stage.stages, paths);
  }
}

Error not_overwritten(const RunId& run, const RunState& state) {
  Error error{.kind = ErrorKind::Conflict,
              .message = "run " + run.shown() + " is " + (state.is_ended() ? "failed" : "not finished") +
                         " and is not overwritten"};
  const std::string quoted = shell_quote(run.shown());
  error.hints = {"reprise resume " + quoted, "reprise fresh " + quoted};
  return error;
}

// The run's id: name and subject, numbered if there were runs of it before.
Result<RunId> new_run_id(App& app, Journal& journal, const std::string& workflow, const StartRequest& request) {
  std::string name = !request.run_name.empty() ? request.run_name : request.subject;
  if (name.empty()) {
    std::string time = to_text(app.clock.now());
    std::erase_if(time, [](char c) { return c == '-' || c == ':' || c == 'Z'; });
    time[8] = '-';
    return RunId{workflow + "/" + time + "-" + app.entropy.hex(4)};
  }
  for (const std::string& part : {request.run_name, request.subject}) {
    if (!part.empty() && !is_run_name(part)) {
      return fail(ErrorKind::Invalid,
                  "\"" + printable_line(part, 80) +
                      "\" cannot name a run; allowed: 1 to 64 of A-Z a-z 0-9 . _ -, not starting with -");
    }
  }
  const RunsOfSubject runs = TRY(runs_of_subject(journal, workflow + "/" + name));
  if (!runs.newest) return runs.next;
  const std::optional<Owner> owner = TRY(journal.owner(*runs.newest));
  if (owner && owner->alive) return fail(being_worked_on(*runs.newest, *owner));
  const RunState state = TRY(journal.state(*runs.newest));
  // A failed run with a state file cannot go on (PB-12); its state was looked at, and is set aside.
  const bool may_go_on = !state.is_ended() || (state.status == RunStatus::Failed && !is_final_when_failed(state));
  if (state.archived || !may_go_on) return runs.next;
  return fail(not_overwritten(*runs.newest, state));
}

// The same for lanes. One lane is worked on by one run at a time.
Result<RunId> new_lane_run_id(App& app, Journal& journal, const Definition& definition,
                              const StartRequest& request) {
  const LaneRunName name = TRY(name_lane_run(app, definition, request.run_name, request.inputs));
  for (const RunEntry& entry : TRY(journal.runs())) {
    const std::optional<LaneRunName> other = lane_run_name(entry.id);
    if (!other || other->phase != name.phase) continue;
    if (other->lane != name.lane && other->lane != "-" && name.lane != "-") continue;
    const RunState state = TRY(journal.state(entry.id));
    const bool may_go_on = !state.is_ended() || state.status == RunStatus::Failed;
    if (!state.archived && may_go_on && state.subject == definition.workflow.source)
      return fail(not_overwritten(entry.id, state));
  }
  return TRY(runs_of_subject(journal, to_run_id(name).text)).next;
}

void collect_roles(const std::vector<Stage>& stages, std::set<std::string>& roles) {
  for (const Stage& stage : stages) {
    if (!stage.role.empty()) roles.insert(stage.role);
    collect_roles(stage.stages, roles);
  }
}

}  // namespace

std::optional<Error> missing_worker(const Workflow& workflow, const Config& config) {
  std::set<std::string> roles;
  collect_roles(workflow.stages, roles);
  for (const std::string& role : roles) {
    if (config.worker_for(role) != nullptr) continue;
    Error error{
        .kind = ErrorKind::Unavailable,
        .message = "no program is named for role \"" + role +
                   "\". Add to .reprise/config.yaml:\n  workers:\n    default: {run: [./scripts/agent.sh]}"};
    error.file = ".reprise/config.yaml";
    return std::move(error).hint("reprise init");
  }
  return std::nullopt;
}

Result<std::unique_ptr<Session>> Session::start(App& app, const StartRequest& request, Observer& observer,
                                                SignalWatch* signals) {
  Definition definition = TRY(definition_to_start(app, request.workflow, request.subject, request.inputs));
  const Workflow& workflow = definition.workflow;
  std::map<std::string, std::string> values = TRY(values_for(workflow, request));
  for (auto& [name, value] : orchestrator_values(app, workflow.name, request.subject)) {
    if (values[name].empty()) values[name] = value;
  }
  TRY_VOID(check_variant(workflow.name, values));
  const Config config = TRY(read_config(app));
  TRY_VOID(check_no_secret(app, workflow, config, request));
  if (std::optional<Error> error = missing_worker(workflow, config)) return fail(std::move(*error));
  std::unique_ptr<Journal> journal = TRY(open_journal(app, OpenMode::ReadWrite));
  std::unique_ptr<Session> session(new Session(app, std::move(journal)));
  const Room room = TRY(find_room(app, workflow.name, request));
  TRY_VOID(check_story(app, *session->journal_, workflow.name, request.subject));
  const bool is_lanes = workflow.name == kLanesWorkflow && request.workflow == kLanesWorkflow;
  if (is_lanes) TRY_VOID(check_base_is_clean(app, values));
  const RunId id = is_lanes ? TRY(new_lane_run_id(app, *session->journal_, definition, request))
                            : TRY(new_run_id(app, *session->journal_, workflow.name, request));

  RunCreated created{.workflow = workflow.name,
                     .subject = is_lanes ? workflow.source : request.subject,
                     .definition = definition.digest,
                     .source = workflow.source,
                     .source_digest = definition.source_digest,
                     .mode = request.mode,
                     .parallel = request.parallel,
                     .values = values,
                     .native_file = room.state_file,
                     .adopted = room.is_there};
  std::set<std::string> baselines(workflow.baseline.begin(), workflow.baseline.end());
  collect_baselines(workflow.stages, baselines);
  Collector collector(app.files, app.project);
  for (const std::string& path : baselines) created.baseline.push_back(TRY(collector.look(path, nullptr)));

  std::vector<Event> events = {created};
  for (const std::string& note : TRY(make_room(app, room))) events.push_back(NoteAdded{note, ""});
  session->lease_ = TRY(session->journal_->create(id, events, {&definition.text, 1}));
  RunState state;
  state.id = id;
  const std::vector<RecordedEvent> recorded = TRY(session->journal_->events(id, {0}, kEventsPerReadMax));
  for (const RecordedEvent& first : recorded) TRY_VOID(apply(state, first));
  TRY_VOID(session->reach_guard(state.key, signals));
  session->setup_.config = config;
  TRY_VOID(session->prepare(std::move(state), std::move(definition), "", request.mode, observer, signals));
  return session;
}

Result<Lease> acquire_run(App& app, Journal& journal, const RunId& run) {
  const std::filesystem::path guard = guard_directory(app.store, TRY(journal.key(run)));
  Lease lease = TRY(journal.acquire(run));
  const LeaseToken newest{newest_guard_token(guard)};
  if (lease.token.value > newest.value) return lease;
  const Result<void> archived = archive_exits(guard);
  journal.release(lease);
  TRY_VOID(archived);
  return journal.acquire(run, newest);
}

Result<std::unique_ptr<Session>> Session::resume(App& app, std::unique_ptr<Journal> journal, const RunId& run,
                                                 const ResumeRequest& request, Observer& observer,
                                                 SignalWatch* signals) {
  std::unique_ptr<Session> session(new Session(app, std::move(journal)));
  session->lease_ = TRY(acquire_run(app, *session->journal_, run));
  RunState state = TRY(session->journal_->state(run));
  TRY_VOID(check_record_places(app, state.workflow, state.state_file.path));
  if (has_unfinished_rollback(state)) {  // it takes the lease for itself
    session->journal_->release(session->lease_);
    TRY_VOID(finish_rollbacks(app, *session->journal_, run));
    session->lease_ = TRY(acquire_run(app, *session->journal_, run));
    state = TRY(session->journal_->state(run));
  }
  session->mode_ = state.mode;
  const bool is_over = state.status == RunStatus::Done || state.status == RunStatus::Stopped;
  if (is_over || is_final_when_failed(state)) {  // its plan says so
    TRY_VOID(write_announced(*session->journal_, app.project, state));
    if (const std::optional<LaneRunName> name = lane_run_name(run))
      TRY_VOID(LaneFiles(app, *name).catch_up(*session->journal_, state));
    if (const std::unique_ptr<RunRecords> records = records_of(app, state)) TRY_VOID(records->show_all(state));
    session->plan_ = TRY(preview(app, *session->journal_, run, ""))->plan;
    return session;
  }
  TRY_VOID(session->reach_guard(state.key, signals));
  Definition definition = TRY(definition_for(app, *session->journal_, state));
  session->setup_.config = TRY(read_config(app));
  if (std::optional<Error> error = missing_worker(definition.workflow, session->setup_.config))
    return fail(std::move(*error));
  if (definition.digest != state.definition) TRY(session->journal_->put_text(definition.text));
  TRY_VOID(
      session->prepare(std::move(state), std::move(definition), request.from, request.mode, observer, signals));
  return session;
}

// As early as the lease allows: the guard starts up while we read.
Result<void> Session::reach_guard(const std::string& key, const SignalWatch* signals) {
  const GuardOptions guard{.run_directory = guard_directory(app_.store, key),
                           .program = app_.program,
                           .tag = guard_tag(app_.store, key),
                           .token = lease_.token.value};
  TRY_VOID(app_.files.make_directories(guard.run_directory));
  workers_ = TRY(connect_guard(guard, app_.clock, signals == nullptr ? -1 : signals->fd()));
  return {};
}

Result<void> Session::prepare(RunState state, Definition definition, const std::string& from,
                              std::optional<Mode> mode, Observer& observer, SignalWatch* signals) {
  definition_ = std::move(definition);
  definition_.text = {};  // it is stored
  setup_.project = app_.project;
  setup_.store = app_.store;
  setup_.program = app_.program;
  setup_.environment = app_.environment;
  if (definition_.workflow.limits.output_mb > 0)
    setup_.config.limits.output_mb = definition_.workflow.limits.output_mb;
  setup_.actor = app_.actor;
  setup_.owner = app_.host + ":" + std::to_string(app_.pid);
  const Mode chosen = mode.value_or(state.mode);
  native_ = system_behind(app_, state);
  if (native_ != nullptr) native_->resume_from(from);
  if (const std::optional<LaneRunName> name = lane_run_name(state.id)) {
    lane_files_ = std::make_unique<LaneFiles>(app_, *name);
    TRY_VOID(lane_files_->catch_up(*journal_, state));
  }
  const std::string report = TRY(report_before_resume(app_, state, from));
  records_ = records_of(app_, state);
  RunRecords* records = lane_files_ ? static_cast<RunRecords*>(lane_files_.get()) : records_.get();
  executor_ = std::make_unique<Executor>(
      ExecutorParts{*journal_, *workers_, app_.files, app_.clock, observer, signals, native_.get(), records},
      setup_, definition_.workflow, definition_.digest, definition_.source_digest, lease_, std::move(state));
  plan_ = TRY(executor_->begin(from, chosen));
  TRY_VOID(add_costs(*journal_, executor_->state(), plan_));
  if (plan_.readiness != Readiness::Done) TRY_VOID(leave_task_report(app_, executor_->state().id, report));
  return {};
}

Session::~Session() {
  if (journal_ != nullptr && lease_.token.value > 0) journal_->release(lease_);
}

Result<SessionEnd> Session::run() {
  check(executor_ != nullptr);
  for (const Finding& finding : plan_.findings) {
    if (finding.severity == Severity::Blocking) {
      return fail(Error{.kind = ErrorKind::Denied, .message = finding.message}.hint(finding.remedy));
    }
  }
  const PatientLockWaits waits;
  const SessionEnd end = TRY(executor_->run());
  notify(end);
  return end;
}

// Tells a person who is not looking. A notification that fails is not a failure of the run.
void Session::notify(const SessionEnd& end) {
  const Command& command = setup_.config.notify;
  if (command.empty() || end.status == RunStatus::Interrupted) return;
  const std::string message = id().shown() + " is " + std::string(to_token(end.status)) +
                              (end.reason.empty() ? "" : ": " + printable_line(end.reason, 300));
  CaptureRequest request{.environment = to_entries(command_environment(setup_.environment)),
                         .directory = setup_.project.string(),
                         .timeout = kNotifyTimeout};
  request.environment.push_back("message=" + message);
  if (!command.line.empty()) {
    request.argv = {"/bin/sh", "-c", command.line};
  } else {
    for (const std::string& word : command.argv) {
      request.argv.push_back(interpolate(word, [&](std::string_view name) -> std::optional<std::string> {
        return name == "message" ? std::optional(message) : std::nullopt;
      }));
    }
  }
  [[maybe_unused]] const Result<Captured> ignored = run_captured(request);
}

}  // namespace reprise
