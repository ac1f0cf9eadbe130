#include "app/resume_all.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>

#include "app/outcome.h"
#include "app/session.h"
#include "app/status.h"
#include "app/systems.h"
#include "base/json_writer.h"
#include "base/strings.h"
#include "os/io.h"
#include "os/poller.h"
#include "os/process.h"

namespace reprise {
namespace {

constexpr int kParallelDefault = 2;
constexpr int kLookEveryMs = 50;
constexpr std::size_t kWordsMax = 64u << 10;  // of what a process of ours said
constexpr int kInterruptSignal = 2;           // SIGINT
constexpr std::string_view kOwnSystem = "own";

enum Exit : int { kDone = 0, kFailed = 1, kBroken = 2, kWaiting = 3, kBlocked = 4, kHeld = 5, kStore = 6 };

std::string resume_command_for(const RunId& id) { return "reprise resume " + shell_quote(id.shown()); }

ResumedWork waiting(const Plan& plan, std::string reason, std::string command) {
  return {.id = plan.id,
          .outcome = "waiting",
          .exit = kWaiting,
          .reason = std::move(reason),
          .command = std::move(command)};
}

ResumedWork waits_for_decision(const Plan& plan) {
  if (plan.waiting_for.empty()) return waiting(plan, "it waits for a person", resume_command_for(plan.id));
  const Waiting& first = plan.waiting_for.front();
  return waiting(plan, first.kind + " " + first.name + ": " + first.ask, command_that_gives(plan.id, first));
}

ResumedWork wants_confirmation(const Plan& plan, std::string_view why) {
  std::string reason(why);
  for (const Finding& finding : plan.findings) {
    if (finding.severity != Severity::Warning) continue;
    reason += ": " + finding.message;
    break;
  }
  return waiting(plan, std::move(reason), resume_command_for(plan.id) + " --yes");
}

ResumedWork blocked(const Plan& plan) {
  ResumedWork work{.id = plan.id, .outcome = "blocked", .exit = kBlocked};
  for (const Finding& finding : plan.findings) {
    if (finding.severity != Severity::Blocking) continue;
    work.reason = finding.message;
    work.command = finding.remedy;
    if (finding.code == "held_by_another") {
      work.outcome = "held";
      work.exit = kHeld;
    }
    break;
  }
  if (!work.command.starts_with("reprise ")) work.command = "reprise plan " + shell_quote(plan.id.shown());
  return work;
}

ResumedWork from_error(const RunId& id, const Error& error) {
  ResumedWork work{.id = id, .outcome = "broken", .exit = kBroken, .reason = error.message};
  if (error.kind == ErrorKind::Conflict || error.kind == ErrorKind::Busy) {
    work.outcome = "held";
    work.exit = kHeld;
  } else if (error.kind == ErrorKind::Corrupt || error.kind == ErrorKind::Io || error.kind == ErrorKind::Denied) {
    work.exit = kStore;
  }
  work.command = error.hints.empty() ? "reprise plan " + shell_quote(id.shown()) : error.hints.front();
  return work;
}

// How bad an exit code is; see the header.
int badness(int exit) {
  static constexpr std::array<int, 6> kOrder = {kWaiting, kBlocked, kBroken, kFailed, kStore, -1};
  const auto* const found = std::ranges::find(kOrder, exit);
  return found == kOrder.end() ? 0 : static_cast<int>(found - kOrder.begin()) + 1;
}

// The words of a process of ours: what went wrong, and what it says to type.
void take_words(const std::string& said, ResumedWork& work) {
  for (const std::string_view line : split(said, '\n')) {
    if (line.starts_with("reprise: ") && work.reason.empty()) work.reason = std::string(line.substr(9));
    if (line.starts_with("  try: ") && work.command.empty()) work.command = std::string(line.substr(7));
  }
}

// Nothing if nothing has run here yet.
Result<std::unique_ptr<Journal>> journal_to_look_at(App& app) {
  Result<std::unique_ptr<Journal>> journal = open_journal(app, OpenMode::ReadOnly);
  if (!journal && journal.error().kind == ErrorKind::NotFound) return std::unique_ptr<Journal>();
  return journal;
}

// What a process says is kept where no project sees it.
std::filesystem::path scratch_place() {
  std::error_code none;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(none);
  return (none ? std::filesystem::path("/tmp") : folder) / "words";
}

// A plan, and the mode that it would be carried out in.
struct Planned {
  Plan plan;
  Mode mode = Mode::Interactive;
};
Result<Planned> plan_one(App& app, const RunId& id) {
  const std::unique_ptr<Journal> journal = TRY(journal_to_look_at(app));
  const Meant meant = TRY(find_work(app, journal.get(), id.shown()));
  if (!meant.run) return Planned{.plan = TRY(preview(app, *meant.candidate, ""))->plan};
  const std::unique_ptr<Preview> seen = TRY(preview(app, *journal, *meant.run, ""));
  return Planned{.plan = std::move(seen->plan), .mode = seen->state.mode};
}

// Takes out what failed for good. Trying it again costs money each time and is for a person to ask for.
std::vector<ResumedWork> leave_failed(std::vector<Candidate>& found) {
  std::vector<ResumedWork> left;
  for (const Candidate& candidate : found) {
    if (candidate.status != RunStatus::Failed) continue;
    left.push_back({.id = candidate.id,
                    .outcome = "left",
                    .reason = "failed before, not tried again; --failed includes it",
                    .command = "reprise resume " + shell_quote(candidate.id.shown())});
  }
  std::erase_if(found, [](const Candidate& candidate) { return candidate.status == RunStatus::Failed; });
  return left;
}

// All of it: which are started, when, and what became of them.
class Fleet {
 public:
  Fleet(App& app, const ResumeAllRequest& request, SignalWatch& signals,
        const std::function<void(const std::string&)>& tell)
      : app_(app), request_(request), signals_(signals), tell_(tell) {}

