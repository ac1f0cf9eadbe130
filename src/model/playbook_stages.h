// The playbook's stages and checkpoints as tables: their order, what each leaves behind, how often it may be
// tried, what the seed says to do when it was cut off, and which gate of a run a person's box stands for.

#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace reprise {

/// What the seed says to do with a stage that was cut off.
enum class StageResume { Again, Continue, ContinueIfPartial };

/// One stage of the playbook: in the order in which they run.
struct PlaybookStageSpec {
  std::string_view name;
  std::string_view artifact;    // what it leaves in the feature's folder, "" if it has no file of its own
  std::string_view checkpoint;  // the box that a person ticks before the next stage, "" if none
  StageResume resume;
  int budget;  // further attempts after the first
};

// clang-format off
inline constexpr std::array kPlaybookStages = {
    PlaybookStageSpec{"spec",        "feature.spec.md",       "",                       StageResume::Continue,          2},
    PlaybookStageSpec{"clarify",     "feature.spec.md",       "Spec approval",          StageResume::Continue,          1},
    PlaybookStageSpec{"architect",   "adr.md",                "Architecture sign-off",  StageResume::Again,             2},
    PlaybookStageSpec{"tasks",       "tasks.md",              "",                       StageResume::Again,             1},
    PlaybookStageSpec{"tdd",         "test-certification.md", "",                       StageResume::ContinueIfPartial, 3},
    PlaybookStageSpec{"programmer",  "",                      "Convergence escalation", StageResume::Continue,          5},
    PlaybookStageSpec{"testrunner",  "test-report.md",        "",                       StageResume::Again,             2},
    PlaybookStageSpec{"code-review", "code-review.md",        "",                       StageResume::Again,             1},
    PlaybookStageSpec{"security",    "security-review.md",    "Security sign-off",      StageResume::Again,             1},
    PlaybookStageSpec{"refactor",    "refactor-notes.md",     "",                       StageResume::Again,             1},
};

/// A person's checkpoint, and the gate of a run that it stands for. The escalation is asked only when the stage
/// itself gives up, so its gate is the stage's.
struct PlaybookCheckpoint {
  std::string_view box;
  std::string_view gate;
  std::string_view stage;  // the one that comes before it
};
inline constexpr std::array kPlaybookCheckpoints = {
    PlaybookCheckpoint{"Spec approval",          "spec-approval",         "clarify"},
    PlaybookCheckpoint{"Architecture sign-off",  "architecture-sign-off", "architect"},
    PlaybookCheckpoint{"Convergence escalation", "programmer",            "programmer"},
    PlaybookCheckpoint{"Security sign-off",      "security-sign-off",     "security"},
};
// clang-format on

/// Returns the place of `name` among the stages; their number if it is none of them.
constexpr std::size_t index_of_stage(std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(kPlaybookStages, name, &PlaybookStageSpec::name) -
                                  kPlaybookStages.begin());
}

}  // namespace reprise
