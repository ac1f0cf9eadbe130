// The playbook's seed and what was found wrong with its first implementation: each test starts from files as
// people and agents write them, and asks the real program.

#include <gtest/gtest.h>

#include "world.h"

namespace reprise::cli_test {
namespace {

constexpr const char* kPlaybookFile = "specs/001-login/.pipeline-state.md";
constexpr const char* kLoginSpec = "# Login\n\nUsers sign in with a password.\n";

// A feature whose artifacts are all there, and a worker that does each stage in a moment and says that it ran.
class Playbook : public ::testing::Test {
 protected:
  void SetUp() override {
    world_.write(".reprise/config.yaml", "workers: {default: {run: 'sh agent.sh'}}\n");
    world_.write("agent.sh", R"(echo "$REPRISE_STAGE" >>ran.txt
cp "$REPRISE_BRIEF" "brief-$REPRISE_STAGE.md"
d=specs/001-login
case "$REPRISE_STAGE" in
spec|clarify) printf '# Login\n\nUsers sign in, clarified.\n' >$d/feature.spec.md ;;
architect) sed 's/Decision/Another decision/' good-adr.md >$d/adr.md ;;
tasks) echo '- [ ] the form' >$d/tasks.md ;;
tdd) echo 'certified' >$d/test-certification.md ;;
testrunner) echo 'all passed' >$d/test-report.md ;;
code-review) echo 'fine' >$d/code-review.md ;;
security) echo 'safe' >$d/security-review.md ;;
refactor) echo 'tidied' >$d/refactor-notes.md ;;
esac
)");
    world_.write("specs/001-login/feature.spec.md", kLoginSpec);
    world_.write("good-adr.md", adr());
    world_.write("specs/001-login/adr.md", adr());
    world_.write("specs/001-login/tasks.md", "- [x] the form\n");
    world_.write("specs/001-login/test-certification.md", "certified\n");
  }

  static std::string adr() {
    std::string text = "# Decision\n\n## Constitution Check\n\n| Article | Status |\n|---|---|\n";
    for (const char* article : {"I", "II", "III", "IV", "V", "VI", "VII", "VIII"})
      text += std::string("| Article ") + article + " | COMPLIES |\n";
    return text;
  }
  std::string spec_hash() const {
    return world_.shell("sha256sum <specs/001-login/feature.spec.md | cut -c1-64 | tr -d '\\n'").out;
  }
  std::string header(const std::string& stage, const std::string& status = "IN_PROGRESS") const {
    return "# Pipeline State: 001-login\n\n- run_id: r1\n- feature: 001-login\n- spec_hash: sha256:" +
           spec_hash() + "\n- last_updated_at: 2026-01-02T03:04:05Z\n- current_stage: " + stage +
           "\n- status: " + status + "\n";
  }
  static std::string rows(const std::vector<std::string>& stages) {
    std::string text =
        "\n## Completed Stages\n\n| Stage | Completed At | Output Artifact | Output Hash |\n|---|---|---|---|\n";
    for (const std::string& stage : stages) {
      const std::size_t colon = stage.find(':');
      text +=
          "| " + stage.substr(0, colon) + " | 2026-01-02T03:00:00Z | " + stage.substr(colon + 1) + " | N/A |\n";
    }
    return text;
  }
  static std::string rows_to_tdd() {
    return rows({"spec:feature.spec.md", "clarify:feature.spec.md", "architect:adr.md", "tasks:tasks.md",
                 "tdd:test-certification.md"});
  }
  static std::string boxes(const std::string& spec, const std::string& architecture) {
    return "\n## Human Checkpoints Cleared\n\n- [" + spec + "] Spec approval\n- [" + architecture +
           "] Architecture sign-off (includes Constitution Check)\n- [ ] Convergence escalation (if triggered)\n"
           "- [ ] Security sign-off\n";
  }

  std::string plan() const { return world_.shell("COLUMNS=300 reprise plan playbook/001-login").out; }
  Ended resume() const { return world_.reprise({"resume", "playbook/001-login", "--yes", "--quiet"}); }
  std::string ran() const { return world_.has("ran.txt") ? world_.read("ran.txt") : ""; }
  std::string state() const { return world_.read(kPlaybookFile); }
  bool has_line(const std::string& line) const { return contains("\n" + state(), "\n" + line + "\n"); }

  World world_;
};

