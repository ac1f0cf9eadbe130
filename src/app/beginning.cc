#include "app/beginning.h"

#include <algorithm>

#include "app/archive.h"
#include "app/orchestrator_system.h"
#include "app/scan.h"
#include "app/story_files.h"
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

// What a run of a built-in workflow is called by.
Error needs_subject(const std::string& workflow) {
  const bool is_feature = workflow == "playbook" || workflow == "spec-loop";
  const std::string_view what = is_feature                                          ? "the feature: NNN-name"
                                : workflow == "task-pipeline"                       ? "its list: a new name"
                                : workflow == "epic" || workflow == "spec-pipeline" ? "its name"
                                                                                    : "the story: 4.2";
  const std::string_view example = is_feature                    ? "001-login"
                                   : workflow == "task-pipeline" ? "login"
                                   : workflow == "epic"          ? "5"
                                   : workflow == "spec-pipeline" ? "login"
                                                                 : "4.2";
  Error error{.kind = ErrorKind::Invalid, .message = workflow + " needs to know " + std::string(what)};
  return std::move(error).hint("reprise run " + workflow + " " + std::string(example) +
                               " --input description='what it is to do'");
}

// Whether the state of a finished run is a file of the workflow alone, which may be set aside: a story and what a
// spec pipeline made are the user's.
bool is_own_file(const std::string& workflow) { return workflow == "epic" || workflow == "qa-loop"; }

bool is_same_wish(const Candidate& candidate, const StartRequest& request) {
  const auto description = request.inputs.find("description");
  if (candidate.subject == request.subject) return true;
  return description != request.inputs.end() && !description->second.empty() &&
         is_about(description->second, candidate.subject, candidate.about);
}

}  // namespace

Result<Room> find_room(App& app, const std::string& workflow, const StartRequest& request) {
  Room room{.id = workflow + "/" + request.subject, .state_file = state_file_of(app, workflow, request.subject)};
  if (!may_have_state_file(workflow)) return room;
  if (request.subject.empty()) return fail(needs_subject(workflow));
  const ScanResult found = TRY(scan_found(app));
  for (const Candidate& candidate : found.candidates) {
    if (candidate.workflow != workflow) continue;
    const bool is_open = candidate.resumable || candidate.damaged;
    if (candidate.subject != request.subject &&
        !(workflow == "spec-loop" && is_open && is_same_wish(candidate, request)))
      continue;
    if (is_open) return fail(in_the_way(candidate, "is not finished and is not overwritten"));
    if (workflow == "spec-loop") return fail(in_the_way(candidate, "has ended and is not overwritten"));
    if (orchestrator_kind(workflow) && !is_own_file(workflow))
      return fail(in_the_way(candidate, "is done and is not done again"));
    room.finished.push_back(candidate.state_file);
    room.finished.insert(room.finished.end(), candidate.other_files.begin(), candidate.other_files.end());
  }
  const Result<std::optional<FileInfo>> info = app.files.stat(app.project / room.state_file);
  room.is_there = workflow == "story-cycle" && info && *info;
  return room;
}

Result<std::vector<std::string>> make_room(App& app, const Room& room) {
  if (!room.finished.empty()) TRY(archive_paths(app, room.id, room.finished));
  if (!room.id.starts_with("playbook/")) return std::vector<std::string>();
  return notes_of_failed(app, room.id, room.state_file);
}

Result<void> check_story(App& app, Journal& journal, const std::string& workflow, const std::string& story) {
  const bool is_review = workflow == "qa-loop";
  if (!is_review && workflow != "story-cycle") return {};
  if (is_review && find_story_file(app, story).empty()) {
    return fail(Error{.kind = ErrorKind::NotFound,
                      .message = "there is no story " + printable_line(story, 80) + " below " +
                                 std::string(kStoriesFolder) + " to review"}
                    .hint("reprise run story-cycle " + shell_quote(story)));
  }
  const std::string_view other = is_review ? "story-cycle" : "qa-loop";
  for (const RunEntry& entry : TRY(journal.runs())) {
    if (entry.archived || !entry.id.text.starts_with(std::string(other) + "/")) continue;
    const std::optional<Owner> owner = TRY(journal.owner(entry.id));
    if (!owner || !owner->alive) continue;
    if (story_key(TRY(journal.state(entry.id)).subject) == story_key(story))
      return fail(being_worked_on(entry.id, *owner));
  }
  return {};
}

Error being_worked_on(const RunId& run, const Owner& owner) {
  Error error{.kind = ErrorKind::Conflict,
              .message = "run " + run.text + " is being worked on, by process " + std::to_string(owner.pid) +
                         " on " + printable_line(owner.host, 80)};
  return std::move(error).hint("reprise attach " + shell_quote(run.text));
}

}  // namespace reprise
