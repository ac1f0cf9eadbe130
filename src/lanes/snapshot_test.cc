// Snapshots on real repositories: what is in them, what they leave alone, and what they say.

#include "lanes/snapshot.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "lanes/restore.h"
#include "lanes/snapshot_message.h"
#include "testing/git_repository.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

constexpr Timestamp kSnapshotTime{1'800'000'000'123};
constexpr const char* kRef = "refs/reprise/lanes/one/now";

SnapshotRequest request(const std::string& ref = kRef) {
  return {.ref = ref, .message = "why", .time = kSnapshotTime};
}

std::vector<LeftOut> sorted(std::vector<LeftOut> left) {
  std::ranges::sort(left, {}, &LeftOut::path);
  return left;
}

TEST(Snapshot, ItsTreeIsTheWorktreeAndTheWorktreeIsNotTouched) {
  const GitRepository repository;
  repository.write("README", "changed\n");
  repository.write("untracked/file", "new\n");
  const std::string index = repository.read(".git/index");
  const Snapshot snapshot = take_snapshot(repository.git(), request()).value();
  EXPECT_EQ(repository.read(".git/index"), index);
  EXPECT_EQ(repository.run({"show", snapshot.commit + ":README"}), "changed");
  EXPECT_EQ(repository.run({"show", std::string(kRef) + ":untracked/file"}), "new");
  EXPECT_EQ(snapshot.head, repository.run({"rev-parse", "HEAD"}));
  EXPECT_EQ(repository.run({"rev-parse", snapshot.commit + "^1"}), snapshot.head);
  EXPECT_EQ(repository.run({"rev-parse", snapshot.commit + "^2"}), snapshot.index_commit);
  EXPECT_EQ(repository.run({"status", "--porcelain"}), " M README\n?? untracked/");
}

TEST(Snapshot, TheSameStateGivesTheSameTreeWhateverCameBetween) {
  const GitRepository repository;
  repository.write("a", "a");
  const Snapshot first = take_snapshot(repository.git(), request()).value();
  const Snapshot again = take_snapshot(repository.git(), request()).value();
  EXPECT_EQ(first.commit, again.commit);
  repository.write("b", "b");
  repository.write(".git/info/exclude", "a\n");  // ignored now, so no longer part of it
  EXPECT_NE(take_snapshot(repository.git(), request()).value().tree, first.tree);
  fs::remove(repository.path() / "b");
  repository.write(".git/info/exclude", "");
  const Snapshot last = take_snapshot(repository.git(), request()).value();
  EXPECT_EQ(last.tree, first.tree);
  EXPECT_EQ(last.index_commit, first.index_commit);
  EXPECT_TRUE(is_same_state(first, last));
}

TEST(Snapshot, AFileThatIsGoneAndComesBackIsSeen) {
  const GitRepository repository;
  const Snapshot whole = take_snapshot(repository.git(), request()).value();
  fs::remove(repository.path() / "README");
  const Snapshot without = take_snapshot(repository.git(), request()).value();
  EXPECT_EQ(repository.run({"ls-tree", "--name-only", without.tree}), "");
  repository.write("README", "first\n");
  EXPECT_EQ(take_snapshot(repository.git(), request()).value().tree, whole.tree);
}

TEST(Snapshot, WhatItSaysIsReadBackWhateverTheNamesAre) {
  const GitRepository repository;
  const std::string odd = "odd\n\"name\" \xFF%41";
  fs::create_directories(repository.path() / odd);
  repository.write(".gitignore", "*.log\n");
  repository.write("x.log", "log");
  repository.write("secret", "key");
  fs::permissions(repository.path() / "secret", fs::perms(0600));
  fs::permissions(repository.path() / "x.log", fs::perms(0644));
  fs::permissions(repository.path() / ".gitignore", fs::perms(0644));
  fs::permissions(repository.path() / "README", fs::perms(0644));
  ASSERT_EQ(::mkfifo((repository.path() / "README.pipe").c_str(), 0600), 0);
  SnapshotRequest wanted = request();
  wanted.message = "line one\nReprise-Snapshot: 1\nReprise-Head: nonsense \x1b[31m";
  wanted.ignored = {"x.log", "not there"};
  const Snapshot taken = take_snapshot(repository.git(), wanted).value();
  const Snapshot read = read_snapshot(repository.git(), kRef).value();
  EXPECT_EQ(read.commit, taken.commit);
  EXPECT_EQ(read.head, taken.head);
  EXPECT_EQ(read.branch, "refs/heads/main");
  EXPECT_EQ(read.time, kSnapshotTime);
  EXPECT_EQ(read.index_tree, taken.index_tree);
  EXPECT_EQ(read.message, "line one Reprise-Snapshot: 1 Reprise-Head: nonsense");
  EXPECT_EQ(read.ignored, wanted.ignored);
  EXPECT_EQ(read.folders, std::vector<std::string>{odd});
  EXPECT_EQ(read.modes, (std::vector<FileMode>{{"secret", 0600}}));
  EXPECT_EQ(repository.run({"show", taken.tree + ":x.log"}), "log");
  EXPECT_EQ(read_snapshot(repository.git(), "HEAD").error().kind, ErrorKind::Invalid);
  EXPECT_EQ(read_snapshot(repository.git(), "refs/reprise/none").error().kind, ErrorKind::NotFound);
}

