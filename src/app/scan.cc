#include "app/scan.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>

#include "app/found_files.h"
#include "app/lane_definition.h"
#include "app/lane_look.h"
#include "app/orchestrator_find.h"
#include "app/orchestrator_system.h"
#include "app/playbook_look.h"
#include "app/project_files.h"
#include "app/spec_loop_look.h"
#include "app/status.h"
#include "app/task_pipeline_find.h"
#include "app/task_pipeline_system.h"
#include "base/strings.h"
#include "formats/playbook.h"
#include "formats/spec_loop.h"
#include "model/limits.h"
#include "os/folder_reader.h"
#include "os/parallel.h"
#include "planner/orchestrator_rules.h"
#include "planner/playbook_rules.h"
#include "planner/spec_loop_rules.h"
#include "planner/task_rules.h"

namespace reprise {
namespace {

constexpr std::size_t kSubjectsPerPart = 50;  // fewer are read sooner than a thread is started

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : to_lower(text) + " ") {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, ""));
    }
  }
  return words;
}

RunStatus standing_of(PlaybookStatus status) {
  switch (status) {
    case PlaybookStatus::InProgress:
    case PlaybookStatus::Aborted: return RunStatus::Interrupted;
    case PlaybookStatus::WaitingForHuman: return RunStatus::Waiting;
    case PlaybookStatus::Complete: return RunStatus::Done;
    case PlaybookStatus::Failed: return RunStatus::Failed;
    case PlaybookStatus::Cancelled: return RunStatus::Stopped;
    case PlaybookStatus::Missing:
    case PlaybookStatus::Unknown: return RunStatus::Unknown;
  }
  return RunStatus::Unknown;
}

RunStatus status_of(Readiness readiness) {
  switch (readiness) {
    case Readiness::Done: return RunStatus::Done;
    case Readiness::Fresh: return RunStatus::Stopped;
    case Readiness::Wait: return RunStatus::Waiting;
    case Readiness::Blocked: return RunStatus::Unknown;
    default: return RunStatus::Interrupted;
  }
}

// Whether a person is still to be waited for. Asked of the plan itself, as if all that it looks at were in order:
// which box is meant is told by the file alone.
bool is_waiting(PlaybookClaims claims) {
  PlaybookSnapshot seen{.claims = std::move(claims), .spec = SpecSeen::Same, .constitution_completed = true};
  const ArtifactSeen in_order{.exists = true, .complete = true, .digest = "seen"};
  for (const PlaybookStageSpec& stage : kPlaybookStages) seen.of_current[std::string(stage.name)] = in_order;
  for (const ClaimedStage& stage : seen.claims.completed) {
    for (const std::string& path : stage.artifacts) seen.artifacts[path] = in_order;
  }
  return !plan_playbook(seen).waiting_for.empty();
}

void describe(Candidate& candidate, PlaybookClaims claims) {
  const PlaybookStatusRow& row = decide(claims.status);
  const ClaimedField* status = claims.find_field("status");
  candidate.native_status = status == nullptr ? "" : status->value;
  candidate.status = standing_of(claims.status);
  candidate.stage = claims.current_stage;
  if (claims.last_updated_at) candidate.updated_at = claims.last_updated_at->time;
  candidate.resumable = row.course != RunCourse::Done && row.course != RunCourse::Fresh;
  candidate.why = std::string(row.reason);
  if (row.course != RunCourse::Wait || is_waiting(std::move(claims))) return;
  candidate.status = RunStatus::Interrupted;
  candidate.why = "the run waited for a person, who has ticked the box";
}

// The index alone may not tell where the loop goes on: whether there is a spec file is not looked at here.
void describe(Candidate& candidate, SpecLoopClaims claims) {
  const auto whole = [](const std::optional<long long>& number) {
    return number ? std::optional(static_cast<int>(std::clamp(*number, -1LL, 1'000'000LL))) : std::nullopt;
  };
  candidate.native_status = claims.status_written;
  candidate.iteration = whole(claims.iteration.number);
  candidate.iteration_max = whole(claims.iteration.out_of);
  if (claims.last_activity) candidate.updated_at = claims.last_activity->time;
  if (const ClaimedField* description = claims.find_field("original_description"))
    candidate.about = description->value;
  const bool is_consistent = claims.faults.empty();
  SpecLoopSnapshot seen{.claims = std::move(claims), .index_exists = true, .directory_exists = true};
  LoopSituation situation = situation_of(seen);
  const LoopRow& row = decide(situation);
  situation.spec = LoopSpec::Exists;
  const bool is_told = decide(situation).phase == row.phase;
  candidate.status = status_of(row.readiness);
  candidate.stage = is_told ? std::string(row.phase) : "";
  candidate.resumable = row.readiness != Readiness::Done && row.readiness != Readiness::Fresh;
  candidate.why = is_told
                      ? std::string(row.reason)
                      : std::string(to_token(seen.claims.status)) + " was cut off; the plan tells how far it got";
  if (!is_consistent) candidate.why += "; its index is not consistent";
}

