#include "formats/config_file.h"

#include <algorithm>

#include "base/strings.h"
#include "formats/key_reader.h"

namespace reprise {
namespace {

Worker worker_in(const YamlNode& value, const YamlNode& at, Problems& problems) {
  Worker worker;
  for (const KnownEntry& entry : known_entries(value, Level::Worker, at, problems)) {
    const std::string_view key = entry.spec->name;
    if (key == "run") worker.command = command_in(entry.value);
    if (key == "timeout") worker.timeout = time_in(entry.value);
    if (key == "retries") worker.retries = whole_in(entry.value);
    if (key == "env") {
      check_env(entry.value, problems);
      worker.env = texts_in(entry.value);
    }
  }
  return worker;
}

void read_roles(const YamlNode& value, Config& config, Problems& problems) {
  for (const YamlNode::Entry& role : value.entries()) {
    if (role.value.is_map()) {
      config.roles[text_in(role.key)] = worker_in(role.value, role.key, problems);
    } else {
      problems.add(role.value, "wrong value for the role " + quoted(role.key.text()),
                   "a map with run, env, timeout, retries");
    }
  }
}

void read_workers(const KnownEntry& workers, Config& config, Problems& problems) {
  for (const KnownEntry& entry : known_entries(workers.value, Level::Workers, workers.key, problems)) {
    if (entry.spec->name == "default") config.default_worker = worker_in(entry.value, entry.key, problems);
    if (entry.spec->name == "roles") read_roles(entry.value, config, problems);
  }
}

// Everything below the root may be made into a worktree, excluded from git and removed again: it is a folder of
// its own, never the project, a folder above it, or the file system.
void read_root(const YamlNode& value, Config& config, Problems& problems) {
  config.lanes_root = text_in(value);
  config.lanes_root_line = value.line();
  int depth = 0;
  for (const std::string_view part : split(config.lanes_root, '/')) {
    if (part == "..") depth = std::max(depth - 1, 0);
    if (!part.empty() && part != "." && part != "..") ++depth;
  }
  const bool is_above = depth == 0;
  if (is_above)
    problems.add(value, "lanes.root is no folder of its own: " + quoted(config.lanes_root),
                 "a folder such as .worktrees");
}

void read_lanes(const KnownEntry& lanes, Config& config, Problems& problems) {
  for (const KnownEntry& entry : known_entries(lanes.value, Level::LanesConfig, lanes.key, problems)) {
    if (entry.spec->name == "root") read_root(entry.value, config, problems);
    if (entry.spec->name == "parallel") config.lanes_parallel = whole_in(entry.value);
  }
}

void read_notify(const KnownEntry& notify, Config& config, Problems& problems) {
  for (const KnownEntry& entry : known_entries(notify.value, Level::Notify, notify.key, problems)) {
    if (entry.spec->name == "run") config.notify = command_in(entry.value);
  }
}

Config config_in(const YamlNode& root, Problems& problems) {
  Config config;
  if (root.is_null()) return config;
  if (!root.is_map()) {
    problems.add(root, "a configuration is a map", "workers, lanes, limits, notify");
    return config;
  }
  for (const KnownEntry& entry : known_entries(root, Level::Config, root, problems)) {
    const std::string_view key = entry.spec->name;
    if (key == "workers") read_workers(entry, config, problems);
    if (key == "lanes") read_lanes(entry, config, problems);
    if (key == "limits") config.limits = limits_in(entry.value, entry.key, problems);
    if (key == "notify") read_notify(entry, config, problems);
  }
  return config;
}

}  // namespace

std::expected<Config, std::vector<Problem>> load_config(std::string_view bytes, const std::string& file) {
  Problems problems(file);
  const Result<YamlDocument> document = YamlDocument::parse(bytes, file, document_limits());
  if (!document) {
    problems.add(document.error().line, document.error().column, document.error().message);
    return std::unexpected(problems.take());
  }
  Config config = config_in(document->root(), problems);
  if (!problems.empty()) return std::unexpected(problems.take());
  return config;
}

}  // namespace reprise
