#include "app/desk.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "app/documents.h"
#include "base/json_writer.h"
#include "base/strings.h"

namespace reprise {
namespace {

std::string_view before(std::string_view text, char mark) { return text.substr(0, text.find(mark)); }

// What a candidate is about; candidates with the same key are one piece of work.
std::string key_of(const Candidate& candidate) {
  const std::string_view id = candidate.id.text;
  const std::string_view workflow = before(id, '/');
  const std::string subject(before(candidate.subject, '@'));
  if (workflow == "playbook" || workflow == "spec-loop") return "feature " + subject;
  if (workflow == "story-cycle" || workflow == "qa-loop") return "story " + subject;
  if (workflow == "epic") return "epic " + subject;
  return without_number(candidate.id.text);
}

// A story belongs to its epic where there is one: "story 5.2" to "epic 5".
std::string key_within(std::string key, const std::set<std::string>& epics) {
  if (!key.starts_with("story ")) return key;
  const std::size_t dot = key.rfind('.');
  const std::string epic = "epic " + key.substr(6, dot == std::string::npos ? dot : dot - 6);
  return dot != std::string::npos && epics.contains(epic) ? epic : key;
}

DeskRank rank_of_claim(const Candidate& candidate) {
  if (candidate.damaged || candidate.status == RunStatus::Unknown) return DeskRank::Blocked;
  switch (candidate.status) {
    case RunStatus::Waiting: return DeskRank::Waits;
    case RunStatus::Failed:
    case RunStatus::Stopped: return DeskRank::Failed;
    case RunStatus::Running: return DeskRank::Running;
    default: return DeskRank::Clean;
  }
}

bool is_open(const Candidate& candidate) { return candidate.resumable || candidate.damaged; }

// Which of several members is acted on: an open one, what matters most, the most specific (OR-01), the newest.
bool comes_first(const Candidate& a, const Candidate& b) {
  const auto key = [](const Candidate& candidate) {
    return std::tuple(!is_open(candidate), rank_of_claim(candidate), candidate.priority, -candidate.updated_at.ms);
  };
  return key(a) < key(b);
}

// As the state file words it.
std::string words_for(const Candidate& candidate) {
  std::string text =
      candidate.native_status.empty() ? std::string(to_token(candidate.status)) : candidate.native_status;
  if (candidate.damaged) text = "nothing that can be read";
  if (!candidate.stage.empty() && candidate.status != RunStatus::Done) text += " at " + candidate.stage;
  if (candidate.iteration) text += ", iteration " + std::to_string(*candidate.iteration);
  return text;
}

// The last activity of what is not finished: a finished file beside it makes the work no newer.
Timestamp newest_of(const DeskEntry& entry) {
  Timestamp newest = entry.candidate().updated_at;
  for (const Candidate& member : entry.members) {
    if (is_open(member)) newest = std::max(newest, member.updated_at);
  }
  return newest;
}

// Whether a command abandons work that could still be resumed: never the first thing to suggest.
bool gives_work_up(const PlanOption& option) {
  return option.command.starts_with("reprise fresh ") || option.command.starts_with("reprise cleanup ");
}

}  // namespace

DeskRank rank_of(const DeskEntry& entry) {
  const DeskRank claimed = rank_of_claim(entry.candidate());
  if (claimed == DeskRank::Running || claimed == DeskRank::Failed) return claimed;
  if (!entry.problem.empty()) return DeskRank::Blocked;
  if (!entry.plan) return claimed;
  switch (entry.plan->readiness) {
    case Readiness::Wait: return DeskRank::Waits;
    case Readiness::Blocked: return DeskRank::Blocked;
    case Readiness::Fresh: return DeskRank::Failed;
    case Readiness::Confirm: return DeskRank::Warnings;
    default: return trust_of(entry).warnings > 0 ? DeskRank::Warnings : DeskRank::Clean;
  }
}

Trust trust_of(const DeskEntry& entry) {
  Trust trust;
  if (entry.plan) {
    for (const Finding& finding : entry.plan->findings) {
      trust.conflicts += finding.severity == Severity::Blocking;
      trust.warnings += finding.severity == Severity::Warning;
    }
    if (!disagreement_of(entry).empty()) ++trust.warnings;
    trust.kind = trust.conflicts > 0  ? TrustKind::Conflicts
                 : trust.warnings > 0 ? TrustKind::Warnings
                                      : TrustKind::Clean;
  }
  if (entry.candidate().damaged || !entry.problem.empty()) trust.kind = TrustKind::Damaged;
  return trust;
}

std::vector<DeskEntry> make_entries(std::vector<Candidate> open, std::vector<Candidate> rest) {
  std::set<std::string> epics;
  for (const std::vector<Candidate>* list : {&open, &rest}) {
    for (const Candidate& candidate : *list) {
      std::string key = key_of(candidate);
      if (key.starts_with("epic ")) epics.insert(std::move(key));
    }
  }
  std::map<std::string, std::size_t> places;
  std::vector<DeskEntry> entries;
  for (Candidate& candidate : open) {
    const auto [place, is_new] = places.emplace(key_within(key_of(candidate), epics), entries.size());
    if (is_new) entries.emplace_back();
    entries[place->second].members.push_back(std::move(candidate));
  }
  for (Candidate& candidate : rest) {
    const std::string key = key_within(key_of(candidate), epics);
    const auto found = places.find(key);
    if (found == places.end() && candidate.status != RunStatus::Running) continue;
    if (found == places.end()) {
      places.emplace(key, entries.size());
      entries.emplace_back();
    }
    entries[places[key]].members.push_back(std::move(candidate));
  }
  for (DeskEntry& entry : entries) std::ranges::stable_sort(entry.members, comes_first);
  put_in_order(entries);
  return entries;
}

void put_in_order(std::vector<DeskEntry>& entries) {
  struct Place {
    std::tuple<DeskRank, std::int64_t, std::string_view> key;
    DeskEntry* entry;
  };
  std::vector<Place> order;
  order.reserve(entries.size());
  for (DeskEntry& entry : entries) {
    order.push_back({{rank_of(entry), -newest_of(entry).ms, entry.members.front().id.text}, &entry});
  }
  std::ranges::stable_sort(order, std::less<>(), &Place::key);
  std::vector<DeskEntry> ordered;
  ordered.reserve(entries.size());
  for (const Place& place : order) ordered.push_back(std::move(*place.entry));
  entries = std::move(ordered);
}

std::vector<DeskClaim> claims_of(const DeskEntry& entry) {
  std::vector<DeskClaim> claims;
  for (const Candidate& member : entry.members)
    claims.push_back({.who = member.id.shown(),
                      .says = words_for(member),
                      .workflow = std::string(before(member.id.text, '/')),
                      .standing = std::string(to_token(member.status)),
                      .at = member.updated_at});
  claims.insert(claims.end(), entry.other_files.begin(), entry.other_files.end());
  std::ranges::stable_sort(claims, std::greater<>(), &DeskClaim::at);
  return claims;
}

std::string disagreement_of(const DeskEntry& entry) {
  if (entry.members.size() + entry.other_files.size() < 2 || entry.candidate().system == "own") return "";
  const std::vector<DeskClaim> claims = claims_of(entry);
  const DeskClaim& newest = claims.front();
  for (const DeskClaim& claim : claims) {
    const bool is_same_kind = claim.workflow == newest.workflow;
    const std::string& a = is_same_kind ? claim.says : claim.standing;
    const std::string& b = is_same_kind ? newest.says : newest.standing;
    if (a.empty() || b.empty() || a == b) continue;
    return claim.who + " says " + claim.says + "; the newer " + newest.who + " says " + newest.says;
  }
  return "";
}

std::string next_command(const DeskEntry& entry) {
  const std::string id = shell_quote(entry.candidate().id.shown());
  switch (rank_of(entry)) {
    case DeskRank::Running: return "reprise attach " + id;
    case DeskRank::Waits:
      if (!entry.plan || entry.plan->waiting_for.empty()) return "reprise inbox";
      return entry.plan->waiting_for.front().kind == "gate"
                 ? "reprise approve " + id + " " + shell_quote(entry.plan->waiting_for.front().name)
                 : "reprise answer " + id + " " + shell_quote(entry.plan->waiting_for.front().name) + " TEXT";
    case DeskRank::Clean:
    case DeskRank::Warnings: return entry.plan ? "reprise resume " + id : "reprise plan " + id;
    default: break;
  }
  if (!entry.plan) return "reprise plan " + id;
  const bool is_over = entry.plan->readiness == Readiness::Fresh;  // then there is nothing to give up
  for (const PlanOption& option : entry.plan->options) {
    if (is_over || !gives_work_up(option)) return option.command;
  }
  return "reprise plan " + id;
}

std::string fingerprint(const DeskEntry& entry) {
  const Candidate& candidate = entry.candidate();
  std::string text = candidate.id.text + "\n" + candidate.state_file + "\n" + candidate.native_status + "\n" +
                     words_for(candidate) + "\n" + to_text_ms(candidate.updated_at) + "\n";
  text += entry.problem + "\n";
  if (!entry.plan) return text;
  text += std::string(to_token(entry.plan->readiness)) + "\n";
  for (const StepDecision& decision : entry.plan->decisions) {
    text += std::string(to_token(decision.decision)) + " " + decision.step.text + " ";
    text += std::string(decision.rule) + "\n";
  }
  for (const Finding& finding : entry.plan->findings)
    text += finding.rule + " " + finding.code + " " + finding.claimed + " " + finding.seen + "\n";
  for (const Waiting& waiting : entry.plan->waiting_for)
    text += waiting.kind + " " + waiting.name + " " + waiting.ask + "\n";
  return text;
}

bool is_about(const DeskEntry& entry, std::string_view text) {
  const std::string wanted = to_lower(text);
  return std::ranges::any_of(entry.members, [&](const Candidate& member) {
    const std::string all = member.id.text + "\n" + member.stage + "\n" + member.about + "\n" + words_for(member);
    return to_lower(all).find(wanted) != std::string::npos;
  });
}

DeskEntry* find_entry(Desk& desk, const RunId& id) {
  for (DeskEntry& entry : desk.entries) {
    if (std::ranges::any_of(entry.members, [&](const Candidate& member) { return member.id == id; }))
      return &entry;
  }
  return nullptr;
}

namespace {

void write_entry(JsonWriter& json, const DeskEntry& entry) {
  const Trust trust = trust_of(entry);
  json.begin_object().field("trust", to_token(trust.kind)).field("warnings", trust.warnings);
  json.field("conflicts", trust.conflicts).key("saved");
  if (entry.plan) {
    const std::int64_t seconds = std::chrono::duration_cast<std::chrono::seconds>(entry.plan->saved_time).count();
    json.begin_object().field("steps", entry.plan->saved_steps).field("seconds", seconds).end_object();
  } else {
    json.null();
  }
  json.key("waiting_for").begin_array();
  for (const Waiting& waiting : entry.plan ? entry.plan->waiting_for : std::vector<Waiting>()) {
    json.begin_object().field("kind", waiting.kind).field("name", waiting.name);
    json.field("ask", waiting.ask).end_object();
  }
  json.end_array().field("next", next_command(entry)).key("together_with").begin_array();
  for (const DeskClaim& claim : claims_of(entry)) {
    if (claim.who == entry.candidate().id.shown()) continue;
    json.begin_object().field("what", claim.who).field("says", claim.says);
    json.field("updated_at", to_text(claim.at)).end_object();
  }
  json.end_array().field("disagreement", disagreement_of(entry)).field("problem", entry.problem).end_object();
}

}  // namespace

std::string desk_document(const Desk& desk) {
  constexpr std::string_view kFront = "{\"candidates\":[";
  JsonWriter json;
  json.begin_object().key("candidates").begin_array();
  for (const DeskEntry& entry : desk.entries) {
    // The candidate's own fields are those of the scan document, written by the same code.
    const std::string alone = scan_document({.candidates = {entry.candidate()}, .ignored = {}});
    const std::size_t end = alone.rfind("}],\"ignored\":");
    JsonWriter own;
    write_entry(own, entry);
    json.raw(alone.substr(kFront.size(), end - kFront.size()) + ",\"desk\":" + own.take() + "}");
  }
  json.end_array().key("ignored").begin_array();
  for (const IgnoredFile& file : desk.ignored)
    json.begin_object().field("path", file.path).field("why", file.why).end_object();
  json.end_array().key("problems").begin_array();
  for (const std::string& problem : desk.problems) json.value(problem);
  json.end_array().end_object();
  return json.take();
}

}  // namespace reprise
