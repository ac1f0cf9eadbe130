// Occupants, as /proc shows them.

#include "git/occupants.h"

#include <algorithm>
#include <optional>

#include "base/strings.h"
#include "git/path_look.h"
#include "os/file_system.h"
#include "os/machine.h"
#include "os/process_table.h"

namespace reprise {
namespace {

using std::filesystem::path;

constexpr std::size_t kOccupantsShown = 5;

std::optional<path> link_target(const path& link) {
  std::error_code error;
  path target = std::filesystem::read_symlink(link, error);
  if (error) return std::nullopt;
  constexpr std::string_view kDeleted = " (deleted)";
  std::string text = target.string();
  if (text.ends_with(kDeleted)) text.resize(text.size() - kDeleted.size());
  return text;
}

std::string program_of(int pid) {
  const Result<std::string> name = PosixFileSystem().read("/proc/" + std::to_string(pid) + "/comm", 4096);
  return name ? std::string(trim(*name)) : std::string();
}

// Calls `matches` with the current folder and every open file of `pid`, until it says yes.
template <typename Matches>
std::optional<std::string> find_place(int pid, Matches&& matches) {
  const path process = "/proc/" + std::to_string(pid);
  if (const std::optional<path> cwd = link_target(process / "cwd"); cwd && matches(*cwd)) return cwd->string();
  std::error_code error;
  std::filesystem::directory_iterator entry(process / "fd", error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    if (const std::optional<path> file = link_target(entry->path()); file && matches(*file)) return file->string();
  }
  return std::nullopt;
}

// Git's daemons live long, work in a repository, and keep no lock of it.
bool is_service(int pid) {
  const Result<std::string> line = PosixFileSystem().read("/proc/" + std::to_string(pid) + "/cmdline", 1u << 20);
  if (!line) return false;
  return std::ranges::any_of(split(*line, '\0'), [](std::string_view word) {
    return word == "fsmonitor--daemon" || word == "credential-cache--daemon" || word == "credential-cache";
  });
}

// A process of ours that does not let itself be looked at. One that is about to end has no folder any more, which
// is something else: it does nothing any more either.
bool is_hidden(int pid) {
  std::error_code error;
  static_cast<void>(std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/cwd", error));
  return error == std::errc::permission_denied || error == std::errc::operation_not_permitted;
}

}  // namespace

bool is_below(const path& place, const path& folder) {
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), place.begin(), place.end());
  return end == folder.end() || (std::next(end) == folder.end() && end->empty());
}

std::vector<Occupant> occupants_of(const path& folder) {
  std::vector<Occupant> found;
  for (const ProcessEntry& entry : list_processes()) {
    if (entry.has_ended()) continue;
    std::optional<std::string> place = find_place(entry.pid, [&](const path& at) { return is_below(at, folder); });
    if (place) found.push_back({.pid = entry.pid, .program = program_of(entry.pid), .place = std::move(*place)});
  }
  return found;
}

std::vector<Occupant> possible_owners(const path& lock, const LockScope& scope) {
  const auto is_in = [](const std::vector<path>& folders, const path& at) {
    return std::ranges::any_of(folders, [&](const path& folder) { return is_below(at, folder); });
  };
  std::vector<Occupant> found;
  for (const ProcessEntry& entry : list_processes()) {
    if (entry.has_ended() || user_of_process(entry.pid) != own_user()) continue;
    std::string program = program_of(entry.pid);
    const bool is_git = entry.pid != own_pid() && program.starts_with("git") && !is_service(entry.pid);
    const auto matches = [&](const path& at) {
      return at == lock || (is_git && is_in(scope.folders, at) && !is_in(scope.besides, at));
    };
    const std::optional<std::string> place = find_place(entry.pid, matches);
    if (!place && !(is_git && is_hidden(entry.pid))) continue;
    found.push_back({.pid = entry.pid, .program = std::move(program), .place = place.value_or("")});
  }
  return found;
}

std::string to_text(std::span<const Occupant> occupants) {
  std::string text;
  for (std::size_t i = 0; i < occupants.size() && i < kOccupantsShown; ++i) {
    if (i > 0) text += ", ";
    text += printable_line(occupants[i].program, 40) + " (" + std::to_string(occupants[i].pid) + ")";
  }
  if (occupants.size() > kOccupantsShown) text += " and more";
  return text;
}

}  // namespace reprise
