// Does one thing to a repository and ends: what the git sweep kills and starts again.
//
//   reprise_git_driver -C REPOSITORY OPERATION [together]
//
// `together`: if a git of ours is killed, we die at once, as when the machine's memory runs out for all. Without
// it we live on, see the failure and end with 1.

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

#include "../crash/fault_map.h"
#include "git/ensure.h"
#include "git/ensure_worktree.h"

namespace reprise {
namespace {

const FaultMap* fault_map = nullptr;

void die_with_git(int) {
  if (fault_map != nullptr && fault_map->fired != 0) kill(getpid(), SIGKILL);
}

void die_together() {
  const char* path = std::getenv("REPRISE_FAULT_MAP");
  const int fd = path == nullptr ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  void* memory = mmap(nullptr, sizeof(FaultMap), PROT_READ, MAP_SHARED, fd, 0);
  if (memory != MAP_FAILED) fault_map = static_cast<const FaultMap*>(memory);
  struct sigaction action{};
  action.sa_handler = die_with_git;
  sigaction(SIGCHLD, &action, nullptr);
}

WorktreeRequest lane(const std::string& name) {
  return {.path = ".worktrees/P1/" + name, .branch = "lane/P1/" + name, .start = "base"};
}

Result<std::string> id(const Git& git, const std::string& name) {
  return git.ask({"rev-parse", "--verify", name});
}

Result<void> commit(const Git& git) {
  const Git there = TRY(open_worktree(git, git.top() / ".worktrees/P1/SL-1"));
  TRY(ensure_commit(there, {.message = "task T1", .token = "run/T1/1", .branch = "lane/P1/SL-1"}));
  return {};
}

Result<void> add(const Git& git) {
  TRY(ensure_worktree(git, lane("SL-2")));
  return {};
}

Result<void> make_again(const Git& git) {
  TRY(ensure_worktree(git, lane("SL-4")));
  return {};
}

Result<void> remove_at(const Git& git, const std::string& place) {
  TRY(ensure_worktree_removed(git, {.path = place}));
  return {};
}
Result<void> remove(const Git& git) { return remove_at(git, ".worktrees/P1/SL-4"); }

Result<void> reset(const Git& git) {
  const Git there = TRY(open_worktree(git, git.top() / ".worktrees/P1/SL-4"));
  return ensure_tree_at(there,
                        {.from = TRY(id(git, "SL-4-head")), .to = TRY(id(git, "base")), .branch = "lane/P1/SL-4"});
}

Result<void> merge_of(const Git& git, const std::string& source) {
  const MergeOutcome merged =
      TRY(ensure_merge(git, {.branch = "main", .source = TRY(id(git, source)), .message = "merge " + source}));
  if (merged.kind == MergeOutcome::Kind::Conflicts) return fail(ErrorKind::Conflict, "conflicts");
  return {};
}

Result<void> merge(const Git& git) { return merge_of(git, "SL-4-head"); }
Result<void> merge_addition(const Git& git) { return merge_of(git, "adds-head"); }

Result<void> ref(const Git& git) {
  return ensure_ref(git,
                    {.ref = "refs/heads/unused", .to = TRY(id(git, "SL-4-head")), .from = TRY(id(git, "base"))});
}

Result<void> take_over(const Git& git) {
  TRY(ensure_taken_over(git, lane("SL-2"),
                        {.from = git.top() / ".worktrees/P1/SL-4", .from_branch = "lane/P1/SL-4"}));
  return {};
}

// What a program does that simply calls git again: the sweep must find it out.
Result<void> naive_commit(const Git& git) {
  const Git there = TRY(open_worktree(git, git.top() / ".worktrees/P1/SL-1"));
  TRY(there.ask({"add", "--all"}, {.access = GitAccess::Change}));
  TRY(there.ask({"-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "-m", "task T1"},
                {.access = GitAccess::Change}));
  return {};
}

// A commit without our settings for syncing: a power cut must find it out.
Result<void> unsynced_commit(const Git& git) {
  const Git there = TRY(open_worktree(git, git.top() / ".worktrees/P1/SL-1"));
  const std::vector<std::string> unsynced = {"-c", "core.fsync=none", "-c", "user.name=x", "-c", "user.email=x"};
  for (std::vector<std::string> words :
       {std::vector<std::string>{"add", "--all"}, {"commit", "-q", "-m", "task T1"}}) {
    words.insert(words.begin(), unsynced.begin(), unsynced.end());
    TRY(there.ask(words, {.access = GitAccess::Change}));
  }
  return {};
}

Result<void> naive_add(const Git& git) {
  TRY(git.ask({"worktree", "add", "-q", "-b", "lane/P1/SL-2", ".worktrees/P1/SL-2", "base"},
              {.access = GitAccess::Change}));
  return {};
}

const std::map<std::string, std::function<Result<void>(const Git&)>> kOperations = {
    {"commit", commit},
    {"add", add},
    {"remove", remove},
    {"reset", reset},
    {"merge", merge},
    {"merge-addition", merge_addition},
    {"ref", ref},
    {"take-over", take_over},
    {"make-again", make_again},
    {"naive-commit", naive_commit},
    {"unsynced-commit", unsynced_commit},
    {"naive-add", naive_add}};

// "make:NAME" and "unmake:NAME", for many lanes at once.
Result<void> make_or_unmake(const Git& git, const std::string& word) {
  const std::string name = word.substr(word.find(':') + 1);
  if (word.starts_with("unmake:")) return remove_at(git, ".worktrees/P1/" + name);
  TRY(ensure_worktree(git, lane(name)));
  return {};
}

// The journal's part: what was done goes on record, synced, and then somebody is told.
int record_it(const std::string& folder) {
  const char* path = std::getenv("REPRISE_FAULT_TRACE");
  if (path == nullptr) return 0;
  const int fd = open((folder + "/.git/recorded").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0 || write(fd, "recorded", 8) != 8 || fsync(fd) != 0 || close(fd) != 0) return 1;
  return write(1, "recorded\n", 9) == 9 ? 0 : 1;
}

int run(const std::string& folder, const std::string& name) {
  const Result<Git> git = Git::open(folder);
  const auto operation = kOperations.find(name);
  const bool is_named = name.find(':') != std::string::npos;
  if (!git || (!is_named && operation == kOperations.end())) return 2;
  const Result<void> done = is_named ? make_or_unmake(*git, name) : operation->second(*git);
  if (done) return record_it(folder);
  std::fprintf(stderr, "%s\n", done.error().message.c_str());
  return 1;
}

}  // namespace
}  // namespace reprise

int main(int count, char** words) {
  if (count < 4) return 2;
  if (count > 4) reprise::die_together();
  return reprise::run(words[2], words[3]);
}
