// State files that end too early: each prefix of a state is damaged, or says nothing that the whole does not say.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "formats/epic_state.h"
#include "formats/flow_state.h"
#include "formats/qa_loop.h"

namespace reprise {
namespace {

constexpr std::string_view kWholeEpic = R"(epic_state:
  epicId: "7"
  execution_plan: docs/epics/EPIC-7-EXECUTION.yaml
  mode: interactive
  updated_at: "2026-03-01T09:30:00Z"
  status: active
  current_wave: 2
  total_waves: 2
  waves:
    1:
      name: "Foundation"
      status: completed
      stories:
        "7.1":
          status: completed
          branch: feat/7.1
          completed_at: "2026-03-01T08:40:00Z"
    2:
      status: in_progress
      stories:
        "7.2":
          status: in_review
          started_at: 2026-03-01T08:50:00Z
        7.3: { status: pending }
  gate_verdicts:
    1: { status: approved, agent: "@architect" }
)";

const ClaimedStory* torn_story(const EpicClaims& claims, const std::string& id) {
  for (const ClaimedWave& wave : claims.waves) {
    const auto story = std::ranges::find(wave.stories, id, &ClaimedStory::id);
    if (story != wave.stories.end()) return &*story;
  }
  return nullptr;
}

void expect_part_of(const EpicClaims& part, const EpicClaims& whole) {
  EXPECT_FALSE(part.waves.empty());
  if (part.status != EpicStatus::Missing) {
    EXPECT_EQ(part.status, whole.status);
  }
  if (!part.current_wave.empty()) {
    EXPECT_EQ(part.current_wave, whole.current_wave);
  }
  EXPECT_TRUE(part.oddities.empty()) << part.oddities.front().why;
  for (const ClaimedWave& wave : part.waves) {
    const auto same = std::ranges::find(whole.waves, wave.number, &ClaimedWave::number);
    ASSERT_NE(same, whole.waves.end()) << wave.number;
    EXPECT_EQ(wave.status, same->status);
    for (const ClaimedStory& story : wave.stories) {
      const ClaimedStory* meant = torn_story(whole, story.id);
      ASSERT_NE(meant, nullptr) << story.id;
      EXPECT_EQ(story.status, meant->status) << story.id;
    }
  }
  for (const ClaimedVerdict& verdict : part.verdicts) EXPECT_EQ(verdict.verdict, "approved");
}

TEST(TornState, B18_EachPrefixOfAnEpicIsDamagedOrPartOfTheWhole) {
  const EpicClaims whole = read_epic_state(kWholeEpic, "x").value();
  EXPECT_FALSE(whole.damaged);
  int damaged = 0;
  int sound = 0;
  for (std::size_t size = 0; size < kWholeEpic.size(); ++size) {
    const std::string_view prefix = kWholeEpic.substr(0, size);
    SCOPED_TRACE(std::string(prefix.substr(prefix.size() - std::min<std::size_t>(size, 60))));
    const Result<EpicClaims> claims = read_epic_state(prefix, "x");
    const bool is_damaged = !claims || claims->damaged;
    ++(is_damaged ? damaged : sound);
    if (!is_damaged) expect_part_of(*claims, whole);
  }
  EXPECT_GT(damaged, 500);
  EXPECT_GT(sound, 5);
}

constexpr std::string_view kWholeFlows[] = {
    "execution_id: sdc-1\nworkflow: SDC\ncurrent_story: \"2.10\"\nstatus: interrupted\n"
    "started_at: 2026-03-01T08:00:00Z\ncurrent_phase: 3\nphases_completed: [1, 2]\ncontext:\n  branch: feat/x\n",
    "workflow_id: release\ninstance_id: r-12\nstatus: interrupted\nsteps:\n"
    "  - { name: build, status: completed, agent: \"@dev\" }\n  - { name: publish, status: in_progress }\n",
    "workflow_id: release\ninstance_id: r-12\nstatus: active\nsteps:\n  - name: build\n    status: completed\n"
    "  - name: publish\n    status: in_progress\n    agent: \"@devops\"\n",
    "workflow: epic\ncurrent_phase: checkpoint\nstatus: paused\npaused_at: \"2026-03-01T08:00:00Z\"\n"
    "epic_progress:\n  completed_stories: [\"8.1\"]\n  next_story: \"8.3\"\n  remaining_count: 2\n",
    "workflowId: development-cycle\ncurrentPhase: 2_development\ncurrentStory: \"4.2\"\nphaseResults:\n"
    "  1_validation:\n    status: completed\n  2_development:\n    status: in_progress\n"};

TEST(TornState, B18_EachPrefixOfAWorkflowIsDamagedOrPartOfTheWhole) {
  for (const std::string_view text : kWholeFlows) {
    const FlowClaims whole = read_flow_state(text, "x").value();
    ASSERT_FALSE(whole.damaged) << text;
    for (std::size_t size = 0; size < text.size(); ++size) {
      const std::string_view prefix = text.substr(0, size);
      SCOPED_TRACE(std::string(prefix));
      const Result<FlowClaims> claims = read_flow_state(prefix, "x");
      if (!claims || claims->damaged) continue;
      if (claims->status != FlowStatus::Missing) {
        EXPECT_EQ(claims->status, whole.status);
      }
      for (const ClaimedFlowStep& step : claims->steps) {
        const auto same = std::ranges::find(whole.steps, step.name, &ClaimedFlowStep::name);
        ASSERT_NE(same, whole.steps.end()) << step.name;
        EXPECT_TRUE(!step.completed || same->completed) << step.name;
      }
    }
  }
}

TEST(TornState, B07_ATornQaLoopShowsWhatStandsBeforeTheTear) {
  const std::string whole =
      R"({"storyId": "2.1", "currentIteration": 3, "maxIterations": 5, "status": "in_progress",
    "updatedAt": "2026-03-01T08:00:00Z", "history": [{"iteration": 1, "verdict": "REJECT", "fixedAt": "2026-02-28T08:00:00Z"},
    {"iteration": 2, "verdict": "REJECT"}, {"iteration": 3, "verdict": null}]})";
  EXPECT_FALSE(read_qa_loop(whole.substr(0, whole.size() - 2), "x"));
  const QaLoopClaims torn = read_torn_qa_loop(whole.substr(0, whole.size() - 2));
  EXPECT_EQ(torn.story, "2.1");
  EXPECT_EQ(torn.iteration, 3);
  EXPECT_EQ(torn.history.size(), 3u);
  EXPECT_TRUE(torn.history.at(0).fixed_at.has_value());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const QaLoopClaims part = read_torn_qa_loop(std::string_view(whole).substr(0, size));
    if (part.iteration) {
      EXPECT_EQ(part.iteration, 3);
    }
    if (!part.story.empty()) {
      EXPECT_EQ(part.story, "2.1");
    }
    EXPECT_LE(part.history.size(), 3u);
    for (const ClaimedReview& review : part.history) {
      if (review.iteration == 3) {
        EXPECT_EQ(review.verdict, QaVerdict::None);
      }
    }
  }
}

}  // namespace
}  // namespace reprise