void mark_damaged(Candidate& candidate, const Error& error) {
  candidate.damaged = true;
  candidate.resumable = true;
  candidate.why = candidate.state_file + ": " +
                  (error.line > 0 ? "line " + std::to_string(error.line) + ": " : "") + error.message;
}

// What may have state files, and in which of the two folders.
struct Subject {
  std::string name;
  bool in_specs = false;
  bool in_reports = false;
};

Result<std::vector<Subject>> list_subjects(App& app) {
  const std::vector<std::string> specs = TRY(app.files.list(app.project / "specs"));
  const std::vector<std::string> reports = TRY(app.files.list(app.project / "reports/pipeline"));
  std::vector<std::string> names;
  std::ranges::set_union(specs, reports, std::back_inserter(names));
  std::vector<Subject> subjects;
  subjects.reserve(names.size());
  for (std::string& name : names) {
    const bool in_specs = std::ranges::binary_search(specs, name);
    const bool in_reports = std::ranges::binary_search(reports, name);
    subjects.push_back({std::move(name), in_specs, in_reports});
  }
  return subjects;
}

// Looks through the state files of some subjects.
class Finder {
 public:
  explicit Finder(App& app) : app_(app), below_(app.project), now_(app.clock.now()) {}

  ScanResult find(std::span<const Subject> subjects) {
    result_.candidates.reserve(subjects.size());
    for (const Subject& subject : subjects) {
      std::vector<Candidate> found;
      if (subject.in_specs) find_playbook(subject.name, "specs/", found);
      if (subject.in_reports) find_playbook(subject.name, "reports/pipeline/", found);
      if (!found.empty()) add_newest(std::move(found));
      if (subject.in_specs) find_spec_loop(subject.name);
    }
    return std::move(result_);
  }

 private:
  void find_playbook(const std::string& subject, std::string_view root, std::vector<Candidate>& found) {
    for (const std::string_view name : kPlaybookNames) {
      std::string path;
      path.reserve(root.size() + subject.size() + 1 + name.size());
      path.append(root).append(subject).append("/").append(name);
      const Result<std::string_view> bytes = read(path);
      if (!bytes && bytes.error().kind == ErrorKind::NotFound) continue;
      Candidate candidate = candidate_at("playbook", subject, std::move(path));
      Result<PlaybookClaims> claims =
          bytes ? read_playbook_standing(*bytes, candidate.state_file) : fail(bytes.error());
      if (bytes && is_foreign(claims) && is_cut_off_early(*bytes)) {
        claims = fail(ErrorKind::Corrupt, "it ends before it says where the run is; most of it is lost");
      } else if (bytes && is_foreign(claims)) {
        result_.ignored.push_back({candidate.state_file,
                                   "it is not a playbook's state file: no title \"Pipeline State\" with "
                                   "spec_hash or current_stage, and not two of status, spec_hash and "
                                   "current_stage"});
        continue;
      }
      found.push_back(complete(std::move(candidate), std::move(claims)));
    }
  }

  // Both names and both places may be there; the newest file is the one that counts.
  void add_newest(std::vector<Candidate> found) {
    std::ranges::stable_sort(found, std::greater<>(), &Candidate::updated_at);
    for (std::size_t i = 1; i < found.size(); ++i) found[0].other_files.push_back(found[i].state_file);
    result_.candidates.push_back(std::move(found[0]));
  }

  void find_spec_loop(const std::string& subject) {
    std::string path = "specs/" + subject + "/.workflow/index.md";
    const Result<std::string_view> bytes = read(path);
    if (!bytes && bytes.error().kind == ErrorKind::NotFound) return;
    Candidate candidate = candidate_at("spec-loop", subject, std::move(path));
    Result<SpecLoopClaims> claims =
        bytes ? read_spec_loop_standing(*bytes, candidate.state_file) : fail(bytes.error());
    if (bytes && is_foreign(claims)) {
      result_.ignored.push_back({candidate.state_file,
                                 "it is not the index of a spec loop: no section Priority Loop State and no "
                                 "field Loop Status"});
      return;
    }
    result_.candidates.push_back(complete(std::move(candidate), std::move(claims)));
  }

  template <typename Claims>
  static bool is_foreign(const Result<Claims>& claims) {
    return !claims && claims.error().kind == ErrorKind::Invalid;
  }

