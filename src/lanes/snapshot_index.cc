// Recording and installing what is staged.

#include "lanes/snapshot_index.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <system_error>

#include "base/digest.h"
#include "base/strings.h"
#include "lanes/snapshot_message.h"
#include "lanes/snapshot_taking.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;
using Side = Workshop::Side;

constexpr std::size_t kNoteBytesMax = 16u << 20;
constexpr char kIntentToAdd = 'N';
constexpr std::string_view kFlag = "Reprise-Flag: ";

constexpr std::array<std::string_view, 12> kNotes = {
    "MERGE_HEAD",   "MERGE_MSG",   "MERGE_MODE", "MERGE_RR",   "MERGE_AUTOSTASH", "CHERRY_PICK_HEAD",
    "REVERT_HEAD",  "REBASE_HEAD", "SQUASH_MSG", "AUTO_MERGE", "AM_HEAD",
    "reprise-move",  // ours: a worktree on its way to another commit (git/tree_move.h)
};
constexpr std::array<std::string_view, 3> kNoteFolders = {"rebase-merge", "rebase-apply", "sequencer"};

bool is_empty_blob(std::string_view object) {
  return object == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391" ||
         object == "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813";
}

bool is_object_name(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// A path and what git thinks of it besides its content.
struct Flag {
  char letter;
  std::string path;
};

// Entries that only announce a file are in no tree: they are what the index has more than its tree.
Result<std::vector<Flag>> find_flags(const Workshop& workshop, const std::string& index, const StagedState& state,
                                     const std::string& tree) {
  std::vector<Flag> flags;
  bool may_announce = false;
  for (const IndexEntry& entry : state.entries) {
    if (entry.stage == 0 && entry.tag != 'H') flags.push_back({entry.tag, entry.path});
    may_announce = may_announce || (entry.stage == 0 && is_empty_blob(entry.object));
  }
  if (!may_announce) return flags;
  const std::string output = TRY(workshop.ask(
      Side::Repository, index,
      {"diff-index", "--cached", "--ita-visible-in-index", "--diff-filter=A", "--name-only", "-z", tree}));
  for (const std::string& path : split_nul(output)) flags.push_back({kIntentToAdd, path});
  return flags;
}

bool is_conflicted(const StagedState& state) {
  return std::ranges::any_of(state.entries, [](const IndexEntry& entry) { return entry.stage > 0; });
}

Result<std::string> write_staged_tree(const Workshop& workshop, const std::string& index,
                                      const StagedState& state) {
  if (!is_conflicted(state)) return workshop.ask_line(Side::Repository, index, {"write-tree"});
  std::vector<std::string> gone;
  for (const IndexEntry& entry : state.entries) {
    if (entry.stage > 0) gone.push_back(entry.path);
  }
  TRY_VOID(
      workshop.ask(Side::Repository, index, {"update-index", "-z", "--force-remove", "--stdin"}, join_nul(gone)));
  return workshop.ask_line(Side::Repository, index, {"write-tree"});
}

// The commits that git's notes mention. What they say may be gone already, which is then nothing to keep.
Result<std::vector<std::string>> mentioned_commits(const Git& git, const std::vector<OperationNote>& notes) {
  std::vector<std::string> commits;
  for (const OperationNote& note : notes) {
    for (const std::string_view line : split(note.bytes, '\n')) {
      if (!is_object_name(line)) continue;
      const std::optional<std::string> commit = TRY(git.commit_of(line));
      if (commit && std::ranges::find(commits, *commit) == commits.end()) commits.push_back(*commit);
    }
  }
  return commits;
}

Result<std::string> record_stages(const Workshop& workshop, const StagedState& state) {
  std::string lines;
  for (const IndexEntry& entry : state.entries) {
    if (entry.stage == 0) continue;
    lines += index_info_line(entry.mode, entry.object, 0, std::to_string(entry.stage) + "/" + entry.path);
  }
  for (const OperationNote& note : state.operation) {
    const std::string blob =
        TRY(workshop.ask_line(Side::Raw, "", {"hash-object", "-w", "--no-filters", "--stdin"}, note.bytes));
    lines += index_info_line("100644", blob, 0, "operation/" + note.name);
  }
  TRY_VOID(workshop.clear_index("stages"));
  TRY_VOID(workshop.ask(Side::Raw, "stages", {"update-index", "-z", "--index-info"}, lines));
  const std::string tree = TRY(workshop.ask_line(Side::Raw, "stages", {"write-tree"}));
  return workshop.make_commit(tree, TRY(mentioned_commits(workshop.git(), state.operation)), "stages\n", {});
}

Result<void> install_flags(const Workshop& workshop, const std::string& index, const std::string& message) {
  std::map<char, std::vector<std::string>> paths;
  for (const std::string_view line : split(message, '\n')) {
    if (!line.starts_with(kFlag) || line.size() < kFlag.size() + 3) continue;
    paths[line[kFlag.size()]].push_back(decode_path(line.substr(kFlag.size() + 2)));
  }
  for (const auto& [letter, named] : paths) {
    if (letter == kIntentToAdd) {  // of one that is not on disk nothing can be announced
      static_cast<void>(
          TRY(workshop.run(Side::Repository, index,
                           {"add", "-f", "-N", "--ignore-errors", "--pathspec-from-file=-", "--pathspec-file-nul"},
                           join_nul(named))));
      continue;
    }
    const bool is_assumed = letter >= 'a' && letter <= 'z';
    const bool is_skipped = letter == 'S' || letter == 's';
    const std::string list = join_nul(named);
    if (is_skipped) {
      TRY_VOID(workshop.ask(Side::Repository, index, {"update-index", "-z", "--skip-worktree", "--stdin"}, list));
    }
    if (is_assumed) {
      TRY_VOID(
          workshop.ask(Side::Repository, index, {"update-index", "-z", "--assume-unchanged", "--stdin"}, list));
    }
  }
  return {};
}

// The entries of a tree below one folder of it, as the lines that put them into an index.
Result<std::string> stage_lines(const Workshop& workshop, const std::string& stages, int stage) {
  const std::string folder = std::to_string(stage) + "/";
  const std::string output =
      TRY(workshop.ask(Side::Repository, "", {"ls-tree", "-r", "-z", "--end-of-options", stages, "--", folder}));
  std::string lines;
  for (const std::string& line : split_nul(output)) {
    const std::size_t tab = line.find('\t');
    const std::vector<std::string_view> words = split(std::string_view(line).substr(0, tab), ' ');
    if (tab == std::string::npos || words.size() != 3) continue;
    lines += index_info_line(words[0], words[2], stage, std::string_view(line).substr(tab + 1 + folder.size()));
  }
  return lines;
}

Result<std::vector<OperationNote>> recorded_operation(const Workshop& workshop, const std::string& stages) {
  constexpr std::string_view kFolder = "operation/";
  std::vector<OperationNote> notes;
  const std::string output = TRY(workshop.ask(
      Side::Repository, "",
      {"ls-tree", "-r", "-z", "--name-only", "--end-of-options", stages, "--", std::string(kFolder)}));
  for (const std::string& path : split_nul(output)) {
    notes.push_back({path.substr(kFolder.size()),
                     TRY(workshop.ask(Side::Repository, "", {"cat-file", "blob", stages + ":" + path}))});
  }
  return notes;
}

}  // namespace

