#include "app/rescues.h"

#include "base/strings.h"
#include "executor/lane_keeper.h"
#include "git/git_output.h"
#include "lanes/rollback.h"

namespace reprise {

Result<std::vector<Rescue>> list_all_rescues(App& app) { return list_rescues(TRY(Git::open(app.project))); }

Result<RestoredRescue> bring_back(App& app, const std::string& name) {
  const Git repository = TRY(Git::open(app.project));
  const Rescue rescue = TRY(find_rescue(repository, name));
  for (const WorktreeEntry& worktree : TRY(list_worktrees(repository))) {
    const bool is_its_branch = worktree.branch && "refs/heads/" + *worktree.branch == rescue.branch;
    if (!is_its_branch || worktree.path == repository.top()) continue;
    const Git lane = TRY(open_lane_folder(worktree.path, repository));
    const Restored restored = TRY(restore_rescue(lane, rescue.ref, app.clock.now()));
    return RestoredRescue{worktree.path.string(), restored.written, restored.removed};
  }
  return fail(Error{.kind = ErrorKind::NotFound,
                    .message = "the lane that " + rescue.ref + " was taken from has no worktree any more"}
                  .hint("git worktree add --detach ../rescued " + shell_quote(rescue.ref)));
}

}  // namespace reprise
