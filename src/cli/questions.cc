#include "cli/questions.h"

#include "app/approvals.h"
#include "app/status.h"
#include "base/strings.h"
#include "cli/layout.h"
#include "cli/prompt.h"
#include "cli/terminal.h"

namespace reprise {
namespace {

constexpr int kPollMs = 200;  // how long a signal or a decision made elsewhere may go unnoticed

// Returns what binds a decision to the gate or question as it is now; "" if it is not open any more.
std::string open_seen(const Steer& steer, const RunState& state) {
  if (steer.kind == "answer") {
    const auto question = state.questions.find(steer.target);
    return question == state.questions.end() || question->second.answer ? "" : seen_of(question->second);
  }
  const StepPath path{steer.target};
  const auto gate = state.gates.find(path);
  const bool is_open = gate != state.gates.end() && gate->second.record == GateState::Record::Open;
  return is_open ? seen_of(path, state) : "";
}

}  // namespace

Questions::Questions(Cli& cli, App& app, Session& session, LiveView& view, SignalWatch& signals)
    : cli_(cli), app_(app), session_(session), view_(view), signals_(signals) {
  if (cli.is_interactive()) session.executor().set_between_turns([this] { return turn(); });
}

Questions::~Questions() {
  close();
  session_.executor().set_between_turns({});
}

void Questions::say(const std::string& text) {
  view_.hide();
  cli_.say(text);
}

void Questions::show() {
  if (keys_)
    view_.set_prompt((prompt_->label.empty() ? "" : prompt_->label + ": ") + prompt_->text, typed_.text());
}

void Questions::close() {
  prompt_.reset();
  if (!keys_) return;
  keys_.reset();
  typed_ = {};
  view_.set_prompt("", "");
}

void Questions::close_if_settled() {
  if (!prompt_) return;
  const std::string seen = open_seen(prompt_->steer, session_.state());
  if (seen == prompt_->steer.seen) return;
  const std::string name = prompt_->label.empty() ? "the question" : prompt_->label;
  close();
  say(name + (seen.empty() ? " was answered elsewhere" : " has changed and is asked again"));
}

Questions::Prompt Questions::gate_prompt(const StepPath& path, const GateState& gate) {
  const int width = cli_.screen_width();
  say(wrapped(cli_.bold(path.text) + ": " + printable_line(gate.ask, 600), width, 2));
  for (const SeenFile& file : gate.shows) say(wrapped("  see " + printable_line(file.path, 200), width, 4));
  const std::string change = change_since_approval(app_, session_.journal(), session_.state(), gate);
  if (!change.empty()) say("changed since it was last approved:\n" + printable(change));
  const Steer steer{
      .kind = "approve", .target = path.text, .seen = seen_of(path, session_.state()), .by = app_.actor};
  return {.label = path.text,
          .text = "approve? (yes / no / later)",
          .answers = {"yes", "no", "later"},
          .steer = steer};
}

bool Questions::open_next(bool is_between_turns) {
  const RunState& state = session_.state();
  for (const auto& [path, gate] : state.gates) {
    if (gate.record != GateState::Record::Open || put_off_.contains(seen_of(path, state))) continue;
    open(gate_prompt(path, gate), is_between_turns);
    return true;
  }
  for (const auto& [id, question] : state.questions) {
    const std::string seen = seen_of(question);
    if (question.answer || put_off_.contains(seen)) continue;
    open({.text = printable_line(with_options(question.text, question.options), 600),
          .options = question.options,
          .steer = {.kind = "answer", .target = id, .seen = seen, .by = app_.actor}},
         is_between_turns);
    return true;
  }
  return false;
}

// While lines are redrawn, what is typed is one of them; elsewhere the terminal shows it.
void Questions::open(Prompt prompt, bool is_between_turns) {
  prompt_ = std::move(prompt);
  if (is_between_turns && cli_.has_live_screen()) keys_ = SilentKeys::start();
  if (!keys_ || prompt_->label.empty()) say(wrapped(prompt_->text, cli_.screen_width(), 0));
  show();
}

std::optional<std::string> Questions::read_line(int timeout_ms, bool& ended) {
  if (!keys_) return cli_.read_line(timeout_ms, ended);
  for (;;) {
    if (std::optional<std::string> line = typed_.next(ended)) return line;
    std::string chunk;
    if (ended || !read_some(0, timeout_ms, chunk)) return std::nullopt;
    ended = chunk.empty();
    typed_.add(chunk);
  }
}

Questions::Outcome Questions::put_off() {
  put_off_.insert(prompt_->steer.seen);
  close();
  return Outcome::Later;
}

// Takes one typed line.
Result<Questions::Outcome> Questions::accept(const std::string& line) {
  if (keys_) say(prompt_->text + " " + printable_line(line, 600));
  if (prompt_->answers.empty()) {
    if (line.empty()) return put_off();
    prompt_->steer.text = line;
    return decide();
  }
  view_.hide();
  const std::optional<std::string> answer = accept_answer(cli_, line, prompt_->answers);
  if (answer == "later") return put_off();
  if (answer == "yes") return decide();
  if (answer == "no") {
    prompt_->steer.kind = "reject";
    prompt_->text = "why not?";
    prompt_->answers.clear();
  }
  if (!keys_) say(prompt_->text);
  return Outcome::Unanswered;
}

Result<Questions::Outcome> Questions::decide() {
  const Prompt decided = *prompt_;
  close();
  const Result<void> done = session_.executor().steer(decided.steer);
  if (!done && ends_work(done.error().kind)) return fail(done.error());
  std::string note = done ? "" : done.error().message;
  if (done && decided.steer.kind == "answer") note = note_on_answer(decided.steer.text, decided.options);
  if (!note.empty()) say(printable(note));
  return Outcome::Decided;
}

// Asks and reads without waiting. Returns the descriptor of the terminal while something is asked.
Result<int> Questions::turn() {
  close_if_settled();
  if (session_.executor().is_stopping()) close();
  if (session_.executor().is_stopping() || !is_in_foreground()) return -1;
  if (!prompt_ && !open_next(true)) return -1;
  if (keys_) keys_->renew();
  bool ended = false;
  while (prompt_) {
    const std::optional<std::string> line = read_line(0, ended);
    if (!line) break;
    TRY(accept(*line));
  }
  if (ended && prompt_) put_off();
  if (!prompt_) return -1;
  show();
  return 0;
}

Result<Asked> Questions::ask_first() {
  put_off_.clear();
  for (;;) {
    if (!prompt_ && !open_next(false)) return Asked{};
    show();
    bool ended = false;
    if (const std::optional<std::string> line = read_line(kPollMs, ended)) {
      const Outcome outcome = TRY(accept(*line));
      if (outcome != Outcome::Unanswered) return Asked{.is_decided = outcome == Outcome::Decided};
      continue;
    }
    if (ended || exit_of(signals_.poll()) != 0) {
      close();
      const int exit = exit_without_answer(signals_);
      cli_.ended_at_prompt(exit);
      return Asked{.exit = exit};
    }
    if (TRY(session_.executor().serve_while_waiting())) {
      close_if_settled();
      return Asked{.is_decided = true};
    }
  }
}

}  // namespace reprise
