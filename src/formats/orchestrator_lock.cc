#include "formats/orchestrator_lock.h"

#include "base/strings.h"
#include "formats/orchestrator_words.h"
#include "formats/state_file.h"
#include "text/document.h"

namespace reprise {
namespace {

constexpr long long kPidMax = 1LL << 31;

Error not_a_lock(std::string_view name, ErrorKind kind) {
  return {
      .kind = kind, .message = "is not a lock: it does not say which process holds it", .file = std::string(name)};
}

}  // namespace

Result<OrchestratorLock> read_orchestrator_lock(std::string_view bytes, std::string_view name) {
  if (std::optional<Error> damage = find_damage(bytes, name)) return fail(std::move(*damage));
  OrchestratorLock lock;
  lock.name = name;
  lock.ttl_seconds = kLockSecondsDefault;
  const std::string_view text = trim(bytes.substr(text_start(bytes)));
  if (text.empty()) return lock;
  if (const std::optional<long long> pid = parse_number(text, kPidMax)) {
    lock.pid = *pid;
    return lock;
  }
  const StateTree tree = TRY(read_state_tree(bytes, name));
  std::vector<Oddity> ignored;
  StateReader read(ignored);
  const std::optional<long long> pid = read.number(tree.root.find({"pid", "process_id", "process"}));
  if (!pid || *pid > kPidMax)
    return fail(not_a_lock(name, tree.damaged ? ErrorKind::Corrupt : ErrorKind::Invalid));
  lock.pid = *pid;
  lock.owner = read.text(tree.root.find({"owner", "agent"}));
  lock.resource = read.text(tree.root.find("resource"));
  const std::optional<ClaimedTime> at = read.time(tree.root.find({"created_at", "timestamp", "acquired_at"}));
  if (at) lock.created_at = at->time;
  lock.ttl_seconds = read.number(tree.root.find({"ttl_seconds", "ttl"})).value_or(kLockSecondsDefault);
  return lock;
}

bool is_expired(const OrchestratorLock& lock, Timestamp now) {
  constexpr long long kSecondsMax = 1'000'000'000;
  if (!lock.created_at) return false;
  const long long seconds = lock.ttl_seconds < kSecondsMax ? lock.ttl_seconds : kSecondsMax;
  return now - *lock.created_at > Duration(seconds * 1000);
}

}  // namespace reprise
