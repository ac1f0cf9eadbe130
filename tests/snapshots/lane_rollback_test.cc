// Rollbacks among lanes of one repository: nothing outside the lane is ever different.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <mutex>
#include <thread>

#include "base/digest.h"
#include "lanes/rollback.h"
#include "world.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

constexpr int kLanes = 4;

// What can be seen without asking git: files, and the bytes of index and HEAD.
Sight look_outside(const Repository& repository, int lane) {
  Sight sight;
  const auto add = [&](const std::string& name, const fs::path& worktree, const fs::path& own) {
    for (const auto& [key, value] : look_at_worktree(worktree, Look::FilesOnly)) sight[name + " " + key] = value;
    for (const char* file : {"index", "HEAD", "MERGE_HEAD"}) {
      sight[name + " " + file] = to_hex(digest_of(read_bytes(own / file)));
    }
  };
  const fs::path books = repository.main / ".git";
  add("main", repository.main, books);
  for (int i = 0; i < kLanes; ++i) {
    const std::string name = "lane-" + std::to_string(i);
    if (i != lane) add(name, repository.lanes[static_cast<std::size_t>(i)], books / "worktrees" / name);
  }
  const std::string own = "refs/heads/lane/" + std::to_string(lane) + " ";
  std::string refs = git_in(repository.main, {"for-each-ref", "--format=%(refname) %(objectname)"});
  std::string others;
  for (std::size_t begin = 0; begin < refs.size();) {
    const std::size_t end = std::min(refs.find('\n', begin), refs.size());
    const std::string line = refs.substr(begin, end - begin);
    if (!line.starts_with(own) && !line.starts_with("refs/reprise/")) others += line + "\n";
    begin = end + 1;
  }
  sight["references"] = others;
  return sight;
}

// One story: a repository whose lanes are worked in and rolled back, in an order that the number settles.
class Story {
 public:
  explicit Story(std::uint32_t seed) : random_(seed), repository_(make_repository(folder_.path(), kLanes)) {
    for (std::vector<std::string>& targets : targets_) targets.push_back(repository_.base);
  }

  // Returns what went wrong; "" if nothing did.
  std::string step(int number) {
    const int lane = static_cast<int>(random_() % kLanes);
    const fs::path& folder = repository_.lanes[static_cast<std::size_t>(lane)];
    std::vector<std::string>& targets = targets_[static_cast<std::size_t>(lane)];
    const Result<Git> main = Git::open(repository_.main);
    const Result<Git> git = open_lane_folder(folder, *main);
    if (!git) return git.error().message;
    work_in(folder, lane, *git, targets);
    work_outside(number);
    const Sight before = look_outside(repository_, lane);
    const std::string to = targets[random_() % targets.size()];
    const Result<RolledBack> done = roll_back(*git, {.to = to,
                                                     .of = "lane/" + std::to_string(lane),
                                                     .reason = "round " + std::to_string(number),
                                                     .time = {1'800'000'000'000 + number * 1000},
                                                     .is_stopped = number % 5 != 0});
    if (!done) return done.error().message;
    std::string wrong = difference(before, look_outside(repository_, lane));
    if (read_bytes(repository_.main / ".git/worktrees" / folder.filename() / "HEAD") !=
        "ref: refs/heads/lane/" + std::to_string(lane) + "\n") {
      wrong += "the lane is not on its branch any more";
    }
    return wrong;
  }

 private:
  void work_in(const fs::path& folder, int lane, const Git& git, std::vector<std::string>& targets) {
    const std::string number = std::to_string(random_() % 1000);
    write_file(folder / ("src/file" + std::to_string(random_() % 6) + ".txt"), "changed " + number);
    write_file(folder / ("new" + number + ".txt"), number);
    if (random_() % 3 == 0) git_in(folder, {"add", "-A"});
    if (random_() % 4 == 0) {
      git_in(folder, {"commit", "-q", "--allow-empty", "-m", number}, true);
      targets.push_back(git_in(folder, {"rev-parse", "HEAD"}));
    }
    if (random_() % 4 == 0) {
      const std::string ref = "refs/reprise/lanes/" + std::to_string(lane) + "/" + std::to_string(targets.size());
      const Result<Snapshot> snapshot = take_snapshot(git, {.ref = ref, .message = number, .time = {1}});
      if (snapshot) targets.push_back(snapshot->commit);
    }
  }

  // The others are at work as well, between the rollbacks.
  void work_outside(int number) {
    write_file(repository_.main / "typed.txt", "by a person " + std::to_string(number));
    write_file(repository_.lanes[random_() % kLanes] / "by-a-worker.txt", std::to_string(number));
  }

  std::mt19937 random_;
  ScratchFolder folder_;
  Repository repository_;
  std::vector<std::string> targets_[kLanes];
};

TEST(LaneRollbacks, P25_RandomRollbacksLeaveEverythingOutsideTheLaneAsItWas) {
  const int wanted = by_strength(100, 300, 1000);
  std::atomic<int> done = 0;
  std::mutex mutex;
  std::vector<std::string> failures;
  const auto work = [&](std::uint32_t seed) {
    Story story(seed);
    for (int i = 0; i < wanted / 2; ++i) {
      std::string failure = story.step(i);
      ++done;
      const std::lock_guard guard(mutex);
      if (!failure.empty())
        failures.push_back("story " + std::to_string(seed) + ", round " + std::to_string(i) + ": " + failure);
    }
  };
  std::thread other(work, 1);
  work(2);
  other.join();
  std::printf("rollbacks %d, with differences outside the lane %zu\n", done.load(), failures.size());
  EXPECT_EQ(done, wanted);
  for (std::size_t i = 0; i < failures.size() && i < 5; ++i) ADD_FAILURE() << failures[i];
}

}  // namespace
}  // namespace reprise
