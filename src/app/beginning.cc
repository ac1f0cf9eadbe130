#include "app/beginning.h"

#include <algorithm>

#include "app/archive.h"
#include "app/lane_definition.h"
#include "app/lane_files.h"
#include "app/orchestrator_system.h"
#include "app/project_files.h"
#include "app/scan.h"
#include "app/story_files.h"
#include "app/systems.h"
#include "base/strings.h"
#include "formats/playbook.h"
#include "formats/story.h"
#include "os/shared_file.h"

namespace reprise {
namespace {

Error in_the_way(const Candidate& candidate, const std::string& why) {
  Error error{.kind = ErrorKind::Conflict,
              .message = candidate.id.shown() + " " + why + " (" + candidate.state_file + ")",
              .file = candidate.state_file};
  const std::string id = shell_quote(candidate.id.shown());
  error.hints = {"reprise plan " + id, "reprise resume " + id, "reprise fresh " + id};
  return error;
}

// The refusal to write where a file lies that Reprise does not understand.
Error not_recognised(const std::string& workflow, const std::string& file, std::string_view why) {
  Error error{.kind = ErrorKind::Conflict,
              .message = file + " is not recognised as a state file of " + workflow + " and is not overwritten" +
                         (why.empty() ? "" : ": " + std::string(why)),
              .file = file};
  const std::string quoted = shell_quote(file);
  error.hints = {"reprise scan --all", "mv " + quoted + " " + shell_quote(file + ".old")};
  return error;
}

bool is_occupied(const App& app, const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::symlink_status(app.project / path, ignored));
}

// A run of a story cycle starts with its story, so a story that nobody works on yet may lie there. Returns why the
// file is none; "" if it is one.
std::string why_not_a_story(App& app, const std::string& file) {
  const std::optional<std::string> bytes = read_inside(app, file);
  if (!bytes) return "it cannot be read, or is not a file of the project";
  const StoryLook look = looks_like_story(file, *bytes);
  if (!look.is_story) return "it is not a story: " + look.why;
  const Result<StoryClaims> claims = read_story(*bytes, file);
  if (!claims) return claims.error().message;
  const bool has_status = claims->status != StoryStatus::Missing && claims->status != StoryStatus::Unknown;
  return has_status ? "" : "it gives no status that a story can have";
}

// Whatever lies where the run looks for a state file, and was not understood, belongs to somebody else.
Result<void> check_places(App& app, const std::string& workflow, const std::string& subject, const Room& room,
                          const ScanResult& found) {
  for (const std::string& place : state_file_places(app, workflow, subject)) {
    const bool is_finished = std::ranges::find(room.finished, place) != room.finished.end();
    if (is_finished || !is_occupied(app, place)) continue;
    std::string why = workflow == "story-cycle" ? why_not_a_story(app, place) : "";
    if (workflow == "story-cycle" && why.empty()) continue;
    const auto other = std::ranges::find(found.candidates, place, &Candidate::state_file);
    if (other != found.candidates.end())
      return fail(in_the_way(*other, "uses this file, which is not overwritten"));
    const auto ignored = std::ranges::find(found.ignored, place, &IgnoredFile::path);
    if (ignored != found.ignored.end()) why = ignored->why;
    return fail(not_recognised(workflow, place, why));
  }
  return {};
}

// Lanes share one file with other programs; a run that could not record its checkpoints there does not start.
Result<void> check_checkpoint_file(App& app) {
  const Result<std::vector<LaneCheckpoint>> records = list_checkpoints(app);
  if (records) return {};
  Error error = records.error();
  error.kind = ErrorKind::Conflict;
  return fail(std::move(error));
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

Result<void> check_record_places(const App& app, const std::string& workflow, const std::string& state_file) {
  if (workflow == kLanesWorkflow) TRY_VOID(check_lane_places(app));
  return check_place_in(app.project, state_file);
}

Result<Room> find_room(App& app, const std::string& workflow, const StartRequest& request) {
  Room room{.id = workflow + "/" + request.subject, .state_file = state_file_of(app, workflow, request.subject)};
  TRY_VOID(check_record_places(app, workflow, room.state_file));
  if (request.workflow == kLanesWorkflow) TRY_VOID(check_checkpoint_file(app));
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
  TRY_VOID(check_places(app, workflow, request.subject, room, found));
  room.is_there = workflow == "story-cycle" && is_occupied(app, room.state_file);
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
              .message = "run " + run.shown() + " is being worked on, by process " + std::to_string(owner.pid) +
                         " on " + printable_line(owner.host, 80)};
  return std::move(error).hint("reprise attach " + shell_quote(run.shown()));
}

}  // namespace reprise
