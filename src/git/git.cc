// How git is called: its arguments, its environment, and what its answers mean.

#include "git/git.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <set>

#include "base/strings.h"
#include "git/git_pipes.h"
#include "os/process.h"

namespace reprise {
namespace {

constexpr std::size_t kOutputBytesMax = 256u << 20;
constexpr Duration kReadTimeout{600'000};  // a command that reads never takes for ever

constexpr std::array<std::string_view, 15> kSettings = {
    "core.hooksPath=/dev/null",  "core.fsmonitor=false",
    "core.untrackedCache=false", "core.fsync=committed,reference,index",
    "core.fsyncMethod=fsync",    "core.quotePath=false",
    "core.longPaths=true",       "gc.auto=0",
    "maintenance.auto=false",    "commit.gpgSign=false",
    "tag.gpgSign=false",         "push.gpgSign=false",
    "submodule.recurse=false",   "advice.detachedHead=false",
    "log.showSignature=false",
};

// Nothing is fetched: neither a missing object of a partial clone nor anything over any transport. The list
// of protocols names one that does not exist: an empty list would allow the protocol "".
constexpr std::array<std::string_view, 3> kReadSurroundings = {"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none",
                                                               "GIT_SSH_COMMAND=false"};
// Keeps a comparison in this repository and in this process: a submodule has settings of its own, which may name
// programs too.
constexpr std::string_view kOwnTreeOnly = "--ignore-submodules=dirty";

constexpr std::array<std::string_view, 7> kSurroundings = {
    "GIT_TERMINAL_PROMPT=0", "GIT_PAGER=cat",    "GIT_EDITOR=false", "GIT_MERGE_AUTOEDIT=no",
    "GIT_ASKPASS=true",      "SSH_ASKPASS=true", "LC_ALL=C",
};

bool is_one_of(std::string_view command, std::initializer_list<std::string_view> commands) {
  return std::ranges::find(commands, command) != commands.end();
}

bool is_passed_on(std::string_view variable) {
  // Where the user's own configuration is may be said; where a repository is may not.
  if (variable.starts_with("GIT_CONFIG_GLOBAL=") || variable.starts_with("GIT_CONFIG_SYSTEM=") ||
      variable.starts_with("GIT_CONFIG_NOSYSTEM=") || variable.starts_with("GIT_SSH")) {
    return true;
  }
  return !variable.starts_with("GIT_") && !variable.starts_with("LC_") && !variable.starts_with("LANGUAGE=");
}

// Drops the entries of PATH that mean a folder of the repository, in which git is started: a file called "git"
// there is not git. Without PATH, the usual folders are searched.
void keep_absolute_path(std::vector<std::string>& environment) {
  constexpr std::string_view kPath = "PATH=";
  const auto path = std::ranges::find_if(environment, [&](const auto& each) { return each.starts_with(kPath); });
  if (path == environment.end()) return;
  std::string kept;
  for (const std::string_view entry : split(std::string_view(*path).substr(kPath.size()), ':')) {
    if (entry.starts_with('/')) kept.append(kept.empty() ? "" : ":").append(entry);
  }
  if (kept.empty()) {
    environment.erase(path);
  } else {
    *path = std::string(kPath) + kept;
  }
}

std::vector<std::string> make_environment(const GitOptions& options) {
  std::vector<std::string> environment;
  for (std::string& variable : current_environment()) {
    if (is_passed_on(variable)) environment.push_back(std::move(variable));
  }
  keep_absolute_path(environment);
  environment.insert(environment.end(), kSurroundings.begin(), kSurroundings.end());
  if (options.access != GitAccess::Change) environment.emplace_back("GIT_OPTIONAL_LOCKS=0");
  if (options.access == GitAccess::Read) {
    std::erase_if(environment, [](const std::string& each) { return each.starts_with("GIT_SSH"); });
    environment.insert(environment.end(), kReadSurroundings.begin(), kReadSurroundings.end());
  }
  environment.insert(environment.end(), options.environment.begin(), options.environment.end());
  mark_as_command(environment);  // filters, merge drivers and hooks may be a worker's
  return environment;
}

std::vector<std::string> make_argv(std::vector<std::string> arguments) {
  std::vector<std::string> argv = {"git", "--no-pager"};
  for (const std::string_view setting : kSettings) {
    argv.emplace_back("-c");
    argv.emplace_back(setting);
  }
  argv.insert(argv.end(), std::make_move_iterator(arguments.begin()), std::make_move_iterator(arguments.end()));
  return argv;
}

void drop_newlines(std::string& text) {
  while (text.ends_with('\n')) text.pop_back();
}

// Of a file that it cannot write, git does not always say why.
bool is_space_missing(std::string_view said, const std::filesystem::path& folder) {
  const auto says = [&](std::string_view words) { return said.find(words) != std::string_view::npos; };
  if (says("No space left on device") || says("Disk quota exceeded")) return true;
  return (says("unable to write") || says("unable to create")) && is_file_system_full(folder);
}

Result<GitAnswer> start(const std::filesystem::path& folder, std::vector<std::string> arguments,
                        const GitOptions& options) {
  const std::string what = "git " + (arguments.empty() ? std::string() : arguments.front());
  std::optional<std::filesystem::path> pipe;
  CaptureRequest request{.argv = make_argv(std::move(arguments)),
                         .environment = make_environment(options),
                         .directory = folder.string(),
                         .input = options.input,
                         .timeout = options.timeout,
                         .is_stuck = {},
                         .output_bytes_max = kOutputBytesMax,
                         .held_fd = options.held_fd};
  if (options.access == GitAccess::Read) {
    if (!request.timeout) request.timeout = kReadTimeout;
    request.is_stuck = [&] { return (pipe = find_pipe_of_git(folder)).has_value(); };
  }
  Captured captured = TRY(run_captured(request));
  if (captured.timed_out && pipe) {
    return fail(Error{.kind = ErrorKind::Unavailable,
                      .message = what + " waits for a named pipe where it reads a file: " + pipe->string(),
                      .file = pipe->string()}
                    .hint("rm " + shell_quote(pipe->string())));
  }
  if (captured.timed_out)
    return fail(Error{ErrorKind::Unavailable, what + " did not end in time and was stopped"});
  if (!captured.exit_code) {
    return fail(Error{ErrorKind::Io, what + " was killed by signal " + std::to_string(captured.signal)});
  }
  if (captured.is_cut) return fail(Error{ErrorKind::Io, what + " printed more than can be read"});
  drop_newlines(captured.errors);
  GitAnswer answer{*captured.exit_code, std::move(captured.output), std::move(captured.errors)};
  if (!answer.ok() && is_space_missing(answer.errors, folder)) answer.full = folder.string();
  return answer;
}

// Adds the settings that switch every configured filter off. By environment: the name of a filter may hold a "=",
// at which -c would end the key.
void switch_off_filters(std::string_view names, std::vector<std::string>& environment) {
  std::set<std::string> filters;
  for (const std::string_view name : split(names, '\0')) {
    if (!name.empty()) filters.emplace(name.substr(0, name.rfind('.')));
  }
  std::size_t count = 0;
  for (const std::string& filter : filters) {
    for (const char* setting : {".clean=", ".smudge=", ".process=", ".required=false"}) {
      const std::string_view each(setting);
      const std::size_t equals = each.find('=');
      const std::string number = std::to_string(count++);
      environment.push_back("GIT_CONFIG_KEY_" + number + "=" + filter + std::string(each.substr(0, equals)));
      environment.push_back("GIT_CONFIG_VALUE_" + number + "=" + std::string(each.substr(equals + 1)));
    }
  }
  if (count > 0) environment.push_back("GIT_CONFIG_COUNT=" + std::to_string(count));
}

// The one place where git is started for reading.
Result<GitAnswer> read(const std::filesystem::path& folder, std::vector<std::string> arguments,
                       GitOptions options) {
  const std::string command = arguments.empty() ? std::string() : arguments.front();
  if (is_one_of(command, {"diff", "log", "show"})) {
    arguments.insert(arguments.begin() + 1, {"--no-ext-diff", "--no-textconv", "--submodule=short"});
  }
  if (is_one_of(command, {"diff", "status"})) arguments.insert(arguments.begin() + 1, std::string(kOwnTreeOnly));
  // These look at objects and references alone. Everything else may open files of the worktree.
  if (!is_one_of(command, {"rev-parse", "symbolic-ref", "config", "for-each-ref", "worktree", "merge-base",
                           "rev-list", "diff-tree", "log", "show"})) {
    const GitAnswer names =
        TRY(start(folder, {"config", "-z", "--name-only", "--get-regexp", "^filter\\."}, options));
    if (names.exit_code > 1) return fail(git_refusal({"config"}, names));
    switch_off_filters(names.output, options.environment);
  }
  return start(folder, std::move(arguments), options);
}

Result<GitAnswer> call(const std::filesystem::path& folder, std::vector<std::string> arguments,
                       const GitOptions& options) {
  if (options.access == GitAccess::Read) return read(folder, std::move(arguments), options);
  return start(folder, std::move(arguments), options);
}

bool is_name_part(std::string_view part) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
  };
  return !part.empty() && std::ranges::all_of(part, is_allowed) && part.front() != '-' && part.front() != '.' &&
         part.back() != '.' && !part.ends_with(".lock") && part.find("..") == std::string_view::npos;
}

}  // namespace

