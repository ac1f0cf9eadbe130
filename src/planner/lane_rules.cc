#include "planner/lane_rules.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/strings.h"

namespace reprise {
namespace {

constexpr int kAny = -1;
constexpr int at(LaneStage stage) { return static_cast<int>(stage); }
constexpr int is(LaneStatus status) { return static_cast<int>(status); }

constexpr std::array kRows = {
    LaneRow{"LN-05 unknown", kAny, is(LaneStatus::Unknown), LaneStage::Unknown, Readiness::Blocked,
            "its status is not a word of the contract"},
    LaneRow{"LN-06 rolled back", kAny, is(LaneStatus::RolledBack), LaneStage::BeforeLaneStart, Readiness::Ready,
            "it was rolled back, and begins again"},
    LaneRow{"LN-05 blocked", kAny, is(LaneStatus::Blocked), LaneStage::Unknown, Readiness::Confirm,
            "it was blocked; what was in the way may be gone", "lane_blocked"},
    LaneRow{"LN-05 published", at(LaneStage::PrePr), is(LaneStatus::Complete), LaneStage::PrePr, Readiness::Done,
            "it was published"},
    LaneRow{"LN-09 publish", at(LaneStage::PrePr), kAny, LaneStage::PrePr, Readiness::Ready,
            "it is ready to be published, and was not"},
    LaneRow{"LN-05 tested", at(LaneStage::AfterLaneTests), is(LaneStatus::Complete), LaneStage::PrePr,
            Readiness::Ready, "its tests passed; only publishing is left"},
    LaneRow{"LN-09 tests", at(LaneStage::AfterLaneTests), kAny, LaneStage::AfterLaneTests, Readiness::Ready,
            "its tests did not pass"},
    LaneRow{"LN-08 exhausted", at(LaneStage::RetryAttempt), is(LaneStatus::Failed), LaneStage::AfterLaneStart,
            Readiness::Wait, "its further attempts are used up; a person has to look", "retries_exhausted"},
    LaneRow{"LN-08 retried", at(LaneStage::RetryAttempt), is(LaneStatus::Complete), LaneStage::AfterLaneStart,
            Readiness::Ready, "its further attempt ended well; its tests are not recorded"},
    LaneRow{"LN-08 retry", at(LaneStage::RetryAttempt), kAny, LaneStage::AfterLaneStart, Readiness::Ready,
            "a further attempt was on its way"},
    LaneRow{"LN-05 failed", kAny, is(LaneStatus::Failed), LaneStage::AfterLaneStart, Readiness::Confirm,
            "it failed; its notes say why", "lane_failed"},
    LaneRow{"LN-05 started", at(LaneStage::AfterLaneStart), kAny, LaneStage::AfterLaneStart, Readiness::Ready,
            "its worktree was made; its tasks go on there"},
    LaneRow{"LN-05 ready", at(LaneStage::BeforeLaneStart), kAny, LaneStage::BeforeLaneStart, Readiness::Ready,
            "nothing of it was made yet"},
    LaneRow{"LN-05 own stage", at(LaneStage::Unknown), kAny, LaneStage::AfterLaneStart, Readiness::Confirm,
            "its latest checkpoint is another program's own", "stage_unknown"},
};

// What git shows instead of what the latest checkpoint says.
constexpr LaneRow kBranchGone = {"LN-05 branch gone",
                                 kAny,
                                 kAny,
                                 LaneStage::BeforeLaneStart,
                                 Readiness::Confirm,
                                 "its branch is not there any more; it begins again",
                                 "branch_gone"};
constexpr LaneRow kCommitGone = {
    "LN-05 commit gone",
    kAny,
    kAny,
    LaneStage::AfterLaneStart,
    Readiness::Confirm,
    "its branch does not hold the commit that its checkpoint names; its tasks are done again",
    "commit_gone"};

constexpr std::array kStages = {LaneStage::BeforeLaneStart, LaneStage::AfterLaneStart, LaneStage::AfterLaneTests,
                                LaneStage::PrePr};

// The order in which a lane passes them; further attempts belong to the work.
int rank(LaneStage stage) {
  switch (stage) {
    case LaneStage::BeforeLaneStart: return 0;
    case LaneStage::AfterLaneStart:
    case LaneStage::RetryAttempt:
    case LaneStage::Unknown: return 1;
    case LaneStage::AfterLaneTests: return 2;
    case LaneStage::PrePr: return 3;
  }
  return 1;
}

StepDecision decision_for(LaneStage stage, const LaneFound& found, const LaneRow& row) {
  const std::string name(token_in(kLaneStageTokens, stage));
  StepDecision decision{.stage = name, .step = {name}};
  const bool is_kept = row.readiness == Readiness::Done || rank(stage) < rank(row.goes_on_at);
  const bool is_next = rank(stage) == rank(row.goes_on_at);
  decision.decision = is_kept ? Decision::Keep : Decision::Run;
  decision.rule = row.label;
  decision.ground = is_kept   ? std::string_view("the lane has passed it")
                    : is_next ? row.reason
                              : std::string_view("it comes after the point where the lane stopped");
  const auto record = std::ranges::find(found.records, stage, &LaneCheckpoint::stage);
  std::vector<Evidence>& seen = decision.seen.edit();
  if (record == found.records.end()) {
    seen.push_back({"claim", found.file, "no such checkpoint"});
  } else {
    seen.push_back({"claim", found.file + " line " + std::to_string(record->line),
                    std::string(record->status_word()) + (record->notes.empty() ? "" : ": " + record->notes)});
  }
  return decision;
}

// Adds findings, each with the rule it is by and the way out, if there is one.
class Findings {
 public:
  Findings(Plan& plan, std::string_view rule) : plan_(plan), rule_(rule) {}
  void add(std::string_view code, Severity severity, std::string message, std::string remedy = "") {
    plan_.findings.push_back({.rule = std::string(rule_),
                              .code = std::string(code),
                              .severity = severity,
                              .message = std::move(message),
                              .remedy = std::move(remedy)});
  }
  /// Says of the last one what was claimed and what was seen.
  void claim(const std::string& claimed, const std::string& seen) {
    plan_.findings.back().claimed = claimed;
    plan_.findings.back().seen = seen;
  }

