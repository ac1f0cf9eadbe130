// Publishing, against a stub of `gh` that keeps a list of pull requests in files.

#include "lanes/forge.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/strings.h"
#include "testing/git_repository.h"

namespace reprise {
namespace {

// Counts its calls; at call number `die_at` it kills whoever called it, before or after it did what was asked.
constexpr std::string_view kStub = R"sh(#!/bin/sh
here=$(dirname "$0")
count=$(($(cat "$here/count") + 1))
echo $count > "$here/count"
echo "$@" >> "$here/calls"
test ! -e "$here/fail" || { cat "$here/fail" >&2; exit 1; }
test "$count" != "$(cat "$here/die_before")" || { kill -9 $PPID; exit 1; }
case "$2" in
  list) if test -e "$here/made"; then echo '[{"number": 7, "url": "https://forge.example/pull/7"}]'; else echo '[]'; fi ;;
  create) cat > "$here/body"; echo x >> "$here/made"; echo https://forge.example/pull/7 ;;
esac
test "$count" != "$(cat "$here/die_after")" || kill -9 $PPID
)sh";

class Publishing : public testing::Test {
 protected:
  Publishing() : remote(repo.outside() / "remote", GitRepository::Kind::Bare) {
    repo.run({"remote", "add", "origin", remote.path().string()});
    repo.run({"switch", "-q", "-c", "lane/P1/SL-1"});
    repo.write("a", "a");
    head = repo.commit("work");
    repo.run({"switch", "-q", "main"});
    stub("gh", kStub);
    std::filesystem::permissions(program(), std::filesystem::perms::owner_all);
    for (const char* name : {"count", "die_before", "die_after"}) stub(name, "0");
  }
  std::filesystem::path program() const { return repo.outside() / "stub/gh"; }
  void stub(const std::string& name, std::string_view text) const {
    std::filesystem::create_directories(repo.outside() / "stub");
    check(PosixFileSystem().write_scratch(repo.outside() / "stub" / name, text).has_value());
  }
  std::string said(const std::string& name) const { return repo.read(repo.outside() / "stub" / name); }
  PublishRequest request() const {
    return {.branch = "lane/P1/SL-1", .head = head, .base = "main", .title = "-t $(x)", .body = "the body"};
  }
  Result<Published> publish() const {
    const Git git = repo.git();
    return GhForge(git, program().string()).open(request());
  }

  GitRepository repo;
  GitRepository remote;
  std::string head;
};

TEST_F(Publishing, APullRequestIsMadeOnceConfirmedAndFoundAgain) {
  const Result<Published> made = publish();
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_EQ(made->place, "https://forge.example/pull/7");
  EXPECT_FALSE(made->was_there);
  EXPECT_EQ(remote.id_of("lane/P1/SL-1"), head);
  EXPECT_EQ(said("body"), "the body");
  EXPECT_NE(said("calls").find("pr create --head lane/P1/SL-1 --base main --title -t $(x) --body-file -"),
            std::string::npos);
  EXPECT_TRUE(publish()->was_there);
  EXPECT_EQ(said("made"), "x\n");
}

TEST_F(Publishing, P8_KilledBetweenAnyTwoStepsThereIsExactlyOnePullRequest) {
  int kills = 0;
  for (const char* when : {"die_before", "die_after"}) {
    for (int at = 1; at <= 3; ++at) {
      stub("count", "0");
      stub(when, std::to_string(at));
      std::filesystem::remove(repo.outside() / "stub/made");
      const int pid = ::fork();
      if (pid == 0) ::_exit(publish().has_value() ? 0 : 1);
      int status = 0;
      ::waitpid(pid, &status, 0);
      ASSERT_TRUE(WIFSIGNALED(status)) << when << " " << at;
      ++kills;
      stub(when, "0");
      const Result<Published> again = publish();
      ASSERT_TRUE(again.has_value()) << again.error().message;
      EXPECT_EQ(said("made"), "x\n") << when << " " << at;
    }
  }
  EXPECT_EQ(kills, 6);
}

TEST_F(Publishing, TroubleWithTheNetworkIsToldFromARefusalAndTheCommandIsNamed) {
  stub("fail", "error connecting to api.forge.example\n");
  const Result<Published> offline = publish();
  EXPECT_EQ(offline.error().kind, ErrorKind::Unavailable);
  EXPECT_NE(offline.error().message.find("pr list --head lane/P1/SL-1"), std::string::npos);
  stub("fail", "GraphQL: No commits between main and lane/P1/SL-1\n");
  EXPECT_EQ(publish().error().kind, ErrorKind::Denied);
  std::filesystem::remove(repo.outside() / "stub/fail");
  repo.run({"remote", "set-url", "origin", "http://127.0.0.1:1/x.git"});
  EXPECT_EQ(publish().error().kind, ErrorKind::Unavailable);
  EXPECT_EQ(said("made"), "");
}

TEST_F(Publishing, AForgeProgramThatIsNotThereIsNamed) {
  const Git git = repo.git();
  const Result<Published> none = GhForge(git, "/nowhere/gh").open(request());
  ASSERT_FALSE(none.has_value());
  EXPECT_NE(none.error().message.find("/nowhere/gh"), std::string::npos);
}

TEST_F(Publishing, WhatIsNotAListOfPullRequestsIsNoAnswer) {
  EXPECT_EQ(first_address("[]").value(), "");
  for (const char* bad : {"", "null", "{}", "[1]", R"([{"number": 1}])", R"([{"url": 1}])", "[[["}) {
    EXPECT_FALSE(first_address(bad).has_value()) << bad;
  }
}

TEST_F(Publishing, LocallyItIsAMergeThatIsFoundAgainAndKeepsTheLaneOnConflicts) {
  const Git git = repo.git();
  LocalForge forge(git);
  repo.write("b", "b");
  repo.commit("main goes on");
  const Result<Published> merged = forge.open(request());
  ASSERT_TRUE(merged.has_value()) << merged.error().message;
  EXPECT_EQ(merged->place, repo.id_of("main"));
  EXPECT_TRUE(forge.open(request())->was_there);
  repo.run({"switch", "-q", "-c", "lane/P1/SL-2", "main~1"});
  repo.write("a", "another");
  PublishRequest other = request();
  other.head = repo.commit("conflicts");
  other.branch = "lane/P1/SL-2";
  repo.run({"switch", "-q", "main"});
  const Result<Published> conflicts = forge.open(other);
  ASSERT_TRUE(conflicts.has_value()) << conflicts.error().message;
  ASSERT_EQ(conflicts->conflicts.size(), 1u);
  EXPECT_EQ(conflicts->conflicts[0].path, "a");
  EXPECT_EQ(repo.id_of("main"), merged->place);
  EXPECT_EQ(repo.id_of("lane/P1/SL-2"), other.head);
}

}  // namespace
}  // namespace reprise
