// What is wrong with a file that a person wrote for us, and where. All of it is reported at once.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/yaml.h"

namespace reprise {

/// One thing that is wrong. The message names the offending text.
struct Problem {
  std::string file;
  int line = 0;  // 1-based; 0: the file as a whole
  int column = 0;
  std::string message;
  std::string allowed;  // what could stand there instead, "" if there is no list of that
  bool operator==(const Problem&) const = default;
};

/// Returns "file:line:column: message; allowed: …".
std::string to_text(const Problem& problem);

/// Returns `text` in quotes, safe to show and not too long.
std::string quoted(std::string_view text);

/// Collects the problems of one file, up to a number after which nobody reads on.
class Problems {
 public:
  explicit Problems(std::string file) : file_(std::move(file)) {}

  void add(const YamlNode& at, std::string message, std::string allowed = {});
  void add(int line, int column, std::string message);
  bool empty() const { return list_.empty(); }
  /// Whether more would be thrown away: what is expensive to explain need not be.
  bool is_full() const { return list_.size() >= kProblemsMax; }
  const std::string& file() const { return file_; }

  /// Returns them in the order of their positions.
  std::vector<Problem> take();

  static constexpr std::size_t kProblemsMax = 100;

 private:
  std::string file_;
  std::vector<Problem> list_;
};

}  // namespace reprise
