// The messages as JSON.

#include "guard/protocol.h"

#include <boost/json.hpp>

#include "guard/guard.h"

namespace reprise {
namespace {

namespace json = boost::json;

template <typename What>
struct Name {
  What what;
  std::string_view token;
};
constexpr Name<GuardRequest::What> kRequests[] = {
    {GuardRequest::What::Hello, "hello"}, {GuardRequest::What::Start, "start"},
    {GuardRequest::What::Stop, "stop"},   {GuardRequest::What::LookUp, "look_up"},
    {GuardRequest::What::Sight, "sight"}, {GuardRequest::What::Poke, "poke"}};
constexpr Name<GuardReply::What> kReplies[] = {
    {GuardReply::What::Hello, "hello"},       {GuardReply::What::Ended, "ended"},
    {GuardReply::What::Sighting, "sighting"}, {GuardReply::What::Poke, "poke"},
    {GuardReply::What::Refused, "refused"},   {GuardReply::What::Trouble, "trouble"}};
constexpr Name<AttemptSighting::What> kSightings[] = {{AttemptSighting::What::Ended, "ended"},
                                                      {AttemptSighting::What::Running, "running"},
                                                      {AttemptSighting::What::Gone, "gone"}};

template <typename What, std::size_t count>
std::string_view token_of(const Name<What> (&names)[count], What what) {
  for (const Name<What>& name : names) {
    if (name.what == what) return name.token;
  }
  return "";
}

template <typename What, std::size_t count>
What from_token(const Name<What> (&names)[count], std::string_view token, What otherwise) {
  for (const Name<What>& name : names) {
    if (name.token == token) return name.what;
  }
  return otherwise;
}

json::object message(std::string_view what) {
  json::object object;
  object.emplace("v", kGuardProtocol);
  object.emplace("op", what);
  return object;
}

std::optional<json::object> parse(std::string_view line) {
  json::error_code error;
  json::parse_options options;
  options.allow_invalid_utf8 = true;
  json::value value = json::parse(line, error, {}, options);
  if (error || !value.is_object()) return std::nullopt;
  return std::move(value.get_object());
}

std::string text_in(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  const json::string* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string() : std::string(text->data(), text->size());
}

std::optional<std::int64_t> number_in(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  const std::int64_t* number = value == nullptr ? nullptr : value->if_int64();
  return number == nullptr ? std::nullopt : std::optional(*number);
}

bool flag_in(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_bool() && value->get_bool();
}

json::array array_of(const std::vector<std::string>& texts) {
  json::array array;
  array.reserve(texts.size());
  for (const std::string& text : texts) array.emplace_back(text);
  return array;
}

std::vector<std::string> texts_in(const json::object& object, std::string_view key) {
  std::vector<std::string> texts;
  const json::value* value = object.if_contains(key);
  const json::array* array = value == nullptr ? nullptr : value->if_array();
  if (array == nullptr) return texts;
  for (const json::value& element : *array) {
    if (const json::string* text = element.if_string()) texts.emplace_back(text->data(), text->size());
  }
  return texts;
}

json::object to_json(const WorkerSpec& spec) {
  return {{"attempt", spec.attempt},
          {"argv", array_of(spec.argv)},
          {"environment", array_of(spec.environment)},
          {"directory", spec.directory},
          {"stdout_path", spec.stdout_path},
          {"stderr_path", spec.stderr_path},
          {"result_path", spec.result_path},
          {"result_bytes_max", spec.result_bytes_max},
          {"output_bytes_max", spec.output_bytes_max},
          {"timeout_ms", spec.timeout_ms},
          {"grace_ms", spec.grace_ms},
          {"secrets", array_of(spec.secrets)}};
}

WorkerSpec spec_from(const json::object& object) {
  return {.attempt = text_in(object, "attempt"),
          .argv = texts_in(object, "argv"),
          .environment = texts_in(object, "environment"),
          .directory = text_in(object, "directory"),
          .stdout_path = text_in(object, "stdout_path"),
          .stderr_path = text_in(object, "stderr_path"),
          .result_path = text_in(object, "result_path"),
          .result_bytes_max = number_in(object, "result_bytes_max").value_or(0),
          .output_bytes_max = number_in(object, "output_bytes_max").value_or(0),
          .timeout_ms = number_in(object, "timeout_ms").value_or(0),
          .grace_ms = number_in(object, "grace_ms").value_or(0),
          .secrets = texts_in(object, "secrets")};
}

json::object to_json(const ExitRecord& record) {
  json::object object = {{"attempt", record.attempt}};
  if (record.exit_code) object.emplace("exit_code", *record.exit_code);
  if (record.signal != 0) object.emplace("signal", record.signal);
  if (record.timed_out) object.emplace("timed_out", true);
  if (record.stopped) object.emplace("stopped", true);
  if (!record.start_error.empty()) object.emplace("start_error", record.start_error);
  if (record.is_shortage) object.emplace("shortage", true);
  if (record.left_result) object.emplace("result", true);
  object.emplace("duration_ms", record.duration_ms);
  object.emplace("stdout_bytes", record.stdout_bytes);
  object.emplace("stderr_bytes", record.stderr_bytes);
  object.emplace("ended_at_ms", record.ended_at.ms);
  return object;
}

std::optional<ExitRecord> record_from(const json::object& object) {
  ExitRecord record;
  record.attempt = text_in(object, "attempt");
  if (record.attempt.empty() || !object.contains("ended_at_ms")) return std::nullopt;
  if (const std::optional<std::int64_t> code = number_in(object, "exit_code")) {
    record.exit_code = static_cast<int>(*code);
  }
  record.signal = static_cast<int>(number_in(object, "signal").value_or(0));
  record.timed_out = flag_in(object, "timed_out");
  record.stopped = flag_in(object, "stopped");
  record.start_error = text_in(object, "start_error");
  record.is_shortage = flag_in(object, "shortage");
  record.left_result = flag_in(object, "result");
  record.duration_ms = number_in(object, "duration_ms").value_or(0);
  record.stdout_bytes = number_in(object, "stdout_bytes").value_or(0);
  record.stderr_bytes = number_in(object, "stderr_bytes").value_or(0);
  record.ended_at = {number_in(object, "ended_at_ms").value_or(0)};
  return record;
}

template <typename Take>
void each_object(const json::object& object, std::string_view key, Take&& take) {
  const json::value* value = object.if_contains(key);
  const json::array* array = value == nullptr ? nullptr : value->if_array();
  if (array == nullptr) return;
  for (const json::value& element : *array) {
    if (const json::object* entry = element.if_object()) take(*entry);
  }
}

}  // namespace

std::string encode_start(std::int64_t token, const std::vector<WorkerSpec>& specs) {
  json::object object = message("start");
  object.emplace("token", token);
  json::array array;
  for (const WorkerSpec& spec : specs) array.emplace_back(to_json(spec));
  object.emplace("specs", std::move(array));
  return json::serialize(object);
}

std::string encode(const GuardRequest& request) {
  json::object object = message(token_of(kRequests, request.what));
  if (request.token) object.emplace("token", *request.token);
  if (!request.attempt.empty()) object.emplace("attempt", request.attempt);
  return json::serialize(object);
}

std::string encode(const GuardReply& reply) {
  json::object object = message(token_of(kReplies, reply.what));
  if (!reply.attempt.empty()) object.emplace("attempt", reply.attempt);
  if (!reply.message.empty()) object.emplace("message", reply.message);
  if (reply.what == GuardReply::What::Ended) {
    json::array array;
    for (const ExitRecord& record : reply.ended) array.emplace_back(to_json(record));
    object.emplace("records", std::move(array));
  }
  if (reply.what == GuardReply::What::Sighting) {
    object.emplace("what", token_of(kSightings, reply.sighting.what));
    if (reply.sighting.what == AttemptSighting::What::Ended) {
      object.emplace("record", to_json(reply.sighting.record));
    }
  }
  return json::serialize(object);
}

std::string encode(const ExitRecord& record) { return json::serialize(to_json(record)); }

GuardRequest decode_request(std::string_view line) {
  const std::optional<json::object> object = parse(line);
  if (!object) return {};
  GuardRequest request{.what = from_token(kRequests, text_in(*object, "op"), GuardRequest::What::Unknown),
                       .token = number_in(*object, "token"),
                       .attempt = text_in(*object, "attempt")};
  each_object(*object, "specs", [&](const json::object& spec) { request.specs.push_back(spec_from(spec)); });
  return request;
}

GuardReply decode_reply(std::string_view line) {
  const std::optional<json::object> object = parse(line);
  if (!object) return {};
  GuardReply reply{.what = from_token(kReplies, text_in(*object, "op"), GuardReply::What::Unknown),
                   .attempt = text_in(*object, "attempt"),
                   .message = text_in(*object, "message")};
  each_object(*object, "records", [&](const json::object& entry) {
    if (std::optional<ExitRecord> record = record_from(entry)) reply.ended.push_back(std::move(*record));
  });
  reply.sighting.what = from_token(kSightings, text_in(*object, "what"), AttemptSighting::What::Gone);
  const json::value* record = object->if_contains("record");
  if (record != nullptr && record->is_object()) {
    reply.sighting.record = record_from(record->get_object()).value_or(ExitRecord{});
  }
  return reply;
}

std::optional<ExitRecord> decode_record(std::string_view line) {
  const std::optional<json::object> object = parse(line);
  return object ? record_from(*object) : std::nullopt;
}

std::string encode_text(std::string_view text) { return json::serialize(json::string_view(text)); }

}  // namespace reprise
