#include "formats/task_file.h"

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "formats/permanent_task.h"
#include "formats/problem.h"
#include "formats/state_file.h"
#include "formats/state_words.h"
#include "formats/task_links.h"
#include "formats/task_metadata.h"
#include "model/limits.h"
#include "text/json_document.h"

namespace reprise {
namespace {

constexpr std::string_view kExtension = ".json";
constexpr std::string_view kPermanent = "[PERMANENT]";

Error not_a_task(const JsonNode& node, std::string_view file) {
  return {.kind = ErrorKind::Corrupt,
          .message = "not a task: an object with its fields was expected",
          .file = std::string(file),
          .line = std::max(node.line, 1),
          .column = 1};
}

// Reads one task's object.
class TaskFileReader {
 public:
  TaskFileReader(std::string_view bytes, std::string_view file) : bytes_(bytes) { read_.task.file = file; }

  ReadTask read(const JsonNode& object) {
    read_id(object);
    task().subject = text_of_field(object, "subject");
    task().description = text_of_field(object, "description");
    task().owner = text_of_field(object, "owner");
    task().blocks = read_ids(object, "blocks");
    task().blocked_by = read_ids(object, "blockedBy");
    read_permanent(object);
    if (const JsonMember* metadata = find_json_member(object, "metadata")) read_metadata(metadata->value);
    read_status(object);
    return std::move(read_);
  }
  void repeated(const std::vector<JsonRepeatedKey>& keys) {
    for (const JsonRepeatedKey& each : keys)
      odd(each.line, "the key " + quoted(each.key) + " stands there twice; the last one counts");
  }

 private:
  TaskClaim& task() { return read_.task; }
  void odd(int line, std::string why) { add_oddity(read_.oddities, line, task().file, std::move(why)); }

  std::string text_of_field(const JsonNode& object, std::string_view name) {
    const JsonMember* member = find_json_member(object, name);
    if (member == nullptr) return "";
    if (member->value.kind != JsonKind::String && member->value.kind != JsonKind::Null)
      odd(member->value.line, "the " + std::string(name) + " is not text");
    return json_as_text(bytes_, member->value);
  }

  void read_id(const JsonNode& object) {
    const JsonMember* member = find_json_member(object, "id");
    const std::string_view name = id_of_task_file(task().file);
    if (member != nullptr) task().id = trim(json_as_text(bytes_, member->value));
    task().is_numeric_id = member != nullptr && member->value.kind == JsonKind::Number;
    if (task().is_numeric_id) {
      odd(member->value.line,
          "the id is written as a number; it should be text, else the tool that made the list does not show it");
    }
    if (task().id.empty())
      odd(object.line, "it has no id" + std::string(name.empty() ? "" : "; its file's name tells"));
    if (!name.empty() && !task().id.empty() && name != task().id)
      odd(object.line, "it says that it is task " + quoted(task().id) + "; its file's name counts");
    if (!name.empty()) task().id = name;
  }

  std::vector<std::string> read_ids(const JsonNode& object, std::string_view field) {
    std::vector<std::string> ids;
    const JsonMember* member = find_json_member(object, field);
    if (member == nullptr || member->value.kind == JsonKind::Null) return ids;
    const JsonNode& node = member->value;
    if (node.kind != JsonKind::Array) odd(node.line, std::string(field) + " is not a list");
    const std::vector<JsonNode> alone = {node};
    for (const JsonNode& element : node.kind == JsonKind::Array ? node.elements : alone) {
      const bool is_number = element.kind == JsonKind::Number;
      const std::string id(trim(element.text));
      if ((element.kind != JsonKind::String && !is_number) || id.empty()) {
        odd(element.line,
            quoted(text_of(bytes_, element.span)) + " in " + std::string(field) + " is no task's id");
        continue;
      }
      if (is_number) odd(element.line, "the id " + id + " in " + std::string(field) + " is written as a number");
      if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
    }
    return ids;
  }

  void read_permanent(const JsonNode& object) {
    task().is_permanent = behind_permanent_prefix(task().subject).has_value();
    if (task().is_permanent && !task().subject.starts_with(kPermanent))
      odd(object.line, quoted(task().subject) + " should begin with " + std::string(kPermanent));
  }

  void read_metadata(const JsonNode& metadata) {
    if (metadata.kind == JsonKind::Object) {
      read_task_metadata(bytes_, metadata, task(), read_.oddities);
    } else if (metadata.kind != JsonKind::Null) {
      odd(metadata.line, "the metadata is not an object");
    }
    const auto type = task().metadata.find("type");
    if (type != task().metadata.end() && type->second == "permanent" && !task().is_permanent)
      odd(metadata.line, "its type is permanent, but its subject does not begin with " + std::string(kPermanent));
  }

