// The spec pipeline's resume point: gather, assess, research, write or critique, from the artifacts in its folder
// (OR-06). The artifacts decide; the word in its state file is only compared with them.
//
// A simple spec skips assess and research. A critique that asks for a revision leads back to writing, one that
// blocks stops everything. An artifact that is gone while a later one is there makes its phase run again.

#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "planner/orchestrator_course.h"

namespace reprise {

enum class SpecPhase { Gather, Assess, Research, Write, Critique };
struct SpecPhaseRow {
  std::string_view name;
  std::string_view agent;
  std::string_view state_word;  // of the state file when this phase is done
};
inline constexpr std::array kSpecPhases = {SpecPhaseRow{"gather", "pm", "requirements_gathered"},
                                           SpecPhaseRow{"assess", "architect", "complexity_assessed"},
                                           SpecPhaseRow{"research", "analyst", "research_complete"},
                                           SpecPhaseRow{"write", "pm", "spec_written"},
                                           SpecPhaseRow{"critique", "qa", "critique_complete"}};

enum class SpecSize { Unsaid, Simple, Larger };

/// One situation of one phase.
struct SpecSituation {
  SpecPhase phase = SpecPhase::Gather;
  bool made = false;        // its artifact is there
  bool later_made = false;  // one of a later phase is
  SpecSize size = SpecSize::Unsaid;
  SpecVerdict verdict = SpecVerdict::None;
  bool skips = false;  // nothing says how large it is, and there is a spec but neither assessment nor research
};

/// A row fits if everything it names is so; the first row that fits decides.
struct SpecRow {
  std::string_view label;
  std::optional<SpecPhase> phase = {};
  std::optional<bool> made = {};
  std::optional<bool> later_made = {};
  std::optional<SpecSize> size = {};
  std::optional<SpecVerdict> verdict = {};
  std::optional<bool> skips = {};
  Decision decision = Decision::Run;
  std::string_view reason = {};
};

// clang-format off
inline constexpr std::array kSpecRows = {
    SpecRow{.label = "OR-06 assess skipped", .phase = SpecPhase::Assess, .size = SpecSize::Simple, .decision = Decision::Keep,
            .reason = "a simple spec needs no assessment"},
    SpecRow{.label = "OR-06 research skipped", .phase = SpecPhase::Research, .size = SpecSize::Simple, .decision = Decision::Keep,
            .reason = "a simple spec needs no research"},
    SpecRow{.label = "OR-06 assess passed over", .phase = SpecPhase::Assess, .made = false, .skips = true, .decision = Decision::Keep,
            .reason = "the spec was written without assessment and research, as a simple one is"},
    SpecRow{.label = "OR-06 research passed over", .phase = SpecPhase::Research, .made = false, .skips = true, .decision = Decision::Keep,
            .reason = "the spec was written without assessment and research, as a simple one is"},
    SpecRow{.label = "OR-06 revise", .phase = SpecPhase::Write, .made = true, .verdict = SpecVerdict::NeedsRevision, .decision = Decision::Rerun,
            .reason = "the critique asks for a revision"},
    SpecRow{.label = "OR-06 critique halts", .phase = SpecPhase::Critique, .made = true, .verdict = SpecVerdict::Blocked, .decision = Decision::Refuse,
            .reason = "the critique blocks the spec"},
    SpecRow{.label = "OR-06 critique revised", .phase = SpecPhase::Critique, .made = true, .verdict = SpecVerdict::NeedsRevision, .decision = Decision::Rerun,
            .reason = "the revised spec is criticised again"},
    SpecRow{.label = "OR-06 critique open", .phase = SpecPhase::Critique, .made = true, .verdict = SpecVerdict::None, .decision = Decision::Rerun,
            .reason = "the critique gives no verdict"},
    SpecRow{.label = "OR-06 critique unknown", .phase = SpecPhase::Critique, .made = true, .verdict = SpecVerdict::Unknown, .decision = Decision::Rerun,
            .reason = "the critique's verdict is not one that is known"},
    SpecRow{.label = "OR-06 spec made", .made = true, .decision = Decision::Keep,
            .reason = "what it makes is there"},
    SpecRow{.label = "OR-07 spec gone", .made = false, .later_made = true, .decision = Decision::Rerun,
            .reason = "what it makes is not there, though something later is"},
    SpecRow{.label = "OR-06 spec next", .made = false, .later_made = false, .decision = Decision::Run,
            .reason = "what it makes is not there yet"},
};
// clang-format on
inline constexpr std::string_view kSpecNothingLabel = "OR-06 spec nothing";
inline constexpr std::string_view kSpecDoneLabel = "OR-06 spec done";

const SpecRow& decide(const SpecSituation& situation);

/// Returns where the spec pipeline of a snapshot stands.
WorkflowCourse course_of_spec_pipeline(const OrchestratorSnapshot& snapshot);

}  // namespace reprise
