#include "executor/questions.h"

#include <set>

namespace reprise {

void make_question_ids_unique(std::vector<Event>& events, const RunState& state) {
  std::set<std::string> given;
  for (Event& event : events) {
    QuestionAsked* const asked = std::get_if<QuestionAsked>(&event);
    if (asked == nullptr) continue;
    const auto is_taken = [&](const std::string& id) {
      const auto found = state.questions.find(id);
      return given.contains(id) || (found != state.questions.end() && found->second.step != asked->step);
    };
    const std::string own = asked->id;
    if (is_taken(own)) asked->id = own + "@" + asked->step.text;
    for (int i = 2; is_taken(asked->id); ++i) asked->id = own + "." + std::to_string(i) + "@" + asked->step.text;
    given.insert(asked->id);
  }
}

std::string id_for_worker(const std::string& id, const StepPath& step) {
  const std::string suffix = "@" + step.text;
  return id.ends_with(suffix) ? id.substr(0, id.size() - suffix.size()) : id;
}

}  // namespace reprise
