// Texts made from the command table: help, shell completion, the man page.

#pragma once

#include <string>
#include <string_view>

#include "cli/command_table.h"

namespace reprise {

std::string version_text();
std::string help_text();
std::string help_text(const CommandSpec& command);
/// `shell`: bash, zsh or fish; "" if it is another one.
std::string completion_script(std::string_view shell);
/// The man page in troff.
std::string man_page();

}  // namespace reprise
