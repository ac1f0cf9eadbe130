// A page of the manual as its reader uses it: the commands of its `console` blocks are typed one after another
// into one shell, and the screens that it shows are compared with what comes back.
//
//   ```console                      commands after "$ " ("> " for further lines); lines below one are an excerpt
//   of its
//                                   output. `# exit 3` at the end is the exit code to expect, 0 without it
//   ```text                         the whole output of a command of the block before it
//   ```text unordered               the same, for steps that run in parallel: the lines come in any order
//   ```text terminal COMMAND        what COMMAND shows on a terminal of 80 columns, at this point of the page
//   ```text from PATH               an excerpt of a file of the sources, or of what the program there prints
//
// "…" stands for anything: alone for any number of words, in a word for a part of it. Times, digests,
// process ids and the like are compared as such, and so is text that is wrapped at another width.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "world.h"

namespace reprise::cli_test {

struct Block {
  int line = 0;
  std::string info;  // "console", "text unordered", …
  std::vector<std::string> lines;
};
/// Returns the fenced blocks of a Markdown file.
std::vector<Block> read_blocks(const fs::path& path);

/// A command of a console block.
struct ShownCommand {
  int line = 0;
  std::string text;
  int exit = 0;
  std::vector<std::string> excerpt;
};
std::vector<ShownCommand> commands_in(const Block& block);

/// How a screen of a page is compared.
enum class Comparison { Whole, Excerpt, Unordered };
/// Returns whether `shown`, from a page, is what `seen`, from the program, says.
bool is_same_screen(const World& world, const std::vector<std::string>& shown, const std::string& seen,
                    Comparison comparison);

/// One shell that a page is pasted into.
class PageShell {
 public:
  explicit PageShell(const World& world);
  ~PageShell();
  PageShell(const PageShell&) = delete;
  PageShell& operator=(const PageShell&) = delete;

  /// Types a command and waits for its end; stdout and stderr are in `out`. Exit -1: the shell ended, or the
  /// command takes too long.
  Ended type(const std::string& command);

 private:
  void end();

  const fs::path output_;
  pid_t pid_ = -1;
  int input_ = -1;   // what is typed
  int answer_ = -1;  // exit codes
};

}  // namespace reprise::cli_test
