// What the rules of one workflow of the orchestrator hand to those that all have in common: its steps with a
// decision each, what becomes of the whole, and what was found on the way.

#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/orchestrator_snapshot.h"
#include "model/plan.h"
#include "planner/shown.h"

namespace reprise {

/// What becomes of a workflow by what its state claims, before anything else is looked at.
enum class Course { GoOn, Wait, Done, Fresh, Blocked };

/// A step and what it needs. Steps of one level do not depend on one another, only on lower levels: the stories of
/// a wave share one, all other steps have one of their own.
struct CourseStep {
  StepDecision decision;
  int level = 0;
  std::string agent;                 // without "@"; "" if nothing says
  std::vector<std::string> inputs;   // paths
  std::vector<std::string> outputs;  // paths
  std::string story;                 // that it is about; "" if none
  bool is_gate = false;              // a person is asked, nobody works
};

inline bool is_kept(const CourseStep& step) { return step.decision.decision == Decision::Keep; }
/// Returns how a message names the story `id`.
std::string story_words(const std::string& id);

struct WorkflowCourse {
  Course course = Course::GoOn;
  std::string_view rule = {};    // that gave the course
  std::string_view reason = {};  // its words
  std::vector<CourseStep> steps = {};
  std::vector<Finding> findings = {};
  std::vector<Waiting> waiting_for = {};
  std::optional<int> iteration = {};
};

/// Makes names into components of step paths that stay apart: the second "review" is "review~2", which no name can
/// become by itself.
class PathNames {
 public:
  std::string path_for(std::string_view name);

 private:
  std::map<std::string, int> times_;
};

/// Returns a step with its decision by a rule.
CourseStep make_step(std::string path, int level, Decision decision, std::string_view rule,
                     std::string_view ground);
/// Gives a step another decision; its evidence stays.
void decide_anew(CourseStep& step, Decision decision, std::string_view rule, std::string_view ground);
/// Adds evidence to a step.
void add_evidence(CourseStep& step, std::string kind, std::string subject, std::string seen);
/// Returns a finding; claimed, seen and remedy are up to the caller.
Finding make_finding(std::string_view rule, std::string_view code, Severity severity, std::string message);
/// Returns a story's id in the form in which ids are compared: "story-1.1" and "1.1" are one, and so are "ACT-1"
/// and "act-1".
std::string bare_story_id(std::string_view id);
/// Returns the story of this id, also where the state writes it with "story-"; null if it was not looked at.
const StorySeen* find_story(const OrchestratorSnapshot& snapshot, const std::string& id);
/// Lists what a reader did not understand as findings, at most twenty of them.
void list_oddities(const std::vector<Oddity>& oddities, std::vector<Finding>& findings);

/// What depends on a step that does not stay as it is may not be kept unseen (D5): every kept step above such a
/// level is to be verified.
void verify_above_moving(std::vector<CourseStep>& steps);

inline constexpr std::string_view kUpstreamLabel = "OR-07 upstream";
inline constexpr std::string_view kAheadLabel = "OR-06 ahead";
inline constexpr std::string_view kPassedLabel = "OR-06 passed";
inline constexpr std::string_view kAheadReason = "it comes after the point where the work stopped";
inline constexpr std::string_view kPassedReason = "the work has gone past it";

}  // namespace reprise
