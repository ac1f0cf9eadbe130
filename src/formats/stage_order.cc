#include "formats/stage_order.h"

#include <algorithm>
#include <limits>

namespace reprise {
namespace {

constexpr std::uint32_t kUnsorted = std::numeric_limits<std::uint32_t>::max();

}  // namespace

StageOrder::StageOrder(std::vector<std::vector<std::uint32_t>> needs) : needs_(std::move(needs)) {
  sort_stages();
  if (sorted_.size() != needs_.size()) find_cycles();
}

void StageOrder::sort_stages() {
  std::vector<std::uint32_t> waits_for(needs_.size());
  std::vector<std::vector<std::uint32_t>> needed_by(needs_.size());
  for (std::uint32_t stage = 0; stage < needs_.size(); ++stage) {
    waits_for[stage] = static_cast<std::uint32_t>(needs_[stage].size());
    for (const std::uint32_t need : needs_[stage]) needed_by[need].push_back(stage);
    if (waits_for[stage] == 0) sorted_.push_back(stage);
  }
  for (std::size_t next = 0; next < sorted_.size(); ++next) {
    for (const std::uint32_t stage : needed_by[sorted_[next]]) {
      if (--waits_for[stage] == 0) sorted_.push_back(stage);
    }
  }
  rank_.assign(needs_.size(), kUnsorted);
  for (std::uint32_t place = 0; place < sorted_.size(); ++place) rank_[sorted_[place]] = place;
}

// Every stage that could not be sorted needs another such stage, so a walk along them ends in a cycle:
// a new one, or where an earlier walk has been.
void StageOrder::find_cycles() {
  std::vector<std::uint32_t> walk_of(needs_.size(), 0);
  std::uint32_t walk = 0;
  for (std::uint32_t start = 0; start < needs_.size(); ++start) {
    if (rank_[start] != kUnsorted || walk_of[start] != 0) continue;
    ++walk;
    std::vector<std::uint32_t> path;
    std::uint32_t stage = start;
    while (walk_of[stage] == 0) {
      walk_of[stage] = walk;
      path.push_back(stage);
      stage = *std::ranges::find_if(needs_[stage], [&](std::uint32_t need) { return rank_[need] == kUnsorted; });
    }
    if (walk_of[stage] == walk) cycles_.emplace_back(std::ranges::find(path, stage), path.end());
  }
}

std::vector<bool> StageOrder::answers(std::span<const Question> questions) const {
  std::vector<bool> out(questions.size());
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < questions.size(); ++i) {
    const std::vector<std::uint32_t>& direct = needs_[questions[i].later];
    out[i] = std::ranges::find(direct, questions[i].earlier) != direct.end();
    if (!out[i] && rank_[questions[i].later] > rank_[questions[i].earlier]) open.push_back(i);
  }
  std::ranges::sort(open, {}, [&](std::uint32_t i) { return questions[i].earlier; });
  // 64 stages are followed at once, one bit each.
  for (std::size_t begin = 0; begin < open.size();) {
    std::size_t end = begin;
    std::size_t distinct = 0;
    for (; end < open.size(); ++end) {
      const bool is_new = end == begin || questions[open[end]].earlier != questions[open[end - 1]].earlier;
      if (is_new && ++distinct > 64) break;
    }
    answer_batch(questions, std::span(open).subspan(begin, end - begin), out);
    begin = end;
  }
  return out;
}

void StageOrder::answer_batch(std::span<const Question> questions, std::span<const std::uint32_t> asked,
                              std::vector<bool>& out) const {
  std::vector<std::uint64_t> own(needs_.size());
  std::vector<std::uint64_t> after(needs_.size());
  int bit = -1;
  for (const std::uint32_t i : asked) {
    std::uint64_t& mark = own[questions[i].earlier];
    if (mark == 0) mark = std::uint64_t{1} << ++bit;
  }
  for (const std::uint32_t stage : sorted_) {
    for (const std::uint32_t need : needs_[stage]) after[stage] |= after[need] | own[need];
  }
  for (const std::uint32_t i : asked) out[i] = (after[questions[i].later] & own[questions[i].earlier]) != 0;
}

}  // namespace reprise
