// Dirty worktrees, snapshot, rolled back and restored: every byte comes back.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <mutex>
#include <thread>

#include "lanes/restore.h"
#include "world.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

constexpr Timestamp kTime{1'800'000'000'123};

// One round: what went wrong; "" if nothing did.
std::string round_trip(std::uint32_t seed) {
  const ScratchFolder folder;
  const Repository repository = make_repository(folder.path(), 1);
  const fs::path& lane = repository.lanes[0];
  const std::string kinds = make_dirty(lane, seed);
  const std::string title = "seed " + std::to_string(seed) + " (" + kinds + "): ";
  const Sight before = look_at_worktree(lane);
  const std::string index_bytes = read_bytes(fs::path(git_in(lane, {"rev-parse", "--git-path", "index"})));

  const Result<Git> git = Git::open(lane);
  if (!git) return title + git.error().message;
  const Result<Snapshot> taken = take_snapshot(
      *git, {.ref = "refs/reprise/lanes/one", .message = "before", .time = kTime, .ignored = listed_paths()});
  if (!taken) return title + "snapshot: " + taken.error().message;
  if (read_bytes(fs::path(git_in(lane, {"rev-parse", "--git-path", "index"}))) != index_bytes) {
    return title + "the snapshot wrote the index";
  }
  if (const std::string text = difference(before, look_at_worktree(lane)); !text.empty()) {
    return title + "the snapshot changed something:\n" + text;
  }
  const Result<PreparedRestore> prepared = prepare_restore(*git, {.to = repository.base,
                                                                  .rescue_ref = "refs/reprise/rescue/one/1",
                                                                  .reason = "rolled back",
                                                                  .time = kTime,
                                                                  .ignored = listed_paths()});
  if (!prepared) return title + "prepare: " + prepared.error().message;
  const Result<Restored> back = finish_restore(*git, prepared->plan);
  if (!back) return title + "roll back: " + back.error().message;
  if (git_in(lane, {"rev-parse", "HEAD"}) != repository.base) return title + "HEAD is not where it should be";
  const std::string tracked = git_in(lane, {"status", "--porcelain", "-uno", "--ignore-submodules=all"});
  if (!tracked.empty()) return title + "rolled back, but changed: " + tracked;

  const Result<Restored> restored = restore_snapshot(
      *git,
      {.to = prepared->plan.rescue, .rescue_ref = "refs/reprise/rescue/one/2", .reason = "undo", .time = kTime});
  if (!restored) return title + "restore: " + restored.error().message;
  if (const std::string text = difference(before, look_at_worktree(lane)); !text.empty()) {
    return title + "restored, but:\n" + text;
  }
  const std::string lost = git_in(lane, {"fsck", "--no-dangling", "--no-progress"}, true);
  if (!lost.empty()) return title + "fsck: " + lost;
  return "";
}

TEST(Snapshots, LN06_EveryByteOfADirtyLaneComesBackAfterARollback) {
  const std::uint32_t wanted = static_cast<std::uint32_t>(by_strength(60, 150, 500));
  std::atomic<std::uint32_t> next = 0;
  std::atomic<std::uint32_t> done = 0;
  std::mutex mutex;
  std::vector<std::string> failures;
  const auto work = [&] {
    for (std::uint32_t seed = next++; seed < wanted; seed = next++) {
      std::string failure = round_trip(seed);
      ++done;
      const std::lock_guard guard(mutex);
      if (!failure.empty()) failures.push_back(std::move(failure));
    }
  };
  std::thread other(work);
  work();
  other.join();
  std::printf("rounds %u, failed %zu\n", done.load(), failures.size());
  EXPECT_EQ(done, wanted);
  for (std::size_t i = 0; i < failures.size() && i < 5; ++i) ADD_FAILURE() << failures[i];
}

}  // namespace
}  // namespace reprise
