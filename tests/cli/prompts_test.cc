// Every question that the program asks at a terminal: it is reached, and whatever ends it without an answer
// (Ctrl-C, a closed terminal, the end of input) ends the command with the exit code of the contract and leaves all
// as it was.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <regex>

#include "prompt_scenes.h"
#include "world.h"

namespace reprise::cli_test {
namespace {

using Words = std::vector<std::string>;

/// What leads to a question.
struct Way {
  std::string shows;  // is waited for
  std::string types;
};
struct Prompt {
  std::string name;
  std::function<void(const World&)> scene;
  Words words;
  std::vector<Way> ways;
  std::string asks;
  bool has_worked = false;  // the command has done something before it asks; that is not taken back
  int at_end = 3;           // exit at the end of input
};

constexpr const char* kPromptGate =
    "limits: {parallel: 1}\n"
    "stages:\n"
    "  make: {run: 'echo made >made.txt', produces: [made.txt]}\n"
    "  ship: {needs: make, gate: {ask: 'Ship it?', shows: [made.txt]}}\n"
    "  push: {needs: ship, run: 'echo pushed >pushed.txt'}\n";
constexpr const char* kFails = "stages: {a: {run: 'echo a >>a.txt'}, b: {needs: a, run: 'test -e fixed'}}\n";
constexpr const char* kAsks =
    "stages: {think: {role: thinker, prompt: Think.}, after: {needs: think, run: 'true'}}\n";
constexpr const char* kLane =
    "stages:\n"
    "  part:\n"
    "    lane: {}\n"
    "    stages: {a: {run: 'echo a >a.txt'}, b: {needs: a, run: 'test -e ~/ok'}}\n";
constexpr const char* kAsksAgent = R"SH(cat >~/bin/agent <<'END'
#!/bin/sh
echo '{"status":"needs_human","summary":"One.","questions":[{"id":"Q1","text":"Which colour?"}]}' >"$REPRISE_RESULT"
END
)SH";

void failed_run(const World& world) {
  world.workflow("w", kFails);
  world.reprise({"run", "w", "one"});
}
void waiting_run(const World& world) {
  world.workflow("ask", kPromptGate);
  world.reprise({"run", "ask", "a"});
}
void with_gate(const World& world) { world.workflow("ask", kPromptGate); }
void with_question(const World& world) {
  must(world, kAsksAgent);
  world.workflow("think", kAsks);
}
void with_lane(const World& world) {
  world.workflow("l", kLane);
  must(world, "old; reprise run l x >/dev/null 2>&1 || true");
}
void with_finished_lane(const World& world) {
  world.workflow("l", kLane);
  must(world, "touch ~/ok; old; reprise run l x >/dev/null 2>&1");
}
void with_several(const World& world) {
  stale_loop(world);
  clean_story(world);
  begun_spec(world);
}
void done_outside(const World& world) {
  clean_epic(world);
  must(world, "story 3.4 Done; touch -d '20 days ago' docs/stories/3.4.story.md");
}
void with_something_to_undo(const World& world) {
  clean_epic(world);
  must(world, "reprise fresh epic/3 --yes >/dev/null 2>&1");
}
void with_something_undone(const World& world) {
  with_something_to_undo(world);
  must(world, "reprise undo --yes >/dev/null 2>&1");
}

void with_something_to_import(const World& world) {
  world.workflow("w",
                 "stages: {a: {run: 'echo a >a.txt', produces: [a.txt]}, b: {needs: a, run: 'test -e fixed'}}\n");
  must(world, "old; reprise run w one >/dev/null 2>&1 || reprise export w/one --output ~/one.tar >/dev/null 2>&1");
  must(world, "rm -rf .git/reprise; echo mine >a.txt; cp ~/one.tar one.tar");
}

// Files in the store that belong to no run.
void with_leftovers(const World& world) {
  failed_run(world);
  must(world,
       "mkdir -p .git/reprise/attempts/gone/run/a/1; echo {} >.git/reprise/attempts/gone/run/a/1/result.json");
}

constexpr const char* kUsual = "Resume this? (yes / restart / cancel)";
constexpr const char* kArchive = "Archive this work? (yes / no)";
constexpr const char* kAnew = "Archive this work and start a new run? (yes / no)";
constexpr const char* kPrefer = "Which would you prefer? (1-";
constexpr const char* kProceed = "Start it? (proceed / cancel)";
const Words kResumeEpic = {"resume", "epic/3"};

const std::vector<Prompt>& prompts() {
  static const std::vector<Prompt> kPrompts = {
      {"resume a run", failed_run, {"resume", "w/one"}, {}, kUsual},
      {"resume found work", clean_epic, kResumeEpic, {}, kUsual},
      {"resume a spec loop", spec_loop, {"resume"}, {}, "Resume, or start fresh? (resume / fresh / cancel)"},
      {"pre-flight of a run", failed_run, {"resume", "w/one", "--mode", "preflight"}, {}, kProceed},
      {"pre-flight of found work", clean_epic, {"resume", "--mode", "preflight", "epic/3"}, {}, kProceed},
      {"which of several", with_several, {"resume"}, {}, "Which would you like to resume? (1-"},
      {"restart a run", failed_run, {"resume"}, {{kUsual, "restart\n"}}, kAnew},
      {"restart found work", clean_epic, kResumeEpic, {{kUsual, "r\n"}}, kAnew},
      {"which way out", broken_epic, kResumeEpic, {}, kPrefer},
      {"which way out in autopilot", broken_epic, {"resume", "epic/3", "--mode", "autopilot"}, {}, kPrefer},
      {"way out by restart", broken_epic, kResumeEpic, {{kPrefer, "1\n"}}, kAnew},
      {"way out by cleanup", broken_epic, kResumeEpic, {{kPrefer, "2\n"}}, "do it? (yes / no)"},
      {"way out by acceptance", done_outside, kResumeEpic, {{kPrefer, "4\n"}}, "Why is it accepted?"},
      {"way out by repair", torn_epic, kResumeEpic, {{kPrefer, "3\n"}}, "change it so? (yes / no)"},
      {"way out from a phase", done_outside, kResumeEpic, {{kPrefer, "2\n"}}, "From which phase? (1-"},
      {"fresh", clean_epic, {"fresh", "epic/3"}, {}, kArchive},
      {"cleanup of found work", clean_epic, {"cleanup", "epic/3"}, {}, "do it? (yes / no)"},
      {"cleanup of lanes", with_finished_lane, {"cleanup", "l/x"}, {}, "remove them? branches stay"},
      {"repair", torn_epic, {"repair", "epic/3"}, {}, "change it so? (yes / no)"},
      {"rollback", with_lane, {"rollback", "l/x"}, {}, "roll it back? (yes / no)"},
      {"gc", with_leftovers, {"gc"}, {}, "remove what belongs to no run? (yes / no)"},
      {"undo", with_something_to_undo, {"undo"}, {}, "bring it back? (yes / no)"},
      {"undo again", with_something_undone, {"undo"}, {}, "set it aside again? (yes / no)"},
      {"import",
       with_something_to_import,
       {"import", "one.tar"},
       {},
       "set aside and import? (yes / no)",
       false,
       4},
      {"a gate", with_gate, {"run", "ask", "a"}, {}, "approve? (yes / no / later)", true},
      {"a gate that is resumed", waiting_run, {"resume"}, {}, "approve? (yes / no / later)", true},
      {"why a gate is closed", with_gate, {"run", "ask", "a"}, {{"approve?", "no\n"}}, "why not?", true},
      {"a question", with_question, {"run", "think", "a"}, {}, "Which colour?\r\n", true},
      {"unfinished work", waiting_run, {"run", "ask", "a"}, {}, "Go on with it? (resume / fresh / cancel)"},
  };
  return kPrompts;
}

enum class Ending { CtrlC, HangUp, EndOfInput };

int end_of(Terminal& screen, Ending ending) {
  if (ending == Ending::HangUp) return screen.hang_up();
  screen.type(ending == Ending::CtrlC ? "\x03" : "\x04");
  return screen.end();
}

class EveryPrompt : public testing::TestWithParam<std::size_t> {};

TEST_P(EveryPrompt, LeavesEverythingAsItWasWhenItIsNotAnswered) {
  const Prompt& prompt = prompts()[GetParam()];
  int reached = 0;
  for (const auto& [ending, exit] : {std::pair(Ending::CtrlC, 130), std::pair(Ending::HangUp, 129),
                                     std::pair(Ending::EndOfInput, prompt.at_end)}) {
    World world;
    set_up_agents(world);
    prompt.scene(world);
    std::string before = state_of(world);
    const std::unique_ptr<Terminal> screen = world.terminal(prompt.words);
    for (const Way& way : prompt.ways) {
      ASSERT_TRUE(screen->shows(way.shows)) << prompt.name << "\n" << screen->screen();
      screen->type(way.types);
    }
    ASSERT_TRUE(screen->shows(prompt.asks)) << prompt.name << "\n" << screen->screen();
    ++reached;
    if (prompt.has_worked) before = state_of(world);
    EXPECT_EQ(end_of(*screen, ending), exit) << prompt.name << "\n" << screen->screen();
    EXPECT_EQ(state_of(world), before) << prompt.name;
  }
  EXPECT_EQ(reached, 3) << prompt.name;
}

std::string as_name(const std::string& text) {
  std::string name;
  bool begins = true;
  for (const char c : text) {
    const auto letter = static_cast<unsigned char>(c);
    const bool is_letter = std::isalnum(letter) != 0;
    if (is_letter) name += begins ? static_cast<char>(std::toupper(letter)) : c;
    begins = !is_letter;
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Prompts, EveryPrompt, testing::Range<std::size_t>(0, prompts().size()),
                         [](const testing::TestParamInfo<std::size_t>& each) {
                           return as_name(prompts()[each.param].name);
                         });

// The words of every question in the sources are among those above, so that a new one cannot be forgotten.
TEST(Prompts, AreAllTested) {
  const std::regex call(R"re(\b(?:ask|ask_here|ask_which|is_agreed)\([^";{]*"([^"]+)")re");
  int found = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(sources() / "src" / "cli")) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".cc" || name.starts_with("desk")) continue;  // the desk has tests of its own
    const std::string text = slurp(entry.path());
    for (auto it = std::sregex_iterator(text.begin(), text.end(), call); it != std::sregex_iterator(); ++it) {
      const std::string question = (*it)[1].str();
      if (question.starts_with(" ")) continue;  // what is put behind a question
      const bool is_tested = std::ranges::any_of(
          prompts(), [&](const Prompt& prompt) { return prompt.asks.starts_with(question.substr(0, 9)); });
      EXPECT_TRUE(is_tested) << name << ": \"" << question << "\"";
      ++found;
    }
  }
  EXPECT_GE(found, 12);
}

