#include "app/rescues.h"

#include "app/lane_recorder.h"
#include "base/strings.h"
#include "executor/lane_keeper.h"
#include "git/git_output.h"
#include "lanes/rollback.h"

namespace reprise {
namespace {

// A lane of a run that somebody works on is not changed behind its back.
Result<void> check_no_run_works_on(App& app, const std::string& branch) {
  const std::unique_ptr<Journal> journal = TRY(open_journal_if_any(app, OpenMode::ReadOnly));
  if (!journal) return {};
  for (const RunEntry& run : TRY(journal->runs())) {
    const std::optional<Owner> owner = TRY(journal->owner(run.id));
    if (!owner || !owner->alive) continue;
    for (const auto& [path, lane] : TRY(journal->state(run.id)).lanes) {
      if (lane.branch == branch) TRY_VOID(check_nobody_works(*journal, run.id));
    }
  }
  return {};
}

}  // namespace

Result<std::vector<Rescue>> list_all_rescues(App& app) { return list_rescues(TRY(Git::open(app.project))); }

Result<RestoredRescue> bring_back(App& app, const std::string& name) {
  const Git repository = TRY(Git::open(app.project));
  const Rescue rescue = TRY(find_rescue(repository, name));
  for (const WorktreeEntry& worktree : TRY(list_worktrees(repository))) {
    const bool is_its_branch = worktree.branch && "refs/heads/" + *worktree.branch == rescue.branch;
    if (!is_its_branch || worktree.path == repository.top()) continue;
    TRY_VOID(check_no_run_works_on(app, *worktree.branch));
    const Git lane = TRY(open_lane_folder(worktree.path, repository));
    const Restored restored = TRY(undo_rollback(lane, rescue.ref, app.clock.now()));
    return RestoredRescue{rescue.ref, worktree.path.string(), restored.written, restored.removed};
  }
  return fail(Error{.kind = ErrorKind::NotFound,
                    .message = "the lane that " + rescue.ref + " was taken from has no worktree any more"}
                  .hint("git worktree add --detach ../rescued " + shell_quote(rescue.ref)));
}

}  // namespace reprise
