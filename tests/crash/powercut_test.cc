// Power cuts: a recorded run is cut at every call, what a disk may have left is put together, and the journal
// in it must open, be intact and hold everything that had been acknowledged by then. The same for a state
// file that is replaced. `./dev soak` tries more than ten thousand states.

#include "powercut.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/check.h"
#include "harness.h"
#include "journal/journal.h"
#include "os/clock.h"
#include "os/entropy.h"

namespace reprise {
namespace {

constexpr std::uint64_t kSeed = 20'260;
constexpr int kChunks = 8;
constexpr std::size_t kShownMax = 12;

struct Recording {
  std::string root;
  std::vector<TraceRecord> records;
  Disk::Files end;  // the files as they really were afterwards
};

// Runs the commands with every call recorded.
Recording record(const Subject& subject, const std::vector<std::vector<std::string>>& commands) {
  Sandbox sandbox(subject);
  write_workflow(sandbox, 0);
  sandbox.record_trace();
  run_jobs(1, [&](int) {
    for (const std::vector<std::string>& command : commands) {
      sandbox.run(command, Sandbox::Faults::On);
      wait_for_all(std::chrono::seconds(10));
    }
    return std::string();
  });
  Recording recording{.root = sandbox.project().string(), .records = read_trace(sandbox.trace()), .end = {}};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(sandbox.project())) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    recording.end[std::filesystem::relative(entry.path(), sandbox.project()).string()] = {
        std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  return recording;
}

Recording record_run(const Subject& subject) {
  return record(subject, {{"run", "crash.yaml", "--run-id", "r"}, {"approve", kRunName}, {"resume", kRunName}});
}

Recording record_init(const Subject& subject) { return record(subject, {{"init"}}); }

/// What had been told to the user when the power went.
struct Acknowledged {
  bool has_run = false;
  std::vector<std::string> lines;

