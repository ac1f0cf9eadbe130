// A workflow definition: stages, their order, what they produce, who does them. Plain data.
//
// A definition is complete: `uses:` has been resolved into stages of its own, so that a stored
// definition means the same whatever happens to the files it came from. It is immutable; a run
// remembers the one it was started with, and the digest of each stage's work decides what a changed
// definition invalidates.

#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/rare.h"
#include "base/result.h"
#include "base/time.h"

namespace reprise {

/// What to execute: either the author's own shell line or an argv. Both empty: nothing.
struct Command {
  std::string line;
  std::vector<std::string> argv;

  bool empty() const { return line.empty() && argv.empty(); }
  bool operator==(const Command&) const = default;
};

/// The declared meaning of "looks complete" for one file. Not empty is always required.
struct CompleteCheck {
  std::string heading;            // a heading with this text
  std::string table;              // a table below that heading, every cell filled
  std::optional<int> checkboxes;  // at least this many checkbox items
  bool no_placeholders = false;   // no TODO, TBD, {{…}}, <…> line, [NEEDS CLARIFICATION]
  std::string matches;            // an ECMAScript regular expression found in it
  bool constitution = false;      // a completed Constitution Check (formats/playbook_checks.h)
  std::vector<std::string> run;   // a command that exits 0

  /// Whether the author declared more than the check that is always made.
  bool is_declared() const { return *this != CompleteCheck{}; }
  bool operator==(const CompleteCheck&) const = default;
};

/// A file or folder that a stage must leave behind.
struct Product {
  std::string path;  // relative to the worker's directory; may hold {name}
  CompleteCheck complete;
  bool operator==(const Product&) const = default;
};

struct Gate {
  std::string ask;
  std::vector<std::string> shows;
  bool operator==(const Gate&) const = default;
};

/// What the name of an item that is a task is followed by in the names of its further values.
inline constexpr std::string_view kTaskValues[] = {"_subject", "_description"};

/// One stage, or its whole block of stages, once per item.
struct Each {
  std::vector<std::string> in;  // items; a single "{name}" stands for that value split at spaces and commas
  std::string as = "item";      // the value's name within the stage
  int parallel = 0;             // 0: no limit but the run's
  std::string tasks = {};  // instead of items: the tasks of this phase on the run's list, each after its blockers
  bool operator==(const Each&) const = default;
};

/// One stage, or its whole block of stages, again and again until a verdict is given.
struct Repeat {
  std::string until_verdict;
  int max = 0;
  int stalled_max = 0;
  bool accept_last = false;  // a loop that reaches a limit is done with what it has, instead of failed
  std::vector<std::string> or_verdicts = {};  // others that end it as well

  /// Whether a round with this verdict is the last one.
  bool is_ended_by(std::string_view verdict) const {
    return verdict == until_verdict || std::ranges::find(or_verdicts, verdict) != or_verdicts.end();
  }
  bool operator==(const Repeat&) const = default;
};

/// One condition of `when:`: the value of an input, or the verdict of a stage, is (or is not) one of these.
struct Condition {
  std::string name;
  std::vector<std::string> values;
  bool negated = false;
  bool operator==(const Condition&) const = default;
};

/// What may be done with a stage that was cut off.
enum class ResumeRule { Restart, Continue, Report };
std::string_view to_token(ResumeRule rule);
std::optional<ResumeRule> resume_rule_from_token(std::string_view token);

/// A worktree and branch of its own. What is not said follows from the run and the stage's path.
struct LaneSpec {
  std::string base;            // what it starts from; "": what is checked out
  std::string name;            // what people call it
  std::string branch;          // may hold {name}, like the others
  std::string folder;          // below the root that the configuration names
  std::string tests;           // the stage whose end is the checkpoint after_lane_tests
  std::optional<int> retries;  // further attempts for all of its steps together; nothing: each has its own
  bool operator==(const LaneSpec&) const = default;
};

/// A named part of a workflow. Exactly one of command, role, gate, stages says what it is; each and
/// repeat multiply it.
struct Stage {
  std::string name;
  std::vector<std::string> needs;  // names of stages of the same block
  Rare<std::vector<Condition>> when;