  Result<ResumeAllReport> run() {
    parallel_ = TRY(parallel());
    std::vector<Candidate> found = TRY(scan(app_, {})).candidates;
    std::erase_if(found, [](const Candidate& candidate) {
      return (!candidate.resumable && !candidate.damaged) || candidate.status == RunStatus::Running;
    });
    const std::vector<ResumedWork> left = request_.with_failed ? std::vector<ResumedWork>() : leave_failed(found);
    rivals_ = same_subject_before(found);
    for (const Candidate& candidate : found) work_.push_back({.id = candidate.id});
    while (next_ < work_.size() || !children_.empty()) {
      pass_signals_on();
      start_some();
      collect();
    }
    work_.insert(work_.end(), left.begin(), left.end());
    const SignalsSeen seen = signals_.poll();
    const int told = seen.ending != 0 ? seen.ending : seen.interrupts > 0 ? kInterruptSignal : 0;
    return ResumeAllReport{.work = work_, .exit = told != 0 ? 128 + told : worst_exit(work_)};
  }

 private:
  struct Child {
    std::size_t index = 0;
    Fd words;  // what it says on stderr
  };

  Result<int> parallel() {
    if (request_.parallel > 0) return request_.parallel;
    const int configured = TRY(read_config(app_)).limits.parallel;
    return configured > 0 ? configured : kParallelDefault;
  }

  bool is_stopping() const { return seen_.interrupts > 0 || seen_.ending != 0; }

  void pass_signals_on() {
    const SignalsSeen now = signals_.poll();
    for (const auto& [pid, child] : children_) {
      for (int i = seen_.interrupts; i < now.interrupts; ++i) signal_group(pid, kInterruptSignal);
      if (now.ending != 0 && seen_.ending == 0) signal_group(pid, now.ending);
    }
    seen_ = now;
  }

