#include "cli/desk_screen.h"

#include <algorithm>

#include "base/strings.h"
#include "cli/layout.h"

namespace reprise {
namespace {

constexpr int kWideRow = 64;       // from this width on a row says where the work stopped
constexpr int kTrustColumns = 11;  // "10 warnings"
constexpr int kAgeColumns = 4;
constexpr int kDetailsMax = 9;
constexpr Duration kWorthTelling{1000};
constexpr std::size_t kClaimsMax = 4;
constexpr std::size_t kIgnoredMax = 5;

std::string painted(const DeskView& view, std::string_view text, int code) {
  return view.colour ? "\x1b[" + std::to_string(code) + "m" + std::string(text) + "\x1b[0m" : std::string(text);
}

int colour_of(const DeskEntry& entry) {
  switch (trust_of(entry).kind) {
    case TrustKind::Clean: return 32;
    case TrustKind::Warnings: return 33;
    case TrustKind::Conflicts:
    case TrustKind::Damaged: return 31;
    default: return 2;
  }
}

std::string title_of(const DeskEntry& entry) {
  std::string title = printable_line(entry.candidate().id.shown(), 120);
  if (entry.members.size() > 1) title += " +" + std::to_string(entry.members.size() - 1);
  return title;
}

// Where it goes on, or else where its file says that it stopped.
std::string stage_of(const DeskEntry& entry) {
  if (entry.plan && entry.plan->resume_point)
    return printable_line(entry.plan->decisions[*entry.plan->resume_point].step.text, 60);
  return printable_line(entry.candidate().stage, 60);
}

// What fits beside everything that has a fixed place; at least a few letters of it.
std::string fitted(std::string_view text, int columns) {
  return padded(shortened(text, std::max(4, columns)), std::max(4, columns));
}

std::string row_of(const DeskView& view, std::size_t index) {
  const DeskEntry& entry = view.desk->entries[view.shown[index]];
  const bool is_selected = index == view.selected;
  const int digits = static_cast<int>(std::to_string(view.shown.size()).size());
  std::string number = std::to_string(index + 1);
  number.insert(0, static_cast<std::size_t>(std::max(0, digits - static_cast<int>(number.size()))), ' ');
  const int room = view.width - 1 - 2 - digits - 2 - kAgeColumns - 2 - kTrustColumns - 2;
  const bool is_wide = view.width >= kWideRow;
  const int title = is_wide ? room * 11 / 20 - 1 : room;
  std::string line = std::string(is_selected ? "> " : "  ") + number + "  ";
  const std::string name = fitted(title_of(entry), title);
  line += is_selected ? painted(view, name, 1) : name;
  if (is_wide) line += "  " + fitted(where_words(entry), room - title - 2);
  line += "  " + padded(short_age(entry.candidate().age), kAgeColumns);
  return line + "  " + painted(view, trust_words(entry), colour_of(entry));
}

// "name  text", the text wrapped behind the name.
void add_field(std::vector<std::string>& lines, std::string_view name, const std::string& text, int width) {
  const std::string all = wrapped("  " + padded(name, 9) + " " + text, width, 12);
  for (const std::string_view line : split(all, '\n')) lines.emplace_back(shortened(line, width));
}

void add_findings(std::vector<std::string>& lines, const DeskEntry& entry, int width) {
  if (!entry.plan) return;
  for (const Severity severity : {Severity::Blocking, Severity::Warning}) {
    for (const Finding& finding : entry.plan->findings) {
      if (finding.severity != severity) continue;
      add_field(lines, severity == Severity::Blocking ? "conflict" : "warning",
                printable_line(finding.message, 300), width);
      if (!finding.remedy.empty()) add_field(lines, "way out", printable_line(finding.remedy, 300), width);
    }
  }
}

void add_claims(std::vector<std::string>& lines, const DeskEntry& entry, int width) {
  const std::vector<DeskClaim> claims = claims_of(entry);
  if (claims.size() < 2) return;
  const Timestamp now = entry.candidate().updated_at + entry.candidate().age;
  std::size_t shown = 0;
  for (const DeskClaim& claim : claims) {
    if (++shown > kClaimsMax) break;
    std::string text = printable_line(claim.who, 120);
    if (!claim.says.empty()) text += ": " + printable_line(claim.says, 120);
    text += ", " + to_text(std::max(Duration(0), now - claim.at)) + " ago";
    add_field(lines, shown == 1 ? "newest" : "older", text, width);
  }
  if (claims.size() > kClaimsMax)
    add_field(lines, "", "and " + count_of(claims.size() - kClaimsMax, "more file"), width);
}

// All that is known of one entry, the most important first: a small screen shows its beginning.
std::vector<std::string> details_of(const DeskEntry& entry, int width) {
  const Candidate& candidate = entry.candidate();
  std::vector<std::string> lines;
  const std::string stage = candidate.damaged ? "" : stage_of(entry);
  add_field(lines, rank_of(entry) == DeskRank::Running ? "works" : "stopped",
            (stage.empty() ? "" : "at " + stage + ", ") + to_text(candidate.age) + " ago", width);
  if (!entry.problem.empty()) add_field(lines, "unclear", printable_line(entry.problem, 300), width);
  for (const Waiting& waiting : entry.plan ? entry.plan->waiting_for : std::vector<Waiting>()) {
    add_field(lines, "waits for",
              waiting.kind + " " + printable_line(waiting.name, 80) + ": " + printable_line(waiting.ask, 300),
              width);
  }
  add_findings(lines, entry, width);
  const std::string disagreement = disagreement_of(entry);
  if (!disagreement.empty()) add_field(lines, "warning", printable_line(disagreement, 400), width);
  if (candidate.damaged && !entry.plan) add_field(lines, "damaged", printable_line(candidate.why, 300), width);
  add_field(lines, "next", next_words(entry), width);
  add_claims(lines, entry, width);
  if (!candidate.state_file.empty()) add_field(lines, "file", printable_line(candidate.state_file, 200), width);
  return lines;
}

std::string headline(const DeskView& view) {
  const std::vector<DeskEntry>& entries = view.desk->entries;
  const auto count = [&](DeskRank rank) {
    return static_cast<std::size_t>(
        std::ranges::count_if(entries, [&](const DeskEntry& entry) { return rank_of(entry) == rank; }));
  };
  const std::size_t running = count(DeskRank::Running);
  std::string text = count_of(entries.size() - running, "piece") + " of interrupted work";
  if (const std::size_t waiting = count(DeskRank::Waits); waiting > 0)
    text += ", " + std::to_string(waiting) + (waiting == 1 ? " waits for you" : " wait for you");
  if (running > 0) text += ", " + std::to_string(running) + " running";
  return text;
}

std::vector<std::string> footer_of(const DeskView& view) {
  if (view.is_filtering) {
    return {shortened("filter: " + printable_line(view.filter, 80) + "_", view.width - 1),
            shortened("enter keeps it, esc drops it", view.width - 1)};
  }
  static constexpr std::string_view kKeys[] = {"enter resume", "p plan",    "w why",     "l log",   "d diff",
                                               "a approve",    "f fresh",   "c cleanup", "i inbox", "o other",
                                               "/ filter",     "g refresh", "? help",    "q quit"};
  std::vector<std::string> lines = {""};
  for (const std::string_view key : kKeys) {
    const int takes = columns_of(key) + (lines.back().empty() ? 0 : 2);
    if (columns_of(lines.back()) + takes > view.width - 1) lines.emplace_back();
    if (!lines.back().empty()) lines.back() += "  ";
    lines.back() += key;
  }
  return lines;
}

void add_notes(const DeskView& view, std::vector<std::string>& lines) {
  for (const std::string& problem : view.desk->problems)
    lines.push_back(shortened("problem: " + printable_line(problem, 400), view.width - 1));
  if (!view.filter.empty() && !view.is_filtering) {
    lines.push_back(shortened("only what has \"" + printable_line(view.filter, 60) +
                                  "\": " + count_of(view.shown.size(), "row") + "  (/ changes it, esc drops it)",
                              view.width - 1));
  }
}

// How the lines of the screen are shared out. The details have a fixed share, so that the list stays still while
// the selection moves through it.
struct Shares {
  std::size_t rows = 0;
  std::size_t details = 0;
};
Shares shares_of(const DeskView& view, std::size_t above, std::size_t below) {
  const int room = std::max(1, view.height - 1 - static_cast<int>(above + below));
  const int wanted = static_cast<int>(view.shown.size());
  const int kept_for_details = std::clamp(room - 5, 0, kDetailsMax + 2);
  const int rows = std::clamp(wanted, 1, std::max(1, room - kept_for_details));
  return {.rows = static_cast<std::size_t>(rows), .details = static_cast<std::size_t>(std::max(0, room - rows))};
}

std::vector<std::string> above_list(const DeskView& view) {
  std::vector<std::string> lines;
  const std::string title =
      wrapped(painted(view, printable_line(view.project, 40), 1) + ": " + headline(view), view.width - 1, 2);
  for (const std::string_view line : split(title, '\n')) lines.emplace_back(line);
  add_notes(view, lines);
  lines.emplace_back();
  return lines;
}

std::vector<std::string> below_list(const DeskView& view) {
  std::vector<std::string> lines = {""};
  if (!view.message.empty()) {
    const std::string text = wrapped(printable_line(view.message, 400), view.width - 1, 2);
    for (const std::string_view line : split(text, '\n')) lines.emplace_back(line);
  }
  for (std::string& line : footer_of(view)) lines.push_back(std::move(line));
  return lines;
}

}  // namespace

std::string short_age(Duration age) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(age).count();
  if (seconds >= 86'400) return std::to_string(seconds / 86'400) + "d";
  if (seconds >= 3'600) return std::to_string(seconds / 3'600) + "h";
  if (seconds >= 60) return std::to_string(seconds / 60) + "m";
  return std::to_string(std::max<decltype(seconds + 0)>(0, seconds)) + "s";
}

