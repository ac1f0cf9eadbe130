// The sweep over requests: `approve`, `reject`, `answer`, `retry`, `skip` and `cancel` against an owner that is
// killed at every call it makes from the request on, and the commands themselves killed at every call of theirs,
// with an owner and without one.
//
// A command whose owner dies still succeeds, and what it asked for is on record exactly once. A command that is
// killed leaves its decision on record once or not at all. Neither leaves a request that a later owner would
// serve, no approval reaches content that was not shown, and no step runs more often than it was asked to.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <thread>

#include "base/check.h"
#include "journal/journal.h"
#include "os/clock.h"
#include "os/entropy.h"
#include "sweep.h"

namespace reprise {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr int kWaiting = 3;
constexpr int kKilled = 128 + SIGKILL;

constexpr std::string_view kWorkflow = R"yaml(name: crash
limits: {parallel: 8}
stages:
  spec:
    run: ../effect; test -e spec.md || echo good > spec.md
    produces: [spec.md]
  ok:
    needs: [spec]
    gate: {ask: Ship it?, shows: [spec.md]}
  ship:
    needs: [ok]
    run: ../effect; cat spec.md >> ../shipped
  pay:
    run: ../effect
  ask:
    run: |
      ../effect
      test "$REPRISE_ATTEMPT" -gt 1 || cp ../question "$REPRISE_RESULT"
  slow:
    run: ../effect; read word < ../go
)yaml";

constexpr std::string_view kQuestion =
    R"({"status": "needs_human", "questions": [{"id": "q1", "text": "Which colour?"}]})";

// One command, and the event that records what it asked for.
struct Request {
  const char* name;
  std::vector<std::string> words;
  bool (*is_recorded_by)(const Event& event);
};

template <typename Kind>
bool is_a(const Event& event) {
  return std::holds_alternative<Kind>(event);
}

const Request kRequests[] = {
    {"approve", {"approve", kRunName, "ok"}, is_a<GateDecided>},
    {"reject", {"reject", kRunName, "ok", "--because", "not yet"}, is_a<GateDecided>},
    {"answer", {"answer", kRunName, "q1", "blue"}, is_a<QuestionAnswered>},
    {"retry", {"retry", kRunName, "pay"}, is_a<StepReset>},
    {"skip", {"skip", kRunName, "ship", "--because", "later"}, is_a<StepSkipped>},
    {"cancel", {"cancel", kRunName}, is_a<RunFinished>},
};

// Which process the fault strikes.
enum class Victim { Owner, Command, CommandAlone };

template <typename Condition>
bool wait_until(const Condition& holds) {
  for (int tries = 0; tries < 4'000; ++tries) {
    if (holds()) return true;
    std::this_thread::sleep_for(milliseconds(5));
  }
  return false;
}

/// A run that waits at its gate and for an answer, beside a step that works until it is released.
class Scenario {
 public:
  Scenario(const Subject& subject, Victim victim) : sandbox_(subject), victim_(victim) {
    write_workflow(sandbox_, 0);
    sandbox_.write("project/crash.yaml", kWorkflow);
    sandbox_.write("question", kQuestion);
    make_pipe_file(sandbox_, "go");
    go_ = ::open((sandbox_.folder() / "go").c_str(), O_RDWR | O_CLOEXEC);
    owner_ = sandbox_.start({"run", "crash.yaml", "--run-id", "r"},
                            victim == Victim::Owner ? Sandbox::Faults::On : Sandbox::Faults::Off);
    check(wait_until([&] { return is_waiting(); }));
    if (victim == Victim::CommandAlone) {
      kill(owner_, SIGKILL);
      check(wait_for(owner_) == kKilled);
      owner_ = 0;
    }
    settle();
  }
  ~Scenario() { ::close(go_); }

  Sandbox& sandbox() { return sandbox_; }

