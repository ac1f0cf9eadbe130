#include "app/logs.h"

#include <algorithm>
#include <tuple>

#include "app/definitions.h"
#include "base/strings.h"
#include "executor/run_setup.h"
#include "planner/graph.h"

namespace reprise {

std::vector<OutputStream> output_streams(const App& app, const RunState& state, const std::string& wanted) {
  std::vector<std::pair<EventNumber, OutputStream>> found;
  for (const auto& [path, step] : state.steps) {
    const std::string& text = path.text;
    const bool fits =
        wanted.empty() || text == wanted || text.starts_with(wanted + "/") || text.ends_with("/" + wanted);
    if (!fits) continue;
    for (std::int64_t attempt = 1; attempt <= step.attempts; ++attempt) {
      for (const char* name : {"stdout", "stderr"}) {
        const std::filesystem::path file = attempt_directory(app.store, state, path, attempt) / name;
        found.push_back({step.started_event, {path, attempt, name, file}});
      }
    }
  }
  std::ranges::stable_sort(found, {}, [](const auto& entry) {
    return std::tuple(entry.first, entry.second.step.text, entry.second.attempt);
  });
  std::vector<OutputStream> streams;
  for (auto& [number, stream] : found) streams.push_back(std::move(stream));
  return streams;
}

std::string command_of_step(App& app, Journal& journal, const RunState& state, const StepPath& step,
                            const Masker& masker) {
  const Result<Definition> definition = definition_for(app, journal, state);
  if (!definition) return "";
  const Graph graph(definition->workflow, state);
  const std::optional<int> leaf = graph.find(step);
  if (!leaf) return "";
  const Stage& stage = *graph.node(*leaf).stage;
  if (!stage.role.empty()) return "the worker for role " + *stage.role;
  if (!stage.command.line.empty()) return masker.mask(stage.command.line);
  std::vector<std::string> argv;
  for (const std::string& word : stage.command.argv) argv.push_back(masker.mask(graph.resolve(*leaf, word)));
  return shell_command(argv);
}

Masker masker_of_run(App& app, Journal& journal, const RunState& state) {
  const Result<Definition> definition = definition_for(app, journal, state);
  const std::vector<Stage> none;
  const std::vector<Stage>& stages = definition ? definition->workflow.stages : none;
  return Masker(secret_values(app.environment, named_variables(read_config(app).value_or(Config{}), stages)));
}

Masker masker_of_process(App& app) {
  const auto run = app.environment.find("REPRISE_RUN");
  if (run != app.environment.end()) {
    const Result<std::unique_ptr<Journal>> journal = open_journal(app, OpenMode::ReadOnly);
    const Result<RunState> state = journal ? (*journal)->state(RunId{run->second}) : fail(journal.error());
    if (state) return masker_of_run(app, **journal, *state);
  }
  return Masker(secret_values(app.environment, named_variables(read_config(app).value_or(Config{}), {})));
}

}  // namespace reprise