  // Reads a file of the project into `file_`. NotFound: there is none, or one that must not be read.
  Result<std::string_view> read(const std::string& path) {
    const FolderReader::Answer answer = below_.read(path, kDocumentBytesMax, file_);
    if (answer == FolderReader::Answer::Read) return file_.bytes;
    if (answer == FolderReader::Answer::Missing) return fail(ErrorKind::NotFound, "");
    const Result<std::optional<FileInfo>> info = app_.files.stat(app_.project / path);
    if (info && !*info) result_.ignored.push_back({path, std::string(kLinkToNothing)});
    if (!info || !*info) return fail(ErrorKind::NotFound, "");
    if (!is_inside(app_, path)) {
      result_.ignored.push_back({path, "it is a link to a place outside of the project"});
      return fail(ErrorKind::NotFound, "");
    }
    file_.modified = (*info)->modified;
    file_.bytes = TRY(app_.files.read(app_.project / path, kDocumentBytesMax));
    return file_.bytes;
  }

  Candidate candidate_at(const std::string& system, const std::string& subject, std::string path) const {
    Candidate candidate{.id = {system + "/" + subject}, .system = system, .workflow = system};
    candidate.subject = subject;
    candidate.state_file = std::move(path);
    candidate.updated_at = file_.modified;
    return candidate;
  }

  template <typename Claims>
  Candidate complete(Candidate candidate, Result<Claims> claims) const {
    claims ? describe(candidate, std::move(*claims)) : mark_damaged(candidate, claims.error());
    candidate.age = std::max(Duration(0), now_ - candidate.updated_at);
    return candidate;
  }

  App& app_;
  FolderReader below_;
  FolderReader::File file_;  // the last that was read
  Timestamp now_;
  ScanResult result_;
};

// Each core takes some of the subjects at a time, if there are enough of them for that to be worth it.
ScanResult find_all(App& app, std::span<const Subject> subjects) {
  const std::size_t parts = std::max<std::size_t>(subjects.size() / kSubjectsPerPart, 1);
  std::vector<ScanResult> results(parts);
  for_each_part(parts, [&](std::size_t part) {
    const std::size_t begin = subjects.size() * part / parts;
    const std::size_t end = subjects.size() * (part + 1) / parts;
    results[part] = Finder(app).find(subjects.subspan(begin, end - begin));
  });
  ScanResult all;
  all.candidates.reserve(subjects.size());
  for (ScanResult& result : results) {
    std::ranges::move(result.candidates, std::back_inserter(all.candidates));
    std::ranges::move(result.ignored, std::back_inserter(all.ignored));
  }
  return all;
}

Candidate own_candidate(const RunView& run, Timestamp now) {
  Candidate candidate{.id = run.id, .system = "own", .workflow = run.workflow, .subject = run.subject};
  candidate.native_status = std::string(to_token(run.status));
  candidate.status = run.status;
  candidate.stage = run.stage;
  candidate.updated_at = run.updated_at;
  candidate.age = std::max(Duration(0), now - run.updated_at);
  candidate.resumable = run.status == RunStatus::Interrupted || run.status == RunStatus::Waiting ||
                        run.status == RunStatus::Failed || run.status == RunStatus::New;
  candidate.damaged = run.status == RunStatus::Unknown;
  candidate.why = run.reason;
  if (candidate.why.empty() && !run.waiting_for.empty()) candidate.why = "it waits for " + run.waiting_for[0].name;
  if (candidate.why.empty()) candidate.why = "it is " + candidate.native_status;
  return candidate;
}

// A run that a state file shows is one piece of work, not two: the file's candidate stands for it, with what the
// journal knows better. One that ended without its file having been taken further is told by the file alone.
void join_candidate(std::vector<Candidate>& all, Candidate own, const RunView& run) {
  const auto shown = std::ranges::find_if(all, [&](const Candidate& candidate) {
    return !run.state_file.empty() && candidate.state_file == run.state_file;
  });
  if (shown == all.end()) {
    own.system = lane_run_name(run.id)    ? std::string(kLanesWorkflow)
                 : run.state_file.empty() ? "own"
                                          : run.workflow;
    all.push_back(std::move(own));
    return;
  }
  const bool is_open =
      run.status == RunStatus::Running || run.status == RunStatus::Interrupted || run.status == RunStatus::Waiting;
  if (!is_open) return;
  shown->id = own.id;
  shown->status = own.status;
  shown->resumable = own.status != RunStatus::Running;
  if (run.status == RunStatus::Running) shown->why = "it is being worked on";
}

