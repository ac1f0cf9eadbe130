// Task lists in real folders: which belong to the project, how they change, and what concurrent writers and kills
// leave.

#include "app/task_lists.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <atomic>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "formats/task_file.h"
#include "testing/temporary_folder.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

class TaskListsTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_.path() / "harbour/.git/refs/heads/feature");
    put("harbour/.git/config", "[remote \"origin\"]\n\turl = git@example.org:ana/harbour.git\n");
    put("harbour/.git/refs/heads/feature/tides", std::string(40, 'a') + "\n");
    put("harbour/.git/packed-refs", std::string(40, 'b') + " refs/heads/old\n");
    app_ = open();
  }
  std::unique_ptr<App> open() const {
    std::unique_ptr<App> app = open_app(folder_.path() / "harbour").value();
    app->environment = {{"CLAUDE_CONFIG_DIR", (folder_.path() / "config").string()}};
    return app;
  }
  void put(const std::string& path, const std::string& text) const {
    fs::create_directories((folder_.path() / path).parent_path());
    std::ofstream(folder_.path() / path, std::ios::binary) << text;
  }
  std::string text(const std::string& path) const {
    std::ifstream in(folder_.path() / path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
  }
  void put_task(const std::string& list, const std::string& id, const NewTask& task) const {
    put("config/tasks/" + list + "/" + id + ".json", new_task_file(id, task));
  }
  void put_permanent(const std::string& list, const std::string& metadata, const std::string& text = "") const {
    NewTask task{.subject = "[PERMANENT] Tides", .description = text};
    if (!metadata.empty())
      task.metadata = {
          {metadata.substr(0, metadata.find('=')), as_json_value(metadata.substr(metadata.find('=') + 1))}};
    put_task(list, "1", task);
  }
  std::unique_ptr<TaskStore> store(const std::string& list) const {
    return open_task_folder(*app_, choose_task_list(*app_, list).value(), Duration(200));
  }
  TaskClaim task(const std::string& list, const std::string& id) const {
    const TaskListClaims claims = store(list)->list().value();
    const TaskClaim* found = find_task(claims.tasks, id);
    return found == nullptr ? TaskClaim() : *found;
  }
  // "yes: why" or "no: why"
  std::string judged(const std::string& list) const {
    const std::vector<TaskListPlace> places = find_task_lists(*app_).value();
    for (const TaskListPlace& place : places) {
      if (place.id == list) return (place.belongs ? "yes: " : "no: ") + place.why;
    }
    return "not there";
  }

  TemporaryFolder folder_;
  std::unique_ptr<App> app_;
};

TEST_F(TaskListsTest, TP01_AListBelongsIfItsPermanentTaskNamesTheRepositoryOrABranch) {
  put_permanent("a", "repository=" + fs::canonical(folder_.path() / "harbour").string());
  put_permanent("b", "repo=https://example.org/ana/harbour");
  put_permanent("c", "repository=/Users/ana/harbour");
  put_permanent("d", "branch=feature/tides");
  put_permanent("e", "branch=old");
  put_permanent("f", "", "See " + fs::canonical(folder_.path() / "harbour").string() + ".");
  for (const char* list : {"a", "b", "c", "f"})
    EXPECT_EQ(judged(list), "yes: its permanent task names this repository") << list;
  EXPECT_EQ(judged("d"), "yes: its permanent task names the branch feature/tides");
  EXPECT_EQ(judged("e"), "yes: its permanent task names the branch old");
}

TEST_F(TaskListsTest, TP01_OtherListsDoNotBelong) {
  fs::create_directories(folder_.path() / "elsewhere/harbour");
  put_permanent("a", "repository=" + (folder_.path() / "elsewhere/harbour").string());
  put_permanent("b", "branch=feature");
  put_permanent("c", "repository=https://example.org/bob/harbour");
  put_permanent("d", "", "See " + fs::canonical(folder_.path() / "harbour").string() + "-two");
  put_task("e", "1", {.subject = "x"});
  put_permanent("f", "branch=../../config");
  put("config/tasks/file", "x");
  for (const char* list : {"a", "b", "c", "d", "e", "f"}) EXPECT_TRUE(judged(list).starts_with("no: ")) << list;
  EXPECT_EQ(judged("e"), "no: it has no permanent task");
  EXPECT_EQ(judged("file"), "not there");
}

