// Pull requests through `gh`: asked for, pushed, created, and asked for again.

#include <boost/json.hpp>

#include "base/strings.h"
#include "lanes/forge.h"
#include "os/process.h"

namespace reprise {
namespace {

constexpr Duration kForgeTimeout = std::chrono::minutes(5);
constexpr int kLoginNeeded = 4;  // gh's exit code for it

std::vector<std::string> forge_environment() {
  std::vector<std::string> environment = current_environment();
  for (const char* variable : {"GH_PROMPT_DISABLED=1", "GH_NO_UPDATE_NOTIFIER=1", "NO_COLOR=1", "GH_PAGER=cat"}) {
    environment.emplace_back(variable);
  }
  mark_as_command(environment);
  return environment;
}

Error forge_error(const std::string& command, const Captured& captured) {
  const std::string said(trim(captured.errors.empty() ? captured.output : captured.errors));
  if (captured.timed_out) return Error{ErrorKind::Unavailable, command + ": did not answer in time"};
  if (captured.exit_code == kLoginNeeded) {
    return Error{ErrorKind::Denied, command + ": " + printable(said)}.hint("gh auth login");
  }
  const ErrorKind kind = remote_trouble(said);
  return Error{kind == ErrorKind::Io ? ErrorKind::Denied : kind, command + ": " + printable(said)};
}

}  // namespace

Result<std::string> first_address(const std::string& output) {
  boost::system::error_code error;
  const boost::json::value list = boost::json::parse(output, error);
  const boost::json::array* entries = error ? nullptr : list.if_array();
  if (entries == nullptr)
    return fail(ErrorKind::Invalid, "gh pr list: not a list: " + printable_line(output, 200));
  if (entries->empty()) return std::string();
  const boost::json::object* entry = entries->front().if_object();
  const boost::json::value* url = entry == nullptr ? nullptr : entry->if_contains("url");
  if (url == nullptr || !url->is_string()) {
    return fail(ErrorKind::Invalid, "gh pr list: without an address: " + printable_line(output, 200));
  }
  return std::string(url->get_string());
}

Result<std::string> GhForge::call(std::vector<std::string> arguments, const std::string& input) const {
  arguments.insert(arguments.begin(), program_);
  const CaptureRequest request{.argv = arguments,
                               .environment = forge_environment(),
                               .directory = git_.is_bare() ? git_.git_dir().string() : git_.top().string(),
                               .input = input,
                               .timeout = kForgeTimeout};
  const std::string command = shell_command(arguments);
  Result<Captured> captured = run_captured(request);
  if (!captured) return fail(std::move(captured.error()).within(command));
  if (captured->exit_code != 0) return fail(forge_error(command, *captured));
  return std::string(trim(captured->output));
}

Result<std::string> GhForge::find(const PublishRequest& request) const {
  return first_address(TRY(call(
      {"pr", "list", "--head", request.branch, "--base", request.base, "--state", "open", "--json", "url,number"},
      "")));
}

Result<Published> GhForge::open(const PublishRequest& request) {
  if (!is_branch_name(request.branch) || !is_branch_name(request.base)) {
    return fail(ErrorKind::Invalid,
                "not branch names that can be used: " + printable_line(request.branch + ", " + request.base, 200));
  }
  std::string found = TRY(find(request));
  TRY_VOID(ensure_push(git_, {.remote = request.remote, .branch = request.branch, .commit = request.head}));
  if (!found.empty()) return Published{.place = std::move(found), .was_there = true};
  TRY_VOID(call({"pr", "create", "--head", request.branch, "--base", request.base, "--title", request.title,
                 "--body-file", "-"},
                request.body.empty() ? request.title + "\n" : request.body));
  found = TRY(find(request));
  if (found.empty()) {
    return fail(ErrorKind::Unavailable, "gh pr create: said that it made a pull request for " + request.branch +
                                            ", but the forge does not list one");
  }
  return Published{.place = std::move(found)};
}

}  // namespace reprise
