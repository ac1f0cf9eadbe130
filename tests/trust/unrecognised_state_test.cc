// A file at the place of a state file that Reprise does not recognise: `run` refuses it and never replaces it.

#include <gtest/gtest.h>

#include <fstream>

#include "world.h"

namespace reprise::cli_test {
namespace {

// The sample of a spec loop's index as its author documents it, without a title.
constexpr const char* kSpecLoopSample = R"(## Priority Loop State

| Field | Value |
|-------|-------|
| **Loop Status** | clarifying |
| **Current Iteration** | 2 / 10 |
| **Last Activity** | 2024-01-15T10:30:00Z |
| **Stale Count** | 0 / 3 |

## Pending Questions

| ID | Question Summary | Gaps | Status |
|----|------------------|------|--------|
| C2.1 | Session timeout | G-004 | awaiting_answer |

## Gap Priority Queue

| Priority | Gap ID | Status | Resolution |
|----------|--------|--------|------------|
| Critical | G-001 | resolved | Applied in iteration 1 |
| Important | G-004 | clarifying | Pending C2.1 |

## Gap Resolution History

| Gap ID | Iteration | Action | Details |
|--------|-----------|--------|---------|
| G-001 | 1 | resolved | Answer: "15 minute timeout" |
)";

constexpr const char* kPlaybookWithoutTitle = R"(# Login, how far we are

- status: IN_PROGRESS
- current_stage: programmer
- spec_hash: sha256:0000000000000000000000000000000000000000000000000000000000000000
)";

constexpr const char* kNoPlaybook = "# Login, how far we are\n\n- status: going well\n- next: the form\n";

// The worker leaves a mark, so that a test sees whether anything was started.
void set_up_worker(const World& world) {
  world.write(".reprise/config.yaml", "workers: {default: {run: 'echo ran >>ran.txt'}}\n");
}

void expect_refused(const World& world, const std::vector<std::string>& words, const std::string& file) {
  SCOPED_TRACE(words[1] + " at " + file);
  const Ended ended = world.reprise(words);
  EXPECT_EQ(ended.exit, 3) << ended.err;
  EXPECT_NE(ended.err.find(file), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("\n  try: "), std::string::npos) << ended.err;
  EXPECT_FALSE(world.has("ran.txt"));
  EXPECT_EQ(world.reprise({"status", "--json"}).out.find("\"id\""), std::string::npos) << "a run was created";
}

struct Place {
  const char* workflow;
  const char* subject;
  const char* file;
};
constexpr Place kPlaces[] = {
    {"playbook", "001-login", "specs/001-login/.pipeline-state.md"},
    {"playbook", "001-login", "specs/001-login/pipeline-state.md"},
    {"playbook", "001-login", "reports/pipeline/001-login/.pipeline-state.md"},
    {"spec-loop", "005-user-auth", "specs/005-user-auth/.workflow/index.md"},
    {"epic", "5", ".aiox/epic-5-state.yaml"},
    {"epic", "5", ".aios/epic-5-state.yml"},
    {"qa-loop", "4.2", "qa/4.2/loop-status.json"},
    {"story-cycle", "4.2", "docs/stories/4.2.story.md"},
    {"spec-pipeline", "harbour", "docs/stories/harbour/spec/.pipeline-state.json"},
};

// What the workflows need besides, so that nothing but the state file stands in their way.
void set_up_project(const World& world, const Place& place) {
  set_up_worker(world);
  if (std::string(place.workflow) == "qa-loop")
    world.write("docs/stories/4.2.story.md",
                "# Story 4.2: Pay\n\n**Status:** Ready\n\n## Acceptance Criteria\n\n- [ ] x\n");
  if (std::string(place.workflow) == "epic")
    world.write("docs/epics/EPIC-5-EXECUTION.yaml",
                "epic_id: '5'\nwaves:\n  - number: 1\n    stories:\n      - {id: '5.1', title: One}\n");
}

TEST(UnrecognisedState, S01_SpecLoopSampleIsNotOverwritten) {
  const World world;
  set_up_worker(world);
  const std::string file = "specs/005-user-auth/.workflow/index.md";
  world.write(file, kSpecLoopSample);
  expect_refused(world, {"run", "spec-loop", "005-user-auth"}, file);
  EXPECT_EQ(world.read(file), kSpecLoopSample);
}

TEST(UnrecognisedState, S01_PlaybookStateWithoutTitleIsNotOverwritten) {
  const World world;
  set_up_worker(world);
  const std::string file = "specs/001-login/.pipeline-state.md";
  world.write(file, kPlaybookWithoutTitle);
  expect_refused(world, {"run", "playbook", "001-login"}, file);
  EXPECT_EQ(world.read(file), kPlaybookWithoutTitle);
}

