#include "app/adoption.h"

#include <algorithm>

#include "app/lane_definition.h"
#include "app/lane_look.h"
#include "app/orchestrator_system.h"
#include "app/task_pipeline_find.h"
#include "app/task_pipeline_system.h"
#include "base/digest.h"
#include "model/limits.h"
#include "os/shared_file.h"

namespace reprise {
namespace {

// Playbooks and spec loops: a built-in definition and one state file.
Result<Adoption> read_plain_adoption(App& app, const Candidate& candidate) {
  Adoption adoption{.definition = TRY(load_definition(app, candidate.workflow))};
  RunCreated created = created_by_adoption(adoption.definition, candidate);
  if (!candidate.about.empty()) created.values["description"] = candidate.about;
  adoption.events.emplace_back(std::move(created));
  TRY_VOID(add_state_file(app, candidate.state_file, adoption));
  if (adoption.texts.empty()) return fail(ErrorKind::NotFound, candidate.state_file + " does not exist any more");
  return adoption;
}

}  // namespace

RunCreated created_by_adoption(const Definition& definition, const Candidate& candidate) {
  RunCreated created{.workflow = definition.workflow.name,
                     .subject = candidate.subject,
                     .definition = definition.digest,
                     .source = definition.workflow.source,
                     .source_digest = definition.source_digest,
                     .native_file = candidate.state_file,
                     .adopted = true,
                     .last_activity = candidate.updated_at};
  for (const InputDef& input : definition.workflow.inputs)
    created.values[input.name] = input.fallback.value_or("");
  return created;
}

Result<void> add_state_file(App& app, const std::string& path, Adoption& adoption) {
  const SharedContent content = TRY(read_shared(app.project / path, kDocumentBytesMax));
  if (!content.settled) {
    return fail(Error{.kind = ErrorKind::Unavailable,
                      .message = path + " is being written at this moment; try again",
                      .file = path});
  }
  if (!content.exists) return {};
  adoption.events.emplace_back(
      StateFileEdited{.file = path, .before = "", .digest = to_text(digest_of(content.bytes))});
  adoption.texts.push_back(content.bytes);
  return {};
}

Result<Adoption> read_adoption(App& app, const Candidate& candidate) {
  if (candidate.system == kLanesWorkflow) return read_lane_adoption(app, candidate);
  if (candidate.system == kTaskPipeline) return read_task_list_adoption(app, candidate);
  if (candidate.system == kOrchestrator) return read_orchestrator_adoption(app, candidate);
  return read_plain_adoption(app, candidate);
}

Result<RunId> record_adoption(Journal& journal, const Candidate& candidate, const Adoption& adoption) {
  std::vector<std::string> texts = adoption.texts;
  texts.push_back(adoption.definition.text);
  const RunId id = TRY(runs_of_subject(journal, candidate.id.text)).next;
  journal.release(TRY(journal.create(id, adoption.events, texts)));
  return id;
}

Result<RunId> adopt(App& app, Journal& journal, const Candidate& candidate) {
  return record_adoption(journal, candidate, TRY(read_adoption(app, candidate)));
}

}  // namespace reprise
