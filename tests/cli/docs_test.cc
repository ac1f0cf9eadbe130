// The documents tell the truth: every command of a page is typed into one shell, in a repository of the page's
// own, and every screen is compared with what the program shows (see page.h).

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <regex>
#include <set>
#include <sstream>

#include "desk_pty.h"
#include "formats/key_table.h"
#include "page.h"
#include "transcript.h"
#include "world.h"

namespace reprise::cli_test {
namespace {

std::vector<fs::path> documents() {
  std::vector<fs::path> paths = {sources() / "README.md"};
  for (const fs::directory_entry& entry : fs::directory_iterator(sources() / "docs")) {
    if (entry.path().extension() == ".md") paths.push_back(entry.path());
  }
  std::sort(paths.begin() + 1, paths.end());
  return paths;
}

// Goes through one page as its reader does.
class Reader {
 public:
  explicit Reader(const fs::path& path) : path_(path), world_("harbour") {
    world_.set("USER", "ana");
    shell_ = std::make_unique<PageShell>(world_);
  }

  void read() {
    for (const Block& block : read_blocks(path_)) {
      const std::vector<std::string> info = split_info(block.info);
      if (info.front() == "console") {
        outputs_.clear();
        for (const ShownCommand& command : commands_in(block)) type(command);
      } else if (info.front() == "text") {
        compare(block, info);
      } else {
        EXPECT_TRUE(kUnchecked.contains(info.front())) << place(block.line) << "no such kind: " << block.info;
      }
    }
    EXPECT_EQ(shell_->type("pwd -P").out, fs::canonical(world_.root()).string() + "\n")
        << path_.filename() << " leaves its reader somewhere else";
  }

  int commands() const { return commands_; }
  int screens() const { return screens_; }

 private:
  static std::vector<std::string> split_info(const std::string& info) {
    std::vector<std::string> words;
    std::istringstream stream(info);
    for (std::string word; stream >> word;) words.push_back(word);
    return words.empty() ? std::vector<std::string>{""} : words;
  }

  std::string place(int line) const { return path_.filename().string() + ":" + std::to_string(line) + ": "; }

  void type(const ShownCommand& command) {
    ++commands_;
    const Ended ended = shell_->type(command.text);
    EXPECT_EQ(ended.exit, command.exit) << place(command.line) << command.text << "\n" << ended.out;
    outputs_.push_back(ended.out);
    if (!command.excerpt.empty()) expect_same(command.line, command.excerpt, {ended.out}, Comparison::Excerpt);
  }

  void expect_same(int line, const std::vector<std::string>& shown, const std::vector<std::string>& seen,
                   Comparison comparison) {
    ++screens_;
    const bool is_same = std::ranges::any_of(
        seen, [&](const auto& text) { return is_same_screen(world_, shown, text, comparison); });
    EXPECT_TRUE(is_same) << place(line) << "what is shown is not what comes:\n" << joined(seen);
  }

  void compare(const Block& block, const std::vector<std::string>& info) {
    const std::string how = info.size() == 1 ? "" : info[1];
    const std::vector<std::string> rest(info.begin() + std::min<std::ptrdiff_t>(2, std::ssize(info)), info.end());
    if (how.empty()) return expect_same(block.line, block.lines, outputs_, Comparison::Whole);
    if (how == "unordered") return expect_same(block.line, block.lines, outputs_, Comparison::Unordered);
    if (how == "from") return expect_same(block.line, block.lines, {source(rest.at(0))}, Comparison::Excerpt);
    ASSERT_EQ(how, "terminal") << place(block.line);
    DeskPty screen(world_, {.columns = 80, .rows = 60}, {"NO_COLOR=1"}, {rest.begin() + 1, rest.end()});
    EXPECT_TRUE(screen.has_on_screen(block.lines.back())) << place(block.line);
    expect_same(block.line, block.lines, {screen.screen()}, Comparison::Whole);
  }

  // The text of a file of the sources, or what it prints if it is a program.
  std::string source(const std::string& name) const {
    const fs::path file = sources() / name;
    const bool runs = (fs::status(file).permissions() & fs::perms::owner_exec) != fs::perms::none;
    if (runs) return world_.shell(file.string() + " " + binary().string() + " 2>&1").out;
    // In a transcript "| " marks output lines that would be read as something else.
    return std::regex_replace(slurp(file), std::regex("(^|\n)\\| "), "$1");
  }

  // Blocks that show neither a command to type nor a screen.
  inline static const std::set<std::string> kUnchecked = {"", "sh", "yaml", "json", "cpp"};

