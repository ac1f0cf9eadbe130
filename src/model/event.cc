#include "model/event.h"

#include <utility>

namespace reprise {

Event::Event() = default;
Event::Event(const Event& other) = default;
Event::Event(Event&& other) noexcept = default;
Event& Event::operator=(const Event& other) = default;
Event& Event::operator=(Event&& other) noexcept = default;
Event::~Event() = default;

template <typename Kind>
  requires(!std::is_base_of_v<AnyEvent, Kind>)
Event::Event(Kind kind) : AnyEvent(std::in_place_type<Kind>, std::move(kind)) {}

template Event::Event(RunCreated);
template Event::Event(PlanAccepted);
template Event::Event(LeaseTakenOver);
template Event::Event(FindingOverruled);
template Event::Event(AttemptStarted);
template Event::Event(AttemptFinished);
template Event::Event(StepVerified);
template Event::Event(StepSkipped);
template Event::Event(StepReset);
template Event::Event(GateOpened);
template Event::Event(GateDecided);
template Event::Event(QuestionAsked);
template Event::Event(QuestionAnswered);
template Event::Event(NoteAdded);
template Event::Event(RunFinished);
template Event::Event(RunReopened);
template Event::Event(RunArchived);
template Event::Event(ClaimImported);
template Event::Event(AnswersApplied);
template Event::Event(GapChanged);
template Event::Event(StateFileWritten);
template Event::Event(StateFileEdited);
template Event::Event(LaneCreated);
template Event::Event(CheckpointReached);
template Event::Event(LaneRolledBack);
template Event::Event(LaneClosed);
template Event::Event(TaskChanged);

}  // namespace reprise
