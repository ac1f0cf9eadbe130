#include "app/definitions.h"

#include <algorithm>

#include "app/builtin_workflows.h"
#include "app/lane_definition.h"
#include "app/orchestrator_system.h"
#include "base/digest.h"
#include "base/strings.h"
#include "formats/workflow_schema.h"
#include "model/limits.h"
#include "os/machine.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;
constexpr const char* kFolder = ".reprise/workflows";
constexpr std::string_view kEpicWorkflow = "epic";  // made from its execution plan

bool is_workflow_file(const std::string& name) { return name.ends_with(".yaml") || name.ends_with(".yml"); }

Result<WorkflowSource> read_source(App& app, const std::string& name) {
  std::vector<std::string> tried;
  if (is_workflow_file(name)) {
    tried = {name};
  } else if (is_run_name(name)) {
    tried = {std::string(kFolder) + "/" + name + ".yaml", std::string(kFolder) + "/" + name + ".yml"};
  }
  for (const std::string& file : tried) {
    Result<std::string> bytes = app.files.read(app.project / file, kDocumentBytesMax);
    if (bytes) return WorkflowSource{file, std::move(*bytes)};
    if (bytes.error().kind != ErrorKind::NotFound) return fail(bytes.error());
  }
  if (const BuiltinWorkflow* builtin = find_builtin(name)) return WorkflowSource{"", std::string(builtin->text)};
  return fail(ErrorKind::NotFound, "there is no workflow \"" + printable_line(name, 100) + "\"");
}

// A path is taken relative to where the person is, a name within the project.
Result<WorkflowSource> find_source(App& app, const std::string& name) {
  if (is_workflow_file(name)) {
    const Result<fs::path> path =
        fs::path(name).is_absolute() ? Result<fs::path>(fs::path(name)) : canonical_path(name);
    if (path) {
      const fs::path relative = path->lexically_relative(app.project);
      const bool inside = !relative.empty() && !relative.string().starts_with("..");
      return read_source(app, inside ? relative.string() : path->string());
    }
  }
  Result<WorkflowSource> source = read_source(app, name);
  if (source) return source;
  Error error = std::move(source).error();
  if (name == kLanesWorkflow) {
    error.message = "the definition of a run of lanes is its phase plan";
    return fail(std::move(error).hint("reprise run lanes PLAN"));
  }
  if (name == kEpicWorkflow) {
    error.message = "the definition of an epic is its execution plan";
    return fail(std::move(error).hint("reprise run epic ID"));
  }
  std::vector<std::string> names;
  for (const std::string& file : app.files.list(app.project / kFolder).value_or(std::vector<std::string>())) {
    if (is_workflow_file(file)) names.push_back(file.substr(0, file.rfind('.')));
  }
  for (const BuiltinWorkflow& builtin : builtin_workflows()) names.emplace_back(builtin.name);
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::optional<std::string> meant = did_you_mean(name, views);
  if (meant) error.message += "; did you mean \"" + *meant + "\"?";
  error.hints.push_back(meant ? "reprise workflow show " + shell_quote(*meant) : "reprise workflow list");
  return fail(std::move(error));
}

void collect_uses(const std::vector<Stage>& stages, std::vector<std::string>& names) {
  for (const Stage& stage : stages) {
    if (!stage.uses.empty() && std::ranges::find(names, *stage.uses) == names.end()) names.push_back(stage.uses);
    collect_uses(stage.stages, names);
  }
}

// Covers the file itself and every workflow it uses, in an order that the definition fixes.
std::string digest_sources(App& app, const std::string& bytes, const Workflow& workflow) {
  std::vector<std::string> names;
  collect_uses(workflow.stages, names);
  Hasher hasher;
  hasher.add(bytes);
  for (const std::string& name : names) {
    const Result<WorkflowSource> used = read_source(app, name);
    hasher.add("\n---\n" + name + "\n" + (used ? used->bytes : std::string()));
  }
  return to_text(hasher.finish());
}

