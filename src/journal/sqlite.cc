// The only file of the program that calls the SQLite C API; every result code becomes an Error here.

#include "journal/sqlite.h"

#include <sqlite3.h>

#include <cerrno>
#include <cstring>

#include "base/check.h"
#include "os/file_system.h"
#include "os/lock_wait.h"
#include "os/signals.h"

namespace reprise {

/// What the busy handler of a connection keeps between its calls.
struct BusyWait {
  sqlite3* db;
  std::optional<LockWait> wait = {};
};

namespace {

constexpr int kValueBytesMax = 256 << 20;  // a crafted length in a hostile file must not become an allocation

ErrorKind kind_of_code(int code) {
  switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_ERROR:  // a statement of ours that does not compile: the schema is not the one it should be
    case SQLITE_SCHEMA:
    case SQLITE_MISMATCH:
    case SQLITE_CONSTRAINT: return ErrorKind::Corrupt;
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return ErrorKind::Busy;
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_READONLY: return ErrorKind::Denied;
    case SQLITE_TOOBIG: return ErrorKind::Invalid;
    default: return ErrorKind::Io;
  }
}

std::string name_of(sqlite3* db) {
  const char* file = sqlite3_db_filename(db, "main");
  return file != nullptr && *file != '\0' ? file : "database in memory";
}

// SQLite locks bytes of the database, or of the index of its write-ahead log.
LockSubject lock_of(sqlite3* db) {
  const std::string file = name_of(db);
  return {.files = {file, file + "-shm"}};
}

// Another process holds SQLite's own lock. `wait` is kept from call to call.
int wait_for_lock(void* wait, int count) {
  auto& waiting = *static_cast<BusyWait*>(wait);
  if (count == 0) waiting.wait.emplace(lock_of(waiting.db));
  return waiting.wait->pause() ? 1 : 0;
}

Error error_of_busy(sqlite3* db, int code) {
  // Nobody else has to release anything: the transaction only has to start over.
  if (code == SQLITE_BUSY_SNAPSHOT)
    return {.kind = ErrorKind::Busy, .message = name_of(db) + ": outdated snapshot"};
  Error error = lock_is_held(lock_of(db));
  if (pending_end_signal() == 0) return error;
  return {.kind = ErrorKind::Interrupted,
          .message = "interrupted while waiting for the lock on " + error.file,
          .file = error.file};
}

// A message that names the file, what SQLite says and, for failures of the disk, what the system says.
Error error_of(sqlite3* db, int code) {
  if ((code & 0xff) == SQLITE_BUSY) return error_of_busy(db, code);
  const std::string file = name_of(db);
  const std::string folder = std::filesystem::path(file).parent_path().string();
  const int cause = sqlite3_system_errno(db);
  const bool is_disk = (code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN;
  // A database that cannot be opened for want of space is reported without that reason.
  const bool is_full = (code & 0xff) == SQLITE_FULL ||
                       (is_disk && (cause == ENOSPC || cause == EDQUOT || is_file_system_full(folder)));
  if (is_full) return no_space_in(folder, file);
  std::string message = file + ": " + sqlite3_errmsg(db);
  if (is_disk && cause != 0) message += std::string(": ") + std::strerror(cause);
  if ((code & 0xff) == SQLITE_IOERR) message += " (SQLite code " + std::to_string(code) + ")";
  return Error{.kind = kind_of_code(code), .message = std::move(message), .file = file};
}

sqlite3_destructor_type destructor_for(Query::Lifetime lifetime) {
  return lifetime == Query::Lifetime::Outlives ? SQLITE_STATIC : SQLITE_TRANSIENT;
}

int count_frames(void* frames, sqlite3*, const char*, int count) {
  *static_cast<int*>(frames) = count;
  return SQLITE_OK;
}

}  // namespace

Query::~Query() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

void Query::bind(int index, std::int64_t value, Lifetime) {
  bind_code_ |= sqlite3_bind_int64(statement_, index, value);
}

void Query::bind(int index, std::string_view text, Lifetime lifetime) {
  // A view without data would bind NULL, and every text column of ours is NOT NULL.
  const char* data = text.data() == nullptr ? "" : text.data();
  bind_code_ |= sqlite3_bind_text64(statement_, index, data, text.size(), destructor_for(lifetime), SQLITE_UTF8);
}

void Query::bind(int index, Blob blob, Lifetime lifetime) {
  const char* data = blob.bytes.data() == nullptr ? "" : blob.bytes.data();
  bind_code_ |= sqlite3_bind_blob64(statement_, index, data, blob.bytes.size(), destructor_for(lifetime));
}

void Query::bind(int index, const Digest& digest, Lifetime lifetime) {
  bind_code_ |=
      sqlite3_bind_blob64(statement_, index, digest.bytes.data(), digest.bytes.size(), destructor_for(lifetime));
}

Result<bool> Query::next() {
  sqlite3* db = sqlite3_db_handle(statement_);
  if (bind_code_ != SQLITE_OK) return fail(error_of(db, sqlite3_extended_errcode(db)));
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return fail(error_of(db, code));
}

std::int64_t Query::integer(int column) const { return sqlite3_column_int64(statement_, column); }

std::string_view Query::bytes(int column) const {
  const void* data = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  if (data == nullptr) return {};
  return {static_cast<const char*>(data), static_cast<std::size_t>(size)};
}

bool Query::is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }

Digest Query::digest(int column) const {
  const std::string_view stored = bytes(column);
  Digest digest;
  if (stored.size() == digest.bytes.size()) std::memcpy(digest.bytes.data(), stored.data(), stored.size());
  return digest;
}

