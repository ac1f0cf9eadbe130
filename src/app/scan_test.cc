// Looking for interrupted work in a real folder: what is found, what is left alone, and that it says the same as
// the plan that follows from the same file.

#include "app/scan.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "app/found_files.h"
#include "app/preview.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

constexpr const char* kIndex = "specs/005-tide/.workflow/index.md";
constexpr const char* kState = "specs/001-berths/.pipeline-state.md";

std::string loop(const std::string& status, const std::string& iteration, const std::string& more = "") {
  return "# Feature Index: 005-tide\n\n## Priority Loop State\n\n| Field | Value |\n|---|---|\n| **Loop Status** "
         "| " +
         status + " |\n| **Current Iteration** | " + iteration + " / 10 |\n| **Stale Count** | 0 / 3 |\n" + more;
}

std::string playbook(const std::string& status, const std::string& boxes) {
  return "# Pipeline State\n\n- feature: 001-berths\n- spec_hash: N/A\n- current_stage: architect\n- status: " +
         status +
         "\n\n## Completed Stages\n\n| Stage | Completed At | Output Artifact |\n|---|---|---|\n"
         "| spec | 2026-03-01T08:00:00Z | feature.spec.md |\n| clarify | 2026-03-01T09:00:00Z | N/A |\n\n"
         "## Human Checkpoints Cleared\n\n" +
         boxes;
}

constexpr const char* kHistory =
    "\n## Gap Resolution History\n\n| Gap ID | Iteration | Action |\n|---|---|---|\n| G-001 | 1 | resolved |\n";

class ScanTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "reprise-scan-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = fs::canonical(name);
    fs::create_directories(folder_ / "project/.git");
    app_ = open_app(folder_ / "project").value();
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  void write(const fs::path& path, const std::string& text) const {
    fs::create_directories((app_->project / path).parent_path());
    std::ofstream(app_->project / path, std::ios::binary) << text;
  }
  ScanResult found() const { return scan_found(*app_).value(); }
  Candidate only_one() const {
    const ScanResult result = found();
    EXPECT_EQ(result.candidates.size(), 1u);
    return result.candidates.empty() ? Candidate() : result.candidates.front();
  }
  Plan plan_of(const Candidate& candidate) const { return preview(*app_, candidate, "").value()->plan; }
  static std::string point(const Plan& plan) {
    return plan.resume_point ? plan.decisions[*plan.resume_point].stage : "";
  }

  fs::path folder_;
  std::unique_ptr<App> app_;
};

TEST_F(ScanTest, SL03_ScaffoldingIsNotSaidToBeAtAPhaseThatTheIndexDoesNotTell) {
  write(kIndex, loop("scaffolding", "1"));
  const Candidate without = only_one();
  EXPECT_EQ(without.stage, "");
  EXPECT_EQ(without.why, "scaffolding was cut off; the plan tells how far it got");
  EXPECT_EQ(without.status, RunStatus::Interrupted);
  EXPECT_EQ(point(plan_of(without)), "A1");
  write("specs/005-tide/spec.md", "# Tides\n\nAn alarm.\n");
  const Candidate with = only_one();
  EXPECT_EQ(with.stage, "");
  EXPECT_EQ(with.why, without.why) << "nothing but the index is looked at";
  EXPECT_EQ(point(plan_of(with)), "A2");
}

TEST_F(ScanTest, SL03_TracesOfTheLoopInTheIndexMakeAValidationALaterOne) {
  write("specs/005-tide/spec.md", "# Tides\n\nAn alarm.\n");
  write(kIndex, loop("validating", "1"));
  EXPECT_EQ(only_one().stage, "A3");
  EXPECT_EQ(only_one().why, "the first validation was cut off");
  write(kIndex, loop("validating", "1", kHistory));
  EXPECT_EQ(only_one().stage, "B3");
  EXPECT_EQ(only_one().why, "a validation after answers was cut off");
  EXPECT_EQ(point(plan_of(only_one())), "B3");
  write(kIndex, loop("validating", "11"));
  EXPECT_EQ(only_one().stage, "B3");
  EXPECT_EQ(only_one().why, "a validation after answers was cut off; its index is not consistent");
}

TEST_F(ScanTest, SL03_AnAnswerThatNoQuestionAsksForIsAppliedFirst) {
  write(kIndex, loop("clarifying", "2",
                     "\n## Received Answers\n\n| Question | Answer | Received | Applied |\n|---|---|---|---|\n"
                     "| C1.1 | yes | 2026-03-01T08:00:00Z | no |\n"));
  EXPECT_EQ(only_one().stage, "B2");
  EXPECT_EQ(point(plan_of(only_one())), "B2");
}

