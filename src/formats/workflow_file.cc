#include "formats/workflow_file.h"

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_set>

#include "base/strings.h"
#include "formats/key_reader.h"
#include "formats/stage_reader.h"
#include "model/ids.h"
#include "model/limits.h"

namespace reprise {
namespace {

// Returns "release-check" for "dir/release-check.yaml".
std::string workflow_name(std::string_view file) {
  const std::string_view name = file_name(file);
  return std::string(name.substr(0, name.rfind('.')));
}

// Loads a workflow and, once each, those that it uses.
class Loader {
 public:
  explicit Loader(const WorkflowResolver& resolver) : resolver_(resolver) {}

  /// Returns the workflow; null if it, or one that it uses, has problems.
  std::shared_ptr<UsedWorkflow> load(std::string_view bytes, const std::string& file, const std::string& called);

  std::vector<Problem> take_problems() { return std::move(problems_); }
  std::vector<std::string> take_used_files() { return std::move(used_files_); }

 private:
  void read_root(const YamlNode& root, Problems& problems, UsedWorkflow& out);
  void read_stages(const KnownEntry& entry, Problems& problems, UsedWorkflow& out);
  std::shared_ptr<const UsedWorkflow> use(const YamlNode& at, const std::string& name, Problems& problems);

  const WorkflowResolver& resolver_;
  std::map<std::string, std::shared_ptr<const UsedWorkflow>> used_;
  std::vector<std::string> chain_;  // names of the workflows that are being read
  std::vector<std::string> used_files_;
  std::vector<Problem> problems_;
};

std::shared_ptr<UsedWorkflow> Loader::load(std::string_view bytes, const std::string& file,
                                           const std::string& called) {
  Problems problems(file);
  std::shared_ptr<UsedWorkflow> loaded = std::make_shared<UsedWorkflow>();
  loaded->workflow.source = file;
  const Result<YamlDocument> document = YamlDocument::parse(bytes, file, document_limits());
  if (!document) {
    problems.add(document.error().line, document.error().column, document.error().message);
  } else {
    loaded->workflow.name = called;
    chain_.push_back(called);
    read_root(document->root(), problems, *loaded);
    chain_.pop_back();
  }
  const bool failed = !problems.empty() || !problems_.empty();
  // A file that uses others is done after them, and its own problems are to come first.
  std::vector<Problem> own = problems.take();
  problems_.insert(problems_.begin(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
  return failed ? nullptr : loaded;
}

std::vector<InputDef> inputs_in(const YamlNode& map, Problems& problems) {
  std::vector<InputDef> inputs;
  for (const YamlNode::Entry& entry : map.entries()) {
    check_value_name(entry.key, problems);
    InputDef& input = inputs.emplace_back(InputDef{.name = text_in(entry.key), .fallback = {}, .description = {}});
    if (entry.value.is_scalar()) input.fallback = text_in(entry.value);
    if (entry.value.is_sequence()) {
      problems.add(entry.value, "wrong value for the input " + quoted(input.name) + ": a list",
                   "a default, or a map with default and description");
    }
    if (!entry.value.is_map()) continue;
    for (const KnownEntry& known : known_entries(entry.value, Level::Input, entry.key, problems)) {
      if (known.spec->name == "default") input.fallback = text_in(known.value);
      if (known.spec->name == "description") input.description = text_in(known.value);
    }
  }
  return inputs;
}

Policy policy_in(const YamlNode& map, const YamlNode& key, Problems& problems) {
  Policy policy;
  for (const KnownEntry& known : known_entries(map, Level::Policy, key, problems)) {
    if (known.spec->name == "approvals_hold") policy.approvals_hold = flag_in(known.value);
    if (known.spec->name == "outdated_asks") policy.outdated_asks = flag_in(known.value);
    if (known.spec->name == "failure_asks") policy.failure_asks = flag_in(known.value);
  }
  return policy;
}

void Loader::read_root(const YamlNode& root, Problems& problems, UsedWorkflow& out) {
  if (!root.is_map()) {
    problems.add(root, root.is_null() ? "the workflow is empty" : "a workflow is a map",
                 "name, description, limits, policy, inputs, baseline, stages");
    return;
  }
  Workflow& workflow = out.workflow;
  const std::vector<KnownEntry> entries = known_entries(root, Level::Workflow, root, problems);
  // Stages refer to the inputs, and a circle of uses to the name, wherever these stand in the file.
  for (const KnownEntry& entry : entries) {
    if (entry.spec->name == "name") workflow.name = text_in(entry.value);
    if (entry.spec->name == "inputs") workflow.inputs = inputs_in(entry.value, problems);
  }
  if (!is_run_name(workflow.name)) {
    problems.add(root, "the file's name is not a name for a workflow: " + quoted(workflow.name),
                 "name: in the file");
  }
  if (chain_.size() == 1) chain_.back() = workflow.name;
  for (const KnownEntry& entry : entries) {
    if (entry.spec->name == "description") workflow.description = text_in(entry.value);
    if (entry.spec->name == "policy") workflow.policy = policy_in(entry.value, entry.key, problems);
    if (entry.spec->name == "limits") workflow.limits = limits_in(entry.value, entry.key, problems);
    if (entry.spec->name == "baseline") workflow.baseline = texts_in(entry.value);
    if (entry.spec->name == "stages" || entry.spec->name == "baseline") read_stages(entry, problems, out);
  }
}

// Reads the keys that may hold the names of inputs.
void Loader::read_stages(const KnownEntry& entry, Problems& problems, UsedWorkflow& out) {
  std::unordered_set<std::string> inputs;
  for (const InputDef& input : out.workflow.inputs) inputs.insert(input.name);
  const Scope scope{.inputs = &inputs, .items = {}, .in_repeat = false, .depth = 1};
  if (entry.spec->name == "baseline") {
    for (const YamlNode& path : nodes_in(entry.value)) check_path(path, scope, problems);
    return;
  }
  FileContext context{.problems = problems, .use = {}};
  context.use = [&](const YamlNode& at, const std::string& name) { return use(at, name, problems); };
  BlockOfStages block = read_block(entry.value, scope, context);
  if (entry.value.entries().empty()) problems.add(entry.key, "a workflow without a stage", "at least one stage");
  out.workflow.stages = std::move(block.stages);
  for (const MadePath& made : block.made) out.made.push_back(made.path);
  out.stage_count = context.stage_count;
  out.depth = context.depth;
}

std::shared_ptr<const UsedWorkflow> Loader::use(const YamlNode& at, const std::string& name, Problems& problems) {
  if (std::ranges::find(chain_, name) != chain_.end()) {
    std::string circle;
    for (const std::string& link : chain_) circle += link + " -> ";
    problems.add(at, "workflows use one another in a circle: " + circle + name);
    return nullptr;
  }
  if (static_cast<int>(chain_.size()) > kStageDepthMax) {
    problems.add(at, "workflows use one another deeper than " + std::to_string(kStageDepthMax) + " levels");
    return nullptr;
  }
  if (const auto found = used_.find(name); found != used_.end()) return found->second;
  const Result<WorkflowSource> source = resolver_(name);
  if (!source) {
    problems.add(at, "no workflow can be used under this name: " + quoted(name) + ": " + source.error().message);
    return used_[name] = nullptr;
  }
  used_files_.push_back(source->file);
  return used_[name] = load(source->bytes, source->file, name);
}

}  // namespace

std::expected<LoadedWorkflow, std::vector<Problem>> load_workflow(std::string_view bytes, const std::string& file,
                                                                  const WorkflowResolver& resolver) {
  Loader loader(resolver);
  const std::shared_ptr<UsedWorkflow> loaded = loader.load(bytes, file, workflow_name(file));
  if (loaded == nullptr) return std::unexpected(loader.take_problems());
  return LoadedWorkflow{std::move(loaded->workflow), loader.take_used_files()};
}

}  // namespace reprise
