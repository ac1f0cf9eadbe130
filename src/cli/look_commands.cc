// Commands that look and change nothing: scan, log, events, inbox.

#include <algorithm>

#include "app/documents.h"
#include "app/logs.h"
#include "app/scan.h"
#include "app/status.h"
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
      cli.pass_on(json.take() + "\n");
    } else {
      if (offset == 0 && with_header) {
        cli.print(
            cli.bold("== " + stream.step.text + " attempt " + std::to_string(stream.attempt) + " " + stream.name) +
            "\n");
      }
      cli.pass_on(filter.feed(*part));
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
        cli.pass_on(event_document(run, event) + "\n");
      } else {
        cli.pass_on(std::to_string(event.number.value) + "  " + to_text(event.at) + "  " +
                    std::string(kind_of(event.event)) + "  " + printable_line(encode(event.event), 300) + "\n");
      }
    }
    if (!events.empty()) continue;
    const std::optional<Owner> owner = TRY(journal->owner(run));
    if (!arguments.has("follow") || !owner || !owner->alive) return kExitDone;
    pause_for(kFollowPause);
  }
}

Result<int> show_scan(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  const ScanResult result = TRY(
      scan(*app,
           {.system = arguments.value("system"), .about = arguments.value("about"), .all = arguments.has("all")}));
  cli.print(cli.wants_json() ? scan_document(result) + "\n" : scan_text(cli, result, arguments.has("all")));
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

}  // namespace

int scan_command(Cli& cli, const Arguments& arguments) { return cli.finish(show_scan(cli, arguments)); }
int log_command(Cli& cli, const Arguments& arguments) { return cli.finish(show_log(cli, arguments)); }
int events_command(Cli& cli, const Arguments& arguments) { return cli.finish(show_events(cli, arguments)); }
int inbox_command(Cli& cli, const Arguments& arguments) { return cli.finish(show_inbox(cli, arguments)); }

}  // namespace reprise