// ---- answers

std::unique_ptr<Terminal> resume(const World& world, const Words& words = {"resume"}) {
  return world.terminal(words);
}

TEST(OnATerminal, OR10_AnAnswerThatIsNoneIsAskedForAgainWithWhatIsAllowed) {
  World world;
  set_up_agents(world);
  with_several(world);
  const std::unique_ptr<Terminal> screen = resume(world);
  for (const std::string wrong : {"5", "0", "-1", "2.5", "perhaps", "99999999999999999999", ""}) {
    ASSERT_TRUE(screen->shows("(1-4, or none)")) << screen->screen();
    screen->type(wrong + "\n");
    ASSERT_TRUE(screen->shows("1 to 4, none")) << wrong << screen->screen();
  }
  screen->type("1\n");
  ASSERT_TRUE(screen->shows("=== Resume: qa-loop/2.1 ===")) << screen->screen();
  ASSERT_TRUE(screen->shows("Resume this?"));
  screen->type("maybe\n");
  ASSERT_TRUE(screen->shows("\"maybe\" is not one of yes, restart, cancel"));
  ASSERT_TRUE(screen->shows("Resume this?"));
  screen->type("cancel\n");
  EXPECT_EQ(screen->end(), 3);
}

TEST(OnATerminal, OR10_NoneResumesNothingAndIsNoError) {
  World world;
  set_up_agents(world);
  with_several(world);
  const std::string before = state_of(world);
  const std::unique_ptr<Terminal> screen = resume(world);
  ASSERT_TRUE(screen->shows("(1-4, or none)"));
  screen->type("none\n");
  ASSERT_TRUE(screen->shows("reprise run WORKFLOW"));
  EXPECT_EQ(screen->end(), 0);
  EXPECT_EQ(state_of(world), before);
}

