#include "formats/lane_checkpoints.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <tuple>

#include "base/json_writer.h"
#include "base/strings.h"
#include "formats/problem.h"
#include "formats/state_file.h"
#include "formats/state_words.h"
#include "model/limits.h"
#include "text/json_edit.h"

namespace reprise {
namespace {

constexpr std::string_view kNoRecord = "not a checkpoint";
constexpr long long kAttemptsMax = 1'000'000;
constexpr std::array<std::string_view, 6> kNeeded = {"run_id", "phase", "lane", "stage", "status", "timestamp"};

// Fields that are text and no more.
struct TextField {
  std::string_view name;
  std::string LaneCheckpoint::* value;
};
constexpr std::array<TextField, 9> kTextFields = {{{"run_id", &LaneCheckpoint::run_id},
                                                   {"phase", &LaneCheckpoint::phase},
                                                   {"lane", &LaneCheckpoint::lane},
                                                   {"base_branch", &LaneCheckpoint::base_branch},
                                                   {"worktree_path", &LaneCheckpoint::worktree_path},
                                                   {"log_path", &LaneCheckpoint::log_path},
                                                   {"notes", &LaneCheckpoint::notes},
                                                   {"resume_hint", &LaneCheckpoint::resume_hint},
                                                   {"rollback_hint", &LaneCheckpoint::rollback_hint}}};

bool is_blank_text(std::string_view bytes) { return trim(bytes.substr(text_start(bytes))).empty(); }

// The member that counts for a documented name, under whatever spelling; null if there is none or it says nothing.
const JsonMember* find_member(const JsonNode& object, std::string_view name) {
  const JsonMember* found = object.find(name);
  if (found != nullptr) return found;
  const auto other = std::find_if(object.members.rbegin(), object.members.rend(),
                                  [&](const JsonMember& member) { return normal_key(member.key) == name; });
  return other == object.members.rend() ? nullptr : &*other;
}

// Whether an element is meant as a checkpoint, whatever else is wrong with it.
bool names_a_lane(const JsonNode& node) {
  const bool is_object = node.kind == JsonKind::Object;
  return is_object && find_member(node, "lane") != nullptr &&
         (find_member(node, "stage") != nullptr || find_member(node, "run_id") != nullptr);
}

// The list of records: the file itself, or the member "checkpoints" of an object around it; null if there is none.
const JsonNode* list_in(const JsonNode& root) {
  if (root.kind == JsonKind::Array) return &root;
  if (root.kind != JsonKind::Object || names_a_lane(root)) return nullptr;
  const JsonMember* member = find_member(root, "checkpoints");
  return member != nullptr && member->value.kind == JsonKind::Array ? &member->value : nullptr;
}

// A file of another program is not recognised, so that no record is added to it.
bool is_checkpoint_file(const JsonNode& root) {
  const JsonNode* list = list_in(root);
  if (list == nullptr) return names_a_lane(root);
  return list->elements.empty() || std::ranges::any_of(list->elements, names_a_lane);
}

Result<JsonDocument> parse_checkpoints(std::string_view bytes, std::string_view file) {
  JsonDocument document = TRY(parse_state_json(bytes, file));
  if (!is_checkpoint_file(document.root())) {
    return fail(Error{.kind = ErrorKind::Corrupt,
                      .message = "neither a list of checkpoints nor a checkpoint",
                      .file = std::string(file),
                      .line = document.root().line,
                      .column = 1});
  }
  return document;
}

std::string text_in(std::string_view bytes, const JsonNode& node) {
  if (node.kind == JsonKind::Null) return "";
  const bool is_container = node.kind == JsonKind::Array || node.kind == JsonKind::Object;
  return is_container ? std::string(text_of(bytes, node.span)) : node.text;
}

std::string text_in(std::string_view bytes, const JsonNode& object, std::string_view name) {
  const JsonMember* member = find_member(object, name);
  return member == nullptr ? "" : text_in(bytes, member->value);
}

// A stage's word as it is compared.
std::string stage_word_of(std::string_view written) {
  const std::string word = normal_key(written);
  return value_in(kLaneStageTokens, word) ? word : std::string(written);
}

LaneCheckpointKey key_in(std::string_view bytes, const JsonNode& object) {
  return {text_in(bytes, object, "run_id"), text_in(bytes, object, "phase"), text_in(bytes, object, "lane"),
          stage_word_of(text_in(bytes, object, "stage"))};
}

// Reads the records of one file.
class LaneCheckpointsReader {
 public:
  explicit LaneCheckpointsReader(const JsonDocument& document) : bytes_(document.bytes()) {
    for (const JsonRepeatedKey& each : document.repeated_keys()) {
      odd(each.line, each.key, "this key stands there twice; the last one counts");
    }
    if (const JsonNode* list = list_in(document.root())) {
      for (const JsonNode& element : list->elements) read(element);
    } else {
      read(document.root());
    }
    list_doubled();
  }

  LaneCheckpoints take() { return std::move(found_); }

 private:
  void odd(int line, std::string_view text, std::string why) {
    add_oddity(found_.oddities, line, printable_line(text, 100), std::move(why));
  }