  Command command;         // run:
  Rare<std::string> role;  // role: which worker does it, the configuration says
  Rare<std::string> prompt;
  RareOptional<Gate> gate;
  std::vector<Stage> stages;                      // a block; also what `uses:` was resolved into
  Rare<std::string> uses;                         // the name of the workflow the block came from
  Rare<std::map<std::string, std::string>> with;  // values of that block

  RareOptional<Each> each;
  RareOptional<Repeat> repeat;
  RareOptional<LaneSpec> lane;
  Rare<std::string> publish;     // a step of a lane's: push, merge or pr
  Rare<std::string> retry_from;  // a stage of the same block at which a further attempt of this one starts

  Rare<std::vector<std::string>> inputs;   // files whose change makes the finished stage outdated
  Rare<std::vector<std::string>> context;  // files that the worker is pointed at, where they are there
  Rare<std::vector<Product>> produces;
  Rare<std::vector<std::string>> baseline;  // files that must not change during the run
  RareOptional<Command> verify;             // re-checks an outdated stage

  int retries = 0;
  std::optional<Duration> delay;
  std::optional<Duration> patience;
  std::optional<Duration> timeout;
  ResumeRule resume = ResumeRule::Restart;
  bool required = false;       // nobody may skip it
  bool finds_gaps = false;     // its result lists gaps, which decide its verdict and become questions
  bool takes_answers = false;  // it starts when every question of the run is answered, and is given the answers
  Rare<std::vector<std::string>> env;  // variables that pass to the worker besides the usual ones

  bool is_block() const { return !stages.empty(); }
  bool operator==(const Stage&) const = default;
};

struct InputDef {
  std::string name;
  std::optional<std::string> fallback;  // default:
  std::string description;
  bool operator==(const InputDef&) const = default;
};

struct Limits {
  int parallel = 0;            // 0: not said
  std::int64_t output_mb = 0;  // 0: not said
  double cost_usd = 0;         // 0: no limit
  bool operator==(const Limits&) const = default;
};

/// Where a workflow departs from what own workflows do.
struct Policy {
  bool approvals_hold = false;  // what was approved is never asked again; a change of it is a warning
  bool outdated_asks = false;   // a finished step whose surroundings came out differently: a person decides
  bool failure_asks = false;    // a step that failed for good waits for a person instead of ending the run
  bool operator==(const Policy&) const = default;
};

struct Workflow {
  std::string name;
  std::string description;
  std::string source;  // the file it was read from, relative to the project; "" for built-in ones
  Limits limits;
  Policy policy;
  std::vector<InputDef> inputs;
  std::vector<std::string> baseline;
  std::vector<Stage> stages;
  bool operator==(const Workflow&) const = default;
};

/// One worker of the configuration.
struct Worker {
  Command command;
  std::vector<std::string> env;
  std::optional<Duration> timeout;
  std::optional<int> retries;
  bool operator==(const Worker&) const = default;
};

/// `.reprise/config.yaml`.
struct Config {
  std::optional<Worker> default_worker;
  std::map<std::string, Worker> roles;
  Limits limits;
  std::string lanes_root = ".worktrees";
  int lanes_root_line = 0;  // in the configuration; 0: not configured
  int lanes_parallel = 0;
  Command notify;

  /// Returns the worker for `role`: its own entry, else the default, else nothing.
  const Worker* worker_for(const std::string& role) const;
};

/// Returns the digest of what `stage` itself does (command, role, prompt, gate, products, inputs),
/// without order, limits and inner stages: the part whose change invalidates a finished result.
ShortDigest work_digest(const Stage& stage);

/// Returns `workflow` as JSON in one canonical form; workflow_from_json(to_json(w)) == w.
std::string to_json(const Workflow& workflow);
/// Reads what to_json() wrote. Corrupt if `json` is not that; unknown fields are ignored.
Result<Workflow> workflow_from_json(std::string_view json);

}  // namespace reprise