  void take(const std::string& text) {
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
      has_run = has_run || line == kRunName;
      lines.push_back(line);
    }
  }
};

// The lines with which a runner tells these events, in the words of the view.
std::set<std::string> told_by(const std::vector<RecordedEvent>& events) {
  std::set<std::string> told;
  for (const RecordedEvent& recorded : events) {
    if (const auto* start = std::get_if<AttemptStarted>(&recorded.event)) {
      const std::int64_t number = start->attempt.value;
      const std::string attempt = number > 1 ? " (attempt " + std::to_string(number) + ")" : "";
      told.insert("start   " + start->step.text + attempt);
    } else if (const auto* finished = std::get_if<AttemptFinished>(&recorded.event)) {
      const bool is_done = finished->outcome == AttemptOutcome::Done;
      told.insert((is_done ? "done    " : "failed  ") + finished->step.text);
    } else if (const auto* decided = std::get_if<GateDecided>(&recorded.event)) {
      told.insert("recorded: approve " + decided->gate.text);
    }
  }
  return told;
}

std::string event_in(const std::string& line) {
  if (line.starts_with("done    ") || line.starts_with("failed  ")) return line.substr(0, line.find(' ', 8));
  return line.starts_with("start   ") || line.starts_with("recorded: approve") ? line : "";
}

// Returns what is wrong with the journal in `store`, "" if nothing is.
Result<std::string> fault_of_journal(const std::filesystem::path& store, const Acknowledged& acknowledged) {
  SystemClock clock;
  SystemEntropy entropy;
  const std::unique_ptr<Journal> journal = TRY(open_sqlite_journal(store, OpenMode::ReadWrite, clock, entropy));
  for (const ChainFault& fault : TRY(journal->verify())) return "P5 chain: " + fault.message;
  const std::vector<RunEntry> runs = TRY(journal->runs());
  if (runs.empty()) return acknowledged.has_run ? "P1 the run is lost" : "";
  const std::set<std::string> told = told_by(TRY(journal->events({kRunName}, {0}, 100'000)));
  for (const std::string& line : acknowledged.lines) {
    const std::string event = event_in(line);
    if (!event.empty() && !told.contains(event)) return "P1 lost: " + event;
  }
  return std::string();
}

std::string check_journal(const std::filesystem::path& folder, const Acknowledged& acknowledged) {
  const Result<std::string> fault = fault_of_journal(folder / ".reprise" / "state", acknowledged);
  return fault ? *fault : "P1 the journal does not open: " + fault.error().message;
}

// A state file is not there yet, or whole.
std::string check_config(const std::filesystem::path& folder, const std::string& whole) {
  const std::filesystem::path file = folder / ".reprise" / "config.yaml";
  if (!std::filesystem::exists(file)) return "";
  std::ifstream in(file, std::ios::binary);
  const std::string now{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  return now == whole ? "" : "P9 config.yaml has " + std::to_string(now.size()) + " bytes";
}

using Check = std::function<std::string(const std::filesystem::path&, const Acknowledged&)>;

struct CutFigures {
  int states = 0;
  int bad = 0;
  std::vector<std::string> violations;
};

constexpr std::pair<Policy, const char*> kPolicies[] = {{Policy::DropAll, "drop all unsynced"},
                                                        {Policy::Strict, "strict folders"},
                                                        {Policy::KeepNames, "keep names, lose data"},
                                                        {Policy::Random, "random sectors"}};

// Cuts after every record whose number leaves `chunk`; a line per violation, then the number of states.
std::string cut_chunk(const Recording& recording, int chunk, int seeds, const Check& find_fault) {
  Disk disk(recording.root);
  Acknowledged acknowledged;
  std::string text;
  int states = 0;
  const Sandbox sandbox(the_product());
  const auto try_state = [&](Policy policy, const char* name, std::size_t cut, int seed) {
    std::mt19937_64 random(kSeed + cut * 1'000 + static_cast<std::size_t>(seed));
    const std::filesystem::path folder = sandbox.folder() / "state";
    materialise(disk.after_cut(policy, random), folder);
    const std::string fault = find_fault(folder, acknowledged);
    std::filesystem::remove_all(folder);
    ++states;
    if (fault.empty()) return;
    text += "cut " + std::to_string(cut) + ", " + name + ", seed " + std::to_string(seed) + ": " + fault + "\n";
  };
  for (std::size_t cut = 0; cut < recording.records.size(); ++cut) {
    const TraceRecord& record = recording.records[cut];
    if (record.call == FAULT_ACK) acknowledged.take(record.data);
    disk.apply(record);
    if (static_cast<int>(cut % kChunks) != chunk) continue;
    for (const auto& [policy, name] : kPolicies) {
      const int rounds = policy == Policy::Random ? seeds : 1;
      for (int seed = 0; seed < rounds; ++seed) try_state(policy, name, cut, seed);
    }
  }
  return text + std::to_string(states) + "\n";
}

CutFigures cut_everywhere(const std::string& title, const Recording& recording, int seeds,
                          const Check& find_fault) {
  CutFigures figures;
  const std::vector<std::string> results = run_jobs(
      kChunks, [&](int chunk) { return cut_chunk(recording, chunk, seeds, find_fault); }, std::chrono::hours(1));
  for (const std::string& result : results) {
    std::istringstream in(result);
    std::string line;
    std::vector<std::string> lines;
    while (std::getline(in, line)) lines.push_back(line);
    if (lines.empty()) lines.emplace_back("0");
    figures.states += std::atoi(lines.back().c_str());
    lines.pop_back();
    figures.violations.insert(figures.violations.end(), lines.begin(), lines.end());
  }
  figures.bad = static_cast<int>(figures.violations.size());
  std::printf("%s: points counted %zu / hit %d states / recovered %d / violations %d (seed %d)\n", title.c_str(),
              recording.records.size(), figures.states, figures.states - figures.bad, figures.bad,
              static_cast<int>(kSeed));
  std::fflush(stdout);
  return figures;
}

void expect_clean(const CutFigures& figures, std::size_t points) {
  EXPECT_GE(figures.states, static_cast<int>(points * std::size(kPolicies)));
  EXPECT_GT(points, 10u);
  for (std::size_t i = 0; i < std::min(kShownMax, figures.violations.size()); ++i) {
    ADD_FAILURE() << figures.violations[i];
  }
}

int random_rounds() { return by_strength(1, 6, 30); }

TEST(PowerCut, the_record_is_complete_the_model_ends_with_the_files_of_the_run) {
  const Recording recording = record_run(the_product());
  Disk disk(recording.root);
  for (const TraceRecord& record : recording.records) disk.apply(record);
  std::mt19937_64 unused;
  const Disk::Files model = disk.after_cut(Policy::KeepAll, unused);
  EXPECT_GT(model.size(), 10u);
  for (const auto& [path, bytes] : model) EXPECT_TRUE(recording.end.at(path) == bytes) << path;
  for (const auto& [path, bytes] : recording.end) {
    const bool is_ours = path.starts_with(".reprise/state/") && !path.ends_with("-shm");
    const bool is_by_worker = path.ends_with("/result.json");
    EXPECT_TRUE(!is_ours || is_by_worker || model.contains(path)) << path;
  }
}

TEST(PowerCut, P1_J5_what_was_acknowledged_before_a_cut_is_there_after_it) {
  const Recording recording = record_run(the_product());
  const CutFigures figures = cut_everywhere("power cuts of a run", recording, random_rounds(), check_journal);
  expect_clean(figures, recording.records.size());
  EXPECT_GE(figures.states, by_strength(300, 1'500, 10'000));
}

TEST(PowerCut, P9_a_replaced_state_file_is_never_seen_in_part) {
  const Recording recording = record_init(the_product());
  const std::string whole = recording.end.at(".reprise/config.yaml");
  const CutFigures figures =
      cut_everywhere("power cuts of init", recording, 20 * random_rounds(),
                     [&](const auto& folder, const Acknowledged&) { return check_config(folder, whole); });
  EXPECT_GT(figures.states, 0);
  for (const std::string& line : figures.violations) ADD_FAILURE() << line;
}

// The model can fail: a journal that is not synced at each commit loses what was acknowledged.
TEST(PowerCut, a_journal_that_does_not_sync_at_commit_is_flagged) {
  const Recording recording = record_run(known_bad_with("sync_normal"));
  EXPECT_GT(cut_everywhere("synchronous = NORMAL", recording, 0, check_journal).bad, 0);
}

// The model can fail: a file that is renamed before its bytes are on disk may be empty.
TEST(PowerCut, a_rename_without_fsync_is_flagged) {
  const Recording recording = record_init(known_bad_with("rename_without_fsync"));
  const std::string whole = recording.end.at(".reprise/config.yaml");
  const CutFigures figures =
      cut_everywhere("rename without fsync", recording, 1,
                     [&](const auto& folder, const Acknowledged&) { return check_config(folder, whole); });
  EXPECT_GT(figures.bad, 0);
}

}  // namespace
}  // namespace reprise
