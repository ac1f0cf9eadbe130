#include "formats/playbook_show.h"

#include <algorithm>

#include "base/strings.h"
#include "formats/playbook.h"
#include "formats/playbook_edit.h"
#include "formats/playbook_words.h"
#include "model/playbook_stages.h"

namespace reprise {
namespace {

bool is_over(const StepState* step) {
  return step != nullptr &&
         (step->record == StepState::Record::Done || step->record == StepState::Record::Skipped);
}

constexpr long long kCountMax = 1'000'000;
constexpr std::string_view kCycles = " was done before, times: ";
constexpr std::string_view kRetries = " was tried again before, times: ";

class PlaybookShow {
 public:
  PlaybookShow(std::string bytes, const RunState& state) : text_(std::move(bytes)), state_(state) {}

  Result<std::string> show() {
    if (text_.empty()) text_ = new_file();
    claims_ = TRY(read_playbook(text_, state_.state_file.path));
    TRY_VOID(show_header());
    TRY_VOID(show_stages());
    TRY_VOID(show_detail());
    TRY_VOID(show_checkpoints());
    TRY_VOID(show_notes());
    return std::move(text_);
  }

 private:
  std::string new_file() const {
    NewPlaybook run{.run_id = state_.id.text, .feature = state_.subject};
    const auto mode = state_.values.find("coordinator_mode");
    if (mode != state_.values.end() && !mode->second.empty()) run.coordinator_mode = mode->second;
    run.started_at = state_.started_at;
    for (const PlaybookCheckpoint& checkpoint : kPlaybookCheckpoints) run.checkpoints.emplace_back(checkpoint.box);
    return new_playbook_file(run);
  }

  const StepState* step_of(std::string_view stage) const { return state_.find_step(StepPath{std::string(stage)}); }

  const PlaybookCheckpoint* open_checkpoint() const {
    for (const PlaybookCheckpoint& checkpoint : kPlaybookCheckpoints) {
      const auto gate = state_.gates.find(StepPath{std::string(checkpoint.gate)});
      if (gate != state_.gates.end() && gate->second.record == GateState::Record::Open) return &checkpoint;
    }
    return nullptr;
  }

  bool is_person_asked() const {
    return std::ranges::any_of(state_.gates,
                               [](const auto& gate) { return gate.second.record == GateState::Record::Open; }) ||
           std::ranges::any_of(state_.questions, [](const auto& question) { return !question.second.answer; });
  }

  PlaybookStatus status() const {
    if (state_.status == RunStatus::Done) return PlaybookStatus::Complete;
    if (state_.status == RunStatus::Failed) return PlaybookStatus::Failed;
    // Whoever ended it in the file may have called it failed.
    if (state_.status == RunStatus::Stopped)
      return std::ranges::find(state_.notes, kFailedByHand) != state_.notes.end() ? PlaybookStatus::Failed
                                                                                  : PlaybookStatus::Cancelled;
    return is_person_asked() ? PlaybookStatus::WaitingForHuman : PlaybookStatus::InProgress;
  }

  // The stage whose checkpoint is open, else the first that is not over.
  std::string current_stage() const {
    if (const PlaybookCheckpoint* checkpoint = open_checkpoint()) return std::string(checkpoint->stage);
    for (const PlaybookStageSpec& stage : kPlaybookStages) {
      if (!is_over(step_of(stage.name))) return std::string(stage.name);
    }
    return "done";
  }

  Result<void> set(std::string_view key, const std::string& value) {
    text_ = TRY(set_header_field(text_, {key, value}));
    return {};
  }

  Result<void> show_header() {
    if (claims_.status != status()) TRY_VOID(set("status", to_upper(to_token(status()))));
    if (claims_.current_stage != current_stage()) TRY_VOID(set("current_stage", current_stage()));
    if (const std::string hash = spec_hash(); !hash.empty() && hash != "sha256:" + claims_.spec_hash.digits)
      TRY_VOID(set("spec_hash", hash));
    return set("last_updated_at", to_text(state_.updated_at));
  }

  // Pinned when the spec is approved, and anew when a person accepts another one (PB-02).
  std::string spec_hash() const {
    for (const char* code : {"spec_hash_changed", "spec_hash_unreadable"}) {
      const auto accepted = state_.overruled.find(code);
      if (accepted != state_.overruled.end()) return accepted->second.seen;
    }
    if (claims_.spec_hash.form != ClaimedHash::None) return "";
    const auto gate = state_.gates.find(StepPath{"spec-approval"});
    if (gate == state_.gates.end() || gate->second.approved.empty()) return "";
    return gate->second.approved.front().digest;
  }

  Result<void> show_stages() {
    for (const PlaybookStageSpec& stage : kPlaybookStages) {
      const StepState* step = step_of(stage.name);
      if (step == nullptr) continue;
      if (step->attempts > 0) TRY_VOID(show_count(stage, *step));
      if (step->record != StepState::Record::Done || is_only_believed(*step)) continue;
      if (!is_listed(stage, *step)) TRY_VOID(add_row(stage, *step));
    }
    return {};
  }

  // A stage of a run that was found, which counts as done although nobody has listed it: a row would say that
  // somebody did it, and when.
  static bool is_only_believed(const StepState& step) {
    const std::string_view rule = *step.reason;
    return step.attempts == 0 &&
           (rule.starts_with("PB-06,") || rule.starts_with("PB-07,") || rule.starts_with("PB-11,"));
  }