Result<Git> Git::open(const std::filesystem::path& folder) {
  const GitAnswer answer = TRY(call(folder,
                                    {"rev-parse", "--path-format=absolute", "--git-common-dir", "--git-dir",
                                     "--is-bare-repository", "--show-toplevel"},
                                    {}));
  const std::vector<std::string_view> lines = split(answer.output, '\n');
  const bool is_bare = lines.size() >= 3 && lines[2] == "true";
  if (lines.size() < 3 || (!answer.ok() && !is_bare) || (!is_bare && lines.size() < 4)) {
    return fail(Error{ErrorKind::NotFound, folder.string() + ": not in a git repository (" + answer.errors + ")"});
  }
  return Git(is_bare ? std::filesystem::path() : std::filesystem::path(lines[3]), lines[1], lines[0]);
}

Result<GitAnswer> Git::run(std::vector<std::string> arguments, const GitOptions& options) const {
  return call(is_bare() ? git_dir_ : top_, std::move(arguments), options);
}

Result<std::string> Git::ask(std::vector<std::string> arguments, const GitOptions& options) const {
  GitAnswer answer = TRY(run(arguments, options));
  if (!answer.ok()) return fail(git_refusal(arguments, answer));
  drop_newlines(answer.output);
  return std::move(answer.output);
}

