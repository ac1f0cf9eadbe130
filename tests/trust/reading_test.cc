// Commands that only look: a repository that configures programs everywhere git knows of, and none of them starts.

#include <gtest/gtest.h>

#include <fstream>
#include <iostream>

#include "world.h"

namespace reprise::cli_test {
namespace {

// Every mechanism calls the canary with its own name. The submodule has filters of its own, which no setting of
// the repository around it reaches.
constexpr const char* kHostile = R"sh(set -e
git config user.name Ana; git config user.email ana@example.org; git checkout -q -b main
cat >~/bin/canary <<'END'
#!/bin/sh
echo "$1" >>~/canary
case $1 in clean|odd|submodule) cat ;; textconv|submodule-textconv) cat "$2" ;; esac
END
chmod +x ~/bin/canary
mkdir -p .reprise/workflows ~/.claude/tasks/tides docs/stories qa/9.1
cat >.reprise/workflows/change.yaml <<'END'
name: change
stages:
  part:
    lane: {base: HEAD}
    stages:
      write: {run: 'echo text >text; echo more >>a.clean'}
      check: {needs: write, run: 'false'}
END
printf '*.clean filter=clean\n*.process filter=process\n*.odd filter=a=b.c\n*.conv diff=conv\n*.ext diff=ext\n' >.gitattributes
for i in clean process odd conv ext; do echo 12345 >a.$i; done
printf '# Story 9.1: Tides\n\n**Status:** InReview\n\n## Acceptance Criteria\n\n- [ ] AC1: It works\n' >docs/stories/9.1.story.md
printf '{"storyId":"9.1","currentIteration":1,"maxIterations":5,"status":"in_progress","history":[]}\n' >qa/9.1/loop-status.json
printf '{"id":"1","subject":"[PERMANENT] Tides","description":"d","status":"pending","blocks":[],"blockedBy":[],"metadata":{"tier":"COMPLEX","current_phase":"P6","branch":"main","commits":["1234567890123456789012345678901234567890"]}}' >~/.claude/tasks/tides/1.json
printf '{"id":"2","subject":"Heights","description":"d","status":"in_progress","blocks":[],"blockedBy":[],"metadata":{"phase":"P6","commits":["1234567890123456789012345678901234567891"]}}' >~/.claude/tasks/tides/2.json
git init -q sub; git -C sub config user.name Ana; git -C sub config user.email ana@example.org
printf '*.sub filter=sub diff=sub\n' >sub/.gitattributes; echo 12345 >sub/a.sub; git -C sub add -A; git -C sub commit -qm sub
printf '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n' >.gitmodules
git add -A 2>/dev/null; git commit -qm begin
git -C sub commit -q --allow-empty -m later
)sh";

// HEAD becomes a commit with a signature; what it says does not matter, the program that would check it does.
constexpr const char* kTurn = R"sh(set -e
{ git cat-file commit HEAD | sed '/^$/,$d'; printf 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n abcd\n -----END PGP SIGNATURE-----\n\nsigned\n'; } >~/commit
git update-ref HEAD $(git hash-object -t commit -w --stdin <~/commit)
for hook in post-index-change post-checkout pre-auto-gc reference-transaction; do printf '#!/bin/sh\ncanary hook\n' >.git/hooks/$hook; chmod +x .git/hooks/$hook; done
git config core.fsmonitor 'canary fsmonitor'
git config core.pager 'canary pager'; git config pager.status 'canary pager'; git config pager.diff 'canary pager'
git config alias.st '!canary alias'; git config alias.status '!canary alias'; git config core.editor 'canary editor'
git config gpg.program ~/bin/gpg; printf '#!/bin/sh\ncat >/dev/null\ncanary gpg\n' >~/bin/gpg; chmod +x ~/bin/gpg; git config log.showSignature true
git config credential.helper '!canary credential'; git config core.askPass 'canary askpass'; git config core.sshCommand 'canary ssh'
git config diff.external 'canary external'; git config diff.ext.command 'canary driver'; git config diff.conv.textconv 'canary textconv'
git config diff.submodule diff; git config status.submoduleSummary true
git config filter.clean.clean 'canary clean'; git config filter.clean.smudge cat; git config filter.clean.required true
git config filter.process.process 'canary process'; git config filter.a=b.c.clean 'canary odd'
git -C sub config filter.sub.clean 'canary submodule'; git -C sub config diff.sub.textconv 'canary submodule-textconv'
git config core.repositoryFormatVersion 1; git config extensions.partialClone origin
git config remote.origin.url ~/elsewhere; git config remote.origin.promisor true; git config remote.origin.uploadpack 'canary uploadpack'
mkdir -p ~/elsewhere; rm -f ~/canary
)sh";

