// Reads files that a state file names, and never anything outside of the project, whatever a path or a link
// says.

#pragma once

#include <optional>
#include <string>

#include "app/app.h"

namespace reprise {

/// Whether `path`, relative to the project, exists and lies in it after all links are followed.
bool is_inside(App& app, const std::string& path);

/// Returns the content of a file of the project; nothing if it is not there, lies outside or is too large.
std::optional<std::string> read_inside(App& app, const std::string& path);

/// Whether this is a folder of the project.
bool is_folder_inside(App& app, const std::string& path);

}  // namespace reprise
