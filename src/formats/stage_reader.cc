#include "formats/stage_reader.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "base/check.h"
#include "base/strings.h"
#include "formats/block_checks.h"
#include "formats/key_reader.h"
#include "model/ids.h"
#include "model/limits.h"
#include "text/pattern.h"

namespace reprise {
namespace {

struct KindOfStage {
  std::uint8_t bit;
  std::string_view name;
};
constexpr std::array<KindOfStage, 5> kKindsOfStage = {{{kRunStage, "a run stage"},
                                                       {kRoleStage, "a role stage"},
                                                       {kGateStage, "a gate"},
                                                       {kBlockStage, "a block of stages"},
                                                       {kUsesStage, "a used workflow"}}};
constexpr std::string_view kOneOfThese = "exactly one of run, role, gate, stages, uses";

// Reads one stage. Lives as long as that takes.
class StageReader {
 public:
  StageReader(const YamlNode::Entry& entry, const Scope& outer, FileContext& context)
      : entry_(entry),
        outer_(outer),
        inner_(outer),
        context_(context),
        problems_(context.problems),
        facts_{.key = entry.key, .needs = {}, .conditions = {}, .retry_from = {}, .made = {}} {}

  void read() {
    stage_.name = text_in(entry_.key);
    if (!is_run_name(stage_.name)) {
      problems_.add(entry_.key, "not a name for a stage: " + quoted(stage_.name),
                    "1 to 64 of A-Z a-z 0-9 . _ -, not beginning with -");
    }
    if (!entry_.value.is_map()) {
      problems_.add(entry_.value, "the stage " + quoted(stage_.name) + " is not a map", std::string(kOneOfThese));
      return;
    }
    const std::vector<KnownEntry> entries = known_entries(entry_.value, Level::Stage, entry_.key, problems_);
    check_kind(entries);
    // These two decide which names the other keys may use.
    read_key(entries, "each", &StageReader::read_each);
    read_key(entries, "repeat", &StageReader::read_repeat);
    // Values for a used workflow are matched with its inputs.
    read_key(entries, "with", &StageReader::read_with);
    for (const KnownEntry& entry : entries) read_other(entry);
    // A lane is a worktree of its own, and its paths are nobody else's.
    if (stage_.lane) facts_.made.clear();
    for (const KnownEntry& entry : entries) {
      if (entry.spec->name == "publish") put_publishing_last(entry);
    }
    if (stage_.each) {
      facts_.made = spread_over_items(std::move(facts_.made), *stage_.each, context_.expansions_left, problems_);
    }
  }

  Stage take_stage() { return std::move(stage_); }
  StageFacts take_facts() { return std::move(facts_); }

 private:
  using ReadKey = void (StageReader::*)(const KnownEntry&);
  struct KeyMethod {
    std::string_view name;
    ReadKey read;
  };

  static const KeyMethod* find_method(std::string_view name) {
    static constexpr auto kMethods = std::to_array<KeyMethod>({
        {"run", &StageReader::read_run},
        {"role", &StageReader::read_role},
        {"prompt", &StageReader::read_prompt},
        {"needs", &StageReader::read_needs},
        {"when", &StageReader::read_when},
        {"inputs", &StageReader::read_inputs},
        {"produces", &StageReader::read_produces},
        {"baseline", &StageReader::read_baseline},
        {"verify", &StageReader::read_verify},
        {"retries", &StageReader::read_retries},
        {"delay", &StageReader::read_delay},
        {"patience", &StageReader::read_patience},
        {"timeout", &StageReader::read_timeout},
        {"resume", &StageReader::read_resume},
        {"gate", &StageReader::read_gate},
        {"each", &StageReader::read_nothing},
        {"lane", &StageReader::read_lane},
        {"repeat", &StageReader::read_nothing},
        {"stages", &StageReader::read_stages},
        {"uses", &StageReader::read_uses},
        {"with", &StageReader::read_nothing},
        {"publish", &StageReader::read_publish},
        {"retry_from", &StageReader::read_retry_from},
        {"env", &StageReader::read_env},
        {"context", &StageReader::read_context},
        {"required", &StageReader::read_required},
        {"finds_gaps", &StageReader::read_finds_gaps},
        {"takes_answers", &StageReader::read_takes_answers},
    });
    const auto* found = std::ranges::find(kMethods, name, &KeyMethod::name);
    return found == kMethods.end() ? nullptr : found;
  }