TEST_F(TaskListsTest, TP01_TheEnvironmentAndTheConfigurationNameLists) {
  put_task("my-team", "1", {.subject = "x"});
  put_task("other", "1", {.subject = "x"});
  EXPECT_EQ(choose_task_list(*app_, "").error().kind, ErrorKind::NotFound);
  app_->environment["CLAUDE_CODE_TASK_LIST_ID"] = "my team";
  EXPECT_EQ(judged("my-team"), "yes: CLAUDE_CODE_TASK_LIST_ID names it");
  EXPECT_EQ(choose_task_list(*app_, "").value().id, "my-team");
  EXPECT_EQ(choose_task_list(*app_, "../x").value().id, "---x");
  const std::string configured[] = {"other"};
  EXPECT_TRUE(find_task_lists(*app_, configured).value().at(1).belongs);
  app_->environment = {{"HOME", (folder_.path() / "home").string()}};
  EXPECT_EQ(task_lists_folder(*app_), folder_.path() / "home/.claude/tasks");
  EXPECT_TRUE(find_task_lists(*app_).value().empty());
}

TEST_F(TaskListsTest, SeveralListsThatBelongAreNamed) {
  put_permanent("a", "branch=old");
  EXPECT_EQ(choose_task_list(*app_, "").value().id, "a");
  put_permanent("b", "branch=old");
  const Error error = choose_task_list(*app_, "").error();
  EXPECT_EQ(error.kind, ErrorKind::Invalid);
  EXPECT_TRUE(error.message.ends_with(": a, b")) << error.message;
}

TEST_F(TaskListsTest, TP01_EdgesAreWrittenOnBothSides) {
  EXPECT_EQ(store("l")->create({.subject = "one"}), "1");
  EXPECT_EQ(store("l")->create({.subject = "two", .blocked_by = {"1"}}), "2");
  EXPECT_EQ(store("l")->create({.subject = "three", .blocks = {"2"}}), "3");
  EXPECT_EQ(task("l", "1").blocks, (Strings{"2"}));
  EXPECT_EQ(task("l", "2").blocked_by, (Strings{"1", "3"}));
  ASSERT_TRUE(store("l")->update("3", {.add_blocked_by = {"1"}}).has_value());
  EXPECT_EQ(task("l", "1").blocks, (Strings{"2", "3"}));
  ASSERT_TRUE(store("l")->update("2", {.remove_blocked_by = {"1"}}).has_value());
  EXPECT_EQ(task("l", "1").blocks, (Strings{"3"}));
  EXPECT_EQ(task("l", "2").blocked_by, (Strings{"3"}));
  EXPECT_TRUE(store("l")->list().value().oddities.empty());
  EXPECT_EQ(text("config/tasks/l/.highwatermark"), "3");
  EXPECT_EQ(text("config/tasks/l/.lock"), "");
  EXPECT_FALSE(fs::exists(folder_.path() / "config/tasks/l/.lock.lock"));
}

TEST_F(TaskListsTest, TP01_ChainsAndEdgesToNobodyAreRefusedAndNothingIsWritten) {
  for (const char* subject : {"one", "two", "three"}) ASSERT_TRUE(store("l")->create({.subject = subject}));
  ASSERT_TRUE(store("l")->update("2", {.add_blocked_by = {"1"}}));
  ASSERT_TRUE(store("l")->update("3", {.add_blocked_by = {"2"}}));
  const std::string before = text("config/tasks/l/1.json");
  const auto refused = [&](const Result<void>& result) {
    EXPECT_FALSE(result.has_value());
    return result ? "" : result.error().message;
  };
  EXPECT_EQ(refused(store("l")->update("1", {.owner = "x", .add_blocked_by = {"1"}})),
            "task \"1\" cannot wait for itself");
  EXPECT_EQ(refused(store("l")->update("1", {.owner = "x", .add_blocked_by = {"3"}})),
            "tasks would wait for one another: 3 blocks 1 blocks 2 blocks 3");
  EXPECT_EQ(refused(store("l")->update("3", {.add_blocks = {"9"}})), "there is no task \"9\" in the list \"l\"");
  EXPECT_EQ(store("l")->create({.subject = "four", .blocks = {"1"}, .blocked_by = {"3"}}).error().kind,
            ErrorKind::Invalid);
  EXPECT_EQ(text("config/tasks/l/1.json"), before);
  EXPECT_FALSE(fs::exists(folder_.path() / "config/tasks/l/4.json"));
  EXPECT_EQ(text("config/tasks/l/.highwatermark"), "3");
  for (const char* id : {"9", "../l/1", "", "1.json", "."})
    EXPECT_EQ(store("l")->update(id, {.owner = "x"}).error().kind, ErrorKind::NotFound) << id;
}

