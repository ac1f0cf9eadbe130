// Parsers of git's output for programs.

#include "git/git_output.h"

#include <algorithm>

#include "base/strings.h"

namespace reprise {
namespace {

constexpr std::size_t kNamesShown = 5;

// Returns what follows the first `count` fields, which are separated by single spaces: a path may hold spaces.
std::string after_fields(std::string_view line, int count) {
  for (int i = 0; i < count; ++i) {
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) return "";
    line.remove_prefix(space + 1);
  }
  return std::string(line);
}

void read_attribute(std::string_view line, WorktreeEntry& entry) {
  constexpr std::string_view kBranch = "branch refs/heads/";
  constexpr std::string_view kHead = "HEAD ";
  if (line.starts_with(kHead)) entry.head = line.substr(kHead.size());
  if (line.starts_with(kBranch)) entry.branch = std::string(line.substr(kBranch.size()));
  if (line == "bare") entry.is_bare = true;
  if (line == "locked" || line.starts_with("locked ")) entry.is_locked = true;
}

}  // namespace

std::vector<WorktreeEntry> parse_worktree_list(std::string_view output) {
  constexpr std::string_view kWorktree = "worktree ";
  std::vector<WorktreeEntry> entries;
  for (const std::string_view line : split(output, '\0')) {
    if (line.starts_with(kWorktree)) {
      entries.push_back({.path = line.substr(kWorktree.size())});
    } else if (!entries.empty()) {
      read_attribute(line, entries.back());
    }
  }
  return entries;
}

TreeStatus parse_status(std::string_view output) {
  TreeStatus status;
  const std::vector<std::string_view> lines = split(output, '\0');
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    if (line.size() < 3) continue;
    const auto code = [&] { return std::string(line.substr(2, 2)); };
    switch (line[0]) {
      case '1': status.changed.push_back({code(), after_fields(line, 8)}); break;
      case '2':
        status.changed.push_back({code(), after_fields(line, 9)});
        ++i;  // the old name follows as a line of its own
        break;
      case 'u': status.conflicted.push_back(after_fields(line, 10)); break;
      case '?': status.untracked.emplace_back(line.substr(2)); break;
      case '!': status.ignored.emplace_back(line.substr(2)); break;
      default: break;
    }
  }
  return status;
}

MergeTree parse_merge_tree(std::string_view output) {
  const std::vector<std::string_view> lines = split(output, '\0');
  MergeTree result;
  if (lines.empty()) return result;
  result.tree = lines.front();
  // "<mode> <blob> <stage>\t<path>", up to an empty one; messages follow.
  for (std::size_t i = 1; i < lines.size() && !lines[i].empty(); ++i) {
    const std::size_t tab = lines[i].find('\t');
    const std::vector<std::string_view> fields = split(lines[i].substr(0, tab), ' ');
    if (tab == std::string_view::npos || fields.size() != 3) continue;
    const std::string_view name = lines[i].substr(tab + 1);
    if (result.conflicts.empty() || result.conflicts.back().path != name) {
      result.conflicts.push_back({.path = std::string(name)});
    }
    if (fields[2] == "2") result.conflicts.back().ours = fields[1];
    if (fields[2] == "3") result.conflicts.back().theirs = fields[1];
  }
  return result;
}

Result<std::vector<WorktreeEntry>> list_worktrees(const Git& git) {
  std::vector<WorktreeEntry> entries =
      parse_worktree_list(TRY(git.ask({"worktree", "list", "--porcelain", "-z"})));
  if (entries.empty()) return fail(unusable_answer("worktree list", ""));  // there is always the main one
  return entries;
}

Result<HeadState> head_of(const Git& git) {
  constexpr std::string_view kHeads = "refs/heads/";
  const GitAnswer answer = TRY(git.run({"rev-parse", "HEAD", "--symbolic-full-name", "HEAD"}));
  const std::vector<std::string_view> lines = split(answer.output, '\n');
  if (!answer.ok() || lines.size() < 2) return HeadState{"", TRY(git.branch())};
  if (!is_object_id(lines[0])) return fail(unusable_answer("rev-parse", answer.output));
  HeadState head{.commit = std::string(lines[0]), .branch = std::nullopt};
  if (lines[1].starts_with(kHeads)) head.branch = std::string(lines[1].substr(kHeads.size()));
  return head;
}

Result<TreeStatus> status_of(const Git& git, Ignored ignored, GitAccess access) {
  std::vector<std::string> arguments = {"status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames"};
  if (ignored == Ignored::List) arguments.emplace_back("--ignored=matching");
  return parse_status(TRY(git.ask(std::move(arguments), {.access = access})));
}

Result<bool> is_ancestor(const Git& git, const std::string& ancestor, const std::string& descendant) {
  const std::vector<std::string> arguments = {"merge-base", "--is-ancestor", ancestor, descendant};
  const GitAnswer answer = TRY(git.run(arguments));
  if (answer.exit_code > 1) return fail(git_refusal(arguments, answer));
  return answer.ok();
}

ErrorKind remote_trouble(std::string_view said) {
  const std::string text = to_lower(said);
  const auto says = [&](auto... words) { return ((text.find(words) != std::string::npos) || ...); };
  if (says("permission denied", "authentication failed", "could not read username", "error: 401", "error: 403",
           "http 401", "http 403", "protected branch", "pre-receive hook declined", "gh auth login")) {
    return ErrorKind::Denied;
  }
  if (says("non-fast-forward", "fetch first", "stale info")) return ErrorKind::Conflict;
  if (says("could not resolve", "couldn't connect", "failed to connect", "connection refused",
           "connection timed out", "connection reset", "network is unreachable", "no route to host",
           "temporary failure", "early eof", "timed out", "i/o timeout", "tls handshake", "error connecting",
           "no such host", "unable to access", "could not read from remote", "hung up unexpectedly", "http 502",
           "http 503", "http 504")) {
    return ErrorKind::Unavailable;
  }
  return ErrorKind::Io;
}

std::vector<std::string> split_names(std::string_view output) {
  std::vector<std::string> names;
  for (const std::string_view name : split(output, '\0')) {
    if (!name.empty()) names.emplace_back(name);
  }
  return names;
}

std::string names_for_people(const std::vector<std::string>& names) {
  std::string text;
  const std::size_t shown = std::min(names.size(), kNamesShown);
  for (std::size_t i = 0; i < shown; ++i) text += (i > 0 ? ", " : "") + printable_line(names[i], 80);
  if (names.size() > shown) text += " and " + std::to_string(names.size() - shown) + " more";
  return text;
}

}  // namespace reprise
