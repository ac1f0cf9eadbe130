#include "formats/block_checks.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "base/strings.h"
#include "formats/key_reader.h"
#include "formats/stage_order.h"

namespace reprise {
namespace {

// Returns `path` in the one form in which equal paths are equal texts.
std::string normal_path(std::string_view path) {
  std::string out;
  for (const std::string_view part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (!out.empty()) out += '/';
    out += part;
  }
  return out;
}

class BlockChecker {
 public:
  BlockChecker(const std::vector<Stage>& stages, const std::vector<StageFacts>& facts, const Scope& scope,
               Problems& problems)
      : stages_(stages), facts_(facts), scope_(scope), problems_(problems) {
    for (std::uint32_t i = 0; i < stages.size(); ++i) number_of_.emplace(stages[i].name, i);
  }

  void check_all() {
    std::vector<std::vector<std::uint32_t>> needs(stages_.size());
    bool all_known = true;
    for (std::uint32_t i = 0; i < stages_.size(); ++i) all_known = resolve_needs(i, needs[i]) && all_known;
    const StageOrder order(std::move(needs));
    for (const std::vector<std::uint32_t>& cycle : order.cycles()) report_cycle(cycle);
    const std::vector<Asked> asked = check_condition_names();
    // Without a sound order every further complaint would be about the same mistake.
    if (!all_known || !order.cycles().empty()) return;
    check_conditions(order, asked);
    check_retries(order);
    check_paths(order);
  }

 private:
  std::string name(std::uint32_t stage) const { return quoted(stages_[stage].name); }

  std::vector<std::string_view> names() const {
    std::vector<std::string_view> out;
    for (const Stage& stage : stages_) out.push_back(stage.name);
    return out;
  }

  bool resolve_needs(std::uint32_t stage, std::vector<std::uint32_t>& needs) {
    bool all_known = true;
    for (const YamlNode& need : facts_[stage].needs) {
      const auto found = number_of_.find(need.text());
      if (found != number_of_.end()) {
        needs.push_back(found->second);
        continue;
      }
      all_known = false;
      if (problems_.is_full()) continue;
      const std::vector<std::string_view> known = names();
      problems_.add(need,
                    name(stage) + " needs a stage that is not in its block: " + quoted(need.text()) +
                        suggestion(need.text(), known),
                    listed(known));
    }
    return all_known;
  }

  void report_cycle(const std::vector<std::uint32_t>& cycle) {
    static constexpr std::size_t kShownMax = 20;
    // Begins with the stage that comes first in the file.
    const auto first = std::ranges::min_element(cycle);
    const auto offset = static_cast<std::size_t>(first - cycle.begin());
    std::string text;
    for (std::size_t i = 0; i < std::min(cycle.size(), kShownMax); ++i) {
      text += stages_[cycle[(offset + i) % cycle.size()]].name + " -> ";
    }
    if (cycle.size() > kShownMax) text += "… -> ";
    problems_.add(facts_[*first].key, "stages need one another in a circle: " + text + stages_[*first].name);
  }

  // A condition on the verdict of another stage.
  struct Asked {
    StageOrder::Question question;
    YamlNode at;
  };

  // Whether the names in conditions mean anything does not depend on the order.
  std::vector<Asked> check_condition_names() {
    std::vector<Asked> asked;
    for (std::uint32_t stage = 0; stage < stages_.size(); ++stage) {
      for (const YamlNode& condition : facts_[stage].conditions) {
        const auto found = number_of_.find(condition.text());
        const bool is_value = scope_.has_value(condition.text());
        if (found != number_of_.end() && is_value) {
          problems_.add(condition, "both a value and a stage have this name: " + quoted(condition.text()),
                        "different names");
        } else if (found != number_of_.end()) {
          asked.push_back({{stage, found->second}, condition});
        } else if (!is_value) {
          report_unknown(condition, stage);
        }
      }
    }
    return asked;
  }

