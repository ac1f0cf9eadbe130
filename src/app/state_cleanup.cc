#include "app/state_cleanup.h"

#include "app/archive.h"
#include "app/orchestrator_states.h"
#include "app/orchestrator_system.h"
#include "app/project_files.h"
#include "app/story_files.h"
#include "base/strings.h"
#include "formats/story.h"
#include "formats/story_edit.h"
#include "text/diff.h"

namespace reprise {
namespace {

bool is_in_the_middle(StoryStatus status) {
  return status == StoryStatus::InProgress || status == StoryStatus::InReview;
}

// The story as it was before somebody began: Ready, with a line that says so.
Result<std::string> reset_story(const std::string& bytes, const StoryClaims& claims, Timestamp now) {
  const std::string set = TRY(set_story_status(bytes, StoryStatus::Ready));
  return append_story_change(
      set,
      {.at = now, .by = "reprise", .text = "Status: " + printable_line(claims.status_word, 40) + " -> Ready"});
}

// What a spec pipeline left: its artifacts are its state, whether it has a file of its own or not.
Result<std::vector<std::string>> spec_files(App& app, const std::string& state_file) {
  const std::string folder = state_file.substr(0, state_file.rfind('/'));
  std::vector<std::string> files;
  for (const std::string& name : TRY(app.files.list(app.project / folder))) {
    const std::string path = folder + "/" + name;
    if ((path == state_file || is_spec_artifact(name)) && is_inside(app, path)) files.push_back(path);
  }
  return files;
}

}  // namespace

Result<StateCleanup> plan_state_cleanup(App& app, const Candidate& candidate) {
  if (candidate.system != kOrchestrator) {
    return fail(
        Error{.kind = ErrorKind::Unavailable,
              .message = "the state of a " + candidate.system + " is not cleaned up; start it anew instead"}
            .hint("reprise fresh " + shell_quote(candidate.id.shown())));
  }
  const OrchestratorSnapshot seen = TRY(look_at_found_orchestrator(app, candidate));
  StateCleanup cleanup{.id = candidate.id};
  if (seen.kind == OrchestratorKind::SpecPipeline) {
    cleanup.put_away = TRY(spec_files(app, candidate.state_file));
  } else if (seen.kind != OrchestratorKind::StoryCycle) {
    for (const std::string& file : {candidate.state_file}) {
      if (is_inside(app, file)) cleanup.put_away.push_back(file);
    }
    for (const std::string& file : candidate.other_files) cleanup.put_away.push_back(file);
  }
  for (const auto& [id, story] : seen.stories) {
    const std::optional<std::string> bytes = story.exists ? read_inside(app, story.path) : std::nullopt;
    if (!bytes || !is_in_the_middle(story.claims.status)) continue;
    const Result<std::string> after = reset_story(*bytes, story.claims, app.clock.now());
    if (!after) continue;  // its status has no such place; it stays as its author left it
    cleanup.stories[story.path] = *after;
    cleanup.diff += unified_diff(*bytes, *after, {"a/" + story.path, "b/" + story.path});
  }
  return cleanup;
}

Result<std::map<std::string, std::string>> story_reset(App& app, const std::string& story) {
  std::map<std::string, std::string> contents;
  const std::string file = find_story_file(app, story);
  const std::optional<std::string> bytes = file.empty() ? std::nullopt : read_inside(app, file);
  if (!bytes) return contents;
  const StoryClaims claims = TRY(read_story(*bytes, file));
  if (is_in_the_middle(claims.status)) contents[file] = TRY(reset_story(*bytes, claims, app.clock.now()));
  return contents;
}

Result<void> clean_up_state(App& app, const StateCleanup& cleanup) {
  std::map<std::string, std::string> contents = cleanup.stories;
  for (const std::string& file : cleanup.put_away) contents[file] = "";
  if (!contents.empty()) TRY(archive_and_change(app, cleanup.id.text, contents));
  return {};
}

}  // namespace reprise
