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

// ---- B11: tasks that are made again

constexpr const char* kLeadThatFailsOnce = R"(
case $REPRISE_STEP in
P3/lead)
  a=$(reprise task create --list "$subject" --subject Draw --metadata phase=P6)
  b=$(reprise task create --list "$subject" --subject Print --metadata phase=P6 --blocked-by "$a")
  reprise task create --list "$subject" --subject Check >/dev/null
  echo "$a $b" >>ids.txt
  test -e failed || { touch failed; exit 1; } ;;
esac
)";

TEST(Tasks, B11_ALeadThatRunsAgainMakesItsTasksOnce) {
  const TaskProject project;
  project.write("hook.sh", kLeadThatFailsOnce);
  EXPECT_EQ(project.reprise({"run", "task-pipeline", "own", "--variant", "STANDARD", "--quiet"}).exit, 0);
  EXPECT_EQ(project.read("ids.txt"), "2 3\n2 3\n");
  const std::string list = project.reprise({"task", "list", "--list", "own"}).out;
  EXPECT_TRUE(contains(list, "  4    completed    -         P3  Check")) << list;
  EXPECT_FALSE(contains(list, "\n  5 ")) << list;
}

TEST(Tasks, B11_ATakenOverListHoldsEachTaskOnce) {
  const TaskProject project;
  project.write(".reprise/config.yaml", "workers: {default: {run: [./agent.sh], env: [CLAUDE_CONFIG_DIR]}}\n");
  project.permanent("STANDARD", "P3");
  project.task("2", "Ask", "completed", R"("phase": "P2", "l1": "asked")");
  project.write("hook.sh", kLeadThatFailsOnce);
  EXPECT_EQ(project.resume().exit, 0);
  EXPECT_EQ(project.read("ids.txt"), "3 4\n3 4\n");
  EXPECT_FALSE(project.has(project.file_of("6")));
  EXPECT_TRUE(contains(project.read(project.file_of("5")), R"("phase": "P3")"));
  const std::string list = project.reprise({"task", "list", "--list", "l"}).out;
  EXPECT_FALSE(contains(list, "pending")) << list;
}

TEST(Tasks, B11_TasksOfAnotherToolAreDoneOnceAndOtherWorkIsNotLost) {
  const TaskProject project;
  project.permanent("STANDARD", "P6");
  project.task("2", "Draw", "completed", R"("phase": "P6", "l1": "drawn")");
  project.task("3", "Print", "pending", R"("phase": "P6")");
  project.write("hook.sh", R"(
case $REPRISE_STEP in
P6/tasks/3)
  test -e failed && return 0
  for n in 4 5; do
    sed "s/\"id\": \"3\"/\"id\": \"$n\"/; s/in_progress/pending/" .agent/tasks/l/3.json >.agent/tasks/l/$n.tmp
    test $n = 5 && sed -i 's/All about/Another half of/' .agent/tasks/l/$n.tmp
    mv .agent/tasks/l/$n.tmp .agent/tasks/l/$n.json
  done
  touch failed; exit 1 ;;
esac
)");
  EXPECT_EQ(project.resume().exit, 0);
  EXPECT_FALSE(project.did_run("P6/tasks/4")) << project.ran();
  EXPECT_TRUE(project.did_run("P6/tasks/5")) << project.ran();
  const std::string list = project.reprise({"task", "list", "--list", "l"}).out;
  EXPECT_FALSE(contains(list, "pending")) << list;
  EXPECT_TRUE(contains(project.read(project.file_of("4")), R"("reason": "duplicate")"));
}

// ---- B14, B28: repair

