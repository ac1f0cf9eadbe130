#include "app/orchestrator_history.h"

#include <algorithm>

#include "base/strings.h"
#include "git/git_output.h"

namespace reprise {
namespace {

constexpr Duration kPatience{20'000};
constexpr char kHeader = '\x01';  // begins what is said of a commit, which no path does

// A list of commits with the files that each changed, as `git log -z --name-only` prints it.
struct LoggedCommit {
  FileCommit commit;
  std::vector<std::string> paths;
};

std::vector<LoggedCommit> parse_log(std::string_view output) {
  std::vector<LoggedCommit> commits;
  for (std::string_view part : split(output, '\0')) {
    if (part.starts_with('\n')) part.remove_prefix(1);
    if (part.starts_with(kHeader)) {
      const std::size_t space = std::min(part.find(' '), part.size());
      const std::string_view author = part.substr(std::min(space + 1, part.size()));
      commits.push_back({{std::string(part.substr(1, space - 1)), std::string(author)}, {}});
    } else if (!part.empty() && !commits.empty()) {
      commits.back().paths.emplace_back(part);
    }
  }
  return commits;
}

std::vector<std::string> log_of_files(std::string limit) {
  return {"log",
          "-z",
          "--name-only",
          "--format=%x01%h %an",
          "--no-renames",
          "--no-color",
          "--no-show-signature",
          "--no-ext-diff",
          "--no-textconv",
          std::move(limit)};
}

// One answer of `git cat-file --batch`: its content, nothing if the object is missing. `rest` is what follows.
std::optional<std::string> next_object(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  if (end == std::string_view::npos) {
    rest = {};
    return std::nullopt;
  }
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  const std::vector<std::string_view> words = split(line, ' ');
  const bool is_blob = words.size() == 3 && words[1] == "blob";
  const std::optional<long long> size =
      words.size() == 3 ? parse_number(words[2], static_cast<long long>(rest.size())) : std::nullopt;
  if (!size) return std::nullopt;
  std::string content(rest.substr(0, static_cast<std::size_t>(*size)));
  rest.remove_prefix(std::min(static_cast<std::size_t>(*size) + 1, rest.size()));
  if (!is_blob) return std::nullopt;
  return content;
}

}  // namespace

std::optional<OrchestratorHistory> OrchestratorHistory::open(App& app) {
  Result<Git> git = Git::open(app.project);
  if (!git || git->is_bare()) return std::nullopt;
  const std::string below = app.project.lexically_relative(git->top()).string();
  if (below.empty() || below.starts_with("..")) return std::nullopt;
  return OrchestratorHistory(std::move(*git), below == "." ? "" : below + "/");
}

std::string OrchestratorHistory::in_project(const std::string& path) const {
  return path.starts_with(prefix_) ? path.substr(prefix_.size()) : path;
}

std::optional<std::string> OrchestratorHistory::ask(std::vector<std::string> arguments,
                                                    const std::vector<std::string>& paths,
                                                    const std::string& input) const {
  if (!paths.empty()) arguments.emplace_back("--");
  for (const std::string& path : paths) arguments.push_back(in_repository(path));
  const GitOptions options{.input = input, .environment = {"GIT_LITERAL_PATHSPECS=1"}, .timeout = kPatience};
  Result<GitAnswer> answer = git_.run(std::move(arguments), options);
  if (!answer || !answer->ok()) return std::nullopt;
  return std::move(answer->output);
}

std::map<std::string, std::string> OrchestratorHistory::versions_at(Timestamp time,
                                                                    const std::vector<std::string>& paths) const {
  std::vector<std::string> asked;
  std::string objects;
  for (const std::string& path : paths) {
    if (path.find('\n') != std::string::npos) continue;
    const std::optional<std::string> commit = ask(
        {"log", "-1", "--format=%H", "--no-color", "--no-show-signature", "--before=" + to_text(time)}, {path});
    if (!commit || trim(*commit).empty()) continue;
    asked.push_back(path);
    objects += std::string(trim(*commit)) + ":" + in_repository(path) + "\n";
  }
  std::map<std::string, std::string> versions;
  if (asked.empty()) return versions;
  const std::optional<std::string> output = ask({"cat-file", "--batch"}, {}, objects);
  if (!output) return versions;
  std::string_view rest = *output;
  for (const std::string& path : asked) {
    if (std::optional<std::string> content = next_object(rest)) versions.emplace(path, std::move(*content));
  }
  return versions;
}

std::map<std::string, FileCommit> OrchestratorHistory::changed_since(Timestamp time,
                                                                     const std::vector<std::string>& paths,
                                                                     const std::string& own) const {
  std::map<std::string, FileCommit> changed;
  if (paths.empty()) return changed;
  // Git's times have whole seconds: what was committed in the same one is not later.
  const Timestamp later = time + std::chrono::seconds(1);
  std::vector<std::string> asked = paths;
  if (!own.empty()) asked.push_back(own);
  const std::optional<std::string> output = ask(log_of_files("--since=" + to_text(later)), asked);
  if (!output) return changed;
  for (const LoggedCommit& each : parse_log(*output)) {
    const bool is_own = !own.empty() && std::ranges::find(each.paths, in_repository(own)) != each.paths.end();
    if (is_own) continue;
    for (const std::string& path : each.paths) changed.emplace(in_project(path), each.commit);
  }
  return changed;
}

std::set<std::string> OrchestratorHistory::removed_until(Timestamp time,
                                                         const std::vector<std::string>& paths) const {
  std::set<std::string> removed;
  if (paths.empty()) return removed;
  std::vector<std::string> arguments = log_of_files("--before=" + to_text(time));
  arguments.emplace_back("--diff-filter=D");
  const std::optional<std::string> output = ask(std::move(arguments), paths);
  if (!output) return removed;
  for (const LoggedCommit& each : parse_log(*output)) {
    for (const std::string& path : each.paths) removed.insert(in_project(path));
  }
  return removed;
}

std::set<std::string> OrchestratorHistory::committed(const std::vector<std::string>& paths) const {
  std::set<std::string> same;
  if (paths.empty()) return same;
  const std::optional<std::string> tracked = ask({"ls-files", "-z", "--full-name"}, paths);
  const std::optional<std::string> status =
      ask({"status", "--porcelain=v2", "-z", "--untracked-files=no", "--no-renames"}, paths);
  if (!tracked || !status) return same;
  for (const std::string& path : split_names(*tracked)) same.insert(in_project(path));
  const TreeStatus changes = parse_status(*status);
  for (const StatusEntry& entry : changes.changed) same.erase(in_project(entry.path));
  for (const std::string& path : changes.conflicted) same.erase(in_project(path));
  return same;
}

}  // namespace reprise
