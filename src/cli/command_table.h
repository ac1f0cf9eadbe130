// The table of commands: one place that says what each is called, takes and does. The parser, the help,
// shell completion and the man page are made from it, so they cannot disagree.

#pragma once

#include <span>
#include <string_view>

namespace reprise {

class Cli;
struct Arguments;

struct Option {
  std::string_view name;   // without the dashes: "from"
  std::string_view value;  // "STAGE"; "" for a switch
  std::string_view help;
  bool repeats = false;
  std::string_view words = {};  // the values there are, separated by spaces, where there is a list
  bool required = false;        // the command refuses to go on without it
};

struct Positional {
  std::string_view name;  // "ID"
  bool required = true;
  std::string_view words = {};  // as above; "runs", "steps", "workflows" stand for what is asked of the project
};

/// What a command prints on stdout with --json.
enum class JsonForm {
  Document,  // one JSON document
  Lines,     // one JSON document per line, as each becomes known
  None,      // its own text, whatever is asked for: a script or a page for another program
};

struct CommandSpec {
  std::string_view name;   // "workflow check": two words for commands in groups
  std::string_view group;  // heading in the help
  std::string_view summary;
  std::span<const Positional> positionals;
  std::span<const Option> options;
  int (*handler)(Cli&, const Arguments&);
  JsonForm json = JsonForm::Document;
};

/// All commands, in the order of the help.
std::span<const CommandSpec> commands();
/// Options that every command takes.
std::span<const Option> global_options();

}  // namespace reprise
