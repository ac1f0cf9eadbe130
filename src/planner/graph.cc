#include "planner/graph.h"

#include <algorithm>

#include "base/check.h"
#include "base/strings.h"
#include "model/limits.h"

namespace reprise {
namespace {

std::string interpolate_in(const ValueScope& scope, std::string_view text) {
  return interpolate(text, [&](std::string_view name) -> std::optional<std::string> {
    const std::string* found = scope.find(name);
    return found == nullptr ? std::nullopt : std::optional(*found);
  });
}

// An item list is written out, or is one value that holds it. An item that is named twice counts once.
std::vector<std::string> items_of(const Each& each, const ValueScope& scope) {
  std::vector<std::string> items;
  std::unordered_set<std::string> known;
  const auto add = [&](std::string_view item) {
    if (!item.empty() && known.emplace(item).second) items.emplace_back(item);
  };
  for (const std::string& entry : each.in) {
    const std::string text = interpolate_in(scope, entry);
    if (each.in.size() > 1 || text == entry) {
      add(text);
      continue;
    }
    std::string spaced = text;
    for (char& c : spaced) c = c == ',' || c == '\n' || c == '\t' ? ' ' : c;
    for (const std::string_view part : split(spaced, ' ')) add(part);
  }
  return items;
}

// Takes out the needs that close a circle, so that every stage can have its turn.
void drop_cycles(std::vector<Stage>& stages) {
  enum class Mark : std::uint8_t { New, Open, Closed };
  std::unordered_map<std::string_view, std::size_t> place;
  for (std::size_t i = 0; i < stages.size(); ++i) place.emplace(stages[i].name, i);
  std::vector<Mark> marks(stages.size(), Mark::New);
  std::vector<std::pair<std::size_t, std::size_t>> stack;  // a stage, and the next of its needs
  for (std::size_t start = 0; start < stages.size(); ++start) {
    if (marks[start] == Mark::New) stack.emplace_back(start, 0);
    while (!stack.empty()) {
      auto& [at, next] = stack.back();
      marks[at] = Mark::Open;
      std::vector<std::string>& needs = stages[at].needs;
      if (next == needs.size()) {
        marks[at] = Mark::Closed;
        stack.pop_back();
      } else if (const std::size_t need = place.at(needs[next]); marks[need] == Mark::Open) {
        needs.erase(needs.begin() + static_cast<std::ptrdiff_t>(next));
      } else {
        ++next;
        if (marks[need] == Mark::New) stack.emplace_back(need, 0);
      }
    }
  }
}

std::string below(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : path + "/" + std::string(name);
}

}  // namespace

Graph::Graph(const Workflow& workflow, const RunState& state)
    : workflow_(workflow), state_(state), by_path_(0, PathHash{this}, PathEqual{this}) {
  nodes_.reserve(workflow.stages.size() + 1);
  by_path_.reserve(workflow.stages.size() + 1);
  count_from_ = state.status == RunStatus::Failed ? state.last : state.reopened_event;
  Values of_run = state.values;
  of_run.emplace("subject", state.subject);
  of_run.emplace("run", state.id.text);
  const auto values = std::make_shared<const ValueScope>(nullptr, std::move(of_run));
  const int root = add_node(root_, Kind::Block, {"", -1, values, 0});
  expand_children(root, workflow_.stages, {"", root, values, 0});
}

// ---- building

int Graph::add_node(const Stage& stage, Kind kind, Place place) {
  const int index = size();
  Node node;
  node.path = StepPath{std::move(place.path)};
  node.stage = &stage;
  node.values = std::move(place.values);
  node.parent = place.parent;
  node.iteration = place.iteration;
  node.kind = kind;
  node.lane = lane_for(stage, kind, node.parent, index);
  nodes_.push_back(std::move(node));
  by_path_.insert(index);
  if (is_leaf(index)) ++leaf_count_;
  return index;
}

// Every item of an each has a lane of its own; the rounds of a repeat share one.
int Graph::lane_for(const Stage& stage, Kind kind, int parent, int index) const {
  const int above = parent < 0 ? -1 : node(parent).lane;
  if (!stage.lane || kind == Kind::Each) return above;
  const bool is_same = node(parent).stage == &stage && node(parent).kind != Kind::Each;
  return is_same ? above : index;
}

// A stage is what it does, wrapped in its repeat, wrapped in its each.
int Graph::expand(const Stage& stage, Place place) {
  if (!stage.each) return expand_repeat(stage, std::move(place));
  const std::vector<std::string> items = items_of(*stage.each, *place.values);
  const Place outer = place;
  const int index = add_node(stage, Kind::Each, std::move(place));
  if (!stage.each->tasks.empty()) {
    for (const auto& [id, task] : state_.tasks) add_task(index, id, task);
    link_tasks(index);
    task_lists_.push_back(index);
  }
  for (const std::string& item : items) {
    const auto values = std::make_shared<const ValueScope>(outer.values, Values{{stage.each->as, item}});
    const int child =
        expand_repeat(stage, {below(outer.path, path_component(item)), index, values, outer.iteration});
    at(index).children.push_back(child);
  }
  return index;
}

int Graph::expand_repeat(const Stage& stage, Place place) {
  if (!stage.repeat) return expand_body(stage, std::move(place));
  const int index = add_node(stage, Kind::Repeat, std::move(place));
  const int recorded = recorded_rounds(node(index).path.text);
  for (int round = 0; round < std::max(1, recorded); ++round) add_iteration(index);
  return index;
}

// Rounds that something was recorded of are there from the start: an attempt of one may be open.
int Graph::recorded_rounds(const std::string& repeat) {
  if (!rounds_) {
    rounds_.emplace();
    const auto note = [&](const std::string& path) {
      for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
        const std::string_view part = std::string_view(path).substr(slash + 1);
        const std::optional<long long> number = parse_number(part.substr(0, part.find('/')), kIterationsMax);
        if (!number) continue;
        int& rounds = (*rounds_)[path.substr(0, slash)];
        rounds = std::max(rounds, static_cast<int>(*number));
      }
    };
    for (const auto& [path, step] : state_.steps) note(path.text);
    for (const auto& [path, gate] : state_.gates) note(path.text);
  }
  const auto found = rounds_->find(repeat);
  return found == rounds_->end() ? 0 : found->second;
}

