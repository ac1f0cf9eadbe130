// Measures planning over a list of 10,000 tasks with 30,000 edges against reading and parsing their files, in
// turns, and how it grows for twice as many.
//   bench_tasks SCRATCH_FOLDER

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "formats/task_file.h"
#include "formats/task_file_edit.h"
#include "planner/task_rules.h"
#include "report.h"

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using namespace reprise_bench;

constexpr int kRounds = 15;
constexpr double kBar = 3.0;
constexpr double kGrowthBar = 2.4;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// Phases in order, every task blocked by up to three earlier ones; the first half is done.
void make_list(const fs::path& folder, int count) {
  fs::create_directories(folder);
  const reprise::NewTask permanent{.subject = "[PERMANENT] bench",
                                   .metadata = {{"tier", "\"COMPLEX\""}, {"current_phase", "\"P4\""}}};
  std::ofstream(folder / "1.json") << reprise::new_task_file("1", permanent);
  for (int i = 2; i <= count; ++i) {
    reprise::NewTask task{.subject = "task " + std::to_string(i), .description = std::string(200, 'x')};
    task.status = i <= count / 2 ? reprise::TaskStatus::Completed : reprise::TaskStatus::Pending;
    for (const int back : {1, 7, 31}) {
      if (i - back > 1) task.blocked_by.push_back(std::to_string(i - back));
    }
    task.metadata = {{"phase", "\"P" + std::to_string((i - 1) * 9 / count) + "\""},
                     {"outputs", "[\"out/" + std::to_string(i) + ".md\"]"}};
    std::ofstream(folder / (std::to_string(i) + ".json")) << reprise::new_task_file(std::to_string(i), task);
  }
}

std::vector<reprise::ReadTask> read_list(const fs::path& folder, int count) {
  std::vector<reprise::ReadTask> tasks;
  for (int i = 1; i <= count; ++i) {
    const std::string name = std::to_string(i) + ".json";
    std::ostringstream bytes;
    bytes << std::ifstream(folder / name).rdbuf();
    reprise::Result<reprise::ReadTask> task = reprise::read_task_file(bytes.str(), name);
    if (task) tasks.push_back(std::move(*task));
  }
  return tasks;
}

struct Times {
  double reading = 0;
  double planning = 0;
};

Times measure(const fs::path& folder, int count) {
  std::vector<double> reading;
  std::vector<double> planning;
  for (int round = 0; round < kRounds; ++round) {
    Clock::time_point start = Clock::now();
    std::vector<reprise::ReadTask> tasks = read_list(folder, count);
    reading.push_back(seconds_since(start));
    start = Clock::now();
    const reprise::TaskSnapshot seen{.claims = reprise::assemble_task_list("bench", std::move(tasks), count),
                                     .now = {2'000'000'000'000}};
    const reprise::Plan plan = reprise::plan_task_pipeline(seen);
    planning.push_back(seconds_since(start));
    if (plan.decisions.size() + 1 < static_cast<std::size_t>(count)) std::abort();
  }
  return {median(reading), median(planning)};
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const fs::path folder = fs::path(arguments[1]) / "tasks";
  make_list(folder / "once", 10'000);
  make_list(folder / "twice", 20'000);
  const Times once = measure(folder / "once", 10'000);
  const Times twice = measure(folder / "twice", 20'000);
  const double ratio = (once.reading + once.planning) / once.reading;
  Report report;
  report.row("plan of a list of 10,000 tasks with 30,000 edges", ratio, kBar, "x reading",
             ms("reading", once.reading) + ms("planning", once.planning));
  const double growth = twice.planning / once.planning;
  report.row("planning for 20,000 tasks against 10,000", growth, kGrowthBar, "x");
  return report.exit_code();
}
