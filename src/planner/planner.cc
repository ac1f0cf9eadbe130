#include "planner/planner.h"

#include <algorithm>
#include <unordered_map>

#include "base/strings.h"
#include "planner/approval.h"
#include "planner/checkout_findings.h"
#include "planner/own_rules.h"

namespace reprise {
namespace {

// What the files that a step or gate names look like now, against how they were recorded.
struct FilesNow {
  std::vector<std::string> missing;
  std::vector<std::string> changed;
};

class PlanMaker {
 public:
  PlanMaker(const RunSnapshot& snapshot, Graph& graph)
      : snapshot_(snapshot), state_(*snapshot.state), graph_(graph) {
    // A path that several steps wrote is compared with the newest record of it.
    for (const auto& [path, step] : state_.steps) {
      if (step.record != StepState::Record::Done) continue;
      for (const SeenFile& file : step.artifacts) {
        auto& [event, newest] = newest_[file.path];
        if (newest == nullptr || step.started_event > event) {
          event = step.started_event;
          newest = &file;
        }
      }
    }
  }

  Plan make() {
    plan_.id = state_.id;
    plan_.source_file = snapshot_.workflow->source;
    plan_.age = std::max(Duration(0), snapshot_.now - snapshot_.last_activity);
    plan_.decisions.reserve(static_cast<std::size_t>(graph_.leaf_count()));
    graph_.survey([this](int leaf, bool upstream_moving) { return visit(leaf, upstream_moving); });
    collect_decisions();
    find_common();
    conclude();
    return std::move(plan_);
  }

 private:
  bool visit(int leaf, bool upstream_moving) {
    const Upstream upstream = upstream_moving ? Upstream::Moving : Upstream::Kept;
    StepDecision decision = graph_.node(leaf).kind == Graph::Kind::Gate ? gate_decision(leaf, upstream)
                                                                        : step_decision(leaf, upstream);
    decision.stage = graph_.node(leaf).stage->name;
    decision.step = graph_.node(leaf).path;
    decision.leaf = leaf;
    if (state_.status == RunStatus::Done) settle(decision);
    decision.lane = graph_.lane_name(leaf);
    // An approval that holds is kept whatever runs again before it; what lies behind it moves all the same.
    const bool moves =
        decision.decision != Decision::Keep ||
        (decision.rule == kApprovalHoldsLabel && upstream_moving && state_.status != RunStatus::Done);
    plan_.decisions.push_back(std::move(decision));
    return moves;
  }

  // Nothing remains to be done in a run that is done, whatever became of its files since.
  static void settle(StepDecision& decision) {
    if (decision.decision == Decision::Keep) return;
    decision.decision = Decision::Keep;
    decision.rule = "WF-21 done";
    decision.detail = decision.reason();
    decision.ground = "the run is done; since then: ";
  }

  const SeenFile* seen_now(const std::string& path) const {
    const auto found = snapshot_.files.find(path);
    return found == snapshot_.files.end() ? nullptr : &found->second;
  }

  FilesNow compare(const std::vector<SeenFile>& recorded, bool as_artifacts) const {
    FilesNow result;
    for (const SeenFile& file : recorded) {
      const SeenFile* now = seen_now(file.path);
      if (now == nullptr) continue;  // not looked at: nothing to say
      const std::string* expected = &file.digest;
      if (as_artifacts) {
        const auto newest = newest_.find(file.path);
        if (newest != newest_.end() && newest->second.second != nullptr) expected = &newest->second.second->digest;
      }
      if (now->digest.empty() && !expected->empty()) {
        result.missing.push_back(file.path);
      } else if (now->digest != *expected) {
        result.changed.push_back(file.path);
      }
    }
    return result;
  }

  Record record_of(const StepPath& path, const Stage& stage, const StepState* step) const {
    if (stage.takes_answers && is_question_open() && (step == nullptr || is_to_be_done(*step)))
      return Record::Asked;
    if (step == nullptr) return Record::None;
    switch (step->record) {
      case StepState::Record::Reset: return Record::Reset;
      case StepState::Record::Skipped: return Record::Skipped;
      case StepState::Record::Done: return Record::Done;
      case StepState::Record::Open: {
        const auto sight = snapshot_.sights.find(path);
        if (sight == snapshot_.sights.end() || sight->second == Sight::Gone) return Record::Cut;
        return sight->second == Sight::Running ? Record::Watched : Record::Ended;
      }
      case StepState::Record::Failed: break;
    }
    if (step->needs_human || was_asked_about_found(path, *step)) return Record::Asked;
    if (is_cut_off(*step)) return Record::Cut;
    return step->outcome == AttemptOutcome::Later ? Record::Later : Record::Failed;
  }

