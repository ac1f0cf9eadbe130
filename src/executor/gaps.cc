#include "executor/gaps.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/strings.h"

namespace reprise {
namespace {

GapPriority priority_of(const WorkerResult::Gap& gap) {
  return value_in(kGapPriorityTokens, to_lower(gap.priority)).value_or(GapPriority::Important);
}

bool is_unsettled(const GapState& gap) {
  return gap.status == GapStatus::Pending || gap.status == GapStatus::Clarifying;
}

// The gaps that a question is about which still waits for its answer.
std::set<std::string> gaps_asked_about(const RunState& state) {
  std::set<std::string> asked;
  for (const auto& [id, question] : state.questions) {
    if (!question.answer) asked.insert(question.gaps.begin(), question.gaps.end());
  }
  return asked;
}

// The questions that may be asked: the worker's own, then one for each gap that matters and has none. Nothing is
// asked a second time.
std::vector<WorkerResult::Question> possible_questions(const WorkerResult& result,
                                                       const std::map<std::string, GapPriority>& gaps,
                                                       const std::set<std::string>& asked_already) {
  std::vector<WorkerResult::Question> questions = result.questions;
  std::erase_if(questions, [&](WorkerResult::Question& question) {
    std::erase_if(question.gaps, [&](const std::string& gap) { return !gaps.contains(gap); });
    const auto removed =
        std::erase_if(question.gaps, [&](const std::string& gap) { return asked_already.contains(gap); });
    return removed > 0 && question.gaps.empty();
  });
  for (const WorkerResult::Gap& gap : result.gaps) {
    if (asked_already.contains(gap.id)) continue;
    const bool is_asked = std::ranges::any_of(questions, [&](const WorkerResult::Question& question) {
      return std::ranges::find(question.gaps, gap.id) != question.gaps.end();
    });
    if (!is_asked && matters(gaps.at(gap.id)))
      questions.push_back(
          {.id = "", .text = gap.text.empty() ? gap.id : gap.text, .gaps = {gap.id}, .options = {}});
  }
  const auto urgency = [&](const WorkerResult::Question& question) {
    GapPriority most = GapPriority::Minor;
    for (const std::string& gap : question.gaps) most = std::min(most, gaps.at(gap));
    return most;
  };
  std::ranges::stable_sort(questions, {}, urgency);
  if (questions.size() > kQuestionsPerRoundMax) questions.resize(kQuestionsPerRoundMax);
  return questions;
}

}  // namespace

std::string verdict_on(const WorkerResult& result) {
  const bool open =
      std::ranges::any_of(result.gaps, [](const WorkerResult::Gap& gap) { return matters(priority_of(gap)); });
  return std::string(open ? kVerdictGaps : kVerdictComplete);
}

int next_round(const RunState& state) {
  long long last = 0;
  for (const auto& [id, question] : state.questions) {
    if (!id.starts_with('C')) continue;
    last = std::max(last, parse_number(id.substr(1, id.find('.') - 1), 1'000'000).value_or(0));
  }
  return static_cast<int>(last) + 1;
}

std::vector<Event> events_of_gaps(const WorkerResult& result, const StepPath& step, const RunState& state) {
  std::map<std::string, GapPriority> found;
  for (const WorkerResult::Gap& gap : result.gaps) found[gap.id] = priority_of(gap);
  std::vector<WorkerResult::Question> questions;
  std::set<std::string> asked = gaps_asked_about(state);
  if (verdict_on(result) == kVerdictGaps) questions = possible_questions(result, found, asked);
  for (const WorkerResult::Question& question : questions)
    asked.insert(question.gaps.begin(), question.gaps.end());
  std::vector<Event> events;
  for (const WorkerResult::Gap& gap : result.gaps) {
    const GapStatus status = asked.contains(gap.id)       ? GapStatus::Clarifying
                             : !matters(found.at(gap.id)) ? GapStatus::Deferred
                                                          : GapStatus::Pending;
    events.push_back(GapChanged{
        .id = gap.id, .priority = found.at(gap.id), .status = status, .text = gap.text, .resolution = ""});
  }
  for (const auto& [id, gap] : state.gaps) {
    if (found.contains(id) || !is_unsettled(gap)) continue;
    events.push_back(GapChanged{.id = id,
                                .priority = gap.priority,
                                .status = GapStatus::Resolved,
                                .text = "",
                                .resolution = "no longer found"});
  }
  const std::string round = "C" + std::to_string(next_round(state)) + ".";
  for (std::size_t i = 0; i < questions.size(); ++i) {
    events.push_back(QuestionAsked{.id = round + std::to_string(i + 1),
                                   .step = step,
                                   .text = questions[i].text,
                                   .options = questions[i].options,
                                   .gaps = questions[i].gaps});
  }
  return events;
}

}  // namespace reprise
