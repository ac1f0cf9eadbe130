// The scenes of work that is told by many files: an epic with its stories, a task pipeline with its list.

#include <algorithm>

#include "base/check.h"
#include "base/strings.h"
#include "formats/epic_state.h"
#include "formats/orchestrator_words.h"
#include "formats/story.h"
#include "formats/task_file.h"
#include "scene.h"

namespace reprise {
namespace {

constexpr const char* kEpic = "epic/7";
constexpr const char* kEpicFile = ".aiox/epic-7-state.yaml";
constexpr const char* kPipeline = "task-pipeline/big";
constexpr const char* kList = "task-pipeline/feat";

constexpr std::string_view kExecutionPlan = R"yaml(execution:
  epicId: 7
  storyBasePath: docs/stories
  stories:
    "7.1": {file: 7.1.story.md, title: one, executor: "@dev", quality_gate: "@architect"}
    "7.2": {file: 7.2.story.md, title: two, executor: "@dev", quality_gate: "@architect"}
    "7.3": {file: 7.3.story.md, title: three, executor: "@dev", quality_gate: "@architect"}
    "7.4": {file: 7.4.story.md, title: four, executor: "@dev", quality_gate: "@architect"}
    "7.5": {file: 7.5.story.md, title: five, executor: "@dev", quality_gate: "@architect"}
    "7.10": {file: 7.10.story.md, title: ten, executor: "@dev", quality_gate: "@architect"}
  waves:
    - {wave: 1, parallel: true, stories: ["7.1", "7.2", "7.3"], gate: {agent: "@architect"}}
    - {wave: 2, parallel: true, stories: ["7.4", "7.5", "7.10"], dependencies: [1], gate: {agent: "@architect"}}
  final_gate: {agent: "@po"}
)yaml";
constexpr const char* kStories[] = {"7.1", "7.2", "7.3", "7.4", "7.5", "7.10"};

constexpr std::string_view kEpicAgent = R"sh(#!/bin/sh
echo "$REPRISE_STEP#$REPRISE_ATTEMPT" >> ../effects
case "$REPRISE_STEP" in *gate) echo '{"verdict":"approved"}' >"$REPRISE_RESULT" ;; esac
)sh";

// The one who hands the work out does so once; those who do it leave something behind.
constexpr std::string_view kPipelineAgent = R"sh(#!/bin/sh
echo "$REPRISE_STEP#$REPRISE_ATTEMPT" >> ../effects
case "$REPRISE_STEP" in
P5/lead) cat >"$REPRISE_RESULT" <<END
{"tasks":[{"id":"a","subject":"code","phase":"P6"},{"id":"b","subject":"infra","phase":"P6"},
{"id":"c","subject":"docs","phase":"P6"},{"id":"d","subject":"glue","phase":"P6","blockedBy":["a","b","c"]}]}
END
;;
esac
)sh";

void write_epic(const Sandbox& sandbox) {
  write_agent(sandbox, kEpicAgent);
  std::filesystem::create_directories(sandbox.project() / "docs/stories");
  sandbox.write("project/docs/stories/EPIC-7-EXECUTION.yaml", kExecutionPlan);
  for (const std::string id : kStories) {
    sandbox.write("project/docs/stories/" + id + ".story.md",
                  "# Story " + id + ": a part\n\n**Status:** Ready\n\n## Acceptance Criteria\n\n1. It works.\n");
  }
}

void read_epic_end(const Sandbox& sandbox, Ending& ending) {
  const Result<EpicClaims> epic = read_epic_state(text_of(sandbox, kEpicFile), kEpicFile);
  if (!epic) {
    ending.faults.push_back("F5 the state file cannot be read: " + epic.error().message);
    return;
  }
  ending.facts["status"] = epic->status_word;
  ending.facts["oddities"] = std::to_string(epic->oddities.size());
  for (const ClaimedWave& wave : epic->waves) {
    ending.facts["wave " + wave.number] = wave.status_word;
    for (const ClaimedStory& story : wave.stories)
      ending.facts["story " + story.id] =
          wave.number + " " + story.status_word + (story.completed_at ? " with time" : "");
  }
  for (const ClaimedVerdict& verdict : epic->verdicts) ending.facts["gate " + verdict.gate] = verdict.verdict;
  for (const std::string id : kStories) {
    const std::string file = "docs/stories/" + id + ".story.md";
    const Result<StoryClaims> story = read_story(text_of(sandbox, file), file);
    ending.facts["file " + id] = story ? std::string(to_token(story->status)) : story.error().message;
  }
}

