// The sweep over `gc`: killed before and after every mutating call, torn in every write, and with a disk that
// fails at each of them. Whatever happens, no other run loses a file, a run that the journal no longer knows has
// no folder left, the next gc finishes, and a run of the same name meets nothing old.

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <set>

#include "base/check.h"
#include "sweep.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

constexpr const char* kJudge =
    "name: w\n"
    "stages:\n"
    "  judge: {run: 'test ! -e verdict || cp verdict \"$REPRISE_RESULT\"'}\n"
    "  ship: {needs: judge, when: {judge: pass}, run: 'echo x >shipped'}\n";

/// A project with one run that is archived and said "pass", and one that is not to be touched.
class Template {
 public:
  Template() {
    fs::create_directories(sandbox_.project() / ".reprise" / "workflows");
    sandbox_.write("project/.reprise/workflows/w.yaml", kJudge);
    sandbox_.write("project/verdict", R"({"status": "done", "verdict": "pass", "summary": "of the old run"})");
    run_jobs(1, [&](int) {
      for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
               {"run", "w", "old"}, {"fresh", "w/old", "--yes"}, {"run", "w", "new"}})
        ok_ = sandbox_.run(words) == 0 && ok_;
      return std::string();
    });
    fs::remove(sandbox_.project() / "verdict");
    fs::remove(sandbox_.project() / "shipped");
  }
  const fs::path& project() const { return project_; }

 private:
  Sandbox sandbox_{the_product()};
  fs::path project_ = sandbox_.project();
  bool ok_ = true;
};

const Template& the_template() {
  static const Template made;
  return made;
}

void fill(const Sandbox& sandbox) {
  fs::copy(the_template().project(), sandbox.project(),
           fs::copy_options::recursive | fs::copy_options::copy_symlinks);
}

std::set<std::string> files_of(const Sandbox& sandbox, const std::string& run) {
  std::set<std::string> found;
  for (const char* kind : {"attempts", "guards"}) {
    std::error_code error;
    const fs::path folder = sandbox.store() / kind;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, error)) {
      const std::string path = entry.path().lexically_relative(sandbox.store()).string();
      if (!entry.is_directory() && path.find("/" + run) != std::string::npos) found.insert(path);
    }
  }
  return found;
}

const std::vector<std::string> kGc = {"gc", "--keep", "0d"};

Survey survey_gc(const Subject& subject) {
  const Sandbox sandbox(subject);
  fill(sandbox);
  run_jobs(1, [&](int) { return std::to_string(sandbox.run(kGc, Sandbox::Faults::On)); });
  Survey seen;
  const FaultMap& map = sandbox.map();
  for (std::int64_t row = 0; row < map.rows; ++row)
    seen.points.push_back({map.table[row].role, row, map.table[row].call, map.table[row].file, ""});
  return seen;
}

/// Returns "missed", or "hit" and then what is wrong.
std::string strike_gc(const Subject& subject, const Strike& strike) {
  const Sandbox sandbox(subject);
  fill(sandbox);
  const std::set<std::string> kept = files_of(sandbox, "new");
  FaultMap& map = sandbox.map();
  map.role = strike.point.role;
  map.at = strike.point.at;
  map.error = strike.error;
  map.mode = strike.mode;
  const int code = sandbox.run(kGc, Sandbox::Faults::On);
  if (map.fired == 0) return "missed\n";
  map.mode = FAULT_NONE;
  std::string text = "hit\n";
  const auto expect = [&](bool is_so, const std::string& what) {
    if (!is_so) text += name_of(strike) + " (exit " + std::to_string(code) + "): " + what + "\n";
  };
  const bool is_known = sandbox.run({"events", "w/old"}) == 0;
  expect(is_known || files_of(sandbox, "old").empty(), "the run is forgotten and its files are there");
  expect(files_of(sandbox, "new") == kept, "another run lost files");
  expect(sandbox.run(kGc) == 0, "the next gc does not finish");
  expect(sandbox.run({"events", "w/old"}) != 0, "the next gc leaves the run");
  expect(files_of(sandbox, "old").empty(), "the next gc leaves files");
  expect(files_of(sandbox, "new") == kept, "the next gc takes another run's files");
  expect(sandbox.run({"verify"}) == 0, "verify finds a fault");
  expect(sandbox.run({"run", "w", "old"}) == 0, "the name cannot be used again");
  expect(!fs::exists(sandbox.project() / "shipped"), "an old result was taken");
  return text;
}