  void read_other(const KnownEntry& entry) {
    const KeyMethod* method = find_method(entry.spec->name);
    check(method != nullptr);  // a key of the table that nobody reads would be ignored in silence
    (this->*method->read)(entry);
  }
  void read_key(const std::vector<KnownEntry>& entries, std::string_view name, ReadKey method) {
    for (const KnownEntry& entry : entries) {
      if (entry.spec->name == name) (this->*method)(entry);
    }
  }

  // The keys that only one kind of stage has say what the stage is.
  void check_kind(const std::vector<KnownEntry>& entries) {
    const KindOfStage* kind = nullptr;
    for (const KnownEntry& entry : entries) {
      const auto* own = std::ranges::find(kKindsOfStage, entry.spec->stages, &KindOfStage::bit);
      if (own == kKindsOfStage.end() || entry.spec->name == "with") continue;
      if (kind != nullptr && kind != own) {
        problems_.add(entry.key, quoted(entry.spec->name) + " in " + std::string(kind->name),
                      std::string(kOneOfThese));
        return;
      }
      kind = own;
    }
    if (kind == nullptr) {
      // A key that says what the stage is may be there and have been refused for its value.
      if (!has_refused_kind_key()) {
        problems_.add(entry_.key, "the stage " + quoted(stage_.name) + " does not say what to do",
                      std::string(kOneOfThese));
      }
      return;
    }
    for (const KnownEntry& entry : entries) {
      if ((entry.spec->stages & kind->bit) != 0) continue;
      problems_.add(entry.key, quoted(entry.spec->name) + " has no meaning in " + std::string(kind->name),
                    keys_for(kind->bit));
    }
  }

  bool has_refused_kind_key() const {
    return std::ranges::any_of(entry_.value.entries(), [](const YamlNode::Entry& entry) {
      const KeySpec* spec = find_key(Level::Stage, entry.key.text());
      return spec != nullptr &&
             std::ranges::find(kKindsOfStage, spec->stages, &KindOfStage::bit) != kKindsOfStage.end();
    });
  }

  static std::string keys_for(std::uint8_t kind) {
    std::vector<std::string_view> names;
    for (const KeySpec& key : keys_of(Level::Stage)) {
      if ((key.stages & kind) != 0) names.push_back(key.name);
    }
    return listed(names);
  }

  void read_nothing(const KnownEntry&) {}  // read before the others

  void read_run(const KnownEntry& entry) { stage_.command = checked_command(entry.value); }
  void read_verify(const KnownEntry& entry) { stage_.verify = checked_command(entry.value); }
  void read_role(const KnownEntry& entry) { stage_.role = text_in(entry.value); }
  void read_prompt(const KnownEntry& entry) {
    stage_.prompt = text_in(entry.value);
    if (stage_.role.empty()) stage_.role = "default";  // a role: that comes later overwrites it
  }
  void read_retries(const KnownEntry& entry) { stage_.retries = whole_in(entry.value); }
  void read_delay(const KnownEntry& entry) { stage_.delay = time_in(entry.value); }
  void read_patience(const KnownEntry& entry) { stage_.patience = time_in(entry.value); }
  void read_timeout(const KnownEntry& entry) { stage_.timeout = time_in(entry.value); }
  void read_resume(const KnownEntry& entry) {
    stage_.resume = resume_rule_from_token(entry.value.text()).value_or(ResumeRule::Restart);
  }
  void read_publish(const KnownEntry& entry) { stage_.publish = text_in(entry.value); }
  void read_retry_from(const KnownEntry& entry) {
    facts_.retry_from = {entry.value};
    stage_.retry_from = text_in(entry.value);
  }

  // Publishing is a step of its own, after all others in the lane: recorded and repeated like any other.
  void put_publishing_last(const KnownEntry& entry) {
    if (!stage_.lane) {
      problems_.add(entry.key, "\"publish\" without a lane: there is no branch to publish",
                    "lane: {base: BRANCH}");
      return;
    }
    Stage publish;
    publish.name = "publish";
    publish.publish = std::exchange(stage_.publish, {});
    if (!stage_.is_block() || stage_.repeat || !stage_.uses.empty()) wrap_in_block();
    for (const Stage& inner : stage_.stages) {
      if (inner.name == publish.name)
        problems_.add(entry.key, "a lane that is published has no stage of its own named \"publish\"");
      publish.needs.push_back(inner.name);
    }
    stage_.stages.push_back(std::move(publish));
  }

