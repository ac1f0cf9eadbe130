// The order of a block's stages against a slow and obvious computation.

#include "formats/stage_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace reprise {
namespace {

using Needs = std::vector<std::vector<std::uint32_t>>;

TEST(StageOrder, WithoutCyclesEveryStageComesAfterWhatItNeeds) {
  const Needs needs = {{1, 2}, {2}, {}, {0}};
  const StageOrder order(needs);
  EXPECT_TRUE(order.cycles().empty());
  for (std::uint32_t stage = 0; stage < needs.size(); ++stage) {
    for (const std::uint32_t need : needs[stage]) EXPECT_GT(order.rank(stage), order.rank(need));
  }
}

TEST(StageOrder, EachCycleIsFoundOnce) {
  const StageOrder order(Needs{{1}, {2}, {1}, {3}, {0}, {6}, {5}, {}});
  std::vector<std::vector<std::uint32_t>> cycles = order.cycles();
  for (std::vector<std::uint32_t>& cycle : cycles) std::ranges::sort(cycle);
  EXPECT_EQ(cycles, (std::vector<std::vector<std::uint32_t>>{{1, 2}, {3}, {5, 6}}));
}

TEST(StageOrder, AnswersAgreeWithTheClosureOfNeeds) {
  std::mt19937 random(7);
  int questions_asked = 0;
  for (int round = 0; round < 20; ++round) {
    constexpr std::uint32_t kCount = 150;
    Needs needs(kCount);
    std::vector<std::vector<bool>> closure(kCount, std::vector<bool>(kCount));
    for (std::uint32_t stage = 1; stage < kCount; ++stage) {
      for (int i = 0; i < 2; ++i) {
        const std::uint32_t need = static_cast<std::uint32_t>(random() % stage);
        if (random() % 2 == 0) continue;
        needs[stage].push_back(need);
        closure[stage][need] = true;
        for (std::uint32_t k = 0; k < kCount; ++k) closure[stage][k] = closure[stage][k] || closure[need][k];
      }
    }
    const StageOrder order(needs);
    std::vector<StageOrder::Question> questions;
    for (std::uint32_t i = 0; i < kCount; ++i) {
      for (std::uint32_t k = 0; k < kCount; ++k) questions.push_back({i, k});
    }
    const std::vector<bool> answers = order.answers(questions);
    for (std::size_t i = 0; i < questions.size(); ++i, ++questions_asked) {
      ASSERT_EQ(answers[i], closure[questions[i].later][questions[i].earlier]) << "round " << round;
    }
  }
  EXPECT_EQ(questions_asked, 20 * 150 * 150);
}

TEST(StageOrder, AChainOfFiftyThousandNeedsNoStack) {
  Needs needs(50'000);
  for (std::uint32_t i = 1; i < needs.size(); ++i) needs[i] = {i - 1};
  const StageOrder order(needs);
  const std::vector<StageOrder::Question> questions = {{49'999, 0}, {0, 49'999}};
  EXPECT_EQ(order.answers(questions), (std::vector<bool>{true, false}));
  needs[0] = {49'999};
  EXPECT_EQ(StageOrder(needs).cycles().size(), 1u);
}

}  // namespace
}  // namespace reprise
