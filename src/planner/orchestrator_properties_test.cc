// The planner's invariants D1 to D6 over generated snapshots: states and worlds that nobody would write on
// purpose.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "planner/epic_rules.h"
#include "planner/orchestrator_rebuild.h"
#include "planner/orchestrator_tables.h"
#include "planner/orchestrator_test_worlds.h"

namespace reprise {
namespace {

constexpr int kSnapshots = 12'000;
constexpr int kRebuilt = 3'000;

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  OrchestratorSnapshot make() {
    const OrchestratorKind kind = static_cast<OrchestratorKind>(below(5));
    OrchestratorSnapshot seen = a_snapshot(kind, "3", "state.yaml");
    seen.file_time = moment();
    fill_claims(seen);
    for (int i = below(3); i > 0; --i) seen.files.push_back(file());
    if (chance(15)) seen.changed.push_back({"src/a.ts", chance(50) ? KnownBy::Git : KnownBy::Time, "Ann"});
    if (chance(15)) seen.new_dependencies.push_back({id(), id()});
    if (chance(15)) seen.others.push_back({"epic/9", id(), "active", chance(50), moment()});
    if (chance(10)) seen.new_stories.push_back({id(), "x.story.md"});
    if (chance(15)) seen.locks.push_back(lock());
    if (chance(10)) seen.roles_without_worker = {"qa", "po"};
    if (chance(5)) seen.unreadable = "cut off";
    for (const char* code :
         {"done_outside", "story_reset", "review_done_outside", "escalated", "critique_blocked"})
      if (chance(20)) seen.accepted.insert(code);
    if (chance(15)) seen.from = step();
    return seen;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  bool chance(int percent) { return below(100) < percent; }
  std::string id() { return "3." + std::to_string(1 + below(7)); }
  Timestamp moment() { return kWorldNow - std::chrono::minutes(below(20'000) - 200); }
  std::optional<ClaimedTime> maybe_time() {
    if (chance(40)) return std::nullopt;
    return ClaimedTime{.time = moment(), .whole_day = chance(10)};
  }

  std::string step() {
    static const char* const kSteps[] = {"wave-1/3.1", "wave-2/gate", "final-gate", "loop/1/review", "loop/2/fix",
                                         "implement",  "review",      "write",      "gather",        "nowhere"};
    return kSteps[below(10)];
  }

  ReferencedFile file() {
    return {.path = "f" + std::to_string(below(9)),
            .role = static_cast<FileRole>(below(5)),
            .phase = step(),
            .made_by = chance(50) ? step() : "",
            .story = chance(30) ? id() : "",
            .exists = chance(50)};
  }

  LockSeen lock() {
    LockSeen seen{.lock = {.name = "l", .pid = 5}, .path = "l.lock", .alive = chance(40)};
    if (chance(70)) seen.lock.created_at = moment();
    seen.lock.ttl_seconds = below(4) * 300 - 300;
    return seen;
  }

  StorySeen story(const std::string& id) {
    StorySeen seen = a_story(id, static_cast<StoryStatus>(below(7)));
    seen.exists = !chance(8);
    if (chance(15)) seen.claims.sections[chance(50) ? "acceptance_criteria" : "dev_notes"] = "other";
    if (chance(15)) seen.sections_then.reset();
    if (chance(30)) seen.modified_at = moment();
    static const char* const kGates[] = {"", "PASS", "FAIL", "WAIVED", "strange"};
    seen.claims.gate = kGates[below(5)];
    if (chance(20)) seen.claims.dependencies = {this->id()};
    if (chance(5)) seen.others = {"second.story.md"};
    if (chance(30)) seen.claims.changes.push_back({.at = {}, .by = "po", .text = chance(50) ? "NO-GO" : "GO"});
    return seen;
  }

  void fill_claims(OrchestratorSnapshot& seen) {
    for (int i = 1; i <= 7; ++i) {
      const std::string name = "3." + std::to_string(i);
      if (!chance(5)) seen.stories[name] = story(name);
    }
    if (!chance(5)) seen.stories["3"] = story("3");
    fill_epic(seen);
    fill_loop(seen.qa_loop);
    fill_flow(seen.flow);
    SpecPipelineClaims& spec = seen.spec;
    for (bool* has :
         {&spec.has_requirements, &spec.has_complexity, &spec.has_research, &spec.has_spec, &spec.has_critique})
      *has = chance(60);
    static const char* const kSizes[] = {"", "SIMPLE", "COMPLEX"};
    spec.complexity = kSizes[below(3)];
    spec.verdict = static_cast<SpecVerdict>(below(5));
    static const char* const kWords[] = {"", "spec_written", "strange"};
    spec.state_word = kWords[below(3)];
  }

  void fill_epic(OrchestratorSnapshot& seen) {
    EpicClaims& epic = seen.epic;
    epic.status = static_cast<EpicStatus>(chance(70) ? 2 : below(5));
    epic.current_wave = std::to_string(below(4));
    epic.updated_at = maybe_time();
    epic.damaged = chance(5);
    for (int i = below(4); i > 0; --i) {
      ClaimedWave wave;
      wave.number = std::to_string(epic.waves.size() + 1);
      wave.status = static_cast<WaveStatus>(below(7));
      for (int k = below(4); k > 0; --k) {
        ClaimedStory claimed;
        claimed.id = id();
        claimed.status = static_cast<EpicStoryStatus>(chance(50) ? 5 : below(9));
        wave.stories.push_back(claimed);
      }
      if (chance(60))
        epic.verdicts.push_back({.gate = wave.number, .verdict = chance(70) ? "approved" : "rejected"});
      epic.waves.push_back(wave);
    }
    if (chance(20)) epic.verdicts.push_back({.gate = "final", .verdict = "approved"});
    if (!chance(30)) return;
    seen.execution_plan.emplace();
    for (int i = 1 + below(3); i > 0; --i)
      seen.execution_plan->waves.push_back({.number = std::to_string(i), .stories = {id(), id()}});
  }

  void fill_loop(QaLoopClaims& loop) {
    loop.story = chance(90) ? id() : "";
    loop.status = static_cast<QaLoopStatus>(below(8));
    if (chance(80)) loop.iteration = below(8) - 1;
    if (chance(60)) loop.iterations_max = 1 + below(5);
    loop.last_verdict = static_cast<QaVerdict>(below(5));
    loop.updated_at = maybe_time();
    for (int i = 1; i <= 5 && chance(70); ++i)
      loop.history.push_back(a_review(i, static_cast<QaVerdict>(below(5)), chance(50)));
  }

  void fill_flow(FlowClaims& flow) {
    flow.dialect = chance(30) ? "master" : "record";
    flow.status = static_cast<FlowStatus>(below(7));
    flow.story = chance(50) ? id() : "";
    flow.updated_at = maybe_time();
    flow.damaged = chance(5);
    static const char* const kNames[] = {"implement", "review", "gather", "write", ""};
    static const char* const kWords[] = {"completed", "pending", "in_progress", "failed", "skipped"};
    for (int i = below(5); i > 0; --i) flow.steps.push_back(a_step(kNames[below(5)], kWords[below(5)]));
    if (chance(50)) flow.current_phase = kNames[below(5)];
  }

  std::mt19937_64 random_;
};

std::string text_of(const Plan& plan) {
  std::string text = plan.id.text + std::string(to_token(plan.readiness)) + std::to_string(plan.saved_steps);
  for (const StepDecision& each : plan.decisions) {
    text += "\n" + each.step.text + std::string(to_token(each.decision)) + std::string(each.rule) + each.reason();
    for (const Evidence& evidence : each.evidence()) text += evidence.kind + evidence.subject + evidence.seen;
  }
  for (const Finding& each : plan.findings) {
    text += "\n" + each.rule + each.code + std::string(to_token(each.severity)) + each.message + each.claimed +
            each.seen;
    text += each.remedy;
  }
  for (const PlanOption& option : plan.options) text += "\n" + option.action + option.command;
  for (const Waiting& waiting : plan.waiting_for) text += "\n" + waiting.name + waiting.ask;
  return text + (plan.resume_point ? std::to_string(*plan.resume_point) : "none");
}

// Steps of one group do not depend on one another: the stories of a wave are one, every other step is its own.
std::vector<int> groups_of(const Plan& plan, OrchestratorKind kind) {
  std::vector<int> groups;
  int group = 0;
  std::string last;
  for (const StepDecision& each : plan.decisions) {
    const std::string wave = each.step.text.substr(0, each.step.text.find('/'));
    const bool is_story = kind == OrchestratorKind::Epic && each.stage != "gate" && each.stage != "final-gate";
    const std::string name = is_story ? wave : each.step.text;
    if (name != last) ++group;
    last = name;
    groups.push_back(group);
  }
  return groups;
}

bool is_kept(const StepDecision& decision) { return decision.decision == Decision::Keep; }

void expect_every_step_decided(const OrchestratorSnapshot& seen, const Plan& plan) {
  static const std::vector<std::string_view> kList = orchestrator_labels();
  static const std::set<std::string_view> kLabels(kList.begin(), kList.end());
  std::set<std::string> steps;
  for (const StepDecision& each : plan.decisions) {
    EXPECT_TRUE(steps.insert(each.step.text).second) << "D2: twice " << each.step.text;
    EXPECT_TRUE(kLabels.contains(each.rule)) << "D3: " << each.rule;
    EXPECT_FALSE(each.reason().empty() || each.evidence().empty()) << "D3: " << each.step.text;
  }
  std::size_t wanted = seen.kind == OrchestratorKind::StoryCycle ? 4u : 5u;
  if (seen.kind == OrchestratorKind::Flow) wanted = std::max<std::size_t>(1, seen.flow.steps.size());
  if (seen.kind == OrchestratorKind::QaLoop) wanted = plan.decisions.size();
  if (seen.kind == OrchestratorKind::Epic) {
    wanted = 1;
    for (const EpicWave& wave : waves_of(seen)) wanted += wave.stories.size() + 1;
  }
  EXPECT_EQ(plan.decisions.size(), wanted) << "D2";
  EXPECT_FALSE(plan.decisions.empty());
}

void expect_sound_point(const OrchestratorSnapshot& seen, const Plan& plan) {
  const bool blocking =
      std::ranges::find(plan.findings, Severity::Blocking, &Finding::severity) != plan.findings.end();
  EXPECT_EQ(blocking, plan.readiness == Readiness::Blocked) << "D4";
  const bool open = plan.readiness == Readiness::Ready || plan.readiness == Readiness::Confirm ||
                    plan.readiness == Readiness::Wait;
  EXPECT_EQ(plan.resume_point.has_value(), open) << "D4";
  if (!plan.resume_point) return;
  const std::vector<int> groups = groups_of(plan, seen.kind);
  for (std::size_t i = 0; i < *plan.resume_point; ++i) {
    const bool beside = groups[i] == groups[*plan.resume_point] && plan.decisions[i].decision == Decision::Wait;
    EXPECT_TRUE(is_kept(plan.decisions[i]) || beside) << "D6: jumps over " << plan.decisions[i].step.text;
  }
  for (const StepDecision& each : plan.decisions)
    EXPECT_NE(each.decision, Decision::Refuse) << "D6: " << each.step.text;
}

void expect_nothing_kept_unseen(const OrchestratorSnapshot& seen, const Plan& plan) {
  if (plan.readiness == Readiness::Done || plan.readiness == Readiness::Fresh) return;
  const std::vector<int> groups = groups_of(plan, seen.kind);
  int moving = 1 << 30;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (!is_kept(plan.decisions[i])) moving = std::min(moving, groups[i]);
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i] > moving) {
      EXPECT_FALSE(is_kept(plan.decisions[i])) << "D5: " << plan.decisions[i].step.text;
    }
  }
}

void expect_no_failure_kept(const OrchestratorSnapshot& seen, const Plan& plan) {
  if (seen.kind != OrchestratorKind::Epic) return;
  std::map<std::string_view, EpicStoryStatus> claimed;
  for (const ClaimedWave& wave : seen.epic.waves) {
    for (const ClaimedStory& story : wave.stories) claimed.emplace(story.id, story.status);
  }
  for (const StepDecision& each : plan.decisions) {
    const auto found = claimed.find(each.stage);
    if (found == claimed.end() || found->second != EpicStoryStatus::Failed) continue;
    EXPECT_FALSE(is_kept(each)) << "D6: a failed story is kept";
  }
}

TEST(OrchestratorProperties, D1ToD6HoldForEveryGeneratedSnapshot) {
  Generator generator(20'260'101);
  std::map<Readiness, int> met;
  int snapshots = 0;
  for (; snapshots < kSnapshots && !testing::Test::HasFailure(); ++snapshots) {
    SCOPED_TRACE("snapshot " + std::to_string(snapshots));
    const OrchestratorSnapshot seen = generator.make();
    const Plan plan = plan_orchestrator(seen).plan;
    ++met[plan.readiness];
    EXPECT_EQ(text_of(plan), text_of(plan_orchestrator(seen).plan)) << "D1";
    expect_every_step_decided(seen, plan);
    expect_sound_point(seen, plan);
    expect_nothing_kept_unseen(seen, plan);
    expect_no_failure_kept(seen, plan);
  }
  EXPECT_EQ(snapshots, kSnapshots);
  for (const Readiness each : {Readiness::Ready, Readiness::Confirm, Readiness::Wait, Readiness::Blocked,
                               Readiness::Fresh, Readiness::Done}) {
    EXPECT_GT(met[each], 10) << to_token(each) << " is hardly ever met";
  }
}

TEST(OrchestratorProperties, OR14_ARebuiltEpicContradictsNoneOfItsStories) {
  Generator generator(7);
  int epics = 0;
  for (int i = 0; i < kRebuilt; ++i) {
    OrchestratorSnapshot seen = generator.make();
    seen.kind = OrchestratorKind::Epic;
    const RebuiltState rebuilt = rebuild_state(seen);
    if (!rebuilt.possible) continue;
    ++epics;
    seen.epic = rebuilt.epic;
    seen.unreadable.clear();
    for (const RebuiltFact& fact : rebuilt.facts) EXPECT_FALSE(fact.what.empty());
    for (const Finding& finding : plan_orchestrator(seen).plan.findings) {
      if (finding.rule.starts_with("OR-03 ") && finding.severity == Severity::Blocking) {
        ADD_FAILURE() << finding.message;
      }
      EXPECT_NE(finding.code, "state_damaged");
    }
  }
  EXPECT_GT(epics, kRebuilt / 2);
}

}  // namespace
}  // namespace reprise
