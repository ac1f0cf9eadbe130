#include "planner/orchestrator_course.h"

#include <algorithm>
#include <limits>

#include "base/strings.h"

namespace reprise {
namespace {

std::string_view without_story_word(std::string_view id) {
  id = trim(id);
  const bool has_word = id.size() > 6 && to_lower(id.substr(0, 5)) == "story" &&
                        std::string_view(" -_").find(id[5]) != std::string_view::npos;
  return has_word ? id.substr(6) : id;
}

}  // namespace

std::string PathNames::path_for(std::string_view name) {
  const std::string path = path_component(name.empty() ? "step" : name);
  const int times = ++times_[path];
  return times == 1 ? path : path + "~" + std::to_string(times);
}

CourseStep make_step(std::string path, int level, Decision decision, std::string_view rule,
                     std::string_view ground) {
  CourseStep step;
  const std::size_t slash = path.rfind('/');
  step.decision.stage = slash == std::string::npos ? path : path.substr(slash + 1);
  step.decision.step = {std::move(path)};
  step.level = level;
  decide_anew(step, decision, rule, ground);
  return step;
}

void decide_anew(CourseStep& step, Decision decision, std::string_view rule, std::string_view ground) {
  step.decision.decision = decision;
  step.decision.rule = rule;
  step.decision.ground = ground;
  step.decision.detail = {};
}

void add_evidence(CourseStep& step, std::string kind, std::string subject, std::string seen) {
  step.decision.seen.edit().push_back({std::move(kind), std::move(subject), std::move(seen)});
}

Finding make_finding(std::string_view rule, std::string_view code, Severity severity, std::string message) {
  return {.rule = std::string(rule),
          .code = std::string(code),
          .severity = severity,
          .message = std::move(message),
          .claimed = "",
          .seen = "",
          .remedy = ""};
}

std::string story_words(const std::string& id) { return "story " + printable_line(id, 80); }

std::string bare_story_id(std::string_view id) { return to_lower(without_story_word(id)); }

const StorySeen* find_story(const OrchestratorSnapshot& snapshot, const std::string& id) {
  const std::string bare(without_story_word(id));
  for (const std::string& form : {id, bare, "story-" + bare, "STORY-" + bare, to_upper(bare), to_lower(bare)}) {
    const auto found = snapshot.stories.find(form);
    if (found != snapshot.stories.end()) return &found->second;
  }
  return nullptr;
}

void list_oddities(const std::vector<Oddity>& oddities, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < oddities.size() && i < kListedMax; ++i) {
    findings.push_back(make_finding("ALL-03", "not_understood", Severity::Info,
                                    "line " + std::to_string(oddities[i].line) + ": " +
                                        quoted_line(oddities[i].text) + ": " +
                                        printable_line(oddities[i].why, kShownTextMax)));
  }
  if (oddities.size() > kListedMax) {
    findings.push_back(make_finding("ALL-03", "not_understood", Severity::Info,
                                    std::to_string(oddities.size() - kListedMax) + " more like these"));
  }
}

void verify_above_moving(std::vector<CourseStep>& steps) {
  int lowest = std::numeric_limits<int>::max();
  for (const CourseStep& step : steps) {
    if (step.decision.decision != Decision::Keep) lowest = std::min(lowest, step.level);
  }
  for (CourseStep& step : steps) {
    if (step.level <= lowest || step.decision.decision != Decision::Keep) continue;
    decide_anew(step, Decision::Verify, kUpstreamLabel, "it is done, but something before it is not");
  }
}

}  // namespace reprise
