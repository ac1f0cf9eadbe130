// The task pipeline as its seed describes it, against the real program: lists as coding agents leave them, a stub
// that stands in for every worker, and what a resume makes of both.

#include <gtest/gtest.h>

#include <sstream>

#include "world.h"

namespace reprise::cli_test {
namespace {

// A project with one task list of a coding agent. The stub notes each step that it is given in `ran.txt`, keeps
// its brief and context, and runs `hook.sh` if there is one.
class TaskProject : public World {
 public:
  TaskProject() {
    set("CLAUDE_CONFIG_DIR", ".agent");
    write("agent.sh", R"(#!/bin/sh
echo "$REPRISE_STEP" >>ran.txt
name=$(echo "$REPRISE_STEP" | tr / -)
cp "$REPRISE_BRIEF" "brief-$name.md"; cp "$REPRISE_CONTEXT" "context-$name.json"
test -e hook.sh && . ./hook.sh
exit 0
)");
    write(".reprise/config.yaml", "workers: {default: {run: [./agent.sh]}}\n");
    write(".gitignore", "/.agent/\n/ran.txt\n/brief-*\n/context-*\n/hook.sh\n");
    git("config user.name Ana; git config user.email ana@example.org; git checkout -q -b main; chmod +x agent.sh; "
        "git add -A; git commit -qm begin");
  }

  void git(const std::string& words) const {
    const Ended ended = shell("git " + words);
    EXPECT_EQ(ended.exit, 0) << words << "\n" << ended.err;
  }
  std::string head() const {
    std::string id = shell("git rev-parse HEAD").out;
    id.pop_back();
    return id;
  }
  static std::string file_of(const std::string& id) { return ".agent/tasks/l/" + id + ".json"; }
  /// Writes a task as a coding agent leaves it; `metadata` are members of an object.
  void task(const std::string& id, const std::string& subject, const std::string& status,
            const std::string& metadata, const std::string& blocked_by = "") const {
    write(file_of(id), R"({"id": ")" + id + R"(", "subject": ")" + subject + R"(", "description": "All about )" +
                           subject + R"(.", "status": ")" + status + R"(", "blocks": [], "blockedBy": [)" +
                           blocked_by + R"(], "metadata": {)" + metadata + "}}");
  }
  void permanent(const std::string& tier, const std::string& phase, const std::string& more = "") const {
    task("1", "[PERMANENT] Tides", "pending",
         R"("tier": ")" + tier + R"(", "current_phase": ")" + phase + R"(", "branch": "main")" + more);
  }

  Ended resume(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"resume", "task-pipeline/l", "--yes"};
    words.insert(words.end(), more.begin(), more.end());
    return reprise(words);
  }
  std::string plan() const { return reprise({"plan", "task-pipeline/l"}).out; }
  /// Returns the decision of `step` in the plan, "keep" for example; "" if it has none.
  std::string decision(const std::string& step) const {
    std::istringstream lines(plan());
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string decision;
      std::string path;
      if (line.starts_with("  ") && words >> decision >> path && path == step) return decision;
    }
    return "";
  }
  std::string ran() const { return has("ran.txt") ? read("ran.txt") : ""; }
  bool did_run(const std::string& step) const { return contains("\n" + ran(), "\n" + step + "\n"); }
};

// ---- B09, B10: results

struct ResultRow {
  const char* label;
  const char* metadata;  // of a completed task
};
constexpr ResultRow kKeptResults[] = {
    {"l1 and l2 in words", R"("l1": "PASS, 12 sources", "l2": "Heights and times agree.\nNothing is open.")"},
    {"output in words", R"("output": "Compared both tables. No difference.")"},
    {"one word", R"("output": "done")"},
    {"a signal", R"("output": "PASS|tasks:3/3|ref:none")"},
    {"a version", R"("l1": "v1.2")"},
    {"an object", R"("l1": {"domain": "research", "sources": 12})"},
    {"a list of findings", R"("outputs": ["the table is complete", "two sources differ"])"},
    {"nothing", R"("output": null, "l1": "N/A")"},
    {"a list in one text", R"("output": "a.txt, out/b.txt")"},
    {"one path per line", R"("output": "- a.txt\n- out/b.txt")"},
    {"code marks", R"("output": "`a.txt`")"},
    {"a path in an object", R"("outputs": [{"path": "out/b.txt", "lines": 3}])"},
    {"a name without an extension", R"("output": "Makefile")"},
    {"a path from here", R"("files": ["./a.txt"], "output": "./out/../a.txt")"},
};

TEST(Tasks, B09_CompletedTasksWithResultsInTheirMetadataAreKept) {
  for (const ResultRow& row : kKeptResults) {
    SCOPED_TRACE(row.label);
    const TaskProject project;
    project.write("a.txt", "a\n");
    project.write("out/b.txt", "b\n");
    project.write("Makefile", "all:\n");
    project.git("add -A; git commit -qm files");
    project.permanent("COMPLEX", "P6");
    project.task("2", "Compare", "completed", R"("phase": "P6", )" + std::string(row.metadata));
    project.task("3", "Draw", "pending", R"("phase": "P6")");
    const std::string plan = project.plan();
    const bool is_nothing = std::string(row.label) == "nothing";
    EXPECT_EQ(project.decision("P6/2"), is_nothing ? "rerun" : "keep") << plan;  // TP-11: it left nothing to show
    EXPECT_FALSE(contains(plan, "outputs_missing")) << plan;
  }
}

