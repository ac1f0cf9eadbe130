// YAML whose syntax is broken, line by line: what single lines still say, nested by their indentation.
//
// Each line `key: value` gives an entry, each `- value` an element; a value that is sound YAML by itself, such as
// `{ status: done }`, is read as such, any other is taken as text. Lines that give nothing are listed. Pure, and
// never fails; what comes of it is good for showing and for rebuilding, never for writing back.

#pragma once

#include <string_view>
#include <vector>

#include "formats/state_tree.h"

namespace reprise {

/// Returns the map that the lines give; no entries if they give none.
StateValue read_yaml_lines(std::string_view bytes, std::vector<Oddity>& oddities);

}  // namespace reprise
