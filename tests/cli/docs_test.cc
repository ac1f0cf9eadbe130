// The documents tell the truth: every command in a ```console block is run, in a scratch repository per document.
//
// A command must succeed, or end with the code that a comment behind it announces: `$ reprise run x  # exit 3`.
// Blocks that are not to be run have another info string (```sh, ```text).

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <regex>
#include <sstream>

#include "world.h"

namespace reprise::cli_test {
namespace {

struct Shown {
  std::string command;
  int line = 0;
};

std::vector<Shown> commands_in(const fs::path& path) {
  std::vector<Shown> found;
  std::ifstream file(path);
  bool inside = false;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.starts_with("```")) {
      inside = line == "```console";
    } else if (inside && line.starts_with("$ ")) {
      found.push_back({line.substr(2), number});
    } else if (inside && (line.starts_with("> ") || line == ">") && !found.empty()) {
      found.back().command += "\n" + (line.size() > 2 ? line.substr(2) : "");
    }
  }
  return found;
}

std::vector<fs::path> documents() {
  std::vector<fs::path> paths = {sources() / "README.md"};
  for (const fs::directory_entry& entry : fs::directory_iterator(sources() / "docs")) {
    if (entry.path().extension() == ".md") paths.push_back(entry.path());
  }
  std::sort(paths.begin() + 1, paths.end());
  return paths;
}

TEST(Documents, EveryCommandShownWorks) {
  int commands = 0;
  for (const fs::path& path : documents()) {
    const World world;
    for (const Shown& shown : commands_in(path)) {
      ++commands;
      std::smatch announced;
      const bool fails = std::regex_search(shown.command, announced, std::regex("# exit (\\d+)$"));
      const Ended ended = world.shell(shown.command);
      EXPECT_EQ(ended.exit, fails ? std::stoi(announced[1]) : 0)
          << path.filename() << ":" << shown.line << ": " << shown.command << "\n"
          << ended.out << ended.err;
    }
  }
  std::cout << "commands in documents: " << commands << "\n";
  EXPECT_GT(commands, 20);
}

// Labels are made in two files and explained in one.
TEST(Documents, EveryRuleLabelIsExplained) {
  const std::string rules = slurp(sources() / "docs" / "rules.md");
  const std::regex label("\"((WF|OR)-[0-9]{2})[^\"]*\"");
  int labels = 0;
  for (const char* file : {"src/planner/own_rules.h", "src/planner/planner.cc"}) {
    const std::string text = slurp(sources() / file);
    for (std::sregex_iterator at(text.begin(), text.end(), label), end; at != end; ++at, ++labels) {
      EXPECT_NE(rules.find("**" + (*at)[1].str()), std::string::npos) << (*at)[1] << " is not in docs/rules.md";
    }
  }
  EXPECT_GT(labels, 30);
}

TEST(Documents, EveryCommandIsDescribed) {
  const World world;
  const std::string text = slurp(sources() / "docs" / "commands.md");
  const std::string help = world.reprise({"--help"}).out;
  std::istringstream lines(help);
  int commands = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("Everywhere")) break;
    std::smatch name;
    if (!std::regex_search(line, name, std::regex("^  ([a-z]+( [a-z]+)?)  "))) continue;
    ++commands;
    EXPECT_NE(text.find("reprise " + name[1].str()), std::string::npos)
        << name[1] << " is not in docs/commands.md";
  }
  EXPECT_GT(commands, 25);
}

}  // namespace
}  // namespace reprise::cli_test
