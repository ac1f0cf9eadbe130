#include "app/resume_phases.h"

#include <algorithm>
#include <unordered_map>

#include "base/strings.h"

namespace reprise {
namespace {

constexpr std::size_t kPathsMax = 12;

// The stages of a workflow by name, block by block: one look-up per step, however many stages there are.
class StageIndex {
 public:
  explicit StageIndex(const std::vector<Stage>& stages) : top_(stages) { add(stages); }

  const std::vector<Stage>& top() const { return top_; }
  const Stage* find(const std::vector<Stage>& block, std::string_view name) const {
    const auto found = in_block_.find({&block, name});
    return found == in_block_.end() ? nullptr : found->second;
  }
  /// Returns the stage of that name, wherever it is; of several the outermost in the first block that has one.
  const Stage* find_anywhere(std::string_view name) const {
    const auto found = anywhere_.find(name);
    return found == anywhere_.end() ? nullptr : found->second;
  }

 private:
  using Key = std::pair<const std::vector<Stage>*, std::string_view>;
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      return std::hash<const void*>()(key.first) ^ std::hash<std::string_view>()(key.second);
    }
  };

  void add(const std::vector<Stage>& block) {
    for (const Stage& stage : block) {
      in_block_.emplace(Key{&block, stage.name}, &stage);
      anywhere_.emplace(stage.name, &stage);
    }
    for (const Stage& stage : block) add(stage.stages);
  }

  const std::vector<Stage>& top_;
  std::unordered_map<Key, const Stage*, KeyHash> in_block_;
  std::unordered_map<std::string_view, const Stage*> anywhere_;
};

// Parts of a path that are no stage are items and rounds.
struct Place {
  const Stage* stage = nullptr;
  const std::vector<Stage>* block = nullptr;  // that it stands in
};
Place find_by_path(const StageIndex& index, std::string_view path) {
  Place place{nullptr, &index.top()};
  const std::vector<Stage>* inside = &index.top();
  for (const std::string_view part : split(path, '/')) {
    if (const Stage* stage = index.find(*inside, part)) {
      place = {stage, inside};
      if (stage->is_block()) inside = &stage->stages;
    }
  }
  return place;
}

const Stage* find_stage(const StageIndex& index, const Place& place, const StepDecision& decision) {
  if (place.stage != nullptr && (place.stage->name == decision.stage || !place.stage->is_block()))
    return place.stage;
  return index.find_anywhere(decision.stage);
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
std::vector<std::string> needs_of(const StageIndex& index, std::string_view path) {
  std::vector<std::string> needs;
  const std::vector<Stage>* inside = &index.top();
  std::string before;
  for (const std::string_view part : split(path, '/')) {
    const Stage* stage = index.find(*inside, part);
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

StepWork work_of(const StageIndex& index, const StepDecision& decision,
                 const std::map<std::string, std::string>& values) {
  StepWork work;
  const Place place = find_by_path(index, decision.step.text);
  const Stage* stage = find_stage(index, place, decision);
  if (stage == nullptr) return work;
  work.agent = stage->role.get();
  work.command = first_line(stage->command);
  work.needs = needs_of(index, decision.step.text);
  if (work.needs.empty()) work.needs = stage->needs;
  add_paths(work.inputs, stage->inputs.get(), values);
  add_paths(work.inputs, stage->context.get(), values);
  add_paths(work.context, stage->context.get(), values);
  for (const std::string& need : stage->needs) {
    const Stage* before = place.block == nullptr ? nullptr : index.find(*place.block, need);
    if (before != nullptr) add_paths(work.inputs, products_of(*before), values);
  }
  add_paths(work.outputs, products_of(*stage), values);
  if (stage->gate) add_paths(work.inputs, stage->gate->shows, values);
  return work;
}

}  // namespace

std::vector<StepWork> phases_of(const Workflow& workflow, const Plan& plan,
                                const std::map<std::string, std::string>& values) {
  const StageIndex index(workflow.stages);
  std::vector<StepWork> works;
  works.reserve(plan.decisions.size());
  for (const StepDecision& decision : plan.decisions) works.push_back(work_of(index, decision, values));
  return works;
}

}  // namespace reprise