// Files with another time and the same size: git has to look into them.
constexpr const char* kStir = R"sh(
for f in $(find . -path ./.git -prune -o -name 'a.*' -print); do printf '1234%s\n' $1 >$f; touch -d "2001-01-0$1" $f; done
)sh";

class HostileRepository : public ::testing::Test {
 protected:
  void SetUp() override {
    world_.shell(kHostile);
    ASSERT_EQ(world_.reprise({"run", "change", "c1", "--quiet"}).exit, 1);
    const Ended turned = world_.shell(kTurn);
    ASSERT_EQ(turned.exit, 0) << turned.err;
  }

  // Changes the files and returns the mechanisms that `line` sets off.
  std::string set_off(const std::string& line) {
    turn_ = turn_ == 9 ? 1 : turn_ + 1;
    world_.shell("set -- " + std::to_string(turn_) + kStir + "rm -f ~/canary");
    last_ = world_.shell(line);
    return world_.shell("sort -u ~/canary 2>/dev/null | tr '\\n' ' '").out;
  }

  World world_;
  Ended last_;
  int turn_ = 0;
};

TEST_F(HostileRepository, E10_ReadingCommandsStartNothing) {
  // That each canary sings is seen first, with git as its user calls it.
  std::string sung = set_off("git status; git log -1; git log -1 abcdef1234567890123456789012345678901234");
  sung += set_off(
      "export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=filter.process.process GIT_CONFIG_VALUE_0=; git diff HEAD; "
      "git diff --no-ext-diff HEAD; git st; git update-ref refs/heads/other HEAD");
  int count = 0;
  for (const char* each : {"alias", "clean", "process", "odd", "submodule", "submodule-textconv", "fsmonitor",
                           "gpg", "external", "driver", "textconv", "uploadpack", "hook"}) {
    EXPECT_NE((" " + sung).find(" " + std::string(each) + " "), std::string::npos)
        << each << " is no canary: " << sung;
    ++count;
  }
  int commands = 0;
  for (const char* line : {"reprise",
                           "reprise scan",
                           "reprise scan --all --json",
                           "reprise status",
                           "reprise status change/c1",
                           "reprise plan change/c1",
                           "reprise why change/c1",
                           "reprise why change/c1 part/check",
                           "reprise plan change/c1 --what-if base=main",
                           "reprise resume change/c1 --brief",
                           "reprise plan task-pipeline/tides",
                           "reprise plan task-pipeline/tides --report full",
                           "reprise why task-pipeline/tides",
                           "reprise resume task-pipeline/tides --brief",
                           "reprise repair task-pipeline/tides",
                           "reprise plan orchestrator/9.1",
                           "reprise resume orchestrator/9.1 --brief",
                           "reprise repair orchestrator/9.1",
                           "reprise fresh change/c1",
                           "reprise rollback change/c1",
                           "reprise cleanup change/c1",
                           "reprise undo",
                           "reprise rescue list",
                           "reprise inbox",
                           "reprise log change/c1",
                           "reprise stats",
                           "reprise doctor",
                           "reprise lock list",
                           "reprise checkpoint list",
                           "reprise task list",
                           "reprise gc --dry-run",
                           "reprise verify",
                           "reprise plan change/c1 --save ~/saved.json"}) {
    EXPECT_EQ(set_off(line), "") << line << "\n" << last_.out << last_.err;
    ++commands;
  }
  std::cout << count << " mechanisms, " << commands << " commands\n";
}

TEST(Reading, E10_AGitInTheRepositoryIsNotStarted) {
  const World world;
  world.workflow("w", "stages:\n  a: {run: 'true'}\n");
  ASSERT_EQ(world.shell("reprise run w x --quiet").exit, 0);
  for (const std::string folder : {"", "bin/"})
    world.write(folder + "git", "#!/bin/sh\necho x >>~/canary\nexit 1\n");
  ASSERT_EQ(world.shell("chmod +x git bin/git").exit, 0);
  int tried = 0;
  for (const std::string entry : {"", ".", "bin", "./bin"}) {
    for (const std::string command : {"rescue list", "status", "scan"}) {
      const Ended ended = world.shell("PATH=" + entry + ":$PATH; reprise " + command);
      EXPECT_EQ(ended.exit, 0) << entry << ": " << command << ended.err;
      EXPECT_EQ(world.shell("cat ~/canary 2>/dev/null; rm -f ~/canary").out, "") << entry << ": " << command;
      ++tried;
    }
  }
  EXPECT_EQ(tried, 12);
}

