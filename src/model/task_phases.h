// The phases of the task pipeline and the way each tier takes through them (TP-04).

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "model/status.h"

namespace reprise {

/// Ordered: an earlier phase compares less.
enum class TaskPhase : std::uint8_t { P0, P1, P2, P3, P4, P5, P6, P7, P8 };
inline constexpr std::size_t kTaskPhases = 9;

enum class TaskTier : std::uint8_t { Trivial, Standard, Complex };

inline constexpr TokenTable<TaskPhase, kTaskPhases> kTaskPhaseTokens = {{{TaskPhase::P0, "P0"},
                                                                         {TaskPhase::P1, "P1"},
                                                                         {TaskPhase::P2, "P2"},
                                                                         {TaskPhase::P3, "P3"},
                                                                         {TaskPhase::P4, "P4"},
                                                                         {TaskPhase::P5, "P5"},
                                                                         {TaskPhase::P6, "P6"},
                                                                         {TaskPhase::P7, "P7"},
                                                                         {TaskPhase::P8, "P8"}}};
inline constexpr TokenTable<TaskTier, 3> kTaskTierTokens = {
    {{TaskTier::Trivial, "TRIVIAL"}, {TaskTier::Standard, "STANDARD"}, {TaskTier::Complex, "COMPLEX"}}};

constexpr std::string_view to_token(TaskPhase phase) { return token_in(kTaskPhaseTokens, phase); }
constexpr std::string_view to_token(TaskTier tier) { return token_in(kTaskTierTokens, tier); }

/// What a phase is for.
inline constexpr std::array<std::string_view, kTaskPhases> kTaskPhaseNames = {
    "pre-design", "design", "research", "plan", "plan-verify", "orchestrate", "execution", "verify", "delivery"};
constexpr std::string_view phase_name(TaskPhase phase) { return kTaskPhaseNames[static_cast<std::size_t>(phase)]; }

/// The phases that a tier goes through, in order.
inline constexpr std::array kTrivialPhases = {TaskPhase::P0, TaskPhase::P6, TaskPhase::P8};
inline constexpr std::array kStandardPhases = {TaskPhase::P0, TaskPhase::P1, TaskPhase::P2, TaskPhase::P3,
                                               TaskPhase::P6, TaskPhase::P7, TaskPhase::P8};
inline constexpr std::array kComplexPhases = {TaskPhase::P0, TaskPhase::P1, TaskPhase::P2,
                                              TaskPhase::P3, TaskPhase::P4, TaskPhase::P5,
                                              TaskPhase::P6, TaskPhase::P7, TaskPhase::P8};
constexpr std::span<const TaskPhase> phases_of(TaskTier tier) {
  switch (tier) {
    case TaskTier::Trivial: return kTrivialPhases;
    case TaskTier::Standard: return kStandardPhases;
    case TaskTier::Complex: return kComplexPhases;
  }
  return kComplexPhases;
}
constexpr bool is_on_path(TaskTier tier, TaskPhase phase) {
  const auto path = phases_of(tier);
  return std::find(path.begin(), path.end(), phase) != path.end();
}

}  // namespace reprise
