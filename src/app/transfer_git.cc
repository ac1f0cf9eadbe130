#include "app/transfer_git.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/digest.h"
#include "base/strings.h"
#include "executor/lane_keeper.h"
#include "git/ensure.h"
#include "git/ensure_worktree.h"
#include "git/git.h"
#include "git/path_look.h"
#include "lanes/lane.h"
#include "lanes/rescue.h"
#include "lanes/restore.h"
#include "lanes/snapshot.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBundleBytesMax = std::size_t{2} << 30;
constexpr std::string_view kHeads = "refs/heads/";
constexpr std::string_view kPassing = "refs/reprise/transfer/";  // kept only until the worktrees are as they were

// A folder of ours beside the store, gone when this is. Its name is that of the run: what a kill left behind goes
// when the same is done again.
class Workplace {
 public:
  static Result<std::unique_ptr<Workplace>> make(App& app, const RunId& run) {
    auto place = std::unique_ptr<Workplace>(new Workplace(app, run));
    TRY_VOID(app.files.remove_tree(place->path()));
    TRY_VOID(app.files.make_directories(place->path()));
    return place;
  }
  ~Workplace() { static_cast<void>(app_.files.remove_tree(path_)); }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  const fs::path& path() const { return path_; }
  std::string bundle() const { return (path_ / "run.bundle").string(); }

 private:
  Workplace(App& app, const RunId& run)
      : app_(app),
        path_(app.store.parent_path() / ("reprise-transfer-" + to_hex(shortened(digest_of(run.text))))) {}
  App& app_;
  fs::path path_;
};

Result<std::optional<Git>> repository_of(App& app) {
  Result<Git> opened = Git::open(app.project);
  if (opened) return std::optional(std::move(*opened));
  if (opened.error().kind == ErrorKind::NotFound) return std::optional<Git>();
  return fail(std::move(opened.error()));
}

// Every reference that the record of the run names, and every snapshot that is kept under its name.
Result<std::vector<TransferRef>> refs_of(const Git& git, const RunState& state) {
  std::set<std::string> names;
  for (const auto& [path, lane] : state.lanes) {
    names.insert(std::string(kHeads) + lane.branch);
    if (!lane.rescue.empty()) names.insert(lane.rescue);
    for (const CheckpointState& checkpoint : lane.checkpoints) {
      if (!checkpoint.snapshot.empty()) names.insert(checkpoint.snapshot);
    }
  }
  const std::string below = "refs/reprise/snapshots/" + as_ref_part(state.id.text) + "/";
  const std::string kept = TRY(git.ask({"for-each-ref", "--format=%(refname)", below}));
  for (const std::string_view name : split(kept, '\n')) {
    if (!name.empty()) names.emplace(name);
  }
  std::vector<TransferRef> refs;
  for (const std::string& name : names) {
    if (std::optional<std::string> commit = TRY(git.commit_of(name))) refs.push_back({name, std::move(*commit)});
  }
  return refs;
}

Result<void> take_lanes(App& app, const Git& git, const RunState& state, RunInGit& found) {
  const fs::path root = TRY(read_config(app)).lanes_root;
  for (const auto& [path, lane] : state.lanes) {
    if (!lane.made || lane.closed) continue;
    const LaneLook look = TRY(look_at_lane(git, root, as_lane(lane), std::nullopt));
    if (look.trouble == LaneTrouble::Gone || look.trouble == LaneTrouble::Forbidden) continue;
    const std::string ref = std::string(kPassing) + as_ref_part(state.id.text) + "/" + as_ref_part(lane.name);
    const Snapshot snapshot = TRY(take_snapshot(
        TRY(open_worktree(git, look.folder)),
        {.ref = ref, .message = state.id.text + " " + lane.name + ": exported", .time = app.clock.now()}));
    found.refs.push_back({ref, snapshot.commit});
    found.lanes.push_back({path, snapshot.commit});
    for (const LeftOut& left : snapshot.left_out)
      found.left_out.push_back(lane.folder + "/" + left.path + " (" + std::string(to_token(left.reason)) + ")");
  }
  return {};
}

