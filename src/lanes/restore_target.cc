// Targets, differences and HEAD.

#include "lanes/restore_target.h"

#include <algorithm>
#include <set>

#include "base/strings.h"
#include "lanes/snapshot_refs.h"
#include "lanes/snapshot_taking.h"

namespace reprise {
namespace {

using Side = Workshop::Side;
constexpr const char* kWhy = "reprise: restored";

Result<void> must_change(const Git& git, const std::vector<std::string>& arguments) {
  const GitAnswer answer = TRY(change_refs(git, arguments));
  if (!answer.ok()) return fail(ErrorKind::Io, "git " + arguments.front() + ": " + answer.errors);
  return {};
}

Result<void> add_paths(const Workshop& workshop, const std::string& tree, std::string_view prefix,
                       std::set<std::string>& paths) {
  std::vector<std::string> arguments = {"ls-tree", "-r", "-z", "--name-only", "--full-tree", tree};
  if (!prefix.empty()) arguments.emplace_back(prefix);
  for (const std::string& path : split_nul(TRY(workshop.ask(Side::Repository, "", arguments)))) {
    paths.insert(path.substr(prefix.size()));
  }
  return {};
}

}  // namespace

Result<RestoreTarget> find_target(const Git& git, const std::string& to, const Snapshot& now) {
  const std::optional<CommitText> text = TRY(read_commit(git, to));
  if (!text) return fail(ErrorKind::NotFound, "there is no commit " + printable_line(to, 100));
  RestoreTarget target{
      .commit = text->commit, .tree = text->tree, .head = text->commit, .branch = now.branch, .snapshot = {}};
  if (Result<Snapshot> snapshot = snapshot_from(*text)) {
    target.head = snapshot->head;
    target.branch = snapshot->branch;
    target.snapshot = std::move(*snapshot);
  }
  return target;
}

Result<std::vector<TreeChange>> compare_trees(const Workshop& workshop, const std::string& from,
                                              const std::string& to) {
  std::vector<TreeChange> changes;
  const std::vector<std::string> words = split_nul(TRY(
      workshop.ask(Side::Raw, "", {"diff-tree", "-r", "-z", "--no-renames", "--raw", "--no-abbrev", from, to})));
  // ":100644 100755 <object> <object> M" and then the path.
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    const std::vector<std::string_view> fields = split(words[i], ' ');
    if (fields.size() != 5 || fields[4].empty()) return fail(ErrorKind::Corrupt, "git diff-tree: " + words[i]);
    TreeChange change{.kind = fields[4][0], .nested = false, .path = words[i + 1]};
    change.nested = change.kind == 'D' ? fields[0] == ":160000" : fields[1] == "160000";
    changes.push_back(std::move(change));
  }
  return changes;
}

Result<std::vector<std::string>> tracked_paths(const Workshop& workshop, const Snapshot& snapshot) {
  std::set<std::string> paths;
  if (!snapshot.head.empty()) TRY_VOID(add_paths(workshop, snapshot.head, "", paths));
  TRY_VOID(add_paths(workshop, snapshot.index_tree, "", paths));
  if (const std::optional<std::string> stages = TRY(workshop.git().commit_of(snapshot.index_commit + "^1"))) {
    for (const char* stage : {"1/", "2/", "3/"}) TRY_VOID(add_paths(workshop, *stages, stage, paths));
  }
  return std::vector<std::string>(paths.begin(), paths.end());
}

Result<void> check_branch_is_free(const Git& git, const std::string& branch) {
  const std::string output = TRY(git.ask({"worktree", "list", "--porcelain", "-z"}));
  std::string worktree;
  for (const std::string& line : split_nul(output)) {
    if (line.starts_with("worktree ")) worktree = line.substr(9);
    if (line != "branch " + branch || worktree == git.top().string()) continue;
    return fail(ErrorKind::Conflict, branch + " is checked out in " + printable_line(worktree, 300));
  }
  return {};
}

Result<void> install_head(const Git& git, const RestoreTarget& target) {
  if (target.branch.empty()) {
    const GitAnswer symbolic = TRY(git.run({"symbolic-ref", "--quiet", "HEAD"}));
    if (!symbolic.ok() && TRY(git.commit_of("HEAD")) == target.head) return {};
    return must_change(git, {"update-ref", "--no-deref", "-m", kWhy, "HEAD", target.head});
  }
  const std::optional<std::string> at = TRY(git.commit_of(target.branch));
  if (target.head.empty() && at) TRY_VOID(must_change(git, {"update-ref", "-d", target.branch, *at}));
  if (!target.head.empty() && at != target.head) {
    TRY_VOID(must_change(git, {"update-ref", "-m", kWhy, target.branch, target.head}));
  }
  const GitAnswer symbolic = TRY(git.run({"symbolic-ref", "--quiet", "HEAD"}));
  if (symbolic.ok() && trim(symbolic.output) == target.branch) return {};
  return must_change(git, {"symbolic-ref", "-m", kWhy, "HEAD", target.branch});
}

}  // namespace reprise
