#include "planner/epic_rules.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/check.h"
#include "base/strings.h"
#include "planner/orchestrator_tables.h"
#include "planner/row_fit.h"

namespace reprise {
namespace {

class EpicCourse {
 public:
  explicit EpicCourse(const OrchestratorSnapshot& snapshot) : seen_(snapshot), claims_(snapshot.epic) {}

  WorkflowCourse make() {
    const EpicStatusRow& row = decide(claims_.status);
    out_ = {.course = row.course, .rule = row.label, .reason = row.reason};
    const std::vector<EpicWave> waves = waves_of(seen_);
    read_verdicts();
    const std::size_t reached = wave_reached(waves);
    for (std::size_t i = 0; i < waves.size(); ++i) add_wave(waves[i], i < reached);
    add_final_gate();
    find_course(waves.empty());
    if (out_.course == Course::GoOn || out_.course == Course::Wait) find_differences(waves);
    list_oddities(claims_.oddities, out_.findings);
    return std::move(out_);
  }

 private:
  // The last wave that the state says is under way. A state that does not list its waves has passed all before it.
  std::size_t wave_reached(const std::vector<EpicWave>& waves) const {
    std::size_t reached = 0;
    for (std::size_t i = 0; i < waves.size(); ++i) {
      const bool is_current =
          !claims_.current_wave.empty() && number_of_wave(waves[i].number) == number_of_wave(claims_.current_wave);
      const bool is_begun = std::ranges::any_of(waves[i].stories, [](const WaveStory& story) {
        return story.claim != nullptr && story.claim->status >= EpicStoryStatus::InProgress &&
               story.claim->status != EpicStoryStatus::Skipped;
      });
      if (is_current || is_begun) reached = i;
    }
    return reached;
  }

  void add_wave(const EpicWave& wave, bool is_passed) {
    const std::string name = names_.path_for("wave-" + number_of_wave(wave.number));
    const std::size_t first = out_.steps.size();
    PathNames names;
    const std::string gate = name + "/" + names.path_for("gate");
    for (const WaveStory& story : wave.stories) add_story(name + "/" + names.path_for(story.id), story);
    ++level_;
    const bool open = std::ranges::any_of(out_.steps.begin() + static_cast<std::ptrdiff_t>(first),
                                          out_.steps.end(), [](const CourseStep& step) { return !is_kept(step); });
    compare_wave(wave, name, open);
    open_ = open_ || open;
    const WaveStatus status = wave.claim != nullptr ? wave.claim->status
                              : is_passed           ? WaveStatus::Completed
                                                    : WaveStatus::Pending;
    add_gate(gate, wave.number, status, wave.planned == nullptr ? "" : wave.planned->gate_agent);
  }

  void add_story(std::string path, const WaveStory& story) {
    const StorySeen* seen = find_story(seen_, story.id);
    EpicStorySituation situation{.claimed =
                                     story.claim == nullptr ? EpicStoryStatus::Pending : story.claim->status};
    if (seen != nullptr && seen->exists) situation.story = seen->claims.status;
    situation.accepted = is_accepted(situation);
    const EpicStoryRow& row = decide(situation);
    CourseStep step = make_step(std::move(path), level_, row.decision, row.label, row.reason);
    step.story = story.id;
    step.agent = agent_for(story, seen);
    if (seen != nullptr && seen->exists) step.inputs = {seen->path};
    if (seen != nullptr) step.outputs = seen->claims.files;
    add_story_evidence(step, story, seen);
    const bool is_closed = seen != nullptr && !seen->unreadable.empty();
    if (row.decision == Decision::Refuse && !is_closed && situation.story &&
        file_of(situation.story) == StoryFile::Unclear) {
      out_.findings.push_back(
          make_finding(row.label, "story_unclear", Severity::Blocking,
                       "story " + printable_line(story.id, 80) + ": " + std::string(row.reason)));
    }
    if (row.decision == Decision::Wait) {
      out_.waiting_for.push_back({"question", step.decision.step.text,
                                  "story " + printable_line(story.id, 80) + " is blocked. Retry or skip it?"});
    }
    out_.steps.push_back(std::move(step));
  }

  bool is_accepted(const EpicStorySituation& situation) const {
    if (!situation.story) return false;
    const StatusRow& row = decide(situation.claimed, *situation.story);
    return !row.code.empty() && seen_.accepted.contains(std::string(row.code));
  }

