#include "formats/lane_workflow.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/strings.h"
#include "formats/problem.h"

namespace reprise {
namespace {

// Whether a command in a list has an effect on those behind it: it may leave the folder, set a variable, end the
// shell, or hold something that goes on to the end of the line.
bool affects_others(std::string_view command) {
  static constexpr std::array<std::string_view, 14> kOfTheShell = {"cd",   "pushd", "popd",   "export", "unset",
                                                                   "set",  "exit",  "exec",   ".",      "source",
                                                                   "trap", "umask", "ulimit", "alias"};
  if (command.find("||") != std::string_view::npos) return true;  // it would save those before it, too
  std::size_t single = 0;
  std::size_t doubled = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (std::string_view(";#(){}\\`!\n\t<").find(c) != std::string_view::npos) return true;
    single += c == '\'' ? 1 : 0;
    doubled += c == '"' ? 1 : 0;
    const bool is_pair = c == '&' && i + 1 < command.size() && command[i + 1] == '&';
    if (c == '&' && !is_pair) return true;
    i += is_pair ? 1 : 0;
  }
  if (single % 2 != 0 || doubled % 2 != 0 || (single > 0 && doubled > 0)) return true;
  const std::vector<std::string_view> words = split(command, ' ');
  const auto is_of_the_shell = [](std::string_view word) {
    const bool sets = word.find('=') != std::string_view::npos && !word.starts_with('-');
    return sets || std::ranges::find(kOfTheShell, word) != kOfTheShell.end();
  };
  return std::ranges::any_of(words, is_of_the_shell) || words.back() == "&&" || words.back().ends_with('|') ||
         words[0].starts_with('&') || words[0].starts_with('|');
}

std::string_view instruction_for(std::string_view type) {
  if (type == "test") return "Write the tests first; they may fail until what they test is there.";
  if (type == "impl") return "Implement it until its tests pass.";
  if (type == "verify") return "Verify that everything of this lane works together, and repair what does not.";
  return "";
}

void add_line(std::string& text, std::string_view label, std::string_view value) {
  if (!value.empty()) text.append(label).append(": ").append(value).append("\n");
}

std::string prompt_for(const PhasePlan& plan, const PlanLane& lane, const LaneTask& task) {
  std::string text =
      "Do task " + task.id + " (" + task.type + ") of lane " + lane.id + " in phase " + plan.phase + ".\n";
  if (const std::string_view what = instruction_for(task.type); !what.empty()) text.append(what).append("\n");
  add_line(text, "Lane", lane.name);
  add_line(text, "Acceptance criteria", task.acceptance);
  add_line(text, "Files in scope, change no others", join(task.files_in_scope, ", "));
  add_line(text, "Test files that belong to this task", join(task.tests_owned, ", "));
  for (const std::string& command : task.test_commands) add_line(text, "Test command", command);
  add_line(text, "The plan", plan.file);
  return text;
}

Stage task_stage(const PhasePlan& plan, const PlanLane& lane, const LaneTask& task) {
  Stage stage;
  stage.name = task.id;
  stage.needs = task.needs;
  stage.role = task.type;
  stage.prompt = prompt_for(plan, lane, task);
  stage.context = std::vector{plan.file};
  return stage;
}

// A task in a worktree of its own, beside its lane's, from which it starts and into which it is merged.
Stage task_in_worktree(const PhasePlan& plan, const PlanLane& lane, const LaneTask& task) {
  const std::string place = plan.phase + "/" + lane.id;
  Stage work = task_stage(plan, lane, task);
  Stage stage;
  stage.name = task.id;
  stage.needs = std::exchange(work.needs, {});
  stage.lane = LaneSpec{.base = "",
                        .name = lane.id + "/" + task.id,
                        .branch = "lane-task/" + place + "/" + task.id,
                        .folder = place + ".tasks/" + task.id,
                        .tests = "",
                        .retries = {}};
  work.name = "work";
  Stage publish;
  publish.name = kLanePublishStage;
  publish.needs = {work.name};
  publish.publish = "merge";
  stage.stages = {std::move(work), std::move(publish)};
  return stage;
}

Stage tests_stage(const PlanLane& lane) {
  Stage stage;
  stage.name = kLaneTestsStage;
  std::vector<std::string> commands;
  std::set<std::string_view> seen;
  for (const LaneTask& task : lane.tasks) {
    stage.needs.push_back(task.id);
    for (const std::string& command : task.test_commands) {
      if (seen.insert(command).second) commands.push_back(command);
    }
  }
  stage.command.line = joined_commands(commands);
  // Tests that fail are a reason to change what was implemented, not to begin with the lane's first task.
  const auto last = std::ranges::find(lane.tasks.rbegin(), lane.tasks.rend(), "impl", &LaneTask::type);
  if (last != lane.tasks.rend()) {
    stage.retry_from = last->id;
  } else if (!lane.tasks.empty()) {
    stage.retry_from = lane.tasks.back().id;
  }
  return stage;
}

Stage lane_stage(const PhasePlan& plan, const PlanLane& lane, const LaneOptions& options) {
  Stage stage;
  stage.name = lane.id;
  if (options.lane.empty()) stage.needs = lane.needs;
  stage.needs.insert(stage.needs.end(), lane.open_gates.begin(), lane.open_gates.end());
  stage.lane = LaneSpec{.base = options.base,
                        .name = lane.id,
                        .branch = "lane/" + plan.phase + "/" + lane.id,
                        .folder = plan.phase + "/" + lane.id,
                        .tests = std::string(kLaneTestsStage),
                        .retries = lane.retries};
  for (const LaneTask& task : lane.tasks) {
    stage.stages.push_back(options.task_worktrees ? task_in_worktree(plan, lane, task)
                                                  : task_stage(plan, lane, task));
  }
  stage.stages.push_back(tests_stage(lane));
  if (options.publish.empty() || options.publish == "none") return stage;
  Stage publish;
  publish.name = kLanePublishStage;
  publish.needs = {std::string(kLaneTestsStage)};
  publish.publish = options.publish;
  stage.stages.push_back(std::move(publish));
  return stage;
}

// Without the line: an approval is bound to the question, and lines move when the plan is edited.
Stage gate_stage(const PhasePlan& plan, const std::string& id) {
  const auto found = std::ranges::find(plan.gates, id, &PhaseGate::id);
  const std::string text = found == plan.gates.end() || found->text.empty() ? "" : " (" + found->text + ")";
  Stage stage;
  stage.name = id;
  stage.gate = Gate{.ask = "Is " + id + text + " frozen? It is not ticked in " + plan.file + ".", .shows = {}};
  return stage;
}

std::unexpected<Error> no_such_lane(const PhasePlan& plan, const std::string& lane) {
  std::vector<std::string> ids;
  for (const PlanLane& each : plan.lanes) ids.push_back(each.id);
  return fail(
      Error{.kind = ErrorKind::NotFound,
            .message = "there is no lane " + quoted(lane) + "; there are: " + printable_line(join(ids, ", "), 500),
            .file = plan.file});
}

}  // namespace

