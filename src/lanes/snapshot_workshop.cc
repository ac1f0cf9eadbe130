// The workshop's furniture, and git called in it.

#include "lanes/snapshot_workshop.h"

#include <algorithm>
#include <system_error>

#include "base/strings.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

// Unset, not "unspecified": text has to be said no to, or core.autocrlf decides. The others have no default, and
// working-tree-encoding takes no "no".
constexpr std::string_view kRawAttributes = "* -text !eol !crlf !filter !ident !working-tree-encoding\n";
constexpr std::string_view kRawConfig =
    "[core]\n\trepositoryformatversion = 1\n\tbare = false\n\tfilemode = true\n\tsymlinks = true\n"
    "\tignorecase = false\n\tautocrlf = false\n\tsparseCheckout = false\n\tlogAllRefUpdates = false\n"
    "[index]\n\tsparse = false\n[extensions]\n\tobjectFormat = ";
constexpr std::string_view kHead = "ref: refs/heads/none\n";

Error io_error(const std::error_code& code, const std::string& what) {
  return Error{ErrorKind::Io, what + ": " + code.message()};
}

}  // namespace

std::vector<std::string> split_nul(std::string_view text) {
  std::vector<std::string> items;
  for (const std::string_view item : split(text, '\0')) {
    if (!item.empty()) items.emplace_back(item);
  }
  return items;
}

std::string join_nul(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) {
    text += item;
    text += '\0';
  }
  return text;
}

std::string index_info_line(std::string_view mode, std::string_view object, int stage, std::string_view path) {
  std::string line = std::string(mode) + " " + std::string(object) + " " + std::to_string(stage);
  line += '\t';
  line += path;
  line += '\0';
  return line;
}

// "H 100644 <object> 0<tab>path" or "? path". Ten thousand lines are usual, so none is taken apart into a list.
Result<std::vector<IndexEntry>> parse_entries(std::string_view output) {
  constexpr std::size_t kObject = 9;  // where the object's name begins
  const Error unknown{ErrorKind::Corrupt, "git ls-files said what is not known"};
  std::vector<IndexEntry> entries;
  entries.reserve(static_cast<std::size_t>(std::ranges::count(output, '\0')));
  while (!output.empty()) {
    const std::size_t end = std::min(output.find('\0'), output.size());
    const std::string_view line = output.substr(0, end);
    output.remove_prefix(std::min(end + 1, output.size()));
    if (line.size() < 3 || line[1] != ' ') return fail(unknown);
    if (line[0] == '?') {
      entries.push_back({.tag = '?', .mode = {}, .object = {}, .stage = -1, .path = std::string(line.substr(2))});
      continue;
    }
    const std::size_t space = line.find(' ', kObject);
    if (line.size() < kObject || space == std::string_view::npos || space + 3 > line.size() || line[8] != ' ' ||
        line[space + 2] != '\t') {
      return fail(unknown);
    }
    entries.push_back({.tag = line[0],
                       .mode = std::string(line.substr(2, 6)),
                       .object = std::string(line.substr(kObject, space - kObject)),
                       .stage = line[space + 1] - '0',
                       .path = std::string(line.substr(space + 3))});
  }
  return entries;
}

Result<Workshop> Workshop::open(const Git& git) {
  if (git.is_bare()) return fail(ErrorKind::Invalid, git.common_dir().string() + ": it has no worktree");
  const fs::path folder = git.git_dir() / "reprise" / "workshop";
  PosixFileSystem files;
  TRY_VOID(files.make_directories(folder));
  Workshop workshop(git, folder, TRY(FileLock::lock(folder / "lock", 0)));
  TRY_VOID(workshop.remove_locks());
  TRY_VOID(workshop.furnish());
  return workshop;
}

