// The guard as a real process, with real workers: what guard.h promises (G1 to G6), P20 to P23.
//
// The test program is also the guard's program: started with --guard it is one. With --runner it is a
// runner that starts a worker and is then killed.

#include "guard/guard.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "guard/exit_log.h"
#include "guard/protocol.h"
#include "os/clock.h"
#include "os/entropy.h"
#include "os/process.h"
#include "os/process_table.h"
#include "os/socket.h"
#include "testing/strength.h"

namespace reprise {
namespace {

using What = AttemptSighting::What;
constexpr Duration kLong{30'000};  // a limit that is only reached when something is broken

std::string content_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// Asks again until it is so; false only when something is broken.
template <typename Condition>
bool eventually(Condition&& condition) {
  for (int i = 0; i < 3'000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

class GuardTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("reprise-guard-" + SystemEntropy().hex(12));
    top_ = folder_;
    std::filesystem::create_directories(folder_);
    tag_ = "test-" + SystemEntropy().hex(12);
  }
  void TearDown() override {
    workers_.reset();
    EXPECT_TRUE(eventually([&] { return guard_pids().empty(); })) << "a guard that nobody needs stays";
    EXPECT_TRUE(tagged("").empty()) << "something was left behind";
    std::filesystem::remove_all(top_);
  }

  GuardOptions options(std::int64_t token = 1) const {
    return {.run_directory = folder_, .program = "/proc/self/exe", .tag = tag_, .token = token};
  }
  std::unique_ptr<Workers> connect(std::int64_t token = 1, int interrupt_fd = -1) {
    Result<std::unique_ptr<Workers>> workers = connect_guard(options(token), clock_, interrupt_fd);
    EXPECT_TRUE(workers) << workers.error().message;
    return std::move(*workers);
  }
  WorkerSpec shell(const std::string& attempt, const std::string& script) const {
    WorkerSpec spec;
    spec.attempt = attempt;
    spec.argv = {"/bin/sh", "-c", script};
    spec.environment = {"PATH=/usr/bin:/bin"};
    spec.directory = folder_;
    spec.stdout_path = folder_ / attempt / "stdout";
    spec.stderr_path = folder_ / attempt / "stderr";
    spec.output_bytes_max = 1 << 20;
    spec.grace_ms = 10'000;
    return spec;
  }
  ExitRecord wait_for(Workers& workers) {
    for (;;) {
      Result<WorkerNews> news = workers.wait(kLong);
      if (!news) {
        ADD_FAILURE() << news.error().message;
        return {};
      }
      if (news->guard_lost) ADD_FAILURE() << "the guard was lost";
      if (!news->ended.empty()) return news->ended.front();
      if (!news->poked) {
        ADD_FAILURE() << "no news";
        return {};
      }
    }
  }
  ExitRecord run(const WorkerSpec& spec) {
    if (!workers_) workers_ = connect();
    EXPECT_TRUE(workers_->start({spec}));
    return wait_for(*workers_);
  }
  // The processes of this run's attempt; of all attempts for "".
  std::vector<int> tagged(const std::string& attempt) const {
    std::vector<int> pids;
    for (const ProcessEntry& entry : list_processes()) {
      const std::optional<std::string> value = environment_value(entry.pid, "REPRISE_TAG");
      if (!value || entry.has_ended()) continue;
      if (attempt.empty() ? value->starts_with(tag_ + "/") : *value == tag_ + "/" + attempt) {
        pids.push_back(entry.pid);
      }
    }
    return pids;
  }
  std::vector<int> guard_pids() const {
    std::vector<int> pids;
    for (const ProcessEntry& entry : list_processes()) {
      const std::string line = content_of("/proc/" + std::to_string(entry.pid) + "/cmdline");
      if (!entry.has_ended() && line.find("--guard") != std::string::npos &&
          line.find(tag_) != std::string::npos) {
        pids.push_back(entry.pid);
      }
    }
    return pids;
  }
  // Starts another process that is a runner: it starts `script` as attempt a#1 and waits for ever.
  int start_runner(const std::string& script) {
    const std::vector<std::string> argv = {"/proc/self/exe", "--runner", folder_, tag_, script};
    const std::vector<std::string> environment = current_environment();
    Result<int> pid = spawn({.argv = argv, .environment = environment});
    EXPECT_TRUE(pid) << pid.error().message;
    return *pid;
  }
  static void kill_child(int pid) {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
  bool appears(const std::string& name) const {
    return eventually([&] { return std::filesystem::exists(folder_ / name); });
  }

  SystemClock clock_;
  std::filesystem::path top_;     // removed at the end
  std::filesystem::path folder_;  // of the run
  std::string tag_;
  std::unique_ptr<Workers> workers_;
};

// ---- the normal course

TEST_F(GuardTest, G2_EachAttemptGetsExactlyOneRecordInTheLogBeforeTheRunnerIsTold) {
  workers_ = connect();
  std::vector<WorkerSpec> specs;
  for (int i = 0; i < 40; ++i) specs.push_back(shell("s#" + std::to_string(i), "exit " + std::to_string(i)));
  ASSERT_TRUE(workers_->start(specs));
  std::map<std::string, int> ended;
  while (ended.size() < specs.size()) {
    const Result<WorkerNews> news = workers_->wait(kLong);
    ASSERT_TRUE(news);
    ASSERT_FALSE(news->ended.empty());
    for (const ExitRecord& record : news->ended) {
      EXPECT_TRUE(ended.emplace(record.attempt, record.exit_code.value_or(-1)).second) << "told twice";
      const Result<std::optional<ExitRecord>> logged = ExitLog::look(folder_ / "exits.log", record.attempt);
      ASSERT_TRUE(logged && *logged) << record.attempt;
      EXPECT_EQ((*logged)->exit_code, record.exit_code);
    }
  }
  for (int i = 0; i < 40; ++i) EXPECT_EQ(ended["s#" + std::to_string(i)], i);
  const std::string log = content_of(folder_ / "exits.log");
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 40);
}

TEST_F(GuardTest, ASilentWorkerLeavesNoFiles) {
  EXPECT_EQ(run(shell("a#1", "true")).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a#1"));
}

TEST_F(GuardTest, OutputIsKeptInPrivateFiles) {
  const ExitRecord record = run(shell("a#1", "printf out; printf error >&2; exit 7"));
  EXPECT_EQ(record.exit_code, 7);
  EXPECT_EQ(record.stdout_bytes, 3);
  EXPECT_EQ(record.stderr_bytes, 5);
  EXPECT_EQ(content_of(folder_ / "a#1/stdout"), "out");
  EXPECT_EQ(content_of(folder_ / "a#1/stderr"), "error");
  using std::filesystem::perms;
  EXPECT_EQ(std::filesystem::status(folder_ / "a#1/stdout").permissions(), perms::owner_read | perms::owner_write);
}

TEST_F(GuardTest, G5_AWorkerHasThreeDescriptorsAndAGroupOfItsOwn) {
  run(shell(
      "a#1",
      "ls /proc/self/fd | tr '\\n' ' '; echo; echo $$; cut -d' ' -f5 /proc/$$/stat; cat; echo $REPRISE_TAG"));
  std::istringstream out(content_of(folder_ / "a#1/stdout"));
  std::string descriptors, pid, group, tag;
  std::getline(out, descriptors);
  std::getline(out, pid);
  std::getline(out, group);
  std::getline(out, tag);
  EXPECT_EQ(descriptors, "0 1 2 3 ");  // 3 is the folder that ls reads
  EXPECT_EQ(pid, group);
  EXPECT_EQ(tag, tag_ + "/a#1");
}

TEST_F(GuardTest, ASignalThatEndsAWorkerIsRecorded) {
  const ExitRecord record = run(shell("a#1", "kill -USR1 $$"));
  EXPECT_EQ(record.exit_code, std::nullopt);
  EXPECT_EQ(record.signal, SIGUSR1);
}

TEST_F(GuardTest, ArgumentsThatAreNotTextArriveUnchanged) {
  WorkerSpec spec = shell("a#1", "printf %s \"$1\"");
  spec.argv.push_back("x");
  spec.argv.push_back("\xff\"\n\\\x01");
  run(spec);
  EXPECT_EQ(content_of(folder_ / "a#1/stdout"), "\xff\"\n\\\x01");
}

// ---- what cannot be started

TEST_F(GuardTest, WhatCannotBeStartedSaysWhy) {
  WorkerSpec missing = shell("a#1", "");
  missing.argv = {"/no/such/program"};
  EXPECT_EQ(run(missing).start_error, "cannot start /no/such/program: No such file or directory");
  WorkerSpec not_in_path = shell("a#2", "");
  not_in_path.argv = {"no-such-program"};
  EXPECT_EQ(run(not_in_path).start_error, "cannot start no-such-program: there is no such program in PATH");
  WorkerSpec folder = shell("a#3", "true");
  folder.directory = "/no/such/folder";
  EXPECT_NE(run(folder).start_error.find("its folder /no/such/folder"), std::string::npos);
  WorkerSpec large = shell("a#4", "true");
  large.argv.push_back(std::string(3 << 20, 'x'));
  EXPECT_NE(run(large).start_error.find("Argument list too long"), std::string::npos);
  WorkerSpec empty = shell("a#5", "true");
  empty.argv.clear();
  const ExitRecord record = run(empty);
  EXPECT_NE(record.start_error, "");
  EXPECT_EQ(record.exit_code, std::nullopt);
  EXPECT_EQ(workers_->look_up("a#5")->what, What::Ended);
}

// ---- P20: who outlives whom

TEST_F(GuardTest, P20_TheWorkerOfAKilledRunnerGoesOnAndIsAdopted) {
  const int rounds = by_strength(3, 25, 100);
  int done = 0;
  for (int i = 0; i < rounds; ++i, ++done) {
    const int runner = start_runner("touch started; while [ ! -e go ]; do sleep 0.01; done; exit 5");
    ASSERT_TRUE(appears("started"));
    kill_child(runner);
    workers_ = connect(2 + i);
    const Result<AttemptSighting> seen = workers_->look_up("a#1");
    ASSERT_TRUE(seen) << seen.error().message;
    EXPECT_EQ(seen->what, What::Running);
    std::ofstream(folder_ / "go") << "";
    EXPECT_EQ(wait_for(*workers_).exit_code, 5);
    workers_.reset();
    ASSERT_TRUE(eventually([&] { return guard_pids().empty(); }));
    for (const char* name : {"started", "go", "exits.log", "guard.lock"}) std::filesystem::remove(folder_ / name);
  }
  EXPECT_EQ(done, rounds);
}

TEST_F(GuardTest, P20_AnEndNobodyWaitedForIsFoundInTheLog) {
  const int runner = start_runner("touch started; sleep 0.2; exit 9");
  ASSERT_TRUE(appears("started"));
  kill_child(runner);
  ASSERT_TRUE(eventually([&] { return guard_pids().empty(); })) << "a guard that nobody needs stays";
  workers_ = connect(2);
  const Result<AttemptSighting> seen = workers_->look_up("a#1");
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->what, What::Ended);
  EXPECT_EQ(seen->record.exit_code, 9);
}

// A tree with what usually escapes: a session of its own, two forks, descendants five deep.
constexpr const char* kDeepTree =
    "(setsid sh -c '(sh -c \"(sh -c \\\"sleep 1000 & touch deep; sleep 1000\\\" ) & sleep 1000\") & sleep 1000' "
    "&) ; "
    "touch started; while [ ! -e deep ]; do sleep 0.01; done; touch ready; sleep 1000";

TEST_F(GuardTest, P20_LeftoversOfAKilledGuardAreKilledBeforeGoneIsSaid) {
  const int rounds = by_strength(3, 50, 200);
  int done = 0;
  for (int i = 0; i < rounds; ++i, ++done) {
    const int runner = start_runner(kDeepTree);
    ASSERT_TRUE(appears("ready"));
    const std::vector<int> guards = guard_pids();
    ASSERT_EQ(guards.size(), 1u);
    EXPECT_GE(tagged("a#1").size(), 5u);
    ::kill(guards.front(), SIGKILL);
    kill_child(runner);
    EXPECT_GE(tagged("a#1").size(), 5u);
    workers_ = connect(2 + i);
    const Result<AttemptSighting> seen = workers_->look_up("a#1");
    ASSERT_TRUE(seen) << seen.error().message;
    EXPECT_EQ(seen->what, What::Gone);
    EXPECT_EQ(tagged("a#1").size(), 0u);
    workers_.reset();
    ASSERT_TRUE(eventually([&] { return guard_pids().empty(); }));
    for (const char* name : {"started", "deep", "ready", "guard.lock"}) std::filesystem::remove(folder_ / name);
  }
  EXPECT_EQ(done, rounds);
}

TEST_F(GuardTest, P20_AGuardThatDiesIsReportedAndReplaced) {
  workers_ = connect();
  ASSERT_TRUE(workers_->start({shell("a#1", "touch started; sleep 1000")}));
  ASSERT_TRUE(appears("started"));
  ::kill(guard_pids().at(0), SIGKILL);
  const Result<WorkerNews> news = workers_->wait(kLong);
  ASSERT_TRUE(news);
  EXPECT_TRUE(news->guard_lost);
  EXPECT_EQ(workers_->look_up("a#1")->what, What::Gone);
  EXPECT_TRUE(tagged("a#1").empty());
  EXPECT_EQ(run(shell("a#2", "exit 4")).exit_code, 4);
}

TEST_F(GuardTest, P20_WhatAWorkerLeavesBehindDoesNotSurviveIt) {
  const ExitRecord record =
      run(shell("a#1",
                "(setsid sh -c 'touch alive; trap \"\" TERM; sleep 1000; sleep 1000' >/dev/null 2>&1 &) ; "
                "while [ ! -e alive ]; do sleep 0.01; done; exit 3"));
  EXPECT_EQ(record.exit_code, 3);
  EXPECT_TRUE(tagged("a#1").empty());
}

TEST_F(GuardTest, P20_AProcessThatHidesItsOriginIsEndedWithTheLastWorker) {
  run(shell("a#1",
            "(setsid env -i /bin/sh -c 'echo $$ > pid; exec /bin/sleep 1000' >/dev/null 2>&1 &) ; "
            "while [ ! -s pid ]; do sleep 0.01; done"));
  const int pid = std::stoi(content_of(folder_ / "pid"));
  EXPECT_FALSE(find_process(pid)) << "process " << pid << " escaped";
}

TEST_F(GuardTest, AnotherWorkersDaemonIsLeftAlone) {
  workers_ = connect();
  ASSERT_TRUE(workers_->start({shell(
      "a#1",
      "(setsid sh -c 'touch daemon; sleep 1000' >/dev/null 2>&1 &) ; while [ ! -e go ]; do sleep 0.01; done")}));
  ASSERT_TRUE(appears("daemon"));
  ASSERT_TRUE(workers_->start({shell("a#2", "exit 0")}));
  EXPECT_EQ(wait_for(*workers_).attempt, "a#2");
  EXPECT_GE(tagged("a#1").size(), 2u);
  std::ofstream(folder_ / "go") << "";
  EXPECT_EQ(wait_for(*workers_).attempt, "a#1");
  EXPECT_TRUE(tagged("a#1").empty());
}

// ---- P22: output

std::int64_t loud_bytes() { return by_strength(64LL << 20, 256LL << 20, 1LL << 30); }

// A sanitizer keeps what was freed, so that its memory says nothing about ours.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kMemoryIsOurs = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kMemoryIsOurs = false;
#else
constexpr bool kMemoryIsOurs = true;
#endif
#else
constexpr bool kMemoryIsOurs = true;
#endif

std::int64_t peak_memory_kib(int pid) {
  std::istringstream status(content_of("/proc/" + std::to_string(pid) + "/status"));
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoll(line.substr(6));
  }
  return -1;
}

TEST_F(GuardTest, P22_FloodsOnBothStreamsAreDrainedCappedAndTakeNoMemory) {
  const std::string count = std::to_string(loud_bytes());
  const std::string flood = "yes 'a line of the flood' | head -c " + count;
  WorkerSpec spec =
      shell("a#1", "echo first; " + flood + " & (echo first; " + flood + "; echo last) >&2; wait; echo last");
  spec.output_bytes_max = 8 << 20;
  const ExitRecord record = run(spec);
  EXPECT_EQ(record.exit_code, 0);
  EXPECT_EQ(record.stdout_bytes, loud_bytes() + 11);
  EXPECT_EQ(record.stderr_bytes, loud_bytes() + 11);
  for (const char* name : {"stdout", "stderr"}) {
    const std::string text = content_of(folder_ / "a#1" / name);
    EXPECT_LE(text.size(), 8u << 20);
    EXPECT_GE(text.size(), (8u << 20) - 100);
    EXPECT_TRUE(text.starts_with("first\na line"));
    EXPECT_TRUE(text.ends_with("last\n"));
    EXPECT_NE(text.find(" bytes left out …\n"), std::string::npos);
  }
  EXPECT_GT(peak_memory_kib(guard_pids().at(0)), 0);
  if (kMemoryIsOurs) {
    EXPECT_LE(peak_memory_kib(guard_pids().at(0)), 64 << 10);
  }
}

TEST_F(GuardTest, P22_OneEndlessLineIsCapped) {
  WorkerSpec spec = shell("a#1", "head -c 104857600 /dev/zero | tr '\\0' x");
  const ExitRecord record = run(spec);
  EXPECT_EQ(record.stdout_bytes, 100 << 20);
  EXPECT_LE(std::filesystem::file_size(folder_ / "a#1/stdout"), 1u << 20);
  EXPECT_GT(peak_memory_kib(guard_pids().at(0)), 0);
  if (kMemoryIsOurs) {
    EXPECT_LE(peak_memory_kib(guard_pids().at(0)), 64 << 10);
  }
}

TEST_F(GuardTest, P22_AStreamClosedEarlyDoesNotEndTheWorker) {
  const ExitRecord record = run(shell("a#1", "echo x; exec >&- ; sleep 0.1; echo late >&2; exit 6"));
  EXPECT_EQ(record.exit_code, 6);
  EXPECT_EQ(content_of(folder_ / "a#1/stderr"), "late\n");
}

TEST_F(GuardTest, P22_AGrandchildThatKeepsThePipeOpenDelaysTheRecordByTwoSecondsAtMost) {
  workers_ = connect();
  ASSERT_TRUE(workers_->start({shell("a#1", "(trap '' TERM; echo late; sleep 1000; sleep 1000) & exit 0")}));
  const Result<WorkerNews> news = workers_->wait(Duration(1'000'000));
  ASSERT_TRUE(news && news->ended.size() == 1);
  EXPECT_EQ(news->ended.front().exit_code, 0);
  // Its own time, not the drain's. Had the record waited for the sleepers, it would be long past.
  EXPECT_LT(news->ended.front().duration_ms, 900'000);
  EXPECT_TRUE(tagged("a#1").empty());
  EXPECT_EQ(content_of(folder_ / "a#1/stdout"), "late\n");
}

TEST_F(GuardTest, G4_SecretsAreMaskedAlsoWhenPrintedInPieces) {
  WorkerSpec spec =
      shell("a#1", "printf 'token: s3cr'; sleep 0.05; printf 'et-val'; sleep 0.05; echo 'ue.'; echo $SECRET >&2");
  spec.secrets = {"s3cret-value"};
  spec.environment.push_back("SECRET=s3cret-value");
  run(spec);
  EXPECT_EQ(content_of(folder_ / "a#1/stdout"), "token: ***.\n");
  EXPECT_EQ(content_of(folder_ / "a#1/stderr"), "***\n");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_)) {
    if (!entry.is_regular_file()) continue;
    EXPECT_EQ(content_of(entry.path()).find("s3cret"), std::string::npos) << entry;
  }
}

TEST_F(GuardTest, TheHeadCanBeFollowedWhileTheWorkerRuns) {
  workers_ = connect();
  ASSERT_TRUE(workers_->start({shell("a#1", "echo hello; while [ ! -e go ]; do sleep 0.01; done")}));
  EXPECT_TRUE(eventually([&] { return content_of(folder_ / "a#1/stdout") == "hello\n"; }));
  std::ofstream(folder_ / "go") << "";
  EXPECT_EQ(wait_for(*workers_).exit_code, 0);
}

// ---- P23: time is over

TEST_F(GuardTest, P23_AWorkerThatIgnoresTermIsKilledAndRecordedAsTimedOut) {
  const int rounds = by_strength(5, 25, 100);
  int done = 0;
  for (int i = 0; i < rounds; ++i, ++done) {
    const std::string attempt = "a#" + std::to_string(i);
    WorkerSpec spec = shell(attempt,
                            "trap '' TERM; (setsid sh -c 'trap \"\" TERM; sleep 1000; sleep 1000' &); "
                            "sleep 1000; sleep 1000; sleep 1000");
    spec.timeout_ms = 30;
    spec.grace_ms = 30;
    const ExitRecord record = run(spec);
    EXPECT_TRUE(record.timed_out);
    EXPECT_EQ(record.exit_code, std::nullopt);
    EXPECT_EQ(record.signal, SIGKILL);
    EXPECT_TRUE(tagged(attempt).empty());
  }
  EXPECT_EQ(done, rounds);
}

TEST_F(GuardTest, P23_AStoppedWorkerIsEnded) {
  WorkerSpec spec = shell("a#1", "trap 'exit 8' TERM; kill -STOP $$; while :; do sleep 0.01; done");
  spec.timeout_ms = 100;
  spec.grace_ms = 60'000;  // only SIGCONT lets it obey in time
  const ExitRecord record = run(spec);
  EXPECT_TRUE(record.timed_out);
  EXPECT_EQ(record.exit_code, 8);
}

TEST_F(GuardTest, P23_StopEndsTheWholeTreeAndSaysSo) {
  workers_ = connect();
  ASSERT_TRUE(workers_->start({shell("a#1", kDeepTree)}));
  ASSERT_TRUE(appears("ready"));
  ASSERT_TRUE(workers_->stop("a#1"));
  const ExitRecord record = wait_for(*workers_);
  EXPECT_TRUE(record.stopped);
  EXPECT_FALSE(record.timed_out);
  EXPECT_EQ(record.signal, SIGTERM);
  EXPECT_TRUE(tagged("a#1").empty());
}

// ---- G1, G3, G6 and the rest of the protocol

TEST_F(GuardTest, G1_ManyRunnersAtOnceStillHaveOneGuard) {
  std::vector<std::unique_ptr<Workers>> runners;
  for (int i = 0; i < 8; ++i) runners.push_back(connect(7));
  for (const std::unique_ptr<Workers>& runner : runners) {
    const Result<AttemptSighting> seen = runner->look_up("a#1");
    ASSERT_TRUE(seen || seen.error().kind == ErrorKind::Conflict) << seen.error().message;
  }
  EXPECT_TRUE(eventually([&] { return guard_pids().size() == 1; }));
}

TEST_F(GuardTest, G3_AnOldTokenIsRefused) {
  const std::unique_ptr<Workers> old_runner = connect(5);
  ASSERT_EQ(old_runner->look_up("a#1")->what, What::Gone);
  workers_ = connect(6);
  ASSERT_EQ(workers_->look_up("a#1")->what, What::Gone);
  static_cast<void>(old_runner->start({shell("a#1", "touch wrong")}));
  const Result<WorkerNews> news = old_runner->wait(kLong);
  ASSERT_FALSE(news);
  EXPECT_EQ(news.error().kind, ErrorKind::Conflict);
  EXPECT_EQ(workers_->look_up("a#1")->what, What::Gone);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "wrong"));
}

