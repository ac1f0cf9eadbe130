// Reads files that a state file names, and never anything outside of the project, whatever a path or a link
// says.

#pragma once

#include <optional>
#include <string>

#include "app/app.h"

namespace reprise {

/// Whether `path`, relative to the project, exists and lies in it after all links are followed.
bool is_inside(App& app, const std::string& path);

/// Returns a path that a state file names as the project has it: relative if it lies in it ("/home/ana/app/a.md",
/// "./a.md"), absolute if it lies elsewhere ("/tmp/a.md", "~/a.md"). Text only: the file need not be there.
std::string to_project_path(const App& app, const std::string& path);

/// Returns the content of a file of the project; nothing if it is not there, lies outside or is too large.
std::optional<std::string> read_inside(App& app, const std::string& path);

/// Whether this is a folder of the project.
bool is_folder_inside(App& app, const std::string& path);

}  // namespace reprise
