// A phase plan: lanes that can be worked on side by side, what each waits for, and its tasks. Plain data.
//
// As read it is sound: names are fit for branches and folders, lanes and tasks that are named exist, nothing waits
// for itself, and every lane has tasks and at least one test command.

#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

/// An interface that must be frozen before those who build on it may begin.
struct PhaseGate {
  std::string id;  // "IF-0-P1-SCHEMA"
  std::string text;
  bool checked = false;
  int line = 0;
  bool operator==(const PhaseGate&) const = default;
};

struct LaneTask {
  std::string id;
  std::string type;                // in lower case: "test", "impl", "verify"
  std::vector<std::string> needs;  // tasks of the same lane; where none is given, the one before it
  std::vector<std::string> files_in_scope;
  std::vector<std::string> tests_owned;
  std::vector<std::string> test_commands;  // shell lines
  std::string acceptance;
  int line = 0;
  bool operator==(const LaneTask&) const = default;
};

enum class ParallelSafe { NotSaid, Yes, No, Mixed };

struct PlanLane {
  std::string id;
  std::string name;
  std::vector<std::string> depends_on;  // lanes, as the index has them
  std::vector<std::string> gates;       // that it or one of its tasks waits for
  std::vector<std::string> blocks;      // lanes and gates, as the index has them
  std::vector<std::string> provides;    // gates, by its own section
  ParallelSafe parallel_safe = ParallelSafe::NotSaid;
  int retries = 0;
  int line = 0;
  std::vector<LaneTask> tasks;

  std::vector<std::string> needs;       // what follows: all lanes that must be done before it
  std::vector<std::string> open_gates;  // what follows: gates not ticked that no lane of this plan provides
  bool operator==(const PlanLane&) const = default;
};

struct PhasePlan {
  std::string file;
  std::string phase;  // "P1"
  std::string name;
  std::vector<PhaseGate> gates;
  std::vector<PlanLane> lanes;

  /// Returns the lane with this id; null if there is none.
  const PlanLane* find_lane(std::string_view id) const {
    const auto found = std::ranges::find(lanes, id, &PlanLane::id);
    return found == lanes.end() ? nullptr : &*found;
  }
  bool operator==(const PhasePlan&) const = default;
};

/// Whether `text` may be the name of a phase, a lane or a task, which become parts of branch names and folders:
/// [A-Za-z0-9][A-Za-z0-9._-]{0,63}, without "..", and not ending in "." or ".lock".
constexpr bool is_lane_name(std::string_view text) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  if (text.empty() || text.size() > 64 || !is_plain(text[0])) return false;
  const bool is_made_of_these =
      std::ranges::all_of(text, [&](char c) { return is_plain(c) || c == '.' || c == '_' || c == '-'; });
  return is_made_of_these && text.find("..") == text.npos && !text.ends_with('.') && !text.ends_with(".lock");
}

}  // namespace reprise
