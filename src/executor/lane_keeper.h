// Keeps the lanes of a run: makes them, finds them again, commits and photographs what is done in them, and
// publishes.
//
// Every call can be made again after a kill at any point and ends where the first was going; what is to be
// recorded before and after it, the executor records. Nothing here decides whether a step is done.
//
//   A1  A lane is used only if its worktree is where the record says, on its branch, and its branch holds the last
//       commit on record. Otherwise the reason is an error, and a person decides.
//   A2  What a step that succeeded left uncommitted is committed in the lane under the step's name. What a step
//   that
//       did not succeed left stays as it is, and is in a snapshot.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "executor/run_setup.h"
#include "git/git.h"
#include "model/event.h"
#include "model/run_state.h"
#include "planner/graph.h"

namespace reprise {

struct Lane;

/// What became of a publication.
struct Publication {
  std::string result;                  // a commit, or the address of a pull request
  std::vector<std::string> conflicts;  // files that both sides changed; then nothing was published
};

class LaneKeeper {
 public:
  explicit LaneKeeper(const RunSetup& setup) : setup_(setup) {}

  /// Returns the lane that node `lane` is to have: names, place, and the commit it starts from, with what the
  /// lanes that it needs have made. Changes nothing. The error says what is in the way, and the way out.
  Result<LaneCreated> plan_lane(const Graph& graph, int lane, const RunState& state);

  /// A lane that can be worked in.
  struct Opened {
    std::string head;
    std::vector<std::string> notes;  // for people
  };
  /// Makes the lane's worktree, or finds it again. `other` is the lane that it takes its worktree from, or null.
  Result<Opened> open_lane(const LaneState& lane, const LaneState* other);

  /// Takes a snapshot of the lane; returns its reference. `point` is the checkpoint's name.
  struct Taken {
    std::string head;  // "" if something else than the lane's branch is checked out
    std::string snapshot;
    std::vector<std::string> notes;  // what could not be taken
  };
  Result<Taken> take(const RunId& run, const LaneState& lane, const std::string& point, Timestamp now);

  /// Commits what is not committed, with `message`. `token` names the attempt: made again, it is the same commit.
  /// Locks that the worker's own git left are removed first; `since` is when the worker started.
  Result<std::string> commit(const LaneState& lane, const std::string& message, const std::string& token,
                             Timestamp since);

  /// Removes locks that a worker's own git left in the lane. Every worker in it that started at `since` or later
  /// is dead.
  Result<void> clear_locks(const LaneState& lane, Timestamp since);

  /// Whether `head` holds the last commit of the lane that is on record.
  Result<bool> holds_record(const LaneState& lane, const std::string& head);

  /// Returns the files in the lane that are not committed, untracked ones too.
  Result<std::vector<std::string>> uncommitted(const LaneState& lane);

  /// Publishes the lane's head: "push", "merge" or "pr". Unavailable: the other side cannot be reached.
  Result<Publication> publish(const LaneState& lane, const std::string& how, const std::string& title,
                              const std::string& body);

  /// Returns which files both lanes have changed since they began.
  Result<std::vector<std::string>> changed_by_both(const LaneState& a, const LaneState& b);

 private:
  Result<const Git*> repository();
  Result<Git> worktree_of(const LaneState& lane);
  Result<std::string> start_of(const Graph& graph, int lane, const RunState& state, const std::string& base);
  std::filesystem::path root() const { return setup_.config.lanes_root; }

  const RunSetup& setup_;
  std::optional<Git> git_;
};

/// Returns what is recorded of a lane as the lanes' own functions want it.
Lane as_lane(const LaneState& lane);

/// Returns `text` as a part of a branch or reference name: the same if it is one, else with what is not allowed
/// replaced and a digest behind it, so that different texts stay different.
std::string as_ref_part(std::string_view text);

/// Returns the reference of the snapshot that is taken at a checkpoint.
std::string snapshot_ref(const RunId& run, const LaneState& lane, const std::string& checkpoint);

}  // namespace reprise
