#include "oracle.h"

#include <set>

#include "base/strings.h"
#include "journal/journal.h"
#include "os/clock.h"
#include "os/entropy.h"
#include "scene.h"

namespace reprise {
namespace {

constexpr int kEventsMax = 100'000;

// "done    fan/a/check (0.1s)" gives "fan/a/check".
std::string step_in(const std::string& line) {
  const std::size_t end = line.find(' ', 8);
  return line.substr(8, end == std::string::npos ? end : end - 8);
}

// The same thing acknowledged twice was lost in between.
void check_acks(const Sandbox& sandbox, const std::map<std::string, int>& done, Ending& ending) {
  std::set<std::string> seen;
  for (const std::string& line : sandbox.lines("acks")) {
    if (line.starts_with("recorded: ") && !seen.insert(line).second)
      ending.faults.push_back("P1 had to be said twice: " + line);
    const bool is_done = line.starts_with("done    ");
    if (!is_done && !line.starts_with("start   ")) continue;
    const std::string what = is_done ? "done    " + step_in(line) : line;
    if (!seen.insert(what).second) ending.faults.push_back("P1 acknowledged twice: " + what);
    if (is_done && !done.contains(step_in(line))) ending.faults.push_back("P1 not on record: " + what);
  }
}

void check_effects(const Sandbox& sandbox, const std::set<std::string>& started, Ending& ending) {
  std::set<std::string> seen;
  for (const std::string& line : sandbox.lines("effects")) {
    if (!seen.insert(line).second) ending.faults.push_back("P2 one attempt was executed twice: " + line);
    if (!started.contains(line)) ending.faults.push_back("J6 executed without a recorded start: " + line);
    ++ending.executions[line.substr(0, line.find('#'))];
  }
}

Result<void> read_journal(const Sandbox& sandbox, const RunId& run, Ending& ending) {
  SystemClock clock;
  SystemEntropy entropy;
  const std::unique_ptr<Journal> journal =
      TRY(open_sqlite_journal(sandbox.store(), OpenMode::ReadOnly, clock, entropy));
  const RunState state = TRY(journal->state(run));
  ending.status = to_token(state.status);
  for (const auto& [path, step] : state.steps) {
    ending.steps[path.text] = std::to_string(static_cast<int>(step.record)) + *step.verdict;
  }
  for (const auto& [path, gate] : state.gates) {
    ending.steps[path.text] = "gate " + std::to_string(static_cast<int>(gate.record));
  }
  std::map<std::string, int> done;
  std::set<std::string> started;
  for (const RecordedEvent& recorded : TRY(journal->events(run, {0}, kEventsMax))) {
    if (const auto* start = std::get_if<AttemptStarted>(&recorded.event)) {
      started.insert(start->step.text + "#" + std::to_string(start->attempt.value));
    }
    const auto* finished = std::get_if<AttemptFinished>(&recorded.event);
    if (finished == nullptr || finished->outcome != AttemptOutcome::Done) continue;
    if (++done[finished->step.text] > 1) ending.faults.push_back("P2 done twice: " + finished->step.text);
  }
  check_acks(sandbox, done, ending);
  check_effects(sandbox, started, ending);
  for (const ChainFault& fault : TRY(journal->verify())) ending.faults.push_back("P5 chain: " + fault.message);
  return {};
}

}  // namespace

Ending read_ending(const Sandbox& sandbox, const Scene& scene) {
  Ending ending;
  if (const Result<void> read = read_journal(sandbox, RunId{scene.run}, ending); !read) {
    ending.faults.push_back("P4 the journal cannot be read: " + read.error().message);
  }
  if (scene.read_more) scene.read_more(sandbox, ending);
  return ending;
}

namespace {

void compare_facts(const Ending& golden, const Ending& ending, std::vector<std::string>& violations) {
  for (const auto& [name, value] : golden.facts) {
    const auto found = ending.facts.find(name);
    const std::string now = found == ending.facts.end() ? "missing" : found->second;
    if (now != value) violations.push_back("F5 " + name + " is " + now + ", not " + value);
  }
  for (const auto& [name, value] : ending.facts) {
    if (!golden.facts.contains(name)) violations.push_back("F5 " + name + " is new: " + value);
  }
}

}  // namespace

std::vector<std::string> compare(const Ending& golden, const Ending& ending, Allowance allowed) {
  std::vector<std::string> violations = ending.faults;
  if (ending.status != golden.status) violations.push_back("P4 the run is " + ending.status);
  for (const auto& [step, status] : golden.steps) {
    const auto found = ending.steps.find(step);
    const std::string now = found == ending.steps.end() ? "missing" : found->second;
    if (now != status) violations.push_back("P4 " + step + " is " + now + ", not " + status);
  }
  if (ending.steps.size() > golden.steps.size()) violations.emplace_back("P4 there are steps of another run");
  compare_facts(golden, ending, violations);
  int repeated = 0;
  for (const auto& [step, count] : golden.executions) {
    const auto found = ending.executions.find(step);
    const int more = (found == ending.executions.end() ? 0 : found->second) - count;
    if (more < 0 && allowed.repeated == 0) violations.push_back("P4 " + step + " was not executed");
    if (more > 1)
      violations.push_back("P2 " + step + " was executed " + std::to_string(more) + " times too often");
    repeated += more > 0 ? more : 0;
  }
  if (repeated > allowed.repeated) {
    violations.push_back("P2 " + std::to_string(repeated) + " executions were repeated, allowed are " +
                         std::to_string(allowed.repeated));
  }
  return violations;
}

}  // namespace reprise
