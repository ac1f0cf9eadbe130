// Help, shell completion and the man page: made from the table, so everything in the table is in all of them.

#include <gtest/gtest.h>

#include <map>
#include <regex>

#include "base/strings.h"
#include "cli/command_table.h"
#include "world.h"

namespace reprise::cli_test {
namespace {

std::string escaped_for_troff(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '-' ? std::string("\\-") : std::string(1, c);
  return out;
}

// "--from" in the help and in bash, "\-\-from" in troff, "-l from" in fish.
std::string spelled(const Option& option, const std::string& where) {
  const std::string name(option.name);
  if (where == "fish") return name == "C" ? "-s C" : "-l " + name;
  if (where == "man") return escaped_for_troff(name == "C" ? "-C" : "--" + name);
  return name == "C" ? "-C" : "--" + name;
}

bool is_there(const World& world, const std::string& program) {
  return world.shell("command -v " + program).exit == 0;
}

TEST(Generated, EveryCommandAndOptionIsInAllOfThem) {
  const World world;
  std::map<std::string, std::string> texts;
  for (const std::string shell : {"bash", "zsh", "fish"}) texts[shell] = world.reprise({"completion", shell}).out;
  texts["man"] = world.reprise({"man"}).out;
  int looked = 0;
  for (const auto& [where, text] : texts) {
    ASSERT_FALSE(text.empty()) << where;
    for (const CommandSpec& command : commands()) {
      const std::string all(command.name);
      for (const std::string_view word : split(all, ' '))
        EXPECT_NE(text.find(word), std::string::npos) << where << " lacks " << word;
      for (const Option& option : command.options) {
        EXPECT_NE(text.find(spelled(option, where)), std::string::npos)
            << where << " lacks " << option.name << " of " << all;
        ++looked;
      }
    }
    for (const Option& option : global_options())
      EXPECT_NE(text.find(spelled(option, where)), std::string::npos) << where << " lacks " << option.name;
  }
  EXPECT_GT(looked, 50);
}

TEST(Generated, EveryCommandHasHelpThatNamesItsOptions) {
  const World world;
  const std::string overview = world.reprise({"--help"}).out;
  for (const CommandSpec& command : commands()) {
    EXPECT_NE(overview.find("  " + std::string(command.name) + " "), std::string::npos) << command.name;
    std::vector<std::string> words;
    const std::string name(command.name);
    for (const std::string_view word : split(name, ' ')) words.emplace_back(word);
    words.emplace_back("--help");
    const Ended help = world.reprise(words);
    EXPECT_EQ(help.exit, 0);
    for (const Option& option : command.options)
      EXPECT_NE(help.out.find("--" + std::string(option.name)), std::string::npos) << name;
  }
}

// What bash offers after `typed`, the last word of which may be empty.
std::string offered(const World& world, const std::string& typed) {
  return world
      .shell("reprise completion bash >c.bash && . ./c.bash && COMP_WORDS=(" + typed +
             ") && COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) && _reprise && printf '%s\\n' \"${COMPREPLY[@]}\"")
      .out;
}

TEST(Completion, BashOffersCommandsOptionsRunsAndWorkflows) {
  World world;
  world.workflow("hello", "stages: {a: {run: ['true']}}\n");
  world.reprise({"run", "hello", "one"});
  EXPECT_EQ(world.shell("reprise completion bash | bash -n").exit, 0);
  EXPECT_EQ(offered(world, "reprise res"), "rescue\nresume\n");
  EXPECT_EQ(offered(world, "reprise checkpoint put --sta"), "--stage\n--status\n");
  EXPECT_EQ(offered(world, "reprise -C . workfl"), "workflow\n");
  EXPECT_EQ(offered(world, "reprise workflow sc"), "schema\n");
  EXPECT_EQ(offered(world, "reprise run he"), "hello\n");
  EXPECT_EQ(offered(world, "reprise resume hello/"), "hello/one\n");
  EXPECT_EQ(offered(world, "reprise resume --fr"), "--from\n");
  EXPECT_EQ(offered(world, "reprise completion z"), "zsh\n");
}

// Names of files come from whoever wrote the repository. A press of TAB must not run them.
TEST(Completion, P34_NamesFoundInTheProjectAreNotExecuted) {
  World world;
  world.workflow("hello", "stages: {a: {run: ['true']}}\n");
  for (const char* name : {"$(touch canary)", "`touch canary`", "a;touch canary", "*"}) {
    world.write(".reprise/workflows/" + std::string(name) + ".yaml", "stages: {a: {run: ['true']}}\n");
  }
  EXPECT_EQ(offered(world, "reprise run he"), "hello\n");
  const std::string all = offered(world, "reprise run ''");
  EXPECT_FALSE(world.has("canary"));
  EXPECT_EQ(all.find("canary"), std::string::npos) << all;
}

TEST(Completion, ZshAndFishScriptsAreSound) {
  const World world;
  int checked = 0;
  for (const std::string shell : {"zsh", "fish"}) {
    if (!is_there(world, shell)) continue;
    ++checked;
    EXPECT_EQ(world.shell("reprise completion " + shell + " >script && " + shell + " -n script").exit, 0) << shell;
  }
  // Both quote as a POSIX shell does, so bash can at least tell whether the quoting is whole.
  EXPECT_EQ(world.shell("reprise completion fish | bash -n").exit, 0);
  EXPECT_EQ(world.shell("reprise completion zsh | bash -n").exit, 0);
  if (checked == 0) GTEST_SKIP() << "neither zsh nor fish is here; only the quoting was checked";
}

TEST(ManPage, RendersWithoutAWarning) {
  const World world;
  if (!is_there(world, "groff")) GTEST_SKIP() << "groff is not here";
  const Ended page = world.shell("reprise man >reprise.1 && groff -man -ww -Tascii -P-cbou reprise.1");
  EXPECT_EQ(page.exit, 0);
  EXPECT_EQ(page.err, "");
  const std::string words = std::regex_replace(page.out, std::regex(" +"), " ");  // lines are justified
  for (const char* text : {"NAME", "SYNOPSIS", "EXIT STATUS", "resume [ID]"})
    EXPECT_TRUE(contains(words, text)) << text;
}

}  // namespace
}  // namespace reprise::cli_test
