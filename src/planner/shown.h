// How much of foreign text, and of findings that are alike, a person is shown.

#pragma once

#include <string>
#include <string_view>

#include "base/strings.h"

namespace reprise {

/// How much of a foreign text a message repeats.
inline constexpr std::size_t kShownTextMax = 200;
/// How many findings of one kind are listed one by one: more would hide those that matter.
inline constexpr std::size_t kListedMax = 20;

/// Returns foreign text in quotes, on one line, without anything that acts on a terminal.
inline std::string quoted_line(std::string_view text) { return '"' + printable_line(text, kShownTextMax) + '"'; }

}  // namespace reprise