// ---- what the file looks like

TEST_F(Playbook, S03_StateWithoutTheTitleIsRecognised) {
  const std::string fields =
      "- status: IN_PROGRESS\n- current_stage: programmer\n- spec_hash: sha256:" + spec_hash() + "\n";
  const std::string front =
      "---\nstatus: \"IN_PROGRESS\"\ncurrent_stage: programmer\nspec_hash: 'sha256:" + spec_hash() +
      "'\n---\n\n# Login\n";
  for (const std::string& head :
       {fields, "# Login, how far we are\n\n" + fields, front, "# Recovery state\n\n## Where we are\n\n" + fields,
        "**Status:** IN_PROGRESS\n**Current Stage:** programmer\n**Spec Hash:** sha256:" + spec_hash() + "\n"}) {
    SCOPED_TRACE(head);
    world_.write(kPlaybookFile, head + rows_to_tdd() + boxes("x", "x"));
    EXPECT_TRUE(contains(world_.reprise({"scan"}).out, "playbook/001-login")) << world_.reprise({"scan"}).out;
    const std::string shown = plan();
    EXPECT_TRUE(contains(shown, "resume point: programmer")) << shown;
    EXPECT_TRUE(contains(shown, "ready to resume")) << shown;
  }
}

TEST_F(Playbook, S03_FrontMatterIsWrittenWhereItStands) {
  world_.write(kPlaybookFile,
               "---\nstatus: \"IN_PROGRESS\"\ncurrent_stage: programmer\nspec_hash: sha256:" + spec_hash() +
                   "\nowner: Ana\n---\n\n# Login\n" + rows_to_tdd() + boxes("x", "x"));
  resume();
  EXPECT_TRUE(has_line("status: WAITING_FOR_HUMAN")) << state();
  EXPECT_TRUE(has_line("current_stage: security")) << state();
  EXPECT_TRUE(has_line("owner: Ana"));
  EXPECT_TRUE(state().starts_with("---\n"));
}

TEST_F(Playbook, S01_RecognisedStateWithoutTitleIsOfferedAndNotOverwritten) {
  const std::string text =
      "- status: IN_PROGRESS\n- current_stage: programmer\n- spec_hash: sha256:" + spec_hash() + "\n";
  world_.write(kPlaybookFile, text);
  const Ended ended = world_.reprise({"run", "playbook", "001-login"});
  EXPECT_EQ(ended.exit, 3);
  EXPECT_TRUE(contains(ended.err, "reprise resume playbook/001-login")) << ended.err;
  EXPECT_EQ(state(), text);
}

TEST_F(Playbook, S05_TickedBoxIsKnownWhateverWordsFollow) {
  for (const std::string boxes :
       {"- [x] Spec approved by Ana\n- [x] Architecture approved by Ana\n",
        "- [X] **Spec approval** (Ana, Monday)\n- [X] Architecture sign-off: done\n",
        "- [✓] Spec approval\n- [x] ~~Architecture sign-off~~\n",
        "* [x] CP1: Spec approval\n* [x] CP2: ADR signed off\n",
        "- Spec approval: approved by Ana\n- ✅ Architecture sign-off\n",
        "| Checkpoint | Status |\n|---|---|\n| Spec approval | approved |\n| Architecture "
        "sign-off | ✅ |\n"}) {
    SCOPED_TRACE(boxes);
    world_.write(kPlaybookFile,
                 header("programmer") + rows_to_tdd() + "\n## Human Checkpoints Cleared\n\n" + boxes);
    const std::string shown = plan();
    EXPECT_TRUE(contains(shown, "resume point: programmer")) << shown;
    EXPECT_FALSE(contains(shown, "waits for gate")) << shown;
  }
}

