// `resume --all`: what is said while everything is resumed, and the one report at the end.

#include <map>

#include "app/resume_all.h"
#include "base/strings.h"
#include "cli/cli.h"
#include "cli/handlers.h"
#include "cli/layout.h"
#include "cli/resume.h"
#include "os/signals.h"

namespace reprise {
namespace {

constexpr int kRunsAtOnceMax = 64;

int colour_of(const ResumedWork& work) {
  if (work.outcome == "done") return 32;
  return work.outcome == "waiting" || work.outcome == "left" || work.outcome == "held" ? 33 : 31;
}

std::string report_text(const Cli& cli, const ResumeAllReport& report) {
  if (report.work.empty()) return "nothing to resume\n  see what there is: reprise scan --all\n";
  std::string out;
  std::map<std::string, int> counts;
  for (const ResumedWork& work : report.work) {
    ++counts[work.outcome];
    std::string line =
        cli.bold(printable_line(work.id.shown(), 120)) + "  " + cli.colour(work.outcome, colour_of(work));
    if (work.exit != kExitDone) line += " (exit " + std::to_string(work.exit) + ")";
    if (!work.reason.empty()) line += ": " + printable_line(work.reason, 400);
    out += wrapped(line, cli.width(), 4) + "\n";
    if (!work.command.empty()) out += "  " + printable_line(work.command, 2000) + "\n";
  }
  std::string sum;
  for (const auto& [outcome, count] : counts)
    sum += (sum.empty() ? "" : ", ") + std::to_string(count) + " " + outcome;
  return out + wrapped(std::to_string(report.work.size()) + " in all: " + sum, cli.width(), 2) + "\n";
}

Result<ResumeAllRequest> request_of(const Arguments& arguments) {
  ResumeAllRequest request{.mode = value_in(kModeTokens, arguments.value("mode")),
                           .yes = arguments.has("yes"),
                           .with_failed = arguments.has("failed")};
  if (!arguments.positionals.empty()) {
    return fail(Error{.kind = ErrorKind::Invalid, .message = "--all resumes everything; leave the id out"}.hint(
        "reprise resume " + shell_quote(arguments.positional(0))));
  }
  for (const std::string option : {"from", "detach", "plan", "brief"}) {
    if (!arguments.has(option)) continue;
    return fail(
        Error{.kind = ErrorKind::Invalid, .message = "--" + option + " is for one run, not for --all"}.hint(
            "reprise resume --all"));
  }
  if (arguments.has("parallel")) {
    const std::optional<long long> given = parse_number(arguments.value("parallel"), kRunsAtOnceMax);
    if (!given || *given == 0) {
      Error error{.kind = ErrorKind::Invalid,
                  .message = "--parallel wants a number from 1 to " + std::to_string(kRunsAtOnceMax)};
      return fail(std::move(error).hint("reprise resume --all --parallel 2"));
    }
    request.parallel = static_cast<int>(*given);
  }
  return request;
}

Result<int> resume_everything(Cli& cli, const Arguments& arguments) {
  const ResumeAllRequest request = TRY(request_of(arguments));
  App* app = TRY(cli.app());
  SignalWatch signals = TRY(SignalWatch::start());
  const ResumeAllReport report = TRY(resume_all(*app, request, signals, [&](const std::string& line) {
    if (!cli.is_quiet() && !cli.wants_json()) cli.say(line);
  }));
  cli.print(cli.wants_json() ? resume_all_document(report) + "\n" : report_text(cli, report));
  if (request.mode && !report.work.empty() && !cli.is_quiet() && !cli.wants_json()) {
    cli.say(wrapped("mode " + std::string(to_token(*request.mode)) +
                        " stays with these runs until a resume is given another --mode",
                    cli.width(), 2));
  }
  return report.exit;
}

}  // namespace

int resume_all_command(Cli& cli, const Arguments& arguments) {
  return cli.finish(resume_everything(cli, arguments));
}

}  // namespace reprise
