#include "app/orchestrator_system.h"

#include <algorithm>

#include "app/course_definition.h"
#include "app/orchestrator_look.h"
#include "app/project_files.h"
#include "app/story_files.h"
#include "base/digest.h"
#include "base/strings.h"
#include "evidence/collector.h"
#include "formats/epic_state.h"
#include "formats/flow_state.h"
#include "formats/orchestrator_show.h"
#include "formats/qa_loop.h"
#include "formats/spec_pipeline.h"
#include "formats/story.h"
#include "model/limits.h"
#include "os/shared_file.h"
#include "planner/orchestrator_rules.h"

namespace reprise {
namespace {

// Which step of a run does a phase that the rules name; the phases of a loop belong to its first round.
struct PhaseStep {
  OrchestratorKind kind;
  std::string_view phase;
  std::string_view step;
  std::string_view verdict;  // that it gave, if it is behind the work
};
constexpr PhaseStep kPhaseSteps[] = {
    {OrchestratorKind::StoryCycle, "create", "prepare/1/create", ""},
    {OrchestratorKind::StoryCycle, "validate", "prepare/1/validate", "GO"},
    {OrchestratorKind::StoryCycle, "implement", "build/1/implement", ""},
    {OrchestratorKind::StoryCycle, "review", "build/1/review", "PASS"},
    {OrchestratorKind::SpecPipeline, "write", "spec/1/write", ""},
    {OrchestratorKind::SpecPipeline, "critique", "spec/1/critique", "APPROVED"},
};

const PhaseStep* find_phase(OrchestratorKind kind, std::string_view phase) {
  for (const PhaseStep& each : kPhaseSteps) {
    if (each.kind == kind && each.phase == phase) return &each;
  }
  return nullptr;
}

std::string_view word_for(QaVerdict verdict) {
  switch (verdict) {
    case QaVerdict::Approve: return "APPROVE";
    case QaVerdict::Reject: return "REJECT";
    case QaVerdict::Blocked: return "BLOCKED";
    default: return "";
  }
}

class OrchestratorJudge {
 public:
  OrchestratorJudge(App& app, const RunState& state, const Graph& graph, const OrchestratorSnapshot& seen)
      : state_(state), graph_(graph), seen_(seen), collector_(app.files, app.project) {}

  Result<Judgement> judge() {
    Judgement out;
    OrchestratorPlan planned = plan_orchestrator(seen_);
    out.plan = planned.plan;
    if (state_.was_worked_on() || !state_.adopted) {
      out.plan = only_findings(std::move(out.plan), [&](const Finding& finding) {
        const bool is_conflict = finding.rule.starts_with("OR-04") || finding.rule.starts_with("OR-15");
        return is_conflict && state_.steps.size() > 0;
      });
      return out;
    }
    const Readiness readiness = out.plan.readiness;
    const bool goes_on = readiness == Readiness::Ready || readiness == Readiness::Confirm ||
                         readiness == Readiness::Wait || readiness == Readiness::Blocked;
    if (goes_on && state_.steps.size() == 0) {
      for (const StepDecision& decision : out.plan.decisions) TRY_VOID(import(decision, out));
      out.events.emplace_back(NoteAdded{log_entry(planned), ""});
    }
    for (StepDecision& decision : out.plan.decisions) decision.step = step_for(decision);
    return out;
  }

 private:
  // The orchestration log's words on a resume.
  std::string log_entry(const OrchestratorPlan& planned) const {
    const ResumeSummary& summary = planned.summary;
    std::string text =
        "Workflow resumed: " + std::string(to_token(seen_.kind)) + ". State source: " + seen_.state_file;
    if (summary.next) {
      text += ". Resume point: " + summary.next->step;
      if (!summary.next->agent.empty()) text += " -- @" + summary.next->agent;
    }
    return text + ". Interruption: " + to_text(planned.plan.age) + ". Validation: " + summary.validation;
  }

  StepPath step_for(const StepDecision& decision) const {
    const PhaseStep* phase = find_phase(seen_.kind, decision.stage);
    return phase == nullptr ? decision.step : StepPath{std::string(phase->step)};
  }

  std::string verdict_for(const StepDecision& decision) const {
    if (const PhaseStep* phase = find_phase(seen_.kind, decision.stage)) return std::string(phase->verdict);
    if (seen_.kind == OrchestratorKind::Epic) return decision.step.text.ends_with("gate") ? "approved" : "";
    if (seen_.kind != OrchestratorKind::QaLoop || decision.stage != "review") return "";
    for (const ClaimedReview& review : seen_.qa_loop.history) {
      const bool is_it =
          review.iteration && decision.step.text == "loop/" + std::to_string(*review.iteration) + "/review";
      if (is_it) return std::string(word_for(review.verdict));
    }
    return std::string(word_for(seen_.qa_loop.last_verdict));
  }

