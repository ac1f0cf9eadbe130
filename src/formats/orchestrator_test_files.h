// State files of the orchestrator that tests read, our own, and what tests of all of them do alike.

#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "formats/oddities_for_tests.h"
#include "formats/playbook_test_files.h"
#include "model/orchestrator.h"
#include "testing/mutations.h"
#include "text/diff.h"

namespace reprise {

inline const std::string kEpicFile = R"(# kept by the harbour master
epic_state:
  epicId: EPIC-QUAY
  execution_plan: docs/epics/EPIC-QUAY-EXECUTION.yaml
  mode: interactive
  started_at: "2026-03-01T08:00:00Z"
  updated_at: "2026-03-01T09:30:00Z"
  status: active   # until the tide turns

  current_wave: 1
  total_waves: 2

  waves:
    1:
      name: "Piles & planks"
      status: completed
      tag: wave-1-complete
      stories:
        QUAY-1:
          status: completed
          branch: feat/quay-1-piles
          started_at: "2026-03-01T08:00:00Z"
          completed_at: "2026-03-01T08:40:00Z"
          executor: "@dev"
          quality_gate: "@architect"
          tests: "12/12"
        "2.1": { status: completed, executor: "@dev", commit: "1d7f8c0" }
    2:
      name: "Cranes"
      status: in_progress
      stories:
        story-2.2:
          status: in_progress
          branch: feat/2.2-hook
          started_at: "2026-03-01T09:00:00Z"
          completed_at: null
          executor: "@ux"
        2.10:
          status: pending
          started_at: null

  gate_verdicts:
    1: { status: "approved", agent: "@architect", at: "2026-03-01T08:50:00Z" }
  bug_verification: {}
)";

inline const std::string kPlanFile = R"(execution:
  epicId: EPIC-QUAY
  storyBasePath: docs/stories/quay
  stories:
    2.1:
      file: 2.1-piles.md
      title: Drive the piles
      executor: "@dev"
      quality_gate: "@architect"
      branch: feat/2.1
      key_files: [src/piles.c, src/planks.c]
    2.10:
      file: 2.10-crane.md
      title: Raise the crane
      executor: ux
  waves:
    - wave: 1
      name: "Piles"
      parallel: false
      stories: [2.1]
      dependencies: []
      gate: { agent: "@architect", focus: "does it hold" }
      merge: { order: ["2.1"] }
      tag: wave-1-complete
    - number: 2
      stories:
        - 2.10
      dependencies: [wave-1]
      gate_agent: "@qa"
      gate:
        focus:
          - reach
          - weight
      merge:
        order:
          - feat/2.10
  final_gate:
    agent: "@po"
)";

inline const std::string kReferenceLoop = R"({
  "storyId": "2.10",
  "currentIteration": 2,
  "maxIterations": 5,
  "status": "in_progress",
  "startedAt": "2026-03-01T08:00:00.000Z",
  "updatedAt": "2026-03-01T09:00:00.000Z",
  "harbour": {"berth": 4},
  "history": [
    {
      "iteration": 1,
      "reviewedAt": "2026-03-01T08:20:00.000Z",
      "verdict": "REJECT",
      "issuesFound": 3,
      "fixedAt": "2026-03-01T08:50:00.000Z",
      "issuesFixed": 3,
      "duration": 1800000
    },
    {
      "iteration": 2,
      "reviewedAt": "2026-03-01T09:00:00.000Z",
      "verdict": null
    }
  ]
}
)";
inline const std::string kCompactLoop =
    "{\r\n\t\"storyId\": \"QUAY-3\",\r\n\t\"iteration\": 1,\r\n\t\"maxIterations\": 5,\r\n\t\"status\": "
    "\"running\","
    "\r\n\t\"lastVerdict\": null,\r\n\t\"history\": []\r\n}";
inline const std::string kForkLoop =
    R"({"story_id": "QUAY-3", "iteration": 2, "status": "in_review", "issues_open": 1, "issues_resolved": 4})";

inline const std::string kRecordFlow = R"(execution_id: sdc-2026-03-01-001
workflow: sdc
current_story: "2.10"
started_at: 2026-03-01T08:00:00Z
current_phase: 3
current_agent: dev
status: active
phases_completed: [1, 2]
context:
  branch: feat/2.10
)";
inline const std::string kCheckpointFlow = R"(workflow: epic
current_story: docs/stories/2.10.story.md
current_phase: checkpoint
paused_at: "2026-03-01T10:00:00Z"
epic_id: EPIC-QUAY
epic_progress:
  completed_stories: ["2.1", "2.2"]
  next_story: "2.10"
  remaining_count: 3
)";
inline const std::string kInstanceFlow = R"(workflow_id: brownfield
instance_id: brownfield-7
status: paused
current_step_index: 1
steps:
  - name: survey
    status: completed
    agent: "@analyst"
    output: docs/survey.md
  - name: draft
    status: in_progress
