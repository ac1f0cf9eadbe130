// The forms in which a known secret may be written: as it is, as JSON strings, percent-encoded for a URL.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reprise {

/// Returns every form in which `value` is looked for, with repetitions.
std::vector<std::string> forms_of(std::string_view value);

}  // namespace reprise