TEST(OnATerminal, OR10_RestartShowsWhatItDoesAsksOnceMoreAndKeepsWhatWasMade) {
  World world;
  set_up_agents(world);
  failed_run(world);
  const std::unique_ptr<Terminal> screen = resume(world);
  ASSERT_TRUE(screen->shows("Resume this?")) << screen->screen();
  screen->type("restart\n");
  ASSERT_TRUE(screen->shows("puts run w/one away")) << screen->screen();
  ASSERT_TRUE(screen->shows("start a new run? (yes / no)"));
  world.write("fixed", "");
  screen->type("yes\n");
  EXPECT_EQ(screen->end(), 0) << screen->screen();
  EXPECT_EQ(world.read("a.txt"), "a\na\n") << "what the first run made is there, and the step was done again";
}

TEST(OnATerminal, OR10_WorkThatChangedBetweenListAndChoiceIsShownAnew) {
  World world;
  set_up_agents(world);
  with_several(world);
  const std::unique_ptr<Terminal> screen = resume(world);
  ASSERT_TRUE(screen->shows("2. story-cycle/4.2")) << screen->screen();
  ASSERT_TRUE(screen->shows("(1-4, or none)"));
  must(world, "sed -i 's/InProgress/InReview/' docs/stories/4.2.story.md");
  screen->type("2\n");
  ASSERT_TRUE(screen->shows("it changed since it was shown")) << screen->screen();
  ASSERT_TRUE(screen->shows("stage: was implement, is review")) << screen->screen();
  ASSERT_TRUE(screen->shows("Resume this?"));
  screen->type("cancel\n");
  EXPECT_EQ(screen->end(), 3);
}