TEST(Snapshot, PathsAreWrittenSoThatEveryByteComesBack) {
  std::string all;
  for (int i = 1; i < 256; ++i) all += static_cast<char>(i);
  EXPECT_EQ(decode_path(encode_path(all)), all);
  EXPECT_EQ(encode_path("a b/%"), "a%20b/%25");
  EXPECT_EQ(decode_path("%4"), "%4");
}

TEST(Snapshot, ATrackedFileThatBecameAPipeIsLeftOutAndSaid) {
  const GitRepository repository;
  fs::remove(repository.path() / "README");
  ASSERT_EQ(::mkfifo((repository.path() / "README").c_str(), 0600), 0);
  for (int i = 0; i < 2; ++i) {
    const Snapshot snapshot = take_snapshot(repository.git(), request()).value();
    EXPECT_EQ(snapshot.left_out, (std::vector<LeftOut>{{"README", LeftOutReason::NotAFile}}));
  }
}

TEST(Snapshot, RepositoriesInsideAreRecordedAsTheirCommitAndTheirChangesAreSaid) {
  const GitRepository repository;
  const GitRepository clean(repository.path() / "clean");
  const GitRepository dirty(repository.path() / "deep/dirty");
  dirty.write("README", "changed inside");
  const GitRepository unborn(repository.path() / "unborn", GitRepository::Kind::Unborn);
  const Snapshot snapshot = take_snapshot(repository.git(), request()).value();
  EXPECT_EQ(sorted(snapshot.left_out), (std::vector<LeftOut>{{"deep/dirty", LeftOutReason::NestedChanges},
                                                             {"unborn", LeftOutReason::NoCommit}}));
  EXPECT_EQ(repository.run({"rev-parse", snapshot.tree + ":clean"}), clean.run({"rev-parse", "HEAD"}));
  EXPECT_EQ(repository.run({"rev-parse", snapshot.tree + ":deep/dirty"}), dirty.run({"rev-parse", "HEAD"}));
}

TEST(Snapshot, AnUnbornBranchAndADetachedHeadAreKnownAndComeBack) {
  const GitRepository repository(GitRepository::Kind::Unborn);
  repository.write("staged", "s");
  repository.run({"add", "staged"});
  repository.write("loose", "l");
  const Snapshot unborn = take_snapshot(repository.git(), request()).value();
  EXPECT_EQ(unborn.head, "");
  EXPECT_EQ(unborn.branch, "refs/heads/main");
  repository.commit("first");
  repository.run({"checkout", "-q", "--detach"});
  const Snapshot detached = take_snapshot(repository.git(), request("refs/reprise/lanes/one/detached")).value();
  EXPECT_EQ(detached.branch, "");
  ASSERT_TRUE(
      restore_snapshot(repository.git(), {unborn.commit, "refs/reprise/rescue/one/1", "back", kSnapshotTime}));
  EXPECT_EQ(repository.run({"status", "--porcelain", "-b"}), "## No commits yet on main\nA  staged\n?? loose");
  ASSERT_TRUE(
      restore_snapshot(repository.git(), {detached.commit, "refs/reprise/rescue/one/2", "back", kSnapshotTime}));
  EXPECT_EQ(repository.run({"status", "--porcelain", "-b"}), "## HEAD (no branch)");
}

TEST(Snapshot, OnlyNamesOfOursAndOnlyWorktreesAreTaken) {
  const GitRepository repository;
  for (const char* ref :
       {"refs/heads/main", "refs/reprise/", "refs/reprise/../heads/main", "refs/reprise/a b", "x"}) {
    EXPECT_EQ(take_snapshot(repository.git(), request(ref)).error().kind, ErrorKind::Invalid) << ref;
  }
  const GitRepository bare(GitRepository::Kind::Bare);
  EXPECT_EQ(take_snapshot(bare.git(), request()).error().kind, ErrorKind::Invalid);
  SnapshotRequest wanted = request();
  wanted.is_new = true;
  ASSERT_TRUE(take_snapshot(repository.git(), wanted));
  repository.write("README", "changed");
  EXPECT_EQ(take_snapshot(repository.git(), wanted).error().kind, ErrorKind::Conflict);
}