  RunState state() const { return journal()->state({kRunName}).value(); }
  std::size_t open_requests() const { return journal()->requests({kRunName})->size(); }
  int count(const Request& request) const {
    int count = 0;
    const std::vector<RecordedEvent> events = journal()->events({kRunName}, {0}, 1'000).value();
    for (const RecordedEvent& recorded : events) count += request.is_recorded_by(recorded.event) ? 1 : 0;
    return count;
  }

  // Runs the command and waits until the fault struck or nothing happens any more.
  int ask(const Request& request) {
    const auto faults = victim_ == Victim::Owner ? Sandbox::Faults::Off : Sandbox::Faults::On;
    const int code = sandbox_.run(request.words, faults);
    if (victim_ == Victim::Owner) settle();
    return code;
  }

  // The mutating calls of the victim so far.
  std::int64_t calls() const { return sandbox_.map().count[FAULT_RUNNER]; }

  void kill_owner() {
    if (owner_ == 0) return;
    kill(owner_, SIGKILL);
    wait_for(owner_);
    owner_ = 0;
  }

  // Releases the step that works, and resumes without faults.
  int resume() {
    check(::write(go_, "go\n", 3) == 3);
    return sandbox_.run({"resume", kRunName, "--yes"});
  }

 private:
  std::unique_ptr<Journal> journal() const {
    return std::move(*open_sqlite_journal(sandbox_.store(), OpenMode::ReadOnly, clock_, entropy_));
  }

  bool is_waiting() const {
    const Result<std::unique_ptr<Journal>> journal =
        open_sqlite_journal(sandbox_.store(), OpenMode::ReadOnly, clock_, entropy_);
    if (!journal) return false;
    const Result<RunState> now = (*journal)->state({kRunName});
    if (!now) return false;
    const auto gate = now->gates.find(StepPath{"ok"});
    const StepState* pay = now->find_step(StepPath{"pay"});
    return gate != now->gates.end() && gate->second.record == GateState::Record::Open && pay != nullptr &&
           pay->record == StepState::Record::Done && now->questions.size() == 1 &&
           count_lines(sandbox_, "effects", "slow#1") == 1;
  }

  // Waits until the victim makes no further calls, or is dead.
  void settle() const {
    std::int64_t before = -1;
    for (int quiet = 0; quiet < 4 && sandbox_.map().fired == 0;) {
      quiet = calls() == before ? quiet + 1 : 0;
      before = calls();
      std::this_thread::sleep_for(milliseconds(15));
    }
  }

  mutable SystemClock clock_;
  mutable SystemEntropy entropy_;
  Sandbox sandbox_;
  Victim victim_;
  int go_ = -1;
  int owner_ = 0;
};

// Returns what the victim does for the request: `at` counts from the request on.
std::vector<Point> survey_request(const Subject& subject, const Request& request, Victim victim) {
  const std::vector<std::string> results = run_jobs(1, [&](int) {
    Scenario scenario(subject, victim);
    const FaultMap& map = scenario.sandbox().map();
    const std::int64_t first = map.rows;
    if (scenario.ask(request) != 0) return std::string("refused\n");
    std::string text;
    for (std::int64_t row = first; row < map.rows; ++row) {
      if (map.table[row].role != FAULT_RUNNER) continue;
      text += std::to_string(map.table[row].call) + " " + map.table[row].file + "\n";
    }
    return text;
  });
  check(results[0] != "refused\n");
  std::vector<Point> points;
  for (std::size_t from = 0; from < results[0].size();) {
    const std::size_t end = results[0].find('\n', from);
    const std::string line = results[0].substr(from, end - from);
    const std::size_t space = line.find(' ');
    points.push_back({FAULT_RUNNER, static_cast<std::int64_t>(points.size()), std::stoi(line.substr(0, space)),
                      line.substr(space + 1), request.name});
    from = end + 1;
  }
  return points;
}

// What must hold once the command has ended, whoever was killed.
std::string check_record(const Scenario& scenario, const Request& request, Victim victim, int code) {
  std::string faults;
  const int count = scenario.count(request);
  if (victim == Victim::Owner && code != 0)
    faults += "the command failed with exit " + std::to_string(code) + "\n";
  if (victim == Victim::Owner && count != 1) faults += "recorded " + std::to_string(count) + " times\n";
  if (victim != Victim::Owner && code != kKilled)
    faults += "the command ended with " + std::to_string(code) + "\n";
  if (count > 1) faults += "recorded more than once\n";
  // A killed command may leave its request with a living owner, which serves it.
  if (victim == Victim::Owner && scenario.open_requests() != 0) faults += "a request is left open\n";
  return faults;
}

// What must hold after a resume: nothing counts a second time, and nothing reaches what nobody saw.
std::string check_resumed(Scenario& scenario, const Request& request, int recorded_before) {
  const std::string name = request.name;
  const Sandbox& sandbox = scenario.sandbox();
  scenario.kill_owner();
  const RunState state = scenario.state();
  const bool has_started_shipping = state.find_step(StepPath{"ship"}) != nullptr;
  if (name == "approve" && !has_started_shipping) sandbox.write("project/spec.md", "evil\n");
  const int code = scenario.resume();
  std::string faults;
  const bool has_ended = name == "cancel" && recorded_before == 1;
  const bool is_over = has_ended || (name == "reject" && recorded_before == 1);
  if (!is_over && code != kWaiting && code != 0) faults += "resume: exit " + std::to_string(code) + "\n";
  // A request that was still open with a dead owner is withdrawn, not served.
  if (scenario.count(request) != recorded_before) faults += "recorded again by the resume\n";
  if (scenario.open_requests() != 0) faults += "a request is open after the resume\n";
  if (count_lines(sandbox, "shipped", "evil") != 0) faults += "content that was not shown was shipped\n";
  const int pays = count_lines(sandbox, "effects", "pay#");
  const int wanted = name == "retry" ? 1 + recorded_before : 1;
  if (pays != wanted) faults += "pay ran " + std::to_string(pays) + " times, not " + std::to_string(wanted) + "\n";
  if (count_lines(sandbox, "effects", "ship#") > 1) faults += "ship ran twice\n";
  // `cancel` ends the workers before it records the end: killed in between, the step is interrupted and reruns.
  const int slow = count_lines(sandbox, "effects", "slow#");
  if (slow != 1 && name != "cancel") faults += "slow did not run once\n";
  return faults;
}

/// Returns "missed", or "hit" and then what is wrong.
std::string strike_request(const Subject& subject, const Request& request, Victim victim, const Strike& strike) {
  Scenario scenario(subject, victim);
  FaultMap& map = scenario.sandbox().map();
  map.role = FAULT_RUNNER;
  map.at = scenario.calls() + strike.point.at;
  map.error = strike.error;
  map.mode = strike.mode;
  const int code = scenario.ask(request);
  if (map.fired == 0) return "missed\n";
  map.mode = FAULT_NONE;
  std::string faults = check_record(scenario, request, victim, code);
  if (victim == Victim::Command) wait_until([&] { return scenario.open_requests() == 0; });
  faults += check_resumed(scenario, request, scenario.count(request));
  if (faults.empty()) return "hit\n";
  std::string text = "hit\n" + name_of(strike) + ":\n" + faults;
  for (const std::string& line : scenario.sandbox().lines("acks")) text += "    | " + line + "\n";
  return text;
}

struct Count {
  int strikes = 0;
  int hit = 0;
  std::vector<std::string> violations;
};

Count strike_all(const std::string& title, const Subject& subject, const Request& request, Victim victim) {
  std::vector<Strike> strikes;
  const std::vector<Point> points = survey_request(subject, request, victim);
  const std::size_t wanted = by_strength<std::size_t>(6, points.size(), points.size());
  for (const Point& point : spread(points, wanted, 0)) {
    strikes.push_back({point, FAULT_KILL_BEFORE, 0});
    strikes.push_back({point, FAULT_KILL_AFTER, 0});
    if (is_write(point) && strength() != Strength::Everyday) strikes.push_back({point, FAULT_TORN, 0});
  }
  const std::vector<std::string> results = run_jobs(static_cast<int>(strikes.size()), [&](int i) {
    const Strike& strike = strikes[static_cast<std::size_t>(i)];
    std::string text;
    // The last calls are made or not, as two processes are quicker or slower.
    for (int tries = 0; tries < 3 && (text.empty() || text == "missed\n"); ++tries)
      text = strike_request(subject, request, victim, strike);
    return text;
  });
  Count count;
  for (const std::string& text : results) {
    ++count.strikes;
    if (text.starts_with("hit\n")) ++count.hit;
    if (text != "hit\n" && text != "missed\n") count.violations.push_back(text);
  }
  std::printf("%s %s: %zu points, %d strikes, %d hit, %zu violations\n", request.name, title.c_str(),
              points.size(), count.strikes, count.hit, count.violations.size());
  return count;
}

void expect_sound(const std::string& title, Victim victim) {
  for (const Request& request : kRequests) {
    const Count count = strike_all(title, the_product(), request, victim);
    EXPECT_GT(count.hit, 0) << request.name;
    EXPECT_GE(count.hit * 10, count.strikes * 9) << request.name << ": too many strikes missed";
    for (const std::string& text : count.violations) ADD_FAILURE() << request.name << " " << title << "\n" << text;
  }
}

TEST(RequestSweep, E02_a_request_counts_once_wherever_its_owner_is_killed) {
  expect_sound("with a dying owner", Victim::Owner);
}

TEST(RequestSweep, E02_a_killed_command_decides_once_or_not_at_all) {
  expect_sound("killed beside its owner", Victim::Command);
}

TEST(RequestSweep, E03_a_killed_command_without_an_owner_decides_once_or_not_at_all) {
  expect_sound("killed without an owner", Victim::CommandAlone);
}

void expect_caught(const char* mistake, const Request& request) {
  const Count count = strike_all(std::string("with ") + mistake, known_bad_with(mistake), request, Victim::Owner);
  EXPECT_GT(count.hit, 0);
  EXPECT_FALSE(count.violations.empty()) << "the mistake was not noticed";
}

TEST(RequestSweep, known_bad_answer_apart_is_caught) { expect_caught("answer_apart", kRequests[3]); }

TEST(RequestSweep, known_bad_keep_requests_is_caught) { expect_caught("keep_requests", kRequests[0]); }

// Masking: a worker's result that holds a token is stored without it.
std::size_t stored_secrets(const Subject& subject) {
  constexpr std::string_view kToken = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
  const Sandbox sandbox(subject);
  sandbox.write("token", R"({"status": "done", "summary": ")" + std::string(kToken) + "\"}");
  sandbox.write("project/crash.yaml", "name: crash\nstages:\n  a: {run: 'cp ../token \"$REPRISE_RESULT\"'}\n");
  const std::vector<std::string> codes =
      run_jobs(1, [&](int) { return std::to_string(sandbox.run({"run", "crash.yaml", "--run-id", "r"})); });
  check(codes[0] == "0");
  std::size_t found = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(sandbox.store())) {
    const std::string relative = entry.path().lexically_relative(sandbox.folder()).string();
    if (entry.is_regular_file() && count_lines(sandbox, relative, kToken) > 0) ++found;
  }
  return found;
}

TEST(RequestSweep, known_bad_raw_result_is_caught) {
  EXPECT_EQ(stored_secrets(the_product()), 0u);
  const std::size_t found = stored_secrets(known_bad_with("raw_result"));
  std::printf("masking with raw_result: %zu files with the secret\n", found);
  EXPECT_GT(found, 0u) << "the mistake was not noticed";
}

}  // namespace
}  // namespace reprise
