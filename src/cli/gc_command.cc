// gc: removes the runs whose time is over. What belongs to no run is shown and asked about.

#include "app/garbage.h"
#include "base/json_writer.h"
#include "base/strings.h"
#include "cli/arguments.h"
#include "cli/cli.h"
#include "cli/handlers.h"

namespace reprise {
namespace {

constexpr Duration kKeepDefault{30LL * 86'400'000};

std::string as_document(const GcReport& report, bool is_dry) {
  JsonWriter json;
  json.begin_object().field("dry_run", is_dry).key("runs").begin_array();
  for (const RunId& run : report.runs) json.value(run.shown());
  json.end_array().key("removed").begin_array();
  for (const std::string& path : report.removed) json.value(path);
  json.end_array().key("temporary").begin_array();
  for (const std::string& path : report.temporary) json.value(path);
  json.end_array().key("unclaimed").begin_array();
  for (const std::string& path : report.unclaimed) json.value(path);
  json.end_array().key("kept").begin_array();
  for (const GcReport::Kept& kept : report.kept)
    json.begin_object().field("path", kept.path).field("why", kept.why).end_object();
  json.end_array().end_object();
  return json.take() + "\n";
}

void show(Cli& cli, const GcReport& report) {
  for (const RunId& run : report.runs) cli.print("run " + printable_line(run.shown(), 200) + "\n");
  for (const std::string& path : report.removed) cli.print(printable_line(path, 300) + "\n");
  for (const std::string& path : report.temporary) cli.print(printable_line(path, 300) + "\n");
  for (const GcReport::Kept& kept : report.kept)
    cli.say("kept: " + printable_line(kept.path, 300) + ": " + printable_line(kept.why, 300));
  for (const std::string& path : report.unclaimed) cli.say("belongs to no run: " + printable_line(path, 300));
  const bool is_empty = report.runs.empty() && report.removed.empty() && report.temporary.empty();
  if (is_empty && !report.failure) cli.print("nothing to remove\n");
}

Result<int> collect(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  Duration keep = kKeepDefault;
  if (arguments.has("keep")) {
    const std::optional<Duration> given = parse_duration(arguments.value("keep"));
    if (!given) return fail(ErrorKind::Invalid, "--keep wants a duration such as 30d or 12h");
    keep = *given;
  }
  const bool is_dry = arguments.has("dry-run");
  const bool is_asked = !is_dry && !arguments.has("yes");
  const GcReport report = TRY(collect_garbage(
      *app, keep, is_dry ? GcMode::DryRun : (is_asked ? GcMode::Remove : GcMode::RemoveUnclaimed)));
  if (report.failure) {
    if (!cli.wants_json()) show(cli, report);
    return fail(*report.failure);
  }
  if (cli.wants_json()) {
    cli.print(as_document(report, is_dry));
  } else {
    show(cli, report);
  }
  if (!is_asked || report.unclaimed.empty()) return kExitDone;
  if (is_agreed(cli, arguments, "remove what belongs to no run?")) {
    const GcReport rest = TRY(collect_garbage(*app, keep, GcMode::RemoveUnclaimed));
    show(cli, rest);
    if (rest.failure) return fail(*rest.failure);
    return kExitDone;
  }
  cli.say("what belongs to no run was not removed. Do it: reprise gc --yes");
  return kExitWaiting;
}

}  // namespace

int gc_command(Cli& cli, const Arguments& arguments) { return cli.finish(collect(cli, arguments)); }

}  // namespace reprise
