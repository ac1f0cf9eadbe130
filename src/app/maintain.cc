#include "app/maintain.h"

#include <algorithm>
#include <array>

#include "app/definitions.h"
#include "app/leftover_files.h"
#include "app/session.h"
#include "app/status.h"
#include "base/strings.h"
#include "executor/run_setup.h"
#include "os/process_table.h"
#include "os/shared_file.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;
using Answer = DoctorLine::Answer;

constexpr std::string_view kExampleConfig =
    R"(# Which program does the work. A worker is any program: a coding agent's command line, a script, a test
# command. It reads its task from the file named by $REPRISE_BRIEF (Markdown) or $REPRISE_CONTEXT (JSON).
#
# workers:
#   default: {run: [./scripts/agent.sh]}     # an argv, or one string: your own shell line
#   roles:
#     code-review:
#       run: "my-agent < \"$REPRISE_BRIEF\""
#       env: [MY_API_KEY]                    # variables that pass to it; their values are never stored
#       timeout: 40m
#       retries: 1
# limits: {parallel: 4, output_mb: 64, cost_usd: 50}
# notify: {run: [notify-send, Reprise, "{message}"]}   # when a run waits, fails or ends
)";

// Where each of the five systems keeps its state.
struct SystemSign {
  std::string_view system;
  std::string_view folder;
  std::string_view file;  // within a folder below `folder`; "" if `folder` itself is the sign
};
constexpr std::array<SystemSign, 7> kSystemSigns = {{{"playbook", "specs", ".pipeline-state.md"},
                                                     {"playbook", "reports/pipeline", ""},
                                                     {"spec-loop", "specs", ".workflow/index.md"},
                                                     {"lanes", ".claude/ai-dev-kit/run-logs/checkpoints.json", ""},
                                                     {"orchestrator", ".aios", ""},
                                                     {"orchestrator", ".aiox", ""},
                                                     {"orchestrator", "docs/stories", ""}}};

void check_store(App& app, std::vector<DoctorLine>& lines) {
  Result<std::unique_ptr<Journal>> journal = open_journal(app, OpenMode::ReadOnly);
  if (!journal) {
    const bool none = journal.error().kind == ErrorKind::NotFound;
    lines.push_back({none ? Answer::Ok : Answer::Bad, "journal",
                     none ? "none yet: nothing has run here" : journal.error().message});
    return;
  }
  if (const auto facts = (*journal)->facts()) {
    for (const auto& [name, value] : *facts) lines.push_back({Answer::Ok, name, value});
  }
  const Result<std::vector<ChainFault>> faults = (*journal)->verify();
  if (!faults) {
    lines.push_back({Answer::Bad, "journal", faults.error().message});
  } else if (faults->empty()) {
    lines.push_back({Answer::Ok, "journal", "every event is there, in order and unchanged"});
  } else {
    for (const ChainFault& fault : *faults) {
      lines.push_back(
          {Answer::Bad, fault.run.shown(), "event " + std::to_string(fault.number.value) + ": " + fault.message});
    }
  }
  const Result<std::vector<RunView>> runs = view_runs(app, **journal);
  for (const RunView& run : runs.value_or(std::vector<RunView>())) {
    if (run.status == RunStatus::Unknown) lines.push_back({Answer::Bad, run.id.shown(), run.reason});
    if (run.status == RunStatus::Interrupted) {
      lines.push_back(
          {Answer::Warning, run.id.shown(), "was interrupted", "reprise resume " + shell_quote(run.id.shown())});
    }
  }
}

// Reprise works without these, but less directly.
void check_facilities(std::vector<DoctorLine>& lines) {
  const std::vector<std::string> missing = missing_process_facilities();
  if (missing.empty()) return;
  lines.push_back({Answer::Warning, "processes",
                   "this system has no " + join(missing, ", ") +
                       "; signals are sent by process number, after its start time was compared"});
}