Connection::Connection(sqlite3* db)
    : db_(db), wal_frames_(std::make_unique<int>(0)), busy_(std::make_unique<BusyWait>(db)) {}

Connection::Connection(Connection&& other) noexcept
    : db_(other.db_),
      wal_frames_(std::move(other.wal_frames_)),
      busy_(std::move(other.busy_)),
      statements_(std::move(other.statements_)) {
  other.db_ = nullptr;
  other.statements_.clear();
}

Connection::~Connection() {
  for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
  if (db_ != nullptr) sqlite3_close_v2(db_);
}

Result<Connection> Connection::open_with_flags(const std::string& name, int flags) {
  sqlite3* db = nullptr;
  const int code =
      sqlite3_open_v2(name.c_str(), &db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
  check(db != nullptr);
  Connection connection(db);
  if (code != SQLITE_OK) {
    Error error = error_of(db, code);
    if (error.is_full) return fail(std::move(error));
    return fail(
        Error{.kind = error.kind, .message = name + ": cannot be opened: " + sqlite3_errmsg(db), .file = name});
  }
  TRY_VOID(connection.harden());
  return connection;
}

Result<Connection> Connection::open(const std::filesystem::path& file, Access access) {
  return open_with_flags(file.string(), access == Access::ReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE);
}

Result<Connection> Connection::open_in_memory() {
  return open_with_flags(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
}

// What a hostile database could do through its schema is switched off before the schema is read.
Result<void> Connection::harden() {
  const auto set = [this](int option, int value) {
    check(sqlite3_db_config(db_, option, value, nullptr) == SQLITE_OK);
  };
  set(SQLITE_DBCONFIG_DEFENSIVE, 1);
  set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0);
  set(SQLITE_DBCONFIG_ENABLE_TRIGGER, 0);
  set(SQLITE_DBCONFIG_ENABLE_VIEW, 0);
  set(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0);
  // The last connection to close must not checkpoint: that would be outside of our write lock.
  set(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1);
  sqlite3_limit(db_, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(db_, SQLITE_LIMIT_LENGTH, kValueBytesMax);
  sqlite3_busy_handler(db_, wait_for_lock, busy_.get());
  // Replaces SQLite's own hook, so automatic checkpoints are off with it.
  sqlite3_wal_hook(db_, count_frames, wal_frames_.get());
  // What is deleted or overwritten does not stay readable in the file.
  return execute("PRAGMA cell_size_check = ON; PRAGMA secure_delete = ON");
}

Result<void> Connection::execute(const char* sql) {
  const int code = sqlite3_exec(db_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return fail(error_of(db_, code));
  return {};
}

Result<Query> Connection::prepare(const char* sql) {
  sqlite3_stmt*& statement = statements_[sql];
  if (statement == nullptr) {
    const int code = sqlite3_prepare_v3(db_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    if (code != SQLITE_OK) return fail(error_of(db_, code));
  }
  check(sqlite3_stmt_busy(statement) == 0);
  return Query(statement);
}

Result<std::string> Connection::value(const char* sql) {
  Query query = TRY(this->query(sql));
  if (!TRY(query.next())) return std::string();
  return query.text(0);
}

std::int64_t Connection::last_insert_no() const { return sqlite3_last_insert_rowid(db_); }
int Connection::changed_rows() const { return sqlite3_changes(db_); }
bool Connection::in_transaction() const { return sqlite3_get_autocommit(db_) == 0; }

bool Connection::is_snapshot_outdated() const { return sqlite3_extended_errcode(db_) == SQLITE_BUSY_SNAPSHOT; }

Result<Connection::CheckpointOutcome> Connection::checkpoint(Checkpoint mode) {
  CheckpointOutcome outcome;
  // Truncating would wait for readers, and nobody is to wait for a checkpoint.
  sqlite3_busy_handler(db_, nullptr, nullptr);
  const int code = sqlite3_wal_checkpoint_v2(
      db_, "main", mode == Checkpoint::Truncate ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE,
      &outcome.frames, &outcome.copied);
  sqlite3_busy_handler(db_, wait_for_lock, busy_.get());
  if ((code & 0xff) == SQLITE_BUSY) return fail(ErrorKind::Busy, name_of(db_) + ": in use, not checkpointed");
  if (code != SQLITE_OK) return fail(error_of(db_, code));
  return outcome;
}

bool Connection::is_last_failure_harmless_to_checkpoint() const {
  const int code = sqlite3_errcode(db_);
  return code == SQLITE_BUSY || code == SQLITE_LOCKED || code == SQLITE_FULL;
}

Result<void> Connection::back_up_to(const std::filesystem::path& target) {
  Connection copy = TRY(open_with_flags(target.string(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE));
  sqlite3_backup* backup = sqlite3_backup_init(copy.db_, "main", db_, "main");
  if (backup == nullptr) return fail(error_of(copy.db_, sqlite3_extended_errcode(copy.db_)));
  const int stepped = sqlite3_backup_step(backup, -1);
  const int finished = sqlite3_backup_finish(backup);
  if (finished != SQLITE_OK) return fail(error_of(copy.db_, finished));
  // A busy source does not count as an error for SQLite, but there is no copy then.
  if (stepped != SQLITE_DONE) return fail(error_of(db_, stepped));
  return {};
}

bool Connection::has_moved() const {
  int moved = 0;
  sqlite3_file_control(db_, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return moved != 0;
}

std::string_view sqlite_version_text() { return sqlite3_libversion(); }
int sqlite_version_number() { return sqlite3_libversion_number(); }

}  // namespace reprise
