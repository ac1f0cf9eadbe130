#include "app/spec_loop_system.h"

#include <algorithm>
#include <map>

#include "app/spec_loop_look.h"
#include "base/strings.h"
#include "evidence/collector.h"
#include "formats/spec_loop.h"
#include "formats/spec_loop_links.h"
#include "formats/spec_loop_show.h"
#include "planner/spec_loop_rules.h"

namespace reprise {
namespace {

// Which step of a run does a phase; those of the loop once per round.
struct LoopPhaseStep {
  std::string_view phase;
  std::string_view step;
};
constexpr LoopPhaseStep kLoopPhaseSteps[] = {{"A1", "scaffold"}, {"A2", "write"}, {"A3", "validate"}};

class SpecLoopJudge {
 public:
  SpecLoopJudge(App& app, const RunState& state, const Graph& graph, SpecLoopSnapshot& seen)
      : state_(state), graph_(graph), seen_(seen), collector_(app.files, app.project) {}

  Result<Judgement> judge() {
    Judgement out;
    out.plan = plan_spec_loop(seen_);
    const bool goes_on = out.plan.readiness == Readiness::Ready || out.plan.readiness == Readiness::Confirm ||
                         out.plan.readiness == Readiness::Wait || out.plan.readiness == Readiness::Blocked;
    if (goes_on && is_found_only() && state_.steps.size() == 0) TRY_VOID(import_loop(out));
    if (goes_on && !is_found_only()) take_answers(out);
    if (!is_found_only()) TRY_VOID(leave_scaffold_behind(out));
    name_steps(out.plan);
    return out;
  }

 private:
  bool is_found_only() const { return state_.adopted && state_.session_event.value == 0; }

  // The index becomes the record: gaps, questions, answers, and which steps are behind the loop.
  Result<void> import_loop(Judgement& out) {
    const StepDecision* here = out.plan.resume_point ? &out.plan.decisions[*out.plan.resume_point] : nullptr;
    const std::string phase = here == nullptr ? "" : here->stage;
    const std::string_view rule = here == nullptr ? "" : here->rule;
    import_gaps(out);
    import_questions(out);
    const long long rounds = applied_before(phase);
    for (const LoopPhaseStep& each : kLoopPhaseSteps) {
      const std::string step(each.step);
      if (each.phase == phase) {
        if (here->decision == Decision::Continue || here->decision == Decision::Rerun)
          TRY_VOID(import(out, {.step = {step}, .rule = std::string(rule)}));
        return {};
      }
      ClaimImported past{.step = {step}, .done = true, .rule = "SL-03"};
      if (each.phase == "A3") past = validation(step, rounds == 0);
      TRY_VOID(import(out, std::move(past)));
    }
    return import_rounds(out, phase, rounds, std::string(rule));
  }

  // Rounds before this one are behind the loop. Answers are applied within the iteration that asked.
  Result<void> import_rounds(Judgement& out, const std::string& phase, long long rounds, const std::string& rule) {
    for (long long past = 1; past <= rounds; ++past) {
      TRY_VOID(import(out, {.step = {path_of(past, "apply")}, .done = true, .rule = "SL-03"}));
      TRY_VOID(import(out, validation(path_of(past, "validate"), past == rounds)));
    }
    if (phase != "B3") return {};
    TRY_VOID(import(out, {.step = {path_of(rounds + 1, "apply")}, .done = true, .rule = "SL-03"}));
    return import(out, {.step = {path_of(rounds + 1, "validate")}, .rule = rule});
  }

  // How many rounds were applied and validated. The check that follows answers counts as the next iteration or,
  // with other tools, still as the one that asked: the questions tell which.
  long long applied_before(std::string_view phase) const {
    const long long iteration = std::clamp(seen_.claims.iteration.number.value_or(1), 1LL, kLoopIterationsMax);
    const bool asked_now = std::ranges::any_of(seen_.claims.questions, [&](const ClaimedQuestion& question) {
      return question.applied && iteration_in(question.id) == iteration;
    });
    return phase == "B3" && !asked_now ? std::max(0LL, iteration - 2) : iteration - 1;
  }

