#include "app/orchestrator_locks.h"

#include <algorithm>

#include "app/orchestrator_states.h"
#include "base/chars.h"
#include "base/strings.h"
#include "formats/orchestrator_lock.h"
#include "os/process_table.h"

namespace reprise {
namespace {

constexpr std::string_view kEnding = ".lock";
constexpr long long kPidMax = 1LL << 30;

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Whether an id could go on beyond its end, or have begun before: "2.1" in "2.10", "2.1.3" and "12.1".
bool goes_on(std::string_view rest) {
  if (rest.empty()) return false;
  return is_word(rest[0]) || (rest[0] == '.' && rest.size() > 1 && is_digit(rest[1]));
}
bool has_begun(std::string_view before) {
  if (before.empty()) return false;
  const char last = before.back();
  return is_word(last) || (last == '.' && before.size() > 1 && is_digit(before[before.size() - 2]));
}

bool is_alive(const OrchestratorLock& lock, Timestamp now) {
  if (lock.pid <= 0 || lock.pid > kPidMax) return !is_expired(lock, now);
  const std::optional<ProcessEntry> process = find_process(static_cast<int>(lock.pid));
  return process && !process->has_ended();
}

}  // namespace

std::vector<LockSeen> read_orchestrator_locks(FoundFiles& files, Timestamp now) {
  std::vector<LockSeen> locks;
  for (const char* folder : {".aiox/locks", ".aios/locks"}) {
    for (const std::string& name : files.list(folder)) {
      if (!name.ends_with(kEnding)) continue;
      LockSeen seen;
      seen.path = std::string(folder) + "/" + name;
      const std::string_view stem = std::string_view(name).substr(0, name.size() - kEnding.size());
      const Result<FolderReader::File> file = files.read(seen.path);
      if (!file && file.error().kind == ErrorKind::NotFound) continue;
      const Result<OrchestratorLock> lock = file ? read_orchestrator_lock(file->bytes, stem) : fail(file.error());
      if (lock) {
        seen.lock = *lock;
      } else {
        seen.lock.name = stem;
        seen.lock.ttl_seconds = kLockSecondsDefault;
      }
      if (!seen.lock.created_at) seen.lock.created_at = files.time_of(seen.path);
      seen.alive = is_alive(seen.lock, now);
      locks.push_back(std::move(seen));
    }
  }
  return locks;
}

bool is_held(const LockSeen& lock, Timestamp now) { return lock.alive && !is_expired(lock.lock, now); }

bool mentions(std::string_view text, std::string_view id) {
  if (id.empty()) return false;
  const std::string where = to_lower(text);
  const std::string what = to_lower(id);
  for (std::size_t at = where.find(what); at != std::string::npos; at = where.find(what, at + 1)) {
    const std::string_view all = where;
    if (!has_begun(all.substr(0, at)) && !goes_on(all.substr(at + what.size()))) return true;
  }
  return false;
}

bool is_lock_on(const LockSeen& lock, const OrchestratorSnapshot& workflow) {
  const std::string& name = lock.lock.name;
  const std::string& resource = lock.lock.resource;
  const bool is_named = std::ranges::any_of(name + resource, is_digit) || !resource.empty();
  if (!is_named) return true;
  const auto names = [&](std::string_view id) { return mentions(name, id) || mentions(resource, id); };
  if (!workflow.state_file.empty() && resource.ends_with(workflow.state_file)) return true;
  // An epic's number alone may be anything's; the word makes it an epic's.
  const bool is_subject = workflow.kind == OrchestratorKind::Epic
                              ? names("epic-" + workflow.subject) || names("epic " + workflow.subject) ||
                                    names("epic_" + workflow.subject)
                              : names(workflow.subject);
  if (is_subject) return true;
  return std::ranges::any_of(stories_of(workflow), [&](const std::string& id) { return names(story_key(id)); });
}

}  // namespace reprise
