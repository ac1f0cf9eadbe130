// Plans as text: at every width, with and without colour.

#include "cli/plan_text.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>

#include "cli/layout.h"

namespace reprise {
namespace {

StepDecision decided(Decision decision, const std::string& step, const std::string& reason) {
  StepDecision out;
  out.stage = step;
  out.step = StepPath{step};
  out.decision = decision;
  out.rule = "WF-01 test";
  out.detail.edit() = reason;
  out.seen.edit().push_back({"file", "src/" + step + ".cc", "sha256:0123456789abcdef"});
  return out;
}

Finding found(Severity severity, const std::string& code, const std::string& remedy) {
  return {.rule = "WF-40 test",
          .code = code,
          .severity = severity,
          .message = "docs/spec.md has changed since the run started, and several steps were made from it",
          .claimed = "sha256:aa",
          .seen = "sha256:bb",
          .remedy = remedy};
}

Plan example() {
  Plan plan;
  plan.id = RunId{"release-check/nov-16"};
  plan.readiness = Readiness::Blocked;
  plan.age = std::chrono::hours(3);
  plan.findings = {found(Severity::Info, "note", ""),
                   found(Severity::Warning, "artifact_changed", "set the status in docs/state.md to what it is"),
                   found(Severity::Blocking, "baseline_changed",
                         "reprise accept release-check/nov-16 baseline_changed --because TEXT")};
  plan.waiting_for = {
      {"gate", "ship", "Is this what is to be shipped to everybody who uses it on Monday morning?"}};
  plan.decisions = {
      decided(Decision::Keep, "build", "it is done, and nothing that it was made from has changed"),
      decided(Decision::Rerun, "lanes/api/a-step-whose-name-is-much-longer-than-others", "it failed"),
      decided(Decision::Continue, "tests", "it was cut off; it goes on from what is there already"),
      decided(Decision::Wait, "ship", "a person decides, and nobody has decided anything yet")};
  plan.saved_steps = 1;
  plan.saved_time = std::chrono::minutes(90);
  plan.saved_usd = 1.5;
  plan.again_steps = 1;
  plan.again_time = std::chrono::minutes(12);
  plan.again_usd = 0.25;
  plan.options = {{"accept", "reprise accept release-check/nov-16 baseline_changed --because TEXT"}};
  return plan;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool is_one_word(const std::string& line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first == std::string::npos || line.find(' ', first) == std::string::npos;
}

TEST(PlanText, NoLineIsWiderThanTheTerminalUnlessItCanBePasted) {
  int lines = 0;
  for (const int width : {40, 80, 120}) {
    for (const bool has_colour : {false, true}) {
      for (const bool is_verbose : {false, true}) {
        for (const std::string& line : lines_of(plan_text({width, has_colour, is_verbose}, example()))) {
          ++lines;
          if (line.find("reprise accept") != std::string::npos) continue;
          const bool is_long_step = line.find("a-step-whose-name") != std::string::npos;
          EXPECT_TRUE(columns_of(line) <= width || is_one_word(line) || is_long_step) << width << ": " << line;
        }
      }
    }
  }
  EXPECT_GT(lines, 200);
}

TEST(PlanText, ColourSaysNothingThatWordsDoNot) {
  for (const int width : {40, 80, 120}) {
    const std::string plain = plan_text({width, false, true}, example());
    const std::string coloured = plan_text({width, true, true}, example());
    EXPECT_NE(plain, coloured);
    EXPECT_EQ(std::regex_replace(coloured, std::regex("\x1b\\[[0-9]*m"), ""), plain);
    EXPECT_EQ(plain.find('\x1b'), std::string::npos);
  }
}

TEST(PlanText, AtEightyColumnsItReadsLikeThis) {
  EXPECT_EQ(plan_text({80, false, false}, example()),
            R"(release-check/nov-16: blocked, 1 conflict, 1 warning, last activity 3h 0m ago
blocking: docs/spec.md has changed since the run started, and several steps were
  made from it [baseline_changed]
    reprise accept release-check/nov-16 baseline_changed --because TEXT
warning: docs/spec.md has changed since the run started, and several steps were
  made from it [artifact_changed]
  way out: set the status in docs/state.md to what it is
info: docs/spec.md has changed since the run started, and several steps were
  made from it [note]
waits for gate ship: Is this what is to be shipped to everybody who uses it on
  Monday morning?
  keep     build  it is done, and nothing that it was made from has changed
  rerun    lanes/api/a-step-whose-name-is-much-longer-than-others
           it failed
  continue tests  it was cut off; it goes on from what is there already
  wait     ship   a person decides, and nobody has decided anything yet
saved: 1 step(s), 1h 30m of work, $1.50
again: 1 step(s), 12m 0s of work, $0.25
  accept   reprise accept release-check/nov-16 baseline_changed --because TEXT
)");
}

TEST(PlanText, AtFortyColumnsReasonsStandBelowTheirSteps) {
  const std::string text = plan_text({40, false, false}, example());
  EXPECT_NE(
      text.find(
          "  keep     build\n           it is done, and nothing that\n           it was made from has changed\n"),
      std::string::npos)
      << text;
}

TEST(PlanText, KeptStepsBeyondTwelveAreFoldedAndVerboseShowsThemAll) {
  Plan plan;
  plan.id = RunId{"x/1"};
  for (int i = 0; i < 20; ++i) plan.decisions.push_back(decided(Decision::Keep, "s" + std::to_string(i), "done"));
  plan.decisions.push_back(decided(Decision::Run, "last", "never started"));
  const std::string folded = plan_text({80, false, false}, plan);
  EXPECT_NE(folded.find("  … and 8 more that are kept (--verbose shows them)\n"), std::string::npos) << folded;
  EXPECT_EQ(folded.find("s12 "), std::string::npos);
  EXPECT_NE(folded.find("run      last"), std::string::npos);
  const std::string whole = plan_text({80, false, true}, plan);
  EXPECT_NE(whole.find("keep     s19"), std::string::npos);
  EXPECT_NE(whole.find("           file src/s19.cc: sha256:0123456789abcdef\n"), std::string::npos) << whole;
}

TEST(PlanText, EveryReadinessHasWordsOfItsOwn) {
  std::set<std::string_view> words;
  for (const auto& [readiness, token] : kReadinessTokens) words.insert(words_for(readiness));
  EXPECT_EQ(words.size(), kReadinessTokens.size());
  EXPECT_FALSE(words.contains(""));
}

TEST(PlanText, TrustIsOnePhrase) {
  Plan plan;
  EXPECT_EQ(trust_of(plan), "clean");
  plan.findings = {found(Severity::Info, "a", "")};
  EXPECT_EQ(trust_of(plan), "clean");
  plan.findings.push_back(found(Severity::Warning, "b", ""));
  EXPECT_EQ(trust_of(plan), "1 warning");
  plan.findings.push_back(found(Severity::Warning, "c", ""));
  EXPECT_EQ(trust_of(plan), "2 warnings");
  plan.findings.push_back(found(Severity::Blocking, "d", ""));
  EXPECT_EQ(trust_of(plan), "1 conflict, 2 warnings");
}

TEST(PlanText, ControlSequencesFromOutsideAreNotPassedOn) {
  Plan plan;
  plan.id = RunId{"evil/\x1b[2J"};
  plan.decisions = {decided(Decision::Run, "a\x1b]0;x\x07", "b\x1b[31m")};
  plan.waiting_for = {{"gate", "g\x1b[1m", "ask\x1b[5m"}};
  plan.options = {{"manual", "echo \x1b[0m"}};
  EXPECT_EQ(plan_text({80, false, true}, plan).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace reprise
