// The use cases over a real store in a folder of their own: names, definitions, and what is refused
// before anything exists. Nothing here starts a worker.

#include "app/app.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <set>

#include "app/definitions.h"
#include "app/documents.h"
#include "app/session.h"
#include "app/status.h"
#include "app/steer_run.h"
#include "testing/fixed_clock.h"
#include "testing/memory_journal.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

// ---- which run is meant

class FindRunTest : public testing::Test {
 protected:
  void given(std::vector<std::string> ids) {
    for (const std::string& id : ids) {
      const Event created = RunCreated{.workflow = id.substr(0, id.find('/')), .subject = ""};
      ASSERT_TRUE(journal_.create({id}, {&created, 1}, {})) << id;
    }
  }
  std::string found(const std::string& text) {
    const Result<RunId> run = find_run(journal_, text);
    if (run) return run->text;
    return std::string(to_token(run.error().kind)) + ": " + run.error().message;
  }
  MemoryJournalStore store_;
  FixedClock clock_;
  MemoryJournal journal_{store_, clock_};
};

TEST_F(FindRunTest, AWholeSegmentIsMeantBeforeAPrefix) {
  given({"build/2.1", "build/2.10", "release/2.100"});
  EXPECT_EQ(found("build/2.1"), "build/2.1");
  EXPECT_EQ(found("2.1"), "build/2.1") << "2.1 never means 2.10";
  EXPECT_EQ(found("2.10"), "build/2.10");
  EXPECT_EQ(found("rel"), "release/2.100");
}

TEST_F(FindRunTest, AnAmbiguousNameListsTheCandidates) {
  given({"build/a", "test/a", "build/b"});
  EXPECT_EQ(found("a"), "invalid: \"a\" may mean: build/a, test/a");
  EXPECT_EQ(found("build"), "invalid: \"build\" may mean: build/a, build/b");
  EXPECT_EQ(found("build/a"), "build/a");
  EXPECT_EQ(found("zzz"), "not_found: there is no run \"zzz\"");
}

TEST_F(FindRunTest, TheNewestRunOfASubjectStandsForAll) {
  given({"build/a", "build/a@2", "build/a@3"});
  EXPECT_EQ(found("build/a"), "build/a@3");
  EXPECT_EQ(found("a"), "build/a@3");
  EXPECT_EQ(found("build/a@2"), "build/a@2") << "unless one says which";
}

TEST_F(FindRunTest, NoNameMeansTheOnlyRunThereIs) {
  EXPECT_EQ(found("").substr(0, 9), "not_found");
  given({"build/a"});
  EXPECT_EQ(found(""), "build/a");
  given({"build/b"});
  EXPECT_EQ(found("").substr(0, 7), "invalid");
}

// ---- a project

class ProjectTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "reprise-app-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = fs::canonical(name);
    app_ = open_app(folder_).value();
    app_->program = "/bin/false";  // no guard, whatever happens: it would be this test program once more
    write(".reprise/workflows/demo.yaml", "name: demo\nstages:\n  a: {run: [\"true\"]}\n");
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  void write(const std::string& path, const std::string& text) {
    fs::create_directories((folder_ / path).parent_path());
    std::ofstream(folder_ / path) << text;
  }
  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
      names.insert(entry.path().lexically_relative(folder_).string());
    return names;
  }
  /// Records a run as a session would, without doing anything.
  RunId run_of(const std::string& id, std::vector<Event> more = {}) {
    const std::unique_ptr<Journal> journal = open_journal(*app_, OpenMode::ReadWrite).value();
    const Definition definition = load_definition(*app_, "demo").value();
    std::vector<Event> events = {RunCreated{.workflow = "demo",
                                            .subject = id.substr(5),
                                            .definition = definition.digest,
                                            .source = definition.workflow.source,
                                            .source_digest = definition.source_digest}};
    events.insert(events.end(), more.begin(), more.end());
    const Result<Lease> lease = journal->create({id}, events, {&definition.text, 1});
    EXPECT_TRUE(lease);
    if (lease) journal->release(*lease);
    return {id};
  }
  Result<std::unique_ptr<Session>> start(const std::string& subject, const std::string& name = "") {
    StartRequest request;
    request.workflow = "demo";
    request.subject = subject;
    request.run_name = name;
    return Session::start(*app_, request, observer_, nullptr);
  }

  fs::path folder_;
  std::unique_ptr<App> app_;
  Observer observer_;
};

TEST_F(ProjectTest, HostileSubjectsAreRefusedAndNothingIsRecorded) {
  {
    const std::unique_ptr<Journal> journal = open_journal(*app_, OpenMode::ReadWrite).value();
  }
  const std::set<std::string> before = files();
  int refused = 0;
  for (const std::string& subject :
       {std::string("--help"), std::string("-x"), std::string("$(x)"), std::string("../.."), std::string("a/b"),
        std::string("a\nb"), std::string(".."), std::string("a b"), std::string("a;b"), std::string(65, 'a'),
        std::string("a\0b", 3)}) {
    for (const bool as_name : {false, true}) {
      const Result<std::unique_ptr<Session>> session = as_name ? start("fine", subject) : start(subject);
      ASSERT_FALSE(session) << subject;
      EXPECT_EQ(session.error().kind, ErrorKind::Invalid) << session.error().message;
      EXPECT_NE(session.error().message.find("cannot name a run"), std::string::npos) << session.error().message;
      EXPECT_EQ(session.error().message.find('\n'), std::string::npos) << "shown on one line";
      ++refused;
    }
  }
  EXPECT_EQ(refused, 22);
  const std::unique_ptr<Journal> journal = open_journal(*app_, OpenMode::ReadWrite).value();
  EXPECT_TRUE(journal->runs()->empty());
  EXPECT_FALSE(files().contains(".reprise/state/attempts"));
  EXPECT_EQ(files(), before);
}