TEST(Snapshot, ALockOfTheUsersIsNeitherInTheWayNorTouched) {
  const GitRepository repository;
  repository.write(".git/index.lock", "of somebody");
  repository.write("README", "changed");
  EXPECT_TRUE(take_snapshot(repository.git(), request()));
  EXPECT_EQ(repository.read(".git/index.lock"), "of somebody");
}

TEST(Snapshot, P24_GcTakesNothingThatIsInASnapshot) {
  const GitRepository repository;
  repository.write("staged", "only staged");
  repository.run({"add", "staged"});
  repository.write("staged", "on disk");
  const Snapshot snapshot = take_snapshot(repository.git(), request()).value();
  fs::remove(repository.path() / "staged");
  repository.run({"reset", "-q", "--hard"});
  repository.run({"reflog", "expire", "--expire=now", "--all"});
  repository.run({"gc", "-q", "--prune=now"});
  EXPECT_EQ(repository.run({"show", snapshot.commit + ":staged"}), "on disk");
  EXPECT_EQ(repository.run({"show", snapshot.index_commit + ":staged"}), "only staged");
}

// What was learnt for a snapshot that is gone again says nothing about what git still has.
TEST(Snapshot, AfterASnapshotWasDeletedTheNextIsWholeAgain) {
  const GitRepository repository;
  repository.write("loose", "content");
  ASSERT_TRUE(take_snapshot(repository.git(), request()));
  repository.run({"update-ref", "-d", kRef});
  repository.run({"gc", "-q", "--prune=now"});
  ASSERT_TRUE(take_snapshot(repository.git(), request()));
  EXPECT_EQ(repository.run({"show", std::string(kRef) + ":loose"}), "content");
  EXPECT_EQ(repository.run({"fsck", "--no-dangling", "--no-progress"}), "");
}

TEST(Snapshot, BytesAreTakenFromTheDiskThoughGitThinksTheFileIsUnchanged) {
  const GitRepository repository;
  repository.run({"config", "core.autocrlf", "true"});
  repository.write("dos.txt", "one\r\ntwo\r\n");
  repository.run({"add", "dos.txt"});
  repository.commit("with carriage returns");
  repository.run({"config", "core.autocrlf", "false"});  // the index still says "unchanged"
  const Snapshot snapshot = take_snapshot(repository.git(), request()).value();
  EXPECT_EQ(repository.run({"cat-file", "-s", snapshot.tree + ":dos.txt"}), "10");
}

TEST(Snapshot, ARepositoryWithLongObjectNamesIsTakenAndRestored) {
  const TemporaryFolder folder;
  const GitRepository outer(folder.path() / "outer");
  outer.run({"init", "-q", "-b", "main", "--object-format=sha256", (folder.path() / "long").string()});
  const Git git = Git::open(folder.path() / "long").value();
  std::ofstream(folder.path() / "long/file") << "one";
  const Snapshot one = take_snapshot(git, request()).value();
  EXPECT_EQ(one.commit.size(), 64u);
  std::ofstream(folder.path() / "long/file") << "two";
  ASSERT_TRUE(restore_snapshot(git, {one.commit, "refs/reprise/rescue/one/1", "back", kSnapshotTime}));
  std::string text;
  std::ifstream(folder.path() / "long/file") >> text;
  EXPECT_EQ(text, "one");
}

// Each version of the file is one letter, many times. A reading that meets two of them must not pass for whole.
TEST(Snapshot, AFileThatIsWrittenMeanwhileIsWholeOrSaidToBeChanging) {
  const GitRepository repository;
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (int i = 0; !stop; ++i) {
      std::fstream file(repository.path() / "README", std::ios::in | std::ios::out);
      file << std::string(1u << 20, static_cast<char>('a' + i % 26));
    }
  });
  int rounds = 0;
  for (; rounds < 5; ++rounds) {
    const Result<Snapshot> snapshot = take_snapshot(repository.git(), request());
    EXPECT_TRUE(snapshot) << snapshot.error().message;
    if (!snapshot || !snapshot->left_out.empty()) continue;
    const std::string bytes = repository.run({"show", snapshot->tree + ":README"});
    EXPECT_EQ(bytes.find_first_not_of(bytes.front()), std::string::npos);
  }
  stop = true;
  writer.join();
  EXPECT_EQ(rounds, 5);
}

}  // namespace
}  // namespace reprise
