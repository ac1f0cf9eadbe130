// The desk's list: what is one entry, in which order, and that looking for it finds everything and changes
// nothing.

#include "app/desk.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <random>

namespace reprise {
namespace {

namespace fs = std::filesystem;

Candidate candidate(const std::string& id, RunStatus status, std::int64_t at, const std::string& stage = "") {
  const std::size_t slash = id.find('/');
  Candidate made{.id = {id}, .workflow = id.substr(0, slash), .subject = id.substr(slash + 1)};
  made.system = made.workflow;
  made.status = status;
  made.stage = stage;
  made.updated_at = {at};
  made.resumable = status != RunStatus::Done && status != RunStatus::Running;
  return made;
}

DeskEntry entry(const std::string& id, RunStatus status, std::int64_t at) {
  DeskEntry made;
  made.members.push_back(candidate(id, status, at));
  return made;
}

DeskEntry planned(const std::string& id, Readiness readiness, std::vector<Severity> findings = {}) {
  DeskEntry made = entry(id, RunStatus::Interrupted, 5);
  made.plan = Plan{.id = {id}, .readiness = readiness};
  for (const Severity severity : findings) made.plan->findings.push_back({.code = "c", .severity = severity});
  return made;
}

std::vector<std::string> ids_of(const std::vector<DeskEntry>& entries) {
  std::vector<std::string> ids;
  for (const DeskEntry& one : entries) ids.push_back(one.candidate().id.text);
  return ids;
}

TEST(DeskOrder, WhatWaitsForAPersonComesFirstAndWhatRunsElsewhereLast) {
  std::vector<DeskEntry> entries;
  entries.push_back(entry("w/running", RunStatus::Running, 9));
  entries.push_back(entry("w/failed", RunStatus::Failed, 9));
  entries.push_back(planned("w/blocked", Readiness::Blocked, {Severity::Blocking}));
  entries.push_back(planned("w/warned", Readiness::Confirm, {Severity::Warning}));
  entries.push_back(planned("w/clean", Readiness::Ready));
  entries.push_back(planned("w/waits", Readiness::Wait));
  put_in_order(entries);
  EXPECT_EQ(ids_of(entries),
            (std::vector<std::string>{"w/waits", "w/clean", "w/warned", "w/blocked", "w/failed", "w/running"}));
}

TEST(DeskOrder, IsTheSameWhateverOrderTheyWereFoundIn) {
  std::vector<Candidate> all;
  for (int i = 0; i < 40; ++i) {
    const RunStatus status = std::vector{RunStatus::Waiting, RunStatus::Interrupted,
                                         RunStatus::Failed}[static_cast<std::size_t>(i) % 3];
    all.push_back(candidate("w/" + std::to_string(i), status, 100 + i / 5));
  }
  const std::vector<std::string> expected = ids_of(make_entries(all, {}));
  std::mt19937 random(7);
  int rounds = 0;
  for (; rounds < 50; ++rounds) {
    std::ranges::shuffle(all, random);
    ASSERT_EQ(ids_of(make_entries(all, {})), expected);
  }
  EXPECT_EQ(rounds, 50);
  EXPECT_EQ(expected.size(), 40u);
}

TEST(DeskOrder, WithinARankTheNewestComesFirst) {
  const std::vector<DeskEntry> entries =
      make_entries({candidate("w/old", RunStatus::Interrupted, 1), candidate("w/new", RunStatus::Interrupted, 3),
                    candidate("w/mid", RunStatus::Interrupted, 2)},
                   {});
  EXPECT_EQ(ids_of(entries), (std::vector<std::string>{"w/new", "w/mid", "w/old"}));
}

TEST(DeskEntries, StateFilesOfOneFeatureAreOneEntry) {
  const std::vector<DeskEntry> entries =
      make_entries({candidate("playbook/001-login", RunStatus::Interrupted, 5, "architect"),
                    candidate("spec-loop/001-login", RunStatus::Waiting, 3),
                    candidate("playbook/002-other", RunStatus::Interrupted, 1),
                    candidate("own/001-login", RunStatus::Interrupted, 1)},
                   {});
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].members.size(), 2u);
  EXPECT_EQ(entries[0].candidate().id.text, "spec-loop/001-login") << "it waits for a person";
  const std::vector<DeskClaim> claims = claims_of(entries[0]);
  ASSERT_EQ(claims.size(), 2u);
  EXPECT_EQ(claims[0].who, "playbook/001-login") << "the newest claim is told first";
  EXPECT_EQ(disagreement_of(entries[0]),
            "spec-loop/001-login says waiting; the newer playbook/001-login says interrupted at architect");
}

TEST(DeskEntries, AStoryBelongsToItsEpicAndToNoOther) {
  const std::vector<DeskEntry> entries = make_entries(
      {candidate("epic/2", RunStatus::Interrupted, 1), candidate("qa-loop/2.1", RunStatus::Interrupted, 2),
       candidate("story-cycle/2.1", RunStatus::Interrupted, 3),
       candidate("story-cycle/20.1", RunStatus::Interrupted, 4),
       candidate("qa-loop/20.1", RunStatus::Interrupted, 5)},
      {});
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].members.size(), 2u) << "a story without an epic: its cycle and its QA loop";
  EXPECT_EQ(entries[1].members.size(), 3u);
}

