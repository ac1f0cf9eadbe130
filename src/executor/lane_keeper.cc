#include "executor/lane_keeper.h"

#include <algorithm>
#include <set>

#include "base/digest.h"
#include "base/strings.h"
#include "git/ensure.h"
#include "git/git_output.h"
#include "git/locks.h"
#include "lanes/forge.h"
#include "lanes/lane.h"
#include "lanes/snapshot.h"
#include "model/limits.h"

namespace reprise {
namespace {

bool is_ref_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
         c == '-' || c == '/';
}

// What a step needs below a node that has lanes of its own: all of them, each once.
void add_lanes_below(const Graph& graph, int index, std::set<int>& lanes, int besides) {
  for (const int leaf : graph.leaves_below(index)) {
    const int lane = graph.node(leaf).lane;
    if (lane >= 0 && lane != besides) lanes.insert(lane);
  }
}

std::vector<std::string> files_of(const std::vector<MergeConflict>& conflicts) {
  std::vector<std::string> names;
  for (const MergeConflict& conflict : conflicts) names.push_back(conflict.path);
  return names;
}

}  // namespace

Lane as_lane(const LaneState& lane) {
  return {.name = lane.name, .path = lane.folder, .branch = lane.branch, .base = lane.base_commit};
}

std::string as_ref_part(std::string_view text) {
  std::string part;
  for (const char c : text) part += is_ref_char(c) ? c : '-';
  if (part == text && is_branch_name(part)) return part;
  std::string safe;
  for (const std::string_view piece : split(part, '/')) {
    std::string_view kept = piece;
    while (!kept.empty() && (kept.front() == '-' || kept.front() == '.')) kept.remove_prefix(1);
    while (!kept.empty() && (kept.back() == '.' || kept.back() == '-')) kept.remove_suffix(1);
    if (kept.empty()) continue;
    if (!safe.empty()) safe += '/';
    for (std::size_t i = 0; i < kept.size() && i < 60; ++i) {
      safe += kept[i] == '.' && i > 0 && kept[i - 1] == '.' ? '-' : kept[i];
    }
    if (safe.ends_with(".lock")) safe += '_';
  }
  constexpr std::size_t kLengthMax = 120;
  if (safe.size() > kLengthMax) safe.resize(kLengthMax);
  while (!safe.empty() && !is_branch_name(safe)) safe.pop_back();
  return safe + (safe.empty() ? "" : "-") + to_hex(shortened(digest_of(text))).substr(0, 8);
}

std::string snapshot_ref(const RunId& run, const LaneState& lane, const std::string& checkpoint) {
  return "refs/reprise/snapshots/" + as_ref_part(run.text) + "/" + as_ref_part(lane.name) + "/" +
         as_ref_part(checkpoint);
}

Result<const Git*> LaneKeeper::repository() {
  if (!git_) {
    Result<Git> opened = Git::open(setup_.project);
    if (!opened) {
      return fail(std::move(opened.error()).within("a lane needs a git repository").hint("git init"));
    }
    git_.emplace(std::move(*opened));
  }
  return &*git_;
}

Result<Git> LaneKeeper::worktree_of(const LaneState& lane) {
  const Git* git = TRY(repository());
  return open_worktree(*git, TRY(checked_place(*git, root(), lane.folder)));
}