 private:
  Plan& plan_;
  std::string_view rule_;
};

// The command that goes on with the lane by another plan or another way of publishing.
std::string resume_with(const LaneFound& found, const std::string& plan, const std::string& publish) {
  std::vector<std::string> words = {"reprise", "run", "lanes", plan};
  if (found.latest.lane != "-") words.insert(words.end(), {"--input", "lane=" + found.latest.lane});
  if (!publish.empty()) words.insert(words.end(), {"--input", "publish=" + publish});
  words.insert(words.end(), {"--run-id", found.latest.run_id, "--resume"});
  return shell_command(words);
}

std::string editor_for(const std::string& file) { return "${EDITOR:-vi} " + shell_quote(file); }

// What the latest checkpoint says that a person should know, and where it says so.
void add_standing(const LaneFound& found, const LaneRow& row, Findings& findings) {
  const std::string place = found.file + " line " + std::to_string(found.latest.line);
  if (row.readiness == Readiness::Blocked) {
    findings.add("status_unknown", Severity::Blocking,
                 place + " says \"" + printable_line(found.latest.status_word(), 60) + "\"",
                 editor_for(found.file));
  }
  if (!row.finding.empty() && found.git.branch.empty()) {
    findings.add(row.finding, Severity::Warning,
                 std::string(row.reason) + "; " + place + " says \"" +
                     printable_line(found.latest.stage_word(), 60) + "\"");
  } else if (!row.finding.empty()) {
    findings.add(row.finding, Severity::Warning,
                 std::string(row.reason) + "; branch " + printable_line(found.git.branch, 80) + ", and " + place +
                     " says \"" + printable_line(found.latest.stage_word(), 60) + "\"");
    if (row.finding == kCommitGone.finding) findings.claim(found.git.recorded, found.git.head);
  }
  if (found.is_of_the_future) {
    findings.add("time_in_future", Severity::Info,
                 place + " has a time that is still to come: " + to_text(found.latest.timestamp));
  }
}

// Work in the lane goes on in a place of its own: what another program has checked out elsewhere has to be moved
// there.
void add_elsewhere(const LaneFound& found, Findings& findings) {
  const std::string& branch = found.git.branch;
  const std::string parent = found.git.place.substr(0, found.git.place.rfind('/'));
  const bool is_project = found.git.elsewhere == ".";
  findings.add("worktree_elsewhere", Severity::Blocking,
               "its branch " + printable_line(branch, 80) + " is checked out in " +
                   (is_project ? "the project itself" : printable_line(found.git.elsewhere, 200)) +
                   "; lanes are worked in below " + printable_line(parent.substr(0, parent.find('/')), 80),
               is_project ? "git switch " +
                                shell_quote(found.latest.base_branch.empty() ? "main" : found.latest.base_branch)
                          : "mkdir -p " + shell_quote(parent) + " && git worktree move " +
                                shell_quote(found.git.elsewhere) + " " + shell_quote(found.git.place));
}

void add_worktree(const LaneFound& found, const LaneRow& row, Findings& findings) {
  const std::string path = printable_line(found.latest.worktree_path, 200);
  const bool is_missing =
      !found.worktree_is_there && rank(found.latest.stage) > 0 && row.label != kBranchGone.label;
  if (!found.git.elsewhere.empty()) {
    add_elsewhere(found, findings);
  } else if (found.worktree_is_outside) {
    findings.add("worktree_outside", Severity::Warning,
                 "its worktree_path leads out of the project and is not used: " + path);
  } else if (is_missing && !path.empty()) {
    const std::string& branch = found.git.branch;
    findings.add("worktree_gone", Severity::Warning,
                 "its worktree " + path + " is missing; " +
                     (branch.empty() ? "its branch is not known"
                                     : "it is created again from branch " + printable_line(branch, 80)));
  } else if (!found.git.other_branch.empty()) {
    findings.add(
        "worktree_branch", Severity::Blocking,
        "its worktree has " + printable_line(found.git.other_branch, 80) + " checked out, not " +
            printable_line(found.git.branch, 80),
        "git -C " + shell_quote(found.latest.worktree_path) + " checkout " + shell_quote(found.git.branch));
  } else if (found.git.is_dirty && row.goes_on_at == LaneStage::PrePr) {
    findings.add(
        "worktree_dirty", Severity::Warning,
        "its worktree has changes that are not committed: they were not tested so, and are not published");
  }
}

// Several plans may have such a lane: then a person says which.
void add_unnamed_plan(const LaneFound& found, Findings& findings) {
  const std::string what =
      "lane " + printable_line(found.latest.lane, 60) + " of phase " + printable_line(found.latest.phase, 60);
  if (found.plans.empty()) {
    findings.add(
        "plan_unknown", Severity::Blocking,
        "its checkpoints do not name a phase plan, and no Markdown file of the project is a plan with " + what,
        editor_for(found.file));
    return;
  }
  findings.add("plan_unknown", Severity::Blocking,
               "its checkpoints do not name a phase plan, and several have " + what + ": " +
                   printable_line(join(found.plans, ", "), 500),
               resume_with(found, found.plans.front(), ""));
}

void add_plan_file(const LaneFound& found, Findings& findings) {
  if (found.plan_file.empty()) {
    add_unnamed_plan(found, findings);
  } else if (!found.plan_is_there) {
    findings.add("plan_gone", Severity::Blocking,
                 "the phase plan that its hints name is not there: " + printable_line(found.plan_file, 200),
                 found.plans.empty() ? editor_for(found.file) : resume_with(found, found.plans.front(), ""));
  } else if (!found.is_in_plan) {
    findings.add("lane_unknown", Severity::Blocking,
                 printable_line(found.plan_file, 200) + " has no lane " + printable_line(found.latest.lane, 60) +
                     " any more",
                 editor_for(found.plan_file));
  } else if (found.plan_is_guessed) {
    findings.add("plan_found", Severity::Info,
                 "its checkpoints do not name a phase plan; " + printable_line(found.plan_file, 200) +
                     " is the only one with this lane");
  }
}

// A lane that was about to be published must not be called done because nobody says how that is done.
void add_publishing(const LaneFound& found, const LaneRow& row, Findings& findings) {
  if (row.goes_on_at != LaneStage::PrePr || row.readiness == Readiness::Done || !found.publish.empty()) return;
  const bool was_begun = found.latest.stage == LaneStage::PrePr;
  findings.add("publish_unknown", was_begun ? Severity::Blocking : Severity::Info,
               was_begun ? "it was about to be published, and its checkpoints do not say how: merge, pr or push"
                         : "it is not published: nobody says how (merge, pr or push)",
               found.plan_file.empty() ? "" : resume_with(found, found.plan_file, "merge"));
}

void add_findings(const LaneFound& found, const LaneRow& row, Plan& plan) {
  Findings findings(plan, row.label);
  add_standing(found, row, findings);
  if (row.readiness == Readiness::Done) return;
  add_worktree(found, row, findings);
  add_plan_file(found, findings);
  add_publishing(found, row, findings);
  for (const Oddity& oddity : found.oddities) {
    findings.add("record_odd", Severity::Info,
                 found.file + " line " + std::to_string(oddity.line) + ": " + printable_line(oddity.text, 100) +
                     ": " + oddity.why);
  }
  for (const std::string& line : found.latest.failure_context)
    findings.add("failure_context", Severity::Info, printable_line(line, 300));
}

}  // namespace

std::span<const LaneRow> lane_rows() { return kRows; }

const LaneRow& decide(LaneStage stage, LaneStatus status) {
  for (const LaneRow& row : kRows) {
    const bool fits =
        (row.stage == kAny || row.stage == at(stage)) && (row.status == kAny || row.status == is(status));
    if (fits) return row;
  }
  check_failed("every checkpoint of a lane has a row");
}

const LaneRow& decide(const LaneCheckpoint& latest) {
  const bool is_over = is_exhausted(latest) && latest.status != LaneStatus::Unknown;
  return is_over ? decide(LaneStage::RetryAttempt, LaneStatus::Failed) : decide(latest.stage, latest.status);
}

bool is_exhausted(const LaneCheckpoint& latest) {
  if (latest.stage != LaneStage::RetryAttempt) return false;
  const bool is_beyond = latest.retry_attempt && latest.max_retries && *latest.retry_attempt > *latest.max_retries;
  const bool is_open = latest.status != LaneStatus::RolledBack && latest.status != LaneStatus::Complete;
  return latest.status == LaneStatus::Failed || (is_beyond && is_open);
}

std::string exhausted_question(const LaneCheckpoint& latest) {
  std::string text = "Lane " + printable_line(latest.lane, 60) + " has failed";
  if (latest.max_retries) text += " after " + std::to_string(*latest.max_retries) + " further attempts";
  if (!latest.failure_context.empty()) text += ": " + printable_line(latest.failure_context.back(), 200);
  return text + ". Try it again?";
}

const LaneRow& decide(const LaneFound& found) {
  const LaneRow& row = decide(found.latest);
  if (row.readiness == Readiness::Wait) return row;
  const bool was_begun = rank(row.goes_on_at) > 0 && row.readiness != Readiness::Blocked;
  if (found.git.branch.empty() || row.readiness == Readiness::Done || !was_begun) return row;
  if (found.git.head.empty()) return kBranchGone;
  return found.git.has_recorded ? row : kCommitGone;
}

Plan plan_lane_found(const LaneFound& found) {
  const LaneRow& row = decide(found);
  Plan plan;
  plan.id = found.id;
  plan.source_file = found.file;
  plan.age = found.age;
  plan.readiness = row.readiness;
  for (const LaneStage stage : kStages) {
    plan.decisions.push_back(decision_for(stage, found, row));
    if (plan.decisions.back().decision == Decision::Keep) {
      ++plan.saved_steps;
    } else if (!plan.resume_point && row.readiness != Readiness::Blocked) {
      plan.resume_point = plan.decisions.size() - 1;
    }
  }
  add_findings(found, row, plan);
  const bool blocked = std::ranges::any_of(
      plan.findings, [](const Finding& finding) { return finding.severity == Severity::Blocking; });
  const bool warned = std::ranges::any_of(
      plan.findings, [](const Finding& finding) { return finding.severity == Severity::Warning; });
  if (blocked) plan.readiness = Readiness::Blocked;
  if (plan.readiness == Readiness::Ready && warned) plan.readiness = Readiness::Confirm;
  if (plan.readiness == Readiness::Blocked) plan.resume_point.reset();
  if (plan.readiness == Readiness::Wait) {
    plan.waiting_for.push_back({"gate", found.first_task, exhausted_question(found.latest)});
    plan.options.push_back(
        {"approve", "reprise approve " + shell_quote(plan.id.shown()) + " " + shell_quote(found.first_task)});
  }
  if (plan.readiness == Readiness::Ready || plan.readiness == Readiness::Confirm)
    plan.options.push_back({"resume", "reprise resume " + shell_quote(plan.id.shown())});
  if (plan.readiness == Readiness::Blocked) plan.options.push_back({"manual", editor_for(found.file)});
  return plan;
}

}  // namespace reprise
