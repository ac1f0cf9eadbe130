// What every state file of another system is checked for before anything is read from it: that it is text, and
// not larger than such a file can be. And how what was not understood is listed.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "model/playbook.h"
#include "text/json_document.h"

namespace reprise {

/// A file with more lines is refused: each costs some hundred bytes while it is read.
inline constexpr std::size_t kStateFileLinesMax = 200'000;

/// Returns why `bytes` cannot be read as a state file: Corrupt, with the position where there is one. `file` is
/// for messages only.
std::optional<Error> find_damage(std::string_view bytes, std::string_view file);

/// Returns why `bytes` are what is left of a state file that was not written beyond its title: Corrupt. Nothing if
/// they are more than that, or something else. `title` is the whole heading, `is_title` tells whether a heading is
/// one, where more may stand behind it.
std::optional<Error> find_cut_in_title(std::string_view bytes, std::string_view title,
                                       bool (*is_title)(std::string_view), std::string_view file);

inline constexpr std::size_t kOdditiesMax = 500;
/// Adds to `oddities`, in the order of lines; no more than anybody would read.
void add_oddity(std::vector<Oddity>& oddities, int line, std::string_view text, std::string why);

/// Reads a state file that is JSON. Corrupt, with file and position, if it is damaged or not JSON.
Result<JsonDocument> parse_state_json(std::string_view bytes, std::string_view file);

}  // namespace reprise