  void read_status(const JsonNode& object) {
    const JsonMember* member = find_json_member(object, "status");
    const int line = member == nullptr ? object.line : member->value.line;
    task().status_word = member == nullptr ? "" : json_as_text(bytes_, member->value);
    const std::string word = normal_key(task().status_word);
    const std::optional<TaskStatus> status = value_in(kTaskStatusTokens, word);
    if (!status || *status == TaskStatus::Unknown) {
      odd(line,
          task().status_word.empty() ? "it has no status" : quoted(task().status_word) + " is no known status");
      return;
    }
    task().status = *status;
    if (word != task().status_word) odd(line, quoted(task().status_word) + " is read as " + word);
    const bool is_settled = *status == TaskStatus::Completed || *status == TaskStatus::Pending;
    if (is_settled && !task().error.empty()) task().status = TaskStatus::Failed;
  }

  std::string_view bytes_;
  ReadTask read_;
};

std::optional<long long> number_of(std::string_view id) { return parse_number(id, 999'999'999'999'999'999); }

// Of tasks with one id the last counts.
void drop_doubled(std::vector<TaskClaim>& tasks, std::vector<Oddity>& oddities) {
  std::vector<TaskClaim> kept;
  for (TaskClaim& task : tasks) {
    if (kept.empty() || kept.back().id != task.id) {
      kept.push_back(std::move(task));
      continue;
    }
    add_oddity(oddities, 0, task.file, "there is more than one task " + quoted(task.id) + "; the last one counts");
    kept.back() = std::move(task);
  }
  tasks = std::move(kept);
}

}  // namespace

Result<ReadTask> read_task_file(std::string_view bytes, std::string_view file) {
  const JsonDocument document = TRY(parse_state_json(bytes, file));
  if (document.root().kind != JsonKind::Object) return fail(not_a_task(document.root(), file));
  TaskFileReader reader(document.bytes(), file);
  reader.repeated(document.repeated_keys());
  return reader.read(document.root());
}

Result<std::vector<ReadTask>> read_task_snapshot(std::string_view bytes, std::string_view file) {
  std::vector<ReadTask> tasks;
  if (trim(bytes.substr(bytes.starts_with("\xEF\xBB\xBF") ? 3 : 0)).empty()) return tasks;
  const JsonDocument document = TRY(parse_state_json(bytes, file));
  if (document.root().kind != JsonKind::Array) return fail(not_a_task(document.root(), file));
  for (const JsonNode& element : document.root().elements) {
    if (element.kind != JsonKind::Object) return fail(not_a_task(element, file));
    tasks.push_back(TaskFileReader(document.bytes(), "").read(element));
  }
  return tasks;
}

ReadTask damaged_task(std::string_view file, const Error& error) {
  ReadTask read;
  read.task.id = id_of_task_file(file);
  read.task.file = file;
  read.task.is_damaged = true;
  const std::string column = error.column > 0 ? " (column " + std::to_string(error.column) + ")" : "";
  read.oddities.push_back({error.line, std::string(file), "cannot be read: " + error.message + column});
  return read;
}

TaskListClaims assemble_task_list(std::string list, std::vector<ReadTask> tasks, std::int64_t high_water_mark) {
  TaskListClaims claims;
  claims.list = std::move(list);
  claims.high_water_mark = high_water_mark;
  std::ranges::stable_sort(tasks, comes_before, [](const ReadTask& read) { return read.task.id; });
  for (ReadTask& read : tasks) {
    claims.high_water_mark = std::max<std::int64_t>(claims.high_water_mark, number_of(read.task.id).value_or(0));
    claims.updated_at = std::max(claims.updated_at, read.task.file_time);
    for (Oddity& oddity : read.oddities) {
      if (claims.oddities.size() < kOdditiesMax) claims.oddities.push_back(std::move(oddity));
    }
    claims.tasks.push_back(std::move(read.task));
  }
  std::vector<Oddity> more;
  drop_doubled(claims.tasks, more);
  complete_task_links(claims.tasks, more);
  claims.permanent = find_permanent_task(claims.tasks, more);
  claims.oddities.insert(claims.oddities.end(), more.begin(), more.end());
  return claims;
}

std::string_view id_of_task_file(std::string_view name) {
  if (!name.ends_with(kExtension) || name.starts_with('.')) return "";
  return name.substr(0, name.size() - kExtension.size());
}

std::string task_list_folder(std::string_view id) {
  std::string folder(id);
  for (char& c : folder) {
    const bool stays = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!stays) c = '-';
  }
  return folder;
}

bool comes_before(std::string_view a, std::string_view b) {
  const std::optional<long long> first = number_of(a);
  const std::optional<long long> second = number_of(b);
  if (first && second && *first != *second) return *first < *second;
  if (first.has_value() != second.has_value()) return first.has_value();
  return a < b;
}

std::optional<std::string_view> behind_permanent_prefix(std::string_view subject) {
  subject = trim(subject);
  const std::size_t close = subject.find(']');
  if (!subject.starts_with('[') || close == subject.npos) return std::nullopt;
  if (to_lower(trim(subject.substr(1, close - 1))) != "permanent") return std::nullopt;
  return trim(subject.substr(close + 1));
}

}  // namespace reprise
