#include "app/repair.h"

#include <algorithm>

#include "base/strings.h"
#include "formats/spec_loop_checks.h"
#include "model/limits.h"
#include "text/diff.h"

namespace reprise {

Result<StateRepair> plan_repair(App& app, const Candidate& candidate) {
  if (candidate.system != "spec-loop") {
    return fail(ErrorKind::Unavailable,
                "only the index of a spec loop can be repaired; " + candidate.state_file + " is a playbook's");
  }
  StateRepair repair{.id = candidate.id, .file = candidate.state_file};
  repair.before = TRY(app.files.read(app.project / candidate.state_file, kDocumentBytesMax));
  LoopRepair fixed = TRY(repair_spec_loop(repair.before, candidate.state_file));
  repair.after = std::move(fixed.bytes);
  for (const LoopRepairChange& change : fixed.changes) {
    repair.changes.push_back("line " + std::to_string(change.line) + ": " + change.words);
  }
  repair.diff = unified_diff(repair.before, repair.after, {"a/" + repair.file, "b/" + repair.file});
  return repair;
}

Result<std::string> apply_repair(App& app, const StateRepair& repair) {
  const std::string now = TRY(app.files.read(app.project / repair.file, kDocumentBytesMax));
  if (now != repair.before) {
    return fail(ErrorKind::Conflict, repair.file + " was changed meanwhile; look again, nothing was changed");
  }
  std::string stamp = to_text(app.clock.now());
  std::erase(stamp, ':');
  const std::filesystem::path folder = app.store / "archive" / path_component(repair.id.text);
  TRY_VOID(app.files.make_directories(folder));
  const std::filesystem::path kept = folder / (stamp + "-" + path_component(repair.file));
  TRY_VOID(app.files.replace(kept, repair.before));
  TRY_VOID(app.files.replace(app.project / repair.file, repair.after));
  return kept.string();
}

}  // namespace reprise
