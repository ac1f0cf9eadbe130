#include "planner/playbook_rules.h"

#include <algorithm>
#include <map>

#include "base/check.h"
#include "base/strings.h"
#include "model/clocks.h"
#include "planner/row_fit.h"

namespace reprise {
namespace {

// A stage that takes part in the plan: one of the playbook's own, or one that only the file knows.
struct PlannedStage {
  std::string name;
  const PlaybookStageSpec* spec = nullptr;  // null: only the file knows it
  const ClaimedStage* claim = nullptr;      // its last row among the completed ones
};

class PlaybookPlanner {
 public:
  explicit PlaybookPlanner(const PlaybookSnapshot& snapshot) : seen_(snapshot), claims_(snapshot.claims) {}

  Plan make() {
    plan_.id = {"playbook/" + seen_.subject};
    plan_.source_file = seen_.state_file;
    last_ = claims_.last_updated_at ? claims_.last_updated_at->time : seen_.file_time;
    plan_.age = std::max(Duration(0), seen_.now - last_);
    list_stages();
    find_current();
    const PlaybookStatusRow& row = decide(claims_.status);
    find_waiting(row.course);
    for (const PlannedStage& stage : stages_) {
      plan_.decisions.push_back(decision_of(stage));
      if (const PlaybookCheckpoint* checkpoint = checkpoint_behind(stage.name))
        plan_.decisions.push_back(decision_of(*checkpoint));
    }
    if (row.course == RunCourse::Done || row.course == RunCourse::Fresh) {
      std::erase_if(plan_.decisions, [](const StepDecision& each) { return is_checkpoint(each); });
      for (StepDecision& decision : plan_.decisions) close(decision, row);
    }
    add_findings(row);
    conclude(row);
    return std::move(plan_);
  }

 private:
  // The playbook's stages in their order; stages that only the file knows stand behind what the file lists
  // before them.
  void list_stages() {
    for (const PlaybookStageSpec& spec : kPlaybookStages) {
      stages_.push_back({.name = std::string(spec.name), .spec = &spec});
    }
    std::string before;
    for (const ClaimedStage& claim : claims_.completed) {
      auto place = std::ranges::find(stages_, claim.stage, &PlannedStage::name);
      if (place == stages_.end()) {
        const auto last = std::ranges::find(stages_, before, &PlannedStage::name);
        place =
            stages_.insert(last == stages_.end() ? stages_.begin() : last + 1, PlannedStage{.name = claim.stage});
      }
      place->claim = &claim;
      before = claim.stage;
    }
  }

  std::optional<std::size_t> index_of(std::string_view name) const {
    const auto found = std::ranges::find(stages_, name, &PlannedStage::name);
    if (found == stages_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - stages_.begin());
  }

  // The stage at which the run stopped: the file's pointer where it is a stage that is not listed as completed,
  // else the first that is not (evidence before pointer).
  void find_current() {
    const std::optional<std::size_t> pointer = index_of(claims_.current_stage);
    if (pointer && stages_[*pointer].claim == nullptr) {
      current_ = *pointer;
      return;
    }
    current_ = stages_.size();
    for (std::size_t i = stages_.size(); i > 0 && stages_[i - 1].claim == nullptr; --i) current_ = i - 1;
  }

  // What the file says that it waits for: the checkpoint of its stage, else one before it that is not ticked. Who
  // has ticked it since is not asked again.
  void find_waiting(RunCourse course) {
    if (course != RunCourse::Wait) return;
    const std::string name = name_of_awaited();
    if (const ClaimedCheckpoint* box = find_checkpoint(claims_, name); box != nullptr && box->ticked) {
      ticked_ = box;
      return;
    }
    if (name == "Architecture sign-off" && is_adr_to_be_made_again()) return;  // it is asked for when that is done
    is_awaited_ = true;
    plan_.waiting_for.push_back({"gate", name,
                                 claims_.status_remark.empty()
                                     ? "\"" + name + "\" is open at stage " + name_of_awaiting() + ". Approve it?"
                                     : claims_.status_remark});
  }

