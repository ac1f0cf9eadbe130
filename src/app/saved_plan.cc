#include "app/saved_plan.h"

#include <algorithm>

#include "app/documents.h"
#include "app/lane_look.h"
#include "app/plan_differences.h"
#include "app/project_files.h"
#include "app/saved_plan_format.h"
#include "base/strings.h"
#include "evidence/collector.h"
#include "git/git.h"
#include "model/event_codec.h"

namespace reprise {
namespace {

constexpr std::size_t kEventsNamedMax = 8;
constexpr std::size_t kFileBytesMax = 256u << 20;  // a plan has a decision per step

// The repository, by the folder that all its worktrees share; the project where there is none.
std::string repository_path(App& app) {
  const Result<Git> git = Git::open(app.project);
  return git ? git->common_dir().string() : app.project.string();
}

Result<std::string> digest_now(App& app, const std::string& path) {
  return TRY(Collector(app.files, app.project).look(path, nullptr)).digest;
}

// The files that the decisions name as evidence: paths in the project, or beside the state file that tells of
// them. What lies outside of the project is not looked at.
Result<void> look_at_evidence(App& app, const Plan& plan, Ground& ground) {
  const std::filesystem::path beside = std::filesystem::path(ground.state_file).parent_path();
  for (const StepDecision& decision : plan.decisions) {
    for (const Evidence& evidence : decision.evidence()) {
      if (evidence.kind != "file") continue;
      const std::string near = (beside / evidence.subject).lexically_normal().string();
      const std::string& path =
          !is_inside(app, evidence.subject) && is_inside(app, near) ? near : evidence.subject;
      if (ground.files.contains(path)) continue;
      ground.files[path] = is_inside(app, path) ? TRY(digest_now(app, path)) : "";
    }
  }
  return {};
}

Result<void> look_at_branches(App& app, const std::vector<std::string>& branches, Ground& ground) {
  if (branches.empty()) return {};
  const Result<Git> git = Git::open(app.project);
  if (!git) return {};
  for (const std::string& branch : branches) {
    if (!branch.empty()) ground.commits[branch] = TRY(git->commit_of(branch)).value_or("");
  }
  return {};
}

Result<void> look_at_run(const PlannedWork& work, const RunId& run, Ground& ground) {
  const RunState state = TRY(work.journal->state(run));
  ground.last_event = state.last.value;
  ground.started_at = to_text_ms(state.started_at);
  ground.definition = TRY(definition_for(work.app, *work.journal, state)).digest;
  ground.state_file = state.state_file.path;
  for (const SeenFile& file : state.baseline) ground.files[file.path] = TRY(digest_now(work.app, file.path));
  std::vector<std::string> branches;
  for (const auto& [path, lane] : state.lanes) {
    branches.push_back(lane.branch);
    branches.push_back(lane.base);
  }
  return look_at_branches(work.app, branches, ground);
}

Result<void> look_at_found(App& app, const Candidate& candidate, Ground& ground) {
  ground.state_file = candidate.state_file;
  if (candidate.system != "lanes" || candidate.damaged) return {};
  const LaneFound found = TRY(look_at_found_lane(app, candidate));
  return look_at_branches(app, {found.latest.base_branch}, ground);
}

// ---- telling what moved

std::string told(const std::string& digest) {
  if (digest.empty()) return "missing";
  const std::size_t digits = digest.starts_with("sha256:") ? 7 + 12 : 12;
  return digest.size() <= digits ? digest : digest.substr(0, digits) + "…";
}

void compare(const std::string& name, const std::string& was, const std::string& is,
             std::vector<std::string>& moved) {
  if (was != is) moved.push_back(printable_line(name, 200) + ": was " + told(was) + ", is " + told(is));
}

void compare_all(std::string_view kind, const std::map<std::string, std::string>& was,
                 const std::map<std::string, std::string>& is, std::vector<std::string>& moved) {
  for (const auto& [name, before] : was) {
    const auto now = is.find(name);
    // What the plan does not look at any more is told by its decisions.
    if (now != is.end()) compare(std::string(kind) + name, before, now->second, moved);
  }
}

// "attempt_started tests"
std::string words_of(const Event& event) {
  std::string words(kind_of(event));
  const auto step = std::visit(
      [](const auto& kind) -> std::string {
        if constexpr (requires { kind.step.text; }) return kind.step.text;
        if constexpr (requires { kind.gate.text; }) return kind.gate.text;
        return "";
      },
      static_cast<const AnyEvent&>(event));
  return step.empty() ? words : words + " " + printable_line(step, 80);
}

Result<void> tell_events(const PlannedWork& work, const SavedPlan& saved, const Ground& now,
                         std::vector<std::string>& moved) {
  const std::int64_t count = now.last_event - saved.ground.last_event;
  if (count == 0) return {};
  if (count < 0 || !work.meant.run) {
    moved.emplace_back("the record is shorter than it was: events after " + std::to_string(now.last_event) +
                       " are gone");
    return {};
  }
  std::string names;
  const std::vector<RecordedEvent> events =
      TRY(work.journal->events(*work.meant.run, {saved.ground.last_event}, static_cast<int>(kEventsNamedMax)));
  for (const RecordedEvent& event : events) names += (names.empty() ? "" : ", ") + words_of(event.event);
  moved.push_back((count == 1 ? "1 event was" : std::to_string(count) + " events were") +
                  " recorded since: " + names + (count > static_cast<std::int64_t>(kEventsNamedMax) ? ", …" : ""));
  return {};
}

std::string told(const PlanDifference& difference) {
  const std::string name = printable_line(difference.name, 200);
  const std::string reason = printable_line(difference.reason, 300);
  if (difference.kind == "decision") {
    if (difference.is.empty()) return "step " + name + ": was " + difference.was + ", is not there any more";
    return "step " + name + ": was " + (difference.was.empty() ? "not there" : difference.was) + ", is " +
           difference.is + " because " + reason;
  }
  if (difference.kind == "finding") {
    return difference.was.empty() ? "new " + difference.is + ": " + reason + " [" + name + "]"
                                  : "no longer found: " + reason + " [" + name + "]";
  }
  return difference.kind + " " + name + (difference.was.empty() ? ": waits now" : ": waits no longer");
}

Error not_overwritten(const RunId& id, const std::filesystem::path& file, const std::string& why) {
  Error error{.kind = ErrorKind::Invalid,
              .message = file.string() + " is there and is no saved plan (" + why + "); it is not overwritten"};
  error.file = file.string();
  return std::move(error).hint("reprise plan " + shell_quote(id.shown()) + " --save " +
                               shell_quote(file.string() + ".plan.json"));
}

}  // namespace

Result<Ground> ground_of(const PlannedWork& work, const Plan& plan) {
  Ground ground;
  if (work.meant.run) {
    TRY_VOID(look_at_run(work, *work.meant.run, ground));
  } else {
    TRY_VOID(look_at_found(work.app, *work.meant.candidate, ground));
  }
  if (!ground.state_file.empty()) ground.state_digest = TRY(digest_now(work.app, ground.state_file));
  TRY_VOID(look_at_evidence(work.app, plan, ground));
  ground.files.erase(ground.state_file);
  return ground;
}

Result<void> save_plan(const PlannedWork& work, const std::string& from, const Plan& plan,
                       const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  if (!TRY(work.app.files.stat(folder))) {
    return fail(Error{.kind = ErrorKind::NotFound, .message = "there is no folder " + folder.string()}.hint(
        "mkdir -p " + shell_quote(folder.string())));
  }
  if (TRY(work.app.files.stat(file))) {
    const Result<std::string> there = work.app.files.read(file, kFileBytesMax);
    const Result<SavedPlan> parsed = there ? parse_saved_plan(*there) : fail(there.error());
    if (!parsed) return fail(not_overwritten(plan.id, file, parsed.error().message));
  }
  SavedPlan saved{.repository = repository_path(work.app), .from = from, .ground = TRY(ground_of(work, plan))};
  return work.app.files.replace(file, saved_plan_text(saved, plan, work.app.clock.now(), work.app.actor));
}

Result<SavedPlan> read_saved_plan(App& app, const std::filesystem::path& file) {
  const Result<std::string> bytes = app.files.read(file, kFileBytesMax);
  if (!bytes) return fail(Error(bytes.error()).hint("reprise scan"));
  Result<SavedPlan> saved = parse_saved_plan(*bytes);
  if (!saved) {
    saved.error().message = file.string() + " is no saved plan: " + saved.error().message;
    saved.error().file = file.string();
    return fail(std::move(saved.error()).hint("reprise scan"));
  }
  if (const std::string here = repository_path(app); saved->repository != here) {
    Error error{
        .kind = ErrorKind::Invalid,
        .message = file.string() + " was saved for another repository: " + printable_line(saved->repository, 300)};
    return fail(std::move(error).hint("reprise plan " + shell_quote(saved->plan.id.shown())));
  }
  return saved;
}

Result<std::vector<std::string>> what_moved(const PlannedWork& work, const SavedPlan& saved, const Plan& now) {
  const Ground ground = TRY(ground_of(work, now));
  const Ground& was = saved.ground;
  if (!was.started_at.empty() && !ground.started_at.empty() && was.started_at != ground.started_at) {
    Error error{.kind = ErrorKind::Invalid,
                .message = "the plan was saved for another run of that name, which started " + was.started_at};
    return fail(std::move(error).hint("reprise plan " + shell_quote(now.id.shown())));
  }
  std::vector<std::string> moved;
  TRY_VOID(tell_events(work, saved, ground, moved));
  if (!was.definition.empty()) compare("the definition", was.definition, ground.definition, moved);
  if (was.state_file == ground.state_file) compare(was.state_file, was.state_digest, ground.state_digest, moved);
  compare_all("", was.files, ground.files, moved);
  compare_all("branch ", was.commits, ground.commits, moved);
  std::ranges::move(decided_otherwise(saved, now), std::back_inserter(moved));
  return moved;
}

std::vector<std::string> decided_otherwise(const SavedPlan& saved, const Plan& now) {
  std::vector<std::string> lines;
  for (const PlanDifference& difference : differences(saved.plan, as_read_back(now)))
    lines.push_back(told(difference));
  return lines;
}

}  // namespace reprise