void check_definitions(App& app, std::vector<DoctorLine>& lines) {
  const Result<Config> config = read_config(app);
  lines.push_back(config ? DoctorLine{Answer::Ok, "config", ".reprise/config.yaml can be read, or is not there"}
                         : DoctorLine{Answer::Bad, "config", config.error().message});
  for (const WorkflowEntry& entry : list_definitions(app).value_or(std::vector<WorkflowEntry>())) {
    if (!entry.problem.empty()) {
      lines.push_back(
          {Answer::Bad, entry.name, entry.problem, "reprise workflow check " + shell_quote(entry.name)});
      continue;
    }
    if (entry.file == kBuiltIn) continue;  // its workers are asked for when it is used
    const Result<Definition> definition = load_definition(app, entry.name);
    const std::optional<Error> error =
        config && definition ? missing_worker(definition->workflow, *config) : std::nullopt;
    lines.push_back(error ? DoctorLine{Answer::Warning, entry.name, error->message, "reprise init"}
                          : DoctorLine{Answer::Ok, entry.name, "is sound"});
  }
}

void check_leftovers(App& app, std::vector<DoctorLine>& lines) {
  const std::vector<std::string> files = find_leftover_files(app);
  if (files.empty()) return;
  lines.push_back({Answer::Warning, "temporary files",
                   "a killed process left " + count_of(files.size(), "file") + ", among them " + files.front(),
                   "reprise gc"});
}

}  // namespace

Result<std::vector<DoctorLine>> doctor(App& app) {
  std::vector<DoctorLine> lines;
  lines.push_back({Answer::Ok, "project", app.project.string()});
  lines.push_back({Answer::Ok, "store", app.store.string()});
  check_store(app, lines);
  check_facilities(lines);
  check_definitions(app, lines);
  check_leftovers(app, lines);
  return lines;
}

Result<std::vector<LockEntry>> list_locks(App& app) {
  std::vector<LockEntry> locks;
  Result<std::unique_ptr<Journal>> journal = open_journal(app, OpenMode::ReadOnly);
  if (!journal && journal.error().kind == ErrorKind::NotFound)
    return locks;  // nothing has run: nobody owns anything
  if (!journal) return fail(journal.error());
  for (const RunEntry& entry : TRY((*journal)->runs())) {
    const std::optional<Owner> owner = TRY((*journal)->owner(entry.id));
    if (!owner) continue;
    const OwnerState state = owner->alive              ? OwnerState::Alive
                             : owner->host == app.host ? OwnerState::Dead
                                                       : OwnerState::Unknown;
    locks.push_back({entry.id, *owner, state});
  }
  return locks;
}

std::string_view to_token(OwnerState state) {
  switch (state) {
    case OwnerState::Alive: return "alive";
    case OwnerState::Dead: return "dead";
    case OwnerState::Unknown: return "unknown";
  }
  return "unknown";
}

// Taken over as whoever goes on with the run would take it, which is recorded.
Result<std::optional<Owner>> break_lock(App& app, const RunId& run) {
  if (app.is_worker()) return fail(ErrorKind::Invalid, "a worker cannot break a lock");
  const std::unique_ptr<Journal> journal = TRY(open_journal(app, OpenMode::ReadWrite));
  std::optional<Owner> owner = TRY(journal->owner(run));
  if (!owner) return std::nullopt;
  journal->release(TRY(journal->acquire(run)));
  return owner;
}

Result<InitReport> init_project(App& app) {
  InitReport report;
  const fs::path folder = app.project / ".reprise";
  if (!TRY(app.files.stat(folder / "config.yaml"))) {
    TRY_VOID(check_place_in(app.project, ".reprise/config.yaml"));
    TRY_VOID(app.files.make_directories(folder / "workflows"));
    TRY_VOID(app.files.replace(folder / "config.yaml", kExampleConfig));
    report.wrote_config = true;
  }
  for (const SystemSign& sign : kSystemSigns) {
    const fs::path place = app.project / sign.folder;
    bool seen = sign.file.empty() && TRY(app.files.stat(place));
    if (!sign.file.empty()) {
      for (const std::string& name : TRY(app.files.list(place)))
        seen = seen || TRY(app.files.stat(place / name / sign.file));
    }
    const std::string used(sign.system);
    if (seen && std::ranges::find(report.systems, used) == report.systems.end()) report.systems.push_back(used);
  }
  return report;
}

}  // namespace reprise
