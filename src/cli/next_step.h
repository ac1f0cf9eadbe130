// What to type next: every refusal names a command, and every command that is named works where the person is.

#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "cli/arguments.h"

namespace reprise {

/// Returns the command that helps with an error that names none itself: what shows the work that was meant, what
/// there is to choose from, or how the command is used.
std::string next_step(const Arguments& arguments, const Error& error);

/// Returns `text` with "-C DIRECTORY" in every command of ours in it: a person who works on a project from
/// elsewhere pastes them there. `as_json`: the text is a JSON document; commands are the strings in it that begin
/// as one.
std::string with_directory(std::string_view text, const std::string& directory, bool as_json);

}  // namespace reprise
