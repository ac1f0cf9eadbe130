#include "app/saved_plan_format.h"

#include <boost/json.hpp>

#include "app/documents.h"
#include "base/check.h"
#include "base/json_writer.h"

namespace reprise {
namespace {

namespace json = boost::json;

constexpr std::int64_t kFormat = 1;

void write_texts(JsonWriter& out, const std::map<std::string, std::string>& texts) {
  out.begin_object();
  for (const auto& [name, text] : texts) out.field(name, text);
  out.end_object();
}

// Reads fields of objects and remembers whether one was missing or of another kind.
struct Reader {
  bool is_sound = true;

  const json::value* find(const json::value& from, std::string_view name) {
    const json::object* object = from.if_object();
    const json::value* found = object == nullptr ? nullptr : object->if_contains(name);
    if (found == nullptr) is_sound = false;
    return found;
  }
  std::string text(const json::value& from, std::string_view name) {
    const json::value* found = find(from, name);
    if (found == nullptr || !found->is_string()) {
      is_sound = false;
      return "";
    }
    return std::string(found->get_string());
  }
  std::int64_t number(const json::value& from, std::string_view name) {
    const json::value* found = find(from, name);
    if (found == nullptr || !found->is_int64()) {
      is_sound = false;
      return 0;
    }
    return found->get_int64();
  }
  std::map<std::string, std::string> texts(const json::value& from, std::string_view name) {
    std::map<std::string, std::string> out;
    const json::value* found = find(from, name);
    if (found == nullptr || !found->is_object()) {
      is_sound = false;
      return out;
    }
    for (const auto& entry : found->get_object()) out[std::string(entry.key())] = text(*found, entry.key());
    return out;
  }
  const json::array& list(const json::value& from, std::string_view name) {
    static const json::array kNone;
    const json::value* found = find(from, name);
    if (found == nullptr || !found->is_array()) {
      is_sound = false;
      return kNone;
    }
    return found->get_array();
  }
  template <typename Enum, std::size_t N>
  Enum token(const json::value& from, std::string_view name, const TokenTable<Enum, N>& table) {
    const std::optional<Enum> found = value_in(table, text(from, name));
    if (!found) is_sound = false;
    return found.value_or(table.front().first);
  }
};

Ground read_ground(Reader& reader, const json::value& from) {
  return {.last_event = reader.number(from, "last_event"),
          .started_at = reader.text(from, "started_at"),
          .definition = reader.text(from, "definition"),
          .state_file = reader.text(from, "state_file"),
          .state_digest = reader.text(from, "state_digest"),
          .files = reader.texts(from, "files"),
          .commits = reader.texts(from, "commits")};
}

Plan read_plan(Reader& reader, const json::value& from) {
  Plan plan;
  plan.id = RunId{reader.text(from, "id")};
  for (const json::value& entry : reader.list(from, "decisions")) {
    StepDecision decision;
    decision.step = StepPath{reader.text(entry, "step")};
    decision.stage = reader.text(entry, "stage");
    decision.decision = reader.token(entry, "decision", kDecisionTokens);
    decision.detail.edit() = reader.text(entry, "reason");
    plan.decisions.push_back(std::move(decision));
  }
  for (const json::value& entry : reader.list(from, "findings")) {
    Finding finding{.rule = reader.text(entry, "rule"), .code = reader.text(entry, "code")};
    finding.severity = reader.token(entry, "severity", kSeverityTokens);
    finding.message = reader.text(entry, "message");
    plan.findings.push_back(std::move(finding));
  }
  for (const json::value& entry : reader.list(from, "waiting_for"))
    plan.waiting_for.push_back(
        {reader.text(entry, "kind"), reader.text(entry, "name"), reader.text(entry, "ask")});
  return plan;
}

}  // namespace

std::string saved_plan_text(const SavedPlan& saved, const Plan& plan, Timestamp at, const std::string& by) {
  JsonWriter out;
  out.begin_object().field("reprise_plan", kFormat).field("saved_at", to_text(at)).field("saved_by", by);
  out.field("repository", saved.repository).field("from", saved.from).key("stands_on").begin_object();
  out.field("last_event", saved.ground.last_event).field("started_at", saved.ground.started_at);
  out.field("definition", saved.ground.definition).field("state_file", saved.ground.state_file);
  out.field("state_digest", saved.ground.state_digest).key("files");
  write_texts(out, saved.ground.files);
  out.key("commits");
  write_texts(out, saved.ground.commits);
  out.end_object().key("plan").raw(plan_document(plan)).end_object();
  return out.take() + "\n";
}

Plan as_read_back(const Plan& plan) {
  Result<SavedPlan> saved = parse_saved_plan(saved_plan_text({}, plan, {}, ""));
  check(saved.has_value());
  return std::move(saved->plan);
}

Result<SavedPlan> parse_saved_plan(std::string_view bytes) {
  json::parse_options limits;
  limits.max_depth = 16;
  boost::system::error_code error;
  const json::value value = json::parse(bytes, error, {}, limits);
  if (error) return fail(ErrorKind::Invalid, "it is not JSON, or was cut off");
  const json::object* object = value.if_object();
  const json::value* format = object == nullptr ? nullptr : object->if_contains("reprise_plan");
  if (format == nullptr || !format->is_int64())
    return fail(ErrorKind::Invalid, "`reprise plan --save` did not write it");
  if (format->get_int64() != kFormat)
    return fail(ErrorKind::Invalid,
                "it is of format " + std::to_string(format->get_int64()) + ", which is not known here");
  Reader reader;
  SavedPlan saved{.repository = reader.text(value, "repository"), .from = reader.text(value, "from")};
  if (const json::value* ground = reader.find(value, "stands_on")) saved.ground = read_ground(reader, *ground);
  if (const json::value* plan = reader.find(value, "plan")) saved.plan = read_plan(reader, *plan);
  if (!reader.is_sound) return fail(ErrorKind::Invalid, "parts of it are missing or changed");
  return saved;
}

}  // namespace reprise