  const fs::path path_;
  World world_;
  std::unique_ptr<PageShell> shell_;
  std::vector<std::string> outputs_;  // of the commands of the last console block
  int commands_ = 0;
  int screens_ = 0;
};

class Pages : public testing::TestWithParam<std::string> {};

// DW20: the screens are those of the program. DW23: the page works when it is pasted into one shell.
TEST_P(Pages, DW20_DW23_PageIsTrueWhenPastedIntoOneShell) {
  Reader reader(sources() / GetParam());
  reader.read();
  std::cout << GetParam() << ": " << reader.commands() << " commands, " << reader.screens() << " screens\n";
}

std::vector<std::string> pages() {
  std::vector<std::string> names = {"README.md"};
  for (const fs::path& path : documents()) {
    if (path.parent_path().filename() == "docs") names.push_back("docs/" + path.filename().string());
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Documents, Pages, testing::ValuesIn(pages()), [](const auto& page) {
  std::string name = fs::path(page.param).stem().string();
  std::ranges::replace(name, '-', '_');
  return (page.param.starts_with("docs/") ? "docs_" : "") + name;
});

TEST(Documents, DW20_DriftedScreenIsNoticed) {
  const World world;
  const std::vector<std::string> shown = {"rel/v1: ready, last activity 41s ago", "  keep  build  recorded"};
  const std::string now = "rel/v1: ready, last activity 0.1s ago\n  keep  build\n        recorded\n";
  EXPECT_TRUE(is_same_screen(world, shown, now, Comparison::Whole));
  EXPECT_TRUE(is_same_screen(world, {"…", "keep build rec…"}, now, Comparison::Whole));
  EXPECT_TRUE(is_same_screen(world, {"keep  build"}, now, Comparison::Excerpt));
  EXPECT_FALSE(is_same_screen(world, shown, now + "  run  ship\n", Comparison::Whole));
  EXPECT_FALSE(is_same_screen(world, {"rel/v1: ready to resume"}, now, Comparison::Excerpt));
  EXPECT_FALSE(is_same_screen(world, {"keep  build", "rel/v1: ready"}, now, Comparison::Excerpt));
  EXPECT_TRUE(is_same_screen(world, {"b", "a"}, "a\nb\n", Comparison::Unordered));
  EXPECT_FALSE(is_same_screen(world, {"b", "b"}, "a\nb\n", Comparison::Unordered));
}

TEST(Documents, DW23_PageThatClosesTheShellOrLeavesTheFolderIsNoticed) {
  const World world;
  PageShell shell(world);
  EXPECT_EQ(shell.type("mkdir below; cd below; here=$PWD").exit, 0);
  EXPECT_EQ(shell.type("test \"$PWD\" = \"$here\"").exit, 0);
  EXPECT_EQ(shell.type("(exit 3)").exit, 3);
  EXPECT_EQ(shell.type("exit 0").exit, -1);
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

// The names that `pattern` finds in a source file, each of which `page` must explain as `name`.
int expect_explained(const std::string& page, const std::string& file, const std::string& pattern) {
  const std::string text = slurp(sources() / "docs" / page);
  const std::string source = slurp(sources() / file);
  const std::regex names(pattern);
  int found = 0;
  for (std::sregex_iterator at(source.begin(), source.end(), names), end; at != end; ++at, ++found) {
    const std::string name = (*at)[1];
    const bool is_explained = std::regex_search(text, std::regex("[`\"]" + name + "[`\"]"));
    EXPECT_TRUE(is_explained) << name << " of " << file << " is not in docs/" << page;
  }
  return found;
}

TEST(Documents, DW19_EveryFieldOfTheWorkersProtocolIsExplained) {
  EXPECT_GE(expect_explained("workers.md", "src/executor/attempt.cc", "\"(REPRISE_[A-Z]+)\"\\]"), 9);
  EXPECT_GE(expect_explained("workers.md", "src/os/process.h", "\"(REPRISE_[A-Z]+)\""), 1);
  EXPECT_GE(expect_explained("workers.md", "src/formats/worker_result.cc",
                             "(?:taker|inner)\\.(?:text|texts|objects|number|find)\\(\"(\\w+)\"\\)"),
            20);
  EXPECT_GE(expect_explained("workers.md", "src/executor/brief.cc",
                             "object\\[\"(\\w+)\"\\] = (?!true|\\*?check|json::array\\(check)"),
            18);
}

TEST(Documents, DW19_EveryKeyOfTheConfigurationIsExplained) {
  const std::string page = slurp(sources() / "docs" / "config.md");
  int keys = 0;
  for (const Level level :
       {Level::Config, Level::Workers, Level::Worker, Level::LanesConfig, Level::Limits, Level::Notify}) {
    for (const KeySpec& key : keys_of(level)) {
      ++keys;
      const std::string name(key.name);
      const bool is_explained = page.find("`" + name + "`") != std::string::npos ||
                                page.find("." + name + "`") != std::string::npos ||
                                page.find("\n## " + name + "\n") != std::string::npos;
      EXPECT_TRUE(is_explained) << name << " is not in docs/config.md";
    }
  }
  EXPECT_GE(keys, 16);
}

// A worker learns from its brief alone how to report what it cost.
TEST(Documents, DW19_BriefNamesEveryFieldOfTheResult) {
  const World world;
  world.write(".reprise/config.yaml", "workers: {default: {run: 'cat \"$REPRISE_BRIEF\"'}}\n");
  world.workflow("b", "stages: {a: {role: r, prompt: x}}\n");
  world.reprise({"run", "b", "1"});
  const std::string brief = world.reprise({"log", "b/1"}).out;
  for (const char* field :
       {"status", "summary", "artifacts", "verdict", "gaps", "questions", "tasks", "retry_at", "cost"})
    EXPECT_NE(brief.find("\"" + std::string(field) + "\":"), std::string::npos) << field << "\n" << brief;
}

TEST(Documents, DW19_OutputLimitOfAWorkflowCounts) {
  const World world;
  world.write(".reprise/config.yaml", "limits: {output_mb: 64}\n");
  world.workflow("loud",
                 "limits: {output_mb: 1}\nstages: {a: {run: 'head -c 3000000 /dev/zero | tr \"\\0\" x'}}\n");
  EXPECT_EQ(world.reprise({"run", "loud", "1"}).exit, 0);
  EXPECT_LT(world.reprise({"log", "loud/1"}).out.size(), 1'100'000u);
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