TEST_F(Playbook, S05_TickOnWordsThatSayNoIsAskedAgain) {
  for (const char* box : {"- [x] Spec approval (rejected)\n", "- [x] Spec approval: not yet\n"}) {
    world_.write(kPlaybookFile, header("programmer") + rows_to_tdd() + "\n## Human Checkpoints Cleared\n\n" + box +
                                    "- [x] Architecture sign-off\n");
    EXPECT_TRUE(contains(plan(), "waits for gate spec-approval")) << plan();
  }
}

TEST_F(Playbook, S07_MissingFileOfABulletedStageRunsAgain) {
  for (const std::string item : {"- tasks: tasks.md\n", "- tasks → tasks.md\n", "- ✅ tasks (tasks.md)\n",
                                 "- [x] tasks: `tasks.md`\n", "- **tasks** - tasks.md (2026-01-02)\n",
                                 "- tasks\n  - artifact: tasks.md\n", "1. tasks -> [tasks.md](tasks.md)\n"}) {
    SCOPED_TRACE(item);
    world_.write(kPlaybookFile,
                 header("programmer") +
                     "\n## Completed Stages\n\n- spec: feature.spec.md\n- clarify: feature.spec.md\n"
                     "- architect: adr.md\n" +
                     item + "- tdd: test-certification.md\n" + boxes("x", "x"));
    world_.write("specs/001-login/tasks.md", "- [x] the form\n");
    EXPECT_TRUE(contains(plan(), "resume point: programmer")) << plan();
    fs::remove(world_.root() / "specs/001-login/tasks.md");
    EXPECT_TRUE(contains(plan(), "resume point: tasks")) << plan();
  }
}

TEST_F(Playbook, S12_NoRowIsWrittenForWhatNobodyListed) {
  world_.write(kPlaybookFile, header("programmer") +
                                  rows({"spec:feature.spec.md", "architect:adr.md", "tdd:test-certification.md"}) +
                                  boxes("x", "x"));
  resume();
  EXPECT_FALSE(contains(state(), "| tasks |")) << state();
  EXPECT_FALSE(contains(state(), "| clarify |")) << state();
  EXPECT_TRUE(contains(state(), "| testrunner |")) << state();
}

TEST_F(Playbook, S12_BulletedStagesAreNotListedASecondTime) {
  world_.write(kPlaybookFile,
               header("programmer") +
                   "\n## Completed Stages\n\n- spec: feature.spec.md\n- clarify: feature.spec.md\n- architect: "
                   "adr.md\n- tasks: tasks.md\n- tdd: test-certification.md\n" +
                   boxes("x", "x"));
  resume();
  EXPECT_FALSE(contains(state(), "| spec |")) << state();
  EXPECT_TRUE(contains(state(), "- tdd: test-certification.md\n- programmer: N/A (")) << state();
  EXPECT_EQ(ran(), "programmer\ntestrunner\ncode-review\nsecurity\n");
  EXPECT_EQ(resume().exit, 3);
  EXPECT_EQ(ran(), "programmer\ntestrunner\ncode-review\nsecurity\n") << "the list is read as it was written";
}

TEST_F(Playbook, S11_ApprovalTicksTheBoxThatIsThere) {
  world_.write(kPlaybookFile,
               header("architect", "WAITING_FOR_HUMAN") +
                   rows({"spec:feature.spec.md", "clarify:feature.spec.md"}) +
                   "\n## Human Checkpoints Cleared\n\n- [x] Spec approved\n- [ ] Architecture approved\n");
  resume();
  EXPECT_EQ(world_.reprise({"approve", "playbook/001-login", "architecture-sign-off"}).exit, 0);
  EXPECT_TRUE(has_line("- [x] Architecture approved")) << state();
  EXPECT_FALSE(contains(state(), "Architecture sign-off")) << state();
}

