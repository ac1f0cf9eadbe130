// References by compare and swap, and commits made of plumbing: each step can be repeated.

#include <algorithm>

#include "base/strings.h"
#include "git/ensure.h"

namespace reprise {
namespace {

constexpr std::string_view kTrailer = "Reprise-Token: ";

Error moved_error(const std::string& ref, const std::string& expected, const std::string& found) {
  const auto shown = [](const std::string& id) { return id.empty() ? std::string("nothing") : id; };
  return Error{ErrorKind::Conflict,
               ref + " was moved by another: expected at " + shown(expected) + ", found at " + shown(found)};
}

bool is_ref_name(std::string_view ref) { return ref.starts_with("refs/") && is_branch_name(ref); }

// What a merge, a rebase or a bisection leaves while it is under way.
Result<void> refuse_unfinished(const Git& git, const TreeStatus& status) {
  if (!status.conflicted.empty()) {
    return fail(Error{ErrorKind::Conflict, git.top().string() +
                                               ": has unmerged files, so it cannot be committed: " +
                                               names_for_people(status.conflicted)});
  }
  for (const char* name : {"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"}) {
    std::error_code error;
    if (std::filesystem::exists(git.git_dir() / name, error)) {
      return fail(Error{ErrorKind::Conflict, git.top().string() + ": is in the middle of something (" + name +
                                                 "), so it cannot be committed"});
    }
  }
  return {};
}

Result<bool> has_token(const Git& git, const std::string& commit, const std::string& token) {
  const std::string message = TRY(git.ask({"log", "-1", "--format=%B", commit, "--"}));
  const std::string wanted = std::string(kTrailer) + token;
  return std::ranges::any_of(split(message, '\n'), [&](std::string_view line) { return line == wanted; });
}

Result<void> check_branch(const Git& git, const CommitRequest& request) {
  const std::optional<std::string> branch = TRY(git.branch());
  if (!request.branch || branch == request.branch) return {};
  const std::string found = branch ? "branch " + *branch : "a detached HEAD";
  return fail(
      Error{ErrorKind::Conflict, git.top().string() + ": is on " + found + ", not on branch " + *request.branch});
}

// Every untracked file is listed by itself; a folder is one that git does not look into, a repository.
std::vector<std::string> nested_in(const TreeStatus& status) {
  std::vector<std::string> nested;
  for (const std::string& name : status.untracked) {
    if (name.ends_with('/')) nested.push_back(name.substr(0, name.size() - 1));
  }
  return nested;
}

Result<void> add_all(const Git& git, const std::vector<std::string>& besides) {
  std::vector<std::string> arguments = {"add", "--all", "--", ":/"};
  for (const std::string& name : besides) arguments.push_back(":(exclude,top,literal)" + name);
  TRY_VOID(ask_recorded(git, arguments));
  return {};
}

// Returns `head` if there is nothing to commit after all, as with changes inside a submodule.
Result<std::string> make_commit(const Git& git, const CommitRequest& request, const std::string& head) {
  const std::string tree = TRY(ask_recorded(git, {"write-tree"}));
  if (tree == TRY(git.ask({"rev-parse", "--verify", head + "^{tree}"}))) return head;
  const std::string message =
      std::string(trim(request.message)) + "\n\n" + std::string(kTrailer) + request.token + "\n";
  return ask_recorded(git, {"commit-tree", tree, "-p", head, "-F", "-"},
                      {.input = message, .environment = TRY(identity_environment(git))});
}

}  // namespace

// The swap itself is the look: it is made only if the reference is where it should be. Why not is asked
// afterwards.
Result<void> ensure_ref(const Git& git, const RefMove& move, const RepositoryLock* lock) {
  if (!is_ref_name(move.ref)) return fail(ErrorKind::Invalid, "not a reference: " + printable_line(move.ref, 100));
  if (lock == nullptr) TRY_VOID(clear_dead_locks(git));
  const std::string from = move.from.value_or(std::string(move.to.size(), '0'));
  const std::vector<std::string> arguments = {"update-ref", "--no-deref", "-m", move.why, move.ref, move.to, from};
  const GitAnswer answer = TRY(run_recorded(git, arguments, {}, lock));
  if (answer.ok()) return {};
  const std::string now = TRY(git.commit_of(move.ref)).value_or("");
  if (now == move.to) return {};
  if (now != move.from.value_or("")) return fail(moved_error(move.ref, move.from.value_or(""), now));
  return fail(git_refusal(arguments, answer));
}

Result<void> ensure_no_ref(const Git& git, const std::string& ref, const std::string& at,
                           const RepositoryLock* lock) {
  if (!is_ref_name(ref)) return fail(ErrorKind::Invalid, "not a reference: " + printable_line(ref, 100));
  if (lock == nullptr) TRY_VOID(clear_dead_locks(git));
  const std::string now = TRY(git.commit_of(ref)).value_or("");
  if (now.empty()) return {};
  if (now != at) return fail(moved_error(ref, at, now));
  TRY_VOID(ask_recorded(git, {"update-ref", "--no-deref", "-d", ref, at}, {}, lock));
  return {};
}

Result<BranchState> ensure_branch(const Git& git, const std::string& branch, const std::string& start,
                                  const RepositoryLock* lock) {
  if (!is_branch_name(branch)) {
    return fail(ErrorKind::Invalid, "not a branch name that can be used: " + printable_line(branch, 100));
  }
  const std::string ref = "refs/heads/" + branch;
  if (std::optional<std::string> now = TRY(git.commit_of(ref))) return BranchState{std::move(*now), false};
  TRY_VOID(ensure_ref(git, {.ref = ref, .to = start, .why = "made by reprise"}, lock));
  return BranchState{start, true};
}

Result<CommitOutcome> ensure_commit(const Git& git, const CommitRequest& request) {
  TRY_VOID(clear_dead_locks(git));
  TRY_VOID(check_branch(git, request));
  const std::optional<std::string> head = TRY(git.commit_of("HEAD"));
  if (!head) return fail(ErrorKind::NotFound, git.top().string() + ": has no commit to build on");
  const TreeStatus status = TRY(status_of(git, Ignored::Skip, GitAccess::Inspect));
  TRY_VOID(refuse_unfinished(git, status));
  std::vector<std::string> nested = nested_in(status);
  if (status.is_clean() && status.untracked.size() == nested.size()) {
    return CommitOutcome{*head, TRY(has_token(git, *head, request.token)), std::move(nested)};
  }
  TRY_VOID(add_all(git, nested));
  const std::string commit = TRY(make_commit(git, request, *head));
  if (commit == *head) return CommitOutcome{commit, TRY(has_token(git, commit, request.token)), std::move(nested)};
  const std::vector<std::string> arguments = {"update-ref", "-m",   "commit: made by reprise",
                                              "HEAD",       commit, *head};
  const GitAnswer answer = TRY(run_recorded(git, arguments));
  const std::string now = TRY(git.commit_of("HEAD")).value_or("");
  if (now == commit) return CommitOutcome{commit, true, std::move(nested)};
  if (now != *head) return fail(moved_error("HEAD of " + git.top().string(), *head, now));
  return fail(git_refusal(arguments, answer));
}

Result<bool> is_kept(const Git& git, const std::string& commit, const std::optional<std::string>& leaving) {
  const std::string refs = TRY(git.ask({"for-each-ref", "--format=%(refname)", "--contains=" + commit}));
  return std::ranges::any_of(split(refs, '\n'), [&](std::string_view ref) {
    const bool is_own =
        ref.starts_with("refs/worktree/") || ref.starts_with("refs/bisect/") || ref.starts_with("refs/rewritten/");
    return !ref.empty() && !is_own && (!leaving || ref != "refs/heads/" + *leaving);
  });
}

Result<std::vector<std::string>> identity_environment(const Git& git) {
  std::vector<std::string> environment;
  if (TRY(git.config("user.name")).value_or("").empty()) {
    environment.insert(environment.end(), {"GIT_AUTHOR_NAME=Reprise", "GIT_COMMITTER_NAME=Reprise"});
  }
  if (TRY(git.config("user.email")).value_or("").empty()) {
    environment.insert(environment.end(),
                       {"GIT_AUTHOR_EMAIL=reprise@localhost", "GIT_COMMITTER_EMAIL=reprise@localhost"});
  }
  return environment;
}

}  // namespace reprise