int Graph::expand_body(const Stage& stage, Place place) {
  if (!stage.is_block()) return add_node(stage, stage.gate ? Kind::Gate : Kind::Step, std::move(place));
  if (!stage.uses.empty()) {
    // A used workflow sees its own inputs and nothing of its surroundings but who it runs for.
    Values values;
    for (const char* name : {"subject", "run", "iteration"}) {
      if (const std::string* found = place.values->find(name)) values.emplace(name, *found);
    }
    for (const auto& [name, text] : stage.with) values[name] = interpolate_in(*place.values, text);
    place.values = std::make_shared<const ValueScope>(nullptr, std::move(values));
  }
  Place inner = place;
  const int index = add_node(stage, Kind::Block, std::move(place));
  inner.parent = index;
  expand_children(index, stage.stages, inner);
  return index;
}

void Graph::expand_children(int parent, const std::vector<Stage>& stages, const Place& place) {
  std::vector<int> made;
  made.reserve(stages.size());
  for (const Stage& stage : stages) {
    made.push_back(expand(stage, {below(place.path, stage.name), parent, place.values, place.iteration}));
    if (!stage.when.empty()) conditional_[parent].push_back(made.back());
  }
  link(stages, made);
  at(parent).children = std::move(made);
}

void Graph::link(const std::vector<Stage>& stages, const std::vector<int>& made) {
  std::unordered_map<std::string_view, int> by_name;
  by_name.reserve(stages.size());
  for (std::size_t i = 0; i < stages.size(); ++i) by_name.emplace(stages[i].name, made[i]);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    at(made[i]).needs_at = static_cast<int>(edges_.size());
    at(made[i]).needs_count = static_cast<int>(stages[i].needs.size());
    for (const std::string& need : stages[i].needs) {
      const auto found = by_name.find(need);
      check(found != by_name.end());  // the loader refuses unknown needs
      edges_.push_back(found->second);
      ++at(found->second).dependents_count;
    }
  }
  link_dependents(made);
}

