#include "formats/spec_loop_checks.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/strings.h"
#include "formats/spec_loop.h"
#include "formats/spec_loop_edit.h"
#include "formats/spec_loop_links.h"
#include "formats/spec_loop_words.h"
#include "text/markdown_edit.h"

namespace reprise {
namespace {

constexpr std::string_view kStatuses =
    "not_started, scaffolding, spec_writing, validating, clarifying, completed or terminated";
constexpr std::size_t kFaultsMax = 500;

// How questions and gaps name each other.
class Links {
 public:
  explicit Links(const SpecLoopClaims& claims) {
    for (const ClaimedQuestion& question : claims.questions) {
      if (!question.is_open()) continue;
      has_open_ = true;
      for (const std::string& gap : question.gaps) named_.try_emplace(gap, &question);
    }
    for (const ClaimedGap& gap : claims.gaps) listed_.insert(gap.id);
    is_given_ = claims.links_questions;
  }

  /// The open question that names a gap; null if none does.
  const ClaimedQuestion* asking(const ClaimedGap& gap) const {
    const auto found = named_.find(gap.id);
    return found == named_.end() ? nullptr : found->second;
  }
  /// Whether a clarifying gap has its question.
  bool is_asked(const ClaimedGap& gap) const { return is_given_ ? asking(gap) != nullptr : has_open_; }
  bool is_listed(const std::string& gap) const { return listed_.contains(gap); }

 private:
  std::unordered_map<std::string, const ClaimedQuestion*> named_;
  std::unordered_set<std::string> listed_;
  bool has_open_ = false;
  bool is_given_ = false;
};

// A loop that has not started may leave out what it will count.
bool has_good_iteration(const SpecLoopClaims& claims) {
  const bool is_new = claims.status == LoopStatus::NotStarted;
  if (!claims.iteration.number) return is_new;
  return *claims.iteration.number >= (is_new ? 0 : 1) && *claims.iteration.number <= kLoopIterationsMax;
}

// A stale count that is not given counts nothing; one that cannot be read could be anything.
bool has_good_stale_count(const SpecLoopClaims& claims) {
  if (claims.stale.number) return *claims.stale.number <= kLoopStaleMax;
  return claims.stale.line == 0 || claims.status == LoopStatus::NotStarted;
}

class Checker {
 public:
  explicit Checker(const SpecLoopClaims& claims) : claims_(claims), links_(claims) {}

  std::vector<LoopFault> check() {
    check_fields();
    for (const ClaimedQuestion& question : claims_.questions) check_question(question);
    for (const ClaimedGap& gap : claims_.gaps) check_gap(gap);
    std::ranges::stable_sort(faults_, {}, &LoopFault::line);
    return std::move(faults_);
  }

 private:
  void fault(int line, std::string_view text, std::string wrong, std::string_view allowed) {
    if (faults_.size() >= kFaultsMax) return;
    faults_.push_back({line, std::string(text), std::move(wrong), std::string(allowed)});
  }

  void check_fields() {
    if (claims_.status == LoopStatus::Missing)
      fault(claims_.status_line, claims_.status_written, "there is no loop status", kStatuses);
    if (claims_.status == LoopStatus::Unknown)
      fault(claims_.status_line, claims_.status_written, "the loop status is not one that is known", kStatuses);
    if (!has_good_iteration(claims_))
      check_count(claims_.iteration, "current iteration", "1 to 10 (0 while not started)");
    if (!has_good_stale_count(claims_)) check_count(claims_.stale, "stale count", "0 to 3");
  }

  void check_count(const ClaimedCount& count, const std::string& name, std::string_view allowed) {
    const int line = count.line == 0 ? claims_.status_line : count.line;
    if (count.line == 0) return fault(line, "", "there is no " + name, allowed);
    fault(line, count.written, "the " + name + (count.number ? " is out of range" : " is not a number"), allowed);
  }

  void check_question(const ClaimedQuestion& question) {
    if (!question.is_open()) return;
    for (const std::string& gap : question.gaps) {
      if (!links_.is_listed(gap))
        fault(question.line, gap, "question " + question.id + " is about a gap that is not in the queue",
              "gaps of the queue");
    }
  }

  void check_gap(const ClaimedGap& gap) {
    const ClaimedQuestion* question = links_.asking(gap);
    if (question != nullptr && gap.status != GapStatus::Clarifying)
      fault(gap.line, gap.written, "gap " + gap.id + " is asked about in " + question->id, "clarifying");
    if (gap.status == GapStatus::Clarifying && !links_.is_asked(gap))
      fault(gap.line, gap.written, "no open question is about gap " + gap.id,
            "pending, resolved, deferred or known_gap");
  }

  const SpecLoopClaims& claims_;
  Links links_;
  std::vector<LoopFault> faults_;
};

// Finds the changes for what can be derived from the claims.
class Repairer {
 public:
  Repairer(const SpecLoopDocument& document, const SpecLoopClaims& claims)
      : document_(document), claims_(claims), links_(claims) {}