  // A validation of another program. What the last one found is what the next one is compared with.
  ClaimImported validation(std::string step, bool is_last) const {
    ClaimImported event{.step = {std::move(step)}, .done = true, .rule = "SL-03", .verdict = "gaps"};
    if (!is_last) return event;
    event.stalled =
        static_cast<std::int32_t>(std::clamp(seen_.claims.stale.number.value_or(0), 0LL, kLoopStaleMax));
    for (const ClaimedGap& gap : seen_.claims.gaps) {
      if (!gap.id.empty() && !gap.is_settled()) event.result += gap.id + ' ' + title_of(priority_of(gap)) + '\n';
    }
    return event;
  }

  // An answer that stands in the file counts, also before a session has read it as an edit.
  void take_answers(Judgement& out) const {
    for (const ClaimedQuestion& question : seen_.claims.questions) {
      const auto asked = state_.questions.find(question.id);
      if (asked == state_.questions.end() || asked->second.answer || question.answer.empty()) continue;
      out.events.push_back(QuestionAnswered{question.id, question.answer,
                                            seen_.state_file + " line " + std::to_string(question.line)});
    }
  }

  // Once the spec is being written, what became of the file is no reason to scaffold again: writing, which makes
  // the same file, does it over (SL-07).
  Result<void> leave_scaffold_behind(Judgement& out) {
    const StepState* scaffold = state_.find_step(StepPath{"scaffold"});
    const bool is_behind = scaffold != nullptr && scaffold->record == StepState::Record::Done &&
                           !scaffold->artifacts.empty() && state_.find_step(StepPath{"write"}) != nullptr;
    if (!is_behind) return {};
    const std::string spec = "specs/" + seen_.subject + "/spec.md";
    if (TRY(collector_.product_fault(spec, {})).empty()) return {};
    ClaimImported event{.step = {"scaffold"}, .done = true, .source = seen_.state_file, .rule = "SL-07"};
    event.work = scaffold->work;
    out.events.emplace_back(std::move(event));
    return {};
  }

  // The phases by the steps that do them, so that the engine's decisions can be told in the loop's words.
  void name_steps(Plan& plan) const {
    const long long round = round_of_loop();
    for (StepDecision& decision : plan.decisions) {
      for (const LoopPhaseStep& each : kLoopPhaseSteps) {
        if (decision.stage == each.phase) decision.step = {std::string(each.step)};
      }
      if (decision.stage == "B2") decision.step = {path_of(round, "apply")};
      if (decision.stage == "B3") decision.step = {path_of(round, "validate")};
    }
  }

  long long round_of_loop() const {
    long long round = 1;
    const auto is_done = [&](const std::string& path) {
      const StepState* step = state_.find_step(StepPath{path});
      return step != nullptr && step->record == StepState::Record::Done;
    };
    while (is_done(path_of(round, "validate"))) ++round;
    return round;
  }

  static std::string path_of(long long round, std::string_view step) {
    return "clarify/" + std::to_string(round) + "/" + std::string(step);
  }

  Result<void> import(Judgement& out, ClaimImported event) {
    event.source = seen_.state_file + " line " + std::to_string(seen_.claims.status_line);
    event.rule.resize(std::min(event.rule.find(' '), event.rule.size()));
    if (const std::optional<int> leaf = graph_.find(event.step))
      event.work = work_digest(*graph_.node(*leaf).stage);
    const std::string& step = event.step.text;
    const bool makes_spec = step.ends_with("scaffold") || step.ends_with("write") || step.ends_with("apply");
    if (event.done && makes_spec && seen_.spec_exists)
      event.artifacts.push_back(TRY(collector_.look("specs/" + seen_.subject + "/spec.md", nullptr)));
    out.events.emplace_back(std::move(event));
    return {};
  }

  static GapPriority priority_of(const ClaimedGap& gap) {
    return gap.priority == GapPriority::Unknown ? GapPriority::Important : gap.priority;
  }

  void import_gaps(Judgement& out) const {
    for (const ClaimedGap& gap : seen_.claims.gaps) {
      if (gap.id.empty()) continue;
      const GapStatus status = gap.status == GapStatus::Unknown ? GapStatus::Pending : gap.status;
      out.events.push_back(GapChanged{gap.id, priority_of(gap), status, gap.text, gap.resolution});
    }
  }

