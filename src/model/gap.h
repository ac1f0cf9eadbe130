// The words for a gap: something that a spec leaves open. Workers report gaps, a spec loop asks people about them.

#pragma once

#include <string>
#include <string_view>

#include "model/status.h"

namespace reprise {

enum class GapPriority { Unknown, Critical, Important, Minor };
inline constexpr TokenTable<GapPriority, 4> kGapPriorityTokens = {{{GapPriority::Unknown, "unknown"},
                                                                   {GapPriority::Critical, "critical"},
                                                                   {GapPriority::Important, "important"},
                                                                   {GapPriority::Minor, "minor"}}};
constexpr std::string_view to_token(GapPriority priority) { return token_in(kGapPriorityTokens, priority); }

enum class GapStatus { Unknown, Pending, Clarifying, Resolved, Deferred, KnownGap };
inline constexpr TokenTable<GapStatus, 6> kGapStatusTokens = {{{GapStatus::Unknown, "unknown"},
                                                               {GapStatus::Pending, "pending"},
                                                               {GapStatus::Clarifying, "clarifying"},
                                                               {GapStatus::Resolved, "resolved"},
                                                               {GapStatus::Deferred, "deferred"},
                                                               {GapStatus::KnownGap, "known_gap"}}};
constexpr std::string_view to_token(GapStatus status) { return token_in(kGapStatusTokens, status); }

/// Returns the priority as workers and index files write it: "Critical".
inline std::string title_of(GapPriority priority) {
  std::string title(to_token(priority));
  title[0] = static_cast<char>(title[0] - 'a' + 'A');
  return title;
}

/// Whether a spec is not complete while such a gap is open: minor ones are put off.
constexpr bool matters(GapPriority priority) { return priority != GapPriority::Minor; }

/// Returns which gaps that matter a validation found, in an order of their own: of `result`, which has a line with
/// id and priority for each. Two validations that give the same brought nothing new.
std::string open_gaps(std::string_view result);

}  // namespace reprise
