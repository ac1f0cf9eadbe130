#include "formats/epic_state.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/strings.h"
#include "formats/orchestrator_words.h"
#include "formats/state_words.h"

namespace reprise {
namespace {

constexpr long long kWaveNumberMax = 1'000'000;

// The map that holds the state: below its root, or the file itself.
const StateValue* find_state(const StateValue& root) {
  const StateEntry* below = root.find_entry("epic_state");
  if (below != nullptr) return below->value.is_map() ? &below->value : nullptr;
  const StateEntry* stories = root.find_entry("stories");
  const bool has_waves = root.find_entry("waves") != nullptr || (stories != nullptr && stories->value.is_map());
  const bool has_epic = root.find_entry("epic_id") != nullptr || (has_waves && root.find_entry("epic") != nullptr);
  const bool has_place = root.find_entry("current_wave") != nullptr || has_epic;
  const bool is_plan = root.find_entry("execution") != nullptr || root.find_entry("story_base_path") != nullptr;
  return has_place && !is_plan && (has_waves || root.find_entry("status") != nullptr) ? &root : nullptr;
}

bool says_anything(const StateValue& state) {
  return state.find({"epic_id", "epic", "status", "waves", "stories", "current_wave", "execution_plan"}) !=
         nullptr;
}

int last_line_in(const StateValue& value) {
  int last = value.line;
  for (const StateEntry& entry : value.entries) last = std::max({last, entry.line, last_line_in(entry.value)});
  for (const StateValue& element : value.elements) last = std::max(last, last_line_in(element));
  return last;
}

// Why a state that has no error in it ends too early: a careful reader would not take a story without a status, or
// an epic without stories, for the whole. "" if nothing says so.
std::string why_unfinished(const StateTree& tree, const StateValue& state, const EpicClaims& claims) {
  constexpr std::string_view kEnd = "it was probably not written to its end: ";
  if (tree.damaged || tree.last_line == 0) return "";
  if (std::string why = why_cut_off(tree, claims.oddities); !why.empty()) return std::string(kEnd) + why;
  const StateEntry* waves = state.find_entry("waves");
  if (waves == nullptr && claims.waves.empty()) return std::string(kEnd) + "it lists neither waves nor stories";
  if (claims.waves.empty() || last_line_in(waves == nullptr ? state : waves->value) < tree.last_line) return "";
  const ClaimedWave& wave = claims.waves.back();
  const bool says_nothing = wave.status == WaveStatus::Missing && wave.stories.empty();
  if (says_nothing && !wave.is_flat)
    return std::string(kEnd) + "wave " + wave.number + " has no status and no stories";
  const bool is_bare = !wave.stories.empty() && wave.stories.back().status == EpicStoryStatus::Missing;
  return is_bare ? std::string(kEnd) + "story " + wave.stories.back().id + " has no status" : "";
}

class EpicStateReader {
 public:
  explicit EpicStateReader(EpicClaims& claims) : claims_(claims), read_(claims.oddities) {}

  void read(const StateValue& state) {
    read_header(state);
    for (const StateItem& item : read_.items(state.find("waves"), {"wave", "number", "id"})) read_wave(item);
    sort_waves();
    read_flat_stories(state.find("stories"));
    for (const StateItem& item : read_.items(state.find("gate_verdicts"), {"gate", "wave", "id"})) {
      read_verdict(wave_number(item.id), *item.value, item.line);
    }
    if (const StateEntry* gate = state.find_entry("final_gate")) read_verdict("final", gate->value, gate->line);
  }

 private:
  void read_header(const StateValue& state) {
    claims_.id = read_.text(state.find({"epic_id", "epic", "id"}));
    claims_.status = read_.word(state.find("status"), claims_.status_word, epic_status_of);
    claims_.execution_plan = read_.text(state.find({"execution_plan", "execution_plan_path", "plan"}));
    claims_.mode = read_.text(state.find("mode"));
    claims_.started_at = read_.time(state.find({"started_at", "created_at"}));
    claims_.updated_at = read_.time(state.find({"updated_at", "last_updated"}));
    claims_.current_wave = wave_number(read_.text(state.find("current_wave")));
    claims_.total_waves = read_.number(state.find("total_waves"));
  }

  void read_wave(const StateItem& item) {
    ClaimedWave wave;
    wave.number = wave_number(item.id);
    wave.line = item.line;
    if (!wave_numbers_.insert(wave.number).second) {
      read_.odd(*item.value, item.id, "a second wave with this number");
    }
    if (!item.value->is_map()) {
      wave.status = read_.word(item.value, wave.status_word, wave_status_of);
      claims_.waves.push_back(std::move(wave));
      return;
    }
    wave.name = read_.text(item.value->find({"name", "title"}));
    wave.status = read_.word(item.value->find("status"), wave.status_word, wave_status_of);
    wave.tag = read_.text(item.value->find("tag"));
    for (const StateItem& story : read_.items(item.value->find("stories"), {"id", "story", "story_id"})) {
      wave.stories.push_back(story_of(story));
    }
    if (const StateEntry* gate = item.value->find_entry("gate_verdict")) {
      read_verdict(wave.number, gate->value, gate->line);
    }
    claims_.waves.push_back(std::move(wave));
  }

