// A scratch repository, and the real program started in it: with pipes, or on a terminal of its own.
//
// The environment is the same everywhere: no variable of the caller but PATH passes, so that no test depends on
// who runs it. Nothing here sleeps for a fixed time: what is waited for is a text on the screen, a file, an exit.

#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace reprise::cli_test {

/// How long a program under test may take before it counts as stuck.
inline constexpr std::chrono::seconds kPatience{30};

/// Returns the texts as exec() takes them.
std::vector<char*> pointers(const std::vector<std::string>& texts);

namespace fs = std::filesystem;

/// Whether `part` is somewhere in `text`.
inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct Ended {
  int exit = -1;  // 128 + n after signal n
  std::string out;
  std::string err;
};

/// A program that runs on a pseudo-terminal. Ends with the object, if it has not ended before.
class Terminal {
 public:
  Terminal(pid_t pid, int fd) : pid_(pid), fd_(fd) {}
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// Waits until `text` has been shown after what earlier calls waited for. False: it ended or took too long.
  bool shows(const std::string& text);
  void type(const std::string& keys);
  /// Waits for the end; returns the exit code.
  int end();
  /// Closes the terminal under the program, as a window that is shut; returns the exit code.
  int hang_up();
  /// Everything that was shown so far, as it came.
  const std::string& screen() const { return screen_; }
  pid_t pid() const { return pid_; }

 private:
  bool read_more(int timeout_ms);

  pid_t pid_;
  int fd_;
  std::string screen_;
  std::size_t seen_ = 0;
};

/// A process that was started and not waited for. Ends with the object.
class Background {
 public:
  explicit Background(pid_t pid) : pid_(pid) {}
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  void signal(int number) const;
  int end();
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

class World {
 public:
  /// Makes an empty repository in a new folder that is called `name`.
  explicit World(const std::string& name = "project");
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  const fs::path& root() const { return root_; }
  void write(const std::string& path, const std::string& text) const;
  std::string read(const std::string& path) const;
  bool has(const std::string& path) const { return fs::exists(root_ / path); }
  /// Writes `.reprise/workflows/NAME.yaml`; the name is put in front.
  void workflow(const std::string& name, const std::string& body) const;
  void set(const std::string& variable, const std::string& value) { environment_[variable] = value; }
  void unset(const std::string& variable) { environment_.erase(variable); }

  /// Runs `reprise WORDS…` to its end.
  Ended reprise(const std::vector<std::string>& words) const;
  /// Runs a line of shell, with `reprise` in its PATH.
  Ended shell(const std::string& line) const;
  /// Starts `reprise WORDS…` without waiting; its output goes to the file `output`.
  std::unique_ptr<Background> start(const std::vector<std::string>& words,
                                    const std::string& output = "background.txt") const;
  /// Starts a shell that reads `input` and has `answer` as its descriptor 9; returns its process id.
  pid_t start_shell(int input, int answer) const;
  /// Starts `reprise WORDS…` on a terminal.
  std::unique_ptr<Terminal> terminal(const std::vector<std::string>& words, int columns = 80) const;

  /// Waits until `is_so`; false after half a minute.
  static bool wait_until(const std::function<bool()>& is_so);
  bool wait_for_file(const std::string& path) const;

 private:
  std::vector<std::string> environment() const;
  Ended run(const std::vector<std::string>& argv) const;

  fs::path root_;
  fs::path home_;  // holds bin/reprise; also HOME
  std::map<std::string, std::string> environment_;
};

/// Where the binary and the sources are.
fs::path binary();
fs::path sources();

/// Returns the whole text of a file.
std::string slurp(const fs::path& path);

}  // namespace reprise::cli_test
