#include "app/playbook_system.h"

#include <algorithm>

#include "app/playbook_look.h"
#include "app/project_files.h"
#include "app/systems.h"
#include "base/strings.h"
#include "evidence/collector.h"
#include "formats/playbook.h"
#include "formats/playbook_show.h"
#include "model/playbook_stages.h"
#include "planner/playbook_rules.h"

namespace reprise {
namespace {

bool is_over(const StepState* step) {
  return step != nullptr &&
         (step->record == StepState::Record::Done || step->record == StepState::Record::Skipped);
}

const PlaybookCheckpoint* checkpoint_named(std::string_view box) {
  const auto found = std::ranges::find_if(kPlaybookCheckpoints, [&](const PlaybookCheckpoint& checkpoint) {
    return to_lower(checkpoint.box) == to_lower(box);
  });
  return found == kPlaybookCheckpoints.end() ? nullptr : &*found;
}

constexpr std::size_t kNotesMax = 200;  // of a found file, its last ones: a brief is read by somebody

// The paragraphs of `now` that `before` does not have.
std::vector<std::string> new_lines(std::string_view before, std::string_view now) {
  std::vector<std::string> lines;
  for (const std::string_view line : split(now, '\n')) {
    const std::string_view text = trim(line);
    if (!text.empty() && before.find(text) == std::string_view::npos) lines.emplace_back(text);
  }
  return lines;
}

// One judgement: what the rules say, and the events by which the record comes to say the same.
class PlaybookJudge {
 public:
  PlaybookJudge(App& app, const RunState& state, const Graph& graph, PlaybookSnapshot& seen)
      : state_(state), graph_(graph), seen_(seen), collector_(app.files, app.project) {}

  Result<Judgement> judge() {
    TRY_VOID(compare_with_approved_spec());
    TRY_VOID(forget_what_was_made_for_another_spec());
    TRY_VOID(believe_record());
    out_.plan = plan_playbook(seen_);
    const bool goes_on = out_.plan.readiness == Readiness::Ready || out_.plan.readiness == Readiness::Confirm ||
                         out_.plan.readiness == Readiness::Wait || out_.plan.readiness == Readiness::Blocked;
    if (!goes_on) return std::move(out_);
    TRY_VOID(settle_gates());
    for (const StepDecision& decision : out_.plan.decisions) TRY_VOID(follow(decision));
    TRY_VOID(ask_first());
    if (is_found_only()) hand_on_what_is_known();
    if (!is_found_only()) leave_to_engine();
    return std::move(out_);
  }

 private:
  // What the record knows of a stage outranks a row of the file: a stage that was set back is not completed, and
  // one that is done is completed whether it has a row or not.
  Result<void> believe_record() {
    std::erase_if(seen_.claims.completed, [&](const ClaimedStage& claim) {
      const StepState* step = state_.find_step(StepPath{claim.stage});
      return step != nullptr && !is_over(step) && !seen_.made_for_other_spec.contains(claim.stage);
    });
    for (const PlaybookStageSpec& spec : kPlaybookStages) {
      const StepState* step = state_.find_step(StepPath{std::string(spec.name)});
      if (is_over(step) && claim_of(std::string(spec.name)) == nullptr) TRY_VOID(claim_recorded(spec.name, *step));
    }
    // What lies there proves nothing about a stage that we never started, and the engine itself has looked at what
    // a cut-off attempt of ours left. Of a run that was found it counts once, when it is adopted.
    if (is_found_only() && state_.steps.size() == 0) return {};
    for (auto& [stage, artifact] : seen_.of_current) artifact = {};
    return {};
  }

  Result<void> claim_recorded(std::string_view stage, const StepState& step) {
    ClaimedStage claim{.stage = std::string(stage)};
    for (const SeenFile& file : step.artifacts) {
      claim.artifacts.push_back(file.path);
      const SeenFile now = TRY(collector_.look(file.path, nullptr));
      seen_.artifacts[file.path] = {.exists = !now.digest.empty(), .complete = true, .digest = now.digest};
    }
    seen_.claims.completed.push_back(std::move(claim));
    return {};
  }

