#include "formats/spec_loop_show.h"

#include <algorithm>
#include <set>

#include "base/strings.h"
#include "formats/spec_loop.h"
#include "formats/spec_loop_edit.h"

namespace reprise {
namespace {

bool is_done(const RunState& state, const std::string& path) {
  const StepState* step = state.find_step(StepPath{path});
  return step != nullptr &&
         (step->record == StepState::Record::Done || step->record == StepState::Record::Skipped);
}

std::string round_path(long long round, std::string_view step) {
  return "clarify/" + std::to_string(round) + "/" + std::string(step);
}

long long applied_rounds(const RunState& state) {
  long long rounds = 0;
  while (is_done(state, round_path(rounds + 1, "apply"))) ++rounds;
  return rounds;
}

const StepState* last_validation(const RunState& state) {
  const StepState* last = state.find_step(StepPath{"validate"});
  for (long long round = 1; is_done(state, round_path(round, "validate")); ++round)
    last = state.find_step(StepPath{round_path(round, "validate")});
  return last;
}

// How many validations in a row found the same gaps that matter; nothing if that is not known of any. Validations
// of another program count as its index said.
std::optional<long long> stale_rounds(const RunState& state) {
  std::optional<long long> stale;
  const StepState* before = nullptr;
  const auto take = [&](const StepState* now) {
    if (now == nullptr) return;
    const bool is_ours = now->attempts > 0;
    const bool is_known = before != nullptr && (before->attempts > 0 || !before->result.empty());
    const bool is_same = is_known && open_gaps(*before->result) == open_gaps(*now->result);
    if (!is_ours && now->stalled > 0) {
      stale = now->stalled;
    } else if (is_ours || (is_known && !now->result.empty())) {
      stale = is_same ? std::min(stale.value_or(0) + 1, kLoopStaleMax) : 0;
    }
    before = now;
  };
  take(state.find_step(StepPath{"validate"}));
  for (long long round = 1; is_done(state, round_path(round, "validate")); ++round)
    take(state.find_step(StepPath{round_path(round, "validate")}));
  return stale;
}

LoopStatus status_of(const RunState& state) {
  if (state.status == RunStatus::Done) return LoopStatus::Completed;
  if (state.status == RunStatus::Stopped || state.status == RunStatus::Failed) return LoopStatus::Terminated;
  if (!is_done(state, "scaffold"))
    return state.find_step(StepPath{"scaffold"}) == nullptr ? LoopStatus::NotStarted : LoopStatus::Scaffolding;
  if (!is_done(state, "write")) return LoopStatus::SpecWriting;
  if (!is_done(state, "validate")) return LoopStatus::Validating;
  const long long round = applied_rounds(state);
  if (round > 0 && !is_done(state, round_path(round, "validate"))) return LoopStatus::Validating;
  return LoopStatus::Clarifying;
}

std::string reason_of(const RunState& state, const LoopPosition& position) {
  if (state.status == RunStatus::Stopped || state.status == RunStatus::Failed) return "aborted";
  if (state.status != RunStatus::Done) return "";
  const StepState* last = last_validation(state);
  if (last == nullptr || last->verdict == "complete") return "success";
  return position.iteration >= kLoopIterationsMax ? "max_iterations" : "stale_accepted";
}

class SpecLoopShow {
 public:
  SpecLoopShow(std::string bytes, const RunState& state)
      : text_(std::move(bytes)), state_(state), position_(loop_position(state)) {}

  Result<std::string> show() {
    if (text_.empty()) text_ = new_file();
    claims_ = TRY(read_spec_loop(text_, state_.state_file.path));
    TRY_VOID(show_loop());
    for (const auto& [id, gap] : state_.gaps) TRY_VOID(show_gap(id, gap));
    for (const auto& [id, question] : state_.questions) TRY_VOID(show_question(id, question));
    TRY_VOID(show_document());
    text_ = TRY(set_last_activity(text_, state_.updated_at));
    return std::move(text_);
  }

 private:
  std::string new_file() const {
    const auto description = state_.values.find("description");
    return new_spec_loop_file({.feature = state_.subject,
                               .branch = state_.subject,
                               .description = description == state_.values.end() ? "" : description->second,
                               .spec_path = "specs/" + state_.subject + "/spec.md",
                               .status = position_.status,
                               .now = state_.started_at});
  }

  Result<void> set(std::string_view key, const std::string& value) {
    text_ = TRY(set_loop_field(text_, {key, value}));
    return {};
  }

  Result<void> show_loop() {
    if (claims_.status != position_.status) TRY_VOID(set("loop_status", std::string(to_token(position_.status))));
    if (claims_.iteration.number != position_.iteration)
      TRY_VOID(set("current_iteration",
                   std::to_string(position_.iteration) + " / " + std::to_string(kLoopIterationsMax)));
    if (position_.stale && claims_.stale.number != position_.stale)
      TRY_VOID(set("stale_count", std::to_string(*position_.stale) + " / " + std::to_string(kLoopStaleMax)));
    const auto deferred = std::ranges::count_if(
        state_.gaps, [](const auto& entry) { return entry.second.status == GapStatus::Deferred; });
    const ClaimedField* counted = claims_.find_loop_field("deferred_minor_gaps");
    if (counted != nullptr && counted->value != std::to_string(deferred))
      TRY_VOID(set("deferred_minor_gaps", std::to_string(deferred)));
    if (!position_.termination_reason.empty() && claims_.termination_reason != position_.termination_reason)
      TRY_VOID(set("termination_reason", position_.termination_reason));
    return {};
  }

