#include "planner/checkout_findings.h"

#include <algorithm>

#include "base/strings.h"

namespace reprise {
namespace {

constexpr std::size_t kShownNameMax = 120;

std::string checkout_name(const std::string& checkout) {
  return checkout.empty() ? "the main checkout" : printable_line(checkout, kShownNameMax);
}

Finding describe_other_checkout(const RunSnapshot& snapshot) {
  const RunState& state = *snapshot.state;
  return {
      .rule = "WF-44 checkout",
      .code = "other_checkout",
      .severity = Severity::Warning,
      .message = "the run worked in " + checkout_name(state.checkout) + ", and this is " +
                 checkout_name(snapshot.checkout) + ": what its steps left there is not here",
      .claimed = checkout_name(state.checkout),
      .seen = checkout_name(snapshot.checkout),
      .remedy = "reprise -C " + shell_quote(snapshot.checkout_then) + " resume " + shell_quote(state.id.shown())};
}

Finding describe_other_branch(const RunSnapshot& snapshot) {
  const RunState& state = *snapshot.state;
  const bool is_gone = !snapshot.has_branch_then;
  return {.rule = "WF-45 branch",
          .code = "branch_mismatch",
          .severity = Severity::Warning,
          .message = "the run was on branch " + printable_line(state.branch, kShownNameMax) +
                     (is_gone ? ", which no longer exists" : "") + "; the checkout is on " +
                     printable_line(snapshot.branch, kShownNameMax),
          .claimed = state.branch,
          .seen = snapshot.branch,
          .remedy = is_gone ? "reprise accept " + shell_quote(state.id.shown()) + " branch_mismatch --because TEXT"
                            : "git switch " + shell_quote(state.branch)};
}

bool has_other_branch(const RunSnapshot& snapshot, const Graph& graph) {
  const RunState& state = *snapshot.state;
  if (state.branch.empty() || snapshot.branch.empty() || state.branch == snapshot.branch) return false;
  const auto accepted = state.overruled.find("branch_mismatch");
  if (accepted != state.overruled.end() && accepted->second.seen == snapshot.branch) return false;
  return std::ranges::any_of(graph.leaves(), [&](int leaf) { return graph.node(leaf).lane < 0; });
}

}  // namespace

std::vector<Finding> find_checkout_difference(const RunSnapshot& snapshot, const Graph& graph) {
  const RunState& state = *snapshot.state;
  const bool is_closed = state.status == RunStatus::Done || state.status == RunStatus::Stopped;
  if (!state.was_worked_on() || is_closed) return {};
  if (state.checkout != snapshot.checkout) return {describe_other_checkout(snapshot)};
  if (has_other_branch(snapshot, graph)) return {describe_other_branch(snapshot)};
  return {};
}

}  // namespace reprise
