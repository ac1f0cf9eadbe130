#include "app/fresh.h"

#include <algorithm>

#include "app/definitions.h"
#include "app/lane_cleanup.h"
#include "app/lane_recorder.h"
#include "app/rollback.h"
#include "app/state_cleanup.h"
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

// Ends a run that is not over, takes it out of the lists, and makes room for a new one of the same lanes.
Result<void> put_run_away(App& app, Journal& journal, const RunId& run) {
  const Lease lease = TRY(journal.acquire(run));
  const auto ended = [&]() -> Result<void> {
    const RunState state = TRY(journal.state(run));
    if (state.archived) return {};
    const bool is_open = !state.is_ended() || state.status == RunStatus::Failed;
    std::vector<Event> events;
    if (state.status == RunStatus::Failed) events.push_back(RunReopened{app.actor, "a fresh start"});
    if (is_open) events.push_back(RunFinished{RunStatus::Stopped, "a fresh start was made", app.actor});
    events.push_back(RunArchived{.by = app.actor, .ended = is_open});
    TRY(journal.append(lease, state.last, events));
    return {};
  }();
  journal.release(lease);
  if (ended) TRY(set_lanes_aside(app, journal, run));
  return ended;
}

std::vector<std::string> open_lanes(const RunState& state) {
  std::vector<std::string> names;
  for (const auto& [path, lane] : state.lanes) {
    if (lane.made && !lane.closed) names.push_back(lane.name);
  }
  return names;
}

// Nobody else's work is in its place: a newer run of the same subject that was not put away itself.
Result<void> check_no_successor(Journal& journal, const RunId& run) {
  for (const RunEntry& entry : TRY(journal.runs())) {
    if (entry.archived || entry.id == run || without_number(entry.id.text) != without_number(run.text)) continue;
    return fail(Error{.kind = ErrorKind::Conflict,
                      .message = "run " + entry.id.text + " is in its place now; set that aside first"}
                    .hint("reprise fresh " + shell_quote(entry.id.text)));
  }
  return {};
}

// Takes put_run_away() back.
Result<void> bring_run_back(App& app, Journal& journal, const RunId& run, const std::vector<std::string>& lanes) {
  TRY_VOID(check_no_successor(journal, run));
  const Lease lease = TRY(journal.acquire(run));
  const auto opened = [&]() -> Result<void> {
    const RunState state = TRY(journal.state(run));
    const Event back = RunArchived{.by = app.actor, .again = true};
    if (state.archived) TRY(journal.append(lease, state.last, {&back, 1}));
    return {};
  }();
  journal.release(lease);
  return opened ? take_lanes_back(app, journal, run, lanes) : opened;
}

}  // namespace

Result<FreshStart> plan_fresh(App& app, Journal* journal, const Meant& meant) {
  FreshStart fresh;
  if (meant.run) {
    TRY_VOID(check_nobody_works(*journal, *meant.run));
    const RunState state = TRY(journal->state(*meant.run));
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

Result<void> start_fresh(App& app, Journal* journal, const FreshStart& fresh) {
  const std::string subject_id = without_number(fresh.id.text);
  if (!fresh.paths.empty()) TRY(archive_paths(app, subject_id, fresh.paths));
  if (!fresh.stories.empty()) TRY(archive_and_change(app, subject_id, fresh.stories));
  if (!fresh.run) return {};
  if (fresh.paths.empty() && fresh.stories.empty())
    TRY_VOID(note_run(app, fresh.run->text, open_lanes(TRY(journal->state(*fresh.run)))));
  return put_run_away(app, *journal, *fresh.run);
}

Result<std::optional<ArchiveEntry>> last_change(App& app) {
  const std::vector<ArchiveEntry> all = TRY(archives(app));
  const auto later = [](const ArchiveEntry& a, const ArchiveEntry& b) {
    return std::pair(a.changed_at, a.number) < std::pair(b.changed_at, b.number);
  };
  const auto newest = std::ranges::max_element(all, later);
  if (newest == all.end()) return std::nullopt;
  return *newest;
}

Result<void> take_back(App& app, const ArchiveEntry& entry) {
  if (entry.is_run) {
    const std::unique_ptr<Journal> journal = TRY(open_journal(app, OpenMode::ReadWrite));
    TRY_VOID(entry.restored ? put_run_away(app, *journal, {entry.id})
                            : bring_run_back(app, *journal, {entry.id}, entry.lanes));
    return mark_restored(app, entry, !entry.restored);
  }
  if (entry.lanes.empty()) return entry.restored ? set_aside_again(app, entry) : restore(app, entry);
  const std::unique_ptr<Journal> journal = TRY(open_journal(app, OpenMode::ReadWrite));
  for (const std::string& lane : entry.lanes) {
    const LaneMeant meant = TRY(find_lane(*journal, entry.id, lane));
    if (!entry.removed) {
      TRY(undo_lane_rollback(app, *journal, meant));
    } else if (entry.restored) {
      TRY_VOID(close_lanes(app, *journal, {.run = meant.run, .lanes = {meant.lane}, .is_undo = true}));
    } else {
      TRY_VOID(bring_lane_back(app, *journal, meant));
    }
  }
  return mark_restored(app, entry, !entry.restored);
}

}  // namespace reprise