  Result<void> import(const StepDecision& decision, Judgement& out) {
    const bool is_kept = decision.decision == Decision::Keep;
    const bool was_begun = decision.decision == Decision::Continue || decision.decision == Decision::Rerun ||
                           decision.decision == Decision::Verify;
    if (!is_kept && !was_begun) return {};
    ClaimImported event{.step = step_for(decision),
                        .done = is_kept,
                        .source = seen_.state_file,
                        .rule = std::string(decision.rule.substr(0, decision.rule.find(' '))),
                        .verdict = is_kept ? verdict_for(decision) : ""};
    const std::optional<int> leaf = graph_.find(event.step);
    if (leaf) event.work = work_digest(*graph_.node(*leaf).stage);
    if (leaf && is_kept) {
      for (const Product& product : graph_.node(*leaf).stage->produces)
        event.artifacts.push_back(TRY(collector_.look(graph_.resolve_path(*leaf, product.path), nullptr)));
    }
    out.events.emplace_back(std::move(event));
    return {};
  }

  const RunState& state_;
  const Graph& graph_;
  const OrchestratorSnapshot& seen_;
  Collector collector_;
};

// What single lines still give is enough to look at, but nothing can be written into such a file.
template <typename Claims>
Result<void> check_sound(const Claims& claims, const std::string& file) {
  if (!claims.damaged) return {};
  const int line = claims.oddities.empty() ? 0 : claims.oddities.front().line;
  return fail(Error{.kind = ErrorKind::Corrupt, .message = "its syntax is broken", .file = file, .line = line});
}

class OrchestratorSystem : public NativeState {
 public:
  OrchestratorSystem(App& app, OrchestratorKind kind, std::string subject)
      : app_(app), kind_(kind), subject_(std::move(subject)) {}

  Result<std::string> show(std::string_view bytes, const RunState& state) const override {
    if (is_untouched(state) || (state.adopted && !state.was_worked_on())) return std::string(bytes);
    switch (kind_) {
      case OrchestratorKind::Epic: return show_epic(bytes, state);
      case OrchestratorKind::QaLoop: return show_qa_loop(bytes, state);
      case OrchestratorKind::StoryCycle: return show_story(bytes, state);
      case OrchestratorKind::SpecPipeline: return show_spec_pipeline(bytes, state);
      case OrchestratorKind::Flow: return show_flow(bytes, state);
    }
    return std::string(bytes);
  }

  // What a person or an agent writes there stays; the run's own words are put in again. A file that can no longer
  // be read is an error, and kept.
  Result<HandEdits> edits(std::string_view, std::string_view now, const RunState& state) const override {
    const std::string& file = state.state_file.path;
    switch (kind_) {
      case OrchestratorKind::Epic: TRY_VOID(check_sound(TRY(read_epic_state(now, file)), file)); break;
      case OrchestratorKind::QaLoop: TRY(read_qa_loop(now, file)); break;
      case OrchestratorKind::StoryCycle: TRY(read_story(now, file)); break;
      case OrchestratorKind::SpecPipeline: break;
      case OrchestratorKind::Flow: TRY_VOID(check_sound(TRY(read_flow_state(now, file)), file)); break;
    }
    return HandEdits{};
  }

  Result<Judgement> judge(std::string_view bytes, const RunState& state, const Graph& graph) override {
    OrchestratorSnapshot seen = TRY(look_at_orchestrator(app_, kind_, subject_, state.state_file.path, bytes));
    for (const auto& [code, overruled] : state.overruled) seen.accepted.insert(code);
    if (!state.was_worked_on()) seen.from = from_;
    if (state.was_worked_on()) forget_what_is_ours(seen, state);
    return OrchestratorJudge(app_, state, graph, seen).judge();
  }

 private:
  // What the run's own workers changed is no news, nor is its own state.
  static void forget_what_is_ours(OrchestratorSnapshot& seen, const RunState& state) {
    const std::string id = without_number(state.id.text);
    std::erase_if(seen.others, [&](const OtherWorkflow& other) { return other.id == id; });
    seen.changed.clear();
    seen.new_dependencies.clear();
    for (auto& [story, file] : seen.stories) file.sections_then.reset();
  }