  // An architecture decision is there, but nobody can approve it without its Constitution Check (PB-05).
  bool is_adr_to_be_made_again() const {
    const auto adr = seen_.of_current.find("architect");
    return adr != seen_.of_current.end() && adr->second.exists && !seen_.constitution_completed;
  }

  std::string name_of_awaited() const {
    const std::size_t stage = index_of(claims_.current_stage).value_or(current_);
    const PlaybookStageSpec* spec = stage < stages_.size() ? stages_[stage].spec : nullptr;
    if (spec != nullptr && spec->name == "spec") return "Spec approval";
    if (spec != nullptr && !spec->checkpoint.empty()) return std::string(spec->checkpoint);
    for (const PlaybookCheckpoint& checkpoint : kPlaybookCheckpoints) {
      const std::optional<std::size_t> before = index_of(checkpoint.stage);
      const ClaimedCheckpoint* box = find_checkpoint(claims_, checkpoint.box);
      if (before && *before < stage && box != nullptr && !box->ticked && checkpoint.gate != checkpoint.stage)
        return std::string(checkpoint.box);
    }
    const auto other = std::ranges::find_if(claims_.checkpoints, [](const ClaimedCheckpoint& box) {
      return !box.ticked && std::ranges::find(kPlaybookCheckpoints, box.name, &PlaybookCheckpoint::box) ==
                                kPlaybookCheckpoints.end();
    });
    return other == claims_.checkpoints.end() ? "approval" : other->name;
  }

  // The stage that the file names, where it waits at one that is completed already.
  std::string name_of_awaiting() const {
    return index_of(claims_.current_stage) ? claims_.current_stage : name_of_current();
  }

  bool waits_for(std::string_view box) const {
    return std::ranges::any_of(plan_.waiting_for, [&](const Waiting& waiting) { return waiting.name == box; });
  }

  std::string name_of_current() const {
    return current_ < stages_.size() ? stages_[current_].name : std::string("done");
  }

  // The stage that the pointer names is completed, and its own checkpoint is still to be approved.
  bool is_pointer_awaited() const {
    const std::size_t pointer = index_of_stage(claims_.current_stage);
    return pointer < kPlaybookStages.size() && waits_for(kPlaybookStages[pointer].checkpoint);
  }

  const ArtifactSeen* artifact_seen(const std::string& path) const {
    const auto found = seen_.artifacts.find(path);
    return found == seen_.artifacts.end() ? nullptr : &found->second;
  }

  StageArtifact artifact_of(const PlannedStage& stage) const {
    if (stage.claim != nullptr) {
      if (stage.claim->artifacts.empty()) return StageArtifact::None;
      const bool all = std::ranges::all_of(stage.claim->artifacts, [&](const std::string& path) {
        const ArtifactSeen* file = artifact_seen(path);
        return file != nullptr && file->exists;
      });
      return all ? StageArtifact::Complete : StageArtifact::Missing;
    }
    const auto made = seen_.of_current.find(stage.name);
    if (made == seen_.of_current.end() || !made->second.exists) return StageArtifact::None;
    return made->second.complete ? StageArtifact::Complete : StageArtifact::Partial;
  }

  StagePlace place_of(const PlannedStage& stage, std::size_t index) const {
    if (stage.claim != nullptr) return StagePlace::Completed;
    if (index == current_) return StagePlace::Current;
    return index < current_ ? StagePlace::Passed : StagePlace::Later;
  }

