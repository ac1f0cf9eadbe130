// The copy of a run's state that is stored beside its events, so that a long history is not folded again
// each time: its fields, and a fingerprint of them that tells a copy of another version.

#include <algorithm>

#include "model/binary_fields.h"
#include "model/event_fields.h"
#include "model/limits.h"
#include "model/run_state.h"

namespace reprise {

// The copy is rebuilt by whoever cannot read it, so numbers will do here.
template <typename F, typename Enum>
void number_field(F& f, std::string_view name, Enum& value, Enum last) {
  SmallEnum number{static_cast<std::int32_t>(value), static_cast<std::int32_t>(last) + 1};
  f(name, number);
  value = static_cast<Enum>(number.number >= 0 && number.number < number.count ? number.number : 0);
}

template <typename F>
void fields(F& f, StepState& s) {
  number_field(f, "r", s.record, StepState::Record::Skipped);
  number_field(f, "o", s.outcome, AttemptOutcome::Interrupted);
  f("to", s.timed_out);
  f("nh", s.needs_human);
  f("a", s.attempts);
  f("fl", s.failures);
  f("se", s.same_error);
  f("l", s.laters);
  f("x", s.exit_code);
  f("sg", s.signal);
  f("e", s.started_event);
  f("ce", s.checked_event);
  f("he", s.changed_event);
  f("s", s.started_at);
  f("f", s.finished_at);
  f("ls", s.later_since);
  f("ra", s.retry_at);
  f("t", s.took);
  f("w", s.work);
  f("rn", s.reason);
  f("v", s.verdict);
  f("sm", s.summary);
  f("rs", s.result);
  f("in", s.inputs);
  f("be", s.before);
  f("ar", s.artifacts);
  f("fc", s.failure_context);
}

template <typename F>
void fields(F& f, GateState& g) {
  number_field(f, "record", g.record, GateState::Record::Rejected);
  f("ask", g.ask);
  f("shows", g.shows);
  f("approved", g.approved);
  f("by", g.by);
  f("because", g.because);
  f("since", g.since);
}

template <typename F>
void fields(F& f, QuestionState& q) {
  f("step", q.step);
  f("text", q.text);
  f("options", q.options);
  f("gaps", q.gaps);
  f("answer", q.answer);
  f("by", q.by);
  f("applied", q.applied);
  f("since", q.since);
}

template <typename F>
void fields(F& f, GapState& g) {
  number_field(f, "priority", g.priority, GapPriority::Minor);
  number_field(f, "status", g.status, GapStatus::KnownGap);
  f("text", g.text);
  f("resolution", g.resolution);
  f("since", g.since);
}

template <typename F>
void fields(F& f, TaskState& t) {
  f("subject", t.subject);
  f("description", t.description);
  f("owner", t.owner);
  f("status", t.status);
  f("phase", t.phase);
  f("blocked_by", t.blocked_by);
  f("metadata", t.metadata);
  f("since", t.since);
}

template <typename F>
void fields(F& f, StateFileState& s) {
  f("path", s.path);
  f("digest", s.digest);
  f("before", s.before);
  f("refused", s.refused);
  f("kept", s.kept);
}

template <typename F>
void fields(F& f, CheckpointState& c) {
  f("name", c.name);
  f("status", c.status);
  f("commit", c.commit);
  f("snapshot", c.snapshot);
  f("notes", c.notes);
  f("retry_attempt", c.retry_attempt);
  f("max_retries", c.max_retries);
  f("failure_context", c.failure_context);
  f("event", c.event);
  f("at", c.at);
  f("imported", c.imported);
}

template <typename F>
void fields(F& f, LaneState& l) {
  f("name", l.name);
  f("folder", l.folder);
  f("branch", l.branch);
  f("base", l.base);
  f("base_commit", l.base_commit);
  f("head", l.head);
  f("taken_from", l.taken_from);
  f("published", l.published);
  f("made", l.made);
  f("closed", l.closed);
  f("closing", l.closing);
  f("retries", l.retries);
  f("failure_context", l.failure_context);
  f("rolling_back", l.rolling_back);
  f("target", l.target);
  f("rescue", l.rescue);
  f("checkpoints", l.checkpoints);
}

template <typename F>
void fields(F& f, RunState& s) {
  f("id", s.id);
  f("key", s.key);
  f("last", s.last);
  f("status", s.status);
  f("reason", s.reason);
  f("workflow", s.workflow);
  f("subject", s.subject);
  f("definition", s.definition);
  f("source", s.source);
  f("source_digest", s.source_digest);
  f("forked_from", s.forked_from);
  f("mode", s.mode);
  f("parallel", s.parallel);
  f("resume_count", s.resume_count);
  f("archived", s.archived);
  f("ended_to_archive", s.ended_to_archive);
  f("started_at", s.started_at);
  f("updated_at", s.updated_at);
  f("session_at", s.session_at);
  f("session_event", s.session_event);
  f("checkout", s.checkout);
  f("branch", s.branch);
  f("reopened_event", s.reopened_event);
  f("cost_usd", s.cost_usd);
  f("cost_allowed_usd", s.cost_allowed_usd);
  f("tokens", s.tokens);
  f("values", s.values);
  f("baseline", s.baseline);
  f("steps", s.steps);
  f("gates", s.gates);
  f("lanes", s.lanes);
  f("questions", s.questions);
  f("gaps", s.gaps);
  f("tasks", s.tasks);
  f("state_file", s.state_file);
  f("adopted", s.adopted);
  f("overruled", s.overruled);
  f("overruled_event", s.overruled_event);
  f("notes", s.notes);
}

namespace {

// Whatever was written with other fields is not ours to read.
const std::string& layout_fingerprint() {
  static const std::string kFingerprint =
      to_hex(digest_of(FieldNames::of<RunState, StepState, GateState, QuestionState, GapState, TaskState,
                                      StateFileState, LaneState, CheckpointState, FindingOverruled, SeenFile>()))
          .substr(0, 16);
  return kFingerprint;
}

}  // namespace

std::string encode_state(const RunState& state) {
  BinaryWriter writer;
  writer.put(const_cast<RunState&>(state));  // fields() is shared with the reader and takes no const
  return layout_fingerprint() + writer.take();
}

Result<RunState> decode_state(std::string_view bytes) {
  RunState state;
  if (bytes.starts_with(layout_fingerprint())) {
    BinaryReader reader(bytes.substr(layout_fingerprint().size()));
    reader.get(state);
    if (reader.ok() && reader.is_at_end()) return state;
  }
  return fail(ErrorKind::Corrupt, "the stored copy of a run's state cannot be read");
}

}  // namespace reprise