TEST(UnrecognisedState, S01_EveryPlaceOfAStateFileIsProtected) {
  int tried = 0;
  for (const Place& place : kPlaces) {
    const World world;
    set_up_project(world, place);
    for (const char* content : {"kept: 17\n", "{\"kept\": 17}\n", "Nothing but a note.\n", ""}) {
      world.write(place.file, content);
      expect_refused(world, {"run", place.workflow, place.subject}, place.file);
      EXPECT_EQ(world.read(place.file), content);
      ++tried;
    }
  }
  EXPECT_EQ(tried, 36);
}

TEST(UnrecognisedState, S01_LinksAndFoldersAtTheirPlacesStay) {
  for (const Place& place : kPlaces) {
    const World world;
    set_up_project(world, place);
    const fs::path at = world.root() / place.file;
    fs::create_directories(at.parent_path());
    const fs::path outside = world.root().parent_path() / (world.root().filename().string() + "-outside.md");
    std::ofstream(outside) << "not ours\n";
    fs::create_symlink(outside, at);
    expect_refused(world, {"run", place.workflow, place.subject}, place.file);
    EXPECT_TRUE(fs::is_symlink(at));
    EXPECT_EQ(slurp(outside), "not ours\n");
    fs::remove(outside);
    expect_refused(world, {"run", place.workflow, place.subject}, place.file);
    EXPECT_TRUE(fs::is_symlink(at)) << "it leads to nothing now";
    fs::remove(at);
    fs::create_directory(at);
    expect_refused(world, {"run", place.workflow, place.subject}, place.file);
    EXPECT_TRUE(fs::is_directory(at));
  }
}

constexpr const char* kPhasePlan = R"(# P1: Parts

## Lane Index & Dependencies

- SL-API -- The api
  - Depends on: none

## D. Swim Lanes

### SL-API -- The api

| Task ID | Task Type | Depends On | Files in Scope | Tests Owned Files | Test Command(s) | Acceptance Criteria |
|---|---|---|---|---|---|---|
| A1 | impl | - | api.txt | - | `true` | an api |
)";

TEST(UnrecognisedState, S01_CheckpointFileOfAnotherProgramStopsLanesBeforeTheyStart) {
  const std::string file = ".claude/ai-dev-kit/run-logs/checkpoints.json";
  for (const char* content :
       {"{\"version\": 2, \"lanes\": {}}\n", "[1, 2]\n", "[{\"id\": 1}]\n", "not JSON\n", "\"text\"\n"}) {
    const World world;
    set_up_worker(world);
    world.write("plans/P1.md", kPhasePlan);
    world.write(".gitignore", "/.claude/\n/.worktrees/\n");
    ASSERT_EQ(world.shell("git add -A && git -c user.name=T -c user.email=t@example.org commit -qm begin").exit,
              0);
    world.write(file, content);
    expect_refused(world, {"run", "lanes", "plans/P1.md", "--run-id", "one"}, file);
    EXPECT_EQ(world.read(file), content);
    EXPECT_FALSE(world.has(".worktrees"));
  }
}

TEST(UnrecognisedState, S01_TaskListOfTheSameNameIsLeftAlone) {
  World world;
  set_up_worker(world);
  world.set("CLAUDE_CONFIG_DIR", (world.root() / "config").string());
  world.write("config/tasks/login/1.json", "{\"kept\": 17}\n");
  world.write("config/tasks/login/notes.md", "mine\n");
  world.reprise({"run", "task-pipeline", "login"});
  EXPECT_EQ(world.read("config/tasks/login/1.json"), "{\"kept\": 17}\n");
  EXPECT_EQ(world.read("config/tasks/login/notes.md"), "mine\n");
  EXPECT_FALSE(world.has("config/tasks/login/2.json"));
}

TEST(UnrecognisedState, S01_NothingIsOfferedOnATerminalButTheRemedy) {
  const World world;
  set_up_worker(world);
  world.write("specs/001-login/.pipeline-state.md", kNoPlaybook);
  const std::unique_ptr<Terminal> terminal = world.terminal({"run", "playbook", "001-login"});
  EXPECT_EQ(terminal->end(), 3);
  EXPECT_EQ(terminal->screen().find("resume"), std::string::npos) << terminal->screen();
  EXPECT_EQ(world.read("specs/001-login/.pipeline-state.md"), kNoPlaybook);
}

TEST(UnrecognisedState, S01_MovedAwayItNoLongerStandsInTheWay) {
  const World world;
  set_up_worker(world);
  world.write("specs/001-login/.pipeline-state.md", kNoPlaybook);
  const Ended refused = world.reprise({"run", "playbook", "001-login"});
  const std::size_t hint = refused.err.find("  try: mv ");
  ASSERT_NE(hint, std::string::npos) << refused.err;
  const std::string command = refused.err.substr(hint + 7, refused.err.find('\n', hint) - hint - 7);
  EXPECT_EQ(world.shell(command).exit, 0) << command;
  world.reprise({"run", "playbook", "001-login"});
  EXPECT_TRUE(world.has("ran.txt")) << "nothing was started";
  EXPECT_EQ(world.read("specs/001-login/.pipeline-state.md.old"), kNoPlaybook);
}

}  // namespace
}  // namespace reprise::cli_test
