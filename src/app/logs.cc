#include "app/logs.h"

#include <algorithm>
#include <tuple>

#include "executor/run_setup.h"

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
        const std::filesystem::path file = attempt_directory(app.store, state.id, path, attempt) / name;
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

}  // namespace reprise
