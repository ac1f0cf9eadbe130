// Changing the record of a run's lanes outside of a session: under a lease of our own, shown in the lanes' files.

#pragma once

#include <string>
#include <vector>

#include "app/app.h"
#include "app/lane_files.h"
#include "base/strings.h"
#include "lanes/rollback.h"

namespace reprise {

/// Records events of a run that nobody works on, and shows them in the lanes' files.
class LaneRecorder {
 public:
  LaneRecorder(App& app, Journal& journal, Lease lease, RunState state)
      : app_(app), journal_(journal), lease_(std::move(lease)), state_(std::move(state)) {}

  /// Records `events`, durably.
  Result<void> record(const std::vector<Event>& events) {
    std::vector<RecordedEvent> recorded;
    const EventNumber before = state_.last;
    const Timestamp now = app_.clock.now();
    for (const Event& event : events) {
      recorded.push_back({{state_.last.value + 1}, now, event});
      TRY_VOID(apply(state_, recorded.back()));
    }
    TRY(journal_.append(lease_, before, events, now));
    if (const std::optional<LaneRunName> name = lane_run_name(state_.id))
      TRY_VOID(LaneFiles(app_, *name).show(recorded, state_));
    return {};
  }
  /// The run after what was recorded.
  const RunState& state() const { return state_; }

 private:
  App& app_;
  Journal& journal_;
  Lease lease_;
  RunState state_;
};

/// Does `work` with a LaneRecorder, under a lease of our own, and gives that back. Fails like
/// check_lane_places() before that.
template <typename Work>
Result<std::string> under_lease(App& app, Journal& journal, const RunId& run, Work&& work) {
  if (lane_run_name(run)) TRY_VOID(check_lane_places(app));
  const Lease lease = TRY(journal.acquire(run));
  Result<std::string> done = [&]() -> Result<std::string> {
    LaneRecorder recorder(app, journal, lease, TRY(journal.state(run)));
    return work(recorder);
  }();
  journal.release(lease);
  return done;
}

/// Conflict if a living process owns the run.
inline Result<void> check_nobody_works(Journal& journal, const RunId& run) {
  const std::optional<Owner> owner = TRY(journal.owner(run));
  if (!owner || !owner->alive) return {};
  Error error{.kind = ErrorKind::Conflict,
              .message = "run " + run.shown() + " is held by process " + std::to_string(owner->pid) + " on " +
                         owner->host + " since " + to_text(owner->since)};
  error.hints = {"reprise attach " + shell_quote(run.shown()), "reprise cancel " + shell_quote(run.shown())};
  return fail(std::move(error));
}

/// Opens the worktree of a lane, and nothing else. Conflict if another branch than the lane's is checked out in
/// it.
inline Result<Git> open_lane_of(App& app, const LaneState& lane) {
  Git git = TRY(open_lane_folder(app.project / lane.folder, TRY(Git::open(app.project))));
  const std::optional<std::string> branch = TRY(git.branch());
  if (!branch || *branch == lane.branch) return git;  // detached: what is there is set aside like everything else
  return fail(Error{.kind = ErrorKind::Conflict,
                    .message = "lane " + lane.name + " has branch " + *branch +
                               " checked out, which is not its own; nothing was changed"}
                  .hint("git -C " + shell_quote(lane.folder) + " switch " + shell_quote(lane.branch)));
}

}  // namespace reprise
