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

// The output of a run's attempts as it is printed: one stream after the other, or as they grow.
class LogPrinter {
 public:
  /// Control sequences are removed from what is printed. That may put a secret together that was stored in pieces,
  /// so `masker` looks at it again.
  LogPrinter(Cli& cli, App& app, Masker masker) : cli_(cli), app_(app), masker_(std::move(masker)) {}

  /// Prints what the streams have now that was not printed yet; nothing is held back if they are at their ends.
  void print(const std::vector<OutputStream>& streams, bool are_ended) {
    for (const OutputStream& stream : streams) {
      Seen& seen = seen_.try_emplace(stream.path, Seen{.filter = {}, .masker = masker_}).first->second;
      print_stream(stream, seen);
      if (are_ended) show(stream, seen.finish());
    }
  }

  /// Says of ended attempts that they printed nothing: of all that failed, and of each that was asked for.
  void print_silent(const std::vector<OutputStream>& streams, Journal& journal, const RunState& state,
                    bool is_asked) {
    if (cli_.wants_json()) return;
    for (std::size_t i = 0; i + 1 < streams.size(); i += 2) {  // stdout and stderr of one attempt
      const OutputStream& stream = streams[i];
      const StepState& step = *state.find_step(stream.step);
      const bool is_last = stream.attempt == step.attempts;
      if (seen_.at(stream.path).offset > 0 || seen_.at(streams[i + 1].path).offset > 0) continue;
      if (is_last && step.record == StepState::Record::Open) continue;
      const bool has_failed = is_last && step.record == StepState::Record::Failed;
      if (!is_asked && !has_failed) continue;
      print_heading(stream.step.text + " attempt " + std::to_string(stream.attempt));
      cli_.print(is_last ? "no output; " + end_of(step) + "\n" : "no output\n");
      const std::string command = command_of_step(app_, journal, state, stream.step, masker_);
      if (!command.empty()) cli_.pass_on("command: " + printable_line(command, 2'000) + "\n");
    }
  }

 private:
  struct Seen {
    std::int64_t offset = 0;
    TerminalFilter filter;
    Masker masker;

    std::string feed(std::string_view part) {
      std::string out;
      masker.feed(filter.feed(part), out);
      return out;
    }
    std::string finish() {
      std::string out;
      masker.feed(filter.finish(), out);
      masker.finish(out);
      return out;
    }
  };

  static std::string end_of(const StepState& step) {
    if (step.exit_code) return "exit " + std::to_string(*step.exit_code);
    if (step.signal != 0) return "signal " + std::to_string(step.signal);
    return printable_line(*step.reason, 300);
  }

  void print_heading(const std::string& text) {
    if (!ends_line_) cli_.pass_on("\n");
    ends_line_ = true;
    cli_.print(cli_.bold("== " + text) + "\n");
  }

  void print_stream(const OutputStream& stream, Seen& seen) {
    while (!cli_.has_lost_stdout()) {
      const Result<std::string> part = app_.files.read_part(stream.path, seen.offset, 1u << 16);
      if (!part || part->empty()) return;
      seen.offset += static_cast<std::int64_t>(part->size());
      if (cli_.wants_json()) {
        print_json(stream, *part);
      } else {
        show(stream, seen.feed(*part));
      }
    }
  }

  // Streams that grow at the same time take turns: each turn has its heading.
  void show(const OutputStream& stream, const std::string& text) {
    if (text.empty()) return;
    if (stream.path != last_)
      print_heading(stream.step.text + " attempt " + std::to_string(stream.attempt) + " " + stream.name);
    last_ = stream.path;
    cli_.pass_on(text);
    ends_line_ = text.back() == '\n';
  }

  void print_json(const OutputStream& stream, const std::string& part) {
    JsonWriter json;
    json.begin_object()
        .field("step", stream.step.text)
        .field("attempt", stream.attempt)
        .field("stream", stream.name);
    cli_.pass_on(json.field("text", printable(part)).end_object().take() + "\n");
  }

  Cli& cli_;
  App& app_;
  Masker masker_;
  std::map<std::filesystem::path, Seen> seen_;
  std::filesystem::path last_;  // the stream that was printed last
  bool ends_line_ = true;
};

// Whether more may be written: a process works on the run, or its first session has not begun yet, as right after
// `run --detach`.
Result<bool> may_grow(Journal& journal, const RunId& run) {
  const std::optional<Owner> owner = TRY(journal.owner(run));
  if (owner && owner->alive) return true;
  const RunState state = TRY(journal.state(run));
  return !state.is_ended() && !state.was_worked_on();
}

Result<int> show_log(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  const std::unique_ptr<Journal> journal = TRY(open_journal(*app, OpenMode::ReadOnly));
  const RunId run = TRY(find_run(*journal, arguments.positional(0)));
  const std::string wanted = arguments.positional(1);
  LogPrinter printer(cli, *app, masker_of_run(*app, *journal, TRY(journal->state(run))));
  bool has_said_waiting = false;
  for (;;) {
    // Asked first: what was written before the answer is printed below.
    const bool is_live = arguments.has("follow") && TRY(may_grow(*journal, run));
    const RunState state = TRY(journal->state(run));
    const std::vector<OutputStream> streams = output_streams(*app, state, wanted);
    if (streams.empty() && !wanted.empty() && !arguments.has("follow")) {
      return fail(ErrorKind::NotFound,
                  "run " + run.shown() + " has no attempt of step \"" + printable_line(wanted, 80) + "\"");
    }
    const bool is_over = !is_live || state.is_ended();
    printer.print(streams, is_over);
    if (is_over || cli.has_lost_stdout()) {
      printer.print_silent(streams, *journal, state, !wanted.empty());
      return kExitDone;
    }
    if (!state.was_worked_on() && !has_said_waiting) {
      cli.say("waiting for the first session of " + printable_line(run.shown(), 200));
      has_said_waiting = true;
    }
    pause_for(kFollowPause);
  }
}

Result<int> show_events(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  const std::unique_ptr<Journal> journal = TRY(open_journal(*app, OpenMode::ReadOnly));
  const RunId run = TRY(find_run(*journal, arguments.positional(0)));
  EventNumber last{0};
  for (;;) {
    const bool is_live = arguments.has("follow") && TRY(may_grow(*journal, run));
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
    if (!is_live || cli.has_lost_stdout()) return kExitDone;
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
    cli.print(cli.bold(item.id.shown()) + "  " + item.kind + " " + printable_line(item.name, 80) + ": " +
              printable_line(item.kind == "question" ? with_options(item.ask, item.options) : item.ask, 600) +
              "\n");
    for (const std::string& path : item.shows) cli.print("  see " + printable_line(path, 200) + "\n");
    cli.print(printable(item.change));
    const std::string id = shell_quote(item.id.shown()) + " " + shell_quote(item.name);
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