std::string StagedState::key() const {
  std::string text;
  for (const IndexEntry& entry : entries) {
    text += entry.tag;
    text += entry.mode;
    text += entry.object;
    text += static_cast<char>('0' + entry.stage);
    text += entry.path;
    text += '\0';
  }
  for (const OperationNote& note : operation) {
    text += note.name + "=" + std::to_string(note.bytes.size()) + ":" + note.bytes;
  }
  return to_hex(digest_of(text));
}

Result<std::vector<OperationNote>> read_operation(const Git& git) {
  PosixFileSystem files;
  std::vector<OperationNote> notes;
  const auto take = [&](const std::string& name) -> Result<void> {
    std::error_code code;
    if (!fs::is_regular_file(fs::symlink_status(git.git_dir() / name, code))) return {};
    notes.push_back({name, TRY(files.read(git.git_dir() / name, kNoteBytesMax))});
    return {};
  };
  for (const std::string_view name : kNotes) TRY_VOID(take(std::string(name)));
  for (const std::string_view folder : kNoteFolders) {
    std::error_code code;
    for (fs::recursive_directory_iterator it(git.git_dir() / folder, code), end; !code && it != end;
         it.increment(code)) {
      TRY_VOID(take(it->path().lexically_relative(git.git_dir()).string()));
    }
  }
  std::ranges::sort(notes, {}, &OperationNote::name);
  return notes;
}

