// Golden repositories: small trees as other systems leave them, and what the real program says of each.
//
//   tests/golden/<case>/repo       the tree; it is copied into a fresh git repository
//   tests/golden/<case>/setup.sh   where there is one: run there first, for what a tree cannot hold, a branch
//   tests/golden/<case>/want.txt   the commands and what they say, in the form of a transcript (tests/cli)
//
// After each case the whole repository, `.git` included, is byte for byte what it was: looking changes nothing.
// The times in the trees lie in the future, so that every age is 0 whenever this runs. UPDATE=1 rewrites
// want.txt from what is said today; the diff is then the review.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>

#include "text/diff.h"
#include "transcript.h"
#include "tree.h"

namespace reprise::cli_test {
namespace {

constexpr std::size_t kCasesMin = 30;

fs::path golden_folder() { return sources() / "tests" / "golden"; }

std::vector<std::string> golden_cases() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(golden_folder())) {
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

class Golden : public testing::Test {
 public:
  explicit Golden(const std::string& name) : folder_(golden_folder() / name) {}

  void TestBody() override {
    set_up_tree();
    const Tree before = tree_of(world_.root());
    ASSERT_GT(before.size(), 2u) << "there is nothing in " << folder_ / "repo";
    const fs::path wanted = folder_ / "want.txt";
    const std::string said = run_commands(read_transcript(wanted));
    expect_same_tree(before, tree_of(world_.root()));
    if (getenv("UPDATE") != nullptr) {
      std::ofstream(wanted) << said;
    } else if (const std::string text = slurp(wanted); text != said) {
      ADD_FAILURE() << unified_diff(text, said, {"want.txt", "what is said"});
    }
  }

 private:
  void set_up_tree() const {
    fs::copy(folder_ / "repo", world_.root(), fs::copy_options::recursive | fs::copy_options::copy_symlinks);
    if (!fs::exists(folder_ / "setup.sh")) return;
    const Ended ended = world_.shell(slurp(folder_ / "setup.sh"));
    ASSERT_EQ(ended.exit, 0) << ended.err;
  }

  std::string run_commands(const std::vector<Entry>& entries) const {
    std::string said;
    int scans = 0;
    for (const Entry& entry : entries) {
      scans += !entry.command.empty() && entry.command[0].starts_with("reprise scan") ? 1 : 0;
      said += as_text(run(entry, world_));
    }
    EXPECT_GT(scans, 0) << "no command of want.txt scans";
    return said;
  }

  fs::path folder_;
  World world_;
};

// Each folder is a test of its name.
std::size_t register_cases() {
  const std::vector<std::string> names = golden_cases();
  for (const std::string& name : names) {
    testing::RegisterTest("Golden", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [name]() -> testing::Test* { return new Golden(name); });
  }
  return names.size();
}

TEST(GoldenCases, AreFoundAndNamedAfterWhatTheyProve) {
  const std::vector<std::string> names = golden_cases();
  EXPECT_GE(names.size(), kCasesMin);
  const std::regex claim(R"((PB|SL|ALL)\d\d_[A-Z]\w+)");
  for (const std::string& name : names) EXPECT_TRUE(std::regex_match(name, claim)) << name;
}

}  // namespace
}  // namespace reprise::cli_test

int main(int count, char** words) {
  testing::InitGoogleTest(&count, words);
  reprise::cli_test::register_cases();
  return RUN_ALL_TESTS();
}
