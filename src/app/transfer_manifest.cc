#include "app/transfer_manifest.h"

#include <boost/json.hpp>

#include "base/json_writer.h"
#include "base/strings.h"

namespace reprise {
namespace {

namespace json = boost::json;

constexpr std::string_view kFormatName = "reprise-run";

std::unexpected<Error> broken(const std::string& what) {
  return fail(ErrorKind::Invalid, "its manifest does not say " + what);
}

Result<std::string> text_of(const json::object& object, std::string_view name) {
  const json::value* found = object.if_contains(name);
  if (found == nullptr || !found->is_string()) return broken(std::string(name));
  return std::string(found->get_string());
}

Result<std::int64_t> number_of(const json::object& object, std::string_view name) {
  const json::value* found = object.if_contains(name);
  if (found == nullptr || !found->is_int64() || found->get_int64() < 0) return broken(std::string(name));
  return found->get_int64();
}

Result<const json::array*> list_of(const json::object& object, std::string_view name) {
  const json::value* found = object.if_contains(name);
  if (found == nullptr || !found->is_array()) return broken(std::string(name));
  return &found->get_array();
}

Result<const json::object*> object_of(const json::value& value, std::string_view name) {
  if (!value.is_object()) return broken(std::string(name));
  return &value.get_object();
}

Result<void> read_lists(const json::object& object, TransferManifest& manifest) {
  for (const json::value& root : *TRY(list_of(object, "roots"))) {
    if (!root.is_string()) return broken("roots");
    manifest.roots.emplace_back(root.get_string());
  }
  for (const json::value& item : *TRY(list_of(object, "refs"))) {
    const json::object& ref = *TRY(object_of(item, "refs"));
    manifest.refs.push_back({TRY(text_of(ref, "ref")), TRY(text_of(ref, "commit"))});
  }
  for (const json::value& item : *TRY(list_of(object, "lanes"))) {
    const json::object& lane = *TRY(object_of(item, "lanes"));
    manifest.lanes.push_back({StepPath{TRY(text_of(lane, "lane"))}, TRY(text_of(lane, "snapshot"))});
  }
  for (const json::value& item : *TRY(list_of(object, "files"))) {
    const json::object& file = *TRY(object_of(item, "files"));
    manifest.files.push_back(
        {TRY(text_of(file, "path")), TRY(number_of(file, "size")), TRY(text_of(file, "sha256"))});
  }
  return {};
}

Result<void> check_format(const json::object& object) {
  if (TRY(text_of(object, "kind")) != kFormatName) return fail(ErrorKind::Invalid, "it is not an exported run");
  const std::int64_t format = TRY(number_of(object, "format"));
  if (format == kTransferFormat) return {};
  return fail(Error{.kind = ErrorKind::Invalid,
                    .message = "it has format " + std::to_string(format) + ", and this version reads format " +
                               std::to_string(kTransferFormat)}
                  .hint("reprise --version"));
}

}  // namespace

std::string to_json(const TransferManifest& manifest) {
  JsonWriter out;
  out.begin_object().field("kind", kFormatName).field("format", kTransferFormat).field("run", manifest.run.text);
  out.field("workflow", manifest.workflow).field("subject", manifest.subject);
  out.field("exported_at", to_text_ms(manifest.at)).field("by", manifest.by).field("host", manifest.host);
  out.field("commit", manifest.commit).key("roots").begin_array();
  for (const std::string& root : manifest.roots) out.value(root);
  out.end_array().field("events", manifest.events).field("head", to_text(manifest.head)).key("refs").begin_array();
  for (const TransferRef& ref : manifest.refs)
    out.begin_object().field("ref", ref.ref).field("commit", ref.commit).end_object();
  out.end_array().key("lanes").begin_array();
  for (const TransferLane& lane : manifest.lanes)
    out.begin_object().field("lane", lane.lane.text).field("snapshot", lane.snapshot).end_object();
  out.end_array().key("files").begin_array();
  for (const TransferFile& file : manifest.files)
    out.begin_object().field("path", file.path).field("size", file.size).field("sha256", file.digest).end_object();
  out.end_array().end_object();
  return out.take() + "\n";
}

Result<TransferManifest> parse_manifest(std::string_view bytes) {
  boost::system::error_code error;
  const json::value value = json::parse(json::string_view(bytes.data(), bytes.size()), error);
  if (error || !value.is_object()) return fail(ErrorKind::Invalid, "its manifest cannot be read");
  const json::object& object = value.get_object();
  TRY_VOID(check_format(object));
  TransferManifest manifest;
  manifest.run.text = TRY(text_of(object, "run"));
  manifest.workflow = TRY(text_of(object, "workflow"));
  manifest.subject = TRY(text_of(object, "subject"));
  manifest.by = TRY(text_of(object, "by"));
  manifest.host = TRY(text_of(object, "host"));
  manifest.commit = TRY(text_of(object, "commit"));
  manifest.events = TRY(number_of(object, "events"));
  const std::optional<Timestamp> at = parse_timestamp(TRY(text_of(object, "exported_at")));
  const std::optional<Digest> head = parse_digest(TRY(text_of(object, "head")));
  if (!at || !head) return broken("when it was exported, and its last event");
  manifest.at = *at;
  manifest.head = *head;
  if (!is_portable_path(manifest.run.text) || path_component(manifest.run.text).size() > kFileNameBytesMax)
    return fail(ErrorKind::Invalid,
                "its manifest names an invalid run id: \"" + printable_line(manifest.run.text, 80) + "\"");
  TRY_VOID(read_lists(object, manifest));
  return manifest;
}

Result<void> check_files(const TransferManifest& manifest, const std::vector<TarEntry>& entries) {
  if (manifest.files.size() != entries.size())
    return fail(ErrorKind::Invalid, "its manifest names " + std::to_string(manifest.files.size()) +
                                        " files, and there are " + std::to_string(entries.size()));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const TransferFile& said = manifest.files[i];
    const TarEntry& there = entries[i];
    const bool is_it = said.path == there.path && said.size == static_cast<std::int64_t>(there.bytes.size()) &&
                       said.digest == to_text(digest_of(there.bytes));
    if (!is_it)
      return fail(ErrorKind::Invalid,
                  "\"" + printable_line(there.path, 200) + "\" in it is not what its manifest says");
  }
  return {};
}

}  // namespace reprise
