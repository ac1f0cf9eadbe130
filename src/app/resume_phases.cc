#include "app/resume_phases.h"

#include <algorithm>

#include "base/strings.h"

namespace reprise {
namespace {

constexpr std::size_t kPathsMax = 12;

const Stage* find_named(const std::vector<Stage>& stages, std::string_view name) {
  const auto found = std::ranges::find(stages, name, &Stage::name);
  return found == stages.end() ? nullptr : &*found;
}

const Stage* find_anywhere(const std::vector<Stage>& stages, std::string_view name) {
  if (const Stage* here = find_named(stages, name)) return here;
  for (const Stage& stage : stages) {
    if (const Stage* below = find_anywhere(stage.stages, name)) return below;
  }
  return nullptr;
}

// Parts of a path that are no stage are items and rounds.
struct Place {
  const Stage* stage = nullptr;
  const std::vector<Stage>* block = nullptr;  // that it stands in
};
Place find_by_path(const std::vector<Stage>& stages, std::string_view path) {
  Place place{nullptr, &stages};
  const std::vector<Stage>* inside = &stages;
  for (const std::string_view part : split(path, '/')) {
    if (const Stage* stage = find_named(*inside, part)) {
      place = {stage, inside};
      if (stage->is_block()) inside = &stage->stages;
    }
  }
  return place;
}

void add_paths(std::vector<std::string>& out, const std::vector<std::string>& paths,
               const std::map<std::string, std::string>& values) {
  for (const std::string& path : paths) {
    const std::string resolved = interpolate(path, [&](std::string_view name) -> std::optional<std::string> {
      const auto found = values.find(std::string(name));
      return found == values.end() ? std::nullopt : std::optional(found->second);
    });
    if (out.size() < kPathsMax && std::ranges::find(out, resolved) == out.end()) out.push_back(resolved);
  }
}

std::vector<std::string> products_of(const Stage& stage) {
  std::vector<std::string> paths;
  for (const Product& product : stage.produces.get()) paths.push_back(product.path);
  return paths;
}

// What has to be done before a step: the needs of its stage and of every block around it, as paths.
std::vector<std::string> needs_of(const std::vector<Stage>& stages, std::string_view path) {
  std::vector<std::string> needs;
  const std::vector<Stage>* inside = &stages;
  std::string before;
  for (const std::string_view part : split(path, '/')) {
    const Stage* stage = find_named(*inside, part);
    if (stage != nullptr) {
      for (const std::string& need : stage->needs) needs.push_back(before + need);
      if (stage->is_block()) inside = &stage->stages;
    }
    before.append(part).append("/");
  }
  return needs;
}

std::string first_line(const Command& command) {
  if (!command.argv.empty()) return shell_command(command.argv);
  const std::string_view line = trim(command.line);
  return std::string(line.substr(0, line.find('\n')));
}

}  // namespace

const Stage* find_stage(const Workflow& workflow, const StepDecision& decision) {
  const Place place = find_by_path(workflow.stages, decision.step.text);
  if (place.stage != nullptr && (place.stage->name == decision.stage || !place.stage->is_block()))
    return place.stage;
  return find_anywhere(workflow.stages, decision.stage);
}

std::vector<StepWork> phases_of(const Workflow& workflow, const Plan& plan,
                                const std::map<std::string, std::string>& values) {
  std::vector<StepWork> works;
  for (const StepDecision& decision : plan.decisions) {
    StepWork work;
    if (const Stage* stage = find_stage(workflow, decision)) {
      work.agent = stage->role.get();
      work.command = first_line(stage->command);
      work.needs = needs_of(workflow.stages, decision.step.text);
      if (work.needs.empty()) work.needs = stage->needs;
      add_paths(work.inputs, stage->inputs.get(), values);
      add_paths(work.inputs, stage->context.get(), values);
      add_paths(work.context, stage->context.get(), values);
      const Place place = find_by_path(workflow.stages, decision.step.text);
      for (const std::string& need : stage->needs) {
        const Stage* before = place.block == nullptr ? nullptr : find_named(*place.block, need);
        if (before != nullptr) add_paths(work.inputs, products_of(*before), values);
      }
      add_paths(work.outputs, products_of(*stage), values);
      if (stage->gate) add_paths(work.inputs, stage->gate->shows, values);
    }
    works.push_back(std::move(work));
  }
  return works;
}

}  // namespace reprise