  // The record knows which spec was approved, whatever the file says now: who edits the spec can edit its hash
  // too. An approval of the content alone is left to the file, which is where that hash stands.
  Result<void> compare_with_approved_spec() {
    const auto gate = state_.gates.find(StepPath{"spec-approval"});
    const bool is_approved = gate != state_.gates.end() && gate->second.record == GateState::Record::Approved;
    if (is_found_only() || !is_approved || gate->second.approved.empty()) return {};
    const SeenFile& approved = gate->second.approved.front();
    if (approved.digest.empty() || approved.path != seen_.spec_file || seen_.spec == SpecSeen::Missing) return {};
    const SeenFile now = TRY(collector_.look(seen_.spec_file, nullptr));
    if (now.digest == approved.digest) {
      seen_.spec = SpecSeen::Same;
    } else if (seen_.spec_method != "content") {
      seen_.spec = SpecSeen::Changed;
      seen_.claims.spec_hash = {ClaimedHash::Complete, approved.digest.substr(approved.digest.find(':') + 1)};
    }
    return {};
  }

  // What the session before has left for the next one stands in the briefs from now on: the notes, what failed
  // again and again, and what was said last.
  void hand_on_what_is_known() {
    const std::vector<std::string> notes = new_lines("", seen_.claims.notes);
    for (std::size_t i = notes.size() - std::min(notes.size(), kNotesMax); i < notes.size(); ++i)
      add_note(notes[i]);
    for (const ClaimedCluster& cluster : seen_.claims.clusters) {
      std::string text = "failure cluster " + cluster.cluster;
      if (!cluster.stage.empty()) text += ", at " + cluster.stage;
      if (cluster.retries) text += ", tried again " + std::to_string(*cluster.retries) + " time(s)";
      add_note(std::string(kNoteFromFile) + text + (cluster.notes.empty() ? "" : ": " + cluster.notes));
    }
    for (const ClaimedIterations& row : seen_.claims.iterations) {
      if (row.cycles.value_or(0) > 0) add_note(note_of_cycles(row.stage, *row.cycles));
    }
    const ClaimedStageDetail& detail = seen_.claims.detail;
    if (!detail.stage.empty() && detail.retry_count.value_or(0) > 0)
      add_note(note_of_retries(detail.stage, *detail.retry_count));
    const auto last = std::ranges::find(seen_.claims.detail.fields, "last_output_summary", &ClaimedField::key);
    if (last == seen_.claims.detail.fields.end() || last->value.empty() || last->value == "N/A") return;
    const std::string& stage = seen_.claims.detail.stage;
    add_note(std::string(kNoteFromFile) + "last output" + (stage.empty() ? "" : " of " + stage) + ": " +
             last->value);
  }

  void add_note(const std::string& text) {
    if (std::ranges::find(state_.notes, text) == state_.notes.end())
      out_.events.push_back(NoteAdded{text, seen_.state_file});
  }

  // Whether nothing but the state file tells of the run so far.
  bool is_found_only() const { return state_.adopted && state_.session_event.value == 0; }

  // A person accepted another spec: every stage after clarify that was done before that runs again (PB-02).
  Result<void> forget_what_was_made_for_another_spec() {
    EventNumber accepted{0};
    for (const char* code : {"spec_hash_changed", "spec_hash_unreadable"}) {
      const auto found = state_.overruled_event.find(code);
      if (found == state_.overruled_event.end()) continue;
      accepted = std::max(accepted, found->second);
      // The file says so only once it is written, which a run that was just found is not yet.
      if (state_.overruled.at(code).seen == seen_.spec_digest) seen_.spec = SpecSeen::Same;
    }
    if (accepted.value == 0) return {};
    for (std::size_t i = index_of_stage("clarify") + 1; i < kPlaybookStages.size(); ++i) {
      const std::string stage(kPlaybookStages[i].name);
      const StepState* step = state_.find_step(StepPath{stage});
      const bool is_only_set_back = step != nullptr && step->attempts == 0 && !is_over(step);
      if (step != nullptr && step->checked_event > accepted && !is_only_set_back) continue;
      if (step == nullptr && !is_found_only()) continue;  // it has never been done
      seen_.made_for_other_spec.insert(stage);
      if (is_over(step)) out_.events.push_back(StepReset{{stage}, "PB-02", "", "another spec was accepted"});
    }
    return approve_spec(accepted);
  }

