// State files that a torn write, a careless edit or another program damaged, through the real program.
//
// Whatever the file is like: `scan` and `plan` end with the contract's exit codes and exactly one JSON document;
// the file is understood, or told apart as not one of ours, or reported once as damaged with its name and line;
// no byte of the repository changes. What is expected is told by the reader in this process. The same rounds are
// gone through every time; `./dev check` goes through three times as many, `./dev soak` through ten times.

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <random>

#include "formats/playbook.h"
#include "formats/playbook_test_files.h"
#include "formats/spec_loop.h"
#include "formats/spec_loop_test_files.h"
#include "testing/mutations.h"
#include "testing/strength.h"
#include "text/utf8.h"
#include "tree.h"
#include "world.h"

namespace reprise::cli_test {
namespace {

namespace json = boost::json;

// One format: its files, where the program looks for them, and how this process tells them apart.
struct Format {
  std::string system;
  std::string state_file;
  std::vector<TestFile> files;
  std::vector<std::string> pieces;
  bool (*is_ours)(std::string_view bytes);
  bool (*is_cut_off)(std::string_view bytes);  // nothing but its beginning is left
  unsigned seed;
};

const std::string kSubject = "012-tide-tables";

template <typename Claims>
bool is_damaged(const Result<Claims>& claims) {
  return !claims && claims.error().kind == ErrorKind::Corrupt;
}
bool is_cut_playbook(std::string_view bytes) {
  return is_damaged(read_playbook_standing(bytes, "f")) || (!is_playbook(bytes) && is_cut_off_early(bytes));
}
bool is_cut_spec_loop(std::string_view bytes) { return is_damaged(read_spec_loop_standing(bytes, "f")); }

Format playbook_format() {
  return {"playbook",
          "specs/" + kSubject + "/.pipeline-state.md",
          playbook_fixtures(),
          playbook_pieces(),
          is_playbook,
          is_cut_playbook,
          21};
}
Format spec_loop_format() {
  return {"spec-loop",
          "specs/" + kSubject + "/.workflow/index.md",
          spec_loop_fixtures(),
          spec_loop_pieces(),
          is_spec_loop,
          is_cut_spec_loop,
          22};
}

struct Tally {
  int rounds = 0;
  int understood = 0;
  int foreign = 0;
  int damaged = 0;
};

std::string text_at(const json::value& value, const char* key) {
  return std::string(value.at(key).as_string().c_str());
}

class MutatedFiles : public testing::Test {
 protected:
  void SetUp() override {
    world_.write("specs/" + kSubject + "/feature.spec.md", "# Tide tables\n\nHeights for a month.\n");
    world_.write("specs/" + kSubject + "/adr.md", "# Decision\n");
    world_.write("specs/" + kSubject + "/spec.md", "# Tide tables\n");
  }

  // Every second round has one damage of a certain kind, the others edits at random.
  static std::string next_bytes(const Format& format, int round, std::mt19937& random) {
    const std::string& bytes = format.files[random() % format.files.size()].bytes;
    if (round % 2 == 0) return mutated(bytes, format.pieces, random);
    return damaged(bytes, kDamages[static_cast<std::size_t>(round / 2) % kDamages.size()], random);
  }

  json::value answer_of(const std::vector<std::string>& words, int wanted) {
    const Ended ended = world_.reprise(words);
    EXPECT_EQ(ended.exit, wanted) << words[0] << ": " << ended.out << ended.err;
    EXPECT_TRUE(!ended.out.empty() && ended.out.find('\n') == ended.out.size() - 1) << "not one line";
    boost::system::error_code error;
    json::value answer = json::parse(ended.out, error);
    EXPECT_FALSE(error) << words[0] << " says no JSON document: " << ended.out;
    return error ? json::value(json::object()) : answer;
  }
  json::value scan() { return answer_of({"scan", "--all", "--json"}, 0); }
  json::value plan(const Format& format, int wanted) {
    return answer_of({"plan", format.system + "/" + kSubject, "--json"}, wanted);
  }

  // Not a file of ours: it is named once among the ignored ones, and there is nothing to plan.
  void expect_foreign(const Format& format) {
    const json::value found = scan();
    EXPECT_TRUE(found.at("candidates").as_array().empty()) << found;
    ASSERT_EQ(found.at("ignored").as_array().size(), 1u) << found;
    EXPECT_EQ(text_at(found.at("ignored").at(0), "path"), format.state_file);
    EXPECT_FALSE(text_at(found.at("ignored").at(0), "why").empty());
    EXPECT_FALSE(text_at(plan(format, 2).at("error"), "message").empty());
  }

