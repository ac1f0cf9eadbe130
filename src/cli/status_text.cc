#include "cli/status_text.h"

#include <algorithm>

#include "base/strings.h"
#include "cli/layout.h"

namespace reprise {
namespace {

constexpr int kNarrow = 60;  // below this a time is shown without its year and its seconds
constexpr std::size_t kEntriesFirst = 2;
constexpr std::size_t kEntriesLast = 38;

// "not needed" of not_needed.
std::string spelled_out(std::string_view token) {
  std::string words(token);
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::string step_counts(const RunView& run) {
  std::string text;
  for (const auto& [status, token] : kStepStatusTokens) {
    const auto found = run.counts.find(status);
    if (found != run.counts.end())
      text += (text.empty() ? "" : ", ") + std::to_string(found->second) + " " + spelled_out(token);
  }
  return text;
}

void append_padded(std::string& line, std::string_view text, int width) {
  line.append(text).append(static_cast<std::size_t>(std::max(0, width - columns_of(text))), ' ');
}

// A line of details, indented; what is too long goes on below itself.
std::string detail(const Cli& cli, const std::string& text) { return wrapped("  " + text, cli.width(), 4) + "\n"; }

// "2026-11-15T10:00:00Z", or "11-15 10:00" where there is little room.
std::string short_time(Timestamp at, int width) {
  const std::string whole = to_text(at);
  return width >= kNarrow ? whole : whole.substr(5, 5) + " " + whole.substr(11, 5);
}

std::string line_of(const TimelineEntry& entry, TimelineLayout layout) {
  const std::string time = "  " + short_time(entry.at, layout.width) + " ";
  const int margin = columns_of(time);
  const std::string text = printable_line(entry.text, layout.whole ? 2'000 : 400);
  return (layout.whole ? wrapped(time + text, layout.width, margin) : shortened(time + text, layout.width)) + "\n";
}

}  // namespace

int status_colour(RunStatus status) {
  switch (status) {
    case RunStatus::Done: return 32;
    case RunStatus::Failed:
    case RunStatus::Unknown: return 31;
    case RunStatus::Running: return 36;
    default: return 33;
  }
}

std::string status_text(const Cli& cli, std::span<const RunView> runs) {
  std::string out;
  for (const RunView& run : runs) {
    out +=
        cli.bold(run.id.shown()) + "  " + cli.colour(std::string(to_token(run.status)), status_colour(run.status));
    if (!run.stage.empty() && run.status != RunStatus::Done) out += " at " + run.stage;
    out += "\n";
    std::string counts = step_counts(run) + "; updated " + to_text(run.updated_at);
    if (run.resume_count > 0) counts += "; resumed " + std::to_string(run.resume_count) + " time(s)";
    out += detail(cli, counts);
    if (run.owner && run.owner->alive) {
      out += detail(cli, "owned by process " + std::to_string(run.owner->pid) + " on " +
                             printable_line(run.owner->host, 80));
      out += "  watch it: reprise attach " + shell_quote(run.id.shown()) + "\n";
    }
    if (!run.reason.empty()) out += detail(cli, printable_line(run.reason, 400));
    for (const Waiting& item : run.waiting_for) {
      out += detail(cli, "waits for " + item.kind + " " + printable_line(item.name, 80) + ": " +
                             printable_line(item.ask, 300));
    }
    if (run.status == RunStatus::Interrupted || run.status == RunStatus::Failed) {
      out += "  go on: reprise resume " + shell_quote(run.id.shown()) + "\n";
    }
  }
  return out;
}

std::string status_detail_text(const Cli& cli, const RunView& run) {
  std::string out = status_text(cli, std::span(&run, 1));
  int widest = 4;
  for (const StepView& step : run.steps) widest = std::max(widest, std::min(40, columns_of(step.step.text)));
  out.reserve(out.size() + run.steps.size() * static_cast<std::size_t>(widest + 40));
  std::string line;
  for (const StepView& step : run.steps) {
    line.assign("  ");
    append_padded(line, spelled_out(to_token(step.status)), 11);
    line += ' ';
    append_padded(line, step.step.text, step.attempt > 0 && cli.width() >= kNarrow ? widest : 0);
    if (step.attempt > 0) line.append("  attempt ").append(std::to_string(step.attempt));
    if (step.started_at && step.finished_at)
      line.append(", ").append(to_text(*step.finished_at - *step.started_at));
    const bool says_exit = step.reason.starts_with("exit ") && step.status != StepStatus::Done;
    if (step.exit_code && *step.exit_code != 0 && !says_exit) line += ", exit " + std::to_string(*step.exit_code);
    if (!step.reason.empty() && step.status != StepStatus::Done) line += ": " + printable_line(step.reason, 300);
    out.append(wrapped(line, cli.width(), 14)).append("\n");
  }
  return out;
}

std::string timeline_text(const std::vector<TimelineEntry>& entries, TimelineLayout layout) {
  std::string out = entries.empty() ? "" : "timeline\n";
  bool is_cut = false;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const bool is_many = entries.size() > kEntriesFirst + kEntriesLast;
    if (!layout.whole && is_many && i == kEntriesFirst) {
      const std::size_t left_out = entries.size() - kEntriesFirst - kEntriesLast;
      out += "  … " + std::to_string(left_out) + " more (--verbose shows them)\n";
      i += left_out;
    }
    const std::string line = line_of(entries[i], layout);
    is_cut = is_cut || line.ends_with("…\n");
    out += line;
  }
  if (is_cut) out += "  (--verbose shows whole lines)\n";
  return out;
}

}  // namespace reprise
