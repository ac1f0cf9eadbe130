// Opening, and the frame around every transaction: lock, look whether the file is still ours, begin, commit,
// checkpoint when it is time.

#include "journal/store.h"

#include <array>
#include <mutex>
#include <set>
#include <vector>

#include "model/limits.h"
#include "os/io.h"
#include "os/known_bad.h"

namespace reprise {

namespace {

constexpr const char* kFileName = "journal.db";
constexpr const char* kLockName = "journal.lock";
// Folders beside the journal that get files only after a run was recorded.
constexpr std::array<const char*, 2> kRunFolders = {"attempts", "guards"};

// Which database files this process has open. Closing any descriptor of such a file outside of SQLite
// would drop SQLite's locks on it, so its header may not be looked at then; it was when it was opened.
struct OpenFiles {
  std::mutex mutex;
  std::multiset<FileIdentity> identities;
};

OpenFiles& open_files() {
  static OpenFiles files;
  return files;
}

Error not_there(const std::filesystem::path& file) {
  return {.kind = ErrorKind::NotFound, .message = file.string() + ": there is no journal", .file = file.string()};
}

bool holds_a_file(const std::filesystem::path& folder) {
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->is_symlink(error) || !entry->is_directory(error)) return true;
  }
  return static_cast<bool>(error) && error != std::errc::no_such_file_or_directory;
}

bool is_missing_or_empty(const std::filesystem::path& file) {
  std::error_code error;
  return std::filesystem::file_size(file, error) == 0 || error == std::errc::no_such_file_or_directory;
}

// Fails with Corrupt if files of runs lie beside `file`, which holds no journal. The journal is durable before any
// run has files, so it was there and is lost.
Result<void> check_not_lost(const std::filesystem::path& file) {
  std::string sign;
  std::error_code error;
  const std::filesystem::path wal = file.string() + "-wal";
  if (const auto bytes = std::filesystem::file_size(wal, error); !error && bytes > 0)
    sign = wal.filename().string();
  for (const char* kind : kRunFolders) {
    if (sign.empty() && holds_a_file(file.parent_path() / kind)) sign = std::string(kind) + "/";
  }
  if (sign.empty()) return {};
  return fail(Error{.kind = ErrorKind::Corrupt,
                    .message = file.string() + ": the journal is missing or empty, but " + sign +
                               " beside it holds data of runs; restore the journal from a backup, or move the "
                               "store away to start over",
                    .file = file.string()});
}

Result<void> check_header_unless_open(const std::filesystem::path& file, int newest, OpenMode mode) {
  const std::optional<FileIdentity> identity = identity_of(file);
  if (identity && open_files().identities.contains(*identity)) return {};
  TRY_VOID(check_header(file, newest));
  if (!is_creation_cut_off(file)) return {};
  TRY_VOID(check_not_lost(file));
  if (mode == OpenMode::ReadOnly) return fail(not_there(file));
  const Fd fd = TRY(open_for_append(file));
  return cut_to(fd.get(), 0, file.string());  // SQLite makes an empty file its own
}

std::filesystem::path nearest_existing(std::filesystem::path path) {
  while (!identity_of(path) && path.has_relative_path()) path = path.parent_path();
  return path;
}

// A reader needs the shared index of the write-ahead log, which it may have to make.
Error explain_reading(Error error, const std::filesystem::path& file) {
  if (error.kind != ErrorKind::Io && error.kind != ErrorKind::Denied) return error;
  error.message += "; reading a journal needs write access to " + file.parent_path().string() +
                   ", where readers and the writer share the index of its write-ahead log";
  error.file = file.string();
  return error;
}

}  // namespace

Store::Store(std::filesystem::path file, OpenMode mode, const StoreOptions& options, Connection db, WriteLock lock)
    : file_(std::move(file)),
      wal_(file_.string() + "-wal"),
      mode_(mode),
      options_(options),
      lock_(std::move(lock)),
      checkpoint_at_(kCheckpointFrames),
      db_(std::move(db)) {}

Result<std::unique_ptr<Store>> Store::open(const std::filesystem::path& directory, OpenMode mode, Entropy& entropy,
                                           const StoreOptions& options) {
  const std::filesystem::path file = TRY(absolute_path(directory)) / kFileName;
  const std::filesystem::path folder = file.parent_path();
  if (TRY(options.is_network(nearest_existing(folder)))) {
    return fail(ErrorKind::Unavailable,
                folder.string() +
                    ": is on a network or FUSE file system, where locks do not keep other processes out; move the "
                    "repository to a local disk");
  }
  if (mode == OpenMode::ReadOnly) {
    // Another process may create the journal meanwhile: files of its runs do not count.
    if (is_missing_or_empty(file)) {
      const Result<void> intact = check_not_lost(file);
      if (!intact && is_missing_or_empty(file)) return fail(intact.error());
    }
    if (!TRY(is_there(file))) return fail(not_there(file));
    Result<std::unique_ptr<Store>> store = open_file(file, mode, entropy, options, WriteLock());
    if (!store && is_half_made(file)) return fail(not_there(file));
    if (!store) return fail(explain_reading(std::move(store.error()), file));
    return store;
  }
  TRY_VOID(make_folder(folder));
  WriteLock lock = TRY(WriteLock::open(folder / kLockName));
  TRY_VOID(lock.lock());
  if (is_missing_or_empty(file)) TRY_VOID(check_not_lost(file));
  TRY_VOID(create_private_file(file));
  std::unique_ptr<Store> store = TRY(open_file(file, mode, entropy, options, std::move(lock)));
  store->lock_.unlock();
  return store;
}