  // The accepted spec is what spec and clarify have left, and what their approval is about, from now on.
  Result<void> approve_spec(EventNumber accepted) {
    for (const char* stage : {"spec", "clarify"}) {
      const std::optional<int> leaf = graph_.find(StepPath{stage});
      const StepState* step = state_.find_step(StepPath{stage});
      if (!leaf || step == nullptr || step->record != StepState::Record::Done || step->checked_event > accepted)
        continue;
      std::vector<SeenFile> files;
      for (const SeenFile& file : step->artifacts) files.push_back(TRY(collector_.look(file.path, nullptr)));
      out_.events.push_back(StepVerified{{stage}, "another spec was accepted", step->work, step->inputs, files});
      const std::optional<int> gate = graph_.find(StepPath{"spec-approval"});
      if (gate && std::string_view(stage) == "clarify")
        out_.events.push_back(
            GateDecided{{"spec-approval"}, true, by_whom(), "another spec was accepted", TRY(shown(*gate))});
    }
    return {};
  }

  std::string by_whom() const {
    for (const char* code : {"spec_hash_changed", "spec_hash_unreadable"}) {
      const auto found = state_.overruled.find(code);
      if (found != state_.overruled.end()) return found->second.by;
    }
    return "";
  }

  Result<void> follow(const StepDecision& decision) {
    const std::optional<int> leaf = graph_.find(decision.step);
    if (!leaf) return {};  // a stage that only the file knows
    if (graph_.node(*leaf).kind == Graph::Kind::Gate) return {};
    const StepState* step = state_.find_step(decision.step);
    if (step != nullptr && step->record == StepState::Record::Open) return {};
    const bool is_reset = std::ranges::any_of(out_.events, [&](const Event& event) {
      const StepReset* reset = std::get_if<StepReset>(&event);
      return reset != nullptr && reset->step == decision.step;
    });
    if (is_reset) return {};
    const std::string rule(decision.rule.substr(0, decision.rule.find(' ')));
    switch (decision.decision) {
      case Decision::Keep:
      case Decision::Verify:
        if (!is_over(step)) return import(decision, *leaf, rule, true);
        return {};
      case Decision::Rerun:
        if (step == nullptr && is_found_only() && !recorded_artifact(claim_of(decision.stage), *leaf).empty())
          TRY_VOID(import(decision, *leaf, rule, false));
        if (step == nullptr ? is_found_only() : is_over(step))
          out_.events.push_back(StepReset{decision.step, rule, "", decision.reason()});
        return {};
      case Decision::Continue:
        if (step == nullptr) return is_found_only() ? import(decision, *leaf, rule, false) : Result<void>();
        if (is_over(step)) out_.events.push_back(StepReset{decision.step, rule, "", decision.reason()});
        return {};
      default: return {};
    }
  }

  const ClaimedStage* claim_of(const std::string& stage) const {
    const auto found = std::find_if(seen_.claims.completed.rbegin(), seen_.claims.completed.rend(),
                                    [&](const ClaimedStage& claim) { return claim.stage == stage; });
    return found == seen_.claims.completed.rend() ? nullptr : &*found;
  }

  Result<void> import(const StepDecision& decision, int leaf, const std::string& rule, bool done) {
    const Stage& stage = *graph_.node(leaf).stage;
    const ClaimedStage* claim = claim_of(decision.stage);
    ClaimImported event{.step = decision.step, .done = done, .source = seen_.state_file, .rule = rule};
    if (claim != nullptr) event.source += " line " + std::to_string(claim->line);
    event.work = work_digest(stage);
    if (done) event.artifacts = TRY(artifacts_of(claim, leaf));
    if (!done) event.artifacts = recorded_artifact(claim, leaf);
    out_.events.push_back(std::move(event));
    return {};
  }

  // What the stage made before, by the digest that its row gives: if it comes out the same, what was made from it
  // stays.
  std::vector<SeenFile> recorded_artifact(const ClaimedStage* claim, int leaf) const {
    const std::vector<Product>& products = graph_.node(leaf).stage->produces;
    if (claim == nullptr || claim->hash.form != ClaimedHash::Complete || claim->artifacts.size() != 1 ||
        products.size() != 1)
      return {};
    return {{graph_.resolve(leaf, products.front().path), "sha256:" + claim->hash.digits, ""}};
  }

  Result<std::vector<SeenFile>> artifacts_of(const ClaimedStage* claim, int leaf) {
    std::vector<SeenFile> seen;
    if (claim != nullptr) {
      for (const std::string& path : claim->artifacts) {
        for (const std::string& place : {path, "specs/" + seen_.subject + "/" + path}) {
          SeenFile file = TRY(collector_.look(place, nullptr));
          if (file.digest.empty()) continue;
          seen.push_back(std::move(file));
          break;
        }
      }
    }
    if (!seen.empty()) return seen;
    for (const Product& product : graph_.node(leaf).stage->produces) {
      SeenFile file = TRY(collector_.look(graph_.resolve(leaf, product.path), nullptr));
      if (!file.digest.empty()) seen.push_back(std::move(file));
    }
    return seen;
  }

