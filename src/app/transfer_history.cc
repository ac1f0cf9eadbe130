#include "app/transfer_history.h"

#include <boost/json.hpp>

#include "app/transfer_tar.h"
#include "base/json_writer.h"
#include "base/strings.h"
#include "git/git.h"
#include "journal/chain.h"
#include "lanes/snapshot.h"
#include "model/event_codec.h"
#include "model/limits.h"

namespace reprise {
namespace {

namespace json = boost::json;

std::unexpected<Error> bad_line(std::size_t number, const std::string& why) {
  return fail(ErrorKind::Invalid, "event " + std::to_string(number) + " in it " + why);
}

Result<RecordedEvent> parse_line(std::string_view line, std::size_t expected) {
  boost::system::error_code error;
  const json::value value = json::parse(json::string_view(line.data(), line.size()), error);
  if (error || !value.is_object()) return bad_line(expected, "is no JSON object");
  const json::object& object = value.get_object();
  const auto number = [&](std::string_view name) -> std::optional<std::int64_t> {
    const json::value* found = object.if_contains(name);
    return found != nullptr && found->is_int64() ? std::optional(found->get_int64()) : std::nullopt;
  };
  const json::value* kind = object.if_contains("kind");
  const json::value* event = object.if_contains("event");
  const std::optional<std::int64_t> version = number("version");
  if (number("number") != static_cast<std::int64_t>(expected) || !number("at") || !version ||
      *version > 1'000'000 || kind == nullptr || !kind->is_string() || event == nullptr)
    return bad_line(expected, "lacks its number, time, kind or version");
  const std::string name(kind->get_string());
  Result<Event> decoded = decode(name, static_cast<int>(*version), json::serialize(*event));
  if (!decoded) return bad_line(expected, "cannot be read: " + decoded.error().message);
  return RecordedEvent{{static_cast<std::int64_t>(expected)}, {*number("at")}, std::move(*decoded)};
}

// Returns the paths of the stages and steps that an event is about.
std::vector<StepPath> step_paths(const AnyEvent& event) {
  return std::visit(
      [](const auto& e) {
        std::vector<StepPath> paths;
        if constexpr (requires { e.step; }) paths.push_back(e.step);
        if constexpr (requires { e.gate; }) paths.push_back(e.gate);
        if constexpr (requires { e.lane; }) paths.push_back(e.lane);
        if constexpr (requires { e.taken_from; }) {
          if (!e.taken_from.text.empty()) paths.push_back(e.taken_from);
        }
        return paths;
      },
      event);
}

// Returns the references of snapshots that an event names.
std::vector<std::string> snapshot_refs(const AnyEvent& event) {
  return std::visit(
      [](const auto& e) {
        std::vector<std::string> refs;
        if constexpr (requires { e.snapshot; }) refs.push_back(e.snapshot);
        if constexpr (requires { e.rescue; }) refs.push_back(e.rescue);
        std::erase(refs, "");
        return refs;
      },
      event);
}

// Returns the first name in an event that may not be used.
std::optional<std::string> find_bad_name(const Event& event) {
  const auto is_bad = [](const std::string& path) { return !path.empty() && !is_portable_path(path); };
  if (const auto* created = std::get_if<RunCreated>(&event)) {
    if (is_bad(created->native_file)) return created->native_file;
    if (!created->serial.empty() && !is_serial(created->serial)) return created->serial;
    if (is_bad(created->source) && !created->source.starts_with("(")) return created->source;
  }
  if (const auto* written = std::get_if<StateFileWritten>(&event); written != nullptr && is_bad(written->file))
    return written->file;
  if (const auto* edited = std::get_if<StateFileEdited>(&event); edited != nullptr && is_bad(edited->file))
    return edited->file;
  if (const auto* lane = std::get_if<LaneCreated>(&event)) {
    if (is_bad(lane->folder)) return lane->folder;
    if (!is_branch_name(lane->branch)) return lane->branch;
  }
  for (const StepPath& step : step_paths(event)) {
    if (!is_portable_path(step.text)) return step.text;
  }
  for (const std::string& ref : snapshot_refs(event)) {
    if (!is_snapshot_ref(ref)) return ref;
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<RecordedEvent>> whole_history(Journal& journal, const RunId& run) {
  std::vector<RecordedEvent> events;
  for (EventNumber after{0};;) {
    std::vector<RecordedEvent> more = TRY(journal.events(run, after, kEventsPerReadMax));
    if (more.empty()) return events;
    after = more.back().number;
    std::ranges::move(more, std::back_inserter(events));
  }
}

std::string to_lines(std::span<const RecordedEvent> events) {
  std::string lines;
  for (const RecordedEvent& event : events) {
    JsonWriter line;
    line.begin_object().field("number", event.number.value).field("at", event.at.ms);
    line.field("kind", kind_of(event.event)).field("version", kEventVersion);
    line.key("event").raw(encode(event.event)).end_object();
    lines += line.take() + "\n";
  }
  return lines;
}

Result<std::vector<RecordedEvent>> parse_lines(std::string_view lines) {
  std::vector<RecordedEvent> events;
  if (!lines.ends_with('\n')) return fail(ErrorKind::Invalid, "there are no events in it");
  lines.remove_suffix(1);
  for (const std::string_view line : split(lines, '\n'))
    events.push_back(TRY(parse_line(line, events.size() + 1)));
  return events;
}

std::vector<Digest> chain_of(const RunId& run, std::span<const RecordedEvent> events) {
  std::vector<Digest> chain;
  Digest last;
  for (const RecordedEvent& event : events) {
    const std::string payload = encode(event.event);
    last = chain_digest(last, run,
                        {.number = event.number,
                         .at = event.at,
                         .kind = kind_of(event.event),
                         .version = kEventVersion,
                         .payload = payload});
    chain.push_back(last);
  }
  return chain;
}

Result<RunState> fold(const RunId& run, std::span<const RecordedEvent> events) {
  RunState state;
  state.id = run;
  for (const RecordedEvent& event : events) {
    if (const Result<void> applied = apply(state, event); !applied)
      return fail(ErrorKind::Invalid, "its events do not follow one another: " + applied.error().message);
  }
  return state;
}

std::set<std::string> digests_named(std::span<const RecordedEvent> events) {
  constexpr std::string_view kMark = "sha256:";
  constexpr std::size_t kLength = kMark.size() + 64;
  std::set<std::string> found;
  for (const RecordedEvent& event : events) {
    const std::string text = encode(event.event);
    for (std::size_t at = text.find(kMark); at != std::string::npos; at = text.find(kMark, at + 1)) {
      const std::string candidate = text.substr(at, kLength);
      if (parse_digest(candidate)) found.insert(candidate);
    }
  }
  return found;
}

Result<void> check_places(std::span<const RecordedEvent> events) {
  for (const RecordedEvent& event : events) {
    if (const std::optional<std::string> bad = find_bad_name(event.event))
      return fail(ErrorKind::Invalid, "event " + std::to_string(event.number.value) + " in it names \"" +
                                          printable_line(*bad, 200) +
                                          "\", which is not a valid name or not inside the project");
  }
  return {};
}

}  // namespace reprise