Result<std::optional<std::string>> Git::commit_of(std::string_view name) const {
  GitAnswer answer =
      TRY(run({"rev-parse", "--verify", "--quiet", "--end-of-options", std::string(name) + "^{commit}"}));
  if (!answer.ok()) return std::nullopt;
  drop_newlines(answer.output);
  if (!is_object_id(answer.output)) return fail(unusable_answer("rev-parse", answer.output));
  return answer.output;
}

Result<std::optional<std::string>> Git::branch() const {
  GitAnswer answer = TRY(run({"symbolic-ref", "--quiet", "HEAD"}));
  constexpr std::string_view kHeads = "refs/heads/";
  drop_newlines(answer.output);
  if (!answer.ok()) return std::nullopt;
  if (answer.output.empty()) return fail(unusable_answer("symbolic-ref", answer.output));
  if (!answer.output.starts_with(kHeads)) return std::nullopt;
  return answer.output.substr(kHeads.size());
}

Result<std::optional<std::string>> Git::config(const std::string& name) const {
  GitAnswer answer = TRY(run({"config", "--get", name}));
  if (!answer.ok()) return std::nullopt;
  drop_newlines(answer.output);
  return answer.output;
}

bool is_storage_trouble(std::string_view said) {
  return std::ranges::any_of(std::initializer_list<std::string_view>{"No space left on device",
                                                                     "Disk quota exceeded", "Input/output error"},
                             [&](std::string_view words) { return said.find(words) != std::string_view::npos; });
}

Error git_refusal(const std::vector<std::string>& arguments, const GitAnswer& answer) {
  const std::string what = "git " + (arguments.empty() ? std::string() : arguments.front());
  const std::string said = answer.errors.empty() ? "exit code " + std::to_string(answer.exit_code) : answer.errors;
  if (!answer.full.empty()) return no_space_in(answer.full, what + ": " + said);
  return Error{ErrorKind::Io, what + ": " + said};
}

bool is_object_id(std::string_view text) {
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return (text.size() == 40 || text.size() == 64) && std::ranges::all_of(text, is_hex);
}

Error unusable_answer(std::string_view command, std::string_view output) {
  return Error{ErrorKind::Io,
               "git " + std::string(command) +
                   (output.empty() ? " reported success and printed nothing"
                                   : " printed something else than expected: " + printable_line(output, 80))};
}

bool is_branch_name(std::string_view name) {
  if (name.empty() || name.size() > 200 || name == "HEAD") return false;
  while (true) {
    const std::size_t slash = name.find('/');
    if (!is_name_part(name.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    name.remove_prefix(slash + 1);
  }
}

}  // namespace reprise
