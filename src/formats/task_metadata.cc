#include "formats/task_metadata.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "base/strings.h"
#include "formats/problem.h"
#include "formats/state_file.h"
#include "formats/state_words.h"
#include "formats/task_outputs.h"
#include "formats/task_phase_words.h"

namespace reprise {
namespace {

// Valid JSON without the spaces and line ends between its parts.
std::string compact(std::string_view json) {
  std::string out;
  bool is_text = false;
  bool is_escaped = false;
  for (const char c : json) {
    const bool is_space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (is_text || !is_space) out += c;
    if (c == '"' && !is_escaped) is_text = !is_text;
    is_escaped = is_text && c == '\\' && !is_escaped;
  }
  return out;
}

bool is_container(const JsonNode& node) { return node.kind == JsonKind::Array || node.kind == JsonKind::Object; }

// Reads one object of metadata.
class MetadataReader {
 public:
  MetadataReader(std::string_view bytes, TaskClaim& task, std::vector<Oddity>& oddities)
      : bytes_(bytes), task_(task), oddities_(oddities) {}

  void read(const JsonNode& metadata) {
    for (const JsonMember& member : metadata.members) {
      task_.metadata[member.key] = json_as_text(bytes_, member.value);
      const std::string name = normal_key(member.key);
      if (member.key == "_internal") read_internal(member.value);
      const auto row = std::ranges::find(kRows, name, &Row::name);
      if (row != kRows.end() && member.value.kind != JsonKind::Null) (this->*row->read)(member.value);
    }
  }

 private:
  struct Row {
    std::string_view name;
    void (MetadataReader::*read)(const JsonNode&);
  };
  static const std::array<Row, 35> kRows;

  void odd(const JsonNode& node, std::string why) { add_oddity(oddities_, node.line, task_.file, std::move(why)); }
  std::string text(const JsonNode& node) const { return json_as_text(bytes_, node); }
  void add_texts(const JsonNode& node, std::vector<std::string>& to) const {
    for (std::string& each : json_as_texts(bytes_, node)) to.push_back(std::move(each));
  }

  void read_phase(const JsonNode& node) {
    const std::string word = text(node);
    const std::optional<TaskPhase> phase = is_container(node) ? std::nullopt : read_task_phase(word);
    if (phase) {
      task_.phase = phase;
    } else if (!is_nothing(word) && !task_.phase) {
      task_.phase_word = word;
      const std::optional<PhaseLabel> label = read_phase_label(word);
      odd(node, quoted(word) + (label && label->is_beyond ? " is a phase of an older pipeline, and of none of ours"
                                                          : " is not a phase from P0 to P8"));
    }
  }
  void read_domain(const JsonNode& node) { task_.domain = text(node); }
  void read_agent(const JsonNode& node) { task_.agent = text(node); }
  void read_reason(const JsonNode& node) { task_.reason = text(node); }
  void read_parent(const JsonNode& node) { task_.parent = text(node); }
  void read_error(const JsonNode& node) {
    if (node.kind != JsonKind::Boolean) task_.error = text(node);
    if (node.kind == JsonKind::Boolean && node.text == "true") task_.error = "it failed";
  }
  void read_files(const JsonNode& node) {
    if (node.kind != JsonKind::String) return add_texts(node, task_.files);
    for (std::string& path : read_list(node.text)) task_.files.push_back(std::move(path));
  }
  void read_outputs(const JsonNode& node) {
    for (const std::string& text : json_as_texts(bytes_, node)) {
      TaskOutputs found = is_nothing(text) ? TaskOutputs() : read_task_outputs(text);
      std::ranges::move(found.files, std::back_inserter(task_.outputs));
      std::ranges::move(found.texts, std::back_inserter(task_.results));
    }
  }
  // Words, whatever they look like: a summary that is one word with a dot in it promises no file.
  void read_results(const JsonNode& node) {
    for (std::string& text : json_as_texts(bytes_, node)) {
      if (!is_nothing(text)) task_.results.push_back(std::move(text));
    }
  }
  void read_commits(const JsonNode& node) {
    if (node.kind == JsonKind::Object) {
      for (const JsonMember& member : node.members) add_texts(member.value, task_.commits);
    } else if (node.kind == JsonKind::String) {
      for (std::string& commit : read_list(node.text)) task_.commits.push_back(std::move(commit));
    } else {
      add_texts(node, task_.commits);
    }
  }
  void read_completed_at(const JsonNode& node) {
    const std::string word = text(node);
    if (is_nothing_yet(word)) return;
    if (const std::optional<ReadTime> time = read_time(word)) {
      task_.completed_at = time->time;
    } else {
      odd(node, quoted(word) + " is not a point in time");
    }
  }
  void read_internal(const JsonNode& node) {
    task_.is_internal = node.kind != JsonKind::Null && node.text != "false";
  }

