// The graph of a run: every step instance that the definition and the record so far give rise to.
//
// Stages become nodes: a step or a gate is a leaf; a block, an `each` and a `repeat` hold children.
// Paths are made of names and iteration numbers, so that they mean the same in every session:
// "lanes/api/check" is stage check, for item api, in stage lanes; "polish/2/fix" is the second round.
//
// The same walk serves planning and working. Planning visits every leaf and lets the walk pass over it
// (noting whether it moves); working stops at each leaf that is to be done and goes on when it is
// settled. The cost of settling a step depends on what follows from it, not on the size of the run.
// Pure: no clock, no disk.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/rare.h"
#include "model/run_state.h"
#include "model/workflow.h"
#include "planner/value_scope.h"

namespace reprise {

class Graph {
 public:
  enum class Kind : std::uint8_t { Step, Gate, Block, Each, Repeat };
  enum class Status : std::uint8_t { Waiting, Ready, Active, Done, Failed };

  struct Node {
    StepPath path;
    const Stage* stage = nullptr;
    std::shared_ptr<const ValueScope> values;
    std::vector<int> children;
    int needs_at = 0;  // see Graph::needs()
    int needs_count = 0;
    int dependents_at = 0;  // see Graph::dependents()
    int dependents_count = 0;
    int parent = -1;
    int needs_left = 0;
    int children_left = 0;         // not done yet
    int next_child = 0;            // of an each: the first one that was not let go
    int going_items = 0;           // of an each: let go and not ended
    int active_leaves = 0;         // leaves at or below it that run now
    EventNumber changed;           // planning: when something at or below it last gave other artifacts
    EventNumber upstream_changed;  // planning: the same of what it needs
    int iteration = 0;             // within the nearest repeat, 0: in none
    int lane = -1;  // the node whose lane it works in, itself or one above; -1: the project's own tree
    Kind kind = Kind::Step;
    Status status = Status::Waiting;
    bool enabled = false;          // its parent is active
    bool reached = false;          // of a leaf: its turn has come in this walk
    bool completion_owed = false;  // done as soon as nothing at or below it runs
    bool counted = false;          // of a leaf: it is among the active ones of those above it
    bool settled_early = false;    // of a leaf: done before its turn came
    bool running_below = false;    // of an item of an each: a worker runs in it since before this walk
    bool upstream_moving = false;  // planning: something that it needs runs (again)
    bool moving = false;           // planning: it runs (again), or something in it or before it does
    bool not_needed = false;       // done without being done: its `when` is false, or its loop is satisfied
    bool kept = false;             // working: done before this session
    bool item_failed = false;      // of an item of an each: nothing new starts in it
    bool item_released = false;    // and it gave its place to the next one
    bool wants_place = false;      // and is to go on when there is a place again; of an each: one of its items
    Rare<std::string> failure;     // of a repeat: why it failed
    mutable const StepState* record = nullptr;  // see Graph::record(); null: not looked up, or none
  };

  /// What planning does with a leaf: whether it will run (again).
  using Visit = std::function<bool(int leaf, bool upstream_moving)>;

  /// `workflow` and `state` must outlive the graph. `values` are those of the run.
  Graph(const Workflow& workflow, const RunState& state);
  Graph(const Graph&) = delete;  // the index of paths looks into the nodes
  Graph& operator=(const Graph&) = delete;

  /// Planning: visits every leaf in an order in which what a leaf needs comes before it.
  void survey(const Visit& visit);

  /// Working: starts over, with the leaves for which `is_kept` done already. Items with one of `running`
  /// have their place among those of an each that work at a time.
  void begin(const std::function<bool(int leaf)>& is_kept, const std::vector<int>& running = {});
  /// Returns the first leaf that may start now and marks it active; nothing if none may.
  std::optional<int> take_ready();
  /// The worker of an active leaf, or of one of those that were running when the walk began, is gone.
  void worker_ended(int leaf);
  bool has_ready() const { return !ready_.empty(); }
  /// Takes in the tasks that were put on the run's list since the graph was made. True if there are any: then a
  /// walk has to begin anew, unless their phase is still to come.
  bool take_in_tasks();
  /// The leaf is done (or skipped): whatever needed it may become ready. Before its turn has come this is
  /// remembered until then, so that nothing overtakes what the leaf itself needs.
  void settle(int leaf);
  /// The leaf failed for good: what needs it never starts. Before its turn has come it has no effect.
  void fail(int leaf);
  /// A failed or active leaf may start again. Before its turn has come it has no effect.
  void reopen(int leaf);