TEST_F(Playbook, S13_FilledConstitutionCheckIsCompletedInAnyDialect) {
  const std::string head = "# Decision\n\n## Constitution Check\n\n";
  for (const std::string table :
       {"| Principle | Status |\n|---|---|\n| Library first | PASS |\n| Test first | PASS |\n",
        "| Principle | Compliant? | Notes |\n|---|---|---|\n| Library first | Yes | |\n| Simplicity | N/A | small "
        "|\n",
        "| Principle | Verdict |\n|---|---|\n| Library first | ✅ |\n| Test first | ✅ yes |\n",
        "| # | Principle | OK? |\n|---|---|---|\n| 1 | Library first | ✓ |\n| 2 | Test first | ✓ |\n"}) {
    SCOPED_TRACE(table);
    world_.write("specs/001-login/adr.md", head + table);
    world_.write(kPlaybookFile, header("programmer") + rows_to_tdd() + boxes("x", "x"));
    EXPECT_TRUE(contains(plan(), "resume point: programmer")) << plan();
  }
  for (const std::string table :
       {"| Principle | Status |\n|---|---|\n| Library first | |\n",
        "| Principle | Status |\n|---|---|\n| A | FAIL |\n",
        "| Principle | Status |\n|---|---|\n| A | PASS / FAIL |\n", "| Principle | Status |\n|---|---|\n"}) {
    SCOPED_TRACE(table);
    world_.write("specs/001-login/adr.md", head + table);
    EXPECT_TRUE(contains(plan(), "resume point: architect")) << plan();
  }
}

TEST_F(Playbook, A09_AbbreviatedHashBlocks) {
  for (const std::string& hash :
       {spec_hash().substr(0, 1) + "…", spec_hash().substr(0, 8) + "...0000", spec_hash().substr(0, 60) + "…"}) {
    world_.write(kPlaybookFile, "# Pipeline State\n\n- spec_hash: sha256:" + hash +
                                    "\n- current_stage: programmer\n- status: "
                                    "IN_PROGRESS\n" +
                                    rows_to_tdd() + boxes("x", "x"));
    EXPECT_TRUE(contains(plan(), "spec_hash_unreadable")) << plan();
    EXPECT_EQ(resume().exit, 4);
  }
  EXPECT_EQ(ran(), "");
}

TEST_F(Playbook, A28_NumberedAndTranslatedHeadingsAreRead) {
  std::string stages = rows_to_tdd();
  std::string checkpoints = boxes("x", "x");
  for (const auto& [stage_heading, checkpoint_heading] :
       {std::pair{"2. Completed Stages", "4. Human Checkpoints Cleared"},
        std::pair{"2.1) Completed Stages", "Step 4: Human Checkpoints"},
        std::pair{"Abgeschlossene Schritte", "Freigaben"}}) {
    std::string text = header("programmer") + stages + checkpoints;
    text.replace(text.find("Completed Stages"), 16, stage_heading);
    text.replace(text.find("Human Checkpoints Cleared"), 25, checkpoint_heading);
    world_.write(kPlaybookFile, text);
    EXPECT_TRUE(contains(plan(), "resume point: programmer")) << text << plan();
    EXPECT_FALSE(contains(plan(), "waits for gate")) << plan();
  }
}

TEST_F(Playbook, A28_RowsBehindABlankLineAreRead) {
  std::string text = rows_to_tdd();
  text.replace(text.find("| tasks"), 0, "\n");
  world_.write(kPlaybookFile, header("programmer") + text + boxes("x", "x"));
  EXPECT_TRUE(contains(plan(), "resume point: programmer")) << plan();
  EXPECT_FALSE(contains(plan(), "not_understood")) << plan();
}

// ---- checkpoints

