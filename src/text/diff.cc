#include "text/diff.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace reprise {
namespace {

constexpr std::size_t kContext = 3;

using Lines = std::vector<std::string_view>;

Lines split_lines(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

// Lines before[a, a_end) are replaced by after[b, b_end).
struct Change {
  std::size_t a = 0;
  std::size_t a_end = 0;
  std::size_t b = 0;
  std::size_t b_end = 0;
};

// Myers' search for the shortest way through the grid of two sequences: furthest[k] is how far a path on
// diagonal k has come in `a`. The paths of every round are kept to walk back.
class ShortestEdit {
 public:
  ShortestEdit(std::vector<int> a, std::vector<int> b) : a_(std::move(a)), b_(std::move(b)) {}

  // Returns the changes in order; one that replaces all if there is no short enough way.
  std::vector<Change> find() {
    const int max = std::min(static_cast<int>(a_.size() + b_.size()), kDiffEditsMax);
    std::vector<int> furthest(2 * static_cast<std::size_t>(max) + 3, 0);
    for (int d = 0; d <= max; ++d) {
      for (int k = -d; k <= d; k += 2) {
        const int x = slide(start(furthest, max, d, k), k);
        furthest[index(max, k)] = x;
        if (x >= size(a_) && x - k >= size(b_)) return walk_back(d);
      }
      rounds_.emplace_back(furthest.begin() + max + 1 - d, furthest.begin() + max + 2 + d);
    }
    return {{0, a_.size(), 0, b_.size()}};
  }

 private:
  static int size(const std::vector<int>& lines) { return static_cast<int>(lines.size()); }
  static std::size_t index(int max, int k) {
    const int at = max + 1 + k;
    return static_cast<std::size_t>(at);
  }

  static bool goes_down(int d, int k, int left, int right) { return k == -d || (k != d && left < right); }

  static int start(const std::vector<int>& furthest, int max, int d, int k) {
    if (d == 0) return 0;
    const int left = furthest[index(max, k - 1)];
    const int right = furthest[index(max, k + 1)];
    return goes_down(d, k, left, right) ? right : left + 1;
  }

  int slide(int x, int k) const {
    while (x < size(a_) && x - k < size(b_) &&
           a_[static_cast<std::size_t>(x)] == b_[static_cast<std::size_t>(x - k)]) {
      ++x;
    }
    return x;
  }

  // What round `d` reached on diagonal k; 0 where it has no such diagonal.
  int reached(int d, int k) const {
    const std::vector<int>& round = rounds_[static_cast<std::size_t>(d)];
    const int at = k + d;
    return k < -d || k > d ? 0 : round[static_cast<std::size_t>(at)];
  }

  std::vector<Change> walk_back(int d) const {
    std::vector<Change> changes;
    int k = size(a_) - size(b_);
    for (; d > 0; --d) {
      const bool down = goes_down(d, k, reached(d - 1, k - 1), reached(d - 1, k + 1));
      k += down ? 1 : -1;
      const int x = reached(d - 1, k);
      add(changes, static_cast<std::size_t>(x), static_cast<std::size_t>(x - k), down);
    }
    std::ranges::reverse(changes);
    return changes;
  }

  // Adds one line inserted (down) or deleted at (x, y), to the change right behind it if they touch.
  static void add(std::vector<Change>& changes, std::size_t x, std::size_t y, bool down) {
    const Change change{x, x + (down ? 0 : 1), y, y + (down ? 1 : 0)};
    if (!changes.empty() && changes.back().a == change.a_end && changes.back().b == change.b_end) {
      changes.back().a = change.a;
      changes.back().b = change.b;
    } else {
      changes.push_back(change);
    }
  }

  std::vector<int> a_;
  std::vector<int> b_;
  std::vector<std::vector<int>> rounds_;
};

std::vector<Change> find_changes(const Lines& before, const Lines& after) {
  const auto [a, b] = std::ranges::mismatch(before, after);
  const auto head = static_cast<std::size_t>(a - before.begin());
  std::size_t tail = 0;
  while (tail < std::min(before.size(), after.size()) - head &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) {
    ++tail;
  }
  std::unordered_map<std::string_view, int> numbers;
  const auto numbered = [&](const Lines& lines) {
    std::vector<int> out;
    for (std::size_t i = head; i < lines.size() - tail; ++i) {
      out.push_back(numbers.try_emplace(lines[i], static_cast<int>(numbers.size())).first->second);
    }
    return out;
  };
  std::vector<Change> changes = ShortestEdit(numbered(before), numbered(after)).find();
  for (Change& change : changes) {
    for (std::size_t* at : {&change.a, &change.a_end, &change.b, &change.b_end}) *at += head;
  }
  return changes;
}

void add_line(std::string& out, char mark, std::string_view line) {
  out += mark;
  out += line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

std::string range(char mark, std::size_t begin, std::size_t end) {
  // A range without lines is named by the line before it.
  const std::size_t first = begin == end ? begin : begin + 1;
  return mark + std::to_string(first) + ',' + std::to_string(end - begin);
}

// Writes the changes [first, last) with the lines around and between them.
void add_hunk(std::string& out, const Lines& before, const Lines& after, const std::vector<Change>& changes) {
  const std::size_t lead = std::min(changes.front().a, kContext);
  const std::size_t tail = std::min(before.size() - changes.back().a_end, kContext);
  std::size_t at = changes.front().a - lead;
  out += "@@ " + range('-', at, changes.back().a_end + tail) + ' ' +
         range('+', changes.front().b - lead, changes.back().b_end + tail) + " @@\n";
  for (const Change& change : changes) {
    for (; at < change.a; ++at) add_line(out, ' ', before[at]);
    for (; at < change.a_end; ++at) add_line(out, '-', before[at]);
    for (std::size_t i = change.b; i < change.b_end; ++i) add_line(out, '+', after[i]);
  }
  for (const std::size_t end = at + tail; at < end; ++at) add_line(out, ' ', before[at]);
}

}  // namespace

std::string unified_diff(std::string_view before, std::string_view after, const DiffNames& names) {
  if (before == after) return "";
  const Lines old_lines = split_lines(before);
  const Lines new_lines = split_lines(after);
  std::string out = "--- " + names.before + "\n+++ " + names.after + '\n';
  std::vector<Change> hunk;
  for (const Change& change : find_changes(old_lines, new_lines)) {
    if (!hunk.empty() && change.a - hunk.back().a_end > 2 * kContext) {
      add_hunk(out, old_lines, new_lines, hunk);
      hunk.clear();
    }
    hunk.push_back(change);
  }
  add_hunk(out, old_lines, new_lines, hunk);
  return out;
}

}  // namespace reprise
