// Before a run of a built-in workflow begins: work that was found for the same feature is never overwritten, and a
// failed run hands its notes on (PB-12, SL-01).

#pragma once

#include <string>
#include <vector>

#include "app/app.h"
#include "app/session.h"

namespace reprise {

/// What lies in the way of a new run, and may be set aside.
struct Room {
  std::string id;          // of the work
  std::string state_file;  // where the run will keep its state; "" for own workflows, which need no room
  bool is_there = false;   // the file is there and the run begins with it: a story that nobody works on yet
  std::vector<std::string> finished;  // state files of a run of the same subject that is over
};

/// Finds out whether there is room for a run of `workflow`; changes nothing. Fails with Conflict, and the options
/// as hints, if there is unfinished work, or a file at a place of a state file that is not recognised as one: no
/// run overwrites it. Fails with Invalid if the subject is missing, and like
/// check_record_places().
Result<Room> find_room(App& app, const std::string& workflow, const StartRequest& request);

/// Checks that everything that a run writes into the project besides its workers' output will lie in it: its
/// state file, for a run of lanes its checkpoints and its log. Fails with Refused and names the link that leads
/// out.
Result<void> check_record_places(const App& app, const std::string& workflow, const std::string& state_file);

/// Whether the story of a story cycle or QA loop can be worked on: what is reviewed is there (else NotFound), and
/// the other of the two does not work on it at this moment (else being_worked_on()).
Result<void> check_story(App& app, Journal& journal, const std::string& workflow, const std::string& story);

/// Returns the refusal to touch a run that somebody works on: Conflict, with how to watch it.
Error being_worked_on(const RunId& run, const Owner& owner);

/// Sets aside what is in the way. Returns the notes that a failed run hands on.
Result<std::vector<std::string>> make_room(App& app, const Room& room);

}  // namespace reprise
