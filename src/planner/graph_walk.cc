// Graph: the walk. What becomes ready, done or failed, and what follows from it.

#include <algorithm>

#include "base/check.h"
#include "planner/graph.h"

namespace reprise {

void Graph::reset_walk() {
  for (Node& node : nodes_) {
    node.status = Status::Waiting;
    node.enabled = node.upstream_moving = node.moving = node.not_needed = node.kept = false;
    node.item_failed = node.item_released = false;
    node.changed = node.upstream_changed = {};
    node.completion_owed = node.wants_place = false;
    node.reached = node.counted = node.settled_early = node.running_below = false;
    node.needs_left = node.needs_count;
    node.children_left = static_cast<int>(node.children.size());
    node.next_child = node.going_items = node.active_leaves = 0;
    // Iterations are let go one after the other, however many there are already.
    if (node.kind == Kind::Repeat) node.children_left = 1;
  }
  ready_.clear();
  failed_.clear();
  renewed_.clear();
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
    for (const int need : needs(index)) {
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
      // The work list is a stack: the last one pushed is the first one taken.
      const std::vector<int>& children = node(index).children;
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
    const StepState* step = record(index);
    if (step != nullptr && step->record == StepState::Record::Done) at(index).changed = step->changed_event;
    // Where approvals hold, what stands before a gate is what a step behind it was made from, approved or not.
    if (node(index).kind == Kind::Gate && workflow_.policy.approvals_hold)
      at(index).changed = node(index).upstream_changed;
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
    const auto running =
        std::ranges::find_if(items, [&](int item) { return node(item).running_below && !node(item).enabled; });
    if (running != items.end()) return *running;
  }
  int& next = at(each).next_child;
  while (next < static_cast<int>(items.size()) && node(items[static_cast<std::size_t>(next)]).enabled) ++next;
  return next < static_cast<int>(items.size()) ? std::optional(items[static_cast<std::size_t>(next)])
                                               : std::nullopt;
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
  // By number: what follows may add nodes.
  for (int i = 0; i < node(index).dependents_count; ++i) {
    const int dependent = dependents(index)[static_cast<std::size_t>(i)];
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
  if (verdict_giver(iteration, rule) >= 0) {
    complete(repeat);
    return;
  }
  const int used = state_.status == RunStatus::Failed ? rounds_since_reopening(repeat) : 0;
  if (used >= rule.max && !rule.accept_last &&
      std::ranges::find(renewed_, repeat, &std::pair<int, int>::first) == renewed_.end())
    renewed_.emplace_back(repeat, used);
  int counted = 0;
  int stalled = stalled_before(repeat);
  std::string before = fingerprint_before(repeat);
  for (int i = 0; i < node(repeat).next_child; ++i) {
    const int round = node(repeat).children[static_cast<std::size_t>(i)];
    if (!rule.accept_last && was_over_before_reopening(round)) continue;
    const std::string print = fingerprint_of(round);
    const std::optional<int> known = stalled_elsewhere(leaves_below(round));
    stalled = known ? *known : !before.empty() && print == before ? stalled + 1 : 0;
    before = print;
    ++counted;
  }
  if (counted >= rule.max) {
    const std::string last = verdict_of(iteration);
    fail_repeat(repeat, "no verdict \"" + rule.until_verdict + "\" after " + std::to_string(counted) +
                            " iterations" + (last.empty() ? "" : ", the last was \"" + last + "\""));
  } else if (rule.stalled_max > 0 && stalled >= rule.stalled_max) {
    fail_repeat(repeat, std::to_string(stalled) + " iterations in a row changed nothing");
  } else {
    const std::size_t next = static_cast<std::size_t>(at(repeat).next_child++);
    if (next == node(repeat).children.size()) {
      add_iteration(repeat);
      make_walkable(node(repeat).children.back());
    }
    enable(node(repeat).children[next]);
  }
}

void Graph::fail_repeat(int repeat, std::string why) {
  at(repeat).failure = std::move(why);
  if (node(repeat).stage->repeat->accept_last) {
    complete(repeat);
    return;
  }
  at(repeat).status = Status::Failed;
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

bool Graph::is_wanted(int index) const { return loop_end_before(index) < 0 && !unmet_at(index); }

// The leaf whose verdict ended a loop around `index` before its turn came; -1 if there is none.
int Graph::loop_end_before(int index) const {
  for (int above = index; above >= 0; above = node(above).parent) {
    const int parent = node(above).parent;
    if (above == index || parent < 0 || node(parent).kind != Kind::Repeat) continue;
    const int giver = verdict_giver(above, *node(above).stage->repeat);
    if (giver >= 0 && !has_part_in(index, giver)) return giver;
  }
  return -1;
}

// The conditions stand on the outermost node that a stage became.
std::optional<Graph::Unmet> Graph::unmet_at(int index) const {
  const Node& self = node(index);
  const bool outermost = self.parent < 0 || node(self.parent).stage != self.stage;
  if (!outermost) return std::nullopt;
  for (const Condition& condition : self.stage->when) {
    const std::string* value = self.values->find(condition.name);
    std::string seen;
    if (value != nullptr) {
      seen = *value;
    } else {
      const std::optional<int> asked = find_sibling(index, condition.name);
      if (asked && visit_ != nullptr && node(*asked).moving) return std::nullopt;  // cannot tell yet
      if (asked) seen = verdict_of(*asked);
    }
    const bool listed = std::ranges::find(condition.values, seen) != condition.values.end();
    if (listed == condition.negated) return Unmet{&condition, std::move(seen), value == nullptr};
  }
  return std::nullopt;
}

}  // namespace reprise