  void check_conditions(const StageOrder& order, const std::vector<Asked>& asked) {
    std::vector<StageOrder::Question> questions;
    for (const Asked& each : asked) questions.push_back(each.question);
    const std::vector<bool> answers = order.answers(questions);
    for (std::size_t i = 0; i < questions.size(); ++i) {
      if (answers[i]) continue;
      problems_.add(asked[i].at,
                    name(questions[i].later) +
                        " asks for the verdict of a stage that it does not need: " + name(questions[i].earlier),
                    "needs: [" + stages_[questions[i].earlier].name + "]");
    }
  }

  // A further attempt can only start at something that comes before.
  void check_retries(const StageOrder& order) {
    for (std::uint32_t stage = 0; stage < stages_.size(); ++stage) {
      for (const YamlNode& from : facts_[stage].retry_from) {
        const auto found = number_of_.find(from.text());
        const StageOrder::Question question{stage, found == number_of_.end() ? stage : found->second};
        if (question.earlier != stage && order.answers({&question, 1})[0]) continue;
        problems_.add(
            from, name(stage) + " cannot start again from a stage that it does not need: " + quoted(from.text()),
            listed(names_needed(stage)));
      }
    }
  }

  std::vector<std::string_view> names_needed(std::uint32_t stage) const {
    return {stages_[stage].needs.begin(), stages_[stage].needs.end()};
  }

  void report_unknown(const YamlNode& condition, std::uint32_t stage) {
    if (problems_.is_full()) return;
    std::vector<std::string_view> known(scope_.inputs->begin(), scope_.inputs->end());
    known.insert(known.end(), scope_.items.begin(), scope_.items.end());
    std::ranges::sort(known);
    known.insert(known.end(), stages_[stage].needs.begin(), stages_[stage].needs.end());
    problems_.add(condition,
                  "neither a value nor a stage of this block: " + quoted(condition.text()) +
                      suggestion(condition.text(), known),
                  listed(known));
  }

  struct Made {
    std::string path;
    std::uint32_t stage;
    const MadePath* said;
  };

  // In one order that fits `needs`, each stage that makes a path must come after the one before it:
  // then all of them do.
  void check_paths(const StageOrder& order) {
    std::vector<Made> made;
    for (std::uint32_t stage = 0; stage < facts_.size(); ++stage) {
      for (const MadePath& said : facts_[stage].made) made.push_back({normal_path(said.path), stage, &said});
    }
    std::ranges::sort(made, {}, [&](const Made& m) {
      return std::tuple<std::string_view, std::uint32_t>(m.path, order.rank(m.stage));
    });
    std::vector<StageOrder::Question> questions;
    std::vector<const Made*> later;
    for (std::size_t i = 1; i < made.size(); ++i) {
      if (made[i].path != made[i - 1].path || made[i].stage == made[i - 1].stage) continue;
      questions.push_back({made[i].stage, made[i - 1].stage});
      later.push_back(&made[i]);
    }
    const std::vector<bool> answers = order.answers(questions);
    for (std::size_t i = 0; i < questions.size(); ++i) {
      if (!answers[i]) report_same_path(*later[i], *(later[i] - 1));
    }
  }

  void report_same_path(const Made& one, const Made& other) {
    const auto place = [](const Made& m) { return std::tuple(m.said->at.line(), m.said->at.column()); };
    const Made& second = place(one) < place(other) ? other : one;
    const Made& first = place(one) < place(other) ? one : other;
    problems_.add(
        second.said->at,
        name(first.stage) + " and " + name(second.stage) +
            " make the same path, and neither needs the other: " + quoted(one.path),
        "different paths, or needs: [" + stages_[first.stage].name + "] in " + stages_[second.stage].name);
  }

  const std::vector<Stage>& stages_;
  const std::vector<StageFacts>& facts_;
  const Scope& scope_;
  Problems& problems_;
  std::unordered_map<std::string_view, std::uint32_t> number_of_;
};

}  // namespace

void check_block(const std::vector<Stage>& stages, const std::vector<StageFacts>& facts, const Scope& scope,
                 Problems& problems) {
  BlockChecker(stages, facts, scope, problems).check_all();
}

}  // namespace reprise
