// What every crash test stands on: a folder with a workflow of every construct, the real binary started in
// it with or without the fault library, and jobs that see every process they cause come to its end.

#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "fault_map.h"
#include "testing/strength.h"

namespace reprise {

std::string_view call_name(int call);
std::string_view role_name(int role);

/// Which binary is started, and which mistake it is told to make ("" for the product itself).
struct Subject {
  std::filesystem::path program;
  std::string known_bad;
  std::string only = {};  // faults strike programs with this in their name; "": all
};
Subject the_product();
Subject known_bad_with(const std::string& mistake);

/// A folder of its own, in memory where the system offers that: `project` below it is what the faults
/// strike; effects, acknowledgements and the fault map lie beside it.
class Sandbox {
 public:
  explicit Sandbox(const Subject& subject);
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  std::filesystem::path folder() const { return folder_; }
  std::filesystem::path project() const { return folder_ / "project"; }
  std::filesystem::path store() const {
    const bool has_git = std::filesystem::exists(project() / ".git");
    return has_git ? project() / ".git" / "reprise" : project() / ".reprise" / "state";
  }
  std::filesystem::path acks() const { return folder_ / "acks"; }
  std::filesystem::path trace() const { return folder_ / "trace"; }

  void write(const std::filesystem::path& relative, std::string_view text) const;
  /// Returns the lines of a file beside the project; none if it is not there.
  std::vector<std::string> lines(const std::string& name) const;
  bool has_ack(std::string_view start_of_line) const;

  FaultMap& map() const { return *map_; }
  void record_trace() { with_trace_ = true; }

  enum class Faults { Off, On };
  /// Starts the binary in the project; what it says is appended to acks(). Returns its pid.
  int start(const std::vector<std::string>& arguments, Faults faults) const;
  /// Starts it and waits. Returns its exit code, 128 + signal if one ended it.
  int run(const std::vector<std::string>& arguments, Faults faults = Faults::Off) const;

 private:
  Subject subject_;
  std::filesystem::path folder_;
  FaultMap* map_ = nullptr;
  bool with_trace_ = false;
};

/// Waits for a child. Returns its exit code, 128 + signal if a signal ended it.
int wait_for(int pid);
/// Waits until no process that this job caused is alive; false if `limit` passes before.
bool wait_for_all(std::chrono::milliseconds limit);

/// Kills every process that this job caused, and whatever they caused, and waits until they are gone.
void kill_everything();

/// Calls `job` for each number below `count`, two at a time, each in a process of its own that inherits
/// every orphan of what it starts. Returns what they returned; whatever is left of a job is ended.
std::vector<std::string> run_jobs(int count, const std::function<std::string(int)>& job,
                                  std::chrono::seconds limit = std::chrono::seconds(40));

/// The workflow `crash` with every construct, and with `more` further steps in a row. Its steps append a
/// line "<step>#<attempt>" to `effects` when they run. Which of two parallel steps ends first is settled
/// by the acknowledgements, so that the same calls are made every time.
void write_workflow(const Sandbox& sandbox, int more);
inline constexpr const char* kRunName = "crash/r";

/// A fifo in the sandbox. Opening one waits for the other side, so that no moment has to be guessed.
void make_pipe_file(const Sandbox& sandbox, const char* name);
void write_pipe(const Sandbox& sandbox, const char* name);
void read_pipe(const Sandbox& sandbox, const char* name);

/// Returns in how many lines of a file of the sandbox `part` stands.
int count_lines(const Sandbox& sandbox, const std::string& name, std::string_view part);

}  // namespace reprise