  void start_some() {
    for (; next_ < work_.size() && (is_stopping() || children_.size() < static_cast<std::size_t>(parallel_));
         ++next_) {
      ResumedWork& work = work_[next_];
      if (is_stopping()) {
        const int told = seen_.ending != 0 ? seen_.ending : kInterruptSignal;
        work.outcome = "interrupted";
        work.exit = 128 + told;
        work.reason = "told to stop before it was started";
        work.command = resume_command_for(work.id);
      } else if (rivals_[next_]) {
        work.outcome = "waiting";
        work.exit = kWaiting;
        work.reason = rivals_[next_]->text + " is about the same subject and comes first";
        work.command = resume_command_for(work.id);
      } else {
        start(next_);
      }
      signals_seen_meanwhile();
    }
  }

  // Planning may take a while: a signal is not to wait for all of it.
  void signals_seen_meanwhile() {
    if (!is_stopping()) pass_signals_on();
  }

  void start(std::size_t index) {
    ResumedWork& work = work_[index];
    const Result<Planned> planned = plan_one(app_, work.id);
    if (!planned) {
      work = from_error(work.id, planned.error());
      return;
    }
    if (std::optional<ResumedWork> listed =
            needs_person(planned->plan, request_.mode.value_or(planned->mode), request_.yes)) {
      listed->id = work.id;
      work = std::move(*listed);
      return;
    }
    const Result<void> begun = spawn_for(index);
    if (!begun) work = from_error(work.id, begun.error());
  }

  Result<void> spawn_for(std::size_t index) {
    const RunId& id = work_[index].id;
    std::vector<std::string> argv = {app_.program.string(), "-C", app_.project.string(), "--quiet", "resume"};
    if (request_.mode) argv.push_back("--mode=" + std::string(to_token(*request_.mode)));
    if (request_.yes) argv.push_back("--yes");
    argv.insert(argv.end(), {"--", id.shown()});
    Child child{.index = index, .words = TRY(create_nameless(scratch_place()))};
    const std::vector<std::string> environment = current_environment();
    const int pid =
        TRY(spawn({.argv = argv, .environment = environment, .directory = {}, .stderr_fd = child.words.get()}));
    work_[index].started = true;
    tell_("resuming " + printable_line(id.shown(), 120) + "; watch it: reprise attach " + shell_quote(id.shown()));
    children_.emplace(pid, std::move(child));
    return {};
  }

  void collect() {
    if (children_.empty()) return;
    const std::array<int, 1> watched = {signals_.fd()};
    static_cast<void>(wait_readable(watched, kLookEveryMs));
    while (const std::optional<ChildExit> ended = reap_any()) {
      const auto child = children_.find(ended->pid);
      if (child == children_.end()) continue;
      describe(work_[child->second.index], *ended, child->second.words.get());
      const ResumedWork& work = work_[child->second.index];
      tell_(work.outcome + "  " + printable_line(work.id.shown(), 120));
      children_.erase(child);
    }
  }

  void describe(ResumedWork& work, const ChildExit& ended, int words) {
    work.exit = ended.exit_code ? *ended.exit_code : 128 + ended.signal;
    const std::string said = read_at(words, 0, kWordsMax, "what a process said").value_or("");
    switch (work.exit) {
      case kDone: work.outcome = "done"; return;
      case kFailed: describe_failure(work, said); return;
      case kWaiting:
      case kBlocked: describe_by_plan(work, said); return;
      case kHeld: work.outcome = "held"; break;
      default: work.outcome = work.exit > 128 ? "interrupted" : "broken";
    }
    if (work.exit > 128) {
      work.reason = ended.exit_code ? "told to stop; everything is saved" : "its process was killed";
      work.command = resume_command_for(work.id);
    }
    take_words(said, work);
    if (work.command.empty()) work.command = "reprise plan " + shell_quote(work.id.shown());
  }

  void describe_failure(ResumedWork& work, const std::string& said) {
    work.outcome = "failed";
    work.command = "reprise log " + shell_quote(work.id.shown());
    Result<std::unique_ptr<Journal>> journal = journal_to_look_at(app_);
    if (journal && *journal != nullptr) {
      const Result<Meant> meant = find_work(app_, journal->get(), work.id.shown());
      const Result<RunState> state =
          meant && meant->run ? (*journal)->state(*meant->run) : fail(ErrorKind::NotFound, "");
      if (state) work.reason = state->reason;
    }
    take_words(said, work);
  }