// Where a lane starts: at its base, with what the lanes that it needs have made, unless that is in the base
// already.
Result<std::string> LaneKeeper::start_of(const Graph& graph, int lane, const RunState& state,
                                         const std::string& base) {
  const Git* git = TRY(repository());
  const std::optional<std::string> commit = TRY(git->commit_of(base.empty() ? "HEAD" : base));
  if (!commit) {
    const bool has_commits = TRY(git->commit_of("HEAD")).has_value();
    return fail(Error{.kind = ErrorKind::NotFound,
                      .message = has_commits ? "there is no branch or commit \"" + printable_line(base, 100) +
                                                   "\" to start a lane from"
                                             : "the repository has no commit yet to start a lane from"}
                    .hint(has_commits ? "git branch --list --all" : "git commit --allow-empty -m begin"));
  }
  std::set<int> before;
  for (int index = lane; index > 0; index = graph.node(index).parent) {
    for (const int need : graph.needs(index)) add_lanes_below(graph, need, before, graph.node(lane).lane);
  }
  std::vector<std::string> heads;
  for (const int other : before) {
    const auto found = state.lanes.find(graph.node(other).path);
    if (found != state.lanes.end() && !found->second.head.empty()) heads.push_back(found->second.head);
  }
  const JoinOutcome joined = TRY(start_commit(*git, *commit, heads, graph.node(lane).path.text));
  if (joined.conflicts.empty()) return joined.commit;
  return fail(Error{.kind = ErrorKind::Conflict,
                    .message = "the lanes that this one needs changed the same files differently: " +
                               names_for_people(files_of(joined.conflicts))}
                  .hint("git merge-tree " + joined.ours + " " + joined.theirs));
}

Result<LaneCreated> LaneKeeper::plan_lane(const Graph& graph, int lane, const RunState& state) {
  const Graph::Node& node = graph.node(lane);
  const LaneSpec& spec = *node.stage->lane;
  const auto said = [&](const std::string& text, std::string otherwise) {
    return text.empty() ? std::move(otherwise) : graph.resolve(lane, text);
  };
  LaneCreated created{.lane = node.path};
  created.name = said(spec.name, node.path.text);
  // Flat: a lane in another lane is neither in its folder nor a branch below its branch.
  std::string flat = node.path.text;
  std::ranges::replace(flat, '/', '.');
  const std::string place = as_ref_part(state.id.text) + "/" + as_ref_part(flat);
  created.folder = (root() / said(spec.folder, place)).lexically_normal().string();
  created.branch = said(spec.branch, "lane/" + place);
  if (!is_branch_name(created.branch)) {
    return fail(ErrorKind::Invalid,
                "\"" + printable_line(created.branch, 100) +
                    "\" cannot be the name of a lane's branch; allowed: parts of A-Z a-z 0-9 . _ "
                    "- separated by /, none beginning with - or .");
  }
  const Git* git = TRY(repository());
  TRY(checked_place(*git, root(), created.folder));
  created.base = graph.resolve(lane, spec.base);
  const int above = node.parent < 0 ? -1 : graph.node(node.parent).lane;
  const LaneState* outer = above < 0 ? nullptr : graph.lane_of(node.parent);
  if (created.base.empty() && outer != nullptr) created.base = outer->branch;
  if (created.base.empty()) created.base = TRY(git->branch()).value_or("");
  created.base_commit = TRY(start_of(graph, lane, state, created.base));
  const bool is_published = std::ranges::any_of(graph.leaves_below(lane), [&](int leaf) {
    const std::string& how = graph.node(leaf).stage->publish;
    return how == "merge" || how == "pr";
  });
  if (is_published && !TRY(git->commit_of("refs/heads/" + created.base))) {
    return fail(Error{.kind = ErrorKind::Invalid,
                      .message = created.base.empty()
                                     ? "what is published goes into a branch, and none is checked out"
                                     : "what is published goes into a branch, and \"" +
                                           printable_line(created.base, 100) + "\" is none"}
                    .hint("git branch --list"));
  }
  if (const std::optional<std::string> there = TRY(git->commit_of("refs/heads/" + created.branch))) {
    const auto earlier = state.lanes.find(node.path);
    if (earlier != state.lanes.end() && earlier->second.branch == created.branch) {
      created.base_commit = *there;  // the lane was closed and is needed again: it goes on where it was
      return created;
    }
    return fail(
        Error{.kind = ErrorKind::Conflict,
              .message = "there is a branch " + created.branch + " already, which this run did not make (at " +
                         there->substr(0, 12) + ")"}
            .hint("git branch -m " + shell_quote(created.branch) + " " + shell_quote(created.branch + "-old")));
  }
  return created;
}