Result<std::unique_ptr<Store>> Store::open_file(const std::filesystem::path& file, OpenMode mode, Entropy& entropy,
                                                const StoreOptions& options, WriteLock lock) {
  std::unique_ptr<Store> store;
  {
    const std::lock_guard<std::mutex> guard(open_files().mutex);
    TRY_VOID(check_header_unless_open(file, options.migrations.back().version, mode));
    const bool is_reader = mode == OpenMode::ReadOnly;
    Connection db =
        TRY(Connection::open(file, is_reader ? Connection::Access::ReadOnly : Connection::Access::ReadWrite));
    store.reset(new Store(file, mode, options, std::move(db), std::move(lock)));
    TRY_VOID(store->remember_identity());
    open_files().identities.insert(store->file_identity_);
  }
  TRY_VOID(store->prepare(entropy));
  return store;
}

// A new folder must itself survive a power cut, or the journal in it goes with it.
Result<void> Store::make_folder(const std::filesystem::path& directory) {
  const std::filesystem::path existing = nearest_existing(directory);
  if (existing == directory) return {};
  TRY_VOID(PosixFileSystem().make_directories(directory));
  for (std::filesystem::path made = directory; made != existing; made = made.parent_path()) {
    TRY_VOID(sync_folder(made.parent_path()));
  }
  return {};
}

Result<void> Store::prepare(Entropy& entropy) {
  if (mode_ == OpenMode::ReadOnly) {
    const int newest = options_.migrations.back().version;
    const int version = TRY(schema_version(db_, file_, newest));
    if (version == 0) return fail(not_there(file_));
    if (version < newest) {
      return fail(ErrorKind::Unavailable,
                  file_.string() + ": the journal has format version " + std::to_string(version) +
                      "; the next command that writes brings it to " + std::to_string(newest));
    }
  } else {
    TRY_VOID(bring_up_to_date(entropy));
  }
  wal_identity_ = identity_of(wal_);
  return {};
}