artifacts:
  - docs/survey.md
  - path: docs/draft.md
decisions: []
)";
inline const std::string kCycleFlow = R"(workflowId: development-cycle
currentPhase: 2_development
currentStory: docs/stories/2.10.story.md
executor: '@dev'
qualityGate: '@architect'
attemptCount: 0
startedAt: 2026-03-01T08:00:00.000Z
lastUpdated: 2026-03-01T09:00:00.000Z
phaseResults:
  1_validation:
    status: completed
    validation_result:
      passed: true
  2_development:
    status: in_progress
    outputFile: |-
      /tmp/one
accumulatedContext: {}
)";
inline const std::string kMasterFlow = R"({
  "workflowId": "QUAY-3-1772352000000",
  "storyId": "QUAY-3",
  "currentEpic": 4,
  "status": "in_progress",
  "startedAt": "2026-03-01T08:00:00.000Z",
  "updatedAt": "2026-03-01T09:00:00.000Z",
  "epics": {
    "3": {"name": "Spec", "status": "completed"},
    "4": {"name": "Execution", "status": "in_progress"}
  }
}
)";
inline const Strings kFlowFiles = {kRecordFlow, kCheckpointFlow, kInstanceFlow, kCycleFlow, kMasterFlow};

/// What mutations put into such files.
inline const Strings& orchestrator_pieces() {
  static const Strings pieces = {
      "\n",       "\r\n", "\r",   "\"",    "'",      "{",     "}",       "[",
      "]",        ": ",   "- ",   "#",     " # x",   "|\n",   "\t",      "~",
      "?",        ",",    "&a",   "*a",    "!!str ", "null",  "  ",      std::string(1, '\0'),
      "\xFF",     "---",  "2.10", "@",     "{{x}}",  "a | b", "status:", "\"status\": \"done\",",
      "waves:\n", "é",    "\\",   "\"1\":"};
  return pieces;
}

/// The lines that a change takes away and adds.
inline std::string changed_lines(const std::string& before, const std::string& after) {
  std::string out, line;
  for (const char c : unified_diff(before, after, {"a", "b"})) {
    line += c;
    if (c != '\n') continue;
    const bool is_change = line[0] == '-' || line[0] == '+';
    if (is_change && !line.starts_with("---") && !line.starts_with("+++")) out += line;
    line.clear();
  }
  return out;
}

/// What became of a file that was cut or damaged.
struct Survival {
  int rounds = 0;
  int read = 0;
  int refused = 0;
  int changed = 0;
};

/// Reads and changes one file: it gives claims or one error that says something; a change that can be made is
/// made, can be read again, and made twice is made once.
template <typename Read, typename Change>
void survive(const std::string& bytes, Read read, Change change, Survival& count) {
  ++count.rounds;
  const auto claims = read(bytes);
  const Result<std::string> after = change(bytes);
  if (claims) {
    ++count.read;
  } else {
    ++count.refused;
    EXPECT_FALSE(claims.error().message.empty());
    const ErrorKind kind = claims.error().kind;
    EXPECT_TRUE(kind == ErrorKind::Corrupt || kind == ErrorKind::Invalid) << bytes;
    EXPECT_FALSE(after.has_value()) << bytes;
  }
  if (!after) {
    EXPECT_FALSE(after.error().message.empty());
    return;
  }
  ++count.changed;
  EXPECT_TRUE(read(*after).has_value()) << bytes << "\n===\n" << *after;
  const Result<std::string> twice = change(*after);
  ASSERT_TRUE(twice.has_value()) << *after;
  EXPECT_EQ(*twice, *after) << bytes;
}

template <typename Read, typename Change>
Survival survive_cuts(const std::string& file, Read read, Change change) {
  Survival count;
  for (std::size_t size = 0; size <= file.size(); ++size) survive(file.substr(0, size), read, change, count);
  return count;
}

template <typename Read, typename Change>
Survival survive_mutations(const Strings& files, int rounds, Read read, Change change) {
  Survival count;
  std::mt19937 random(20'260'301);
  while (count.rounds < rounds) {
    const std::string& file = files[static_cast<std::size_t>(count.rounds) % files.size()];
    const bool is_damage = random() % 4 == 0;
    const std::string bytes = is_damage ? damaged(file, kDamages[random() % kDamages.size()], random)
                                        : mutated(file, orchestrator_pieces(), random);
    survive(bytes, read, change, count);
  }
  return count;
}

inline Timestamp at(std::string_view text) { return parse_timestamp(text).value(); }

inline std::vector<TestFile> orchestrator_corpus(std::string_view kind) {
  return test_files_in(source_folder() / "../shared/corpus" / kind);
}

}  // namespace reprise