  StepDecision decision_of(const PlannedStage& stage) {
    const std::size_t index = static_cast<std::size_t>(&stage - stages_.data());
    PlaybookSituation situation{.place = place_of(stage, index), .artifact = artifact_of(stage)};
    situation.resume = stage.spec == nullptr ? StageResume::Again : stage.spec->resume;
    const bool is_up = situation.place == StagePlace::Current &&
                       decide(claims_.status).course == RunCourse::Wait && is_adr_to_be_made_again();
    situation.lacks_constitution =
        stage.name == "architect" && !seen_.constitution_completed &&
        (situation.place == StagePlace::Completed || situation.place == StagePlace::Passed || is_up);
    situation.upstream_moving = moving_;
    situation.waits = situation.place == StagePlace::Current && is_awaited_;
    situation.other_spec = seen_.made_for_other_spec.contains(stage.name);
    situation.spec_settled = is_spec_settled(stage, situation.place);
    situation.behind_gate = behind_gate_;
    const PlaybookRow& row = decide(situation);
    StepDecision decision{.stage = stage.name, .step = {stage.name}, .decision = row.decision};
    decision.rule = row.label;
    decision.ground = row.reason;
    add_detail(decision, stage, row.label);
    add_evidence(decision, stage);
    const bool is_again = row.decision != Decision::Keep && row.decision != Decision::Verify &&
                          situation.place != StagePlace::Current;
    moving_ = moving_ || is_again;
    all_kept_ = all_kept_ && (row.decision == Decision::Keep || row.decision == Decision::Verify);
    if (situation.place == StagePlace::Passed) note_passed(stage, row.decision);
    return decision;
  }

  // Whoever approves the spec approves it as it is: the stages that would change it are over.
  bool is_spec_settled(const PlannedStage& stage, StagePlace place) const {
    if (stage.name != "spec" && stage.name != "clarify") return false;
    if (place == StagePlace::Completed || seen_.spec == SpecSeen::Missing) return false;
    const bool waits = decide(claims_.status).course == RunCourse::Wait;
    const ClaimedCheckpoint* box = find_checkpoint(claims_, "Spec approval");
    const bool is_ticked = box != nullptr && box->ticked;
    if (place == StagePlace::Passed) return is_ticked;
    if (place == StagePlace::Current) return waits && (is_ticked || waits_for("Spec approval"));
    return stage.name == "clarify" && current_ == *index_of("spec") && waits &&
           (is_ticked || waits_for("Spec approval"));
  }

  // Of a stage that the run went past, and that the file does not list.
  void note_passed(const PlannedStage& stage, Decision decision) {
    const bool is_settled = is_spec_settled(stage, StagePlace::Passed);
    if (decision == Decision::Run || decision == Decision::Continue) unproven_.push_back(stage.name);
    if (!is_settled && (decision == Decision::Keep || decision == Decision::Verify))
      unlisted_.push_back(stage.name);
  }

  // The checkpoint that stands behind a stage and before the next one.
  static const PlaybookCheckpoint* checkpoint_behind(std::string_view stage) {
    const auto found = std::ranges::find_if(kPlaybookCheckpoints, [&](const PlaybookCheckpoint& checkpoint) {
      return checkpoint.stage == stage && checkpoint.gate != checkpoint.stage;
    });
    return found == kPlaybookCheckpoints.end() ? nullptr : &*found;
  }

  static bool is_checkpoint(const StepDecision& decision) {
    return std::ranges::any_of(kPlaybookCheckpoints, [&](const PlaybookCheckpoint& checkpoint) {
      return checkpoint.gate != checkpoint.stage && decision.step.text == checkpoint.gate;
    });
  }

  StepDecision decision_of(const PlaybookCheckpoint& checkpoint) {
    const ClaimedCheckpoint* box = find_checkpoint(claims_, checkpoint.box);
    const bool is_ticked = box != nullptr && box->ticked;
    const CheckpointRow& row = decide(is_ticked ? CheckpointBox::Ticked : CheckpointBox::Open, !all_kept_);
    StepDecision decision{.stage = std::string(checkpoint.gate), .step = {std::string(checkpoint.gate)}};
    decision.decision = row.decision;
    decision.rule = row.label;
    decision.ground = row.reason;
    const std::string line = box == nullptr ? "" : " line " + std::to_string(box->line);
    decision.seen.edit().push_back({"claim", seen_.state_file + line,
                                    box == nullptr ? "has no box \"" + std::string(checkpoint.box) + "\""
                                    : is_ticked    ? "ticked"
                                                   : "not ticked"});
    if (row.decision != Decision::Wait) return decision;
    behind_gate_ = true;
    if (!waits_for(checkpoint.box)) {
      plan_.waiting_for.push_back({"gate", std::string(checkpoint.box),
                                   "\"" + std::string(checkpoint.box) + "\" is not ticked. Approve it?"});
    }
    return decision;
  }

