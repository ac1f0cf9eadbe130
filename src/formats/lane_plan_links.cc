#include "formats/lane_plan_links.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/strings.h"
#include "formats/lane_plan_words.h"
#include "formats/stage_order.h"

namespace reprise {
namespace {

using Numbers = std::vector<std::uint32_t>;

void sort_out(Numbers& numbers) {
  std::ranges::sort(numbers);
  const auto doubled = std::ranges::unique(numbers);
  numbers.erase(doubled.begin(), doubled.end());
}

std::string circle(const Numbers& cycle, const auto& named) {
  std::string text;
  for (const std::uint32_t each : cycle) text += printable_line(named[each].id, 80) + " -> ";
  return text + printable_line(named[cycle[0]].id, 80);
}

// A lane or a task, by its id.
struct Place {
  std::uint32_t lane = 0;
  std::uint32_t task = 0;
};

// Looks everything up that a plan's lanes and tasks name.
class LaneLinker {
 public:
  LaneLinker(PhasePlan& plan, Problems& problems) : plan_(plan), problems_(problems), needs_(plan.lanes.size()) {
    for (std::uint32_t i = 0; i < plan.lanes.size(); ++i) {
      const PlanLane& lane = plan.lanes[i];
      lanes_.try_emplace(lane.id, i);
      for (std::uint32_t k = 0; k < lane.tasks.size(); ++k) tasks_.try_emplace(lane.tasks[k].id, Place{i, k});
    }
    for (const PhaseGate& gate : plan.gates) {
      const auto [known, is_new] = ticked_.try_emplace(gate.id, gate.checked);
      known->second = known->second && gate.checked;  // listed twice: both must be ticked
    }
    for (std::uint32_t i = 0; i < plan.lanes.size(); ++i) {
      for (const std::string& gate : plan.lanes[i].provides) providers_[gate].insert(i);
      for (const std::string& blocked : plan.lanes[i].blocks) add_blocked(i, blocked);
    }
  }

  void link(std::uint32_t index, const LaneNeeds& written) {
    PlanLane& lane = plan_.lanes[index];
    for (const std::string& id : written.lane.ids) add_need(index, id, written.lane.line, true);
    std::vector<Numbers> tasks(lane.tasks.size());
    for (std::uint32_t k = 0; k < lane.tasks.size(); ++k) {
      for (const std::string& id : written.tasks[k].ids) {
        const auto task = tasks_.find(id);
        if (task != tasks_.end() && task->second.lane == index) {
          tasks[k].push_back(task->second.task);
        } else {
          add_need(index, id, written.tasks[k].line, false);
        }
      }
    }
    link_tasks(lane, std::move(tasks));
  }

  // When every lane was linked: gates become lanes, and lanes must not wait in a circle.
  void finish() {
    for (std::uint32_t i = 0; i < plan_.lanes.size(); ++i) {
      for (const std::string& gate : plan_.lanes[i].gates) add_gate(i, gate);
    }
    std::vector<Numbers> edges;
    for (const std::set<std::uint32_t>& needs : needs_) edges.emplace_back(needs.begin(), needs.end());
    for (std::uint32_t i = 0; i < plan_.lanes.size(); ++i) {
      for (const std::uint32_t need : edges[i]) plan_.lanes[i].needs.push_back(plan_.lanes[need].id);
    }
    const StageOrder order(std::move(edges));
    for (const Numbers& cycle : order.cycles()) {
      problems_.add(plan_.lanes[cycle[0]].line, 1,
                    "lanes that wait for one another: " + circle(cycle, plan_.lanes));
    }
  }

 private:
  // What a lane blocks waits for it; a gate that it blocks is one that it provides.
  void add_blocked(std::uint32_t index, const std::string& blocked) {
    const auto lane = lanes_.find(blocked);
    if (lane != lanes_.end()) needs_[lane->second].insert(index);
    if (is_gate_id(blocked)) blockers_[blocked].insert(index);
  }

  void add_need(std::uint32_t index, const std::string& id, int line, bool of_lane) {
    PlanLane& lane = plan_.lanes[index];
    if (is_gate_id(id)) {
      if (waited_for_.emplace(index, id).second) lane.gates.push_back(id);
      return;
    }
    const auto other = lanes_.find(id);
    const auto task = tasks_.find(id);
    if (other != lanes_.end()) {
      if (of_lane) lane.depends_on.push_back(id);
      if (of_lane || other->second != index) needs_[index].insert(other->second);
    } else if (task != tasks_.end()) {
      needs_[index].insert(task->second.lane);
    } else {
      problems_.add(
          line, 1,
          "depends on " + quoted(id) + ", which is no lane" + (of_lane ? "" : ", task") + " or gate of this plan");
    }
  }

  void add_gate(std::uint32_t index, const std::string& gate) {
    const auto known = ticked_.find(gate);
    if (known != ticked_.end() && known->second) return;
    const std::set<std::uint32_t> from = providers_of(gate);
    if (from.contains(index)) return;  // it makes the gate itself
    if (from.empty()) plan_.lanes[index].open_gates.push_back(gate);
    needs_[index].insert(from.begin(), from.end());
  }

  std::set<std::uint32_t> providers_of(const std::string& gate) const {
    for (const auto* known : {&providers_, &blockers_}) {
      const auto found = known->find(gate);
      if (found != known->end()) return found->second;
    }
    // "IF-1-P1-SETUP": what stands behind the phase is a lane's name, with or without "SL-".
    const std::string phase = "-" + plan_.phase + "-";
    const std::size_t at = gate.find(phase, 2);
    if (at == std::string::npos) return {};
    const std::string name = gate.substr(at + phase.size());
    for (const std::string& id : {"SL-" + name, name}) {
      if (const auto lane = lanes_.find(id); lane != lanes_.end()) return {lane->second};
    }
    return {};
  }

  // A task that says nothing comes after the one before it, unless that one waits for something further down.
  void link_tasks(PlanLane& lane, std::vector<Numbers> tasks) {
    std::uint32_t furthest = 0;
    for (std::uint32_t k = 0; k < tasks.size(); ++k) {
      if (tasks[k].empty() && k > 0 && furthest < k) tasks[k].push_back(k - 1);
      sort_out(tasks[k]);
      for (const std::uint32_t need : tasks[k]) {
        furthest = std::max(furthest, need);
        lane.tasks[k].needs.push_back(lane.tasks[need].id);
      }
    }
    const StageOrder order(std::move(tasks));
    for (const Numbers& cycle : order.cycles()) {
      problems_.add(lane.tasks[cycle[0]].line, 1, "tasks that wait for one another: " + circle(cycle, lane.tasks));
    }
  }

  PhasePlan& plan_;
  Problems& problems_;
  std::map<std::string, std::uint32_t, std::less<>> lanes_;
  std::map<std::string, Place, std::less<>> tasks_;
  std::map<std::string, bool, std::less<>> ticked_;
  std::map<std::string, std::set<std::uint32_t>, std::less<>> providers_;
  std::map<std::string, std::set<std::uint32_t>, std::less<>> blockers_;
  std::set<std::pair<std::uint32_t, std::string>> waited_for_;  // lane and gate
  std::vector<std::set<std::uint32_t>> needs_;
};

}  // namespace

void link_lanes(PhasePlan& plan, const std::vector<LaneNeeds>& needs, Problems& problems) {
  LaneLinker linker(plan, problems);
  for (std::uint32_t i = 0; i < plan.lanes.size(); ++i) linker.link(i, needs[i]);
  linker.finish();
}

}  // namespace reprise