TEST_F(Playbook, A01_UntickedCheckpointIsAskedForBeforeAnythingBehindIt) {
  for (const char* status : {"IN_PROGRESS", "ABORTED"}) {
    world_.write(kPlaybookFile, header("architect", status) +
                                    rows({"spec:feature.spec.md", "clarify:feature.spec.md"}) + boxes("x", " "));
    const std::string shown = plan();
    EXPECT_TRUE(contains(shown, "waits for you")) << shown;
    EXPECT_TRUE(contains(shown, "waits for gate architecture-sign-off")) << shown;
    EXPECT_TRUE(contains(shown, "resume point: architecture-sign-off")) << shown;
  }
  EXPECT_EQ(resume().exit, 3);
  EXPECT_EQ(ran(), "");
  EXPECT_EQ(resume().exit, 3);
  EXPECT_EQ(ran(), "") << "the second resume asks as well";
  EXPECT_EQ(world_.reprise({"approve", "playbook/001-login", "architecture-sign-off"}).exit, 0);
  resume();
  EXPECT_TRUE(ran().starts_with("tasks\n")) << ran();
}

TEST_F(Playbook, A01_SecuritySignOffIsAskedForWhenItsReviewIsThere) {
  for (const char* file : {"test-report", "code-review", "security-review"})
    world_.write(std::string("specs/001-login/") + file + ".md", "CRITICAL: a hole\n");
  world_.write(kPlaybookFile, header("security") +
                                  rows({"spec:feature.spec.md", "clarify:feature.spec.md", "architect:adr.md",
                                        "tasks:tasks.md", "tdd:test-certification.md", "programmer:N/A",
                                        "testrunner:test-report.md", "code-review:code-review.md"}) +
                                  boxes("x", "x"));
  EXPECT_EQ(world_.reprise({"resume", "playbook/001-login", "--mode", "autopilot", "--quiet"}).exit, 3);
  EXPECT_EQ(ran(), "");
  EXPECT_TRUE(contains(state(), "WAITING_FOR_HUMAN")) << state();
}

TEST_F(Playbook, S04_BothUntickedBoxesAreAskedForFirst) {
  world_.write(kPlaybookFile, header("programmer") + rows_to_tdd() + boxes(" ", " "));
  const std::string shown = plan();
  EXPECT_TRUE(contains(shown, "waits for gate spec-approval")) << shown;
  EXPECT_TRUE(contains(shown, "waits for gate architecture-sign-off")) << shown;
  EXPECT_EQ(resume().exit, 3);
  EXPECT_EQ(world_.reprise({"approve", "playbook/001-login", "spec-approval"}).exit, 0);
  EXPECT_EQ(resume().exit, 3);
  EXPECT_EQ(ran(), "") << "one of two is not enough";
  EXPECT_EQ(world_.reprise({"approve", "playbook/001-login", "architecture-sign-off"}).exit, 0);
  resume();
  EXPECT_TRUE(ran().starts_with("programmer\n")) << ran();
  const std::string why = world_.reprise({"why", "playbook/001-login", "architecture-sign-off"}).out;
  EXPECT_FALSE(contains(why, "skip")) << why;
}

TEST_F(Playbook, A07_ArtifactThatWasJustSignedIsKept) {
  world_.write(kPlaybookFile, header("architect", "WAITING_FOR_HUMAN") +
                                  rows({"spec:feature.spec.md", "clarify:feature.spec.md"}) + boxes("x", " "));
  EXPECT_EQ(resume().exit, 3);
  EXPECT_EQ(world_.reprise({"approve", "playbook/001-login", "architecture-sign-off"}).exit, 0);
  resume();
  EXPECT_TRUE(ran().starts_with("tasks\n")) << ran();
  EXPECT_EQ(world_.read("specs/001-login/adr.md"), adr());
}

TEST_F(Playbook, A07_SameWhenTheApprovalComesFirst) {
  world_.write(kPlaybookFile, header("architect", "WAITING_FOR_HUMAN") +
                                  rows({"spec:feature.spec.md", "clarify:feature.spec.md"}) + boxes("x", " "));
  EXPECT_EQ(world_.reprise({"approve", "playbook/001-login", "architecture-sign-off"}).exit, 0);
  resume();
  EXPECT_TRUE(ran().starts_with("tasks\n")) << ran();
  EXPECT_EQ(world_.read("specs/001-login/adr.md"), adr());
}