Result<LaneKeeper::Opened> LaneKeeper::open_lane(const LaneState& lane, const LaneState* other) {
  const Git* git = TRY(repository());
  LaneRequest request{.lane = as_lane(lane), .root = root(), .is_announced = true};
  if (lane.made) request.recorded = lane.head;
  if (other != nullptr && !lane.made)
    request.take_over = TakeOver{.from = setup_.project / other->folder, .from_branch = other->branch};
  const WorktreeState state = TRY(ensure_lane(*git, request));
  return Opened{state.head, state.notes};
}

Result<LaneKeeper::Taken> LaneKeeper::take(const RunId& run, const LaneState& lane, const std::string& point,
                                           Timestamp now) {
  const Git git = TRY(worktree_of(lane));
  const Snapshot snapshot = TRY(take_snapshot(
      git,
      {.ref = snapshot_ref(run, lane, point), .message = run.text + " " + lane.name + ": " + point, .time = now}));
  const bool is_own = snapshot.branch == "refs/heads/" + lane.branch;
  Taken taken{is_own ? snapshot.head : "", snapshot.ref, {}};
  for (const LeftOut& left : snapshot.left_out) {
    taken.notes.push_back("lane " + lane.name + ": " + printable_line(left.path, 200) +
                          " is not in the snapshot (" + std::string(to_token(left.reason)) + ")");
  }
  return taken;
}

Result<std::string> LaneKeeper::commit(const LaneState& lane, const std::string& message, const std::string& token,
                                       Timestamp since) {
  const Git git = TRY(worktree_of(lane));
  TRY(clear_worker_locks(git, since));
  return TRY(ensure_commit(git, {.message = message, .token = token, .branch = lane.branch})).commit;
}

Result<void> LaneKeeper::clear_locks(const LaneState& lane, Timestamp since) {
  TRY(clear_worker_locks(TRY(worktree_of(lane)), since));
  return {};
}

Result<bool> LaneKeeper::holds_record(const LaneState& lane, const std::string& head) {
  return is_ancestor(*TRY(repository()), lane.head, head);
}

Result<std::vector<std::string>> LaneKeeper::uncommitted(const LaneState& lane) {
  const LaneLook look = TRY(look_at_lane(*TRY(repository()), root(), as_lane(lane), lane.head));
  std::vector<std::string> files = look.changed;
  files.insert(files.end(), look.untracked.begin(), look.untracked.end());
  return files;
}

Result<Publication> LaneKeeper::publish(const LaneState& lane, const std::string& how, const std::string& title,
                                        const std::string& body) {
  const Git* git = TRY(repository());
  if (how != "merge" && !TRY(git->config("remote.origin.url"))) {
    return fail(Error{.kind = ErrorKind::Invalid, .message = "there is no remote \"origin\" to publish to"}.hint(
        "git remote add origin URL"));
  }
  if (how == "push") {
    TRY_VOID(ensure_push(*git, {.remote = "origin", .branch = lane.branch, .commit = lane.head}));
    return Publication{"origin/" + lane.branch, {}};
  }
  const PublishRequest request{
      .branch = lane.branch, .head = lane.head, .base = lane.base, .title = title, .body = body};
  LocalForge local(*git);
  GhForge remote(*git);
  Forge& forge = how == "merge" ? static_cast<Forge&>(local) : remote;
  const Published published = TRY(forge.open(request));
  return Publication{published.place, files_of(published.conflicts)};
}

Result<std::vector<std::string>> LaneKeeper::changed_by_both(const LaneState& a, const LaneState& b) {
  const Git* git = TRY(repository());
  std::vector<std::string> files;
  for (Overlap& overlap : TRY(touched_by_both(*git, root(), {as_lane(a), as_lane(b)})))
    files.push_back(std::move(overlap.file));
  return files;
}

}  // namespace reprise
