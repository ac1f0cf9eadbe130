// Every transcript beside this file says what it said (transcript.h has the form). UPDATE=1 rewrites them.

#include "transcript.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>

namespace reprise::cli_test {
namespace {

class Transcript : public testing::TestWithParam<std::string> {};

TEST_P(Transcript, SaysWhatItSaid) {
  const fs::path path = sources() / "tests" / "cli" / (GetParam() + ".t");
  const World world;
  const bool updates = getenv("UPDATE") != nullptr;
  std::string rewritten;
  int commands = 0;
  for (const Entry& entry : read_transcript(path)) {
    const Entry seen = run(entry, world);
    commands += entry.command.empty() ? 0 : 1;
    if (!updates) {
      EXPECT_EQ(as_text(seen), as_text(entry)) << "in " << path;
    }
    rewritten += as_text(seen);
  }
  EXPECT_GT(commands, 0) << path << " has no command";
  if (updates) std::ofstream(path) << rewritten;
}

std::vector<std::string> transcripts() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(sources() / "tests" / "cli")) {
    if (entry.path().extension() == ".t") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

// A section whose comment names a requirement row is a test of its own, under that name: the transcript is run up
// to its end, and what the section says is compared.
struct Section {
  std::string file;
  std::string claim;  // "PB09_AResumeIsNotedInTheFile"
};

std::vector<std::string> claims_in(const std::string& text) {
  std::vector<std::string> claims;
  const std::regex name(R"(\b((PB|SL|TP|LN|OR|ALL)\d\d_\w+))");
  for (auto it = std::sregex_iterator(text.begin(), text.end(), name); it != std::sregex_iterator(); ++it)
    claims.push_back((*it)[1].str());
  return claims;
}

// The lines before an entry begin a new section if one of them is a comment.
bool begins_section(const Entry& entry) {
  return std::ranges::any_of(entry.before, [](const std::string& line) { return line.starts_with('#'); });
}

class Claim : public testing::Test {
 public:
  explicit Claim(Section section) : section_(std::move(section)) {}

  void TestBody() override {
    const World world;
    bool is_in_section = false;
    int compared = 0;
    for (const Entry& entry : read_transcript(sources() / "tests" / "cli" / (section_.file + ".t"))) {
      if (begins_section(entry)) {
        if (is_in_section) break;
        const std::vector<std::string> claims = claims_in(joined(entry.before));
        is_in_section = std::ranges::find(claims, section_.claim) != claims.end();
      }
      const Entry seen = run(entry, world);
      if (!is_in_section || entry.command.empty()) continue;
      EXPECT_EQ(as_text(seen), as_text(entry));
      ++compared;
    }
    EXPECT_GT(compared, 0);
  }

 private:
  Section section_;
};

std::vector<Section> sections() {
  std::vector<Section> all;
  for (const std::string& file : transcripts()) {
    for (const Entry& entry : read_transcript(sources() / "tests" / "cli" / (file + ".t"))) {
      for (const std::string& claim : claims_in(joined(entry.before))) all.push_back({file, claim});
    }
  }
  return all;
}

[[maybe_unused]] const bool kClaimsAreTests = [] {
  for (const Section& section : sections()) {
    testing::RegisterTest("Claims", section.claim.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [section]() -> testing::Test* { return new Claim(section); });
  }
  return true;
}();

INSTANTIATE_TEST_SUITE_P(All, Transcript, testing::ValuesIn(transcripts()),
                         [](const testing::TestParamInfo<std::string>& file) { return file.param; });

}  // namespace
}  // namespace reprise::cli_test
