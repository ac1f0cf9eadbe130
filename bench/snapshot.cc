// Measures a snapshot of an unchanged worktree of 10,000 files against `git status` of it, in turns.
//   bench_snapshot SCRATCH_FOLDER

#include "lanes/snapshot.h"

#include <cstdio>

#include "report.h"
#include "repository.h"

namespace {

using namespace reprise_bench;

constexpr int kRounds = 25;
constexpr double kBar = 2.0;

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const fs::path folder = fs::path(arguments[1]) / "snapshot";
  if (!make_repository(folder)) return 2;
  const reprise::Result<reprise::Git> worktree = reprise::Git::open(folder);
  if (!worktree) return 2;
  const reprise::SnapshotRequest request{.ref = "refs/reprise/bench", .message = "bench", .time = {1}};
  const Clock::time_point begin = Clock::now();
  if (!reprise::take_snapshot(*worktree, request)) return 2;
  const double first = seconds_since(begin);
  std::vector<double> ours;
  std::vector<double> theirs;
  for (int i = 0; i < kRounds; ++i) {
    Clock::time_point start = Clock::now();
    if (!git(folder, {"status", "--porcelain"})) return 2;
    theirs.push_back(seconds_since(start));
    start = Clock::now();
    if (!reprise::take_snapshot(*worktree, request)) return 2;
    ours.push_back(seconds_since(start));
  }
  const double ratio = median(ours) / median(theirs);
  Report report;
  report.row("snapshot of an unchanged worktree of 10,000 files", ratio, kBar, "x status",
             ms("snapshot", median(ours)) + ms("git status", median(theirs)) + ms("first", first));
  return report.exit_code();
}