TEST(Tasks, B14_ACorruptedPermanentTaskIsRebuiltFromItsCommits) {
  const TaskProject project;
  project.write("a.txt", "a\n");
  project.git("add -A; git commit -qm plan");
  const std::string first = project.head();
  project.write("b.txt", "b\n");
  project.git("add -A; git commit -qm work");
  project.permanent("COMPLEX", "P7",
                    R"(, "commits": [")" + first + R"(", ")" + project.head() +
                        R"("], "phase_signals": {"p3": "PASS|tasks:2", "p6": "PASS|tasks:4", "p7": "partial"})");
  EXPECT_TRUE(contains(project.plan(), "permanent_corrupted"));
  const Ended repair = project.reprise({"repair", "task-pipeline/l", "--yes"});
  EXPECT_EQ(repair.exit, 0) << repair.err;
  EXPECT_TRUE(contains(repair.err, "phase P6 is shown as done by commit " + first)) << repair.err;
  const std::string task = project.read(project.file_of("1"));
  for (const char* part : {R"("current_phase": "P7")", R"("p3": "PASS|tasks:2")", R"("p6": "PASS|tasks:4")"})
    EXPECT_TRUE(contains(task, part)) << part << "\n" << task;
  EXPECT_FALSE(contains(task, "partial")) << task;
  EXPECT_EQ(project.decision("P6"), "keep") << project.plan();
  EXPECT_EQ(project.decision("P7"), "run") << project.plan();
  EXPECT_EQ(project.resume().exit, 0);
  EXPECT_EQ(project.ran(), "P7/lead\nP8/lead\n");
}

TEST(Tasks, B14_WithoutAnythingToShowItGoesBackToTheStart) {
  const TaskProject project;
  project.permanent("STANDARD", "P7", R"(, "commits": ["1234567890abcdef"], "phase_signals": {"p6": "PASS"})");
  const Ended repair = project.reprise({"repair", "task-pipeline/l", "--yes"});
  EXPECT_TRUE(contains(repair.err, "no task, no file and no commit shows any phase as done")) << repair.err;
  EXPECT_TRUE(contains(project.read(project.file_of("1")), R"("current_phase": "P0")"));
  EXPECT_EQ(project.reprise({"undo", "--yes"}).exit, 0);
  EXPECT_TRUE(contains(project.read(project.file_of("1")), R"("current_phase": "P7")"));
}

TEST(Tasks, B28_ANewPermanentTaskCanBeUndone) {
  TaskProject project;
  project.task("2", "Draw", "pending", R"("phase": "P6")");
  project.set("CLAUDE_CODE_TASK_LIST_ID", "l");
  const Ended repair = project.reprise({"repair", "task-pipeline/l", "--yes"});
  EXPECT_EQ(repair.exit, 0) << repair.err;
  const std::string made = project.read(project.file_of("3"));
  EXPECT_TRUE(contains(made, "[PERMANENT]"));
  const Ended undo = project.reprise({"undo", "--yes"});
  EXPECT_EQ(undo.exit, 0) << undo.err;
  EXPECT_FALSE(project.has(project.file_of("3"))) << undo.err;
  EXPECT_EQ(project.reprise({"undo", "--yes"}).exit, 0);
  EXPECT_EQ(project.read(project.file_of("3")), made);
  project.write(project.file_of("3"), made + "\n");
  EXPECT_EQ(project.reprise({"undo", "--yes"}).exit, 5);
  EXPECT_EQ(project.read(project.file_of("3")), made + "\n");
}

// ---- B29: the report of a resume

TEST(Tasks, B29_TheReportIsAboutTheResumePhaseThatWasAskedFor) {
  const TaskProject project;
  project.permanent("STANDARD", "P6");
  project.task("2", "Plan", "completed", R"("phase": "P3", "l1": "planned")");
  project.task("3", "Draw", "in_progress", R"("phase": "P6")");
  EXPECT_EQ(project.resume({"--from", "P3"}).exit, 0);
  const std::string report = project
                                 .shell(
                                     "cat .git/reprise/attempts/*/pipeline-resume.md "
                                     ".git/reprise/attempts/*/*/pipeline-resume.md 2>/dev/null")
                                 .out;
  EXPECT_TRUE(contains(report, "- Resume phase: P3 (plan)")) << report;
  EXPECT_TRUE(contains(report, "- Readiness: confirm")) << report;
  EXPECT_TRUE(contains(report, "User's phase P3")) << report;
}

// ---- B33: stale and suspect tasks are not completed ones

