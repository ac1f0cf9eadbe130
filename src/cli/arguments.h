// What was typed, taken apart by the table.

#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/command_table.h"

namespace reprise {

struct Arguments {
  const CommandSpec* command = nullptr;  // null: none was named
  std::vector<std::string> positionals;
  std::map<std::string, std::vector<std::string>, std::less<>> options;
  bool wants_help = false;

  bool has(std::string_view option) const { return options.find(option) != options.end(); }
  /// Returns the option's (last) value, "" if it was not given.
  std::string value(std::string_view option) const;
  std::vector<std::string> values(std::string_view option) const;
  /// Returns the n-th positional, "" if it was not given.
  std::string positional(std::size_t index) const;
};

/// Takes `words` (without the program's name) apart. Invalid, with what is allowed, if they do not fit.
Result<Arguments> parse_arguments(std::span<const std::string> words);

}  // namespace reprise
