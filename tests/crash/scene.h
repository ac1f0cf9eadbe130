// A scene: one story that the sweep strikes again and again. It says what is written into the sandbox, which
// commands and which edits by hand make the undisturbed run, what a person does while a struck run is brought to
// its end, and what besides the journal must be the same afterwards.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness.h"
#include "model/run_state.h"
#include "oracle.h"

namespace reprise {

/// One thing that happens in the undisturbed run: a command, or an edit by hand.
struct Act {
  std::vector<std::string> arguments;  // none: by hand
  int expected = 0;
  std::function<void(const Sandbox&)> by_hand = nullptr;
};

struct Scene {
  std::string run;  // its name
  std::vector<Act> script;
  std::function<void(const Sandbox&)> write;
  /// Does what the waiting run asks for. Returns what is wrong with being asked that, "" if nothing.
  std::function<std::string(const Sandbox&)> serve;
  /// Adds what only this scene looks at.
  std::function<void(const Sandbox&, Ending&)> read_more = nullptr;
  int parallel = 1;  // steps that may be in flight
};

/// The engine's own: every construct of a workflow, with `more` further steps in a row.
Scene engine_scene(int more);
/// The playbook: one approval ticked in its state file, with a note, and two by command.
Scene playbook_scene();
/// The spec loop with two rounds of questions: one answered by command, one typed into the table.
Scene spec_loop_scene();

/// A phase of three lanes, one of which needs another, each merged.
Scene lanes_scene();

/// An epic of two waves with three stories each, side by side, and its gates.
Scene epic_scene();
/// A COMPLEX task pipeline whose tasks of P6 run side by side; its list is in the journal.
Scene pipeline_scene();
/// A list that another program left in its folder, taken up and brought to its end.
Scene list_scene();

/// Where the state files of those two lie, relative to the project.
inline constexpr const char* kPlaybookFile = "specs/001-login/.pipeline-state.md";
inline constexpr const char* kSpecLoopFile = "specs/005-auth/.workflow/index.md";

/// Writes the configuration of a project whose one worker is `agent`, and that.
void write_agent(const Sandbox& sandbox, std::string_view agent);

/// Returns the run as it is on record; nothing if there is no such run.
std::optional<RunState> recorded(const Sandbox& sandbox, const std::string& run);

/// The whole of a file of the project; "" if it is not there.
std::string text_of(const Sandbox& sandbox, const std::string& file);

/// Saves a file of the project as careful editors do: written beside it and renamed over it.
void save_over(const Sandbox& sandbox, const std::string& file, const std::string& text);

}  // namespace reprise