  // A run that is over: nothing of it is done any more, whatever its stages look like.
  static void close(StepDecision& decision, const PlaybookStatusRow& row) {
    if (decision.decision == Decision::Keep && row.course == RunCourse::Done) return;
    decision.decision = row.course == RunCourse::Done ? Decision::Keep : Decision::Refuse;
    decision.rule = row.label;
    decision.ground = row.reason;
    decision.detail = {};
  }

  void add_detail(StepDecision& decision, const PlannedStage& stage, std::string_view label) const {
    if (label == "PB-05 constitution" && !seen_.constitution_fault.empty()) {
      decision.detail = ": " + printable_line(seen_.constitution_fault, 200);
    }
    if (label != "PB-03 missing") return;
    std::string gone;
    for (const std::string& path : stage.claim->artifacts) {
      const ArtifactSeen* file = artifact_seen(path);
      if (file == nullptr || !file->exists) gone += (gone.empty() ? "" : ", ") + printable_line(path, 120);
    }
    decision.detail = " (" + gone + ")";
  }

  void add_evidence(StepDecision& decision, const PlannedStage& stage) const {
    std::vector<Evidence>& evidence = decision.seen.edit();
    const bool has_line = stage.claim != nullptr && stage.claim->line > 0;
    if (has_line || stage.claim == nullptr) {
      const std::string line = has_line ? " line " + std::to_string(stage.claim->line) : "";
      evidence.push_back(
          {"claim", seen_.state_file + line, has_line ? "listed as completed" : "not listed as completed"});
    } else {
      evidence.push_back({"event", stage.name, "recorded as done"});
    }
    if (stage.claim != nullptr) {
      for (const std::string& path : stage.claim->artifacts) {
        const ArtifactSeen* file = artifact_seen(path);
        evidence.push_back({"file", path, file == nullptr || !file->exists ? "missing" : file->digest});
      }
    } else if (const auto made = seen_.of_current.find(stage.name); made != seen_.of_current.end()) {
      const ArtifactSeen& file = made->second;
      evidence.push_back({"file", std::string(stage.spec->artifact), file.exists ? file.digest : "missing"});
      if (!file.fault.empty()) evidence.push_back({"check", std::string(stage.spec->artifact), file.fault});
    }
    if (stage.name == "architect") {
      evidence.push_back(
          {"check", "Constitution Check", seen_.constitution_completed ? "completed" : seen_.constitution_fault});
    }
  }

  void find(std::string_view rule, std::string_view code, Severity severity, std::string message) {
    plan_.findings.push_back({.rule = std::string(rule),
                              .code = std::string(code),
                              .severity = severity,
                              .message = std::move(message)});
  }

