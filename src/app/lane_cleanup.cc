#include "app/lane_cleanup.h"

#include <algorithm>
#include <optional>

#include "app/archive.h"
#include "app/lane_recorder.h"
#include "base/strings.h"
#include "executor/lane_keeper.h"
#include "git/ensure.h"
#include "git/git_output.h"
#include "lanes/lane.h"
#include "lanes/rescue.h"

namespace reprise {
namespace {

// Sets aside what is in the lane's worktree and not committed, and records where before anything is removed:
// killed right after git removed the worktree, the record still says where the work is.
Result<LaneClosed> prepare_close(App& app, const LaneState& lane, const Git& git, const LaneCleanup& cleanup,
                                 CloseRequest& request) {
  // One that was cut off had set everything aside already, and may have removed a part of it since.
  LaneClosed closed{.lane = {}, .because = "removed by " + app.actor, .rescue = lane.closing ? lane.rescue : ""};
  const LaneLook look = TRY(look_at_lane(git, request.root, as_lane(lane), lane.head));
  const bool is_there = look.trouble != LaneTrouble::Gone && look.trouble != LaneTrouble::Forbidden;
  if (is_there && (look.trouble != LaneTrouble::None || !look.is_clean())) {
    const Snapshot rescue =
        TRY(take_rescue(TRY(open_lane_of(app, lane)), {.of = as_ref_part(cleanup.run.text + "/" + lane.name),
                                                       .reason = "cleanup of lane " + lane.name,
                                                       .time = app.clock.now()}));
    request.snapshot = rescue.commit;
    if (closed.rescue.empty()) closed.rescue = rescue.ref;
  }
  return closed;
}

// Records that the lane was not removed after all, if it is there.
Result<void> give_up_closing(LaneRecorder& recorder, const Git& git, const CloseRequest& request,
                             LaneClosed closed) {
  if (!open_worktree(git, TRY(checked_place(git, request.root, request.lane.path)))) return {};
  closed.because = "not removed";
  closed.began = false;
  closed.again = true;
  return recorder.record({closed});
}

// Removes one lane's worktree. Killed anywhere, it is finished when it is done again, or taken back by `undo`.
Result<std::optional<Leftover>> close_one(App& app, LaneRecorder& recorder, const StepPath& path,
                                          const LaneCleanup& cleanup) {
  const LaneState lane = recorder.state().lanes.at(path);
  const Git git = TRY(Git::open(app.project));
  CloseRequest request{
      .lane = as_lane(lane), .root = TRY(read_config(app)).lanes_root, .with_ignored = cleanup.with_ignored};
  LaneClosed closed = TRY(prepare_close(app, lane, git, cleanup, request));
  closed.lane = path;
  closed.began = true;
  TRY_VOID(recorder.record({closed}));
  Result<std::optional<Leftover>> removed = close_lane(git, request);
  if (!removed) {
    TRY_VOID(give_up_closing(recorder, git, request, closed));
    if (!cleanup.with_ignored && removed.error().message.find("ignore") != std::string::npos)
      return fail(
          std::move(removed).error().hint("reprise cleanup " + shell_quote(cleanup.run.shown()) + " --ignored"));
    return removed;
  }
  closed.began = false;
  TRY_VOID(recorder.record({closed}));
  return removed;
}

// Deletes what earlier removals of lanes left behind. Returns what still cannot be deleted.
Result<std::vector<Leftover>> delete_leftovers(App& app, const RunState& state, const LaneCleanup& cleanup) {
  std::vector<Leftover> all;
  if (cleanup.with_leftovers.empty()) return all;
  const Git git = TRY(Git::open(app.project));
  const std::string root = TRY(read_config(app)).lanes_root;
  for (const StepPath& lane : cleanup.with_leftovers) {
    if (std::optional<Leftover> left = TRY(remove_leftover(git, root, state.lanes.at(lane).folder)))
      all.push_back(std::move(*left));
  }
  return all;
}

// Names the leftovers of the run's lanes in `cleanup`.
Result<void> find_lane_leftovers(App& app, const RunState& state, LaneCleanup& cleanup) {
  if (state.lanes.empty()) return {};
  const Git git = TRY(Git::open(app.project));
  const std::string root = TRY(read_config(app)).lanes_root;
  for (const auto& [path, lane] : state.lanes) {
    const std::optional<std::filesystem::path> folder = TRY(find_leftover(git, root, lane.folder));
    if (!folder) continue;
    cleanup.with_leftovers.push_back(path);
    cleanup.leftovers.push_back(folder->lexically_relative(app.project).string());
  }
  return {};
}

bool is_closing(const RunState& state, const std::vector<StepPath>& lanes) {
  return std::ranges::any_of(lanes, [&](const StepPath& lane) { return state.lanes.at(lane).closing; });
}

std::vector<std::string> names_of(const RunState& state, const std::vector<StepPath>& lanes) {
  std::vector<std::string> names;
  for (const StepPath& lane : lanes) names.push_back(state.lanes.at(lane).name);
  return names;
}

std::string old_name(const std::string& branch, int number) { return branch + "-old" + std::to_string(number); }

// The name under which set_lanes_aside() put the branch of a lane: the last that holds what is on record of it,
// since other runs of the lane may have been put there too. Nothing if there is none.
Result<std::optional<std::string>> name_set_aside(const Git& git, const LaneState& lane) {
  std::optional<std::string> last;
  for (int number = 1;; ++number) {
    const std::string name = old_name(lane.branch, number);
    const std::optional<std::string> head = TRY(git.commit_of("refs/heads/" + name));
    if (!head) return last;
    if (!lane.head.empty() && TRY(is_ancestor(git, lane.head, *head))) last = name;
  }
}

// The new name is there before the old one goes, so that a kill in between loses nothing.
Result<void> rename_branch(const Git& git, const std::string& from, const std::string& to) {
  const std::optional<std::string> head = TRY(git.commit_of("refs/heads/" + from));
  const std::optional<std::string> there = TRY(git.commit_of("refs/heads/" + to));
  if (!head || there == head) return head ? ensure_no_ref(git, "refs/heads/" + from, *head) : Result<void>();
  if (there) {
    return fail(Error{.kind = ErrorKind::Conflict, .message = "branch " + to + " is there again"}.hint(
        "git branch -m " + shell_quote(to) + " " + shell_quote(to + "-new")));
  }
  TRY_VOID(ensure_ref(git, {.ref = "refs/heads/" + to, .to = *head, .why = "renamed by reprise"}));
  return ensure_no_ref(git, "refs/heads/" + from, *head);
}

// The run, other than `run`, whose lane works on a branch; nothing if none does.
Result<std::optional<RunId>> owner_of_branch(Journal& journal, const RunId& run, const std::string& branch) {
  for (const RunEntry& entry : TRY(journal.runs())) {
    if (entry.archived || entry.id == run) continue;
    for (const auto& [path, lane] : TRY(journal.state(entry.id)).lanes) {
      if (lane.branch == branch) return entry.id;
    }
  }
  return std::nullopt;
}

}  // namespace

Result<LaneCleanup> plan_cleanup(App& app, Journal& journal, const RunId& run) {
  TRY_VOID(check_nobody_works(journal, run));
  const RunState state = TRY(journal.state(run));
  if (!state.is_ended()) {
    const bool has_lanes = !state.lanes.empty();
    const std::string why = has_lanes ? " is not over; its lanes are needed" : " is not over, and has no lanes";
    return fail(
        Error{.kind = has_lanes ? ErrorKind::Conflict : ErrorKind::Invalid, .message = "run " + run.shown() + why}
            .hint("reprise cancel " + shell_quote(run.shown())));
  }
  LaneCleanup cleanup{.run = run};
  for (const auto& [path, lane] : state.lanes) {
    const bool is_there = lane.closing || TRY(app.files.stat(app.project / lane.folder)).has_value();
    if (lane.closed || !lane.made || !is_there) continue;
    cleanup.lanes.push_back(path);
    cleanup.folders.push_back(lane.folder);
  }
  TRY_VOID(find_lane_leftovers(app, state, cleanup));
  return cleanup;
}

Result<std::vector<Leftover>> close_lanes(App& app, Journal& journal, const LaneCleanup& cleanup) {
  std::vector<Leftover> left;
  const Result<std::string> done =
      under_lease(app, journal, cleanup.run, [&](LaneRecorder& recorder) -> Result<std::string> {
        left = TRY(delete_leftovers(app, recorder.state(), cleanup));
        // The note for `undo` comes first: the lanes that it names and that are still there are passed over.
        std::optional<ArchiveEntry> note;
        if (!cleanup.is_undo && !cleanup.lanes.empty() && !is_closing(recorder.state(), cleanup.lanes))
          note = TRY(note_lanes(app, cleanup.run.text, names_of(recorder.state(), cleanup.lanes), true));
        std::vector<std::string> names;
        Result<std::optional<Leftover>> closed;
        for (const StepPath& lane : cleanup.lanes) {
          closed = close_one(app, recorder, lane, cleanup);
          if (!closed) break;
          if (*closed) left.push_back(std::move(**closed));
          names.push_back(recorder.state().lanes.at(lane).name);
        }
        const bool is_untouched = !closed && names.empty() && !is_closing(recorder.state(), cleanup.lanes);
        if (is_untouched && note) TRY_VOID(forget_note(app, *note));
        if (closed) return std::string();
        const std::string before = names.empty() ? "" : "; removed before: " + join(names, ", ");
        Error error = std::move(closed).error();
        error.message += before;
        return fail(std::move(error));
      });
  if (!done) return fail(done.error());
  return left;
}

Result<std::vector<Leftover>> set_lanes_aside(App& app, Journal& journal, const RunId& run) {
  LaneCleanup cleanup = TRY(plan_cleanup(app, journal, run));
  cleanup.with_ignored = true;  // what git ignores can be made again
  cleanup.is_undo = true;       // the fresh start is noted, its parts are not
  std::vector<Leftover> left = TRY(close_lanes(app, journal, cleanup));
  for (const auto& [path, lane] : TRY(journal.state(run)).lanes) {
    const Git git = TRY(Git::open(app.project));
    TRY_VOID(clear_dead_locks(git));  // of one that was killed in renaming a branch, which may be all that it left
    if (!TRY(git.commit_of("refs/heads/" + lane.branch))) continue;
    int number = 1;
    while (TRY(git.commit_of("refs/heads/" + old_name(lane.branch, number)))) ++number;
    TRY_VOID(rename_branch(git, lane.branch, old_name(lane.branch, number)));
  }
  return left;
}

Result<void> check_lanes_are_free(App& app, Journal& journal, const RunId& run) {
  for (const auto& [path, lane] : TRY(journal.state(run)).lanes) {
    const Git git = TRY(Git::open(app.project));
    if (!TRY(name_set_aside(git, lane)) || !TRY(git.commit_of("refs/heads/" + lane.branch))) continue;
    Error error{.kind = ErrorKind::Conflict, .message = "branch " + lane.branch + " is there again"};
    if (const std::optional<RunId> owner = TRY(owner_of_branch(journal, run, lane.branch))) {
      error.message =
          "branch " + lane.branch + " is the lane of run " + owner->text + " now; set that aside first";
      return fail(std::move(error)
                      .hint("reprise fresh " + shell_quote(owner->text))
                      .hint("reprise undo " + shell_quote(run.shown())));
    }
    return fail(std::move(error).hint("git branch -m " + shell_quote(lane.branch) + " " +
                                      shell_quote(lane.branch + "-new")));
  }
  return {};
}

Result<void> take_lanes_back(App& app, Journal& journal, const RunId& run, const std::vector<std::string>& names) {
  const RunState state = TRY(journal.state(run));
  for (const auto& [path, lane] : state.lanes) {
    const Git git = TRY(Git::open(app.project));
    if (const std::optional<std::string> aside = TRY(name_set_aside(git, lane))) {
      TRY_VOID(rename_branch(git, *aside, lane.branch));
    }
    if ((lane.closed || lane.closing) && std::ranges::find(names, lane.name) != names.end())
      TRY_VOID(bring_lane_back(app, journal, {.run = run, .lane = path}));
  }
  return {};
}

Result<void> bring_lane_back(App& app, Journal& journal, const LaneMeant& meant) {
  const Result<std::string> done =
      under_lease(app, journal, meant.run, [&](LaneRecorder& recorder) -> Result<std::string> {
        const LaneState lane = recorder.state().lanes.at(meant.lane);
        const Git git = TRY(Git::open(app.project));
        const Config config = TRY(read_config(app));
        TRY(ensure_lane(
            git, {.lane = as_lane(lane), .root = config.lanes_root, .recorded = lane.head, .is_announced = true}));
        if (!lane.rescue.empty())
          TRY(restore_rescue(TRY(open_lane_of(app, lane)), lane.rescue, app.clock.now(), true));
        TRY_VOID(recorder.record({LaneClosed{.lane = meant.lane, .because = "brought back", .again = true}}));
        return std::string();
      });
  return done ? Result<void>() : Result<void>(fail(done.error()));
}

}  // namespace reprise
