#include "app/lane_definition.h"

#include "base/digest.h"
#include "base/strings.h"
#include "formats/lane_plan.h"
#include "formats/lane_workflow.h"
#include "git/git.h"
#include "git/git_output.h"
#include "model/limits.h"
#include "os/machine.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

std::string input_of(const std::map<std::string, std::string>& inputs, const std::string& name) {
  const auto found = inputs.find(name);
  return found == inputs.end() ? "" : found->second;
}

}  // namespace

std::string plan_place(App& app, const std::string& file) {
  const Result<fs::path> path =
      fs::path(file).is_absolute() ? Result<fs::path>(fs::path(file)) : canonical_path(file);
  if (!path) return file;
  const fs::path relative = path->lexically_relative(app.project);
  const bool is_inside = !relative.empty() && !relative.string().starts_with("..");
  return is_inside ? relative.string() : path->string();
}

std::optional<LaneRunName> lane_run_name(const RunId& run) {
  const std::vector<std::string_view> parts = split(run.text, '/');
  if (parts.size() != 4 || parts[0] != kLanesWorkflow) return std::nullopt;
  return LaneRunName{std::string(parts[1]), std::string(parts[2]), std::string(parts[3])};
}

RunId to_run_id(const LaneRunName& name) {
  return RunId{std::string(kLanesWorkflow) + "/" + name.run_id + "/" + name.phase + "/" + name.lane};
}

Result<Definition> load_lanes(App& app, const std::string& file,
                              const std::map<std::string, std::string>& inputs) {
  if (file.empty()) {
    return fail(Error{.kind = ErrorKind::Invalid, .message = "lanes needs the phase plan to work on"}.hint(
        "reprise run lanes plans/P1.md"));
  }
  const std::string place = plan_place(app, file);
  const Result<std::string> bytes = app.files.read(app.project / place, kDocumentBytesMax);
  if (!bytes) return fail(bytes.error());
  const std::expected<PhasePlan, std::vector<Problem>> plan = read_phase_plan(*bytes, place);
  if (!plan) {
    return fail(error_of(plan.error()));
  }
  Definition definition;
  definition.workflow =
      TRY(lanes_workflow(*plan, {.base = input_of(inputs, "base"),
                                 .lane = input_of(inputs, "lane"),
                                 .publish = input_of(inputs, "publish"),
                                 .task_worktrees = input_of(inputs, "task_worktrees") == "yes"}));
  definition.text = to_json(definition.workflow);
  definition.digest = to_text(digest_of(definition.text));
  definition.source_digest = to_text(digest_of(*bytes));
  return definition;
}

Result<void> check_base_is_clean(App& app, const std::map<std::string, std::string>& inputs) {
  if (input_of(inputs, "publish") != "merge") return {};
  const Result<Git> git = Git::open(app.project);
  if (!git) return {};  // whoever makes the lane says so
  std::string base = input_of(inputs, "base");
  if (base.empty()) base = TRY(git->branch()).value_or("");
  for (const WorktreeEntry& entry : TRY(list_worktrees(*git))) {
    if (entry.is_bare || entry.branch != base) continue;
    const Result<Git> there = Git::open(entry.path);
    if (!there) return {};
    const GitAnswer status = TRY(there->run({"status", "--porcelain=v2", "-z", "--untracked-files=no"}));
    const TreeStatus seen = parse_status(status.output);
    if (!status.ok() || seen.is_clean()) return {};
    const std::string file = seen.changed.empty() ? seen.conflicted.front() : seen.changed.front().path;
    return fail(Error{.kind = ErrorKind::Invalid,
                      .message = "lanes are to be merged into " + printable_line(base, 80) +
                                 ", which has uncommitted " + "changes: " + printable_line(file, 200) +
                                 "; commit or stash them first"}
                    .hint("git -C " + shell_quote(entry.path.string()) + " status"));
  }
  return {};
}

std::string phase_in(const Definition& definition) { return phase_of(definition.workflow); }

Result<LaneRunName> name_lane_run(App& app, const Definition& definition, const std::string& run_name,
                                  const std::map<std::string, std::string>& inputs) {
  LaneRunName name{.run_id = run_name, .phase = phase_of(definition.workflow), .lane = input_of(inputs, "lane")};
  if (name.run_id.empty()) {
    std::string time = to_text(app.clock.now());
    std::erase_if(time, [](char c) { return c == '-' || c == ':' || c == 'Z'; });
    time[8] = '-';
    name.run_id = name.phase + "-" + (name.lane.empty() ? "" : name.lane + "-") + time.substr(0, 15);
  }
  if (name.lane.empty()) name.lane = "-";
  if (!is_run_name(name.run_id)) {
    return fail(ErrorKind::Invalid,
                "\"" + printable_line(name.run_id, 80) +
                    "\" cannot name a run; allowed: 1 to 64 of A-Z a-z 0-9 . _ -, not starting "
                    "with -");
  }
  return name;
}

}  // namespace reprise
