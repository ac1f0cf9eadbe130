// A task of a coding agent's task list: one JSON file, read as what it claims. And a whole list, put together.
//
// What always holds:
//
//   Keys that are not known are kept and do no harm; keys of the metadata are read in every spelling that is in
//   use. A file that was cut off or damaged is Corrupt with line and column, never a task without fields. In a
//   list such a task stays known by its file's name, so that what waits for it is not taken to be free. What was
//   not understood is listed with its line and stays visible as it was written. A blocker that is not in the list
//   was finished and removed; that is no damage. Tasks wait for one another if either of the two says so; where
//   only one does, it is listed.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/task.h"

namespace reprise {

/// A task, and what of it was not understood.
struct ReadTask {
  TaskClaim task;
  std::vector<Oddity> oddities;  // by line; text is the file
};

/// Reads one task's file. Its id is the file's name without ".json", which is what its tool goes by; where `file`
/// is "" it is what the content says. Corrupt: damaged, too large, or not one JSON object.
Result<ReadTask> read_task_file(std::string_view bytes, std::string_view file);

/// Reads many tasks from one file: a JSON array of them, as snapshots are. An empty file is none. Corrupt as
/// above.
Result<std::vector<ReadTask>> read_task_snapshot(std::string_view bytes, std::string_view file);

/// Returns what stands for a task whose file cannot be read.
ReadTask damaged_task(std::string_view file, const Error& error);

/// Puts a list together: tasks in order, both directions of each edge, the permanent task.
TaskListClaims assemble_task_list(std::string list, std::vector<ReadTask> tasks, std::int64_t high_water_mark);

/// Returns the id that a file's name stands for: "12" for "12.json"; "" if it is not a task's file.
std::string_view id_of_task_file(std::string_view name);

/// Returns a list's id as its folder is named: every character but letters, digits, "_" and "-" becomes "-".
std::string task_list_folder(std::string_view id);

/// Whether the first id comes first in a list: numbers in order, then words.
bool comes_before(std::string_view a, std::string_view b);

/// Returns how `subject` begins behind "[PERMANENT]"; nothing if it does not begin so. Spaces and case are
/// tolerated.
std::optional<std::string_view> behind_permanent_prefix(std::string_view subject);

}  // namespace reprise