// One task each with its status, by what the journal has on record.
void read_pipeline_end(const Sandbox& sandbox, Ending& ending) {
  const std::optional<RunState> state = recorded(sandbox, kPipeline);
  if (!state) return;
  for (const auto& [id, task] : state->tasks)
    ending.facts["task " + task.subject] = task.phase + " " + std::to_string(task.blocked_by.size());
  ending.facts["tasks"] = std::to_string(state->tasks.size());
}

std::filesystem::path list_folder(const Sandbox& sandbox) { return sandbox.folder() / ".claude/tasks/feat"; }

void write_task(const Sandbox& sandbox, const std::string& id, const std::string& subject,
                const std::string& status, const std::string& blocked_by, const std::string& metadata) {
  sandbox.write(".claude/tasks/feat/" + id + ".json",
                "{\n  \"id\": \"" + id + "\",\n  \"subject\": \"" + subject +
                    "\",\n  \"description\": \"\",\n  \"activeForm\": \"x\",\n  "
                    "\"status\": \"" +
                    status + "\",\n  \"blocks\": [],\n  \"blockedBy\": [" + blocked_by + "],\n  \"metadata\": {" +
                    metadata + "}\n}");
}

// A list that another program left in the middle of P6: one task done, one cut off, two to come.
void write_list(const Sandbox& sandbox) {
  write_agent(sandbox, kPipelineAgent);
  std::filesystem::create_directories(list_folder(sandbox));
  sandbox.write(".claude/tasks/feat/.lock", "");
  write_task(sandbox, "1", "[PERMANENT] Login", "pending", "",
             R"("tier": "COMPLEX", "current_phase": "P6", "repository": ")" + sandbox.project().string() + "\"");
  write_task(sandbox, "2", "design", "completed", "", R"("phase": "P1")");
  write_task(sandbox, "3", "code", "in_progress", "", R"("phase": "P6")");
  write_task(sandbox, "4", "infra", "pending", "", R"("phase": "P6")");
  write_task(sandbox, "5", "glue", "pending", R"("3", "4")", R"("phase": "P6")");
}

void read_list_end(const Sandbox& sandbox, Ending& ending) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(list_folder(sandbox), ignored))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  ending.facts["files"] = join(names, " ");
  for (const std::string& name : names) {
    if (id_of_task_file(name).empty()) continue;
    const std::string bytes = text_of(sandbox, "../.claude/tasks/feat/" + name);
    const Result<ReadTask> task = read_task_file(bytes, name);
    if (!task) {
      ending.faults.push_back("F5 a task cannot be read: " + task.error().message);
      continue;
    }
    const auto phase = task->task.metadata.find("current_phase");
    ending.facts["task " + name] =
        std::string(to_token(task->task.status)) + " " + (phase == task->task.metadata.end() ? "" : phase->second);
  }
}

std::string waits(const Sandbox&) { return "it waits for a person"; }

}  // namespace

Scene epic_scene() {
  Scene scene;
  scene.run = kEpic;
  scene.write = write_epic;
  scene.script = {Act{{"run", "epic", "7"}, 0}};
  scene.serve = waits;
  scene.read_more = read_epic_end;
  scene.parallel = 4;
  return scene;
}

Scene pipeline_scene() {
  Scene scene;
  scene.run = kPipeline;
  scene.write = [](const Sandbox& sandbox) { write_agent(sandbox, kPipelineAgent); };
  scene.script = {
      Act{{"run", "task-pipeline", "big", "--variant", "COMPLEX", "--input", "description=it all"}, 0}};
  scene.serve = waits;
  scene.read_more = read_pipeline_end;
  scene.parallel = 4;
  return scene;
}

Scene list_scene() {
  Scene scene;
  scene.run = kList;
  scene.write = write_list;
  scene.script = {Act{{"resume", kList, "--yes"}, 0}};
  scene.serve = waits;
  scene.read_more = read_list_end;
  scene.parallel = 4;
  return scene;
}

}  // namespace reprise
