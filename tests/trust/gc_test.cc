// `gc` and names that are used again: what is removed, and that nothing old reaches a new run.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <set>

#include "world.h"

namespace reprise::cli_test {
namespace {

constexpr const char* kHello = "stages:\n  a: {run: 'echo hello >out.txt', produces: [out.txt]}\n";
// Works until `go` is there.
constexpr const char* kBusy =
    "stages:\n  slow: {run: 'echo x >>started; for i in $(seq 600); do [ -e go ] && break; sleep 0.05; done; "
    "echo x >>ended'}\n";

constexpr const char* kPlan =
    "# P1: One\n\n## Lane Index & Dependencies\n\n- SL-A -- The only one\n  - Depends on: (none)\n\n"
    "## D. Swim Lanes\n\n### SL-A -- The only one\n\n"
    "| Task ID | Task Type | Depends On | Files in Scope | Tests Owned Files | Test Command(s) | Acceptance "
    "Criteria |\n"
    "|---|---|---|---|---|---|---|\n| A1 | impl | - | a.txt | - | `test -s a.txt` | a |\n";

fs::path store_of(const World& world) { return world.root() / ".git" / "reprise"; }

/// Every file below `folder`, relative to it.
std::set<std::string> files_in(const fs::path& folder) {
  std::set<std::string> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, error)) {
    if (!entry.is_directory()) found.insert(entry.path().lexically_relative(folder).string());
  }
  return found;
}

/// The one folder of a step's attempt, whatever the folder of its run is called.
fs::path attempt_of(const World& world, const std::string& workflow, const std::string& tail) {
  std::error_code error;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(store_of(world) / "attempts" / workflow, error)) {
    if (entry.path().string().ends_with("/" + tail)) return entry.path();
  }
  return {};
}

/// Makes a run of `workflow`, puts it away, and returns what the store holds of it.
void run_and_put_away(const World& world, const std::string& workflow, const std::string& subject) {
  const Ended ran = world.reprise({"run", workflow, subject});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  const Ended put = world.reprise({"fresh", workflow + "/" + subject, "--yes"});
  ASSERT_EQ(put.exit, 0) << put.err;
}

TEST(Gc, E01_FinishedRunKeepsItsFolders) {
  const World world;
  world.workflow("hello", kHello);
  ASSERT_EQ(world.reprise({"run", "hello", "x"}).exit, 0);
  const std::set<std::string> before = files_in(store_of(world) / "attempts");
  ASSERT_FALSE(before.empty());
  EXPECT_EQ(world.reprise({"gc", "--keep", "0d"}).exit, 0);
  EXPECT_EQ(files_in(store_of(world) / "attempts"), before);
  EXPECT_EQ(world.reprise({"log", "hello/x"}).exit, 0);
}

TEST(Gc, E01_ARunOfLanesThatIsAtWorkKeepsItsFolders) {
  const World world;
  world.write("plans/P1.md", kPlan);
  world.write(".reprise/config.yaml",
              "workers:\n  default:\n    run: 'top=$(git rev-parse --path-format=absolute --git-common-dir)/..; "
              "touch \"$top/started\"; for i in $(seq 600); do [ -e \"$top/go\" ] && break; sleep 0.05; done; "
              "echo a >a.txt'\n");
  ASSERT_EQ(world
                .shell("git config user.name T; git config user.email t@example.org; printf 'started\\ngo\\n"
                       "background.txt\\n' >.git/info/exclude; git add -A && git commit -qm begin")
                .exit,
            0);
  const std::unique_ptr<Background> owner =
      world.start({"run", "lanes", "plans/P1.md", "--run-id", "one", "--quiet"});
  ASSERT_TRUE(world.wait_for_file("started"));
  const std::set<std::string> attempts = files_in(store_of(world) / "attempts");
  const std::set<std::string> guards = files_in(store_of(world) / "guards");
  ASSERT_FALSE(attempts.empty());
  ASSERT_FALSE(guards.empty());
  const Ended gc = world.reprise({"gc", "--keep", "0d"});
  EXPECT_EQ(gc.exit, 0) << gc.out << gc.err;
  EXPECT_EQ(files_in(store_of(world) / "attempts"), attempts);
  EXPECT_EQ(files_in(store_of(world) / "guards"), guards);
  world.write("go", "");
  EXPECT_EQ(owner->end(), 0) << world.read("background.txt");
}