TEST(Tasks, B33_StaleAndSuspectTasksAreCountedApart) {
  const TaskProject project;
  project.write("a.txt", "a\n");
  project.permanent("COMPLEX", "P6");
  project.task("2", "Stale", "completed",
               R"("phase": "P6", "hashes": {"a.txt": ")" + std::string(64, '0') + R"("})");
  project.task("3", "Failed", "failed", R"("phase": "P6", "error": "no")");
  project.task("4", "Suspect", "completed", R"("phase": "P6", "l1": "done")", "\"3\"");
  project.task("5", "Done", "completed", R"("phase": "P6", "l1": "done")");
  const std::string l1 = project.reprise({"plan", "task-pipeline/l", "--report", "l1"}).out;
  for (const char* line :
       {"total_tasks: 4\n", "completed_tasks: 1\n", "failed_tasks: 1\n", "stale_tasks: 1\n", "suspect_tasks: 1\n"})
    EXPECT_TRUE(contains(l1, line)) << line << l1;
  EXPECT_TRUE(contains(project.reprise({"plan", "task-pipeline/l", "--report", "signal"}).out, "|tasks:1/4|"));
  EXPECT_TRUE(contains(project.reprise({"plan", "task-pipeline/l", "--report", "l2"}).out,
                       "1 of 4 completed, 0 in progress, 0 pending, 1 failed, 1 stale, 1 suspect"));
}

// ---- B35: edits after the interruption

TEST(Tasks, B35_ATrackedFileEditedAfterTheInterruptionIsReviewed) {
  const TaskProject project;
  project.write("a.txt", "a\n");
  project.write("b.txt", "b\n");
  project.git("add -A; git commit -qm files");
  project.permanent("COMPLEX", "P6");
  project.task("2", "Draw", "in_progress", R"("phase": "P6", "files": ["a.txt", "b.txt", "out/c.txt"])");
  project.write("b.txt", "by the agent\n");
  project.write("out/c.txt", "by the agent\n");
  project.git(
      "config core.untrackedCache false; touch -d '3 hours ago' .agent/tasks/l/*.json; "
      "touch -d '4 hours ago' b.txt out/c.txt");
  project.write("a.txt", "by hand\n");
  const std::string plan = project.plan();
  EXPECT_TRUE(contains(plan, "warning: a.txt was changed after the list's last activity")) << plan;
  EXPECT_TRUE(contains(plan, "2 files of tasks have uncommitted changes")) << plan;
  EXPECT_FALSE(contains(plan, "warning: out/")) << plan;
  EXPECT_TRUE(contains(plan, "resumable once confirmed")) << plan;
}

// ---- S24: signals of phases that nobody did

TEST(Tasks, S24_PhasesThatNobodyDidGetNoSignal) {
  const TaskProject project;
  project.permanent("COMPLEX", "P6");
  project.task("2", "Plan", "completed", R"("phase": "P3", "l1": "planned")");
  project.task("3", "Draw", "in_progress", R"("phase": "P6")");
  EXPECT_EQ(project.resume().exit, 0);
  const std::string task = project.read(project.file_of("1"));
  for (const char* done :
       {R"("p3": "PASS|tasks:1")", R"("p6": "PASS|tasks:1")", R"("p7": "PASS)", R"("p8": "PASS)"})
    EXPECT_TRUE(contains(task, done)) << done << "\n" << task;
  for (const char* undone : {R"("p0")", R"("p1")", R"("p2")", R"("p4")", R"("p5")"})
    EXPECT_FALSE(contains(task, undone)) << undone << "\n" << task;
}

// ---- B04: delivery

TEST(Tasks, B04_AllTasksCompletedIsNotDelivered) {
  const TaskProject project;
  project.permanent("STANDARD", "P8");
  project.task("2", "Draw", "completed", R"("phase": "P6", "l1": "drawn")");
  project.task("3", "Check", "completed", R"("phase": "P7", "l1": "checked")");
  project.task("4", "Announce", "completed", R"("phase": "P8", "l1": "announced")");
  EXPECT_EQ(project.decision("P8"), "run") << project.plan();
  project.write("hook.sh", "case $REPRISE_STEP in P8/lead) exit 1 ;; esac\n");
  EXPECT_NE(project.resume().exit, 0);
  EXPECT_TRUE(project.did_run("P8/lead")) << project.ran();
  EXPECT_FALSE(contains(project.read(project.file_of("1")), "delivered"));
  EXPECT_FALSE(contains(project.read(project.file_of("1")), R"("status": "completed")"));
}

