// The words of a phase plan: titles with ids, dependencies, commands, columns. Pure functions of text.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/lane_plan.h"

namespace reprise {

/// "SL-1 -- Name", "P1: Name": an id and what stands behind it, without marks of emphasis.
struct Titled {
  std::string id;
  std::string name;
};
Titled split_title(std::string_view text);

/// Returns `text` trimmed and without marks of emphasis and code.
std::string without_marks(std::string_view text);

/// Whether a word is the id of a gate: "IF-…".
bool is_gate_id(std::string_view word);
/// Returns the ids of gates in a text.
std::vector<std::string> gates_in(std::string_view text);

/// Returns what a "Depends on" or "Blocks" names: "SL-1 (merged), IF-0-P1-X and SL-2" is SL-1, IF-0-P1-X, SL-2. A
/// part that names no lane or gate is given as it is.
std::vector<std::string> named_in(std::string_view value);

/// Returns the commands of a cell: each code span is one, or, without any, each line of it.
std::vector<std::string> commands_in(std::string_view cell);
/// Returns the files of a cell.
std::vector<std::string> files_in(std::string_view cell);

/// Reads "yes", "no" or "mixed", with or without a remark.
ParallelSafe parallel_in(std::string_view value);

enum class TaskColumn { Id, Type, DependsOn, Files, Tests, Commands, Acceptance };
/// Returns which column of a task table a heading means; nothing if it is another.
std::optional<TaskColumn> task_column(std::string_view heading);

}  // namespace reprise