  // It stopped before a person: the plan, as it is now, says where.
  void describe_by_plan(ResumedWork& work, const std::string& said) {
    const int exit = work.exit;
    work.outcome = exit == kWaiting ? "waiting" : "blocked";
    if (const Result<Planned> planned = plan_one(app_, work.id)) {
      const Plan& plan = planned->plan;
      ResumedWork listed = plan.readiness == Readiness::Blocked   ? blocked(plan)
                           : plan.readiness == Readiness::Confirm ? wants_confirmation(plan, "it wants a word")
                                                                  : waits_for_decision(plan);
      work.reason = std::move(listed.reason);
      work.command = std::move(listed.command);
    }
    take_words(said, work);
    if (work.command.empty()) work.command = "reprise plan " + shell_quote(work.id.shown());
  }

  App& app_;
  const ResumeAllRequest& request_;
  SignalWatch& signals_;
  const std::function<void(const std::string&)>& tell_;
  int parallel_ = kParallelDefault;
  std::vector<ResumedWork> work_;
  std::vector<std::optional<RunId>> rivals_;
  std::size_t next_ = 0;
  std::map<int, Child> children_;  // by process
  SignalsSeen seen_;
};

}  // namespace

std::optional<ResumedWork> needs_person(const Plan& plan, Mode mode, bool yes) {
  switch (plan.readiness) {
    case Readiness::Blocked: return blocked(plan);
    case Readiness::Done: return ResumedWork{.id = plan.id, .outcome = "done", .reason = "it was done already"};
    case Readiness::Fresh:
      return waiting(plan, "it cannot go on, only start anew", "reprise fresh " + shell_quote(plan.id.shown()));
    case Readiness::Wait:
      if (mode == Mode::Autopilot) return std::nullopt;
      return waits_for_decision(plan);
    case Readiness::Confirm:
      if (mode == Mode::Autopilot || yes) return std::nullopt;
      return wants_confirmation(plan, "it wants a confirmation");
    case Readiness::Ready:
      if (mode != Mode::Preflight || yes) return std::nullopt;
      return wants_confirmation(plan, "preflight wants a person to look first");
  }
  return std::nullopt;
}

std::vector<std::optional<RunId>> same_subject_before(std::span<const Candidate> found) {
  std::map<std::string, RunId> first;
  std::vector<std::optional<RunId>> before;
  for (const Candidate& candidate : found) {
    before.emplace_back();
    if (candidate.system == kOwnSystem || candidate.subject.empty()) continue;
    const auto [known, is_new] = first.emplace(candidate.subject, candidate.id);
    if (!is_new) before.back() = known->second;
  }
  return before;
}

int worst_exit(std::span<const ResumedWork> work) {
  int worst = kDone;
  for (const ResumedWork& one : work) {
    const int exit = one.exit > 128 ? kFailed : one.exit;
    if (badness(exit) > badness(worst)) worst = exit;
  }
  return worst;
}

Result<ResumeAllReport> resume_all(App& app, const ResumeAllRequest& request, SignalWatch& signals,
                                   const std::function<void(const std::string&)>& tell) {
  if (app.is_worker()) return fail(ErrorKind::Invalid, "a worker cannot resume a run");
  return Fleet(app, request, signals, tell).run();
}

std::string resume_all_document(const ResumeAllReport& report) {
  JsonWriter json;
  json.begin_object().key("runs").begin_array();
  for (const ResumedWork& work : report.work) {
    json.begin_object().field("id", work.id.shown()).field("outcome", work.outcome).field("exit", work.exit);
    json.field("started", work.started).field("reason", work.reason).key("command");
    work.command.empty() ? json.null() : json.value(work.command);
    json.end_object();
  }
  json.end_array().field("exit", report.exit).end_object();
  return json.take();
}

}  // namespace reprise
