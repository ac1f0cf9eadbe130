// The words of the orchestrator's state files: statuses and verdicts with their synonyms, agents, ids; and how a
// value of such a file is read, so that what was not understood is listed with its line.
//
// A word that is not known is Unknown, never the nearest one. One that stands for nothing is Missing, and so is
// one that a template left to be filled in, which is listed.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/state_tree.h"
#include "model/orchestrator.h"

namespace reprise {

/// The word that is written for a value. Missing and Unknown have none: "".
std::string_view word_of(EpicStatus status);
std::string_view word_of(WaveStatus status);
std::string_view word_of(EpicStoryStatus status);
std::string_view word_of(FlowStatus status);
std::string_view word_of(QaVerdict verdict);
/// The same in the words of a QA loop's dialect: "compact" says "running" where "reference" says "in_progress".
std::string_view word_of(QaLoopStatus status, std::string_view dialect);

/// What a word of a file means, whatever its case and spelling; Unknown for other words.
EpicStatus epic_status_of(std::string_view word);
WaveStatus wave_status_of(std::string_view word);
EpicStoryStatus epic_story_status_of(std::string_view word);
FlowStatus flow_status_of(std::string_view word);
QaLoopStatus qa_loop_status_of(std::string_view word);
QaVerdict qa_verdict_of(std::string_view word);
SpecVerdict spec_verdict_of(std::string_view word);
/// A gate's verdict: "approved" or "rejected" for their synonyms, else the word in lower case.
std::string gate_verdict_of(std::string_view word);

/// Returns an agent's name without "@" in front.
std::string agent_name(std::string_view written);
/// Returns the number of a wave: "1" for "1", "wave-1" and "Wave 1".
std::string wave_number(std::string_view written);
/// Whether two ids name the same story: letters' case and the word "story" in front do not count.
bool is_same_story(std::string_view a, std::string_view b);

/// Whether a value is a template's gap: alternatives, `{{x}}`, `<x>`, `STORY-{id}`.
bool is_gap(std::string_view value);

/// Something that has an id: an entry of a map, or an element of a list that names itself.
struct StateItem {
  std::string id;  // as written
  const StateValue* value = nullptr;
  int line = 0;
};

/// Reads values of one file and lists what was not understood.
class StateReader {
 public:
  explicit StateReader(std::vector<Oddity>& oddities) : oddities_(oddities) {}

  void odd(const StateValue& at, std::string_view text, std::string why);

  /// Returns a text; "" for nothing, a word that stands for nothing, or a gap.
  std::string text(const StateValue* value);
  std::string agent(const StateValue* value) { return agent_name(text(value)); }
  /// Reads a time: as people write it, or as milliseconds or seconds since 1970.
  std::optional<ClaimedTime> time(const StateValue* value);
  std::optional<long long> number(const StateValue* value);
  /// Returns the number in a key: 3 for "3", "iteration-3" and "Iteration 3"; nothing if there is none.
  static std::optional<long long> number_in(std::string_view key);
  bool flag(const StateValue* value, bool otherwise);
  /// Returns the texts of a list, or of a text with commas; of a list of maps what `name` finds in each.
  std::vector<std::string> list(const StateValue* value, std::string_view name = "");

  /// Returns what a map holds by its keys, or a list by the first of `names` that each element has; an element
  /// that is a text is its own id.
  std::vector<StateItem> items(const StateValue* value, std::initializer_list<std::string_view> names);

  /// Reads a word into `written`, and what it means.
  template <typename Status>
  Status word(const StateValue* value, std::string& written, Status (*meaning)(std::string_view)) {
    written = text(value);
    if (written.empty()) return Status{};  // the first of each: Missing or None
    const Status status = meaning(written);
    if (status == Status::Unknown) odd(*value, written, "an unknown word; it is kept as it is");
    return status;
  }

 private:
  std::vector<Oddity>& oddities_;
};

}  // namespace reprise