TEST(OnATerminal, OR10_WorkThatIsOverByTheTimeItIsChosenIsSaidAndTheListIsShownAgain) {
  World world;
  set_up_agents(world);
  with_several(world);
  const std::unique_ptr<Terminal> screen = resume(world);
  ASSERT_TRUE(screen->shows("(1-4, or none)"));
  must(world, "sed -i 's/InProgress/Done/' docs/stories/4.2.story.md");
  screen->type("2\n");
  ASSERT_TRUE(screen->shows("cannot be resumed any more")) << screen->screen();
  ASSERT_TRUE(screen->shows("(1-3, or none)")) << screen->screen();
  screen->type("none\n");
  EXPECT_EQ(screen->end(), 0);
}

TEST(OnATerminal, ALL04_APlanThatIsOldByTheTimeItIsAgreedToIsShownAnew) {
  World world;
  set_up_agents(world);
  clean_epic(world);
  const std::unique_ptr<Terminal> screen = resume(world, kResumeEpic);
  ASSERT_TRUE(screen->shows("Resume this?")) << screen->screen();
  must(world, "story 3.4 Done");
  screen->type("yes\n");
  ASSERT_TRUE(screen->shows("it changed since it was shown")) << screen->screen();
  ASSERT_TRUE(screen->shows("=== Cannot Resume: epic/3 ===")) << screen->screen();
  ASSERT_TRUE(screen->shows("Which would you prefer?"));
  screen->type("cancel\n");
  EXPECT_EQ(screen->end(), 4);
  EXPECT_FALSE(world.has(".git/reprise/journal.db"));
}

