// The store when it is not as it should be: damaged, not to be read, replaced by something else, locked, full.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "world.h"

namespace reprise::cli_test {
namespace {

constexpr const char* kOne = "stages:\n  a: {run: 'echo x >>ran.txt'}\n";

fs::path journal_of(const World& world) { return world.root() / ".git" / "reprise" / "journal.db"; }

/// Changes one byte of `needle` wherever it lies in the journal but in its table: in the pages of indexes.
int flip_in_indexes(const World& world, const std::string& needle) {
  // In an index of ids the text is followed by the number of its row; in the table it is not.
  std::string bytes = slurp(journal_of(world));
  int flipped = 0;
  for (std::size_t at = bytes.find(needle); at != std::string::npos; at = bytes.find(needle, at + 1)) {
    constexpr std::size_t kPage = 4096;
    const auto kind = static_cast<unsigned char>(bytes[at / kPage * kPage + (at < kPage ? 100 : 0)]);
    if (kind != 0x0a) continue;  // a leaf of an index
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    ++flipped;
  }
  std::FILE* file = std::fopen(journal_of(world).c_str(), "r+");
  std::fwrite(bytes.data(), 1, bytes.size(), file);
  std::fclose(file);
  return flipped;
}

TEST(DamagedStore, E19_VerifySeesADamagedIndexAndSaysWhatHealsIt) {
  const World world;
  world.workflow("w", kOne);
  ASSERT_EQ(world.reprise({"run", "w", "v1"}).exit, 0);
  ASSERT_EQ(world.reprise({"verify"}).exit, 0);
  ASSERT_GT(flip_in_indexes(world, "w/v1"), 0);
  const Ended verify = world.reprise({"verify"});
  EXPECT_EQ(verify.exit, 1) << verify.out;
  EXPECT_NE(verify.err.find("reprise verify --reindex"), std::string::npos) << verify.out << verify.err;
  const Ended status = world.reprise({"status", "w/v1"});
  EXPECT_EQ(status.exit, 6) << status.err;
  EXPECT_NE(status.err.find("an index of the journal is damaged"), std::string::npos) << status.err;
  EXPECT_NE(status.err.find("reprise verify --reindex"), std::string::npos) << status.err;
  const Ended healed = world.reprise({"verify", "--reindex"});
  EXPECT_EQ(healed.exit, 0) << healed.out << healed.err;
  EXPECT_EQ(world.reprise({"status", "w/v1"}).exit, 0);
}

TEST(DamagedStore, E22_AStoreThatMayNotBeReadIsNotAnEmptyOne) {
  World world;
  world.workflow("w", kOne);
  ASSERT_EQ(world.reprise({"run", "w", "v1"}).exit, 0);
  ASSERT_EQ(::chmod((world.root() / ".git" / "reprise").c_str(), 0), 0);
  // The superuser may read everything, but not in a name space where it is nobody.
  const std::string as = ::geteuid() == 0 ? "unshare -U " : "";
  int tried = 0;
  for (const std::string command : {"status", "status w/v1", "plan w/v1", "doctor", "verify", "scan", "gc"}) {
    const Ended ended = world.shell(as + "reprise " + command);
    EXPECT_EQ(ended.out.find("nothing has run"), std::string::npos) << command << ": " << ended.out;
    EXPECT_EQ(ended.err.find("nothing has run"), std::string::npos) << command << ": " << ended.err;
    EXPECT_NE((ended.out + ended.err).find("Permission denied"), std::string::npos)
        << command << ": " << ended.exit << ended.out << ended.err;
    EXPECT_NE(ended.exit, 0) << command;
    ++tried;
  }
  EXPECT_EQ(tried, 7);
  ASSERT_EQ(::chmod((world.root() / ".git" / "reprise").c_str(), 0700), 0);
  EXPECT_EQ(world.reprise({"status", "w/v1"}).exit, 0);
}

TEST(DamagedStore, E22_AStoreThatLostItsJournalIsNotAnEmptyOne) {
  int tried = 0;
  for (const std::string damage :
       {": >.git/reprise/journal.db", "rm .git/reprise/journal.db*",
        "rm .git/reprise/journal.db*; head -c 4096 /dev/zero >.git/reprise/journal.db"}) {
    const World world;
    world.workflow("w", kOne);
    ASSERT_EQ(world.reprise({"run", "w", "v1"}).exit, 0);
    ASSERT_EQ(world.shell(damage).exit, 0);
    const std::string list = "find .git/reprise/attempts .git/reprise/guards -type f | sort";
    const std::string before = world.shell(list).out;
    ASSERT_NE(before, "");
    for (const std::string command :
         {"status", "status w/v1", "plan w/v1", "inbox", "verify", "export w/v1 --output ../w.tar",
          "rollback w/v1", "fresh w/v1 --yes", "run w v2", "gc --dry-run", "gc --yes", "doctor"}) {
      const Ended ended = world.shell("reprise " + command);
      EXPECT_EQ(ended.exit, command == "doctor" ? 1 : 6) << damage << ": " << command << ended.out << ended.err;
      EXPECT_TRUE(contains(ended.out + ended.err, "the journal is missing or empty"))
          << damage << ": " << command << ended.out << ended.err;
      ++tried;
    }
    EXPECT_EQ(world.shell(list).out, before) << damage;
  }
  EXPECT_EQ(tried, 36);
}

TEST(DamagedStore, E22_AStoreWithoutContentIsAnEmptyOne) {
  const World world;
  world.workflow("w", kOne);
  ASSERT_EQ(world.shell("mkdir -p .git/reprise/attempts/w .git/reprise/guards").exit, 0);
  for (const std::string command : {"status", "verify", "gc --yes", "doctor"}) {
    const Ended ended = world.shell("reprise " + command);
    EXPECT_EQ(ended.exit, 0) << command << ended.out << ended.err;
    EXPECT_FALSE(world.has(".git/reprise/journal.db")) << command;
  }
  EXPECT_EQ(world.reprise({"run", "w", "v1"}).exit, 0);
}

TEST(DamagedStore, L4_PipesInPlaceOfFilesKeepNobodyWaiting) {
  const World world;
  world.workflow("w", "stages:\n  a: {run: 'echo $PPID >guard; sleep 60'}\n");
  const std::unique_ptr<Background> owner = world.start({"run", "w", "v1"});
  ASSERT_TRUE(World::wait_until([&] { return world.has("guard") && !world.read("guard").empty(); }));
  owner->signal(SIGKILL);
  owner->end();
  ::kill(static_cast<pid_t>(std::stol(world.read("guard"))), SIGKILL);
  int pipes = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(world.root() / ".git" / "reprise")) {
    const std::string name = entry.path().filename().string();
    if (name != "exits.log" && name != "leases.lock") continue;
    fs::remove(entry.path());
    ASSERT_EQ(::mkfifo(entry.path().c_str(), 0600), 0);
    ++pipes;
  }
  ASSERT_EQ(pipes, 2);
  for (const std::string command : {"status", "status w/v1", "scan", "plan w/v1", "doctor", "gc"}) {
    const Ended ended = world.shell("timeout 20 reprise " + command);
    EXPECT_NE(ended.exit, 124) << command << " waits for ever";
  }
}

// The project shown at ~/mnt by a FUSE mount that calls itself `type`; taken away with the object.
class FuseMount : public ::testing::Test {
 protected:
  void TearDown() override { unmount(); }
  bool mount(const std::string& type) const {
    return world_.shell("mkdir -p ~/mnt && bindfs -o subtype=" + type + " . ~/mnt && test -d ~/mnt/.git").exit ==
           0;
  }
  void unmount() const { world_.shell("umount ~/mnt 2>/dev/null || fusermount -u ~/mnt"); }
  World world_;
};

TEST_F(FuseMount, E08_RepositoryOnANetworkMountIsRefusedAndNothingIsRun) {
  world_.workflow("w", kOne);
  if (!mount("sshfs")) GTEST_SKIP() << "bindfs cannot mount here (not installed, or no /dev/fuse)";
  for (const std::string command : {"run w v1", "status"}) {
    const Ended refused = world_.shell("cd ~/mnt && reprise " + command);
    EXPECT_EQ(refused.exit, 2) << command << ": " << refused.out << refused.err;
    EXPECT_TRUE(contains(refused.err, "network or FUSE file system")) << command << ": " << refused.err;
  }
  EXPECT_FALSE(world_.has("ran.txt"));
  EXPECT_FALSE(fs::exists(journal_of(world_)));
  world_.workflow("wait", "stages:\n  ask: {gate: 'ship?'}\n  a: {needs: ask, run: 'echo x >>ran.txt'}\n");
  ASSERT_EQ(world_.reprise({"run", "wait", "v1"}).exit, 3);
  const Ended resumed = world_.shell("cd ~/mnt && reprise resume wait/v1");
  EXPECT_EQ(resumed.exit, 2) << resumed.err;
  EXPECT_TRUE(contains(resumed.err, "network or FUSE file system")) << resumed.err;
}

TEST_F(FuseMount, E08_RepositoryOnAnEncryptedFolderIsTaken) {
  world_.workflow("w", kOne);
  if (!mount("gocryptfs")) GTEST_SKIP() << "bindfs cannot mount here (not installed, or no /dev/fuse)";
  const Ended ran = world_.shell("cd ~/mnt && reprise run w v1");
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(world_.read("ran.txt"), "x\n");
}

// The disk fills up while git writes files of a lane: neither the step nor the lane is to blame.
TEST(Store, E25_FullDiskInGitEndsWithExit6AndNamesTheFileSystem) {
  World world;
  world.workflow("w",
                 "stages:\n  work:\n    lane: {base: main}\n    publish: merge\n    stages:\n"
                 "      write: {run: 'echo x >text'}\n");
  world.write("full/git",
              "#!/bin/sh\ncase \" $* \" in *' read-tree -m -u '*) echo 'error: unable to write file text: No "
              "space left on "
              "device' >&2; exit 128;; esac\nPATH=${PATH#*:} exec git \"$@\"\n");
  ASSERT_EQ(
      world
          .shell("chmod +x full/git && git add -A && git -c user.name=a -c user.email=a@b commit -qm start && "
                 "git branch -M main")
          .exit,
      0);
  const Ended ended = world.shell("PATH=$PWD/full:$PATH reprise run w x");
  EXPECT_EQ(ended.exit, 6) << ended.err;
  EXPECT_TRUE(contains(ended.err, "the file system of " + world.root().string())) << ended.err;
  EXPECT_TRUE(contains(ended.err, "  try: df -h ")) << ended.err;
  const Ended resumed = world.reprise({"resume", "w/x", "--yes"});
  EXPECT_EQ(resumed.exit, 0) << resumed.err;
}

// The journal of a run is older than its guard: tokens and exits of the later history do not count.
TEST(Store, E27_RunContinuesFromAJournalThatWasRestored) {
  const World world;
  world.workflow("w",
                 "stages:\n  ok: {gate: 'Ship it?'}\n  pay: {needs: ok, run: 'echo x >>paid'}\n"
                 "  end: {needs: pay, gate: 'Done?'}\n");
  ASSERT_EQ(world.reprise({"run", "w", "x"}).exit, 3);
  ASSERT_EQ(world.shell("mkdir ../kept && cp .git/reprise/journal.db* ../kept").exit, 0);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(world.reprise({"resume", "w/x", "--yes"}).exit, 3);
  ASSERT_EQ(world.reprise({"approve", "w/x", "ok"}).exit, 0);
  ASSERT_EQ(world.reprise({"resume", "w/x", "--yes"}).exit, 3);
  ASSERT_EQ(world.read("paid"), "x\n");
  ASSERT_EQ(world.shell("rm .git/reprise/journal.db* && cp ../kept/* .git/reprise").exit, 0);
  const Ended resumed = world.reprise({"resume", "w/x", "--yes"});
  EXPECT_EQ(resumed.exit, 3) << resumed.err;
  ASSERT_EQ(world.reprise({"approve", "w/x", "ok"}).exit, 0);
  EXPECT_EQ(world.reprise({"resume", "w/x", "--yes"}).exit, 3);
  EXPECT_EQ(world.read("paid"), "x\nx\n") << "an exit of the later history was taken for one of this";
  EXPECT_EQ(world.reprise({"verify"}).exit, 0);
}

}  // namespace
}  // namespace reprise::cli_test