std::string joined_commands(std::span<const std::string> commands) {
  std::string line;
  for (const std::string& command : commands) {
    if (command.empty()) continue;
    if (!line.empty()) line += " && ";
    line += commands.size() > 1 && affects_others(command) ? "sh -c " + single_quoted(command) : command;
  }
  return line;
}

Result<Workflow> lanes_workflow(const PhasePlan& plan, const LaneOptions& options) {
  static constexpr std::array<std::string_view, 5> kPublish = {"", "none", "merge", "pr", "push"};
  if (std::ranges::find(kPublish, options.publish) == kPublish.end()) {
    return fail(ErrorKind::Invalid, "publish is none, merge, pr or push, not " + quoted(options.publish));
  }
  if (!options.lane.empty() && plan.find_lane(options.lane) == nullptr) return no_such_lane(plan, options.lane);
  Workflow workflow;
  workflow.name = "lanes";
  workflow.description = plan.phase + (plan.name.empty() ? "" : ": " + plan.name);
  workflow.source = plan.file;
  workflow.inputs = {{"lane", "", "Only this lane of the plan."},
                     {"base", "", "The branch that lanes start from."},
                     {"publish", "none", "none, merge, pr or push"},
                     {"task_worktrees", "no", "yes: every task in a worktree of its own."}};
  std::set<std::string> gates;
  for (const PlanLane& lane : plan.lanes) {
    if (!options.lane.empty() && lane.id != options.lane) continue;
    for (const std::string& gate : lane.open_gates) {
      if (gates.insert(gate).second) workflow.stages.push_back(gate_stage(plan, gate));
    }
    workflow.stages.push_back(lane_stage(plan, lane, options));
  }
  return workflow;
}

std::string phase_of(const Workflow& workflow) {
  return workflow.description.substr(0, workflow.description.find(':'));
}

}  // namespace reprise