  // Found work whose own rules want a person first: no attempt of ours asked.
  bool was_asked_about_found(const StepPath& path, const StepState& step) const {
    return step.attempts == 0 && state_.gates.contains(path);
  }

  static bool is_to_be_done(const StepState& step) {
    return step.record == StepState::Record::Reset || step.record == StepState::Record::Failed;
  }

  bool is_question_open() const {
    return std::ranges::any_of(state_.questions, [](const auto& entry) { return !entry.second.answer; });
  }

  bool is_refused(const StepPath& path) const {
    const auto gate = state_.gates.find(path);
    return gate != state_.gates.end() && gate->second.record == GateState::Record::Rejected;
  }

  bool is_answered(const StepPath& path, const Stage& stage) const {
    if (stage.takes_answers && is_question_open()) return false;
    const auto gate = state_.gates.find(path);
    if (gate != state_.gates.end() && gate->second.record == GateState::Record::Open) return false;
    for (const auto& [id, question] : state_.questions) {
      if (question.step == path && !question.answer) return false;
    }
    return true;
  }

  StepDecision step_decision(int leaf, Upstream upstream) {
    const Graph::Node& node = graph_.node(leaf);
    const StepState* step = graph_.record(leaf);
    StepSituation situation{.record = record_of(node.path, *node.stage, step), .upstream = upstream};
    situation.resume = node.stage->resume;
    situation.verifier = node.stage->verify ? Verifier::Declared : Verifier::None;
    situation.answer = is_refused(node.path)                 ? Answer::Refused
                       : is_answered(node.path, *node.stage) ? Answer::Given
                                                             : Answer::Open;
    FilesNow inputs;
    FilesNow artifacts;
    if (step != nullptr && node.upstream_changed > step->checked_event) situation.upstream = Upstream::Moving;
    if (step != nullptr) {
      situation.work = step->work.empty() || step->work == work_digest(*node.stage) ? Work::Same : Work::Changed;
      inputs = compare(step->inputs, false);
      artifacts = compare(step->artifacts, true);
      if (!inputs.changed.empty() || !inputs.missing.empty()) situation.inputs = Inputs::Changed;
      if (!artifacts.missing.empty()) {
        situation.artifacts = Artifacts::Missing;
      } else if (!artifacts.changed.empty()) {
        situation.artifacts = Artifacts::Unlike;
      }
    }
    const auto products = snapshot_.products.find(node.path);
    if (products != snapshot_.products.end()) {
      const bool proven = products->second.declared && products->second.complete;
      situation.products = proven ? Products::Proven : Products::Unproven;
      if (situation.record == Record::Done && !products->second.complete) situation.artifacts = Artifacts::Missing;
    }
    const StepRow& row = decide(situation);
    StepDecision decision;
    decision.decision = row.decision;
    decision.rule = row.label;
    decision.ground = row.reason;
    add_detail(decision, situation, step, inputs, artifacts);
    add_step_evidence(decision, node.path, step, situation);
    if (row.label == "WF-20 artifact") {
      for (const std::string& path : artifacts.changed) {
        if (!is_being_made(path)) warn_changed(row.label, node.path, path);
      }
    }
    return decision;
  }

  // Says in the reason which file, which error.
  static void add_detail(StepDecision& decision, const StepSituation& s, const StepState* step,
                         const FilesNow& inputs, const FilesNow& artifacts) {
    const auto name = [&](const FilesNow& files) {
      const std::string& path = files.missing.empty() ? files.changed.front() : files.missing.front();
      decision.detail.edit() += " (" + printable_line(path, 200) + ")";
    };
    if (s.record == Record::Done && s.artifacts == Artifacts::Missing && !artifacts.missing.empty()) {
      name({artifacts.missing, {}});
    } else if (s.record == Record::Done && s.inputs == Inputs::Changed && s.work == Work::Same) {
      name(inputs);
    } else if ((s.record == Record::Failed || s.record == Record::Later || s.record == Record::Reset ||
                s.record == Record::Skipped) &&
               step != nullptr && !step->reason.empty()) {
      decision.detail.edit() += ": " + printable_line(step->reason, 300);
    } else if (s.record == Record::Cut && step != nullptr && was_stopped(*step)) {
      decision.ground = "it was stopped before its end";
      decision.detail.edit() += ": " + printable_line(step->reason, 300) + ", at " + to_text(step->finished_at);
    }
  }