TEST_F(ScanTest, ALL01_ASpecLoopIsListedAsItsPlanSays) {
  const std::string asked =
      "\n## Pending Questions\n\n| ID | Question | Gaps | Status |\n|---|---|---|---|\n| C1.1 | How? | G-001 | ";
  const std::string gap =
      " |\n\n## Gap Priority Queue\n\n| Priority | Gap ID | Status |\n|---|---|---|\n| Minor | G-001 | ";
  int compared = 0;
  for (const char* status : {"not_started", "scaffolding", "spec_writing", "validating", "clarifying", "completed",
                             "terminated", "resting", ""}) {
    for (const std::string& more :
         {std::string(), std::string(kHistory), asked + "awaiting_answer" + gap + "clarifying |\n",
          asked + "answered" + gap + "clarifying |\n", asked + "applied" + gap + "resolved |\n"}) {
      for (const bool has_spec : {false, true}) {
        fs::remove_all(app_->project / "specs");
        write(kIndex, loop(status, "1", more));
        if (has_spec) write("specs/005-tide/spec.md", "# Tides\n\nAn alarm.\n");
        const Candidate candidate = only_one();
        const Plan plan = plan_of(candidate);
        const std::string what = std::string(status) + (has_spec ? " with" : " without") + " spec" + more;
        EXPECT_EQ(candidate.resumable, plan.readiness != Readiness::Done && plan.readiness != Readiness::Fresh)
            << what;
        if (plan.readiness == Readiness::Blocked) continue;
        EXPECT_EQ(candidate.status == RunStatus::Waiting, plan.readiness == Readiness::Wait) << what;
        EXPECT_EQ(candidate.status == RunStatus::Done, plan.readiness == Readiness::Done) << what;
        EXPECT_EQ(candidate.status == RunStatus::Stopped, plan.readiness == Readiness::Fresh) << what;
        ++compared;
        if (candidate.stage.empty()) continue;
        EXPECT_EQ(candidate.stage, point(plan)) << what;
      }
    }
  }
  EXPECT_GT(compared, 40);
}

TEST_F(ScanTest, PB11_ATickedBoxIsNotWaitedFor) {
  write("specs/001-berths/feature.spec.md", "# Berths\n");
  write(kState, playbook("WAITING_FOR_HUMAN", "- [x] Spec approval\n- [ ] Architecture sign-off\n"));
  EXPECT_EQ(only_one().status, RunStatus::Waiting);
  EXPECT_EQ(only_one().why, "the run waits for a person");
  EXPECT_FALSE(plan_of(only_one()).waiting_for.empty());
  write(kState, playbook("WAITING_FOR_HUMAN", "- [x] Spec approval\n- [x] Architecture sign-off\n"));
  EXPECT_EQ(only_one().status, RunStatus::Interrupted);
  EXPECT_EQ(only_one().why, "the run waited for a person, who has ticked the box");
  EXPECT_TRUE(only_one().resumable);
  EXPECT_TRUE(plan_of(only_one()).waiting_for.empty());
  write(kState, playbook("IN_PROGRESS", "- [ ] Architecture sign-off\n"));
  EXPECT_EQ(only_one().status, RunStatus::Interrupted);
}

TEST_F(ScanTest, PB01_AStateFileThatWasCutOffInItsTitleIsDamagedAndNotForeign) {
  for (const std::string& bytes : {std::string(), std::string(" \n\n"), std::string("# Pip"), std::string("#")}) {
    write(kState, bytes);
    const Candidate candidate = only_one();
    EXPECT_TRUE(candidate.damaged) << bytes;
    EXPECT_TRUE(candidate.resumable) << bytes;
    EXPECT_TRUE(found().ignored.empty()) << bytes;
    const Plan plan = plan_of(candidate);
    EXPECT_EQ(plan.readiness, Readiness::Blocked);
    ASSERT_EQ(plan.findings.size(), 1u);
    EXPECT_EQ(plan.findings[0].rule, "PB-01");
  }
  write(kState, "# Berths\n\nNotes of mine.\n");
  EXPECT_TRUE(found().candidates.empty());
  ASSERT_EQ(found().ignored.size(), 1u);
  EXPECT_EQ(found().ignored[0].path, kState);
}

