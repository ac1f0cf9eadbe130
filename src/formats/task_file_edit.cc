#include "formats/task_file_edit.h"

#include <algorithm>

#include "base/check.h"
#include "base/json_writer.h"
#include "base/strings.h"
#include "formats/state_file.h"
#include "formats/task_file.h"
#include "formats/task_metadata.h"
#include "model/limits.h"

namespace reprise {
namespace {

constexpr std::string_view kErrorKey = "error";

std::string json_object(const std::vector<JsonSetting>& settings) {
  JsonWriter writer;
  writer.begin_object();
  for (const JsonSetting& each : settings) {
    if (each.json != "null") writer.key(each.key).raw(each.json);
  }
  return writer.end_object().take();
}

bool sets_error(const std::vector<JsonSetting>& metadata) {
  return std::ranges::find(metadata, kErrorKey, &JsonSetting::key) != metadata.end();
}

// Of settings with one key the last counts.
std::vector<JsonSetting> without_doubled(const std::vector<JsonSetting>& settings) {
  std::vector<JsonSetting> kept;
  for (const JsonSetting& each : settings) {
    std::erase_if(kept, [&](const JsonSetting& other) { return other.key == each.key; });
    kept.push_back(each);
  }
  return kept;
}

// A task's file that is changed step by step; it is read again after each, so that steps cannot get into each
// other's way.
class Editor {
 public:
  Editor(std::string_view bytes, std::string_view file) : bytes_(bytes), file_(file) {}

  Result<void> set(std::string_view name, const std::string& json) {
    const JsonDocument document = TRY(read());
    const JsonMember* member = find_json_member(document.root(), name);
    apply(set_members(document, document.root(), {{member == nullptr ? std::string(name) : member->key, json}}));
    return {};
  }
  Result<void> set_text(std::string_view name, const std::optional<std::string>& text) {
    return text ? set(name, json_string(*text)) : Result<void>();
  }
  Result<void> set_owner(const std::optional<std::string>& owner) {
    if (!owner || !owner->empty()) return set_text("owner", owner);
    const JsonDocument document = TRY(read());
    if (const JsonMember* member = find_json_member(document.root(), "owner"))
      apply(remove_members(document.root(), {member->key}));
    return {};
  }

  Result<void> add_ids(std::string_view name, const std::vector<std::string>& ids) {
    for (const std::string& id : ids) {
      const JsonDocument document = TRY(read());
      const JsonMember* member = find_json_member(document.root(), name);
      if (member == nullptr || member->value.kind != JsonKind::Array) {
        TRY_VOID(set(name, json_list({id})));
      } else if (std::ranges::find(member->value.elements, id, &JsonNode::text) == member->value.elements.end()) {
        apply({append_element(document, member->value, json_string(id))});
      }
    }
    return {};
  }
  Result<void> remove_ids(std::string_view name, const std::vector<std::string>& ids) {
    const JsonDocument document = TRY(read());
    const JsonMember* member = find_json_member(document.root(), name);
    if (member != nullptr && member->value.kind == JsonKind::Array) apply(remove_elements(member->value, ids));
    return {};
  }

  Result<void> merge_metadata(const std::vector<JsonSetting>& settings) {
    std::vector<JsonSetting> set;
    std::vector<std::string> removed;
    for (const JsonSetting& each : without_doubled(settings)) {
      if (each.json == "null") {
        removed.push_back(each.key);
      } else {
        set.push_back(each);
      }
    }
    TRY_VOID(remove_metadata(removed));
    if (set.empty()) return {};
    const JsonDocument document = TRY(read());
    const JsonMember* member = find_json_member(document.root(), "metadata");
    if (member == nullptr || member->value.kind == JsonKind::Null) return this->set("metadata", json_object(set));
    TRY_VOID(expect_object(member->value));
    apply(set_members(document, member->value, set));
    return {};
  }

  Result<TaskStatus> status() const { return TRY(read_task_file(bytes_, "")).task.status; }
  Result<bool> has_error() const { return !TRY(read_task_file(bytes_, "")).task.error.empty(); }
  std::string take() { return std::move(bytes_); }

 private:
  Result<JsonDocument> read() const {
    if (std::optional<Error> damage = find_damage(bytes_, file_)) return fail(std::move(*damage));
    Result<JsonDocument> document =
        JsonDocument::parse(bytes_, {.depth_max = kDocumentDepthMax, .nodes_max = kDocumentNodesMax});
    if (!document || document->root().kind == JsonKind::Object) return document;
    return fail(ErrorKind::Corrupt, "not a task");
  }
  void apply(const std::vector<TextEdit>& edits) { bytes_ = apply_edits(bytes_, edits); }

