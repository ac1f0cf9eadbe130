#include "model/event_codec.h"

#include <array>

#include "model/event_fields.h"
#include "model/json_fields.h"
#include "model/plain_json.h"

namespace reprise {

template <typename F>
void fields(F& f, RunCreated& e) {
  f("workflow", e.workflow);
  f("subject", e.subject);
  f("definition", e.definition);
  f("source", e.source);
  f("source_digest", e.source_digest);
  f("mode", e.mode);
  f("parallel", e.parallel);
  f("values", e.values);
  f("baseline", e.baseline);
  f("forked_from", e.forked_from);
  f("native_file", e.native_file);
  f("adopted", e.adopted);
  f("serial", e.serial);
  f("last_activity", e.last_activity);
}

template <typename F>
void fields(F& f, PlanAccepted& e) {
  f("definition", e.definition);
  f("source_digest", e.source_digest);
  f("readiness", e.readiness);
  f("owner", e.owner);
  f("by", e.by);
  f("mode", e.mode);
  f("resumed", e.resumed);
  f("kept", e.kept);
  f("from", e.from);
  f("checkout", e.checkout);
  f("branch", e.branch);
}

template <typename F>
void fields(F& f, LeaseTakenOver& e) {
  f("from", e.from);
  f("to", e.to);
}

template <typename F>
void fields(F& f, AttemptStarted& e) {
  f("step", e.step);
  f("attempt", e.attempt);
  f("work", e.work);
  f("inputs", e.inputs);
  f("before", e.before);
}

template <typename F>
void fields(F& f, AttemptFinished& e) {
  f("step", e.step);
  f("attempt", e.attempt);
  f("outcome", e.outcome);
  f("exit_code", e.exit_code);
  f("signal", e.signal);
  f("reason", e.reason);
  f("took_ms", e.took);
  f("artifacts", e.artifacts);
  f("verdict", e.verdict);
  f("summary", e.summary);
  f("result", e.result);
  f("cost_usd", e.cost_usd);
  f("tokens", e.tokens);
  f("retry_at", e.retry_at);
  f("last_lines", e.last_lines);
  f("branch", e.branch);
}

template <typename F>
void fields(F& f, StepVerified& e) {
  f("step", e.step);
  f("how", e.how);
  f("work", e.work);
  f("inputs", e.inputs);
  f("artifacts", e.artifacts);
}

template <typename F>
void fields(F& f, ClaimImported& e) {
  f("step", e.step);
  f("done", e.done);
  f("source", e.source);
  f("rule", e.rule);
  f("verdict", e.verdict);
  f("work", e.work);
  f("artifacts", e.artifacts);
  f("inputs", e.inputs);
  f("summary", e.summary);
  f("result", e.result);
  f("took_ms", e.took);
  f("stalled", e.stalled);
}

template <typename F>
void fields(F& f, StepSkipped& e) {
  f("step", e.step);
  f("by", e.by);
  f("because", e.because);
}

template <typename F>
void fields(F& f, StepReset& e) {
  f("step", e.step);
  f("rule", e.rule);
  f("by", e.by);
  f("because", e.because);
}

template <typename F>
void fields(F& f, GateOpened& e) {
  f("gate", e.gate);
  f("ask", e.ask);
  f("shows", e.shows);
}

template <typename F>
void fields(F& f, GateDecided& e) {
  f("gate", e.gate);
  f("approved", e.approved);
  f("by", e.by);
  f("because", e.because);
  f("shows", e.shows);
}

template <typename F>
void fields(F& f, QuestionAsked& e) {
  f("id", e.id);
  f("step", e.step);
  f("text", e.text);
  f("options", e.options);
  f("gaps", e.gaps);
}

template <typename F>
void fields(F& f, QuestionAnswered& e) {
  f("id", e.id);
  f("text", e.text);
  f("by", e.by);
}

template <typename F>
void fields(F& f, AnswersApplied& e) {
  f("questions", e.questions);
}

template <typename F>
void fields(F& f, GapChanged& e) {
  f("id", e.id);
  f("priority", e.priority);
  f("status", e.status);
  f("text", e.text);
  f("resolution", e.resolution);
}

template <typename F>
void fields(F& f, StateFileWritten& e) {
  f("file", e.file);
  f("before", e.before);
  f("digest", e.digest);
}

template <typename F>
void fields(F& f, StateFileEdited& e) {
  f("file", e.file);
  f("before", e.before);
  f("digest", e.digest);
  f("refused", e.refused);
  f("kept", e.kept);
}

template <typename F>
void fields(F& f, LaneCreated& e) {
  f("lane", e.lane);
  f("name", e.name);
  f("folder", e.folder);
  f("branch", e.branch);
  f("base", e.base);
  f("base_commit", e.base_commit);
  f("taken_from", e.taken_from);
}

template <typename F>
void fields(F& f, CheckpointReached& e) {
  f("lane", e.lane);
  f("name", e.name);
  f("status", e.status);
  f("commit", e.commit);
  f("snapshot", e.snapshot);
  f("notes", e.notes);
  f("retry_attempt", e.retry_attempt);
  f("max_retries", e.max_retries);
  f("failure_context", e.failure_context);
}

template <typename F>
void fields(F& f, LaneRolledBack& e) {
  f("lane", e.lane);
  f("to", e.to);
  f("commit", e.commit);
  f("target", e.target);
  f("rescue", e.rescue);
  f("done", e.done);
  f("by", e.by);
  f("because", e.because);
}

template <typename F>
void fields(F& f, LaneClosed& e) {
  f("lane", e.lane);
  f("because", e.because);
  f("rescue", e.rescue);
  f("again", e.again);
  f("began", e.began);
}

template <typename F>
void fields(F& f, NoteAdded& e) {
  f("text", e.text);
  f("by", e.by);
}

template <typename F>
void fields(F& f, TaskChanged& e) {
  f("id", e.id);
  f("subject", e.subject);
  f("description", e.description);
  f("owner", e.owner);
  f("status", e.status);
  f("phase", e.phase);
  f("blocked_by", e.blocked_by);
  f("metadata", e.metadata);
  f("removed", e.removed);
  f("by", e.by);
}

template <typename F>
void fields(F& f, RunFinished& e) {
  f("status", e.status);
  f("reason", e.reason);
  f("by", e.by);
}

template <typename F>
void fields(F& f, RunReopened& e) {
  f("by", e.by);
  f("because", e.because);
}

template <typename F>
void fields(F& f, RunArchived& e) {
  f("by", e.by);
  f("ended", e.ended);
  f("again", e.again);
}

namespace {

// In the order of the alternatives of Event.
constexpr std::array<std::string_view, std::variant_size_v<AnyEvent>> kKinds = {
    "run_created",        "plan_accepted",     "lease_taken_over",  "finding_overruled",  "attempt_started",
    "attempt_finished",   "step_verified",     "step_skipped",      "step_reset",         "gate_opened",
    "gate_decided",       "question_asked",    "question_answered", "note_added",         "run_finished",
    "run_reopened",       "run_archived",      "claim_imported",    "answers_applied",    "gap_changed",
    "state_file_written", "state_file_edited", "lane_created",      "checkpoint_reached", "lane_rolled_back",
    "lane_closed",        "task_changed"};

// Makes `event` an empty one of `kind`, in place. False: there is no such kind.
template <std::size_t Index = 0>
bool make_empty(std::string_view kind, Event& event) {
  if constexpr (Index == kKinds.size()) {
    return false;
  } else {
    if (kKinds[Index] != kind) return make_empty<Index + 1>(kind, event);
    event.emplace<Index>();
    return true;
  }
}

}  // namespace

std::string_view kind_of(const Event& event) { return kKinds[event.index()]; }

std::string encode(const Event& event) {
  return std::visit([](const auto& e) { return FieldWriter::object(e); }, event);
}

Result<void> decode_into(std::string_view kind, int version, std::string_view json, Event& event) {
  if (version != kEventVersion) {
    return fail(ErrorKind::Corrupt, "event version " + std::to_string(version) + " is not known here");
  }
  if (!make_empty(kind, event))
    return fail(ErrorKind::Corrupt, "event kind \"" + std::string(kind) + "\" is not known here");
  if (std::visit([&](auto& e) { return PlainReader::object(json, e); }, static_cast<AnyEvent&>(event))) return {};
  make_empty(kind, event);
  unsigned char buffer[4096];  // most events fit: no allocation while a history is read
  boost::json::monotonic_resource memory(buffer, sizeof buffer);
  const std::optional<boost::json::value> value = parse_stored(json, &memory);
  const bool fits =
      value && std::visit([&](auto& e) { return FieldReader::object(*value, e); }, static_cast<AnyEvent&>(event));
  if (!fits) return fail(ErrorKind::Corrupt, "event \"" + std::string(kind) + "\" does not have the right fields");
  return {};
}

Result<Event> decode(std::string_view kind, int version, std::string_view json) {
  Event event = NoteAdded{};
  TRY_VOID(decode_into(kind, version, json, event));
  return event;
}

}  // namespace reprise