Result<std::string> bundle_of(App& app, const Git& git, const RunId& run, const std::vector<TransferRef>& refs) {
  std::vector<std::string> wanted;
  for (const TransferRef& ref : refs) wanted.push_back(ref.ref);
  wanted.insert(wanted.end(), {"--not", "--remotes"});
  std::vector<std::string> count = {"rev-list", "--count"};
  count.insert(count.end(), wanted.begin(), wanted.end());
  if (TRY(git.ask(count, {.access = GitAccess::Inspect})) == "0") return std::string();
  const std::unique_ptr<Workplace> place = TRY(Workplace::make(app, run));
  std::vector<std::string> create = {"bundle", "create", "--quiet", place->bundle()};
  create.insert(create.end(), wanted.begin(), wanted.end());
  TRY(git.ask(create, {.access = GitAccess::Inspect}));
  return app.files.read(place->bundle(), kBundleBytesMax);
}

Result<void> drop_passing(const Git& git, const std::vector<TransferRef>& refs) {
  for (const TransferRef& ref : refs) {
    if (ref.ref.starts_with(kPassing)) TRY_VOID(ensure_no_ref(git, ref.ref, ref.commit));
  }
  return {};
}

Result<bool> is_known(const Git& git, const std::string& commit,
                      const std::vector<std::string>& environment = {}) {
  if (!is_object_id(commit)) return false;
  return TRY(git.run({"cat-file", "-e", commit + "^{commit}"}, {.environment = environment})).ok();
}

Result<void> check_names(const TransferManifest& manifest, const RunState& state) {
  std::set<std::string> branches;
  for (const auto& [path, lane] : state.lanes) branches.insert(std::string(kHeads) + lane.branch);
  std::set<std::string> commits;
  for (const TransferRef& ref : manifest.refs) {
    const bool is_own = ref.ref.starts_with(kHeads) ? branches.contains(ref.ref) : is_snapshot_ref(ref.ref);
    if (!is_own || !is_object_id(ref.commit))
      return fail(ErrorKind::Invalid,
                  "\"" + printable_line(ref.ref, 200) + "\" in it is no reference of this run");
    commits.insert(ref.commit);
  }
  for (const TransferLane& lane : manifest.lanes) {
    if (!state.lanes.contains(lane.lane) || !commits.contains(lane.snapshot))
      return fail(ErrorKind::Invalid,
                  "\"" + printable_line(lane.lane.text, 200) + "\" in it is no lane of this run");
  }
  return {};
}

// A branch here may be behind, and only that.
Result<void> check_branch(const Git& git, const TransferRef& ref, const std::vector<std::string>& environment) {
  if (!ref.ref.starts_with(kHeads)) return {};
  const std::optional<std::string> here = TRY(git.commit_of(ref.ref));
  if (!here || *here == ref.commit) return {};
  const GitAnswer answer =
      TRY(git.run({"merge-base", "--is-ancestor", *here, ref.commit}, {.environment = environment}));
  if (answer.ok()) return {};
  const std::string branch = ref.ref.substr(kHeads.size());
  return fail(Error{.kind = ErrorKind::Invalid,
                    .message = "branch " + branch + " is here too, at " + here->substr(0, 12) +
                               ", with commits that the exported run does not have"}
                  .hint("git branch -m " + shell_quote(branch) + " " + shell_quote(branch + "-old")));
}

Result<void> unbundle(const Git& git, const std::string& file, const std::vector<std::string>& environment) {
  const GitAnswer answer =
      TRY(git.run({"bundle", "unbundle", file}, {.environment = environment, .access = GitAccess::Change}));
  if (answer.ok()) return {};
  return fail(Error{.kind = ErrorKind::Invalid,
                    .message = "its commits do not fit this clone: " + printable_line(answer.errors, 300)}
                  .hint("git fetch --all"));
}

std::unexpected<Error> impossible_lane(const LaneState& lane, const std::string& why) {
  return fail(ErrorKind::Invalid, "lane " + printable_line(lane.name, 100) + " in it cannot be made: " + why);
}

// The branch of a lane can be checked out at `place` only if no other worktree has it.
Result<void> check_checkout(const Git& git, const LaneState& lane, const fs::path& place) {
  for (const WorktreeEntry& entry : TRY(list_worktrees(git))) {
    if (entry.branch == lane.branch && entry.path != place && TRY(look_at(entry.path)))
      return impossible_lane(lane, "branch " + lane.branch + " is checked out in " + entry.path.string());
  }
  return {};
}