// The same edges seen from the other end, in the order of the definition.
void Graph::link_dependents(const std::vector<int>& made) {
  int end = static_cast<int>(edges_.size());
  for (const int index : made) {
    at(index).dependents_at = end;
    end += std::exchange(at(index).dependents_count, 0);
  }
  edges_.resize(static_cast<std::size_t>(end));
  for (const int index : made) {
    for (const int need : needs(index)) {
      Node& before = at(need);
      const int place = before.dependents_at + before.dependents_count++;
      edges_[static_cast<std::size_t>(place)] = index;
    }
  }
}

void Graph::add_iteration(int repeat) {
  const int number = static_cast<int>(node(repeat).children.size()) + 1;
  const auto values =
      std::make_shared<const ValueScope>(node(repeat).values, Values{{"iteration", std::to_string(number)}});
  const int child = expand_body(*node(repeat).stage,
                                {below(node(repeat).path.text, std::to_string(number)), repeat, values, number});
  at(repeat).children.push_back(child);
}

// A task that is there already stays as it is: what changed of it reaches its next attempt through the state.
void Graph::add_task(int each, const std::string& id, const TaskState& task) {
  const Stage& stage = *node(each).stage;
  if (task.phase != stage.each->tasks) return;
  std::string path = below(node(each).path.text, path_component(id));
  if (by_path_.contains(path)) return;
  const std::string& name = stage.each->as;
  Values values{{name, id},
                {name + std::string(kTaskValues[0]), task.subject.substr(0, kTaskValueBytesMax)},
                {name + std::string(kTaskValues[1]), task.description.substr(0, kTaskValueBytesMax)}};
  auto scope = std::make_shared<const ValueScope>(node(each).values, std::move(values));
  const int child = expand_repeat(stage, {std::move(path), each, std::move(scope), node(each).iteration});
  at(each).children.push_back(child);
}

// A task comes after those of its phase that block it; one that is no longer on the list is finished. Tasks that
// wait for one another are let go in the order of the list: that they do is for the plan to say.
void Graph::link_tasks(int each) {
  std::unordered_map<std::string_view, std::size_t> place;
  const std::vector<int>& items = node(each).children;
  std::vector<Stage> order(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    order[i].name = item_name(items[i]);
    place.emplace(order[i].name, i);
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto task = state_.tasks.find(order[i].name);
    if (task == state_.tasks.end()) continue;
    for (const std::string& blocker : task->second.blocked_by) {
      if (place.contains(blocker) && blocker != order[i].name) order[i].needs.push_back(blocker);
    }
  }
  drop_cycles(order);
  for (const int item : items) at(item).dependents_count = 0;  // they may have been linked before
  link(order, items);
  for (const int item : items) {
    const auto is_open = [&](int need) { return node(need).status != Status::Done; };
    at(item).needs_left = static_cast<int>(std::ranges::count_if(needs(item), is_open));
  }
}

// The value that an item of an each stands for.
const std::string& Graph::item_name(int item) const {
  const std::string* name = node(item).values->find(node(node(item).parent).stage->each->as);
  check(name != nullptr);
  return *name;
}

const TaskState* Graph::task_of(int leaf, const RunState& state) const {
  for (int item = item_of(leaf); item > 0; item = item_of(node(item).parent)) {
    const Node& each = node(node(item).parent);
    if (each.stage->each->tasks.empty()) continue;
    const auto task = state.tasks.find(item_name(item));
    return task == state.tasks.end() ? nullptr : &task->second;
  }
  return nullptr;
}

bool Graph::take_in_tasks() {
  const int first = size();
  for (const int each : task_lists_) {
    const std::size_t before = node(each).children.size();
    for (const auto& [id, task] : state_.tasks) add_task(each, id, task);
    if (node(each).children.size() == before) continue;
    at(each).children_left += static_cast<int>(node(each).children.size() - before);
  }
  make_walkable(first);
  if (size() == first) return false;
  for (const int each : task_lists_) link_tasks(each);
  return true;
}

// Nodes that are made during a walk take part in it.
void Graph::make_walkable(int first) {
  for (int i = first; i < size(); ++i) {
    at(i).needs_left = node(i).needs_count;
    at(i).children_left = node(i).kind == Kind::Repeat ? 1 : static_cast<int>(node(i).children.size());
  }
}

// ---- looking

std::string Graph::verdict_of(int index) const {
  std::string verdict;
  for (const int leaf : leaves_below(index)) {
    const StepState* step = record(leaf);
    if (step != nullptr && step->record == StepState::Record::Done && !step->verdict.empty())
      verdict = step->verdict;
  }
  return verdict;
}