  void read_hash(const JsonNode& node, const std::string& path, const std::string& value) {
    if (path.empty() || is_nothing_yet(value)) return;
    const std::optional<ReadDigest> digest = read_digest(value);
    const bool is_whole = digest && digest->form == DigestForm::Complete;
    task_.hashes[path] = is_whole ? "sha256:" + digest->digits : value;
    if (!is_whole) odd(node, quoted(value) + " is not a whole SHA-256 digest");
  }
  void read_hashes(const JsonNode& node) {
    for (const JsonMember& member : node.members) read_hash(member.value, member.key, text(member.value));
    for (const JsonNode& element : node.elements) {
      const auto field = [&](std::string_view a, std::string_view b) {
        const JsonMember* member = find_json_member(element, a);
        if (member == nullptr) member = find_json_member(element, b);
        return member == nullptr ? "" : text(member->value);
      };
      read_hash(element, field("path", "file"), field("hash", "sha256"));
    }
    if (!is_container(node)) odd(node, "digests of files are expected by path, not as " + quoted(text(node)));
  }

  std::string_view bytes_;
  TaskClaim& task_;
  std::vector<Oddity>& oddities_;
};

const std::array<MetadataReader::Row, 35> MetadataReader::kRows = {
    {{"phase", &MetadataReader::read_phase},
     {"phase_id", &MetadataReader::read_phase},
     {"domain", &MetadataReader::read_domain},
     {"agent", &MetadataReader::read_agent},
     {"error", &MetadataReader::read_error},
     {"reason", &MetadataReader::read_reason},
     {"parent", &MetadataReader::read_parent},
     {"parent_id", &MetadataReader::read_parent},
     {"files", &MetadataReader::read_files},
     {"file", &MetadataReader::read_files},
     {"files_in_scope", &MetadataReader::read_files},
     {"files_changed", &MetadataReader::read_files},
     {"files_modified", &MetadataReader::read_files},
     {"outputs", &MetadataReader::read_outputs},
     {"output", &MetadataReader::read_outputs},
     {"output_file", &MetadataReader::read_outputs},
     {"output_files", &MetadataReader::read_outputs},
     {"output_path", &MetadataReader::read_outputs},
     {"output_paths", &MetadataReader::read_outputs},
     {"artifact", &MetadataReader::read_outputs},
     {"artifacts", &MetadataReader::read_outputs},
     {"partial_output", &MetadataReader::read_outputs},
     {"partial_outputs", &MetadataReader::read_outputs},
     {"l1", &MetadataReader::read_outputs},
     {"l2", &MetadataReader::read_outputs},
     {"partial_result", &MetadataReader::read_results},
     {"partial_results", &MetadataReader::read_results},
     {"result", &MetadataReader::read_results},
     {"results", &MetadataReader::read_results},
     {"handoff", &MetadataReader::read_results},
     {"hashes", &MetadataReader::read_hashes},
     {"file_hashes", &MetadataReader::read_hashes},
     {"commits", &MetadataReader::read_commits},
     {"commit", &MetadataReader::read_commits},
     {"completed_at", &MetadataReader::read_completed_at}}};

}  // namespace

void read_task_metadata(std::string_view bytes, const JsonNode& metadata, TaskClaim& task,
                        std::vector<Oddity>& oddities) {
  MetadataReader(bytes, task, oddities).read(metadata);
}

std::string json_as_text(std::string_view bytes, const JsonNode& node) {
  if (node.kind == JsonKind::Null) return "";
  return is_container(node) ? compact(text_of(bytes, node.span)) : node.text;
}

std::vector<std::string> json_as_texts(std::string_view bytes, const JsonNode& node) {
  std::vector<std::string> texts;
  if (node.kind == JsonKind::Array) {
    for (const JsonNode& element : node.elements) {
      const JsonMember* path = find_json_member(element, "path");
      std::string text = json_as_text(bytes, path == nullptr ? element : path->value);
      if (!trim(text).empty()) texts.push_back(std::move(text));
    }
    return texts;
  }
  if (std::string text = json_as_text(bytes, node); !trim(text).empty()) texts.push_back(std::move(text));
  return texts;
}

const JsonMember* find_json_member(const JsonNode& object, std::string_view name) {
  if (const JsonMember* exact = object.find(name)) return exact;
  const std::string wanted = normal_key(name);
  const auto found = std::find_if(object.members.rbegin(), object.members.rend(),
                                  [&](const JsonMember& member) { return normal_key(member.key) == wanted; });
  return found == object.members.rend() ? nullptr : &*found;
}

}  // namespace reprise
