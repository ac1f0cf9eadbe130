#include "formats/task_phase_words.h"

#include <algorithm>
#include <array>

#include "base/chars.h"
#include "base/strings.h"
#include "formats/state_words.h"

namespace reprise {
namespace {

// Goes through a text from the left.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::size_t at() const { return at_; }
  void go_to(std::size_t at) { at_ = at; }
  bool is_end() const { return at_ >= text_.size(); }
  char next() const { return is_end() ? '\0' : text_[at_]; }

  std::size_t skip(std::string_view any_of) {
    const std::size_t begin = at_;
    while (!is_end() && any_of.find(text_[at_]) != any_of.npos) ++at_;
    return at_ - begin;
  }
  bool take(std::string_view word) {
    if (to_lower(text_.substr(at_, word.size())) != word) return false;
    at_ += word.size();
    return true;
  }
  // A whole number of one or two digits that nothing is glued to.
  std::optional<int> number() {
    const std::size_t begin = at_;
    while (is_digit(next())) ++at_;
    const bool is_one = at_ > begin && at_ - begin <= 2 && !is_letter(next()) && next() != '_';
    const std::optional<long long> value =
        is_one ? parse_number(text_.substr(begin, at_ - begin), 99) : std::nullopt;
    if (value) return static_cast<int>(*value);
    at_ = begin;
    return std::nullopt;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

// "P4" or "Phase 4"; stays where it is if there is none.
std::optional<int> read_one(Scanner& scan) {
  const std::size_t begin = scan.at();
  const bool is_word = scan.take("phases") || scan.take("phase");
  if (is_word) scan.skip(" -_#:");
  const bool is_letter_form = scan.take("p");
  const std::optional<int> number = is_word || is_letter_form ? scan.number() : std::nullopt;
  if (!number) scan.go_to(begin);
  return number;
}

// What follows "P4" in "P4-P9" and "4-9". Where spaces stand around the dash, it may begin a remark: then only
// another "P" makes it a range.
std::optional<int> read_range_end(Scanner& scan) {
  const std::size_t begin = scan.at();
  const bool is_apart = scan.skip(" ") > 0;
  const bool is_dash = scan.take("-") || scan.take("–") || scan.take("—") || scan.take("..") || scan.take("to ");
  scan.skip(" ");
  std::optional<int> number;
  if (is_dash) number = read_one(scan);
  if (is_dash && !number && !is_apart) number = scan.number();
  if (!number) scan.go_to(begin);
  return number;
}

void add_phases(PhaseLabel& label, int first, int last) {
  for (int number = first; number <= last; ++number) {
    if (number >= static_cast<int>(kTaskPhases)) {
      label.is_beyond = true;
      return;
    }
    label.phases.push_back(static_cast<TaskPhase>(number));
  }
}

struct SignalWord {
  std::string_view word;
  PhaseSignal signal;
};
constexpr std::array kSignalWords = std::to_array<SignalWord>({{"pass", PhaseSignal::Passed},
                                                               {"passed", PhaseSignal::Passed},
                                                               {"complete", PhaseSignal::Passed},
                                                               {"completed", PhaseSignal::Passed},
                                                               {"done", PhaseSignal::Passed},
                                                               {"finished", PhaseSignal::Passed},
                                                               {"ok", PhaseSignal::Passed},
                                                               {"success", PhaseSignal::Passed},
                                                               {"approved", PhaseSignal::Passed},
                                                               {"delivered", PhaseSignal::Passed},
                                                               {"committed", PhaseSignal::Passed},
                                                               {"fail", PhaseSignal::Failed},
                                                               {"failed", PhaseSignal::Failed},
                                                               {"failure", PhaseSignal::Failed},
                                                               {"error", PhaseSignal::Failed},
                                                               {"rejected", PhaseSignal::Failed},
                                                               {"aborted", PhaseSignal::Failed},
                                                               {"partial", PhaseSignal::Partial},
                                                               {"in_progress", PhaseSignal::Partial},
                                                               {"inprogress", PhaseSignal::Partial},
                                                               {"started", PhaseSignal::Partial},
                                                               {"running", PhaseSignal::Partial},
                                                               {"active", PhaseSignal::Partial},
                                                               {"ongoing", PhaseSignal::Partial},
                                                               {"current", PhaseSignal::Partial},
                                                               {"incomplete", PhaseSignal::Partial},
                                                               {"interrupted", PhaseSignal::Partial},
                                                               {"blocked", PhaseSignal::Partial},
                                                               {"paused", PhaseSignal::Partial},
                                                               {"pending", PhaseSignal::Pending},
                                                               {"not_started", PhaseSignal::Pending},
                                                               {"todo", PhaseSignal::Pending},
                                                               {"to_do", PhaseSignal::Pending},
                                                               {"open", PhaseSignal::Pending},
                                                               {"waiting", PhaseSignal::Pending},
                                                               {"queued", PhaseSignal::Pending},
                                                               {"planned", PhaseSignal::Pending},
                                                               {"next", PhaseSignal::Pending},
                                                               {"ready", PhaseSignal::Pending},
                                                               {"skipped", PhaseSignal::Unknown},
                                                               {"skip", PhaseSignal::Unknown},
                                                               {"n/a", PhaseSignal::Unknown},
                                                               {"not_applicable", PhaseSignal::Unknown}});

}  // namespace

std::optional<PhaseLabel> read_phase_label(std::string_view text) {
  Scanner scan(text);
  scan.skip(" *_`#");
  PhaseLabel label;
  std::optional<int> first = read_one(scan);
  if (!first) return std::nullopt;
  while (first) {
    const std::optional<int> last = read_range_end(scan);
    add_phases(label, *first, last.value_or(*first));
    label.end = scan.at();
    scan.skip(" ");
    first = scan.take(",") || scan.take("+") || scan.take("&") ? (scan.skip(" "), read_one(scan)) : std::nullopt;
  }
  std::ranges::sort(label.phases);
  const auto doubled = std::ranges::unique(label.phases);
  label.phases.erase(doubled.begin(), doubled.end());
  return label;
}

std::optional<TaskPhase> read_task_phase(std::string_view text) {
  if (is_unfilled(text)) return std::nullopt;
  const std::string plain = plain_value(text);
  if (const std::optional<PhaseLabel> label = read_phase_label(plain)) {
    return label->phases.size() == 1 && !label->is_beyond ? std::optional(label->phases.front()) : std::nullopt;
  }
  if (const std::optional<long long> number = parse_number(plain, kTaskPhases - 1)) {
    return static_cast<TaskPhase>(*number);
  }
  const std::string name = normal_key(plain);
  for (std::size_t i = 0; i < kTaskPhases; ++i) {
    if (name == normal_key(kTaskPhaseNames[i])) return static_cast<TaskPhase>(i);
  }
  return std::nullopt;
}

std::optional<PhaseSignal> read_phase_signal(std::string_view text) {
  if (is_unfilled(text)) return std::nullopt;
  const std::string word = leading_token(text);
  const auto found = std::ranges::find(kSignalWords, word, &SignalWord::word);
  return found == kSignalWords.end() ? std::nullopt : std::optional(found->signal);
}

std::optional<TaskTier> read_task_tier(std::string_view text) {
  if (is_unfilled(text)) return std::nullopt;
  return value_in(kTaskTierTokens, to_upper(leading_token(text)));
}

}  // namespace reprise
