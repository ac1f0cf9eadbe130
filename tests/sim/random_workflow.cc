#include "random_workflow.h"

#include <algorithm>

#include "testing/builders.h"

namespace reprise {
namespace {

class Author {
 public:
  explicit Author(Rng& rng) : rng_(rng) {}

  std::vector<Stage> stages(int depth, std::vector<std::string> scope, bool in_loop) {
    std::vector<Stage> made;
    const int count = between(rng_, depth == 0 ? 2 : 1, depth == 0 ? 6 : 3);
    for (int i = 0; i < count; ++i) {
      made.push_back(stage(depth, scope, in_loop, made));
    }
    return made;
  }

 private:
  Stage stage(int depth, std::vector<std::string> scope, bool in_loop, const std::vector<Stage>& earlier) {
    const std::string name = "s" + std::to_string(++count_);
    StageBuilder builder(name);
    order(builder, earlier);
    if (chance(rng_, 12)) return gated(builder, earlier);
    if (chance(rng_, 22)) {
      const std::string as = "item" + std::to_string(count_);
      const int items = between(rng_, 1, 4);
      std::vector<std::string> in;
      for (int i = 0; i < items; ++i) in.push_back("i" + std::to_string(i));
      builder.each(in, chance(rng_, 50) ? between(rng_, 1, 2) : 0, as);
      scope.push_back(as);
    }
    if (!in_loop && chance(rng_, 18)) {
      builder.repeats("good", between(rng_, 1, 4), chance(rng_, 50) ? between(rng_, 2, 3) : 0);
      in_loop = true;
      if (chance(rng_, 60)) scope.push_back("iteration");
    }
    if (depth < 2 && chance(rng_, 20)) {
      builder.stage().stages = stages(depth + 1, scope, in_loop);
      if (builder.stage().repeat) {  // somebody has to give the verdict
        StageBuilder review("s" + std::to_string(++count_));
        builder.stage().stages.push_back(work(review, scope, {}));
      }
      return builder;
    }
    return work(builder, scope, earlier);
  }

  void order(StageBuilder& builder, const std::vector<Stage>& earlier) {
    std::vector<std::string> needs;
    for (const Stage& other : earlier) {
      if (chance(rng_, 45)) needs.push_back(other.name);
    }
    builder.after(needs);
    if (!needs.empty() && chance(rng_, 10)) builder.when(needs.back(), {"good"}, chance(rng_, 50));
    if (chance(rng_, 4)) builder.when("mode", {chance(rng_, 50) ? "fast" : "slow"});
  }

  Stage gated(StageBuilder& builder, const std::vector<Stage>& earlier) {
    builder.stage().gate = Gate{"go on?", {}};
    for (const Stage& other : earlier) {
      const std::vector<std::string>& needs = builder.stage().needs;
      const bool needed = std::ranges::find(needs, other.name) != needs.end();
      if (needed && is_plain(other)) builder.shows(other.produces->front().path);
    }
    if (chance(rng_, 30)) builder.shows(input_file(between(rng_, 1, kInputFiles)));
    return builder;
  }

  static bool is_plain(const Stage& other) { return !other.produces.empty() && !other.each && !other.repeat; }

  Stage work(StageBuilder& builder, const std::vector<std::string>& scope, const std::vector<Stage>& earlier) {
    Stage& stage = builder.stage();
    builder.runs({"work", stage.name}).retries(between(rng_, 0, 3)).resumes(static_cast<ResumeRule>(rng_() % 3));
    if (chance(rng_, 30)) builder.delay(Duration(between(rng_, 0, 5'000)));
    if (chance(rng_, 20)) builder.timeout(Duration(60'000));
    if (chance(rng_, 20)) builder.patience(Duration(between(rng_, 10, 600) * 1'000));
    for (int i = between(rng_, -1, 2); i > 0; --i) {
      std::string path = "out/" + stage.name + "-" + std::to_string(i);
      for (const std::string& value : scope) path += "-{" + value + "}";
      builder.makes(path, chance(rng_, 50) ? must_match("END") : CompleteCheck{});
    }
    if (chance(rng_, 25)) builder.reads(input_file(between(rng_, 1, kInputFiles)));
    for (const Stage& other : earlier) {
      const bool needed = std::ranges::find(stage.needs, other.name) != stage.needs.end();
      if (needed && is_plain(other) && chance(rng_, 50)) builder.reads(other.produces->front().path);
    }
    return builder;
  }

  Rng& rng_;
  int count_ = 0;
};

void collect_steps(std::vector<Stage>& stages, std::vector<Stage*>& found) {
  for (Stage& stage : stages) {
    if (!stage.command.empty()) found.push_back(&stage);
    collect_steps(stage.stages, found);
  }
}

}  // namespace

Workflow random_workflow(Rng& rng) {
  Workflow made = workflow(Author(rng).stages(0, {}, false), between(rng, 1, 4));
  if (chance(rng, 10)) made.limits.cost_usd = 1;
  return made;
}

void edit_definition(Rng& rng, Workflow& workflow) {
  std::vector<Stage*> steps;
  collect_steps(workflow.stages, steps);
  if (steps.empty()) return;
  Stage& stage = *steps[rng() % steps.size()];
  stage.command.argv = {"work", stage.name, "edited" + std::to_string(rng() % 1'000)};
}

}  // namespace reprise