TEST(Tasks, B09_AMissingFileIsStillMissing) {
  for (const char* output :
       {R"("gone.txt")", R"("a.txt, gone.txt")", R"("out/gone")", R"("/tmp/reprise-no/x.md")"}) {
    SCOPED_TRACE(output);
    const TaskProject project;
    project.write("a.txt", "a\n");
    project.permanent("COMPLEX", "P6");
    project.task("2", "Compare", "completed", R"("phase": "P6", "output": )" + std::string(output));
    EXPECT_EQ(project.decision("P6/2"), "rerun");
    EXPECT_TRUE(contains(project.plan(), "outputs_missing"));
  }
}

TEST(Tasks, B09_PartialResultsInMetadataReachTheWorker) {
  const TaskProject project;
  project.write("chart.txt", "~~\n");
  project.permanent("COMPLEX", "P6");
  project.task("2", "Compare", "in_progress",
               R"("phase": "P6", "partial_output": "Rows 1 to 40 agree, 41 on are open.", "l1": "chart.txt")");
  EXPECT_EQ(project.decision("P6/2"), "continue") << project.plan();
  EXPECT_EQ(project.resume().exit, 0);
  const std::string brief = project.read("brief-P6-tasks-2.md");
  EXPECT_TRUE(contains(brief, "Rows 1 to 40 agree, 41 on are open.")) << brief;
  EXPECT_TRUE(contains(brief, "partial output: `chart.txt`")) << brief;
  const std::string context = project.read("context-P6-tasks-2.json");
  EXPECT_TRUE(contains(context, R"("partial_results":["Rows 1 to 40 agree, 41 on are open."])")) << context;
}

TEST(Tasks, B10_AbsolutePathsNameTheirFiles) {
  const TaskProject project;
  const std::string root = project.root().string();
  const fs::path elsewhere = project.root().parent_path() / "pipeline";
  fs::create_directories(elsewhere);
  project.write("a.txt", "a\n");
  project.write("../pipeline/plan.md", "plan\n");
  project.git("add -A; git commit -qm files");
  project.permanent("COMPLEX", "P6");
  project.task("2", "In the project", "completed",
               R"("phase": "P6", "output": ")" + root + R"(/a.txt", "files": [")" + root + R"(/a.txt"])");
  project.task("3", "Elsewhere", "completed",
               R"("phase": "P6", "output": ")" + (elsewhere / "plan.md").string() + R"(")");
  project.task("4", "Draw", "pending", R"("phase": "P6")");
  const std::string plan = project.plan();
  EXPECT_EQ(project.decision("P6/2"), "keep") << plan;
  EXPECT_EQ(project.decision("P6/3"), "keep") << plan;
  EXPECT_FALSE(contains(plan, "warning:")) << plan;
  // An edit of it is known by whichever of its names.
  project.write("a.txt", "b\n");
  EXPECT_FALSE(contains(project.plan(), "uncommitted_changes")) << project.plan();
  EXPECT_EQ(project.resume().exit, 0);
  EXPECT_FALSE(project.did_run("P6/tasks/3")) << project.ran();
}

// ---- B25: what the worker of a task is told

TEST(Tasks, B25_AContinuedTaskIsHandedOverAsOne) {
  const TaskProject project;
  project.write("half.md", "half\n");
  project.write(".reprise/config.yaml", "workers: {default: {run: [./agent.sh], env: [CLAUDE_CONFIG_DIR]}}\n");
  project.permanent("COMPLEX", "P6");
  project.task(
      "2", "Draw", "in_progress",
      R"("phase": "P6", "output": "half.md", "agent": "cartographer", "files": ["chart.txt", "key.txt"])");
  project.task("3", "Print", "in_progress", R"("phase": "P6")");
  EXPECT_EQ(project.resume().exit, 0);
  const std::string brief = project.read("brief-P6-tasks-2.md");
  for (const char* part : {"agent `cartographer`", "- `chart.txt`", "- `key.txt`", "partial output: `half.md`",
                           "2.json of the list", "it was cut off, and is handed what it left"})
    EXPECT_TRUE(contains(brief, part)) << part << "\n" << brief;
  for (const char* part : {"***", "1.json"}) EXPECT_FALSE(contains(brief, part)) << part << "\n" << brief;
  const std::string context = project.read("context-P6-tasks-2.json");
  for (const char* part :
       {R"("rule":"continue")", R"("agent":"cartographer")", R"("files":["chart.txt","key.txt"])"})
    EXPECT_TRUE(contains(context, part)) << part << "\n" << context;
  // One that left nothing starts over, and is told so.
  EXPECT_TRUE(contains(project.read("context-P6-tasks-3.json"), R"("rule":"restart")"));
  EXPECT_FALSE(contains(project.read("brief-P6-tasks-3.md"), "Do not start over"));
}

}  // namespace
}  // namespace reprise::cli_test