TEST_F(TaskListsTest, TP01_ARemovedTaskIsMentionedNoMoreAndItsIdIsNotGivenAgain) {
  for (const char* subject : {"one", "two", "three"}) ASSERT_TRUE(store("l")->create({.subject = subject}));
  ASSERT_TRUE(store("l")->update("3", {.add_blocks = {"1"}, .add_blocked_by = {"2"}}));
  ASSERT_TRUE(store("l")->remove("3").has_value());
  EXPECT_EQ(task("l", "1").blocked_by, Strings());
  EXPECT_EQ(task("l", "2").blocks, Strings());
  EXPECT_EQ(store("l")->get("3").error().kind, ErrorKind::NotFound);
  EXPECT_EQ(store("l")->create({.subject = "four"}), "4");
}

TEST_F(TaskListsTest, AListWithoutAMarkKeepsNoneUntilATaskIsRemoved) {
  put_task("l", "7", {.subject = "x"});
  EXPECT_EQ(store("l")->create({.subject = "y"}), "8");
  EXPECT_FALSE(fs::exists(folder_.path() / "config/tasks/l/.highwatermark"));
  ASSERT_TRUE(store("l")->remove("8").has_value());
  EXPECT_EQ(text("config/tasks/l/.highwatermark"), "8");
  EXPECT_EQ(store("l")->create({.subject = "z"}), "9");
  put("config/tasks/l/.highwatermark", "");
  EXPECT_EQ(store("l")->list().value().oddities.size(), 1u);
  EXPECT_EQ(store("l")->create({.subject = "z"}), "10");
  EXPECT_EQ(text("config/tasks/l/.highwatermark"), "10");
  put("config/tasks/l/.highwatermark", "41\n");
  EXPECT_EQ(store("l")->create({.subject = "z"}), "42");
}

TEST_F(TaskListsTest, APermanentTaskIsNotRemoved) {
  put_permanent("l", "branch=old");
  EXPECT_EQ(store("l")->remove("1").error().kind, ErrorKind::Invalid);
  EXPECT_TRUE(fs::exists(folder_.path() / "config/tasks/l/1.json"));
}

TEST_F(TaskListsTest, TP01_AnEdgeThatAKillLeftOnOneSideIsCompletedByTheNextUpdate) {
  put_task("l", "1", {.subject = "one"});
  put_task("l", "2", {.subject = "two", .blocked_by = {"1", "99"}});
  put_task("l", "3", {.subject = "three", .blocks = {"2"}});
  EXPECT_EQ(store("l")->list().value().oddities.size(), 2u);
  ASSERT_TRUE(store("l")->update("2", {.status = TaskStatus::InProgress}).has_value());
  EXPECT_TRUE(store("l")->list().value().oddities.empty());
  EXPECT_EQ(task("l", "1").blocks, (Strings{"2"}));
  EXPECT_EQ(task("l", "2").blocked_by, (Strings{"1", "99", "3"})) << "99 was finished and removed";
}

TEST_F(TaskListsTest, AnUpdateThatChangesNothingWritesNothing) {
  put_task("l", "1", {.subject = "one", .owner = "ana"});
  const auto before = fs::last_write_time(folder_.path() / "config/tasks/l/1.json");
  const auto inode = [&] {
    return app_->files.stat(folder_.path() / "config/tasks/l/1.json").value().value().signature;
  };
  const std::string signature = inode();
  ASSERT_TRUE(store("l")->update("1", {.owner = "ana"}).has_value());
  EXPECT_EQ(fs::last_write_time(folder_.path() / "config/tasks/l/1.json"), before);
  EXPECT_EQ(inode(), signature);
}

TEST_F(TaskListsTest, TP01_ADamagedTaskIsKnownAndLeftAlone) {
  put_task("l", "1", {.subject = "one", .blocked_by = {"2"}});
  put("config/tasks/l/2.json", "{\n  \"id\": \"2\",\n  \"sub");
  const TaskListClaims claims = store("l")->list().value();
  ASSERT_EQ(claims.tasks.size(), 2u);
  EXPECT_TRUE(claims.tasks[1].is_damaged);
  EXPECT_EQ(open_blockers(claims.tasks, claims.tasks[0]), (Strings{"2"}));
  ASSERT_EQ(claims.oddities.size(), 1u);
  EXPECT_EQ(claims.oddities[0].line, 3);
  EXPECT_EQ(store("l")->get("2").error().kind, ErrorKind::Corrupt);
  EXPECT_EQ(store("l")->update("2", {.owner = "x"}).error().kind, ErrorKind::Corrupt);
  EXPECT_EQ(store("l")->remove("2").error().kind, ErrorKind::Corrupt);
  EXPECT_TRUE(store("l")->update("1", {.owner = "x"}).has_value());
  EXPECT_EQ(text("config/tasks/l/2.json"), "{\n  \"id\": \"2\",\n  \"sub");
  fs::create_directories(folder_.path() / "config/tasks/l/5.json");
  fs::create_symlink("nowhere", folder_.path() / "config/tasks/l/6.json");
  EXPECT_EQ(store("l")->list().value().tasks.size(), 3u) << "a folder is a damaged task, a dead link none";
}

