#include "app/course_definition.h"

#include <algorithm>

#include "base/digest.h"
#include "base/strings.h"
#include "formats/orchestrator_show.h"
#include "planner/epic_rules.h"
#include "planner/flow_rules.h"
#include "planner/orchestrator_tables.h"

namespace reprise {
namespace {

constexpr int kStoryRetries = 2;  // three attempts, then the story is blocked and the others go on

// Which phase of which workflow, of how many, and for what: a worker knows nothing but this and what it reads.
std::string flow_prompt_for(const OrchestratorSnapshot& snapshot, const CourseStep& step) {
  const FlowClaims& flow = snapshot.flow;
  const bool is_story = flow.dialect == "checkpoint" && !step.story.empty();
  std::string text = is_story ? "Do story " + step.story : "Do step " + step.decision.stage;
  if (!is_story && !flow.rest_unknown)
    text += " (" + std::to_string(step.level + 1) + " of " + std::to_string(flow.steps.size()) + ")";
  text += " of workflow " + (flow.workflow.empty() ? snapshot.subject : flow.workflow);
  if (!flow.workflow.empty() && flow.workflow != snapshot.subject) text += ", run " + snapshot.subject;
  if (!flow.epic.empty()) text += ", epic " + flow.epic;
  if (!is_story && !step.story.empty()) text += ", for story " + step.story;
  return text + ". " + snapshot.state_file + " holds its context and decisions.";
}

std::string prompt_for(const OrchestratorSnapshot& snapshot, const CourseStep& step) {
  std::string text;
  if (snapshot.kind == OrchestratorKind::Flow) {
    text = flow_prompt_for(snapshot, step);
  } else if (!step.story.empty()) {
    text = "Implement story " + step.story + " of epic " + snapshot.subject + ".";
  } else {
    text = "Review epic " + snapshot.subject + ": " + step.decision.step.text +
           ". Give the verdict approved or rejected, with your reasons.";
  }
  for (const std::string& input : step.inputs) text += "\nRead " + input + ".";
  return text;
}

Stage stage_for(const OrchestratorSnapshot& snapshot, const CourseStep& step, std::string name) {
  Stage stage;
  stage.name = std::move(name);
  stage.role = step.agent.empty() ? "dev" : step.agent;
  stage.prompt = prompt_for(snapshot, step);
  if (!step.inputs.empty()) stage.context = step.inputs;
  stage.retries = kStoryRetries;
  if (!step.story.empty()) stage.resume = ResumeRule::Continue;
  return stage;
}

// A person decides what becomes of a wave whose gate was not approved.
Stage objection_to(const std::string& gate, const std::string& what) {
  Stage stage;
  stage.name = gate + "-objection";
  stage.needs = {gate};
  stage.when =
      std::vector<Condition>{{.name = gate, .values = {"approved", "APPROVED", "Approved", ""}, .negated = true}};
  stage.gate = Gate{"The gate of " + what + " was not approved. Go on all the same?", {}};
  return stage;
}

class CourseBuilder {
 public:
  explicit CourseBuilder(const OrchestratorSnapshot& snapshot) : seen_(snapshot) {}

  std::vector<Stage> build(const std::vector<CourseStep>& steps) {
    for (const CourseStep& step : steps) {
      const std::string& path = step.decision.step.text;
      const std::size_t slash = path.find('/');
      slash == std::string::npos ? add_single(step)
                                 : add_to_block(step, path.substr(0, slash), path.substr(slash + 1));
    }
    return std::move(stages_);
  }

 private:
  void add_single(const CourseStep& step) {
    const std::string name = step.decision.step.text;
    if (step.is_gate) {
      Stage rest;
      rest.name = name;
      rest.gate = Gate{"Is " + seen_.subject + " finished? Its state does not say which steps are left.", {}};
      return push(std::move(rest));
    }
    push(stage_for(seen_, step, name));
    if (seen_.kind == OrchestratorKind::Epic) push(objection_to(name, "epic " + seen_.subject));
  }

