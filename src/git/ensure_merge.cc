// Merges, made as objects first, and pushes.

#include <algorithm>

#include "base/strings.h"
#include "git/ensure.h"

namespace reprise {
namespace {

constexpr Duration kRemoteTimeout = std::chrono::minutes(10);

Result<MergeTree> merge_trees(const Git& git, const std::string& ours, const std::string& theirs) {
  const std::vector<std::string> arguments = {"merge-tree", "--write-tree", "-z", ours, theirs};
  const GitAnswer answer = TRY(run_recorded(git, arguments));
  if (answer.exit_code > 1) {
    Error error = git_refusal(arguments, answer);
    if (answer.errors.find("usage:") != std::string::npos) {
      error = Error{ErrorKind::Unavailable, "merging needs git 2.38 or later"};
    }
    return fail(std::move(error));
  }
  MergeTree merged = parse_merge_tree(answer.output);
  if (answer.ok()) merged.conflicts.clear();
  return merged;
}

// The day of a commit that is made again must be the same, or it would be another commit.
Result<std::string> latest_date(const Git& git, const std::vector<std::string>& commits) {
  std::vector<std::string> arguments = {"show", "-s", "--format=%ct"};
  arguments.insert(arguments.end(), commits.begin(), commits.end());
  const std::string output = TRY(git.ask(std::move(arguments)));
  long long latest = 0;
  for (const std::string_view line : split(output, '\n')) {
    latest = std::max(latest, parse_number(line, 1LL << 60).value_or(0));
  }
  return std::to_string(latest) + " +0000";
}

struct MergeCommit {
  std::string tree;
  std::string ours;
  std::string theirs;
  std::string message;
};

Result<std::string> make_merge_commit(const Git& git, const MergeCommit& merge, bool is_repeatable) {
  std::vector<std::string> environment = TRY(identity_environment(git));
  if (is_repeatable) {
    const std::string date = TRY(latest_date(git, {merge.ours, merge.theirs}));
    environment.push_back("GIT_AUTHOR_DATE=" + date);
    environment.push_back("GIT_COMMITTER_DATE=" + date);
  }
  return ask_recorded(git, {"commit-tree", merge.tree, "-p", merge.ours, "-p", merge.theirs, "-F", "-"},
                      {.input = merge.message, .environment = std::move(environment)});
}

// Where the branch is checked out; nothing if nowhere.
Result<std::optional<Git>> checkout_of(const Git& git, const std::string& branch) {
  for (const WorktreeEntry& entry : TRY(list_worktrees(git))) {
    if (entry.branch != branch || entry.is_bare) continue;
    Result<Git> there = Git::open(entry.path);
    if (there && there->common_dir() == git.common_dir()) return std::move(*there);
    Error error{ErrorKind::Conflict,
                "branch " + branch + " is checked out in " + entry.path.string() + ", which is gone"};
    return fail(std::move(error).hint("git worktree prune"));
  }
  return std::nullopt;
}

Result<void> move_branch(const Git& git, const std::optional<Git>& checkout, const TreeMove& move,
                         const RepositoryLock& lock) {
  if (checkout) return ensure_tree_at(*checkout, move, &lock);
  return ensure_ref(
      git, {.ref = "refs/heads/" + move.branch, .to = move.to, .from = move.from, .why = "merged by reprise"},
      &lock);
}

Error push_error(const PushRequest& request, const std::string& what, const GitAnswer& answer) {
  const ErrorKind kind = remote_trouble(answer.errors);
  Error error{kind == ErrorKind::Io ? ErrorKind::Denied : kind,
              "git " + what + " " + request.remote + ": " + answer.errors};
  if (kind == ErrorKind::Unavailable) return std::move(error).hint("git ls-remote " + shell_quote(request.remote));
  return error;
}

}  // namespace

Result<MergeOutcome> ensure_merge(const Git& git, const MergeRequest& request) {
  using Kind = MergeOutcome::Kind;
  if (!is_branch_name(request.branch)) {
    return fail(ErrorKind::Invalid, "not a branch name that can be used: " + printable_line(request.branch, 100));
  }
  const RepositoryLock lock = TRY(RepositoryLock::take(git));
  const std::optional<Git> checkout = TRY(checkout_of(git, request.branch));
  if (checkout) TRY_VOID(finish_tree_move(*checkout, lock));
  const std::optional<std::string> target = TRY(git.commit_of("refs/heads/" + request.branch));
  if (!target) {
    Error error{ErrorKind::NotFound, "there is no branch " + request.branch + " to merge into"};
    return fail(std::move(error).hint("git branch --list"));
  }
  if (TRY(is_ancestor(git, request.source, *target))) return MergeOutcome{Kind::AlreadyThere, *target};
  std::string to = request.source;
  const bool is_forward = TRY(is_ancestor(git, *target, request.source));
  if (!is_forward) {
    MergeTree merged = TRY(merge_trees(git, *target, request.source));
    if (!merged.conflicts.empty()) return MergeOutcome{Kind::Conflicts, *target, std::move(merged.conflicts)};
    to = TRY(make_merge_commit(git, {merged.tree, *target, request.source, request.message}, false));
  }
  TRY_VOID(move_branch(git, checkout, {.from = *target, .to = to, .branch = request.branch}, lock));
  return MergeOutcome{is_forward ? Kind::FastForward : Kind::Merged, to};
}

Result<JoinOutcome> join_commits(const Git& git, std::vector<std::string> commits, const std::string& message) {
  if (commits.empty()) return fail(ErrorKind::Invalid, "there is no commit to start from");
  JoinOutcome joined{.commit = commits.front()};
  for (std::size_t i = 1; i < commits.size(); ++i) {
    const std::string& next = commits[i];
    if (TRY(is_ancestor(git, next, joined.commit))) continue;
    if (TRY(is_ancestor(git, joined.commit, next))) {
      joined.commit = next;
      continue;
    }
    MergeTree merged = TRY(merge_trees(git, joined.commit, next));
    if (!merged.conflicts.empty()) {
      return JoinOutcome{
          .commit = "", .conflicts = std::move(merged.conflicts), .ours = joined.commit, .theirs = next};
    }
    joined.commit = TRY(make_merge_commit(git, {merged.tree, joined.commit, next, message}, true));
  }
  return joined;
}

Result<void> ensure_push(const Git& git, const PushRequest& request) {
  if (request.remote.empty() || request.remote.starts_with('-') || !is_branch_name(request.branch)) {
    return fail(ErrorKind::Invalid,
                "cannot push to " + printable_line(request.remote + " " + request.branch, 200));
  }
  const std::string ref = "refs/heads/" + request.branch;
  const GitAnswer listed =
      TRY(git.run({"ls-remote", request.remote, ref}, {.access = GitAccess::Inspect, .timeout = kRemoteTimeout}));
  if (!listed.ok()) return fail(push_error(request, "ls-remote", listed));
  if (listed.output.starts_with(request.commit + "\t")) return {};
  const GitAnswer pushed =
      TRY(run_recorded(git, {"push", "--quiet", "--no-verify", request.remote, request.commit + ":" + ref},
                       {.timeout = kRemoteTimeout}));
  if (!pushed.ok()) return fail(push_error(request, "push", pushed));
  return {};
}

}  // namespace reprise
