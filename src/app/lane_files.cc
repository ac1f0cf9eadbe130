#include "app/lane_files.h"

#include <algorithm>
#include <ranges>
#include <set>

#include "base/digest.h"
#include "base/strings.h"
#include "model/limits.h"
#include "os/io.h"
#include "os/machine.h"
#include "os/shared_file.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTailBytes = 4096;

// Reads a shared file when nobody is writing it.
Result<SharedContent> read_settled(const fs::path& path) {
  for (int round = 0; round < kLookAgainMax; ++round) {
    SharedContent content = TRY(read_shared(path, kDocumentBytesMax));
    if (content.settled) return content;
    pause_for(kLookAgainAfter);
  }
  return fail(ErrorKind::Conflict, path.string() + " is being written by another program all the time");
}

// What was displaced by our write, unless it is what we had read: then it is gone.
Result<std::optional<std::string>> take_displaced(App& app, const fs::path& file, const std::string& expected) {
  std::optional<std::string> other;
  for (const fs::path& beside : displaced_files(file)) {
    const SharedContent content = TRY(read_settled(beside));
    if (content.exists && content.bytes != expected) other = content.bytes;
    TRY_VOID(app.files.remove(beside));
  }
  return other;
}

// A checkpoint file that is not one: whose it is, where it is broken, and the way out.
Error broken_file(const Error& error) {
  Error told{.kind = ErrorKind::Invalid,
             .message = std::string(kCheckpointFile) + (error.line > 0 ? ":" + std::to_string(error.line) : "") +
                        ": " + error.message,
             .file = std::string(kCheckpointFile),
             .line = error.line,
             .column = error.column};
  return std::move(told).hint("mv " + std::string(kCheckpointFile) + " " + std::string(kCheckpointFile) +
                              ".broken");
}

Result<std::string> with_records(std::string bytes, const std::vector<LaneCheckpoint>& records) {
  for (const LaneCheckpoint& record : records) {
    Result<std::string> next = upsert_lane_checkpoint(bytes, record);
    if (!next) return fail(broken_file(next.error()));
    bytes = std::move(*next);
  }
  return bytes;
}

bool is_standard(const CheckpointState& checkpoint) { return is_standard_checkpoint(checkpoint.name); }

// Returns how many events at the front of `events` record what another program had done before its lane was
// adopted.
std::size_t count_imported(std::span<const RecordedEvent> events) {
  for (std::size_t i = events.size(); i > 0; --i) {
    const CheckpointReached* const reached = std::get_if<CheckpointReached>(&events[i - 1].event);
    if (reached != nullptr && reached->name == kAdopted) return i;
  }
  return 0;
}

LogStatus status_of(const AttemptFinished& event) {
  switch (event.outcome) {
    case AttemptOutcome::Done: return LogStatus::Ok;
    case AttemptOutcome::NeedsHuman:
    case AttemptOutcome::Later: return LogStatus::Blocked;
    case AttemptOutcome::Stopped: return LogStatus::Skipped;
    default: return LogStatus::Error;
  }
}

// The events of the log, by the seed's names.
class LogWords {
 public:
  LogWords(const LaneRunName& name, const RunState& state) : name_(name), state_(state) {}

  std::optional<RunLogEvent> operator()(const RecordedEvent& recorded) const {
    RunLogEvent line{.ts = recorded.at, .run_id = name_.run_id, .phase = name_.phase, .lane = name_.lane};
    if (line.lane == "-") line.lane.clear();
    const bool is_told = std::visit([&](const auto& event) { return fill(event, line); }, recorded.event);
    return is_told ? std::optional(line) : std::nullopt;
  }

 private:
  void place(const StepPath& step, RunLogEvent& line) const {
    const std::size_t slash = step.text.find('/');
    line.lane = step.text.substr(0, slash);
    line.task = slash == std::string::npos ? "" : step.text.substr(slash + 1);
  }

