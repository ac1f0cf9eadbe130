#include "cli/consent.h"

#include <algorithm>

#include "app/documents.h"
#include "app/resume_choice.h"
#include "base/json_writer.h"
#include "base/strings.h"
#include "cli/foreground.h"
#include "cli/layout.h"
#include "cli/plan_text.h"
#include "cli/prompt.h"
#include "cli/resume_text.h"

namespace reprise {
namespace {

class Asking {
 public:
  Asking(Cli& cli, SignalWatch& signals, const Proposal& proposal, const ConsentRequest& request)
      : cli_(cli), signals_(signals), proposal_(proposal), plan_(proposal.plan), request_(request) {}

  Consent ask_all() {
    ways_ = plan_.readiness == Readiness::Blocked ? ways_out(proposal_) : std::vector<WayOut>();
    show();
    switch (plan_.readiness) {
      case Readiness::Done: cli_.say("nothing to resume: the run is done"); return end("done", kExitDone);
      case Readiness::Fresh: return end_for_good();
      case Readiness::Blocked: return ask_way_out();
      default: break;
    }
    return request_.mode == Mode::Autopilot && !request_.must_ask ? let_autopilot() : ask_person();
  }

 private:
  bool is_silent() const { return cli_.wants_json() || cli_.is_quiet(); }
  bool is_preflight() const { return request_.mode == Mode::Preflight; }

  // A run that its user ended leaves nothing to do. One whose system forbids to resume it is refused.
  Consent end_for_good() {
    const auto refused = std::ranges::find(plan_.decisions, Decision::Refuse, &StepDecision::decision);
    if (refused == plan_.decisions.end()) {
      say_ended();
      return end("stopped", kExitDone);
    }
    cli_.say("cannot resume " + plan_.id.shown() + ": " + refused->reason());
    for (const PlanOption& option : plan_.options) cli_.say("  try: " + option.command);
    return end("stopped", kExitBlocked);
  }

  void say_ended() {
    const auto undo = std::ranges::find(plan_.options, "undo", &PlanOption::action);
    cli_.say(undo != plan_.options.end()
                 ? "nothing to resume: the run was put away; bring it back with: " + undo->command
                 : "nothing to resume: the run has ended; start anew with: reprise fresh " +
                       shell_quote(plan_.id.shown()));
  }

  void show() {
    if (is_silent()) return;
    if (!request_.preface.empty())
      cli_.say(cli_.is_interactive() ? wrapped(request_.preface, cli_.screen_width(), 2) : request_.preface);
    const bool is_open = plan_.readiness != Readiness::Done && plan_.readiness != Readiness::Fresh;
    if (!cli_.is_interactive()) {
      cli_.say(plan_text(cli_, plan_));
      if (is_preflight() && is_open && request_.report != nullptr)
        cli_.say(preflight_text(cli_, proposal_, *request_.report));
      return;
    }
    if (!is_open) return;
    if (is_preflight() && request_.report != nullptr) cli_.say(preflight_text(cli_, proposal_, *request_.report));
    if (plan_.readiness == Readiness::Blocked) {
      cli_.say(cannot_resume_text(cli_, proposal_, ways_));
    } else if (!is_preflight()) {
      cli_.say(is_partial(plan_) ? partial_text(cli_, proposal_) : summary_text(cli_, proposal_));
    }
  }

  Consent end(std::string_view status, int exit_code) {
    std::vector<std::string> log = request_.log;
    log.insert(log.end(), log_.begin(), log_.end());
    if (cli_.wants_json()) {
      const std::string fields = further_fields(log, request_.preflight);
      Outcome outcome = refused_outcome(*request_.app, request_.journal, plan_);
      outcome.status = status;
      outcome.exit = exit_code;
      if (!next_.empty()) outcome.next.insert(outcome.next.begin(), next_);
      cli_.print(with_fields(outcome_document(outcome), fields) + "\n");
    }
    return {.what = Consent::What::End, .exit = exit_code, .log = std::move(log_)};
  }

  void decide_alone() {
    log_ = decide_as_autopilot(plan_).words;
    if (is_silent()) return;
    for (const std::string& words : log_) cli_.say(wrapped(words, cli_.width(), 2));
  }

  Consent let_autopilot() {
    decide_alone();
    return {.what = Consent::What::GoOn, .log = std::move(log_)};
  }

