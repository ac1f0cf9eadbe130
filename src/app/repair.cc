#include "app/repair.h"

#include "app/archive.h"
#include "app/orchestrator_system.h"
#include "app/rebuild.h"
#include "app/task_pipeline_find.h"
#include "base/strings.h"
#include "formats/spec_loop_checks.h"
#include "model/limits.h"
#include "text/diff.h"

namespace reprise {

Result<StateRepair> plan_repair(App& app, const Candidate& candidate) {
  if (candidate.system == kOrchestrator) return plan_rebuild(app, candidate);
  if (candidate.system == kTaskPipeline) return plan_permanent_task(app, candidate);
  if (candidate.system != "spec-loop") {
    return fail(Error{.kind = ErrorKind::Unavailable,
                      .message = "the state of a " + candidate.system + " cannot be derived from anything else"}
                    .hint("${EDITOR:-vi} " + shell_quote(candidate.state_file))
                    .hint("reprise fresh " + shell_quote(candidate.id.shown())));
  }
  StateRepair repair{.id = candidate.id, .file = candidate.state_file};
  repair.before = TRY(app.files.read(app.project / candidate.state_file, kDocumentBytesMax));
  Result<LoopRepair> derived = repair_spec_loop(repair.before, candidate.state_file);
  if (!derived) {
    derived.error().kind = ErrorKind::Unavailable;  // the file is at fault, not the store
    return fail(std::move(derived.error())
                    .hint("${EDITOR:-vi} " + shell_quote(candidate.state_file))
                    .hint("reprise fresh " + shell_quote(candidate.id.shown())));
  }
  LoopRepair fixed = std::move(*derived);
  repair.after = std::move(fixed.bytes);
  for (const LoopRepairChange& change : fixed.changes) {
    repair.changes.push_back("line " + std::to_string(change.line) + ": " + change.words);
  }
  repair.diff = unified_diff(repair.before, repair.after, {"a/" + repair.file, "b/" + repair.file});
  return repair;
}

Result<std::string> apply_repair(App& app, const StateRepair& repair) {
  if (repair.task) return create_permanent_task(app, repair);
  const std::string now = TRY(app.files.read(app.project / repair.file, kDocumentBytesMax));
  if (now != repair.before) {
    return fail(ErrorKind::Conflict, repair.file + " was changed meanwhile; look again, nothing was changed");
  }
  const ArchiveEntry kept = TRY(archive_and_replace(app, repair.id.text, repair.file, repair.after));
  return archived_place(app, kept, repair.file).string();
}

}  // namespace reprise
