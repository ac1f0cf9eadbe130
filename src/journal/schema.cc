// The tables of each version, and how a file is told to be a journal at all.

#include "journal/schema.h"

#include <array>

#include "base/check.h"
#include "base/strings.h"
#include "journal/disk.h"
#include "os/entropy.h"
#include "os/file_system.h"

namespace reprise {

namespace {

constexpr int kJournalIdDigits = 32;

// An event's key is its run's number and its own in one (event_key()): the events of a run lie together in
// one tree, and an append changes one page of it. A primary key of two columns would make an index of the
// table, with a quarter of a page per row at most and twice as many pages written per append.
//
// The newest event of a run is marked, so that a cut tail shows. The mark moves with each append and is the
// only column that ever changes.
constexpr const char* kVersion1 = R"sql(
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE runs (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  archived INTEGER NOT NULL DEFAULT 0,
  token INTEGER NOT NULL,
  owner_host TEXT,
  owner_pid INTEGER,
  owner_start TEXT,
  owner_boot TEXT,
  owner_since INTEGER
) STRICT;
CREATE TABLE events (
  key INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  version INTEGER NOT NULL,
  payload TEXT NOT NULL,
  digest BLOB NOT NULL,
  newest INTEGER,
  run INTEGER GENERATED ALWAYS AS (key >> 40) VIRTUAL,
  number INTEGER GENERATED ALWAYS AS (key & 1099511627775) VIRTUAL
) STRICT;
CREATE TABLE copies (
  run INTEGER PRIMARY KEY,
  number INTEGER NOT NULL,
  digest BLOB NOT NULL,
  body BLOB NOT NULL
) STRICT;
CREATE TABLE texts (digest TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;
CREATE TABLE requests (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  run INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  asked_by TEXT NOT NULL,
  asked_at INTEGER NOT NULL,
  answer TEXT
) STRICT;
CREATE INDEX requests_open ON requests (run, no) WHERE answer IS NULL;
)sql";

constexpr std::array kMigrations = {Migration{.version = 1, .sql = kVersion1}};

// Offsets in the header of every SQLite file (SQLite file format, section 1.3).
constexpr std::size_t kHeaderBytes = 100;
constexpr std::string_view kMagic("SQLite format 3\0", 16);
constexpr std::size_t kSchemaCookieAt = 40;
constexpr std::size_t kUserVersionAt = 60;
constexpr std::size_t kApplicationIdAt = 68;

std::int64_t big_endian(std::string_view header, std::size_t at) {
  std::int64_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(header[at + i]);
  return value;
}

// A journal whose creation was cut off, or is still only in the write-ahead log, has an empty header.
bool is_blank(std::string_view header) {
  return big_endian(header, kApplicationIdAt) == 0 && big_endian(header, kUserVersionAt) == 0 &&
         big_endian(header, kSchemaCookieAt) == 0;
}

std::unexpected<Error> refuse(const std::filesystem::path& file, const std::string& why) {
  return fail(Error{.kind = ErrorKind::Corrupt,
                    .message = file.string() + ": " + why + "; nothing was changed",
                    .file = file.string()});
}

Result<void> check_version(const std::filesystem::path& file, std::int64_t version, int newest) {
  if (version >= 0 && version <= newest) return {};
  return refuse(file, "the journal has format version " + std::to_string(version) + ", this program knows up to " +
                          std::to_string(newest));
}

Result<std::int64_t> number_value(Connection& db, const char* sql) {
  Query query = TRY(db.query(sql));
  if (!TRY(query.next())) return 0;
  return query.integer(0);
}

std::filesystem::path beside(const std::filesystem::path& file, const std::string& suffix) {
  return file.string() + suffix;
}

// A copy cut short by an earlier kill is worth nothing: the database itself is still at the old version.
Result<void> back_up(Connection& db, const std::filesystem::path& file, int version) {
  const std::filesystem::path copy = beside(file, ".backup-v" + std::to_string(version));
  PosixFileSystem files;
  for (const char* suffix : {"", "-journal", "-wal", "-shm"}) TRY_VOID(files.remove(beside(copy, suffix)));
  TRY_VOID(create_private_file(copy));
  if (Result<void> copied = db.back_up_to(copy); !copied) {
    return fail(std::move(copied.error()).within("backing up before a migration"));
  }
  return sync_folder(file.parent_path());
}

Result<void> take_steps(Connection& db, int from, std::span<const Migration> migrations, Entropy& entropy) {
  for (const Migration& step : migrations) {
    if (step.version > from) TRY_VOID(db.execute(step.sql));
  }
  const std::string version = std::to_string(migrations.back().version);
  TRY_VOID(db.execute(("PRAGMA user_version = " + version).c_str()));
  TRY_VOID(db.execute(("PRAGMA application_id = " + std::to_string(kJournalApplicationId)).c_str()));
  TRY_VOID(db.run("INSERT OR IGNORE INTO meta (key, value) VALUES ('journal', ?)", entropy.hex(kJournalIdDigits)));
  return db.run("INSERT OR REPLACE INTO meta (key, value) VALUES ('format', ?)", version);
}

}  // namespace

std::span<const Migration> journal_migrations() { return kMigrations; }

Result<void> check_header(const std::filesystem::path& file, int newest) {
  const std::string header = TRY(PosixFileSystem().read_part(file, 0, kHeaderBytes));
  if (header.empty()) return {};
  if (is_creation_cut_off(file)) return {};
  if (header.size() < kHeaderBytes || !header.starts_with(kMagic)) return refuse(file, "this is not a journal");
  const std::int64_t application = big_endian(header, kApplicationIdAt);
  const std::int64_t version = big_endian(header, kUserVersionAt);
  if (is_blank(header)) return {};
  if (application != kJournalApplicationId) return refuse(file, "this database belongs to another program");
  return check_version(file, version, newest);
}

bool is_creation_cut_off(const std::filesystem::path& file) {
  constexpr std::size_t kPageBytesMax = 64u << 10;
  const Result<std::string> bytes = PosixFileSystem().read_part(file, 0, kPageBytesMax + 1);
  if (!bytes || bytes->empty() || bytes->size() > kPageBytesMax) return false;
  return bytes->find_first_not_of('\0') == std::string::npos;
}

bool is_half_made(const std::filesystem::path& file) {
  // A journal has a write-ahead log. What can be undone with a rollback journal was never one.
  if (!identity_of(beside(file, "-journal"))) return false;
  const Result<std::string> header = PosixFileSystem().read_part(file, 0, kHeaderBytes);
  return header && (header->size() < kHeaderBytes || is_blank(*header));
}

Result<int> schema_version(Connection& db, const std::filesystem::path& file, int newest) {
  const std::int64_t application = TRY(number_value(db, "PRAGMA application_id"));
  const std::int64_t version = TRY(number_value(db, "PRAGMA user_version"));
  if (application == 0 && version == 0) {
    if (TRY(number_value(db, "SELECT count(*) FROM sqlite_schema")) == 0) return 0;
  }
  if (application != kJournalApplicationId) return refuse(file, "this database belongs to another program");
  TRY_VOID(check_version(file, version, newest));
  if (version == 0) return refuse(file, "the journal has no format version");
  return static_cast<int>(version);
}

Result<void> migrate(Connection& db, const std::filesystem::path& file, int from,
                     std::span<const Migration> migrations, Entropy& entropy) {
  check(!migrations.empty() && from < migrations.back().version);
  if (from > 0) TRY_VOID(back_up(db, file, from));
  TRY_VOID(db.execute("BEGIN IMMEDIATE"));
  Result<void> done = take_steps(db, from, migrations, entropy);
  if (done) done = db.execute("COMMIT");
  if (done) return {};
  if (db.in_transaction()) static_cast<void>(db.execute("ROLLBACK"));
  const std::string what = "bringing the journal from format version " + std::to_string(from) + " to " +
                           std::to_string(migrations.back().version);
  return fail(std::move(done.error()).within(what));
}

Result<std::string> schema_text(Connection& db) {
  Query query =
      TRY(db.query("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' "
                   "ORDER BY type, name"));
  std::string text;
  while (TRY(query.next())) text += query.text(0) + " " + query.text(1) + ": " + query.text(2) + "\n";
  return text;
}

Result<std::string> expected_schema_text(std::span<const Migration> migrations) {
  Connection memory = TRY(Connection::open_in_memory());
  for (const Migration& step : migrations) TRY_VOID(memory.execute(step.sql));
  return schema_text(memory);
}

}  // namespace reprise
