// Lanes on real repositories.

#include "lanes/lane.h"

#include <gtest/gtest.h>

#include "testing/git_repository.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

class Lanes : public testing::Test {
 protected:
  Lane lane(const std::string& name = "SL-1") const {
    return {.name = name,
            .path = fs::path(".worktrees/P1") / name,
            .branch = "lane/P1/" + name,
            .base = repo.id_of("main")};
  }
  WorktreeState make(const std::string& name = "SL-1") const {
    Result<WorktreeState> made = ensure_lane(repo.git(), {.lane = lane(name)});
    check(made.has_value());
    return std::move(*made);
  }
  LaneLook look(const std::optional<std::string>& recorded = {}) const {
    Result<LaneLook> looked = look_at_lane(repo.git(), kLaneRoot, lane(), recorded);
    check(looked.has_value());
    return std::move(*looked);
  }
  GitRepository repo;
  const fs::path place = ".worktrees/P1/SL-1";
};

TEST_F(Lanes, ALaneIsMadeAndSeenWithItsHeadAndWhatIsNotCommitted) {
  const WorktreeState made = make();
  EXPECT_TRUE(made.made);
  repo.write(place / "README", "changed");
  repo.write(place / "new", "new");
  const LaneLook seen = look(made.head);
  EXPECT_EQ(seen.trouble, LaneTrouble::None);
  EXPECT_EQ(seen.head, made.head);
  EXPECT_EQ(seen.changed, std::vector<std::string>{"README"});
  EXPECT_EQ(seen.untracked, std::vector<std::string>{"new"});
}

TEST_F(Lanes, ABranchOfAnotherRunIsRefusedUntilThisRunHasAnnouncedIt) {
  repo.run({"branch", "lane/P1/SL-1"});
  const Result<WorktreeState> refused = ensure_lane(repo.git(), {.lane = lane()});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().kind, ErrorKind::Conflict);
  EXPECT_EQ(refused.error().hints.size(), 1u);
  EXPECT_TRUE(ensure_lane(repo.git(), {.lane = lane(), .is_announced = true}).has_value());
}

TEST_F(Lanes, P29_ABranchThatMovedUnderUsIsRefusedAndOneThatGrewIsNot) {
  make();
  repo.write(place / "a", "a");
  const std::string recorded = repo.commit("recorded", place);
  repo.write(place / "b", "b");
  repo.commit("more", place);
  EXPECT_EQ(look(recorded).trouble, LaneTrouble::None);
  EXPECT_TRUE(ensure_lane(repo.git(), {.lane = lane(), .recorded = recorded}).has_value());
  repo.run({"reset", "-q", "--hard", "main"}, place);
  EXPECT_EQ(look(recorded).trouble, LaneTrouble::Moved);
  const Result<WorktreeState> refused = ensure_lane(repo.git(), {.lane = lane(), .recorded = recorded});
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().message.find(recorded.substr(0, 12)), std::string::npos);
}

TEST_F(Lanes, P29_AnotherBranchADetachedHeadAndAnUnfinishedMergeAreSeen) {
  make();
  repo.run({"switch", "-q", "--detach"}, place);
  EXPECT_EQ(look().trouble, LaneTrouble::OtherBranch);
  repo.run({"switch", "-q", "-c", "else"}, place);
  EXPECT_EQ(look().trouble, LaneTrouble::OtherBranch);
  EXPECT_FALSE(ensure_lane(repo.git(), {.lane = lane(), .is_announced = true}).has_value());
  repo.run({"switch", "-q", "lane/P1/SL-1"}, place);
  repo.write(place / "README", "theirs\n");
  repo.commit("theirs", place);
  repo.write("README", "ours\n");
  repo.commit("ours");
  EXPECT_FALSE(repo.try_run({"merge", "main"}, place));
  EXPECT_EQ(look().trouble, LaneTrouble::Unfinished);
}

TEST_F(Lanes, R5_AVanishedLaneIsGoneAndNeverTheParentCheckoutAndIsMadeAgainFromItsBranch) {
  make();
  repo.write(place / "a", "a");
  const std::string head = repo.commit("work", place);
  fs::remove_all(repo.path() / place);
  EXPECT_EQ(look(head).trouble, LaneTrouble::Gone);
  fs::create_directories(repo.path() / place);
  EXPECT_EQ(look(head).trouble, LaneTrouble::Gone) << "an empty folder in the main checkout is no lane";
  fs::remove_all(repo.path() / place);
  const Result<WorktreeState> again = ensure_lane(repo.git(), {.lane = lane(), .recorded = head});
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(again->head, head);
  EXPECT_EQ(repo.read(place / "a"), "a");
}

TEST_F(Lanes, ALaneWhoseBranchWasDeletedIsMadeAgainFromTheRecordedCommit) {
  make();
  repo.write(place / "a", "a");
  const std::string head = repo.commit("work", place);
  repo.run({"worktree", "remove", place.string()});
  repo.run({"branch", "-D", "lane/P1/SL-1"});
  EXPECT_EQ(ensure_lane(repo.git(), {.lane = lane(), .recorded = head})->head, head);
}