  Result<void> expect_object(const JsonNode& metadata) const {
    if (metadata.kind == JsonKind::Object) return {};
    return fail(Error{.kind = ErrorKind::Invalid,
                      .message = "the metadata is not an object",
                      .file = file_,
                      .line = metadata.line,
                      .column = 1});
  }
  Result<void> remove_metadata(const std::vector<std::string>& keys) {
    if (keys.empty()) return {};
    const JsonDocument document = TRY(read());
    const JsonMember* member = find_json_member(document.root(), "metadata");
    if (member == nullptr || member->value.kind == JsonKind::Null) return {};
    TRY_VOID(expect_object(member->value));
    apply(remove_members(member->value, keys));
    return {};
  }

  std::string bytes_;
  std::string file_;
};

Result<void> set_status(Editor& editor, TaskStatus status, const std::vector<JsonSetting>& metadata) {
  check(status != TaskStatus::Unknown);
  const bool is_so = TRY(editor.status()) == status;
  const bool had_error = TRY(editor.has_error());
  if (status == TaskStatus::Failed) {
    if (is_so) return {};
    TRY_VOID(editor.set("status", json_string(to_token(TaskStatus::Pending))));
    if (sets_error(metadata) || had_error) return {};
    return editor.merge_metadata({{std::string(kErrorKey), "\"failed\""}});
  }
  TRY_VOID(editor.set("status", json_string(to_token(status))));
  if (!had_error || sets_error(metadata)) return {};
  return editor.merge_metadata({{std::string(kErrorKey), "null"}});
}

}  // namespace

std::string new_task_file(const std::string& id, const NewTask& task) {
  std::vector<JsonSetting> metadata = without_doubled(task.metadata);
  const bool is_failed = task.status == TaskStatus::Failed;
  if (is_failed && !sets_error(metadata)) metadata.push_back({std::string(kErrorKey), "\"failed\""});
  std::erase_if(metadata, [](const JsonSetting& each) { return each.json == "null"; });
  const TaskStatus status = is_failed ? TaskStatus::Pending : task.status;
  std::vector<JsonSetting> fields = {
      {"id", json_string(id)},
      {"subject", json_string(task.subject)},
      {"description", json_string(task.description)},
      {"activeForm", json_string(task.active_form.empty() ? task.subject : task.active_form)},
      {"status", json_string(to_token(status))},
      {"blocks", json_list(task.blocks)},
      {"blockedBy", json_list(task.blocked_by)}};
  if (!task.owner.empty()) fields.push_back({"owner", json_string(task.owner)});
  if (!metadata.empty()) fields.push_back({"metadata", json_object(metadata)});
  const Result<JsonDocument> empty = JsonDocument::parse("{}", {});
  check(empty.has_value());
  return apply_edits("{}", set_members(*empty, empty->root(), fields));
}

Result<std::string> edit_task_file(std::string_view bytes, const TaskChange& change, std::string_view file) {
  TRY_VOID(read_task_file(bytes, file));
  Editor editor(bytes, file);
  TRY_VOID(editor.set_text("subject", change.subject));
  TRY_VOID(editor.set_text("description", change.description));
  TRY_VOID(editor.set_text("activeForm", change.active_form));
  if (change.status) TRY_VOID(set_status(editor, *change.status, change.metadata));
  TRY_VOID(editor.add_ids("blocks", change.add_blocks));
  TRY_VOID(editor.add_ids("blockedBy", change.add_blocked_by));
  if (!change.remove_blocks.empty()) TRY_VOID(editor.remove_ids("blocks", change.remove_blocks));
  if (!change.remove_blocked_by.empty()) TRY_VOID(editor.remove_ids("blockedBy", change.remove_blocked_by));
  TRY_VOID(editor.set_owner(change.owner));
  TRY_VOID(editor.merge_metadata(change.metadata));
  return editor.take();
}

std::string as_json_value(std::string_view text) {
  const Result<JsonDocument> document =
      JsonDocument::parse(std::string(text), {.depth_max = kDocumentDepthMax - 2, .nodes_max = kDocumentNodesMax});
  const bool is_json = document && document->root().kind != JsonKind::String;
  return is_json ? std::string(trim(text)) : json_string(text);
}

}  // namespace reprise
