#include "formats/problem.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/strings.h"

namespace reprise {

std::string to_text(const Problem& problem) {
  std::string out = problem.file;
  if (problem.line > 0) out += ":" + std::to_string(problem.line) + ":" + std::to_string(problem.column);
  out += ": " + problem.message;
  if (!problem.allowed.empty()) out += "; allowed: " + problem.allowed;
  return out;
}

std::string quoted(std::string_view text) { return '"' + printable_line(text, 80) + '"'; }

void Problems::add(const YamlNode& at, std::string message, std::string allowed) {
  if (is_full()) return;
  list_.push_back({file_, at.line(), at.column(), std::move(message), std::move(allowed)});
}

void Problems::add(int line, int column, std::string message) {
  if (is_full()) return;
  list_.push_back({file_, line, column, std::move(message), {}});
}

std::vector<Problem> Problems::take() {
  std::vector<std::size_t> order(list_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::tuple(list_[i].line, list_[i].column, i); });
  std::vector<Problem> sorted;
  for (const std::size_t i : order) sorted.push_back(std::move(list_[i]));
  list_.clear();
  return sorted;
}

}  // namespace reprise