  void read(const JsonNode& node) {
    if (node.kind != JsonKind::Object) {
      odd(node.line, text_of(bytes_, node.span), std::string(kNoRecord));
      return;
    }
    if (const std::string missing = missing_fields(node); !missing.empty()) {
      odd(node.line, text_of(bytes_, node.span), std::string(kNoRecord) + ": it has no " + missing);
      return;
    }
    const std::optional<ReadTime> time = read_time(text_in(bytes_, node, "timestamp"));
    if (!time) {
      odd(node.line, text_in(bytes_, node, "timestamp"), std::string(kNoRecord) + ": this is not a point in time");
      return;
    }
    found_.records.push_back(record_in(node, time->time));
  }

  std::string missing_fields(const JsonNode& node) const {
    std::vector<std::string> missing;
    for (const std::string_view name : kNeeded) {
      const std::string text = text_in(bytes_, node, name);
      if (trim(text).empty() || is_unfilled(text)) missing.emplace_back(name);
    }
    return join(missing, ", ");
  }

  LaneCheckpoint record_in(const JsonNode& node, Timestamp time) {
    LaneCheckpoint record;
    record.timestamp = time;
    record.line = node.line;
    for (const TextField& field : kTextFields) record.*field.value = text_in(bytes_, node, field.name);
    read_words(node, record);
    record.retry_attempt = number_in(node, "retry_attempt");
    record.max_retries = number_in(node, "max_retries");
    if (const JsonMember* context = find_member(node, "failure_context")) {
      record.failure_context = lines_in(context->value);
    }
    for (const JsonMember& member : node.members) {
      if (!is_ours(member.key))
        record.extra.push_back({member.key, std::string(text_of(bytes_, member.value.span))});
    }
    return record;
  }

  void read_words(const JsonNode& node, LaneCheckpoint& record) {
    const std::string stage = text_in(bytes_, node, "stage");
    const std::string status = text_in(bytes_, node, "status");
    record.stage = value_in(kLaneStageTokens, normal_key(stage)).value_or(LaneStage::Unknown);
    record.status = value_in(kLaneStatusTokens, normal_key(status)).value_or(LaneStatus::Unknown);
    if (record.stage == LaneStage::Unknown) {
      record.stage_text = stage;
      odd(node.line, stage, "an unknown stage; it is kept as it is");
    }
    if (record.status == LaneStatus::Unknown) {
      record.status_text = status;
      odd(node.line, status, "an unknown status; it is kept as it is");
    }
  }

  std::optional<long long> number_in(const JsonNode& node, std::string_view name) {
    const std::string text = text_in(bytes_, node, name);
    if (is_nothing(text)) return std::nullopt;
    const std::optional<long long> number = parse_number(trim(text), kAttemptsMax);
    if (!number) odd(node.line, text, "not a number for " + std::string(name));
    return number;
  }

  std::vector<std::string> lines_in(const JsonNode& node) const {
    std::vector<std::string> lines;
    for (const JsonNode& element : node.elements) lines.push_back(text_in(bytes_, element));
    if (node.kind != JsonKind::Array && node.kind != JsonKind::Null) lines.push_back(text_in(bytes_, node));
    return lines;
  }

  static bool is_ours(std::string_view key) {
    static constexpr std::array<std::string_view, 6> kOthers = {"stage",         "status",      "timestamp",
                                                                "retry_attempt", "max_retries", "failure_context"};
    const std::string name = normal_key(key);
    return std::ranges::find(kOthers, name) != kOthers.end() ||
           std::ranges::find(kTextFields, name, &TextField::name) != kTextFields.end();
  }

  void list_doubled() {
    std::vector<const LaneCheckpoint*> order;
    for (const LaneCheckpoint& record : found_.records) order.push_back(&record);
    std::ranges::stable_sort(order, {}, [](const LaneCheckpoint* record) { return record->key(); });
    for (std::size_t i = 1; i < order.size(); ++i) {
      if (order[i]->key() != order[i - 1]->key()) continue;
      odd(order[i]->line, order[i]->lane,
          "a second record for this run, phase, lane and stage; the first is in line " +
              std::to_string(order[i - 1]->line));
    }
  }

