#include "executor/event_secrets.h"

#include "guard/result_file.h"

namespace reprise {
namespace {

class TextsOfEvent {
 public:
  explicit TextsOfEvent(const Masker& masker) : masker_(masker) {}

  void operator()(FindingOverruled& event) const { mask(event.because); }
  void operator()(AttemptFinished& event) const {
    mask(event.reason);
    mask(event.summary);
    mask(event.last_lines);
  }
  void operator()(ClaimImported& event) const { mask(event.summary); }
  void operator()(StepVerified& event) const { mask(event.how); }
  void operator()(StepSkipped& event) const { mask(event.because); }
  void operator()(StepReset& event) const { mask(event.because); }
  void operator()(GateDecided& event) const { mask(event.because); }
  void operator()(QuestionAsked& event) const {
    mask(event.text);
    mask(event.options);
  }
  void operator()(QuestionAnswered& event) const { mask(event.text); }
  void operator()(GapChanged& event) const {
    mask(event.text);
    mask(event.resolution);
  }
  void operator()(StateFileEdited& event) const { mask(event.refused); }
  void operator()(CheckpointReached& event) const {
    mask(event.notes);
    mask(event.failure_context);
  }
  void operator()(LaneRolledBack& event) const { mask(event.because); }
  void operator()(LaneClosed& event) const { mask(event.because); }
  void operator()(TaskChanged& event) const {
    mask(event.subject);
    mask(event.description);
    mask(event.owner);
    for (auto& [key, value] : event.metadata) value = mask_json(value, masker_);
  }
  void operator()(NoteAdded& event) const { mask(event.text); }
  void operator()(RunFinished& event) const { mask(event.reason); }
  void operator()(RunReopened& event) const { mask(event.because); }

  // What Reprise alone wrote.
  void operator()(RunCreated&) const {}
  void operator()(PlanAccepted&) const {}
  void operator()(LeaseTakenOver&) const {}
  void operator()(AttemptStarted&) const {}
  void operator()(GateOpened&) const {}
  void operator()(RunArchived&) const {}
  void operator()(AnswersApplied&) const {}
  void operator()(StateFileWritten&) const {}
  void operator()(LaneCreated&) const {}

 private:
  void mask(std::string& text) const {
    if (text.size() >= kSecretBytesMin) text = masker_.mask_shown(text);
  }
  void mask(std::vector<std::string>& texts) const {
    for (std::string& text : texts) mask(text);
  }

  const Masker& masker_;
};

}  // namespace

void take_secrets_out(Event& event, const Masker& masker) {
  std::visit(TextsOfEvent(masker), static_cast<AnyEvent&>(event));
}

}  // namespace reprise
