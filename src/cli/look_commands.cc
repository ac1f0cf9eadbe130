// Commands that look and change nothing: plan, why, status, log, events, inbox.

#include <algorithm>

#include "app/approvals.h"
#include "app/documents.h"
#include "app/logs.h"
#include "app/scan.h"
#include "app/session.h"
#include "app/status.h"
#include "app/systems.h"
#include "app/task_reports.h"
#include "base/json_writer.h"
#include "base/strings.h"
#include "cli/cli.h"
#include "cli/handlers.h"
#include "cli/render.h"
#include "model/event_codec.h"
#include "model/limits.h"
#include "os/machine.h"

namespace reprise {
namespace {

constexpr Duration kFollowPause{150};

// No journal means that nothing has run here: an answer, not an error.
bool is_empty_store(const Error& error) { return error.kind == ErrorKind::NotFound; }

// The plan of a run of ours or, where the journal knows none of that name, of work that a state file tells of.
Result<Plan> plan_for(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  const std::string wanted = arguments.positional(0);
  const std::string from = arguments.value("from");
  Result<std::unique_ptr<Journal>> journal = open_journal(*app, OpenMode::ReadOnly);
  if (!journal && !is_empty_store(journal.error())) return fail(journal.error());
  const Meant meant = TRY(find_work(*app, journal ? journal->get() : nullptr, wanted));
  if (meant.run) return TRY(preview(*app, **journal, *meant.run, from))->plan;
  return plan_found(*app, *meant.candidate, from);
}

// ---- log

// Prints what a stream has from `offset` on; returns the new offset.
std::int64_t print_stream(Cli& cli, App& app, const OutputStream& stream, std::int64_t offset,
                          TerminalFilter& filter, bool with_header) {
  for (;;) {
    const Result<std::string> part = app.files.read_part(stream.path, offset, 1u << 16);
    if (!part || part->empty()) return offset;
    if (cli.wants_json()) {
      JsonWriter json;
      json.begin_object()
          .field("step", stream.step.text)
          .field("attempt", stream.attempt)
          .field("stream", stream.name);
      json.field("text", printable(*part)).end_object();
      cli.print(json.take() + "\n");
    } else {
      if (offset == 0 && with_header) {
        cli.print(
            cli.bold("== " + stream.step.text + " attempt " + std::to_string(stream.attempt) + " " + stream.name) +
            "\n");
      }
      cli.print(filter.feed(*part));
    }
    offset += static_cast<std::int64_t>(part->size());
  }
}

Result<int> show_log(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  const std::unique_ptr<Journal> journal = TRY(open_journal(*app, OpenMode::ReadOnly));
  const RunId run = TRY(find_run(*journal, arguments.positional(0)));
  const std::string wanted = arguments.positional(1);
  std::map<std::filesystem::path, std::pair<std::int64_t, TerminalFilter>> seen;
  for (;;) {
    const RunState state = TRY(journal->state(run));
    const std::vector<OutputStream> streams = output_streams(*app, state, wanted);
    if (streams.empty() && !wanted.empty() && !arguments.has("follow")) {
      return fail(ErrorKind::NotFound,
                  "run " + run.text + " has no attempt of step \"" + printable_line(wanted, 80) + "\"");
    }
    for (const OutputStream& stream : streams) {
      auto& [offset, filter] = seen[stream.path];
      offset = print_stream(cli, *app, stream, offset, filter, true);
    }
    const std::optional<Owner> owner = TRY(journal->owner(run));
    if (!arguments.has("follow") || state.is_ended() || !owner || !owner->alive) return kExitDone;
    pause_for(kFollowPause);
  }
}

Result<int> show_events(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  const std::unique_ptr<Journal> journal = TRY(open_journal(*app, OpenMode::ReadOnly));
  const RunId run = TRY(find_run(*journal, arguments.positional(0)));
  EventNumber last{0};
  for (;;) {
    const std::vector<RecordedEvent> events = TRY(journal->events(run, last, kEventsPerReadMax));
    for (const RecordedEvent& event : events) {
      last = event.number;
      if (cli.wants_json()) {
        cli.print(event_document(run, event) + "\n");
      } else {
        cli.print(std::to_string(event.number.value) + "  " + to_text(event.at) + "  " +
                  std::string(kind_of(event.event)) + "  " + printable_line(encode(event.event), 300) + "\n");
      }
    }
    if (!events.empty()) continue;
    const std::optional<Owner> owner = TRY(journal->owner(run));
    if (!arguments.has("follow") || !owner || !owner->alive) return kExitDone;
    pause_for(kFollowPause);
  }
}

// What became of the files that were approved at this gate; "" for whatever else a step is.
Result<std::string> change_of_approved(Cli& cli, const RunId& run, const StepPath& step) {
  App* app = TRY(cli.app());
  const Result<std::unique_ptr<Journal>> journal = open_journal(*app, OpenMode::ReadOnly);
  const Result<RunState> state = journal ? (*journal)->state(run) : fail(journal.error());
  if (!state) return std::string();
  const auto gate = state->gates.find(step);
  return gate == state->gates.end() ? std::string() : change_since_approval(*app, **journal, gate->second);
}

Result<int> show_why(Cli& cli, const Arguments& arguments) {
  const Plan plan = TRY(plan_for(cli, arguments));
  const std::string wanted = arguments.positional(1);
  std::vector<const StepDecision*> chosen;
  for (const StepDecision& decision : plan.decisions) {
    const std::string& path = decision.step.text;
    const bool named = path == wanted || decision.stage == wanted || path.starts_with(wanted + "/");
    if (wanted.empty() ? decision.decision != Decision::Keep : named) chosen.push_back(&decision);
  }
  if (chosen.empty() && !wanted.empty()) {
    return fail(ErrorKind::NotFound,
                "run " + plan.id.text + " has no stage \"" + printable_line(wanted, 80) + "\"");
  }
  if (cli.wants_json()) {
    Plan part;
    part.id = plan.id;
    for (const StepDecision* decision : chosen) part.decisions.push_back(*decision);
    part.readiness = plan.readiness;
    part.findings = plan.findings;
    cli.print(plan_document(part) + "\n");
    return kExitDone;
  }
  if (chosen.empty()) cli.print("every step is kept: nothing is left to do\n");
  for (const StepDecision* decision : chosen) {
    cli.print(why_text(cli, *decision));
    cli.print(printable(TRY(change_of_approved(cli, plan.id, decision->step))));
  }
  return kExitDone;
}

Result<int> show_scan(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  const ScanResult result = TRY(
      scan(*app,
           {.system = arguments.value("system"), .about = arguments.value("about"), .all = arguments.has("all")}));
  cli.print(cli.wants_json() ? scan_document(result) + "\n" : scan_text(cli, result, arguments.has("all")));
  return kExitDone;
}

Result<int> show_status(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  Result<std::unique_ptr<Journal>> journal = open_journal(*app, OpenMode::ReadOnly);
  if (!journal && is_empty_store(journal.error()) && arguments.positionals.empty()) {
    cli.print(cli.wants_json() ? status_document({}, false) + "\n"
                               : "nothing has run here yet; `reprise workflow list` shows what could\n");
    return kExitDone;
  }
  if (!journal) return fail(journal.error());
  if (arguments.positionals.empty()) {
    const std::vector<RunView> runs = TRY(view_runs(*app, **journal));
    cli.print(cli.wants_json() ? status_document(runs, false) + "\n" : status_text(cli, runs));
    return kExitDone;
  }
  const RunView run = TRY(view_run(*app, **journal, TRY(find_run(**journal, arguments.positional(0)))));
  cli.print(cli.wants_json() ? status_document({run}, true) + "\n" : status_detail_text(cli, run));
  return kExitDone;
}

Result<int> show_inbox(Cli& cli, const Arguments&) {
  App* app = TRY(cli.app());
  Result<std::unique_ptr<Journal>> journal = open_journal(*app, OpenMode::ReadOnly);
  if (!journal && !is_empty_store(journal.error())) return fail(journal.error());
  const std::vector<InboxItem> items = TRY(inbox(*app, journal ? journal->get() : nullptr));
  if (cli.wants_json()) {
    cli.print(inbox_document(items) + "\n");
    return kExitDone;
  }
  if (items.empty()) cli.print("nothing waits for you\n");
  for (const InboxItem& item : items) {
    cli.print(cli.bold(item.id.text) + "  " + item.kind + " " + printable_line(item.name, 80) + ": " +
              printable_line(item.ask, 600) + "\n");
    for (const std::string& path : item.shows) cli.print("  see " + printable_line(path, 200) + "\n");
    cli.print(printable(item.change));
    const std::string id = shell_quote(item.id.text) + " " + shell_quote(item.name);
    cli.print(item.kind == "gate" ? "  reprise approve " + id + "\n  reprise reject " + id + " --because TEXT\n"
                                  : "  reprise answer " + id + " TEXT\n");
  }
  return kExitDone;
}

// A task pipeline's own report instead of the plan.
Result<int> show_report(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  Result<std::unique_ptr<Journal>> journal = open_journal(*app, OpenMode::ReadOnly);
  if (!journal && !is_empty_store(journal.error())) return fail(journal.error());
  Journal* known = journal ? journal->get() : nullptr;
  const Meant meant = TRY(find_work(*app, known, arguments.positional(0)));
  cli.print(TRY(task_pipeline_report(*app, known, meant, arguments.value("report"), arguments.value("from"))));
  return kExitDone;
}

Result<int> show_plan(Cli& cli, const Arguments& arguments) {
  if (arguments.has("report")) return show_report(cli, arguments);
  const Plan plan = TRY(plan_for(cli, arguments));
  cli.print(cli.wants_json() ? plan_document(plan) + "\n" : plan_text(cli, plan));
  return kExitDone;
}

int finish(Cli& cli, const Result<int>& result) { return result ? *result : cli.report(result.error()); }

}  // namespace

int plan_command(Cli& cli, const Arguments& arguments) { return finish(cli, show_plan(cli, arguments)); }
int why_command(Cli& cli, const Arguments& arguments) { return finish(cli, show_why(cli, arguments)); }
int scan_command(Cli& cli, const Arguments& arguments) { return finish(cli, show_scan(cli, arguments)); }
int status_command(Cli& cli, const Arguments& arguments) { return finish(cli, show_status(cli, arguments)); }
int log_command(Cli& cli, const Arguments& arguments) { return finish(cli, show_log(cli, arguments)); }
int events_command(Cli& cli, const Arguments& arguments) { return finish(cli, show_events(cli, arguments)); }
int inbox_command(Cli& cli, const Arguments& arguments) { return finish(cli, show_inbox(cli, arguments)); }

}  // namespace reprise
