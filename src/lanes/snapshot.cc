// Taking a snapshot: HEAD, what is staged, what is on disk, and the commit that holds the three together.

#include "lanes/snapshot.h"

#include <algorithm>

#include "base/strings.h"
#include "lanes/snapshot_index.h"
#include "lanes/snapshot_listing.h"
#include "lanes/snapshot_message.h"
#include "lanes/snapshot_mirror.h"
#include "lanes/snapshot_refs.h"
#include "lanes/snapshot_taking.h"
#include "lanes/snapshot_workshop.h"
#include "os/parallel.h"

namespace reprise {
namespace {

constexpr std::string_view kRefs = "refs/reprise/";
constexpr const char* kCopy = "copy";  // of the user's index, for as long as we look at it

// Where HEAD is, and whether the memo's snapshot still stands.
struct Standing {
  std::string head;
  std::string branch;
  bool memo_stands = false;
};

Result<Standing> find_standing_slowly(const Git& git, const Memo& memo) {
  Standing standing;
  standing.head = TRY(git.commit_of("HEAD")).value_or("");
  GitAnswer symbolic = TRY(git.run({"symbolic-ref", "--quiet", "HEAD"}));
  if (symbolic.ok()) standing.branch = trim(symbolic.output);
  if (!memo.ref.empty()) standing.memo_stands = TRY(git.commit_of(memo.ref)) == memo.commit;
  return standing;
}

// One call where it can be one: an unchanged lane is snapshot often, and starting git is what that costs.
Result<Standing> find_standing(const Git& git, const Memo& memo) {
  std::vector<std::string> arguments = {"rev-parse", "HEAD"};
  if (!memo.ref.empty()) arguments.push_back(memo.ref);
  arguments.insert(arguments.end(), {"--symbolic-full-name", "HEAD"});
  const GitAnswer answer = TRY(git.run(arguments));
  const std::vector<std::string_view> lines = split(answer.output, '\n');
  if (!answer.ok() || lines.size() != arguments.size() - 1) return find_standing_slowly(git, memo);
  Standing standing{.head = std::string(lines.front()), .branch = {}, .memo_stands = false};
  const std::string_view name = lines[lines.size() - 2];
  if (name != "HEAD") standing.branch = name;
  standing.memo_stands = !memo.ref.empty() && lines[1] == memo.commit;
  return standing;
}

// A commit of what is staged. The memo's is taken only where its snapshot stands, which keeps it.
Result<StagedCommit> staged_commit(const Workshop& workshop, const Memo& memo, const StagedState& state,
                                   const std::string& key) {
  if (!memo.signature.empty() && memo.staged_key == key) return StagedCommit{memo.index_commit, memo.index_tree};
  return record_staged(workshop, kCopy, state);
}

// Makes the commit that holds everything together, and the reference that keeps it.
Result<void> keep(const Workshop& workshop, const SnapshotRequest& request, Snapshot& snapshot) {
  std::vector<std::string> parents = {snapshot.index_commit};
  if (!snapshot.head.empty()) parents.insert(parents.begin(), snapshot.head);
  for (const std::string& pinned : request.pinned) {
    if (std::ranges::find(parents, pinned) == parents.end()) parents.push_back(pinned);
  }
  snapshot.commit =
      TRY(workshop.make_commit(snapshot.tree, parents, write_snapshot_message(snapshot), request.time));
  std::vector<std::string> arguments = {"update-ref", request.ref, snapshot.commit};
  if (request.is_new) arguments.push_back(std::string(snapshot.commit.size(), '0'));
  const GitAnswer answer = TRY(change_refs(workshop.git(), arguments));
  if (answer.ok()) return {};
  const bool is_there = request.is_new && TRY(workshop.git().commit_of(request.ref)).has_value();
  return fail(is_there ? ErrorKind::Conflict : ErrorKind::Io, request.ref + ": " + answer.errors);
}

// Objects that no reference keeps may go at any time: a mirror that relies on them is not to be believed.
Result<void> remember(const Workshop& workshop, const Memo& old, Memo memo) {
  if (!memo.ref.empty()) return write_memo(workshop, std::move(memo));
  const bool is_kept = memo.tree == old.tree && memo.index_commit == old.index_commit && !old.ref.empty();
  if (!is_kept) return PosixFileSystem().remove(workshop.file("memo"));
  memo.ref = old.ref;
  memo.commit = old.commit;
  return write_memo(workshop, std::move(memo));
}

// What git says of the worktree. The two questions are independent, and take most of the time that an unchanged
// one needs: they are asked at once.
struct Sight {
  std::vector<IndexEntry> entries;
  MirrorStart start;
};
Result<Sight> look(const Workshop& workshop, Memo memo) {
  Result<std::vector<IndexEntry>> entries;
  Result<std::vector<std::string>> changed;
  for_each_part(memo.signature.empty() ? 1 : 2, [&](std::size_t part) {
    if (part == 0) {
      entries = list_entries(workshop, kCopy);
    } else {
      changed = changed_in_mirror(workshop);
    }
  });
  return Sight{TRY(std::move(entries)), MirrorStart{std::move(memo), TRY(std::move(changed))}};
}

}  // namespace

Result<Snapshot> take_snapshot_in(const Workshop& workshop, const SnapshotRequest& request) {
  const Git& git = workshop.git();
  Memo memo = read_memo(workshop);
  const Standing standing = TRY(find_standing(git, memo));
  if (!standing.memo_stands || !TRY(is_of_mirror(workshop, memo))) memo = {};
  TRY_VOID(workshop.copy_index_to(kCopy));
  Sight sight = TRY(look(workshop, memo));
  WorktreeListing listing = TRY(list_worktree(workshop, kCopy, sight.entries, request.ignored));
  const Mirrored mirrored = TRY(mirror_worktree(workshop, std::move(sight.start), kCopy, sight.entries, listing));

  StagedState staged;
  staged.entries = std::move(sight.entries);
  std::erase_if(staged.entries, [](const IndexEntry& entry) { return entry.is_other(); });
  staged.operation = TRY(read_operation(git));
  const std::string staged_key = staged.key();
  const StagedCommit index = TRY(staged_commit(workshop, memo, staged, staged_key));

  Snapshot snapshot{.commit = {},
                    .tree = mirrored.tree,
                    .head = standing.head,
                    .branch = standing.branch,
                    .index_commit = index.commit,
                    .index_tree = index.tree,
                    .ref = request.ref,
                    .message = request.message,
                    .time = request.time,
                    .ignored = request.ignored,
                    .folders = std::move(listing.folders),
                    .modes = std::move(listing.modes),
                    .left_out = std::move(listing.left_out)};
  snapshot.left_out.insert(snapshot.left_out.end(), mirrored.left_out.begin(), mirrored.left_out.end());
  if (!request.ref.empty()) TRY_VOID(keep(workshop, request, snapshot));
  const std::string listing_key = mirrored.is_whole ? listing.key() : std::string();
  TRY_VOID(remember(
      workshop, memo,
      {request.ref, snapshot.commit, "", listing_key, snapshot.tree, staged_key, index.commit, index.tree}));
  return snapshot;
}

Result<Snapshot> take_snapshot(const Git& worktree, const SnapshotRequest& request) {
  if (!request.ref.empty() && !is_snapshot_ref(request.ref)) {
    return fail(ErrorKind::Invalid, printable_line(request.ref, 100) + ": not a name below refs/reprise/");
  }
  const Workshop workshop = TRY(Workshop::open(worktree));
  Result<Snapshot> snapshot = take_snapshot_in(workshop, request);
  if (!snapshot) return fail(std::move(snapshot).error().within("cannot take a snapshot"));
  return snapshot;
}

Result<std::optional<CommitText>> read_commit(const Git& git, const std::string& name) {
  // A range or a pattern is no name of one commit; "log" would take it for one.
  const GitAnswer answer = TRY(git.run({"show", "-s", "--no-show-signature", "--encoding=", "--no-notes",
                                        "--format=%H%n%T%n%P%n%B", "--end-of-options", name + "^{commit}"}));
  if (!answer.ok()) return std::nullopt;
  CommitText text;
  std::string_view rest = answer.output;
  const auto next_line = [&] {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return line;
  };
  text.commit = next_line();
  text.tree = next_line();
  for (const std::string_view parent : split(next_line(), ' ')) {
    if (!parent.empty()) text.parents.emplace_back(parent);
  }
  text.message = rest;
  return text;
}

Result<Snapshot> snapshot_from(const CommitText& text) {
  Snapshot snapshot;
  snapshot.commit = text.commit;
  snapshot.tree = text.tree;
  TRY_VOID(read_snapshot_message(text.message, snapshot));
  return snapshot;
}

Result<Snapshot> read_snapshot(const Git& git, const std::string& name) {
  const std::optional<CommitText> text = TRY(read_commit(git, name));
  if (!text) return fail(ErrorKind::NotFound, "there is no snapshot " + printable_line(name, 100));
  Result<Snapshot> snapshot = snapshot_from(*text);
  if (!snapshot) return fail(std::move(snapshot).error().within(printable_line(name, 100)));
  if (name.starts_with("refs/")) snapshot->ref = name;
  return snapshot;
}

bool is_same_state(const Snapshot& a, const Snapshot& b) {
  return a.tree == b.tree && a.index_commit == b.index_commit && a.head == b.head && a.branch == b.branch &&
         a.folders == b.folders && a.modes == b.modes;
}

bool is_snapshot_ref(std::string_view ref) {
  return ref.starts_with(kRefs) && is_branch_name(ref.substr(kRefs.size()));
}

}  // namespace reprise
