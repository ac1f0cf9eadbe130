#include "guard/worker_log.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/strings.h"
#include "guard/worker_tree.h"
#include "os/file_system.h"
#include "os/io.h"
#include "os/machine.h"
#include "os/process.h"

namespace reprise {
namespace {

constexpr std::size_t kLogBytesMax = 64u << 20;

struct Recorded {
  int pid = 0;
  std::uint64_t start = 0;
  int session = 0;
};

std::vector<Recorded> read_records(const std::filesystem::path& path, const std::string& boot) {
  std::vector<Recorded> records;
  const Result<std::string> text = PosixFileSystem().read(path, kLogBytesMax);
  if (!text) return records;
  for (const std::string_view line : split(*text, '\n')) {
    const std::vector<std::string_view> words = split(line, ' ');
    if (words.size() != 4 || words[3] != boot) continue;  // torn, or of another boot
    const auto pid = parse_number(words[0], INT32_MAX);
    const auto start = parse_number(words[1], INT64_MAX);
    const auto session = parse_number(words[2], INT32_MAX);
    if (!pid || !start || !session) continue;
    records.push_back({static_cast<int>(*pid), static_cast<std::uint64_t>(*start), static_cast<int>(*session)});
  }
  return records;
}

// Whether `entry` was started by the guard of `record` or by something of it. The kernel does not give a number
// away again while it names a group or a session with members, so a member that is not older than the record
// belongs to it, unless a living stranger has the number now.
bool belongs_to(const ProcessEntry& entry, const Recorded& record, const std::map<int, std::uint64_t>& starts) {
  if (entry.pid == record.pid) return entry.start == record.start;
  if (entry.start < record.start || (entry.group != record.pid && entry.session != record.session)) return false;
  const auto leader = starts.find(record.pid);
  if (entry.group == record.pid) return leader == starts.end() || leader->second == record.start;
  return !starts.contains(record.session);  // the guard is dead: it was its session's leader
}

}  // namespace

Result<void> WorkerLog::add(int pid) {
  const ProcessId id = TRY(identify(pid));
  const std::string line =
      std::to_string(pid) + " " + id.start + " " + std::to_string(own_pid()) + " " + id.boot + "\n";
  const Fd fd = TRY(open_for_append(path_));
  // On a line of its own, also after one that was torn.
  return write_all(fd.get(), "\n" + line, path_.string());
}

std::vector<ProcessEntry> WorkerLog::find_survivors(const std::vector<ProcessEntry>& all,
                                                    const std::string& tag) const {
  const Result<ProcessId> self = identify_self();
  const std::vector<Recorded> records = self ? read_records(path_, self->boot) : std::vector<Recorded>();
  std::map<int, std::uint64_t> starts;
  for (const ProcessEntry& entry : all) starts.emplace(entry.pid, entry.start);
  std::set<int> ours = {own_pid()};
  for (const ProcessEntry& entry : descendants_of(own_pid(), all)) ours.insert(entry.pid);
  std::map<int, ProcessEntry> found;
  const auto add = [&](const ProcessEntry& entry) {
    if (!ours.contains(entry.pid) && !entry.has_ended()) found.emplace(entry.pid, entry);
  };
  for (const ProcessEntry& entry : all) {
    const bool is_recorded =
        std::ranges::any_of(records, [&](const Recorded& record) { return belongs_to(entry, record, starts); });
    if (!is_recorded && !environment_value(entry.pid, kTagVariable).value_or("").starts_with(tag + "/")) continue;
    add(entry);
    if (ours.contains(entry.pid)) continue;
    for (const ProcessEntry& below : descendants_of(entry.pid, all)) add(below);
  }
  std::vector<ProcessEntry> survivors;
  for (const auto& [pid, entry] : found) survivors.push_back(entry);
  return survivors;
}

void WorkerLog::clear() { static_cast<void>(PosixFileSystem().remove(path_)); }

}  // namespace reprise