  std::string_view bytes_;
  LaneCheckpoints found_;
};

std::string time_text(Timestamp time) { return time.ms % 1000 == 0 ? to_text(time) : to_text_ms(time); }

// The record's fields in their documented order; those that it does not have are "".
std::vector<JsonSetting> fields_of(const LaneCheckpoint& record) {
  const auto number = [](std::optional<long long> n) { return n ? std::to_string(*n) : ""; };
  return {{"run_id", json_string(record.run_id)},
          {"phase", json_string(record.phase)},
          {"lane", json_string(record.lane)},
          {"stage", json_string(record.stage_word())},
          {"status", json_string(record.status_word())},
          {"base_branch", json_string(record.base_branch)},
          {"worktree_path", json_string(record.worktree_path)},
          {"log_path", json_string(record.log_path)},
          {"timestamp", json_string(time_text(record.timestamp))},
          {"notes", json_string(record.notes)},
          {"resume_hint", json_string(record.resume_hint)},
          {"rollback_hint", json_string(record.rollback_hint)},
          {"retry_attempt", number(record.retry_attempt)},
          {"max_retries", number(record.max_retries)},
          {"failure_context", record.failure_context.empty() ? "" : json_list(record.failure_context)}};
}

std::string new_record(const LaneCheckpoint& record) {
  JsonWriter writer;
  writer.begin_object();
  for (const JsonSetting& field : fields_of(record)) {
    if (!field.json.empty()) writer.key(field.key).raw(field.json);
  }
  return writer.end_object().take();
}

// Whether a member says what the record says, maybe in other words.
bool says_the_same(const JsonMember& member, std::string_view name, const LaneCheckpoint& record) {
  const std::string& text = member.value.text;
  if (name == "timestamp") return parse_timestamp(text) == record.timestamp;
  if (name == "stage") return stage_word_of(text) == record.stage_word();
  return false;
}

// What is to be set in a record that is there. A field that the new record does not have must not keep an old
// value.
std::vector<JsonSetting> changes_of(const JsonNode& object, const LaneCheckpoint& record) {
  std::vector<JsonSetting> changes;
  for (JsonSetting& field : fields_of(record)) {
    const JsonMember* member = find_member(object, field.key);
    if (member == nullptr && (field.json.empty() || field.json == "\"\"")) continue;
    if (member != nullptr && says_the_same(*member, field.key, record)) continue;
    if (field.json.empty()) field.json = field.key == "failure_context" ? "[]" : "null";
    if (member != nullptr) field.key = member->key;
    changes.push_back(std::move(field));
  }
  return changes;
}

// Returns a file of one record as a list.
std::string as_list(const JsonDocument& document) {
  const TextSpan span = document.root().span;
  const std::string newline(document.newline());
  return apply_edits(document.bytes(),
                     {{{span.begin, span.begin}, "[" + newline}, {{span.end, span.end}, newline + "]"}});
}

std::string hint(std::string_view plan, const LaneRun& run, std::string_view option) {
  std::vector<std::string> argv = {"reprise", "run", "lanes"};
  if (!plan.empty()) argv.push_back((plan.starts_with('-') ? "./" : "") + std::string(plan));  // not for an option
  if (run.lane != "-") {
    argv.emplace_back("--input");
    argv.push_back("lane=" + std::string(run.lane));
  }
  argv.emplace_back("--run-id");
  argv.emplace_back(run.run_id);
  argv.emplace_back(option);
  return shell_command(argv);
}

}  // namespace

std::string resume_hint(std::string_view plan, const LaneRun& run) { return hint(plan, run, "--resume"); }
std::string rollback_hint(std::string_view plan, const LaneRun& run) { return hint(plan, run, "--rollback"); }

Result<LaneCheckpoints> read_lane_checkpoints(std::string_view bytes, std::string_view file) {
  if (is_blank_text(bytes)) return LaneCheckpoints{};
  return LaneCheckpointsReader(TRY(parse_checkpoints(bytes, file))).take();
}

std::vector<Oddity> LaneCheckpoints::unusable() const {
  std::vector<Oddity> found;
  std::ranges::copy_if(oddities, std::back_inserter(found),
                       [](const Oddity& oddity) { return oddity.why.starts_with(kNoRecord); });
  return found;
}

const LaneCheckpoint* latest_checkpoint(std::span<const LaneCheckpoint> records, const LaneRun& run) {
  const LaneCheckpoint* latest = nullptr;
  for (const LaneCheckpoint& record : records) {
    if (record.run_id != run.run_id || record.phase != run.phase || record.lane != run.lane) continue;
    const auto rank = [](const LaneCheckpoint& each) { return std::tuple(each.timestamp, each.stage); };
    if (latest == nullptr || rank(record) >= rank(*latest)) latest = &record;
  }
  return latest;
}

Result<std::string> upsert_lane_checkpoint(std::string_view bytes, const LaneCheckpoint& record) {
  const LaneCheckpointKey key = record.key();
  if (key.run_id.empty() || key.phase.empty() || key.lane.empty() || key.stage.empty()) {
    return fail(ErrorKind::Invalid, "a checkpoint needs a run id, a phase, a lane and a stage");
  }
  const std::string fresh = std::string(bytes.substr(0, text_start(bytes))) + "[]\n";
  JsonDocument document = TRY(parse_checkpoints(is_blank_text(bytes) ? fresh : bytes, ""));
  if (list_in(document.root()) == nullptr) document = TRY(parse_checkpoints(as_list(document), ""));
  const JsonNode& list = *list_in(document.root());
  std::vector<TextEdit> edits;
  bool is_there = false;
  for (const JsonNode& element : list.elements) {
    if (element.kind != JsonKind::Object || key_in(document.bytes(), element) != key) continue;
    is_there = true;
    for (TextEdit& edit : set_members(document, element, changes_of(element, record)))
      edits.push_back(std::move(edit));
  }
  if (!is_there) edits.push_back(append_element(document, list, new_record(record)));
  return apply_edits(document.bytes(), edits);
}

}  // namespace reprise
