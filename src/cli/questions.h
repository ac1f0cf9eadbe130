// Gates and questions of a run, asked one at a time on the terminal of the process that works on it: as soon as
// they open, while other steps work, and again when nothing else can be done.
//
// A decision is bound to what was shown. It is applied by Executor::steer(), never inside a callback of a turn.

#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/session.h"
#include "cli/cli.h"
#include "cli/live_view.h"
#include "cli/typed_line.h"
#include "os/signals.h"

namespace reprise {

/// What became of asking a person.
struct Asked {
  bool is_decided = false;  // here or elsewhere: the run continues
  int exit = 0;             // of a question that ended without an answer; 0: "later", or there was none to ask
};

class Questions {
 public:
  /// Asks between the turns of the session's executor from now on, if there is a terminal to ask on.
  Questions(Cli& cli, App& app, Session& session, LiveView& view, SignalWatch& signals);
  ~Questions();
  Questions(const Questions&) = delete;
  Questions& operator=(const Questions&) = delete;

  /// Asks until the first open gate or question is decided or put off, while run() is not at work.
  Result<Asked> ask_first();

 private:
  enum class Outcome { Unanswered, Later, Decided };
  struct Prompt {
    std::string label;                 // the gate, "" for a question
    std::string text;                  // what is asked
    std::vector<std::string> answers;  // allowed ones; empty: any line
    std::vector<std::string> options;  // that a question offers
    Steer steer;                       // the decision, as far as it is known
  };

  Result<int> turn();
  bool open_next(bool is_between_turns);
  void open(Prompt prompt, bool is_between_turns);
  Prompt gate_prompt(const StepPath& path, const GateState& gate);
  void close();
  void close_if_settled();
  void show();
  void say(const std::string& text);
  std::optional<std::string> read_line(int timeout_ms, bool& ended);
  Result<Outcome> accept(const std::string& line);
  Result<Outcome> decide();
  Outcome put_off();

  Cli& cli_;
  App& app_;
  Session& session_;
  LiveView& view_;
  SignalWatch& signals_;
  std::optional<Prompt> prompt_;      // what is asked now
  std::unique_ptr<SilentKeys> keys_;  // null: the terminal edits and echoes what is typed
  TypedLine typed_;                   // with keys_
  std::set<std::string> put_off_;     // by Steer::seen: asked again when nothing else can be done
};

}  // namespace reprise