  Consent ask_way_out() {
    if (request_.mode == Mode::Autopilot) decide_alone();
    if (is_held(plan_)) {
      cli_.say("it is being worked on; see the way out above");
      return end("interrupted", kExitHeld);
    }
    if (!cli_.is_interactive()) {
      cli_.say("blocked; see the way out above");
      return end("interrupted", kExitBlocked);
    }
    static const std::string kCancel[] = {"cancel"};
    const std::string range = ways_.size() == 1 ? "1" : "1-" + std::to_string(ways_.size());
    const Reply reply =
        ask_which(cli_, signals_, "Which would you prefer? (" + range + ", or cancel)", ways_.size(), kCancel);
    if (!reply.is_answered()) return end("interrupted", reply.exit);
    if (reply.text == "cancel") {
      cli_.say("nothing was changed");
      return end("interrupted", kExitBlocked);
    }
    const std::size_t number = static_cast<std::size_t>(std::stoul(reply.text));
    return {.what = Consent::What::Leave, .way = ways_[number - 1], .log = std::move(log_)};
  }

  // A gate or question that is open is asked for itself, once the run goes on; only pre-flight wants more.
  bool asks() const {
    if (request_.must_ask) return true;
    if (request_.is_confirmed) return false;
    if (is_preflight() || plan_.readiness == Readiness::Confirm) return true;
    if (request_.system == "spec-loop" && cli_.is_interactive())
      return true;  // its own prompt comes first (SL-02)
    return plan_.readiness != Readiness::Wait && cli_.is_interactive();
  }

  Consent ask_person() {
    if (!asks()) return {.what = Consent::What::GoOn};
    if (!cli_.is_interactive()) {
      next_ = confirming_command(plan_.id, *request_.arguments);
      cli_.say("this needs a confirmation: " + next_);
      return end("interrupted", kExitWaiting);
    }
    static const std::string kProceed[] = {"proceed", "cancel"};
    static const std::string kLoop[] = {"resume", "fresh", "cancel"};
    static const std::string kUsual[] = {"yes", "restart", "cancel"};
    const bool is_loop = request_.system == "spec-loop";
    const Reply reply = is_preflight() ? ask(cli_, signals_, "Start it? (proceed / cancel)", kProceed)
                        : is_loop ? ask(cli_, signals_, "Resume, or start fresh? (resume / fresh / cancel)", kLoop)
                                  : ask(cli_, signals_, "Resume this? (yes / restart / cancel)", kUsual);
    if (!reply.is_answered()) return end("interrupted", reply.exit);
    if (reply.text == "cancel") {
      cli_.say("nothing was changed; go on later: reprise resume " + shell_quote(plan_.id.shown()));
      return end("interrupted", kExitWaiting);
    }
    const bool restarts = reply.text == "restart" || reply.text == "fresh";
    return {.what = restarts ? Consent::What::Restart : Consent::What::GoOn};
  }

  Cli& cli_;
  SignalWatch& signals_;
  const Proposal& proposal_;
  const Plan& plan_;
  const ConsentRequest& request_;
  std::vector<WayOut> ways_;
  std::vector<std::string> log_;
  std::string next_;  // the command that answers what would have been asked
};

}  // namespace

Consent ask_consent(Cli& cli, SignalWatch& signals, const Proposal& proposal, const ConsentRequest& request) {
  return Asking(cli, signals, proposal, request).ask_all();
}

std::string further_fields(const std::vector<std::string>& log, const std::string& preflight) {
  if (log.empty() && preflight.empty()) return "";
  JsonWriter json;
  json.begin_object().key("log").begin_array();
  for (const std::string& words : log) json.value(words);
  json.end_array();
  if (!preflight.empty()) json.key("preflight").raw(preflight);
  const std::string text = json.end_object().take();
  return text.substr(1, text.size() - 2);
}

std::string confirming_command(const RunId& id, const Arguments& arguments) {
  std::vector<std::string> words = {"reprise", "resume", id.shown()};
  for (const std::string option : {"from", "mode"}) {
    if (arguments.has(option)) words.insert(words.end(), {"--" + option, arguments.value(option)});
  }
  if (arguments.has("detach")) words.emplace_back("--detach");
  words.emplace_back("--yes");
  return shell_command(words);
}

}  // namespace reprise