TEST_F(Playbook, S10_SignedOffAndListedArchitectGoesOn) {
  fs::remove(world_.root() / "specs/001-login/tasks.md");
  world_.write(kPlaybookFile, header("architect", "WAITING_FOR_HUMAN") +
                                  rows({"spec:feature.spec.md", "clarify:feature.spec.md", "architect:adr.md"}) +
                                  boxes("x", "x"));
  EXPECT_FALSE(contains(plan(), "waits for gate")) << plan();
  resume();
  EXPECT_TRUE(ran().starts_with("tasks\n")) << ran();
}

TEST_F(Playbook, A13_ApprovedSpecIsNotClarifiedBehindItsApproval) {
  world_.write("specs/001-login/feature.spec.md",
               std::string(kLoginSpec) + "\n[NEEDS CLARIFICATION: which users?]\n");
  world_.write(kPlaybookFile, header("spec", "WAITING_FOR_HUMAN") + boxes(" ", " "));
  EXPECT_TRUE(contains(plan(), "open_markers")) << plan();
  EXPECT_EQ(resume().exit, 3);
  EXPECT_EQ(world_.reprise({"approve", "playbook/001-login", "spec-approval"}).exit, 0);
  resume();
  EXPECT_EQ(ran(), "architect\n");
  EXPECT_TRUE(contains(world_.read("specs/001-login/feature.spec.md"), "[NEEDS CLARIFICATION"));
  EXPECT_FALSE(contains(plan(), "spec_hash_changed")) << plan();
}

// ---- evidence

TEST_F(Playbook, S06_StageWithoutRowAndArtifactIsNotKept) {
  fs::remove(world_.root() / "specs/001-login/tasks.md");
  world_.write(kPlaybookFile, header("tdd") +
                                  rows({"spec:feature.spec.md", "clarify:feature.spec.md", "architect:adr.md"}) +
                                  boxes("x", "x"));
  const std::string shown = plan();
  EXPECT_TRUE(contains(shown, "resume point: tasks")) << shown;
  EXPECT_TRUE(contains(shown, "pointer_ahead")) << shown;
  EXPECT_FALSE(contains(shown, ", clean")) << shown;
  resume();
  EXPECT_TRUE(ran().starts_with("tasks\ntdd\n")) << ran();
}

TEST_F(Playbook, A14_PointerAheadOfAllEvidenceCompletesNothing) {
  for (const char* file : {"adr", "tasks", "test-certification"})
    fs::remove(world_.root() / ("specs/001-login/" + std::string(file) + ".md"));
  world_.write(kPlaybookFile, header("refactor") + rows({"spec:feature.spec.md"}) + boxes(" ", " "));
  EXPECT_TRUE(contains(plan(), "pointer_ahead")) << plan();
  resume();
  EXPECT_EQ(ran(), "");
  EXPECT_TRUE(contains(state(), "status: WAITING_FOR_HUMAN")) << state();
  EXPECT_FALSE(contains(state(), "| refactor |")) << state();
}

TEST_F(Playbook, A02_AcceptBeforeTheFirstResumeRunsEveryStageBehindClarifyAgain) {
  world_.write(kPlaybookFile, header("programmer") + rows_to_tdd() + boxes("x", "x"));
  world_.write("specs/001-login/feature.spec.md", std::string(kLoginSpec) + "\nAs CSV.\n");
  EXPECT_EQ(world_.reprise({"accept", "playbook/001-login", "spec_hash_changed", "--because", "agreed"}).exit, 0);
  resume();
  EXPECT_TRUE(ran().starts_with("architect\ntasks\ntdd\nprogrammer\n")) << ran();
}

