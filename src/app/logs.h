// Where the output of attempts is, which command it came from, and which secrets it may hold.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/app.h"
#include "base/mask.h"

namespace reprise {

struct OutputStream {
  StepPath step;
  std::int64_t attempt = 0;
  std::string name;            // stdout or stderr
  std::filesystem::path path;  // may not be there: a silent attempt has no file
};

/// Returns the streams of every attempt of the steps that `wanted` names (a step, a stage or a block; ""
/// for all), in the order in which the steps were started.
std::vector<OutputStream> output_streams(const App& app, const RunState& state, const std::string& wanted);

/// Returns the command that the stage of `step` runs, as a shell line; "" if the definition no longer has it.
/// `masker` masks its words: quoted, a secret would be another text.
std::string command_of_step(App& app, Journal& journal, const RunState& state, const StepPath& step,
                            const Masker& masker);

/// Returns a masker that knows the secrets of all that worked on the run, as far as they are in this environment.
Masker masker_of_run(App& app, Journal& journal, const RunState& state);

/// The same for what this process hands in: with the run that it works for, if it is a worker's.
Masker masker_of_process(App& app);

}  // namespace reprise
