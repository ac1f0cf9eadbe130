// The database file with the discipline around it: one writer, nothing acknowledged after a failure,
// no work on a file that was replaced under us.
//
// Every write transaction and every checkpoint of every process runs under one kernel-held lock on
// journal.lock. SQLite before 3.51.3 can damage a database when two connections write or checkpoint at
// the same moment ("WAL-reset"); under this lock there never are two.

#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include "base/result.h"
#include "journal/disk.h"
#include "journal/journal.h"
#include "journal/schema.h"
#include "journal/sqlite.h"

namespace reprise {

class Entropy;

/// What tests exchange: the list of migrations, and the question whether a folder is on another machine.
struct StoreOptions {
  std::span<const Migration> migrations = journal_migrations();
  Result<bool> (*is_network)(const std::filesystem::path&) = is_network_file_system;
};

class Store {
 public:
  /// Opens journal.db in `directory` as open_sqlite_journal() promises.
  static Result<std::unique_ptr<Store>> open(const std::filesystem::path& directory, OpenMode mode,
                                             Entropy& entropy, const StoreOptions& options);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  Connection& db() { return db_; }
  const std::filesystem::path& file() const { return file_; }
  std::filesystem::path leases_file() const { return file_.parent_path() / "leases.lock"; }
  std::span<const Migration> migrations() const { return options_.migrations; }

  /// When a write is durable: before write() returns. Later is a known mistake for tests.
  enum class Durability { Now, Later };

  /// Calls `work`, which returns a Result, within one durable transaction; an error undoes all of it.
  /// `work` may be called again from the start. After a failure of the disk nothing is written any more (P6).
  template <typename Work>
  std::invoke_result_t<Work&> write(Work&& work, Durability durability = Durability::Now) {
    for (;;) {
      TRY_VOID(begin_write());
      std::invoke_result_t<Work&> result = work();
      if (!result) {
        if (undo_write(result.error()) == After::TryAgain) continue;
        return result;
      }
      TRY_VOID(end_write(durability));
      return result;
    }
  }

  /// Calls `work`, which returns a Result, with one unchanging view of the database.
  template <typename Work>
  std::invoke_result_t<Work&> read(Work&& work) {
    const bool is_outermost = TRY(begin_read());
    std::invoke_result_t<Work&> result = work();
    if (is_outermost) end_read();
    return result;
  }

  /// Copies the write-ahead log into the database file if a process left word that a write of its failed.
  /// Called before a run of a dead owner is taken over: what a failed sync left in the page cache alone is
  /// written once more and synced, before anything is acknowledged on top of it.
  Result<void> settle();

 private:
  enum class After { GiveUp, TryAgain };

  Store(std::filesystem::path file, OpenMode mode, const StoreOptions& options, Connection db, WriteLock lock);
  static Result<std::unique_ptr<Store>> open_file(const std::filesystem::path& file, OpenMode mode,
                                                  Entropy& entropy, const StoreOptions& options, WriteLock lock);
  static Result<void> make_folder(const std::filesystem::path& directory);
  Result<void> prepare(Entropy& entropy);
  Result<void> bring_up_to_date(Entropy& entropy);
  Result<void> remember_identity();
  Result<void> check_identity();
  Result<void> check_writable() const;
  Result<void> begin_write();
  Result<void> begin_transaction();
  Result<void> end_write(Durability durability);
  Result<void> commit();
  After undo_write(const Error& error);
  Result<bool> begin_read();
  void end_read();
  void checkpoint_when_due();
  void stop_writing(const Error& cause);

  std::filesystem::path file_;
  std::filesystem::path wal_;
  OpenMode mode_;
  StoreOptions options_;
  WriteLock lock_;
  FileIdentity file_identity_;
  std::optional<FileIdentity> wal_identity_;
  std::optional<Error> stopped_;   // why nothing is written any more
  std::optional<Error> replaced_;  // why nothing is even read any more
  bool is_commit_owed_ = false;    // only with a known mistake switched on
  bool has_written_ = false;
  int checkpoint_at_;
  Connection db_;  // last: closed before the write lock is
};

}  // namespace reprise