  void add_findings(const PlaybookStatusRow& row) {
    if (row.course == RunCourse::Blocked) {
      find(row.label, "status_unknown", Severity::Blocking, std::string(row.reason) + where_status_stands());
      plan_.findings.back().remedy = "set `status` in " + shell_quote(seen_.state_file) +
                                     " to IN_PROGRESS, WAITING_FOR_HUMAN, COMPLETE, FAILED, CANCELLED or ABORTED";
    }
    if (row.course == RunCourse::GoOn || row.course == RunCourse::Wait) add_spec_finding();
    if (row.course != RunCourse::Done && row.course != RunCourse::Fresh) {
      add_pointer_finding();
      add_passed_findings();
      add_changed_artifacts();
    }
    if (seen_.cut_off_line > 0) {
      find("PB-01", "cut_off", Severity::Warning,
           "the file ends in the middle of line " + std::to_string(seen_.cut_off_line) +
               ": what came after it is not known");
    }
    if (claims_.status == PlaybookStatus::Failed && !trim(claims_.notes).empty()) {
      find("PB-12", "notes_of_failed", Severity::Info,
           "a fresh run is given its notes: " + printable_line(claims_.notes, 300));
    }
    if (ticked_ != nullptr) {
      find(
          "PB-11", "already_approved", Severity::Info,
          "\"" + ticked_->name + "\" is ticked in line " + std::to_string(ticked_->line) + " and not asked again");
    }
    for (const std::string& file : seen_.other_state_files) {
      find("PB-01", "two_state_files", Severity::Warning,
           "there is another state file for this feature: " + printable_line(file, 200) + "; " + seen_.state_file +
               " is used because it is the newer one");
    }
    const ClaimedField* feature = claims_.find_field("feature");
    std::string name = feature == nullptr ? "" : feature->value;
    std::erase_if(name, [](char c) { return c == '`' || c == '*' || c == '"'; });
    if (!name.empty() && trim(name) != seen_.subject) {
      find("PB-01", "name_differs", Severity::Warning,
           "the file calls the feature \"" + printable_line(feature->value, 100) + "\" (line " +
               std::to_string(feature->line) + "), its folder is " + seen_.subject);
    }
    for (const Oddity& oddity : claims_.unfilled) add_oddity(oddity, "template_not_filled");
    for (const Oddity& oddity : claims_.oddities) add_oddity(oddity, "not_understood");
    if (last_ > seen_.now + kClockSlack) {
      find("OR-05", "time_in_future", Severity::Info, "its last activity is still to come: " + to_text(last_));
    }
    if (plan_.age >= std::chrono::hours(24)) {
      find("OR-05", "old_state", Severity::Info, "the last activity was " + to_text(plan_.age) + " ago");
    }
  }

  std::string where_status_stands() const {
    const ClaimedField* field = claims_.find_field("status");
    if (field == nullptr) return "";
    return ": line " + std::to_string(field->line) + " says \"" + printable_line(field->value, 100) + "\"";
  }

  void add_oddity(const Oddity& oddity, std::string_view code) {
    find("PB-01", code, Severity::Info,
         "line " + std::to_string(oddity.line) + ": " + printable_line(oddity.why, 200) + ": " +
             printable_line(oddity.text, 120));
  }

  void add_spec_finding() {
    const std::string recorded = claims_.spec_hash.digits.empty() ? "" : "sha256:" + claims_.spec_hash.digits;
    const std::string id = shell_quote(plan_.id.shown());
    switch (seen_.spec) {
      case SpecSeen::Same: return;
      case SpecSeen::Missing:
        if (current_ <= *index_of("spec") && recorded.empty()) return;  // it is the next thing to be made
        find("PB-02", "spec_missing", Severity::Blocking, seen_.spec_file + " is not there");
        plan_.findings.back().remedy = "git log --all -- " + shell_quote(seen_.spec_file);
        return;
      case SpecSeen::NotPinned:
        if (current_ <= *index_of("clarify") || waits_for("Spec approval")) return;  // nothing is pinned yet
        find("PB-02", "spec_hash_missing", Severity::Warning,
             "the file records no hash of the spec, so nothing tells whether it changed");
        return;
      case SpecSeen::Changed:
      case SpecSeen::Unreadable: {
        const bool changed = seen_.spec == SpecSeen::Changed;
        find("PB-02", changed ? "spec_hash_changed" : "spec_hash_unreadable", Severity::Blocking,
             changed ? seen_.spec_file + " is not the spec that was approved"
                     : "the recorded spec_hash is not a SHA-256 digest, so it cannot be compared");
        Finding& finding = plan_.findings.back();
        finding.claimed = recorded;
        finding.seen = seen_.spec_digest;
        finding.remedy = "reprise accept " + id + " " + finding.code + " --because TEXT";
        return;
      }
    }
  }

