#include "testing/memory_journal.h"

#include <algorithm>

#include "base/digest.h"
#include "model/event_codec.h"

namespace reprise {
MemoryJournal::~MemoryJournal() {
  for (MemoryJournalStore::Run& run : store_.runs_) {
    if (run.holder == this) run.holder = nullptr;
  }
}

Result<MemoryJournalStore::Run*> MemoryJournal::find(const RunId& run) {
  const auto found = std::ranges::find(store_.runs_, run, &MemoryJournalStore::Run::id);
  if (found == store_.runs_.end()) return fail(ErrorKind::NotFound, "there is no run " + run.shown());
  return &*found;
}

Result<MemoryJournalStore::Run*> MemoryJournal::find_leased(const Lease& lease) {
  MemoryJournalStore::Run* run = TRY(find(lease.run));
  if (!run->is_held || run->token != lease.token) return fail(ErrorKind::Conflict, "the lease was taken over");
  return run;
}

RecordedEvent MemoryJournal::add(MemoryJournalStore::Run& run, const Event& event, Timestamp at) {
  run.events.push_back({at, std::string(kind_of(event)), encode(event)});
  if (const auto* archived = std::get_if<RunArchived>(&event)) run.archived = !archived->again;
  RecordedEvent recorded{{static_cast<std::int64_t>(run.events.size())}, at, event};
  if (store_.watcher_) store_.watcher_(run.id, recorded);
  return recorded;
}

Result<Lease> MemoryJournal::create(const RunId& id, std::span<const Event> events,
                                    std::span<const std::string> texts, Origin origin) {
  return guarded([&]() -> Result<Lease> {
    if (find(id)) return fail(ErrorKind::Conflict, "run " + id.shown() + " exists");
    for (const std::string& text : texts) store_.texts_[to_text(digest_of(text))] = text;
    MemoryJournalStore::Run& run = store_.runs_.emplace_back();
    run.id = id;
    run.token = {1};
    run.holder = this;
    run.is_held = true;
    ++store_.made_;
    for (Event event : events) {
      if (auto* created = std::get_if<RunCreated>(&event); created != nullptr && origin == Origin::New)
        created->serial = std::to_string(store_.made_) + "-0";
      add(run, event, clock_.now());
    }
    return Lease{id, run.token};
  });
}

Result<Lease> MemoryJournal::acquire(const RunId& id, LeaseToken newest) {
  return guarded([&]() -> Result<Lease> {
    MemoryJournalStore::Run* run = TRY(find(id));
    if (run->holder != nullptr)
      return fail(ErrorKind::Conflict, "run " + id.shown() + " is held by another process");
    const bool is_takeover = run->is_held;
    run->token.value = std::max(run->token.value, newest.value) + 1;
    run->holder = this;
    run->is_held = true;
    for (MemoryJournalStore::Asked& asked : store_.requests_) {
      if (asked.request.run == id && asked.outcome.what == RequestOutcome::What::Open)
        asked.outcome.what = RequestOutcome::What::Withdrawn;
    }
    if (is_takeover) add(*run, LeaseTakenOver{"a dead process", "this one"}, clock_.now());
    return Lease{id, run->token};
  });
}

void MemoryJournal::release(const Lease& lease) {
  if (kill_ != nullptr && kill_->is_dead()) return;
  const Result<MemoryJournalStore::Run*> run = find_leased(lease);
  if (!run) return;
  (*run)->holder = nullptr;
  (*run)->is_held = false;
}

Result<std::vector<RecordedEvent>> MemoryJournal::append(const Lease& lease, EventNumber expected,
                                                         std::span<const Event> events,
                                                         std::optional<Timestamp> at,
                                                         std::span<const RequestAnswer> answers) {
  return guarded([&]() -> Result<std::vector<RecordedEvent>> {
    MemoryJournalStore::Run* run = TRY(find_leased(lease));
    if (!events.empty() && expected.value != static_cast<std::int64_t>(run->events.size())) {
      return fail(ErrorKind::Conflict, "there are later events than " + std::to_string(expected.value));
    }
    std::vector<RecordedEvent> recorded;
    for (const Event& event : events) recorded.push_back(add(*run, event, at.value_or(clock_.now())));
    for (const RequestAnswer& answer : answers) {
      using What = RequestOutcome::What;
      RequestOutcome& outcome = store_.requests_[static_cast<std::size_t>(answer.request - 1)].outcome;
      outcome = {.what = answer.refusal.empty() ? What::Granted : What::Refused, .refusal = answer.refusal};
    }
    return recorded;
  });
}

Result<std::string> MemoryJournal::put_text(std::string_view text) {
  return guarded([&]() -> Result<std::string> {
    const std::string digest = to_text(digest_of(text));
    store_.texts_[digest] = text;
    return digest;
  });
}

Result<void> MemoryJournal::put_masked_text(const std::string& digest, std::string_view masked) {
  return guarded([&]() -> Result<void> {
    store_.texts_[digest] = masked;
    return {};
  });
}

Result<std::string> MemoryJournal::text(const std::string& digest) {
  return guarded([&]() -> Result<std::string> {
    const auto found = store_.texts_.find(digest);
    if (found == store_.texts_.end()) return fail(ErrorKind::NotFound, "there is no text " + digest);
    return found->second;
  });
}

Result<RunState> MemoryJournal::state(const RunId& id) {
  return guarded([&]() -> Result<RunState> {
    MemoryJournalStore::Run* run = TRY(find(id));
    RunState state;
    state.id = id;
    if (!run->copy.empty()) state = TRY(decode_state(run->copy));
    for (std::size_t i = static_cast<std::size_t>(state.last.value); i < run->events.size(); ++i) {
      const MemoryJournalStore::StoredEvent& stored = run->events[i];
      const Event event = TRY(decode(stored.kind, kEventVersion, stored.json));
      TRY_VOID(apply(state, {{static_cast<std::int64_t>(i) + 1}, stored.at, event}));
    }
    const auto is_sibling = [&](const RunId& other) { return other != id && subject_of(other) == subject_of(id); };
    state.id.has_siblings = std::ranges::any_of(store_.runs_, is_sibling, &MemoryJournalStore::Run::id);
    return state;
  });
}

Result<void> MemoryJournal::put_copy(const Lease& lease, const RunState& state) {
  return guarded([&]() -> Result<void> {
    MemoryJournalStore::Run* run = TRY(find_leased(lease));
    if (state.last.value > static_cast<std::int64_t>(run->events.size())) {
      return fail(ErrorKind::Invalid, "the copy is ahead of the journal");
    }
    run->copy = encode_state(state);
    return {};
  });
}

Result<std::vector<RecordedEvent>> MemoryJournal::events(const RunId& id, EventNumber after, int limit) {
  return guarded([&]() -> Result<std::vector<RecordedEvent>> {
    MemoryJournalStore::Run* run = TRY(find(id));
    std::vector<RecordedEvent> found;
    for (std::size_t i = static_cast<std::size_t>(after.value);
         i < run->events.size() && found.size() < static_cast<std::size_t>(limit); ++i) {
      const MemoryJournalStore::StoredEvent& stored = run->events[i];
      found.push_back(
          {{static_cast<std::int64_t>(i) + 1}, stored.at, TRY(decode(stored.kind, kEventVersion, stored.json))});
    }
    return found;
  });
}

Result<std::string> MemoryJournal::key(const RunId& run) {
  const std::vector<RecordedEvent> first = TRY(events(run, {0}, 1));
  return run_key(run, std::get<RunCreated>(first.front().event).serial);
}

Result<std::vector<RunEntry>> MemoryJournal::runs() {
  return guarded([&]() -> Result<std::vector<RunEntry>> {
    std::vector<RunEntry> entries;
    for (const MemoryJournalStore::Run& run : store_.runs_) {
      RunEntry entry{.id = run.id,
                     .last = {static_cast<std::int64_t>(run.events.size())},
                     .created_at = run.events.front().at,
                     .archived = run.archived,
                     .owner = std::nullopt};
      if (run.is_held) {
        entry.owner = Owner{};
        entry.owner->alive = run.holder != nullptr;
      }
      entries.push_back(std::move(entry));
    }
    mark_siblings(entries);
    return entries;
  });
}

Result<std::optional<Owner>> MemoryJournal::owner(const RunId& id) {
  return guarded([&]() -> Result<std::optional<Owner>> {
    const MemoryJournalStore::Run* run = TRY(find(id));
    if (!run->is_held) return std::nullopt;
    Owner owner;
    owner.alive = run->holder != nullptr;
    return owner;
  });
}

Result<void> MemoryJournal::break_lease(const RunId& id) {
  return guarded([&]() -> Result<void> {
    MemoryJournalStore::Run* run = TRY(find(id));
    if (run->holder != nullptr) return fail(ErrorKind::Conflict, "its owner is alive");
    run->is_held = false;
    ++run->token.value;
    return {};
  });
}

Result<std::int64_t> MemoryJournal::ask(const RunId& run, std::string kind, std::string body, std::string by) {
  return guarded([&]() -> Result<std::int64_t> {
    if (!TRY(find(run))->is_held) return fail(ErrorKind::Conflict, "nobody works on run " + run.shown());
    const std::int64_t number = static_cast<std::int64_t>(store_.requests_.size()) + 1;
    store_.requests_.push_back({{number, run, std::move(kind), std::move(body), std::move(by), clock_.now()}, {}});
    return number;
  });
}

Result<std::vector<Request>> MemoryJournal::requests(const RunId& run) {
  return guarded([&]() -> Result<std::vector<Request>> {
    std::vector<Request> open;
    for (const MemoryJournalStore::Asked& asked : store_.requests_) {
      if (asked.request.run == run && asked.outcome.what == RequestOutcome::What::Open)
        open.push_back(asked.request);
    }
    return open;
  });
}

Result<RequestOutcome> MemoryJournal::outcome_of(std::int64_t request) {
  return guarded(
      [&]() -> Result<RequestOutcome> { return store_.requests_[static_cast<std::size_t>(request - 1)].outcome; });
}

Result<std::vector<ChainFault>> MemoryJournal::verify() { return std::vector<ChainFault>(); }

Result<std::int64_t> MemoryJournal::largest_number(const std::string& subject) {
  return guarded([&]() -> Result<std::int64_t> {
    std::int64_t largest = store_.removed_[subject];
    for (const MemoryJournalStore::Run& run : store_.runs_) {
      if (run.id.text == subject) largest = std::max<std::int64_t>(largest, 1);
      if (subject_of(run.id) == subject) largest = std::max(largest, number_of(run.id));
    }
    return largest;
  });
}

Result<std::vector<RunId>> MemoryJournal::removable(Timestamp before) {
  return guarded([&]() -> Result<std::vector<RunId>> {
    std::vector<RunId> found;
    for (const MemoryJournalStore::Run& run : store_.runs_) {
      if (run.archived && run.holder == nullptr && run.events.back().at < before) found.push_back(run.id);
    }
    return found;
  });
}

Result<bool> MemoryJournal::remove(const RunId& run, Timestamp before,
                                   const std::function<Result<bool>()>& clear) {
  const std::vector<RunId> found = TRY(removable(before));
  if (std::ranges::find(found, run) == found.end() || !TRY(clear())) return false;
  return guarded([&]() -> Result<bool> {
    std::int64_t& largest = store_.removed_[std::string(subject_of(run))];
    largest = std::max(largest, number_of(run));
    std::erase_if(store_.runs_, [&](const MemoryJournalStore::Run& other) { return other.id == run; });
    return true;
  });
}

Result<std::vector<std::pair<std::string, std::string>>> MemoryJournal::facts() {
  return std::vector<std::pair<std::string, std::string>>();
}

}  // namespace reprise
