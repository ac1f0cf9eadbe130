#include "formats/orchestrator_show.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "base/strings.h"
#include "formats/epic_state_edit.h"
#include "formats/flow_state.h"
#include "formats/flow_state_edit.h"
#include "formats/qa_loop_edit.h"
#include "formats/spec_pipeline.h"
#include "formats/story.h"
#include "formats/story_edit.h"

namespace reprise {
namespace {

constexpr int kRoundsMax = 1'000;

std::string round_path(std::string_view loop, int round, std::string_view step) {
  return std::string(loop) + "/" + std::to_string(round) + "/" + std::string(step);
}

bool is_done(const StepState* step) { return step != nullptr && step->record == StepState::Record::Done; }
bool is_open(const StepState* step) {
  return step != nullptr && (step->record == StepState::Record::Open || step->record == StepState::Record::Failed);
}

const StepState* step_at(const RunState& state, const std::string& path) {
  return state.find_step(StepPath{path});
}

// The last round of a loop that has a record of `step`; 0 if none has.
int last_round(const RunState& state, std::string_view loop, std::string_view step) {
  int last = 0;
  for (int round = 1; round <= kRoundsMax; ++round) {
    if (step_at(state, round_path(loop, round, step)) == nullptr) break;
    last = round;
  }
  return last;
}

bool is_gate_open(const RunState& state) {
  return std::ranges::any_of(state.gates,
                             [](const auto& gate) { return gate.second.record == GateState::Record::Open; });
}

QaVerdict qa_verdict(const std::string& word) {
  if (word == "APPROVE") return QaVerdict::Approve;
  if (word == "REJECT") return QaVerdict::Reject;
  return word == "BLOCKED" ? QaVerdict::Blocked : QaVerdict::Unknown;
}

QaLoopStatus qa_status(const RunState& state) {
  if (state.status == RunStatus::Done) return QaLoopStatus::Completed;
  if (state.status == RunStatus::Stopped || state.status == RunStatus::Failed) return QaLoopStatus::Stopped;
  return is_gate_open(state) ? QaLoopStatus::Escalated : QaLoopStatus::InProgress;
}

EpicStoryStatus epic_story_status(const RunState& state, const StepPath& path, const StepState& step) {
  const auto gate = state.gates.find(path);
  if (gate != state.gates.end() && gate->second.record == GateState::Record::Open) return EpicStoryStatus::Blocked;
  switch (step.record) {
    case StepState::Record::Done: return EpicStoryStatus::Completed;
    case StepState::Record::Skipped: return EpicStoryStatus::Skipped;
    case StepState::Record::Open: return EpicStoryStatus::InProgress;
    case StepState::Record::Failed: return step.retry_at ? EpicStoryStatus::InProgress : EpicStoryStatus::Failed;
    case StepState::Record::Reset: return EpicStoryStatus::Pending;
  }
  return EpicStoryStatus::Pending;
}

// The waves of an epic with their stories, as the run was started with them.
std::vector<ClaimedWave> waves_in(const RunState& state) {
  std::vector<ClaimedWave> waves;
  const auto value = state.values.find(std::string(kWavesValue));
  if (value == state.values.end()) return waves;
  for (const std::string_view part : split(value->second, ' ')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) continue;
    ClaimedWave& wave = waves.emplace_back();
    wave.number = std::string(part.substr(0, equals));
    for (const std::string_view story : split(part.substr(equals + 1), ',')) {
      if (!story.empty()) wave.stories.emplace_back().id = std::string(story);
    }
  }
  return waves;
}

// What a value that lists "id=word" pairs says of one of them.
std::optional<std::string> value_for(const RunState& state, const std::string& name, const std::string& id) {
  const auto value = state.values.find(name);
  if (value == state.values.end()) return std::nullopt;
  for (const std::string_view part : split(value->second, ' ')) {
    if (part.starts_with(id + "=")) return std::string(part.substr(id.size() + 1));
  }
  return std::nullopt;
}

// A gate that says nothing against it lets a wave pass.
bool is_approval(const std::string& verdict) { return verdict.empty() || to_lower(verdict) == "approved"; }

WaveStatus wave_status(const RunState& state, const ClaimedWave& wave) {
  const std::string name = "wave-" + wave.number;
  const StepState* gate = step_at(state, name + "/gate");
  const auto objection = state.gates.find(StepPath{name + "/gate-objection"});
  const bool is_overruled =
      objection != state.gates.end() && objection->second.record == GateState::Record::Approved;
  if (is_done(gate) && (is_approval(gate->verdict) || is_overruled)) return WaveStatus::Completed;
  if (gate != nullptr) return WaveStatus::GateReview;
  const bool is_begun = std::ranges::any_of(wave.stories, [&](const ClaimedStory& story) {
    return step_at(state, name + "/" + path_component(story.id)) != nullptr;
  });
  return is_begun ? WaveStatus::InProgress : WaveStatus::Pending;
}

void add_stories(const RunState& state, const ClaimedWave& wave, EpicChange& change) {
  for (const ClaimedStory& story : wave.stories) {
    const StepPath path{"wave-" + wave.number + "/" + path_component(story.id)};
    const StepState* step = state.find_step(path);
    EpicStoryChange& said = change.stories.emplace_back();
    said.wave = wave.number;
    said.id = story.id;
    said.executor = value_for(state, "executors", story.id);
    if (step == nullptr) continue;
    if (step->attempts == 0) {  // as it was found, or a person decided that it is done
      if (step->record == StepState::Record::Done) said.status = EpicStoryStatus::Completed;
      continue;
    }
    said.status = epic_story_status(state, path, *step);
    if (step->started_at != Timestamp{}) said.started_at = step->started_at;
    if (said.status == EpicStoryStatus::Completed) said.completed_at = step->finished_at;
    said.clear_completed_at = said.status != EpicStoryStatus::Completed;
  }
}

void add_verdict(const RunState& state, const std::string& step, const std::string& gate, EpicChange& change) {
  const StepState* record = step_at(state, step);
  if (!is_done(record) || record->attempts == 0) return;
  change.verdicts.push_back({.gate = gate,
                             .verdict = is_approval(record->verdict) ? "approved" : "rejected",
                             .at = record->finished_at});
}

// The statuses that a story has gone through on its way, the last one included. Going back is one step.
std::vector<StoryStatus> statuses_passed(StoryStatus from, StoryStatus to) {
  constexpr StoryStatus kWay[] = {StoryStatus::Draft, StoryStatus::Ready, StoryStatus::InProgress,
                                  StoryStatus::InReview, StoryStatus::Done};
  std::vector<StoryStatus> passed;
  for (const StoryStatus each : kWay) {
    if (each > from && each < to && from >= StoryStatus::Draft) passed.push_back(each);
  }
  passed.push_back(to);
  return passed;
}

}  // namespace

