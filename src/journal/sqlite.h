// A small layer over the SQLite C API: a connection with cached statements, and queries that give
// their statement back by themselves. Only the journal uses it.
//
//   Query query = TRY(connection.query("SELECT token FROM runs WHERE no = ?", run_no));
//   if (!TRY(query.next())) return fail(…);
//   query.integer(0);

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/digest.h"
#include "base/result.h"
#include "base/time.h"

struct sqlite3;
struct sqlite3_stmt;

namespace reprise {

struct BusyWait;

/// Bytes that are stored as they are, as opposed to text.
struct Blob {
  std::string_view bytes;
};

/// One use of a prepared statement. While it lives the statement is not available to anyone else.
class Query {
 public:
  explicit Query(sqlite3_stmt* statement) : statement_(statement) {}
  ~Query();
  Query(Query&& other) noexcept : statement_(other.statement_), bind_code_(other.bind_code_) {
    other.statement_ = nullptr;
  }
  Query& operator=(Query&&) = delete;

  /// Whether a bound text or blob lives until the query is done, or has to be copied.
  enum class Lifetime { Copied, Outlives };

  void bind(int index, std::int64_t value, Lifetime = Lifetime::Copied);
  void bind(int index, std::string_view text, Lifetime lifetime = Lifetime::Copied);
  void bind(int index, Blob blob, Lifetime lifetime = Lifetime::Copied);
  void bind(int index, const Digest& digest, Lifetime lifetime = Lifetime::Copied);
  void bind(int index, Timestamp time, Lifetime = Lifetime::Copied) { bind(index, time.ms); }

  /// Goes to the next row; false at the end.
  Result<bool> next();

  std::int64_t integer(int column) const;
  /// Returns text or a blob; the view ends with the next call of next().
  std::string_view bytes(int column) const;
  std::string text(int column) const { return std::string(bytes(column)); }
  bool is_null(int column) const;
  /// Returns a stored digest; all zeros if the column does not hold one.
  Digest digest(int column) const;

 private:
  sqlite3_stmt* statement_;
  int bind_code_ = 0;
};

class Connection {
 public:
  enum class Access { ReadWrite, ReadOnly };
  enum class Checkpoint { Passive, Truncate };
  struct CheckpointOutcome {
    int frames = 0;  // in the write-ahead log
    int copied = 0;  // of these, now in the database file
  };

  /// Opens the existing database `file` and hardens the connection: triggers, views and extensions
  /// are off, the schema is not trusted, nothing is checkpointed but by checkpoint().
  static Result<Connection> open(const std::filesystem::path& file, Access access);
  /// Opens a new empty database in memory.
  static Result<Connection> open_in_memory();

  ~Connection();
  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&&) = delete;

  /// Executes statements that return nothing of interest.
  Result<void> execute(const char* sql);

  /// Prepares `sql`, once, and binds `values`. The cache goes by address: pass literals.
  template <typename... Values>
  Result<Query> query(const char* sql, const Values&... values) {
    Query query = TRY(prepare(sql));
    int index = 0;
    (query.bind(++index, values), ...);
    return query;
  }

  /// Executes one statement with `values`.
  template <typename... Values>
  Result<void> run(const char* sql, const Values&... values) {
    Query query = TRY(prepare(sql));
    int index = 0;
    (query.bind(++index, values, Query::Lifetime::Outlives), ...);
    TRY_VOID(query.next());
    return {};
  }

  /// Returns the one value of a query without parameters.
  Result<std::string> value(const char* sql);

  std::int64_t last_insert_no() const;
  int changed_rows() const;
  bool in_transaction() const;
  /// Whether the last failure was a write from an outdated snapshot: roll back and start again.
  bool is_snapshot_outdated() const;
  /// Returns how many frames the write-ahead log had after the last commit of this connection.
  int wal_frames() const { return *wal_frames_; }

  Result<CheckpointOutcome> checkpoint(Checkpoint mode);
  /// Whether the last failure means only that somebody else is using the database, or that the disk is full.
  bool is_last_failure_harmless_to_checkpoint() const;

  /// Copies the whole database to `target` through SQLite's own backup call, and syncs it.
  Result<void> back_up_to(const std::filesystem::path& target);

  /// Whether the name we opened still leads to the file we have open.
  bool has_moved() const;

 private:
  explicit Connection(sqlite3* db);
  static Result<Connection> open_with_flags(const std::string& name, int flags);
  Result<Query> prepare(const char* sql);
  Result<void> harden();

  sqlite3* db_;
  std::unique_ptr<int> wal_frames_;  // on the heap: the commit hook holds its address
  std::unique_ptr<BusyWait> busy_;   // the same for the busy handler
  std::unordered_map<const char*, sqlite3_stmt*> statements_;
};

/// Returns the version of the SQLite library that is loaded, as text and as SQLite counts it (3040001).
std::string_view sqlite_version_text();
int sqlite_version_number();

}  // namespace reprise