TEST(OnATerminal, ALL04_TheSameForARunOfOurs) {
  World world;
  set_up_agents(world);
  world.workflow("w",
                 "stages: {a: {run: 'echo a >a.txt', produces: [a.txt]}, b: {needs: a, run: 'test -e fixed'}}\n");
  world.reprise({"run", "w", "one"});
  world.write("fixed", "");
  const std::unique_ptr<Terminal> screen = resume(world);
  ASSERT_TRUE(screen->shows("Resume this?")) << screen->screen();
  must(world, "rm a.txt");
  screen->type("yes\n");
  ASSERT_TRUE(screen->shows("step a: was keep, is rerun")) << screen->screen();
  ASSERT_TRUE(screen->shows("Resume this?"));
  screen->type("yes\n");
  EXPECT_EQ(screen->end(), 0) << screen->screen();
  EXPECT_EQ(world.read("a.txt"), "a\n");
}

TEST(OnATerminal, OR11_PreflightGoesOnAtTheWordProceedAndAtNoOther) {
  World world;
  set_up_agents(world);
  clean_epic(world);
  const std::unique_ptr<Terminal> screen = resume(world, {"resume", "epic/3", "--mode", "preflight"});
  ASSERT_TRUE(screen->shows("=== Pre-flight: epic/3 ===")) << screen->screen();
  ASSERT_TRUE(screen->shows("Start it? (proceed / cancel)"));
  screen->type("yes\n");
  ASSERT_TRUE(screen->shows("\"yes\" is not one of proceed, cancel")) << screen->screen();
  screen->type("proceed\n");
  ASSERT_TRUE(screen->shows("=== Resuming: epic/3 ===")) << screen->screen();
  EXPECT_EQ(screen->end(), 0) << screen->screen();
}

// ---- the ways out: each works when it is chosen

TEST(WaysOut, OR13_AcceptingOnTheRecordGoesOn) {
  World world;
  set_up_agents(world);
  done_outside(world);
  const std::unique_ptr<Terminal> screen = resume(world, kResumeEpic);
  ASSERT_TRUE(screen->shows("4. accept done_outside")) << screen->screen();
  ASSERT_TRUE(screen->shows("Which would you prefer? (1-4, or cancel)")) << screen->screen();
  screen->type("4\n");
  ASSERT_TRUE(screen->shows("Why is it accepted?"));
  screen->type("done by hand\n");
  ASSERT_TRUE(screen->shows("Resume this?")) << screen->screen();
  screen->type("yes\n");
  EXPECT_EQ(screen->end(), 0) << screen->screen();
  EXPECT_NE(world.reprise({"events", "epic/3"}).out.find("done by hand"), std::string::npos);
}

TEST(WaysOut, OR13_StartingFromAPhaseAsksWhichAndShowsThatPlan) {
  World world;
  set_up_agents(world);
  done_outside(world);
  const std::unique_ptr<Terminal> screen = resume(world, kResumeEpic);
  ASSERT_TRUE(screen->shows("Which would you prefer?"));
  screen->type("2\n");
  ASSERT_TRUE(screen->shows("3. wave-2/3.4")) << screen->screen();
  ASSERT_TRUE(screen->shows("From which phase?"));
  screen->type("3\n");
  ASSERT_TRUE(screen->shows("-> phase 3")) << screen->screen();
  ASSERT_TRUE(screen->shows("Resume this?")) << screen->screen();
  screen->type("yes\n");
  EXPECT_EQ(screen->end(), 0) << screen->screen();
}