TEST_F(Lanes, ALinkOnTheWayOrAPathOutsideIsForbidden) {
  fs::create_directories(repo.outside() / "target");
  fs::create_directories(repo.path() / ".worktrees");
  fs::create_directory_symlink(repo.outside() / "target", repo.path() / ".worktrees/P1");
  EXPECT_EQ(look().trouble, LaneTrouble::Forbidden);
  Lane outside = lane();
  outside.path = "../target";
  EXPECT_EQ(look_at_lane(repo.git(), kLaneRoot, outside, {})->trouble, LaneTrouble::Forbidden);
}

TEST_F(Lanes, AFinishedLanesTreeIsTakenOverAndADirtyOneIsLeftAlone) {
  make();
  repo.write(place / "a", "a");
  repo.commit("finished", place);
  const TakeOver take{.from = repo.path() / place, .from_branch = "lane/P1/SL-1"};
  repo.write(place / "untracked", "x");
  ASSERT_TRUE(ensure_lane(repo.git(), {.lane = lane("SL-2"), .take_over = take}).has_value());
  EXPECT_EQ(repo.read(place / "untracked"), "x");
  fs::remove(repo.path() / place / "untracked");
  ASSERT_TRUE(ensure_lane(repo.git(), {.lane = lane("SL-3"), .take_over = take}).has_value());
  EXPECT_FALSE(fs::exists(repo.path() / place));
  for (const std::string name : {"SL-2", "SL-3"}) {
    EXPECT_EQ(repo.run({"status", "--porcelain", "--branch"}, ".worktrees/P1/" + name), "## lane/P1/" + name);
    EXPECT_FALSE(fs::exists(repo.path() / ".worktrees/P1" / name / "a"));
  }
}

TEST_F(Lanes, ALaneStartsWithWhatItsDependenciesMadeAndConflictsAreNamed) {
  for (const std::string name : {"SL-1", "SL-2", "SL-3"}) {
    make(name);
    repo.write(".worktrees/P1/" + name + "/" + (name == "SL-3" ? "SL-1" : name), name);
    repo.commit(name, ".worktrees/P1/" + name);
  }
  const Result<JoinOutcome> start = start_commit(repo.git(), "main", {"lane/P1/SL-1", "lane/P1/SL-2"}, "SL-4");
  ASSERT_TRUE(start.has_value()) << start.error().message;
  EXPECT_EQ(repo.run({"ls-tree", "--name-only", start->commit}), "README\nSL-1\nSL-2");
  const Result<JoinOutcome> conflict = start_commit(repo.git(), "main", {"lane/P1/SL-1", "lane/P1/SL-3"}, "SL-4");
  ASSERT_EQ(conflict->conflicts.size(), 1u);
  EXPECT_EQ(conflict->conflicts[0].path, "SL-1");
  EXPECT_EQ(start_commit(repo.git(), "no-such-base", {}, "SL-4").error().kind, ErrorKind::NotFound);
}

TEST_F(Lanes, FilesThatTwoLanesTouchAreFoundCommittedOrNot) {
  for (const std::string name : {"SL-1", "SL-2", "SL-3"}) make(name);
  repo.write(place / "shared", "1");
  repo.commit("1", place);
  repo.write(".worktrees/P1/SL-2/shared", "2");
  repo.write(".worktrees/P1/SL-2/README", "2");
  repo.write(".worktrees/P1/SL-3/README", "3");
  repo.write(".worktrees/P1/SL-3/own", "3");
  const Result<std::vector<Overlap>> both =
      touched_by_both(repo.git(), kLaneRoot, {lane("SL-1"), lane("SL-2"), lane("SL-3"), lane("SL-9")});
  const std::vector<Overlap> expected = {{"README", {"SL-2", "SL-3"}}, {"shared", {"SL-1", "SL-2"}}};
  EXPECT_EQ(both.value(), expected);
}

TEST_F(Lanes, ADirtyBaseIsSeen) {
  EXPECT_TRUE(uncommitted_in_checkout_of(repo.git(), "main")->empty());
  repo.write("README", "changed");
  EXPECT_EQ(uncommitted_in_checkout_of(repo.git(), "main").value(), std::vector<std::string>{"README"});
}

TEST_F(Lanes, R1_R2_ClosingLosesNothingNeitherFilesNorCommits) {
  make();
  repo.write(place / "a", "a");
  CloseRequest request{.lane = lane(), .with_branch = true};
  EXPECT_EQ(close_lane(repo.git(), request).error().kind, ErrorKind::Conflict);
  repo.commit("work", place);
  EXPECT_EQ(close_lane(repo.git(), request).error().kind, ErrorKind::Conflict)
      << "only this branch has the commit";
  EXPECT_EQ(repo.read(place / "a"), "a");
  repo.run({"merge", "-q", "lane/P1/SL-1"});
  EXPECT_TRUE(close_lane(repo.git(), request).has_value());
  EXPECT_TRUE(close_lane(repo.git(), request).has_value());
  EXPECT_FALSE(fs::exists(repo.path() / place));
  EXPECT_FALSE(repo.try_run({"rev-parse", "--verify", "refs/heads/lane/P1/SL-1"}));
}

}  // namespace
}  // namespace reprise