TEST_F(Playbook, DW1_WhyOfAStageForAnotherSpecNamesTheTrueReason) {
  world_.write(kPlaybookFile, header("programmer") + rows_to_tdd() + boxes("x", "x"));
  resume();
  world_.write("specs/001-login/feature.spec.md", std::string(kLoginSpec) + "\nAs CSV.\n");
  EXPECT_EQ(world_.reprise({"accept", "playbook/001-login", "spec_hash_changed", "--because", "agreed"}).exit, 0);
  const std::string why = world_.reprise({"why", "playbook/001-login", "architect"}).out;
  EXPECT_TRUE(contains(why, "another spec")) << why;
  EXPECT_FALSE(contains(why, "cut off")) << why;
  EXPECT_FALSE(contains(why, "not listed")) << why;
  EXPECT_FALSE(contains(why, "missing")) << why;
}

TEST_F(Playbook, A08_SpecAndHashLineEditedTogetherNeedADecision) {
  world_.write(kPlaybookFile, header("programmer") + rows_to_tdd() + boxes("x", "x"));
  EXPECT_EQ(resume().exit, 3);
  const std::string before = spec_hash();
  world_.write("specs/001-login/feature.spec.md", std::string(kLoginSpec) + "\nAs CSV.\n");
  std::string text = state();
  text.replace(text.find(before), 64, spec_hash());
  world_.write(kPlaybookFile, text);
  EXPECT_TRUE(contains(plan(), "spec_hash_changed")) << plan();
  EXPECT_EQ(resume().exit, 4);
}

TEST_F(Playbook, A10_RegeneratedArtifactThatDiffersReachesBehindATickedGate) {
  std::string table = rows_to_tdd();
  const std::string row = "| architect | 2026-01-02T03:00:00Z | adr.md | ";
  const std::string digest = world_.shell("sha256sum <good-adr.md | cut -c1-64 | tr -d '\\n'").out;
  table.replace(table.find(row) + row.size(), 3, "sha256:" + digest);
  world_.write(kPlaybookFile, header("programmer") + table + boxes("x", "x"));
  fs::remove(world_.root() / "specs/001-login/adr.md");
  const Ended ended = resume();
  EXPECT_EQ(ran(), "architect\n") << ended.err;
  EXPECT_EQ(ended.exit, 3) << ended.err;
  EXPECT_TRUE(contains(ended.err, "tasks")) << ended.err;
}

TEST_F(Playbook, A11_OpenGateOffersNoRetryOfAStepThatNobodyStartedHere) {
  world_.write(
      kPlaybookFile,
      "# Pipeline State\n\n- status: IN_PROGRESS\n- current_stage: programmer\n- spec_hash: N/A\n\n"
      "## Completed Stages\n\n- spec: feature.spec.md\n\n## Human Checkpoints Cleared\n\n- [ ] Spec approval\n");
  const Ended resume = world_.reprise({"resume", "playbook/001-login", "--yes"});
  EXPECT_EQ(resume.exit, 3) << resume.err;
  EXPECT_TRUE(contains(resume.err, "reprise approve playbook/001-login spec-approval")) << resume.err;
  EXPECT_FALSE(contains(resume.err, "retry it?")) << resume.err;
}

TEST_F(Playbook, A11_WhatIsInDoubtCanBeKeptAsTheQuestionSays) {
  fs::remove(world_.root() / "specs/001-login/tasks.md");
  world_.write(kPlaybookFile, header("programmer") + rows_to_tdd() + boxes("x", "x"));
  const Ended asked = resume();
  EXPECT_EQ(asked.exit, 3) << asked.err;
  EXPECT_TRUE(contains(asked.err, "reprise skip playbook/001-login tdd --because TEXT")) << asked.err;
  EXPECT_TRUE(contains(plan(), "waits for you")) << plan();
  const Ended kept = world_.reprise({"skip", "playbook/001-login", "tdd", "--because", "only words changed"});
  EXPECT_EQ(kept.exit, 0) << kept.err;
  resume();
  EXPECT_TRUE(ran().starts_with("tasks\nprogrammer\n")) << ran();
}

