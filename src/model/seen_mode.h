// Whether files that a gate shows may be executed: part of what a person approves, though not of a file's content.
//
// The signature of a file ends with it: ":x" if its owner may execute it, ":-" if not. That of a folder is
// "folder:" with "-", or with "x" and a digest of the paths below it that may be executed. Signatures that earlier
// versions recorded do not have it; they are compatible with every mode, so that approvals of those versions hold.

#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "model/event.h"

namespace reprise {

/// Returns the mode at the end of a signature: "x…" or "-"; "" if it was not recorded.
inline std::string_view mode_in(std::string_view signature) {
  const std::size_t colon = signature.rfind(':');
  if (colon == std::string_view::npos) return "";
  const std::string_view last = signature.substr(colon + 1);
  return last == "-" || last.starts_with('x') ? last : std::string_view();
}

/// Whether both modes are known and differ.
inline bool has_other_mode(const SeenFile& a, const SeenFile& b) {
  const std::string_view before = mode_in(a.signature);
  const std::string_view now = mode_in(b.signature);
  return !before.empty() && !now.empty() && before != now;
}

/// Whether a gate shows the same in both lists: the same files with the same content and, where both are known,
/// the same modes.
inline bool same_shown(const std::vector<SeenFile>& a, const std::vector<SeenFile>& b) {
  return same_content(a, b) &&
         std::ranges::equal(a, b, [](const SeenFile& x, const SeenFile& y) { return !has_other_mode(x, y); });
}

}  // namespace reprise
