// A project with work of the orchestrator in a real git repository, for tests: files written, aged and committed
// at chosen times.

#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "app/orchestrator_find.h"
#include "app/orchestrator_look.h"
#include "base/strings.h"
#include "planner/orchestrator_rules.h"
#include "testing/git_repository.h"

namespace reprise {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;

class OrchestratorProject : public testing::Test {
 protected:
  OrchestratorProject() : app_(open_app(repository_.path()).value()), now_(app_->clock.now()) {}

  std::string ago(Duration age) const { return to_text(now_ - age); }

  void write(const std::string& path, const std::string& text) const { repository_.write(path, text); }
  /// Writes a file that was last changed some time ago.
  void write(const std::string& path, const std::string& text, Duration age) const {
    write(path, text);
    std::filesystem::last_write_time(app_->project / path, std::filesystem::file_time_type::clock::now() - age);
  }
  void remove(const std::string& path) const { std::filesystem::remove_all(app_->project / path); }
  /// Commits everything, as of some time ago.
  void commit(Duration age, const std::string& message) const {
    setenv("GIT_COMMITTER_DATE", ago(age).c_str(), 1);
    setenv("GIT_AUTHOR_DATE", ago(age).c_str(), 1);
    repository_.commit(message);
    unsetenv("GIT_COMMITTER_DATE");
    unsetenv("GIT_AUTHOR_DATE");
  }

  static std::string story(const std::string& id, const std::string& status, const std::string& more = "") {
    return "# Story " + id + ": Mooring " + id + "\n\n**Status:** " + status +
           "\n**Executor:** @dev\n\n## Acceptance Criteria\n\n1. The rope holds.\n\n" + more;
  }
  void write_story(const std::string& id, const std::string& status, const std::string& more = "",
                   Duration age = hours(5)) const {
    write("docs/stories/" + id + ".story.md", story(id, status, more), age);
  }
  /// An epic with two waves: 5.1 done, 5.2 as given, 5.10 pending.
  std::string epic(const std::string& status, Duration age, const std::string& second = "in_progress") const {
    return "epic_state:\n  epicId: \"5\"\n  execution_plan: docs/epics/EPIC-5-EXECUTION.yaml\n  mode: "
           "interactive\n"
           "  updated_at: \"" +
           ago(age) + "\"\n  status: " + status +
           "\n  current_wave: 2\n  total_waves: 2\n  waves:\n    1:\n      status: completed\n      stories:\n"
           "        5.1: { status: completed }\n    2:\n      status: in_progress\n      stories:\n"
           "        5.2: { status: " +
           second + " }\n        5.10: { status: pending }\n  gate_verdicts:\n    1: { status: approved }\n";
  }
  static std::string plan_file(const std::string& more = "") {
    return "execution:\n  epicId: \"5\"\n  storyBasePath: docs/stories\n  stories:\n" + more +
           "    5.1: { file: 5.1.story.md }\n    5.2: { file: 5.2.story.md, key_files: [src/winch.c] }\n"
           "    5.10: { file: 5.10.story.md }\n  waves:\n    - { wave: 1, stories: [5.1] }\n"
           "    - { wave: 2, stories: [5.2, 5.10] }\n";
  }
  void write_epic(Duration age = hours(2)) const {
    write(".aiox/epic-5-state.yaml", epic("active", age), age);
    write("docs/epics/EPIC-5-EXECUTION.yaml", plan_file(), hours(5));
    write_story("5.1", "Done");
    write_story("5.2", "InProgress", "## File List\n\n- `src/winch.c`\n");
    write_story("5.10", "Draft");
    write("src/winch.c", "int winch;\n", hours(5));
  }
  std::string loop(const std::string& id, const std::string& status, Duration age, int iteration = 3) const {
    return "{\"storyId\": " + (id.empty() ? std::string("null") : "\"" + id + "\"") +
           ", \"currentIteration\": " + std::to_string(iteration) + ", \"maxIterations\": 5, \"status\": \"" +
           status + "\", \"updatedAt\": \"" + ago(age) +
           "\", \"history\": [{\"iteration\": " + std::to_string(iteration) + ", \"verdict\": null}]}\n";
  }
  std::string flow(const std::string& id, const std::string& status, Duration age,
                   const std::string& more = "") const {
    return "workflow_id: release\ninstance_id: " + id + "\nstatus: " + status + "\nupdated_at: \"" + ago(age) +
           "\"\nsteps:\n  - { name: build, status: completed }\n  - { name: publish, status: " +
           (status == "completed" ? "completed" : "in_progress") + " }\n" + more;
  }

  std::vector<Candidate> find() { return find_orchestrator(*app_, ignored_ = {}); }
  /// Returns the candidate with this id; fails if there is none.
  Candidate find(const std::string& id) {
    for (Candidate& candidate : find()) {
      if (candidate.id.text == id) return candidate;
    }
    ADD_FAILURE() << "there is no " << id;
    return {};
  }
  std::string ids() {
    std::string all;
    for (const Candidate& candidate : find()) all += (all.empty() ? "" : " ") + candidate.id.text;
    return all;
  }
  std::string why_ignored(const std::string& path) const {
    const auto found = std::ranges::find(ignored_, path, &IgnoredFile::path);
    return found == ignored_.end() ? "" : found->why;
  }

  OrchestratorSnapshot look(const Candidate& candidate) const {
    const auto kind = std::ranges::find(kOrchestratorKindTokens, candidate.workflow,
                                        [](const auto& row) { return std::string(row.second); });
    const std::string bytes = repository_.read(candidate.state_file);
    return look_at_orchestrator(*app_, kind->first, candidate.subject, candidate.state_file, bytes).value();
  }
  OrchestratorSnapshot look(const std::string& id) { return look(find(id)); }
  static Plan plan(const OrchestratorSnapshot& seen) { return plan_orchestrator(seen).plan; }
  static std::string point(const Plan& plan) {
    return plan.resume_point ? plan.decisions[*plan.resume_point].step.text : "";
  }
  static std::string codes(const OrchestratorSnapshot& seen) {
    std::string all;
    for (const Finding& finding : plan(seen).findings)
      all += finding.code + ":" + std::string(to_token(finding.severity)) + " ";
    return all;
  }
  static bool has(const OrchestratorSnapshot& seen, const std::string& code) {
    return (" " + codes(seen)).find(" " + code + " ") != std::string::npos;
  }

  /// Everything in the project with git's own folder: content, and when it was changed.
  std::map<std::string, std::string> everything() const {
    namespace fs = std::filesystem;
    std::map<std::string, std::string> all;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(app_->project)) {
      std::ostringstream text;
      text << entry.last_write_time().time_since_epoch().count() << '\n';
      if (entry.is_regular_file()) text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
      all[entry.path().string()] = text.str();
    }
    return all;
  }

  GitRepository repository_;
  std::unique_ptr<App> app_;
  Timestamp now_;
  std::vector<IgnoredFile> ignored_;
};

}  // namespace reprise