Timestamp last_work_at(const RunState& state) {
  Timestamp last = std::max(state.started_at, state.session_at);
  for (const auto& [path, step] : state.steps) last = std::max({last, step.started_at, step.finished_at});
  for (const auto& [path, gate] : state.gates) last = std::max(last, gate.since);
  return last;
}

Result<std::string> show_qa_loop(std::string_view bytes, const RunState& state) {
  const std::string base =
      bytes.empty() ? new_qa_loop({.story = state.subject, .started_at = state.started_at}) : std::string(bytes);
  QaLoopChange change{.status = qa_status(state), .updated_at = last_work_at(state)};
  const int last = last_round(state, "loop", "review");
  for (int round = 1; round <= last; ++round) {
    const StepState* review = step_at(state, round_path("loop", round, "review"));
    if (review->attempts == 0 && review->record != StepState::Record::Open) continue;  // as it was found
    ReviewChange& said = change.reviews.emplace_back();
    said.iteration = round;
    said.verdict = is_done(review) ? qa_verdict(review->verdict) : QaVerdict::None;
    if (is_done(review)) said.reviewed_at = review->finished_at;
    if (is_done(review)) change.last_verdict = said.verdict;
    const StepState* fix = step_at(state, round_path("loop", round, "fix"));
    if (is_done(fix)) said.fixed_at = fix->finished_at;
  }
  if (last > 0) change.iteration = last;
  if (change.status == QaLoopStatus::Escalated) {
    const bool is_blocked = change.last_verdict == QaVerdict::Blocked;
    change.escalation = is_blocked ? "verdict_blocked" : "max_iterations_reached";
    change.escalated_at = last_work_at(state);
  }
  return change_qa_loop(base, change);
}

std::vector<std::string> stories_of_epic(const RunState& state) {
  std::vector<std::string> ids;
  for (const ClaimedWave& wave : waves_in(state)) {
    for (const ClaimedStory& story : wave.stories) ids.push_back(story.id);
  }
  return ids;
}

Result<std::string> show_epic(std::string_view bytes, const RunState& state) {
  const std::vector<ClaimedWave> waves = waves_in(state);
  std::string base(bytes);
  if (base.empty()) {
    const auto plan = state.values.find("execution_plan");
    base = new_epic_state({.id = state.subject,
                           .execution_plan = plan == state.values.end() ? "" : plan->second,
                           .mode = std::string(to_token(state.mode)),
                           .started_at = state.started_at,
                           .current_wave = waves.empty() ? "1" : waves.front().number,
                           .waves = waves});
  }
  EpicChange change{.status = EpicStatus::Active, .updated_at = last_work_at(state)};
  if (state.status == RunStatus::Done) change.status = EpicStatus::Completed;
  if (state.status == RunStatus::Stopped) change.status = EpicStatus::Aborted;
  for (const ClaimedWave& wave : waves) {
    const WaveStatus status = wave_status(state, wave);
    change.waves.push_back({.number = wave.number, .status = status});
    if (!change.current_wave && status != WaveStatus::Completed) change.current_wave = wave.number;
    add_stories(state, wave, change);
    add_verdict(state, "wave-" + wave.number + "/gate", wave.number, change);
  }
  add_verdict(state, "final-gate", "final", change);
  return change_epic_state(base, change);
}

