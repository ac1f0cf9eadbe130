// Graph: why a step does not run, and which verdicts the stages after it know.

#include <algorithm>
#include <set>

#include "base/strings.h"
#include "planner/graph.h"

namespace reprise {
namespace {

std::string joined_by_or(const std::vector<std::string>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) text += (i == 0 ? "" : " or ") + printable_line(values[i], 60);
  return text;
}

std::string in_quotes(const std::string& text) { return '"' + printable_line(text, 60) + '"'; }

bool differs_in_spelling(const std::string& verdict, const std::string& known) {
  return to_lower(trim(verdict)) == to_lower(trim(known));
}

}  // namespace

std::optional<Graph::Unmet> Graph::find_unmet(int leaf) const {
  for (int above = leaf; above > 0; above = node(above).parent) {
    if (std::optional<Unmet> unmet = unmet_at(above)) return unmet;
  }
  return std::nullopt;
}

std::string Graph::why_not_needed(int leaf) const {
  if (const std::optional<Unmet> unmet = find_unmet(leaf)) {
    const Condition& condition = *unmet->condition;
    const std::string seen = !unmet->is_verdict    ? condition.name + " is " + in_quotes(unmet->seen)
                             : unmet->seen.empty() ? condition.name + " gave no verdict"
                                                   : condition.name + " gave " + in_quotes(unmet->seen);
    return "when " + condition.name + (condition.negated ? " is not " : " is ") + joined_by_or(condition.values) +
           "; " + seen;
  }
  for (int above = leaf; above > 0; above = node(above).parent) {
    const int giver = loop_end_before(above);
    if (giver >= 0)
      return "its loop ended: " + node(giver).path.text + " gave " + in_quotes(*record(giver)->verdict);
  }
  return "nothing asks for it";
}

// A verdict outside of those that are named makes every branch vanish. Where several stages decide by it, or by
// the loop's end, one of them is meant; where only one does, any other verdict means no, unless it is that one
// misspelled.
std::string Graph::check_verdict(int leaf, const std::string& verdict) const {
  const Node& self = node(leaf);
  if (self.parent < 0 || node(self.parent).kind != Kind::Block || node(self.parent).stage == self.stage) return "";
  std::set<std::string> known;
  bool is_asked = false;
  const auto siblings = conditional_.find(self.parent);
  if (siblings == conditional_.end()) return "";
  for (const int sibling : siblings->second) {
    for (const Condition& condition : node(sibling).stage->when) {
      if (condition.name != self.stage->name) continue;
      if (condition.negated) return "";  // any other verdict leads somewhere
      is_asked = true;
      known.insert(condition.values.begin(), condition.values.end());
    }
  }
  if (!is_asked) return "";
  // In a loop any other verdict means another round, which the loop's own limits end.
  const Node& block = node(self.parent);
  if (block.parent >= 0 && node(block.parent).kind == Kind::Repeat) return "";
  if (known.contains(verdict)) return "";
  const bool is_misspelled = std::ranges::any_of(
      known, [&](const std::string& each) { return !verdict.empty() && differs_in_spelling(verdict, each); });
  if (known.size() < 2 && !is_misspelled) return "";
  const std::string expected = joined_by_or({known.begin(), known.end()});
  if (verdict.empty()) return "it gave no verdict; the stages after it ask for " + expected;
  return "its verdict " + in_quotes(verdict) + " is not " + expected + ", which the stages after it ask for";
}

// Rounds of a loop that are over and count towards its limit, up to the end of the run.
int Graph::rounds_since_reopening(int repeat) const {
  return static_cast<int>(std::ranges::count_if(node(repeat).children, [&](int round) {
    return std::ranges::any_of(leaves_below(round), [&](int leaf) {
      const StepState* step = record(leaf);
      return step != nullptr && step->checked_event > state_.reopened_event;
    });
  }));
}

}  // namespace reprise