TEST_F(ProjectTest, UnfinishedWorkIsNotOverwrittenAndFinishedWorkIsNumbered) {
  run_of("demo/x");
  const Result<std::unique_ptr<Session>> again = start("x");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().kind, ErrorKind::Conflict);
  ASSERT_EQ(again.error().hints.size(), 2u);
  EXPECT_EQ(again.error().hints[0], "reprise resume demo/x");
  run_of("demo/y", {RunFinished{RunStatus::Done, "", ""}});
  static_cast<void>(start("y"));  // cannot work without a guard, but has its name by then
  const std::unique_ptr<Journal> journal = open_journal(*app_, OpenMode::ReadWrite).value();
  EXPECT_EQ(find_run(*journal, "demo/y").value().text, "demo/y@2");
}

TEST_F(ProjectTest, ARunGoesOnWithItsFilesOrWithWhatWasStored) {
  const RunId run = run_of("demo/x");
  const std::unique_ptr<Journal> journal = open_journal(*app_, OpenMode::ReadWrite).value();
  const RunState state = journal->state(run).value();
  EXPECT_EQ(definition_for(*app_, *journal, state)->digest, state.definition);
  write(".reprise/workflows/demo.yaml", "# a remark\nname: demo\nstages:\n  a: {run: [\"true\"]}\n");
  EXPECT_EQ(definition_for(*app_, *journal, state)->digest, state.definition) << "a remark changes nothing";
  write(".reprise/workflows/demo.yaml", "name: demo\nstages:\n  a: {run: [\"false\"]}\n");
  EXPECT_NE(definition_for(*app_, *journal, state)->digest, state.definition);
  write(".reprise/workflows/demo.yaml", "name: demo\nstages: {");
  EXPECT_FALSE(definition_for(*app_, *journal, state)) << "a broken file is not passed over";
  fs::remove(folder_ / ".reprise/workflows/demo.yaml");
  EXPECT_EQ(definition_for(*app_, *journal, state)->digest, state.definition) << "gone: as it was started";
}

TEST_F(ProjectTest, AMissingWorkerIsSaidBeforeAnythingStarts) {
  write(".reprise/workflows/demo.yaml", "name: demo\nstages:\n  a: {role: coder, prompt: do it}\n");
  const Result<std::unique_ptr<Session>> session = start("x");
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().kind, ErrorKind::Unavailable);
  EXPECT_NE(session.error().message.find("coder"), std::string::npos);
}

TEST_F(ProjectTest, ARunWithoutAnOwnerShowsAsInterrupted) {
  const RunId run = run_of("demo/x");
  const std::unique_ptr<Journal> journal = open_journal(*app_, OpenMode::ReadWrite).value();
  EXPECT_EQ(view_run(*app_, *journal, run)->status, RunStatus::Interrupted);
  EXPECT_EQ(view_runs(*app_, *journal)->size(), 1u);
  EXPECT_EQ(view_run(*app_, *journal, {"demo/nope"}).error().kind, ErrorKind::NotFound);
}

TEST_F(ProjectTest, AWorkerCannotDecideForAPerson) {
  const RunId run = run_of("demo/x");
  app_->environment["REPRISE_RUN"] = "demo/x";
  EXPECT_FALSE(steer_run(*app_, run, {"cancel", "", "", "", ""}));
  EXPECT_FALSE(fork_run(*app_, run, "a"));
}

TEST_F(ProjectTest, AForkKeepsWhatLiesBeforeItsPointInTheOrderOfNeeds) {
  write(".reprise/workflows/demo.yaml",
        "name: demo\nstages:\n  c: {run: [\"true\"], needs: [b]}\n  b: {run: [\"true\"], needs: [a]}\n  a: {run: "
        "[\"true\"]}\n");
  const auto did = [](const std::string& step) {
    return std::vector<Event>{AttemptStarted{.step = {step}, .attempt = {1}},
                              AttemptFinished{.step = {step}, .attempt = {1}}};
  };
  std::vector<Event> events;
  for (const char* step : {"a", "b", "c"}) {
    for (const Event& event : did(step)) events.push_back(event);
  }
  const RunId run = run_of("demo/x", events);
  const Result<RunId> fork = fork_run(*app_, run, "c");
  ASSERT_TRUE(fork) << fork.error().message;
  EXPECT_EQ(fork->text, "demo/x@2");
  const std::unique_ptr<Journal> journal = open_journal(*app_, OpenMode::ReadWrite).value();
  const std::unique_ptr<Preview> seen = preview(*app_, *journal, *fork, "").value();
  std::map<std::string, Decision> decisions;
  for (const StepDecision& decision : seen->plan.decisions) decisions[decision.step.text] = decision.decision;
  EXPECT_EQ(decisions["a"], Decision::Keep);
  EXPECT_EQ(decisions["b"], Decision::Keep);
  EXPECT_EQ(decisions["c"], Decision::Run);
}

TEST_F(ProjectTest, D1_ThePlanDocumentOfOneStateIsTheSameBytes) {
  const RunId run = run_of("demo/x", {AttemptStarted{.step = {"a"}, .attempt = {1}}});
  const std::unique_ptr<Journal> journal = open_journal(*app_, OpenMode::ReadWrite).value();
  std::unique_ptr<Preview> first = preview(*app_, *journal, run, "").value();
  std::unique_ptr<Preview> second = preview(*app_, *journal, run, "").value();
  first->plan.age = second->plan.age = Duration(0);
  EXPECT_EQ(plan_document(first->plan), plan_document(second->plan));
}

}  // namespace
}  // namespace reprise
