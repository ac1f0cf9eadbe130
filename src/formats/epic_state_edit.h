// Changes of the epic's state file, and a new one. What is changed stays in the form that the file has: its keys,
// quotes, braces, "@" in front of agents. A word that already means the same stays ("done" is "completed").

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/orchestrator.h"

namespace reprise {

/// What a story is to say. What is not given stays.
struct EpicStoryChange {
  std::string wave = {};  // its number; "" for the one that has the story
  std::string id;
  std::optional<EpicStoryStatus> status = {};
  std::optional<std::string> branch = {};
  std::optional<Timestamp> started_at = {};
  std::optional<Timestamp> completed_at = {};
  bool clear_completed_at = false;  // it is worked on again
  std::optional<std::string> executor = {};
  std::optional<std::string> quality_gate = {};
  std::optional<std::string> commit = {};
};

struct WaveChange {
  std::string number;
  std::optional<WaveStatus> status = {};
  std::optional<std::string> name = {};
  std::optional<std::string> tag = {};
};

struct VerdictChange {
  std::string gate;     // a wave's number, or "final"
  std::string verdict;  // approved or rejected
  std::string agent = {};
  std::optional<Timestamp> at = {};
  std::string notes = {};
};

struct EpicChange {
  std::optional<EpicStatus> status = {};
  std::optional<Timestamp> updated_at = {};
  std::optional<std::string> current_wave = {};
  std::optional<long long> total_waves = {};
  std::vector<WaveChange> waves = {};
  std::vector<EpicStoryChange> stories = {};
  std::vector<VerdictChange> verdicts = {};
};

/// Returns the file with the change made; waves, stories and verdicts that are missing are added. The same twice
/// is once. Invalid: not an epic state, or a new story without its wave. Corrupt: damaged. Unavailable: a place
/// that is not changed in place.
Result<std::string> change_epic_state(std::string_view bytes, const EpicChange& change);

/// What a new file begins with.
struct NewEpicState {
  std::string id;
  std::string execution_plan = {};
  std::string mode = "interactive";
  Timestamp started_at = {};
  std::string current_wave = "1";
  std::vector<ClaimedWave> waves = {};  // numbers, names, tags; stories with ids, branches and agents
};

/// Returns a new file: active, waves and stories pending where they have no status.
std::string new_epic_state(const NewEpicState& epic);

}  // namespace reprise
