// QA loops and general states, made anew from what their stories and files show.

#include <algorithm>

#include "base/strings.h"
#include "model/limits.h"
#include "planner/orchestrator_rebuild.h"
#include "planner/qa_loop_rules.h"
#include "planner/story_cycle_rules.h"

namespace reprise {
namespace {

class QaLoopRebuilder {
 public:
  QaLoopRebuilder(const OrchestratorSnapshot& snapshot, RebuiltState& out)
      : seen_(snapshot), old_(snapshot.qa_loop), out_(out), loop_(out.qa_loop) {}

  void make() {
    loop_ = old_;
    loop_.oddities.clear();
    if (loop_.dialect.empty()) loop_.dialect = "reference";
    if (loop_.story.empty()) loop_.story = seen_.subject;
    if (!loop_.iterations_max) loop_.iterations_max = kLoopIterationsUsual;
    for (const ClaimedReview& review : loop_.history) {
      out_.facts.push_back({"review " + std::to_string(review.iteration.value_or(0)),
                            review.verdict_word.empty() ? "no verdict" : review.verdict_word, FactSource::OldState,
                            seen_.state_file, review.line});
    }
    count_iterations();
    take_verdict();
    out_.possible = true;
  }

 private:
  // The highest iteration that left a file, else the one that the file still shows, else the first.
  void count_iterations() {
    RebuiltFact fact{"iteration", "", FactSource::OldState, seen_.state_file, 0};
    long long iteration = old_.iteration.value_or(0);
    for (const ClaimedReview& review : old_.history) iteration = std::max(iteration, review.iteration.value_or(0));
    for (const ReferencedFile& file : seen_.files) {
      const long long of_file = iteration_in(file.made_by.empty() ? file.phase : file.made_by);
      if (!file.exists || file.role != FileRole::Artifact || of_file <= iteration) continue;
      iteration = of_file;
      fact = {"iteration", "", FactSource::Artifact, file.path, 0};
    }
    if (iteration <= 0 || iteration > kIterationsMax) {
      iteration = 1;
      fact = {"iteration", "", FactSource::Nothing, "", 0};
      out_.unknown.push_back("which iteration it was; the first is assumed");
    }
    loop_.iteration = iteration;
    fact.value = std::to_string(iteration);
    out_.facts.push_back(std::move(fact));
  }

  static long long iteration_in(std::string_view step) {
    const std::vector<std::string_view> parts = split(step, '/');
    return parts.size() == 3 && parts[0] == "loop" ? parse_number(parts[1], kIterationsMax).value_or(0) : 0;
  }

  // What the story says of its review outranks what is left of the loop's own file. Only a stopped loop may be
  // resumed, so that is what it becomes unless its story is done.
  void take_verdict() {
    const StorySeen* story = find_story(seen_, loop_.story);
    loop_.status = QaLoopStatus::Stopped;
    loop_.status_word = "stopped";
    if (story == nullptr || !story->exists) {
      out_.unknown.push_back("how story " + loop_.story + " stands");
      return;
    }
    const StoryGate gate = situation_of(story->claims).gate;
    const bool done = story->claims.status == StoryStatus::Done;
    out_.facts.push_back({"story " + loop_.story, std::string(to_token(story->claims.status)), FactSource::Story,
                          story->path, story->claims.status_line});
    if (done && gate != StoryGate::Failed) {
      record(QaVerdict::Approve, "APPROVE",
             {"", gate == StoryGate::Passed ? story->claims.gate : "Done", FactSource::Story, story->path, 0});
      loop_.status = QaLoopStatus::Completed;
      loop_.status_word = "completed";
    } else if (gate == StoryGate::Failed) {
      record(QaVerdict::Reject, "REJECT", {"", story->claims.gate, FactSource::Story, story->path, 0});
    } else if (gate == StoryGate::None) {
      take_from_change_log(*story);
    }
  }

  // The last trust: a rejection in the change log is repeated work at worst; an approval there proves nothing.
  void take_from_change_log(const StorySeen& story) {
    const auto& changes = story.claims.changes;
    const auto last = std::find_if(changes.rbegin(), changes.rend(), [](const StoryChange& change) {
      const std::string text = to_upper(change.text);
      return text.find("REJECT") != std::string::npos || text.find("APPROVE") != std::string::npos;
    });
    if (last == changes.rend() || to_upper(last->text).find("REJECT") == std::string::npos) return;
    record(QaVerdict::Reject, "REJECT", {"", last->text, FactSource::ChangeLog, story.path, last->line});
  }

