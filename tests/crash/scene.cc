#include "scene.h"

#include <fstream>

#include "base/check.h"
#include "journal/journal.h"
#include "os/clock.h"
#include "os/entropy.h"

namespace reprise {

Scene engine_scene(int more) {
  Scene scene;
  scene.run = kRunName;
  scene.parallel = 2;
  scene.write = [more](const Sandbox& sandbox) { write_workflow(sandbox, more); };
  scene.script = {Act{{"run", "crash.yaml", "--run-id", "r"}, 3}, Act{{"approve", kRunName}, 0},
                  Act{{"resume", kRunName}, 0}};
  scene.serve = [](const Sandbox& sandbox) {
    const int code = sandbox.run({"approve", kRunName});
    return code == 0 ? std::string() : "approve: exit " + std::to_string(code);
  };
  return scene;
}

std::optional<RunState> recorded(const Sandbox& sandbox, const std::string& run) {
  SystemClock clock;
  SystemEntropy entropy;
  const auto journal = open_sqlite_journal(sandbox.store(), OpenMode::ReadOnly, clock, entropy);
  if (!journal) return std::nullopt;
  Result<RunState> state = (*journal)->state(RunId{run});
  if (!state) return std::nullopt;
  return std::move(*state);
}

std::string text_of(const Sandbox& sandbox, const std::string& file) {
  std::ifstream in(sandbox.project() / file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void save_over(const Sandbox& sandbox, const std::string& file, const std::string& text) {
  sandbox.write("project/" + file + ".editor", text);
  std::filesystem::rename(sandbox.project() / (file + ".editor"), sandbox.project() / file);
}

}  // namespace reprise
