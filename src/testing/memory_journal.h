// A journal in memory, for simulations that need thousands of crashes in a second. Its contract is
// journal.h's; journal_test.cc proves it for the real one, memory_journal_test.cc for this one.
//
// MemoryJournalStore is what survives: events as encoded bytes, tokens, requests. MemoryJournal is one
// process's access to it. A process that is gone without giving its leases back leaves them dead.

#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "journal/journal.h"
#include "os/clock.h"
#include "testing/kill_switch.h"

namespace reprise {

class MemoryJournalStore {
 public:
  /// Is called with every event that has become durable.
  void on_append(std::function<void(const RunId&, const RecordedEvent&)> watcher) {
    watcher_ = std::move(watcher);
  }

 private:
  friend class MemoryJournal;
  struct StoredEvent {
    Timestamp at;
    std::string kind;
    std::string json;
  };
  struct Run {
    RunId id;
    std::vector<StoredEvent> events;
    std::string copy;
    LeaseToken token;
    const void* holder = nullptr;  // the MemoryJournal that holds the lease
    bool is_held = false;          // not given back; its holder may be dead
    bool archived = false;
  };
  struct Asked {
    Request request;
    RequestOutcome outcome = {};
  };

  std::vector<Run> runs_;                        // oldest first
  std::int64_t made_ = 0;                        // runs so far
  std::map<std::string, std::int64_t> removed_;  // the largest number of a removed run, by subject
  std::map<std::string, std::string> texts_;
  std::vector<Asked> requests_;
  std::function<void(const RunId&, const RecordedEvent&)> watcher_;
};

class MemoryJournal : public Journal {
 public:
  MemoryJournal(MemoryJournalStore& store, Clock& clock, KillSwitch* kill = nullptr)
      : store_(store), clock_(clock), kill_(kill) {}
  ~MemoryJournal() override;

  std::string name() const override { return "memory"; }
  Result<Lease> create(const RunId& run, std::span<const Event> events, std::span<const std::string> texts,
                       Origin origin = Origin::New) override;
  using Journal::acquire;
  Result<Lease> acquire(const RunId& run, LeaseToken newest) override;
  void release(const Lease& lease) override;
  Result<std::vector<RecordedEvent>> append(const Lease& lease, EventNumber expected,
                                            std::span<const Event> events,
                                            std::optional<Timestamp> at = std::nullopt,
                                            std::span<const RequestAnswer> answers = {}) override;
  Result<std::string> put_text(std::string_view text) override;
  Result<std::string> text(const std::string& digest) override;
  Result<void> put_masked_text(const std::string& digest, std::string_view masked) override;
  Result<std::string> shown_text(const std::string& digest) override { return text(digest); }
  Result<RunState> state(const RunId& run) override;
  Result<void> put_copy(const Lease& lease, const RunState& state) override;
  Result<std::vector<RecordedEvent>> events(const RunId& run, EventNumber after, int limit) override;
  Result<std::string> key(const RunId& run) override;
  Result<std::vector<RunEntry>> runs() override;
  Result<std::optional<Owner>> owner(const RunId& run) override;
  Result<void> break_lease(const RunId& run) override;
  Result<std::int64_t> ask(const RunId& run, std::string kind, std::string body, std::string by) override;
  Result<std::vector<Request>> requests(const RunId& run) override;
  Result<std::vector<Request>> claim_requests(const RunId& run) override { return requests(run); }
  Result<RequestOutcome> withdraw(std::int64_t request) override { return outcome_of(request); }
  Result<RequestOutcome> outcome_of(std::int64_t request) override;
  Result<std::vector<ChainFault>> verify() override;
  Result<void> rebuild_indexes() override { return {}; }
  Result<std::int64_t> largest_number(const std::string& subject) override;
  Result<std::vector<RunId>> removable(Timestamp before) override;
  Result<bool> remove(const RunId& run, Timestamp before, const std::function<Result<bool>()>& clear) override;
  Result<void> begin_removal(const RunId&) override { return {}; }
  Result<void> alone(const std::function<Result<void>()>& work) override { return work(); }
  Result<std::vector<std::pair<std::string, std::string>>> facts() override;

 private:
  template <typename Effect>
  auto guarded(Effect&& effect) -> decltype(effect()) {
    return kill_ == nullptr ? effect() : kill_->call(effect);
  }
  Result<MemoryJournalStore::Run*> find(const RunId& run);
  Result<MemoryJournalStore::Run*> find_leased(const Lease& lease);
  RecordedEvent add(MemoryJournalStore::Run& run, const Event& event, Timestamp at);

  MemoryJournalStore& store_;
  Clock& clock_;
  KillSwitch* kill_;
};

}  // namespace reprise