  // Stories that stand beside the waves, or instead of them.
  void read_flat_stories(const StateValue* stories) {
    ClaimedWave flat{.is_flat = true};
    for (const StateItem& story : read_.items(stories, {"id", "story", "story_id"}))
      flat.stories.push_back(story_of(story));
    if (flat.stories.empty()) return;
    flat.line = flat.stories.front().line;
    claims_.waves.push_back(std::move(flat));
  }

  ClaimedStory story_of(const StateItem& item) {
    ClaimedStory story;
    story.id = item.id;
    story.line = item.line;
    const StateValue& value = *item.value;
    if (!value.is_map()) {
      const bool is_only_id = value.text == item.id;
      if (!is_only_id) story.status = read_.word(&value, story.status_word, epic_story_status_of);
      return story;
    }
    story.status = read_.word(value.find("status"), story.status_word, epic_story_status_of);
    story.branch = read_.text(value.find("branch"));
    story.executor = read_.agent(value.find({"executor", "agent"}));
    story.quality_gate = read_.agent(value.find("quality_gate"));
    story.started_at = read_.time(value.find("started_at"));
    story.completed_at = read_.time(value.find("completed_at"));
    story.commit = read_.text(value.find({"commit", "commit_hash", "commit_sha"}));
    return story;
  }

  void read_verdict(std::string gate, const StateValue& value, int line) {
    ClaimedVerdict verdict;
    verdict.gate = to_lower(gate).starts_with("final") ? "final" : std::move(gate);
    verdict.line = line;
    if (value.is_map()) {
      verdict.verdict = verdict_word(value);
      verdict.agent = read_.agent(value.find({"agent", "reviewer"}));
      verdict.at = read_.time(value.find({"at", "timestamp", "reviewed_at"}));
    } else {
      verdict.verdict = known_verdict(&value);
    }
    if (!verdict.verdict.empty()) add(std::move(verdict), value);
  }

  // Some files say it twice, as `status` and as `verdict`. Of two that differ the worse one counts.
  std::string verdict_word(const StateValue& value) {
    const StateValue* second = value.find("verdict");
    const std::string status = known_verdict(value.find("status"));
    const std::string verdict = known_verdict(second);
    if (status.empty() || verdict.empty() || status == verdict) return status.empty() ? verdict : status;
    read_.odd(*second, second->text, "status and verdict of this gate differ");
    return status == "approved" ? verdict : status;
  }

  std::string known_verdict(const StateValue* value) {
    const std::string written = read_.text(value);
    if (written.empty() || leading_token(written) == "pending") return "";
    std::string verdict = gate_verdict_of(written);
    if (verdict != "approved" && verdict != "rejected") read_.odd(*value, written, "an unknown verdict");
    return verdict;
  }

  void add(ClaimedVerdict verdict, const StateValue& at) {
    const auto [place, is_new] = gates_.try_emplace(verdict.gate, claims_.verdicts.size());
    if (is_new) {
      claims_.verdicts.push_back(std::move(verdict));
      return;
    }
    ClaimedVerdict* const before = &claims_.verdicts[place->second];
    if (before->verdict != verdict.verdict) {
      read_.odd(at, verdict.verdict,
                "a second verdict for this gate, other than the one in line " + std::to_string(before->line));
      if (before->verdict == "approved") before->verdict = verdict.verdict;
    }
    if (before->agent.empty()) before->agent = std::move(verdict.agent);
    if (!before->at) before->at = verdict.at;
  }

  void sort_waves() {
    const auto number = [](const ClaimedWave& wave) {
      return parse_number(wave.number, kWaveNumberMax).value_or(kWaveNumberMax + 1);
    };
    std::ranges::stable_sort(claims_.waves, {}, number);
  }

  EpicClaims& claims_;
  StateReader read_;
  std::set<std::string> wave_numbers_;
  std::map<std::string, std::size_t> gates_;  // where each one's verdict is
};

}  // namespace

Result<EpicClaims> read_epic_state(std::string_view bytes, std::string_view file) {
  return epic_claims_of(TRY(read_state_tree(bytes, file)), file);
}

Result<EpicClaims> epic_claims_of(const StateTree& tree, std::string_view file) {
  const StateValue* state = find_state(tree.root);
  if (state == nullptr || !says_anything(*state)) {
    const StateEntry* root = tree.root.find_entry("epic_state");
    const bool is_cut = !tree.damaged && root != nullptr && tree.root.entries.size() == 1;
    if (!is_cut) return fail(not_such_a_state(tree, "an epic state", file));
    return fail(
        Error{.kind = ErrorKind::Corrupt,
              .message = "is not an epic state beyond its first key; it was probably not written to its end",
              .file = std::string(file)});
  }
  EpicClaims claims;
  claims.damaged = tree.damaged;
  claims.oddities = tree.oddities;
  EpicStateReader(claims).read(*state);
  const std::string why = why_unfinished(tree, *state, claims);
  if (!why.empty()) {
    claims.damaged = true;
    claims.oddities.insert(claims.oddities.begin(), {tree.last_line, printable_line(tree.last_text, 100), why});
  }
  return claims;
}

}  // namespace reprise
