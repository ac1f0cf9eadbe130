#include "formats/qa_loop.h"

#include <algorithm>

#include "formats/orchestrator_words.h"

namespace reprise {
namespace {

class QaLoopReader {
 public:
  QaLoopReader(const StateValue& root, QaLoopClaims& claims) : claims_(claims), read_(claims.oddities) {
    claims_.story = read_.text(root.find({"story_id", "story"}));
    claims_.status = read_.word(root.find("status"), claims_.status_word, qa_loop_status_of);
    claims_.iteration = read_.number(root.find({"current_iteration", "iteration"}));
    claims_.iterations_max = read_.number(root.find("max_iterations"));
    claims_.escalation = read_.text(root.find("escalation_reason"));
    claims_.started_at = read_.time(root.find({"started_at", "created_at"}));
    claims_.updated_at = read_.time(root.find({"updated_at", "last_updated"}));
    read_history(root.find("history"));
    std::string word;
    claims_.last_verdict = read_.word(root.find({"last_verdict", "verdict"}), word, qa_verdict_of);
    if (claims_.last_verdict == QaVerdict::None && !claims_.history.empty()) {
      claims_.last_verdict = claims_.history.back().verdict;
    }
  }

 private:
  // A list of entries, or a map of them by iteration.
  void read_history(const StateValue* history) {
    if (history == nullptr) return;
    for (const StateEntry& entry : history->entries) {
      if (entry.value.is_map()) {
        read_review(entry.value);
      } else {
        claims_.history.push_back({.line = entry.line});
        ClaimedReview& review = claims_.history.back();
        review.verdict = read_.word(&entry.value, review.verdict_word, qa_verdict_of);
      }
      ClaimedReview& review = claims_.history.back();
      if (!review.iteration) review.iteration = read_.number_in(entry.key);
      if (!review.iteration) read_.odd(entry.value, entry.key, "an entry of the history without its iteration");
    }
    if (history->is_map()) return;
    if (!history->is_list()) return read_.odd(*history, history->text, "the history is not a list");
    for (const StateValue& entry : history->elements) {
      if (entry.is_map()) {
        read_review(entry);
      } else {
        read_.odd(entry, entry.text, "not an entry of the history");
      }
    }
  }

  void read_review(const StateValue& entry) {
    ClaimedReview review;
    review.line = entry.line;
    review.iteration = read_.number(entry.find("iteration"));
    review.verdict = read_.word(entry.find({"verdict", "status"}), review.verdict_word, qa_verdict_of);
    review.issues_found = issues_in(entry.find({"issues_found", "issues"}));
    review.reviewed_at = read_.time(entry.find({"reviewed_at", "timestamp", "at"}));
    review.fixed_at = read_.time(entry.find("fixed_at"));
    review.interrupted = entry.find({"interrupted_at", "interrupt_reason"}) != nullptr;
    claims_.history.push_back(std::move(review));
  }

  // A number, or the issues themselves.
  std::optional<long long> issues_in(const StateValue* issues) {
    if (issues != nullptr && issues->is_list()) return static_cast<long long>(issues->elements.size());
    return read_.number(issues);
  }

  QaLoopClaims& claims_;
  StateReader read_;
};

}  // namespace

std::string_view qa_loop_dialect(const StateValue& root) {
  if (!root.is_map()) return "";
  const auto says_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::any_of(names, [&](std::string_view name) { return root.find_entry(name) != nullptr; });
  };
  // What has no status is told by what a loop alone has: its counter and what it counts.
  const bool is_told = says_one_of({"status", "last_verdict", "verdict", "history", "max_iterations"});
  if (!is_told) return "";
  if (root.find_entry("current_iteration") != nullptr) return "reference";
  if (root.find_entry("iteration") == nullptr) return "";
  const bool has_snake = std::ranges::find(root.entries, "story_id", &StateEntry::key) != root.entries.end();
  const bool counts_issues =
      root.find_entry("issues_open") != nullptr || root.find_entry("issues_resolved") != nullptr;
  if (has_snake || counts_issues) return "fork";
  return says_one_of({"story_id", "story", "max_iterations", "history", "last_verdict"}) ? "compact" : "";
}

namespace {

// Closes JSON that ends in the middle: what stands before the value in which it ends, with the brackets that are
// open there. A number at the very end may be the first digits of another, and does not count.
std::string closed_json(std::string_view bytes) {
  std::string open;  // the brackets that close what is open
  std::string open_there;
  std::size_t whole = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    if (in_text) {
      if (c == '\\') ++i;
      in_text = c != '"';
      continue;
    }
    in_text = c == '"';
    if (c == '{' || c == '[') open += c == '{' ? '}' : ']';
    const bool closes = c == '}' || c == ']';
    if (closes && (open.empty() || open.back() != c)) break;
    if (closes) open.pop_back();
    const bool is_end = c == ',' || c == '{' || c == '[' || closes;
    if (!is_end) continue;
    whole = c == ',' ? i : i + 1;
    open_there = open;
  }
  return std::string(bytes.substr(0, whole)) + std::string(open_there.rbegin(), open_there.rend());
}

}  // namespace

QaLoopClaims read_torn_qa_loop(std::string_view bytes) {
  const std::string closed = closed_json(bytes);
  const Result<StateTree> tree = read_state_tree(closed, "", StateSyntax::Json);
  QaLoopClaims claims;
  if (!tree || !tree->root.is_map()) return claims;
  claims.dialect = qa_loop_dialect(tree->root);
  if (claims.dialect.empty() && tree->root.find({"story_id", "story"}) != nullptr) claims.dialect = "reference";
  if (claims.dialect.empty()) return claims;
  QaLoopReader(tree->root, claims);
  claims.oddities.clear();
  return claims;
}

Result<QaLoopClaims> read_qa_loop(std::string_view bytes, std::string_view file) {
  StateTree tree = TRY(read_state_tree(bytes, file, StateSyntax::Json));
  const std::string_view dialect = qa_loop_dialect(tree.root);
  if (dialect.empty()) return fail(not_such_a_state(tree, "a QA loop's status", file));
  QaLoopClaims claims;
  claims.dialect = dialect;
  claims.oddities = std::move(tree.oddities);
  QaLoopReader(tree.root, claims);
  return claims;
}

}  // namespace reprise