  static std::string agent_for(const WaveStory& story, const StorySeen* seen) {
    if (seen != nullptr && !seen->claims.executor.empty()) return seen->claims.executor;
    if (story.claim != nullptr && !story.claim->executor.empty()) return story.claim->executor;
    if (story.planned != nullptr && !story.planned->executor.empty()) return story.planned->executor;
    return "dev";
  }

  void add_story_evidence(CourseStep& step, const WaveStory& story, const StorySeen* seen) const {
    if (story.claim == nullptr) {
      add_evidence(step, "claim", seen_.state_file, "not listed");
    } else {
      add_evidence(step, "claim", seen_.state_file + " line " + std::to_string(story.claim->line),
                   story.claim->status_word.empty() ? "no status" : quoted_line(story.claim->status_word));
    }
    if (seen == nullptr || !seen->exists) {
      add_evidence(step, "file", "story " + printable_line(story.id, 80), "missing");
    } else {
      add_evidence(step, "file", seen->path,
                   seen->claims.status_word.empty() ? "no status"
                                                    : "line " + std::to_string(seen->claims.status_line) +
                                                          ": status " + quoted_line(seen->claims.status_word));
    }
  }

  // A verdict that is stored twice counts as approved only if both say so; a word that is not known sends nobody
  // on.
  void read_verdicts() {
    for (const ClaimedVerdict& each : claims_.verdicts) {
      const bool open = each.verdict.empty() || each.verdict == "pending" || each.verdict == "null";
      if (open) continue;
      const bool approved = each.verdict.starts_with("approve") || each.verdict == "pass";
      GateSeen& gate = gates_[number_of_wave(each.gate)];
      const bool spoiled = gate.verdict == GateVerdict::Rejected;
      gate = {approved && !spoiled ? GateVerdict::Approved : GateVerdict::Rejected, &each};
    }
  }

  void add_gate(std::string path, const std::string& gate, WaveStatus status, const std::string& agent) {
    const GateSeen seen = gates_[number_of_wave(gate)];
    const WaveGateRow& row = decide(WaveGateSituation{.wave = status, .verdict = seen.verdict, .open = open_});
    CourseStep step = make_step(std::move(path), level_++, row.decision, row.label, row.reason);
    step.agent = !agent.empty() ? agent : seen.claim != nullptr ? seen.claim->agent : "";
    if (step.agent.empty()) step.agent = "architect";
    add_evidence(step, "gate", gate,
                 seen.claim == nullptr
                     ? "no verdict"
                     : "line " + std::to_string(seen.claim->line) + ": " + quoted_line(seen.claim->verdict));
    open_ = open_ || !is_kept(step);
    out_.steps.push_back(std::move(step));
  }

  void add_final_gate() {
    const bool over = claims_.status == EpicStatus::Completed;
    add_gate("final-gate", "final", over ? WaveStatus::Completed : WaveStatus::InProgress,
             seen_.execution_plan ? seen_.execution_plan->final_gate_agent : "");
  }

  // The stories decide what the whole is, as long as the state's own status lets it go on.
  void find_course(bool empty) {
    if (out_.course == Course::Blocked) return;
    const bool open = std::ranges::any_of(out_.steps, [](const CourseStep& step) { return !is_kept(step); });
    if (empty && out_.course == Course::GoOn) {
      out_.course = Course::Blocked;
      out_.rule = kEpicNoWavesLabel;
      out_.reason = "neither the state nor the execution plan lists any wave";
      return;
    }
    if (!open) {
      out_.course = Course::Done;
      return;
    }
    if (out_.course == Course::Done) {
      out_.course = Course::GoOn;
      out_.findings.push_back(make_finding(out_.rule, "completed_with_open_stories", Severity::Warning,
                                           "the epic says completed, but not all of it is"));
    }
    if (claims_.status == EpicStatus::Aborted) {
      out_.findings.push_back(make_finding(out_.rule, "aborted", Severity::Warning,
                                           "the epic was aborted; it goes on where it stopped"));
    }
    if (waits()) out_.course = Course::Wait;
  }

  // Nothing is left to do in the first open level but blocked stories.
  bool waits() const {
    const auto first = std::ranges::find_if(out_.steps, [](const CourseStep& step) { return !is_kept(step); });
    return std::ranges::all_of(out_.steps, [&](const CourseStep& step) {
      return step.level != first->level || is_kept(step) || step.decision.decision == Decision::Wait;
    });
  }

