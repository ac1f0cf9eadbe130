// The git sweep (P26): everything the ensure-operations do is killed after every one of its mutating calls, in git
// and in us, and done again. It must end as if nothing had happened: same trees, same number of commits, no lock,
// no half worktree; `git fsck` clean; what belongs to others byte for byte as it was. `./dev soak` takes every
// point.

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdio>
#include <map>

#include "harness.h"
#include "lane_world.h"

namespace reprise {
namespace {

constexpr std::size_t kShownMax = 10;
constexpr std::size_t kPointsInPart = 5;  // per operation and mode in everyday tests

enum class Company { GitAlone, Together };

struct Golden {
  std::vector<FaultPoint> points;
  std::string appearance;
};

// Made once, copied for every strike.
const std::filesystem::path& template_world() {
  static const Sandbox sandbox(the_product());
  static const std::filesystem::path path = [] {
    make_lane_world(sandbox.folder() / "template");
    return sandbox.folder() / "template";
  }();
  return path;
}

void arm(FaultMap& map, int mode, std::int64_t at, int error) {
  map.mode = mode;
  map.role = FAULT_RUNNER;
  map.at = at;
  map.error = error;
  map.fired = 0;
  map.rows = 0;
  map.count[FAULT_RUNNER] = 0;
}

// A world of its own for one operation; "make-again" finds the folder of a lane gone.
void make_scene(const std::filesystem::path& project, const std::string& operation) {
  copy_lane_world(template_world(), project);
  if (operation == "make-again") std::filesystem::remove_all(project / ".worktrees/P1/SL-4");
}

bool touches_main(const std::string& operation) { return operation.starts_with("merge"); }

// `again`: the operation may also be repeated when it is done, and changes nothing.
Golden survey_of(const std::string& operation, bool again = true) {
  const Sandbox sandbox(the_product());
  make_scene(sandbox.project(), operation);
  arm(sandbox.map(), FAULT_NONE, 0, 0);
  EXPECT_EQ(sandbox.run({operation}, Sandbox::Faults::On), 0) << operation;
  Golden golden;
  for (std::int64_t i = 0; i < sandbox.map().rows; ++i) golden.points.push_back(sandbox.map().table[i]);
  golden.appearance = appearance(sandbox.project());
  EXPECT_EQ(fsck(sandbox.project()), "");
  if (!again) return golden;
  EXPECT_EQ(sandbox.run({operation}), 0) << operation << " a second time";
  EXPECT_EQ(appearance(sandbox.project()), golden.appearance) << operation << " a second time";
  return golden;
}

// Surveyed once per operation.
const Golden& golden_of(const std::string& operation) {
  static std::map<std::string, Golden> surveyed;
  const auto found = surveyed.find(operation);
  return found != surveyed.end() ? found->second : surveyed.emplace(operation, survey_of(operation)).first->second;
}

struct StrikePlan {
  std::string operation;
  std::int64_t at = 0;
  int mode = FAULT_KILL_AFTER;
  int error = 0;
  Company company = Company::GitAlone;
  std::int64_t at_repeat = -1;  // the repeat is killed too, here; -1: it is not
};

// Returns "" if it was hit and all is well, else what is not.
std::string strike(const StrikePlan& plan, const Golden& golden) {
  const Sandbox sandbox(the_product());
  const std::filesystem::path project = sandbox.project();
  make_scene(project, plan.operation);
  const bool with_main = !touches_main(plan.operation);
  const std::map<std::string, std::string> before = bystanders(project, with_main);
  arm(sandbox.map(), plan.mode, plan.at, plan.error);
  std::vector<std::string> words = {plan.operation};
  if (plan.company == Company::Together) words.emplace_back("together");
  sandbox.run(words, Sandbox::Faults::On);
  kill_everything();
  if (sandbox.map().fired == 0) return "was not hit\n";
  std::string wrong;
  if (bystanders(project, with_main) != before) wrong += "others changed before the repeat\n";
  if (plan.at_repeat >= 0) {
    arm(sandbox.map(), FAULT_KILL_AFTER, plan.at_repeat, 0);
    sandbox.run(words, Sandbox::Faults::On);
    kill_everything();
  }
  if (sandbox.run({plan.operation}) != 0) {
    wrong += "the repeat failed:";
    for (const std::string& line : sandbox.lines("acks")) wrong += " " + line;
    wrong += "\n";
  }
  if (bystanders(project, with_main) != before) wrong += "others changed\n";
  if (const std::string now = appearance(project); now != golden.appearance) {
    wrong += "it looks like this:\n" + now + "and should look like this:\n" + golden.appearance;
  }
  return wrong + fsck(project);
}

std::vector<StrikePlan> part_of(const std::vector<StrikePlan>& all, std::size_t wanted, std::size_t shift) {
  wanted *= by_strength<std::size_t>(1, 4, 1);
  if (is_full() || all.size() <= wanted) return all;
  std::vector<StrikePlan> part;
  for (std::size_t i = 0; i < wanted; ++i) part.push_back(all[(i * all.size() + shift) / wanted % all.size()]);
  return part;
}

std::string name_of(const StrikePlan& plan, const Golden& golden) {
  const FaultPoint& point = golden.points[static_cast<std::size_t>(plan.at)];
  return plan.operation + " " + std::to_string(plan.at) + " (" + std::string(call_name(point.call)) + " " +
         point.file + (plan.company == Company::Together ? ", all killed)" : ")");
}

std::vector<std::string> strike_all(const std::vector<StrikePlan>& plans, const Golden& golden) {
  return run_jobs(static_cast<int>(plans.size()),
                  [&](int number) { return strike(plans[static_cast<std::size_t>(number)], golden); });
}

void sweep_over(const std::string& title, const std::vector<StrikePlan>& plans, const Golden& golden) {
  const std::vector<std::string> results = strike_all(plans, golden);
  std::size_t hit = 0, recovered = 0, shown = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    hit += results[i].starts_with("was not hit") ? 0 : 1;
    recovered += results[i].empty() ? 1 : 0;
    if (!results[i].empty() && ++shown <= kShownMax)
      ADD_FAILURE() << name_of(plans[i], golden) << ": " << results[i];
  }
  std::printf("%s: %zu points counted, %zu struck, %zu hit, %zu recovered, %zu violated\n", title.c_str(),
              golden.points.size(), plans.size(), hit, recovered, plans.size() - recovered);
  EXPECT_GT(hit, 0u);
  EXPECT_EQ(hit, plans.size());
  EXPECT_EQ(recovered, plans.size());
}

class GitSweep : public testing::TestWithParam<const char*> {};

TEST_P(GitSweep, P26_KilledAfterAnyCallARepeatEndsWhereItShould) {
  const std::string operation = GetParam();
  const Golden& golden = golden_of(operation);
  ASSERT_GT(golden.points.size(), 5u);
  for (const Company company : {Company::GitAlone, Company::Together}) {
    std::vector<StrikePlan> plans;
    for (std::size_t i = 0; i < golden.points.size(); ++i) {
      plans.push_back({.operation = operation, .at = static_cast<std::int64_t>(i), .company = company});
    }
    const bool is_alone = company == Company::GitAlone;
    sweep_over(operation + (is_alone ? ", one process killed" : ", all killed"),
               part_of(plans, kPointsInPart, is_alone ? 0 : 5), golden);
  }
}

TEST_P(GitSweep, P26_KilledInTheMiddleOfAnyWriteARepeatEndsWhereItShould) {
  const std::string operation = GetParam();
  const Golden& golden = golden_of(operation);
  std::vector<StrikePlan> plans;
  for (std::size_t i = 0; i < golden.points.size(); ++i) {
    if (golden.points[i].call != FAULT_WRITE && golden.points[i].call != FAULT_PWRITE) continue;
    plans.push_back({.operation = operation,
                     .at = static_cast<std::int64_t>(i),
                     .mode = FAULT_TORN,
                     .company = Company::Together});
  }
  sweep_over(operation + ", torn writes", part_of(plans, 3, 1), golden);
}

// Recovery is killed too: pairs of points, far apart in the operation.
TEST_P(GitSweep, P4_KilledAgainDuringTheRepeatTheNextOneEndsWhereItShould) {
  const std::string operation = GetParam();
  const Golden& golden = golden_of(operation);
  std::vector<StrikePlan> plans;
  const auto count = static_cast<std::int64_t>(golden.points.size());
  for (std::int64_t at = 0; at < count; ++at) {
    plans.push_back({.operation = operation, .at = at, .company = Company::Together, .at_repeat = at * 7 % count});
  }
  sweep_over(operation + ", killed twice", part_of(plans, 3, 2), golden);
}

INSTANTIATE_TEST_SUITE_P(Operations, GitSweep,
                         testing::Values("commit", "add", "remove", "reset", "merge", "merge-addition", "ref",
                                         "take-over", "make-again"),
                         [](const testing::TestParamInfo<const char*>& tested) {
                           std::string name = tested.param;
                           std::erase(name, '-');
                           return name;
                         });

bool can_run_out_of_space(const FaultPoint& point) {
  return point.call == FAULT_WRITE || point.call == FAULT_OPEN || point.call == FAULT_MKDIR ||
         point.call == FAULT_RENAME;
}

TEST(GitSweepDisk, P7_AFullDiskWhileAWorktreeIsMadeLeavesNothingThatARepeatDoesNotFinish) {
  const Golden& golden = golden_of("add");
  for (const int mode : {FAULT_ERRNO_ONCE, FAULT_ERRNO_STICKY}) {
    std::vector<StrikePlan> plans;
    for (std::size_t i = 0; i < golden.points.size(); ++i) {
      if (!can_run_out_of_space(golden.points[i])) continue;
      plans.push_back({.operation = "add", .at = static_cast<std::int64_t>(i), .mode = mode, .error = ENOSPC});
    }
    sweep_over(mode == FAULT_ERRNO_ONCE ? "add, disk full once" : "add, disk full from then on",
               part_of(plans, kPointsInPart, 3), golden);
  }
}

// Publishing into the user's checkout: git fails in the middle of writing a file or only its index, and what it
// had written by then is neither taken for the user's nor left behind.
TEST(GitSweepDisk, E07_FailedMergeIntoTheCheckoutIsFinishedByTheNextOne) {
  const Golden& golden = golden_of("merge-addition");
  std::vector<StrikePlan> plans;
  for (std::size_t i = 0; i < golden.points.size(); ++i) {
    const std::string_view file = golden.points[i].file;
    const bool is_in_checkout =
        file == "x.txt" || file == "added" || file.starts_with("index") || file == "reprise-move";
    if (!is_in_checkout) continue;
    for (const int error : {ENOSPC, EIO, EDQUOT}) {
      for (const int mode : {FAULT_ERRNO_ONCE, FAULT_ERRNO_STICKY}) {
        plans.push_back(
            {.operation = "merge-addition", .at = static_cast<std::int64_t>(i), .mode = mode, .error = error});
      }
    }
  }
  sweep_over("merge of a new file, ENOSPC, EIO and EDQUOT", part_of(plans, 4 * kPointsInPart, 1), golden);
}

// The sweep can fail: calling git again, as one would, is found out.
TEST(GitSweepItself, SimplyCallingGitAgainIsFlagged) {
  for (const std::string operation : {"naive-commit", "naive-add"}) {
    const Golden golden = survey_of(operation, false);
    std::vector<StrikePlan> plans;
    for (std::size_t i = 0; i < golden.points.size(); i += 6) {
      plans.push_back({.operation = operation, .at = static_cast<std::int64_t>(i)});
    }
    std::size_t flagged = 0;
    for (const std::string& result : strike_all(plans, golden)) flagged += result.empty() ? 0 : 1;
    std::printf("%s: %zu of %zu points flagged\n", operation.c_str(), flagged, plans.size());
    EXPECT_GT(flagged, plans.size() / 2);
  }
}

TEST(GitSweepDisk, P27_ObjectsReferenceAndIndexOfACommitAreSynced) {
  const Golden& golden = golden_of("commit");
  std::map<std::string, int> synced;
  for (const FaultPoint& point : golden.points) {
    if (point.call != FAULT_FSYNC) continue;
    const std::string_view file = point.file;
    ++synced[file.starts_with("tmp_obj") ? "object" : std::string(file)];
  }
  EXPECT_GE(synced["object"], 4);  // two blobs, at least one tree, the commit
  EXPECT_GE(synced["SL-1.lock"], 1);
  EXPECT_GE(synced["index.lock"], 1);
}

}  // namespace
}  // namespace reprise
