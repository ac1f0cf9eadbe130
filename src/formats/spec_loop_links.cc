#include "formats/spec_loop_links.h"

#include <algorithm>
#include <ranges>
#include <unordered_map>
#include <unordered_set>

#include "base/strings.h"

namespace reprise {
namespace {

bool is_id_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
         c == '_';
}

// Calls `visit` with each word of `text` that could be an id.
template <typename Visit>
void for_each_word(std::string_view text, Visit visit) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_id_byte(text[end])) ++end;
    std::string_view word = text.substr(at, end - at);
    while (word.ends_with('.')) word.remove_suffix(1);
    if (!word.empty()) visit(word);
    at = end + 1;
  }
}

// Words to look up, sorted once: a file has few, and most files have none that are ever asked for.
class Words {
 public:
  void add(std::string_view word) { words_.push_back(word); }
  void sort() { std::ranges::sort(words_); }
  bool contains(std::string_view word) const { return std::ranges::binary_search(words_, word); }

 private:
  std::vector<std::string_view> words_;
};

class LoopLinker {
 public:
  explicit LoopLinker(SpecLoopClaims& claims) : claims_(claims) {
    for (std::size_t i = 0; i < claims_.questions.size(); ++i) {
      rows_.emplace_back(claims_.questions[i].id, i);
      for (const std::string& gap : claims_.questions[i].gaps) links_.insert(link_name(claims_.questions[i], gap));
    }
    std::ranges::sort(rows_);
    for (const ClaimedGap& gap : claims_.gaps) {
      if (!gap.is_settled()) unsettled_.add(gap.id);
      known_gaps_.add(gap.id);
    }
    for (const ClaimedResolution& row : claims_.history) {
      for_each_word(row.words, [&](std::string_view word) { in_history_.add(word); });
    }
    for (Words* words : {&unsettled_, &known_gaps_, &in_history_}) words->sort();
  }

  void link() {
    for (const ClaimedGap& gap : claims_.gaps) link_gap(gap);
    for (ClaimedAnswer& answer : claims_.answers) link_answer(answer);
    for (ClaimedQuestion& question : claims_.questions) question.applied = is_applied(question);
    for (ClaimedAnswer& answer : claims_.answers) answer.applied = is_applied(answer);
  }

 private:
  void link_gap(const ClaimedGap& gap) {
    const auto link = [&](std::string_view id) {
      for (const auto& [question, row] : rows_of(id)) {
        claims_.links_questions = true;
        add(claims_.questions[row], gap.id);
      }
    };
    for (const std::string& id : gap.questions) link(id);
    // "Pending C2.1" says it where the table has no column for it. What settled a gap is another matter.
    if (gap.status == GapStatus::Clarifying) for_each_word(gap.resolution, link);
  }

  // A question's id with the place of its row, by id and place.
  using Row = std::pair<std::string_view, std::size_t>;
  std::ranges::subrange<std::vector<Row>::const_iterator> rows_of(std::string_view id) const {
    return std::ranges::equal_range(rows_, id, {}, &Row::first);
  }

  void add(ClaimedQuestion& question, const std::string& gap) {
    if (links_.insert(link_name(question, gap)).second) question.gaps.push_back(gap);
  }
  static std::string link_name(const ClaimedQuestion& question, const std::string& gap) {
    return std::to_string(question.line) + ' ' + gap;
  }

  void link_answer(ClaimedAnswer& answer) {
    if (rows_of(answer.question).empty()) name_by_id(answer);
    if (answer.recorded) recorded_[answer.question] = *answer.recorded;
    for (const auto& [question, row] : rows_of(answer.question)) {
      if (claims_.questions[row].answer.empty()) claims_.questions[row].answer = answer.answer;
    }
  }

  // An answer may name its question by its words.
  void name_by_id(ClaimedAnswer& answer) {
    if (by_words_.empty()) {
      for (const ClaimedQuestion& question : claims_.questions)
        by_words_.try_emplace(to_lower(trim(question.question)), &question);
    }
    const auto found = by_words_.find(to_lower(trim(answer.question)));
    if (found != by_words_.end() && !found->first.empty()) answer.question = found->second->id;
  }

  bool is_applied(const ClaimedQuestion& question) const {
    const auto recorded = recorded_.find(question.id);
    if (recorded != recorded_.end()) return recorded->second;
    if (question.status == QuestionStatus::Applied) return true;
    const bool is_answered = question.status == QuestionStatus::Answered || !question.answer.empty();
    return is_answered && (has_gone_on(question.id) || in_history_.contains(question.id) || all_settled(question));
  }

  bool is_applied(const ClaimedAnswer& answer) const {
    const auto recorded = recorded_.find(answer.question);
    if (recorded != recorded_.end()) return recorded->second;
    const auto rows = rows_of(answer.question);
    if (!rows.empty()) return claims_.questions[rows.front().second].applied;
    return has_gone_on(answer.question) || in_history_.contains(answer.question);
  }

  bool has_gone_on(std::string_view question) const {
    const bool validates = claims_.status == LoopStatus::Validating || claims_.status == LoopStatus::Completed ||
                           claims_.status == LoopStatus::Terminated;
    const std::optional<long long> asked_in = iteration_in(question);
    return validates || (asked_in && claims_.iteration.number && *asked_in < *claims_.iteration.number);
  }

  bool all_settled(const ClaimedQuestion& question) const {
    return !question.gaps.empty() && std::ranges::all_of(question.gaps, [&](const std::string& gap) {
      return known_gaps_.contains(gap) && !unsettled_.contains(gap);
    });
  }

  SpecLoopClaims& claims_;
  std::vector<Row> rows_;
  std::unordered_set<std::string> links_;
  std::unordered_map<std::string, const ClaimedQuestion*> by_words_;
  std::unordered_map<std::string, bool> recorded_;
  Words known_gaps_;
  Words unsettled_;
  Words in_history_;
};

}  // namespace

void link_questions(SpecLoopClaims& claims) { LoopLinker(claims).link(); }

std::optional<long long> iteration_in(std::string_view question_id) {
  if (!question_id.starts_with('C') && !question_id.starts_with('c')) return std::nullopt;
  const std::size_t dot = question_id.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  return parse_number(question_id.substr(1, dot - 1), 1'000);
}

}  // namespace reprise
