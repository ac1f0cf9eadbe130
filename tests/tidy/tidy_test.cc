// Reads the source tree and fails where it drifts from its own rules: layers, banned calls, rule labels
// without a paragraph, requirement rows that nobody accounts for.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "planner/orchestrator_tables.h"
#include "planner/own_rules.h"
#include "planner/playbook_rules.h"
#include "planner/spec_loop_rules.h"
#include "planner/task_choices.h"
#include "planner/task_tables.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;
const fs::path kRoot = REPRISE_SOURCE;

// What each folder of src/ may include besides itself (docs/ARCHITECTURE.md).
const std::map<std::string, std::set<std::string>> kLayers = {
    {"base", {}},
    {"text", {"base"}},
    {"model", {"base"}},
    {"os", {"base"}},
    {"git", {"os", "base"}},
    {"guard", {"os", "base"}},
    {"formats", {"text", "model", "base"}},
    {"planner", {"model", "base"}},
    {"journal", {"model", "os", "base"}},
    {"evidence", {"git", "os", "text", "model", "base"}},
    {"lanes", {"git", "os", "model", "base"}},
    {"executor",
     {"planner", "evidence", "lanes", "journal", "formats", "git", "guard", "os", "text", "model", "base"}},
    {"app",
     {"executor", "planner", "evidence", "lanes", "journal", "formats", "git", "guard", "os", "text", "model",
      "base"}},
    {"cli", {"app", "model", "text", "os", "base"}},
    {"testing",
     {"executor", "planner", "evidence", "lanes", "journal", "formats", "git", "guard", "os", "text", "model",
      "base"}},
    {"", {"cli", "web", "mcp", "guard"}},  // main.cc
};

// A call, where it is allowed, and what to use instead.
struct Banned {
  std::string pattern;
  std::set<std::string> allowed_in;
  std::string instead;
};
const std::vector<Banned> kBanned = {
    {R"(\bsystem\()", {}, "run_captured()"},
    {R"(\bpopen\()", {}, "run_captured()"},
    {R"([^_.>a-z]rename\()", {"os"}, "FileSystem::replace()"},
    {R"(\bsqlite3_)", {"journal"}, "Journal"},
    {R"(system_clock::now)", {}, "Clock::now()"},
    {R"(std::cout|std::cerr|\bprintf\(|\bputs\()", {}, "Cli::print() or Cli::say()"},
    {R"(\bthrow\b)", {}, "fail()"},
    {R"(\bfork\()", {"os"}, "spawn()"},
    {R"(std::ofstream|std::ifstream|\bfopen\()", {}, "FileSystem"},
};

std::string read(const fs::path& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

bool is_test(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.ends_with("_test.cc") || name.find("_test_") != std::string::npos || name == "faulty_vfs.h";
}

std::vector<fs::path> sources() {
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kRoot / "src")) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".cc" || extension == ".h") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string module_of(const fs::path& path) {
  const fs::path relative = path.lexically_relative(kRoot / "src");
  return relative.has_parent_path() ? relative.begin()->string() : "";
}

// Comments and string literals say what they like.
std::string code_only(const std::string& line) {
  std::string out;
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && (i == 0 || line[i - 1] != '\\')) quoted = !quoted;
    if (!quoted && line.compare(i, 2, "//") == 0) break;
    if (!quoted) out += line[i];
  }
  return out;
}

TEST(Tidy, EveryFileIncludesOnlyTheLayersItMay) {
  const std::regex include(R"re(^#include "([a-z_]+)/[^"]+")re");
  int includes = 0;
  for (const fs::path& path : sources()) {
    const std::string module = module_of(path);
    const auto layer = kLayers.find(module);
    ASSERT_NE(layer, kLayers.end()) << "src/" << module << " has no place in the layers";
    std::istringstream lines(read(path));
    for (std::string line; std::getline(lines, line);) {
      std::smatch match;
      if (!std::regex_search(line, match, include)) continue;
      ++includes;
      const std::string used = match[1];
      const bool allowed = used == module || layer->second.contains(used) || (is_test(path) && used == "testing");
      EXPECT_TRUE(allowed) << path << " may not include " << used;
    }
  }
  EXPECT_GT(includes, 200);
}

TEST(Tidy, NoBannedCallGetsAroundThePorts) {
  int files = 0;
  for (const fs::path& path : sources()) {
    if (is_test(path)) continue;
    ++files;
    const std::string module = module_of(path);
    std::istringstream lines(read(path));
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      const std::string code = code_only(line);
      for (const Banned& banned : kBanned) {
        if (banned.allowed_in.contains(module)) continue;
        EXPECT_FALSE(std::regex_search(code, std::regex(banned.pattern)))
            << path << ":" << number << ": use " << banned.instead << " instead: " << line;
      }
    }
  }
  EXPECT_GT(files, 80);
}

TEST(Tidy, EveryFileOpensWithAComment) {
  for (const fs::path& path : sources()) {
    if (path.extension() != ".h") continue;
    EXPECT_TRUE(read(path).starts_with("//")) << path << " does not say what it is for";
  }
}