  void compare_wave(const EpicWave& wave, const std::string& name, bool open) {
    if (wave.claim == nullptr || wave.claim->status != WaveStatus::Completed || !open) return;
    out_.findings.push_back(make_finding("ALL-03", "wave_disagrees", Severity::Warning,
                                         name + " is said to be completed, but not all of its stories are"));
    out_.findings.back().claimed = printable_line(wave.claim->status_word, kShownTextMax);
  }

  void find_differences(const std::vector<EpicWave>& waves) {
    const auto first = std::ranges::find_if(out_.steps, [](const CourseStep& step) { return !is_kept(step); });
    const std::string here = first->decision.step.text.substr(0, first->decision.step.text.find('/'));
    const std::string pointer = "wave-" + path_component(number_of_wave(claims_.current_wave));
    if (!claims_.current_wave.empty() && here != "final-gate" && here != pointer) {
      out_.findings.push_back(make_finding(
          "ALL-03", "pointer_disagrees", Severity::Info,
          "the state points at " + quoted_line(claims_.current_wave) + ", by its stories it goes on in " + here));
    }
    for (const EpicWave& wave : waves) {
      for (const WaveStory& story : wave.stories) {
        compare_agents(story);
        compare_plan(wave, story);
      }
    }
  }

  // A wave that the state has begun and that lists its stories: one that only the plan has came later.
  void compare_plan(const EpicWave& wave, const WaveStory& story) {
    if (story.claim != nullptr || wave.claim == nullptr || wave.claim->stories.empty()) return;
    out_.findings.push_back(make_finding(kWaveStoryLabel, "story_added", Severity::Warning,
                                         "story " + printable_line(story.id, 80) + " is in wave " +
                                             printable_line(wave.number, 20) +
                                             " of the execution plan, but the state does not list it"));
    out_.findings.back().claimed = "not listed";
  }

  void compare_agents(const WaveStory& story) {
    const ClaimedStory* claim = story.claim;
    if (claim == nullptr || claim->executor.empty() || claim->executor != claim->quality_gate) return;
    out_.findings.push_back(make_finding("ALL-03", "gate_is_executor", Severity::Info,
                                         "story " + printable_line(story.id, 80) +
                                             " is checked by the one who makes it, " +
                                             printable_line(claim->executor, 40)));
  }

  struct GateSeen {
    GateVerdict verdict = GateVerdict::None;
    const ClaimedVerdict* claim = nullptr;
  };

  const OrchestratorSnapshot& seen_;
  const EpicClaims& claims_;
  std::map<std::string, GateSeen> gates_;  // by number of the wave
  PathNames names_;
  int level_ = 0;
  bool open_ = false;  // something so far is not kept
  WorkflowCourse out_;
};

using PlannedById = std::map<std::string, const PlannedStory*>;

PlannedById planned_stories(const OrchestratorSnapshot& snapshot) {
  PlannedById planned;
  if (!snapshot.execution_plan) return planned;
  for (const PlannedStory& story : snapshot.execution_plan->stories)
    planned.emplace(bare_story_id(story.id), &story);
  return planned;
}

using ClaimedById = std::map<std::string, const ClaimedStory*>;

// The stories that the state lists without a wave.
ClaimedById flat_stories(const EpicClaims& claims) {
  ClaimedById flat;
  for (const ClaimedWave& wave : claims.waves) {
    if (!wave.is_flat) continue;
    for (const ClaimedStory& story : wave.stories) flat.emplace(bare_story_id(story.id), &story);
  }
  return flat;
}

template <typename T>
const T* find_in(const std::map<std::string, const T*>& stories, std::string_view id) {
  const auto found = stories.find(bare_story_id(id));
  return found == stories.end() ? nullptr : found->second;
}

}  // namespace

std::string number_of_wave(std::string_view written) {
  const std::size_t digit = written.find_first_of("0123456789");
  const bool is_prefixed = to_lower(written).starts_with("wave") && digit != std::string_view::npos;
  return std::string(is_prefixed ? written.substr(digit) : written);
}

namespace {

// Puts the waves of the state and of the execution plan together.
class WaveList {
 public:
  explicit WaveList(const OrchestratorSnapshot& snapshot)
      : seen_(snapshot), planned_(planned_stories(snapshot)), flat_(flat_stories(snapshot.epic)) {}

