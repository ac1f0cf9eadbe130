#include "executor/edit_import.h"

#include <algorithm>

#include "base/strings.h"

namespace reprise {
namespace {

class EditImporter {
 public:
  explicit EditImporter(const EditImport& import) : import_(import), path_(import.state.state_file.path) {}

  Result<ImportedEdits> import_all() {
    while (const std::optional<StateFileEdit> edit = TRY(import_.file.find_edit(import_.state))) {
      TRY_VOID(import_one(*edit));
      out_.any = true;
    }
    return out_;
  }

 private:
  Result<void> import_one(const StateFileEdit& edit) {
    const RunState& state = import_.state;
    Result<HandEdits> meant = import_.native.edits(edit.before, edit.now, state);
    // A file that was put there before the run wrote its own for the first time is not the run's to replace.
    if (!meant && edit.before_digest.empty() && !state.was_worked_on())
      return fail(not_overwritten(meant.error()));
    event_ = {.file = path_, .before = edit.before_digest, .digest = edit.now_digest, .refused = {}};
    TRY_VOID(import_.file.take(edit, meant.has_value()));
    if (!meant) {
      event_.refused = {"it cannot be read any more and is written anew: " + meant.error().message};
      event_.kept = TRY(import_.file.keep(edit, state));
      return import_.record(std::move(event_));
    }
    event_.refused = meant->refused;
    if (state.is_ended()) {
      event_.refused.emplace_back("the run is over; only notes are taken over");
      *meant = {.notes = meant->notes};
    }
    TRY_VOID(import_decisions(*meant));
    for (const std::string& note : meant->notes) {
      // A text that was changed before we wrote into it has some of our notes, and not all that others took over.
      if (std::ranges::find(state.notes, note) == state.notes.end())
        TRY_VOID(import_.record(NoteAdded{note, path_}));
    }
    if (meant->cancel) TRY_VOID(import_.decide({.kind = "cancel", .text = "cancelled in " + path_, .by = path_}));
    if (!event_.refused.empty()) event_.kept = TRY(import_.file.keep(edit, state));
    return import_.record(std::move(event_));
  }

  Error not_overwritten(const Error& why) const {
    return Error{
        .kind = ErrorKind::Conflict, .message = path_ + " is not overwritten: it " + why.message, .file = path_}
        .hint("mv " + shell_quote(path_) + " " + shell_quote(path_ + ".old"));
  }

  Result<void> import_decisions(const HandEdits& meant) {
    for (const HandEdits::Approval& approval : meant.approvals)
      refuse(approval.line, TRY(import_approval(approval)));
    for (const HandEdits::Answer& answer : meant.answers) refuse(answer.line, TRY(import_answer(answer)));
    for (const HandEdits::Completed& claim : meant.completed) {
      if (TRY(import_claim(claim))) continue;
      refuse(claim.line, claim.step.text + " is claimed to be completed, but what it makes is not there");
    }
    return {};
  }

  void refuse(int line, const std::string& why) {
    if (!why.empty()) event_.refused.push_back("line " + std::to_string(line) + ": " + why);
  }

  // Says when a worker may have written the edit, "" if it can only be a person's.
  Result<std::string> time_of_worker() const {
    if (import_.may_be_from_worker) return std::string("while a worker of this run was at work");
    return import_.find_other_worker ? import_.find_other_worker() : std::string();
  }

  // A ticked box is an approval of what the open gate shows. Returns why it is none, "" if it is.
  Result<std::string> import_approval(const HandEdits::Approval& approval) {
    const RunState& state = import_.state;
    const std::string& gate = approval.gate.text;
    const auto found = state.gates.find(approval.gate);
    const bool is_known = found != state.gates.end();
    if (is_known && found->second.record == GateState::Record::Approved) return std::string();
    // Of work that was only found, the file is all there is: its rules read the boxes.
    if (!is_known && state.adopted && !state.was_worked_on()) return std::string();
    if (!is_known || found->second.record != GateState::Record::Open)
      return "the box of " + gate + " was ticked before it was asked for; it is asked when the run gets there";
    if (const std::string when = TRY(time_of_worker()); !when.empty())
      return "the box of " + gate + " was ticked " + when + "; if it was you: reprise approve " +
             state.id.shown() + " " + gate;
    return decide({.kind = "approve", .target = gate, .by = place(approval.line)});
  }

  // The same for an answer that was typed into the file.
  Result<std::string> import_answer(const HandEdits::Answer& answer) {
    if (const std::string when = TRY(time_of_worker()); !when.empty())
      return "question " + answer.question + " was answered " + when + "; if it was you: reprise answer " +
             import_.state.id.shown() + " " + answer.question + " TEXT";
    return decide({.kind = "answer", .target = answer.question, .text = answer.text, .by = place(answer.line)});
  }

  // Believed where what the stage makes is there and passes its check.
  Result<bool> import_claim(const HandEdits::Completed& claim) {
    const std::optional<int> leaf = import_.graph.find(claim.step);
    const StepState* step = import_.state.find_step(claim.step);
    if (!leaf || (step != nullptr && step->record == StepState::Record::Open)) return false;
    if (step != nullptr && step->record == StepState::Record::Done) return true;
    const Stage& stage = *import_.graph.node(*leaf).stage;
    ClaimImported imported{.step = claim.step,
                           .done = true,
                           .source = place(claim.line),
                           .rule = "claimed by hand",
                           .verdict = "",
                           .work = work_digest(stage),
                           .artifacts = {}};
    for (const Product& product : stage.produces) {
      const std::string path = import_.graph.resolve_path(*leaf, product.path);
      if (!TRY(import_.attempts.product_fault(path, product.complete)).empty()) return false;
      imported.artifacts.push_back({path, "", ""});
    }
    imported.artifacts = TRY(import_.attempts.look_at(imported.artifacts));
    TRY_VOID(import_.record(std::move(imported)));
    out_.has_completed_steps = true;
    return true;
  }

  // Returns why the decision is refused, "" if it is carried out.
  Result<std::string> decide(const Steer& steer) {
    const Result<void> done = import_.decide(steer);
    if (done) return std::string();
    if (ends_work(done.error().kind)) return fail(done.error());
    return done.error().message;
  }

  std::string place(int line) const { return path_ + " line " + std::to_string(line); }

  const EditImport& import_;
  std::string path_;
  StateFileEdited event_;
  ImportedEdits out_;
};

}  // namespace

Result<ImportedEdits> import_edits(const EditImport& import) { return EditImporter(import).import_all(); }

}  // namespace reprise