  // No text: one finding that names file and line, and nothing is decided.
  void expect_damaged(const Format& format, const BadByte& bad) {
    const std::string where = format.state_file + ": line " + std::to_string(bad.line) + ": ";
    const json::value found = scan();
    ASSERT_EQ(found.at("candidates").as_array().size(), 1u) << found;
    EXPECT_TRUE(found.at("candidates").at(0).at("damaged").as_bool()) << found;
    EXPECT_TRUE(text_at(found.at("candidates").at(0), "why").starts_with(where)) << found << where;
    const json::value planned = plan(format, 0);
    EXPECT_EQ(text_at(planned, "readiness"), "blocked");
    ASSERT_EQ(planned.at("findings").as_array().size(), 1u) << planned;
    EXPECT_EQ(text_at(planned.at("findings").at(0), "code"), "damaged");
    EXPECT_TRUE(text_at(planned.at("findings").at(0), "message").starts_with(where)) << planned << where;
  }

  // Nothing but the beginning is left: a damaged candidate.
  void expect_cut_off(const Format& format) {
    const json::value found = scan();
    ASSERT_EQ(found.at("candidates").as_array().size(), 1u) << found;
    EXPECT_TRUE(found.at("candidates").at(0).at("damaged").as_bool()) << found;
    EXPECT_EQ(text_at(plan(format, 0), "readiness"), "blocked");
  }

  // A candidate with a plan that decides on each stage.
  void expect_understood(const Format& format) {
    const json::value found = scan();
    ASSERT_EQ(found.at("candidates").as_array().size(), 1u) << found;
    EXPECT_FALSE(found.at("candidates").at(0).at("damaged").as_bool()) << found;
    EXPECT_EQ(text_at(found.at("candidates").at(0), "state_file"), format.state_file);
    const json::value planned = plan(format, 0);
    EXPECT_GE(planned.at("decisions").as_array().size(), 10u) << planned;
    for (const json::value& decision : planned.at("decisions").as_array()) {
      EXPECT_FALSE(text_at(decision, "rule").empty() || text_at(decision, "reason").empty()) << decision;
    }
  }

  void look_at(const Format& format, const std::string& bytes, Tally& tally) {
    if (const std::optional<BadByte> bad = find_damaged_byte(bytes)) {
      ++tally.damaged;
      expect_damaged(format, *bad);
    } else if (format.is_cut_off(bytes)) {
      ++tally.damaged;
      expect_cut_off(format);
    } else if (!format.is_ours(bytes)) {
      ++tally.foreign;
      expect_foreign(format);
    } else {
      ++tally.understood;
      expect_understood(format);
    }
  }

  Tally go_through(const Format& format, int rounds) {
    std::mt19937 random(format.seed);
    Tally tally;
    for (; tally.rounds < rounds && !HasFailure(); ++tally.rounds) {
      const std::string bytes = next_bytes(format, tally.rounds, random);
      world_.write(format.state_file, bytes);
      const Tree before = tree_of(world_.root());
      look_at(format, bytes, tally);
      expect_same_tree(before, tree_of(world_.root()));
      EXPECT_FALSE(HasFailure()) << "round " << tally.rounds << " of seed " << format.seed << ":\n" << bytes;
    }
    std::printf("%s: %d rounds, %d understood, %d foreign, %d damaged\n", format.system.c_str(), tally.rounds,
                tally.understood, tally.foreign, tally.damaged);
    return tally;
  }

  void expect_answers(const Format& format) {
    ASSERT_FALSE(format.files.empty());
    const int rounds = by_strength(100, 300, 1'000);
    const Tally tally = go_through(format, rounds);
    EXPECT_EQ(tally.rounds, rounds);
    EXPECT_GE(tally.understood, rounds / 4);
    EXPECT_GE(tally.foreign, rounds / 20);
    EXPECT_GE(tally.damaged, rounds / 10);
  }

 private:
  World world_;
};

TEST_F(MutatedFiles, OfAPlaybookGetOneAnswerAndAreNotTouched) { expect_answers(playbook_format()); }

TEST_F(MutatedFiles, OfASpecLoopGetOneAnswerAndAreNotTouched) { expect_answers(spec_loop_format()); }

}  // namespace
}  // namespace reprise::cli_test