  std::vector<EpicWave> make() {
    for (const ClaimedWave& claim : seen_.epic.waves) {
      if (!claim.is_flat) add(claim);
    }
    if (seen_.execution_plan) {
      for (const PlannedWave& each : seen_.execution_plan->waves) add(each);
    }
    add_rest();
    std::ranges::stable_sort(waves_, {}, [](const EpicWave& wave) {
      return parse_number(number_of_wave(wave.number), kWaveNumberMax).value_or(kWaveNumberMax + 1);
    });
    return std::move(waves_);
  }

 private:
  static constexpr long long kWaveNumberMax = 1'000'000;

  void add(const ClaimedWave& claim) {
    EpicWave wave{.number = claim.number, .claim = &claim, .planned = nullptr, .stories = {}};
    for (const ClaimedStory& story : claim.stories) {
      if (!listed_.insert(bare_story_id(story.id)).second) continue;
      wave.stories.push_back({.id = story.id, .claim = &story, .planned = find_in(planned_, story.id)});
    }
    place_.emplace(number_of_wave(claim.number), waves_.size());
    waves_.push_back(std::move(wave));
  }

  void add(const PlannedWave& planned) {
    EpicWave& wave = wave_at(planned.number);
    if (wave.planned == nullptr) wave.planned = &planned;
    for (const std::string& id : planned.stories) {
      if (!listed_.insert(bare_story_id(id)).second) continue;
      wave.stories.push_back({.id = id, .claim = find_in(flat_, id), .planned = find_in(planned_, id)});
    }
  }

  // Stories without a wave that no plan puts into one belong to the current wave.
  void add_rest() {
    for (const ClaimedWave& claim : seen_.epic.waves) {
      if (!claim.is_flat) continue;
      for (const ClaimedStory& story : claim.stories) {
        if (!listed_.insert(bare_story_id(story.id)).second) continue;
        const std::string& current = seen_.epic.current_wave;
        EpicWave& wave = wave_at(current.empty() ? "1" : current);
        wave.stories.push_back({.id = story.id, .claim = &story, .planned = find_in(planned_, story.id)});
      }
    }
  }

  EpicWave& wave_at(const std::string& number) {
    const auto [at, is_new] = place_.emplace(number_of_wave(number), waves_.size());
    if (is_new) waves_.push_back({.number = number, .claim = nullptr, .planned = nullptr, .stories = {}});
    return waves_[at->second];
  }

  const OrchestratorSnapshot& seen_;
  PlannedById planned_;
  ClaimedById flat_;
  std::map<std::string, std::size_t> place_;  // of a wave by its number
  std::set<std::string> listed_;
  std::vector<EpicWave> waves_;
};

}  // namespace

std::vector<EpicWave> waves_of(const OrchestratorSnapshot& snapshot) { return WaveList(snapshot).make(); }

StoryFile file_of(const std::optional<StoryStatus>& story) {
  if (!story) return StoryFile::Gone;
  switch (*story) {
    case StoryStatus::Done: return StoryFile::Done;
    case StoryStatus::InReview: return StoryFile::Review;
    case StoryStatus::InProgress: return StoryFile::Progress;
    case StoryStatus::Draft:
    case StoryStatus::Ready: return StoryFile::Ahead;
    case StoryStatus::Missing:
    case StoryStatus::Unknown: return StoryFile::Unclear;
  }
  return StoryFile::Unclear;
}

const EpicStatusRow& decide(EpicStatus status) {
  for (const EpicStatusRow& row : kEpicStatusRows) {
    if (row.status == status) return row;
  }
  check_failed("every status of an epic has a row");
}

const EpicStoryRow& decide(const EpicStorySituation& s) {
  for (const EpicStoryRow& row : kEpicStoryRows) {
    if (fits(row.claimed, s.claimed) && fits(row.file, file_of(s.story)) && fits(row.accepted, s.accepted))
      return row;
  }
  check_failed("every situation of an epic's story has a row");
}

const WaveGateRow& decide(const WaveGateSituation& s) {
  for (const WaveGateRow& row : kWaveGateRows) {
    if (fits(row.wave, s.wave) && fits(row.verdict, s.verdict) && fits(row.open, s.open)) return row;
  }
  check_failed("every situation of a gate has a row");
}

WorkflowCourse course_of_epic(const OrchestratorSnapshot& snapshot) { return EpicCourse(snapshot).make(); }

}  // namespace reprise
