// The only file that knows the option library. Only the named command's options are registered with it,
// so that starting costs the same however many commands there are.

#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/strings.h"

namespace reprise {
namespace {

// Finds the command that `words` begin with; two words win over one.
const CommandSpec* find_command(std::span<const std::string> words, std::size_t& used) {
  const CommandSpec* found = nullptr;
  for (const CommandSpec& command : commands()) {
    const std::vector<std::string_view> parts = split(command.name, ' ');
    if (parts.size() <= words.size() && std::ranges::equal(parts, words.first(parts.size())) &&
        parts.size() > used) {
      found = &command;
      used = parts.size();
    }
  }
  return found;
}

Error unknown_command(const std::string& word) {
  std::vector<std::string_view> names;
  std::string group;
  for (const CommandSpec& command : commands()) {
    const std::string_view first = split(command.name, ' ').front();
    names.push_back(first);
    if (first == word) group += (group.empty() ? "" : ", ") + std::string(command.name);
  }
  if (!group.empty()) return Error{.kind = ErrorKind::Invalid, .message = "which one? There are: " + group};
  Error error{.kind = ErrorKind::Invalid, .message = "there is no command \"" + printable_line(word, 60) + "\""};
  if (const std::optional<std::string> meant = did_you_mean(word, names))
    error.message += "; did you mean \"" + *meant + "\"?";
  return std::move(error).hint("reprise --help");
}

// `option` is a row of a table that lives as long as the program.
void add_option(CLI::App& app, const Option& option, Arguments& arguments) {
  const std::string name = option.name == "C" ? "-C" : "--" + std::string(option.name);
  if (option.value.empty()) {
    app.add_flag_callback(name, [&arguments, &option] { arguments.options[std::string(option.name)]; });
    return;
  }
  app.add_option_function<std::vector<std::string>>(name,
                                                    [&arguments, &option](const std::vector<std::string>& values) {
                                                      arguments.options[std::string(option.name)] = values;
                                                    })
      ->allow_extra_args(false);
}

Result<void> check_words(const Option& option, const Arguments& arguments) {
  const std::vector<std::string> values = arguments.values(option.name);
  if (!option.repeats && values.size() > 1) {
    return fail(ErrorKind::Invalid, "--" + std::string(option.name) + " may be given once");
  }
  if (option.words.empty()) return {};
  const std::vector<std::string_view> allowed = split(option.words, ' ');
  for (const std::string& value : values) {
    if (std::ranges::find(allowed, value) == allowed.end()) {
      return fail(ErrorKind::Invalid,
                  "--" + std::string(option.name) + " cannot be \"" + printable_line(value, 60) +
                      "\"; allowed: " + join(std::vector<std::string>(allowed.begin(), allowed.end()), ", "));
    }
  }
  return {};
}

Result<void> check_count(const CommandSpec& command, const Arguments& arguments) {
  std::size_t required = 0;
  for (const Positional& positional : command.positionals) required += positional.required ? 1 : 0;
  const std::size_t given = arguments.positionals.size();
  if (given < required) {
    return fail(
        Error{.kind = ErrorKind::Invalid,
              .message = std::string(command.name) + " needs " + std::string(command.positionals[given].name)}
            .hint("reprise " + std::string(command.name) + " --help"));
  }
  if (given > command.positionals.size()) {
    return fail(Error{.kind = ErrorKind::Invalid,
                      .message = "\"" + printable_line(arguments.positionals[command.positionals.size()], 60) +
                                 "\" is more than " + std::string(command.name) + " takes"}
                    .hint("reprise " + std::string(command.name) + " --help"));
  }
  return {};
}

// Global options may stand before the command.
std::size_t skip_globals(std::span<const std::string> words) {
  std::size_t i = 0;
  while (i < words.size() && words[i].starts_with('-') && words[i] != "--") {
    const bool takes_value = words[i] == "-C";
    i += takes_value ? 2 : 1;
  }
  return std::min(i, words.size());
}

}  // namespace

std::string Arguments::value(std::string_view option) const {
  const auto found = options.find(option);
  return found == options.end() || found->second.empty() ? "" : found->second.back();
}

std::vector<std::string> Arguments::values(std::string_view option) const {
  const auto found = options.find(option);
  return found == options.end() ? std::vector<std::string>() : found->second;
}

std::string Arguments::positional(std::size_t index) const {
  return index < positionals.size() ? positionals[index] : "";
}

Result<Arguments> parse_arguments(std::span<const std::string> words) {
  Arguments arguments;
  const std::size_t globals = skip_globals(words);
  std::size_t used = 0;
  arguments.command = find_command(words.subspan(globals), used);
  if (arguments.command == nullptr && globals < words.size()) return fail(unknown_command(words[globals]));

  CLI::App app;
  app.set_help_flag();
  app.add_flag_callback("--help,-h", [&] { arguments.wants_help = true; });
  for (const Option& option : global_options()) add_option(app, option, arguments);
  if (arguments.command != nullptr) {
    for (const Option& option : arguments.command->options) add_option(app, option, arguments);
    app.add_option("words", arguments.positionals);
  }
  std::vector<std::string> rest(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(globals));
  rest.insert(rest.end(), words.begin() + static_cast<std::ptrdiff_t>(globals + used), words.end());
  std::ranges::reverse(rest);  // the library wants the last word first
  try {
    app.parse(rest);
  } catch (const CLI::Error& error) {
    const std::string name = arguments.command == nullptr ? "" : std::string(arguments.command->name) + " ";
    return fail(Error{.kind = ErrorKind::Invalid, .message = printable_line(error.what(), 300)}.hint(
        "reprise " + name + "--help"));
  }
  if (arguments.wants_help || arguments.command == nullptr) return arguments;
  for (const Option& option : arguments.command->options) {
    if (Result<void> fits = check_words(option, arguments); !fits)
      return fail(std::move(fits.error()).hint("reprise " + std::string(arguments.command->name) + " --help"));
  }
  TRY_VOID(check_count(*arguments.command, arguments));
  return arguments;
}

}  // namespace reprise