TEST(WaysOut, OR13_CleaningUpPutsTheStateAwayAndUndoBringsItBack) {
  World world;
  set_up_agents(world);
  broken_epic(world);
  const std::string before = world.read(".aiox/epic-3-state.yaml");
  const std::unique_ptr<Terminal> screen = resume(world, kResumeEpic);
  ASSERT_TRUE(screen->shows("2. clean up and cancel")) << screen->screen();
  ASSERT_TRUE(screen->shows("Which would you prefer?"));
  screen->type("2\n");
  ASSERT_TRUE(screen->shows("puts away .aiox/epic-3-state.yaml"));
  ASSERT_TRUE(screen->shows("do it? (yes / no)"));
  screen->type("yes\n");
  ASSERT_TRUE(screen->shows("Start anew: reprise run epic 3")) << screen->screen();
  EXPECT_EQ(screen->end(), 0);
  EXPECT_FALSE(world.has(".aiox/epic-3-state.yaml"));
  EXPECT_EQ(world.reprise({"undo", "--yes"}).exit, 0);
  EXPECT_EQ(world.read(".aiox/epic-3-state.yaml"), before);
}

TEST(WaysOut, OR13_RestartingKeepsArtifactsAndRunsFromTheBeginning) {
  World world;
  set_up_agents(world);
  clean_epic(world);
  must(world, "story 3.4 Draft");
  const std::unique_ptr<Terminal> screen = resume(world, kResumeEpic);
  ASSERT_TRUE(screen->shows("1. start from scratch")) << screen->screen();
  ASSERT_TRUE(screen->shows("Which would you prefer?"));
  screen->type("1\n");
  ASSERT_TRUE(screen->shows("start a new run? (yes / no)"));
  screen->type("yes\n");
  EXPECT_EQ(screen->end(), 0) << screen->screen();
  EXPECT_TRUE(world.has("docs/stories/3.3.story.md"));
  EXPECT_NE(world.read(".aiox/epic-3-state.yaml").find("status: completed"), std::string::npos);
}

TEST(WaysOut, OR14_RepairingGoesOnWithWhatWasMadeAnew) {
  World world;
  set_up_agents(world);
  torn_epic(world);
  const std::unique_ptr<Terminal> screen = resume(world, kResumeEpic);
  ASSERT_TRUE(screen->shows("3. repair the state")) << screen->screen();
  ASSERT_TRUE(screen->shows("Which would you prefer?"));
  screen->type("3\n");
  ASSERT_TRUE(screen->shows("change it so? (yes / no)")) << screen->screen();
  screen->type("yes\n");
  ASSERT_TRUE(screen->shows("=== Resume: epic/3 ===")) << screen->screen();
  ASSERT_TRUE(screen->shows("Resume this?"));
  screen->type("cancel\n");
  EXPECT_EQ(screen->end(), 3);
}

TEST(OnATerminal, OR12_AResumeThatFailsSaysWhatWhyAndWhatToDo) {
  World world;
  set_up_agents(world);
  world.workflow(
      "slow",
      "stages: {a: {run: 'touch started; for i in $(seq 600); do [ -e go ] && break; sleep 0.05; done'}}\n");
  const std::unique_ptr<Background> owner = world.start({"run", "slow", "x"});
  ASSERT_TRUE(world.wait_for_file("started"));
  const std::unique_ptr<Terminal> screen = resume(world, {"resume", "slow/x"});
  ASSERT_TRUE(screen->shows("=== Resume Failed ===")) << screen->screen();
  ASSERT_TRUE(screen->shows("Workflow: slow/x"));
  ASSERT_TRUE(screen->shows("is held by process"));
  ASSERT_TRUE(screen->shows("Recommended action:"));
  ASSERT_TRUE(screen->shows("reprise attach slow/x"));
  EXPECT_EQ(screen->end(), 5);
  world.write("go", "");
  EXPECT_EQ(owner->end(), 0);
}

}  // namespace
}  // namespace reprise::cli_test