  // The file's pointer lags behind its own tables often enough; what is done decides, and this says so.
  void add_pointer_finding() {
    if (claims_.current_stage.empty()) {
      find("PB-07", "stage_missing", Severity::Warning,
           "the file does not say at which stage it is; by what is completed it is " + name_of_current());
    } else if (!index_of(claims_.current_stage) && claims_.current_stage != "done") {
      find("PB-07", "stage_unknown", Severity::Warning,
           "current_stage \"" + printable_line(claims_.current_stage, 60) +
               "\" is not a stage of the playbook; by what is completed it is " + name_of_current());
    } else if (claims_.current_stage != name_of_current() && !is_pointer_awaited()) {
      find("PB-07", "pointer_disagrees", Severity::Info,
           "current_stage says " + claims_.current_stage + ", but that is completed; the run stopped at " +
               name_of_current());
    }
  }

  // A pointer that is ahead of everything else in the file is a claim, and not a proof.
  void add_passed_findings() {
    const std::string pointer = "current_stage says " + printable_line(claims_.current_stage, 60);
    if (!unproven_.empty()) {
      find("PB-07", "pointer_ahead", Severity::Warning,
           pointer + ", but nothing shows that these stages were done: " + join(unproven_, ", "));
    }
    if (!unlisted_.empty()) {
      find("PB-07", "stage_not_listed", Severity::Warning,
           "not listed as completed, but counted as done because the run went past it and its artifact passes its "
           "check: " +
               join(unlisted_, ", "));
    }
    if (seen_.open_markers > 0 && waits_for("Spec approval")) {
      find("PB-06", "open_markers", Severity::Warning,
           seen_.spec_file + " still has " + std::to_string(seen_.open_markers) +
               " [NEEDS CLARIFICATION]; whoever approves it approves it as it is");
    }
  }

  // What a stage made and somebody changed since it was recorded (PB-11). The spec has a rule of its own, and the
  // boxes of the task list are ticked as the work goes on.
  void add_changed_artifacts() {
    std::map<std::string, const ClaimedStage*> recorded;
    for (const ClaimedStage& stage : claims_.completed) {
      for (const std::string& path : stage.artifacts) recorded[path] = &stage;
    }
    for (const auto& [path, stage] : recorded) {
      const bool has_own_rule = path.ends_with("feature.spec.md") || path.ends_with("tasks.md");
      if (!is_kept(stage->stage)) continue;  // it is made again anyway
      const ArtifactSeen* file = artifact_seen(path);
      const std::string claimed = "sha256:" + stage->hash.digits;
      const bool can_tell = stage->hash.digits.size() == 64 && stage->artifacts.size() == 1;
      if (has_own_rule || !can_tell || file == nullptr || !file->exists || file->digest == claimed ||
          !file->digest.starts_with("sha256:"))
        continue;
      find("PB-11", "artifact_changed", Severity::Warning,
           printable_line(path, 200) + " is not as " + stage->stage + " left it (line " +
               std::to_string(stage->line) + "); what was approved stays approved");
      plan_.findings.back().claimed = claimed;
      plan_.findings.back().seen = file->digest;
    }
  }

  bool is_kept(const std::string& stage) const {
    const auto decision = std::ranges::find(plan_.decisions, stage, &StepDecision::stage);
    return decision != plan_.decisions.end() &&
           (decision->decision == Decision::Keep || decision->decision == Decision::Verify);
  }

  void conclude(const PlaybookStatusRow& row) {
    bool blocking = false;
    bool warning = false;
    for (const Finding& finding : plan_.findings) {
      blocking = blocking || finding.severity == Severity::Blocking;
      warning = warning || finding.severity == Severity::Warning;
    }
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < plan_.decisions.size(); ++i) {
      if (plan_.decisions[i].decision == Decision::Keep) {
        ++plan_.saved_steps;
      } else if (!first) {
        first = i;
      }
    }
    plan_.readiness = readiness(row.course, blocking, warning);
    const bool open = plan_.readiness == Readiness::Ready || plan_.readiness == Readiness::Confirm ||
                      plan_.readiness == Readiness::Wait;
    if (open) plan_.resume_point = first;
    if (!open) plan_.waiting_for.clear();
    add_options();
  }