  // Not cut off: its end is on record.
  static bool was_stopped(const StepState& step) {
    return step.record == StepState::Record::Failed && step.outcome == AttemptOutcome::Stopped;
  }

  static RecordSeen::What what_of(Record record, const StepState& step) {
    if (record == Record::Cut && was_stopped(step)) return RecordSeen::What::Stopped;
    switch (record) {
      case Record::Done: return RecordSeen::What::Succeeded;
      case Record::Watched: return RecordSeen::What::Running;
      case Record::Ended: return RecordSeen::What::Ended;
      case Record::Cut: return RecordSeen::What::CutOff;
      case Record::Skipped: return RecordSeen::What::Skipped;
      default: return RecordSeen::What::DidNotSucceed;
    }
  }

  void add_step_evidence(StepDecision& decision, const StepPath& path, const StepState* step,
                         const StepSituation& situation) const {
    if (step == nullptr) {
      decision.record.what = RecordSeen::What::Untried;
      return;
    }
    decision.record = {what_of(situation.record, *step), step->attempts, step->exit_code, step->signal};
    for (const SeenFile& file : step->artifacts) add_file_evidence(decision, file.path);
    for (const SeenFile& file : step->inputs) add_file_evidence(decision, file.path);
    const auto products = snapshot_.products.find(path);
    if (products != snapshot_.products.end() && !products->second.explanation.empty()) {
      decision.seen.edit().push_back({"check", path.text, products->second.explanation});
    }
  }

  void add_file_evidence(StepDecision& decision, const std::string& path) const {
    const SeenFile* now = seen_now(path);
    if (now != nullptr)
      decision.seen.edit().push_back({"file", path, now->digest.empty() ? "missing" : now->digest});
  }

  StepDecision gate_decision(int leaf, Upstream upstream) {
    const Graph::Node& node = graph_.node(leaf);
    GateSituation situation{.record = GateRecord::None, .shown = Shown::Same, .upstream = upstream};
    const StepState* step = graph_.record(leaf);
    const auto gate = state_.gates.find(node.path);
    StepDecision decision;
    if (step != nullptr && step->record == StepState::Record::Skipped) {
      const StepRow& row = decide(StepSituation{.record = Record::Skipped});
      decision.decision = row.decision;
      decision.rule = row.label;
      decision.ground = row.reason;
      decision.record.what = RecordSeen::What::Skipped;
      if (!step->reason.empty()) decision.detail = ": " + printable_line(step->reason, 300);
      return decision;
    }
    std::string changed;
    if (gate != state_.gates.end()) {
      situation.record = gate->second.record == GateState::Record::Open       ? GateRecord::Open
                         : gate->second.record == GateState::Record::Approved ? GateRecord::Approved
                                                                              : GateRecord::Rejected;
      const FileLookup now = [this](const std::string& path) { return seen_now(path); };
      const bool holds = snapshot_.workflow->policy.approvals_hold || state_.status == RunStatus::Done;
      if (!holds && situation.record == GateRecord::Approved)
        changed = redefined_since_approval(graph_, leaf, state_);
      if (!changed.empty()) {
        situation.shown = Shown::Redefined;
      } else {
        changed = file_changed_since_approval(graph_, leaf, state_, now);
        if (!changed.empty()) situation.shown = Shown::Changed;
      }
      for (const SeenFile& file : gate->second.shows) add_file_evidence(decision, file.path);
      if (!gate->second.by.empty())
        decision.seen.edit().push_back({"gate", node.path.text, "decided by " + gate->second.by});
      if (holds && situation.record == GateRecord::Approved) {
        if (!changed.empty()) warn_approved(node.path, changed);
        decision.decision = Decision::Keep;
        decision.rule = kApprovalHoldsLabel;
        decision.ground = "it was approved, and is not asked again";
        return decision;
      }
    }
    const GateRow& row = decide(situation);
    decision.decision = row.decision;
    decision.rule = row.label;
    decision.ground = row.reason;
    if (situation.record == GateRecord::Rejected && !gate->second.because.empty()) {
      decision.detail.edit() += ": " + printable_line(gate->second.because, 300);
    }
    if (situation.shown != Shown::Same) decision.detail.edit() += " (" + printable_line(changed, 200) + ")";
    if (decision.seen.empty()) decision.seen.edit().push_back({"gate", node.path.text, "no decision is recorded"});
    return decision;
  }