  const Node& node(int index) const { return nodes_[static_cast<std::size_t>(index)]; }
  const Workflow& workflow() const { return workflow_; }
  int size() const { return static_cast<int>(nodes_.size()); }
  /// The nodes of the same block that must be done before this one, and those that wait for it.
  std::span<const int> needs(int index) const { return edges(node(index).needs_at, node(index).needs_count); }
  std::span<const int> dependents(int index) const {
    return edges(node(index).dependents_at, node(index).dependents_count);
  }
  /// What is recorded of a leaf, null if nothing is. Looked up once: records stay where they are.
  const StepState* record(int leaf) const {
    const Node& found = node(leaf);
    if (found.record == nullptr) found.record = state_.find_step(found.path);
    return found.record;
  }
  int leaf_count() const { return leaf_count_; }
  int done_leaf_count() const { return done_leaf_count_; }
  /// Leaves only, in the order of the definition, with later iterations after earlier ones.
  std::vector<int> leaves() const;
  std::optional<int> find(const StepPath& path) const;
  /// Whether everything is done.
  bool is_done() const { return nodes_[0].status == Status::Done; }
  /// Whether anything still asks for `leaf`: its conditions are met and its loop has no verdict without it.
  bool is_needed(int leaf) const { return is_wanted(leaf); }
  /// A condition of `when` that does not hold.
  struct Unmet {
    const Condition* condition = nullptr;
    std::string seen;         // the value; "" if the stage gave no verdict
    bool is_verdict = false;  // of a stage, not of an input
  };
  /// Returns the condition that keeps `leaf`, or a block around it, from running; nothing if there is none.
  std::optional<Unmet> find_unmet(int leaf) const;
  /// Returns why a leaf that is_needed() denies is not needed, with the condition and the value that was seen.
  std::string why_not_needed(int leaf) const;
  /// Returns what is wrong with `verdict`, given by `leaf`, for the stages that decide by it; "" if nothing is.
  std::string check_verdict(int leaf, const std::string& verdict) const;
  /// Loops that have used all their rounds and get new ones if a failed run goes on, with the number used.
  const std::vector<std::pair<int, int>>& renewed() const { return renewed_; }
  /// Leaves that failed for good, and repeats that ended without their verdict.
  const std::vector<int>& failed() const { return failed_; }

  /// Returns the leaves that must be done before `leaf` starts; earlier rounds of its loop are among them.
  std::vector<int> upstream_leaves(int leaf) const;
  /// Returns the leaves at or below `index`.
  std::vector<int> leaves_below(int index) const;
  /// Returns the nodes at `path` or below it, and everything that needs them: what `--from` would repeat.
  std::vector<int> downstream_leaves(int index) const;
  /// Returns the leaves that start only when `index` is done; not those of later rounds of a loop that it is in.
  std::vector<int> leaves_behind(int index) const;

  /// Returns `text` with {name} replaced by the node's values.
  std::string resolve(int index, std::string_view text) const;
  /// The same for a path that is meant from where the node works: relative to the project.
  std::string resolve_path(int index, std::string_view text) const;
  /// Returns the task that a leaf does; null if its item is none. `state` is the run's.
  const TaskState* task_of(int leaf, const RunState& state) const;
  /// Returns what is recorded of the lane that the node works in; null if it works in none, or nothing is.
  const LaneState* lane_of(int index) const;
  /// Returns the name of the lane that the node works in; "" if it works in none.
  std::string lane_name(int index) const;