TEST_F(ScanTest, SL09_ADamagedIndexIsAFindingOfTheLoopsOwnRule) {
  for (const std::string& bytes : {std::string(), std::string("# Feature In"), loop("validating", "1") + '\0'}) {
    write(kIndex, bytes);
    const Candidate candidate = only_one();
    EXPECT_TRUE(candidate.damaged) << bytes;
    const Plan plan = plan_of(candidate);
    ASSERT_EQ(plan.findings.size(), 1u);
    EXPECT_EQ(plan.findings[0].rule, "SL-09");
    EXPECT_EQ(plan.findings[0].code, "damaged");
  }
}

TEST_F(ScanTest, BothPlacesOfAPlaybookAreLookedAtAndTheNewerFileCounts) {
  const auto with_time = [](const char* time) {
    return playbook(std::string("IN_PROGRESS\n- last_updated_at: ") + time, "");
  };
  write(kState, with_time("2026-03-01T08:00:00Z"));
  write("reports/pipeline/001-berths/pipeline-state.md", with_time("2026-03-02T08:00:00Z"));
  write("reports/pipeline/002-quay/.pipeline-state.md", with_time("2026-03-01T08:00:00Z"));
  const ScanResult result = found();
  ASSERT_EQ(result.candidates.size(), 2u);
  EXPECT_EQ(result.candidates[0].state_file, "reports/pipeline/001-berths/pipeline-state.md");
  EXPECT_EQ(result.candidates[0].other_files, std::vector<std::string>{kState});
  EXPECT_EQ(result.candidates[1].id.text, "playbook/002-quay");
}

TEST_F(ScanTest, ManyFeaturesAreListedOnceEachAndInOrder) {
  constexpr int kFeatures = 450;
  std::vector<std::string> wanted;
  for (int i = 0; i < kFeatures; ++i) {
    const std::string name = std::to_string(1'000 + i);
    const bool is_loop = i % 3 == 0;
    write("specs/" + name + (is_loop ? "/.workflow/index.md" : "/pipeline-state.md"),
          i % 50 == 7 ? "# Notes\n"
          : is_loop   ? loop("validating", "1")
                      : playbook("IN_PROGRESS", ""));
    if (i % 50 != 7) wanted.push_back((is_loop ? "spec-loop/" : "playbook/") + name);
  }
  const ScanResult result = found();
  std::vector<std::string> ids;
  for (const Candidate& candidate : result.candidates) ids.push_back(candidate.id.text);
  EXPECT_EQ(ids, wanted);
  EXPECT_EQ(result.ignored.size(), 9u);
  EXPECT_TRUE(std::ranges::is_sorted(result.ignored, {}, &IgnoredFile::path));
}

TEST_F(ScanTest, ALinkIsFollowedInTheProjectAndNeverOutOfIt) {
  write("elsewhere/state.md", playbook("IN_PROGRESS", ""));
  std::ofstream(folder_ / "secret.md") << playbook("IN_PROGRESS", "");
  for (const char* name : {"specs/a", "specs/b", "specs/c", "specs/d", "specs/e"})
    fs::create_directories(app_->project / name);
  fs::create_symlink("../../elsewhere/state.md", app_->project / "specs/a/pipeline-state.md");
  fs::create_symlink(app_->project / "elsewhere/state.md", app_->project / "specs/b/pipeline-state.md");
  fs::create_symlink("../../../secret.md", app_->project / "specs/c/pipeline-state.md");
  fs::create_symlink(folder_ / "secret.md", app_->project / "specs/d/pipeline-state.md");
  fs::create_symlink("nowhere", app_->project / "specs/e/pipeline-state.md");
  const ScanResult result = found();
  ASSERT_EQ(result.candidates.size(), 2u);
  EXPECT_EQ(result.candidates[0].subject, "a");
  EXPECT_EQ(result.candidates[1].subject, "b") << "an absolute link into the project";
  ASSERT_EQ(result.ignored.size(), 3u);
  EXPECT_EQ(result.ignored[0].path, "specs/c/pipeline-state.md");
  EXPECT_EQ(result.ignored[1].path, "specs/d/pipeline-state.md");
  EXPECT_EQ(result.ignored[2].path, "specs/e/pipeline-state.md");
  EXPECT_EQ(result.ignored[2].why, kLinkToNothing);
}

TEST_F(ScanTest, WhatIsThereAndCannotBeReadIsDamaged) {
  fs::create_directories(app_->project / kState);
  EXPECT_TRUE(only_one().damaged) << "a folder of that name";
  fs::remove(app_->project / kState);
  write(kState, std::string((std::size_t{8} << 20) + 1, 'x'));
  EXPECT_TRUE(only_one().damaged) << "too long";
}

}  // namespace
}  // namespace reprise