// ---- B05: a confirmed branch

TEST(Tasks, B05_AConfirmedBranchIsThatBranchAlone) {
  const TaskProject project;
  project.permanent("STANDARD", "P6");
  project.task("2", "Draw", "in_progress", R"("phase": "P6")");
  project.git("checkout -q -b other");
  EXPECT_EQ(project.resume().exit, 4);
  EXPECT_EQ(project.reprise({"accept", "task-pipeline/l", "branch_mismatch", "--because", "yes"}).exit, 0);
  EXPECT_FALSE(contains(project.plan(), "blocking: ")) << project.plan();
  project.git("checkout -q -b third");
  EXPECT_TRUE(contains(project.plan(), "third")) << project.plan();
  EXPECT_EQ(project.resume().exit, 4);
  EXPECT_EQ(project.ran(), "");
  project.git("checkout -q other");
  EXPECT_EQ(project.resume().exit, 0);
  EXPECT_TRUE(contains(project.read(project.file_of("1")), R"("branch": "other")"));
}

// ---- B06: a lost commit of a run

TEST(Tasks, B06_APhaseWhoseCommitWasLostRunsAgain) {
  const TaskProject project;
  project.write("hook.sh", R"(
case $REPRISE_STEP in
P6/lead) echo work >>work.txt; git add work.txt; git commit -qm "work $REPRISE_ATTEMPT" ;;
P7/lead) exit 1 ;;
esac
)");
  EXPECT_NE(project.reprise({"run", "task-pipeline", "own", "--variant", "STANDARD", "--quiet"}).exit, 0);
  EXPECT_FALSE(contains(project.reprise({"plan", "task-pipeline/own"}).out, "commits_missing"));
  project.write("ran.txt", "");
  project.git("commit -q --amend -m reworded");
  EXPECT_FALSE(contains(project.reprise({"plan", "task-pipeline/own"}).out, "commits_missing"));
  project.git("reset -q --hard HEAD~1");
  const std::string plan = project.reprise({"plan", "task-pipeline/own"}).out;
  EXPECT_TRUE(contains(plan, "rerun    P6/lead")) << plan;
  EXPECT_TRUE(contains(plan, "commits_missing")) << plan;
  project.reprise({"approve", "task-pipeline/own", "P7/lead"});
  project.reprise({"resume", "task-pipeline/own", "--yes"});
  EXPECT_TRUE(project.did_run("P6/lead")) << project.ran();
  EXPECT_TRUE(project.has("work.txt"));
  EXPECT_FALSE(contains(project.reprise({"plan", "task-pipeline/own"}).out, "commits_missing"));
}

// ---- B08, B26: stale work after a list was taken over

TEST(Tasks, B08_B26_AnEditAfterTheTakeOverIsVerifiedByAVerifier) {
  const TaskProject project;
  project.write("verify.sh",
                "#!/bin/sh\necho \"verify $REPRISE_STEP\" >>ran.txt\ntest $REPRISE_STEP != P7/lead\n");
  project.write(".reprise/config.yaml",
                "workers: {default: {run: [./agent.sh]}, roles: {verify: {run: [./verify.sh]}}}\n");
  project.write("quay.txt", "quay\n");
  project.git("update-index --add --chmod=+x verify.sh; chmod +x verify.sh; git add -A; git commit -qm quay");
  std::string digest = project.shell("sha256sum <quay.txt").out.substr(0, 64);
  project.permanent("COMPLEX", "P6");
  project.task("2", "Build", "completed", R"("phase": "P6", "hashes": {"quay.txt": ")" + digest + R"("})");
  project.task("3", "Describe", "pending", R"("phase": "P6")");
  EXPECT_NE(project.resume().exit, 0);  // P7 fails
  EXPECT_FALSE(project.did_run("verify P6/tasks/2")) << project.ran();
  project.write("quay.txt", "two quays\n");
  project.git("commit -qam by-hand");
  const std::string plan = project.plan();
  EXPECT_TRUE(contains(plan, "a file of it was changed since (quay.txt)")) << plan;
  project.reprise({"approve", "task-pipeline/l", "P7/lead"});
  project.resume();
  EXPECT_TRUE(project.did_run("verify P6/tasks/2")) << project.ran();
  digest = project.shell("sha256sum <quay.txt").out.substr(0, 64);
  EXPECT_TRUE(contains(project.read(project.file_of("2")), digest)) << project.read(project.file_of("2"));
  EXPECT_FALSE(contains(project.plan(), "stale_task")) << project.plan();
}

