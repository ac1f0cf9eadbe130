// Executor: what people ask for, by requests, in this process, or with a signal.

#include <algorithm>

#include "base/strings.h"
#include "executor/executor.h"
#include "model/seen_mode.h"
#include "os/clock.h"
#include "os/signals.h"

namespace reprise {

Result<void> Executor::steer(const Steer& steer) {
  go_on_ = true;
  TRY_VOID(apply_steer(steer));
  return flush();
}

Result<void> Executor::decide(const Steer& steer) {
  TRY_VOID(take_edits());
  TRY_VOID(keep_rules_of_system());
  begin_graph(TRY(plan_now()));
  const Result<void> decided = apply_steer(steer);
  if (cancel_) TRY_VOID(record(*cancel_));
  if (decided && steer.kind == "reject" && parts_.native != nullptr)
    TRY_VOID(end_with(RunStatus::Failed, first_failure()));
  TRY_VOID(flush());  // a gate that shows something else now is open again, though nothing was decided
  return decided;
}

Result<void> Executor::apply_steer(const Steer& steer) {
  std::vector<SeenFile> shown;
  if (steer.kind == "approve" || steer.kind == "reject") {
    const StepPath gate = TRY(gate_meant(steer.target, state_));
    const std::optional<int> leaf = graph_.find(gate);
    if (leaf && graph_.node(*leaf).kind == Graph::Kind::Gate) {
      shown = TRY(attempts_.look_at_shown(graph_, *leaf));
      const std::vector<SeenFile>& opened = state_.gates.at(gate).shows;
      const bool redefined = is_redefined(*leaf);
      if (steer.kind == "approve" && (redefined || !same_shown(opened, shown))) {
        TRY_VOID(keep_texts(shown));
        const std::string ask =
            redefined ? graph_.resolve(*leaf, graph_.node(*leaf).stage->gate->ask) : state_.gates.at(gate).ask;
        TRY_VOID(record(GateOpened{gate, ask, shown}));
        return fail(ErrorKind::Conflict, "what gate " + gate.text + (redefined ? " asks or shows" : " shows") +
                                             " has changed since it was opened; look again and approve again");
      }
    }
  }
  std::vector<Event> events = TRY(events_for(steer, state_, graph_, shown));
  for (Event& event : events) {
    if (TaskChanged* const task = std::get_if<TaskChanged>(&event)) attempts_.take_secrets_out(*task);
    if (const RunFinished* finished = std::get_if<RunFinished>(&event)) {
      cancel_ = *finished;
      stop_all();
      continue;
    }
    TRY_VOID(record(event));
    after_steer(event);
  }
  return {};
}

void Executor::after_steer(const Event& event) {
  if (std::holds_alternative<TaskChanged>(event)) take_in_tasks();
  const auto leaf_of = [&](const StepPath& path) { return graph_.find(path).value_or(-1); };
  if (const GateDecided* decided = std::get_if<GateDecided>(&event)) {
    const int leaf = leaf_of(decided->gate);
    if (leaf < 0) return;  // the cost gate
    held_.erase(leaf);
    covered_.erase(leaf);
    decisions_[leaf] = Decision::Continue;
    if (!decided->approved) {
      graph_.fail(leaf);
    } else if (graph_.node(leaf).kind == Graph::Kind::Gate) {
      graph_.settle(leaf);
    } else {
      graph_.reopen(leaf);
    }
  } else if (const StepSkipped* skipped = std::get_if<StepSkipped>(&event)) {
    const int leaf = leaf_of(skipped->step);
    held_.erase(leaf);
    std::erase_if(due_, [&](const auto& entry) { return entry.second == leaf; });
    graph_.settle(leaf);
  } else if (const StepReset* reset = std::get_if<StepReset>(&event)) {
    const int leaf = leaf_of(reset->step);
    decisions_[leaf] = Decision::Rerun;  // whatever the plan said of it
    held_.erase(leaf);
    std::erase_if(due_, [&](const auto& entry) { return entry.second == leaf; });
    if (leaf < 0) return;
    const Graph::Node& node = graph_.node(leaf);
    if (node.reached && node.status != Graph::Status::Done) {
      graph_.reopen(leaf);
    } else {
      replan_ = true;  // it may have been kept
    }
  } else if (const QuestionAnswered* answered = std::get_if<QuestionAnswered>(&event)) {
    const StepPath& step = state_.questions.at(answered->id).step;
    const bool all = std::ranges::all_of(
        state_.questions, [&](const auto& entry) { return entry.second.step != step || entry.second.answer; });
    const std::set<int> held = held_;
    for (const int waiting : held) {
      if (!graph_.node(waiting).stage->takes_answers || waits_for_answers(waiting)) continue;
      decisions_[waiting] = Decision::Continue;
      held_.erase(waiting);
      graph_.reopen(waiting);
    }
    const int leaf = leaf_of(step);
    if (!all || leaf < 0) return;
    decisions_[leaf] = Decision::Continue;
    if (held_.erase(leaf) > 0) graph_.reopen(leaf);
  }
}

Result<void> Executor::serve_requests() {
  requests_seen_at_ = parts_.clock.monotonic();
  for (const Request& request : TRY(parts_.journal.requests(state_.id))) {
    if (std::ranges::find(cancel_requests_, request.number) != cancel_requests_.end()) continue;
    Result<Steer> steer = decode_steer(request.kind, request.body, request.by);
    Result<void> done = steer ? apply_steer(*steer) : Result<void>(fail(steer.error()));
    if (!done && ends_work(done.error().kind)) return done;
    if (done && cancel_ && request.kind == "cancel") {
      cancel_requests_.push_back(request.number);  // answered when the run has really ended
    } else {
      answers_.push_back({request.number, done ? "" : attempts_.without_secrets(done.error().message)});
    }
  }
  return {};
}

Result<bool> Executor::serve_while_waiting() {
  const EventNumber before = state_.last;
  TRY_VOID(serve_requests());
  TRY_VOID(take_edits());
  TRY_VOID(flush());
  return state_.last != before || cancel_.has_value();
}

// What somebody wrote into the state file counts as if they had said it here; what cannot be taken over is kept
// with the reason. There may be several edits: in the file, and in what was displaced when we wrote it.
Result<void> Executor::take_edits() {
  if (!projector_) return {};
  const std::string file = state_.state_file.path;
  while (const std::optional<Projector::Edit> edit = TRY(projector_->find_edit(state_))) {
    Result<HandEdits> meant = parts_.native->edits(edit->before, edit->now, state_);
    // A file that was put there before the run wrote its own for the first time is not the run's to replace.
    if (!meant && edit->before_digest.empty() && !state_.was_worked_on()) {
      return fail(Error{.kind = ErrorKind::Conflict,
                        .message = file + " is not overwritten: it " + meant.error().message,
                        .file = file}
                      .hint("mv " + shell_quote(file) + " " + shell_quote(file + ".old")));
    }
    StateFileEdited event{.file = file, .before = edit->before_digest, .digest = edit->now_digest, .refused = {}};
    TRY_VOID(projector_->take(*edit, meant.has_value()));
    if (!meant) {
      event.refused = {"it cannot be read any more and is written anew: " + meant.error().message};
      event.kept = TRY(keep_edit(*edit));
      TRY_VOID(record(std::move(event)));
      continue;
    }
    event.refused = meant->refused;
    if (state_.is_ended()) {
      event.refused.emplace_back("the run is over; only notes are taken over");
      *meant = {.notes = meant->notes};
    }
    const auto refuse = [&](int line, const std::string& why) {
      if (!why.empty()) event.refused.push_back("line " + std::to_string(line) + ": " + why);
    };
    for (const HandEdits::Approval& approval : meant->approvals)
      refuse(approval.line, TRY(take_approval(approval, file)));
    for (const HandEdits::Answer& answer : meant->answers) refuse(answer.line, TRY(take_answer(answer, file)));
    for (const HandEdits::Completed& claim : meant->completed) {
      if (TRY(take_claim(claim, file))) continue;
      event.refused.push_back("line " + std::to_string(claim.line) + ": " + claim.step.text +
                              " is claimed to be completed, but what it makes is not there");
    }
    for (const std::string& note : meant->notes) {
      // A text that was changed before we wrote into it has some of our notes, and not all that others took over.
      if (std::ranges::find(state_.notes, note) == state_.notes.end()) TRY_VOID(record(NoteAdded{note, file}));
    }
    if (meant->cancel) TRY_VOID(apply_steer({.kind = "cancel", .text = "cancelled in " + file, .by = file}));
    go_on_ = true;
    if (!event.refused.empty()) event.kept = TRY(keep_edit(*edit));
    TRY_VOID(record(std::move(event)));
  }
  return {};
}

// What was found stays where a person can open it, whatever is written over it.
Result<std::string> Executor::keep_edit(const Projector::Edit& edit) {
  const std::filesystem::path folder = setup_.store / "edits" / path_component(state_.id.text);
  const std::string name = std::filesystem::path(state_.state_file.path).filename().string();
  const std::filesystem::path place = folder / (to_hex(shortened(digest_of(edit.now))) + "-" + name);
  TRY_VOID(parts_.files.make_directories(folder));
  TRY_VOID(parts_.files.replace(place, edit.now));
  return place.lexically_relative(setup_.project).string();
}

// Workers can write the state file too, and nothing in it says who did: what appears in it while one is at work is
// nobody's decision.
bool Executor::may_be_from_worker() const {
  return began_with_open_ || std::ranges::any_of(state_.steps, [](const auto& step) {
           return step.second.record == StepState::Record::Open;
         });
}

// A ticked box is an approval of what the open gate shows. Returns why it is none, "" if it is.
Result<std::string> Executor::take_approval(const HandEdits::Approval& approval, const std::string& file) {
  const std::string& gate = approval.gate.text;
  const auto found = state_.gates.find(approval.gate);
  const bool is_known = found != state_.gates.end();
  if (is_known && found->second.record == GateState::Record::Approved) return std::string();
  // Of a run that was only found, the file is all there is: its rules read the boxes.
  if (!is_known && state_.adopted && state_.session_event.value == 0) return std::string();
  if (!is_known || found->second.record != GateState::Record::Open)
    return "the box of " + gate + " was ticked before it was asked for; it is asked when the run gets there";
  if (may_be_from_worker())
    return "the box of " + gate +
           " was ticked while a worker of this run was at work; if it was you: reprise approve " +
           state_.id.shown() + " " + gate;
  const std::string by = file + " line " + std::to_string(approval.line);
  const Result<void> done = apply_steer({.kind = "approve", .target = gate, .by = by});
  if (done) return std::string();
  if (ends_work(done.error().kind)) return fail(done.error());
  return done.error().message;
}

// The same for an answer that was typed into the file.
Result<std::string> Executor::take_answer(const HandEdits::Answer& answer, const std::string& file) {
  if (may_be_from_worker())
    return "question " + answer.question +
           " was answered while a worker of this run was at work; if it was you: " + "reprise answer " +
           state_.id.shown() + " " + answer.question + " TEXT";
  const std::string by = file + " line " + std::to_string(answer.line);
  const Result<void> done =
      apply_steer({.kind = "answer", .target = answer.question, .text = answer.text, .by = by});
  if (done) return std::string();
  if (ends_work(done.error().kind)) return fail(done.error());
  return done.error().message;
}

// Believed where what the stage makes is there and passes its check.
Result<bool> Executor::take_claim(const HandEdits::Completed& claim, const std::string& file) {
  const std::optional<int> leaf = graph_.find(claim.step);
  const StepState* step = state_.find_step(claim.step);
  if (!leaf || (step != nullptr && step->record == StepState::Record::Open)) return false;
  if (step != nullptr && step->record == StepState::Record::Done) return true;
  ClaimImported imported{.step = claim.step,
                         .done = true,
                         .source = file + " line " + std::to_string(claim.line),
                         .rule = "claimed by hand",
                         .verdict = "",
                         .work = work_digest(*graph_.node(*leaf).stage),
                         .artifacts = {}};
  for (const Product& product : graph_.node(*leaf).stage->produces) {
    const std::string path = graph_.resolve_path(*leaf, product.path);
    if (!TRY(attempts_.product_fault(path, product.complete)).empty()) return false;
    imported.artifacts.push_back({path, "", ""});
  }
  imported.artifacts = TRY(attempts_.look_at(imported.artifacts));
  TRY_VOID(record(std::move(imported)));
  replan_ = true;
  return true;
}

void Executor::stop_all() {
  for (const auto& [name, leaf] : running_) {
    // A guard that is gone is noticed by the next wait; there is nothing to stop then.
    [[maybe_unused]] const Result<void> ignored = parts_.workers.stop(name);
  }
}

void Executor::take_signals() {
  if (parts_.signals == nullptr) return;
  const SignalsSeen seen = parts_.signals->poll();
  if (seen.interrupts > interrupts_) {
    interrupts_ = seen.interrupts;
    if (interrupts_ == 1 && !running_.empty()) {
      parts_.observer.note("interrupted: waiting for " + std::to_string(running_.size()) +
                           " running step(s); press Ctrl-C again to stop them");
    }
    if (interrupts_ > 1) stop_all();
  }
  ending_signal_ = seen.ending;
}

}  // namespace reprise