TEST(Gc, E01_AnArchivedRunGoesWithItsFoldersAndNoOtherDoes) {
  const World world;
  world.workflow("hello", kHello);
  run_and_put_away(world, "hello", "old");
  ASSERT_EQ(world.reprise({"run", "hello", "new"}).exit, 0);
  const Ended dry = world.reprise({"gc", "--keep", "0d", "--dry-run", "--json"});
  const Ended gc = world.reprise({"gc", "--keep", "0d"});
  EXPECT_EQ(gc.exit, 0) << gc.err;
  EXPECT_NE(gc.out.find("run hello/old\n"), std::string::npos) << gc.out;
  EXPECT_NE(dry.out.find("\"hello/old\""), std::string::npos) << dry.out;
  EXPECT_EQ(world.reprise({"log", "hello/new"}).exit, 0);
  EXPECT_FALSE(attempt_of(world, "hello", "a/1").empty());
  for (const std::string& file : files_in(store_of(world) / "attempts"))
    EXPECT_NE(file.substr(0, 10), "hello/old+") << file;
  EXPECT_EQ(world.reprise({"gc", "--keep", "0d"}).out, "nothing to remove\n");
}

TEST(Gc, E01_AFolderWhoseGuardIsAtWorkStays) {
  const World world;
  world.workflow("hello", kHello);
  run_and_put_away(world, "hello", "old");
  fs::path lock;
  for (const std::string& file : files_in(store_of(world) / "guards")) {
    if (file.ends_with("guard.lock")) lock = store_of(world) / "guards" / file;
  }
  ASSERT_FALSE(lock.empty());
  const int fd = ::open(lock.c_str(), O_RDWR | O_CLOEXEC);
  struct flock range{};
  range.l_type = F_WRLCK;
  range.l_len = 1;
  ASSERT_EQ(::fcntl(fd, F_OFD_SETLK, &range), 0);
  const Ended gc = world.reprise({"gc", "--keep", "0d", "--yes"});
  EXPECT_EQ(gc.exit, 0) << gc.err;
  EXPECT_TRUE(fs::exists(lock)) << gc.out;
  EXPECT_NE(gc.err.find("kept: hello/old: its guard is at work"), std::string::npos) << gc.err;
  ::close(fd);
  EXPECT_EQ(world.reprise({"gc", "--keep", "0d"}).exit, 0);
  EXPECT_FALSE(fs::exists(lock));
}

// The journal was restored from a time before the run; its worker is still at work.
TEST(Gc, E01_AWorkerOfARunThatTheJournalDoesNotNameKeepsItsFolders) {
  const World world;
  world.workflow("hello", kHello);
  world.workflow("busy", kBusy);
  ASSERT_EQ(world.reprise({"run", "hello", "x"}).exit, 0);
  ASSERT_EQ(world.shell("mkdir ../kept && cp .git/reprise/journal.db* ../kept").exit, 0);
  const std::unique_ptr<Background> owner = world.start({"run", "busy", "a"});
  ASSERT_TRUE(world.wait_for_file("started"));
  owner->signal(SIGKILL);
  owner->end();
  ASSERT_EQ(world.shell("rm .git/reprise/journal.db* && cp ../kept/* .git/reprise").exit, 0);
  const std::set<std::string> attempts = files_in(store_of(world) / "attempts" / "busy");
  ASSERT_FALSE(attempts.empty());
  const Ended gc = world.reprise({"gc", "--keep", "0d", "--yes"});
  EXPECT_EQ(gc.exit, 0) << gc.err;
  EXPECT_EQ(files_in(store_of(world) / "attempts" / "busy"), attempts) << gc.out;
  EXPECT_NE(gc.err.find("kept: attempts/busy: a guard is at work in it"), std::string::npos) << gc.err;
  world.write("go", "");
  EXPECT_TRUE(world.wait_for_file("ended"));
}

