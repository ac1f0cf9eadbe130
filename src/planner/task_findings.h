// The list of what does not fit, while it is being made: adds by code, caps what is too many of one kind, and lets
// people's decisions count. The parts that fill it are declared here.

#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "model/plan.h"
#include "model/task_snapshot.h"
#include "planner/task_contradictions.h"

namespace reprise {

class TaskFindings {
 public:
  explicit TaskFindings(const TaskSnapshot& snapshot);

  /// Adds a finding, with the severity of its kind unless it is given, and returns it to be completed. Beyond
  /// twenty of one code it is only counted, and what is returned is shown nowhere.
  Finding& add(std::string_view code, std::string message, std::optional<Severity> severity = {});
  /// Moves everything into `recovery`, in the order of severity.
  void finish(TaskRecovery& recovery);

  /// A command that mends the list, and one that accepts a finding of this code.
  std::string repair() const;
  std::string accept(std::string_view code) const;

 private:
  // How many of one code there are, and the worst severity among those that are not listed.
  struct Count {
    std::size_t all = 0;
    Severity worst = Severity::Info;
  };
  Finding& list(const TaskFindingRow& row, std::string message, Severity severity);

  const TaskSnapshot& seen_;
  std::string id_;  // of the run, as a word of a shell
  std::deque<Finding> list_;
  std::map<std::string, Count, std::less<>> counts_;
  Finding dropped_;
};

/// What the permanent task says, beside what the tasks show.
void find_about_permanent(const TaskSnapshot& snapshot, const TaskFacts& facts, const TaskRecovery& recovery,
                          TaskFindings& findings);
/// Branch, uncommitted changes, commits (TP-13).
void find_about_git(const TaskSnapshot& snapshot, const TaskFacts& facts, const TaskRecovery& recovery,
                    TaskFindings& findings);
/// The user's own phase, repeated resumes, unproven work, age, and what was not understood.
void find_about_resume(const TaskSnapshot& snapshot, const TaskFacts& facts, const TaskRecovery& recovery,
                       TaskFindings& findings);

}  // namespace reprise
