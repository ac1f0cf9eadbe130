#include "formats/qa_loop_edit.h"

#include "formats/orchestrator_words.h"
#include "formats/qa_loop.h"
#include "formats/state_tree_edit.h"

namespace reprise {
namespace {

YamlValue number_value(long long number) { return yaml_word(std::to_string(number)); }

YamlValue verdict_value(QaVerdict verdict) {
  const std::string_view word = word_of(verdict);
  return word.empty() ? yaml_word("null") : yaml_text(word);
}

// The keys of a dialect, made from their reference form: the fork writes words joined by "_".
std::string dialect_key(std::string_view reference, bool is_snake) {
  std::string out;
  for (const char c : reference) {
    const bool is_capital = c >= 'A' && c <= 'Z';
    if (is_snake && is_capital) out += '_';
    out += is_snake && is_capital ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

class LoopEditor {
 public:
  LoopEditor(StateEditor editor, QaLoopClaims claims) : editor_(std::move(editor)), claims_(std::move(claims)) {}

  Result<void> header(const QaLoopChange& change);
  Result<void> marks(const QaLoopChange& change);
  Result<void> review(const ReviewChange& change);
  std::string take() { return editor_.bytes(); }

 private:
  bool is_reference() const { return claims_.dialect == "reference"; }
  std::string key(const StateValue& map, std::initializer_list<std::string_view> names,
                  std::string_view reference) const {
    return key_in(map, names, dialect_key(reference, claims_.dialect == "fork"));
  }
  // A field that other dialects than the reference have only where they already have it.
  Result<void> set_mark(std::string_view name, std::string_view reference, const std::optional<Timestamp>& at) {
    const StateEntry* there = editor_.root().find_entry(name);
    if (!at || (!is_reference() && there == nullptr)) return {};
    if (says(there == nullptr ? nullptr : &there->value, *at)) return {};
    return editor_.set({key(editor_.root(), {name}, reference)}, time_value(*at));
  }
  static bool says(const StateValue* value, Timestamp at) {
    std::vector<Oddity> ignored;
    const std::optional<ClaimedTime> claimed = StateReader(ignored).time(value);
    return claimed && !claimed->whole_day && claimed->time == at;
  }
  Result<void> set_review(const ReviewChange& change, const ClaimedReview& claimed, const YamlPath& path,
                          const StateValue& entry);
  Result<void> keyed_review(const ReviewChange& change, const StateValue& history, const YamlPath& path);

  StateEditor editor_;
  QaLoopClaims claims_;
};

Result<void> LoopEditor::header(const QaLoopChange& change) {
  if (change.status && *change.status != claims_.status) {
    // Who writes "interrupted" calls its opposite "active".
    const bool is_resumed =
        claims_.status == QaLoopStatus::Interrupted && *change.status == QaLoopStatus::InProgress;
    const YamlValue word = yaml_text(is_resumed ? "active" : word_of(*change.status, claims_.dialect));
    TRY_VOID(editor_.set({key(editor_.root(), {"status"}, "status")}, word));
  }
  if (change.iteration && change.iteration != claims_.iteration) {
    TRY_VOID(editor_.set({key(editor_.root(), {"current_iteration", "iteration"}, "currentIteration")},
                         number_value(*change.iteration)));
  }
  const StateEntry* verdict = editor_.root().find_entry("last_verdict");
  const bool has_verdict = verdict != nullptr || claims_.dialect == "compact";
  if (change.last_verdict && has_verdict) {
    const bool is_same = verdict != nullptr && verdict->value.kind == StateValue::Kind::Text &&
                         qa_verdict_of(verdict->value.text) == *change.last_verdict;
    const YamlPath path = {key(editor_.root(), {"last_verdict"}, "lastVerdict")};
    if (!is_same) TRY_VOID(editor_.set(path, verdict_value(*change.last_verdict)));
  }
  return marks(change);
}

Result<void> LoopEditor::marks(const QaLoopChange& change) {
  if (!change.escalation.empty() && change.escalation != claims_.escalation) {
    TRY_VOID(editor_.set({key(editor_.root(), {"escalation_reason"}, "escalationReason")},
                         yaml_text(change.escalation)));
  }
  TRY_VOID(set_mark("escalated_at", "escalatedAt", change.escalated_at));
  TRY_VOID(set_mark("stopped_at", "stoppedAt", change.stopped_at));
  TRY_VOID(set_mark("resumed_at", "resumedAt", change.resumed_at));
  return set_mark("updated_at", "updatedAt", change.updated_at);
}

Result<void> LoopEditor::set_review(const ReviewChange& change, const ClaimedReview& claimed, const YamlPath& path,
                                    const StateValue& entry) {
  std::vector<YamlField> fields;
  const auto add_time = [&](std::initializer_list<std::string_view> names, std::string_view reference,
                            const std::optional<Timestamp>& at) {
    if (at && !says(entry.find(names), *at)) fields.push_back({key(entry, names, reference), time_value(*at)});
  };
  add_time({"reviewed_at", "timestamp", "at"}, "reviewedAt", change.reviewed_at);
  const bool has_verdict = entry.find_entry("verdict") != nullptr;
  if (change.verdict && (*change.verdict != claimed.verdict || !has_verdict)) {
    fields.push_back({key(entry, {"verdict"}, "verdict"), verdict_value(*change.verdict)});
  }
  if (change.issues_found && change.issues_found != claimed.issues_found) {
    fields.push_back({key(entry, {"issues_found", "issues"}, "issuesFound"), number_value(*change.issues_found)});
  }
  add_time({"fixed_at"}, "fixedAt", change.fixed_at);
  if (change.issues_fixed) {
    fields.push_back({key(entry, {"issues_fixed"}, "issuesFixed"), number_value(*change.issues_fixed)});
  }
  add_time({"interrupted_at"}, "interruptedAt", change.interrupted_at);
  if (!change.interrupt_reason.empty()) {
    fields.push_back({key(entry, {"interrupt_reason"}, "interruptReason"), yaml_text(change.interrupt_reason)});
  }
  return fields.empty() ? Result<void>{} : editor_.set(path, yaml_map(std::move(fields)));
}

ClaimedReview claimed_by(const StateValue& entry) {
  std::vector<Oddity> ignored;
  StateReader read(ignored);
  ClaimedReview claimed;
  claimed.verdict = read.word(entry.find({"verdict", "status"}), claimed.verdict_word, qa_verdict_of);
  const StateValue* issues = entry.find({"issues_found", "issues"});
  claimed.issues_found = issues != nullptr && issues->is_list()
                             ? std::optional(static_cast<long long>(issues->elements.size()))
                             : read.number(issues);
  return claimed;
}

// A history that is a map has its entries by iteration; an entry may be nothing but its verdict.
Result<void> LoopEditor::keyed_review(const ReviewChange& change, const StateValue& history,
                                      const YamlPath& path) {
  for (const StateEntry& entry : history.entries) {
    if (StateReader::number_in(entry.key) != change.iteration) continue;
    if (entry.value.is_map())
      return set_review(change, claimed_by(entry.value), below(path, entry.key), entry.value);
    const bool is_same = !change.verdict || qa_verdict_of(entry.value.text) == *change.verdict;
    return is_same ? Result<void>{} : editor_.set(below(path, entry.key), verdict_value(*change.verdict));
  }
  const std::string key = std::to_string(change.iteration);
  const YamlValue entry = yaml_map({{"iteration", number_value(change.iteration)}});
  TRY_VOID(editor_.set(below(path, key), entry));
  const StateValue added = editor_.root().find_entry("history")->value.find_entry(key)->value;
  return set_review(change, {}, below(path, key), added);
}

// The last entry of an iteration is the one that counts.
Result<void> LoopEditor::review(const ReviewChange& change) {
  const StateEntry* history = editor_.root().find_entry("history");
  if (history == nullptr && claims_.dialect == "fork") return {};
  const YamlPath list = {key(editor_.root(), {"history"}, "history")};
  if (history != nullptr && history->value.is_map()) return keyed_review(change, history->value, list);
  std::vector<Oddity> ignored;
  StateReader read(ignored);
  for (std::size_t i = history == nullptr ? 0 : history->value.elements.size(); i > 0; --i) {
    const StateValue& entry = history->value.elements[i - 1];
    if (!entry.is_map() || read.number(entry.find("iteration")) != change.iteration) continue;
    return set_review(change, claimed_by(entry), below(list, YamlStep::at(i - 1)), entry);
  }
  TRY_VOID(editor_.append(list, yaml_map({{"iteration", number_value(change.iteration)}})));
  const StateValue& entry = editor_.root().find_entry("history")->value.elements.back();
  const std::size_t last = editor_.root().find_entry("history")->value.elements.size() - 1;
  return set_review(change, {}, below(list, YamlStep::at(last)), StateValue(entry));
}

}  // namespace

Result<std::string> change_qa_loop(std::string_view bytes, const QaLoopChange& change) {
  QaLoopClaims claims = TRY(read_qa_loop(bytes, ""));
  LoopEditor editor(TRY(StateEditor::open(bytes, "", StateSyntax::Json)), std::move(claims));
  for (const ReviewChange& review : change.reviews) TRY_VOID(editor.review(review));
  TRY_VOID(editor.header(change));
  return editor.take();
}

std::string new_qa_loop(const NewQaLoop& loop) {
  const auto line = [](std::string_view key, const YamlValue& value) {
    return "  \"" + std::string(key) + "\": " + flow_text(value, {.is_json = true}, false);
  };
  return "{\n" + line("storyId", yaml_text(loop.story)) + ",\n" + line("currentIteration", number_value(0)) +
         ",\n" + line("maxIterations", number_value(loop.iterations_max)) + ",\n" +
         line("status", yaml_text("pending")) + ",\n" + line("startedAt", time_value(loop.started_at)) + ",\n" +
         line("updatedAt", time_value(loop.started_at)) + ",\n" + line("history", yaml_list({})) + "\n}\n";
}

}  // namespace reprise