TEST(Gc, E04_NoLinkLeadsOutOfTheStore) {
  for (const std::string kind : {"attempts", "guards"}) {
    for (const bool is_deep : {false, true}) {
      const World world;
      world.workflow("hello", kHello);
      run_and_put_away(world, "hello", "old");
      // The whole folder of the kind, or the one of the workflow in it, lies elsewhere.
      const fs::path place = is_deep ? store_of(world) / kind / "hello" : store_of(world) / kind;
      const fs::path elsewhere = world.root() / "elsewhere";
      fs::rename(place, elsewhere);
      fs::create_directory_symlink(elsewhere, place);
      world.write("elsewhere/a/b/precious.txt", "precious");
      const std::set<std::string> before = files_in(elsewhere);
      for (const std::string word : {"--dry-run", "--quiet", "--yes"}) {
        const Ended gc = world.reprise({"gc", "--keep", "0d", word});
        EXPECT_EQ(files_in(elsewhere), before) << kind << is_deep << " " << word << gc.out << gc.err;
      }
      const Ended gc = world.reprise({"gc", "--keep", "0d"});
      EXPECT_NE(gc.err.find(" is a link; what lies behind it is not touched"), std::string::npos) << gc.err;
    }
  }
}

TEST(Gc, E04_WhatIsMountedInTheStoreStays) {
  const World world;
  if (world.shell("unshare -m true").exit != 0) GTEST_SKIP() << "this user cannot mount anything";
  world.workflow("hello", kHello);
  run_and_put_away(world, "hello", "old");
  world.write("precious/a/file", "precious");
  const fs::path place = attempt_of(world, "hello", "a/1") / "mnt";
  fs::create_directories(place);
  const Ended gc =
      world.shell("unshare -m sh -c 'mount --bind precious \"" + place.string() + "\" && reprise gc --keep 0d'");
  EXPECT_EQ(gc.exit, 0) << gc.out << gc.err;
  EXPECT_TRUE(world.has("precious/a/file")) << gc.out << gc.err;
  EXPECT_NE(gc.err.find("mnt is a mount point; what is mounted there is not removed"), std::string::npos)
      << gc.err;
  const Ended again = world.reprise({"gc", "--keep", "0d"});
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_FALSE(fs::exists(place));
  EXPECT_TRUE(world.has("precious/a/file"));
}

TEST(Gc, E04_WhatBelongsToNoRunIsAskedAbout) {
  World world;
  world.workflow("hello", kHello);
  ASSERT_EQ(world.reprise({"run", "hello", "x"}).exit, 0);
  world.write(".git/reprise/attempts/gone/run/step/1/result.json", "{}");
  world.write("precious/file", "precious");
  fs::create_directory_symlink(world.root() / "precious", store_of(world) / "attempts" / "gone" / "link");
  const Ended asked = world.reprise({"gc"});
  EXPECT_EQ(asked.exit, 3) << asked.out << asked.err;
  EXPECT_NE(asked.err.find("belongs to no run: attempts/gone\n"), std::string::npos) << asked.err;
  EXPECT_NE(asked.err.find("reprise gc --yes"), std::string::npos) << asked.err;
  EXPECT_TRUE(world.has(".git/reprise/attempts/gone/run/step/1/result.json"));
  {
    const std::unique_ptr<Terminal> terminal = world.terminal({"gc"});
    ASSERT_TRUE(terminal->shows("remove what belongs to no run? (yes / no)"));
    terminal->type("no\n");
    EXPECT_EQ(terminal->end(), 3);
    EXPECT_TRUE(world.has(".git/reprise/attempts/gone/run/step/1/result.json"));
  }
  const Ended gone = world.reprise({"gc", "--yes"});
  EXPECT_EQ(gone.exit, 0) << gone.err;
  EXPECT_FALSE(world.has(".git/reprise/attempts/gone"));
  EXPECT_TRUE(world.has("precious/file"));
  EXPECT_EQ(world.reprise({"log", "hello/x"}).exit, 0);
}