TEST_F(GuardTest, G3_AnOldTokenIsRefusedAlsoByANewGuard) {
  connect(6)->look_up("a#1");
  ASSERT_TRUE(eventually([&] { return guard_pids().empty(); }));
  const std::unique_ptr<Workers> old_runner = connect(5);
  ASSERT_TRUE(old_runner->start({shell("a#1", "touch wrong")}));
  const Result<WorkerNews> news = old_runner->wait(kLong);
  ASSERT_FALSE(news);
  EXPECT_EQ(news.error().kind, ErrorKind::Conflict);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "wrong"));
}

TEST_F(GuardTest, G6_MessagesOfANewerVersionArePassedOver) {
  workers_ = connect();
  ASSERT_EQ(workers_->look_up("a#1")->what, What::Gone);
  Result<Fd> fd = connect_to(folder_ / "guard.sock");
  ASSERT_TRUE(fd);
  LineSocket newer(std::move(*fd));
  newer.queue(R"({"v":9,"op":"hello","token":9,"mood":"good"})");
  newer.queue(R"({"v":9,"op":"dance"})");
  newer.queue("no message at all");
  newer.queue(R"({"v":9,"op":"look_up","attempt":"a#1","why":"curious"})");
  ASSERT_TRUE(newer.flush());
  std::vector<GuardReply> replies;
  ASSERT_TRUE(eventually([&] {
    newer.receive();
    while (const std::optional<std::string_view> line = newer.next_line()) replies.push_back(decode_reply(*line));
    return replies.size() >= 2;
  }));
  EXPECT_EQ(replies[0].what, GuardReply::What::Hello);
  EXPECT_EQ(replies[1].what, GuardReply::What::Sighting);
}

TEST_F(GuardTest, PokeWakesTheRunner) {
  workers_ = connect();
  ASSERT_EQ(workers_->look_up("a#1")->what, What::Gone);
  poke_guard(folder_);
  const Result<WorkerNews> news = workers_->wait(kLong);
  ASSERT_TRUE(news);
  EXPECT_TRUE(news->poked);
}

TEST_F(GuardTest, PokingWithoutAGuardIsHarmless) { poke_guard(folder_); }

TEST_F(GuardTest, TheInterruptDescriptorEndsAWait) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const std::unique_ptr<Workers> workers = connect(1, ends[0]);
  ASSERT_EQ(::write(ends[1], "x", 1), 1);
  const Result<WorkerNews> news = workers->wait(kLong);
  ASSERT_TRUE(news);
  EXPECT_TRUE(news->signalled);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(GuardTest, AWaitEndsWhenItsTimeIsOver) {
  workers_ = connect();
  const Result<WorkerNews> news = workers_->wait(Duration(20));
  ASSERT_TRUE(news);
  EXPECT_TRUE(news->ended.empty());
  EXPECT_FALSE(news->poked || news->signalled || news->guard_lost);
}

TEST_F(GuardTest, SightingChangesNothing) {
  EXPECT_EQ(sight_attempt(folder_, "a#1")->what, What::Gone);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
  workers_ = connect();
  ASSERT_TRUE(workers_->start({shell("a#1", "touch started; sleep 1000")}));
  ASSERT_TRUE(appears("started"));
  EXPECT_EQ(sight_attempt(folder_, "a#1")->what, What::Running);
  EXPECT_EQ(sight_attempt(folder_, "a#2")->what, What::Gone);
  ::kill(guard_pids().at(0), SIGKILL);
  ASSERT_TRUE(eventually([&] { return guard_pids().empty(); }));
  EXPECT_EQ(sight_attempt(folder_, "a#1")->what, What::Gone);
  EXPECT_FALSE(tagged("a#1").empty()) << "looking must not kill";
  EXPECT_EQ(workers_->look_up("a#1")->what, What::Gone);
  EXPECT_TRUE(tagged("a#1").empty());
}

TEST_F(GuardTest, TermEndsTheWorkersAndThenTheGuard) {
  workers_ = connect();
  ASSERT_TRUE(workers_->start({shell("a#1", "touch started; sleep 1000")}));
  ASSERT_TRUE(appears("started"));
  for (const int signal : {SIGINT, SIGHUP, SIGPIPE}) ::kill(guard_pids().at(0), signal);
  ::kill(guard_pids().at(0), SIGTERM);
  const ExitRecord record = wait_for(*workers_);
  EXPECT_TRUE(record.stopped);
  EXPECT_TRUE(workers_->wait(kLong)->guard_lost);
  EXPECT_TRUE(eventually([&] { return guard_pids().empty(); }));
}

TEST_F(GuardTest, AFolderDeeperThanASocketPathMayBeIsFine) {
  while (folder_.string().size() < 300) folder_ /= "a-rather-long-name-of-a-folder";
  std::filesystem::create_directories(folder_);
  EXPECT_EQ(run(shell("a#1", "exit 2")).exit_code, 2);
  workers_ = nullptr;
  ASSERT_TRUE(eventually([&] { return guard_pids().empty(); }));
  EXPECT_EQ(sight_attempt(folder_, "a#1")->what, What::Ended);
}

TEST_F(GuardTest, AGuardThatCannotBeStartedIsAnErrorNotAHang) {
  GuardOptions wrong = options();
  wrong.program = "/no/such/reprise";
  EXPECT_FALSE(connect_guard(wrong, clock_, -1));
}

TEST_F(GuardTest, ManyStartsOneAfterTheOther) {
  workers_ = connect();
  int rounds = 0;
  for (int i = 0; i < 200; ++i, ++rounds) {
    WorkerSpec spec = shell("s#" + std::to_string(i), "");
    spec.argv = {"/bin/true"};
    ASSERT_EQ(run(spec).exit_code, 0);
  }
  EXPECT_EQ(rounds, 200);
}

int run_as_runner(char** arguments) {
  SystemClock clock;
  const GuardOptions options{
      .run_directory = arguments[2], .program = "/proc/self/exe", .tag = arguments[3], .token = 1};
  Result<std::unique_ptr<Workers>> workers = connect_guard(options, clock, -1);
  if (!workers) return 1;
  WorkerSpec spec;
  spec.attempt = "a#1";
  spec.argv = {"/bin/sh", "-c", arguments[4]};
  spec.environment = {"PATH=/usr/bin:/bin"};
  spec.directory = arguments[2];
  spec.grace_ms = 1'000;
  if (!(*workers)->start({spec})) return 1;
  for (;;) static_cast<void>((*workers)->wait(std::nullopt));
}

}  // namespace
}  // namespace reprise

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  if (mode == "--guard" && argc == 4) return reprise::guard_main(argv[2], argv[3]);
  if (mode == "--runner" && argc == 5) return reprise::run_as_runner(argv);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
