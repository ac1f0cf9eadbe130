#include "cli/live_view.h"

#include "base/strings.h"
#include "cli/layout.h"

namespace reprise {
namespace {

constexpr std::size_t kRunningLinesMax = 12;
constexpr std::size_t kTypedMax = 100'000;

std::string bar(int done, int total, int width) {
  const int filled = total == 0 ? 0 : done * width / total;
  return "[" + std::string(static_cast<std::size_t>(filled), '#') +
         std::string(static_cast<std::size_t>(width - filled), '.') + "]";
}

// Returns as much of the end of `text` as fits into `width` columns.
std::string end_of(std::string text, int width) {
  while (columns_of(text) > width) {
    std::size_t bytes = 1;
    while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) ++bytes;
    text.erase(0, bytes);
  }
  return text;
}

}  // namespace

void LiveView::line(const std::string& text) {
  if (!cli_.is_quiet()) redraw(cli_.shown_line(text));
}

// Also with --quiet: without it nothing would tell a wait from a hang.
void LiveView::show_wait(const std::string& text, const std::vector<std::string>& hints) {
  std::string lines = cli_.shown_line(printable(text));
  for (const std::string& hint : hints) lines += cli_.shown_line("  try: " + hint);
  redraw(lines);
}

// Takes the drawn lines away, writes `text` and draws them again below it: all of that, or, if nobody reads the
// output, nothing.
void LiveView::redraw(const std::string& text) {
  std::string out;
  for (int i = 0; i < drawn_; ++i) out += "\x1b[1A\x1b[2K";
  if (drawn_ > 0) out += "\r";
  const std::vector<std::string> lines = live_lines();
  out += text;
  for (const std::string& each : lines) out += each + "\n";
  if (out.empty() || cli_.offer_paint(out)) drawn_ = static_cast<int>(lines.size());
}

std::vector<std::string> LiveView::live_lines() const {
  std::vector<std::string> lines;
  if (!cli_.has_live_screen() || is_hidden_) return lines;
  const std::size_t width = static_cast<std::size_t>(std::max(20, cli_.screen_width() - 2));
  for (const auto& [step, since] : running_) {
    if (lines.size() == kRunningLinesMax) {
      lines.push_back("  … and " + std::to_string(running_.size() - kRunningLinesMax) + " more");
      break;
    }
    lines.push_back(printable_line("  > " + step + "  " + to_text(clock_.monotonic() - since), width));
  }
  for (const auto& [name, ask] : waiting_) lines.push_back(printable_line("  ? " + name + ": " + ask, width));
  if (progress_.total > 0) {
    const std::string count = " " + std::to_string(progress_.done) + "/" + std::to_string(progress_.total);
    const int room = static_cast<int>(width) - static_cast<int>(count.size()) - 6;
    lines.push_back("  " + bar(progress_.done, progress_.total, std::clamp(room, 5, 40)) + count);
  }
  if (!question_.empty()) {
    lines.push_back(printable_line(question_, width));
    lines.push_back("> " + end_of(printable_line(typed_, kTypedMax), static_cast<int>(width) - 3) + "_");
  }
  return lines;
}

void LiveView::set_prompt(const std::string& question, const std::string& typed) {
  question_ = question;
  typed_ = typed;
  tick();
}

void LiveView::hide() {
  is_hidden_ = true;
  redraw("");
  is_hidden_ = false;
}

void LiveView::finish() {
  running_.clear();
  progress_ = {};
  waiting_.clear();
  hide();
}

void LiveView::tick() {
  cli_.pump_output();
  if (cli_.has_live_screen() && !cli_.is_stalled()) redraw("");
}

void LiveView::progress(const Progress& progress) { progress_ = progress; }

void LiveView::step_started(const StepStarted& started) {
  running_[started.step.text] = clock_.monotonic();
  std::string text = "start   " + started.step.text;
  if (started.adopted) {
    text = "adopt   " + started.step.text + " (still running, attempt " + std::to_string(started.attempt) + ")";
  } else if (started.attempt > 1) {
    text += " (attempt " + std::to_string(started.attempt) + ")";
  } else if (cli_.has_live_screen()) {
    return;  // its own line shows it
  }
  line(cli_.dim(text));
}

void LiveView::step_finished(const AttemptFinished& finished) {
  running_.erase(finished.step.text);
  const bool done = finished.outcome == AttemptOutcome::Done;
  const std::string took = to_text(finished.took);
  std::string text =
      done ? cli_.colour("done", 32) + "    " : cli_.colour(std::string(to_token(finished.outcome)), 31) + "  ";
  text += finished.step.text + " (" + took + ")";
  if (!done || !finished.reason.empty()) text += ": " + printable_line(finished.reason, 400);
  if (!finished.verdict.empty()) text += " verdict " + printable_line(finished.verdict, 60);
  if (!finished.summary.empty() && done) text += " - " + printable_line(finished.summary, 200);
  line(text);
}

void LiveView::step_kept(const StepPath& step, const std::string& why) {
  line("keep    " + step.text + ": " + printable_line(why, 200));
}

void LiveView::retry_scheduled(const StepPath& step, Duration in, const std::string&) {
  line("retry   " + step.text + " in " + to_text(in) + ", at " + to_text(clock_.now() + in));
}

void LiveView::gate_opened(const GateOpened& gate) {
  waiting_[gate.gate.text] = gate.ask;
  line("wait    " + cli_.bold(gate.gate.text) + ": " + printable_line(gate.ask, 400));
}

void LiveView::gate_decided(const GateDecided& gate) {
  waiting_.erase(gate.gate.text);
  line((gate.approved ? "approve " : "reject  ") + gate.gate.text + " by " + printable_line(gate.by, 80));
}

void LiveView::question_asked(const QuestionAsked& question) {
  line("ask     " + printable_line(question.id, 60) + ": " + printable_line(question.text, 400));
}

void LiveView::note(const std::string& text) { line(printable_line(text, 400)); }

}  // namespace reprise
