// Snapshot, rollback and undo, killed at their mutating calls, those of git included, and then made again.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <thread>

#include "../crash/fault_map.h"
#include "base/check.h"
#include "os/process.h"
#include "world.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

// A dirty lane, and operations on it that can be struck.
class Stage {
 public:
  explicit Stage(Dirt dirt) : repository_(make_repository(folder_.path() / "world", 1)), name_(name_of(dirt)) {
    std::mt19937 random(static_cast<unsigned>(dirt) + 1);
    for (const Dirt each : {Dirt::Staged, Dirt::Untracked, Dirt::LaterCommit}) make_dirty(lane(), each, random);
    if (dirt != Dirt::Staged && dirt != Dirt::Untracked && dirt != Dirt::LaterCommit) {
      make_dirty(lane(), dirt, random);
    }
    before_ = look_at_worktree(lane());
    const int fd = ::open(map_path().c_str(), O_RDWR | O_CREAT, 0600);
    check(fd >= 0 && ::ftruncate(fd, sizeof(FaultMap)) == 0);
    void* memory = ::mmap(nullptr, sizeof(FaultMap), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    check(memory != MAP_FAILED);
    ::close(fd);
    map_ = static_cast<FaultMap*>(memory);
  }
  ~Stage() { ::munmap(map_, sizeof(FaultMap)); }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  const fs::path& lane() const { return repository_.lanes[0]; }
  const Sight& before() const { return before_; }
  const std::string& name() const { return name_; }

  // Runs an operation, struck at its call `at`; -1: not struck. Returns whether it ended well.
  bool run(const std::vector<std::string>& words, int mode, std::int64_t at) {
    map_->mode = mode;
    map_->role = FAULT_RUNNER;
    map_->at = at;
    map_->fired = 0;
    std::memset(map_->count, 0, sizeof map_->count);
    map_->rows = 0;
    CaptureRequest request{.argv = {REPRISE_OPERATOR},
                           .environment = current_environment(),
                           .directory = {},
                           .input = {},
                           .timeout = {},
                           .output_bytes_max = 1u << 20,
                           .held_fd = -1};
    request.argv.insert(request.argv.end(), words.begin(), words.end());
    request.environment.push_back("LD_PRELOAD=" REPRISE_FAULTLIB);
    request.environment.push_back("REPRISE_FAULT_MAP=" + map_path());
    request.environment.push_back("REPRISE_FAULT_ROOT=" + (folder_.path() / "world").string());
    Result<Captured> captured = run_captured(request);
    check(captured.has_value());
    said_ = captured->errors;
    return captured->exit_code == 0;
  }
  bool was_struck() const { return map_->fired != 0; }
  std::int64_t calls() const { return map_->count[FAULT_RUNNER]; }
  const std::string& said() const { return said_; }

  std::vector<std::string> snapshot() const { return {"snapshot", lane().string(), "refs/reprise/lanes/one/now"}; }
  std::vector<std::string> rollback() const {
    return {"rollback", lane().string(), repository_.main.string(), repository_.base, journal().string()};
  }
  std::vector<std::string> undo() const {
    std::string to;
    std::string rescue;
    std::ifstream(journal()) >> to >> rescue;
    return {"undo", lane().string(), rescue};
  }
  void forget_journal() const { fs::remove(journal()); }

  std::string rolled_back_wrongly() const {
    if (git_in(lane(), {"rev-parse", "HEAD"}) != repository_.base) return "HEAD is elsewhere";
    return git_in(lane(), {"status", "--porcelain", "-uno", "--ignore-submodules=all"});
  }
  std::string restored_wrongly() const { return difference(before_, look_at_worktree(lane())); }
  // What no kill may leave: damage, or a lock that somebody has to remove by hand.
  std::string damage() const {
    std::string found = git_in(lane(), {"fsck", "--no-dangling", "--no-progress"}, true);
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(repository_.main / ".git")) {
      const std::string path = entry.path().string();
      if (path.ends_with(".lock") && path.find("/reprise/") == std::string::npos) found += "left: " + path + "\n";
    }
    return found;
  }

 private:
  std::string map_path() const { return (folder_.path() / "map").string(); }
  fs::path journal() const { return folder_.path() / "journal"; }

  ScratchFolder folder_;
  Repository repository_;
  std::string name_;
  Sight before_;
  std::string said_;
  FaultMap* map_ = nullptr;
};

struct Figures {
  std::atomic<int> calls = 0;
  std::atomic<int> struck = 0;
  std::atomic<int> missed = 0;
  std::mutex mutex;
  std::vector<std::string> violations;
  void add(const Stage& stage, const std::string& what, std::int64_t at, const std::string& why) {
    const std::lock_guard guard(mutex);
    violations.push_back(stage.name() + ", " + what + " killed at call " + std::to_string(at) + ": " + why);
  }
};

// Strikes every `stride`-th call of all three operations, beginning with `first`.
class Sweep {
 public:
  Sweep(Stage& stage, Figures& figures, std::int64_t first, std::int64_t stride)
      : stage_(stage), figures_(figures), first_(first), stride_(stride) {}

  void run() {
    if (!survey()) return;
    figures_.calls += static_cast<int>(calls_[0] + calls_[1] + calls_[2]);
    for (std::int64_t at = first_ % stride_; at < calls_[0]; at += stride_) strike_snapshot(at);
    for (std::int64_t at = first_ % stride_; at < std::max(calls_[1], calls_[2]); at += stride_) {
      strike_there_and_back(at);
    }
    if (const std::string damage = stage_.damage(); !damage.empty()) figures_.add(stage_, "all", -1, damage);
  }