// Git waits for ever in a pipe where it reads a file.
TEST(Reading, E10_GitThatWaitsInAPipeIsStoppedAndThePipeIsNamed) {
  for (const std::string pipe : {"sub/.gitignore", ".git/info/exclude"}) {
    const World world;
    world.shell(
        "mkdir -p sub ~/.claude/tasks/tides; git config user.name A; git config user.email a@b.c\n"
        "printf '{\"id\":\"1\",\"subject\":\"[PERMANENT] Tides\",\"description\":\"d\",\"status\":\"pending\","
        "\"blocks\":[],\"blockedBy\":[],\"metadata\":{\"tier\":\"COMPLEX\",\"current_phase\":\"P6\","
        "\"repository\":\"%s\"}}' \"$PWD\" >~/.claude/tasks/tides/1.json\n"
        "git add -A; git commit -q --allow-empty -m x; echo y >sub/f; rm -f " +
        pipe + "; mkfifo " + pipe);
    for (const std::string command : {"", "plan task-pipeline/tides"}) {
      const Ended ended = world.shell("timeout -k 1 25 reprise " + command + " </dev/null");
      EXPECT_NE(ended.exit, 124) << pipe << ": reprise " << command;
      EXPECT_TRUE(contains(ended.out + ended.err, pipe)) << command << ended.out << ended.err;
    }
  }
}

TEST(Reading, E10_ExportStartsNoFilterThatAWorkerConfigured) {
  const World world;
  world.workflow("c",
                 "stages:\n  part:\n    lane: {base: HEAD}\n    stages:\n"
                 "      w: {run: 'sh \"$MAKE\"', env: [MAKE]}\n      x: {needs: w, run: 'false'}\n");
  world.write("make.sh",
              "git init -q nest; cd nest; git config user.name a; git config user.email a@b.c\n"
              "echo '*.n filter=n' >.gitattributes; echo 1 >a.n; git add -A; git commit -qm n\n"
              "git config filter.n.clean 'echo clean >>~/canary; cat'\n"
              "git config core.fsmonitor 'echo fsmonitor >>~/canary'; echo 2 >a.n; touch -d 2001-01-01 a.n\n");
  world.shell("git config user.name A; git config user.email a@b.c; git add -A; git commit -qm x");
  const Ended run = world.shell(
      "MAKE=$PWD/make.sh reprise run c s1; git -C $(find .worktrees -name nest) status -s; ls ~/canary");
  ASSERT_TRUE(contains(run.out, "canary")) << "the filter is no canary: " << run.out << run.err;
  world.shell("rm ~/canary");
  const Ended exported = world.reprise({"export", "c/s1", "--output", "out.tar"});
  EXPECT_EQ(exported.exit, 0) << exported.err;
  EXPECT_EQ(world.shell("cat ~/canary 2>/dev/null").out, "");
}

// An empty list would allow the protocol "", whose helper is called git-remote-.
TEST(Reading, E10_GitMayUseNoProtocol) {
  const World world;
  world.write("bin/git",
              "#!/bin/sh\necho \"[${GIT_ALLOW_PROTOCOL-unset}]\" >>~/seen\nPATH=${PATH#*:} exec git \"$@\"\n");
  world.workflow("w", "stages:\n  a: {run: 'true'}\n");
  ASSERT_EQ(world.shell("chmod +x bin/git; reprise run w x --quiet").exit, 0);
  ASSERT_EQ(world.shell("PATH=$PWD/bin:$PATH reprise rescue list").exit, 0);
  const std::string seen = world.shell("sort -u ~/seen").out;
  EXPECT_EQ(seen, "[none]\n");
}

TEST_F(HostileRepository, E10_OverviewOnATerminalStartsNothing) {
  set_off("true");
  const std::unique_ptr<Terminal> terminal = world_.terminal({});
  ASSERT_TRUE(terminal->shows("change/c1")) << terminal->screen();
  terminal->type("d");
  ASSERT_TRUE(terminal->shows("any key")) << terminal->screen();
  terminal->type("qq");
  terminal->end();
  EXPECT_EQ(world_.shell("sort -u ~/canary 2>/dev/null").out, "") << terminal->screen();
}

}  // namespace
}  // namespace reprise::cli_test