TEST(Tasks, B26_AFailedVerificationGoesBackToExecution) {
  const TaskProject project;
  project.write("verify.sh", "#!/bin/sh\necho \"verify $REPRISE_STEP\" >>ran.txt\ntest $REPRISE_STEP = P7/lead\n");
  project.write(".reprise/config.yaml",
                "workers: {default: {run: [./agent.sh]}, roles: {verify: {run: [./verify.sh]}}}\n");
  project.write("quay.txt", "quay\n");
  project.git("update-index --add --chmod=+x verify.sh; chmod +x verify.sh; git add -A; git commit -qm quay");
  project.permanent("COMPLEX", "P6");
  project.task("2", "Build", "completed",
               R"("phase": "P6", "hashes": {"quay.txt": ")" + std::string(64, '0') + R"("})");
  EXPECT_EQ(project.resume().exit, 0);
  EXPECT_TRUE(contains(project.ran(), "verify P6/tasks/2\nP6/tasks/2\n")) << project.ran();
}

// ---- B15: edits between sessions

TEST(Tasks, B15_AnEditAfterAKillIsSeen) {
  const TaskProject project;
  project.write("notes.md", "notes\n");
  project.write("made.md", "made\n");
  project.git("add -A; git commit -qm notes");
  project.write("hook.sh", R"(
case $REPRISE_STEP in
P6/lead) echo by the worker >>made.md; echo said; sleep 0.1; echo "$PPID $$" >pids; mv pids started; exec sleep 60 ;;
esac
)");
  const std::unique_ptr<Background> run =
      project.start({"run", "task-pipeline", "own", "--variant", "TRIVIAL"}, "../run.txt");
  ASSERT_TRUE(project.wait_for_file("started"));
  run->signal(9);
  run->end();
  project.shell("kill -9 $(cat started)");
  const std::string before = project.reprise({"plan", "task-pipeline/own"}).out;
  EXPECT_FALSE(contains(before, "uncommitted_changes")) << before;
  project.write("notes.md", "by hand\n");
  const std::string plan = project.reprise({"plan", "task-pipeline/own"}).out;
  EXPECT_TRUE(contains(plan, "warning: notes.md has uncommitted changes")) << plan;
  EXPECT_FALSE(contains(plan, "warning: made.md")) << plan;
}

// ---- B27: the permanent task of a run

TEST(Tasks, B27_ThePermanentTaskOfARunTellsItsProgress) {
  const TaskProject project;
  project.write("hook.sh", "case $REPRISE_STEP in P6/lead) exit 1 ;; esac\n");
  EXPECT_NE(project.reprise({"run", "task-pipeline", "own", "--variant", "STANDARD", "--quiet"}).exit, 0);
  std::string task = project.reprise({"task", "get", "1", "--list", "own"}).out;
  for (const char* part : {R"("current_phase": "P6")", R"("resume_count": 0)", R"("branch": "main")"})
    EXPECT_TRUE(contains(task, part)) << part << "\n" << task;
  project.reprise({"approve", "task-pipeline/own", "P6/lead"});
  project.reprise({"resume", "task-pipeline/own", "--yes"});
  task = project.reprise({"task", "get", "1", "--list", "own"}).out;
  EXPECT_TRUE(contains(task, R"("resume_count": 1)")) << task;
}

}  // namespace
}  // namespace reprise::cli_test