Result<StagedCommit> record_staged(const Workshop& workshop, const std::string& index, const StagedState& state) {
  const std::string tree = TRY(write_staged_tree(workshop, index, state));
  std::string message = "what was staged\n\nReprise-Index: 1\n";
  for (const Flag& flag : TRY(find_flags(workshop, index, state, tree))) {
    message += std::string(kFlag) + flag.letter + " " + encode_path(flag.path) + "\n";
  }
  std::vector<std::string> parents;
  if (is_conflicted(state) || !state.operation.empty()) parents.push_back(TRY(record_stages(workshop, state)));
  return StagedCommit{TRY(workshop.make_commit(tree, parents, message, {})), tree};
}

Result<void> prepare_index(const Workshop& workshop, const std::string& index, const std::string& tree) {
  TRY_VOID(workshop.copy_index_to(index));
  const GitAnswer listed = TRY(workshop.run(Side::Repository, index, {"ls-files", "-v", "-s", "-z"}));
  bool is_plain = listed.ok();
  if (is_plain) {
    const std::vector<IndexEntry> entries = TRY(parse_entries(listed.output));
    is_plain = std::ranges::all_of(entries, [](const IndexEntry& entry) { return entry.tag == 'H'; });
  }
  if (!is_plain) TRY_VOID(workshop.clear_index(index));
  TRY_VOID(workshop.ask(Side::Repository, index, {"read-tree", "--reset", tree}));
  return {};
}

Result<void> install_index(const Workshop& workshop, const std::string& index) {
  // What does not match the disk is no failure: that is what the user's changes are.
  static_cast<void>(TRY(workshop.run(Side::Repository, index, {"update-index", "-q", "--refresh"})));
  PosixFileSystem files;
  const std::string bytes = TRY(files.read(workshop.file(index), kIndexBytesMax));
  return files.replace(workshop.git().git_dir() / "index", bytes);
}

Result<void> clear_operation(const Git& git, const std::vector<OperationNote>& keep) {
  PosixFileSystem files;
  std::set<std::string> kept;
  for (const OperationNote& note : keep) kept.insert(note.name);
  for (const OperationNote& note : TRY(read_operation(git))) {
    if (!kept.contains(note.name)) TRY_VOID(files.remove(git.git_dir() / note.name));
  }
  for (const std::string_view folder : kNoteFolders) {
    const std::string start = std::string(folder) + "/";
    const bool is_kept =
        std::ranges::any_of(kept, [&](const std::string& name) { return name.starts_with(start); });
    if (!is_kept) TRY_VOID(files.remove_tree(git.git_dir() / folder));
  }
  return {};
}

Result<void> install_staged(const Workshop& workshop, const std::string& commit) {
  const std::optional<CommitText> staged = TRY(read_commit(workshop.git(), commit));
  if (!staged) return fail(ErrorKind::NotFound, commit + ": what was staged is gone");
  TRY_VOID(prepare_index(workshop, "next", staged->tree));
  std::vector<OperationNote> operation;
  if (!staged->parents.empty()) {
    const std::string& stages = staged->parents.front();
    std::string lines;
    for (const int stage : {1, 2, 3}) lines += TRY(stage_lines(workshop, stages, stage));
    if (!lines.empty()) {
      TRY_VOID(workshop.ask(Side::Repository, "next", {"update-index", "-z", "--index-info"}, lines));
    }
    operation = TRY(recorded_operation(workshop, stages));
  }
  TRY_VOID(install_flags(workshop, "next", staged->message));
  TRY_VOID(install_index(workshop, "next"));
  TRY_VOID(clear_operation(workshop.git(), operation));
  PosixFileSystem files;
  for (const OperationNote& note : operation) {
    const fs::path path = workshop.git().git_dir() / note.name;
    TRY_VOID(files.make_directories(path.parent_path()));
    TRY_VOID(files.replace(path, note.bytes));
  }
  return {};
}

}  // namespace reprise