  // Whether a step that was cut off makes the file: then its change is no surprise.
  bool is_being_made(const std::string& path) const {
    for (const int leaf : cut_off_steps(state_, graph_)) {
      for (const Product& product : graph_.node(leaf).stage->produces) {
        if (graph_.resolve_path(leaf, product.path) == path) return true;
      }
    }
    return false;
  }

  void warn_approved(const StepPath& gate, const std::string& path) {
    plan_.findings.push_back({.rule = "PB-11",
                              .code = "approved_changed",
                              .severity = Severity::Warning,
                              .message = printable_line(path, 200) + " has changed since " + gate.text +
                                         " was approved; it is not asked again",
                              .claimed = "",
                              .seen = "",
                              .remedy = ""});
  }

  // Once for a file that several steps wrote: the last of them made it what it should be.
  void warn_changed(std::string_view rule, const StepPath& step, const std::string& path) {
    const auto newest = newest_.find(path);
    const StepState* writer = state_.find_step(step);
    const bool is_last = newest == newest_.end() || writer == nullptr ||
                         std::ranges::any_of(writer->artifacts,
                                             [&](const SeenFile& file) { return &file == newest->second.second; });
    if (!is_last) return;
    const SeenFile* now = seen_now(path);
    plan_.findings.push_back(
        {.rule = std::string(rule),
         .code = "artifact_changed",
         .severity = Severity::Warning,
         .message = printable_line(path, 200) + " was changed after step " + step.text + " produced it",
         .claimed = newest == newest_.end() ? "" : newest->second.second->digest,
         .seen = now == nullptr ? "" : now->digest,
         .remedy =
             is_closed() ? "" : "reprise retry " + shell_quote(state_.id.shown()) + " " + shell_quote(step.text)});
  }

  // Done or stopped: nothing more can be decided in it.
  bool is_closed() const { return state_.status == RunStatus::Done || state_.status == RunStatus::Stopped; }

  // Leaves that the walk passed by without a visit are those that nothing asks for.
  void collect_decisions() {
    const std::vector<int> leaves = graph_.leaves();
    std::vector<bool> is_decided(static_cast<std::size_t>(graph_.size()));
    for (const StepDecision& decision : plan_.decisions)
      is_decided[static_cast<std::size_t>(decision.leaf)] = true;
    for (const int leaf : leaves) {
      if (!is_decided[static_cast<std::size_t>(leaf)]) plan_.decisions.push_back(not_needed(leaf));
    }
    put_in_order(leaves);
    for (const int failed : graph_.failed()) {
      const Graph::Node& node = graph_.node(failed);
      StepDecision decision{
          .stage = node.stage->name, .step = node.path, .decision = Decision::Refuse, .leaf = failed};
      decision.rule = "WF-23 exhausted";
      decision.ground = "the loop ended: ";
      decision.detail = node.failure.get();
      decision.seen = {Evidence{"event", node.path.text, node.failure}};
      plan_.decisions.push_back(std::move(decision));
    }
  }

  StepDecision not_needed(int leaf) const {
    const Graph::Node& node = graph_.node(leaf);
    StepDecision decision{.stage = node.stage->name, .step = node.path, .decision = Decision::Keep, .leaf = leaf};
    decision.rule = kNotNeededLabel;
    decision.ground = "not needed: ";
    decision.detail = graph_.why_not_needed(leaf);
    decision.seen = {Evidence{"definition", node.path.text, "not needed"}};
    if (const std::optional<Graph::Unmet> unmet = graph_.find_unmet(leaf)) {
      decision.seen.edit().push_back({unmet->is_verdict ? "verdict" : "input", unmet->condition->name,
                                      unmet->seen.empty() ? "none" : printable_line(unmet->seen, 200)});
    }
    return decision;
  }