  // Sets the verdict of the current iteration, where its history has none; `from` is who says so.
  void record(QaVerdict verdict, const std::string& word, RebuiltFact from) {
    const auto entry = std::ranges::find_if(
        loop_.history, [&](const ClaimedReview& review) { return review.iteration == loop_.iteration; });
    if (entry != loop_.history.end() && entry->verdict != QaVerdict::None && verdict != QaVerdict::Approve) return;
    ClaimedReview review = entry == loop_.history.end() ? ClaimedReview{} : *entry;
    review.iteration = loop_.iteration;
    review.verdict = verdict;
    review.verdict_word = word;
    if (entry == loop_.history.end()) {
      loop_.history.push_back(std::move(review));
    } else {
      *entry = std::move(review);
    }
    loop_.last_verdict = verdict;
    from.what = "verdict";
    from.value = word + " (" + printable_line(from.value, 60) + ")";
    out_.facts.push_back(std::move(from));
  }

  const OrchestratorSnapshot& seen_;
  const QaLoopClaims& old_;
  RebuiltState& out_;
  QaLoopClaims& loop_;
};

// A general state. A file proves nothing where the state does not say that the step ended; that it is gone proves
// that what it made did not stay.
class FlowRebuilder {
 public:
  FlowRebuilder(const OrchestratorSnapshot& snapshot, RebuiltState& out)
      : seen_(snapshot), out_(out), flow_(out.flow) {}

  void make() {
    flow_ = seen_.flow;
    flow_.oddities.clear();
    flow_.damaged = false;
    flow_.status = FlowStatus::Interrupted;
    flow_.status_word = "interrupted";
    if (flow_.dialect.empty()) flow_.dialect = "record";
    if (flow_.id.empty()) flow_.id = seen_.subject;
    if (flow_.steps.empty()) return make_steps_of_story();
    for (ClaimedFlowStep& step : flow_.steps) check_step(step);
    out_.possible = true;
  }

 private:
  void check_step(ClaimedFlowStep& step) {
    RebuiltFact fact{"step " + step.name, "", FactSource::OldState, seen_.state_file, step.line};
    const auto made = std::ranges::find_if(seen_.files, [&](const ReferencedFile& file) {
      const bool is_its = file.made_by == step.name || (!step.output.empty() && file.path == step.output);
      return file.role == FileRole::Artifact && is_its;
    });
    if (made != seen_.files.end()) {
      step.completed = step.completed && made->exists;
      fact.source = FactSource::Artifact;
      fact.file = made->path;
      fact.line = 0;
    }
    if (!step.completed && step.status_word == "completed") step.status_word = "pending";
    fact.value = step.completed ? "completed" : step.status_word.empty() ? "pending" : step.status_word;
    out_.facts.push_back(std::move(fact));
  }

  // Nothing is left of its steps: the cycle of its story says what there is and what is done.
  void make_steps_of_story() {
    const StorySeen* story = find_story(seen_, flow_.story);
    if (story == nullptr || !story->exists) {
      out_.unknown.push_back("which steps it has");
      return;
    }
    StoryClaims claims = story->claims;
    RebuiltFact source{"", "", FactSource::Story, story->path, claims.status_line};
    const bool unclear = claims.status == StoryStatus::Missing || claims.status == StoryStatus::Unknown;
    if (const StoryChange* change = unclear ? last_transition(claims) : nullptr) {
      claims.status = *change->to;
      source = {"", "", FactSource::ChangeLog, story->path, change->line};
    }
    const StoryCycleRow& row = decide(situation_of(claims));
    out_.possible = row.course != Course::Blocked;
    if (!out_.possible) {
      out_.unknown.push_back("how story " + flow_.story + " stands");
      return;
    }
    bool past = true;
    for (const StoryPhase& phase : kStoryPhases) {
      past = past && phase.name != row.phase;
      add_step(phase, past, source);
    }
  }

  void add_step(const StoryPhase& phase, bool completed, RebuiltFact source) {
    ClaimedFlowStep step;
    step.name = phase.name;
    step.agent = phase.agent;
    step.completed = completed;
    step.status_word = completed ? "completed" : "pending";
    source.what = "step " + step.name;
    source.value = step.status_word;
    out_.facts.push_back(std::move(source));
    flow_.steps.push_back(std::move(step));
  }

  const OrchestratorSnapshot& seen_;
  RebuiltState& out_;
  FlowClaims& flow_;
};

}  // namespace

void rebuild_qa_loop(const OrchestratorSnapshot& snapshot, RebuiltState& out) {
  QaLoopRebuilder(snapshot, out).make();
}

void rebuild_flow(const OrchestratorSnapshot& snapshot, RebuiltState& out) { FlowRebuilder(snapshot, out).make(); }

}  // namespace reprise