StoryStatus story_status_of(const RunState& state) {
  const StepState* review = step_at(state, round_path("build", last_round(state, "build", "review"), "review"));
  const int build = last_round(state, "build", "implement");
  const StepState* implement = step_at(state, round_path("build", build, "implement"));
  const bool is_reviewed = is_done(review) && last_round(state, "build", "review") == build;
  if (is_reviewed) return *review->verdict == "FAIL" ? StoryStatus::InProgress : StoryStatus::Done;
  if (is_done(implement)) return StoryStatus::InReview;
  if (is_open(implement)) return StoryStatus::InProgress;
  const int prepared = last_round(state, "prepare", "validate");
  const StepState* validate = step_at(state, round_path("prepare", prepared, "validate"));
  if (is_done(validate) && *validate->verdict == "GO") return StoryStatus::Ready;
  return last_round(state, "prepare", "create") > 0 ? StoryStatus::Draft : StoryStatus::Missing;
}

Result<std::string> show_story(std::string_view bytes, const RunState& state) {
  const StoryStatus status = story_status_of(state);
  if (bytes.empty() || status == StoryStatus::Missing) return std::string(bytes);
  const StoryClaims claims = TRY(read_story(bytes, state.state_file.path));
  if (claims.status == status) return std::string(bytes);
  const Result<std::string> set = set_story_status(bytes, status);
  if (!set) return std::string(bytes);  // it has no place for this status; its author's words stay
  std::string out = *set;
  std::string before = claims.status_word.empty() ? "none" : printable_line(claims.status_word, 40);
  for (const StoryStatus passed : statuses_passed(claims.status, status)) {
    const std::string word(to_token(passed));
    const Result<std::string> noted = append_story_change(
        out, {.at = last_work_at(state), .by = "reprise", .text = "Status: " + before + " -> " + word});
    if (!noted) break;
    out = *noted;
    before = word;
  }
  return out;
}

Result<std::string> show_spec_pipeline(std::string_view bytes, const RunState& state) {
  std::string word;
  if (is_done(step_at(state, "gather"))) word = "requirements_gathered";
  if (is_done(step_at(state, "assess"))) word = "complexity_assessed";
  if (is_done(step_at(state, "research"))) word = "research_complete";
  if (is_done(step_at(state, round_path("spec", last_round(state, "spec", "write"), "write"))))
    word = "spec_written";
  const StepState* critique =
      step_at(state, round_path("spec", last_round(state, "spec", "critique"), "critique"));
  if (is_done(critique) && *critique->verdict == "APPROVED") word = "critique_complete";
  if (word.empty()) return std::string(bytes);
  if (bytes.empty()) return new_spec_pipeline(state.subject, word, last_work_at(state));
  return change_spec_pipeline(bytes, {.state = word, .updated_at = last_work_at(state)});
}

namespace {

// A step as the file calls it: a step's path may spell it otherwise.
std::string claimed_name(const FlowClaims& claims, const std::string& path) {
  const auto claim = std::ranges::find_if(
      claims.steps, [&](const ClaimedFlowStep& step) { return path_component(step.name) == path; });
  return claim == claims.steps.end() ? path : claim->name;
}

}  // namespace

Result<std::string> show_flow(std::string_view bytes, const RunState& state) {
  if (bytes.empty()) return std::string();
  const FlowClaims claims = TRY(read_flow_state(bytes, state.state_file.path));
  const bool is_by_name = claims.dialect != "instance";  // else a number
  FlowChange change{.status = FlowStatus::Active, .updated_at = last_work_at(state)};
  if (state.status == RunStatus::Done) change.status = FlowStatus::Completed;
  if (state.status == RunStatus::Stopped) change.status = FlowStatus::Aborted;
  Timestamp newest;
  for (const auto& [path, step] : state.steps) {
    if (step.attempts == 0) continue;  // as it was found
    const bool done = step.record == StepState::Record::Done;
    const bool skipped = step.record == StepState::Record::Skipped;
    change.steps.push_back({.name = claimed_name(claims, path.text),
                            .status = done      ? "completed"
                                      : skipped ? "skipped"
                                                : "in_progress"});
    if (step.started_at < newest) continue;
    newest = step.started_at;
    if (is_by_name) change.current_phase = path.text;
  }
  // Where the order of its phases is known, it points at the first that is not done.
  const bool is_known = std::ranges::any_of(claims.steps, &ClaimedFlowStep::inferred);
  for (const ClaimedFlowStep& claim : claims.steps) {
    const StepState* step = step_at(state, path_component(claim.name));
    if (!is_known || claim.completed || (step != nullptr && step->record == StepState::Record::Done)) continue;
    change.current_phase = claim.name;
    break;
  }
  return change_flow_state(bytes, change);
}

}  // namespace reprise
