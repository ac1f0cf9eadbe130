// Finding and loading workflow definitions: by name in .reprise/workflows, or by path.

#pragma once

#include <string>
#include <vector>

#include "app/app.h"
#include "formats/workflow_file.h"

namespace reprise {

/// A definition ready to run.
struct Definition {
  Workflow workflow;
  std::string text;           // canonical JSON, as stored
  std::string digest;         // of `text`
  std::string source_digest;  // of the bytes of all files it came from
};

/// What stands for the file of a workflow that is part of the program.
inline constexpr std::string_view kBuiltIn = "(built in)";

struct WorkflowEntry {
  std::string name;
  std::string file;
  std::string description;
  std::string problem;  // "" if it can be loaded
};

/// Loads the definition that `name` means: a path to a YAML file, or the name of a workflow of this
/// project. Invalid lists all problems, each with file, line and column; `hints` has the names there are.
Result<Definition> load_definition(App& app, const std::string& name);

/// Loads the definition for a new run: the same, or for lanes the one that the plan `subject` makes.
Result<Definition> definition_to_start(App& app, const std::string& name, const std::string& subject,
                                       const std::map<std::string, std::string>& inputs);

/// Returns the definition that a run goes on with: the one in its files now, or the stored one if these
/// have not changed or are gone. Reads no YAML when the bytes are those the run was last worked with.
Result<Definition> definition_for(App& app, Journal& journal, const RunState& state);

/// Returns the error that lists `problems`, at the place of the first.
Error error_of(const std::vector<Problem>& problems);

/// Returns the problems of a workflow file, none if it is sound.
Result<std::vector<Problem>> check_definition(App& app, const std::string& name);

/// Returns the JSON Schema of the workflow format, for editors.
std::string workflow_schema();

/// Returns the project's workflows, by name.
Result<std::vector<WorkflowEntry>> list_definitions(App& app);

}  // namespace reprise
