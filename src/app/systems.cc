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

Result<std::optional<Candidate>> find_candidate(App& app, const std::string& text) {
  ScanResult found = TRY(scan_found(app));
  const auto match = [&] {
    std::vector<RunId> ids;
    for (const Candidate& candidate : found.candidates) ids.push_back(candidate.id);
    return match_id(ids, text);
  };
  Result<RunId> id = match();
  if (!id && id.error().kind == ErrorKind::NotFound) {  // a list of another project, called by its name
    found = TRY(scan_found(app, true));
    id = match();
  }
  if (!id && id.error().kind == ErrorKind::NotFound) return std::nullopt;
  if (!id) return fail(id.error());
  return *std::ranges::find(found.candidates, *id, &Candidate::id);
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

Result<RunId> adopt(App& app, Journal& journal, const Candidate& candidate) {
  if (candidate.system == kLanesWorkflow) return adopt_lane(app, journal, candidate, "");
  if (candidate.system == kTaskPipeline) return adopt_task_list(app, journal, candidate);
  if (candidate.system == kOrchestrator) return adopt_orchestrator(app, journal, candidate);
  const SharedContent content = TRY(read_shared(app.project / candidate.state_file, kDocumentBytesMax));
  if (!content.exists || !content.settled) {
    return fail(Error{.kind = ErrorKind::Unavailable,
                      .message = candidate.state_file + " is being written at this moment; try again",
                      .file = candidate.state_file});
  }
  const Definition definition = TRY(load_definition(app, candidate.workflow));
  RunCreated created{.workflow = definition.workflow.name,
                     .subject = candidate.subject,
                     .definition = definition.digest,
                     .source = definition.workflow.source,
                     .source_digest = definition.source_digest,
                     .native_file = candidate.state_file,
                     .adopted = true};
  for (const InputDef& input : definition.workflow.inputs)
    created.values[input.name] = input.fallback.value_or("");
  if (!candidate.about.empty()) created.values["description"] = candidate.about;
  const std::vector<Event> events = {
      created,
      StateFileEdited{.file = candidate.state_file, .before = "", .digest = to_text(digest_of(content.bytes))}};
  const std::vector<std::string> texts = {definition.text, content.bytes};
  const RunId id = TRY(runs_of_subject(journal, candidate.id.text)).next;
  journal.release(TRY(journal.create(id, events, texts)));
  return id;
}

Result<Definition> definition_for_found(App& app, const Candidate& candidate) {
  if (candidate.system == kOrchestrator) return orchestrator_definition(app, candidate);
  return load_definition(app, candidate.workflow);
}

Result<Meant> find_work(App& app, Journal* journal, const std::string& text) {
  Meant meant;
  if (journal != nullptr) {
    const Result<RunId> run = find_run(*journal, text);
    if (!run && run.error().kind != ErrorKind::NotFound) return fail(run.error());
    if (run && !TRY(was_taken_further(app, *journal, *run))) {
      meant.run = *run;
      return meant;
    }
  }
  meant.candidate = TRY(find_candidate(app, text));
  if (meant.candidate) return meant;
  Error error{.kind = ErrorKind::NotFound, .message = "there is no run \"" + printable_line(text, 100) + "\""};
  if (journal != nullptr) error.hints.emplace_back("reprise status");
  return fail(std::move(error).hint("reprise scan --all"));
}

}  // namespace reprise