  App& app_;
  OrchestratorKind kind_;
  std::string subject_;
};

Result<Definition> definition_of(App& app, const OrchestratorSnapshot& seen) {
  if (seen.kind == OrchestratorKind::Epic || seen.kind == OrchestratorKind::Flow) return course_definition(seen);
  return load_definition(app, std::string(to_token(seen.kind)));
}

}  // namespace

Mode recorded_mode(const OrchestratorSnapshot& seen) {
  const std::string mode = to_lower(seen.kind == OrchestratorKind::Epic ? seen.epic.mode : seen.flow.mode);
  if (mode == "yolo" || mode == "autopilot") return Mode::Autopilot;
  return mode == "preflight" || mode == "pre-flight" ? Mode::Preflight : Mode::Interactive;
}

std::optional<OrchestratorKind> orchestrator_kind(std::string_view workflow) {
  for (const auto& [kind, token] : kOrchestratorKindTokens) {
    if (token == workflow) return kind;
  }
  return std::nullopt;
}

std::unique_ptr<NativeState> orchestrator_system(App& app, const std::string& workflow,
                                                 const std::string& subject) {
  const std::optional<OrchestratorKind> kind = orchestrator_kind(workflow);
  return kind ? std::make_unique<OrchestratorSystem>(app, *kind, subject) : nullptr;
}

std::string orchestrator_state_file(App& app, const std::string& workflow, const std::string& subject) {
  const std::optional<OrchestratorKind> kind = orchestrator_kind(workflow);
  if (!kind || subject.empty()) return "";
  switch (*kind) {
    case OrchestratorKind::Epic:
      return std::string(is_folder_inside(app, ".aios") ? ".aios" : ".aiox") + "/epic-" + subject + "-state.yaml";
    case OrchestratorKind::QaLoop: return "qa/" + subject + "/loop-status.json";
    case OrchestratorKind::StoryCycle: {
      const std::string found = find_story_file(app, subject);
      return found.empty() ? "docs/stories/" + subject + ".story.md" : found;
    }
    case OrchestratorKind::SpecPipeline:
      return "docs/stories/" + subject + "/spec/" + std::string(kSpecPipelineFile);
    case OrchestratorKind::Flow: return "";
  }
  return "";
}

Result<OrchestratorSnapshot> look_at_found_orchestrator(App& app, const Candidate& candidate) {
  const std::optional<OrchestratorKind> kind = orchestrator_kind(candidate.workflow);
  if (!kind) return fail(ErrorKind::Corrupt, candidate.id.text + " is not of the orchestrator");
  const std::string bytes = read_inside(app, candidate.state_file).value_or("");
  return look_at_orchestrator(app, *kind, candidate.subject, candidate.state_file, bytes);
}

Result<Definition> orchestrator_definition(App& app, const Candidate& candidate) {
  return definition_of(app, TRY(look_at_found_orchestrator(app, candidate)));
}

Result<Adoption> read_orchestrator_adoption(App& app, const Candidate& candidate) {
  const OrchestratorSnapshot seen = TRY(look_at_found_orchestrator(app, candidate));
  Adoption adoption{.definition = TRY(definition_of(app, seen))};
  RunCreated created = created_by_adoption(adoption.definition, candidate);
  created.mode = recorded_mode(seen);
  if (seen.kind == OrchestratorKind::SpecPipeline && !seen.spec.complexity.empty())
    created.values["variant"] = seen.spec.complexity;
  for (auto& [name, value] : orchestrator_values(app, candidate.workflow, candidate.subject))
    created.values[name] = value;
  if (seen.kind == OrchestratorKind::Epic || seen.kind == OrchestratorKind::Flow) {
    for (auto& [name, value] : course_values(seen)) created.values[name] = value;
  }
  if (seen.kind == OrchestratorKind::SpecPipeline)
    created.values["folder"] = std::filesystem::path(candidate.state_file).parent_path().string();
  adoption.events.emplace_back(std::move(created));
  TRY_VOID(add_state_file(app, candidate.state_file, adoption));
  return adoption;
}

Result<Definition> load_epic(App& app, const std::string& subject) {
  if (subject.empty()) {
    return fail(Error{.kind = ErrorKind::Invalid, .message = "epic needs to know which one: its id"}.hint(
        "reprise run epic 5"));
  }
  return course_definition(TRY(look_at_orchestrator(app, OrchestratorKind::Epic, subject, "", "")));
}

std::map<std::string, std::string> orchestrator_values(App& app, const std::string& workflow,
                                                       const std::string& subject) {
  const std::optional<OrchestratorKind> kind = orchestrator_kind(workflow);
  if (kind == OrchestratorKind::StoryCycle || kind == OrchestratorKind::QaLoop)
    return {{"story_file", orchestrator_state_file(app, "story-cycle", subject)}};
  if (kind == OrchestratorKind::SpecPipeline) return {{"folder", "docs/stories/" + subject + "/spec"}};
  if (kind != OrchestratorKind::Epic) return {};
  const Result<OrchestratorSnapshot> seen = look_at_orchestrator(app, *kind, subject, "", "");
  return seen ? course_values(*seen) : std::map<std::string, std::string>();
}

}  // namespace reprise
