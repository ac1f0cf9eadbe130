#include "executor/environment.h"

#include <algorithm>
#include <array>

#include "base/mask.h"
#include "base/strings.h"
#include "os/process.h"

namespace reprise {
namespace {

constexpr std::array<std::string_view, 18> kAllowed = {
    "PATH",     "HOME",      "USER",       "LOGNAME",       "SHELL",      "TERM",
    "LANG",     "TZ",        "TMPDIR",     "SSH_AUTH_SOCK", "http_proxy", "https_proxy",
    "no_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY",   "NO_PROXY",   "ALL_PROXY"};
constexpr std::array<std::string_view, 2> kAllowedPrefixes = {"LC_", "XDG_"};

constexpr std::array<std::string_view, 16> kLoaders = {
    "BASH_ENV",  "ENV",        "SHELLOPTS",         "BASHOPTS",   "IFS",      "NODE_OPTIONS",
    "NODE_PATH", "PYTHONPATH", "PYTHONSTARTUP",     "PYTHONHOME", "PERL5LIB", "PERL5OPT",
    "RUBYLIB",   "RUBYOPT",    "JAVA_TOOL_OPTIONS", "GCONV_PATH"};
constexpr std::array<std::string_view, 3> kLoaderPrefixes = {"LD_", "DYLD_", "BASH_FUNC_"};

constexpr std::array<std::string_view, 7> kSecretWords = {"KEY",    "TOKEN",      "SECRET", "PASSWORD",
                                                          "PASSWD", "CREDENTIAL", "AUTH"};

bool starts_with_any(std::string_view name, std::span<const std::string_view> prefixes) {
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool sounds_secret(std::string_view name) {
  if (name == "SSH_AUTH_SOCK") return false;
  return std::ranges::any_of(kSecretWords,
                             [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

void collect_variables(const std::vector<Stage>& stages, std::vector<std::string>& named) {
  for (const Stage& stage : stages) {
    named.insert(named.end(), stage.env.begin(), stage.env.end());
    collect_variables(stage.stages, named);
  }
}

}  // namespace

Environment parse_environment(std::span<const std::string> entries) {
  Environment environment;
  for (const std::string& entry : entries) {
    const std::size_t equals = entry.find('=');
    if (equals != std::string::npos && equals != 0)
      environment[entry.substr(0, equals)] = entry.substr(equals + 1);
  }
  return environment;
}

bool is_loader_variable(std::string_view name) {
  return std::ranges::find(kLoaders, name) != kLoaders.end() || starts_with_any(name, kLoaderPrefixes);
}

Environment worker_environment(const Environment& surrounding, std::span<const std::string> named) {
  Environment passed;
  for (const auto& [name, value] : surrounding) {
    const bool allowed = std::ranges::find(kAllowed, name) != kAllowed.end() ||
                         starts_with_any(name, kAllowedPrefixes) || std::ranges::find(named, name) != named.end();
    if (allowed && !is_loader_variable(name)) passed.emplace(name, value);
  }
  return passed;
}

Environment command_environment(const Environment& surrounding) {
  Environment passed = worker_environment(surrounding, {});
  passed.insert_or_assign(std::string(kTagVariable), std::string(kCommandTag));
  return passed;
}

std::vector<std::string> named_variables(const Config& config, const std::vector<Stage>& stages) {
  std::vector<std::string> named;
  if (config.default_worker) named = config.default_worker->env;
  for (const auto& [role, worker] : config.roles) named.insert(named.end(), worker.env.begin(), worker.env.end());
  collect_variables(stages, named);
  return named;
}

std::vector<std::string> secret_values(const Environment& surrounding, std::span<const std::string> named) {
  std::vector<std::string> secrets;
  for (const auto& [name, value] : surrounding) {
    const bool is_named = std::ranges::find(named, name) != named.end();
    if ((is_named || sounds_secret(name)) && value.size() >= kSecretBytesMin) secrets.push_back(value);
  }
  return secrets;
}

std::vector<std::string> to_entries(const Environment& environment) {
  std::vector<std::string> entries;
  entries.reserve(environment.size());
  for (const auto& [name, value] : environment) entries.push_back(name + "=" + value);
  return entries;
}

}  // namespace reprise