TEST_F(Playbook, A15_FailedInTheFileOfARunOfOursEndsIt) {
  world_.write(kPlaybookFile, header("programmer") + rows_to_tdd() + boxes("x", "x"));
  EXPECT_EQ(resume().exit, 3);
  const std::string before = ran();
  std::string text = state();
  const std::string waits = "status: WAITING_FOR_HUMAN";
  text.replace(text.find(waits), waits.size(), "status: FAILED");
  world_.write(kPlaybookFile, text);
  resume();
  EXPECT_EQ(ran(), before);
  EXPECT_TRUE(contains(state(), "status: FAILED")) << state();
  world_.reprise({"resume", "playbook/001-login", "--yes", "--quiet"});
  EXPECT_EQ(ran(), before);
}

TEST_F(Playbook, A10_RegeneratedArtifactThatIsTheSameKeepsWhatLiesBehind) {
  std::string table = rows_to_tdd();
  const std::string row = "| architect | 2026-01-02T03:00:00Z | adr.md | ";
  const std::string digest =
      world_.shell("sed 's/Decision/Another decision/' good-adr.md | sha256sum | cut -c1-64 | tr -d '\\n'").out;
  table.replace(table.find(row) + row.size(), 3, "sha256:" + digest);
  world_.write(kPlaybookFile, header("programmer") + table + boxes("x", "x"));
  fs::remove(world_.root() / "specs/001-login/adr.md");
  resume();
  EXPECT_TRUE(ran().starts_with("architect\nprogrammer\n")) << ran();
}

TEST_F(Playbook, A12_NotesOfAFoundFileAreHandedToTheWorkers) {
  world_.write(
      kPlaybookFile,
      header("programmer") + rows_to_tdd() +
          "\n## Current Stage Detail\n\n- stage: programmer\n- retry_count: 2\n- last_output_summary: "
          "two tests fail on Sunday\n\n## Failure Clusters\n\n| Cluster | First Seen | Retry Count | Stage "
          "| Notes |\n|---|---|---|---|---|\n| clock | 2026-01-01 | 2 | programmer | off by one hour |\n" +
          boxes("x", "x") + "\n## Notes\n\nAsk Ben about the file format.\n");
  resume();
  const std::string brief = world_.read("brief-programmer.md");
  EXPECT_TRUE(contains(brief, "Ask Ben about the file format.")) << brief;
  EXPECT_TRUE(contains(brief, "two tests fail on Sunday")) << brief;
  EXPECT_TRUE(contains(brief, "off by one hour")) << brief;
  EXPECT_FALSE(contains(state(), "From the state file")) << state();
}

TEST_F(Playbook, A12_CountersOfAFoundFileGoOn) {
  world_.write("agent.sh", "true\n");
  world_.write(
      kPlaybookFile,
      header("programmer") + rows_to_tdd() +
          "\n## Current Stage Detail\n\n- stage: programmer\n- retry_count: 2\n\n## Iteration Counts\n\n"
          "| Stage | Cycle Count | Budget | Status |\n|---|---|---|---|\n| spec | 2 | 2 | WITHIN_BUDGET |\n"
          "| programmer | 4 | 5 | WITHIN_BUDGET |\n" +
          boxes("x", "x"));
  resume();
  EXPECT_TRUE(contains(state(), "| programmer | 5 | 5 | WITHIN_BUDGET |")) << state();
  EXPECT_TRUE(contains(state(), "| spec | 2 | 2 | WITHIN_BUDGET |")) << state();
  EXPECT_EQ(state().find("| programmer |", state().find("| programmer | 5 |") + 1), std::string::npos)
      << "one row";
}

TEST_F(Playbook, S25_ResumedFileIsNotSaidToBeEditedByHand) {
  world_.write(kPlaybookFile, header("programmer") + rows_to_tdd() + boxes("x", "x"));
  resume();
  EXPECT_FALSE(contains(world_.reprise({"status", "playbook/001-login"}).out, "edited by hand"))
      << world_.reprise({"status", "playbook/001-login"}).out;
}

}  // namespace
}  // namespace reprise::cli_test
