#include "cli/resumer.h"

#include <algorithm>

#include "app/adoption.h"
#include "app/documents.h"
#include "app/lane_definition.h"
#include "app/orchestrator_system.h"
#include "app/preflight.h"
#include "app/resume_choice.h"
#include "app/rollback.h"
#include "app/scan.h"
#include "base/json_writer.h"
#include "base/strings.h"
#include "cli/foreground.h"
#include "cli/handlers.h"
#include "cli/layout.h"
#include "cli/prompt.h"
#include "cli/render.h"
#include "cli/resume.h"
#include "cli/resume_text.h"

namespace reprise {
namespace {

constexpr std::string_view kAutopilot = "autopilot";

Error several_open(const std::vector<Candidate>& open) {
  Error error{.kind = ErrorKind::Invalid, .message = "several runs can be resumed; say which"};
  for (const Candidate& candidate : open)
    error.hints.push_back("reprise resume " + shell_quote(candidate.id.shown()));
  return error;
}

Error is_over(const RunId& run, const std::string& from) {
  Error error{.kind = ErrorKind::Invalid,
              .message = "run " + run.shown() + " is over and stays as it is; a fork does it again from a stage"};
  return std::move(error).hint("reprise fork " + shell_quote(run.shown()) + " --from " + shell_quote(from));
}

Arguments arguments_for(std::vector<std::string> positionals) {
  Arguments arguments;
  arguments.positionals = std::move(positionals);
  return arguments;
}

}  // namespace

Resumer::Resumer(Cli& cli, App& app, Arguments arguments, SignalWatch& signals, bool is_confirmed)
    : cli_(cli), app_(app), arguments_(std::move(arguments)), signals_(signals), is_confirmed_(is_confirmed) {
  is_confirmed_ = is_confirmed_ || arguments_.has("yes");
}

Result<int> Resumer::resume(const std::string& text) {
  text_ = text;
  for (;;) {
    std::unique_ptr<Journal> journal = TRY(open_journal_if_any(app_, OpenMode::ReadWrite));
    const std::expected<Meant, Stop> meant = TRY(find_meant(journal.get()));
    journal.reset();
    if (!meant && !meant.error().again) return meant.error().exit;
    if (!meant) continue;
    bool is_agreed = false;
    RunId run = meant->run.value_or(RunId{});
    if (!meant->run) {
      const std::expected<RunId, Stop> taken = TRY(take_up(*meant->candidate));
      if (!taken && !taken.error().again) return taken.error().exit;
      if (!taken) continue;
      run = *taken;
      is_agreed = true;
    }
    const Stop stop = TRY(work_on(run, is_agreed));
    if (!stop.again) return stop.exit;
  }
}

// ---- which one

Result<std::expected<Meant, Resumer::Stop>> Resumer::find_meant(Journal* journal) {
  if (!text_.empty())
    return std::expected<Meant, Stop>(with_words_of_person(TRY(find_work(app_, journal, text_))));
  const std::vector<Candidate> open = open_work(TRY(scan(app_, {})).candidates);
  if (open.empty()) return std::expected<Meant, Stop>(std::unexpect, Stop{.exit = TRY(say_nothing_to_resume())});
  if (mode_of(arguments_, Mode::Interactive) == Mode::Autopilot) return take_latest(journal, open);
  if (open.size() == 1) return std::expected<Meant, Stop>(TRY(find_work(app_, journal, open.front().id.shown())));
  if (!cli_.is_interactive()) return fail(several_open(open));
  return choose_among(journal, open);
}

// `run lanes PLAN … --input publish=merge --resume` says of a lane that was found what its records may not say.
Meant Resumer::with_words_of_person(Meant meant) const {
  const bool is_named = arguments_.has("run-id") && arguments_.positional(0) == kLanesWorkflow;
  if (!meant.candidate || !is_named) return meant;
  meant.candidate->plan_file = arguments_.positional(1);
  for (const std::string& input : arguments_.values("input")) {
    if (input.starts_with("publish=")) meant.candidate->publish = input.substr(input.find('=') + 1);
  }
  return meant;
}

Result<int> Resumer::say_nothing_to_resume() {
  cli_.say("nothing to resume");
  for (const Candidate& candidate : TRY(scan(app_, {.all = true})).candidates) {
    if (candidate.status != RunStatus::Running) continue;
    cli_.say("  " + printable_line(candidate.id.shown(), 100) + " is being worked on; watch it: reprise attach " +
             shell_quote(candidate.id.shown()));
  }
  cli_.say("  see what there is:  reprise scan --all");
  cli_.say("  start something:    reprise run WORKFLOW    (reprise workflow list)");
  if (cli_.wants_json()) cli_.print(outcome_document({.status = "done"}) + "\n");
  return kExitDone;
}

Result<std::expected<Meant, Resumer::Stop>> Resumer::take_latest(Journal* journal,
                                                                 const std::vector<Candidate>& open) {
  const std::optional<ResumeChoice> choice = choose_latest(open);
  for (std::string& words : words_for(*choice, open)) {
    if (!is_silent()) cli_.say(wrapped(words, cli_.width(), 2));
    log_.push_back(std::move(words));
  }
  text_ = open[choice->index].id.shown();
  return std::expected<Meant, Stop>(TRY(find_work(app_, journal, text_)));
}

Result<std::expected<Meant, Resumer::Stop>> Resumer::choose_among(Journal* journal,
                                                                  const std::vector<Candidate>& open) {
  cli_.say(several_text(cli_, open));
  static const std::string kNone[] = {"none"};
  const Reply reply =
      ask_which(cli_, signals_, "Which would you like to resume? (1-" + std::to_string(open.size()) + ", or none)",
                open.size(), kNone);
  if (!reply.is_answered()) return std::expected<Meant, Stop>(std::unexpect, Stop{.exit = reply.exit});
  if (reply.text == "none") {
    cli_.say("nothing was resumed");
    cli_.say("  start something:    reprise run WORKFLOW    (reprise workflow list)");
    return std::expected<Meant, Stop>(std::unexpect, Stop{.exit = kExitDone});
  }
  const Candidate& chosen = open[static_cast<std::size_t>(std::stoul(reply.text)) - 1];
  const std::vector<Candidate> now = open_work(TRY(scan(app_, {})).candidates);
  const auto same = std::ranges::find(now, chosen.id, &Candidate::id);
  if (same == now.end()) {
    cli_.say(wrapped(printable_line(chosen.id.shown(), 200) +
                         " changed while the list was shown and cannot be resumed any more",
                     cli_.width(), 2));
    return std::expected<Meant, Stop>(std::unexpect, Stop{.again = true});
  }
  say_changes(changes_of(chosen, *same));
  text_ = chosen.id.shown();
  return std::expected<Meant, Stop>(TRY(find_work(app_, journal, text_)));
}

void Resumer::say_changes(const std::vector<std::string>& changes) {
  if (changes.empty()) return;
  must_ask_ = true;
  cli_.say("it changed since it was shown:");
  for (const std::string& change : changes) cli_.say(wrapped("  - " + change, cli_.width(), 4));
}

// ---- agreeing

Mode Resumer::mode_for(const Proposal& proposal) const { return mode_of(arguments_, proposal.mode); }

ConsentRequest Resumer::request_for(const Proposal& proposal, const PreflightReport* report) const {
  return {.mode = mode_for(proposal),
          .is_confirmed = is_confirmed_,
          .must_ask = must_ask_,
          .log = log_,
          .preflight = preflight_,
          .arguments = &arguments_,
          .report = report,
          .app = &app_};
}

// What the answer wants instead of going on; nothing if it goes on.
Result<Resumer::MaybeStop> Resumer::act_on(const Consent& consent, const Proposal& proposal) {
  log_.insert(log_.end(), consent.log.begin(), consent.log.end());
  switch (consent.what) {
    case Consent::What::GoOn: return std::nullopt;
    case Consent::What::End: return Stop{.exit = consent.exit};
    case Consent::What::Leave: return TRY(leave_by(*consent.way, proposal));
    case Consent::What::Restart: break;
  }
  Arguments anew = arguments_for({proposal.plan.id.shown()});
  anew.options["run"];
  return Stop{.exit = fresh_command(cli_, anew)};
}

Result<Resumer::Stop> Resumer::leave_by(const WayOut& way, const Proposal& proposal) {
  const std::string id = proposal.plan.id.shown();
  text_ = id;
  Arguments arguments = arguments_for({id});
  const auto then_again = [](int exit) { return Stop{.again = exit == kExitDone, .exit = exit}; };
  switch (way.kind) {
    case WayOut::Kind::Restart: arguments.options["run"]; return Stop{.exit = fresh_command(cli_, arguments)};
    case WayOut::Kind::From: return start_from_phase(proposal);
    case WayOut::Kind::CleanUp:
      return Stop{.exit = way.command.starts_with("reprise cleanup") ? cleanup_command(cli_, arguments)
                                                                     : fresh_command(cli_, arguments)};
    case WayOut::Kind::Repair: return then_again(repair_command(cli_, arguments));
    case WayOut::Kind::Retry:
      arguments.positionals.push_back(way.target);
      return then_again(retry_command(cli_, arguments));
    case WayOut::Kind::Manual:
      cli_.say("nothing was changed; put it right, then: reprise resume " + shell_quote(id));
      cli_.say("  " + way.command);
      return Stop{.exit = kExitBlocked};
    case WayOut::Kind::Accept: break;
  }
  const Reply why = ask(cli_, signals_, "Why is it accepted? (it is recorded with your name)", {});
  if (!why.is_answered()) return Stop{.exit = why.exit};
  if (why.text.empty()) return Stop{.again = true};
  arguments.positionals.push_back(way.target);
  arguments.options["because"] = {why.text};
  return then_again(accept_command(cli_, arguments));
}

Result<Resumer::Stop> Resumer::start_from_phase(const Proposal& proposal) {
  cli_.say(phases_text(cli_, proposal));
  static const std::string kCancel[] = {"cancel"};
  const std::size_t count = proposal.plan.decisions.size();
  const Reply reply =
      ask_which(cli_, signals_, "From which phase? (1-" + std::to_string(count) + ", or cancel)", count, kCancel);
  if (!reply.is_answered()) return Stop{.exit = reply.exit};
  if (reply.text == "cancel") return Stop{.again = true};
  const std::size_t number = static_cast<std::size_t>(std::stoul(reply.text));
  arguments_.options["from"] = {proposal.plan.decisions[number - 1].step.text};
  return Stop{.again = true};
}

// ---- found work

Result<Resumer::MaybeStop> Resumer::agree_on_found(const Candidate& candidate) {
  const std::string from = arguments_.value("from");
  const Proposal proposal = TRY(propose_found(app_, candidate, from));
  PreflightReport report;
  if (mode_for(proposal) == Mode::Preflight) {
    report = TRY(preflight_found(app_, candidate, proposal));
    JsonWriter json;
    write_preflight(json, proposal, report);
    preflight_ = json.take();
  }
  ConsentRequest request = request_for(proposal, &report);
  request.system = candidate.system;
  if (candidate.system == "spec-loop" && candidate.resumable && !candidate.damaged)
    request.preface = resume_prompt(candidate, proposal.plan);
  if (cli_.is_interactive())  // the question says the rest
    request.preface = request.preface.substr(0, request.preface.find("\nResume, or start fresh"));
  const Consent consent = ask_consent(cli_, signals_, proposal, request);
  must_ask_ = false;
  if (const MaybeStop stop = TRY(act_on(consent, proposal))) return stop;
  if (cli_.is_interactive()) {
    say_changes(changes_of(proposal.plan, TRY(preview(app_, candidate, from))->plan));
    if (must_ask_) return Stop{.again = true};
  }
  if (candidate.system != kLanesWorkflow) {  // whose definition is a plan, which adopting reads
    const Definition definition = TRY(definition_for_found(app_, candidate));
    if (std::optional<Error> error = missing_worker(definition.workflow, TRY(read_config(app_))))
      return fail(std::move(*error));
  }
  if (candidate.system == kOrchestrator || cli_.is_interactive()) show_hand_over(proposal);
  return std::nullopt;
}

void Resumer::show_hand_over(const Proposal& proposal) {
  if (!is_silent()) cli_.say(std::string(trim(resuming_text(cli_, proposal))));
}

// Work that was found in a state file: shown and confirmed first, then made a run of.
Result<std::expected<RunId, Resumer::Stop>> Resumer::take_up(const Candidate& candidate) {
  text_ = candidate.id.shown();
  if (const MaybeStop stop = TRY(agree_on_found(candidate)))
    return std::expected<RunId, Stop>(std::unexpect, *stop);
  const std::unique_ptr<Journal> journal = TRY(open_journal(app_, OpenMode::ReadWrite));
  return std::expected<RunId, Stop>(TRY(adopt(app_, *journal, candidate)));
}

// ---- runs

Result<Resumer::Stop> Resumer::work_on(const RunId& run, bool is_agreed) {
  text_ = run.shown();
  LiveView view(cli_, app_.clock);
  const ResumeRequest request{.from = arguments_.value("from"),
                              .mode = value_in(kModeTokens, arguments_.value("mode"))};
  std::unique_ptr<Session> session =
      TRY(Session::resume(app_, TRY(open_journal(app_, OpenMode::ReadWrite)), run, request, view, &signals_));
  view.hide();
  if (!is_silent() && !session->is_over()) {
    for (const std::string& line : where_lanes_stand(session->state())) cli_.say(line);
  }
  if (const std::optional<int> ended = TRY(refuse_other_plan(cli_, arguments_, session->plan())))
    return Stop{.exit = *ended};
  const Readiness readiness = session->plan().readiness;
  if (arguments_.has("from") && (readiness == Readiness::Done || readiness == Readiness::Fresh))
    return fail(is_over(run, arguments_.value("from")));
  if (!is_agreed || readiness == Readiness::Blocked) {
    if (const MaybeStop stop = TRY(agree_on_run(session))) return *stop;
  }
  for (const std::string& words : log_) TRY_VOID(session->executor().note(words, std::string(kAutopilot)));
  if (arguments_.has("detach")) {
    session.reset();  // gives the lease back
    return Stop{.exit = TRY(detach(cli_, app_, run, arguments_))};
  }
  return Stop{.exit = TRY(work(cli_, app_, *session, view, signals_, further_fields(log_, preflight_)))};
}

// A name without a number means the newest run. If that one is over, an older one may be what was meant.
Result<void> Resumer::say_open_siblings(const RunId& run) {
  if (!run.has_siblings) return {};
  for (const Candidate& candidate : open_work(TRY(scan(app_, {})).candidates)) {
    if (candidate.id != run && subject_of(candidate.id) == subject_of(run))
      cli_.say("  try: reprise resume " + shell_quote(candidate.id.shown()));
  }
  return {};
}

// The session holds the run while a person is asked, so that nobody else goes on with it; what is looked at again
// afterwards is the world. It is let go before anything else is done with the run.
Result<Resumer::MaybeStop> Resumer::agree_on_run(std::unique_ptr<Session>& session) {
  const RunId run = session->id();
  const std::string from = arguments_.value("from");
  const bool is_over = session->is_over();
  const Proposal proposal = is_over ? Proposal{.plan = session->plan(), .phases = {}, .mode = session->mode()}
                                    : propose_run(session->state(), session->workflow(), session->plan());
  PreflightReport report;
  if (!is_over && mode_for(proposal) == Mode::Preflight) {
    report = TRY(preflight_run(app_, session->state(), proposal));
    JsonWriter json;
    write_preflight(json, proposal, report);
    preflight_ = json.take();
  }
  const bool may_move = cli_.is_interactive() && !is_over;
  Plan before;
  if (may_move) before = TRY(preview(app_, session->journal(), run, from))->plan;
  ConsentRequest request = request_for(proposal, &report);
  request.journal = &session->journal();
  const Consent consent = ask_consent(cli_, signals_, proposal, request);
  must_ask_ = false;
  if (consent.what != Consent::What::GoOn) {
    session.reset();
    if (is_over) TRY_VOID(say_open_siblings(run));
    return act_on(consent, proposal);
  }
  TRY(act_on(consent, proposal));
  if (may_move) {
    say_changes(changes_of(before, TRY(preview(app_, session->journal(), run, from))->plan));
    if (must_ask_) {
      session.reset();
      return Stop{.again = true};
    }
    show_hand_over(proposal);
  }
  return std::nullopt;
}

}  // namespace reprise