std::string trust_words(const DeskEntry& entry) {
  if (rank_of(entry) == DeskRank::Running) return "running";
  const Trust trust = trust_of(entry);
  switch (trust.kind) {
    case TrustKind::Unseen: return "…";
    case TrustKind::Clean: return "clean";
    case TrustKind::Warnings: return count_of(static_cast<std::size_t>(trust.warnings), "warning");
    case TrustKind::Conflicts: return count_of(static_cast<std::size_t>(trust.conflicts), "conflict");
    case TrustKind::Damaged: return "damaged";
  }
  return "";
}

std::string where_words(const DeskEntry& entry) {
  const Candidate& candidate = entry.candidate();
  if (candidate.damaged) return "cannot be read";
  const bool waits = rank_of(entry) == DeskRank::Waits;
  if (waits && entry.plan && !entry.plan->waiting_for.empty())
    return "waits for " + printable_line(entry.plan->waiting_for.front().name, 60);
  const std::string stage = stage_of(entry);
  std::string text = candidate.status == RunStatus::Failed    ? "failed"
                     : candidate.status == RunStatus::Running ? "running"
                     : waits                                  ? "waits for you"
                                                              : "";
  if (!stage.empty()) text += (text.empty() ? "at " : " at ") + stage;
  return text.empty() ? std::string(to_token(candidate.status)) : text;
}

