#include "formats/value_names.h"

#include <algorithm>
#include <array>

namespace reprise {
namespace {

constexpr std::array<std::string_view, 17> kInterpreterNames = {
    "BASH_ENV", "BASHOPTS",          "CLASSPATH",    "ENV",     "GCONV_PATH",   "GLIBC_TUNABLES",
    "IFS",      "JAVA_TOOL_OPTIONS", "LOCPATH",      "NLSPATH", "NODE_PATH",    "PROMPT_COMMAND",
    "PS4",      "SHELLOPTS",         "NODE_OPTIONS", "ZDOTDIR", "_JAVA_OPTIONS"};
constexpr std::array<std::string_view, 9> kInterpreterPrefixes = {
    "LD_", "DYLD_", "REPRISE_", "PYTHON", "PERL", "RUBY", "BASH_FUNC_", "MALLOC_", "LUA_"};
constexpr std::array<std::string_view, 28> kEnvironmentNames = {
    "PATH",        "HOME",       "USER",        "LOGNAME",   "SHELL",     "TERM",      "LANG",
    "TZ",          "TMPDIR",     "PWD",         "OLDPWD",    "CDPATH",    "EDITOR",    "VISUAL",
    "PAGER",       "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY",  "ALL_PROXY", "FTP_PROXY", "http_proxy",
    "https_proxy", "no_proxy",   "all_proxy",   "ftp_proxy", "RANDOM",    "UID",       "EUID"};
constexpr std::array<std::string_view, 4> kEnvironmentPrefixes = {"LC_", "XDG_", "GIT_", "SSH_"};
constexpr std::array<std::string_view, 3> kOwnValues = {"subject", "run", "iteration"};

bool starts_with_one_of(std::string_view name, auto& prefixes) {
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool is_identifier_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

}  // namespace

bool is_identifier(std::string_view text) {
  return !text.empty() && text.size() <= 64 && is_identifier_start(text[0]) &&
         std::ranges::all_of(text, [](char c) { return is_identifier_start(c) || (c >= '0' && c <= '9'); });
}

bool is_reserved_value_name(std::string_view name) {
  return never_passes(name) || std::ranges::find(kOwnValues, name) != kOwnValues.end() ||
         std::ranges::find(kEnvironmentNames, name) != kEnvironmentNames.end() ||
         starts_with_one_of(name, kEnvironmentPrefixes);
}

bool never_passes(std::string_view name) {
  return std::ranges::find(kInterpreterNames, name) != kInterpreterNames.end() ||
         starts_with_one_of(name, kInterpreterPrefixes);
}

std::vector<std::string_view> placeholders_in(std::string_view text) {
  std::vector<std::string_view> names;
  for (std::size_t open = text.find('{'); open != std::string_view::npos; open = text.find('{', open + 1)) {
    const std::size_t close = text.find_first_of("{}", open + 1);
    if (close == std::string_view::npos) break;
    const bool doubled = open > 0 && text[open - 1] == '{';
    const std::string_view name = text.substr(open + 1, close - open - 1);
    if (text[close] == '}' && !doubled && is_identifier(name)) names.push_back(name);
  }
  return names;
}

}  // namespace reprise