  Readiness readiness(RunCourse course, bool blocking, bool warning) const {
    if (course == RunCourse::Done) return Readiness::Done;
    if (course == RunCourse::Fresh) return Readiness::Fresh;
    if (blocking) return Readiness::Blocked;
    if (!plan_.waiting_for.empty()) return Readiness::Wait;
    return warning ? Readiness::Confirm : Readiness::Ready;
  }

  void add_options() {
    const std::string id = shell_quote(plan_.id.shown());
    if (plan_.readiness == Readiness::Ready || plan_.readiness == Readiness::Confirm) {
      plan_.options.push_back({"resume", "reprise resume " + id});
    }
    for (const Waiting& waiting : plan_.waiting_for) {
      plan_.options.push_back({"approve", "reprise approve " + id + " " + shell_quote(waiting.name)});
    }
    for (const Finding& finding : plan_.findings) {
      if (finding.remedy.starts_with("reprise accept")) plan_.options.push_back({"accept", finding.remedy});
    }
    if (plan_.readiness == Readiness::Blocked)
      plan_.options.push_back({"manual", "${EDITOR:-vi} " + shell_quote(seen_.state_file)});
    if (plan_.readiness != Readiness::Done) plan_.options.push_back({"fresh", "reprise fresh " + id});
  }

  const PlaybookSnapshot& seen_;
  const PlaybookClaims& claims_;
  std::vector<PlannedStage> stages_;
  std::size_t current_ = 0;  // index into stages_; their number if all are completed
  const ClaimedCheckpoint* ticked_ = nullptr;
  bool is_awaited_ = false;            // a person's approval, by the file's own status
  bool moving_ = false;                // something before the stage that is looked at runs again
  bool all_kept_ = true;               // everything before it is kept
  bool behind_gate_ = false;           // a checkpoint before it is not ticked
  std::vector<std::string> unproven_;  // stages before the pointer that nothing but it tells of
  std::vector<std::string> unlisted_;  // and those that their artifact tells of
  Timestamp last_;                     // activity
  Plan plan_;
};

}  // namespace

const PlaybookStatusRow& decide(PlaybookStatus status) {
  for (const PlaybookStatusRow& row : kPlaybookStatusRows) {
    if (row.status == status) return row;
  }
  check_failed("every status of a playbook has a row");
}

const PlaybookRow& decide(const PlaybookSituation& s) {
  for (const PlaybookRow& row : kPlaybookRows) {
    if (fits(row.place, s.place) && fits(row.artifact, s.artifact) && fits(row.resume, s.resume) &&
        fits(row.lacks_constitution, s.lacks_constitution) && fits(row.upstream_moving, s.upstream_moving) &&
        fits(row.waits, s.waits) && fits(row.other_spec, s.other_spec) && fits(row.spec_settled, s.spec_settled) &&
        fits(row.behind_gate, s.behind_gate)) {
      return row;
    }
  }
  check_failed("every situation of a playbook's stage has a row");
}

const CheckpointRow& decide(CheckpointBox box, bool upstream_moving) {
  for (const CheckpointRow& row : kCheckpointRows) {
    if (row.box == box && fits(row.upstream_moving, upstream_moving)) return row;
  }
  check_failed("every checkpoint has a row");
}

const ClaimedCheckpoint* find_checkpoint(const PlaybookClaims& claims, std::string_view name) {
  const ClaimedCheckpoint* found = nullptr;
  for (const ClaimedCheckpoint& box : claims.checkpoints) {
    const bool is_it = to_lower(box.name) == to_lower(name);
    if (is_it && (found == nullptr || (found->ticked && !box.ticked))) found = &box;
  }
  return found;
}

Plan plan_playbook(const PlaybookSnapshot& snapshot) { return PlaybookPlanner(snapshot).make(); }

}  // namespace reprise