std::string next_words(const DeskEntry& entry) {
  const std::string command = printable_line(next_command(entry), 400);
  if (rank_of(entry) == DeskRank::Running) return "watch it: " + command;
  if (!entry.plan) return "not looked at yet: " + command;
  const Plan& plan = *entry.plan;
  std::string saved;
  if (plan.saved_steps > 0) {
    saved = ", keeps " + count_of(static_cast<std::size_t>(plan.saved_steps), "finished step");
    if (plan.saved_time >= kWorthTelling) saved += " (" + to_text(plan.saved_time) + " of work)";
  }
  if (plan.again_steps > 0) {
    saved += ", does " + count_of(static_cast<std::size_t>(plan.again_steps), "step") + " again";
    if (plan.again_time >= kWorthTelling) saved += " (" + to_text(plan.again_time) + ")";
  }
  const auto left = static_cast<std::size_t>(
      std::ranges::count_if(plan.decisions, [](const StepDecision& d) { return d.decision != Decision::Keep; }));
  switch (plan.readiness) {
    case Readiness::Done: return "nothing is left to do";
    case Readiness::Fresh: return "it cannot go on; " + command;
    case Readiness::Blocked: return "cannot go on yet; " + command;
    case Readiness::Wait: return "waits for you" + saved;
    default: break;
  }
  if (!plan.resume_point) return "goes on" + saved + ": " + command;
  return "goes on at " + printable_line(plan.decisions[*plan.resume_point].step.text, 80) + saved + ", " +
         count_of(left, "step") + " to go";
}

void apply_filter(DeskView& view) {
  const std::size_t was = view.shown.empty() ? 0 : view.shown[view.selected];
  view.shown.clear();
  for (std::size_t i = 0; i < view.desk->entries.size(); ++i) {
    if (view.filter.empty() || is_about(view.desk->entries[i], view.filter)) view.shown.push_back(i);
  }
  const auto still = std::ranges::find(view.shown, was);
  view.selected = still == view.shown.end() ? 0 : static_cast<std::size_t>(still - view.shown.begin());
  scroll_to_selected(view);
}

std::size_t rows_on_screen(const DeskView& view) {
  return shares_of(view, above_list(view).size(), below_list(view).size()).rows;
}

void scroll_to_selected(DeskView& view) {
  const std::size_t rows = rows_on_screen(view);
  if (view.selected < view.top) view.top = view.selected;
  if (view.selected >= view.top + rows) view.top = view.selected - rows + 1;
  const std::size_t last = view.shown.size() > rows ? view.shown.size() - rows : 0;
  view.top = std::min(view.top, last);
}