struct Count {
  int strikes = 0;
  int hit = 0;
  std::vector<std::string> violations;
};

Count strike_all(const std::string& title, const Subject& subject, const std::vector<Strike>& strikes) {
  const std::vector<std::string> results = run_jobs(static_cast<int>(strikes.size()), [&](int i) {
    return strike_gc(subject, strikes[static_cast<std::size_t>(i)]);
  });
  Count count;
  for (const std::string& text : results) {
    ++count.strikes;
    if (text.starts_with("hit\n")) ++count.hit;
    if (text != "hit\n") count.violations.push_back(text);
  }
  std::printf("%s: %d strikes, %d hit, %zu violations\n", title.c_str(), count.strikes, count.hit,
              count.violations.size());
  return count;
}

void expect_sound(const Count& count) {
  EXPECT_GT(count.hit, 0);
  EXPECT_EQ(count.hit, count.strikes);
  for (const std::string& text : count.violations) ADD_FAILURE() << text;
}

TEST(GcSweep, E06_killed_anywhere_it_leaves_what_the_next_one_finishes) {
  const Survey seen = survey_gc(the_product());
  EXPECT_GT(seen.points.size(), 10u);
  std::vector<Strike> strikes;
  for (const Point& point : seen.points) {
    strikes.push_back({point, FAULT_KILL_BEFORE, 0});
    strikes.push_back({point, FAULT_KILL_AFTER, 0});
    if (is_write(point)) strikes.push_back({point, FAULT_TORN, 0});
  }
  expect_sound(strike_all("gc killed", the_product(), strikes));
}

TEST(GcSweep, E06_a_disk_that_fails_anywhere_loses_nothing) {
  const Survey seen = survey_gc(the_product());
  std::vector<Strike> strikes;
  for (const Point& point : seen.points) {
    if (point.call == FAULT_SPAWN || point.call == FAULT_BIND) continue;
    for (const int error : {EIO, ENOSPC}) strikes.push_back({point, FAULT_ERRNO_ONCE, error});
  }
  expect_sound(strike_all("gc with a failing disk", the_product(), strikes));
}

TEST(GcSweep, known_bad_rows_before_folders_is_caught) {
  const Subject bad = known_bad_with("rows_before_folders");
  std::vector<Strike> strikes;
  for (const Point& point : survey_gc(bad).points) strikes.push_back({point, FAULT_KILL_BEFORE, 0});
  const Count count = strike_all("gc that forgets first", bad, strikes);
  EXPECT_GT(count.hit, 0);
  EXPECT_FALSE(count.violations.empty()) << "the mistake was not noticed";
}

/// Returns how many files gc removes behind a link in the store.
std::size_t lost_behind_a_link(const Subject& subject) {
  const Sandbox sandbox(subject);
  fill(sandbox);
  const fs::path elsewhere = sandbox.folder() / "elsewhere";
  fs::rename(sandbox.store() / "attempts", elsewhere);
  fs::create_directory_symlink(elsewhere, sandbox.store() / "attempts");
  const auto count = [&] {
    std::size_t files = 0;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(elsewhere))
      files += entry.is_directory() ? 0 : 1;
    return files;
  };
  const std::size_t before = count();
  check(before > 0);
  run_jobs(1, [&](int) { return std::to_string(sandbox.run(kGc)); });
  return before - count();
}

TEST(GcSweep, known_bad_gc_follows_links_is_caught) {
  EXPECT_EQ(lost_behind_a_link(the_product()), 0u);
  const std::size_t lost = lost_behind_a_link(known_bad_with("gc_follows_links"));
  std::printf("gc that follows links: %zu files lost\n", lost);
  EXPECT_GT(lost, 0u) << "the mistake was not noticed";
}

}  // namespace
}  // namespace reprise