// Checks what bring_lane() needs: a place for the worktree, and a branch that holds the commit on record.
Result<void> check_lane(const Git& git, const fs::path& root, const LaneState& lane,
                        const std::vector<TransferRef>& refs, const std::vector<std::string>& environment) {
  const LaneLook look = TRY(look_at_lane(git, root, as_lane(lane), std::nullopt));
  if (look.trouble == LaneTrouble::Forbidden) return impossible_lane(lane, look.why);
  TRY_VOID(check_checkout(git, lane, look.folder));
  if (look.trouble != LaneTrouble::Gone) return {};
  const auto ref = std::ranges::find(refs, std::string(kHeads) + lane.branch, &TransferRef::ref);
  const std::string head = ref != refs.end() ? ref->commit : look.head;
  if (head.empty()) return impossible_lane(lane, "its branch " + lane.branch + " is neither in it nor here");
  if (lane.head.empty() || lane.head == head) return {};
  const bool is_held =
      TRY(is_known(git, lane.head, environment)) &&
      TRY(git.run({"merge-base", "--is-ancestor", lane.head, head}, {.environment = environment})).ok();
  if (is_held) return {};
  return impossible_lane(lane, "its branch " + lane.branch + " does not hold commit " +
                                   printable_line(lane.head, 12) + ", the last on record");
}

// Two lanes never share a branch or a folder.
Result<void> check_lanes(App& app, const Git& git, const TransferManifest& manifest, const RunState& state,
                         const std::vector<std::string>& environment) {
  const fs::path root = TRY(read_config(app)).lanes_root;
  std::set<std::string> seen;
  for (const TransferLane& each : manifest.lanes) {
    const LaneState& lane = state.lanes.at(each.lane);
    if (!seen.insert(lane.branch).second || !seen.insert("/" + lane.folder).second)
      return impossible_lane(lane, "another lane has its branch or its folder");
    TRY_VOID(check_lane(git, root, lane, manifest.refs, environment));
  }
  return {};
}

Result<void> bring_lane(const Git& git, const fs::path& root, const LaneState& lane, const std::string& to,
                        Timestamp now) {
  const LaneLook look = TRY(look_at_lane(git, root, as_lane(lane), std::nullopt));
  fs::path folder = look.folder;
  if (look.trouble == LaneTrouble::Gone) {
    const LaneRequest request{.lane = as_lane(lane), .root = root, .recorded = lane.head, .is_announced = true};
    folder = TRY(ensure_lane(git, request)).path;
  } else if (look.trouble == LaneTrouble::Forbidden) {
    return fail(ErrorKind::Invalid, look.why);
  }
  const Git worktree = TRY(open_worktree(git, folder));
  const Snapshot wanted = TRY(read_snapshot(git, to));
  const Snapshot there = TRY(take_snapshot(worktree, {.message = "before an import", .time = now}));
  if (is_same_state(wanted, there)) return {};
  const RestoreRequest request{.to = to,
                               .rescue_ref = TRY(next_rescue_ref(git, as_ref_part(lane.name), now)),
                               .reason = "an import of the run",
                               .time = now};
  TRY(restore_snapshot(worktree, request));
  if (look.trouble != LaneTrouble::Gone) return {};
  // The worktree was made a moment ago: what was set aside is what its branch holds.
  const std::optional<std::string> rescue = TRY(git.commit_of(request.rescue_ref));
  return rescue ? ensure_no_ref(git, request.rescue_ref, *rescue) : Result<void>();
}

}  // namespace

Result<RunInGit> gather_git(App& app, const RunState& state) {
  RunInGit found;
  const std::optional<Git> git = TRY(repository_of(app));
  if (!git) return found;
  found.commit = TRY(git->commit_of("HEAD")).value_or("");
  if (!found.commit.empty()) {
    const std::string roots = TRY(git->ask({"rev-list", "--max-parents=0", "HEAD"}));
    for (const std::string_view root : split(roots, '\n')) found.roots.emplace_back(root);
  }
  if (state.lanes.empty()) return found;
  found.refs = TRY(refs_of(*git, state));
  TRY_VOID(take_lanes(app, *git, state, found));
  if (!found.refs.empty()) found.bundle = TRY(bundle_of(app, *git, state.id, found.refs));
  TRY_VOID(drop_passing(*git, found.refs));
  return found;
}