std::vector<std::string> desk_frame(const DeskView& view) {
  std::vector<std::string> lines = above_list(view);
  const std::vector<std::string> below = below_list(view);
  const Shares shares = shares_of(view, lines.size(), below.size());
  const std::size_t end = std::min(view.shown.size(), view.top + shares.rows);
  for (std::size_t i = view.top; i < end; ++i) lines.push_back(row_of(view, i));
  if (view.shown.empty()) lines.push_back(shortened("  nothing has this in it", view.width - 1));
  if (const DeskEntry* entry = view.entry(); entry != nullptr && shares.details > 2) {
    std::vector<std::string> details = details_of(*entry, view.width - 1);
    if (view.shown.size() > shares.rows) {
      lines.push_back(shortened("  " + std::to_string(view.top + 1) + " to " + std::to_string(end) + " of " +
                                    std::to_string(view.shown.size()),
                                view.width - 1));
    } else {
      lines.emplace_back();
    }
    lines.push_back(
        painted(view, shortened(printable_line(entry->candidate().id.shown(), 120), view.width - 1), 1));
    const std::size_t room = shares.details - 2;
    const bool is_cut = details.size() > room;
    details.resize(std::min(details.size(), room));
    if (is_cut && !details.empty()) details.back() = shortened("  … p shows all of it", view.width - 1);
    std::ranges::move(details, std::back_inserter(lines));
  }
  lines.insert(lines.end(), below.begin(), below.end());
  const auto most = static_cast<std::size_t>(std::max(1, view.height - 1));
  if (lines.size() > most) lines.resize(most);
  for (std::string& line : lines) line = shortened(line, view.width - 1);  // narrower than a row can be made
  return lines;
}

std::string desk_empty_text(const Desk& desk, int width) {
  std::string text;
  for (const std::string& problem : desk.problems)
    text += wrapped("problem: " + printable_line(problem, 400), width, 2) + "\n";
  return text +
         "nothing was interrupted here\n"
         "  see finished work:  reprise scan --all\n"
         "  start something:    reprise run WORKFLOW    (reprise workflow list)\n";
}

std::string desk_text(const DeskView& view) {
  std::string text = wrapped(view.project + ": " + headline(view), view.width, 2) + "\n";
  for (const std::string& problem : view.desk->problems)
    text += wrapped("problem: " + printable_line(problem, 400), view.width, 2) + "\n";
  for (std::size_t i = 0; i < view.shown.size(); ++i) {
    const DeskEntry& entry = view.desk->entries[view.shown[i]];
    const std::string number = std::to_string(i + 1) + "  ";
    text += "\n" +
            wrapped(number + painted(view, title_of(entry), 1) + "  " +
                        painted(view, trust_words(entry), colour_of(entry)),
                    view.width, 4) +
            "\n";
    for (const std::string& line : details_of(entry, view.width)) text += line + "\n";
    text += "  type      " + printable_line(next_command(entry), 400) + "\n";
  }
  std::size_t listed = 0;
  for (const IgnoredFile& file : view.desk->ignored) {
    if (++listed > kIgnoredMax) break;
    text += (listed == 1 ? "\n" : "") +
            wrapped("left alone: " + printable_line(file.path, 200) + ": " + file.why, view.width, 2) + "\n";
  }
  if (view.desk->ignored.size() > kIgnoredMax)
    text += "and " + count_of(view.desk->ignored.size() - kIgnoredMax, "more file") + ": reprise scan --all\n";
  return text;
}

std::string desk_help(int width) {
  static constexpr std::pair<std::string_view, std::string_view> kHelp[] = {
      {"enter, r", "resume: at once if the state is clean, otherwise the plan is shown and you are asked"},
      {"p", "the plan: what a resume would keep, do again and wait for"},
      {"w", "why: reason, rule and evidence of each step that is not kept"},
      {"l", "log: what the attempts printed"},
      {"d", "diff: what changed since it was recorded"},
      {"a", "approve or answer: shows what it is about first"},
      {"f", "fresh: archive the work (asks) and print the command that starts a new run"},
      {"c", "cleanup: give the work up (asks)"},
      {"o", "other: act on another state file of the same work"},
      {"i", "inbox: all that waits for you"},
      {"up, down, j, k", "choose; or type the number of a row"},
      {"/", "filter: only rows with this text; esc drops it"},
      {"g", "refresh: look at all files again"},
      {"q, ctrl-c", "quit; nothing is changed by looking"},
  };
  std::string text;
  for (const auto& [key, what] : kHelp)
    text += wrapped("  " + padded(key, 15) + " " + std::string(what), width, 18) + "\n";
  return text;
}

}  // namespace reprise
