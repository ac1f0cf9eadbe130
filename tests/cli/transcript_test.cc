// Every transcript beside this file says what it said (transcript.h has the form). UPDATE=1 rewrites them.

#include "transcript.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
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

// A section whose comment names a requirement or audit row is a test of its own, under that name. Sections build
// on those before them, so a transcript is run as a whole, once for all of its claims: the first that asks runs
// it, and the others, in processes of their own, read what came of it, as long as neither the program nor the
// transcript has changed.
struct Section {
  std::string file;
  std::string claim;  // "PB09_AResumeIsNotedInTheFile"
};

std::vector<std::string> claims_in(const std::string& text) {
  std::vector<std::string> claims;
  const std::regex name(R"(\b(((PB|SL|TP|LN|OR|ALL|[ABCES])\d\d|(D[BWCU]|L)\d+)_\w+))");
  for (auto it = std::sregex_iterator(text.begin(), text.end(), name); it != std::sregex_iterator(); ++it)
    claims.push_back((*it)[1].str());
  return claims;
}

// The lines before an entry begin a new section if one of them is a comment.
bool begins_section(const Entry& entry) {
  return std::ranges::any_of(entry.before, [](const std::string& line) { return line.starts_with('#'); });
}

// What each claim of a transcript came to: what differs, "" if nothing does.
using Outcome = std::map<std::string, std::string>;

Outcome run_sections(const fs::path& path) {
  const World world;
  Outcome outcome;
  std::vector<std::string> claims;
  for (const Entry& entry : read_transcript(path)) {
    if (begins_section(entry)) claims = claims_in(joined(entry.before));
    const Entry seen = run(entry, world);
    if (entry.command.empty()) continue;
    const std::string wanted = as_text(entry);
    const std::string got = as_text(seen);
    for (const std::string& claim : claims)
      outcome[claim] += got == wanted ? "" : "wanted:\n" + wanted + "seen:\n" + got;
  }
  return outcome;
}

// The program and the transcript as they are now.
std::string key_of(const fs::path& transcript) {
  std::string key;
  for (const fs::path& file : {binary(), transcript}) {
    key += std::to_string(fs::file_size(file)) + " " +
           std::to_string(fs::last_write_time(file).time_since_epoch().count()) + " ";
  }
  return key;
}

std::optional<Outcome> read_outcome(const fs::path& file, const std::string& key) {
  std::ifstream in(file, std::ios::binary);
  std::string line;
  if (!std::getline(in, line) || line != key) return std::nullopt;
  Outcome outcome;
  while (std::getline(in, line)) outcome[line];
  return outcome;
}

Outcome outcome_of(const std::string& name) {
  const fs::path folder = fs::path(REPRISE_BINARY_PATH).parent_path() / "claims";
  fs::create_directories(folder);
  const fs::path transcript = sources() / "tests" / "cli" / (name + ".t");
  const fs::path file = folder / name;
  const int lock = open((folder / (name + ".lock")).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  EXPECT_GE(lock, 0);
  EXPECT_EQ(flock(lock, LOCK_EX), 0);
  const std::string key = key_of(transcript);
  std::optional<Outcome> outcome = read_outcome(file, key);
  if (!outcome) {
    outcome = run_sections(transcript);
    std::ofstream out(file, std::ios::binary);
    const bool is_well = std::ranges::all_of(*outcome, [](const auto& claim) { return claim.second.empty(); });
    if (is_well) out << key << "\n";  // what went wrong is run again by whoever asks next
    for (const auto& [claim, text] : *outcome) out << claim << "\n";
  }
  close(lock);
  return *outcome;
}

class Claim : public testing::Test {
 public:
  explicit Claim(Section section) : section_(std::move(section)) {}

  void TestBody() override {
    const Outcome outcome = outcome_of(section_.file);
    ASSERT_TRUE(outcome.contains(section_.claim)) << "nothing was compared";
    EXPECT_EQ(outcome.at(section_.claim), "");
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