// A gc that has much to remove, and runs that begin meanwhile.
TEST(Gc, E05_ARunThatBeginsBesideGcKeepsItsFolders) {
  const World world;
  world.workflow("hello", kHello);
  world.workflow("busy", kBusy);
  ASSERT_EQ(world.reprise({"run", "hello", "x"}).exit, 0);
  const fs::path junk = store_of(world) / "guards" / "aaa" / "gone";
  fs::create_directories(junk);
  for (int i = 0; i < 20'000; ++i) std::ofstream(junk / std::to_string(i));
  const std::unique_ptr<Background> gc = world.start({"gc", "--yes"}, "gc.txt");
  const std::unique_ptr<Background> owner = world.start({"run", "busy", "a"});
  ASSERT_TRUE(world.wait_for_file("started"));
  EXPECT_EQ(gc->end(), 0) << world.read("gc.txt");
  EXPECT_FALSE(fs::exists(junk));
  // The runner dies: what it started is still found, and is not done a second time.
  owner->signal(SIGKILL);
  owner->end();
  world.write("go", "");
  const Ended resumed = world.reprise({"resume", "busy/a", "--yes"});
  EXPECT_EQ(resumed.exit, 0) << resumed.err;
  EXPECT_EQ(world.read("started"), "x\n");
}

// An import writes the files of its run before the journal names it.
TEST(Gc, E05_ARunThatIsImportedBesideGcKeepsItsFolders) {
  const World world;
  std::string stages = "stages:\n";
  for (int i = 0; i < 12; ++i) stages += "  s" + std::to_string(i) + ": {run: 'echo hello'}\n";
  world.workflow("m", stages + "  end: {gate: 'Done?'}\n");
  ASSERT_EQ(world.reprise({"run", "m", "s1"}).exit, 3);
  ASSERT_EQ(world.reprise({"export", "m/s1", "--output", "../m.tar"}).exit, 0);
  const std::size_t files = files_in(store_of(world) / "attempts").size();
  ASSERT_GE(files, 12u);
  constexpr std::size_t kImports = 12;
  for (std::size_t i = 1; i <= kImports; ++i) {
    const std::unique_ptr<Background> gc = world.start({"gc", "--yes"}, "gc.txt");
    const Ended imported = world.reprise({"import", "../m.tar", "--as", "y" + std::to_string(i)});
    EXPECT_EQ(imported.exit, 0) << imported.err;
    EXPECT_EQ(gc->end(), 0) << world.read("gc.txt");
  }
  EXPECT_EQ(files_in(store_of(world) / "attempts").size(), files * (kImports + 1));
}

// What a gc of an earlier version left when it was killed: the files of a run that the journal no longer knows.
TEST(Gc, E06_OldResultsAreNotLentToANewRunOfTheSameName) {
  const World world;
  world.workflow("w",
                 "stages:\n  judge: {run: 'test -n \"$REPRISE_RESULT\"; echo $REPRISE_RESULT >where'}\n"
                 "  ship: {needs: judge, when: {judge: pass}, run: 'echo x >shipped'}\n");
  world.workflow("hello", kHello);
  ASSERT_EQ(world.reprise({"run", "hello", "x"}).exit, 0);
  const std::string old = R"({"status": "done", "verdict": "pass", "summary": "of long ago"})";
  world.write(".git/reprise/attempts/w/v1/judge/1/result.json", old);
  const Ended ran = world.reprise({"run", "w", "v1"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_FALSE(world.has("shipped")) << ran.err;
  EXPECT_EQ(world.reprise({"events", "w/v1"}).out.find("of long ago"), std::string::npos);
  // The same where the attempt itself is about to begin.
  run_and_put_away(world, "w", "v2");
  const std::string place = world.read("where");
  EXPECT_NE(place.find("/attempts/w/v2+"), std::string::npos) << place;
}

TEST(Gc, E06_AnAttemptBeginsInAnEmptyFolder) {
  const World world;
  world.workflow("w",
                 "stages:\n  first: {run: 'true'}\n  gate: {needs: first, gate: Go?}\n"
                 "  judge: {needs: gate, run: 'test -n \"$REPRISE_BRIEF\"; true'}\n"
                 "  ship: {needs: judge, when: {judge: pass}, run: 'echo x >shipped'}\n");
  ASSERT_EQ(world.reprise({"run", "w", "v1"}).exit, 3);
  const fs::path folder = attempt_of(world, "w", "first/1").parent_path().parent_path() / "judge" / "1";
  fs::create_directories(folder);
  std::ofstream(folder / "result.json") << R"({"status": "done", "verdict": "pass"})";
  ASSERT_EQ(world.reprise({"approve", "w/v1"}).exit, 0);
  const Ended ran = world.reprise({"resume", "w/v1", "--yes"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_FALSE(world.has("shipped")) << ran.err;
}

TEST(Gc, E18_AfterGcASubjectIsStartedAgain) {
  const World world;
  world.workflow("ship", kHello);
  run_and_put_away(world, "ship", "v1");
  run_and_put_away(world, "ship", "v1");
  ASSERT_EQ(world.reprise({"run", "ship", "v1"}).exit, 0);
  // Of @1, @2 and @3 the first two go.
  ASSERT_EQ(world.reprise({"gc", "--keep", "0d"}).exit, 0);
  const Ended again = world.reprise({"run", "ship", "v1"});
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_NE((again.out + again.err).find("ship/v1@4"), std::string::npos) << again.out << again.err;
}

TEST(Gc, E18_ANumberIsNotGivenOutAgain) {
  const World world;
  world.workflow("ship", kHello);
  run_and_put_away(world, "ship", "v1");
  run_and_put_away(world, "ship", "v1");
  ASSERT_EQ(world.reprise({"gc", "--keep", "0d"}).exit, 0);
  const Ended again = world.reprise({"run", "ship", "v1"});
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_NE((again.out + again.err).find("ship/v1@3"), std::string::npos) << again.out << again.err;
}

TEST(Gc, E20_TheKeyOfAStepIsUsedOnce) {
  constexpr const char* kPay =
      "stages:\n  pay: {run: 'echo \"$REPRISE_KEY\" >>keys; [ $(wc -l <keys) -ne 1 ]', retries: 1, delay: 0s}\n";
  std::set<std::string> keys;
  int runs = 0;
  for (int project = 0; project < 2; ++project) {
    const World world;
    world.workflow("ship", kPay);
    for (int round = 0; round < 3; ++round) {
      fs::remove(world.root() / "keys");
      run_and_put_away(world, "ship", "v1");
      ASSERT_EQ(world.reprise({"gc", "--keep", "0d"}).exit, 0);
      const std::string said = world.read("keys");
      const std::string key = said.substr(0, said.find('\n'));
      EXPECT_EQ(said, key + "\n" + key + "\n") << "the same for both attempts";
      EXPECT_TRUE(key.starts_with("ship/v1")) << key;
      EXPECT_TRUE(key.ends_with(":pay")) << key;
      keys.insert(key);
      ++runs;
    }
  }
  EXPECT_EQ(static_cast<int>(keys.size()), runs);
}

// Its worker asked a person while nobody was there to record it, and the run was put away.
constexpr const char* kJudge =
    "stages:\n"
    "  judge: {run: 'echo x >>judged; while [ ! -e go ]; do sleep 0.02; done; "
    "echo \"{\\\"status\\\":\\\"needs_human\\\",\\\"summary\\\":\\\"DO NOT SHIP\\\"}\" >\"$REPRISE_RESULT\"'}\n"
    "  ship: {needs: judge, run: 'touch shipped'}\n";

void put_unread_verdict_away(const World& world) {
  world.workflow("w", kJudge);
  const std::unique_ptr<Background> run = world.start({"run", "w", "v1"});
  ASSERT_TRUE(world.wait_for_file("judged"));
  run->signal(SIGKILL);
  run->end();
  world.write("go", "");
  const auto is_recorded = [&] {
    return !world.shell("find .git/reprise/guards -name exits.log -size +0").out.empty();
  };
  ASSERT_TRUE(World::wait_until(is_recorded));
  const auto is_put_away = [&] { return world.reprise({"fresh", "w/v1", "--yes"}).exit == 0; };
  ASSERT_TRUE(World::wait_until(is_put_away));
}

// strace kills gc at its n-th removal.
TEST(Gc, E06_ARunThatAKilledGcHasBegunToRemoveIsNotBroughtBack) {
  if (World().shell("strace -o /dev/null true").exit != 0) GTEST_SKIP() << "strace cannot be used here";
  int kills = 0;
  for (int call = 1; call <= 6; ++call) {
    const World world;
    put_unread_verdict_away(world);
    const std::size_t before = files_in(store_of(world) / "attempts").size();
    world.shell("strace -f -o /dev/null -e trace=unlinkat -e inject=unlinkat:signal=SIGKILL:when=" +
                std::to_string(call) + " reprise gc --keep 0d");
    const bool is_known = world.reprise({"events", "w/v1"}).exit == 0;
    kills += is_known && files_in(store_of(world) / "attempts").size() < before ? 1 : 0;
    world.reprise({"undo", "--yes"});
    world.reprise({"resume", "w/v1", "--yes"});
    EXPECT_FALSE(world.has("shipped")) << "killed at removal " << call;
    EXPECT_EQ(world.read("judged"), "x\n");
    EXPECT_EQ(world.reprise({"gc"}).exit, 0);
    EXPECT_TRUE(files_in(store_of(world) / "attempts").empty());
    EXPECT_TRUE(files_in(store_of(world) / "guards").empty());
  }
  EXPECT_GT(kills, 0);
}

// Whoever removed it: what the worker said is unknown, and so is whether the step is done.
TEST(Gc, E06_AMissingResultIsNotReadAsSuccess) {
  const World world;
  world.workflow("w", kJudge);
  const std::unique_ptr<Background> run = world.start({"run", "w", "v1"});
  ASSERT_TRUE(world.wait_for_file("judged"));
  run->signal(SIGKILL);
  run->end();
  world.write("go", "");
  const auto is_recorded = [&] {
    return !world.shell("find .git/reprise/guards -name exits.log -size +0").out.empty();
  };
  ASSERT_TRUE(World::wait_until(is_recorded));
  fs::remove_all(store_of(world) / "attempts");
  world.workflow("w", std::string(kJudge));
  const Ended resumed = world.reprise({"resume", "w/v1", "--yes"});
  EXPECT_FALSE(world.has("shipped")) << resumed.err;
  EXPECT_TRUE(contains(world.reprise({"events", "w/v1"}).out, "the result that it left is missing"));
}

TEST(Gc, E06_ARunThatIsKeptHasAllItsFiles) {
  if (World().shell("unshare -m true").exit != 0) GTEST_SKIP() << "this user cannot mount anything";
  const World world;
  put_unread_verdict_away(world);
  const std::set<std::string> before = files_in(store_of(world) / "attempts");
  const Ended gc = world.shell(
      "unshare -m sh -c 'k=$(ls -d .git/reprise/guards/w/*); mount --bind $k $k && reprise gc --keep 0d'");
  EXPECT_EQ(gc.exit, 0) << gc.err;
  EXPECT_TRUE(contains(gc.err, "kept: w/v1: ")) << gc.err;
  EXPECT_EQ(gc.out, "nothing to remove\n");
  EXPECT_EQ(files_in(store_of(world) / "attempts"), before);
  EXPECT_EQ(world.reprise({"undo", "--yes"}).exit, 0);
  EXPECT_EQ(world.reprise({"resume", "w/v1", "--yes"}).exit, 3);
  EXPECT_FALSE(world.has("shipped"));
}

TEST(Gc, E04_WhatIsMountedBelowWhatBelongsToNoRunStaysAndIsReported) {
  if (World().shell("unshare -m true").exit != 0) GTEST_SKIP() << "this user cannot mount anything";
  const World world;
  world.workflow("hello", kHello);
  run_and_put_away(world, "hello", "old");
  ASSERT_EQ(world.reprise({"run", "hello", "new"}).exit, 0);
  world.write(".git/reprise/attempts/stray/x/file", "f");
  world.write(".git/reprise/guards/zzz/file", "f");
  world.write("precious/file", "precious");
  fs::create_directories(store_of(world) / "attempts/stray/x/m");
  const Ended gc = world.shell(
      "unshare -m sh -c 'mount --bind precious .git/reprise/attempts/stray/x/m && reprise gc --keep 0d --yes && "
      "reprise gc --keep 0d --yes'");
  EXPECT_EQ(gc.exit, 0) << gc.out << gc.err;
  EXPECT_TRUE(contains(gc.err, "kept: attempts/stray: ")) << gc.err;
  EXPECT_TRUE(contains(gc.out, "run hello/old\n")) << gc.out;
  EXPECT_TRUE(contains(gc.out, "guards/zzz\n")) << gc.out;
  EXPECT_TRUE(world.has(".git/reprise/attempts/stray/x/file"));
  EXPECT_FALSE(world.has(".git/reprise/removed"));
  EXPECT_TRUE(world.has("precious/file"));
  EXPECT_EQ(world.reprise({"gc", "--yes"}).exit, 0);
  EXPECT_FALSE(world.has(".git/reprise/attempts/stray"));
}

// An earlier gc moved it away with what was mounted there.
TEST(Gc, E04_AMountInTheTrashBlocksNothing) {
  if (World().shell("unshare -m true").exit != 0) GTEST_SKIP() << "this user cannot mount anything";
  const World world;
  world.workflow("hello", kHello);
  run_and_put_away(world, "hello", "old");
  world.write(".git/reprise/guards/zzz/file", "f");
  fs::create_directories(store_of(world) / "removed/0/m");
  const Ended gc = world.shell(
      "mkdir full && touch full/file && unshare -m sh -c 'mount --bind full .git/reprise/removed/0/m && reprise "
      "gc "
      "--keep 0d --yes'");
  EXPECT_EQ(gc.exit, 0) << gc.err;
  EXPECT_TRUE(contains(gc.err, "kept: removed: ")) << gc.err;
  EXPECT_TRUE(contains(gc.out, "run hello/old\n")) << gc.out;
  EXPECT_FALSE(world.has(".git/reprise/guards/zzz"));
  EXPECT_TRUE(world.has("full/file"));
  const Ended rest = world.reprise({"gc"});
  EXPECT_EQ(rest.exit, 0) << rest.err;
  EXPECT_FALSE(world.has(".git/reprise/removed"));
}

TEST(Gc, E04_ALinkedFolderOfTheStoreDoesNotEndGc) {
  const World world;
  world.workflow("hello", kHello);
  run_and_put_away(world, "hello", "old");
  world.write(".git/reprise/attempts/stray/file", "f");
  fs::rename(store_of(world) / "guards", world.root() / "elsewhere");
  fs::create_directory_symlink(world.root() / "elsewhere", store_of(world) / "guards");
  for (const std::string word : {"--dry-run", "--yes"}) {
    const Ended gc = world.reprise({"gc", "--keep", "0d", word});
    EXPECT_EQ(gc.exit, 0) << gc.err;
    EXPECT_TRUE(contains(gc.err, "kept: attempts/stray: ")) << gc.err;
    EXPECT_TRUE(contains(gc.err, "guards is a link; what lies behind it is not touched")) << gc.err;
  }
}

TEST(Gc, E04_NoTemporaryFileBehindALinkIsRemoved) {
  const World world;
  world.workflow("hello", kHello);
  ASSERT_EQ(world.reprise({"run", "hello", "x"}).exit, 0);
  world.write("elsewhere/.reprise-00ff.tmp", "t");
  fs::remove_all(world.root() / ".git/info");
  fs::create_directory_symlink(world.root() / "elsewhere", world.root() / ".git/info");
  EXPECT_EQ(world.reprise({"gc", "--yes"}).exit, 0);
  EXPECT_TRUE(world.has("elsewhere/.reprise-00ff.tmp"));
}

}  // namespace
}  // namespace reprise::cli_test