  Result<LoopRepair> repair() {
    repair_status();
    repair_iteration();
    repair_stale_count();
    for (const MarkdownTable& table : document_.tables(LoopSection::Gaps)) repair_gaps(table);
    std::string bytes = apply_edits(document_.text().bytes(), edits_);
    // One after another: the first may have to make the place for the others.
    for (const auto& [key, value] : fields_) bytes = TRY(set_loop_field(bytes, {key, value}));
    std::ranges::stable_sort(changes_, {}, &LoopRepairChange::line);
    return LoopRepair{std::move(bytes), std::move(changes_)};
  }

 private:
  void change(int line, std::string words) { changes_.push_back({line, std::move(words)}); }
  void set(std::string_view key, std::string value) { fields_.emplace_back(key, std::move(value)); }

  // Only a status that is not there, and only where nothing else fits: questions are open, their gaps say so.
  void repair_status() {
    const bool is_asking = std::ranges::any_of(claims_.gaps, [&](const ClaimedGap& gap) {
      return gap.status == GapStatus::Clarifying && links_.is_asked(gap);
    });
    if (claims_.status != LoopStatus::Missing || !is_asking) return;
    set("loop_status", "clarifying");
    change(claims_.status_line, "the loop status, which is missing, becomes clarifying: questions are open");
  }

  void repair_iteration() {
    if (has_good_iteration(claims_)) return;
    const long long number = shown_iteration();
    set("current_iteration", std::to_string(number) + " / " + std::to_string(kLoopIterationsMax));
    change(claims_.iteration.line == 0 ? claims_.status_line : claims_.iteration.line,
           "the current iteration becomes " + std::to_string(number) + ", as history and questions show");
  }

  // The last iteration that left a trace; without any, the bound that is nearest to what is written.
  long long shown_iteration() const {
    long long shown = 0;
    const auto take = [&](std::optional<long long> number) {
      if (number && *number <= kLoopIterationsMax) shown = std::max(shown, *number);
    };
    for (const ClaimedResolution& row : claims_.history) take(row.iteration);
    for (const ClaimedQuestion& question : claims_.questions) take(iteration_in(question.id));
    if (shown > 0) return shown;
    return claims_.iteration.number.value_or(0) > kLoopIterationsMax ? kLoopIterationsMax : 1;
  }

  void repair_stale_count() {
    const bool is_missing = claims_.stale.line == 0 && claims_.status != LoopStatus::NotStarted;
    if (has_good_stale_count(claims_) && !is_missing) return;
    const long long number = claims_.stale.number ? kLoopStaleMax : 0;
    set("stale_count", std::to_string(number) + " / " + std::to_string(kLoopStaleMax));
    change(is_missing ? claims_.status_line : claims_.stale.line,
           "the stale count becomes " + std::to_string(number));
  }

  void repair_gaps(const MarkdownTable& table) {
    const LoopColumns columns(table, LoopSection::Gaps);
    const std::optional<std::size_t> status = columns.find(LoopColumn::Status);
    if (!status) return;
    for (const MarkdownRow& row : table.rows) {
      const ClaimedGap gap{.id = columns.id(row),
                           .status = read_gap_status(columns.cell(row, LoopColumn::Status))};
      if (gap.id.empty()) continue;
      const ClaimedQuestion* question = links_.asking(gap);
      if (question != nullptr && gap.status != GapStatus::Clarifying) {
        edits_.push_back(set_cell(document_.text(), row, *status, "clarifying"));
        change(row.line, "gap " + gap.id + " becomes clarifying: question " + question->id + " is open");
      } else if (gap.status == GapStatus::Clarifying && !links_.is_asked(gap)) {
        edits_.push_back(set_cell(document_.text(), row, *status, "pending"));
        change(row.line, "gap " + gap.id + " becomes pending: no open question is about it");
      }
    }
  }

  const SpecLoopDocument& document_;
  const SpecLoopClaims& claims_;
  Links links_;
  std::vector<TextEdit> edits_;
  std::vector<std::pair<std::string_view, std::string>> fields_;
  std::vector<LoopRepairChange> changes_;
};

}  // namespace

std::vector<LoopFault> integrity_faults(const SpecLoopClaims& claims) { return Checker(claims).check(); }

Result<LoopRepair> repair_spec_loop(std::string_view bytes, std::string_view file) {
  const SpecLoopClaims claims = TRY(read_spec_loop(bytes, file));
  const SpecLoopDocument document{std::string(bytes)};
  LoopRepair repair = TRY(Repairer(document, claims).repair());
  const SpecLoopClaims after = TRY(read_spec_loop(repair.bytes, file));
  if (after.faults.empty()) return repair;
  const LoopFault& left = after.faults.front();
  return fail(
      Error{.kind = ErrorKind::Corrupt,
            .message = "cannot be repaired from what it says: " + left.wrong + "; allowed: " + left.allowed,
            .file = std::string(file),
            .line = left.line});
}

}  // namespace reprise
