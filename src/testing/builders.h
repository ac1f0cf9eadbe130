// Workflows and histories in words of the domain, for tests.
//
//   workflow({step("a").makes("a.txt"), step("b").after({"a"}), gate("ok").after({"b"})})
//   History("demo/x").started("a").done("a", {seen("a.txt", "1")})

#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "model/run_state.h"
#include "model/workflow.h"

namespace reprise {

class StageBuilder {
 public:
  explicit StageBuilder(std::string name) { stage_.name = std::move(name); }
  StageBuilder& after(std::vector<std::string> names) { return stage_.needs = std::move(names), *this; }
  StageBuilder& runs(std::vector<std::string> argv) { return stage_.command.argv = std::move(argv), *this; }
  StageBuilder& reads(std::string path) { return stage_.inputs.edit().push_back(std::move(path)), *this; }
  StageBuilder& makes(std::string path, CompleteCheck check = {}) {
    return stage_.produces.edit().push_back({std::move(path), std::move(check)}), *this;
  }
  StageBuilder& verified_by(std::string line) { return stage_.verify = Command{.line = std::move(line)}, *this; }
  StageBuilder& each(std::vector<std::string> items, int parallel = 0, std::string as = "item") {
    return stage_.each = Each{std::move(items), std::move(as), parallel}, *this;
  }
  StageBuilder& each_task(std::string phase) {
    return stage_.each = Each{.as = "task", .tasks = std::move(phase)}, *this;
  }
  StageBuilder& repeats(std::string until, int max, int stalled_max = 0) {
    return stage_.repeat = Repeat{std::move(until), max, stalled_max}, *this;
  }
  StageBuilder& when(std::string name, std::vector<std::string> values, bool negated = false) {
    return stage_.when.edit().push_back({std::move(name), std::move(values), negated}), *this;
  }
  StageBuilder& retries(int count) { return stage_.retries = count, *this; }
  StageBuilder& delay(Duration by) { return stage_.delay = by, *this; }
  StageBuilder& patience(Duration how) { return stage_.patience = how, *this; }
  StageBuilder& timeout(Duration after) { return stage_.timeout = after, *this; }
  StageBuilder& resumes(ResumeRule rule) { return stage_.resume = rule, *this; }
  StageBuilder& shows(std::string path) { return stage_.gate->shows.push_back(std::move(path)), *this; }
  StageBuilder& uses(std::string workflow, std::map<std::string, std::string> with) {
    stage_.uses = std::move(workflow);
    stage_.with = std::move(with);
    return *this;
  }
  operator Stage() const { return stage_; }  // NOLINT: a builder is its stage
  Stage& stage() { return stage_; }

 private:
  Stage stage_;
};

inline StageBuilder step(std::string name) {
  StageBuilder builder(std::move(name));
  builder.runs({"work"});
  return builder;
}

inline StageBuilder gate(std::string name) {
  StageBuilder builder(std::move(name));
  builder.stage().gate = Gate{"go on?", {}};
  return builder;
}

inline StageBuilder block(std::string name, std::vector<Stage> stages) {
  StageBuilder builder(std::move(name));
  builder.stage().stages = std::move(stages);
  return builder;
}

inline Workflow workflow(std::vector<Stage> stages, int parallel = 4) {
  Workflow made;
  made.name = "demo";
  made.limits.parallel = parallel;
  made.stages = std::move(stages);
  return made;
}

inline CompleteCheck must_match(std::string pattern) {
  CompleteCheck check;
  check.matches = std::move(pattern);
  return check;
}

/// A file as it was seen with this content.
inline SeenFile seen(std::string path, std::string_view content) {
  return {std::move(path), to_text(digest_of(content)), "sig of " + std::string(content)};
}
inline SeenFile missing(std::string path) { return {std::move(path), "", ""}; }

/// A run's history, one event after the other; the fold of them is state().
class History {
 public:
  explicit History(std::string id, std::map<std::string, std::string> values = {}) {
    state_.id = {std::move(id)};
    add(RunCreated{.workflow = "demo", .subject = "x", .definition = "d1", .values = std::move(values)});
  }
  /// A history that begins otherwise.
  static History of(std::string id, RunCreated created) {
    History history;
    history.state_.id = {std::move(id)};
    history.add(std::move(created));
    return history;
  }
  History& add(Event event) {
    now_.ms += 1'000;
    const Result<void> applied = apply(state_, {{state_.last.value + 1}, now_, std::move(event)});
    EXPECT_TRUE(applied) << applied.error().message;
    return *this;
  }
  History& started(const std::string& step, ShortDigest work = {}, std::vector<SeenFile> inputs = {},
                   std::vector<SeenFile> before = {}) {
    const StepState* found = state_.find_step({step});
    return add(AttemptStarted{
        {step}, {found == nullptr ? 1 : found->attempts + 1}, work, std::move(inputs), std::move(before)});
  }
  History& ended(const std::string& step, AttemptFinished how) {
    how.step = {step};
    how.attempt.value = state_.find_step({step})->attempts;
    return add(std::move(how));
  }
  History& done(const std::string& step, std::vector<SeenFile> artifacts = {}, std::string verdict = "") {
    AttemptFinished how{.exit_code = 0, .took = Duration(5'000), .artifacts = std::move(artifacts)};
    how.verdict = std::move(verdict);
    return ended(step, std::move(how));
  }
  History& failed(const std::string& step, std::string reason = "exit 1") {
    return ended(step, {.outcome = AttemptOutcome::Failed, .exit_code = 1, .reason = std::move(reason)});
  }
  /// Started and done.
  History& did(const std::string& step, std::vector<SeenFile> artifacts = {}, std::string verdict = "") {
    return started(step).done(step, std::move(artifacts), std::move(verdict));
  }
  const RunState& state() const { return state_; }
  Timestamp now() const { return now_; }

 private:
  History() = default;

  RunState state_;
  Timestamp now_{1'763'200'800'000};
};

}  // namespace reprise
