#include "app/systems.h"

#include <algorithm>

#include "app/definitions.h"
#include "app/lane_definition.h"
#include "app/lane_look.h"
#include "app/orchestrator_system.h"
#include "app/playbook_look.h"
#include "app/playbook_system.h"
#include "app/spec_loop_system.h"
#include "app/task_pipeline_find.h"
#include "app/task_pipeline_system.h"
#include "base/digest.h"
#include "base/strings.h"
#include "model/limits.h"
#include "os/shared_file.h"

namespace reprise {
namespace {

// Whether the state file says something else than when the run ended: then it is other work.
Result<bool> was_taken_further(App& app, Journal& journal, const RunId& run) {
  // Reading the state of a large run only to find that it has no file would be felt.
  if (!may_have_state_file(run.text.substr(0, run.text.find('/')))) return false;
  const RunState state = TRY(journal.state(run));
  if (state.state_file.path.empty() || !state.is_ended()) return false;
  const SharedContent content = TRY(read_shared(app.project / state.state_file.path, kDocumentBytesMax));
  const std::string digest = content.exists ? to_text(digest_of(content.bytes)) : "";
  return !digest.empty() && digest != state.state_file.digest && digest != state.state_file.before;
}

// Found work that a text names, and how well.
struct FoundMatch {
  IdMatch match;
  std::vector<Candidate> candidates;
};

Result<FoundMatch> match_found(App& app, const std::string& text) {
  FoundMatch found;
  for (const bool with_other_projects : {false, true}) {  // a list of another project is called by its name
    found.candidates = TRY(scan_found(app, with_other_projects)).candidates;
    std::vector<RunId> ids;
    for (const Candidate& candidate : found.candidates) ids.push_back(candidate.id);
    found.match = match_id(ids, text);
    if (!found.match.ids.empty()) break;
  }
  return found;
}

// Whether the found work `id` is what `run` works on: the same subject, or a lane of a run of several.
bool is_found_of(const RunId& id, const RunId& run) {
  const std::string_view subject = subject_of(run);
  return subject == subject_of(id) ||
         (subject.ends_with("/-") && id.text.starts_with(subject.substr(0, subject.size() - 1)));
}

// Returns what two matches name together: a run stands for the found work that it works on.
IdMatch merged(IdMatch runs, const IdMatch& found) {
  if (found.fit < runs.fit) return found;
  if (found.fit > runs.fit) return runs;
  for (const RunId& id : found.ids) {
    if (std::ranges::none_of(runs.ids, [&](const RunId& run) { return is_found_of(id, run); }))
      runs.ids.push_back(id);
  }
  return runs;
}

}  // namespace

std::unique_ptr<NativeState> system_for(App& app, const std::string& workflow, const std::string& subject) {
  if (workflow == "playbook") return playbook_system(app, subject);
  if (workflow == "spec-loop") return spec_loop_system(app, subject);
  if (workflow == kTaskPipeline) return task_pipeline_system(app);
  return orchestrator_system(app, workflow, subject);
}

std::string state_file_of(App& app, const std::string& workflow, const std::string& subject) {
  if (workflow == "playbook") return "specs/" + subject + "/.pipeline-state.md";
  if (workflow == "spec-loop") return "specs/" + subject + "/.workflow/index.md";
  return orchestrator_state_file(app, workflow, subject);
}

std::vector<std::string> state_file_places(App& app, const std::string& workflow, const std::string& subject) {
  std::vector<std::string> places;
  if (workflow == "playbook") {
    for (const char* root : {"specs/", "reports/pipeline/"}) {
      for (const std::string_view name : kPlaybookNames)
        places.push_back(root + subject + "/" + std::string(name));
    }
  } else if (workflow == "epic") {
    for (const char* root : {".aios", ".aiox", ".nexos"}) {
      for (const char* ending : {".yaml", ".yml"})
        places.push_back(std::string(root) + "/epic-" + subject + "-state" + ending);
    }
  } else if (std::string place = state_file_of(app, workflow, subject); !place.empty()) {
    places.push_back(std::move(place));
  }
  return places;
}

bool may_have_state_file(std::string_view workflow) {
  return workflow == "playbook" || workflow == "spec-loop" || workflow == kTaskPipeline ||
         orchestrator_kind(workflow).has_value();
}

std::unique_ptr<NativeState> system_behind(App& app, const RunState& state) {
  const bool has_file = !state.state_file.path.empty();
  if (!has_file && state.workflow != kTaskPipeline) return nullptr;
  return system_for(app, state.workflow, state.subject);
}

bool is_final_when_failed(const RunState& state) {
  const bool is_told_so = state.workflow == "playbook" || state.workflow == "spec-loop";
  return state.status == RunStatus::Failed && is_told_so && !state.state_file.path.empty();
}

Result<Definition> definition_for_found(App& app, const Candidate& candidate) {
  if (candidate.system == kOrchestrator) return orchestrator_definition(app, candidate);
  return load_definition(app, candidate.workflow);
}

Result<Meant> find_work(App& app, Journal* journal, const std::string& text) {
  const IdMatch runs = journal == nullptr ? IdMatch{} : TRY(match_run(*journal, text));
  if (runs.fit == NameFit::Exact) {  // nothing fits better: no state file need be read
    const RunId run = TRY(only_match(runs, text));
    if (has_number(text) || !TRY(was_taken_further(app, *journal, run))) return Meant{.run = run};
  }
  const FoundMatch found = TRY(match_found(app, text));
  const IdMatch both = merged(runs, found.match);
  if (both.ids.empty()) {
    Error error{.kind = ErrorKind::NotFound, .message = "there is no run \"" + printable_line(text, 100) + "\""};
    if (journal != nullptr) error.hints.emplace_back("reprise status");
    return fail(std::move(error).hint("reprise scan --all"));
  }
  const RunId id = TRY(only_match(both, text));
  const bool is_run = std::ranges::find(runs.ids, id) != runs.ids.end();
  if (is_run && !TRY(was_taken_further(app, *journal, id))) return Meant{.run = id};
  const auto candidate = std::ranges::find_if(
      found.candidates, [&](const Candidate& other) { return subject_of(other.id) == subject_of(id); });
  if (candidate == found.candidates.end()) return Meant{.run = id};
  return Meant{.candidate = *candidate};
}

}  // namespace reprise
