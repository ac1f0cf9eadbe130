#include "formats/worker_result.h"

#include <boost/json.hpp>
#include <cmath>
#include <span>

#include "model/ids.h"
#include "model/limits.h"

namespace reprise {
namespace {

namespace json = boost::json;

// Takes fields out of an object, remembering the first that has the wrong type.
class Taker {
 public:
  explicit Taker(const json::object& object) : object_(object) {}

  const json::value* find(std::string_view name) const {
    const json::value* value = object_.if_contains(name);
    return value == nullptr || value->is_null() ? nullptr : value;
  }

  std::string text(std::string_view name) {
    const json::value* value = find(name);
    if (value == nullptr) return "";
    if (const json::string* string = value->if_string()) return std::string(*string);
    return complain(name, "a string"), "";
  }

  double number(std::string_view name) {
    const json::value* value = find(name);
    if (value == nullptr) return 0;
    boost::system::error_code error;
    const double read = value->to_number<double>(error);
    if (error || !std::isfinite(read) || read < 0) return complain(name, "a number that is not negative"), 0;
    return read;
  }

  std::vector<std::string> texts(std::string_view name) {
    std::vector<std::string> out;
    for (const json::value& value : array(name)) {
      if (const json::string* string = value.if_string()) {
        out.emplace_back(*string);
      } else {
        complain(name, "a list of strings");
      }
    }
    return out;
  }

  std::vector<const json::object*> objects(std::string_view name) {
    std::vector<const json::object*> out;
    for (const json::value& value : array(name)) {
      if (const json::object* object = value.if_object()) {
        out.push_back(object);
      } else {
        complain(name, "a list of objects");
      }
    }
    return out;
  }

  void complain(std::string_view name, std::string_view wanted) {
    if (fault_.empty()) fault_ = "\"" + std::string(name) + "\" must be " + std::string(wanted);
  }
  const std::string& fault() const { return fault_; }
  void adopt(const Taker& inner) {
    if (fault_.empty()) fault_ = inner.fault_;
  }

 private:
  std::span<const json::value> array(std::string_view name) {
    const json::value* value = find(name);
    if (value == nullptr) return {};
    if (const json::array* list = value->if_array()) return {list->data(), list->size()};
    return complain(name, "a list"), std::span<const json::value>();
  }

  const json::object& object_;
  std::string fault_;
};

void read_status(Taker& taker, WorkerResult& result) {
  const std::string status = taker.text("status");
  if (status == "done") {
    result.status = WorkerResult::Status::Done;
  } else if (status == "failed") {
    result.status = WorkerResult::Status::Failed;
  } else if (status == "needs_human") {
    result.status = WorkerResult::Status::NeedsHuman;
  } else if (!status.empty()) {
    taker.complain("status", "done, failed or needs_human");
  }
}

void read_gaps_and_questions(Taker& taker, WorkerResult& result) {
  for (const json::object* object : taker.objects("gaps")) {
    Taker inner(*object);
    result.gaps.push_back({inner.text("id"), inner.text("priority"), inner.text("text")});
    const std::string& priority = result.gaps.back().priority;
    if (!priority.empty() && priority != "Critical" && priority != "Important" && priority != "Minor") {
      inner.complain("priority", "Critical, Important or Minor");
    }
    taker.adopt(inner);
  }
  for (const json::object* object : taker.objects("questions")) {
    Taker inner(*object);
    result.questions.push_back(
        {inner.text("id"), inner.text("text"), inner.texts("gaps"), inner.texts("options")});
    const std::string& id = result.questions.back().id;
    if (id.empty()) {
      inner.complain("questions[].id", "there");
    } else if (!is_run_name(id)) {
      inner.complain("questions[].id", "letters, digits, \".\", \"_\" and \"-\", such as Q1");
    }
    taker.adopt(inner);
  }
}

// What else is said of a task is kept as its metadata.
void read_tasks(Taker& taker, WorkerResult& result) {
  for (const json::object* object : taker.objects("tasks")) {
    Taker inner(*object);
    WorkerResult::Task task{
        .id = inner.text("id"), .subject = inner.text("subject"), .description = inner.text("description")};
    task.phase = inner.text("phase");
    task.blocked_by = inner.texts("blockedBy");
    if (task.subject.empty()) inner.complain("tasks[].subject", "there");
    const json::value* metadata = inner.find("metadata");
    if (metadata != nullptr && !metadata->is_object()) inner.complain("tasks[].metadata", "an object");
    if (metadata != nullptr && metadata->is_object()) {
      for (const auto& [key, value] : metadata->get_object())
        task.metadata[std::string(key)] = json::serialize(value);
    }
    for (const std::string_view key : {"agent", "domain", "files"}) {
      if (const json::value* value = inner.find(key)) task.metadata[std::string(key)] = json::serialize(*value);
    }
    result.tasks.push_back(std::move(task));
    taker.adopt(inner);
  }
}

json::value parse_result(std::string_view bytes, boost::system::error_code& error) {
  json::parse_options options;
  options.max_depth = kDocumentDepthMax;
  return json::parse(bytes, error, {}, options);
}

}  // namespace

Result<WorkerResult> parse_worker_result(std::string_view bytes) {
  boost::system::error_code error;
  const json::value value = parse_result(bytes, error);
  if (error) return fail(ErrorKind::Invalid, "it is not JSON: " + error.message());
  if (!value.is_object()) return fail(ErrorKind::Invalid, "it is not a JSON object");
  Taker taker(value.get_object());
  WorkerResult result;
  read_status(taker, result);
  result.summary = taker.text("summary");
  result.verdict = taker.text("verdict");
  result.artifacts = taker.texts("artifacts");
  read_gaps_and_questions(taker, result);
  read_tasks(taker, result);
  if (const std::string text = taker.text("retry_at"); !text.empty()) {
    result.retry_at = parse_timestamp(text);
    if (!result.retry_at) taker.complain("retry_at", "a time such as 2026-11-15T10:00:00Z");
  }
  if (const json::value* cost = taker.find("cost")) {
    if (const json::object* object = cost->if_object()) {
      Taker inner(*object);
      result.cost_usd = inner.number("usd");
      result.tokens = static_cast<std::int64_t>(inner.number("tokens"));
      taker.adopt(inner);
    } else {
      taker.complain("cost", "an object");
    }
  }
  if (!taker.fault().empty()) return fail(ErrorKind::Invalid, taker.fault());
  return result;
}

}  // namespace reprise