// Returns the leaf of a round that gave the verdict which ends the loop, -1 if none did.
int Graph::verdict_giver(int iteration, const Repeat& rule) const {
  for (const int leaf : leaves_below(iteration)) {
    const StepState* step = record(leaf);
    if (step != nullptr && step->record == StepState::Record::Done && rule.is_ended_by(*step->verdict))
      return leaf;
  }
  return -1;
}

// Whether the verdict stands on something at or below `index`: what is done or runs, and what the giver
// needs. The rest of a round is no longer asked for once its verdict is there.
bool Graph::has_part_in(int index, int giver) const {
  const std::vector<int> before = upstream_leaves(giver);
  return std::ranges::any_of(leaves_below(index), [&](int leaf) {
    const StepState* step = record(leaf);
    const bool runs_or_ran =
        step != nullptr && (step->record == StepState::Record::Done || step->record == StepState::Record::Open);
    return runs_or_ran || std::ranges::find(before, leaf) != before.end();
  });
}

// Where gaps are looked for, the gaps alone tell whether a round brought anything.
std::string Graph::gaps_found(std::span<const int> leaves) const {
  std::string found;
  for (const int leaf : leaves) {
    const StepState* step = node(leaf).stage->finds_gaps ? record(leaf) : nullptr;
    if (step != nullptr && (step->attempts > 0 || !step->result.empty()))
      found = "gaps\n" + open_gaps(*step->result);
  }
  return found;
}

// What the first round is compared with: the gaps that led into the loop, if any did.
std::string Graph::fingerprint_before(int repeat) const {
  std::string found;
  for (const int need : needs(repeat)) {
    if (std::string gaps = gaps_found(leaves_below(need)); !gaps.empty()) found = std::move(gaps);
  }
  return found;
}

int Graph::stalled_before(int repeat) const {
  int stalled = 0;
  for (const int need : needs(repeat)) stalled = stalled_elsewhere(leaves_below(need)).value_or(stalled);
  return stalled;
}

// What another program found cannot be compared with itself: only how long nothing new was found is known of it.
std::optional<int> Graph::stalled_elsewhere(std::span<const int> leaves) const {
  for (const int leaf : leaves) {
    const StepState* step = node(leaf).stage->finds_gaps ? record(leaf) : nullptr;
    if (step == nullptr || step->attempts > 0) continue;
    if (step->stalled > 0) return step->stalled;
    if (step->result.empty()) return 0;
  }
  return std::nullopt;
}

std::string Graph::fingerprint_of(int iteration) const {
  const std::vector<int> leaves = leaves_below(iteration);
  if (std::string gaps = gaps_found(leaves); !gaps.empty()) return gaps;
  std::string print;
  for (const int leaf : leaves) {
    const StepState* step = record(leaf);
    if (step == nullptr) continue;
    print += node(leaf).stage->name + '\n' + *step->verdict + '\n' + *step->result + '\n';
    for (const SeenFile& file : step->artifacts) print += file.path + ' ' + file.digest + '\n';
  }
  return print;
}

// A round that nothing was recorded of counts: it was gone through without anything to do.
bool Graph::was_over_before_reopening(int iteration) const {
  bool before = false;
  for (const int leaf : leaves_below(iteration)) {
    const StepState* step = record(leaf);
    if (step == nullptr || step->checked_event.value == 0) continue;
    if (step->checked_event > count_from_) return false;
    before = true;
  }
  return before;
}

// The node of another stage of the same block.
std::optional<int> Graph::find_sibling(int index, std::string_view stage) const {
  const Node& parent = node(node(index).parent);
  return find(StepPath{below(parent.path.text, stage)});
}

int Graph::item_of(int index) const {
  for (int above = index; above > 0; above = node(above).parent) {
    if (node(node(above).parent).kind == Kind::Each) return above;
  }
  return -1;
}

bool Graph::is_in_failed_item(int leaf) const {
  for (int item = item_of(leaf); item > 0; item = item_of(node(item).parent)) {
    if (node(item).item_failed) return true;
  }
  return false;
}

void Graph::count_active(int leaf, int change) {
  if (node(leaf).counted == (change > 0)) return;
  at(leaf).counted = change > 0;
  for (int above = leaf; above >= 0; above = node(above).parent) at(above).active_leaves += change;
}