  // The walk visits by need, a plan is read in the order of the definition.
  void put_in_order(const std::vector<int>& leaves) {
    std::vector<std::int32_t> rank(static_cast<std::size_t>(graph_.size()));
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      rank[static_cast<std::size_t>(leaves[i])] = static_cast<std::int32_t>(i);
    }
    const auto by_rank = [&](const StepDecision& decision) {
      return rank[static_cast<std::size_t>(decision.leaf)];
    };
    if (!std::ranges::is_sorted(plan_.decisions, {}, by_rank)) std::ranges::sort(plan_.decisions, {}, by_rank);
  }

  bool is_overruled(const std::string& code, const std::string& seen) const {
    const auto found = state_.overruled.find(code);
    return found != state_.overruled.end() && found->second.seen == seen;
  }

  void find_common() {
    for (const SeenFile& file : state_.baseline) {
      const SeenFile* now = seen_now(file.path);
      if (now == nullptr || now->digest == file.digest || is_overruled("baseline_changed", now->digest)) continue;
      plan_.findings.push_back(
          {.rule = "WF-40 baseline",
           .code = "baseline_changed",
           .severity = Severity::Blocking,
           .message =
               printable_line(file.path, 200) +
               (now->digest.empty() ? " is gone; the run started with it" : " has changed since the run started"),
           .claimed = file.digest,
           .seen = now->digest.empty() ? "missing" : now->digest,
           .remedy = "reprise accept " + shell_quote(state_.id.shown()) + " baseline_changed --because TEXT"});
    }
    if (!snapshot_.definition_changed.empty()) {
      plan_.findings.push_back(
          {.rule = "WF-41 definition",
           .code = "definition_changed",
           .severity = Severity::Warning,
           .message = "the definition has changed since the run used it: " + snapshot_.definition_changed,
           .claimed = state_.definition,
           .seen = "",
           .remedy = ""});
    }
    for (Finding& finding : find_checkout_difference(snapshot_, graph_))
      plan_.findings.push_back(std::move(finding));
    for (const std::string& refused : state_.state_file.refused) {
      plan_.findings.push_back(
          {.rule = "WF-43 edit",
           .code = "edit_refused",
           .severity = Severity::Info,
           .message = words_for_refused_edit(state_.state_file.path, refused, state_.state_file.kept),
           .claimed = "",
           .seen = "",
           .remedy = ""});
    }
    if (plan_.age >= std::chrono::hours(24) && !state_.is_ended()) {
      plan_.findings.push_back({.rule = "OR-05",
                                .code = "old_state",
                                .severity = Severity::Info,
                                .message = "the last activity was " + to_text(plan_.age) + " ago",
                                .claimed = "",
                                .seen = to_text(snapshot_.last_activity),
                                .remedy = ""});
    }
  }

  void add_waiting() {
    if (is_closed()) return;
    for (const auto& [path, gate] : state_.gates) {
      if (gate.record == GateState::Record::Open) plan_.waiting_for.push_back({"gate", path.text, gate.ask});
    }
    for (const StepDecision& decision : plan_.decisions) {
      const int leaf = decision.leaf;
      if (decision.decision != Decision::Wait || leaf < 0 || graph_.node(leaf).kind != Graph::Kind::Gate) continue;
      const auto gate = state_.gates.find(decision.step);
      if (gate == state_.gates.end() || gate->second.record != GateState::Record::Open) {
        plan_.waiting_for.push_back(
            {"gate", decision.step.text, graph_.resolve(leaf, graph_.node(leaf).stage->gate->ask)});
      }
    }
    for (const auto& [id, question] : state_.questions) {
      if (!question.answer) plan_.waiting_for.push_back({"question", id, question.text});
    }
  }

  void conclude() {
    add_waiting();
    bool blocking = false;
    bool warning = false;
    for (const Finding& finding : plan_.findings) {
      blocking = blocking || finding.severity == Severity::Blocking;
      warning = warning || finding.severity == Severity::Warning;
    }
    bool runnable = false;
    bool refused = false;
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < plan_.decisions.size(); ++i) {
      const StepDecision& decision = plan_.decisions[i];
      if (decision.decision == Decision::Keep) {
        count_saved(decision.leaf);
        continue;
      }
      if (decision.decision == Decision::Rerun) count_again(decision.leaf);
      if (!first) first = i;
      const bool now =
          decision.leaf >= 0 && !graph_.node(decision.leaf).upstream_moving && !is_asked_about(decision.step);
      runnable = runnable || (now && decision.decision != Decision::Wait && decision.decision != Decision::Refuse);
      refused = refused || (now && decision.decision == Decision::Refuse);
    }
    plan_.readiness = readiness(blocking, warning, runnable, refused, first.has_value());
    const bool open = plan_.readiness != Readiness::Blocked && plan_.readiness != Readiness::Fresh &&
                      plan_.readiness != Readiness::Done;
    if (open && first) {
      plan_.resume_point = first;
      const int leaf = plan_.decisions[*first].leaf;
      if (leaf >= 0 && graph_.node(leaf).iteration > 0) plan_.iteration = graph_.node(leaf).iteration;
    }
    add_options();
  }

