// A run shown in its playbook state file, and read back.

#include "formats/playbook_show.h"

#include <gtest/gtest.h>

#include "formats/playbook.h"
#include "formats/playbook_test_files.h"
#include "testing/builders.h"

namespace reprise {
namespace {

History playbook_history() {
  return History::of("playbook/001-login", RunCreated{.workflow = "playbook",
                                                      .subject = "001-login",
                                                      .native_file = "specs/001-login/.pipeline-state.md"});
}

PlaybookClaims shown(const History& history, std::string_view bytes = "") {
  const Result<std::string> text = show_playbook(bytes, history.state());
  EXPECT_TRUE(text);
  return read_playbook(text.value_or(""), "x").value();
}

const std::string kSome = "sha256:" + std::string(64, 'a');
const std::string kOther = "sha256:" + std::string(64, 'b');

TEST(PlaybookShow, PB09_EveryEventMovesTheLastUpdate) {
  History history = playbook_history();
  const Timestamp before = shown(history).last_updated_at->time;
  history.add(
      NoteAdded{"Resumed from checkpoint at 2026-01-01T00:00:00Z. Prior session ended at stage: tdd.", ""});
  const PlaybookClaims claims = shown(history);
  EXPECT_GT(claims.last_updated_at->time, before);
  EXPECT_NE(claims.notes.find("Prior session ended at stage: tdd."), std::string::npos);
}

TEST(PlaybookShow, PB02_TheHashIsPinnedByTheApprovalAndAnewByAnAcceptance) {
  History history = playbook_history();
  history.did("spec", {{"s.md", kSome, ""}}).did("clarify", {{"s.md", kSome, ""}});
  EXPECT_EQ(shown(history).spec_hash.form, ClaimedHash::None);
  history.add(GateDecided{{"spec-approval"}, true, "ana", "", {{"s.md", kSome, ""}}});
  EXPECT_EQ("sha256:" + shown(history).spec_hash.digits, kSome);
  history.add(FindingOverruled{"spec_hash_changed", kOther, "ana", "agreed"});
  EXPECT_EQ("sha256:" + shown(history).spec_hash.digits, kOther);
}

TEST(PlaybookShow, PB10_RowsAreOnlyAddedAndWorkDoneAgainGetsAnotherOne) {
  History history = playbook_history();
  history.did("spec", {{"s.md", kSome, ""}});
  const std::string first = show_playbook("", history.state()).value();
  EXPECT_EQ(shown(history, first).completed.size(), 1u);
  history.add(StepReset{{"spec"}, "PB-03", "", "gone"}).did("spec", {{"s.md", kSome, ""}});
  EXPECT_EQ(shown(history, first).completed.size(), 1u) << "it came out the same";
  history.add(StepReset{{"spec"}, "PB-03", "", "gone"}).did("spec", {{"s.md", kOther, ""}});
  EXPECT_EQ(shown(history, first).completed.size(), 2u);
}

TEST(PlaybookShow, PB06_AnOpenCheckpointIsWaitedForAtItsStage) {
  History history = playbook_history();
  history.did("spec", {{"s.md", kSome, ""}})
      .did("clarify", {{"s.md", kSome, ""}})
      .add(GateOpened{{"spec-approval"}, "ok?", {}});
  PlaybookClaims claims = shown(history);
  EXPECT_EQ(claims.status, PlaybookStatus::WaitingForHuman);
  EXPECT_EQ(claims.current_stage, "clarify");
  history.add(GateDecided{{"spec-approval"}, true, "ana", "", {}});
  claims = shown(history);
  EXPECT_EQ(claims.status, PlaybookStatus::InProgress);
  EXPECT_EQ(claims.current_stage, "architect");
  EXPECT_TRUE(claims.checkpoints.at(0).ticked);
}

TEST(PlaybookShow, PB12_AFailedRunSaysWhyInItsNotes) {
  History history = playbook_history();
  history.add(RunFinished{RunStatus::Failed, "gate spec-approval was rejected: too vague", ""});
  const PlaybookClaims claims = shown(history);
  EXPECT_EQ(claims.status, PlaybookStatus::Failed);
  EXPECT_NE(claims.notes.find("too vague"), std::string::npos);
}

TEST(PlaybookShow, F2_ShowingTwiceChangesNothingAndFilesOfOthersKeepTheirRest) {
  History history = playbook_history();
  history.did("spec", {{"s.md", kSome, ""}}).add(NoteAdded{"A note.", ""});
  int rounds = 0;
  for (const auto& [name, bytes] : playbook_fixtures()) {
    const Result<std::string> once = show_playbook(bytes, history.state());
    if (!once) continue;
    ++rounds;
    EXPECT_EQ(show_playbook(*once, history.state()).value(), *once) << name;
    const Result<PlaybookClaims> before = read_playbook(bytes, name);
    EXPECT_GE(shown(history, *once).completed.size(), before->completed.size()) << name;
  }
  EXPECT_GT(rounds, 6);
}

}  // namespace
}  // namespace reprise
