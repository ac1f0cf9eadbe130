#include "app/fresh.h"

#include <algorithm>

#include "app/definitions.h"
#include "app/lane_cleanup.h"
#include "app/lane_recorder.h"
#include "app/rollback.h"
#include "app/state_cleanup.h"
#include "app/steer_run.h"
#include "base/strings.h"

namespace reprise {
namespace {

// A spec loop's feature goes as a whole; of a playbook only its state, the artifacts are the user's.
std::vector<std::string> paths_of(const std::string& workflow, const std::string& subject,
                                  const std::vector<std::string>& state_files) {
  if (workflow == "spec-loop") return {"specs/" + subject};
  if (workflow == "story-cycle") return {};  // its state is the story, which stays; see story_reset()
  if (workflow == "spec-pipeline" && !state_files.empty())  // what it made is its state
    return {std::filesystem::path(state_files.front()).parent_path().string()};
  if (workflow == "task-pipeline" && !state_files.empty()) {  // a list goes whole; a run's file is one task of it
    const std::filesystem::path file = state_files.front();
    return {file.extension() == ".json" ? file.parent_path().string() : file.string()};
  }
  return state_files;
}

constexpr std::string_view kFreshReason = "a fresh start was made";

bool is_ended_for_this(const RunState& state) {
  return state.status == RunStatus::Stopped && state.reason == kFreshReason;
}

// Records what `events_for` makes of the run's state, under a lease of its own.
Result<void> record(Journal& journal, const RunId& run, auto&& events_for) {
  const Lease lease = TRY(journal.acquire(run));
  const auto recorded = [&]() -> Result<void> {
    const RunState state = TRY(journal.state(run));
    const std::vector<Event> events = events_for(state);
    if (!events.empty()) TRY(journal.append(lease, state.last, events));
    return {};
  }();
  journal.release(lease);
  return recorded;
}

// Ends a run that is not over, makes room for a new one of the same lanes, and takes it out of the lists: last, so
// that what was cut off is there to be done again.
Result<std::vector<Leftover>> put_run_away(App& app, Journal& journal, const RunId& run) {
  TRY_VOID(record(journal, run, [&](const RunState& state) -> std::vector<Event> {
    if (state.is_ended()) return {};
    return {RunFinished{RunStatus::Stopped, std::string(kFreshReason), app.actor}};
  }));
  std::vector<Leftover> left = TRY(set_lanes_aside(app, journal, run));
  TRY_VOID(record(journal, run, [&](const RunState& state) -> std::vector<Event> {
    if (state.archived) return {};
    return {RunArchived{.by = app.actor, .ended = is_ended_for_this(state)}};
  }));
  return left;
}

std::vector<std::string> open_lanes(const RunState& state) {
  std::vector<std::string> names;
  for (const auto& [path, lane] : state.lanes) {
    if (lane.made && !lane.closed) names.push_back(lane.name);
  }
  return names;
}

// What `undo` needs to know. A fresh start that was cut off goes on with the note that it made.
Result<void> note_for_undo(App& app, const RunState& state) {
  const std::vector<ArchiveEntry> all = TRY(archives(app));
  const bool is_noted = std::ranges::any_of(all, [&](const ArchiveEntry& entry) {
    return entry.is_run && !entry.restored && entry.id == state.id.text;
  });
  return is_noted ? Result<void>() : note_run(app, state.id.text, open_lanes(state));
}

// The runs of the same subject that were begun after `run` and are not put away.
Result<std::vector<RunId>> later_runs(Journal& journal, const RunId& run) {
  const std::vector<RunEntry> all = TRY(journal.runs());  // oldest first
  const auto self = std::ranges::find(all, run, &RunEntry::id);
  std::vector<RunId> later;
  for (auto entry = self; entry != all.end(); ++entry) {
    const bool is_same = without_number(entry->id.text) == without_number(run.text);
    if (entry != self && !entry->archived && is_same) later.push_back(entry->id);
  }
  return later;
}

// Nobody else's work is in its place: a newer run of the same subject that is not over.
Result<void> check_no_successor(Journal& journal, const RunId& run) {
  for (const RunId& later : TRY(later_runs(journal, run))) {
    if (TRY(journal.state(later)).is_ended()) continue;
    return fail(Error{.kind = ErrorKind::Conflict,
                      .message = "run " + later.shown() + " is in its place now, and is not over"}
                    .hint("reprise cancel " + shell_quote(later.shown())));
  }
  return {};
}

// Puts newer runs of the same subject away, which are over: a subject's name means its newest run.
Result<void> make_newest(App& app, Journal& journal, const RunId& run) {
  for (const RunId& later : TRY(later_runs(journal, run))) {
    TRY_VOID(record(journal, later,
                    [&](const RunState&) -> std::vector<Event> { return {RunArchived{.by = app.actor}}; }));
  }
  return {};
}

// Takes put_run_away() back, or what was done of it. Whatever speaks against it does so before anything is
// changed.
Result<void> bring_run_back(App& app, Journal& journal, const RunId& run, const std::vector<std::string>& lanes) {
  TRY_VOID(check_no_successor(journal, run));
  TRY_VOID(check_lanes_are_free(app, journal, run));
  TRY_VOID(record(journal, run, [&](const RunState& state) -> std::vector<Event> {
    const Event back = RunArchived{.by = app.actor, .again = true};
    if (state.archived) return {back};
    if (is_ended_for_this(state)) return {RunArchived{.by = app.actor, .ended = true}, back};
    return {};
  }));
  TRY_VOID(make_newest(app, journal, run));
  return take_lanes_back(app, journal, run, lanes);
}

Result<void> check_can_be_put_away(App& app, const RunState& state) {
  const std::string id = shell_quote(state.id.shown());
  if (state.archived) {
    return fail(
        Error{.kind = ErrorKind::Invalid, .message = "run " + state.id.shown() + " is put away already"}.hint(
            "reprise undo"));
  }
  const std::vector<std::string> alive = TRY(living_attempts(app, state));
  if (alive.empty()) return {};
  return fail(Error{.kind = ErrorKind::Conflict,
                    .message = "a worker of run " + state.id.shown() + " is still at work: " + alive.front()}
                  .hint("reprise resume " + id)
                  .hint("reprise cancel " + id));
}

}  // namespace

Result<FreshStart> plan_fresh(App& app, Journal* journal, const Meant& meant) {
  FreshStart fresh;
  if (meant.run) {
    TRY_VOID(check_nobody_works(*journal, *meant.run));
    const RunState state = TRY(journal->state(*meant.run));
    TRY_VOID(check_can_be_put_away(app, state));
    for (const auto& [path, lane] : state.lanes) {
      if (lane.made && !lane.closed) fresh.worktrees.push_back(lane.folder);
    }
    fresh.run = meant.run;
    fresh.id = *meant.run;
    fresh.workflow = state.workflow;
    fresh.subject = state.subject;
    fresh.inputs = state.values;
    if (!state.state_file.path.empty())
      fresh.paths = paths_of(fresh.workflow, fresh.subject, {state.state_file.path});
  } else {
    const Candidate& found = *meant.candidate;
    fresh.id = found.id;
    fresh.workflow = found.workflow;
    fresh.subject = found.subject;
    std::vector<std::string> files = {found.state_file};
    files.insert(files.end(), found.other_files.begin(), found.other_files.end());
    fresh.paths = paths_of(fresh.workflow, fresh.subject, files);
    if (!found.about.empty()) fresh.inputs["description"] = std::string(trim(found.about));
    if (!found.variant.empty()) fresh.inputs["variant"] = found.variant;
  }
  if (const Result<Definition> definition = load_definition(app, fresh.workflow)) {
    for (const InputDef& input : definition->workflow.inputs) {
      const auto given = fresh.inputs.find(input.name);
      if (given != fresh.inputs.end() && given->second == input.fallback) fresh.inputs.erase(given);
    }
  }
  if (fresh.workflow == "story-cycle") fresh.stories = TRY(story_reset(app, fresh.subject));
  std::erase_if(fresh.paths, [&](const std::string& path) {
    const Result<std::optional<FileInfo>> info = app.files.stat(app.project / path);
    return !info || !*info;
  });
  return fresh;
}

Result<std::vector<Leftover>> start_fresh(App& app, Journal* journal, const FreshStart& fresh) {
  const std::string subject_id = without_number(fresh.id.text);
  if (!fresh.paths.empty()) TRY(archive_paths(app, subject_id, fresh.paths));
  if (!fresh.stories.empty()) TRY(archive_and_change(app, subject_id, fresh.stories));
  if (!fresh.run) return std::vector<Leftover>();
  if (fresh.paths.empty() && fresh.stories.empty()) TRY_VOID(note_for_undo(app, TRY(journal->state(*fresh.run))));
  return put_run_away(app, *journal, *fresh.run);
}

Result<std::optional<ArchiveEntry>> last_change(App& app, const std::string& id) {
  std::vector<ArchiveEntry> all = TRY(archives(app));
  std::erase_if(
      all, [&](const ArchiveEntry& entry) { return !id.empty() && entry.id != id && numbered({entry.id}) != id; });
  if (const Result<std::unique_ptr<Journal>> journal = open_journal(app, OpenMode::ReadOnly)) {
    const std::vector<RunEntry> runs = TRY((*journal)->runs());
    std::erase_if(all, [&](const ArchiveEntry& entry) {  // one that gc removed, or has begun to, cannot come back
      const auto run = std::ranges::find(runs, RunId{entry.id}, &RunEntry::id);
      return entry.is_run && (run == runs.end() || run->is_being_removed);
    });
  }
  const auto later = [](const ArchiveEntry& a, const ArchiveEntry& b) {
    return std::pair(a.changed_at, a.number) < std::pair(b.changed_at, b.number);
  };
  const auto newest = std::ranges::max_element(all, later);
  if (newest == all.end()) return std::nullopt;
  return *newest;
}

Result<std::vector<Leftover>> take_back(App& app, const ArchiveEntry& entry) {
  std::vector<Leftover> left;
  if (entry.is_run) {
    const std::unique_ptr<Journal> journal = TRY(open_journal(app, OpenMode::ReadWrite));
    if (entry.restored) {
      left = TRY(put_run_away(app, *journal, {entry.id}));
    } else {
      TRY_VOID(bring_run_back(app, *journal, {entry.id}, entry.lanes));
    }
    TRY_VOID(mark_restored(app, entry, !entry.restored));
    return left;
  }
  if (entry.lanes.empty()) {
    TRY_VOID(entry.restored ? set_aside_again(app, entry) : restore(app, entry));
    return left;
  }
  const std::unique_ptr<Journal> journal = TRY(open_journal(app, OpenMode::ReadWrite));
  for (const std::string& lane : entry.lanes) {
    const LaneMeant meant = TRY(find_lane(*journal, entry.id, lane));
    if (!entry.removed) {
      TRY(undo_lane_rollback(app, *journal, meant));
    } else if (entry.restored) {
      const std::vector<Leftover> more =
          TRY(close_lanes(app, *journal, {.run = meant.run, .lanes = {meant.lane}, .is_undo = true}));
      left.insert(left.end(), more.begin(), more.end());
    } else if (const LaneState state = TRY(journal->state(meant.run)).lanes.at(meant.lane);
               state.closed || state.closing) {
      TRY_VOID(bring_lane_back(app, *journal, meant));
    }
  }
  TRY_VOID(mark_restored(app, entry, !entry.restored));
  return left;
}

}  // namespace reprise