  Readiness readiness(bool blocking, bool warning, bool runnable, bool refused, bool anything) const {
    if (state_.status == RunStatus::Done) return Readiness::Done;
    if (state_.status == RunStatus::Stopped) return Readiness::Fresh;
    if (blocking || (refused && !runnable)) return Readiness::Blocked;
    if (is_over_cost()) return Readiness::Wait;
    if (!anything) return warning ? Readiness::Confirm : Readiness::Ready;  // only its end is not recorded
    if (!runnable) return Readiness::Wait;
    return warning ? Readiness::Confirm : Readiness::Ready;
  }

  // Nothing becomes of a step before a person has said what is to become of it.
  bool is_asked_about(const StepPath& step) const {
    const auto gate = state_.gates.find(step);
    return gate != state_.gates.end() && gate->second.record == GateState::Record::Open &&
           state_.find_step(step) != nullptr;
  }

  // Nothing starts before somebody allows more.
  bool is_over_cost() const {
    const auto gate = state_.gates.find(StepPath{std::string(kCostGate)});
    return gate != state_.gates.end() && gate->second.record == GateState::Record::Open;
  }

  void count_saved(int leaf) {
    const StepState* step = graph_.record(leaf);
    if (step == nullptr || step->record != StepState::Record::Done) return;
    ++plan_.saved_steps;
    plan_.saved_time += step->took;
  }

  void count_again(int leaf) {
    const StepState* step = leaf < 0 ? nullptr : graph_.record(leaf);
    if (step == nullptr || step->attempts == 0) return;
    ++plan_.again_steps;
    if (step->record != StepState::Record::Open) plan_.again_time += step->took;
  }

  void add_options() {
    const std::string id = shell_quote(state_.id.shown());
    if (plan_.readiness == Readiness::Ready || plan_.readiness == Readiness::Confirm) {
      plan_.options.push_back({"resume", "reprise resume " + id});
    }
    for (const Waiting& waiting : plan_.waiting_for) {
      if (waiting.kind == "gate") {
        plan_.options.push_back({"approve", "reprise approve " + id + " " + shell_quote(waiting.name)});
      } else {
        plan_.options.push_back({"answer", "reprise answer " + id + " " + shell_quote(waiting.name) + " TEXT"});
      }
    }
    for (const Finding& finding : plan_.findings) {
      if (finding.severity == Severity::Blocking) plan_.options.push_back({"accept", finding.remedy});
    }
    for (const StepDecision& decision : plan_.decisions) {
      if (decision.rule == "WF-07 report" || decision.rule == "WF-11 refused") {
        plan_.options.push_back({"restart", "reprise retry " + id + " " + shell_quote(decision.step.text)});
      }
      if (decision.rule == "WF-30 rejected" || decision.rule == "WF-23 exhausted") {
        plan_.options.push_back({"from", "reprise resume " + id + " --from " + shell_quote(decision.step.text)});
      }
    }
    if (state_.archived && state_.state_file.path.empty()) plan_.options.push_back({"undo", "reprise undo " + id});
    if (plan_.readiness == Readiness::Fresh) {
      plan_.options.push_back({"fresh", "reprise run " + shell_quote(state_.workflow) +
                                            (state_.subject.empty() ? "" : " " + shell_quote(state_.subject))});
    }
  }

  const RunSnapshot& snapshot_;
  const RunState& state_;
  Graph& graph_;
  Plan plan_;
  std::unordered_map<std::string, std::pair<EventNumber, const SeenFile*>> newest_;
};

}  // namespace

bool is_cut_off(const StepState& step) {
  return step.record == StepState::Record::Failed &&
         (step.outcome == AttemptOutcome::Interrupted || step.outcome == AttemptOutcome::Stopped);
}

Plan make_plan(const RunSnapshot& snapshot, Graph& graph) { return PlanMaker(snapshot, graph).make(); }

}  // namespace reprise
