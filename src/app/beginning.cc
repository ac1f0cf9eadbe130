#include "app/beginning.h"

#include <algorithm>

#include "app/archive.h"
#include "app/scan.h"
#include "app/systems.h"
#include "base/strings.h"
#include "formats/playbook.h"

namespace reprise {
namespace {

Error in_the_way(const Candidate& candidate, const std::string& why) {
  Error error{.kind = ErrorKind::Conflict,
              .message = candidate.id.text + " " + why + " (" + candidate.state_file + ")",
              .file = candidate.state_file};
  const std::string id = shell_quote(candidate.id.text);
  error.hints = {"reprise plan " + id, "reprise resume " + id, "reprise fresh " + id};
  return error;
}

// The notes of the newest run of this subject that was set aside, if it failed.
Result<std::vector<std::string>> notes_of_failed(App& app, const std::string& id, const std::string& file) {
  std::vector<std::string> notes;
  const std::vector<ArchiveEntry> all = TRY(archives(app));
  const auto newest = std::find_if(all.rbegin(), all.rend(),
                                   [&](const ArchiveEntry& entry) { return entry.id == id && !entry.restored; });
  if (newest == all.rend()) return notes;
  for (const std::string& path : newest->paths) {
    const Result<std::string> bytes = read_archived(app, *newest, path);
    if (!bytes) continue;
    const Result<PlaybookClaims> claims = read_playbook(*bytes, file);
    if (!claims || claims->status != PlaybookStatus::Failed) continue;
    for (const std::string_view line : split(claims->notes, '\n')) {
      if (!trim(line).empty()) notes.push_back("From the failed run before this one: " + std::string(trim(line)));
    }
  }
  return notes;
}

bool is_same_wish(const Candidate& candidate, const StartRequest& request) {
  const auto description = request.inputs.find("description");
  if (candidate.subject == request.subject) return true;
  return description != request.inputs.end() && !description->second.empty() &&
         is_about(description->second, candidate.subject, candidate.about);
}

}  // namespace

Result<Room> find_room(App& app, const std::string& workflow, const StartRequest& request) {
  Room room{.id = workflow + "/" + request.subject, .state_file = state_file_of(workflow, request.subject)};
  if (room.state_file.empty()) return room;
  if (request.subject.empty()) {
    return fail(
        Error{.kind = ErrorKind::Invalid, .message = workflow + " needs to know the feature: NNN-name"}.hint(
            "reprise run " + workflow + " 001-login --input description='what it is to do'"));
  }
  const ScanResult found = TRY(scan_found(app));
  for (const Candidate& candidate : found.candidates) {
    if (candidate.system != workflow) continue;
    const bool is_open = candidate.resumable || candidate.damaged;
    if (candidate.subject != request.subject &&
        !(workflow == "spec-loop" && is_open && is_same_wish(candidate, request)))
      continue;
    if (is_open) return fail(in_the_way(candidate, "is not finished and is not overwritten"));
    if (workflow == "spec-loop") return fail(in_the_way(candidate, "has ended and is not overwritten"));
    room.finished.push_back(candidate.state_file);
    room.finished.insert(room.finished.end(), candidate.other_files.begin(), candidate.other_files.end());
  }
  return room;
}

Result<std::vector<std::string>> make_room(App& app, const Room& room) {
  if (!room.finished.empty()) TRY(archive_paths(app, room.id, room.finished));
  if (!room.id.starts_with("playbook/")) return std::vector<std::string>();
  return notes_of_failed(app, room.id, room.state_file);
}

}  // namespace reprise