  bool fill(const RunCreated&, RunLogEvent& line) const {
    line.event = "phase_start";
    return true;
  }
  bool fill(const RunFinished& event, RunLogEvent& line) const {
    line.event = event.status == RunStatus::Done ? "phase_done" : "lane_aborted";
    line.status = event.status == RunStatus::Done ? LogStatus::Ok : LogStatus::Error;
    line.notes = event.reason;
    return true;
  }
  bool fill(const AttemptStarted& event, RunLogEvent& line) const {
    place(event.step, line);
    const bool is_test = line.task == "tests";
    line.event = is_test ? "test_start" : event.attempt.value > 1 ? "task_retry_start" : "task_start";
    if (line.task == "publish") line.event = "merge_start";
    return true;
  }
  bool fill(const AttemptFinished& event, RunLogEvent& line) const {
    place(event.step, line);
    line.status = status_of(event);
    line.exit_code = event.exit_code;
    line.notes = event.outcome == AttemptOutcome::Done ? event.summary : event.reason;
    if (line.task == "tests") {
      line.event = "test_done";
    } else if (line.task == "publish") {
      const bool is_conflict = event.reason.find(kNothingMerged) != std::string::npos;
      line.event = line.status == LogStatus::Ok ? "merge_done" : is_conflict ? "merge_conflict" : "lane_blocked";
    } else {
      line.event = line.status == LogStatus::Ok        ? "task_done"
                   : line.status == LogStatus::Blocked ? "task_blocked"
                                                       : "task_failed";
    }
    return true;
  }
  bool fill(const LaneCreated& event, RunLogEvent& line) const {
    line.lane = event.name;
    line.event = "lane_start";
    line.notes = "branch " + event.branch + " from " + event.base_commit;
    return true;
  }
  bool fill(const CheckpointReached& event, RunLogEvent& line) const {
    if (!value_in(kLaneStageTokens, event.name)) return false;
    line.lane = state_.lanes.contains(event.lane) ? state_.lanes.at(event.lane).name : event.lane.text;
    line.event = event.name == kPrePr && event.status == "ready" ? "lane_ready_to_merge" : "checkpoint";
    line.status = event.status == "failed"    ? LogStatus::Error
                  : event.status == "blocked" ? LogStatus::Blocked
                                              : LogStatus::Ok;
    line.notes = event.name + " " + event.status + (event.notes.empty() ? "" : ": " + event.notes);
    return true;
  }
  bool fill(const LaneRolledBack& event, RunLogEvent& line) const {
    if (!event.done) return false;
    line.lane = state_.lanes.contains(event.lane) ? state_.lanes.at(event.lane).name : event.lane.text;
    line.event = "lane_rollback";
    line.notes = "to " + event.to + ", what was there is kept as " + event.rescue;
    return true;
  }
  bool fill(const GateDecided& event, RunLogEvent& line) const {
    line.event = "gate_check";
    line.task = event.gate.text;
    line.status = event.approved ? LogStatus::Ok : LogStatus::Blocked;
    line.notes = event.because;
    return true;
  }
  template <typename Other>
  bool fill(const Other&, RunLogEvent&) const {
    return false;
  }

  const LaneRunName& name_;
  const RunState& state_;
};

}  // namespace

std::string run_log_file(const std::string& run_id) { return ".claude/run-logs/" + run_id + ".jsonl"; }

Result<void> check_lane_places(const App& app) {
  TRY_VOID(check_place_in(app.project, kCheckpointFile));
  return check_place_in(app.project, run_log_file("run"));
}

Result<void> put_checkpoints(App& app, const std::vector<LaneCheckpoint>& records) {
  if (records.empty()) return {};
  TRY_VOID(app.files.make_directories(app.store));
  const FileLock lock = TRY(FileLock::lock(app.store / "checkpoints.lock", 0));
  const fs::path file = TRY(make_place_in(app.project, kCheckpointFile));
  TRY_VOID(discard_unfinished(file));
  std::string base = TRY(read_settled(file)).bytes;
  for (int round = 0; round < kLookAgainMax; ++round) {
    const std::string wanted = TRY(with_records(base, records));
    if (wanted == base) return {};
    TRY_VOID(replace_shared(file, wanted));
    // Somebody without the lock wrote between our reading and our writing: theirs is what we build on.
    const std::optional<std::string> other = TRY(take_displaced(app, file, base));
    if (!other) return {};
    base = *other;
  }
  return fail(ErrorKind::Conflict,
              std::string(kCheckpointFile) + " is being written by another program all the time");
}