  // Makes what the stage does the one stage of a block that has its place and its lane.
  void wrap_in_block() {
    Stage block;
    block.name = stage_.name;
    block.needs = std::exchange(stage_.needs, {});
    block.when = std::exchange(stage_.when, {});
    block.each = std::exchange(stage_.each, {});
    block.lane = std::exchange(stage_.lane, {});
    stage_.name = "work";
    block.stages.push_back(std::move(stage_));
    stage_ = std::move(block);
  }

  void read_env(const KnownEntry& entry) {
    check_env(entry.value, problems_);
    stage_.env = texts_in(entry.value);
  }
  void read_inputs(const KnownEntry& entry) { stage_.inputs = checked_paths(entry.value); }
  void read_context(const KnownEntry& entry) { stage_.context = checked_paths(entry.value); }
  void read_required(const KnownEntry& entry) { stage_.required = flag_in(entry.value); }
  void read_finds_gaps(const KnownEntry& entry) { stage_.finds_gaps = flag_in(entry.value); }
  void read_takes_answers(const KnownEntry& entry) { stage_.takes_answers = flag_in(entry.value); }
  void read_baseline(const KnownEntry& entry) {
    const std::vector<std::string> paths = checked_paths(entry.value);
    std::vector<std::string>& all = stage_.baseline.edit();
    all.insert(all.end(), paths.begin(), paths.end());
  }
  void read_needs(const KnownEntry& entry) {
    facts_.needs = nodes_in(entry.value);
    stage_.needs = texts_in(entry.value);
  }
  void read_lane(const KnownEntry& lane) {
    stage_.lane.emplace();
    for (const KnownEntry& entry : known_entries(lane.value, Level::Lane, lane.key, problems_)) {
      if (entry.spec->name == "retries") {
        stage_.lane->retries = whole_in(entry.value);
        continue;
      }
      check_placeholders(entry.value, inner_, problems_);
      (entry.spec->name == "base" ? stage_.lane->base : stage_.lane->branch) = text_in(entry.value);
    }
  }

  Command checked_command(const YamlNode& value) {
    // A shell line is the author's own and sees values as variables.
    for (const YamlNode& word : value.elements()) check_placeholders(word, inner_, problems_);
    return command_in(value);
  }

  std::vector<std::string> checked_paths(const YamlNode& value) {
    for (const YamlNode& path : nodes_in(value)) check_path(path, inner_, problems_);
    return texts_in(value);
  }

  void read_when(const KnownEntry& when) {
    for (const YamlNode::Entry& entry : when.value.entries()) {
      Condition condition{.name = text_in(entry.key), .values = {}, .negated = false};
      YamlNode values = entry.value;
      const std::vector<YamlNode::Entry> inner = values.entries();
      if (inner.size() == 1 && inner[0].key.text() == "not") {
        condition.negated = true;
        values = inner[0].value;
      }
      for (const YamlNode& value : nodes_in(values)) {
        if (value.is_scalar()) condition.values.push_back(text_in(value));
      }
      const std::size_t wanted = std::max<std::size_t>(1, values.elements().size());
      if (condition.values.size() != wanted) {
        problems_.add(entry.value, "wrong condition on " + quoted(entry.key.text()),
                      "a value, a list of values, or {not: …} with one of these");
        continue;
      }
      stage_.when.edit().push_back(std::move(condition));
      facts_.conditions.push_back(entry.key);
    }
  }

  void read_gate(const KnownEntry& gate) {
    stage_.gate.emplace();
    if (gate.value.is_scalar()) {
      stage_.gate->ask = text_in(gate.value);
      return;
    }
    for (const KnownEntry& entry : known_entries(gate.value, Level::Gate, gate.key, problems_)) {
      if (entry.spec->name == "ask") stage_.gate->ask = text_in(entry.value);
      if (entry.spec->name == "shows") stage_.gate->shows = checked_paths(entry.value);
    }
  }

  void read_produces(const KnownEntry& produces) {
    for (const YamlNode& node : nodes_in(produces.value)) {
      Product product;
      if (node.is_scalar()) {
        set_product_path(node, product);
      } else {
        for (const KnownEntry& entry : known_entries(node, Level::Product, node, problems_)) {
          if (entry.spec->name == "path") set_product_path(entry.value, product);
          if (entry.spec->name == "complete") product.complete = complete_in(entry);
        }
      }
      stage_.produces.edit().push_back(std::move(product));
    }
  }

