// Measures the start of a lane in a repository of 10,000 files against `git worktree add` of the same, in turns:
// made anew, and with the tree of a finished lane taken over.
//   bench_lanes SCRATCH_FOLDER

#include <cstdio>

#include "lanes/lane.h"
#include "report.h"
#include "repository.h"

namespace {

using namespace reprise_bench;

constexpr int kRounds = 7;
constexpr double kNewBar = 1.2;
constexpr double kTakenBar = 0.5;

reprise::LaneRequest lane_named(const std::string& name, const std::string& base) {
  return {.lane = {.name = name, .path = ".worktrees/" + name, .branch = "lane/" + name, .base = base}};
}

// Removes what a round made, which is not timed.
bool clear(const fs::path& folder, const std::string& name) {
  return git(folder, {"worktree", "remove", "--force", ".worktrees/" + name}) &&
         git(folder, {"branch", "-D", "lane/" + name});
}

void show(Report& report, const char* what, const std::vector<double>& ours, const std::vector<double>& theirs,
          double bar) {
  const double ratio = median(ours) / median(theirs);
  report.row(what, ratio, bar, "x add", ms("lane", median(ours)) + ms("git worktree add", median(theirs)));
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const fs::path folder = fs::path(arguments[1]) / "lanes";
  if (!make_repository(folder)) return 2;
  const reprise::Result<reprise::Git> repository = reprise::Git::open(folder);
  if (!repository) return 2;
  const std::string base = repository->ask({"rev-parse", "HEAD"}).value_or("");
  std::vector<double> added;
  std::vector<double> made;
  std::vector<double> taken;
  for (int i = 0; i < kRounds; ++i) {
    Clock::time_point start = Clock::now();
    if (!git(folder, {"worktree", "add", "-q", "-b", "lane/plain", ".worktrees/plain", "HEAD"})) return 2;
    added.push_back(seconds_since(start));
    start = Clock::now();
    if (!reprise::ensure_lane(*repository, lane_named("first", base))) return 2;
    made.push_back(seconds_since(start));
    reprise::LaneRequest request = lane_named("second", base);
    request.take_over = reprise::TakeOver{.from = folder / ".worktrees/first", .from_branch = "lane/first"};
    start = Clock::now();
    if (!reprise::ensure_lane(*repository, request)) return 2;
    taken.push_back(seconds_since(start));
    if (fs::exists(folder / ".worktrees/first")) return 2;  // it was not taken over
    if (!clear(folder, "plain") || !clear(folder, "second") || !git(folder, {"branch", "-D", "lane/first"}))
      return 2;
  }
  Report report;
  show(report, "lane start, 10,000 files, made anew", made, added, kNewBar);
  show(report, "lane start, 10,000 files, tree taken over", taken, added, kTakenBar);
  return report.exit_code();
}
