// The status words, one set for runs and one for steps, and the other small vocabularies that are
// stored or shown. One lower-case token per value, made here and nowhere else; a released token never
// changes its meaning.

#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace reprise {

/// Interrupted is shown but never stored: it is what Running without a living owner is called.
enum class RunStatus { New, Running, Interrupted, Waiting, Done, Failed, Stopped, Unknown };

/// Skipped: a person decided that it does not run. NotNeeded: its `when` is not met, or its loop ended before it.
enum class StepStatus { Pending, Running, Retrying, Blocked, Done, Failed, RolledBack, Skipped, NotNeeded };

/// Whether nothing is left to do for a step with this status.
constexpr bool is_settled(StepStatus status) {
  return status == StepStatus::Done || status == StepStatus::Skipped || status == StepStatus::NotNeeded;
}

/// How much is asked before acting. Belongs to the run and survives a resume.
enum class Mode { Autopilot, Interactive, Preflight };

/// How one attempt ended.
enum class AttemptOutcome {
  Done,         // exit 0 or a result that says so, and every product in place
  Failed,       // anything else that the worker did
  Later,        // exit 75 or retry_at: try again later, costs no retry
  NeedsHuman,   // the worker asks a person
  TimedOut,     // ran longer than its timeout and was stopped
  Stopped,      // stopped because a person or a signal said so
  Interrupted,  // gone without an exit record: nobody knows how far it came
};

template <typename Enum, std::size_t N>
using TokenTable = std::array<std::pair<Enum, std::string_view>, N>;

inline constexpr TokenTable<RunStatus, 8> kRunStatusTokens = {{{RunStatus::New, "new"},
                                                               {RunStatus::Running, "running"},
                                                               {RunStatus::Interrupted, "interrupted"},
                                                               {RunStatus::Waiting, "waiting"},
                                                               {RunStatus::Done, "done"},
                                                               {RunStatus::Failed, "failed"},
                                                               {RunStatus::Stopped, "stopped"},
                                                               {RunStatus::Unknown, "unknown"}}};

inline constexpr TokenTable<StepStatus, 9> kStepStatusTokens = {{{StepStatus::Pending, "pending"},
                                                                 {StepStatus::Running, "running"},
                                                                 {StepStatus::Retrying, "retrying"},
                                                                 {StepStatus::Blocked, "blocked"},
                                                                 {StepStatus::Done, "done"},
                                                                 {StepStatus::Failed, "failed"},
                                                                 {StepStatus::RolledBack, "rolled_back"},
                                                                 {StepStatus::Skipped, "skipped"},
                                                                 {StepStatus::NotNeeded, "not_needed"}}};

inline constexpr TokenTable<Mode, 3> kModeTokens = {
    {{Mode::Autopilot, "autopilot"}, {Mode::Interactive, "interactive"}, {Mode::Preflight, "preflight"}}};

inline constexpr TokenTable<AttemptOutcome, 7> kAttemptOutcomeTokens = {
    {{AttemptOutcome::Done, "done"},
     {AttemptOutcome::Failed, "failed"},
     {AttemptOutcome::Later, "later"},
     {AttemptOutcome::NeedsHuman, "needs_human"},
     {AttemptOutcome::TimedOut, "timed_out"},
     {AttemptOutcome::Stopped, "stopped"},
     {AttemptOutcome::Interrupted, "interrupted"}}};

template <typename Enum, std::size_t N>
constexpr std::string_view token_in(const TokenTable<Enum, N>& table, Enum value) {
  for (const auto& [entry, token] : table) {
    if (entry == value) return token;
  }
  return "unknown";
}

template <typename Enum, std::size_t N>
constexpr std::optional<Enum> value_in(const TokenTable<Enum, N>& table, std::string_view text) {
  for (const auto& [entry, token] : table) {
    if (token == text) return entry;
  }
  return std::nullopt;
}

constexpr std::string_view to_token(RunStatus status) { return token_in(kRunStatusTokens, status); }
constexpr std::string_view to_token(StepStatus status) { return token_in(kStepStatusTokens, status); }
constexpr std::string_view to_token(Mode mode) { return token_in(kModeTokens, mode); }
constexpr std::string_view to_token(AttemptOutcome outcome) { return token_in(kAttemptOutcomeTokens, outcome); }

}  // namespace reprise