TEST(Tidy, EveryRuleLabelHasAParagraph) {
  const std::string rules = read(kRoot / "docs/rules.md");
  const auto has = [&](std::string_view label) {
    return rules.find(std::string(label.substr(0, label.find(' ')))) != std::string::npos;
  };
  for (const StepRow& row : kStepRows) EXPECT_TRUE(has(row.label)) << row.label << " is not in docs/rules.md";
  for (const GateRow& row : kGateRows) EXPECT_TRUE(has(row.label)) << row.label << " is not in docs/rules.md";
  for (const PlaybookRow& row : kPlaybookRows)
    EXPECT_TRUE(rules.find("**" + std::string(row.label) + "**") != std::string::npos) << row.label;
  for (const LoopRow& row : kSpecLoopRows)
    EXPECT_TRUE(rules.find("**" + std::string(row.label) + "**") != std::string::npos) << row.label;
  for (const PlaybookStatusRow& row : kPlaybookStatusRows)
    EXPECT_TRUE(rules.find("**" + std::string(row.label) + "**") != std::string::npos) << row.label;
  const auto all_of = [&](const auto& rows) {
    for (const auto& row : rows)
      EXPECT_TRUE(rules.find("**" + std::string(row.label) + "**") != std::string::npos) << row.label;
  };
  all_of(kCheckpointRows), all_of(kTaskRows), all_of(kPhaseRows), all_of(kTrivialRows), all_of(kGranularityRows),
      all_of(kDepthRows);
  all_of(kOverrideRows), all_of(kBranchRows), all_of(kResumeCountRows), all_of(kAdviceRows);
  for (const std::string_view label : orchestrator_labels())
    EXPECT_TRUE(rules.find("**" + std::string(label) + "**") != std::string::npos) << label;
}

std::set<std::string> ids_in(const std::string& text, const std::string& pattern) {
  std::set<std::string> found;
  const std::regex expression(pattern);
  for (auto it = std::sregex_iterator(text.begin(), text.end(), expression); it != std::sregex_iterator(); ++it) {
    found.insert((*it)[1].str() + (*it)[2].str());
  }
  return found;
}

// The text of all sources and transcripts.
std::string all_tests() {
  std::string tests;
  for (const char* folder : {"src", "tests"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      const bool is_source = entry.path().extension() == ".cc" || entry.path().extension() == ".t";
      if (entry.is_regular_file() && is_source) tests += read(entry.path());
    }
  }
  return tests;
}

TEST(Tidy, EveryRequirementRowIsAccountedFor) {
  const std::string page = read(kRoot / "docs/requirements.md");
  const std::string tests = all_tests();
  const std::set<std::string> proven = ids_in(tests, R"(\b(PB|SL|TP|LN|OR|ALL)(\d\d)_)");
  std::istringstream lines(page);
  int rows = 0;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (!std::regex_search(line, match, std::regex(R"(\b(PB|SL|TP|LN|OR|ALL)-(\d\d)\b)"))) continue;
    ++rows;
    const std::string id = match[1].str() + match[2].str();
    const bool says_not_done = line.find("not done yet") != std::string::npos;
    EXPECT_TRUE(says_not_done || proven.contains(id)) << id << " claims to work, but no test is named after it";
  }
  EXPECT_GE(rows, 12 + 11 + 24 + 11 + 17 + 6);
}

// docs/promises.md: P1 to P39, each with tests that exist; what no test can prove says so.
TEST(Tidy, EveryPromiseNamesTestsThatExist) {
  std::set<std::string> known;
  const std::string tests = all_tests();
  const std::regex defined(R"(TEST(?:_F|_P)?\((\w+),\s*(\w+)\))");
  for (auto it = std::sregex_iterator(tests.begin(), tests.end(), defined); it != std::sregex_iterator(); ++it)
    known.insert((*it)[1].str() + "." + (*it)[2].str());

  std::istringstream lines(read(kRoot / "docs/promises.md"));
  const std::regex promise(R"(^\*\*P(\d+)\*\* )");
  const std::regex named(R"(`([A-Z]\w+\.\w+)`)");
  std::map<int, int> proofs;
  std::smatch match;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, match, promise)) proofs[std::stoi(match[1])] = 0;
    if (!proofs.empty() && line.find("This is not a test but") != std::string::npos) ++proofs.rbegin()->second;
    for (auto it = std::sregex_iterator(line.begin(), line.end(), named); it != std::sregex_iterator(); ++it) {
      const std::string test = (*it)[1];
      EXPECT_TRUE(known.contains(test)) << "docs/promises.md names " << test << ", which does not exist";
      if (!proofs.empty()) ++proofs.rbegin()->second;
    }
  }
  ASSERT_EQ(proofs.size(), 39u);
  for (const auto& [number, count] : proofs) EXPECT_GT(count, 0) << "P" << number << " has no proof";
}

}  // namespace
}  // namespace reprise
