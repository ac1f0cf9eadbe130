// SqliteJournal: the journal of one machine, on a Store. Split over several files by subject; for the
// journal's own sources and tests only, everybody else uses journal.h.

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "journal/chain.h"
#include "journal/journal.h"
#include "journal/store.h"
#include "os/file_system.h"
#include "os/process.h"

namespace reprise {

class SqliteJournal final : public Journal {
 public:
  SqliteJournal(std::unique_ptr<Store> store, Clock& clock, Entropy& entropy)
      : store_(std::move(store)), clock_(clock), entropy_(entropy) {}

  std::string name() const override { return store_->file().string(); }

  // sqlite_journal.cc
  Result<Lease> create(const RunId& run, std::span<const Event> events, std::span<const std::string> texts,
                       Origin origin = Origin::New) override;
  Result<std::vector<RecordedEvent>> append(const Lease& lease, EventNumber expected,
                                            std::span<const Event> events,
                                            std::optional<Timestamp> at = std::nullopt,
                                            std::span<const RequestAnswer> answers = {}) override;
  Result<void> put_copy(const Lease& lease, const RunState& state) override;
  Result<std::string> put_text(std::string_view text) override;

  // sqlite_removal.cc
  Result<std::int64_t> largest_number(const std::string& subject) override;
  Result<std::vector<RunId>> removable(Timestamp before) override;
  Result<bool> remove(const RunId& run, Timestamp before, const std::function<Result<bool>()>& clear) override;
  Result<void> begin_removal(const RunId& run) override;
  Result<void> alone(const std::function<Result<void>()>& work) override { return store_->write(work); }

  // sqlite_leases.cc
  using Journal::acquire;
  Result<Lease> acquire(const RunId& run, LeaseToken newest) override;
  void release(const Lease& lease) override;
  Result<std::optional<Owner>> owner(const RunId& run) override;
  Result<void> break_lease(const RunId& run) override;

  // sqlite_reading.cc
  Result<RunState> state(const RunId& run) override;
  Result<std::vector<RecordedEvent>> events(const RunId& run, EventNumber after, int limit) override;
  Result<std::string> key(const RunId& run) override;
  Result<std::vector<RunEntry>> runs() override;
  Result<std::string> text(const std::string& digest) override;
  Result<void> put_masked_text(const std::string& digest, std::string_view masked) override;
  Result<std::string> shown_text(const std::string& digest) override;
  Result<std::vector<std::pair<std::string, std::string>>> facts() override;

  // sqlite_requests.cc
  Result<std::int64_t> ask(const RunId& run, std::string kind, std::string body, std::string by) override;
  Result<std::vector<Request>> requests(const RunId& run) override;
  Result<std::vector<Request>> claim_requests(const RunId& run) override;
  Result<RequestOutcome> withdraw(std::int64_t request) override;
  Result<RequestOutcome> outcome_of(std::int64_t request) override;

  // sqlite_verify.cc
  Result<std::vector<ChainFault>> verify() override;
  Result<void> rebuild_indexes() override;

 private:
  /// The row of a run, without its events.
  struct RunRow {
    std::int64_t no = 0;
    LeaseToken token;
    std::optional<Owner> owner;  // not yet asked whether it is alive
  };
  /// The end of a run's chain.
  struct Tip {
    EventNumber number;
    Digest digest;
  };
  /// A lease of this object, with the kernel-held lock behind it.
  struct Held {
    LeaseToken token;
    FileLock lock;
    std::int64_t run_no = 0;
    Tip tip;  // as this object last saw it; a guess, checked by every append
  };

  Connection& db() { return store_->db(); }

  /// Reads the five owner columns from column `first` on.
  static std::optional<Owner> stored_owner(const Query& row, int first);

  // Within a transaction of the store:
  Result<RunRow> find_run(const RunId& run);
  Result<bool> has_siblings(const RunId& run);
  Result<RunRow> find_leased_run(const Lease& lease);
  Result<Tip> tip_of(std::int64_t run_no);
  Result<std::vector<RecordedEvent>> insert_events(const RunId& run, std::int64_t run_no, Tip& tip, Timestamp at,
                                                   std::span<const Event> events);
  Result<void> unmark_newest(std::int64_t run_no, const Tip& tip);
  Result<bool> unmark_newest_if_leased(const Held& held);
  Held* find_held(const Lease& lease);
  Result<void> insert_text(std::string_view text);
  Result<std::vector<RecordedEvent>> insert_if_leased(const Lease& lease, EventNumber expected, Tip& tip,
                                                      Timestamp at, std::span<const Event> events);
  Result<void> store_answers(const Lease& lease, std::span<const RequestAnswer> answers);
  Result<void> withdraw_requests(std::int64_t run_no);
  Result<std::vector<Request>> open_requests(const RunId& run);
  Result<std::int64_t> newest_claimed(std::int64_t run_no);
  Result<RequestOutcome> find_outcome(std::int64_t request);
  Result<void> set_owner(std::int64_t run_no, LeaseToken token);
  Result<LeaseToken> take_lease(const RunId& run, LeaseToken newest, Tip& tip);
  Result<void> fold_events(std::int64_t run_no, const Digest& last, RunState& state);
  Result<std::optional<Tip>> read_copy(std::int64_t run_no, RunState& state);
  Result<std::string> new_serial(std::int64_t run_no);
  Result<void> remember_number(const RunId& run);
  Result<void> delete_run(std::int64_t run_no);
  Result<bool> is_removal_begun(std::int64_t run_no);

  Result<std::optional<FileLock>> try_lock_run(std::int64_t run_no);
  Result<bool> is_run_locked(std::int64_t run_no);
  Result<RunRow> row_of_held(const RunId& run);
  Error held_by(const RunId& run, const std::optional<Owner>& owner) const;
  Result<ProcessId> process();

  std::unique_ptr<Store> store_;
  Clock& clock_;
  Entropy& entropy_;
  std::map<RunId, Held> held_;
  std::optional<ProcessId> process_;  // this one, once it was asked for
};

/// As open_sqlite_journal(), with what tests exchange.
Result<std::unique_ptr<Journal>> open_sqlite_journal_with(const std::filesystem::path& directory, OpenMode mode,
                                                          Clock& clock, Entropy& entropy,
                                                          const StoreOptions& options);

}  // namespace reprise