TEST(DeskEntries, FinishedWorkIsShownOnlyBesideOpenWorkOfTheSameFeature) {
  Candidate done = candidate("spec-loop/001-login", RunStatus::Done, 9);
  const std::vector<DeskEntry> entries = make_entries({candidate("playbook/001-login", RunStatus::Interrupted, 5)},
                                                      {done, candidate("spec-loop/002-other", RunStatus::Done, 9),
                                                       candidate("w/elsewhere", RunStatus::Running, 9)});
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].candidate().id.text, "playbook/001-login") << "what is open is acted on";
  EXPECT_EQ(disagreement_of(entries[0]),
            "playbook/001-login says interrupted; the newer spec-loop/001-login says done");
  EXPECT_EQ(entries[1].candidate().id.text, "w/elsewhere");
}

TEST(DeskEntries, LaterRunsOfOneSubjectAreOneEntryAndNoContradiction) {
  std::vector<Candidate> runs = {candidate("w/a", RunStatus::Failed, 1),
                                 candidate("w/a@2", RunStatus::Interrupted, 2),
                                 candidate("w/b@x", RunStatus::Failed, 1), candidate("w/b", RunStatus::Failed, 1)};
  for (Candidate& run : runs) run.system = "own";
  const std::vector<DeskEntry> entries = make_entries(runs, {});
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].candidate().id.text, "w/a@2");
  EXPECT_EQ(entries[0].members.size(), 2u);
  EXPECT_EQ(disagreement_of(entries[0]), "");
}

TEST(DeskTrust, IsWhatThePlanFound) {
  EXPECT_EQ(trust_of(entry("w/a", RunStatus::Interrupted, 1)).kind, TrustKind::Unseen);
  EXPECT_EQ(trust_of(planned("w/a", Readiness::Ready, {Severity::Info})).kind, TrustKind::Clean);
  const Trust warned = trust_of(planned("w/a", Readiness::Confirm, {Severity::Warning, Severity::Warning}));
  EXPECT_EQ(warned.kind, TrustKind::Warnings);
  EXPECT_EQ(warned.warnings, 2);
  const Trust both = trust_of(planned("w/a", Readiness::Blocked, {Severity::Warning, Severity::Blocking}));
  EXPECT_EQ(both.kind, TrustKind::Conflicts);
  EXPECT_EQ(both.conflicts, 1);
  DeskEntry damaged = entry("w/a", RunStatus::Unknown, 1);
  damaged.members[0].damaged = true;
  EXPECT_EQ(trust_of(damaged).kind, TrustKind::Damaged);
}

TEST(DeskNext, IsACommandThatFitsTheRank) {
  EXPECT_EQ(next_command(planned("w/a b", Readiness::Ready)), "reprise resume 'w/a b'");
  EXPECT_EQ(next_command(entry("w/a", RunStatus::Running, 1)), "reprise attach w/a");
  EXPECT_EQ(next_command(entry("w/a", RunStatus::Interrupted, 1)), "reprise plan w/a");
  DeskEntry waits = planned("w/a", Readiness::Wait);
  waits.plan->waiting_for = {{"gate", "ship", "Ship it?"}};
  EXPECT_EQ(next_command(waits), "reprise approve w/a ship");
  waits.plan->waiting_for = {{"question", "q1", "How?"}};
  EXPECT_EQ(next_command(waits), "reprise answer w/a q1 TEXT");
  DeskEntry blocked = planned("w/a", Readiness::Blocked, {Severity::Blocking});
  blocked.plan->options = {{"repair", "reprise repair w/a"}};
  EXPECT_EQ(next_command(blocked), "reprise repair w/a");
}

