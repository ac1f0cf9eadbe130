// The kill sweep: the real binary, killed before and after every mutating call of runner and guard and in
// the middle of every write, and with a disk that fails; then resumed. `./dev soak` takes every point of a
// run of fifty steps.

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdio>

#include "sweep.h"

namespace reprise {
namespace {

constexpr int kMoreSteps = 38;         // twelve steps become fifty
constexpr std::size_t kShownMax = 12;  // violations printed in full

int more_steps() { return is_full() ? kMoreSteps : 0; }

// Surveyed once: every test of this program strikes the same run.
const Survey& golden() {
  static const Survey seen = survey(the_product(), engine_scene(more_steps()));
  return seen;
}

bool can_fail_with(const Point& point, int error) {
  if (is_write(point)) return true;
  const bool is_sync = point.call == FAULT_FSYNC || point.call == FAULT_FDATASYNC;
  const bool needs_space = point.call == FAULT_OPEN || point.call == FAULT_MKDIR || point.call == FAULT_RENAME;
  return error == EIO ? is_sync : needs_space;
}

std::vector<Point> part_of(const std::vector<Point>& points, std::size_t wanted, std::size_t shift) {
  return is_full() ? points : thin(points, wanted * by_strength<std::size_t>(1, 3, 1), shift);
}

void expect_clean(const Figures& figures) {
  EXPECT_GT(figures.hit, 0);
  EXPECT_EQ(figures.hit, figures.counted);
  EXPECT_EQ(figures.recovered, figures.counted);
  std::size_t shown = 0;
  for (const std::string& line : figures.violations) {
    if (++shown <= kShownMax) ADD_FAILURE() << line;
  }
}

TEST(KillSweep, the_undisturbed_run_is_as_the_sweep_expects) {
  const Survey& seen = golden();
  for (const std::string& fault : seen.ending.faults) ADD_FAILURE() << fault;
  EXPECT_EQ(seen.ending.status, "done");
  EXPECT_EQ(seen.ending.executions.size(), 11u + static_cast<std::size_t>(more_steps()));
  EXPECT_EQ(seen.ending.executions.at("flaky"), 2);
  std::size_t guard = 0;
  for (const Point& point : seen.points) guard += point.role == FAULT_GUARD ? 1 : 0;
  std::printf("survey: %zu points of the runner, %zu of the guard\n", seen.points.size() - guard, guard);
  EXPECT_GT(guard, 20u);
  EXPECT_GT(seen.points.size(), 200u);
}

TEST(KillSweep, P1_P2_P4_killed_before_any_call_nothing_is_lost_or_done_twice) {
  std::vector<Strike> strikes;
  for (const Point& point : part_of(golden().points, 150, 0)) strikes.push_back({point, FAULT_KILL_BEFORE});
  expect_clean(sweep("killed before", the_product(), engine_scene(more_steps()), golden(), strikes));
}

TEST(KillSweep, P1_P2_P4_killed_after_any_call_nothing_is_lost_or_done_twice) {
  std::vector<Strike> strikes;
  for (const Point& point : part_of(golden().points, 150, 1)) strikes.push_back({point, FAULT_KILL_AFTER});
  expect_clean(sweep("killed after", the_product(), engine_scene(more_steps()), golden(), strikes));
}

TEST(KillSweep, P1_P2_P12_killed_in_the_middle_of_any_write_nothing_is_lost_or_done_twice) {
  std::vector<Point> writes;
  for (const Point& point : golden().points) {
    if (is_write(point)) writes.push_back(point);
  }
  std::vector<Strike> strikes;
  for (const Point& point : part_of(writes, 75, 2)) strikes.push_back({point, FAULT_TORN});
  expect_clean(sweep("torn writes", the_product(), engine_scene(more_steps()), golden(), strikes));
}

void sweep_errors(const std::string& title, int error, int mode) {
  std::vector<Point> points;
  for (const Point& point : golden().points) {
    if (can_fail_with(point, error)) points.push_back(point);
  }
  std::vector<Strike> strikes;
  for (const Point& point : part_of(points, 80, static_cast<std::size_t>(mode)))
    strikes.push_back({point, mode, error});
  expect_clean(sweep(title, the_product(), engine_scene(more_steps()), golden(), strikes));
}

TEST(KillSweep, P7_ENOSPC_once_at_any_call_costs_no_recorded_work) {
  sweep_errors("ENOSPC once", ENOSPC, FAULT_ERRNO_ONCE);
}
TEST(KillSweep, P7_ENOSPC_from_any_call_on_costs_no_recorded_work) {
  sweep_errors("ENOSPC sticky", ENOSPC, FAULT_ERRNO_STICKY);
}
TEST(KillSweep, P6_EIO_once_at_any_call_is_followed_by_no_acknowledgement) {
  sweep_errors("EIO once", EIO, FAULT_ERRNO_ONCE);
}
TEST(KillSweep, P6_EIO_from_any_call_on_is_followed_by_no_acknowledgement) {
  sweep_errors("EIO sticky", EIO, FAULT_ERRNO_STICKY);
}

// The sweep can fail: a program that acknowledges before it commits is found out.
TEST(KillSweep, a_program_that_acknowledges_before_it_commits_is_flagged) {
  const Subject bad = known_bad_with("ack_before_commit");
  const Survey seen = survey(bad, engine_scene(0));
  ASSERT_EQ(seen.ending.status, "done");
  std::vector<Strike> strikes;
  for (const Point& point : seen.points) {
    if (point.role == FAULT_RUNNER && is_write(point) && point.file == "journal.db-wal" && point.at % 4 == 0) {
      strikes.push_back({point, FAULT_KILL_BEFORE});
    }
  }
  const Figures figures = sweep("acknowledged before committed", bad, engine_scene(0), seen, strikes);
  EXPECT_GT(figures.hit, 0);
  EXPECT_GT(figures.violations.size(), 0u);
}

}  // namespace
}  // namespace reprise
