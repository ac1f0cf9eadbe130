#include "app/scan.h"

#include <algorithm>
#include <set>

#include "app/playbook_look.h"
#include "app/project_files.h"
#include "app/spec_loop_look.h"
#include "app/status.h"
#include "base/strings.h"
#include "formats/playbook.h"
#include "formats/spec_loop.h"
#include "model/limits.h"
#include "planner/playbook_rules.h"
#include "planner/spec_loop_rules.h"

namespace reprise {
namespace {

constexpr std::string_view kPlaybookNames[] = {"pipeline-state.md", ".pipeline-state.md"};

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

// Looks through the folders in which the systems keep their state.
class Finder {
 public:
  explicit Finder(App& app) : app_(app), now_(app.clock.now()) {}

  Result<ScanResult> find() {
    std::set<std::string> subjects;
    for (const char* root : {"specs", "reports/pipeline"}) {
      for (std::string& name : TRY(app_.files.list(app_.project / root))) subjects.insert(std::move(name));
    }
    for (const std::string& subject : subjects) {
      find_playbook(subject);
      find_spec_loop(subject);
    }
    return std::move(result_);
  }

 private:
  // Both names and both places may be there; the newest file is the one that counts.
  void find_playbook(const std::string& subject) {
    std::vector<Candidate> found;
    for (const std::string& folder : {"specs/" + subject, "reports/pipeline/" + subject}) {
      for (const std::string_view name : kPlaybookNames) {
        const std::string path = folder + "/" + std::string(name);
        if (std::optional<Candidate> candidate = read_playbook_at(subject, path)) found.push_back(*candidate);
      }
    }
    if (found.empty()) return;
    std::ranges::stable_sort(found, std::greater<>(), &Candidate::updated_at);
    for (std::size_t i = 1; i < found.size(); ++i) found[0].other_files.push_back(found[i].state_file);
    result_.candidates.push_back(std::move(found[0]));
  }

  std::optional<Candidate> read_playbook_at(const std::string& subject, const std::string& path) {
    std::optional<Candidate> candidate = begin_candidate("playbook", subject, path);
    if (!candidate) return std::nullopt;
    const Result<std::string> bytes = app_.files.read(app_.project / path, kDocumentBytesMax);
    const Result<PlaybookClaims> claims = bytes ? read_playbook(*bytes, path) : fail(bytes.error());
    if (bytes && !claims && claims.error().kind == ErrorKind::Invalid) {
      result_.ignored.push_back({path,
                                 "it is not a playbook's state file: no title \"Pipeline State\" with "
                                 "spec_hash or current_stage"});
      return std::nullopt;
    }
    claims ? describe(*candidate, *claims) : mark_damaged(*candidate, claims.error());
    candidate->age = std::max(Duration(0), now_ - candidate->updated_at);
    return candidate;
  }

  void find_spec_loop(const std::string& subject) {
    const std::string path = "specs/" + subject + "/.workflow/index.md";
    std::optional<Candidate> candidate = begin_candidate("spec-loop", subject, path);
    if (!candidate) return;
    const Result<std::string> bytes = app_.files.read(app_.project / path, kDocumentBytesMax);
    const Result<SpecLoopClaims> claims = bytes ? read_spec_loop(*bytes, path) : fail(bytes.error());
    if (bytes && !claims && claims.error().kind == ErrorKind::Invalid) {
      result_.ignored.push_back(
          {path, "it is not the index of a spec loop: no title \"Feature Index\" with a loop status"});
      return;
    }
    claims ? describe(*candidate, *claims) : mark_damaged(*candidate, claims.error());
    candidate->age = std::max(Duration(0), now_ - candidate->updated_at);
    result_.candidates.push_back(std::move(*candidate));
  }

  // Nothing if there is no such file, or one that must not be read.
  std::optional<Candidate> begin_candidate(const std::string& system, const std::string& subject,
                                           const std::string& path) {
    const Result<std::optional<FileInfo>> info = app_.files.stat(app_.project / path);
    if (!info || !*info) return std::nullopt;
    if (!is_inside(app_, path)) {
      result_.ignored.push_back({path, "it is a link to a place outside of the project"});
      return std::nullopt;
    }
    Candidate candidate{.id = {system + "/" + subject}, .system = system, .workflow = system};
    candidate.subject = subject;
    candidate.state_file = path;
    candidate.updated_at = (*info)->modified;
    return candidate;
  }

  static void describe(Candidate& candidate, const PlaybookClaims& claims) {
    const PlaybookStatusRow& row = decide(claims.status);
    const ClaimedField* status = claims.find_field("status");
    candidate.native_status = status == nullptr ? "" : status->value;
    candidate.status = standing_of(claims.status);
    candidate.stage = claims.current_stage;
    if (claims.last_updated_at) candidate.updated_at = claims.last_updated_at->time;
    candidate.resumable = row.course != RunCourse::Done && row.course != RunCourse::Fresh;
    candidate.why = std::string(row.reason);
  }