Result<void> complete_record(App& app, const std::string& plan, LaneCheckpoint& record) {
  record.timestamp = app.clock.now();
  record.log_path = (app.project / run_log_file(record.run_id)).string();
  const LaneRun run{record.run_id, record.phase, record.lane};
  record.resume_hint = resume_hint(plan, run);
  record.rollback_hint = rollback_hint(plan, run);
  std::vector<LaneCheckpoint> records = TRY(list_checkpoints(app));
  std::erase_if(records, [&](const LaneCheckpoint& other) {
    return other.run_id != run.run_id || other.phase != run.phase || other.lane != run.lane;
  });
  std::ranges::stable_sort(records, {}, &LaneCheckpoint::timestamp);
  const auto keep = [&](std::string LaneCheckpoint::* field) {
    for (const LaneCheckpoint& earlier : records | std::views::reverse) {
      if ((record.*field).empty()) record.*field = earlier.*field;
    }
  };
  keep(&LaneCheckpoint::base_branch);
  keep(&LaneCheckpoint::worktree_path);
  if (!plan.empty()) return {};
  for (const LaneCheckpoint& earlier : records) {
    if (earlier.resume_hint.empty()) continue;
    record.resume_hint = earlier.resume_hint;
    record.rollback_hint = earlier.rollback_hint;
  }
  return {};
}

Result<LaneCheckpoints> read_checkpoints(App& app) {
  const SharedContent content = TRY(read_settled(app.project / kCheckpointFile));
  Result<LaneCheckpoints> read = read_lane_checkpoints(content.bytes, kCheckpointFile);
  if (!read) return fail(broken_file(read.error()));
  return read;
}

Result<std::vector<LaneCheckpoint>> list_checkpoints(App& app) { return TRY(read_checkpoints(app)).records; }

Result<void> append_to_log(App& app, const std::string& file, const std::string& lines) {
  if (lines.empty()) return {};
  const FileLock lock = TRY(FileLock::lock(app.store / "checkpoints.lock", 1));
  const fs::path path = TRY(make_place_in(app.project, file));
  const std::optional<FileInfo> info = TRY(app.files.stat(path));
  std::string tail;
  if (info && info->size > 0)
    tail = TRY(app.files.read_part(path, std::max<std::int64_t>(0, info->size - 1), kTailBytes));
  // Not synced: what a power cut takes, the next session writes again from the journal.
  const Fd log = TRY(open_for_append(path));
  return write_all(log.get(), std::string(heal_run_log(tail)) + lines, file);
}

LaneCheckpoint to_record(App& app, const RunState& state, const LaneState& lane,
                         const CheckpointState& checkpoint) {
  const LaneRunName name = lane_run_name(state.id).value_or(LaneRunName{});
  LaneCheckpoint record{.run_id = name.run_id, .phase = name.phase, .lane = lane.name};
  record.stage = value_in(kLaneStageTokens, checkpoint.name).value_or(LaneStage::Unknown);
  record.stage_text = checkpoint.name;
  record.status = value_in(kLaneStatusTokens, checkpoint.status).value_or(LaneStatus::Unknown);
  record.status_text = checkpoint.status;
  record.base_branch = lane.base;
  record.worktree_path = (app.project / lane.folder).string();
  record.log_path = (app.project / run_log_file(name.run_id)).string();
  record.timestamp = checkpoint.at;
  record.notes = checkpoint.notes;
  if (!checkpoint.commit.empty())
    record.notes += (record.notes.empty() ? "commit " : "; commit ") + checkpoint.commit;
  const LaneRun run{name.run_id, name.phase, name.lane};
  record.resume_hint = resume_hint(state.subject, run);
  record.rollback_hint = rollback_hint(state.subject, {name.run_id, name.phase, lane.name});
  if (checkpoint.max_retries > 0) {
    record.retry_attempt = checkpoint.retry_attempt;
    record.max_retries = checkpoint.max_retries;
    record.failure_context = checkpoint.failure_context;
  }
  return record;
}

