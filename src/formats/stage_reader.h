// Stages of the workflow format, one block at a time: from YAML to model, with everything that can be
// checked about a stage on its own. What concerns several stages of a block is in block_checks.h.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "formats/made_paths.h"
#include "formats/problem.h"
#include "formats/scope.h"
#include "model/workflow.h"
#include "text/yaml.h"

namespace reprise {

/// Where the parts of a stage are written; as long as the document lives.
struct StageFacts {
  YamlNode key;
  std::vector<YamlNode> needs;
  std::vector<YamlNode> conditions;  // the names in `when:`, in order
  std::vector<YamlNode> retry_from;  // one at most
  std::vector<MadePath> made;        // by the stage and all within it
};

/// A workflow that another one uses.
struct UsedWorkflow {
  Workflow workflow;
  std::vector<std::string> made;  // paths, with the names of its inputs in them
  int stage_count = 0;
  int depth = 0;  // of its deepest block
};

/// What the stages of one file have in common.
struct FileContext {
  Problems& problems;
  /// Returns the workflow of that name; null, with a problem at the node, if there is none.
  std::function<std::shared_ptr<const UsedWorkflow>(const YamlNode& at, const std::string& name)> use;
  int stage_count = 0;
  int depth = 0;                          // of the deepest block so far
  std::size_t expansions_left = 200'000;  // of paths per item
};

struct BlockOfStages {
  std::vector<Stage> stages;
  std::vector<MadePath> made;
};

/// Reads the map of `stages:`.
BlockOfStages read_block(const YamlNode& map, const Scope& scope, FileContext& context);

}  // namespace reprise