  // A row says what was there when it was written; work that was done again gets another one.
  bool is_listed(const PlaybookStageSpec& stage, const StepState& step) const {
    const auto row = std::find_if(claims_.completed.rbegin(), claims_.completed.rend(),
                                  [&](const ClaimedStage& claim) { return claim.stage == stage.name; });
    if (row == claims_.completed.rend()) return false;
    if (step.attempts == 0 || step.artifacts.empty()) return true;
    const std::string digest = step.artifacts->front().digest;
    return row->hash.form != ClaimedHash::Complete || "sha256:" + row->hash.digits == digest;
  }

  Result<void> add_row(const PlaybookStageSpec& stage, const StepState& step) {
    CompletedStage row{.stage = std::string(stage.name), .completed_at = step.finished_at};
    for (const SeenFile& file : step.artifacts) row.artifacts.push_back(file.path);
    if (!step.artifacts.empty()) row.hash = step.artifacts->front().digest;
    text_ = TRY(append_completed_stage(text_, row));
    return {};
  }

  // What the notes of the take-over say of this stage; 0 if nothing.
  int counted_before(std::string_view stage, std::string_view words) const {
    const std::string start = std::string(kNoteFromFile) + std::string(stage) + std::string(words);
    for (const std::string& note : state_.notes) {
      if (!note.starts_with(start)) continue;
      return static_cast<int>(parse_number(note.substr(start.size()), kCountMax).value_or(0));
    }
    return 0;
  }

  Result<void> show_count(const PlaybookStageSpec& stage, const StepState& step) {
    const int cycles = step.attempts + counted_before(stage.name, kCycles);
    const bool within = cycles <= stage.budget + 1;
    text_ = TRY(set_iteration_count(text_, {.stage = std::string(stage.name),
                                            .cycles = cycles,
                                            .budget = stage.budget,
                                            .status = within ? "WITHIN_BUDGET" : "EXCEEDED"}));
    return {};
  }

  static std::string job_status(const StepState* step, bool asks) {
    if (asks) return "WAITING_FOR_HUMAN";
    if (step == nullptr || step->record == StepState::Record::Reset) return "QUEUED";
    if (is_over(step)) return "DONE";
    if (step->record == StepState::Record::Open) return "RUNNING";
    return step->retry_at ? "RETRYING" : step->outcome == AttemptOutcome::Interrupted ? "ABORTED" : "FAILED";
  }

  Result<void> detail(std::string_view key, const std::string& value) {
    const auto same = std::ranges::find_if(claims_.detail.fields, [&](const ClaimedField& field) {
      return field.key == key && field.value == value;
    });
    if (same == claims_.detail.fields.end()) text_ = TRY(set_detail_field(text_, {key, value}));
    return {};
  }

  Result<void> show_detail() {
    const std::string stage = current_stage();
    const StepState* step = step_of(stage);
    const bool asks = status() == PlaybookStatus::WaitingForHuman;
    TRY_VOID(detail("stage", stage));
    TRY_VOID(detail("dispatched_at", step == nullptr || step->attempts == 0 ? "N/A" : to_text(step->started_at)));
    TRY_VOID(detail("job_status", stage == "done" ? "DONE" : job_status(step, asks)));
    const int retries = (step == nullptr ? 0 : std::max(0, step->attempts - 1)) + counted_before(stage, kRetries);
    TRY_VOID(detail("retry_count", std::to_string(retries)));
    const std::string said = step == nullptr ? "" : !step->summary.empty() ? *step->summary : *step->reason;
    return detail("last_output_summary", said.empty() ? "N/A" : printable_line(said, 300));
  }

  Result<void> show_checkpoints() {
    for (const PlaybookCheckpoint& checkpoint : kPlaybookCheckpoints) {
      const auto gate = state_.gates.find(StepPath{std::string(checkpoint.gate)});
      const bool is_approved = gate != state_.gates.end() && gate->second.record == GateState::Record::Approved;
      const bool is_ticked = std::ranges::any_of(claims_.checkpoints, [&](const ClaimedCheckpoint& box) {
        return box.ticked && to_lower(box.name) == to_lower(checkpoint.box);
      });
      if (is_approved && !is_ticked) text_ = TRY(tick_checkpoint(text_, checkpoint.box));
      // What a found file said was read before the first session began; a tick since then that is no approval
      // goes.
      const bool is_ours = state_.session_event.value > 0 && checkpoint.gate != checkpoint.stage;
      if (!is_approved && is_ticked && is_ours) text_ = TRY(untick_checkpoint(text_, checkpoint.box));
    }
    return {};
  }

  Result<void> show_notes() {
    std::vector<std::string> notes = state_.notes;
    if (state_.status == RunStatus::Failed && !state_.reason.empty())
      notes.push_back("Failed at " + to_text(state_.updated_at) + ": " + state_.reason);
    std::string there = claims_.notes;
    for (const std::string& note : notes) {
      const std::string line = printable_line(note, 2'000);
      const bool is_there = there.find(line) != std::string::npos || there.find(note) != std::string::npos;
      if (is_there || note.starts_with(kNoteFromFile)) continue;
      text_ = TRY(append_note(text_, line));
      there += "\n" + line;
    }
    return {};
  }

  std::string text_;
  const RunState& state_;
  PlaybookClaims claims_;
};

}  // namespace

std::string note_of_cycles(std::string_view stage, long long cycles) {
  return std::string(kNoteFromFile) + std::string(stage) + std::string(kCycles) + std::to_string(cycles);
}

std::string note_of_retries(std::string_view stage, long long retries) {
  return std::string(kNoteFromFile) + std::string(stage) + std::string(kRetries) + std::to_string(retries);
}

Result<std::string> show_playbook(std::string_view bytes, const RunState& state) {
  return PlaybookShow(std::string(bytes), state).show();
}

}  // namespace reprise
