#include "app/lane_cleanup.h"

#include "app/archive.h"
#include "app/lane_recorder.h"
#include "base/strings.h"
#include "executor/lane_keeper.h"
#include "git/ensure.h"
#include "lanes/lane.h"
#include "lanes/rescue.h"

namespace reprise {
namespace {

// Removes one lane's worktree, after setting aside what is in it and not committed. Killed before it is recorded,
// the lane is made again from its branch when it is needed.
Result<void> close_one(App& app, LaneRecorder& recorder, const StepPath& path, const LaneCleanup& cleanup) {
  const LaneState lane = recorder.state().lanes.at(path);
  const Git git = TRY(Git::open(app.project));
  const Config config = TRY(read_config(app));
  CloseRequest request{.lane = as_lane(lane), .root = config.lanes_root, .with_ignored = cleanup.with_ignored};
  LaneClosed closed{.lane = path, .because = "removed by " + app.actor};
  const LaneLook look = TRY(look_at_lane(git, config.lanes_root, as_lane(lane), lane.head));
  const bool is_there = look.trouble != LaneTrouble::Gone && look.trouble != LaneTrouble::Forbidden;
  if (is_there && (look.trouble != LaneTrouble::None || !look.is_clean())) {
    const Snapshot rescue =
        TRY(take_rescue(TRY(open_lane_of(app, lane)), {.of = as_ref_part(cleanup.run.text + "/" + lane.name),
                                                       .reason = "cleanup of lane " + lane.name,
                                                       .time = app.clock.now()}));
    request.snapshot = rescue.commit;
    closed.rescue = rescue.ref;
  }
  if (Result<void> removed = close_lane(git, request); !removed) {
    if (!cleanup.with_ignored && removed.error().message.find("ignore") != std::string::npos)
      return fail(
          std::move(removed).error().hint("reprise cleanup " + shell_quote(cleanup.run.text) + " --ignored"));
    return removed;
  }
  return recorder.record({closed});
}

}  // namespace

Result<LaneCleanup> plan_cleanup(App& app, Journal& journal, const RunId& run) {
  TRY_VOID(check_nobody_works(journal, run));
  const RunState state = TRY(journal.state(run));
  if (!state.is_ended()) {
    return fail(
        Error{.kind = ErrorKind::Conflict, .message = "run " + run.text + " is not over; its lanes are needed"}
            .hint("reprise cancel " + shell_quote(run.text)));
  }
  LaneCleanup cleanup{.run = run};
  for (const auto& [path, lane] : state.lanes) {
    if (lane.closed || !lane.made || !TRY(app.files.stat(app.project / lane.folder))) continue;
    cleanup.lanes.push_back(path);
    cleanup.folders.push_back(lane.folder);
  }
  return cleanup;
}

Result<void> close_lanes(App& app, Journal& journal, const LaneCleanup& cleanup) {
  const Result<std::string> done =
      under_lease(app, journal, cleanup.run, [&](LaneRecorder& recorder) -> Result<std::string> {
        std::vector<std::string> names;
        Result<void> closed;
        for (const StepPath& lane : cleanup.lanes) {
          closed = close_one(app, recorder, lane, cleanup);
          if (!closed) break;
          names.push_back(recorder.state().lanes.at(lane).name);
        }
        if (!names.empty() && !cleanup.is_undo) TRY_VOID(note_lanes(app, cleanup.run.text, names, true));
        if (closed) return std::string();
        const std::string before = names.empty() ? "" : "; removed before: " + join(names, ", ");
        Error error = std::move(closed).error();
        error.message += before;
        return fail(std::move(error));
      });
  return done ? Result<void>() : Result<void>(fail(done.error()));
}

Result<std::vector<std::string>> set_lanes_aside(App& app, Journal& journal, const RunId& run) {
  std::vector<std::string> names;
  LaneCleanup cleanup = TRY(plan_cleanup(app, journal, run));
  cleanup.with_ignored = true;  // what git ignores can be made again
  TRY_VOID(close_lanes(app, journal, cleanup));
  for (const auto& [path, lane] : TRY(journal.state(run)).lanes) {
    const Git git = TRY(Git::open(app.project));
    const std::optional<std::string> head = TRY(git.commit_of("refs/heads/" + lane.branch));
    if (!head) continue;
    std::string name;
    for (int number = 1; name.empty() || TRY(git.commit_of("refs/heads/" + name)); ++number)
      name = lane.branch + "-old" + std::to_string(number);
    TRY_VOID(ensure_ref(git, {.ref = "refs/heads/" + name, .to = *head, .why = "set aside by reprise"}));
    TRY_VOID(ensure_no_ref(git, "refs/heads/" + lane.branch, *head));
    names.push_back(name);
  }
  return names;
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