// What a failed item still had running may have been the last of it.
void Graph::release_if_failed(int item) {
  if (item < 0) return;
  const auto is_in_item = [&](int failed) { return item_of(failed) == item; };
  if (node(item).item_failed || std::ranges::any_of(failed_, is_in_item)) release_item(item);
}

// A failed item gives its place to the next one once nothing of it runs any more.
void Graph::release_item(int item) {
  if (item < 0) return;
  at(item).item_failed = true;
  if (node(item).active_leaves > 0 || node(item).item_released) return;
  at(item).item_released = true;
  --at(node(item).parent).going_items;
  let_items_go(node(item).parent);
}

std::vector<int> Graph::leaves_below(int index) const {
  std::vector<int> found;
  std::vector<int> stack = {index};
  while (!stack.empty()) {
    const int next = stack.back();
    stack.pop_back();
    if (is_leaf(next)) {
      found.push_back(next);
    } else {
      stack.insert(stack.end(), node(next).children.rbegin(), node(next).children.rend());
    }
  }
  return found;
}

std::vector<int> Graph::leaves() const { return leaves_below(0); }

std::optional<int> Graph::find(const StepPath& path) const {
  const auto found = by_path_.find(std::string_view(path.text));
  return found == by_path_.end() ? std::nullopt : std::optional(*found);
}

std::vector<int> Graph::upstream_leaves(int leaf) const {
  std::vector<int> found;
  for (int above = leaf; above >= 0; above = node(above).parent) {
    for (const int need : needs(above)) {
      const std::vector<int> below = leaves_below(need);
      found.insert(found.end(), below.begin(), below.end());
    }
    if (above == 0 || node(node(above).parent).kind != Kind::Repeat) continue;
    for (const int round : node(node(above).parent).children) {
      if (round == above) break;
      const std::vector<int> below = leaves_below(round);
      found.insert(found.end(), below.begin(), below.end());
    }
  }
  return found;
}

std::vector<int> Graph::downstream_leaves(int index) const {
  const std::set<int> found = leaves_after(index, Rounds::Later);
  return {found.begin(), found.end()};
}

std::vector<int> Graph::leaves_behind(int index) const {
  std::set<int> found = leaves_after(index, Rounds::Same);
  for (const int leaf : leaves_below(index)) found.erase(leaf);
  return {found.begin(), found.end()};
}

std::set<int> Graph::leaves_after(int index, Rounds rounds) const {
  std::set<int> seen;
  std::vector<int> stack = {index};
  std::set<int> found;
  while (!stack.empty()) {
    const int next = stack.back();
    stack.pop_back();
    if (!seen.insert(next).second) continue;
    for (const int leaf : leaves_below(next)) found.insert(leaf);
    for (int above = next; above > 0; above = node(above).parent) {
      const std::span<const int> later = dependents(above);
      stack.insert(stack.end(), later.begin(), later.end());
      // A later round of a loop depends on the earlier ones.
      const Node& parent = node(node(above).parent);
      if (parent.kind == Kind::Repeat && rounds == Rounds::Later) {
        for (const int round : parent.children) {
          if (node(round).iteration > node(above).iteration) stack.push_back(round);
        }
      }
    }
  }
  return found;
}

std::string Graph::resolve(int index, std::string_view text) const {
  return interpolate_in(*node(index).values, text);
}

const LaneState* Graph::lane_of(int index) const {
  const int lane = node(index).lane;
  if (lane < 0) return nullptr;
  const auto found = state_.lanes.find(node(lane).path);
  return found == state_.lanes.end() ? nullptr : &found->second;
}

std::string Graph::lane_name(int index) const {
  const int lane = node(index).lane;
  if (lane < 0) return "";
  if (const LaneState* known = lane_of(index)) return known->name;
  const std::string& name = node(lane).stage->lane->name;
  return name.empty() ? node(lane).path.text : resolve(lane, name);
}

std::string Graph::resolve_path(int index, std::string_view text) const {
  std::string path = resolve(index, text);
  const LaneState* lane = lane_of(index);
  if (lane == nullptr || path.starts_with('/')) return path;
  return lane->folder + "/" + path;
}

}  // namespace reprise
