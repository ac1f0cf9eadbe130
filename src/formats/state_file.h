// What every state file of another system is checked for before anything is read from it: that it is text, and
// not larger than such a file can be.

#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/error.h"

namespace reprise {

/// A file with more lines is refused: each costs some hundred bytes while it is read.
inline constexpr std::size_t kStateFileLinesMax = 200'000;

/// Returns why `bytes` cannot be read as a state file: Corrupt, with the position where there is one. `file` is
/// for messages only.
std::optional<Error> find_damage(std::string_view bytes, std::string_view file);

}  // namespace reprise
