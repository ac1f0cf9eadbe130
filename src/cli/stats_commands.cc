// Commands about what was: status, with the timeline of a run, and stats over all of them.

#include <algorithm>
#include <cstdio>

#include "app/documents.h"
#include "app/run_history.h"
#include "app/stats.h"
#include "app/status.h"
#include "base/strings.h"
#include "cli/cli.h"
#include "cli/handlers.h"
#include "cli/layout.h"
#include "cli/status_text.h"

namespace reprise {
namespace {

constexpr std::string_view kNothingYet = "nothing has run here yet; `reprise workflow list` shows what could\n";

// No journal means that nothing has run here: an answer, not an error.
Result<int> show_one(Cli& cli, App& app, Journal& journal, const std::string& text) {
  RunView run = TRY(view_run(app, journal, TRY(find_run(journal, text))));
  RunHistory history = TRY(read_history(journal, run.id, is_on_timeline));
  if (!history.sessions.empty())
    history.sessions.back().ending = ending_by_lease(history.sessions.back(), run.owner);
  run.timeline = timeline_of(history.events, std::move(history.sessions));
  if (cli.wants_json()) {
    cli.print(status_document(std::span(&run, 1), true) + "\n");
  } else {
    cli.print(status_detail_text(cli, run) +
              timeline_text(run.timeline, {.width = cli.width(), .whole = cli.is_verbose()}));
  }
  return kExitDone;
}

Result<int> show_status(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  Result<std::unique_ptr<Journal>> journal = open_journal(*app, OpenMode::ReadOnly);
  if (!journal && is_empty_store(journal.error()) && arguments.positionals.empty()) {
    cli.print(cli.wants_json() ? status_document({}, false) + "\n" : std::string(kNothingYet));
    return kExitDone;
  }
  if (!journal) return fail(journal.error());
  if (!arguments.positionals.empty()) return show_one(cli, *app, **journal, arguments.positional(0));
  const std::vector<RunView> runs = TRY(view_runs(*app, **journal));
  cli.print(cli.wants_json() ? status_document(runs, false) + "\n" : status_text(cli, runs));
  return kExitDone;
}

std::string in_dollars(double usd) {
  char text[64];
  std::snprintf(text, sizeof text, "$%.2f", usd);
  return text;
}

std::string words_for(const SavedWork& work) {
  std::string text = std::to_string(work.steps) + " step(s), " + to_text(work.time);
  return work.cost_usd > 0 ? text + ", " + in_dollars(work.cost_usd) : text;
}

// The rows of a table, the largest number first, names cut to what fits.
std::string table(const std::string& title, std::vector<std::pair<std::string, std::string>> rows, int width) {
  if (rows.empty()) return "";
  int widest = 0;
  for (const auto& [name, value] : rows) widest = std::max(widest, columns_of(value));
  std::string out = title + "\n";
  for (const auto& [name, value] : rows) {
    const std::string right(static_cast<std::size_t>(widest - columns_of(value)), ' ');
    out += "  " + right + value + "  " + shortened(printable_line(name, 200), width - widest - 4) + "\n";
  }
  return out;
}

std::string stops_text(const Stats& stats, int width) {
  std::vector<std::pair<int, std::string>> counted;
  for (const auto& [where, count] : stats.stops) {
    const std::string stage = where.second.empty() ? "between steps" : "at " + where.second;
    counted.emplace_back(count, where.first + " " + stage);
  }
  std::ranges::stable_sort(counted, std::greater<>(), &std::pair<int, std::string>::first);
  std::vector<std::pair<std::string, std::string>> rows;
  for (const auto& [count, name] : counted) rows.emplace_back(name, std::to_string(count));
  return table("where runs stopped", std::move(rows), width);
}

std::string stats_text(const Stats& stats, int width) {
  const auto line = [&](std::string_view name, const std::string& text) {
    return wrapped(padded(name, 9) + text, width, 9) + "\n";
  };
  std::string out =
      line("runs", std::to_string(stats.runs) + ": " + std::to_string(stats.done) + " done, " +
                       std::to_string(stats.failed) + " failed, " + std::to_string(stats.stopped) + " stopped, " +
                       std::to_string(stats.unfinished) + " not finished" +
                       (stats.archived > 0 ? "; " + std::to_string(stats.archived) + " of them set aside" : ""));
  out += line("sessions",
              std::to_string(stats.sessions) + ", of which " + std::to_string(stats.resumes) + " resumed a run");
  out += line("worked", words_for(stats.worked));
  out += line("saved", words_for(stats.saved) + ": what resuming did not have to do again");
  if (stats.asked > 0) {
    out += line("waited",
                to_text(stats.waited) + " for people, who were asked " + std::to_string(stats.asked) + " time(s)");
  }
  out += stops_text(stats, width);
  std::vector<std::pair<std::string, std::string>> rows;
  for (const auto& [cause, count] : stats.retries) rows.emplace_back(cause, std::to_string(count));
  if (stats.same_error > 0)
    rows.emplace_back("given up: the same error again and again", std::to_string(stats.same_error));
  out += table("tried again because of", std::move(rows), width);
  rows.clear();
  for (const LongStep& step : stats.longest)
    rows.emplace_back(step.run.shown() + " " + step.step.text, to_text(step.took));
  out += table("longest steps", std::move(rows), width);
  for (const UncountedRun& run : stats.uncounted) {
    out += wrapped("not counted: " + printable_line(run.id.shown(), 100) + ": " + printable_line(run.why, 400),
                   width, 2);
    out += "\n  reprise verify\n";
  }
  return out;
}

Result<int> show_stats(Cli& cli) {
  App* app = TRY(cli.app());
  Result<std::unique_ptr<Journal>> journal = open_journal(*app, OpenMode::ReadOnly);
  if (!journal && !is_empty_store(journal.error())) return fail(journal.error());
  const Stats stats = journal ? TRY(count_runs(**journal, app->clock.now())) : Stats{};
  const bool is_empty = stats.runs == 0 && stats.uncounted.empty();
  cli.print(cli.wants_json() ? stats_document(stats) + "\n"
            : is_empty       ? std::string(kNothingYet)
                             : stats_text(stats, cli.width()));
  return kExitDone;
}

}  // namespace

int status_command(Cli& cli, const Arguments& arguments) { return cli.finish(show_status(cli, arguments)); }
int stats_command(Cli& cli, const Arguments&) { return cli.finish(show_stats(cli)); }

}  // namespace reprise
