#include "app/rollback.h"

#include <algorithm>

#include "app/archive.h"
#include "app/lane_recorder.h"
#include "app/session.h"
#include "base/strings.h"
#include "executor/lane_keeper.h"
#include "lanes/rollback.h"
#include "model/limits.h"

namespace reprise {
namespace {

constexpr std::string_view kUndo = "undo";  // in the place of a checkpoint's name

bool is_in(const StepPath& step, const StepPath& lane) {
  return step == lane || step.text.starts_with(lane.text + "/");
}

std::vector<std::string> names_of(const LaneState& lane) {
  std::vector<std::string> names;
  for (const CheckpointState& checkpoint : lane.checkpoints) {
    if (!checkpoint.commit.empty()) names.push_back(checkpoint.name);
  }
  return names;
}

Result<CheckpointState> checkpoint_meant(const LaneState& lane, const std::string& to) {
  const CheckpointState* found = to.empty() ? safest_checkpoint(lane) : lane.find_checkpoint(to);
  if (found == nullptr || found->commit.empty()) {
    return fail(ErrorKind::Invalid,
                (to.empty() ? "lane " + lane.name + " has no checkpoint to go back to"
                            : "lane " + lane.name + " has no checkpoint \"" + printable_line(to, 80) +
                                  "\"; it has: " + printable_line(join(names_of(lane), ", "), 500)));
  }
  return *found;
}

// The run as it was before its last rollback began, or the last but one …; nothing if there was none.
Result<std::optional<RunState>> before_last_rollback(Journal& journal, const RunState& now, const StepPath& lane,
                                                     int from_last) {
  std::vector<RecordedEvent> all;
  for (EventNumber after{0}; after.value < now.last.value;) {
    const std::vector<RecordedEvent> events = TRY(journal.events(now.id, after, kEventsPerReadMax));
    if (events.empty()) break;
    after = events.back().number;
    all.insert(all.end(), events.begin(), events.end());
  }
  const auto last = std::find_if(all.rbegin(), all.rend(), [&](const RecordedEvent& recorded) {
    const LaneRolledBack* event = std::get_if<LaneRolledBack>(&recorded.event);
    return event != nullptr && event->lane == lane && !event->done && --from_last == 0;
  });
  if (last == all.rend()) return std::nullopt;
  RunState state;
  state.id = now.id;
  for (const RecordedEvent& recorded : all) {
    if (recorded.number.value >= last->number.value) break;
    TRY_VOID(apply(state, recorded));
  }
  return state;
}

// What a rollback took from the record, put back.
std::vector<Event> what_counts_again(const RunState& before, const RunState& now, const StepPath& lane) {
  std::vector<Event> events;
  if (now.status == RunStatus::Stopped) return events;
  const LaneState& old = before.lanes.at(lane);
  for (const CheckpointState& checkpoint : old.checkpoints) {
    if (now.lanes.at(lane).find_checkpoint(checkpoint.name) != nullptr) continue;
    events.push_back(CheckpointReached{.lane = lane,
                                       .name = checkpoint.name,
                                       .status = checkpoint.status,
                                       .commit = checkpoint.commit,
                                       .snapshot = checkpoint.snapshot,
                                       .notes = checkpoint.notes,
                                       .retry_attempt = checkpoint.retry_attempt,
                                       .max_retries = checkpoint.max_retries,
                                       .failure_context = checkpoint.failure_context});
  }
  for (const auto& [path, step] : before.steps) {
    const StepState* current = now.find_step(path);
    if (!is_in(path, lane) || current == nullptr) continue;
    if (step.record == StepState::Record::Reset && current->record == StepState::Record::Done)
      events.push_back(StepReset{path, "undo", "", "the rollback counts again"});
    if (step.record != StepState::Record::Done || current->record != StepState::Record::Reset) continue;
    events.push_back(ClaimImported{.step = path,
                                   .done = true,
                                   .source = "the record before the rollback",
                                   .rule = "undo",
                                   .verdict = step.verdict,
                                   .work = step.work,
                                   .artifacts = step.artifacts});
  }
  return events;
}

// The last checkpoint that there was then, if there are later ones now.
std::string end_of_record(const RunState& before, const LaneState& now, const StepPath& lane) {
  const std::vector<CheckpointState>& old = before.lanes.at(lane).checkpoints;
  const bool is_longer = now.checkpoints.size() > old.size() && !old.empty();
  return is_longer && now.find_checkpoint(old.back().name) != nullptr ? old.back().name : std::string(kUndo);
}

std::vector<Event> events_after(const RunState& state, const LaneRollback& rollback, const LaneRolledBack& done) {
  std::vector<Event> events = {done};
  if (state.status == RunStatus::Stopped) return events;  // it stays over
  for (const StepPath& step : rollback.repeated)
    events.push_back(
        StepReset{step, "rollback", done.by, "lane " + rollback.name + " went back to " + rollback.to.name});
  return events;
}

}  // namespace

Result<LaneMeant> find_lane(Journal& journal, const std::string& id, const std::string& lane) {
  std::string wanted = lane;
  Result<RunId> run = find_run(journal, id);
  if (!run && run.error().kind == ErrorKind::NotFound) {
    // One lane of a run of the whole phase.
    const std::size_t slash = id.rfind('/');
    if (slash == std::string::npos) return fail(run.error());
    wanted = id.substr(slash + 1);
    const Result<RunId> phase = find_run(journal, id.substr(0, slash) + "/-");
    if (!phase) return fail(run.error());
    run = phase;
  }
  if (!run) return fail(run.error());
  const RunState state = TRY(journal.state(*run));
  std::vector<std::string> names;
  std::vector<StepPath> found;
  for (const auto& [path, each] : state.lanes) {
    names.push_back(each.name);
    if (wanted.empty() || each.name == wanted || path.text == wanted) found.push_back(path);
  }
  if (found.size() == 1) return LaneMeant{*run, found.front()};
  Error error{.kind = names.empty() || found.empty() ? ErrorKind::NotFound : ErrorKind::Invalid,
              .message = names.empty() ? "run " + run->shown() + " has no lane yet"
                                       : "which lane? run " + run->shown() +
                                             " has: " + printable_line(join(names, ", "), 500)};
  if (!names.empty())
    error.hints = {"reprise rollback " + shell_quote(run->shown()) + " --lane " + shell_quote(names[0])};
  return fail(std::move(error));
}

Result<LaneRollback> plan_rollback(App& app, Journal& journal, const LaneMeant& meant, const std::string& to) {
  TRY_VOID(check_nobody_works(journal, meant.run));
  const RunState state = TRY(journal.state(meant.run));
  const LaneState& lane = state.lanes.at(meant.lane);
  if (!lane.made || lane.closed) {
    return fail(ErrorKind::NotFound, "lane " + lane.name + " has no worktree " +
                                         (lane.closed ? "any more" : "yet") + "; there is nothing to roll back");
  }
  TRY(open_lane_of(app, lane));
  const std::string& wanted =
      lane.rolling_back.empty() ? to : lane.rolling_back;  // one that was cut off is finished
  LaneRollback rollback{.run = meant.run, .lane = meant.lane, .name = lane.name, .folder = lane.folder};
  rollback.from = lane.head;
  rollback.to = TRY(checkpoint_meant(lane, wanted));
  rollback.checkpoints = names_of(lane);
  for (const auto& [path, step] : state.steps) {
    const bool is_later = step.started_event > rollback.to.event || step.checked_event > rollback.to.event;
    const bool has_record = step.record != StepState::Record::Reset;
    if (is_in(path, meant.lane) && is_later && has_record) rollback.repeated.push_back(path);
  }
  if (state.status == RunStatus::Stopped) rollback.repeated.clear();  // it stays over
  std::ranges::sort(rollback.repeated);
  return rollback;
}

Result<std::string> roll_back_lane(App& app, Journal& journal, const LaneRollback& rollback) {
  return under_lease(app, journal, rollback.run, [&](LaneRecorder& recorder) -> Result<std::string> {
    const LaneState lane = recorder.state().lanes.at(rollback.lane);
    const Git git = TRY(open_lane_of(app, lane));
    const bool is_start = rollback.to.name == kBeforeLaneStart || rollback.to.snapshot.empty();
    LaneRolledBack event{.lane = rollback.lane,
                         .to = rollback.to.name,
                         .commit = rollback.to.commit,
                         .rescue = lane.rescue,
                         .by = app.actor,
                         .because = "rollback to " + rollback.to.name};
    RestorePlan plan{.to = lane.target, .rescue = lane.rescue};
    event.target = lane.target;
    if (lane.rolling_back.empty()) {  // else it was cut off: what was there is set aside and on record
      plan = TRY(prepare_rollback(git, {.to = is_start ? rollback.to.commit : rollback.to.snapshot,
                                        .of = as_ref_part(rollback.run.text + "/" + lane.name),
                                        .reason = event.because,
                                        .time = app.clock.now()}))
                 .plan;
      event.target = plan.to;
      event.rescue = plan.rescue;
      TRY_VOID(recorder.record({event}));
      TRY_VOID(note_lanes(app, rollback.run.text, {lane.name}, false));
    }
    TRY(finish_rollback(git, plan));
    event.done = true;
    TRY_VOID(recorder.record(events_after(recorder.state(), rollback, event)));
    return event.rescue;
  });
}

bool has_unfinished_rollback(const RunState& state) {
  return std::ranges::any_of(state.lanes, [](const auto& lane) { return !lane.second.rolling_back.empty(); });
}

Result<void> finish_rollbacks(App& app, Journal& journal, const RunId& run) {
  for (const auto& [path, lane] : TRY(journal.state(run)).lanes) {
    if (lane.rolling_back.empty()) continue;
    const LaneMeant meant{run, path};
    if (lane.rolling_back == kUndo) {
      TRY(undo_lane_rollback(app, journal, meant));
    } else {
      TRY(roll_back_lane(app, journal, TRY(plan_rollback(app, journal, meant, ""))));
    }
  }
  return {};
}

Result<std::string> undo_lane_rollback(App& app, Journal& journal, const LaneMeant& meant) {
  return under_lease(app, journal, meant.run, [&](LaneRecorder& recorder) -> Result<std::string> {
    const LaneState lane = recorder.state().lanes.at(meant.lane);
    if (lane.rescue.empty()) return fail(ErrorKind::NotFound, "lane " + lane.name + " was not rolled back");
    const bool was_cut_off = lane.rolling_back == kUndo;
    const std::optional<RunState> before =
        TRY(before_last_rollback(journal, recorder.state(), meant.lane, was_cut_off ? 2 : 1));
    const Git git = TRY(open_lane_of(app, lane));
    LaneRolledBack event{.lane = meant.lane,
                         .to = std::string(kUndo),
                         .commit = before ? before->lanes.at(meant.lane).head : lane.head,
                         .rescue = lane.rescue,
                         .by = app.actor,
                         .because = "undo of a rollback"};
    RestorePlan plan{.to = lane.target, .rescue = lane.rescue};
    event.target = lane.target;
    if (!was_cut_off) {
      plan = TRY(prepare_rollback(git, {.to = lane.rescue,
                                        .of = as_ref_part(meant.run.text + "/" + lane.name),
                                        .reason = event.because,
                                        .time = app.clock.now()}))
                 .plan;
      event.target = plan.to;
      event.rescue = plan.rescue;
      TRY_VOID(recorder.record({event}));
    }
    TRY(finish_rollback(git, plan));
    if (before) event.to = end_of_record(*before, lane, meant.lane);
    event.done = true;
    std::vector<Event> events = {event};
    if (before) {
      for (Event& again : what_counts_again(*before, recorder.state(), meant.lane))
        events.push_back(std::move(again));
    }
    // A run that was over before the rollback is over again: nothing of it is left to do.
    if (before && before->status == RunStatus::Done && !recorder.state().is_ended())
      events.push_back(RunFinished{before->status, before->reason, ""});
    TRY_VOID(recorder.record(events));
    return event.rescue;
  });
}

std::vector<std::string> where_lanes_stand(const RunState& state) {
  std::vector<std::string> lines;
  std::vector<std::string> back;
  const std::string id = shell_quote(state.id.shown());
  for (const auto& [path, lane] : state.lanes) {
    const CheckpointState* const latest = lane.latest_checkpoint();
    if (lane.closed || latest == nullptr) continue;
    lines.push_back("lane " + lane.name + " is at " + latest->name + " (" + latest->status + ") in " +
                    lane.folder);
    const bool is_finished =
        !lane.published.empty() || (latest->name == kAfterLaneTests && latest->status == "complete");
    if (!is_finished && lane.made)
      back.push_back("back to the start of lane " + lane.name + ": reprise rollback " + id + " --lane " +
                     shell_quote(lane.name) + " --to " + std::string(kBeforeLaneStart));
  }
  if (lines.empty()) return lines;
  if (lane_run_name(state.id)) lines.push_back("checkpoints: " + std::string(kCheckpointFile));
  lines.push_back("go on: reprise resume " + id);
  lines.insert(lines.end(), back.begin(), back.end());
  return lines;
}

}  // namespace reprise