// Of a run of ours the journal knows better than the checkpoint file.
void drop_lanes_of(const RunId& run, std::vector<Candidate>& candidates) {
  const std::optional<LaneRunName> name = lane_run_name(run);
  if (!name) return;
  std::erase_if(candidates, [&](const Candidate& candidate) {
    const std::optional<LaneRunName> found = lane_run_name(candidate.id);
    return candidate.system == kLanesWorkflow && found && found->run_id == name->run_id &&
           found->phase == name->phase;
  });
}

// Checkpoints of a run that a fresh start put away are history.
Result<void> drop_lanes_put_away(Journal& journal, std::vector<Candidate>& candidates) {
  if (std::ranges::find(candidates, kLanesWorkflow, &Candidate::system) == candidates.end()) return {};
  for (const RunEntry& entry : TRY(journal.runs())) {
    if (entry.archived) drop_lanes_of(entry.id, candidates);
  }
  return {};
}

bool is_wanted(const Candidate& candidate, const ScanRequest& request) {
  if (!request.system.empty() && candidate.system != request.system) return false;
  if (!request.about.empty() && !is_about(request.about, candidate.subject, candidate.about)) return false;
  return request.all || candidate.resumable || candidate.damaged;
}

// By priority, then newest first. A candidate is large: each is moved once, along the circles of the new order,
// and none has a second place.
void put_in_order(std::vector<Candidate>& candidates) {
  std::vector<std::size_t> from(candidates.size());  // which one comes to each place
  std::iota(from.begin(), from.end(), std::size_t{0});
  std::ranges::stable_sort(from, [&](std::size_t left, std::size_t right) {
    const Candidate &a = candidates[left], &b = candidates[right];
    return a.priority != b.priority ? a.priority < b.priority : a.updated_at > b.updated_at;
  });
  for (std::size_t first = 0; first < from.size(); ++first) {
    if (from[first] == first) continue;
    Candidate lifted = std::move(candidates[first]);
    std::size_t place = first;
    for (; from[place] != first; place = std::exchange(from[place], place)) {
      candidates[place] = std::move(candidates[from[place]]);
    }
    candidates[place] = std::move(lifted);
    from[place] = place;
  }
}

// The runs in a journal that cannot be read are not known; the rest is still listed.
Candidate damaged_journal(App& app, const Error& error) {
  Candidate candidate{.id = RunId{"own/journal"}, .system = "own", .workflow = "own", .subject = "journal"};
  candidate.state_file = (app.store / "journal.db").lexically_relative(app.project).string();
  candidate.damaged = true;
  candidate.why = error.message;
  for (const std::string& hint : error.hints) candidate.why += "; " + hint;
  return candidate;
}

}  // namespace

Result<ScanResult> scan_found(App& app, bool all) {
  const std::vector<Subject> subjects = TRY(list_subjects(app));
  ScanResult result = find_all(app, subjects);
  std::ranges::move(find_lanes(app, result.ignored), std::back_inserter(result.candidates));
  std::ranges::move(find_orchestrator(app, result.ignored), std::back_inserter(result.candidates));
  std::ranges::move(find_task_pipelines(app, all), std::back_inserter(result.candidates));
  return result;
}

Result<ScanResult> scan(App& app, const ScanRequest& request) {
  ScanResult result = TRY(scan_found(app, request.all));
  Result<std::unique_ptr<Journal>> journal = open_journal(app, OpenMode::ReadOnly);
  if (!journal && journal.error().kind == ErrorKind::Corrupt) {
    result.candidates.push_back(damaged_journal(app, journal.error()));
  } else if (!journal && journal.error().kind != ErrorKind::NotFound) {
    return fail(journal.error());
  }
  if (journal) {
    const Timestamp now = app.clock.now();
    TRY_VOID(drop_lanes_put_away(**journal, result.candidates));
    for (const RunView& run : TRY(view_runs(app, **journal))) {
      drop_lanes_of(run.id, result.candidates);
      join_candidate(result.candidates, own_candidate(run, now), run);
    }
  }
  std::erase_if(result.candidates, [&](const Candidate& c) { return !is_wanted(c, request); });
  put_in_order(result.candidates);
  return result;
}

bool is_about(std::string_view text, std::string_view subject, std::string_view description) {
  const std::vector<std::string> asked = words_of(text);
  std::vector<std::string> name = words_of(subject);
  std::erase_if(name, [](const std::string& word) { return parse_number(word, 1'000'000'000).has_value(); });
  const auto has_all = [](const std::vector<std::string>& words, const std::vector<std::string>& of) {
    return !words.empty() && std::ranges::all_of(words, [&](const std::string& word) {
      return std::ranges::find(of, word) != of.end();
    });
  };
  std::vector<std::string> known = words_of(subject);
  for (std::string& word : words_of(description)) known.push_back(std::move(word));
  return has_all(name, asked) || has_all(asked, known);
}

}  // namespace reprise
