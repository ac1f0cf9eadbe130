#include "sweep.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

#include "base/check.h"

namespace reprise {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kEndPatience{15'000};
constexpr int kResumesMax = 12;
constexpr int kTriesMax = 4;
constexpr std::size_t kStrideMax = 12;

constexpr int kDone = 0;
constexpr int kUsage = 2;
constexpr int kWaiting = 3;
constexpr int kStoreFailed = 6;

bool is_kill(int mode) { return mode <= FAULT_TORN; }

// What happens in an undisturbed run, up to the first command that ends otherwise. Returns its exit code, 0 if
// there is none. Guards are waited for in between: whether the next command meets one must not be chance.
int play(const Sandbox& sandbox, const Scene& scene, std::vector<std::string>& violations) {
  for (const Act& act : scene.script) {
    if (act.by_hand) {
      act.by_hand(sandbox);
      continue;
    }
    const int code = sandbox.run(act.arguments, Sandbox::Faults::On);
    if (code != act.expected) return code;
    if (!wait_for_all(kEndPatience)) {
      violations.emplace_back("P20 a guard stays without a runner");
      return 0;
    }
  }
  return 0;
}

void check_exit(const Sandbox& sandbox, const Strike& strike, int code, std::vector<std::string>& violations) {
  if (is_kill(strike.mode)) {
    if (strike.point.role == FAULT_RUNNER && code != 128 + 9) {
      violations.push_back("the runner was not killed: exit " + std::to_string(code));
    }
    return;
  }
  if (code != 0 && code != kStoreFailed) violations.push_back("P7 exit " + std::to_string(code) + ", not 6");
  if (code == kStoreFailed && sandbox.map().acks_after > 0) {
    violations.emplace_back("P6 a step was reported as done after the failure");
  }
}

// Returns lines: "missed", or "hit" or "tolerated" and then the violations.
std::string strike_once(const Subject& subject, const Scene& scene, const Ending& golden, const Strike& strike) {
  const Sandbox sandbox(subject);
  scene.write(sandbox);
  FaultMap& map = sandbox.map();
  map.role = strike.point.role;
  map.at = strike.point.at;
  map.error = strike.error;
  map.mode = strike.mode;
  std::vector<std::string> violations;
  const int code = play(sandbox, scene, violations);
  if (map.fired == 0) return "missed\n";
  check_exit(sandbox, strike, code, violations);
  map.mode = FAULT_NONE;
  resume_to_the_end(sandbox, scene, violations);
  if (!wait_for_all(kEndPatience)) violations.emplace_back("P20 a process is left");
  if (sandbox.run({"verify"}) != kDone) violations.emplace_back("P5 verify finds a fault");
  const bool is_guard_gone = strike.point.role == FAULT_GUARD;
  for (std::string& line : compare(golden, read_ending(sandbox, scene), {is_guard_gone ? scene.parallel : 0})) {
    violations.push_back(std::move(line));
  }
  std::string text = code == 0 && !is_kill(strike.mode) ? "tolerated\n" : "hit\n";
  for (const std::string& line : violations) text += line + "\n";
  if (!violations.empty() && std::getenv("REPRISE_CRASH_SHOW") != nullptr) {
    for (const std::string& line : sandbox.lines("acks")) text += "    | " + line + "\n";
  }
  return text;
}

std::string_view mode_name(int mode) {
  static constexpr std::array<std::string_view, 6> kNames = {"nothing", "killed before", "killed after",
                                                             "torn",    "once",          "from then on"};
  return kNames[static_cast<std::size_t>(mode)];
}

void take(const std::string& text, const Strike& strike, Figures& figures) {
  const std::size_t end = text.find('\n');
  const std::string first = text.substr(0, end);
  ++figures.hit;
  if (first == "tolerated") ++figures.tolerated;
  if (first != "hit" && first != "tolerated") {
    figures.violations.push_back(name_of(strike) + ": " + text);
  } else if (end + 1 < text.size()) {
    figures.violations.push_back(name_of(strike) + ":\n" + text.substr(end + 1));
  } else {
    ++figures.recovered;
  }
}

}  // namespace

bool is_write(const Point& point) {
  return point.call == FAULT_WRITE || point.call == FAULT_PWRITE || point.call == FAULT_WRITEV;
}

void resume_to_the_end(const Sandbox& sandbox, const Scene& scene, std::vector<std::string>& violations) {
  for (int i = 0; i < kResumesMax; ++i) {
    const bool was_acknowledged = sandbox.has_ack(scene.run);
    const int code = sandbox.run({"resume", scene.run});
    if (code == kDone) return;
    if (code == kWaiting) {
      if (const std::string fault = scene.serve(sandbox); !fault.empty()) violations.push_back("P4 " + fault);
    } else if (code == kUsage && !was_acknowledged) {
      sandbox.run(scene.script.front().arguments);  // it was struck before it said that there is a run
    } else {
      violations.push_back("P4 resume: exit " + std::to_string(code));
      return;
    }
  }
  violations.emplace_back("P4 the end is not reached");
}

std::string name_of(const Strike& strike) {
  std::string name(role_name(strike.point.role));
  name += " " + std::to_string(strike.point.at) + " (" + strike.point.step + "): ";
  name += std::string(call_name(strike.point.call)) + " " + strike.point.file + ", ";
  if (strike.error != 0) name += std::string(strerrorname_np(strike.error)) + " ";
  return name + std::string(mode_name(strike.mode));
}

Survey survey(const Subject& subject, const Scene& scene) {
  const Sandbox sandbox(subject);
  scene.write(sandbox);
  Survey seen;
  run_jobs(1, [&](int) {
    std::vector<std::string> violations;
    play(sandbox, scene, violations);
    return std::string();
  });
  const FaultMap& map = sandbox.map();
  std::array<std::int64_t, FAULT_ROLES> next{};
  check(map.rows < FAULT_POINTS_MAX);
  for (std::int64_t row = 0; row < map.rows; ++row) {
    const FaultPoint& point = map.table[row];
    seen.points.push_back({.role = point.role,
                           .at = next[static_cast<std::size_t>(point.role)]++,
                           .call = point.call,
                           .file = point.file,
                           .step = point.step});
  }
  seen.ending = read_ending(sandbox, scene);
  return seen;
}

std::vector<Point> thin(const std::vector<Point>& points, std::size_t wanted, std::size_t shift) {
  if (points.empty() || wanted >= points.size()) return points;
  const auto is_begun = [](const Point& point) { return !point.step.empty(); };
  const auto begun = std::ranges::find_if(points, is_begun);
  const std::string first = begun == points.end() ? "" : begun->step;
  const std::string& last = points.back().step;
  const auto is_kept = [&](const Point& point) {
    return point.role == FAULT_GUARD || (is_begun(point) && (point.step == first || point.step == last));
  };
  const auto is_early = [&](const Point& point) { return !is_kept(point) && !is_begun(point); };
  const auto count_of = [&](auto which) { return static_cast<std::size_t>(std::ranges::count_if(points, which)); };
  const std::size_t sure = count_of(is_kept) + count_of(is_early) / 2;
  const std::size_t others = points.size() - count_of(is_kept) - count_of(is_early);
  const std::size_t stride = wanted > sure ? std::max<std::size_t>(1, others / (wanted - sure)) : kStrideMax;
  std::vector<Point> chosen;
  std::size_t early = shift;
  std::size_t other = shift;
  for (const Point& point : points) {
    const bool is_chosen = is_kept(point) || (is_early(point) ? early++ % 2 == 0 : other++ % stride == 0);
    if (is_chosen) chosen.push_back(point);
  }
  return chosen;
}

std::vector<Point> spread(const std::vector<Point>& points, std::size_t wanted, std::size_t shift) {
  const std::size_t stride = std::max<std::size_t>(1, points.size() / std::max<std::size_t>(1, wanted));
  std::vector<Point> chosen;
  for (std::size_t i = shift % stride; i < points.size(); i += stride) chosen.push_back(points[i]);
  return chosen;
}

Figures sweep(const std::string& title, const Subject& subject, const Scene& scene, const Survey& golden,
              const std::vector<Strike>& strikes) {
  Figures figures{.counted = static_cast<int>(strikes.size())};
  std::vector<Strike> open = strikes;
  for (int tries = 0; tries < kTriesMax && !open.empty(); ++tries) {
    if (tries > 0) figures.again += static_cast<int>(open.size());
    const std::vector<std::string> results = run_jobs(static_cast<int>(open.size()), [&](int number) {
      return strike_once(subject, scene, golden.ending, open[static_cast<std::size_t>(number)]);
    });
    std::vector<Strike> missed;
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (results[i] == "missed\n") {
        missed.push_back(open[i]);
      } else {
        take(results[i], open[i], figures);
      }
    }
    open = std::move(missed);
  }
  for (const Strike& strike : open) figures.violations.push_back(name_of(strike) + ": was not reached");
  std::printf("%s: points counted %d / hit %d / recovered %d / violations %zu (tolerated %d, tried again %d)\n",
              title.c_str(), figures.counted, figures.hit, figures.recovered, figures.violations.size(),
              figures.tolerated, figures.again);
  std::fflush(stdout);
  return figures;
}

}  // namespace reprise
