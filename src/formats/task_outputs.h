// What a task says that it left, told apart: names of files, and results that stand in the metadata themselves.
//
// Agents write both under the same keys ("l1": "PASS, 12 sources", "output": "a.txt, b.txt"). A value is a file's
// name only if it is written like one; everything else is a result in words. Pure functions of text.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reprise {

struct TaskOutputs {
  std::vector<std::string> files;
  std::vector<std::string> texts;
};

/// Whether a value is written like a path: one line without blanks, with a folder or an extension in it.
bool is_written_like_path(std::string_view value);

/// Returns what a value names. A list in one text ("a.txt, b.txt") is taken apart if all its parts are paths.
TaskOutputs read_task_outputs(std::string_view value);

}  // namespace reprise
