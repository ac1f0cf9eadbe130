// Rescue references: their names, their list, and the way back.

#include "lanes/rescue.h"

#include <gtest/gtest.h>

#include "testing/git_repository.h"

namespace reprise {
namespace {

constexpr Timestamp kTime{1'800'000'000'123};  // 2027-01-15T08:00:00.123Z

RescueRequest rescue_request(const std::string& of, const std::string& reason = "before a test") {
  return {.of = of, .reason = reason, .time = kTime};
}

TEST(Rescue, NamesGoUpAndNoneIsUsedTwice) {
  const GitRepository repository;
  const Git git = repository.git();
  EXPECT_EQ(take_rescue(git, rescue_request("P1/SL-1")).value().ref,
            "refs/reprise/rescue/P1/SL-1/20270115T080000Z-1");
  repository.write("README", "second");
  EXPECT_EQ(take_rescue(git, rescue_request("P1/SL-1")).value().ref,
            "refs/reprise/rescue/P1/SL-1/20270115T080000Z-2");
  EXPECT_EQ(take_rescue(git, rescue_request("other")).value().ref, "refs/reprise/rescue/other/20270115T080000Z-1");
  EXPECT_EQ(repository.run({"show", "refs/reprise/rescue/P1/SL-1/20270115T080000Z-1:README"}), "first");
  for (const char* bad : {"", "-x", "a..b", "a b", "a/"}) {
    EXPECT_EQ(take_rescue(git, rescue_request(bad)).error().kind, ErrorKind::Invalid) << bad;
  }
}

TEST(Rescue, TheListSaysWhatWhenWhyAndHowMuch) {
  const GitRepository repository;
  const Git git = repository.git();
  repository.run({"checkout", "-q", "-b", "lane/one"});
  repository.write("late", "late");
  repository.commit("late");
  repository.write("loose", "1");
  repository.write("README", "2");
  ASSERT_TRUE(take_rescue(git, rescue_request("one", "before a rollback")));
  repository.run({"checkout", "-q", "-f", "main"});
  repository.run({"branch", "-q", "-D", "lane/one"});
  const std::vector<Rescue> list = list_rescues(git).value();
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].of, "one");
  EXPECT_EQ(list[0].time, kTime);
  EXPECT_EQ(list[0].reason, "before a rollback");
  EXPECT_EQ(list[0].branch, "refs/heads/lane/one");
  EXPECT_EQ(list[0].files, 2u);
  EXPECT_EQ(list[0].lone_commits, 1u);
  EXPECT_TRUE(list_rescues(git, "two").value().empty());
}

TEST(Rescue, OneIsFoundByItsNameItsEndOrItsCommit) {
  const GitRepository repository;
  const Git git = repository.git();
  const Snapshot one = take_rescue(git, rescue_request("one")).value();
  repository.write("README", "changed");
  const Snapshot two = take_rescue(git, rescue_request("two")).value();
  EXPECT_EQ(find_rescue(git, one.ref).value().commit, one.commit);
  EXPECT_EQ(find_rescue(git, "two/20270115T080000Z-1").value().commit, two.commit);
  EXPECT_EQ(find_rescue(git, two.commit).value().ref, two.ref);
  const Error several = find_rescue(git, "20270115T080000Z-1").error();
  EXPECT_EQ(several.kind, ErrorKind::Conflict);
  EXPECT_EQ(several.hints.size(), 2u);
  EXPECT_EQ(find_rescue(git, "nothing").error().kind, ErrorKind::NotFound);
}

TEST(Rescue, R8_ACommitThatLosesItsBranchStaysReachableAndNamed) {
  const GitRepository repository;
  const Git git = repository.git();
  repository.run({"checkout", "-q", "-b", "gone"});
  repository.write("late", "late");
  repository.commit("late");
  const std::string commit = repository.run({"rev-parse", "HEAD"});
  const std::string ref = keep_commit(git, commit, rescue_request("one", "its branch goes")).value();
  EXPECT_EQ(keep_commit(git, commit, rescue_request("one")).value(), ref);
  repository.run({"checkout", "-q", "main"});
  repository.run({"branch", "-q", "-D", "gone"});
  repository.run({"reflog", "expire", "--expire=now", "--all"});
  repository.run({"gc", "-q", "--prune=now"});
  const std::vector<Rescue> list = list_rescues(git).value();
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].commit, commit);
  EXPECT_EQ(list[0].reason, "its branch goes");
  EXPECT_FALSE(list[0].is_snapshot);
  EXPECT_EQ(list[0].lone_commits, 1u);
  ASSERT_TRUE(restore_rescue(git, ref, kTime));
  EXPECT_EQ(repository.run({"rev-parse", "HEAD"}), commit);
  EXPECT_EQ(repository.read("late"), "late");
}

TEST(Rescue, RestoringSetsAsideWhatItReplaces) {
  const GitRepository repository;
  const Git git = repository.git();
  repository.write("README", "one");
  const Snapshot one = take_rescue(git, rescue_request("one")).value();
  repository.write("README", "two");
  ASSERT_TRUE(restore_rescue(git, one.ref, kTime));
  EXPECT_EQ(repository.read("README"), "one");
  ASSERT_TRUE(restore_rescue(git, "one/20270115T080000Z-2", kTime));
  EXPECT_EQ(repository.read("README"), "two");
}

}  // namespace
}  // namespace reprise
