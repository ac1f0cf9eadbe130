#include "app/transfer_survivors.h"

#include "base/strings.h"
#include "executor/run_setup.h"
#include "guard/guard.h"

namespace reprise {

Result<void> check_no_survivor(App& app, const RunState& state) {
  const std::filesystem::path guard = guard_directory(app.store, state.key);
  for (const auto& [path, step] : state.steps) {
    if (step.record != StepState::Record::Open) continue;
    const AttemptSighting seen = TRY(sight_attempt(guard, attempt_name(path, step.attempts)));
    if (seen.what != AttemptSighting::What::Running) continue;
    return fail(Error{.kind = ErrorKind::Conflict,
                      .message = "a worker of run " + state.id.shown() + " is still at work on step " + path.text +
                                 ", although the process that started it is gone"}
                    .hint("reprise resume " + shell_quote(state.id.shown()))
                    .hint("reprise cancel " + shell_quote(state.id.shown())));
  }
  return {};
}

}  // namespace reprise