std::vector<LaneCheckpoint> LaneFiles::records_for(const RunState& state) const {
  std::vector<LaneCheckpoint> records;
  for (const auto& [path, lane] : state.lanes) {
    for (const CheckpointState& checkpoint : lane.checkpoints) {
      if (is_standard(checkpoint) && !checkpoint.imported)
        records.push_back(to_record(app_, state, lane, checkpoint));
    }
  }
  return records;
}

// What a rollback took back is taken back in the file too, with the time at which it was reached: the latest
// record is the one that the lane went back to.
Result<std::vector<LaneCheckpoint>> LaneFiles::taken_back(const RunState& state) const {
  const auto was_rolled_back = [](const auto& lane) {
    return std::ranges::find(lane.second.checkpoints, "rolled_back", &CheckpointState::status) !=
           lane.second.checkpoints.end();
  };
  std::vector<LaneCheckpoint> records;
  if (std::ranges::none_of(state.lanes, was_rolled_back)) return records;
  for (LaneCheckpoint& record : TRY(list_checkpoints(app_))) {
    if (record.run_id != name_.run_id || record.phase != name_.phase || record.status == LaneStatus::RolledBack)
      continue;
    const bool is_undone = std::ranges::any_of(state.lanes, [&](const auto& lane) {
      return lane.second.name == record.lane && was_rolled_back(lane) &&
             is_standard_checkpoint(record.stage_word()) &&
             lane.second.find_checkpoint(record.stage_word()) == nullptr;
    });
    if (!is_undone) continue;
    record.status = LaneStatus::RolledBack;
    records.push_back(std::move(record));
  }
  return records;
}

// What the file has to say of the run.
Result<void> LaneFiles::put_records(const RunState& state) const {
  std::vector<LaneCheckpoint> records = records_for(state);
  for (LaneCheckpoint& record : TRY(taken_back(state))) records.push_back(std::move(record));
  return put_checkpoints(app_, records);
}

std::string LaneFiles::lines_for(std::span<const RecordedEvent> events, const RunState& state) const {
  const LogWords words(name_, state);
  std::string lines;
  for (const RecordedEvent& event : events.subspan(count_imported(events))) {
    if (const std::optional<RunLogEvent> line = words(event)) lines += run_log_line(*line);
  }
  return lines;
}

Result<void> LaneFiles::show(std::span<const RecordedEvent> events, const RunState& state) {
  const bool is_about_lanes = std::ranges::any_of(events, [](const RecordedEvent& recorded) {
    return std::holds_alternative<CheckpointReached>(recorded.event) ||
           std::holds_alternative<LaneRolledBack>(recorded.event);
  });
  if (is_about_lanes) TRY_VOID(put_records(state));
  return append_to_log(app_, run_log_file(name_.run_id), lines_for(events, state));
}

Result<void> LaneFiles::catch_up(Journal& journal, const RunState& state) {
  TRY_VOID(put_records(state));
  const std::string file = run_log_file(name_.run_id);
  const Result<std::string> log = app_.files.read(app_.project / file, kDocumentBytesMax);
  std::set<std::string_view> there;
  if (log) {
    for (const std::string_view line : split(*log, '\n')) there.insert(line);
  }
  std::string missing;
  for (EventNumber after{0}; after.value < state.last.value;) {
    const std::vector<RecordedEvent> events = TRY(journal.events(state.id, after, kEventsPerReadMax));
    if (events.empty()) break;
    after = events.back().number;
    const std::string lines = lines_for(events, state);
    for (const std::string_view line : split(lines, '\n')) {
      if (!line.empty() && !there.contains(line)) missing.append(line).append("\n");
    }
  }
  return append_to_log(app_, file, missing);
}

}  // namespace reprise