  // Boxes that were ticked in a run that was found are approvals (PB-11); those of a run of ours are read as
  // edits, which knows who may have made them. One that is not ticked is asked for, and what lies behind it waits.
  Result<void> settle_gates() {
    if (!is_found_only()) return {};
    for (const PlaybookCheckpoint& checkpoint : kPlaybookCheckpoints) {
      const StepPath gate{std::string(checkpoint.gate)};
      const std::optional<int> leaf = graph_.find(gate);
      if (!leaf || graph_.node(*leaf).kind != Graph::Kind::Gate || state_.gates.contains(gate)) continue;
      const ClaimedCheckpoint* box = find_checkpoint(seen_.claims, checkpoint.box);
      const bool is_open = std::ranges::any_of(out_.plan.decisions, [&](const StepDecision& decision) {
        return decision.step == gate && decision.decision == Decision::Wait;
      });
      if (box != nullptr && box->ticked) {
        out_.events.push_back(GateDecided{gate, true, seen_.state_file + " line " + std::to_string(box->line), "",
                                          TRY(shown(*leaf))});
      } else if (is_open) {
        const std::string ask = graph_.resolve(*leaf, graph_.node(*leaf).stage->gate->ask);
        out_.events.push_back(GateOpened{gate, ask, TRY(shown(*leaf))});
      }
    }
    return {};
  }

  Result<std::vector<SeenFile>> shown(int leaf) {
    std::vector<SeenFile> files;
    for (const std::string& path : graph_.node(leaf).stage->gate->shows)
      files.push_back(TRY(collector_.look(graph_.resolve(leaf, path), nullptr)));
    return files;
  }

  // What the file waits for is asked before anything starts (PB-06), also by later sessions.
  Result<void> ask_first() {
    if (!is_found_only()) {
      out_.ask_first = gate_open_before_its_stage();
      return {};
    }
    if (out_.plan.readiness != Readiness::Wait || out_.plan.waiting_for.empty()) return {};
    const Waiting& waiting = out_.plan.waiting_for.front();
    const PlaybookCheckpoint* checkpoint = checkpoint_named(waiting.name);
    const StepPath gate{checkpoint == nullptr ? state_open_gate().value_or("approval")
                                              : std::string(checkpoint->gate)};
    out_.ask_first = gate;
    const bool is_opened = std::ranges::any_of(out_.events, [&](const Event& event) {
      const GateOpened* opened = std::get_if<GateOpened>(&event);
      return opened != nullptr && opened->gate == gate;
    });
    const auto found = state_.gates.find(gate);
    if (is_opened || (found != state_.gates.end() && found->second.record == GateState::Record::Open)) return {};
    const std::optional<int> leaf = graph_.find(gate);
    const bool is_gate = leaf && graph_.node(*leaf).kind == Graph::Kind::Gate;
    out_.events.push_back(GateOpened{gate, waiting.ask, is_gate ? TRY(shown(*leaf)) : std::vector<SeenFile>()});
    return {};
  }

  // The engine asks when a stage is done; only a file that was found waits before.
  std::optional<StepPath> gate_open_before_its_stage() const {
    if (!state_.adopted) return std::nullopt;
    for (const auto& [path, gate] : state_.gates) {
      if (gate.record != GateState::Record::Open) continue;
      const auto checkpoint = std::ranges::find(kPlaybookCheckpoints, path.text, &PlaybookCheckpoint::gate);
      const bool is_stage = state_.find_step(path) != nullptr;
      if (checkpoint == kPlaybookCheckpoints.end() && !is_stage && !graph_.find(path)) return path;
      if (checkpoint == kPlaybookCheckpoints.end() || checkpoint->gate == checkpoint->stage) continue;
      if (!is_over(state_.find_step(StepPath{std::string(checkpoint->stage)}))) return path;
    }
    return std::nullopt;
  }

  std::optional<std::string> state_open_gate() const {
    for (const auto& [path, gate] : state_.gates) {
      if (gate.record == GateState::Record::Open) return path.text;
    }
    return std::nullopt;
  }