Result<Definition> load_source(App& app, const WorkflowSource& source) {
  const auto resolver = [&](const std::string& used) { return read_source(app, used); };
  std::expected<LoadedWorkflow, std::vector<Problem>> loaded = load_workflow(source.bytes, source.file, resolver);
  if (!loaded) return fail(error_of(loaded.error()));
  Definition definition{.workflow = std::move(loaded->workflow)};
  definition.workflow.source = source.file;
  definition.text = to_json(definition.workflow);
  definition.digest = to_text(digest_of(definition.text));
  definition.source_digest = digest_sources(app, source.bytes, definition.workflow);
  return definition;
}

}  // namespace

Error error_of(const std::vector<Problem>& problems) {
  Error error{.kind = ErrorKind::Invalid};
  for (const Problem& problem : problems) error.message += (error.message.empty() ? "" : "\n") + to_text(problem);
  error.file = problems.front().file;
  error.line = problems.front().line;
  error.column = problems.front().column;
  return error;
}

Result<Definition> load_definition(App& app, const std::string& name) {
  return load_source(app, TRY(find_source(app, name)));
}

Result<Definition> definition_to_start(App& app, const std::string& name, const std::string& subject,
                                       const std::map<std::string, std::string>& inputs) {
  if (name == kLanesWorkflow && !read_source(app, name)) return load_lanes(app, subject, inputs);
  if (name == kEpicWorkflow && !read_source(app, name)) return load_epic(app, subject);
  return load_definition(app, name);
}

Result<Definition> definition_for(App& app, Journal& journal, const RunState& state) {
  Definition stored;
  stored.text = TRY(journal.text(state.definition));
  stored.workflow = TRY(workflow_from_json(stored.text));
  stored.digest = state.definition;
  stored.source_digest = state.source_digest;
  if (state.source.empty()) return stored;
  const Result<std::string> bytes = app.files.read(app.project / state.source, kDocumentBytesMax);
  if (!bytes) return stored;  // the file is gone: the run goes on with what it was started with
  if (digest_sources(app, *bytes, stored.workflow) == state.source_digest) return stored;
  if (state.workflow == kLanesWorkflow && !is_workflow_file(state.source))
    return load_lanes(app, state.source, state.values);
  return load_source(app, {state.source, *bytes});
}

Result<std::vector<Problem>> check_definition(App& app, const std::string& name) {
  const WorkflowSource source = TRY(find_source(app, name));
  const auto resolver = [&](const std::string& used) { return read_source(app, used); };
  std::expected<LoadedWorkflow, std::vector<Problem>> loaded = load_workflow(source.bytes, source.file, resolver);
  return loaded ? std::vector<Problem>() : loaded.error();
}

std::string workflow_schema() { return workflow_json_schema() + "\n"; }

Result<std::vector<WorkflowEntry>> list_definitions(App& app) {
  std::vector<WorkflowEntry> entries;
  for (const std::string& file : TRY(app.files.list(app.project / kFolder))) {
    if (!is_workflow_file(file)) continue;
    WorkflowEntry entry{.name = file.substr(0, file.rfind('.')), .file = std::string(kFolder) + "/" + file};
    const Result<Definition> definition = load_definition(app, entry.name);
    if (definition) {
      entry.description = definition->workflow.description;
    } else {
      entry.problem = definition.error().message;
    }
    entries.push_back(std::move(entry));
  }
  for (const BuiltinWorkflow& builtin : builtin_workflows()) {
    const std::string name(builtin.name);
    if (std::ranges::find(entries, name, &WorkflowEntry::name) != entries.end())
      continue;  // the project has its own
    entries.push_back({.name = name,
                       .file = std::string(kBuiltIn),
                       .description = TRY(load_definition(app, name)).workflow.description,
                       .problem = ""});
  }
  constexpr std::pair<std::string_view, std::string_view> kMadeFromFiles[] = {
      {kLanesWorkflow, "The lanes of a phase plan side by side, each in a worktree of its own."},
      {kEpicWorkflow, "The stories of an epic's execution plan, wave by wave, with a gate after each."}};
  for (const auto& [name, description] : kMadeFromFiles) {
    if (std::ranges::find(entries, name, &WorkflowEntry::name) != entries.end()) continue;
    entries.push_back({.name = std::string(name),
                       .file = std::string(kBuiltIn),
                       .description = std::string(description),
                       .problem = ""});
  }
  return entries;
}

}  // namespace reprise