TEST(DeskFingerprint, ChangesWithWhatActingWouldMeanAndNotWithAge) {
  const DeskEntry shown = planned("w/a", Readiness::Ready);
  DeskEntry now = shown;
  now.members[0].age = Duration(99'000);
  now.plan->age = Duration(99'000);
  EXPECT_EQ(fingerprint(now), fingerprint(shown));
  std::vector<DeskEntry> changed(6, shown);
  changed[0].members[0].updated_at = {6};
  changed[1].members[0].stage = "other";
  changed[2].plan->readiness = Readiness::Confirm;
  changed[3].plan->findings.push_back({.code = "new"});
  changed[4].plan->decisions.push_back({.stage = "s", .step = {"s"}});
  changed[5].plan->waiting_for.push_back({"gate", "g", "?"});
  for (const DeskEntry& one : changed) EXPECT_NE(fingerprint(one), fingerprint(shown));
}

class DeskReadTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "reprise-desk-XXXXXX";
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
  Desk desk() {
    Desk made = read_desk(*app_).value();
    complete(*app_, made);
    for (DeskEntry& one : made.entries) look_at(*app_, one);
    return made;
  }
  static std::string playbook(const std::string& status, const std::string& stage, const std::string& updated) {
    return "# Pipeline State\n\n- feature: 001-login\n- spec_hash: N/A\n- last_updated_at: " + updated +
           "\n- current_stage: " + stage + "\n- status: " + status +
           "\n\n## Completed Stages\n\n| Stage | Completed At | Output Artifact |\n|---|---|---|\n";
  }
  static std::string loop(const std::string& status) {
    return "# Feature Index: 001-login\n\n## Priority Loop State\n\n| Field | Value |\n|---|---|\n| **Loop "
           "Status** "
           "| " +
           status + " |\n| **Current Iteration** | 2 / 10 |\n| **Stale Count** | 0 / 3 |\n";
  }

  fs::path folder_;
  std::unique_ptr<App> app_;
};

TEST_F(DeskReadTest, TwoFilesOfOneSystemAreOneEntryThatTellsWhatEachClaims) {
  write("specs/001-login/.pipeline-state.md", playbook("IN_PROGRESS", "architect", "2026-03-02T00:00:00Z"));
  write("reports/pipeline/001-login/pipeline-state.md", playbook("FAILED", "spec", "2026-03-01T00:00:00Z"));
  const Desk made = desk();
  ASSERT_EQ(made.entries.size(), 1u);
  const std::vector<DeskClaim> claims = claims_of(made.entries[0]);
  ASSERT_EQ(claims.size(), 2u);
  EXPECT_EQ(claims[0].says, "IN_PROGRESS at architect");
  EXPECT_EQ(claims[1].who, "reports/pipeline/001-login/pipeline-state.md");
  EXPECT_EQ(claims[1].says, "FAILED at spec");
  EXPECT_EQ(disagreement_of(made.entries[0]),
            "reports/pipeline/001-login/pipeline-state.md says FAILED at spec; the newer playbook/001-login says "
            "IN_PROGRESS at architect");
}

TEST_F(DeskReadTest, AFinishedLoopBesideAnOpenPlaybookIsFoundAndTold) {
  write("specs/001-login/.pipeline-state.md", playbook("IN_PROGRESS", "architect", "2026-03-02T00:00:00Z"));
  write("specs/001-login/.workflow/index.md", loop("completed"));
  const Desk made = desk();
  ASSERT_EQ(made.entries.size(), 1u);
  EXPECT_EQ(made.entries[0].candidate().id.text, "playbook/001-login");
  EXPECT_EQ(made.entries[0].members.size(), 2u);
  EXPECT_NE(disagreement_of(made.entries[0]), "");
}

TEST_F(DeskReadTest, AFileThatCannotBeReadIsNamedAndTheRestIsListed) {
  write("specs/001-login/.pipeline-state.md", "# Pipeline State\n\n- spec_hash: \xff\xfe\n");
  write("specs/002-other/.pipeline-state.md", playbook("IN_PROGRESS", "architect", "2026-03-02T00:00:00Z"));
  const Desk made = desk();
  ASSERT_EQ(made.entries.size(), 2u);
  EXPECT_EQ(made.entries[1].candidate().id.text, "playbook/001-login");
  EXPECT_EQ(trust_of(made.entries[1]).kind, TrustKind::Damaged);
  EXPECT_NE(made.entries[1].candidate().why.find("specs/001-login/.pipeline-state.md"), std::string::npos);
}

TEST_F(DeskReadTest, AStoreThatCannotBeReadIsSaidAndTheStateFilesAreListedWithTheirPlans) {
  write(".git/reprise/journal.db", "this is no database, and long enough not to be taken for an empty one");
  write("specs/002-other/.pipeline-state.md", playbook("IN_PROGRESS", "architect", "2026-03-02T00:00:00Z"));
  Desk made = desk();
  const DeskEntry* playbook_entry = find_entry(made, {"playbook/002-other"});
  ASSERT_NE(playbook_entry, nullptr);
  EXPECT_TRUE(playbook_entry->plan) << playbook_entry->problem;
  const bool is_said = !made.problems.empty() || std::ranges::any_of(made.entries, [](const DeskEntry& one) {
    return one.candidate().system == "own" && trust_of(one).kind == TrustKind::Damaged;
  });
  EXPECT_TRUE(is_said);
}

TEST_F(DeskReadTest, TheDocumentIsTheScansWithTheDesksFieldsInEachCandidate) {
  write("specs/001-login/.pipeline-state.md", playbook("IN_PROGRESS", "spec", "2026-03-02T00:00:00Z"));
  const std::string document = desk_document(desk());
  for (const char* part : {"\"id\":\"playbook/001-login\"", "\"damaged\":false,", "\"desk\":{\"trust\":\"",
                           "\"saved\":{\"steps\":0", "\"waiting_for\":[", "\"next\":\"reprise ", "\"ignored\":[]"})
    EXPECT_NE(document.find(part), std::string::npos) << part << " in " << document;
}

}  // namespace
}  // namespace reprise
