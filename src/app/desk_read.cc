// What the desk takes from the disk: the list at once, the plans one by one.

#include <algorithm>
#include <set>

#include "app/desk.h"
#include "app/lane_definition.h"
#include "app/session.h"
#include "app/status.h"
#include "app/systems.h"
#include "formats/playbook.h"
#include "model/limits.h"

namespace reprise {
namespace {

Candidate running_candidate(const RunView& run, Timestamp now) {
  Candidate candidate{.id = run.id, .workflow = run.workflow, .subject = run.subject};
  candidate.system = lane_run_name(run.id)    ? std::string(kLanesWorkflow)
                     : run.state_file.empty() ? "own"
                                              : run.workflow;
  candidate.state_file = run.state_file;
  candidate.status = run.status;
  candidate.native_status = std::string(to_token(run.status));
  candidate.stage = run.stage;
  candidate.updated_at = run.updated_at;
  candidate.age = std::max(Duration(0), now - run.updated_at);
  candidate.why = "it is being worked on";
  if (run.owner) candidate.why += " by process " + std::to_string(run.owner->pid) + " on " + run.owner->host;
  return candidate;
}

// What is listed already: ids and state files.
std::set<std::string> known_in(const Desk& desk) {
  std::set<std::string> known;
  for (const DeskEntry& entry : desk.entries) {
    for (const Candidate& member : entry.members) {
      known.insert(member.id.text);
      if (!member.state_file.empty()) known.insert(member.state_file);
    }
  }
  return known;
}

// The plan of a run of ours or, where none stands for it, of what its state file tells. The journal is asked for
// exactly this run first: a search over all state files would be made for every row.
Result<Plan> plan_of(App& app, const Candidate& candidate) {
  Result<std::unique_ptr<Journal>> journal = open_journal(app, OpenMode::ReadOnly);
  const bool is_broken = !journal && journal.error().kind != ErrorKind::NotFound;
  if (is_broken && candidate.system == "own") return fail(journal.error());
  if (!journal) return TRY(preview(app, candidate, ""))->plan;
  const Result<RunState> state = (*journal)->state(candidate.id);
  if (!state && state.error().kind == ErrorKind::NotFound) return TRY(preview(app, candidate, ""))->plan;
  if (state && (!state->is_ended() || candidate.system == "own"))
    return TRY(preview(app, **journal, candidate.id, ""))->plan;
  const Meant meant = TRY(find_work(app, journal->get(), candidate.id.shown()));
  return TRY(preview(app, journal->get(), meant, ""))->plan;
}

DeskClaim claim_in(App& app, const Candidate& candidate, const std::string& path) {
  DeskClaim claim{.who = path, .workflow = candidate.workflow};
  const Result<std::optional<FileInfo>> info = app.files.stat(app.project / path);
  if (info && *info) claim.at = (*info)->modified;
  if (candidate.system != "playbook") return claim;
  const Result<std::string> bytes = app.files.read(app.project / path, kDocumentBytesMax);
  const Result<PlaybookClaims> claims = bytes ? read_playbook_standing(*bytes, path) : fail(bytes.error());
  if (!claims) {
    claim.says = "nothing that can be read: " + claims.error().message;
    return claim;
  }
  const ClaimedField* status = claims->find_field("status");
  claim.says = (status == nullptr ? "nothing" : status->value);
  if (!claims->current_stage.empty()) claim.says += " at " + claims->current_stage;
  if (claims->last_updated_at) claim.at = claims->last_updated_at->time;
  return claim;
}

}  // namespace

Result<Desk> read_desk(App& app) {
  Desk desk;
  Result<ScanResult> found = scan(app, {});
  if (!found) {  // a store that cannot be read does not hide what the state files tell
    const Error unreadable = found.error();
    found = scan_found(app);
    if (!found) return fail(unreadable);
    std::erase_if(found->candidates, [](const Candidate& c) { return !c.resumable && !c.damaged; });
    desk.problems.push_back("the record of runs cannot be read: " + unreadable.message);
  }
  desk.entries = make_entries(std::move(found->candidates), {});
  desk.ignored = std::move(found->ignored);
  return desk;
}

void complete(App& app, Desk& desk) {
  std::set<std::string> known = known_in(desk);
  std::vector<Candidate> rest;
  Result<std::unique_ptr<Journal>> journal = open_journal(app, OpenMode::ReadOnly);
  const Result<std::vector<RunView>> runs = journal ? view_runs(app, **journal) : fail(journal.error());
  for (const RunView& run : runs ? *runs : std::vector<RunView>()) {
    if (run.status != RunStatus::Running || !known.insert(run.id.text).second) continue;
    if (!run.state_file.empty()) known.insert(run.state_file);
    rest.push_back(running_candidate(run, app.clock.now()));
  }
  Result<ScanResult> found = scan_found(app);
  for (Candidate& candidate : found ? found->candidates : std::vector<Candidate>()) {
    if (known.contains(candidate.id.text) || known.contains(candidate.state_file)) continue;
    rest.push_back(std::move(candidate));
  }
  std::vector<Candidate> open;
  for (DeskEntry& entry : desk.entries) std::ranges::move(entry.members, std::back_inserter(open));
  desk.entries = make_entries(std::move(open), std::move(rest));
}

void look_at(App& app, DeskEntry& entry) {
  entry.plan.reset();
  entry.problem.clear();
  entry.other_files.clear();
  if (entry.candidate().status == RunStatus::Running) {
    entry.plan = Plan{.id = entry.candidate().id, .age = entry.candidate().age};
    return;
  }
  Result<Plan> plan = plan_of(app, entry.candidate());
  if (plan) {
    entry.plan = std::move(*plan);
  } else {
    entry.problem = plan.error().message;
  }
  for (const std::string& path : entry.candidate().other_files)
    entry.other_files.push_back(claim_in(app, entry.candidate(), path));
}

}  // namespace reprise