  void push(Stage stage) {
    if (stage.needs.empty() && !stages_.empty()) stage.needs = {stages_.back().name};
    stages_.push_back(std::move(stage));
  }

  void add_to_block(const CourseStep& step, const std::string& block, const std::string& name) {
    if (stages_.empty() || stages_.back().name != block) {
      Stage wave;
      wave.name = block;
      push(std::move(wave));
    }
    std::vector<Stage>& inner = stages_.back().stages;
    Stage stage = stage_for(seen_, step, name);
    const bool is_gate = step.story.empty();
    if (is_gate) {
      for (const Stage& before : inner) stage.needs.push_back(before.name);
    } else if (!is_parallel(block) && !inner.empty()) {
      stage.needs = {inner.back().name};
    }
    inner.push_back(std::move(stage));
    if (is_gate) inner.push_back(objection_to(name, block));
  }

  bool is_parallel(const std::string& block) const {
    if (!seen_.execution_plan) return true;
    for (const PlannedWave& wave : seen_.execution_plan->waves) {
      if (block == "wave-" + wave.number) return wave.parallel;
    }
    return true;
  }

  const OrchestratorSnapshot& seen_;
  std::vector<Stage> stages_;
};

}  // namespace

Result<Definition> course_definition(const OrchestratorSnapshot& snapshot) {
  const bool is_epic = snapshot.kind == OrchestratorKind::Epic;
  const WorkflowCourse course = is_epic ? course_of_epic(snapshot) : course_of_flow(snapshot);
  Definition definition;
  definition.workflow.name = std::string(to_token(snapshot.kind));
  definition.workflow.description =
      is_epic ? "The stories of an epic, wave by wave." : "What is left of a workflow that was found.";
  definition.workflow.policy.failure_asks = true;
  definition.workflow.limits.parallel = is_epic ? 4 : 1;
  definition.workflow.inputs = {{.name = "description", .fallback = "", .description = "What it is about."}};
  definition.workflow.stages = CourseBuilder(snapshot).build(course.steps);
  if (definition.workflow.stages.empty() || (is_epic && snapshot.epic.waves.empty() && !snapshot.execution_plan)) {
    return fail(ErrorKind::Invalid, is_epic ? "no state lists the waves of epic " + snapshot.subject +
                                                  ", and there is no execution plan: EPIC-" + snapshot.subject +
                                                  "-EXECUTION.yaml"
                                            : snapshot.state_file + " does not list its steps");
  }
  definition.text = to_json(definition.workflow);
  definition.digest = to_text(digest_of(definition.text));
  return definition;
}

std::map<std::string, std::string> course_values(const OrchestratorSnapshot& snapshot) {
  std::map<std::string, std::string> values = {{"description", ""}};
  if (snapshot.kind != OrchestratorKind::Epic) return values;
  std::string& waves = values[std::string(kWavesValue)];
  std::string& executors = values["executors"];
  for (const EpicWave& wave : waves_of(snapshot)) {
    const bool is_named = wave.number.starts_with("wave-");
    waves += (waves.empty() ? "" : " ") + (is_named ? wave.number.substr(5) : wave.number) + "=";
    for (std::size_t i = 0; i < wave.stories.size(); ++i) {
      const WaveStory& story = wave.stories[i];
      waves += (i == 0 ? "" : ",") + story.id;
      if (story.claim == nullptr && story.planned != nullptr && !story.planned->executor.empty())
        executors += (executors.empty() ? "" : " ") + story.id + "=" + story.planned->executor;
    }
  }
  values["execution_plan"] = snapshot.epic.execution_plan;
  for (const ReferencedFile& file : snapshot.files) {
    if (file.role == FileRole::ExecutionPlan) values["execution_plan"] = file.path;
  }
  return values;
}

}  // namespace reprise