// HEAD is written last: where it is, everything is.
Result<void> Workshop::furnish() const {
  PosixFileSystem files;
  if (TRY(files.stat(file("HEAD")))) return {};
  const std::string format = TRY(git_.ask({"rev-parse", "--show-object-format"}));
  if (format != "sha1" && format != "sha256") return fail(unusable_answer("rev-parse", format));
  TRY_VOID(files.make_directories(file("refs")));
  TRY_VOID(files.make_directories(file("info")));
  TRY_VOID(files.replace(file("config"), std::string(kRawConfig) + format + "\n"));
  TRY_VOID(files.replace(file("info/attributes"), kRawAttributes));
  return files.replace(file("HEAD"), kHead);
}

Result<void> Workshop::remove_locks() const {
  PosixFileSystem files;
  for (const std::string& name : TRY(files.list(folder_))) {
    if (name.ends_with(".lock")) TRY_VOID(files.remove(folder_ / name));
  }
  return {};
}

Result<GitAnswer> Workshop::run(Side side, const std::string& index, std::vector<std::string> arguments,
                                std::string input) const {
  GitOptions options{.input = std::move(input), .access = GitAccess::Inspect, .held_fd = lock_.fd()};
  if (!index.empty()) options.environment.push_back("GIT_INDEX_FILE=" + file(index).string());
  if (side == Side::Raw) {
    options.environment.push_back("GIT_DIR=" + folder_.string());
    options.environment.push_back("GIT_WORK_TREE=" + git_.top().string());
    options.environment.push_back("GIT_OBJECT_DIRECTORY=" + (git_.common_dir() / "objects").string());
  }
  options.environment.emplace_back("GIT_LITERAL_PATHSPECS=1");
  return git_.run(std::move(arguments), options);
}

Result<std::string> Workshop::ask(Side side, const std::string& index, const std::vector<std::string>& arguments,
                                  std::string input) const {
  GitAnswer answer = TRY(run(side, index, arguments, std::move(input)));
  if (answer.ok()) return std::move(answer.output);
  return fail(ErrorKind::Io, "git " + arguments.front() + ": " +
                                 (answer.errors.empty() ? "it failed without a word" : answer.errors));
}

Result<std::string> Workshop::ask_line(Side side, const std::string& index,
                                       const std::vector<std::string>& arguments, std::string input) const {
  std::string output = TRY(ask(side, index, arguments, std::move(input)));
  while (output.ends_with('\n')) output.pop_back();
  return output;
}

// The time is read before the bytes: should the index be replaced in between, an older time only makes git look
// at more files than it has to.
Result<void> Workshop::copy_index_to(const std::string& index) const {
  PosixFileSystem files;
  const fs::path from = git_.git_dir() / "index";
  std::error_code code;
  const fs::file_time_type time = fs::last_write_time(from, code);
  if (code) return clear_index(index);
  const std::string bytes = TRY(files.read(from, kIndexBytesMax));
  TRY_VOID(files.write_scratch(file(index), bytes));
  fs::last_write_time(file(index), time, code);
  if (code) return fail(io_error(code, file(index).string()));
  return {};
}

Result<void> Workshop::clear_index(const std::string& index) const {
  return PosixFileSystem().remove(file(index));
}

Result<std::string> Workshop::make_commit(const std::string& tree, const std::vector<std::string>& parents,
                                          const std::string& message, Timestamp time) const {
  std::vector<std::string> arguments = {"commit-tree", tree, "-F", "-"};
  for (const std::string& parent : parents) {
    arguments.emplace_back("-p");
    arguments.push_back(parent);
  }
  const std::string date = "@" + std::to_string(time.ms / 1000) + " +0000";
  GitOptions options{.input = message, .access = GitAccess::Change, .held_fd = lock_.fd()};
  for (const std::string_view who : {"AUTHOR", "COMMITTER"}) {
    const std::string start = "GIT_" + std::string(who);
    options.environment.push_back(start + "_NAME=Reprise");
    options.environment.push_back(start + "_EMAIL=reprise@localhost");
    options.environment.push_back(start + "_DATE=" + date);
  }
  return git_.ask(std::move(arguments), options);
}

}  // namespace reprise