  static void describe(Candidate& candidate, const SpecLoopClaims& claims) {
    const auto whole = [](const std::optional<long long>& number) {
      return number ? std::optional(static_cast<int>(std::clamp(*number, -1LL, 1'000'000LL))) : std::nullopt;
    };
    const bool is_open = std::ranges::any_of(claims.questions, &ClaimedQuestion::is_open);
    const bool is_answered = std::ranges::any_of(claims.questions, &ClaimedQuestion::has_unapplied_answer);
    const LoopRow& row = decide(LoopSituation{.status = claims.status,
                                              .questions = is_open ? LoopQuestions::Open : LoopQuestions::None,
                                              .answers = is_answered ? LoopAnswers::Received : LoopAnswers::None});
    candidate.native_status = claims.status_written;
    candidate.status = status_of(row.readiness);
    candidate.stage = std::string(row.phase);
    candidate.iteration = whole(claims.iteration.number);
    candidate.iteration_max = whole(claims.iteration.out_of);
    if (claims.last_activity) candidate.updated_at = claims.last_activity->time;
    candidate.resumable = row.readiness != Readiness::Done && row.readiness != Readiness::Fresh;
    candidate.why = std::string(row.reason);
    if (!claims.faults.empty()) candidate.why += "; its index is not consistent";
    if (const ClaimedField* description = claims.find_field("original_description")) {
      candidate.about = description->value;
    }
  }

  static RunStatus status_of(Readiness readiness) {
    switch (readiness) {
      case Readiness::Done: return RunStatus::Done;
      case Readiness::Fresh: return RunStatus::Stopped;
      case Readiness::Wait: return RunStatus::Waiting;
      case Readiness::Blocked: return RunStatus::Unknown;
      default: return RunStatus::Interrupted;
    }
  }

  static void mark_damaged(Candidate& candidate, const Error& error) {
    candidate.damaged = true;
    candidate.resumable = true;
    candidate.why = candidate.state_file + ": " +
                    (error.line > 0 ? "line " + std::to_string(error.line) + ": " : "") + error.message;
  }

  App& app_;
  Timestamp now_;
  ScanResult result_;
};

Candidate candidate_of(const RunView& run, Timestamp now) {
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
void join(std::vector<Candidate>& all, Candidate own, const RunView& run) {
  const auto shown = std::ranges::find_if(all, [&](const Candidate& candidate) {
    return !run.state_file.empty() && candidate.state_file == run.state_file;
  });
  if (shown == all.end()) {
    own.system = run.state_file.empty() ? "own" : run.workflow;
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

bool is_wanted(const Candidate& candidate, const ScanRequest& request) {
  if (!request.system.empty() && candidate.system != request.system) return false;
  if (!request.about.empty() && !is_about(request.about, candidate.subject, candidate.about)) return false;
  return request.all || candidate.resumable || candidate.damaged;
}

Plan plan_of_damaged(const Candidate& candidate) {
  Plan plan;
  plan.id = candidate.id;
  plan.source_file = candidate.state_file;
  plan.age = candidate.age;
  plan.readiness = Readiness::Blocked;
  plan.findings.push_back(
      {.rule = "PB-01", .code = "damaged", .severity = Severity::Blocking, .message = candidate.why});
  plan.options.push_back({"manual", "$EDITOR " + shell_quote(candidate.state_file)});
  plan.options.push_back({"fresh", "reprise fresh " + shell_quote(candidate.id.text)});
  return plan;
}

}  // namespace

Result<ScanResult> scan_found(App& app) { return Finder(app).find(); }

Result<ScanResult> scan(App& app, const ScanRequest& request) {
  ScanResult result = TRY(scan_found(app));
  Result<std::unique_ptr<Journal>> journal = open_journal(app, OpenMode::ReadOnly);
  if (!journal && journal.error().kind != ErrorKind::NotFound) return fail(journal.error());
  if (journal) {
    const Timestamp now = app.clock.now();
    for (const RunView& run : TRY(view_runs(app, **journal))) join(result.candidates, candidate_of(run, now), run);
  }
  std::erase_if(result.candidates, [&](const Candidate& c) { return !is_wanted(c, request); });
  std::ranges::stable_sort(result.candidates, [](const Candidate& a, const Candidate& b) {
    return a.priority != b.priority ? a.priority < b.priority : a.updated_at > b.updated_at;
  });
  return result;
}

Result<Plan> plan_found(App& app, const Candidate& candidate) {
  if (candidate.damaged) return plan_of_damaged(candidate);
  const std::string bytes = TRY(app.files.read(app.project / candidate.state_file, kDocumentBytesMax));
  if (candidate.system == "spec-loop") {
    return plan_spec_loop(TRY(look_at_spec_loop(app, candidate.subject, candidate.state_file, bytes)));
  }
  PlaybookSnapshot seen = TRY(look_at_playbook(app, candidate.subject, candidate.state_file, bytes));
  seen.other_state_files = candidate.other_files;
  return plan_playbook(seen);
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
