// The journal's tables, their versions, and the way from one version to the next.
//
// Migrations are numbered and go forward only. Before the first step the whole database is copied with
// SQLite's own backup call to journal.db.backup-v<old version>; then all steps are one transaction, so a
// kill anywhere leaves one of the two versions (P31). A version that is not known is left untouched.

#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "base/result.h"
#include "journal/sqlite.h"

namespace reprise {

class Entropy;

/// Marks a SQLite file as a journal: "Rprs".
inline constexpr std::int64_t kJournalApplicationId = 0x52707273;

/// Where the events of a run lie: "key = run number * 2^40 + event number".
inline constexpr int kEventNumberBits = 40;

/// Returns the key of event `number` of the run with number `run_no`.
constexpr std::int64_t event_key(std::int64_t run_no, std::int64_t number) {
  return (run_no << kEventNumberBits) + number;
}
/// Returns the first key that is not of this run any more.
constexpr std::int64_t event_key_end(std::int64_t run_no) { return (run_no + 1) << kEventNumberBits; }

/// One step: the statements that lead from version - 1 to `version`.
struct Migration {
  int version = 0;
  const char* sql = nullptr;
};

/// Returns all steps, oldest first.
std::span<const Migration> journal_migrations();

/// Looks at the first bytes of `file` without SQLite. Corrupt if they are not those of a journal, or of
/// one newer than `newest`; an empty file is fine. Opens and closes the file: never call it while this
/// process has a connection to it, for that would drop the connection's locks.
Result<void> check_header(const std::filesystem::path& file, int newest);

/// Whether the power went while the file was being made: it has room for a first page and not a byte in it.
/// Nothing can have been recorded in it.
bool is_creation_cut_off(const std::filesystem::path& file);
/// Whether a process was killed while it made the file: nothing is in it yet but pages that SQLite will undo.
bool is_half_made(const std::filesystem::path& file);

/// Returns the version of an open database, 0 if it has nothing in it. Corrupt as for check_header().
Result<int> schema_version(Connection& db, const std::filesystem::path& file, int newest);

/// Brings `db`, which is at version `from`, to the newest of `migrations`, with a copy made first.
Result<void> migrate(Connection& db, const std::filesystem::path& file, int from,
                     std::span<const Migration> migrations, Entropy& entropy);

/// Returns the schema as SQLite wrote it down, one line per table and index.
Result<std::string> schema_text(Connection& db);
/// Returns the schema that `migrations` make.
Result<std::string> expected_schema_text(std::span<const Migration> migrations);

}  // namespace reprise