  // In a run of ours the engine opens gates and knows which are open, and what became of the attempts at work.
  void leave_to_engine() {
    std::erase_if(out_.plan.decisions, [&](const StepDecision& decision) {
      const StepState* step = state_.find_step(decision.step);
      const std::optional<int> leaf = graph_.find(decision.step);
      return (leaf && graph_.node(*leaf).kind == Graph::Kind::Gate) ||
             (step != nullptr && step->record == StepState::Record::Open);
    });
    out_.plan.resume_point.reset();
    if (out_.plan.readiness != Readiness::Wait) return;
    const bool warns =
        std::ranges::find(out_.plan.findings, Severity::Warning, &Finding::severity) != out_.plan.findings.end();
    out_.plan.readiness = warns ? Readiness::Confirm : Readiness::Ready;
    out_.plan.waiting_for.clear();
  }

  const RunState& state_;
  const Graph& graph_;
  PlaybookSnapshot& seen_;
  Collector collector_;
  Judgement out_;
};

class PlaybookSystem : public NativeState {
 public:
  PlaybookSystem(App& app, std::string subject) : app_(app), subject_(std::move(subject)) {}

  Result<std::string> show(std::string_view bytes, const RunState& state) const override {
    return is_untouched(state) ? std::string(bytes) : show_playbook(bytes, state);
  }

  Result<HandEdits> edits(std::string_view before, std::string_view now, const RunState& state) const override {
    const PlaybookClaims found = TRY(read_playbook(now, state.state_file.path));
    PlaybookClaims known;
    if (!before.empty()) known = TRY(read_playbook(before, state.state_file.path));
    HandEdits edits;
    for (const ClaimedCheckpoint& box : found.checkpoints) {
      const ClaimedCheckpoint* old = find_checkpoint(known, box.name);
      const PlaybookCheckpoint* checkpoint = checkpoint_named(box.name);
      if (box.ticked && checkpoint != nullptr && (old == nullptr || !old->ticked))
        edits.approvals.push_back({StepPath{std::string(checkpoint->gate)}, box.line});
      if (!box.ticked && checkpoint != nullptr && old != nullptr && old->ticked)
        edits.refused.push_back("line " + std::to_string(box.line) +
                                ": an approval is not taken back by unticking \"" + box.name + "\"");
    }
    for (const ClaimedStage& stage : found.completed) {
      const bool was_there =
          std::ranges::any_of(known.completed, [&](const ClaimedStage& old) { return old.stage == stage.stage; });
      if (!was_there) edits.completed.push_back({StepPath{stage.stage}, stage.artifacts, stage.line});
    }
    for (const ClaimedStage& stage : known.completed) {
      const bool is_there = std::ranges::any_of(
          found.completed, [&](const ClaimedStage& still) { return still.stage == stage.stage; });
      if (!is_there)
        edits.refused.push_back("the row of completed stage " + stage.stage + " was removed; it stays completed");
    }
    edits.notes = new_lines(known.notes, found.notes);
    const bool has_ended = found.status == PlaybookStatus::Cancelled || found.status == PlaybookStatus::Failed;
    edits.cancel = has_ended && found.status != known.status;
    if (edits.cancel && found.status == PlaybookStatus::Failed) edits.notes.emplace_back(kFailedByHand);
    return edits;
  }

  std::string resume_note(std::string_view before, Timestamp now) const override {
    const Result<PlaybookClaims> claims = read_playbook(before, "");
    if (!claims) return "";
    const std::string stage = claims->current_stage.empty() ? "unknown" : claims->current_stage;
    return "Resumed from checkpoint at " + to_text(now) + ". Prior session ended at stage: " + stage + ".";
  }

  Result<Judgement> judge(std::string_view bytes, const RunState& state, const Graph& graph) override {
    PlaybookSnapshot seen = TRY(look_at_playbook(app_, subject_, state.state_file.path, bytes));
    if (state.adopted && !state.was_worked_on()) seen.other_state_files = others_beside(state.state_file.path);
    return PlaybookJudge(app_, state, graph, seen).judge();
  }

 private:
  // Further state files of the same feature.
  std::vector<std::string> others_beside(const std::string& file) const {
    std::vector<std::string> others;
    for (const std::string& place : state_file_places(app_, "playbook", subject_)) {
      if (place == file) continue;
      const std::optional<std::string> bytes = read_inside(app_, place);
      if (bytes && read_playbook_standing(*bytes, place)) others.push_back(place);
    }
    return others;
  }

  App& app_;
  std::string subject_;
};

}  // namespace

std::unique_ptr<NativeState> playbook_system(App& app, const std::string& subject) {
  return std::make_unique<PlaybookSystem>(app, subject);
}

}  // namespace reprise
