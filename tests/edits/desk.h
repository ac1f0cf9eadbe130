// A desk: one project with a run of a built-in workflow, worked on by sessions that are processes of their own.
//
// A session is the real executor over the real journal, with workers that do their stage at once. At every moment
// that matters for the state file it stops and asks whether to go on: meanwhile the file may be edited, and the
// session may be told to die there and then. Moments inside the projector are found by standing in for the system
// calls renameat2 and unlink.

#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "model/run_state.h"

namespace reprise {

enum class Moment {
  Wait,            // before the file is looked at
  Edits,           // an edit was read, nothing is recorded of it
  Show,            // while the next content is made
  BeforeAppend,    // it is announced, not durable
  AfterAppend,     // durable, not written
  BeforeExchange,  // the new file is made
  AfterExchange,   // it is in place, what was displaced has not been looked at
  BeforeRemove,    // what was displaced was looked at, and is to go
};
inline constexpr int kMoments = 8;
std::string_view name_of(Moment moment);

struct SessionResult {
  int code = 0;  // 0 done, 3 waits for a person, 9 killed, 1 something went wrong
  std::string error;
};

class Desk {
 public:
  Desk(std::filesystem::path folder, bool is_playbook);

  /// What a session is for: working until it waits for a person, working and granting whatever it asks for, or
  /// taking one decision, as a command does.
  enum class Kind { Work, Grant, Decide };
  /// Makes a session, which calls `in_session` first. `at` is called at each moment, and says whether it lives on.
  SessionResult session(Kind kind, const std::function<bool(Moment)>& at, const std::function<void()>& in_session);

  std::filesystem::path folder() const { return folder_; }
  std::filesystem::path project() const { return folder_ / "project"; }
  std::filesystem::path store() const { return folder_ / "store"; }
  std::filesystem::path file() const { return project() / file_; }
  RunId run() const { return run_; }
  bool is_playbook() const { return is_playbook_; }

 private:
  std::filesystem::path folder_;
  bool is_playbook_;
  std::string file_;
  RunId run_;
};

}  // namespace reprise