Result<void> Store::bring_up_to_date(Entropy& entropy) {
  const int newest = options_.migrations.back().version;
  const int version = TRY(schema_version(db_, file_, newest));
  // Only now: a file that is refused must not even change its journal mode.
  const std::string mode = TRY(db_.value("PRAGMA journal_mode = WAL"));
  if (mode != "wal") return fail(ErrorKind::Io, file_.string() + ": no write-ahead log is possible here");
  // NORMAL would not sync at each commit, which is what J5 promises.
  const bool is_bad = known_bad(KnownBad::SyncNormal);
  TRY_VOID(db_.execute(is_bad ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = FULL"));
  if (version == newest) return {};
  // An older program that is at work on a run would go on writing what it knows.
  if (version > 0 && TRY(is_anything_locked(leases_file()))) {
    return fail(ErrorKind::Unavailable, file_.string() + ": the journal cannot be brought from format version " +
                                            std::to_string(version) + " to " + std::to_string(newest) +
                                            " while a run is being worked on");
  }
  TRY_VOID(migrate(db_, file_, version, options_.migrations, entropy));
  // Puts the version into the file's own header, where a look without SQLite finds it.
  const Result<Connection::CheckpointOutcome> done = db_.checkpoint(Connection::Checkpoint::Passive);
  if (!done && !db_.is_last_failure_harmless_to_checkpoint()) return fail(done.error());
  return sync_folder(file_.parent_path());
}

Result<void> Store::remember_identity() {
  const std::optional<FileIdentity> identity = identity_of(file_);
  if (!identity || db_.has_moved()) {
    return fail(ErrorKind::Corrupt, file_.string() + ": the journal was replaced while it was being opened");
  }
  file_identity_ = *identity;
  return {};
}

Store::~Store() {
  if (is_commit_owed_) static_cast<void>(commit());
  const bool may_checkpoint =
      has_written_ && !stopped_ && check_identity() && (lock_.is_held() || lock_.try_lock());
  // A shorter log is a kindness to the next reader, not a duty: whoever is reading now is not disturbed.
  if (may_checkpoint) static_cast<void>(db_.checkpoint(Connection::Checkpoint::Truncate));
  lock_.unlock();
  if (file_identity_ == FileIdentity{}) return;
  const std::lock_guard<std::mutex> guard(open_files().mutex);
  open_files().identities.erase(open_files().identities.find(file_identity_));
}

// Two histories would grow apart: ours in a file without a name, another's in the one that has it (R42).
Result<void> Store::check_identity() {
  if (replaced_) return fail(*replaced_);
  const bool same_log = !wal_identity_ || identity_of(wal_) == wal_identity_;
  if (same_log && identity_of(file_) == file_identity_) return {};
  replaced_ = Error{.kind = ErrorKind::Corrupt,
                    .message = (same_log ? file_ : wal_).string() +
                               ": journal replaced under a running process; nothing more is read or written",
                    .file = file_.string()};
  return fail(*replaced_);
}

Result<void> Store::check_writable() const {
  if (mode_ == OpenMode::ReadOnly) return fail(ErrorKind::Denied, file_.string() + ": opened for reading only");
  if (!stopped_) return {};
  return fail(*stopped_);
}

void Store::stop_writing(const Error& cause) {
  if (stopped_) return;
  lock_.mark_failure();
  stopped_ = Error{.kind = cause.kind,
                   .message = "nothing more is recorded after an earlier failure: " + cause.message,
                   .file = file_.string(),
                   .hints = cause.is_full ? cause.hints : std::vector<std::string>{"reprise resume"},
                   .is_full = cause.is_full};
}

Result<void> Store::begin_write() {
  TRY_VOID(check_writable());
  if (is_commit_owed_) TRY_VOID(commit());
  TRY_VOID(lock_.lock());
  Result<void> begun = check_identity();
  if (begun) begun = begin_transaction();
  if (!begun) lock_.unlock();
  return begun;
}

Result<void> Store::begin_transaction() {
  for (;;) {
    Result<void> begun = db_.run("BEGIN IMMEDIATE");
    if (begun) return {};
    if (db_.is_snapshot_outdated()) continue;
    if (begun.error().kind == ErrorKind::Io || begun.error().kind == ErrorKind::Corrupt)
      stop_writing(begun.error());
    return begun;
  }
}

Result<void> Store::end_write(Durability durability) {
  if (durability == Durability::Later) {
    is_commit_owed_ = true;
    return {};
  }
  return commit();
}

Result<void> Store::commit() {
  is_commit_owed_ = false;
  has_written_ = true;
  Result<void> committed = db_.run("COMMIT");
  if (committed) {
    checkpoint_when_due();
  } else {
    // Whether it is on disk is not known now, and a second sync would not tell: the next start finds out.
    if (db_.in_transaction()) static_cast<void>(db_.run("ROLLBACK"));
    committed.error().kind = ErrorKind::Io;
    committed = fail(std::move(committed.error()).hint("reprise resume"));
    stop_writing(committed.error());
  }
  lock_.unlock();
  return committed;
}

Store::After Store::undo_write(const Error& error) {
  const bool is_outdated = error.kind == ErrorKind::Busy && db_.is_snapshot_outdated();
  if (error.kind == ErrorKind::Io || error.kind == ErrorKind::Corrupt) stop_writing(error);
  if (db_.in_transaction()) {
    if (Result<void> undone = db_.run("ROLLBACK"); !undone) stop_writing(undone.error());
  }
  lock_.unlock();
  return is_outdated ? After::TryAgain : After::GiveUp;
}

Result<bool> Store::begin_read() {
  TRY_VOID(check_identity());
  if (db_.in_transaction()) return false;
  TRY_VOID(db_.run("BEGIN"));
  return true;
}

void Store::end_read() {
  if (db_.in_transaction()) static_cast<void>(db_.run("COMMIT"));
}

// What was committed is safe in the log, so a checkpoint that fails does not make the append fail. But a
// disk that fails a sync is not to be trusted with the next one (P6).
void Store::checkpoint_when_due() {
  const int frames = db_.wal_frames();
  if (frames < checkpoint_at_) return;
  const Result<Connection::CheckpointOutcome> done = db_.checkpoint(Connection::Checkpoint::Passive);
  if (!done && !db_.is_last_failure_harmless_to_checkpoint()) stop_writing(done.error());
  // A reader that holds on to an old view keeps the log from being copied: try again later, not every time.
  const bool is_complete = done && done->copied == done->frames;
  checkpoint_at_ = (is_complete ? 0 : frames) + kCheckpointFrames;
}

Result<void> Store::settle() {
  if (!lock_.has_failure_mark())
    return {};  // whoever died was killed: what it wrote was synced, or not acknowledged
  TRY_VOID(check_writable());
  TRY_VOID(lock_.lock());
  Result<void> settled = check_identity();
  if (settled) {
    const Result<Connection::CheckpointOutcome> done = db_.checkpoint(Connection::Checkpoint::Passive);
    if (!done && !db_.is_last_failure_harmless_to_checkpoint()) settled = fail(done.error());
    if (done && done->copied == done->frames) lock_.clear_failure_mark();
  }
  if (!settled) stop_writing(settled.error());
  lock_.unlock();
  return settled;
}

}  // namespace reprise