Result<void> check_repository(App& app, const TransferManifest& manifest) {
  if (manifest.commit.empty() && manifest.roots.empty()) return {};
  const std::optional<Git> git = TRY(repository_of(app));
  if (git) {
    if (TRY(is_known(*git, manifest.commit))) return {};
    for (const std::string& root : manifest.roots) {
      if (TRY(is_known(*git, root))) return {};
    }
  }
  return fail(Error{.kind = ErrorKind::Invalid,
                    .message = "it was exported from another repository: " +
                               (git ? "commit " + printable_line(manifest.commit.substr(0, 12), 12) +
                                          " and where its history begins are not known here"
                                    : std::string("there is no git repository here"))}
                  .hint(git ? "git fetch --all" : "git rev-parse --show-toplevel"));
}

Result<void> check_refs(App& app, const TransferManifest& manifest, const RunState& state,
                        std::string_view bundle) {
  TRY_VOID(check_names(manifest, state));
  if (manifest.refs.empty()) return {};
  const std::optional<Git> git = TRY(repository_of(app));
  if (!git) return fail(ErrorKind::Invalid, "the run has lanes, and there is no git repository here");
  // The objects go into a folder of their own, so that what is refused leaves none behind.
  const std::unique_ptr<Workplace> place = TRY(Workplace::make(app, manifest.run));
  TRY_VOID(app.files.make_directories(place->path() / "objects"));
  const std::vector<std::string> aside = {
      "GIT_OBJECT_DIRECTORY=" + (place->path() / "objects").string(),
      "GIT_ALTERNATE_OBJECT_DIRECTORIES=" + (git->common_dir() / "objects").string()};
  if (!bundle.empty()) {
    TRY_VOID(app.files.write_scratch(place->bundle(), bundle));
    TRY_VOID(unbundle(*git, place->bundle(), aside));
  }
  for (const TransferRef& ref : manifest.refs) {
    if (!TRY(is_known(*git, ref.commit, aside))) {
      return fail(Error{.kind = ErrorKind::Invalid,
                        .message = "commit " + ref.commit.substr(0, 12) + " of " + printable_line(ref.ref, 200) +
                                   " is neither in it nor here"}
                      .hint("git fetch --all"));
    }
    TRY_VOID(check_branch(*git, ref, aside));
  }
  return check_lanes(app, *git, manifest, state, aside);
}

Result<void> bring_refs(App& app, const TransferManifest& manifest, const RunState& state,
                        std::string_view bundle) {
  if (manifest.refs.empty()) return {};
  const Git git = TRY(Git::open(app.project));
  if (!bundle.empty()) {
    const std::unique_ptr<Workplace> place = TRY(Workplace::make(app, manifest.run));
    TRY_VOID(app.files.write_scratch(place->bundle(), bundle));
    TRY_VOID(unbundle(git, place->bundle(), {}));
  }
  const fs::path root = TRY(read_config(app)).lanes_root;
  // The branch of a worktree that is there moves with its files, below.
  std::set<std::string> checked_out;
  for (const TransferLane& lane : manifest.lanes) {
    const LaneState& there = state.lanes.at(lane.lane);
    const LaneLook look = TRY(look_at_lane(git, root, as_lane(there), std::nullopt));
    if (look.trouble != LaneTrouble::Gone) checked_out.insert(std::string(kHeads) + there.branch);
  }
  for (const TransferRef& ref : manifest.refs) {
    if (checked_out.contains(ref.ref)) continue;
    TRY_VOID(ensure_ref(
        git,
        {.ref = ref.ref, .to = ref.commit, .from = TRY(git.commit_of(ref.ref)), .why = "imported by reprise"}));
  }
  for (const TransferLane& lane : manifest.lanes)
    TRY_VOID(bring_lane(git, root, state.lanes.at(lane.lane), lane.snapshot, app.clock.now()));
  return drop_passing(git, manifest.refs);
}

}  // namespace reprise