  void import_questions(Judgement& out) const {
    for (const ClaimedQuestion& question : seen_.claims.questions) {
      if (question.id.empty() || question.status == QuestionStatus::Deferred) continue;
      const std::string text = question.question.empty() ? "Question " + question.id : question.question;
      out.events.push_back(
          QuestionAsked{.id = question.id, .step = {"validate"}, .text = text, .gaps = question.gaps});
      if (!question.answer.empty() || question.applied) {
        const std::string answer = question.answer.empty() ? "(see the spec)" : question.answer;
        out.events.push_back(QuestionAnswered{question.id, answer, line_of(question.line)});
      }
      if (question.applied) out.events.push_back(AnswersApplied{{question.id}});
    }
    // What a person said counts, also if nothing says to which question.
    for (const ClaimedAnswer& answer : seen_.claims.answers) {
      const auto listed = std::ranges::find(seen_.claims.questions, answer.question, &ClaimedQuestion::id);
      if (answer.applied || listed != seen_.claims.questions.end()) continue;
      out.events.push_back(
          QuestionAsked{.id = answer.question, .step = {"validate"}, .text = "Question " + answer.question});
      out.events.push_back(QuestionAnswered{answer.question, answer.answer, line_of(answer.line)});
    }
  }

  std::string line_of(int line) const { return seen_.state_file + " line " + std::to_string(line); }

  const RunState& state_;
  const Graph& graph_;
  SpecLoopSnapshot& seen_;
  Collector collector_;
};

class SpecLoopSystem : public NativeState {
 public:
  SpecLoopSystem(App& app, std::string subject) : app_(app), subject_(std::move(subject)) {}

  Result<std::string> show(std::string_view bytes, const RunState& state) const override {
    return is_untouched(state) ? std::string(bytes) : show_spec_loop(bytes, state);
  }

  Result<HandEdits> edits(std::string_view before, std::string_view now, const RunState& state) const override {
    const SpecLoopClaims found = TRY(read_spec_loop(now, state.state_file.path));
    SpecLoopClaims known;
    if (!before.empty()) known = TRY(read_spec_loop(before, state.state_file.path));
    HandEdits edits;
    for (const ClaimedQuestion& question : found.questions) {
      const auto asked = state.questions.find(question.id);
      if (question.answer.empty() || asked == state.questions.end() || asked->second.answer == question.answer)
        continue;
      const auto old = std::ranges::find(known.questions, question.id, &ClaimedQuestion::id);
      if (old != known.questions.end() && old->answer == question.answer) continue;
      edits.answers.push_back({question.id, question.answer, question.line});
    }
    find_illegal(known, found, state, edits);
    edits.cancel = found.status == LoopStatus::Terminated && known.status != LoopStatus::Terminated;
    return edits;
  }

  Result<Judgement> judge(std::string_view bytes, const RunState& state, const Graph& graph) override {
    SpecLoopSnapshot seen = TRY(look_at_spec_loop(app_, subject_, state.state_file.path, bytes));
    return SpecLoopJudge(app_, state, graph, seen).judge();
  }

 private:
  static void find_illegal(const SpecLoopClaims& known, const SpecLoopClaims& found, const RunState& state,
                           HandEdits& edits) {
    const std::string line = "line " + std::to_string(found.status_line) + ": ";
    if (found.status != known.status && found.status != LoopStatus::Terminated)
      edits.refused.push_back(line + "the loop status is what the run is, not what is written here");
    for (const ClaimedGap& gap : found.gaps) {
      const auto recorded = state.gaps.find(gap.id);
      const bool claims_resolved = gap.status == GapStatus::Resolved;
      if (recorded != state.gaps.end() && claims_resolved && recorded->second.status != GapStatus::Resolved)
        edits.refused.push_back("line " + std::to_string(gap.line) + ": " + gap.id +
                                " is claimed to be resolved, but no answer to it was applied");
    }
  }

  App& app_;
  std::string subject_;
};

}  // namespace

std::unique_ptr<NativeState> spec_loop_system(App& app, const std::string& subject) {
  return std::make_unique<SpecLoopSystem>(app, subject);
}

}  // namespace reprise