 private:
  bool plain(const char* what, const std::vector<std::string>& words, std::int64_t& calls) {
    const bool ok = stage_.run(words, FAULT_NONE, -1);
    calls = stage_.calls();
    if (!ok) figures_.add(stage_, what, -1, stage_.said());
    return ok;
  }

  // Twice: the first ones find nothing prepared, the following ones find what all others will.
  bool survey() {
    for (int i = 0; i < 2; ++i) {
      if (!plain("snapshot", stage_.snapshot(), calls_[0]) || !plain("rollback", stage_.rollback(), calls_[1]) ||
          !plain("undo", stage_.undo(), calls_[2])) {
        return false;
      }
      stage_.forget_journal();
    }
    const std::string wrong = stage_.restored_wrongly();
    if (!wrong.empty()) figures_.add(stage_, "nothing", -1, wrong);
    return wrong.empty();
  }

  void count(const char* what, std::int64_t at, bool ended_well) {
    ++(stage_.was_struck() ? figures_.struck : figures_.missed);
    if (stage_.was_struck() && ended_well) figures_.add(stage_, what, at, "nobody noticed");
  }

  void strike_snapshot(std::int64_t at) {
    count("snapshot", at, stage_.run(stage_.snapshot(), FAULT_KILL_BEFORE, at));
    if (const std::string text = stage_.restored_wrongly(); !text.empty()) {
      figures_.add(stage_, "snapshot", at, text);
    }
    if (!stage_.run(stage_.snapshot(), FAULT_NONE, -1)) figures_.add(stage_, "snapshot", at, stage_.said());
  }

  // A rollback that is struck, then made; then its undo, which is struck, then made. What lies between the two is
  // looked at, so the second strike meets what an undisturbed rollback leaves.
  void strike_there_and_back(std::int64_t at) {
    if (at < calls_[1]) count("rollback", at, stage_.run(stage_.rollback(), FAULT_KILL_BEFORE, at));
    const bool is_back = stage_.run(stage_.rollback(), FAULT_NONE, -1);
    if (const std::string wrong = is_back ? stage_.rolled_back_wrongly() : stage_.said(); !wrong.empty())
      figures_.add(stage_, "rollback", at, wrong);
    if (at < calls_[2]) count("undo", at, stage_.run(stage_.undo(), FAULT_KILL_BEFORE, at));
    const bool is_undone = stage_.run(stage_.undo(), FAULT_NONE, -1);
    if (const std::string wrong = is_undone ? stage_.restored_wrongly() : stage_.said(); !wrong.empty())
      figures_.add(stage_, "rollback and undo", at, wrong);
    stage_.forget_journal();
  }

  Stage& stage_;
  Figures& figures_;
  std::int64_t first_;
  std::int64_t stride_;
  std::int64_t calls_[3] = {0, 0, 0};
};

// A person who presses Ctrl-C while a rollback hangs: the signal comes at some moment, also when all is done and
// only nobody knows, and nothing is removed.
TEST(SnapshotKills, R10_AnInterruptAtAnyMomentRemovesNothing) {
  Stage stage(Dirt::TypeChanges);
  const int wanted = by_strength(12, 40, 200);
  int rounds = 0;
  for (; rounds < wanted; ++rounds) {
    const std::vector<std::string> words = stage.rollback();
    std::vector<std::string> argv = {REPRISE_OPERATOR};
    argv.insert(argv.end(), words.begin(), words.end());
    const std::vector<std::string> environment = current_environment();
    const int pid = spawn({.argv = argv, .environment = environment}).value();
    if (rounds % 6 != 5) {
      std::this_thread::sleep_for(std::chrono::milliseconds(rounds * 211 % 97 + rounds));
      ::kill(pid, SIGINT);
    }
    ::waitpid(pid, nullptr, 0);
    ASSERT_TRUE(fs::is_directory(stage.lane()));
    ASSERT_TRUE(stage.run(stage.rollback(), FAULT_NONE, -1)) << stage.said();
    EXPECT_EQ(stage.rolled_back_wrongly(), "");
    ASSERT_TRUE(stage.run(stage.undo(), FAULT_NONE, -1)) << stage.said();
    EXPECT_EQ(stage.restored_wrongly(), "");
    stage.forget_journal();
  }
  EXPECT_EQ(rounds, wanted);
}

TEST(SnapshotKills, P24_AKillAtAnyCallLosesNothingAndNeedsNoHand) {
  constexpr int kKinds = static_cast<int>(Dirt::kCount);
  const char* wanted = std::getenv("REPRISE_STRIDE");
  const std::int64_t stride = wanted != nullptr ? std::atoll(wanted) : by_strength(97, 97, 1);
  Figures figures;
  std::atomic<int> next = 0;
  const auto work = [&] {
    // Every day some kinds and calls; another first call for each kind, so that together they meet many.
    for (int kind = next++; kind < kKinds; kind = next++) {
      if (strength() == Strength::Everyday && wanted == nullptr && kind % 4 != 2) continue;
      if (const char* only = std::getenv("REPRISE_KIND"); only != nullptr && kind != std::atoi(only)) continue;
      Stage stage(static_cast<Dirt>(kind));
      Sweep(stage, figures, kind * 37, stride).run();
    }
  };
  std::thread other(work);
  work();
  other.join();
  std::printf("calls %d, struck %d, missed %d, violations %zu\n", figures.calls.load(), figures.struck.load(),
              figures.missed.load(), figures.violations.size());
  EXPECT_GT(figures.struck, 10);
  for (std::size_t i = 0; i < figures.violations.size() && i < 10; ++i) ADD_FAILURE() << figures.violations[i];
}

}  // namespace
}  // namespace reprise
