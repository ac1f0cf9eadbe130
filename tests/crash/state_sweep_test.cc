// The kill sweep over runs whose state is in files that others read: a playbook with its approvals, a spec loop
// with its questions, lanes, an epic, task pipelines; struck at the calls of runner and guard, half of them those
// on the state file. `./dev test` takes a part of the points, `./dev check` a wider one; `./dev soak` takes all,
// each in every way.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "sweep.h"

namespace reprise {
namespace {

constexpr std::size_t kShownMax = 12;  // violations printed in full

bool is_on_state_file(const Point& point) {
  return point.file.find("pipeline-state.md") != std::string::npos ||
         point.file.find("index.md") != std::string::npos;
}

// Strikes per scene where not all are made.
std::size_t part() { return by_strength<std::size_t>(60, 160, 160); }

// What makes events durable; the calls on the database itself only tidy up after that.
bool is_journal(const Point& point) { return point.file == "journal.db-wal"; }

// The calls from the one that makes the end of the run durable to the last one on the state file.
bool is_of_last_write(const std::vector<Point>& points, const Point& point) {
  std::int64_t last = -1;
  std::int64_t durable = -1;
  for (const Point& each : points) {
    if (each.role == FAULT_RUNNER && is_on_state_file(each)) last = std::max(last, each.at);
  }
  bool is_gone = true;
  for (auto each = points.rbegin(); each != points.rend(); ++each) {
    if (each->role != FAULT_RUNNER || each->at > last) continue;
    if (is_gone && each->call == FAULT_RENAME && is_on_state_file(*each)) is_gone = false;
    if (!is_gone && is_journal(*each)) {
      durable = each->at;
      break;
    }
  }
  return point.role == FAULT_RUNNER && point.at >= durable && point.at <= last;
}

int mode_for(const Point& point, std::size_t turn) {
  if (is_write(point) && turn % 3 == 2) return FAULT_TORN;
  return turn % 2 == 0 ? FAULT_KILL_BEFORE : FAULT_KILL_AFTER;
}

std::vector<Strike> part_of(const std::vector<Point>& points) {
  std::vector<Point> near;
  std::vector<Point> far;
  for (const Point& point : points) (is_on_state_file(point) ? near : far).push_back(point);
  std::vector<Strike> strikes;
  for (const Point& point : spread(near, part() / 2, 1))
    strikes.push_back({point, mode_for(point, strikes.size())});
  for (const Point& point : spread(far, part() / 2, 2))
    strikes.push_back({point, mode_for(point, strikes.size())});
  return strikes;
}

std::vector<Strike> all_of(const std::vector<Point>& points) {
  std::vector<Strike> strikes;
  for (const Point& point : points) {
    strikes.push_back({point, FAULT_KILL_BEFORE});
    strikes.push_back({point, FAULT_KILL_AFTER});
    if (is_write(point)) strikes.push_back({point, FAULT_TORN});
  }
  return strikes;
}

// REPRISE_STRIKE="guard 3 (" takes only those whose name begins so, to look at a failure again.
std::vector<Strike> chosen(std::vector<Strike> strikes) {
  const char* name = std::getenv("REPRISE_STRIKE");
  if (name != nullptr)
    std::erase_if(strikes, [&](const Strike& strike) { return !name_of(strike).starts_with(name); });
  return strikes;
}

enum class Which { BeforeTheEnd, LastWrite };

void strike_everywhere(const std::string& title, const Scene& scene, Which which = Which::BeforeTheEnd) {
  const Survey seen = survey(the_product(), scene);
  for (const std::string& fault : seen.ending.faults) ADD_FAILURE() << fault;
  ASSERT_EQ(seen.ending.status, "done");
  EXPECT_TRUE(seen.ending.facts.at("status") == "complete" || seen.ending.facts.at("status") == "completed");
  EXPECT_EQ(seen.ending.facts.at("hand edits"), "1");
  EXPECT_EQ(seen.ending.facts.at("files").find("tmp"), std::string::npos);
  std::size_t near = 0;
  for (const Point& point : seen.points) near += is_on_state_file(point) ? 1 : 0;
  std::printf("%s: %zu points, %zu of them on the state file\n", title.c_str(), seen.points.size(), near);
  ASSERT_GT(near, 20u);
  std::vector<Point> points;
  for (const Point& point : seen.points) {
    if (is_of_last_write(seen.points, point) == (which == Which::LastWrite)) points.push_back(point);
  }
  const bool takes_all = is_full() || which == Which::LastWrite;
  const Figures figures =
      sweep(title, the_product(), scene, seen, chosen(takes_all ? all_of(points) : part_of(points)));
  EXPECT_GE(figures.hit, takes_all ? 8 : static_cast<int>(part()) - 8);
  EXPECT_EQ(figures.hit, figures.counted);
  EXPECT_EQ(figures.recovered, figures.counted);
  std::size_t shown = 0;
  for (const std::string& line : figures.violations) {
    if (++shown <= kShownMax) ADD_FAILURE() << line;
  }
}

TEST(StateSweep, F5_P4_a_playbook_killed_at_any_call_ends_as_if_it_had_not_been) {
  strike_everywhere("playbook", playbook_scene());
}

// Strikes at the calls of runner and guard alone: what the workers do there is done by real programs.
void strike_runner(const std::string& title, const Scene& scene) {
  Subject subject = the_product();
  subject.only = "reprise";
  const Survey seen = survey(subject, scene);
  for (const std::string& fault : seen.ending.faults) ADD_FAILURE() << fault;
  ASSERT_EQ(seen.ending.status, "done");
  std::printf("%s: %zu points\n", title.c_str(), seen.points.size());
  // How many calls there are depends a little on which of the steps side by side ends first: the last ones of a
  // run that had more of them than the others are not to be counted on.
  std::vector<Point> points(seen.points.begin(),
                            seen.points.end() - static_cast<std::ptrdiff_t>(seen.points.size() / 8));
  std::vector<Strike> strikes;
  for (const Point& point : is_full() ? points : spread(points, part() / 2, 1))
    strikes.push_back({point, strikes.size() % 2 == 0 ? FAULT_KILL_BEFORE : FAULT_KILL_AFTER});
  const Figures figures = sweep(title, subject, scene, seen, chosen(strikes));
  EXPECT_GE(figures.hit, static_cast<int>(part()) / 2 - 4);
  EXPECT_EQ(figures.hit, figures.counted);
  EXPECT_EQ(figures.recovered, figures.counted);
  std::size_t shown = 0;
  for (const std::string& line : figures.violations) {
    if (++shown <= kShownMax) ADD_FAILURE() << line;
  }
}

// Two lanes at a time, in worktrees of their own. What git itself does when it is killed is tests/lanes.
TEST(StateSweep, P26_lanes_killed_at_any_call_end_as_if_they_had_not_been) {
  strike_runner("lanes", lanes_scene());
}

TEST(StateSweep, OR06_P4_an_epic_killed_at_any_call_ends_as_if_it_had_not_been) {
  strike_runner("epic", epic_scene());
}

TEST(StateSweep, TP10_P4_a_task_pipeline_killed_at_any_call_ends_as_if_it_had_not_been) {
  strike_runner("task pipeline", pipeline_scene());
}

TEST(StateSweep, TP23_P4_a_list_taken_up_and_killed_at_any_call_ends_as_if_it_had_not_been) {
  strike_runner("task list", list_scene());
}

TEST(StateSweep, F5_P4_a_spec_loop_killed_at_any_call_ends_as_if_it_had_not_been) {
  strike_everywhere("spec loop", spec_loop_scene());
}

// The end of the run is durable and its file is not written yet: whoever looks next writes it.
TEST(StateSweep, F5_a_playbook_killed_at_its_last_write_is_shown_as_complete) {
  strike_everywhere("playbook, last write", playbook_scene(), Which::LastWrite);
}

TEST(StateSweep, F5_a_spec_loop_killed_at_its_last_write_is_shown_as_completed) {
  strike_everywhere("spec loop, last write", spec_loop_scene(), Which::LastWrite);
}

}  // namespace
}  // namespace reprise
