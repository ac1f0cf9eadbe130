#include "planner/graph.h"

#include <algorithm>

#include "base/check.h"
#include "base/strings.h"
#include "model/limits.h"

namespace reprise {
namespace {

// An item list is written out, or is one value that holds it.
std::vector<std::string> items_of(const Each& each, const Values& values) {
  const auto lookup = [&](std::string_view name) -> std::optional<std::string> {
    const auto found = values.find(std::string(name));
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
  std::vector<std::string> items;
  const auto add = [&](std::string_view item) {
    if (!item.empty() && std::ranges::find(items, item) == items.end()) items.emplace_back(item);
  };
  for (const std::string& entry : each.in) {
    const std::string text = interpolate(entry, lookup);
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

std::string below(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : path + "/" + std::string(name);
}

}  // namespace

Graph::Graph(const Workflow& workflow, const RunState& state) : workflow_(workflow), state_(state) {
  count_from_ = state.status == RunStatus::Failed ? state.last : state.reopened_event;
  auto values = std::make_shared<Values>(state.values);
  values->emplace("subject", state.subject);
  values->emplace("run", state.id.text);
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
  by_path_.emplace(node.path, index);
  nodes_.push_back(std::move(node));
  if (is_leaf(index)) ++leaf_count_;
  return index;
}

// A stage is what it does, wrapped in its repeat, wrapped in its each.
int Graph::expand(const Stage& stage, Place place) {
  if (!stage.each) return expand_repeat(stage, std::move(place));
  const std::vector<std::string> items = items_of(*stage.each, *place.values);
  const Place outer = place;
  const int index = add_node(stage, Kind::Each, std::move(place));
  for (const std::string& item : items) {
    auto values = std::make_shared<Values>(*outer.values);
    (*values)[stage.each->as] = item;
    const int child = expand_repeat(stage, {below(outer.path, path_component(item)), index, values, outer.iteration});
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
    auto values = std::make_shared<Values>();
    for (const char* name : {"subject", "run", "iteration"}) {
      const auto found = place.values->find(name);
      if (found != place.values->end()) values->insert(*found);
    }
    const auto lookup = [&](std::string_view name) -> std::optional<std::string> {
      const auto found = place.values->find(std::string(name));
      return found == place.values->end() ? std::nullopt : std::optional(found->second);
    };
    for (const auto& [name, text] : stage.with) (*values)[name] = interpolate(text, lookup);
    place.values = values;
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
  }
  link(stages, made);
  at(parent).children = std::move(made);
}

void Graph::link(const std::vector<Stage>& stages, const std::vector<int>& made) {
  std::unordered_map<std::string_view, int> by_name;
  for (std::size_t i = 0; i < stages.size(); ++i) by_name.emplace(stages[i].name, made[i]);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    for (const std::string& need : stages[i].needs) {
      const auto found = by_name.find(need);
      check(found != by_name.end());  // the loader refuses unknown needs
      at(found->second).dependents.push_back(made[i]);
      at(made[i]).needs.push_back(found->second);
    }
  }
}

void Graph::add_iteration(int repeat) {
  const int number = static_cast<int>(node(repeat).children.size()) + 1;
  auto values = std::make_shared<Values>(*node(repeat).values);
  (*values)["iteration"] = std::to_string(number);
  const int child = expand_body(*node(repeat).stage,
                                {below(node(repeat).path.text, std::to_string(number)), repeat, values, number});
  at(repeat).children.push_back(child);
}

// ---- walking

void Graph::reset_walk() {
  for (Node& node : nodes_) {
    node.status = Status::Waiting;
    node.enabled = node.upstream_moving = node.moving = node.not_needed = node.kept = false;
    node.item_failed = node.item_released = false;
    node.changed = node.upstream_changed = {};
    node.completion_owed = node.wants_place = false;
    node.reached = node.counted = node.settled_early = node.running_below = false;
    node.needs_left = static_cast<int>(node.needs.size());
    node.children_left = static_cast<int>(node.children.size());
    node.next_child = node.going_items = node.active_leaves = 0;
    // Iterations are let go one after the other, however many there are already.
    if (node.kind == Kind::Repeat) node.children_left = 1;
  }
  ready_.clear();
  failed_.clear();
  work_.clear();
  done_leaf_count_ = 0;
}

void Graph::survey(const Visit& visit) {
  reset_walk();
  visit_ = &visit;
  enable(0);
  run_walk();
  visit_ = nullptr;
}

void Graph::begin(const std::function<bool(int)>& is_kept, const std::vector<int>& running) {
  reset_walk();
  is_kept_ = is_kept;
  for (const int leaf : running) {
    for (int above = leaf; above > 0; above = node(above).parent) at(above).running_below = true;
    count_active(leaf, 1);
  }
  enable(0);
  run_walk();
}

void Graph::run_walk() {
  while (!work_.empty()) {
    const int index = work_.back();
    work_.pop_back();
    activate(index);
  }
}

void Graph::enable(int index) {
  at(index).enabled = true;
  if (node(index).needs_left == 0) work_.push_back(index);
}

void Graph::activate(int index) {
  if (node(index).status != Status::Waiting) return;
  const int parent = node(index).parent;
  if (visit_ != nullptr && parent >= 0) {
    bool moving = node(parent).upstream_moving;
    EventNumber changed = node(parent).upstream_changed;
    for (const int need : node(index).needs) {
      moving = moving || node(need).moving;
      changed = std::max(changed, node(need).changed);
    }
    at(index).upstream_moving = at(index).moving = moving;
    at(index).upstream_changed = changed;
  }
  if (!is_wanted(index)) {
    at(index).not_needed = true;
    complete(index);
    return;
  }
  at(index).status = Status::Active;
  switch (node(index).kind) {
    case Kind::Step:
    case Kind::Gate: activate_leaf(index); return;
    case Kind::Block: {
      if (node(index).children.empty()) {
        complete(index);
        return;
      }
      const std::vector<int> children = node(index).children;
      // The work list is a stack: the last one pushed is the first one taken.
      for (auto child = children.rbegin(); child != children.rend(); ++child) enable(*child);
      return;
    }
    case Kind::Each:
      if (node(index).children.empty()) {
        complete(index);
      } else {
        let_items_go(index);
      }
      return;
    case Kind::Repeat:
      at(index).next_child = 1;
      enable(node(index).children.front());
      return;
  }
}

void Graph::activate_leaf(int index) {
  at(index).reached = true;
  if (visit_ != nullptr) {
    at(index).moving = (*visit_)(index, node(index).upstream_moving);
    const StepState* step = state_.find_step(node(index).path);
    if (step != nullptr && step->record == StepState::Record::Done) at(index).changed = step->changed_event;
    complete(index);
  } else if (is_kept_(index)) {
    at(index).kept = true;
    complete(index);
  } else if (node(index).settled_early) {
    complete(index);
  } else if (node(index).counted) {
    at(index).status = Status::Active;  // its worker runs since before its turn came
  } else {
    at(index).status = Status::Ready;
    ready_.insert(index);
  }
}

void Graph::let_items_go(int each) {
  if (node(each).status != Status::Active) return;
  const int limit = visit_ != nullptr ? 0 : node(each).stage->each->parallel;
  std::vector<int> let_go;
  while (limit == 0 || node(each).going_items < limit) {
    if (give_place_back(each)) continue;
    const std::optional<int> item = next_item(each);
    if (!item) break;
    ++at(each).going_items;
    at(*item).enabled = true;
    let_go.push_back(*item);
  }
  for (auto item = let_go.rbegin(); item != let_go.rend(); ++item) enable(*item);
}

// A failed item that is to be tried again comes before one that has not begun.
bool Graph::give_place_back(int each) {
  if (!node(each).wants_place) return false;
  const auto item = std::ranges::find_if(node(each).children, [&](int child) { return node(child).wants_place; });
  at(each).wants_place = item != node(each).children.end();
  if (node(each).wants_place) give_place(*item);
  return node(each).wants_place;
}

// Items in which something runs already come first: they take a place whether they are given one or not.
std::optional<int> Graph::next_item(int each) {
  const std::vector<int>& items = node(each).children;
  if (node(each).running_below) {
    const auto running = std::ranges::find_if(items, [&](int item) { return node(item).running_below && !node(item).enabled; });
    if (running != items.end()) return *running;
  }
  int& next = at(each).next_child;
  while (next < static_cast<int>(items.size()) && node(items[static_cast<std::size_t>(next)]).enabled) ++next;
  return next < static_cast<int>(items.size()) ? std::optional(items[static_cast<std::size_t>(next)]) : std::nullopt;
}

std::optional<int> Graph::take_ready() {
  for (auto entry = ready_.begin(); entry != ready_.end();) {
    const int leaf = *entry;
    entry = ready_.erase(entry);
    if (!is_wanted(leaf)) {  // its loop was satisfied meanwhile
      at(leaf).not_needed = true;
      complete(leaf);
      run_walk();
      entry = ready_.begin();
      continue;
    }
    if (is_in_failed_item(leaf)) {
      at(leaf).status = Status::Waiting;
      continue;
    }
    at(leaf).status = Status::Active;
    count_active(leaf, 1);
    return leaf;
  }
  return std::nullopt;
}

void Graph::worker_ended(int leaf) {
  if (node(leaf).reached) return;
  count_active(leaf, -1);
  complete_owed(leaf);
  release_if_failed(item_of(leaf));
  run_walk();
}

void Graph::settle(int leaf) {
  check(is_leaf(leaf));
  if (node(leaf).status == Status::Done) return;
  if (!node(leaf).reached) {
    at(leaf).settled_early = true;
    return;
  }
  const bool had_failed = node(leaf).status == Status::Failed;
  if (node(leaf).status == Status::Active) count_active(leaf, -1);
  ready_.erase(leaf);
  std::erase(failed_, leaf);
  if (had_failed) revive_items(leaf);
  complete(leaf);
  complete_owed(leaf);
  release_if_failed(item_of(leaf));
  run_walk();
}

void Graph::fail(int leaf) {
  check(is_leaf(leaf));
  if (!node(leaf).reached) return;
  if (node(leaf).status == Status::Active) count_active(leaf, -1);
  at(leaf).status = Status::Failed;
  ready_.erase(leaf);
  failed_.push_back(leaf);
  complete_owed(leaf);
  release_item(item_of(leaf));
  run_walk();
}

void Graph::reopen(int leaf) {
  check(is_leaf(leaf));
  at(leaf).settled_early = false;
  if (!node(leaf).reached) return;
  if (node(leaf).status == Status::Active) count_active(leaf, -1);
  std::erase(failed_, leaf);
  revive_items(leaf);
  at(leaf).status = Status::Ready;
  ready_.insert(leaf);
  run_walk();
}

void Graph::revive_items(int leaf) {
  for (int item = item_of(leaf); item > 0; item = item_of(node(item).parent)) revive_item(item);
}

// An item goes on: it takes its place again, as soon as there is one.
void Graph::revive_item(int item) {
  if (!node(item).item_failed) return;
  const int each = node(item).parent;
  const int limit = node(each).stage->each->parallel;
  if (node(item).item_released && limit > 0 && node(each).going_items >= limit) {
    at(item).wants_place = at(each).wants_place = true;
  } else {
    give_place(item);
  }
}

// What the failure of an item held back may start.
void Graph::give_place(int item) {
  at(item).item_failed = at(item).wants_place = false;
  if (node(item).item_released) {
    at(item).item_released = false;
    ++at(node(item).parent).going_items;
  }
  for (const int below : leaves_below(item)) {
    const Node& held = node(below);
    if (held.status == Status::Waiting && held.enabled && held.needs_left == 0) work_.push_back(below);
  }
}

void Graph::complete(int index) {
  if (node(index).status == Status::Done) return;
  if (node(index).active_leaves > 0) {  // nobody asks for them any more, but they run
    at(index).completion_owed = true;
    return;
  }
  at(index).status = Status::Done;
  if (is_leaf(index)) ++done_leaf_count_;
  for (const int dependent : std::vector<int>(node(index).dependents)) {
    if (--at(dependent).needs_left == 0 && node(dependent).enabled) work_.push_back(dependent);
  }
  const int parent = node(index).parent;
  if (parent >= 0) child_done(parent, index);
}

// Completes what waited only for the worker of `leaf` to end.
void Graph::complete_owed(int leaf) {
  for (int above = leaf; above >= 0; above = node(above).parent) {
    if (node(above).completion_owed && node(above).active_leaves == 0) {
      at(above).completion_owed = false;
      complete(above);
    }
  }
}

void Graph::child_done(int parent, int child) {
  if (node(parent).status == Status::Done) return;
  if (node(child).moving) at(parent).moving = true;
  at(parent).changed = std::max(node(parent).changed, node(child).changed);
  switch (node(parent).kind) {
    case Kind::Repeat: iteration_done(parent, child); return;
    case Kind::Each:
      if (!node(child).item_released) --at(parent).going_items;
      if (--at(parent).children_left == 0) {
        complete(parent);
      } else {
        let_items_go(parent);
      }
      return;
    default:
      if (--at(parent).children_left == 0) complete(parent);
  }
}

// Decides what follows a finished round of a loop.
void Graph::iteration_done(int repeat, int iteration) {
  const Repeat& rule = *node(repeat).stage->repeat;
  at(repeat).upstream_changed = std::max(node(repeat).upstream_changed, node(iteration).changed);
  if (node(iteration).moving) {
    // Planning: whether the next round will be needed cannot be told; what is recorded of it is not kept as it is.
    const std::size_t next = static_cast<std::size_t>(node(repeat).next_child);
    if (next == node(repeat).children.size()) {
      complete(repeat);
    } else {
      ++at(repeat).next_child;
      at(repeat).upstream_moving = true;
      enable(node(repeat).children[next]);
    }
    return;
  }
  if (verdict_giver(iteration, rule.until_verdict) >= 0) {
    complete(repeat);
    return;
  }
  int counted = 0;
  int stalled = 0;
  std::string before;
  for (int i = 0; i < node(repeat).next_child; ++i) {
    const int round = node(repeat).children[static_cast<std::size_t>(i)];
    if (was_over_before_reopening(round)) continue;
    const std::string print = fingerprint_of(round);
    stalled = counted > 0 && print == before ? stalled + 1 : 0;
    before = print;
    ++counted;
  }
  if (counted >= rule.max) {
    fail_repeat(repeat, "no verdict \"" + rule.until_verdict + "\" after " + std::to_string(counted) + " iterations");
  } else if (rule.stalled_max > 0 && stalled >= rule.stalled_max) {
    fail_repeat(repeat, std::to_string(stalled) + " iterations in a row changed nothing");
  } else {
    const std::size_t next = static_cast<std::size_t>(at(repeat).next_child++);
    if (next == node(repeat).children.size()) {
      add_iteration(repeat);
      const int first = node(repeat).children.back();
      for (int i = first; i < size(); ++i) {  // nodes made now take part in the walk
        at(i).needs_left = static_cast<int>(node(i).needs.size());
        at(i).children_left = node(i).kind == Kind::Repeat ? 1 : static_cast<int>(node(i).children.size());
      }
    }
    enable(node(repeat).children[next]);
  }
}

void Graph::fail_repeat(int repeat, std::string why) {
  at(repeat).status = Status::Failed;
  at(repeat).failure = std::move(why);
  if (visit_ != nullptr) {
    // A plan goes on to what lies behind it: that will not be kept.
    at(repeat).moving = true;
    failed_.push_back(repeat);
    complete(repeat);
    at(repeat).status = Status::Failed;
    return;
  }
  failed_.push_back(repeat);
  release_item(item_of(repeat));
}

bool Graph::is_wanted(int index) const {
  for (int above = index; above >= 0; above = node(above).parent) {
    const int parent = node(above).parent;
    if (above == index || parent < 0 || node(parent).kind != Kind::Repeat) continue;
    const int giver = verdict_giver(above, node(above).stage->repeat->until_verdict);
    if (giver >= 0 && !has_part_in(index, giver)) return false;
  }
  // The conditions stand on the outermost node that a stage became.
  const Node& self = node(index);
  const bool outermost = self.parent < 0 || node(self.parent).stage != self.stage;
  if (!outermost) return true;
  for (const Condition& condition : self.stage->when) {
    const auto value = self.values->find(condition.name);
    std::string seen;
    if (value != self.values->end()) {
      seen = value->second;
    } else {
      for (const int sibling : node(self.parent).children) {
        if (node(sibling).stage->name != condition.name) continue;
        if (visit_ != nullptr && node(sibling).moving) return true;  // cannot tell yet
        seen = verdict_of(sibling);
      }
    }
    const bool listed = std::ranges::find(condition.values, seen) != condition.values.end();
    if (listed == condition.negated) return false;
  }
  return true;
}

// ---- looking

std::string Graph::verdict_of(int index) const {
  std::string verdict;
  for (const int leaf : leaves_below(index)) {
    const StepState* step = state_.find_step(node(leaf).path);
    if (step != nullptr && step->record == StepState::Record::Done && !step->verdict.empty()) verdict = step->verdict;
  }
  return verdict;
}

// Returns the leaf of a round that gave `verdict`, -1 if none did.
int Graph::verdict_giver(int iteration, const std::string& verdict) const {
  for (const int leaf : leaves_below(iteration)) {
    const StepState* step = state_.find_step(node(leaf).path);
    if (step != nullptr && step->record == StepState::Record::Done && step->verdict == verdict) return leaf;
  }
  return -1;
}

// Whether the verdict stands on something at or below `index`: what is done or runs, and what the giver
// needs. The rest of a round is no longer asked for once its verdict is there.
bool Graph::has_part_in(int index, int giver) const {
  const std::vector<int> before = upstream_leaves(giver);
  return std::ranges::any_of(leaves_below(index), [&](int leaf) {
    const StepState* step = state_.find_step(node(leaf).path);
    const bool runs_or_ran = step != nullptr && (step->record == StepState::Record::Done ||
                                                 step->record == StepState::Record::Open);
    return runs_or_ran || std::ranges::find(before, leaf) != before.end();
  });
}

std::string Graph::fingerprint_of(int iteration) const {
  std::string print;
  for (const int leaf : leaves_below(iteration)) {
    const StepState* step = state_.find_step(node(leaf).path);
    if (step == nullptr) continue;
    print += node(leaf).stage->name + '\n' + step->verdict + '\n' + step->result + '\n';
    for (const SeenFile& file : step->artifacts) print += file.path + ' ' + file.digest + '\n';
  }
  return print;
}

// A round that nothing was recorded of counts: it was gone through without anything to do.
bool Graph::was_over_before_reopening(int iteration) const {
  bool before = false;
  for (const int leaf : leaves_below(iteration)) {
    const StepState* step = state_.find_step(node(leaf).path);
    if (step == nullptr || step->checked_event.value == 0) continue;
    if (step->checked_event > count_from_) return false;
    before = true;
  }
  return before;
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
  const auto found = by_path_.find(path);
  return found == by_path_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<int> Graph::upstream_leaves(int leaf) const {
  std::vector<int> found;
  for (int above = leaf; above >= 0; above = node(above).parent) {
    for (const int need : node(above).needs) {
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
  std::set<int> seen;
  std::vector<int> stack = {index};
  std::set<int> found;
  while (!stack.empty()) {
    const int next = stack.back();
    stack.pop_back();
    if (!seen.insert(next).second) continue;
    for (const int leaf : leaves_below(next)) found.insert(leaf);
    for (int above = next; above > 0; above = node(above).parent) {
      stack.insert(stack.end(), node(above).dependents.begin(), node(above).dependents.end());
      // A later round of a loop depends on the earlier ones.
      const Node& parent = node(node(above).parent);
      if (parent.kind == Kind::Repeat) {
        for (const int round : parent.children) {
          if (node(round).iteration > node(above).iteration) stack.push_back(round);
        }
      }
    }
  }
  return {found.begin(), found.end()};
}

std::string Graph::resolve(int index, std::string_view text) const {
  const Values& values = *node(index).values;
  return interpolate(text, [&](std::string_view name) -> std::optional<std::string> {
    const auto found = values.find(std::string(name));
    return found == values.end() ? std::nullopt : std::optional(found->second);
  });
}

}  // namespace reprise