  void set_product_path(const YamlNode& path, Product& product) {
    check_path(path, inner_, problems_);
    product.path = text_in(path);
    facts_.made.push_back({product.path, path});
  }

  CompleteCheck complete_in(const KnownEntry& complete) {
    CompleteCheck out;
    for (const KnownEntry& entry : known_entries(complete.value, Level::Complete, complete.key, problems_)) {
      const std::string_view key = entry.spec->name;
      if (key == "heading") out.heading = text_in(entry.value);
      if (key == "table") out.table = text_in(entry.value);
      if (key == "checkboxes") out.checkboxes = whole_in(entry.value);
      if (key == "no_placeholders") out.no_placeholders = flag_in(entry.value);
      if (key == "constitution") out.constitution = flag_in(entry.value);
      if (key == "run") out.run = checked_command(entry.value).argv;
      if (key == "matches") {
        out.matches = text_in(entry.value);
        const Result<Pattern> pattern = Pattern::compile(out.matches);
        if (!pattern)
          problems_.add(entry.value, pattern.error().message + ": " + quoted(out.matches),
                        join(pattern.error().hints, ""));
      }
    }
    return out;
  }

  void read_each(const KnownEntry& each) {
    stage_.each.emplace();
    YamlNode name_at = each.key;
    const auto has = [&](std::string_view key) {  // also where its value is wrong, which is told elsewhere
      return std::ranges::any_of(each.value.entries(), [&](const auto& entry) { return entry.key.text() == key; });
    };
    const bool has_items = has("in");
    const bool has_tasks = has("tasks");
    for (const KnownEntry& entry : known_entries(each.value, Level::Each, each.key, problems_)) {
      if (entry.spec->name == "in") read_items(entry.value);
      if (entry.spec->name == "tasks") stage_.each->tasks = text_in(entry.value);
      if (entry.spec->name == "parallel") stage_.each->parallel = whole_in(entry.value);
      if (entry.spec->name == "as") {
        stage_.each->as = text_in(entry.value);
        name_at = entry.value;
        check_value_name(entry.value, problems_);
      }
    }
    if (has_items == has_tasks)
      problems_.add(each.key, has_items ? "each has both in and tasks" : "each needs in, or tasks",
                    "in: [a, b], or tasks: P6");
    if (outer_.has_value(stage_.each->as)) {
      problems_.add(name_at, "another value already has this name: " + quoted(stage_.each->as),
                    "as: with a name of its own");
    }
    inner_.items.push_back(stage_.each->as);
    if (!stage_.each->tasks.empty()) {
      for (const std::string_view more : kTaskValues) inner_.items.push_back(stage_.each->as + std::string(more));
    }
  }

  void read_items(const YamlNode& items) {
    stage_.each->in = texts_in(items);
    std::unordered_set<std::string_view> seen;
    for (const YamlNode& item : nodes_in(items)) {
      check_placeholders(item, outer_, problems_);
      if (!seen.insert(item.text()).second) problems_.add(item, "an item comes twice: " + quoted(item.text()));
    }
  }

  void read_repeat(const KnownEntry& repeat) {
    Repeat& out = stage_.repeat.emplace();
    out.max = kIterationsDefault;
    YamlNode stalled_at = repeat.key;
    for (const KnownEntry& entry : known_entries(repeat.value, Level::Repeat, repeat.key, problems_)) {
      if (entry.spec->name == "max") out.max = whole_in(entry.value);
      if (entry.spec->name == "accept_last") out.accept_last = flag_in(entry.value);
      if (entry.spec->name == "stalled_max") {
        out.stalled_max = whole_in(entry.value);
        stalled_at = entry.value;
      }
      if (entry.spec->name == "until") {
        for (const KnownEntry& until : known_entries(entry.value, Level::Until, entry.key, problems_)) {
          std::vector<std::string> verdicts = texts_in(until.value);
          if (verdicts.empty()) continue;
          out.until_verdict = verdicts.front();
          out.or_verdicts.assign(verdicts.begin() + 1, verdicts.end());
        }
      }
    }
    if (out.stalled_max == 0) out.stalled_max = std::min(kStalledDefault, out.max);
    if (out.stalled_max > out.max) {
      problems_.add(stalled_at, "stalled_max is larger than max: " + std::to_string(out.stalled_max),
                    "1 to " + std::to_string(out.max));
    }
    inner_.in_repeat = true;
  }