  bool is_over() const { return state_.status == RunStatus::Done; }

  const ClaimedGap* claimed_gap(const std::string& id) const {
    const auto found = std::ranges::find(claims_.gaps, id, &ClaimedGap::id);
    return found == claims_.gaps.end() ? nullptr : &*found;
  }

  Result<void> show_gap(const std::string& id, const GapState& gap) {
    GapStatus status = gap.status;
    const bool is_unsettled = status == GapStatus::Pending || status == GapStatus::Clarifying;
    if (is_over() && is_unsettled) status = GapStatus::KnownGap;
    const ClaimedGap* claim = claimed_gap(id);
    if (claim == nullptr) {
      text_ = TRY(add_gap(text_, {.id = id, .priority = gap.priority, .text = gap.text, .status = status}));
    } else if (claim->status != status) {
      text_ = TRY(set_gap(text_, {.id = id, .status = status, .resolution = resolution_of(id, gap, status)}));
    }
    const bool is_resolved = gap.status == GapStatus::Resolved && !gap.resolution.empty();
    if (is_resolved && !is_in_history(id, gap.resolution)) {
      text_ = TRY(append_history(text_, {.gap = id,
                                         .iteration = std::max(1LL, position_.iteration - 1),
                                         .action = "resolved",
                                         .details = gap.resolution,
                                         .question = question_about(id),
                                         .at = state_.updated_at}));
    }
    return {};
  }

  std::optional<std::string> resolution_of(const std::string& id, const GapState& gap, GapStatus status) const {
    if (status == GapStatus::Resolved) return gap.resolution;
    if (status == GapStatus::Clarifying) return "Pending " + question_about(id);
    return std::nullopt;
  }

  std::string question_about(const std::string& gap) const {
    std::string last;
    for (const auto& [id, question] : state_.questions) {
      if (std::ranges::find(question.gaps, gap) != question.gaps.end()) last = id;
    }
    return last;
  }

  bool is_in_history(const std::string& id, const std::string& details) const {
    const std::string words = printable_line(details, 60);
    return std::ranges::any_of(claims_.history, [&](const ClaimedResolution& row) {
      return row.gap == id && (row.words.find(words) != std::string::npos || state_.adopted);
    });
  }

  Result<void> show_question(const std::string& id, const QuestionState& question) {
    const auto claim = std::ranges::find(claims_.questions, id, &ClaimedQuestion::id);
    const bool is_there = claim != claims_.questions.end();
    if (!is_there) {
      text_ = TRY(set_question(
          text_,
          {.id = id, .question = question.text, .gaps = question.gaps, .options = join(question.options, "; ")}));
    }
    const bool is_received = std::ranges::any_of(
        claims_.answers, [&, name = id](const ClaimedAnswer& answer) { return answer.question == name; });
    const bool is_shown = is_there && is_received && claim->answer == *question.answer;
    if (question.answer && !is_shown && !(is_there && claim->applied))
      text_ = TRY(put_answer(text_, {.question = id, .answer = *question.answer, .at = state_.updated_at}));
    if (question.applied && !(is_there && claim->applied)) text_ = TRY(mark_applied(text_, id));
    const bool is_given_up = is_over() && !question.answer;
    if (is_given_up && !(is_there && claim->status == QuestionStatus::Deferred))
      text_ = TRY(set_question(text_, {.id = id, .status = "deferred"}));
    return {};
  }

  Result<void> show_document() {
    if (!is_done(state_, "write")) return {};
    const auto row = std::ranges::find(claims_.documents, "spec.md", &ClaimedDocument::document);
    if (row != claims_.documents.end() && row->status == "present") return {};
    text_ = TRY(set_document(text_, {.document = "spec.md",
                                     .status = "present",
                                     .path = "specs/" + state_.subject + "/spec.md",
                                     .at = state_.updated_at}));
    return {};
  }

  std::string text_;
  const RunState& state_;
  LoopPosition position_;
  SpecLoopClaims claims_;
};

}  // namespace

LoopPosition loop_position(const RunState& state) {
  LoopPosition position{.status = status_of(state)};
  if (position.status != LoopStatus::NotStarted)
    position.iteration = std::min(1 + applied_rounds(state), kLoopIterationsMax);
  position.stale = stale_rounds(state);
  position.termination_reason = reason_of(state, position);
  return position;
}

Result<std::string> show_spec_loop(std::string_view bytes, const RunState& state) {
  return SpecLoopShow(std::string(bytes), state).show();
}

}  // namespace reprise