TEST_F(TaskListsTest, AListThatIsHeldIsAConflictThatNamesTheLock) {
  put_task("l", "1", {.subject = "one"});
  const fs::path lock = folder_.path() / "config/tasks/l/.lock";
  {
    const std::optional<FileLock> held = FileLock::try_lock(lock, 0).value();
    ASSERT_TRUE(held.has_value());
    const Error error = store("l")->update("1", {.owner = "x"}).error();
    EXPECT_EQ(error.kind, ErrorKind::Conflict);
    EXPECT_NE(error.message.find(lock.string() + " is held"), std::string::npos) << error.message;
    EXPECT_TRUE(store("l")->list().has_value()) << "looking waits for nobody";
  }
  fs::create_directories(lock.string() + ".lock");
  EXPECT_EQ(store("l")->update("1", {.owner = "x"}).error().kind, ErrorKind::Conflict) << "the tool's own lock";
  fs::last_write_time(lock.string() + ".lock", fs::file_time_type::clock::now() - std::chrono::seconds(11));
  EXPECT_TRUE(store("l")->update("1", {.owner = "x"}).has_value()) << "one that was left behind";
  EXPECT_FALSE(fs::exists(lock.string() + ".lock"));
}

TEST_F(TaskListsTest, TP01_EightThreadsGiveNoIdTwiceAndLoseNoTask) {
  constexpr int kThreads = 8;
  constexpr int kEach = 12;
  ASSERT_TRUE(store("l")->create({.subject = "first"}));
  std::vector<std::vector<std::string>> ids(kThreads);
  std::atomic<int> failures = 0;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      const std::unique_ptr<App> app = open();
      for (int n = 0; n < kEach; ++n) {
        const auto own = open_task_folder(*app, choose_task_list(*app, "l").value(), Duration(60'000));
        const Result<std::string> id = own->create({.subject = "t" + std::to_string(i), .blocked_by = {"1"}});
        if (id) ids[i].push_back(*id);
        failures += id ? 0 : 1;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  std::set<std::string> different;
  for (const auto& each : ids) different.insert(each.begin(), each.end());
  EXPECT_EQ(different.size(), static_cast<std::size_t>(kThreads * kEach));
  const TaskListClaims claims = store("l")->list().value();
  EXPECT_EQ(claims.tasks.size(), static_cast<std::size_t>(kThreads * kEach + 1));
  EXPECT_EQ(claims.tasks[0].blocks.size(), static_cast<std::size_t>(kThreads * kEach));
  EXPECT_TRUE(claims.oddities.empty());
  EXPECT_EQ(claims.high_water_mark, kThreads * kEach + 1);
}

// One program rewrites a task in place, as the tool does, while another looks: what is seen is always whole.
TEST_F(TaskListsTest, TP01_ATaskThatIsBeingWrittenIsNeverSeenHalf) {
  put_task("l", "1", {.subject = "one", .description = std::string(200'000, 'x')});
  const fs::path file = folder_.path() / "config/tasks/l/1.json";
  std::atomic<bool> ends = false;
  std::thread writer([&] {
    for (int n = 0; !ends; ++n) {
      const std::string bytes =
          new_task_file("1", {.subject = std::to_string(n), .description = std::string(200'000, 'y')});
      std::ofstream(file, std::ios::binary) << bytes;
    }
  });
  int looks = 0;
  int damaged = 0;
  for (; looks < 100; ++looks) {
    const TaskListClaims claims = store("l")->list().value();
    for (const TaskClaim& each : claims.tasks) damaged += each.is_damaged ? 1 : 0;
    EXPECT_EQ(claims.tasks.size(), 1u);
  }
  ends = true;
  writer.join();
  EXPECT_EQ(looks, 100);
  EXPECT_EQ(damaged, 0);
}

}  // namespace
}  // namespace reprise