  void read_stages(const KnownEntry& entry) {
    Scope scope = inner_;
    ++scope.depth;
    BlockOfStages block = read_block(entry.value, scope, context_);
    if (block.stages.empty()) problems_.add(entry.key, "a block without a stage", "at least one stage");
    stage_.stages = std::move(block.stages);
    facts_.made.insert(facts_.made.end(), block.made.begin(), block.made.end());
  }

  void read_with(const KnownEntry& with) {
    for (const YamlNode::Entry& entry : with.value.entries()) {
      if (!entry.value.is_scalar()) {
        problems_.add(entry.value, "wrong value for " + quoted(entry.key.text()), "a text");
        continue;
      }
      check_placeholders(entry.value, inner_, problems_);
      stage_.with.edit()[text_in(entry.key)] = text_in(entry.value);
      with_keys_.push_back(entry.key);
    }
  }

  void read_uses(const KnownEntry& entry) {
    stage_.uses = text_in(entry.value);
    const std::shared_ptr<const UsedWorkflow> used = context_.use(entry.value, stage_.uses);
    if (used == nullptr) return;
    fill_values(entry.value, used->workflow);
    const int deepest = inner_.depth + used->depth;
    if (deepest > kStageDepthMax || context_.stage_count + used->stage_count > kStagesMax) {
      problems_.add(entry.value, "too many or too deep stages with " + quoted(stage_.uses),
                    std::to_string(kStagesMax) + " stages, " + std::to_string(kStageDepthMax) + " levels");
      return;
    }
    context_.stage_count += used->stage_count;
    context_.depth = std::max(context_.depth, deepest);
    stage_.stages = used->workflow.stages;
    // Paths of its baseline may hold values that only its own stages see.
    for (Stage& stage : stage_.stages) {
      std::vector<std::string>& all = stage.baseline.edit();
      all.insert(all.end(), used->workflow.baseline.begin(), used->workflow.baseline.end());
    }
    for (const std::string& path : used->made) {
      facts_.made.push_back(
          {interpolate(path, [&](std::string_view name) { return value_with(name); }), entry.value});
    }
  }

  std::optional<std::string> value_with(std::string_view name) const {
    const auto found = stage_.with->find(std::string(name));
    return found == stage_.with.end() ? std::nullopt : std::optional(found->second);
  }

  void fill_values(const YamlNode& at, const Workflow& used) {
    std::vector<std::string_view> known;
    for (const InputDef& input : used.inputs) {
      known.push_back(input.name);
      if (stage_.with->contains(input.name)) continue;
      if (input.fallback) {
        stage_.with.edit()[input.name] = *input.fallback;
      } else {
        problems_.add(at, quoted(used.name) + " needs a value for its input " + quoted(input.name),
                      "with: {" + input.name + ": …}");
      }
    }
    for (const YamlNode& key : with_keys_) {
      if (std::ranges::find(known, key.text()) != known.end()) continue;
      problems_.add(key, quoted(used.name) + " has no input " + quoted(key.text()) + suggestion(key.text(), known),
                    listed(known));
    }
  }

  const YamlNode::Entry& entry_;
  const Scope& outer_;
  Scope inner_;
  FileContext& context_;
  Problems& problems_;
  Stage stage_;
  StageFacts facts_;
  std::vector<YamlNode> with_keys_;
};

}  // namespace

BlockOfStages read_block(const YamlNode& map, const Scope& scope, FileContext& context) {
  BlockOfStages block;
  if (scope.depth > kStageDepthMax) {
    context.problems.add(map, "stages nested deeper than " + std::to_string(kStageDepthMax) + " levels");
    return block;
  }
  context.depth = std::max(context.depth, scope.depth);
  const std::vector<YamlNode::Entry> entries = map.entries();
  const bool was_within = context.stage_count <= kStagesMax;
  context.stage_count += static_cast<int>(entries.size());
  if (context.stage_count > kStagesMax) {
    if (was_within) context.problems.add(map, "more than " + std::to_string(kStagesMax) + " stages");
    return block;
  }
  std::vector<StageFacts> facts;
  block.stages.reserve(entries.size());
  facts.reserve(entries.size());
  for (const YamlNode::Entry& entry : entries) {
    StageReader reader(entry, scope, context);
    reader.read();
    block.stages.push_back(reader.take_stage());
    facts.push_back(reader.take_facts());
  }
  check_block(block.stages, facts, scope, context.problems);
  for (const StageFacts& stage : facts) block.made.insert(block.made.end(), stage.made.begin(), stage.made.end());
  return block;
}

}  // namespace reprise
