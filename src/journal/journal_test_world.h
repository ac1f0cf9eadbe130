// For the journal's tests: a folder of its own, journals in it, small events, and a way to tamper.

#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "journal/sqlite_journal.h"
#include "testing/fixed_clock.h"
#include "testing/seeded_entropy.h"

namespace reprise {

inline const RunId kRun{"demo"};

inline Event a_creation() { return RunCreated{.workflow = "demo", .subject = "thing"}; }
inline Event a_note(const std::string& text) { return NoteAdded{.text = text, .by = "ana"}; }

/// In memory where the system offers that: what is tested is the order of calls, not the speed of a disk.
class TempFolder {
 public:
  TempFolder() {
    std::string name = (access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : testing::TempDir()) + "journal-XXXXXX";
    check(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// A folder with a journal, and what a journal needs.
class World {
 public:
  Result<std::unique_ptr<Journal>> try_open(OpenMode mode = OpenMode::ReadWrite, StoreOptions options = {}) {
    return open_sqlite_journal_with(directory(), mode, clock, entropy, options);
  }
  std::unique_ptr<Journal> open(OpenMode mode = OpenMode::ReadWrite) {
    Result<std::unique_ptr<Journal>> journal = try_open(mode);
    if (!journal) ADD_FAILURE() << journal.error().message;
    check(journal.has_value());
    return std::move(*journal);
  }
  std::filesystem::path directory() const { return folder.path() / "reprise"; }
  std::filesystem::path file() const { return directory() / "journal.db"; }

  TempFolder folder;
  FixedClock clock;
  SeededEntropy entropy{1};
};

/// Creates kRun with one event and returns its lease.
inline Lease a_run(Journal& journal, const RunId& run = kRun) {
  const Event created = a_creation();
  Result<Lease> lease = journal.create(run, {&created, 1}, {});
  if (!lease) ADD_FAILURE() << lease.error().message;
  check(lease.has_value());
  return *lease;
}

inline Result<std::vector<RecordedEvent>> append_note(Journal& journal, const Lease& lease, std::int64_t expected,
                                                      const std::string& text = "note") {
  const Event note = a_note(text);
  return journal.append(lease, {expected}, {&note, 1});
}

/// Plain SQL on the database, without any of the journal's care.
class Tamperer {
 public:
  explicit Tamperer(const std::filesystem::path& file) {
    check(sqlite3_open_v2(file.c_str(), &db_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr) == SQLITE_OK);
    sqlite3_busy_timeout(db_, 10'000);
    sqlite3_db_config(db_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  }
  ~Tamperer() { sqlite3_close(db_); }
  Tamperer(const Tamperer&) = delete;
  Tamperer& operator=(const Tamperer&) = delete;

  /// Returns how many rows were changed.
  int change(const std::string& sql) {
    char* message = nullptr;
    const int code = sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, &message);
    EXPECT_EQ(code, SQLITE_OK) << sql << ": " << (message == nullptr ? "" : message);
    sqlite3_free(message);
    return sqlite3_changes(db_);
  }
  std::string value(const std::string& sql) {
    std::string found;
    const auto take = [](void* out, int, char** columns, char**) {
      *static_cast<std::string*>(out) = columns[0] == nullptr ? "" : columns[0];
      return 0;
    };
    const int code = sqlite3_exec(db_, sql.c_str(), take, &found, nullptr);
    return code == SQLITE_OK ? found : sqlite3_errmsg(db_);
  }

 private:
  sqlite3* db_ = nullptr;
};

inline std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void put_content(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

}  // namespace reprise
