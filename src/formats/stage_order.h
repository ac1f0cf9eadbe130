// The order that `needs` gives to the stages of one block: cycles, and who comes after whom.
//
// Stages are numbers here. Nothing recurses and nothing is quadratic: a block may have 50,000 of them.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace reprise {

class StageOrder {
 public:
  /// `needs[i]` are the stages that stage i needs.
  explicit StageOrder(std::vector<std::vector<std::uint32_t>> needs);

  /// Returns the cycles, no stage in two of them: each stage needs the next, the last the first.
  const std::vector<std::vector<std::uint32_t>>& cycles() const { return cycles_; }

  /// Returns the place of a stage in one order in which every stage comes after what it needs. Only
  /// without cycles.
  std::uint32_t rank(std::uint32_t stage) const { return rank_[stage]; }

  struct Question {
    std::uint32_t later = 0;
    std::uint32_t earlier = 0;
  };
  /// Returns for each question whether `later` needs `earlier`, directly or through others. Only without
  /// cycles.
  std::vector<bool> answers(std::span<const Question> questions) const;

 private:
  void sort_stages();
  void find_cycles();
  void answer_batch(std::span<const Question> questions, std::span<const std::uint32_t> asked,
                    std::vector<bool>& out) const;

  std::vector<std::vector<std::uint32_t>> needs_;
  std::vector<std::uint32_t> sorted_;  // stages in order
  std::vector<std::uint32_t> rank_;
  std::vector<std::vector<std::uint32_t>> cycles_;
};

}  // namespace reprise
