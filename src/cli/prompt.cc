#include "cli/prompt.h"

#include <algorithm>
#include <optional>

#include "base/strings.h"
#include "cli/layout.h"
#include "os/machine.h"

namespace reprise {
namespace {

constexpr int kInterruptSignal = 2;  // SIGINT
// A terminal that is closed ends the input a moment before the signal says why.
constexpr Duration kHangUpPause{10};
constexpr int kHangUpPauses = 20;

// One line, or why there is none.
Reply read_answer(Cli& cli, SignalWatch& signals, const std::string& question) {
  const auto goes_on = [&] { return exit_of(signals.poll()) == 0; };
  const std::optional<std::string> line =
      cli.ask(wrapped(question, cli.screen_width(), 0), std::span<const std::string>(), goes_on);
  if (line) return {.text = *line};
  Reply reply{.exit = exit_without_answer(signals)};
  cli.ended_at_prompt(reply.exit);
  return reply;
}

std::optional<std::string> find_answer(const std::string& line, std::span<const std::string> answers) {
  const std::string typed = to_lower(line);
  const auto exact = std::ranges::find(answers, typed);
  if (exact != answers.end()) return *exact;
  if (typed.size() != 1) return std::nullopt;
  std::optional<std::string> meant;
  for (const std::string& answer : answers) {
    if (answer[0] != typed[0]) continue;
    if (meant) return std::nullopt;
    meant = answer;
  }
  return meant;
}

// Where "yes" is an answer, "no" is one too, though the question may call it "cancel".
bool is_refusal(const std::string& line, std::span<const std::string> answers) {
  const std::string typed = to_lower(line);
  const auto has = [&](std::string_view answer) { return std::ranges::find(answers, answer) != answers.end(); };
  return (typed == "n" || typed == "no") && has("yes") && has("cancel");
}

void say_allowed(Cli& cli, const std::string& line, const std::string& allowed) {
  const std::string typed = line.empty() ? "nothing was typed" : "\"" + printable_line(line, 60) + "\" is not";
  cli.say(wrapped(typed + (line.empty() ? "; type " : " one of ") + allowed, cli.screen_width(), 0));
}

}  // namespace

int exit_of(const SignalsSeen& seen) {
  if (seen.ending != 0) return kExitSignal + seen.ending;
  return seen.interrupts > 0 ? kExitSignal + kInterruptSignal : 0;
}

int exit_without_answer(SignalWatch& signals) {
  for (int i = 0; i < kHangUpPauses; ++i) {
    if (const int exit = exit_of(signals.poll()); exit != 0) return exit;
    pause_for(kHangUpPause);
  }
  return kExitWaiting;
}

std::optional<std::string> accept_answer(Cli& cli, const std::string& line, std::span<const std::string> answers) {
  if (const std::optional<std::string> answer = find_answer(line, answers)) return answer;
  if (is_refusal(line, answers)) return "cancel";
  say_allowed(cli, line, join(answers, ", "));
  return std::nullopt;
}

Reply ask(Cli& cli, SignalWatch& signals, const std::string& question, std::span<const std::string> answers) {
  for (;;) {
    Reply reply = read_answer(cli, signals, question);
    if (!reply.is_answered() || answers.empty()) return reply;
    if (const std::optional<std::string> answer = accept_answer(cli, reply.text, answers))
      return {.text = *answer};
  }
}

Reply ask_which(Cli& cli, SignalWatch& signals, const std::string& question, std::size_t count,
                std::span<const std::string> words) {
  for (;;) {
    const Reply reply = read_answer(cli, signals, question);
    if (!reply.is_answered()) return reply;
    const std::optional<long long> number = parse_number(reply.text, static_cast<long long>(count));
    if (number && *number >= 1) return {.text = std::to_string(*number)};
    if (const std::optional<std::string> word = find_answer(reply.text, words)) return {.text = *word};
    const std::string numbers = count == 1 ? "1" : "1 to " + std::to_string(count);
    say_allowed(cli, reply.text, numbers + ", " + join(words, ", "));
  }
}

}  // namespace reprise