 private:
  Node& at(int index) { return nodes_[static_cast<std::size_t>(index)]; }
  std::span<const int> edges(int begin, int count) const {
    return std::span(edges_).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count));
  }
  bool is_leaf(int index) const { return node(index).kind <= Kind::Gate; }

  // Nodes are found by their paths, which only they hold.
  struct PathHash {
    using is_transparent = void;
    const Graph* graph;
    std::size_t operator()(std::string_view path) const { return std::hash<std::string_view>()(path); }
    std::size_t operator()(int index) const { return (*this)(graph->node(index).path.text); }
  };
  struct PathEqual {
    using is_transparent = void;
    const Graph* graph;
    bool operator()(std::string_view path, int index) const { return graph->node(index).path.text == path; }
    bool operator()(int index, std::string_view path) const { return (*this)(path, index); }
    bool operator()(int a, int b) const { return (*this)(graph->node(a).path.text, b); }
  };

  // Building.
  struct Place {
    std::string path;
    int parent;
    std::shared_ptr<const ValueScope> values;
    int iteration;
  };
  int add_node(const Stage& stage, Kind kind, Place place);
  int lane_for(const Stage& stage, Kind kind, int parent, int index) const;
  int expand(const Stage& stage, Place place);
  int expand_repeat(const Stage& stage, Place place);
  int expand_body(const Stage& stage, Place place);
  void expand_children(int parent, const std::vector<Stage>& stages, const Place& place);
  void add_iteration(int repeat);
  void add_task(int each, const std::string& id, const TaskState& task);
  void link_tasks(int each);
  void make_walkable(int first);
  int recorded_rounds(const std::string& repeat);
  void link(const std::vector<Stage>& stages, const std::vector<int>& nodes);
  void link_dependents(const std::vector<int>& nodes);

  // Walking.
  void reset_walk();
  void run_walk();
  void enable(int index);
  void activate(int index);
  void activate_leaf(int index);
  void let_items_go(int each);
  void complete(int index);
  void complete_owed(int leaf);
  void child_done(int parent, int child);
  void iteration_done(int repeat, int iteration);
  void fail_repeat(int repeat, std::string why);
  bool is_wanted(int index) const;
  int loop_end_before(int index) const;
  std::optional<Unmet> unmet_at(int index) const;
  int rounds_since_reopening(int repeat) const;
  std::string verdict_of(int index) const;
  std::string fingerprint_of(int iteration) const;
  std::string fingerprint_before(int repeat) const;
  std::optional<int> stalled_elsewhere(std::span<const int> leaves) const;
  int stalled_before(int repeat) const;
  std::string gaps_found(std::span<const int> leaves) const;
  bool was_over_before_reopening(int iteration) const;
  int verdict_giver(int iteration, const Repeat& rule) const;
  bool has_part_in(int index, int giver) const;
  std::optional<int> find_sibling(int index, std::string_view stage) const;
  enum class Rounds { Same, Later };
  std::set<int> leaves_after(int index, Rounds rounds) const;
  int item_of(int leaf) const;
  const std::string& item_name(int item) const;
  void count_active(int leaf, int change);
  void release_if_failed(int item);
  void release_item(int item);
  bool is_in_failed_item(int leaf) const;
  void revive_items(int leaf);
  void revive_item(int item);
  void give_place(int item);
  bool give_place_back(int each);
  std::optional<int> next_item(int each);

  const Workflow& workflow_;
  const RunState& state_;
  EventNumber count_from_;   // iterations that started after this event count towards a loop's limits
  std::vector<Node> nodes_;  // nodes_[0] is the whole run, a block
  std::vector<int> edges_;   // of all nodes, each one's side by side
  std::unordered_set<int, PathHash, PathEqual> by_path_;
  std::vector<int> work_;  // nodes to be activated
  std::set<int> ready_;
  std::unordered_map<int, std::vector<int>> conditional_;  // by block: its stages that have conditions
  std::vector<int> failed_;
  std::vector<std::pair<int, int>> renewed_;  // repeat, rounds used
  std::vector<int> task_lists_;               // nodes whose items are tasks
  int leaf_count_ = 0;
  int done_leaf_count_ = 0;
  std::optional<std::unordered_map<std::string, int>> rounds_;  // by path of a repeat, once one asked
  const Visit* visit_ = nullptr;                                // planning, while survey() runs
  std::function<bool(int)> is_kept_;
  Stage root_;  // stands for the whole run
};

}  // namespace reprise
